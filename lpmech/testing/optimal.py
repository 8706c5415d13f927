"""Whether a channel, or a value, is the optimum of a program: by a solution with its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.errors import InvalidInputError, LpmechError, SolverError
from lpmech.programs import Program
from lpmech.programs.general import Solution
from lpmech.statements.domain import Domain
from lpmech.statements.following import Called, RaisedError, called
from lpmech.statements.numbers import Requirement, Table, number_or_table, shown_number
from lpmech.statements.properties import constant_level, is_channel, private
from lpmech.testing.checking import How, checked
from lpmech.testing.results import Checked, FailedAssertionError

__all__ = ["optimal"]

_STATEMENT = "optimal"
#: So many rows and columns of a better channel are shown.
_SHOWN = 8


def optimal(channel: object, program: Any, domain: Domain, how: How) -> Checked:
    """See `lpmech.testing.assert_optimal`."""
    __tracebackhide__ = True
    programs = called(program, "program", domain, _program)
    candidate: Called = called(channel, "channel", domain, number_or_table)
    better: dict[str, Channel] = {}

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        asked = programs(at)
        given = candidate(at)
        if type(given) is not Table:
            solution, optimum = _solved(asked, type(given) is Fraction)
            better["channel"] = solution.channel
            yield _equals(given, optimum, "the value", solution.channel)
            return
        _fits(given, asked)
        level = constant_level(asked.level)
        yield from is_channel(given)
        yield from private(given, level.at_most(at, given), level.text)
        value = _value(given, asked)
        solution, optimum = _solved(asked, type(value) is Fraction)
        better["channel"] = solution.channel
        yield _equals(value, optimum, "it is worth", solution.channel)

    try:
        return checked(_STATEMENT, domain, requirements, [], how, only_called=[candidate, programs])
    except FailedAssertionError as exc:
        found = better.get("channel") if "the optimum is" in exc.detail else None
        raise FailedAssertionError(exc.statement, exc.detail, exc.point, found) from None


def _program(value: Any, argument: str) -> Program:
    if not isinstance(value, Program):
        raise InvalidInputError(argument, value, "a Program, as lpmech.optimal_channel makes it, or a function of one")
    return value


def _fits(given: Table, program: Program) -> None:
    shape = len(given.inputs), len(given.outputs)
    if shape != program.weights.shape:
        raise InvalidInputError("channel", f"shape {shape}", f"the shape of the program, {program.weights.shape}")


def _value(given: Table, program: Program) -> Any:
    terms = [
        weight * entry
        for weights, row in zip(program.weights.tolist(), given.rows, strict=True)
        for weight, entry in zip(weights, row, strict=True)
    ]
    return sum(terms[1:], terms[0])


def _solved(program: Program, exact: bool) -> tuple[Solution, Any]:
    """A solution and the optimum: exact with its certificate checked, else the middle of what is proved of it."""
    try:
        if not (exact and program.is_exact):
            solution = program.solve()
            return solution, (float(solution.value) + float(solution.bound)) / 2
        solution = program.solve("exact")
        lower, upper = certificate_of(solution).interval()
    except LpmechError as exc:
        raise RaisedError(f"the program is not solved: {exc}") from exc
    if not lower == upper == solution.value:
        raise SolverError(f"the certificate proves [{lower}, {upper}], the solver says {solution.value}")
    return solution, Fraction(lower)


def _equals(value: Any, optimum: Any, called_so: str, channel: Channel) -> Requirement:
    return Requirement(
        value,
        "==",
        optimum,
        lambda: f"{called_so} {shown_number(value)}, the optimum is {shown_number(optimum)}, of\n{_rows(channel)}",
    )


def _rows(channel: Channel) -> str:
    many = len(channel.inputs) > _SHOWN or len(channel.outputs) > _SHOWN
    rows = [[shown_number(v).split(" = ")[0] for v in row[:_SHOWN]] for row in channel.matrix[:_SHOWN].tolist()]
    width = max(len(text) for row in rows for text in row)
    lines = ["  " + "  ".join(text.rjust(width) for text in row) for row in rows]
    return "\n".join([*lines, *(["  ..."] if many else [])])
