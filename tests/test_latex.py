"""Verdicts for an appendix: statements that were never written for a compiler must compile, and lose nothing."""

import re
import shutil
import subprocess

import pytest

from lpmech import latex
from lpmech.claims import Claim
from lpmech.latex import appendix
from lpmech.latex.narrow import narrow
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.bibliography import PAPERS, TOOL, entries
from lpmech.papers.replies import Reply
from lpmech.papers.running import ClaimResult
from lpmech.verdicts import Outcome, Verdict


def results(key):
    """Rows of a paper without running it: every text of every claim goes through."""
    for claim in load_paper(key).claims.values():
        outcome = Outcome(claim.recorded, "method", claim.note or "-", "; ".join(claim.mutants))
        yield ClaimResult(claim, outcome, str(claim.recorded))


@pytest.fixture(scope="module")
def tables():
    texts = ("x", "[1] a & b", r"\input{|rm} % ^^M \\ \end{longtable}", "~_^")
    claim = Claim(*texts, Verdict.PROVED, lambda formula: None, None, {})
    nasty = ClaimResult(claim, Outcome(Verdict.REFUTED, "#", "$", "{"), "refuted", "}")
    return "\n".join([appendix("T_i & co", [nasty]), *(appendix(key, list(results(key))) for key in PAPER_KEYS)])


def test_every_text_of_our_papers_is_balanced_and_escaped(tables):
    """What holds without a LaTeX: braces and dollars close in every row, and nothing is left that would be a command."""
    bare = re.sub(r"\\[^A-Za-z]", "", tables)
    for line in bare.splitlines():
        depth = [line[:n].count("{") - line[:n].count("}") for n in range(len(line) + 1)]
        assert min(depth) >= 0
        assert depth[-1] == 0
        assert line.count("$") % 2 == 0
        for prose in line.split("$")[::2]:
            assert not set(prose) & set("^_#~"), prose
    assert r"\textbackslash{}input" in tables
    assert sum(line.endswith(r" \\") and line.startswith("{}") for line in tables.splitlines()) == 1 + sum(
        len(load_paper(key).claims) for key in PAPER_KEYS
    )


def test_the_tables_compile(tables, tmp_path):
    """With LaTeX where one is installed; the test above is about the same tables and runs everywhere."""
    if (compiler := shutil.which("pdflatex")) is None:
        return
    packages = ",".join(latex.PACKAGES)
    (tmp_path / "verdicts.tex").write_text(tables)
    (tmp_path / "paper.tex").write_text(
        f"\\documentclass{{article}}\\usepackage{{{packages}}}\\begin{{document}}\\input{{verdicts}}\\end{{document}}"
    )
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
    assert (tmp_path / "paper.pdf").stat().st_size > 100_000


def test_every_paper_has_a_bibtex_entry_with_its_title_and_authors():
    for key, entry in ((key, paper.bibtex) for key, paper in PAPERS.items() if key != "across"):
        title = load_paper(key).title
        braceless = re.sub(r"[{}]", "", entry)
        assert re.search(r"title = (.*),", braceless)[1] in title
        assert entry.startswith("@")
        assert f"{{{key}," in entry
        assert f"year = {{{key[-4:]}}}" in entry
        for name in re.findall(r"([A-Z]\w+), \w", re.search(r"author = \{([^}]*)\}", entry)[1]):
            assert name in title
        assert entry.count("{") == entry.count("}")
    assert entries(["liu2026", "mine", "across"]) == [PAPERS["liu2026"].bibtex]
    assert "@software{lpmech," in TOOL


def test_what_cannot_be_broken_stands_in_one_line_and_is_the_same_formula():
    """A wide fraction becomes a division, in brackets where a factor follows or where it is divided by; a name breaks at its joints."""
    wide, over = r"\frac{a + b + c + d + e}{2}", r"/\penalty500{}"
    assert narrow(f"${wide}$", 10) == f"$(a+b+c+d+e){over}2$"
    assert narrow(f"${wide} x$", 10) == f"$((a+b+c+d+e){over}2)x$"
    assert narrow(f"$1/{wide}$", 10) == f"$1{over}((a+b+c+d+e){over}2)$"
    assert narrow(r"$\frac{1}{s + \frac{l}{t - 1}}$", 100) == rf"$\frac{{1}}{{s+l{over}(t-1)}}$"
    assert narrow("a (google-research/label-dp, some_name)", 10) == (
        r"a (google-research/\allowbreak{}label-dp, some\_\allowbreak{}name)"
    )
    assert narrow(f"${wide}$", 100) == r"$\frac{a+b+c+d+e}{2}$"
    assert narrow(r"$\{1, 2\}$", 10) == r"$\{1,\allowbreak{}2\}$"
    assert narrow("`src/a.py`", 10) == r"\texttt{src/}\allowbreak{}\texttt{a.}\allowbreak{}\texttt{py}"


def test_replies_stand_where_they_belong():
    first, *_ = results("ghazi2021")
    table = appendix("T", [first], Reply("The authors", "To all: $x$", {first.id: "We mean $t > 1$"}))
    general, _, below = table.partition(r"\begin{longtable}")
    assert r"\paragraph{Reply (The authors).} To all: $x$" in general
    assert r"\emph{Reply:} We mean $t>1$" in below
    assert "Reply" not in appendix("T", [first])
