"""A statement about one parameter that stands inside and outside of exponentials, or of its logarithm.

It is one about signs of f(x) = P(x, e^(a x)), P irreducible over Q. Derivatives make one of the same kind that is
simpler: (D P)(x, y) = P_x + a y P_y has the same degree in y, and in its term without y a lower degree in x than P has;
where that term is gone, y is a factor, and is never zero. So the roots of the factors of D P are found first, down to
polynomials in x or constants; between two of them, and beyond the last one, f is monotone and has one root or none.

By Lindemann's theorem e^(a x) is transcendental where x is algebraic and not 0. If P and another irreducible polynomial
Q vanish at (x, e^(a x)), their resultant in y does at x; x is algebraic then, so that x = 0, or P(x, y) is zero for all
y, and P is the minimal polynomial of x, as Q is. So different ones, such as P and the factors of D P, have no root in
common but 0, where both are evaluated exactly; everywhere else balls that are small enough tell the sign. For log(x)
the unknown is the logarithm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, cmp_to_key, reduce
from itertools import count, pairwise
from math import floor
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from lpmech.conditions.connectives import Alternatives, replaced
from lpmech.conditions.fibres import between, degree_in, simplest, univariate
from lpmech.conditions.polynomials import Root, told_apart
from lpmech.conditions.rounding import line_of, moved
from lpmech.conditions.signs import CONTEXT, OutsideError, SignFormula, SignReader, irreducible_factors, truth
from lpmech.conditions.solving import NotSolvedError
from lpmech.conditions.substitution import Letter, substitution
from lpmech.programs.solvers.real_roots import RealRoot, roots_apart
from lpmech.prove.from_sympy import term_of
from lpmech.terms import Apply, Name, Node, Number, names_in, substituted
from lpmech.terms.term import parts_of

__all__ = ["METHOD", "by_pieces", "logarithm"]

#: What the method of proof is called.
METHOD = "monotone pieces"
#: Largest degree of P in both arguments together, and bits of the first balls.
_MOST_DEGREE, _BITS = 24, 64
_QUADRATIC = 2
#: How near a root is told where a whole number is looked for.
_TINY = Fraction(1, 10**20)


@dataclass(frozen=True)
class _Cut:
    """The only root of a function in an open interval, or a rational number (an interval of width zero)."""

    function: _Function
    lower: Any
    upper: Any

    def halved(self) -> _Cut:
        """The same number in half the interval."""
        if self.lower == self.upper:
            return self
        middle = (self.lower + self.upper) / 2
        below = self.function.sign(middle) == self.function.sign(self.upper)
        return replace(self, upper=middle) if below else replace(self, lower=middle)

    def compared(self, other: _Cut) -> int:
        """-1, 0 or 1."""
        first, second = self, other
        while first.upper >= second.lower and second.upper >= first.lower:
            if first.lower == first.upper == second.lower == second.upper:
                return 0
            first, second = first.halved(), second.halved()
        return -1 if first.upper < second.lower else 1


class _Function:
    """x -> P(x, e^(a x)), with P irreducible.

    Parameters
    ----------
    polynomial : flint.fmpz_mpoly
    slope : flint.fmpq
        a, positive.
    known : dict
        The functions met, by the texts of their polynomials.
    """

    def __init__(self, polynomial: Any, slope: Any, known: dict[str, _Function]) -> None:
        self.polynomial, self.slope, self._known = polynomial, slope, known
        self._terms = [(int(i), int(k), int(c)) for (i, k), c in polynomial.to_dict().items()]

    def other(self, polynomial: Any) -> _Function:
        """Of the same exponential."""
        return self._known.setdefault(str(polynomial), _Function(polynomial, self.slope, self._known))

    def sign(self, point: Any) -> int:
        """At a rational number."""
        if point == 0 or not degree_in(self.polynomial, 1):
            value = sum((c * point**i for i, _, c in self._terms), fmpq(0))
            return (value > 0) - (value < 0)
        return next(filter(None, (self._sign_on(point, point, _BITS << n) for n in count())))

    def _sign_on(self, lower: Any, upper: Any, bits: int) -> int:
        """All over an interval; 0 if balls with so many bits do not tell."""
        before, ctx.prec = ctx.prec, bits
        try:
            x = arb(lower).union(arb(upper))
            y = (x * arb(self.slope)).exp()
            value = sum((c * x**i * y**k for i, k, c in self._terms), arb(0))
        finally:
            ctx.prec = before
        return int(value > 0) - int(value < 0)

    def beside(self, cut: _Cut) -> tuple[int, _Cut]:
        """The sign at the root of another function, and an interval of that all over which it is the same."""
        bits = _BITS
        while cut.lower < cut.upper:
            if sign := self._sign_on(cut.lower, cut.upper, bits):
                return sign, cut
            cut, bits = cut.halved(), bits + 1
        return self.sign(cut.lower), cut

    @cached_property
    def roots(self) -> list[_Cut]:
        """All real roots, in rising order."""
        if self.polynomial.degrees() == (1, 0):
            (root,) = roots_apart([univariate(self.polynomial, 0)])
            return [_Cut(self, root.lower, root.upper)]
        y = CONTEXT.gens()[1]
        by_x, by_y = (self.polynomial.derivative(name) for name in CONTEXT.names())
        factors = irreducible_factors(by_x * self.slope.q + y * by_y * self.slope.p)
        critical = _apart(root for one, _ in factors if one != y for root in self.other(one).roots)
        ends = [(self._far(-1), None), *map(self.beside, critical), (self._far(1), None)]
        found = list[_Cut]()
        for (before, low), (after, high) in pairwise(ends):
            if before * after < 0:
                lower = self._end(before, low and low.upper, high and high.lower, -1)
                upper = self._end(after, high and high.lower, low and low.upper, 1)
                is_zero = lower < 0 < upper and not self.sign(fmpq(0))
                found.append(_Cut(self, *(fmpq(0), fmpq(0)) if is_zero else (lower, upper)))
            if not after and high:
                found.append(replace(high, function=self))
        return found

    def _far(self, side: int) -> int:
        """The sign near plus or minus infinity."""
        power = side * max(side * k for _, k, _ in self._terms)
        degree, leading = max((i, c) for i, k, c in self._terms if k == power)
        return (1 if leading > 0 else -1) * side**degree

    def _end(self, sign: int, end: Any, start: Any, side: int) -> Any:
        """An end of an interval, where it is infinite a point at which the sign is that of there."""
        if end is not None:
            return end
        every = ((start or 0) + fmpq(side * 2**n) for n in count())
        return next(point for point in every if self.sign(point) == sign)


def _apart(cuts: Iterable[_Cut]) -> list[_Cut]:
    """In rising order, each number once, in intervals that have no point in common."""
    found = sorted(cuts, key=cmp_to_key(_Cut.compared))
    found = [one for k, one in enumerate(found) if not (k and not found[k - 1].compared(one))]
    for k in range(1, len(found)):
        while not found[k - 1].upper < found[k].lower:
            found[k - 1 : k + 1] = found[k - 1].halved(), found[k].halved()
    return found


@dataclass(frozen=True)
class Pieces:
    """What was found.

    Attributes
    ----------
    alternatives : sequence of tuple of terms
        One of them holds exactly where the statement does.
    roots : mapping of str to Root
        What names in them are that are no parameters.
    """

    alternatives: Alternatives
    roots: Mapping[str, Root]


@dataclass(frozen=True)
class _Value:
    """A root in the parameter: the unknown itself, or e to the unknown."""

    cut: _Cut
    letter: Letter

    @property
    def exact(self) -> Fraction | None:
        """The number, if it is rational."""
        terms = self.cut.function.polynomial.to_dict()
        if self.letter.kind == "exp":
            return _fraction(self.cut.lower) if self.cut.lower == self.cut.upper else None
        if self.cut.lower == self.cut.upper == 0:
            return Fraction(1)
        return -Fraction(int(terms.get((0, 0), 0)), int(terms[0, 1])) if {*terms} <= {(0, 0), (0, 1)} else None

    @cached_property
    def ends(self) -> tuple[Any, Any]:
        """Rational numbers below and above the number, or twice the number."""
        return self._end(self.cut.lower, -1), self._end(self.cut.upper, 1)

    @property
    def lower(self) -> Any:
        """A short number below it: between them the function has no other root."""
        return self._short(0)

    @property
    def upper(self) -> Any:
        """The same above it."""
        return self._short(1)

    def _short(self, side: int) -> Any:
        near = reduce(lambda value, _: value.nearer, range(_BITS), self)
        first, second = sorted((self.ends[side], near.ends[side]))
        return simplest(first, second) if first < second else first

    @property
    def nearer(self) -> _Value:
        """The same number in half the interval."""
        return replace(self, cut=self.cut.halved())

    def _end(self, end: Any, side: int) -> Any:
        if self.letter.kind == "exp":
            return end
        before, ctx.prec = ctx.prec, _BITS + 2 * (int(end.p).bit_length() + int(end.q).bit_length())
        try:
            ball = arb(end).exp()
            mantissa, exponent = (ball.upper() if side > 0 else ball.lower()).man_exp()
        finally:
            ctx.prec = before
        return fmpq(mantissa) * fmpq(2) ** int(exponent)

    def near(self, tolerance: Fraction) -> Fraction:
        """A rational number that is nearer than the tolerance."""
        value = self
        while _fraction(value.ends[1] - value.ends[0]) > tolerance:
            value = value.nearer
        return _fraction(value.ends[0])

    @property
    def floor(self) -> int:
        """The largest whole number that is not above it."""
        if self.exact is not None:
            return floor(self.exact)
        value = self
        while value.ends[0].floor() != value.ends[1].floor():
            value = value.nearer
        return int(value.ends[0].floor())

    @property
    def formula(self) -> Node | None:
        """The number by rational numbers, a logarithm, an exponential or a square root; None if it needs a name."""
        polynomial, is_exp = self.cut.function.polynomial, self.letter.kind == "exp"
        if self.exact is not None:
            return Number(self.exact)
        terms = polynomial.to_dict()
        itself, inside = degree_in(polynomial, 0), degree_in(polynomial, 1)
        if (itself, inside) == ((0, 1) if is_exp else (1, 0)):
            bound = -Fraction(int(terms.get((0, 0), 0)), int(terms[(0, 1) if is_exp else (1, 0)]))
            return self.letter.undone("==", Number(bound)).arguments[1]
        alone = (itself, 0) if is_exp else (inside, 1)
        if alone[0] == _QUADRATIC and polynomial.total_degree() == _QUADRATIC and 0 in (itself, inside):
            number = RealRoot(univariate(polynomial, alone[1]), *self.ends)
            return term_of(number.expression(sp.Symbol(self.letter.own)))
        return None


def logarithm(statement: Node) -> Apply | None:
    """The one logarithm in a statement about one parameter; None if there are none, or several."""
    every = {one for one in parts_of(statement) if isinstance(one, Apply) and one.operation == "log" and names_in(one)}
    return every.pop() if len(every) == len(names_in(statement)) == 1 else None


def _unknown(statement: Node) -> Node | None:
    """What is in the logarithm; or x + d/c, if it is the same in all exponentials, of c x + d."""
    if (part := logarithm(statement)) is not None:
        return part.arguments[0]
    every = [one for one in parts_of(statement) if isinstance(one, Apply) and one.operation == "exp" and names_in(one)]
    lines = [line_of(one.arguments[0]) for one in every]
    inside = {term_of(sp.Symbol(line[0]) + line[2] / line[1]) if line else None for line in lines}
    return inside.pop() if len(inside) == 1 else None


def by_pieces(statement: Node, hypotheses: Sequence[Node], whole: Collection[str]) -> Pieces | None:
    """The condition of a statement about one parameter beside an exponential, or the logarithm, of it; None of others.

    Of a logarithm of a x + b that is a parameter of its own, of exponentials x + b. Hypotheses on other parameters are
    not used.

    Raises
    ------
    OutsideError
        If the statement has something else in it, or is too large.
    """
    names = names_in(statement)
    inside = _unknown(statement)
    if inside is not None and not isinstance(inside, Name) and (line := line_of(inside)):
        name, slope, constant = line
        of_line = Name(f"({inside})")
        value, ends = (
            term_of((sp.Symbol(of_line.name) - constant) / slope),
            [of_line > 0] if logarithm(statement) is not None else [],
        )
        moved = [substituted(replaced(one, inside, of_line), {name: value}) for one in (statement, *hypotheses)]
        found = by_pieces(moved[0], [*moved[1:], *ends], ())
        if found is not None:
            bounds = [_as_bounds(inside, each, found.roots, whole) for each in found.alternatives]
            left = set[str]().union(*(names_in(one) for each in bounds for one in each))
            found = Pieces(bounds, {name: root for name, root in found.roots.items() if name in left})
        return found
    letters = substitution(statement, hypotheses, beside=True)
    is_beside = not substitution(statement, hypotheses).letters
    if len(names) != 1 or not is_beside or [letter.kind for letter in letters.letters] not in (["exp"], ["log"]):
        return None
    (own,), (letter,) = names, letters.letters
    both = (own, letter.name) if letter.kind == "exp" else (letter.name, own)
    reader = SignReader(both)
    asked, given = reader.formula(letters.into(statement)), list[SignFormula]()
    for one in letters.hypotheses(hypotheses):
        before = len(reader.polynomials)
        try:
            given.append(reader.formula(one))
        except OutsideError:
            del reader.polynomials[before:]
    if any(one.total_degree() > _MOST_DEGREE for one in reader.polynomials):
        raise OutsideError(f"a polynomial of a degree above {_MOST_DEGREE}")
    slope, known = (letter.step if letter.kind == "exp" else Fraction(1)), dict[str, _Function]()
    first = _Function(CONTEXT.gens()[1], fmpq(slope.numerator, slope.denominator), known)
    functions = [first.other(one) for one in reader.polynomials]
    cuts = _apart(root for one in functions for root in one.roots)
    values = [_Value(cut, letter) for cut in cuts]
    is_whole = own in whole
    truths = list[bool | None]()
    for k, sample in enumerate(between(cuts)):
        signs = [one.sign(sample) for one in functions]
        is_met = not is_whole or _has_whole(
            values[k - 1] if k else None, values[k] if k < len(values) else None, letter
        )
        truths.append(_truth(asked, given, signs) if is_met else None)
        if k < len(cuts):
            signs = [0 if one is cuts[k].function else one.beside(cuts[k])[0] for one in functions]
            is_met = not is_whole or (values[k].exact or Fraction(1, 2)).denominator == 1
            truths.append(_truth(asked, given, signs) if is_met else None)
    if True not in truths and False not in truths:
        raise NotSolvedError("the hypotheses contradict each other")
    return _Words(own, is_whole, values, names.union(*map(names_in, hypotheses))).pieces(truths)


def _as_bounds(
    inside: Node, bounds: Sequence[Node], roots: Mapping[str, Root], whole: Collection[str]
) -> tuple[Node, ...]:
    """Bounds on a x + b as bounds on x; of whole numbers the nearest one in place of a root."""
    found = list[Node]()
    for one in bounds:
        assert isinstance(one, Apply)
        bound = one.arguments[1]
        if isinstance(bound, Name) and names_in(inside) <= {*whole}:
            ends = [Number(roots[bound.name].number.near(_TINY) + side * _TINY) for side in (-1, 1)]
            apart = {moved(inside, one.operation, end, whole) for end in ends}
            found.append(apart.pop() if len(apart) == 1 else moved(inside, one.operation, bound, whole))
        else:
            found.append(moved(inside, one.operation, bound, whole))
    return tuple(found)


def _truth(asked: SignFormula, given: Sequence[SignFormula], signs: Sequence[int]) -> bool | None:
    return truth(asked, signs) is True if all(truth(one, signs) for one in given) else None


def _has_whole(lower: _Value | None, upper: _Value | None, letter: Letter) -> bool:
    """Whether an interval between two cuts has a whole number inside."""
    if upper is None or (lower is None and letter.kind == "exp"):
        return True
    first = 1 if lower is None else lower.floor + 1
    return first < upper.exact if upper.exact is not None else first <= upper.floor


@dataclass
class _Words:
    """Conditions made of the parts of the line: intervals, and cuts between them."""

    own: str
    is_whole: bool
    values: Sequence[_Value]
    taken: Collection[str]
    named: dict[str, _Value] = field(default_factory=dict)

    def pieces(self, truths: Sequence[bool | None]) -> Pieces:
        """Intervals without a point at which the statement is false."""
        false = [-1, *(k for k, one in enumerate(truths) if one is False), len(truths)]
        alternatives = list[tuple[Node, ...]]()
        for before, after in pairwise(false):
            true = [k for k in range(before + 1, after) if truths[k]]
            if true:
                low = self._bound(range(before, true[0]), (">=", ">")) if before >= 0 else []
                high = self._bound(range(true[-1], after), ("<", "<=")) if after < len(truths) else []
                alternatives.append(_equal(low, high))
        unknown = "" if self.own.isidentifier() else self.own.strip("()")
        roots = [Root(self._polynomial(one), one, unknown=unknown) for one in self.named.values()]
        return Pieces(alternatives, dict(zip(self.named, told_apart(roots), strict=True)))

    def _bound(self, places: range, relations: tuple[str, str]) -> list[Node]:
        """The bound between two parts next to each other, one of some such places: the one that is simplest to say."""
        place = min(places, key=lambda k: (self.values[k // 2].formula is None, k))
        value, relation = self.values[place // 2], relations[place % 2]
        number = value.formula
        if self.is_whole:
            is_itself = value.exact == value.floor
            return [
                Name(self.own) >= value.floor + (relation == ">" or not is_itself)
                if relation.startswith(">")
                else Name(self.own) <= value.floor - (relation == "<" and is_itself)
            ]
        return [Apply(relation, (Name(self.own), self._named(value) if number is None else number))]

    def _named(self, value: _Value) -> Name:
        known = next((name for name, one in self.named.items() if one is value), None)
        if known is None:
            known = next(name for n in count(1) if (name := f"r{n}") not in {*self.taken, *self.named})
            self.named[known] = value
        return Name(known)

    def _polynomial(self, value: _Value) -> str:
        letter = value.letter
        names = (self.own, letter.name) if letter.kind == "exp" else (letter.name, self.own)
        symbols = list(map(sp.Symbol, names))
        terms = value.cut.function.polynomial.to_dict().items()
        every = (int(c) * sp.Mul(*(s**n for s, n in zip(symbols, powers, strict=True))) for powers, c in terms)
        return str(term_of(sp.Add(*every)))


def _equal(low: Sequence[Node], high: Sequence[Node]) -> tuple[Node, ...]:
    """Two bounds that leave one number as an equation."""
    match (*low, *high):
        case (Apply(">=", sides), Apply("<=", others)) if sides == others:
            return (Apply("==", sides),)
    return (*low, *high)


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))
