"""Shape (e): channels, private and nearly private, relabelled, rectangular, optimal and nearly optimal.

Tables are written to a file and asked of `check_table`, formulas in t and K of `check`. Of a table, `certified` and
`supported` are affirmations (there is one instance); of a formula for all K only `proved` is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lpmech import Channel, PrivacyLevel
from lpmech.conjectures import Settled, check, check_table, conjecture_from_text
from lpmech.errors import LpmechError
from lpmech.mechanisms import randomized_response
from lpmech.tables import write_channel
from soundness.record import Judged

__all__ = ["ChannelStatement", "channel_statement", "judge_channel"]

_NUDGE = Fraction(1, 10**9)


@dataclass(frozen=True)
class ChannelStatement:
    """A requirement on a channel whose answer is known.

    Attributes
    ----------
    settled : callable
        Runs the check.
    requirement : str
        The beginning of the name of what answers.
    affirmed : frozenset of str
        Verdicts that say yes.
    """

    shape: str
    line: str
    truth: bool
    settled: Callable[[], Sequence[Any]]
    requirement: str
    affirmed: frozenset[str]


_ONE_TABLE = frozenset({"proved", "certified", "supported"})
_FOR_ALL = frozenset({"proved"})


def channel_statement(number: int, seed: int = 0) -> ChannelStatement:
    """The statement of this number."""
    rng = Random(f"{seed} e {number}")
    return rng.choice([_private_table, _private_table, _relabelled, _misplaced, _formula, _formula])(rng)


def judge_channel(number: int, seed: int = 0) -> Judged:
    """Run the check and compare."""
    asked, start = channel_statement(number, seed), time.monotonic()
    verdict, detail = _verdict(asked)
    wrong = None
    if verdict == "crashed":
        wrong = "an exception that is not one of the library's"
    elif verdict in ("holds", "fails") and (verdict == "holds") != asked.truth:
        wrong = f"it is {asked.truth}"
    text = f"[{asked.truth}] {asked.line}: {asked.requirement}"
    return Judged(f"e-{number}", asked.shape, asked.truth, text, verdict, detail, wrong, time.monotonic() - start)


def _verdict(asked: ChannelStatement) -> tuple[str, str]:
    try:
        settled = asked.settled()
    except LpmechError as exc:
        return "refused", str(exc)
    except Exception as exc:  # whatever it is, it is a finding of the run and not its end
        return "crashed", f"{type(exc).__name__}: {exc}"
    outcome = next((f.outcome for f in settled if f.requirement.startswith(asked.requirement)), None)
    if outcome is None:
        return "undecided", "it was not settled"
    detail = f"{outcome.verdict}: {outcome.evidence}"
    if outcome.verdict == "refuted":
        return "fails", detail
    return ("holds", detail) if outcome.verdict in asked.affirmed else ("undecided", detail)


# ---- tables


def _private_table(rng: Random) -> ChannelStatement:
    """A random table, square or not, asked at its own level, a little above, and a little below."""
    rows, columns = rng.randint(2, 5), rng.randint(2, 5)
    matrix = [_row(rng, columns) for _ in range(rows)]
    if len(set(map(tuple, matrix))) == 1:
        matrix[0] = [matrix[0][0] / 2, matrix[0][1] + matrix[0][0] / 2, *matrix[0][2:]]
    tight = max(max(column) / min(column) for column in zip(*matrix, strict=True))
    level, truth, where = rng.choice(
        [(tight, True, "at"), (tight + _NUDGE, True, "just above"), (tight - _NUDGE, False, "just below")]
    )
    square = "square" if rows == columns else "rectangular"
    channel = Channel(_array(matrix))
    return ChannelStatement(
        f"e {square} table {where} its level",
        f"{_shown(matrix)} at e^epsilon = {level}",
        truth,
        lambda: _checked(channel, level),
        "private",
        _ONE_TABLE,
    )


def _relabelled(rng: Random) -> ChannelStatement:
    """RR with its columns in another order: the same channel if the labels go with them, another one if not."""
    size, ratio = rng.randint(3, 5), Fraction(rng.randint(3, 20), 2)
    order = rng.sample(range(size), size)
    while order == list(range(size)):
        order = rng.sample(range(size), size)
    plain = randomized_response(size, PrivacyLevel.from_ratio(ratio)).matrix
    named = rng.random() < 0.5
    outputs = order if named else list(range(size))
    channel = Channel(plain[:, order], range(size), outputs)
    return ChannelStatement(
        "e relabelled RR" if named else "e RR with labels swapped",
        f"RR at {ratio}, columns {order} called {outputs}",
        named,
        lambda: _checked(channel, ratio, "randomized_response"),
        "mechanism",
        _ONE_TABLE,
    )


def _misplaced(rng: Random) -> ChannelStatement:
    """RR, or RR with 10^-6 moved within a row."""
    size, ratio = rng.randint(2, 5), Fraction(rng.randint(3, 20), 2)
    matrix = randomized_response(size, PrivacyLevel.from_ratio(ratio)).matrix.copy()
    moved = rng.random() < 0.5
    if moved:
        matrix[0, 0] -= Fraction(1, 10**6)
        matrix[0, 1] += Fraction(1, 10**6)
    channel = Channel(matrix)
    return ChannelStatement(
        "e nearly RR" if moved else "e RR",
        f"RR at {ratio} with {size} labels" + (", 10^-6 moved" if moved else ""),
        not moved,
        lambda: _checked(channel, ratio, "randomized_response"),
        "mechanism",
        _ONE_TABLE,
    )


def _row(rng: Random, columns: int) -> list[Fraction]:
    weights = [rng.randint(1, 9) for _ in range(columns)]
    return [Fraction(w, sum(weights)) for w in weights]


def _array(matrix: list[list[Fraction]]) -> Any:
    return np.array(matrix, dtype=object)


def _checked(channel: Channel, ratio: Fraction, mechanism: str | None = None) -> list[Settled]:
    """The channel as a table in a file; outputs that are not the labels get a utility in a file beside it."""
    with TemporaryDirectory() as directory:
        table, gains = Path(directory, "table.csv"), Path(directory, "gains.csv")
        write_channel(table, channel)
        utility = "hit"
        if set(channel.inputs) != set(channel.outputs):
            rows = [["1" if y == j else "0" for j in channel.outputs] for y in channel.inputs]
            lines = [
                ["", *map(str, channel.outputs)],
                *([str(y), *row] for y, row in zip(channel.inputs, rows, strict=True)),
            ]
            gains.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")
            utility = str(gains)
        return check_table(table, utility, level=PrivacyLevel.from_ratio(ratio), mechanism=mechanism)


def _shown(matrix: list[list[Fraction]]) -> str:
    return "; ".join(" ".join(map(str, row)) for row in matrix)


# ---- formulas in t and K


def _formula(rng: Random) -> ChannelStatement:
    """Diagonal and off-diagonal entry: RR in another writing, or with one thing wrong."""
    same = rng.choice(["t", "(t**2+t)/(t+1)", "((sqrt(t)-1)*(sqrt(t)+1)+1)", "(t**2-1)/(t-1)-1", "Max(t,1)", "Abs(t)"])
    a, b = f"({same})/(t+K-1)", "1/(t+K-1)"
    roots = "*".join(f"(K-{j})" for j in range(2, 9))
    nudge = "(1/10**9)"
    rows, private, optimal = "rows sum to one", "epsilon-private", "optimal"
    line, entries, question, truth = rng.choice(
        [
            ("RR", (a, b), rows, True),
            ("RR", (a, b), private, True),
            ("RR", (a, b), optimal, True),
            ("RR, right for K = 2..8 only", (a, f"{b}+{roots}"), rows, False),
            ("RR, right for K = 2..8 only", (f"{a}+{roots}", b), rows, False),
            ("RR off by 10^-9", (f"{a}+{nudge}", b), rows, False),
            ("RR at t + 10^-9", (f"(t+{nudge})/(t+{nudge}+K-1)", f"1/(t+{nudge}+K-1)"), private, False),
            (
                "RR at t - 10^-9 (t - 1)",
                (f"(t-{nudge}*(t-1))/(t-{nudge}*(t-1)+K-1)", f"1/(t-{nudge}*(t-1)+K-1)"),
                private,
                True,
            ),
            (
                "RR at t - 10^-9 (t - 1)",
                (f"(t-{nudge}*(t-1))/(t-{nudge}*(t-1)+K-1)", f"1/(t-{nudge}*(t-1)+K-1)"),
                optimal,
                False,
            ),
            ("RR at half the budget", ("sqrt(t)/(sqrt(t)+K-1)", "1/(sqrt(t)+K-1)"), private, True),
            ("RR at half the budget", ("sqrt(t)/(sqrt(t)+K-1)", "1/(sqrt(t)+K-1)"), optimal, False),
            ("RR with a cancelled pole", (f"{a}*(K**2-18*K+81)/(K-9)**2", b), rows, False),
            ("uniform", ("1/K", "1/K"), private, True),
            ("uniform", ("1/K", "1/K"), optimal, False),
        ]
    )
    return ChannelStatement(
        f"e formula: {question}",
        f"{line}: {', '.join(entries)}",
        truth,
        lambda: list(check(conjecture_from_text(", ".join(entries)), largest=4)),
        question,
        _FOR_ALL,
    )
