"""Whose labels were counted: what `lpmech design` asks before anything depends on the counts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lpmech.cli.common import Epsilon, Switch
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.labels.reading import Reading, read_counts

if TYPE_CHECKING:
    from lpmech.labels.counts import LabelCounts
    from lpmech.labels.row_choice import RowChoice
    from lpmech.privacy import PrivacyLevel
    from lpmech.release import Spent
    from lpmech.release.bought import BoughtCounts
    from lpmech.release.purchases import Purchase

__all__ = ["WHOSE", "Counted", "CountOptions", "announce"]

WHOSE = """\
lpmech: --output: whose labels were counted? A mechanism tuned on the exact counts of private labels betrays them
lpmech: say --counts-are public (a census, other people's data), or --counts-are private --spend 0.2 (buys noisy counts)
"""


@dataclass(frozen=True)
class Counted:
    """Counts that may be looked at, the level that is left for the release, and what was paid.

    Attributes
    ----------
    counts : LabelCounts
        Public, or noisy.
    level : PrivacyLevel
        Of the release.
    epsilon : str
        The same as text.
    spent : Spent or None
        On noisy counts; None for public ones.
    bought : BoughtCounts, optional
        The noisy counts as they were drawn.
    books : tuple of str
        What the ledger says of private counts: lines for who holds the labels.
    """

    counts: LabelCounts
    level: PrivacyLevel
    epsilon: str
    spent: Spent | None
    bought: BoughtCounts | None = None
    books: tuple[str, ...] = ()


@dataclass(frozen=True)
class CountOptions:
    """Whose labels were counted, and what their counts may cost.

    Attributes
    ----------
    counts_are
        public: a census, a published table, other people's data. private: counts of the labels that are to be
        protected; then --spend buys noisy counts, and all that is written or printed is made from these.
    spend
        With private counts: the part of epsilon for the noisy counts.
    composition
        With private counts. sequential (default): the counted rows are released, too. parallel: they never are.
    share
        With --composition parallel: the share of the rows, chosen at random, that is counted and will be left out of
        the release, such as 0.1; without it all rows of the file are counted, and other rows are to be released.
    buy_again
        With private counts: buy new noisy counts where the ledger has some of the very same labels, bought for the same
        part of epsilon, which else are used again and cost nothing.
    ledger
        With private counts: where their cost is entered; default: lpmech-ledger.json beside the counts.
    """

    counts_are: Literal["public", "private"] | None = None
    spend: Epsilon | None = None
    composition: Literal["sequential", "parallel"] | None = None
    share: str | None = None
    buy_again: Switch = False
    ledger: Path | None = None

    def counted(
        self,
        path: Path,
        level: PrivacyLevel,
        how: Reading,
        rehearse: Callable[[Counted], object],
        utility: str = "",
        floor: bool = False,
    ) -> Counted:
        """Read the counts of a file, and buy noisy ones in their place where they are private.

        Before anything is paid, `rehearse` gets the labels, each counted once, and the level that will be left: it does
        with them all that will be done with the noisy counts, so that what can fail fails before. What that costs in
        time and memory, for this `utility` and with a `floor` under the hit rates or without, is announced.

        Raises
        ------
        LpmechError
            If the options do not go together, or the file cannot be read, or the ledger not written.
        """
        from lpmech.budgets import epsilon_text

        spent = self._spent(level, how)
        choice = self._choice(spent)
        if spent is not None and os.path.exists(path) and not os.path.isfile(path):
            raise DataFileError("file", str(path), "a regular file where counts are private: it is read twice")
        if spent is None:
            counts = read_counts(path, how, choice)
            announce(len(counts.labels), utility, floor)
            return Counted(counts, level, epsilon_text(level), None)
        from lpmech.release.bookkeeping import file_sha256
        from lpmech.release.bought import BoughtCounts
        from lpmech.release.private_counts import in_place_of, level_within
        from lpmech.release.purchases import buy

        sha256 = file_sha256(path)
        counts = read_counts(path, how, choice, "private")
        announce(len(counts.labels), utility, floor, designs=2)
        left = level_within(spent.release)
        once = BoughtCounts((1,) * len(counts.counts), len(counts.counts))
        rehearse(Counted(in_place_of(counts, once), left, spent.release, spent, once))
        found = buy(path, sha256, counts, spent, how, choice=choice, anew=self.buy_again, ledger=self.ledger)
        return Counted(in_place_of(counts, found.bought), left, spent.release, found.spent, found.bought, _books(found))

    def _spent(self, level: PrivacyLevel, how: Reading) -> Spent | None:
        """What private counts cost; None for others."""
        if self.counts_are != "private":
            for name in ("spend", "composition", "share", "buy_again", "ledger"):
                if getattr(self, name):
                    raise InvalidInputError(name, getattr(self, name), "this option with --counts-are private only")
            return None
        if self.spend is None:
            allowed = "the part of epsilon that buys noisy counts, such as --spend 0.2"
            raise InvalidInputError("spend", self.spend, allowed)
        if level.is_exact:
            allowed = "--epsilon where counts are private, for costs to add up"
            raise InvalidInputError("ratio", str(level.ratio), allowed)
        fixed = how.order if how.bins is None else how.range or ("," in how.bins or None)
        if fixed is None or (how.bins or "").startswith("quantile"):
            allowed = "--order with all labels that may occur, or --bins with --range: else it shows which labels occur"
            raise InvalidInputError("order" if how.bins is None else "bins", how.bins, allowed)
        from lpmech.release.private_counts import shared

        return shared(repr(level.epsilon), repr(self.spend), self.composition or "sequential")

    def _choice(self, spent: Spent | None) -> RowChoice | None:
        """Which rows are counted, None for all."""
        if self.share is None:
            return None
        if spent is None or spent.composition != "parallel":
            raise InvalidInputError("share", self.share, "this option with --composition parallel only")
        from lpmech.labels.row_choice import RowChoice

        return RowChoice.draw(self.share)


def _books(bought: Purchase) -> tuple[str, ...]:
    from lpmech.budgets import amount_text

    total = f"spent on these labels by now: epsilon = {amount_text(bought.total)}"
    if bought.before is None:
        return (total,)
    again = f"used again: the noisy counts bought on {bought.before} at epsilon = {bought.spent.prior}"
    return (f"{again}; nothing was spent now (--buy-again buys new ones)", total)


def announce(size: int, utility: str = "", floor: bool = False, designs: int = 1) -> None:
    """Say on stderr what so many designs for many labels will cost; refuse what does not fit into memory."""
    from lpmech.designs.costs import estimated_cost

    cost = estimated_cost(size, utility, floor, designs)
    if cost.memory > cost.available:
        raise InvalidInputError(
            "counts", f"{size} distinct labels, about {cost.memory / 1e9:.0f} GB and {cost.text}", "fewer: --bins 100"
        )
    if cost.seconds > 10:
        hint = "; --bins groups numbers" if size > 1000 else ""
        sys.stderr.write(f"lpmech: {size} labels: about {cost.text} and {cost.memory / 1e9:.1f} GB{hint}\n")
