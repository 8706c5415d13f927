"""zheng2025: the counterexamples by bare arithmetic, without the checks that found them, and the numbers in the notes."""

import math
from fractions import Fraction
from math import comb

import pytest
import sympy as sp
from flint import arb
from scipy import stats

from lpmech import Channel
from lpmech.claims import checking
from lpmech.claims.checking import check_reals, check_sampled_reals, unless_refuted
from lpmech.errors import LpmechError
from lpmech.papers.checks import ball
from lpmech.papers.zheng2025 import PAPER
from lpmech.papers.zheng2025.balls import concentrations, rounds_to, upper_tail
from lpmech.papers.zheng2025.network import network
from lpmech.papers.zheng2025.section_5 import some_fails, together_fail
from lpmech.prove.steps import holds, value
from lpmech.prove.texts import evaluated
from lpmech.terms import functions as tm
from lpmech.verdicts import Verdict, proved, refuted

F = Fraction
T, THETA, X = sp.symbols("t theta x")


def test_the_three_printed_numbers_are_the_values_rounded_up():
    # 1 - e^-0.6 = 0.45119; 1 - 0.4/e = 0.85285; (e^2 + 59)/(e^2 + 99) = 0.62402
    values = (1 - math.exp(-0.6), 1 - 0.4 / math.e, (math.e**2 + 59) / (math.e**2 + 99))
    assert [round(v, 2) for v in values] == [0.45, 0.85, 0.62]
    assert [math.ceil(100 * v) / 100 for v in values] == [0.46, 0.86, 0.63]
    # the window of PM holds e/(e + 1), the rest of the ball has density 1/e: the same number by another way
    assert math.e / (math.e + 1) + (0.6 - 1 / (math.e + 1)) / math.e == pytest.approx(values[1])


def test_epsilon_of_section_3():
    assert 1 - math.exp(-0.3 * 5.2) < 0.79
    assert math.log(5) / 0.3 == pytest.approx(5.3648, abs=5e-5)


def test_piecewise_formula_outside_its_range():
    # e^epsilon = 4: p = 2, C = 1/6. x = 0, theta = 1/12: the ball is [0, 1/12], probability 1/6; the formula has
    # 1/3 * 2 + (1/6 - 1/3) / 2 = 7/12
    assert F(1, 12) * 2 == F(1, 6)
    assert F(1, 3) * 2 + (F(1, 6) - F(1, 3)) * F(1, 2) == F(7, 12)


def test_lower_bound_fails_for_pm():
    # e^(epsilon/2) = 6 (epsilon = 3.6): the ball is all of [0, 1]; 1/100 of it, inside the window, has another class
    assert 1 - F(1, 100) * 6 == F(94, 100)
    assert F(95, 100) * F(99, 100) > F(94, 100)


def test_theorem_3_fails_for_two_values():
    # t = 2, delta = 1/10: diagonal 9/10 * 2/3 + 1/10 = 7/10, off 3/10: ratio 7/3 > 2 whenever x itself comes out
    diagonal = F(9, 10) * F(2, 3) + F(1, 10)
    assert diagonal == F(7, 10)
    assert diagonal / (1 - diagonal) > 2


def test_the_indicator_of_a_clipped_or_gaussian_mechanism():
    # Clipped Laplace: the atom at 0 has mass 1/2 from 0 and e^-epsilon/2 from 1; with delta = 1/10 the output 0 has
    # 0.1 + 0.9/2 = 0.55 from 0 against 0.9 e^-epsilon/2 from 1, a ratio above e^epsilon at every epsilon
    from lpmech.mechanisms import Clipped, Laplace

    for epsilon in (0.5, 1.0, 4.0):
        mechanism = Clipped(Laplace(epsilon))
        own, other = (float(mechanism.mass(0.0, 0.0, x)) for x in (0.0, 1.0))
        assert 0.1 + 0.9 * own == pytest.approx(0.55)
        assert 0.1 + 0.9 * own > math.exp(epsilon) * 0.9 * other
        # so the criterion refuses these atoms, and admits none
        condition = PAPER.claims["Theorem 3 [repaired]"].formula
        assert not holds(condition(*map(tm.term, (F(1, 10), F(own), F(other), F(math.exp(epsilon))))))
        assert holds(condition(*map(tm.term, (F(1, 10), F(0), F(0), F(math.exp(epsilon))))))
    # Gaussian noise is not epsilon-LDP: even at Theorem 4's sigma for delta = 0.1 some losses above epsilon remain
    sigma = (math.sqrt(math.log(20) + 1) + math.sqrt(math.log(20))) / math.sqrt(2)
    assert 0.1 + 0.9 * stats.norm.sf(sigma - 1 / (2 * sigma)) > 0.1064


def test_a_constant_channel_keeps_its_level_under_the_indicator():
    # both rows (1/2, 1/2), t = 2, delta = 1/10: 1/10 + 9/20 = 11/20 against 2 * 9/20 = 9/10, no loss above ln 2
    condition = PAPER.claims["Theorem 3 [repaired]"].formula
    assert holds(condition(*map(tm.term, (F(1, 10), F(1, 2), F(1, 2), F(2)))))
    # from delta = 1/3 on the two are equal, then it fails
    assert holds(condition(*map(tm.term, (F(1, 3), F(1, 2), F(1, 2), F(2)))))
    assert not holds(condition(*map(tm.term, (F(2, 5), F(1, 2), F(1, 2), F(2)))))


def test_levels_of_application_2_and_the_radius_from_which_sw_leads():
    from lpmech.mechanisms import PM, SW, even_grid, k_rr

    for epsilon, x, enough in ((1.96, 0.5, False), (1.97, 0.5, True), (3.08, 0.0, False), (3.09, 0.0, True)):
        assert (0.9405 * float(PM(epsilon).concentration(x, 0.3)) >= 0.8) is enough
    # (e^2 + 2)/(e^2 + 100) = theta (e^2 - 1) at theta = 0.01368
    atoms = k_rr(even_grid(101), 2)
    for theta, ahead in ((0.0136, False), (0.0137, True)):
        assert (float(SW(2).concentration(0.5, theta)) > float(atoms.concentration(0.5, theta))) is ahead


def test_binary_search_may_exceed_omega():
    # h(x~) = 1 iff x~ <= x: every radius has error rate 1/2 > tau = 9/20. n = ceil(8 ln 4 / (2 * 81/100)) = 14 samples,
    # accepted with at most 3 errors: 470/16384; 24 tests
    n = math.ceil(math.log(4) / (2 * 0.225**2))
    assert n == 14
    accept = F(sum(comb(14, k) for k in range(4)), 2**14)
    assert 1 - (1 - accept) ** 24 > F(1, 2)


def test_the_network_of_example_5_by_hand():
    # along the diagonal only the first hidden unit is active: h_2 - h_1 = 7.07 (3.71 - 3.95 v) - 1.52
    first, second = (value(score, {}) for score in network(F(1, 2), F(1, 2)))
    assert float(second - first) == pytest.approx(7.07 * (3.71 - 3.95 / 2) - 1.52)
    assert pytest.approx(0.38481, abs=5e-6) == (3.71 - 1.52 / 7.07) / 3.95 - 0.5
    first, second = (value(score, {}) for score in network(F(89, 100), F(89, 100)))
    assert first > second


def test_theorem_4_by_the_normal_distribution():
    # epsilon = 1, delta = 0.1: sigma = (sqrt(ln 20 + 1) + sqrt(ln 20)) / sqrt 2 = 2.637, at which the loss exceeds 1
    # with probability 0.0072; 1.595 is enough
    sigma = (math.sqrt(math.log(20) + 1) + math.sqrt(math.log(20))) / math.sqrt(2)
    assert sigma == pytest.approx(2.637, abs=5e-4)
    assert stats.norm.sf(sigma - 1 / (2 * sigma)) == pytest.approx(0.0072, abs=5e-5)
    assert stats.norm.sf(1.596 - 1 / (2 * 1.596)) < 0.1 < stats.norm.sf(1.594 - 1 / (2 * 1.594))


def test_the_second_positive_root_is_not_private():
    c = math.sqrt(2 * math.log(20))
    smaller = (-c + math.sqrt(c * c + 2)) / 2
    assert smaller > 0
    assert stats.norm.sf(smaller - 1 / (2 * smaller)) > 0.95


def test_analytic_definition_by_hand():
    # rows (5, 2, 93) and (0, 4, 96) per cent, t = 2: 5 - 2/2 = 4 and 4 - 0 = 4, but Pr_1['a'] - 2 Pr_2['a'] = 5
    assert F(5) - F(2) / 2 == 4
    assert 96 < 2 * 93


def test_ball_values_agree_with_the_mechanisms():
    # two implementations: ball arithmetic in the paper's claims, floats in lpmech.mechanisms
    from lpmech.mechanisms import PM, SW, Laplace, even_grid, exponential_on_grid, k_rr

    grid = even_grid(101)
    for epsilon in (1, 2, 6):
        mechanisms = {
            "Laplace": Laplace(epsilon), "PM": PM(epsilon), "SW": SW(epsilon),
            "Exponential": exponential_on_grid(grid, epsilon), "k-RR": k_rr(grid, epsilon),
        }  # fmt: skip
        for theta in ("0.05", "0.1", "0.3", "0.45"):
            values = concentrations(epsilon, theta)
            for name, mechanism in mechanisms.items():
                assert float(mechanism.concentration(0.5, float(theta))) == pytest.approx(float(values[name]))


def test_mean_concentrations_agree_with_the_mechanisms():
    from lpmech import PrivacyLevel
    from lpmech.mechanisms import PM, SW, even_grid, exponential_on_grid, k_rr
    from lpmech.papers.zheng2025.program import mean_concentrations

    for size, steps, t in ((4, 1, 4), (7, 2, 9), (11, 1, 49)):
        level, grid = PrivacyLevel.from_ratio(t), even_grid(size)
        mechanisms = {
            "PM": PM(level),
            "SW": SW(level),
            "k-RR": k_rr(grid, level),
            "Exponential": exponential_on_grid(grid, level),
        }
        points = [float(x) for x in grid]
        for name, mean in mean_concentrations(size, steps, t).items():
            assert mechanisms[name].concentration(points, steps / (size - 1)).mean() == pytest.approx(float(mean))


NEEDED = [
    ("Section 4.1.1 (piecewise, ball inside [0, 1])", X - THETA >= 0),
    ("Section 4.1.1 (piecewise, nested)", sp.Symbol("r") >= X + THETA),
    ("Takeaway (k-RR on bins dominates PM)", sp.Symbol("s") > 1),
    ("Theorem 3 [repaired]", sp.Symbol("f") <= T * sp.Symbol("g")),
    ("Theorem 2", sp.Symbol("R") >= 1 - sp.Symbol("delta_d")),
    ("B.2.1 (step 2, solutions)", sp.Symbol("R") > sp.Symbol("C")),
    ("C.4.2 (0.63 inside the window, Fig. 6)", sp.Symbol("s") >= sp.Rational(8, 5)),
    ("Takeaway (where PM leads)", sp.Symbol("s") - 1 / sp.Symbol("s") > sp.Symbol("epsilon")),
    ("Takeaway (where PM leads)", sp.Symbol("v") >= 1),
    ("Takeaway (where PM leads)", sp.Symbol("m") <= 100 * THETA),
    ("B.2.3 (scales)", sp.Symbol("C") > sp.Symbol("z")),
    ("C.3 (PAC implies (epsilon, delta))", sp.Symbol("a") <= sp.Symbol("delta")),
    ("Def. 13 (private)", sp.Symbol("n_1") <= sp.Symbol("s")),
]


@pytest.mark.parametrize(("id", "hypothesis"), NEEDED, ids=[id for id, _ in NEEDED])
def test_without_the_hypothesis_the_proof_fails(id, hypothesis, monkeypatch):
    # catches a proof that never used what it claims to rest on
    engine, dropped = checking.prove, []

    def without(conclusion, hypotheses, **options):
        parts = [part for h in hypotheses for part in sp.And.make_args(evaluated(h))]
        kept = [part for part in parts if part not in (hypothesis, hypothesis.reversed)]
        dropped.extend([id] * (len(kept) < len(parts)))
        return engine(conclusion, kept, **options)

    monkeypatch.setattr(checking, "prove", without)
    try:
        verdict = PAPER.claims[id].run().verdict
    except LpmechError:  # a pole inside the hypotheses, or no answer: no proof either
        verdict = None
    assert dropped
    assert verdict is not Verdict.PROVED


def test_check_reals_decides_only_what_the_balls_decide():
    assert check_reals({"e < 3": (arb(1).exp(), arb(3))}, "e").verdict is Verdict.PROVED
    outcome = check_reals({"3 < e": (arb(3), arb(1).exp())}, "e")
    assert outcome.verdict is Verdict.REFUTED
    assert (
        outcome.counterexample == "required: 3 < e; but 3.000000 > 2.718282"
    )  # was: "3.000000 > 2.718282; required: 3 < e"
    with pytest.raises(LpmechError, match="did not decide"):
        check_reals({"pi": (arb.pi() + arb("0 +/- 1"), arb.pi())}, "pi")


def test_reals_at_some_points_are_certified_at_best():
    # catches a verdict that calls a sample of the parameters a proof
    assert check_sampled_reals({"e < 3": (arb(1).exp(), arb(3))}, "e").verdict is Verdict.CERTIFIED
    assert check_sampled_reals({"3 < e": (arb(3), arb(1).exp())}, "e").verdict is Verdict.REFUTED


def test_the_printed_k_rr_formula_is_the_difference_of_the_cdf():
    # 100 points 1/100 apart, theta = 0.3: ]x - 0.3, x + 0.3] holds x and 59 others, the closed ball one more
    x, points = F(101, 200), [F(2 * i + 1, 200) for i in range(100)]
    assert sum(x - F(3, 10) < y <= x + F(3, 10) for y in points) == 60
    assert sum(abs(y - x) <= F(3, 10) for y in points) == 61


def test_where_pm_leads_at_the_ends_of_the_range():
    # the four others by their densities, summed or integrated here, at the half window and near 1/2
    for epsilon in (0.1, 1.0, 4.0, 9.18):
        s, t = math.exp(epsilon / 2), math.exp(epsilon)
        start = 1 / (2 * (s + 1))
        decay = [math.exp(-epsilon * abs(k) / 200) for k in range(-50, 51)]
        sw_high, sw_c = (t - 1) / epsilon, (t * (epsilon - 1) + 1) / (2 * (t - 1) ** 2)
        assert sw_c < start
        for theta in (start, (start + 0.5) / 2, 0.499):
            pm = 2 * start * s + 2 * (theta - start) / s
            reach = math.floor(100 * theta + 1e-9)
            assert pm > 1 - math.exp(-theta * epsilon)
            assert pm > 2 * sw_c * sw_high + 2 * (theta - sw_c) * sw_high / t
            assert pm > (t + 2 * reach) / (t + 100)
            assert pm > sum(decay[50 - reach : 51 + reach]) / sum(decay)
    # and k-RR is ahead where s = 100 and the ball ends on a point: 1 - 40/10100 against 1 - 0.4/100
    assert 1 - F(40, 10100) > 1 - F(4, 10) / 100


def test_gaussian_noise_of_theorem_4_is_less_concentrated_than_laplace():
    # the claim's chords and bounds against the two cdfs themselves, on both sides of x and for one-sided intervals
    for epsilon in (1, 2.5, 5, 8):
        tail = math.log(20)
        sigma = (math.sqrt(tail + epsilon) + math.sqrt(tail)) / (math.sqrt(2) * epsilon)
        gauss, laplace = stats.norm(scale=sigma), stats.laplace(scale=1 / epsilon)
        for down, up in ((0.3, 0.3), (0.05, 0.95), (0, 1), (0.01, 0), (0.5, 0.5)):
            assert gauss.cdf(up) - gauss.cdf(-down) < laplace.cdf(up) - laplace.cdf(-down)


def test_failure_of_one_of_two_mechanisms_and_of_both_together():
    # rows (1/5, 4/5), (3/5, 2/5), t = 2: from the second row the loss exceeds ln 2 at output 1 (ratio 3), so delta = 3/5;
    # one of two copies fails with 1 - (2/5)^2 = 21/25, but the two ratios 3 and 1/2 multiply to 3/2 < 4: only (1, 1) fails
    # together from the second row, 9/25, and from one row each ratios 3 and 2 do: 3/5 * 4/5 = 12/25
    channel = Channel([[F(1, 5), F(4, 5)], [F(3, 5), F(2, 5)]])
    assert some_fails(channel, 2) == F(21, 25)
    assert together_fail(channel, 2) == F(12, 25)


def test_unless_refuted_prefers_the_counterexample():
    found, proof = refuted("search", "no", "1"), proved("proof", "yes")
    assert unless_refuted(found, lambda: proof) is found
    assert unless_refuted(proof, lambda: found) is found


def test_rounding_and_tails():
    assert check_reals(rounds_to(ball("0.4549"), "0.45"), "just below").verdict is Verdict.PROVED
    assert check_reals(rounds_to(ball("0.4551"), "0.45"), "just above").verdict is Verdict.REFUTED
    assert float(upper_tail(ball("1.5"))) == pytest.approx(stats.norm.sf(1.5))


def test_every_section_with_statements_has_claims():
    ids = " ".join([*PAPER.claims, *PAPER.not_checkable])
    for item in (
        "Prop. 1", "Def. 8", "Theorem 1", "Theorem 2", "Theorem 3", "Theorem 4", "Def. 10", "Def. 11", "Def. 12", "Def. 13", "Def. 14",
        "Example 1", "Example 2", "Example 3", "Example 4", "Example 5", "B.2.1", "B.2.2", "B.2.3", "B.3", "C.2", "C.3", "C.4", "C.5",
        "Fig. 2b", "Takeaway", "Application 2", "Concentration program",
    ):  # fmt: skip
        assert item in ids
