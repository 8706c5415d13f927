"""Orders of channels in words: regimes in epsilon, post-processings, decision problems, capacities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.table import Table

from lpmech.entries import exact_texts
from lpmech.leakage import multiplicative_bayes_capacity

if TYPE_CHECKING:
    from lpmech.channel import Channel
    from lpmech.designs.orders import PairOrder
    from lpmech.programs.channel_in_t import ChannelInT
    from lpmech.programs.compare_channels import ChannelOrder, Decision
    from lpmech.programs.order_in_t import OrderRegime

__all__ = ["capacity_lines", "order_lines", "order_row", "order_rows", "orders_table", "regime_lines"]


def relation_words(relation: str, first: str, second: str) -> str:
    """The relation of two channels as a sentence."""
    return {
        "first dominates": f"{first} is at least as good as {second} for everybody, and better for some",
        "second dominates": f"{second} is at least as good as {first} for everybody, and better for some",
        "equivalent": f"{first} and {second} are worth the same to everybody",
        "incomparable": f"incomparable: {first} is better for some, {second} for others",
    }[relation]


def order_lines(order: ChannelOrder, names: tuple[str, str]) -> Iterator[str]:
    """The relation, and the proof of each direction."""
    first, second = names
    yield relation_words(order.relation, first, second)
    for made, problem, source, target in (
        (order.to_second, order.for_second, first, second),
        (order.to_first, order.for_first, second, first),
    ):
        if made is not None:
            yield f"{target} is {source} followed by the channel"
            yield from _rows(made)
        if problem is not None:
            yield from _problem(problem, source, target, order)
    for name, channel in zip(names, (order.first, order.second), strict=True):
        capacity = multiplicative_bayes_capacity(channel)
        yield f"capacity of {name} (sum of the largest entries of its columns): {capacity}"


def regime_lines(regimes: Sequence[OrderRegime], names: tuple[str, str]) -> Iterator[str]:
    """A line for each regime, and what its end is."""
    for regime in regimes:
        yield f"{_interval(regime)}: {relation_words(regime.relation, *names)}"
    for regime in regimes[:-1]:
        yield f"the break at epsilon = {regime.epsilons[1]:.6g}: {_end(regime)}; what dominates beside it does so there"


def capacity_lines(channel: ChannelInT, name: str) -> Iterator[str]:
    """The capacity as a function of t."""
    import numpy as np

    from lpmech.programs.order_in_t import vulnerability_in_t

    size = len(channel.rows)
    letter = "t" if channel.root == 1 else f"t^(1/{channel.root})"
    for piece in vulnerability_in_t(channel, None, np.eye(size, dtype=int) * size):
        text = str(piece.value.expression).replace("**", "^").replace("*", " ")
        shown = text if channel.root == 1 else text.replace("t", "s")
        where = "" if piece.upper is None else f" up to {float(piece.upper.lower):.6g}"
        yield f"capacity of {name}: {shown}{'' if channel.root == 1 else f' with s = {letter}'}{where}"


def orders_table(size: int, orders: Iterable[PairOrder]) -> Table:
    """The pairs of which one is at least as good as the other one somewhere; a row for each regime."""
    table = Table(title=f"who is at least as good as whom for everybody, {size} labels", title_justify="left")
    for name in ("mechanism", "and", "epsilon", "relation"):
        table.add_column(name, overflow="fold")
    for first, second, regimes in orders:
        if any(regime.relation != "incomparable" for regime in regimes):
            for k, regime in enumerate(regimes):
                cells = [*(("", "") if k else (first, second)), _between(regime), regime.relation]
                table.add_row(*cells, end_section=regime is regimes[-1])
    return table


def order_row(order: ChannelOrder, names: tuple[str, str]) -> dict[str, Any]:
    """The order of two channels with its proofs, as JSON: numbers are quotients as text."""
    found: dict[str, Any] = {"first": names[0], "second": names[1], "relation": order.relation}
    for way, made, problem in (
        ("to second", order.to_second, order.for_second),
        ("to first", order.to_first, order.for_first),
    ):
        if made is not None:
            found[way] = exact_texts(made.matrix)
        if problem is not None:
            found[way.replace("to", "for")] = {
                "prior": exact_texts(problem.prior),
                "gain": exact_texts(problem.gain),
                "values": [str(problem.better), str(problem.other)],
                "smallest": problem.fewest,
            }
    return found


def order_rows(orders: Iterable[PairOrder]) -> list[dict[str, Any]]:
    """Every pair, as JSON."""
    return [
        {
            "first": first,
            "second": second,
            "regimes": [
                {"t from": str(r.lower), "t to": str(r.upper), "epsilon from": r.epsilons[0], "relation": r.relation}
                for r in regimes
            ],
        }
        for first, second, regimes in orders
    ]


def _problem(problem: Decision, source: str, target: str, order: ChannelOrder) -> Iterator[str]:
    smallest = "the smallest decision problem that shows it" if problem.fewest else "a decision problem that shows it"
    yield f"{target} is worth more than {source} to somebody; {smallest}:"
    yield f"    labels {', '.join(map(str, problem.labels))} are equally likely, and no others occur"
    rows = dict(zip(order.first.inputs, problem.gain.tolist(), strict=True))
    for action in range(problem.gain.shape[1]):
        pays = [f"{rows[label][action]} for label {label}" for label in problem.labels if rows[label][action]]
        yield f"    action {action + 1} gains {', '.join(pays) or 'nothing'}"
    yield f"    expected gain with {target}: {_number(problem.better)}; with {source}: {_number(problem.other)}"


def _rows(channel: Channel) -> Iterator[str]:
    for name, row in zip(channel.inputs, channel.matrix.tolist(), strict=True):
        parts = [f"{_name(out)}: {v}" for out, v in zip(channel.outputs, row, strict=True) if v]
        yield f"    {_name(name)} becomes {', '.join(parts)}"


def _name(output: Any) -> str:
    return "".join(map(str, output)) if isinstance(output, tuple) else str(output)


def _number(value: Fraction) -> str:
    return f"{value} = {float(value):.6g}" if value.denominator > 1 else str(value)


def _between(regime: OrderRegime) -> str:
    low, high = regime.epsilons
    return f"from {low:.6g} " + ("on" if regime.ends[1] is None else f"to {high:.6g}")


def _interval(regime: OrderRegime) -> str:
    return "every epsilon" if regime.epsilons == (0, math.inf) else f"epsilon {_between(regime)}"


def _end(regime: OrderRegime) -> str:
    """The upper end of a regime, exactly."""
    from sympy import Poly, Symbol

    end = regime.ends[1]
    assert end is not None
    coefficients = [int(c) for c in reversed(end.polynomial.coeffs())]
    if len(coefficients) == 2:
        return f"e^epsilon = {regime.upper}"
    letter = "t" if regime.root == 1 else "s"
    text = str(Poly(coefficients, Symbol(letter)).as_expr()).replace("**", "^").replace("*", " ")
    about = f"{letter} = {float(end.lower):.9g}"
    return f"e^epsilon = {'' if regime.root == 1 else f's^{regime.root}, '}{about}, a root of {text}"
