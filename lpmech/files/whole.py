"""Files that are there whole or not at all: one file, or a directory of them, written aside and then renamed."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lpmech.errors import DataFileError
from lpmech.files.access import reason, write_bytes

__all__ = [
    "flush",
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
    To replace a directory takes two renames. A process that is killed between them leaves the old directory beside the
    new one, both whole, in a directory whose name begins with a dot.
    """
    place = _resolved(directory)
    known = {*files, *replaceable} if replaceable is not None else set()
    _refuse_foreign(place, known)
    with uninterrupted():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        except OSError as exc:
            raise _unwritable(directory, exc) from exc
        try:
            new = aside / "new"
            new.mkdir()
            for name, content in files.items():
                _write_through(new / name, content)
            _refuse_foreign(place, known)  # another process may have been here
            _rename_directory(new, place, aside / "old", bool(known))
            _flush_directory(place.parent)
        except OSError as exc:
            raise _unwritable(directory, exc) from exc
        finally:
            shutil.rmtree(aside, ignore_errors=True)


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
        os.rmdir(tempfile.mkdtemp(prefix=f".{place.name}.", dir=above))
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
    if not replace or not place.is_dir() or not any(place.iterdir()):
        new.rename(place)
        return
    place.rename(old)
    try:
        new.rename(place)
    except OSError:
        old.rename(place)
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


@contextmanager
def unfinished(path: str | Path) -> Iterator[Path]:
    """A new file on the disk of `path`, to be opened, written and put in place; gone at the end if it was not.

    Nobody else may read it until it is put in place. Where the system has files without a name it is one, which is gone
    even if the process is killed; elsewhere its hidden name then stays.

    Raises
    ------
    DataFileError
        If no file can be made there, or the block fails with an OSError.
    """
    place = _resolved(path)
    try:
        handle, aside = _nameless(place.parent) or _hidden(place)
    except OSError as exc:
        raise _unwritable(path, exc) from exc
    try:
        yield aside
    except OSError as exc:
        raise _unwritable(path, exc) from exc
    finally:
        os.close(handle)
        aside.unlink(missing_ok=True)  # without a name it has gone with its handle


def _nameless(directory: Path) -> tuple[int, Path] | None:
    """The handle of a file without a name, and the path by which this process can open it; None if there are none."""
    try:
        handle = os.open(directory, os.O_TMPFILE | os.O_RDWR, 0o600)
    except (OSError, AttributeError):
        return None
    aside = Path(f"/proc/self/fd/{handle}")
    if aside.exists():
        return handle, aside
    os.close(handle)
    return None


def _hidden(place: Path) -> tuple[int, Path]:
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    return handle, Path(name)


def put_in_place(aside: Path, path: str | Path) -> None:
    """Give a finished file its name, which must be free: of two processes only one succeeds.

    Raises
    ------
    DataFileError
        If the name is taken.
    OSError
        If the file system refuses.
    """
    place = _resolved(path)
    aside.chmod(0o666 & ~_umask())
    directory = os.open(aside.parent, os.O_RDONLY)
    try:
        os.link(aside.name, place, src_dir_fd=directory)  # relative to a directory: then /proc/self/fd/N is followed
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a file system without hard links
        if place.exists():
            raise _taken(path) from None
        aside.rename(place)
    finally:
        os.close(directory)
    _flush_directory(place.parent)


def refuse_taken(path: str | Path) -> None:
    """Find out before long work that a name is taken, or that no file can have it.

    Raises
    ------
    DataFileError
        If so.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as exc:
        raise DataFileError("output", str(path), f"the name of a file that can be made ({reason(exc)})") from exc
    raise _taken(path)


def _taken(path: str | Path) -> DataFileError:
    """The error for a file that is there already."""
    return DataFileError("output", str(path), "a file that does not exist yet (nothing is overwritten)")


def replace_file(path: str | Path, content: str | bytes) -> None:
    """Write a file whole, or leave what was there; Ctrl-C waits for the end.

    Raises
    ------
    DataFileError
        If it cannot be written.
    """
    with uninterrupted():
        write_bytes(path, content.encode("utf-8") if isinstance(content, str) else content)
        _flush_directory(_resolved(path).parent)


def flush(path: Path) -> None:
    """Have the content of a file written to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _write_through(path: Path, content: str | bytes) -> None:
    with path.open("wb") as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def _flush_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _resolved(path: str | Path) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError, ValueError) as exc:
        raise DataFileError("output", str(path), f"the name of a file or directory ({exc})") from exc


def _unwritable(path: str | Path, exc: OSError) -> DataFileError:
    return DataFileError("output", str(path), f"a place that can be written ({exc.strerror or exc})")
