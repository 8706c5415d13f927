"""How far the released place lies from the true one: every mechanism beside the certified optimum, region by region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lpmech.applications.places import Places
from lpmech.channel import Channel
from lpmech.entries import Array, to_float
from lpmech.errors import LabelError
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.staircase_rr import best_group_sizes, ranked_groups, staircase_rr
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import Solution, optimal_channel
from lpmech.programs.optimality import loss_percent

__all__ = ["ExpectedDistances", "comparable_regions", "expected_distances", "averages", "released_from"]


@dataclass(frozen=True)
class ExpectedDistances:
    """Expected distance between true and released place in one region, in kilometres.

    Attributes
    ----------
    region : str
        Its name.
    size, weight : int
        Number of places; sum of their counts (the number of places without counts).
    level : PrivacyLevel
        Between any two places of the region.
    optimum : float
        Proved bound: no private channel has a smaller expected distance.
    by_mechanism : mapping
        Expected distance by the name of the function in `lpmech.mechanisms`.
    """

    region: str
    size: int
    weight: int
    level: PrivacyLevel
    optimum: float
    by_mechanism: Mapping[str, float]

    def loss_percent(self, mechanism: str) -> float:
        """100 (distance - optimum) / optimum; see `lpmech.programs.optimality.loss_percent`."""
        return loss_percent(-self.by_mechanism[mechanism], -self.optimum)


def comparable_regions(
    places: Places, depth: int = 1, chosen: Sequence[str] = ()
) -> tuple[dict[str, Places], list[str]]:
    """The regions with something to compare, by name, and the names of the others: one place, or no count.

    Parameters
    ----------
    places : Places
    depth : int
        How many levels of the names make a region; see `Places.regions`.
    chosen : sequence of str
        Only these regions; all if empty.

    Raises
    ------
    LabelError
        If a chosen region does not exist, or none has something to compare.
    """
    regions = places.regions(depth)
    if unknown := [name for name in chosen if name not in regions]:
        raise LabelError("region", unknown[0], f"one of {', '.join(sorted(regions))}")
    asked = {name: regions[name] for name in dict.fromkeys(chosen or sorted(regions))}
    usable = {name: region for name, region in asked.items() if len(region) > 1 and region.weight > 0}
    if not usable:
        raise LabelError("region", list(asked), "at least one region with two places and a positive count")
    return usable, [name for name in asked if name not in usable]


def expected_distances(region: str, places: Places, epsilon: PrivacyLevel | float) -> ExpectedDistances:
    """Every mechanism on the places of one region, beside the certified optimum of the program.

    Parameters
    ----------
    region : str
        Name for the result.
    places : Places
        At least two.
    epsilon : float or PrivacyLevel
        Privacy level between any two of them.

    Raises
    ------
    LabelError, PrivacyLevelError, PriorError
        If there are fewer than two places, or an argument is not usable.
    SolverError
        If the program is not solved to a proved optimum.
    """
    if len(places) < 2:
        raise LabelError("places", places.names, "at least two places")
    level, utility, prior = as_privacy_level(epsilon), places.utility, places.prior
    weights = to_float(prior)
    by_mechanism = {
        name: float(-weights @ (to_float(channel.matrix) * utility).sum(axis=1))
        for name, channel in _published(utility, level, prior)
    }
    bound = -float(_optimum(places, level).bound)
    return ExpectedDistances(region, len(places), places.weight, level, max(bound, 0.0), by_mechanism)


def averages(found: Sequence[ExpectedDistances], name: str) -> ExpectedDistances:
    """The weighted average over regions at one level, as if each place were perturbed within its own region."""
    shares = np.array([f.weight for f in found]) / sum(f.weight for f in found)
    means = {m: float(shares @ [f.by_mechanism[m] for f in found]) for m in found[0].by_mechanism}
    optimum = float(shares @ [f.optimum for f in found])
    return ExpectedDistances(
        name, sum(f.size for f in found), sum(f.weight for f in found), found[0].level, optimum, means
    )


def released_from(places: Places, name: str, epsilon: PrivacyLevel | float) -> dict[str, Array]:
    """Pr[released place | true place = name] under BRR and under the optimum, shape (K,) each.

    Raises
    ------
    LabelError
        If there is no such place.
    """
    if name not in places.names:
        raise LabelError("place", name, f"one of {', '.join(places.names)}")
    level, k = as_privacy_level(epsilon), places.names.index(name)
    channels = {"BRR": bipartite_rr(places.utility, level), "optimum": _optimum(places, level).channel}
    return {mechanism: to_float(channel.matrix)[k] for mechanism, channel in channels.items()}


def _optimum(places: Places, level: PrivacyLevel) -> Solution:
    return optimal_channel(places.utility, level, places.prior).solve()


def _published(utility: Array, level: PrivacyLevel, prior: Array) -> Iterator[tuple[str, Channel]]:
    """Every mechanism that applies to a distance; free parameters are chosen best for it and the prior."""
    yield "bipartite_rr_star", bipartite_rr_star(utility, level, prior)
    yield "bipartite_rr", bipartite_rr(utility, level)
    yield "rr_on_bins", _on_neighbouring_bins(utility, level, prior)
    if len(prior) > 2:
        groups = ranked_groups(utility, best_group_sizes(utility, level, prior))
        yield "staircase_rr", staircase_rr(groups, level)
    else:
        yield "staircase_rr", staircase_rr(ranked_groups(utility, (1, 1)), level)
    yield "randomized_response", randomized_response(len(prior), level)
    yield "exponential", exponential(utility, level)


def _on_neighbouring_bins(utility: Array, level: PrivacyLevel, prior: Array) -> Channel:
    """RR on the best bins of places that are neighbours in the leaf order of their hierarchical clustering."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    tree = linkage(squareform(-utility, checks=False), "average", optimal_ordering=True)
    order = leaves_list(tree)
    bins = best_contiguous_bins(utility[np.ix_(order, order)], prior[order], level)
    channel = rr_on_bins(bins, level)
    matrix = np.zeros(utility.shape)
    matrix[np.ix_(order, order[np.array(channel.outputs, dtype=int)])] = to_float(channel.matrix)
    return Channel(matrix)
