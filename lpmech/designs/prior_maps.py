"""The optimum for every prior at once: which channel is best where, and which published mechanism that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import sympy as sp

from lpmech.designs.designing import utility_of
from lpmech.entries import Array, is_exact
from lpmech.errors import InvalidInputError, ProgramError, UtilityError
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.labels.counts import as_label_counts
from lpmech.mechanisms.catalogue import published_channels
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.cones import all_priors, falling_priors
from lpmech.programs.solvers.prior_regions import PriorRegion, regions_of_priors, row_utilities

if TYPE_CHECKING:
    import pandas as pd

    from lpmech.programs.solvers.prior_regions_in_t import PriorRegionInT, RegionsBetween

__all__ = ["MOST_LABELS", "PriorMap", "PriorMapInT", "RegionRow", "prior_map", "prior_map_in_t"]

#: Labels up to which maps are made: of all priors, of falling ones, and for all t at once.
MOST_LABELS = {"all": 4, "falling": 6, "in t": 3}

_T = sp.Symbol("t")

#: Published mechanisms whose place in the catalogue is taken by `_Family`.
_BY_FORMULA = {"randomized_response", "rr_with_prior", "rr_top_k", "rr_on_bins"}


@dataclass(frozen=True, repr=False)
class PriorMap:
    """Where in the simplex of priors which channel is optimal, at one level; exact and proved.

    Attributes
    ----------
    utility_name : str
        What was maximised.
    utility : ndarray, shape (K, K)
        The same as numbers.
    level : PrivacyLevel
        Exact.
    falling : bool
        Whether the map is of priors with p_1 >= ... >= p_K only.
    regions : tuple of PriorRegion
        With an optimum and its duals at every corner; the shares sum to one.
    mechanisms : tuple of tuple of str
        For each region the published mechanisms that are optimal in it; none if there is none.
    """

    utility_name: str
    utility: Array
    level: PrivacyLevel
    falling: bool
    regions: tuple[PriorRegion, ...]
    mechanisms: tuple[tuple[str, ...], ...]

    def optimum(self, prior: object) -> Any:
        """The optimum at a prior of the map: exact for an exact one.

        Raises
        ------
        PriorError
            If it is no prior on these labels.
        """
        p = as_prior(prior, len(self.utility))
        if self.falling and any(a < b for a, b in pairwise(p)):
            raise InvalidInputError("prior", prior, "falling probabilities: the map is of these")
        return max(sum(a * b for a, b in zip(p.tolist(), r.row_utilities, strict=True)) for r in self.regions)

    def to_frame(self) -> pd.DataFrame:
        """A row for each region, the largest first: mechanisms, share, what is kept of each label, corners, channel."""
        with needs("frames"):
            import pandas as pd

        rows = [
            {
                "mechanism": ", ".join(names) or "none of the published",
                "share": region.share,
                "keeps": region.row_utilities,
                "corners": region.vertices,
                "channel": region.channel,
            }
            for region, names in zip(self.regions, self.mechanisms, strict=True)
        ]
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        priors = "falling priors" if self.falling else "all priors"
        return f"<PriorMap {priors} on {len(self.utility)} labels, utility {self.utility_name}, {self.level}, " + (
            f"{len(self.regions)} regions>"
        )

    def _repr_html_(self) -> str | None:
        return html_of(repr(self).strip("<>"), self.to_frame)


@dataclass(frozen=True)
class RegionRow:
    """A region of a map for all t, as formulas.

    Attributes
    ----------
    lower, upper : sympy expression
        The interval of t.
    mechanisms : tuple of str
        The published mechanisms that are optimal in it; none if there is none.
    optimum : sympy expression
        In t and p1, ..., pK.
    where : tuple of str
        The inequalities of the region beside those of a prior.
    share : sympy expression
        Its volume in that of all priors, in t.
    """

    lower: sp.Expr
    upper: sp.Expr
    mechanisms: tuple[str, ...]
    optimum: sp.Expr
    where: tuple[str, ...]
    share: sp.Expr


@dataclass(frozen=True, repr=False)
class PriorMapInT:
    """The same for all t = e^epsilon > 1 at once: regions with borders that are exact functions of t.

    Attributes
    ----------
    utility_name, utility
        As of `PriorMap`.
    intervals : tuple of RegionsBetween
        From t = 1 to infinity.
    """

    utility_name: str
    utility: Array
    intervals: tuple[RegionsBetween, ...]

    @cached_property
    def mechanisms(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """For each interval and region the mechanisms of RR, RRTop-k and RR on bins that are optimal for all its t."""
        families = list(_families(self.utility))
        return tuple(
            tuple(tuple(f.name for f in families if f.keeps_in_t(region)) for region in interval.regions)
            for interval in self.intervals
        )

    def rows(self) -> Iterator[RegionRow]:
        """A row for each region of each interval."""
        for interval, named in zip(self.intervals, self.mechanisms, strict=True):
            lower = interval.lower.expression(_T)
            upper = sp.oo if interval.upper is None else interval.upper.expression(_T)
            for region, names in zip(interval.regions, named, strict=True):
                letters = _letters(region)
                kept = sp.Add(*(v.as_expr() * p for v, p in zip(region.row_utilities, letters, strict=True)))
                where = tuple(_border(border, letters, interval.sample) for border in region.borders)
                share = sp.factor(region.share.as_expr())
                yield RegionRow(lower, upper, names, sp.factor(kept), where, share)

    def to_frame(self) -> pd.DataFrame:
        """`rows` as a DataFrame."""
        with needs("frames"):
            import pandas as pd

        rows = [(r.lower, r.upper, ", ".join(r.mechanisms), r.optimum, r.where, r.share) for r in self.rows()]
        return pd.DataFrame(rows, columns=["t from", "t to", "mechanism", "optimum", "where", "share"])

    def __repr__(self) -> str:
        return f"<PriorMapInT {len(self.utility)} labels, utility {self.utility_name}, {len(self.intervals)} intervals>"


def _letters(region: PriorRegionInT) -> list[sp.Symbol]:
    return [sp.Symbol(f"p{y + 1}") for y in range(len(region.row_utilities))]


def _border(border: Sequence[Any], letters: Sequence[sp.Symbol], t: Fraction) -> str:
    """a(t) . p >= 0, each letter on the side where its factor is positive near this t."""
    from lpmech.programs.solvers.prior_regions_in_t import value_at

    sides: dict[bool, list[str]] = {True: [], False: []}
    for value, letter in zip(border, letters, strict=True):
        if value:
            positive = value_at(value, t) > 0
            sides[positive].append(str(sp.factor(value.as_expr() * (1 if positive else -1)) * letter))
    left, right = (" + ".join(sides[side]) or "0" for side in (True, False))
    return f"{left} >= {right}"


def prior_map(
    labels: int | Sequence[object],
    utility: object = "hit",
    epsilon: PrivacyLevel | float = 1.0,
    *,
    falling: bool = False,
    followed: Callable[[int, int], None] | None = None,
) -> PriorMap:
    """The best channel for every prior at one level, as exact regions.

    Parameters
    ----------
    labels : int or sequence
        K <= 4 (6 if falling), for the labels 1..K; or the labels themselves.
    utility
        As for `lpmech.design`; exact; the same for every prior, as ``balanced`` is not.
    epsilon : float or PrivacyLevel
        Exact: ``PrivacyLevel.from_ratio(3)``.
    falling : bool
        Only the priors with p_1 >= ... >= p_K.
    followed : callable (regions, vertices left) -> None, optional
        Told after each program.

    Raises
    ------
    InvalidInputError
        If there are too few or too many labels.
    UtilityError, DataFileError, PrivacyLevelError, ProgramError
        If an argument is not usable, or not exact.

    Examples
    --------
    >>> import lpmech
    >>> from lpmech.designs.prior_maps import prior_map
    >>> found = prior_map(2, "hit", lpmech.PrivacyLevel.from_ratio(3))
    >>> for region, names in zip(found.regions, found.mechanisms):
    ...     print(region.share, *names)
    1/2 randomized_response
    1/4 always 2
    1/4 always 1
    """
    level = as_privacy_level(epsilon)
    name, gain = _utility(labels, utility, MOST_LABELS["falling" if falling else "all"])
    if not level.is_exact:
        raise ProgramError("epsilon", epsilon, "an exact level: PrivacyLevel.from_ratio(3)")
    priors = (falling_priors if falling else all_priors)(len(gain))
    regions = regions_of_priors(gain, level, priors, followed or (lambda regions, left: None))
    families = list(_families(gain))
    named = (_optimal_in(region, gain, level, families) for region in regions)
    return PriorMap(name, gain, level, falling, tuple(regions), tuple(named))


def prior_map_in_t(labels: int | Sequence[object], utility: object = "hit") -> PriorMapInT:
    """The best channel for every prior and every t = e^epsilon > 1, as regions with exact borders.

    Parameters
    ----------
    labels : int or sequence
        Two or three.
    utility
        As for `prior_map`.

    Raises
    ------
    InvalidInputError
        If there are too few or too many labels.
    UtilityError, DataFileError, ProgramError
        If an argument is not usable, or not exact.
    """
    from lpmech.programs.solvers.prior_regions_in_t import regions_in_t

    name, gain = _utility(labels, utility, MOST_LABELS["in t"])
    return PriorMapInT(name, gain, tuple(regions_in_t(gain)))


def _utility(labels: int | Sequence[object], utility: object, most: int) -> tuple[str, Array]:
    names = list(range(1, labels + 1)) if isinstance(labels, int) and not isinstance(labels, bool) else labels
    if not isinstance(names, Sequence) or not 2 <= len(names) <= most:
        raise InvalidInputError("labels", labels, f"2 to {most} labels: the regions of more are too many to be listed")
    first, second = (as_label_counts({name: 1 + bias * k for k, name in enumerate(names)}) for bias in (0, 1))
    name, gain = utility_of(utility, first)
    if (utility_of(utility, second)[1] != gain).any():
        raise UtilityError("utility", utility, "a utility that is the same for every prior")
    if not is_exact(gain):
        raise ProgramError("utility", utility, "exact entries: whole numbers or fractions")
    return name, gain


@dataclass(frozen=True)
class _Family:
    """A mechanism that keeps (constant_y + linear_y t) / (t + k - 1) of label y."""

    name: str
    constant: tuple[Fraction, ...]
    linear: tuple[Fraction, ...]
    kept: int

    def keeps(self, t: Fraction) -> tuple[Fraction, ...]:
        """What is kept of each label at t."""
        return tuple((c + m * t) / (t + self.kept - 1) for c, m in zip(self.constant, self.linear, strict=True))

    def keeps_in_t(self, region: PriorRegionInT) -> bool:
        """Whether the channel of a region keeps just that, for all t."""
        from lpmech.programs.solvers.prior_regions_in_t import T

        pairs = zip(self.constant, self.linear, region.row_utilities, strict=True)
        return all(
            c.numerator * m.denominator + m.numerator * c.denominator * T
            == kept * (T + self.kept - 1) * (c.denominator * m.denominator)
            for c, m, kept in pairs
        )


def _families(utility: Array) -> Iterator[_Family]:
    """RR, and for every set of labels RRTop-k and RR on bins that release just these."""
    size = len(utility)
    gain = [[Fraction(v) for v in row] for row in utility.tolist()]
    for kept in range(size, 0, -1):
        for chosen in combinations(range(size), kept):
            within = [sum((gain[y][j] for j in chosen), Fraction(0)) for y in range(size)]
            released = [max(chosen, key=lambda j, y=y: (gain[y][j], j == y, -j)) for y in range(size)]  # type: ignore[misc]
            names = ", ".join(str(j + 1) for j in chosen)
            if kept < size:
                own = [gain[y][y] if y in chosen else within[y] / kept for y in range(size)]
                rest = [
                    w - v if y in chosen else (kept - 1) * v for y, (w, v) in enumerate(zip(within, own, strict=True))
                ]
                yield _Family(f"rr_top_k on {names}" if kept > 1 else f"always {names}", tuple(rest), tuple(own), kept)
            else:
                yield _Family("randomized_response", *_randomized(gain, within, range(size)), kept)
            if kept > 1 and set(released) == set(chosen) and released != list(range(size)):
                yield _Family(f"rr_on_bins: {_bins(released)}", *_randomized(gain, within, released), kept)


def _randomized(
    gain: Sequence[Sequence[Fraction]], within: Sequence[Fraction], released: Sequence[int]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Constants and factors of t of a mechanism that releases one label at t, the others at one."""
    best = [gain[y][j] for y, j in enumerate(released)]
    return tuple(w - b for w, b in zip(within, best, strict=True)), tuple(best)


def _bins(released: Sequence[int]) -> str:
    """Which labels are released as which."""
    bins = {j: [y + 1 for y, other in enumerate(released) if other == j] for j in sorted(set(released))}
    return "; ".join(f"{', '.join(map(str, members))} as {j + 1}" for j, members in bins.items())


def _optimal_in(
    region: PriorRegion, utility: Array, level: PrivacyLevel, families: Sequence[_Family]
) -> tuple[str, ...]:
    """The published mechanisms that keep of each label what the region's channel keeps: so they are optimal in it."""
    t = Fraction(level.ratio)
    names = [family.name for family in families if family.keeps(t) == region.row_utilities]
    centre = as_prior(list(region.centre))
    for name, parameters, channel in published_channels(utility, level, centre):
        exact = channel.is_exact and channel.matrix.shape == utility.shape
        if name not in _BY_FORMULA and exact and row_utilities(utility, channel) == region.row_utilities:
            names.append(f"{name} {parameters}".strip())
    return tuple(names)
