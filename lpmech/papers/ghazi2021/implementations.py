"""Public implementations of RR, RRTop-k and RRWithPrior: what they compute, as mathematics, read in their repositories.

Each claim names the repository, the commit that was read, the file and the function. A statement refuted here is about
that code, not about the paper.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Repair
from lpmech.claims.checking import iff
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_top_k
from lpmech.papers.checks import ratio_in_words, rows_in_words
from lpmech.papers.ghazi2021.entries import is_top_k, of_entries
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY, MASS, PAPER, PRIORS, RATIOS, WITH_MASS, K, T, at_levels
from lpmech.terms import functions as tm

SIZE, SMALL, LARGE = tm.symbols("K k1 k2")
HERE, THERE, LEVEL = tm.symbols("w1 w2 r")


def _redirected(t: Any, size: Any) -> tuple[Any, Any]:
    """Kept with probability p; else one of the first n - 1 labels uniformly, the last in place of the true label."""
    kept = t / (t + size - 1)
    return kept, (1 - kept) / (size - 1)


def _weighted(t: Any, k: Any) -> tuple[Any, Any, Any]:
    """Weights 1 on the true label and e^-epsilon on the other kept ones, divided by their sum."""
    return 1 / (1 + (k - 1) / t), 1 / t / (1 + (k - 1) / t), 1 / t / (k / t)


for _name, _where, _rule, _entries, _labels in (
    (
        "google-research/label-dp, rr",
        "`compute_randomized_labels` (`label_dp/train.py`, commit e7e5abc)",
        r"$1/(e^\epsilon+K-1)$ on every other label and the rest on the true one",
        lambda t, n: (1 - 1 / (t + n - 1) * (n - 1), 1 / (t + n - 1)),
        SIZE,
    ),
    (
        "pure-LDP, DEClient",
        "`DEClient._perturb` of Samuel-Maddock/pure-LDP (`direct_encoding/de_client.py`, commit f4dbcd2)",
        r"the true label with probability $e^\epsilon/(e^\epsilon+K-1)$, else one of $K-1$ labels with the last in place of the true one",
        _redirected,
        SIZE,
    ),
    (
        "multi-freq-ldpy, GRR_Client",
        "`GRR_Client` of hharcolezi/multi-freq-ldpy (`pure_frequency_oracles/GRR.py`, commit fd04aef)",
        r"the true label with probability $e^\epsilon/(e^\epsilon+K-1)$, else another label uniformly",
        _redirected,
        SIZE,
    ),
    (
        "diffprivlib, Binary",
        r"`Binary.randomise` of IBM/differential-privacy-library (`mechanisms/binary.py`, commit 5d9c9d8), two labels, $\delta = 0$",
        r"flipped iff a uniform variable on $[0, e^\epsilon+1]$ exceeds $e^\epsilon$",
        lambda t, n: (t / (t + 1), 1 / (t + 1)),
        Fraction(2),
    ),
):
    PAPER.claim(
        f"Implementation ({_name})",
        rf"{_where}: {_rule}; this is RR, eq. (1), at level exactly $\epsilon$",
        hypotheses="exact arithmetic" + (", $K = n = 2$" if isinstance(_labels, Fraction) else ""),
        given=[T > 1] if isinstance(_labels, Fraction) else [T > 1, SIZE >= 2],
        every={"n": (2,)} if isinstance(_labels, Fraction) else "",
        formula=_entries,
        note="Decided are the probability of the true label and that of each other one.",
    )(of_entries(2, k=_labels)(partial(is_top_k, k=_labels)))


for _id, _statement, _hypotheses, _note in (
    (
        "libqif, randomized_response",
        r"`randomized_response`$(n,\epsilon,k)$ of chatziko/libqif (`mechanism/d_privacy.h`, commit 55d7dcf): rows $\propto 1$ on the own output, $e^{-\epsilon}$ on the others; for $k=n$ it is RR, for $k<n$ RRTop-k with the first $k$ labels kept",
        r"exact arithmetic, $1 \le k \le n$; a label without own output has $k$ equal weights",
        "With the labels in falling order of the prior and $k = k^*$ it is RRWithPrior.",
    ),
    (
        "google-research/label-dp, rr_with_prior, given k",
        r"`rr_with_prior` (`label_dp/train.py`, commit e7e5abc) with $k$ labels kept is RRTop-k, Alg. 1, and so $\epsilon$-DP: level $\epsilon$ for $k\ge 2$, 0 for $k=1$",
        "exact arithmetic; the prior, hence $k$, does not depend on the label; rows are renormalised after zeroing the labels left out, so that a normaliser before that cancels; the level is that of 'Lemma 1 (tight level)'",
        "",
    ),
):
    PAPER.claim(
        f"Implementation ({_id})", _statement, hypotheses=_hypotheses, given=ANY_K, formula=_weighted, note=_note
    )(of_entries(3)(is_top_k))


def _kept_by(weight: Any, prior: tuple[Fraction, ...], t: Any) -> int:
    """The k of largest weight(P_k, k, t), the smallest one if several are."""
    values = [weight(sum(prior[:k], Fraction(0)), k, t) for k in range(1, len(prior) + 1)]
    return values.index(max(values)) + 1


def google_weight(mass: Any, k: Any, t: Any) -> Any:
    """P_k / (1 + (k - 2) e^-epsilon): the code counts from zero in the sum and in the denominator, which needs k there."""
    return mass / (1 + (k - 2) / t)


GOOGLE = "Implementation (google-research/label-dp, rr_with_prior"


@PAPER.claim(
    f"{GOOGLE})",
    r"`rr_with_prior` (`label_dp/train.py`, commit e7e5abc) is RRWithPrior: it keeps $k^*=\arg\max_k w_k$ labels",
    hypotheses=r"exact arithmetic; what the code maximises is $P_k/(1 + (k - 2) e^{-\epsilon})$",
    given=WITH_MASS,
    replay=f"p = (1/2, 1/2) at t = 3/2, and {PRIORS}",
    consequence="optimality",
    headline=5,
    formula=google_weight,
    note=r"It divides by $1 + (k - 2) e^{-\epsilon}$ where $w_k$ has $1 + (k - 1) e^{-\epsilon}$: an index from zero that should be counted "
    "from one. The release stays private; it is RRTop-k with too few labels. About the released code: which "
    "version made the tables of the paper is not known.",
    repair=Repair(
        r"with the divisor $1+(k-1)e^{-\epsilon}$ what is maximised is $w_k$, so that $k^*$ labels are kept",
        formula=lambda mass, k, t: mass / (1 + (k - 1) / t),
        hypotheses=r"exact arithmetic; what is maximised is $P_k/(1 + (k - 1) e^{-\epsilon})$",
        note="What the released code does instead: '`Implementation (google-research/label-dp, rr_with_prior, what is kept)`'.",
    ),
)
def google_choice(weight: Any) -> Parts:
    for prior, level, where in [*at_levels([(Fraction(1, 2),) * 2], [Fraction(3, 2)]), *FAMILY]:
        rates, kept = hit_rates(prior, level), _kept_by(weight, prior, level.ratio)
        at = f"{where}: keeps k = {kept}, k* = {best_k(prior, level)}: hit rate of the one, of the other"
        yield Instance(at, rates[kept - 1], "==", max(rates))
    yield "the weight of k labels is w_k", (weight(MASS, K, T), hit_rate(T, K, MASS))


@PAPER.claim(
    f"{GOOGLE}, what is kept)",
    r"`rr_with_prior` keeps $k=\arg\max_k e^\epsilon P_k/(e^\epsilon+k-2)$ labels, and this is never more than $k^*$",
    hypotheses=r"every $K$ and prior; $w_1$, $w_2 = w_k$ for two numbers $k_1 < k_2$ of labels with $w_1 \ge w_2$, as for $k_1 = k^*$ and any larger $k_2$; its weight is $w_k (t + k - 1)/(t + k - 2)$, a falling factor",
    given=[tm.Whole(SMALL, LARGE), T > 1, SMALL >= 1, LARGE > SMALL, HERE > 0, HERE >= THERE, THERE > 0],
    replay=PRIORS,
    formula=google_weight,
    note="$k^*$ is the smallest maximiser of $w_k$ here; at equality of two weights the code takes the smaller $k$.",
)
def google_keeps_fewer(weight: Any) -> Parts:
    for prior, level, where in FAMILY:
        kept = _kept_by(weight, prior, level.ratio)
        yield Instance(f"{where}: labels kept, k*", kept, "<=", best_k(prior, level))
    yield "what is maximised", (weight(HERE, SMALL, T), T * HERE / (T + SMALL - 2))
    fewer, more = (weight(rate * (T + k - 1) / T, k, T) for rate, k in ((HERE, SMALL), (THERE, LARGE)))
    yield "more labels than $k^*$ never win", fewer > more


@PAPER.claim(
    f"{GOOGLE}, loss)",
    r"`rr_with_prior` loses at most the share $(K-1)/(e^\epsilon(e^\epsilon+K-2))$ of the best hit rate, and for $e^\epsilon\ge 2$ exactly that at $p_1=(e^\epsilon-1)/(e^\epsilon+K-2)$, all others $1/(e^\epsilon+K-2)$",
    hypotheses=r"every $K \ge 2$, prior and $t > 1$; $k_1 =$ labels kept $\le k_2 = k^* \le K$, $w_1$, $w_2$ their hit rates, $w_1 (t+k_1-1)/(t+k_1-2) \ge w_2 (t+k_2-1)/(t+k_2-2)$, so $w_1/w_2$ is least for $k_1 = 1$, $k_2 = K$; attained for $t \ge 2$: at the prior named all weights of the code are equal and it takes $k = 1$",
    formula=lambda t, n: (n - 1) / (t * (t + n - 2)),
    note=r"For $K = 10$ that is 31 percent at $\epsilon = 1$ and 8 percent at 2. In floating point the tie may fall otherwise; "
    "a prior $p_1$ above it by any amount decides it.",
)
def google_loss(share: Any) -> Parts:
    def factor(k: Any) -> Any:
        return (T + k - 1) / (T + k - 2)

    rates = [T > 1, SIZE >= 2, HERE > 0, THERE > 0, HERE * factor(1) >= THERE * factor(SIZE)]
    yield rates, {"w1 >= (1 - share) w2": (1 - share(T, SIZE)) * THERE <= HERE}
    ends = {"least at k1 = 1": factor(SMALL) <= factor(1), "and at k2 = K": factor(LARGE) >= factor(SIZE)}
    yield [tm.Whole(SIZE, SMALL, LARGE), T > 1, SMALL >= 1, LARGE >= SMALL, SIZE >= 2, SIZE >= LARGE], ends
    first, other = (T - 1) / (T + SIZE - 2), 1 / (T + SIZE - 2)
    attained = {
        "attained at a prior": (first + (SIZE - 1) * other, 1),
        "p_1 is the largest": first >= other,
        "all weights are equal": (google_weight(first + (K - 1) * other, K, T), T / (T + SIZE - 2)),
        "loss": (1 - first / hit_rate(T, SIZE, 1), share(T, SIZE)),
    }
    yield [tm.Whole(SIZE), T >= 2, SIZE >= 2, K >= 1, K <= SIZE], attained


@PAPER.claim(
    f"{GOOGLE}, uniform prior)",
    r"for the uniform prior and $e^\epsilon\le 2$ `rr_with_prior` keeps one label, so that it releases a constant (hit rate $1/K$, level 0) where $k^*=K$ and RR has $e^\epsilon/(e^\epsilon+K-1)$; for $e^\epsilon>2$ it keeps all",
    hypotheses=r"exact arithmetic, ties to the smaller $k$, as numpy's argmax does; the weight of $k$ labels is $(k/K) t/(t + k - 2)$: $k = 1$ is at least as good iff $(k - 1)(2 - t) \ge 0$",
    given=[tm.Whole(SIZE, SMALL), T > 1, SIZE >= 2, SMALL >= 2, SMALL <= SIZE],
    formula=lambda t: t <= 2,
)
def google_uniform(constant: Any) -> Parts:
    one, many, every = (google_weight(k / SIZE, k, T) for k in (tm.Rational(1), SMALL, SIZE))
    most = tm.And(every > one, tm.Or(tm.Eq(SMALL, SIZE), every > many))
    yield "one label is best", tm.Implies(constant(T), one >= many)
    yield "else all labels are", tm.Implies(tm.Not(constant(T)), most)


@PAPER.claim(
    "Implementation (VFLAIR, RRWithPrior)",
    r"`RRWithPrior.rrtop_k` of FLAIR-THU/VFLAIR (`src/evaluates/defenses/lpmst.py`, commit 9644157) is $\epsilon$-DP for every prior",
    hypotheses="exact arithmetic; $k_1 = k^*$ is found as in Alg. 2. A label that is not kept is uniform on all $K$ labels",
    given=[tm.Whole(SIZE, SMALL), T > 1, SMALL >= 1, SIZE >= SMALL],
    replay="K = 2, 3 labels, k* = 1, ..., K as the prior decides, t in {2, 3, 9/2, 20}",
    consequence="privacy",
    formula=lambda k, size: size,
    note="A label that is not kept is released uniformly on all $K$ labels, where Alg. 1 has the $k^*$ kept ones: a release outside "
    "$Y_k$ tells for certain that the label is not kept. The prior is the model's prediction, so $k^* < K$ is usual.",
    repair=Repair(
        r"uniform on the $k^*$ kept labels it is RRTop-$k^*$, Alg. 1, and $\epsilon$-DP for every prior",
        formula=lambda k, size: k,
        hypotheses="exact arithmetic; $k_1 = k^*$ is found as in Alg. 2. A label that is not kept is uniform on the first $k^*$ labels",
        note="When the released code is private: 'Implementation (VFLAIR, RRWithPrior, when it is private)'.",
    ),
)
def vflair_private(spread: Any) -> Parts:
    for size, k, t in ((n, k, t) for n in (2, 3) for k in range(1, n + 1) for t in RATIOS[1:]):
        level, width = PrivacyLevel.from_ratio(t), int(spread(k, size))
        if not 1 <= width <= size:
            yield f"K = {size}, k* = {k}: uniform on {width} labels"
            continue
        left_out = [Fraction(1, width)] * width + [Fraction(0)] * (size - width)
        rows = [*rr_top_k([Fraction(1, size)] * size, k, level).matrix.tolist()[:k], *[left_out] * (size - k)]
        shown = f"rows ({rows_in_words(rows)}), {ratio_in_words(Channel(rows).ratio)}"
        yield Channel(rows).satisfies(level) or f"K = {size}, k* = {k}, t = {t}: {shown}"
    (high, low), width = _redirected(T, SMALL), spread(SMALL, SIZE)
    yield "a kept row releases no other label", tm.Or(tm.Eq(SMALL, SIZE), width <= SMALL)
    yield "high and uniform", tm.And(high <= T / width, 1 / width <= T * high)
    yield "high and low", tm.Implies(SMALL >= 2, tm.And(low > 0, high <= T * low))
    yield "low and uniform", tm.Implies(SMALL >= 2, tm.And(low <= 1 / width, 1 / width <= T * low))


@PAPER.claim(
    "Implementation (VFLAIR, RRWithPrior, when it is private)",
    r"the released code is $\epsilon$-DP iff $k^*=K$, and then it is RR; for $k^*<K$ no finite level holds",
    hypotheses=r"$k_1 = k^*$, $r$ any ratio; for $k^* = 1$ there is no other kept label. A label outside $Y_k$ has probability 0 in rows of kept labels and $1/K$ in the others, which exist iff $k < K$",
    given=[tm.Whole(SIZE, SMALL), T > 1, SMALL >= 1, SIZE >= SMALL, LEVEL >= 1],
    formula=lambda k, size: tm.Eq(k, size),
    mutants={"always": lambda k, size: tm.TRUE},
    note="Its hit rate $w_{k^*} + (1 - P_{k^*}) / K$ exceeds the optimum $w_{k^*}$ of LP1 whenever $k^* < K$ and $P_{k^*} < 1$: no private mechanism has it.",
)
def vflair_when_private(condition: Any) -> Parts:
    yield [T > 1, SIZE >= 2], is_top_k(*_redirected(T, SIZE), k=SIZE)
    private = tm.Or(tm.Eq(SMALL, SIZE), 1 / SIZE <= LEVEL * 0)
    yield from iff(condition(SMALL, SIZE), private, "private", "claimed").items()
