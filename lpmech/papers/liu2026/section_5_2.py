"""Sections 1, 5 and 6: what the text says about Tables 3 to 7, 10 and 11."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from lpmech.papers.checking import check_every_fact
from lpmech.papers.claims import Repair
from lpmech.papers.liu2026.attainable import possible
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.tables import ABLATION, ACCURACY, AVERAGE, METHODS, PER_CLASS
from lpmech.papers.liu2026.tables_3_to_11 import FIRST, SECOND, TABLES, deviation, largest_entry, mean_accuracy
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Section 5.2 (high privacy)",
    r"for \epsilon=0.6,0.8,1.0 BlockRR 'demonstrates a clear advantage' in test accuracy on CIFAR-10_1",
    hypotheses="read as: the largest mean of the row in Table 3",
    consequence="wording",
    recorded="refuted",
    formula=("0.6", "0.8", "1"),
    mutants={"at 0.8 and 1.0": ("0.8", "1")},
    note="The text itself quotes only 0.6 (40.31 %) and 1.0 (55.12 %). The lead over RR at 0.6 is 0.56, below both deviations.",
    repair=Repair(
        r"of \epsilon=0.6, 0.8, 1.0 BlockRR has the largest mean exactly at 0.6 and 1.0",
        hypotheses="means of Table 3",
        formula=("0.6", "1"),
        mutants={"all three": ("0.6", "0.8", "1")},
    ),
)
def best_in_high_privacy(budgets: tuple[str, ...]) -> Outcome:
    facts = (
        (
            (largest_entry(ACCURACY[FIRST][b]) == "Ours") == (b in budgets),
            f"epsilon = {b}: best is {largest_entry(ACCURACY[FIRST][b])}, {ACCURACY[FIRST][b]}",
        )
        for b in ("0.6", "0.8", "1")
    )
    return check_every_fact(facts, "Table 3 at 0.6, 0.8, 1")


@PAPER.claim(
    "Section 5.2 (moderate budgets)",
    r"for \epsilon=2.0,3.0 'our method achieves the best performance with smaller variance'",
    hypotheses="read as: largest mean and smallest deviation in Table 3 (CIFAR-10_1)",
    consequence="wording",
    recorded="refuted",
    formula=(("2", "mean"), ("2", "deviation"), ("3", "mean"), ("3", "deviation")),
    mutants={"means only": (("2", "mean"), ("3", "mean"))},
    note="At 3.0 RR leads (87.67 against 87.60); RR also has the smaller deviation at both. Against RRWithPrior alone the "
    "sentence is true.",
    repair=Repair(
        r"on CIFAR-10_1 BlockRR has the largest mean at \epsilon=2.0",
        hypotheses="Table 3",
        formula=(("2", "mean"),),
        mutants={"with the smallest deviation": (("2", "mean"), ("2", "deviation"))},
    ),
)
def moderate_budgets(statements: tuple[tuple[str, str], ...]) -> Outcome:
    def fact(statement: tuple[str, str]) -> tuple[bool, str]:
        budget, what = statement
        row = ACCURACY[FIRST][budget]
        best = largest_entry(row) if what == "mean" else min(row, key=lambda m: Decimal(row[m][1]))
        return best == "Ours", f"epsilon = {budget}, best {what}: {best}, {row}"

    return check_every_fact(map(fact, statements), "Table 3")


SURPASSED = {(FIRST, "0.6"), (FIRST, "1"), (FIRST, "2"), (FIRST, "3"), (SECOND, "0.6"), (SECOND, "2"), (SECOND, "3")}
UP_TO_3 = {(d, b) for d in ACCURACY for b in ("0.6", "0.8", "1", "2", "3")}


@PAPER.claim(
    "Section 1 (3)",
    r"for \epsilon\le 3.0 'our method matches or surpasses RRWithPrior in overall accuracy'",
    hypotheses="means of Tables 3 and 5",
    consequence="wording",
    recorded="refuted",
    formula=UP_TO_3,
    mutants={"on CIFAR-10_1": {key for key in UP_TO_3 if key[0] == FIRST}},
    note="The shortfalls (0.43, 1.11, 1.22) are below RRWithPrior's deviations; 'matches' within a deviation would be true.",
    repair=Repair(
        r"at \epsilon\le 3.0 BlockRR's mean is at least RRWithPrior's exactly where it is not 0.8, on either data set, or 1.0 on CIFAR-10_2",
        formula=SURPASSED,
        mutants={"everywhere": UP_TO_3},
    ),
)
def surpasses(cases: set[tuple[str, str]]) -> Outcome:
    facts = (
        (
            (mean_accuracy(d, b, "Ours") >= mean_accuracy(d, b, "RRWithPrior")) == ((d, b) in cases),
            f"{d}, epsilon = {b}: {mean_accuracy(d, b, 'Ours')} against {mean_accuracy(d, b, 'RRWithPrior')}",
        )
        for d, b in sorted(UP_TO_3)
    )
    return check_every_fact(facts, "Tables 3 and 5")


@PAPER.claim(
    "Section 5.2 (Table 4, per-class average)",
    r"in the high-privacy regime the per-class average of BlockRR is superior to RRWithPrior's",
    hypotheses="Table 4, epsilon = 0.6, 0.8, 1.0",
    formula=(FIRST, ("0.6", "0.8", "1")),
    mutants={"Table 6": (SECOND, ("0.6", "0.8", "1")), "up to 4.0": (FIRST, ("0.6", "0.8", "1", "2", "3", "4"))},
)
def per_class_average(case: tuple[str, tuple[str, ...]]) -> Outcome:
    dataset, budgets = case
    facts = (
        (
            Decimal(AVERAGE[dataset][b]["Ours"][0]) > Decimal(AVERAGE[dataset][b]["RRWithPrior"][0]),
            f"epsilon = {b}: {AVERAGE[dataset][b]}",
        )
        for b in budgets
    )
    return check_every_fact(facts, f"{TABLES[dataset][0]} at {', '.join(budgets)}")


@PAPER.claim(
    "Section 5.2 (Table 5)",
    r"for \epsilon\le 1.0 both RRWithPrior and BlockRR outperform RR on CIFAR-10_2, BlockRR with lower deviation than RRWithPrior",
    hypotheses="Table 5",
    formula=("0.6", "0.8", "1"),
    mutants={"also at 2.0": ("0.6", "0.8", "1", "2"), "also at 3.0": ("0.6", "0.8", "1", "3")},
)
def table_5_sentence(budgets: tuple[str, ...]) -> Outcome:
    def facts() -> Iterable[tuple[bool, str]]:
        for b in budgets:
            rr, prior, ours = (mean_accuracy(SECOND, b, m) for m in METHODS)
            yield min(prior, ours) > rr, f"epsilon = {b}: RR {rr}, RRWithPrior {prior}, Ours {ours}"
            yield deviation(SECOND, b, "Ours") < deviation(SECOND, b, "RRWithPrior"), f"epsilon = {b}: deviations"

    return check_every_fact(facts(), f"Table 5 at {', '.join(budgets)}")


@PAPER.claim(
    "Section 5.2 (class collapse)",
    r"BlockRR avoids class collapse ('near-zero accuracy') in the high-privacy regime",
    hypotheses="read as: no class with accuracy 0.00 at epsilon <= 1.0, Tables 10 and 11 without the rows that no experiment can give",
    consequence="wording",
    recorded="refuted",
    formula=lambda zeros_ours, zeros_prior: zeros_ours == 0,
    mutants={"at most one": lambda zeros_ours, zeros_prior: zeros_ours <= 1},
    note="At epsilon = 0.6 on CIFAR-10_1, classes 6 and 8 have accuracy 0.00; on CIFAR-10_2 four classes have at most 0.33.",
    repair=Repair(
        r"at every \epsilon\le 1.0 BlockRR has fewer classes with accuracy 0.00 than RRWithPrior",
        hypotheses="Tables 10 and 11 without the rows that no experiment can give (Ours at 1.0 on CIFAR-10_2)",
        formula=lambda zeros_ours, zeros_prior: zeros_ours < zeros_prior,
        mutants={"none": lambda zeros_ours, zeros_prior: zeros_ours == 0},
    ),
)
def class_collapse(relation: Any) -> Outcome:
    def facts() -> Iterable[tuple[bool, str]]:
        for dataset in PER_CLASS:
            for b in ("0.6", "0.8", "1"):
                if not possible(dataset, b, "Ours", "RRWithPrior"):
                    continue
                ours, prior = (PER_CLASS[dataset][b][m].count("0.00") for m in ("Ours", "RRWithPrior"))
                yield relation(ours, prior), f"{dataset}, epsilon = {b}: {ours} classes at 0.00 (RRWithPrior: {prior})"

    return check_every_fact(facts(), "epsilon = 0.6, 0.8, 1.0")


@PAPER.claim(
    "Section 5.3.1 (43.44)",
    r"at \epsilon=0.6 accuracy ranges from 41.52% (l=3) to 43.44% (l=2)",
    hypotheses="Table 7",
    consequence="wording",
    recorded="refuted",
    formula=("41.52", "3", "43.44", "2"),
    mutants={"maximum at l = 4": ("41.52", "3", "43.22", "4")},
    repair=Repair(
        r"at \epsilon=0.6 accuracy ranges from 41.52% (l=3) to 43.48% (l=2)",
        formula=("41.52", "3", "43.48", "2"),
        mutants={"as printed": ("41.52", "3", "43.44", "2")},
    ),
)
def ablation_range(printed: tuple[str, str, str, str]) -> Outcome:
    row = ABLATION["0.6"]
    low = min(row, key=lambda l: Decimal(row[l][0]))
    found = (row[low][0], low, row[largest_entry(row)][0], largest_entry(row))
    return check_every_fact(
        [(found == printed, f"Table 7, epsilon = 0.6: {found[0]} (l = {found[1]}) to {found[2]} (l = {found[3]})")],
        "Table 7",
    )


def _spread(budget: str) -> Decimal:
    values = [Decimal(v[0]) for v in ABLATION[budget].values()]
    return max(values) - min(values)


@PAPER.claim(
    "Section 5.3.1 (within 2%)",
    r"for \epsilon\le 1.0 accuracy fluctuates within 2% as l varies from 0 to 6",
    hypotheses="Table 7, largest minus smallest mean",
    consequence="wording",
    recorded="refuted",
    formula=Decimal("2"),
    mutants={"within 2.5": Decimal("2.5")},
    repair=Repair(
        r"for \epsilon\le 1.0 accuracy fluctuates within 2.68 points",
        hypotheses="Table 7",
        formula=Decimal("2.68"),
        mutants={"within 2": Decimal("2")},
    ),
)
def fluctuation(limit: Decimal) -> Outcome:
    return check_every_fact(
        ((_spread(b) <= limit, f"epsilon = {b}: spread {_spread(b)}") for b in ("0.6", "0.8", "1")), "Table 7"
    )


@PAPER.claim(
    "Section 5.3.1 (negative trend)",
    r"at \epsilon=3.0 accuracy falls with l from 87.18% to 85.94%, 'a decrease of 1.2%', and at \epsilon=4.0 similarly",
    hypotheses="Table 7; the decrease rounds to 1.2 points",
    formula=("3", "4"),
    mutants={"also at 2.0": ("2", "3", "4")},
)
def negative_trend(budgets: tuple[str, ...]) -> Outcome:
    def facts() -> Iterable[tuple[bool, str]]:
        for b in budgets:
            values = [Decimal(v[0]) for v in ABLATION[b].values()]
            yield values == sorted(values, reverse=True), f"epsilon = {b}: {', '.join(map(str, values))}"
        yield round(_spread("3"), 1) == Decimal("1.2"), f"decrease {_spread('3')}"

    return check_every_fact(facts(), f"Table 7 at {', '.join(budgets)}")


@PAPER.claim(
    "Section 5.3.1 (optimal l inside)",
    r"'the optimal l is not at the boundaries' in the high-privacy regime",
    hypotheses="Table 7, epsilon = 0.6, 0.8, 1.0; boundaries l = 0 and l = 6",
    consequence="wording",
    recorded="refuted",
    formula=("0.6", "0.8", "1"),
    mutants={"at 0.8": ("0.8",)},
    note="The text gives l = 2 at 0.6 as its example; at 0.8 the best l is 6, at 2.0 it is 6 and at 3.0, 4.0 it is 0.",
    repair=Repair(
        r"the best l is inside 0..6 at \epsilon=0.6 and 1.0",
        hypotheses="Table 7",
        formula=("0.6", "1"),
        mutants={"all budgets up to 1": ("0.6", "0.8", "1")},
    ),
)
def optimal_l_inside(budgets: tuple[str, ...]) -> Outcome:
    return check_every_fact(
        (
            (largest_entry(ABLATION[b]) not in ("0", "6"), f"epsilon = {b}: best l = {largest_entry(ABLATION[b])}")
            for b in budgets
        ),
        "Table 7",
    )


PAPER.leave_out(
    "Figures 2 and 3", "accuracy against sigma is drawn, not tabulated; it needs the authors' training runs"
)
PAPER.leave_out(
    "Tables 3 to 7, 10, 11 (the experiments themselves)", "ResNet-18 on CIFAR-10 with mixup, 160 epochs, 10 seeds"
)
PAPER.leave_out(
    "Section 5.2 ('better balance', 'significantly lower variance')",
    "no criterion is given; the numbers behind it are checked",
)
PAPER.leave_out("Appendix A", "related work: citations")
