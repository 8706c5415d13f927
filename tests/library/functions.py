"""The utilities that users call, entry by entry against their definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb
from scipy.sparse.csgraph import shortest_path

from library.paper import PAPER
from lpmech import utilities as u
from lpmech.claims import Parts
from lpmech.errors import UtilityError
from lpmech.papers.across.agreement import agrees, refused
from lpmech.papers.checks import ball

_VALUES = tuple(map(Fraction, ("-3/2", "0", "1/3", "2", "7")))
_PRIORS = tuple(tuple(map(Fraction, p)) for p in (("1/2", "1/3", "1/6"), ("0", "1/4", "3/4"), ("1/5",) * 5))
_DECAYS = tuple(map(Fraction, ("0", "1/2", "9/10")))
_POINTS = ((0, 0), (3, 4), (-5, 12), (1, 1))
_PLACES = ((0, 0), (0, 90), (45, 0), (-30, 60), (90, 0))
_TINY = Fraction(1, 10**9)


@PAPER.claim(
    "Utilities of values (the functions)",
    r"hit is $[i=j]$, absolute $-|x_i-x_j|$, squared $-(x_i-x_j)^2$, concentration $[|x_i-x_j|\le r]$, `bin_loss` $-\mathrm{loss}(x_i,b_j)$",
    family="the values -3/2, 0, 1/3, 2, 7, r = 2, 1, 0, the distance of a pair; the loss (x - b)^2 + x, bins in reverse order; every pair, exactly",
    formula=(u.hit, u.absolute, u.squared, u.concentration, u.bin_loss),
    survivors={"part 4: 0 -> -1 in as_array([radius], 'radius', 1, UtilityError)[0]": "the array has one entry"},
)
def of_values(functions: Any) -> Parts:
    hit, absolute, squared, concentration, bin_loss = functions
    x, bins = _VALUES, _VALUES[::-1]
    yield agrees("hit", hit(x), [[v == w for w in x] for v in x])
    yield agrees("absolute", absolute(x), [[-abs(v - w) for w in x] for v in x])
    yield agrees("squared", squared(x), [[-((v - w) ** 2) for w in x] for v in x])
    for r in (2, 1, 0):
        yield agrees(f"concentration, r = {r}", concentration(x, r), [[abs(v - w) <= r for w in x] for v in x])
    yield from refused(UtilityError, concentration, (x, -_TINY))
    made = bin_loss(x, bins, lambda v, b: (v - b) ** 2 + v)
    yield agrees("bin_loss", made, [[-((v - b) ** 2) - v for b in bins] for v in x])


@PAPER.claim(
    "Utilities of a prior (the functions)",
    r"`balanced_hit` is $[i=j]/(Kp_i)$, `weight_matrix_from_decay` $p_j d^{[i\ne j]}$, `weights_per_label` that divided by $p_i$; `decay_of`$(\sigma)$ is $e^{-1/\sigma}$",
    hypotheses="a label of probability 0 does not count",
    family="three priors, one with a zero; d = 0, 1/2, 9/10, exactly; sigma = 1/1000, 1/2, 1, 7: the decay and weight_matrix within 1e-15 in balls",
    formula=(u.balanced_hit, u.weight_matrix_from_decay, u.weights_per_label, u.decay_of, u.weight_matrix),
    survivors={
        **{f"part 1: 0 * p -> {v} in 1 / (present * p) if p > 0 else 0 * p": "p is 0 there" for v in ("0", "p")},
        **{f"part 1: 0 -> {n} in 0 * p": "p is 0 there" for n in (1, -1)},
        "part 1: 0 * w -> 0 in w if y == j else 0 * w": "the same number",
        "part 2: 0 -> -1 in as_array([decay], 'decay', 1, UtilityError)[0]": "the array has one entry",
    },
)
def of_priors(functions: Any) -> Parts:
    balanced, weights, per_label, decay_of, weight_matrix = functions
    for p, d in product(_PRIORS, _DECAYS):
        labels, where = range(len(p)), f"prior ({', '.join(map(str, p))}), d = {d}"
        hits = [[(i == j) / (sum(v > 0 for v in p) * p[i]) if p[i] else 0 for j in labels] for i in labels]
        right = [[p[j] * (1 if i == j else d) for j in labels] for i in labels]
        yield agrees(f"balanced_hit, {where}", balanced(p), hits)
        yield agrees(f"weight_matrix_from_decay, {where}", weights(p, d), right)
        quotients = [[w / v if v else 0 for w in row] for v, row in zip(p, right, strict=True)]
        yield agrees(f"weights_per_label, {where}", per_label(p, d), quotients)
    for p, sigma in product(_PRIORS, map(Fraction, ("1/1000", "1/2", "1", "7"))):
        decay, first = (-1 / ball(sigma)).exp(), weight_matrix([float(v) for v in p], float(sigma))[0]
        right = [decay, ball(p[0]), *(ball(v) * decay for v in p[1:])]
        yield agrees(f"sigma = {sigma}", [decay_of(float(sigma)), *first], right, 1e-15)
    yield from refused(UtilityError, weights, (_PRIORS[0], -_TINY), (_PRIORS[0], 1))
    yield from refused(UtilityError, decay_of, (1e17,))


@PAPER.claim(
    "Distances between points (the functions)",
    r"euclidean is minus the distance, `great_circle` minus the radius times the angle $\arccos\langle a,b\rangle$",
    family="pairs of four points with whole distances or their roots, and of five places, among them the pole; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=(u.euclidean, u.great_circle),
    mutants={
        "latitude and longitude exchanged": (u.euclidean, lambda x, r: u.great_circle([(b, a) for a, b in x], r)),
    },
    survivors=(
        "the scale by which points are divided against overflow cancels; which place is refused, and the argument that the "
        "error names, is no entry"
    ),
)
def of_points(functions: Any) -> Parts:
    straight = [[-arb((a - c) ** 2 + (b - d) ** 2).sqrt() for c, d in _POINTS] for a, b in _POINTS]
    yield agrees("euclidean", functions[0](_POINTS), straight, 1e-12)
    yield agrees(
        "great_circle", functions[1](_PLACES, 2.0), [[-2 * _angle(a, b) for b in _PLACES] for a in _PLACES], 1e-12
    )


def _angle(one: tuple[int, int], other: tuple[int, int]) -> Any:
    """Between two places in degrees, by the haversine formula."""
    half = [arb(one[k] - other[k]) / 360 for k in range(2)]  # sin_pi takes multiples of pi
    across = (arb(one[0]) / 180).cos_pi() * (arb(other[0]) / 180).cos_pi()
    return 2 * (half[0].sin_pi() ** 2 + across * half[1].sin_pi() ** 2).sqrt().min(arb(1)).asin()


@PAPER.claim(
    "Circle and words (the functions)",
    "circular is minus the steps from $i$ to $j$ on a circle of $N$ items, the shorter way round; hamming minus the least number of letters to replace",
    family="N = 1..7, walking step by step; all words of three letters a, b, c, replacing letter by letter; every pair",
    formula=(u.circular, u.hamming),
    mutants={"one more letter": (u.circular, lambda words: u.hamming([(*w, k) for k, w in enumerate(words)]))},
    survivors={
        "part 1: 1 -> 0 in whole_number(size, 'size', 1, error=UtilityError)": "a matrix without entries is refused as well"
    },
)
def of_walks(functions: Any) -> Parts:
    circular, hamming = functions
    for n in range(1, 8):
        near = [[(i - j) % n in (1, n - 1) for j in range(n)] for i in range(n)]
        yield agrees(f"circular, N = {n}", circular(n), -shortest_path(np.array(near), unweighted=True))
    words = list(product("abc", repeat=3))
    near = [[sum(map(str.__ne__, v, w)) == 1 for w in words] for v in words]
    yield agrees("hamming", hamming(words), -shortest_path(np.array(near), unweighted=True))
    yield from refused(UtilityError, circular, (0,))
    yield from refused(UtilityError, hamming, ([],), (["ab", "a"],))
