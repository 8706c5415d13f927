"""What has a table is made from it: a row that a test adds is offered, computed, printed and drawn everywhere.

Catches a command, a page, a check or a file with a list of names of its own.
"""

import subprocess
import sys
from fractions import Fraction

import pytest
from commands import ROOT, lpmech

from lpmech.labels.named_utilities import UTILITIES, NamedUtility
from lpmech.utilities import hit

#: A utility of a test: what counts is that the label is not released as itself.
WORDS = "how often it is another one"
MISS = NamedUtility(WORDS, lambda values, prior, level: 1 - hit(values), entry=lambda y, j: Fraction(y != j))
#: The largest share of misses of K labels: one label is released 1/t times as often as each of the K - 1 others.
CONJECTURE = "def value(t, K):\n    return (K - 1) * t / ((K - 1) * t + 1)\n"


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


def test_a_utility_is_one_in_help_and_site():
    code = f"""
import sys
sys.path.insert(0, "docs")
from lpmech.labels.named_utilities import UTILITIES, NamedUtility
UTILITIES["miss"] = NamedUtility({WORDS!r}, None)
from made_pages import _commands, utility_table
print(utility_table(), "====", _commands(), sep="\\n")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300, check=True
    )
    table, commands = done.stdout.split("====")
    assert f"| `miss` | {WORDS} |" in table
    options = [line for line in commands.splitlines() if "--utility" in line and "CSV file" in line]
    assert len(options) == 6
    assert all("miss" in line for line in options)
