"""Best channels for the worst prior of a set: HiGHS on column floors, its answer made exact, or its basis solved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.common_denominators import exact_product
from lpmech.entries import Array, as_array, to_exact, to_float
from lpmech.errors import ProgramError, SolverError
from lpmech.programs.general import Program
from lpmech.programs.hit_floors import as_floor
from lpmech.programs.linear import LinearProgram, Row
from lpmech.programs.solvers.hit_floors import solve_for_worst_prior
from lpmech.programs.uncertain_priors import PriorSet, WorstCase, for_worst_prior, prior_of_proof

__all__ = ["best_for_worst_prior"]

#: Largest programs: rows of an exact one, entries of the utility in floats.
_MOST_EXACT, _MOST_FLOAT = 4_500, 22_500


def best_for_worst_prior(
    program: Program, priors: PriorSet, solver: str | None = None, hit_floor: object = None
) -> WorstCase:
    """The channel whose expected utility under its worst prior of a set is largest.

    Parameters
    ----------
    program : Program
        The usual one with the utility as its weights; without fixed entries.
    priors : PriorSet
        Of as many labels.
    solver : {"exact", "float"}, optional
        Default: exact for an exact level and utility of at most 45 labels (4,500 rows, two for each entry and four for
        each label), else floats, from which a channel is made that is private to the last bit and a prior that is in
        the set exactly, with `value` and `bound` close together. Where e^epsilon is nearly 1 or above 10^6, the basis
        that HiGHS finds need not verify, and ``"exact"`` ends at about ten labels.
    hit_floor : number or str, optional
        The least hit rate of each label (`lpmech.programs.hit_floors.as_floor`), for a square utility.

    Raises
    ------
    UtilityError, PriorError
        If the program is not usable.
    ProgramError
        If the program is too large, there is no such solver, the level or the utility are not exact, or no private
        channel keeps the floor.
    SolverError
        If HiGHS fails, or its channel does not keep the floor when it is made exact.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel, optimal_channel
    >>> from lpmech.programs.uncertain_priors import priors_within
    >>> from lpmech.utilities import hit
    >>> near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    >>> found = optimal_channel(hit(3), PrivacyLevel.from_ratio(2), priors=near).solve()
    >>> found.value, found.bound
    (Fraction(17, 30), Fraction(17, 30))
    """
    priors.check(len(program.inputs))
    exact, entries = program.is_exact, program.weights.size
    rows = 2 * entries + 4 * len(program.inputs)
    if solver not in (None, "exact", "float"):
        raise ProgramError("solver", solver, "'exact' or 'float'")
    if solver == "exact" and not exact:
        raise ProgramError("solver", solver, "'float', or an exact level and an exact utility")
    chosen = solver or ("exact" if exact and rows <= _MOST_EXACT else "float")
    if chosen == "exact" and rows > _MOST_EXACT:
        raise ProgramError("utility", f"{rows} rows", f"at most {_MOST_EXACT}, so 45 labels, for the solver 'exact'")
    if chosen == "float" and entries > _MOST_FLOAT:
        raise ProgramError("utility", f"{entries} entries", f"at most {_MOST_FLOAT} for the solver 'float'")
    least = None
    if hit_floor is not None:
        if len(program.outputs) != len(program.inputs):
            raise ProgramError("hit_floor", hit_floor, "no floor where outputs are not the labels")
        least = as_floor(hit_floor, len(program.inputs), program.level)
    return (_exactly if chosen == "exact" else _in_floats)(program, priors, least)


def _in_floats(program: Program, priors: PriorSet, least: Fraction | None) -> WorstCase:
    found, prior, duals, prices = solve_for_worst_prior(to_float(program.weights), program.level, priors, least)
    channel = Channel(found, program.inputs, program.outputs).exact(program.level)
    return _worst_case(program, priors, channel, prior, duals, least, to_exact(prices))


def _exactly(program: Program, priors: PriorSet, least: Fraction | None) -> WorstCase:
    utility = to_exact(program.weights)
    found = for_worst_prior(_on_column_floors(program, utility, least), utility, priors).solve("exact")
    size, duals = len(utility), as_array(found.duals, "duals", 1)
    prices, prior = duals[-3 * size : -2 * size], prior_of_proof(found, priors)
    return _worst_case(program, priors, found.channel, prior, duals[:size], least, prices)


def _on_column_floors(program: Program, utility: Array, least: Fraction | None) -> LinearProgram:
    """The usual program with m_j <= q[y, j] <= t m_j, slacks m_j; after these rows, those of the floors of hits."""
    one, none, ratio = Fraction(1), Fraction(0), program.level.ratio_below
    floors = [f"the least of output {j}" for j in range(utility.shape[1])]
    rows: list[Row] = []
    for y, j in np.ndindex(*utility.shape):
        name = f"{program.inputs[y]!r} at {program.outputs[j]!r}, "
        rows.append(Row(name + "least", {floors[j]: one, (y, j): -one}, none))
        rows.append(Row(name + "most", {(y, j): one, floors[j]: -ratio}, none))
    if least is not None:
        rows += [Row(f"hits of {name!r}", {(y, y): -one}, -least) for y, name in enumerate(program.inputs)]
    made = LinearProgram(program.inputs, program.outputs, {}, tuple(rows), tuple(floors))
    return replace(made, units=dict.fromkeys(made.unknowns, one) | dict.fromkeys(floors, 1 / ratio))


def _worst_case(
    program: Program,
    priors: PriorSet,
    channel: Channel,
    prior: Array,
    duals: Array,
    least: Fraction | None,
    prices: Array,
) -> WorstCase:
    utility = to_exact(program.weights)
    if least is not None and min(channel.matrix.diagonal().tolist()) < least:
        raise SolverError("the solver's channel does not keep the floor of all hit rates")
    weights = exact_product(prior[:, None], utility)
    proof = Program(weights, program.level, program.inputs, program.outputs)
    return WorstCase(utility, priors, proof, channel, prior, duals, least, None if least is None else prices)
