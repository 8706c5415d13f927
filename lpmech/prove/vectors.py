"""Vectors and matrices of any size: entries p[i] with symbolic indices, and what holds for each index.

An entry whose index and whose vector's length are numbers is a parameter of its own, ``p[2]``: at a fixed size a
statement about vectors is one about numbers.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.symbol import Str
from sympy.logic.boolalg import Boolean

__all__ = ["Each", "VectorEntry", "Vector", "has_vectors"]


class VectorEntry(sp.Expr):
    """The entry of a vector or a matrix: its name, its lengths, and an index for each of them."""

    is_commutative = True

    def __new__(cls, name: Any, lengths: Any, *indices: Any) -> Any:
        """A plain symbol where lengths and indices are numbers; ValueError where there is no such entry."""
        lengths, indices = sp.Tuple(*lengths), tuple(map(sp.sympify, indices))
        if all(part.is_Integer for part in (*lengths, *indices)):
            if not all(1 <= i <= length for i, length in zip(indices, lengths, strict=True)):
                raise ValueError(f"{name}[{', '.join(map(str, indices))}] of {', '.join(map(str, lengths))} entries")
            return sp.Symbol(f"{name}[{', '.join(map(str, indices))}]")
        return sp.Expr.__new__(cls, name if isinstance(name, Str) else Str(name), lengths, *indices)

    @property
    def lengths(self) -> sp.Tuple:
        """The length of the vector, or rows and columns of the matrix."""
        return self.args[1]

    @property
    def indices(self) -> tuple[sp.Expr, ...]:
        """The index, or row and column."""
        return tuple(self.args[2:])

    def _eval_derivative(self, symbol: sp.Symbol) -> sp.Expr:
        return sp.S.Zero

    def _sympystr(self, printer: Any) -> str:
        return f"{self.args[0].name}[{', '.join(map(printer._print, self.indices))}]"

    def _latex(self, printer: Any) -> str:
        return f"{self.args[0].name}_{{{', '.join(map(printer._print, self.indices))}}}"


class Each(Boolean):
    """That a condition holds for each index: a condition, and (index, first, last), the outermost one at the end."""

    def __new__(cls, condition: Any, *limits: Any) -> Any:
        condition = sp.sympify(condition)
        if condition == sp.true:
            return condition
        if isinstance(condition, Each):
            condition, limits = condition.function, (*condition.limits, *limits)
        return Boolean.__new__(cls, condition, *(sp.Tuple(*map(sp.sympify, limit)) for limit in limits))

    @property
    def function(self) -> Boolean:
        """The condition."""
        return self.args[0]

    @property
    def limits(self) -> tuple[sp.Tuple, ...]:
        """Indices with the first and the last of each."""
        return tuple(self.args[1:])

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """All but the indices."""
        found = set(self.function.free_symbols)
        for index, lower, upper in self.limits:
            found = (found - {index}) | lower.free_symbols | upper.free_symbols
        return found

    def _sympystr(self, printer: Any) -> str:
        ranges = ", ".join(f"{i} in {printer._print(a)}..{printer._print(b)}" for i, a, b in reversed(self.limits))
        return f"{printer._print(self.function)} for each {ranges}"


class Vector:
    """A vector of real numbers, or a matrix, of symbolic size: ``Vector("p", K)[i]``, ``Vector("q", K, K)[y, j]``.

    Parameters
    ----------
    name : str
    *lengths : sympy expression
        The number of its entries; rows and columns of a matrix. Indices begin with 1.
    """

    def __init__(self, name: str, *lengths: Any) -> None:
        self.name = name
        self.lengths = tuple(map(sp.sympify, lengths))

    def __getitem__(self, indices: Any) -> Any:
        given = indices if isinstance(indices, tuple) else (indices,)
        if len(given) != len(self.lengths):
            raise ValueError(f"{self.name} with {len(self.lengths)} indices")
        return VectorEntry(self.name, self.lengths, *given)

    def __repr__(self) -> str:
        return f"{self.name}[{', '.join(f'1..{length}' for length in self.lengths)}]"

    @property
    def in_text(self) -> str:
        """How entries are written: ``p[i]``, ``q[i, j]``."""
        return f"{self.name}[{', '.join('ij'[: len(self.lengths)])}]"

    def each(self, relation: Any) -> Each:
        """That all entries have a relation: ``p.each(lambda entry: entry >= 0)``."""
        hidden = tuple(sp.Symbol(f"{self.name}_{n}", integer=True) for n in range(len(self.lengths)))
        own = _indices(len(hidden), relation(self[hidden]))
        return Each(relation(self[own]), *((i, 1, n) for i, n in zip(own, self.lengths, strict=True)))

    def ordered(self) -> Each:
        """That no entry is larger than one before it."""
        (length,) = self.lengths
        i, j = _indices(2, length)
        return Each(self[i] >= self[j], (j, i, length), (i, 1, length))


def _indices(count: int, formula: Any) -> tuple[sp.Symbol, ...]:
    """Letters for indices that stand for nothing else in a formula."""
    taken = {symbol.name for symbol in formula.atoms(sp.Symbol)}
    return tuple(sp.Symbol(letter, integer=True) for letter in "ijklmnrsuvxyz" if letter not in taken)[:count]


def has_vectors(formula: Any) -> bool:
    """Whether a formula speaks of vectors."""
    return bool(formula.has(VectorEntry, Each))
