"""Tables 3 to 7 against Tables 10 and 11 and against the protocol of the experiments: what the printed numbers rule out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from lpmech.claims import Instance, Parts, Repair, each
from lpmech.claims.checking import check_parts
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.shapes import exactly
from lpmech.papers.liu2026.tables import COUNTS, ENTRIES, FIRST, IMPOSSIBLE, PER_CLASS, ROUNDING, SECOND
from lpmech.papers.liu2026.tables_3_to_11 import COMPLETED, SECOND_BEST, accuracies, at_rank, mean_accuracy
from lpmech.prove.arithmetic import Computed
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Section 5.1.1 (test sets)",
    r"one tenth of every class's training count is a whole number of test samples, at most the 1000 that CIFAR-10 has",
    hypotheses="class counts of 5.1.1; both data sets also keep at most 5000 training samples of a class",
    every="classes of both data sets",
    kind="ours",
    formula=10,
)
def sizes_of_test_sets(share: int) -> Parts:
    for dataset, n in ((d, n) for d in COUNTS for n in COUNTS[d]):
        size = Computed(n) / share
        found = Instance(f"{dataset}: a tenth of {n}, whole", size, "==", n // share)
        yield found if size <= 1000 and Computed(n) <= 5000 else f"{dataset}: {n} / {share}"


def _test_sizes() -> dict[str, Computed]:
    return {
        f"{d}, class {i}: {n} training samples": Computed(n) / 10
        for d, row in COUNTS.items()
        for i, n in enumerate(row)
    }


def _within(least: int, most: int) -> Parts:
    for where, size in _test_sizes().items():
        yield Instance(f"{where}, test samples", size, "<=", most) if least <= size else f"{where}, {size} test samples"


@PAPER.claim(
    "Section 5.1.1 (original test set)",
    r"'Each derived dataset preserves the original test set'",
    hypotheses="the text goes on: 'the test set for each class contains $1/10$ of its corresponding training count'; the original one has 1000 samples of every class",
    consequence="wording",
    readings={"its samples are left where they are, a tenth is used": "proved", "all of them are used": "refuted"},
    formula=((1, 1000), (1000, 1000)),
    mutants={"at most 400 are used": ((1, 400), (1000, 1000))},
)
def original_test_set(bounds: Any) -> tuple[Outcome, ...]:
    some, whole = bounds
    settled = partial(check_parts, every="classes of both data sets")
    return settled(_within(*some)), settled(_within(*whole))


@PAPER.claim(
    "Section 5.1.1 (original test set) [repaired]",
    r"a tenth of the training count leaves between 40 and 500 test samples of a class",
    hypotheses="class counts of 5.1.1, both data sets",
    kind="ours",
    every="classes of both data sets",
    formula=(40, 500),
    note="The public code has these test sets: `test_num_data` in datasets.py of yuyin132/BlockRR.",
)
def sizes_of_test_classes(bounds: tuple[int, int]) -> Parts:
    yield from _within(*bounds)
    sizes = _test_sizes()
    sharp = (min(sizes.values()), max(sizes.values()))
    yield Instance("least and most of them", sharp, "==", bounds)


# -- overall accuracy as the weighted mean of the per-class accuracies ---------------------------------


def weighted_mean(dataset: str, values: Sequence[Fraction]) -> Fraction:
    """Overall test accuracy that per-class accuracies imply: classes weighted by their test samples."""
    counts = COUNTS[dataset]
    return sum((n * v for n, v in zip(counts, values, strict=True)), Fraction(0)) / sum(counts)


def _register_overall(dataset: str, overall: str, detail: str, odd: set[tuple[str, str]], note: str) -> None:
    """The claim about one table of overall accuracies against the per-class ones, but for odd ones."""
    names = ", ".join(f"{method} at {budget}" for budget, method in sorted(odd))

    @PAPER.claim(
        f"{overall} against {detail}",
        rf"every overall accuracy of {overall} is the mean of the per-class accuracies of {detail} weighted by the test samples of 5.1.1",
        hypotheses="means over the same runs and epochs, so both tables are linear in the same counts; both roundings together 0.01; 9892 read as 98.92",
        every="entries of the table, tolerance 0.01",
        formula=set(),
        note=note,
        consequence="wording",
        repair=Repair(
            rf"{overall} is the weighted mean of {detail} within 0.01 except for: {names}",
            formula=odd,
        ),
    )
    @exactly(ENTRIES)
    def apart(entry: tuple[str, str]) -> Instance:
        budget, method = entry
        printed, implied = (
            mean_accuracy(dataset, budget, method),
            weighted_mean(dataset, accuracies(dataset, *entry)),
        )
        where = f"{overall}, epsilon = {budget}, {method}"
        words = f"{where}: printed {float(printed):.2f}, weighted mean of {detail} {float(implied):.3f}: apart by"
        return Instance(words, abs(printed - implied), ">", ROUNDING)


_register_overall(
    FIRST,
    "Table 3",
    "Table 10",
    {("3", "RR"), ("8", "RRWithPrior"), ("inf", "Ours")},
    r"At $\epsilon = 3.0$ the accuracy 95.09 of RR on class 7 is ten points above its neighbours; read as 85.09, the weighted mean "
    "is 87.66 (Table 3: 87.67), but the plain mean 86.21, not the 87.21 of Table 4.",
)
_register_overall(
    SECOND,
    "Table 5",
    "Table 11",
    {
        *((b, "RR") for b in ("1", "3", "4")),
        *((b, "RRWithPrior") for b in ("1", "6", "8")),
        ("1", "Ours"),
        ("3", "Ours"),
    },
    r"All three rows at $\epsilon = 1.0$ and RRWithPrior at 6.0 and 8.0 are those that also stand in Table 10, RR with one number changed. "
    "The largest gap, 1.76, is RR at 4.0, whose small classes are within 0.05 of the row at 8.0.",
)


@PAPER.claim(
    "Table 10 (RR at 3.0, class 7)",
    r"the accuracy 95.09 of RR on class 7 at $\epsilon=3.0$ fits the 87.67 of Table 3",
    hypotheses="overall accuracy as the weighted mean of the row, tolerance 0.01",
    every="Table 10, epsilon = 3.0, RR",
    formula="95.09",
    note="Likely a slip of one digit. The average 87.21 of Table 4 was computed with 95.09; with 85.09 it would be 86.21.",
    consequence="slip",
    repair=Repair(
        r"85.09 in place of 95.09 fits it",
        formula="85.09",
        survivors=dict.fromkeys(
            ["85.09 -> 85.10", "85.09 -> 85.08"], "fits as well: the overall accuracy is printed to 0.01"
        ),
        mutants={"digits exchanged": "90.59"},
    ),
)
def digit_of_class_7(value: str) -> Parts:
    values, printed = accuracies(FIRST, "3", "RR"), mean_accuracy(FIRST, "3", "RR")
    values[7] = Computed(value)
    implied = weighted_mean(FIRST, values)
    where = f"with {value} the weighted mean is {float(implied):.3f}, Table 3 has {printed}: apart by"
    yield Instance(where, abs(implied - printed), "<=", ROUNDING)


#: All that two decimals may be.
_CANDIDATES = tuple(Fraction(hundredths, 100) for hundredths in range(10001))


@PAPER.claim(
    "Table 11 (9892)",
    r"of the values with two decimals that 9892 (Ours at $\epsilon=3.0$, class 1) may stand for, exactly 98.58 to 98.68 fit both Table 5 and Table 6; 98.92, with a decimal point put in, does not",
    hypotheses="they fit if the weighted mean is 87.18 and the plain mean 80.90, each within 0.01",
    every={"value": _CANDIDATES},
    kind="ours",
    formula=("98.58", "98.68"),
    note="98.92 is the obvious reading and taken elsewhere here; it makes Table 6's 80.90 an average that disagrees (80.924). 98.62 "
    "would fit, as a second slip in one digit.",
)
def missing_decimal_point(interval: tuple[str, str]) -> Parts:
    values = list(map(Fraction, accuracies(SECOND, "3", "Ours")))  # ten thousand instances: nobody reads them
    low, high = map(Fraction, interval)
    for value in each("value", sorted(_CANDIDATES, key=lambda v: not low <= v <= high)):
        values[1] = value
        weighted, plain = weighted_mean(SECOND, values), sum(values, Fraction(0)) / 10
        off = max(abs(weighted - Fraction("87.18")), abs(plain - Fraction("80.90")))
        means = f"weighted mean {float(weighted):.3f} (87.18), plain mean {float(plain):.3f} (80.90)"
        where = f"{float(value):.2f}: {means}: the larger miss"
        yield Instance(where, off, "<=" if low <= value <= high else ">", ROUNDING)


# -- which accuracies the protocol can produce ---------------------------------------------------------


def farthest(dataset: str, budget: str, method: str, repetitions: int) -> Any:
    """How far an accuracy of a row is at most from that of a whole number of right answers."""
    evaluations = (trained // 10 * repetitions for trained in COUNTS[dataset])
    of_each = zip(accuracies(dataset, budget, method), evaluations, strict=True)
    return max(abs(Fraction(100 * round(value * n / 100), n) - value) for value, n in of_each)


@PAPER.claim(
    "Table 11 (attainable values)",
    r"every accuracy of Table 11 is a mean over 10 seeds and the last 10 epochs on the test classes of $\text{CIFAR-10}_2$ (60, 50, 70, 40 samples in the small classes)",
    hypotheses="App. G.1: 10 runs, final 10 epochs; 5.1.1: test classes of one tenth; rounded once, to 0.01; 9892 read as 98.92",
    every="rows of Table 11",
    headline=8,
    formula=set(),
    note="With 50 test samples and 100 evaluations an accuracy is a multiple of 0.02 %: 48.13 is none. All other 23 rows pass, so "
    "the protocol is as stated; the four rows that fail stand in Table 10 (RR with one number changed), where every value is attainable.",
    consequence="wording",
    repair=Repair(
        r"all rows of Table 11 are attainable except RR and Ours at $\epsilon=1.0$ and RRWithPrior at 6.0 and 8.0",
        formula=IMPOSSIBLE,
    ),
)
@exactly(ENTRIES)
def not_attainable(entry: tuple[str, str]) -> Instance:
    where = f"Table 11, epsilon = {entry[0]}, {entry[1]}"
    printed = ", ".join(PER_CLASS[SECOND][entry[0]][entry[1]][6:])
    words = f"{where}: classes 6 to 9 have {printed} percent of 6000, 5000, 7000, 4000 evaluations: farthest from a whole number of them"
    return Instance(words, farthest(SECOND, *entry, 100), ">", ROUNDING / 2)


@PAPER.claim(
    "Table 10 (attainable values)",
    r"every accuracy of Table 10 is attainable on the test classes of $\text{CIFAR-10}_1$",
    hypotheses="10 seeds, last 10 epochs, classes of 100 to 500 samples; 100 samples give all multiples of 0.01, so the test has power only against coarser protocols",
    every="rows of Table 10",
    kind="ours",
    formula=100,
    mutants={"10 evaluations": 10},
    survivors=dict.fromkeys(
        ["100 -> 101", "100 -> 99"], "so many evaluations attain each printed number too: the power is against fewer"
    ),
)
def attainable_in_table_10(repetitions: int) -> Parts:
    for budget, method in ENTRIES:
        where = f"Table 10, epsilon = {budget}, {method}: of {repetitions} evaluations of each sample, farthest from a whole number of them"
        yield Instance(where, farthest(FIRST, budget, method, repetitions), "<=", ROUNDING / 2)


# -- markings ------------------------------------------------------------------------------------------


PAPER.claim(
    "Tables 3 to 6 (second-best underlined)",
    r"'best in bold, second-best underlined': the second largest entry of every row is underlined",
    every="36 rows",
    formula=SECOND_BEST,
    note=r"One marking is missing: 91.22 at $\epsilon = 6.0$ in Table 4.",
    consequence="slip",
    repair=Repair(
        r"with 91.22 at $\epsilon=6.0$ in Table 4 underlined too, it is",
        formula=COMPLETED,
        mutants={"as printed": SECOND_BEST},
    ),
)(lambda marked: at_rank(marked, 1, "second, underlined"))
