"""Asking a program for answers: labels on its standard input, one a line, answers on its standard output."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import IO, Any

import numpy as np

from lpmech.entries import Array, positive_number, whole_number
from lpmech.errors import LabelError, LpmechError

__all__ = ["OTHER", "Answers", "RandomizerError", "ask_sampler", "run_randomizer"]

#: The event that an output is none of those seen in the first half.
OTHER = "(an output not seen before)"

_MOST_OUTPUTS, _MOST_ANSWERS = 1000, 10**8


class RandomizerError(LpmechError):
    """A randomizer that is audited does not run, or does not answer every label with one line."""


@dataclass(frozen=True)
class Answers:
    """What two runs of a program answered to the same questions.

    Attributes
    ----------
    labels, outputs : tuple of str
        Outputs are those of the first half of either run, and `OTHER`.
    asked : ndarray of int, shape (n,)
        Positions of the labels: independent, each as likely as any other.
    runs : ndarray of int, shape (2, n)
        Positions of the outputs.
    """

    labels: tuple[str, ...]
    outputs: tuple[str, ...]
    asked: Array
    runs: Array

    def part(self, start: int, stop: int) -> Answers:
        """The same for the questions from `start` to before `stop`."""
        return replace(self, asked=self.asked[start:stop], runs=self.runs[:, start:stop])


def run_randomizer(
    command: Sequence[str],
    labels: Sequence[str],
    trials: int,
    *,
    seed: int | None = None,
    timeout: float = 600.0,
    progress: Callable[[int], None] = lambda count: None,
) -> Answers:
    """Ask a randomizer the same questions twice: labels on its standard input, one a line, answers on its output.

    Parameters
    ----------
    command : sequence of str
        Program and arguments; no shell is used.
    labels : sequence of str
        At least two.
    trials : int
        Answers for each label and each half of a run, on average.
    seed : int, optional
        Of the labels that are asked.
    timeout : float
        Seconds until a run is stopped.
    progress : callable
        Called with a number of answers.

    Returns
    -------
    Answers

    Raises
    ------
    RandomizerError
        If it cannot be started, fails, takes too long, or gives another number of lines, or over 1000 outputs.
    LabelError, InvalidInputError
        If the labels are fewer than two, not distinct, or hold line breaks; trials is no whole number >= 1, or the
        timeout no positive number.
    """
    asked = _questions(labels, trials, seed)
    positive_number(timeout, "timeout")
    columns: dict[bytes, int] = {}
    runs = np.stack([_one_run(command, labels, asked, timeout, progress, columns) for _ in range(2)])
    return _answers(labels, asked, runs, [text.decode("utf-8", "backslashreplace") for text in columns])


def ask_sampler(sampler: Callable[[Any], Any], labels: Sequence[Any], trials: int, seed: int | None = None) -> Answers:
    """Ask a function the same questions twice, as `run_randomizer` asks a program.

    Parameters
    ----------
    sampler : callable
        Takes a label and draws an output: a number, a text, or a vector of them.
    labels : sequence
        At least two, which differ as texts.
    trials, seed
        As for `run_randomizer`.

    Raises
    ------
    RandomizerError
        If it raises, or has over 1000 outputs.
    LabelError, InvalidInputError
        As `run_randomizer`.
    """
    names = [str(label) for label in labels]
    asked = _questions(names, trials, seed)
    columns: dict[str, int] = {}
    runs = np.zeros((2, len(asked)), dtype=np.int16)
    for run in runs:
        for i, y in enumerate(asked.tolist()):
            try:
                output = sampler(labels[y])
            except Exception as exc:  # the function is the user's own
                raise RandomizerError(f"the sampler raises {type(exc).__name__} at {labels[y]!r}: {exc}") from exc
            run[i] = columns.setdefault(_told(output), len(columns))
            _check_finite(columns)
    return _answers(names, asked, runs, list(columns))


def _told(output: Any) -> str:
    return str(output.tolist() if isinstance(output, (np.ndarray, np.generic)) else output)


def _check_finite(columns: Mapping[Any, int]) -> None:
    if len(columns) > _MOST_OUTPUTS:
        raise RandomizerError(f"more than {_MOST_OUTPUTS} different outputs: this is for finite alphabets")


def _answers(labels: Sequence[str], asked: Array, runs: Array, names: Sequence[str]) -> Answers:
    """Answers with the outputs of the first halves, and the others as one."""
    seen = np.unique(runs[:, : len(asked) // 2])
    place = np.full(len(names), len(seen), dtype=np.int16)
    place[seen] = np.arange(len(seen))
    return Answers(tuple(labels), (*(names[j] for j in seen), OTHER), asked, place[runs])


def _one_run(
    command: Sequence[str],
    labels: Sequence[str],
    asked: Array,
    timeout: float,
    progress: Callable[[int], None],
    columns: dict[bytes, int],
) -> Array:
    """The answers to all questions, as numbers that `columns` has or gets."""
    errors: list[bytes] = []
    with _running(command, labels, asked, timeout, errors) as (process, late):
        assert process.stdout is not None
        drawn, answers = _answered(process.stdout, len(asked), columns, progress)
        code = process.wait()
        out_of_time = not late.is_alive()
    if out_of_time:
        raise RandomizerError(f"{' '.join(command)} was stopped after {timeout:g} seconds with {answers} answers")
    if code != 0 or answers != len(asked):
        last = (errors[0] if errors else b"").decode("utf-8", "replace").strip().splitlines()[-1:]
        told = f": {last[0]}" if last else ""
        raise RandomizerError(
            f"{' '.join(command)} ended with code {code} after {answers} lines for {len(asked)} labels{told}"
        )
    return drawn


def _questions(labels: Sequence[str], trials: int, seed: int | None) -> Array:
    """Positions of the labels to be asked, each independent of all others: `trials` of each in either half, about."""
    whole_number(trials, "trials", 1, _MOST_ANSWERS // max(1, 2 * len(labels)))
    lines = [_line(label) for label in labels]
    if len(set(lines)) != len(lines) or len(lines) < 2 or any(len(line.splitlines()) != 1 for line in lines):
        raise LabelError("labels", list(labels), "two or more distinct labels of one line each")
    return np.random.default_rng(seed).integers(len(labels), size=2 * trials * len(labels), dtype=np.int32)


@contextmanager
def _running(
    command: Sequence[str], labels: Sequence[str], asked: Array, timeout: float, errors: list[bytes]
) -> Iterator[tuple[subprocess.Popen[bytes], threading.Timer]]:
    """The program, being asked and its errors read, with the timer that stops it; at the end it is stopped anyway."""
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except (OSError, ValueError, IndexError) as exc:
        raise RandomizerError(f"{' '.join(command) or 'an empty command'} cannot be started: {exc}") from exc
    late = threading.Timer(min(timeout, threading.TIMEOUT_MAX), _stop, [process])
    helpers = [
        threading.Thread(target=_ask, args=(process.stdin, labels, asked), daemon=True),
        threading.Thread(target=lambda: errors.append(process.stderr.read() if process.stderr else b""), daemon=True),
    ]
    late.start()
    try:
        for helper in helpers:
            helper.start()
        yield process, late
    finally:
        late.cancel()
        _stop(process)
        process.wait()
        for helper in helpers:
            helper.join(timeout=1)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program with all that it has started, also where it has ended itself: what it started may go on."""
    if process.returncode is None:  # not waited for yet, so that the number of its group is still its own
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _line(label: str) -> bytes:
    """What the program reads of a label."""
    return f"{label}\n".encode(errors="surrogatepass")


def _ask(pipe: IO[bytes], labels: Sequence[str], asked: Array) -> None:
    lines = [_line(label) for label in labels]
    try:
        with pipe:
            for start in range(0, len(asked), 4096):
                pipe.write(b"".join([lines[y] for y in asked[start : start + 4096].tolist()]))
    except (OSError, ValueError):
        return  # it reads no more; what it has answered decides


def _answered(
    pipe: IO[bytes], size: int, columns: dict[bytes, int], progress: Callable[[int], None]
) -> tuple[Array, int]:
    """The answers, of which there are to be so many, as numbers, and how many there are."""
    drawn = np.zeros(size, dtype=np.int16)
    answers = 0
    for line in pipe:
        if answers == size:
            raise RandomizerError(f"more answers than the {size} labels: one line for each label is needed")
        drawn[answers] = columns.setdefault(line.rstrip(b"\r\n"), len(columns))
        answers += 1
        if answers % 10_000 == 0:
            progress(10_000)
        _check_finite(columns)
    return drawn, answers
