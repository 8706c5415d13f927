"""A page with a slider: the triangle of all priors on three labels, divided into regions, at every t."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import sympy as sp
from markupsafe import Markup

from lpmech.errors import InvalidInputError
from lpmech.labels.named_utilities import UTILITIES
from lpmech.pages.mathematics import mathml_of
from lpmech.pages.rendering import page
from lpmech.programs.solvers.parametric import epsilon_at

if TYPE_CHECKING:
    from lpmech.designs.prior_maps import PriorMapInT, RegionRow
    from lpmech.programs.solvers.prior_regions_in_t import PriorRegionInT

__all__ = ["prior_map_page"]

#: The slider goes so far beyond the last break point, and at least so far.
_BEYOND, _LEAST = 2.0, 4.0
_NONE = "none of the published"


def prior_map_page(found: PriorMapInT) -> str:
    """A self-contained HTML page: the regions as t moves, from their exact corners.

    Raises
    ------
    InvalidInputError
        If the map is not of three labels.
    """
    if len(found.utility) != 3:
        raise InvalidInputError("map", f"{len(found.utility)} labels", "three labels: their priors are a triangle")
    rows = iter(found.rows())
    looks: dict[str, int] = {}
    intervals = []
    for interval in found.intervals:
        regions = [_region(region, next(rows), looks) for region in interval.regions]
        intervals.append({"lower": regions[0].pop("lower"), "upper": regions[0].pop("upper"), "regions": regions})
    last = intervals[-1]["lower"]["epsilon"]
    data = {
        "most": math.ceil(max(_LEAST, last + _BEYOND)),
        "intervals": [
            {
                "upper": each["upper"]["epsilon"],
                "regions": [{key: region[key] for key in ("look", "name", "corners", "share")} for region in regions],
            }
            for each, regions in ((each, each["regions"]) for each in intervals)
        ],
    }
    name = found.utility_name
    return page(
        "prior_maps.html",
        utility=name,
        words=UTILITIES[name].words if name in UTILITIES else "the matrix of that file",
        intervals=intervals,
        data=Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")),
    )


def _region(region: PriorRegionInT, row: RegionRow, looks: dict[str, int]) -> dict[str, Any]:
    """A region in words, formulas and numbers that the page draws from; the same mechanism has the same look."""
    name = row.mechanisms[0] if row.mechanisms else _NONE
    return {
        "lower": _end(row.lower),
        "upper": _end(row.upper),
        "look": looks.setdefault(name, len(looks)),
        "name": name,
        "others": row.mechanisms[1:],
        "where": row.where,
        "optimum": mathml_of(sp.latex(row.optimum)),
        "formula": mathml_of(sp.latex(row.share)),
        "corners": [[_quotient(entry) for entry in corner] for corner in region.vertices],
        "share": _quotient(region.share),
    }


def _end(t: sp.Expr) -> dict[str, Any]:
    return {"mathml": mathml_of(sp.latex(t)), "epsilon": None if t is sp.oo else epsilon_at(t)}


def _quotient(function: Any) -> tuple[tuple[float, ...], ...]:
    """Coefficients of numerator and denominator, the highest power first, over the largest one."""
    parts = [[int(c.numerator) / int(c.denominator) for c in p.to_dense()] for p in (function.numer, function.denom)]
    largest = max(abs(c) for part in parts for c in part)
    return tuple(tuple(c / largest for c in part) or (0.0,) for part in parts)
