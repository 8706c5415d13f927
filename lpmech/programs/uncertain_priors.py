"""The best channel for the worst prior of a set: the prior is known up to an error, or up to noise.

Primal: maximise over private channels q the least of sum_y p_y g_y(q) over the priors p of the set

    P = {p : low <= p <= high, sum p = 1, sum_y max(p_y - centre_y, 0) <= radius},   g_y(q) = sum_j u[y, j] q[y, j],

that is, of the priors between two limits that are within a total variation distance of a centre. Dual: minimise over p
in P the optimum of the usual program with the prior p. Both values agree (von Neumann's minimax theorem: channels and P
are compact and convex, and p g(q) is linear in each). So a proof is a channel and a prior of P: whatever the channel,
its worst prior gives it at most what the best channel has under the prior of the proof, and that the K row duals pi of
`lpmech.programs.optimality` bound by sum pi. The inner minimum, linear as well, is dissolved by its own dual,

    max  sum_y centre_y g_y - radius rho - sum_y (high - centre)_y alpha_y - sum_y (centre - low)_y beta_y
    over sigma, and rho, alpha, beta >= 0, with  sigma - alpha_y <= g_y <= sigma + rho + beta_y  for all y,

which with q makes one linear program (`lpmech.programs.solvers.uncertain_priors` solves it, exactly or in floats).

Where every hit rate q[y, y] has a floor h, the proof has prices mu_y >= 0 beside the prior: sum_y p_y g_y is at most
the optimum of the usual program with the prior p and hits worth mu_y more, less h sum mu
(`lpmech.programs.hit_floors`).

The same goes for channels that are limited otherwise, by delta or a metric, as a compact convex set is all that the
argument needs: `for_worst_prior` makes of a `LinearProgram` whose gains are the utility the one with this objective.
Its further slacks, in units of the largest |u|, are sigma above and below zero, rho, alpha and beta; its further rows,
after all others, for each label sigma - alpha_y - g_y <= 0, then for each label g_y - sigma - rho - beta_y <= 0. Their
duals are what the prior of the proof has more, and less, than the centre.

Where the set contains the uniform prior and the utility is the hit rate, randomised response is optimal, with value
t / (t + K - 1): no channel has more under the uniform prior (ghazi2021, Lemma 1), and each of its labels has just that.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.common_denominators import exact_product, exact_row_sums
from lpmech.entries import Array, as_array, exact_texts, to_exact, total
from lpmech.errors import PriorError, SolverError
from lpmech.priors import as_prior
from lpmech.programs.general import Program
from lpmech.programs.hit_floors import floor_bound, priced
from lpmech.programs.linear import LinearProgram, LinearSolution, Row, Unknown
from lpmech.programs.optimality import dual_bound

__all__ = [
    "PriorSet",
    "WorstCase",
    "for_worst_prior",
    "prior_of_proof",
    "priors_between",
    "priors_within",
    "set_words",
    "worths",
]


@dataclass(frozen=True)
class PriorSet:
    """The priors between two limits that are within a total variation distance of a centre.

    Attributes
    ----------
    centre, low, high : ndarray of Fraction, shape (K,)
        low <= centre <= high; the centre is a distribution, the limits are from 0 to 1.
    radius : Fraction
        From 0 to 1; at 1 the limits are all that binds.
    kind, size : str
        How it was made, and of which size: "within" and a distance, "confidence" and a probability, "limits", "given".
    """

    centre: Array
    low: Array
    high: Array
    radius: Fraction
    kind: str = "limits"
    size: str = "given"

    def same_set(self, other: PriorSet) -> bool:
        """Whether centre, limits and radius are equal."""
        return all(np.array_equal(getattr(self, v), getattr(other, v)) for v in ("centre", "low", "high", "radius"))

    def check(self, size: int) -> None:
        """Refuse another number of labels.

        Raises
        ------
        PriorError
            If the set is not of `size` labels.
        """
        if len(self.centre) != size:
            raise PriorError("priors", f"{len(self.centre)} labels", f"{size}, as the utility has")

    def reordered(self, order: Array) -> PriorSet:
        """The same set for labels in another order."""
        return replace(self, centre=self.centre[order], low=self.low[order], high=self.high[order])

    def least(self, utility: Array, matrix: Array) -> Fraction:
        """What a channel of an exact matrix is worth under its worst prior of the set, exactly."""
        values = worths(utility, matrix)
        return Fraction(total(exact_product(self.worst(values), values)))

    def worst(self, values: Array) -> Array:
        """The prior of the set under which the expectation of exact values, shape (K,), is least, shape (K,).

        Mass moves from the labels of the largest values to those of the smallest, as long as it may: every prior of the
        set is reached by moving mass, and each unit moved saves the difference of the two values.
        """
        return self._worst(values)[0]

    def between(self, values: Array) -> tuple[Fraction, Fraction]:
        """sigma and sigma + rho of the inner dual at its optimum, which prove that `worst` is the worst prior.

        The values of the labels that mass came from and went to last; equal where there was no more to save.
        """
        return self._worst(values)[1]

    def _worst(self, values: Array) -> tuple[Array, tuple[Fraction, Fraction]]:
        prior, left = self.centre.tolist(), self.radius
        gains = sorted(range(len(prior)), key=values.__getitem__)
        losses = gains[::-1]
        last = values[gains[0]], values[losses[0]]
        at = of = 0
        while left and at < len(gains) and of < len(gains) and values[gains[at]] < values[losses[of]]:
            to, source = gains[at], losses[of]
            step = min(self.high[to] - prior[to], prior[source] - self.low[source], left)
            prior[to], prior[source], left = prior[to] + step, prior[source] - step, left - step
            last = values[to], values[source]
            at += prior[to] == self.high[to]
            of += prior[source] == self.low[source]
        if left:
            last = (values[gains[min(at, len(gains) - 1)]],) * 2
        return as_array(prior, "prior", 1), last

    def nearest(self, prior: Array) -> Array:
        """A prior of the set near some numbers that are almost in it, exactly: floats of a solver, shape (K,)."""
        inside = np.minimum(np.maximum(to_exact(prior), self.low), self.high)
        missing = 1 - total(inside)
        room = self.high - inside if missing > 0 else inside - self.low
        if missing:
            inside = inside + missing * room / total(room)
        moved = total(np.maximum(inside - self.centre, 0))
        return inside if moved <= self.radius else self.centre + (inside - self.centre) * (self.radius / moved)


def priors_within(prior: object, distance: object) -> PriorSet:
    """The priors within a total variation distance, sum_y max(p_y - prior_y, 0) = (sum_y |p_y - prior_y|) / 2.

    Parameters
    ----------
    prior : array_like, shape (K,)
        The centre; floats are taken at their exact values, divided by their sum.
    distance : number
        From 0 to 1.

    Raises
    ------
    PriorError
        If an argument is not usable.
    """
    centre = _exact_prior(prior)
    radius = as_array([distance], "prior_within", 1, PriorError)[0]
    if not 0 <= radius <= 1:
        raise PriorError("prior_within", distance, "a total variation distance from 0 to 1")
    none = as_array([0] * len(centre), "low", 1)
    return PriorSet(centre, none, none + 1, Fraction(radius), "within", str(Fraction(radius)))


def priors_between(low: object, high: object, names: Sequence[Hashable] | None = None) -> PriorSet:
    """The priors between limits for each label.

    Parameters
    ----------
    low, high : array_like, shape (K,)
        From 0 to 1, the lower ones at most the upper ones and 1 in all, the upper ones at least 1 in all.
    names : sequence of hashable, optional
        Of the labels, in what is said of an error.

    Raises
    ------
    PriorError
        If an argument is not usable, or no prior is between them.
    """
    least, most = (to_exact(as_array(v, name, 1, PriorError)) for v, name in ((low, "low"), (high, "high")))
    if least.shape != most.shape:
        raise PriorError("high", f"{len(most)} limits", f"{len(least)}, as many as lower ones")
    for y, (lower, upper) in enumerate(zip(least.tolist(), most.tolist(), strict=True)):
        if not 0 <= lower <= upper <= 1:
            label = y if names is None else names[y]
            raise PriorError("low", f"{float(lower):g} to {float(upper):g} for label {label}", "0 <= low <= high <= 1")
    if not total(least) <= 1 <= total(most):
        between = f"sums {float(total(least)):.6g} and {float(total(most)):.6g}"
        raise PriorError("low", between, "limits with a distribution between them")
    room = total(most) - total(least)
    centre = least + (most - least) * ((1 - total(least)) / room) if room else least
    return PriorSet(centre, least, most, Fraction(1))


@dataclass(frozen=True)
class WorstCase:
    """The best channel for the worst prior of a set, and its proof.

    Attributes
    ----------
    utility : ndarray of Fraction, shape (K, J)
    priors : PriorSet
    program : Program
        The usual program for the prior of the proof.
    channel : Channel
        Exact, and private at the level.
    prior : ndarray of Fraction, shape (K,)
        A prior of the set.
    row_duals : ndarray, shape (K,)
        Almost feasible duals of the program, hits priced if there is a floor.
    floor, prices : Fraction and ndarray of Fraction, shape (K,), optional
        As in `lpmech.programs.hit_floors.FlooredOptimum`; None without a floor.

    Raises
    ------
    SolverError
        On construction, if the channel is worth more than the duals allow: then something is wrong.
    """

    utility: Array
    priors: PriorSet
    program: Program
    channel: Channel
    prior: Array
    row_duals: Array
    floor: Fraction | None = None
    prices: Array | None = None

    def __post_init__(self) -> None:
        if float(self.value) > float(self.bound) + 1e-9 * (1 + abs(float(self.bound))):
            raise SolverError(f"the worst case {float(self.value)} is above its bound {float(self.bound)}")

    @property
    def value(self) -> Fraction:
        """What the channel is worth under its own worst prior of the set, exactly."""
        return self.priors.least(self.utility, self.channel.matrix)

    @property
    def bound(self) -> Any:
        """What no channel of the level, and floor, exceeds under its worst prior; exact where the duals are."""
        upper: Any = dual_bound(self.priced.weights, self.program.level.ratio, self.row_duals, {}, {})
        return upper if self.floor is None or self.prices is None else floor_bound(upper, self.prices, self.floor)

    @property
    def priced(self) -> Program:
        """The program of which the duals bound the optimum."""
        return self.program if self.prices is None else priced(self.program, self.prices)


def for_worst_prior(program: LinearProgram, utility: Array, priors: PriorSet) -> LinearProgram:
    """The program of the same channels in which the worst prior of a set counts.

    Parameters
    ----------
    program : LinearProgram
        What is largest in it is the sum of all entries of the utility times those of the channel.
    utility : ndarray of Fraction, shape (K, J)
    priors : PriorSet

    Returns
    -------
    LinearProgram
        `prior_of_proof` has the prior of its solutions.

    Raises
    ------
    PriorError
        If the set is not of K labels.
    """
    size, width = utility.shape
    priors.check(size)
    one, labels = Fraction(1), range(size)
    unit = max(abs(u) for u in utility.ravel().tolist()) or one
    more, less, spread = "sigma above zero", "sigma below zero", "rho"
    alpha, beta = ([f"{letter} of {y}" for y in labels] for letter in ("alpha", "beta"))
    added = (more, less, spread, *alpha, *beta)
    up, down = priors.high - priors.centre, priors.centre - priors.low
    costs = [*(0, 0, priors.radius), *up.tolist(), *down.tolist()]
    objective: dict[Unknown, Fraction] = {
        (y, j): priors.centre[y] * utility[y, j] for y in labels for j in range(width) if utility[y, j]
    }
    objective |= {name: -unit * cost for name, cost in zip(added, costs, strict=True) if cost}
    below, above = [], []
    for y, name in enumerate(program.inputs):
        worth: dict[Unknown, Fraction] = {(y, j): u for j, u in enumerate(utility[y].tolist()) if u}
        lost = {entry: -u for entry, u in worth.items()}
        below.append(
            Row(f"the worth of {name!r} from below", {**lost, more: unit, less: -unit, alpha[y]: -unit}, 0 * one)
        )
        terms = {**worth, more: -unit, less: unit, spread: -unit, beta[y]: -unit}
        above.append(Row(f"the worth of {name!r} from above", terms, 0 * one))
    rows = (*program.rows, *below, *above)

    def slacks_of(matrix: Array) -> Mapping[str, Fraction]:
        values = worths(utility, matrix)
        low, high = priors.between(values)
        parts = [max(low, 0 * one), max(-low, 0 * one), high - low]
        parts += [*np.maximum(low - values, 0), *np.maximum(values - high, 0)]
        own = {name: part / unit for name, part in zip(added, parts, strict=True)}
        return {**program.slacks_of(matrix), **own}

    def settle(duals: list[Fraction]) -> list[Fraction]:
        moved = priors.nearest(_moved(priors, duals)) - priors.centre
        return [*duals[: -2 * size], *np.maximum(moved, 0), *np.maximum(-moved, 0)]

    told = {
        **{key: exact_texts(getattr(priors, key)) for key in ("centre", "low", "high")},
        "radius": str(priors.radius),
    }
    size_of: Mapping[Unknown, Fraction] = dict.fromkeys(added, one)
    units = None if program.units is None else {**program.units, **size_of}
    return replace(
        program,
        objective=objective,
        rows=rows,
        slacks=(*program.slacks, *added),
        data={**program.data, "priors": told},
        slacks_of=slacks_of,
        settle=settle,
        proposal=None,
        units=units,
    )


def prior_of_proof(solution: LinearSolution, priors: PriorSet) -> Array:
    """The prior under which no channel of a program by `for_worst_prior` is worth more than its bound, shape (K,)."""
    return _moved(priors, solution.duals)


def _moved(priors: PriorSet, duals: Sequence[Fraction]) -> Array:
    more, less = np.array(duals[-2 * len(priors.centre) :], dtype=object).reshape(2, -1)
    return np.asarray(priors.centre + more - less)


def set_words(kind: str, size: str) -> str:
    """What a set of priors is, as in "the worst prior ..."."""
    if kind == "within":
        return f"within {float(Fraction(size)):g} of these shares in total variation"
    if kind == "confidence":
        return f"of the {100 * float(Fraction(size)):g} % set of the noisy counts"
    return "between the limits given"


def worths(utility: Array, matrix: Array) -> Array:
    """g_y = sum_j u[y, j] q[y, j] of every label, exactly, shape (K,)."""
    return exact_row_sums(exact_product(to_exact(utility), to_exact(matrix)))


def _exact_prior(prior: object) -> Array:
    values = to_exact(np.asarray(as_prior(prior)))
    return as_array(values / total(values), "prior", 1)
