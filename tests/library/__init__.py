"""Tests of functions that have the form of claims, so that wrong formulas are handed to each; `test_library.py` runs them."""

from library import (  # noqa: F401  # noqa: F401
    bounds,
    counting,
    functions,
    grids,
    moments,
    noise,
    numbers,
    parameters,
    programs,
    refusals,
    rounding,
    solutions,
    staircase,
)
from library.paper import PAPER

__all__ = ["PAPER"]
