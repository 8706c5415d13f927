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

__all__ = ["PROOFS", "checked_claims", "kernel_theorems", "made_counts", "made_record", "made_theorems"]


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


def made_theorems(
    paper: str, id: str, relations: Sequence[str], record: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """A line that says that a kernel has checked all relations of a claim; none if the record is about others.

    Parameters
    ----------
    paper, id : str
        Of the claim.
    relations : sequence of str
        Hashes of what its relations say now.
    record : mapping, optional
        Default: the one beside the package.
    """
    found = _made() if record is None else record
    checked = set(found.get("papers", {}).get(paper, {}).get("claims", {}).get(id, ()))
    if not relations or "" in relations or not set(relations) <= checked:
        return ()
    count = len(set(relations))
    return (f"made from proofs: {f'its {count} relations' if count > 1 else 'its relation'} (Rocq {found['rocq']})",)


def made_counts(record: Mapping[str, Any] | None = None) -> dict[str, str]:
    """For each paper of the record: how many of its proved claims a kernel has checked, and why not the others.

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
    return f"{len(paper['claims'])} of {paper['proved']}{f'; of the others {others}' if others else ''}"


#: How the record begins to say why a claim is not checked, and what that means.
_KINDS = {"no relations": "exact arithmetic alone", "besides": "something besides its relations"}
