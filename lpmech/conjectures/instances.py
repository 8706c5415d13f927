"""The instances at which a conjecture is checked one by one: values of K, the parameters and the prior, all named."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.conjectures.source import Conjecture
from lpmech.errors import InvalidInputError
from lpmech.prove.counterexamples import Instance
from lpmech.prove.rational_functions import as_rational

__all__ = ["LADDER", "arguments", "arguments_inside", "inside", "instances", "prior_names", "spans"]

#: Where formulas that cannot be followed are evaluated, and the optimum for many labels.
LADDER = tuple(
    Fraction(t)
    for t in ("101/100", "5/4", "3/2", "2", "3", "5", "8", "10", "15", "20", "21", "25", "50", "100", "1000")
)

#: Families of label counts by name, for K labels.
_COUNTS = {
    "uniform": lambda size: (1,) * size,
    "K, ..., 2, 1": lambda size: tuple(range(size, 0, -1)),
    "1, 2, 4, ...": lambda size: tuple(2**y for y in range(size)),
    "K, 1, ..., 1": lambda size: (size, *([1] * (size - 1))),
    "2, ..., 2, 0": lambda size: (*([2] * (size - 1)), 0),
    "60, 60/2, 60/3, ... rounded down": lambda size: tuple(60 // (y + 1) for y in range(size)),
}
#: Those of them that do not fall, and what takes their place where the prior is ordered.
_ORDERED = {"1, 2, 4, ...": ("2^K, ..., 4, 2", lambda size: tuple(2**y for y in range(size, 0, -1)))}


def _families(conjecture: Conjecture) -> dict[str, Any]:
    if not conjecture.uses_prior:
        return {"uniform": _COUNTS["uniform"]}
    if conjecture.domain.prior == "ordered":
        return dict(_ORDERED.get(name, (name, counts)) for name, counts in _COUNTS.items())
    return _COUNTS


def instances(conjecture: Conjecture, largest: int) -> Iterator[Instance]:
    """From few to many labels; the ratio is a placeholder.

    Raises
    ------
    InvalidInputError
        If no instance satisfies the hypotheses.
    """
    empty = True
    for values in conjecture.domain.family(largest):
        size = int(values["K"])
        own = tuple((name, Fraction(int(v.p), int(v.q))) for name, v in values.items() if name != "K")
        for counts in dict.fromkeys(family(size) for family in _families(conjecture).values()):
            empty = False
            yield Instance(Fraction(2), counts, None, own)
    if empty:
        raise InvalidInputError(
            "where",
            conjecture.domain.own_texts,
            f"hypotheses that an instance with K <= {largest} satisfies (raise --largest)",
        )


def prior_names(conjecture: Conjecture) -> str:
    """The priors of `instances`, in words."""
    names = list(_families(conjecture))
    return "uniform prior" if len(names) == 1 else "priors with label counts " + "; ".join(f"({n})" for n in names)


def arguments(instance: Instance, t: Any) -> dict[str, Any]:
    """Arguments by name for the functions of a conjecture."""
    own = {name: as_rational(value) for name, value in instance.parameters}
    prior = [as_rational(p) for p in instance.prior]
    return {"t": t, "K": sp.Integer(len(prior)), "prior": prior, **own}


def inside(conjecture: Conjecture, instance: Instance) -> bool:
    """Whether an instance satisfies the hypotheses."""
    counts = instance.counts
    if conjecture.uses_prior and conjecture.domain.prior == "ordered" and sorted(counts, reverse=True) != list(counts):
        return False
    if not conjecture.uses_prior and len(set(counts)) > 1:
        return False
    whole = {p.name for p in conjecture.domain.own if p.whole}
    if any(value.denominator > 1 for name, value in instance.parameters if name in whole):
        return False
    return arguments_inside(conjecture, arguments(instance, as_rational(instance.ratio)))


def arguments_inside(conjecture: Conjecture, at: dict[str, Any]) -> bool:
    """Whether arguments by name satisfy the hypotheses."""
    return conjecture.domain.holds({name: value for name, value in at.items() if name != "prior"})


def spans(sizes: set[int]) -> str:
    """Numbers of labels in words: 2..6, 8."""
    runs: list[list[int]] = []
    for size in sorted(sizes):
        if runs and size == runs[-1][1] + 1:
            runs[-1][1] = size
        else:
            runs.append([size, size])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs)
