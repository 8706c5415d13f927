"""Reading a conjecture: expressions in t, K and parameters, or the functions of a Python file."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp

from lpmech.conjectures.domain import LabelDomain
from lpmech.conjectures.named import spelled_out
from lpmech.conjectures.patched import as_users_see_sympy
from lpmech.conjectures.state import RUN_NAME, State
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.files.child import call_limit
from lpmech.files.given import module_of
from lpmech.files.guard import guarded
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.traced import Traced
from lpmech.statements.following import Around, Called, as_python, formula
from lpmech.statements.generic import by_entry
from lpmech.statements.numbers import is_recorded, number, table
from lpmech.statements.recording import Recorded, evaluated
from lpmech.statements.symbolic import evaluated_by_sympy
from lpmech.terms import Node
from lpmech.terms.reader import read_expressions

__all__ = ["Conjecture", "conjecture_from_file", "conjecture_from_text"]

#: What tells of an object, or of who calls, without asking the object: functions at hand, and those of modules.
_AT_HAND = {"type", "id", "vars", "__match_args__"}
_OF_MODULES = {"is_", "is_not", "__class__", "attrgetter", "methodcaller"}
#: What asks by a name that may be made.
_ASKING = {"getattr", "hasattr"}
#: What followed numbers have, and plain ones not; and what says of both what they are.
_PLAIN = {*dir(Fraction), *dir(sp.Integer)}
_OF_TRACED = set(dir(Traced)) - _PLAIN | {"__doc__", "__module__", "__slots__"}
_OF_RECORDED = set(dir(Recorded)) - _PLAIN


@dataclass(frozen=True)
class Conjecture:
    """What a user conjectures; every function takes its arguments by name.

    Attributes
    ----------
    domain : LabelDomain
        For which parameters.
    channel : Called or None
        The matrix of the channel, with a row for each label.
    value : Called or None
        The optimal expected utility.
    utility : Called or None
        The matrix that a file defines.
    outputs : Called or None
        Names of the columns that a file defines.
    expressions : tuple of Node
        Of a text: the value, or the diagonal and the off-diagonal entry.
    followable : bool
        Whether functions can be followed; not where a file may look at the type of a number.
    afresh : callable or None
        Of a file: the conjecture of the file run once more, in a namespace of its own, that gets Python's numbers.
    """

    domain: LabelDomain
    channel: Called | None = None
    value: Called | None = None
    utility: Called | None = None
    outputs: Called | None = None
    expressions: tuple[Node, ...] = ()
    followable: bool = True
    afresh: Callable[[], Conjecture] | None = None


def conjecture_from_text(text: str, domain: LabelDomain | None = None) -> Conjecture:
    """One expression: the optimal value for the uniform prior; two: diagonal and off-diagonal entry of a channel.

    Raises
    ------
    FormulaError
        If a part is outside the language; the message names it.
    InvalidInputError
        If there are more than two expressions.
    """
    about = domain or LabelDomain()
    parts = read_expressions(spelled_out(text), about.names)
    for part in parts:
        evaluated_by_sympy(part, about.symbols)  # refuses what has no value anywhere
    if len(parts) == 1:
        return Conjecture(about, value=formula(parts[0], "the formula", about), expressions=parts)
    if len(parts) != 2:
        raise InvalidInputError(
            "conjecture", text, "one expression (the optimal value), or two (diagonal and off-diagonal entry)"
        )

    def matrix(**at: Any) -> Any:
        diagonal, other = (evaluated(part, at) for part in parts)
        size = at["K"] if is_recorded(at["K"]) else int(at["K"])
        return by_entry(lambda y, j: diagonal if y == j else other, size, size, ("y", "j"))

    channel = Called(matrix, "the channel", about, table, given=lambda _, value: value)
    channel.names = list(about.names)
    channel.is_formula = True
    return Conjecture(about, channel=channel, expressions=parts)


def conjecture_from_file(path: str | Path, domain: LabelDomain | None = None, given: Given | None = None) -> Conjecture:
    """The functions ``channel``, ``value``, ``utility`` and ``outputs`` of a Python file.

    ``channel`` and ``value`` take t and any of K, prior and the parameters; ``utility`` and ``outputs`` any of K, prior
    and the parameters. They are called with exact numbers (sympy), with floats if they cannot take those, and with
    numbers that record what is done to them (`lpmech.prove.tracing`, `lpmech.statements.recording`). The file runs in
    this process: see `lpmech.files.child` for another one.

    A file that sees more than these arguments (a clock, chance, the disk, the environment) is refused
    (`lpmech.files.strangers`). A function that changes something that outlives the call is refused
    (`lpmech.conjectures.state`), but for the caches of `functools`, which hold what a function gives for all of its
    arguments.

    Raises
    ------
    DataFileError
        If the file cannot be read or run, or defines neither ``channel`` nor ``value``.
    InvalidInputError
        If a function has other arguments, or the file does what is refused; when a function is called and keeps state.
    """
    about = domain or LabelDomain()
    names = _run(path)
    found = {name: names[name] for name in _READ if names.get(name) is not None}
    if "channel" not in found and "value" not in found:
        raise DataFileError(
            "conjecture", str(path), "a file that defines channel(t, K), channel(t, prior) or value(...)"
        )
    around = _around(State(found))
    functions = {name: _called(name, function, about, around, given) for name, function in found.items()}
    return Conjecture(
        replace(about, uses_prior=any("prior" in function.names for function in functions.values())),
        **functions,  # type: ignore[arg-type]
        followable=not _looks_at_objects(_tree(path)),
        afresh=lambda: conjecture_from_file(path, domain, as_python),
    )


def _called(name: str, function: Any, domain: LabelDomain, around: Around, given: Given | None) -> Called:
    """A function of a file, with the arguments that it may have."""
    allowed = set(domain.arguments) - ({"t"} if name in ("utility", "outputs") else set())
    wanted = {"?"}
    if callable(function):
        parameters = inspect.signature(function).parameters.values()
        wanted = {p.name for p in parameters if p.default is p.empty or p.name in allowed}
    needs = {"t"} if name in ("channel", "value") else set()
    if not needs <= wanted <= allowed:
        own = "" if domain.own else "; others are declared with --param"
        raise InvalidInputError(
            name,
            f"arguments {sorted(wanted)}",
            f"a function of {'t and any of ' if needs else 'any of '}{', '.join(sorted(allowed - {'t'}))}{own}",
        )
    return Called(function, name, domain, _READ[name], around, given or _as_sympy)


def _as_sympy(name: str, value: Any) -> Any:
    """Numbers of sympy's, but whole ones but t as ints, which range() takes."""
    if type(value) is tuple:
        return [part if is_recorded(part) else as_rational(part) for part in value]
    if type(value) is not Fraction or (name != "t" and value.denominator == 1):
        return as_python(name, value)
    return as_rational(value)


def _around(state: State) -> Around:
    """What holds while a function of a file is called: the policy, a limit on time, sympy as it sees it, no state."""

    @contextmanager
    def around(_: Callable[..., Any], argument: str, given: Mapping[str, Any]) -> Iterator[None]:
        numbers = {
            n: v for n, v in given.items() if type(v) is Fraction or (type(v) is tuple and type(v[0]) is Fraction)
        }
        shown = ", ".join(f"{name} = {v}" for name, v in numbers.items())
        try:
            with guarded(), as_users_see_sympy(), call_limit(argument, shown, "a function that returns"):
                try:
                    yield
                except SystemExit as exc:
                    raise DataFileError(argument, shown, "a function that does not end the program") from exc
        finally:
            if (changed := state.changed()) is not None:
                kept = f"state kept between calls: {changed} is changed by a call of {argument}"
                raise InvalidInputError("conjecture", kept, "functions of the values of their arguments alone")

    return around


def _names(value: Any, argument: str) -> list[Any]:
    try:
        return list(value)
    except TypeError as exc:
        raise InvalidInputError(argument, value, "a list of names") from exc


#: What is made of the result of each function.
_READ: dict[str, Callable[[Any, str], Any]] = {"channel": table, "value": number, "utility": table, "outputs": _names}
Given = Callable[[str, Any], Any]


def _tree(path: str | Path) -> ast.Module:
    """The syntax tree; an empty one of what cannot be read, as running it tells why."""
    try:
        return ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _looks_at_objects(tree: ast.AST) -> bool:
    """Whether a file that runs tells numbers apart by what no number notices: `type`, `is`, the text of an error."""
    asked = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _asked(node)}
    modules = {name for node in ast.walk(tree) for name in _imported(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and (node.id in _AT_HAND or (node.id in _ASKING and id(node) not in asked)):
            return True
        if isinstance(node, ast.ExceptHandler) and node.name is not None:
            return True
        if _named(node) & (_AT_HAND | _OF_MODULES | _OF_TRACED) or _asked(node) & (_OF_TRACED | _OF_RECORDED):
            return True
        of_object = isinstance(node, ast.MatchClass) or (isinstance(node, ast.Attribute) and _root(node) not in modules)
        if of_object and _named(node) & _OF_RECORDED:  # np.exp is no attribute of a number
            return True
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            sides = (node.left, *node.comparators)
            if not any(isinstance(side, ast.Constant) and isinstance(side.value, (bool, type(None))) for side in sides):
                return True
    return False


def _imported(node: ast.AST) -> set[str]:
    """The names that an import binds."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {alias.asname or alias.name.partition(".")[0] for alias in names}
    return set()


def _root(node: ast.expr) -> str | None:
    """The name at the head of a.b.c."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _named(node: ast.AST) -> set[str]:
    """What a part of a program takes from an object or a module, by its name."""
    match node:
        case ast.ImportFrom(names=names):
            return {alias.name for alias in names}
        case ast.Attribute(value=ast.Constant(value=str(text)), attr="format") if "." not in text:
            return set()
        case ast.Attribute(attr="format" | "format_map"):  # fields of a text may name attributes
            return _OF_TRACED
        case ast.MatchClass(kwd_attrs=names):
            return set(names)
        case ast.Attribute(attr=name):
            return {name}
    return set()


def _asked(node: ast.AST) -> set[str]:
    """The name that a call of getattr or hasattr asks for; nothing of one that is made."""
    match node:
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return {name}
    return set()


def _run(path: str | Path) -> dict[str, Any]:
    try:
        with guarded(), as_users_see_sympy(), call_limit("conjecture", str(path), "a file that runs"):
            names = vars(module_of(RUN_NAME, Path(path).resolve()))
            names.update(__loader__=None, __spec__=None)
            return names
    except (Exception, SystemExit) as exc:  # the file is the user's own program
        if isinstance(exc, InvalidInputError):
            raise
        what = "ends the program" if isinstance(exc, SystemExit) else f"{type(exc).__name__}: {exc}"
        raise DataFileError("conjecture", str(path), f"a Python file that runs ({what})") from exc
