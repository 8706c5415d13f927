"""Section 4.3: cost of the transformation, and sigmoid against softmax."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import numpy as np

from lpmech.claims import Parts
from lpmech.claims.checking import check_parts, check_relations
from lpmech.entries import Array
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.zhao2025.paper import PAPER, K, P, Q, S
from lpmech.papers.zhao2025.theorem_2 import tilted
from lpmech.prove import steps
from lpmech.randomness import RandomSource
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, refuted, supported


class _CountingSource(RandomSource):
    """A source that counts the numbers it hands out."""

    drawn = 0

    def below(self, bound: int, count: int) -> Array:
        self.drawn += count
        return super().below(bound, count)


@PAPER.claim(
    "Section 4.3 (O(NK))",
    "'our method only introduces $O(NK)$ additional time complexity for label transformation'",
    hypotheses="random numbers drawn for $N = 1$, 10, 1000 labels and $K = 2$, 20, 200 classes",
    recorded="supported",
    formula=lambda n, size: n * (size + 1),
)
def cost(number: Any) -> Outcome:
    for n, size in product((1, 10, 1000), (2, 20, 200)):
        source = _CountingSource(bytes(32))
        symmetric_unary_encoding(size, 1.0).exact(1.0).sample(np.zeros(n, dtype=int), source)
        if source.drawn != number(n, size):
            found = f"N = {n}, K = {size}: {source.drawn} numbers drawn"
            return refuted("operation count", found, f"{found}, not {number(n, size)}")
    return supported("operation count", "N(K + 1) draws for all nine sizes; wall time not measured")


PAPER.claim(
    "Section 4.3 (sum of Z)",
    r"$E\sum_j Z(j)=\sum_j\tilde{\eta}_j=(K-1+s)/(1+s)$, which is 1 iff $K=2$",
    given=[S > 1, K > 1],
    formula=lambda s, k: (k - 1 + s) / (1 + s),
)(lambda mean: {"mean": (P + (K - 1) * Q, mean(S, K)), "1 iff K = 2": tm.Equivalent(tm.Eq(K, 2), tm.Eq(mean(S, K), 1))})


ETA, OTHER, A, C, SUM, SCORE = tm.symbols("eta_j eta_l a c b f")


#: Where the scores of two classes are compared.
TWO_CLASSES = [S > 1, K >= 2, OTHER >= 0, ETA > OTHER, ETA + OTHER <= 1]


@PAPER.claim(
    "Section 4.3 (softmax)",
    r"'a sigmoid activation at the last layer can not be replaced by softmax, since the randomized vector $\mathbf{Z}$ does not sum to 1'",
    hypotheses=r"the second reading is ours; $K \ge 3$, as $\tilde{\eta}$ does sum to 1 at $K = 2$; $\eta_j > \eta_l$. The sum of $\tilde{\eta}$ is above 1; that the score of $l$ is at least that of $j$ at the optimum of a softmax is the second reading ('Section 4.3 (softmax) [repaired]')",
    consequence="wording",
    readings={
        r"a softmax cannot approximate $\tilde{\eta}$, which does not sum to 1 either": "proved",
        r"with a softmax the scores do not keep the order of $\eta$": "refuted",
    },
    formula=(operator.gt, operator.ge),
    mutants={"the sum is 1": (tm.Eq, operator.ge), "they keep it": (operator.gt, operator.lt)},
    note=r"The text goes on that the output of the sigmoid 'can approximate' $\tilde{\eta}$. The optimum of a softmax is $\tilde{\eta}$ up to a factor, with the same argmax: the method works with it, too.",
)
def softmax_read(relations: Any) -> tuple[Outcome, ...]:
    of_sum, of_scores = relations
    total = {"sum of the mean of Z": of_sum(P + (K - 1) * Q, 1)}
    return check_relations(total, [S > 1, K >= 3]), check_parts(softmax(of_scores), [*TWO_CLASSES, K >= 3])


@PAPER.claim(
    "Section 4.3 (softmax) [repaired]",
    r"softmax with cross entropy has its optimum at $\tilde{\eta}(1+s)/(K-1+s)$, with the argmax of $\eta$",
    hypotheses=r"cross entropy $-\sum_j Z(j) \ln f_j$ over scores that sum to 1 has the mean $-\sum_j \tilde{\eta}_j \ln f_j$, which is least at "
    r"$f = \tilde{\eta} / \sum \tilde{\eta}$: any two scores of sum $b > 0$ minimise $-a \ln f - c \ln(b - f)$, $a$, $c > 0$, convex with its minimum at $f = b a/(a + c)$; there the score of $l$ is below that of $j$ where $\eta_l < \eta_j$",
    kind="ours",
    given=TWO_CLASSES,
    formula=operator.lt,
    mutants={"equal scores": tm.Eq},
)
def softmax(relation: Any) -> Parts:
    loss = -A * tm.log(SCORE) - C * tm.log(SUM - SCORE)
    slope, curvature = steps.diff(loss, SCORE).at({SCORE: SUM * A / (A + C)}), steps.diff(loss, SCORE, 2)
    two_scores = {"stationary at the minimum": (slope, 0), "convex": curvature > 0}
    yield [A > 0, C > 0, SCORE > 0, SUM > SCORE], two_scores
    low, high = (tilted(S, eta) * (1 + S) / (K - 1 + S) for eta in (OTHER, ETA))
    yield "the scores of l and j", relation(low, high)
    yield "no other order", tm.Not(tm.Or(relation(high, low), relation(low, low)))
