"""Reading a conjecture: expressions in t, K and parameters, or the functions of a Python file."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from lpmech.channel import Channel
from lpmech.conjectures.domain import Domain
from lpmech.conjectures.patched import as_users_see_sympy
from lpmech.conjectures.state import RUN_NAME, State
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.files.child import call_limit
from lpmech.files.given import module_of
from lpmech.files.guard import guarded
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.traced import Traced
from lpmech.statements.numeric import numeric
from lpmech.statements.symbolic import evaluated_by_sympy
from lpmech.statements.whole import Whole
from lpmech.terms import Node
from lpmech.terms.reader import read_expressions

__all__ = ["Conjecture", "conjecture_from_file", "conjecture_from_text"]

#: What tells of an object, or of who calls, without asking the object: functions at hand, and those of modules.
_AT_HAND = {"type", "id", "vars", "__match_args__"}
_OF_MODULES = {"is_", "is_not", "__class__", "attrgetter", "methodcaller"}
#: What asks by a name that may be made.
_ASKING = {"getattr", "hasattr"}
#: What followed numbers have, and plain ones not; and what says of both what they are.
_OF_TRACED = set(dir(Traced)) - set(dir(Fraction)) - set(dir(sp.Integer)) | {"__doc__", "__module__", "__slots__"}

#: Arguments by name: t, K, prior and parameters.
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Conjecture:
    """What a user conjectures; every function takes its arguments by name.

    Attributes
    ----------
    domain : Domain
        For which parameters.
    channel : callable or None
        The rows of the channel: one list of entries for each label.
    value : callable or None
        The optimal expected utility.
    utility : callable or None
        The matrix that a file defines.
    outputs : callable or None
        Names of the columns that a file defines.
    uses_prior : bool
        Whether one of them depends on the prior; if not, the prior is uniform.
    expressions : tuple of Node
        Of a text: the value, or the diagonal and the off-diagonal entry.
    followable : bool
        Whether functions can be followed in t; not where a file may look at the type of t.
    afresh : callable or None
        Of a file: the conjecture of the file run once more, in a namespace of its own.
    """

    domain: Domain
    channel: Callable[[Arguments], list[list[Any]]] | None = None
    value: Callable[[Arguments], Any] | None = None
    utility: Callable[[Arguments], Any] | None = None
    outputs: Callable[[Arguments], list[Any]] | None = None
    uses_prior: bool = False
    expressions: tuple[Node, ...] = ()
    followable: bool = True
    afresh: Callable[[], Conjecture] | None = None

    @property
    def about(self) -> str:
        """The hypotheses in words."""
        if not self.uses_prior:
            return f"{self.domain}; uniform prior"
        return f"{self.domain}; any prior{' with p_1 >= p_2 >= ...' if self.domain.prior == 'ordered' else ''}"


def conjecture_from_text(text: str, domain: Domain | None = None) -> Conjecture:
    """One expression: the optimal value for the uniform prior; two: diagonal and off-diagonal entry of a channel.

    Raises
    ------
    FormulaError
        If a part is outside the language; the message names it.
    InvalidInputError
        If there are more than two expressions.
    """
    about = domain or Domain()
    parts = read_expressions(text, about.names)
    for part in parts:
        evaluated_by_sympy(part, about.symbols)  # refuses what has no value anywhere
    if len(parts) == 1:
        return Conjecture(about, value=lambda at: numeric(parts[0], at), expressions=parts)
    if len(parts) != 2:
        raise InvalidInputError(
            "conjecture", text, "one expression (the optimal value), or two (diagonal and off-diagonal entry)"
        )

    def channel(at: Arguments) -> list[list[Any]]:
        diagonal, other = (numeric(part, at) for part in parts)
        return [[diagonal if y == j else other for j in range(int(at["K"]))] for y in range(int(at["K"]))]

    return Conjecture(about, channel=channel, expressions=parts)


def conjecture_from_file(path: str | Path, domain: Domain | None = None) -> Conjecture:
    """The functions ``channel``, ``value``, ``utility`` and ``outputs`` of a Python file.

    ``channel`` and ``value`` take t and any of K, prior and the parameters; ``utility`` and ``outputs`` any of K, prior
    and the parameters. They are called with exact numbers (sympy), and with numbers t that record how they branch on it
    (`lpmech.prove.tracing`). The file runs in this process: see `lpmech.files.child` for another one.

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
    about = domain or Domain()
    names = _run(path)
    found = {name: names[name] for name in ("channel", "value", "utility", "outputs") if names.get(name) is not None}
    if "channel" not in found and "value" not in found:
        raise DataFileError(
            "conjecture", str(path), "a file that defines channel(t, K), channel(t, prior) or value(...)"
        )
    state = State(found)
    functions = {name: _Function(name, function, about, state) for name, function in found.items()}
    return replace(
        Conjecture(about, **functions),  # type: ignore[arg-type]
        uses_prior=any("prior" in function.wanted for function in functions.values()),
        followable=not _looks_at_objects(_tree(path)),
        afresh=lambda: conjecture_from_file(path, domain),
    )


def _tree(path: str | Path) -> ast.Module:
    """The syntax tree; an empty one of what cannot be read, as running it tells why."""
    try:
        return ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _looks_at_objects(tree: ast.AST) -> bool:
    """Whether a file that runs tells numbers apart by what no number notices: `type`, `is`, the text of an error."""
    asked = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _asked(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and (node.id in _AT_HAND or (node.id in _ASKING and id(node) not in asked)):
            return True
        if isinstance(node, ast.ExceptHandler) and node.name is not None:
            return True
        if _named(node) & (_AT_HAND | _OF_MODULES | _OF_TRACED) or _asked(node) & _OF_TRACED:
            return True
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            sides = (node.left, *node.comparators)
            if not any(isinstance(side, ast.Constant) for side in sides):
                return True
    return False


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


class _Function:
    """A function of a user's file."""

    def __init__(self, name: str, function: Callable[..., Any], domain: Domain, state: State) -> None:
        self.name = name
        self._state = state
        self._function = function
        self.wanted = set(inspect.signature(function).parameters) if callable(function) else {"?"}
        needs = {"t"} if name in ("channel", "value") else set()
        allowed = (set(domain.names) | {"prior"}) - ({"t"} - needs)
        if not needs <= self.wanted <= allowed:
            own = "" if domain.own else "; others are declared with --param"
            raise InvalidInputError(
                name,
                f"arguments {sorted(self.wanted)}",
                f"a function of {'t and any of ' if needs else 'any of '}{', '.join(sorted(allowed - {'t'}))}{own}",
            )

    def __call__(self, at: Arguments) -> Any:
        """Call it; what is no Exception but ends the program is one line, and so is state that outlives the call."""
        try:
            return self._checked(self._called(at), at)
        finally:
            if (changed := self._state.changed()) is not None:
                kept = f"state kept between calls: {changed} is changed by a call of {self.name}"
                raise InvalidInputError("conjecture", kept, "functions of the values of their arguments alone")

    def _called(self, at: Arguments) -> Any:
        with guarded(), as_users_see_sympy(), call_limit(self.name, _shown(at), "a function that returns"):
            try:
                return self._function(**{name: _given(name, at[name]) for name in self.wanted})
            except SystemExit as exc:
                raise DataFileError(self.name, _shown(at), "a function that does not end the program") from exc

    def _checked(self, result: Any, at: Arguments) -> Any:
        if self.name == "value":
            return _number(result, self.name)
        if self.name == "outputs":
            try:
                return list(result)
            except TypeError as exc:
                raise InvalidInputError("outputs", result, "a list of names") from exc
        result = _rows(result)
        if self.name == "utility":
            return result
        try:
            rows = [[_number(entry, self.name) for entry in row] for row in result]
        except TypeError as exc:
            if isinstance(exc, sp.SympifyError):
                raise
            raise InvalidInputError("channel", result, "a matrix: one list of entries for each label") from exc
        if len(rows) != at["K"] or len({len(row) for row in rows}) != 1 or not rows[0]:
            sizes = sorted({len(row) for row in rows})
            raise InvalidInputError(
                "channel",
                f"{len(rows)} rows of {sizes} entries for K = {at['K']}",
                "one row for each label, all of one length",
            )
        return rows


def _rows(result: Any) -> Any:
    """The rows of a matrix of sympy or numpy, or of a channel; what is none of them as it is."""
    matrix = result.matrix if isinstance(result, Channel) else result
    return matrix.tolist() if isinstance(matrix, (sp.MatrixBase, sp.NDimArray, np.ndarray)) else matrix


def _given(name: str, value: Any) -> Any:
    """Whole numbers but t as ints, which range() takes."""
    return Whole(int(value)) if name != "t" and isinstance(value, sp.Integer) else value


def _shown(at: Arguments) -> str:
    return ", ".join(f"{name} = {value}" for name, value in at.items() if not isinstance(value, Traced))


def _number(value: Any, argument: str) -> Any:
    if isinstance(value, Traced):
        return value.kept()
    if isinstance(value, str):  # sympy would execute it
        raise InvalidInputError(argument, value, "exact numbers and expressions in t, no text")
    try:
        exact = sp.sympify(value)
    except sp.SympifyError as exc:
        raise InvalidInputError(argument, value, "exact numbers and expressions in t") from exc
    if not isinstance(exact, sp.Expr) or exact.has(sp.Float) or exact.free_symbols:
        raise InvalidInputError(argument, value, "exact numbers and expressions in t: write Fraction(1, 3), not 0.333")
    if exact.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise UndefinedError(f"{exact} is no real number")
    return exact
