import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lpmech
from lpmech import PrivacyLevel, priors
from lpmech.entries import as_array
from lpmech.errors import InvalidInputError, PriorError, PrivacyLevelError, UtilityError
from lpmech.priors import as_prior, prior_from_counts, top_labels, uniform_prior
from lpmech.privacy import as_privacy_level, log_of_fraction
from lpmech.programs import optimal_channel


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, -math.inf, 701, "1", None, True, 1e-17])
def test_bad_epsilon_is_a_typed_error_that_names_argument_and_value(bad):
    with pytest.raises(PrivacyLevelError) as caught:
        as_privacy_level(bad)
    assert caught.value.argument == "epsilon"
    assert repr(bad) in str(caught.value)


HUGE = [10**400, 10**5000, "1e309", "1e9999999", "1e999999999999999999", "9" * 5000, 1 + Fraction(1, 10**400)]


@pytest.mark.parametrize(
    "bad",
    [1, 0, -3, "1/0", "x", 2.5, True, Fraction(1, 2), "1/2/3", "3/-1", "nan", "inf", *HUGE],
    ids=lambda v: ascii(v)[:20] if v not in HUGE else "huge",
)
def test_bad_ratio_is_a_typed_error(bad):
    with pytest.raises(PrivacyLevelError, match="ratio"):
        PrivacyLevel.from_ratio(bad)


def test_numbers_that_floats_do_not_hold_are_typed_errors():
    with pytest.raises(UtilityError, match="utility"):
        optimal_channel([[Fraction(10**350), 0.5], [0.5, 1.0]], 1.0)
    with pytest.raises(InvalidInputError, match=r"1\.8e308"):
        optimal_channel([[10**350, 0], [0, 1]], 1.0).solve()  # exact entries at a float level
    with pytest.raises(PriorError, match="prior"):
        as_prior([10**400, -0.5])
    with pytest.raises(PrivacyLevelError, match="epsilon"):
        PrivacyLevel.from_epsilon(10**400)
    for size in (0, -1, 1.5, "2", None):
        with pytest.raises(PriorError, match="size"):
            uniform_prior(size)


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no")

    def __array__(self, *_, **__):
        raise KeyError("no")


@pytest.mark.parametrize("value", [10**5000, Unshowable(), [Unshowable()]], ids=["digits", "object", "list"])
def test_values_that_cannot_be_shown_are_still_named_by_their_argument(value):
    with pytest.raises(InvalidInputError, match="argument: got a value of type"):
        raise InvalidInputError("argument", value, "something else")
    with pytest.raises(InvalidInputError, match="epsilon"):
        as_privacy_level(value)
    with pytest.raises(InvalidInputError, match="prior"):
        as_prior(value)


def test_a_level_near_zero_keeps_its_digits():
    # e^epsilon - 1 by subtraction would keep 4 digits at epsilon = 1e-12; by expm1 and as a Fraction it keeps all
    below, above = PrivacyLevel.from_epsilon(1e-12).excess_bounds
    assert below < 1e-12 * (1 + 0.5e-12) < above < 1e-12 * (1 + 1e-11)
    assert above / below - 1 < 2**-48
    below, above = PrivacyLevel.from_ratio(1 + Fraction(1, 10**15)).excess_bounds
    assert below < 1e-15 < above < 1.00000001e-15


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9), st.integers(0, 60))
def test_the_logarithm_of_a_ratio_is_right_to_the_last_digits(ratio, digits):
    # near 1, where p / q rounds, and far from it; against mpmath with 200 digits
    for value in (ratio, 1 + ratio / 10**digits):
        with mpmath.workdps(200):
            exact = mpmath.log(mpmath.mpf(value.numerator) / value.denominator)
            assert abs(log_of_fraction(value) - exact) <= 1e-14 * abs(exact) + 1e-300


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


@pytest.mark.parametrize("decimal", ["0.1", "0.7"])
def test_what_keeps_a_level_keeps_the_decimal_that_it_prints(decimal):
    # the float 0.1 is more than 0.1, the float 0.7 less than 0.7; was: the float's own value
    level = PrivacyLevel.from_epsilon(float(decimal))
    assert level.epsilon_below <= min(Fraction(decimal), Fraction(float(decimal)))
    with mpmath.workdps(60):
        exact = mpmath.exp(mpmath.mpf(Fraction(decimal).numerator) / Fraction(decimal).denominator)
        below = mpmath.mpf(level.ratio_below.numerator) / level.ratio_below.denominator
    assert exact * (1 - mpmath.mpf(10) ** -15) < below <= exact


def test_a_rational_epsilon_is_not_rounded():
    assert PrivacyLevel.from_epsilon(Fraction(1, 10)).epsilon_below == Fraction(1, 10)
    with pytest.raises(PrivacyLevelError, match="epsilon"):
        PrivacyLevel.from_epsilon(Fraction(1, 3))  # was: the nearest float


@pytest.mark.parametrize("values", [[0.5, 0.25, 0.25], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]])
def test_a_checked_prior_is_handed_back_and_what_is_made_from_it_is_checked_anew(values):
    prior = as_prior(values)
    assert as_prior(prior) is prior
    assert as_prior(prior, 3) is prior
    for other in (
        prior[:2],
        2 * prior,
        -prior,
        prior[[0, 0, 0]],
        np.concatenate([prior, prior]),
        pickle.loads(pickle.dumps(prior))[1:],
    ):
        with pytest.raises(PriorError):
            as_prior(other)
    with pytest.raises(PriorError, match="2 probabilities"):
        as_prior(prior, 2)
    with pytest.raises(ValueError, match="read-only"):
        prior[0] = prior[1]
    with pytest.raises(ValueError, match="WRITEABLE"):
        prior.flags.writeable = True
    assert type(prior * prior) is type(prior + 1) is np.ndarray
    assert repr(prior) == repr(np.array(prior))


def test_a_design_converts_its_prior_once(monkeypatch):
    # once to floats and once in the canonical order, for the published mechanisms; what is handed on is not converted
    converted = []

    def counting(values, argument, *rest):
        converted.append(argument)
        return as_array(values, argument, *rest)

    monkeypatch.setattr(priors, "as_array", counting)
    lpmech.design({"a": 3, "b": 2, "c": 1}, 1.0)
    assert converted.count("prior") == 2
