"""Labels of a Series or DataFrame are used, or refused where they contradict: never dropped without a word."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lpmech
from lpmech import Channel, optimal_channel
from lpmech.applications.learning.methods import OptimalClassifier
from lpmech.designs.designing import utility_of
from lpmech.entries import as_array, own_names
from lpmech.errors import ChannelError, InvalidInputError, LabelError, PriorError, UtilityError
from lpmech.labels.counts import as_label_counts
from lpmech.mechanisms import rr_with_prior
from lpmech.priors import as_prior, prior_from_counts
from lpmech.programs import Program
from lpmech.utilities import weight_matrix

NAMES = ["a", "b", "c"]
PRIOR = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)]
#: not symmetric, so that exchanged axes or rows show
GAIN = [[5, 1, 0], [2, 7, 1], [0, 3, 9]]
#: no two rows or columns are alike
CHANNEL = Channel([[Fraction(v, 10) for v in row] for row in ([7, 2, 1], [1, 6, 3], [2, 4, 4])], NAMES, NAMES)


def series(values, names, order):
    return pd.Series(list(values), index=list(names)).iloc[list(order)]


def frame(values, names, rows, columns):
    return pd.DataFrame(values, index=names, columns=names).iloc[list(rows), list(columns)]


orders = st.permutations(range(3))


@given(orders, orders, orders)
def test_the_order_of_labels_makes_no_difference_where_names_are_known(one, two, three):
    """Catches the rows of a Series in another order than the channel's: 0.8150 for 0.8450 without a word."""
    prior, gain = series(PRIOR, NAMES, one), frame(GAIN, NAMES, two, three)
    expected = sum(
        p * g * q
        for p, gains, row in zip(PRIOR, GAIN, CHANNEL.matrix, strict=True)
        for g, q in zip(gains, row, strict=True)
    )
    assert CHANNEL.expected_utility(gain, prior) == expected
    program = optimal_channel(gain, lpmech.PrivacyLevel.from_ratio(3), prior)
    assert program.inputs == tuple(NAMES[i] for i in two)
    assert program.outputs == tuple(NAMES[i] for i in three)
    plain = optimal_channel(GAIN, lpmech.PrivacyLevel.from_ratio(3), PRIOR, inputs=NAMES, outputs=NAMES)
    assert program.weights.tolist() == plain.weights[np.ix_(two, three)].tolist()
    named = optimal_channel(gain, lpmech.PrivacyLevel.from_ratio(3), prior, inputs=NAMES, outputs=NAMES)
    assert named.weights.tolist() == plain.weights.tolist()
    assert Program(gain, 1.0, NAMES, NAMES).weights.tolist() == GAIN


@given(orders, orders)
def test_a_channel_keeps_the_names_of_a_frame(rows, columns):
    shuffled = CHANNEL.to_frame().iloc[list(rows), list(columns)]
    assert Channel(CHANNEL.to_frame()) == CHANNEL
    assert Channel(shuffled, NAMES, NAMES) == CHANNEL
    found = Channel(shuffled)
    assert found.inputs == tuple(NAMES[i] for i in rows)
    assert found.restrict(NAMES).post_process(lambda name: name).expected_utility(
        frame(GAIN, NAMES, range(3), range(3)), series(PRIOR, NAMES, range(3))
    ) == CHANNEL.expected_utility(GAIN, PRIOR)


@given(orders)
def test_numbered_labels_are_positions(order):
    """Catches value_counts of labels 0, 1, 2, which puts the most frequent first."""
    prior = series(PRIOR, range(3), order)
    assert as_prior(prior).tolist() == PRIOR
    assert rr_with_prior(prior, 1.0) == rr_with_prior(PRIOR, 1.0)
    assert prior_from_counts(series([5, 3, 2], range(3), order)).tolist() == PRIOR
    assert as_array(frame(GAIN, range(3), order, order), "utility", 2).tolist() == GAIN
    # a table that nobody labelled has the labels 0, 1, 2, and is read by position
    assert CHANNEL.expected_utility(pd.DataFrame(GAIN), pd.Series(PRIOR)) == CHANNEL.expected_utility(GAIN, PRIOR)
    # where the names are these numbers in another order, they are names
    assert as_prior(pd.Series(PRIOR), 3, [2, 0, 1]).tolist() == [PRIOR[i] for i in (2, 0, 1)]


@pytest.mark.parametrize(
    ("error", "argument", "call"),
    [
        (PriorError, "prior", lambda: CHANNEL.expected_utility(GAIN, series(PRIOR, "abd", range(3)))),
        (
            UtilityError,
            "utility",
            lambda: CHANNEL.expected_utility(frame(GAIN, list("abd"), range(3), range(3)), PRIOR),
        ),
        (UtilityError, "utility", lambda: CHANNEL.expected_utility(pd.DataFrame(GAIN, NAMES, list("abd")), PRIOR)),
        (UtilityError, "utility", lambda: optimal_channel(pd.DataFrame(GAIN, NAMES, NAMES), 1.0, inputs=list("abd"))),
        (PriorError, "prior", lambda: optimal_channel(GAIN, 1.0, series(PRIOR, NAMES, range(3)))),
        (
            PriorError,
            "prior",
            lambda: optimal_channel(pd.DataFrame(GAIN, NAMES, NAMES), 1.0, series(PRIOR, "abd", range(3))),
        ),
        (ChannelError, "matrix", lambda: Channel(CHANNEL.to_frame(), list("abd"))),
        (PriorError, "prior", lambda: rr_with_prior(series(PRIOR, NAMES, range(3)), 1.0)),  # its channel has no names
        (PriorError, "prior", lambda: as_prior(pd.Series(PRIOR, ["a", "a", "b"]), 3, NAMES)),
        (PriorError, "counts", lambda: prior_from_counts(pd.Series(list("aabbbc")).value_counts())),
        (PriorError, "prior", lambda: weight_matrix(series(map(float, PRIOR), NAMES, range(3)), 1.0)),
        (ChannelError, "matrix", lambda: Channel(CHANNEL.to_frame(), 5)),
        (ChannelError, "hashable", lambda: Channel(CHANNEL.to_frame(), [["a"], ["b"], ["c"]])),
        (LabelError, "inputs", lambda: Channel(pd.concat([CHANNEL.to_frame()] * 2))),
    ],
)
def test_labels_that_contradict_are_refused_by_name(error, argument, call):
    with pytest.raises(error, match=argument):
        call()


@pytest.mark.parametrize(
    "counts",
    [
        pd.Series([50, 30, 20], NAMES),  # was: one person with label 50, one with 30, one with 20
        pd.Series([0.5, 1.5], [True, False]),
        pd.Series([3, 4], pd.MultiIndex.from_tuples([(1, "a"), (1, "b")])),
        pd.DataFrame({"grade": [1, 1, 2], "n": 1}).groupby("grade").size(),
        pd.Series(list("aab")).value_counts(),
    ],
    ids=["texts", "truth values", "pairs", "groups", "value_counts"],
)
def test_a_series_of_counts_is_not_read_as_labels(counts):
    with pytest.raises(LabelError, match=r"\.to_numpy\(\) of it\); of counts: \.to_dict\(\) of it"):
        as_label_counts(counts)
    assert as_label_counts(pd.Series([2, 1, 2], [4, 0, 7])).counts == (1, 2)  # rows of a table that were chosen
    assert as_label_counts(pd.Series(list("aab"), NAMES)).counts == (2, 1)  # people with names


def test_a_design_takes_a_utility_by_name():
    counts = as_label_counts({"a": 5, "b": 3, "c": 2})
    shuffled = frame(GAIN, NAMES, [2, 0, 1], [1, 2, 0])
    assert utility_of(shuffled, counts)[1].tolist() == GAIN
    with pytest.raises(UtilityError, match="labels"):
        utility_of(frame(GAIN, list("abd"), range(3), range(3)), counts)
    by_position = lpmech.design({"a": 5, "b": 3, "c": 2}, 1.0, GAIN)
    assert lpmech.design({"a": 5, "b": 3, "c": 2}, 1.0, shuffled).interval == by_position.interval


def test_a_classifier_takes_a_utility_by_the_names_of_its_classes():
    model = OptimalClassifier(None, utility=frame(GAIN, NAMES, [2, 0, 1], [1, 2, 0]))
    model.classes_ = np.array(NAMES)
    assert model._gain(np.array(PRIOR)).tolist() == GAIN
    model.classes_ = np.array(list("abd"))
    with pytest.raises(UtilityError, match="labels"):
        model._gain(np.array(PRIOR))


def test_what_has_no_labels_is_read_by_position():
    for values in (PRIOR, tuple(PRIOR), np.array(PRIOR), pd.Index([0.5, 0.5]), {"a": 1}, None):
        assert own_names(values) == ()
    with pytest.raises(InvalidInputError, match="counts"):
        prior_from_counts({"a": 1})
