"""Sections 1 and 5.1, Appendix C: sentences about the printed results that arithmetic can settle. The training runs are not repeated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.papers.checks import facts_of_tables
from lpmech.papers.ghazi2021.paper import PAPER
from lpmech.verdicts import Outcome

#: Epsilon -> printed accuracy.
Row = Mapping[str, Decimal]


def _row(budgets: str, numbers: str) -> Row:
    return dict(zip(budgets.split(), map(Decimal, numbers.split()), strict=True))


#: Table 1, CIFAR-10 accuracy by epsilon.
ONE_STAGE = _row("1 2 3 4 6 8 inf", "59.96 82.38 89.89 92.58 93.58 94.70 94.96")
TWO_STAGES = _row("1 2 3 4 6 8", "63.67 86.05 92.19 93.37 94.26 94.52")
ONE_STAGE_PRETRAINED = _row("1 2 3 4 6 8 inf", "67.64 83.99 90.24 92.83 94.02 94.96 95.25")
TWO_STAGES_PRETRAINED = _row("1 2 3 4 6 8", "70.16 87.22 92.12 93.53 94.41 94.59")
#: The better of both, with and without pre-training.
BEST = {b: max(ONE_STAGE[b], TWO_STAGES[b]) for b in TWO_STAGES}
BEST_PRETRAINED = {b: max(ONE_STAGE_PRETRAINED[b], TWO_STAGES_PRETRAINED[b]) for b in TWO_STAGES}
#: DP-SGD with pre-training; the text of section 1 gives 73 at epsilon = 8, the columns of the others are a reading.
DP_SGD_PRETRAINED = _row("2 4 8", "67 70 73")
#: The best baselines without pre-training: ScatterNet+CNN ("the highest reported accuracy"), DP-SGD at epsilon = 7.53.
BEST_BASELINE = dict.fromkeys(TWO_STAGES, Decimal("69.3"))
DP_SGD = dict.fromkeys(("6", "8"), Decimal("61.6"))

#: Table 2, CIFAR-100 accuracy, and Table 3, MovieLens RMSE.
BUDGETS_2, BUDGETS_3 = "3 4 5 6 8", "1 2 3 4 8"
TABLE_2 = (_row(BUDGETS_2, "20.96 46.28 61.38 68.34 73.59"), _row(BUDGETS_2, "28.74 50.15 63.51 70.58 74.14"))
TABLE_3 = (_row(BUDGETS_3, "1.122 0.981 0.902 0.877 0.867"), _row(BUDGETS_3, "1.034 0.928 0.891 0.874 0.865"))
GAUSSIAN_DP = Decimal("0.915")

#: Table 4 (MNIST, Fashion MNIST) and Table 5 (KMNIST), accuracy at epsilon = 1 to 4.
BUDGETS_4 = "1 2 3 4"
MNIST = (_row(BUDGETS_4, "95.34 98.16 98.81 99.08"), _row(BUDGETS_4, "95.82 98.78 99.14 99.24"))
FASHION = (_row(BUDGETS_4, "80.78 90.18 92.52 93.50"), _row(BUDGETS_4, "83.26 91.24 93.18 94.10"))
KMNIST = (_row(BUDGETS_4, "76.56 92.04 95.86 96.86"), _row(BUDGETS_4, "81.26 93.72 97.19 97.83"))
#: The baselines of Table 4 that are printed with their own epsilon.
MNIST_BASELINES = _row(
    "2.04 8.03 1.97 2.93 2.32 5.07 2.5 3.2 6.78 1.2", "98 98.1 98.5 98.1 96.6 97.0 90.0 96.1 93.2 96.56"
)
FASHION_BASELINES = _row("2.7", "86.1")


def _margins(name: str, ours: Row, theirs: Row) -> Iterator[tuple[Decimal, str]]:
    """Every margin at a budget of both rows, with its words."""
    for budget in ours:
        if budget in theirs and budget != "inf":
            yield ours[budget] - theirs[budget], f"{name}, epsilon = {budget}: {ours[budget]} - {theirs[budget]}"


def _is_gain(better: Any) -> Iterator[bool | str]:
    """That it says more than nothing: the last printed digit is enough, none and a loss are not."""
    for gain in map(Decimal, ("0.001", "0", "-0.001")):
        yield better(gain) == (gain > 0) or f"a gain of {gain}"


@PAPER.claim(
    "Section 1 (20% on CIFAR-10)",
    r"'On CIFAR-10, we show that it achieves 20% higher accuracy than DP-SGD'",
    hypotheses=r"Percentage points, the least margin rounded down: LP-2ST with pre-training against DP-SGD with pre-training at $\epsilon = 2$, 4, 8, LP-2ST at "
    r"$\epsilon = 6$ and 8 against DP-SGD without (61.6 at $\epsilon = 7.53$)",
    every="Table 1",
    formula=Decimal(20),
    note=r"73 at $\epsilon = 8$ is in the text (section 1); that 67 and 70 stand in the columns $\epsilon = 2$ and 4 is a reading.",
)
def higher_than_dp_sgd(points: Decimal) -> Parts:
    margins = [
        *_margins("both with pre-training", TWO_STAGES_PRETRAINED, DP_SGD_PRETRAINED),
        *_margins("both without", TWO_STAGES, DP_SGD),
    ]
    yield from (Instance(text, margin, ">=", points) for margin, text in margins)
    least, text = min(margins)
    yield Instance(f"the least margin, {text}", least, "<", points + 1)


@PAPER.claim(
    "Section 5.1 (20% across all epsilon)",
    r"'Overall, our algorithms improve the previous state-of-the-art by a margin of 20% across all $\epsilon$'s'",
    hypotheses="Table 1; percentage points",
    consequence="wording",
    readings={
        r"with pre-training against DP-SGD with pre-training, $\epsilon = 2$, 4, 8": "proved",
        r"without pre-training against ScatterNet's 69.3, $\epsilon \ge 3$": "proved",
        r"without pre-training against DP-SGD with pre-training, $\epsilon = 2$, 4, 8": "refuted",
        r"against ScatterNet's 69.3 at every $\epsilon$ of the table": "refuted",
    },
    formula=Decimal(20),
    mutants={"25%": Decimal(25)},
    note=r"Table 1 prints no baseline at $\epsilon \le 1$, and the best baseline without pre-training is one number; which pairs are "
    "compared is left to the reader.",
)
def margin_everywhere(points: Decimal) -> tuple[Outcome, ...]:
    rows = (
        _margins("both with pre-training", BEST_PRETRAINED, DP_SGD_PRETRAINED),
        _margins("without, against ScatterNet", {b: BEST[b] for b in BEST if int(b) >= 3}, BEST_BASELINE),
        _margins("without, against with pre-training", BEST, DP_SGD_PRETRAINED),
        _margins("without, against ScatterNet", BEST, BEST_BASELINE),
    )
    facts = [[Instance(text, margin, ">=", points) for margin, text in margins] for margins in rows]
    least, text = min(_margins("both with pre-training", BEST_PRETRAINED, DP_SGD_PRETRAINED))
    facts[0].append(Instance(f"the least margin rounded down, {text}", math.floor(least), "==", points))
    return tuple(facts_of_tables(of_reading, "Table 1") for of_reading in facts)


@PAPER.claim(
    "Section 5.1 (without pre-training)",
    r"LP-1ST and LP-2ST without pre-training exceed DP-SGD with pre-training at $\epsilon=2,4,8$ by 15.38 to 23.37 percentage points",
    hypotheses="stated are the smallest and the largest margin",
    every="Table 1, of six margins the ends",
    formula=(Decimal("15.38"), Decimal("23.37")),
    note="LP-1ST at 2 has the smallest margin, LP-2ST at 4 the largest. Whether that is 'significantly better' is left out: no deviations are printed.",
)
def without_pretraining(ends: tuple[Decimal, Decimal]) -> Parts:
    rows = {"LP-1ST": ONE_STAGE, "LP-2ST": TWO_STAGES}
    margins = [found for name, row in rows.items() for found in _margins(name, row, DP_SGD_PRETRAINED)]
    (least, text), (most, other) = min(margins), max(margins)
    yield Instance(f"{text}; {other}; least and largest margin", (least, most), "==", tuple(ends))


@PAPER.claim(
    "Section 5.1 (performance drop)",
    r"'even when compared to those weaker non-private baselines, a large performance drop is observed in the private models': 7 to 15 percentage points",
    hypotheses=r"DP-SGD with pre-training (67, 70 and 73 against 80) and DP-SGD (61.6 against 76.6), the baselines with a number at $\epsilon = \infty$; stated are the smallest drop, 7 points, and the largest, 15",
    every="Table 1, of four drops the ends",
    formula=(Decimal(7), Decimal(15)),
    note=r"What is large is not said, nor which number of the other baselines is theirs without privacy. LP-1ST's own drops are 35 at $\epsilon = 1$, 12.58 at 2 and 0.26 at 8.",
)
def performance_drop(ends: tuple[Decimal, Decimal]) -> Parts:
    pairs = {Decimal(80): DP_SGD_PRETRAINED.values(), Decimal("76.6"): DP_SGD.values()}
    drops = [without - private for without, row in pairs.items() for private in row]
    yield Instance("smallest and largest of the four drops", (min(drops), max(drops)), "==", tuple(ends))


@PAPER.claim(
    "Section 5.1 (pre-training helps)",
    r"'We also observe performance improvements with CIFAR-100 pre-training (Table 1, bottom 2 rows)'",
    hypotheses="Table 1, each row against the same row without pre-training",
    consequence="wording",
    readings={
        r"in both rows at every $\epsilon$": "refuted",
        r"in LP-1ST at every $\epsilon$, in the better row at every $\epsilon$ but 3": "proved",
    },
    formula=lambda gain: gain > 0,
    mutants={"by 0.5 points": lambda gain: gain >= Decimal("0.5")},
    note=r"LP-2ST at $\epsilon = 3$ is the one exception: 92.12 with, 92.19 without pre-training.",
)
def pretraining_helps(improves: Any) -> tuple[Outcome, ...]:
    one = list(_margins("LP-1ST", ONE_STAGE_PRETRAINED, ONE_STAGE))
    two = list(_margins("LP-2ST", TWO_STAGES_PRETRAINED, TWO_STAGES))
    better = _margins("better row", BEST_PRETRAINED, {b: BEST[b] for b in BEST if b != "3"})
    rows = ([*one, *two], [*one, *better])
    every, most = ([bool(improves(gain)) or f"{text} = {gain}" for gain, text in margins] for margins in rows)
    return (facts_of_tables(every, "Table 1"), facts_of_tables([*most, *_is_gain(improves)], "Table 1"))


def _round_to(**values: Decimal) -> Any:
    """The check that all of these, rounded, are so many points."""
    return lambda points: (
        Instance(f"{name.replace('_', ' ')} {value}, rounded", round(value), "==", points)
        for name, value in values.items()
    )


PAPER.claim(
    "Section 5.1 (95% non-private)",
    r"'we use ResNet18 with 95% non-private accuracy'",
    hypotheses=r"column $\epsilon = \infty$, rounded to whole points, with and without pre-training",
    every="Table 1",
    formula=Decimal(95),
)(_round_to(**{"without pre-training": ONE_STAGE["inf"], "with pre-training": ONE_STAGE_PRETRAINED["inf"]}))


@PAPER.claim(
    "Table 1 (two stages)",
    r"LP-2ST is more accurate than LP-1ST at $\epsilon\le 6$ and less accurate at $\epsilon=8$, with and without pre-training",
    every={"budget": tuple(map(int, TWO_STAGES))},
    formula=lambda budget: budget <= 6,
    kind="ours",
    survivors={"6 -> 7": "no column lies between 6 and 8"},
    note="Not a sentence of the paper; it bounds how far LP-2ST improving on LP-1ST (true in Tables 2 and 3) reaches.",
)
def table_1_two_stages(better: Any) -> Parts:
    for one, two in ((ONE_STAGE, TWO_STAGES), (ONE_STAGE_PRETRAINED, TWO_STAGES_PRETRAINED)):
        for b in two:
            yield Instance(f"epsilon = {b}: LP-2ST, LP-1ST", two[b], ">" if better(int(b)) else "<=", one[b])


PAPER.claim(
    "Section 5.1 (Table 2, 2% below)",
    r"on CIFAR-100 'for $\epsilon=8$, our algorithm is only 2% below the non-private baseline' of 76.38%",
    hypotheses="LP-2ST; rounded to whole percentage points",
    every="Table 2 at epsilon = 8",
    formula=Decimal(2),
)(_round_to(**{"76.38 less LP-2ST at epsilon = 8:": Decimal("76.38") - TABLE_2[1]["8"]}))


def _improve(**rows: tuple[Row, Row]) -> Any:
    """The check that the second row is above the first, whatever the gain is."""

    def check(better: Any) -> Parts:
        yield from _is_gain(better)
        for name, (below, above) in rows.items():
            for margin, text in _margins(name, above, below):
                gain = Instance(text, margin, ">", 0)
                yield gain if better(margin) == gain.holds else f"{text} = {margin}"

    return check


PAPER.claim(
    "Section 5.1 (Tables 2 and 3, two stages)",
    r"LP-2ST improves on LP-1ST at every budget of Tables 2 and 3",
    hypotheses="printed numbers; accuracy in Table 2, RMSE in Table 3",
    every="Tables 2 and 3",
    kind="ours",
    formula=lambda gain: gain > 0,
)(_improve(accuracy=TABLE_2, RMSE=TABLE_3[::-1]))

PAPER.claim(
    "App. C (two stages)",
    r"'LP-2ST consistently improves over LP-1ST' on MNIST and Fashion MNIST, and 'qualitatively similar' on KMNIST",
    every="Tables 4 and 5",
    kind="remark",
    formula=lambda gain: gain > 0,
)(_improve(MNIST=MNIST, Fashion=FASHION, KMNIST=KMNIST))


@PAPER.claim(
    "Section 1 (MovieLens)",
    r"'On MovieLens ... we show improvements via LP-MST': LP-2ST beats Gaussian DP's RMSE 0.915 at every $\epsilon\ge 3$ of Table 3",
    hypotheses=r"Gaussian DP's number is for $\epsilon \ge 10$; below $\epsilon = 3$ LP-2ST is not ahead",
    every="Table 3",
    formula=3,
)
def movielens(first: int) -> Parts:
    for b, rmse in TABLE_3[1].items():
        yield Instance(f"epsilon = {b}: RMSE, Gaussian DP's", rmse, "<" if int(b) >= first else ">=", GAUSSIAN_DP)


@PAPER.claim(
    "App. C (against previous methods)",
    r"'Our algorithms outperform previous methods across all $\epsilon$'s on both datasets'",
    hypotheses=r"Table 4, 'our algorithms' (LP-1ST and LP-2ST, or the better one, LP-2ST) against the baselines printed with their own $\epsilon$, most of which lies between two columns of ours",
    consequence="wording",
    readings={
        "the next column of LP-2ST at or above, where there is one": "proved",
        "that column of LP-1ST, which is one of our algorithms": "refuted",
        "the last column of LP-2ST at or below": "refuted",
    },
    kind="remark",
    formula=lambda margin: margin > 0,
    mutants={"by a point": lambda margin: margin >= 1},
    note=r"LP-1ST has 98.16 at 2 against 98.5 at 1.97. The two that are better than LP-2ST at the column below: 96.56 at $\epsilon = 1.2$ and 98.5 at 1.97, "
    r"against 95.82 at 1. Nothing is printed for ours above $\epsilon = 4$.",
)
def against_previous(better: Any) -> tuple[Outcome, ...]:
    def facts(row: int, to_column: Callable[[Decimal], int]) -> Iterator[bool | str]:
        for ours, baselines in ((MNIST[row], MNIST_BASELINES), (FASHION[row], FASHION_BASELINES)):
            for budget, accuracy in baselines.items():
                if own := ours.get(column := str(to_column(Decimal(budget)))):
                    yield better(own - accuracy) or f"{own} at epsilon = {column} against {accuracy} at {budget}"

    readings = [*facts(1, math.ceil), *_is_gain(better)], facts(0, math.ceil), facts(1, lambda b: min(4, math.floor(b)))
    return tuple(facts_of_tables(reading, "Table 4") for reading in readings)


PAPER.leave_out(
    "Tables 1 to 5 (the experiments themselves)",
    "deep networks on CIFAR, MNIST and its variants, MovieLens; their training is not repeated",
)
PAPER.leave_out(
    "Section 5.1 ('we consistently observe 1-2% improvements ... LP-3ST')",
    "curves of Fig. 1(a); no numbers are printed",
)
PAPER.leave_out("Section 5.2, Fig. 1", "self-supervised priors and curves: data and models are not given")
