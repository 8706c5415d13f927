"""A user's program runs in a process of its own, with limits for its time and memory."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lpmech.errors import DataFileError, InvalidInputError, LpmechError, SolverError
from lpmech.files.strangers import refusals
from lpmech.limits import time_limit

__all__ = ["CALL_SECONDS", "MEMORY_BYTES", "Process", "call_limit", "in_own_process", "within"]

#: Longest time for one call of a function of a user's file, and for running the file.
CALL_SECONDS = 20.0
#: Address space of the process.
MEMORY_BYTES = 4 * 2**30

Send = Callable[[Any], None]

#: What a process tells that has neither depth nor memory left to make it then.
_TOO_DEEP, _TOO_LARGE = (
    pickle.dumps(("error", DataFileError("file", kind.__name__, "a program of less memory and depth")))
    for kind in (RecursionError, MemoryError)
)


def call_limit(argument: str, value: object, allowed: str) -> AbstractContextManager[None]:
    """A context that raises `InvalidInputError` when its block takes longer than `CALL_SECONDS`."""
    error = InvalidInputError(argument, value, f"{allowed} within {CALL_SECONDS:g} seconds")
    return time_limit(CALL_SECONDS, error, of_the_wall=True)


def within(seconds: float) -> Callable[[], float]:
    """How many of these seconds are left."""
    deadline = time.monotonic() + seconds
    return lambda: max(0.0, deadline - time.monotonic())


class Process:
    """A task in a process of its own, begun at once.

    What it sends comes by a pipe of its own and ends with a word that it is done: a program that prints or ends the
    process has sent nothing.

    Parameters
    ----------
    task : callable
        Takes a function that sends an object to the caller.
    name : str
        What runs there, for messages.
    """

    def __init__(self, task: Callable[[Send], None], name: str) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        self._name = name
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(task, sender), daemon=True)
        self._process.start()
        sender.close()

    def items(self, left: Callable[[], float]) -> Iterator[Any]:
        """What the task sends; it ends when the task ends, or when no seconds are left to wait for the next.

        Raises
        ------
        LpmechError
            What the task raised; what was refused (see `lpmech.files.strangers`).
        DataFileError
            If the process ended by itself: a crash, exit, or memory above `MEMORY_BYTES`.
        """
        while self._receiver.poll(left()):
            kind, content = self._received()
            if kind == "done":
                return
            if kind == "error":
                raise content
            yield content

    def _received(self) -> Any:
        try:
            return self._receiver.recv()
        except EOFError:
            self._process.join(1)  # one that only closed the pipe may go on for ever
            ended = f"a program that does not end by itself (it ended with code {self._process.exitcode})"
            raise DataFileError("file", self._name, ended) from None
        except (pickle.UnpicklingError, ImportError, AttributeError, TypeError) as exc:
            raise DataFileError("file", self._name, f"a program whose results are plain texts ({exc})") from exc

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._receiver.close()


def in_own_process(task: Callable[[Send], None], left: Callable[[], float], name: str) -> Iterator[Any]:
    """What a task sends from a process of its own, which is ended with the iteration; see `Process`."""
    process = Process(task, name)
    try:
        yield from process.items(left)
    finally:
        process.end()


def _run(task: Callable[[Send], None], sender: Any) -> None:
    gc.freeze()  # what the parent left over is not finalized here, in the midst of whatever allocates
    _limit_memory()
    os.dup2(2, 1)  # what the user's program prints is no result

    def send(content: Any) -> None:
        if refusals:  # a program may have caught it
            raise refusals[0]
        sender.send(("item", content))

    try:
        task(send)
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


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    limit = _address_space() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _address_space() -> int:
    """Bytes that the process has reserved before the user's program begins; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
