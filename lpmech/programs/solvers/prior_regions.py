"""The optimum at one t as a function of the prior: exact regions, each with one optimal channel, that cover all priors.

A channel q keeps r_y = sum_j u[y, j] q[y, j] of label y, and p . r in all under the prior p. So the optimum is the
largest of finitely many linear functions of p, convex in p, and its regions are cones. They are found from below: the
largest of the functions known so far is compared with the optimum at every vertex of its regions, and where it falls
short the optimal channel found there is one more function.

Where the optimum agrees at all vertices of a region it agrees on the region: by convexity it is not above the linear
function there, and a channel that attains that function cannot be above the optimum. As a proof: pairs (p, pi) of a
prior and duals that are feasible for it form a convex cone, so what lies between vertices has the duals that lie
between theirs. That nothing is left out is proved by the volumes of the regions, exact, which sum to that of all
priors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lpmech.channel import Channel
from lpmech.common_denominators import exact_product
from lpmech.entries import Array, as_array
from lpmech.errors import SolverError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.cones import Cone, Ray, to_sum_one
from lpmech.programs.general import Program, Solution

__all__ = ["PriorRegion", "regions_of_priors", "row_utilities"]


@dataclass(frozen=True)
class PriorRegion:
    """A set of priors for which one channel is optimal.

    Attributes
    ----------
    row_utilities : tuple of Fraction, length K
        What the channel keeps of each label: the optimum at a prior p of the region is p . row_utilities.
    solutions : tuple of Solution
        An optimum at every vertex of the region, with its duals.
    share : Fraction
        The volume of the region in that of all priors that were asked for.

    Raises
    ------
    SolverError
        On construction, if the optimum at a vertex is not p . row_utilities.
    """

    channel: Channel
    row_utilities: tuple[Fraction, ...]
    vertices: tuple[tuple[Fraction, ...], ...]
    solutions: tuple[Solution, ...]
    share: Fraction

    def __post_init__(self) -> None:
        for vertex, solution in zip(self.vertices, self.solutions, strict=True):
            if not (solution.is_exact and solution.value == _expected(vertex, self.row_utilities)):
                raise SolverError(f"the optimum at the prior {vertex} is {solution.value}, not that of the region")

    @property
    def centre(self) -> tuple[Fraction, ...]:
        """The mean of the vertices, a prior inside."""
        return tuple(sum(entries) / Fraction(len(self.vertices)) for entries in zip(*self.vertices, strict=True))


def row_utilities(utility: Array, channel: Channel) -> tuple[Fraction, ...]:
    """What a channel keeps of each label: sum_j u[y, j] q[y, j], exact, length K."""
    return tuple(Fraction(v) for v in exact_product(utility, channel.matrix).sum(axis=1).tolist())


def regions_of_priors(
    utility: Array, level: PrivacyLevel, priors: Cone, followed: Callable[[int, int], None] = lambda regions, left: None
) -> list[PriorRegion]:
    """The regions of a cone of priors, the largest first.

    Parameters
    ----------
    utility : ndarray, shape (K, J)
        Exact.
    level : PrivacyLevel
        Exact.
    priors : Cone
        In K dimensions.
    followed : callable (regions, vertices left) -> None
        Told after each program that was solved.

    Raises
    ------
    SolverError
        If the volumes of the regions do not sum to that of the cone.
    """
    first = _optimum(utility, level, priors.centre())
    start = row_utilities(utility, first.channel)
    channels, cells = {start: first.channel}, {start: priors}
    solved: dict[Ray, Solution] = {}
    while waiting := [(kept, ray) for kept, cell in cells.items() for ray in cell.rays if ray not in solved]:
        kept, ray = waiting[0]
        solved[ray] = solution = _optimum(utility, level, ray)
        if solution.value > _expected(to_sum_one(ray), kept):
            better = row_utilities(utility, solution.channel)
            channels[better] = solution.channel
            cells = _with(cells, better, priors)
        followed(len(cells), len(waiting) - 1)
    whole = priors.share()
    found = [
        PriorRegion(
            channels[kept],
            kept,
            tuple(to_sum_one(ray) for ray in sorted(cell.rays, reverse=True)),
            tuple(solved[ray] for ray in sorted(cell.rays, reverse=True)),
            cell.share() / whole,
        )
        for kept, cell in cells.items()
    ]
    if sum(region.share for region in found) != 1:
        raise SolverError(f"the regions cover {sum(region.share for region in found)} of the priors, not all of them")
    return sorted(found, key=lambda region: (-region.share, region.vertices))


def _with(
    cells: dict[tuple[Fraction, ...], Cone], better: tuple[Fraction, ...], priors: Cone
) -> dict[tuple[Fraction, ...], Cone]:
    """The regions after one more linear function; those that have no interior any more are left out."""
    left: dict[tuple[Fraction, ...], Cone] = {}
    own: Cone | None = priors
    for kept, cell in cells.items():
        ahead = [a - b for a, b in zip(better, kept, strict=True)]
        own = own and own.cut(ahead)
        smaller = cell.cut([-v for v in ahead])
        if smaller is not None:
            left[kept] = smaller
    if own is not None:
        left[better] = own
    return left


def _optimum(utility: Array, level: PrivacyLevel, ray: Ray) -> Solution:
    prior = as_array(list(to_sum_one(ray)), "prior", 1)
    return Program(exact_product(prior[:, None], utility), level).solve("exact")


def _expected(prior: tuple[Fraction, ...], kept: tuple[Fraction, ...]) -> Fraction:
    return sum((p * r for p, r in zip(prior, kept, strict=True)), Fraction(0))
