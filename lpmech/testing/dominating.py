"""Whether one channel is at least as good as another: for a utility, or for all of them, as a garbling of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, as_array, is_exact, to_exact
from lpmech.errors import InvalidInputError, SolverError, UtilityError
from lpmech.linear_algebra import inverse
from lpmech.priors import as_prior
from lpmech.statements.domain import Domain
from lpmech.statements.following import Called, called
from lpmech.statements.numbers import TOLERANCE, Requirement, Table, number_or_table, shown_number
from lpmech.statements.properties import is_channel
from lpmech.testing.checking import How, checked
from lpmech.testing.results import Checked, FailedAssertionError

__all__ = ["dominates"]

_ZERO = Fraction(0)


def dominates(a: Any, b: Any, domain: Domain, utility: object, prior: object, how: How) -> Checked:
    """See `lpmech.testing.assert_dominates`."""
    __tracebackhide__ = True
    first, second = (called(v, argument, domain, number_or_table) for v, argument in ((a, "a"), (b, "b")))
    names = tuple(getattr(v, "__name__", usual) for v, usual in ((a, "a"), (b, "b")))
    names = tuple(usual if n == "<lambda>" else n for n, usual in zip(names, "ab", strict=True))
    if utility is not None:
        text = f"{names[0]} dominates {names[1]} for the utility"
        return checked(text, domain, _for_utility(first, second, utility, prior, names), [first, second], how)
    if prior is not None:
        raise InvalidInputError("prior", prior, "none without a utility")
    of_numbers = not _is_table(first, domain)
    if of_numbers:
        return checked(f"{names[0]} >= {names[1]}", domain, _numbers(first, second), [first, second], how)
    worth: dict[str, Array] = {}
    try:
        return checked(
            f"{names[0]} dominates {names[1]} for every utility and prior",
            domain,
            _garbling(first, second, worth, names),
            [],
            how,
            only_called=[first, second],
        )
    except FailedAssertionError as exc:
        raise FailedAssertionError(exc.statement, exc.detail, exc.point, worth.get("utility")) from None


def _is_table(function: Called, domain: Domain) -> bool:
    return type(function(domain.points[0] if domain.parameters else {})) is Table


def _numbers(first: Called, second: Called) -> Callable[[Mapping[str, Any]], Iterator[Requirement]]:
    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        a, b = first(at), second(at)
        if type(b) is Table or type(a) is Table:
            raise InvalidInputError("b", "a matrix beside a number", "two numbers, or two matrices")
        yield Requirement(a, ">=", b, lambda: f"{shown_number(a)} against {shown_number(b)}")

    return requirements


def _tables(first: Called, second: Called, at: Mapping[str, Any]) -> tuple[Table, Table]:
    a, b = first(at), second(at)
    if type(a) is not Table or type(b) is not Table or len(a.rows) != len(b.rows):
        raise InvalidInputError("b", "a result of another kind or other inputs", "two matrices with the same inputs")
    return a, b


def _for_utility(
    first: Called, second: Called, utility: object, prior: object, names: tuple[str, ...]
) -> Callable[[Mapping[str, Any]], Iterator[Requirement]]:
    gain = as_array(utility, "utility", 2, UtilityError)
    weights = as_prior(prior, gain.shape[0])

    def worth(table: Table, argument: str) -> Any:
        if (len(table.inputs), len(table.outputs)) != gain.shape:
            shape = len(table.inputs), len(table.outputs)
            raise InvalidInputError(argument, f"shape {shape}", f"the shape of the utility, {gain.shape}")
        terms = [
            p * u * q
            for p, gains, row in zip(weights.tolist(), gain.tolist(), table.rows, strict=True)
            for u, q in zip(gains, row, strict=True)
        ]
        return sum(terms[1:], terms[0])

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        tables = _tables(first, second, at)
        for table in tables:
            yield from is_channel(table)
        a, b = (worth(table, argument) for table, argument in zip(tables, "ab", strict=True))
        text = "expected utility {} of {}, {} of {}"
        yield Requirement(a, ">=", b, lambda: text.format(shown_number(a), names[0], shown_number(b), names[1]))

    return requirements


def _garbling(
    first: Called, second: Called, worth: dict[str, Array], names: tuple[str, ...]
) -> Callable[[Mapping[str, Any]], Iterator[Requirement]]:
    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        tables = _tables(first, second, at)
        for table in tables:
            yield from is_channel(table)
        a, b = (as_array(table.rows, "channel", 2) for table in tables)
        following = _following(a, b)
        if following is None:
            worth["utility"], best, own = _better_utility(a, b)
            yield Requirement(best, ">=", own, lambda: _told(worth["utility"], best, own, names))
            return
        for entry in following.ravel().tolist():
            yield Requirement(_kept(entry), ">=", _ZERO, lambda: "the channel that follows has a negative entry")

    return requirements


def _kept(entry: Any) -> Any:
    return entry if isinstance(entry, Fraction) else max(entry, 0.0)


def _told(utility: Array, best: Any, own: Any, names: tuple[str, ...]) -> str:
    rows = "\n".join("  " + "  ".join(shown_number(v).split(" = ")[0] for v in row) for row in utility.tolist())
    return (
        f"{names[1]} is better for this worth of its outputs (a row for each input, inputs summed)\n{rows}\n"
        f"{shown_number(own)} against at most {shown_number(best)} of {names[0]}, whatever is made of its outputs"
    )


def _following(a: Array, b: Array) -> Array | None:
    """The channel r with a r = b, or None: exact where a can be inverted exactly, else up to `TOLERANCE`."""
    if is_exact(a) and is_exact(b) and a.shape[0] == a.shape[1]:
        try:
            exact = inverse(a) @ b
            return exact if all(v >= 0 for v in exact.ravel().tolist()) else None
        except ZeroDivisionError:
            pass
    found, excess = _nearest(a.astype(float), b.astype(float))[:2]
    return found if excess <= TOLERANCE else None


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


def _better_utility(a: Array, b: Array) -> tuple[Array, Any, Any]:
    """The worth of outputs for which b is better than whatever follows a, and both values; checked by arithmetic."""
    worth = _nearest(a.astype(float), b.astype(float))[2]
    for digits in (0, 1, 2, 4, 9):
        for sign in (1, -1):
            exact = to_exact(np.round(sign * worth / max(abs(worth).max(), 1e-300), digits))
            rounded = np.array([[Fraction(round(v * 10**digits), 10**digits) for v in row] for row in exact.tolist()])
            utility = rounded if is_exact(a) and is_exact(b) else rounded.astype(float)
            best = sum(max((utility * a[:, [i]]).sum(axis=0).tolist()) for i in range(a.shape[1]))
            own = (utility * b).sum()
            if own > best + (0 if is_exact(a) and is_exact(b) else TOLERANCE):
                return utility, best, own
    raise SolverError("no worth of outputs was found that tells the two channels apart")
