"""The verdicts as Markdown with formulas between dollars, to be put into a review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lpmech import __version__
from lpmech.claims import Consequence, Kind, Paper
from lpmech.mathematics import markdown_of
from lpmech.pages.claims import Ran
from lpmech.pages.provenance import Provenance
from lpmech.papers.bibliography import judged
from lpmech.papers.objects import proofs_of
from lpmech.papers.replies import reply_to
from lpmech.papers.running import ClaimResult
from lpmech.prove.referee import CONVENTION, in_short, stated
from lpmech.verdicts import Verdict

__all__ = ["review"]


def review(ran: Sequence[Ran], made: Provenance) -> str:
    """First what is not simply true, the gravest first, then everything else in short.

    Parameters
    ----------
    ran : sequence of (Paper, sequence of ClaimResult)
        As for `lpmech.pages.claims.claims_page`.
    made : Provenance
    """
    parts = ["\n".join(_of_paper(paper, results)) for paper, results in ran]
    meanings = [f"- *{verdict}*: {verdict.meaning}." for verdict in Verdict]
    of = f", commit {made.commit}" if made.commit else ""
    told = f"Made on {made.day} by `{made.command}`, lpmech {__version__}{of}."
    return "\n\n".join([*parts, "## What the verdicts mean", "\n".join(meanings), told]) + "\n"


def _of_paper(paper: Paper, results: Sequence[ClaimResult]) -> Iterator[str]:
    every = {result.id: result for result in results}
    counts = Counter(result.verdict for result in results)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in [*Verdict, "error"] if counts[verdict])
    yield f"# {markdown_of(paper.title)}\n"
    yield f"{len(results)} claim{'s' * (len(results) != 1)}: {told}.\n"
    if text := judged(paper.key):
        yield f"Judged: {markdown_of(text)}.\n"
    reply = reply_to(paper)
    if reply.general:
        yield f"The authors reply ({markdown_of(reply.by)}): {markdown_of(reply.general)}\n"
    simple = [verdict for verdict in Verdict if verdict.holds]
    grave = sorted((r for r in results if r.verdict not in simple), key=_gravity)
    if grave:
        yield "## What is not simply true\n"
    for result in grave:
        yield from _finding(result, every.get(result.repaired_by or ""), reply.claims.get(result.id, ""))
    holding = [result for result in results if result.verdict in simple]
    if holding:
        yield "## What holds\n"
        yield from (line for result in holding for line in _holding(result))
        yield ""
    yield from _proofs(results)
    if paper.not_checkable:
        yield "## Left out\n"
        yield from (f"- {markdown_of(item)}: {markdown_of(why)}" for item, why in paper.not_checkable.items())


def _proofs(results: Sequence[ClaimResult]) -> Iterator[str]:
    """The proofs of relations, a list of lines for each."""
    if any(map(proofs_of, results)):
        yield f"## Proofs\n\n{CONVENTION}\n"
    for result in results:
        for name, node, where in proofs_of(result):
            yield f"**{markdown_of(result.id)}**, {markdown_of(name)}: {markdown_of(stated(node.goal))}\n"
            yield from (f"{'  ' * line.depth}- {markdown_of(str(line))}" for line in in_short(node, where))
            yield ""


def _how(result: ClaimResult) -> str:
    kernel = ", by a kernel as well" if result.kernel else ""
    return f"{result.in_full}, {markdown_of(result.outcome.method)}{kernel}"


def _gravity(result: ClaimResult) -> tuple[bool, int]:
    """The place of its consequence, none last; an error or an undecided claim first, questions of ours at the end."""
    if not result.outcome.verdict.is_not_true:
        return False, -1
    consequence = result.claim.consequence
    place = len(Consequence) if consequence is None else list(Consequence).index(consequence)
    return result.claim.kind is Kind.OURS, place


def _holding(result: ClaimResult) -> Iterator[str]:
    """A line, under which hypotheses, the evidence where no relation was decided for all parameters, and the note."""
    claim, outcome = result.claim, result.outcome
    yield f"- **{markdown_of(result.id)}** ({_how(result)}): {markdown_of(claim.statement)}"
    given = outcome.given[0] if len(outcome.given) == 1 else ""
    for name, texts in (
        ("for", [given, claim.hypotheses]),
        ("evidence", [] if result.verdict == Verdict.PROVED and outcome.decided else [outcome.evidence]),
        ("compared", outcome.compared),
        ("note", [claim.note]),
    ):
        if text := "; ".join(map(markdown_of, filter(None, texts))):
            yield f"  - {name}: {text}"


def _finding(result: ClaimResult, repair: ClaimResult | None, reply: str) -> Iterator[str]:
    claim, outcome = result.claim, result.outcome
    about = "ours" if claim.kind is Kind.OURS else claim.consequence
    yield f"### {markdown_of(result.id)}: {result.verdict}{f' ({about})' * bool(about)}\n"
    yield f"> {markdown_of(claim.statement)}\n"
    for name, texts in (
        ("for", [*outcome.given, claim.hypotheses]),
        ("fails at", [] if result.readings else [outcome.counterexample]),
        ("since", outcome.arithmetic),
        ("evidence", [] if result.readings else [outcome.evidence]),
    ):
        if text := "; ".join(map(markdown_of, filter(None, texts))):
            yield f"- {name}: {text}"
    yield from (f"- decided: {markdown_of(d.asked)} ({markdown_of(d.how)})" for d in outcome.decided)
    yield from (
        f"- read as “{markdown_of(reading)}”: {markdown_of(found)}" for reading, found in result.readings.items()
    )
    if repair is not None:
        yield f"- right is: {markdown_of(repair.claim.statement)} ({_how(repair)})"
    if claim.note:
        yield f"- note: {markdown_of(claim.note)}"
    if reply:
        yield f"- the authors reply: {markdown_of(reply)}"
    if not result.as_expected:
        yield f"- not as recorded: {claim.recorded}"
    yield ""
