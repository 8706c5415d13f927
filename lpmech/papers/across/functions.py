"""The utilities that users call, entry by entry against their definitions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from lpmech import utilities as u
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checking import check_family
from lpmech.verdicts import Outcome

_VALUES = tuple(map(Fraction, ("-3/2", "0", "1/3", "2", "7")))
_PRIORS = tuple(tuple(map(Fraction, p)) for p in (("1/2", "1/3", "1/6"), ("0", "1/4", "3/4"), ("1/5",) * 5))
_DECAYS = tuple(map(Fraction, ("0", "1/2", "9/10")))
_POINTS = ((0, 0), (3, 4), (-5, 12), (1, 1))
_PLACES = ((0, 0), (0, 90), (45, 0), (-30, 60), (90, 0))

#: What each of them is for a true label i and a released label j.
_OF_VALUES = {
    "hit": lambda x, i, j: Fraction(i == j),
    "absolute": lambda x, i, j: -abs(x[i] - x[j]),
    "squared": lambda x, i, j: -((x[i] - x[j]) ** 2),
    "concentration": lambda x, i, j: Fraction(abs(x[i] - x[j]) <= 2),
    "bin_loss": lambda x, i, j: -((x[i] - x[j]) ** 2) - x[i],
}
_OF_PRIORS = {
    "balanced_hit": lambda p, d, i, j: Fraction(i == j) / (sum(v > 0 for v in p) * p[i]) if p[i] else Fraction(0),
    "weight_matrix_from_decay": lambda p, d, i, j: p[j] * (1 if i == j else d),
    "weights_per_label": lambda p, d, i, j: p[j] * (1 if i == j else d) / p[i] if p[i] else Fraction(0),
}


@PAPER.claim(
    "Utilities of values (the functions)",
    r"hit is [i=j], absolute -|x_i-x_j|, squared -(x_i-x_j)^2, concentration [|x_i-x_j|\le r], bin_loss -loss(x_i,b_j)",
    hypotheses="the values -3/2, 0, 1/3, 2, 7, with a pair at distance r = 2; the loss (x - b)^2 + x; every pair, exactly",
    recorded="certified",
    formula=(u.hit, u.absolute, u.squared, u.concentration, u.bin_loss),
    mutants={
        "distance not negated": (u.hit, lambda x: -u.absolute(x), u.squared, u.concentration, u.bin_loss),
        "squared twice": (u.hit, u.absolute, lambda x: -(u.squared(x) ** 2), u.concentration, u.bin_loss),
        "an open ball": (u.hit, u.absolute, u.squared, lambda x, r: u.concentration(x, r - Fraction(1, 9)), u.bin_loss),
    },
)
def of_values(functions: Any) -> Outcome:
    hit, absolute, squared, concentration, bin_loss = functions
    made = {
        "hit": hit(_VALUES),
        "absolute": absolute(_VALUES),
        "squared": squared(_VALUES),
        "concentration": concentration(_VALUES, 2),
        "bin_loss": bin_loss(_VALUES, _VALUES, lambda v, b: (v - b) ** 2 + v),
    }

    def failure(case: tuple[str, int, int]) -> str | None:
        name, i, j = case
        found, right = made[name][i][j], _OF_VALUES[name](_VALUES, i, j)
        return None if found == right else f"{name}: x_i = {_VALUES[i]}, x_j = {_VALUES[j]}: {found}, not {right}"

    n = range(len(_VALUES))
    return check_family([(name, i, j) for name in made for i in n for j in n], failure, "entries")


@PAPER.claim(
    "Utilities of a prior (the functions)",
    r"balanced_hit is [i=j]/(Kp_i), weight_matrix_from_decay p_jd^{[i\ne j]}, weights_per_label that divided by p_i; decay_of(\sigma) is e^{-1/\sigma}",
    hypotheses="three priors, one with a label of probability 0, which does not count; d = 0, 1/2, 9/10; exactly. sigma = 1/2, 1, 7: the decay and weight_matrix within 1e-15",
    recorded="certified",
    formula=(u.balanced_hit, u.weight_matrix_from_decay, u.weights_per_label, u.decay_of, u.weight_matrix),
    mutants={
        "not divided by the prior": (
            u.balanced_hit, u.weight_matrix_from_decay, u.weight_matrix_from_decay, u.decay_of, u.weight_matrix,
        ),
        "1/sigma squared": (
            u.balanced_hit, u.weight_matrix_from_decay, u.weights_per_label, lambda s: u.decay_of(s * s), u.weight_matrix,
        ),
        "rows and columns exchanged": (
            u.balanced_hit, lambda p, d: u.weight_matrix_from_decay(p, d).T, u.weights_per_label, u.decay_of, u.weight_matrix,
        ),
    },
)  # fmt: skip
def of_priors(functions: Any) -> Outcome:
    balanced, weights, per_label, decay_of, weight_matrix = functions

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        p, d = case
        made = {
            "balanced_hit": balanced(p),
            "weight_matrix_from_decay": weights(p, d),
            "weights_per_label": per_label(p, d),
        }
        for name, matrix in made.items():
            right = [[_OF_PRIORS[name](p, d, i, j) for j in range(len(p))] for i in range(len(p))]
            if matrix.tolist() != right:
                return f"{name}: prior ({', '.join(map(str, p))}), d = {d}: {matrix.tolist()}"
        for sigma in (Fraction(1, 2), Fraction(1), Fraction(7)):
            decay = (-arb(sigma.denominator) / sigma.numerator).exp()
            float_weights = weight_matrix([float(v) for v in p], float(sigma))
            found = [(decay_of(float(sigma)), decay)]
            found += [(float_weights[0][j], arb(float(p[j])) * (decay if j else 1)) for j in range(len(p))]
            for value, right in found:
                if not abs(arb(float(value)) - right) <= arb("1e-15"):
                    return f"sigma = {sigma}: {value}, not {right.str(8, radius=False)}"
        return None

    return check_family([(p, d) for p in _PRIORS for d in _DECAYS], failure, "priors and decays")


@PAPER.claim(
    "Distances between points (the functions)",
    r"euclidean is minus the distance, great_circle minus the radius times the angle \arccos\langle a,b\rangle",
    hypotheses="four points with whole distances or their roots; five places, among them the pole; within 1e-12 by ball arithmetic",
    recorded="certified",
    formula=(u.euclidean, u.great_circle),
    mutants={
        "city blocks": (
            lambda x: -abs(u.absolute([a for a, _ in x])) - abs(u.absolute([b for _, b in x])),
            u.great_circle,
        ),
        "half the angle": (u.euclidean, lambda x, radius: u.great_circle(x, radius / 2)),
        "latitude and longitude exchanged": (
            u.euclidean,
            lambda x, radius: u.great_circle([(b, a) for a, b in x], radius),
        ),
    },
)
def of_points(functions: Any) -> Outcome:
    straight, round_ = functions

    def failure(case: tuple[str, int, int]) -> str | None:
        name, i, j = case
        if name == "euclidean":
            (a, b), (c, d) = _POINTS[i], _POINTS[j]
            found, right = straight(_POINTS)[i][j], -arb((a - c) ** 2 + (b - d) ** 2).sqrt()
        else:
            found, right = round_(_PLACES, 2.0)[i][j], -2 * _angle(_PLACES[i], _PLACES[j])
        if abs(arb(float(found)) - right) <= arb("1e-12"):
            return None
        return f"{name}: points {i + 1} and {j + 1}: {found}, not {right.str(10, radius=False)}"

    cases = [("euclidean", i, j) for i in range(4) for j in range(4)]
    places = [("great_circle", i, j) for i in range(5) for j in range(5)]
    return check_family(cases + places, failure, "pairs", "ball arithmetic (rigorous)")


def _angle(one: tuple[int, int], other: tuple[int, int]) -> Any:
    """Between two places in degrees, by the haversine formula."""
    half = [arb(one[k] - other[k]) / 360 for k in range(2)]  # sin_pi takes multiples of pi
    across = (arb(one[0]) / 180).cos_pi() * (arb(other[0]) / 180).cos_pi()
    return 2 * (half[0].sin_pi() ** 2 + across * half[1].sin_pi() ** 2).sqrt().min(arb(1)).asin()
