"""One policy for files of strangers: what a Python file that is checked or verified may see, and how it is held to it.

A verdict is about functions of their arguments. A file that `lpmech check` or `lpmech verify` runs may compute; it may
not read or write files, start programs, talk to the network, ask clock, chance or environment, or change what it
imports. This is a guard against mistakes, no sandbox: the file runs with its user's rights.

It has three parts, so that what one of them forgets another one refuses:

- the file's own text (`_Text`): names that lead from an object to the interpreter;
- what the file is given (`lpmech.files.given`): builtins and imports of its own, so that scopes are Python's own;
- what happens (`lpmech.files.guard`): audit hooks and functions that ask who calls, for as long as the file can run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePath
from string import Formatter
from types import FrameType, ModuleType
from typing import Any

from lpmech.errors import InvalidInputError

__all__ = [
    "BUILTINS",
    "IMPORTED",
    "RefusedError",
    "asker",
    "asks_for_attributes",
    "is_leading_out",
    "is_offered",
    "is_open",
    "is_run",
    "of",
    "of_stranger",
    "read",
    "refusals",
    "refused",
]

#: What a file may import, beside the modules that stand with it.
_STANDARD = (
    "__future__", "abc", "array", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "enum",
    "fractions", "functools", "graphlib", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re",
    "statistics", "string", "textwrap", "types", "typing", "warnings",
)  # fmt: skip
_LIBRARIES = ("cvxpy", "flint", "gmpy2", "mpmath", "numpy", "pandas", "scipy", "sympy", "typing_extensions")
#: Parts of them, and of this project, that run a text, read and write, or draw.
_CLOSED = (
    "numpy.ctypeslib", "numpy.f2py", "numpy.testing", "pandas.io", "scipy.datasets", "scipy.io", "sympy.core.random",
    "sympy.external", "sympy.interactive", "sympy.parsing", "sympy.plotting", "sympy.printing.preview",
    "sympy.stats", "sympy.testing", "sympy.utilities.autowrap", "sympy.utilities.codegen",
    "sympy.utilities.lambdify", "sympy.utilities.runtests", "sympy.utilities.source", "sympy.utilities.timeutils",
    *(f"lpmech.{room}" for room in ("audit", "cli", "files", "pages", "plots", "randomness", "release", "report",
                                    "sweeps", "tables", "testing")),
)  # fmt: skip
#: What the others offer of that kind.
_PARTS = frozenset((
    "datetime64", "SystemRandom", "randMatrix", "randprime", "random_poly", "Formatter", "CodeType", "FunctionType",
    "ForwardRef", "as_strided", "get_type_hints", "memmap", "doctest", "new_class", "timing",
    "DatetimeIndex", "Period", "PeriodIndex", "Timestamp", "bdate_range", "date_range", "period_range", "to_datetime",
))  # fmt: skip
#: What leads from an object to the interpreter and all modules, or tells an address.
_LEADING_OUT = frozenset((
    "__array_interface__", "__array_struct__", "__base__", "__bases__", "__builtins__", "__closure__", "__code__",
    "__dict__", "__func__", "__getattribute__", "__globals__", "__import__", "__loader__", "__mro__", "__reduce__",
    "__reduce_ex__", "__self__", "__spec__", "__subclasses__", "__traceback__", "ag_frame", "buffer_info",
    "cr_frame", "ctypes", "f_back", "f_builtins", "f_globals", "f_locals", "gi_code", "gi_frame", "mro", "tb_frame",
))  # fmt: skip
#: Arrays that hold what memory held before.
_UNFILLED = ("chararray", "ndarray", "recarray")
#: Texts that make numpy ask the clock.
_CLOCK = re.compile(r"datetime64|[<>=|]?M8(\[\w+\])?|datetime64\[\w+\]")

#: What no text may name that sympy runs for a number.
_RUN = _PARTS | _LEADING_OUT | {"compile", "eval", "exec", "input", "lambdify", "open", "source", "test"}

#: The builtins of files of strangers, filled by `lpmech.files.given`. A frame that has them is a stranger's.
BUILTINS: dict[str, Any] = {}

_ALLOWED = (
    "functions of their arguments alone, with nothing of a clock, chance without a seed, a file, a program or the "
    "environment (a guard against mistakes, no sandbox)"
)
IMPORTED = f"{_ALLOWED}: lpmech, modules beside a paper, {', '.join(sorted((*_STANDARD[1:], *_LIBRARIES)))}"


class RefusedError(InvalidInputError):
    """A file of a stranger does what `lpmech.files.strangers` refuses; the message names file, line and what it is."""


#: What was refused while a file ran: who catches the error has not made it undone.
refusals: list[RefusedError] = []


def refused(
    what: str, frame: FrameType | None = None, *, file: str = "", line: int = 0, allowed: str = _ALLOWED
) -> RefusedError:
    """The error for what a frame, or a line of a file, does; it is remembered."""
    file, line = (frame.f_code.co_filename, frame.f_lineno) if frame is not None else (file, line)
    where = f"{PurePath(file).name}, line {line}: " if file else ""
    error = RefusedError("file", f"{where}{what}", allowed)
    refusals.append(error)
    return error


def of(frame: FrameType | None) -> bool:
    """Whether a frame runs code of a stranger."""
    return frame is not None and frame.f_globals.get("__builtins__") is BUILTINS


def is_open(module: str) -> bool:
    """Whether files of strangers may import the module with this name."""
    root = module.partition(".")[0]
    known = root == "lpmech" or root in _LIBRARIES or _is_in(module, _STANDARD)
    return known and not _is_in(module, _CLOSED)


def _is_in(module: str, known: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in known)


def is_offered(name: str, thing: Any) -> bool:
    """Whether what an open module has under this name is open, too: fractions.Decimal and typing.sys are not."""
    if name in _PARTS or name in _LEADING_OUT:
        return False
    if isinstance(thing, ModuleType):
        return is_open(thing.__name__) or of_stranger(thing)
    home = getattr(thing, "__module__", None)
    if name.startswith("_") and not name.endswith("__") and home in _STANDARD:
        return False
    return not isinstance(home, str) or home == "builtins" or is_open(home) or is_open(home.removeprefix("_"))


def of_stranger(module: ModuleType) -> bool:
    """Whether a module stands beside a stranger's file and runs as that does."""
    return vars(module).get("__builtins__") is BUILTINS


def is_leading_out(name: object) -> bool:
    """Whether an attribute with this name leads out of what an object computes."""
    return name in _LEADING_OUT


def is_run(text: str) -> bool:
    """Whether a text, which sympy runs for a number, names more than numbers and functions."""
    return "__" in text or not _RUN.isdisjoint(re.findall(r"\w+", text))


def asks_for_attributes(text: str) -> bool:
    """Whether a text for str.format has a field such as {0.__name__}, or one inside another."""
    try:
        fields = [(name or "", form or "") for _, name, form, _ in Formatter().parse(text)]
    except ValueError:  # told when the text is used
        return False
    return any("._" in name or "[_" in name or asks_for_attributes(form) for name, form in fields)


def read(source: bytes | str, file: str, mode: str = "exec") -> ast.AST:
    """The syntax tree of a stranger's text, with str.format asked for by a function of ours.

    Raises
    ------
    RefusedError
        If the text names what leads out.
    SyntaxError, ValueError
        If it is none.
    """
    tree = ast.parse(source, file, mode)
    for line, what in sorted(_leading_out(tree)):
        raise refused(what, file=file, line=line)
    return ast.fix_missing_locations(_Formats().visit(tree))


def _leading_out(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) if name in _LEADING_OUT and name.startswith("__"):
                yield node.lineno, name
            case ast.Attribute(attr=name) if name in _LEADING_OUT:
                yield node.lineno, ast.unparse(node)
            case ast.Assign(targets=[ast.Name(id="__match_args__")], value=value) if not _is_of_texts(value):
                yield node.lineno, ast.unparse(node)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _UNFILLED:
                yield node.lineno, ast.unparse(node)
            case ast.MatchClass(kwd_attrs=names) if not _LEADING_OUT.isdisjoint(names):
                yield node.lineno, ast.unparse(node)
            case ast.Constant(value=str(text)) if text in _LEADING_OUT - {"ctypes", "mro"} or _CLOCK.fullmatch(text):
                yield node.lineno, repr(text)


def _is_of_texts(node: ast.AST) -> bool:
    return isinstance(node, ast.Tuple) and all(isinstance(element, ast.Constant) for element in node.elts)


class _Formats(ast.NodeTransformer):
    """Hands every ``text.format`` to `lpmech.files.given`, as its fields may name attributes."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr not in ("format", "format_map") or not isinstance(node.ctx, ast.Load):
            return node
        called = ast.Call(ast.Name("__text_method__", ast.Load()), [node.value, ast.Constant(node.attr)], [])
        return ast.copy_location(called, node)


def asker(frame: FrameType | None, passing: tuple[str, ...] = ()) -> FrameType | None:
    """The innermost stranger's frame that leads to this one; None if an import, or one of `passing`, is nearer.

    Parameters
    ----------
    frame : frame
        Where something is done.
    passing : tuple of str
        Beginnings of the names of modules that are trusted with what a stranger asks of them.
    """
    while frame is not None:
        if of(frame):
            return frame
        if frame.f_globals.get("__name__", "").startswith(("importlib._bootstrap", "_frozen_importlib", *passing)):
            return None
        frame = frame.f_back
    return None
