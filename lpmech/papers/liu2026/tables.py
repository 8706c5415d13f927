"""What the paper prints: label counts (section 5.1.1), settings (Tables 8, 9) and results (Tables 3 to 7, 10, 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

__all__ = [
    *("FIRST", "SECOND", "COUNTS", "SETTINGS", "METHODS", "ENTRIES", "IMPOSSIBLE", "ROUNDING", "by_setting", "ranked"),
    *(
        "ACCURACY",
        "AVERAGE",
        "PER_CLASS",
        "ABLATION",
        "mean_accuracy",
        "deviation",
        "average",
        "accuracies",
        "possible",
    ),
]

FIRST, SECOND = "CIFAR-10_1", "CIFAR-10_2"
METHODS = ("RR", "RRWithPrior", "Ours")
_BUDGETS = ("0.6", "0.8", "1", "2", "3", "4", "6", "8", "inf")

#: Training samples per class, section 5.1.1.
COUNTS = {
    FIRST: (5000, 4900, 4700, 4600, 4500, 4800, 1000, 1500, 1000, 1500),
    SECOND: (5000, 4900, 4700, 4600, 4500, 4800, 600, 500, 700, 400),
}


def _settings(sigmas: str, sizes: tuple[int | None, ...]) -> dict[Fraction, tuple[Fraction, int | None]]:
    budgets = [Fraction(b) for b in _BUDGETS[:-1]]
    return {b: (Fraction(s), l) for b, s, l in zip(budgets, sigmas.split(), sizes, strict=True)}


#: epsilon -> (sigma, l), Tables 8 and 9; l is not given for epsilon = 6, 8.
SETTINGS = {
    FIRST: _settings("1.40 1.20 1.20 0.80 0.78 0.50 0.50 0.50", (6, 5, 5, 2, 0, 0, None, None)),
    SECOND: _settings("1.20 1.20 1.20 0.80 0.80 0.50 0.20 0.20", (2, 6, 5, 6, 0, 0, None, None)),
}


def by_setting(values: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, Fraction, Fraction, int | None, Any]]:
    """(data set, epsilon, sigma, l, value) for values that are listed in the order of Tables 8 and 9."""
    for dataset, row in values.items():
        for (budget, (sigma, l)), value in zip(SETTINGS[dataset].items(), row, strict=True):
            yield dataset, budget, sigma, l, value


def _rows(text: str, columns: tuple[str, ...]) -> dict[str, dict[str, tuple[str, ...]]]:
    """budget -> column -> printed numbers; one line per budget, columns separated by |."""
    table = {}
    for line in text.strip().splitlines():
        budget, *cells = [part.strip() for part in line.split("|")]
        table[budget] = {column: tuple(cell.split()) for column, cell in zip(columns, cells, strict=True)}
    return table


#: budget -> method -> what is printed of one experiment, a line a budget: mean and standard deviation of the test accuracy
#: (Tables 3 and 5), average of the per-class accuracies (Tables 4 and 6), the ten per-class accuracies (Tables 10 and 11).
_RESULTS = {
    FIRST: """
        0.6 | 39.75 1.44 29.14 68.26 78.61 21.54 29.36 29.94 42.31 1.56 13.05 0.85 5.95 | 37.74 4.06 26.17 73.33 70.91 29.90 11.39 28.00 48.14 0.00 0.00 0.00 0.00 | 40.31 2.08 28.52 66.59 84.94 24.96 23.97 25.07 51.92 0.00 7.29 0.00 0.42
        0.8 | 46.18 1.51 37.25 69.65 79.94 38.91 29.20 30.19 52.94 8.77 32.66 6.05 24.19 | 47.54 4.32 33.07 82.38 80.22 34.00 37.13 28.63 68.35 0.00 0.00 0.00 0.00 | 47.11 1.43 35.40 71.65 80.46 37.95 33.57 36.99 57.21 2.56 20.83 2.55 10.25
        1   | 53.66 2.18 46.01 76.41 79.54 48.46 37.97 39.69 58.47 19.61 48.13 11.12 40.69 | 54.86 4.19 38.42 77.70 84.28 59.66 51.41 46.22 64.89 0.00 0.00 0.00 0.00 | 55.12 2.69 43.30 78.11 86.38 51.77 41.28 42.84 65.15 10.27 27.55 3.75 25.94
        2   | 78.74 0.48 75.96 89.53 96.58 73.18 67.34 73.16 79.40 67.62 71.27 68.10 73.40 | 73.20 1.53 50.08 91.37 98.31 80.55 74.42 81.33 81.72 0.00 14.95 0.00 8.13 | 78.86 0.56 74.03 90.57 97.23 76.82 68.99 74.34 79.20 61.13 67.64 59.53 64.82
        3   | 87.67 0.50 87.21 93.24 98.77 86.12 80.28 85.56 85.30 82.19 95.09 80.21 85.34 | 83.35 1.93 70.85 94.00 98.74 87.19 81.69 87.54 86.90 8.56 77.58 25.28 61.01 | 87.60 0.51 86.09 93.02 98.84 85.90 79.72 85.81 85.86 82.13 85.35 80.21 84.06
        4   | 90.43 0.28 89.37 94.80 99.13 89.18 84.93 88.81 87.81 86.29 90.37 83.59 88.80 | 91.12 0.24 90.19 95.70 99.09 90.14 85.64 89.62 88.36 87.81 91.14 85.61 88.77 | 90.77 0.33 89.80 94.86 99.18 89.38 85.58 88.98 88.39 86.52 90.58 84.31 90.22
        6   | 91.99 0.22 91.08 96.32 99.24 91.22 87.13 90.31 89.54 89.09 91.23 86.07 90.69 | 92.61 0.21 91.81 96.39 99.26 91.98 88.43 91.46 89.75 89.80 92.69 87.30 91.03 | 92.10 0.30 91.22 96.24 99.31 91.34 87.43 90.26 89.65 89.25 91.86 85.77 91.08
        8   | 92.18 0.28 91.42 96.48 99.26 91.39 86.87 90.77 89.61 89.41 92.55 86.66 91.15 | 92.72 0.37 91.59 96.68 99.19 91.94 88.38 91.41 90.17 87.02 92.85 87.02 91.22 | 92.36 0.18 91.53 96.25 99.33 91.68 88.15 91.17 89.09 88.81 92.85 86.64 91.32
        inf | 92.25 0.33 91.54 96.28 99.29 91.55 87.63 90.36 89.46 89.58 92.91 87.09 91.22 | 92.68 0.22 91.77 96.81 99.34 91.87 88.77 91.32 89.87 89.59 92.76 86.43 90.90 | 92.87 0.16 91.88 96.79 99.19 91.94 88.62 91.63 89.84 89.84 92.76 87.03 91.14
    """,
    SECOND: """
        0.6 | 42.55 1.71 27.43 66.75 83.70 14.82 24.02 28.66 52.25 1.52 0.86 1.24 0.50 | 42.70 4.62 27.24 64.22 80.82 27.67 27.08 31.60 41.02 0.00 0.00 0.00 0.00 | 43.48 1.98 27.82 69.38 75.47 22.73 28.48 33.65 47.64 0.02 0.20 0.33 0.32
        0.8 | 48.70 2.59 33.08 70.24 74.33 39.97 32.83 34.34 57.08 5.62 7.90 4.97 3.55 | 52.12 3.57 33.48 63.04 81.24 46.45 45.17 46.77 52.14 0.00 0.00 0.00 0.00 | 51.01 1.29 33.24 74.63 82.89 38.50 32.78 38.50 57.90 2.00 4.56 0.14 0.50
        1   | 55.82 2.33 45.95 76.41 79.54 48.46 37.39 39.69 58.47 19.61 48.13 11.12 40.69 | 59.48 5.94 38.42 77.70 84.28 59.66 51.41 46.22 64.89 0.00 0.00 0.00 0.00 | 58.26 1.67 43.30 78.11 86.38 51.77 41.28 42.84 65.15 10.27 27.55 3.75 25.94
        2   | 79.09 0.82 67.96 91.09 97.15 75.01 68.89 73.93 79.86 58.75 39.26 60.04 35.60 | 78.91 0.76 50.87 92.65 98.36 80.58 75.03 80.78 81.26 0.00 0.00 0.00 0.00 | 79.14 0.44 60.09 91.84 97.84 77.85 71.64 78.30 79.55 33.95 17.00 37.36 15.55
        3   | 87.52 0.32 81.67 93.74 99.16 86.30 80.50 86.09 85.73 75.28 59.98 76.20 73.70 | 84.05 1.93 54.94 94.68 99.49 88.59 83.60 88.21 86.82 8.03 0.00 0.00 0.00 | 87.18 0.30 80.90 93.59 9892 85.86 80.86 85.40 85.41 75.03 58.06 76.64 69.47
        4   | 90.22 0.17 89.24 95.01 99.65 91.42 87.40 91.65 89.73 85.27 83.24 84.49 84.50 | 88.65 1.42 74.01 95.35 99.47 90.50 85.69 89.64 88.77 58.22 28.48 58.63 45.37 | 90.36 0.33 86.01 95.21 99.33 89.90 85.34 88.87 88.03 82.18 69.46 83.20 78.55
        6   | 91.95 0.28 88.88 96.41 99.62 91.08 87.40 90.65 89.73 85.05 81.32 84.53 83.03 | 92.44 0.34 91.81 96.39 99.26 91.98 88.43 91.46 89.75 89.80 92.69 87.30 91.03 | 92.35 0.23 89.30 97.29 99.52 91.85 87.32 91.42 89.88 86.57 81.80 83.67 83.65
        8   | 92.20 0.17 89.38 96.51 99.60 91.42 87.72 91.60 89.37 85.27 83.22 84.49 84.55 | 92.67 0.19 91.59 96.68 99.19 91.94 88.38 91.41 90.17 87.02 92.85 87.02 91.22 | 92.58 0.26 89.69 96.95 99.74 92.27 88.33 91.50 89.70 86.20 83.56 84.89 83.80
        inf | 92.30 0.25 89.08 96.81 99.75 91.43 88.00 91.43 89.74 85.53 81.58 84.93 81.60 | 92.92 0.34 90.16 97.23 99.72 92.17 88.56 92.46 90.24 87.42 85.02 85.56 83.22 | 92.58 0.23 89.69 97.07 99.63 91.98 88.28 91.64 89.90 86.78 84.20 84.44 83.02
    """,
}
_PRINTED = {dataset: _rows(text, METHODS) for dataset, text in _RESULTS.items()}


def _columns(first: int, last: int | None) -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """data set -> budget -> method -> these columns of the results."""
    return {
        d: {b: {m: cell[first:last] for m, cell in row.items()} for b, row in table.items()}
        for d, table in _PRINTED.items()
    }


ACCURACY, AVERAGE, PER_CLASS = _columns(0, 2), _columns(2, 3), _columns(3, None)


def _number(place: int) -> Callable[[str, str, str], Decimal]:
    """One of the printed numbers, of a data set, budget and method."""
    return lambda dataset, budget, method: Decimal(_PRINTED[dataset][budget][method][place])


mean_accuracy, deviation, average = map(_number, range(3))


def accuracies(dataset: str, budget: str, method: str, misprint: str = "98.92") -> list[Fraction]:
    """The ten per-class accuracies in percent, "9892" read as `misprint`."""
    return [Fraction(misprint if v == "9892" else v) for v in PER_CLASS[dataset][budget][method]]


def ranked(values: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The columns of a row, the largest printed mean first."""
    return sorted(values, key=lambda key: Decimal(values[key][0]), reverse=True)


#: Table 7: budget -> l -> (mean, standard deviation), CIFAR-10_2, as printed.
ABLATION = _rows(
    """
    0.6 | 42.52 1.88 | 42.78 2.47 | 43.48 1.98 | 41.52 2.46 | 43.22 1.51 | 42.95 1.48 | 42.34 1.62
    0.8 | 48.88 1.94 | 48.79 1.98 | 49.91 1.90 | 49.90 2.93 | 49.44 2.31 | 48.80 1.80 | 51.01 1.29
    1   | 55.58 1.91 | 55.65 1.25 | 57.10 1.91 | 56.40 1.59 | 56.04 1.71 | 58.26 1.67 | 56.92 2.85
    2   | 79.03 0.79 | 78.61 0.67 | 78.76 0.78 | 78.77 0.92 | 78.54 0.74 | 78.72 1.05 | 79.14 0.44
    3   | 87.18 0.30 | 87.05 0.33 | 86.99 0.48 | 86.78 0.42 | 86.59 0.39 | 86.09 0.44 | 85.94 0.35
    4   | 90.36 0.32 | 90.09 0.42 | 89.99 0.27 | 89.85 0.60 | 89.62 0.38 | 88.96 0.35 | 88.78 0.53
    """,
    tuple("0123456"),
)

#: (budget, method) of a table, row by row.
ENTRIES = [(b, m) for b in PER_CLASS[FIRST] for m in METHODS]

#: Two printed numbers that agree differ by no more.
ROUNDING = Fraction(1, 100)

#: Rows of Table 11 with an accuracy that no number of right answers gives; see 'Table 11 (attainable values)'.
IMPOSSIBLE = {("1", "RR"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}


def possible(dataset: str, budget: str, *methods: str) -> bool:
    """Whether the rows of these methods can be results of the experiment; Table 10 has no impossible row."""
    return dataset == FIRST or not any((budget, method) in IMPOSSIBLE for method in methods)
