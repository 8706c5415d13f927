"""A verdict beside the truth, and the table of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Judged", "table"]


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
