"""Sections 1, 5 and 6: what the text says about Tables 3 to 7, 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from lpmech.claims import Instance, Parts, Repair, each
from lpmech.claims.checking import check_parts
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.shapes import Judged, exactly
from lpmech.papers.liu2026.tables import ABLATION, ACCURACY, COUNTS, FIRST, METHODS, PER_CLASS, SECOND
from lpmech.papers.liu2026.tables_3_to_11 import accuracies, average, deviation, mean_accuracy, possible, ranked
from lpmech.priors import prior_from_counts
from lpmech.prove.arithmetic import Computed
from lpmech.verdicts import Outcome

HIGH, UP_TO_3 = ("0.6", "0.8", "1"), ("0.6", "0.8", "1", "2", "3")

Case = tuple[str, str]
Judge = Callable[[Case], Instance]

MODERATE = (("2", "mean"), ("2", "deviation"), ("3", "mean"), ("3", "deviation"))


def _best_is_ours(budget: str, what: str) -> Instance:
    """Whether ours has the largest mean, or the smallest deviation, of a row of Table 3."""
    row = ACCURACY[FIRST][budget]
    best = ranked(row)[0] if what == "mean" else min(row, key=lambda m: Computed(row[m][1]))
    return Instance(f"epsilon = {budget}: {_row(FIRST, budget)}: best {what}", best, "==", "Ours")


def _row(dataset: str, budget: str) -> str:
    """The means and deviations of a row, in words."""
    return ", ".join(
        f"{method} {mean} ± {deviation}" for method, (mean, deviation) in ACCURACY[dataset][budget].items()
    )


def _ours_leads(others: Sequence[str]) -> Outcome:
    """Whether ours has the largest mean and the smallest deviation at moderate budgets, against these methods."""

    def leads(budget: str, what: str) -> bool:
        values = {m: Computed(ACCURACY[FIRST][budget][m][what == "deviation"]) for m in ("Ours", *others)}
        ours = values.pop("Ours")
        return all(ours < v if what == "deviation" else ours > v for v in values.values())

    return check_parts((leads(*case) or _best_is_ours(*case).told for case in MODERATE), every="rows of Table 3 named")


PAPER.claim(
    "Section 5.2 (high privacy)",
    r"for $\epsilon=0.6,0.8,1.0$ BlockRR 'demonstrates a clear advantage' in test accuracy on $\text{CIFAR-10}_1$",
    hypotheses="read as: the largest mean of the row in Table 3",
    every="budgets of Table 3 at 0.6, 0.8, 1",
    formula=HIGH,
    note="The text itself quotes only 0.6 (40.31 %) and 1.0 (55.12 %). The lead over RR at 0.6 is 0.56, below both deviations.",
    consequence="wording",
    repair=Repair(
        r"of $\epsilon=0.6$, 0.8, 1.0 BlockRR has the largest mean exactly at 0.6 and 1.0",
        formula=("0.6", "1"),
    ),
)(exactly(HIGH)(lambda budget: _best_is_ours(budget, "mean")))


@PAPER.claim(
    "Section 5.2 (moderate budgets)",
    r"for $\epsilon=2.0,3.0$ 'our method achieves the best performance with smaller variance'",
    hypotheses=r"read as: largest mean and smallest deviation in Table 3 ($\text{CIFAR-10}_1$)",
    consequence="wording",
    readings={"of BlockRR and RRWithPrior": "proved", "of all three methods": "refuted"},
    formula=(("RRWithPrior",), ("RR", "RRWithPrior")),
    mutants={"of BlockRR and RR": (("RR",), ("RR", "RRWithPrior"))},
    note="At 3.0 RR leads (87.67 against 87.60); RR also has the smaller deviation at both.",
)
def moderate_budgets(rivals: Any) -> tuple[Outcome, ...]:
    one, both = rivals
    return _ours_leads(one), _ours_leads(both)


PAPER.claim(
    "Section 5.2 (moderate budgets) [repaired]",
    r"on $\text{CIFAR-10}_1$ BlockRR has the largest mean at $\epsilon=2.0$",
    hypotheses=r"compared: means and deviations of Table 3 at $\epsilon = 2.0$ and 3.0; Ours has the best of a row in this one place only",
    kind="ours",
    every="rows of Table 3 named",
    formula=(("2", "mean"),),
)(exactly(MODERATE)(lambda case: _best_is_ours(*case)))


def against(other: str, what: str, of: Callable[..., Any], better: str) -> Judge:
    """How a number of Ours, what it is in words, has to compare with that of another method in the same row."""

    def judge(case: Case) -> Instance:
        where = f"{case[0]}, epsilon = {case[1]}: {what}: of Ours, of {other}"
        return Instance(where, of(*case, "Ours"), better, of(*case, other))

    return judge


CASES = sorted((d, b) for d in ACCURACY for b in UP_TO_3)
ACCURACIES, AVERAGES = "test accuracy (Tables 3 and 5)", "average per-class accuracy (Tables 4 and 6)"


@PAPER.claim(
    "Section 1 (3)",
    r"for $\epsilon\le 3.0$ 'our method matches or surpasses RRWithPrior in overall accuracy'",
    hypotheses="means and deviations of Tables 3 and 5, budgets up to 3",
    consequence="wording",
    readings={"matches within RRWithPrior's deviation": "proved", "matches in the printed mean": "refuted"},
    formula=(1, 0),
    mutants={"both in the mean": (0, 0)},
    note="The shortfalls 0.43, 1.11 and 1.22 are below RRWithPrior's deviations; the text does not say what 'matches' means.",
)
def matches_or_surpasses(allowed: Any) -> tuple[Outcome, ...]:
    def judged(deviations: int) -> Outcome:
        parts = (
            Instance(
                f"{d}, epsilon = {b}: mean of RRWithPrior less that of Ours",
                mean_accuracy(d, b, "RRWithPrior") - mean_accuracy(d, b, "Ours"),
                "<=",
                deviations * deviation(d, b, "RRWithPrior"),
            )
            for d, b in CASES
        )
        return check_parts(parts, every="means of Tables 3 and 5, budgets up to 3")

    within, in_the_mean = allowed
    return judged(within), judged(in_the_mean)


PAPER.claim(
    "Section 1 (3) [repaired]",
    r"at $\epsilon\le 3.0$ BlockRR's mean is at least RRWithPrior's, except at 0.8 on either data set and at 1.0 on $\text{CIFAR-10}_2$",
    kind="ours",
    every="means of Tables 3 and 5, budgets up to 3",
    formula=set(CASES) - {(FIRST, "0.8"), (SECOND, "0.8"), (SECOND, "1")},
)(exactly(CASES)(against("RRWithPrior", ACCURACIES, mean_accuracy, ">=")))

PAPER.claim(
    "Section 5.2 (Table 4, per-class average)",
    r"in the high-privacy regime the per-class average of BlockRR is superior to RRWithPrior's",
    hypotheses=r"Table 4, $\epsilon = 0.6$, 0.8, 1.0",
    every="budgets named",
    formula={(FIRST, b) for b in HIGH},
)(exactly([(FIRST, b) for b in HIGH])(against("RRWithPrior", AVERAGES, average, ">")))


@PAPER.claim(
    "Section 5.2 (Table 5)",
    r"for $\epsilon\le 1.0$ both RRWithPrior and BlockRR outperform RR on $\text{CIFAR-10}_2$, BlockRR with lower deviation than RRWithPrior",
    every="budgets named",
    formula=set(HIGH),
    mutants={"also at 2.0": {*HIGH, "2"}, "also at 3.0": {*HIGH, "3"}},
)
@exactly(HIGH)
def both_better_than_rr(budget: str) -> Judged:
    rr, prior, ours = (mean_accuracy(SECOND, budget, m) for m in METHODS)
    steadier = deviation(SECOND, budget, "Ours") < deviation(SECOND, budget, "RRWithPrior")
    where = f"epsilon = {budget}: {_row(SECOND, budget)}"
    return Instance(f"{where}: the lower one, RR", min(prior, ours), ">", rr) if steadier else (False, where)


@PAPER.claim(
    "Section 5.2 (stronger label imbalance)",
    r"'the stronger label imbalance' of $\text{CIFAR-10}_2$: its prior majorises that of $\text{CIFAR-10}_1$, so that any $k$ of the most frequent classes have a larger share",
    every={"k": range(1, 10)},
    formula=(SECOND, FIRST),
    mutants={"the other way round": (FIRST, SECOND)},
)
def imbalance(order: tuple[str, str]) -> Parts:
    more, less = (sorted(map(Computed, prior_from_counts(COUNTS[d])), reverse=True) for d in order)
    for k in each("k"):
        yield Instance(f"k = {k}: shares of the k most frequent classes", sum(more[:k]), ">", sum(less[:k]))


@PAPER.claim(
    "Section 5.2 (class collapse)",
    r"BlockRR avoids class collapse ('near-zero accuracy') in the high-privacy regime",
    hypotheses=r"read as: no class with accuracy 0.00 at $\epsilon \le 1.0$, Tables 10 and 11 without the rows that no experiment can give",
    every="rows at epsilon = 0.6, 0.8, 1.0",
    formula=("==", 0),
    note=r"At $\epsilon = 0.6$ on $\text{CIFAR-10}_1$, classes 6 and 8 have accuracy 0.00; on $\text{CIFAR-10}_2$ four classes have at most 0.33.",
    consequence="wording",
    repair=Repair(
        r"at every $\epsilon\le 1.0$ BlockRR has fewer classes with accuracy 0.00 than RRWithPrior",
        hypotheses=r"Tables 10 and 11 without the rows that no experiment can give (Ours at 1.0 on $\text{CIFAR-10}_2$)",
        formula=("<", "RRWithPrior"),
        mutants={"as many": ("==", "RRWithPrior")},
    ),
)
def class_collapse(case: Any) -> Parts:
    relation, limit = case  # the number itself, or that of RRWithPrior
    for dataset, b in ((d, b) for d in PER_CLASS for b in HIGH if possible(d, b, "Ours", "RRWithPrior")):
        ours, prior = (Computed(sum(v == 0 for v in accuracies(dataset, b, m))) for m in ("Ours", "RRWithPrior"))
        where = f"{dataset}, epsilon = {b}: classes at 0.00 (RRWithPrior: {prior})"
        yield Instance(where, ours, relation, prior if limit else 0)
        more = (Instance(where, prior, relation, other if limit else 0).holds for other in (prior, ours))
        yield not any(more) or f"{where}: no fewer than {ours} would do"


# -- Table 7 ---------------------------------------------------------------------------------------------


def _means(budget: str) -> list[Computed]:
    return [Computed(mean) for mean, _ in ABLATION[budget].values()]


def _spread(budget: str) -> Computed:
    return max(_means(budget)) - min(_means(budget))


@PAPER.claim(
    "Section 5.3.1 (43.44)",
    r"at $\epsilon=0.6$ accuracy ranges from 41.52% ($l=3$) to 43.44% ($l=2$)",
    every="the row of 0.6 in Table 7",
    formula=("41.52", "3", "43.44", "2"),
    consequence="slip",
    repair=Repair(
        r"at $\epsilon=0.6$ accuracy ranges from 41.52% ($l=3$) to 43.48% ($l=2$)", ("41.52", "3", "43.48", "2")
    ),
)
def ablation_range(printed: tuple[str, str, str, str]) -> Parts:
    row = ABLATION["0.6"]
    high, *_, low = ranked(row)
    found = (row[low][0], low, row[high][0], high)
    yield Instance("Table 7, epsilon = 0.6: least accuracy, its l, largest, its l", found, "==", printed)


@PAPER.claim(
    "Section 5.3.1 (within 2%)",
    r"for $\epsilon\le 1.0$ accuracy fluctuates within 2% as $l$ varies from 0 to 6",
    hypotheses="Table 7, largest minus smallest mean",
    every="budgets up to 1 in Table 7",
    formula=Decimal("2"),
    consequence="wording",
    repair=Repair(r"for $\epsilon\le 1.0$ accuracy fluctuates within 2.68 points", formula=Decimal("2.68")),
)
def fluctuation(limit: Decimal) -> Parts:
    for b in HIGH:
        yield Instance(f"epsilon = {b}: largest mean less the smallest", _spread(b), "<=", limit)
    yield Instance("the largest of these", max(map(_spread, HIGH)), "==", limit)


@PAPER.claim(
    "Section 5.3.1 (negative trend)",
    r"at $\epsilon=3.0$ accuracy falls with $l$ from 87.18% to 85.94%, 'a decrease of 1.2%', and at $\epsilon=4.0$ similarly",
    hypotheses="Table 7, where it falls so at no other budget; the decrease rounds to 1.2 points",
    every="budgets of Table 7",
    formula={"3", "4"},
    mutants={"also at 2.0": {"2", "3", "4"}},
)
@exactly(ABLATION)
def negative_trend(budget: str) -> Judged:
    values = _means(budget)
    where = f"epsilon = {budget}: means for l = 0, ..., 6, from the largest on"
    found = Instance(where, values, "==", sorted(values, reverse=True))
    return found if budget != "3" or round(_spread("3"), 1) == Decimal("1.2") else (False, where)


@PAPER.claim(
    "Section 5.3.1 (optimal l inside)",
    "'the optimal $l$ is not at the boundaries' in the high-privacy regime",
    hypotheses=r"Table 7, $\epsilon = 0.6$, 0.8, 1.0; boundaries $l = 0$ and $l = 6$",
    every="budgets named",
    formula=HIGH,
    note="The text gives $l = 2$ at 0.6 as its example; at 0.8 the best $l$ is 6, at 2.0 it is 6 and at 3.0, 4.0 it is 0.",
    consequence="wording",
    repair=Repair(r"the best $l$ is inside $0,\dots,6$ at $\epsilon=0.6$ and 1.0", ("0.6", "1")),
)
@exactly(HIGH)
def best_inside(budget: str) -> Instance:
    best = int(ranked(ABLATION[budget])[0])
    where = f"epsilon = {budget}: the best of l = 0, ..., 6 is l = {best}: steps from there to a boundary"
    return Instance(where, min(best, 6 - best), ">", 0)


for item, why in {
    "Figure 1": "drawn; the text names the four blocks and their entries, which the claims are about",
    "Section 1 (1) ('diagonal regions follow standard RR')": r"the definition of the blocks: entries $e^\epsilon$ and 1 times $\beta$, or $\gamma$",
    "Def. 2.4, Alg. 2 lines 1 and 11, Table 1 ('Equation (2.5)'), section 5.1.2 ('Algorithm 2')": "slips without a formula: $k$ is left open (in [GGK+21] it is $k^*$); "
    r"$\sigma$ of line 4 is no input; the union of sets would merge equal examples; Definition 2.5 and Algorithm 3 are meant",
    "Figures 2 and 3": r"accuracy against $\sigma$ is drawn, not tabulated; it needs the authors' training runs",
    "Tables 3 to 7, 10, 11 (the experiments themselves)": "ResNet-18 on CIFAR-10 with mixup, 160 epochs, 10 seeds",
    "Section 5.2 ('better balance', 'significantly lower variance', 'competitive overall accuracy')": "no criterion is given; the numbers behind it are checked",
    "Appendix A": "related work: citations; the upsampling of majority classes that it reports of [GGK+21] is not in ghazi2021",
}.items():
    PAPER.leave_out(item, why)
