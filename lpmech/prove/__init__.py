"""Proofs for all parameters and counterexamples: a statement holds, fails at a point, or is undecided."""

from lpmech.prove.answers import Answer, FailingPoint, Fails, Holds, Undecided
from lpmech.prove.engine import example, prove, typical
from lpmech.prove.vectors import Each, Vector

__all__ = ["Answer", "Each", "Fails", "Holds", "Undecided", "Vector", "FailingPoint", "example", "prove", "typical"]
