"""Requirements for all parameters: followed in one real parameter, or recorded and put to the prover."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any

import sympy as sp

from lpmech.conjectures.numeric import numeric, sign
from lpmech.conjectures.symbolic import symbolic
from lpmech.errors import LpmechError, UndecidedError
from lpmech.prove import Fails, Holds, prove
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.grammar import Apply, Name, Node, Number, names_in
from lpmech.prove.rational_functions import as_rational, negative_point, nonzero_point
from lpmech.prove.trace import T
from lpmech.prove.traced import Traced, constant
from lpmech.prove.tracing import Cover, Raised, UnfollowableError, cover
from lpmech.testing.domain import Domain, Parameter
from lpmech.testing.numbers import Requirement, Requirements, entries_of, exactly_as_written
from lpmech.testing.printing import text_of
from lpmech.testing.recording import NotRecordedError, Path, Recorded, recorded_paths
from lpmech.testing.results import TOLERANCE
from lpmech.verdicts import Verdict

__all__ = ["Found", "NotFollowedError", "Statement", "node_of", "proof"]

#: So many values of the other parameters are followed one by one; so many requirements are put to the prover.
_MOST_FOLLOWED, _MOST_RECORDED, _MOST_ASKED = 40, 12, 24
_STEPS = tuple(Fraction(sign, 10**digits) for digits in (2, 3, 6) for sign in (1, -1))
#: In place of requirements: outside the hypotheses.
_OUTSIDE = object()

#: Raises where the functions as they are called fail at a point.
Confirm = Callable[[Mapping[str, Fraction]], None]


class NotFollowedError(Exception):
    """Functions cannot be followed, or the prover does not decide; the message says why."""


@dataclass(frozen=True)
class Found:
    """A verdict beyond sampling, and what it is about."""

    verdict: Verdict
    evidence: str


@dataclass(frozen=True)
class Statement:
    """What has to hold on a domain.

    Attributes
    ----------
    domain : Domain
    requirements : callable
        Gives what has to hold at values of the parameters.
    functions : sequence of callable
        The functions of the parameters that it is about.
    seconds : float
        For each question to the prover.
    """

    domain: Domain
    requirements: Requirements
    functions: Sequence[Callable[[Mapping[str, Any]], Any]]
    seconds: float

    def at(self, at: Mapping[str, Any]) -> tuple[list[Requirement], list[Any]]:
        """What has to hold, and all values of the functions."""
        return list(self.requirements(at)), [v for function in self.functions for v in entries_of(function(at))]


def proof(statement: Statement, confirm: Confirm) -> Found:
    """Show requirements for all parameters.

    Raises
    ------
    NotFollowedError
        If that is not possible.
    """
    __tracebackhide__ = True
    domain = statement.domain
    reals = [p for p in domain.parameters if not p.whole and p.values is None]
    finite = all(p.values is not None for p in domain.parameters if p not in reals)
    ways: list[Callable[[], Found]] = [lambda: _recorded(statement, confirm)]
    if finite and len(reals) < len(domain.parameters):
        ways.append(lambda: _recorded_one_by_one(statement, reals, confirm))
    if len(reals) == 1:
        ways.insert(0 if finite else 1, lambda: _along(statement, reals[0], confirm))
    reasons: list[NotFollowedError] = []
    for way in ways:
        try:
            return way()
        except NotFollowedError as exc:
            reasons.append(exc)
    raise reasons[0] if len(ways) == 1 or not finite else reasons[1]


# ---- along one real parameter, at values of the others


def _along(statement: Statement, real: Parameter, confirm: Confirm) -> Found:
    """Signs of the functions of one real parameter between and at their break points."""
    __tracebackhide__ = True
    domain = statement.domain
    lower = _lower_bound(domain, real.name)
    if lower is None:
        raise NotFollowedError(f"{real.name} has no lower bound, as '{real.name} > 1' is one")
    others = [p for p in domain.parameters if p is not real]
    instances = _instances(domain, others)
    followed = instances[:_MOST_FOLLOWED]
    for instance in followed:
        _along_instance(statement, real.name, lower, instance, confirm)
    whole = len(followed) == len(instances) and all(p.values is not None for p in others)
    at = "" if not others else f" at {_named(followed)}"
    texts = [text for text, node in domain.conditions if names_in(node) == {real.name}]
    where = f" with {', '.join(texts)}" if texts else ""
    evidence = f"for all {real.name}{where}{at}: followed as rational functions, exact signs"
    return Found(Verdict.PROVED if whole else Verdict.CERTIFIED, evidence)


def _instances(domain: Domain, others: list[Parameter]) -> list[dict[str, Fraction]]:
    names = [p.name for p in others]
    if all(p.values is not None for p in others):
        every = product(*(sorted(p.values or ()) for p in others))
        found = [dict(zip(names, values, strict=True)) for values in islice(every, 2000)]
        alone = [node for _, node in domain.conditions if names_in(node) <= set(names)]
        return [at for at in found if all(_holds(node, at) for node in alone)]
    met = dict.fromkeys(tuple((name, point[name]) for name in names) for point in domain.points)
    return [dict(pairs) for pairs in met]


def _holds(node: Node, at: Mapping[str, Fraction]) -> bool:
    try:
        return bool(numeric(node, {n: as_rational(v) for n, v in at.items()}))
    except (UndefinedError, ZeroDivisionError, UndecidedError):
        return False


def _along_instance(
    statement: Statement, real: str, lower: Fraction, instance: Mapping[str, Fraction], confirm: Confirm
) -> None:
    __tracebackhide__ = True
    domain = statement.domain
    shift = as_rational(lower - 1)

    def program(s: Any) -> Any:
        at = {**instance, real: s + shift if shift else s}
        return statement.at(at) if domain.holds(at) else _OUTSIDE

    at_end = {**instance, real: lower}
    if domain.holds(at_end):
        confirm(at_end)
    try:
        found = cover(program)
    except (UnfollowableError, LpmechError, TypeError, RecursionError) as exc:
        raise NotFollowedError(f"{exc}") from exc
    _as_called(found, statement, real, shift, instance)
    for value in _suspects(found):
        point = {**instance, real: value + lower - 1}
        confirm(point)
        raise NotFollowedError(f"the function that was followed fails at {point}, the one that is called does not")
    for spot in found.spots:
        if not spot.point.is_Rational and spot.result is not _OUTSIDE:
            failing = isinstance(spot.result, Raised) or any(_fails_at_spot(r) for r in spot.result[0])
            if failing:
                where = sp.N(spot.point**found.root + shift, 12)
                raise NotFollowedError(f"it fails at the break point {real} = {where}, which is no rational number")
        elif spot.point.is_Rational:
            value = _fraction(spot.point**found.root) + lower - 1
            if domain.holds({**instance, real: value}):
                confirm({**instance, real: value})


def _suspects(found: Cover) -> list[Fraction]:
    """The first point of s at which a requirement fails, as a value of s^root, if there is one."""
    for piece in found.pieces:
        if piece.result is _OUTSIDE:
            continue
        if isinstance(piece.result, Raised):
            return [_fraction(piece.point**found.root)]
        seen: set[Any] = set()
        for relation, difference in map(_difference, piece.result[0]):
            if (relation, difference) in seen:
                continue
            seen.add((relation, difference))
            search = nonzero_point if relation == "==" else negative_point
            point = search(difference, T, piece.lower, piece.upper)
            if point is not None:
                return [Fraction(point) ** found.root]
    return []


def _difference(requirement: Requirement) -> tuple[str, Any]:
    return requirement.relation, _element(requirement.left) - _element(requirement.right)


def _element(value: Any) -> Any:
    return value.element if type(value) is Traced else constant(as_rational(_exactly(value)))


def _exactly(value: Any) -> Fraction:
    if type(value) is not Fraction:
        raise NotFollowedError("floats in the result")
    return value


def _fails_at_spot(requirement: Requirement) -> bool:
    found = sign(requirement.left - requirement.right)
    return found != 0 if requirement.relation == "==" else found < 0


def _as_called(found: Cover, statement: Statement, real: str, shift: Any, instance: Mapping[str, Fraction]) -> None:
    """Raise where the functions, called at points of the domain, are not what was followed."""
    domain = statement.domain
    if found.root != 1:
        values = [Fraction(k) ** found.root for k in (2, 3)]
    else:
        values = [p[real] for p in domain.points if all(p[n] == v for n, v in instance.items())][:3]
    for value in values:
        at = {**instance, real: value}
        if not domain.holds(at):
            continue
        s = as_rational(value) - shift
        s = sp.Integer(round(float(s) ** (1 / found.root))) if found.root != 1 else s
        piece = next((p for p in found.pieces if p.lower < s < p.upper), None)
        if piece is None or piece.result is _OUTSIDE or isinstance(piece.result, Raised):
            continue
        followed = [_fraction(v.at(s)) if type(v) is Traced else v for v in piece.result[1]]
        _compare(followed, statement, at)


def _compare(followed: list[Any], statement: Statement, at: Mapping[str, Fraction]) -> None:
    called = statement.at(at)[1]
    near = [abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) for a, b in zip(followed, called, strict=False)]
    if not all(near) or len(called) != len(followed):
        where = ", ".join(f"{name} = {value}" for name, value in at.items())
        raise NotFollowedError(f"called at {where} it is not what was followed")


def _lower_bound(domain: Domain, name: str) -> Fraction | None:
    """The largest number that the hypotheses say a parameter to be above."""
    bounds = []
    for _, node in domain.conditions:
        for part in node.arguments if isinstance(node, Apply) and node.operation == "and" else (node,):
            match part:
                case Apply(">" | ">=", (Name(left), bound)) | Apply("<" | "<=", (bound, Name(left))) if left == name:
                    if not names_in(bound):
                        bounds.append(_fraction(numeric(bound, {})) if numeric(bound, {}).is_Rational else None)
    return max((b for b in bounds if b is not None), default=None)


def _fraction(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(int(value.p), int(value.q))


def _named(instances: list[dict[str, Fraction]]) -> str:
    names = list(instances[0])
    parts = []
    for name in names:
        values = sorted({at[name] for at in instances})
        run = len(values) > 2 and all(b - a == 1 for a, b in pairwise(values))
        parts.append(f"{name} = {values[0]}..{values[-1]}" if run else f"{name} = {', '.join(map(str, values))}")
    return ", ".join(parts)


# ---- all parameters at once


def _recorded(statement: Statement, confirm: Confirm) -> Found:
    __tracebackhide__ = True
    methods, floats = _recorded_at(statement, {}, confirm)
    return Found(Verdict.PROVED, f"for all {statement.domain}: {', '.join(methods)}{floats}")


def _recorded_one_by_one(statement: Statement, reals: list[Parameter], confirm: Confirm) -> Found:
    """At every value of the parameters that are not real, for all real ones."""
    __tracebackhide__ = True
    others = [p for p in statement.domain.parameters if p not in reals]
    instances = _instances(statement.domain, others)
    if len(instances) > _MOST_RECORDED:
        raise NotFollowedError(f"{len(instances)} combinations of {', '.join(p.name for p in others)} are too many")
    methods: dict[str, None] = {}
    floats = ""
    for instance in instances:
        found, floats = _recorded_at(statement, instance, confirm)
        methods |= dict.fromkeys(found)
    return Found(Verdict.PROVED, f"for all {statement.domain}, one by one: {', '.join(methods)}{floats}")


def _recorded_at(statement: Statement, instance: Mapping[str, Fraction], confirm: Confirm) -> tuple[list[str], str]:
    """The methods of proof with some parameters fixed, and what is to be said of floats."""
    __tracebackhide__ = True
    domain = statement.domain
    symbols = {name: sp.Symbol(name) for name in domain.names}
    names = {name: Name(name) for name in domain.names if name not in instance}
    try:
        hypotheses = domain.hypotheses_at(instance)
        paths = recorded_paths(lambda at: statement.at({**instance, **at}), names)
    except (NotRecordedError, LpmechError) as exc:
        raise NotFollowedError(str(exc)) from exc
    _paths_as_called(paths, statement, instance)
    methods: dict[str, None] = {}
    for path in paths:
        ask = _Asked(
            hypotheses,
            lambda point: _confirm_near(domain, {**instance, **point}, confirm),
            list(names),
            statement.seconds,
        )
        found = _path_holds(path, symbols, ask)
        methods |= dict.fromkeys(found)
    floats = "; floats of the program as the decimals that they print" if any(map(_has_floats, paths)) else ""
    return [*methods, *([f"{len(paths)} cases"] if len(paths) > 1 else [])], floats


def _confirm_near(domain: Domain, point: dict[str, Fraction], confirm: Confirm) -> None:
    """Call the functions at a point and beside it: a float in a comparison is not quite the decimal that it prints."""
    __tracebackhide__ = True
    reals = [p.name for p in domain.parameters if not p.whole and p.values is None]
    beside = [{**point, name: point[name] + step} for name in reals for step in _STEPS if name in point]
    for near in (point, *beside):
        if domain.holds(near):
            confirm(near)


def _has_floats(path: Path) -> bool:
    return path.floats or (path.raised is None and any(type(v) is float for v in path.result[1]))


@dataclass(frozen=True)
class _Asked:
    """The prover, with what it is given."""

    hypotheses: list[Any]
    confirm: Confirm
    names: list[str]
    seconds: float

    def methods(self, conclusion: Any, text: str) -> tuple[str, ...]:
        """The methods by which a conclusion is proved."""
        __tracebackhide__ = True
        answer = prove(conclusion, self.hypotheses, timeout_seconds=self.seconds)
        if isinstance(answer, Holds):
            return answer.methods
        if isinstance(answer, Fails):
            values = {str(symbol): value for symbol, value in answer.witness.point.items()}
            if set(self.names) <= set(values) and all(values[name].is_Rational for name in self.names):
                self.confirm({name: _fraction(values[name]) for name in self.names})
            raise NotFollowedError(f"what was followed fails at {answer.witness}, the function that is called does not")
        if "contradict" in answer.reason:  # no point of the domain takes this path
            return ()
        raise NotFollowedError(f"the prover does not decide {text}")


def _path_holds(path: Path, symbols: Mapping[str, sp.Symbol], asked: _Asked) -> tuple[str, ...]:
    """The methods by which all requirements of a path are proved."""
    __tracebackhide__ = True
    taken: list[Any] = []
    for condition in path.conditions:
        read = symbolic(condition, symbols)
        taken += [read.domain, read.expression]
    given = [*asked.hypotheses, *(c for c in taken if c != sp.true)]
    if sp.false in given:
        return ()
    asked = replace(asked, hypotheses=given)
    if path.raised is not None:
        return asked.methods(sp.false, f"whether it raises {path.raised!r}")
    relations = dict.fromkeys(_relation(requirement) for requirement in path.result[0])
    if len(relations) > _MOST_ASKED:
        raise NotFollowedError(f"more than {_MOST_ASKED} different entries to compare for a prover")
    methods: dict[str, None] = {}
    for node in (*dict.fromkeys(path.defined), *relations):
        read = symbolic(node, symbols)
        conclusion = sp.And(read.domain, _written(node, symbols), evaluate=False)
        methods |= dict.fromkeys(asked.methods(conclusion, _shortened(text_of(node))))
    return tuple(methods)


def _shortened(text: str) -> str:
    """A formula for a message."""
    return text if len(text) <= 100 else text[:97] + "..."


def _written(node: Node, symbols: Mapping[str, sp.Symbol]) -> Any:
    """A relation that sympy has not worked out: it would be true where a side is not defined."""
    assert isinstance(node, Apply)
    left, right = (symbolic(side, symbols).expression for side in node.arguments)
    kind = {"==": sp.Eq, ">=": sp.Ge, "!=": sp.Ne}[node.operation]
    return kind(left, right, evaluate=False)


def _relation(requirement: Requirement) -> Node:
    return Apply(requirement.relation, (node_of(requirement.left), node_of(requirement.right)))


def node_of(value: Any) -> Node:
    """A result as a formula; a float as the decimal that it prints."""
    if type(value) is Recorded:
        return value.node
    exact = exactly_as_written(value)
    assert exact is not None
    return Number(exact)


def _paths_as_called(paths: list[Path], statement: Statement, instance: Mapping[str, Fraction]) -> None:
    """Raise where the functions, called at points of the domain, give other numbers than the recorded formulas."""
    points = [p for p in statement.domain.points if all(p[name] == value for name, value in instance.items())]
    for point in points[:8]:
        at = {name: as_rational(value) for name, value in point.items()}
        path = next((p for p in paths if all(_holds(c, point) for c in p.conditions)), None)
        if path is None or path.raised is not None:
            raise NotFollowedError(f"no recorded case applies at {point}")
        _compare([float(numeric(node_of(formula), at)) for formula in path.result[1]], statement, point)
