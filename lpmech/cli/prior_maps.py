"""`lpmech regimes --all-priors`: which channel is best for which prior."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import OK, Ratio, Switch, Whole, check_picture, refuse_existing, save, working
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.prior_maps import PriorMap, PriorMapInT

__all__ = ["OfPriors", "PriorOptions", "map_priors"]


@dataclass(frozen=True)
class OfPriors:
    """Maps of all priors in place of the frequencies in a file.

    Attributes
    ----------
    all_priors
        The best channel for every prior, as exact regions, in place of one file of counts.
    labels
        How many labels: up to 4, or 6 with --falling, and 3 without --ratio.
    ratio
        e^epsilon as an exact rational such as 7/2; without it the map is of all t = e^epsilon > 1 at once.
    falling
        Only priors with p1 >= p2 >= ...
    losses
        PNG file for what each published mechanism loses, prior by prior: of three labels, with --ratio.
    """

    all_priors: Switch = False
    labels: Whole | None = None
    ratio: Ratio = None
    falling: Switch = False
    losses: Path | None = None


#: As options of a command.
PriorOptions = Annotated[OfPriors, Parameter(name="*", group="All priors")]


def map_priors(asked: OfPriors, utility: str, output: Path | None, overwrite: bool = False) -> int:
    """Print the map, and draw it."""
    from lpmech.designs.prior_maps import prior_map, prior_map_in_t
    from lpmech.privacy import PrivacyLevel

    if asked.labels is None:
        raise InvalidInputError("labels", None, "--labels with a number: of how many labels the priors are")
    if asked.ratio is None:
        if asked.losses or asked.falling or (output is not None and output.suffix != ".html"):
            raise InvalidInputError(
                "ratio", None, "--ratio: falling priors and pictures that are no .html are of one t"
            )
        if output is not None:
            refuse_existing(output, overwrite)
            _three(asked.labels)
        with working(f"{asked.labels} labels, all t"):
            return _print_in_t(prior_map_in_t(asked.labels, utility), output)
    for option, picture in (("output", output), ("losses", asked.losses)):
        if picture is not None:
            check_picture(picture, option)
            refuse_existing(picture, overwrite)
            _three(asked.labels)
    level = PrivacyLevel.from_ratio(asked.ratio)
    with working(f"{asked.labels} labels"):
        found = prior_map(asked.labels, utility, level, falling=asked.falling)
    return _print(found, output, asked.losses)


def _three(labels: int) -> None:
    if labels != 3:
        raise InvalidInputError("labels", labels, "three labels for a picture: their priors are a triangle")


def _print(found: PriorMap, output: Path | None, losses: Path | None) -> int:
    from lpmech.plots import plot_prior_losses, plot_prior_map
    from lpmech.report.console import console
    from lpmech.report.prior_maps import prior_map_table

    kind = "priors with p1 >= p2 >= ..." if found.falling else "all priors"
    title = f"{kind} on {len(found.utility)} labels, utility {found.utility_name}, {found.level}"
    out = console()
    out.print(prior_map_table(title, found))
    corners = len({vertex for region in found.regions for vertex in region.vertices})
    out.print(
        f"{len(found.regions)} regions, exact: duals prove the optimum at all {corners} corners; the shares sum to 1",
        soft_wrap=True,
    )
    if output is not None:
        save(plot_prior_map(found, title=title), output)
    if losses is not None:
        save(plot_prior_losses(found, title=title)[0], losses)
    for picture in filter(None, (output, losses)):
        out.print(f"written to {picture}", soft_wrap=True, markup=False)
    return OK


def _print_in_t(found: PriorMapInT, output: Path | None) -> int:
    from lpmech.report.console import console
    from lpmech.report.prior_maps import prior_map_tables_in_t

    out = console()
    for table in prior_map_tables_in_t(f"all priors, utility {found.utility_name}", found):
        out.print(table)
    out.print(
        "exact for every t: the best basic channel at each corner by signs of polynomials; the shares sum to 1",
        soft_wrap=True,
    )
    if output is not None:
        from lpmech.files.whole import replace_file
        from lpmech.pages.prior_maps import prior_map_page

        replace_file(output, prior_map_page(found))
        out.print(f"written to {output}", soft_wrap=True, markup=False)
    return OK
