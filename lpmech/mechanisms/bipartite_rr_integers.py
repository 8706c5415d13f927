"""BRR on the integers 1..N with the loss |i - j|: the closed forms of m in zhang2025 section IV.D.

In a row the losses are sorted, lambda_1 = 0 <= lambda_2 <= ...; the i-th weight is raised to t while
sum_{j<i} (lambda_i - lambda_j) t + sum_{j>i} (lambda_i - lambda_j) < 0. The quadratics below are that sum, for
the row of an end point and for a middle row; they accept floats, Fractions and sympy expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "end_point_sum",
    "middle_sum_even",
    "middle_sum_odd",
    "m_end_point",
    "m_middle",
    "m_integers",
    "m_end_point_printed",
    "m_middle_printed",
]


def end_point_sum(t: Any, n: Any, i: Any) -> Any:
    """Eq. (8): (t - 1)/2 i^2 + (N - t/2 + 1/2) i - N^2/2 - N/2, the row of 1 or N."""
    return ((t - 1) * i**2 + (2 * n - t + 1) * i - n**2 - n) / 2


def middle_sum_even(t: Any, n: Any, i: Any) -> Any:
    """Eq. (9): the row of N/2 for even N and odd i."""
    return ((t - 1) * i**2 + 2 * (n - (t - 1)) * i + (t - 1) - n**2 - 2 * n) / 4


def middle_sum_odd(t: Any, n: Any, i: Any) -> Any:
    """Eq. (10): the row of (N + 1)/2 for odd N and odd i."""
    return ((t - 1) * i**2 + 2 * (n - (t - 1)) * i + (t - 1) - 2 * n - n**2 + 1) / 4


def _largest(holds: Callable[[int], bool], last: int) -> int:
    """Largest i in 0..last with holds(i), for a condition that holds on an initial segment."""
    low, high = 0, last + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def m_end_point(t: Any, n: int) -> int:
    """m of the row of an end point: the largest i with `end_point_sum` < 0, at least 1; O(log N)."""
    return max(1, _largest(lambda i: end_point_sum(t, n, i) < 0, n))


def m_middle(t: Any, n: int) -> int:
    """m of a middle row: 2 r + 1 for the largest r whose `middle_sum` at i = 2 r + 1 is negative.

    Both members of a pair of equal losses are raised or neither, so m is odd.
    """
    middle_sum = middle_sum_odd if n % 2 else middle_sum_even
    return 2 * _largest(lambda r: middle_sum(t, n, 2 * r + 1) < 0, (n - 1) // 2) + 1


def m_integers(t: Any, n: int) -> int:
    """m of BRR (Alg. 2) on 1..N: the smaller of `m_end_point` and `m_middle`."""
    return min(m_end_point(t, n), m_middle(t, n))


def m_end_point_printed(t: Any, n: int) -> int:
    """m_1 as printed: the floor of the right root of (8)."""
    return _largest(lambda i: end_point_sum(t, n, i) <= 0, n)


def m_middle_printed(t: Any, n: int) -> int:
    """m_2 as printed: i = the floor of the right root of (9) or (10), and i + 1 if i is even."""
    middle_sum = middle_sum_odd if n % 2 else middle_sum_even
    i = _largest(lambda i: i == 0 or middle_sum(t, n, i) <= 0, n)
    return i if i % 2 else i + 1
