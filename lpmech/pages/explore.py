"""A page with sliders: the optimal channel of somebody's labels at every level, and what every mechanism loses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import sympy as sp
from markupsafe import Markup

from lpmech.designs.exploring import GRID, Explored
from lpmech.labels.named_utilities import UTILITIES
from lpmech.pages.mathematics import mathml_of
from lpmech.pages.rendering import page
from lpmech.programs.solvers.parametric import Regime, T, epsilon_at, epsilon_of
from lpmech.report.plain_words import MECHANISMS

if TYPE_CHECKING:
    from lpmech.labels.counts import LabelCounts

__all__ = ["explore_page", "utility_shown"]


def explore_page(counts: LabelCounts, source: str, utilities: Sequence[Mapping[str, Any]]) -> str:
    """A self-contained HTML page: sliders for epsilon and utility over exact regimes.

    Parameters
    ----------
    counts : LabelCounts
        The labels; the page shows their frequencies.
    source : str
        Where they come from, as the title has it.
    utilities : sequence of mapping
        One for each utility; see `utility_shown`.
    """
    data = {
        "labels": counts.labels,
        "prior": [float(p) for p in counts.prior],
        "grid": GRID,
        "utilities": utilities,
    }
    inlined = Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))
    context = {"labels": counts.labels, "rows": sum(counts.counts), "utilities": utilities}
    return page("explore.html", source=source, data=inlined, **context)


def utility_shown(each: Explored) -> dict[str, Any]:
    """What the page has of one utility: words, formulas, channels and curves, as JSON takes them."""
    name = each.formulas.utility_name
    return {
        "name": name,
        "words": UTILITIES[name].words if name in UTILITIES else "the matrix of that file",
        "pieces": [_piece(*piece) for piece in each.formulas.pieces],
        "regimes": list(_channels(each.formulas.regimes)),
        "curves": [
            {
                "mechanism": curve.mechanism.replace("optimal_with_floor", "optimal with a floor"),
                "words": MECHANISMS[curve.mechanism],
                "parameters": curve.parameters,
                "utility": [value and round(value, 12) for value in curve.utility],
            }
            for curve in each.curves
        ],
    }


def _piece(lower: sp.Expr, upper: sp.Expr, value: sp.Expr) -> dict[str, Any]:
    """An interval of t with one formula of the optimum, which the page evaluates in floats."""
    above, below = (sp.Poly(part, T) for part in value.as_numer_denom())
    unit = sp.ilcm(*(c.q for c in (*above.all_coeffs(), *below.all_coeffs())))
    whole = (tuple(int(c * unit) for c in part.all_coeffs()) for part in (above, below))
    return {
        "lower": {"mathml": mathml_of(sp.latex(lower)), "epsilon": epsilon_at(lower)},
        "upper": {"mathml": mathml_of(sp.latex(upper)), "epsilon": _epsilon(upper)},
        "value": {"mathml": mathml_of(sp.latex(value)), "quotient": _quotient(*whole)},
    }


def _channels(regimes: Sequence[Regime]) -> Iterator[dict[str, Any]]:
    """Intervals of t with one optimal channel, whatever proves it; equal entries are written once."""
    for channel, alike in groupby(regimes, key=lambda regime: regime.proof()[0]):
        *_, last = alike
        places: dict[tuple[tuple[int, ...], ...], int] = {}
        whole = [[(_falling(entry.numerator), _falling(entry.denominator)) for entry in row] for row in channel]
        shown = [[places.setdefault(each, len(places)) for each in row] for row in whole]
        upper = epsilon_of(last.ends[1])
        entries = [_quotient(*each) for each in places]
        yield {"upper": upper if math.isfinite(upper) else None, "entries": entries, "places": shown}


def _falling(polynomial: Any) -> tuple[int, ...]:
    """Coefficients of a polynomial of FLINT, the highest power first."""
    return tuple(int(c) for c in reversed(polynomial.coeffs()))


def _quotient(*parts: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """The coefficients of numerator and denominator over the largest one, so that floats hold them."""
    largest = max(abs(c) for part in parts for c in part)
    return tuple(tuple(c / largest for c in part) for part in parts)


def _epsilon(end: sp.Expr) -> float | None:
    """epsilon at the end of an interval; None for the last, which has none."""
    epsilon = math.inf if end is sp.oo else epsilon_at(end)
    return epsilon if math.isfinite(epsilon) else None
