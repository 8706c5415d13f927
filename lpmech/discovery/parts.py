"""What is found: formulas for the optimum on parts of the range of t, each compared with exact programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.discovery.family import Family
from lpmech.discovery.kept import Kept, Piece
from lpmech.discovery.lemmas import Lemma
from lpmech.entries import Array
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.solvers.parametric import Regime, T, regimes_of, value_pieces
from lpmech.prove import Holds, Undecided, prove
from lpmech.prove.from_sympy import term_of
from lpmech.prove.rational_functions import as_rational, simplest_between
from lpmech.prove.texts import evaluated
from lpmech.statements.numeric import fraction_of, holds, numeric
from lpmech.terms import TRUE, Apply, Choice, Name, Node, Repeated, names_in
from lpmech.terms.functions import Eq, Whole
from lpmech.terms.term import parts_of
from lpmech.verdicts import Verdict

__all__ = ["Index", "Part", "Piece", "Samples", "Shown", "disagreement"]

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Index:
    """A whole number over which a part takes the largest value: name, first, last."""

    name: str
    first: Node
    last: Node


@dataclass(frozen=True)
class Part:
    """A formula and where it is the optimum.

    Attributes
    ----------
    value : term
        In t, K, the parameters, and the index if there is one.
    when : term
        Condition on t, K and the parameters.
    index : Index, optional
        The optimum is the largest value over it.
    best : term, optional
        Condition on t at which an index is the one that is best.
    attained : str
        By which mechanism.
    channel : term, optional
        Its entries Pr[j | i], in i, j, t, K, the parameters and the index that is best; u_ij is the utility where
        labels are no numbers.
    dual : term, optional
        The multiplier pi_i of each true label by which weak duality proves the value (`lpmech.discovery.witnesses`);
        p_i is the prior where it is any.
    exactly : bool
        Whether the mechanism is optimal at no other point: "if and only if".
    verdict : Verdict
        Proved for all K and t, or certified: true on every program that was compared.
    steps : tuple of str
        What was proved, a line each.
    proofs : tuple of (str, Holds)
        The same with what proves it.
    lemmas : tuple of Lemma
        What makes the optimum of it.
    """

    value: Node
    when: Node = TRUE
    index: Index | None = None
    best: Node | None = None
    attained: str = ""
    channel: Node | None = None
    dual: Node | None = None
    exactly: bool = False
    verdict: Verdict = Verdict.CERTIFIED
    steps: tuple[str, ...] = ()
    proofs: tuple[tuple[str, Holds], ...] = field(default=(), compare=False, repr=False)
    lemmas: tuple[Lemma, ...] = field(default=(), compare=False, repr=False)

    def letters(self, at: Values, prior: Sequence[Fraction] | Array = ()) -> Iterator[dict[str, Any]]:
        """Numbers for all letters of the formula, for each value of the index; P_k is the sum of k probabilities."""
        exact = {name: as_rational(value) for name, value in at.items()}
        if self.index is None:
            yield exact
            return
        for n in self._range(exact):
            own = {"P_k": as_rational(sum(prior[:n], Fraction(0)))} if len(prior) else {}
            yield {**exact, self.index.name: as_rational(n), **own}

    def value_at(self, at: Values, prior: Sequence[Fraction] | Array = ()) -> Fraction:
        """The value of the formula at numbers for t, K and the parameters."""
        return max(fraction_of(numeric(self.value, one)) for one in self.letters(at, prior))

    def best_letters(self, at: Values, optimum: Fraction, prior: Sequence[Fraction] | Array = ()) -> dict[str, Any]:
        """Numbers for all letters, with the first index that has the optimum; the last one if none has."""
        found: dict[str, Any] = {}
        for found in self.letters(at, prior):
            if self.index is None or fraction_of(numeric(self.value, found)) == optimum:
                break
        return found

    def wrongly_best(self, at: Values, optimum: Fraction) -> int | None:
        """An index between first and last that is said to be the best one, and is not."""
        if self.index is None or self.best is None:
            return None
        exact = {name: as_rational(value) for name, value in at.items()}
        for n in list(self._range(exact))[1:-1]:
            one = {**exact, self.index.name: as_rational(n)}
            if holds(self.best, one) and fraction_of(numeric(self.value, one)) != optimum:
                return n
        return None

    def _range(self, exact: Values) -> range:
        assert self.index is not None
        first, last = (int(fraction_of(numeric(end, exact))) for end in (self.index.first, self.index.last))
        return range(first, last + 1)

    def covers(self, at: Values) -> bool:
        """Whether it says anything at these numbers."""
        return self.when == TRUE or holds(self.when, {name: as_rational(value) for name, value in at.items()})

    @property
    def conditions(self) -> tuple[Node, ...]:
        """What has to hold, one by one."""
        match self.when:
            case Apply("and", conditions):
                return conditions
        return () if self.when == TRUE else (self.when,)

    @property
    def witnesses(self) -> list[tuple[str, Node]]:
        """Channel and dual by name, as far as they are found."""
        return [(name, node) for name, node in (("channel", self.channel), ("dual", self.dual)) if node is not None]

    @property
    def where(self) -> str:
        """For which parameters it is the optimum."""
        if self.when == TRUE:
            return "for all of them"
        return f"{'if and only if' if self.exactly else 'where'} {self.when}"

    @property
    def optimum(self) -> str:
        """The formula as text."""
        if self.index is None:
            return str(self.value)
        return f"the largest over {self.index.name} = {self.index.first}..{self.index.last} of {self.value}"


@dataclass
class Samples:
    """Exact optima of a family, as functions of t, at small K.

    Parameters
    ----------
    family : Family
    largest : int
        So many labels at most.
    kept : Kept, optional
        Takes what is computed, and has what was.
    only_known : bool
        Whether the instances are those that were computed, and no others.
    """

    family: Family
    largest: int
    kept: Kept | None = None
    known: dict[tuple[tuple[str, Fraction], ...], list[Piece]] = field(default_factory=dict)
    only_known: bool = False
    _problems: dict[Any, tuple[Array, Array]] = field(default_factory=dict)
    _regimes: dict[Any, list[Regime]] = field(default_factory=dict)
    _points: dict[Any, list[tuple[Fraction, Fraction]]] = field(default_factory=dict)

    def instances(self) -> list[dict[str, Fraction]]:
        """Values of K and the parameters."""
        found = self.family.instances(self.largest)
        return [at for at in found if tuple(sorted(at.items())) in self.known] if self.only_known else found

    def pieces(self, at: Mapping[str, Fraction]) -> list[Piece]:
        """(lower, upper, value in T) of an instance, rising; computed once."""
        key = tuple(sorted(at.items()))
        if key not in self.known and self.kept is not None and (before := self.kept.get(at)) is not None:
            self.known[key] = before
        if key not in self.known:
            self.known[key] = value_pieces(self.regimes(at))
            if self.kept is not None:
                self.kept.add(at, self.known[key])
        return self.known[key]

    def regimes(self, at: Mapping[str, Fraction]) -> list[Regime]:
        """The regimes of an instance, with a channel and a dual each; computed once."""
        key = tuple(sorted(at.items()))
        if key not in self._regimes:
            utility, prior = self.problem(at)
            self._regimes[key] = regimes_of(optimal_channel(utility, PrivacyLevel.from_ratio(2), prior))
        return self._regimes[key]

    def problem(self, at: Mapping[str, Fraction]) -> tuple[Array, Array]:
        """Utility and prior of an instance; asked for once."""
        key = tuple(sorted(at.items()))
        if key not in self._problems:
            self._problems[key] = self.family.problem(at)
        return self._problems[key]

    def points(self, at: Mapping[str, Fraction], to_the_ends: bool = False) -> list[tuple[Fraction, Fraction]]:
        """(t, optimum at t): two values of t within every piece of an instance; beside each of its ends, if asked."""
        key = (tuple(sorted(at.items())), to_the_ends)
        if key not in self._points:
            self._points[key] = list(self._computed_points(at, to_the_ends))
        return self._points[key]

    def _computed_points(self, at: Mapping[str, Fraction], to_the_ends: bool) -> Iterator[tuple[Fraction, Fraction]]:
        for lower, upper, value in self.pieces(at):
            middle = simplest_between(lower, upper)
            found = [middle, simplest_between(lower, as_rational(middle))]
            for t in (*found, *(_beside_ends(lower, upper, middle) if to_the_ends else ())):
                yield t, fraction_of(value.subs(T, as_rational(t)))


def _beside_ends(lower: sp.Expr, upper: sp.Expr, inside: Fraction) -> Iterator[Fraction]:
    """A rational beside each end, a thousandth of the way to it from a point inside, or nearer."""
    for end in (lower, upper):
        if end.is_infinite:
            yield 1000 * inside
            continue
        near = sp.Rational(sp.N(end, 60))
        step = (as_rational(inside) - near) / 1000
        yield simplest_between(*sorted((near + step / 2, near + step)))


def disagreement(part: Part, samples: Samples) -> str | None:
    """Where a part is not the optimum of an exact program, in words; None where it agrees with all of them.

    Of a part that says "exactly" the mechanism's value is below the optimum elsewhere.
    """
    for at in samples.instances():
        _, prior = samples.problem(at)
        for t, best in samples.points(at):
            here = {**at, "t": t}
            where = ", ".join(f"{name} = {value}" for name, value in here.items())
            if not part.covers(here):
                if part.exactly and part.value_at(here, prior) >= best:
                    return f"{where}: optimal there as well"
                continue
            if (value := part.value_at(here, prior)) != best:
                return f"{where}: the optimum is {best}, not {value}"
            if (wrong := part.wrongly_best(here, best)) is not None:
                return f"{where}: {wrong} is not the best index"
    return None


@dataclass
class Shown:
    """The engine under the hypotheses of a family; what it has proved is told.

    Parameters
    ----------
    hypotheses : sequence of terms
    seconds : float
        For each question.
    """

    hypotheses: Sequence[Node]
    seconds: float = 10.0
    steps: list[str] = field(default_factory=list)
    proofs: list[tuple[str, Holds]] = field(default_factory=list)

    def shows(self, conclusion: Node, *under: Node) -> bool:
        """Whether the engine proves it from the hypotheses and these, or that no point satisfies these."""
        answer = prove(conclusion, [*self.hypotheses, *under], timeout_seconds=self.seconds)
        given = f" for {' and '.join(str(node) for node in under)}" if under else ""
        if isinstance(answer, Holds):
            self.steps.append(f"{conclusion}{given} ({', '.join(answer.methods) or 'evaluation'})")
            self.proofs.append((f"{conclusion}{given}", answer))
            return True
        if isinstance(answer, Undecided) and "contradict" in answer.reason:
            self.steps.append(f"no point is to be looked at{given} ({answer.reason})")
            self.proofs += [] if answer.implied is None else [(f"{conclusion}{given}", answer.implied)]
            return True
        return False

    def sum_of(self, body: Node, first: Node, last: Node) -> Node:
        """The sum of a term in m, written as proof objects write it (m first) where that is shown to be the same."""
        has_cases = any(isinstance(part, Choice) for part in parts_of(body))
        bound = {sp.Symbol("m"): sp.Dummy("m")}
        plain = body if has_cases else term_of(evaluated(body, names_in(body) & {"K", "k", "y"}).xreplace(bound))
        m = Name("m")
        if plain != body and not self.shows(Eq(body, plain), Whole(m), m >= first, m <= last):
            plain = body
        return Repeated("Sum", plain, "m", first, last)

    def knowing(self, facts: Sequence[Node]) -> Shown:
        """The same with what was proved before as further hypotheses."""
        return replace(self, hypotheses=[*self.hypotheses, *facts])

    def copy(self) -> Shown:
        """The same, for an attempt that may fail."""
        return replace(self, steps=list(self.steps), proofs=list(self.proofs))

    def proved(self, part: Part, *told: str | Lemma) -> Part:
        """The part with what has been shown for it."""
        lines = (one.told if isinstance(one, Lemma) else one for one in told)
        lemmas = tuple(one for one in told if isinstance(one, Lemma))
        steps, proofs = (*self.steps, *lines), tuple(self.proofs)
        return replace(part, verdict=Verdict.PROVED, steps=steps, proofs=proofs, lemmas=lemmas)
