"""Noise on whole numbers, sampled bits and Gaussian tails: levels and laws exactly, what is sampled against them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy import stats

from lpmech.claims import Parts
from lpmech.claims.checking import check_facts
from lpmech.mechanisms import DiscreteGaussian, DiscreteLaplace, UnaryEncoding
from lpmech.mechanisms.discrete_noise import happens_with_exp
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta, pac_delta, pac_scale
from lpmech.papers.across.chance import enumerated
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.balls import ball, upper_tail
from lpmech.randomness import as_random_source
from lpmech.verdicts import Outcome, Verdict, supported

_NOISES = (DiscreteLaplace, DiscreteGaussian)
_SCALES = tuple(map(Fraction, ("1/3", "2", "7/3", "20")))
_VARIANCES = tuple(map(Fraction, ("2/3", "4", "5/2", "1000")))
_DRAWN = 40_000


def _near(found: Any, right: Any) -> bool:
    return bool(abs(arb(float(found)) / right - 1) <= arb("1e-11"))


def _law(rate: Fraction, power: int, moved: int = 0) -> Any:
    """Probabilities of -600, ..., 600, proportional to e^(-rate |n - moved|^power), in floats."""
    weights = np.exp(-float(rate) * np.abs(np.arange(-600.0, 601.0) - moved) ** power)
    return weights / weights.sum()


@PAPER.claim(
    "Ours (noise on whole numbers, the functions)",
    r"DiscreteLaplace has \Pr[n]=\frac{1-a}{1+a}a^{|n|}, a=e^{-1/s}, and the level \Delta/s, of_level at most \epsilon; DiscreteGaussian is \frac{\Delta^2}{2\sigma^2}-concentrated, its delta e^{-(\epsilon-\rho)^2/4\rho} is no smaller than the true one, of_deviation has the least whole \sigma^2",
    hypotheses="probabilities and delta within 1e-11 of themselves; the true delta of one coordinate, summed in floats",
    recorded="certified",
    family="scales 1/3, 2, 7/3, 20, sensitivities 1, 2, 7; epsilon = 1e-9, 1/10, 1, 700; variances 2/3, 4, 5/2, 1000; deviations 1/2, 2, 2.1, 100",
    method="ball arithmetic (rigorous)",
    formula=_NOISES,
    mutants={
        "scale doubled": (lambda s: DiscreteLaplace(2 * s), DiscreteGaussian),
        "the variance of the variance": (DiscreteLaplace, lambda v: DiscreteGaussian(v**2)),
    },
)
def noise_on_whole_numbers(classes: Any) -> Parts:
    for s, moved in product(_SCALES, (1, 2, 7)):
        noise, a = classes[0](s), (-1 / ball(s)).exp()
        law = noise.probability(range(-3, 4)).tolist()
        same = all(_near(p, (1 - a) / (1 + a) * a ** abs(n - 3)) for n, p in enumerate(law))
        yield (same and noise.level(moved) == moved / s) or f"scale {s}, {moved} moved: {noise.level(moved)}, law {law}"
    for epsilon, moved in product((1e-9, 0.1, 1.0, 700.0), (1, 2, 7)):
        level = DiscreteLaplace.of_level(moved, epsilon).level(moved)
        yield 1 - 1e-6 <= level / Fraction(epsilon) <= 1 or f"{moved} moved, epsilon = {epsilon}: level {level}"
    for v, moved, times in product(_VARIANCES, (1, 2, 7), map(Fraction, ("1/2", "2", "3"))):
        noise, rho = classes[1](v), moved / (2 * v)
        level = times * rho
        found, right = noise.delta(float(level), moved), (-ball((level - rho) ** 2 / (4 * rho))).exp()
        formula = found == 1 if times < 1 else _near(found, right) and bool(arb(found) >= right)
        law, other = _law(1 / (2 * v), 2), _law(1 / (2 * v), 2, math.isqrt(moved))
        enough = found >= np.maximum(law - math.exp(level) * other, 0).sum()
        right = formula and enough and noise.concentrated(moved) == rho
        yield (
            bool(right) or f"variance {v}, Delta^2 = {moved}, epsilon = {level}: {noise.concentrated(moved)}, {found}"
        )
    for deviation, least in ((0.5, 1), (2.0, 4), (2.1, 5), (100.0, 10_000)):
        found = DiscreteGaussian.of_deviation(deviation).variance
        yield found == least or f"deviation {deviation}: sigma^2 = {found}"


@PAPER.claim(
    "Ours (samples of noise on whole numbers, the functions)",
    r"what DiscreteLaplace and DiscreteGaussian sample has the probabilities proportional to e^{-|n|/s} and e^{-n^2/2\sigma^2}, and happens_with_exp is true with probability e^{-n/d}",
    hypotheses="40,000 numbers of a fixed seed, chi-square at 1e-6: an error of about two hundredths in a probability is seen, a smaller one is not",
    recorded="supported",
    formula=_NOISES,
    mutants={
        "Laplace noise of twice the scale": (lambda s: DiscreteLaplace(2 * s), DiscreteGaussian),
        "rounded variance": (DiscreteLaplace, lambda v: DiscreteGaussian(Fraction(math.ceil(v)))),
    },
)
def samples_of_noise(classes: Any) -> Outcome:
    def facts() -> Iterator[tuple[bool, str]]:
        cases = [(0, s, 1 / s, 1) for s in _SCALES] + [(1, v, 1 / (2 * v), 2) for v in _VARIANCES]
        for kind, parameter, rate, power in cases:
            drawn, near = classes[kind](parameter).sample(_DRAWN, 1), _law(rate, power)[595:606]
            seen = np.array([np.sum(drawn == n) for n in range(-5, 6)])
            often = _DRAWN * near > 1
            cells, law = seen[often].tolist(), near[often].tolist()
            rest = max(1 - sum(law), 1e-4)  # a rare rest may be empty
            level = stats.chisquare([*cells, _DRAWN - sum(cells)], _DRAWN * np.array([*law, rest]) / (sum(law) + rest))
            yield level.pvalue > 1e-6, f"{classes[kind].__name__}({parameter}): {seen.tolist()} of -5, ..., 5"
        for n, d in ((0, 1), (1, 1), (1, 2), (2, 3)):
            share = happens_with_exp(np.full(_DRAWN, n), d, as_random_source(1)).mean()
            yield bool(abs(share - math.exp(-n / d)) <= 0.02), f"an event of probability e^(-{n}/{d}): {share}"

    found = check_facts(facts(), "eight parameters, four events", "chi-square at 1e-6, seed 1")
    return found if found.verdict is Verdict.REFUTED else supported(found.method, found.evidence)


def _drawn_bits(encoding: Any, label: int, source: Any) -> tuple[int, ...]:
    return tuple(encoding.sample([label], source)[0].tolist())


@PAPER.claim(
    "Ours (sampled bits, the function)",
    r"UnaryEncoding.sample draws by its channel, with exact odds; exact(\epsilon) has rational odds of at most the float ones, with a product of at most e^\epsilon, which one label alone does not need; the hit rate in floats is the exact one",
    recorded="certified",
    family="K = 2, odds (2, 3), (1/2, 5), both labels, over everything that the random source can say; floats at epsilon = 1/10, 1, 40, 80, the hit rate within 1e-12",
    formula=UnaryEncoding,
    mutants={
        "odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a),
        "one label": lambda k, a, b: UnaryEncoding(1, a, b),
    },
)
def sampled_bits(make: Any) -> Parts:
    for (a, b), label in product(((Fraction(2), Fraction(3)), (Fraction(1, 2), Fraction(5))), (0, 1)):
        found = enumerated(partial(_drawn_bits, make(2, a, b), label))
        chances = [a / (1 + a) if j == label else 1 / (1 + b) for j in (0, 1)]
        one, other = ({1: chance, 0: 1 - chance} for chance in chances)
        right = {(i, j): one[i] * other[j] for i, j in product((0, 1), repeat=2)}
        yield found == right or f"odds {a} and {b}, label {label}: {found}, not {right}"
        rates = [make(3, *odds).hit_rate for odds in ((a, b), (float(a), float(b)))]
        yield abs(rates[1] - rates[0]) <= 1e-12 or f"odds {a} and {b}: hit rate {rates[1]} in floats, {rates[0]}"
    alone = make(1, 3.5, 4.5).exact(0.1)
    yield (alone.odds_present, alone.odds_absent) == (3.5, 4.5) or f"K = 1, which has no secret: {alone}"
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
    r"pac_delta is \Pr[Z>u] and approximate_delta \Pr[Z>u]-e^\epsilon\Pr[Z>u+1/\sigma], u=\epsilon\sigma-1/(2\sigma); at pac_scale and analytic_scale they are \delta",
    recorded="certified",
    family="epsilon = 1/100, 1, 8; scales 1/3, 1, 5, and those of delta = 1/1000, 1/2, 9/10; within 1e-9",
    method="ball arithmetic (rigorous)",
    formula=(pac_delta, approximate_delta),
    mutants={"the two notions exchanged": (approximate_delta, pac_delta)},
)
def tails_of_gaussian_noise(functions: Any) -> Parts:
    for epsilon, (place, scale_of) in product((0.01, 1.0, 8.0), enumerate((pac_scale, analytic_scale))):
        scales = [(None, s) for s in (1 / 3, 1.0, 5.0)] + [(d, scale_of(epsilon, d)) for d in (0.001, 0.5, 0.9)]
        for delta, scale in scales:
            s, e = arb(scale), arb(epsilon)
            far = e.exp() * upper_tail(e * s + 1 / (2 * s)) if place else arb(0)
            right, found = upper_tail(e * s - 1 / (2 * s)) - far, functions[place](scale, epsilon)
            close = all(abs(arb(value) - right) <= arb("1e-9") for value in (found, found if delta is None else delta))
            yield (
                close
                or f"epsilon = {epsilon}, sigma = {scale}: {found}, delta = {delta}, not {right.str(8, radius=False)}"
            )
