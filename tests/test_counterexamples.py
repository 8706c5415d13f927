"""Search and shrinking: the smallest known counterexamples come out, and what holds is left alone."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lpmech.errors import InvalidInputError
from lpmech.mechanisms import bipartite_rr_star, randomized_response, rr_with_prior
from lpmech.mechanisms.rr_with_prior import lp1
from lpmech.programs import optimal_channel
from lpmech.prove.counterexamples import Instance, find_counterexample, shrink
from lpmech.prove.rational_functions import negative_point, nonzero_point, simplest_between

F = Fraction
t = sp.Symbol("t")


def rr_attains_the_optimum(instance):
    program = lp1(instance.prior, instance.level)
    lost = program.solve("exact").value - program.value(randomized_response(len(instance.counts), instance.level))
    return None if lost == 0 else f"loses {lost}"


def test_the_smallest_prior_for_which_randomized_response_is_not_optimal():
    # w_1 = max p beats w_2 = t / (t + 1) as soon as it is larger: t = 2, prior (0, 1) loses 1/3
    found = find_counterexample(rr_attains_the_optimum)
    assert found is not None
    assert found.instance == Instance(F(2), (0, 1))
    assert str(found) == "K = 2, t = 2, prior (0, 1): loses 1/3"


def test_a_true_statement_has_no_counterexample():
    def rr_with_prior_is_optimal(instance):
        program = lp1(instance.prior, instance.level)
        lost = program.solve("exact").value - program.value(rr_with_prior(instance.prior, instance.level))
        return None if lost == 0 else f"loses {lost}"

    assert find_counterexample(rr_with_prior_is_optimal, largest=4, systematic=40, random_tries=10) is None


def test_statements_about_any_utility():
    # zhang2025: "the optimal randomized response for any utility"; two labels with unequal stakes are enough
    def brr_is_optimal(instance):
        program = optimal_channel(instance.utility, instance.level, instance.prior)
        channel = bipartite_rr_star(instance.utility, instance.level, instance.prior)
        return None if program.value(channel) == program.solve("exact").value else "not optimal"

    found = find_counterexample(brr_is_optimal, outputs=0)
    assert found is not None
    assert len(found.instance.counts) == 2
    assert sum(abs(v) for row in found.instance.utility for v in row) <= 3


def test_a_failure_that_appears_late_is_found_and_shrunk():
    found = find_counterexample(lambda i: "large" if len(i.counts) == 5 and i.ratio > 20 else None)
    assert found.instance.size == Instance(F(21), (0, 0, 0, 0, 1)).size


@given(st.integers(2, 5), st.integers(2, 30))
def test_shrinking_keeps_failing_and_never_grows(labels, threshold):
    def statement(instance):
        return "too many" if sum(instance.counts) >= threshold else None

    start = Instance(F(7, 3), (threshold,) * labels)
    found = shrink(statement, start)
    assert statement(found.instance) is not None
    assert found.instance.size == (2, 3 + threshold)  # K = 2, t = 2, counts that add up to the threshold


def test_shrinking_needs_a_failing_instance():
    with pytest.raises(InvalidInputError, match="violates"):
        shrink(lambda _: None, Instance(F(2), (1, 1)))
    with pytest.raises(InvalidInputError, match="largest"):
        find_counterexample(lambda _: None, largest=1)


def test_signs_are_decided_exactly():
    assert negative_point((t - 1) ** 2, t, 1, sp.oo) is None
    assert negative_point(t - 20, t, 1, sp.oo) == 2
    # negative only between sqrt(400) and 20.1: the simplest rational there is found, not sampled
    assert negative_point((t - 20) * (t - sp.Rational(201, 10)), t, 1, sp.oo) == F(221, 11)
    assert negative_point((t**2 - 2) * (t**2 - 2) / (t - 3) ** 2, t, 1, sp.oo) is None
    assert negative_point(1 / (t - 3), t, 1, sp.oo) == 2
    assert negative_point(1 / (t - 3), t, 3, sp.oo) is None


def test_nonzero_points():
    assert nonzero_point(t - t, t, 1, sp.oo) is None
    assert nonzero_point((t - 2) / (t - 3), t, 1, sp.oo) == F(3, 2)


def test_functions_that_are_not_rational_are_refused():
    with pytest.raises(InvalidInputError, match="rational function"):
        negative_point(sp.exp(t), t, 1, sp.oo)


@given(st.fractions(0, 20, max_denominator=40), st.fractions(0, 20, max_denominator=40))
def test_simplest_between_is_the_smallest_denominator(a, b):
    lower, upper = min(a, b), max(a, b)
    if lower == upper:
        return
    found = simplest_between(sp.Rational(*lower.as_integer_ratio()), sp.Rational(*upper.as_integer_ratio()))
    assert lower < found < upper
    for denominator in range(1, found.denominator):
        # lower < n / denominator < upper has no solution
        assert (lower.numerator * denominator // lower.denominator + 1) >= upper * denominator
