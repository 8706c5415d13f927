"""What a kernel has checked: the record that `make proofs` writes beside the proofs in Rocq, as far as it is not stale."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lpmech.certify.rocq import PROOFS

__all__ = [
    "PROOFS", "checked_claims", "is_arithmetic", "kernel_theorems", "made_counts", "made_record", "made_theorems",
]  # fmt: skip


def checked_claims(directory: Path = PROOFS) -> dict[str, tuple[str, ...]]:
    """Theorems that state a claim and that a kernel has checked.

    A theorem counts while its file, and every file that it rests on, is to the letter what was checked.

    Parameters
    ----------
    directory : Path
        With the record and the texts; one without a record has nothing to say.

    Returns
    -------
    dict of str to tuple of str
        ``"ghazi2021: Theorem 3"`` -> ``("proofs/ghazi2021.v: ghazi2021_theorem_3", ...)``.
    """
    path = directory / "record.json"
    if not path.is_file():
        return {}
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    fresh = _fresh(directory, record["files"])
    stale = {claim for entry in record["theorems"] if entry["file"] not in fresh for claim in entry["claims"]}
    found: dict[str, tuple[str, ...]] = {}
    for entry in record["theorems"]:
        named = f"{directory.name}/{entry['file']}: {entry['theorem']} (Rocq {record['rocq']})"
        for claim in entry["claims"]:
            if claim not in stale:  # a claim of several theorems needs all of them
                found[claim] = (*found.get(claim, ()), named)
    return found


def _fresh(directory: Path, files: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Names of the files that are as they were, with all that they rest on."""
    same = {
        name
        for name, entry in files.items()
        if (text := directory / name).is_file() and hashlib.sha256(text.read_bytes()).hexdigest() == entry["sha256"]
    }
    while astray := {name for name in same if not set(files[name]["imports"]) <= same}:
        same -= astray
    return same


@cache
def _here() -> Mapping[str, tuple[str, ...]]:
    return checked_claims()


def kernel_theorems(paper: str, id: str) -> tuple[str, ...]:
    """The theorems in Rocq that state a claim: file, name, version; none where there are none, or they are stale.

    Parameters
    ----------
    paper, id : str
        Of the claim.
    """
    return _here().get(f"{paper}: {id}", ())


@cache
def _made() -> Mapping[str, Any]:
    return made_record()


def made_record(directory: Path = PROOFS) -> Mapping[str, Any]:
    """The record of theorems that were made from proofs, as `proofs/made.py` writes it; empty where it is stale.

    Parameters
    ----------
    directory : Path
        With the record, and the theory that the theorems use.
    """
    path, theory = directory / "made.json", directory / "Relations.v"
    if not path.is_file() or not theory.is_file():
        return {}
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record if record["theory"] == hashlib.sha256(theory.read_bytes()).hexdigest() else {}


def is_arithmetic(method: str) -> bool:
    """Whether this is exact or ball arithmetic of instances and nothing else."""
    return bool(method) and set(method.split(", ")) <= _ARITHMETIC


def made_theorems(
    paper: str,
    id: str,
    relations: Sequence[tuple[str, bool]],
    besides: str = "",
    arithmetic: str = "",
    record: Mapping[str, Any] | None = None,
) -> tuple[str, ...]:
    """A line that says what a kernel has checked of a claim; none if the record is about something else, or that is nothing.

    Parameters
    ----------
    paper, id : str
        Of the claim.
    relations : sequence of (str, bool)
        Hashes of what its relations say now, and whether that is something (`hash_of_statement`).
    besides : str
        What the verdict rests on besides.
    arithmetic : str
        Hash of what the comparisons of its instances say now.
    record : mapping, optional
        Default: the one beside the package.
    """
    found = _made() if record is None else record
    entry = found.get("papers", {}).get(paper, {})
    checked = set(entry.get("instances" if besides else "claims", {}).get(id, ()))
    said = [*(hashed for hashed, _ in relations), *([arithmetic] if besides else [])]
    if not said or "" in said or not set(said) <= checked or (besides and not is_arithmetic(besides)):
        return ()
    count, idle = len(set(relations)), len({hashed for hashed, something in relations if not something})
    if count == idle and not besides:
        return ()
    parts = [f"its {count} relations" if count > 1 else "its relation"] if count > idle else []
    if parts and idle:
        parts = [f"{parts[0]} ({idle} of them between a term and itself)"]
    if besides:
        return (f"{' and '.join(['the arithmetic of its instances', *parts])} (Rocq {found['rocq']})",)
    return (f"made from proofs: {parts[0]} (Rocq {found['rocq']})",)


def made_counts(record: Mapping[str, Any] | None = None) -> dict[str, str]:
    """For each paper of the record, what a kernel has checked of its proved claims, in the columns of a table.

    That is: all relations; the arithmetic of each instance (and all relations); how many together, of how many; and why
    not the others.

    Parameters
    ----------
    record : mapping, optional
        Default: the one beside the package.
    """
    papers = (_made() if record is None else record).get("papers", {})
    return {key: _counted(paper) for key, paper in papers.items()}


def _counted(paper: Mapping[str, Any]) -> str:
    kinds = Counter(
        _KINDS.get(why.partition(":")[0], "a relation without a theorem") for why in paper["others"].values()
    )
    others = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    relations, instances = len(paper["claims"]), len(paper.get("instances", ()))
    share = (relations + instances) / paper["proved"]
    return f"{relations} | {instances} | {relations + instances} of {paper['proved']} ({share:.1%}) | {others}"


#: Methods that are nothing but arithmetic of instances, exact or in balls.
_ARITHMETIC = {"exact rational arithmetic", "exact arithmetic on printed numbers", "ball arithmetic (rigorous)"}

#: How the record begins to say why a claim is not checked, and what that means.
_KINDS = {"no relations": "no relations", "besides": "something besides its relations"}
