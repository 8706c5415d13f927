"""Statements by shape and number: the same one every time from the same seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from soundness import corpus_domains, corpus_steps, corpus_sums, corpus_traps
from soundness.guarded import guarded
from soundness.identities import perturbed_identity, true_identity
from soundness.implications import implication
from soundness.inequalities import inequality
from soundness.statement import Statement

__all__ = ["SHAPES", "CORPUS", "statement"]

CORPUS: list[Statement] = [
    s for part in (corpus_domains, corpus_sums, corpus_traps, corpus_steps) for c in part.CHAPTERS for s in c.statements
]

SHAPES: dict[str, Callable[[Random], Statement]] = {
    "a": true_identity,
    "b": perturbed_identity,
    "c": inequality,
    "d": implication,
    "guarded": guarded,
}


def statement(shape: str, number: int, seed: int = 0) -> Statement:
    """The statement of this shape and number; `corpus` is the shape of those written by hand."""
    if shape == "corpus":
        return CORPUS[number]
    return SHAPES[shape](Random(f"{seed} {shape} {number}"))
