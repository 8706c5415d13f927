"""The paper and its letters."""

from lpmech.claims import Paper
from lpmech.terms import functions as tm

PAPER = Paper("my_paper", "An example: subsets, geometric noise, windows and mixtures")

#: e^epsilon, and the number of labels; that it is a whole number is a hypothesis, `tm.Whole(K)`.
t, K = tm.symbols("t K")
