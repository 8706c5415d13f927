"""What the ledger gets to know of a release, and what it forbids."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from lpmech.budgets import amount_text
from lpmech.entries import Array, digest_of
from lpmech.errors import DataFileError, SpentError
from lpmech.labels.columns import LabelFile
from lpmech.labels.row_choice import RowChoice
from lpmech.release.ledger import Entry, Ledger, ledger_beside, total_of, utc_now
from lpmech.release.record import Release
from lpmech.release.spent import Spent

__all__ = ["Digests", "entry_of", "record_prior", "refuse_spent", "rows_of_the_prior"]


@dataclass(frozen=True)
class Digests:
    """SHA-256 of a column in order: of the labels as positions in the design, and of their texts."""

    labels: str
    texts: str


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
    """Enter noisy counts of a file's labels in its ledger, before they are used or shown.

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
    book = Ledger.read(ledger_beside(path) if ledger is None else ledger)
    entry = Entry(
        kind="prior",
        when=utc_now(),
        file=book.file_name(path),
        column=column,
        file_sha256=_file_digest(path),
        labels_sha256=None,
        rows=rows,
        epsilon=str(spent.prior),
        prior_sha256=digest_of(prior),
        prior_epsilon=spent.prior,
        composition=spent.composition,
        choice=choice,
        purchase=spent.purchase,
    )
    with book.extended(entry) as after:
        return after


def entry_of(
    book: Ledger,
    source: LabelFile,
    release: Release,
    output: str | Path,
    *,
    rows: int,
    digests: Digests,
    new_rows: bool,
) -> Entry:
    """What the ledger gets to know of a release."""
    paid = release.spent.prior is not None and not new_rows
    return Entry(
        kind="release",
        when=utc_now(),
        file=book.file_name(source.path),
        column=source.column,
        file_sha256=source.sha256,
        labels_sha256=digests.labels,
        texts_sha256=digests.texts,
        rows=rows,
        epsilon=release.spent.release,
        prior_sha256=release.prior["sha256"] if paid else None,
        prior_epsilon=release.spent.prior if paid else None,
        composition=release.spent.composition if paid else None,
        output=book.file_name(output),
        purchase=release.spent.purchase if paid else None,
    )


def rows_of_the_prior(book: Ledger, entry: Entry) -> tuple[RowChoice, ...]:
    """The rows to leave out: those that the ledger says were counted for the prior of this release.

    Designs without a name of their purchase are known by their noisy counts only: then the rows of every purchase of
    equal counts are left out.
    """
    if entry.composition != "parallel":
        return ()
    counted = [e for e in book.entries if e.kind == "prior" and e.same_prior(entry)]
    if not counted:
        raise SpentError(
            f"some rows paid for the prior of this release, but {book.path} does not say which: name the right "
            "--ledger, or say --new-rows if no row here was counted for the prior"
        )
    for earlier in counted:
        if earlier.choice is None:
            raise SpentError(
                f"every row of {earlier.file} was counted for the prior of this release and must not be released "
                "(parallel composition): release other rows, and say --new-rows"
            )
        if earlier.file_sha256 != entry.file_sha256:
            raise SpentError(
                f"the rows that paid for the prior of this release are known by their places in {earlier.file}, "
                "as it was then: release that file, or say --new-rows if no row here was counted for the prior"
            )
    return tuple(e.choice for e in counted if e.choice is not None)


def refuse_spent(book: Ledger, entry: Entry) -> None:
    """Refuse labels that have been released, by file, content or labels."""
    same = book.same_data(entry)
    earlier = [e for e in same if e.kind == "release"]
    if earlier:
        last = earlier[-1]
        column = f", column {last.column}," if last.column else ""
        raise SpentError(
            f"{last.file}{column} was released on {last.when} to {last.output} at epsilon = {last.epsilon}; once more "
            f"makes {amount_text(total_of((*same, entry)))} in all for the same people: --again if that is wanted"
        )


def _file_digest(path: str | Path) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise DataFileError("file", str(path), f"a readable file ({exc.strerror})") from exc
