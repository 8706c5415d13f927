"""Section 5.2: what the text says about Tables 1 to 3, against the printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from heapq import nlargest
from itertools import pairwise
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.papers.checks import facts_of_tables
from lpmech.papers.ghazi2021 import section_5
from lpmech.papers.zhao2025.paper import PAPER
from lpmech.prove.arithmetic import Computed
from lpmech.verdicts import Outcome

Row = Mapping[str, Computed]


def _table(text: str) -> dict[str, Row]:
    """Method -> epsilon -> printed accuracy, where there is one."""
    (_, *budgets), *rows = map(str.split, text.strip().splitlines())
    return {
        name: {b: Computed(number) for b, number in zip(budgets, numbers, strict=True) if number != "-"}
        for name, *numbers in rows
    }


MNIST = _table("""
epsilon 0.2 0.3 0.5 0.7 1.0 2.0
RR 58.0 64.1 74.9 89.5 95.3 97.7
LP-2ST 47.5 64.3 81.4 87.9 91.8 97.7
ALIBI 50.9 55.1 84.3 89.4 94.5 97.6
Ours 63.9 78.4 87.9 93.4 96.2 97.4
""")
FASHION = _table("""
epsilon 0.5 1.0 1.5 2.0
RR 59.6 74.6 79.7 84.7
LP-2ST 60.1 75.6 82.4 85.0
ALIBI 54.3 79.8 80.1 84.9
Ours 75.7 83.4 84.7 85.9
""")
CIFAR_10 = _table("""
epsilon 1 2 3 4
LP-1ST 60.0 82.4 89.9 92.6
LP-2ST 63.7 86.1 92.2 93.4
LP-1ST* 67.6 84.0 90.2 92.8
LP-2ST* 70.2 87.2 92.1 93.5
ALIBI 71.0 84.2 - -
Ours 75.1 91.6 92.7 93.2
""")
CIFAR_100 = _table("""
epsilon 2 3 4 5 6 8
LP-2ST - 28.7 50.2 63.5 70.6 74.1
ALIBI - 55.0 65.0 69.0 71.5 74.4
Ours 64.4 67.7 71.8 73.8 74.1 74.4
""")

printed = partial(PAPER.claim, every="the printed numbers", method="exact arithmetic on printed numbers")

#: Row -> those of ghazi2021, Table 1 and Table 2.
SOURCES = {
    "Table 2, LP-1ST": (CIFAR_10["LP-1ST"], section_5.ONE_STAGE),
    "Table 2, LP-2ST": (CIFAR_10["LP-2ST"], section_5.TWO_STAGES),
    "Table 2, LP-1ST*": (CIFAR_10["LP-1ST*"], section_5.ONE_STAGE_PRETRAINED),
    "Table 2, LP-2ST*": (CIFAR_10["LP-2ST*"], section_5.TWO_STAGES_PRETRAINED),
    "Table 3, LP-2ST": (CIFAR_100["LP-2ST"], section_5.TABLE_2[1]),
}


def _leads(table: Mapping[str, Row]) -> dict[str, Computed]:
    """What the paper's method is ahead of the best other one, by epsilon."""
    others = [row for name, row in table.items() if name != "Ours"]
    known = {b: [row[b] for row in others if b in row] for b in table["Ours"]}
    return {b: table["Ours"][b] - max(numbers) for b, numbers in known.items() if numbers}


def _best(table: Mapping[str, Row]) -> tuple[str, ...]:
    """The epsilons at which it is ahead."""
    return tuple(b for b, lead in _leads(table).items() if lead > 0)


def given_by(**numbers: Callable[[], Any]) -> Callable[[Any], Parts]:
    """The check that a sentence states what the printed numbers give, one after the other."""

    def check(stated: Any) -> Parts:
        for (what, found), value in zip(numbers.items(), stated, strict=True):
            yield Instance(f"{what}, by the table and as stated", found(), "==", value)

    return check


def _by_epsilons(name: str, table: Mapping[str, Row], *readings: str) -> Callable[[Any], tuple[Outcome, ...]]:
    """The check that gives a verdict for every reading of the epsilons of which a sentence speaks."""
    ours, leads = table["Ours"], _leads(table)
    told = {b: f"epsilon = {b}: ours {ours[b]}, best of the others {ours[b] - lead}" for b, lead in leads.items()}

    def check(better: Any) -> tuple[Outcome, ...]:
        facts = {b: (better(lead) and not better(lead - lead)) or told[b] for b, lead in leads.items()}
        return tuple(facts_of_tables(map(facts.__getitem__, budgets.split()), name) for budgets in readings)

    return check


printed(
    "Table 1 ('outperforms in general')",
    r"the new method is best at every $\epsilon<2$ of Table 1; 'with large $\epsilon$ ... slightly lower' at $\epsilon=2$ on MNIST by 0.3 points",
    hypotheses=r"it is best at $\epsilon = 0.2$ to 1 on MNIST and 0.5 to 2 on Fashion MNIST",
    formula=(("0.2", "0.3", "0.5", "0.7", "1.0"), ("0.5", "1.0", "1.5", "2.0"), Decimal("-0.3")),
)(
    given_by(
        **{
            "MNIST: epsilons at which it is best": lambda: _best(MNIST),
            "Fashion MNIST": lambda: _best(FASHION),
            "MNIST: lead at epsilon = 2": lambda: _leads(MNIST)["2.0"],
        }
    )
)


PAPER.claim(
    "Table 2 ('better even with pre-training')",
    r"'the results are still better than existing methods even with pre-training'",
    hypotheses=r"Table 2; the sentence before it is about 'small $\epsilon$', the one after it about large $\epsilon$",
    consequence="wording",
    readings={r"$\epsilon = 1$, 2, 3": "proved", r"every $\epsilon$ of Table 2": "refuted"},
    formula=lambda gain: gain > 0,
    mutants={"by 5 points": lambda gain: gain > 5},
)(_by_epsilons("Table 2", CIFAR_10, "1 2 3", "1 2 3 4"))


printed(
    "Table 2 ('less obvious when epsilon is large')",
    r"the lead over the best other method is smaller at $\epsilon=3,4$ than at $\epsilon=1,2$",
    hypotheses="leads 4.1, 4.4, 0.5, -0.3 points: the largest at 2, the second at 1",
    formula=(("2", "1"),),
)(
    given_by(
        **{
            "epsilons of the two largest leads": lambda: tuple(
                nlargest(2, _leads(CIFAR_10), key=_leads(CIFAR_10).__getitem__)
            )
        }
    )
)


@printed(
    "Tables 2, 3 (rows taken over)",
    r"the first four rows of Table 2 and the first of Table 3 are those of ghazi2021, Tables 1 and 2, rounded to one decimal",
    hypotheses="ghazi2021's printed numbers; the largest rounding error is 0.05",
    formula=Decimal("0.05"),
)
def rows_taken_over(error: Decimal) -> Parts:
    rows = {(name, b): (number, source[b]) for name, (row, source) in SOURCES.items() for b, number in row.items()}
    for (name, budget), (number, exact) in rows.items():
        yield Instance(f"{name}, epsilon = {budget}, {number} for {exact}: apart", abs(number - exact), "<=", error)
    seen = max(abs(number - exact) for number, exact in rows.values())
    yield Instance("the largest rounding error, as stated", seen, "==", error)


PAPER.claim(
    "Table 3 ('significantly outperforms LP-2ST and ALIBI')",
    r"'The results show that our method significantly outperforms LP-2ST and ALIBI'",
    hypotheses="Table 3; significance is not defined, here a strictly larger number",
    consequence="wording",
    readings={r"$\epsilon = 3$, ..., 6": "proved", r"every $\epsilon$ with numbers of all methods": "refuted"},
    formula=lambda gain: gain > 0,
    mutants={"by 10 points": lambda gain: gain > 10},
)(_by_epsilons("Table 3", CIFAR_100, "3 4 5 6", "3 4 5 6 8"))


@printed(
    "Table 3 ('especially obvious with small epsilon')",
    r"the lead over ALIBI falls from 12.7 points at $\epsilon=3$ to 0 at $\epsilon=8$",
    hypotheses="the first lead, 12.7, and the last, 0, and each smaller than the one before",
    formula=(Decimal("12.7"), Decimal("0.0")),
)
def table_3_lead(ends: tuple[Decimal, Decimal]) -> Parts:
    leads = [CIFAR_100["Ours"][b] - number for b, number in CIFAR_100["ALIBI"].items()]
    for before, after in pairwise(leads):
        yield Instance("lead over ALIBI, that at the epsilon before", after, "<", before)
    yield Instance("lead over ALIBI at 3 and at 8, as stated", (leads[0], leads[-1]), "==", ends)


printed(
    "Table 3 ('ALIBI ... better than LP-2ST')",
    r"'ALIBI performs significantly better than LP-2ST' on CIFAR-100: a larger number at every $\epsilon$",
    hypotheses=r"every $\epsilon$ at which Table 3 has both, 3, 4, 5, 6 and 8",
    formula=(("3", "4", "5", "6", "8"),),
)(
    given_by(
        **{
            "epsilons at which ALIBI has the larger number": lambda: tuple(
                b for b, number in CIFAR_100["ALIBI"].items() if number > CIFAR_100["LP-2ST"][b]
            )
        }
    )
)


PAPER.leave_out(
    "Tables 1 to 3 (the experiments themselves)",
    "deep networks on MNIST and CIFAR; their training is not repeated, the ALIBI row is another paper's",
)
