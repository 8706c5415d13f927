"""The front door: the program for the best private channel, for one prior or for the worst prior of a set."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from lpmech.common_denominators import exact_product, short_product
from lpmech.entries import Array, as_array, is_exact, names_of_axes, to_exact, unify
from lpmech.errors import LabelError, ProgramError, UtilityError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.general import Fixed, Program, names_of

if TYPE_CHECKING:
    from lpmech.programs.uncertain_priors import PriorSet, WorstCase

__all__ = ["UncertainProgram", "exact_gains", "optimal_channel"]


@dataclass(frozen=True)
class UncertainProgram:
    """The program for the worst prior of a set; `lpmech.optimal_channel` makes it.

    Attributes
    ----------
    utility : ndarray, shape (K, J)
    level : PrivacyLevel
    priors : PriorSet
    inputs, outputs : tuple of hashable
        Names of rows and columns.
    """

    utility: Array
    level: PrivacyLevel
    priors: PriorSet
    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]

    def solve(self, solver: str | None = None, hit_floor: object = None) -> WorstCase:
        """`lpmech.programs.solvers.uncertain_priors.best_for_worst_prior`, with its limits and errors."""
        from lpmech.programs.solvers.uncertain_priors import best_for_worst_prior

        program = Program(self.utility, self.level, self.inputs, self.outputs)
        return best_for_worst_prior(program, self.priors, solver, hit_floor)


@overload
def optimal_channel(
    utility: object,
    epsilon: PrivacyLevel | float,
    prior: object = None,
    *,
    inputs: Sequence[Hashable] | None = None,
    outputs: Sequence[Hashable] | None = None,
    fixed: Fixed | None = None,
    allowed: Sequence[Hashable] | None = None,
    priors: None = None,
) -> Program: ...


@overload
def optimal_channel(
    utility: object,
    epsilon: PrivacyLevel | float,
    prior: object = None,
    *,
    inputs: Sequence[Hashable] | None = None,
    outputs: Sequence[Hashable] | None = None,
    fixed: Fixed | None = None,
    allowed: Sequence[Hashable] | None = None,
    priors: PriorSet,
) -> UncertainProgram: ...


def optimal_channel(
    utility: object,
    epsilon: PrivacyLevel | float,
    prior: object = None,
    *,
    inputs: Sequence[Hashable] | None = None,
    outputs: Sequence[Hashable] | None = None,
    fixed: Fixed | None = None,
    allowed: Sequence[Hashable] | None = None,
    priors: PriorSet | None = None,
) -> Program | UncertainProgram:
    """The program for the best private channel: maximise the expected utility.

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Larger is better; a loss is given as its negative.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        Distribution of the true label; uniform if omitted. A Series is read by its names.
    inputs, outputs : sequence of hashable, optional
        Names of the rows and columns of `utility`; default: those of a DataFrame, else 0..K-1 and 0..J-1.
    fixed : mapping (input, output) -> number, optional
        Prescribed entries of the channel.
    allowed : sequence of hashable, optional
        The outputs that may be released; the channel has these columns only. Default: all.
    priors : PriorSet, optional
        The priors among which the true one is, in place of one prior: the expected utility under the worst one is
        maximised (`lpmech.programs.uncertain_priors`). Without `fixed` and `allowed`.

    Returns
    -------
    Program or UncertainProgram
        The second for a set of priors. Call `solve` on it.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError, LabelError, ProgramError
        If an argument is not usable.

    Examples
    --------
    The best channel for the distance as a loss, exactly, and its proof, a number for each label:

    >>> from lpmech import PrivacyLevel, optimal_channel
    >>> from lpmech.utilities import absolute
    >>> solution = optimal_channel(absolute(3), PrivacyLevel.from_ratio(3)).solve("exact")
    >>> solution.value, solution.row_duals.tolist()
    (Fraction(-8, 15), [Fraction(-7, 30), Fraction(-1, 15), Fraction(-7, 30)])
    """
    inputs, outputs = names_of_axes(utility, inputs, outputs)
    gain = as_array(utility, "utility", 2, UtilityError, (inputs, outputs))
    names = names_of(outputs, gain.shape[1], "outputs")
    if priors is not None:
        for argument, value in (("prior", prior), ("fixed", fixed), ("allowed", allowed)):
            if value is not None:
                raise ProgramError(argument, value, "nothing beside `priors`, the set among which the prior is")
        rows = names_of(inputs, gain.shape[0], "inputs")
        return UncertainProgram(gain, as_privacy_level(epsilon), priors, rows, names)
    weights = as_prior(prior, gain.shape[0], inputs)
    gain, weights = unify(gain, weights)
    short = short_product(weights[:, None], gain) if is_exact(gain) and allowed is None else None
    if short is not None:
        return Program.of_numerators(*short, epsilon, inputs, names, fixed)
    objective = exact_product(weights[:, None], gain) if is_exact(gain) else weights[:, None] * gain
    if allowed is not None:
        unknown = [name for name in allowed if name not in names]
        if unknown or not allowed:
            raise LabelError("allowed", unknown or allowed, f"one or more of {names!r}")
        objective = objective[:, [names.index(name) for name in allowed]]
        names = tuple(allowed)
    return Program(objective, epsilon, inputs, names, fixed)


def exact_gains(program: Program | UncertainProgram) -> Array:
    """The weights, or the utility of which the worst prior counts, as Fractions, shape (K, J)."""
    return to_exact(program.weights if isinstance(program, Program) else program.utility)
