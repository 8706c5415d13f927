"""Verdicts on a paper, for people: the few that matter as cards, the others as lines, one claim as a whole card."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from flint import arb, fmpq
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from lpmech.claims import Claim, Paper
from lpmech.claims.at import Compared
from lpmech.claims.derived import DerivedFates
from lpmech.claims.self_test import NOT_TESTED, Trial
from lpmech.mathematics import unicode_of
from lpmech.mathematics.told import in_notation
from lpmech.papers.headlines import gravest
from lpmech.papers.replies import reply_to
from lpmech.papers.running import ClaimResult, errors_of
from lpmech.report.console import VERDICT_STYLES, Fitted
from lpmech.verdicts import Verdict

__all__ = ["claim_card", "compared_table", "derived_table", "headlines", "index", "left_out", "others", "summary"]

#: Most digits of a number that is printed exactly.
_LONGEST = 40

#: Most characters of two lines of a hundred columns, and of one, so that a card has at most six lines.
_TOLD, _LAST = 170, 88


def summary(paper: str, results: Sequence[ClaimResult]) -> str:
    """One line: how many claims got which verdict, and which are not as recorded."""
    counts = Counter(r.verdict for r in results)
    proved = [r for r in results if r.verdict == Verdict.PROVED]
    how = {
        "the rule, its function certified": sum(bool(r.outcome.function) for r in results),
        "by a kernel as well": sum(bool(r.kernel) for r in results),
        "with two SMT solvers": sum("SMT" in r.outcome.method for r in proved),
        "with a step told in words": sum(bool(r.claim.in_words) for r in proved),
    }
    further = {Verdict.PROVED: ", ".join(f"{number} {words}" for words, number in how.items() if number)}
    errors = len(errors_of(results))
    if 0 < errors < counts[Verdict.REFUTED] + counts[Verdict.AGAINST]:
        denied = Verdict.REFUTED if counts[Verdict.REFUTED] else Verdict.AGAINST
        further[denied] = f"{errors} distinct error{'s' * (errors != 1)} of the paper"
    verdicts = ", ".join(
        f"{counts[v]} {v}" + (f" ({further[v]})" if further.get(v) else "") for v in [*Verdict, "error"] if counts[v]
    )
    line = f"{paper}: {len(results)} claim{'s' * (len(results) != 1)}: {verdicts}"
    if tested := [r.trial for r in results if r.trial is not None]:
        rejected, written = sum(trial.rejected for trial in tested), sum(len(r.claim.mutants) for r in results)
        line += f"; {rejected:,} of {written:,} written mutants rejected; derived: {_derived(tested)}"
    astray = [_astray(r) for r in results if not r.as_recorded]
    return f"{line}; NOT AS RECORDED: {'; '.join(astray)}" if astray else f"{line}; all as recorded"


def _derived(trials: Sequence[Trial]) -> str:
    """How many derived mutants had which fate."""
    counts = sum((Counter(trial.derived) for trial in trials), Counter[str]())
    words = {"killed": "killed", "equivalent": "equal or right as well", "undecided": "undecided"}
    told = [f"{counts[fate]:,} {word}" for fate, word in words.items()]
    return ", ".join([*told, f"{counts['accepted']:,} ACCEPTED"] if counts["accepted"] else told)


def _astray(result: ClaimResult) -> str:
    outcome, recorded = result.outcome, result.claim.recorded
    why = unicode_of(outcome.counterexample or f"{outcome.method}: {outcome.evidence}")
    reasons = [] if result.as_expected else [f"{result.verdict} instead of {recorded}: {why}"]
    return f"{result.id} ({', '.join([*reasons, *map(unicode_of, result.complaints)])})"


def headlines(_: Paper, results: Sequence[ClaimResult]) -> Group:
    """Cards of three to five lines: what is claimed, where it fails, what is right instead."""
    return Group(*(line for result in gravest(results) for line in _card(result, {r.id: r for r in results})))


def _card(result: ClaimResult, every: dict[str, ClaimResult]) -> Iterator[RenderableType]:
    claim = result.claim
    heading = Text.assemble((result.word, VERDICT_STYLES.get(result.verdict, "")), "  ", (result.id, "bold"))
    if claim.consequence:
        heading.append(f"  [{claim.consequence}]", style="dim")
    yield heading
    statement = unicode_of(claim.statement)
    yield _field("claimed", statement)
    long = len(statement) > _LAST
    if result.readings:
        told = "; ".join(f"{unicode_of(text)}: {unicode_of(found)}" for text, found in result.readings.items())
        yield _field("but", told)
    else:
        told = unicode_of(result.outcome.counterexample or "") if result.outcome.verdict.denies else ""
        if told:
            yield _field("fails at", told)
    repair = every.get(result.repaired_by or "")
    if repair is not None:
        yield _field(
            "right is",
            unicode_of(f"{_whole(repair, claim)} ({repair.verdict})"),
            _LAST if long or len(told) > _LAST else _TOLD,
        )
    elif claim.note and not long and len(told) <= _LAST:
        yield _field("note", unicode_of(claim.note), _LAST)


def _whole(repair: ClaimResult, claim: Claim) -> str:
    """What is right, with its hypotheses where they are others."""
    other = repair.claim.hypotheses if repair.claim.hypotheses != claim.hypotheses else ""
    return f"{repair.claim.statement}, where {other}" if other else repair.claim.statement


def _field(name: str, text: str, most: int = _TOLD) -> RenderableType:
    grid = Table.grid()
    grid.add_row(Text(f"{name:>9}  ", style="dim"), Fitted(Text(" ".join(text.split())), most))
    return grid


def others(_: Paper, results: Sequence[ClaimResult]) -> Group:
    """The refuted and unclear claims without a card, a line each: verdict, number, where it fails or what it says."""
    shown = {r.id for r in gravest(results)}
    left = [r for r in results if r.outcome.verdict.is_not_true and r.id not in shown]
    return Group(*(_line(r, r.outcome.counterexample or r.claim.statement) for r in left))


def index(_: Paper, results: Sequence[ClaimResult]) -> Group:
    """Every claim, a line each, and under a refuted one what is right."""
    every = {r.id: r for r in results}
    lines = []
    for result in results:
        if any(id in every for id in result.claim.repairs):
            continue
        lines.append(_line(result, result.claim.statement))
        repair = every.get(result.repaired_by or "")
        if repair is not None and repair.claim.repairs[0] == result.id:  # one that repairs more stands under the first
            lines.append(_line(repair, repair.claim.statement, "  right: "))
    return Group(*lines)


def _line(result: ClaimResult, text: str, before: str = "") -> Fitted:
    line = Text(before).append(f"{result.word:<9} ", style=VERDICT_STYLES.get(result.verdict, ""))
    return Fitted(line.append(result.id, style="bold").append(f"  {' '.join(unicode_of(text).split())}"))


def left_out(paper: Paper, _: Sequence[ClaimResult]) -> Group:
    """What no machine can check, with the reasons."""
    told = paper.not_checkable.items()
    return Group(*(Fitted(Text(f"left out  {item}: {unicode_of(why)}")) for item, why in told))


def claim_card(paper: Paper, result: ClaimResult) -> Group:
    """Everything that is known about a claim: nothing is cut.

    Parameters
    ----------
    paper : Paper
        The paper of the claim; its other claims are looked up for repairs.
    result : ClaimResult
        Of a run with its self-test, so that the mutants are told.
    """
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _lines(paper, result):
        grid.add_row(name, Group(*map(_indented, text.split("\n"))))
    return Group(Rule(Text(f"{paper.key}: {result.id}", style="bold"), align="left"), grid)


def _indented(line: Text) -> RenderableType:
    """A line whose continuation is indented as its beginning is."""
    return Padding(line[2:], (0, 0, 0, 2)) if line.plain.startswith("  ") else line


def _lines(paper: Paper, result: ClaimResult) -> Iterator[tuple[str, Text]]:
    claim, outcome, trial = result.claim, result.outcome, result.trial or NOT_TESTED
    verdict = Text(unicode_of(result.in_full), style=VERDICT_STYLES.get(result.verdict, ""))
    if not result.as_expected:
        verdict.append(f"  NOT AS RECORDED ({claim.recorded})")
    yield "verdict", verdict
    yield "kind", Text(claim.kind + (f", consequence for {claim.consequence}" if claim.consequence else ""))
    yield "statement", Text(unicode_of(claim.statement))
    for name, value in (
        ("for", outcome.given[0] if len(outcome.given) == 1 else ""),
        ("where", claim.hypotheses),
        ("for example", outcome.example),
        ("method", outcome.method),
        ("evidence", "" if result.readings else outcome.evidence),
        ("counterexample", "" if result.readings else outcome.counterexample),
        *result.further.items(),
    ):
        if value:
            yield name, Text("\n".join(map(unicode_of, value.split("\n"))))
    for line in outcome.arithmetic:
        yield "since", Text(unicode_of(line))
    for line in outcome.compared:
        yield "compared", Text(unicode_of(line))
    for decided in outcome.decided:
        given = f"for {decided.given}\n  " if len(outcome.given) > 1 and decided.given else ""
        yield "decided", Text(unicode_of(f"{decided.asked}\n  {given}{decided.how}"))
    for theorem in result.kernel:
        yield "kernel", Text(theorem)
    for reading, found in result.readings.items():
        yield "reading", Text(f"{unicode_of(reading)}\n  {unicode_of(found)}")
    if claim.note:
        yield "note", Text(unicode_of(claim.note))
    if reply := reply_to(paper).claims.get(claim.id):
        yield "reply", Text(unicode_of(reply))
    for name, ids in (
        ("same error", [claim.cause]),
        ("repaired by", [result.repaired_by]),
        ("repairs", claim.repairs),
        ("uses", claim.uses),
    ):
        for id in filter(None, ids):
            yield name, _reference(paper, id)
    if claim.recorded is Verdict.REFUTED and result.repaired_by is None:
        yield "repaired by", Text("no repair on record")
    for function in result.code:
        yield "code", Text(function)
    for name, fate in trial.told.items():
        yield "mutant", Text(f"{unicode_of(in_notation(name))}\n  {unicode_of(in_notation(fate))}")
    if trial.derived:
        yield "derived", Text(_derived([trial]))
    for complaint in result.complaints:
        yield "complaint", Text(unicode_of(complaint), style="bold red")
    yield "source", Text(_from_here(claim.source))


def compared_table(claim: Claim, rows: Sequence[Compared]) -> Table:
    """What a claim compares at a reader's point: both sides exactly, or the statement, and whether it holds."""
    table = Table(title=Text(f"{claim.paper}: {claim.id}"), title_justify="left")
    for name in ("compared", "left side", "right side", "holds"):
        table.add_column(name, overflow="fold")
    for row in rows:
        sides = [_number(side) for side in (row.left, row.right)]
        asked = f"{row.name}: {row.statement}" if row.left is None and row.statement else row.name
        table.add_row(Text(asked), *sides, {True: "yes", False: "NO", None: "-"}[row.holds])
    return table


def derived_table(claim: Claim, fates: DerivedFates) -> Table:
    """What became of the mutants derived from a claim's formula; one that is accepted is a hole of the check."""
    table = Table(title=Text(f"{claim.paper}: {claim.id}"), title_justify="left")
    for name in ("changed", "fate", "how"):
        table.add_column(name, overflow="fold")
    for fate in ("accepted", "undecided", "equivalent", "killed"):
        for changed, how in getattr(fates, fate).items():
            table.add_row(Text(changed), fate, Text(unicode_of(in_notation(how))))
    if not table.rows:
        table.caption = "no mutant is derived: the claim is unclear or refuted, or its formula cannot be changed"
    return table


def _number(value: Fraction | str | None) -> str:
    if not isinstance(value, Fraction):
        return value or ""
    if max(abs(value.numerator), value.denominator) >= 10**_LONGEST:
        return f"≈ {arb(fmpq(value.numerator, value.denominator)).str(6, radius=False)}, exact in Python"
    return str(value) if value.denominator == 1 else f"{value} ≈ {float(value):.6g}"


def _reference(paper: Paper, id: str) -> Text:
    claim = paper.claims.get(id)
    return Text(id if claim is None else f"{id}\n  {unicode_of(claim.statement)} ({claim.recorded} on record)")


def _from_here(source: str) -> str:
    """The source line with its path relative to the working directory where that is shorter."""
    file, _, line = source.rpartition(":")
    return f"{min(os.path.relpath(file), file, key=len)}:{line}" if Path(file).is_absolute() else source
