"""Alg. 1 and 2: which tie rules are private, and the budget epsilon = 0 that section 2 admits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_top_k
from lpmech.papers.checking import both, check_family, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.ghazi2021.paper import PAPER, K, T, priors, written
from lpmech.verdicts import Outcome

#: From (label, prior): the order in which labels of equal prior are taken.
TieRule = Callable[[int, tuple[Fraction, ...]], list[int]]


def _in_favour_of_the_label(label: int, prior: tuple[Fraction, ...]) -> list[int]:
    return [label, *(y for y in range(len(prior)) if y != label)]


def _by_index(label: int, prior: tuple[Fraction, ...]) -> list[int]:
    return list(range(len(prior)))


def _backwards(label: int, prior: tuple[Fraction, ...]) -> list[int]:
    return list(reversed(range(len(prior))))


def _released(prior: tuple[Fraction, ...], k: int, t: Fraction, rule: TieRule) -> Channel:
    """RRTop-k with a tie rule for every label: the function on the labels in the order of the rule."""
    size = len(prior)
    rows = []
    for label in range(size):
        order = rule(label, prior)
        matrix = rr_top_k([prior[y] for y in order], k, PrivacyLevel.from_ratio(t)).matrix
        rows.append([matrix[order.index(label), order.index(j)] for j in range(size)])
    return Channel(rows)


@PAPER.claim(
    "Alg. 1 (ties, privacy)",
    r"'with ties broken arbitrarily' RRTop-k is \epsilon-DP: also if which of the equally probable labels is kept depends on the label y",
    hypotheses="priors in falling order with denominator 6 on K <= 3 labels, every k, t in {2, 3}. The formula: the order in which equally probable labels are taken",
    consequence="privacy",
    recorded="refuted",
    formula=_in_favour_of_the_label,
    control=_by_index,
    mutants={
        "against the label": lambda label, prior: list(reversed(_in_favour_of_the_label(label, prior))),
        "by parity of the label": lambda label, prior: (
            _by_index(label, prior) if label % 2 else _backwards(label, prior)
        ),
    },
    note="With p = (1/2, 1/2), k = 1 and the tie broken for y the mechanism releases y itself. Lemma 1's proof has one set Y_k for all labels; 'arbitrarily' must mean a rule that does not see the label. The hit rate does not depend on the rule otherwise: 'Alg. 1 (ties)'.",
    repair=Repair(
        r"broken by any rule that does not see the label (of the prior, or of coins of its own) RRTop-k is \epsilon-DP",
        hypotheses="t > 1, any K and k; entries of one column for two labels: t q or q in rows of Y_k, 1/k outside, q = 1/(t + k - 1), and 0 in both if the column's label is not kept; a mean of private channels over coins is private. Replayed on the same priors",
        formula=_backwards,
        mutants={"in favour of the label": _in_favour_of_the_label},
    ),
)
def private_ties(rule: TieRule) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        channel = _released(prior, k, t, rule)
        if channel.satisfies(PrivacyLevel.from_ratio(t)):
            return None
        return f"{written(prior)}, k = {k}, t = {t}: ratio {channel.ratio}, rows {[[str(v) for v in r] for r in channel.matrix.tolist()]}"

    family = [(p, k, t) for p in priors((1, 2, 3), 6) for k in range(1, len(p) + 1) for t in (Fraction(2), Fraction(3))]
    a, b, c, d, share = sp.symbols("a b c d w")
    low = 1 / (T + K - 1)
    entries = {"t q": T * low, "q": low, "1/k": 1 / K}
    one_set = check_implications(
        [T > 1, K >= 1],
        {f"{x} <= t {y}": entries[x] <= T * entries[y] for x, y in product(entries, repeat=2)},
        "one set Y_k for all labels",
    )
    mixture = check_implications(
        [T > 1, share >= 0, share <= 1, a <= T * b, c <= T * d],
        {"mean over coins": share * a + (1 - share) * c <= T * (share * b + (1 - share) * d)},
        "coins that do not see the label",
    )
    return replayed(both(one_set, mixture), check_family(family, failure, "priors with ties"))


@PAPER.claim(
    "Alg. 2 (epsilon = 0)",
    r"at \epsilon=0, which section 2 admits, k^*=1 maximises w_k=P_k/k: RRWithPrior releases the most probable label, is 0-DP, and is optimal",
    hypotheses="any prior in falling order: P_{k+1} = P_k + p_{k+1}, p_{k+1} <= P_k / k; induction over k. Replayed on priors with denominator 6 on K <= 4 labels",
    formula=hit_rate,
    mutants={
        "2 k - 1 in place of k - 1": lambda t, k, mass: t * mass / (t + 2 * k - 1),
        "k in place of k - 1": lambda t, k, mass: t * mass / (t + k),
    },
    note="Theorem 3 at epsilon = 0 is 'Theorem 3 (epsilon = 0)'. Alg. 5 to 7 and Theorem 17 ask for epsilon > 0: (7) and (17) divide by e^epsilon - 1.",
)
def zero_budget(rate: Any) -> Outcome:
    mass, following = sp.symbols("P p")
    proof = check_implications(
        [K >= 1, mass >= 0, mass <= 1, following >= 0, K * following <= mass],
        {
            "w_{k+1} <= w_k": rate(1, K + 1, mass + following) <= rate(1, K, mass),
            "w_k = P_k / k": sp.Eq(rate(1, K, mass), mass / K),
            "the next label is at most the mean of P_{k+1}": (K + 1) * following <= mass + following,
        },
        "induction over k",
    )

    def failure(prior: tuple[Fraction, ...]) -> str | None:
        rates = [rate(Fraction(1), k, sum(prior[:k])) for k in range(1, len(prior) + 1)]
        best = max(rates)
        return None if rates[0] == best == prior[0] else f"{written(prior)}: w_k = {', '.join(map(str, rates))}"

    return replayed(proof, check_family(priors((1, 2, 3, 4), 6), failure, "small priors at t = 1"))
