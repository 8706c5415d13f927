"""Lines over a point of the base: where polynomials p(x, y) vanish at a fixed y, rational or algebraic; their signs.

At an algebraic y = a with the irreducible polynomial m, coefficients are polynomials in a modulo m: one is zero if and
only if its remainder is, and any other has the sign of an interval around a that is narrow enough. The roots of p(x, a)
are among those of the resultant of m and p in a, a rational polynomial; at each of these a square-free divisor of
p(x, a) over Q(a) changes its sign, or does not vanish. A point (y, z) of a plane is the same: both numbers are
polynomials in one algebraic number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import count, pairwise
from math import comb, lcm
from typing import Any

from flint import fmpq, fmpq_poly, fmpz_poly

from lpmech.conditions.signs import CONTEXT, OutsideError
from lpmech.programs.solvers.real_roots import Interval, RealRoot, roots_apart

__all__ = ["Base", "Fibre", "between", "degree_in", "in_base", "over", "simplest", "univariate"]

#: Largest degree of a resultant of which the roots are isolated.
_MOST_DEGREE = 150

#: A polynomial in x, its coefficients polynomials in the base's number, the lowest first; the last one is not zero.
Coefficients = list[Any]
_ITSELF, _LINEAR = fmpq_poly([0, 1]), 2


@dataclass
class Base:
    """A point of the base.

    Parameters
    ----------
    root : RealRoot
    values : tuple of flint.fmpq_poly
        The parameters below x as polynomials in the root.
    """

    root: RealRoot
    values: tuple[Any, ...] = (_ITSELF,)

    @property
    def modulus(self) -> Any:
        """The irreducible polynomial, over the rational numbers."""
        return fmpq_poly(self.root.polynomial)

    def sign_of(self, polynomial: Any) -> int:
        """The sign of a polynomial without x."""
        found = _coefficients(polynomial, self)
        return self.sign(found[0]) if found else 0

    def above(self, root: RealRoot, vanishing: Sequence[Coefficients]) -> Base:
        """The point over this one at a root, at which these polynomials of a fibre vanish."""
        if root.polynomial.degree() == 1:
            return Base(self.root, (fmpq_poly([root.lower]), *self.values))
        if self.modulus.degree() == 1:
            return Base(root, (_ITSELF, *(one % self.modulus for one in self.values)))
        least: Coefficients = reduce(partial(_common, self), vanishing, [])
        if len(least) == _LINEAR:
            return Base(self.root, (_root_of(least, self), *self.values))
        return _joined(self, root, least)

    def sign(self, value: Any) -> int:
        """The sign of a polynomial in the root."""
        rest = fmpq_poly(value) % self.modulus
        if rest.degree() < 1:
            return (rest[0] > 0) - (rest[0] < 0)
        while True:
            low, high = _range(rest, self.root.lower, self.root.upper)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            self.root = self.root.halved()


@dataclass(frozen=True)
class Fibre:
    """The line over a point of the base: roots, and open intervals between them.

    Attributes
    ----------
    roots : tuple of RealRoot
        In rising order.
    multiplicities : tuple of dict of int to int
        Which polynomials vanish at each root, and how often.
    signs : tuple of tuple of int
        Of every polynomial: below the first root, at it, between it and the second, and so on.
    vanishing : tuple of list of polynomials in x
        Over an irrational number those over its field that vanish at the root, once.
    """

    roots: tuple[RealRoot, ...]
    multiplicities: tuple[dict[int, int], ...]
    signs: tuple[tuple[int, ...], ...]
    vanishing: tuple[list[Coefficients], ...]


def degree_in(polynomial: Any, variable: int) -> int:
    """The degree in x (0) or y (1)."""
    return int(polynomial.degrees()[variable])


def in_base(polynomial: Any) -> Any:
    """A polynomial of y alone as `flint.fmpz_poly`."""
    return univariate(polynomial, 1)


def over(base: Base, polynomials: Sequence[Any]) -> Fibre:
    """The line over a point.

    Parameters
    ----------
    base : Base
    polynomials : sequence of flint.fmpz_mpoly
        Irreducible and different. In x and y none with an x vanishes on the whole line.

    Raises
    ------
    OutsideError
        If the degree of a resultant is too large.
    """
    every = [_coefficients(one, base) for one in polynomials]
    moving = {k: one for k, one in enumerate(every) if len(one) > 1}
    factors = {k: _factors(_norm(one, base)) for k, one in moving.items()}
    irreducible = {key: fmpz_poly(list(key)) for found in factors.values() for key in found}
    layers = dict[int, list[Coefficients]]()
    if base.modulus.degree() > 1:  # without a square factor where the norm has none
        layers = {k: [one] if max(factors[k].values()) == 1 else _layers(one, base) for k, one in moving.items()}
    roots, owners, vanishing = list[RealRoot](), list[dict[int, int]](), list[list[Coefficients]]()
    for root in roots_apart(irreducible.values()):
        known = {k: found[key] for k, found in factors.items() if (key := _key(root.polynomial)) in found}
        times = {k: _vanishing(layers[k], root, base) for k in known} if layers else known
        if any(times.values()):
            roots.append(root)
            owners.append({k: often for k, often in times.items() if often})
            own = (layers[k][often - 1] for k, often in owners[-1].items() if layers)
            vanishing.append(list(own))
    signs = list[tuple[int, ...]]()
    for k, sample in enumerate(between(roots)):
        signs.append(tuple(base.sign(_value(one, sample)) for one in every))
        if k < len(roots):
            signs.append(tuple(0 if place in owners[k] else sign for place, sign in enumerate(signs[-1])))
    return Fibre(tuple(roots), tuple(owners), tuple(signs), tuple(vanishing))


def _factors(polynomial: Any) -> dict[tuple[int, ...], int]:
    """The coefficients of the irreducible factors, and their multiplicities."""
    return {_key(one): int(times) for one, times in polynomial.factor()[1]}


def _key(polynomial: Any) -> tuple[int, ...]:
    return tuple(map(int, polynomial.coeffs()))


def univariate(polynomial: Any, variable: int) -> Any:
    """A polynomial of x (0) or y (1) alone as `flint.fmpz_poly`."""
    coefficients = [0] * (degree_in(polynomial, variable) + 1) if polynomial else []
    for exponents, coefficient in polynomial.to_dict().items():
        coefficients[exponents[variable]] = int(coefficient)
    return fmpz_poly(coefficients)


def _coefficients(polynomial: Any, base: Base) -> Coefficients:
    """In x at the point."""
    found = [fmpq_poly()] * (degree_in(polynomial, 0) + 1)
    for (place, *powers), coefficient in polynomial.to_dict().items():
        term = fmpq_poly([coefficient])
        for value, power in zip(base.values, powers, strict=True):
            term *= value**power % base.modulus
        found[place] = found[place] + term
    return _reduced(found, base)


def _reduced(coefficients: Coefficients, base: Base) -> Coefficients:
    found = [one % base.modulus for one in coefficients]
    while found and not found[-1]:
        found.pop()
    return found


def _norm(coefficients: Coefficients, base: Base) -> Any:
    """A polynomial over the whole numbers which vanishes where the given one does at the point."""
    if all(one.degree() < 1 for one in coefficients):
        return fmpq_poly([one[0] for one in coefficients]).numer()
    _check_degree((len(coefficients) - 1) * base.modulus.degree())
    common = lcm(*(int(one.denom()) for one in coefficients))
    x, y = CONTEXT.gens()
    both = sum((_at(one * common, y) * x**k for k, one in enumerate(coefficients)), CONTEXT.constant(0))
    return univariate(_at(base.modulus, y).resultant(both, "y"), 0)


def _check_degree(degree: int) -> None:
    if degree > _MOST_DEGREE:
        raise OutsideError(f"a resultant has degree {degree}, above {_MOST_DEGREE}")


def _at(polynomial: Any, point: Any) -> Any:
    """A polynomial with whole coefficients at one of `CONTEXT`."""
    return sum((c.p * point**k for k, c in enumerate(polynomial.coeffs())), CONTEXT.constant(0))


def _joined(base: Base, root: RealRoot, least: Coefficients) -> Base:
    """The point at a root over an irrational one: both are polynomials in the root plus a multiple of the other number.

    N(s) is the polynomial of all r + s a, with a the base's number and its conjugates, r the roots over them. At one of
    its roots, if that is simple, the derivatives of N by s and by the sum r + s a have the quotient -a.
    """
    size = (len(least) - 1) * base.modulus.degree()
    _check_degree(size)
    times = next(n for n in count() if (own := _sums(base, least, n)).gcd(own.derivative()).degree() < 1)
    norm = _sums(base, least, times)
    sums = roots_apart(one for one, _ in norm.numer().factor()[1])
    first, second = base.root, root
    while len(sums) > 1:
        low, high = second.lower + times * first.lower, second.upper + times * first.upper
        sums = [one for one in sums if low <= one.upper and one.lower <= high]
        first, second = first.halved(), second.halved()
    found = Base(sums[0])
    # the derivative by s of what has the degree `size` in s, from its values at s, s + 1, ...
    by_times = norm * -sum((fmpq(1, n) for n in range(1, size + 1)), fmpq(0))
    for n in range(1, size + 1):
        by_times += _sums(base, least, times + n) * (fmpq((-1) ** (n + 1) * comb(size, n)) / n)
    number = -by_times * norm.derivative().xgcd(found.modulus)[1] % found.modulus
    return Base(sums[0], (_ITSELF - times * number, *(one(number) % found.modulus for one in base.values)))


def _sums(base: Base, least: Coefficients, times: int) -> Any:
    """The polynomial of all r + times a, its first coefficient 1."""
    x, y = CONTEXT.gens()
    common = lcm(*(int(one.denom()) for one in least))
    every = (_at(one * common, x) * (y - times * x) ** k for k, one in enumerate(least))
    found = fmpq_poly(univariate(_at(base.modulus, x).resultant(sum(every, CONTEXT.constant(0)), "x"), 1))
    return found / found[found.degree()]


def _layers(coefficients: Coefficients, base: Base) -> list[Coefficients]:
    """Square-free polynomials: the first vanishes at the roots, the second at those of multiplicity two at least."""
    found = []
    while len(coefficients) > 1:
        slope = [one * k for k, one in enumerate(coefficients)][1:]
        common = _common(base, coefficients, slope)
        found.append(_divided(coefficients, common, base)[0])
        coefficients = common
    return found


def _common(base: Base, first: Coefficients, second: Coefficients) -> Coefficients:
    """The greatest common divisor over Q(a)."""
    while second:
        first, second = second, _divided(first, second, base)[1]
    return first


def _root_of(linear: Coefficients, base: Base) -> Any:
    return -linear[0] * linear[1].xgcd(base.modulus)[1] % base.modulus


def _divided(upper: Coefficients, lower: Coefficients, base: Base) -> tuple[Coefficients, Coefficients]:
    """Quotient and remainder over Q(a)."""
    modulus = base.modulus
    inverse = lower[-1].xgcd(modulus)[1]
    rest, quotient = list(upper), [fmpq_poly()] * max(0, len(upper) - len(lower) + 1)
    for k in reversed(range(len(quotient))):
        factor = rest[k + len(lower) - 1] * inverse % modulus
        quotient[k] = factor
        for place, one in enumerate(lower, k):
            rest[place] = (rest[place] - factor * one) % modulus
    return quotient, _reduced(rest[: len(lower) - 1], base)


def _vanishing(layers: Sequence[Coefficients], root: RealRoot, base: Base) -> int:
    """How often a polynomial vanishes at a number, the only root in its interval that any of the layers may have."""
    for often, layer in enumerate(layers):
        ends = [base.sign(_value(layer, end)) for end in (root.lower, root.upper)]
        if ends[0] * ends[1] > 0:
            return often
    return len(layers)


def _value(coefficients: Coefficients, point: Any) -> Any:
    """A polynomial in y."""
    value = fmpq_poly()
    for one in reversed(coefficients):
        value = value * point + one
    return value


def between(roots: Sequence[Interval]) -> list[Any]:
    """A rational number below the first root, between each two, and above the last one."""
    if not roots:
        return [fmpq(0)]
    inner = [simplest(one.upper, other.lower) for one, other in pairwise(roots)]
    return [fmpq(roots[0].lower.floor() - 1), *inner, fmpq(roots[-1].upper.ceil() + 1)]


def simplest(lower: Any, upper: Any) -> Any:
    """A number of a small denominator between two."""
    denominator = 1
    while True:
        found = fmpq((lower * denominator).floor() + 1, denominator)
        if found < upper:
            return found
        denominator *= 2


def _range(polynomial: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Bounds of a polynomial on an interval, by Horner's rule."""
    low = high = fmpq(0)
    for coefficient in reversed(polynomial.coeffs()):
        ends = [low * lower, low * upper, high * lower, high * upper]
        low, high = min(ends) + coefficient, max(ends) + coefficient
    return low, high
