"""What has a table is made from it: a row that a test adds is offered, computed, printed and drawn everywhere.

Catches a command, a page, a check or a file with a list of names of its own.
"""

import subprocess
import sys

import pytest
from commands import ROOT, lpmech

from lpmech import papers
from lpmech.labels.named_utilities import UTILITIES, NamedUtility
from lpmech.papers.bibliography import PAPERS, Listed
from lpmech.utilities import hit

#: A utility of a test: what counts is that the label is not released as itself.
WORDS = "how often it is another one"
MISS = NamedUtility(WORDS, lambda values, prior, level: 1 - hit(values), formula="Piecewise((0, i == j), (1, True))")
#: The largest share of misses of K labels: one label is released 1/t times as often as each of the K - 1 others.
CONJECTURE = "def value(t, K):\n    return (K - 1) * t / ((K - 1) * t + 1)\n"

#: A paper of a test.
LISTED = Listed(
    "@misc{mine2027,\n  author = {Doe, Jane and Roe, Richard},\n  title = {Even Numbers},\n  year = {2027},\n}\n",
    "parity",
)
PAPER = """
from lpmech.claims import Paper

PAPER = Paper("mine2027", "Doe, Roe: Even Numbers (mine2027)")


@PAPER.claim("Lemma 1", "twice two is even", every="the number", formula=4, mutants={"odd": 3})
def even(number):
    yield number % 2 == 0 or f"{number} is odd"
"""


@pytest.fixture
def miss(monkeypatch):
    monkeypatch.setitem(UTILITIES, "miss", MISS)


def test_a_utility_is_one_in_every_command(miss, tmp_path):
    (tmp_path / "rr.csv").write_text("true,a,b\na,1/4,3/4\nb,3/4,1/4\n")
    (tmp_path / "conjecture.py").write_text(CONJECTURE)
    (tmp_path / "counts.csv").write_text("label,count\na,3\nb,5\nc,1\n")

    def run(*arguments):
        done = lpmech(*arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    public, at = ("--counts-are", "public"), ("--utility", "miss", "--ratio", 3)
    printed = run("design", "counts.csv", *at, *public, "--explain", "--output", "design")
    assert f"utility miss: {WORDS}" in printed
    assert WORDS in (tmp_path / "design" / "design.html").read_text()
    assert not (tmp_path / "design" / "utility.csv").exists()  # its name says what it is
    assert "certified" in run("certify", "design")
    assert "miss" in run("losses", "counts.csv", "--ratio", 3)
    assert "utility miss" in run("regimes", "counts.csv", "--utility", "miss")
    assert "utility miss" in run("epsilons", "counts.csv", "--utility", "miss", "--epsilon", 1)
    assert "miss" in run("explore", "counts.csv", *public, "--output", "explore.html")
    assert WORDS in (tmp_path / "explore.html").read_text()
    run("program", "zhang2025", "counts.csv", *at)
    assert "0.75" in run("check", "rr.csv", *at)  # of two labels at t = 3 the other one is released three times in four
    assert "certified" in run("check", "conjecture.py", "--utility", "miss", "--largest", 3)
    assert "t*(K - 1)/(K*t - t + 1)" in run("discover", "--utility", "miss", "--largest", 6)


def test_a_paper_is_one_in_every_command(monkeypatch, tmp_path):
    """Beside its claims it has a row; `docs/papers.toml` has its numbered items, where it numbers any."""
    (tmp_path / "mine2027.py").write_text(PAPER)
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    monkeypatch.setitem(PAPERS, "mine2027", LISTED)

    def run(*arguments):
        done = lpmech(*arguments, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    code, text = run("verify", "mine2027", "--jobs", 1, "--bibtex", "mine.bib", "--json", "mine.json")
    assert (code, "1 claim: 1 proved; all as recorded" in text) == (0, True)
    assert LISTED.bibtex in (tmp_path / "mine.bib").read_text()
    assert '"mine2027"' in (tmp_path / "mine.json").read_text()
    assert "is even" in run("show", "mine2027", "Lemma 1")[1]
    assert run("report", "mine2027", "--jobs", 1, "--output", "mine.html")[0] == 0
    assert LISTED.bibtex in run("bibtex")[1]
    assert "zhao2025, mine2027" in run("bibtex", "your2027")[1]
    assert "mine2027" in run("verify", "your2027")[1]
    assert "mine2027" in run("new", "paper", "mine2027")[1]


def test_what_is_in_a_table_is_in_help_and_on_pages():
    code = f"""
import sys
from pathlib import Path
sys.path[:0] = ["docs", "tests"]
from lpmech.labels.named_utilities import UTILITIES, NamedUtility
from lpmech.papers.bibliography import PAPERS, Listed
UTILITIES["miss"] = NamedUtility({WORDS!r}, None)
PAPERS["mine2027"] = Listed({LISTED.bibtex!r}, {LISTED.about!r})
import where, made_pages, readme_outputs
print(readme_outputs.table("utilities"), readme_outputs.table("papers"), "====")
print(*(text for entry in made_pages.PAPERS for text in entry), *where.PAPERS, "====")
print(made_pages._commands())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300, check=True
    )
    tables, keys, commands = done.stdout.split("====")
    assert f"| `miss` | {WORDS} |" in tables
    assert "| `mine2027` | Doe, Roe: *Even Numbers* (parity) |" in tables
    assert keys.split().count("mine2027") == 2  # a page of its own, and a part of the table of formulas
    options = [line for line in commands.splitlines() if "--utility" in line and "CSV file" in line]
    assert len(options) == 7
    assert all("miss" in line for line in options)
    assert "zhao2025, across, mine2027" in commands
