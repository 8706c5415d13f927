"""Exact optima that were computed before, in a file: an interrupted search goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp

from lpmech.errors import DataFileError, LpmechError
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
                    self.known[row["at"]] = _pieces(row["pieces"])
            except (ValueError, KeyError, TypeError, LpmechError) as exc:
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


def _pieces(texts: Sequence[Sequence[str]]) -> list[Piece]:
    """The pieces, which cover all t > 1 one after the other, each with a rational function."""
    found = [(_read(lower), _read(upper), _read(value)) for lower, upper, value in texts]
    ends = [1, *(upper for _, upper, _ in found)]
    if [lower for lower, _, _ in found] != ends[:-1] or ends[-1] != sp.oo or not all(map(_below, ends, ends[1:])):
        raise ValueError("pieces that do not follow each other from 1 to oo")
    if not all(value.is_rational_function(sp.Symbol("t")) and value.is_finite is not False for *_, value in found):
        raise ValueError("a value that is no rational function of t")
    return found


def _below(a: Any, b: Any) -> bool:
    return bool(sp.sympify(b).is_extended_real) and bool(a < b)


def _read(text: Any) -> Any:
    if not isinstance(text, str):
        raise ValueError(f"{text} is no text")
    return sp.oo if text == "oo" else evaluated(read_formula(text, ["t"], "keep"))
