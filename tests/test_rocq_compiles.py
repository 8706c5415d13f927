"""The proofs in Rocq, compiled where coqc is; `test_rocq` is about the same texts and runs everywhere."""

import importlib.util
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from lpmech import PrivacyLevel
from lpmech.certify import certificate_of
from lpmech.certify.rocq import PROOFS, theorem_of
from lpmech.programs.general import Program
from lpmech.prove import prove
from lpmech.prove.arithmetic import Computed, enclosed_exp, kept_comparisons
from lpmech.prove.balls import enclosed
from lpmech.prove.rocq_arithmetic import HEAD, REALS_HEAD, theorems_of_comparisons
from lpmech.prove.rocq_files import theorem_from, theorems_file
from lpmech.terms import functions as tm


def test_kernel_accepts_every_theorem(tmp_path):
    """Exit code 0 only if all compile and assume nothing but the real numbers; the record that it makes is the one there is."""
    if shutil.which("coqc") is None:
        return
    for path in [*PROOFS.glob("*.v"), PROOFS / "check.py"]:
        shutil.copy(path, tmp_path)
    done = subprocess.run(
        [sys.executable, "check.py"], cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    made, kept = ((place / "record.json").read_text().splitlines() for place in (tmp_path, PROOFS))
    assert made[2:] == kept[2:]  # the second line has the version


def test_theorem_that_assumes_is_refused(tmp_path):
    """By the word that a text must not have, and by what the kernel tells of the theorem."""
    if shutil.which("coqc") is None:
        return
    shutil.copy(PROOFS / "check.py", tmp_path)
    guard = "Fixpoint g (n : nat) : 1 = 2 := g n.\nTheorem u : 1 = 2.\nProof. exact (g 0). Qed.\n"
    text = f"Axiom false : False.\nTheorem t : 1 = 2.\nProof. destruct false. Qed.\nUnset Guard Checking.\n{guard}"
    (tmp_path / "wrong.v").write_text(text)
    done = subprocess.run(
        [sys.executable, "check.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert "wrong.v: t assumes wrong.false" in done.stderr
    assert "wrong.v: u assumes wrong.g is assumed to be guarded." in done.stderr
    assert not (tmp_path / "record.json").exists()


def _coqc(folder, text):
    (folder / "optimum.v").write_text(text)
    return subprocess.run(["coqc", "optimum.v"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)


WEIGHTS = np.array([[Fraction(3, 10), Fraction(0)], [Fraction(-1, 7), Fraction(7, 10)]], dtype=object)


@pytest.mark.parametrize(
    "certificate",
    [
        certificate_of(Program(WEIGHTS, PrivacyLevel.from_ratio(Fraction(5, 2))).solve("exact")),
        certificate_of(Program(WEIGHTS, PrivacyLevel.from_epsilon(1)).solve("interior-point")),
        certificate_of(
            Program(WEIGHTS, PrivacyLevel.from_ratio(Fraction(3)), fixed={(0, 0): Fraction(1, 2)}).solve("exact")
        ),
    ],
    ids=["exact", "two bounds", "prescribed entry"],
)
def test_kernel_accepts_certificates_and_no_damaged_ones(certificate, tmp_path):
    """The theorem compiles; with another dual, entry or bound it does not."""
    if shutil.which("coqc") is None:
        return
    text = theorem_of(certificate)
    done = _coqc(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert "Axioms:" in done.stdout
    start = text.index("Definition design")
    for field in ("duals := [", "entries := [["):
        place = text.index(field, start) + len(field)
        end = min(text.index(sign, place) for sign in "];")
        damaged = text[:place] + f"({text[place:end]} - {10**60})" + text[end:]  # more than any slack of rounding
        assert _coqc(tmp_path, damaged).returncode != 0, field


K, T, X, Y, W = tm.symbols("K t x y w")
STATEMENTS = [
    (T / (T + K - 1) >= 1 / K, [T > 1, K >= 1]),
    (tm.Implies(tm.And(X > 0, Y > X), 1 / Y < 1 / X), []),
    (tm.And(T / (T + K - 1) <= 1, 1 / (T + K - 1) > 0), [T > 1, K >= 1]),
    (tm.Eq((X**2 - Y**2) / (X - Y), X + Y), [X > Y]),
    (X * Y * (X - Y) ** 2 >= 0, [tm.Or(tm.And(X >= 0, Y >= 0), tm.And(X <= 0, Y <= 0))]),
    (W >= 0, [tm.Eq(W, X - Y), X >= Y]),
]

FUNCTIONS = [
    (tm.Eq(tm.sqrt(X) ** 2, X), [X >= 1]),
    (tm.Max(X, Y) >= X, []),
    (Y - X >= 1, [Y > X, tm.Whole(X), tm.Whole(Y)]),
]


def _file(statements):
    answers = [prove(*statement) for statement in statements]
    return theorems_file("a test", [theorem_from(f"part {n}", a.proof, a.example) for n, a in enumerate(answers)])


def test_kernel_accepts_proof_objects_and_no_other_statement(tmp_path):
    """Every shape of statement compiles, with a point of its hypotheses; with another conclusion than is proved none does."""
    if shutil.which("coqc") is None:
        return
    text = _file(STATEMENTS)
    assert "Not written" not in text
    assert text.count("_is_not_empty :") == len(STATEMENTS)
    done = _coqc(tmp_path, text)
    assert done.returncode == 0, done.stderr
    stated = re.search(r">= \(1 / K\)\)\.$", text, re.MULTILINE)
    false = text[: stated.start()] + ">= (2 / K))." + text[stated.end() :]
    assert _coqc(tmp_path, false).returncode != 0


@pytest.mark.parametrize(
    ("says", "false"),
    [
        ("(x >= 0 /\\ ((sqrt x) ^ 2) = x).", "(x >= 0 /\\ ((sqrt x) ^ 2) = (x + 1))."),
        ("((Rmax x y) >= x).", "((Rmax x y) > x)."),
        ("((y - x) >= 1).", "((y - x) >= 2)."),
        ("exists 1", "exists (-1)"),
    ],
    ids=["root", "maximum", "whole", "point"],
)
def test_forged_theorem_is_refused(says, false, tmp_path):
    """The certificate of one relation beside another one, which is false."""
    if shutil.which("coqc") is None:
        return
    text = _file(FUNCTIONS)
    assert says in text
    assert _coqc(tmp_path, text.replace(says, false)).returncode != 0


def test_made_theorems_are_compiled_one_without_the_other(tmp_path):
    """One that Rocq refuses is named, the others are accepted; what assumes more than the real numbers ends it."""
    if shutil.which("coqc") is None:
        return
    spec = importlib.util.spec_from_file_location("proofs_made", PROOFS / "made.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    shutil.copy(PROOFS / "Relations.v", tmp_path)
    subprocess.run(["coqc", "-q", "-R", ".", "lpmech", "Relations.v"], cwd=tmp_path, check=True, timeout=120)
    compiler = made.Compiler(tmp_path, 1, 60)
    theorems = [("a", "Theorem a : 1 < 2.\nProof. lra. Qed."), ("b", "Theorem b : 2 < 1.\nProof. lra. Qed.")]
    assert compiler.accepted(theorems) == ["a"]
    assert compiler.wrong.keys() == {"b"}
    with pytest.raises(SystemExit, match=r"assume part_1\.c"):
        compiler.accepted([("c", "Axiom c : 2 < 1.")])


def test_comparisons_are_computed_by_the_kernel(tmp_path):
    """What was found is accepted, each kind of it, and the opposite of any of it is refused."""
    if shutil.which("coqc") is None:
        return
    with kept_comparisons() as found:
        a, b = Computed("87.67"), Computed("87.6")
        low, high = enclosed_exp(Fraction("4.2"))
        assert not (a + b) / (b / 3) <= abs(b - a) ** 2 - 1
        assert a != b
        assert round(a) == 88
        assert low < Fraction(271, 4)
        assert -a < high
    shutil.copy(PROOFS / "Exponentials.v", tmp_path)
    told = {"cwd": tmp_path, "capture_output": True, "timeout": 300, "check": False}
    assert subprocess.run(["coqc", "-q", "-R", ".", "lpmech", "Exponentials.v"], **told).returncode == 0
    (exponential, rest) = (text for _, text in theorems_of_comparisons(found))
    swapped = exponential.replace(" <= Q2R (", " < Q2R (").replace("Q2R (", "Q2R (1 + ", 1)
    opposite = rest.replace(" > ", " <= ", 1)
    assert rest != opposite
    for text, accepted in ((exponential + rest, True), (swapped, False), (opposite, False)):
        (tmp_path / "made.v").write_text(HEAD + text)
        done = subprocess.run(["coqc", "-q", "-R", ".", "lpmech", "made.v"], **told)
        assert (done.returncode == 0) == accepted, done.stderr


def test_comparisons_of_balls_are_enclosed_by_the_kernel(tmp_path):
    """What balls decide is accepted, with what its terms need to be defined, and the opposite refused; a ball of unknown origin has no theorem.

    Where coq-interval is not installed only the texts are looked at.
    """
    with kept_comparisons() as found:
        x = enclosed("0.3")
        assert (1 - (-x).exp()) / x.sqrt() <= x.log() + 2
        assert not enclosed(2).exp() < 7
    ((name, text),) = theorems_of_comparisons(found)
    assert name.startswith("enclosures_")
    for said in ("(3 / 10) > 0", "(sqrt (3 / 10)) <> 0", "(exp 2) >= 7"):
        assert said in text
    with kept_comparisons() as mixed:
        assert x.exp() > arb(1)
    assert theorems_of_comparisons(mixed) == []
    if shutil.which("coqc") is None:
        return
    for part, accepted in (
        ("Definition n := 1.", True),
        (text, True),
        (text.replace("(exp 2) >= 7", "(exp 2) < 7"), False),
    ):
        (tmp_path / "made.v").write_text(REALS_HEAD + part)
        told = {"cwd": tmp_path, "capture_output": True, "timeout": 300, "check": False}
        done = subprocess.run(["coqc", "-q", "made.v"], **told)
        if part.startswith("Definition") and done.returncode:
            return  # without coq-interval
        assert (done.returncode == 0) == accepted, done.stderr


def test_theorems_of_maxima_go_through_their_cases(tmp_path):
    """One within another; with one more on the right the statement is false, and refused."""
    if shutil.which("coqc") is None:
        return
    x, y = tm.symbols("x y")
    answer = prove(tm.Max(x, tm.Min(y, 1)) >= tm.Min(y, 1), [x >= 0])
    text = theorems_file("maxima", [theorem_from("m", answer.proof, answer.example)])
    assert "destruct (Rle_dec a b)" in text
    wrong = text.replace(">= (Rmin y 1)", ">= (Rmin y 1 + 1)")
    assert wrong != text
    assert _coqc(tmp_path, text).returncode == 0
    assert _coqc(tmp_path, wrong).returncode != 0


LAWS = [
    (tm.Eq(tm.exp(-tm.log(2 / X)), X / 2), [X > 0]),
    (tm.Eq(X ** (2 * K + 1) * X ** (-2 * K), X), [X > 0]),
    (tm.exp(X) >= 1 + X, []),
    (tm.exp(X) >= 1 + X + X**2 / 2 + X**3 / 6, [X >= 0]),
    (X**K >= 1 + K * (X - 1), [X > 0, K >= 1]),
    (tm.exp(X) * (1 - X) <= 1, []),
    (tm.log(X) <= X - 1, [X > 0]),
    (tm.log(X) >= 1 - 1 / X, [X > 0]),
    (X**K >= 1, [X >= 1, K >= 0]),
    (tm.floor(X) > X - 1, []),
    (tm.Piecewise((X / Y, X > Y), (1, True)) >= 1, [Y > 0]),
]


def test_theorems_of_logarithms_powers_roundings_and_cases(tmp_path):
    """Each compiles; the last one with more on the right is false, and refused."""
    if shutil.which("coqc") is None:
        return
    text = _file(LAWS)
    assert "Not written" not in text
    assert "> (x - 1)" in text
    assert "(if Rgt_dec x y then (x / y) else 1)" in text
    assert _coqc(tmp_path, text).returncode == 0
    assert _coqc(tmp_path, text.replace("else 1) >= 1)", "else 1) >= 2)")).returncode != 0
