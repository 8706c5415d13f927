"""Requirements for all parameters: followed in one real parameter, or recorded and put to the prover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, filterfalse
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError
from lpmech.prove import Fails, Holds, prove
from lpmech.prove.proof_files import keep
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import as_written
from lpmech.statements.along import along
from lpmech.statements.comparing import as_plain, compare
from lpmech.statements.domain import Domain, Parameter
from lpmech.statements.numbers import Requirement, is_generic
from lpmech.statements.numeric import fraction_of, holds, numeric
from lpmech.statements.recording import NotRecordedError, Path, node_of, recorded_paths
from lpmech.statements.rounding import size_of_terms
from lpmech.statements.statement import Confirm, FailsError, Found, NotFollowedError, Statement
from lpmech.statements.symbolic import hypothesis
from lpmech.statements.witness import Witness
from lpmech.terms import Apply, Name, Node, names_in
from lpmech.verdicts import Verdict

__all__ = ["proof"]

#: So many combinations of values are recorded one by one; so many requirements are put to the prover.
_MOST_RECORDED, _MOST_ASKED = 12, 64
#: Matrices are not made of more rows.
_LARGEST_MATRIX = 300
_STEPS = tuple(Fraction(sign, 10**digits) for digits in (2, 3, 6) for sign in (1, -1))


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
    finite = all(p.values is not None for p in domain.parameters if p not in reals[:1])
    ways: list[Callable[[], Found]] = []
    of_numbers = all(set(f.names) <= set(domain.names) for f in statement.functions)  # and of no prior
    if statement.functions and of_numbers:
        ways.append(lambda: _recorded(statement, confirm))
        if all(p.values is not None for p in domain.parameters if p.whole) and any(p.whole for p in domain.parameters):
            ways.append(lambda: _recorded_one_by_one(statement, confirm))
    if statement.functions and domain.labels_with_priors:
        ways.append(lambda: _every_prior(statement, reals[0], confirm))
    if reals:
        ways.insert(0 if finite else 1, lambda: along(statement, reals[0], confirm))
    reasons: list[NotFollowedError] = []
    weaker: Found | None = None
    for way in ways:
        try:
            found = way()
        except NotFollowedError as exc:
            reasons.append(exc)
        except NotRecordedError as exc:  # a result that is no number
            reasons.append(NotFollowedError(str(exc)))
        else:
            if found.verdict is Verdict.PROVED or found.labels:
                return found
            weaker = found
    if weaker is None:
        raise _furthest(reasons)
    return replace(weaker, notes=f"; not for all {domain}: {_furthest(reasons)}") if reasons else weaker


def _every_prior(statement: Statement, real: Parameter, confirm: Confirm) -> Found:
    """For all priors on few labels, and for some on more."""
    __tracebackhide__ = True
    from lpmech.statements.every_prior import for_every_prior

    domain = statement.domain
    shown: list[int] = []
    methods: dict[str, None] = {}
    notes = ""
    for labels in domain.labels_with_priors:
        try:
            methods |= dict.fromkeys(for_every_prior(statement, labels, confirm))
        except NotFollowedError as exc:
            if not shown:
                raise
            notes = f"; not for all priors at K = {labels}: {exc}"
            break
        shown.append(labels)
    how, rest = ", ".join(methods), domain.beyond(shown)
    if rest is None:
        return Found(Verdict.PROVED, domain.covered_with_priors(shown), how)
    if not rest.parameters[0].values:
        return Found(Verdict.CERTIFIED, "", how, notes, labels=tuple(shown))
    found = along(replace(statement, domain=rest), real, confirm)
    return replace(found, how=f"{how}; {found.how}", notes=f"{found.notes}{notes}", labels=tuple(shown))


def _furthest(reasons: list[NotFollowedError]) -> NotFollowedError:
    return max(reasons, key=lambda reason: reason.progress)


def _recorded(statement: Statement, confirm: Confirm) -> Found:
    __tracebackhide__ = True
    methods, floats = _recorded_at(statement, {}, confirm)
    _written_as_called(statement)
    domain = statement.domain
    for point in () if statement.is_of_formulas else (*domain.far, *filterfalse(domain.is_named, statement.written)):
        confirm(point)  # numbers of the machine may overflow where formulas do not
    return Found(Verdict.PROVED, f"for all {statement.domain}", f"{', '.join(methods)}{floats}")


def _recorded_one_by_one(statement: Statement, confirm: Confirm) -> Found:
    """At every value of the whole parameters, for all other ones."""
    __tracebackhide__ = True
    others = [p for p in statement.domain.parameters if p.whole]
    instances = statement.domain.instances(others)
    if len(instances) > _MOST_RECORDED:
        raise NotFollowedError(f"{len(instances)} combinations of {', '.join(p.name for p in others)} are too many")
    methods: dict[str, None] = {}
    floats = ""
    for instance in instances:
        found, floats = _recorded_at(statement, instance, confirm)
        methods |= dict.fromkeys(found)
    return Found(Verdict.PROVED, f"for all {statement.domain}, one by one", f"{', '.join(methods)}{floats}")


def _recorded_at(statement: Statement, instance: Mapping[str, Fraction], confirm: Confirm) -> tuple[list[str], str]:
    """The methods of proof with some parameters fixed, and what is to be said of floats."""
    __tracebackhide__ = True
    domain = statement.domain
    symbols = {name: sp.Symbol(name) for name in domain.names}
    names = [name for name in domain.names if name not in instance]
    try:
        hypotheses = domain.hypotheses_at(instance)
        whole = [p.name for p in domain.parameters if p.whole]
        paths = recorded_paths(lambda at: statement.at({**instance, **at}), {n: Name(n) for n in names}, whole)
    except (NotRecordedError, LpmechError) as exc:
        raise NotFollowedError(str(exc)) from exc
    _paths_as_called(paths, statement, instance)
    methods: dict[str, None] = {}
    for path in paths:
        ask = _Asked(
            hypotheses,
            lambda point: _confirm_near(domain, {**instance, **point}, confirm),
            names,
            statement.is_of_formulas,
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
    """The prover, with what it is given; and the names of numbers on which the size of a matrix depends."""

    hypotheses: list[Any]
    confirm: Callable[[dict[str, Fraction]], None]
    names: list[str]
    of_formulas: bool
    seconds: float
    matrices: tuple[str, ...] = ()

    def methods(self, conclusion: Any, text: str) -> tuple[str, ...]:
        """The methods by which a conclusion is proved."""
        __tracebackhide__ = True
        answer = prove(conclusion, self.hypotheses, timeout_seconds=self.seconds)
        if isinstance(answer, Holds):
            keep(text, answer)
            return answer.methods
        if isinstance(answer, Fails):
            values = {str(symbol): value for symbol, value in answer.witness.point.items()}
            called = set(self.names) <= set(values) and all(values[name].is_Rational for name in self.names)
            if self.matrices and called:
                called = all(values[name] <= _LARGEST_MATRIX for name in self.matrices)
            if called:
                self.confirm({name: fraction_of(values[name]) for name in self.names})
            elif self.of_formulas:
                at = {name: fraction_of(value) if value.is_Rational else value for name, value in values.items()}
                place = {"told": f"{answer.witness.violation}, by two evaluations of the formula"}
                raise FailsError(Witness(at, "relation", place=place))
            where = answer.witness if self.names else f"{text}, exactly"
            does_not = "the function is not called there" if not called else "the function that is called does not"
            raise NotFollowedError(f"what was followed fails at {where}, {does_not}", 1)
        if "contradict" in answer.reason:  # no point of the domain takes this path
            return ()
        raise NotFollowedError(f"the prover does not decide {text}", 1)


def _path_holds(path: Path, symbols: Mapping[str, sp.Symbol], asked: _Asked) -> tuple[str, ...]:
    """The methods by which all requirements of a path are proved."""
    __tracebackhide__ = True
    given = [*asked.hypotheses, *(hypothesis(condition, symbols, "case") for condition in path.conditions)]
    if sp.false in given:
        return ()
    symbols = {**symbols, **{name: sp.Symbol(name) for name in path.indices}}
    asked = replace(asked, hypotheses=given)
    if path.raised is not None:
        return asked.methods(sp.false, f"whether it raises {path.raised!r}")
    sizes = [name for value in path.result[1] if is_generic(value) for name in names_in(value.size[0])]
    asked = replace(asked, matrices=tuple(sizes))
    relations = dict.fromkeys(_relation(requirement) for requirement in path.result[0])
    if len(relations) > _MOST_ASKED:
        raise NotFollowedError(f"more than {_MOST_ASKED} different entries to compare for a prover", 1)
    methods: dict[str, None] = {}
    for proved, node in enumerate((*dict.fromkeys(path.defined), *relations)):
        conclusion = as_written(node, symbols, "requirement")
        try:
            about = replace(asked, hypotheses=[*given, *_on_indices(path, node, symbols)])
            methods |= dict.fromkeys(about.methods(conclusion, _shortened(str(node))))
        except NotFollowedError as exc:
            raise NotFollowedError(str(exc), exc.progress + proved) from exc
    return tuple(methods)


def _on_indices(path: Path, node: Node, symbols: Mapping[str, sp.Symbol]) -> list[Any]:
    """What is known of the indices in a formula."""
    found = []
    for name in names_in(node) & set(path.indices):
        size = as_written(path.indices[name], symbols, "index")
        found += [sp.Contains(symbols[name], sp.S.Integers), symbols[name] >= 0, symbols[name] <= size - 1]
    return found


def _shortened(text: str) -> str:
    """A formula for a message."""
    return text if len(text) <= 100 else text[:97] + "..."


def _relation(requirement: Requirement) -> Node:
    return Apply(requirement.relation, (node_of(requirement.left), node_of(requirement.right)))


def _written_as_called(statement: Statement) -> None:
    """Raise where the functions are others for ints than for exact numbers, at whole numbers of their code."""
    domain = statement.domain
    for point in statement.written:
        if all(point[p.name] == domain.points[0][p.name] for p in domain.parameters if not p.whole):
            as_plain(statement.values(point), statement, point)


def _paths_as_called(paths: list[Path], statement: Statement, instance: Mapping[str, Fraction]) -> None:
    """Raise where the functions, called at points of the domain, give other numbers than the recorded formulas."""
    if statement.is_of_formulas:
        return
    points = [p for p in statement.domain.points if all(p[name] == value for name, value in instance.items())]
    for point in points[:8]:
        at = {name: as_rational(value) for name, value in point.items()}
        path = next((p for p in paths if all(holds(c, point) for c in p.conditions)), None)
        if path is None or path.raised is not None:
            raise NotFollowedError(f"no recorded case applies at {point}")
        parts = ([node_of(f)] if not is_generic(f) else f.as_at(point) for f in path.result[1])
        nodes = list(chain.from_iterable(parts))
        sizes = [size_of_terms(node, at) for node in nodes]
        compare([float(numeric(node, at)) for node in nodes], statement, point, sizes)
