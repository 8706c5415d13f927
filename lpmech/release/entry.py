"""One line of a ledger, and what several cost a row together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from lpmech.budgets import amount_of
from lpmech.labels.row_choice import RowChoice

__all__ = ["Entry", "NoisyCounts", "total_of", "utc_now"]


@dataclass(frozen=True)
class NoisyCounts:
    """Noisy counts as they were bought, to be used again where the same is asked of the same file.

    Attributes
    ----------
    asked : str
        How the file was read, and what was to be paid, as JSON.
    labels : tuple of str
        What was counted.
    counts : tuple of int
        With noise as it was drawn, one for each label; may be below zero.
    """

    asked: str
    labels: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """One line of the ledger.

    Attributes
    ----------
    kind : str
        ``"release"`` of labels, or ``"prior"``: noisy counts of them.
    when : str
        Time in UTC.
    file, column : str
        Of the labels; the file as seen from the ledger's directory.
    file_digest, labels_digest : str or None
        Keyed hashes of the file's bytes and of the labels in order.
    rows : int
        How many rows were released or counted.
    epsilon : str
        What that alone cost each of them, in nats.
    prior_sha256, prior_epsilon, composition : str or None
        The noisy counts behind the release, their cost, and how the two add up; all None for public counts.
    choice : RowChoice or None
        The rows that were counted; None for all.
    output : str or None
        Where the labels were released to.
    purchase : str or None
        Random name of the purchase of the noisy counts, in this entry and in those of its releases.
    texts_digest : str or None
        Keyed hash of the labels in order as they are written, whatever the design calls them or how it orders them.
    output_digest : str or None
        Keyed hash of the bytes that were released.
    rows_known, people_known : str or None
        Under which name the ledger has the hashes of the rows, and of their identifiers.
    noisy : NoisyCounts or None
        What was bought.
    """

    kind: str
    when: str
    file: str
    column: str
    file_digest: str
    labels_digest: str | None
    rows: int
    epsilon: str
    prior_sha256: str | None = None
    prior_epsilon: str | None = None
    composition: str | None = None
    choice: RowChoice | None = None
    output: str | None = None
    purchase: str | None = None
    texts_digest: str | None = None
    output_digest: str | None = None
    rows_known: str | None = None
    people_known: str | None = None
    noisy: NoisyCounts | None = None

    def same_data(self, other: Entry) -> bool:
        """Whether both are about one file, or about the same labels in the same order."""
        labels = self.labels_digest is not None and self.labels_digest == other.labels_digest
        texts = self.texts_digest is not None and self.texts_digest == other.texts_digest
        return texts or labels or self.file == other.file or self.file_digest == other.file_digest

    def same_prior(self, other: Entry) -> bool:
        """Whether both may be about one purchase of noisy counts; without its name, whether the counts are equal."""
        if self.purchase is not None and other.purchase is not None:
            return self.purchase == other.purchase
        return self.prior_sha256 is not None and self.prior_sha256 == other.prior_sha256


def utc_now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def total_of(entries: Iterable[Entry]) -> Fraction:
    """What the entries cost a row together at most, in nats.

    Everything adds up, every purchase of noisy counts by itself, but for rows left out because their labels were
    counted for the prior of a release: they have paid for the prior, the others for the release, so that the larger of
    the two counts. Where old entries leave open which of several purchases a release goes with, everything adds up.
    """
    bought: dict[str, Counter[tuple[str, str | None]]] = defaultdict(Counter)
    noted: dict[str, set[tuple[str, str | None]]] = defaultdict(set)
    apart: dict[str, Fraction] = defaultdict(Fraction)
    found = Fraction(0)
    for entry in entries:
        name = entry.purchase or entry.prior_sha256
        if name is not None and entry.prior_epsilon is not None:
            noted[name].add((entry.prior_epsilon, entry.composition))
            if entry.kind == "prior":
                bought[name][entry.prior_epsilon, entry.composition] += 1
        if entry.kind == "release" and name is not None and entry.composition == "parallel":
            apart[name] += amount_of(entry.epsilon)
        elif entry.kind == "release":
            found += amount_of(entry.epsilon)
    for name, prices in noted.items():
        times = {price: max(bought[name][price], 1) for price in prices}
        cost = sum((amount_of(epsilon) * count for (epsilon, _), count in times.items()), Fraction(0))
        certain = [composition for _, composition in times] == ["parallel"] and sum(times.values()) == 1
        found += max(cost, apart[name]) if certain else cost + apart[name]
    return found
