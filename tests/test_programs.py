"""The general program against independent solvers, its two forms against each other, and its invariants."""

import math
from fractions import Fraction

import numpy as np
import pytest
import qif
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from strategies import levels, priors, utilities

from lpmech import Channel, PrivacyLevel
from lpmech.certify import certificate_of
from lpmech.errors import InfeasibleProgramError, LabelError, ProgramError, SolverError, UtilityError
from lpmech.programs import Program, Solution, optimal_channel
from lpmech.programs.optimality import best_fill, dual_bound, greedy_fill

SOLVERS = ["highs", "highs-pairwise", "clarabel", "clarabel-pairwise"]


def pairwise_by_scipy(weights, ratio: float, fixed=()) -> float:
    """The pairwise program written from its definition for scipy, sharing no code with lpmech."""
    weights = np.array(weights, dtype=float)
    rows, columns = weights.shape
    inequalities = []
    for j in range(columns):
        for y in range(rows):
            for other in range(rows):
                if other != y:
                    line = np.zeros((rows, columns))
                    line[y, j], line[other, j] = 1.0, -ratio
                    inequalities.append(line.ravel())
    equalities = [np.repeat(np.eye(rows)[y], columns) for y in range(rows)]
    right = [1.0] * rows
    for (y, j), value in fixed:
        line = np.zeros((rows, columns))
        line[y, j] = 1.0
        equalities.append(line.ravel())
        right.append(float(value))
    answer = linprog(-weights.ravel(), inequalities or None, [0.0] * len(inequalities) or None, equalities, right)
    assert answer.status == 0
    return -answer.fun


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_exact_optimum_agrees_with_scipy_on_the_pairwise_form(data):
    rows, columns = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 5))
    utility, prior, level = data.draw(utilities(rows, columns)), data.draw(priors(rows)), data.draw(levels)
    program = optimal_channel(utility, level, prior)
    solution = program.solve("exact")
    assert solution.gap == 0
    assert solution.channel.satisfies(level)
    assert float(solution.value) == pytest.approx(pairwise_by_scipy(program.weights, float(level.ratio)), abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_both_forms_and_both_solvers_agree_with_scipy(solver, epsilon):
    # the guard of the column-floor reduction at small K
    rng = np.random.default_rng(5)
    weights = rng.normal(size=(5, 4))
    solution = Program(weights, epsilon).solve(solver)
    assert solution.value == pytest.approx(pairwise_by_scipy(weights, math.exp(epsilon)), abs=1e-6)
    assert solution.channel.epsilon <= epsilon + 1e-7


@pytest.mark.parametrize("solver", [*SOLVERS, "exact"])
def test_fixed_entries_are_honoured_by_every_solver(solver):
    weights = [[3, 1, 0], [0, 2, 1], [1, 1, 1]]
    fixed = {(0, 1): Fraction(1, 4), (2, 0): Fraction(1, 3)}
    program = Program(weights, PrivacyLevel.from_ratio(3), fixed=fixed)
    solution = program.solve(solver)
    assert float(solution.value) == pytest.approx(pairwise_by_scipy(weights, 3.0, fixed.items()), abs=1e-6)
    assert float(solution.channel.matrix[0, 1]) == pytest.approx(0.25, abs=1e-9)


def test_agrees_with_the_quantitative_information_flow_library():
    # qif minimises the prior-weighted loss under the metric epsilon * discrete distance: the same program
    size, epsilon = 6, 1.3
    prior = np.array([0.3, 0.25, 0.2, 0.1, 0.1, 0.05])
    channel = qif.mechanism.d_privacy.min_loss_given_d(
        prior, size, lambda y, other: epsilon * (y != other), lambda y, j: abs(y - j)
    )
    utility = -np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    theirs = float((prior[:, None] * utility * np.array(channel)).sum())
    assert optimal_channel(utility, epsilon, prior).solve().value == pytest.approx(theirs, abs=1e-7)


def test_known_optimum_two_labels():
    # K = 2, uniform prior, hit rate: Warner's randomised response is optimal, t / (t + 1) = 3/4 at t = 3
    solution = optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(3)).solve("exact")
    assert solution.value == Fraction(3, 4)
    assert solution.row_duals.tolist() == [Fraction(3, 8), Fraction(3, 8)]


def test_a_solution_without_its_proof_cannot_be_constructed():
    program = optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(3))
    good = program.solve("exact")
    with pytest.raises(SolverError, match="gap"):
        Solution(program, Channel(good.channel.matrix[:, ::-1]), good.row_duals)
    with pytest.raises(SolverError, match="names"):
        Solution(program, good.channel.post_process({0: 1, 1: 0}), good.row_duals)
    looser = optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(4)).solve("exact").channel
    with pytest.raises(SolverError, match="level"):
        Solution(program, looser, good.row_duals)


def test_a_solution_is_exact_only_if_program_channel_and_duals_are():
    program = optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(3))
    good = program.solve("exact")
    rough = Channel(good.channel.matrix.astype(float))
    assert good.is_exact
    assert not Solution(program, good.channel, good.row_duals.astype(float)).is_exact
    assert not Solution(program, rough, good.row_duals).is_exact


@pytest.mark.parametrize("unit", [1e-30, 1e-9, 1.0, 1e30])
def test_the_gap_that_is_allowed_is_relative_to_the_weights(unit):
    # the constant channel is worth 1/2 of the hits, the optimum 3/4; the optimum's duals are unit 3/8
    program = Program([[unit, 0.0], [0.0, unit]], PrivacyLevel.from_ratio(3))
    with pytest.raises(SolverError, match="gap"):
        Solution(program, Channel([[0.5, 0.5]] * 2), np.array([0.375, 0.375]) * 2 * unit)
    assert Solution(program, Channel([[0.75, 0.25], [0.25, 0.75]]), np.array([0.75, 0.75]) * unit).value > 0


def test_a_program_worth_nothing_has_no_relative_gap():
    solution = optimal_channel([[0, 0], [0, 0]], PrivacyLevel.from_ratio(3)).solve("exact")
    assert (solution.value, solution.bound, solution.relative_gap) == (0, 0, 0)


def test_allowed_outputs_restrict_the_columns():
    utility = [[3, 2, 0], [0, 2, 3]]
    solution = optimal_channel(
        utility, PrivacyLevel.from_ratio(2), outputs=["left", "middle", "right"], allowed=["left", "right"]
    ).solve("exact")
    assert solution.channel.outputs == ("left", "right")
    # Warner at t = 2 on the two outputs: 3 * 2/3
    assert solution.value == 2


@pytest.mark.parametrize("solver", ["highs", "highs-pairwise", "clarabel", "exact"])
def test_contradictory_fixed_entries_are_infeasible(solver):
    # 9/10 against 1/10 in one column is a ratio of 9 > 2
    fixed = {(0, 0): Fraction(9, 10), (1, 0): Fraction(1, 10)}
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed=fixed)
    with pytest.raises(InfeasibleProgramError, match="fixed"):
        program.solve(solver)


def test_bad_programs_are_typed_errors():
    with pytest.raises(UtilityError, match="finite"):
        Program([[math.nan, 1.0]], 1.0)
    with pytest.raises(ProgramError, match="between 0 and 1"):
        Program([[1, 0], [0, 1]], 1.0, fixed={(0, 0): 1.5})
    with pytest.raises(ProgramError, match="pair of the program"):
        Program([[1, 0], [0, 1]], 1.0, fixed={("a", 0): 0.5})
    with pytest.raises(LabelError, match="solver"):
        Program([[1, 0], [0, 1]], 1.0).solve("magic")
    with pytest.raises(LabelError, match="allowed"):
        optimal_channel([[1, 0], [0, 1]], 1.0, allowed=[])
    with pytest.raises(LabelError, match=r"allowed: got \['c'\]"):
        optimal_channel([[1, 0], [0, 1]], 1.0, outputs=["a", "b"], allowed=["a", "c"])
    with pytest.raises(ProgramError, match="exact"):
        Program([[1, 0], [0, 1]], 1.0).solve("exact")


# -- metamorphic properties: what must not change, and what must move the right way -----------------


def optimum(utility, level, prior) -> Fraction:
    return optimal_channel(utility, level, prior).solve("exact").value


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels, st.permutations(range(3)))
def test_relabelling_changes_nothing(utility, prior, level, order):
    shuffled = [[utility[a][b] for b in order] for a in order]
    assert optimum(shuffled, level, [prior[a] for a in order]) == optimum(utility, level, prior)


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels, st.fractions(min_value=0, max_value=1, max_denominator=6))
def test_splitting_a_label_in_two_changes_nothing(utility, prior, level, share):
    split = [*prior[:2], prior[2] * share, prior[2] * (1 - share)]
    assert optimum([*utility, utility[2]], level, split) == optimum(utility, level, prior)


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels)
def test_duplicating_an_output_changes_nothing(utility, prior, level):
    assert optimum([[*row, row[0]] for row in utility], level, prior) == optimum(utility, level, prior)


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels, st.integers(-4, 4), st.integers(1, 5))
def test_shifting_and_scaling_the_utility_shifts_and_scales_the_optimum(utility, prior, level, shift, scale):
    moved = [[scale * u + shift for u in row] for row in utility]
    assert optimum(moved, level, prior) == scale * optimum(utility, level, prior) + shift


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels, st.fractions(min_value=1, max_value=4, max_denominator=5))
def test_a_larger_epsilon_never_hurts(utility, prior, level, factor):
    larger = PrivacyLevel.from_ratio(level.ratio * factor)
    assert optimum(utility, larger, prior) >= optimum(utility, level, prior)


@settings(max_examples=25, deadline=None)
@given(utilities(3, 3), priors(3), levels)
def test_an_extra_output_never_hurts_and_a_constant_release_is_always_available(utility, prior, level):
    best = optimum(utility, level, prior)
    assert optimum([[*row, 0] for row in utility], level, prior) >= best
    assert best >= max(sum(prior[y] * utility[y][j] for y in range(3)) for j in range(3))


@settings(max_examples=40, deadline=None)
@given(utilities(3, 4), levels, st.lists(st.integers(-5, 5), min_size=3, max_size=3))
def test_any_duals_bound_the_optimum(utility, level, duals):
    weights = Program(utility, level).weights
    bound = dual_bound(weights, level.ratio, weights[:, 0] * 0 + np.array(duals, dtype=object) * Fraction(1), {}, {})
    assert bound >= Program(utility, level).solve("exact").value


@settings(max_examples=40, deadline=None)
@given(utilities(3, 4), levels, st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any))
def test_greedy_fill_is_private_and_no_better_than_the_optimum(utility, level, floors):
    program = Program(utility, level)
    floors = np.array([Fraction(v, 10) for v in floors], dtype=object)
    matrix = greedy_fill(program.weights, level.ratio, floors)
    channel = Channel(matrix)
    assert channel.satisfies(level)
    assert program.value(channel) <= program.solve("exact").value


def test_the_best_fill_survives_errors_of_either_end_of_the_columns():
    # an optimum whose minima or maxima are off is found again from the other end; a column that is nearly one is one
    weights, level = np.array([[3, 2, 0], [0, 2, 3], [2, 3, 1]]), PrivacyLevel.from_ratio(1000)
    solution = Program(weights.tolist(), level).solve("exact")
    matrix, t = solution.channel.matrix.astype(float), 1000.0
    low = matrix == matrix.min(axis=0)
    for rough in (np.where(low, matrix + 1e-3, matrix), np.where(low, matrix, matrix * 0.9)):
        assert (weights * best_fill(weights, t, rough)).sum() == pytest.approx(float(solution.value), rel=1e-12)
    t = 1e6
    constant = np.array([[1 - 5e-7, 5e-7]] * 2)
    assert best_fill(np.array([[1.0, 0.0]] * 2), t, constant)[:, 0].min() > 1 - 1e-11
    assert best_fill(np.array([[1.0, 0.0]] * 2), t, np.array([[1 - 2e-6, 2e-6]] * 2))[:, 0].max() < 1 - 1e-6


@pytest.mark.parametrize("power", [400, -400])
def test_exact_weights_beyond_floats_are_solved_exactly(power):
    unit = Fraction(10) ** power
    ordinary = [[3, 1, 0], [0, 2, 1], [1, Fraction(1, 3), -2]]
    level = PrivacyLevel.from_ratio(2)
    solution = Program([[unit * w for w in row] for row in ordinary], level).solve("exact")
    assert solution.value == unit * Program(ordinary, level).solve("exact").value
    certificate = certificate_of(solution)
    assert certificate.lower == certificate.upper == solution.value
