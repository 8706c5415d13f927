"""Reading and writing files: every failure is a `DataFileError`, and what is written is whole or not there."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from lpmech.errors import DataFileError
from lpmech.files.parts import mode_like, new_part, plain_mode

__all__ = [
    "check_writable",
    "make_directory",
    "open_text",
    "read_regular",
    "reason",
    "write_bytes",
    "write_text",
    "write_with",
]

#: Seconds to wait for the first byte of a named pipe.
PATIENCE = 3.0

#: How a file packed by gzip begins.
GZIP = b"\x1f\x8b"


@contextmanager
def open_text(path: str | Path, allowed: str) -> Iterator[IO[str]]:
    """Open a file of UTF-8 text for reading: a regular file, or a pipe into which somebody writes.

    Parameters
    ----------
    path : path
        The file.
    allowed : str
        What the error says would have been accepted.

    Raises
    ------
    DataFileError
        If it cannot be opened, read or decoded, is a directory or a device, or is a pipe into which nothing is written
        for `PATIENCE` seconds.
    """
    try:
        with os.fdopen(_opened(path), encoding="utf-8-sig", newline="") as file:
            yield file
    except (OSError, UnicodeDecodeError, _UnusableNameError) as exc:
        zipped = isinstance(exc, UnicodeDecodeError) and bytes(exc.object).startswith(GZIP)
        why = "gzip is not read: unpack it first" if zipped else reason(exc)
        raise DataFileError("file", str(path), f"{allowed} ({why})") from exc


def read_regular(path: str | Path, argument: str, most: int) -> str:
    """The text of a regular file in UTF-8 of at most so many bytes; no device and no pipe, which might never end.

    Raises
    ------
    FileNotFoundError
        If there is none.
    DataFileError
        If it is no such file, or cannot be read.
    """
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise DataFileError(argument, str(path), "a regular file")
            content = file.read(most + 1)
        if len(content) > most:
            raise DataFileError(argument, str(path), f"at most {most >> 20} MiB")
        return content.decode("utf-8")
    except (FileNotFoundError, DataFileError):
        raise
    except (OSError, ValueError) as exc:
        raise DataFileError(argument, str(path), f"a readable file in UTF-8 ({reason(exc)})") from exc


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text as a file that is whole or not there; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8", errors="surrogateescape"))


def write_bytes(path: str | Path, content: bytes, like: str | Path | int | None = None) -> None:
    """Write a file under another name, then rename it: it is whole or, if anything goes wrong, as it was before.

    A device or a pipe, such as /dev/stdout, is written to directly. With `like`, nobody may read or write the file who
    may not read or write that one (or who might not read or write it before); a number is permissions themselves.

    Raises
    ------
    DataFileError
        If it cannot be written: no such directory, no permission, no space, a directory in the way, ...
    """
    try:
        if _is_special(path):
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK), "wb") as file:
                os.set_blocking(file.fileno(), True)
                file.write(content)
            return
        target = Path(os.path.realpath(path))
        with new_part(target.parent) as (handle, part):
            mode = plain_mode(target)
            if like is not None:
                private = like if isinstance(like, int) else mode_like(like, os.fstat(handle).st_gid)
                mode = private & (mode | 0o600) if target.exists() else private
            with open(handle, "wb", closefd=False) as file:
                file.write(content)
            os.fchmod(handle, mode)
            os.fsync(handle)
            os.replace(part, target)
    except (OSError, ValueError) as exc:
        raise DataFileError("file", str(path), f"a file that can be written ({reason(exc)})") from exc


def write_with(save: Callable[[BytesIO], object], path: str | Path) -> None:
    """Write with `write_bytes` what `save` writes into a buffer."""
    buffer = BytesIO()
    save(buffer)
    write_bytes(path, buffer.getvalue())


def check_writable(path: str | Path) -> None:
    """Find out before long work whether a file could be written; nothing is changed.

    Raises
    ------
    DataFileError
        If it could not.
    """
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(None, "Is a directory")
        if not _is_special(path):
            with new_part(Path(os.path.realpath(path)).parent):
                pass
    except (OSError, ValueError) as exc:
        raise DataFileError("file", str(path), f"a file that can be written ({reason(exc)})") from exc


def make_directory(path: str | Path, argument: str = "output") -> Path:
    """Make a directory where there is none.

    Raises
    ------
    DataFileError
        If it cannot be made.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as exc:
        raise DataFileError(argument, str(path), f"a directory that can be made ({reason(exc)})") from exc
    return Path(path)


def reason(error: Exception) -> str:
    """Why a file could not be used, in a few words that quote nothing of it."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 from byte {error.start} on"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


class _UnusableNameError(Exception):
    """A name that no file can have."""


def _opened(path: str | Path) -> int:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as exc:
        raise _UnusableNameError(str(exc)) from exc
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(None, "Is a directory")
        if stat.S_ISFIFO(mode):
            if not select.select([handle], [], [], PATIENCE)[0]:
                raise OSError(f"a pipe into which nothing is written for {PATIENCE:g} seconds")
        elif not stat.S_ISREG(mode):
            raise OSError("neither a regular file nor a pipe")
        os.set_blocking(handle, True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _is_special(path: str | Path) -> bool:
    """Whether it is something that cannot be replaced by a new file: a directory, a device, a pipe, /dev/stdout."""
    return str(path).startswith("/dev/") or (Path(path).exists() and not Path(path).is_file())
