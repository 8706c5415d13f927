"""Proofs for all parameters and counterexamples: `prove` answers that a statement holds, fails at a point, or neither."""

from lpmech.prove.answers import Answer, Fails, Holds, Undecided, Witness
from lpmech.prove.engine import example, prove

__all__ = ["Answer", "Fails", "Holds", "Undecided", "Witness", "example", "prove"]
