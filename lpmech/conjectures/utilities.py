"""The utility of a conjecture: the one of its file, or a named one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.conjectures.source import Conjecture
from lpmech.entries import Array, as_array, is_exact
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.labels.named_utilities import UTILITIES, same_at_every_level
from lpmech.statements.following import Called, RaisedError
from lpmech.statements.numbers import exactly_as_written

__all__ = ["Gain", "gain_of", "prior_at"]

#: The utility at values of the parameters, shape (K, J).
Gain = Callable[[Mapping[str, Any]], Array]


def prior_at(at: Mapping[str, Any]) -> Array:
    """The prior of a point, which is uniform where none is named."""
    size = int(at["K"])
    return np.array(at.get("prior") or (Fraction(1, size),) * size, dtype=object)


def gain_of(conjecture: Conjecture, name: str | None) -> Gain:
    """The utility of a conjecture.

    Raises
    ------
    InvalidInputError
        If both or an unknown one are given.
    """
    named = same_at_every_level()
    if conjecture.utility is not None:
        if name is not None:
            raise InvalidInputError("utility", name, "no --utility beside a file that defines its own utility")
        own = conjecture.utility
        return lambda at: _matrix(own, at)
    chosen = name or "hit"
    if chosen not in named:
        raise InvalidInputError("utility", chosen, f"{', '.join(named)}, or a function utility(K) in the file")
    if conjecture.outputs is not None:
        outputs = conjecture.outputs
        return lambda at: _between(chosen, int(at["K"]), outputs(at))
    matrix = UTILITIES[chosen].matrix
    return lambda at: matrix(int(at["K"]), prior_at(at), None)


def _matrix(utility: Called, at: Mapping[str, Any]) -> Array:
    try:
        found = as_array(utility(at).rows, "utility", 2, UtilityError)
    except RaisedError as exc:
        raise UtilityError("utility", str(exc), "a matrix of numbers") from exc
    if not is_exact(found):
        raise UtilityError("utility", "floats", "exact numbers: write Fraction(1, 3), not 0.333")
    return found


def _between(name: str, size: int, outputs: list[Any]) -> Array:
    utility, numbers = UTILITIES[name], [exactly_as_written(o) for o in outputs]
    if not utility.formula or None in numbers:
        raise InvalidInputError(
            "utility",
            f"{name} for the outputs {outputs}",
            "a function utility(...) in the file: outputs are not numbers",
        )
    rows = [[utility.entry(Fraction(y), j) for j in numbers if j is not None] for y in range(size)]
    return as_array(rows, "utility", 2, UtilityError)
