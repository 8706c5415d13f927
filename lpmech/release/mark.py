"""The mark of a released file: a small file beside it that says which design released it, and what it held."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.files.access import read_regular
from lpmech.files.whole import put_in_place, refuse_taken, unfinished
from lpmech.release.record import Release
from lpmech.release.sealing import without_duplicates

__all__ = ["Mark", "clear_orphan", "mark_beside", "marked"]

_FORMAT, _ENDING, _MOST_BYTES = "lpmech-mark-1", ".design.json", 2**16

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Mark:
    """What is known of a released file.

    Attributes
    ----------
    design : str
        `Release.design` of the one that released it.
    file_sha256 : str
        SHA-256 of the file.
    counted : bool
        Whether its rows are those that were counted for a private prior, as far as they were released.
    """

    design: str
    file_sha256: str
    counted: bool

    def to_json(self) -> str:
        """The content of the file beside."""
        return json.dumps({"format": _FORMAT, **vars(self)}, indent=1) + "\n"

    @classmethod
    def of_file(cls, path: str | Path) -> Mark | None:
        """The mark beside a released file, None if there is none.

        Raises
        ------
        DataFileError
            If what is there cannot be read.
        ReleaseError
            If it is no mark.
        """
        place = mark_beside(path)
        try:
            data = json.loads(
                read_regular(place, "mark", _MOST_BYTES), object_pairs_hook=without_duplicates, parse_constant=str
            )
            found = cls(data["design"], data["file_sha256"], data["counted"])
            whole = data == json.loads(found.to_json()) and type(found.counted) is bool
            if whole and all(_DIGEST.fullmatch(digest) for digest in (found.design, found.file_sha256)):
                return found
        except FileNotFoundError:
            return None
        except DataFileError:
            raise
        except (ValueError, KeyError, TypeError, RecursionError, LpmechError):
            pass
        raise ReleaseError("mark", str(place), f"what `lpmech randomize` writes ({_FORMAT}), or no file of that name")

    def check_design(self, path: str | Path, release: Release) -> None:
        """Refuse another design than the one that released the file.

        Raises
        ------
        ReleaseError
            If so.
        """
        if self.design != release.design:
            allowed = f"the design that released it: {mark_beside(path)} names another one, of other numbers or costs"
            raise ReleaseError("channel", f"not the design of {path}", allowed)

    def check_content(self, path: str | Path, found_sha256: str) -> None:
        """Refuse a file that is not the one that was released.

        Raises
        ------
        ReleaseError
            If so.
        """
        if self.file_sha256 != found_sha256:
            allowed = f"the file of {mark_beside(path)}: remove the mark if the file was changed by you, and on purpose"
            raise ReleaseError("released", f"{path}, which was changed since", allowed)


def mark_beside(path: str | Path) -> Path:
    """Where the mark of a released file is."""
    place = Path(path)
    return place.parent / (place.name + _ENDING)


def clear_orphan(output: str | Path) -> None:
    """Remove a mark without its file, which a killed run has left; refuse anything else of that name.

    The mark of a run that lives is locked until its file is in place, and stays.

    Raises
    ------
    DataFileError, ReleaseError
        If something else is there.
    """
    place = mark_beside(output)
    if not os.path.lexists(output) and Mark.of_file(output) is not None:
        with suppress(OSError):  # an error: its maker lives, or it is gone
            _remove_if_left(place, output)
    refuse_taken(place)


def _remove_if_left(place: Path, output: str | Path) -> None:
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.lexists(output) and os.path.samestat(os.fstat(handle), os.lstat(place)):
            os.unlink(place)
    finally:
        os.close(handle)


@contextmanager
def marked(
    output: str | Path, file_sha256: str, release: Release, *, counted: bool, like: str | Path
) -> Iterator[None]:
    """Put the mark of a finished file in place, for the file to be put in place in the block; gone if that fails.

    Nobody may read it who may not read the file that it is `like`, and nobody removes it during the block.

    Raises
    ------
    DataFileError
        If the mark cannot be written.
    """
    mark, place = Mark(release.design, file_sha256, counted), mark_beside(output)
    with ExitStack() as living:
        with unfinished(place) as beside:
            beside.path.write_text(mark.to_json(), encoding="utf-8")
            beside.finish(like)
            _lock(beside.handle, living)
            put_in_place(beside, place)
        try:
            yield
        except DataFileError:
            with suppress(OSError):
                place.unlink()
            raise


def _lock(handle: int, living: ExitStack) -> None:
    """Lock an open file, also when it is closed, until the end of `living`."""
    same = os.dup(handle)
    living.callback(_close, same)
    with suppress(OSError):  # a file system without locks: then nobody removes a mark either
        fcntl.flock(same, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _close(handle: int) -> None:
    with suppress(OSError):  # the lock goes with the process
        os.close(handle)
