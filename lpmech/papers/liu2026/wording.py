"""Statements that are about the text itself: notation, cross-references, names of regimes, the baseline."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.papers.liu2026.equation_3_1 import majority_row, majority_sum, minority_row, minority_sum
from lpmech.papers.liu2026.paper import PAPER, S1, S2, WITH_MINORITY, L, T
from lpmech.papers.liu2026.tables import FIRST, METHODS, SECOND
from lpmech.papers.liu2026.tables_3_to_11 import deviation, mean_accuracy
from lpmech.prove.arithmetic import Computed


@PAPER.claim(
    "Section 3.1 (normalisation)",
    r"$\mathbb{E}_{\tilde{y}}[\Pr(\tilde{Y}=\tilde{y}\mid Y=y)]=1$ for every $y$",
    hypotheses=r"BlockRR with $B = I$, $\tilde{S} = S$; expectation over the released label",
    given=WITH_MINORITY,
    formula=lambda value: value**2,
    note="As an expectation it is a sum of squares, below one unless a row is deterministic. (3.1), which is derived from it, uses the sum over the outputs, which is meant.",
    consequence="slip",
    repair=Repair(
        r"$\sum_{\tilde{y}}\Pr(\tilde{Y}=\tilde{y}\mid Y=y)=1$ for every $y$",
        hypotheses=r"BlockRR with $B = I$, $\tilde{S} = S$",
        formula=lambda value: value,
    ),
)
def normalisation(weigh: Any) -> Relations:
    majority, minority = (map(weigh, row(T, 1, S1, S2, L)) for row in (majority_row, minority_row))
    return {"majority row": (majority_sum(*majority, b=1), 1), "minority row": (minority_sum(*minority, b=1), 1)}


#: Largest epsilon that the text calls the high-privacy (or strict) regime, by section.
_LATER = {"section 5.2, CIFAR-10_1", "section 5.2, CIFAR-10_2", "section 6"}
HIGH_PRIVACY = {"section 1 (3)": "3.0", **dict.fromkeys(sorted(_LATER), "1.0")}


@PAPER.claim(
    "Sections 1, 5.2, 6 (high-privacy regime)",
    r"the 'high-privacy regime' is the same range of $\epsilon$ throughout",
    hypotheses=r"the largest $\epsilon$ named with it; the abstract says 'high-privacy and moderate-privacy regimes' for $\epsilon \le 3.0$",
    every="sections of the text",
    formula=set(HIGH_PRIVACY),
    consequence="wording",
    repair=Repair(
        r"sections 5.2 and 6 agree on $\epsilon\le 1.0$; section 1 (3) includes the moderate budgets 2.0 and 3.0",
        formula=_LATER,
        mutants={"section 1 too": set(HIGH_PRIVACY)},
    ),
)
def one_regime(sections: set[str]) -> Parts:
    last = max(sections)
    yield len(sections) > 1 or f"{last} agrees with itself"
    for section, largest in HIGH_PRIVACY.items():
        where = f"{section} and {last}: largest epsilon of the regime"
        relation = "==" if section in sections else "!="
        yield section == last or Instance(where, Computed(largest), relation, Computed(HIGH_PRIVACY[last]))


#: Budgets in the captions, and the budgets that section 5.3.2 sends to a figure.
CAPTIONS = {"Figure 2": ("0.6", "0.8", "1.0"), "Figure 3": ("2.0", "3.0", "4.0")}
SENT_TO = {("0.6", "0.8", "1.0"): "Figure 3", ("2.0", "3.0", "4.0"): "Figure 3"}


@PAPER.claim(
    "Section 5.3.2 (figure references)",
    r"'strict privacy regime (Figure 3, $\epsilon\le 1.0$)' and 'moderate privacy budget regime (Figure 3, $\epsilon\ge 2.0$)' point to the figures with these budgets",
    hypotheses="captions of Figures 2 and 3",
    every="references",
    formula=SENT_TO,
    note="A slip in a cross-reference.",
    consequence="slip",
    repair=Repair(
        r"the strict regime is Figure 2, the moderate one Figure 3",
        formula={**SENT_TO, ("0.6", "0.8", "1.0"): "Figure 2"},
        mutants={"as printed": SENT_TO},
    ),
)
def figure_references(sent_to: dict[tuple[str, ...], str]) -> Parts:
    for budgets in SENT_TO:
        figure = sent_to.get(budgets, "")
        where = f"epsilon = {', '.join(budgets)}: sent to {figure}, whose budgets are"
        yield Instance(where, CAPTIONS.get(figure, ()), "==", budgets)


@PAPER.claim(
    "Section 5.1.2 (epsilon = infinity)",
    r"at $\epsilon=\infty$, 'training on original labels', two columns of Tables 3 and 5 differ by 0.62 points on either data set: more than the sum of both deviations, by at most 0.13",
    hypotheses="Tables 3 and 5, largest gap of two methods",
    every="both data sets",
    kind="ours",
    formula=("0.62", "0.13"),
    note="RR, trained on all data, is the lowest of the three on both data sets; RRWithPrior and "
    "Ours have 99% of it. Ours need not have original labels: see 'Implementation (BlockRR, epsilon = infinity)'.",
)
def baseline(claimed: tuple[str, str]) -> Parts:
    gap, excess = map(Decimal, claimed)
    found = []
    for d in (FIRST, SECOND):
        gaps = {
            pair: abs(mean_accuracy(d, "inf", pair[0]) - mean_accuracy(d, "inf", pair[1]))
            for pair in combinations(METHODS, 2)
        }
        pair, largest = max(gaps.items(), key=lambda item: item[1])
        deviations = sum(deviation(d, "inf", method) for method in pair)
        where = f"{d}, epsilon = infinity, {' and '.join(pair)}, deviations of {deviations} together: differ by"
        yield Instance(where, largest, "==", gap) if gap > deviations else f"{where} {largest}"
        found.append(largest - deviations)
    yield Instance("largest of gap less deviations", max(found), "==", excess)
