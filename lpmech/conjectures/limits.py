"""A user's program runs in a process of its own, with limits for its time and memory."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lpmech.errors import DataFileError, InvalidInputError, LpmechError, SolverError

__all__ = ["CALL_SECONDS", "CallLimit", "MEMORY_BYTES", "in_own_process"]

#: Longest time for one call of a function of a user's file, and for running the file.
CALL_SECONDS = 20.0
#: Address space of the process.
MEMORY_BYTES = 4 * 2**30

Send = Callable[[Any], None]

#: What a process tells that has neither depth nor memory left to make it then.
_TOO_DEEP, _TOO_LARGE = (
    pickle.dumps(("error", DataFileError("conjecture", kind.__name__, "a program of less memory and depth")))
    for kind in (RecursionError, MemoryError)
)


class _TooLong(BaseException):
    pass


class CallLimit:
    """A context that raises `InvalidInputError` when its block takes longer than `CALL_SECONDS`."""

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        self._error = (argument, value, f"{allowed} within {CALL_SECONDS:g} seconds")

    def __enter__(self) -> None:
        self._used = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        if self._used:
            self._before = signal.signal(signal.SIGALRM, _too_long)
            signal.setitimer(signal.ITIMER_REAL, CALL_SECONDS)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._used:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        if kind is not None and issubclass(kind, _TooLong):
            raise InvalidInputError(*self._error) from None


def _too_long(*_: object) -> None:
    raise _TooLong


def in_own_process(task: Callable[[Send], None], seconds: float, name: str) -> Iterator[Any]:
    """What a task sends from a process of its own; it ends when the task ends, or when the time is over.

    Parameters
    ----------
    task : callable
        Takes a function that sends an object to the caller.
    seconds : float
        After that many seconds the process is ended; the caller sees the end of the iteration.
    name : str
        What runs there, for messages.

    Raises
    ------
    LpmechError
        What the task raised.
    DataFileError
        If the process ended by itself: a crash, exit, or memory above `MEMORY_BYTES`.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(task, sender), daemon=True)
    process.start()
    sender.close()
    deadline = time.monotonic() + seconds
    try:
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            try:
                kind, content = receiver.recv()
            except EOFError:
                process.join()
                raise DataFileError(
                    "conjecture", name, f"a program that does not end by itself (it ended with code {process.exitcode})"
                ) from None
            if kind == "done":
                return
            if kind == "error":
                raise content
            yield content
    finally:
        process.kill()
        process.join()
        receiver.close()


def _run(task: Callable[[Send], None], sender: Any) -> None:
    import resource

    limit = _address_space() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.dup2(2, 1)  # what the user's program prints is no result
    try:
        task(lambda content: sender.send(("item", content)))
        sender.send(("done", None))
    except LpmechError as exc:
        try:
            sender.send(("error", exc))
        except RecursionError:  # a program that recursed for ever may have left no depth to pickle anything
            sender.send_bytes(_TOO_DEEP)
    except RecursionError:
        sender.send_bytes(_TOO_DEEP)
    except MemoryError:
        sender.send_bytes(_TOO_LARGE)
    except KeyboardInterrupt:  # of the user's program or the terminal: the other process tells that this one ended
        raise SystemExit(1) from None
    except Exception as exc:
        error = SolverError(f"an error of lpmech's own, not of the input: {type(exc).__name__}: {exc}")
        sender.send(("error", error))
    finally:
        sender.close()


def _address_space() -> int:
    """Bytes that the process has reserved before the user's program begins; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
