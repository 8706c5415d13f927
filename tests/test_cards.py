"""What the reader sees: few lines, the gravest first, nothing raw."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from lpmech.cli.common import followed
from lpmech.mathematics import unicode_of
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.headlines import gravest
from lpmech.papers.running import ClaimResult
from lpmech.report.cards import headlines, index, left_out, others, summary
from lpmech.report.console import Fitted, console, is_cut
from lpmech.verdicts import Outcome, Verdict

LONG = "a text that is longer than any line " * 6


def result_of(paper, claim):
    """The row of a claim without running it; what a run would say is as long as can be."""
    repair = paper.repair_of(claim.id)
    readings = {text: Outcome(verdict, "method", LONG) for text, verdict in claim.readings.items()}
    outcome = Outcome(claim.recorded, "method", LONG, LONG if claim.recorded == "refuted" else None, readings)
    return ClaimResult(claim, outcome, str(claim.recorded), None if repair is None else repair.id)


def printed(key, *parts):
    paper = load_paper(key)
    results = [result_of(paper, claim) for claim in paper.claims.values()]
    console = Console(file=io.StringIO(), width=100, highlight=False, force_terminal=True, color_system=None)
    for part in parts:
        console.print(part(paper, results))
    return [line for line in console.file.getvalue().splitlines() if line.strip()]


FIVE = ("ghazi2021", "zhang2025", "zheng2025", "liu2026", "zhao2025")


def test_the_five_papers_fit_in_250_lines_and_a_card_in_six(monkeypatch):
    # a rule above each paper and its summary are not counted among the cards; texts here are longer than any ...
    assert all(len(printed(key, headlines)) <= 6 * 10 for key in FIVE)
    # ... and here as long as most are
    monkeypatch.setattr("test_cards.LONG", "a text that is as long as most counterexamples and readings are")
    assert sum(len(printed(key, headlines)) + 2 for key in FIVE) <= 250


def test_a_paper_has_seven_cards_at_most_and_a_card_names_no_method():
    """In a pipe nothing is cut: ten cards a paper, with the methods of what is right, were 310 lines for all papers."""
    paper = load_paper("liu2026")
    results = [result_of(paper, claim) for claim in paper.claims.values()]
    assert len(gravest(results)) == 7
    assert "(proved)" in "\n".join(printed("liu2026", headlines))
    assert "method" not in "\n".join(printed("liu2026", headlines))


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_one_paper_fits_in_150_lines_and_leaves_no_finding_out(key):
    lines = printed(key, headlines, others)
    assert len(lines) <= 150
    text = "\n".join(lines)
    found = [c.id for c in load_paper(key).claims.values() if c.recorded in ("refuted", "unclear")]
    assert [id for id in found if id[:80] not in text] == []
    assert "\\" not in text


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_the_index_has_every_claim_once(key):
    paper = load_paper(key)
    lines = printed(key, index, left_out)
    assert len(lines) == len(paper.claims) + len(paper.not_checkable)


@pytest.mark.parametrize("key", FIVE)
def test_a_file_has_everything_on_lines_of_its_own(key):
    paper = load_paper(key)
    results = [result_of(paper, claim) for claim in paper.claims.values()]
    file = io.StringIO()
    for part in (headlines, others, index, left_out):
        Console(file=file, width=100, highlight=False).print(part(paper, results))
    lines = file.getvalue().splitlines()
    assert all(cell_len(line.rstrip()) <= 100 for line in lines)
    assert "[…]" not in file.getvalue()
    words = re.sub(r"\W", "", file.getvalue())
    for text in (text for claim in paper.claims.values() if claim.headline is not None for text in (claim.statement,)):
        assert re.sub(r"\W", "", unicode_of(text)) in words, text


def test_what_is_cut_on_a_terminal_says_so():
    text = Fitted(Text("word " * 40))
    terminal = Console(file=io.StringIO(), width=50, force_terminal=True, color_system=None)
    terminal.print(text)
    assert terminal.file.getvalue().rstrip().endswith("[…]")
    assert len(terminal.file.getvalue().rstrip()) <= 50
    assert is_cut(terminal, Group(text))
    assert not is_cut(terminal, Fitted(Text("word")))


def test_no_blanks_end_a_line_of_a_file(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    table = Table("a", "b", box=None)
    table.add_row("x", "")
    console().print(table)
    console().print("word " * 30)
    lines = capsys.readouterr().out.splitlines()
    assert all(line == line.rstrip() for line in lines)
    assert max(map(len, lines)) <= 100


def test_the_reason_of_an_error_is_told():
    paper = load_paper("holohan2017")
    result = result_of(paper, next(iter(paper.claims.values())))
    astray = replace(result, verdict="error", outcome=Outcome(Verdict.UNDECIDED, "ValueError", "no such row"))
    assert f"{result.id} (error instead of proved: ValueError: no such row)" in summary("p", [astray])


def test_the_gravest_consequence_comes_first():
    lines = printed("liu2026", headlines)
    heads = [line.rsplit("[", 1)[1].rstrip("]") for line in lines if line.endswith("]") and not line.startswith(" ")]
    order = ["privacy", "optimality", "bound", "formula", "proof", "wording"]
    assert heads == sorted(heads, key=order.index)
    assert heads[0] == "optimality"


def test_off_a_terminal_lines_on_stderr_say_how_far_it_is(capsys, monkeypatch):
    assert followed("ab", 2, str) == ["a", "b"]
    assert capsys.readouterr().err == ""  # a short command says nothing
    monkeypatch.setattr("lpmech.cli.common.PROGRESS_SECONDS", 0.0)
    followed("ab", 2, str)
    assert capsys.readouterr().err.splitlines() == ["1 of 2: a", "2 of 2: b"]
