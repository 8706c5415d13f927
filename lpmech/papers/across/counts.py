"""Counts on a line: the geometric mechanism is the best for every prior and every loss that does not fall with distance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.claims import Instance, Parts
from lpmech.entries import as_array
from lpmech.mechanisms.geometric import best_on_a_line, closer, geometric, rise, tail_above, tail_below
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checks import rows_in_words
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs.metric import metric_channel
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, hit, squared

T, M, C, F, G = tm.symbols("t m c f g")

_RATIOS = [Fraction(t) for t in ("3/2", "3", "20")]
_GRS = "Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, STOC 2009, Theorem 3.1"

Tails = tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]


def _with_noise(size: int, t: Fraction, tails: Tails) -> Channel | str:
    """Noise with these tails, at the ends what is beyond them too; or what is wrong with its rows."""
    above, below = tails
    rows = []
    for i in range(size):
        inner = [above(k - i, t) if k > i else below(k - i, t) for k in range(1, size)]
        row = [a - b for a, b in zip([1, *inner], [*inner, 0], strict=True)]
        if min(row) < 0:
            return f"K = {size}, t = {t}: row {i} is ({', '.join(map(str, row))})"
        rows.append(row)
    return Channel(rows)


@PAPER.claim(
    "Geometric mechanism (noise)",
    r"counts with noise of $\Pr[z] = \frac{t-1}{t+1} t^{-|z|}$, released as the nearest of $0, \dots, n$, are $t$-close for neighbouring counts, and no two neighbouring rows are closer",
    hypotheses=r"$\Pr[z \ge m]$ is $t^{1-m}/(t+1)$ for $m \ge 1$ and $1 - t^m/(t+1)$ for $m \le 0$; its differences are the law of the noise. An end has the mass of all noise beyond it",
    given=[T > 1, tm.Whole(M)],
    replay="K = 2..6, three t: rows, ratios of neighbouring rows",
    formula=(tail_above, tail_below),
    mutants={"twice the noise's rate": (lambda m, t: t ** (2 - 2 * m) / (t**2 + 1), tail_below)},
    note=f"{_GRS.removesuffix(', Theorem 3.1')}, Section 2.",
)
def noise(tails: Tails) -> Parts:
    above, below = tails
    for size, t in product(range(2, 7), _RATIOS):
        found = _with_noise(size, t, tails)
        yield not isinstance(found, str) or found
        if isinstance(found, str):
            return
        same = geometric(size, PrivacyLevel.from_ratio(t)).matrix.tolist() == found.matrix.tolist()
        yield same or f"K = {size}, t = {t}: `geometric` has other entries"
        ratios = {ratio for high, low in pairwise(found.matrix) for ratio in high / low}
        yield ratios == {t, 1 / t} or f"K = {size}, t = {t}: neighbours have the ratios {sorted(map(str, ratios))}"
    share = (T - 1) / (T + 1)
    yield [T > 1, tm.Whole(M), M >= 1], {"noise m >= 1": (above(M, T) - above(M + 1, T), share * T ** (-M))}
    yield [T > 1, tm.Whole(M), M <= -1], {"noise m <= -1": (below(M, T) - below(M + 1, T), share * T**M)}
    yield "noise 0", (below(0, T) - above(1, T), share)


@PAPER.claim(
    "Theorem of Ghosh, Roughgarden and Sundararajan",
    r"for every prior and every loss that does not fall with the distance from the true count, no channel on the counts $0, \dots, n$ that is $t$-close for neighbouring counts has less expected loss than the geometric mechanism followed by a remapping of its output",
    hypotheses=r"$F_k(i) = \Pr[\text{output} \ge k \mid i]$ goes up by at most $r(f) = \min(t f, 1 - (1 - f)/t)$ from $i$ to $i + 1$: $f$ to $g$. The geometric tails $\Pr[z \ge m]$, $m = k - i$, mixed with the next one by weights $c$ and $1 - c$ or not, go up by just that; $g_k$ is the one with $g_k(k) = F_k(k)$",
    given=[T > 1, F >= 0, F <= 1],
    replay="exact programs for K = 2, 3, 4 with two priors, hits, $|i-j|$, $(i-j)^2$ and an uneven loss; the tails of their optima, and what `closer` makes",
    formula=rise,
    mutants={
        "without the other side": lambda f, t: (t * f, t * f),
        "of the mass that is left": lambda f, t: (t * f, 1 - (1 - f) * t),
    },
    in_words=r"by induction $F_k \le g_k$ from $k$ on and $F_k \ge g_k$ below; the thresholds of $g_1, g_2, \dots$ are in order, so that they are those of one output, which is at least as near on either side; the loss is a sum of multiples of $F_k(i)$, $i < k$, and $1 - F_k(i)$, $i \ge k$; its expectation is linear in the remapping, so that a deterministic one is the best",
    note=f"{_GRS}, who ask for a loss that depends on the distance; the proof here needs only that it does not fall on either side. `lpmech.mechanisms.geometric.closer` makes the remapping for any channel.",
)
def theorem(limits: Callable[[Any, Any], tuple[Any, Any]]) -> Parts:
    for size, t in product((2, 3, 4), _RATIOS):
        yield from _exact_instances(size, t, limits)
    low, high = limits(F, T)
    step = [T > 1, F >= 0, F <= 1, G >= 0, G <= 1, G <= T * F, 1 - F <= T * (1 - G)]
    yield step, {"one limit": G <= low, "the other one": G <= high}
    yield [T > 1, F < G], {"higher tails go up higher": tm.Min(low, high) < tm.Min(*limits(G, T))}
    above, below = tail_above, tail_below
    within = [T > 1, tm.Whole(M), C >= 0, C <= 1]
    tails = C * above(M, T) + (1 - C) * above(M + 1, T), C * above(M - 1, T) + (1 - C) * above(M, T)
    yield [*within, M >= 1], {"tails m >= 1": (tm.Min(*limits(tails[0], T)), tails[1])}
    yield [*within, M <= 0], {"powers": T**M <= 1}
    yield from _up(
        limits, [*within, M <= 0, T**M <= 1], "tails m <= 0", lambda m: C * below(m, T) + (1 - C) * below(m + 1, T)
    )
    yield [*within, M >= 1], {"least or never": (tm.Min(*limits(C * above(M, T), T)), C * above(M - 1, T))}
    yield [*within, M <= 1], {"powers up to 1": T**M <= T}
    yield from _up(limits, [*within, M <= 1, T**M <= T], "always or most", lambda m: C + (1 - C) * below(m, T))


def _up(limits: Any, given: list[Any], name: str, tail: Callable[[Any], Any]) -> Iterator[Any]:
    """That a tail goes up by the second limit, which is the lower one."""
    low, high = limits(tail(M), T)
    yield given, {name: (high, tail(M - 1)), f"{name}: the other limit": tail(M - 1) <= low}


def _exact_instances(size: int, t: Fraction, limits: Callable[[Any, Any], tuple[Any, Any]]) -> Parts:
    """The optimum of the program, which its dual proves, is that of the closed form; its tails, and what is closer."""
    level = PrivacyLevel.from_ratio(t)
    decoded = geometric(size, level)
    uneven = as_array(
        [[-(1 + (i + j) % 2) * (i != j) - abs(i - j) for j in range(size)] for i in range(size)], "loss", 2
    )
    for counts in ([1] * size, [1 + (5 * i) % 7 for i in range(size)]):
        prior = prior_from_counts(counts)
        for gain in (hit(size), absolute(size), squared(size), uneven):
            solution = metric_channel(gain, level, "line", prior).solve("exact")
            value = best_on_a_line(gain, level, prior).expected_utility(gain, prior)
            where = f"K = {size}, t = {t}, counts {(*counts,)}, utility ({rows_in_words(gain.tolist())})"
            yield Instance(f"{where}: what is made of the geometric mechanism, optimum", value, "==", solution.bound)
            tails = np.cumsum(solution.channel.matrix[:, ::-1], axis=1)[:, ::-1]
            near = np.cumsum(decoded.then(closer(solution.channel, level)).matrix[:, ::-1], axis=1)[:, ::-1]
            for k in range(1, size):
                ups = [(tails[i, k], tails[i + 1, k]) for i in range(size - 1)]
                worst = next((pair for pair in ups if pair[1] > min(limits(pair[0], t))), None)
                yield worst is None or f"{where}: Pr[output >= {k}] goes up from {worst[0]} to {worst[1]}"
                nearer = all(near[i, k] >= tails[i, k] if i >= k else near[i, k] <= tails[i, k] for i in range(size))
                yield nearer or f"{where}: what is made of the geometric mechanism is not nearer at {k}"
