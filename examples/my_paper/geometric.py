"""Section 2: the truncated geometric mechanism on 0..K-1, with a = 1/s and t = s^(K-1), so that the ends are epsilon apart.

The substitution t = s^(K-1) removes the root: a^i and a^(K-1-i) are letters X and Y in the identities.
"""

from fractions import Fraction

from lpmech import PrivacyLevel
from lpmech.claims.checking import check_family, check_identities, check_implications, replayed
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.programs import optimal_channel
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute

from .mechanisms import truncated_geometric
from .paper import PAPER

a, X, Y = tm.symbols("a X Y")

_INSIDE = [a > 0, a < 1, X > 0, X <= 1, Y > 0, Y <= 1]
_ROOTS = [Fraction(root) for root in ("3/2", "2", "3")]
_CASES = [(size, root) for size in range(2, 8) for root in _ROOTS]


@PAPER.claim(
    "Lemma 2.1",
    "the rows sum to one: $(1-a)/(1+a) a^{|i-j|}$ inside and $a^{|i-j|}/(1+a)$ at both ends",
    hypotheses="$0 < a < 1$, $0 < i < K - 1$; $X = a^i$ and $Y = a^{K-1-i}$. In the rows of the ends one of the ends is the label itself: $X = 1$ or $Y = 1$",
    formula=(1 - a) / (1 + a),
    mutants={"1/(1+a)": 1 / (1 + a), "(1-a)/2": (1 - a) / 2, "(1-a)/(1-a^2)": (1 - a) / (1 - a**2)},
    note="The two geometric sums are proved by their steps: $G(n+1) - G(n) = a^n$ with $G(n) = (1-a^n)/(1-a)$, $G(0) = 0$.",
)
def rows_sum_to_one(inner):
    def partial(power):
        """1 + a + ... + a^(n-1), where power = a^n."""
        return (1 - power) / (1 - a)

    outer = (X + Y) / (1 + a)
    down_to_label, after_label = partial(X), a * partial(Y / a)  # a^(i-1) + ... + 1 and a + ... + a^(K-2-i)
    identities = {
        "empty sum": (partial(1), 0),
        "step": (partial(a * X) - partial(X), X),
        "row sum": (outer + inner * (down_to_label + after_label), 1),
    }
    proof = check_identities(
        identities, "both geometric sums and the row sum, for every a, i and K", hypotheses=_INSIDE
    )

    def failure(case):
        size, root = case
        found = truncated_geometric(size, root).matrix[1, 1] if size > 2 else None
        expected = steps.value(inner, {a: 1 / root})
        return None if found is None or found == expected else f"K = {size}, a = {1 / root}: {found} against {expected}"

    return replayed(proof, check_family(_CASES, failure, "the channels for K <= 7, three a"))


@PAPER.claim(
    "Lemma 2.2",
    r"two labels at distance $d$ are released with a ratio of at most $t^{d/(K-1)}$, attained; so the level is exactly $\epsilon$",
    hypotheses=r"labels $i$, $k$ and output $j \in 0,\dots,K-1$. All rows have the same factor in column $j$, so the ratio is $s^e$ with $s > 1$ and the exponent $e = |k-j| - |i-j|$; the formula bounds $e$",
    formula=lambda distance: distance,
    mutants={
        "d - 1": lambda distance: distance - 1,
        "d + 1": lambda distance: distance + 1,
        "d / 2": lambda distance: distance / 2,
    },
)
def level_by_distance(bound):
    i, k, j, size = tm.symbols("i k j K")

    def distance(x, y):
        return tm.Max(x - y, y - x)

    inside = [
        tm.Whole(i, k, j, size),
        size >= 2,
        *(relation for x in (i, k, j) for relation in (x >= 0, x <= size - 1)),
    ]
    conclusions = {
        "at most": distance(k, j) - distance(i, j) <= bound(distance(i, k)),
        "attained at j = i": tm.Eq(distance(k, i), bound(distance(i, k))),
    }
    proof = check_implications(inside, conclusions, "the exponent of s, all labels and K")

    def failure(case):
        size, root = case
        found = truncated_geometric(size, root).witness.ratio
        expected = root ** int(bound(size - 1)) if bound(size - 1) == int(bound(size - 1)) else None
        return None if found == expected else f"K = {size}, s = {root}: ratio {found}, not s^{bound(size - 1)}"

    return replayed(proof, check_family(_CASES, failure, "the channels for K <= 7, three s"))


@PAPER.claim(
    "Conjecture 2.3",
    r"the truncated geometric mechanism has the least expected $|i-j|$ of all $\epsilon$-private mechanisms, uniform prior",
    hypotheses=r"$t = s^{K-1}$, $s > 1$, $K \ge 2$",
    recorded="refuted",
    formula=truncated_geometric,
    mutants={
        "with more noise, s replaced by (s+1)/2": lambda size, root: truncated_geometric(size, 1 + (root - 1) / 2),
        "randomised response": lambda size, root: randomized_response(size, _level(size, root)),
    },
    note=r"It is optimal among mechanisms that are private by distance; $\epsilon$-privacy of all pairs allows more. With two labels it is randomised response.",
)
def least_distance(mechanism):
    def failure(case):
        size, root = case
        utility, level = absolute(size), _level(size, root)
        program = optimal_channel(utility, level, [Fraction(1, size)] * size)
        ours, least = -mechanism(size, root).expected_utility(utility), -program.solve("exact").value
        return None if ours == least else f"K = {size}, t = {level.ratio}: {ours}, the least is {least}"

    cases = [(size, root) for size in range(2, 6) for root in _ROOTS]
    return check_family(cases, failure, "against the exact optimum of the program, K <= 5, three s")


def _level(size, root):
    return PrivacyLevel.from_ratio(root ** (size - 1))
