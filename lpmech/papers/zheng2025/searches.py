"""The search for a robust box, its samplers, and the measured utility that users call, by their exact distributions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import isclose
from typing import Any

import numpy as np

from lpmech.applications.robustness import (
    Box,
    drawn_from,
    empirical_rho,
    probabilistic_box,
    rho_uniform_test,
    uniform_in,
)
from lpmech.claims import Instance, Parts
from lpmech.errors import InvalidInputError
from lpmech.mechanisms import PM, SW, Clipped, Laplace, even_grid, k_rr
from lpmech.papers.checks import at_most, refuses
from lpmech.papers.zheng2025.network import told
from lpmech.papers.zheng2025.paper import PAPER
from lpmech.privacy import PrivacyLevel

#: Close to what a definition says.
TOLERANCE = 1e-9


@PAPER.claim(
    "Section 4.2.2 (the function)",
    r"`probabilistic_box` finds a ball, or a box, whose error rate is at most $\tau$, with probability at least $1-\omega$",
    hypotheses=r"a rate above $\tau$ at every box passes $k$ independent tests of $n$ samples, at most $c$ errors each, with probability at most $1 - (1 - p)^k$, $p$ the binomial tail at $\tau$. $c$ and "
    r"$k$ as the search shows them: what it finds if every test sees $c$ errors, or $c + 1$. The tests share $\omega$, none could allow one error more, and a rate of $\tau/2$ passes",
    family="1, 2, 5 steps of the bisection, no face moved or both, tau = 9/20, 1/5, omega = 1/20, 1/100",
    kind="ours",
    formula=probabilistic_box,
    uses=["Section 4.2.2 (confidence, binary search) [repaired]"],
    note=r"In place of Hoeffding's bound for a rate below $\tau/2$, the exact binomial tail.",
)
def the_search(search: Any) -> Parts:
    for steps, moved, tau, omega in product((1, 2, 5), ((), (0,)), ("9/20", "1/5"), ("1/20", "1/100")):
        rate, risk = Fraction(tau), Fraction(omega)
        options = {"tau": float(rate), "omega": float(risk), "precision": 0.5 ** (steps - 1), "moved": moved}

        def run(errors: int, options: Any = options) -> tuple[Any, int]:
            return told(search, [0.5], lambda *_: errors, **options)

        samples = run(0)[0].samples
        passing, refused = 0, samples + 1  # numbers of errors
        while refused - passing > 1:
            middle = (passing + refused) // 2
            passing, refused = (middle, refused) if run(middle)[0].radius > 0 else (passing, middle)
        found, tests = run(refused)
        case = f"{'both faces' if moved else 'no face'} moved, precision {Fraction(1, 2 ** (steps - 1))}, tau = {tau}, omega = {omega}"
        where = f"{case}: {tests} test{'s' * (tests != 1)} of {samples}, {passing} errors"
        whole = run(passing)[0].radius == 0.5 and found.radius == 0 and np.array_equal(found.box.low, found.box.high)
        yield bool(whole) or f"{where}: not the domain if all pass, not x alone if none does"
        tail = at_most(passing, samples, rate)
        yield Instance(f"{where}: wrong with probability", 1 - (1 - tail) ** tests, "<=", risk)
        yield at_most(refused, samples, rate) > risk / tests or f"{where}: one error more has at most omega too"
        yield 2 * passing >= int(samples * rate) or f"{where}: a rate of tau/2 does not pass"


class _Even:
    """In place of random numbers: the middles of equal parts of [0, 1]."""

    def random(self, shape: Any) -> Any:
        count, *rest = np.atleast_1d(shape).tolist()
        middles = (np.arange(count) + 0.5) / count
        return np.tile(middles[:, None], (1, *rest)) if rest else middles


@PAPER.claim(
    "Section 4.3 (the samplers)",
    r"`drawn_from` draws $\tilde{x}$ from $\mathcal{M}(x)$ given $\tilde{x}\in B$, `uniform_in` uniformly from $B$",
    hypotheses="1000 points for the middles of 1000 equal parts of $[0, 1]$ in place of random numbers, so that a share of them differs from the probability by $1/1000$ at most; PM, SW, k-RR on 0, $1/4$, ..., 1, clipped "
    r"Laplace noise, $\epsilon = 1/10$, 2, 5, and a feature released as it is",
    family="x = 0, 1/2, 1, four boxes around each, the share up to nine points of each",
    method="floating point",
    formula=(drawn_from, uniform_in),
    survivors={
        f"part 1: {end} in np.clip(shares, 0.0, 1.0)": "shares leave [0, 1] by rounding only"
        for end in ("0.0 -> -1.0", "1.0 -> 2.0")
    },
    uses=["Section 4.3 (product)"],
)
def samplers(functions: Any) -> Parts:
    draw, uniform = functions
    makers: tuple[Callable[[float], Any], ...] = (PM, SW, partial(k_rr, even_grid(5)), lambda e: Clipped(Laplace(e)))
    for x, low, high in product((0.0, 0.5, 1.0), (0.0, 0.7), (0.3, 1.0)):
        first, last = low * x, x + high * (1 - x)
        box, places = Box(np.array([first, 0.0]), np.array([last, 1.0])), np.linspace(first, last, 9).tolist()
        even = {y: (y - first) / (last - first) for y in places}
        yield from _as_likely(uniform(box, 1000, _Even()), even, "uniform")
        for make, e in product(makers, (0.1, 2.0, 5.0)):
            mechanism = make(e)
            points, where = draw([mechanism, None], [x, 0.25])(box, 1000, _Even()), f"{mechanism} at {x}"
            given = {y: float(mechanism.mass(first, y, x) / mechanism.mass(first, last, x)) for y in places}
            yield bool(np.all(points[:, 1:] == 0.25)) or f"{where}: the other feature is {points[0, 1]}"
            yield from _as_likely(points, given, where)


def _as_likely(points: Any, shares: dict[float, float], where: str) -> Parts:
    """Whether the points are 1000 with this share of their first feature up to every y, from first to last."""
    first, *_, last = shares
    yield points.shape == (1000, 2) or f"{where}: shape {points.shape}"
    for y, share in shares.items():
        got = float(np.mean(points[:, 0] <= y))
        same = abs(got - share) <= 1e-3 + TOLERANCE
        yield same or f"{where}, in [{first}, {last}] up to {y:.3f}: share {got}, probability {share:.6f}"
    inside = points[:, 0].min() >= first and points[:, 0].max() <= last
    yield bool(inside) or f"{where}: points outside of [{first}, {last}]"


@PAPER.claim(
    "Section 4.3 (uniform test, the function)",
    r"`rho_uniform_test` is $\max(0,\Pr[\mathcal{M}(x)\in B]-\tau|B|\max p)$, the least utility of a classifier with error rate $\tau$ on $B$",
    hypotheses=r"PM, $s = e^{\epsilon/2}$, $x = (1/2, \dots, 1/2)$, radius $\theta$; another class on a cube next to $x$, $f$ of the side of the ball, inside the windows: $\tau = f^d$; within $10^{-12}$",
    family="d = 1, 2, s = 2, 8, 32, theta = 1/4, 1/2, f = 1/100, 1/250; and tau = 9/10, where nothing is left at s = 32",
    method="floating point",
    kind="ours",
    formula=rho_uniform_test,
    uses=["Section 4.3 (lower bound) [repaired]"],
)
def uniform_test(bound: Any) -> Parts:
    for d, s, theta, share in product((1, 2), (2, 8, 32), ("1/4", "1/2"), ("1/100", "1/250")):
        side, f = 2 * Fraction(theta), Fraction(share)
        mass = 1 - (1 - side) / s  # the window, of length 1/(s + 1), lies in the ball
        utility = mass**d - (f * side * s) ** d
        mechanisms, half = [PM(PrivacyLevel.from_ratio(s * s))] * d, np.full(d, 0.5)
        box = Box(half - float(side) / 2, half + float(side) / 2)
        found = bound(mechanisms, half, box, tau=float(f**d))
        where = f"d = {d}, s = {s}, theta = {theta}, f = {share}"
        yield isclose(found, utility, abs_tol=1e-12) or f"{where}: {found}, the utility is {float(utility):.6f}"
        if s == 32:
            yield bound(mechanisms, half, box, tau=0.9) == 0 or f"{where}: something is left at tau = 9/10"
    atoms = partial(bound, [Clipped(Laplace(1.0))], [0.5], Box(np.zeros(1), np.ones(1)))
    yield refuses(InvalidInputError, partial(atoms, tau=0.1)) or "a density of a mechanism with atoms"


@PAPER.claim(
    "Section 7.1 (measured utility, the function)",
    "the interval of `empirical_rho` covers the utility with at least its confidence, whatever the utility is",
    hypotheses="$n$ releases of which $k$ keep the class, binomial; each end is where the tail at $k$ has half of the rest of the confidence, so that no narrower such interval covers; tails exact at the ends, as floating point has them, to $10^{-9}$",
    family="n = 2, 3, 7, 20, confidence = 1/2, 4/5, 19/20, every k; utilities 0, 1/20, ..., 1",
    kind="ours",
    formula=empirical_rho,
    mutants={
        "one tail for both": lambda *given, confidence, **rest: empirical_rho(
            *given, confidence=2 * confidence - 1 if confidence > 0.5 else 0.25, **rest
        ),
        "one release more": lambda *given, samples, **rest: empirical_rho(*given, samples=samples + 1, **rest),
    },
    survivors={
        "0 -> -1 in measured(classify, mechanisms, [x], rng, samples=samples, confidence=confidence)[0]": "of one point the first estimate is the last"
    },
    note="Clopper-Pearson; of the paper's 2000 samples it leaves at most 0.023 on each side at 95%.",
)
def measured_utility(measure: Any) -> Parts:
    for n, level in product((2, 3, 7, 20), ("1/2", "4/5", "19/20")):
        confidence, ends = Fraction(level), []
        for k in range(n + 1):

            def kept(points: Any, k: int = k) -> Any:
                """Keeps the class of the first k points."""
                return np.arange(len(points)) >= (k if len(points) > 1 else 1)

            found = measure(kept, [None], [0.5], np.random.default_rng(0), samples=n, confidence=float(confidence))
            low, high, rest = Fraction(found.low), Fraction(found.high), (1 - confidence) / 2
            tails = (1 - at_most(k - 1, n, low) if k else rest, at_most(k, n, high) if k < n else rest)
            where = f"{k} of {n}, confidence {level}: [{found.low:.6f}, {found.high:.6f}]"
            exact = max(abs(tail - rest) for tail in tails) <= TOLERANCE
            closed = (k or low == 0) and (k < n or high == 1) and found.value == k / n and found.samples == n
            yield bool(exact and closed) or f"{where}: tails {[float(t) for t in tails]}, not {float(rest)}"
            ends.append((low, high))
        for rate in (Fraction(i, 20) for i in (*range(1, 10), 0, *range(20, 9, -1))):
            missed = [k for k, (low, high) in enumerate(ends) if not low <= rate <= high]
            lost = sum(at_most(k, n, rate) - at_most(k - 1, n, rate) for k in missed)
            where = f"n = {n}, confidence {level}, utility {rate}: missed with probability"
            yield Instance(where, lost, "<=", 1 - confidence)
