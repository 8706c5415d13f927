"""Exact regimes in t = e^epsilon: formulas known by hand, and the exact optimum at many rational t."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy as sp
from flint import fmpq, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import priors, utilities

from lpmech import PrivacyLevel
from lpmech.errors import ProgramError
from lpmech.mechanisms.block_rr import block_rr_program_from_decay
from lpmech.mechanisms.rr_with_prior import lp1, thresholds
from lpmech.programs import Program, optimal_channel
from lpmech.programs.optimality import dual_excess
from lpmech.programs.solvers import parametric
from lpmech.programs.solvers.bases_in_t import solved_in_t
from lpmech.programs.solvers.basis import Basis, float_basis
from lpmech.programs.solvers.parametric import T, _piece_of, _Whole, regimes_of, value_pieces
from lpmech.programs.solvers.polynomial_systems import solve_linear
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.programs.solvers.walking import Stretch, covering
from lpmech.utilities import absolute

F = Fraction
ANY = PrivacyLevel.from_ratio(2)


def rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def test_the_thresholds_of_rr_with_prior_come_out_as_break_points():
    # p = (1/2, 1/3, 1/6): w_1 = 1/2 up to t = 3/2, w_2 = 5t / (6 (t + 1)) up to 4, then w_3 = t / (t + 2)
    prior = [F(1, 2), F(1, 3), F(1, 6)]
    pieces = value_pieces(regimes_of(lp1(prior, ANY)))
    assert [piece[0] for piece in pieces] == [1, *map(rational, thresholds(prior))]
    assert [
        sp.simplify(piece[2] - value)
        for piece, value in zip(pieces, [sp.Rational(1, 2), 5 * T / (6 * T + 6), T / (T + 2)], strict=True)
    ] == [0, 0, 0]


def test_irrational_break_points_are_exact():
    prior = [F(1, 3), F(1, 6), F(1, 6), F(1, 4), F(1, 12)]
    pieces = value_pieces(regimes_of(optimal_channel(absolute(5), ANY, prior)))
    # neighbouring formulas agree exactly at their common end point
    assert any(not piece[0].is_rational for piece in pieces)
    for left, right in pairwise(pieces):
        assert left[1] == right[0]
        assert sp.simplify(left[2].subs(T, left[1]) - right[2].subs(T, left[1])) == 0


@settings(deadline=None, max_examples=15)
@given(st.data())
def test_regimes_agree_with_the_exact_optimum_everywhere(data):
    rows, columns = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 4))
    utility, prior = data.draw(utilities(rows, columns)), data.draw(priors(rows))
    found = regimes_of(optimal_channel(utility, ANY, prior))
    assert found[0].lower == 1
    assert found[-1].upper == sp.oo
    for left, right in pairwise(found):
        assert left.upper == right.lower
    for t in (F(101, 100), F(3, 2), F(2), F(7, 3), F(5), F(17), F(1000)):
        exact = optimal_channel(utility, PrivacyLevel.from_ratio(t), prior).solve("exact").value
        here = [regime for regime in found if regime.contains(rational(t))]
        assert here
        for regime in here:
            assert regime.value.subs(T, rational(t)) == rational(exact)
            assert sum(regime.row_duals).subs(T, rational(t)) == rational(exact)
            channel = regime.channel.subs(T, rational(t))
            assert all(sum(channel.row(y)) == 1 for y in range(rows))
            assert all(max(channel.col(j)) <= rational(t) * min(channel.col(j)) for j in range(columns))


def test_regimes_of_the_block_rr_program():
    # p = (3/4, 1/4), decay 1/2, l = 0: always releasing label 0 is worth 9/8 until randomised response overtakes it:
    # (t + 1/2) / (t + 1) = 9/8 has no solution t > 1, so one regime covers everything
    program = block_rr_program_from_decay([F(3, 4), F(1, 4)], [0], F(1, 2), ANY, 0)
    assert value_pieces(regimes_of(program)) == [(1, sp.oo, sp.Rational(9, 8))]


def test_float_programs_are_refused():
    with pytest.raises(ProgramError, match="exact"):
        regimes_of(Program([[1.0, 0.0], [0.0, 1.0]], 1.0))


def test_many_break_points_against_a_dense_sweep():
    # seven formulas: a missed or misplaced break point shows at one of 120 levels solved in floats
    size = 7
    prior = [F(2 * y + 3, size * (size + 2)) for y in range(size)]
    pieces = value_pieces(regimes_of(optimal_channel(absolute(size), ANY, prior)))
    assert len(pieces) >= 7
    for epsilon in np.linspace(0.02, 6, 120):
        t = float(np.exp(epsilon))
        value = next(float(p[2].subs(T, t)) for p in pieces if float(p[0]) <= t <= float(p[1]))
        assert value == pytest.approx(optimal_channel(absolute(size), epsilon, prior).solve().value, abs=1e-8)


@settings(deadline=None, max_examples=15)
@given(st.data())
def test_the_thresholds_of_the_hit_rate_are_the_regimes_of_the_program(data):
    # the walk from basis to basis knows nothing of ghazi2021, Theorem 3; misses that gain something are in it, too
    size = data.draw(st.integers(2, 4))
    prior = data.draw(priors(size))
    missed = [F(data.draw(st.integers(-2, 2)), 3) for _ in range(size)]
    utility = [[missed[y] + (y == j) for j in range(size)] for y in range(size)]
    program = optimal_channel(utility, ANY, prior)
    quick = value_pieces(regimes_of(program))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parametric, "hit_gains", lambda weights: None)
        walked = value_pieces(regimes_of(program))
    assert [piece[:2] for piece in quick] == [piece[:2] for piece in walked]
    assert all(sp.cancel(a[2] - b[2]) == 0 for a, b in zip(quick, walked, strict=True))


def test_the_hit_rate_of_three_hundred_labels():
    # the channel and the duals of a regime prove its value at a point in it, over the rationals
    counts = np.random.default_rng(0).integers(1, 50, 300).tolist()
    prior = [F(c, sum(counts)) for c in counts]
    found = regimes_of(optimal_channel(np.eye(300, dtype=int), ANY, prior))
    assert (found[0].lower, found[-1].upper) == (1, sp.oo)
    assert all(left.upper == right.lower for left, right in pairwise(found))
    few = found[1]
    t = (few.lower + few.upper) / 2
    level = PrivacyLevel.from_ratio(F(int(t.p), int(t.q)))
    channel, duals, _ = few.proof()

    duals = np.array([dual.at(level.ratio) for dual in duals], dtype=object)
    weights = np.diag(np.array(prior, dtype=object))
    weights[weights == 0] = F(0)
    assert max(dual_excess(weights, level.ratio, duals, {})) <= 0
    assert rational(sum(duals)) == few.value.subs(T, t)
    assert sum(p * channel[y][y].at(level.ratio) for y, p in enumerate(prior)) == sum(duals)


def test_fixed_entries_by_hand():
    # weights 1 on the diagonal, q[0, 0] = 9/10: then q[1, 1] <= min(t / 10, 1 - 9 / (10 t)), which meet at t = 9.
    # With f for 9/10 the optimum is f + t (1 - f) before and f + 1 - f / t after: the dual of f is its slope in f.
    program = Program([[1, 0], [0, 1]], ANY, fixed={(0, 0): F(9, 10)})
    first, second = regimes_of(program)
    assert (first.lower, first.upper, second.lower, second.upper) == (1, 9, 9, sp.oo)
    assert sp.simplify(first.value - (9 + T) / 10) == 0
    assert sp.simplify(second.value - (sp.Rational(19, 10) - 9 / (10 * T))) == 0
    assert sp.simplify(first.fixed_duals[0] - (1 - T)) == 0
    assert sp.simplify(second.fixed_duals[0] - (1 - 1 / T)) == 0
    assert first.channel[0, 0] == second.channel[0, 0] == sp.Rational(9, 10)
    with pytest.raises(ProgramError, match="exact fixed entries"):
        regimes_of(Program([[1, 0], [0, 1]], ANY, fixed={(0, 0): 0.9}))


def test_a_fixed_entry_that_the_optimum_has_anyway_at_one_t_only():
    # randomized response has t / (t + 1) = 2/3 at t = 2, where the walk begins: nothing tells the fixed entry there.
    # As above with f = 2/3: f + t (1 - f) up to t = 2, f + 1 - f / t beyond
    for entry in ((0, 0), (1, 1)):
        first, second = regimes_of(Program([[1, 0], [0, 1]], ANY, fixed={entry: F(2, 3)}))
        assert (first.lower, first.upper, second.lower, second.upper) == (1, 2, 2, sp.oo)
        assert sp.simplify(first.value - (2 + T) / 3) == 0
        assert sp.simplify(second.value - (sp.Rational(5, 3) - 2 / (3 * T))) == 0


@pytest.mark.parametrize("t", [2, 3])
def test_a_basis_that_ignores_a_fixed_entry_is_refused(t):
    # the basis of the program without it: its channel t / (t + 1) has the entry 2/3 at t = 2, but around it not
    basis = float_basis(Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(t)))
    assert _piece_of(_Whole.of(Program([[1, 0], [0, 1]], ANY)), basis, F(t)) is not None
    other = Program([[1, 0], [0, 1]], ANY, fixed={(0, 0): F(2, 3)})
    assert _piece_of(_Whole.of(other), basis, F(t)) is None


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_basis_without_fixed_entries_is_solved_as_any_linear_system(data):
    # the constant matrix, its inverse and the correction against evaluation at whole numbers; any high entries, so that
    # the matrix is singular at c = 0 (two rows alike, a row of none), or the system for every t
    size = data.draw(st.integers(1, 4))
    broken = data.draw(st.lists(st.integers(0, size - 1), max_size=size, unique=True))
    floors = data.draw(st.permutations(range(size)))[: size - len(broken)]
    free = tuple((y, data.draw(st.integers(0, size - 1))) for y in broken)
    high = data.draw(st.lists(st.booleans(), min_size=size**2, max_size=size**2))
    high = np.array(high).reshape(size, size)
    for cell in free:
        high[cell] = False
    weights = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=size**2, max_size=size**2)), dtype=object)
    weights = weights.reshape(size, size)
    basis = Basis(tuple(floors), free, high, tuple(range(size)))

    def solved(solve):
        try:
            return solve()
        except ZeroDivisionError:
            return None

    def in_general():
        at_zero, right, low = basis.system(weights, {}, 0, 1)
        at_one, _, every = basis.system(weights, {}, 1, 1)
        slope = [[b - a for a, b in zip(*rows, strict=True)] for rows in zip(at_zero, at_one, strict=True)]
        sides = [fmpz_poly([a, b - a]) for a, b in zip(low, every, strict=True)]
        turned = [[list(column) for column in zip(*part, strict=True)] for part in (at_zero, slope)]
        return solve_linear(at_zero, slope, [fmpz_poly([v]) for v in right]), solve_linear(*turned, sides)

    if floors:
        assert solved(lambda: solved_in_t(basis, weights)) == solved(in_general)


@settings(max_examples=5, deadline=None)
@given(
    utilities(2, 3), st.fractions(F(1, 4), F(1, 2), max_denominator=8), st.fractions(F(11, 10), 20, max_denominator=10)
)
def test_regimes_with_a_fixed_entry_agree_with_the_exact_optimum(weights, entry, t):
    program = Program(weights, ANY, fixed={(1, 2): entry})
    (regime, *_) = [r for r in regimes_of(program) if r.contains(rational(t))]
    exact = Program(weights, PrivacyLevel.from_ratio(t), fixed={(1, 2): entry}).solve("exact")
    assert regime.value.subs(T, rational(t)) == rational(exact.value)


def test_counts_of_very_different_sizes():
    # in floats no basis verifies here: the rare labels are lost in the tolerances of the solver
    prior = [F(count, 10**18 + 10**9 + 1) for count in (10**18, 1, 10**9)]
    for utility in (absolute(3), [[-abs(a - b) for b in (1, 500_000, 10**6)] for a in (1, 500_000, 10**6)]):
        found = regimes_of(optimal_channel(utility, ANY, prior))
        assert (found[0].lower, found[-1].upper) == (1, sp.oo)
        for regime in found:
            t = F(3, 2) if regime.lower == 1 else F(int(regime.lower) + 1)
            (here, *_) = [r for r in found if r.contains(rational(t))]
            exact = optimal_channel(utility, PrivacyLevel.from_ratio(t), prior).solve("exact").value
            assert here.value.subs(T, rational(t)) == rational(exact)


@settings(max_examples=8, deadline=None)
@given(utilities(3, 3), priors(3), st.none() | st.fractions(F(1, 4), F(1, 2), max_denominator=8))
def test_exact_pivoting_alone_finds_the_same_optimum(utility, prior, entry):
    program = optimal_channel(utility, ANY, prior)
    if entry is not None:
        program = Program(program.weights, ANY, fixed={(1, 2): entry})
    with pytest.MonkeyPatch.context() as patch:
        expected = value_pieces(regimes_of(program))
        patch.setattr(parametric, "_piece_of", lambda *_: None)
        assert value_pieces(regimes_of(program)) == expected


def test_a_walk_finds_no_interval_twice():
    """Catches steps that begin far off at every end and prove again what was found from the end before."""
    ends = [F(1), F(2), *(2 + F(i, 997) for i in range(1, 30)), None]
    exact = [None if end is None else RealRoot.rational(fmpq(end.numerator, end.denominator)) for end in ends]
    found = []

    def near(start: Fraction, _: Fraction) -> Stretch:
        place = max(i for i, end in enumerate(ends[:-1]) if end <= start)
        found.append(place)
        return Stretch(exact[place], exact[place + 1])

    walked = covering(near)
    assert [(piece.lower, piece.upper) for piece in walked] == list(pairwise(exact))
    assert sorted(found) == list(range(len(ends) - 1))
