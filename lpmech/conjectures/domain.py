"""What a conjecture is about: t > 1, whole numbers K >= 2, parameters of one's own, and hypotheses on all of them."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import sympy as sp

from lpmech.conjectures.vector_parameters import read_vector, with_sums
from lpmech.errors import InvalidInputError
from lpmech.prove import Fails, prove
from lpmech.prove.answers import Undecided
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.vectors import Vector
from lpmech.statements import domain as statements
from lpmech.statements.domain import Parameter, declared, numbers_in
from lpmech.terms import Node
from lpmech.terms.reader import named_in_text, read_condition

__all__ = ["Domain", "PRIORS", "read_domain"]

#: Which priors a conjecture is about, by name.
PRIORS = ("any", "ordered")

_ALWAYS = (Parameter("t", False), Parameter("K", True))
_HYPOTHESES = tuple((text, read_condition(text, ("t", "K"), "where")) for text in ("t > 1", "K >= 2"))
_RESERVED = ("t", "K", "prior")
#: Values of a real parameter that are tried where no proof for all is found, if they satisfy the hypotheses.
_REAL_VALUES = tuple(Fraction(v) for v in ("0", "1/3", "1/2", "1", "3/2", "3", "10"))


@dataclass(frozen=True)
class Domain(statements.Domain):
    """Parameters and hypotheses, beside t > 1 and K >= 2.

    Attributes
    ----------
    prior : str
        ``"any"`` or ``"ordered"`` (p_1 >= p_2 >= ...), for conjectures that depend on the prior.
    """

    whole_numbers: ClassVar[str] = "whole numbers"

    parameters: tuple[Parameter, ...] = _ALWAYS
    conditions: tuple[tuple[str, Node], ...] = _HYPOTHESES
    prior: str = "any"

    @property
    def own(self) -> tuple[Parameter, ...]:
        """The parameters beside t and K."""
        return self.parameters[len(_ALWAYS) :]

    @property
    def own_texts(self) -> list[str]:
        """The hypotheses beyond t > 1 and K >= 2, as written."""
        return [text for text, _ in self.conditions[len(_HYPOTHESES) :]]

    @cached_property
    def hypotheses(self) -> list[Any]:
        """For the prover."""
        return self.hypotheses_at({}, "where")

    def family(self, largest: int) -> Iterator[dict[str, sp.Rational]]:
        """Values of K = 2..largest and of the parameters that satisfy the hypotheses on them; see `family_name`."""
        for size in range(2, largest + 1):
            for values in product(*(self._tried(p, size) for p in self.own)):
                at = {"K": sp.Integer(size), **dict(zip(self.names[2:], map(as_rational, values), strict=True))}
                if self.holds(at):
                    yield at

    def _tried(self, parameter: Parameter, size: int) -> Sequence[Fraction]:
        if parameter.whole:
            return sorted((Fraction(v) for v in range(-size - 1, size + 2)), key=lambda v: (abs(v), -v))
        return self.real_values

    @cached_property
    def real_values(self) -> tuple[Fraction, ...]:
        """Values at which real parameters are tried: some simple numbers, and those that the hypotheses name."""
        named = {n for _, node in self.conditions[len(_HYPOTHESES) :] for n in numbers_in(node)}
        return tuple(sorted({*_REAL_VALUES, *named}, key=lambda v: (v.denominator, v)))

    def family_name(self, reals: Mapping[str, set[Fraction]]) -> str:
        """Which parameters `family` takes, in words; the values of real parameters are those that were met."""
        parts = [f"all whole {p.name} with |{p.name}| <= K + 1 in the hypotheses" for p in self.own if p.whole]
        parts += [f"{name} in {{{', '.join(map(str, sorted(values)))}}}" for name, values in reals.items()]
        return "; ".join(parts)


def read_domain(params: Sequence[str] = (), where: Sequence[str] = (), prior: str = "any") -> Domain:
    """Parameters and hypotheses from texts.

    Parameters
    ----------
    params : sequence of str
        A parameter each: ``"w >= 0"`` or ``"0 <= w"`` is a whole number, ``"lam in [0, 1]"`` a real one; the words
        ``integer`` and ``real`` say so explicitly: ``"m integer in [1, K]"``, ``"c real > 0"``. Bounds may use K and
        parameters before it. Vectors: ``"p[1..K] >= 0"``, ``"p[1] >= ... >= p[K] >= 0"``, ``"q[1..K, 1..K]"``.
    where : sequence of str
        Further hypotheses: ``"2*w + 1 <= K"``, ``"sum p = 1"``, ``"Each(p[i] <= 1/2, (i, 2, K))"``.
    prior : str
        One of `PRIORS`.

    Raises
    ------
    FormulaError
        If a text is outside the language.
    InvalidInputError
        If a name is taken, or the hypotheses contradict each other.
    """
    if prior not in PRIORS:
        raise InvalidInputError("prior", prior, f"one of {', '.join(PRIORS)}")
    parameters, conditions = list(_ALWAYS), list(_HYPOTHESES)
    vectors: list[Vector] = []
    for text in params:
        known = [p.name for p in parameters]
        if (vector := read_vector(text, known, [v.name for v in vectors])) is not None:
            vectors.append(vector[0])
            conditions += vector[1]
            continue
        name, whole, relation = declared(text)
        new = {name} if name else named_in_text(relation) - set(known)
        if len(new) != 1 or new & {*known, *_RESERVED, *(v.name for v in vectors)} or any(map(keyword.iskeyword, new)):
            allowed = "a parameter such as 'w >= 0', 'w integer >= 0', 'lam in [0, 1]' or 'c real > 0'"
            none_of = f"none of {', '.join(_RESERVED)}, and no word of Python's such as lambda"
            raise InvalidInputError("param", text, f"{allowed}, with one new name that is {none_of}")
        (name,) = new
        parameters.append(Parameter(name, statements.is_whole(name, whole)))
        if relation:
            conditions.append((relation, read_condition(relation, (*known, parameters[-1].name), "param")))
    names = [*(p.name for p in parameters), *(v.in_text for v in vectors)]
    written = {" ".join(text.split()): with_sums(text, vectors) for text in where}
    conditions += [(text, read_condition(full, names, "where")) for text, full in written.items()]
    domain = Domain(tuple(parameters), tuple(conditions), tuple(vectors), prior)
    _check_possible(domain)
    return domain


def _check_possible(domain: Domain) -> None:
    """Raise if no point satisfies the hypotheses; of contradictory ones name as few as possible."""
    hypotheses = domain.hypotheses
    reason = _contradiction(hypotheses)
    if reason is None:
        return
    whole = [h for h in hypotheses if isinstance(h, sp.Contains)]
    needed = [h for h in hypotheses if not isinstance(h, sp.Contains)]
    if "contradict" in reason:
        for h in list(needed):
            without = [other for other in needed if other != h]
            if "contradict" in (_contradiction([*whole, *without]) or ""):
                needed = without
    shown = [str(h) for h in needed]
    what = "contradict each other" if "contradict" in reason else "are satisfied by no point that was found"
    raise InvalidInputError("where", domain.own_texts, f"hypotheses with a point in common; {', '.join(shown)} {what}")


def _contradiction(hypotheses: Sequence[Any]) -> str | None:
    if sp.false in hypotheses:
        return "contradict"
    answer = prove(sp.false, hypotheses, timeout_seconds=5)
    return answer.reason if isinstance(answer, Undecided) else None if isinstance(answer, Fails) else "contradict"
