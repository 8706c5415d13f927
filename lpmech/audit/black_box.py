"""The privacy level of somebody else's randomizer: exact for a table, bounds with confidence for a black box."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import IO

import numpy as np

from lpmech.certify.checker import exp_bounds
from lpmech.channel import Channel
from lpmech.entries import Array, open_probability, positive_number, to_exact, whole_number
from lpmech.errors import LabelError, LpmechError
from lpmech.release.estimation import clopper_pearson

__all__ = ["BlackBoxAudit", "RandomizerError", "TableAudit", "audit_counts", "audit_table", "run_randomizer"]

#: The event that an output is none of those seen in the first half.
OTHER = "(an output not seen before)"

_MOST_OUTPUTS, _MOST_ANSWERS = 1000, 10**8


class RandomizerError(LpmechError):
    """A randomizer that is audited does not run, or does not answer every label with one line."""


@dataclass(frozen=True)
class TableAudit:
    """The exact level of a table.

    Attributes
    ----------
    ratio : Fraction or None
        Largest quotient of two entries of a column; None if it is infinite.
    output, likely, unlikely : hashable
        Where it is attained.
    low, high : float
        ln(ratio) lies between them; both infinite without a ratio.
    rows_sum_to_one : bool
        Exactly; if not, the table was printed with rounding and is no channel as it stands.
    """

    ratio: Fraction | None
    output: object
    likely: object
    unlikely: object
    low: float
    high: float
    rows_sum_to_one: bool

    def keeps(self, limit: Fraction) -> bool:
        """Whether the level is at most ln(limit), compared exactly."""
        return self.ratio is not None and self.ratio <= limit


def audit_table(channel: Channel) -> TableAudit:
    """The exact level of a table of probabilities; floats are taken for the rationals that they are."""
    entries = to_exact(channel.matrix)
    exact = all(total == 1 for total in entries.sum(axis=1))
    best: tuple[Fraction | None, int, int, int] = (Fraction(1), 0, 0, 0)
    for j, column in enumerate(entries.T):
        high, low = int(np.argmax(column)), int(np.argmin(column))
        if column[high] > 0 and column[low] == 0:
            best = (None, j, high, low)
            break
        if column[high] > 0 and best[0] is not None and column[high] / column[low] > best[0]:
            best = (column[high] / column[low], j, high, low)
    ratio, j, high, low = best
    ends = (math.inf, math.inf) if ratio is None else log_bounds(ratio)
    return TableAudit(ratio, channel.outputs[j], channel.inputs[high], channel.inputs[low], *ends, exact)


def log_bounds(ratio: Fraction) -> tuple[float, float]:
    """Floats below and above ln(ratio) for a ratio of at least 1, proved by rational bounds of the exponential."""
    if ratio == 1:
        return 0.0, 0.0
    guess = math.log1p(float(ratio - 1)) if ratio < 2**900 else math.log(ratio.numerator) - math.log(ratio.denominator)
    low = high = guess
    while low > 0 and exp_bounds(Fraction(low))[1] > ratio:
        low = math.nextafter(low, 0.0)
    while exp_bounds(Fraction(high))[0] < ratio:
        high = math.nextafter(high, math.inf)
    return low, high


@dataclass(frozen=True)
class BlackBoxAudit:
    """Bounds on the level of a randomizer from its answers.

    Attributes
    ----------
    low : float
        The level is at least this, with the confidence.
    output, likely, unlikely : hashable
        The event and the labels that show it; chosen by the first half of the answers, tested on the second.
    high : float
        The level on the outputs of the first half is at most this, with the confidence; infinite where some label was
        never answered with some of them. Nothing bounds outputs that were not seen.
    outputs : tuple of str
        Outputs seen in the first half, and all others as one.
    trials : int
        Answers for each label in the second half.
    confidence : float
        Of both bounds together.
    bounds : int
        How many binomial bounds share the error probability of `high`, by the union bound; `low` has two.
    """

    low: float
    output: str
    likely: str
    unlikely: str
    high: float
    outputs: tuple[str, ...]
    trials: int
    confidence: float
    bounds: int


def audit_counts(
    first: Array, second: Array, labels: Sequence[str], outputs: Sequence[str], confidence: float = 0.99
) -> BlackBoxAudit:
    """Bounds on the level from how often every label was answered with every output.

    Parameters
    ----------
    first, second : ndarray of int, shape (K, J)
        Independent answers. The first choose what is tested, the second test it; rows of the second have one sum.
    labels, outputs : sequence of str
        Names of rows and columns.
    confidence : float
        Of both bounds together.

    Notes
    -----
    Half of the error probability goes to `low`: one bound of Clopper and Pearson from below for the likelier label,
    one from above for the other, a quarter each. The other half is shared by the probabilities of the outputs
    that were seen, each bounded from both sides.
    """
    alpha = 1 - open_probability(confidence, "confidence")
    trials = int(second[0].sum())
    j, likely, unlikely = _most_suspicious(first, alpha)
    # of the two sides of a bound at level alpha / 2 one is used, which is wrong with probability alpha / 4
    one_low, one_high = clopper_pearson(second[[likely, unlikely], j], trials, alpha / 2)
    low = math.log(one_low[0] / one_high[1]) if one_low[0] > one_high[1] else 0.0
    named = second[:, [j for j, name in enumerate(outputs) if name is not OTHER]]
    lows, highs = clopper_pearson(named, trials, alpha / 2 / named.size)
    most = 0.0
    with np.errstate(divide="ignore"):
        for y in range(len(labels)):
            others = np.delete(lows, y, axis=0)
            most = max(most, float((highs[y] / others).max()))
    return BlackBoxAudit(
        low * (1 - 1e-12),
        outputs[j],
        labels[likely],
        labels[unlikely],
        math.log(max(most, 1.0)) * (1 + 1e-12),
        tuple(outputs),
        trials,
        confidence,
        2 * named.size,
    )


def _most_suspicious(counts: Array, alpha: float) -> tuple[int, int, int]:
    """Output, likelier and less likely label with the largest quotient that the counts speak for."""
    low, high = clopper_pearson(counts, int(counts[0].sum()), alpha)
    j = int(np.argmax(low.max(axis=0) / high.min(axis=0)))
    return j, int(np.argmax(low[:, j])), int(np.argmin(high[:, j]))


def run_randomizer(
    command: Sequence[str],
    labels: Sequence[str],
    trials: int,
    *,
    seed: int | None = None,
    timeout: float = 600.0,
    progress: Callable[[int], None] = lambda count: None,
) -> tuple[Array, Array, tuple[str, ...]]:
    """Ask a randomizer for answers: labels on its standard input, one a line, answers on its standard output.

    Parameters
    ----------
    command : sequence of str
        Program and arguments; no shell is used.
    labels : sequence of str
        At least two.
    trials : int
        Answers for each label and each half.
    seed : int, optional
        Of the order in which the labels are asked.
    timeout : float
        Seconds until the program is stopped.
    progress : callable
        Called with a number of answers.

    Returns
    -------
    tuple of ndarray, ndarray and tuple of str
        Counts of the first and of the second half, shape (K, J), and the names of the J outputs: those of the first
        half, and `OTHER`.

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
    errors: list[bytes] = []
    with _running(command, labels, asked, timeout, errors) as (process, late):
        assert process.stdout is not None
        first, second, outputs, answers = _tallied(process.stdout, asked, len(labels), progress)
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
    return first, second, outputs


def _questions(labels: Sequence[str], trials: int, seed: int | None) -> Array:
    """Positions of the labels to be asked: each one `trials` times in either half, in random order."""
    whole_number(trials, "trials", 1, _MOST_ANSWERS // max(1, 2 * len(labels)))
    lines = [_line(label) for label in labels]
    if len(set(lines)) != len(lines) or len(lines) < 2 or any(len(line.splitlines()) != 1 for line in lines):
        raise LabelError("labels", list(labels), "two or more distinct labels of one line each")
    order = np.tile(np.arange(len(labels), dtype=np.int32), trials)
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.permutation(order), rng.permutation(order)])


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
    """End the program with all that it has started."""
    if process.poll() is None:
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


def _tallied(
    pipe: IO[bytes], asked: Array, size: int, progress: Callable[[int], None]
) -> tuple[Array, Array, tuple[str, ...], int]:
    half, columns = len(asked) // 2, dict[bytes, int]()
    drawn = np.zeros(len(asked), dtype=np.int32)
    answers = 0
    for line in pipe:
        if answers < len(asked):
            text = line.rstrip(b"\r\n")
            if answers < half and text not in columns:
                columns[text] = len(columns)
            drawn[answers] = columns.get(text, -1)
        answers += 1
        if answers % 10_000 == 0:
            progress(10_000)
        if len(columns) > _MOST_OUTPUTS:
            raise RandomizerError(f"more than {_MOST_OUTPUTS} different outputs: this is for finite alphabets")
        if answers > len(asked):
            raise RandomizerError(f"more answers than the {len(asked)} labels: one line for each label is needed")
    drawn[drawn < 0] = len(columns)
    width = len(columns) + 1
    tables = [
        np.bincount(asked[part] * width + drawn[part], minlength=size * width).reshape(size, width)
        for part in (slice(0, half), slice(half, None))
    ]
    outputs = tuple(text.decode("utf-8", "backslashreplace") for text in columns)
    return tables[0], tables[1], (*outputs, OTHER), answers
