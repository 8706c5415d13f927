"""All mechanisms that have a name, pairwise: which one is better for everybody, from which epsilon on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from lpmech.mechanisms.named import NAMED, named_mechanism

if TYPE_CHECKING:
    from lpmech.programs.order_in_t import OrderRegime

__all__ = ["PairOrder", "orders_of_mechanisms"]


class PairOrder(NamedTuple):
    """Two mechanisms by name, and their relation for every t > 1."""

    first: str
    second: str
    regimes: list[OrderRegime]


def orders_of_mechanisms(size: int, names: Sequence[str] = tuple(NAMED)) -> Iterator[PairOrder]:
    """Each pair of mechanisms on so many labels, compared for every t > 1.

    Parameters
    ----------
    size : int
        K, from 3 to `lpmech.mechanisms.named.MOST_NAMED`; the work grows quickly with it, most with unary encodings.
    names : sequence of str
        As for `lpmech.mechanisms.named.named_mechanism`.

    Raises
    ------
    InvalidInputError
        If a name or the size is not usable, or two of them together are too large.
    """
    from lpmech.programs.compare_channels import refuse_large
    from lpmech.programs.order_in_t import order_regimes

    chosen = [named_mechanism(name, size) for name in names]
    along = {mechanism.name: mechanism.in_t() for mechanism in chosen}
    pairs = list(combinations(along, 2))
    for first, second in pairs:
        refuse_large(size, len(along[first].outputs), len(along[second].outputs))
    for first, second in pairs:
        yield PairOrder(first, second, order_regimes(along[first], along[second]))
