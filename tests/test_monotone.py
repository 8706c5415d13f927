"""Conditions of statements with one logarithm, exponential or power, undone; and the statements' own truth."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lpmech import when
from lpmech.statements.numeric import holds
from lpmech.terms.reader import read_condition

_X, _POSITIVE = ("x real",), ("x real > 0",)

#: Statement, parameters, hypotheses, what to solve for, condition.
_KNOWN = [
    ("log(1 + x/2) <= 1", _POSITIVE, (), None, "x <= -2 + 2*exp(1)"),
    ("log(K/(t - 1)) >= 1", (), (), "K", "K >= exp(1)*t - exp(1)"),
    # of a smaller logarithm the argument still has to be positive
    ("log(x - 1) < 2", _X, (), None, "x > 1 and x < 1 + exp(2)"),
    ("epsilon >= log((1 - d)/d)", ("epsilon > 0", "d real > 0"), ("d < 1",), "d", "d >= 1/(exp(epsilon) + 1)"),
    ("2 - 3*log(x - 1) >= 0", _X, (), None, "x > 1 and x <= 1 + exp(2/3)"),
    ("exp(x**2) >= 5", _X, (), None, "x <= -sqrt(log(5)) or x >= sqrt(log(5))"),
    ("exp(x**2) > -1", _X, (), None, "always"),
    ("exp(x**2) <= 0", _X, (), None, "never"),
    # of whole exponents the nearest one; an exact power is no rounded logarithm
    ("2**K >= 100", (), (), None, "K >= 7"),
    ("2**K <= 64", (), (), None, "K <= 6"),
    ("2**K < 64", (), (), None, "K <= 5"),
    ("2**K == 64", (), (), None, "K == 6"),
    ("2**K == 63", (), (), None, "never"),
    ("(1/2)**K < 1/1000", (), (), None, "K >= 10"),
    ("2**x < 100", _X, (), None, "x < log(100)/log(2)"),
    # then by monotone pieces
    ("log(1 + x) <= x/2", _POSITIVE, (), None, "x >= r1"),
]


@pytest.mark.parametrize(("statement", "param", "where", "solve", "expected"), _KNOWN)
def test_known_condition(statement, param, where, solve, expected):
    told = str(when(statement, param, where, solve).condition)
    assert told == (expected if expected in ("always", "never") else f"if and only if {expected}")


@pytest.mark.parametrize(
    "statement",
    ["log(x**2 - 3) < 1 or exp(1 - x**2) > 1/2", "not log(x + 1) >= 1/2", "-exp(x**2)*2 + 7 <= 0 and 3**(-K) != 1/27"],
)
def test_condition_is_true_where_the_statement_is(statement):
    found = when(statement, _X).condition
    assert found.is_proved
    names = ["K", "x"]
    node, told = read_condition(statement, names), read_condition(str(found.condition), names)
    for size in (2, 3, 4):
        for n in range(-30, 31):
            at = {"K": size, "x": Fraction(n, 9)}
            assert holds(node, at) == holds(told, at), (statement, str(found), at)


def test_what_would_stand_on_both_sides_is_left():
    assert not when("2**K >= K**3").condition.is_simpler


def test_one_is_not_undone_by_another():
    """A logarithm in place of an exponential, which is undone by an exponential: it did not end."""
    assert str(when("exp(x**2) >= K*t", _X).condition) == "if and only if K <= exp(x**2)/t"
    assert str(when("exp(x**2) > t - K", _X).condition) == "if and only if K > t - exp(x**2)"
