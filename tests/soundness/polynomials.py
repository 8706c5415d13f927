"""Differential testing of the polynomial core: the engine beside sympy, z3, cvc5 and enumeration, each on its own.

Nobody knows the answer beforehand; two judges that contradict each other are a finding. z3 and cvc5 get SMT-LIB text
that is written here, so that a mistranslation inside the engine shows.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError
from lpmech.prove import Fails, Holds, prove
from soundness.evaluate import holds
from soundness.record import Judged

__all__ = ["Question", "answers", "judge_polynomial", "question"]

_LOW, _HIGH = -6, 6
_SMT = {sp.Ge: ">=", sp.Gt: ">", sp.Le: "<=", sp.Lt: "<", sp.Eq: "="}


@dataclass(frozen=True)
class Question:
    """Does p (relation) 0 hold for all values of the symbols, each in [-6, 6]?"""

    polynomial: Any
    relation: Any
    symbols: tuple[sp.Symbol, ...]
    whole: bool

    @property
    def conclusion(self) -> Any:
        """The relation as written."""
        return self.relation(self.polynomial, 0, evaluate=False)

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """The box."""
        return tuple(h for s in self.symbols for h in (s >= _LOW, s <= _HIGH))

    def __str__(self) -> str:
        return f"{self.conclusion} for {'integers' if self.whole else 'reals'} {self.symbols} in [{_LOW}, {_HIGH}]"


def question(number: int, seed: int = 0) -> Question:
    """A random polynomial relation of small degree, often with planted roots, squares or a vanishing difference."""
    rng = Random(f"{seed} polynomial {number}")
    whole = rng.random() < 0.5
    symbols = sp.symbols("x y", integer=True) if whole else sp.symbols("x y")
    symbols = symbols[: rng.choice([1, 1, 2])]
    x, y = symbols[0], symbols[-1]

    def coefficient() -> Any:
        return sp.Rational(rng.randint(-9, 9), rng.choice([1, 1, 2, 3, 7]))

    def plain() -> Any:
        return sum(coefficient() * x ** rng.randint(0, 3) * y ** rng.randint(0, 2) for _ in range(rng.randint(2, 4)))

    polynomial = rng.choice(
        [
            plain,
            lambda: sp.prod([x - coefficient() for _ in range(rng.randint(1, 4))]),
            lambda: plain() ** 2 + rng.choice([0, 0, 1, sp.Rational(1, 10**6), -sp.Rational(1, 10**6)]),
            lambda: (x - coefficient()) ** 2 * (y**2 + 1) + rng.choice([0, sp.Rational(1, 1000)]),
            lambda: (x + coefficient() * y) ** 3 - sp.expand((x + coefficient() * y) ** 3),
            lambda: _difference(plain(), rng),
            lambda: (
                (x - rng.randint(-6, 5) - sp.Rational(1, 2)) ** 2 - rng.choice([sp.Rational(1, 4), sp.Rational(1, 5)])
            ),
            lambda: (x**2 - 2) ** 2 - rng.choice([0, 0, sp.Rational(1, 10**9)]),
        ]
    )()
    polynomial = polynomial if rng.random() < 0.5 else sp.expand(polynomial)
    return Question(
        sp.sympify(polynomial), rng.choice([sp.Ge, sp.Gt, sp.Le, sp.Eq, sp.Ne, sp.Ge, sp.Gt]), symbols, whole
    )


def _difference(p: Any, rng: Random) -> Any:
    """p squared minus p squared expanded: zero, or off by a little in one coefficient."""
    return p**2 - sp.expand(p**2) + rng.choice([0, 0, sp.Rational(1, 10**12)]) * p


def answers(asked: Question, timeout_seconds: float = 2.0) -> dict[str, bool | None]:
    """What every judge says: True, False, or None."""
    judges: dict[str, Callable[[Question, float], bool | None]] = {
        "engine": _engine, "sympy": _sympy, "z3": _z3, "cvc5": _cvc5, "enumeration": _enumeration,
    }  # fmt: skip
    return {name: judge(asked, timeout_seconds) for name, judge in judges.items()}


def judge_polynomial(number: int, seed: int = 0, timeout_seconds: float = 2.0) -> Judged:
    """Ask all judges; a contradiction between two of them is wrong, whoever is right."""
    asked, start = question(number, seed), time.monotonic()
    given = answers(asked, min(timeout_seconds, 2.0))
    verdict = {True: "holds", False: "fails", None: "undecided"}[given["engine"]]
    said = ", ".join(f"{name}: {answer}" for name, answer in given.items() if answer is not None)
    wrong = "the judges disagree" if len(set(given.values()) - {None}) > 1 else None
    known = [answer for name, answer in given.items() if answer is not None and name != "engine"]
    truth = known[0] if known else None
    kind = f"polynomials over {'integers' if asked.whole else 'reals'}"
    return Judged(f"polynomials-{number}", kind, truth, str(asked), verdict, said, wrong, time.monotonic() - start)


def _engine(asked: Question, timeout_seconds: float) -> bool | None:
    try:
        answer = prove(asked.conclusion, asked.hypotheses, timeout_seconds=timeout_seconds)
    except LpmechError:
        return None
    return True if isinstance(answer, Holds) else False if isinstance(answer, Fails) else None


def _enumeration(asked: Question, _: float) -> bool | None:
    if not asked.whole:
        return None
    grid = itertools.product(range(_LOW, _HIGH + 1), repeat=len(asked.symbols))
    return all(holds(asked.conclusion, dict(zip(asked.symbols, map(sp.Integer, at), strict=True))) for at in grid)


def _sympy(asked: Question, _: float) -> bool | None:
    """Real roots isolated by sympy, one variable; otherwise only what expands to a constant."""
    expanded = sp.expand(asked.polynomial)
    if expanded.is_number:
        return bool(asked.relation(expanded, 0))
    if asked.whole or len(expanded.free_symbols) > 1:
        return None
    (x,) = expanded.free_symbols
    roots = sorted({r for r in sp.Poly(expanded, x).real_roots() if _LOW <= r <= _HIGH}, key=lambda r: r.evalf(40))
    ends = [sp.Integer(_LOW), *roots, sp.Integer(_HIGH)]
    between = [sp.Rational(str(((a + b) / 2).evalf(40))) for a, b in itertools.pairwise(ends) if a != b]
    signs = [sp.sign(expanded.subs(x, at)) for at in (sp.Integer(_LOW), sp.Integer(_HIGH), *between)]
    signs += [sp.Integer(0)] * len(roots)
    return all(bool(asked.relation(sign, 0)) for sign in signs)


# ---- SMT-LIB


def _z3(asked: Question, timeout_seconds: float) -> bool | None:
    import z3

    solver = z3.Solver()
    solver.set("timeout", int(1000 * timeout_seconds))
    solver.from_string(_smt_lib(asked))
    return {"unsat": True, "sat": False}.get(str(solver.check()))


def _cvc5(asked: Question, timeout_seconds: float) -> bool | None:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(1000 * timeout_seconds)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic ALL)\n" + _smt_lib(asked), "question")
    command = parser.nextCommand()
    while not command.isNull():
        command.invoke(solver, parser.getSymbolManager())
        command = parser.nextCommand()
    return {"unsat": True, "sat": False}.get(str(solver.checkSat()))


def _smt_lib(asked: Question) -> str:
    """The box and the negated relation, all in reals; whole symbols are declared Int."""
    names = [str(s) for s in asked.symbols]
    lines = [f"(declare-const {n} {'Int' if asked.whole else 'Real'})" for n in names]
    used = {n: f"(to_real {n})" if asked.whole else n for n in names}
    lines += [f"(assert (and (>= {used[n]} (- {-_LOW}.0)) (<= {used[n]} {_HIGH}.0)))" for n in names]
    value = _text(asked.polynomial, used)
    relation = f"({_SMT[asked.relation]} {value} 0.0)" if asked.relation in _SMT else f"(not (= {value} 0.0))"
    return "\n".join([*lines, f"(assert (not {relation}))"])


def _text(expr: Any, names: dict[str, str]) -> str:
    if expr.is_Symbol:
        return names[str(expr)]
    if expr.is_Rational:
        number = Fraction(int(expr.p), int(expr.q))
        text = f"(/ {abs(number.numerator)}.0 {number.denominator}.0)"
        return f"(- {text})" if number < 0 else text
    if expr.is_Pow:
        return f"(* {' '.join([_text(expr.base, names)] * int(expr.exp))})"
    return f"({'+' if expr.is_Add else '*'} {' '.join(_text(a, names) for a in expr.args)})"
