"""Proof objects as texts in Rocq; `test_rocq_compiles` has some compiled."""

from fractions import Fraction

import pytest
import sympy as sp
from commands import lpmech

from lpmech.errors import FormulaError
from lpmech.prove import prove
from lpmech.prove.objects import Evaluated, Goal, to_data
from lpmech.prove.rocq import example_of, theorem_of
from lpmech.prove.rocq_files import hash_of_statement, theorem_from, theorems_file
from lpmech.prove.rocq_statements import says_nothing, statement_of
from lpmech.terms import functions as tm

K, T, X, Y = tm.symbols("K t x y")


def _proof(conclusion, hypotheses):
    return prove(conclusion, hypotheses).proof


def _statement(conclusion, hypotheses):
    return theorem_of("t1", to_data(_proof(conclusion, hypotheses))).partition("Proof.")[0]


def test_statement_is_defined_and_true():
    """x/0 is a number in Rocq: without the denominators the theorem would say less than the claim."""
    assert _statement(T / (T + K - 1) <= 1, [T > 1, K >= 1]).split("\n") == [
        "Theorem t1 (K t : R) :",
        "  (t > 1) ->",
        "  (K >= 1) ->",
        "  (((t + K) - 1) <> 0 /\\ (t / ((t + K) - 1)) <= 1).",
        "",
    ]


def test_denominator_of_a_hypothesis_is_known():
    assert "(x <> 0 /\\ (1 / x) > 0) ->" in _statement(X > 0, [1 / X > 0])


def test_whole_numbers_are_said_to_be_whole():
    """As the claim says it: `Relations.v` has what it means."""
    assert "(whole K) ->" in _statement(T * K >= K, [tm.Whole(K), T > 1, K >= 1])


def test_whole_is_said_of_what_is_defined():
    """1/0 and ln(-1) are numbers in Rocq, which may be whole."""
    assert "((K - 1) <> 0 /\\ (whole (T / (K - 1))))" in statement_of(_goal("T/(K - 1) in Integers"))


def test_names_of_rocq_are_not_hidden():
    """A parameter called R would be its type."""
    assert "Theorem t1 (R_ : R) :" in _statement(tm.symbol("R") ** 2 >= 0, [])


def test_alternatives_are_each_defined_and_true():
    stated = _statement(tm.Implies(X > 0, 1 / X > 0), [])
    assert "((x <= 0) \\/ (x <> 0 /\\ (1 / x) > 0))" in stated


def test_functions_are_defined_where_rocq_has_a_number_for_them_everywhere():
    """sqrt(-1) and ln(-1) are numbers there, and so is a power of one."""
    assert "(x >= 0 /\\ ((sqrt x) ^ 2) >= 0)" in _statement(tm.sqrt(X) ** 2 >= 0, [X > 1])
    assert "(x > 0 /\\ ((ln x) ^ 2) >= 0)" in _statement(tm.log(X) ** 2 >= 0, [X > 1])
    assert "((Rmax x y) >= x)" in _statement(tm.Max(X, Y) >= X, [])


def test_what_has_no_form_is_refused_by_name():
    with pytest.raises(FormulaError, match="got 'the law growth'; allowed: what has a form in Rocq"):
        theorem_of("t1", to_data(_proof((1 + X) ** K >= 1 + K * X, [X > 0, tm.Whole(K), K >= 0])))


def test_case_distinction_in_a_hypothesis_is_refused():
    """There it would be one hypothesis more that each case is defined."""
    with pytest.raises(FormulaError, match="a case distinction in a hypothesis"):
        _statement(Y >= 0, [tm.Piecewise((X, X > 0), (1 / Y, True)) > 0, Y > 0])


def test_example_is_a_point_of_the_hypotheses():
    """Without one a theorem may be about nothing: each hypothesis is defined and true at the point."""
    goal = to_data(_proof(T / K > 0, [1 / K > 0, T > 1, tm.Whole(K)]))["goal"]
    text = example_of("somewhere", goal, {"K": Fraction(2), "t": Fraction(3, 2)})
    assert "exists K t : R, (K <> 0 /\\ (1 / K) > 0) /\\ (t > 1) /\\ (whole K)." in text
    assert "exists 2, (3 / 2)." in text


def test_example_has_a_number_for_what_no_hypothesis_speaks_of():
    """The engine's point has only the parameters that its hypotheses have."""
    theorem = theorem_from("square", _proof(T * X**2 >= 0, [T > 1]), {sp.Symbol("t"): sp.Integer(2)})
    assert "exists t x : R, (t > 1)." in theorem.example
    assert "exists 2, 0." in theorem.example
    assert theorem_from("square", _proof(X**2 > 0, [X > 1]), {}).example == ""  # 0 is no point of x > 1


def test_file_names_what_is_not_written():
    counted = _proof(tm.factorial(K) >= 1, [tm.Whole(K), K >= 0])
    theorems = [theorem_from("first", _proof(X**2 >= 0, [])), theorem_from("second", counted)]
    text = theorems_file('a title *) "here', theorems)
    assert [bool(theorem.text) for theorem in theorems] == [True, False]
    assert f"Theorem {theorems[0].name}" in text
    assert "Not written. second:" in text
    assert "factorial" in text
    assert "a title * ) 'here" in text


def test_relation_that_says_nothing_is_no_theorem():
    """What sympy has made True of a relation before it was asked is not the relation."""
    theorem = theorem_from("trivial", Evaluated(Goal({"x": "real"}, ("x > 1",), "True")))
    assert (theorem.text, theorem.statement) == ("", "")
    assert "says nothing" in theorem.reason


def test_hash_is_that_of_the_statement():
    """It is what a record is compared with: another relation, hypothesis or sort has another hash, another proof has not."""
    answer = prove(T * K >= K, [T > 1, K >= 1])
    assert hash_of_statement(answer) == (theorem_from("any", answer.proof).statement, True) != ("", True)
    others = [prove(T * K > K, [T > 1, K >= 1]), prove(T * K >= K, [T >= 1, K >= 1]),
              prove(T * K >= K, [T > 1, K >= 1, tm.Whole(K)])]  # fmt: skip
    assert len({hash_of_statement(answer), *map(hash_of_statement, others)}) == 4


@pytest.mark.parametrize(
    ("conclusion", "hypotheses", "nothing"),
    [("T/K == T/K", ["K > 0"], True), ("Implies(T > K, T > K)", [], True), ("T > 1", ["K > 1", "T > 1"], True),
     ("0 >= 0 and K <= K", [], True), ("T < T or K == 1", [], False), ("T/K == 1/K*T", ["K > 0"], False),
     ("T >= 1", ["T > 1"], False), ("K == K and T**2 >= 0", [], False)],
)  # fmt: skip
def test_relation_between_a_term_and_itself_says_nothing(conclusion, hypotheses, nothing):
    """A formula and what was computed beside it, written in one way: no kernel needs to look at that."""
    assert says_nothing(_goal(conclusion, *hypotheses)) is nothing


def test_command_writes_a_theorem(tmp_path):
    done = lpmech("check", "t/(t+K-1) >= 1/K", "--rocq", tmp_path / "statement.v")
    assert done.returncode == 0
    text = (tmp_path / "statement.v").read_text()
    assert text.count("\nTheorem ") == 1
    assert text.rstrip().endswith("Qed.")


def test_command_refuses_what_is_not_proved_or_has_no_form(tmp_path):
    for statement in ("t/(t+K-1) >= 1", "factorial(K) >= 1"):
        done = lpmech("check", statement, "--rocq", tmp_path / "statement.v")
        assert done.returncode != 0
        assert not (tmp_path / "statement.v").exists()


def test_verify_writes_a_file_for_each_claim(tmp_path):
    done = lpmech("verify", "liu2026", "--only", "Lemma 3.1 (beta, S~2 empty)", "--rocq", tmp_path, "--jobs", "1")
    assert done.returncode == 0
    (file,) = (tmp_path / "liu2026").glob("*.v")
    assert "theorems in Rocq: " in done.stdout
    assert file.stem.isidentifier()  # or coqc refuses the file
    text = file.read_text()
    assert text.count("\nTheorem relation_") == 2 * text.count("_is_not_empty :") > 0


def test_parameter_called_pi_is_no_number():
    """The text of a proof says pi for both; a theorem about the number would say nothing of pi <= 1/2."""
    pi = tm.symbol("pi")
    assert "Theorem t1 (pi : R) :\n  (pi >= 0) ->\n  ((pi + 1) > 0)." in _statement(pi + 1 > 0, [pi >= 0])


def test_powers_are_those_of_positive_numbers():
    """Rocq has x**K as exp(K ln x), which is 1 at x = 0: in a hypothesis x > 0 may not be one hypothesis more."""
    assert "(T > 0 /\\ (Rpower T K) > 0)" in statement_of(_goal("T**K > 0", "T > 1"))
    assert "(T > 0 /\\ (Rpower T K) > 2) ->" in statement_of(_goal("T > 0", "T > 1", "T**K > 2"))
    with pytest.raises(FormulaError, match="a power in a hypothesis whose base may not be positive"):
        statement_of(_goal("T >= 0", "T**K > 2", "T >= 0"))


def test_division_by_the_number_zero_is_not_defined():
    """1/0 is a number in Rocq, and 1/0 == 1/0 would be true."""
    assert "(0 <> 0 /\\ (1 / 0) = (1 / 0))" in statement_of(_goal("1/0 == 1/0"))


def test_names_of_parameters_do_not_meet_those_of_the_proof():
    """H1 would be a hypothesis, `whole` what is said of K, `at` a word of Rocq."""
    proof = to_data(_proof(tm.symbol("H1") + tm.symbol("at") > 0, [tm.symbol("H1") > 0, tm.symbol("at") > 0]))
    text = theorem_of("t1", proof)
    assert "Theorem t1 (H1 at_ : R)" in text
    assert "intros H1." not in text


def _goal(conclusion, *hypotheses):
    return {"parameters": {"T": "real", "K": "real"}, "hypotheses": list(hypotheses), "conclusion": conclusion}
