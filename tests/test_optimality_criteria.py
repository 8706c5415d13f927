"""Optimality without a solver: BlockRR in (4.1), BRR* under symmetries, any common m; and what these functions refuse.

That the answers are right for all parameters is for the claims of liu2026 and zhang2025; here: floats, edges, bad input.
"""

from fractions import Fraction

import numpy as np
import pytest

from lpmech import PrivacyLevel
from lpmech.errors import BlockError, InvalidInputError, ProgramError, UtilityError
from lpmech.mechanisms.bipartite_rr import bipartite_rr_star
from lpmech.mechanisms.bipartite_rr.optimality import (
    acts_transitively,
    common_m_duals,
    common_m_is_optimal,
    grr_threshold_on_integers,
    star_duals,
    star_is_proved_optimal,
)
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.block_rr.mixture import mixture_weight, rr_on_majority
from lpmech.mechanisms.block_rr.optimality import block_rr_is_optimal
from lpmech.mechanisms.exponential import exponential, exponential_from_root
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.utilities import absolute, circular, hamming

PRIOR = (Fraction(4, 6), Fraction(1, 6), Fraction(1, 6))


@pytest.mark.parametrize(
    ("prior", "majority", "decay", "ratio", "l", "optimal"),
    [
        # uniform prior: RR is optimal for every t
        ((Fraction(1, 3),) * 3, [0, 1, 2], Fraction(1, 2), Fraction(3, 2), 0, True),
        # 22/27 against 31/36, although S2 is not empty and l = |S1|
        (PRIOR, [0], Fraction(1, 2), Fraction(2), 1, False),
        # K = 2, decay 0: RR is optimal iff p_min >= 1/(t + 1), with equality here
        ((Fraction(2, 3), Fraction(1, 3)), [0, 1], 0, Fraction(2), 0, True),
        ((Fraction(5, 7), Fraction(2, 7)), [0, 1], 0, Fraction(2), 0, False),
    ],
)
def test_block_rr_optimal_in_fractions_and_floats(prior, majority, decay, ratio, l, optimal):
    assert block_rr_is_optimal(prior, majority, decay, PrivacyLevel.from_ratio(ratio), l) is optimal
    away = ratio * Fraction(101, 100)  # off the equality, for floats
    exact = block_rr_is_optimal(prior, majority, decay, PrivacyLevel.from_ratio(away), l)
    assert (
        block_rr_is_optimal(
            [float(p) for p in prior], majority, float(decay), PrivacyLevel.from_epsilon(np.log(float(away))), l
        )
        == exact
    )


def test_block_rr_optimality_refuses_what_is_outside():
    level = PrivacyLevel.from_ratio(2)
    for decay in (1, -1, Fraction(3, 2)):
        with pytest.raises(InvalidInputError, match="decay"):
            block_rr_is_optimal(PRIOR, [0], decay, level, 0)
    with pytest.raises(BlockError, match="l"):
        block_rr_is_optimal(PRIOR, [0], 0, level, 2)
    with pytest.raises(BlockError, match="l"):
        rr_on_majority(PRIOR, [0], level, 0)


def test_block_rr_is_a_mixture_in_floats():
    prior, majority = [0.4, 0.3, 0.15, 0.1, 0.05], [0, 1, 2]
    for epsilon in (0.1, 1.0, 5.0):
        a = mixture_weight(np.exp(epsilon), 3, 2, 2)
        rr, moved = (
            randomized_response(5, epsilon).matrix,
            rr_on_majority(prior, majority, PrivacyLevel.from_epsilon(epsilon), 2).matrix,
        )
        np.testing.assert_allclose(
            (1 - a) * rr + a * moved, block_rr_from_partition(prior, majority, epsilon, 2).matrix, rtol=1e-13
        )


def test_star_is_proved_optimal_on_a_circle_and_not_on_a_line():
    assert star_is_proved_optimal(circular(6), PrivacyLevel.from_ratio(3))
    assert not star_is_proved_optimal(absolute(4), PrivacyLevel.from_ratio(2))
    # one output: the only channel is optimal
    assert star_is_proved_optimal([[1], [3]], PrivacyLevel.from_ratio(2))
    # floats: the duals still sum to the utility of BRR*
    utility = circular(7)
    value = bipartite_rr_star(utility, 0.7).expected_utility(utility)
    assert star_duals(utility, PrivacyLevel.from_epsilon(0.7)).sum() == pytest.approx(value, rel=1e-13)


def test_symmetries_are_checked():
    turn = [1, 2, 3, 0]
    assert acts_transitively(circular(4), [(turn, turn)])
    flip = [3, 2, 1, 0]
    assert not acts_transitively(circular(4), [(flip, flip)])  # two orbits of outputs
    for pair in ((turn, turn), ([0, 0, 1, 2], turn)):
        with pytest.raises(UtilityError, match="symmetries"):
            acts_transitively(absolute(4), [pair])
    # a prior that is not turned with the rows
    with pytest.raises(UtilityError, match="symmetries"):
        acts_transitively(circular(4), [(turn, turn)], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)])


def test_common_m_needs_a_regular_channel():
    level = PrivacyLevel.from_ratio(2)
    assert common_m_is_optimal([[1, 0], [0, 1]], 1, level)
    with pytest.raises(ProgramError, match="singular"):
        common_m_duals([[1, 0], [1, 0]], 1, level)
    with pytest.raises(ProgramError, match="inputs"):
        common_m_duals([[1, 0, 0], [0, 1, 0]], 1, level)


def test_grr_threshold():
    assert grr_threshold_on_integers(2) == 1  # GRR is always optimal
    assert grr_threshold_on_integers(4) == pytest.approx(2 + 5**0.5)
    with pytest.raises(UtilityError, match="n"):
        grr_threshold_on_integers(1)


def test_exponential_from_root_agrees_with_floats():
    utility = [[0, 2, -4], [2, 0, -4]]  # Delta = 2
    exact = exponential_from_root(utility, Fraction(3, 2))
    assert exact.is_exact
    np.testing.assert_allclose(exact.matrix.astype(float), exponential(utility, 2 * np.log(1.5)).matrix, rtol=1e-14)
    for bad in ([[1, 2], [1, 2]], [[0, 1], [2, 0]]):  # Delta = 0; 1 is half of Delta
        with pytest.raises(UtilityError, match="multiples"):
            exponential_from_root(bad, 2)
    with pytest.raises(InvalidInputError, match="root"):
        exponential_from_root(utility, 1)


def test_circular_and_hamming():
    assert circular(5).tolist()[0] == [0, -1, -2, -2, -1]
    assert hamming(["00", "01", "11"]).tolist() == [[0, -1, -2], [-1, 0, -1], [-2, -1, 0]]
    for words in ([], ["0", "01"]):
        with pytest.raises(UtilityError, match="words"):
            hamming(words)
    with pytest.raises(UtilityError, match="size"):
        circular(0)
