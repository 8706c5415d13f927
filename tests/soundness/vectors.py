"""Statements about vectors of any size: made of parts at random, or a true one with a token changed.

What is proved is tried at random vectors by Python's own evaluation of the text, in which nothing of the engine takes
part: an entry outside of its vector is an IndexError.
"""

from __future__ import annotations

import ast
import re
import time
from fractions import Fraction
from random import Random
from typing import Any

from lpmech.conjectures import read_domain
from lpmech.errors import LpmechError
from lpmech.prove import Fails, Holds, prove
from lpmech.prove.texts import condition_from_text
from soundness.record import Judged

__all__ = ["judge_vector"]

_POINTS = 200
_RANGES = ["1, K", "1, K", "1, k", "1, k", "k, K", "k+1, K", "2, K", "1, K-1", "2, k"]
_BODIES = [
    "p[i]", "p[i]", "q[i]", "p[i]*q[i]", "p[i]**2", "i*p[i]", "(p[i]-p[k])", "(p[i]-p[i+1])", "Max(0, p[i]-p[k])",
    "Abs(p[i]-q[i])", "Piecewise((p[i], i <= k), (q[i], True))", "Piecewise((0, i == k), (p[i], True))",
]  # fmt: skip
_FACTORS = ["1", "1", "2", "K", "k", "1/K", "1/k", "k/K", "(K-k)", "p[1]"]
_KINDS = ["p[1] >= ... >= p[K] >= 0", "p[1] >= ... >= p[K]", "p[1] <= ... <= p[K]", "p[1..K] >= 0", "0 <= p[1..K] <= 1"]
#: True for p[1] >= ... >= p[K] >= 0 and 0 <= q[1..K] <= 1.
_TRUE = [
    "k*p[k] <= Sum(p[i], (i, 1, k))", "K*Sum(p[i], (i, 1, k)) >= k*Sum(p[i], (i, 1, K))",
    "k*Sum(p[i], (i, 1, k+1)) <= (k+1)*Sum(p[i], (i, 1, k)) or k == K", "(K-k)*p[k] >= Sum(p[i], (i, k+1, K))",
    "Sum(p[i]*q[i], (i, 1, K)) <= p[1]*Sum(q[i], (i, 1, K))", "Sum(p[i]*q[i], (i, 1, k)) >= p[k]*Sum(q[i], (i, 1, k))",
    "Sum(p[i]**2, (i, 1, K)) <= p[1]*Sum(p[i], (i, 1, K))", "K*Sum(p[i]**2, (i, 1, K)) >= Sum(p[i], (i, 1, K))**2",
    "2*Sum(i*p[i], (i, 1, K)) <= (K+1)*Sum(p[i], (i, 1, K))", "Sum(p[i], (i, 2, K)) == Sum(p[i], (i, 1, K)) - p[1]",
    "Sum(Max(0, p[i]-p[k]), (i, 1, K)) == Sum(p[i], (i, 1, k)) - k*p[k]", "p[k] <= Sum(p[i], (i, 1, K))",
    "Sum(Abs(p[i]-p[k]), (i, 1, k)) == Sum(p[i], (i, 1, k)) - k*p[k]", "Sum(p[i]*q[i], (i, 1, K)) <= Sum(p[i], (i, 1, K))",
    "Sum(Piecewise((0, i == k), (p[i], True)), (i, 1, K)) == Sum(p[i], (i, 1, K)) - p[k]",
    "Sum(p[i], (i, 1, k)) + Sum(p[i], (i, k+1, K)) == Sum(p[i], (i, 1, K))", "p[1] >= p[k]", "p[k] >= p[K]",
    "Sum(p[i]*q[i], (i, 1, K)) + p[k]*k >= Sum(p[i]*q[i], (i, k+1, K)) + k*p[K]",
]  # fmt: skip
_CHANGES = [
    ("k", "k+1"), ("k", "k-1"), ("k", "K"), ("K", "k"), ("K", "K-1"), ("1", "2"), ("1", "k"), (">=", "<="), ("<=", ">="),
    (">=", ">"), ("<=", "<"), ("p[i]", "q[i]"), ("q[i]", "p[i]"), ("k", "k"), ("+", "-"), ("-", "+"), ("==", "<="),
]  # fmt: skip


def _made(rng: Random) -> tuple[str, list[str]]:
    """A statement, and what p and q are."""
    if rng.random() < 0.4:
        left, right = (" + ".join(_term(rng) for _ in range(rng.choice((1, 1, 2)))) for _ in range(2))
        kinds = [rng.choice(_KINDS), rng.choice(_KINDS).replace("p[", "q[")]
        return f"{left} {rng.choice(['>=', '<=', '>=', '==', '>'])} {right}", kinds
    text = rng.choice(_TRUE)
    old, new = rng.choice(_CHANGES)
    places = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w|=)", text)]
    if places:
        at = rng.choice(places)
        text = text[:at] + new + text[at + len(old) :]
    kind = _KINDS[0] if rng.random() < 0.7 else rng.choice(_KINDS)
    return text, [kind, "0 <= q[1..K] <= 1"]


def _term(rng: Random) -> str:
    if rng.random() < 0.3:
        return f"{rng.choice(_FACTORS)}*{rng.choice('pq')}[{rng.choice(['1', 'K', 'k', 'k+1', 'k-1', 'K-1', '2'])}]"
    return f"{rng.choice(_FACTORS)}*Sum({rng.choice(_BODIES)}, (i, {rng.choice(_RANGES)}))"


def judge_vector(number: int, seed: int, timeout_seconds: float) -> Judged:
    """Make a statement, ask the engine, and try what it says at random vectors."""
    rng = Random(f"vectors {seed} {number}")
    text, kinds = _made(rng)
    where = ["sum p = 1"] if rng.random() < 0.4 else []
    params = ["k integer in [1, K]", *kinds]
    shown, name = f"{text}; {', '.join((*params, *where))}", f"vectors-{number}"
    start = time.monotonic()
    try:
        domain = read_domain(params, where)
        asked = condition_from_text(text, domain.symbols.values())
        answer = prove(asked, domain.hypotheses, timeout_seconds=timeout_seconds)
    except LpmechError as exc:
        return Judged(name, "vectors", None, shown, "refused", str(exc), None, time.monotonic() - start)
    verdict, detail, wrong = "undecided", str(answer), None
    if isinstance(answer, Fails):
        verdict, detail = "fails", str(answer.witness)
        point = _of_witness(answer)
        if not _inside(point, kinds, where) or _true(text, point):
            wrong = "its witness is none"
    elif isinstance(answer, Holds):
        verdict, detail = "holds", answer.method
        points = (point for point in (_point(rng) for _ in range(10 * _POINTS)) if _inside(point, kinds, where))
        wrong = next((f"it does not hold at {point}" for point in points if not _true(text, point)), None)
    return Judged(name, "vectors", None, shown, verdict, detail, wrong, time.monotonic() - start)


# ---- by Python


class _Vector(list):  # type: ignore[type-arg]
    """Entries from 1 on."""

    def __getitem__(self, i: Any) -> Any:
        if not 1 <= i <= len(self):
            raise IndexError(i)
        return super().__getitem__(int(i) - 1)


class _Lazy(ast.NodeTransformer):
    """Sums and cases as Python computes them."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if node.func.id == "Sum":  # type: ignore[attr-defined]
            body, limits = node.args
            index, first, last = limits.elts  # type: ignore[attr-defined]
            arguments = ast.arguments([], [ast.arg(index.id)], None, [], [], None, [])
            node.args = [ast.Lambda(arguments, body), first, last]
        elif node.func.id == "Piecewise":  # type: ignore[attr-defined]
            (value, condition), *rest = (case.elts for case in node.args)  # type: ignore[attr-defined]
            return ast.IfExp(condition, value, rest[0][0])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return node if node.value is True else ast.Call(ast.Name("Fraction", ast.Load()), [node], [])


def _true(text: str, point: dict[str, Any]) -> bool:
    tree = ast.fix_missing_locations(_Lazy().visit(ast.parse(text, mode="eval")))

    def total(term: Any, first: Any, last: Any) -> Any:
        return sum((term(Fraction(i)) for i in range(int(first), int(last) + 1)), Fraction(0))

    known = {"Sum": total, "Max": max, "Abs": abs, "Fraction": Fraction, **point}
    try:
        return bool(eval(compile(tree, "statement", "eval"), known))
    except (IndexError, ZeroDivisionError):
        return False


def _inside(point: dict[str, Any], kinds: list[str], where: list[str]) -> bool:
    for vector, kind in zip("pq", kinds, strict=True):
        entries = list(point[vector])
        if "..." in kind and entries != sorted(entries, reverse=">= ..." in kind):
            return False
        if ("0" in kind and min(entries) < 0) or ("<= 1" in kind and max(entries) > 1):
            return False
    return not where or sum(point["p"]) == 1


def _point(rng: Random) -> dict[str, Any]:
    size = rng.randint(2, 5)
    return {"K": Fraction(size), "k": Fraction(rng.randint(1, size)), "p": _vector(rng, size), "q": _vector(rng, size)}


def _vector(rng: Random, size: int) -> _Vector:
    most = rng.choice((1, 1, 2, 3))
    entries = [Fraction(rng.randint(0, most) - rng.choice((0, 0, 0, 2)) * rng.randint(0, 1)) for _ in range(size)]
    if rng.random() < 0.5 and sum(entries) > 0:
        entries = [e / sum(entries) for e in entries]
    ways = [entries, sorted(entries), sorted(entries, reverse=True), sorted(entries, reverse=True)]
    return _Vector(rng.choice(ways))


def _of_witness(answer: Fails) -> dict[str, Any]:
    values = {str(symbol): Fraction(int(v.p), int(v.q)) for symbol, v in answer.witness.point.items()}
    size = int(values["K"])
    vectors = {n: _Vector(values.get(f"{n}[{i}]", Fraction(0)) for i in range(1, size + 1)) for n in "pq"}
    return {"K": Fraction(size), "k": values.get("k", Fraction(1)), **vectors}
