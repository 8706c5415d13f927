"""What the engine says of a statement, against what is known."""

from __future__ import annotations

import time
from random import Random

import sympy as sp

from lpmech.errors import LpmechError
from lpmech.prove import Fails, Holds, prove
from soundness.record import Judged
from soundness.shapes import statement
from soundness.statement import Statement, mislabelled, violated

__all__ = ["judge", "judge_number"]

#: Points at which a true statement is spot-checked before the engine is asked.
_POINTS = 10


def judge_number(shape: str, number: int, seed: int, timeout_seconds: float) -> Judged:
    """Make a statement, check its truth at a few points, and ask the engine."""
    made, name = statement(shape, number, seed), f"{shape}-{number}"
    reason = mislabelled(made, Random(number), _POINTS)
    if reason is not None:
        return Judged(name, made.shape, made.truth, str(made), "not asked", reason, "the test is wrong", 0.0)
    return judge(made, name, timeout_seconds)


def judge(asked: Statement, name: str, timeout_seconds: float) -> Judged:
    """Ask the engine; a witness is replayed with the evaluator of this package."""
    start = time.monotonic()
    verdict, detail, wrong = _asked(asked, timeout_seconds)
    return Judged(name, asked.shape, asked.truth, str(asked), verdict, detail, wrong, time.monotonic() - start)


def _asked(asked: Statement, timeout_seconds: float) -> tuple[str, str, str | None]:
    try:
        answer = prove(asked.conclusion, asked.hypotheses, timeout_seconds=timeout_seconds)
    except LpmechError as exc:
        return "refused", str(exc), None
    except Exception as exc:  # whatever it is, it is a finding of the run and not its end
        return "crashed", f"{type(exc).__name__}: {exc}", "an exception that is not one of the library's"
    if isinstance(answer, Holds):
        return "holds", answer.method, None if asked.truth else "it does not hold"
    if isinstance(answer, Fails):
        return "fails", str(answer.witness), _wrong_refutation(asked, answer)
    return "undecided", answer.reason, None


def _wrong_refutation(asked: Statement, answer: Fails) -> str | None:
    if asked.truth is not False:
        return "it does not fail"
    named = {str(symbol): value for symbol, value in answer.witness.point.items()}
    symbols = set().union(*(sp.sympify(part).free_symbols for part in (asked.conclusion, *asked.hypotheses)))
    point = {symbol: named[str(symbol)] for symbol in symbols if str(symbol) in named}
    if len(point) < len(symbols):
        return f"its witness leaves out {sorted(map(str, symbols - set(point)))}"
    return None if violated(asked, point) else "its witness is none"
