"""The best private channel for a practitioner's label counts, beside every published mechanism that applies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.certify import Certificate, certificate_around
from lpmech.certify.certificate import certificate_of_worst_case
from lpmech.certify.checker import above, below
from lpmech.certify.packing import refuse_uncertifiable
from lpmech.channel import Channel
from lpmech.designs.comparing import Comparison, compared_with, published_beside
from lpmech.designs.optimum import optimum_for_worst_prior, optimum_of
from lpmech.entries import Array, as_array, digest_of
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.labels.counts import LabelCounts, Labels, as_label_counts
from lpmech.labels.named_utilities import needs_order, utility_named
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.hit_floors import floor_bound
from lpmech.programs.symmetry import Symmetry
from lpmech.programs.uncertain_priors import PriorSet

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Design", "design", "utility_of"]


@dataclass(frozen=True, repr=False)
class Design:
    """The optimum for given label counts, its certificate, and the comparison with every mechanism.

    Attributes
    ----------
    labels : tuple of str
        Names of the labels.
    level : PrivacyLevel
        The level asked for.
    utility_name : str
        See `utility_named`; or the file's name.
    utility, prior : ndarray
        What was maximised; shapes (K, K) and (K,).
    certificate : Certificate
        Proof that the optimum lies between its `lower` and `upper`; with a floor, that of the priced program
        (`lpmech.programs.hit_floors`).
    comparisons : tuple of Comparison
        The first is ``optimal``, what is to be released; the others by falling expected utility. Losses are against the
        best channel without a floor.
    symmetry : Symmetry
        Of utility and prior: which labels cannot be told apart.
    floor, prices : Fraction and ndarray of Fraction, shape (K,), optional
        The least hit rate that every label was to keep, and what it costs; None without one.
    priors : PriorSet, optional
        The priors of which the worst was to count; the certificate is about that. None without them.
    error_before : float, optional
        Error of a share under another channel of the same utility, where one was to be chosen from several: see
        `lpmech.designs.optimum.Optimum`.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    utility_name: str
    utility: Array
    prior: Array
    certificate: Certificate
    comparisons: tuple[Comparison, ...]
    symmetry: Symmetry
    floor: Fraction | None = None
    prices: Array | None = None
    error_before: float | None = None
    priors: PriorSet | None = None

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """Where the optimum, under the floor if there is one, was proved to lie."""
        if self.floor is None or self.prices is None:
            return self.certificate.lower, self.certificate.upper
        paid = sum(v * price for v, price in zip(self.optimum.channel.matrix.diagonal(), self.prices, strict=True))
        return self.certificate.lower - paid, floor_bound(self.certificate.upper, self.prices, self.floor)

    @property
    def optimum(self) -> Comparison:
        """The row of the program's optimum."""
        return self.comparisons[0]

    def named(self, mechanism: str) -> Comparison:
        """The row of a mechanism that may be released through.

        Raises
        ------
        InvalidInputError
            If there is none of that name, it says nothing of the label, or it breaks the floor that was asked for.
        """
        usable = {row.mechanism: row for row in self.comparisons if row.epsilon > 0 or row is self.optimum}
        kept = {"optimal": self.optimum} if self.floor is not None else usable
        if mechanism not in kept:
            floor = " (which keeps the floor)" if self.floor is not None else ""
            allowed = f"{', '.join(kept)}{floor}; with --utility count also mechanisms that release sets"
            raise InvalidInputError("mechanism", mechanism, allowed)
        return kept[mechanism]

    @property
    def channel(self) -> Channel:
        """The best channel, under the floor if there is one: what is to be released through."""
        return self.optimum.channel

    def to_frame(self) -> pd.DataFrame:
        """The comparison as a DataFrame, a row for each mechanism."""
        with needs("frames"):
            import pandas as pd

        return pd.DataFrame([entry.row() for entry in self.comparisons]).set_index("mechanism")

    def __repr__(self) -> str:
        best = f"optimum {float(self.optimum.expected_utility):.6g}"
        return f"<Design {len(self.labels)} labels, {self.level}, utility {self.utility_name}, {best}>"

    def _repr_html_(self) -> str | None:
        lower, upper = self.interval
        note = f"certified: the optimum lies in [{below(lower, 10)}, {above(upper, 10)}]"
        return html_of(repr(self).strip("<>"), self.to_frame, note)


def design(
    counts: Labels,
    epsilon: PrivacyLevel | float,
    utility: object = "hit",
    hit_floor: float | Fraction | str | None = None,
    priors: PriorSet | None = None,
) -> Design:
    """Find the best private channel for label counts and compare every applicable mechanism with it.

    The counts are taken for public: a channel tuned on the exact counts of private labels betrays them. `lpmech design
    --counts-are private` (and `lpmech.release.private_counts.noisy`) buys noisy ones.

    Parameters
    ----------
    counts : mapping, pandas.Series, sequence or LabelCounts
        Label -> count, or the labels themselves (`lpmech.labels.counts.as_label_counts`); the prior is their empirical
        distribution.
    epsilon : float or PrivacyLevel
        Privacy level.
    utility : str or array_like, shape (K, K)
        A name or a file (`lpmech.labels.named_utilities.utility_named`), or the matrix itself: larger is better.
    hit_floor : number or "halfway", optional
        The least probability with which every label is to be released as itself; "halfway" between chance and
        randomised response is what ``--keep-labels`` asks for.
    priors : PriorSet, optional
        The priors among which the true one is (`lpmech.programs.uncertain_priors`), labels in the order of the counts:
        the best channel for the worst of them is released; ``optimal_for_the_prior`` stands beside it. At most 150
        labels. Beside a floor both keep it, and ``optimal_without_floor`` stands there, too.

    Returns
    -------
    Design
        What is deployed depends neither on the order nor on the names of the labels, and labels that cannot be told
        apart are treated alike. Among optimal channels it is one with little variance of the estimated shares
        (`lpmech.programs.solvers.optimal_face`).

    Raises
    ------
    PrivacyLevelError, LabelError, DataFileError, UtilityError
        If an argument is not usable, or the utility depends on an order of the labels that nobody has given.
    ProgramError
        If no private channel keeps the floor, or there are too many labels for a set of priors.
    PriorError
        If the set of priors is on another number of labels.
    CertificateError
        If there are more than 4,000 labels, or a certificate would be larger than the checker reads.

    Examples
    --------
    >>> import lpmech
    >>> best = lpmech.design({"mild": 50, "moderate": 30, "severe": 15, "critical": 5}, epsilon=1.0)
    >>> best
    <Design 4 labels, epsilon = 1, utility hit, optimum 0.584847>
    >>> best.to_frame().loc[["optimal", "rr_with_prior", "randomized_response"], "loss_percent"].round(2).to_dict()
    {'optimal': 0.0, 'rr_with_prior': 0.0, 'randomized_response': 18.72}
    >>> released = best.channel.sample(["mild", "severe", "mild"])  # drawn exactly, bits from the operating system
    >>> lower, upper = best.interval  # where the optimum was proved to lie, in exact rational arithmetic
    >>> float(upper - lower) < 1e-9
    True
    """
    counts, level = as_label_counts(counts), as_privacy_level(epsilon)
    name, gain = utility_of(utility, counts, level)
    refuse_uncertifiable(gain)
    prior, rows = counts.prior, sum(counts.counts)
    free = optimum_of(gain, level, counts)
    optimum = float(free.program.value(free.channel))
    others = published_beside(gain, level, prior, counts, optimum, free.symmetry)
    first = Comparison("optimal", "", optimum, 0.0, free.channel.epsilon, free.channel, prior, rows)
    found, prices, compared = free, None, (first, *others)
    stated = {"utility": Path(name).name, "utility sha256": digest_of(gain), "prior sha256": digest_of(prior)}
    if hit_floor is not None:
        found = optimum_of(gain, level, counts, hit_floor, free.symmetry)
        prices, floor = found.prices, f"{float(found.floor or 0):.6g}"
        keeping = compared_with("optimal", f"hits >= {floor}", found.channel, gain, prior, optimum, rows)
        compared = (keeping, replace(first, mechanism="optimal_without_floor"), *others)
        stated = {"utility": f"{name}, hits priced to keep the rate {floor}"}
    if priors is not None:
        worst = optimum_for_worst_prior(gain, level, counts, priors, found.floor)
        told = f"{priors.kind} {priors.size}" + (f", {compared[0].parameters}" if compared[0].parameters else "")
        safe = compared_with("optimal", told, worst.channel, gain, prior, optimum, rows)
        compared = (safe, replace(compared[0], mechanism="optimal_for_the_prior"), *compared[1:])
        certificate, prices = certificate_of_worst_case(worst, stated), worst.prices
    else:
        certificate = certificate_around(found.priced, found.channel, found.row_duals, stated)
    return Design(
        counts.labels,
        level,
        name,
        gain,
        prior,
        certificate,
        compared,
        free.symmetry,
        found.floor,
        prices,
        None if priors is not None else found.error_before,
        priors,
    )


def utility_of(utility: object, counts: LabelCounts, level: PrivacyLevel | None = None) -> tuple[str, Array]:
    """Name and matrix of a utility that is given by its name, its file or as the matrix itself.

    Raises
    ------
    UtilityError, DataFileError
        If it is none of these, has the wrong shape, or depends on an order of the labels that nobody has given.
    """
    if isinstance(utility, (str, Path)):
        if needs_order(str(utility), counts):
            allowed = "labels in an order: a mapping, or a pandas Series of an ordered dtype"
            raise UtilityError("utility", utility, allowed)
        return str(utility), utility_named(str(utility), counts, level)
    matrix = as_array(utility, "utility", 2, UtilityError, (counts.labels, counts.labels))
    size = len(counts.labels)
    if matrix.shape != (size, size):
        raise UtilityError("utility", f"shape {matrix.shape}", f"a name, or a {size} x {size} matrix")
    return "given", matrix
