"""Releases that are sets of labels: their text, and the exact parameters from which their mechanism is made again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.budgets import rational_of, require
from lpmech.channel import PrivacyWitness
from lpmech.entries import Array
from lpmech.errors import LabelError
from lpmech.labels.index import row_list

if TYPE_CHECKING:
    from lpmech.mechanisms.set_valued import SetValued

__all__ = ["LETTER", "LabelSets"]

#: How the text of a set begins, so that no spreadsheet takes it for a number.
LETTER = "b"

_ZERO = ord("0")


@dataclass(frozen=True)
class LabelSets:
    """A mechanism that releases sets of labels, with names; an illegal one cannot be constructed.

    A set is released as a text: the letter b, then for each label in order 1 if the set holds it and 0 if not.

    Attributes
    ----------
    inputs : tuple of str
        The K labels.
    mechanism : SetValued
        Exact, and to be drawn exactly.

    Raises
    ------
    ReleaseError
        If the labels are not K different strings, or the mechanism is of another kind or not exact.
    """

    inputs: tuple[str, ...]
    mechanism: SetValued

    def __post_init__(self) -> None:
        size, kinds = self.mechanism.size, tuple(kind for kind, _ in _kinds().values())
        require(isinstance(self.mechanism, kinds), "sets", self.mechanism, " or ".join(_kinds()))
        textual = all(isinstance(name, str) for name in self.inputs)
        require(textual and len(set(self.inputs)) == size == len(self.inputs), "labels", self.inputs, f"{size} texts")
        require(self.mechanism.is_drawable, "sets", self.mechanism, "rational parameters that can be drawn exactly")

    @property
    def ratio(self) -> Fraction:
        """Tight e^epsilon."""
        return Fraction(self.mechanism.ratio)

    @property
    def witness(self) -> PrivacyWitness:
        """A set and two labels that attain the ratio: one in the set, one outside."""
        return PrivacyWitness(self.ratio, self._example, self.inputs[0], self.inputs[-1])

    def texts(self, rows: Array) -> Array:
        """A released set for each true position, as text, shape (n,), by the system's entropy."""
        bits = self.mechanism.sample(rows)
        whole = (bits + np.uint8(_ZERO)).tobytes().decode("ascii")
        size = len(self.inputs)
        found = np.empty(len(bits), dtype=object)
        found[:] = [LETTER + whole[at : at + size] for at in range(0, len(whole), size)]
        return found

    def bits(self, texts: Sequence[str], first: int = 0) -> Array:
        """The sets of such texts, uint8 of shape (n, K).

        Parameters
        ----------
        texts : sequence of str
            As `texts` gives them; blanks around them are left out.
        first : int
            Number of the first row, for errors.

        Raises
        ------
        LabelError
            If one is no such text, or a set that the mechanism never releases; it says in which rows.
        """
        size = len(self.inputs)
        bare = [text.strip() for text in texts]
        written = [len(text) == size + 1 and text[0] == LETTER and set(text[1:]) <= {"0", "1"} for text in bare]
        if all(written):
            flat = np.frombuffer("".join(text[1:] for text in bare).encode("ascii"), dtype=np.uint8)
            found: Array = flat.reshape(len(bare), size) - np.uint8(_ZERO)
            if self._chosen is None:
                return found
            written = (found.sum(axis=1) == self._chosen).tolist()
            if all(written):
                return found
        bad = [first + i for i, right in enumerate(written) if not right]
        raise LabelError("labels", f"unknown labels in rows {row_list(bad, len(bad))}", self.allowed)

    @property
    def allowed(self) -> str:
        """What is released, for people."""
        held = "" if self._chosen is None else f", {self._chosen} of them 1"
        example = self._example if len(self._example) <= 40 else f"{self._example[:20]}..."
        return f"{LETTER} and {len(self.inputs)} bits in the order of the labels{held}, such as {example}"

    @property
    def _chosen(self) -> int | None:
        """How many labels a set holds, None if any number."""
        return getattr(self.mechanism, "chosen", None)

    @property
    def _example(self) -> str:
        ones = self._chosen or 1
        return LETTER + "1" * ones + "0" * (len(self.inputs) - ones)

    def stated(self) -> dict[str, str | int]:
        """What release.json states: the kind, its parameters, and p and q that follow from them."""
        name, names = next((key, names) for key, (kind, names) in _kinds().items() if isinstance(self.mechanism, kind))
        values = {key: getattr(self.mechanism, key) for key in names}
        parameters = {key: value if isinstance(value, int) else str(value) for key, value in values.items()}
        return {"kind": name, **parameters, "p": str(self.mechanism.p), "q": str(self.mechanism.q)}

    @classmethod
    def from_stated(cls, labels: Sequence[Hashable], stated: Mapping[str, Any]) -> LabelSets:
        """Make the mechanism again from what release.json states, and compare all of it.

        Raises
        ------
        ReleaseError
            If it is no such mechanism, or p or q are not what follows from its parameters.
        """
        kinds = _kinds()
        allowed = f"kind ({' or '.join(kinds)}) with its parameters, p and q"
        require(isinstance(stated, dict) and stated.get("kind") in kinds, "sets", stated, allowed)
        kind, names = kinds[stated["kind"]]
        require(set(stated) == {"kind", *names, "p", "q"}, "sets", sorted(stated), allowed)
        require(isinstance(labels, list), "labels", labels, "a list")
        made: Callable[..., SetValued] = kind
        values = [stated[name] if type(stated[name]) is int else rational_of(stated[name]) for name in names]
        found = cls(tuple(str(name) for name in labels), made(len(labels), *values))
        require(found.inputs == tuple(labels) and found.stated() == stated, "sets", stated, str(found.stated()))
        return found


@cache
def _kinds() -> Mapping[str, tuple[type[SetValued], tuple[str, ...]]]:
    """The mechanisms that release.json may name, and the parameters beside the number of labels that make them."""
    from lpmech.mechanisms.subset_selection import SubsetSelection  # here: other designs are certified without them
    from lpmech.mechanisms.unary_encoding import UnaryEncoding

    return {
        "subset_selection": (SubsetSelection, ("chosen", "weight")),
        "unary_encoding": (UnaryEncoding, ("odds_present", "odds_absent")),
    }
