"""Pointed polyhedral cones by their extreme rays, in whole numbers: cut by half-spaces, and measured.

The double description method: each ray carries the set of inequalities that are tight at it, two rays are neighbours
iff no third one is tight wherever both are, and a cut puts a new ray between neighbours on its two sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

__all__ = ["Cone", "Ray", "all_priors", "falling_priors", "primitive", "to_sum_one"]

#: A direction, whole numbers without a common divisor.
Ray = tuple[int, ...]


@dataclass(frozen=True)
class Cone:
    """A cone with interior, in the nonnegative orthant.

    Attributes
    ----------
    rays : mapping Ray -> frozenset of Ray
        The extreme rays, and for each the inner normals of the inequalities that are tight at it.
    """

    rays: Mapping[Ray, frozenset[Ray]]

    @property
    def dimension(self) -> int:
        """The dimension of the space."""
        return len(next(iter(self.rays)))

    def cut(self, normal: Sequence[Fraction]) -> Cone | None:
        """The part with normal . p >= 0, or None if it has no interior."""
        inner = primitive(normal)
        heights = {ray: sum(map(mul, inner, ray)) for ray in self.rays}
        if min(heights.values()) >= 0:
            return self
        if max(heights.values()) <= 0:
            return None
        kept = {
            ray: tight if heights[ray] else tight | {inner} for ray, tight in self.rays.items() if heights[ray] >= 0
        }
        below = [ray for ray, height in heights.items() if height < 0]
        for high in [ray for ray, height in heights.items() if height > 0]:
            for low in below:
                common = self.rays[high] & self.rays[low]
                if self._neighbours(high, low, common):
                    between = [heights[high] * b - heights[low] * a for a, b in zip(high, low, strict=True)]
                    kept[primitive(between)] = common | {inner}
        return Cone(kept)

    def _neighbours(self, one: Ray, other: Ray, common: frozenset[Ray]) -> bool:
        if len(common) < self.dimension - 2:
            return False
        return not any(common <= tight for ray, tight in self.rays.items() if ray not in (one, other))

    def centre(self) -> Ray:
        """A direction inside: the sum of the rays, each scaled to sum one."""
        return primitive([sum(entries) for entries in zip(*map(to_sum_one, self.rays), strict=True)])

    def facets(self) -> frozenset[Ray]:
        """The inner normals of the facets: tight at rays that span a hyperplane."""
        normals = {normal for tight in self.rays.values() for normal in tight}
        spans = {n: frozenset(ray for ray, tight in self.rays.items() if n in tight) for n in normals}
        return frozenset(n for n, rays in spans.items() if _rank(rays) == self.dimension - 1)

    def simplices(self) -> Iterator[list[Ray]]:
        """A triangulation: the rays of simplicial cones without common interior that make up the cone."""
        return _simplices(list(self.rays.items()), self.dimension)

    def share(self) -> Fraction:
        """Volume of {p in the cone : sum of p = 1} in that of the simplex of all priors: exact."""
        total = Fraction(0)
        for simplex in self.simplices():
            total += Fraction(abs(_determinant(simplex)), math.prod(map(sum, simplex)))
        return total


def all_priors(labels: int) -> Cone:
    """The nonnegative orthant: every prior on so many labels."""
    return _simplicial([tuple(int(i == k) for i in range(labels)) for k in range(labels)])


def falling_priors(labels: int) -> Cone:
    """p_1 >= ... >= p_K >= 0: priors with the labels in the order of falling probability."""
    return _simplicial([tuple(int(i == k) - int(i == k + 1) for i in range(labels)) for k in range(labels)])


def primitive(vector: Sequence[Fraction | int]) -> Ray:
    """The shortest vector of whole numbers in this direction; zero stays zero."""
    one = math.lcm(*(v.denominator for v in vector))
    whole = [int(v * one) for v in vector]
    common = math.gcd(*whole) or 1
    return tuple(v // common for v in whole)


def _simplicial(normals: Sequence[Ray]) -> Cone:
    """The cone of as many inequalities as there are dimensions: ray k is tight at all but the k-th."""
    from flint import fmpz_mat

    inverse = fmpz_mat([list(normal) for normal in normals]).inv()
    size = len(normals)
    rays = {}
    for k in range(size):
        ray = primitive([Fraction(int(inverse[i, k].p), int(inverse[i, k].q)) for i in range(size)])
        rays[ray] = frozenset(normal for i, normal in enumerate(normals) if i != k)
    return Cone(rays)


def _simplices(rays: list[tuple[Ray, frozenset[Ray]]], dimension: int) -> Iterator[list[Ray]]:
    """A triangulation of the cone over these rays, of this dimension: pyramids from the first ray over facets."""
    if len(rays) == dimension:
        yield [ray for ray, _ in rays]
        return
    apex, tight = rays[0]
    facets: set[frozenset[Ray]] = set()
    for normal in {normal for _, others in rays for normal in others} - tight:
        face = [(ray, others) for ray, others in rays if normal in others]
        names = frozenset(ray for ray, _ in face)
        if names not in facets and _rank(names) == dimension - 1:
            facets.add(names)
            for simplex in _simplices(face, dimension - 1):
                yield [apex, *simplex]


def _rank(rays: frozenset[Ray]) -> int:
    from flint import fmpz_mat

    return int(fmpz_mat([list(ray) for ray in rays]).rank()) if rays else 0


def _determinant(rays: Sequence[Ray]) -> int:
    from flint import fmpz_mat

    return int(fmpz_mat([list(ray) for ray in rays]).det())


def to_sum_one(ray: Ray) -> tuple[Fraction, ...]:
    """The prior in the direction of a ray."""
    return tuple(Fraction(v, sum(ray)) for v in ray)
