"""Proof objects as texts in Rocq; `test_rocq_compiles` has some compiled."""

import pytest
from commands import lpmech

from lpmech.errors import FormulaError
from lpmech.prove import prove
from lpmech.prove.objects import to_data
from lpmech.prove.proof_files import proof_file
from lpmech.prove.rocq import theorem_of
from lpmech.prove.rocq_files import theorems_file
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


def test_whole_numbers_are_no_hypothesis():
    """The theorem is then about all real numbers, and says more."""
    assert "Integers" not in _statement(T * K >= K, [tm.Whole(K), T > 1, K >= 1])


def test_names_of_rocq_are_not_hidden():
    """A parameter called R would be its type."""
    assert "Theorem t1 (R_ : R) :" in _statement(tm.symbol("R") ** 2 >= 0, [])


def test_alternatives_are_each_defined_and_true():
    stated = _statement(tm.Implies(X > 0, 1 / X > 0), [])
    assert "((x <= 0) \\/ (x <> 0 /\\ (1 / x) > 0))" in stated


def test_what_has_no_form_is_refused_by_name():
    with pytest.raises(FormulaError, match=r"got '(the rule known|Max|sqrt)'; allowed: rational functions"):
        theorem_of("t1", to_data(_proof(tm.Max(X, Y) >= X, [])))


def test_file_names_what_is_not_written():
    proofs = [("first", _proof(X**2 >= 0, [])), ("second", _proof(tm.Max(X, Y) >= X, []))]
    text, written, parts = theorems_file(proof_file('a title *) "here', proofs))
    assert (written, parts) == (1, 2)
    assert "Theorem part_1_first" in text
    assert "Not written. second:" in text
    assert "a title * ) 'here" in text


def test_command_writes_a_theorem(tmp_path):
    done = lpmech("check", "t/(t+K-1) >= 1/K", "--rocq", tmp_path / "statement.v")
    assert done.returncode == 0
    text = (tmp_path / "statement.v").read_text()
    assert text.count("\nTheorem ") == 1
    assert text.rstrip().endswith("Qed.")


def test_command_refuses_what_is_not_proved_or_has_no_form(tmp_path):
    for statement in ("t/(t+K-1) >= 1", "sqrt(t) >= 1"):
        done = lpmech("check", statement, "--rocq", tmp_path / "statement.v")
        assert done.returncode != 0
        assert not (tmp_path / "statement.v").exists()


def test_verify_writes_a_file_for_each_claim(tmp_path):
    done = lpmech("verify", "liu2026", "--only", "Lemma 3.1 (beta, S~2 empty)", "--rocq", tmp_path, "--jobs", "1")
    assert done.returncode == 0
    (file,) = (tmp_path / "liu2026").glob("*.v")
    assert "theorems in Rocq: " in done.stdout
    assert file.stem.isidentifier()  # or coqc refuses the file
    assert "Theorem part_1" in file.read_text()
