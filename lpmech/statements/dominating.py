"""Whether one channel is at least as good as another: for a utility, or for all of them, as a garbling of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.entries import Array, as_array, is_exact, to_exact
from lpmech.errors import InvalidInputError, SolverError, UtilityError
from lpmech.linear_algebra import inverse
from lpmech.priors import as_prior
from lpmech.statements.domain import Domain
from lpmech.statements.following import Called
from lpmech.statements.numbers import TOLERANCE, Requirement, Requirements, Table
from lpmech.statements.optimal import worth
from lpmech.statements.properties import is_channel

__all__ = ["domination"]

_ZERO = Fraction(0)


def domination(
    first: Called, second: Called, domain: Domain, utility: object, prior: object, names: tuple[str, str]
) -> tuple[str, Requirements, list[Called]]:
    """That the first is at least as good: the text of it, what it requires, and the functions that can be followed.

    Raises
    ------
    InvalidInputError
        If there is a prior without a utility.
    """
    if utility is not None:
        text = f"{names[0]} dominates {names[1]} for the utility"
        return text, _for_utility(first, second, utility, prior, names), [first, second]
    if prior is not None:
        raise InvalidInputError("prior", prior, "none without a utility")
    if type(first(domain.points[0] if domain.parameters else {})) is not Table:
        return f"{names[0]} >= {names[1]}", _numbers(first, second), [first, second]
    return f"{names[0]} dominates {names[1]} for every utility and prior", _garbling(first, second, names), []


def _numbers(first: Called, second: Called) -> Requirements:
    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        a, b = first(at), second(at)
        if type(b) is Table or type(a) is Table:
            raise InvalidInputError("b", "a matrix beside a number", "two numbers, or two matrices")
        yield Requirement(a, ">=", b, "at least")

    return requirements


def _tables(first: Called, second: Called, at: Mapping[str, Any]) -> tuple[Table, Table]:
    a, b = first(at), second(at)
    if type(a) is not Table or type(b) is not Table or len(a.rows) != len(b.rows):
        raise InvalidInputError("b", "a result of another kind or other inputs", "two matrices with the same inputs")
    return a, b


def _for_utility(first: Called, second: Called, utility: object, prior: object, names: tuple[str, str]) -> Requirements:
    gain = as_array(utility, "utility", 2, UtilityError)
    weights = as_prior(prior, gain.shape[0])[:, None] * gain

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        tables = _tables(first, second, at)
        for table in tables:
            yield from is_channel(table)
        a, b = (worth(table, weights, argument) for table, argument in zip(tables, "ab", strict=True))
        yield Requirement(a, ">=", b, "expected utility", {"names": names})

    return requirements


def _garbling(first: Called, second: Called, names: tuple[str, str]) -> Requirements:
    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        tables = _tables(first, second, at)
        for table in tables:
            yield from is_channel(table)
        a, b = (as_array(table.rows, "channel", 2) for table in tables)
        following = _following(a, b)
        if following is None:
            utility, best, own = _better_utility(a, b, _prices(a, b))
            yield Requirement(best, ">=", own, "dominates", {"names": names, "better": utility})
            return
        for entry in following.ravel().tolist():
            yield Requirement(_kept(entry), ">=", _ZERO, "the channel that follows")

    return requirements


def _kept(entry: Any) -> Any:
    return entry if isinstance(entry, Fraction) else max(entry, 0.0)


def _following(a: Array, b: Array) -> Array | None:
    """The channel r with a r = b, or None: exact where a can be inverted exactly, else up to `TOLERANCE`."""
    inverted = _inverse(a)
    if inverted is not None and is_exact(b):
        exact: Array = inverted @ b
        return exact if all(v >= 0 for v in exact.ravel().tolist()) else None
    found, excess = _nearest(a.astype(float), b.astype(float))[:2]
    return found if excess <= TOLERANCE else None


def _inverse(a: Array) -> Array | None:
    """The exact inverse, where there is one."""
    try:
        return inverse(a) if is_exact(a) and a.shape[0] == a.shape[1] else None
    except ZeroDivisionError:
        return None


def _nearest(a: Array, b: Array) -> tuple[Array, float, Array]:
    """The channel r for which the largest entry of |a r - b| is least, that entry, and prices of the differences."""
    from scipy.optimize import linprog

    inputs, middle = a.shape
    outputs = b.shape[1]
    product = np.kron(a, np.eye(outputs))
    slack = np.ones((inputs * outputs, 1))
    left = np.block([[product, -slack], [-product, -slack]])
    right = np.concatenate([b.ravel(), -b.ravel()])
    rows = np.hstack([np.kron(np.eye(middle), np.ones((1, outputs))), np.zeros((middle, 1))])
    costs = np.zeros(middle * outputs + 1)
    costs[-1] = 1
    answer: Any = linprog(costs, A_ub=left, b_ub=right, A_eq=rows, b_eq=np.ones(middle), bounds=(0, None))
    if answer.status != 0:
        raise SolverError(f"scipy.optimize.linprog: {answer.message}")
    prices = answer.ineqlin.marginals
    worth = (prices[inputs * outputs :] - prices[: inputs * outputs]).reshape(inputs, outputs)
    return answer.x[:-1].reshape(middle, outputs), float(answer.x[-1]), -worth


def _prices(a: Array, b: Array) -> Iterator[Array]:
    """What may be the worth of outputs for which b is better: prices, rounded to few digits first; then exact ones."""
    worth = _nearest(a.astype(float), b.astype(float))[2]
    for digits, sign in product((0, 1, 2, 4, 9), (1, -1)):
        exact = to_exact(np.round(sign * worth / max(abs(worth).max(), 1e-300), digits))
        yield np.array([[Fraction(round(v * 10**digits), 10**digits) for v in row] for row in exact.tolist()])
    inverted = _inverse(a)
    if inverted is not None:
        i, j = np.unravel_index(np.argmin(inverted @ b), b.shape)  # worth more than nothing, which is what follows a
        yield -np.outer(inverted[i], np.eye(b.shape[1], dtype=int)[j])


def _better_utility(a: Array, b: Array, prices: Iterator[Array]) -> tuple[Array, Any, Any]:
    """The worth of outputs for which b is better than whatever follows a, and both values; checked by arithmetic."""
    for price in prices:
        utility = price if is_exact(a) and is_exact(b) else price.astype(float)
        best = sum(max((utility * a[:, [i]]).sum(axis=0).tolist()) for i in range(a.shape[1]))
        own = (utility * b).sum()
        if own > best + (0 if is_exact(a) and is_exact(b) else TOLERANCE):
            return utility, best, own
    raise SolverError("no worth of outputs was found that tells the two channels apart")
