"""The private channel of the largest information for label counts, beside what else is private."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lpmech.certify.checker import MAX_TEXT
from lpmech.channel import Channel
from lpmech.designs.comparing import Comparison
from lpmech.entries import Array, to_exact, total
from lpmech.labels.counts import Labels, as_label_counts
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.mechanisms.subset_selection import subset_selection
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.optimality import loss_percent
from lpmech.programs.sublinear import Measure, SublinearSolution, information

__all__ = ["InformationDesign", "design_for_information"]

#: Subset selection is compared on so many labels, with so many outputs at most.
_MOST_LABELS, _MOST_SETS = 12, 300


@dataclass(frozen=True)
class InformationDesign:
    """The private channel of the largest information, and others.

    Attributes
    ----------
    labels : tuple of str
    level : PrivacyLevel
    utility_name : str
        The measure.
    solution : SublinearSolution
        Both ends of the optimum; outputs are sets of labels, "{a, b}" for those that release it t times as often.
    comparisons : tuple of Comparison
        The first is ``optimal``; the others by falling information.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    utility_name: str
    solution: SublinearSolution
    comparisons: tuple[Comparison, ...]


def design_for_information(
    counts: Labels, epsilon: PrivacyLevel | float, measure: Measure = "kullback-leibler"
) -> InformationDesign:
    """Find the private channel of which the output says most of the label.

    Parameters
    ----------
    counts
        As for `lpmech.design`, of at most 200 labels; counts are taken for public.
    epsilon : float or PrivacyLevel
        Privacy level.
    measure : {"kullback-leibler", "chi-squared", "total-variation"}
        As for `lpmech.programs.sublinear.information`; the first is the mutual information in nats.

    Raises
    ------
    PrivacyLevelError, LabelError, ProgramError
        If an argument is not usable.

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.designs.information_design import design_for_information
    >>> found = design_for_information({"a": 5, "b": 3, "c": 2}, PrivacyLevel.from_ratio(2), "chi-squared")
    >>> found.solution.value == found.solution.bound, found.solution.channel.outputs
    (True, ('{a}', '{b}', '{c}'))
    """
    counts, level = as_label_counts(counts), as_privacy_level(epsilon)
    prior, rows, size = to_exact(counts.prior), sum(counts.counts), len(counts.labels)
    program = information(prior, level, measure, counts.labels)
    solved = program.solve()
    solution = SublinearSolution(program, _with_names(solved.channel), solved.duals)
    exact, optimum = PrivacyLevel.from_ratio(program.ratio), float(solution.value)

    def entry(name: str, parameters: str, channel: Channel) -> Comparison:
        worth = float(program.ends(channel)[0])
        loss = loss_percent(worth, optimum)
        return Comparison(name, parameters, worth, loss, channel.epsilon, channel, counts.prior, rows)

    half = min(_prefixes(prior), key=lambda kept: abs(total(prior[kept]) - 0.5))
    others = [
        entry("randomized_response", "", randomized_response(size, exact)),
        entry("rr_with_prior", "", rr_with_prior(prior, exact)),
        entry("rr_on_bins", f"{int(half.sum())} of {size} labels", rr_on_bins(half.astype(int).tolist(), exact)),
    ]
    sets = [d for d in range(2, size) if size <= _MOST_LABELS and math.comb(size, d) <= _MOST_SETS]
    several = [entry("subset_selection", f"d = {d}", subset_selection(size, exact, d).channel()) for d in sets]
    if several:
        others.append(max(several, key=lambda found: found.expected_utility))
    others.sort(key=lambda found: -found.expected_utility)
    return InformationDesign(
        counts.labels, level, str(measure), solution, (entry("optimal", "", solution.channel), *others)
    )


def _prefixes(prior: Array) -> list[Array]:
    """The most likely labels, one more each time, but not all."""
    order = sorted(range(len(prior)), key=prior.__getitem__, reverse=True)
    return [np.isin(np.arange(len(prior)), order[:k]) for k in range(1, max(len(prior), 2))]


def _with_names(channel: Channel) -> Channel:
    """Outputs as texts: "{a, b}", or numbers where labels make two of them alike, or one too long for certificates."""
    names = ["{" + ", ".join(map(str, kept)) + "}" for kept in channel.outputs]  # type: ignore[call-overload]
    if len(set(names)) < len(names) or max(map(len, names)) > MAX_TEXT:
        names = [f"output {i}" for i in range(1, len(names) + 1)]
    return channel.renamed(channel.inputs, names)
