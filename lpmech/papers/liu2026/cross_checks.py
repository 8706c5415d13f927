"""Tables 3 to 7 against Tables 10 and 11 and against the protocol of the experiments: what the printed numbers rule out."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lpmech.papers.checking import check_every_fact
from lpmech.papers.claims import Repair
from lpmech.papers.liu2026.attainable import (
    HALF_A_UNIT,
    IMPOSSIBLE,
    Entry,
    accuracies,
    entries,
    unattainable_rows,
)
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.tables import ACCURACY, AVERAGE, COUNTS, PER_CLASS
from lpmech.papers.liu2026.tables_3_to_11 import FIRST, SECOND
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Section 5.1.1 (test sets)",
    r"one tenth of every class's training count is a whole number of test samples, at most the 1000 that CIFAR-10 has",
    hypotheses="class counts of 5.1.1; both data sets also keep at most 5000 training samples of a class",
    formula=10,
    mutants={"one thousandth": 1000, "one fourth": 4},
)
def sizes_of_test_sets(share: int) -> Outcome:
    facts = (
        (n % share == 0 and n // share <= 1000 and n <= 5000, f"{dataset}: {n} / {share}")
        for dataset, counts in COUNTS.items()
        for n in counts
    )
    return check_every_fact(facts, "both data sets")


@PAPER.claim(
    "Section 5.1.1 (original test set)",
    r"'each derived dataset preserves the original test set': 1000 test samples of every class",
    hypotheses="the text goes on: 'the test set for each class contains 1/10 of its corresponding training count'; read literally, both sentences are to hold",
    consequence="wording",
    recorded="refuted",
    formula=(1000, 1000),
    mutants={"at least 500": (500, 1000)},
    repair=Repair(
        r"a tenth of the training count leaves between 40 and 500 test samples of a class",
        hypotheses="class counts of 5.1.1, both data sets",
        formula=(40, 500),
        mutants={"at least 100": (100, 500), "at most 490": (40, 490)},
        note="The public code has these test sets: test_num_data in datasets.py of yuyin132/BlockRR.",
    ),
)
def sizes_of_test_classes(bounds: tuple[int, int]) -> Outcome:
    least, most = bounds
    facts = (
        (least <= n // 10 <= most, f"{dataset}, class {i}: {n} training samples, {n // 10} test samples")
        for dataset, counts in COUNTS.items()
        for i, n in enumerate(counts)
    )
    return check_every_fact(facts, "both data sets")


# -- overall accuracy as the weighted mean of the per-class accuracies ---------------------------------


def weighted_accuracy(dataset: str, budget: str, method: str) -> Fraction:
    """Overall test accuracy that Tables 10 and 11 imply: classes weighted by their test samples."""
    counts = COUNTS[dataset]
    values = accuracies(dataset, budget, method)
    return sum((n * v for n, v in zip(counts, values, strict=True)), Fraction(0)) / sum(counts)


UNEXPLAINED = {
    FIRST: {("3", "RR"), ("8", "RRWithPrior"), ("inf", "Ours")},
    SECOND: {
        ("1", "RR"), ("1", "RRWithPrior"), ("1", "Ours"), ("3", "RR"), ("3", "Ours"), ("4", "RR"),
        ("6", "RRWithPrior"), ("8", "RRWithPrior"),
    },
}  # fmt: skip
OVERALL = {FIRST: ("Table 3", "Table 10"), SECOND: ("Table 5", "Table 11")}


def _register_overall(dataset: str, control_note: str) -> None:
    """The claims about one table of overall accuracies against the per-class ones."""
    overall, detail = OVERALL[dataset]
    odd = UNEXPLAINED[dataset]

    def check(excused: set[Entry]) -> Outcome:
        def facts() -> Iterable[tuple[bool, str]]:
            for budget, method in entries():
                printed = Fraction(ACCURACY[dataset][budget][method][0])
                implied = weighted_accuracy(dataset, budget, method)
                agrees = abs(printed - implied) <= 2 * HALF_A_UNIT
                yield (
                    agrees != ((budget, method) in excused),
                    f"{overall}, epsilon = {budget}, {method}: printed {float(printed):.2f}, weighted mean of {detail} {float(implied):.3f}",
                )

        return check_every_fact(facts(), f"27 entries of {overall}, tolerance 0.01")

    names = ", ".join(f"{method} at {budget}" for budget, method in sorted(odd))
    PAPER.claim(
        f"{overall} against {detail}",
        rf"every overall accuracy of {overall} is the mean of the per-class accuracies of {detail} weighted by the test samples of 5.1.1",
        hypotheses="means over the same runs and epochs, so both tables are linear in the same counts; both roundings together 0.01; 9892 read as 98.92",
        consequence="wording",
        recorded="refuted",
        formula=set(),
        mutants={"one entry excused": {("0.6", "RR")}, "another entry excused too": odd | {("0.6", "RR")}},
        note=control_note,
        repair=Repair(
            rf"{overall} is the weighted mean of {detail} within 0.01 except for: {names}",
            formula=odd,
            mutants={"no exception": set(), "one exception more": odd | {("0.6", "RR")}},
        ),
    )(check)


_register_overall(
    FIRST,
    "At epsilon = 3.0 the accuracy 95.09 of RR on class 7 is ten points above its neighbours; read as 85.09, the weighted mean "
    "is 87.66 (Table 3: 87.67), but the plain mean 86.21, not the 87.21 of Table 4.",
)
_register_overall(
    SECOND,
    "All three rows at epsilon = 1.0 and RRWithPrior at 6.0 and 8.0 are those that also stand in Table 10, RR with one number changed. "
    "The largest gap, 1.76, is RR at 4.0, whose small classes are within 0.05 of the row at 8.0.",
)


@PAPER.claim(
    "Table 10 (RR at 3.0, class 7)",
    r"the accuracy 95.09 of RR on class 7 at \epsilon=3.0 fits the 87.67 of Table 3",
    hypotheses="overall accuracy as the weighted mean of the row, tolerance 0.01",
    consequence="wording",
    recorded="refuted",
    formula="95.09",
    mutants={"90.59": "90.59", "59.09": "59.09"},
    note="Likely a slip of one digit. The average 87.21 of Table 4 was computed with 95.09; with 85.09 it would be 86.21.",
    repair=Repair(
        r"85.09 in place of 95.09 fits it",
        formula="85.09",
        survivors=dict.fromkeys(
            ["85.09 -> 85.10", "85.09 -> 85.08"], "fits as well: the overall accuracy is printed to 0.01"
        ),
        mutants={"as printed": "95.09"},
    ),
)
def digit_of_class_7(value: str) -> Outcome:
    counts, values = COUNTS[FIRST], accuracies(FIRST, "3", "RR")
    values[7] = Fraction(value)
    implied = sum((n * v for n, v in zip(counts, values, strict=True)), Fraction(0)) / sum(counts)
    printed = Fraction(ACCURACY[FIRST]["3"]["RR"][0])
    return check_every_fact(
        [(abs(implied - printed) <= 2 * HALF_A_UNIT, f"with {value}: {float(implied):.3f} against {float(printed)}")],
        "Table 10, epsilon = 3.0, RR",
    )


@PAPER.claim(
    "Table 11 (9892)",
    r"of the values with two decimals that 9892 (Ours at \epsilon=3.0, class 1) may stand for, exactly 98.58 to 98.68 fit both Table 5 and Table 6; 98.92, with a decimal point put in, does not",
    hypotheses="they fit if the weighted mean is 87.18 and the plain mean 80.90, each within 0.01; 0.00 to 100.00",
    formula=("98.58", "98.68"),
    mutants={
        "98.92": ("98.92", "98.92"),
        "also 98.57": ("98.57", "98.68"),
        "also 98.69": ("98.58", "98.69"),
    },
    note="98.92 is the obvious reading and taken elsewhere here; it makes Table 6's 80.90 an average that disagrees (80.924). 98.62 "
    "would fit, as a second slip in one digit.",
)
def missing_decimal_point(interval: tuple[str, str]) -> Outcome:
    counts, values = COUNTS[SECOND], accuracies(SECOND, "3", "Ours")
    low, high = map(Fraction, interval)

    def fact(hundredths: int) -> tuple[bool, str]:
        values[1] = Fraction(hundredths, 100)
        weighted = sum((n * v for n, v in zip(counts, values, strict=True)), Fraction(0)) / sum(counts)
        plain = sum(values, Fraction(0)) / 10
        fits = (
            abs(weighted - Fraction("87.18")) <= 2 * HALF_A_UNIT and abs(plain - Fraction("80.90")) <= 2 * HALF_A_UNIT
        )
        return (
            fits == (low <= values[1] <= high),
            f"{float(values[1]):.2f}: weighted mean {float(weighted):.3f} (87.18), plain mean {float(plain):.3f} (80.90)",
        )

    first = [hundredths for hundredths in range(10001) if low <= Fraction(hundredths, 100) <= high]
    others = [hundredths for hundredths in range(10001) if hundredths not in set(first)]
    return check_every_fact(map(fact, first + others), "0.00 to 100.00")


# -- which accuracies the protocol can produce ---------------------------------------------------------


@PAPER.claim(
    "Table 11 (attainable values)",
    r"every accuracy of Table 11 is a mean over 10 seeds and the last 10 epochs on the test classes of CIFAR-10_2 (60, 50, 70, 40 samples in the small classes)",
    hypotheses="App. G.1: 10 runs, final 10 epochs; 5.1.1: test classes of one tenth; rounded once, to 0.01; 9892 read as 98.92",
    consequence="wording",
    headline=9,
    recorded="refuted",
    formula=set(),
    mutants={
        "at 1.0 only": {("1", "RR"), ("1", "Ours")},
        "RRWithPrior at 1.0 too": IMPOSSIBLE | {("1", "RRWithPrior")},
    },
    note="With 50 test samples and 100 evaluations an accuracy is a multiple of 0.02 %: 48.13 is none. All other 23 rows pass, so "
    "the protocol is as stated; the four rows that fail stand in Table 10 (RR with one number changed), where every value is attainable.",
    repair=Repair(
        r"all rows of Table 11 are attainable except RR and Ours at \epsilon=1.0 and RRWithPrior at 6.0 and 8.0",
        hypotheses="as for the refuted claim",
        formula=IMPOSSIBLE,
        mutants={"no exception": set(), "one exception more": IMPOSSIBLE | {("4", "RR")}},
    ),
)
def attainable_values(excused: set[Entry]) -> Outcome:
    found = unattainable_rows(SECOND, 100)
    facts = (
        (
            (entry in found) == (entry in excused),
            f"Table 11, epsilon = {entry[0]}, {entry[1]}: classes 6 to 9 have {', '.join(PER_CLASS[SECOND][entry[0]][entry[1]][6:])} "
            "percent of 6000, 5000, 7000, 4000 evaluations",
        )
        for entry in entries()
    )
    return check_every_fact(facts, "27 rows")


@PAPER.claim(
    "Table 10 (attainable values)",
    r"every accuracy of Table 10 is attainable on the test classes of CIFAR-10_1",
    hypotheses="10 seeds, last 10 epochs, classes of 100 to 500 samples; 100 samples give all multiples of 0.01, so the test has power only against coarser protocols",
    formula=100,
    mutants={"one evaluation only": 1, "10 evaluations": 10},
)
def attainable_in_table_10(repetitions: int) -> Outcome:
    found = unattainable_rows(FIRST, repetitions)
    return check_every_fact(
        ((entry not in found, f"Table 10, epsilon = {entry[0]}, {entry[1]}") for entry in entries()), "27 rows"
    )


# -- markings ------------------------------------------------------------------------------------------

SECOND_BEST: dict[str, list[str | None]] = {
    "Table 3": ["RR", "Ours", "RRWithPrior", "RR", "Ours", "Ours", "Ours", "Ours", "RRWithPrior"],
    "Table 4": ["Ours", "Ours", "Ours", "Ours", "Ours", "Ours", None, "Ours", "RRWithPrior"],
    "Table 5": ["RRWithPrior", "Ours", "Ours", "RR", "Ours", "RR", "Ours", "Ours", "Ours"],
    "Table 6": ["RR", "Ours", "Ours", "Ours", "Ours", "Ours", "Ours", "Ours", "Ours"],
}
COMPLETED = {**SECOND_BEST, "Table 4": [v or "Ours" for v in SECOND_BEST["Table 4"]]}
MARKED_TABLES: dict[str, Any] = {
    "Table 3": ACCURACY[FIRST],
    "Table 4": AVERAGE[FIRST],
    "Table 5": ACCURACY[SECOND],
    "Table 6": AVERAGE[SECOND],
}


@PAPER.claim(
    "Tables 3 to 6 (second-best underlined)",
    r"'best in bold, second-best underlined': the second largest entry of every row is underlined",
    hypotheses="printed numbers and markings",
    consequence="wording",
    recorded="refuted",
    formula=SECOND_BEST,
    mutants={"Table 3: Ours at 0.6": {**COMPLETED, "Table 3": ["Ours", *SECOND_BEST["Table 3"][1:]]}},
    note="One marking is missing: 91.22 at epsilon = 6.0 in Table 4.",
    repair=Repair(
        r"with 91.22 at \epsilon=6.0 in Table 4 underlined too, it is",
        formula=COMPLETED,
        mutants={"as printed": SECOND_BEST},
    ),
)
def second_best(marked: dict[str, list[str | None]]) -> Outcome:
    def facts() -> Iterable[tuple[bool, str]]:
        for table, marks in marked.items():
            for (budget, row), mark in zip(MARKED_TABLES[table].items(), marks, strict=True):
                ranked = sorted(row, key=lambda m: Decimal(row[m][0]), reverse=True)
                yield ranked[1] == mark, f"{table}, epsilon = {budget}: second is {ranked[1]}, underlined {mark}"

    return check_every_fact(facts(), "36 rows")
