"""Unbiased release of numbers: against HiGHS on the papers' form, closed forms, and what no outputs can do better."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from strategies import priors, ratios

from lpmech import PrivacyLevel
from lpmech.certify import checker
from lpmech.certify.program import program_certificate
from lpmech.certify.program_checker import check_program
from lpmech.designs.unbiased import design_unbiased, rounded_between, spacings, staircase_variance
from lpmech.errors import InvalidInputError, PriorError, ProgramError, SolverError
from lpmech.labels.counts import as_label_counts
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.programs.solvers.unbiased import refined, solve_unbiased
from lpmech.programs.unbiased import (
    UnbiasedProgram,
    debiased,
    dips,
    even_grid,
    least_at_two,
    reach,
    square_errors,
)

_RATIOS = [Fraction(t) for t in ("3/2", "3", "20")]


def at(ratio):
    return PrivacyLevel.from_ratio(ratio)


@st.composite
def programs(draw, largest=4):
    size = draw(st.integers(2, largest))
    numbers = st.fractions(-3, 3, max_denominator=4)
    values = draw(st.lists(numbers, min_size=size, max_size=size, unique=True))
    ratio = draw(ratios)
    low, high = reach(values, ratio)
    more = draw(st.fractions(0, 2, max_denominator=4))
    inner = draw(st.lists(st.fractions(0, 1, max_denominator=12), max_size=6))
    ends = low - more * (high - low), high + more * (high - low)
    grid = sorted({*ends, *(ends[0] + share * (ends[1] - ends[0]) for share in inner)})
    return UnbiasedProgram.of(values, draw(priors(size)), grid, at(ratio))


def pairwise_optimum(values, prior, grid, ratio):
    """HiGHS on the program as papers write it: q[y, j] <= t q[z, j] for all pairs, rows, means."""
    values, prior, grid = (np.asarray(v, dtype=float) for v in (values, prior, grid))
    rows, columns = len(values), len(grid)
    place = np.arange(rows * columns).reshape(rows, columns)
    above = np.zeros((rows * (rows - 1) * columns, rows * columns))
    pairs = [(y, z, j) for y, z, j in product(range(rows), range(rows), range(columns)) if y != z]
    for line, (y, z, j) in zip(above, pairs, strict=True):
        line[place[y, j]], line[place[z, j]] = 1, -float(ratio)
    equal = np.vstack([np.kron(np.eye(rows), np.ones(columns)), np.kron(np.eye(rows), grid)])
    cost = (prior[:, None] * (grid[None, :] - values[:, None]) ** 2).ravel()
    return linprog(cost, above, np.zeros(len(above)), equal, np.concatenate([np.ones(rows), values]))


@settings(max_examples=25)
@given(programs())
def test_the_optimum_is_highs_one_and_its_proof_is_exact(program):
    found = solve_unbiased(program)
    assert found.value == found.bound  # rationals: optimal without any tolerance
    assert found.bias.tolist() == [0] * len(program.values)
    assert found.channel.ratio <= program.level.ratio
    expected = pairwise_optimum(program.values, program.prior, program.grid, program.level.ratio)
    assert float(found.value) == pytest.approx(expected.fun, rel=1e-6, abs=1e-9)
    rounded = solve_unbiased(program, "float")
    assert rounded.value == pytest.approx(float(found.value), rel=1e-6, abs=1e-9)
    assert float(rounded.bound) == pytest.approx(float(found.value), rel=1e-6, abs=1e-9)


@settings(max_examples=25)
@given(programs())
def test_a_basic_solution_releases_at_most_twice_as_many_numbers_as_there_are_labels(program):
    found = solve_unbiased(program)
    assert len(found.outputs) <= 2 * len(program.values)
    assert found.anywhere <= found.value
    values, variances = program.values.tolist(), found.variances.tolist()
    for value, variance in zip(values, variances, strict=True):
        farthest = max(abs(value - other) for other in values)
        assert variance >= least_at_two(farthest, program.level.ratio)


@settings(max_examples=15)
@given(programs(), ratios)
def test_the_variance_falls_with_epsilon(program, ratio):
    assume(ratio > program.level.ratio)
    looser = UnbiasedProgram(program.values, program.prior, program.grid, at(ratio))
    assert solve_unbiased(looser).value <= solve_unbiased(program).value


@settings(max_examples=15)
@given(programs(3), programs(3))
def test_what_bounds_all_outputs_bounds_those_of_another_grid(program, other):
    points = sorted({*program.grid.tolist(), *other.grid.tolist()})
    finer = UnbiasedProgram(program.values, program.prior, np.array(points, dtype=object), program.level)
    found = solve_unbiased(program)
    assert found.anywhere <= solve_unbiased(finer).value <= found.value


@settings(max_examples=25)
@given(programs(3), st.lists(st.fractions(-2, 2, max_denominator=6), min_size=6, max_size=6))
def test_dips_are_the_least_of_the_dual_constraint(program, numbers):
    size, t = len(program.values), program.level.ratio
    prices, duals = (np.array(part, dtype=object) for part in (numbers[:size], numbers[3 : 3 + size]))

    def constraint(z):
        slack = [
            p * (z - v) ** 2 + b * (z - v) + pi
            for p, v, b, pi in zip(program.prior, program.values, prices, duals, strict=True)
        ]
        return sum(min(c, t * c) for c in slack)

    low, place = min(dips(program, prices, duals))
    assert constraint(place) == low  # attained where it says
    assert all(constraint(place + Fraction(k, 7) ** 3) >= low for k in range(-30, 31))


@pytest.mark.parametrize("ratio", _RATIOS)
@pytest.mark.parametrize("prior", [[Fraction(1, 2)] * 2, [Fraction(9, 10), Fraction(1, 10)]])
def test_on_two_labels_it_is_randomised_response_debiased(ratio, prior):
    # q = t/(t+1): z_1 = v_1 + d/(t-1), z_0 = v_0 - d/(t-1); variance (v_0 - z_0)(z_1 - v_0) = d/(t-1) * d t/(t-1)
    program = UnbiasedProgram.of([2, 5], prior, even_grid([2, 5], at(ratio), 9), at(ratio))
    found = solve_unbiased(program)
    assert found.outputs == [2 - 3 / (ratio - 1), 5 + 3 / (ratio - 1)] == debiased([2, 5], ratio).tolist()
    assert found.value == 9 * ratio / (ratio - 1) ** 2 == least_at_two(3, ratio)
    rr = randomized_response(2, at(ratio)).matrix
    assert found.channel.matrix[:, [0, -1]].tolist() == rr.tolist()
    assert solve_unbiased(refined(program).program).outputs == found.outputs  # no other outputs are better


def test_three_labels_by_hand():
    # t = 3, values 0, 1, 2, prior 1/10, 8/10, 1/10, outputs -3/2, 1, 7/2: randomised response on the two outer ones
    # beside 1; q(1 | 1) = 3/5, q(+-) = 1/5 each, so the mean is 1 and the variance 2/5 * 25/4 = 5/2; row 0 is
    # (3/5, 1/5, 1/5): mean -9/10 + 1/5 + 7/10 = 0, variance 3/5 * 9/4 + 1/5 + 1/5 * 49/4 = 4; 8/10 * 5/2 + 2/10 * 4
    values, prior = [0, 1, 2], [Fraction(1, 10), Fraction(8, 10), Fraction(1, 10)]
    grid = [Fraction(k, 2) for k in range(-6, 11)]
    found = solve_unbiased(UnbiasedProgram.of(values, prior, grid, at(3)))
    assert found.value == Fraction(28, 10)
    assert found.variances.tolist() == [4, Fraction(5, 2), 4]
    assert found.outputs == [Fraction(-3, 2), 1, Fraction(7, 2)]


@settings(max_examples=15)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=4, unique=True), ratios, st.integers(0, 5))
def test_the_reach_is_what_it_takes(values, ratio, inner):
    low, high = reach(values, ratio)
    grid = [low, *(low + (high - low) * Fraction(k + 1, inner + 1) for k in range(inner)), high]
    prior = [Fraction(1, len(values))] * len(values)
    found = solve_unbiased(UnbiasedProgram.of(values, prior, grid, at(ratio)))
    assert found.outputs == [low, high]  # at the reach itself nothing between can be released
    assert found.variances.tolist() == [(high - v) * (v - low) for v in values]
    nearer = [low + (high - low) / 1000, *grid[1:]]
    with pytest.raises(InvalidInputError, match="no private channel") as refused:
        UnbiasedProgram.of(values, prior, sorted(nearer), at(ratio))
    assert refused.value.argument == "grid"
    assert pairwise_optimum(values, prior, sorted(nearer), ratio).status == 2  # HiGHS: infeasible


@pytest.mark.parametrize(("size", "ratio"), [(3, 3), (4, 2), (5, 20)])
def test_refined_outputs_come_near_to_what_no_outputs_exceed(size, ratio):
    values, prior = list(range(size)), [Fraction(1, size)] * size
    near = refined(UnbiasedProgram.of(values, prior, even_grid(values, at(ratio), 9), at(ratio)), 1e-3)
    found = solve_unbiased(near.program)
    assert float(near.anywhere) >= (1 - 2e-3) * float(found.value)
    # a grid that is thirty times as fine as the labels is no better than it may be
    finer = sorted({*even_grid(values, at(ratio), 30 * size).tolist()})
    fine = pairwise_optimum(values, prior, finer, ratio).fun
    assert float(near.anywhere) <= fine + 1e-9
    assert float(found.value) <= fine * (1 + 2e-3)


def test_debiased_randomised_response_is_unbiased_and_never_better():
    values, prior = [0, 1, 5], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    for ratio in _RATIOS:
        outputs = debiased(values, ratio)
        rows = randomized_response(3, at(ratio)).matrix
        assert rows.dot(outputs).tolist() == values
        numbers, shares = np.array(values, dtype=object), np.array([Fraction(p) for p in prior])
        variance = (shares[:, None] * rows * square_errors(numbers, outputs)).sum()
        found = solve_unbiased(UnbiasedProgram.of(values, prior, sorted(outputs.tolist()), at(ratio)))
        assert found.value <= variance


def test_a_float_level_is_solved_at_the_rational_just_below():
    level = PrivacyLevel.from_epsilon(1.0)
    values = [0, 1, 2]
    found = solve_unbiased(UnbiasedProgram.of(values, [1 / 4, 1 / 2, 1 / 4], even_grid(values, level, 12), level))
    assert found.value == found.bound
    assert found.bias.tolist() == [0, 0, 0]
    assert found.channel.ratio <= level.ratio_below


@pytest.mark.parametrize(
    ("values", "prior", "grid", "argument", "error"),
    [
        ([1, 1], [1, 1], [-5, 5], "values", InvalidInputError),
        ([1], [1], [-5, 5], "values", InvalidInputError),
        ([0, 1], [1 / 2, 1 / 3], [-5, 5], "prior", PriorError),
        ([0, 1], [1 / 2, 1 / 2], [5, -5], "grid", InvalidInputError),
        ([0, 1], [1 / 2, 1 / 2], [], "grid", InvalidInputError),
        ([0, "a"], [1 / 2, 1 / 2], [-5, 5], "values", InvalidInputError),
        ([0, 1], [1 / 2, 1 / 2], [0, 1], "grid", InvalidInputError),
    ],
)
def test_bad_input_is_refused(values, prior, grid, argument, error):
    with pytest.raises(error) as refused:
        UnbiasedProgram.of(values, prior, grid, at(3))
    assert refused.value.argument == argument


def test_what_is_too_large_or_unknown_is_refused():
    values = list(range(100))
    program = UnbiasedProgram.of(values, [Fraction(1, 100)] * 100, even_grid(values, at(3), 101), at(3))
    with pytest.raises(ProgramError, match="at most 10000"):
        solve_unbiased(program)
    with pytest.raises(ProgramError, match="'exact' or 'float'"):
        solve_unbiased(program, "simplex")


# ---- certificates, and what is drawn


def certified(ratio=Fraction(3)):
    program = UnbiasedProgram.of([0, 1, 2], [0.25, 0.5, 0.25], even_grid([0, 1, 2], at(ratio), 8), at(ratio))
    return program_certificate(solve_unbiased(program).linear())


@settings(max_examples=10)
@given(programs(3))
def test_the_checker_proves_the_optimum_from_the_data_alone(program):
    found = solve_unbiased(program)
    proof = check_program(checker.parse(program_certificate(found.linear())))
    assert proof.lower == proof.upper == -found.value


@pytest.mark.parametrize(
    ("key", "entry", "message"),
    [
        ("values", ["0", "1", "3"], "the mean of row 2"),
        ("values", ["0", "1"], "values"),
        ("prior", ["1/4", "1/2", "1/2"], "no distribution"),
        ("prior", ["1/2", "3/4", "-1/4"], "no distribution"),
        ("ratio", "2", "against t times the floor"),
        ("ratio", "1", "not above 1"),
        ("ratio", "4", "dual constraint"),
        ("grid", ["0"] * 8, "the mean of row"),
    ],
)
def test_the_checker_refuses_data_of_another_program(key, entry, message):
    data = checker.parse(certified())
    data["data"][key] = entry
    data["seal"] = checker.seal_of(data)
    with pytest.raises(checker.RejectedError, match=message):
        check_program(data)


@pytest.mark.parametrize("key", ["channel", "duals", "slacks", "lower", "upper"])
def test_the_checker_refuses_numbers_that_prove_nothing(key):
    def damaged(value):
        return [damaged(value[0]), *value[1:]] if isinstance(value, list) else str(Fraction(value) - Fraction(1, 7))

    data = checker.parse(certified())
    data[key] = str(Fraction(data[key]) + Fraction(1, 7)) if key == "lower" else damaged(data[key])
    data["seal"] = checker.seal_of(data)
    with pytest.raises(checker.RejectedError):
        check_program(data)


def test_a_channel_of_floats_has_no_certificate():
    program = UnbiasedProgram.of([0, 1], [0.5, 0.5], [-2, 0, 3], at(3))
    with pytest.raises(SolverError, match="exact"):
        solve_unbiased(program, "float").linear()


@settings(max_examples=10)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5, unique=True), st.floats(0.2, 4))
def test_what_is_drawn_is_exactly_unbiased_and_private_and_nearly_the_best(values, epsilon):
    level = PrivacyLevel.from_epsilon(round(epsilon, 3))
    counts = {str(v): 1 + i for i, v in enumerate(sorted(values))}
    found = design_unbiased(counts, level)
    channel, best = found.channel, found.best
    assert channel.matrix.dot([Fraction(z) for z in channel.outputs]).tolist() == [Fraction(v) for v in channel.inputs]
    assert channel.ratio <= level.ratio_below
    assert channel.sample(channel.inputs).shape == (len(values),)  # a common denominator of at most 2^62
    assert best.bound <= best.value <= best.bound * (1 + Fraction(1, 10**6))
    assert found.anywhere <= best.value <= found.anywhere * (1 + Fraction(1, 500))
    assert all(row.variance >= float(found.anywhere) * (1 - 1e-9) for row in found.comparisons)


@pytest.mark.parametrize(
    ("counts", "epsilon"),
    [
        ({"-50": 0, "-24": 0, "49": 1, "-23": 1}, 11.932),  # probabilities of 1e-9: the rounding needs more room
        ({"-12/25": 100, "77/23": 1, "67/6": 5}, 0.084),  # a lattice of 1/3450 beside decimals
    ],
)
def test_rounding_takes_the_room_it_needs(counts, epsilon):
    found = design_unbiased(counts, epsilon)
    values = [Fraction(v) for v in counts]
    assert found.channel.matrix.dot([Fraction(z) for z in found.channel.outputs]).tolist() == values
    assert check_program(checker.parse(program_certificate(found.best.linear()))).upper == -found.best.bound


def test_numbers_without_a_coarse_unit_are_refused():
    with pytest.raises(InvalidInputError, match="a coarse unit in common"):
        design_unbiased({"2614094.44586": 1, "0.0123457": 1, "5265.43762": 3, "-0.00033": 1}, 0.348)


def test_a_design_compares_by_hand():
    # t = 3, values 0 and 2: RR debiased d^2 t/(t-1)^2 = 4 * 3/4 = 3; Laplace 2 (2 / ln 3)^2
    found = design_unbiased({"0": 1, "2": 1}, at(3), 1)
    variances = {row.mechanism: row.variance for row in found.comparisons}
    assert found.best.value == 3
    assert variances["RR, debiased"] == pytest.approx(3)
    assert variances["RR on two ends, debiased"] == pytest.approx(3)
    assert variances["Laplace noise"] == pytest.approx(8 / np.log(3) ** 2)
    assert found.channel.outputs == ("-1", "3")
    with pytest.raises(InvalidInputError, match="numbers"):
        design_unbiased({"a": 1, "b": 2}, 1.0)
    for step in (0, -1, Fraction(1, 10**6)):
        with pytest.raises(InvalidInputError, match="step"):
            design_unbiased({"0": 1, "2": 1}, 1.0, step)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_variance_of_staircase_noise_is_the_least_over_its_gamma(epsilon):
    # density a b^k on |x| in [k, k + gamma), a b^(k + 1) on [k + gamma, k + 1), a = (1 - b) / (2 (gamma + b (1 - gamma)))
    b, k = np.exp(-epsilon), np.arange(400)

    def variance(gamma):
        height = (1 - b) / (2 * (gamma + b * (1 - gamma)))
        first = b**k * ((k + gamma) ** 3 - k**3) + b ** (k + 1) * ((k + 1) ** 3 - (k + gamma) ** 3)
        return 2 * height * first.sum() / 3

    least = min(variance(gamma) for gamma in np.linspace(0.001, 0.999, 1999))
    assert staircase_variance(epsilon) == pytest.approx(least, rel=1e-5)


@pytest.mark.parametrize("points", [2, 3, 5])
def test_rounding_at_random_keeps_debiased_rr_unbiased(points):
    # at the points themselves: the variance of debiased RR; between, that of the mixture of both neighbours
    values, level = np.array([Fraction(v) for v in range(0, 9)], dtype=object), at(5)
    found = rounded_between(values, level, points)
    ends = np.linspace(0, 8, points)
    outputs = ends + points * (ends - 4) / 4
    rr = np.where(np.eye(points), 5, 1) / (points + 4)
    for value, variance in zip(range(9), found, strict=True):
        left = min(int(value // (8 / (points - 1))), points - 2)
        share = (value - ends[left]) / (ends[left + 1] - ends[left])
        row = (1 - share) * rr[left] + share * rr[left + 1]
        assert row @ outputs == pytest.approx(value)
        assert variance == pytest.approx(row @ (outputs - value) ** 2)


def test_finer_grids_come_nearer():
    counts = as_label_counts({str(k): 1 + k for k in range(5)})
    least = design_unbiased(counts, 2.0).anywhere
    found = spacings(counts, PrivacyLevel.from_epsilon(2.0), [Fraction(2), Fraction(1), Fraction(1, 2)], least)
    assert [row.variance for row in found] == sorted((row.variance for row in found), reverse=True)
    assert all(row.variance >= float(least) for row in found)
    assert found[-1].above < 0.02 < found[0].above


@pytest.mark.parametrize("values", [["1e200", "-1e200"], ["1e-200", "2e-200"], ["0", "1e-101", "5"]])
def test_values_that_do_not_survive_in_floats_are_refused(values):
    with pytest.raises(InvalidInputError, match="1e100"):
        design_unbiased(dict.fromkeys(map(Fraction, values), 2), 1.0)
