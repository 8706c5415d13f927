"""Public implementations of RR, RRTop-k and RRWithPrior: what they compute, as mathematics, read in their repositories.

Each claim names the repository, the commit that was read, the file and the function. A statement refuted here is about
that code, not about the paper.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rates
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed, unless_refuted
from lpmech.papers.claims import Relations
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY, MASS, PAPER, RATIOS, WITH_MASS, K, T, written
from lpmech.verdicts import Outcome

S = 1 / T  # e^-epsilon
SIZE, SMALL, LARGE = sp.symbols("n k1 k2", integer=True)
TOP, BEST, HERE, THERE = sp.symbols("p V w1 w2")

# -- randomized response -------------------------------------------------------------------------------


def _google_rr(t: Any, size: Any) -> tuple[Any, Any]:
    """A rate for every other label, the rest on the true one."""
    rate = 1 / (t + size - 1)
    return 1 - rate * (size - 1), rate


def _redirected(t: Any, size: Any) -> tuple[Any, Any]:
    """Kept with probability p; else one of the first n - 1 labels uniformly, the last in place of the true label."""
    kept = t / (t + size - 1)
    return kept, (1 - kept) / (size - 1)


def _weighted(t: Any, size: Any) -> tuple[Any, Any]:
    """Weights 1 on the true label and e^-epsilon on the others, divided by their sum."""
    return 1 / (1 + (size - 1) / t), 1 / t / (1 + (size - 1) / t)


RR_SOURCES = {
    "google-research/label-dp, rr": (
        "compute_randomized_labels (label_dp/train.py, commit e7e5abc)",
        "1/(e^\\epsilon+K-1) on every other label and the rest on the true one",
        _google_rr,
        {"rate 1/(t + n)": lambda t, n: (1 - (n - 1) / (t + n), 1 / (t + n))},
    ),
    "pure-LDP, DEClient": (
        "DEClient._perturb of Samuel-Maddock/pure-LDP (direct_encoding/de_client.py, commit f4dbcd2)",
        "the true label with probability e^\\epsilon/(e^\\epsilon+K-1), else one of K-1 labels with the last in place of the true one",
        _redirected,
        {"no redirection": lambda t, n: (t / (t + n - 1) + (1 - t / (t + n - 1)) / n, (1 - t / (t + n - 1)) / n)},
    ),
    "multi-freq-ldpy, GRR_Client": (
        "GRR_Client of hharcolezi/multi-freq-ldpy (pure_frequency_oracles/GRR.py, commit fd04aef)",
        "the true label with probability e^\\epsilon/(e^\\epsilon+K-1), else another label uniformly",
        _redirected,
        {"else any label": lambda t, n: (t / (t + n - 1) + (1 - t / (t + n - 1)) / n, (1 - t / (t + n - 1)) / n)},
    ),
    "diffprivlib, Binary": (
        "Binary.randomise of IBM/differential-privacy-library (mechanisms/binary.py, commit 5d9c9d8), two labels, delta = 0",
        "flipped iff a uniform variable on [0, e^\\epsilon+1] exceeds e^\\epsilon",
        lambda t, n: (t / (t + 1), 1 / (t + 1)),
        {"flipped iff it exceeds 1": lambda t, n: (1 / (t + 1), t / (t + 1))},
    ),
}


def _register_rr(name: str, source: str, rule: str, entries: Any, mutants: dict[str, Any]) -> None:
    two_labels = name.startswith("diffprivlib")

    @PAPER.claim(
        f"Implementation ({name})",
        rf"{source}: {rule}; this is RR, eq. (1), at level exactly \epsilon",
        hypotheses="exact arithmetic, t > 1, " + ("K = 2" if two_labels else "K >= 2"),
        formula=entries,
        mutants=mutants,
        note="Formula: probability of the true label and of each other one.",
    )
    def check(formula: Any) -> Outcome:
        size = sp.Integer(2) if two_labels else K
        high, low = formula(T, size)
        return check_identities(
            {"true label": (high, T / (T + size - 1)), "other label": (low, 1 / (T + size - 1))},
            "both entries of eq. (1)",
            hypotheses=[T > 1, K >= 2],
        )


for _name, _source in RR_SOURCES.items():
    _register_rr(_name, *_source)


# -- RRTop-k -------------------------------------------------------------------------------------------


@PAPER.claim(
    "Implementation (libqif, randomized_response)",
    r"randomized_response(n, \epsilon, k) of chatziko/libqif (mechanism/d_privacy.h, commit 55d7dcf): rows \propto 1 on the own output, e^{-\epsilon} on the others; for k=n it is RR, for k<n RRTop-k with the first k labels kept",
    hypotheses="exact arithmetic, 1 <= k <= n; a label without own output has k equal weights",
    given=ANY_K,
    evidence="all three entries of Alg. 1",
    formula=(_weighted, lambda t, k: (1 / t) / (k / t)),
    mutants={
        "weight e^-2 epsilon": (lambda t, k: _weighted(t * t, k), lambda t, k: 1 / k),
        "normaliser of the other rows": (_weighted, lambda t, k: (1 / t) / (1 + (k - 1) / t)),
    },
    note="With the labels in falling order of the prior and k = k* it is RRWithPrior.",
)
def libqif_randomized_response(rows: Any) -> Relations:
    inside, outside = rows
    high, low = inside(T, K)
    return {
        "kept, true": (high, T / (T + K - 1)),
        "kept, other": (low, 1 / (T + K - 1)),
        "not kept": (outside(T, K), 1 / K),
    }


def _google_rows(t: Any, k: Any) -> tuple[Any, Any, Any]:
    """(true label kept, other kept label, kept label for a label not kept): renormalised after zeroing the labels left out."""
    high, low = 1 / (1 + (k - 1) / t), (1 / t) / (1 + (k - 1) / t)
    inside, outside = high + (k - 1) * low, k * low
    return high / inside, low / inside, low / outside


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior, given k)",
    r"rr_with_prior (label_dp/train.py, commit e7e5abc) with k labels kept is RRTop-k, Alg. 1, and so \epsilon-DP: level \epsilon for k\ge 2, 0 for k=1",
    hypotheses="exact arithmetic; the prior, hence k, does not depend on the label",
    formula=_google_rows,
    mutants={
        "not renormalised": lambda t, k: (
            1 / (1 + (k - 1) / t),
            (1 / t) / (1 + (k - 1) / t),
            (1 / t) / (1 + (k - 1) / t),
        ),
        "denominator with k": lambda t, k: (1 / (1 + k / t), (1 / t) / (1 + k / t), 1 / k),
    },
)
def google_rows(rows: Any) -> Outcome:
    high, low, uniform = rows(T, K)
    entries = check_identities(
        {"kept, true": (high, T / (T + K - 1)), "kept, other": (low, 1 / (T + K - 1)), "not kept": (uniform, 1 / K)},
        "all three entries of Alg. 1",
        hypotheses=ANY_K,
    )
    private = check_implications(
        ANY_K,
        {"order": sp.And(low > 0, low <= uniform, uniform <= high), "high = t low": sp.Eq(high, T * low)},
        "a column holds only these, and high = t low",
    )
    return both(entries, private)


# -- the choice of k -----------------------------------------------------------------------------------


def _kept_by(weight: Any, prior: tuple[Fraction, ...], t: Fraction) -> int:
    """The k of largest weight(P_k, k, t), the smallest one if several are."""
    values = [weight(sum(prior[:k], Fraction(0)), k, t) for k in range(1, len(prior) + 1)]
    return values.index(max(values)) + 1


def paper_weight(mass: Any, k: Any, t: Any) -> Any:
    """w_k = t P_k / (t + k - 1), Alg. 2 line 4."""
    return t * mass / (t + k - 1)


def google_weight(mass: Any, k: Any, t: Any) -> Any:
    """P_k / (1 + (k - 2) e^-epsilon): the code counts from zero in the sum and in the denominator, which needs k there."""
    return mass / (1 + (k - 2) / t)


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior)",
    r"rr_with_prior (label_dp/train.py, commit e7e5abc) is RRWithPrior: it keeps k^*=\arg\max_k w_k labels",
    hypotheses="exact arithmetic; p = (1/2, 1/2) at t = 3/2, and priors with denominator 6 on K <= 4 labels at five t; the formula is what is maximised",
    consequence="optimality",
    headline=9,
    recorded="refuted",
    formula=google_weight,
    control=lambda mass, k, t: mass / (1 + (k - 1) / t),
    mutants={"denominator with k": lambda mass, k, t: mass / (1 + k / t), "no denominator": lambda mass, k, t: mass},
    note="It divides by 1 + (k - 2) e^-eps where w_k has 1 + (k - 1) e^-eps: an index from zero that should be counted from one. "
    "The release stays private; it is RRTop-k with too few labels, see the claims that follow. About the released code: which "
    "version made the tables of the paper is not known.",
)
def google_choice(weight: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        rates, kept = hit_rates(prior, level), _kept_by(weight, prior, t)
        if rates[kept - 1] == max(rates):
            return None
        return (
            f"{written(prior)}, t = {t}: keeps {kept} labels, hit rate {rates[kept - 1]}; "
            f"k* = {best_k(prior, level)}, hit rate {max(rates)}"
        )

    half = Fraction(1, 2)
    return check_family([((half, half), Fraction(3, 2)), *FAMILY], failure, "all such priors and levels")


def _w_k_weight(mass: Any, k: Any, t: Any) -> Any:
    """P_k / (1 + (k - 1) e^-epsilon)."""
    return mass / (1 + (k - 1) / t)


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior) [repaired]",
    r"with the divisor 1+(k-1)e^{-\epsilon} what is maximised is w_k, so that k^* labels are kept",
    hypotheses="mass P of k labels in [0, 1]; replayed on priors with denominator 6 on K <= 4 labels at five t",
    formula=_w_k_weight,
    mutants={"as released": google_weight, "divisor 1 + k/t": lambda mass, k, t: mass / (1 + k / t)},
    note="What the released code does instead: 'Implementation (google-research/label-dp, rr_with_prior, what is kept)'.",
    repairs="Implementation (google-research/label-dp, rr_with_prior)",
)
def google_repaired(weight: Any) -> Outcome:
    equal = check_identities(
        {"weight": (weight(MASS, K, T), paper_weight(MASS, K, T))},
        "the weight of k labels is w_k",
        hypotheses=WITH_MASS,
    )
    return replayed(equal, google_choice(weight))


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior, what is kept)",
    r"rr_with_prior keeps k=\arg\max_k e^\epsilon P_k/(e^\epsilon+k-2) labels, and this is never more than k^*",
    hypotheses="every K, prior and t > 1; w1, w2 = w_k for two numbers k1 < k2 of labels with w1 >= w2, as for k1 = k* and any larger k2",
    formula=google_weight,
    mutants={
        "denominator with k": lambda mass, k, t: mass / (1 + k / t),
        "no denominator": lambda mass, k, t: mass,
    },
    note="k* is the smallest maximiser of w_k here; at equality of two weights the code takes the smaller k.",
)
def google_keeps_fewer(weight: Any) -> Outcome:
    """Its weight is w_k (t + k - 1) / (t + k - 2), a falling factor, so a k above k* has a smaller weight than k*."""
    proof = check_implications(
        [T > 1, SMALL >= 1, LARGE > SMALL, HERE > 0, HERE >= THERE, THERE > 0],
        {
            "weight": weight(HERE * (T + SMALL - 1) / T, SMALL, T) > weight(THERE * (T + LARGE - 1) / T, LARGE, T),
        },
        "more labels than k* never win",
    )

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        kept, best = _kept_by(weight, prior, t), best_k(prior, PrivacyLevel.from_ratio(t))
        return None if kept <= best else f"{written(prior)}, t = {t}: keeps {kept}, k* = {best}"

    return replayed(proof, check_family(FAMILY, failure, "small priors"))


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior, loss)",
    r"rr_with_prior loses at most the share (K-1)/(e^\epsilon(e^\epsilon+K-2)) of the best hit rate, and for e^\epsilon\ge 2 exactly that at p_1=(e^\epsilon-1)/(e^\epsilon+K-2), all others 1/(e^\epsilon+K-2)",
    hypotheses="every K >= 2, prior and t > 1; k1 = labels kept <= k2 = k* <= K, w1, w2 their hit rates; attained for t >= 2: at the prior named all weights of the code are equal and it takes k = 1",
    formula=lambda t, n: (n - 1) / (t * (t + n - 2)),
    mutants={
        "1/(t (t + K - 2))": lambda t, n: 1 / (t * (t + n - 2)),
        "(K - 1)/(t + K - 1)^2": lambda t, n: (n - 1) / (t + n - 1) ** 2,
    },
    note="For K = 10 that is 31 percent at epsilon = 1 and 8 percent at 2. In floating point the tie may fall otherwise; "
    "a prior p_1 above it by any amount decides it.",
)
def google_loss(share: Any) -> Outcome:
    """It keeps k1 because w1 (t+k1-1)/(t+k1-2) >= w2 (t+k2-1)/(t+k2-2); w1 / w2 is least for k1 = 1, k2 = K."""

    def factor(k: Any) -> Any:
        return (T + k - 1) / (T + k - 2)

    sizes = [T > 1, SMALL >= 1, LARGE >= SMALL, SIZE >= 2, SIZE >= LARGE]
    ends = check_implications(
        sizes, {"k1 = 1": factor(SMALL) <= factor(1), "k2 = K": factor(LARGE) >= factor(SIZE)}, "the extreme factors"
    )
    bound = check_implications(
        [T > 1, SIZE >= 2, HERE > 0, THERE > 0, HERE * factor(1) >= THERE * factor(SIZE)],
        {"w1 >= (1 - share) w2": (1 - share(T, SIZE)) * THERE <= HERE},
        "every prior, K and t",
    )
    if bound.counterexample:
        return bound
    first, other = (T - 1) / (T + SIZE - 2), 1 / (T + SIZE - 2)
    mass = first + (K - 1) * other  # of k labels
    attained = check_identities(
        {
            "a prior": (first + (SIZE - 1) * other, 1),
            "all weights equal": (google_weight(mass, K, T), T / (T + SIZE - 2)),
            "loss": (1 - first / paper_weight(1, SIZE, T), share(T, SIZE)),
        },
        "attained where all its weights are equal",
        hypotheses=[T >= 2, SIZE >= 2, K >= 1, K <= SIZE],
    )
    ordered = check_implications(
        [T >= 2, SIZE >= 2], {"p_1 is the largest": first >= other}, "which is a prior in falling order"
    )
    return both(both(both(ends, bound), attained), ordered)


@PAPER.claim(
    "Implementation (google-research/label-dp, rr_with_prior, uniform prior)",
    r"for the uniform prior and e^\epsilon\le 2 rr_with_prior keeps one label, so that it releases a constant (hit rate 1/K, level 0) where k^*=K and RR has e^\epsilon/(e^\epsilon+K-1); for e^\epsilon>2 it keeps all",
    hypotheses="exact arithmetic, K >= 2, ties to the smaller k, as numpy's argmax does",
    given=[T > 1, SIZE >= 2, SMALL >= 2, SMALL <= SIZE],
    evidence="every K",
    formula=lambda t: t <= 2,
    mutants={"never": lambda t: sp.false, "for t <= 3": lambda t: t <= 3},
)
def google_uniform(constant: Any) -> Relations:
    """Its weight of k labels is (k/K) t / (t + k - 2): k = 1 is at least as good as k iff (k - 1)(2 - t) >= 0."""
    one, many = google_weight(1 / SIZE, 1, T), google_weight(SMALL / SIZE, SMALL, T)
    every = google_weight(sp.Integer(1), SIZE, T)
    claimed = constant(T)
    return {
        "one label is best": sp.Implies(claimed, one >= many),
        "else all labels are": sp.Implies(
            sp.Not(claimed), sp.And(every > one, sp.Or(sp.Eq(SMALL, SIZE), every > many))
        ),
    }


# -- labels that are not kept --------------------------------------------------------------------------


def _vflair_rows(t: Any, k: Any, size: Any) -> tuple[Any, Any, Any, Any]:
    """(kept, true; kept, other; not kept, on a kept label; not kept, on another): uniform on all K labels."""
    high = t / (t + k - 1)
    return high, (1 - high) / (k - 1), 1 / size, 1 / size


@PAPER.claim(
    "Implementation (VFLAIR, RRWithPrior)",
    r"RRWithPrior.rrtop_k of FLAIR-THU/VFLAIR (src/evaluates/defenses/lpmst.py, commit 9644157) is \epsilon-DP for every prior",
    hypotheses="exact arithmetic, K = 2, 3 labels, k* = 1, ..., K as the prior decides, t in {11/10, 2, 3, 9/2, 20}; k* is found as in Alg. 2",
    consequence="privacy",
    headline=8,
    recorded="refuted",
    formula=lambda k, size: size,
    control=lambda k, size: k,
    mutants={
        "one label too many": lambda k, size: min(k + 1, size),
        "K only for k* = 1": lambda k, size: size if k == 1 else k,
    },
    note="A label that is not kept is released uniformly on all K labels, where Alg. 1 has the k* kept ones: a release outside Y_k "
    "tells for certain that the label is not kept. Formula: on how many labels it is uniform. The prior is the model's prediction, so k* < K is usual.",
)
def vflair_private(spread: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        size, k, t = case
        high = t / (t + k - 1)
        kept = [
            [high if j == y else (1 - high) / (k - 1) if j < k else Fraction(0) for j in range(size)] for y in range(k)
        ]
        width = spread(k, size)
        rest = [[Fraction(1, width) if j < width else Fraction(0) for j in range(size)] for _ in range(k, size)]
        channel = Channel(kept + rest)
        if channel.satisfies(PrivacyLevel.from_ratio(t)):
            return None
        return f"K = {size}, k* = {k}, t = {t}: rows {[[str(v) for v in row] for row in kept + rest]}, ratio {channel.ratio}"

    family = [(n, k, t) for n in (2, 3) for k in range(1, n + 1) for t in RATIOS[1:]]
    return check_family(family, failure, "K = 2, 3")


@PAPER.claim(
    "Implementation (VFLAIR, RRWithPrior) [repaired]",
    r"uniform on the k^* kept labels it is RRTop-k^*, Alg. 1, and \epsilon-DP for every prior",
    hypotheses="K >= k* >= 1, t > 1; replayed on K = 2, 3 labels, k* = 1, ..., K, t in {11/10, 2, 3, 9/2, 20}",
    formula=lambda k, size: k,
    mutants={"on all K labels": lambda k, size: size, "one label too many": lambda k, size: sp.Min(k + 1, size)},
    note="When the released code is private: 'Implementation (VFLAIR, RRWithPrior, when it is private)'.",
    repairs="Implementation (VFLAIR, RRWithPrior)",
)
def vflair_mended(spread: Any) -> Outcome:
    """Uniform on the first `spread` labels; a label that is not kept has probability zero in every kept row."""
    high, low, _, _ = _vflair_rows(T, SMALL, SIZE)
    width = spread(SMALL, SIZE)
    proof = check_implications(
        [T > 1, SMALL >= 1, SIZE >= SMALL],
        {
            "released labels are kept ones": sp.Or(sp.Eq(SMALL, SIZE), width <= SMALL),
            "high and uniform": sp.And(high <= T / width, 1 / width <= T * high),
            "high and low": sp.Implies(SMALL >= 2, sp.And(low > 0, high <= T * low)),
            "low and uniform": sp.Implies(SMALL >= 2, sp.And(low <= 1 / width, 1 / width <= T * low)),
        },
        "every pair of entries of a column",
    )
    return unless_refuted(vflair_private(spread), lambda: proof)


@PAPER.claim(
    "Implementation (VFLAIR, RRWithPrior, when it is private)",
    r"the released code is \epsilon-DP iff k^*=K, and then it is RR; for k^*<K no finite level holds",
    hypotheses="K >= k* >= 1; for k* = 1 there is no other kept label",
    formula=lambda k, size: sp.Eq(k, size),
    mutants={
        "iff k* >= K - 1": lambda k, size: k >= size - 1,
        "always": lambda k, size: sp.true,
        "never": lambda k, size: sp.false,
    },
    note="Its hit rate w_k* + (1 - P_k*) / K exceeds the optimum w_k* of LP1 whenever k* < K and P_k* < 1: no private mechanism has it.",
)
def vflair_repaired(condition: Any) -> Outcome:
    """A label outside Y_k has probability 0 in rows of kept labels and 1/K in the others, which exist iff k < K."""
    high, low, _, outside = _vflair_rows(T, K, SIZE)
    rr = check_identities(
        {"true": (high, T / (T + K - 1)), "other": (low, 1 / (T + K - 1))},
        "kept rows are those of RR on Y_k",
        hypotheses=[T > 1, K >= 2],
    )
    level = sp.Symbol("r")
    claimed = condition(SMALL, SIZE)
    private = sp.Or(sp.Eq(SMALL, SIZE), outside <= level * 0)  # entries outside Y_k: 1/K against zero
    iff = check_implications(
        [T > 1, SMALL >= 1, SIZE >= SMALL, level >= 1],
        {"claimed => private": sp.Implies(claimed, private), "private => claimed": sp.Implies(private, claimed)},
        "and no level r bounds 1/K by 0 r",
    )
    return both(rr, iff)
