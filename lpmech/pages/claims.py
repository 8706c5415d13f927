"""The report on papers: all of their claims in one page that can be filtered, linked to and printed."""

from __future__ import annotations

import os
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shlex import join

from lpmech.claims import Consequence, Kind, Paper
from lpmech.pages.graph import Arcs, arcs_of
from lpmech.pages.provenance import Provenance
from lpmech.pages.rendering import page
from lpmech.papers import PAPER_KEYS
from lpmech.papers.bibliography import judged
from lpmech.papers.headlines import gravest
from lpmech.papers.objects import proofs_of
from lpmech.papers.replies import Reply, reply_to
from lpmech.papers.running import ClaimResult, errors_of
from lpmech.prove.referee import CONVENTION, Line, in_short
from lpmech.verdicts import Verdict

__all__ = ["Ran", "anchors", "claims_page", "slug"]

#: A paper and what running its claims, or some of them, gave.
Ran = tuple[Paper, Sequence[ClaimResult]]

#: What computes and proves.
_LIBRARIES = ("numpy", "scipy", "cvxpy", "highspy", "clarabel", "sympy", "z3-solver", "cvc5", "python-flint")


#: A proof of more characters is not printed: as MathML it has eight times as many.
_SHORT = 600

#: Where lpmech is installed.
_HOME = Path(__file__).parents[2]


@dataclass(frozen=True)
class Reference:
    """Another claim as a claim speaks of it; without an anchor if it is not on the page."""

    id: str
    anchor: str | None
    statement: str
    hypotheses: str
    verdict: str
    method: str


@dataclass(frozen=True)
class OnPage:
    """A claim on the page."""

    anchor: str
    result: ClaimResult
    readings: Sequence[tuple[str, str, str]]
    right: Reference | None
    repairs: Sequence[Reference]
    uses: Sequence[Reference]
    source: str
    again: str
    reply: str
    proofs: Sequence[tuple[str, Sequence[Line]]]


@dataclass(frozen=True)
class Part:
    """A paper on the page."""

    anchor: str
    key: str
    title: str
    entries: Sequence[OnPage]
    headlines: Sequence[OnPage]
    left_out: Sequence[tuple[str, str]]
    judged: str
    letters: Mapping[str, str]
    arcs: Arcs
    reply: Reply

    @property
    def anchor_of(self) -> dict[str, str]:
        """Id of each claim on the page -> its anchor."""
        return {entry.result.id: entry.anchor for entry in self.entries}

    @property
    def counts(self) -> Counter[str]:
        """How many claims got which verdict."""
        return Counter(entry.result.verdict for entry in self.entries)

    @property
    def consequences(self) -> Counter[str | None]:
        """How many of the paper's sentences that are not simply true have which consequence."""
        return Counter(r.claim.consequence for r in (entry.result for entry in self.entries) if _is_not_true(r))

    @property
    def seconds(self) -> float:
        """Time of all checks together."""
        return sum(entry.result.seconds for entry in self.entries)


def claims_page(ran: Sequence[Ran], made: Provenance) -> str:
    """The report as one HTML file, the same for the same results.

    Parameters
    ----------
    ran : sequence of (Paper, sequence of ClaimResult)
        The papers in the order of the page, each with the results of those of its claims that were run.
    made : Provenance
    """
    parts = [_part(paper, results) for paper, results in ran]
    entries = [entry for part in parts for entry in part.entries]
    not_true = [entry.result.claim.consequence for entry in entries if _is_not_true(entry.result)]
    return page(
        "report.html",
        parts=parts,
        total=len(entries),
        counts=sum((part.counts for part in parts), Counter[str]()),
        astray=[entry for entry in entries if not entry.result.as_recorded],
        verdicts=list(Verdict),
        columns=_present([*Verdict, "error"], (entry.result.verdict for entry in entries)),
        ours=sum(not entry.result.claim.kind.is_the_papers for entry in entries),
        errors=len(errors_of(entry.result for entry in entries)),
        not_true=_present(Consequence, not_true),
        made=made,
        convention=CONVENTION if any(entry.proofs for entry in entries) else "",
        kinds=_present(Kind, (entry.result.claim.kind for entry in entries)),
        consequences=_present(Consequence, (entry.result.claim.consequence for entry in entries)),
        versions=[("Python", platform.python_version()), *((name, version(name)) for name in _LIBRARIES)],
    )


def _is_not_true(result: ClaimResult) -> bool:
    """Whether a sentence of the paper, no question of ours and nobody's program, is not simply true."""
    return result.outcome.verdict.is_not_true and result.claim.kind.is_the_papers


def anchors(paper: Paper) -> dict[str, str]:
    """Id of each claim of a paper -> the fragment of its address, ``"ghazi2021/theorem-3"``.

    It is made from the id alone, so that a link outlives claims that come and go; where two ids differ in signs only,
    each has the beginning of a hash as well.
    """
    plain = {id: slug(id.lower()) for id in paper.claims}
    often = Counter(plain.values())

    def end(id: str, name: str) -> str:
        return "" if name and often[name] == 1 else f"-{sha256(id.encode()).hexdigest()[:6]}"

    return {id: f"{slug(paper.key)}/{name}{end(id, name)}" for id, name in plain.items()}


def slug(name: str) -> str:
    """What of a name an address can hold."""
    return re.sub(r"\W+", "-", name).strip("-")


def _part(paper: Paper, results: Sequence[ClaimResult]) -> Part:
    named, reply = anchors(paper), reply_to(paper)
    every = {result.id: result for result in results}

    def references(ids: Iterable[str | None]) -> Iterator[Reference]:
        for id in filter(None, ids):
            if id in every:
                of = every[id]
                yield Reference(id, named[id], of.claim.statement, of.claim.hypotheses, of.verdict, of.outcome.method)
            elif id in paper.claims:
                known = paper.claims[id]
                yield Reference(id, None, known.statement, known.hypotheses, str(known.recorded), "on record")
            else:  # of another paper
                yield Reference(id, None, "", "", "", "")

    entries = {
        result.id: OnPage(
            named[result.id],
            result,
            [(text, str(r.verdict), r.counterexample or r.evidence) for text, r in result.outcome.readings.items()],
            next(references([result.repaired_by]), None),
            list(references(result.claim.repairs)),
            list(references(result.claim.uses)),
            _from_home(result.claim.source, paper),
            join(["lpmech", "show", _asked_for(paper), result.id]),
            reply.claims.get(result.id, ""),
            [(name, in_short(node, where, _SHORT)) for name, node, where in proofs_of(result)],
        )
        for result in results
    }
    first = [entries[result.id] for result in gravest(results)]
    left_out = list(paper.not_checkable.items())
    return Part(
        slug(paper.key),
        paper.key,
        paper.title,
        list(entries.values()),
        first,
        left_out,
        judged(paper.key),
        paper.letters,
        arcs_of(
            entries, {id: (*entry.result.claim.uses, *entry.result.claim.repairs) for id, entry in entries.items()}
        ),
        reply,
    )


def _asked_for(paper: Paper) -> str:
    """The paper as commands take it, without directories of this machine."""
    file = Path(paper.file)
    own = file.parent.name if file.stem in ("__init__", "paper") else file.name
    return paper.key if paper.key in PAPER_KEYS else own


def _from_home(source: str, paper: Paper) -> str:
    """File and line without what differs from machine to machine: below lpmech's home, or below the paper's own."""
    file, _, line = source.rpartition(":")
    home = _HOME if Path(file).is_relative_to(_HOME / "lpmech") else Path(paper.file).parent.parent
    shown = Path(file).relative_to(home).as_posix() if Path(file).is_relative_to(home) else os.path.basename(file)
    return f"{shown}:{line}"


def _present(order: Iterable[str], found: Iterable[str | None]) -> list[str]:
    """Those that occur, in this order."""
    seen = set(found)
    return [str(each) for each in order if each in seen]
