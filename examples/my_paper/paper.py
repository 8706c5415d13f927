"""The paper and its letters."""

import sympy as sp

from lpmech.papers.checking import small_values
from lpmech.papers.claims import Paper

PAPER = Paper("my_paper", "An example: subsets, geometric noise, windows and mixtures")

#: e^epsilon, and the number of labels.
t, K = sp.Symbol("t"), sp.Symbol("K", integer=True)


def inside(letters, holds):
    """Small whole numbers inside the hypotheses: where a wrong identity is to be shown wrong."""
    return [point for point in small_values(letters) if holds(*(point[letter] for letter in letters))]
