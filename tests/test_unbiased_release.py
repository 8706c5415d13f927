"""`lpmech design --utility unbiased`: its directory, what is released and estimated by it, and what is refused."""

import csv
import json
from fractions import Fraction

import numpy as np
import pytest

from lpmech.cli import main
from lpmech.designs import unbiased
from lpmech.designs.unbiased import design_unbiased, drawable, multiples
from lpmech.errors import CertificateError, InvalidInputError, ReleaseError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.solvers.unbiased import refined
from lpmech.programs.unbiased import UnbiasedProgram, least_at_two
from lpmech.release.design_files import certify_directory
from lpmech.release.estimation import estimate
from lpmech.release.means import mean_of
from lpmech.release.record import Release
from lpmech.release.sealing import seal_of


def run(arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.fixture
def stars(tmp_path):
    """One to five stars, 40 people."""
    file = tmp_path / "stars.csv"
    numbers = [1] * 4 + [2] * 6 + [3] * 10 + [4] * 12 + [5] * 8
    file.write_text("stars\n" + "".join(f"{v}\n" for v in numbers))
    return file


@pytest.fixture
def made(stars, tmp_path, capsys):
    place = tmp_path / "made"
    asked = f"design {stars} --epsilon 1 --utility unbiased --counts-are public --output {place}"
    assert run(asked.split()) == 0
    capsys.readouterr()
    return place


def test_the_directory_is_certified_and_names_the_numbers(made):
    proof = certify_directory(made)
    rows = list(csv.reader((made / "channel.csv").open()))
    outputs = [Fraction(z) for z in rows[0][1:]]
    for name, *entries in rows[1:]:  # the file itself is exactly unbiased
        assert sum(Fraction(q) * z for q, z in zip(entries, outputs, strict=True)) == Fraction(name)
    assert proof.bound <= proof.value <= proof.bound * (1 + Fraction(1, 10**6))
    assert "the mean of what it releases is the true number, exactly" in str(proof)


def test_the_mean_of_what_is_released_is_the_estimate(stars, made, tmp_path, capsys):
    released = tmp_path / "released.csv"
    assert run(f"randomize {stars} --column stars --channel {made} --output {released}".split()) == 0
    numbers = [float(line) for line in released.read_text().split()[1:]]
    assert set(numbers) <= {float(z) for z in Release.load(made).outputs}
    capsys.readouterr()
    assert run(f"estimate {released} --channel {made} --json".split()) == 0
    mean = json.loads(capsys.readouterr().out)["all"]["mean"]
    assert mean["value"] == pytest.approx(np.mean(numbers))
    assert mean["error"] == pytest.approx(np.std(numbers, ddof=1) / 40**0.5)
    assert mean["low"] == pytest.approx(mean["value"] - 1.959964 * mean["error"])
    assert run(f"estimate {released} --channel {made}".split()) == 0
    assert f"mean of the true numbers: {mean['value']:.6g}" in capsys.readouterr().out


def test_a_mean_is_of_numbers():
    channel = design_unbiased({"1": 1, "2": 1}, 1.0).channel
    found = mean_of(estimate([1] + [0] * (len(channel.outputs) - 1), channel))
    assert (found.value, found.rows) == (float(channel.outputs[0]), 1)
    assert np.isnan(found.error)
    words = type(channel)(channel.matrix, channel.inputs, [f"o{z}" for z in channel.outputs])
    with pytest.raises(ReleaseError, match="no numbers"):
        mean_of(estimate([1] * len(channel.outputs), words))


def resealed(place, change):
    """release.json changed, and sealed again as somebody would who wants it to be believed."""
    data = json.loads((place / "release.json").read_text())
    data.pop("seal")
    change(data)
    (place / "release.json").write_text(json.dumps({**data, "seal": seal_of(data)}))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda d: d["certificate"].update(lower="-1"), ReleaseError, "certificate.lower"),
        (lambda d: d["prior"].update(values=["1/5"] * 5), CertificateError, "prior"),
        (lambda d: d["utility"].update(sha256="0" * 64), ReleaseError, "utility"),
        (lambda d: d.update(ratio="2"), ReleaseError, "ratio"),
    ],
)
def test_what_release_json_states_has_to_be_proved(made, change, error, message):
    resealed(made, change)
    with pytest.raises(error, match=message):
        certify_directory(made)


def test_a_biased_channel_is_refused(made):
    def swap(data):
        data["channel"][0], data["channel"][1] = data["channel"][1], data["channel"][0]

    resealed(made, swap)
    (made / "channel.csv").unlink()
    resealed(made, lambda data: data["files"].pop("channel.csv"))
    with pytest.raises(ReleaseError, match=r"channel\.csv"):
        certify_directory(made)


def test_private_counts_pay_and_are_designed_for(stars, tmp_path, capsys):
    place = tmp_path / "private"
    asked = f"design {stars} --column stars --order 1,2,3,4,5 --epsilon 1 --utility unbiased --counts-are private --spend 0.2"
    assert run([*asked.split(), "--output", str(place)]) == 0
    assert "private counts: 0.2 for noisy counts, 0.8 for the release" in capsys.readouterr().out
    assert certify_directory(place).release.epsilon == "0.8"


def test_no_bound_is_told_as_none(stars, capsys):
    """At epsilon 14 the prices of floats prove nothing of other outputs: 0, which is no news, and "inf % above"."""
    assert run(f"design {stars} --column stars --order 1,2,3,4,5 --epsilon 14 --utility unbiased".split()) == 0
    shown = capsys.readouterr().out
    assert "other outputs could reach is not bounded at so large an epsilon" in shown
    assert "inf" not in shown
    assert "less than 0 " not in shown


def test_finer_outputs_are_explained(stars, capsys):
    assert run(f"design {stars} --ratio 3 --utility unbiased --explain".split()) == 0
    shown = capsys.readouterr().out
    assert "even outputs, as far as debiased randomized response reaches" in shown
    assert "whatever it releases, has less than" in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--utility unbiased --keep-labels", "no floor with --utility unbiased"),
        ("--utility unbiased --rows 10", "--utility count only"),
        ("--utility hit --step 0.1", "--utility unbiased only"),
        ("--utility unbiased --step many", "a number, such as 0.5"),
        ("--utility unbiased --step 0", "a positive number"),
        ("--utility unbiased --step 1e9", "step: got 1000000000; allowed: a step on which"),
        (
            "--utility unbiased --bins 29 --range 0,29 --step 0.1",
            "step: got 1/10; allowed: a step with at most 344 outputs",
        ),
        ("--utility unbiased --mechanism rr_on_bins", "no other one is released"),
        ("--utility unbiased --prior-within 0.1", "K x K utility, where shares are uncertain"),
        ("--utility unbiased --bins 31 --range 0,40", "at most 30"),
    ],
)
def test_options_that_mean_nothing_together_are_refused(stars, capsys, options, message):
    assert run(f"design {stars} --epsilon 1 {options}".split()) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_rounded_channel_that_is_above_the_level_is_not_drawn(monkeypatch, epsilon):
    # 10^-30 of t - 1 is less than entries are rounded by, about 10^-18, so that the first room is too small
    level, values = PrivacyLevel.from_epsilon(epsilon), [Fraction(v) for v in (1, 2, 3)]
    program = UnbiasedProgram.of(values, [Fraction(1, 3)] * 3, multiples(values, level, Fraction(1))[0], level)
    monkeypatch.setattr(unbiased, "_ROOMS", (10**30, 10**8))
    found = drawable(program)
    assert found.channel.ratio <= level.ratio_below
    assert found.value - found.bound < Fraction(1, 10**5)
    monkeypatch.setattr(unbiased, "_ROOMS", (10**30,))
    with pytest.raises(InvalidInputError, match="released exactly without bias"):
        drawable(program)


@pytest.mark.parametrize("epsilon", [1e-9, 50])
def test_levels_at_which_nothing_is_drawn_exactly_are_named(epsilon):
    with pytest.raises(InvalidInputError, match=f"^epsilon: got '{epsilon:g}'; allowed: from about 0.001 to 15"):
        design_unbiased({"1": 3, "2": 5, "3": 2}, epsilon)


def test_numbers_that_are_nearly_equal_are_told_apart():
    near, apart = 1 + Fraction(1, 10**15), Fraction(1, 10**15)  # floats know one digit of the difference
    values = [Fraction(1), near]
    level = PrivacyLevel.from_ratio(3)
    program = UnbiasedProgram.of(values, [Fraction(1, 2)] * 2, multiples(values, level)[0], level)
    assert float(refined(program).value) == pytest.approx(float(least_at_two(apart, 3)), rel=1e-3)


def test_labels_have_to_be_numbers(tmp_path, capsys):
    file = tmp_path / "words.csv"
    file.write_text("label,count\na,1\nb,2\n")
    assert run(f"design {file} --epsilon 1 --utility unbiased".split()) == 2
    assert "numbers, to be released without bias" in capsys.readouterr().err
