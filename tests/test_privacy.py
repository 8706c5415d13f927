import math
from fractions import Fraction

import pytest

from lpmech import PrivacyLevel
from lpmech.errors import PriorError, PrivacyLevelError
from lpmech.priors import as_prior, prior_from_counts, top_labels
from lpmech.privacy import as_privacy_level, log_of_fraction


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, -math.inf, 701, "1", None, True, 1e-17])
def test_bad_epsilon_is_a_typed_error_that_names_argument_and_value(bad):
    with pytest.raises(PrivacyLevelError) as caught:
        as_privacy_level(bad)
    assert caught.value.argument == "epsilon"
    assert repr(bad) in str(caught.value)


@pytest.mark.parametrize("bad", [1, 0, -3, "1/0", "x", 2.5, True, Fraction(1, 2)])
def test_bad_ratio_is_a_typed_error(bad):
    with pytest.raises(PrivacyLevelError, match="ratio"):
        PrivacyLevel.from_ratio(bad)


def test_levels_carry_epsilon_and_ratio():
    exact = PrivacyLevel.from_ratio("7/2")
    assert exact.ratio == Fraction(7, 2)
    assert exact.is_exact
    assert exact.epsilon == pytest.approx(math.log(3.5), rel=1e-15)
    rounded = as_privacy_level(2)
    assert not rounded.is_exact
    assert rounded.ratio == pytest.approx(math.exp(2), rel=1e-15)
    assert as_privacy_level(exact) is exact


def test_log_of_fraction_near_one_and_huge():
    # a naive log(p) - log(q) loses all digits near 1 and math.log(p / q) overflows for huge p
    assert log_of_fraction(1 + Fraction(1, 10**15)) == pytest.approx(1e-15, rel=1e-9)
    assert log_of_fraction(Fraction(10**400)) == pytest.approx(400 * math.log(10), rel=1e-12)


@pytest.mark.parametrize(
    "bad",
    [[0.5, 0.6], [-0.1, 1.1], [math.nan, 1.0], [], [Fraction(1, 2), Fraction(1, 3)], [[1.0]], "ab", [True, False]],
)
def test_bad_priors_are_typed_errors_never_renormalised(bad):
    with pytest.raises(PriorError, match="prior"):
        as_prior(bad)


def test_prior_of_wrong_size():
    with pytest.raises(PriorError, match="3 probabilities, not 2"):
        as_prior([0.5, 0.5], 3)


def test_prior_from_counts_is_exact():
    assert prior_from_counts([1, 2, 3]).tolist() == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]


@pytest.mark.parametrize("bad", [[1, -1], [1.5, 2], [0, 0], []])
def test_bad_counts(bad):
    with pytest.raises(PriorError, match="counts"):
        prior_from_counts(bad)


def test_top_labels_break_ties_towards_the_smaller_index():
    assert top_labels(as_prior([Fraction(1, 4)] * 4), 2) == [0, 1]
    assert top_labels(as_prior([0.1, 0.6, 0.3]), 2) == [1, 2]
