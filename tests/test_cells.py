"""Conditions by cells: known ones, the statement's own truth at exact points, and z3 on the equivalence."""

from __future__ import annotations

import operator
import random
from fractions import Fraction
from itertools import product

import pytest
import z3
from flint import fmpq, fmpz_poly
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lpmech import when
from lpmech.cli import main
from lpmech.conditions import NotSolvedError, condition
from lpmech.conditions.by_cells import by_cells
from lpmech.conditions.connectives import joined
from lpmech.conditions.fibres import Base, over
from lpmech.conditions.region_words import NamedRoot
from lpmech.conditions.signs import CONTEXT, OutsideError, SignReader, irreducible_factors
from lpmech.plots import plot_condition
from lpmech.programs.solvers.real_roots import RealRoot, roots_apart
from lpmech.prove.evaluate import UndefinedError
from lpmech.statements.numeric import holds
from lpmech.terms import Apply, Name, Number
from lpmech.terms.reader import read_condition

_NAMES = ["x", "y", "z", "K", "m", "n", "epsilon"]


def found(statement, *hypotheses, solve=None, whole=()):
    read = [read_condition(text, _NAMES) for text in (statement, *hypotheses)]
    return by_cells(read[0], read[1:], whole, solve)


#: Statement, hypotheses, what to solve for, whole numbers, condition, what is told of the names in it.
_KNOWN = [
    # one root x for each y: x^3 + x rises
    ("x**3 + x >= y", (), "x", (), "x >= x1(y)", ["x1(y): the only root x of x**3 + x - y"]),
    # degree three has lost its highest power at y = 0; three roots for 0 < y < 4/27, two of them equal at 4/27
    ("y*x**3 - x + 1 > 0", ("y > 0",), "x", (),
     "y <= 4/27 and x > x1(y) and x < x2(y) or x > x3(y)", None),
    # the root goes to infinity at y = 0, so does one of two, and there are none below y = -1/4
    ("x*y >= 1", (), "x", (), "y < 0 and x <= 1/y or y > 0 and x >= 1/y", []),
    ("y*x**2 + x - 1 >= 0", (), "x", (),
     "y >= -1/4 and y < 0 and x >= (sqrt(4*y + 1) - 1)/(2*y) and x <= (-sqrt(4*y + 1) - 1)/(2*y) or y == 0 and x >= 1 or "
     "y > 0 and x <= (-sqrt(4*y + 1) - 1)/(2*y) or y > 0 and x >= (sqrt(4*y + 1) - 1)/(2*y)", []),
    # at y = 0 every x will do, elsewhere the root 1.3247... of x^3 - x - 1
    ("y*(x**3 - x - 1) == 0", (), "x", (), "y == 0 or x == r1",
     ["r1: 1.324717957, the root of x**3 - x - 1 between 1 and 2"]),
    # an isolated point, and a line
    ("(x**2 + y**2)*(x - 5)**2 <= 0", (), None, (), "y == 0 and x == 0 or x == 5", []),
    # (x - y)^2 never is below zero
    ("(x - y)**2*(x**3 - 2) <= 0", (), "x", (), "x <= r1 or x == y", None),
    # a product that is not zero; a pole; its opposite, which has no value at the pole either
    ("x*y != 0", (), None, (), "y != 0 and x != 0", []),
    ("1/(x - y) >= 0", (), "x", (), "x > y", []),
    ("not (1/(x - y) >= 0)", (), "x", (), "x < y", []),
    ("(x - y)/(x - y) == 1", (), "x", (), "x != y", []),
    # Max(1/x, y) has no value at x = 0, however large y is
    ("not (Max(1/x, y) <= 1)", (), "x", (), "x > 0 and x < 1 or y > 1 and x != 0", None),
    # the unit disc, closed and open: its ends belong to it or not
    ("x**2 + y**2 <= 1", (), "x", (), "y >= -1 and y <= 1 and x >= -sqrt(1 - y**2) and x <= sqrt(1 - y**2)", []),
    ("x**2 + y**2 < 1", ("x > 0",), "x", (), "y > -1 and y < 1 and x < sqrt(1 - y**2)", []),
    # the base is cut at sqrt(2), where the parabola x = y^2 - 2 leaves x >= 0
    ("x >= y**2 - 2", ("x >= 0", "y >= 0"), "x", (), "x >= y**2 - 2", []),
    ("x**3 >= y**2 - 2 and y**2 >= 2", ("y > 0",), "x", (), "y >= sqrt(2) and x >= x1(y)", None),
    # nowhere below zero, by the inequality between the means; zero at |x| = |y| = 1
    ("x**4*y**2 + x**2*y**4 - 3*x**2*y**2 + 1 >= 0", (), None, (), "True", []),
    ("x**4*y**2 + x**2*y**4 - 3*x**2*y**2 + 1 < 0", (), None, (), "False", []),
    # four factors of one parameter, real and whole
    ("(x-3)*(x-5)*(x-9)*(x-13) >= 0", (), None, (), "x <= 3 or x >= 5 and x <= 9 or x >= 13", []),
    ("(x-3)*(x-5)*(x-9)*(x-13) >= 0", ("x >= 2",), None, ("x",), "x <= 9 and x != 4 or x >= 13", []),
    # whole numbers y: x^3 <= 2 at y = 3, at no other place does (y - 3)^2 vanish
    ("(2*y - 5)*(2*y - 7)*(x**3 - y) <= 0", ("y >= 0",), "x", ("y",), "y == 3 and x >= x1(y) or y != 3 and x <= x1(y)",
     ["x1(y): the only root x of x**3 - y"]),
    # a hypothesis on a third parameter is not used
    ("x**3 >= y", ("x > z",), "x", (), "x >= x1(y)", None),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "hypotheses", "solve", "whole", "expected", "told"), _KNOWN)
def test_known_condition(statement, hypotheses, solve, whole, expected, told):
    answer = found(statement, *hypotheses, solve=solve, whole=whole)
    assert str(joined(answer.alternatives)) == expected
    assert told is None or list(answer.told) == told


_FACTORS = [
    "x**3 - y", "x**2*y - 1", "x**2 + y**2 - 2", "y - 1", "x - y", "y*x**3 - x + 1", "x**2 - 2*y**2", "x**4 - y**3",
    "x", "(x-1)**2 + (y-1)**2", "x**2 - y**2*(y + 1)", "x**2 - y**3", "y**2 - 2", "x**3 - 3*x + y", "x**2 + y**2 + 1",
    "x*y - 1", "y*x**2 + x - 1",
]  # fmt: skip
_HYPOTHESES = ["x > -1", "y**2 <= 2", "x*y < 1", "y >= 0", "x != y", "x**3 + y >= 0"]
_AT = [Fraction(n, 2) for n in range(-5, 6)]


def _at(text, **at):
    """Python's own arithmetic; without a value it does not hold."""
    try:
        return eval(text, at)
    except ZeroDivisionError:
        return False


def _true(node, at, roots):
    """A condition with names of roots at an exact point; where it has no value it does not hold."""
    match node:
        case Apply("true" | "false" as value, ()):
            return value == "true"
        case Apply("and", parts):
            return all(_true(part, at, roots) for part in parts)
        case Apply("or", parts):
            return any(_true(part, at, roots) for part in parts)
        case Apply(relation, (Name(own), Name(name))) if name in roots:
            root, others = roots[name], name.partition("(")[2].strip(")").split(", ")
            if isinstance(root, NamedRoot):
                root = root.at(*(_number(at[other]) for other in others))
            return root is not None and _at(f"x {relation} y", x=_number(at[own]).compared(root), y=0)
    try:
        return bool(holds(node, at))
    except (ZeroDivisionError, UndefinedError):
        return False


def _number(value):
    return RealRoot.rational(fmpq(value.numerator, value.denominator))


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.sampled_from(_FACTORS), st.sampled_from(["", "**2"])), min_size=1, max_size=5),
    st.lists(st.sampled_from(["*", "/"]), min_size=4, max_size=4),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    st.lists(st.sampled_from(_HYPOTHESES), max_size=2),
    st.sampled_from(["x", "y", None]),
)
@example([("x**2 - y**3", ""), ("x**2 - y**2*(y + 1)", "")], ["*"] * 4, "<=", [], "x")  # a cusp on a node
@example([("x**2*y - 1", ""), ("y*x**3 - x + 1", "")], ["/"] * 4, ">=", ["y >= 0"], "x")  # roots go to infinity
def test_condition_is_true_where_the_statement_is(factors, operations, relation, hypotheses, solve):
    """At every point of a grid on which curves meet, cross themselves, have cusps, isolated points and tangents."""
    text = "".join(f"{op}({factor}){times}" for op, (factor, times) in zip(["", *operations], factors, strict=False))
    answer = found(f"{text} {relation} 0", *hypotheses, solve=solve)
    for x, y in product(_AT, _AT):
        if all(_at(one, x=x, y=y) for one in hypotheses):
            truth = any(_true(joined([one]), {"x": x, "y": y}, answer.roots) for one in answer.alternatives)
            assert truth == _at(f"{text} {relation} 0", x=x, y=y), (x, y, str(joined(answer.alternatives)), answer.told)


@pytest.mark.parametrize(
    ("statement", "hypotheses", "solve"),
    [
        ("x**3 + x*y >= 2", ("y > 0", "x > 0"), "x"),
        ("x**3 + y*x**2 - y**3*x + 5 - 7*y >= 0", ("x > 1", "y >= 2"), "x"),
        ("(y-3)*(x-2)*(x-y)*(x+y-9)*(x*y-7) >= 0", ("x > 1", "y >= 2"), "x"),
        ("y*x*(x+1)**2 <= (y-1)*(y-2+2*x**2)", ("x > 1", "y >= 6"), "x"),
        ("(x**3 - y)*(x + y - 3) < 0 or y == 1", ("x > 0", "y > 0"), "x"),
    ],
)
def test_z3_finds_no_point_at_which_they_differ(statement, hypotheses, solve):
    """The only root of a polynomial in the range of the hypotheses is a number r of which z3 is told no more."""
    answer = found(statement, *hypotheses, solve=solve)
    letters = {name: z3.Real(name) for name in _NAMES}
    solver = z3.SolverFor("QF_NRA")
    for name, root in answer.roots.items():
        r, y = z3.Real(f"the root {name}"), letters["y"]
        letters[name] = r
        if isinstance(root, NamedRoot):
            assert any(told.startswith(f"{name}: the only root") for told in answer.told)
            solver.add(z3.Sum([int(c) * r**i * y**j for (i, j), c in root.polynomial.to_dict().items()]) == 0)
            solver.add(*(_Z3[relation](r, z3.Q(v.numerator, v.denominator)) for relation, v in root.within))
        else:
            solver.add(z3.Sum([int(c) * r**i for i, c in enumerate(root.polynomial.coeffs())]) == 0)
            solver.add(r > z3.Q(int(root.lower.p), int(root.lower.q)), r < z3.Q(int(root.upper.p), int(root.upper.q)))
    solver.add(*(_formula(read_condition(text, _NAMES), letters) for text in hypotheses))
    asked = _formula(read_condition(statement, _NAMES), letters)
    condition = z3.Or([z3.And([_formula(node, letters) for node in one]) for one in answer.alternatives])
    solver.set("timeout", 120_000)
    assert solver.check() == z3.sat
    solver.add(asked != condition)
    assert solver.check() == z3.unsat


def _formula(node, letters):
    match node:
        case Number(value):
            return z3.Q(value.numerator, value.denominator)
        case Name(name):
            return letters[name]
        case Apply("**", (base, Number(power))):
            return z3.Product([_formula(base, letters)] * int(power))
        case Apply(operation, parts):
            return _Z3[operation](*(_formula(part, letters) for part in parts))
    raise AssertionError(node)


_Z3 = {
    "and": z3.And, "or": z3.Or, "sqrt": z3.Sqrt, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def test_roots_over_an_algebraic_point():
    """Over y = sqrt(2): x^2 - y has the roots -+2^(1/4), x - y the root sqrt(2), x^2 - 2 y x + 2 that one twice."""
    planar = SignReader(("x", "y"))
    for text in ("x**2 - y", "x - y", "x**2 - 2*y*x + 2", "y*x**2 - 2*x + 3*y - 3*x + 1"):
        planar.formula(read_condition(f"{text} == 0", _NAMES))
    point = roots_apart([fmpz_poly([-2, 0, 1])])[1]
    fibre = over(Base(point), planar.polynomials)
    assert [float(root.near(Fraction(1, 1000))) for root in fibre.roots] == pytest.approx(
        [-1.189, 1.189, 1.414], abs=0.01
    )
    assert [dict(one) for one in fibre.multiplicities] == [{0: 1}, {0: 1}, {1: 1, 2: 2}]
    # the last one, sqrt(2) x^2 - 5 x + 3 sqrt(2) + 1, has the discriminant 25 - 24 - 4 sqrt(2) < 0
    assert [signs[3] for signs in fibre.signs] == [1] * 7
    assert [signs[2] for signs in fibre.signs] == [1, 1, 1, 1, 1, 0, 1]


def test_hypotheses_that_contradict_each_other_are_no_never():
    with pytest.raises(NotSolvedError, match="contradict"):
        found("x**3 > y", "x > 1", "x*y < 0", "y > 0")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("x + y + z + K > 0", "4 parameters"),
        ("x**17*y**20 - x - y > 0", "degree 20 in one parameter, above 16"),
        ("(x*y)**30 > 1", "of a degree above 40"),
        ("log(x + 1) > y", "no rational function"),
        ("(x**16 - y**13*x**2 - 1)*(x**14*y - y**15 + 3) >= 0", "may have degree 256, above 240"),
        ("x**y > 1", "no whole number"),
        (" and ".join(f"x > {k}*y**2 + {k}" for k in range(25)), "25 polynomials, more than 24"),
    ],
)
def test_what_is_too_much_is_refused(statement, says):
    with pytest.raises(OutsideError, match=says):
        found(statement)


def test_a_hypothesis_that_cells_cannot_read_is_the_engine_s():
    """The third parameter z is above y, and x above z; without that it is a condition on x and y."""
    read = [read_condition(text, _NAMES) for text in ("x**3 + x >= y**3 + y", "x >= z", "z >= y", "y >= 0")]
    assert str(by_cells(read[0], read[1:], (), None).alternatives) != "[()]"
    assert str(condition(read[0], read[1:])) == "always"


def test_the_reason_is_told_where_formulas_fail_too():
    """Was: "not solved for a parameter: of degree three or more", and nothing of the limit."""
    answer = when("t**25 - K**25*t + 3 > 0").condition
    assert not answer.is_simpler
    assert answer.details[-1] == "not decided cell by cell: a polynomial of degree 25 in one parameter, above 16"


def test_more_than_three_factors_are_decided_both_ways():
    """Was: "holds only if", since the signs of three factors at most were gone through."""
    answer = when("(K-3)*(t-2)*(t-K)*(t*K-7) >= 0").condition
    assert answer.is_proved
    assert answer.method == "cylindrical decomposition"
    for K, t in product(range(2, 12), (Fraction(n, 6) for n in range(7, 60))):
        assert _true(answer.condition, {"K": Fraction(K), "t": t}, answer.roots) == (
            (K - 3) * (t - 2) * (t - K) * (t * K - 7) >= 0
        )


def test_the_vector_of_zhao_against_randomized_response():
    """The how-to's question. Both sides times (s^2-1)^2: K s (s+1)^2 <= (K-1) (K-2+2s^2); at s = 1 that is 4 K <= K (K-1),
    so that there is a root above 1 from K = 6 on.
    """
    text = "K*s/(s-1)**2 <= (K-1)*(K-2+2*s**2)/(s**2-1)**2"
    answer = when(text, ["s real > 1"], solve="s").condition
    assert str(answer) == "if and only if K >= 6 and s <= s1(K)"
    for K, s in product((2, 5, 6, 7, 13), (Fraction(n, 6) for n in range(7, 30, 2))):
        at = {"K": Fraction(K), "s": s}
        asked = K * s * (s + 1) ** 2 <= (K - 1) * (K - 2 + 2 * s**2)
        assert (K >= 6 and _true(answer.condition.arguments[1], at, answer.roots)) == asked


def test_cells_that_are_too_large_are_named_beside_those_that_were_decided():
    """Over two cuts of a high degree the line is not computed; everywhere else the condition is right."""
    text = "x**6*y**5 - 3*x**5*y**2 + y**6 - x*y**3 + 7*x**2 - 2 > 0"
    here = found(text, solve="x")
    assert here.undecided == "undecided over 3 of 9 cells: y = -1.12928, y = 1.04607, y = 1.12929"
    for x, y in product(_AT, repeat=2):
        at = {"x": x, "y": y}
        assert _at(text, **at) == _true(joined(here.alternatives), at, here.roots), at


def test_engine_and_cells_agree_on_what_both_decide():
    names = ["x", "y"]
    hypotheses = [read_condition(text, names) for text in ("x > 0", "y > 0")]
    for text in ("x**2 - y <= 0", "x*y - 1 >= 0", "(x - y)*(x - 2) > 0"):
        statement = read_condition(text, names)
        by_formulas, cells = condition(statement, hypotheses), by_cells(statement, hypotheses, (), None)
        assert "cylindrical decomposition" not in by_formulas.method
        for x, y in product(_AT[6:], _AT[6:]):
            at = {"x": x, "y": y}
            assert _true(joined(cells.alternatives), at, cells.roots) == _true(by_formulas.condition, at, {})


def test_the_command_says_what_the_root_is(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["when", "t**3 + K*t**2 - K**3*t + 5 - 7*K >= 0"])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "t**3 + K*t**2 - K**3*t + 5 - 7*K >= 0 holds if and only if t >= t1(K)",
        "t1(K): the only root t > 1 of -(K**3*t) + K*t**2 - 7*K + t**3 + 5",
        "proved by cylindrical decomposition",
    ]


def test_a_condition_with_named_roots_has_a_picture():
    axes = plot_condition(when("x**3 + x >= y", param=["x real", "y real"]), {"x": (-2, 2), "y": (-2, 2)})
    values = axes.collections[0].get_array()
    assert values.mean() == pytest.approx(0.5, abs=0.01)  # the set and its mirror image make the square
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


def test_no_root_has_the_name_of_a_parameter():
    """`r1 > r1` would be false everywhere; roots are numbered past the parameters."""
    found = when("r1**3 - 2 > 0 or x**3 - r1*x + 1 > 0", ["x real", "r1 real"], solve="x").condition
    assert "r1" not in found.roots
    assert "r1" not in {name.partition("(")[0] for name in found.roots}
    functions = when("t**3 - t1*t + 1 > 0", ["t1 real"], solve="t").condition
    assert "t1" not in {name.partition("(")[0] for name in functions.roots}


def test_a_condition_with_named_roots_is_drawn(tmp_path):
    found = when("x**3 - y*x + 1 > 0", ["x real", "y real"], solve="x")
    assert plot_condition(found, {"x": (-4, 4), "y": (-3, 6)}).get_xlabel() == "x"


def test_an_exponent_within_a_case_distinction_is_a_number_or_left_to_the_engine():
    """2**3 was taken for a negative one: the zeros of the base were lost."""
    with pytest.raises(OutsideError, match="exponent"):
        by_cells(read_condition("Abs(x**2**3) == 0", {"x", "y"}, "statement"), [], frozenset(), "x")


@pytest.mark.parametrize("large", [2**30, 2**31, 2**33, 2**62, 2**70])
def test_factors_with_large_coefficients(large):
    """python-flint 0.9 overflows where it sorts such factors; the product of them is the polynomial."""
    first, second = ({(3, 0): large, (0, 0): -1}, {(3, 0): -2 * large, (0, 1): 6})
    product = CONTEXT.from_dict(first) ** 2 * CONTEXT.from_dict(second)
    factors = irreducible_factors(product)
    assert all(factor.leading_coefficient() > 0 for factor, _ in factors)
    whole = CONTEXT.from_dict({(0, 0): -2})
    for factor, times in factors:
        whole *= factor**times
    assert whole == product


def test_cuts_that_are_close_to_each_other():
    """Both are 1.25992105 to ten digits."""
    answer = found(f"(x**3 - 2)*(x**3 - 2 - 1/{10**11}) <= 0")
    assert [told.partition(", ")[0] for told in answer.told] == [
        "r1: 1.2599210498948731648", "r2: 1.2599210498969730332",
    ]  # fmt: skip


#: The same of three parameters.
_IN_SPACE = [
    ("x**2 + y**2 + z**2 <= 1", (), "x",
     "z >= -1 and z <= 1 and y >= -sqrt(1 - z**2) and y <= sqrt(1 - z**2) and "
     "x >= -sqrt(-y**2 - z**2 + 1) and x <= sqrt(-y**2 - z**2 + 1)", []),
    # where y vanishes it is a question of z, elsewhere y decides on which side of -z/y
    ("y*x + z >= 0", (), "x", "y > 0 and x >= -z/y or y < 0 and x <= -z/y or z >= 0 and y == 0", []),
    # the line of x above the origin, where both coefficients vanish, belongs to it
    ("(y*x + z)**2 <= 0", (), "x", "y != 0 and x == -z/y or z == 0 and y == 0", []),
    ("x**3 >= y*z", (), "x", "x >= x1(y, z)", ["x1(y, z): the only root x of x**3 - y*z"]),
    # three numbers, each in a field above that of the one before
    ("x**2 == y and y**2 == z and z**2 == 2", ("x > 0",), "x", "z == sqrt(2) and y == sqrt(z) and x == sqrt(y)", []),
    ("x*(m - n) == 0", ("x >= 0", "m >= 1"), "m", "x <= 0 or m == n", []),
    # the inequality between the means of x^4, y^4, z^4 and 1: they are equal where x y z = 1 and all are 1 or -1
    ("x**4 + y**4 + z**4 + 1 < 4*x*y*z", (), None, "False", []),
    ("sqrt(x + sqrt(y)) >= z - 1", ("y >= 0",), "x", "z <= 1 and x >= -sqrt(y) or x >= -sqrt(y) + z**2 - 2*z + 1", []),
    ("exp(epsilon)*x + exp(2*epsilon)*y >= 1", ("epsilon > 0",), "x", "x >= (-(exp(2*epsilon)*y) + 1)/exp(epsilon)", []),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "hypotheses", "solve", "expected", "told"), _IN_SPACE)
def test_known_condition_on_three_parameters(statement, hypotheses, solve, expected, told):
    answer = found(statement, *hypotheses, solve=solve)
    assert str(joined(answer.alternatives)) == expected
    assert told is None or list(answer.told) == told
    assert not answer.undecided


_OF_SPACE = [
    "x - y*z", "x*y - z", "x**2 + y**2 + z**2 - 1", "y - 1", "z**2 - 2", "x*z**2 - y", "x**2*y - z**3 + 1", "x - y", "z",
    "x**2 + y*x + z", "y*x**2 + z*x + 1", "x**2 + z**2", "x + y + z - 1", "y**2 - z", "x**3 - z*x + y", "x*y*z - 1",
]  # fmt: skip


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(_OF_SPACE), min_size=2, max_size=3, unique=True),
    st.lists(st.sampled_from(["*", "/"]), min_size=3, max_size=3),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    st.lists(st.sampled_from(["x >= 0", "y > 0", "z > -1", "x + y < 2*z", "y*z != 1"]), max_size=2),
    st.randoms(use_true_random=False),
)
@example(["y*x**2 + z*x + 1", "x*y - z", "y**2 - z"], ["*"] * 3, "<=", [], random.Random(1))
def test_condition_on_three_parameters_is_true_where_the_statement_is(factors, operations, relation, hypotheses, rng):
    """At points on which surfaces meet, are no function of x, or vanish on a whole line."""
    text = "".join(f"{op}({factor})" for op, factor in zip(["", *operations], factors, strict=False)) + f" {relation} 0"
    asked = read_condition(text, _NAMES)
    try:
        answer = by_cells(asked, [read_condition(one, _NAMES) for one in hypotheses], (), None)
    except (OutsideError, NotSolvedError):
        return
    condition = joined(answer.alternatives)
    for _ in range(60):
        at = {name: rng.choice(_AT) for name in "xyz"}
        if all(_at(one, **at) for one in hypotheses):
            truth = _true(condition, at, answer.roots)
            assert truth == _at(text, **at) or (answer.undecided and not truth), (at, str(condition), answer.told)


@pytest.mark.parametrize(
    ("statement", "hypotheses", "solve", "expected"),
    [
        ("sqrt(x) + sqrt(y) >= 1", ("x >= 0", "y >= 0"), "x", "y > 1 or x >= (1 - sqrt(y))**2"),
        ("sqrt(y) >= x**3 - x", ("y > 0",), "y", "x**3 - x < 0 or y >= (x**3 - x)**2"),
        ("sqrt(x**2 + 1) >= y", (), "y", "y <= sqrt(x**2 + 1)"),
        # sqrt(y) <= 1 - x with the square root's own condition; at y = 0 the root is 1
        ("x + sqrt(y) <= 1", (), "x", "y >= 0 and x <= 1 - sqrt(y)"),
        ("x**3 + y >= y*sqrt(x)*x", ("x >= 1", "y >= 0"), "y", None),
        ("(y - 1)*(x**(2/3) - 4) >= 0", ("x >= 0",), "x", "y <= 1 and x <= 8 or y >= 1 and x >= 8"),
        ("(y - 1)*(exp(epsilon) - 3) >= 0", ("epsilon > 0",), "epsilon",
         "y <= 1 and epsilon <= log(3) or y >= 1 and epsilon >= log(3)"),
        ("x*log(epsilon) >= 2", ("epsilon > 1",), "x", "x >= 2/log(epsilon)"),
        ("(y - 1)*log(x) >= 0", ("x > 0",), "x", "y <= 1 and x <= 1 or y >= 1 and x >= 1"),
    ],
)  # fmt: skip
def test_exponentials_logarithms_and_roots_are_parameters_of_their_own(statement, hypotheses, solve, expected):
    answer = found(statement, *hypotheses, solve=solve)
    assert expected is None or str(joined(answer.alternatives)) == expected
    asked, given = (read_condition(text, _NAMES) for text in (statement, " and ".join(hypotheses) or "1 > 0"))
    squares = [Fraction(n * n, m * m) for n in range(7) for m in (1, 2, 3)]
    for x, y in product([*squares, Fraction(-3, 2)], repeat=2):
        at = {"x": x, "y": y, "epsilon": y}
        if _true(given, at, {}):
            assert _true(joined(answer.alternatives), at, answer.roots) == _true(asked, at, {}), at


@pytest.mark.parametrize(
    ("statement", "hypotheses"),
    [
        ("x**3 + x >= exp(epsilon)*epsilon", ()),  # the parameter outside of the exponential, too
        ("log(x)**2*y**2 >= 0", ("x >= 0",)),  # no value at 0: "always" would be wrong
        ("x**(1/3) + y >= 0", ()),
    ],
)
def test_what_is_no_parameter_of_its_own(statement, hypotheses):
    with pytest.raises(OutsideError, match="is no"):
        found(statement, *hypotheses)


def test_points_over_irrational_ones():
    """y = 2^(1/3) and x^2 = y + 1 over it: both are polynomials in one number of degree six."""
    planar = SignReader(("x", "y"))
    planar.formula(read_condition("x**2 - y == 1", _NAMES))
    (point,) = roots_apart([fmpz_poly([-2, 0, 0, 1])])
    base = Base(point)
    fibre = over(base, planar.polynomials)
    both = base.above(fibre.roots[1], fibre.vanishing[1])
    x, y = both.values
    assert (both.modulus.degree(), both.sign(x * x - y - 1), both.sign(y**3 - 2), both.sign(x)) == (6, 0, 0, 1)


def test_bounds_on_a_plane_are_said_where_they_have_a_value():
    """Was: "z >= -(53*y/18) + sqrt(6)*sqrt(-(56*y**2) + 53*y)/18 + 67/36 and ..." for all y, and y may be 17/5."""
    statement = "(4*x + y + 3)/(y + 3*x - 3*z - 1) + y/(4*y - x + 2*z - 3) > -4/3"
    found = when(statement, ["x in [0, 4]", "y real > 0", "z in [0, 4]"]).condition
    for one in found.condition.arguments:
        if "sqrt(-(56*y**2) + 53*y)" in str(one):
            bounds = [
                part for part in one.arguments if part.arguments[0] == Name("y") and part.operation in ("<", "<=")
            ]
            assert bounds, one
            assert holds(bounds[0], {"y": Fraction(1, 10)}), one
            assert not holds(bounds[0], {"y": Fraction(1)}), one  # the root is real up to 53/56
