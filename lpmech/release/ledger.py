"""The ledger beside the data: what has been released of it, and what that costs every row together.

The ledger is as private as the data: it holds digests of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from lpmech.budgets import amount_of
from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.files.whole import replace_file
from lpmech.labels.row_choice import RowChoice

__all__ = ["LEDGER", "Entry", "Ledger", "ledger_beside", "total_of", "utc_now"]

#: Name of the ledger in the directory of the data.
LEDGER = "lpmech-ledger.json"

_FORMAT, _VERSION, _PATIENCE = "lpmech-ledger", 1, 60.0


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

    def same_data(self, other: Entry) -> bool:
        """Whether both are about one file, or about the same labels in the same order."""
        labels = self.labels_sha256 is not None and self.labels_sha256 == other.labels_sha256
        return labels or self.file == other.file or self.file_sha256 == other.file_sha256


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
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            return cls(Path(path), ())
        except (OSError, UnicodeDecodeError) as exc:
            raise DataFileError("ledger", str(path), f"a ledger that can be read ({exc})") from exc
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

    Everything adds up, but for rows left out because their labels were counted for the prior of a release: they have
    paid for the prior, the others for the release, so that the larger of the two counts.
    """
    priors: dict[str, tuple[Fraction, str | None]] = {}
    releases: dict[str | None, Fraction] = {}
    for entry in entries:
        apart = entry.prior_sha256 if entry.composition == "parallel" else None
        if entry.prior_sha256 is not None and entry.prior_epsilon is not None:
            priors[entry.prior_sha256] = (amount_of(entry.prior_epsilon), entry.composition)
        if entry.kind == "release":
            releases[apart] = releases.get(apart, Fraction(0)) + amount_of(entry.epsilon)
    found = releases.pop(None, Fraction(0))
    for name, (cost, composition) in priors.items():
        found += cost if composition == "sequential" else max(cost, releases.get(name, Fraction(0)))
    return found


def _entry(item: dict[str, object]) -> Entry:
    choice = item.pop("choice", None)
    entry = Entry(**item, choice=RowChoice(**choice) if isinstance(choice, dict) else None)  # type: ignore[arg-type]
    if entry.kind not in ("release", "prior"):
        raise ReleaseError("kind", entry.kind, "release or prior")
    for amount in (entry.epsilon, entry.prior_epsilon or "0"):
        amount_of(amount)
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
