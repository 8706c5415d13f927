"""Exact optima: against z3's rational optimiser, on programs where the float basis fails, and from wrong guesses."""

from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ratios

from lpmech import PrivacyLevel
from lpmech.errors import ChannelError, InfeasibleProgramError, SolverError
from lpmech.programs import Program, optimal_channel
from lpmech.programs.solvers.basis import float_basis
from lpmech.programs.solvers.exact import extreme_columns, solution_of_basis
from lpmech.programs.solvers.simplex import solve_by_simplex
from lpmech.utilities import absolute

F = Fraction
ENTRIES = st.sampled_from([F(0), F(1, 4), F(1, 3), F(1, 2)])


@st.composite
def programs(draw, ratio=ratios):
    """Small programs with ties, zero rows and, in half of them, one or two fixed entries."""
    rows, columns = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    weights = draw(
        st.lists(st.lists(st.integers(-2, 2), min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    keys = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    fixed = draw(st.one_of(st.just({}), st.dictionaries(keys, ENTRIES, max_size=2)))
    return Program(weights, PrivacyLevel.from_ratio(draw(ratio)), fixed=fixed)


def optimum_by_z3(program: Program) -> Fraction | None:
    """The optimum of the pairwise form over the rationals, by z3; None if infeasible."""
    rows, columns = program.weights.shape
    q = [[z3.Real(f"q_{y}_{j}") for j in range(columns)] for y in range(rows)]
    t = z3.Q(program.level.ratio.numerator, program.level.ratio.denominator)
    solver = z3.Optimize()
    for y in range(rows):
        solver.add(z3.Sum(q[y]) == 1)
        for j in range(columns):
            solver.add(q[y][j] >= 0)
            solver.add(*[q[y][j] <= t * q[other][j] for other in range(rows)])
    for (y, j), value in program.fixed.items():
        solver.add(q[y][j] == z3.Q(value.numerator, value.denominator))
    value = z3.Sum(
        [z3.Q(w.numerator, w.denominator) * q[y][j] for y, row in enumerate(program.weights) for j, w in enumerate(row)]
    )
    handle = solver.maximize(value)
    if solver.check() != z3.sat:
        return None
    return Fraction(str(solver.upper(handle)))


def optimum(solve, program: Program) -> Fraction | None:
    try:
        return solve(program).value
    except InfeasibleProgramError:
        return None


@settings(max_examples=60)
@given(programs())
def test_exact_optimum_is_that_of_z3(program):
    # catches a wrong reduction (column floors, extreme columns) and a wrong verdict on feasibility
    expected = optimum_by_z3(program)
    assert optimum(lambda p: p.solve("exact"), program) == expected
    assert optimum(solve_by_simplex, program) == expected


@settings(max_examples=60)
@given(programs(st.sampled_from([1 + F(1, 10**9), F(10**9), 1 + F(1, 10**15)])))
def test_levels_beyond_floating_point(program):
    # there the float basis is often wrong; exact pivoting must take over
    assert optimum(lambda p: p.solve("exact"), program) == optimum_by_z3(program)


def test_a_program_whose_float_basis_does_not_verify_is_repaired():
    t = 1 + F(1, 10**9)
    weights = [[3, 0], [1, 3], [-3, -1], [1, 2], [-1, 2]]
    program = Program(weights, PrivacyLevel.from_ratio(t), fixed={(0, 0): F(1, 2), (3, 1): F(1, 2)})
    with pytest.raises((ChannelError, SolverError)):
        solution_of_basis(program, float_basis(program))
    repaired = program.solve("exact")
    assert repaired.gap == 0
    assert repaired.statistics["form"] == "extreme columns"


@settings(max_examples=30)
@given(st.data())
def test_any_guess_leads_to_the_optimum(data):
    # a guess only saves pivots; a wrong, short or dependent one must not change the answer
    program = data.draw(programs())
    rows, columns = program.weights.shape
    column = st.tuples(st.integers(0, columns - 1), st.frozensets(st.integers(0, rows - 1)))
    guess = data.draw(st.lists(column, max_size=rows + 2))
    assert optimum(lambda p: solve_by_simplex(p, guess), program) == optimum(solve_by_simplex, program)


def test_an_optimal_guess_needs_no_pivot():
    program = optimal_channel(absolute(6), PrivacyLevel.from_ratio(3))
    solution = solve_by_simplex(program, extreme_columns(program, float_basis(program)))
    assert solution.statistics["pivots"] == 0
    assert solution.value == F(-11, 9)  # of the pairwise form by z3 as well


def test_totally_tied_programs_end():
    # every pivot is degenerate: without the lexicographic rule the method may cycle
    for size in (2, 5, 9):
        program = Program([[1] * size] * size, PrivacyLevel.from_ratio(2))
        assert solve_by_simplex(program).value == size


def test_infeasible_fixed_entries_are_proved_infeasible():
    # column 0 holds 1/2 and 0: no ratio allows it
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(10**6), fixed={(0, 0): F(1, 2), (1, 0): 0})
    with pytest.raises(InfeasibleProgramError, match="fixed"):
        solve_by_simplex(program)


def test_redundant_fixed_entries_keep_an_artificial_column_at_zero():
    # both entries of row 0 are fixed, which makes its row sum redundant
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed={(0, 0): F(1, 2), (0, 1): F(1, 2)})
    # row 1 may move away to (1/4, 3/4), since q[1, 0] >= q[0, 0] / 2: value 1/2 + 3/4
    assert solve_by_simplex(program).value == F(5, 4)
    assert program.solve("exact").value == F(5, 4)
