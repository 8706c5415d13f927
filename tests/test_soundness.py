"""A sample of `make soundness`: the statements are labelled right, the engine is never wrong, and a wrong one would show."""

from fractions import Fraction
from random import Random

import pytest
import sympy as sp
from soundness import functions, judging, loops
from soundness.channels import judge_channel
from soundness.evaluate import UndefinedError, evaluate, holds
from soundness.functions import asked, judge_function, mislabelled_function
from soundness.judging import judge, judge_number
from soundness.loops import judge_loop, looped, mislabelled_loop
from soundness.polynomials import Question, answers, question
from soundness.record import table
from soundness.shapes import CORPUS, SHAPES, statement
from soundness.statement import Domain, Statement, mislabelled

from lpmech.errors import LpmechError
from lpmech.prove import Holds, prove
from lpmech.testing import Checked
from lpmech.verdicts import Verdict

x, t = sp.symbols("x t")
K, i = sp.symbols("K i", integer=True)

#: Half of the traps for the inside of a prover, and every 29th of the others.
_TRAPS = ("corpus empty ranges", "corpus names", "corpus evaluated early", "corpus inside", "corpus parts apart")
_SAMPLE = [n for n, s in enumerate(CORPUS) if n % 29 == 0 or (s.shape in _TRAPS and n % 2 == 0)]
_NUMBER = {"a": 3, "b": 3, "c": 8, "d": 8, "guarded": 12}


# ---- the labels


def test_partial_functions_are_undefined_outside_their_domain():
    for expr, point in [
        (1 / (x - 2), {x: 2}),
        (sp.sqrt(x), {x: -1}),
        (x ** sp.Rational(1, 3), {x: -8}),
        (sp.log(x), {x: 0}),
        (sp.Piecewise((1, x < 0), (2, x > 0)), {x: 0}),
        (sp.factorial(K), {K: -1}),
    ]:
        with pytest.raises(UndefinedError):
            evaluate(expr, point)


def test_the_evaluator_is_exact_where_it_can_be():
    assert evaluate(sp.sqrt(x) + sp.Mod(K, 3), {x: sp.Rational(9, 4), K: -1}) == Fraction(7, 2)
    assert evaluate(sp.Sum(i, (i, 1, K)), {K: -3}) == 0  # an empty sum
    assert evaluate(sp.floor(x**2), {x: sp.sqrt(2)}) == 2  # not 1, though sqrt(2)^2 is a ball around 2
    assert holds(sp.Lt(x**2, 2 + sp.Rational(1, 10**60)), {x: sp.sqrt(2)})
    assert not holds(sp.Lt(x**2, 2), {x: sp.sqrt(2)})


def test_conjunction_and_disjunction_are_those_of_kleene():
    pole = sp.Gt(1 / x, 0)
    assert not holds(sp.And(pole, sp.Gt(x, 1), evaluate=False), {x: 0})
    assert holds(sp.Or(pole, sp.Lt(x, 1), evaluate=False), {x: 0})
    with pytest.raises(UndefinedError):
        holds(sp.And(pole, sp.Lt(x, 1), evaluate=False), {x: 0})


def test_a_wrong_label_is_noticed():
    domain = Domain((t > 1,), {t: lambda rng, _: sp.Integer(rng.randint(2, 9))}, (t,))
    assert mislabelled(Statement("", "", True, sp.Gt(t, 3), (t > 1,), domain), Random(0))
    assert mislabelled(Statement("", "", False, sp.Gt(t, 0), (t > 1,), witness={t: 2}), Random(0))
    assert mislabelled(Statement("", "", False, sp.Gt(t, 3), (t > 1,), witness={t: 0}), Random(0))  # outside t > 1
    assert mislabelled(Statement("", "", False, sp.Gt(t, 3), (t > 1,)), Random(0))


def test_the_statements_written_by_hand_are_labelled_right():
    assert [s for s in CORPUS if mislabelled(s, Random(1), 8)] == []
    lines = [(s.shape, s.line) for s in CORPUS]
    assert len(lines) == len(set(lines)) > 200


@pytest.mark.parametrize("shape", SHAPES)
def test_the_generated_statements_are_labelled_right(shape):
    made = [statement(shape, number, seed=1) for number in range(30)]
    assert [s for s in made if mislabelled(s, Random(1), 8)] == []
    truths = {s.truth for s in made}
    assert truths - {None} == ({True} if shape == "a" else {True, False})


def test_the_same_seed_makes_the_same_statement():
    assert [str(statement(s, 5)) for s in SHAPES] == [str(statement(s, 5)) for s in SHAPES]
    assert str(statement("c", 5)) != str(statement("c", 5, seed=1))


# ---- the verdicts


def test_the_engine_is_not_wrong_on_statements_written_by_hand():
    judged = [judge(CORPUS[number], f"corpus-{number}", 0.5) for number in _SAMPLE]
    assert [one for one in judged if one.wrong] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_the_engine_is_not_wrong_on_generated_statements(shape):
    judged = [judge_number(shape, number, 0, 0.5) for number in range(_NUMBER[shape])]
    assert [one for one in judged if one.wrong] == []
    assert "undecided" in table(judged)


def test_the_judges_agree_on_polynomials():
    for number in range(8):
        given = answers(question(number), 0.5)
        assert len(set(given.values()) - {None}) == 1, (question(number), given)


def test_the_judges_are_able_to_disagree():
    """x^2 >= 2 at every integer but -1, 0, 1: enumeration, z3 and cvc5 see it, each without the others."""
    given = answers(Question(K**2 - 2, sp.Ge, (K,), True), 0.5)
    assert given == {"engine": False, "sympy": None, "z3": False, "cvc5": False, "enumeration": False}


def test_checks_of_channels_are_not_wrong():
    judged = [judge_channel(number) for number in range(6)]
    assert [one for one in judged if one.wrong] == []


def test_functions_that_break_late_or_by_chance_are_labelled_right():
    made = [asked(number, seed=1) for number in range(60)]
    assert [q for q in made if mislabelled_function(q)] == []
    assert {q.truth for q in made} == {True, False, None}


def test_verdicts_on_functions_that_break_late_or_by_chance_are_not_wrong():
    judged = [judge_function(number, 0) for number in range(15)]
    assert [one for one in judged if one.wrong] == []


def test_loops_that_pass_for_quantifiers_are_labelled_right():
    made = [looped(number, seed=1) for number in range(200)]
    assert [claim for claim in made if mislabelled_loop(claim)] == []
    assert {claim.truth for claim in made} == {True, False}


def test_verdicts_on_loops_that_pass_for_quantifiers_are_not_wrong():
    judged = [judge_loop(number, 0) for number in range(60)]
    assert [one for one in judged if one.wrong] == []


# ---- a wrong engine shows


def test_an_engine_that_believes_everything_is_found_out(monkeypatch):
    monkeypatch.setattr(judging, "prove", lambda *_, **__: Holds("faith"))
    judged = [judge(s, "", 1.0) for s in CORPUS]
    assert [one.wrong is None for one in judged] == [s.truth is True for s in CORPUS]


def test_a_refutation_without_a_counterexample_is_found_out(monkeypatch):
    """The witness must lie inside the hypotheses and violate the conclusion; a false statement alone is not enough."""
    refutation = prove(sp.Gt(x, 3), [x > 0])
    monkeypatch.setattr(judging, "prove", lambda *_, **__: refutation)  # some x in (0, 3]
    assert judge(Statement("", "", False, sp.Gt(x, 3), (x > 0,)), "", 1.0).wrong is None
    assert judge(Statement("", "", False, sp.Gt(x, 9), (x > 8,)), "", 1.0).wrong == "its witness is none"
    assert judge(Statement("", "", True, sp.Gt(x, -1), (x > 0,)), "", 1.0).wrong == "it does not fail"
    assert judge(Statement("", "", False, sp.Gt(x, t), (x > 0,)), "", 1.0).wrong == "its witness leaves out ['t']"


def test_who_believes_every_function_and_every_claim_is_found_out(monkeypatch):
    believed = Checked("", Verdict.PROVED, "faith")
    monkeypatch.setattr(functions, "assert_same_formula", lambda *_: believed)
    monkeypatch.setattr(functions, "assert_private", lambda *_, **__: believed)
    for number in range(20):
        assert (judge_function(number, 0).wrong is None) == (asked(number).truth is True)
    monkeypatch.setattr(loops, "_verdict", lambda _: ("holds", "faith"))
    for number in range(60):
        assert (judge_loop(number, 0).wrong is None) == looped(number).truth


def test_a_crash_is_found_out(monkeypatch):
    def crash(*_, **__):
        raise ZeroDivisionError("1/0")

    monkeypatch.setattr(judging, "prove", crash)
    assert judge(CORPUS[0], "", 1.0).verdict == "crashed"
    assert judge(CORPUS[0], "", 1.0).wrong


def test_a_formula_outside_the_language_is_refused():
    for foreign in (
        sp.Gt(sp.Function("f")(x), 0),
        sp.Eq(sp.gamma(x), 1),
        sp.Eq(x, sp.Float(0.1)),
        sp.Eq(x + K, K + sp.Float("1.00000000000001")),
    ):
        with pytest.raises(LpmechError):
            prove(foreign, [x > 0])


def test_an_implication_of_a_relation_by_itself_is_true():
    # sympy writes Or(x < 1, x >= 1, evaluate=False) without its parts
    x = sp.Symbol("x")
    assert holds(sp.Implies(x >= 1, x >= 1, evaluate=False), {x: sp.Integer(1)})
    assert not holds(sp.Implies(x >= 1, x > 1, evaluate=False), {x: sp.Integer(1)})
