"""Balls that know how they were computed: what a check has found in ball arithmetic, as relations of real numbers.

`Ball` is to `flint.arb` what `lpmech.prove.arithmetic.Computed` is to fractions: where a comparison of two decides
something, it is kept with the terms that the balls enclose, and becomes a theorem that coq-interval proves in Rocq.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from lpmech.prove.arithmetic import OPPOSITE, Formula, real_found, tree_of

__all__ = ["Ball", "enclosed", "pi"]

#: Nodes of a term; a ball that took more steps does not know how it was computed.
_MOST = 3000


class Ball(arb):
    """A ball with the term whose value it encloses; what is computed from it is one, too.

    Parameters
    ----------
    value : arb
    tree : tuple or None
        As `lpmech.certify.proofs.reading` writes a term; None where it is not known.
    size : int
        Nodes of the term.
    """

    tree: Formula | None
    size: int

    def __init__(self, value: Any, tree: Formula | None, size: int = 1):
        super().__init__(value)
        self.tree, self.size = (tree, size) if size <= _MOST else (None, size)

    def exp(self) -> Ball:
        return _computed(arb.exp(self), "exp", self)

    def log(self) -> Ball:
        return _computed(arb.log(self), "log", self)

    def sqrt(self) -> Ball:
        return _computed(arb.sqrt(self), "sqrt", self)

    def max(self, other: Any) -> Any:
        """The larger of two; where it is known which, that one, and the comparison is kept."""
        return self if self >= other else other if other >= self else arb.max(self, other)

    def min(self, other: Any) -> Any:
        return self if self <= other else other if other <= self else arb.min(self, other)

    def __neg__(self) -> Ball:
        return _computed(arb.__neg__(self), "-", 0, self)

    def __abs__(self) -> Ball:
        return _computed(arb.__abs__(self), "Abs", self)

    def __pow__(self, exponent: Any, modulus: None = None) -> Any:
        found = arb.__pow__(self, exponent, modulus)
        return _computed(found, "**", self, exponent) if isinstance(exponent, int) and exponent >= 0 else found


def _computed(found: Any, sign: str, *parts: Any) -> Ball:
    trees = [tree_of(part) for part in parts]
    tree = None if None in trees else (sign, *trees)
    return Ball(found, tree, 1 + sum(part.size if isinstance(part, Ball) else 1 for part in parts))


def _operation(name: str, sign: str, swapped: bool = False) -> Callable[[Ball, Any], Any]:
    own = getattr(arb, name)

    def apply(self: Ball, other: Any) -> Any:
        found = own(self, other)
        if found is NotImplemented:
            return found
        return _computed(found, sign, *((other, self) if swapped else (self, other)))

    return apply


def _comparison(name: str, relation: str) -> Callable[[Ball, Any], Any]:
    own, opposite = (getattr(arb, method) for method in (name, _METHODS[OPPOSITE[relation]]))

    def compare(self: Ball, other: Any) -> Any:
        found = own(self, other)
        if found is not NotImplemented and (found or opposite(self, other)):
            real_found(relation if found else OPPOSITE[relation], self, other)
        return found

    return compare


_METHODS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
for _relation, _name in _METHODS.items():
    setattr(Ball, _name, _comparison(_name, _relation))
for _sign, _word in {"+": "add", "-": "sub", "*": "mul", "/": "truediv"}.items():
    setattr(Ball, f"__{_word}__", _operation(f"__{_word}__", _sign))
    setattr(Ball, f"__r{_word}__", _operation(f"__r{_word}__", _sign, swapped=True))


def enclosed(value: Fraction | int | str) -> Ball:
    """A rational number, also as a decimal text, as a ball.

    Parameters
    ----------
    value : Fraction, int or str
    """
    exact = Fraction(value)
    return Ball(arb(fmpq(exact.numerator, exact.denominator)), ("number", exact))


def pi() -> Any:
    """The circle's number as a ball."""
    return Ball(arb.pi(), ("pi",))
