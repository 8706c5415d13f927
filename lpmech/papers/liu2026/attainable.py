"""Which rows of Tables 10 and 11 the protocol of the experiments can produce."""

from __future__ import annotations

from fractions import Fraction

from lpmech.papers.liu2026.tables import COUNTS, METHODS, PER_CLASS

__all__ = ["HALF_A_UNIT", "IMPOSSIBLE", "Entry", "accuracies", "attainable", "entries", "possible", "unattainable_rows"]

Entry = tuple[str, str]
HALF_A_UNIT = Fraction(5, 1000)

#: Rows of Table 11 with an accuracy that no number of right answers gives; shown by `unattainable_rows`.
IMPOSSIBLE = {("1", "RR"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}


def accuracies(dataset: str, budget: str, method: str) -> list[Fraction]:
    """The ten per-class accuracies in percent, "9892" read as 98.92."""
    return [Fraction("98.92") if v == "9892" else Fraction(v) for v in PER_CLASS[dataset][budget][method]]


def entries() -> list[Entry]:
    """(budget, method) of a table, row by row."""
    return [(b, m) for b in PER_CLASS["CIFAR-10_1"] for m in METHODS]


def attainable(value: Fraction, evaluations: int) -> bool:
    """Whether a percentage rounded to 0.01 is 100 k / evaluations for a whole number k."""
    nearest = round(value * evaluations / 100)
    return abs(Fraction(100 * nearest, evaluations) - value) <= HALF_A_UNIT


def unattainable_rows(dataset: str, repetitions: int) -> set[Entry]:
    """Rows with a class whose printed accuracy no number of right answers gives."""
    tests = [n // 10 for n in COUNTS[dataset]]
    return {
        (budget, method)
        for budget, method in entries()
        if not all(
            attainable(v, n * repetitions)
            for n, v in zip(tests, accuracies(dataset, budget, method), strict=True)
        )
    }  # fmt: skip


def possible(dataset: str, budget: str, *methods: str) -> bool:
    """Whether the rows of these methods can be results of the experiment; Table 10 has no impossible row."""
    return dataset == "CIFAR-10_1" or not any((budget, method) in IMPOSSIBLE for method in methods)
