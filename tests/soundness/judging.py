"""What the engine says of a statement, against what is known."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lpmech.errors import LpmechError
from lpmech.prove import Fails, Holds, prove
from soundness.shapes import statement
from soundness.statement import Statement, violated

__all__ = ["Judged", "judge", "judge_number", "table"]


@dataclass(frozen=True)
class Judged:
    """A statement's name, kind and truth, and the engine's verdict on it.

    Attributes
    ----------
    name : str
        Shape and number, such as ``a-17``.
    verdict : str
        ``holds``, ``fails``, ``undecided``, ``refused`` (a typed error) or ``crashed``.
    wrong : str or None
        Why the verdict is wrong, if it is.
    """

    name: str
    shape: str
    truth: bool | None
    text: str
    verdict: str
    detail: str
    wrong: str | None
    seconds: float


def judge_number(shape: str, number: int, seed: int, timeout_seconds: float) -> Judged:
    """Make a statement and ask the engine."""
    return judge(statement(shape, number, seed), f"{shape}-{number}", timeout_seconds)


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
    return None if violated(asked, answer.witness.point) else "its witness is none"


def table(judged: Iterable[Judged]) -> str:
    """Number, wrong verdicts and share of undecided, by kind and in all."""
    rows: dict[str, Counter[str]] = {}
    for one in judged:
        for kind in (one.shape, "all"):
            count = rows.setdefault(kind, Counter())
            count["number"] += 1
            count["wrong"] += one.wrong is not None
            count["undecided"] += one.verdict in ("undecided", "refused", "crashed") and one.truth is not None
    lines = [f"{'shape':34} {'number':>7} {'wrong':>6} {'undecided':>10}"]
    for kind in sorted(rows, key=lambda k: (k == "all", k)):
        count = rows[kind]
        share = 100 * count["undecided"] / count["number"]
        lines.append(f"{kind:34} {count['number']:7d} {count['wrong']:6d} {share:8.1f} %")
    return "\n".join(lines)
