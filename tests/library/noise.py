"""Noise on whole numbers, sampled bits and Gaussian tails: levels and laws exactly, what is sampled against them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy import stats

from library.paper import PAPER
from lpmech.claims import Parts
from lpmech.mechanisms import DiscreteGaussian, DiscreteLaplace, UnaryEncoding
from lpmech.mechanisms.discrete_noise import happens_with_exp
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta, pac_delta, pac_scale
from lpmech.papers.across.agreement import agrees, halved
from lpmech.papers.across.chance import enumerated
from lpmech.papers.checks import ball, in_floats
from lpmech.papers.zheng2025.balls import upper_tail
from lpmech.randomness import as_random_source

_NOISES = (DiscreteLaplace, DiscreteLaplace.of_level, DiscreteGaussian, DiscreteGaussian.of_deviation)
_SCALES = tuple(map(Fraction, ("1/3", "2", "7/3", "20")))
_VARIANCES = tuple(map(Fraction, ("2/3", "4", "5/2", "1000")))
_DRAWN = 40_000


def _law(rate: Fraction, power: int, moved: int = 0) -> Any:
    """Probabilities of -600, ..., 600, proportional to e^(-rate |n - moved|^power), in floats."""
    weights = np.exp(-float(rate) * np.abs(np.arange(-600.0, 601.0) - moved) ** power)
    return weights / weights.sum()


@PAPER.claim(
    "Ours (noise on whole numbers, the functions)",
    r"DiscreteLaplace has $\Pr[n]=\frac{1-a}{1+a}a^{|n|}$, $a=e^{-1/s}$, and the level $\Delta/s$, `of_level` at most $\epsilon$; DiscreteGaussian is $\frac{\Delta^2}{2\sigma^2}$-concentrated, its $\delta$ $e^{-(\epsilon-\rho)^2/4\rho}$ is no smaller than the true one, `of_deviation` has the least whole $\sigma^2$",
    hypotheses=r"probabilities and $\delta$ within $10^{-11}$ of themselves; the true $\delta$ of one coordinate, summed in floats",
    family="scales 1/3, 2, 7/3, 20, sensitivities 1, 2, 7; epsilon = 1e-9, 1/10, 1, 700; variances 2/3, 4, 5/2, 1000; deviations 1/2, 2, 2.1, 100",
    method="ball arithmetic (rigorous)",
    formula=_NOISES,
    mutants=halved(_NOISES, 0, 1, 2, 3),
)
def noise_on_whole_numbers(functions: Any) -> Parts:
    laplace, of_level, gaussian, of_deviation = functions
    for s, moved in product(_SCALES, (1, 2, 7)):
        noise, a = laplace(s), (-1 / ball(s)).exp()
        law = [(1 - a) / (1 + a) * a ** abs(n) for n in range(-3, 4)]
        yield agrees(f"scale {s}: Pr[-3], ...", noise.probability(range(-3, 4)), law, relative=1e-11)
        yield agrees(f"scale {s}: level of {moved} moved", noise.level(moved), moved / s)
    for epsilon, moved in product((1e-9, 0.1, 1.0, 700.0), (1, 2, 7)):
        level = of_level(moved, epsilon).level(moved)
        yield 1 - 1e-6 <= level / Fraction(epsilon) <= 1 or f"{moved} moved, epsilon = {epsilon}: level {level}"
    for v, moved, times in product(_VARIANCES, (1, 2, 7), map(Fraction, ("1/2", "2", "3"))):
        noise, rho = gaussian(v), moved / (2 * v)
        level, where = times * rho, f"variance {v}, Delta^2 = {moved}"
        found = noise.delta(float(level), moved)
        right = 1 if times < 1 else (-ball((level - rho) ** 2 / (4 * rho))).exp()
        yield agrees(f"{where}: rho", noise.concentrated(moved), rho)
        yield agrees(f"{where}: delta of {level}", found, right, relative=0 if times < 1 else 1e-11)
        law, other = _law(1 / (2 * v), 2), _law(1 / (2 * v), 2, math.isqrt(moved))
        least = np.maximum(law - math.exp(level) * other, 0).sum()
        enough = least <= found and arb(found) >= right
        yield bool(enough) or f"{where}, epsilon = {level}: delta {found} is too small"
    for deviation, least in ((0.5, 1), (2.0, 4), (2.1, 5), (100.0, 10_000)):
        yield agrees(f"deviation {deviation}: sigma^2", of_deviation(deviation).variance, least)


@PAPER.claim(
    "Ours (samples of noise on whole numbers, the functions)",
    r"what DiscreteLaplace and DiscreteGaussian sample has the probabilities proportional to $e^{-|n|/s}$ and $e^{-n^2/2\sigma^2}$, and `happens_with_exp` is true with probability $e^{-n/d}$",
    hypotheses="40,000 numbers of a fixed seed, chi-square at $10^{-6}$: an error of about two hundredths in a probability is seen, a smaller one is not",
    recorded="supported",
    formula=(DiscreteLaplace, DiscreteGaussian, happens_with_exp),
    mutants={
        **halved((DiscreteLaplace, DiscreteGaussian, happens_with_exp), 0),
        "rounded variance": (DiscreteLaplace, lambda v: DiscreteGaussian(Fraction(math.ceil(v))), happens_with_exp),
    },
)
@in_floats("eight parameters, four events; chi-square at 1e-6, seed 1")
def samples_of_noise(functions: Any) -> Parts:
    *noises, happens = functions
    cases = [(0, s, 1 / s, 1) for s in _SCALES] + [(1, v, 1 / (2 * v), 2) for v in _VARIANCES]
    for kind, parameter, rate, power in cases:
        drawn, near = noises[kind](parameter).sample(_DRAWN, 1), _law(rate, power)[595:606]
        seen = np.array([np.sum(drawn == n) for n in range(-5, 6)])
        often = _DRAWN * near > 1
        cells, law = seen[often].tolist(), near[often].tolist()
        rest = max(1 - sum(law), 1e-4)  # a rare rest may be empty
        level = stats.chisquare([*cells, _DRAWN - sum(cells)], _DRAWN * np.array([*law, rest]) / (sum(law) + rest))
        yield bool(level.pvalue > 1e-6) or f"noise {kind + 1} of {parameter}: {seen.tolist()} of -5, ..., 5"
    for n, d in ((0, 1), (1, 1), (1, 2), (2, 3)):
        share = happens(np.full(_DRAWN, n), d, as_random_source(1)).mean()
        yield agrees(f"share of an event of probability e^(-{n}/{d})", share, math.exp(-n / d), 0.02)


@PAPER.claim(
    "Ours (sampled bits, the function)",
    r"UnaryEncoding.sample draws by its channel, with exact odds; `exact`$(\epsilon)$ has rational odds of at most the float ones, with a product of at most $e^\epsilon$, which one label alone does not need; the hit rate in floats is the exact one",
    family="K = 2, odds (2, 3), (1/2, 5), both labels, over everything that the random source can say; floats at epsilon = 1/10, 1, 40, 80, the hit rate within 1e-12",
    formula=UnaryEncoding,
    mutants={
        "odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a),
        "one label": lambda k, a, b: UnaryEncoding(1, a, b),
    },
)
def sampled_bits(make: Any) -> Parts:
    def law(encoding: Any, label: int) -> dict[Any, Fraction]:
        return enumerated(lambda source: tuple(encoding.sample([label], source)[0].tolist()))

    for (a, b), label in product(((Fraction(2), Fraction(3)), (Fraction(1, 2), Fraction(5))), (0, 1)):
        where, found = f"odds {a} and {b}", law(make(2, a, b), label)
        ones = [a / (1 + a) if j == label else 1 / (1 + b) for j in (0, 1)]
        chances = [{1: one, 0: 1 - one} for one in ones]
        right = {(i, j): chances[0][i] * chances[1][j] for i, j in product((0, 1), repeat=2)}
        yield found == right or f"{where}, label {label}: {found}, not {right}"
        yield agrees(f"{where}: hit rate", make(3, float(a), float(b)).hit_rate, make(3, a, b).hit_rate, 1e-12)
    alone = make(1, 3.5, 4.5).exact(0.1)
    yield agrees("K = 1, which has no secret: odds", [alone.odds_present, alone.odds_absent], [3.5, 4.5])
    for epsilon, share in product((0.1, 1.0, 40.0, 80.0), (0.0, 0.5, 1.0)):
        odds = math.exp(share * epsilon), math.exp((1 - share) * epsilon)
        exact = make(3, *odds).exact(epsilon)
        both = exact.odds_present, exact.odds_absent
        rational = all(isinstance(o, Fraction) and o.numerator + o.denominator <= 2**62 for o in both)
        close = all(f * (1 - 1e-9) <= o <= f or f > 2**61 == o for o, f in zip(both, odds, strict=True))
        with ctx.workprec(160):
            private = bool(ball(both[0] * both[1]) <= arb(epsilon).exp())
        yield (rational and close and private) or f"epsilon = {epsilon}: odds {both}"


@PAPER.claim(
    "Ours (tails of Gaussian noise, the functions)",
    r"`pac_delta` is $\Pr[Z>u]$ and `approximate_delta` $\Pr[Z>u]-e^\epsilon\Pr[Z>u+1/\sigma]$, $u=\epsilon\sigma-1/(2\sigma)$; at `pac_scale` and `analytic_scale` they are $\delta$",
    family="epsilon = 1/100, 1, 8; scales 1/3, 1, 5, and those of delta = 1e-12, 1e-9, 1e-6, 1/1000, 1/2, 9/10; within 1e-9 of themselves",
    method="ball arithmetic (rigorous)",
    formula=(pac_delta, approximate_delta),
    mutants={"the two notions exchanged": (approximate_delta, pac_delta)},
)
def tails_of_gaussian_noise(functions: Any) -> Parts:
    with ctx.workprec(160):
        for epsilon, place in product((0.01, 1.0, 8.0), (0, 1)):
            scale_of = (pac_scale, analytic_scale)[place]
            scales: list[Any] = [(None, s) for s in (1 / 3, 1.0, 5.0)]
            scales += [(d, scale_of(epsilon, d)) for d in (1e-12, 1e-9, 1e-6, 0.001, 0.5, 0.9)]
            for delta, scale in scales:
                s, e, found = arb(scale), arb(epsilon), functions[place](scale, epsilon)
                far = e.exp() * upper_tail(e * s + 1 / (2 * s)) if place else arb(0)
                right, where = upper_tail(e * s - 1 / (2 * s)) - far, f"epsilon = {epsilon}, sigma = {scale}"
                yield agrees(f"{where}: delta", found, right, absolute=1e-300, relative=1e-9)
                if delta is not None:
                    yield agrees(f"{where}: the delta that it is for", delta, right, relative=1e-9)
