"""Which rows of Tables 10 and 11 the protocol of the experiments can produce, and claims about single entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from lpmech.claims import Parts
from lpmech.papers.liu2026.tables import COUNTS, METHODS, PER_CLASS

__all__ = ["ENTRIES", "ROUNDING", "accuracies", "attains", "exactly", "possible"]

#: (budget, method) of a table, row by row.
ENTRIES = [(b, m) for b in PER_CLASS["CIFAR-10_1"] for m in METHODS]

#: Two printed numbers that agree differ by no more.
ROUNDING = Fraction(1, 100)

#: Rows of Table 11 with an accuracy that no number of right answers gives; see 'Table 11 (attainable values)'.
IMPOSSIBLE = {("1", "RR"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}


def exactly(cases: Iterable[Any], holds: Callable[[Any], bool], words: Callable[[Any], str]) -> Callable[[Any], Parts]:
    """The check that something holds in exactly those cases that the formula contains."""
    known = tuple(cases)

    def check(chosen: Any) -> Parts:
        for case in known:
            yield bool(holds(case)) == (case in chosen) or words(case)

    return check


def accuracies(dataset: str, budget: str, method: str, misprint: str = "98.92") -> list[Fraction]:
    """The ten per-class accuracies in percent, "9892" read as `misprint`."""
    return [Fraction(misprint if v == "9892" else v) for v in PER_CLASS[dataset][budget][method]]


def attains(dataset: str, budget: str, method: str, repetitions: int) -> bool:
    """Whether every accuracy of a row, rounded to 0.01, is that of a whole number of right answers."""
    for trained, value in zip(COUNTS[dataset], accuracies(dataset, budget, method), strict=True):
        evaluations = trained // 10 * repetitions
        nearest = round(value * evaluations / 100)
        if abs(Fraction(100 * nearest, evaluations) - value) > ROUNDING / 2:
            return False
    return True


def possible(dataset: str, budget: str, *methods: str) -> bool:
    """Whether the rows of these methods can be results of the experiment; Table 10 has no impossible row."""
    return dataset == "CIFAR-10_1" or not any((budget, method) in IMPOSSIBLE for method in methods)
