"""Section 1: subset selection releases m of the K labels; which m is best?

With c = C(K-1, m-1) subsets that hold a given label there are C(K-1, m) = c (K-m)/m that do not, and
C(K-2, m-2) = c (m-1)/(K-1) that hold a given pair. So every probability is a rational function of t, K and m.
"""

from fractions import Fraction

from lpmech.claims.checking import both, check_family, check_identities, check_implications, replayed, unless_refuted
from lpmech.prove import steps
from lpmech.terms import functions as tm

from .mechanisms import subset_selection
from .paper import PAPER, K, t

m, j = tm.symbols("m j")

_INSIDE = [tm.Whole(K, m), t > 1, m >= 1, m <= K - 1]
_RATIOS = [Fraction(ratio) for ratio in ("5/4", "17/10", "2", "7/2")]
_SIZES = [(size, chosen) for size in range(2, 7) for chosen in range(1, size)]


def probabilities(ratio, size, chosen):
    """Pr[the true label is released] and Pr[another given label is released], by counting subsets."""
    with_label, with_pair = 1, (chosen - 1) / (size - 1)  # in units of C(K-1, m-1)
    without = (size - chosen) / chosen
    total = with_label * ratio + without
    return with_label * ratio / total, (with_pair * ratio + (with_label - with_pair)) / total


def variance(ratio, size, chosen):
    """Sum over the labels of the variance of the unbiased frequency estimate from one release, uniform prior."""
    own, other = probabilities(ratio, size, chosen)
    share = chosen / size
    return size * share * (1 - share) / (own - other) ** 2


def _replay(stated, seen, what):
    """Whether what is seen on the channels agrees with the formula."""

    def failure(case):
        (size, chosen), ratio = case
        found = seen(subset_selection(size, chosen, ratio), size, chosen)
        expected = steps.value(stated, {t: ratio, K: size, m: chosen})
        where = f"K = {size}, m = {chosen}, t = {ratio}"
        return None if found == expected else f"{where}: {what} {found} against {expected}"

    cases = [(sizes, ratio) for sizes in _SIZES for ratio in _RATIOS]
    return check_family(cases, failure, "the channels for K <= 6, all m, four t")


def _released(channel, label):
    return sum(entry for entry, subset in zip(channel.matrix[0], channel.outputs, strict=True) if label in subset)


@PAPER.claim(
    "Lemma 1.1",
    "subset selection releases the true label with probability $mt/(mt+K-m)$",
    hypotheses=r"$t > 1$, $1 \le m \le K - 1$",
    formula=m * t / (m * t + K - m),
    mutants={"K for K - m": m * t / (m * t + K), "without m": t / (t + K - m), "m / K": m / K},
)
def true_label(stated):
    proof = check_identities(
        {"true label": (probabilities(t, K, m)[0], stated)}, "counting the subsets, all K, m and t", hypotheses=_INSIDE
    )
    return replayed(proof, _replay(stated, lambda channel, *_: _released(channel, 0), "Pr"))


@PAPER.claim(
    "Lemma 1.2",
    "another given label is released with probability $m((m-1)t+K-m)/((K-1)(mt+K-m))$",
    hypotheses=r"$t > 1$, $1 \le m \le K - 1$",
    formula=m * ((m - 1) * t + K - m) / ((K - 1) * (m * t + K - m)),
    mutants={
        "m for m - 1": m * (m * t + K - m) / ((K - 1) * (m * t + K - m)),
        "K for K - 1": m * ((m - 1) * t + K - m) / (K * (m * t + K - m)),
    },
)
def other_label(stated):
    proof = check_identities(
        {"another label": (probabilities(t, K, m)[1], stated)}, "counting the subsets, all K, m, t", hypotheses=_INSIDE
    )
    return replayed(proof, _replay(stated, lambda channel, *_: _released(channel, 1), "Pr"))


@PAPER.claim(
    "Lemma 1.3",
    r"the level of subset selection is exactly $\epsilon$",
    hypotheses=r"$t > 1$, $1 \le m \le K - 1$",
    formula=t,
    mutants={"t^2": t**2, "m t": m * t, "t - 1": t - 1},
    note=r"Every row has the same sum $C(K-1,m-1) t + C(K-1,m)$, and every subset has members and others, as $1 \le m \le K - 1$.",
)
def level(stated):
    with_label, without = tm.symbols("c d")  # how many subsets hold the true label, and how many do not
    total = with_label * t + without
    proof = check_identities(
        {"member against other": ((t / total) / (1 / total), stated)},
        "the only ratio besides 1 and 1/t",
        hypotheses=[t > 1, with_label > 0, without > 0],
    )
    return replayed(proof, _replay(stated, lambda channel, *_: channel.witness.ratio, "the ratio"))


@PAPER.claim(
    "Lemma 1.4",
    r"$V(m)-V(j)$ has the sign of $(m-j)(m j t^2-(K-m)(K-j))$, so that $V(m)\le V(j)$ for every $j>m$ iff $m(m+1)t^2\ge(K-m)(K-m-1)$",
    hypotheses=r"$t > 1$, $1 \le m < j \le K - 1$; $V(m)$ is the sum of the variances of the frequency estimates",
    formula=lambda a, b: a * b * t**2 - (K - a) * (K - b),
    mutants={
        "t for t^2": lambda a, b: a * b * t - (K - a) * (K - b),
        "K for K - j": lambda a, b: a * b * t**2 - K * (K - a),
        "the other sign": lambda a, b: (K - a) * (K - b) - a * b * t**2,
    },
    note=r"With the mirrored inequality for $j < m$: the best $m$ is the least with $m(m+1)t^2 \ge (K-m)(K-m-1)$, near $K/(t+1)$.",
    repairs="Lemma 1.5",
)
def best_m(sign):
    ratio = (K - 1) ** 2 * (m - j) * sign(m, j) / (m * j * (K - m) * (K - j) * (t - 1) ** 2)
    identity = check_identities(
        {"difference": (variance(t, K, m) - variance(t, K, j), ratio)},
        "the difference, with a positive factor",
        hypotheses=[*_INSIDE, j >= 1, j <= K - 1],
    )

    def further():
        return check_implications(
            [tm.Whole(K, m, j), t > 1, m >= 1, j >= m + 1, j + 1 <= K, sign(m, m + 1) >= 0],
            {"every further j": sign(m, j) >= 0},
            "what holds for j = m + 1 holds for every j > m",
        )

    return unless_refuted(identity, lambda: replayed(both(identity, further()), _best_by_search(least_with_sign(sign))))


def least_with_sign(sign):
    """The rule: the least m at which the sign is right; at K - 1 the right one is."""

    def rule(ratio, size):
        at = {t: ratio, K: size}
        return next((n for n in range(1, size) if steps.value(sign(n, n + 1), at) >= 0), None)

    return rule


def _best_by_search(rule):
    def failure(case):
        size, ratio = case
        values = {n: variance(ratio, Fraction(size), Fraction(n)) for n in range(1, size)}
        best, chosen = min(values, key=values.get), rule(ratio, size)
        if chosen in values and values[chosen] == values[best]:
            return None
        other = f"V({chosen}) = {values[chosen]}" if chosen in values else f"m = {chosen} is no size"
        return f"K = {size}, t = {ratio}: V({best}) = {values[best]}, {other}"

    cases = [(size, ratio) for size in range(2, 11) for ratio in _RATIOS]
    return check_family(cases, failure, "all m for K <= 10, four t")


@PAPER.claim(
    "Lemma 1.5",
    "the best $m$ is $K/(t+1)$, rounded to the nearest of 1, ..., $K-1$",
    hypotheses=r"$t > 1$, $K \ge 2$",
    recorded="refuted",
    formula=lambda ratio, size: min(max(round(size / (ratio + 1)), 1), size - 1),
    control=least_with_sign(lambda a, b: a * b * t**2 - (K - a) * (K - b)),
    survivors={
        "1 -> 0 in range(1, size)": "the same: at $m=0$ the sign is negative",
        "range(1, size) -> range(1 - 1, size)": "the same: at $m=0$ the sign is negative",
        "size -> size + 1 in range(1, size)": "the same: at $m=K-1$ the sign is positive",
        "range(1, size) -> range(1, size + 1)": "the same: at $m=K-1$ the sign is positive",
    },
    mutants={
        "rounded up": lambda ratio, size: min(-int(-size // (ratio + 1)), size - 1),
        "always 1": lambda ratio, size: 1,
    },
    note=r"For $K = 4$ it fails for $5/3 < t < \sqrt{3}$ only: rounding gives 1 above $5/3$, and $V(1) \le V(2)$ holds from $\sqrt{3}$ on.",
)
def rounded_m(rule):
    return _best_by_search(rule)


@PAPER.claim(
    "Lemma 1.6",
    r"among the sizes $m$, randomised response ($m=1$) is best iff $2t^2\ge(K-1)(K-2)$",
    hypotheses=r"$t > 1$, $K \ge 3$",
    given=[tm.Whole(K, m), t > 1, K >= 3, m >= 2, m <= K - 1],
    evidence="against every m, and against m = 2",
    formula=2 * t**2 >= (K - 1) * (K - 2),
    mutants={
        "iff t >= K - 2": t >= K - 2,
        "iff 2 t^2 > (K-1)(K-2)": 2 * t**2 > (K - 1) * (K - 2),
        "iff 2 t^2 >= (K-1)^2": 2 * t**2 >= (K - 1) ** 2,
    },
)
def randomised_response_is_best(condition):
    def no_better(other):
        return other * t**2 >= (K - 1) * (K - other)  # V(other) >= V(1), by Lemma 1.4

    return {
        "if": tm.Implies(condition, no_better(m)),
        "only if": tm.Implies(no_better(2), condition),
    }
