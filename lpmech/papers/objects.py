"""The proofs of claims as files: a file for each claim, each of its parts with its object, checked as it is written."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from lpmech.certify.proofs import RefusedProofError, check
from lpmech.claims import Claim
from lpmech.mathematics.told import in_notation
from lpmech.papers import load_paper
from lpmech.papers.running import ClaimResult, Further, SelfTest, run_claim
from lpmech.prove.answers import Holds
from lpmech.prove.arithmetic import kept_comparisons
from lpmech.prove.objects import Node, Unchecked, from_data, to_data
from lpmech.prove.proof_files import kept_proofs, proof_file

__all__ = ["by_method", "coverage", "file_name", "proofs_of", "run_with_objects", "run_with_theorems"]

_REFUSED = "an object that is refused"
#: What a proved claim may rest on, in the columns of `by_method`.
_BY_OBJECTS, _EXACT, _WITHOUT = "objects, checked", "exact arithmetic, every instance", "a method without object"
_BY_SMT, _TOLD = "two SMT solvers", "a step told in words"
_GROUNDS = (_BY_OBJECTS, _EXACT, _WITHOUT, _BY_SMT, _TOLD)


def run_with_objects(
    paper: str, id: str, self_test: SelfTest = SelfTest.NONE, further: Further | None = None
) -> ClaimResult:
    """Run a claim as `run_claim` does, with the objects of what is proved in it."""
    with kept_proofs() as kept:
        return _with_objects(run_claim(paper, id, self_test, further), kept)


def _with_objects(result: ClaimResult, kept: Sequence[tuple[str, Holds]]) -> ClaimResult:
    if not kept or result.verdict != "proved":
        return result
    proofs, objects = [], []
    for name, answer in kept:
        proof = answer.proof
        missing = _missing(proof)
        objects.append((name, missing))
        # one that is refused would have the whole file refused
        proofs.append(
            (name, Unchecked(proof.goal, f"no object yet: {answer.method}") if _REFUSED in missing else proof)
        )
    text = proof_file(f"{result.paper}, {result.id}: {_plain(result.claim)}", proofs)
    return replace(result, objects=tuple(objects), proof_file=text)


def run_with_theorems(
    paper: str, id: str, self_test: SelfTest = SelfTest.NONE, further: Further | None = None
) -> ClaimResult:
    """Likewise, with theorems in Rocq made of the objects (see `lpmech.prove.rocq_files`)."""
    from lpmech.prove.rocq_arithmetic import theorems_of_comparisons
    from lpmech.prove.rocq_files import theorem_from

    load_paper(paper)  # numbers that are compared when its modules are loaded belong to no claim
    with kept_proofs() as kept, kept_comparisons() as compared:
        result = _with_objects(run_claim(paper, id, self_test, further), kept)
    theorems = [theorem_from(name, answer.proof, answer.example) for name, answer in kept] if result.proof_file else []
    return replace(result, theorems=tuple(theorems), instances=tuple(theorems_of_comparisons(compared)))


def file_name(id: str) -> str:
    """The name of the file of a claim; different claims have different ones."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", id).strip("_")[:60]
    return f"{plain}-{hashlib.sha256(id.encode()).hexdigest()[:8]}.json"


def proofs_of(result: ClaimResult) -> list[tuple[str, Node, str]]:
    """The relations of a claim whose objects were checked: name, object, and in which file it is, in the notation of texts."""
    if not any(not missing for _, missing in result.objects):
        return []
    entries = json.loads(result.proof_file)["proofs"]
    nodes = [
        (name, from_data(entry["proof"]))
        for (name, missing), entry in zip(result.objects, entries, strict=True)
        if not missing
    ]
    where = f"`{file_name(result.id)}`, which `lpmech verify {result.paper} --proofs DIRECTORY` writes"
    nodes = [(in_notation(name), node) for name, node in nodes if node.goal.conclusion != "True"]  # sympy saw it
    return [(name, node, where) for name, node in nodes]


def coverage(results: Sequence[ClaimResult]) -> str:
    """A line: how many parts of the proved claims have an object that the checker accepts, and what the others rely on."""
    parts = [why for result in results for _, why in result.objects]
    reasons = Counter(filter(None, parts))
    named = "; ".join(f"{count} {why}" for why, count in reasons.most_common())
    proved = [result for result in results if result.verdict == "proved"]
    claims = sum(_rests_on(result) == _BY_OBJECTS for result in proved)
    whole = len(parts) - reasons.total()
    line = f"proof objects: {whole} of {len(parts)} relations checked; {claims} of {len(proved)} proved claims whole"
    return f"{line}; without: {named}" if named else line


def by_method(ran: Mapping[str, Sequence[ClaimResult]]) -> str:
    """A table in Markdown: what the proved claims of each paper rest on."""
    rows = {key: Counter(_rests_on(r) for r in results if r.verdict == "proved") for key, results in ran.items()}
    if len(rows) > 1:
        rows["together"] = sum(rows.values(), Counter[str]())
    lines = [f"| | proved | {' | '.join(_GROUNDS)} |", f"|---|{'---:|' * (1 + len(_GROUNDS))}"]
    for key, counts in rows.items():
        lines.append(f"| {key} | {counts.total()} | {' | '.join(str(counts[ground]) for ground in _GROUNDS)} |")
    return "\n".join(lines) + "\n"


def _rests_on(result: ClaimResult) -> str:
    """The weakest of what a proved claim rests on."""
    relied = " ".join(why for _, why in result.objects if why)
    if result.claim.in_words:
        return _TOLD
    if "SMT" in result.outcome.method or "SMT" in relied:
        return _BY_SMT
    if relied:
        return _WITHOUT
    return _BY_OBJECTS if result.objects else _EXACT


def _missing(proof: Node) -> str:
    """What an object lacks, as the checker says; nothing where it is accepted."""
    return _lacking(json.dumps(to_data(proof)))


@lru_cache(maxsize=1 << 10)  # a claim and its repair, or the steps of a theorem, have relations in common
def _lacking(text: str) -> str:
    try:
        _, unchecked = check(json.loads(text))
    except RefusedProofError as exc:
        return f"{_REFUSED} ({str(exc).split(':', 1)[-1].strip()[:80]})"
    return ", ".join(unchecked)


def _plain(claim: Claim) -> str:
    return re.sub(r"\s+", " ", claim.statement)[:500]
