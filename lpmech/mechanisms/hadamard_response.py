"""Hadamard response: a label picks a row of a Hadamard matrix, and the outputs where it is +1 are the likelier ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from lpmech.channel import Channel
from lpmech.entries import label_names
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["hadamard_outputs", "hadamard_response", "hadamard_variance"]


def hadamard_outputs(size: int) -> int:
    """S, the least power of 2 above K."""
    return 1 << size.bit_length()


def hadamard_response(labels: int | Sequence[Hashable], epsilon: PrivacyLevel | float) -> Channel:
    """Release one of S outputs: with 2 t / (S (1 + t)) where row y + 1 of Sylvester's matrix is +1, else t times less.

    S = 2^b is the least power of 2 above K.

    Parameters
    ----------
    labels : int or sequence of hashable
        K (meaning the labels 0..K-1), or the names of the labels.
    epsilon : float or PrivacyLevel
        Privacy level; t = e^epsilon.

    Returns
    -------
    Channel, K x S
        Outputs 0..S-1. Exact for an exact level. Its tight level is epsilon for K >= 2.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    LabelError
        If there is no label, or one occurs twice.

    Notes
    -----
    Entry (i, j) of Sylvester's matrix is -1 to the number of bits that i and j share; row 0, all ones, is left out.
    Source: Acharya, Sun and Zhang, Hadamard response: estimating distributions privately, efficiently, and with little
    communication (2019), with one block: their scheme of high privacy.
    """
    names = label_names(labels, "labels")
    t = as_privacy_level(epsilon).ratio
    outputs = hadamard_outputs(len(names))
    low = 2 / (outputs * (1 + t))
    rows = [[low if (y & j).bit_count() % 2 else t * low for j in range(outputs)] for y in range(1, len(names) + 1)]
    return Channel(rows, names)


def hadamard_variance(size: Any, ratio: Any) -> Any:
    """Total variance of the shares times n, K ((t + 1) / (t - 1))^2 - 1, where Sylvester's matrix decodes.

    The decoder of row y + 1 is (t + 1) / (t - 1) times it. `lpmech.designs.decoding` has one that is as good or better.

    Parameters
    ----------
    size : int or Expr
        K.
    ratio : number or Expr
        t = e^epsilon above 1.
    """
    return size * ((ratio + 1) / (ratio - 1)) ** 2 - 1
