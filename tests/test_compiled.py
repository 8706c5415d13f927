"""Formulas as functions of FLINT's rationals say what the engine's evaluator says, and are undefined where it is."""

import pytest
import sympy as sp
from flint import fmpq

from lpmech.prove.compiled import compiled
from lpmech.prove.evaluate import holds_at
from lpmech.prove.product_search import CandidateTable
from lpmech.prove.products import sides_of

a, b = sp.symbols("a b")
VALUES = tuple(map(sp.Rational, ("-2", "-1/3", "0", "1/2", "1", "3")))
FORMULAS = (
    a + 2 * b < 1,
    a * b >= sp.Rational(1, 3),
    sp.Eq(a**2, b, evaluate=False),
    sp.Ne(a, b),
    sp.Max(a, b, 1) > sp.Min(a, -b),
    sp.Abs(a - b) <= 1,
    sp.Implies(a > 0, b > 0),
    sp.Not(sp.And(a > 0, sp.Or(b > 0, a > b))),
    1 / a > b,
    (a + b) ** -2 * a < 3,
    sp.Or(a > 0, 1 / b > 0, evaluate=False),
    sp.true,
)


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
def test_a_compiled_formula_says_what_the_evaluator_says(formula):
    test = compiled(formula, [a, b])
    for x in VALUES:
        for y in VALUES:
            expected = holds_at(formula, {a: x, b: y})
            try:
                found = test([fmpq(int(v.p), int(v.q)) for v in (x, y)])
            except ZeroDivisionError:  # a part has no value: the evaluator is asked, which knows Kleene's logic
                continue
            assert found == expected, (x, y)


def test_a_pole_raises():
    with pytest.raises(ZeroDivisionError):
        compiled(1 / (a - 1) > 0, [a])([fmpq(1)])


@pytest.mark.parametrize("formula", [sp.sqrt(a) > 1, 2**a > 1, sp.exp(a) > 1, a > sp.sqrt(2), a > b], ids=str)
def test_what_is_no_rational_function_of_the_symbols_is_not_compiled(formula):
    assert compiled(formula, [a]) is None


def test_binomials_are_those_with_a_known_middle():
    """All pairs of known monomials whose halved sum is known, in the order of pairs; counted by trying every pair."""
    _, sides = sides_of([a**2 + a * b + b**2 > 0, a >= 0, b >= 0])
    table = CandidateTable(sides, {0: True, 1: False, 2: False})
    known = {(i, j) for i in range(5) for j in range(5)}
    ordered = sorted(known, key=sum)
    pairs = [
        (p, q)
        for n, p in enumerate(ordered)
        for q in ordered[n + 1 :]
        if all((i + j) % 2 == 0 for i, j in zip(p, q, strict=True))
    ]
    found = list(table._binomials(known))
    # both coordinates are signs, so each pair whose middle is known gives one square, the difference of its roots
    assert len(found) == len([p for p in pairs if tuple((x + y) // 2 for x, y in zip(*p, strict=True)) in known])
