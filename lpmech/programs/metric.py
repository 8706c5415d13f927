"""The best metric-private channel: labels that are near each other are hardly told apart, others may be.

Primal: maximise sum w[y, j] q[y, j] over channels q with q[y, j] <= t^d(y, z) q[z, j] for all y, z, j, t = e^epsilon, d
a metric on the labels; with d(y, z) = 1 for all y and z it is the usual program. Dual: minimise sum_y pi_y over
lambda >= 0 and pi with, for all y and j,

    pi_y + sum_z (lambda[y, z, j] - t^d(z, y) lambda[z, y, j]) >= w[y, j].

Constraints are stated for neighbours only: labels y and z without a third one between, d(y, x) + d(x, z) = d(y, z).
They imply all others, by induction over the distance: an x between y and z is nearer to both than they are to each
other, and q[y, j] <= t^d(y, x) q[x, j] <= t^(d(y, x) + d(x, z)) q[z, j]. None can be left out: without the edge from z
to y, let d'(x) be the length of the shortest way from z to x over the other ones; d'(y) > d(y, z), so that a column
q[x, j] in proportion to t^d'(x) keeps all others and breaks this one. So lambda is for neighbours only: on a line
2 (K - 1) J numbers in place of K (K - 1) J.

The rows of the program, after the row sums: for each y, and each z that is a neighbour of it, one for each j.

On a line, if no row of the utility rises away from its own label, the optimum has a closed form:
`lpmech.mechanisms.geometric.best_on_a_line`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from lpmech.entries import Array, as_array, exact_texts, to_exact, total, whole_number
from lpmech.errors import LabelError, ProgramError
from lpmech.privacy import MAX_EPSILON, PrivacyLevel
from lpmech.programs.hit_floors import with_floor
from lpmech.programs.linear import LinearProgram, Row, Unknown
from lpmech.programs.on_a_line import proposal_on_a_line
from lpmech.programs.optimal import exact_gains, optimal_channel
from lpmech.programs.uncertain_priors import PriorSet, for_worst_prior
from lpmech.utilities import absolute, circular, hit

__all__ = ["METRICS", "graph_metric", "metric_channel", "metric_of", "neighbours"]

#: Names of metrics, and what they are on K labels in their order.
METRICS = {
    "line": "the difference of the places",
    "ring": "the shorter way round",
    "grid:W": "steps to the side and down, in rows of W labels",
    "hamming:B": "the digits to base B of the places, counted from 0, that differ",
    "discrete": "1 for any two labels: the usual privacy",
}

#: Largest distance in units of the common divisor of all distances.
_MOST_UNITS = 1000

#: Labels of a graph.
_MOST_IN_GRAPHS = 1000


def metric_channel(
    utility: object,
    epsilon: PrivacyLevel | float,
    metric: object,
    prior: object = None,
    names: Sequence[Hashable] | None = None,
    priors: PriorSet | None = None,
    hit_floor: object = None,
) -> LinearProgram:
    """The program for the best channel with q[y, j] <= e^(epsilon d(y, z)) q[z, j].

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Larger is better; a loss is given as its negative. Floats stand for the rational numbers that they are.
    epsilon : float or PrivacyLevel
        Privacy of labels at distance 1. With u the largest number of which all distances are multiples, the program has
        e^(epsilon u) if that is known to be rational, else a rational number just below it
        (`PrivacyLevel.power_below`): what is private at it is private at epsilon.
    metric : str or array_like, shape (K, K)
        A name of `METRICS` or the distances; see `metric_of`, and `graph_metric` for a graph.
    prior : array_like, shape (K,), optional
        Distribution of the true label; uniform if omitted.
    names : sequence of hashable, optional
        Of labels that are outputs as well, K = J; default: those of a DataFrame, else 0..K-1 and 0..J-1.
    priors : PriorSet, optional
        The priors among which the true one is, in place of one prior: the expected utility under the worst one is
        maximised (`lpmech.programs.uncertain_priors.for_worst_prior`).
    hit_floor : number or "halfway", optional
        The least probability with which every label is released as itself (`lpmech.programs.hit_floors.with_floor`).

    Returns
    -------
    LinearProgram
        Call `LinearProgram.solve` on it; ``"exact"`` has up to 4,500 rows, J for each label and neighbour of it: 47
        labels on a line, 16 of which any two are neighbours; 280 labels on a line where the geometric mechanism proves
        to be optimal (`lpmech.programs.on_a_line`).

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError, LabelError
        If an argument is not usable.
    ProgramError
        If the metric is none, or a distance is more than a thousand times the common divisor of all, or the divisor too
        small for the level; if the floor is not a number from 0 to 1.

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.programs.metric import metric_channel
    >>> from lpmech.utilities import absolute
    >>> solution = metric_channel(absolute(3), PrivacyLevel.from_ratio(3), "line").solve()
    >>> solution.value, solution.bound
    (Fraction(-7, 18), Fraction(-7, 18))
    """
    program = optimal_channel(utility, epsilon, prior, inputs=names, outputs=names, priors=priors)
    weights = exact_gains(program)
    size, width = weights.shape
    distances = metric_of(metric, size)
    unit = _common_divisor(distances)
    if distances.max() > _MOST_UNITS * unit:
        found = f"distances up to {float(distances.max()):g}, whose common divisor is {float(unit):.3g}"
        raise ProgramError("metric", found, f"at most {_MOST_UNITS} times it: round them down to multiples of a step")
    steps = (distances / unit).astype(int)
    if Fraction(program.level.epsilon) * Fraction(distances.max()) > MAX_EPSILON:
        found = f"distances up to {distances.max()} at {program.level}"
        raise ProgramError("metric", found, f"epsilon times the largest distance at most {MAX_EPSILON:g}")
    base = program.level.power_below(unit)
    if float(base) <= 1:
        found = f"distances that are multiples of {float(unit):g} at {program.level}"
        raise ProgramError("metric", found, "distances d large enough that e^(epsilon d) > 1 in floating point")
    pairs = neighbours(steps)
    powers = {step: base**step for step in {int(steps[pair]) for pair in pairs}}
    objective: dict[Unknown, Fraction] = {
        (y, j): Fraction(weights[y, j]) for y in range(size) for j in range(width) if weights[y, j]
    }
    rows = tuple(
        Row(
            f"{program.inputs[y]!r} against {program.inputs[z]!r}: output {program.outputs[j]!r}",
            {(y, j): Fraction(1), (z, j): -powers[int(steps[y, z])]},
            Fraction(0),
        )
        for y, z in pairs
        for j in range(width)
    )

    repair = partial(_private, pairs=pairs, powers=[powers[int(steps[pair])] for pair in pairs])
    data = {"weights": exact_texts(weights), "base": str(base), "steps": exact_texts(to_exact(steps))}
    square = range(size) if size == width else range(0)
    near: dict[Unknown, Fraction] = {(y, z): base ** -int(steps[y, z]) for y in square for z in square}
    names = program.inputs, program.outputs
    places = np.arange(size)
    line = size > 1 and np.array_equal(steps, abs(np.subtract.outer(places, places)))
    proposal = proposal_on_a_line(weights, base) if line else None
    made = LinearProgram(*names, objective, rows, (), "metric", data, repair, proposal=proposal, units=near or None)
    if hit_floor is not None:
        nearest = min((int(steps[pair]) for pair in pairs), default=1)
        made = with_floor(made, hit_floor, PrivacyLevel.from_ratio(base**nearest))
    return made if priors is None else for_worst_prior(made, weights, priors)


def metric_of(metric: object, size: int, names: Sequence[Hashable] | None = None) -> Array:
    """The distances of K labels, exactly.

    Parameters
    ----------
    metric : str or array_like, shape (K, K)
        A name of `METRICS`, or distances; floats stand for the rational numbers that they are.
    size : int
        K.
    names : sequence of hashable, optional
        Of the labels, in what is said of an error.

    Returns
    -------
    ndarray of Fraction, shape (K, K)

    Raises
    ------
    ProgramError
        If there is no such name, it does not fit K labels, or the distances are no metric: K x K, zero on the diagonal
        and positive elsewhere, the same both ways, and no way over a third label is shorter.
    """
    if isinstance(metric, str):
        return _named(metric, whole_number(size, "size", 1, error=ProgramError))
    distances = to_exact(as_array(metric, "metric", 2, ProgramError))
    if distances.shape != (size, size):
        raise ProgramError("metric", f"shape {distances.shape}", f"a name, or {size} x {size} distances")
    told = range(size) if names is None else names
    for y, row in enumerate(distances.tolist()):
        for z, value in enumerate(row):
            if (value > 0) is (y == z) or value < 0 or value != distances[z, y]:
                where = f"{value} from {told[y]} to {told[z]}, {distances[z, y]} back"
                raise ProgramError("metric", where, "0 from a label to itself, else positive and the same both ways")
    for x, row in enumerate(distances):
        over = row[:, None] + row
        if (over < distances).any():
            y, z = (int(i) for i in np.argwhere(over < distances)[0])
            where = f"{distances[y, z]} from {told[y]} to {told[z]}, {over[y, z]} over {told[x]}"
            raise ProgramError("metric", where, "no shorter way over a third label (`graph_metric` has shortest ways)")
    return distances


def graph_metric(size: int, edges: Iterable[Sequence[int]]) -> Array:
    """The number of edges on the shortest way between any two of K labels, shape (K, K), exactly.

    Parameters
    ----------
    size : int
        K, at most 1000; labels are 0, ..., K - 1.
    edges : iterable of pairs of int
        Who is adjacent; either order.

    Raises
    ------
    LabelError
        If an edge is not two labels.
    ProgramError
        If there is no way between some labels: then nothing limits what is told of one against the other.
    """
    from scipy.sparse.csgraph import shortest_path

    adjacent = np.zeros((whole_number(size, "size", 1, _MOST_IN_GRAPHS, ProgramError),) * 2)
    try:
        pairs = [tuple(edge) for edge in edges]
    except TypeError as exc:
        raise LabelError("edges", edges, f"pairs of labels from 0 to {size - 1}") from exc
    for edge in pairs:
        if len(edge) != 2 or not all(isinstance(y, (int, np.integer)) and 0 <= y < size for y in edge):
            raise LabelError("edges", edge, f"pairs of labels from 0 to {size - 1}")
        adjacent[edge] = 1
    distances = shortest_path(adjacent, directed=False, unweighted=True)
    if np.isinf(distances).any():
        y, z = (int(i) for i in np.argwhere(np.isinf(distances))[0])
        raise ProgramError("edges", f"no way from {y} to {z}", "a graph that is connected")
    return to_exact(distances.astype(int))


def neighbours(distances: Array) -> list[tuple[int, int]]:
    """The pairs (y, z), in their order, that no third label lies between: the constraints of the others follow."""
    size = len(distances)
    between = np.zeros((size, size), dtype=bool)
    for x in range(size):
        row = distances[x]
        over = row[:, None] + row == distances
        over[x], over[:, x] = False, False
        between |= over
    return [(y, z) for y in range(size) for z in range(size) if y != z and not between[y, z]]


def _named(name: str, size: int) -> Array:
    kind, _, text = name.partition(":")
    if name in ("line", "ring"):
        return -(absolute(size) if name == "line" else circular(size))
    if name == "discrete":
        return 1 - hit(size)
    if kind in ("grid", "hamming") and text.isascii() and text.isdigit() and 2 <= int(text) <= size:
        number, places = int(text), np.arange(size)
        if kind == "grid":
            down, side = (abs(np.subtract.outer(v, v)) for v in divmod(places, number))
            return to_exact(down + side)
        apart = np.zeros((size, size), dtype=int)
        while places.any():
            places, digit = divmod(places, number)
            apart += digit[:, None] != digit
        return to_exact(apart)
    raise ProgramError("metric", name, f"one of {', '.join(METRICS)} (W and B from 2 to {size}), or distances")


def _common_divisor(distances: Array) -> Fraction:
    """The largest number of which all distances are whole multiples; 1 for a single label."""
    values = {value for value in distances.ravel().tolist() if value}
    under = math.lcm(*(value.denominator for value in values))
    return Fraction(math.gcd(*(int(value * under) for value in values)), under) if values else Fraction(1)


def _private(found: Array, pairs: list[tuple[int, int]], powers: list[Fraction]) -> Array:
    """An exact matrix near one of floats: mixed with as little of the uniform channel as makes it private."""
    near = to_exact(np.round(np.maximum(found, 0.0) * 2.0**48)) / 2**48
    near = near / np.array([[total(row)] for row in near], dtype=object)
    uniform, share = Fraction(1, near.shape[1]), Fraction(0)
    for (y, z), power in zip(pairs, powers, strict=True):
        excess = max((near[y] - power * near[z]).tolist())
        if excess > 0:
            share = max(share, excess / (excess + (power - 1) * uniform))
    share = Fraction(math.ceil(share * 2**64), 2**64)
    return np.asarray((1 - share) * near + share * uniform)
