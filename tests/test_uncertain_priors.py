"""The best channel for the worst prior of a set: against vertices, closed forms, certificates, noise that is drawn."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import PrivacyLevel, optimal_channel
from lpmech.certify import checker, program_checker
from lpmech.certify.certificate import certificate_of_worst_case
from lpmech.certify.program import program_certificate
from lpmech.cli import main
from lpmech.designs.delta_design import design_with_delta
from lpmech.designs.designing import design
from lpmech.designs.metric_design import design_for_metric
from lpmech.errors import CertificateError, PriorError, ProgramError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms.private_histogram import count_noise
from lpmech.priors import prior_from_counts
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.metric import metric_channel
from lpmech.programs.uncertain_priors import PriorSet, prior_of_proof, priors_between, priors_within
from lpmech.release.bought import BoughtCounts
from lpmech.release.design_files import certify_directory
from lpmech.release.private_counts import confidence_set, level_within, noisy
from lpmech.release.record import Release
from lpmech.utilities import absolute, hit


def best_for_worst_prior(utility, epsilon, priors, solver=None):
    return optimal_channel(utility, epsilon, priors=priors).solve(solver)


@st.composite
def sets_of_three(draw):
    centre = prior_from_counts(draw(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)))
    parts = st.lists(st.fractions(0, 1, max_denominator=6), min_size=3, max_size=3)
    low, up = (np.array(draw(parts), dtype=object) for _ in range(2))
    return PriorSet(centre, centre * low, centre + (1 - centre) * up, draw(st.fractions(0, 1, max_denominator=8)))


def vertices(priors):
    """Those of a set on three labels: where two of the lines meet that bound it in the plane of p_0 and p_1."""
    lines = []  # a p_0 + b p_1 <= c
    for y, (a, b, one) in enumerate(
        [(Fraction(1), Fraction(0), 0), (Fraction(0), Fraction(1), 0), (Fraction(-1), Fraction(-1), 1)]
    ):
        lines += [(a, b, priors.high[y] - one), (-a, -b, one - priors.low[y])]
    for signs in product((-1, 1), repeat=3):  # sum_y |p_y - c_y| <= 2 r
        s = [Fraction(sign) for sign in signs]
        limit = 2 * priors.radius + sum(x * c for x, c in zip(s, priors.centre, strict=True))
        lines.append((s[0] - s[2], s[1] - s[2], limit - s[2]))
    found = set()
    for (a, b, c), (d, e, f) in combinations(lines, 2):
        if a * e != b * d:
            x, y = (c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d)
            if all(p * x + q * y <= r for p, q, r in lines):
                found.add((x, y, 1 - x - y))
    return [np.array(point, dtype=object) for point in found]


def by_vertices(utility, ratio, corners, floor=0.0):
    """The optimum by HiGHS in the papers' own form: v <= the expected utility at each corner, q[y, j] <= t q[z, j],
    and q[y, y] >= the floor.
    """
    rows, columns = utility.shape
    at = np.arange(rows * columns).reshape(rows, columns)
    above = []
    for y, z, j in product(range(rows), range(rows), range(columns)):
        if y != z:
            line = np.zeros(rows * columns + 1)
            line[at[y, j]], line[at[z, j]] = 1, -ratio
            above.append(line)
    above += [np.append(-(corner.astype(float)[:, None] * utility).ravel(), 1) for corner in corners]
    equal = np.hstack([np.kron(np.eye(rows), np.ones(columns)), np.zeros((rows, 1))])
    bounds = [(floor if y == j else 0, None) for y, j in np.ndindex(rows, columns)] + [(None, None)]
    cost = np.append(np.zeros(rows * columns), -1)
    return -linprog(cost, np.array(above), np.zeros(len(above)), equal, np.ones(rows), bounds).fun


@settings(max_examples=40)
@given(sets_of_three(), st.lists(st.fractions(-3, 3, max_denominator=4), min_size=3, max_size=3))
def test_the_worst_prior_is_the_worst_vertex_and_its_dual_proves_it(priors, values):
    g = np.array(values, dtype=object)
    worst = priors.worst(g)
    assert sum(worst) == 1
    assert (worst * g).sum() == min((corner * g).sum() for corner in vertices(priors))
    a, b = priors.between(g)
    up, down = (priors.high - priors.centre), (priors.centre - priors.low)
    dual = (priors.centre * g - up * np.maximum(a - g, 0) - down * np.maximum(g - b, 0)).sum() - priors.radius * (b - a)
    assert a <= b
    assert dual == (worst * g).sum()


@settings(max_examples=15)
@given(
    sets_of_three(),
    st.lists(st.integers(-3, 3), min_size=9, max_size=9),
    st.sampled_from([Fraction(3, 2), Fraction(3), Fraction(20)]),
)
def test_the_optimum_is_that_over_all_vertices_exactly_and_in_floats(priors, entries, ratio):
    utility = np.array(entries).reshape(3, 3)
    found = best_for_worst_prior(utility, PrivacyLevel.from_ratio(ratio), priors)
    assert found.value == found.bound  # both are rationals: optimal without any tolerance
    assert found.channel.ratio <= ratio
    expected = by_vertices(utility, float(ratio), vertices(priors))
    assert float(found.value) == pytest.approx(expected, abs=1e-7)
    rounded = best_for_worst_prior(utility, float(np.log(float(ratio))), priors, "float")
    assert abs(float(rounded.value - found.value)) < 1e-7
    assert abs(float(rounded.bound) - float(found.value)) < 1e-7


@settings(max_examples=15)
@given(
    sets_of_three(),
    st.lists(st.integers(-3, 3), min_size=9, max_size=9),
    st.sampled_from([Fraction(3, 2), Fraction(3), Fraction(20)]),
    st.fractions(0, 1, max_denominator=5),
)
def test_beside_a_floor_the_optimum_is_that_over_all_vertices_exactly_and_in_floats(priors, entries, ratio, share):
    # a share of what randomised response has, the largest floor that all labels can keep
    utility, floor = np.array(entries).reshape(3, 3), share * (1 - Fraction(1, 10**6)) * ratio / (ratio + 2)
    program = optimal_channel(utility, PrivacyLevel.from_ratio(ratio), priors=priors)
    found = program.solve("exact", floor)
    assert found.value == found.bound
    assert min(found.prices) >= 0
    assert found.channel.ratio <= ratio
    assert min(found.channel.matrix.diagonal()) >= floor
    expected = by_vertices(utility, float(ratio), vertices(priors), float(floor))
    assert float(found.value) == pytest.approx(expected, abs=1e-7)
    rounded = program.solve("float", floor)
    assert min(rounded.channel.matrix.diagonal()) >= floor
    assert -1e-7 < float(rounded.value - found.value) <= 0
    assert abs(float(rounded.bound - found.value)) < 1e-7  # of duals in floats it is one up to rounding
    for worst in (found, rounded):
        proof = checker.check(certificate_of_worst_case(worst).data)
        paid = sum(worst.prices * worst.channel.matrix.diagonal())
        assert abs(float(proof.lower - paid - found.value)) < 1e-7
        assert abs(float(proof.upper - floor * sum(worst.prices) - found.value)) < 1e-7


@pytest.mark.parametrize("size", [2, 4, 6])
def test_for_hits_randomised_response_is_optimal_where_the_set_contains_the_uniform_prior(size):
    # its labels all have t / (t + K - 1), and under the uniform prior no channel has more
    counts = range(1, size + 1)
    prior = prior_from_counts(list(counts))
    away = sum(max(Fraction(1, size) - p, 0) for p in prior)
    found = best_for_worst_prior(hit(size), PrivacyLevel.from_ratio(5), priors_within(prior, away))
    assert found.value == Fraction(5, 5 + size - 1)
    just_outside = best_for_worst_prior(
        hit(size), PrivacyLevel.from_ratio(Fraction(1001, 1000)), priors_within(prior, away * Fraction(9, 10))
    )
    assert just_outside.value > Fraction(1001, 1000) / (Fraction(1001, 1000) + size - 1)


def test_a_set_of_one_prior_is_the_usual_program_and_a_set_of_all_is_no_better():
    prior, level = [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], PrivacyLevel.from_ratio(3)
    alone = best_for_worst_prior(absolute(3), level, priors_within(prior, 0))
    assert alone.value == optimal_channel(absolute(3), level, prior).solve("exact").value
    values = [best_for_worst_prior(absolute(3), level, priors_within(prior, Fraction(n, 10))).value for n in range(11)]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]


@pytest.mark.parametrize("solver", ["exact", "float"])
def test_the_set_of_priors_is_an_argument_of_optimal_channel(solver):
    near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    names = {"inputs": ["a", "b", "c"], "outputs": ["x", "y", "z"]}
    program = optimal_channel(hit(3), PrivacyLevel.from_ratio(2), priors=near, **names)
    found = program.solve(solver)
    # rows of RRTop-2 keep 2/3 of the two likelier labels, which the worst prior leaves 0.9 - 0.05 of: 17/30
    assert float(found.value) == pytest.approx(17 / 30, abs=1e-9)
    assert (found.channel.inputs, found.channel.outputs) == (("a", "b", "c"), ("x", "y", "z"))
    assert (found.program.inputs, found.program.outputs) == (("a", "b", "c"), ("x", "y", "z"))


LIMITED = {
    "delta": lambda utility, level, **given: approximate_channel(utility, level, Fraction(1, 20), **given),
    "line": lambda utility, level, **given: metric_channel(utility, level, "line", **given),
}


@pytest.mark.parametrize("kind", LIMITED)
@settings(max_examples=12)
@given(sets_of_three(), st.lists(st.integers(-3, 3), min_size=9, max_size=9), st.sampled_from([1, 10**6]))
def test_channels_limited_by_delta_or_a_metric_are_best_for_the_worst_prior(kind, priors, entries, unit):
    # minimax: the channel has the value under its own worst prior, and no channel has more under the prior of the proof
    utility, level = unit * np.array(entries).reshape(3, 3), PrivacyLevel.from_ratio(3)
    found = LIMITED[kind](utility, level, priors=priors).solve("exact")
    prior = prior_of_proof(found, priors)
    assert found.value == found.bound == priors.least(utility, found.channel.matrix)
    assert found.bound == LIMITED[kind](utility, level, prior=prior).solve("exact").value
    assert (priors.nearest(prior) == prior).all()  # it is in the set
    rounded = LIMITED[kind](utility, level, priors=priors).solve("float")
    assert rounded.value <= found.value <= rounded.bound
    prior = prior_of_proof(rounded, priors)
    assert (priors.nearest(prior) == prior).all()
    assert rounded.value == priors.least(utility, rounded.channel.matrix)


def test_a_small_delta_and_the_metric_of_the_usual_privacy_change_little():
    near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    level = PrivacyLevel.from_ratio(2)
    for program in (
        approximate_channel(hit(3), level, 0, priors=near),
        metric_channel(hit(3), level, "discrete", priors=near),
    ):
        assert program.solve().value == Fraction(17, 30)  # as above


@pytest.mark.parametrize(
    ("beside", "argument"),
    [({"prior": [0.5, 0.5]}, "prior"), ({"fixed": {(0, 0): 0.5}}, "fixed"), ({"allowed": [0]}, "allowed")],
)
def test_what_does_not_go_with_a_set_of_priors_is_named(beside, argument):
    with pytest.raises(ProgramError) as caught:
        optimal_channel(hit(2), 1.0, priors=priors_within([0.5, 0.5], 0), **beside)
    assert caught.value.argument == argument


def certificate(exact=True):
    level = PrivacyLevel.from_ratio(3) if exact else 1.0
    found = best_for_worst_prior(
        absolute(3), level, priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    )
    return certificate_of_worst_case(found, {"utility": "absolute"})


def test_the_standalone_checker_reads_the_certificate():
    exact, rounded = certificate(), certificate(exact=False)
    assert exact.lower == exact.upper
    assert "worst prior" in str(exact.proof())
    assert 0 <= rounded.upper - rounded.lower < Fraction(1, 10**9)
    again = checker.check(checker.parse(rounded.to_json()))
    assert again.worst
    assert again.upper == rounded.upper


def limited_certificate(kind="delta"):
    near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    return program_certificate(LIMITED[kind](absolute(3), PrivacyLevel.from_ratio(3), priors=near).solve())


@pytest.mark.parametrize("kind", LIMITED)
def test_the_checker_of_programs_reads_the_set_of_priors(kind):
    proof = program_checker.check_program(checker.parse(limited_certificate(kind)))
    assert proof.lower == proof.upper
    assert "under the worst prior of the set" in str(proof)


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("centre", ["1/2", "3/10", "1/10"], "no prior between limits"),  # sum 9/10
        ("centre", ["6/5", "-3/10", "1/10"], "no prior between limits"),
        ("low", ["7/10", "0", "0"], "no prior between limits"),
        ("radius", "-1/20", "negative radius"),
        ("radius", "1/10", "does not attain the lower value"),  # rho costs more: a larger set is worse
        ("radius", "1/40", "the dual constraint"),  # a smaller set is better
        ("centre", ["1/10", "3/10", "6/10"], "dual constraint"),
        ("high", ["1", "1"], "3"),
        ("wrong", [], "not an object"),
    ],
)
def test_a_changed_set_in_a_certificate_of_a_program_is_rejected(key, value, complaint):
    data = json.loads(limited_certificate())
    data["data"]["priors"][key] = value
    with pytest.raises(checker.RejectedError, match=complaint):
        program_checker.check_program({**data, "seal": checker.seal_of(data)})


def test_priors_beside_a_program_that_has_its_own_prior_are_rejected():
    data = json.loads(limited_certificate())
    data["kind"] = "unbiased"
    data["data"].pop("weights")
    with pytest.raises(checker.RejectedError, match="priors beside data without weights"):
        program_checker.check_program({**data, "seal": checker.seal_of(data)})


def run(arguments):
    """The exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.mark.parametrize("floor", [["--keep-labels"], ["--hit-floor", "0.4"]])
@pytest.mark.parametrize("how", ["within", "private"])
def test_the_command_has_the_worst_case_beside_a_floor(tmp_path, capsys, floor, how):
    labels, place = tmp_path / "labels.csv", tmp_path / "out"
    labels.write_text("label\n" + "a\n" * 60 + "b\n" * 30 + "c\n" * 10)
    private = ["--counts-are", "private", "--spend", "0.5", "--order", "a,b,c", "--confidence", "0.95"]
    shares = private if how == "private" else ["--counts-are", "public", "--prior-within", "0.05"]
    asked = ["design", str(labels), "--column", "label", "--epsilon", "1", *floor, *shares, "--output", str(place)]
    assert run(asked) == 0
    told = capsys.readouterr().out
    assert "the optimum of the worst case lies in" in told
    assert "releases every label as itself with probability" in told
    assert "optimal_for_the_prior" in told
    assert "optimal_without_floor" in told
    assert run(["certify", str(place)]) == 0
    told = capsys.readouterr().out
    assert "the worst one" in told
    assert "that keeps the hit rate" in told
    file = place / "certificate.json"
    data = json.loads(file.read_text())
    assert "expected utility and price of hits, under the worst prior" in str(checker.check(data))
    stated = json.loads((place / "release.json").read_text())["certificate"]
    assert Fraction(stated["upper"]) - Fraction(stated["lower"]) < Fraction(1, 10**8)
    assert stated["prices"] == data["priors"]["prices"]


@pytest.mark.parametrize(
    ("prices", "complaint"),
    [
        (["0", "0", "0"], "not the prior times the utility"),
        (["1", "0"], "2 entries in place of 3"),
        (None, "not the prior times the utility"),
    ],
)
def test_prices_of_hits_that_are_changed_are_rejected(prices, complaint):
    near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    found = optimal_channel(hit(3), PrivacyLevel.from_ratio(3), priors=near).solve("exact", "halfway")
    assert max(found.prices) > 0
    data = certificate_of_worst_case(found).data
    assert checker.check(data).lower == checker.check(data).upper
    sets = {key: value for key, value in data["priors"].items() if key != "prices"}
    changed = {**data, "priors": sets if prices is None else {**sets, "prices": prices}}
    with pytest.raises(checker.RejectedError, match=complaint):
        checker.check({**changed, "seal": checker.seal_of(changed)})


def damage(data, key, value):
    entries = {**data["priors"], key: value} if key in data["priors"] else data["priors"]
    changed = {**data, **({} if key in data["priors"] else {key: value}), "priors": entries}
    return {**changed, "seal": checker.seal_of(changed)}


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("radius", "0", "not within the radius"),
        ("radius", "1/4", "less than the lower value"),
        ("between", ["1", "0"], "between does not rise"),
        ("between", ["-1/2", "1/2"], "less than the lower value"),
        ("low", ["1", "0", "0"], "no prior between the limits"),
        ("prior", ["1/3", "1/3", "1/3"], "not within the radius"),
        ("prior", ["6/10", "3/10", "1/10"], "not the prior times the utility"),
        ("centre", ["6/10", "3/10", "2/10"], "no prior between the limits"),
        ("utility", [["0"] * 3] * 3, "not the prior times the utility"),
        ("lower", "0", "the channel does not attain the lower value"),
        ("high", ["1", "1"], "2 entries in place of 3"),
    ],
)
def test_a_damaged_certificate_is_rejected_though_sealed_again(key, value, complaint):
    with pytest.raises(checker.RejectedError, match=complaint):
        checker.check(damage(certificate().data, key, value))


def test_a_certificate_of_the_worst_case_does_not_pass_for_that_of_its_one_prior_with_more():
    data = certificate().data  # the usual program at the worst prior has this optimum, too
    without = {key: value for key, value in data.items() if key not in ("priors", "seal")}
    assert checker.check({**without, "seal": checker.seal_of(without)}).upper == certificate().upper


@pytest.mark.thorough
def test_noise_is_covered_with_the_probability_asked_for_and_not_by_much_more():
    spend, counts = "0.2", LabelCounts(("a", "b", "c"), (500, 300, 200))
    # seen from the law itself: with scale 2 / 0.2 = 10 each of three samples within a with probability c, c^3 >= 0.9
    priors = confidence_set(BoughtCounts(counts.counts, 1000), spend, Fraction(9, 10))
    error = int((priors.high[0] - Fraction(1, 2)) * 1000)
    noise = count_noise(level_within(spend))
    inside = [float(noise.probability(range(-a, a + 1)).sum()) ** 3 for a in (error - 1, error)]
    assert inside[0] < 0.9 <= inside[1]
    truth = np.array([Fraction(c, 1000) for c in counts.counts], dtype=object)
    held = 0
    for seed in range(300):
        found = confidence_set(noisy(counts, spend, seed), spend, Fraction(9, 10))
        held += bool(np.all(found.low <= truth) and np.all(truth <= found.high))
    assert 300 * inside[1] - 4 * np.sqrt(300 * 0.9 * 0.1) <= held <= 300 * inside[1] + 4 * np.sqrt(300 * 0.9 * 0.1)


def test_noise_far_from_all_shares_is_given_more_room():
    priors = confidence_set(BoughtCounts((500, 500), 100), "1", Fraction(1, 2))
    assert sum(priors.low) <= 1 <= sum(priors.high)


def test_designs_are_the_same_under_other_names_and_orders():
    shares = {"a": 50, "b": 30, "c": 15, "d": 5, "e": 5}
    order = ["d", "a", "e", "c", "b"]
    first = design(shares, 1.0, "hit", priors=priors_within(prior_from_counts(list(shares.values())), Fraction(1, 20)))
    turned = {name: shares[name] for name in order}
    again = design(turned, 1.0, "hit", priors=priors_within(prior_from_counts(list(turned.values())), Fraction(1, 20)))
    at = [order.index(name) for name in shares]
    assert np.array_equal(again.optimum.channel.matrix[np.ix_(at, at)], first.optimum.channel.matrix)
    assert first.optimum.channel.matrix[3, 3] == first.optimum.channel.matrix[4, 4]
    assert [c.mechanism for c in first.comparisons[:2]] == ["optimal", "optimal_for_the_prior"]
    assert first.interval[1] < first.comparisons[1].expected_utility


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: priors_within([0.5, 0.5], 1.5), "prior_within"),
        (lambda: priors_within([0.5, 0.5], "near"), "prior_within"),
        (lambda: priors_between([0, 0.5], [0.3, 0.5]), "low"),
        (lambda: priors_between([0.6, 0], [0.5, 1]), "low"),
        (lambda: priors_between([0, 0], [1, 1, 1]), "high"),
        (lambda: confidence_set(BoughtCounts((1, 1), 2), "1", 1), "confidence"),
        (lambda: confidence_set(BoughtCounts((1, 1), 0), "1", Fraction(1, 2)), "confidence"),
        (lambda: best_for_worst_prior(hit(3), 1.0, priors_within([0.5, 0.5], 0)), "priors"),
        (lambda: approximate_channel(hit(3), 1.0, 0, priors=priors_within([0.5, 0.5], 0)), "priors"),
        (lambda: metric_channel(hit(3), 1.0, "line", priors=priors_within([0.5, 0.5], 0)), "priors"),
    ],
)
def test_sets_that_are_none_are_refused(make, argument):
    with pytest.raises(PriorError) as caught:
        make()
    assert caught.value.argument == argument


def test_programs_that_are_too_large_or_not_exact_are_refused_before_any_work():
    with pytest.raises(ProgramError, match="at most 4500, so 45 labels"):
        best_for_worst_prior(hit(47), PrivacyLevel.from_ratio(3), priors_within([Fraction(1, 47)] * 47, 0), "exact")
    with pytest.raises(ProgramError, match="at most 22500"):
        best_for_worst_prior(hit(151), 1.0, priors_within([Fraction(1, 151)] * 151, 0))
    with pytest.raises(ProgramError, match="exact level"):
        best_for_worst_prior(hit(3), 1.0, priors_within([Fraction(1, 3)] * 3, 0), "exact")
    with pytest.raises(ProgramError, match="hit_floor"):  # randomised response has 0.731
        design({"a": 2, "b": 1}, 1.0, hit_floor=0.74, priors=priors_within([Fraction(2, 3), Fraction(1, 3)], 0))
    with pytest.raises(ProgramError, match="no floor where outputs are not the labels"):
        optimal_channel([[1, 0, 2]] * 2, 1.0, priors=priors_within([0.5, 0.5], 0)).solve(hit_floor=0)


def test_the_command_writes_what_certify_accepts_and_a_changed_set_is_refused(tmp_path, capsys):
    counts, limits = tmp_path / "counts.csv", tmp_path / "limits.csv"
    counts.write_text("label,count\na,50\nb,30\nc,20\n")
    limits.write_text("label,low,high\nb,0.2,0.5\na,0.3,0.6\nc,0,1/4\n")
    for name, options in (("one", ["--prior-within", "0.05"]), ("two", ["--prior-limits", str(limits)])):
        place = tmp_path / name
        assert (
            run(["design", str(counts), "--ratio", "3/2", "--counts-are", "public", *options, "--output", str(place)])
            == 0
        )
        assert "under the worst prior" in capsys.readouterr().out
        assert run(["certify", str(place)]) == 0
        assert "the worst one" in capsys.readouterr().out
        # what is certified is the worst case, and the page does not say more
        assert "larger expected utility under the worst of the priors" in (place / "design.html").read_text()
    release = Release.load(tmp_path / "one")
    wider = replace(release, certificate={**release.certificate, "priors": ["within", "1/10"]})
    (tmp_path / "one" / "release.json").write_text(wider.to_json())
    with pytest.raises(CertificateError, match="another set of priors"):
        certify_directory(tmp_path / "one")


@pytest.mark.parametrize("kind", ["metric", "delta"])
def test_a_design_for_a_metric_or_with_delta_is_the_best_for_the_worst_prior(kind):
    """By the minimax theorem, both ways: its own worst case, and the usual optimum for the prior of the proof."""
    counts, level = LabelCounts(tuple("abcd"), (7, 4, 2, 1), "given"), PrivacyLevel.from_ratio(Fraction(5, 2))
    gain, priors = absolute(4), priors_within(counts.prior, Fraction(1, 8))
    if kind == "metric":
        found = design_for_metric(counts, level, "line", gain, priors)
        usual = metric_channel(gain, level, "line", prior_of_proof(found.solution, priors))
    else:
        found = design_with_delta(counts, level, Fraction(1, 20), gain, priors)
        usual = approximate_channel(gain, level, Fraction(1, 20), prior_of_proof(found.solution, priors))
        assert found.closed_form is None
        low, high = (
            found.as_useful
        )  # without delta no channel has this worst case at the first level, one at the second
        values = [float(best_for_worst_prior(gain, epsilon, priors).value) for epsilon in (low, high)]
        assert values[0] <= float(found.solution.value) <= values[1]
    assert found.solution.value == found.solution.bound == usual.solve().value
    assert priors.least(gain, found.solution.channel.matrix) == found.solution.value
    assert [entry.mechanism for entry in found.comparisons[:2]] == ["optimal", "optimal_for_the_prior"]
    alone = found.comparisons[1].channel.matrix
    assert found.comparisons[1].loss_percent == 0
    assert priors.least(gain, alone) <= found.solution.value


@pytest.mark.parametrize("other", [["--metric", "line"], ["--delta", "0.02"]])
def test_the_command_has_the_worst_case_beside_a_metric_and_a_delta(tmp_path, capsys, other):
    counts, limits, place = tmp_path / "counts.csv", tmp_path / "limits.csv", tmp_path / "out"
    counts.write_text("label,count\n1,50\n2,30\n3,20\n")
    limits.write_text("label,low,high\n2,0.2,0.5\n1,0.3,0.6\n3,0,1/4\n")
    asked = ["design", str(counts), "--ratio", "3/2", *other, "--utility", "absolute", "--prior-limits", str(limits)]
    assert run([*asked, "--counts-are", "public", "--output", str(place)]) == 0
    told = capsys.readouterr().out
    assert "the optimum of the worst case lies in" in told
    assert "under the worst prior between the limits given: optimal has" in told
    assert run(["certify", str(place)]) == 0
    assert "under the worst prior of the set that the certificate holds" in capsys.readouterr().out
    assert run([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["priors"] == ["limits", "given"]


def test_private_counts_have_a_set_by_the_noise_that_was_used(tmp_path, capsys):
    labels, place = tmp_path / "labels.csv", tmp_path / "out"
    labels.write_text("label\n" + "a\n" * 60 + "b\n" * 30 + "c\n" * 10)
    bought = ["--counts-are", "private", "--spend", "0.5", "--order", "a,b,c", "--confidence", "0.95"]
    assert run(["design", str(labels), "--column", "label", "--epsilon", "1", *bought, "--output", str(place)]) == 0
    assert "95 % set of the noisy counts" in capsys.readouterr().out
    assert json.loads((place / "release.json").read_text())["certificate"]["priors"] == ["confidence", "19/20"]
    assert run(["certify", str(place)]) == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--prior-within", "2"], "prior_within: got '2'"),
        (["--prior-within", "near"], "prior_within: got 'near'"),
        (["--confidence", "0.9"], "--counts-are private only"),
        (["--prior-within", "0.1", "--confidence", "0.9"], "at most one of these options"),
        (["--prior-within", "0.1", "--utility", "count"], "utility: got 'count'"),
        (["--prior-limits", "missing.csv"], "prior_limits: got 'missing.csv'"),
        (["--prior-within", "0.1", "--utility", "chi_squared"], "without --utility chi_squared"),
        (["--prior-within", "nan", "--metric", "line"], "prior_within: got 'nan'"),
        (["--prior-within", "-0.1", "--delta", "0.1"], "prior_within: got '-0.1'"),
        (
            ["--confidence", "0.9", "--delta", "0.1", "--counts-are", "private", "--spend", "0.2"],
            "confidence: got '0.9'; allowed: this option or value without --delta",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_a_line(tmp_path, capsys, options, complaint):
    counts = tmp_path / "counts.csv"
    counts.write_text("label,count\na,2\nb,1\n")
    assert run(["design", str(counts), "--epsilon", "1", *options]) == 2
    assert complaint in capsys.readouterr().err
