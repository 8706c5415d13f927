"""zhang2025: the counterexamples by bare arithmetic, without the checks that found them, and what is covered."""

import math
import re
from fractions import Fraction
from itertools import pairwise

import pytest

from lpmech.certify.checker import exp_bounds
from lpmech.papers.zhang2025 import PAPER
from lpmech.papers.zhang2025.section_4d import row_ms, sorted_losses
from lpmech.prove import steps
from lpmech.verdicts import Verdict

F = Fraction


def numerator(losses, i, t):
    """sum_j (lambda_i - lambda_j) s_j with s_j = t before i (0-based) and 1 after it."""
    return sum((losses[i] - loss) * (t if j < i else 1) for j, loss in enumerate(losses))


def loss(losses, m, t):
    """Expected loss of a row of (6)."""
    return (t * sum(losses[:m]) + sum(losses[m:])) / (m * t + len(losses) - m)


# -- counterexamples, checked apart from the checks that found them ----------------------------------


def test_optimal_for_any_utility_fails_for_distances_on_three_items():
    # t = 3/2: BRR has m = 1 and loses (3 + 2 + 3)/3 / (7/2) = 16/21 on average; always releasing 2 loses 2/3 = 14/21.
    t = F(3, 2)
    rows = [sorted_losses(3, k) for k in (1, 2, 3)]
    assert all(numerator(row, 1, t) >= 0 for row in rows)  # no row raises a second term
    assert sum(loss(row, 1, t) for row in rows) / 3 == F(16, 21) > F(2, 3)


def test_minimum_at_the_end_point_fails_at_four_items_for_epsilon_one():
    # Row 1 (0 1 2 3): t - 1 - 2 < 0 for t < 3, so m_1 = 2. Row 2 (0 1 1 2): t - 1 > 0, so m = 1. And e < 3.
    for t in (F(11, 4), *exp_bounds(F(1))):
        assert numerator([0, 1, 2, 3], 1, t) == t - 3 < 0
        assert numerator([0, 1, 2, 3], 2, t) == 3 * t - 1 > 0
        assert numerator([0, 1, 1, 2], 1, t) == t - 1 > 0
    assert row_ms(4, F(11, 4)) == (2, 1, 1, 2)


def test_printed_m_2_fails_at_three_items():
    # t = 3/2, losses 0 1 1: i_3r = (sqrt 13 - 3)/(1/2) + 1 = 2.21, floor 2 is even, so the text says 3; but t + 0 > 0: m = 1.
    root = (math.sqrt(1.5 * 8 + 1) - 3) / 0.5 + 1
    assert math.floor(root) == 2
    assert numerator([0, 1, 1], 1, F(3, 2)) == F(3, 2)


def test_floor_in_m_1_fails_at_the_tie_of_four_items():
    # t = 3: (8) at i = 2 is 1 * 3 - 1 - 2 = 0, the root is 2, but Alg. 1 asks for a strict gain: m = 1. Same loss either way.
    assert numerator([0, 1, 2, 3], 1, F(3)) == 0
    assert loss([0, 1, 2, 3], 1, F(3)) == loss([0, 1, 2, 3], 2, F(3)) == 1


def test_first_line_of_11_has_the_wrong_sign():
    # N = 1, t = 4: sqrt(4 + 9/4) = 5/2; printed bound 2 - 3/2, right bound 2 + 3/2.
    assert F(5, 2) ** 2 == 4 + F(9, 4)
    assert not F(5, 2) < 2 - F(3, 2)
    assert F(5, 2) < 2 + F(3, 2)


def test_brr_is_beaten_by_another_common_m_on_five_items():
    # t = 2: Alg. 2 takes m = 1, because row 3 (0 1 1 2 2) ties; distances add up to 0 5 7 12 16.
    rows = [sorted_losses(5, k) for k in range(1, 6)]
    assert [sum(column) for column in zip(*rows, strict=True)] == [0, 5, 7, 12, 16]
    assert min(row_ms(5, F(2))) == 1
    assert sum(loss(row, 1, F(2)) for row in rows) / 5 == F(4, 3)
    assert sum(loss(row, 2, F(2)) for row in rows) / 5 == F(9, 7)


def test_utility_can_fall_when_the_budget_grows():
    # Tanimoto on 1..5: m = 2 at t = 3, m = 1 at t = 13/4.
    rows = [sorted((F(x * y, x * x + y * y - x * y) for y in range(1, 6)), reverse=True) for x in range(1, 6)]
    before, after = (sum(loss(row, m, t) for row in rows) / 5 for m, t in ((2, F(3)), (1, F(13, 4))))
    assert before == F(188887, 233415) > after == F(600907, 752115)


def distances(points):
    return [sorted(abs(x - y) for y in points) for x in points]


def test_four_locations_at_which_a_larger_budget_loses_more():
    # row sums 19, 17, 17, 21, nearest at 1, 1, 2, 2. t = 5, m = 2: (5 * 6 + 74 - 6) / (4 * 12) = 98/48. At t = 6 the
    # row of 8 stops, 2 * 6 >= (7 - 2) + (8 - 2) = 11, so m = 1 for all: 74 / (4 * 9)
    rows = distances([0, 1, 8, 10])
    assert all(numerator(row, 1, 5) < 0 for row in rows)
    assert any(numerator(row, 2, 5) >= 0 for row in rows)
    assert [numerator(row, 1, 6) < 0 for row in rows] == [True, True, False, True]
    values = [sum(loss(row, m, F(t)) for row in rows) / 4 for m, t in ((2, 5), (1, 6))]
    assert values == [F(98, 48), F(74, 36)]
    assert values[1] > values[0]


def test_replacing_one_gradient_moves_a_leaf_by_more_than_the_quoted_sensitivity():
    # n = 1, lambda = 1, g* = 1: V goes from -1/2 to 1/2, g*/(1 + lambda) = 1/2. Adding g to n = 1 with G = -1: from
    # -1/2 to 0; to an empty leaf: 1/2. So only replacing exceeds it.
    assert F(1, 2) - F(-1, 2) == 2 * F(1, 1 + 1)
    assert max(F(-1 + 1, 1 + 1 + 1) - F(-1, 1 + 1), F(1, 0 + 1 + 1)) == F(1, 1 + 1)


def test_noise_for_a_batch_of_four_is_smaller_than_the_error_of_brr():
    # points -1 and 1, epsilon = 1: BRR is RR, error 2/(e + 1) > 1/2 as e < 3; Laplace noise of scale 2/(4 epsilon) = 1/2.
    # Three examples do not do: 2/3 > 2/(e + 1) as e > 2.
    low, high = exp_bounds(F(1))
    assert 2 < low < high < 3
    assert 2 / (high + 1) > F(2, 4)
    assert 2 / (low + 1) < F(2, 3)


def test_the_error_of_brr_on_six_points_rises_with_the_budget():
    # losses of the third point 0 1 1 2 2 3: the second is raised while t + 0 - 1 - 1 - 2 = t - 4 < 0, so not at t = 4: m = 1
    rows = [sorted_losses(6, k) for k in range(1, 7)]
    ms = [min(next((i for i in range(1, 6) if numerator(row, i, t) >= 0), 6) for row in rows) for t in (F(15, 4), F(4))]
    values = [sum(loss(row, m, t) for row in rows) / 6 for m, t in zip(ms, (F(15, 4), F(4)), strict=True)]
    assert values == [F(173, 138), F(35, 27)]
    assert values[0] < values[1]
    assert ms[0] > ms[1] == 1


def test_a_staircase_can_beat_brr_on_four_locations():
    # t = 2: the rows of 0, 1, 2 have a nearest neighbour at 1; that of 1 stops, 1 * 2 >= (1 - 1) + (3 - 1). So m = 1:
    # 26 / (4 * 5). Weights 2, 3/2, 1, 1 instead: (26 + (1 + 1 + 1 + 2) / 2) / (4 * 11/2)
    rows = distances([0, 1, 2, 4])
    assert numerator(rows[1], 1, 2) >= 0
    weights = [2, F(3, 2), 1, 1]
    stairs = sum(sum(d * w for d, w in zip(row, weights, strict=True)) for row in rows) / (4 * sum(weights))
    assert stairs == F(57, 44) < F(26, 20) == sum(loss(row, 1, F(2)) for row in rows) / 4


def test_rows_may_break_the_ratio_that_columns_keep():
    # Rows (4 2 1), (2 4 1), (4 2 1) over 7: within a row 4, within a column at most 2.
    rows = [(4, 2, 1), (2, 4, 1), (4, 2, 1)]
    assert max(rows[0]) == 4 * min(rows[0])
    assert all(max(column) <= 2 * min(column) for column in zip(*rows, strict=True))


def test_pi_stands_inside_the_sum_of_15():
    # Rows (2 1), (3 1), s = (1, 1), pi = (1/3, 2/3): Q_g = (1/3 (2 s + 1) + 2/3 (3 s + 1))/(s + 1).
    def value(s):
        return (F(1, 3) * (2 * s + 1) + F(2, 3) * (3 * s + 1)) / (s + 1)

    h = F(1, 10**9)
    slope = (value(1 + h) - value(1 - h)) / (2 * h)
    assert abs(slope - F(5, 12)) < F(1, 10**8)
    assert F(1, 3) * ((2 - 1) + (3 - 1)) / 4 == F(1, 4)  # as printed with k = 1


# -- helpers of the claims ---------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "t"), [(1, F(2)), (2, F(2)), (7, F(3, 2)), (12, F(4)), (31, F(20))])
def test_fast_rows_agree_with_the_loop_on_fractions(n, t):
    for k, m in enumerate(row_ms(n, t), 1):
        losses = sorted_losses(n, k)
        assert m == next((i for i in range(1, n) if numerator(losses, i, t) >= 0), n)


# -- coverage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3, 16))
def test_every_equation_has_a_claim(number):
    assert any(re.search(rf"\({number}\)", id) for id in PAPER.claims)


@pytest.mark.parametrize(
    "item", ["Alg. 1", "Alg. 2", "Alg. 3", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 11", "Section VI.C"]
)
def test_every_algorithm_and_recomputable_figure_has_a_claim(item):
    assert any(id.startswith(item) for id in PAPER.claims)


def test_claims_stand_in_the_order_of_the_sections():
    """Catches a module imported out of turn: the ids that name a section must not go back."""
    order = ["Section I ", "Section III", "Section IV.A", "Section IV.B", "Section IV.D", "Section V.A", "Section V.C",
             "Section V.D", "Section V.E", "Section VI.C"]  # fmt: skip
    places = [
        i for id in PAPER.claims for i, start in enumerate(order) if id.startswith(start) and "the function" not in id
    ]
    assert all(a <= b for a, b in pairwise(places))


def test_every_unclear_claim_has_readings_that_differ():
    unclear = [claim for claim in PAPER.claims.values() if claim.recorded is Verdict.UNCLEAR]
    assert unclear
    for claim in unclear:
        assert len(set(claim.readings.values())) > 1, claim.id


def test_two_items_are_settled_by_their_stakes():
    # stakes 4 and 2 at t = 2: the randomized response (2/3) loses (4 + 2)/3 = 2, always releasing item 1 loses 2 as well;
    # with stakes 5 and 2 it loses 7/3, the constant 2
    condition = PAPER.claims["Abstract (optimal for any utility) [repaired]"].formula
    assert steps.holds(condition(((5, 1), (1, 3)), 2))
    assert not steps.holds(condition(((6, 1), (1, 3)), 2))
    assert Fraction(5 + 2, 3) > 2


def test_brr_star_is_grr_from_its_threshold_on():
    # N = 5: (N - 1)(N - 2)/3 = 4; the sorted distances of 1..5 add up to 0, 5, 7, 12, 16 over the rows
    totals = [sum(sorted(abs(i - j) for j in range(5))[r] for i in range(5)) for r in range(5)]
    assert totals == [0, 5, 7, 12, 16]
    for t, raised in ((Fraction(4), False), (Fraction(39, 10), True)):
        one, two = (Fraction(t * sum(totals[:m]) + sum(totals[m:])) / (m * t + 5 - m) for m in (1, 2))
        assert (two < one) is raised
    assert PAPER.claims["Section VI.B (closer to GRR, BRR*)"].formula(Fraction(5)) == 4
