"""What stands in the place of chance, so that what a mechanism draws shows its law: numbers spread evenly, and all of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array
from lpmech.errors import UndecidedError
from lpmech.randomness import RandomSource

#: Two Fibonacci numbers: the points (i / DRAWS, i STEP / DRAWS mod 1) fill the square evenly.
DRAWS, STEP = 987, 610

#: Values of one draw, and draws, that are enumerated at most.
_MOST = 100


class Even(np.random.Generator):
    """Stands for uniform numbers, DRAWS at a time, twice: the first are in order, the second independent of them."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))
        self._left = [1, STEP]

    def random(self, size: Any = None, *others: Any, **named: Any) -> Array:  # type: ignore[override]
        """The next DRAWS numbers; a third time there are none."""
        return (np.arange(DRAWS) * self._left.pop(0) % DRAWS + 0.5) / DRAWS


class _OpenError(Exception):
    """A decision is open between so many equally likely values."""


class _Path(RandomSource):
    """Decisions that were taken before. Of a draw from 2^53 values the middle of every eighth stands for it."""

    def __init__(self, taken: tuple[int, ...]) -> None:
        self._left = list(taken)

    def below(self, bound: int, count: int) -> Array:
        """The next decisions."""
        number, step = (8, 2**50) if bound == 2**53 else (bound, 1)
        if number > _MOST:
            raise UndecidedError(f"a draw from {number} values is too much to enumerate")
        if len(self._left) < count:
            raise _OpenError(number)
        return np.array([self._left.pop(0) * step + step // 2 for _ in range(count)], dtype=np.int64)


def enumerated(draw: Callable[[RandomSource], Any]) -> dict[Any, Fraction]:
    """The exact law of what a sampler returns, over everything that its source can say."""
    found: dict[Any, Fraction] = {}
    paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while paths:
        taken, chance = paths.pop()
        if len(taken) > _MOST:
            raise UndecidedError("a sampler without end")
        try:
            value = draw(_Path(taken))
            found[value] = found.get(value, Fraction(0)) + chance
        except _OpenError as decision:
            (number,) = decision.args
            paths += [((*taken, n), chance / number) for n in range(number)]
    return found
