"""The mechanisms that users call, against the definitions as they are printed, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from flint import arb, ctx

from lpmech.applications.robustness import Box, rho, rho_mechanism_test, rho_with_indicator
from lpmech.mechanisms import PM, SW, Clipped, Gaussian, Laplace, TruncatedLaplace
from lpmech.mechanisms.grid import (
    exponential_concentration,
    exponential_on_grid,
    k_rr,
    k_rr_concentration,
    k_rr_on_bins,
)
from lpmech.mechanisms.privacy_indicator import PrivacyIndicator
from lpmech.papers.checking import check_family
from lpmech.papers.zheng2025.paper import PAPER, ball, upper_tail
from lpmech.verdicts import Outcome

#: Pr[a <= M(x) <= b] of a definition, in balls; an end that is missing is None.
Mass = Callable[[Any, "Fraction | None", "Fraction | None", Fraction], Any]

LEVELS = tuple(map(Fraction, ("1/5000", "1/10", "1", "3", "8")))
VALUES = tuple(map(Fraction, ("0", "1/7", "1/2", "9/10", "1")))
ENDS = tuple(map(Fraction, ("-1/2", "0", "1/20", "1/3", "4/5", "1", "3/2")))
RADII = tuple(map(Fraction, ("1/100", "1/5", "2/3")))
SHARES = tuple(map(Fraction, ("1/50", "1/3", "9/10")))
#: Otherwise 1e-12; the density is compared with a difference quotient.
TOLERANCES = {"quantile": "1e-9", "density": "1e-5"}
METHOD = "ball arithmetic (rigorous)"
WHERE = (
    "epsilon in {1/5000, 1/10, 1, 3, 8}; x in {0, 1/7, 1/2, 9/10, 1}; mass of every interval with ends among -1/2, 0, 1/20, 1/3, 4/5, 1, 3/2, cdf, concentration at "
    "radius 1/100, 1/5, 2/3, within 1e-12 of the definition; where there is no atom, quantiles within 1e-9 and the density within 1e-5"
)


def _overlap(a: Any, b: Any, low: Any, high: Any) -> Any:
    return (b.min(high) - a.max(low)).max(arb(0))


def _window(high: Callable[[Any], Any], half: Callable[[Any], Any]) -> Mass:
    """A density `high` on the window of twice the half width around x, moved inside [0, 1]; e^-epsilon of it elsewhere."""

    def mass(epsilon: Any, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        density, c = high(epsilon), half(epsilon)
        start = (ball(x) - c).max(arb(0)).min(1 - 2 * c)
        low, up = ball(-1 if a is None else a), ball(2 if b is None else b)
        near = _overlap(low, up, start, start + 2 * c)
        return density * near + density / epsilon.exp() * (_overlap(low, up, arb(0), arb(1)) - near)

    return mass


def _noise(below: Callable[[Any, Any], Any]) -> Mass:
    """x plus noise with Pr[noise <= z] = below(epsilon, z)."""

    def mass(epsilon: Any, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        up = arb(1) if b is None else below(epsilon, ball(b - x))
        return up - (arb(0) if a is None else below(epsilon, ball(a - x)))

    return mass


def _laplace(epsilon: Any, z: Any) -> Any:
    return (epsilon * z).exp() / 2 if z < 0 else 1 - (-epsilon * z).exp() / 2


def _gaussian(epsilon: Any, z: Any) -> Any:
    """Of standard deviation 1 / epsilon."""
    return upper_tail(-z * epsilon)


def _clipped(mass: Mass) -> Mass:
    def clipped(epsilon: Any, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        if (a is not None and a > 1) or (b is not None and b < 0):
            return arb(0)
        return mass(epsilon, None if a is None or a <= 0 else a, None if b is None or b >= 1 else b, x)

    return clipped


def _truncated(mass: Mass) -> Mass:
    def truncated(epsilon: Any, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        low = Fraction(0) if a is None else min(max(a, Fraction(0)), Fraction(1))
        up = Fraction(1) if b is None else min(max(b, Fraction(0)), Fraction(1))
        return mass(epsilon, low, up, x) / mass(epsilon, Fraction(0), Fraction(1), x)

    return truncated


def _with_coin(mass: Mass, delta: Fraction) -> Mass:
    def tossed(epsilon: Any, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        inside = (a is None or a <= x) and (b is None or x <= b)
        return (1 - ball(delta)) * mass(epsilon, a, b, x) + (ball(delta) if inside else 0)

    return tossed


def _far(value: Any, right: Any, tolerance: str = "1e-12") -> bool:
    return not abs(arb(float(value)) - right) <= arb(tolerance)


def _agrees(make: Callable[[float], Any], mass: Mass, level: Callable[[Any], Any] | None, what: str) -> Outcome:
    """Certified if the mechanism's methods agree with the masses of its definition."""

    def failure(case: tuple[Fraction, Fraction]) -> str | None:
        with ctx.workprec(160):
            return found(*case)

    def found(epsilon: Fraction, x: Fraction) -> str | None:
        mechanism, e, at = make(float(epsilon)), ball(epsilon), f"epsilon = {epsilon}, x = {x}"
        if level is not None and _far(mechanism.epsilon, level(e)):
            return f"epsilon = {epsilon}: level {mechanism.epsilon}, not {level(e).str(8, radius=False)}"
        for name, value, right in _values(mechanism, mass, e, x):
            if _far(value, right, TOLERANCES.get(name.split()[0], "1e-12")):
                return f"{at}: {name} is {float(value):.10g}, not {right.str(10, radius=False)}"
        return None

    return check_family([(e, x) for e in LEVELS for x in VALUES], failure, what, METHOD)


def _values(mechanism: Any, mass: Mass, e: Any, x: Fraction) -> Iterator[tuple[str, Any, Any]]:
    at = float(x)
    for a in (None, *ENDS):
        for b in (*ENDS, None):
            if a is None or b is None or a <= b:
                ends = -inf if a is None else float(a), inf if b is None else float(b)
                yield f"mass of [{a}, {b}]", mechanism.mass(*ends, at), mass(e, a, b, x)
    for y in ENDS:
        yield f"cdf at {y}", mechanism.cdf(float(y), at), mass(e, None, y, x)
    for r in RADII:
        if not mechanism.has_atoms or {x - r, x + r}.isdisjoint({Fraction(0), Fraction(1)}):
            yield f"concentration at {r}", mechanism.concentration(at, float(r)), mass(e, x - r, x + r, x)
    if not mechanism.has_atoms:
        for u in SHARES:
            quantile = Fraction(float(mechanism.quantile(float(u), at)))
            yield f"quantile of {u}", float(u), mass(e, None, quantile, x)
        step = Fraction(1, 10**4)
        for y in (Fraction(1, 21), Fraction(2, 5), Fraction(17, 19)):
            right = mass(e, y - step, y + step, x) / (2 * ball(step))
            yield f"density at {y}", mechanism.pdf(float(y), at), right


_PM = _window(lambda e: (e / 2).exp(), lambda e: 1 / (2 * ((e / 2).exp() + 1)))
_SW = _window(lambda e: (e.exp() - 1) / e, lambda e: (e.exp() * (e - 1) + 1) / (2 * (e.exp() - 1) ** 2))


def _own(e: Any) -> Any:
    return e


@PAPER.claim(
    "Def. 11 (the function)",
    r"PM is the mechanism of Definition 11, and its level is \epsilon",
    hypotheses=WHERE,
    recorded="certified",
    formula=PM,
    mutants={"twice the level": lambda e: PM(2 * e), "SW": SW},
)
def pm_function(make: Any) -> Outcome:
    return _agrees(make, _PM, _own, "levels and values")


@PAPER.claim(
    "Def. 12 (the function)",
    r"SW is the mechanism of Definition 12, and its level is \epsilon",
    hypotheses=WHERE,
    recorded="certified",
    formula=SW,
    mutants={"twice the level": lambda e: SW(2 * e), "PM": PM},
)
def sw_function(make: Any) -> Outcome:
    return _agrees(make, _SW, _own, "levels and values")


@PAPER.claim(
    "Def. 4 (the function)",
    r"Laplace adds noise of density \frac\epsilon2e^{-\epsilon|z|} on [0,1], and its level is \epsilon",
    hypotheses=WHERE,
    recorded="certified",
    formula=Laplace,
    mutants={"twice the level": lambda e: Laplace(2 * e), "truncated": TruncatedLaplace},
)
def laplace_function(make: Any) -> Outcome:
    return _agrees(make, _noise(_laplace), _own, "levels and values")


@PAPER.claim(
    "Section 3 (truncated Laplace, the function)",
    r"TruncatedLaplace has the density of Laplace noise on [0,1], divided by its mass there, and the level \epsilon",
    hypotheses=WHERE,
    recorded="certified",
    formula=TruncatedLaplace,
    mutants={"not truncated": Laplace, "clipped": lambda e: Clipped(Laplace(e))},
)
def truncated_function(make: Any) -> Outcome:
    return _agrees(make, _truncated(_noise(_laplace)), _own, "levels and values")


@PAPER.claim(
    "Section 3 (clipping, the function)",
    r"Clipped moves what falls outside [0,1] to the nearer end; Laplace noise keeps \epsilon, Gaussian noise gets \ln(\Phi(0)/\Phi(-1/\sigma))",
    hypotheses=f"Laplace noise of scale 1/epsilon, and Gaussian noise of deviation sigma = 1/epsilon; {WHERE}",
    recorded="certified",
    formula=Clipped,
    mutants={"not clipped": lambda mechanism: mechanism, "noise of its own": lambda mechanism: Clipped(Laplace(1.0))},
)
def clipped_function(clip: Any) -> Outcome:
    laplace = _agrees(lambda e: clip(Laplace(e)), _clipped(_noise(_laplace)), _own, "Laplace noise")
    if laplace.counterexample is not None:
        return laplace
    return _agrees(
        lambda e: clip(Gaussian(1 / e)),
        _clipped(_noise(_gaussian)),
        lambda e: -(2 * upper_tail(e)).log(),
        "both noises",
    )


@PAPER.claim(
    "Theorem 4 (the noise as called)",
    r"Gaussian adds noise of standard deviation \sigma",
    hypotheses=f"sigma = 1/epsilon; {WHERE}",
    recorded="certified",
    formula=Gaussian,
    mutants={"the variance": lambda scale: Gaussian(scale**2), "Laplace noise": lambda scale: Laplace(1 / scale)},
)
def gaussian_function(make: Any) -> Outcome:
    return _agrees(lambda e: make(1 / e), _noise(_gaussian), None, "levels and values")


@PAPER.claim(
    "Section 5.2.1 (the function)",
    r"PrivacyIndicator releases x with probability \delta and else the output of the mechanism",
    hypotheses=f"PM, delta = 1/5; {WHERE}",
    recorded="certified",
    formula=PrivacyIndicator,
    mutants={
        "without the coin": lambda mechanism, delta: mechanism,
        "the other side": lambda mechanism, delta: PrivacyIndicator(mechanism, 1 - delta),
    },
)
def indicator_function(make: Any) -> Outcome:
    return _agrees(lambda e: make(PM(e), 0.2), _with_coin(_PM, Fraction(1, 5)), None, "levels and values")


@PAPER.claim(
    "Defs. 13 and 14 (the functions)",
    r"k_rr, exponential_on_grid, their concentrations, and k_rr_on_bins are the mechanisms of Definitions 13 and 14 on 0,\frac1{k-1},...,1",
    hypotheses="k = 2, 3, 6, 11 points, epsilon in {1/5000, 1/10, 1, 3, 8}; every x and every radius on the grid; the exponential mechanism with the sign that favours "
    "near points; within 1e-12 of the sums over the ball",
    recorded="certified",
    formula=(k_rr, k_rr_concentration, exponential_on_grid, exponential_concentration, k_rr_on_bins),
    mutants={
        "k-RR counts once more": (
            k_rr, lambda i, k, e: k_rr_concentration(i, k, e) + 1e-6, exponential_on_grid, exponential_concentration, k_rr_on_bins,
        ),
        "the exponential mechanism at the whole budget": (
            k_rr, k_rr_concentration, lambda points, e: exponential_on_grid(points, 2 * e), exponential_concentration, k_rr_on_bins,
        ),
        "bins at the points": (
            k_rr, k_rr_concentration, exponential_on_grid, exponential_concentration, lambda k, e: k_rr([Fraction(i, k) for i in range(k)], e),
        ),
    },
)  # fmt: skip
def grid_functions(functions: Any) -> Outcome:
    rr, rr_concentration, exponential, concentration, on_bins = functions

    def failure(case: tuple[Fraction, int]) -> str | None:
        epsilon, k = case
        e, points = float(epsilon), [Fraction(i, k - 1) for i in range(k)]
        t, decay = ball(epsilon).exp(), (-ball(epsilon) / (2 * (k - 1))).exp()
        pair = rr(points, e), exponential(points, e)
        if _far(pair[0].epsilon, ball(epsilon)):
            return f"k-RR on {k} points, epsilon = {epsilon}: level {pair[0].epsilon}"
        middles = [(2 * i + 1) / (2 * k) for i in range(k)]
        bins = on_bins(k, e)
        if max(abs(float(a) - b) for a, b in zip(bins.outputs, middles, strict=True)) > 1e-15 or bins.domain != (0, 1):
            return f"{k} bins: {bins.outputs.tolist()}"
        for x in range(k):
            for reach in range(k):
                inside = [j for j in range(k) if abs(j - x) <= reach]
                weights = [decay ** abs(j - x) for j in range(k)]
                flat = (t + len(inside) - 1) / (t + k - 1)
                steep = sum((weights[j] for j in inside), arb(0)) / sum(weights, arb(0))
                radius = reach / (k - 1)
                found = (
                    ("k_rr", pair[0].concentration(points[x], radius), flat),
                    ("k_rr_concentration", rr_concentration(len(inside), k, e), flat),
                    ("exponential_on_grid", pair[1].concentration(points[x], radius), steep),
                    ("exponential_concentration", concentration(x, reach, k, e), steep),
                )
                for name, value, right in found:
                    if _far(value, right):
                        where = f"k = {k}, epsilon = {epsilon}, x = {points[x]}, {reach} steps"
                        return f"{where}: {name} is {float(value):.10g}, not {right.str(10, radius=False)}"
        return None

    return check_family([(e, k) for k in (2, 3, 6, 11) for e in LEVELS], failure, "sizes and levels", METHOD)


@PAPER.claim(
    "Section 5.1 (the functions)",
    r"rho is the product over features of Pr[M_i(x_i)\in box_i]; rho_mechanism_test is \rho(1-\tau), rho_with_indicator \delta+(1-\delta)\rho",
    hypotheses="PM, SW and a feature released as it is; epsilon in {1/5000, 1/10, 1, 3, 8}, nine boxes; within 1e-12",
    recorded="certified",
    formula=(rho, rho_mechanism_test, rho_with_indicator),
    mutants={
        "the first feature only": (
            lambda ms, x, box: rho([ms[0], None, None], x, box),
            rho_mechanism_test,
            rho_with_indicator,
        ),
        "without tau": (rho, lambda ms, x, box, tau: rho(ms, x, box), rho_with_indicator),
        "without delta": (rho, rho_mechanism_test, lambda bound, delta: bound),
    },
)
def rho_functions(functions: Any) -> Outcome:
    product, tested, with_coin = functions

    def failure(case: tuple[Fraction, Fraction, Fraction]) -> str | None:
        with ctx.workprec(160):
            return differs(*case)

    def differs(epsilon: Fraction, low: Fraction, up: Fraction) -> str | None:
        e, x = ball(epsilon), [0.5, 0.5, 0.5]
        mechanisms, box = (
            [PM(float(epsilon)), SW(float(epsilon)), None],
            Box(np.full(3, float(low)), np.full(3, float(up))),
        )
        half = Fraction(1, 2)
        right = _PM(e, low, up, half) * _SW(e, low, up, half)
        found = (
            ("rho", product(mechanisms, x, box), right),
            ("rho (1 - tau)", tested(mechanisms, x, box, tau=0.125), right * ball("7/8")),
            (
                "delta + (1 - delta) rho",
                with_coin(product(mechanisms, x, box), 0.125),
                ball("1/8") + right * ball("7/8"),
            ),
        )
        for name, value, expected in found:
            if _far(value, expected):
                where = f"epsilon = {epsilon}, box [{low}, {up}]^3"
                return f"{where}: {name} is {value:.10g}, not {expected.str(10, radius=False)}"
        return None

    lows, ups = map(Fraction, ("0", "1/4", "9/20")), list(map(Fraction, ("51/100", "4/5", "1")))
    boxes = [(low, up) for low in lows for up in ups]
    return check_family([(e, *box) for e in LEVELS for box in boxes], failure, "levels and boxes", METHOD)
