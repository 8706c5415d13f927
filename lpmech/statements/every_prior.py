"""Functions of t and the prior, on two to four labels, followed for all priors and all t > 1 at once.

They are recorded at names for t and p_1, ..., p_(K-1). Where what is compared is linear in the prior, a requirement
fails iff linear inequalities have a solution, whose coefficients are polynomials in t: that is decided
(`lpmech.programs.solvers.systems_in_t`), and a solution is a point at which the functions are called. What is not
linear is put to the prover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import lcm
from typing import Any

import sympy as sp
from flint import fmpq, fmpz_poly

from lpmech.entries import Array, is_exact
from lpmech.errors import LpmechError
from lpmech.programs.solvers.prior_regions_in_t import FIELD, Functions, T, regions_in_t
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.programs.solvers.systems_in_t import SystemInT, Vector, never_negative
from lpmech.prove import Holds, prove
from lpmech.prove.polynomials import Quotient, Ring
from lpmech.prove.texts import as_written
from lpmech.statements.comparing import compare
from lpmech.statements.numbers import Requirement
from lpmech.statements.numeric import holds, numeric
from lpmech.statements.recording import NotRecordedError, Path, node_of, recorded_paths
from lpmech.statements.rounding import size_of_terms
from lpmech.statements.statement import Confirm, NotFollowedError, Statement
from lpmech.terms import ONE, ZERO, Apply, Name, Node
from lpmech.terms.functions import OPPOSITE
from lpmech.utilities import hit

__all__ = ["OptimumOverPriors", "for_every_prior", "optimum_over_priors"]

#: Values of t at which functions are called, for each prior of the family, and compared with what was recorded: at
#: simpler ones of two equally good choices floats take either.
_CALLED = (Fraction(29, 23), Fraction(31, 13), Fraction(97, 11))
_START = RealRoot.rational(fmpq(1))


@dataclass(frozen=True)
class OptimumOverPriors:
    """The optimum at every prior p and t: the largest p . r(t), of some r(t) for each interval of t.

    Attributes
    ----------
    intervals : tuple of (RealRoot, RealRoot or None, tuple of vectors)
        The ends, None for infinity, and the r(t): rational functions of t, one for each label.
    by : str
        The theorem that says so; nothing if it was computed.
    """

    intervals: tuple[tuple[RealRoot, RealRoot | None, tuple[Functions, ...]], ...]
    by: str = ""


def optimum_over_priors(utility: Array) -> OptimumOverPriors:
    """The optimum for a utility, shape (K, J), that is the same for every prior: K <= 3, or the hit rate.

    On more labels that of the hit rate is ghazi2021, Theorem 3: randomised response on the best set S of labels, which
    keeps t/(t + |S| - 1) of each label of S.

    Raises
    ------
    NotRecordedError
        If the utility is not the same, or not exact, or another one on more labels.
    """
    size = len(utility)
    if size > 3 and is_exact(utility) and utility.shape == (size, size) and (utility == hit(size)).all():
        sets = [frozenset(s) for n in range(1, size + 1) for s in combinations(range(size), n)]
        worths = [tuple(T / (T + len(s) - 1) if y in s else FIELD(0) for y in range(size)) for s in sets]
        return OptimumOverPriors(((_START, None, tuple(worths)),), "the optimum by ghazi2021, Theorem 3")
    if size > 3 or not is_exact(utility):
        raise NotRecordedError("the optimum for all priors is known of hits, and of other exact utilities for K <= 3")
    found = ((one.lower, one.upper, tuple(r.row_utilities for r in one.regions)) for one in regions_in_t(utility))
    return OptimumOverPriors(tuple(found))


def for_every_prior(statement: Statement, labels: int, confirm: Confirm) -> tuple[str, ...]:
    """Show what is stated for all priors on so many labels, and all t > 1; how, in words.

    Raises
    ------
    FailsError
        If it is false at a point.
    NotFollowedError
        If it is not shown.
    """
    __tracebackhide__ = True
    followed = _Followed(statement, labels, confirm)
    try:
        paths = recorded_paths(followed.program, followed.names, possible=followed.possible)
        followed.as_called(paths)
        for path in paths:
            followed.holds_on(path)
    except (NotRecordedError, LpmechError) as exc:
        raise NotFollowedError(str(exc)) from exc
    cases = [f"{len(paths)} cases at K = {labels}"] if len(paths) > 1 else []
    floats = ["floats of the program as the decimals that they print"] if any(path.floats for path in paths) else []
    return ("linear inequalities in the prior, exact for every t", *followed.methods, *cases, *floats)


class _Followed:
    """A statement on so many labels, with names for t and the prior."""

    def __init__(self, statement: Statement, labels: int, confirm: Confirm) -> None:
        self._statement = statement
        self.labels = labels
        self._confirm = confirm
        self._letters = [f"p{y + 1}" for y in range(labels)]
        last: Node = ONE
        for name in self._letters[:-1]:
            last = Apply("-", (last, Name(name)))
        self._prior = (*map(Name, self._letters[:-1]), last)
        self.names = {"t": Name("t"), **dict(zip(self._letters, self._prior, strict=True))}
        self._symbols = {name: sp.Symbol(name) for name in ("t", *self._letters[:-1])}
        self._ring = Ring(list(self._symbols.values()))
        self.methods: dict[str, None] = {}
        self._possible: dict[tuple[Node, ...], bool] = {}
        self._given = [
            *(Apply(">=", (p, ZERO)) for p in self._prior),
            *statement.domain.conditions_on_priors(labels, self._prior),
        ]

    def program(self, at: Mapping[str, Any]) -> Any:
        """What is required, with the values of the functions."""
        prior = tuple(at[name] for name in self._letters)
        return self._statement.at({"K": Fraction(self.labels), "t": at["t"], "prior": prior})

    def possible(self, conditions: Sequence[Node]) -> bool:
        """Whether conditions hold together somewhere, as far as is known."""
        key = tuple(conditions)
        if key not in self._possible:
            try:
                self._possible[key] = _Case([*self._given, *conditions], self).fails_at((), ()) is not None
            except (NotRecordedError, NotFollowedError, LpmechError):
                self._possible[key] = True
        return self._possible[key]

    def as_called(self, paths: Sequence[Path]) -> None:
        """Raise where the functions, called at points of the domain, give other numbers than were recorded."""
        domain = self._statement.domain
        ladder = [instance | {"t": t} for instance in domain.instances(()) for t in _CALLED]
        points = [domain.point(at) for at in ladder if at["K"] == self.labels and domain.holds(at)]
        for point in points:
            at = {"t": point["t"], **dict(zip(self._letters, point["prior"], strict=True))}
            path = next((p for p in paths if all(holds(c, at) for c in p.conditions)), None)
            if path is None or path.raised is not None:
                raise NotFollowedError(f"no recorded case applies at {point}")
            nodes = [node_of(value) for value in path.result[1]]
            exact = {name: sp.Rational(value.numerator, value.denominator) for name, value in at.items()}
            compare(
                [float(numeric(node, exact)) for node in nodes],
                self._statement,
                point,
                [size_of_terms(node, exact) for node in nodes],
            )

    def holds_on(self, path: Path) -> None:
        """Show all requirements where a path is taken."""
        __tracebackhide__ = True
        case = _Case([*self._given, *path.conditions], self)
        if case.fails_at((), ()) is None:
            return
        if path.raised is not None:
            self._fails(case.fails_at((), ()), f"whether it raises {path.raised!r}")
        for node in path.defined:
            self._shown(case, node)
        asked: set[Node] = set()
        for requirement in path.result[0]:
            if type(requirement.right) is OptimumOverPriors:
                self._is_optimum(case, requirement)
                continue
            node = Apply(requirement.relation, (node_of(requirement.left), node_of(requirement.right)))
            if node not in asked:
                asked.add(node)
                self._shown(case, node)

    def _shown(self, case: _Case, node: Node) -> None:
        __tracebackhide__ = True
        assert isinstance(node, Apply)  # a relation
        relation, (left, right) = node.operation, node.arguments
        above, under = self.difference(left, right)
        if relation == "==" and above == 0:
            return
        try:
            violations = self.alternatives(OPPOSITE[relation], above, under)
            found = next(filter(None, (case.fails_at(*one) for one in violations)), None)
        except _NotLinearError:
            self._by_engine(case, node)
            return
        if found is not None:
            self._fails(found, str(node))

    def _by_engine(self, case: _Case, node: Apply) -> None:
        given = [self._symbols["t"] > 1, *(as_written(c, self._symbols, "case") for c in case.conditions)]
        conclusion = as_written(node, self._symbols, "requirement")
        answer = prove(conclusion, given, timeout_seconds=self._statement.seconds)
        if not isinstance(answer, Holds):
            raise NotFollowedError("a requirement is not linear in the prior, and the prover does not prove it", 1)
        self.methods |= dict.fromkeys(answer.methods)

    def _is_optimum(self, case: _Case, requirement: Requirement) -> None:
        """A value is the largest p . r(t): it is one of them and none is larger, or it is so in each region."""
        __tracebackhide__ = True
        value = self._parts(node_of(requirement.left))
        if requirement.right.by:
            self.methods[requirement.right.by] = None
        for lower, upper, vectors in requirement.right.intervals:
            worths = [self._worth(vector) for vector in vectors]
            own = next((w for w in worths if self._minus(w, value)[0] == 0), None)
            for worth in worths:
                if own is not None:
                    cases = self.alternatives(">", *self._minus(worth, own)) if worth is not own else []
                else:
                    beyond = [self._minus(worth, other) for other in worths if other is not worth]
                    weak = [v for lead in beyond for w, _ in self.alternatives(">=", *lead) for v in w]
                    differs = self.alternatives("!=", *self._minus(value, worth))
                    cases = [((*weak, *more), strict) for more, strict in differs]
                for one in cases:
                    if (found := case.fails_at(*one, lower, upper)) is not None:
                        self._fails(found, "whether it is the optimum")

    def _worth(self, kept: Sequence[Any]) -> Quotient:
        symbols = [as_written(p, self._symbols, "prior") for p in self._prior]
        return self._ring.quotient(sp.Add(*(r.as_expr() * p for r, p in zip(kept, symbols, strict=True))))

    def _fails(self, found: tuple[Fraction, tuple[Fraction, ...]] | None, what: str) -> None:
        """Call the functions where what was followed fails; there they do, or they were not followed."""
        __tracebackhide__ = True
        assert found is not None
        self._confirm(self._statement.domain.point({"K": Fraction(self.labels), "t": found[0], "prior": found[1]}))
        told = f"{what}: what was followed fails at t = {found[0]}, the function that is called does not"
        raise NotFollowedError(told, 1)

    # ---- linear functions of the prior

    def _parts(self, node: Node) -> Quotient:
        return self._ring.quotient(as_written(node, self._symbols, "requirement"))

    def _minus(self, first: Quotient, second: Quotient) -> Quotient:
        return first[0] * second[1] - second[0] * first[1], first[1] * second[1]

    def difference(self, left: Node, right: Node) -> Quotient:
        """Numerator and denominator of left - right."""
        return self._minus(self._parts(left), self._parts(right))

    def alternatives(self, relation: str, above: Any, under: Any) -> list[_Conditions]:
        """A quotient ``relation`` zero as alternatives of weak and strict inequalities.

        Raises
        ------
        _NotLinearError
            If it is not linear in the prior.
        """
        over = self._of_t(under)
        if over is not None and never_negative(over):
            signed = above
        else:
            signed = -above if over is not None and never_negative(-over) else above * under
        vector = self._vector(above if relation in ("==", "!=") else signed)
        minus = tuple(-v for v in vector)
        ways: dict[str, list[_Conditions]] = {
            ">": [((), (vector,))], ">=": [((vector,), ())], "<": [((), (minus,))], "<=": [((minus,), ())],
            "==": [((vector, minus), ())], "!=": [((), (vector,)), ((), (minus,))],
        }  # fmt: skip
        return ways[relation]

    def _of_t(self, polynomial: Any) -> Any:
        """A polynomial that the prior is not in, up to a positive factor; else None."""
        terms = polynomial.to_dict()
        if any(any(powers[1:]) for powers in terms):
            return None
        common = lcm(*(int(c.q) for c in terms.values()))
        found = fmpz_poly()
        for powers, coefficient in terms.items():
            found[int(powers[0])] = int(coefficient.p) * common // int(coefficient.q)
        return found

    def _vector(self, polynomial: Any) -> Vector:
        """c(t) + sum of c_i(t) p_i as a vector: p sums to one. Up to a positive factor."""
        terms = polynomial.to_dict()
        if any(sum(powers[1:]) > 1 for powers in terms):
            raise _NotLinearError
        common = lcm(*(int(c.q) for c in terms.values()))
        parts = [fmpz_poly() for _ in range(self.labels)]
        for powers, coefficient in terms.items():
            place = next((y for y, power in enumerate(powers[1:]) if power), self.labels - 1)
            parts[place][int(powers[0])] = int(coefficient.p) * common // int(coefficient.q)
        vector = [part + parts[-1] for part in parts[:-1]] + [parts[-1]]
        divisor = fmpz_poly()
        for part in vector:
            divisor = divisor.gcd(part)
        if divisor and never_negative(divisor):
            vector = [part // divisor for part in vector]
        return tuple(vector)


#: Weak and strict inequalities that hold together.
_Conditions = tuple[tuple[Vector, ...], tuple[Vector, ...]]


class _NotLinearError(NotRecordedError):
    """A condition is not linear in the prior."""

    def __init__(self) -> None:
        super().__init__("what is compared is not linear in the prior")


@dataclass(frozen=True)
class _Case:
    """Conditions on t and the prior under which something is to be shown."""

    conditions: list[Node]
    followed: _Followed

    @cached_property
    def _alternatives(self) -> list[_Conditions]:
        ways = [list(self._of_node(node, True)) for node in self.conditions]
        return [
            (tuple(v for weak, _ in way for v in weak), tuple(v for _, strict in way for v in strict))
            for way in product(*ways)
        ]

    def _of_node(self, node: Node, stands: bool) -> Iterator[_Conditions]:
        match node:
            case Apply("not", (part,)):
                yield from self._of_node(part, not stands)
            case Apply("and", parts) if stands:
                for way in product(*(self._of_node(part, True) for part in parts)):
                    yield tuple(v for weak, _ in way for v in weak), tuple(v for _, strict in way for v in strict)
            case Apply(relation, (left, right)) if relation in OPPOSITE:
                asked = relation if stands else OPPOSITE[relation]
                yield from self.followed.alternatives(asked, *self.followed.difference(left, right))
            case _:
                raise NotFollowedError(f"the condition {node} is not linear in the prior")

    def fails_at(
        self,
        weak: tuple[Vector, ...],
        strict: tuple[Vector, ...],
        lower: RealRoot = _START,
        upper: RealRoot | None = None,
    ) -> tuple[Fraction, tuple[Fraction, ...]] | None:
        """A t and a prior of the case with further inequalities; None proves that there are none."""
        for own_weak, own_strict in self._alternatives:
            system = SystemInT(self.followed.labels, (*own_weak, *weak), (*own_strict, *strict))
            if (found := system.solution(lower, upper)) is not None:
                return found
        return None
