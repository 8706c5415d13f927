"""What was decided of every claim, kept beside the pages: the site is built without running claims.

`make decided` runs the claims that are not to the letter what they were when they ran last, and writes `decided.json`,
a line for each. `python docs/decided.py --all` runs every claim, which takes minutes: what a check calls elsewhere in
the library is not compared, so that this comes before a release.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from lpmech.claims import Claim
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.running import ClaimResult, run_claims
from lpmech.verdicts import Decided, Verdict

__all__ = ["KEPT", "decided_of", "digest", "record", "rows", "stale", "written"]

KEPT = Path(__file__).with_suffix(".json")

#: What is kept of an outcome beside its parts.
_TOLD = ("method", "function", "evidence", "counterexample", "arithmetic", "compared")


def digest(claim: Claim) -> str:
    """The beginning of a hash of a claim's texts, hypotheses, verdict on record and check."""
    said = (
        claim.statement,
        claim.hypotheses,
        str(claim.recorded),
        *map(str, claim.given),
        inspect.getsource(claim.check),
    )
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:16]


@cache
def record() -> Mapping[str, Any]:
    return dict(json.loads(KEPT.read_text("utf-8"))) if KEPT.exists() else {}


def decided_of(claim: Claim) -> tuple[Mapping[str, Any], Sequence[Decided]]:
    """What a claim's last run told, by name, and the parts that it decided; nothing where that is stale."""
    row = record().get(f"{claim.paper}: {claim.id}", {})
    if row.get("of") != digest(claim):
        return {}, ()
    return row, [Decided(**(part | {"verdict": Verdict(part["verdict"])})) for part in row.get("decided", ())]


def stale() -> list[tuple[str, str]]:
    """(paper, id) of the claims that are not what they were when they ran, or have never run."""
    claims = (claim for key in PAPER_KEYS for claim in load_paper(key).claims.values())
    return [(c.paper, c.id) for c in claims if record().get(f"{c.paper}: {c.id}", {}).get("of") != digest(c)]


def rows(results: Iterable[ClaimResult]) -> dict[str, Any]:
    """What is kept of results, by paper and id; of one that is not as recorded nothing."""
    return {f"{result.paper}: {result.id}": _row(result) for result in results if result.as_expected}


def _row(result: ClaimResult) -> dict[str, Any]:
    told = {name: value for name in _TOLD if (value := getattr(result.outcome, name))}
    defaults = asdict(Decided("", "", ""))
    parts = [{k: v for k, v in asdict(part).items() if v != defaults[k]} for part in result.outcome.decided]
    return {
        "of": digest(load_paper(result.paper).claims[result.id]),
        "given": result.outcome.given,
        **told,
        "decided": [
            part | {"verdict": str(one.verdict)} for part, one in zip(parts, result.outcome.decided, strict=True)
        ],
    }


def written(found: Mapping[str, Any]) -> str:
    """The record: a line for each claim, in the order of the papers; claims that are gone are left out."""
    names = [f"{key}: {id}" for key in PAPER_KEYS for id in load_paper(key).claims]
    lines = (
        f"{json.dumps(name)}: {json.dumps(found[name], ensure_ascii=False, separators=(',', ':'))}"
        for name in names
        if name in found
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    chosen = [(key, id) for key in PAPER_KEYS for id in load_paper(key).claims] if "--all" in sys.argv else stale()
    before = {name: row for name, row in record().items() if name not in {f"{key}: {id}" for key, id in chosen}}
    KEPT.write_text(written({**before, **rows(run_claims(chosen, os.cpu_count() or 1))}), "utf-8")
