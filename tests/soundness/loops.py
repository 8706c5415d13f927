"""Claims with a loop that passes for a quantifier: an inequality in K that holds up to some size, settled size by size.

The statement is made of two sides in K, written once; what is true of it is found by Python's own integers up to a size
far beyond every loop, and beyond that by construction: the difference has no further sign change. A claim is written to
a file as a person writes it, and run; of a claim about all K only `proved` says yes.
"""

from __future__ import annotations

import importlib.util
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from lpmech.claims import Paper
from lpmech.errors import LpmechError
from soundness.record import Judged

__all__ = ["Looped", "judge_loop", "looped", "mislabelled_loop"]

_FIRST, _FAR = 2, 600


@dataclass(frozen=True)
class Looped:
    """A claim in the text of a file.

    Attributes
    ----------
    kind, source : str
    left, right : str
        left <= right is claimed, in K.
    sizes : range
        What the claim states: all K from two on, or these.
    truth : bool
    """

    kind: str
    source: str
    left: str
    right: str
    sizes: range | None
    truth: bool

    def __str__(self) -> str:
        about = "all K >= 2" if self.sizes is None else f"each K in {self.sizes}"
        return f"[{self.truth}] {self.kind}: {self.left} <= {self.right} for {about}\n{self.source}"


_HEAD = """\
from functools import reduce
from itertools import chain
from operator import and_
import sympy as sp
from lpmech.claims import Paper, cases, each
from lpmech.claims.checking import both, check_implications, check_relations
PAPER = Paper("own", "An own paper")
K, a = sp.symbols("K a", integer=True)
"""
#: How a check goes through sizes: with a claim's arguments, and its body; {k} is what stands for K.
_WAYS: list[tuple[str, str, str]] = [
    ("for, by name", "given=[a >= 1]", "    for k in {r}:\n        yield f'K = {{k}}', a*({L}) <= a*({R})\n"),
    ("for, sub-statements", "", "    for k in {r}:\n        yield [a >= 1], {{f'K = {{k}}': a*({L}) <= a*({R})}}\n"),
    ("comprehension", "given=[a >= 1]", "    return {{f'K = {{k}}': a*({L}) <= a*({R}) for k in {r}}}\n"),
    ("update", "given=[a >= 1]",
     "    parts = {{}}\n    for k in {r}:\n        parts.update({{f'K = {{k}}': a*({L}) <= a*({R})}})\n    return parts\n"),
    ("item by item", "given=[a >= 1]",
     "    parts = {{}}\n    for k in {r}:\n        parts[f'K = {{k}}'] = a*({L}) <= a*({R})\n    return parts\n"),
    ("while", "given=[a >= 1]",
     "    k = {r}.start\n    while k < {r}.stop:\n        yield f'K = {{k}}', a*({L}) <= a*({R})\n        k += 1\n"),
    ("and", "given=[a >= 1]", "    return {{'all': sp.And(*(a*({L}) <= a*({R}) for k in {r}))}}\n"),
    ("reduce", "given=[a >= 1]", "    return {{'all': reduce(sp.And, [a*({L}) <= a*({R}) for k in {r}])}}\n"),
    ("reduce, a name", "given=[a >= 1]", "    parts = [a*({L}) <= a*({R}) for k in {r}]\n    yield 'all', reduce(and_, parts)\n"),
    ("and, appended", "given=[a >= 1]",
     "    parts = []\n    for k in {r}:\n        parts.append(a*({L}) <= a*({R}))\n    yield 'all', sp.And(*parts)\n"),
    ("and, gathered", "given=[a >= 1]",
     "    claim = sp.true\n    for k in {r}:\n        claim = sp.And(claim, a*({L}) <= a*({R}))\n    yield 'all', claim\n"),
    ("and, in place", "given=[a >= 1]",
     "    claim = sp.true\n    for k in {r}:\n        claim &= a*({L}) <= a*({R})\n    return {{'all': claim}}\n"),
    ("largest", "given=[a >= 1]", "    yield 'all', sp.Max(*[({L}) - ({R}) for k in {r}])*a <= 0\n"),
    ("sum of excesses", "given=[a >= 1]", "    yield 'all', sum(max(0, ({L}) - ({R})) for k in {r})*a <= 0\n"),
    ("map", "given=[a >= 1]", "    yield from map(lambda k: (f'K = {{k}}', a*({L}) <= a*({R})), {r})\n"),
    ("chain", "given=[a >= 1]", "    yield from chain(*([(f'K = {{k}}', a*({L}) <= a*({R}))] for k in {r}))\n"),
    ("helper", "given=[a >= 1]",
     "    def part(k):\n        return f'K = {{k}}', a*({L}) <= a*({R})\n    for k in {r}:\n        yield part(k)\n"),
    ("recursion", "given=[a >= 1]",
     "    def parts(k):\n        if k < {r}.stop:\n            yield f'K = {{k}}', a*({L}) <= a*({R})\n"
     "            yield from parts(k + 1)\n    yield from parts({r}.start)\n"),
    ("substituted", "given=[a >= 1]",
     "    claim = a*({KL}) <= a*({KR})\n    return {{f'K = {{k}}': claim.subs(K, k) for k in {r}}}\n"),
    ("both", "", "    return reduce(both, [check_implications([a >= 1], {{'part': a*({L}) <= a*({R})}}) for k in {r}])\n"),
    ("check_relations", "", "    for k in {r}:\n        found = check_relations({{'part': a*({L}) <= a*({R})}}, [a >= 1])\n    return found\n"),
    ("instances, every in words", "every='each K'", "    for k in {r}:\n        yield bool(({L}) <= ({R})) or f'K = {{k}}'\n"),
    ("instances, all at once", "every='each K'", "    yield all(bool(({L}) <= ({R})) for k in {r}) or 'some K'\n"),
    ("instances, a list", "every='each K'", "    sizes = list({r})\n    for k in sizes:\n        yield bool(({L}) <= ({R})) or f'K = {{k}}'\n"),
    ("instances, family", "family='K in {r}'", "    for k in {r}:\n        yield bool(({L}) <= ({R})) or f'K = {{k}}'\n"),
    ("each, by name", "given=[a >= 1]", "    for k in each('K', {r}):\n        yield f'K = {{k}}', a*({L}) <= a*({R})\n"),
    ("each, instances", "every={{'K': {r}}}", "    for k in each('K'):\n        yield bool(({L}) <= ({R})) or f'K = {{k}}'\n"),
    ("each, instances of fewer", "every='each K'", "    for k in each('K', {r}):\n        yield bool(({L}) <= ({R})) or f'K = {{k}}'\n"),
    ("each, stated", "given=[a >= 1], every={{'K': {r}}}", "    for k in each('K'):\n        yield f'K = {{k}}', a*({L}) <= a*({R})\n"),
    ("cases of a part", "given=[a >= 1, K >= 2, K < {r}.stop]",
     "    for name, case in cases({{'small': K < 4, 'large': K >= 4}}):\n        yield [a >= 1, K >= 2, K < {r}.stop, case], {{name: a*({KL}) <= a*({KR})}}\n"),
    ("cases that leave out", "given=[a >= 1, K >= 2]",
     "    for name, case in cases({{f'K = {{k}}': sp.Eq(K, k) for k in {r}}}):\n        yield [a >= 1, K >= 2, case], {{name: a*({KL}) <= a*({KR})}}\n"),
    ("one size", "given=[a >= 1]", "    k = {r}.start\n    yield 'at the start', a*({L}) <= a*({R})\n"),
    ("told", "", "    from lpmech.verdicts import proved\n    assert all(({L}) <= ({R}) for k in {r})\n    return proved('by hand', 'all sizes')\n"),
    ("for all", "given=[a >= 1, K >= 2]", "    yield 'for all', a*({KL}) <= a*({KR})\n"),
    ("for all", "given=[a >= 1, K >= 2]", "    return {{'for all': a*({KL}) <= a*({KR})}}\n"),
]  # fmt: skip
#: Ways in which the claim states just the sizes that are gone through, and says so.
_STATES = {"each, stated", "each, instances", "cases of a part"}
#: Ways of which nothing tells that K was gone through but the calls of the formula.
_BY_CALLS = {"one size"}
_CLAIM = """\
{head}
def sides(K):
    return {left}, {right}

@PAPER.claim("Lemma 1", "the left side is at most the right one", formula={formula}, mutants={{"more": {mutant}}}{named})
def check(formula):
{body}"""


def looped(number: int, seed: int = 0) -> Looped:
    """The claim of this number."""
    rng = Random(f"{seed} loops {number}")
    left, right = _sides(rng)
    kind, named, body = rng.choice(_WAYS)
    sizes = range(_FIRST, rng.randint(5, 12))
    by_calls = kind in _BY_CALLS or rng.random() < 0.5
    if by_calls:
        parts = {"L": "formula(k)[0]", "R": "formula(k)[1]", "KL": "formula(K)[0]", "KR": "formula(K)[1]"}
    else:
        parts = {"L": _at("k", left), "R": _at("k", right), "KL": left, "KR": right}
    filled = [text.format(r=str(sizes), **parts) for text in (named, body)]
    source = _CLAIM.format(
        head=_HEAD, left=left, right=right, formula="sides" if by_calls else "200", body=filled[1],
        mutant="lambda K: (sp.Integer(1), sp.Integer(0))" if by_calls else "0", named=f", {filled[0]}" if named else "",
    )  # fmt: skip
    stated = sizes if kind in _STATES else None
    holds = all(_holds(left, right, K) for K in stated or range(_FIRST, _FAR))
    return Looped(kind, source, left, right, stated, holds)


def _at(name: str, text: str) -> str:
    return text.replace("K", name)


def _sides(rng: Random) -> tuple[str, str]:
    """Two sides in K: the first one is larger from some K on, at one K, in between, or never."""
    n, m = rng.randint(6, 40), rng.randint(2, 5)
    return rng.choice(
        [
            ("2**K", str(2**n)), (f"{m}**K", str(m**n + 1)), ("K**2", f"{n}*K"), ("K**3", f"{n}*K**2 + {m}"),
            ("1", f"(K - {n})**2"), (f"{m}*K", f"K**2 + {n}*K - {n * m}"), ("K**5", f"2**K + {n}**5"),
            ("K**2", f"2**K + {m}"), ("K", f"{n - 1} + K // {n}"), ("K**4 - 1", f"{n}*(K**3 + K**2 + K + 1)"),
            ("2*K", "K**2"), ("K", f"K**2 - {m} + {m}"), ("7*K", "K**2 + 12"), ("K", "2**K"), ("2**K", "3**K"),
            (f"{2 * n}*K", f"K**2 + {n * n}"), (f"{2 * n}*K", f"K**2 + {n * n - 1}"), (f"{2 * n + 1}*K", f"K**2 + {n * n + n}"),
            ("0", f"(K - {n})*(K - {n + 1})"), ("0", f"(K - {n})*(K - {n + 2})"),
        ]
    )  # fmt: skip


def _holds(left: str, right: str, size: int) -> bool:
    first, second = (eval(side, {"__builtins__": {}}, {"K": size}) for side in (left, right))
    return bool(first <= second)


def mislabelled_loop(claim: Looped) -> str | None:
    """Why a statement that should be true is not: its sides change their order beyond all sizes that were tried."""
    if claim.truth and claim.sizes is None and not all(_holds(claim.left, claim.right, 10**e) for e in (3, 4)):
        return "it fails far out"
    return None


def judge_loop(number: int, seed: int) -> Judged:
    """Write a claim, run it, and compare."""
    claim, start = looped(number, seed), time.monotonic()
    name, shape = f"loops-{number}", f"loops: {claim.kind}"
    if (reason := mislabelled_loop(claim)) is not None:
        return Judged(name, shape, claim.truth, str(claim), "not asked", reason, "the test is wrong", 0.0)
    verdict, detail = _verdict(claim)
    wrong = None
    if verdict == "crashed":
        wrong = "an exception that is not one of the library's"
    elif verdict in ("holds", "fails") and (verdict == "holds") != claim.truth:
        wrong = f"it is {claim.truth}"
    return Judged(name, shape, claim.truth, str(claim), verdict, detail, wrong, time.monotonic() - start)


def _verdict(claim: Looped) -> tuple[str, str]:
    try:
        outcome = _paper(claim.source).claims["Lemma 1"].run()
    except (LpmechError, AssertionError) as exc:  # a claim may assert for itself
        return "refused", str(exc)
    except Exception as exc:  # whatever it is, it is a finding of the run and not its end
        return "crashed", f"{type(exc).__name__}: {exc}"
    detail = f"{outcome.verdict}: {outcome.evidence}"
    return {"proved": "holds", "refuted": "fails"}.get(outcome.verdict, "undecided"), detail


def _paper(source: str) -> Paper:
    """The paper of a file, which the check of the claim needs only while it is made."""
    with TemporaryDirectory() as directory:
        file = Path(directory, "own.py")
        file.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("own", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        paper: Paper = module.PAPER
        return paper
