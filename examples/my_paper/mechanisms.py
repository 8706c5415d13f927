"""The mechanisms of the paper as exact channels, so that the lemmas can be replayed on them."""

from fractions import Fraction
from itertools import combinations

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k


def subset_selection(size, m, ratio):
    """Releases one of the subsets of m labels; those with the true label are `ratio` times as likely as the others."""
    subsets = list(combinations(range(size), m))
    return Channel(
        [_normalised([ratio if y in subset else 1 for subset in subsets]) for y in range(size)], None, subsets
    )


def truncated_geometric(size, root):
    """Two-sided geometric noise with a = 1/root on 0..size-1, what falls outside moved to the nearer end.

    The level between the two ends is root^(size-1), between neighbours root.
    """
    a = 1 / Fraction(root)
    last = size - 1

    def entry(i, j):
        weight = 1 if j in (0, last) else 1 - a
        return weight * a ** abs(i - j) / (1 + a)

    return Channel([[entry(i, j) for j in range(size)] for i in range(size)])


def window_on_line(size, width, ratio):
    """Labels within `width` are `ratio` times as likely as the others, each row divided by its sum."""
    return _windows(size, width, ratio, lambda i, j: abs(i - j))


def window_on_ring(size, width, ratio):
    """The same where label size-1 is next to label 0."""
    return _windows(size, width, ratio, lambda i, j: min((i - j) % size, (j - i) % size))


def mixture(prior, k, weight, ratio):
    """weight * randomised response + (1 - weight) * RRTop-k."""
    level = PrivacyLevel.from_ratio(ratio)
    first, second = randomized_response(len(prior), level), rr_top_k(prior, k, level)
    return Channel(weight * first.matrix + (1 - weight) * second.matrix)


def _windows(size, width, ratio, distance):
    rows = [[ratio if distance(i, j) <= width else 1 for j in range(size)] for i in range(size)]
    return Channel([_normalised(row) for row in rows])


def _normalised(row):
    return [Fraction(entry) / sum(row) for entry in row]
