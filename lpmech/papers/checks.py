"""What claims of several papers share: randomized response, values, balls, binomial laws, what is refused, cvxpy's problems."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from math import comb
from typing import Any

import numpy as np

from lpmech.claims import Parts, Relations
from lpmech.claims.checking import check_parts
from lpmech.entries import Array
from lpmech.programs.solvers.highs import silent_highspy
from lpmech.prove.balls import enclosed
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, Verdict, against, supported

__all__ = [
    "above",
    "as_stated",
    "at_most",
    "ball",
    "binomial_law",
    "equals",
    "excess_of_channel",
    "facts_of_tables",
    "in_floats",
    "optimum",
    "refuses",
    "row_of_two",
    "rows_in_words",
    "rr_entries",
    "sampled",
    "unit",
]

_NEAR = 1e-9


def unit(*symbols: Any) -> list[Any]:
    """Each of them in [0, 1]."""
    return [r for v in symbols for r in (v >= 0, v <= 1)]


def rr_entries(t: Any, size: Any) -> tuple[Any, Any]:
    """Randomized response on so many labels: probability of the true label, and of each other one."""
    return t / (t + size - 1), 1 / (t + size - 1)


def row_of_two(entries: Iterable[Any], t: Any, size: Any, many: Any = 1) -> Relations:
    """That a row with so many high entries, the others low, sums to one, and that the entries have the ratio t."""
    high, low = entries
    return {"row sum": (many * high + (size - many) * low, 1), "low > 0": low > 0, "high = t low": tm.Eq(high, t * low)}


def refuses(error: type[Exception], function: Any, *arguments: Any) -> bool:
    """Whether the function raises this error."""
    try:
        function(*arguments)
    except error:
        return True
    return False


def ball(value: Fraction | int | str) -> Any:
    """A rational number (also as a decimal text) as a ball."""
    return enclosed(value)


def equals(arguments: Sequence[Any], **expected: Any) -> Callable[[Any], Relations]:
    """The check that the values of a formula, or of several, are those expected, by name."""

    def check(formula: Any) -> Relations:
        found = tuple(f(*arguments) for f in formula) if isinstance(formula, tuple) else formula(*arguments)
        pairs = zip(found if isinstance(found, tuple) else (found,), expected.values(), strict=True)
        return dict(zip(expected, pairs, strict=True))

    return check


def facts_of_tables(facts: Iterable[Any], tables: str) -> Outcome:
    """That all facts about printed numbers hold: instances, or what is so where one does not."""
    return check_parts(facts, every=tables, method="exact arithmetic on printed numbers")


def sampled(parts: Iterable[Any], family: str, method: str = "") -> Outcome:
    """The outcome of one reading: certified if every instance of the family holds."""
    return check_parts(parts, family=family, method=method)


def rows_in_words(rows: Iterable[Iterable[Any]]) -> str:
    """A matrix on one line: rows apart by semicolons."""
    return "; ".join(" ".join(map(str, row)) for row in rows)


def ratio_in_words(ratio: Any) -> str:
    """A tight level, where a zero beside a positive entry makes it infinite."""
    return "no finite ratio" if ratio == math.inf else f"ratio {ratio}"


def above(values: Array) -> Array:
    """By how much values that should be at most zero are above it."""
    return np.maximum(values, 0)


def excess_of_channel(q: Array, t: float, *labels: str) -> dict[str, Array]:
    """By how much a matrix violates q[y, j] <= t q[y', j], row sums of one and q >= 0, by three labels."""
    privacy = np.array([[above(row - t * other) for other in q] for row in q])
    return dict(zip(labels, (privacy, abs(q.sum(axis=1) - 1), above(-q)), strict=True))


def as_stated(problem: Any, point: Mapping[str, Any], objective: Any, excess: Mapping[str, Array]) -> Parts:
    """Whether objective and labelled constraints of a problem are the stated ones at a point, within 1e-9."""
    for name, value in point.items():
        problem.var_dict[name].value = value
    found = {str(constraint.label): np.asarray(constraint.residual) for constraint in problem.constraints}
    yield abs(problem.objective.value - objective) <= _NEAR or f"{point}: {problem.objective.value}, not {objective}"
    yield found.keys() == excess.keys() or f"constraints {sorted(found)}, not {sorted(excess)}"
    for label, right in excess.items():
        same = found[label].shape == right.shape and bool(np.all(abs(found[label] - right) <= _NEAR))
        yield same or f"{point}: ({label}) is violated by {found[label].tolist()}, not {right.tolist()}"


def optimum(problem: Any) -> float:
    """What HiGHS finds."""
    silent_highspy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # constraints on three axes go through another backend of cvxpy
        return float(problem.solve(solver="HIGHS"))


def in_floats(family: str) -> Callable[[Callable[[Any], Parts]], Callable[[Any], Outcome]]:
    """A check in floats: supported if every instance holds, else supported against by the first that does not."""

    def made(parts: Callable[[Any], Parts]) -> Callable[[Any], Outcome]:
        @wraps(parts)
        def check(formula: Any) -> Outcome:
            found = check_parts(parts(formula), (), "", family, "", "", "floats")
            if found.verdict is Verdict.REFUTED:
                return against(found.method, found.evidence, found.counterexample or "")
            return supported(found.method, found.evidence)

        return check

    return made


def binomial_law(n: int, chance: Any) -> list[Any]:
    """Pr[k of n independent events] for k = 0..n, each of this probability: a Fraction or a ball."""
    return [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]


def at_most(k: int, n: int, chance: Any) -> Any:
    """Pr[at most k of n independent events], as `binomial_law`."""
    total, ways = 0 * chance, 1
    for i in range(min(k, n) + 1):
        total += ways * chance**i * (1 - chance) ** (n - i)
        ways = ways * (n - i) // (i + 1)
    return total
