"""Conditions of statements with floors, ceilings and remainders, and the statements' own truth at points."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from lpmech import when
from lpmech.conditions import NotSolvedError
from lpmech.statements.numeric import holds
from lpmech.terms import FALSE, TRUE
from lpmech.terms.reader import read_condition

#: Statement, parameters, what to solve for, condition.
_KNOWN = [
    # a floor against a whole number is a bound on what is rounded: no other number is between
    ("K <= floor(3*t) + 2", (), "t", "t >= (K - 2)/3"),
    ("floor(K/2) > 2", (), None, "K >= 6"),
    ("floor(t) <= 5/2", (), None, "t < 3"),
    ("floor(t) == 3", (), None, "t >= 3 and t < 4"),
    ("floor(K/2) != 3", (), None, "K <= 5 or K >= 8"),
    ("ceiling(K/3) <= m", ("m >= 0",), "K", "K <= 3*m"),
    ("floor(K/t) >= 2", (), "t", "t <= K/2"),
    ("floor(floor(K/2)/2) >= 2", (), None, "K >= 8"),
    ("floor(2*m/3) + m >= K", ("m >= 1",), "m", "m >= 3*K/5"),
    # not defined at 2, and not above it where the quotient is below 1
    ("floor(1/(t - 2)) >= 1", (), None, "t > 2 and t <= 3"),
    # against what need not be whole
    ("2*floor(t) >= K", (), "t", "t >= ceiling(K/2)"),
    ("t >= floor((K - 1)/2)", (), "K", "K < 2*floor(t) + 3"),
    ("Max(floor(K/2), 3) >= t", (), "t", "t <= 3 or t <= floor(K/2)"),
    # by remainders: m^2 >= 2 m from 4 = 2 * 2 on, m^2 >= 2 m + 1 from 7 = 2 * 3 + 1 on
    ("floor(K/2)**2 >= K", (), None, "Mod(K, 2) == 0 and K >= 4 or Mod(K, 2) == 1 and K >= 7"),
    ("floor(K/2)*ceiling(K/2) >= 3*K", (), None, "K >= 12"),
    ("2*floor(K/2) == K", (), None, "Mod(K, 2) == 0"),
    ("floor(2*K/3)*t >= K", (), "t", "t >= K/floor(2*K/3)"),
    ("floor(2*K/3)*t >= K", (), None,
     "Mod(K, 3) == 0 and t >= 3/2 or Mod(K, 3) == 1 and t >= 3*K/(2*(K - 1)) or Mod(K, 3) == 2 and t >= 3*K/(2*K - 1)"),
    ("Mod(K, 2)*t >= 2", (), None, "Mod(K, 2) == 1 and t >= 2"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "param", "solve", "expected"), _KNOWN)
def test_known_condition(statement, param, solve, expected):
    assert str(when(statement, param, solve=solve).condition) == f"if and only if {expected}"


def test_a_remainder_that_the_hypotheses_exclude():
    assert str(when("floor(K/2)**2 >= K", where=("K == 2*m",), param=("m >= 1",)).condition) == "if and only if K >= 4"


def test_a_parameter_on_both_sides_is_no_condition():
    assert not when("floor(t)*t >= 10").condition.is_simpler
    assert not when("floor(1/(t - 2))*t >= 10").condition.is_simpler


def test_a_floor_without_a_value_everywhere():
    """Was refused: "x + 3/x is not known to have a value everywhere". At x = 0 it has none, and no relation is true."""
    found = when("floor(x + 3/x) >= K/2", ["x in [0, 4]"]).condition
    assert str(found) == "if and only if x != 0 and K <= 2*floor(x + 3/x)"
    found = when("K < 2*(floor(x + 3/x) + 1) or x == 0", ["x in [0, 4]"], solve="K").condition
    assert str(found) == "if and only if x != 0 and K < 2*floor(x + 3/x) + 2 or x == 0"
    # n = floor(t/(t - 2)) is below 3 where t/(t - 2) < 3
    assert str(when("K*floor(t/(t - 2)) < 3*K").condition) == "if and only if t < 2 or t > 3"


@pytest.mark.parametrize("seed", range(12))
def test_condition_is_true_where_the_statement_is(seed):
    """At small K, m and a grid of t with the whole numbers, where floors jump."""
    found = None
    rng = random.Random(seed)
    while found is None:
        statement = _statement(rng)
        try:
            found = when(statement, ("m >= 0",), timeout_seconds=30).condition
        except NotSolvedError:
            continue
    node = read_condition(statement, ["K", "m", "t"])
    told = read_condition(str(found.condition), ["K", "m", "t"]) if found.condition not in (TRUE, FALSE) else None
    for size, m, t in product(range(2, 15), range(6), [Fraction(n, 3) for n in range(4, 25)]):
        at = {"K": size, "m": m, "t": t}
        got = found.condition == TRUE if told is None else holds(told, at)
        true = holds(node, at)
        assert got == true if found.is_proved else not (got and not true and found.sufficient), (statement, str(found))


def _statement(rng: random.Random) -> str:
    one = rng.choice(["K", "m", "K + m", "t", "2*K - 1", "K - m", "K*t"])
    rounded = [f"{rng.choice(['floor', 'ceiling'])}(({one})/{rng.choice([2, 3, 4])})", f"Mod(K, {rng.choice([2, 3])})"]
    left = f"{rng.randint(1, 2)}*{rng.choice(rounded[: rng.choice([1, 2])])}*{rng.choice(['1', 't', 'm', 'K'])}"
    right = rng.choice(["K", "m", "t", "3", "7/2", "2*K - 3", "floor(K/2)"])
    return f"{left} + {rng.choice(['0', 'm', 'K', 't'])} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {right}"
