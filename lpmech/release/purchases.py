"""Noisy counts of private labels: entered in the ledger before they are used or shown, and kept there."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

from lpmech.entries import Array, digest_of
from lpmech.errors import DataFileError
from lpmech.files.csv_rows import rows_of
from lpmech.labels.counts import LabelCounts
from lpmech.labels.reading import PARQUET, Reading
from lpmech.labels.row_choice import RowChoice
from lpmech.release import private_counts
from lpmech.release.bookkeeping import Known, Seen, Traces, file_sha256, named
from lpmech.release.bought import BoughtCounts
from lpmech.release.entry import Entry, NoisyCounts, utc_now
from lpmech.release.fingerprints import Digests, row_text
from lpmech.release.ledger import Ledger, ledger_beside
from lpmech.release.spent import Spent

__all__ = ["Purchase", "buy", "record_prior", "seen_in"]

_CHUNK = 1 << 16


@dataclass(frozen=True)
class Purchase:
    """Noisy counts that were bought, now or before.

    Attributes
    ----------
    bought : BoughtCounts
        As they were drawn.
    spent : Spent
        With the name of the purchase.
    before : str or None
        When they were bought, if that was before.
    total : Fraction
        The most that the labels of a row have cost by now, in nats, by the ledger.
    """

    bought: BoughtCounts
    spent: Spent
    before: str | None
    total: Fraction


def buy(
    path: str | Path,
    sha256: str,
    counts: LabelCounts,
    spent: Spent,
    how: Reading,
    *,
    choice: RowChoice | None = None,
    anew: bool = False,
    ledger: str | Path | None = None,
) -> Purchase:
    """Noisy counts of a file: those that the ledger has, if the same was asked of the same content, else new ones.

    Parameters
    ----------
    path : path
        The file that was counted.
    sha256 : str
        Of its bytes, before it was counted.
    counts : LabelCounts
        The true counts.
    spent : Spent
        What the noisy counts cost.
    how : Reading
        How the file was read.
    choice : RowChoice, optional
        The rows that were counted; default: all.
    anew : bool
        Buy new ones whatever the ledger has.
    ledger : path, optional
        Default: beside the file.

    Raises
    ------
    DataFileError
        If the file changed since it was seen, or the ledger cannot be read or written; nothing is known of the counts
        then, and what may be booked is found again.
    """
    seen = seen_in(path)
    if sha256 != seen.file:
        raise DataFileError("file", str(path), "a file that does not change while it is read")
    asked = _question(how, spent, choice)
    with Ledger.held(_place(path, ledger), path) as book:
        traces = seen.under(book.key)
        if not anew and (had := _bought(book, traces, asked, counts.labels)) is not None:
            earlier, noisy = had
            found = BoughtCounts(noisy.counts, earlier.rows)
            total = Known.of(book, earlier, traces).total()
            return Purchase(found, replace(spent, purchase=earlier.purchase), earlier.when, total)
        bought = private_counts.noisy(counts, str(spent.prior))
        noisy, prior = (
            NoisyCounts(asked, counts.labels, bought.counts),
            private_counts.in_place_of(counts, bought).prior,
        )
        entry = _entry(book, path, traces, prior, spent, bought.rows, how.column or "", choice, noisy)
        after = book.extended(entry, traces.hashes, path)
        return Purchase(bought, spent, None, Known.of(after, entry, traces).total())


def record_prior(
    path: str | Path,
    prior: Array,
    spent: Spent,
    *,
    rows: int,
    column: str = "",
    choice: RowChoice | None = None,
    ledger: str | Path | None = None,
) -> Ledger:
    """Enter noisy counts of a file's labels, which were made elsewhere, in its ledger.

    Parameters
    ----------
    path : path
        The file that was counted; its rows are known again by its content.
    prior : ndarray
        The noisy prior.
    spent : Spent
        With the cost of the prior.
    rows : int
        How many rows were counted.
    column : str
        Of the labels.
    choice : RowChoice, optional
        Which rows were counted, to be left out of the release; default: all.
    ledger : path, optional
        Default: beside the file.

    Returns
    -------
    Ledger
        As it is now.

    Raises
    ------
    DataFileError
        If the file cannot be read or the ledger not written.
    """
    seen = seen_in(path)
    with Ledger.held(_place(path, ledger), path) as book:
        traces = seen.under(book.key)
        return book.extended(_entry(book, path, traces, prior, spent, rows, column, choice), traces.hashes, path)


def seen_in(path: str | Path) -> Seen:
    """What is known of a file by its bytes, and of its rows below the first line, if it is a CSV file.

    Raises
    ------
    DataFileError
        If it cannot be read.
    """
    digest, rows = file_sha256(path), Digests()
    if not str(path).lower().endswith(PARQUET):
        lines = rows_of(path)
        next(lines, None)
        while chunk := list(islice(lines, _CHUNK)):
            rows.see([row_text(row) for row in chunk if row])
    return Seen(digest, rows=rows)


def _place(path: str | Path, ledger: str | Path | None) -> str | Path:
    return ledger_beside(path) if ledger is None else ledger


def _question(how: Reading, spent: Spent, choice: RowChoice | None) -> str:
    """All that noisy counts depend on but the content of the file and the labels."""
    share = None if choice is None else choice.share
    return json.dumps({**vars(how), "spend": spent.prior, "composition": spent.composition, "share": share})


def _bought(book: Ledger, traces: Traces, asked: str, labels: tuple[str, ...]) -> tuple[Entry, NoisyCounts] | None:
    """The last purchase of the same."""
    for entry in reversed(book.entries):
        found = entry.noisy if entry.kind == "prior" and entry.file_digest == traces.file else None
        if found is not None and (found.asked, found.labels) == (asked, labels):
            return entry, found
    return None


def _entry(
    book: Ledger,
    path: str | Path,
    traces: Traces,
    prior: Array,
    spent: Spent,
    rows: int,
    column: str,
    choice: RowChoice | None,
    noisy: NoisyCounts | None = None,
) -> Entry:
    of_rows = named(traces.rows)
    return Entry(
        kind="prior",
        when=utc_now(),
        file=book.file_name(path),
        column=column,
        file_digest=traces.file,
        labels_digest=None,
        rows=rows,
        epsilon=str(spent.prior),
        prior_sha256=digest_of(prior),
        prior_epsilon=spent.prior,
        composition=spent.composition,
        choice=choice,
        purchase=spent.purchase,
        rows_known=of_rows and of_rows[0],
        noisy=noisy,
    )
