"""What users' functions ask for besides their arguments' values: clock, environment, types, and what calls have left.

A verdict for all parameters is one on a function of its arguments. Chance is refused where it is drawn
(`lpmech.files.guard.chance_refused`). Clock, environment and types are seen by the names that a function and the others
of its package use, state by comparing what they keep before the first call with what they keep after the last one.
"""

from __future__ import annotations

import builtins
import dis
import pickle
import warnings
from collections.abc import Iterable, Iterator
from itertools import pairwise
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType
from typing import Any

from lpmech.files.reached import codes_of, package_of, reached

__all__ = ["Besides"]

#: Where clock, process and environment are.
_OUTSIDE = frozenset((
    "asyncio", "contextlib", "datetime", "gc", "inspect", "nt", "os", "pathlib", "platform", "posix", "psutil",
    "resource", "signal", "socket", "subprocess", "sysconfig", "tempfile", "threading", "time", "tracemalloc", "uuid",
))  # fmt: skip
#: Of `sys`, what is the same in every call.
_OF_SYS = ("float_info", "maxsize", "version_info")
#: How Python asks whether an `except` takes an error: of a formula others are raised than of numbers.
_CATCHING = ("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
#: What tells objects of equal value apart, and what reads.
_BUILTIN = (builtins.id, builtins.type, builtins.input, builtins.open)
_THIS = package_of(reached)
_STATELESS = (ModuleType, type, FunctionType, BuiltinFunctionType)


class Besides:
    """What functions ask for besides the values of their arguments.

    Parameters
    ----------
    functions : iterable of callable
        As they are before the first call.
    """

    def __init__(self, functions: Iterable[Any]) -> None:
        self._functions = list(functions)
        self._before = self._kept()

    def told(self) -> str:
        """What it is, in words; nothing if nothing is seen."""
        asked = sorted({name for function in self._functions for name in _asked(function)})
        after = self._kept()
        changed = sorted({name for name, state in after.items() if self._before.get(name) != state})
        parts = [f"asks for {', '.join(asked)}"] if asked else []
        return " and ".join([*parts, *([f"changes {', '.join(changed)}"] if changed else [])])

    def _kept(self) -> dict[str, object]:
        """The state of what the functions keep, by name."""
        own = ((n, part) for function in self._functions for n, part in _own(function))
        return {name: _state(part) for name, part in own if not isinstance(part, _STATELESS)}


def _own(function: Any) -> Iterator[tuple[str, Any]]:
    """What the function and those of its package reach; this library is tested elsewhere."""
    package = package_of(function)
    return ((n, part) for n, part, reaching in reached(function) if reaching == package != _THIS)


def _state(part: Any) -> object:
    """What tells whether an object has changed, if it tells it."""
    if isinstance(part, GeneratorType):
        return None if part.gi_frame is None else part.gi_frame.f_lasti
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pickle.dumps(part)
    except Exception:  # the object may be of any library
        return type(part)


def _asked(function: Any) -> Iterator[str]:
    """Names of clock and environment, and imports of them inside of the function."""
    for name, part in _own(function):
        if package_of(part) in _OUTSIDE:
            yield name
    functions = [
        part for _, part in (("", function), *_own(function)) if package_of(part) == package_of(function) != _THIS
    ]
    steps = [step for one in functions for code in codes_of(one) for step in dis.get_instructions(code)]
    for step, following in pairwise(steps):
        name = str(step.argval)
        imported = step.opname == "IMPORT_NAME" and name.partition(".")[0] in _OUTSIDE
        if imported or (step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and getattr(builtins, name, None) in _BUILTIN):
            yield name
        if step.opname in _CATCHING or (step.opname == "PUSH_EXC_INFO" and following.opname == "POP_TOP"):
            yield "errors that are caught"
        if step.opname == "LOAD_GLOBAL" and name == "sys" and following.argval not in _OF_SYS:
            yield f"sys.{following.argval}"
