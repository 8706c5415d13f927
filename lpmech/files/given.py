"""What a stranger's file is given: builtins and imports of its own, which Python's own scopes resolve."""

from __future__ import annotations

import builtins
import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, NoneType
from typing import Any

from lpmech.files.strangers import (
    BUILTINS,
    IMPORTED,
    asker,
    asks_for_attributes,
    is_leading_out,
    is_offered,
    is_open,
    of_stranger,
    read,
    refused,
)

__all__ = ["Neighbours", "files_run", "module_of"]

#: Of Python itself: what reads, runs a text, waits for somebody, or differs from run to run.
_WITHHELD = ("open", "input", "exec", "eval", "compile", "globals", "breakpoint", "help", "id")
#: The modules behind views.
_behind: dict[str, ModuleType] = {}
_views: dict[str, _View] = {}


class _View(ModuleType):
    """A module as a stranger's file sees it: what it offers may be read, and nothing changed."""

    def __getattr__(self, name: str) -> Any:
        thing = getattr(_behind[self.__name__], name)
        if not is_offered(name, thing):
            raise refused(f"{self.__name__}.{name}", asker(sys._getframe(1)))
        if isinstance(thing, ModuleType):
            return thing if of_stranger(thing) else _view(thing)
        vars(self)[name] = thing
        return thing

    def __setattr__(self, name: str, value: Any) -> None:
        raise refused(f"{self.__name__}.{name} is changed", asker(sys._getframe(1)))

    def __delattr__(self, name: str) -> None:
        raise refused(f"{self.__name__}.{name} is deleted", asker(sys._getframe(1)))


def _view(module: ModuleType) -> _View:
    name = module.__name__
    if _behind.get(name) is not module:
        _behind[name], _views[name] = module, _View(name, module.__doc__)
    return _views[name]


def _import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    own = level > 0 or Neighbours.has(name)
    if not own and not is_open(name):
        raise refused(f"import {name}", sys._getframe(1), allowed=IMPORTED)
    found = builtins.__import__(name, globals, locals, fromlist, level)
    if of_stranger(found) or own:
        return found
    if fromlist == ("*",):
        return _offered(found)
    return _view(found)


def _offered(module: ModuleType) -> ModuleType:
    """What ``from module import *`` takes; of what is not offered that is told where it is used."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    everything = ModuleType(module.__name__)
    for name in names:
        thing = getattr(module, name)
        vars(everything)[name] = thing if is_offered(name, thing) else _withheld(f"{module.__name__}.{name}")
    vars(everything)["__all__"] = names
    return everything


def _withheld(name: str) -> Callable[..., Any]:
    def function(*_: Any, **__: Any) -> Any:
        raise refused(name, sys._getframe(1))

    function.__name__ = name
    return function


def _getattr(thing: Any, name: str, *default: Any) -> Any:
    if is_leading_out(name):
        raise refused(f"getattr of {name}", sys._getframe(1))
    return getattr(thing, name, *default)


def _hasattr(thing: Any, name: str) -> bool:
    if is_leading_out(name):
        raise refused(f"hasattr of {name}", sys._getframe(1))
    return hasattr(thing, name)


def _vars(*thing: Any) -> Any:
    frame = sys._getframe(1)
    if not thing:
        return dict(frame.f_locals)
    if isinstance(thing[0], (type, ModuleType)) or type(thing[0]).__module__ != frame.f_globals.get("__name__"):
        raise refused("vars", frame)
    return vars(thing[0])


def _hash(thing: Any) -> int:
    frame = sys._getframe(1)
    if frame.f_code.co_name != "__hash__" and not _is_hashed_by_value(thing):  # a class's own is for sets and keys
        raise refused("hash of what has another one in every run", frame)
    return hash(thing)


def _is_hashed_by_value(thing: Any) -> bool:
    if isinstance(thing, (tuple, frozenset)):
        return all(map(_is_hashed_by_value, thing))
    by_address: Any = object.__hash__
    return not isinstance(thing, (str, bytes, NoneType)) and type(thing).__hash__ is not by_address


def _text_method(text: Any, name: str) -> Any:
    """``text.format`` or ``text.format_map``; of a class, ``str.format``, too."""
    method = getattr(text, name)
    if not isinstance(text, str) and text is not str:
        return method

    def checked(*values: Any, **named: Any) -> str:
        form = text if isinstance(text, str) else values[0]
        if asks_for_attributes(form):
            raise refused(f"the text {form!r} is formatted", sys._getframe(1))
        return str(method(*values, **named))

    return checked


BUILTINS.update(
    vars(builtins)
    | {name: _withheld(name) for name in _WITHHELD}
    | {
        "__import__": _import,
        "__text_method__": _text_method,
        "getattr": _getattr,
        "hasattr": _hasattr,
        "hash": _hash,
        "locals": lambda: dict(sys._getframe(1).f_locals),
        "vars": _vars,
    }
)


#: The files that were run, and the directories beside whose files they stand.
files_run: set[str] = set()
_directories: list[Path] = []


class _Loader(SourceFileLoader):
    """Runs a stranger's file with what it is given; nothing is written beside it."""

    def get_code(self, fullname: str) -> CodeType:
        files_run.add(self.path)
        tree: Any = read(self.get_data(self.path), self.path)
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = BUILTINS
        super().exec_module(module)


class Neighbours:
    """Finds the modules that stand beside files of strangers, and the files of their packages."""

    @classmethod
    def add(cls, directory: Path) -> None:
        """Let what is run import what stands in this directory."""
        if directory not in _directories:
            _directories.append(directory)
        if cls not in sys.meta_path:
            sys.meta_path.insert(0, cls)

    @classmethod
    def has(cls, name: str) -> bool:
        """Whether a module of this name, which is no other one's, stands beside."""
        root = name.partition(".")[0]
        loaded = sys.modules.get(root)
        if loaded is not None:
            return of_stranger(loaded)
        spec = None if is_open(name) else cls.find_spec(root)
        return spec is not None

    @classmethod
    def find_spec(cls, name: str, path: Any = None, _: Any = None) -> ModuleSpec | None:
        """The spec of such a module, for `sys.meta_path`; what is found elsewhere is not looked for."""
        root = name.partition(".")[0]
        spec = PathFinder.find_spec(name, path) or PathFinder.find_spec(name, path or [*map(str, _directories)])
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return None
        for directory in _directories:
            if {directory / root, directory / f"{root}.py"}.isdisjoint((Path(spec.origin), *Path(spec.origin).parents)):
                continue
            spec.loader = _Loader(name, spec.origin)
            return spec
        return None


def module_of(name: str, file: Path) -> ModuleType:
    """Run a stranger's file, or the ``__init__.py`` of a package, as a module of this name.

    Raises
    ------
    RefusedError
        If it does what is refused.
    Exception
        Whatever it raises.
    """
    spec = importlib.util.spec_from_file_location(name, file, loader=_Loader(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise
    return module
