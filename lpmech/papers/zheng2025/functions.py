"""The mechanisms that users call, against the definitions as they are printed, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np
from flint import arb, ctx

from lpmech.applications.robustness import Box, rho, rho_mechanism_test, rho_with_indicator
from lpmech.claims import Parts
from lpmech.errors import InvalidInputError
from lpmech.mechanisms import PM, SW, Clipped, Gaussian, Laplace, TruncatedLaplace
from lpmech.mechanisms.grid import exponential_on_grid, k_rr, k_rr_on_bins
from lpmech.mechanisms.grid_concentration import exponential_concentration, k_rr_concentration
from lpmech.mechanisms.privacy_indicator import PrivacyIndicator
from lpmech.papers.checks import ball, refuses
from lpmech.papers.zheng2025.balls import masses, upper_tail, window_mass
from lpmech.papers.zheng2025.paper import PAPER, pm_shape, sw_shape

#: Pr[a <= M(x) <= b] of a definition, in balls, for ends that are fractions or infinite.
Mass = Callable[[Any, Any, Any, Fraction], Any]

LEVELS = tuple(map(Fraction, ("1/5000", "1/10", "1", "3", "8")))
VALUES = tuple(map(Fraction, ("0", "1/7", "1/2", "9/10", "1")))
ENDS = tuple(map(Fraction, ("-1/2", "0", "1/20", "1/3", "4/5", "1", "3/2")))
RADII = tuple(map(Fraction, ("1/100", "1/5", "2/3")))
SHARES = tuple(map(Fraction, ("1/50", "1/3", "9/10")))
#: Otherwise 1e-12; the density is compared with a difference quotient.
TOLERANCES = {"quantile": "1e-9", "density": "1e-5"}
METHOD = "ball arithmetic (rigorous)"
WHERE = (
    r"$\epsilon \in \{1/5000, 1/10, 1, 3, 8\}$; $x \in \{0, 1/7, 1/2, 9/10, 1\}$; mass of every interval with ends among $-1/2$, 0, $1/20$, $1/3$, $4/5$, 1, $3/2$, cdf, concentration at "
    "radius $1/100$, $1/5$, $2/3$, within $10^{-12}$ of the definition; where there is no atom, quantiles within $10^{-9}$ and the density within $10^{-5}$"
)


def _in_unit(end: Any) -> Fraction:
    """The end, moved to [0, 1]."""
    return Fraction(min(max(end, 0), 1))


def _window(shape: Callable[[Any], tuple[Any, Any, Any]]) -> Mass:
    """A window mechanism on [0, 1]."""
    return lambda epsilon, a, b, x: window_mass(shape(epsilon), ball(_in_unit(a)), ball(_in_unit(b)), ball(x))


def _noise(below: Callable[[Any, Any], Any]) -> Mass:
    """x plus noise with Pr[noise <= z] = below(epsilon, z)."""

    def up_to(epsilon: Any, end: Any, x: Fraction) -> Any:
        return arb(end > 0) if end in (inf, -inf) else below(epsilon, ball(end - x))

    return lambda epsilon, a, b, x: up_to(epsilon, b, x) - up_to(epsilon, a, x)


def _laplace(epsilon: Any, z: Any) -> Any:
    return (epsilon * z).exp() / 2 if z < 0 else 1 - (-epsilon * z).exp() / 2


def _clipped(mass: Mass) -> Mass:
    return lambda epsilon, a, b, x: (
        arb(0) if a > 1 or b < 0 else mass(epsilon, -inf if a <= 0 else a, inf if b >= 1 else b, x)
    )


def _truncated(mass: Mass) -> Mass:
    return lambda epsilon, a, b, x: (
        mass(epsilon, _in_unit(a), _in_unit(b), x) / mass(epsilon, Fraction(0), Fraction(1), x)
    )


def _with_coin(mass: Mass, delta: Fraction) -> Mass:
    return lambda epsilon, a, b, x: (1 - ball(delta)) * mass(epsilon, a, b, x) + (ball(delta) if a <= x <= b else 0)


def _differs(found: Iterable[tuple[str, Any, Any]], where: str) -> bool | str:
    """The first value that is not the one beside it, in words; True if there is none."""
    for name, value, right in found:
        if not abs(arb(float(value)) - right) <= arb(TOLERANCES.get(name.split()[0], "1e-12")):
            return f"{where}: {name} is {float(value):.10g}, not {right.str(10, radius=False)}"
    return True


def _values(mechanism: Any, mass: Mass, level: Any, e: Any, x: Fraction) -> Iterator[tuple[str, Any, Any]]:
    """What the mechanism's methods give, and what its definition does."""
    at = float(x)
    ends: list[Any] = [-inf, *ENDS, inf]
    if level is not None:
        yield "level", mechanism.epsilon, level(e)
    for a, b in product(ends[:-1], ends[1:]):
        if a <= b:
            yield f"mass of [{a}, {b}]", mechanism.mass(float(a), float(b), at), mass(e, a, b, x)
    for y in ENDS:
        yield f"cdf at {y}", mechanism.cdf(float(y), at), mass(e, -inf, y, x)
    for r in RADII:
        if not mechanism.has_atoms or {x - r, x + r}.isdisjoint({0, 1}):
            yield f"concentration at {r}", mechanism.concentration(at, float(r)), mass(e, x - r, x + r, x)
    if not mechanism.has_atoms:
        for u in SHARES:
            quantile = Fraction(float(mechanism.quantile(float(u), at)))
            yield f"quantile of {u}", float(u), mass(e, -inf, quantile, x)
        step = Fraction(1, 10**4)
        for y in (Fraction(1, 21), Fraction(2, 5), Fraction(17, 19)):
            right = mass(e, y - step, y + step, x) / (2 * ball(step))
            yield f"density at {y}", mechanism.pdf(float(y), at), right


_PM, _SW = _window(lambda e: pm_shape((e / 2).exp())), _window(lambda e: sw_shape(e, e.exp()))
_LAPLACE = _noise(_laplace)
_GAUSSIAN = _noise(lambda epsilon, z: upper_tail(-z * epsilon))  # of standard deviation 1 / epsilon

#: How the formula makes a mechanism at a level, its masses, and its level, if it is asked for.
Case = tuple[Callable[[Any, float], Any], Mass, Callable[[Any], Any] | None]


def _plain(mass: Mass) -> Case:
    """A mechanism that is made from its level."""
    return (lambda make, e: make(e), mass, lambda e: e)


def _function(id: str, statement: str, formula: Any, mutants: Any, *cases: Case, setting: str = "") -> None:
    """The claim that a mechanism, made at each level from the formula, has the masses and the level of its definition."""

    def agrees(formula: Any) -> Parts:
        for (make, mass, level), epsilon, x in product(cases, LEVELS, VALUES):
            with ctx.workprec(160):
                values = _values(make(formula, float(epsilon)), mass, level, ball(epsilon), x)
                told = _differs(values, f"epsilon = {epsilon}, x = {x}")
            yield told

    PAPER.claim(
        id,
        statement,
        hypotheses=f"{setting}; {WHERE}" if setting else WHERE,
        family="levels and values",
        method=METHOD,
        formula=formula,
        mutants=mutants,
    )(agrees)


_function(
    "Def. 11 (the function)",
    r"PM is the mechanism of Definition 11, and its level is $\epsilon$",
    PM,
    {"twice the level": lambda e: PM(2 * e), "SW": SW},
    _plain(_PM),
)
_function(
    "Def. 12 (the function)",
    r"SW is the mechanism of Definition 12, and its level is $\epsilon$",
    SW,
    {"twice the level": lambda e: SW(2 * e), "PM": PM},
    _plain(_SW),
)
_function(
    "Def. 4 (the function)",
    r"Laplace adds noise of density $\frac{\epsilon}{2}e^{-\epsilon|z|}$ on $[0,1]$, and its level is $\epsilon$",
    Laplace,
    {"twice the level": lambda e: Laplace(2 * e), "truncated": TruncatedLaplace},
    _plain(_LAPLACE),
)
_function(
    "Section 3 (truncated Laplace, the function)",
    r"TruncatedLaplace has the density of Laplace noise on $[0,1]$, divided by its mass there, and the level $\epsilon$",
    TruncatedLaplace,
    {"not truncated": Laplace, "clipped": lambda e: Clipped(Laplace(e))},
    _plain(_truncated(_LAPLACE)),
)
_function(
    "Section 3 (clipping, the function)",
    r"Clipped moves what falls outside $[0,1]$ to the nearer end; Laplace noise keeps $\epsilon$, Gaussian noise gets $\ln(\Phi(0)/\Phi(-1/\sigma))$",
    Clipped,
    {"not clipped": lambda mechanism: mechanism, "noise of its own": lambda mechanism: Clipped(Laplace(1.0))},
    (lambda clip, e: clip(Laplace(e)), _clipped(_LAPLACE), lambda e: e),
    (lambda clip, e: clip(Gaussian(1 / e)), _clipped(_GAUSSIAN), lambda e: -(2 * upper_tail(e)).log()),
    setting=r"Laplace noise of scale $1/\epsilon$, and Gaussian noise of deviation $\sigma = 1/\epsilon$",
)
_function(
    "Theorem 4 (the noise as called)",
    r"Gaussian adds noise of standard deviation $\sigma$",
    Gaussian,
    {"the variance": lambda scale: Gaussian(scale**2), "Laplace noise": lambda scale: Laplace(1 / scale)},
    (lambda make, e: make(1 / e), _GAUSSIAN, None),
    setting=r"$\sigma = 1/\epsilon$",
)
_function(
    "Section 5.2.1 (the function)",
    r"PrivacyIndicator releases $x$ with probability $\delta$ and else the output of the mechanism",
    PrivacyIndicator,
    {
        "without the coin": lambda mechanism, delta: mechanism,
        "the other side": lambda mechanism, delta: PrivacyIndicator(mechanism, 1 - delta),
    },
    (lambda make, e: make(PM(e), 0.2), _with_coin(_PM, Fraction(1, 5)), None),
    setting=r"PM, $\delta = 1/5$",
)

GRID = (k_rr, k_rr_concentration, exponential_on_grid, exponential_concentration, k_rr_on_bins)


@PAPER.claim(
    "Defs. 13 and 14 (the functions)",
    r"`k_rr`, `exponential_on_grid`, their concentrations, and `k_rr_on_bins` are the mechanisms of Definitions 13 and 14 on $0,\frac{1}{k-1},\dots,1$",
    hypotheses=r"$k = 2$, 3, 6, 11 points, $\epsilon \in \{1/5000, 1/10, 1, 3, 8\}$; every $x$ and every radius on the grid; the exponential mechanism with the sign that favours "
    "near points; within $10^{-12}$ of the sums over the ball",
    family="sizes and levels",
    method=METHOD,
    formula=GRID,
    survivors=dict.fromkeys(
        ["part 2: 1 -> 0 in whole_number(size, 'size', 1)", "part 5: 1 -> 0 in whole_number(count, 'count', 1)"],
        "no point at all is refused as well",
    ),
)
def grid_functions(functions: Any) -> Parts:
    rr, rr_concentration, exponential, concentration, on_bins = functions
    for k, epsilon in product((2, 3, 6, 11), LEVELS):
        e, points, t = float(epsilon), [Fraction(i, k - 1) for i in range(k)], ball(epsilon).exp()
        flat, steep, bins = rr(points, e), exponential(points, e), on_bins(k, e)
        middles = [(2 * i + 1) / (2 * k) for i in range(k)]
        if not np.allclose(bins.outputs, middles, rtol=0, atol=1e-15) or bins.domain != (0, 1):
            yield f"{k} bins: {bins.outputs.tolist()}"
            continue
        found = [("level of k_rr", flat.epsilon, ball(epsilon)), ("level of k_rr_on_bins", bins.epsilon, ball(epsilon))]
        found += [(f"k_rr_on_bins at {x}", bins.concentration(x, 1 / (4 * k)), t / (t + k - 1)) for x in middles]
        for x, reach in product(range(k), repeat=2):
            low, top, radius = max(x - reach, 0), min(x + reach, k - 1), reach / (k - 1)
            right = masses(ball(epsilon), points[low], points[top], points[x], k)
            at, where = points[x], f"x = {points[x]}, {reach} steps"
            found += [
                (f"k_rr, {where}", flat.concentration(at, radius), right["k-RR"]),
                (f"k_rr_concentration, {where}", rr_concentration(top - low + 1, k, e), right["k-RR"]),
                (f"exponential_on_grid, {where}", steep.concentration(at, radius), right["Exponential"]),
                (f"exponential_concentration, {where}", concentration(x, reach, k, e), right["Exponential"]),
            ]
        yield _differs(found, f"k = {k}, epsilon = {epsilon}")
    yield rr_concentration(1, 1, 1.0) == on_bins(1, 1.0).concentration(0.5, 0.1) == 1 or "one point"
    counts = [(1, 0), (0, 2)]  # inside, of
    places = [(0, 0, 1), (0, -1, 2), (2, 0, 2), (-1, 0, 2)]  # index, steps, size
    asked = [*product([rr_concentration], counts), *product([concentration], places), (on_bins, (0,))]
    for function, numbers in asked:
        yield refuses(InvalidInputError, function, *numbers, 1.0) or f"{function.__name__} takes {numbers}"


@PAPER.claim(
    "Section 5.1 (the functions)",
    r"$\rho$ is the product over features of $\Pr[M_i(x_i)\in \mathrm{box}_i]$; `rho_mechanism_test` is $\rho(1-\tau)$, `rho_with_indicator` $\delta+(1-\delta)\rho$",
    hypotheses=r"PM, SW and a feature released as it is; $\epsilon \in \{1/5000, 1/10, 1, 3, 8\}$, nine boxes; within $10^{-12}$",
    family="levels and boxes",
    method=METHOD,
    formula=(rho, rho_mechanism_test, rho_with_indicator),
    survivors={"part 3: bound -> bound + 1 in isinstance(bound, Real)": "one more is real as well"},
)
def rho_functions(functions: Any) -> Parts:
    whole, tested, with_coin = functions
    yield with_coin(0, 0.125) == 0.125 or "the bound 0"
    for bound in (-0.5, 1.5, True):
        yield refuses(InvalidInputError, with_coin, bound, 0.125) or f"a bound of {bound}"
    for epsilon, low, up in product(LEVELS, ("0", "1/4", "9/20"), ("51/100", "4/5", "1")):
        x, box = [0.5, 0.5, 0.5], Box(np.full(3, float(Fraction(low))), np.full(3, float(Fraction(up))))
        mechanisms = [PM(float(epsilon)), SW(float(epsilon)), None]
        with ctx.workprec(160):
            place = (ball(epsilon), Fraction(low), Fraction(up), Fraction(1, 2))
            right, found = _PM(*place) * _SW(*place), whole(mechanisms, x, box)
            values = [
                ("rho", found, right),
                ("rho (1 - tau)", tested(mechanisms, x, box, tau=0.125), right * ball("7/8")),
                ("delta + (1 - delta) rho", with_coin(found, 0.125), ball("1/8") + right * ball("7/8")),
            ]
            told = _differs(values, f"epsilon = {epsilon}, box [{low}, {up}]^3")
        yield told
