"""Section 5.2: what the text says about Tables 1 to 3, against the printed numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import pairwise
from typing import Any

from lpmech.papers.checking import check_every_fact
from lpmech.papers.ghazi2021 import section_5
from lpmech.papers.zhao2025.paper import PAPER
from lpmech.verdicts import Outcome, unclear

Row = Mapping[str, Decimal]
Facts = Iterable[tuple[bool, str]]


def _row(budgets: str, numbers: str) -> Row:
    pairs = zip(budgets.split(), numbers.split(), strict=True)
    return {budget: Decimal(number) for budget, number in pairs if number != "-"}


MNIST = {
    name: _row("0.2 0.3 0.5 0.7 1.0 2.0", numbers)
    for name, numbers in {
        "RR": "58.0 64.1 74.9 89.5 95.3 97.7",
        "LP-2ST": "47.5 64.3 81.4 87.9 91.8 97.7",
        "ALIBI": "50.9 55.1 84.3 89.4 94.5 97.6",
        "Ours": "63.9 78.4 87.9 93.4 96.2 97.4",
    }.items()
}
FASHION = {
    name: _row("0.5 1.0 1.5 2.0", numbers)
    for name, numbers in {
        "RR": "59.6 74.6 79.7 84.7",
        "LP-2ST": "60.1 75.6 82.4 85.0",
        "ALIBI": "54.3 79.8 80.1 84.9",
        "Ours": "75.7 83.4 84.7 85.9",
    }.items()
}
CIFAR_10 = {
    name: _row("1 2 3 4", numbers)
    for name, numbers in {
        "LP-1ST": "60.0 82.4 89.9 92.6",
        "LP-2ST": "63.7 86.1 92.2 93.4",
        "LP-1ST*": "67.6 84.0 90.2 92.8",
        "LP-2ST*": "70.2 87.2 92.1 93.5",
        "ALIBI": "71.0 84.2 - -",
        "Ours": "75.1 91.6 92.7 93.2",
    }.items()
}
CIFAR_100 = {
    name: _row("2 3 4 5 6 8", numbers)
    for name, numbers in {
        "LP-2ST": "- 28.7 50.2 63.5 70.6 74.1",
        "ALIBI": "- 55.0 65.0 69.0 71.5 74.4",
        "Ours": "64.4 67.7 71.8 73.8 74.1 74.4",
    }.items()
}


#: The rows of ghazi2021, Table 1.
SOURCES = {
    "LP-1ST": section_5.ONE_STAGE,
    "LP-2ST": section_5.TWO_STAGES,
    "LP-1ST*": section_5.ONE_STAGE_PRETRAINED,
    "LP-2ST*": section_5.TWO_STAGES_PRETRAINED,
}


def _best_of_others(table: Mapping[str, Row], budget: str) -> Decimal:
    return max(row[budget] for name, row in table.items() if name != "Ours" and budget in row)


def _facts(table: Mapping[str, Row], budgets: Iterable[str], better: Any) -> Facts:
    for budget in budgets:
        ours, other = table["Ours"][budget], _best_of_others(table, budget)
        yield better(ours - other), f"epsilon = {budget}: ours {ours}, best of the others {other}"


def ahead(gain: Decimal) -> bool:
    """Strictly better than every other method."""
    return gain > 0


@PAPER.claim(
    "Table 1 ('outperforms in general')",
    r"the new method is best at every \epsilon<2 of Table 1; 'with large \epsilon ... slightly lower' at \epsilon=2 on MNIST by 0.3 points",
    hypotheses="printed numbers, MNIST and Fashion MNIST",
    formula=(ahead, Decimal("-0.3")),
    mutants={
        "by 3 points everywhere": (lambda gain: gain > 3, Decimal("-0.3")),
        "slightly lower by 0.1": (ahead, Decimal("-0.1")),
    },
)
def table_1(formula: Any) -> Outcome:
    better, gap = formula

    def facts() -> Facts:
        yield from _facts(MNIST, [b for b in MNIST["Ours"] if b != "2.0"], better)
        yield from _facts(FASHION, FASHION["Ours"], better)
        yield from _facts(MNIST, ["2.0"], lambda gain: gain == gap)

    return check_every_fact(facts(), "Table 1")


@PAPER.claim(
    "Table 2 ('better even with pre-training')",
    r"'the results are still better than existing methods even with pre-training'",
    hypotheses="Table 2; the sentence before it is about 'small \\epsilon', the one after it about large \\epsilon",
    consequence="wording",
    readings={
        "epsilon = 1, 2, 3": "proved",
        "every epsilon of Table 2": "refuted",
    },
    formula=ahead,
    mutants={"by 5 points": lambda gain: gain > 5},
)
def table_2(better: Any) -> Outcome:
    return unclear(
        {
            "epsilon = 1, 2, 3": check_every_fact(_facts(CIFAR_10, ["1", "2", "3"], better), "Table 2"),
            "every epsilon of Table 2": check_every_fact(_facts(CIFAR_10, ["1", "2", "3", "4"], better), "Table 2"),
        }
    )


@PAPER.claim(
    "Table 2 ('less obvious when epsilon is large')",
    r"the lead over the best other method is smaller at \epsilon=3,4 than at \epsilon=1,2",
    hypotheses="Table 2; leads 4.1, 4.4, 0.5, -0.3 points",
    formula=("1", "2"),
    mutants={"smaller at 2 than at 1, too": ("1",)},
)
def table_2_lead(small: tuple[str, ...]) -> Outcome:
    lead = {b: CIFAR_10["Ours"][b] - _best_of_others(CIFAR_10, b) for b in CIFAR_10["Ours"]}
    large = [b for b in lead if b not in small]
    return check_every_fact([(lead[a] > lead[b], f"lead {lead[a]} at {a}, {lead[b]} at {b}") for a in small for b in large], "Table 2")  # fmt: skip


@PAPER.claim(
    "Tables 2, 3 (rows taken over)",
    r"the first four rows of Table 2 and the first of Table 3 are those of ghazi2021, Tables 1 and 2, rounded to one decimal",
    hypotheses="ghazi2021's printed numbers; rounding error at most 0.05",
    formula=Decimal("0.05"),
    mutants={"rounding error at most 0.02": Decimal("0.02")},
)
def rows_taken_over(error: Decimal) -> Outcome:
    def facts() -> Facts:
        for name, source in SOURCES.items():
            for budget, number in CIFAR_10[name].items():
                yield abs(number - source[budget]) <= error, f"Table 2, {name}, {budget}: {number} for {source[budget]}"
        for budget, number in CIFAR_100["LP-2ST"].items():
            printed = section_5.TABLE_2[1][budget]
            yield abs(number - printed) <= error, f"Table 3, LP-2ST, epsilon = {budget}: {number} for {printed}"

    return check_every_fact(facts(), "two tables of ghazi2021")


@PAPER.claim(
    "Table 3 ('significantly outperforms LP-2ST and ALIBI')",
    r"'The results show that our method significantly outperforms LP-2ST and ALIBI'",
    hypotheses="Table 3; significance is not defined, here a strictly larger number",
    consequence="wording",
    readings={
        "epsilon = 3, ..., 6": "proved",
        "every epsilon with numbers of all methods": "refuted",
    },
    formula=ahead,
    mutants={"by 10 points": lambda gain: gain > 10},
)
def table_3(better: Any) -> Outcome:
    return unclear(
        {
            "epsilon = 3, ..., 6": check_every_fact(_facts(CIFAR_100, ["3", "4", "5", "6"], better), "Table 3"),
            "every epsilon with numbers of all methods": check_every_fact(
                _facts(CIFAR_100, ["3", "4", "5", "6", "8"], better), "Table 3"
            ),
        }
    )


@PAPER.claim(
    "Table 3 ('especially obvious with small epsilon')",
    r"the lead over ALIBI falls from 12.7 points at \epsilon=3 to 0 at \epsilon=8",
    hypotheses="Table 3",
    formula=lambda before, after: after < before,
    mutants={"it grows": lambda before, after: after > before},
)
def table_3_lead(compare: Any) -> Outcome:
    leads = [CIFAR_100["Ours"][b] - CIFAR_100["ALIBI"][b] for b in CIFAR_100["ALIBI"]]
    facts = [(compare(a, b), f"leads {a}, {b}") for a, b in pairwise(leads)]
    return check_every_fact([(leads[0] == Decimal("12.7") and leads[-1] == 0, f"leads {leads}"), *facts], "Table 3")


@PAPER.claim(
    "Table 3 ('ALIBI ... better than LP-2ST')",
    r"'ALIBI performs significantly better than LP-2ST' on CIFAR-100: a larger number at every \epsilon",
    hypotheses="Table 3",
    formula=lambda gain: gain > 0,
    mutants={"by 1 point at every epsilon": lambda gain: gain > 1},
)
def alibi_lead(better: Any) -> Outcome:
    pairs = [(CIFAR_100["ALIBI"][b], CIFAR_100["LP-2ST"][b], b) for b in CIFAR_100["ALIBI"]]
    return check_every_fact([(better(a - l), f"epsilon = {b}: {a} against {l}") for a, l, b in pairs], "Table 3")


PAPER.leave_out(
    "Tables 1 to 3 (the experiments themselves)",
    "deep networks on MNIST and CIFAR; their training is not repeated, the ALIBI row is another paper's",
)
