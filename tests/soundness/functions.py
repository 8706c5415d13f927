"""Users' functions that break late or by chance: at large K or t, at one epsilon, behind a branch, by clock, seed or count.

A function is a rule with something put in. Its truth is that of the construction, and is computed again here, in which
nothing of the library takes part: at the witness the function is called, and the rule evaluated by Python. A function
that asks for more than its arguments is no function of them: neither proved nor, of all its domain, certified.
"""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import mpmath

from lpmech.errors import LpmechError
from lpmech.testing import FailedAssertionError, assert_private, assert_same_formula
from soundness.record import Judged

__all__ = ["Asked", "asked", "judge_function", "mislabelled_function"]

_PREAMBLE = """\
import datetime, gc, itertools, math, os, random, secrets, time, uuid
from fractions import Fraction
import numpy as np
KEPT, COUNTER, SEEN, TOTAL = np.random.default_rng(0), itertools.count(), [], 0
def counted():
    global TOTAL
    TOTAL += 1
    return TOTAL
"""
Point = dict[str, Fraction]


@dataclass(frozen=True)
class Asked:
    """A function, what is asserted of it, and what is known.

    Attributes
    ----------
    kind, source, domain, rule : str
        The rule is a formula; of a channel the ratio at which it is private.
    truth : bool or None
        None of a function that asks for more than its arguments.
    witness : mapping
        Where a false one breaks.
    """

    kind: str
    source: str
    domain: str
    rule: str
    truth: bool | None
    witness: Point

    def __str__(self) -> str:
        return f"[{self.truth}] {self.kind}: {self.rule} for {self.domain}\n{self.source}"


#: Domain, an inside point, the rule, and ways to write it in Python.
_RULES: list[tuple[str, dict[str, str], str, list[str]]] = [
    ("t > 1, K >= 2", {"t": "5", "K": "3"}, "t/(t + K - 1)",
     ["t/(t + K - 1)", "1 - (K - 1)/(t + K - 1)", "1/(1 + (K - 1)/t)"]),
    ("t > 1, K >= 2", {"t": "5", "K": "3"}, "(K - 1)/(t + K - 1)", ["(K - 1)/(t + K - 1)", "1 - t/(t + K - 1)"]),
    ("t > 1, K >= 2", {"t": "5", "K": "3"}, "(K - 2 + t)*t/(t - 1)**2", ["t*(t + K - 2)/((t - 1)*(t - 1))"]),
    ("t in (1, 50]", {"t": "5"}, "(t - 1)/(t + 1)", ["(t - 1)/(t + 1)", "1 - 2/(t + 1)"]),
    ("epsilon in (0, 16], K >= 2", {"epsilon": "1/2", "K": "3"}, "exp(epsilon)/(exp(epsilon) + K - 1)",
     ["math.exp(epsilon)/(math.exp(epsilon) + K - 1)", "1/(1 + (K - 1)*math.exp(-epsilon))",
      "np.exp(epsilon)/(np.exp(epsilon) + K - 1)"]),
    ("p in (0, 1), K >= 2", {"p": "1/3", "K": "3"}, "p*(1 - p)/K", ["p*(1 - p)/K", "p/K - p**2/K"]),
    ("p in (0, 1), t > 1", {"p": "1/3", "t": "5"}, "p*t/(1 + p*(t - 1))", ["p*t/(1 + p*(t - 1))", "p*t/(p*t + 1 - p)"]),
    ("each K in 2..60", {"K": "3"}, "(K - 1)/(K + 1)", ["(K - 1)/(K + 1)", "Fraction(K - 1, K + 1)"]),
    ("each K in 2..30, t > 1", {"K": "3", "t": "5"}, "t/(t + K - 1)", ["t/(t + K - 1)", "1/(1 + (K - 1)/t)"]),
]  # fmt: skip

#: Conditions on a parameter that is N at the witness. A float beside N is one that it prints as.
_LATE = {
    "K": ["K > {N} - 1", "K == {N}", "K >= {N}", "not K < {N}", "K in ({N}, {N} + 1)", "{N} <= K <= {N} + 3", "K - {N} == 0",
          "str(K) == '{N}'", "int(K) == {N}", "float(K) > {N} - 0.5", "len(range(K)) >= {N}", "hash(K) == {N}",
          "K % {N} == 0", "K // {N} >= 1", "max(K, {N}) == K", "K**2 >= {N}**2", "math.sqrt(K) > math.sqrt({N}) - 1e-9",
          "bool(K > {N} - 1)", "any(k == {N} for k in range(K + 1))", "K.bit_length() >= ({N}).bit_length()",
          "isinstance(K, int) and K == {N}", "K in {{{N}, {N} + 2}}", "math.comb(K, 1) >= {N}", "np.arange(K).size >= {N}"],
    "t": ["t > {N} - 1e-9", "t == {N}", "abs(t - {N}) < 1e-7", "abs(t - {N}) <= Fraction(1, 10**12)", "float(t) == {N}",
          "float(t) >= {N}", "int(t) == {N}", "math.floor(t) == {N}", "round(t) == {N}", "str(t) == '{N}'", "1/t <= 1/{N}",
          "t**2 >= {N}**2", "math.log(t) > math.log({N}) - 1e-9", "math.sqrt(t) > math.sqrt({N}) - 1e-9", "t % {N} == 0",
          "t // {N} >= 1", "not t != {N}", "type(t) is float and t == {N}", "min(t, {N}) == {N}"],
    "epsilon": ["epsilon == {N}", "epsilon > {N} - 1e-9", "abs(epsilon - {N}) < 1e-9", "float(epsilon) == {N}",
                "{N} <= epsilon < {N} + 1e-3", "math.exp(epsilon) > math.exp({N}) - 1e-9", "round(100*epsilon) == round(100*{N})",
                "np.isclose(float(epsilon), {N})", "str(float(epsilon)) == '{N}'"],
    "p": ["p == {N}", "abs(p - {N}) < 1e-7", "float(p) == {N}", "p > {N} - 1e-9 and p < {N} + 1e-9", "1 - p < 1 - {N} + 1e-9 and p < {N} + 1e-9",
          "round(1000*p) == round(1000*{N})"],
}  # fmt: skip
_WHERE = {
    "K": ["13", "21", "27", "37", "51", "64", "101", "128", "333", "1000", "4097", "1000000"],
    "t": ["4", "7", "11", "33", "47", "101", "1001", "10000000"],
    "epsilon": ["0.7", "3.3", "7.25", "12.5", "15.9"],
    "p": ["0.317", "0.0009", "0.9993", "0.718"],
}
#: A second condition, which hides the first one behind a branch; it holds at the witness.
_BEHIND = {"K": "K > 2", "t": "t > 3/2", "epsilon": "epsilon < 15.99", "p": "p < 0.9999"}
_BESIDE_ARGUMENTS = [
    "random.random() < 1e-6", "np.random.rand() < 1e-6", "KEPT.random() < 1e-6", "random.Random().random() < 1e-6",
    "secrets.randbelow(10**6) == 0", "os.urandom(3) == b'abc'", "time.time_ns() % 1000003 == 0", "time.time() > 4e9",
    "time.perf_counter() % 1 < 1e-6", "datetime.datetime.now().year > 2090", "next(COUNTER) > 10**6", "counted() > 10**6",
    "len(SEEN) > 10**6 or SEEN.append(1)", "uuid.uuid4().int % 1000003 == 0", "time.process_time() > 10**6",
    "np.random.default_rng().random() < 1e-6", "random.SystemRandom().random() < 1e-6", "id(object()) % 1000003 == 0",
    "'LPMECH_NOWHERE' in os.environ", "os.getpid() == 1", "datetime.date.today().year > 2090",
    "random.seed() or random.random() < 1e-6", "time.localtime().tm_year > 2090", "gc.get_count()[0] == 10**6",
]  # fmt: skip
_WRONG = ["{r} + 0.001", "2*({r})", "1 - 3*({r})", "-({r})", "0", "({r})*1.001", "float('nan')", "[][1]", "None"]
_BODIES = [
    "    if {c}:\n        return {w}\n    return {r}\n",
    "    return {w} if {c} else {r}\n",
    "    value = {r}\n    if {b}:\n        if {c}:\n            value = {w}\n    return value\n",
    "    if not ({c}):\n        return {r}\n    else:\n        return {w}\n",
    "    try:\n        if {c}:\n            raise LookupError\n    except LookupError:\n        return {w}\n    return {r}\n",
    "    def late():\n        return {c}\n    return {w} if {b} and late() else {r}\n",
    "    for way in (0, 1):\n        if way == 1 and {c}:\n            return {w}\n    return {r}\n",
]
#: Entries of a channel at t, one of them wrong late; the names are those of row and column.
_CHANNEL = (
    "    def entry(y, j):\n        if {c}:\n            return {w}\n        return (t if y == j else 1)/(t + K - 1)\n"
)
_CHANNEL += "    return [[entry(y, j) for j in range(K)] for y in range(K)]\n"
_IN_CHANNEL = [
    "K == {N}",
    "K > {N} - 1",
    "j == {N} - 1",
    "y == j and y > {N} - 2",
    "y - j > {N} - 2",
    "y == 0 and j == {N} - 1",
]


def asked(number: int, seed: int = 0) -> Asked:
    """The question of this number."""
    rng = Random(f"{seed} functions {number}")
    return rng.choice([*[_late] * 6, *[_beside] * 4, *[_right] * 2, _channel, _by_seed])(rng)


def _made(kind: str, rng: Random, condition: str | None, at: Mapping[str, str], parameters: str, chosen: Any) -> Asked:
    domain, inside, rule, ways = chosen
    right = rng.choice(ways)
    wrong = rng.choice(_WRONG).format(r=right)
    if condition is None:
        body, truth = f"    return {right}\n", True
    else:
        behind = _BEHIND[rng.choice(list(inside))]
        body = rng.choice(_BODIES).format(c=condition, w=wrong, r=right, b=behind)
        truth = False if at else None
    witness = {name: Fraction(value) for name, value in {**inside, **at}.items()}
    return Asked(kind, f"{_PREAMBLE}def f({parameters}):\n{body}", domain, rule, truth, witness)


def _late(rng: Random) -> Asked:
    """Breaks at one value of a parameter, or from it on."""
    chosen = rng.choice(_RULES)
    domain, inside, _, _ = chosen
    while True:
        name = rng.choice(list(inside))
        value = rng.choice(_WHERE[name])
        if not (name == "K" and "each" in domain) and not (name == "t" and "50" in domain and int(value) > 50):
            break
        if name == "K" and int(value) <= int(domain.partition("..")[2].partition(",")[0]):
            break
    condition = rng.choice(_LATE[name]).format(N=value)
    return _made(f"late in {name}", rng, condition, {name: value}, ", ".join(inside), chosen)


def _by_seed(rng: Random) -> Asked:
    """Draws from a generator with the argument as its seed: a function of the argument, that breaks now and then."""
    chosen = rng.choice([rule for rule in _RULES if rule[0].startswith("t > 1, K")])
    share, salt = rng.choice(["0.05", "0.01", "0.002"]), rng.randint(0, 999)
    broken = next(k for k in range(3, 10**6) if Random(k + salt).random() < float(share))
    condition = f"random.Random(int(K) + {salt}).random() < {share}"
    return _made("by a seed", rng, condition, {"K": str(broken)}, "t, K", chosen)


def _beside(rng: Random) -> Asked:
    """Asks for clock, chance, or what earlier calls have left."""
    chosen = rng.choice(_RULES)
    return _made("beside its arguments", rng, rng.choice(_BESIDE_ARGUMENTS), {}, ", ".join(chosen[1]), chosen)


def _right(rng: Random) -> Asked:
    chosen = rng.choice(_RULES)
    return _made("right", rng, None, {}, ", ".join(chosen[1]), chosen)


def _channel(rng: Random) -> Asked:
    """Randomised response, with an entry that is wrong from some size on, at one size, or in one far corner."""
    size = rng.choice([13, 21, 37, 64])
    condition = rng.choice(_IN_CHANNEL).format(N=size) if rng.random() < 0.8 else None
    wrong = rng.choice(["1/(t + K)", "t/(t + K - 1) + 0.001", "-1", "0", "1", "None"])
    source = _PREAMBLE + "def f(t, K):\n" + _CHANNEL.format(c=condition or "False", w=wrong)
    witness = {"t": Fraction(3), "K": Fraction(size)}
    return Asked("channel, late" if condition else "channel", source, "t > 1, K >= 2", "t", condition is None, witness)


# ---- by Python


def mislabelled_function(question: Asked) -> str | None:
    """Why the stated truth is wrong, or None: a false one has to break at its witness, a true one nowhere that is tried."""
    function = _function(question)
    if question.truth is False:
        return None if _breaks(question, function, question.witness) else f"holds at {question.witness}"
    if question.truth and _breaks(question, function, question.witness):
        return f"breaks at {question.witness}"
    return None


def _function(question: Asked) -> Callable[..., Any]:
    """The function, with a source that can be asked for."""
    name = f"<function {abs(hash(question.source))}>"
    linecache.cache[name] = len(question.source), None, question.source.splitlines(True), name
    names: dict[str, Any] = {"__name__": "own"}
    exec(compile(question.source, name, "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


def _breaks(question: Asked, function: Callable[..., Any], point: Mapping[str, Any]) -> bool:
    """Whether the function, called with floats, or with the exact numbers that it takes, is not what it should be."""
    whole = {name: int(value) if value.denominator == 1 and name == "K" else value for name, value in point.items()}
    if _breaks_at(question, function, {n: _float(v) for n, v in whole.items()}):
        return True
    try:
        function(**whole)
    except TypeError:  # numpy.exp(Fraction(1, 2))
        return False
    except Exception:
        return True
    return _breaks_at(question, function, whole)


def _float(value: Any) -> Any:
    return value if type(value) is int else float(value)


def _breaks_at(question: Asked, function: Callable[..., Any], at: Mapping[str, Any]) -> bool:
    try:
        value = function(**at)
        if question.kind.startswith("channel"):
            return not _is_private(value, at["t"])
        known = {"exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, **at}
        right = eval(question.rule, {"__builtins__": {}}, known)
        near = abs(value - right) <= 1e-9 * (abs(value) + abs(right))
    except Exception:  # a function that raises, or returns no number, is not the rule
        return True
    return not near


def _is_private(matrix: Any, ratio: Any) -> bool:
    rows = all(abs(sum(row) - 1) < 1e-9 and min(row) >= 0 for row in matrix)
    return rows and all(max(column) <= ratio * min(column) * (1 + 1e-9) for column in zip(*matrix, strict=True))


# ---- by the library


def judge_function(number: int, seed: int) -> Judged:
    """Make a function, compute its truth, and ask for the verdict on it."""
    question, start = asked(number, seed), time.monotonic()
    name, reason = f"functions-{number}", mislabelled_function(question)
    if reason is not None:
        return Judged(name, question.kind, question.truth, str(question), "not asked", reason, "the test is wrong", 0.0)
    verdict, detail, wrong = _verdict(question)
    shape = f"functions: {question.kind}"
    return Judged(name, shape, question.truth, str(question), verdict, detail, wrong, time.monotonic() - start)


def _verdict(question: Asked) -> tuple[str, str, str | None]:
    function = _function(question)
    try:
        if question.kind.startswith("channel"):
            found = assert_private(function, ratio=question.rule, domain=question.domain)
        else:
            found = assert_same_formula(function, question.rule, question.domain)
    except FailedAssertionError as exc:
        wrong = "it does not fail" if question.truth else None
        if question.truth is False and exc.point and not _breaks(question, function, exc.point):
            wrong = "its witness is none"
        return "fails", str(exc), wrong
    except LpmechError as exc:
        return "refused", str(exc), "a right function is refused" if question.truth else None
    except Exception as exc:  # whatever it is, it is a finding of the run and not its end
        return "crashed", f"{type(exc).__name__}: {exc}", "an exception that is not one of the library's"
    if found.verdict != "proved":
        return "undecided", str(found), None
    return "holds", found.evidence, None if question.truth else "it does not hold for all"
