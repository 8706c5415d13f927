"""The ledger beside the data: what has been released of it, and what that costs every row together.

The ledger is as private as the data: it holds digests of them.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from lpmech.budgets import amount_of, require
from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.files.access import read_regular
from lpmech.files.whole import replace_file
from lpmech.labels.row_choice import RowChoice

__all__ = ["LEDGER", "Entry", "Ledger", "ledger_beside", "total_of", "utc_now"]

#: Name of the ledger in the directory of the data.
LEDGER = "lpmech-ledger.json"

_FORMAT, _VERSION, _PATIENCE, _MAX_BYTES = "lpmech-ledger", 1, 60.0, 64 * 2**20


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
    file_sha256, labels_sha256 : str or None
        Digests of the file's bytes and of the labels in order.
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
    texts_sha256 : str or None
        Digest of the labels in order as they are written, whatever the design calls them or how it orders them.
    """

    kind: str
    when: str
    file: str
    column: str
    file_sha256: str
    labels_sha256: str | None
    rows: int
    epsilon: str
    prior_sha256: str | None = None
    prior_epsilon: str | None = None
    composition: str | None = None
    choice: RowChoice | None = None
    output: str | None = None
    purchase: str | None = None
    texts_sha256: str | None = None

    def same_data(self, other: Entry) -> bool:
        """Whether both are about one file, or about the same labels in the same order."""
        labels = self.labels_sha256 is not None and self.labels_sha256 == other.labels_sha256
        texts = self.texts_sha256 is not None and self.texts_sha256 == other.texts_sha256
        return texts or labels or self.file == other.file or self.file_sha256 == other.file_sha256

    def same_prior(self, other: Entry) -> bool:
        """Whether both may be about one purchase of noisy counts; without its name, whether the counts are equal."""
        if self.purchase is not None and other.purchase is not None:
            return self.purchase == other.purchase
        return self.prior_sha256 is not None and self.prior_sha256 == other.prior_sha256


@dataclass(frozen=True)
class Ledger:
    """The entries of a ledger file, which need not exist yet.

    Attributes
    ----------
    path : Path
    entries : tuple of Entry
    """

    path: Path
    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, path: str | Path) -> Ledger:
        """Read a ledger; one without entries where there is no file.

        Raises
        ------
        DataFileError
            If the file is no ledger; it is then better to ask than to believe that nothing was spent.
        """
        try:
            text = read_regular(path, "ledger", _MAX_BYTES)
        except FileNotFoundError:
            return cls(Path(path), ())
        try:
            data = json.loads(text)
            if (data["format"], data["version"]) != (_FORMAT, _VERSION):
                raise ValueError(f"not version {_VERSION} of {_FORMAT}")
            return cls(Path(path), tuple(_entry(item) for item in data["entries"]))
        except (ValueError, KeyError, TypeError, RecursionError, LpmechError) as exc:
            raise DataFileError("ledger", str(path), f"a ledger as it was written ({exc})") from exc

    def same_data(self, entry: Entry) -> tuple[Entry, ...]:
        """What was spent on the data of an entry, in the order of time."""
        return tuple(e for e in self.entries if e.same_data(entry))

    def file_name(self, path: str | Path) -> str:
        """Name of a file as seen from the ledger's directory."""
        return os.path.relpath(Path(path).resolve(), self.path.resolve().parent)

    @contextmanager
    def extended(self, entry: Entry, allowed: Callable[[Ledger], None] = lambda ledger: None) -> Iterator[Ledger]:
        """Add an entry while no other process can; take it back if the block fails.

        `allowed` gets the ledger as it is then, without the entry, and may raise an error.

        Raises
        ------
        DataFileError
            If the ledger cannot be written, or another process keeps it for a minute.
        """
        with _locked(self.path):
            before = Ledger.read(self.path)
            allowed(before)
            after = Ledger(self.path, (*before.entries, entry))
            replace_file(self.path, after.to_json())
            try:
                yield after
            except BaseException:
                replace_file(self.path, before.to_json())
                raise

    def to_json(self) -> str:
        """The content of the file."""
        entries = [asdict(entry) for entry in self.entries]
        return json.dumps({"format": _FORMAT, "version": _VERSION, "entries": entries}, indent=1) + "\n"


def ledger_beside(path: str | Path) -> Path:
    """The ledger in the directory of a file, symbolic links followed."""
    return Path(path).resolve().parent / LEDGER


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


def _entry(item: object) -> Entry:
    if not isinstance(item, dict):
        raise ReleaseError("entries", type(item).__name__, "objects")
    choice = item.pop("choice", None)
    entry = Entry(**item, choice=RowChoice(**choice) if choice is not None else None)
    texts = {name: value for name, value in vars(entry).items() if name not in ("rows", "choice")}
    optional = {field.name for field in fields(Entry) if field.default is None} | {"labels_sha256"}
    for name, value in texts.items():
        require(isinstance(value, str) or (value is None and name in optional), name, value, "text")
    require(type(entry.rows) is int and entry.rows >= 0, "rows", entry.rows, "a whole number >= 0")
    require(entry.kind in ("release", "prior"), "kind", entry.kind, "release or prior")
    for amount in (entry.epsilon, entry.prior_epsilon or "0"):
        amount_of(amount)
    if entry.choice is not None:
        entry.choice.masks()
    return entry


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the ledger's lock, a file beside it that stays."""
    from filelock import FileLock, Timeout

    if not path.parent.is_dir():
        raise DataFileError("ledger", str(path), "a file in a directory that exists")
    lock = FileLock(str(path.with_name(f".{path.name}.lock")), timeout=_PATIENCE)
    try:
        lock.acquire()
    except Timeout as exc:
        raise DataFileError("ledger", str(path), "a ledger that no other process keeps for a minute") from exc
    except (OSError, NotImplementedError) as exc:
        raise DataFileError("ledger", str(path), f"a ledger that can be locked and written ({exc})") from exc
    try:
        yield
    finally:
        lock.release()
