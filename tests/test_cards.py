"""What the reader sees: few lines, the gravest first, nothing raw."""

import io

import pytest
from rich.console import Console

from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.running import ClaimResult
from lpmech.report.cards import headlines, index, left_out, others

LONG = "a text that is longer than any line " * 6


def result_of(paper, claim):
    """The row of a claim without running it; what a run would say is as long as can be."""
    repair = paper.repair_of(claim.id)
    return ClaimResult(
        paper.key, claim.id, claim.statement, claim.hypotheses, str(claim.recorded), str(claim.recorded), "method", LONG,
        LONG if claim.recorded == "refuted" else None, None if repair is None else repair.id, claim.repairs, str(claim.kind),
        claim.consequence, claim.headline, claim.uses, claim.note, 0.0, 1, None, (),
        readings={text: f"{verdict}: {LONG}" for text, verdict in claim.readings.items()},
    )  # fmt: skip


def printed(key, *parts):
    paper = load_paper(key)
    results = [result_of(paper, claim) for claim in paper.claims.values()]
    console = Console(file=io.StringIO(), width=100, highlight=False)
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


def test_the_gravest_consequence_comes_first():
    lines = printed("liu2026", headlines)
    heads = [line.rsplit("[", 1)[1].rstrip("]") for line in lines if line.endswith("]") and not line.startswith(" ")]
    order = ["privacy", "optimality", "bound", "formula", "proof", "wording"]
    assert heads == sorted(heads, key=order.index)
    assert heads[0] == "privacy"
