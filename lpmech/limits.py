"""One limit on time for whatever may take too long: a signal interrupts it; limits may stand inside of one another."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from lpmech.errors import LpmechError

__all__ = ["seconds_left", "time_limit", "uninterrupted"]

#: After an interruption that something has swallowed, the next one comes so many seconds later.
_AGAIN = 0.5


#: The sections that no limit interrupts; one that passes meanwhile does so `_AGAIN` later.
_held: list[object] = []


class _TooLong(BaseException):
    def __init__(self, limit: _Limit) -> None:
        self.limit = limit


class _Limit(NamedTuple):
    deadline: float
    token: object


class _Clock:
    """Limits by one clock, of which the earliest sets the timer."""

    def __init__(self, timer: str, signal_name: str, now: Any) -> None:
        self._timer: Any = getattr(signal, timer, None)
        self._signal: Any = getattr(signal, signal_name, None)
        self._now = now
        self._running: list[_Limit] = []
        self._before: Any = None
        if hasattr(os, "register_at_fork"):  # timers are not inherited
            os.register_at_fork(after_in_child=self._running.clear)

    def begin(self, seconds: float) -> _Limit | None:
        """A limit that counts from now on; None where signals cannot be had."""
        if self._timer is None or threading.current_thread() is not threading.main_thread():
            return None
        if not self._running:
            self._before = signal.signal(self._signal, self._over)
        limit = _Limit(self._now() + seconds, object())
        self._running.append(limit)
        self._set()
        return limit

    def end(self, limit: _Limit) -> None:
        """Leave a limit, and those inside of it."""
        if limit in self._running:
            del self._running[self._running.index(limit) :]
        self._set()
        if not self._running:
            signal.signal(self._signal, self._before)

    @property
    def left(self) -> float | None:
        """Until the earliest limit; None where there is none."""
        return min((limit.deadline - self._now() for limit in self._running), default=None)

    def _set(self) -> None:
        left = self.left
        signal.setitimer(self._timer, 0 if left is None else max(left, 1e-3), 0 if left is None else _AGAIN)

    def _over(self, *_: object) -> None:
        if _held:
            return
        passed = next((limit for limit in self._running if limit.deadline <= self._now()), None)
        if passed is not None:
            raise _TooLong(passed)


_PROCESSOR = _Clock("ITIMER_PROF", "SIGPROF", time.process_time)
_WALL = _Clock("ITIMER_REAL", "SIGALRM", time.monotonic)


@contextmanager
def time_limit(seconds: float, error: LpmechError, *, of_the_wall: bool = False) -> Iterator[None]:
    """Raise an error after so many seconds, where signals can be had: in the main thread, and not on Windows.

    Parameters
    ----------
    seconds : float
        Of processor time, so that a busy machine interrupts nothing that an idle one does not; with `of_the_wall` of
        the clock on the wall, for what may wait.
    error : LpmechError
        What is raised.
    """
    clock = _WALL if of_the_wall else _PROCESSOR
    limit = clock.begin(seconds)
    if limit is None:
        yield
        return
    try:
        yield
    except _TooLong as exc:
        if exc.limit is not limit:
            raise
        raise error from None
    finally:
        clock.end(limit)


def seconds_left(most: float) -> float:
    """So many seconds, or what the limits around leave of them: for a library that no signal interrupts."""
    left = [one for one in (_PROCESSOR.left, _WALL.left) if one is not None]
    return max(0.01, min([most, *left]))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let no limit interrupt what is within: the next signal does, half a second later.

    For libraries that count the references to their objects in Python: one that is interrupted between making an
    object and counting it frees the object twice, and the process ends with a segmentation fault.
    """
    _held.append(None)
    try:
        yield
    finally:
        _held.pop()
