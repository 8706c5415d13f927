"""Any mechanism of the comparison from counts to estimates, sets included; hostile releases; the mark of a design."""

import hashlib
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from test_randomizing import run

from lpmech.channel import Channel
from lpmech.entries import digest_of
from lpmech.errors import DataFileError, LabelError, ReleaseError
from lpmech.mechanisms import optimal_unary_encoding, subset_selection
from lpmech.mechanisms.subset_selection import SubsetSelection
from lpmech.mechanisms.unary_encoding import UnaryEncoding
from lpmech.privacy import PrivacyLevel
from lpmech.release import Release, Spent
from lpmech.release.estimation import estimate, estimate_sets
from lpmech.release.label_sets import LabelSets
from lpmech.release.mark import Mark, clear_orphan, mark_beside, marked
from lpmech.release.sealing import seal_of

LABELS = ("mild", "moderate", "severe", "critical", "none")
COUNTS = (520, 260, 120, 60, 40)

#: Mechanisms for hits, and for counting: the first eight of the former are channels on the labels.
FOR_HITS = (
    *("optimal", "randomized_response", "rr_with_prior", "rr_top_k", "rr_on_bins", "block_rr"),
    *("bipartite_rr", "bipartite_rr_star", "exponential"),
)
FOR_COUNTING = (
    *("best_for_counting", "subset_selection", "optimal_unary_encoding", "symmetric_unary_encoding"),
    *("hadamard_response", "randomized_response", "optimal"),
)
SETS = ("subset_selection", "optimal_unary_encoding", "symmetric_unary_encoding")


def counts_file(directory, labels=LABELS, counts=COUNTS):
    path = directory / "counts.csv"
    path.write_text("label,count\n" + "".join(f"{a},{n}\n" for a, n in zip(labels, counts, strict=True)))
    return path


def label_file(path, labels=LABELS, counts=COUNTS):
    rows = [label for label, count in zip(labels, counts, strict=True) for _ in range(count)]
    path.write_text("id,ward,label\n" + "".join(f"{i},{i % 2},{label}\n" for i, label in enumerate(rows)))
    return path


def deployed(directory, capsys, *given, labels=LABELS, counts=COUNTS):
    """Design, certify, randomize, estimate and audit by the commands; what certify and audit print, and the estimates."""
    design, released = directory / "design", directory / "released.csv"
    public = ("--counts-are", "public", "--output", design)
    assert run("design", counts_file(directory, labels, counts), *given, *public) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert run("certify", design) == 0
    proof = capsys.readouterr().out
    source = label_file(directory / "labels.csv", labels, counts)
    assert run("randomize", source, "--column", "label", "--channel", design, "--output", released) == 0
    column = ("--column", "label", "--channel", design, "--confidence", "0.99999")
    capsys.readouterr()
    assert run("estimate", released, *column) == 0
    printed = capsys.readouterr().out
    assert "no mark" not in printed
    assert run("estimate", released, *column, "--json") == 0
    found = json.loads(capsys.readouterr().out)["all"]
    assert run("audit", design, "--epsilon", "1") == 0
    return proof, printed, found, capsys.readouterr().out


@pytest.mark.parametrize("mechanism", FOR_HITS)
def test_any_channel_of_the_comparison_from_counts_to_estimates(tmp_path, capsys, mechanism):
    # catches a channel deployed under another's name, and a certificate that only holds for the optimum
    proof, _, found, audited = deployed(tmp_path, capsys, "--epsilon", 1, "--mechanism", mechanism)
    assert f"it is {mechanism}, private at epsilon = 1" in proof
    assert "no channel of that level has more than" in proof
    assert "private at epsilon = 1, compared exactly" in audited
    true = np.array(COUNTS) / sum(COUNTS)
    assert np.all(np.array(found["low"]) <= true)
    assert np.all(true <= np.array(found["high"]))


@pytest.mark.parametrize("mechanism", FOR_COUNTING)
def test_any_mechanism_for_counting_from_counts_to_estimates(tmp_path, capsys, mechanism):
    given = ("--epsilon", 1, "--utility", "count", "--mechanism", mechanism)
    proof, _, found, audited = deployed(tmp_path, capsys, *given)
    assert (tmp_path / "design" / "comparison.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "design" / "design.html").read_text()
    assert f"<b>{mechanism}</b>" in page
    assert ("a released set is a text" in page.lower()) is (mechanism in SETS)
    assert f"it is {mechanism}, private at epsilon = 1" in proof
    assert "unbiased shares from a channel of that level have at least" in proof
    assert "private at epsilon = 1, compared exactly" in audited
    true = np.array(COUNTS) / sum(COUNTS)
    assert np.all(np.array(found["low"]) <= true)
    assert np.all(true <= np.array(found["high"]))
    assert max(np.array(found["high"]) - np.array(found["low"])) < 0.6
    assert np.isclose(sum(found.get("most_likely") or found["central"]), 1)
    released = {line.split(",")[2] for line in (tmp_path / "released.csv").read_text().splitlines()[1:]}
    if not released <= set(LABELS):  # survives a spreadsheet
        assert all(text[0].isalpha() for text in released)


def test_the_best_for_counting_is_taken_and_its_error_printed_with_the_bound(tmp_path, capsys):
    path = counts_file(tmp_path)
    assert run("design", path, "--epsilon", 1, "--utility", "count", "--rows", 4000, "--explain") == 0
    shown = capsys.readouterr().out
    assert "chosen: best_for_counting" in shown
    assert "no private channel has unbiased shares of an error below" in shown
    assert "subset_selection: releases a set" in shown
    assert run("design", path, "--epsilon", 1, "--utility", "count", "--rows", 4000, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    errors = {row["mechanism"]: row["error"] for row in data["comparison"]}
    # randomized response: its shares have the total variance ((K - 1) times (t + K - 2) / (t - 1)^2 and more)
    K, t, n = 5, math.e, 4000
    p, q = t / (t + K - 1), 1 / (t + K - 1)
    total = (p * (1 - p) + (K - 1) * q * (1 - q)) / (p - q) ** 2
    assert errors["randomized_response"] == pytest.approx(math.sqrt(total / K / n))
    assert data["mechanism"] == "best_for_counting"
    least = math.sqrt(float(Fraction(data["variance_bound"])) / K / n)
    assert least <= min(errors.values()) <= least * (1 + 1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--mechanism", "always_one_label"), "mechanism"),
        (("--mechanism", "laplace"), "mechanism"),
        (("--mechanism", "subset_selection"), "utility count"),
        (("--mechanism", "randomized_response", "--keep-labels"), "keeps the floor"),
        (("--utility", "count", "--keep-labels"), "no floor"),
        (("--utility", "count", "--mechanism", "rr_with_prior"), "mechanism"),  # merges labels at these shares
        (("--utility", "count", "--rows", "0"), "rows"),
        (("--rows", "7"), "rows"),
    ],
)
def test_what_cannot_be_deployed_is_refused_and_nothing_written(tmp_path, capsys, given, message):
    public = ("--counts-are", "public", "--output", tmp_path / "design")
    assert run("design", counts_file(tmp_path), "--epsilon", "0.3", *given, *public) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "design").exists()


def test_private_counts_for_counting_pay_once_and_names_that_may_not_count_are_refused_before(tmp_path, capsys):
    private = ("--utility", "count", "--epsilon", "1", "--counts-are", "private", "--spend", "0.2")
    given = ("design", label_file(tmp_path / "labels.csv"), "--column", "label", "--order", ",".join(LABELS), *private)
    assert run(*given, "--mechanism", "rr_with_prior", "--output", tmp_path / "no") == 2
    assert not (tmp_path / "lpmech-ledger.json").exists()
    assert run(*given, "--mechanism", "subset_selection", "--output", tmp_path / "design") == 0
    release = Release.load(tmp_path / "design")
    assert (release.counts, release.bought.rows, release.spent.total) == ("private", 1000, "1")
    assert run("certify", tmp_path / "design") == 0


# -- many outputs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "mechanism"), [(70, "hadamard_response"), (460, "optimal_unary_encoding"), (460, "subset_selection")]
)
def test_more_outputs_than_a_word_has_bits(tmp_path, size, mechanism):
    # the last labels count as the first do: catches loops that end at 64 or 450 outputs
    labels = [f"l{i}" for i in range(size)]
    level = PrivacyLevel.from_epsilon(4.0)
    if mechanism == "hadamard_response":
        from lpmech.mechanisms import hadamard_response

        channel = hadamard_response(labels, level).exact(level)
        randomizer = Channel(channel.matrix, labels, [f"o{j}" for j in channel.outputs])
        assert len(randomizer.outputs) == 128
    else:
        made = subset_selection if mechanism == "subset_selection" else optimal_unary_encoding
        randomizer = LabelSets(tuple(labels), made(size, level).exact(level))
    release = make_release(randomizer, "4.0")
    assert Release.from_json(release.to_json()) == release
    rows = np.repeat([0, size - 2, size - 1], [1500, 1000, 500])
    texts = release.texts(rows)
    if isinstance(randomizer, LabelSets):
        found = estimate_sets(randomizer.bits(texts.tolist()).sum(axis=0), rows.size, randomizer, 1 - 1e-9)
    else:
        found = estimate([int((texts == name).sum()) for name in randomizer.outputs], randomizer, 1 - 1e-9)
    true = np.bincount(rows, minlength=size) / rows.size
    assert np.all((found.low <= true) & (true <= found.high))
    assert found.low[size - 2] > 0.1  # it is seen, not only allowed


# -- releases of strangers ---------------------------------------------------------------------------------------------


def make_release(randomizer, epsilon, **changes):
    size = len(randomizer.inputs)
    prior = np.full(size, Fraction(1, size), dtype=object)
    stated = {
        "randomizer": randomizer,
        "epsilon": epsilon,
        "ratio": Fraction(randomizer.ratio),
        "spent": Spent.on(epsilon),
        "counts": "public",
        "utility": {"name": "count"},
        "prior": {"sha256": digest_of(prior), "noisy": False, "values": [str(v) for v in prior]},
        "mechanism": "sets",
    }
    return Release(**{**stated, **changes})


SUBSETS = LabelSets(LABELS, SubsetSelection(5, 2, Fraction(5, 2)))  # 5/2 < e
BITS = LabelSets(LABELS, UnaryEncoding(5, Fraction(1), Fraction(5, 2)))


@pytest.mark.parametrize("sets", [SUBSETS, BITS])
@pytest.mark.parametrize(
    "change",
    [
        {"p": "1/2", "q": "1/5"},
        {"q": "0"},
        {"p": "NaN"},
        {"p": 0.5},
        {"kind": "rappor"},
        {"kind": ["subset_selection"]},
        {"more": 1},
        {"chosen": 6},  # more than there are labels
        {"chosen": 5},
        {"chosen": 0},
        {"chosen": True},
        {"chosen": "2"},
        {"chosen": 10**30},
        {"weight": "3"},  # 3 > e
        {"weight": "1"},
        {"weight": "2.5"},
        {"weight": "9" * 5000},
        {"weight": f"{2**80}/{2**80 - 1}"},  # cannot be drawn
        {"odds_present": "2"},  # 2 * 5/2 > e
        {"odds_absent": "1e9999"},
        {"odds_present": "-1"},
        {"odds_present": "0"},
        {"odds_present": None},
    ],
)
def test_sets_that_do_not_hold_are_refused(sets, change):
    data = json.loads(make_release(sets, "1").to_json())
    assert Release.from_json(json.dumps(data)).randomizer == sets
    changed = {**data, "sets": {**data["sets"], **change}}
    with pytest.raises(ReleaseError) as caught:
        Release.from_json(json.dumps({**changed, "seal": seal_of(changed)}))
    assert caught.value.argument != "seal"


@pytest.mark.parametrize(
    "change",
    [
        {"labels": ["mild", "mild", "severe", "critical", "none"]},
        {"labels": ["mild", 1, "severe", "critical", "none"]},
        {"labels": "abcde"},
        {"labels": ["a"]},
        {"labels": []},
        {"labels": None},
        {"sets": None},
        {"sets": {}},
        {"sets": [1]},
        {"outputs": ["b00001"]},
        {"ratio": "2"},  # the sets have 5/2
        {"mechanism": 7},
        {"prior": {"sha256": "a" * 64, "noisy": False, "counts": [1, 2, 3, 4, 5], "rows": 15}},
        {"utility": {"name": "hit"}},  # has a digest
    ],
)
def test_a_release_of_sets_that_does_not_hold_is_refused(change):
    data = json.loads(make_release(SUBSETS, "1").to_json())
    changed = {**data, **change}
    with pytest.raises(ReleaseError) as caught:
        Release.from_json(json.dumps({**changed, "seal": seal_of(changed)}))
    assert caught.value.argument != "seal"


def test_a_duplicated_key_and_floats_are_refused():
    text = make_release(SUBSETS, "1").to_json()
    with pytest.raises(ReleaseError, match="once"):
        Release.from_json(text.replace('"chosen": 2', '"chosen": 2, "chosen": 2'))
    floats = SubsetSelection(5, 2, 2.5)
    with pytest.raises(ReleaseError, match="drawn exactly"):
        LabelSets(LABELS, floats)
    with pytest.raises(ReleaseError, match="labels"):
        LabelSets(LABELS[:4], SUBSETS.mechanism)


def test_noisy_counts_that_are_not_those_of_the_prior_are_refused():
    counts = (3, 1, 4, -2, 0)
    prior = np.array([Fraction(n, 8) for n in (3, 1, 4, 0, 0)], dtype=object)
    private = {
        "counts": "private",
        "spent": Spent.on("1", "0.5", "sequential", "a" * 32),
        "prior": {"sha256": digest_of(prior), "noisy": True, "counts": list(counts), "rows": 9},
    }
    assert make_release(SUBSETS, "1", **private).bought.counts == counts
    for change in (
        {"counts": [3, 1, 4, 1, 0]},
        {"counts": [3.0, 1, 4, -2, 0]},
        {"counts": None},
        {"rows": True},
        {"rows": -1},
        {"noisy": 1},
    ):
        with pytest.raises(ReleaseError, match="prior"):
            make_release(SUBSETS, "1", **{**private, "prior": {**private["prior"], **change}})
    for missing in ("counts", "rows"):  # one of them alone is not the same as neither
        prior = {key: value for key, value in private["prior"].items() if key != missing}
        with pytest.raises(ReleaseError, match=f"prior.{missing}"):
            make_release(SUBSETS, "1", **{**private, "prior": prior})


@pytest.mark.parametrize(("mechanism", "output"), [
    (optimal_unary_encoding(3, 0.8).exact(0.8), "b100"),
    (subset_selection(3, 0.8, 2).exact(0.8), "b110"),
])  # fmt: skip
def test_the_witness_of_sets_is_a_label_in_one_and_a_label_outside(mechanism, output):
    """Catches a witness of one label twice, whose ratio would be 1."""
    witness = LabelSets(tuple("xyz"), mechanism).witness
    assert (witness.output, witness.likely, witness.unlikely) == (output, "x", "z")
    assert witness.ratio == mechanism.ratio > 1


@pytest.mark.parametrize("text", ["b11100", "b1100", "b110000", "11000", "b1100x", "c11000", "", "b1100 0", "mild"])
def test_texts_that_are_no_set_are_refused_by_row(text):
    assert SUBSETS.bits(["b11000", " b00011 "]).tolist() == [[1, 1, 0, 0, 0], [0, 0, 0, 1, 1]]
    with pytest.raises(LabelError, match="rows 8") as caught:
        SUBSETS.bits(["b11000", text], first=7)
    assert "b1100x" not in str(caught.value)


@pytest.mark.parametrize("text", ["b01210", "b22000", "b0110 ", "b\u0661\u0660000"])
def test_texts_that_are_no_bits_are_refused(text):
    """Of sets of any number of labels; catches characters that are counted as more than one label."""
    assert BITS.bits(["b00000", "b11111"]).sum(axis=1).tolist() == [0, 5]
    with pytest.raises(LabelError, match="rows 8"):
        BITS.bits(["b11000", text], first=7)


def test_a_bound_that_proves_less_or_is_about_another_level_is_refused(tmp_path, capsys):
    deployed(tmp_path, capsys, "--epsilon", 1, "--utility", "count")
    place = tmp_path / "design" / "counting-bound.json"
    good, release = json.loads(place.read_text()), json.loads((tmp_path / "design" / "release.json").read_text())
    lower = Fraction(release["certificate"]["lower"])
    for change in (
        {"ratio": "5/2"},  # channels of less than e
        {"duals": [str(Fraction(v) * Fraction(9, 10)) for v in good["duals"]]},  # a larger bound, not proved
        {"duals": good["duals"][:4]},
        {"matrix": "x"},
        {"more": 1},
    ):
        bad = {**good, **change}
        place.write_text(json.dumps(bad))
        if "duals" in change and len(change["duals"]) == 5:
            larger = 2 * sum(Fraction(good["matrix"][i][i]) for i in range(5)) - sum(map(Fraction, bad["duals"])) - 1
            assert larger > lower
            release["certificate"]["lower"] = str(larger)
        release["files"]["counting-bound.json"] = hashlib.sha256(place.read_bytes()).hexdigest()
        release["seal"] = seal_of(release)
        (tmp_path / "design" / "release.json").write_text(json.dumps(release))
        assert run("certify", tmp_path / "design") == 2
        assert "bound" in capsys.readouterr().err


# -- the mark ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def released(tmp_path, capsys):
    deployed(tmp_path, capsys, "--epsilon", 1, "--mechanism", "randomized_response")
    return tmp_path / "released.csv"


def test_another_design_of_the_same_labels_is_refused(released, tmp_path, capsys):
    # its numbers would give wrong shares without a word
    public = ("--counts-are", "public", "--output", tmp_path / "other")
    assert run("design", tmp_path / "counts.csv", "--epsilon", 2, "--mechanism", "randomized_response", *public) == 0
    assert run("estimate", released, "--column", "label", "--channel", tmp_path / "other") == 2
    assert "not the design of" in capsys.readouterr().err


def test_the_same_design_made_again_is_the_same_whatever_files_are_beside(released, tmp_path, capsys):
    public = ("--counts-are", "public", "--output", tmp_path / "again", "--exact")
    assert run("design", tmp_path / "counts.csv", "--epsilon", 1, "--mechanism", "randomized_response", *public) == 0
    first, again = (Release.load(tmp_path / name) for name in ("design", "again"))
    assert first.files != again.files
    assert run("estimate", released, "--column", "label", "--channel", tmp_path / "again") == 0


def test_a_changed_file_is_refused_and_one_without_a_mark_is_said_to_have_none(released, tmp_path, capsys):
    mark = Mark.of_file(released)
    assert mark is not None
    assert mark_beside(released).stat().st_mode == released.stat().st_mode
    content = released.read_bytes()
    released.write_bytes(content.replace(b"mild", b"none", 1))
    given = ("estimate", released, "--column", "label", "--channel", tmp_path / "design")
    assert run(*given) == 2
    assert "changed since" in capsys.readouterr().err
    mark_beside(released).unlink()
    assert run(*given) == 0
    assert "no mark of its design beside it" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "lpmech-mark-1"}', "[" * 50_000, "NaN", "\x00"])
def test_a_damaged_mark_is_refused(released, tmp_path, text, capsys):
    mark_beside(released).write_text(text)
    assert run("estimate", released, "--column", "label", "--channel", tmp_path / "design") == 2
    assert "mark" in capsys.readouterr().err


def test_a_mark_without_its_file_is_left_by_a_killed_run_and_removed_by_the_next(released, tmp_path):
    released.unlink()
    given = ("randomize", tmp_path / "labels.csv", "--column", "label", "--channel", tmp_path / "design", "--again")
    assert run(*given, "--output", released) == 0
    assert Mark.of_file(released) is not None
    (tmp_path / "thesis.csv.design.json").write_text("my own notes")
    assert run(*given, "--output", tmp_path / "thesis.csv") == 2
    assert (tmp_path / "thesis.csv.design.json").read_text() == "my own notes"
    assert not (tmp_path / "thesis.csv").exists()


@pytest.mark.parametrize("nameless", [True, False])
def test_the_mark_of_a_run_that_lives_is_not_removed(released, tmp_path, nameless, monkeypatch):
    # between mark and file another process takes the mark for a killed run's: the file would be without its mark
    if not nameless:
        monkeypatch.setattr("lpmech.files.whole._nameless", lambda directory: None)
    release, data, output = Release.load(tmp_path / "design"), tmp_path / "labels.csv", tmp_path / "new.csv"
    with marked(output, "0" * 64, release, counted=True, like=data):
        with pytest.raises(DataFileError, match=r"design\.json"):
            clear_orphan(output)
        assert Mark.of_file(output) is not None
    clear_orphan(output)  # nobody holds it, and there is no file
    assert not mark_beside(output).exists()
    with pytest.raises(DataFileError), marked(output, "0" * 64, release, counted=True, like=data):
        raise DataFileError("output", "x", "y")
    assert not mark_beside(output).exists()
    with pytest.raises(OSError, match="nobody can say"), marked(output, "0" * 64, release, counted=True, like=data):
        raise OSError("nobody can say")  # no typed error, after which an entry is taken back
    assert mark_beside(output).exists()
