"""The ledger beside the data: what has been released of it, and what that costs every row together.

The ledger is as private as the data. What it knows of them are hashes under a key, in a file of its own beside it: who
has the ledger alone learns no label from it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from lpmech.errors import DataFileError
from lpmech.files.access import read_regular
from lpmech.files.parts import mode_like, remove_leftovers
from lpmech.files.whole import replace_file
from lpmech.release.entry import Entry, total_of, utc_now
from lpmech.release.ledger_files import MAX_BYTES, key_beside, ledger_text, parsed

__all__ = ["LEDGER", "Entry", "Ledger", "key_beside", "ledger_beside", "total_of", "utc_now"]

#: Name of the ledger in the directory of the data.
LEDGER = "lpmech-ledger.json"

_PATIENCE = 60.0


@dataclass(frozen=True)
class Ledger:
    """The entries of a ledger file, which need not exist yet.

    Attributes
    ----------
    path : Path
    entries : tuple of Entry
    key : bytes
        Of the hashes; a new one, which is not written yet, where there was none.
    hashes : mapping of str to str
        Name and `KeyedRows.packed` of the rows and identifiers of the entries.
    text : str or None
        The content of the file; None if there is none.
    """

    path: Path
    entries: tuple[Entry, ...]
    key: bytes = field(default_factory=lambda: os.urandom(32), compare=False, repr=False)
    hashes: Mapping[str, str] = field(default_factory=dict, repr=False)
    text: str | None = field(default=None, compare=False, repr=False)

    @classmethod
    def read(cls, path: str | Path) -> Ledger:
        """Read a ledger; one without entries where there is no file.

        Raises
        ------
        DataFileError
            If the file is no ledger, or its key is lost; it is then better to ask than to believe that nothing was
            spent.
        """
        place = _resolved(path)
        try:
            text = read_regular(place, "ledger", MAX_BYTES)
        except FileNotFoundError:
            return cls(place, (), _key(place) or os.urandom(32))
        key = _key(place)
        used = key or os.urandom(32)
        return cls(place, *parsed(place, text, used, lost=key is None), text)

    def same_data(self, entry: Entry) -> tuple[Entry, ...]:
        """What was spent on the file, content or labels in order of an entry, in the order of time."""
        return tuple(e for e in self.entries if e.same_data(entry))

    def file_name(self, path: str | Path) -> str:
        """Name of a file as seen from the ledger's directory."""
        return os.path.relpath(Path(path).resolve(), self.path.parent)

    @classmethod
    @contextmanager
    def held(cls, path: str | Path, data: str | Path) -> Iterator[Ledger]:
        """The ledger while no other process can change it, with a key that is on the disk.

        Nobody may read ledger and lock who may not read the data, and only the owner may read the key.

        Raises
        ------
        DataFileError
            If the ledger cannot be read or written, or another process keeps it for a minute.
        """
        place = _resolved(path)
        with _locked(place, data):
            remove_leftovers(place.parent)
            book = cls.read(place)
            if _key(place) is None:
                replace_file(key_beside(place), book.key.hex() + "\n", 0o600)
            else:
                _for_its_owner(key_beside(place))
            yield book

    def extended(self, entry: Entry, hashes: Mapping[str, str], data: str | Path) -> Ledger:
        """Write one more entry, which is on the disk then; only while the ledger is `held`.

        Raises
        ------
        DataFileError
            If it cannot be written; the ledger is then as it was, as far as the system lets it.
        """
        after = Ledger(self.path, (*self.entries, entry), self.key, {**self.hashes, **hashes}, self.text)
        try:
            replace_file(self.path, ledger_text(self.path, after.entries, self.key, after.hashes), data)
        except DataFileError:
            self.put_back(data)
            raise
        return after

    def put_back(self, data: str | Path) -> None:
        """Leave the file as it was read: for an entry of what certainly did not happen.

        Where that fails the entry stays: too much is booked, never too little.
        """
        with suppress(DataFileError, OSError):
            if self.text is None:
                self.path.unlink(missing_ok=True)
            else:
                replace_file(self.path, self.text, data)


def _key(ledger: Path) -> bytes | None:
    """The key of a ledger, None where there is no file."""
    try:
        text = read_regular(key_beside(ledger), "key", 4096).strip()
    except FileNotFoundError:
        return None
    with suppress(ValueError):
        if len(key := bytes.fromhex(text)) == 32 and text.isalnum():
            return key
    raise DataFileError("key", str(key_beside(ledger)), "32 bytes in hexadecimal, as they were written")


def _for_its_owner(key: Path) -> None:
    """Take from others what they may do with a key, such as one put back from a copy."""
    with suppress(OSError):
        if stat.S_IMODE(os.stat(key).st_mode) & 0o077:
            os.chmod(key, 0o600)


def _resolved(path: str | Path) -> Path:
    """Where a ledger is, symbolic links followed: by whatever name, it has one lock and one key."""
    try:
        place = Path(path).resolve()
    except (OSError, RuntimeError, ValueError) as exc:
        raise DataFileError("ledger", str(path), f"the name of a file ({exc})") from exc
    if os.path.isdir(place):
        raise DataFileError("ledger", str(path), "a file, not a directory")
    return place


def ledger_beside(path: str | Path) -> Path:
    """The ledger in the directory of a file, symbolic links followed."""
    return Path(path).resolve().parent / LEDGER


@contextmanager
def _locked(path: Path, data: str | Path) -> Iterator[None]:
    """Hold the ledger's lock, a file beside it that stays."""
    from filelock import FileLock, Timeout

    if not path.parent.is_dir():
        raise DataFileError("ledger", str(path), "a file in a directory that exists")
    try:
        lock = FileLock(str(path.with_name(f".{path.name}.lock")), timeout=_PATIENCE, mode=mode_like(data))
        lock.acquire()
    except Timeout as exc:
        raise DataFileError("ledger", str(path), "a ledger that no other process keeps for a minute") from exc
    except (OSError, NotImplementedError) as exc:
        raise DataFileError("ledger", str(path), f"a ledger that can be locked and written ({exc})") from exc
    try:
        yield
    finally:
        with suppress(OSError):  # it goes with the process; what was done under it is done
            lock.release()
