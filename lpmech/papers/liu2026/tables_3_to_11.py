"""Section 5 and Appendix G: the numbers of Tables 3 to 7, 10 and 11 against each other."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from lpmech.papers.checking import check_every_fact
from lpmech.papers.claims import Repair
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.tables import ABLATION, ACCURACY, AVERAGE, METHODS, PER_CLASS, SETTINGS
from lpmech.verdicts import Outcome, unclear

FIRST, SECOND = "CIFAR-10_1", "CIFAR-10_2"
TABLES = {FIRST: ("Table 4", "Table 10"), SECOND: ("Table 6", "Table 11")}
Entry = tuple[str, str]


def mean_accuracy(dataset: str, budget: str, method: str) -> Decimal:
    """Overall test accuracy, Tables 3 and 5."""
    return Decimal(ACCURACY[dataset][budget][method][0])


def deviation(dataset: str, budget: str, method: str) -> Decimal:
    """Standard deviation beside it."""
    return Decimal(ACCURACY[dataset][budget][method][1])


def recomputed_average(dataset: str, budget: str, method: str, misprint: str = "98.92") -> Decimal:
    """Average of the ten per-class accuracies of Tables 10 and 11, "9892" read as `misprint`."""
    values = [Decimal(misprint) if v == "9892" else Decimal(v) for v in PER_CLASS[dataset][budget][method]]
    return sum(values, Decimal(0)) / 10


def disagreeing(dataset: str) -> set[Entry]:
    """Entries of Table 4 or 6 that differ from the recomputed average by more than both roundings (0.01)."""
    return {
        (budget, method)
        for budget, row in AVERAGE[dataset].items()
        for method in METHODS
        if abs(Decimal(row[method][0]) - recomputed_average(dataset, budget, method)) > Decimal("0.01")
    }


def _average_facts(dataset: str, excused: set[Entry]) -> Iterable[tuple[bool, str]]:
    found = disagreeing(dataset)
    for budget in AVERAGE[dataset]:
        for method in METHODS:
            printed, computed = AVERAGE[dataset][budget][method][0], recomputed_average(dataset, budget, method)
            expected = (budget, method) in excused
            yield (
                ((budget, method) in found) == expected,
                (
                    f"{TABLES[dataset][0]}, epsilon = {budget}, {method}: printed {printed}, average of {TABLES[dataset][1]} {computed}"
                ),
            )


ODD_IN_TABLE_4 = {("2", "RRWithPrior")}


def _register_averages(dataset: str, odd: set[Entry]) -> None:
    """The claims about one table of averages; `odd` are the entries known to disagree."""
    average, detail = TABLES[dataset]

    def check(excused: set[Entry]) -> Outcome:
        return check_every_fact(
            _average_facts(dataset, excused), f"all entries of {average} against {detail}, tolerance 0.01"
        )

    names = ", ".join(f"{method} at {budget}" for budget, method in sorted(odd))
    PAPER.claim(
        f"{average} (averages)",
        rf"every entry of {average} is the average of the ten per-class accuracies of {detail}",
        hypotheses="printed numbers; both are rounded to 0.01, so a difference up to 0.01 is allowed",
        consequence="wording",
        recorded="refuted",
        formula=set(),
        mutants={"another entry excused instead": {("0.6", "RR")}},
        note="The printed numbers are checked against each other; which of the two is right cannot be told from them.",
        repair=Repair(
            rf"{average} agrees with {detail} except for: {names}",
            hypotheses="printed numbers; tolerance 0.01",
            formula=odd,
            mutants={"no exception": set(), "one exception more": odd | {("0.6", "RR")}},
        ),
    )(check)


_register_averages(FIRST, ODD_IN_TABLE_4)


@PAPER.claim(
    "Table 6 (averages)",
    r"every entry of Table 6 is the average of the ten per-class accuracies of Table 11",
    hypotheses="printed numbers; both are rounded to 0.01, so a difference up to 0.01 is allowed; Table 11 has the misprint 9892",
    consequence="wording",
    readings={
        "9892 is 98.92": "refuted",
        "9892 is 98.62": "proved",
    },
    formula={"9892 is 98.92": "98.92", "9892 is 98.62": "98.62"},
    mutants={"9892 is 89.92": {"9892 is 89.92": "89.92"}},
    note="Apart from the misprint every entry agrees. 98.62 also fits the overall accuracy of Table 5: see 'Table 11 (9892)'.",
)
def table_6_averages(readings: dict[str, str]) -> Outcome:
    def facts(misprint: str) -> Iterable[tuple[bool, str]]:
        for budget, row in AVERAGE[SECOND].items():
            for method in METHODS:
                printed, computed = Decimal(row[method][0]), recomputed_average(SECOND, budget, method, misprint)
                text = f"Table 6, epsilon = {budget}, {method}: printed {printed}, average of Table 11 {computed}"
                yield abs(printed - computed) <= Decimal("0.01"), text

    return unclear({name: check_every_fact(facts(value), "all entries of Table 6") for name, value in readings.items()})


def repeated_rows() -> set[Entry]:
    """(budget, method) whose ten accuracies stand in Table 10 and Table 11 alike."""
    return {
        (budget, method)
        for budget in PER_CLASS[FIRST]
        for method in METHODS
        if PER_CLASS[FIRST][budget][method] == PER_CLASS[SECOND][budget][method]
    }


REPEATED = {("1", "RRWithPrior"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}
COPIED = {("1", "RRWithPrior"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}


def _check_set(found: set[Entry], expected: set[Entry], what: str) -> Outcome:
    facts = (
        ((entry in found) == (entry in expected), f"epsilon = {entry[0]}, {entry[1]}: {what}")
        for entry in [(b, m) for b in PER_CLASS[FIRST] for m in METHODS]
    )
    return check_every_fact(facts, f"all rows: {what}")


@PAPER.claim(
    "Tables 10 and 11 (repeated rows)",
    r"Tables 10 and 11 report two data sets: no row of per-class accuracies stands in both",
    hypotheses="printed numbers, same budget and method",
    consequence="wording",
    recorded="refuted",
    formula=set(),
    mutants={"RRWithPrior only": {("1", "RRWithPrior"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}},
    note="The RR rows at epsilon = 1.0 agree in nine of ten numbers as well (37.97 against 37.39).",
    repair=Repair(
        r"four rows stand in both tables: RRWithPrior at \epsilon=1.0, 6.0, 8.0 and Ours at \epsilon=1.0",
        formula=REPEATED,
        mutants={"none": set(), "RR at 1.0 too": REPEATED | {("1", "RR")}},
    ),
)
def rows_repeated(expected: set[Entry]) -> Outcome:
    return _check_set(repeated_rows(), expected, "the same ten numbers in Tables 10 and 11")


@PAPER.claim(
    "Tables 4 and 6 (copied entries)",
    r"no entry of Table 6 (CIFAR-10_2) repeats the entry of Table 4 (CIFAR-10_1)",
    hypotheses="printed numbers, same budget and method",
    consequence="wording",
    recorded="refuted",
    formula=set(),
    mutants={"only at 1.0": {("1", "RRWithPrior"), ("1", "Ours")}},
    repair=Repair(
        r"four entries are equal in both: RRWithPrior at \epsilon=1.0, 6.0, 8.0 and Ours at \epsilon=1.0",
        hypotheses="printed numbers",
        formula=COPIED,
        mutants={"none": set(), "RR at 1.0 too": COPIED | {("1", "RR")}},
    ),
)
def entries_copied(expected: set[Entry]) -> Outcome:
    found = {(b, m) for b in AVERAGE[FIRST] for m in METHODS if AVERAGE[FIRST][b][m] == AVERAGE[SECOND][b][m]}
    return _check_set(found, expected, "the same average in Tables 4 and 6")


@PAPER.claim(
    "Table 11 (range)",
    r"every printed per-class accuracy lies between 0 and 100",
    hypotheses="printed numbers of Tables 10 and 11",
    consequence="wording",
    recorded="refuted",
    formula={},
    mutants={"another number mended": {"98.92": "98.92"}},
    note="A missing decimal point at epsilon = 3.0, Ours, class 1.",
    repair=Repair(
        r"with 9892 read as 98.92 every per-class accuracy lies between 0 and 100",
        formula={"9892": "98.92"},
        mutants={"as printed": {}, "read as 989.2": {"9892": "989.2"}},
    ),
)
def accuracies_in_range(mended: dict[str, str]) -> Outcome:
    facts = (
        (0 <= Decimal(mended.get(v, v)) <= 100, f"{dataset}, epsilon = {budget}, {method}: {v}")
        for dataset in PER_CLASS
        for budget, row in PER_CLASS[dataset].items()
        for method, values in row.items()
        for v in values
    )
    return check_every_fact(facts, "all per-class accuracies")


def largest_entry(values: dict[str, tuple[str, ...]]) -> str:
    """Key of the largest printed mean."""
    return max(values, key=lambda key: Decimal(values[key][0]))


BOLD = {
    "Table 3": ["Ours", "RRWithPrior", "Ours", "Ours", "RR", "RRWithPrior", "RRWithPrior", "RRWithPrior", "Ours"],
    "Table 4": ["RR", "RR", "RR", "RR", "RR", "RRWithPrior", "RRWithPrior", "RRWithPrior", "Ours"],
    "Table 5": [
        "Ours",
        "RRWithPrior",
        "RRWithPrior",
        "Ours",
        "RR",
        "Ours",
        "RRWithPrior",
        "RRWithPrior",
        "RRWithPrior",
    ],
    "Table 6": ["Ours", "RRWithPrior", "RR", "RR", "RR", "RR", "RRWithPrior", "RRWithPrior", "RRWithPrior"],
    "Table 7": ["2", "6", "5", "6", "0", "0"],
}
_PRINTED: dict[str, Any] = {
    "Table 3": ACCURACY[FIRST],
    "Table 4": AVERAGE[FIRST],
    "Table 5": ACCURACY[SECOND],
    "Table 6": AVERAGE[SECOND],
    "Table 7": ABLATION,
}


@PAPER.claim(
    "Tables 3 to 7 (best in bold)",
    r"the entry in bold is the largest of its row",
    hypotheses="printed numbers and markings",
    formula=BOLD,
    mutants={"Table 3: RRWithPrior at 0.6": {**BOLD, "Table 3": ["RRWithPrior", *BOLD["Table 3"][1:]]}},
)
def bold_is_best(marked: dict[str, list[str]]) -> Outcome:
    facts = (
        (
            largest_entry(_PRINTED[table][budget]) == best,
            f"{table}, epsilon = {budget}: marked {best}, largest {largest_entry(_PRINTED[table][budget])}",
        )
        for table, row in marked.items()
        for budget, best in zip(_PRINTED[table], row, strict=True)
    )
    return check_every_fact(facts, "Tables 3 to 7")


@PAPER.claim(
    "Table 7 against Table 5",
    r"'Ours' of Table 5 is the entry of Table 7 for the l of Table 9",
    hypotheses="printed means and standard deviations, epsilon <= 4",
    consequence="wording",
    recorded="refuted",
    formula=Decimal("0"),
    mutants={"difference below 0.005": Decimal("0.005")},
    note="At epsilon = 4.0 the deviation is 0.33 in Table 5 and 0.32 in Table 7.",
    repair=Repair(
        r"means agree, standard deviations agree to 0.01; the l of Table 9 is the best l of Table 7 in test accuracy",
        hypotheses="printed numbers, epsilon <= 4",
        formula=Decimal("0.01"),
        mutants={"exactly equal": Decimal("0")},
    ),
)
def ablation_matches(tolerance: Decimal) -> Outcome:
    def facts() -> Iterable[tuple[bool, str]]:
        for setting, (_, l) in SETTINGS[SECOND].items():
            budget = str(float(setting)) if setting < 1 else str(setting)
            if budget not in ABLATION:
                continue
            ours, entry = ACCURACY[SECOND][budget]["Ours"], ABLATION[budget][str(l)]
            yield ours[0] == entry[0], f"epsilon = {budget}: mean {ours[0]} against {entry[0]}"
            gap = abs(Decimal(ours[1]) - Decimal(entry[1]))
            yield gap <= tolerance, f"epsilon = {budget}: deviation {ours[1]} against {entry[1]}"
            yield (
                largest_entry(ABLATION[budget]) == str(l),
                f"epsilon = {budget}: best l {largest_entry(ABLATION[budget])}",
            )

    return check_every_fact(facts(), "budgets 0.6 to 4")
