"""Partial operations below or, not and implies, symbols that only a conclusion has, numbers beside whole ones.

Of the first kind every relation changes its truth, or its having one, at finitely many rational points only; so these
points, one between each two neighbours and two beyond decide the statement; where they depend on a whole number K of a
few values, at each of these.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import sympy as sp

from soundness.evaluate import UndefinedError, holds
from soundness.statement import Domain, Statement, within

__all__ = ["guarded"]

x, K = sp.Symbol("x"), sp.Symbol("K", integer=True)
_RELATIONS = (sp.Lt, sp.Le, sp.Gt, sp.Ge)


def guarded(rng: Random) -> Statement:
    """One of the three kinds."""
    return rng.choice([_connected, _connected, _connected, _of_its_own, _beside_whole])(rng)


def _connected(rng: Random) -> Statement:
    """Hypotheses and a conclusion about x, or about x and K."""
    breaks: set[Any] = set()
    moved = rng.random() < 0.4
    hypotheses = tuple(_condition(rng, breaks, rng.randint(1, 2), moved) for _ in range(rng.randint(1, 2)))
    conclusion = _condition(rng, breaks, rng.randint(0, 1), moved)
    points = [{x: value} for value in _deciding(sorted(breaks))] if not moved else []
    if moved:
        least = sp.Integer(rng.randint(-1, 2))
        hypotheses = (least <= K, least + 2 >= K, *hypotheses)
        for k in range(int(least), int(least) + 3):
            here = sorted({sp.nsimplify(end.subs(K, k)) for end in breaks if end.subs(K, k).is_Rational})
            points += [{x: value, K: sp.Integer(k)} for value in _deciding(here)]
    inside = [point for point in points if within(hypotheses, point)]
    line = "partial operations below connectives"
    if not inside:
        return Statement("guarded: contradiction", line, None, conclusion, hypotheses)
    witness = next((point for point in inside if not _is_true(conclusion, point)), None)
    if witness is not None:
        return Statement("guarded: connected, false", line, False, conclusion, hypotheses, witness=witness)
    ranges = {K: lambda rng, _: rng.choice(inside).get(K)} if moved else {}
    domain = Domain(
        hypotheses, {**ranges, x: lambda rng, at: rng.choice([p for p in inside if p.get(K) == at.get(K)])[x]}
    )
    return Statement("guarded: connected, true", line, True, conclusion, hypotheses, domain)


def _deciding(breaks: list[Any]) -> list[Any]:
    between = [(low + high) / 2 for low, high in pairwise(breaks)]
    return [*breaks, *between, breaks[0] - 1, breaks[-1] + 1]


def _condition(rng: Random, breaks: set[Any], depth: int, moved: bool) -> Any:
    if depth == 0:
        return _relation(rng, breaks, moved)
    first, second = (_condition(rng, breaks, depth - 1, moved) for _ in range(2))
    joined = rng.choice([sp.Or, sp.Or, sp.And, sp.Implies, sp.Not])
    return sp.Not(first, evaluate=False) if joined is sp.Not else joined(first, second, evaluate=False)


def _relation(rng: Random, breaks: set[Any], moved: bool) -> Any:
    """A relation of x and a number or K, and the points at which its truth or its having one may change."""
    c, d = sp.Rational(rng.randint(-4, 4), rng.choice([1, 1, 2])), sp.Integer(rng.randint(1, 3))
    relation = rng.choice([*_RELATIONS, sp.Ne, sp.Eq])
    if moved and rng.random() < 0.6:
        c = c + rng.choice([1, -1, 2]) * K
    shifted = sp.Add(x, -c, evaluate=False)
    kind: Callable[..., Any] = rng.choice(_KINDS)
    side, bound, own = kind(shifted, c, d)
    breaks.update(own)
    return relation(side, bound, evaluate=False)


def _plain(_: Any, c: Any, __: Any) -> Any:
    return x, c, [c]


def _inverse(shifted: Any, c: Any, d: Any) -> Any:
    return sp.Pow(shifted, -1, evaluate=False), d, [c, c + 1 / d]


def _quotient(shifted: Any, c: Any, d: Any) -> Any:
    """x/(x - c) is d at x = c d/(d - 1)."""
    side = sp.Mul(x, sp.Pow(shifted, -1, evaluate=False), evaluate=False)
    return side, d, [c, *([c * d / (d - 1)] if d != 1 else []), sp.Integer(0)]


def _root(shifted: Any, c: Any, d: Any) -> Any:
    return sp.Pow(shifted, sp.Rational(1, 2), evaluate=False), d, [c, c + d**2]


def _logarithm(shifted: Any, c: Any, _: Any) -> Any:
    return sp.log(shifted, evaluate=False), sp.Integer(0), [c, c + 1]


_KINDS = (_plain, _plain, _inverse, _quotient, _root, _logarithm)


def _is_true(conclusion: Any, point: dict[sp.Symbol, Any]) -> bool:
    try:
        return holds(conclusion, point)
    except UndefinedError:
        return False


def _of_its_own(rng: Random) -> Statement:
    """A conclusion about a symbol that no hypothesis has: only what is declared of it may be used."""
    declared = rng.choice([{}, {"positive": True}, {"nonnegative": True}, {"integer": True}, {"nonzero": True}])
    p, t = sp.Symbol("p", **declared), sp.Symbol("t")
    conclusion, enough, witness = rng.choice(
        [
            (sp.Eq(sp.Abs(p, evaluate=False), p, evaluate=False), {"positive", "nonnegative"}, sp.Integer(-1)),
            (sp.Gt(sp.Pow(p, 2), 0, evaluate=False), {"positive", "nonzero"}, sp.Integer(0)),
            (sp.Eq(sp.Mul(p, 1 / p, evaluate=False), 1, evaluate=False), {"positive", "nonzero"}, sp.Integer(0)),
            (sp.Ge(p + t, t, evaluate=False), {"positive", "nonnegative"}, sp.Integer(-3)),
            (sp.Ge(p * t, p, evaluate=False), {"positive", "nonnegative"}, sp.Integer(-2)),
            (sp.Eq(sp.floor(p, evaluate=False), p, evaluate=False), {"integer"}, sp.Rational(1, 2)),
            (sp.Ge(sp.Pow(p, 2), p, evaluate=False), {"integer"}, sp.Rational(1, 2)),
            (
                sp.Eq(sp.sqrt(sp.Pow(p, 2), evaluate=False), p, evaluate=False),
                {"positive", "nonnegative"},
                sp.Integer(-1),
            ),
        ]
    )
    truth = bool(declared.keys() & enough)
    line = f"of its own symbol p, {', '.join(declared) or 'real'}"
    if truth:
        domain = Domain(
            (t > 1,), {t: lambda rng, _: sp.Integer(rng.randint(2, 9)), p: lambda rng, _: sp.Integer(rng.randint(1, 9))}
        )
        return Statement("guarded: own symbol, true", line, True, conclusion, (t > 1,), domain)
    return Statement(
        "guarded: own symbol, false", line, False, conclusion, (t > 1,), witness={t: sp.Integer(2), p: witness}
    )


def _beside_whole(rng: Random) -> Statement:
    """Floor and ceiling of irrational numbers within 10^-n of a whole one."""
    small = sp.Rational(rng.choice([-1, 1]), 10 ** rng.choice([3, 12, 25, 60, 120, 140]))
    whole = sp.Integer(rng.randint(2, 9))
    number, middle = rng.choice(
        [
            (sp.exp(small), 1),
            (sp.Pow(whole**2 + small, sp.Rational(1, 2), evaluate=False), whole),
            (whole + sp.log(1 + small), whole),
        ]
    )
    rounded = rng.choice([sp.floor, sp.ceiling])
    right = middle - int(bool(small < 0)) if rounded is sp.floor else middle + int(bool(small > 0))
    truth = rng.random() < 0.5
    stated = right if truth else right + rng.choice([-1, 1])
    side = sp.Mul(K, rounded(number, evaluate=False), evaluate=False)
    conclusion = sp.Eq(side, stated * K, evaluate=False)
    if rng.random() < 0.4:  # the number itself: above the whole one if small is above zero
        above = rng.choice([sp.Gt, sp.Ge, sp.Ne])
        below = {sp.Gt: sp.Lt, sp.Ge: sp.Le, sp.Ne: sp.Eq}[above]
        relation = above if truth == (small > 0 or above is sp.Ne) else below
        conclusion = relation(sp.Mul(K, number, evaluate=False), middle * K, evaluate=False)
    line = f"{rounded.__name__} of a number {float(small):.0e} beside {middle}"
    if truth:
        domain = Domain((K >= 1,), {K: lambda rng, _: sp.Integer(rng.randint(1, 9))})
        return Statement("guarded: beside a whole number, true", line, True, conclusion, (K >= 1,), domain)
    return Statement(
        "guarded: beside a whole number, false", line, False, conclusion, (K >= 1,), witness={K: sp.Integer(1)}
    )
