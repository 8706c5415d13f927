"""Programs that branch on t, followed piece by piece."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lpmech.errors import SolverError
from lpmech.prove.tracing import Traced, pieces

T = sp.Symbol("t")


def results(program):
    return [(p.lower, p.upper, sp.cancel(p.result.expression)) for p in pieces(program)]


def test_branches_become_pieces():
    assert results(lambda t: t if t < 3 else 2 / t) == [(1, 3, T), (3, sp.oo, 2 / T)]


def test_irrational_break_points_are_exact():
    # t^2 = 2 at sqrt(2)
    assert results(lambda t: 2 - t**2 if t**2 < 2 else t**2 - 2) == [
        (1, sp.sqrt(2), 2 - T**2),
        (sp.sqrt(2), sp.oo, T**2 - 2),
    ]


def test_min_max_sorted_and_abs_are_followed():
    assert [p.upper for p in pieces(lambda t: max(t, 5))] == [5, sp.oo]
    assert [p.upper for p in pieces(lambda t: sorted([t, 2 + 0 * t, 4 + 0 * t])[1])] == [2, 4, sp.oo]
    assert [p.upper for p in pieces(lambda t: abs(t - 3))] == [3, sp.oo]


def test_arithmetic_from_both_sides_and_with_every_exact_kind():
    (piece,) = pieces(lambda t: sp.Rational(1, 2) * t + Fraction(1, 2) - (1 - t) / 2 + 1 / t - (-t) + (+t) ** -1)
    assert sp.cancel(piece.result.expression - (2 * T + 2 / T)) == 0


def test_truth_is_being_not_zero():
    assert [(p.lower, p.upper) for p in pieces(lambda t: 1 if t - 4 else 0)] == [(1, 4), (4, sp.oo)]


@pytest.mark.parametrize("program", [lambda t: t + 0.5, lambda t: {t}, lambda t: t**0.5, lambda t: int(t)])
def test_what_cannot_be_followed_raises_like_any_number_would(program):
    with pytest.raises(TypeError):
        pieces(program)


def test_endless_branching_is_given_up():
    def program(t):
        n = 2
        while t > n:
            n += 1
        return n

    with pytest.raises(SolverError, match="pieces"):
        pieces(program)


@given(st.lists(st.fractions(2, 30, max_denominator=6), min_size=1, max_size=5, unique=True))
def test_pieces_agree_with_plain_evaluation(levels):
    def program(t):
        return sum((t / (level + t) for level in levels if t > level), 0 * t)

    found = pieces(program)
    assert [p.lower for p in found[1:]] == sorted(levels)
    for point in (Fraction(3, 2), Fraction(17, 7), Fraction(101, 9), Fraction(100)):
        here = next((p for p in found if p.lower < point < p.upper), None)
        if here is not None:
            assert isinstance(here.result, Traced)
            assert here.result.expression.subs(T, sp.Rational(*point.as_integer_ratio())) == program(point)
