"""What the functions of a user's file could see beside their arguments: clocks, chance, files, the environment.

A verdict is about functions of their arguments. A file may import modules that compute, and use what these offer by its
name; whatever it can see of the world outside then stands in its syntax tree, which is read before anything runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from string import Formatter
from types import ModuleType
from typing import Any

from sympy.parsing import sympy_parser

from lpmech.errors import InvalidInputError

__all__ = ["refuse_outside", "texts_refused"]

_MODULES = (
    "abc", "bisect", "cmath", "collections", "copy", "dataclasses", "enum", "fractions", "functools", "heapq",
    "itertools", "math", "numbers", "numpy", "operator", "re", "string", "sympy", "typing",
)  # fmt: skip
_OURS = (
    "certify",
    "channel",
    "entries",
    "errors",
    "mechanisms",
    "priors",
    "privacy",
    "programs",
    "solvers",
    "utilities",
)
_OPEN = ("__future__", *_MODULES, *(f"lpmech.{room}" for room in _OURS))
#: Parts of them that draw, run a text, or read and write.
_CLOSED = (
    "numpy.random", "numpy.testing", "numpy.ctypeslib", "numpy.f2py", "sympy.core.random", "sympy.stats",
    "sympy.testing", "sympy.plotting", "sympy.interactive", "sympy.parsing", "sympy.utilities.lambdify",
    "sympy.utilities.autowrap", "sympy.utilities.runtests",
)  # fmt: skip
#: What of the others does so.
_REFUSED = frozenset((
    "randMatrix", "randprime", "empty", "empty_like", "load", "loadtxt", "genfromtxt", "fromfile", "save", "savez",
    "savez_compressed", "savetxt", "memmap", "datetime64", "lambdify", "test", "doctest", "source", "preview",
    "attrgetter", "methodcaller", "get_type_hints", "ForwardRef", "Formatter",
))  # fmt: skip
#: What does so of any object, and what leads from an object to all modules.
_LEADING_OUT = frozenset((
    "random", "random_point", "random_poly", "tofile", "__subclasses__", "__globals__", "__builtins__", "__bases__",
    "__base__", "__mro__", "mro", "__dict__", "__code__", "__closure__", "__self__", "__getattribute__",
    "__loader__", "__spec__", "__reduce__", "__reduce_ex__", "gi_frame", "f_globals", "f_builtins", "f_back",
    "tb_frame", "__traceback__",
))  # fmt: skip
#: Of Python itself; `id` and `hash` differ from run to run.
_BUILTIN = frozenset((
    "open", "input", "exec", "eval", "compile", "__import__", "globals", "locals", "breakpoint", "help", "id",
    "hash", "vars", "__builtins__", "__loader__", "__spec__", "__file__",
))  # fmt: skip
_ALLOWED = (
    "functions of their arguments alone, with nothing of a clock, chance, a file or the environment: "
    f"{', '.join(_MODULES)} and lpmech's mechanisms may be imported, and what they offer is used by its name"
)


def refuse_outside(tree: ast.AST) -> None:
    """Refuse a file that can see more than the arguments of its functions.

    Raises
    ------
    InvalidInputError
        If it imports anything but what computes, passes a module on, or names what reads a clock, chance, a file or the
        environment.
    """
    for line, what in sorted(_Reader(tree).seen()):
        raise InvalidInputError("conjecture", f"line {line}, {what}", _ALLOWED)


@contextmanager
def texts_refused() -> Iterator[None]:
    """Let sympy, which executes the texts that it is given for numbers, refuse those that could see anything."""
    original = sympy_parser.parse_expr

    def checked(text: str, *options: Any, **named: Any) -> Any:
        if "__" in text or _BUILTIN.union(_REFUSED, _LEADING_OUT).intersection(re.findall(r"\w+", text)):
            raise InvalidInputError("conjecture", f"the text {text!r}", _ALLOWED)
        return original(text, *options, **named)

    try:
        sympy_parser.parse_expr = checked
        yield
    finally:
        sympy_parser.parse_expr = original


class _Reader:
    """Reads a syntax tree; what is imported is looked up, as it may lead to other modules: typing.sys."""

    def __init__(self, tree: ast.AST) -> None:
        self._nodes = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
        names = [node for node in self._nodes if isinstance(node, ast.Name)]
        self._own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
        self._own |= {node.arg for node in self._nodes if isinstance(node, ast.arg)}
        self._own |= {node.name for node in self._nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self._bases = {id(node.value) for node in self._nodes if isinstance(node, ast.Attribute)}
        self._called = {id(node.func) for node in self._nodes if isinstance(node, ast.Call)}
        self._imported: dict[str, list[Any]] = {}

    def seen(self) -> Iterator[tuple[int, str]]:
        """Line and text of everything that is refused."""
        for node in self._nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not self._imports(node):
                yield node.lineno, ast.unparse(node)
        for node in self._nodes:
            if self._is_refused(node):
                yield node.lineno, ast.unparse(node)

    def _imports(self, node: ast.Import | ast.ImportFrom) -> bool:
        """Whether all of an import is allowed; if so, it is made and remembered."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not _is_open(alias.name):
                    return False
                self._remember(alias.asname or alias.name, _module(alias.name if alias.asname else _root(alias.name)))
            return True
        if node.level or not (node.module == "lpmech" or _is_open(str(node.module))):
            return False
        module = _module(str(node.module))
        for alias in node.names if module is not None else ():
            names = getattr(module, "__all__", []) if alias.name == "*" else [alias.name]
            for name in names:
                thing = getattr(module, name, None) or _module(f"{node.module}.{name}")
                if alias.name != "*" and (name in _REFUSED | _LEADING_OUT or not _is_harmless(thing)):
                    return False
                if alias.name != "*" or name not in self._own:
                    self._remember(alias.asname or name, thing)
        return True

    def _remember(self, name: str, thing: Any) -> None:
        self._imported.setdefault(_root(name), []).append(thing)

    def _is_refused(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name) if name in self._imported:
                return name in _REFUSED or not all(map(_is_harmless, self._named(node))) or self._is_passed_on(node)
            case ast.Name(id="getattr" | "hasattr"):
                return id(node) not in self._called
            case ast.Name(id=name):
                return name in _BUILTIN - self._own
            case ast.Attribute(value=ast.Constant(value=str(text)), attr="format"):
                return id(node) not in self._called or _asks_for_attributes(text)
            case ast.Attribute(attr="format" | "format_map"):
                return True
            case ast.MatchClass(kwd_attrs=names):
                return not _LEADING_OUT.isdisjoint(names)
            case ast.Attribute(attr=name):
                of_module = any(isinstance(thing, ModuleType) for thing in self._named(node.value))
                things = self._named(node)
                refused = name in _LEADING_OUT or (of_module and name in _REFUSED)
                return refused or not all(map(_is_harmless, things)) or self._is_passed_on(node)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
                return name in _LEADING_OUT
            case ast.Call(func=ast.Name(id="getattr")):
                return True
        return False

    def _is_passed_on(self, node: ast.AST) -> bool:
        """Whether a module is used by anything but one of its names."""
        return id(node) not in self._bases and any(isinstance(thing, ModuleType) for thing in self._named(node))

    def _named(self, node: ast.AST) -> list[Any]:
        """What a name, or a name of a module, can stand for, as far as it is imported."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id, [])
        if isinstance(node, ast.Attribute):
            modules = [thing for thing in self._named(node.value) if isinstance(thing, ModuleType)]
            return [getattr(module, node.attr) for module in modules if hasattr(module, node.attr)]
        return []


def _asks_for_attributes(text: str) -> bool:
    """Whether a text has a field such as {0.name} or {0[name]}, or one inside another."""
    try:
        fields = [(name or "") + (form or "") for _, name, form, _ in Formatter().parse(text)]
    except ValueError:  # told when the file runs
        return False
    return any(not {".[", "{"}.isdisjoint(field) or "." in field.partition(":")[0] for field in fields)


def _root(name: str) -> str:
    return name.partition(".")[0]


def _is_in(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _is_open(module: str) -> bool:
    return _is_in(module, _OPEN) and not _is_in(module, _CLOSED)


def _is_harmless(thing: Any) -> bool:
    """Whether what a module offers is of one that computes, too: fractions.Decimal is not."""
    if isinstance(thing, ModuleType):
        return thing.__name__ == "lpmech" or _is_open(thing.__name__)
    home = getattr(thing, "__module__", None)
    if not isinstance(home, str) or home == "builtins":
        return True
    return _is_open(home.removeprefix("_")) or _is_open(home)


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:  # told when the file runs
        return None
