"""Vulnerability, leakage and capacity: by hand, against qif, and what holds for every channel."""

import math
from fractions import Fraction

import numpy as np
import pytest
import qif
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech import Channel, PrivacyLevel
from lpmech.errors import ChannelError, PriorError, UtilityError
from lpmech.leakage import (
    additive_leakage,
    min_entropy_leakage,
    multiplicative_bayes_capacity,
    multiplicative_leakage,
    posterior_vulnerability,
    prior_vulnerability,
)
from lpmech.mechanisms import randomized_response

F = Fraction


def whole(rows, columns, low=0):
    entries = st.integers(low, 6)
    return st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def channel_of(counts):
    return Channel([[F(v + 1, sum(row) + len(row)) for v in row] for row in counts])


def test_vulnerabilities_by_hand():
    # prior (1/2, 1/3, 1/6), rows (3/5, 1/5, 1/5) and so on: joint columns (3/10, 1/15, 1/30), (1/10, 1/5, 1/30),
    # (1/10, 1/15, 1/10), whose maxima 3/10, 1/5, 1/10 sum to 3/5; before the output the best guess is right with 1/2
    channel, prior = randomized_response(3, PrivacyLevel.from_ratio(3)), [F(1, 2), F(1, 3), F(1, 6)]
    assert prior_vulnerability(prior) == F(1, 2)
    assert posterior_vulnerability(channel, prior) == F(3, 5)
    assert multiplicative_leakage(channel, prior) == F(6, 5)
    assert additive_leakage(channel, prior) == F(1, 10)
    assert min_entropy_leakage(channel, prior) == pytest.approx(math.log2(1.2))
    # two actions, "label 0" for 2 and "another" for 1: 1 and 1/2 before; per output max(3/5, 1/10), max(1/5, 7/30),
    # max(1/5, 1/6)
    gain = [[2, 0], [0, 1], [0, 1]]
    assert prior_vulnerability(prior, gain) == 1
    assert posterior_vulnerability(channel, prior, gain) == F(3, 5) + F(7, 30) + F(1, 5)
    assert multiplicative_bayes_capacity(channel) == F(9, 5)  # K t / (t + K - 1)


@settings(max_examples=40)
@given(whole(3, 4), whole(3, 2, low=-6), st.lists(st.integers(1, 5), min_size=3, max_size=3))
def test_agrees_with_qif(counts, gain, weights):
    channel, prior = channel_of(counts), [F(w, sum(weights)) for w in weights]
    matrix, p = channel.matrix.astype(float), np.array(prior, dtype=float)
    g = np.array(gain, dtype=float).T  # a row for each action
    assert float(posterior_vulnerability(channel, prior)) == pytest.approx(qif.measure.bayes_vuln.posterior(p, matrix))
    assert float(prior_vulnerability(prior)) == pytest.approx(qif.measure.bayes_vuln.prior(p))
    assert float(posterior_vulnerability(channel, prior, gain)) == pytest.approx(
        qif.measure.g_vuln.posterior(g, p, matrix), abs=1e-12
    )
    assert float(prior_vulnerability(prior, gain)) == pytest.approx(qif.measure.g_vuln.prior(g, p), abs=1e-12)
    assert float(multiplicative_bayes_capacity(channel)) == pytest.approx(qif.measure.bayes_vuln.mult_capacity(matrix))
    assert min_entropy_leakage(channel, prior) == pytest.approx(
        qif.measure.bayes_vuln.min_entropy_leakage(p, matrix), abs=1e-12
    )


@settings(max_examples=40)
@given(whole(3, 4), whole(3, 3), st.lists(st.integers(1, 5), min_size=3, max_size=3))
def test_no_gain_that_is_not_negative_leaks_more_than_the_capacity(counts, gain, weights):
    channel, prior = channel_of(counts), [F(w, sum(weights)) for w in weights]
    if any(any(row) for row in gain):
        leaked = multiplicative_leakage(channel, prior, gain)
        assert 1 <= leaked <= multiplicative_bayes_capacity(channel)
    assert posterior_vulnerability(channel) * 3 == multiplicative_bayes_capacity(channel)  # uniform: it is attained


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda c: posterior_vulnerability([[1]]), ChannelError),
        (lambda c: posterior_vulnerability(c, [1, 1]), PriorError),
        (lambda c: posterior_vulnerability(c, None, [[1, 0]]), UtilityError),
        (lambda c: posterior_vulnerability(c, None, [[math.nan], [0]]), UtilityError),
        (lambda c: multiplicative_leakage(c, None, [[-1], [-1]]), UtilityError),
        (lambda c: multiplicative_bayes_capacity("c"), ChannelError),
        (lambda c: prior_vulnerability([2]), PriorError),
    ],
)
def test_bad_input_is_a_typed_error(call, error):
    with pytest.raises(error):
        call(randomized_response(2, 1.0))
