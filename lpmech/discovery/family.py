"""A family of problems, one for each number of labels K: a utility u(i, j, K) and a prior p(i, K), labels 1..K."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from lpmech.conjectures.domain import LabelDomain, read_domain
from lpmech.discovery.shells import SHELLS, Shells
from lpmech.entries import Array, as_array
from lpmech.errors import FormulaError, InvalidInputError, UndecidedError
from lpmech.labels.named_utilities import UTILITIES
from lpmech.limits import time_limit
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.from_sympy import term_of
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.terms import ZERO, Apply, Node, Number, names_in, substituted, term
from lpmech.terms.functions import OPPOSITE
from lpmech.terms.reader import read_formula
from lpmech.terms.term import parts_of

__all__ = ["NAMED_PRIORS", "Family", "family_of"]

#: Of processor time, for the prior and the first row of one K.
_SECONDS = 20
#: ``u(i, j, K)``.
OwnUtility = Callable[[int, int, int], Any]


class Named(NamedTuple):
    """A formula with a name, and the parameters and hypotheses that belong to it."""

    formula: str
    param: tuple[str, ...] = ()
    where: tuple[str, ...] = ()


_ROUND = "Min(Abs(i - j), K - Abs(i - j))"

#: Beside the named utilities that are a formula in i and j.
_OF_FAMILIES = {
    "ring": Named(f"-{_ROUND}"),
    "window": Named(f"Piecewise((1, {_ROUND} <= w), (0, True))", ("w >= 0",), ("2*w + 1 <= K",)),
    "cube": Named("cube", ("n >= 1",), ("K == 2**n",)),
    "ball": Named("ball", ("n >= 1", "r >= 0"), ("K == 2**n", "r <= n")),
    "subset": Named("subset", ("d >= 1",), ("d <= K",)),
}
#: ``ordered`` is every prior with p_1 >= p_2 >= ...
NAMED_PRIORS = {
    "uniform": Named("1/K"),
    "falling": Named("2*(K + 1 - i)/(K*(K + 1))"),
    "one-likelier": Named("Piecewise((a, i == 1), ((1 - a)/(K - 1), True))", ("a real < 1",), ("a >= 1/K",)),
    "ordered": Named(""),
}


@dataclass(frozen=True)
class Family:
    """A utility and a prior for every number of labels.

    Attributes
    ----------
    about : str
        Utility and prior as they were given.
    utility : term, callable or Shells
        In i (true label), j (released label), K and the parameters; or ``u(i, j, K)``; or words and sets.
    prior : term or None
        In i, K and the parameters; None is every prior with p_1 >= p_2 >= ...
    domain : LabelDomain
        The parameters beside t > 1 and whole K >= 2, and the hypotheses.
    """

    about: str
    utility: Node | OwnUtility | Shells
    prior: Node | None
    domain: LabelDomain

    @cached_property
    def hypotheses(self) -> list[Node]:
        """For the engine."""
        return list(map(term_of, self.domain.hypotheses))

    @cached_property
    def base(self) -> Fraction | None:
        """The number whose powers stand in utility or prior: 2 for 2**(K - i)/(2**K - 1)."""
        nodes = (part for node in (self.utility, self.prior) if isinstance(node, Node) for part in parts_of(node))
        for node in nodes:
            if isinstance(node, Apply) and node.operation == "**" and names_in(node.arguments[1]):
                base = node.arguments[0]
                if not names_in(base) and (number := fraction_of(numeric(base, {}))) not in (0, 1):
                    return number
        return None

    @cached_property
    def furthest(self) -> int:
        """The largest number in utility and prior, common factors aside: with more labels it may be another family."""
        return max((_furthest(node) for node in (self.utility, self.prior) if isinstance(node, Node)), default=0)

    def u(self, i: Any, j: Any) -> Node:
        """The utility of releasing label j in place of i, as a term."""
        assert isinstance(self.utility, Node)
        return substituted(self.utility, {"i": term(i), "j": term(j)})

    def p(self, i: Any) -> Node:
        """The probability of label i, as a term."""
        assert self.prior is not None
        return substituted(self.prior, {"i": term(i)})

    def instances(self, largest: int) -> list[dict[str, Fraction]]:
        """Values of K up to so many labels, and of the parameters."""
        found = replace(self.domain, largest=largest).instances(())
        return [{name: value for name, value in at.items() if name != "t"} for at in found]

    def problem(self, at: Mapping[str, Fraction]) -> tuple[Array, Array]:
        """Utility, shape (K, K), or (K, J) where sets are released, and prior, shape (K,), at values of the names.

        Raises
        ------
        InvalidInputError
            If an entry is no exact number, differs when it is asked for again, or the prior is no distribution; the
            message names K.
        """
        if isinstance(self.utility, Shells):
            return as_array(self.utility.matrix(at), "utility", 2), as_array(self._prior(at), "prior", 1)
        labels = range(1, int(at["K"]) + 1)
        utility = [[self._entry(i, j, at) for j in labels] for i in labels]
        return as_array(utility, "utility", 2), as_array(self._prior(at), "prior", 1)

    def check(self, at: Mapping[str, Fraction]) -> None:
        """Refuse a family that is none at these values, where that is quickly seen: the prior, and one row of u.

        Raises
        ------
        InvalidInputError
            As `problem`, or if it takes too long.
        """
        allowed = f"values that are found within {_SECONDS} seconds; at K = {at['K']} they are not"
        with time_limit(_SECONDS, InvalidInputError("utility", self.about, allowed)):
            self._check(at)

    def _check(self, at: Mapping[str, Fraction]) -> None:
        self._prior(at)
        if isinstance(self.utility, Shells):
            return
        for j in range(1, int(at["K"]) + 1):
            self._entry(1, j, at)

    def _entry(self, i: int, j: int, at: Mapping[str, Fraction]) -> Fraction:
        assert not isinstance(self.utility, Shells)
        if isinstance(self.utility, Node):
            return _value(self.utility, {**at, "i": i, "j": j}, "utility")
        first, second = (self.utility(i, j, int(at["K"])) for _ in range(2))
        if first != second:
            what = f"u({i}, {j}, {at['K']}) is {first}, then {second}"
            raise InvalidInputError("utility", what, f"a function of i, j, K alone; at K = {at['K']} it is not")
        if isinstance(first, float) or not hasattr(first, "denominator"):
            raise InvalidInputError("utility", first, f"whole numbers and fractions; at K = {at['K']} it is none")
        return Fraction(first)

    def _prior(self, at: Mapping[str, Fraction]) -> list[Fraction]:
        size = int(at["K"])
        if self.prior is None:
            return [Fraction(2 * (size - i), size * (size + 1)) for i in range(size)]
        values = [_value(self.prior, {**at, "i": i}, "prior") for i in range(1, size + 1)]
        total, told = sum(values), ", ".join(f"{name} = {value}" for name, value in at.items())
        if total != 1 or min(values) < 0:
            what = f"at {told} it sums to {total}" if total != 1 else f"at {told} an entry is {min(values)}"
            raise InvalidInputError("prior", str(self.prior), f"a distribution for every K; {what}")
        return values


def _furthest(node: Node) -> int:
    match node:
        case Apply("-", (first, part)) if first == ZERO:
            return _furthest(part)
        case Apply("*" | "/", factors):
            return max((_furthest(part) for part in factors if names_in(part)), default=0)
    alone = ([part] for part in parts_of(node) if isinstance(part, Number))
    beside = (parts_of(part) for part in parts_of(node) if isinstance(part, Apply) and part.operation in OPPOSITE)
    return max((_product(parts) for parts in (*alone, *beside)), default=0)


def _product(parts: Iterable[Node]) -> int:
    values = (part.value for part in parts if isinstance(part, Number) and part.value)
    return prod(max(abs(value.numerator), value.denominator) for value in values)


def _value(formula: Node, at: Mapping[str, Any], argument: str) -> Fraction:
    where = ", ".join(f"{name} = {value}" for name, value in at.items())
    try:
        found = numeric(formula, {name: as_rational(value) for name, value in at.items()})
        if isinstance(found, Fraction) or found.is_Rational:
            return fraction_of(found)
        raise InvalidInputError(argument, str(formula), f"a rational number everywhere; at {where} it is {found}")
    except (ZeroDivisionError, UndefinedError, UndecidedError, FormulaError) as exc:
        raise InvalidInputError(argument, str(formula), f"a rational number everywhere; at {where}: {exc}") from exc


def family_of(
    utility: str | OwnUtility = "hit",
    utility_formula: str | None = None,
    prior: str = "uniform",
    prior_formula: str | None = None,
    param: Sequence[str] = (),
    where: Sequence[str] = (),
) -> Family:
    """A family from names or formulas.

    Parameters
    ----------
    utility : str or callable
        A named utility with a formula, ``ring``, ``window``, ``cube``, ``ball``, ``subset``, or ``u(i, j, K)``, which
        gives exact numbers.
    utility_formula : str, optional
        In i, j, K and parameters, in place of a name.
    prior : str
        One of `NAMED_PRIORS`.
    prior_formula : str, optional
        In i, K and parameters, in place of a name.
    param, where : sequence of str
        See `lpmech.conjectures.domain.read_domain`.

    Raises
    ------
    FormulaError
        If a text is outside the language.
    InvalidInputError
        If there is no such name, a parameter is called i or j, or the priors are all ordered ones and the utility is
        not the hit rate.
    """
    is_named = utility_formula is None and isinstance(utility, str)
    own_u = _named(str(utility), _utilities(), "utility") if is_named else Named(utility_formula or "")
    own_p = _named(prior, NAMED_PRIORS, "prior") if prior_formula is None else Named(prior_formula)
    if not own_p.formula and not (is_named and utility == "hit"):
        raise InvalidInputError("prior", prior, "ordered with the utility hit only; else a prior by name or formula")
    domain = read_domain((*own_u.param, *own_p.param, *param), (*own_u.where, *own_p.where, *where))
    if domain.vectors or {"i", "j"} & set(domain.names):
        raise InvalidInputError("param", list(param), "numbers, none of them called i or j: these are labels")
    if about_t := [text for text, node in domain.conditions[2:] if "t" in names_in(node)]:
        raise InvalidInputError(
            "where", about_t[0], "hypotheses on K and parameters; the optimum is found for all t > 1"
        )
    names = [name for name in domain.names if name != "t"]
    made: Node | OwnUtility | Shells
    if utility_formula is None and not isinstance(utility, str):
        made, told = utility, "u(i, j, K) as given"
    elif own_u.formula in SHELLS:
        made = SHELLS[own_u.formula]
        told = f"u = {made.about}"
    else:
        made = read_formula(own_u.formula, [*names, "i", "j"], "utility")
        told = f"u = {own_u.formula}"
    read_prior = read_formula(own_p.formula, [*names, "i"], "prior") if own_p.formula else None
    about = f"p = {own_p.formula}" if own_p.formula else "any prior with p_1 >= p_2 >= ..."
    return Family(f"{told}; {about}", made, read_prior, domain)


def _utilities() -> dict[str, Named]:
    return {name: Named(utility.formula) for name, utility in UTILITIES.items() if utility.formula} | _OF_FAMILIES


def _named(name: str, table: Mapping[str, Named], argument: str) -> Named:
    if name not in table:
        raise InvalidInputError(argument, name, f"one of {', '.join(table)}, or a formula")
    return table[name]
