"""Rational numbers that know how they were computed, and what a check has found when it compared them.

A claim about printed numbers or other finite data is settled by comparing rational numbers. Where the data are
`Computed`, every comparison is kept as it turned out: two terms with the numbers put in, and the relation between them.
They become theorems of rational numbers (`lpmech.prove.rocq_arithmetic`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import floor
from numbers import Rational
from typing import Any, cast

from lpmech.certify.checker import exp_bounds

__all__ = [
    "OPPOSITE", "Comparisons", "Computed", "Formula", "enclosed_exp", "instance_settled", "instance_tried",
    "keep_comparisons", "kept_comparisons", "real_found", "tree_of",
]  # fmt: skip

#: A term as `lpmech.certify.proofs.reading` writes one.
Formula = tuple[Any, ...]

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


#: Most signs of a relation that is told.
_LINE = 120


def _told(tree: Formula, inside: bool = False) -> str:
    match tree:
        case ("number", value):
            return str(Computed(value))
        case ("Abs", inner):
            return f"|{_told(inner)}|"
        case (sign, ("number", Fraction(numerator=0)), right) if sign in "+-":
            return _told(right, inside) if sign == "+" else f"-{_told(right, True)}"
        case (sign, *parts):
            text = ("**" if sign == "**" else f" {sign} ").join(_told(part, True) for part in parts)
            return f"({text})" if inside else text
    raise AssertionError(tree)


@dataclass
class Comparisons:
    """What was found by comparing computed numbers.

    Attributes
    ----------
    facts : dict of tuple to None
        The relations, as they hold, in the order in which they were first asked.
    exponentials : dict of (Fraction, Fraction, Fraction) to None
        Numbers between which there is an e^x, around the x.
    reals : dict of tuple to None
        Relations of real numbers, which ball arithmetic has found.
    without : int
        Instances that were settled by no such comparison.
    """

    facts: dict[Formula, None] = field(default_factory=dict)
    exponentials: dict[tuple[Fraction, Fraction, Fraction], None] = field(default_factory=dict)
    reals: dict[Formula, None] = field(default_factory=dict)
    without: int = 0
    _asked: bool = False
    _settled: tuple[int, int, int] = (0, 0, 0)

    def keep(self, relation: str, left: Formula, right: Formula, holds: bool) -> None:
        """Keep a relation, or its opposite."""
        self.facts[relation if holds else OPPOSITE[relation], left, right] = None
        self._asked = True

    @property
    def told(self) -> tuple[str, ...]:
        """The first and the last relation of rational numbers in words."""
        ends = list(self.facts)[:1] + list(self.facts)[-1:]
        lines = (f"{_told(left)} {'=' if sign == '==' else sign} {_told(right)}" for sign, left, right in ends)
        return tuple(dict.fromkeys(line for line in lines if len(line) <= _LINE))

    def real(self, relation: str, left: Formula | None, right: Formula | None) -> None:
        """Keep a relation of real numbers, or that there was one of which a side is not known as a term."""
        if left is None or right is None:
            self.without += 1
        else:
            self.reals[relation, left, right] = None
            self._asked = True

    def settled(self) -> None:
        """The instance whose comparisons are kept is settled."""
        self.without += not self._asked
        self._asked, self._settled = False, (len(self.facts), len(self.reals), self.without)

    def tried(self) -> None:
        """The instance was none that the verdict rests on: what was found since the last one is forgotten."""
        self._asked = False
        for found, count in zip((self.facts, self.reals), self._settled, strict=False):
            while len(found) > count:
                found.popitem()
        self.without = self._settled[2]


_kept: ContextVar[Comparisons | None] = ContextVar("comparisons kept", default=None)


@contextmanager
def kept_comparisons() -> Iterator[Comparisons]:
    """The comparisons that are made inside the block."""
    kept = Comparisons()
    token = _kept.set(kept)
    try:
        yield kept
    finally:
        _kept.reset(token)


def instance_settled() -> None:
    """Tell who keeps comparisons that an instance is settled."""
    if (kept := _kept.get()) is not None:
        kept.settled()


def instance_tried() -> None:
    """Tell who keeps comparisons that an instance was tried on which the verdict does not rest."""
    if (kept := _kept.get()) is not None:
        kept.tried()


def real_found(relation: str, left: Any, right: Any) -> None:
    """Keep a relation of real numbers that decides something; one whose terms are not known is none that is kept."""
    if (kept := _kept.get()) is not None:
        kept.real(relation, tree_of(left), tree_of(right))


def keep_comparisons(found: Comparisons) -> None:
    """Keep what was found by somebody else, where somebody wants to have it."""
    if (kept := _kept.get()) is not None:
        kept.facts |= found.facts
        kept.reals |= found.reals
        kept.exponentials |= found.exponentials
        kept.without += found.without


def enclosed_exp(x: Fraction) -> tuple[Computed, Computed]:
    """Rational numbers below and above e^x, as `lpmech.certify.checker.exp_bounds` finds them."""
    low, high = exp_bounds(x)
    if (kept := _kept.get()) is not None:
        kept.exponentials[low, Fraction(x), high] = None
    return Computed(low), Computed(high)


def _operation(name: str, sign: str, swapped: bool = False) -> Callable[[Computed, Any], Any]:
    own = getattr(Fraction, name)

    def apply(self: Computed, other: Any) -> Any:
        other = _exact(other)
        if (tree := _tree(other)) is None:
            return own(self, other)
        if sign == "+" and not isinstance(other, Computed) and not other:  # where a sum begins
            return self
        sides = (tree, self.tree) if swapped else (self.tree, tree)
        return Computed(own(self, other), tree=(sign, *sides))

    return apply


def _comparison(name: str, relation: str) -> Callable[[Computed, Any], Any]:
    own = getattr(Fraction, name)

    def compare(self: Computed, other: Any) -> Any:
        other = _exact(other)
        found = own(self, other)
        if (kept := _kept.get()) is not None and (tree := _tree(other)) is not None:
            kept.keep(relation, self.tree, tree, found)
        return found

    return compare


def _exact(other: Any) -> Any:
    return Fraction(other) if isinstance(other, Decimal) else other


def _tree(other: Any) -> Formula | None:
    if isinstance(other, Computed):
        return other.tree
    return ("number", Fraction(other)) if isinstance(other, Rational) else None


def tree_of(other: Any) -> Formula | None:
    """The term that a number, or a ball, is the value of; None where it is not known."""
    return cast("Formula | None", other.tree) if hasattr(other, "tree") else _tree(other)


class Computed(Fraction):
    """A rational number with the term that it is the value of; what is computed from it is one, too.

    Parameters
    ----------
    numerator, denominator
        As of a `Fraction`.
    tree : tuple, optional
        Default: the number.
    """

    __slots__ = ("tree",)
    tree: Formula

    def __new__(cls, numerator: Any = 0, denominator: Any = None, *, tree: Formula | None = None) -> Computed:
        self = super().__new__(cls, numerator, denominator)
        self.tree = ("number", Fraction(self)) if tree is None else tree
        return self

    __add__, __radd__ = _operation("__add__", "+"), _operation("__radd__", "+", swapped=True)
    __sub__, __rsub__ = _operation("__sub__", "-"), _operation("__rsub__", "-", swapped=True)
    __mul__, __rmul__ = _operation("__mul__", "*"), _operation("__rmul__", "*", swapped=True)
    __truediv__, __rtruediv__ = _operation("__truediv__", "/"), _operation("__rtruediv__", "/", swapped=True)
    __lt__, __le__ = _comparison("__lt__", "<"), _comparison("__le__", "<=")
    __gt__, __ge__ = _comparison("__gt__", ">"), _comparison("__ge__", ">=")
    __eq__ = _comparison("__eq__", "==")
    __hash__ = Fraction.__hash__

    def __neg__(self) -> Computed:
        return Computed(-Fraction(self), tree=("-", ("number", Fraction(0)), self.tree))

    def __abs__(self) -> Computed:
        return Computed(abs(Fraction(self)), tree=("Abs", self.tree))

    def __floor__(self) -> int:
        found = floor(Fraction(self))
        self._lies(found, found + 1)
        return found

    def __round__(self, ndigits: int | None = None) -> Any:
        """The nearest multiple of 10^-ndigits, and that it is near."""
        found = round(Fraction(self), ndigits or 0)
        half = Fraction(1, 2 * 10 ** (ndigits or 0))
        self._lies(found - half, found + half)
        return int(found) if ndigits is None else found

    def _lies(self, low: Any, high: Any) -> None:
        """Ask whether the number is between these, which it is."""
        assert low <= self <= high

    def __pow__(self, exponent: Any) -> Any:
        found = Fraction(self) ** exponent
        whole = isinstance(exponent, int) and exponent >= 0
        return Computed(found, tree=("**", self.tree, ("number", Fraction(exponent)))) if whole else found

    def __str__(self) -> str:
        """As a decimal where it is one."""
        exact = Decimal(self.numerator) / Decimal(self.denominator)
        return f"{exact:f}" if Fraction(exact) == Fraction(self) else f"{self.numerator}/{self.denominator}"
