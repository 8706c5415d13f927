"""Commands for numbers and places: `numbers`, `concentration`, `places`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import OK, Epsilons, Whole, check_picture, save, working
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lpmech.applications.places import Places

__all__ = ["concentration", "numbers", "places"]


def numbers(
    *,
    clip: float = 1.0,
    step: float = 0.1,
    epsilon: Epsilons | None = None,
) -> int:
    """Release numbers of [-c, c] with BRR, Laplace noise and others: expected errors beside the certified optimum.

    Parameters
    ----------
    clip
        c, half the range.
    step
        L: discrete mechanisms have the 2 c / L + 1 points -c, -c + L, ..., c.
    epsilon
        Privacy level between any two numbers; may be repeated; default: 0.5, 2 and 8.
    """
    from lpmech.applications.numbers import number_errors
    from lpmech.report.console import console
    from lpmech.report.experiments import numbers_table

    out, tables = console(), []
    for level in list(dict.fromkeys(epsilon or [0.5, 2.0, 8.0])):
        with working(f"epsilon = {level:g}"):
            errors = number_errors(clip, step, level)
        tables.append(numbers_table(f"numbers of [-{clip:g}, {clip:g}], epsilon = {level:g}", errors))
    out.print(*tables, sep="\n")
    out.print(
        "unbiased: rounded at random and decoded, which is not in zhang2025; everything but the optimum in floats"
    )
    return OK


def concentration(*, size: Whole = 11, steps: Whole = 1, epsilon: Epsilons | None = None) -> int:
    """Probability that PM, SW, Laplace noise and others keep near the true point, beside the best of any mechanism.

    All have the same tight level: the exponential mechanism gets twice epsilon, which it halves, and Gaussian noise the
    scale whose clipped release has the level.

    Parameters
    ----------
    size
        Number of even points of [0, 1], all equally likely.
    steps
        Radius around the true point, in distances of neighbouring points.
    epsilon
        Tight privacy level; may be repeated; default: 1, 2 and 4.
    """
    from lpmech.applications.concentrations import mean_concentrations
    from lpmech.report.console import console
    from lpmech.report.experiments import concentrations_table

    out, tables = console(), []
    for level in list(dict.fromkeys(epsilon or [1.0, 2.0, 4.0])):
        title = f"{size} points, within {steps} step(s), epsilon = {level:g}"
        with working(title):
            found = mean_concentrations(size, steps, level)
        tables.append(concentrations_table(title, found))
    out.print(*tables, sep="\n")
    return OK


def places(
    file: Path | None = None,
    *,
    epsilon: Epsilons | None = None,
    region: Annotated[list[str] | None, Parameter(negative=())] = None,
    depth: Whole = 1,
    place: str | None = None,
    output: Path | None = None,
) -> int:
    """Release places with BRR and others: expected distance to the true place, beside the certified optimum.

    Parameters
    ----------
    file
        CSV file with the columns place,latitude,longitude and optionally count; default: the places after which the
        world's time zones are named (not the data of zhang2025, section V.E).
    epsilon
        Privacy level between places of one region; may be repeated; default: 1 and 2.
    region
        Only this region; may be repeated; default: all.
    depth
        Number of levels of the names, such as America/Argentina/Ushuaia, that make a region; 0: one region.
    place
        True place of the map; default: the most central one of the largest region.
    output
        PNG file for a map of the released place under BRR and under the optimum, at the first epsilon.
    """
    from lpmech.applications.locations import averages, comparable_regions, expected_distances
    from lpmech.applications.places import read_places, world_places
    from lpmech.report.console import console
    from lpmech.report.experiments import distances_table

    levels = list(dict.fromkeys(epsilon or [1.0, 2.0]))
    everywhere = world_places() if file is None else read_places(file)
    regions, left_out = comparable_regions(everywhere, depth, region or [])
    if output is not None:
        check_picture(output, "output")
        _plot_release(regions, place, levels[0], output)
    elif place is not None:
        raise InvalidInputError("place", place, "this option with --output only")
    found = []
    for level in levels:
        of_level = [expected_distances(name, members, level) for name, members in regions.items()]
        found += [*of_level, averages(of_level, "average")] if len(of_level) > 1 else of_level
    out = console()
    out.print(distances_table("time zone database" if file is None else file.name, found))
    if left_out:
        out.print(f"left out, a single place or no count: {', '.join(left_out)}", soft_wrap=True, markup=False)
    if len(regions) > 1 or region:
        out.print("each place is perturbed within its region, so the region itself is not hidden")
    if file is None:
        out.print("not the data of zhang2025 (Gowalla, FourSquare): an analogue, every place equally likely")
    if output is not None:
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK


def _plot_release(regions: Mapping[str, Places], place: str | None, epsilon: float, output: Path) -> None:
    from lpmech.applications.locations import released_from
    from lpmech.errors import LabelError
    from lpmech.plots import plot_release

    if place is None:
        members = max(regions.values(), key=len)
        place = members.names[int(members.utility.sum(axis=1).argmax())]
    name = next((name for name, members in regions.items() if place in members.names), None)
    if name is None:
        raise LabelError("place", place, f"a place of {', '.join(regions)}")
    released = released_from(regions[name], place, epsilon)
    save(plot_release(regions[name], place, released, title=f"epsilon = {epsilon:g}")[0], output)
