"""Closed forms of the library by name, for formulas that people write: ``variance(oue) <= variance(rr)``.

Each is what a function of the library makes of the letters K, t = e^epsilon and d, so that there is one definition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lpmech.mechanisms.bipartite_rr.closed_form import high_probability, low_probability
from lpmech.mechanisms.block_rr.closed_form import beta, gamma
from lpmech.mechanisms.hadamard_response import hadamard_variance
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rate
from lpmech.mechanisms.set_valued import total_variance
from lpmech.mechanisms.subset_selection import subset_odds, subset_variance
from lpmech.terms import Name
from lpmech.terms.functions import sqrt

__all__ = ["FORMULAS", "Formula"]

K, d, m, t = map(Name, ("K", "d", "m", "t"))
k, p = Name("k"), Name("p")
#: Sizes of BlockRR: of the candidates of a label, S~1, S~2 and Delta.
_SIZES = b, s1, s2, l = Name("b"), Name("s1"), Name("s2"), Name("l")


class Formula(NamedTuple):
    """A closed form.

    Attributes
    ----------
    about : str
        Of what.
    source : str
        Where it is from.
    value : term
        In K, t, and d where subsets have d labels; m outputs of high probability; of k labels that are released the
        share p; b, s1, s2, l as in `lpmech.mechanisms.block_rr`.
    """

    about: str
    source: str
    value: Any


_HIT = "Pr[released label = true label], uniform prior"
_VARIANCE = "total variance of the estimated shares, times n"
_LEVEL = "largest ratio of two entries of a column: e^(the level that it has), at the parameter t"
_MCSHERRY = "McSherry, Talwar (2007)"
_OWN = "the entries t/(t+K-1), 1/(t+K-1) and sums of powers"
_WANG = "Wang, Blocki, Li, Jha (2017)"
_BRR, _BLOCK = "zhang2025 (6)", "liu2026 (3.2)"
_BLOCKS = "; |B(y)| = b, |S~1| = s1, |S~2| = s2, |Delta| = l"
_SUBSET = "Wang et al. (2016), Ye and Barg (2018)"


def _hits(p: Any, chosen: Any) -> Any:
    """A guess in a set of some labels, which holds the true one with odds p / (1 - p)."""
    return p / (1 + p) / chosen


def _of_rr(every: Any, own: Any) -> Any:
    """Expected utility of randomised response, uniform prior: sums of u over all pairs of labels, and the diagonal."""
    return (every + (t - 1) * own) / (K * (t + K - 1))


FORMULAS: dict[str, Formula] = {
    "hit_rate(rr)": Formula(_HIT, "Warner (1965), Kairouz et al. (2014)", _hits(subset_odds(K, 1, t)[0], 1)),
    "hit_rate(subset)": Formula(f"{_HIT}; a guess in the set of d", _SUBSET, _hits(subset_odds(K, d, t)[0], d)),
    "hit_rate(exponential)": Formula(f"{_HIT}; utility hit", _MCSHERRY, _hits(sqrt(t) / (K - 1), 1)),
    "hit_rate(rr_top)": Formula(
        "Pr[released label = true label]; k labels of the share p are released", "ghazi2021 Alg. 2", hit_rate(t, k, p)
    ),
    "hit_rate(brr)": Formula(
        "Pr[released label = true label]; m outputs of high probability, that among them",
        _BRR,
        high_probability(t, K, m),
    ),
    "high(brr)": Formula("p*, probability of each of the m best outputs of K", _BRR, high_probability(t, K, m)),
    "low(brr)": Formula("q*, probability of each of the other K - m outputs", _BRR, low_probability(t, K, m)),
    "hit_rate(block)": Formula(
        f"Pr[released label = true label]; majority of the share p{_BLOCKS}",
        _BLOCK,
        t * (p * beta(t, *_SIZES) + (1 - p) * gamma(t, *_SIZES)),
    ),
    "high(block)": Formula(f"t beta, a majority label's candidates{_BLOCKS}", _BLOCK, t * beta(t, *_SIZES)),
    "low(block)": Formula(f"beta, the others of S~1{_BLOCKS}", _BLOCK, beta(t, *_SIZES)),
    "absolute(rr)": Formula(
        "expected distance |released - true| of labels 1..K, uniform prior", _OWN, _of_rr(K * (K**2 - 1) / 3, 0)
    ),
    "squared(rr)": Formula(
        "expected squared distance of labels 1..K, uniform prior", _OWN, _of_rr(K**2 * (K**2 - 1) / 6, 0)
    ),
    "near(rr)": Formula("Pr[|released - true| <= 1], labels 1..K, uniform prior", _OWN, _of_rr(3 * K - 2, K)),
    "level(rr)": Formula(_LEVEL, "Warner (1965)", t),
    "level(rr_top)": Formula(f"{_LEVEL}; k > 1 labels are released", "ghazi2021 Alg. 1", t),
    "level(brr)": Formula(f"{_LEVEL}; the m best are not the same for all", _BRR, t),
    "level(block)": Formula(f"{_LEVEL}; S~1 is more than one label's candidates", _BLOCK, t),
    "level(subset)": Formula(_LEVEL, _SUBSET, t),
    "level(exponential)": Formula(f"{_LEVEL}; utility hit", _MCSHERRY, sqrt(t)),
    "level(oue)": Formula(_LEVEL, _WANG, 1 * t),
    "level(rappor)": Formula(_LEVEL, "zhao2025 (12), (13)", sqrt(t) ** 2),
    "level(hadamard)": Formula(_LEVEL, "Acharya, Sun, Zhang (2019)", t),
    "variance(rr)": Formula(_VARIANCE, _WANG, subset_variance(K, 1, t)),
    "variance(subset)": Formula(f"{_VARIANCE}; sets of d labels", _SUBSET, subset_variance(K, d, t)),
    "variance(oue)": Formula(f"{_VARIANCE}; optimal unary encoding", _WANG, total_variance((1, t), K)),
    "variance(rappor)": Formula(
        f"{_VARIANCE}; symmetric unary encoding", "zhao2025 (12), (13)", total_variance((sqrt(t), sqrt(t)), K)
    ),
    "variance(hadamard)": Formula(_VARIANCE, "Acharya, Sun, Zhang (2019)", hadamard_variance(K, t)),
}
