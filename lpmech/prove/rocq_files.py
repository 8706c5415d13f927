"""Files of theorems in Rocq, made from files of proofs."""

from __future__ import annotations

import json
import re

from lpmech.certify.proofs.reading import RefusedProofError
from lpmech.certify.rocq import commented, theory
from lpmech.errors import FormulaError
from lpmech.prove.rocq import theorem_of

__all__ = ["theorems_file"]


def theorems_file(proofs: str) -> tuple[str, int, int]:
    """The text of a file in Rocq, how many of the parts are theorems in it, and how many parts there are.

    Parameters
    ----------
    proofs : str
        A file of proofs, as `lpmech.prove.proof_files.proof_file` writes it. A part that has no form in Rocq is named
        in a comment, with the reason.

    Raises
    ------
    DataFileError
        If the theory is not there: it stands beside the package in its repository.
    """
    data = json.loads(proofs)
    parts, written = [], 0
    for number, part in enumerate(data["proofs"], 1):
        plain = re.sub(r"[^A-Za-z0-9]+", "_", part["name"]).strip("_")[:40]
        goal = part["proof"]["goal"]
        asked = f"{part['name']}: {', '.join(goal['hypotheses'])} => {goal['conclusion']}"
        try:
            text = theorem_of(f"part_{number}_{plain}", part["proof"])
            parts.append(f"(** {commented(asked)} *)\n{text}")
            written += 1
        except (FormulaError, RefusedProofError) as exc:
            parts.append(f"(** Not written. {commented(asked)}\n    {commented(str(exc))} *)")
    head = f"(** {commented(data['title'])} *)\n\nFrom Coq Require Import Reals Lra Psatz.\n\n{theory('Relations.v')}"
    return "\n\n".join([head, *parts, ""]), written, len(parts)
