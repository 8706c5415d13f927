"""Exact optima that were computed before, in a file: an interrupted search goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp

from lpmech.errors import DataFileError, FormulaError
from lpmech.files.access import read_regular, write_text
from lpmech.prove.texts import evaluated
from lpmech.terms.reader import read_formula

__all__ = ["Kept", "Piece"]

Piece = tuple[sp.Expr, sp.Expr, sp.Expr]

#: Most bytes of such a file.
_LARGEST = 10**8


class Kept:
    """Pieces by the values of K and the parameters, for one family; the file may hold others.

    Parameters
    ----------
    file : Path
        Made where it does not exist; a line of JSON for each instance.
    family : str
        Its utility, prior and hypotheses.

    Raises
    ------
    DataFileError
        If the file holds something else.
    """

    def __init__(self, file: Path, family: str) -> None:
        self.file, self.family = file, family
        self.lines = read_regular(file, "keep", _LARGEST).splitlines() if file.exists() else []
        self.known: dict[str, list[Piece]] = {}
        for line in self.lines:
            try:
                row = json.loads(line)
                if row["family"] == family:
                    self.known[row["at"]] = [(_read(a), _read(b), _read(v)) for a, b, v in row["pieces"]]
            except (ValueError, KeyError, TypeError, FormulaError) as exc:
                raise DataFileError("keep", str(file), f"a file that lpmech discover has written ({exc})") from exc

    def get(self, at: Mapping[str, Fraction]) -> list[Piece] | None:
        """The pieces of an instance, if they are known."""
        return self.known.get(_told(at))

    def add(self, at: Mapping[str, Fraction], pieces: Sequence[Piece]) -> None:
        """Put down an instance at once; one with an end that is no text (a root of higher degree) is left out."""
        texts = [[str(part) for part in piece] for piece in pieces]
        if any("CRootOf" in text for piece in texts for text in piece):
            return
        self.lines.append(json.dumps({"family": self.family, "at": _told(at), "pieces": texts}))
        write_text(self.file, "\n".join(self.lines) + "\n")


def _told(at: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(at.items()))


def _read(text: str) -> Any:
    return sp.oo if text == "oo" else evaluated(read_formula(text, ["t"], "keep"))
