"""What BlockRR is: a coin, tossed without a look at the label, between RR and RR on the majority labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.claims import Instance, Parts, each
from lpmech.claims.checking import iff
from lpmech.mechanisms.block_rr.mixture import mixture_weight, moved_entries, rr_on_majority
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.liu2026.instances import HALF, Setting, instances, positive
from lpmech.papers.liu2026.paper import PAPER, S1, S2, WITH_MINORITY, L, T
from lpmech.papers.liu2026.section_4 import closed_form_entries
from lpmech.prove import steps
from lpmech.terms import functions as tm

FIVE_LABELS = tuple(Fraction(v, 10) for v in (3, 3, 2, 1, 1))


def _with_minority() -> list[Setting]:
    five = [Setting(FIVE_LABELS, HALF, Fraction(3), l) for l in range(4)]
    return [case for case in (*instances(positive(4)), *five) if case.minority]


@PAPER.claim(
    "Section 3.1 (BlockRR is a mixture)",
    r"for $l\ge 1$ BlockRR is, with probability $a=l(e^\epsilon-1)(e^\epsilon-1+|\mathcal{S}_1|)/(K\kappa)$, RR on $\mathcal{S}_1$ after a minority label has been replaced by one drawn uniformly from $\Delta$, and "
    "with probability $1-a$ RR on all $K$ labels",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $K = s_1 + s_2$, $l$ real; the coin does not see the label. The functions replayed on positive priors with "
    r"denominator 4 on $K = 2$, 3 labels, $d \in \{1/2, 1/4\}$, $t \in \{2, 5\}$, and $(3, 3, 2, 1, 1)/10$, $d = 1/2$, $t = 3$; every $l \ge 1$",
    given=[*WITH_MINORITY, L > 0],
    replay="channels of the functions",
    kind="ours",
    formula=(mixture_weight, moved_entries),
    mutants={"the minority uniform on S1": (mixture_weight, lambda t, s1, l: (1 / s1, 1 / s1))},
    note=r"Both parts are $\epsilon$-label DP and the coin is independent of the label, which proves Theorem 3.4 for $B(y) = \{y\}$ in one line. "
    "At $l = |S_1|$ the second part is RRTop-k.",
)
def is_a_mixture(case: Any) -> Parts:
    weight, entries = case
    for case in filter(lambda case: case.l, _with_minority()):
        share, closed = weight(case.t, *case.sizes), case.closed.matrix
        rr = randomized_response(len(case.prior), case.level)
        moved = rr_on_majority(case.prior, case.majority, case.level, case.l)
        mixed = (1 - share) * rr.matrix + share * moved.matrix
        yield Instance(f"{case}: mixture, BlockRR", mixed.tolist(), "==", closed.tolist())
    a, (on_delta, on_rest) = weight(T, S1, S2, L), entries(T, S1, L)
    low, in_first = 1 / (T + S1 + S2 - 1), 1 / (T + S1 - 1)
    of_rr = (T * low, low, low, low, low, T * low, low)
    of_moved = (T * in_first, in_first, 0, on_delta, on_rest, 0, 0)
    closed_form = closed_form_entries(T, S1, S2, L)
    mixed_entries = {k: (1 - a) * x + a * y for k, x, y in zip(closed_form, of_rr, of_moved, strict=True)}
    for kind in each("entry", closed_form):
        yield kind, (closed_form[kind], mixed_entries[kind])
    yield "0 < a < 1", tm.And(a > 0, a < 1)
    yield "minority row", (L * on_delta + (S1 - L) * on_rest, 1)


@PAPER.claim(
    "Section 5.3.1 (RR and RRWithPrior, when a mixture)",
    r"'blending properties of both RR and RRWithPrior': with minority labels BlockRR is a mixture of RR and RRTop-k on $\mathcal{S}_1$ iff $l=0$ or $l=|\mathcal{S}_1|$",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$, $l$ real; RRTop-k releases a minority label's answer uniformly on $S_1$. Function replayed on the same priors",
    given=WITH_MINORITY,
    replay="channels of the functions",
    kind="ours",
    formula=lambda l, s1: tm.Or(tm.Eq(l, 0), tm.Eq(l, s1)),
    mutants={"also for l = |S1| - 1": lambda l, s1: tm.Or(tm.Eq(l, 0), tm.Eq(l, s1), tm.Eq(l, s1 - 1))},
    note=r"In between, a minority label is answered from $\Delta$: 'Section 3.1 (BlockRR is a mixture)'. The column of $S_2$ fixes the weight of the mixture; in the minority rows "
    "the rest of $S_1$ has then too little for a uniform answer.",
)
def mixture_with_rr_with_prior(claimed: Any) -> Parts:
    for case in _with_minority():
        s1, size, share = len(case.majority), len(case.prior), mixture_weight(case.t, *case.sizes)
        top = rr_top_k(case.prior, s1, case.level).restrict(range(size))
        kept = np.zeros((size, size), dtype=object)
        kept[:, np.array(top.outputs, dtype=int)] = top.matrix
        mixed = (1 - share) * randomized_response(size, case.level).matrix + share * kept
        relation = "==" if steps.holds(claimed(case.l, s1)) else "!="
        yield Instance(f"{case}: mixture, BlockRR", mixed.tolist(), relation, case.closed.matrix.tolist())
    a, low, block = mixture_weight(T, S1, S2, L), 1 / (T + S1 + S2 - 1), closed_form_entries(T, S1, S2, L)
    yield "the weight is fixed by the columns of S2", (block["majority S2"], (1 - a) * low)
    off = {kind: (1 - a) * low + a / S1 - block[kind] for kind in ("minority Delta", "minority S1")}
    on_delta = tm.Or(tm.Eq(L, 0), tm.Eq(off["minority Delta"], 0))
    on_rest = tm.Or(tm.Eq(L, S1), tm.Eq(off["minority S1"], 0))
    yield from iff(claimed(L, S1), tm.And(on_delta, on_rest), "mixture").items()
