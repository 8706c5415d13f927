"""Proofs as lines for a referee: exact text for three, and what holds for every kind."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from commands import lpmech
from proof_corpus import STATEMENTS, proved

from lpmech.latex import PACKAGES, appendix
from lpmech.latex.proofs import proof_in_latex, proofs_in_latex
from lpmech.mathematics import latex_of, markdown_of, unicode_of
from lpmech.pages.claims import claims_page
from lpmech.pages.provenance import provenance
from lpmech.pages.review import review
from lpmech.papers import load_paper
from lpmech.papers.objects import proofs_of, run_with_objects
from lpmech.papers.running import select_claims
from lpmech.prove import prove
from lpmech.prove.objects import Goal, Products
from lpmech.prove.referee import CONVENTION, Line, in_short, lines_of
from lpmech.terms.reader import read_condition


def shown(text, *hypotheses):
    names = ["t", "K", "p", "q", "x"]
    answer = prove(read_condition(text, names), [read_condition(h, names) for h in hypotheses])
    return lines_of(answer.proof)


def test_products_in_full():
    # p - p q = p (1 - q): the side of p >= 0 times the side of q <= 1
    assert shown("p*q <= p", "p >= 0", "q <= 1") == (
        Line(r"$p q \le p$, since $p \ge 0$, $q \le 1$:", "p - p q", ("p (1 - q)",)),
    )


def test_a_denominator_first():
    # t/(t + 1) - 1/2 times t + 1 is (t - 1)/2
    assert shown("t/(t + 1) >= 1/2", "t > 1") == (
        Line("$t + 1 > 0$, since $t > 1$:", "t + 1", ("t - 1", "2")),
        Line(
            r"$\frac{t}{t + 1} \ge \frac{1}{2}$, since $t > 1$, $t + 1 > 0$:",
            r"(\frac{t}{t + 1} - \frac{1}{2}) (t + 1)",
            (r"\frac{1}{2} (t - 1)",),
        ),
    )


def test_an_induction_in_full():
    assert lines_of(proved("induction").proof) == (
        Line("$2^{n} \\ge n^{2}$ by induction on $n$, from $4$ on."),
        Line("Its step: $2^{n + 1} \\ge (n + 1)^{2}$."),
        Line(
            r"$2 \cdot 2^{n} \ge (n + 1)^{2}$, since $2^{n} \ge n^{2}$, $n \ge 4$:",
            r"2 \cdot 2^{n} - (n + 1)^{2}",
            ("2 (2^{n} - n^{2})", "7", "6 (n - 4)", "(n - 4)^{2}"),
            depth=1,
        ),
    )


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_kind_of_proof_has_lines_that_every_printer_prints(name):
    lines = lines_of(proved(name).proof)
    assert lines
    for line in lines:
        assert line.text
        assert "n_1_" not in line.text
        assert unicode_of(line.text)
        assert latex_of(line.text).count("$") % 2 == 0
        assert bool(line.left) == bool(line.summands)


def test_long_proofs_are_referred_to():
    goal = Goal({"x": "real"}, ("x > 1",), "x > 0")
    steps = Products(goal, ())
    assert proof_in_latex(steps, "file.json").startswith(r"\emph{Proof.}")
    long = proved("powers by their logarithms").proof
    printed = proof_in_latex(long, "`file.json`")
    assert printed.startswith("\\emph{Proof.}\nOf ")
    assert r"too long to be printed: \texttt{file.json}." in printed


def test_check_writes_lines_that_compile(tmp_path):
    file = tmp_path / "proof.tex"
    assert lpmech("check", "t/(t+K-1) >= 1/K", "--latex", file).returncode == 0
    text = file.read_text("utf-8")
    assert r"$\frac{t}{K+t-1}\ge\frac{1}{K}$ where $t>1$, $K\ge2$, $K\in\mathbb{Z}$." in text
    assert r"&= (K - 2) (t - 1) + t - 1" in text
    refused = lpmech("check", "t/(t+K-1) >= 1", "--latex", tmp_path / "none.tex")
    assert refused.returncode == 2
    assert not (tmp_path / "none.tex").exists()
    every = proofs_in_latex([proved(name).proof for name in STATEMENTS], "file.json")
    if (compiler := shutil.which("pdflatex")) is None:
        return
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{{article}}\\usepackage{{{','.join(PACKAGES)}}}\\begin{{document}}{text}\n{every}\\end{{document}}"
    )
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


def test_an_appendix_has_the_proofs_below_its_table():
    results = (run_with_objects(paper, id) for paper, id in select_claims(["kairouz2016"]))
    result = next(result for result in results if result.objects)
    text = appendix("A paper", [result])
    table, proofs = text.split(r"\end{longtable}")
    assert r"\square" not in table
    assert proofs.count(r"\paragraph{Proofs.}") == 1
    shown = [name for name, missing in result.objects if not missing]
    assert shown
    assert proofs.count(r"$\square$") == len(shown)
    assert appendix("A paper", [replace(result, objects=(), proof_file="")]).count(r"\paragraph") == 0


def test_the_report_has_the_proofs_folded_and_the_review_has_them_at_its_end():
    paper, every = "kairouz2016", select_claims(["kairouz2016"])
    result = next(result for result in (run_with_objects(*one) for one in every) if result.objects)
    lines, short = ([x for _, *one in proofs_of(result) for x in in_short(*one, *most)] for most in ((), (300,)))
    assert any(line.left for line in short)
    html, text = (make([(load_paper(paper), [result])], provenance()) for make in (claims_page, review))
    (folded,) = re.findall(r'<details class="proofs">.*?</details>', html, re.DOTALL)
    assert folded.count("<li") == len(short)
    assert "$" not in folded  # all of it is read, so that it is set as mathematics
    proofs = text[text.index("## Proofs") :]
    assert all(markdown_of(str(line)) in proofs for line in lines)
    for page in (html, text):
        assert page.count(CONVENTION) == 1
    bare = replace(result, objects=(), proof_file="")
    html, text = (make([(load_paper(paper), [bare])], provenance()) for make in (claims_page, review))
    assert "line by line" not in html
    assert "## Proofs" not in text


def test_a_premise_in_a_letter_that_is_a_word_of_python_is_shown_as_mathematics():
    # once the lines of a paper's claim ended in an error, then its relations stood there as code
    given = [read_condition(text, ["lambda", "t"]) for text in ("t >= 0", "lambda <= 1")]
    answer = prove(read_condition("lambda*t <= t", ["lambda", "t"]), given)
    assert lines_of(answer.proof) == (
        Line(r"$\lambda t \le t$, since $t \ge 0$, $\lambda \le 1$:", r"t - \lambda t", (r"t (1 - \lambda)",)),
    )


def test_a_case_that_is_known_to_apply_is_not_announced_and_no_plus_stands_before_a_minus():
    # printed were "Case :" and "1 - p + -p + q"
    lines = [
        *shown("Max(p, 1 - p) <= 3/5", "p >= 2/5", "p <= 3/5"),
        *shown("Max(p - q, q - p) <= 1", "p >= 0", "p <= 1", "q >= 0", "q <= 1"),
    ]
    assert not any("Case :" in line.text for line in lines)
    assert not any(summand.startswith("-") for line in lines for summand in line.summands[1:])
