"""For which parameters something is stated: names, what they stand for, hypotheses; and points, simple ones first.

A name stands for a whole number, unless its domain is an interval or a list, it is said to be real, or it is one of
those that the field has for real numbers: t, which is e^epsilon, and epsilon.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, Any, ClassVar

from lpmech.entries import rational_from_text
from lpmech.errors import FormulaError, InvalidInputError

if TYPE_CHECKING:
    from lpmech.prove.vectors import Vector
    from lpmech.terms import Node

__all__ = [
    "EPSILON", "LARGEST_EPSILON", "At", "Domain", "Parameter", "as_domain", "declared", "is_whole", "numbers_in",
    "run_of",
]  # fmt: skip

#: Values of the parameters, by name.
At = Mapping[str, Any]
EPSILON = ("epsilon", "eps")
_REAL = ("t", *EPSILON)
_RUN = re.compile(r"(?:each\s+)?([A-Za-z_]\w*)\s+in\s+(-?\d+)\.\.(-?\d+)")
_KIND = re.compile(r"\b([A-Za-z_]\w*)\s+(integer|real)\b|\b(integer|real)\s+(?!in\b)([A-Za-z_]\w*)\b")
_INTERVAL = re.compile(r"([A-Za-z_]\w*)\s+in\s+([\[(])([^,]+),([^,]+)([\])])")
_ALLOWED = (
    "a range or list of values, or a text such as 't > 1', 'l >= 0', 'c real > 0', 'p in (0, 1]', 'each K in 2..7'; "
    "for several parameters a mapping, or such texts separated by commas"
)
_REALS = tuple(
    Fraction(v)
    for v in ("2", "1", "3", "1/2", "3/2", "5", "10", "5/4", "17/7", "1/3", "100", "101/100", "1/10", "20", "1000")
)
#: Where nothing is simple: from 0.2 to 60, and between two numbers of the hypotheses.
_BETWEEN, _PARTS = tuple(Fraction(i * i + 7 * i, 37) for i in range(1, 45)), 24
_WHOLES = (*range(13), 20, 50, 100)
#: Exponentials of larger numbers are no floats, or drown in others.
LARGEST_EPSILON = 20
#: So many points are called where a domain is not finite; one of at most `_EXHAUSTED` points is covered whole.
_SAMPLED, _EXHAUSTED, _COMBINED = 200, 2000, 50_000


@dataclass(frozen=True)
class Parameter:
    """A whole or a real number, or one of some values."""

    name: str
    whole: bool
    values: tuple[Fraction, ...] | None = None


@dataclass(frozen=True)
class Domain:
    """Parameters and hypotheses; see `as_domain`.

    Attributes
    ----------
    whole_numbers : str
        What they are called where the domain is printed.
    parameters : tuple of Parameter
    conditions : tuple of (str, Node)
        The hypotheses, as written and as read.
    vectors : tuple of Vector
        Vectors and matrices of symbolic size.
    """

    whole_numbers: ClassVar[str] = "whole"
    #: Values of the first real parameter at which functions are called that cannot be followed in it.
    ladder: ClassVar[tuple[Fraction, ...]] = ()

    parameters: tuple[Parameter, ...] = ()
    conditions: tuple[tuple[str, Node], ...] = ()
    vectors: tuple[Vector, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(p.name for p in self.parameters)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names that functions may take."""
        return self.names

    def point(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values of the parameters in their order."""
        return {name: values[name] for name in self.arguments if name in values}

    def is_named(self, point: Mapping[str, Any]) -> bool:
        """Whether functions are called at a point of the domain before anything is proved."""
        return True

    @property
    def labels_with_priors(self) -> tuple[int, ...]:
        """Numbers of labels on which functions are followed for all priors."""
        return ()

    def conditions_on_priors(self, labels: int, prior: Sequence[Node]) -> list[Node]:
        """The hypotheses for so many labels and a prior of these entries, but that these sum to one."""
        return []

    def covered_with_priors(self, labels: Sequence[int]) -> str:
        """What is covered where functions are followed for all priors on so many labels, in words."""
        return ""

    def beyond(self, labels: Sequence[int]) -> Domain | None:
        """What is left without these numbers of labels; None if nothing is."""
        return self

    def completed(self, point: dict[str, Any]) -> dict[str, Any]:
        """The point, with what else depends on its values."""
        return point

    def parameter(self, name: object, argument: str) -> Parameter:
        """The parameter of a name.

        Raises
        ------
        InvalidInputError
            If there is none.
        """
        found = next((p for p in self.parameters if p.name == name), None)
        if found is None:
            raise InvalidInputError(argument, name, f"a parameter of the domain: {', '.join(self.names) or 'none'}")
        return found

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """The symbols of the names, and the vectors."""
        import sympy as sp

        return {name: sp.Symbol(name) for name in self.names} | {v.name: v for v in self.vectors}

    def __str__(self) -> str:
        listed = [p for p in self.parameters if p.values is not None]
        whole = [p.name for p in self.parameters if p.whole and p.values is None]
        real = [p.name for p in self.parameters if not p.whole and p.values is None] + list(map(str, self.vectors))
        parts = [f"{p.name} in {_listed(p)}" for p in listed]
        parts += [
            f"{kind} {', '.join(names)}" for kind, names in ((self.whole_numbers, whole), ("real", real)) if names
        ]
        texts = [text for text, _ in self.conditions if text]
        return ", ".join(parts) + (f" with {', '.join(texts)}" if texts else "")

    def holds(self, at: Mapping[str, Any]) -> bool:
        """Whether the hypotheses whose names have values hold; they are Fractions, sympy's or traced numbers."""
        from lpmech.statements.numeric import holds
        from lpmech.terms import names_in

        listed = all(at.get(p.name, p.values[0]) in p.values for p in self.parameters if p.values is not None)
        return listed and all(holds(node, at) for _, node in self.conditions if names_in(node) <= set(at))

    def hypotheses_at(self, fixed: Mapping[str, Fraction], argument: str = "domain") -> list[Any]:
        """For the prover, with the values of some parameters; a list is all that is between its least and its largest.

        Raises
        ------
        FormulaError
            If a hypothesis has no value anywhere.
        """
        import sympy as sp

        from lpmech.statements.symbolic import hypothesis
        from lpmech.terms import Number, substituted

        free = [p for p in self.parameters if p.name not in fixed]
        found: list[Any] = [sp.Contains(self.symbols[p.name], sp.S.Integers) for p in free if p.whole]
        for p in free:
            if p.values is not None:
                lower, upper = (sp.Rational(v.numerator, v.denominator) for v in (min(p.values), max(p.values)))
                found += [self.symbols[p.name] >= lower, self.symbols[p.name] <= upper]
        values = {name: Number(value) for name, value in fixed.items()}
        for text, node in self.conditions:
            try:
                found.append(hypothesis(substituted(node, values), self.symbols))
            except FormulaError as exc:
                raise FormulaError(argument, text, exc.allowed) from exc
        return [condition for condition in found if condition != sp.true]

    @cached_property
    def is_finite(self) -> bool:
        """Whether all points are among `points`."""
        if any(p.values is None for p in self.parameters):
            return False
        return len(list(islice(product(*(p.values or () for p in self.parameters)), _EXHAUSTED + 1))) <= _EXHAUSTED

    @property
    def far(self) -> tuple[dict[str, Fraction], ...]:
        """Large points, not among `points`, at which what is followed for all parameters is called as well."""
        return ()

    @cached_property
    def points(self) -> tuple[dict[str, Fraction], ...]:
        """All points of a finite domain, else some; the simplest first.

        Raises
        ------
        InvalidInputError
            If there is none.
        """
        choices = [self._values(p) for p in self.parameters]
        while sum(1 for _ in islice(product(*choices), _COMBINED + 1)) > _COMBINED:
            choices = [c[: max(1, len(c) - len(c) // 4)] for c in choices]
        ranks = sorted(product(*(range(len(c)) for c in choices)), key=lambda rank: (sum(rank), rank))
        every = ({p.name: c[i] for p, c, i in zip(self.parameters, choices, rank, strict=True)} for rank in ranks)
        inside = (point for point in every if self.holds(point))
        found = list(inside if self.is_finite else islice(inside, _SAMPLED))
        if not found:
            raise InvalidInputError("domain", str(self), "a domain with a point; none of those tried satisfies it")
        return tuple(sorted(found, key=lambda point: [simplicity(point.values()), *map(_size, point.values())]))

    def instances(self, others: Sequence[Parameter]) -> list[dict[str, Any]]:
        """Values of some parameters that satisfy the hypotheses on them; of those without a list the ones called."""
        names = [p.name for p in others]
        if all(p.values is not None for p in others):
            return list(islice(self.listed_values(others), _EXHAUSTED))
        met = dict.fromkeys(tuple((name, point[name]) for name in names) for point in self.points)
        return [dict(pairs) for pairs in met]

    def listed_values(self, listed: Sequence[Parameter]) -> Iterator[dict[str, Fraction]]:
        """The values of listed parameters that satisfy the hypotheses on them alone."""
        from lpmech.statements.numeric import holds
        from lpmech.terms import names_in

        names = [p.name for p in listed]
        every = (dict(zip(names, at, strict=True)) for at in product(*(sorted(p.values or ()) for p in listed)))
        alone = [node for _, node in self.conditions if names_in(node) <= set(names)]
        return (at for at in every if all(holds(node, at) for node in alone))

    def covered(
        self, real: Parameter, followed: Sequence[Mapping[str, Any]], called: Sequence[Mapping[str, Any]]
    ) -> str:
        """What is covered where functions are followed in a real parameter at values of the others, in words.

        At others they are called at the `ladder` only.
        """
        from lpmech.terms import names_in

        texts = [text for text, node in self.conditions if names_in(node) == {real.name}]
        where = f" with {', '.join(texts)}" if texts else ""
        at = f" at {_at(followed)}" if followed[0] else ""
        return f"for all {real.name}{where}{at}"

    def _values(self, parameter: Parameter) -> list[Fraction]:
        """Values of a parameter that satisfy the hypotheses on it alone, the simplest first."""
        from lpmech.statements.numeric import holds
        from lpmech.terms import names_in

        alone = [node for _, node in self.conditions if names_in(node) <= {parameter.name}]
        if parameter.values is not None:
            values = set(parameter.values)
        else:
            usual = _WHOLES if parameter.whole else _REALS
            values = {Fraction(sign * v) for v in (*usual, 0) for sign in (1, -1)}
            named = sorted({number for _, node in self.conditions for number in numbers_in(node)})
            if not parameter.whole:
                parts = [Fraction(i, _PARTS) for i in range(1, _PARTS)]
                values |= {*_BETWEEN, *(a + (b - a) * part for a, b in pairwise(named) for part in parts)}
            for c in named:
                steps = (0, 1, 2, 5) if parameter.whole else (0, Fraction(1, 100), Fraction(1, 3), Fraction(7, 4), 10)
                values |= {c + sign * step for step in steps for sign in (1, -1)} | {c * Fraction(1, 2)}
        most = LARGEST_EPSILON if parameter.name in EPSILON and parameter.values is None else None
        kept = [v for v in values if (not parameter.whole or v.denominator == 1) and (most is None or v <= most)]
        return sorted((v for v in kept if all(holds(n, {parameter.name: v}) for n in alone)), key=_size)


def as_domain(domain: object, argument: str = "domain") -> Domain:
    """A domain from what people write.

    Parameters
    ----------
    domain : Domain, mapping or str
        A mapping of a name to a range, a list of values, one number, or a text: ``{"t": "t > 1", "K": range(2, 12)}``.
        One text: ``"t > 1, 2 <= K, l integer >= 0, p in (0, 1)"``. Hypotheses are in the language of
        ``lpmech check --where``; a parameter is declared as ``lpmech check --param`` has it.
    argument : str
        Name used in errors.

    Raises
    ------
    FormulaError
        If a text is outside the language.
    InvalidInputError
        If it is no domain.

    Examples
    --------
    >>> print(as_domain({"t": "t > 1", "K": range(2, 12), "l": "l >= 0"}))
    K in 2..11, whole l, real t with t > 1, l >= 0
    """
    if isinstance(domain, Domain):
        return domain
    if domain is None:
        return Domain()
    given: dict[str, Any] = {}
    texts: list[str] = []
    if isinstance(domain, str):
        texts = [part for part in re.split(r",(?![^()\[\]]*[)\]])", domain) if part.strip()]
    elif isinstance(domain, Mapping):
        for name, value in domain.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise InvalidInputError(argument, name, "names of parameters as keys")
            if isinstance(value, str) and rational_from_text(value) is None:
                texts.append(value)
            given[name] = value
    else:
        raise InvalidInputError(argument, domain, _ALLOWED)
    for text in texts.copy():
        if (listed := run_of(text, argument)) is not None:
            texts.remove(text)
            given[listed.name] = listed.values
    keys = given if isinstance(domain, Mapping) else None
    return _read(given, texts, keys, argument)


def run_of(text: str, argument: str = "domain") -> Parameter | None:
    """The parameter of a text such as ``"each K in 2..7"``, which takes these values; None of another text.

    Raises
    ------
    InvalidInputError
        If there are none, or too many.
    """
    found = _RUN.fullmatch(text.strip())
    return found and _parameter(found[1], range(int(found[2]), int(found[3]) + 1), {}, argument)


def declared(text: str) -> tuple[str | None, bool | None, str]:
    """What a text such as ``"p in (0, 1]"`` declares.

    Returns
    -------
    str or None
        The parameter, where the text says of which one it speaks: ``c real > 0``, an interval, or nothing but a name.
    bool or None
        Whether it is whole, where that is said.
    str
        A hypothesis, or nothing.
    """
    found = _KIND.search(text)
    whole = (found[2] or found[3]) == "integer" if found else None
    named = found and (found[1] or found[4])
    rest = " ".join((f"{text[: found.start()]} {named} {text[found.end() :]}" if found else text).split())
    interval = _INTERVAL.fullmatch(rest)
    if interval is None:
        name = rest if rest.isidentifier() else named
        return name, whole, "" if rest == name else rest
    name, left, lower, upper, right = interval.groups()
    relation = f"{lower.strip()} {'<=' if left == '[' else '<'} {name} {'<=' if right == ']' else '<'} {upper.strip()}"
    return name, bool(whole), relation


def _read(given: Mapping[str, Any], texts: Sequence[str], keys: Collection[str] | None, argument: str) -> Domain:
    from lpmech.terms.reader import named_in_text, read_condition

    kinds: dict[str, bool] = {}
    relations: list[str] = []
    for text in texts:
        name, whole, relation = declared(text)
        if not relation and (whole is None or name in ("integer", "real")):
            raise InvalidInputError(argument, text, _ALLOWED)
        if name is not None and whole is not None:
            kinds.setdefault(name, whole)
        relations += [relation] if relation else []
    named = {name: None for relation in relations for name in sorted(named_in_text(relation))}
    names = list({**given, **named, **kinds})
    strange = [name for name in names if keys is not None and name not in keys]
    if strange:
        raise InvalidInputError(argument, strange, "hypotheses on the keys of the mapping, each with its own key")
    conditions = tuple((text, read_condition(text, names, argument)) for text in relations)
    return Domain(tuple(_parameter(name, given.get(name), kinds, argument) for name in names), conditions)


def _parameter(name: str, value: Any, kinds: Mapping[str, bool], argument: str) -> Parameter:
    if value is not None and not (isinstance(value, str) and rational_from_text(value) is None):
        numbers = _numbers_of(value, name, argument)
        return Parameter(name, all(n.denominator == 1 for n in numbers), numbers)
    return Parameter(name, is_whole(name, kinds.get(name)))


def is_whole(name: str | None, said: bool | None) -> bool:
    """Whether a parameter is a whole number, where neither an interval nor a list says so."""
    return name not in _REAL if said is None else said


def _numbers_of(value: Any, name: str, argument: str) -> tuple[Fraction, ...]:
    from lpmech.statements.numbers import exactly_as_written

    values = (
        [value]
        if isinstance(value, str) or not isinstance(value, (Collection, Sequence))
        else list(islice(value, _EXHAUSTED + 1))
    )
    if not 0 < len(values) <= _EXHAUSTED:
        count = f"more than {_EXHAUSTED}" if values else "0"
        raise InvalidInputError(argument, f"{name}: {count} values", f"1 to {_EXHAUSTED} values")
    found = [exactly_as_written(v) for v in values]
    if None in found:
        raise InvalidInputError(argument, f"{name}: {value!r}", _ALLOWED)
    return tuple(dict.fromkeys(v for v in found if v is not None))


def with_next(domain: Domain, parameter: Parameter) -> tuple[Domain, str | None]:
    """The domain of pairs of neighbours in a parameter, and the name of the larger one if it is a parameter of its own.

    Whole numbers have the next one as neighbour, listed values the next listed one. Of real ones, and where hypotheses
    may leave out some between others (K < 5 or K > 7), every larger one is compared.
    """
    from lpmech.terms import Apply, Name, Number, names_in, substituted

    name = parameter.name
    gaps = any(name in names_in(node) and not _is_of_an_interval(node, name) for _, node in domain.conditions)
    limited = any(name in names_in(node) for _, node in domain.conditions)
    if parameter.values is not None and not _is_run(parameter) and not limited:
        kept = replace(parameter, values=tuple(sorted(parameter.values)[:-1]))
        others = tuple(kept if p.name == name else p for p in domain.parameters)
        return Domain(others, domain.conditions), None
    if parameter.whole and not gaps and (parameter.values is None or _is_run(parameter)):
        larger: Node = Apply("+", (Name(name), Number(Fraction(1))))
        shown, own = f"{name} + 1", None
        parameters = domain.parameters
        if parameter.values is not None:
            kept = replace(parameter, values=tuple(v for v in parameter.values if v + 1 in parameter.values))
            parameters = tuple(kept if p.name == name else p for p in domain.parameters)
    else:
        shown = own = f"{name}_next"
        larger = Name(own)
        parameters = (*domain.parameters, replace(parameter, name=own))
    moved = [
        (re.sub(rf"\b{name}\b", shown, text), substituted(node, {name: larger})) for text, node in domain.conditions
    ]
    again = [pair for pair in moved if pair not in domain.conditions]
    order = [(f"{name} < {own}", Apply("<", (Name(name), larger)))] if own else []
    return Domain(parameters, (*domain.conditions, *again, *order)), own


def _is_of_an_interval(node: Node, name: str) -> bool:
    """Whether a condition, whatever the other parameters are, is one on an interval of values."""
    from lpmech.terms import Apply

    match node:
        case Apply("and", parts):
            return all(_is_of_an_interval(part, name) for part in parts)
        case Apply("<" | "<=" | ">" | ">=" | "==", sides):
            return all(_is_affine(side, name) for side in sides)
    return False


def _is_affine(node: Node, name: str) -> bool:
    from lpmech.terms import Apply, Name, names_in

    match node:
        case Name() | Apply("+" | "-", _):
            return all(_is_affine(part, name) for part in getattr(node, "arguments", ()))
        case Apply("*" | "/", (first, second)) if name not in names_in(second):
            return _is_affine(first, name)
        case Apply("*", (first, second)) if name not in names_in(first):
            return _is_affine(second, name)
    return name not in names_in(node)


def simplicity(values: Collection[Fraction]) -> Fraction:
    """By which points are ordered: small numerators and denominators first."""
    return sum((abs(v.numerator) + Fraction(v.denominator - 1) for v in values), Fraction(0))


def _size(value: Fraction) -> tuple[int, int, int]:
    return abs(value.numerator) + value.denominator, abs(value.numerator), -value.numerator


def _is_run(parameter: Parameter) -> bool:
    values = sorted(parameter.values or ())
    return parameter.whole and all(b - a == 1 for a, b in pairwise(values))


def _listed(parameter: Parameter) -> str:
    values = sorted(parameter.values or ())
    if _is_run(parameter) and len(values) > 1:
        return f"{values[0]}..{values[-1]}"
    return "{" + ", ".join(map(str, values)) + "}"


def _at(instances: Sequence[Mapping[str, Fraction]]) -> str:
    parts = []
    for name in instances[0]:
        values = sorted({at[name] for at in instances})
        run = len(values) > 2 and all(b - a == 1 for a, b in pairwise(values))
        parts.append(f"{name} = {values[0]}..{values[-1]}" if run else f"{name} = {', '.join(map(str, values))}")
    return ", ".join(parts)


def numbers_in(node: Any) -> Iterator[Fraction]:
    """The numbers that a formula names."""
    value = getattr(node, "value", None)
    if isinstance(value, Fraction):
        yield value
    for part in getattr(node, "arguments", ()):
        yield from numbers_in(part)
