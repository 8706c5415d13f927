"""Rigorous bounds of what BlockRR's closed form loses in (4.1) at the settings of Tables 8 and 9, at the true e^epsilon."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.certify import certificate_of
from lpmech.certify.checker import exp_bounds
from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.mechanisms.block_rr.optimality import fitting_duals
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.papers.checks import ball
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.estimates import exact
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.priors import prior_from_counts, top_labels

#: e^epsilon and e^(-1/sigma) are rounded outwards to multiples of 1 / SCALE where a program is solved.
SCALE = 10**7


def _outwards(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    return Fraction(low * SCALE // 1, SCALE), Fraction(-(-high * SCALE // 1), SCALE)


def _minority(dataset: str, sigma: Fraction) -> list[int]:
    return [i for i in range(len(COUNTS[dataset])) if i not in majority_of(COUNTS[dataset], sigma)]


def closed_form_value(dataset: str, budget: Fraction) -> arb:
    """Objective of (4.1) at BlockRR, a ball that contains it: columns of Delta, of the rest of S1 and of S2, by their prior."""
    sigma, l = SETTINGS[dataset][budget]
    delta_size = l or 0
    t, decay = ball(budget).exp(), ball(-1 / sigma).exp()
    prior, minority = prior_from_counts(COUNTS[dataset]), _minority(dataset, sigma)
    size, n2 = len(prior), len(minority)
    second = sum((prior[i] for i in minority), Fraction(0))
    favoured = sum((prior[i] for i in top_labels(prior, delta_size)), Fraction(0))  # Delta: see 'Alg. 2 line 7'
    high, low = (formula(t, 1, size - n2, n2, delta_size) for formula in (beta, gamma))
    rest = t + decay * (size - 1)
    on_delta = high * (t + decay * (size - n2 - 1)) + decay * n2 / size
    return on_delta * ball(favoured) + high * rest * ball(1 - second - favoured) + low * rest * ball(second)


@cache
def optimum_bounds(dataset: str, budget: Fraction) -> tuple[Fraction, Fraction]:
    """Certified bounds of the optimum of (4.1).

    The optimum rises with e^epsilon, which only relaxes the privacy constraints, and with e^(-1/sigma), as weights and
    entries are not negative. So its exact values at rationals below and above both, each with its certificate, bound it.
    """
    sigma, l = SETTINGS[dataset][budget]
    ratios = _outwards(*exp_bounds(budget))
    low, high = exp_bounds(1 / sigma)
    decays = _outwards(1 / high, 1 / low)
    prior, majority = prior_from_counts(COUNTS[dataset]), majority_of(COUNTS[dataset], sigma)
    values = []
    for ratio, decay in zip(ratios, decays, strict=True):
        program = block_rr_program_from_decay(prior, majority, decay, PrivacyLevel.from_ratio(ratio), l or 0)
        values.append(certificate_of(program.solve("exact")).lower)
    return values[0], values[1]


def rr_is_optimal_at(dataset: str, budget: Fraction) -> bool:
    """Whether S2 is empty and d max p < pi_y < p_y holds for every label, with the duals of RR: then nothing is lost."""
    sigma, _ = SETTINGS[dataset][budget]
    if _minority(dataset, sigma):
        return False
    t, decay = ball(budget).exp(), ball(-1 / sigma).exp()
    prior = np.array([ball(p) for p in prior_from_counts(COUNTS[dataset])], dtype=object)
    duals = fitting_duals(prior, (), range(len(prior)), t, decay)
    return all(bool(decay * max(prior) < pi) and bool(pi < p) for pi, p in zip(duals, prior, strict=True))


def loss_bounds(dataset: str, budget: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the loss in percent of the optimum; both zero where RR, the closed form, is optimal."""
    if rr_is_optimal_at(dataset, budget):
        return Fraction(0), Fraction(0)
    value = closed_form_value(dataset, budget)
    low, high = optimum_bounds(dataset, budget)
    least, most = 100 * (1 - value / ball(low)), 100 * (1 - value / ball(high))
    return exact(least.lower()), exact(most.upper())
