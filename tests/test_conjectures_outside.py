"""A file of `lpmech check` that can see more than the arguments of its functions is refused before it runs."""

from fractions import Fraction

import pytest
from test_conjectures import from_code

from lpmech.conjectures import conjecture_from_text
from lpmech.conjectures.checks import _Settled
from lpmech.errors import InvalidInputError, LpmechError
from lpmech.prove.counterexamples import Instance
from lpmech.verdicts import Verdict

#: Lines at the head of a file, and the number that it uses; each was certified, or refuted without a counterexample.
_SEEING = {
    "a clock": ("import time", "time.time() > 0"),
    "a date": ("from datetime import date", "date.today().year > 2000"),
    "chance": ("import random", "random.random() < 2"),
    "chance of numpy": ("import numpy", "numpy.random.rand() < 2"),
    "chance of numpy by name": ("from numpy import random", "random.rand() < 2"),
    "chance of sympy": ("from sympy import *", "randprime(2, 10) > 1"),
    "chance of an object": ("from sympy.combinatorics import Permutation", "Permutation([1, 0]).random(2) is not None"),
    "secrets": ("import secrets", "secrets.randbits(2) < 5"),
    "the system": ("from os import urandom", "len(urandom(1)) == 1"),
    "the environment": ("import os", "os.environ is not None"),
    "the disk": ("", "open(__file__).read() != ''"),
    "the disk by numpy": ("import numpy as np", "np.load('x') is not None"),
    "the disk by this project": ("from lpmech.tables import read_channel", "read_channel is not None"),
    "a context": ("from decimal import Decimal", "Decimal(1) / 3 > 0"),
    "a context by a module": ("import fractions", "fractions.Decimal(1) / 3 > 0"),
    "memory": ("import numpy as np", "np.empty(1) is not None"),
    "an address": ("", "id(t) > 0"),
    "a hash": ("", "hash('a') != 0"),
    "a text": ("", "eval('1') == 1"),
    "a text by sympy": ("from sympy import lambdify", "lambdify is not None"),
    "a module's module": ("import typing", "typing.sys is not None"),
    "a module, passed on": ("import numpy as np\nmodule = np", "module.random is not None"),
    "a module, asked": ("import numpy as np", "getattr(np, 'random') is not None"),
    "a name that is made": ("import operator", "getattr(operator, 'attr' + 'getter') is not None"),
    "a name by another name": ("ask = getattr", "ask(value, '__glo' + 'bals__') != {}"),
    "whether there is a name, by another name": ("ask = hasattr", "not ask(t, '_tr' + 'ace')"),
    "a name by a pattern": (
        "def of(f):\n    match f:\n        case object(__globals__=g): return g",
        "of(value) != {}",
    ),
    "a name in a text": ("", "'{0.__globals__}'.format(value) != ''"),
    "a name in a text that is made": ("", "('{0.__glo' + 'bals__}').format(value) != ''"),
    "a name in a field of a field": ("", "'{:{0.__doc__}}'.format(1, t) != ''"),
    "a field of a text": ("import string", "string.Formatter().get_field('0.x', (t,), {}) != ''"),
    "a text as a type": ("import typing", "typing.get_type_hints(value) == {}"),
    "what a class has": ("", "vars(vars) != {}"),
    "all classes": ("", "().__class__.__bases__[0].__subclasses__() != []"),
    "the frames": ("from sys import _getframe", "_getframe(1) is not None"),
    "another thread": ("from concurrent.futures import ThreadPoolExecutor", "ThreadPoolExecutor(1) is not None"),
    "an import in a function": ("def later():\n    import time\n    return time", "later().time() > 0"),
}


@pytest.mark.parametrize("kind", _SEEING)
def test_a_file_that_sees_more_than_arguments_is_refused(tmp_path, kind):
    before, seen = _SEEING[kind]
    code = f"{before}\ndef value(t, K):\n    return t / (t + K - 1) if {seen} else 0"
    with pytest.raises(InvalidInputError, match=r"conjecture: got ['\"]line \d+, .*math, numbers, numpy"):
        from_code(tmp_path, code, largest=2)


@pytest.mark.parametrize("text", ["__import__('time').time()", "open('x')", "eval('1')", "source(1)", "().__class__"])
def test_a_text_is_not_executed(tmp_path, text):
    # was: sympy executed it
    with pytest.raises(LpmechError, match="the text"):
        from_code(tmp_path, f"from sympy import sympify\ndef value(t, K):\n    return sympify({text!r})", largest=2)
    with pytest.raises(InvalidInputError, match="no text"):
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
    settled = _Settled(conjecture_from_text("t"), 2)
    with pytest.raises(InvalidInputError, match="does not when it is called again"):
        settled._refuted(lambda _: None, Instance(Fraction(2), (1, 1)))
