"""How far the shares of the labels may be off: what `lpmech design` is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.errors import PriorError

if TYPE_CHECKING:
    from lpmech.cli.counting import Counted
    from lpmech.entries import Number
    from lpmech.programs.uncertain_priors import PriorSet

__all__ = ["PriorOptions"]


@dataclass(frozen=True)
class PriorOptions:
    """How far the true shares of the labels may be from those of the counts; the best for the worst case is released.

    Attributes
    ----------
    prior_within
        Shares within this total variation distance, such as 0.05: half of the sum of all differences.
    prior_limits
        CSV file with the columns label, low, high: limits of the share of each label.
    confidence
        With --counts-are private: shares of the set that holds the true ones with this probability, such as 0.95, by
        the noise that was used.
    """

    prior_within: str | None = None
    prior_limits: Path | None = None
    confidence: str | None = None

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return (self.prior_within, self.prior_limits, self.confidence) != (None, None, None)

    def check(self, private: bool) -> None:
        """Refuse, before anything is read or paid, options that do not go together.

        Raises
        ------
        PriorError
            If more than one is given, one is no number, or there is no noise that a confidence could be about.
        """
        names = [name for name, value in vars(self).items() if value is not None]
        if len(names) > 1:
            given = str(getattr(self, names[1]))
            raise PriorError(names[1], given, f"at most one of these options, and {names[0]} is given")
        if self.confidence is not None and not private:
            raise PriorError("confidence", self.confidence, "this option with --counts-are private only")
        if (text := self.prior_within) is not None and not 0 <= _number("prior_within", text) <= 1:
            raise PriorError("prior_within", text, "a total variation distance from 0 to 1")
        if (text := self.confidence) is not None and not 0 < _number("confidence", text) < 1:
            raise PriorError("confidence", text, "a probability above 0 and below 1")

    def of(self, counted: Counted) -> PriorSet | None:
        """The set of priors for counts, None if none is asked for.

        Raises
        ------
        DataFileError, PriorError
            If a file of limits is not usable.
        """
        from lpmech.programs.uncertain_priors import priors_between, priors_within
        from lpmech.release.private_counts import confidence_set

        if self.prior_within is not None:
            return priors_within(counted.counts.prior, _number("prior_within", self.prior_within))
        if self.prior_limits is not None:
            labels = counted.counts.labels
            return priors_between(*_limits(self.prior_limits, labels), labels)
        if self.confidence is not None and counted.bought is not None and counted.spent is not None:
            return confidence_set(counted.bought, str(counted.spent.prior), _number("confidence", self.confidence))
        return None


def _number(name: str, text: str) -> Number:
    from lpmech.entries import rational_from_text

    value = rational_from_text(text)
    if value is None:
        raise PriorError(name, text, "a decimal or a quotient, such as 0.05 or 1/20")
    return value


def _limits(path: Path, labels: tuple[str, ...]) -> tuple[list[Number], list[Number]]:
    from lpmech.errors import DataFileError
    from lpmech.files.csv_rows import read_rows
    from lpmech.labels.counts import canonical

    try:
        header, *rows = read_rows(path)
    except DataFileError as exc:
        raise DataFileError("prior_limits", str(path), exc.allowed) from exc
    if header != ["label", "low", "high"] or any(len(row) != 3 for row in rows):
        raise DataFileError("prior_limits", str(path), "a table with the header label,low,high")
    found = {canonical(name): (_number("low", low), _number("high", high)) for name, low, high in rows}
    if len(found) != len(rows) or set(found) != {canonical(label) for label in labels}:
        raise DataFileError("prior_limits", str(path), "one row for each label of the counts")
    pairs = [found[canonical(label)] for label in labels]
    return [low for low, _ in pairs], [high for _, high in pairs]
