"""Section 5 and Appendix G: the numbers of Tables 3 to 7, 10 and 11 against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Repair
from lpmech.claims.checking import check_parts
from lpmech.papers.liu2026 import tables
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.shapes import exactly
from lpmech.papers.liu2026.tables import ABLATION, ACCURACY, AVERAGE, ENTRIES, FIRST, PER_CLASS, ROUNDING, SECOND
from lpmech.prove.arithmetic import Computed
from lpmech.verdicts import Outcome

_TABLES = (ACCURACY[FIRST], AVERAGE[FIRST], ACCURACY[SECOND], AVERAGE[SECOND], ABLATION)
PRINTED: dict[str, Any] = {f"Table {number}": table for number, table in enumerate(_TABLES, start=3)}


def _number(table: Any, place: int) -> Callable[[str, str, str], Computed]:
    """One of the numbers that a table has for a data set, budget and method."""
    return lambda dataset, budget, method: Computed(table[dataset][budget][method][place])


#: Overall test accuracy and its deviation, Tables 3 and 5; average of the per-class accuracies, Tables 4 and 6.
mean_accuracy, deviation, average = _number(ACCURACY, 0), _number(ACCURACY, 1), _number(AVERAGE, 0)


def accuracies(dataset: str, budget: str, method: str, misprint: str = "98.92") -> list[Computed]:
    """The ten per-class accuracies in percent, "9892" read as `misprint`."""
    return [Computed(misprint if v == "9892" else v) for v in PER_CLASS[dataset][budget][method]]


def possible(dataset: str, budget: str, *methods: str) -> bool:
    """Whether the rows of these methods can be results of the experiment; Table 10 has no impossible row."""
    return dataset == FIRST or not any((budget, method) in tables.IMPOSSIBLE for method in methods)


def ranked(values: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The columns of a row, the largest printed mean first."""
    return sorted(values, key=lambda key: Computed(values[key][0]), reverse=True)


def _off(dataset: str, budget: str, method: str, misprint: str = "98.92") -> Instance:
    """That an average misses that of the ten accuracies by more than both roundings."""
    printed, computed = average(dataset, budget, method), sum(accuracies(dataset, budget, method, misprint)) / 10
    table, detail = ("Table 4", "Table 10") if dataset == FIRST else ("Table 6", "Table 11")
    where = (
        f"{table}, epsilon = {budget}, {method}: printed {float(printed):.2f}, average of {detail} {computed}: apart by"
    )
    return Instance(where, abs(printed - computed), ">", ROUNDING)


PAPER.claim(
    "Table 4 (averages)",
    "every entry of Table 4 is the average of the ten per-class accuracies of Table 10",
    hypotheses="printed numbers; both are rounded to 0.01, so a difference up to 0.01 is allowed",
    every="entries of Table 4 against Table 10",
    formula=set(),
    note="The printed numbers are checked against each other; which of the two is right cannot be told from them.",
    consequence="wording",
    repair=Repair("Table 4 agrees with Table 10 except for: RRWithPrior at 2", formula={("2", "RRWithPrior")}),
)(exactly(ENTRIES)(lambda entry: _off(FIRST, *entry)))


@PAPER.claim(
    "Table 6 (averages)",
    r"every entry of Table 6 is the average of the ten per-class accuracies of Table 11",
    hypotheses="printed numbers; both are rounded to 0.01, so a difference up to 0.01 is allowed; Table 11 has the misprint 9892",
    consequence="wording",
    readings={"9892 is 98.92": "refuted", "9892 is 98.62": "proved"},
    formula=("98.92", "98.62"),
    mutants={"9892 is 89.92": ("89.92", "89.92")},
    note="Apart from the misprint every entry agrees. 98.62 also fits the overall accuracy of Table 5: see 'Table 11 (9892)'.",
)
def table_6_averages(misprints: tuple[str, ...]) -> tuple[Outcome, ...]:
    def reading(misprint: str) -> Outcome:
        none_off = exactly(ENTRIES)(lambda entry: _off(SECOND, entry[0], entry[1], misprint))(set())
        return check_parts(none_off, every="all entries of Table 6", method="exact arithmetic on printed numbers")

    return tuple(map(reading, misprints))


#: Rows that Table 11 has from Table 10, and averages that Table 6 has from Table 4.
REPEATED = {("1", "RRWithPrior"), ("1", "Ours"), ("6", "RRWithPrior"), ("8", "RRWithPrior")}


def _register_copies(id: str, statement: str, repaired: str, words: str, table: Any, note: str) -> None:
    @PAPER.claim(
        id,
        statement,
        hypotheses="printed numbers, same budget and method",
        every="rows",
        formula=set(),
        note=note,
        cause="Tables 10 and 11 (repeated rows)",
        consequence="wording",
        repair=Repair(repaired, formula=REPEATED),
    )
    @exactly(sorted(ENTRIES, key=lambda entry: entry not in REPEATED))
    def repeated(entry: tuple[str, str]) -> Instance:
        budget, method = entry
        first, second = (tuple(map(Computed, table[d][budget][method])) for d in (FIRST, SECOND))
        return Instance(f"epsilon = {budget}, {method}: {words}", first, "==", second)


_register_copies(
    "Tables 10 and 11 (repeated rows)",
    r"Tables 10 and 11 report two data sets: no row of per-class accuracies stands in both",
    r"four rows stand in both tables: RRWithPrior at $\epsilon=1.0$, 6.0, 8.0 and Ours at $\epsilon=1.0$",
    "rows of Tables 10 and 11",
    PER_CLASS,
    r"The RR rows at $\epsilon = 1.0$ agree in nine of ten numbers as well (37.97 against 37.39).",
)
_register_copies(
    "Tables 4 and 6 (copied entries)",
    r"no entry of Table 6 ($\text{CIFAR-10}_2$) repeats the entry of Table 4 ($\text{CIFAR-10}_1$)",
    r"four entries are equal in both: RRWithPrior at $\epsilon=1.0$, 6.0, 8.0 and Ours at $\epsilon=1.0$",
    "averages of Tables 4 and 6",
    AVERAGE,
    "",
)


@PAPER.claim(
    "Table 11 (range)",
    r"every printed per-class accuracy lies between 0 and 100",
    every="per-class accuracies of Tables 10 and 11",
    formula={},
    note=r"A missing decimal point at $\epsilon = 3.0$, Ours, class 1.",
    consequence="slip",
    repair=Repair(
        r"with 9892 read as 98.92 every per-class accuracy lies between 0 and 100",
        formula={"9892": "98.92"},
    ),
)
def accuracies_in_range(mended: dict[str, str]) -> Parts:
    for dataset, (budget, method) in product(PER_CLASS, ENTRIES):
        for v in PER_CLASS[dataset][budget][method]:
            read = mended.get(v, v)
            decimal = read[-3:-2] == "." and read.replace(".", "") == v.replace(".", "")
            where, number = f"{dataset}, epsilon = {budget}, {method}", Computed(read)
            fine = number >= 0 and (decimal or number > 100)
            yield Instance(where, number, "<=", 100) if fine else f"{where}: {v}"


def _marked(text: str) -> list[str]:
    return [{"O": "Ours", "P": "RRWithPrior", "R": "RR", "-": "none"}[letter] for letter in text]


BOLD = {
    "Table 3": _marked("OPOORPPPO"),
    "Table 4": _marked("RRRRRPPPO"),
    "Table 5": _marked("OPPOROPPP"),
    "Table 6": _marked("OPRRRRPPP"),
    "Table 7": list("265600"),
}
_UNDERLINED = {"Table 3": "ROPROOOOP", "Table 5": "POOROROOO", "Table 6": "ROOOOOOOO"}
SECOND_BEST = {table: _marked(marks) for table, marks in ({**_UNDERLINED, "Table 4": "OOOOOO-OP"}).items()}
COMPLETED = {**SECOND_BEST, "Table 4": _marked("OOOOOOOOP")}


def at_rank(marked: dict[str, list[str]], place: int, words: str) -> Parts:
    """The entries marked are those at a place of the ranking of their row."""
    for table, marks in marked.items():
        for (budget, row), mark in zip(PRINTED[table].items(), marks, strict=True):
            where = f"{table}, epsilon = {budget}: {'l of the ' * (table == 'Table 7')}{words}"
            yield Instance(where, ranked(row)[place], "==", mark or "nothing")


PAPER.claim(
    "Tables 3 to 7 (best in bold)",
    r"the entry in bold is the largest of its row",
    every="rows of Tables 3 to 7",
    formula=BOLD,
    mutants={"Table 3: RRWithPrior at 0.6": {**BOLD, "Table 3": ["RRWithPrior", *BOLD["Table 3"][1:]]}},
)(lambda marked: at_rank(marked, 0, "largest, in bold"))


@PAPER.claim(
    "Table 7 against Table 5",
    "'Ours' of Table 5 is the entry of Table 7 for the $l$ of Table 9",
    hypotheses=r"printed means and standard deviations, $\epsilon \le 4$",
    every="budgets 0.6 to 4",
    formula=Decimal("0"),
    note=r"At $\epsilon = 4.0$ the deviation is 0.33 in Table 5 and 0.32 in Table 7.",
    consequence="slip",
    repair=Repair(
        "means agree, standard deviations agree to 0.01; the $l$ of Table 9 is the best $l$ of Table 7 in test accuracy",
        formula=Decimal("0.01"),
    ),
)
def ablation_matches(tolerance: Decimal) -> Parts:
    gaps = []
    for budget, row in ABLATION.items():
        l = str(tables.SETTINGS[SECOND][Fraction(budget)][1])
        ours, entry = ACCURACY[SECOND][budget]["Ours"], row[l]
        gaps.append(abs(Computed(ours[1]) - Computed(entry[1])))
        where = f"epsilon = {budget}, l = {l}"
        yield Instance(f"{where}: mean in Table 5, in Table 7", Computed(ours[0]), "==", Computed(entry[0]))
        told = f"{where}: deviations {ours[1]} in Table 5, {entry[1]} in Table 7 apart by"
        yield Instance(told, gaps[-1], "<=", tolerance)
        yield Instance(f"{where}: best l of Table 7, l of Table 9", ranked(row)[0], "==", l)
    yield Instance("deviations are at most apart by", max(gaps), "==", tolerance)
