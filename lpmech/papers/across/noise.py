"""Noise on whole numbers, and bits: levels and laws exactly, what is sampled against them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy import stats

from lpmech.claims import Parts
from lpmech.claims.checking import check_facts
from lpmech.mechanisms import DiscreteGaussian, DiscreteLaplace, UnaryEncoding
from lpmech.mechanisms.gaussian import analytic_scale, approximate_delta, pac_delta, pac_scale
from lpmech.papers.across.chance import enumerated
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.paper import ball, upper_tail
from lpmech.verdicts import Outcome, Verdict, supported

_NOISES = (DiscreteLaplace, DiscreteGaussian)
_SCALES = tuple(map(Fraction, ("1/3", "2", "7/3", "20")))
_VARIANCES = tuple(map(Fraction, ("2/3", "4", "5/2", "1000")))
_DRAWN = 40_000


def _near(found: Any, right: Any) -> bool:
    return bool(abs(arb(float(found)) / right - 1) <= arb("1e-11"))


@PAPER.claim(
    "Ours (noise on whole numbers, the functions)",
    r"DiscreteLaplace has \\Pr[n]=\frac{1-a}{1+a}a^{|n|}, a=e^{-1/s}, and the level \Delta/s, of_level at most \epsilon; DiscreteGaussian is \frac{\Delta^2}{2\sigma^2}-concentrated, its delta e^{-(\epsilon-\rho)^2/4\rho} is no smaller than the true one, of_deviation has the least whole \sigma^2",
    hypotheses="probabilities and delta within 1e-11 of themselves; the true delta in one coordinate, summed over |n| <= 60",
    recorded="certified",
    family="scales 1/3, 2, 7/3, 20, sensitivities 1, 2, 7; epsilon = 1e-9, 1/10, 1, 700; variances 2/3, 4, 5/2, 1000; deviations 1/2, 2, 2.1, 100",
    method="ball arithmetic (rigorous)",
    formula=_NOISES,
    mutants={
        "scale doubled": (lambda s: DiscreteLaplace(2 * s), DiscreteGaussian),
        "the deviation": (DiscreteLaplace, lambda v: DiscreteGaussian(v**2)),
    },
)
def noise_on_whole_numbers(classes: Any) -> Parts:
    for s, moved in product(_SCALES, (1, 2, 7)):
        noise, a = classes[0](s), (-1 / ball(s)).exp()
        yield noise.level(moved) == moved / s or f"scale {s}, sensitivity {moved}: level {noise.level(moved)}"
        law = noise.probability(np.arange(-3, 4))
        same = all(_near(p, (1 - a) / (1 + a) * a ** abs(n)) for n, p in zip(range(-3, 4), law, strict=True))
        yield same or f"scale {s}: probabilities of -3, ..., 3 are {law.tolist()}"
    for epsilon, moved in product((1e-9, 0.1, 1.0, 700.0), (1, 2, 7)):
        level = DiscreteLaplace.of_level(moved, epsilon).level(moved)
        yield (
            1 - 1e-6 <= level / Fraction(epsilon) <= 1 or f"sensitivity {moved}: level {level} for epsilon = {epsilon}"
        )
    for v, moved in product(_VARIANCES, (1, 2, 7)):
        noise, rho = classes[1](v), moved / (2 * v)
        yield noise.concentrated(moved) == rho or f"variance {v}, Delta^2 = {moved}: rho = {noise.concentrated(moved)}"
        for epsilon in (rho / 2, 2 * rho, 3 * rho):
            found, right = noise.delta(float(epsilon), moved), (-ball((epsilon - rho) ** 2 / (4 * rho))).exp()
            formula = found == 1 if epsilon <= rho else _near(found, right) and bool(arb(found) >= right)
            enough = formula and found >= _delta(v, math.isqrt(moved), float(epsilon))
            yield enough or f"variance {v}, Delta^2 = {moved}, epsilon = {epsilon}: delta {found}"
    for deviation, least in ((0.5, 1), (2.0, 4), (2.1, 5), (100.0, 10_000)):
        found = DiscreteGaussian.of_deviation(deviation).variance
        yield found == least or f"deviation {deviation}: sigma^2 = {found}"


def _delta(variance: Fraction, moved: int, epsilon: float) -> float:
    """The least delta for a number that moves by so much, summed near 0."""
    n = np.arange(-60, 61)
    p, q = (np.exp(-((n - m) ** 2) / float(2 * variance)) for m in (0, moved))
    return float(
        np.maximum(p - math.exp(epsilon) * q, 0).sum()
        / np.exp(-(np.arange(-400, 401) ** 2) / float(2 * variance)).sum()
    )


@PAPER.claim(
    "Ours (samples of noise on whole numbers, the functions)",
    r"what DiscreteLaplace and DiscreteGaussian sample has the probabilities proportional to e^{-|n|/s} and e^{-n^2/2\sigma^2}",
    hypotheses="40,000 numbers of a fixed seed, chi-square at 1e-6: an error of about two hundredths in a probability is seen, a smaller one is not",
    recorded="supported",
    formula=_NOISES,
    mutants={
        "Laplace noise of twice the scale": (lambda s: DiscreteLaplace(2 * s), DiscreteGaussian),
        "rounded variance": (DiscreteLaplace, lambda v: DiscreteGaussian(Fraction(math.ceil(v)))),
    },
)
def samples_of_noise(classes: Any) -> Outcome:
    def facts() -> Any:
        cases = [(0, s, 1 / float(s), 1) for s in _SCALES] + [(1, v, 1 / float(2 * v), 2) for v in _VARIANCES]
        for kind, parameter, rate, power in cases:
            drawn = classes[kind](parameter).sample(_DRAWN, 1)
            weights = np.exp(-rate * np.arange(-600.0, 601.0).__abs__() ** power)
            law = (weights / weights.sum())[595:606]
            seen = np.array([np.sum(drawn == n) for n in range(-5, 6)])
            table = [*seen, _DRAWN - seen.sum()], _DRAWN * np.array([*law, 1 - law.sum()])
            kept = table[1] > 1
            level = stats.chisquare(
                np.array(table[0])[kept], table[1][kept] * np.sum(np.array(table[0])[kept]) / table[1][kept].sum()
            ).pvalue
            yield level > 1e-6, f"{classes[kind].__name__}, parameter {parameter}: {seen.tolist()} of -5, ..., 5"

    found = check_facts(facts(), "eight parameters", "chi-square at 1e-6, seed 1")
    return found if found.verdict is Verdict.REFUTED else supported(found.method, found.evidence)


@PAPER.claim(
    "Ours (sampled bits, the function)",
    r"UnaryEncoding.sample draws by its channel, with exact odds; exact(\epsilon) has rational odds of at most the float ones, with a product of at most e^\epsilon",
    recorded="certified",
    family="K = 2, odds (2, 3), (1/2, 5), both labels, over everything that the random source can say; floats at epsilon = 1/10, 1, 40, 80",
    formula=UnaryEncoding,
    mutants={
        "odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a),
        "one label": lambda k, a, b: UnaryEncoding(1, a, b),
    },
)
def sampled_bits(make: Any) -> Parts:
    for odds, label in product(((2, 3), (Fraction(1, 2), 5)), (0, 1)):
        p, q = Fraction(odds[0]) / (1 + odds[0]), Fraction(1) / (1 + odds[1])
        law = enumerated(
            lambda source, o=odds, y=label: tuple(make(2, *map(Fraction, o)).sample([y], source)[0].tolist())
        )
        chances = [p if j == label else q for j in (0, 1)]
        for bits in product((0, 1), repeat=2):
            right = math.prod(c if bit else 1 - c for c, bit in zip(chances, bits, strict=True))
            yield (
                law.get(bits, 0) == right or f"odds {odds}, label {label}: {bits} with {law.get(bits, 0)}, not {right}"
            )
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
    r"pac_delta is Pr[Z>u] and approximate_delta Pr[Z>u]-e^\epsilon Pr[Z>u+1/\sigma], u=\epsilon\sigma-1/(2\sigma); at pac_scale and analytic_scale they are \delta",
    recorded="certified",
    family="epsilon = 1/100, 1, 8; delta = 1/1000, 1/2, 9/10; scales 1/3, 1, 5; within 1e-9",
    method="ball arithmetic (rigorous)",
    formula=(pac_delta, approximate_delta, pac_scale, analytic_scale),
    mutants={"the two notions exchanged": (approximate_delta, pac_delta, pac_scale, analytic_scale)},
)
def tails_of_gaussian_noise(functions: Any) -> Parts:
    for epsilon, delta in product((0.01, 1.0, 8.0), (0.001, 0.5, 0.9)):
        scales = [(name, make(epsilon, delta)) for name, make in zip(("pac", "analytic"), functions[2:], strict=True)]
        for name, scale in (*scales, *(("", s) for s in (1 / 3, 1.0, 5.0))):
            s, e = arb(scale), arb(epsilon)
            pac, far = upper_tail(e * s - 1 / (2 * s)), upper_tail(e * s + 1 / (2 * s))
            rights = {"pac": pac, "analytic": pac - e.exp() * far}
            found = dict(zip(rights, (f(scale, epsilon) for f in functions[:2]), strict=True))
            same = all(abs(arb(found[kind]) - right) <= arb("1e-9") for kind, right in rights.items())
            yield same or f"epsilon = {epsilon}, sigma = {scale}: {found}"
            if name:
                yield (
                    bool(abs(rights[name] - delta) <= arb("1e-9"))
                    or f"epsilon = {epsilon}, delta = {delta}: {name} scale {scale}"
                )
