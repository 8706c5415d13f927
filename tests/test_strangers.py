"""Files of strangers: what sees more than arguments is refused, by whichever layer; what computes is not."""

import json
import os
import random
from fractions import Fraction
from pathlib import Path

import pytest

from lpmech.cli import main
from lpmech.files.given import module_of
from lpmech.files.guard import guarded, guarded_alone
from lpmech.files.strangers import RefusedError
from lpmech.papers import running
from lpmech.papers.template import paper_named

ROOT = Path(__file__).parent.parent

#: Lines at the head of a file, and an expression of its function: each got, or could get, through a list of names.
HOSTILE = {
    # files, by twenty roads
    "open": ("", "open('/etc/hostname').read()"),
    "open, a file written": ("", "open('made', 'w')"),
    "open by another name": ("read = open", "read('/etc/hostname')"),
    "open under a parameter called __import__": ("def g(__import__): return 1", "open('/etc/hostname')"),
    "the builtins by name": ("", "__builtins__['open']('/etc/hostname')"),
    "os": ("import os", "os.listdir('.')"),
    "os.path, by from": ("from os.path import exists", "exists('/')"),
    "pathlib": ("from pathlib import Path", "Path('/etc/hostname').read_text()"),
    "io": ("import io", "io.open('/etc/hostname')"),
    "codecs": ("import codecs", "codecs.open('/etc/hostname')"),
    "shutil": ("import shutil", "shutil.copy('a', 'b')"),
    "tempfile": ("import tempfile", "tempfile.mkdtemp()"),
    "numpy.load": ("import numpy as np", "np.load('/etc/hostname')"),
    "numpy.loadtxt": ("import numpy as np", "np.loadtxt('/etc/hostname')"),
    "numpy.fromfile": ("import numpy as np", "np.fromfile('/etc/hostname')"),
    "numpy.fromregex": ("import numpy as np", "np.fromregex('/etc/hostname', '(.)', [('a', 'S1')])"),
    "numpy.DataSource": ("import numpy as np", "np.lib.npyio.DataSource('.').open('/etc/hostname')"),
    "numpy.memmap": ("import numpy as np", "np.memmap('/etc/hostname')"),
    "numpy.save": ("import numpy as np", "np.save('made', np.ones(2))"),
    "ndarray.tofile": ("import numpy as np", "np.ones(2).tofile('made')"),
    "ndarray.dump": ("import numpy as np", "np.ones(2).dump('made')"),
    "scipy.io": ("from scipy.io import loadmat", "loadmat('x')"),
    "tables of this project": ("from lpmech.tables import read_channel", "read_channel('x')"),
    "files of this project": ("import lpmech.files.access", "lpmech.files.access.write_text('made', 'x')"),
    "label counts of a file": ("from lpmech.labels.reading import read_counts", "read_counts('/etc/hostname')"),
    "an import that is caught": ("try:\n    import os\nexcept Exception:\n    pass", "1"),
    "an import in a function": ("def later():\n    import time\n    return time.time()", "later()"),
    # programs, the network, the interpreter
    "subprocess": ("import subprocess", "subprocess.run(['true'])"),
    "socket": ("import socket", "socket.socket()"),
    "urllib": ("import urllib.request", "urllib.request.urlopen('http://localhost')"),
    "ctypes": ("import ctypes", "ctypes.CDLL(None)"),
    "ndarray.ctypes": ("import numpy as np", "np.ones(2).ctypes.data"),
    "the array interface": ("import numpy as np", "np.ones(2).__array_interface__['data'][0]"),
    "numpy.ctypeslib": ("import numpy as np", "np.ctypeslib.load_library('libm', '.')"),
    "exec": ("", "exec('1')"),
    "eval by another name": ("run = eval", "run('1')"),
    "compile": ("", "compile('1', '', 'eval')"),
    "sys.modules": ("import sys", "sys.modules['os'].listdir('.')"),
    "a module's module": ("import typing", "typing.sys"),
    "a module's module, passed on": ("import dataclasses\nm = dataclasses", "m.sys"),
    "a module, asked": ("import dataclasses", "getattr(dataclasses, 'sy' + 's')"),
    "sympy.external.import_module": ("import sympy", "sympy.external.import_module('os')"),
    "importlib": ("from importlib import import_module", "import_module('os')"),
    "import_module of this project": ("from lpmech.papers import import_module", "import_module('os').getcwd()"),
    "gc": ("import gc", "gc.get_objects()"),
    "frames": ("import inspect", "inspect.currentframe().f_back"),
    "a generator's frame": ("", "(i for i in ()).gi_frame.f_back"),
    "a traceback's frame": ("", "ValueError().with_traceback(None).__traceback__.tb_frame"),
    "all classes": ("", "().__class__.__base__.__subclasses__()"),
    "all classes, by a made name": ("", "getattr(().__class__, '__ba' + 'se__')"),
    "globals of a function": ("from fractions import Fraction", "Fraction.limit_denominator.__globals__"),
    "globals by a made name": ("ask = getattr", "ask(f, '__glo' + 'bals__')"),
    "globals by attrgetter": ("from operator import attrgetter", "attrgetter('__globals__')(f)"),
    "globals by a pattern": ("def of(g):\n    match g:\n        case object(__globals__=x): return x", "of(f)"),
    "globals by __match_args__": (
        "class A(type(lambda: 0).__class__): pass\nclass B: __match_args__ = ('__globals__',)",
        "B",
    ),
    "globals by update_wrapper": (
        "from functools import update_wrapper",
        "update_wrapper(lambda: 0, f, assigned=('__globals__',))",
    ),
    "globals by update_wrapper, split": (
        "from functools import update_wrapper",
        "update_wrapper(lambda: 0, f, assigned=('__glo' + 'bals__',))",
    ),
    "globals by attrgetter, split": ("import operator", "operator.attrgetter('limit_denominator.__glo' + 'bals__')(f)"),
    "globals by __match_args__, split": ("class B: __match_args__ = ('__glo' + 'bals__',)", "B"),
    "a text as a type": ("import typing", "typing.get_type_hints(f)"),
    "singledispatch with a text": (
        "from functools import singledispatch\n@singledispatch\ndef g(x): pass\n"
        "def h(x: '[c for c in ().__class__.mro()]'): pass",
        "g.register(h)",
    ),
    "a name in a text": ("", "'{0.__globals__}'.format(f)"),
    "a name in a text that is made": ("", "('{0.__glo' + 'bals__}').format(f)"),
    "a name in a field of a field": ("", "'{:{0.__doc__}}'.format(1, f)"),
    "a name in a text by map": ("", "list(map('{0.__globals__}'.format, [f]))"),
    "fields by str.format": ("", "str.format('{0.__globals__}', f)"),
    "fields by string.Formatter": ("import string", "string.Formatter().get_field('0.x', (1,), {})"),
    "pickle": ("import pickle", "pickle.loads(b'')"),
    "codec": ("# -*- coding: unicode_escape -*-\n# \\nimport os", "1"),
    "lambdify": ("from sympy import lambdify", "lambdify([], '1')()"),
    "parse_expr": ("from sympy.parsing.sympy_parser import parse_expr", "parse_expr('1')"),
    "sympify of split strings": ("from sympy import sympify", "sympify('__imp' + 'ort__(\"os\").getcwd()')"),
    "sympify by S": ("from sympy import S", "S('().__cla' + 'ss__')"),
    "sympify of eval": ("from sympy import sympify", "sympify('ev' + 'al(1)')"),
    # the clock, chance, the environment
    "time": ("import time", "time.time()"),
    "datetime": ("from datetime import date", "date.today()"),
    "numpy.datetime64": ("import numpy as np", "np.datetime64('now')"),
    "a dtype of time": ("import numpy as np", "np.array('now', dtype='M8[s]')"),
    "pandas's clock": ("import pandas as pd", "pd.Timestamp.now()"),
    "pandas's clock, by a text": ("import pandas as pd", "pd.date_range('today', periods=2)"),
    "pandas's clock, by an index": ("import pandas as pd", "pd.DatetimeIndex(['now'])"),
    "pandas's files": ("import pandas as pd", "pd.read_csv('/etc/hostname')"),
    "pandas's files, written": ("import pandas as pd", "pd.Series([1]).to_csv('made')"),
    "pandas's chance": ("import pandas as pd", "pd.Series([1, 2]).sample(1)"),
    "decimal": ("from decimal import Decimal", "Decimal(1) / 3"),
    "decimal by fractions": ("import fractions", "fractions.Decimal(1) / 3"),
    "random": ("import random", "random.random()"),
    "random by name": ("from random import randint as whole", "whole(1, 6)"),
    "random without a seed": ("import random", "random.Random().random()"),
    "random of the system": ("from random import SystemRandom", "SystemRandom().random()"),
    "numpy.random": ("import numpy as np", "np.random.rand()"),
    "numpy.random by name": ("from numpy.random import normal", "normal()"),
    "numpy.random seeded anew": ("import numpy as np", "np.random.seed(1)"),
    "a generator without a seed": ("import numpy as np", "np.random.default_rng().random()"),
    "scipy.stats": ("from scipy.stats import norm", "norm.rvs()"),
    "secrets": ("import secrets", "secrets.randbits(2)"),
    "uuid": ("import uuid", "uuid.uuid4()"),
    "urandom": ("from os import urandom", "urandom(1)"),
    "sympy's chance": ("from sympy import randprime", "randprime(2, 10)"),
    "sympy's chance by star": ("from sympy import *", "randMatrix(2)"),
    "a permutation": ("from sympy.combinatorics import Permutation", "Permutation([1, 0]).random(3)"),
    "sympy.core.random": ("from sympy.core.random import random", "random()"),
    "Channel.sample": (
        "from lpmech.mechanisms import randomized_response\nfrom lpmech import PrivacyLevel",
        "randomized_response(3, PrivacyLevel.from_ratio(2)).sample([0])",
    ),
    "randomness of this project": ("from lpmech.randomness import as_random_source", "as_random_source()"),
    "an address": ("", "id(1)"),
    "a hash": ("", "hash('a')"),
    "a hash of a pair": ("", "hash((1, 'a'))"),
    "statistics": ("from statistics import NormalDist", "NormalDist().samples(1)"),
    "memory": ("import numpy as np", "np.ndarray((2,))"),
    "memory of records": ("import numpy as np", "np.recarray((4,), dtype=[('a', int)])"),
    "memory by strides": ("from numpy.lib.stride_tricks import as_strided", "as_strided"),
    "an address of an array": ("from array import array", "array('b', [1]).buffer_info()"),
    "a stopwatch of mpmath": ("import mpmath", "mpmath.timing(f)"),
    "a function of a module that runs a text": (
        "import dataclasses",
        "dataclasses._create_fn('g', [], ['return __import__(\"time\").time()'])()",
    ),
    "the environment": ("import os", "os.environ['PATH']"),
    "getpass": ("import getpass", "getpass.getuser()"),
    "platform": ("import platform", "platform.node()"),
    # what outlives the call
    "os._exit": ("import os", "os._exit(0)"),
    "signal": ("import signal", "signal.alarm(0)"),
    "atexit": ("import atexit", "atexit.register(f)"),
    "threads": ("import threading", "threading.Thread(target=f).start()"),
    "thread pools": ("from concurrent.futures import ThreadPoolExecutor", "ThreadPoolExecutor(1)"),
    "multiprocessing": ("from multiprocessing import Pool", "Pool(1)"),
    "a module of ours changed": ("import lpmech.prove\nlpmech.prove.prove = None", "1"),
    "a module changed by setattr": ("import math", "setattr(math, 'pi', 3)"),
    "input": ("", "input()"),
    "globals": ("", "globals()"),
    "what a class has": ("", "vars(vars)"),
    "the loader": ("", "__loader__"),
}


def returned(directory, code):
    """What the function f of a file gives; the file runs as those of strangers do, but in this process."""
    path = directory / "stranger.py"
    path.write_text(code)
    with guarded():
        return module_of("stranger", path).f()


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_sees_more_than_arguments_is_refused_with_its_line(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before, seen = HOSTILE[kind]
    with pytest.raises(
        RefusedError, match=r"file: got ['\"](stranger.py, line \d+: |chance).*arguments alone.*no sandbox"
    ):
        returned(tmp_path, f"{before}\ndef f():\n    return {seen}\n")
    assert os.listdir(tmp_path) == ["stranger.py"]


# ---- honest files ----------------------------------------------------------------------------------------------------

#: Files that use ordinary things, and what their function f gives.
HONEST = {
    "numpy": ("import numpy as np\ndef f(): return np.linalg.norm(np.array([3, 4])).item()", 5.0),
    "numpy, filled": ("import numpy as np\ndef f():\n    a = np.zeros((2, 2), dtype=object)\n    a[0, 0] = 1\n    return a.sum()", 1),
    "sympy by star": ("from sympy import *\nx = Symbol('x')\ndef f(): return int(solve(x - 3, x)[0] + S('1/2') * 2)", 4),
    "sympy, simplified": ("import sympy as sp\nt = sp.Symbol('t', positive=True)\ndef f(): return sp.simplify((t**2 - 1) / (t - 1)).equals(t + 1)", True),
    "fractions": ("from fractions import Fraction\ndef f(): return Fraction(1, 3) + Fraction('1/6')", 0.5),
    "caches": ("import functools\n@functools.lru_cache(None)\ndef g(n): return n if n < 2 else g(n - 1) + g(n - 2)\ndef f(): return g(9)", 34),
    "singledispatch": ("from functools import singledispatch\n@singledispatch\ndef g(x): return 0\n@g.register\ndef _(x: int): return 1\ndef f(): return g(2)", 1),
    "dataclasses": (
        "from __future__ import annotations\nfrom dataclasses import dataclass, field, replace\n"
        "@dataclass(frozen=True, order=True)\nclass Row:\n    name: str\n    of: list[Row] = field(default_factory=list, hash=False)\n"
        "def f(): return len({Row('a'), replace(Row('b'), name='a')}), sorted([Row('b'), Row('a')])[0].name",
        (1, "a"),
    ),
    "named tuples and enums": ("from typing import NamedTuple\nfrom enum import Enum, auto\nclass P(NamedTuple):\n    x: int = 2\nclass E(Enum):\n    A = auto()\ndef f(): return P().x + E.A.value", 3),
    "itertools and math": ("import itertools, math\nfrom math import comb as over\ndef f(): return sum(1 for _ in itertools.permutations(range(3))) + over(4, 2) + math.gcd(4, 6)", 14),
    "closures": ("def made():\n    n = 1\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g\ndef f(): return made()()", 2),
    "names of builtins": ("def g(open, input=1, *, id=2):\n    eval = exec = hash = open\n    time = compile = input\n    return eval + time + id\ndef f(): return g(3)", 6),
    "words in texts": ('"""Runs os.system, eval, __globals__ and open() in words only."""\ndef f(): return "subprocess and os.urandom"', "subprocess and os.urandom"),
    "formats": ("HEAD = '{name:>{width}}|{0[0]}{1.real}'\ndef f(): return HEAD.format([1], 2, name='a', width=3) + f'{1/4:.2f}'", "  a|120.25"),
    "a seeded generator": ("import numpy as np, random\ndef f(): return float(np.random.default_rng(0).random() + random.Random(1).random()) == 0.7713260345226152 or round(random.Random(1).random(), 3)", 0.134),
    "types": ("from __future__ import annotations\nfrom typing import TYPE_CHECKING, Any, Optional\nif TYPE_CHECKING:\n    from pathlib import Path\ndef g(p: Path | None, q: Optional['Any'] = None) -> 'int': return 1\ndef f(): return g(None)", 1),
    "a class with __hash__": ("class A:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == o.n\n    def __hash__(self): return hash((self.n, 1))\n    def __repr__(self): return f'{type(self).__name__}({vars(self)})'\ndef f(): return len({A(1), A(1)}), repr(A(2))", (1, "A({'n': 2})")),
    "a class with __hash__ of its name": ("class A:\n    def __init__(self, name): self.name = name\n    def __eq__(self, o): return self.name == o.name\n    def __hash__(self): return hash((type(self), self.name))\ndef f(): return len({A('x'), A('x')})", 1),
    "a warning": ("import warnings, numpy as np\ndef f():\n    with warnings.catch_warnings():\n        warnings.simplefilter('ignore')\n        return float(np.float64(1) / np.float64(0))", float("inf")),
    "json, re and text": ("import json, re, textwrap, string\ndef f(): return json.dumps(re.findall(r'\\d', 'a1b2')) + textwrap.dedent('  x') + string.digits[0]", '["1", "2"]x0'),
    "getattr": ("import numpy as np, operator\ndef f(): return [getattr(np, n)(4).item() for n in ('sqrt', 'abs')] + [operator.attrgetter('real')(3), getattr(1, 'none', 0), hasattr(1, 'imag')]", [2.0, 4, 3, 0, True]),
    "copies": ("import copy\ndef f(): return copy.deepcopy({'a': [1, (2, {3})]})", {"a": [1, (2, {3})]}),
    "scipy": ("from scipy.optimize import linprog\nfrom scipy.stats import norm\ndef f(): return linprog([1], bounds=[(2, 3)]).fun + norm.cdf(0)", 2.5),
    "mpmath and statistics": ("import mpmath, statistics\ndef f(): return float(mpmath.nsum(lambda n: 1 / n**2, [1, mpmath.inf])) > 1.6, statistics.mean([1, 3])", (True, 2)),
    "this project": ("from lpmech import Channel, PrivacyLevel\nfrom lpmech.mechanisms import randomized_response\nfrom lpmech.prove import Holds, prove\nimport sympy as sp\nt = sp.Symbol('t')\ndef f(): return isinstance(prove(t > 0, [t > 1]), Holds) and Channel([[1]]).inputs", (0,)),
    "empty arrays": ("import numpy as np\ndef f(): return np.empty(9).sum() + np.empty_like(np.ones(2)).sum()", 0),
    "pandas": ("import pandas as pd\ndef f(): return pd.DataFrame({'a': [1, 2], 'b': [3, 4]}).groupby('a').sum()['b'].sum().item()", 7),
    "labels released with a seed": (
        "from lpmech import PrivacyLevel\nfrom lpmech.mechanisms import randomized_response\n"
        "RR = randomized_response(2, PrivacyLevel.from_ratio(3))\n"
        "def f(): return sum(RR.sample([0] * 400, random_state=0)) < 140",
        True,
    ),
    "a main": ("def f(): return 1\nif __name__ == '__main__':\n    import sys\n    print(f(), sys.argv)", 1),
}  # fmt: skip


@pytest.mark.parametrize("kind", HONEST)
def test_an_honest_file_is_not_refused(tmp_path, kind):
    # each would be a false alarm
    code, expected = HONEST[kind]
    found = returned(tmp_path, code)
    assert type(expected)(found) == expected


# ---- the layers --------------------------------------------------------------------------------------------------------


def test_a_refusal_that_a_file_catches_is_one_all_the_same(tmp_path):
    code = "def f():\n    try:\n        import os\n    except BaseException:\n        return 1"
    with pytest.raises(RefusedError, match="line 3: import os"):
        returned(tmp_path, code)


def test_what_others_do_meanwhile_and_afterwards_is_not_looked_at(tmp_path):
    # catches patches that are left behind, and hooks that hear this project's own work
    with guarded():
        assert (tmp_path / "x").write_text("x") == 1
        assert 0 <= random.Random().random() < 1
    before = random.random, os.urandom
    with pytest.raises(RefusedError):
        returned(tmp_path, "import os")
    assert (random.random, os.urandom) == before
    assert (tmp_path / "x").read_text() == "x"


@pytest.mark.parametrize(
    "code",
    [
        "Fraction.__add__ = lambda a, b: 0",
        "Fraction.seen = {}",
        "F = Fraction\nsetattr(F, 'limit_denominator', None)",
    ],
)
def test_a_class_that_everybody_uses_is_as_before_or_the_file_is_refused(tmp_path, code, monkeypatch):
    monkeypatch.setattr(Fraction, "__add__", Fraction.__add__)  # put back what the file changes
    monkeypatch.setattr(Fraction, "limit_denominator", Fraction.limit_denominator)
    path = tmp_path / "stranger.py"
    path.write_text(f"from fractions import Fraction\n{code}\n")
    with pytest.raises(RefusedError, match=r"Fraction.*is changed"), guarded_alone():
        module_of("stranger", path)
    if "seen" in vars(Fraction):
        del Fraction.seen


def test_files_beside_a_package_are_held_to_the_same(tmp_path):
    # catches a guard that holds the file itself only
    package = tmp_path / "theirs"
    package.mkdir()
    (package / "__init__.py").write_text("from . import inner\nfrom .inner import PAPER\n")
    (package / "inner.py").write_text(paper_named("theirs") + "\nimport beside_theirs\n")
    (tmp_path / "beside_theirs.py").write_text("import socket\n")
    with pytest.raises(RefusedError, match=r"beside_theirs.py, line 1: import socket"):
        running.select_claims([str(package)])


def test_what_sympy_draws_for_a_file_is_the_same_in_every_call(tmp_path):
    # was: chance by a function of sympy that nobody has listed
    code = "from sympy.crypto.crypto import elgamal_private_key\ndef f(): return elgamal_private_key(20)"
    assert returned(tmp_path, code) == returned(tmp_path, code)


# ---- by the command line -----------------------------------------------------------------------------------------------

HEAD = "from lpmech.claims import Paper; from lpmech.claims.checking import check_parts\ndef proved(method, words): return check_parts(iter([True]), every=words, method=method)\nPAPER = Paper('mine', 'Somebody: Something')\n"
CLAIM = """
@PAPER.claim("Lemma {n}", "even", formula=4, mutants={{"odd": 3}})
def check{n}(number):
    {does}
    return proved("parity", "it is even")
"""


def run(capsys, *arguments):
    """Exit code, output and errors of a command."""
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return caught.value.code, out, err


def paper(path, *claims, tail=""):
    text = "".join(CLAIM.format(n=n, does=does) for n, does in enumerate(claims, 1))
    path.write_text(HEAD.replace("mine", path.stem) + text + tail)
    return path


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("import os; os._exit(0)", "line 12: import os"),  # was: exit 0 without a summary
        ("open('made', 'w').write('x')", "line 12: open"),
        ("import numpy as np; np.random.rand()", "line 12: numpy.random.rand"),
        ("import numpy as np; np.save('made', np.ones(1))", "line 12: open"),
        ("exec('import os')", "line 12: exec"),
        ("import fractions; F = fractions.Fraction; F.__eq__ = lambda a, b: True", "Fraction.__eq__ is changed"),
    ],
)
def test_verify_refuses_what_check_refuses(tmp_path, capsys, monkeypatch, does, told):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "verify", paper(tmp_path / "mine.py", "pass", does), "--jobs", 1)
    assert code == 2
    assert told in err
    assert len(err.strip().splitlines()) == 1
    assert "proved" not in out
    assert os.listdir(tmp_path) == ["mine.py"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os\ndef value(t, K): os._exit(0)", "line 1: import os"),
        ("print('in all: proved')\ndef value(t, K): return open('/etc/hostname')", "line 2: open"),
        (
            "from lpmech import PrivacyLevel\nfrom lpmech.mechanisms import randomized_response\n"
            "RR = randomized_response(9, PrivacyLevel.from_ratio(2))\n"
            "def value(t, K): return t / (t + K - 1) if any(RR.sample([0] * 9)) else 0",
            "line 4: secrets.token_bytes",  # was: certified for all t > 1
        ),
        (
            "import fractions\nfractions.Fraction.__eq__ = lambda a, b: True\ndef value(t, K): return t / (t + K - 1)",
            "changed",
        ),
    ],
)
def test_check_refuses_it_with_one_line(tmp_path, capsys, code, told):
    path = tmp_path / "conjecture.py"
    path.write_text(code)
    status, out, err = run(capsys, "check", path, "--largest", 2)
    assert status == 2
    assert told in err
    assert "proved" not in out
    assert "certified" not in out


def test_a_file_that_does_not_load_keeps_no_other_one_from_being_verified(tmp_path, capsys):
    # was: nothing was verified
    good, bad, worse = (
        paper(tmp_path / "good.py", "print('1 claims: all proved')"),
        tmp_path / "bad.py",
        tmp_path / "worse.py",
    )
    bad.write_text("undefined")
    paper(worse, "pass", "import os")
    rows = tmp_path / "rows.json"
    code, out, err = run(capsys, "verify", bad, worse, good, "--jobs", 2, "--json", rows)
    assert code == 2
    assert "good: 1 claim: 1 proved; all as recorded" in out
    assert "all proved" not in out  # what a file prints is no result
    assert "bad.py, line 1: NameError" in err
    assert "worse.py, line 12: import os" in err
    assert [row["paper"] for row in json.loads(rows.read_text())] == ["good"]


def test_a_process_that_ends_is_no_verdict(tmp_path, capsys, monkeypatch):
    # the guard keeps a file from ending its process; should it find a way, nothing of it counts
    original = running.run_claim
    monkeypatch.setattr(running, "run_claim", lambda *of, **how: os._exit(0) if "2" in of[1] else original(*of, **how))
    code, out, err = run(capsys, "verify", paper(tmp_path / "mine.py", "pass", "pass", "pass"), "--jobs", 2)
    assert code == 2
    assert "it ended with code 0); in or before 'Lemma 2'" in err
    assert "proved" not in out


def test_a_claim_that_takes_too_long_or_too_much_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(running, "_LONGEST", dict.fromkeys(running.SelfTest, 2.0))
    code, _, err = run(capsys, "verify", paper(tmp_path / "long.py", "pass", "while True: pass"), "--jobs", 1)
    assert (code, "Lemma 2 of" in err, "within 2 seconds" in err) == (2, True, True)
    code, out, _ = run(capsys, "verify", paper(tmp_path / "large.py", "[0] * 10**10"), "--jobs", 1)
    assert (code, "1 error" in out) == (1, True)


def test_a_claim_that_does_not_end_is_undecided_and_the_others_are_settled(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(running, "CLAIM_SECONDS", 0.3)
    rows = tmp_path / "rows.json"
    file = paper(tmp_path / "long.py", "pass", "while True: pass", "pass")
    code, _, _ = run(capsys, "verify", file, "--jobs", 1, "--json", rows)
    found = {row["id"]: (row["verdict"], row["evidence"]) for row in json.loads(rows.read_text())}
    assert code == 1
    assert [found[f"Lemma {n}"][0] for n in (1, 2, 3)] == ["proved", "undecided", "proved"]
    assert found["Lemma 2"][1] == "not settled within 0.3 seconds of processor time"


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("conjecture_*.py")), ids=lambda file: file.stem)
def test_the_examples_are_not_refused(file, capsys):
    code, _, err = run(capsys, "check", file, "--largest", 2)
    assert code in (0, 1), err
