"""A certificate as a text in Rocq; `test_rocq_compiles` has it compiled."""

import re
from fractions import Fraction

import numpy as np
import pytest
from commands import lpmech

from lpmech import PrivacyLevel
from lpmech.certify import certificate_of, rocq
from lpmech.errors import CertificateError, DataFileError
from lpmech.programs.general import Program


def _solved(weights, ratio=2, names=None, **options):
    exact = np.array([[Fraction(w) for w in row] for row in weights], dtype=object)
    named = {} if names is None else {"inputs": names, "outputs": names}
    return certificate_of(Program(exact, PrivacyLevel.from_ratio(Fraction(ratio)), **named, **options).solve("exact"))


def _field(text, name):
    return re.search(rf"^  {name} := (.*?)(?:;$(?=\n  \w+ :=)|\n\|\}})", text, re.DOTALL | re.MULTILINE)[1]


def test_numbers_are_those_of_the_certificate():
    """RR on two labels at t = 2, uniform prior: value 2/3, channel 2/3 and 1/3, duals 1/3 each; weights 1/2 = 3/6, duals 2/6."""
    text = rocq.theorem_of(_solved([["1/2", 0], [0, "1/2"]]))
    assert [_field(text, name) for name in ("K", "J", "unit", "one")] == ["2%nat", "2%nat", "6", "3"]
    assert _field(text, "weights") == "times 3 [[1; 0];\n    [0; 1]]"
    assert _field(text, "entries") == "[[2; 1];\n    [1; 2]]"
    assert [_field(text, name) for name in ("duals", "prescribed", "ratio_low", "ratio_high", "least", "most")] == [
        "[2; 2]", "[]", "(2, 1)", "(2, 1)", "(2, 3)", "(2, 3)"
    ]  # fmt: skip
    assert "Theorem the_optimum t : IZR (2) / IZR 1 <= t <= IZR (2) / IZR 1 ->" in text
    assert "value 2 2 (u design) r <= IZR (2) / IZR 3." in text


def test_file_stands_alone_and_assumes_nothing():
    text = rocq.theorem_of(_solved([[1, 0], [0, 1]]))
    assert "From lpmech" not in text
    assert text.count("From Coq Require Import") == 1
    assert not re.search(r"\b(Admitted|Axiom|Parameter|admit)\b", text)


def test_labels_cannot_end_the_comment():
    """A label with a comment's end would become part of the theory: here a theorem of its own."""
    text = rocq.theorem_of(_solved([[1, 0], [0, 1]], names=['*) Axiom a : False. (*"', "b"]))
    head = text[: text.index("From Coq")]
    assert head.count("*)") == head.count("(*") == 1
    assert '"' not in head


def test_prescribed_entries_are_in_the_statement():
    text = rocq.theorem_of(_solved([[1, 0], [0, 1]], 3, fixed={(0, 0): Fraction(1, 2)}))
    assert _field(text, "prescribed").startswith("times")
    assert "at_place (prescribed design) y j <> 0%Z -> r y j = q design y j" in " ".join(text.split())


def test_common_denominators_have_a_limit(monkeypatch):
    monkeypatch.setattr(rocq, "_MOST_BITS", 1)
    with pytest.raises(CertificateError, match=r"common denominator has more than 1 bits"):
        rocq.theorem_of(_solved([["1/2", 0], [0, "1/2"]]))


def test_theory_that_is_missing_is_named(monkeypatch, tmp_path):
    certificate = _solved([[1, 0], [0, 1]])
    monkeypatch.setattr(rocq, "PROOFS", tmp_path)
    with pytest.raises(DataFileError, match=r"lpmech with its proofs"):
        rocq.theorem_of(certificate)


def test_command_writes_the_theorem(tmp_path):
    proof, theorem = tmp_path / "certificate.json", tmp_path / "optimum.v"
    proof.write_text(_solved([["1/2", 0], [0, "1/2"]]).to_json())
    done = lpmech("certify", proof, "--rocq", theorem)
    assert done.returncode == 0
    assert "certified" in done.stdout
    assert "Theorem the_optimum" in theorem.read_text()


def test_what_is_not_certified_is_not_written(tmp_path):
    proof, theorem = tmp_path / "certificate.json", tmp_path / "optimum.v"
    proof.write_text(_solved([["1/2", 0], [0, "1/2"]]).to_json().replace('"2/3"', '"3/4"'))
    done = lpmech("certify", proof, "--rocq", theorem)
    assert done.returncode == 2
    assert not theorem.exists()
