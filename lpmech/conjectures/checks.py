"""Checks of a conjecture: normalisation, privacy, tight level, optimality; each with the verdict that was earned.

A question about expressions is put to the engine for all t, K and parameters. What that leaves open, and everything
about functions, is settled instance by instance on a named family: the function is followed in t from branch to branch
and at every break point (`lpmech.prove.tracing`), or evaluated exactly at a ladder of rational t. The channel is called
optimal with no stronger verdict than that it is normalised and private.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import sympy as sp

from lpmech.conjectures.coverage import Tried
from lpmech.conjectures.following import Followed
from lpmech.conjectures.instances import LADDER, inside, instances
from lpmech.conjectures.optimum import gain_of, optimal_question, value_question
from lpmech.conjectures.proofs import Proofs
from lpmech.conjectures.questions import PRIVATE, ROWS, Question, attains, largest_ratio
from lpmech.conjectures.source import Conjecture
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError, UndecidedError
from lpmech.prove.answers import Answer, Fails, Holds, Undecided, Witness
from lpmech.prove.counterexamples import Counterexample, Instance, find_counterexample, shrink
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.tracing import Cover, Raised
from lpmech.statements.numeric import fraction_of, sign, written
from lpmech.statements.pieces import OUTSIDE, suspects
from lpmech.verdicts import Outcome, Verdict, certified, proved, refuted

__all__ = ["Finding", "STRENGTH", "check", "questions", "summary", "summary_domain"]

#: From the strongest verdict to the weakest.
STRENGTH = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED, Verdict.UNCLEAR, Verdict.UNDECIDED, Verdict.REFUTED)

_LEVEL = "tight level"
_LARGEST_FOR_REGIMES = 6
_SEARCHED = {"systematic": 60, "random_tries": 10}
_LARGEST_SEARCHED = 4
#: A counterexample with more labels is told in the words of the engine.
_LARGEST_EVALUATED = 200


@dataclass(frozen=True)
class Finding:
    """A question about a conjecture and what was established.

    Attributes
    ----------
    question : str
    outcome : Outcome
    domain : str
        What the verdict is about: where it is certified the instances that were settled, else all hypotheses.
    """

    question: str
    outcome: Outcome
    domain: str


def summary(findings: Sequence[Finding]) -> tuple[Verdict, list[str]]:
    """The weakest verdict of the findings, and the questions that have it."""
    if not findings:
        raise InvalidInputError("findings", [], "at least one finding")
    verdict = max((f.outcome.verdict for f in findings), key=STRENGTH.index)
    return verdict, [f.question for f in findings if f.outcome.verdict is verdict]


def summary_domain(findings: Sequence[Finding]) -> str:
    """What the weakest verdict is about."""
    verdict, _ = summary(findings)
    about: dict[str, list[str]] = {}
    for finding in findings:
        if finding.outcome.verdict is verdict:
            about.setdefault(finding.domain, []).append(finding.question)
    if len(about) == 1:
        return next(iter(about))
    return " and ".join(f"{domain} ({', '.join(questions)})" for domain, questions in about.items())


def check(
    conjecture: Conjecture, utility: str | None = None, largest: int = 8, timeout_seconds: float = 10.0
) -> Iterator[Finding]:
    """The questions about a conjecture, one after the other.

    Parameters
    ----------
    conjecture : Conjecture
        See `conjecture_from_text`, `conjecture_from_file`.
    utility : str, optional
        Name of the utility, default ``hit``; none beside a file that defines its own.
    largest : int
        Largest number of labels of the family where no proof for all is found.
    timeout_seconds : float
        For each question to a solver.

    Raises
    ------
    InvalidInputError
        If `largest` is below 2, the utility is unknown or given twice, no instance satisfies the hypotheses, or a
        function raises from the start or returns something that is no matrix of exact numbers.
    """
    whole_number(largest, "largest", 2)
    gain = gain_of(conjecture, utility)
    settled = _Settled(conjecture, largest)
    symbolic = Proofs(conjecture, timeout_seconds) if conjecture.expressions else None
    ask = symbolic.optimal if symbolic is not None and utility in (None, "hit") else None
    if conjecture.channel is not None:
        followed = Followed(conjecture, "channel")
        rows = settled.finding(ROWS, followed, symbolic.rows if symbolic else None)
        yield rows
        private = settled.finding(PRIVATE, followed, symbolic.private if symbolic else None)
        yield private
        wrong = [f.question for f in (rows, private) if f.outcome.verdict is Verdict.REFUTED]
        if wrong:
            why = f"there is no private channel to speak of: refuted is '{wrong[0]}'"
            yield Finding("optimal", Outcome(Verdict.UNDECIDED, "not asked", why), conjecture.about)
        else:
            yield settled.level(followed, symbolic)
            question = optimal_question(conjecture, gain)
            yield _no_stronger(settled.finding(question, followed, ask, Proofs.DUAL), (rows, private))
    if conjecture.value is not None:
        followed = Followed(conjecture, "value")
        yield settled.finding(value_question(gain), followed, ask, Proofs.DUAL)


def questions(conjecture: Conjecture) -> list[str]:
    """The questions that `check` settles, in order; of a channel that is none, the tight level is not asked for."""
    of_channel = [ROWS.text, PRIVATE.text, _LEVEL, "optimal"] if conjecture.channel is not None else []
    return of_channel + (["value of the optimum"] if conjecture.value is not None else [])


def _no_stronger(found: Finding, needed: Iterable[Finding]) -> Finding:
    for other in needed:
        outcome, verdict = found.outcome, other.outcome.verdict
        if outcome.verdict is not Verdict.REFUTED and STRENGTH.index(verdict) > STRENGTH.index(outcome.verdict):
            text = f"{outcome.evidence}; no more than {verdict}, because '{other.question}' is only that"
            found = replace(found, outcome=replace(outcome, verdict=verdict, evidence=text), domain=other.domain)
    return found


class _Settled:
    """What is established on the domain of a conjecture, and on its family of instances."""

    def __init__(self, conjecture: Conjecture, largest: int):
        self._conjecture = conjecture
        self._largest = largest

    def finding(
        self, question: Question, followed: Followed, ask: Callable[[], Answer] | None, argument: str = ""
    ) -> Finding:
        """A question, for all parameters if the engine decides it by some argument, else on the family."""
        answer = ask() if ask is not None else None
        if isinstance(answer, Holds):
            return self._about_all(question.text, proved(answer.method, f"{argument}for all {self._conjecture.domain}"))
        try:
            found = self._on_family(question, followed)
        except UndecidedError as exc:
            found = self._about_all(question.text, Outcome(Verdict.UNDECIDED, question.how, str(exc)))
        outcome = found.outcome
        if isinstance(answer, Fails) and outcome.verdict is not Verdict.REFUTED:
            return self._about_all(question.text, self._at_witness(question, followed, answer.witness))
        if isinstance(answer, Undecided) and outcome.verdict is not Verdict.REFUTED:
            text = f"{outcome.evidence}; for all parameters: undecided ({answer.told})"
            return replace(found, outcome=replace(outcome, evidence=text))
        return found

    def _about_all(self, question: str, outcome: Outcome) -> Finding:
        return Finding(question, outcome, self._conjecture.about)

    def _at_witness(self, question: Question, followed: Followed, witness: Witness) -> Outcome:
        """The engine's counterexample, told in the words of the question where it can be evaluated here, too."""
        values = {str(symbol): value for symbol, value in witness.point.items()}
        text = f"{witness.where}: {witness.violation}"
        if all(value.is_Rational for value in values.values()) and 2 <= values.get("K", 0) <= _LARGEST_EVALUATED:
            exact = {name: Fraction(int(v.p), int(v.q)) for name, v in values.items()}
            own = tuple((p.name, exact.get(p.name, Fraction(0))) for p in self._conjecture.domain.own)
            at = Instance(exact.get("t", Fraction(2)), (1,) * int(exact["K"]), None, own)
            failure = followed.failing(at, question.at) if at.ratio > 1 else None
            if failure is None:
                return Outcome(Verdict.UNDECIDED, "two evaluations", f"they disagree at {text}")
            text = str(Counterexample(at, failure))
        return refuted("two evaluations at a point", "found by the engine, beyond the family of small instances", text)

    def _on_family(self, question: Question, followed: Followed) -> Finding:
        tried = Tried(self._conjecture)

        def fails(instance: Instance) -> str | None:
            return followed.failing(instance, question.at)

        in_t = question.text in (ROWS.text, PRIVATE.text)
        for instance, cover, ladder in self._family(followed, tried, None if in_t else _LARGEST_FOR_REGIMES):
            found = None if cover is None else _at_spots(question, instance, cover)
            levels = ladder if cover is None else suspects(cover, partial(question.on_piece, instance, cover.root))
            failing = next((i for i in (replace(instance, ratio=t) for t in levels) if fails(i)), None)
            if failing is not None:
                return self._about_all(question.text, self._refuted(fails, failing))
            if found is not None:
                return self._about_all(question.text, found)
        if self._conjecture.uses_prior and not self._conjecture.domain.own:
            most = min(_LARGEST_SEARCHED, self._largest)
            counterexample = find_counterexample(fails, largest=most, **_SEARCHED)
            if counterexample is not None:
                return self._about_all(question.text, _refutation(counterexample))
            tried.searched = most
        return Finding(question.text, certified(question.how, str(tried)), str(tried))

    def _family(
        self, followed: Followed, tried: Tried, largest: int | None = None
    ) -> Iterator[tuple[Instance, Cover | None, list[Fraction]]]:
        """The instances, what the function does there for all t, and the ladder where it is not followed in t.

        Above a largest number of labels it is not.
        """
        for instance in instances(self._conjecture, self._largest):
            cover = None if largest is not None and len(instance.counts) > largest else followed.cover(instance)
            ladder = (
                [t for t in LADDER if inside(self._conjecture, replace(instance, ratio=t))] if cover is None else []
            )
            inhabited = any(p.result is not OUTSIDE for p in cover.pieces) if cover is not None else bool(ladder)
            tried.add(instance, inhabited, named=cover is None)
            yield instance, cover, ladder

    def _refuted(self, fails: Callable[[Instance], str | None], instance: Instance) -> Outcome:
        told = fails(instance)
        if told is None:
            got = f"a function that fails at {instance}, and does not when it is called again"
            raise InvalidInputError("conjecture", got, "functions of the values of their arguments alone")
        if self._conjecture.uses_prior or instance.parameters:
            return _refutation(shrink(fails, instance))
        return _refutation(Counterexample(instance, told))

    def level(self, followed: Followed, symbolic: Proofs | None) -> Finding:
        """The tight level of a channel that is private on the family."""
        if symbolic is not None:
            formula, answer = symbolic.level()
            if isinstance(answer, Holds):
                outcome = proved(answer.method, f"e^level = {formula}, for all {self._conjecture.domain}")
                return self._about_all(_LEVEL, outcome)
        try:
            return self._level_on_family(followed)
        except UndecidedError as exc:
            return self._about_all(_LEVEL, Outcome(Verdict.UNDECIDED, "exact arithmetic", str(exc)))

    def _level_on_family(self, followed: Followed) -> Finding:
        tried = Tried(self._conjecture)
        below: list[str] = []
        for instance, cover, ladder in self._family(followed, tried):
            pieces = [] if cover is None else [p for p in cover.pieces if p.result is not OUTSIDE]
            root = 1 if cover is None else cover.root
            ratios = ladder if cover is None else [fraction_of(p.point**root) for p in pieces if not attains(root, p)]
            at = [replace(instance, ratio=t) for t in ratios]
            for i in at:
                largest = largest_ratio(followed.at(i))
                if sign(largest - as_rational(i.ratio)) < 0:
                    below.append(f"e^level = {written(largest)} at {i}")
        how = "largest ratio within an output, exact arithmetic"
        if below:
            evidence = f"below epsilon somewhere: {below[0]}; looked at {tried}"
        else:
            where = "at every t" if tried.at_points else "on every interval between break points"
            evidence = f"exactly epsilon {where}: {tried}"
        return Finding(_LEVEL, certified(how, evidence), str(tried))


def _at_spots(question: Question, instance: Instance, cover: Cover) -> Outcome | None:
    """The first irrational break point at which a question fails."""
    for spot in cover.spots:
        if spot.point.is_Rational or spot.result is OUTSIDE:
            continue
        t = spot.number**cover.root
        if isinstance(spot.result, Raised):
            failure: str | None = f"not defined ({spot.result})"
        else:
            failure = question.at(instance, t, spot.result)
        if failure is not None:
            exact = sp.expand(spot.point**cover.root)
            where = str(replace(instance, ratio=Fraction(2))).replace("t = 2", f"t = {exact}", 1)
            return refuted(
                "signs at an algebraic number by its minimal polynomial",
                f"the first break point t = {exact} = {written(t)} at which it fails",
                f"{where}: {failure}",
            )
    return None


def _refutation(counterexample: Counterexample) -> Outcome:
    labels = len(counterexample.instance.counts)
    return refuted("exact arithmetic", f"the smallest counterexample found has K = {labels}", str(counterexample))
