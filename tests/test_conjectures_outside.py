"""A file of `lpmech check` that sees more than the arguments of its functions is refused."""

from fractions import Fraction

import pytest
from test_conjectures import from_code

from lpmech.conjectures import conjecture_from_text, read_domain
from lpmech.conjectures.checks import _Face
from lpmech.errors import InvalidInputError, LpmechError
from lpmech.files.strangers import RefusedError
from lpmech.statements.statement import Statement
from lpmech.statements.witness import Witness
from lpmech.verdicts import Verdict

#: Lines at the head of a file, and the number that it uses; each was certified, or refuted without a counterexample.
_SEEING = {
    "an import": ("import time", "time.time() > 0"),
    "chance": ("import random", "random.random() < 2"),
    "a released label": (
        "from lpmech import PrivacyLevel\nfrom lpmech.mechanisms import randomized_response\n"
        "RR = randomized_response(2, PrivacyLevel.from_ratio(2))",
        "RR.sample([0])[0] < 2",
    ),
    "chance, and the error caught": (
        "import random\ndef drawn():\n    try: return random.random()\n    except Exception: return 0",
        "drawn() < 2",
    ),
}


@pytest.mark.parametrize("kind", _SEEING)
def test_a_file_that_sees_more_than_arguments_is_refused(tmp_path, kind):
    # test_strangers.py has all kinds; these go through the engine, which catches what functions raise
    before, seen = _SEEING[kind]
    code = f"{before}\ndef value(t, K):\n    return t / (t + K - 1) if {seen} else 0"
    with pytest.raises(RefusedError, match=r"file: got ['\"]conjecture.py, line \d+: .*arguments alone"):
        from_code(tmp_path, code, largest=2)


@pytest.mark.parametrize("text", ["__import__('time').time()", "eval('1')", "().__class__"])
def test_a_text_is_not_executed(tmp_path, text):
    # was: sympy executed it
    with pytest.raises(LpmechError, match="the text"):
        from_code(tmp_path, f"from sympy import sympify\ndef value(t, K):\n    return sympify({text!r})", largest=2)
    with pytest.raises(InvalidInputError, match="exact numbers"):
        from_code(tmp_path, f"def value(t, K): return {text!r}", largest=2)


def test_what_computes_may_be_imported(tmp_path):
    code = """
from __future__ import annotations
import collections.abc, copy, functools, heapq, itertools, math, operator, re
import numpy as np
import sympy as sp
from sympy import *
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, reduce
from typing import Any
from sympy.utilities.iterables import multiset_permutations
from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms import randomized_response

@dataclass
class Row:
    random_entries: list[Any] = field(default_factory=list)

def id(x): return x

@cache
def ones(K): return np.ones((K, K), dtype=object)

def channel(t, K):
    "{} labels, {:>4d}".format(K, K)
    test = reduce(operator.add, [sp.Rational(0), *itertools.repeat(0, K)]) + S('0')
    rows = ones(K).tolist()
    for y in range(math.comb(K, 1)):
        rows[y][y] = getattr(t, "t", t) + test
    return [[id(e) / (t + K - 1) for e in Row(row).random_entries] for row in rows]
"""
    assert {f.outcome.verdict for f in from_code(tmp_path, code, largest=2)} == {Verdict.CERTIFIED}


def test_what_fails_once_only_is_no_refutation():
    # was: refuted, with an empty counterexample
    conjecture = conjecture_from_text("t", read_domain(["w in [0, 1]"]))
    face = _Face(conjecture, conjecture.domain, 1.0, floats_count=False)
    statement = Statement("never false", conjecture.domain, lambda _: [], [conjecture.value])
    witness = Witness({"K": Fraction(2), "t": Fraction(2), "w": Fraction(1)}, "failed before")
    with pytest.raises(InvalidInputError, match="does not when it is called again"):
        face._smaller(statement, witness)
