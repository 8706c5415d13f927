"""The page of a mechanism: formulas, its channel on a few labels, a picture, what is claimed of it, its functions."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from where import anchor_of, claim_link, claims_by_item, functions_by_item, items

import lpmech.mechanisms as mechanisms
from lpmech.channel import Channel
from lpmech.entries import to_float
from lpmech.mechanisms.bipartite_rr.closed_form import high_probability, low_probability
from lpmech.mechanisms.block_rr.closed_form import beta, gamma
from lpmech.mechanisms.catalogue import published_channels
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rate
from lpmech.mechanisms.staircase_rr import best_group_sizes, ranked_groups, step_weight
from lpmech.plots import plot_channel, png
from lpmech.plots.canvas import legend_beside, panels_for
from lpmech.plots.looks import LOOKS
from lpmech.privacy import PrivacyLevel
from lpmech.terms import functions as tm
from lpmech.terms.latex import latex_of
from lpmech.terms.term import names_in
from lpmech.utilities import absolute

__all__ = ["AT", "DENSITIES", "EXAMPLE", "FORMULAS", "channels", "mechanism_page", "mechanism_pictures"]

_MECHANISMS = Path(__file__).resolve().parent.parent / "lpmech" / "mechanisms"

#: In this order on the page of a mechanism that has a folder; what else is there comes after.
_PARTS = ("equations", "derivation", "closed_form", "program")

#: Of the channels on pages: falling shares of the labels, a loss that grows with the distance, e^epsilon.
_PRIOR, _UTILITY, _RATIO = [Fraction(n, 10) for n in (4, 3, 2, 1)], absolute(4), 2


class Formula(NamedTuple):
    """What it is the probability (or density) of, and the term."""

    of: str
    term: Any


_T, _K, _M, _N, _S, _EPSILON, _J, _B, _P, _X = tm.symbols("t K m N S epsilon j B P_k x")
_KEPT, _BITS, _SCORE, _DELTA, _Y = tm.symbols("k d u Delta y")
_BLOCKS = tm.symbols("t b s_1 s_2 l")
_LAMBDA, _SIGMA, _OWN, _A, _LEAST, _MOST, _TAIL = tm.symbols("lambda sigma b a A_1 A_2 delta")
_GAMMA = 2 * _TAIL + tm.exp(-_EPSILON) * (_MOST - _LEAST)

#: The values of the letters in the examples, where they have one there.
EXAMPLE = {"t": 2, "K": 4, "N": 4, "m": 1, "S": 8, "B": 2, "b": 1, "s_1": 3, "s_2": 1, "l": 3, "d": 2, "k": 2}

#: Those of densities: level 2, scale 1/2, values x = 1/2 and y = 11/20 (near), the interval [1/4, 3/4], delta = 1/10.
AT = {"epsilon": 2, "sigma": Fraction(1, 2), "x": Fraction(1, 2), "y": Fraction(11, 20), "A_1": Fraction(1, 4)}
AT |= {"A_2": Fraction(3, 4), "delta": Fraction(1, 10)}

#: By module: the entries of a channel or a density, from the library's own functions where these take letters.
FORMULAS: dict[str, tuple[Formula, ...]] = {
    "alibi": (
        Formula(
            "the density of coordinate y of a label whose bit there is b, with lambda = 2 / epsilon",
            tm.exp(-tm.Abs(_Y - _OWN) / _LAMBDA) / (2 * _LAMBDA),
        ),
        Formula("a coordinate of bit 0 on the grid of S steps being 0, with a = exp(-epsilon / (2 S))", 1 / (1 + _A)),
        Formula("its being j steps, not at an end", (1 - _A) / (1 + _A) * _A**_J),
        Formula("its being 1", _A**_S / (1 + _A)),
    ),
    "bipartite_rr": (
        Formula("each of the m nearest of N outputs", high_probability(_T, _N, _M)),
        Formula("every other output", low_probability(_T, _N, _M)),
    ),
    "block_rr": (
        Formula("another label of the majority given one, which has t times as much (beta)", beta(*_BLOCKS)),
        Formula("another minority label given one, which has t times as much (gamma)", gamma(*_BLOCKS)),
    ),
    "exponential": (
        Formula("an output in proportion, if u ranges over Delta", tm.exp(_EPSILON * _SCORE / (2 * _DELTA))),
    ),
    "gaussian": (
        Formula("the density at y", tm.exp(-((_Y - _X) ** 2) / (2 * _SIGMA**2)) / (_SIGMA * tm.sqrt(2 * tm.PI))),
        Formula("the classical scale sigma", tm.sqrt(2 * tm.log(tm.Rational(5, 4) / _TAIL)) / _EPSILON),
    ),
    "hadamard_response": (
        Formula("each output where the row has +1", 2 * _T / (_S * (1 + _T))),
        Formula("every other of the S outputs", 2 / (_S * (1 + _T))),
    ),
    "laplace": (
        Formula("the density at y, before it is cut at the ends", _EPSILON * tm.exp(-_EPSILON * tm.Abs(_Y - _X)) / 2),
    ),
    "piecewise": (
        Formula("the density in the window of x", tm.exp(_EPSILON / 2)),
        Formula("elsewhere in [0, 1]", tm.exp(-_EPSILON / 2)),
        Formula("half the window", 1 / (2 * (tm.exp(_EPSILON / 2) + 1))),
    ),
    "randomized_response": (
        Formula("the true label", _T / (_T + _K - 1)),
        Formula("every other label", 1 / (_T + _K - 1)),
    ),
    "rp_with_prior": (
        Formula("the density within delta of a true value in [A_1, A_2]", 1 / _GAMMA),
        Formula("elsewhere in [A_1 - delta, A_2 + delta]", tm.exp(-_EPSILON) / _GAMMA),
        Formula("the density of other true values, everywhere there", 1 / (_MOST - _LEAST + 2 * _TAIL)),
    ),
    "rr_on_bins": (
        Formula("the label of the own one of B bins", _T / (_T + _B - 1)),
        Formula("that of every other bin", 1 / (_T + _B - 1)),
    ),
    "rr_with_prior": (
        Formula("the true label, if it is one of the k kept", _T / (_T + _KEPT - 1)),
        Formula("a right label, where the kept ones have the share P_k", hit_rate(_T, _KEPT, _P)),
    ),
    "square_wave": (
        Formula("the density in the window of x", (tm.exp(_EPSILON) - 1) / _EPSILON),
        Formula("elsewhere in [0, 1]", (1 - tm.exp(-_EPSILON)) / _EPSILON),
    ),
    "staircase_rr": (Formula("an output of group j of m, in units of that of group m", step_weight(_T, _M, _J)),),
    "subset_selection": (Formula("the own bit, of d bits that are one", _T * _BITS / (_BITS * _T + _K - _BITS)),),
    "unary_encoding": (
        Formula("a bit unchanged, symmetric", tm.sqrt(_T) / (tm.sqrt(_T) + 1)),
        Formula("the own bit being one, optimised", tm.Rational(1, 2)),
        Formula("another bit being one, optimised", 1 / (_T + 1)),
    ),
}


@cache
def channels() -> dict[str, list[tuple[str, Channel]]]:
    """Channels of the mechanisms on four labels (three for vectors of bits), by the module that they stand in."""
    found: dict[str, list[tuple[str, Channel]]] = defaultdict(list)
    level = PrivacyLevel.from_ratio(_RATIO)
    for name, chosen, channel in published_channels(_UTILITY, level, np.array(_PRIOR)):
        module = getattr(mechanisms, name).__module__.split(".")[2]
        found[module].append((f"`{name}`" + (f", {chosen}" if chosen else ""), channel))
    groups = ranked_groups(_UTILITY, best_group_sizes(_UTILITY, level, _PRIOR))
    found["staircase_rr"].append(("`staircase_rr`, the best three groups", mechanisms.staircase_rr(groups, level)))
    found["hadamard_response"].append(("`hadamard_response`", mechanisms.hadamard_response(4, level)))
    found["subset_selection"].append(("`subset_selection`, d = 2", mechanisms.subset_selection(4, level, 2).channel()))
    on_grid = mechanisms.AlibiOnGrid(4, 2.0, steps=4).coordinate
    bits = Channel(to_float(on_grid.matrix), ["bit 0", "bit 1"], ["0", "1/4", "1/2", "3/4", "1"])
    found["alibi"].append(("a coordinate of `AlibiOnGrid`, 4 steps", bits))
    optimal = mechanisms.optimal_unary_encoding(3, level).channel()
    found["unary_encoding"].append(("`optimal_unary_encoding` of three labels", optimal))
    return found


#: Modules with a density: their mechanism at epsilon = 2, and what is drawn of the line.
DENSITIES: dict[str, tuple[Any, str, tuple[float, float]]] = {
    "gaussian": (mechanisms.Gaussian(0.5), "Gaussian, sigma = 1/2", (-1.5, 2.5)),
    "laplace": (mechanisms.TruncatedLaplace(2.0), "TruncatedLaplace, epsilon = 2", (0.0, 1.0)),
    "piecewise": (mechanisms.PM(2.0), "PM, epsilon = 2", (0.0, 1.0)),
    "rp_with_prior": (
        mechanisms.RPWithPrior(0.25, 0.75, 0.1, 2.0),
        "RPWithPrior on [1/4, 3/4], delta = 0.1, epsilon = 2",
        (0.1, 0.9),
    ),
    "square_wave": (mechanisms.SW(2.0), "SW, epsilon = 2", (0.0, 1.0)),
}


def mechanism_pictures() -> dict[str, bytes]:
    """Place below docs/ -> the channels of a module as heat maps with common colours, or a density at three values."""
    made = {}
    for module, drawn in channels().items():
        panels = panels_for(None, len(drawn), (1, len(drawn)), (1.0 + 5.4 * len(drawn), 4.6))
        largest = max(float(channel.matrix.max()) for _, channel in drawn)
        for axes, (title, channel) in zip(panels, drawn, strict=True):
            plot_channel(channel, ax=axes, title=title.replace("`", ""), largest=largest).set_aspect("auto")
        made[_picture(module)] = png(panels[0])
    for module, (mechanism, title, ends) in DENSITIES.items():
        y = np.linspace(*ends, 501)
        (axes,) = panels_for(None, 1, (1, 1), (8.0, 3.8))
        for look, x in zip(LOOKS, (0.1, 0.5, 0.8), strict=False):
            axes.plot(y, mechanism.pdf(y, x), color=look.colour, linestyle=look.dash, label=f"x = {x:g}")
        axes.set(xlabel="released value", ylabel="density", title=title, ylim=0)
        legend_beside(axes)
        made[_picture(module)] = png(axes)
    return made


def _picture(module: str) -> str:
    return f"pictures/mechanism-{module}.png"


def mechanism_page(name: str) -> str:
    """The page of a module or folder of mechanisms."""
    path = _MECHANISMS / name
    modules = [name]
    if path.is_dir():
        parts = {part.stem for part in path.glob("*.py")} - {"__init__"}
        modules = [f"{name}.{part}" for part in (*_PARTS, *sorted(parts - {*_PARTS})) if part in parts]
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    first = (ast.get_docstring(ast.parse(source.read_text("utf-8"))) or "").split("\n")[0]
    shown = [f"::: lpmech.mechanisms.{module}" for module in modules]
    head = [f"# {name}", *([first] if path.is_dir() else []), *_formulas(name), *_example(name)]
    return "\n\n".join([*head, *_claims_about(name), *shown]) + "\n"


def _formulas(name: str) -> Iterator[str]:
    if name in FORMULAS:
        yield "## Its probabilities"
        given = ", where $t = e^\\epsilon$" if any("t" in names_in(each.term) for each in FORMULAS[name]) else ""
        for formula in FORMULAS[name]:
            asked = formula.of if re.match("the (density|classical)", formula.of) else f"of {formula.of}"
            yield f"{asked[0].upper()}{asked[1:]}{given}:\n\n$$\n{latex_of(formula.term)}\n$$"
            given = ""


_BIT = (
    "Pr[released | true] of one of the four coordinates of a one-hot label, at $\\epsilon = 2$ on a grid of "
    "four steps, in floats; the channel that is released from is exact. Rows are the true bit."
)
_LABELS = (
    f"Pr[released | true] for $e^\\epsilon = {_RATIO}$, labels with the shares {', '.join(map(str, _PRIOR))}, the loss "
    "$|i - j|$ where it takes one, and the best of its other parameters; exact where rational. Rows are true labels."
)


def _example(name: str) -> Iterator[str]:
    """Its channel on four labels, exactly, for mechanisms that have one; else a picture of its density."""
    if name in channels():
        yield "## On four labels"
        yield _BIT if name == "alibi" else _LABELS
        yield from (_table(*each) for each in channels()[name])
    if name in channels() or name in DENSITIES:
        yield f"![{name}](../../{_picture(name)})"


def _table(title: str, channel: Channel) -> str:
    rows = [[title, *map(_output, channel.outputs)]]
    for y, row in zip(channel.inputs, channel.matrix.tolist(), strict=True):
        rows.append([y, *(f"{q:.6f}" if isinstance(q, float) else q for q in row)])
    first, *others = [" | ".join(str(cell).replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in (first, " | ".join(["---"] * len(rows[0])), *others))


def _output(name: object) -> object:
    """Bits without blanks."""
    return "".join(map(str, name)) if isinstance(name, tuple) else name


def _claims_about(name: str) -> Iterator[str]:
    """Links to what is claimed of the numbered items that its functions name."""
    found = {
        item
        for item, functions in functions_by_item().items()
        if any(re.match(rf"mechanisms/{name}(\.py|/)", function) for function in functions)
    }
    lines = []
    for paper, item in sorted(found, key=lambda of: (of[0], items(of[0]).index(of[1]))):
        links = [claim_link(claim, "../../") for claim in claims_by_item(paper).get(item, [])]
        if links:
            lines.append(f"- [{paper}, {item}](../../where.md#{anchor_of(item, paper)}): {'; '.join(links)}")
    if lines:
        yield "## What is claimed of it"
        yield "\n".join(lines)
