"""Whether one channel is at least as good as another: for a utility, or for all of them, as a garbling of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, is_exact, to_float
from lpmech.errors import InvalidInputError, SolverError, UtilityError
from lpmech.priors import as_prior
from lpmech.programs.compare_channels import Decision, post_processing, telling
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
        yield from _exactly(a, b, names) if is_exact(a) and is_exact(b) else _in_floats(a, b, names)

    return requirements


def _exactly(a: Array, b: Array, names: tuple[str, str]) -> Iterator[Requirement]:
    following = post_processing(a, b)
    if following is None:
        problem = telling(Channel(a), Channel(b))
        worth = {"names": names, "better": _gains_by_output(problem, b)}
        yield Requirement(problem.other, ">=", problem.better, "dominates", worth)
        return
    for entry in following.ravel().tolist():
        yield Requirement(entry, ">=", _ZERO, "the channel that follows")


def _gains_by_output(problem: Decision, b: Array) -> Array:
    """What outputs of b are worth, prior included, where the best action is taken at each of them."""
    weighted = problem.prior[:, None] * problem.gain
    return weighted[:, (b.T @ weighted).argmax(axis=1)]


def _in_floats(a: Array, b: Array, names: tuple[str, str]) -> Iterator[Requirement]:
    a, b = to_float(a), to_float(b)
    found, excess, prices = _nearest(a, b)
    if excess <= TOLERANCE:
        for entry in found.ravel().tolist():
            yield Requirement(max(entry, 0.0), ">=", _ZERO, "the channel that follows")
        return
    utility, best, own = _better_utility(a, b, prices)
    yield Requirement(best, ">=", own, "dominates", {"names": names, "better": utility})


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


def _better_utility(a: Array, b: Array, prices: Array) -> tuple[Array, float, float]:
    """The worth of outputs for which b is better than whatever follows a, of few digits, and both values in floats."""
    for digits, sign in product((0, 1, 2, 4, 9), (1, -1)):
        utility = np.round(sign * prices / max(abs(prices).max(), 1e-300), digits)
        best = sum(max((utility * a[:, [i]]).sum(axis=0).tolist()) for i in range(a.shape[1]))
        own = float((utility * b).sum())
        if own > best + TOLERANCE:
            return utility, best, own
    raise SolverError("no worth of outputs was found that tells the two channels apart")
