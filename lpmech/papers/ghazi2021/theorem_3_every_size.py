"""Theorem 3 for every K as statements about vectors: sums over labels, the order of the prior, channels of any size."""

from __future__ import annotations

from typing import Any

from lpmech.claims import Parts
from lpmech.mechanisms.rr_with_prior import hit_rate
from lpmech.mechanisms.rr_with_prior.program import row_dual
from lpmech.papers.ghazi2021.duals import W
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.terms import functions as tm
from lpmech.terms.vectors import Vector

SIZE, KEPT, LABEL, OTHER, OUTPUT, I = tm.symbols("K k y z j i")
PRIOR, DIAGONAL, DUALS = (Vector(name, SIZE) for name in ("p", "d", "u"))
CHANNEL = Vector("q", SIZE, SIZE)


def _total(term: Any, last: Any = SIZE) -> Any:
    return tm.Sum(term, (I, 1, last))


def _not_negative(vector: Vector) -> Any:
    return vector.each(lambda entry: entry >= 0)


def _rate(count: Any) -> Any:
    return hit_rate(T, count, _total(PRIOR[I], count))


LABELS = (tm.Whole(SIZE, KEPT), T > 1, KEPT >= 1, KEPT <= SIZE, PRIOR.ordered(), _not_negative(PRIOR))
#: k is a maximiser, and W = w_k.
BEST = (tm.Eq(W, _rate(KEPT)), tm.Each(_rate(OUTPUT) <= W, (OUTPUT, 1, SIZE)))
PRIVATE = (
    _not_negative(CHANNEL),
    tm.Each(
        CHANNEL[LABEL, OUTPUT] <= T * CHANNEL[OTHER, OUTPUT], (LABEL, 1, SIZE), (OTHER, 1, SIZE), (OUTPUT, 1, SIZE)
    ),
    tm.Each(tm.Eq(tm.Sum(CHANNEL[LABEL, OUTPUT], (OUTPUT, 1, SIZE)), 1), (LABEL, 1, SIZE)),
)


@PAPER.claim(
    "Theorem 3 (vectors of any length)",
    r"for every $K$, every prior $p_1\ge\dots\ge p_K$ and every private $K\times K$ channel $\sum_y p_y q_{y\mid y}\le W=\max_k w_k$: the "
    "sums over labels of Theorem 3's proof, by machine",
    hypotheses="$k$ a maximiser of $w_k$; labels are numbered in falling order of their prior. $d$ is the diagonal of a channel, $u$ any "
    r"vector with $u_y \ge 0$ and $u_y \ge$ the formula, as $\max(0,\text{formula})$ is, with the sum $W$",
    formula=row_dual,
    note="Inequalities for all labels at once, sums over labels included; only that labels may be numbered in the order of their "
    "prior is not part of it. 'Theorem 3' proves the same by scalar lemmas and replays it.",
)
def every_size(dual: Any) -> Parts:
    last, following = T * PRIOR[KEPT] >= W, T * PRIOR[KEPT + 1] <= W
    ends = [*LABELS, BEST[0], last, tm.Or(tm.Eq(KEPT, SIZE), following)]
    yield ends, {"(b) the duals of all labels sum to W": tm.Eq(_total(tm.Max(0, dual(T, PRIOR[I], W))), W)}
    yield [*LABELS, *BEST], {"(a) the last kept label": last}
    yield [*LABELS, KEPT <= SIZE - 1, *BEST], {"(a) the first label that is not": following}
    of_channel = CHANNEL[LABEL, LABEL] + (_total(CHANNEL[I, I]) - CHANNEL[LABEL, LABEL]) / T <= 1
    yield (
        [tm.Whole(SIZE, LABEL), T > 1, LABEL >= 1, LABEL <= SIZE, *PRIVATE],
        {"(c) the diagonal of a private channel satisfies (4)": of_channel},
    )
    feasible = tm.Each(DUALS[LABEL] >= dual(T, PRIOR[LABEL], W), (LABEL, 1, SIZE))
    relaxed = tm.Each((1 - 1 / T) * DIAGONAL[LABEL] + _total(DIAGONAL[I]) / T <= 1, (LABEL, 1, SIZE))
    vectors = [
        tm.Whole(SIZE),
        T > 1,
        SIZE >= 1,
        *map(_not_negative, (DIAGONAL, DUALS)),
        relaxed,
        feasible,
        tm.Eq(_total(DUALS[I]), W),
    ]
    yield vectors, {"(d) weak duality": _total(PRIOR[I] * DIAGONAL[I]) <= W}
