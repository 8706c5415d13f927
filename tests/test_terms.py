"""Terms: nothing is evaluated while it is written, and what is printed can be read again."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech.claims.checking import check_relations, sharp
from lpmech.errors import FormulaError
from lpmech.mathematics import check_text
from lpmech.prove import Fails, Holds, prove, steps
from lpmech.prove.from_sympy import term_of
from lpmech.prove.mutations import mutants_of
from lpmech.prove.texts import evaluated, in_sympy
from lpmech.terms import Apply, Choice, Name, Number, Repeated, functions, names_in
from lpmech.terms.data import from_data, to_data
from lpmech.terms.functions import (
    TRUE,
    And,
    Each,
    Eq,
    Equivalent,
    Implies,
    Max,
    Min,
    Mod,
    Not,
    Or,
    Piecewise,
    Product,
    Rational,
    Sum,
    Whole,
    binomial,
    ceiling,
    exp,
    factorial,
    floor,
    log,
    sqrt,
    symbol,
    symbols,
    tanh,
)  # fmt: skip
from lpmech.terms.latex import latex_of
from lpmech.terms.reader import read_condition, read_formula
from lpmech.terms.vectors import Vector

s, t, K = symbols("s t K")
i = symbol("i")

#: Terms -> text, LaTeX: the order and the poles are those of the writer.
PRINTED = [
    (s / (1 + s) + 1 / (1 + s), "s/(1 + s) + 1/(1 + s)", r"\frac{s}{1 + s} + \frac{1}{1 + s}"),
    ((K - 9) / (K - 9), "(K - 9)/(K - 9)", r"\frac{K - 9}{K - 9}"),
    (s - (t - K), "s - (t - K)", r"s - (t - K)"),
    (2**s * 3, "2**s*3", r"2^{s} \cdot 3"),
    (-s * (t + 1), "-s*(t + 1)", r"(- s) (t + 1)"),
    (sqrt(s) ** 2 / t, "(sqrt(s))**2/t", r"\frac{\sqrt{s}^{2}}{t}"),
    ((s / t) ** K, "(s/t)**K", r"(\frac{s}{t})^{K}"),
    (s**t**2, "s**t**2", r"s^{t^{2}}"),
    ((s**t) ** 2, "(s**t)**2", r"(s^{t})^{2}"),
    (Sum(s**i, (i, 0, K - 1)), "Sum(s**i, (i, 0, K - 1))", r"\sum_{i=0}^{K - 1} s^{i}"),
    (abs(s - t) % 3, "Mod(Abs(s - t), 3)", r"(|s - t| \text{ mod } 3)"),
    (s // t, "floor(s/t)", r"\lfloor \frac{s}{t} \rfloor"),
    (factorial(K + 1) * binomial(K, 2), "factorial(K + 1)*binomial(K, 2)", r"(K + 1)! \mathrm{C}(K, 2)"),
    (log(s) ** 2 + exp(-s), "log(s)**2 + exp(-s)", r"\ln^{2}(s) + e^{- s}"),
    (Piecewise((s, s > 2), (1, True)), "Piecewise((s, s > 2), (1, True))", r"\{s \text{ if } s > 2; 1 \text{ else}\}"),
]


@pytest.mark.parametrize(("formula", "text", "latex"), PRINTED)
def test_a_term_prints_as_it_was_written_and_is_read_again(formula, text, latex):
    assert str(formula) == text
    assert read_formula(text, sorted(names_in(formula))) == formula
    assert latex_of(formula) == latex
    check_text(f"${latex}$", "latex")
    assert from_data(json.loads(json.dumps(to_data(formula)))) == formula


CONDITIONS = [
    And(s > 1, Or(t < 2, K >= 2), Not(Eq(s, t))),
    Implies(s > 0, Equivalent(t <= 1, Max(s, t, 2) > Min(s, K))),
    And(Whole(K), Each(s**i > 0, (i, 1, K)), Product(i, (i, 1, K)) >= ceiling(s)),
    Equivalent(tanh(s) < 1, Mod(K, 2) > floor(t)),
]


@pytest.mark.parametrize("formula", CONDITIONS)
def test_conditions_print_and_come_back_from_json(formula):
    check_text(f"${latex_of(formula)}$", "latex")
    assert from_data(json.loads(json.dumps(to_data(formula)))) == formula
    assert read_condition(str(formula), sorted(names_in(formula))) == formula


def test_a_text_is_the_term_that_is_written():
    assert read_condition("Sum(s**i, (i, 0, K - 1)) >= Max(t, 1) and not s < 2", ["s", "K", "t"]) == And(
        Sum(s**i, (i, 0, K - 1)) >= Max(t, 1), Not(s < 2)
    )


def test_nothing_is_cancelled_and_numbers_are_taken_together():
    assert s - s != 0 * s
    assert s / s == Apply("/", (s, s))
    assert 0 * s == Apply("*", (Number(Fraction(0)), s))
    assert sum([s, t]) == s + t
    assert 1 * s == s
    assert s**1 == s
    assert Rational(1, 2) + Fraction(1, 3) == Number(Fraction(5, 6))
    assert Rational(1) / 0 == Apply("/", (Number(Fraction(1)), Number(Fraction(0))))


@pytest.mark.parametrize("asked", [lambda: bool(s < t), lambda: s < t < K, lambda: s and t, lambda: max(s, t)])
def test_a_term_has_no_truth_value(asked):
    with pytest.raises(TypeError, match="neither true nor false"):
        asked()


def test_floats_are_refused():
    with pytest.raises(FormulaError, match="exact number"):
        s * 0.5


@pytest.mark.parametrize(
    "data", [True, "x", {"name": 3}, {"+": 1}, {"Sum": [1, 2]}, {"a": [], "b": []}, [1], None, "1/0"]
)
def test_what_is_no_term_is_refused(data):
    with pytest.raises(FormulaError):
        from_data(data)


def test_what_is_too_deep_is_refused():
    data = 1
    for _ in range(300):
        data = {"+": [data, 1]}
    with pytest.raises(FormulaError, match="levels deep"):
        from_data(data)


_ONE = ("sqrt", "exp", "log", "Abs", "sign", "floor", "ceiling", "factorial", "sin", "cos", "tan", "sinh", "cosh",
        "tanh", "coth", "erfc")  # fmt: skip
_TWO = ("+", "-", "*", "/", "**", "Mod", "binomial", "Min", "Max")


_NUMBERS = st.fractions(-5, 5, max_denominator=6).map(Number)


@st.composite
def _values(draw, depth=3):
    """Any number that a term can be; the index of a sum has the name of its depth."""
    kind = draw(st.sampled_from(["end", "one", "two", "cases", "sum"])) if depth else "end"
    inner = _values(depth - 1)
    match kind:
        case "one":
            return Apply(draw(st.sampled_from(_ONE)), (draw(inner),))
        case "two":
            return Apply(draw(st.sampled_from(_TWO)), (draw(inner), draw(inner)))
        case "cases":
            pairs = st.tuples(inner, _conditions(depth - 1))
            return Choice(tuple(draw(st.lists(pairs, min_size=1, max_size=2))))
        case "sum":
            own = Name(f"i{depth}")
            return Repeated(draw(st.sampled_from(["Sum", "Product"])), draw(inner) + own, own.name, draw(inner), t)
    return draw(st.one_of(_NUMBERS, st.sampled_from([s, t, K, functions.pi])))


@st.composite
def _conditions(draw, depth=3):
    """Any condition that a term can be."""
    kinds = ["relation", "joined", "two", "not", "whole", "cases", "each"]
    kind = draw(st.sampled_from(kinds)) if depth else "end"
    inner, values = _conditions(depth - 1), _values(depth - 1)
    match kind:
        case "relation":
            return Apply(draw(st.sampled_from(["<", "<=", ">", ">=", "==", "!="])), (draw(values), draw(values)))
        case "joined":
            return Apply(draw(st.sampled_from(["and", "or"])), tuple(draw(st.lists(inner, max_size=3))))
        case "two":
            return Apply(draw(st.sampled_from(["implies", "iff"])), (draw(inner), draw(inner)))
        case "not":
            return Apply("not", (draw(inner),))
        case "whole":
            return Apply("whole", (draw(values),))
        case "cases":
            return Choice(tuple(draw(st.lists(st.tuples(inner, inner), min_size=1, max_size=2))))
        case "each":
            return Repeated("Each", draw(inner), f"i{depth}", draw(values), K)
    return draw(st.sampled_from([TRUE, functions.FALSE]))


def _plain(node):
    """With numbers as text has them: -2 is a number, 1/3 is one; and without "and" of one condition."""
    match node:
        case Apply("and" | "or" as joint, ()):
            return TRUE if joint == "and" else functions.FALSE
        case Apply("and" | "or", (one,)):
            return _plain(one)
        case Apply(operation, parts):
            found = tuple(map(_plain, parts))
            numbers = all(isinstance(part, Number) for part in found)
            if numbers and operation == "-" and found[0] == Number(Fraction(0)):
                return Number(-found[1].value)
            if numbers and operation == "/" and found[1] != Number(Fraction(0)):
                return Number(found[0].value / found[1].value)
            return Apply(operation, found)
        case Choice(cases):
            return Choice(tuple((_plain(value), _plain(condition)) for value, condition in cases))
        case Repeated(operation, body, index, first, last):
            return Repeated(operation, _plain(body), index, _plain(first), _plain(last))
    return node


@settings(max_examples=200)
@given(st.one_of(st.tuples(_values(), st.just(read_formula)), st.tuples(_conditions(), st.just(read_condition))))
def test_what_a_term_prints_is_read_as_the_term(case):
    """Every operation of the language, in any place: brackets, words, indices. Catches what is written for people only."""
    node, read = case
    assert _plain(read(str(node), ["s", "t", "K"])) == _plain(node)
    assert from_data(json.loads(json.dumps(to_data(node)))) == node


_TERMS = st.recursive(
    st.one_of(_NUMBERS, st.sampled_from([s, t, K])),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/"]), inner, inner).map(lambda p: Apply(p[0], p[1:])),
        st.tuples(inner, st.integers(-3, 3)).map(lambda p: p[0] ** p[1]),
        st.tuples(inner, inner).map(lambda p: Max(*p)),
    ),
    max_leaves=8,
)


@given(_TERMS)
def test_json_gives_back_every_term(formula):
    assert from_data(json.loads(json.dumps(to_data(formula)))) == formula
    check_text(f"${latex_of(formula)}$", "latex")


@given(_TERMS)
def test_text_means_the_term(formula):
    """The value of what is read at a point is that of the term: brackets are where they have to be."""
    again = read_formula(str(formula), ["s", "t", "K"])
    at = {"s": Fraction(2, 3), "t": Fraction(-5, 7), "K": Fraction(11, 5)}
    assert _value(again, at) == _value(formula, at)


@given(_TERMS)
def test_sympy_and_back_means_the_term(formula):
    at = {"s": Fraction(2, 3), "t": Fraction(-5, 7), "K": Fraction(11, 5)}
    value = _value(formula, at)
    if value is not None:
        assert _value(term_of(in_sympy(formula)), at) == value
        assert _value(term_of(evaluated(formula)), at) == value


def _value(node, at):
    """By Python's fractions; None where it is not defined."""
    operations = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
        "**": lambda a, b: a**b, "Max": max,
    }  # fmt: skip
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return at[node.name]
    parts = [_value(part, at) for part in node.arguments]
    try:
        return None if None in parts else operations[node.operation](*parts)
    except ZeroDivisionError:
        return None


# ---- the prover


def test_poles_of_what_is_written_are_obligations():
    """Sympy cancels (K - 3)/(K - 3) to 1 before a prover sees it; catches a way to sympy that evaluates."""
    found = prove(Eq((K - 3) / (K - 3), 1), [K >= 2])
    assert isinstance(found, Fails)
    assert str(found.witness.where) == "K = 3"
    assert isinstance(prove(Eq((K - 3) / (K - 3), 1), [K > 3]), Holds)


def test_that_a_parameter_is_a_whole_number_is_a_hypothesis():
    assert isinstance(prove(Eq(2 * K, 1), [Whole(K)]), Fails)
    assert isinstance(prove(Not(Eq(2 * K, 1)), [Whole(K)]), Holds)


def test_what_was_decided_is_shown_as_it_was_written():
    """Sympy makes a truth value of the first relation while it is written, and 1 = 1 of the second."""
    asked = {"no wider": s / 3 >= s / 3, "sum": (s / s, 1)}
    found = check_relations(asked, [s > 1, Whole(K), K >= 2])
    assert {d.name: d.relation for d in found.decided} == {
        "no wider": r"\frac{s}{3} \ge \frac{s}{3}",
        "sum": r"\frac{s}{s} = 1",
    }
    assert found.given == (r"$s > 1$, $K \ge 2$, $K$ an integer",)


def test_a_counterexample_is_told_in_the_words_of_the_term():
    found = check_relations({"one": And(s > 0, 1 / (K - 2) < 2)}, [K >= 2, s > 1, Whole(K)])
    assert (
        found.counterexample == "K = 2, s = 2: left side not defined (K - 2 = 0 in a denominator), right side 2; "
        "required: 1/(K - 2) < 2 (one)"
    )
    found = check_relations(sharp(s / (s + 1), Fraction(3, 4)), [s > 1])
    assert found.counterexample == "s = 4: left side 4/5, right side 3/4; required: s/(s + 1) ≤ 3/4 (at most)"


def test_vectors_of_any_size_are_terms():
    p = Vector("p", K)
    assert str(p[i + 1]) == "p[i + 1]"
    assert latex_of(p[i]) == "p_{i}"
    assert names_in(p[i]) == {"p", "K", "i"}
    with pytest.raises(ValueError, match="1 indices"):
        p[i, i]
    assert isinstance(prove(p[1] >= p[K], [Whole(K), K >= 1, p.ordered()]), Holds)
    assert isinstance(prove(p[1] > p[K], [Whole(K), K >= 1, p.ordered()]), Fails)
    assert isinstance(prove(Sum(p[i], (i, 1, K)) >= 0, [Whole(K), K >= 1, p.each(lambda entry: entry >= 0)]), Holds)


# ---- mutants


def test_a_term_has_mutants_at_every_place():
    """Names and numbers up or down, operations exchanged or dropped, relations turned; catches a place that is lost."""
    found = mutants_of(Piecewise((s + 2, t <= K), (Sum(i / 3, (i, 1, K)), True)))
    formulas = set(map(str, found.values()))
    assert "Piecewise((s + 3, t <= K), (Sum(i/3, (i, 1, K)), True))" in formulas
    assert "Piecewise((s - 2, t <= K), (Sum(i/3, (i, 1, K)), True))" in formulas
    assert "Piecewise((s + 2, t < K), (Sum(i/3, (i, 1, K)), True))" in formulas
    assert "Piecewise((s + 2, t <= K), (Sum(i, (i, 1, K)), True))" in formulas
    assert "Piecewise((s + 2, t <= K), (Sum(i/3, (i, 2, K)), True))" in formulas
    assert "Piecewise((K + 2, t <= s), (Sum(i/3, (i, 1, s)), True))" in formulas
    assert mutants_of(Number(Fraction(2))).keys() == {"2 -> 3 in 2", "2 -> 1 in 2"}


def test_functions_of_the_field_are_exchanged_not_rewritten():
    assert mutants_of(Min) == {"Min -> Max": Max}
    assert mutants_of(Eq) == {}


# ---- steps that sympy takes


def test_steps_give_terms():
    assert steps.diff(s**2 * t, s) == 2 * s * t
    assert steps.limit(K / (K + 1), K, steps.oo) == Rational(1)
    assert steps.coefficients(2 * s**2 * t + t, s, t) == {(2, 1): 2, (0, 1): 1}
    assert steps.solve(Eq(2 * s, t), s) == [t / 2]
    assert steps.integrate(exp(-s * t), (s, 0, steps.oo), positive=[t]) == 1 / t


def test_whether_a_condition_about_numbers_holds():
    assert steps.holds(And(Rational(1) < 2, TRUE))
    assert not steps.holds(Eq(1 / Rational(0), 1))
    assert steps.holds(Eq(sqrt(Rational(2)) ** 2, 2))


# ---- what Python would decide by how terms are written


def test_how_terms_are_written_is_no_condition():
    """Catches Or(f(t, K) != 1/t, ...), which was proved because 1/K is written otherwise than 1/t."""
    for made in (
        lambda: Or(1 / t != 1 / K, t > 2), lambda: Implies(s == t, s < t), lambda: Equivalent(s == t, t < s),
        lambda: Piecewise((s, s == t), (t, True)), lambda: Piecewise((s, s != t), (t, True)), lambda: Not(s == t),
    ):  # fmt: skip
        with pytest.raises(FormulaError, match=r"Eq\(x, y\)"):
            made()
    assert Piecewise((s, s < t), (t, True)).cases[1][1] == TRUE


def test_a_term_is_not_compared_with_a_number():
    """Catches a formula that says "if K == 2", which gave the other branch of a letter and so was proved."""
    for asked in (lambda: K == 2, lambda: K != 2, lambda: K in (2, 3), lambda: Fraction(1, 2) == s / t):
        with pytest.raises(TypeError, match="use Eq or Ne"):
            asked()
    assert s == symbols("s")[0]
    assert s != t


def test_a_power_keeps_where_its_base_is_defined():
    """(1/(K - 9))**0 was folded to 1, and = 1 proved for all K >= 2; at K = 9 it is not defined."""
    assert isinstance(prove(Eq((1 / (K - 9)) ** 0, 1), [Whole(K), K >= 2]), Fails)


def test_an_index_captures_nothing():
    """Sum(x, (i, 1, 3)) at x = i was 1 + 2 + 3 in place of 3 i; so was a sum over i of a function of i."""
    assert isinstance(prove(Eq(Sum(s, (i, 1, 3)).at({s: i}), 3 * i), [i > 0]), Holds)
    with pytest.raises(FormulaError, match="none of a sum within"):
        Each(Sum(1 / i, (i, 1, 3)) > 1, (i, 1, K))


@pytest.mark.parametrize(
    "data",
    [
        {"implies": [{">": [{"name": "t"}, 1]}, {">": [{"name": "t"}, 1]}, {"<": [{"name": "t"}, 1]}]},
        {"not": [{"<": [{"name": "t"}, 0]}, {"<": [{"name": "t"}, 0]}]},
        {"and": [1, 1]},
        {">": [{"log": [{"name": "t"}, 2]}, 0]},
        {"<": [{"name": "t"}, 0, 5]},
        {">": [{"cases": []}, 0]},
        {"unknown": [1]},
        {"+": [{"<": [{"name": "t"}, 2]}, 1]},
    ],
)
def test_damaged_data_are_refused(data):
    """The first four were proved for t > 1, as sympy drops arguments; the others raised what is no error of ours."""
    with pytest.raises(FormulaError):
        from_data(data)


def test_conditions_are_no_numbers():
    for wrong in (And(s, t > 1), Eq(s < t, t < s), (s < t) + 1 > 0, Not(s)):
        with pytest.raises(FormulaError):
            prove(wrong, [t > 1])


@pytest.mark.parametrize(
    "name", ["sqrt", "exp", "log", "Abs", "sign", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erfc"]
)
def test_a_function_of_one_argument_is_the_one_of_its_name(name):
    # was: cosh had a second argument
    x = Name("x")
    assert getattr(functions, name)(x) == Apply(name, (x,))
