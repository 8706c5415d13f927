"""The few shapes that checks have: an identity, an implication, a property of a finite family of instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.papers.claims import Outcome, Verdict, certified, proved, refuted
from lpmech.prove import Status, decide, is_zero

__all__ = [
    "check_identities",
    "check_implications",
    "check_family",
    "check_facts",
    "check_reals",
    "check_sampled_reals",
    "unless_refuted",
    "check_every",
    "check_every_fact",
    "small_values",
    "both",
    "replayed",
]

SMALL = (2, 3, 1, 4, 5, 6, 7)


def small_values(symbols: Sequence[sp.Symbol], values: Iterable[int] = SMALL) -> Iterable[dict[sp.Symbol, sp.Integer]]:
    """Assignments of small integers, for showing that an identity fails."""
    for combination in product(tuple(values), repeat=len(symbols)):
        yield dict(zip(symbols, map(sp.Integer, combination), strict=True))


def check_identities(
    identities: Mapping[str, tuple[Any, Any]],
    evidence: str,
    points: Iterable[Mapping[sp.Symbol, Any]] | None = None,
) -> Outcome:
    """Proved if every (left, right) pair agrees as rational functions; else refuted at the first point where one differs.

    Parameters
    ----------
    identities : mapping name -> (left, right)
        Rational expressions.
    evidence : str
        What was shown.
    points : iterable of assignments, optional
        Where to look for a numeric counterexample; small integers if omitted.
    """
    for name, (left, right) in identities.items():
        difference = sp.sympify(left) - sp.sympify(right)
        if is_zero(difference):
            continue
        symbols = sorted(sp.Tuple(left, right).free_symbols, key=str)
        for point in points if points is not None else small_values(symbols):
            values = [sp.sympify(side).subs(point) for side in (left, right)]
            if all(v.is_finite for v in values) and values[0] != values[1]:
                where = ", ".join(f"{s} = {v}" for s, v in point.items()) or "everywhere"
                return refuted("sympy identity", f"{name} fails", f"{where}: {name}: {values[0]} against {values[1]}")
        return refuted("sympy identity", f"{name} fails", f"{name}: the difference is {sp.factor(difference)}")
    return proved("sympy identity", evidence)


def check_implications(
    hypotheses: Sequence[Any], conclusions: Mapping[str, Any], evidence: str, timeout_seconds: float = 20.0
) -> Outcome:
    """Proved if z3 derives every conclusion from the hypotheses, refuted with its model if not.

    Raises
    ------
    UndecidedError
        If the hypotheses contradict each other, or z3 does not decide in time.
    """
    if decide(hypotheses, sp.false, timeout_seconds=timeout_seconds).status is not Status.REFUTED:
        raise UndecidedError(f"no assignment of the hypotheses found for: {evidence}")
    confirmed = True
    for name, conclusion in conclusions.items():
        decision = decide(hypotheses, conclusion, timeout_seconds=timeout_seconds)
        if decision.status is Status.UNDECIDED:
            raise UndecidedError(f"z3 did not decide {name} in {timeout_seconds} s")
        if decision.status is Status.REFUTED:
            model = _integer_model(hypotheses, conclusion) or decision.model
            where = ", ".join(f"{s} = {v}" for s, v in sorted(model.items()))
            return refuted("SMT (z3)", f"{name} does not follow", f"{where}: {name} is violated")
        confirmed = confirmed and decision.confirmed
    return proved("SMT (z3, cvc5)" if confirmed else "SMT (z3)", evidence)


def _integer_model(hypotheses: Sequence[Any], conclusion: Any, largest: int = 4) -> dict[str, str] | None:
    """The smallest violation among integers 0..4 for every symbol, where there is one: easier to check by hand."""
    violated = sp.And(*hypotheses, sp.Not(conclusion))
    symbols = sorted(violated.free_symbols, key=str)
    if len(symbols) > 6:
        return None
    test = sp.lambdify(symbols, violated, modules="math")
    for point in sorted(product(range(largest + 1), repeat=len(symbols)), key=lambda p: (sum(p), p)):
        try:
            if test(*map(Fraction, point)):
                return {str(s): str(v) for s, v in zip(symbols, point, strict=True)}
        except ZeroDivisionError:
            continue
    return None


def check_family(
    instances: Iterable[Any],
    failure: Callable[[Any], str | None],
    evidence: str,
    method: str = "exact rational arithmetic",
) -> Outcome:
    """Certified if no instance fails, else refuted by the first that does; order the family from small to large.

    Parameters
    ----------
    instances : iterable
        The finite family.
    failure : callable
        Returns None if the statement holds for the instance, else the counterexample in words.
    evidence : str
        Which family; the number of instances is added.
    """
    count = 0
    for instance in instances:
        count += 1
        found = failure(instance)
        if found is not None:
            return refuted(method, f"fails at instance {count} of {evidence}", found)
    return certified(method, f"{evidence} ({count} instances)")


def check_facts(
    facts: Iterable[tuple[bool, str]], evidence: str, method: str = "exact arithmetic on printed numbers"
) -> Outcome:
    """Certified if every (holds, description) does, else refuted by the first description that fails."""
    return check_family(facts, lambda fact: None if fact[0] else fact[1], evidence, method)


def check_every(
    instances: Iterable[Any],
    failure: Callable[[Any], str | None],
    evidence: str,
    method: str = "exact arithmetic, every instance",
) -> Outcome:
    """Proved if no instance fails, else refuted by the first that does.

    The family is the whole domain of the statement, every instance that it speaks of (as against `check_family`,
    whose family is a sample of it), and each is decided exactly; so nothing is sampled and the verdict is proved.

    Parameters
    ----------
    instances, failure, evidence
        As in `check_family`.
    """
    outcome = check_family(instances, failure, evidence, method)
    return outcome if outcome.counterexample is not None else proved(method, outcome.evidence)


def check_every_fact(
    facts: Iterable[tuple[bool, str]], evidence: str, method: str = "exact arithmetic on printed numbers"
) -> Outcome:
    """`check_every` for (holds, description) pairs: all that the statement speaks of."""
    return check_every(facts, lambda fact: None if fact[0] else fact[1], evidence, method)


def check_reals(inequalities: Mapping[str, tuple[Any, Any]], evidence: str) -> Outcome:
    """Proved if every left <= right in ball arithmetic (rigorous bounds of real numbers), refuted by the first that fails.

    Parameters
    ----------
    inequalities : mapping name -> (left, right)
        Balls of `flint.arb`.

    Raises
    ------
    UndecidedError
        If two balls overlap, so that nothing is decided.
    """
    method = "ball arithmetic (rigorous)"
    for name, (left, right) in inequalities.items():
        if left <= right:
            continue
        if not left > right:
            raise UndecidedError(f"ball arithmetic did not decide: {name}")
        values = f"{left.str(7, radius=False)} against {right.str(7, radius=False)}"
        return refuted(method, f"not so: {name}", f"{name}: {values}")
    return proved(method, evidence)


def check_sampled_reals(inequalities: Mapping[str, tuple[Any, Any]], evidence: str) -> Outcome:
    """`check_reals` at some of the points that the statement speaks of, so that the verdict is certified at best."""
    outcome = check_reals(inequalities, evidence)
    return outcome if outcome.counterexample is not None else certified(outcome.method, outcome.evidence)


def unless_refuted(search: Outcome, proof: Callable[[], Outcome]) -> Outcome:
    """The outcome of the proof, unless the search among small instances has found a counterexample."""
    return search if search.verdict is Verdict.REFUTED else proof()


def both(first: Outcome, second: Outcome) -> Outcome:
    """The weaker of two outcomes that must both hold; a refutation wins."""
    order = [Verdict.REFUTED, Verdict.UNCLEAR, Verdict.SUPPORTED, Verdict.CERTIFIED, Verdict.PROVED]
    weaker, other = sorted((first, second), key=lambda o: order.index(o.verdict))
    if weaker.verdict is Verdict.REFUTED:
        return weaker
    method = ", ".join(dict.fromkeys((weaker.method, other.method)))
    return Outcome(weaker.verdict, method, f"{first.evidence}; {second.evidence}", None)


def replayed(proof: Outcome, instances: Outcome) -> Outcome:
    """A proof for all parameters that exact instances confirm: the verdict is the proof's.

    A counterexample among the instances comes first, because a person can check it by hand; a formula that all
    instances admit is refuted all the same where its proof fails.

    Parameters
    ----------
    proof : Outcome
        Of `check_identities`, `check_implications` or `check_every`.
    instances : Outcome
        Of `check_family`.
    """
    if instances.counterexample is not None or proof.verdict is not Verdict.PROVED:
        return instances if instances.counterexample is not None else proof
    return proved(proof.method, f"{proof.evidence}; replayed on {instances.evidence}")
