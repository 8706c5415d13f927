"""Labels of any hashable kind in the private histogram (its noise: test_continuous_and_learning.py)."""

import numpy as np
import pytest

from lpmech.applications.learning.block_rr import randomize_dataset
from lpmech.errors import InvalidInputError, LabelError
from lpmech.mechanisms.private_histogram import noisy_counts, private_histogram


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([1, "a", 1], [1, "a"]),
        ([(1, 2), (3, 4), (1, 2)], [(1, 2), (3, 4)]),
        (np.array(["x", "y", "x"]), ["x", "y"]),
        (np.array([7, 9, 7]), [7, 9]),
        ((True, False, True), [True, False]),
    ],
)
def test_counts_every_kind_of_label(labels, classes):
    # np.asarray would turn 1 and "a" into strings, and tuples into rows
    assert noisy_counts(labels, classes, 600.0, np.random.default_rng(1)) == pytest.approx([2, 1], abs=0.2)


@pytest.mark.parametrize("labels", [["secret"], [["secret"]], [{"secret"}], np.array([["secret"], ["b"]])])
def test_labels_that_are_not_flat_or_unknown_are_refused_and_not_quoted(labels):
    with pytest.raises(LabelError, match="labels") as caught:
        private_histogram(labels, ["a", "b"], 1.0, np.random.default_rng(0))
    assert "secret" not in str(caught.value)


def test_no_labels_give_noise_alone():
    prior = private_histogram([], ["a", "b", "c"], 1.0, np.random.default_rng(0))
    assert prior.sum() == pytest.approx(1)
    assert prior.min() >= 0


@pytest.mark.parametrize("share", ["x", None, 0.0, 1.0])
def test_alg_2_names_an_unusable_share(share):
    with pytest.raises(InvalidInputError) as caught:
        randomize_dataset([0, 1, 0], [0, 1], 1.0, 1.0, 0, np.random.default_rng(0), prior_fraction=share)
    assert caught.value.argument == "prior_fraction"
