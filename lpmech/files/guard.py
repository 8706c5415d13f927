"""While a stranger's file can run: audit hooks, and functions that ask who calls; see `lpmech.files.strangers`."""

from __future__ import annotations

import functools
import operator
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from lpmech.files.given import files_run
from lpmech.files.reached import reached
from lpmech.files.strangers import RefusedError, asker, is_leading_out, is_run, of, refusals, refused

__all__ = ["chance_refused", "guarded", "guarded_alone"]

#: Audit events of what libraries do, too, when they are asked to compute: refused to a stranger's own code only. All
#: other events, which reach outside or into the interpreter, are refused whoever is asked to cause them.
_COMPUTING = frozenset((
    "array.__new__", "builtins.id", "compile", "object.__delattr__", "object.__getattr__", "object.__setattr__",
    "sys._getframe", "sys._getframemodulename", "sys.excepthook", "sys.unraisablehook",
))  # fmt: skip
#: But for those that run texts of their own making, which is how they compute, and this project itself.
_TRUSTED = (
    "lpmech.", "collections", "cvxpy", "dataclasses", "mpmath", "scipy", "sympy.concrete", "sympy.core",
    "sympy.functions", "sympy.integrals", "sympy.matrices", "sympy.parsing.sympy_parser", "sympy.polys", "sympy.series",
    "sympy.simplify", "sympy.solvers",
)  # fmt: skip
#: Who takes a seed by chance where the result does not depend on it.
_NUMERICAL = ("mpmath",)

#: Clock and process, of which no event tells: refused to a stranger's own code.
_OWN = {
    "atexit": ("register",),
    "os": (
        "_exit", "abort", "close", "cpu_count", "dup2", "getcwd", "getenv", "getloadavg", "getpid", "getppid", "pipe",
        "stat", "times", "uname", "write",
    ),
    "signal": ("alarm", "raise_signal", "setitimer", "signal"),
    "threading.Thread": ("start",),
    "_thread": ("start_new_thread",),
    "time": (
        "clock_gettime", "ctime", "gmtime", "localtime", "monotonic", "monotonic_ns", "perf_counter",
        "perf_counter_ns", "process_time", "process_time_ns", "sleep", "strftime", "thread_time", "time", "time_ns",
    ),
    "sympy.core.random": ("choice", "randint", "random", "random_complex_number", "randrange", "sample", "shuffle"),
    "sympy.combinatorics.Permutation": ("random",),
    "sympy.combinatorics.PermutationGroup": ("random", "random_pr"),
    "sympy.geometry.entity.GeometryEntity": ("random_point",),
}  # fmt: skip
#: Chance without a seed: refused whoever asks for it on a stranger's behalf.
_CHANCE = {
    "os": ("getrandom", "urandom"),
    "random": ("_urandom",),
    "secrets": ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe"),
    "uuid": ("getnode", "uuid1", "uuid4"),
    "numpy.random": ("get_state", "ranf", "sample", "seed", "set_state"),
    "numpy.random.bit_generator": ("randbits",),
}

#: What draws from a state of its own.
_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)

_depth = 0
_judging = False
_hooked = False


@contextmanager
def guarded() -> Iterator[None]:
    """Hold strangers' files to the policy as long as the block runs; what they do outside of it is not looked at.

    Raises
    ------
    RefusedError
        If something was refused, also where the file has caught the error.
    """
    global _depth, _hooked
    if not _hooked:
        _hooked = True
        sys.addaudithook(_heard)
    if not _depth:
        refusals.clear()
        originals = [(owner, name, vars(owner)[name]) for owner, name, _ in _replaced()]
        for owner, name, replacement in _replaced():
            setattr(owner, name, replacement)
    _depth += 1
    _seed_sympy()
    drawn = _drawn()
    try:
        yield
        if _drawn() != drawn:  # by a library that is given no generator and takes the one that all share
            raise refused("chance without a seed")
    except BaseException:
        if refusals:
            raise refusals[0] from None
        raise
    finally:
        _depth -= 1
        if not _depth:
            for owner, name, original in originals:
                setattr(owner, name, original)
    if refusals:
        raise refusals[0]


@contextmanager
def guarded_alone() -> Iterator[None]:
    """`guarded` for a process that does nothing else: what others use has to be as it was when the block ends, too.

    Raises
    ------
    RefusedError
        As `guarded`; or if a function or class that everybody uses was changed.
    """
    with guarded():
        before = snapshot()
        yield
        if (name := changed(before)) is not None:
            raise refused(f"{name} is changed")


@contextmanager
def chance_refused(function: object = None) -> Iterator[None]:
    """Refuse chance without a seed, and nothing else, whoever asks for it while the block runs.

    Parameters
    ----------
    function : object
        What is called: the generators that it keeps from call to call, seeded or not, are not to be drawn from either.

    Raises
    ------
    RefusedError
        Also where the error was caught.
    """
    caught: list[RefusedError] = []

    def refusing(name: str) -> Callable[..., Any]:
        def function(*_: Any, **__: Any) -> Any:
            caught.append(RefusedError("file", f"chance ({name})", "chance with a seed"))
            raise caught[0]

        return function

    owners = [(_named(path), name) for path, names in _CHANCE.items() for name in names]
    originals = [(owner, name, vars(owner)[name]) for owner, name in owners if name in vars(owner)]
    replacements = [refusing(f"{owner.__name__}.{name}") for owner, name, _ in originals]
    seed, unseeded = random.Random.seed, refusing("random.Random without a seed")
    originals.append((random.Random, "seed", seed))
    replacements.append(lambda self, a=None, version=2: unseeded() if a is None else seed(self, a, version))
    kept = _generators(function)
    drawn = _drawn(), _states(kept)
    try:
        for (owner, name, _), replacement in zip(originals, replacements, strict=True):
            setattr(owner, name, replacement)
        yield
    except BaseException:
        if caught:
            raise caught[0] from None
        raise
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)
    if caught:
        raise caught[0]
    if (_drawn(), _states(kept)) != drawn:
        raise RefusedError("file", "chance without a seed, or from a generator that is kept", "chance with a seed")


def _generators(function: object) -> list[Any]:
    """The generators that a function, or one that it calls by a name of its module, keeps."""
    return [thing for _, thing, _ in reached(function) if isinstance(thing, _GENERATORS)]


def _states(generators: list[Any]) -> list[str]:
    return [str(g.bit_generator.state if isinstance(g, np.random.Generator) else _state(g)) for g in generators]


def _state(generator: Any) -> object:
    return generator.getstate() if isinstance(generator, random.Random) else generator.get_state(legacy=False)


@cache
def _replaced() -> list[tuple[Any, str, Any]]:
    """Owner, name and replacement of every function that asks who calls."""
    from sympy.parsing import sympy_parser

    rules: list[tuple[Any, str, Callable[[FrameType], FrameType | None]]] = []
    for names, rule in ((_OWN, _own), (_CHANCE, asker)):
        for path, chosen in names.items():
            owner = _named(path)
            rules += [(owner, name, rule) for name in chosen if name in vars(owner)]
    hidden = {id(random._inst), id(np.random.mtrand._rand)}
    for module in (random, np.random):
        rules += [
            (module, n, asker) for n, f in vars(module).copy().items() if id(getattr(f, "__self__", None)) in hidden
        ]
    found = [(owner, name, _asking(vars(owner)[name], f"{owner.__name__}.{name}", rule)) for owner, name, rule in rules]
    found.append((random.Random, "seed", _seeded(random.Random.seed)))
    found.append((sympy_parser, "parse_expr", _reading(sympy_parser.parse_expr)))
    found += [(np, name, _filled(vars(np)[name], name)) for name in ("empty", "empty_like")]
    by_name = ((operator, "attrgetter"), (operator, "methodcaller"), (functools, "update_wrapper"))
    return found + [(module, name, _naming(vars(module)[name])) for module, name in by_name]


def _seed_sympy() -> None:
    """Let sympy's own generator begin anew, so that what sympy draws for a stranger is the same in every call."""
    from sympy.core.random import rng

    rng.seed(0)


def _drawn() -> object:
    """The states of the generators that everybody shares."""
    state = np.random.mtrand._rand.get_state(legacy=False)["state"]
    return state["pos"], state["key"].tobytes(), random._inst.getstate()


def _named(path: str) -> Any:
    try:
        return import_module(path)
    except ImportError:
        module, _, name = path.rpartition(".")
        return getattr(_named(module), name)


def _own(frame: FrameType) -> FrameType | None:
    return frame if of(frame) else None


def _asking(original: Any, name: str, rule: Callable[[FrameType], FrameType | None]) -> Any:
    static = isinstance(original, staticmethod)
    called = original.__func__ if isinstance(original, (staticmethod, classmethod)) else original

    @wraps(called)
    def function(*values: Any, **named: Any) -> Any:
        if (frame := rule(sys._getframe(1))) is not None:
            raise refused(name, frame)
        return called(*values, **named)

    if isinstance(original, classmethod):
        return classmethod(function)
    return staticmethod(function) if static else function


def _seeded(original: Callable[..., None]) -> Callable[..., None]:
    def seed(self: Any, a: Any = None, version: int = 2) -> None:
        if a is None and (frame := asker(sys._getframe(1), _NUMERICAL)) is not None:
            raise refused("random.Random without a seed", frame)
        original(self, a, version)

    return seed


def _reading(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def parse_expr(text: str, *options: Any, **named: Any) -> Any:
        if is_run(text) and (frame := asker(sys._getframe(1))) is not None:
            raise refused(f"the text {text!r}", frame)
        return original(text, *options, **named)

    return parse_expr


def _filled(original: Callable[..., Any], name: str) -> Callable[..., Any]:
    """numpy's empty arrays hold what memory held before; a stranger's hold zeros."""
    zeros = getattr(np, name.replace("empty", "zeros"))

    @wraps(original)
    def function(*values: Any, **named: Any) -> Any:
        return (zeros if of(sys._getframe(1)) else original)(*values, **named)

    return function


def _naming(original: Callable[..., Any]) -> Callable[..., Any]:
    """What takes attributes by names that are made while it runs."""

    @wraps(original)
    def function(*values: Any, **named: Any) -> Any:
        given = [*values, *(value for key, value in named.items() if key != "updated")]
        names = [name for value in given for name in (value if isinstance(value, (tuple, list)) else [value])]
        if any(isinstance(name, str) and any(map(is_leading_out, name.split("."))) for name in names):
            frame = asker(sys._getframe(1))
            if frame is not None:
                raise refused(original.__name__, frame)
        return original(*values, **named)

    return function


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    global _judging
    if not _depth or _judging:
        return
    _judging = True  # what is asked here is heard, too
    try:
        frame = _asking_for(event, arguments, sys._getframe(1))
        if frame is not None:
            raise refused(" ".join([event, *(f"{value!r:.60}" for value in arguments[:1])]), frame)
    finally:
        _judging = False


def _asking_for(event: str, arguments: tuple[Any, ...], frame: FrameType) -> FrameType | None:
    """The stranger's frame that asks for what is refused."""
    if event == "open":
        path, mode, flags = arguments
        writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        return None if not writes and _may_be_read(path, frame) else asker(frame)
    if event == "import":  # by a library: a stranger's own imports are looked at where it makes them
        return None
    return _own(frame) if event in _COMPUTING else asker(frame, _TRUSTED)


def _may_be_read(path: object, frame: FrameType) -> bool:
    """Whether a file is part of what is installed, or a stranger's own text (warnings print a line of it)."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False
    real = os.path.realpath(os.fsdecode(path))
    return (
        real.startswith(_installed())
        or real in files_run
        or (real.startswith(("/proc/", "/sys/")) and asker(frame, ("lpmech.",)) is None)
    )


@cache
def _installed() -> tuple[str, ...]:
    places = [sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), *(p for p in sys.path if "-packages" in p)]
    return tuple(f"{os.path.realpath(place)}{os.sep}" for place in places)


#: What modules offer, and all that is in their classes, by name.
Snapshot = dict[str, dict[str, Any]]

#: What is not set again unless somebody changes it: a class may count its objects.
_KEPT = (type, FunctionType, classmethod, staticmethod, property)


def snapshot() -> Snapshot:
    """The functions and classes that a stranger's file could change for everybody."""
    found: Snapshot = {}
    for name, module in sys.modules.copy().items():
        if name.partition(".")[0] in ("fractions", "lpmech", "numbers", "numpy", "random", "sympy"):
            found[name] = {key: thing for key, thing in vars(module).copy().items() if isinstance(thing, _KEPT)}
            own = [kind for kind in found[name].values() if isinstance(kind, type) and kind.__module__ == name]
            found |= {f"{name}.{kind.__name__}": vars(kind).copy() for kind in own}
    return found


def changed(before: Snapshot) -> str | None:
    """The name of something that is another one than before, or that a class has besides; None if all is as it was."""
    for owner, members in snapshot().items():
        known = before.get(owner, members)
        lost = [n for n, thing in known.items() if isinstance(thing, _KEPT) and members.get(n) is not thing]
        new = [] if owner in sys.modules else [n for n in members if n not in known and _is_made(n, members[n])]
        for name in lost + new:
            return f"{owner}.{name}"
    return None


def _is_made(name: str, thing: Any) -> bool:
    """Whether somebody has written this member of a class; Python itself adds __slotnames__."""
    return isinstance(thing, FunctionType) or not name.startswith("__")
