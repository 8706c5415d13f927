"""The largest information of a private channel: patterns, both ends of the optimum, certificates, closed forms."""

import csv
import hashlib
import json
import math
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import lpmech
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import Channel, PrivacyLevel
from lpmech.certify import checker, sublinear_checker
from lpmech.certify.program import sublinear_certificate
from lpmech.errors import LabelError, PriorError, ProgramError
from lpmech.mechanisms import subset_selection
from lpmech.programs import sublinear
from lpmech.programs.sublinear import SublinearSolution, divergence, information
from lpmech.release.design_files import certify_directory
from lpmech.release.record import INFORMATIONS, Release

F = Fraction
CERTIFY = Path(sublinear_checker.__file__).parent
KL, CHI, TV = MEASURES = ("kullback-leibler", "chi-squared", "total-variation")
FUNCTIONS = {KL: lambda x: x * math.log(x) if x else 0.0, CHI: lambda x: (x - 1) ** 2, TV: lambda x: abs(x - 1) / 2}
RATIOS = st.sampled_from([F(11, 10), F(3, 2), F(4), F(40)])


def law(counts):
    return [F(c, sum(counts)) for c in counts]


@st.composite
def laws(draw, least=2, most=5, number=None):
    size = draw(st.integers(least, most))
    counts = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    first = draw(counts.filter(any))
    second = draw(counts.map(lambda c: [n + 1 for n in c]))
    return [law(first), law(second)][: number or draw(st.integers(1, 2))]


def program(given, measure, level):
    return information(given[0], level, measure) if len(given) == 1 else divergence(*given, level, measure)


def own_worth(given, measure, column):
    """The definition, in floats."""
    f, v = FUNCTIONS[measure], np.array([float(x) for x in column])
    means = [float(np.dot([float(p) for p in law], v)) for law in given]
    if len(given) == 2:
        return means[1] * f(means[0] / means[1])
    return sum(float(p) * means[0] * f(x / means[0]) for p, x in zip(given[0], v, strict=True))


def own_optimum(given, measure, ratio):
    """HiGHS on all patterns."""
    patterns = np.array(list(product([1.0, float(ratio)], repeat=len(given[0]))))
    worth = np.array([own_worth(given, measure, v) for v in patterns])
    unit = abs(worth).max() or 1.0  # HiGHS takes what is below 1e-7 for optimal
    return -unit * linprog(-worth / unit, A_eq=patterns.T, b_eq=np.ones(len(given[0]))).fun


@settings(max_examples=60)
@given(laws(), st.sampled_from(MEASURES), RATIOS)
def test_the_optimum_is_that_over_all_patterns(given, measure, ratio):
    found = program(given, measure, PrivacyLevel.from_ratio(ratio)).solve()
    assert float(found.value) == pytest.approx(own_optimum(given, measure, ratio), abs=1e-9)
    assert 0 <= found.gap < F(1, 10**40)
    assert found.gap == 0 or measure == KL
    worth = sum(own_worth(given, measure, column) for column in found.channel.matrix.T)
    assert worth == pytest.approx(float(found.value), abs=1e-9)
    assert len(found.channel.outputs) <= len(given[0])


@settings(max_examples=40)
@given(laws(), st.sampled_from(MEASURES), RATIOS, st.data())
def test_no_private_channel_is_worth_more(given, measure, ratio, data):
    # mixtures of patterns and constants, with outputs merged: any private channel is one
    size, level = len(given[0]), PrivacyLevel.from_ratio(ratio)
    shares = [data.draw(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any)) for _ in range(size)]
    near = np.array([law(row) for row in shares], dtype=object)
    low = near.min() + F(1, 100)
    mixed = (near + low) / np.array([[sum(row)] for row in near + low], dtype=object)
    for power in range(12):
        channel = Channel(F(1, 2**power) * mixed + (1 - F(1, 2**power)) * F(1, 3))
        if channel.satisfies(level):
            break
    else:
        channel = Channel([[F(1, 3)] * 3] * size)
    asked = program(given, measure, level)
    assert asked.ends(channel)[1] <= asked.solve().bound


@settings(max_examples=30)
@given(laws(3, 6), st.sampled_from(MEASURES), RATIOS, st.data())
def test_what_bounds_all_patterns_is_never_below_them(given, measure, ratio, data):
    # by enumeration it is exact; by tangents, chords, or numbers of labels it may be larger only
    asked = program(given, measure, PrivacyLevel.from_ratio(ratio))
    size = len(given[0])
    duals = np.array(data.draw(st.lists(st.fractions(-1, 1, max_denominator=20), min_size=size, max_size=size)))
    exact = asked.excess(duals)
    patterns = np.array(list(product([F(1), ratio], repeat=size)), dtype=object)
    own = max(own_worth(given, measure, v) - float(v @ duals) for v in patterns)
    assert float(exact) == pytest.approx(max(own, 0.0), abs=1e-9 * (1 + abs(own)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sublinear, "_LOOKED_AT", 2)
        bound = asked.excess(duals)
        uniform = information([F(1, size)] * size, asked.level, measure)
        by_number = uniform.excess(duals)
    assert exact <= bound + F(1, 10**40)
    assert 0 <= by_number - uniform.excess(duals) < F(1, 10**12)  # tangents are at means in floats
    if len(given) == 2:  # chords come near
        assert float(bound - exact) < 1e-5 * (1 + abs(own))


@settings(max_examples=12)
@given(laws(6, 9), st.sampled_from(MEASURES), st.sampled_from([F(3, 2), F(4)]))
def test_column_generation_finds_the_optimum_of_all_columns(given, measure, ratio):
    asked = program(given, measure, PrivacyLevel.from_ratio(ratio))
    best = asked.solve()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sublinear, "ENUMERATED", 2)
        found = asked.solve()
        assert found.value <= best.bound
        assert found.value == pytest.approx(best.value, abs=1e-11)
        assert found.gap < F(1, 10**10)
        patch.setattr(sublinear, "_LOOKED_AT", 2)
        far = asked.solve()
        assert far.value <= best.bound  # patterns are missed there, by less than the gap that is printed
        assert best.value <= far.bound
        assert float(far.value) >= 0.99 * float(best.value)


@pytest.mark.parametrize("size", [3, 7, 14, 40])
@pytest.mark.parametrize("measure", MEASURES)
def test_equal_shares_have_a_closed_form(size, measure):
    # k labels with t on a ring: a column is worth h(m), the K of them have mass 1 / m each
    ratio = F(5)
    found = information([F(1, size)] * size, PrivacyLevel.from_ratio(ratio), measure).solve()
    means = [1 + (ratio - 1) * F(k, size) for k in range(size + 1)]

    def worth(k):
        f, m = FUNCTIONS[measure], float(means[k])
        return k / size * f(5 / m) + (1 - k / size) * f(1 / m)

    assert float(found.value) == pytest.approx(max(map(worth, range(size + 1))), rel=1e-12)
    assert 0 <= found.gap < F(1, 10**9)


def test_equal_shares_are_released_best_as_sets():
    # mutual information of K = 6 at t = 4: sets of 2 labels (Wang et al. 2016)
    level = PrivacyLevel.from_ratio(4)
    asked = information([F(1, 6)] * 6, level)
    best = asked.solve()
    worth = {d: asked.ends(subset_selection(6, level, d).channel())[0] for d in range(1, 6)}
    assert max(worth, key=worth.get) == 2
    assert worth[2] == pytest.approx(best.value, abs=1e-30)


@pytest.mark.parametrize("counts", [(5, 3, 2), (6, 3, 1), (7, 2, 2), (2, 3, 4)])
def test_binary_at_high_and_randomized_response_at_low_privacy(counts):
    # Kairouz, Oh, Viswanath: near epsilon = 0 the set whose mass is nearest to 1/2 is told from the rest
    prior = law(counts)
    nearest = min(({0}, {1}, {2}), key=lambda s: abs(sum(prior[y] for y in s) - F(1, 2)))
    binary = information(prior, PrivacyLevel.from_ratio(F(101, 100))).solve()
    assert {frozenset(name) for name in binary.channel.outputs} == {frozenset(nearest), frozenset({0, 1, 2} - nearest)}
    response = information(prior, PrivacyLevel.from_ratio(1000)).solve()
    assert set(response.channel.outputs) == {(0,), (1,), (2,)}


def test_chi_squared_changes_at_seven():
    # the claim of kairouz2016: {1}, {2, 3} up to e^epsilon = 7, randomised response from there on
    pair = law((3, 2, 1)), law((1, 2, 3))
    for ratio, number in ((F(69, 10), 2), (F(71, 10), 3)):
        assert len(divergence(*pair, PrivacyLevel.from_ratio(ratio), CHI).solve().channel.outputs) == number


def test_no_label_count_beats_the_limit_of_many():
    # A - 1 - log A, A = t log t / (t - 1): what shares that are all small come near to
    ratio = 4.0
    a = ratio * math.log(ratio) / (ratio - 1)
    few, many = (float(information([F(1, n)] * n, PrivacyLevel.from_ratio(4)).solve().bound) for n in (3, 60))
    assert few < many < a - 1 - math.log(a) < many + 1e-3


def test_what_is_no_solution_is_refused():
    asked = information([F(1, 2)] * 2, PrivacyLevel.from_ratio(2))
    for channel in (Channel([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]), Channel([[0.5, 0.5], [0.5, 0.5]])):
        with pytest.raises(ProgramError, match="channel"):
            SublinearSolution(asked, channel, np.array([F(1), F(1)]))
    never = Channel([[F(1, 2), F(0), F(1, 2)]] * 2)  # an output that never occurs is worth nothing
    assert asked.ends(never) == (0, 0)
    loose = SublinearSolution(asked, Channel([[F(1, 2), F(1, 2)]] * 2), np.array([F(-1), F(0)]))
    assert loose.value == 0
    assert loose.bound >= asked.solve().value  # raised until they are feasible


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (([F(1, 2), F(1, 3)], 1.0), PriorError, "prior"),
        (([F(1, 2)] * 2, 1.0, "hellinger"), ProgramError, "total-variation"),
        (([F(1, 2)] * 2, 1.0, ["kl"]), ProgramError, "measure"),
        (([F(1, 201)] * 201, 1.0), ProgramError, "at most 200"),
        (([F(1, 2)] * 2, 700.0), ProgramError, "at most 10\\^10"),
        (([F(1, 2)] * 2, 1.0, KL, ["a", "a"]), LabelError, "names"),
        (([F(1, 2)] * 2, 1.0, KL, [["a"], ["b"]]), LabelError, "hashable"),
    ],
)
def test_bad_input_is_refused(arguments, error, said):
    with pytest.raises(error, match=said):
        information(*arguments)
    with pytest.raises(ProgramError, match="second"):
        divergence([F(1)], [F(1, 2)] * 2, 1.0)


# ---- lpmech design


@pytest.fixture
def five(tmp_path):
    (tmp_path / "five.csv").write_text('label,count\na,5\n"b, c",3\nd}{e,2\n<script>,2\n$x^$,1\n')
    return tmp_path


@pytest.mark.parametrize("utility", ["mutual_information", "chi_squared", "total_variation"])
def test_design_writes_the_best_channel_and_its_certificate(five, utility):
    at = ("design", "five.csv", "--ratio", 3, "--utility", utility)
    done = lpmech(*at, "--counts-are", "public", "--output", "found", cwd=five)
    assert done.returncode == 0, done.stderr
    assert "gap" in done.stdout
    assert sorted(path.name for path in (five / "found").iterdir()) == [
        "certificate.json",
        "channel.csv",
        "comparison.csv",
        "release.json",
    ]
    assert lpmech("certify", "found/certificate.json", cwd=five).returncode == 0
    assert "channel.csv is the channel of release.json" in lpmech("certify", "found", cwd=five).stdout
    data = json.loads(lpmech(*at, "--json", cwd=five).stdout)
    lower, upper = (F(data["optimum"][end]) for end in ("lower", "upper"))
    own = own_optimum([law((5, 3, 2, 2, 1))], INFORMATIONS[utility], 3)
    assert float(lower) == pytest.approx(own, abs=1e-9)
    assert data["gap"] == float(upper - lower) < 1e-40
    assert all(entry["expected_utility"] <= float(upper) for entry in data["comparison"])
    assert {"optimal", "randomized_response", "subset_selection"} <= {e["mechanism"] for e in data["comparison"]}


@pytest.mark.parametrize(
    "options",
    [
        ["--keep-labels"],
        ["--mechanism", "optimal"],
        ["--prior-within", "0.1"],
        ["--metric", "discrete"],
        ["--delta", "0.1"],
    ],
)
def test_design_refuses_what_does_not_go_with_information(five, options):
    done = lpmech("design", "five.csv", "--epsilon", 1, "--utility", "chi_squared", *options, cwd=five)
    assert (done.returncode, done.stdout, "without" in done.stderr) == (2, "", True)
    assert not (five / "lpmech-ledger.json").exists()


# ---- certificates


def certificate(measure=KL, given=((5, 3, 2),)):
    return sublinear_certificate(program([law(c) for c in given], measure, PrivacyLevel.from_ratio(3)).solve())


def moved(duals, to, source):
    step = {to: 1, source: -1}
    return [str(F(v) + step.get(i, 0)) for i, v in enumerate(duals)]


def changed(text, change):
    data = json.loads(text)
    change(data)
    data["seal"] = checker.seal_of(data)
    return data


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("given", [((5, 3, 2),), ((5, 3, 2), (1, 3, 4))])
def test_the_checker_has_the_same_optimum(measure, given):
    found = sublinear_checker.check_sublinear(json.loads(certificate(measure, given)))
    own = own_optimum([law(c) for c in given], measure, 3)
    assert float(found.lower) == pytest.approx(own, abs=1e-9)
    assert (found.lower == found.upper) is (measure != KL)
    assert 0 <= found.upper - found.lower < F(1, 10**40)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(upper="0"), "upper"),
        (lambda d: d.update(lower="1"), "lower"),
        (lambda d: d["duals"].__setitem__(0, "0"), "pattern"),
        (lambda d: d.update(duals=["0"] * 3, upper="0"), "pattern"),
        # of all patterns only those with the last label are not covered, or with the first one
        (lambda d: d.update(duals=moved(d["duals"], 0, 2)), "pattern"),
        (lambda d: d.update(duals=moved(d["duals"], 2, 0)), "pattern"),
        (lambda d: d.update(ratio="2"), "not private"),
        (lambda d: d.update(ratio="4"), "pattern"),
        (lambda d: d.update(ratio="1"), "above 1"),
        (lambda d: d.update(measure="chi-squared"), "pattern"),
        (lambda d: d.update(measure=["chi-squared"]), "none of"),
        (lambda d: d.update(laws=[]), "laws"),
        (lambda d: d.update(laws=d["laws"] * 3), "laws"),
        (lambda d: d["laws"][0].__setitem__(0, "1"), "laws"),
        (lambda d: d.update(laws=[["-1", "1", "1"]]), "laws"),
        (lambda d: d["channel"][0].__setitem__(0, "1"), "distribution"),
        (lambda d: d["channel"].pop(), "in place of"),
        (lambda d: d["duals"].pop(), "in place of"),
        (lambda d: d["duals"].__setitem__(0, "x"), "not a number"),
        (lambda d: d["inputs"].__setitem__(0, d["inputs"][1]), "repeated"),
        (lambda d: d.update(more=1), "keys"),
        (lambda d: d.update(inputs=[str(i) for i in range(257)]), "more than 256"),
        (lambda d: d.update(parts=["2"]), "keys"),
    ],
)
def test_what_does_not_prove_is_rejected(change, said):
    with pytest.raises(checker.RejectedError, match=said):
        sublinear_checker.check_sublinear(changed(certificate(), change))


@pytest.mark.parametrize(
    ("groups", "parts", "said"),
    [
        (["012"], ["1/2"], "not at 1 to"),
        (["012"], ["x"], "not a number"),
        (["012"], [True], "not a number"),
        (["012"], "2", "not a list"),
        (["012"], [], "in none"),
        (["012"], [["0", "1"]], "in none"),
        (["012"], [["0", "3"]], "nothing to split"),
        (["012"], [["1", "1"]], "nothing to split"),
        (["012"], [["0", "1"], ["0", "1"]], "nothing to split"),
        (["012"], [["0"]], "neither"),
        (["012"], [["0", "-1"]], "index"),
        (["012"], [["0", 1]], "index"),
        (["01", "12"], ["2"], "each label in one"),
        (["012", ""], ["2"], "each label in one"),
        (["01"], ["2"], "each label in one"),
        (["01x"], ["2"], "index"),
        (["012"], ["2"] * 2049, "more than 2048"),
    ],
)
def test_parts_that_do_not_hold_every_pattern_are_rejected(groups, parts, said):
    data = changed(certificate(), lambda d: d.update(groups=[list(group) for group in groups], parts=parts))
    with pytest.raises(checker.RejectedError, match=said):
        sublinear_checker.check_sublinear(data)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("shares", [[1] * 18, [*range(1, 19)]])
def test_more_labels_than_the_checker_looks_at_have_a_bound_that_it_repeats(measure, shares):
    """By tangents of parts of the patterns; smaller duals prove nothing."""
    found = information(law(shares), PrivacyLevel.from_ratio(F(5, 2)), measure).solve()
    text = sublinear_certificate(found)
    proof = sublinear_checker.check_sublinear(checker.parse(text))
    assert (proof.lower, proof.upper) == (found.value, found.bound)
    assert "parts" in json.loads(text)
    patterns = np.random.default_rng(3).random((2000, 18)) < 0.5
    pi = np.array([float(F(v)) for v in json.loads(text)["duals"]])
    assert (np.where(patterns, 2.5, 1.0) @ pi >= found.program.worth(patterns) - 1e-12).all()

    def smaller(data):
        data["duals"] = [str(F(v) - F(1, 10**4)) for v in data["duals"]]

    with pytest.raises(checker.RejectedError, match="may be worth more than its duals"):
        sublinear_checker.check_sublinear(changed(text, smaller))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "shares", [[2700, *range(1, 25)], [1000 + 37 * i % 101 for i in range(19)], [3**i for i in range(20)]]
)
def test_many_labels_leave_no_wide_gap(measure, shares):
    """A label with most of the mass, shares that are nearly equal, and falling ones: one tangent for all patterns left up to 384 %."""
    for ratio in (F(3, 2), F(30)):
        found = information(law(shares), PrivacyLevel.from_ratio(ratio), measure).solve()
        assert 0 <= found.gap < found.value / 500
        assert checker.parse(sublinear_certificate(found))["upper"] == str(found.bound)


def test_what_the_checker_cannot_look_at_is_refused():
    """Many labels need parts or chords; a tangent elsewhere, or what is left out, proves nothing."""
    laws = [law(range(1, 18)), law(range(17, 0, -1))]
    text = sublinear_certificate(information(laws[0], 1.0).solve())
    for change, said in (
        (lambda d: (d.pop("groups"), d.pop("parts")), "more than 16 labels"),
        (lambda d: d.update(parts=[d["ratio"]]), "may be worth more than its duals"),
        (lambda d: d["parts"].pop(), "in none"),
        (lambda d: d["parts"].append("2"), "more than there are"),
        (lambda d: d.update(laws=[*d["laws"], d["laws"][0]], lower="0"), "for two laws"),
        (lambda d: (d.pop("groups"), d.pop("parts"), d.update(chords=["1"])), "for one law"),
        (lambda d: d.update(chords=["1"]), "with the keys"),
    ):
        with pytest.raises(checker.RejectedError, match=said):
            sublinear_checker.check_sublinear(changed(text, change))


@pytest.mark.parametrize("measure", MEASURES)
def test_divergences_of_more_labels_than_are_looked_at_are_certified_by_chords(measure):
    """Within the optimum over shares of two classes; other chords, and smaller duals, prove nothing."""
    laws, ratio = [law([3] * 9 + [1] * 9), law([1] * 9 + [3] * 9)], F(5, 2)
    found = divergence(*laws, PrivacyLevel.from_ratio(ratio), measure).solve()
    text = sublinear_certificate(found)
    proof = sublinear_checker.check_sublinear(checker.parse(text))
    assert (proof.lower, proof.upper) == (found.value, found.bound)
    # by symmetry within the classes a pattern is how many of each have t: a program of two rows
    often = np.array(list(product(range(10), repeat=2)))
    rows = 1 + 1.5 * often / 9
    a, b = rows @ [3 / 4, 1 / 4], rows @ [1 / 4, 3 / 4]
    worth = {KL: a * np.log(a / b), CHI: (a - b) ** 2 / b}.get(measure, abs(a - b) / 2)
    best = -linprog(-worth, A_eq=rows.T, b_eq=[1, 1]).fun
    assert float(found.value) <= best * (1 + 1e-9)
    assert best <= float(found.bound) * (1 + 1e-9)
    assert found.gap < found.value / 10**4
    for change, said in (
        (lambda d: d.pop("chords"), "neither parts nor chords"),
        (lambda d: d.update(chords=[]), "may be worth more"),
        (lambda d: d["chords"].append("3"), "not increasing"),
        (lambda d: d["chords"].insert(0, "2/5"), "not increasing"),
        (lambda d: d["chords"].insert(0, "0/0"), "denominator is zero"),
        (lambda d: d.update(chords="1"), "not a list"),
        (lambda d: d.update(chords=["1"] * 2049), "more than 2048"),
        (lambda d: d.update(duals=[str(F(v) - F(1, 10**4)) for v in d["duals"]]), "may be worth more"),
        (lambda d: d.update(laws=d["laws"][:1], lower="0"), "for one law"),
    ):
        with pytest.raises(checker.RejectedError, match=said):
            sublinear_checker.check_sublinear(changed(text, change))


def test_the_total_variation_of_two_laws_has_a_closed_form():
    random, t = np.random.default_rng(1), 100
    first, second = (law(random.integers(1, 1000, 60).tolist()) for _ in range(2))
    found = divergence(first, second, PrivacyLevel.from_ratio(t), TV).solve()
    exact = sum(abs(p - q) for p, q in zip(first, second, strict=True)) / 2 * F(t - 1, t + 1)
    assert float(found.value) == pytest.approx(float(exact), rel=1e-9)
    assert found.bound == exact


@pytest.mark.parametrize("seed", [0, 1])
def test_columns_that_were_dropped_do_not_come_again_for_ever(seed):
    """Where only duals change and not the value, columns were dropped and found again: gaps of up to 96 %."""
    random = np.random.default_rng(seed)
    laws = random.dirichlet(np.full(17, 0.2)), random.dirichlet(np.full(17, 5))
    found = divergence(*laws, PrivacyLevel.from_ratio(100), CHI).solve()
    assert found.gap < found.value / 10**4


def test_the_checker_stands_alone_and_says_the_same_as_the_command(tmp_path):
    (tmp_path / "best.json").write_text(certificate())
    for name in ("checker.py", "sublinear_checker.py"):
        shutil.copy(CERTIFY / name, tmp_path)
    run = [sys.executable, "-S", "sublinear_checker.py", "best.json"]
    alone = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "the largest mutual information, in nats, of a channel from the 3 labels (0, 1, 2)" in alone.stdout
    assert lpmech("certify", tmp_path / "best.json").stdout == alone.stdout
    (tmp_path / "best.json").write_text("{}")
    refused = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("measure", MEASURES)
def test_ties_of_many_labels_leave_no_gap(measure):
    """13 labels, of which many have the same share: pricing by tangents and neighbours stopped 0.07 % below."""
    given = [law([2, 1, 2, 1, 1, 2, 2, 1, 1, 2, 1, 2, 2]), law([1, 1, 2, 2, 1, 1, 2, 1, 2, 2, 1, 2, 2])]
    for some, ratio in ((given[:1], F(3, 2)), (given[1:], F(4)), (given, F(11, 10))):
        found = program(some, measure, PrivacyLevel.from_ratio(ratio)).solve()
        assert 0 <= found.gap < F(1, 10**40)


def test_rounds_that_run_out_end_with_what_was_found(monkeypatch):
    first, second = law(range(1, 19)), law([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3])
    asked = divergence(first, second, PrivacyLevel.from_ratio(F(3, 2)))
    best = asked.solve()
    monkeypatch.setattr(sublinear, "_ROUNDS", 2)
    found = asked.solve()
    assert 0 < found.value <= best.bound
    assert found.bound >= best.bound


@pytest.mark.parametrize(
    ("utility", "size", "level"),
    [
        ("mutual_information", 4, ("--epsilon", 1)),
        ("chi_squared", 20, ("--ratio", 3)),
        ("total_variation", 3, ("--ratio", "5/2")),
    ],
)
def test_a_design_for_an_information_is_certified_and_released(utility, size, level, tmp_path):
    """From the design to estimates, as any other one; what was changed is refused."""
    (tmp_path / "counts.csv").write_text("label,count\n" + "".join(f"l{i},{i + 1}\n" for i in range(size)))
    (tmp_path / "labels.csv").write_text("label\n" + "l1\n" * 200)
    made = lpmech(
        *("design", "counts.csv", *level, "--utility", utility, "--counts-are", "public", "--output", "made"),
        cwd=tmp_path,
    )
    assert (made.returncode, "gap" in made.stdout) == (0, True)
    certified = lpmech("certify", "made", cwd=tmp_path)
    assert (certified.returncode, "whatever its outputs, has more than" in certified.stdout) == (0, True)
    proof = certify_directory(tmp_path / "made")
    assert 0 <= proof.upper - F(json.loads((tmp_path / "made" / "certificate.json").read_text())["lower"]) < F(1, 500)
    assert abs(proof.value - F(proof.release.certificate["lower"])) < F(1, 10**14)  # rounded to what can be drawn
    told = lpmech(
        "randomize", "labels.csv", "--header", "yes", "--channel", "made", "--output", "released.csv", cwd=tmp_path
    )
    assert told.returncode == 0, told.stderr
    names = set(proof.release.outputs)
    with open(tmp_path / "released.csv", newline="") as file:
        assert {row[0] for row in list(csv.reader(file))[1:]} <= names
    assert lpmech("estimate", "released.csv", "--channel", "made", cwd=tmp_path).returncode == 0
    other = lpmech(
        *("design", "counts.csv", "--epsilon", 2, "--utility", utility, "--counts-are", "public", "--output", "other"),
        cwd=tmp_path,
    )
    assert other.returncode == 0
    release = Release.load(tmp_path / "made")
    swapped = (tmp_path / "other" / "certificate.json").read_bytes()
    (tmp_path / "made" / "certificate.json").write_bytes(swapped)
    files = {**release.files, "certificate.json": hashlib.sha256(swapped).hexdigest()}
    (tmp_path / "made" / "release.json").write_text(replace(release, files=files).to_json())
    refused = lpmech("certify", "made", cwd=tmp_path)
    assert (refused.returncode, "is about another level" in refused.stderr) == (2, True)


def test_private_counts_pay_for_an_information_as_well(tmp_path):
    (tmp_path / "labels.csv").write_text("label\n" + "a\n" * 60 + "b\n" * 30 + "c\n" * 10)
    made = lpmech(
        *("design", "labels.csv", "--column", "label", "--epsilon", 1, "--utility", "mutual_information"),
        *("--counts-are", "private", "--spend", 0.2, "--order", "a,b,c", "--output", "made"),
        cwd=tmp_path,
    )
    assert (made.returncode, "0.2 for noisy counts, 0.8 for the release" in made.stdout) == (0, True)
    proof = certify_directory(tmp_path / "made")
    assert (proof.release.counts, proof.release.epsilon) == ("private", "0.8")


def test_shares_and_levels_at_which_highs_gave_up():
    # columns of 1 and 10^5 as they are stopped HiGHS without an optimum: in multiples of at most 1 it finds it
    prior = [0.16066846212806002, 0.0, 0.16282836251490382, 0.3101474127029752, 0.03905543988411785]
    prior += [0.12868532550306705, 0.06678099435580026, 0.13183400291107586]
    assert information(prior, PrivacyLevel.from_ratio(10**5), "total-variation").solve().gap == 0


def test_the_chi_squared_information_of_a_small_epsilon():
    # (t - 1)^2 / 4 to first order where a half of the shares can be picked out: t + 1 - m - t / m lost it all in floats
    found = information([F(1, 2), F(1, 4), F(1, 4)], 1e-9, "chi-squared").solve()
    assert float(found.value) == pytest.approx(2.5e-19, rel=1e-6)
    assert found.gap == 0
