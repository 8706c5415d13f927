"""The best (epsilon, delta)-private channel.

Primal: maximise sum w[y, j] q[y, j] over channels q with sum_j max(q[y, j] - t q[z, j], 0) <= delta for every two
inputs y and z, t = e^epsilon: then Pr[S | y] <= t Pr[S | z] + delta for every set S of outputs, and only then (S of the
j where the difference is positive). With slacks s[y, z, j] >= 0 it is linear:

    q[y, j] - t q[z, j] - s[y, z, j] <= 0,  sum_j s[y, z, j] <= delta.

Dual: minimise sum_y pi_y + delta sum_{y, z} max_j lambda[y, z, j] over lambda >= 0 and pi with, for all y and j,

    pi_y + sum_z (lambda[y, z, j] - t lambda[z, y, j]) >= w[y, j].

The rows of the program, after the row sums: for each y, and each z other than y, the J rows of the first kind, then the
one of the second; slacks in the order of y, z, j.

For the hit rate, w[y, y] = p_y and zero elsewhere, the optimum is delta + (1 - delta) max_k w_k, w_k the hit rate of
RRTop-k (ghazi2021, Theorem 3), for 0 <= delta < 1: the label itself with probability delta, RRWithPrior else.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations

import numpy as np

from lpmech.entries import Array, as_array, exact_texts, to_exact, total
from lpmech.errors import ProgramError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.hit_floors import with_floor
from lpmech.programs.linear import LinearProgram, Row, Unknown
from lpmech.programs.optimal import exact_gains, optimal_channel
from lpmech.programs.uncertain_priors import PriorSet, for_worst_prior

__all__ = ["approximate_channel"]


def approximate_channel(
    utility: object,
    epsilon: PrivacyLevel | float,
    delta: object,
    prior: object = None,
    names: Sequence[Hashable] | None = None,
    priors: PriorSet | None = None,
    hit_floor: object = None,
) -> LinearProgram:
    """The program for the best (epsilon, delta)-private channel.

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Larger is better; a loss is given as its negative. Floats stand for the rational numbers that they are.
    epsilon : float or PrivacyLevel
        Of a float the program has a rational number just below e^epsilon (`PrivacyLevel.ratio_below`): what is private
        at it is private at epsilon.
    delta : number
        At least 0, below 1; 0 is pure epsilon.
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
        Call `LinearProgram.solve` on it: ``"exact"`` for up to 4,500 rows, J + 1 for each two labels, so 16 labels that
        stay labels; ``"float"`` beyond, with both ends exact and a gap.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError, LabelError
        If an argument is not usable.
    ProgramError
        If delta is not from 0 on and below 1, or the floor not a number from 0 to 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.programs.approximate import approximate_channel
    >>> from lpmech.utilities import hit
    >>> solution = approximate_channel(hit(3), PrivacyLevel.from_ratio(2), Fraction(1, 10)).solve()
    >>> solution.value, solution.bound  # 1/10 + 9/10 of 2/4
    (Fraction(11, 20), Fraction(11, 20))
    """
    program = optimal_channel(utility, epsilon, prior, inputs=names, outputs=names, priors=priors)
    weights, ratio, slack = exact_gains(program), program.level.ratio_below, _exact_delta(delta)
    size, width = weights.shape
    objective: dict[Unknown, Fraction] = {
        (y, j): Fraction(weights[y, j]) for y in range(size) for j in range(width) if weights[y, j]
    }
    rows: list[Row] = []
    slacks: list[str] = []
    for y, z in permutations(range(size), 2):
        pair = f"{program.inputs[y]!r} against {program.inputs[z]!r}"
        excess = [f"excess of {y} over {z} at {j}" for j in range(width)]
        for j, name in enumerate(excess):
            terms: dict[Unknown, Fraction] = {(y, j): Fraction(1), (z, j): -ratio, name: Fraction(-1)}
            rows.append(Row(f"{pair}: output {program.outputs[j]!r}", terms, Fraction(0)))
        rows.append(Row(f"{pair}: delta", dict.fromkeys(excess, Fraction(1)), slack))
        slacks += excess

    def slacks_of(matrix: Array) -> Mapping[str, Fraction]:
        pairs = permutations(range(size), 2)
        values = np.concatenate([np.maximum(matrix[y] - ratio * matrix[z], 0) for y, z in pairs] or [[]])
        return dict(zip(slacks, values.tolist(), strict=True))

    data = {"weights": exact_texts(weights), "ratio": str(ratio), "delta": str(slack)}
    names = program.inputs, program.outputs
    made = LinearProgram(
        *names, objective, tuple(rows), tuple(slacks), "delta", data, partial(_private, ratio=ratio, delta=slack),
        slacks_of,
    )  # fmt: skip
    if hit_floor is not None:
        made = with_floor(made, hit_floor, PrivacyLevel.from_ratio(ratio))
    return made if priors is None else for_worst_prior(made, weights, priors)


def _exact_delta(delta: object) -> Fraction:
    """Delta, exactly.

    Raises
    ------
    ProgramError
        If it is not from 0 on and below 1.
    """
    value = to_exact(as_array([delta], "delta", 1, ProgramError))[0]
    if not 0 <= value < 1:
        raise ProgramError("delta", delta, "a number with 0 <= delta < 1")
    return Fraction(value)


def _private(found: Array, ratio: Fraction, delta: Fraction) -> Array:
    """An exact matrix near one of floats: mixed with as little of the uniform channel as makes it private."""
    near = to_exact(np.round(np.maximum(found, 0.0) * 2.0**48)) / 2**48
    near = near / np.array([[total(row)] for row in near], dtype=object)
    uniform = Fraction(1, near.shape[1])
    for power in range(48, -1, -1):
        share = Fraction(1, 2**power)
        mixed = (1 - share) * near + share * uniform
        if all(total(np.maximum(a - ratio * b, 0)) <= delta for a, b in permutations(list(mixed), 2)):
            break
    return mixed
