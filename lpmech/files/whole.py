"""Files that are there whole or not at all: one file, or a directory of them, written aside and then renamed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lpmech.errors import DataFileError
from lpmech.files.access import reason, write_bytes
from lpmech.files.parts import OLD, mode_like, new_directory, new_part, remove_leftovers

__all__ = [
    "Unfinished",
    "flush_directory",
    "put_in_place",
    "refuse_place",
    "refuse_taken",
    "replace_file",
    "unfinished",
    "uninterrupted",
    "write_directory",
]

#: Signals that ask a process to stop.
_ASKING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def write_directory(
    directory: str | Path, files: Mapping[str, str | bytes], replaceable: Collection[str] | None = None
) -> None:
    """Write a directory as one: a directory beside it is filled, flushed to the disk and renamed.

    Parameters
    ----------
    directory : path
        Made, with its parents. One that exists must be empty, or be replaceable.
    files : mapping
        Name of each file and its content; text is written in UTF-8, line ends as they are.
    replaceable : collection of str, optional
        Names of the files of which an existing directory may consist to be replaced, besides those of `files`.
        Without it nothing is replaced.

    Raises
    ------
    DataFileError
        If something that must not be replaced is there, or the files cannot be written; what was there is then
        unchanged.

    Notes
    -----
    To replace a directory takes two renames. A process that is killed between them leaves the old directory and the new
    one, both whole, in a directory whose name begins with a dot; the next run puts the old one back.
    """
    place = _resolved(directory)
    known = {*files, *replaceable} if replaceable is not None else set()
    _refuse_foreign(place, known)
    with uninterrupted():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with new_directory(place.parent) as aside:
                new = aside / "new"
                new.mkdir()
                for name, content in files.items():
                    _write_through(new / name, content)
                _refuse_foreign(place, known)  # another process may have been here
                _rename_directory(new, place, aside / OLD / place.name, bool(known))
        except OSError as exc:
            raise _unwritable(directory, exc) from exc
        with suppress(OSError):  # it is there, whatever the disk says now
            flush_directory(place.parent)


def refuse_place(directory: str | Path, replaceable: Collection[str] = ()) -> None:
    """Find out before long work that `write_directory` could not write a directory there.

    Raises
    ------
    DataFileError
        If so.
    """
    place = _resolved(directory)
    try:
        _refuse_foreign(place, replaceable)
        above = next(parent for parent in place.parents if os.path.lexists(parent))
        with new_directory(above):
            pass
    except OSError as exc:
        raise _unwritable(directory, exc) from exc


def _refuse_foreign(place: Path, known: Collection[str]) -> None:
    """Refuse a file, or a directory with other files than those known."""
    if place.is_dir():
        foreign = sorted({entry.name for entry in place.iterdir()}.difference(known))
        if foreign:
            allowed = "a directory that does not exist yet, is empty"
            allowed += " or, to be overwritten, holds nothing else than earlier results" if known else ""
            raise DataFileError("output", f"{place} with {', '.join(foreign[:3])}", allowed)
    elif place.exists():
        raise DataFileError("output", str(place), "a directory, not a file")


def _rename_directory(new: Path, place: Path, old: Path, replace: bool) -> None:
    """Rename over an empty directory or none; one to be replaced is moved away first, and back if that fails."""
    if replace and place.is_dir() and any(place.iterdir()):
        old.parent.mkdir()
        place.rename(old)  # whoever removes the unfinished directory puts it back if its name is free
    inode = new.stat()
    try:
        new.rename(place)
    except OSError:
        if not _is_there(inode, place):
            raise


@contextmanager
def uninterrupted() -> Iterator[Callable[[], None]]:
    """Ctrl-C, a request to end and a hang-up wait for the end of the block, or for a call of the function that it gets.

    Then the block fails with a KeyboardInterrupt, so that it can clean up, and the signal is given to who handled it
    before, which for requests to end is the system. Only the main thread gets signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    caught: list[int] = []

    def stop_if_asked() -> None:
        if caught:
            caught[:] = [number for number in caught if number != signal.SIGINT]
            raise KeyboardInterrupt

    handlers = {number: signal.getsignal(number) for number in _ASKING}
    heard = {number: handler for number, handler in handlers.items() if handler not in (None, signal.SIG_IGN)}
    for number in heard:
        signal.signal(number, lambda number, _: caught.append(number))
    try:
        yield stop_if_asked
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in caught:
            signal.raise_signal(number)  # for who handled it before: a block around this one goes on, too


@dataclass(frozen=True)
class Unfinished:
    """A file that has no name yet, or a hidden one.

    Attributes
    ----------
    handle : int
        Open for reading and writing.
    path : Path
        By which this process can open it.
    nameless : bool
        Whether it is gone with its handle.
    """

    handle: int
    path: Path
    nameless: bool

    def finish(self, like: str | Path) -> None:
        """Have the content written to the disk, for the eyes of those only who may read the given file."""
        os.fchmod(self.handle, mode_like(like, os.fstat(self.handle).st_gid))
        os.fsync(self.handle)


@contextmanager
def unfinished(path: str | Path) -> Iterator[Unfinished]:
    """A new file on the disk of `path`, to be opened, written and put in place; gone at the end if it was not.

    Nobody else may read it until it is put in place. Where the system has files without a name it is one, which is gone
    even if the process is killed; elsewhere its hidden name then stays until the next run.

    Raises
    ------
    DataFileError
        If no file can be made there, or the block fails with an OSError.
    """
    place = _resolved(path)
    remove_leftovers(place.parent)
    try:
        with _nameless(place.parent) or _hidden(place.parent) as aside:
            yield aside
    except OSError as exc:
        raise _unwritable(path, exc) from exc


def _nameless(directory: Path) -> AbstractContextManager[Unfinished] | None:
    """A file without a name; None if there are none."""
    try:
        handle = os.open(directory, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except (OSError, AttributeError):
        return None
    aside = Path(f"/proc/self/fd/{handle}")
    if aside.exists():
        return _closing(Unfinished(handle, aside, True))
    os.close(handle)
    return None


@contextmanager
def _closing(aside: Unfinished) -> Iterator[Unfinished]:
    try:
        yield aside
    finally:
        with suppress(OSError):  # flushed before, or not wanted
            os.close(aside.handle)


@contextmanager
def _hidden(directory: Path) -> Iterator[Unfinished]:
    with new_part(directory) as (handle, path):
        yield Unfinished(handle, path, False)


def put_in_place(aside: Unfinished, path: str | Path) -> None:
    """Give a finished file its name, which must be free: of two processes only one succeeds.

    Once the file has its name nothing fails any more: what the system says afterwards is not asked, but flushed for.

    Raises
    ------
    DataFileError
        If the file certainly did not get its name: it is taken, or the file system refuses.
    OSError
        If nobody can say whether the file got its name.
    """
    place = _resolved(path)
    try:
        _link(aside, place)
    except OSError as exc:
        if not _is_there(os.fstat(aside.handle), place):
            taken = isinstance(exc, FileExistsError) or os.path.lexists(place)
            raise _taken(path) if taken else _unwritable(path, exc) from exc
    with suppress(OSError):
        flush_directory(place.parent)


def _link(aside: Unfinished, place: Path) -> None:
    if aside.nameless:
        directory = os.open(aside.path.parent, os.O_RDONLY)
        try:  # relative to a directory: then /proc/self/fd/N is followed
            os.link(aside.path.name, place, src_dir_fd=directory)
        finally:
            os.close(directory)
        return
    try:
        os.link(aside.path, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(place):
            raise
        os.rename(aside.path, place)


def _is_there(inode: os.stat_result, place: Path) -> bool:
    """Whether a name is that of the file: a call may report an error after having worked."""
    try:
        return os.path.samestat(inode, os.lstat(place))
    except FileNotFoundError:
        return False


def refuse_taken(path: str | Path) -> None:
    """Find out before long work that a name is taken, or that no file can have it.

    Raises
    ------
    DataFileError
        If so.
    """
    try:
        os.lstat(Path(path))
    except FileNotFoundError:
        return
    except (OSError, ValueError) as exc:
        raise DataFileError("output", str(path), f"the name of a file that can be made ({reason(exc)})") from exc
    raise _taken(path)


def _taken(path: str | Path) -> DataFileError:
    """The error for a file that is there already."""
    return DataFileError("output", str(path), "a file that does not exist yet (nothing is overwritten)")


def replace_file(path: str | Path, content: str | bytes, like: str | Path | int | None = None) -> None:
    """Write a file whole and durably, or leave what was there; Ctrl-C waits for the end.

    Parameters
    ----------
    path : path
        The file.
    content : str or bytes
        Text is written in UTF-8.
    like : path or int, optional
        Nobody may read or write the new file who may not read or write this one; or the permissions it gets.

    Raises
    ------
    DataFileError
        If it cannot be written.
    """
    with uninterrupted():
        write_bytes(path, content.encode("utf-8") if isinstance(content, str) else content, like)
        try:
            flush_directory(_resolved(path).parent)
        except OSError as exc:
            raise _unwritable(path, exc) from exc


def _write_through(path: Path, content: str | bytes) -> None:
    with path.open("wb") as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def flush_directory(directory: Path) -> None:
    """Have the names in a directory written to the disk.

    Raises
    ------
    OSError
        If they may not be there.
    """
    try:
        handle = os.open(directory, os.O_RDONLY)
    except PermissionError:  # one that may be written but not read: then all disks are flushed
        os.sync()
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _resolved(path: str | Path) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError, ValueError) as exc:
        raise DataFileError("output", str(path), f"the name of a file or directory ({exc})") from exc


def _unwritable(path: str | Path, exc: OSError) -> DataFileError:
    return DataFileError("output", str(path), f"a place that can be written ({exc.strerror or exc})")
