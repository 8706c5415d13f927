"""The requirements on a conjecture: rows, privacy, tight level, optimality; each with the verdict that it earned.

Each is a statement (`lpmech.statements`) about the conjecture's functions: followed for all t, K and parameters where
that goes, else followed in t at named instances, else called at a ladder of t there. A channel is called optimal with
no stronger verdict than that its rows sum to one and that it is private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import sympy as sp

from lpmech.conjectures.domain import LabelDomain
from lpmech.conjectures.source import Conjecture
from lpmech.conjectures.utilities import gain_of, prior_at
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError, UndecidedError
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program, optimal_channel
from lpmech.prove import Holds, prove
from lpmech.prove.counterexamples import Instance, find_counterexample, shrink
from lpmech.prove.objects import Node
from lpmech.prove.texts import as_written
from lpmech.statements.following import Called, RaisedError
from lpmech.statements.numbers import (
    FLOATS,
    Requirement,
    Requirements,
    entries_of,
    is_generic,
    is_recorded,
    shown_number,
)
from lpmech.statements.optimal import Optima, hit_rate, hits, worth
from lpmech.statements.properties import Attained, not_negative, private, sums_to_one
from lpmech.statements.settling import Calls, call, settle
from lpmech.statements.statement import FailsError, Found, Statement
from lpmech.statements.symbolic import evaluated_by_sympy
from lpmech.statements.witness import Witness
from lpmech.verdicts import Outcome, Verdict, certified, proved, refuted, supported

if TYPE_CHECKING:
    from lpmech.statements.every_prior import OptimumOverPriors

__all__ = ["Settled", "check", "requirements_of", "summary", "summary_domain"]

ROWS, PRIVATE, LEVEL, OPTIMAL, VALUE = (
    "rows sum to one", "epsilon-private", "tight level", "optimal", "value of the optimum",
)  # fmt: skip
_SEARCHED = {"systematic": 60, "random_tries": 10}
_LARGEST_SEARCHED = 5
#: A witness with more labels is not made smaller.
_LARGEST_SHRUNK = 60
#: Numbers t that are given to a user's function as sympy's and as Python's numbers, the largest one first.
_KINDS = (Fraction(10**9), Fraction(2), Fraction(3, 2))


@dataclass(frozen=True)
class Settled:
    """A requirement on a conjecture, and what was established.

    Attributes
    ----------
    requirement : str
        Its name.
    outcome : Outcome
    domain : str
        What the verdict is about: where it is certified the instances that were settled, else all hypotheses.
    witness : Witness or None
        Of what is refuted.
    proof : Node or None
        The object of a statement that is proved for all parameters at once.
    """

    requirement: str
    outcome: Outcome
    domain: str
    witness: Witness | None = None
    proof: Node | None = None


def summary(settled: Sequence[Settled]) -> tuple[Verdict, list[str]]:
    """The weakest verdict, and the requirements that have it."""
    if not settled:
        raise InvalidInputError("settled", [], "at least one requirement")
    verdict = min((s.outcome.verdict for s in settled), key=lambda verdict: verdict.strength)
    return verdict, [s.requirement for s in settled if s.outcome.verdict is verdict]


def summary_domain(settled: Sequence[Settled]) -> str:
    """What the weakest verdict is about."""
    verdict, _ = summary(settled)
    about: dict[str, list[str]] = {}
    for one in settled:
        if one.outcome.verdict is verdict:
            about.setdefault(one.domain, []).append(one.requirement)
    if len(about) == 1:
        return next(iter(about))
    return " and ".join(f"{domain} ({', '.join(names)})" for domain, names in about.items())


def requirements_of(conjecture: Conjecture) -> list[str]:
    """What `check` settles, in order; of a channel that is none, the tight level is not asked for."""
    of_channel = [ROWS, PRIVATE, LEVEL, OPTIMAL] if conjecture.channel is not None else []
    return of_channel + ([VALUE] if conjecture.value is not None else [])


def check(
    conjecture: Conjecture,
    utility: str | None = None,
    largest: int = 8,
    timeout_seconds: float = 10.0,
    floats_count: bool = False,
) -> Iterator[Settled]:
    """The requirements on a conjecture, one after the other.

    Parameters
    ----------
    conjecture : Conjecture
        See `conjecture_from_text`, `conjecture_from_file`.
    utility : str, optional
        Name of the utility, default ``hit``; none beside a file that defines its own.
    largest : int
        Largest number of labels of the instances where no proof for all is found.
    timeout_seconds : float
        For each time that a prover is asked.
    floats_count : bool
        Whether what floats miss by rounding is a failure, though it holds as a formula.

    Raises
    ------
    InvalidInputError
        If `largest` is below 2, the utility is unknown or given twice, no instance satisfies the hypotheses, or a
        function raises from the start or returns something that is no matrix of numbers.
    """
    whole_number(largest, "largest", 2)
    domain = replace(conjecture.domain, largest=largest)
    _check_functions(conjecture, domain)
    face = _Face(conjecture, domain, timeout_seconds, floats_count)
    if conjecture.channel is not None:
        yield from _of_channel(face, conjecture.channel, utility)
    if conjecture.value is not None:
        value, optimal = conjecture.value, _Optimal(conjecture, utility)
        yield face.settled(VALUE, lambda at: optimal.of_number(value(at), at), value, optimal.by)


def _of_channel(face: _Face, channel: Called, utility: str | None) -> Iterator[Settled]:
    optimal = _Optimal(face.conjecture, utility)

    def matrix(at: Mapping[str, Any]) -> Any:
        found = channel(at)
        if not is_generic(found) and len(found.rows) != at["K"]:
            shape = f"{len(found.rows)} rows of {[len(found.outputs)]} entries for K = {at['K']}"
            raise InvalidInputError("channel", shape, "one row for each label, all of one length")
        return found

    def is_private(at: Mapping[str, Any]) -> Iterator[Requirement]:
        table = matrix(at)
        yield from not_negative(table)
        yield from private(table, at["t"], "e^epsilon = t")

    rows = face.settled(ROWS, lambda at: sums_to_one(matrix(at)), channel)
    yield rows
    epsilon_private = face.settled(PRIVATE, is_private, channel)
    yield epsilon_private
    wrong = [s.requirement for s in (rows, epsilon_private) if s.outcome.verdict is Verdict.REFUTED]
    if wrong:
        why = f"there is no private channel to speak of: refuted is '{wrong[0]}'"
        yield Settled(OPTIMAL, Outcome(Verdict.UNDECIDED, "not asked", why), face.domain.about)
        return
    yield face.level(channel)
    found = face.settled(OPTIMAL, lambda at: optimal.of_matrix(matrix(at), at), channel, optimal.by)
    yield _no_stronger(found, (rows, epsilon_private))


def _no_stronger(found: Settled, needed: Iterable[Settled]) -> Settled:
    for other in needed:
        outcome, verdict = found.outcome, other.outcome.verdict
        if outcome.verdict is not Verdict.REFUTED and verdict.strength < outcome.verdict.strength:
            text = f"{outcome.evidence}; no more than {verdict}, because '{other.requirement}' is only that"
            found = replace(found, outcome=replace(outcome, verdict=verdict, evidence=text), domain=other.domain)
    return found


def _check_functions(conjecture: Conjecture, domain: LabelDomain) -> None:
    """Refuse a function that raises from the start, or gives other numbers for other kinds of t, or when run afresh."""
    again = conjecture.afresh() if conjecture.afresh is not None else conjecture
    for name in ("channel", "value"):
        function = getattr(conjecture, name)
        if function is None or again is conjecture:
            continue
        for instance in domain.instances(())[:2]:
            at = [{**instance, "t": t} for t in (*_KINDS, *domain.ladder)]
            found = [_result(function, point) for point in at if domain.holds(point)]
            raised = [result for result in found if isinstance(result, RaisedError)]
            if found and len(raised) == len(found) and instance == domain.instances(())[0]:
                where = Witness(at[1], "").where
                raise InvalidInputError(
                    "conjecture", f"at {where} {raised[0]}", "a function that returns there, or --where K >= ..."
                )
            for point in filter(domain.holds, at[: len(_KINDS)]):
                both = _result(function, point), _result(getattr(again, name), point)
                if _differ(*both):
                    where = Witness(point, "").where
                    got = f"another result at {where} in a first call of the file run afresh, with another type of t"
                    raise InvalidInputError("conjecture", got, "functions of the values of their arguments alone")


def _result(function: Called, at: Mapping[str, Any]) -> Any:
    try:
        return function(at)
    except RaisedError as exc:
        return exc


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, RaisedError) or isinstance(other, RaisedError):
        return False
    pairs = zip(entries_of(one), entries_of(other), strict=True)
    return len(entries_of(one)) != len(entries_of(other)) or not all(
        Requirement(a, "==", b, "equal").holds_beside(1.0) for a, b in pairs
    )


class _Optimal:
    """That a channel, or a number, is optimal for the utility of a conjecture."""

    def __init__(self, conjecture: Conjecture, utility: str | None) -> None:
        self._gain = gain_of(conjecture, utility)
        self._outputs = conjecture.outputs
        self._optima = Optima(self._program)
        self._over_priors: dict[Any, OptimumOverPriors] = {}
        own = conjecture.utility is not None or conjecture.outputs is not None or conjecture.domain.uses_prior
        self._of_hits = utility in (None, "hit") and not own
        self.by = "dual certificate t/(K(t+K-1)), " if self._of_hits else ""

    def _program(self, at: Mapping[str, Any], level: PrivacyLevel) -> Program:
        return optimal_channel(self._gain(at), level, prior_at(at))

    def _for_every_prior(self, at: Mapping[str, Any]) -> OptimumOverPriors:
        from lpmech.statements.every_prior import optimum_over_priors

        gain = self._gain(at)
        key = tuple(map(tuple, gain.tolist()))
        if key not in self._over_priors:
            self._over_priors[key] = optimum_over_priors(gain)
        return self._over_priors[key]

    def of_number(self, value: Any, at: Mapping[str, Any], named: str = "the formula gives") -> Iterator[Requirement]:
        """A number is the optimum."""
        if self._of_hits:
            yield from hits(value, at, named)
        elif "prior" in at and is_recorded(at["t"]):
            yield Requirement(value, "==", self._for_every_prior(at), "optimal")
        else:
            yield self._optima.requirement(value, at, named)

    def of_matrix(self, table: Any, at: Mapping[str, Any]) -> Iterator[Requirement]:
        """A channel attains the optimum."""
        named = "expected utility"
        if self._of_hits:
            yield from hits(hit_rate(table, at), at, named)
            return
        if is_generic(table):
            raise TypeError("the optimum for all K is known of hits only")
        if self._outputs is not None:
            names = self._outputs(at)
            if len(names) != len(table.outputs) or len(set(map(repr, names))) != len(names):
                allowed = f"a distinct name for each of the {len(table.outputs)} columns at K = {at['K']}"
                raise InvalidInputError("outputs", names, allowed)
        weights = prior_at(at)[:, None] * self._gain(at)
        yield from self.of_number(worth(table, weights), at, named)


@dataclass(frozen=True)
class _Face:
    """What the statements about one conjecture share."""

    conjecture: Conjecture
    domain: LabelDomain
    seconds: float
    floats_count: bool

    def settled(self, name: str, requirements: Requirements, function: Called, by: str = "") -> Settled:
        """A requirement with its verdict, where it is proved by an argument."""
        functions, only_called = ([function], []) if self.conjecture.followable else ([], [function])
        statement = Statement(name, self.domain, requirements, functions, self.seconds, only_called)
        try:
            return self._searched(statement, settle(statement, self.floats_count), by)
        except FailsError as exc:
            return self._refuted(statement, exc.witness, exc.note)
        except UndecidedError as exc:
            return Settled(name, Outcome(Verdict.UNDECIDED, "none", str(exc)), self.domain.about)

    def _searched(self, statement: Statement, found: Found, by: str) -> Settled:
        """What was found, after a search among small and random priors."""
        about = self.domain.about if found.verdict is Verdict.PROVED else self._about(found)
        least, most = 2 + len(found.labels), min(_LARGEST_SEARCHED, self.domain.largest)
        if self.domain.uses_prior and not self.domain.own and least <= most and found.verdict is not Verdict.PROVED:
            searched = find_counterexample(
                lambda i: self._fails(statement, i), smallest=least, largest=most, **_SEARCHED
            )
            if searched is not None:
                return self._refuted(statement, self._witness(statement, _point(searched.instance)), "")
            sizes = str(most) if most == least else f"{least}..{most}"
            about += f"; and for each K = {sizes} the 60 instances of smallest numbers and 10 random ones (seed 0)"
        evidence = about if found.verdict is not Verdict.PROVED else f"{by}{found.about}"
        return Settled(statement.text, Outcome(found.verdict, found.how, evidence + found.notes), about)

    def _about(self, found: Found) -> str:
        """For which parameters it was settled."""
        if not found.labels:
            return found.about
        return "; ".join(filter(None, (f"{self.domain.covered_with_priors(found.labels)} (proved)", found.about)))

    def _refuted(self, statement: Statement, witness: Witness, note: str) -> Settled:
        """Refuted by the smallest witness found."""
        if note:  # floats miss what holds as a formula
            outcome = refuted(FLOATS, note, str(witness))
            return Settled(statement.text, outcome, self.domain.about, witness)
        witness = self._smaller(statement, witness)
        how = "exact arithmetic" if witness.is_exact else FLOATS
        outcome = refuted(how, f"the smallest witness found has K = {witness.point['K']}", str(witness))
        return Settled(statement.text, outcome, self.domain.about, witness)

    def _smaller(self, statement: Statement, witness: Witness) -> Witness:
        """The witness, or one with fewer labels and smaller numbers."""
        instance = _instance(witness)
        if instance is None or not (self.domain.uses_prior or self.domain.own):
            return witness
        if self._fails(statement, instance) is None:
            got = f"a function that fails at {witness.where}, and does not when it is called again"
            raise InvalidInputError("conjecture", got, "functions of the values of their arguments alone")
        return self._witness(statement, _point(shrink(lambda i: self._fails(statement, i), instance).instance))

    def _fails(self, statement: Statement, instance: Instance) -> str | None:
        point = self._inside(instance)
        if point is None:
            return None
        try:
            call(statement, point, Calls())
        except FailsError as exc:
            return str(exc.witness)
        return None

    def _inside(self, instance: Instance) -> dict[str, Any] | None:
        """The point of an instance, if it satisfies the hypotheses."""
        point = _point(instance)
        if not self.domain.uses_prior and len(set(instance.counts)) > 1:
            return None
        return self._of_domain(point) if self.domain.holds(point) else None

    def _of_domain(self, point: dict[str, Any]) -> dict[str, Any]:
        return point if self.domain.uses_prior else {name: v for name, v in point.items() if name != "prior"}

    def _witness(self, statement: Statement, point: dict[str, Any]) -> Witness:
        try:
            call(statement, self._of_domain(point), Calls())
        except FailsError as exc:
            return exc.witness
        raise InvalidInputError("conjecture", "a function that fails once only", "functions of their arguments alone")

    def level(self, channel: Called) -> Settled:
        """The tight level of a channel that is private."""
        attained = Attained("e^epsilon = t")
        requirements: Requirements = lambda at: attained(channel(at), at["t"])  # noqa: E731
        functions = [channel] if self.conjecture.followable else []
        how, about = "largest ratio within an output", self.domain.about
        try:
            found = settle(Statement(LEVEL, self.domain, requirements, functions, self.seconds))
        except FailsError as exc:
            if (formula := self._formula_of_level()) is not None:
                return Settled(LEVEL, formula, about)
            place, where = exc.witness.place, exc.witness.where
            if place.get("under", 0) == 0:
                return Settled(LEVEL, Outcome(Verdict.UNDECIDED, how, str(exc.witness)), about)
            ratio = shown_number(place["above"] / place["under"]).partition(" = ")[0]
            text = f"below epsilon somewhere: e^level = {ratio} at {where}"
            below = certified(how, text) if exc.witness.is_exact else supported(FLOATS, text)
            return Settled(LEVEL, below, f"at {where}")
        except UndecidedError as exc:
            return Settled(LEVEL, Outcome(Verdict.UNDECIDED, how, str(exc)), about)
        text = f"exactly epsilon: {self._about(found)}{found.notes}"
        about = about if found.verdict is Verdict.PROVED else self._about(found)
        return Settled(LEVEL, Outcome(found.verdict, found.how, text), about)

    def _formula_of_level(self) -> Outcome | None:
        """The largest ratio of the two entries of a text as a formula, for all parameters."""
        if len(self.conjecture.expressions) != 2:
            return None
        for high, low in (self.conjecture.expressions, self.conjecture.expressions[::-1]):
            symbols = self.domain.symbols
            ratio = sp.simplify(evaluated_by_sympy(high, symbols) / evaluated_by_sympy(low, symbols))
            above, under = (as_written(node, symbols, "conjecture") for node in (high, low))
            equal = sp.Eq(above, ratio * under, evaluate=False)
            holds = sp.And(sp.Gt(under, 0, evaluate=False), ratio >= 1, equal, evaluate=False)
            answer = prove(holds, self.domain.hypotheses, timeout_seconds=self.seconds)
            if isinstance(answer, Holds):
                return proved(answer.method, f"e^level = {ratio}, for all {self.domain}")
        return None


def _point(instance: Instance) -> dict[str, Any]:
    return {
        "K": Fraction(len(instance.counts)), "t": instance.ratio, **dict(instance.parameters),
        "prior": tuple(instance.prior),
    }  # fmt: skip


def _instance(witness: Witness) -> Instance | None:
    """The instance of a witness, if all of it is rational."""
    point = dict(witness.point)
    prior = point.pop("prior", None)
    if not all(type(value) is Fraction for value in point.values()) or point["K"] > _LARGEST_SHRUNK:
        return None
    size, ratio = int(point.pop("K")), point.pop("t")
    common = lcm(*(p.denominator for p in prior or ()))
    counts = tuple(int(p * common) for p in prior) if prior else (1,) * size
    return Instance(ratio, counts, None, tuple(point.items()))
