"""RPWithPrior: exact values and bad input (distribution and sampling: test_continuous_and_learning.py)."""

from fractions import Fraction

import pytest

from lpmech import PrivacyLevel
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.rp_with_prior import RPWithPrior

FOUR = PrivacyLevel.from_ratio(4)


def test_density_and_cdf_by_hand():
    # [0, 2], delta 1/2, t = 4: gamma = 1 + 2/4 = 3/2, near density 2/3, far 1/6; support [-1/2, 5/2].
    # y = 1: mass 1/6 on [-1/2, 1/2], 2/3 on [1/2, 3/2], 1/6 beyond. Outside [0, 2]: uniform 1/3.
    mechanism = RPWithPrior(0, 2, 0.5, FOUR)
    assert mechanism.gamma == pytest.approx(1.5)
    assert mechanism.support == (-0.5, 2.5)
    assert mechanism.pdf([-0.6, -0.5, 0.5, 1.5, 1.6, 2.5, 2.6], 1.0) == pytest.approx(
        [0, 1 / 6, 2 / 3, 2 / 3, 1 / 6, 1 / 6, 0]
    )
    assert mechanism.cdf([-1, 0.5, 1.0, 1.5, 2.5], 1.0) == pytest.approx([0, 1 / 6, 1 / 2, 5 / 6, 1])
    assert mechanism.pdf(1.0, [-0.1, 2.1, 50.0]) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (("0", 1, 0.1, 1.0), "low"),
        ((0, None, 0.1, 1.0), "high"),
        ((0, 1, True, 1.0), "delta"),
        ((0, 1, 1j, 1.0), "delta"),
    ],
)
def test_what_is_no_number_is_a_typed_error(arguments, argument):
    with pytest.raises(InvalidInputError) as caught:
        RPWithPrior(*arguments)
    assert caught.value.argument == argument


def test_fractions_are_numbers():
    assert RPWithPrior(Fraction(1, 2), 2, Fraction(1, 4), FOUR).support == (0.25, 2.25)


@pytest.mark.parametrize(
    ("low", "high", "delta"), [(1.0, 1.0, 0.05), (0.3, 0.3, 0.1), (0.1, 0.7, 0.2), (-3.0, 2.9, 0.7)]
)
def test_the_ends_of_the_support_are_near_the_ends_of_the_interval(low, high, delta):
    # |0.95 - 1.0| is 0.05000000000000004: measured as a distance, the end of the support would count as far
    mechanism = RPWithPrior(low, high, delta, FOUR)
    first, last = mechanism.support
    assert mechanism.pdf([first, last], [low, high]) == pytest.approx([1 / mechanism.gamma] * 2)
