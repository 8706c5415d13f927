"""What the library's functions compute, in the form of claims: with mutants, and no part of what is printed about papers."""

from __future__ import annotations

from lpmech.claims import Paper

PAPER = Paper("library", "The functions of the library")
