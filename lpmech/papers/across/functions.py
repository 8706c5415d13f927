"""The utilities that users call, entry by entry against their definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from lpmech import utilities as u
from lpmech.claims import Parts
from lpmech.papers.across.paper import PAPER

_VALUES = tuple(map(Fraction, ("-3/2", "0", "1/3", "2", "7")))
_PRIORS = tuple(tuple(map(Fraction, p)) for p in (("1/2", "1/3", "1/6"), ("0", "1/4", "3/4"), ("1/5",) * 5))
_DECAYS = tuple(map(Fraction, ("0", "1/2", "9/10")))
_POINTS = ((0, 0), (3, 4), (-5, 12), (1, 1))
_PLACES = ((0, 0), (0, 90), (45, 0), (-30, 60), (90, 0))

_REFUSED = "which argument is refused is no entry"

#: What each of them is for a true label i and a released label j.
_OF_VALUES = {
    "hit": lambda x, i, j: Fraction(i == j),
    "absolute": lambda x, i, j: -abs(x[i] - x[j]),
    "squared": lambda x, i, j: -((x[i] - x[j]) ** 2),
    "concentration, r = 2": lambda x, i, j: Fraction(abs(x[i] - x[j]) <= 2),
    "concentration, r = 1": lambda x, i, j: Fraction(abs(x[i] - x[j]) <= 1),
    "bin_loss": lambda x, i, j: -((x[i] - x[-1 - j]) ** 2) - x[i],
}
_OF_PRIORS = {
    "balanced_hit": lambda p, d, i, j: Fraction(i == j) / (sum(v > 0 for v in p) * p[i]) if p[i] else Fraction(0),
    "weight_matrix_from_decay": lambda p, d, i, j: p[j] * (1 if i == j else d),
    "weights_per_label": lambda p, d, i, j: p[j] * (1 if i == j else d) / p[i] if p[i] else Fraction(0),
}


@PAPER.claim(
    "Utilities of values (the functions)",
    r"hit is [i=j], absolute -|x_i-x_j|, squared -(x_i-x_j)^2, concentration [|x_i-x_j|\le r], bin_loss -loss(x_i,b_j)",
    recorded="certified",
    family="the values -3/2, 0, 1/3, 2, 7, r = 1 and 2, the distance of a pair; the loss (x - b)^2 + x, bins in reverse order; every pair, exactly",
    formula=(u.hit, u.absolute, u.squared, u.concentration, u.bin_loss),
    mutants={
        "distance not negated": (u.hit, lambda x: -u.absolute(x), u.squared, u.concentration, u.bin_loss),
        "squared twice": (u.hit, u.absolute, lambda x: -(u.squared(x) ** 2), u.concentration, u.bin_loss),
        "an open ball": (u.hit, u.absolute, u.squared, lambda x, r: u.concentration(x, r - Fraction(1, 9)), u.bin_loss),
    },
    survivors={
        "part 4: 0 -> -1, line 12": "the array has one entry",
        "part 4: bound < 0 -> bound <= 0, line 13": _REFUSED,
        **dict.fromkeys(("part 4: 0 -> 1, line 13", "part 4: 0 -> -1, line 13"), _REFUSED),
    },
)
def of_values(functions: Any) -> Parts:
    hit, absolute, squared, concentration, bin_loss = functions
    made = {
        "hit": hit(_VALUES),
        "absolute": absolute(_VALUES),
        "squared": squared(_VALUES),
        "concentration, r = 2": concentration(_VALUES, 2),
        "concentration, r = 1": concentration(_VALUES, 1),
        "bin_loss": bin_loss(_VALUES, _VALUES[::-1], lambda v, b: (v - b) ** 2 + v),
    }

    for name, i, j in product(made, range(len(_VALUES)), range(len(_VALUES))):
        found, right = made[name][i][j], _OF_VALUES[name](_VALUES, i, j)
        yield bool(found == right) or f"{name}: x_i = {_VALUES[i]}, x_j = {_VALUES[j]}: {found}, not {right}"


_PRIOR_FUNCTIONS = (u.balanced_hit, u.weight_matrix_from_decay, u.weights_per_label, u.decay_of, u.weight_matrix)


def _with(place: int, other: Any) -> tuple[Any, ...]:
    return (*_PRIOR_FUNCTIONS[:place], other, *_PRIOR_FUNCTIONS[place + 1 :])


@PAPER.claim(
    "Utilities of a prior (the functions)",
    r"balanced_hit is [i=j]/(Kp_i), weight_matrix_from_decay p_jd^{[i\ne j]}, weights_per_label that divided by p_i; decay_of(\sigma) is e^{-1/\sigma}",
    hypotheses="a label of probability 0 does not count",
    recorded="certified",
    family="three priors, one with a zero; d = 0, 1/2, 9/10, exactly; sigma = 1/2, 1, 7: the decay and weight_matrix within 1e-15 in balls",
    formula=_PRIOR_FUNCTIONS,
    mutants={
        "not divided by the prior": _with(2, u.weight_matrix_from_decay),
        "rows and columns exchanged": _with(1, lambda p, d: u.weight_matrix_from_decay(p, d).T),
    },
    survivors={
        **dict.fromkeys(("part 1: 0 * p -> 0, line 16", "part 1: 0 * p -> p, line 16"), "p is 0 there"),
        **dict.fromkeys(("part 1: 0 -> 1, line 16, place 2", "part 1: 0 -> -1, line 16, place 2"), "p is 0 there"),
        "part 1: 0 * w -> 0, line 18": "the same number",
        "part 2: 0 -> -1, line 11": "the array has one entry",
        "part 2: 0 <= factor < 1 -> 0 <= factor <= 1, line 12": _REFUSED,
        **dict.fromkeys(("part 2: 0 -> -1, line 12", "part 2: 1 -> 2, line 12"), _REFUSED),
        **dict.fromkeys(("part 4: 1 -> 2, line 10", "part 4: 1 -> 0, line 10"), _REFUSED),
    },
)
def of_priors(functions: Any) -> Parts:
    balanced, weights, per_label, decay_of, weight_matrix = functions
    for p, d in product(_PRIORS, _DECAYS):
        made = (balanced(p), weights(p, d), per_label(p, d))
        for (name, entry), matrix in zip(_OF_PRIORS.items(), made, strict=True):
            right = [[entry(p, d, i, j) for j in range(len(p))] for i in range(len(p))]
            yield matrix.tolist() == right or f"{name}: prior ({', '.join(map(str, p))}), d = {d}: {matrix.tolist()}"
    for p, sigma in product(_PRIORS, (Fraction(1, 2), Fraction(1), Fraction(7))):
        decay = (-arb(sigma.denominator) / sigma.numerator).exp()
        first = weight_matrix([float(v) for v in p], float(sigma))[0]
        found = [(decay_of(float(sigma)), decay)]
        found += [(first[j], arb(float(v)) * (decay if j else 1)) for j, v in enumerate(p)]
        for value, right in found:
            close = bool(abs(arb(float(value)) - right) <= arb("1e-15"))
            yield close or f"sigma = {sigma}: {value}, not {right.str(8, radius=False)}"


@PAPER.claim(
    "Distances between points (the functions)",
    r"euclidean is minus the distance, great_circle minus the radius times the angle \arccos\langle a,b\rangle",
    recorded="certified",
    family="pairs of four points with whole distances or their roots, and of five places, among them the pole; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=(u.euclidean, u.great_circle),
    mutants={
        "city blocks": (
            lambda x: -abs(u.absolute([a for a, _ in x])) - abs(u.absolute([b for _, b in x])),
            u.great_circle,
        ),
        "latitude and longitude exchanged": (
            u.euclidean,
            lambda x, radius: u.great_circle([(b, a) for a, b in x], radius),
        ),
    },
    survivors=(
        "the scale by which points are divided against overflow cancels; which place is refused, and the argument that the "
        "error names, is no entry"
    ),
)
def of_points(functions: Any) -> Parts:
    straight, round_ = functions[0](_POINTS), functions[1](_PLACES, 2.0)
    for i, j in product(range(4), repeat=2):
        (a, b), (c, d) = _POINTS[i], _POINTS[j]
        yield _close("euclidean", i, j, straight[i][j], -arb((a - c) ** 2 + (b - d) ** 2).sqrt())
    for i, j in product(range(5), repeat=2):
        yield _close("great_circle", i, j, round_[i][j], -2 * _angle(_PLACES[i], _PLACES[j]))


def _close(name: str, i: int, j: int, found: Any, right: Any) -> bool | str:
    close = bool(abs(arb(float(found)) - right) <= arb("1e-12"))
    return close or f"{name}: points {i + 1} and {j + 1}: {found}, not {right.str(10, radius=False)}"


def _angle(one: tuple[int, int], other: tuple[int, int]) -> Any:
    """Between two places in degrees, by the haversine formula."""
    half = [arb(one[k] - other[k]) / 360 for k in range(2)]  # sin_pi takes multiples of pi
    across = (arb(one[0]) / 180).cos_pi() * (arb(other[0]) / 180).cos_pi()
    return 2 * (half[0].sin_pi() ** 2 + across * half[1].sin_pi() ** 2).sqrt().min(arb(1)).asin()


@PAPER.claim(
    "Circle and words (the functions)",
    r"circular is minus the steps from i to j on a circle of N items, the shorter way round; hamming minus the least number of letters to replace",
    recorded="certified",
    family="N = 1..7, walking step by step; all words of three letters a, b, c, replacing letter by letter; every pair",
    formula=(u.circular, u.hamming),
    mutants={
        "one way round only": (lambda n: u.absolute(n), u.hamming),
        "one more letter": (u.circular, lambda words: u.hamming([(*w, k) for k, w in enumerate(words)])),
    },
)
def of_walks(functions: Any) -> Parts:
    circular, hamming = functions
    words = list(product("abc", repeat=3))
    graphs = {f"circular, N = {n}": (circular(n), [{(i - 1) % n, (i + 1) % n} for i in range(n)]) for n in range(1, 8)}
    near = [{k for k, w in enumerate(words) if sum(map(str.__ne__, v, w)) == 1} for v in words]
    for name, (matrix, neighbours) in (graphs | {"hamming": (hamming(words), near)}).items():
        for i in range(len(neighbours)):
            found, right = matrix[i].tolist(), _steps(neighbours, i)
            yield found == right or f"{name}: from item {i}: {found}, not {right}"


def _steps(neighbours: list[set[int]], first: int) -> list[int]:
    """Minus the number of steps to every item."""
    taken, reached = {first: 0}, [first]
    for item in reached:
        new = [other for other in neighbours[item] if other not in taken]
        taken.update(dict.fromkeys(new, taken[item] - 1))
        reached += new
    return [taken[item] for item in range(len(neighbours))]
