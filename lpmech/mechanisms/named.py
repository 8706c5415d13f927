"""Mechanisms by name, to be compared with each other: at one level, or as functions of e^epsilon."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from lpmech.channel import Channel
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError, PrivacyLevelError
from lpmech.mechanisms.bipartite_rr import bipartite_channel
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.exponential import exponential_from_root
from lpmech.mechanisms.hadamard_response import hadamard_response
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.mechanisms.staircase_rr import ranked_groups, staircase_rr
from lpmech.mechanisms.subset_selection import subset_selection
from lpmech.mechanisms.unary_encoding import UnaryEncoding, optimal_unary_encoding
from lpmech.priors import uniform_prior
from lpmech.privacy import PrivacyLevel
from lpmech.utilities import absolute, hit

if TYPE_CHECKING:
    from lpmech.programs.channel_in_t import ChannelInT

__all__ = ["MOST_NAMED", "NAMED", "SHORT", "NamedMechanism", "named_mechanism"]

#: Most labels of a mechanism that is compared by name.
MOST_NAMED = 8


class _Kind(NamedTuple):
    """A mechanism as K, its numbers and t make it: what the numbers are, and the usual ones.

    Where the root is 2, `make` takes sqrt(t) in the place of t: the entries are rational functions of it.
    """

    make: Callable[[int, Sequence[int], Fraction], Channel]
    numbers: str = ""
    usual: tuple[int, ...] = ()
    root: int = 1


def _at(t: Fraction) -> PrivacyLevel:
    return PrivacyLevel.from_ratio(t)


#: The mechanisms that can be named. All entries are quotients of polynomials of degree at most K + 1 in t or sqrt(t).
NAMED = {
    "randomized_response": _Kind(lambda K, _, t: randomized_response(K, _at(t))),
    "rr_top_k": _Kind(
        lambda K, n, t: rr_top_k(uniform_prior(K), n[0], _at(t)), "k, of the labels 0..k-1 that are kept", (2,)
    ),
    "rr_on_bins": _Kind(
        lambda K, n, t: rr_on_bins([y * n[0] // K for y in range(K)], _at(t)), "number of bins of neighbours", (2,)
    ),
    "block_rr": _Kind(
        lambda K, n, t: block_rr_from_partition(uniform_prior(K), range(n[0]), _at(t), n[1]),
        "|S1|, of the labels 0..|S1|-1, and l",
        (2, 1),
    ),
    "bipartite_rr": _Kind(
        lambda K, n, t: bipartite_channel(absolute(K), n[0], _at(t)), "m, of the true items, nearest on a line", (2,)
    ),
    "staircase_rr": _Kind(
        lambda K, n, t: staircase_rr(ranked_groups(absolute(K), [*n, K - sum(n)]), _at(t)),
        "sizes of the groups but the last one, nearest on a line first",
        (1, 1),
    ),
    "exponential": _Kind(lambda K, _, root: exponential_from_root(hit(K), root), root=2),
    "subset_selection": _Kind(
        lambda K, n, t: subset_selection(K, _at(t), n[0]).channel(), "number of labels of a set", (2,)
    ),
    "hadamard_response": _Kind(lambda K, _, t: hadamard_response(K, _at(t))),
    "symmetric_unary_encoding": _Kind(lambda K, _, root: UnaryEncoding(K, root, root).channel(), root=2),
    "optimal_unary_encoding": _Kind(lambda K, _, t: optimal_unary_encoding(K, _at(t)).channel()),
}

#: Short names, as the closed forms of `lpmech formulas` have them.
SHORT = {
    "rr": "randomized_response",
    "subset": "subset_selection",
    "hadamard": "hadamard_response",
    "rappor": "symmetric_unary_encoding",
    "oue": "optimal_unary_encoding",
}


@dataclass(frozen=True)
class NamedMechanism:
    """A mechanism of `NAMED` with its numbers, on labels 0..K-1.

    Attributes
    ----------
    name : str
        Such as ``"rr_top_k:2"``.
    size : int
        K.
    """

    name: str
    size: int

    @property
    def _kind(self) -> _Kind:
        return NAMED[self.name.partition(":")[0]]

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(int(n) for n in filter(None, self.name.partition(":")[2].split(",")))

    def at(self, level: PrivacyLevel) -> Channel:
        """The exact channel.

        Raises
        ------
        PrivacyLevelError
            If the level is not exact, or its ratio has no rational root where the entries are functions of it.
        """
        root = level.ratio
        if isinstance(root, Fraction) and self._kind.root == 2:
            root = Fraction(math.isqrt(root.numerator), math.isqrt(root.denominator))
        if not isinstance(root, Fraction) or root**self._kind.root != level.ratio:
            exact = "an exact e^epsilon" + (f" that is a square, for {self.name}" if self._kind.root == 2 else "")
            raise PrivacyLevelError("ratio", level.ratio, exact)
        return self._kind.make(self.size, self._numbers, root)

    def in_t(self) -> ChannelInT:
        """The channel for every t > 1."""
        from lpmech.programs.channel_in_t import channel_in_t

        return channel_in_t(self.at, self.size + 1, self._kind.root)


def named_mechanism(text: str, size: int) -> NamedMechanism:
    """The mechanism that a text such as ``"rr_top_k:2"`` names; without numbers, with the usual ones.

    Parameters
    ----------
    text : str
        A name of `NAMED` or `SHORT`, and numbers after a colon, with commas between them.
    size : int
        K, from 3 to `MOST_NAMED`.

    Raises
    ------
    InvalidInputError
        If there is no such mechanism, its numbers do not fit, or K is out of range.
    """
    whole_number(size, "labels", 3, MOST_NAMED)
    name, _, after = text.partition(":")
    name = SHORT.get(name, name)
    if name not in NAMED:
        raise InvalidInputError("mechanism", text, f"a file of a channel, or one of {', '.join([*NAMED, *SHORT])}")
    kind = NAMED[name]
    numbers = after.split(",") if after else [str(n) for n in kind.usual]
    if len(numbers) != len(kind.usual) or not all(re.fullmatch("[0-9]{1,3}", n.strip()) for n in numbers):
        example = f"{name}:{','.join(map(str, kind.usual))} ({kind.numbers})" if kind.usual else name
        raise InvalidInputError("mechanism", text, example)
    shown = ",".join(str(int(n)) for n in numbers)
    found = NamedMechanism(f"{name}:{shown}" if shown else name, size)
    found.at(PrivacyLevel.from_ratio(4))  # refuses numbers out of range
    return found
