"""Proofs as objects: what the engine keeps, what the checker accepts of it, and what it refuses."""

import copy
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import mpmath
import pytest
import sympy as sp
from commands import lpmech
from fuzzing import examples, within
from hypothesis import assume, given
from hypothesis import strategies as st
from proof_corpus import PLACES, STATEMENTS, asked, proved, value

from lpmech.certify.proofs import RefusedProofError, check, check_file, files, polynomials
from lpmech.certify.proofs.facts import Facts
from lpmech.certify.proofs.numbers import Around
from lpmech.certify.proofs.reading import read
from lpmech.prove import prove
from lpmech.prove.objects import Products, Unchecked, from_data, nodes_of, to_data, unchecked_in
from lpmech.prove.proof_files import proof_file
from lpmech.terms import functions as tm
from lpmech.terms.reader import read_condition

SECONDS = 20.0
_MADE = {}


def data_of(name):
    """The object of a statement as data, made once."""
    if name not in _MADE:
        _MADE[name] = json.loads(json.dumps(to_data(proved(name).proof)))
    return copy.deepcopy(_MADE[name])


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_kind_of_proof_is_accepted_for_what_was_asked(name):
    goal, unchecked = check(data_of(name))
    conclusion, hypotheses = asked(name)
    assert unchecked == ()
    assert data_of(name)["goal"]["conclusion"] == str(conclusion)
    assert data_of(name)["goal"]["hypotheses"] == [str(h) for h in hypotheses]
    assert len(goal.hypotheses) == len(hypotheses)
    assert from_data(data_of(name)) == proved(name).proof  # it survives the way to a file and back


def test_a_parameter_that_is_called_pi_is_not_the_number():
    # 3 < pi is a bound of the number; of a letter it is shown by nothing
    data = json.loads(json.dumps(to_data(prove(read_condition("pi > 3", (), "conclusion"), []).proof)))
    check(data)
    letter = json.loads(json.dumps(data).replace('"parameters": {}', '"parameters": {"pi": "real"}'))
    assert letter != data
    with pytest.raises(RefusedProofError):
        check(letter)
    of_letter = prove(
        read_condition("pi*t > 0", ("pi", "t"), "conclusion"),
        [read_condition("pi > 0 and t > 1", ("pi", "t"), "where")],
    )
    assert check(to_data(of_letter.proof))[1] == ()


def test_a_parameter_with_a_star_is_one_word_in_the_file():
    p, q = tm.symbol("p*"), tm.symbol("p")  # p*>q, read as it stands, is no formula
    goal, unchecked = check(to_data(prove(p * q > 0, [p > 0, q > 1]).proof))
    assert (set(goal.sorts), unchecked) == ({"p_star", "p"}, ())


def test_what_has_no_object_is_called_by_its_name_and_never_shown_as_checked(tmp_path):
    x = sp.Symbol("x")
    answer = prove((1 + 1 / x) ** x < sp.exp(1), [x >= 1])  # with 1/u in place of x
    assert answer.method == "derivative"
    assert unchecked_in(answer.proof) == ("no object yet: derivative",)
    file = tmp_path / "proof.json"
    file.write_text(proof_file("interest", [("interest", answer.proof)]), "utf-8")
    found = lpmech("certify", file)
    shown = found.stdout
    assert found.returncode == 1
    assert "not checked: it relies on 'no object yet: derivative'" in shown
    assert "0 of 1 statements" in shown
    assert "holds" not in shown


def test_the_checker_prints_the_statement_before_it_says_that_it_holds(tmp_path):
    file = tmp_path / "proof.json"
    file.write_text(proof_file("t and K", [("randomised response", proved("coefficients").proof)]), "utf-8")
    found = lpmech("certify", file)
    assert found.returncode == 0
    lines = [line.strip() for line in found.stdout.splitlines()]
    assert lines[2:] == [
        "t/(t + K - 1) >= 1/K", "for all: K a real number, t a real number", "where t > 1", "where K >= 2",
        "where K in Integers", "holds: checked", "1 of 1 statements are proved by objects that this program has checked",
    ]  # fmt: skip


def test_no_name_in_a_file_looks_like_what_the_checker_says():
    node = to_data(proved("coefficients").proof)
    node["goal"]["parameters"]["t a whole number, s"] = "real"
    entry = {"name": "all of it:\n  holds: checked", "proof": node}
    told = str(check_file({"format": files.FORMAT, "title": "1 of 1 statements are proved", "proofs": [entry]}))
    assert "titled by its maker, not checked: '1 of 1 statements are proved'" in told
    assert "'all of it:\\n  holds: checked':" in told
    assert "'t a whole number, s' a real number" in told
    assert told.count("  holds: checked\n") == 1


def test_the_checker_needs_neither_sympy_nor_numpy(tmp_path):
    file = tmp_path / "proof.json"
    file.write_text(proof_file("t and K", [("randomised response", proved("coefficients").proof)]), "utf-8")
    code = (
        "import sys; from lpmech.certify.proofs.files import main; status = main(sys.argv[1:]); "
        "heavy = {'sympy', 'numpy', 'flint', 'z3'} & sys.modules.keys(); sys.exit(status or bool(heavy) * 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(file)], timeout=60, check=False).returncode == 0


def test_the_checker_is_as_long_as_its_page_says():
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in Path(files.__file__).parent.glob("*.py"))
    page = (Path(__file__).parents[1] / "docs/explanation/proof-objects.md").read_text("utf-8")
    said = re.search(r"The checker, some ([0-9,]+) lines", page)
    assert abs(int(said[1].replace(",", "")) - lines) <= 25, lines


def test_check_writes_the_proof_of_a_statement(tmp_path):
    file = tmp_path / "proof.json"
    assert lpmech("check", "t/(t+K-1) >= 1/K", "--proof", file).returncode == 0
    assert "holds: checked" in lpmech("certify", file).stdout
    refused = lpmech("check", "t/(t+K-1) >= 1", "--proof", tmp_path / "none.json")
    assert refused.returncode == 2
    assert "proved for all parameters" in refused.stderr
    assert not (tmp_path / "none.json").exists()


def test_what_products_show_is_multiplied_out():
    node = next(node for node in nodes_of(proved("products").proof) if isinstance(node, Products))
    data = to_data(node)
    assert check(json.loads(json.dumps(data)))
    data["products"][0]["weight"] = "2"
    with pytest.raises(RefusedProofError, match=r"proof \(products\): the products do not add up"):
        check(json.loads(json.dumps(data)))


def goal(conclusion, *hypotheses, **sorts):
    return {"parameters": sorts, "hypotheses": list(hypotheses), "conclusion": conclusion}


def slope(whole, end, value, rising, defined="True"):
    """A proof by a slope from one end, whose parts are told: what the rule itself asks of them."""
    x = {"x": "real"}
    opened = [h for h in (f"x > {end}", *whole["hypotheses"]) if "x >" in h][:1]

    def told(conclusion, *hypotheses):
        return {"rule": "unchecked", "method": "told", "goal": goal(conclusion, *hypotheses, **x)}

    return {
        "rule": "derivative", "goal": whole, "name": "x", "ends": [end], "values": [told(value)],
        "defined": told(defined, f"x >= {end}"), "slope": told(rising, *opened),
    }  # fmt: skip


def telescoped(whole, partial, term, *hypotheses):
    """A sum through a partial sum, whose term is told."""
    sorts = {**whole["parameters"], "k": "whole"}
    told = {"rule": "unchecked", "method": "told", "goal": goal(term, *hypotheses, **sorts)}
    return {"rule": "telescoping", "goal": whole, "name": "k", "partial": partial, "term": told}


#: What looks like a proof, and the step that it founders on.
FALSE_PROOFS = {
    "a pole": ({"rule": "identity", "goal": goal("x/x == 1", x="real")}, "nonzero"),
    "a root of what may be negative": ({"rule": "identity", "goal": goal("sqrt(x) >= 0", x="real")}, "nonnegative"),
    "sqrt(x^2) is |x|": ({"rule": "identity", "goal": goal("sqrt(x**2) == x", x="real")}, "no identity"),
    "a power of a negative base": (
        {"rule": "identity", "goal": goal("x**(K + 1) == x*x**K", x="real", K="whole")}, "not known"
    ),
    "a real number is not whole": (
        {"rule": "whole", "fact": 0, "goal": goal("x >= y + 1", "x > y", x="real", y="real")}, "whole coefficients"
    ),
    "cases that leave zero out": (
        {
            "rule": "cases", "cover": None, "goal": goal("x**2 > 0", x="real"),
            "branches": [
                {"rule": "unchecked", "method": "told", "goal": goal("x**2 > 0", f"x {sign} 0", x="real")}
                for sign in "<>"
            ],
        },
        "do not cover",
    ),
    "a child about something else": (
        {
            "rule": "steps", "lemmas": [], "goal": goal("x > 1", "x > 0", x="real"),
            "last": {"rule": "identity", "goal": goal("x > 1", "x > 1", x="real")},
        },
        "none of those known",
    ),
    "an equation that says nothing of the term": (
        {"rule": "put in", "fact": 0, "equation": 1, "term": "x", "then": None,
         "goal": goal("y > 0", "x > 0", "x**2 == y**2", x="real", y="real")},
        "does not determine",
    ),
    "an induction that uses what is known of n": (
        {
            "rule": "induction", "name": "n", "start": "1", "goal": goal("n < 2", "n >= 1", "n < 2", n="whole"),
            "base": {"rule": "evaluation", "goal": goal("1 < 2")},
            "step": {"rule": "identity", "goal": goal("n + 1 < 2", "n < 1", n="whole")},
        },
        "none of those known",
    ),
    "a function that falls": (slope(goal("1 - x >= 0", "x >= 0", x="real"), "0", "1 >= 0", "1 >= 0"), "something else"),
    "a function that begins below": (slope(goal("x - 1 >= 0", "x >= 0", x="real"), "0", "1 >= 0", "1 >= 0"), "at the end"),
    "a value at an end that is none": (slope(goal("x >= 0", "x >= 0 - 1", x="real"), "0", "0 >= 0", "1 >= 0"), "not known"),
    "a strict rise at the end itself": (slope(goal("x > 0", "x >= 0", x="real"), "0", "0 >= 0", "1 > 0"), "not zero"),
    "a rise that may be none": (slope(goal("0*x > 0", "x > 0", x="real"), "0", "0 >= 0", "0 >= 0"), "something else"),
    "a pole on the way": (slope(goal("1 - 1/x >= 0", "x >= 0 - 1", x="real"), "-1", "2 >= 0", "1/x**2 >= 0"), "nonzero"),
    "a jump where a power begins": (
        slope(goal("1 - 0**x >= 0", "x >= 0", x="real"), "0", "0 >= 0", "0 >= 0"), "not known"),
    "a root that has no slope": (
        slope(goal("sqrt(x**2) - x >= 0", "x >= 0 - 1", x="real"), "-1", "2 >= 0", "0 >= 0"), "derivative"),
    "what is no smooth function": (slope(goal("floor(x) - x >= 0", "x >= 0", x="real"), "0", "floor(0) >= 0", "0 >= 0"), "differentiated"),
    "a hypothesis that holds at the point only": (
        {**slope(goal("x*y >= 0", "x >= 0", "x*y == 0", x="real", y="real"), "0", "0 >= 0", "0 >= 0"),
         "slope": {"rule": "unchecked", "method": "told", "goal": goal("y >= 0", "x*y == 0", x="real", y="real")}},
        "none of those known"),
    "a slope at whole numbers only": (
        {**slope(goal("x*(x - 1) >= 0", "x >= 1", "x in Integers", x="whole"), "1", "0 >= 0", "2*x - 1 >= 0"),
         "slope": {"rule": "unchecked", "method": "told", "goal": goal("2*x - 1 >= 0", "x > 1", x="whole")}},
        "not whole here"),
    "a sum over less than nothing": (
        telescoped(goal("Sum(1, (j, 1, n)) == n", n="whole"), "k", "1 == 1"), "range"),
    "a sum up to no whole number": (
        telescoped(goal("Sum(1, (j, 1, x)) == x", "x >= 1", x="real"), "k", "1 == 1"), "range"),
    "partial sums of something else": (
        telescoped(goal("Sum(j, (j, 1, n)) == n*(n + 1)/2", "n >= 1", n="whole"), "k*(k + 1)/2", "k == k"), "something else"),
    "partial sums for a lower bound the other way round": (
        telescoped(goal("Sum(j, (j, 1, n)) <= n", "n >= 1", n="whole"), "k", "k >= 1"), "something else"),
    "partial sums that are not defined at an end": (
        # at n = 0 the range is empty, and 1/k is not defined beyond it
        telescoped(goal("Sum(1/((j - 1)*j), (j, 1, n)) <= 1", "n >= 0", n="whole"), "-1/(k - 1)",
                   "1/((k - 1)*k) == 1/(k - 1) - 1/k"), "a denominator is zero"),
    "a term that is not so at the last index": (
        telescoped(goal("Sum(j, (j, 1, n)) <= n*n - n", "n >= 1", n="whole"), "(n - 1)*k", "k <= n - 1", "k <= n - 1"),
        "none of those known"),
    "an index that is also a parameter": (
        telescoped(goal("Sum(j, (j, 1, n)) == n*j", "n >= 1", n="whole", j="real"), "j*k", "j == j"), "something else"),
    "zero to a power below nothing": (
        {"rule": "known", "law": "choice", "goal": goal("x**n == Piecewise((1, n == 0), (0, True))", "x == 0", x="real", n="whole")},
        "no instance"),
    "zero to the power zero": (
        {"rule": "known", "law": "choice", "goal": goal("x**n == Piecewise((1, n == 1), (0, True))", "x == 0", "n >= 0", x="real",
         n="whole")}, "no instance"),
    "a binomial beside its range": (
        {"rule": "identity", "goal": goal("binomial(K, m) == factorial(K)/(factorial(m)*factorial(K - m))", "K >= 0",
         "m >= 0", K="whole", m="whole")}, "."),
    "a rounding of what is not whole": ({"rule": "identity", "goal": goal("floor(x + 1/2) == floor(x)", x="real")}, "no identity"),
    "one way is not both": (
        {"rule": "parts", "goal": goal("Equivalent(x > 1, x > 0)", x="real"), "parts": 2 * [
            {"rule": "implication", "goal": goal("Implies(x > 1, x > 0)", x="real"),
             "then": {"rule": "identity", "goal": goal("x > 0", "x > 1", x="real")}}]},
        "not the conclusion"),
    "a number that is not defined": ({"rule": "evaluation", "goal": goal("log(0 - 1) < 1")}, "logarithm"),
    "a sign that is not told apart": ({"rule": "evaluation", "goal": goal("sign(sqrt(2)**2 - 2) == 1")}, "."),
    "a factorial below zero": ({"rule": "identity", "goal": goal("factorial(n + 1) == (n + 1)*factorial(n)", n="whole")}, "."),
    "a product of what may be negative": (
        {
            "rule": "products", "goal": goal("x*y >= 0", "x >= 0", "y == y", x="real", y="real"),
            "products": [{"weight": "1", "facts": [0, 1], "square": "1"}, {"weight": "1", "facts": [2], "square": "1"}],
            "multiples": [],
        },
        "is none of",
    ),
    "a number out of all proportion": (
        {"rule": "identity", "goal": goal("(x + 1)**400000 > 0", "x > 0", x="real")}, "exponent above"
    ),
    "x y / y is whole only where y is not zero": (
        {
            "rule": "steps", "lemmas": [], "goal": goal("x*y/y in Integers", x="whole", y="real"),
            "last": {"rule": "identity", "goal": goal("x*y/y in Integers", x="whole", y="real")},
        },
        "nonzero",
    ),
    "a difference says nothing of a third name": (
        {"rule": "identity", "goal": goal("y != 0", "x != z", x="real", y="real", z="real")}, "no identity"
    ),
    "an exponent of nothing": ({"rule": "evaluation", "goal": goal("2**(1/0) > 1")}, "."),
    "facts that are no numbers": (
        {"rule": "products", "goal": goal("x > 0", "x > 1", x="real"), "multiples": [],
         "products": [{"weight": "1", "facts": [[0]], "square": "1"}]},
        "facts are not",
    ),
    "a multiple of a list": (
        {"rule": "products", "goal": goal("x > 0", "x > 1", x="real"), "products": [], "multiples": [{"fact": [], "factor": "1"}]},
        "no hypothesis"),
    "a multiple of a truth value": (
        {"rule": "products", "goal": goal("x > 1", "y > x", "x == 2", x="real", y="real"), "products": [],
         "multiples": [{"fact": True, "factor": "1"}]},
        "no hypothesis"),
    "a slope along a list": ({**slope(goal("x >= 0", "x >= 0", x="real"), "0", "0 >= 0", "1 >= 0"), "name": []}, "of a parameter"),
    "an induction along a list": (
        {"rule": "induction", "goal": goal("n >= 0", "n >= 0", n="whole"), "name": [], "start": "0", "base": None, "step": None},
        "whole parameter"),
    "the logarithm of a root": (
        {"rule": "identity", "goal": goal("log(y + 1) < 1", "sqrt(y + 1) > 0", "log(sqrt(y + 1)) < 1", y="real")}, "known"),
    "the logarithm of a multiple of a root": (
        {"rule": "identity", "goal": goal("log(y + 1) < 1", "sqrt(y + 1) > 0", "log(5*sqrt(y + 1)) < 1", y="real")}, "known"),
    "an index of a case that is also a parameter": (
        {"rule": "products", "multiples": [{"fact": 2, "factor": "-1"}, {"fact": 3, "factor": "1"}],
         "products": [{"weight": "1", "facts": [], "square": "1"}],
         "goal": goal("False", "k > 0", "x > 0", "Piecewise((1, Each(sqrt(k**2*x) == k*sqrt(x), (k, a, b))), (0, True)) == 0",
                      "Piecewise((1, Each(k == k, (k, a, b))), (0, True)) == 1", a="real", b="real", k="real", x="real")},
        "do not add up"),
    "a case about a vector": (
        {"rule": "identity", "goal": goal("Piecewise((1, Each(v[k] >= 0, (k, 1, 3))), (0, True)) >= 0")}, "Each"),
    "what may be whole": ({"rule": "identity", "goal": goal("not (x in Integers)", x="real")}, "no identity"),
    "a number as long as a book": ({"rule": "identity", "goal": goal("((9**400)**400)**400 > 1")}, "bits"),
    "no parts": ({"rule": "parts", "parts": [], "goal": goal("x > 0", x="real")}, "not the conclusion"),
    "a name that is no parameter": ({"rule": "identity", "goal": goal("y == y", x="real")}, "no parameters"),
    "a rule of its own": ({"rule": "obvious", "goal": goal("False")}, "no rule"),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_PROOFS)
def test_what_does_not_follow_is_refused_in_a_line_that_names_the_step(name):
    data, reason = FALSE_PROOFS[name]
    with within(SECONDS), pytest.raises(RefusedProofError, match=reason) as refused:
        check(data)
    assert str(refused.value).startswith("proof")
    assert "\n" not in str(refused.value)


def test_what_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(polynomials, "MAX_SECONDS", 0.2)
    names = [f"a{number}" for number in range(60)]
    data = {
        "rule": "identity",
        "goal": goal("x > 0", *(f"{a} == 1 or {a} == 2" for a in names), **dict.fromkeys([*names, "x"], "real")),
    }
    with within(SECONDS), pytest.raises(RefusedProofError, match=r"proof \(identity\): more than .* seconds"):
        check(data)


BAD_FILES = {
    "nothing": "", "no JSON": "{", "another format": '{"format": "lpmech-proof-9", "title": "", "proofs": []}',
    "floats": '{"format": 1.5}', "repeated": '{"format": "a", "format": "b"}', "deep": "[" * 10_000,
    "no proofs": '{"format": "lpmech-proof-1", "title": "", "proofs": []}', "null": "null",
    "no goal": '{"format": "lpmech-proof-1", "title": "", "proofs": [{"name": "a", "proof": {"rule": "identity"}}]}',
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_FILES)
def test_files_that_are_none_of_proofs_are_refused(name):
    with within(SECONDS), pytest.raises(RefusedProofError):
        check_file(files.parse(BAD_FILES[name]))


# ---- the algebra of the checker


def at(node, values):
    """A tree of the checker in floats."""
    match node:
        case ("number", number):
            return float(number)
        case ("name", name):
            return values[name]
        case (operation, *parts):
            found = [at(part, values) for part in parts]
            return {
                "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
                "**": lambda a, b: a**b, "sqrt": math.sqrt, "exp": math.exp, "Abs": abs, "Max": max, "Min": min,
                "factorial": lambda n: math.gamma(n + 1), "binomial": lambda n, k: math.comb(round(n), round(k)),
            }[operation](*found)  # fmt: skip


def normal(algebra, above, below, values):
    """A rational function of the checker in floats: what it has made of a tree."""

    def atom(number):
        match algebra.keys[number]:
            case ("name", name):
                return values[name]
            case ("base", _):
                return normal(algebra, *algebra.bases[number], values)
            case ("root", (over, under), degree):
                return normal(algebra, dict(over), dict(under), values) ** (1 / degree)
            case (("e",), monomial):
                return math.exp(exponent(monomial))
            case (("power", (over, under)), monomial):
                return normal(algebra, dict(over), dict(under), values) ** exponent(monomial)
            case ("Max" | "Min" as name, arguments):
                return {"Max": max, "Min": min}[name](normal(algebra, *map(dict, key), values) for key in arguments)
            case (operation, *arguments):
                found = [("number", normal(algebra, *map(dict, key), values)) for key in arguments]
                return at((operation, *found), values)

    def exponent(found):
        if found and isinstance(found[0], frozenset):  # a quotient, by its key
            return normal(algebra, *map(dict, found), values)
        return normal(algebra, {found: 1}, {}, values)

    def polynomial(terms):
        return sum(float(c) * math.prod(atom(i) ** float(e) for i, e in m) for m, c in dict(terms).items())

    return polynomial(above) / math.prod(polynomial(key) ** e for key, e in dict(below).items())


_LEAVES = st.sampled_from(["x", "y", "2", "3/4", "(x + 1)", "(x + y)", "K"])
_TERMS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+*/"), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        inner.map(lambda t: f"sqrt({t})"), inner.map(lambda t: f"({t})**(-1/2)"), inner.map(lambda t: f"({t})**(3/2)"),
        inner.map(lambda t: f"1/{t}"), inner.map(lambda t: f"({t})**(K - 1)"), inner.map(lambda t: f"exp(-{t}/4)"),
        inner.map(lambda t: f"({t})**2"), st.tuples(inner, inner).map(lambda t: f"Abs({t[0]} - {t[1]})"),
        st.tuples(inner, inner, st.sampled_from(["Max", "Min"])).map(lambda t: f"{t[2]}({t[0]}, {t[0]} + 1, {t[1]})"),
        st.sampled_from(["factorial(K + 2)", "factorial(K - 1)", "binomial(K, 2)", "binomial(K + 1, K - 1)"]),
    ),
    max_leaves=5,
)  # fmt: skip


def facts_of(sorts, *hypotheses):
    return Facts(sorts, list(map(read, hypotheses)))


@given(_TERMS)
@examples(0.2, 150)
def test_a_term_has_the_value_of_what_the_checker_makes_of_it(text):
    facts = facts_of({"x": "real", "y": "real", "K": "whole"}, "x > 0", "y > 0", "K >= 1")
    values = {"x": 1.3, "y": 0.7, "K": 2.0}
    tree = read(text)
    try:
        found = facts.algebra.quotient(tree)
        wanted = at(tree, values)
        assert normal(facts.algebra, *found, values) == pytest.approx(wanted, rel=1e-6)
    except (RefusedProofError, OverflowError, ZeroDivisionError):  # the last: the term is not defined
        assume(False)


@pytest.mark.parametrize(
    "text", ["1/sqrt(2) == sqrt(2)", "1/sqrt(x*y) == sqrt(x*y)", "exp(-x) == exp(x)", "sqrt(x**2*y) == x*sqrt(y)"]
)
def test_roots_below_a_line_are_no_roots_above_it(text):
    with pytest.raises(RefusedProofError):
        check({"rule": "identity", "goal": goal(text, "x*y > 0", x="real", y="real")})


_CONSTANTS = st.recursive(
    st.sampled_from(["2", "3", "1/3", "7/5", "-2", "pi", "0", "1"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["sqrt", "exp", "log", "Abs", "floor", "ceiling", "sign"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, st.sampled_from(["2", "3", "-2", "0", "1/2", "-2/3"])).map(lambda t: f"({t[0]})**({t[1]})"),
        st.tuples(st.sampled_from(["Max", "Min"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=4,
)  # fmt: skip


def real(tree):
    """A number to sixty digits, or an error where it is not defined."""
    operation, *parts = tree
    if operation == "number":
        return mpmath.mpf(parts[0].numerator) / parts[0].denominator
    found = [real(part) for part in parts]
    if operation in ("sqrt", "log") and found[0] < 0:
        raise ValueError("no real number")
    if operation == "**" and found[0] <= 0 and found[1] != mpmath.floor(found[1]):
        raise ValueError("no real number")
    return {
        "pi": lambda: +mpmath.pi, "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
        "/": lambda a, b: a / b, "**": lambda a, b: a**b, "sqrt": mpmath.sqrt, "exp": mpmath.exp, "log": mpmath.log,
        "Abs": abs, "floor": mpmath.floor, "ceiling": mpmath.ceil, "sign": mpmath.sign, "Max": max, "Min": min,
    }[operation](*found)  # fmt: skip


@given(_CONSTANTS)
@examples(0.5, 150)
def test_a_number_lies_between_its_decimals(text):
    tree = read(text)
    with mpmath.workdps(60):
        try:
            low, high = Around(25).number(tree)
            value = real(tree)
        except (RefusedProofError, ValueError, OverflowError, ZeroDivisionError, ArithmeticError):
            assume(False)
        near = mpmath.mpf(10) ** -50 * (1 + abs(value))  # of what is rounded at a whole number nothing is known here
        assume(not {"floor", "ceiling", "sign"} & set(re.findall("[a-z]+", text)) or abs(value) < mpmath.mpf(10) ** 20)
        assert mpmath.mpf(str(low)) - near <= value <= mpmath.mpf(str(high)) + near


@pytest.mark.parametrize(
    "text", ["log(0)", "sqrt(-1)", "1/(1 - 1)", "0**(-1)", "(-8)**(1/3)", "log(sqrt(2)**2 - 2)", "exp(401)"]
)
def test_a_number_that_is_not_defined_has_no_decimals(text):
    with pytest.raises(RefusedProofError):
        Around(25).number(read(text))


# ---- what the checker sees at once

_RELATED = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
_NUMBERS = st.recursive(
    st.sampled_from(["x", "y", "z", "0", "1", "2", "1/2", "3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["Min", "Max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        inner.map(lambda t: f"({t})**2"), inner.map(lambda t: f"Abs({t})"),
        st.tuples(inner, inner, _RELATED, inner).map(lambda t: f"Piecewise(({t[0]}, {t[1]} {t[2]} 1), ({t[3]}, True))"),
    ),
    max_leaves=3,
)  # fmt: skip
_RELATIONS = st.tuples(_NUMBERS, _RELATED, _NUMBERS).map(" ".join)
_CONDITIONS = _RELATIONS | st.tuples(_RELATIONS, st.sampled_from(["and", "or"]), _RELATIONS).map(
    lambda t: f"({' '.join(t)})"
)


@given(st.lists(_CONDITIONS, min_size=1, max_size=3), _CONDITIONS, st.sampled_from(["real", "whole"]), st.data())
@examples(0.5, 50)
def test_what_follows_at_once_is_true_wherever_the_hypotheses_are(hypotheses, conclusion, sort, choice):
    sorts = {"x": "real", "y": "real", "z": sort}
    try:
        assume(facts_of(sorts, *hypotheses).entails(read(conclusion)))
    except RefusedProofError:
        assume(False)
    root = {"parameters": sorts, "hypotheses": hypotheses, "conclusion": conclusion}
    assert is_false_somewhere(root, choice.draw) is None


@pytest.mark.parametrize(
    ("conclusion", "hypotheses", "sorts"),
    [
        ("z > 0", ["x**2 + y <= 0", "y > 0 or z > 1"], dict.fromkeys("xyz", "real")),  # a case denies what is known
        ("Sum(1, (k, 2 - 1, K)) > 0", ["Sum(1, (k, 1, K)) > 0"], {"K": "whole"}),  # a bound as another one
        ("x == x", ["Piecewise((1, x + 1 in Integers), (0, True)) >= 0"], {"x": "real"}),
    ],
)
def test_what_a_case_or_an_index_says_is_seen(conclusion, hypotheses, sorts):
    check({"rule": "identity", "goal": goal(conclusion, *hypotheses, **sorts)})


def test_a_fact_whose_denominator_gets_its_sign_later():
    sorts = dict.fromkeys("acx", "real")
    known = facts_of(sorts, "a/(x - 1) > 0", "c > 0")
    assert not known.entails(read("a + c > 0"))
    assert known.with_more([read("x > 1")]).entails(read("a + c > 0"))


@pytest.mark.parametrize(
    ("conclusion", "reason"),
    [
        ("Piecewise((1, 2), (0, True)) >= 0", "a number where a condition does"),
        ("(x > 0) - (x > 0) + 1 > 0", "a condition where a number belongs"),
        (f"x*{'7**400*' * 20}1 == x", "out of all proportion|other words"),
        ("Equivalent(" * 22 + "x > 0" + ", x > 1)" * 22, "more than 8 Equivalent"),
    ],
)
def test_what_is_ill_made_is_refused_in_a_line(conclusion, reason):
    with within(SECONDS), pytest.raises(RefusedProofError, match=reason):
        check({"rule": "identity", "goal": goal(conclusion, "x > 0", x="real")})


# ---- damaged proofs


def places(data, path=()):
    """The paths of all texts, numbers and lists within data."""
    match data:
        case dict():
            for key, inner in data.items():
                yield from places(inner, (*path, key))
        case list():
            yield path
            for number, inner in enumerate(data):
                yield from places(inner, (*path, number))
        case _:
            yield path


def inner(data, path):
    for key in path:
        data = data[key]
    return data


_CHANGED = [
    ("+", "-"), ("-", "+"), ("1", "2"), ("2", "1"), ("0", "1"), ("1", "0"), ("<=", "<"), (">=", ">"), (">", ">="),
    ("<", "<="), (">", "<"), ("==", ">="), ("*", "+"), ("**2", "**3"), ("**2", "**4000"), ("/", "*"), ("or", "and"),
    ("and", "or"), ("t", "K"), ("x", "y"), ("Min", "Max"), ("1", "-1"), ("real", "whole"), ("!=", "=="), ("2", "1/2"),
]  # fmt: skip


def damaged(data, draw):
    """Data with one thing changed: in one place, or a text wherever it stands."""
    every = list(places(data))
    path = draw(st.sampled_from(every))
    found = inner(data, path)
    if path == ():
        return data
    holder, key = inner(data, path[:-1]), path[-1]
    match found:
        case list():
            how = draw(st.sampled_from(["drop", "swap", "twice"]))
            if found and how == "drop":
                found.pop(draw(st.integers(0, len(found) - 1)))
            elif found and how == "twice":
                found.append(copy.deepcopy(draw(st.sampled_from(found))))
            else:
                found.reverse()
        case int():
            holder[key] = draw(st.sampled_from([found + 1, found - 1, 0, -1, 10**6]))
        case str():
            old, new = draw(st.sampled_from([pair for pair in _CHANGED if pair[0] in found] or [(found, "x")]))
            changed = found.replace(old, new, 1)
            if draw(st.booleans()):
                return json.loads(json.dumps(data).replace(json.dumps(found), json.dumps(changed)))
            holder[key] = changed
        case _:
            holder[key] = draw(st.sampled_from([0, None, "x"]))
    return data


def is_false_somewhere(root, draw):
    """Whether a claim fails at a point of its hypotheses, by an evaluation of its texts alone."""
    sorts = root["parameters"]
    texts = [*root["hypotheses"], root["conclusion"]]
    *hypotheses, conclusion = (read_condition(text, list(sorts)) for text in texts)
    for _ in range(60):
        at = {name: draw(st.sampled_from(PLACES)) for name in sorts}
        if any(sort == "whole" and at[name].denominator != 1 for name, sort in sorts.items()):
            continue
        if all(value(h, at) is True for h in hypotheses) and value(conclusion, at) is not True:
            return at
    return None


@given(st.sampled_from([name for name, (*_, judged) in STATEMENTS.items() if judged]), st.integers(1, 3), st.data())
@examples(1, 150)
def test_no_damaged_proof_of_something_false_is_accepted(name, times, choice):
    data = data_of(name)
    for _ in range(times):
        data = damaged(data, choice.draw)
    try:
        with within(SECONDS):
            _, unchecked = check(data)
    except RefusedProofError:
        return
    assert unchecked == ()
    assert is_false_somewhere(data["goal"], choice.draw) is None, data["goal"]


@pytest.mark.parametrize(
    "text",
    ["floor(n + x) == n + floor(x)", "ceiling(n - 1/2) == n", "Abs(x - y) == Abs(y - x)", "Max(x, x + 1, y) == Max(y, 1 + x)",
     "Min(x, x - 1/2) == x - 1/2", "Max(-Max(0, 0) + Max(-x, x), y) == Max(x, y, -x)", "factorial(n + 1)/factorial(n) == n + 1", "n*factorial(n - 1) == factorial(n)",
     "binomial(n + 1, 2) == n*(n + 1)/2", "x < y or x == y or x > y"],
)  # fmt: skip
def test_what_is_seen_at_once(text):
    # each is so by the definition of its function; the alternatives cover all signs of x - y
    check({"rule": "identity", "goal": goal(text, "n >= 1", x="real", y="real", n="whole")})


def test_an_unchecked_step_is_found_wherever_it_stands():
    data = data_of("conjunction")
    data["last"]["parts"][0] = {**data["last"]["parts"][0]["goal"], "rule": "unchecked"}
    with pytest.raises(RefusedProofError):
        check(data)
    data = data_of("conjunction")
    own = data["last"]["parts"][0]["goal"]
    data["last"]["parts"][0] = to_data(Unchecked(from_data(data["last"]["parts"][0]).goal, "told"))
    assert data["last"]["parts"][0]["goal"] == own
    assert check(data)[1] == ("told",)
