"""The papers' own programs for a practitioner's label counts, solved, beside the papers' closed forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lpmech.entries import Number, as_array
from lpmech.errors import UtilityError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import utility_named
from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m, common_m_star
from lpmech.mechanisms.bipartite_rr.program import (
    best_rearrangement,
    common_weights_in_cvxpy,
    global_program,
    global_program_in_cvxpy,
)
from lpmech.mechanisms.block_rr import (
    block_rr_from_partition,
    block_rr_in_cvxpy,
    block_rr_program_from_decay,
    favoured_labels,
    partition_by_decay,
)
from lpmech.mechanisms.rr_with_prior import best_k, lp1, lp1_in_cvxpy, lp2_in_cvxpy, rr_with_prior
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program, Solution

if TYPE_CHECKING:
    import cvxpy as cp

__all__ = ["ClosedForm", "PaperProgram", "decay_and_partition", "ghazi2021", "liu2026", "zhang2025"]


@dataclass(frozen=True)
class ClosedForm:
    """A closed form beside the program it is to solve.

    Attributes
    ----------
    name, parameters : str
        What it is, and what its formulas chose.
    value : Fraction or float
        The program's objective at it.
    """

    name: str
    parameters: str
    value: Number


@dataclass(frozen=True)
class PaperProgram:
    """A paper's program, solved.

    Attributes
    ----------
    name, setting : str
        The paper's name of the program, and its parameters.
    solution : Solution
        The optimum with its proof; exact for an exact level, and exact weights.
    beside : tuple of ClosedForm
        The paper's closed forms.
    written : mapping from str to cvxpy.Problem
        The program as cvxpy writes it, in the paper's letters, by name; of ghazi2021 also LP2, of zhang2025 also the
        one over common weights.
    """

    name: str
    setting: str
    solution: Solution
    beside: tuple[ClosedForm, ...]
    written: Mapping[str, cp.Problem]

    def difference(self, form: ClosedForm) -> Number:
        """How far a closed form stays below the optimum (its certified upper end)."""
        return self.solution.bound - form.value


def _solved(program: Program) -> Solution:
    return program.solve("exact" if program.is_exact else None)


def ghazi2021(counts: LabelCounts, level: PrivacyLevel) -> PaperProgram:
    """LP1 of ghazi2021 Theorem 3, beside RRWithPrior; written out with LP2, its relaxation to the diagonal.

    Raises
    ------
    SolverError
        If a solver fails.
    """
    prior = counts.prior
    solution = _solved(lp1(prior, level))
    form = ClosedForm(
        "RRWithPrior", f"k* = {best_k(prior, level)}", solution.program.value(rr_with_prior(prior, level))
    )
    written = {"LP1": lp1_in_cvxpy(prior, level), "LP2": lp2_in_cvxpy(prior, level)}
    return PaperProgram("LP1", "", solution, (form,), written)


def decay_and_partition(counts: LabelCounts, level: PrivacyLevel, decay: Number) -> tuple[Number, tuple[int, ...]]:
    """e^(-1/sigma) as the program takes it, exact for an exact level, and S1 of liu2026 Alg. 2 line 5 for just that.

    Raises
    ------
    UtilityError, InvalidInputError
        If the decay is not a finite number, or not in [0, 1).
    """
    factor = as_array([decay], "decay", 1, UtilityError)[0]
    if level.is_exact:
        factor = Fraction(factor)
    return factor, tuple(partition_by_decay(counts.prior, factor)[0])


def liu2026(
    counts: LabelCounts, level: PrivacyLevel, decay: Number, majority: Sequence[int], l: int | None = None
) -> Iterator[PaperProgram]:
    """liu2026 eq. (4.1) beside BlockRR, Delta by Alg. 2 line 7, for one l or for all of 0..|S1|.

    Parameters
    ----------
    counts : LabelCounts
        The prior is their empirical distribution.
    level : PrivacyLevel
        Privacy level.
    decay, majority
        e^(-1/sigma) and S1; see `decay_and_partition`.
    l : int, optional
        |Delta|. It is in the program and in BlockRR by the rows of S2 only: where there are none, all l are one.

    Yields
    ------
    PaperProgram

    Raises
    ------
    UtilityError, BlockError
        If decay, S1 or l are not usable.
    SolverError
        If a solver fails.
    """
    prior = counts.prior
    same = l is None and len(majority) == len(prior)
    for size in (0,) if same else range(len(majority) + 1) if l is None else (l,):
        favoured = ", ".join(counts.labels[j] for j in favoured_labels(prior, majority, size))
        solution = _solved(block_rr_program_from_decay(prior, majority, decay, level, size))
        value = solution.program.value(block_rr_from_partition(prior, majority, level, size))
        yield PaperProgram(
            "(4.1)",
            "every l" if same else f"l = {size}",
            solution,
            (ClosedForm("BlockRR", "S2 = {}, any Delta" if same else f"Delta = {{{favoured}}}", value),),
            {"(4.1)": block_rr_in_cvxpy(prior, majority, decay, level, size)},
        )


def zhang2025(counts: LabelCounts, level: PrivacyLevel, utility: str = "absolute") -> PaperProgram:
    """zhang2025's maximisation over all private channels (section I), beside BRR (Alg. 2) and BRR* (Alg. 3).

    Between them stands the largest value with one weight vector for the sorted items of all rows, eq. (12) with (14):
    what Alg. 3 maximises.

    Raises
    ------
    DataFileError, UtilityError
        If the utility is a file that cannot be read, or not usable.
    SolverError
        If a solver fails.
    """
    prior, gain = counts.prior, utility_named(utility, counts)
    solution = _solved(global_program(gain, level, prior))
    forms = [ClosedForm("common weights", "one s in [1, t]^N, (12)", best_rearrangement(gain, level, prior))]
    for name, m in (("BRR*", common_m_star(gain, level, prior)), ("BRR", common_m(gain, level))):
        forms.append(ClosedForm(name, f"m = {m}", bipartite_channel(gain, m, level).expected_utility(gain, prior)))
    written = {
        "Q_g": global_program_in_cvxpy(gain, level, prior),
        "(12), common weights": common_weights_in_cvxpy(gain, level, prior),
    }
    return PaperProgram("Q_g", f"utility {utility}", solution, tuple(forms), written)
