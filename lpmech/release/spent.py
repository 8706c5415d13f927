"""What a release costs each row, with the noisy counts behind its prior."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lpmech.budgets import amount_of, amount_text, require, upper_epsilon

__all__ = ["COMPOSITIONS", "Spent", "total_cost"]

#: How a budget spent on a prior adds to that of the release.
COMPOSITIONS = ("parallel", "sequential")


@dataclass(frozen=True)
class Spent:
    """What a release costs each row; every amount is a decimal or a quotient, in nats.

    Attributes
    ----------
    release : str
        For the released label.
    prior : str or None
        For the noisy counts behind the prior; None if the counts are public.
    total : str
        ``release`` alone, the sum of both (sequential) or the larger (parallel).
    composition : str or None
        ``"parallel"``: no row is in both the noisy counts and the release; ``"sequential"``: rows are in both.
    purchase : str or None
        Random name of the purchase of the noisy counts: two purchases may well be of the same noisy counts.
    """

    release: str
    prior: str | None
    total: str
    composition: str | None
    purchase: str | None = None

    @classmethod
    def on(
        cls, epsilon: str, prior: str | None = None, composition: str | None = None, purchase: str | None = None
    ) -> Spent:
        """Add up a level as the user gave it and what the prior cost."""
        release = upper_epsilon(epsilon)
        return cls(release, prior, amount_text(total_cost(release, prior, composition)), composition, purchase)


def total_cost(release: str, prior: str | None, composition: str | None) -> Fraction:
    """The cost of a release and of what its prior cost, together.

    Raises
    ------
    ReleaseError
        If an amount is none, or the composition is not one that such a release has.
    """
    if prior is None:
        require(composition is None, "spent", composition, "no composition where there is no prior's cost")
        return amount_of(release)
    require(composition in COMPOSITIONS, "spent", composition, " or ".join(COMPOSITIONS))
    both = (amount_of(release), amount_of(prior))
    require(both[1] > 0, "spent", prior, "a positive cost of the prior")
    return max(both) if composition == "parallel" else sum(both, Fraction(0))
