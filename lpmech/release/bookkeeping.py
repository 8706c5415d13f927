"""What the ledger gets to know of a release, and what it forbids."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

from lpmech.budgets import amount_text
from lpmech.entries import Array
from lpmech.errors import DataFileError, LpmechError, SpentError
from lpmech.files.access import reason
from lpmech.labels.columns import LabelFile
from lpmech.labels.row_choice import RowChoice
from lpmech.release.entry import Entry, total_of, utc_now
from lpmech.release.fingerprints import Digests, KeyedRows, hashes_of, keyed
from lpmech.release.ledger import Ledger
from lpmech.release.mark import Mark, mark_beside
from lpmech.release.record import Release

__all__ = [
    "Known",
    "Seen",
    "Traces",
    "entry_of",
    "file_sha256",
    "refuse_released",
    "refuse_spent",
    "rows_of_the_prior",
]


@dataclass(frozen=True)
class Seen:
    """What was seen of a file: without a key, and so in memory only.

    Attributes
    ----------
    file : str
        SHA-256 of its bytes.
    labels, texts : str or None
        SHA-256 of the labels in order: as positions in the design, and as they are written.
    rows : Digests
        Of its rows.
    people : Digests or None
        Of the identifiers of its rows.
    apart : bool
        Whether rows have other cells than the label, which may tell people apart.
    """

    file: str
    labels: str | None = None
    texts: str | None = None
    rows: Digests = field(default_factory=Digests)
    people: Digests | None = None
    apart: bool = True

    def under(self, key: bytes) -> Traces:
        """The same under the key of a ledger."""
        return Traces(
            keyed(key, self.file),
            None if self.labels is None else keyed(key, self.labels),
            None if self.texts is None else keyed(key, self.texts),
            self.rows.under(key) if self.rows.count else None,
            None if self.people is None else self.people.under(key),
            self.apart,
        )


@dataclass(frozen=True)
class Traces:
    """What a ledger knows a file by, under its key; see `Seen`."""

    file: str
    labels: str | None
    texts: str | None
    rows: KeyedRows | None
    people: KeyedRows | None
    apart: bool

    @property
    def hashes(self) -> dict[str, str]:
        """Rows and identifiers as a ledger keeps them, under names that depend on nothing else."""
        found = (named(self.rows), named(self.people))
        return dict(pair for pair in found if pair is not None)

    def rows_of(self, book: Ledger, entry: Entry) -> Array | None:
        """Which rows an entry knows, by their identifiers or by all their cells; None if it knows none so."""
        found = []
        if self.people is not None and entry.people_known is not None:
            found.append(self.people.among(_hashes(book.hashes[entry.people_known])))
        if self.rows is not None and entry.rows_known is not None:
            found.append(self.rows.shared_with(_hashes(book.hashes[entry.rows_known]), apart=self.apart))
        return np.any(found, axis=0) if found else None


@dataclass(frozen=True)
class Known:
    """What a ledger has of the rows of a file.

    Attributes
    ----------
    whole : tuple of Entry
        About the same file, its content, or the same labels in the same order: about every row.
    parts : tuple of (Entry, ndarray of bool)
        About some rows, and about which.
    """

    whole: tuple[Entry, ...]
    parts: tuple[tuple[Entry, Array], ...]

    @classmethod
    def of(cls, book: Ledger, entry: Entry, traces: Traces, *, by_rows: bool = True) -> Known:
        """What a ledger has of the file of an entry; `by_rows` unless the rows are known to be other people's."""
        whole = book.same_data(entry)
        others = [e for e in book.entries if e not in whole] if by_rows else []
        found = [(e, mask) for e in others if (mask := traces.rows_of(book, e)) is not None and mask.any()]
        return cls(whole, tuple(found))

    def total(self, now: Sequence[Entry] = ()) -> Fraction:
        """The most that any row has paid, with the entries of now, in nats."""
        patterns: list[tuple[Entry, ...]] = [()]
        places: Array = np.zeros(1, dtype=np.int64)
        for entry, mask in self.parts:
            used, places = np.unique(2 * places + mask, return_inverse=True)
            patterns = [patterns[at // 2] + (entry,) * (at % 2) for at in used.tolist()]
        return max(total_of((*self.whole, *pattern, *now)) for pattern in patterns)


def entry_of(
    book: Ledger,
    source: LabelFile,
    release: Release,
    output: str | Path,
    *,
    rows: int,
    traces: Traces,
    new_rows: bool,
    released: str | None = None,
) -> Entry:
    """What the ledger gets to know of a release; `released` is the SHA-256 of the output."""
    paid = release.spent.prior is not None and not new_rows
    of_rows, of_people = named(traces.rows), named(traces.people)
    return Entry(
        kind="release",
        when=utc_now(),
        file=book.file_name(source.path),
        column=source.column,
        file_digest=traces.file,
        labels_digest=traces.labels,
        texts_digest=traces.texts,
        output_digest=None if released is None else keyed(book.key, released),
        rows=rows,
        epsilon=release.spent.release,
        prior_sha256=release.prior["sha256"] if paid else None,
        prior_epsilon=release.spent.prior if paid else None,
        composition=release.spent.composition if paid else None,
        output=book.file_name(output),
        purchase=release.spent.purchase if paid else None,
        rows_known=of_rows and of_rows[0],
        people_known=of_people and of_people[0],
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
        if earlier.file_digest != entry.file_digest:
            raise SpentError(
                f"the rows that paid for the prior of this release are known by their places in {earlier.file}, "
                "as it was then: release that file, or say --new-rows if no row here was counted for the prior"
            )
    return tuple(e.choice for e in counted if e.choice is not None)


def refuse_spent(known: Known, entry: Entry) -> None:
    """Refuse labels that have been released, known by file, content, labels or rows."""
    all_in_all = amount_text(known.total((entry,)))
    earlier = [e for e in known.whole if e.kind == "release"]
    if earlier:
        last = earlier[-1]
        column = f", column {last.column}," if last.column else ""
        raise SpentError(
            f"{last.file}{column} was released on {last.when} to {last.output} at epsilon = {last.epsilon}; once more "
            f"makes {all_in_all} in all for the same people: --again if that is wanted"
        )
    parts = [(e, mask) for e, mask in known.parts if e.kind == "release"]
    if parts:
        last, mask = parts[-1]
        rows = int(np.any([mask for _, mask in parts], axis=0).sum())
        raise SpentError(
            f"{rows} of {mask.size} rows of {entry.file} were released before, last in {last.file} on {last.when} to "
            f"{last.output} at epsilon = {last.epsilon}; once more makes {all_in_all} in all for them: --again if that "
            "is wanted, --new-rows if they are other people's"
        )


def refuse_released(book: Ledger, entry: Entry, source: LabelFile) -> None:
    """Refuse labels that are a release already, known by the ledger or by the mark beside: again they are spoilt."""
    found = [f"of {e.file} on {e.when}" for e in book.entries if e.output_digest == entry.file_digest]
    with suppress(LpmechError):  # what is no mark does not make a release
        if (mark := Mark.of_file(source.path)) is not None and mark.file_sha256 == source.sha256:
            found.append(f"by the design of {mark_beside(source.path).name}")
    if found:
        raise SpentError(
            f"{entry.file} is what was released {found[0]}: its labels are random already, use them as they are "
            "(--again if they are to be drawn once more)"
        )


def file_sha256(path: str | Path) -> str:
    """SHA-256 of the bytes of a file.

    Raises
    ------
    DataFileError
        If it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as exc:
        raise DataFileError("file", str(path), f"a readable file ({reason(exc)})") from exc


def named(rows: KeyedRows | None) -> tuple[str, str] | None:
    """The name of hashes in a ledger, and how they are kept."""
    if rows is None:
        return None
    packed = rows.packed()
    return keyed(rows.key, packed)[:32], packed


@lru_cache(maxsize=8)
def _hashes(packed: str) -> Array:
    return hashes_of(packed)
