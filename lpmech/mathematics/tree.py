"""What a text is once it has been read: prose, code and formulas, and the nodes of formulas."""

from __future__ import annotations

from dataclasses import dataclass

from lpmech.mathematics.symbols import Sign

__all__ = [
    "Accent", "Code", "Fence", "Font", "Formula", "Fraction", "Node", "Digits", "Matrix", "Part", "Prose", "Root",
    "Row", "Scripts", "Sign", "Words",
]  # fmt: skip


@dataclass(frozen=True)
class Digits:
    """Digits, as they are written: ``20{,}000.5``."""

    digits: str


@dataclass(frozen=True)
class Words:
    r"""Upright letters: a name (``\mathrm``), or words with their blanks (``\text``)."""

    text: str
    command: str


@dataclass(frozen=True)
class Font:
    """Letters of another alphabet."""

    command: str
    letters: str


@dataclass(frozen=True)
class Accent:
    """Something with a mark above."""

    command: str
    inner: Row


@dataclass(frozen=True)
class Row:
    """One after the other."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Fence:
    """What stands between two brackets."""

    left: Sign
    inner: Row
    right: Sign


@dataclass(frozen=True)
class Scripts:
    """A base with what stands below and above it, and primes."""

    base: Node
    below: Row | None
    above: Row | None
    primes: int = 0


@dataclass(frozen=True)
class Fraction:
    r"""``\frac``."""

    above: Row
    below: Row


@dataclass(frozen=True)
class Root:
    """A square root."""

    inner: Row


@dataclass(frozen=True)
class Matrix:
    r"""``\begin{pmatrix}``: rows of entries in round brackets."""

    rows: tuple[tuple[Row, ...], ...]


Node = Sign | Digits | Words | Font | Accent | Row | Fence | Scripts | Fraction | Root | Matrix


@dataclass(frozen=True)
class Prose:
    """Words between formulas, as they were typed."""

    text: str


@dataclass(frozen=True)
class Code:
    """What stood between backticks."""

    text: str


@dataclass(frozen=True)
class Formula:
    """What stood between dollars."""

    row: Row


Part = Prose | Code | Formula
