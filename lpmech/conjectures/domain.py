"""What a conjecture is about: t > 1, whole numbers K >= 2, parameters of one's own, and hypotheses on all of them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import FormulaError, InvalidInputError
from lpmech.prove import Fails, prove
from lpmech.prove.answers import Undecided
from lpmech.prove.grammar import Apply, Name, Node, Number, names_in, read_condition, read_expressions
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numeric import holds
from lpmech.statements.symbolic import hypothesis

__all__ = ["Domain", "Parameter", "PRIORS", "read_domain"]

#: Which priors a conjecture is about, by name.
PRIORS = ("any", "ordered")

_T, _K = sp.symbols("t K")
_RESERVED = ("t", "K", "prior")
_NAME = re.compile(r"[A-Za-z_]\w*")
_INTERVAL = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s+in\s+(?P<left>[\[(])(?P<lower>[^,]+),(?P<upper>[^,]+)(?P<right>[\])])"
)
#: Values of a real parameter that are tried where no proof for all is found, if they satisfy the hypotheses.
_REAL_VALUES = tuple(Fraction(v) for v in ("0", "1/3", "1/2", "1", "3/2", "3", "10"))


@dataclass(frozen=True)
class Parameter:
    """A parameter of one's own: a whole or a real number."""

    name: str
    whole: bool


@dataclass(frozen=True)
class Domain:
    """Parameters and hypotheses.

    Attributes
    ----------
    parameters : tuple of Parameter
        Beside t and K.
    conditions : tuple of (str, Node)
        The hypotheses beyond t > 1 and K >= 2, as written and as read.
    prior : str
        ``"any"`` or ``"ordered"`` (p_1 >= p_2 >= ...), for conjectures that depend on the prior.
    """

    parameters: tuple[Parameter, ...] = ()
    conditions: tuple[tuple[str, Node], ...] = ()
    prior: str = "any"

    @property
    def names(self) -> tuple[str, ...]:
        """Names that a formula may use."""
        return ("t", "K", *(p.name for p in self.parameters))

    @cached_property
    def symbols(self) -> dict[str, sp.Symbol]:
        """The symbols of the names."""
        return {name: sp.Symbol(name) for name in self.names}

    @property
    def integers(self) -> list[sp.Symbol]:
        """Symbols that stand for whole numbers."""
        return [_K, *(self.symbols[p.name] for p in self.parameters if p.whole)]

    @cached_property
    def hypotheses(self) -> list[Boolean]:
        """For the prover."""
        whole = [sp.Contains(symbol, sp.S.Integers) for symbol in self.integers]
        return [_T > 1, _K >= 2, *whole, *self._own]

    @cached_property
    def _own(self) -> list[Boolean]:
        found: list[Boolean] = []
        for text, node in self.conditions:
            try:
                found.append(hypothesis(node, self.symbols))
            except FormulaError as exc:
                raise FormulaError("where", text, exc.allowed) from exc
        return [condition for condition in found if condition != sp.true]

    def __str__(self) -> str:
        whole = ", ".join(["K", *(p.name for p in self.parameters if p.whole)])
        real = "".join(f", {p.name}" for p in self.parameters if not p.whole)
        own = "".join(f", {text}" for text, _ in self.conditions)
        return f"whole numbers {whole}, real t{real} with t > 1, K >= 2{own}"

    def holds(self, at: Mapping[str, Any]) -> bool:
        """Whether all hypotheses whose names have values hold."""
        return all(holds(node, at) for _, node in self.conditions if names_in(node) <= set(at))

    def family(self, largest: int) -> Iterator[dict[str, sp.Rational]]:
        """Values of K = 2..largest and of the parameters that satisfy the hypotheses on them; see `family_name`."""
        for size in range(2, largest + 1):
            for values in product(*(self._values(p, size) for p in self.parameters)):
                at = {"K": sp.Integer(size), **dict(zip(self.names[2:], map(as_rational, values), strict=True))}
                if self.holds(at):
                    yield at

    def _values(self, parameter: Parameter, size: int) -> Sequence[Fraction]:
        if parameter.whole:
            return sorted((Fraction(v) for v in range(-size - 1, size + 2)), key=lambda v: (abs(v), -v))
        return self.real_values

    @cached_property
    def real_values(self) -> tuple[Fraction, ...]:
        """Values at which real parameters are tried: some simple numbers, and those that the hypotheses name."""
        named = {n for _, node in self.conditions for n in _numbers(node)}
        return tuple(sorted({*_REAL_VALUES, *named}, key=lambda v: (v.denominator, v)))

    def family_name(self, reals: Mapping[str, set[Fraction]]) -> str:
        """Which parameters `family` takes, in words; the values of real parameters are those that were met."""
        whole = [p.name for p in self.parameters if p.whole]
        parts = [f"all whole {name} with |{name}| <= K + 1 in the hypotheses" for name in whole]
        parts += [f"{name} in {{{', '.join(map(str, sorted(values)))}}}" for name, values in reals.items()]
        return "; ".join(parts)


def read_domain(params: Sequence[str] = (), where: Sequence[str] = (), prior: str = "any") -> Domain:
    """Parameters and hypotheses from texts.

    Parameters
    ----------
    params : sequence of str
        A parameter each: ``"w >= 0"`` or ``"0 <= w"`` is a whole number, ``"lam in [0, 1]"`` a real one; the words
        ``integer`` and ``real`` say so explicitly: ``"m integer in [1, K]"``, ``"c real > 0"``. Bounds may use K and
        parameters before it.
    where : sequence of str
        Further hypotheses: ``"2*w + 1 <= K"``.
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
    parameters: list[Parameter] = []
    conditions: list[tuple[str, Node]] = []
    for text in params:
        known = ("t", "K", *(p.name for p in parameters))
        parameter, found = _read_parameter(text, known)
        parameters.append(parameter)
        conditions += found
    names = ("t", "K", *(p.name for p in parameters))
    conditions += [(" ".join(text.split()), read_condition(text, names, "where")) for text in where]
    domain = Domain(tuple(parameters), tuple(conditions), prior)
    _check_possible(domain)
    return domain


def _read_parameter(text: str, known: Sequence[str]) -> tuple[Parameter, list[tuple[str, Node]]]:
    allowed = "a parameter such as 'w >= 0', 'w integer >= 0', 'lam in [0, 1]' or 'c real > 0'"
    kind = re.search(r"\b(integer|real)\b", text)
    rest = " ".join((text[: kind.start()] + text[kind.end() :] if kind else text).split())
    interval = _INTERVAL.fullmatch(rest)
    new = [n for n in dict.fromkeys(_NAME.findall(rest)) if n not in (*known, "in")]
    name = interval["name"] if interval else (new[0] if len(new) == 1 else "")
    if not name or name in known or name in _RESERVED or keyword.iskeyword(name):
        none_of = f"none of {', '.join(_RESERVED)}, and no word of Python's such as lambda"
        raise InvalidInputError("param", text, f"{allowed}, with one new name that is {none_of}")
    parameter = Parameter(name, kind[0] == "integer" if kind else not interval)
    if interval:
        lower, upper = (read_expressions(interval[end], known, "param") for end in ("lower", "upper"))
        if len(lower) != 1 or len(upper) != 1:
            raise InvalidInputError("param", text, allowed)
        below, above = "<=" if interval["left"] == "[" else "<", "<=" if interval["right"] == "]" else "<"
        node = Apply("and", (Apply(below, (lower[0], Name(name))), Apply(above, (Name(name), upper[0]))))
        return parameter, [(f"{interval['lower'].strip()} {below} {name} {above} {interval['upper'].strip()}", node)]
    return parameter, [] if rest == name else [(rest, read_condition(rest, (*known, name), "param"))]


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
    texts = [text for text, _ in domain.conditions]
    what = "contradict each other" if "contradict" in reason else "are satisfied by no point that was found"
    raise InvalidInputError("where", texts, f"hypotheses with a point in common; {', '.join(shown)} {what}")


def _contradiction(hypotheses: Sequence[Any]) -> str | None:
    if sp.false in hypotheses:
        return "contradict"
    answer = prove(sp.false, hypotheses, timeout_seconds=5)
    return answer.reason if isinstance(answer, Undecided) else None if isinstance(answer, Fails) else "contradict"


def _numbers(node: Node) -> Iterator[Fraction]:
    if isinstance(node, Number):
        yield node.value
    elif isinstance(node, Apply):
        for part in node.arguments:
            yield from _numbers(part)
