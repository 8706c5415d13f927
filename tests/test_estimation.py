"""Frequencies from released labels: unbiased, covered as stated, most likely as proved; merged labels are not invented."""

import json

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom
from test_randomizing import run, write_labels
from test_release import LABELS, make_release, save

from lpmech.channel import Channel
from lpmech.entries import to_float
from lpmech.errors import InvalidInputError, LabelError
from lpmech.mechanisms import randomized_response, rr_on_bins, subset_selection
from lpmech.release.estimating_files import estimate_file
from lpmech.release.estimation import clopper_pearson, estimate, estimate_sets, maximum_likelihood
from lpmech.release.label_sets import LabelSets


@pytest.mark.parametrize("epsilon", [0.5, 3.0, 8.0])
@pytest.mark.parametrize("rows", [10, 40, 150])
def test_coverage_for_two_labels_exactly(epsilon, rows):
    # by enumeration of all outcomes: no true frequency is covered less than 92.5 % of the time by a 95 % interval, and
    # the average is at least 94.9 %; a normal interval without the added rows covers 0 % at the ends for epsilon = 8
    channel = randomized_response(2, epsilon)
    found = [estimate([k, rows - k], channel) for k in range(rows + 1)]
    low, high = np.array([e.low[0] for e in found]), np.array([e.high[0] for e in found])
    covered = []
    for true in np.linspace(0, 1, 41):
        p = true * channel.matrix[0, 0] + (1 - true) * channel.matrix[1, 0]
        chance = binom.pmf(np.arange(rows + 1), rows, p)
        covered.append(chance[(low <= true + 1e-12) & (true <= high + 1e-12)].sum())
    assert min(covered) > 0.925
    assert 0.949 < np.mean(covered) < 0.98


def test_coverage_and_bias_for_several_labels():
    # 400 simulations, seed 2: standard deviation of a coverage of 95 % is 1.1 %
    rng, true = np.random.default_rng(2), np.array([0.7, 0.2, 0.06, 0.04, 0.0])
    matrix = np.exp(-0.6 * abs(np.subtract.outer(range(5), range(5))))
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True))
    found = [estimate(rng.multinomial(500, true @ channel.matrix), channel) for _ in range(400)]
    covered = np.mean([(e.low <= true) & (true <= e.high) for e in found], axis=0)
    assert np.all(covered > 0.915)
    assert np.all(covered < 0.995)
    middle = np.array([e.unbiased for e in found])
    assert np.all(abs(middle.mean(axis=0) - true) < 4 * middle.std(axis=0) / 400**0.5)


def test_labels_that_the_channel_merges_get_no_invented_number():
    # bins {0, 1} and {2}: only the sum of the first two frequencies shows
    rng, true = np.random.default_rng(0), np.array([0.1, 0.5, 0.4])
    channel = rr_on_bins([0, 0, 1], 2.0)
    covered = []
    for _ in range(120):
        found = estimate(rng.multinomial(2000, true @ to_float(channel.matrix)), channel)
        assert np.isnan(found.unbiased).tolist() == [True, True, False]
        assert found.low[0] == found.low[1] == 0
        assert 0.55 < found.high[0] == found.high[1] < 0.75
        covered.append((found.low <= true) & (true <= found.high))
    assert np.all(np.mean(covered, axis=0) > [0.949, 0.949, 0.91])  # merged: by Clopper and Pearson, never below 95 %
    constant = estimate([10], Channel([[1], [1]], outputs=["a"]))
    assert (constant.low.tolist(), constant.high.tolist()) == ([0, 0], [1, 1])


def test_bounds_from_outputs_hold_where_they_are_not_needed():
    from lpmech.release.estimation import _bounds_by_outputs

    # enumerated at two labels: jointly at least the stated confidence, for a channel whose rows are not symmetric
    matrix, rows, true = np.array([[0.6, 0.4], [0.25, 0.75]]), 60, np.array([0.3, 0.7])
    chance = binom.pmf(np.arange(rows + 1), rows, (true @ matrix)[0])
    ends = [_bounds_by_outputs(np.array([k, rows - k]), matrix, 0.95) for k in range(rows + 1)]
    held = np.array([np.all(low <= true) and np.all(true <= high) for low, high in ends])
    assert chance[held].sum() >= 0.95
    assert np.mean([np.all(high - low < 0.999) for low, high in ends]) > 0.1, "they say something"


def test_bounds_from_outputs_share_the_error_probability():
    """Catches bounds that each have all of it: of labels as they are, 5 % is for six ends, of three shares."""
    from lpmech.release.estimation import _bounds_by_outputs

    counts = np.array([30, 20, 10])
    low, high = _bounds_by_outputs(counts, np.eye(3), 0.95)
    assert np.allclose(binom.sf(counts - 1, 60, low), 0.05 / 6)
    assert np.allclose(binom.cdf(counts, 60, high), 0.05 / 6)


@pytest.mark.parametrize("seed", range(4))
def test_most_likely_frequencies_against_a_general_optimiser(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(7), size=5)
    counts = rng.multinomial(300, rng.dirichlet(np.ones(5) / 2) @ matrix) * (rng.random(7) < 0.8)
    found, gap = maximum_likelihood(counts, matrix)
    shares = counts / counts.sum()

    def lost(x):
        weights = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
        return -float(shares @ np.log(weights @ matrix))

    best = min(minimize(lost, rng.normal(size=5), method="L-BFGS-B").fun for _ in range(3))
    own = -float(shares[counts > 0] @ np.log(found @ matrix[:, counts > 0]))
    assert gap <= 1e-9
    assert own <= best + 1e-8  # no optimiser does better than the gap allows
    assert np.isclose(found.sum(), 1)
    assert found.min() >= 0


def test_posterior_is_bayes():
    found = estimate([500, 300, 200], randomized_response(3, 1.0))
    joint = found.likely[:, None] * to_float(randomized_response(3, 1.0).matrix)
    assert np.allclose(found.posterior, joint / joint.sum(axis=0))
    assert np.allclose(found.posterior.sum(axis=0), 1)


def test_clopper_pearson_at_its_definition():
    # at the bounds of k of n the tail probabilities are alpha / 2 each
    low, high = clopper_pearson(np.array([0, 3, 20]), 20, 0.1)
    assert (low[0], high[2]) == (0, 1)
    assert np.allclose(binom.sf([2, 19], 20, low[1:]), 0.05)
    assert np.allclose(binom.cdf([0, 3], 20, high[:2]), 0.05)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [-1, 2, 3], [0, 0, 0], [1.5, 2, 3], ["a", 1, 2], None, 3])
def test_bad_counts_are_typed_errors(counts):
    with pytest.raises(InvalidInputError):
        estimate(counts, randomized_response(3, 1.0))
    with pytest.raises(InvalidInputError, match="confidence"):
        estimate([1, 2, 3], randomized_response(3, 1.0), confidence=1.0)
    assert estimate([0, 1, 0], randomized_response(3, 1.0)).rows == 1


# -- files ------------------------------------------------------------------------------------------------------------


def released_file(path, rows=3000):
    """Released labels of two groups, of which one has only mild cases."""
    release, rng = make_release(ratio=20), np.random.default_rng(4)
    true = [(("a", "mild") if i % 3 else ("b", LABELS[rng.integers(3)])) for i in range(rows)]
    drawn = release.randomize([label for _, label in true])
    lines = [f"{group},{label}" for (group, _), label in zip(true, drawn, strict=True)]
    path.write_text("\n".join(["ward,severity", *lines]) + "\n")
    return release, path


def test_groups_are_estimated_apart(tmp_path):
    release, path = released_file(tmp_path / "out.csv")
    found = estimate_file(path, release, column="severity", by="ward", confidence=0.9999).groups
    assert list(found) == ["b", "a"]  # as in the file
    assert found["a"].rows == 2000
    assert found["a"].low[0] > 0.9  # only mild cases
    assert np.all(found["b"].low < 1 / 3)
    assert np.all(found["b"].high > 1 / 3)
    everybody = estimate_file(path, release, column="severity").groups
    assert everybody["all"].counts.tolist() == (found["a"].counts + found["b"].counts).tolist()


def test_groups_of_equal_released_labels_are_none(tmp_path):
    # every group would hold one released label only, which says nothing of true labels: the noise is not averaged out
    release, path = released_file(tmp_path / "out.csv", rows=30)
    with pytest.raises(InvalidInputError, match="another column than that of the released labels"):
        estimate_file(path, release, column="severity", by="severity")


def test_labels_that_are_never_released_are_refused(tmp_path):
    (tmp_path / "out.csv").write_text("severity\nmild\nsecret\n")
    with pytest.raises(LabelError, match="rows 3") as caught:
        estimate_file(tmp_path / "out.csv", make_release())
    assert "secret" not in str(caught.value)


def test_the_command(tmp_path, capsys):
    release, path = released_file(tmp_path / "out.csv", rows=600)
    command = ["estimate", path, "--channel", save(release, tmp_path / "design"), "--column", "severity"]
    assert run(*command, "--by", "ward", "--output", tmp_path / "picture.png") == 0
    shown = capsys.readouterr().out
    assert "ward = a: 400 released labels" in shown
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert run(*command, "--json") == 0
    data = json.loads(capsys.readouterr().out)["all"]
    assert data["rows"] == 600
    assert np.isclose(sum(data["most_likely"]), 1)
    assert run(*command, "--output", tmp_path / "picture.png") == 2  # not overwritten
    assert run("estimate", write_labels(tmp_path / "x.csv"), "--channel", tmp_path / "design") == 2


def test_shares_from_sets_have_less_absolute_error_than_clipped_ones():
    """What `estimate` prints, against estimates cut at zero and rescaled, as other packages print them: 26 letters."""
    rare = np.array([12, 9, 8, 7, 7, 6, 6, 6, 6, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 1.5, 1, 0.2, 0.15, 0.15, 0.1, 0.1])
    sets = LabelSets(tuple("abcdefghijklmnopqrstuvwxyz"), subset_selection(26, 1.0).exact(1.0))
    labels = np.repeat(np.arange(26), np.rint(50 * rare / rare.sum() * 100).astype(int))
    truth, errors = np.bincount(labels) / labels.size, []
    for seed in range(20):
        drawn = sets.mechanism.sample(labels, seed)
        found = estimate_sets(drawn.sum(axis=0).astype(np.int64), labels.size, sets)
        clipped = np.maximum(found.unbiased, 0)
        pair = found.likely, clipped / clipped.sum()
        errors.append([np.abs(shares - truth).mean() for shares in pair])
    printed, cut = np.mean(errors, axis=0)
    assert printed < 0.99 * cut


def test_extreme_levels_still_give_shares():
    sets = LabelSets(tuple("abcd"), subset_selection(4, 1e-6).exact(1e-6))
    found = estimate_sets(np.array([2, 0, 0, 0]), 2, sets)
    assert found.likely.min() >= 0
    assert found.likely.sum() == pytest.approx(1)
