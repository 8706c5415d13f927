"""Proofs for all parameters and counterexamples: a statement holds, fails at a point, or is undecided."""

from lpmech.prove.answers import Answer, Fails, Holds, Undecided, Witness
from lpmech.prove.engine import example, prove

__all__ = ["Answer", "Fails", "Holds", "Undecided", "Witness", "example", "prove"]
