"""The proofs of claims as files: a file for each claim, each of its parts with its object, checked as it is written."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from lpmech.certify.proofs import RefusedProofError, check
from lpmech.claims import Claim
from lpmech.papers.running import ClaimResult, Further, SelfTest, run_claim
from lpmech.prove.objects import Node, to_data
from lpmech.prove.proof_files import kept_proofs, proof_file

__all__ = ["coverage", "file_name", "run_with_objects"]


def run_with_objects(
    paper: str, id: str, self_test: SelfTest = SelfTest.NONE, further: Further | None = None
) -> ClaimResult:
    """Run a claim as `run_claim` does, with the objects of what is proved in it."""
    with kept_proofs() as kept:
        result = run_claim(paper, id, self_test, further)
    if not kept or result.verdict != "proved":
        return result
    proofs = [(name, answer.proof) for name, answer in kept]
    text = proof_file(f"{result.paper}, {id}: {_plain(result.claim)}", proofs)
    return replace(result, objects=tuple((name, _missing(proof)) for name, proof in proofs), proof_file=text)


def file_name(id: str) -> str:
    """The name of the file of a claim; different claims have different ones."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", id).strip("_")[:60]
    return f"{plain}-{hashlib.sha256(id.encode()).hexdigest()[:8]}.json"


def coverage(results: Sequence[ClaimResult]) -> str:
    """A line: how many parts of the proved claims have an object that the checker accepts, and what the others rely on."""
    parts = [why for result in results for _, why in result.objects]
    whole = sum(not why for why in parts)
    reasons: dict[str, int] = {}
    for why in filter(None, parts):
        reasons[why] = reasons.get(why, 0) + 1
    named = "; ".join(f"{count} {why}" for why, count in sorted(reasons.items(), key=lambda pair: -pair[1]))
    proved = [result for result in results if result.verdict == "proved"]
    claims = sum(bool(result.objects) and not any(why for _, why in result.objects) for result in proved)
    line = f"proof objects: {whole} of {len(parts)} relations checked; {claims} of {len(proved)} proved claims whole"
    return f"{line}; without: {named}" if named else line


def _missing(proof: Node) -> str:
    """What an object lacks, as the checker says; nothing where it is accepted."""
    try:
        _, unchecked = check(json.loads(json.dumps(to_data(proof))))
    except RefusedProofError as exc:
        return f"an object that is refused ({str(exc).split(':', 1)[-1].strip()[:80]})"
    return ", ".join(unchecked)


def _plain(claim: Claim) -> str:
    return re.sub(r"\s+", " ", claim.statement)[:500]
