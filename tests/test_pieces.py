"""Conditions on a parameter inside and outside of exponentials: known ones, and the statement's own truth at points."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lpmech import when
from lpmech.conditions import NotSolvedError
from lpmech.conditions.pieces import by_pieces
from lpmech.conditions.signs import OutsideError
from lpmech.statements.numeric import holds
from lpmech.terms.reader import read_condition

_REAL, _POSITIVE = ("x real",), ("x real > 0",)

#: Statement, parameters, condition, the digits of its named roots. Roots of x e^x = c are values of Lambert's W.
_KNOWN = [
    ("x*exp(x) <= 1", _REAL, "x <= r1", ["0.5671432904"]),
    ("exp(x) >= 3*x", _REAL, "x <= r1 or x >= r2", ["0.6190612867", "1.512134552"]),
    # a double root, which is at 0
    ("exp(x) <= 1 + x", _REAL, "x == 0", []),
    ("exp(x) < 1 + x + x**2/2", _REAL, "x < 0", []),
    ("exp(-x) >= 1 - x/2", _POSITIVE, "x >= r1", ["1.593624260"]),
    # with a polynomial and an exponential alone among the factors: no names for their roots
    ("(x**2 - 2)*(exp(x) - 2) <= 0", _REAL, "x <= -sqrt(2) or x >= log(2) and x <= sqrt(2)", []),
    # the statement is not defined at 0, and the other side of the hypothesis does not count
    ("(exp(x) - 1)/x >= 2", _REAL, "x >= r1", ["1.256431209"]),
    ("x*exp(x) > -1/4", ("x real > -1",), "x > r1", ["-0.3574029562"]),
    ("x*exp(x) > -1/4", ("x real < -1",), "x < r1", ["-2.153292364"]),
    # in the logarithm of a positive parameter
    ("x*log(x) >= 3", _POSITIVE, "x >= r1", ["2.857390784"]),
    ("(log(x) - 2)*(x - 3) <= 0", _POSITIVE, "x >= 3 and x <= exp(2)", []),
    ("log(t) >= (t-1)/4", (), "t <= r1", ["10.34665193"]),
    # of whole numbers the nearest one
    ("exp(K) >= K**5", (), "K >= 13", []),
    ("K*log(K) <= 10 and K != 4", (), "K <= 3 or K == 5", []),
    ("exp(K) == K**2 + 3", (), "never", []),
    # beside x in log(a x + b) and exp(c x + d); e^(3 (K - 4)) is 1 and e^3 = 20.1 at K = 4 and 5
    ("log(1 + x) <= x - x**2/3", ("x real > -1",), "x <= r1 - 1", ["1.787064438"]),
    ("log(3 - 2*x) <= x - x**2/3 or x > 10", _REAL, "x > 10 or x >= (3 - r1)/2 and x < 3/2", ["1.675439144"]),
    ("(x - 1)*exp(1 - x) >= 1/3", _REAL, "x >= r1 + 1 and x <= r2 + 1", ["0.6190612867", "1.512134552"]),
    ("exp(3*K - 12) < K + 1", (), "K <= 4", []),
    # in nothing but exponentials a closed form stays one
    ("exp(2*x) - 4*exp(x) + 1 >= 0", _POSITIVE, "x >= log(sqrt(3) + 2)", []),
    # hyperbolic functions
    ("tanh(x) >= x/2", _POSITIVE, "x <= r1", ["1.915008048"]),
    ("coth(x) <= 3", _POSITIVE, "x >= log(2)/2", []),
]


@pytest.mark.parametrize(("statement", "param", "expected", "digits"), _KNOWN)
def test_known_condition(statement, param, expected, digits):
    found = when(statement, param).condition
    assert str(found) == (expected if expected == "never" else f"if and only if {expected}")
    assert [told.split(": ")[1].split(",")[0] for told in found.details] == digits


_COEFFICIENTS = st.lists(st.integers(-4, 4), min_size=1, max_size=3)


@settings(max_examples=40, deadline=None)
@given(
    factors=st.lists(st.lists(_COEFFICIENTS, min_size=2, max_size=3), min_size=1, max_size=2),
    relation=st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    step=st.sampled_from(["x", "x/2", "-x"]),
    is_log=st.booleans(),
)
@example(factors=[[[-1, -1], [1]], [[0, 1]]], relation="<=", step="x", is_log=False)  # zero at 0 twice
def test_condition_is_true_where_the_statement_is(factors, relation, step, is_log):
    """A wrong root, or one that is left out, shows between two of them."""
    own = "log(x)" if is_log else f"exp({step})"
    text = "*".join(
        "(" + "+".join(f"({c})*x**{i}*({own})**{k}" for k, part in enumerate(one) for i, c in enumerate(part)) + ")"
        for one in factors
    )
    statement = read_condition(f"{text} {relation} 0", ["x"])
    hypotheses = [read_condition("x > 0", ["x"])] if is_log else []
    found = by_pieces(statement, hypotheses, ())
    if found is None:  # the coefficients leave no x, or no function of it
        return
    roots = {name: root.number.near(Fraction(1, 10**20)) for name, root in found.roots.items()}
    for n in range(-20, 21):
        at = {"x": Fraction(n + 21, 9) if is_log else Fraction(n, 5)}
        said = any(all(holds(node, {**at, **roots}) for node in one) for one in found.alternatives)
        assert holds(statement, at) == said, (str(statement), found, at)


@pytest.mark.parametrize("statement", ["exp(x)*log(x) > x", "x*exp(x) > y", "sqrt(x)*exp(x) > 1", "x > 1"])
def test_what_is_no_such_statement(statement):
    assert by_pieces(read_condition(statement, ["x", "y"]), [read_condition("x > 0", ["x"])], ()) is None


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("exp(x + 1)*x > exp(x)", r"exp\(x \+ 1\) is no rational function of x and exp"),
        ("x**20*exp(9*x) > exp(x) + x", "above 24"),
    ],
)
def test_what_is_too_much_is_told(statement, says):
    with pytest.raises(OutsideError, match=says):
        by_pieces(read_condition(statement, ["x"]), [], ())


def test_why_there_are_no_pieces_is_said():
    found = when("x**20*exp(9*x) > exp(x) + x", _REAL).condition
    assert found.details[-1] == "not decided by monotone pieces: a polynomial of a degree above 24"


def test_contradicting_hypotheses_are_no_never():
    with pytest.raises(NotSolvedError, match="contradict"):
        by_pieces(
            read_condition("x*exp(x) > 1", ["x"]), [read_condition(f"x {one}", ["x"]) for one in ("> 1", "< 0")], ()
        )
