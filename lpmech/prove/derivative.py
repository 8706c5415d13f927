"""Inequalities by the sign of a derivative: a function that starts at zero or above and does not fall is not negative.

The rule is for a function of one real symbol between two ends, everything else fixed. It is continuous where it is
defined, as it is built of sums, products, powers of positive bases, roots, exponentials and logarithms; that it is
defined up to the end from which it starts, and its derivative in between, is shown first. A function that falls and
then rises is cut where its derivative vanishes. Positive factors do not matter, and both sides of a relation between
products of powers are compared by their logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.prove.language import Sequent, conjuncts, truth
from lpmech.prove.records import Record

__all__ = ["Line", "Way", "follows_by_derivative", "has_slopes"]

_INEQUALITIES = (sp.Lt, sp.Le, sp.Gt, sp.Ge)
_SMOOTH = (
    sp.Symbol, sp.Rational, sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sinh, sp.cosh, sp.tanh, sp.sin, sp.cos,
    sp.core.numbers.NumberSymbol,
)  # fmt: skip
#: How often a derivative is taken, and how many questions are asked in all.
_DEEPEST, _MOST_QUESTIONS, _MOST_RATIONAL = 5, 150, 2

Knows = Callable[[Sequent], Record | None]


@dataclass(frozen=True)
class Line:
    """A symbol between bounds, and what is known of the others.

    Attributes
    ----------
    symbol : Symbol
    lower, upper : tuple of (sympy expression, bool)
        Bounds that hold, and whether they are strict.
    rest : tuple of sympy Boolean
        Hypotheses about the other symbols.
    integers : frozenset of Symbol
        Integer symbols among the others.
    """

    symbol: sp.Symbol
    lower: tuple[tuple[sp.Expr, bool], ...]
    upper: tuple[tuple[sp.Expr, bool], ...]
    rest: tuple[Boolean, ...]
    integers: frozenset[sp.Symbol]

    @property
    def bounds(self) -> tuple[Boolean, ...]:
        """The bounds as relations."""
        x = self.symbol
        return tuple(
            relations[not strict](x, end, evaluate=False)
            for ends, relations in ((self.lower, (sp.Gt, sp.Ge)), (self.upper, (sp.Lt, sp.Le)))
            for end, strict in ends
        )

    def between(self) -> tuple[Boolean, ...]:
        """That every lower bound is below every upper one."""
        return tuple(gap for gap, _, _ in self.gaps())

    def gaps(self) -> Iterator[tuple[Boolean, Boolean, Boolean]]:
        """That a lower bound is below an upper one, and the two relations that say so."""
        for low, high in product(self.bounds[: len(self.lower)], self.bounds[len(self.lower) :]):
            if (width := high.gts - low.lts).free_symbols:
                yield _sign(width, any(isinstance(bound, (sp.Lt, sp.Gt)) for bound in (low, high))), low, high

    def with_rest(self) -> Line:
        """The same line; that it is not empty is known of the others."""
        return replace(self, rest=(*self.rest, *self.between()))

    def apart(self, conclusion: Boolean) -> Sequent:
        """A statement about the other symbols."""
        return Sequent((*self.rest, *self.between()), conclusion, self.integers)

    def inside(self, conclusion: Boolean) -> Sequent:
        """A statement about a point of the line."""
        return Sequent((*self.rest, *self.between(), *self.bounds), conclusion, self.integers)


@dataclass(frozen=True)
class Way:
    """How the rule goes from ends.

    Attributes
    ----------
    line : Line
    ends : tuple of sympy expressions
        One from which the function rises; two between which its slope falls.
    closed, opened : Line
        The line from the end on, or between the ends, with them and without.
    continuous, differentiable : tuple of Record
        What has to hold on them.
    behind : tuple of Record
        Bounds of the line that lie beyond the end.
    """

    line: Line
    ends: tuple[sp.Expr, ...]
    closed: Line
    opened: Line
    continuous: tuple[Record, ...]
    differentiable: tuple[Record, ...]
    behind: tuple[Record, ...] = ()


def follows_by_derivative(statement: Sequent, knows: Knows) -> Record | None:
    """How the rule proves an inequality, with questions about derivatives and ends; None says nothing.

    Parameters
    ----------
    statement : Sequent
        Its conclusion is <, <=, > or >=, and defined wherever the hypotheses hold.
    knows : callable
        The proof of a statement by other methods, that its conclusion is defined included; or None.
    """
    relation = statement.conclusion
    if not has_slopes(relation):
        return None
    rule = _Rule(knows)
    for side in _sides(relation, statement, lambda s: knows(s) is not None):
        if (found := rule.holds(side, relation, statement)) is not None:
            return Record("derivative", statement, (found,))
    return None


class _Rule:
    def __init__(self, knows: Knows):
        self._knows_directly = knows
        self._left = _MOST_QUESTIONS
        self._answers: dict[Sequent, Record | None] = {}

    def _shown(self, statement: Sequent) -> Record | None:
        if statement not in self._answers:
            self._left -= 1
            self._answers[statement] = self._knows_directly(statement) if self._left >= 0 else None
        return self._answers[statement]

    def _all_shown(self, statement: Sequent, conditions: Iterable[Boolean]) -> tuple[Record, ...] | None:
        found = []
        for condition in conditions:
            if (one := self._shown(statement.with_conclusion(condition))) is None:
                return None
            found.append(one)
        return tuple(found)

    def holds(self, side: sp.Expr, relation: Boolean, statement: Sequent) -> Record | None:
        """That a side is not negative, or positive where the relation is strict."""
        strict = isinstance(relation, (sp.Lt, sp.Gt))
        lines = list(_lines(side, statement))
        for line in lines:
            if (found := self._on_line(side, strict, line, _DEEPEST)) is not None:
                return found
        for line, turned in self._turned(side, lines):
            if self._on_line(turned, strict, line, _DEEPEST):
                return Record("derivative", statement)
        return self._shown(statement.with_conclusion(_sign(side, strict)))

    def _turned(self, side: sp.Expr, lines: Sequence[Line]) -> Iterator[tuple[Line, sp.Expr]]:
        """Symbols without an upper bound as 1/u, where u starts at 0."""
        for line in lines:
            if line.upper or not any(node.has(line.symbol) for node in side.atoms(sp.log)):
                continue
            u = sp.Dummy("u")
            ends = tuple((1 / e, s) for e, s in line.lower if self._shown(line.apart(_sign(e, True))))
            if ends:
                turned = sp.together(side.subs(line.symbol, 1 / u).replace(sp.log, lambda a: sp.log(sp.cancel(a))))
                yield Line(u, ((sp.S.Zero, True),), ends, line.rest, line.integers), turned

    def _on_line(self, side: sp.Expr, strict: bool, line: Line, depth: int) -> Record | None:
        whole = line.inside(_sign(side, strict))
        if depth < _DEEPEST and (known := self._shown(whole)) is not None:
            return Record("on a line", whole, (known,), line)
        if depth == 0 or not side.has(line.symbol) or self._left <= 0:
            return None
        for form, signs in self._forms(side, line):
            if (found := self._of_form(form, strict, line, depth)) is not None:
                return found if form == side else Record("on a line", whole, (found, *signs), line)
        return None

    def _of_form(self, form: sp.Expr, strict: bool, line: Line, depth: int) -> Record | None:
        slope = sp.together(form.diff(line.symbol))
        ways: list[Callable[[], Record | None]] = [
            partial(self._from, form, slope, strict, end, line, depth, downwards=downwards)
            for downwards, bounds in ((False, line.lower), (True, line.upper))
            for end in bounds
        ]
        ways.append(partial(self._between_ends, form, slope, strict, line, depth))
        if depth == _DEEPEST:
            ways += [partial(self._cut_at, form, slope, strict, c, line, depth) for c in _cuts(slope, line)]
        return next((found for way in ways if (found := way()) is not None), None)

    def _between_ends(self, form: sp.Expr, slope: sp.Expr, strict: bool, line: Line, depth: int) -> Record | None:
        """That it is so at two ends, and the slope falls between them."""
        x = line.symbol
        for low, high in product(line.lower, line.upper):
            ends = [_at(form, x, end) for end, _ in (low, high)]
            if any(end is None for end in ends):
                continue
            values = self._all_shown(line.apart(sp.true), (_sign(end, strict) for end in ends))
            closed, opened = (
                replace(line.with_rest(), lower=((low[0], s),), upper=((high[0], s),)) for s in (False, True)
            )
            if values is not None and (smooth := self._smooth(form, closed, opened)) is not None:
                falling = self._on_line(-sp.together(slope.diff(x)), False, opened, depth - 1)
                if falling is not None:
                    way = Way(line, (low[0], high[0]), closed, opened, *smooth)
                    return Record("from ends", line.inside(_sign(form, strict)), (falling, *values), way)
        return None

    def _smooth(
        self, form: sp.Expr, closed: Line, opened: Line
    ) -> tuple[tuple[Record, ...], tuple[Record, ...]] | None:
        """That a form is continuous on a line, and has a derivative inside of it."""
        continuous = self._all_shown(closed.inside(sp.true), _continuous(form))
        if continuous is None:
            return None
        differentiable = self._all_shown(opened.inside(sp.true), _differentiable(form))
        return None if differentiable is None else (continuous, differentiable)

    def _cut_at(
        self, form: sp.Expr, slope: sp.Expr, strict: bool, cut: sp.Expr, line: Line, depth: int
    ) -> Record | None:
        """That it is so at a point, falls before it and rises after it."""
        x = line.symbol
        at_cut = _at(form, x, cut)
        if at_cut is None or (value := self._shown(line.apart(_sign(at_cut, strict)))) is None:
            return None
        after = Line(x, ((cut, False), *self._kept(line.lower, cut, line, 1)), line.upper, line.rest, line.integers)
        before = Line(x, line.lower, ((cut, False), *self._kept(line.upper, cut, line, -1)), line.rest, line.integers)
        # where a cut lies outside of the bounds, one of the two lines is empty and what is asked of it is true
        rising = self._from(form, slope, strict, (cut, False), after, depth, value=value)
        if rising is None:
            return None
        falling = self._from(form, slope, strict, (cut, False), before, depth, downwards=True, value=value)
        if falling is None:
            return None
        return Record("cut", line.inside(_sign(form, strict)), (falling, rising), (line, cut))

    def _kept(
        self, bounds: tuple[tuple[sp.Expr, bool], ...], cut: sp.Expr, line: Line, direction: int
    ) -> tuple[tuple[sp.Expr, bool], ...]:
        """The bounds on the near side of a cut that hold beyond it as well."""
        return tuple((end, s) for end, s in bounds if self._shown(line.apart(_sign(direction * (cut - end), False))))

    def _from(
        self,
        form: sp.Expr,
        slope: sp.Expr,
        strict: bool,
        bound: tuple[sp.Expr, bool],
        line: Line,
        depth: int,
        downwards: bool = False,
        value: Record | None = None,
    ) -> Record | None:
        """That the value at an end is not negative, and the function does not fall on the way from there."""
        x, direction, (end, open_end) = line.symbol, -1 if downwards else 1, bound
        at_end = _at(form, x, end)
        if at_end is None:
            return None
        begins = value or (self._shown(line.apart(_sign(at_end, True))) if strict else None)
        must_rise = strict and begins is None
        begins = begins or self._shown(line.apart(_sign(at_end, False)))
        if begins is None or (must_rise and not open_end):
            return None
        behind: dict[sp.Expr, Record] = {}
        for other, _ in line.upper if downwards else line.lower:
            if other != end and (found := self._shown(line.apart(_sign(direction * (end - other), False)))) is not None:
                behind[other] = found
        known = line.with_rest()
        near = [tuple((e, s) for e in (end, *behind)) for s in (False, True)]
        closed, opened = (replace(known, upper=n) if downwards else replace(known, lower=n) for n in near)
        smooth = self._smooth(form, closed, opened)
        if smooth is None:
            return None
        rising = self._on_line(direction * slope, must_rise, opened, depth - 1)
        if rising is None:
            return None
        way = Way(line, (end,), closed, opened, *smooth, tuple(behind.values()))
        return Record("from ends", line.inside(_sign(form, strict)), (rising, begins), way)

    def _forms(self, side: sp.Expr, line: Line) -> Iterator[tuple[sp.Expr, tuple[Record, ...]]]:
        """The side times positive factors: as it is, without its denominator, with a logarithm or exponential alone."""
        yield side, ()
        numerator, denominator = sp.fraction(sp.together(side))
        signs: tuple[Record, ...] = ()
        if denominator.has(line.symbol) and (known := self._shown(line.inside(_sign(denominator, True)))) is not None:
            signs = (known,)
            yield numerator, signs
        elif denominator.has(line.symbol):
            numerator = side
        logs = [node for node in numerator.atoms(sp.log) if node.has(line.symbol)]
        for node in logs:
            name = sp.Dummy()
            with_name = sp.expand(numerator).subs(node, name)
            if not with_name.is_polynomial(name) or sp.degree(with_name, name) != 1:
                continue
            factor, rest = sp.Poly(with_name, name).all_coeffs()
            if not factor.has(line.symbol) or factor.has(sp.log):
                continue
            for sign in (1, -1):
                if (positive := self._shown(line.inside(_sign(sign * factor, True)))) is not None:
                    yield sign * node + rest / (sign * factor), (*signs, positive)
        for node in sorted(numerator.atoms(sp.exp), key=str):
            if node.has(line.symbol):
                yield sp.expand(numerator * sp.exp(-node.args[0])), signs


# ---- sides and lines


def _sides(relation: Boolean, statement: Sequent, knows: Callable[[Sequent], bool]) -> Iterator[sp.Expr]:
    """What is not to be negative: the difference of both sides, or of their logarithms where both are positive."""
    difference = sp.expand_log(relation.gts) - sp.expand_log(relation.lts)
    merged = _merged(difference)
    if merged != difference:
        yield merged
    yield difference
    logs = [term for term in sp.Add.make_args(sp.expand(difference)) if isinstance(term.as_coeff_Mul()[1], sp.log)]
    if len(logs) == 1 and difference.has(sp.exp):
        weight, log = logs[0].as_coeff_Mul()
        yield sp.sign(weight) * (log.args[0] - sp.exp(sp.expand((logs[0] - difference) / weight)))
    if any(_is_power(factor) for side in (relation.gts, relation.lts) for factor in sp.Mul.make_args(side)) and all(
        knows(statement.with_conclusion(factor > 0))
        for side in (relation.gts, relation.lts)
        for factor in sp.Mul.make_args(side)
    ):
        yield _logarithm(relation.gts) - _logarithm(relation.lts)


def _merged(side: sp.Expr) -> sp.Expr:
    """log a - log b as log(a/b), for terms of opposite weights."""
    by_weight: dict[sp.Expr, list[sp.Expr]] = {}
    rest = []
    for term in sp.Add.make_args(sp.expand(side, log=False)):
        weight, log = term.as_independent(sp.log, as_Add=False)
        if isinstance(log, sp.log):
            sign = -1 if weight.could_extract_minus_sign() else 1
            by_weight.setdefault(sign * weight, []).append(log.args[0] ** sign)
        else:
            rest.append(term)
    return sp.Add(*rest, *(weight * sp.log(sp.cancel(sp.Mul(*parts))) for weight, parts in by_weight.items()))


def _is_power(node: sp.Expr) -> bool:
    return isinstance(node, sp.exp) or (isinstance(node, sp.Pow) and not node.exp.is_Rational)


def _logarithm(side: sp.Expr) -> sp.Expr:
    """The logarithm of a product of positive factors."""
    found = sp.S.Zero
    for factor in sp.Mul.make_args(side):
        if isinstance(factor, sp.exp):
            found += factor.args[0]
        elif isinstance(factor, sp.Pow):
            found += factor.exp * sp.log(factor.base)
        else:
            found += sp.log(factor)
    return found


def has_slopes(relation: Boolean) -> bool:
    """Whether the rule is tried: an inequality of smooth functions, and none of rational ones of many symbols.

    Slopes would only make these larger: products are their proofs.
    """
    if not isinstance(relation, _INEQUALITIES):
        return False
    if not all(isinstance(node, _SMOOTH) or node is relation for node in sp.preorder_traversal(relation)):
        return False
    symbols = relation.free_symbols
    return len(symbols) <= _MOST_RATIONAL or not (relation.lhs - relation.rhs).is_rational_function(*symbols)


def _lines(side: sp.Expr, statement: Sequent) -> Iterator[Line]:
    """A line for each symbol, those in exponentials, logarithms and powers first; whole numbers as real ones."""
    inner = set[sp.Symbol]()
    for node in side.atoms(sp.exp, sp.log, sp.Pow):
        if not (isinstance(node, sp.Pow) and node.exp.is_Integer):
            inner |= node.free_symbols
    flat = conjuncts(*map(truth, statement.hypotheses))
    for x in sorted(side.free_symbols, key=lambda s: (s not in inner, s in statement.integers, str(s))):
        lower: list[tuple[sp.Expr, bool]] = []
        upper: list[tuple[sp.Expr, bool]] = []
        rest: list[Boolean] = []
        for h in flat:
            if not h.has(x):
                rest.append(h)
            elif isinstance(h, _INEQUALITIES) and (found := _bound(h, x)) is not None:
                (lower if found[0] > 0 else upper).append((found[1], isinstance(h, (sp.Lt, sp.Gt))))
        yield Line(x, tuple(lower), tuple(upper), tuple(rest), statement.integers - {x})


def _bound(inequality: Boolean, x: sp.Symbol) -> tuple[int, sp.Expr] | None:
    side = sp.expand(inequality.gts - inequality.lts)
    slope = side.diff(x)
    if not slope.is_Rational or slope == 0:
        return None
    return int(sp.sign(slope)), sp.expand(x - side / slope)


def _at(form: sp.Expr, x: sp.Symbol, end: sp.Expr) -> sp.Expr | None:
    """The value at an end, None where there is none."""
    value = form.subs(x, end)
    return None if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) else value


def _sign(side: sp.Expr, strict: bool) -> Boolean:
    return sp.Gt(side, 0, evaluate=False) if strict else sp.Ge(side, 0, evaluate=False)


def _continuous(form: sp.Expr) -> Iterator[Boolean]:
    """What has to hold for a form to be defined and continuous."""
    for node in sp.preorder_traversal(form):
        match node:
            case sp.log():
                yield node.args[0] > 0
            case sp.Pow() if node.exp.is_Rational:
                if node.exp < 0:
                    yield sp.Ne(node.base, 0) if node.exp.is_Integer else node.base > 0
                elif not node.exp.is_Integer:
                    yield node.base >= 0
            case sp.Pow():
                yield node.base > 0


def _differentiable(form: sp.Expr) -> Iterator[Boolean]:
    """What has to hold beyond that for a form to have a derivative."""
    for node in form.atoms(sp.Pow):
        if node.exp.is_Rational and not node.exp.is_Integer:
            yield node.base > 0


def _cuts(slope: sp.Expr, line: Line) -> Iterator[sp.Expr]:
    """Where a derivative may change its sign: zeros in closed form, 0, 1 and the other symbols."""
    x, found = line.symbol, []
    numerator = sp.fraction(sp.together(slope))[0]
    for node in [x, *sorted(numerator.atoms(sp.log, sp.exp), key=str)]:
        name = sp.Dummy()
        with_name = sp.expand(numerator).subs(node, name)
        if with_name.has(x) or not with_name.is_polynomial(name) or sp.degree(with_name, name) > 2:
            continue
        for value in sp.roots(sp.Poly(with_name, name)):
            found += _solved(node, x, value)
    candidates: list[Any] = [*sorted(slope.free_symbols - {x}, key=str), *found, sp.S.One, sp.S.Zero]
    ends = {e for e, _ in (*line.lower, *line.upper)}
    yield from (c for c in dict.fromkeys(candidates) if not c.has(x) and c not in ends and not c.has(sp.I))


def _solved(node: sp.Expr, x: sp.Symbol, value: sp.Expr) -> list[sp.Expr]:
    """The x at which a symbol, logarithm or exponential has a value."""
    if node == x:
        return [value]
    argument = node.args[0]
    slope = sp.expand(argument).diff(x)
    if not slope.is_Rational or slope == 0:
        return []
    inverse = sp.exp(value) if isinstance(node, sp.log) else sp.log(value)
    return [sp.expand((inverse - argument.subs(x, 0)) / slope)]
