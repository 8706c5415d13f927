"""liu2026: proofs stop being proofs when a hypothesis is dropped, and the bounds of `losses` hold against floats."""

import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from scipy.stats import ttest_ind_from_stats

from lpmech.mechanisms.block_rr import block_rr_from_prior
from lpmech.mechanisms.block_rr.program import block_rr_program
from lpmech.papers.liu2026 import PAPER
from lpmech.papers.liu2026.losses import closed_form_value, loss_bounds, optimum_bounds, rr_is_optimal_at
from lpmech.papers.liu2026.section_5_3_2 import welch
from lpmech.papers.liu2026.tables import ABLATION, ACCURACY, COUNTS, SETTINGS
from lpmech.priors import prior_from_counts
from lpmech.verdicts import Verdict

DROPPED = [
    ("Def. 2.5 (randomized Phi)", "phi2 >= 0"),
    ("Section 2 (unification)", "s2 >= 1"),
    ("Theorem 3.4 (Algorithm 1, which l)", "t > 1"),
    ("Section 3.1 after Lemma 3.1 (l = 0, S~2 empty) [repaired]", "t > 1"),
    ("Theorem 3.4 (tight level)", "l <= s1"),
    ("Theorem 3.4 (tight level, all blocks)", "s1 >= b"),
    ("Alg. 1 (Delta)", "l <= s1"),
    ("eq. (3.3) (partition)", "d < 1"),
    ("eq. (3.3) (extremes of the partition)", "p >= p_min"),
    ("Alg. 2 line 7", "d*p_max > q"),
    ("Alg. 3 (Laplace scale)", "s < 2/epsilon"),
    ("Lemma F.1 (split by position)", "i != j"),
    ("Theorem 3.5", "r <= t*r2"),
    ("eq. (4.1) (feasibility)", "l <= s1"),
    ("eq. (4.1) (when BlockRR is optimal)", "t > 1"),
    ("eq. (4.2) and (4.3)", "X >= s*D"),
    ("Section 4 (same optimal solution) [repaired]", "t > 1"),
    ("Section 4 (boundary) [repaired]", "p*K == 1"),
    ("Section 4 (solution of the final system)", "t > 1"),
]


@pytest.mark.parametrize(("id", "dropped"), DROPPED)
def test_the_proof_needs_the_hypothesis(id, dropped, monkeypatch):
    # a check that ignored its hypotheses, or whose conclusion was trivial, would still say proved
    claim = PAPER.claims[id]
    module = sys.modules[claim.check.__module__]
    if claim.given:  # the hypotheses stand with the claim
        assert dropped in map(str, claim.given)
        weaker = replace(claim, given=tuple(h for h in claim.given if str(h) != dropped))
        assert (claim.run().verdict, weaker.run().verdict) == (Verdict.PROVED, Verdict.REFUTED)
        return
    original, seen = module.check_implications, []

    def weakened(hypotheses, conclusions, evidence, timeout_seconds=20.0):
        seen.extend(map(str, hypotheses))
        return original([h for h in hypotheses if str(h) != dropped], conclusions, evidence, timeout_seconds)

    monkeypatch.setattr(module, "check_implications", weakened)
    outcome = claim.run()
    assert dropped in seen
    assert outcome.verdict is Verdict.REFUTED


@pytest.mark.parametrize(("dataset", "budget"), [(d, b) for d in COUNTS for b in SETTINGS[d]])
def test_loss_bounds_hold_against_floats(dataset, budget):
    # independent path: HiGHS on the float program; catches a wrong block in the aggregated value or a swapped bound
    sigma, l = SETTINGS[dataset][budget]
    prior = prior_from_counts(COUNTS[dataset]).astype(float)
    program = block_rr_program(prior, float(budget), float(sigma), l or 0)
    closed = program.value(block_rr_from_prior(prior, float(budget), float(sigma), l or 0))
    assert abs(float(closed_form_value(dataset, budget)) - closed) < 1e-9
    optimum = float(program.solve().value)
    low, high = optimum_bounds(dataset, budget)
    assert low - 1e-6 <= optimum <= high + 1e-6
    assert high - low < Fraction(1, 10**5)
    least, most = loss_bounds(dataset, budget)
    assert least - 1e-4 <= 100 * (1 - closed / optimum) <= most + 1e-4


def test_rr_is_optimal_only_where_the_table_says_so():
    # at 6 and 8 S2 is empty and the duals fit; CIFAR-10_1 at 4 has S2 empty but loses 1.08 percent
    where = {(d, b) for d in COUNTS for b in SETTINGS[d] if rr_is_optimal_at(d, b)}
    assert where == {(d, Fraction(b)) for d in COUNTS for b in (6, 8)}


def test_algorithm_1_as_printed_releases_too_much():
    # t = 2, S1 = {1, 2}, Delta = {1}, S2 = {3}: kappa = 5, beta = 4/15, gamma = 1/5; 2 beta / gamma = 8/3. The minority
    # row sums to 14/15, so gamma becomes 3/14 and the ratio 112/45
    for id, told in (("", "8/15 and 1/5: the first, 2 times"), (", renormalised", "8/15 and 3/14: the first, 2 times")):
        assert told in PAPER.claims[f"Theorem 3.4 (Algorithm 1{id})"].run().counterexample


@pytest.mark.parametrize("budget", list(ABLATION))
def test_p_values_against_scipy(budget):
    # catches a wrong number of degrees of freedom, a one-sided value, or variances divided by n - 1
    own, other = ABLATION[budget]["0"], ACCURACY["CIFAR-10_2"][budget]["RR"]
    sample = [float(v) for pair in (own, other) for v in pair]
    expected = ttest_ind_from_stats(sample[0], sample[1], 10, sample[2], sample[3], 10, equal_var=False).pvalue
    assert float(welch(own, other)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "id",
    [
        "Abstract (without additional performance loss)",
        "Section 5.2 (balanced for epsilon >= 1)",
        "Section 5.3.1 (l = 0 is RR, Table 7)",
    ],
)
def test_readings_differ_as_recorded(id):
    # an unclear claim survives any change of one reading; its readings must not
    readings = PAPER.claims[id].run().readings.values()
    assert [outcome.verdict for outcome in readings] == [Verdict.PROVED, Verdict.REFUTED]


@pytest.mark.parametrize(
    "id",
    ["App. B sentence 1 (denominator)", "Section 4 (what Delta is for)", "Section 5.3.1 (l only affects S2)"],
)
def test_a_comparison_is_refuted_at_a_point(id):
    # catches a check that asks first whether its formula is one of <, = and >, and so never compares anything
    assert "left side" in PAPER.claims[id].run().counterexample
