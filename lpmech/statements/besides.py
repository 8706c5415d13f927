"""What users' functions ask for besides their arguments: clock, environment, and what earlier calls have left.

A verdict for all parameters is one on a function of its arguments. Chance is refused where it is drawn
(`lpmech.files.guard.chance_refused`). Clock and environment are seen by the names that a function and the others of its
package use, state by comparing what they keep before the first call with what they keep after the last one.
"""

from __future__ import annotations

import builtins
import dis
import pickle
import warnings
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType
from typing import Any

from lpmech.files.reached import codes_of, package_of, reached

__all__ = ["Besides"]

#: Where clock, process and environment are.
_OUTSIDE = frozenset((
    "asyncio", "datetime", "gc", "nt", "os", "pathlib", "platform", "posix", "psutil", "resource", "signal", "socket",
    "subprocess", "sysconfig", "tempfile", "threading", "time", "tracemalloc", "uuid",
))  # fmt: skip
_BUILTIN = (builtins.id, builtins.input, builtins.open)
_STATELESS = (ModuleType, type, FunctionType, BuiltinFunctionType)


class Besides:
    """What functions ask for besides their arguments.

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
    """What the function and those of its package reach."""
    package = package_of(function)
    return ((name, part) for name, part, reaching in reached(function) if reaching == package)


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
        home = part.__name__.partition(".")[0] if isinstance(part, ModuleType) else package_of(part)
        if home in _OUTSIDE:
            yield name
    functions = [function, *(part for _, part in _own(function) if package_of(part) == package_of(function))]
    for code in (code for one in functions for code in codes_of(one)):
        yield from (name for name in code.co_names if getattr(builtins, name, None) in _BUILTIN)
        imports = (str(step.argval) for step in dis.get_instructions(code) if step.opname == "IMPORT_NAME")
        yield from (name for name in imports if name.partition(".")[0] in _OUTSIDE)
