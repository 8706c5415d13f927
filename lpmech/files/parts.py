"""Unfinished files: under names that only we make, locked while their maker lives, removed by the next run."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["OLD", "mode_like", "new_directory", "new_part", "plain_mode", "remove_leftovers"]

_NAME = re.compile(r"\.lpmech-[0-9a-f]{16}\.part", re.ASCII)

#: Where a directory that is being replaced waits, within the unfinished one, under its own name.
OLD = "old"


@contextmanager
def new_part(directory: Path) -> Iterator[tuple[int, Path]]:
    """A new empty file that nobody else may read; its handle and name. It is gone at the end unless it was renamed.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    remove_leftovers(directory)
    while True:
        path = _new_name(directory)
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            if _kept(handle, path):
                yield handle, path
                return
        finally:
            with suppress(OSError):
                path.unlink(missing_ok=True)  # before the lock goes with the handle
            with suppress(OSError):
                os.close(handle)


@contextmanager
def new_directory(directory: Path) -> Iterator[Path]:
    """A new empty directory that nobody else may read, gone at the end with all that is in it.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    remove_leftovers(directory)
    while True:
        path, handle = _new_name(directory), -1
        path.mkdir(0o700)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            if _kept(handle, path):
                yield path
                return
        finally:
            _remove_directory(path)
            with suppress(OSError):
                os.close(handle)


def remove_leftovers(directory: Path) -> None:
    """Remove what killed processes left unfinished in a directory; what a living one holds, or others made, stays."""
    with suppress(OSError):
        for name in os.listdir(directory):
            if _NAME.fullmatch(name):
                with suppress(OSError):
                    _remove_if_left(directory / name)


def plain_mode(target: Path) -> int:
    """The permissions that a file has, or that a new one would get."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return 0o666 & ~_umask()


def mode_like(path: str | Path, group: int | None = None) -> int:
    """Permissions for a file about the same people: nobody else may use it who may not use the given one.

    The owner always may; the given file's group only where `group`, that of the new file, is the same.
    """
    found = os.stat(path)
    others = stat.S_IMODE(found.st_mode) & 0o066 & ~_umask()
    return 0o600 | (others if group in (None, found.st_gid) else others & 0o006)


def _new_name(directory: Path) -> Path:
    return directory / f".lpmech-{os.urandom(8).hex()}.part"


def _kept(handle: int, path: Path) -> bool:
    """Lock what was just made; False if another process took it for a leftover in between."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: then nobody removes anything either
        return True
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False


def _remove_if_left(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error: its maker lives
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            _remove_directory(path)
        else:
            os.unlink(path)
    finally:
        os.close(handle)


def _remove_directory(path: Path) -> None:
    """Remove an unfinished directory; one that waits in it goes back to its name if that is free."""
    with suppress(OSError):
        for waiting in os.listdir(path / OLD):
            if not os.path.lexists(path.parent / waiting):
                os.rename(path / OLD / waiting, path.parent / waiting)
    with suppress(OSError):  # not all errors are ignored by ignore_errors
        shutil.rmtree(path, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
