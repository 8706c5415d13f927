"""How the functions of a formula were called: with letters, or with which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from lpmech.terms import Number, Term, names_in

__all__ = ["Calls", "has_letters"]

#: Of these types no value speaks of a letter, so that nothing is looked for.
_PLAIN = frozenset((int, Fraction, bool, float, str))
#: What the library calls a number of labels, items or outputs.
_SIZES = ("n", "size")


@dataclass
class Calls:
    """How one function of the formula was called.

    Attributes
    ----------
    letters : set of str
        The parameters that stood for letters.
    numbers, tried : mapping of str to numbers
        What numbers others stood for beside letters, and in calls without letters.
    symbolic, instances : int
        How many calls had letters, and how many had none.
    outputs : int
        The most outputs, or entries of a row, that a call without letters had.
    """

    letters: set[str] = field(default_factory=set)
    numbers: dict[str, dict[Any, None]] = field(default_factory=dict)
    tried: dict[str, dict[Any, None]] = field(default_factory=dict)
    symbolic: int = 0
    instances: int = 0
    outputs: int = 0

    def note(self, values: Mapping[str, Any], result: Any) -> list[str]:
        """Count a call; the arguments that have letters."""
        letters = [name for name, value in values.items() if has_letters(value)]
        if not letters and not has_letters(result):
            sizes = [value for name, value in values.items() if name in _SIZES and isinstance(value, int)]
            self.instances += 1
            self.outputs = max(self.outputs, *sizes, *map(_size, (*values.values(), result)))
        else:
            self.symbolic += 1
            self.letters.update(letters)
        for name, value in values.items():
            if isinstance(value, (int, float, Fraction, sp.Number, np.number, Number)) and not isinstance(value, bool):
                (self.numbers if letters else self.tried).setdefault(name, {})[value] = None
        return letters


def has_letters(value: Any) -> bool:
    """Whether something, or a part of it, speaks of a letter."""
    if type(value) in _PLAIN:
        return False
    match value:
        case Term():
            return bool(names_in(value))
        case sp.Basic() | sp.MatrixBase():
            return bool(value.free_symbols)
        case Mapping():
            return any(map(has_letters, value.values()))
        case np.ndarray():
            return value.dtype == object and any(map(has_letters, value.flat))
        case list() | tuple():
            return any(map(has_letters, value))
    return False


def _size(value: Any) -> int:
    """How many outputs a channel or a table has, how many entries a row."""
    value = getattr(value, "matrix", value)
    if isinstance(value, np.ndarray):
        return int(value.shape[-1]) if value.ndim else 0
    if isinstance(value, (list, tuple)) and value:
        return max(len(value), _size(value[0]))
    return 0
