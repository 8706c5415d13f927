"""What was covered when a question was settled instance by instance."""

from __future__ import annotations

from fractions import Fraction

from lpmech.conjectures.instances import LADDER, prior_names, spans
from lpmech.conjectures.source import Conjecture
from lpmech.errors import UndecidedError
from lpmech.prove.counterexamples import Instance

__all__ = ["Tried"]


class Tried:
    """What was covered, in words: every family by name."""

    def __init__(self, conjecture: Conjecture) -> None:
        self._conjecture = conjecture
        self._for_all_t: set[int] = set()
        self._at_points: set[int] = set()
        self._reals: dict[str, set[Fraction]] = {p.name: set() for p in conjecture.domain.own if not p.whole}
        self.searched = 0

    @property
    def at_points(self) -> bool:
        """Whether nothing was settled for all t."""
        return not self._for_all_t

    def add(self, instance: Instance, nonempty: bool, named: bool = False) -> None:
        """An instance was settled for all t, or at the ladder; unless the hypotheses leave no t there."""
        if nonempty:
            for name, values in self._reals.items():
                values.add(dict(instance.parameters)[name])
            (self._at_points if named else self._for_all_t).add(len(instance.counts))

    def __str__(self) -> str:
        if not self._for_all_t | self._at_points:
            raise UndecidedError("no instance of the family satisfies the hypotheses")
        own = "".join(f", {text}" for text in self._conjecture.domain.own_texts)
        parts = []
        if self._for_all_t:
            parts.append(f"all t > 1{own} at K = {spans(self._for_all_t)}")
        if self._at_points:
            ladder = ", ".join(map(str, LADDER))
            parts.append(f"t in {{{ladder}}}{own} at K = {spans(self._at_points)}")
        if self._conjecture.domain.own:
            parts.append(self._conjecture.domain.family_name(self._reals))
        parts.append(prior_names(self._conjecture))
        if self.searched:
            sizes = spans(set(range(2, self.searched + 1)))
            parts.append(f"and for each K = {sizes} the 60 instances of smallest numbers and 10 random ones (seed 0)")
        return "; ".join(parts)
