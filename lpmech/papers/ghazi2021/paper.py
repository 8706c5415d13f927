"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, product

from lpmech import PrivacyLevel
from lpmech.claims import Paper
from lpmech.mechanisms.rr_with_prior.derivation import symbols
from lpmech.terms import functions as tm

PAPER = Paper(
    "ghazi2021",
    "Ghazi, Golowich, Kumar, Manurangsi, Zhang: Deep Learning with Label Differential Privacy (ghazi2021)",
    {
        "$t$": r"$e^\epsilon$",
        "$K$": "how many labels there are",
        "$p$, $P$": "the prior, in falling order where it matters; the mass of the labels that are kept, beside $p$ the next label's",
        "$k$, $k^*$": "how many labels RRWithPrior keeps, and the best such number",
        "$w_k$": "the hit rate with $k$ labels, which $k^*$ maximises",
        "$q$": "entries of a channel, $q_{y}$ those of its diagonal",
        "$n$, $D$, $L$": "examples, diameter of the domain and Lipschitz constant of the loss, in sections 6 and F",
        r"$\log$, $\ln$": "the paper writes both, and means the natural logarithm",
    },
)

#: t = e^epsilon, k labels of prior mass P, and the next label's probability; all labels.
T, K, MASS, NEXT = tm.symbols("t k P p")
ALL = tm.symbol("K")

#: What is derived from the equations, in these symbols.
IN_PAPER = dict(zip(symbols, (T, K, MASS, NEXT), strict=True))

#: Any number of labels and any epsilon > 0; the same with the mass of the labels that are kept.
ANY_K = (T > 1, K >= 1)
WITH_MASS = (*ANY_K, MASS >= 0, MASS <= 1)
#: Parts of one prior: the mass of the labels that are kept, and the next label's.
WITH_NEXT = (MASS > 0, NEXT > 0, MASS + NEXT <= 1)

Prior = tuple[Fraction, ...]
RATIOS = (Fraction(11, 10), Fraction(2), Fraction(3), Fraction(9, 2), Fraction(20))


def priors(sizes: tuple[int, ...], total: int) -> list[Prior]:
    """All priors in falling order with denominators dividing `total`, zero entries and ties included."""
    return [
        tuple(Fraction(v, total) for v in counts)
        for n in sizes
        for counts in combinations_with_replacement(range(total, -1, -1), n)
        if sum(counts) == total
    ]


def written(prior: Prior) -> str:
    """The prior in words."""
    return f"p = ({', '.join(map(str, prior))})"


def at_levels(of: Iterable[Prior], ratios: Iterable[Fraction] = RATIOS) -> list[tuple[Prior, PrivacyLevel, str]]:
    """Every prior at every level, with the words for both."""
    return [(p, PrivacyLevel.from_ratio(t), f"{written(p)}, t = {t}") for p, t in product(of, ratios)]


#: More than 64 labels, 52 of them alike and more probable than the others: RRWithPrior keeps these at t = 2.
MANY: Prior = (*[Fraction(1, 60)] * 52, *[Fraction(1, 135)] * 18)


def smallest_maximiser(prior: Prior, t: Fraction) -> int:
    """The first k with the largest w_k, of a prior in falling order."""
    masses = enumerate(accumulate(prior), start=1)
    return max(masses, key=lambda pair: (t * pair[1] / (t + pair[0] - 1), -pair[0]))[0]


#: Priors with denominator 6 on K <= 4 labels at five levels, zero entries and ties included; the same with every k, and some
#: priors on 5 and 6 labels. What is shown first is no trivial prior and no trivial k.
_SMALL = sorted(priors((1, 2, 3, 4), 6), key=lambda prior: prior != (Fraction(1, 2),) * 2)
FAMILY = at_levels(_SMALL)
PRIORS = "priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}"
LARGER = at_levels(priors((5, 6), 8)[::4], RATIOS[1:4])
FAMILY_K = [
    (p, k, PrivacyLevel.from_ratio(t), f"{written(p)}, k = {k}, t = {t}")
    for p in _SMALL
    for k, t in product((2, 1, 3, 4), RATIOS)
    if k <= len(p)
]
