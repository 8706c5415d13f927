"""What claims on robustness ask: whether Example 5's network has one class on a ball, what a search does with its tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.applications.robustness import Box
from lpmech.claims.checking import check_implications
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

U, V = tm.symbols("u v")
#: The printed weights of Example 5.
HIDDEN = [[tm.Rational("-1.86"), tm.Rational("-2.09")], [tm.Rational("0.12"), tm.Rational("-0.46")]]
HIDDEN_BIAS = [tm.Rational("3.71"), tm.Rational("-0.08")]
OUTPUT = [[tm.Rational("-3.05"), tm.Rational("0.40")], [tm.Rational("4.02"), tm.Rational("-0.22")]]
OUTPUT_BIAS = [tm.Rational("0.94"), tm.Rational("-0.58")]
HALF = tm.Rational(1, 2)


def network(u: Any, v: Any) -> tuple[Any, Any]:
    """Scores h_1, h_2 of Example 5."""
    hidden = [tm.Max(w[0] * u + w[1] * v + b, 0) for w, b in zip(HIDDEN, HIDDEN_BIAS, strict=True)]
    scores = [w[0] * hidden[0] + w[1] * hidden[1] + b for w, b in zip(OUTPUT, OUTPUT_BIAS, strict=True)]
    return scores[0], scores[1]


def is_robust(radius: Fraction) -> Outcome:
    """Whether Example 5's network has class 2 on the whole ball around (1/2, 1/2), decided by SMT over the reals."""
    r = tm.Rational(radius)
    first, second = network(U, V)
    ball = [HALF - r <= U, HALF + r >= U, HALF - r <= V, HALF + r >= V]
    return check_implications(ball, {f"class 2 on the ball of radius {radius}": second > first})


def told(search: Any, x: Sequence[float], errors: Callable[[Box, int], int], **options: Any) -> tuple[Any, int]:
    """What a search finds around x if a test of a box with so many samples sees so many errors, and how many it makes."""
    tests, point = 0, np.asarray(x, dtype=float)

    def sampler(box: Box, count: int, _: Any) -> Any:
        nonlocal tests
        tests += 1
        return np.where(np.arange(count)[:, None] < errors(box, count), point + 1, point)

    def classify(points: Any) -> Any:
        return (points != point).any(axis=1)

    return search(classify, x, np.random.default_rng(0), sampler=sampler, **options), tests
