"""Vectors and matrices of any size: ``Vector("p", K)[i]``, ``Vector("q", K, K)[y, j]``; indices begin with 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.terms.functions import Each
from lpmech.terms.term import Apply, Name, Node, Repeated, parts_of, term

__all__ = ["Vector"]


class Vector:
    """A vector of real numbers, or a matrix, of any size.

    Parameters
    ----------
    name : str
    *lengths : term or int
        The number of its entries; rows and columns of a matrix.
    """

    def __init__(self, name: str, *lengths: Any) -> None:
        self.name = name
        self.lengths = tuple(map(term, lengths))

    def __getitem__(self, indices: Any) -> Node:
        given = indices if isinstance(indices, tuple) else (indices,)
        if len(given) != len(self.lengths):
            raise ValueError(f"{self.name} with {len(self.lengths)} indices")
        return Apply("[]", (Apply("vector", (Name(self.name), *self.lengths)), *map(term, given)))

    def each(self, relation: Callable[[Node], Any]) -> Node:
        """That all entries have a relation: ``p.each(lambda entry: entry >= 0)``."""
        hidden = tuple(Name(f"{self.name}_{n}") for n in range(len(self.lengths)))
        own = _indices(len(hidden), relation(self[hidden]))
        return Each(relation(self[own]), *((i, 1, n) for i, n in zip(own, self.lengths, strict=True)))

    def ordered(self) -> Node:
        """That no entry is larger than one before it."""
        (length,) = self.lengths
        i, j = _indices(2, length)
        return Each(self[i] >= self[j], (j, i, length), (i, 1, length))


def _indices(count: int, formula: Node) -> tuple[Name, ...]:
    """Letters for indices that stand for nothing else in a formula."""
    taken = {part.name for part in parts_of(formula) if isinstance(part, Name)}
    taken |= {part.index for part in parts_of(formula) if isinstance(part, Repeated)}
    return tuple(Name(letter) for letter in "ijklmnrsuvxyz" if letter not in taken)[:count]
