"""The problems that cvxpy states, against the constraints of the paper: in floats, so that a claim is supported at best."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from lpmech.claims import Parts
from lpmech.claims.checking import check_parts
from lpmech.entries import Array
from lpmech.verdicts import Outcome, Verdict, supported

__all__ = ["above", "as_stated", "in_floats", "optimum"]

#: The objective at a point, and by how much every constraint is violated there, by its label.
Stated = Callable[..., tuple[float, Mapping[str, Array]]]

_NEAR = 1e-9


def above(values: Array) -> Array:
    """By how much values that should be at most zero are above it."""
    return np.maximum(values, 0)


def as_stated(problem: Any, stated: Stated, points: Iterable[Mapping[str, Array]]) -> Parts:
    """Whether objective and constraints are the stated ones at points that need not be feasible, within 1e-9."""
    for point in points:
        for name, value in point.items():
            problem.var_dict[name].value = value
        objective, excess = stated(**point)
        found = {str(constraint.label): np.asarray(constraint.residual) for constraint in problem.constraints}
        close = abs(problem.objective.value - objective) <= _NEAR
        yield close or f"{point}: objective {problem.objective.value}, not {objective}"
        yield found.keys() == excess.keys() or f"constraints {sorted(found)}, not {sorted(excess)}"
        for label, right in excess.items():
            same = found[label].shape == right.shape and bool(np.all(abs(found[label] - right) <= _NEAR))
            yield same or f"{point}: ({label}) is violated by {found[label].tolist()}, not {right.tolist()}"


def optimum(problem: Any) -> float:
    """What HiGHS finds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # constraints on three axes go through another backend of cvxpy
        return float(problem.solve(solver="HIGHS"))


def in_floats(parts: Parts, family: str) -> Outcome:
    """Supported if every instance holds, else refuted by the first that does not."""
    found = check_parts(parts, (), "", family, "", "", "floats")
    return found if found.verdict is Verdict.REFUTED else supported(found.method, found.evidence)
