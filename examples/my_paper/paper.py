"""The paper and its letters."""

import sympy as sp

from lpmech.claims import Paper

PAPER = Paper("my_paper", "An example: subsets, geometric noise, windows and mixtures")

#: e^epsilon, and the number of labels.
t, K = sp.Symbol("t"), sp.Symbol("K", integer=True)
