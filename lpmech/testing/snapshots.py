"""A formula pinned in a file: its symbolic form, and its values at points of a domain.

The file is TOML that a person can read: exact numbers are text, floats are floats. A formula whose form has changed is
the same if it is proved to be; else the file says what it was.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from typing import Any

from lpmech.entries import rational_from_text
from lpmech.errors import DataFileError, LpmechError
from lpmech.files.whole import replace_file
from lpmech.statements.domain import Domain, Parameter
from lpmech.statements.following import Called, RaisedError, called
from lpmech.statements.numbers import Requirement, Table, number, number_or_table, shown_number
from lpmech.statements.recording import NotRecordedError, evaluated, node_of, recorded_paths
from lpmech.statements.recording import Path as Run
from lpmech.statements.settling import settle
from lpmech.statements.statement import FailsError, Statement
from lpmech.statements.witness import DEFINED, Witness
from lpmech.terms import Apply, Choice, Name, Node
from lpmech.terms.reader import read_expressions
from lpmech.testing.results import Checked, FailedAssertionError, noted
from lpmech.verdicts import Verdict

__all__ = ["Pinned", "pinned", "read_snapshot", "same_as", "write_snapshot"]

#: So many points are pinned, the simplest ones and as many of the others; so many values of whole numbers have a form.
_SIMPLEST, _SPREAD, _FORMS = 12, 12, 3
_OF_MATRICES = 6
#: What the form for all parameters is called in a file.
_ALL = "all"
_UNDEFINED = "not defined"
#: Larger matrices are pinned by values alone.
_LARGEST_FORM = 64


@dataclass(frozen=True)
class Pinned:
    """What is pinned of a formula.

    Attributes
    ----------
    domain : str
    forms : mapping
        The symbolic form for values of some parameters, or "all": text, or rows of texts; empty if there is none.
    values : mapping
        Values at points of the domain: Fractions, floats, or rows of them, or "not defined".
    """

    domain: str
    forms: Mapping[str, Any]
    values: Mapping[str, Any]


def pinned(function: Any, domain: Domain) -> Pinned:
    """What is to be pinned of a formula.

    Raises
    ------
    InvalidInputError
        If it is no function of the parameters of the domain.
    """
    formula = called(function, "formula", domain, number_or_table)
    points = domain.points
    matrices = isinstance(_value(formula, points[0]), list)
    simplest, spread = (_OF_MATRICES, _OF_MATRICES) if matrices else (_SIMPLEST, _SPREAD)
    rest = points[simplest:]
    kept = [*points[:simplest], *rest[:: max(1, -(-len(rest) // spread))]]
    return Pinned(str(domain), _forms(formula, domain), {_shown(p): _value(formula, p) for p in kept})


def _shown(point: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items()) or _ALL


def _read_point(text: str) -> dict[str, Fraction]:
    """The point, or the values, that `_shown` shows."""
    pairs = [] if text == _ALL else [pair.partition(" = ") for pair in text.split(", ")]
    return {name: Fraction(value) for name, _, value in pairs}


def _value(formula: Called, point: Mapping[str, Fraction]) -> Any:
    try:
        value = formula(point)
    except RaisedError:
        return _UNDEFINED
    return value.rows if type(value) is Table else value


# ---- symbolic forms


def _forms(formula: Called, domain: Domain) -> dict[str, Any]:
    every: list[dict[str, Fraction]] = [{}]
    for fixed in (every, _instances(domain)):
        try:
            return {_shown(at): _form(formula, domain, at) for at in fixed}
        except (NotRecordedError, LpmechError):
            continue
    return {}


def _instances(domain: Domain) -> list[dict[str, Fraction]]:
    """The smallest values of the whole and the listed parameters."""
    others = [p.name for p in domain.parameters if p.whole or p.values is not None]
    met = dict.fromkeys(tuple((name, point[name]) for name in others) for point in domain.points)
    return [dict(pairs) for pairs in islice(met, _FORMS)]


def _form(formula: Called, domain: Domain, at: Mapping[str, Fraction]) -> Any:
    symbols = {name: Name(name) for name in domain.names if name not in at}
    runs = recorded_paths(lambda given: formula({**at, **given}), symbols)
    results = [run.result for run in runs if run.raised is None]
    if not results:
        raise NotRecordedError("it raises for all parameters")
    if type(results[0]) is not Table:
        return _readable(_tree(runs, lambda run: node_of(run.result)), domain)
    rows, columns = len(results[0].rows), len(results[0].rows[0])
    if rows * columns > _LARGEST_FORM or any(len(r.rows) != rows or len(r.rows[0]) != columns for r in results):
        raise NotRecordedError("matrices of other shapes")
    return [[_readable(_tree(runs, partial(_entry_of, y, j)), domain) for j in range(columns)] for y in range(rows)]


def _entry_of(y: int, j: int, run: Run) -> Node:
    return node_of(run.result.rows[y][j])


def _readable(node: Node, domain: Domain) -> str:
    """The text of a formula that is read again later; raises where it is too long or deep for that."""
    text = str(node)
    read_expressions(text, domain.names, "form")
    return text


def _tree(runs: list[Run], value: Callable[[Run], Node]) -> Node:
    """The runs as one formula: a case distinction for each comparison on which the value depends."""
    node = _branch(runs, 0, value)
    if node is None:
        raise NotRecordedError("it raises for all parameters")
    return node


def _branch(runs: list[Run], depth: int, value: Callable[[Run], Node]) -> Node | None:
    if len(runs) == 1:
        return None if runs[0].raised is not None else value(runs[0])
    condition = runs[0].decisions[depth][0]
    yes, no = (
        _branch([run for run in runs if run.decisions[depth][1] is taken], depth + 1, value) for taken in (True, False)
    )
    if yes is None and no is None:
        return None
    if no is None:
        return Choice(((yes, condition),))  # type: ignore[arg-type]
    if yes is None:
        return Choice(((no, Apply("not", (condition,))),))
    return yes if yes == no else Choice(((yes, condition), (no, Apply("true", ()))))


# ---- files


def write_snapshot(path: Path, pins: Pinned) -> bool:
    """Write a snapshot whole; whether there was another one, or none.

    Raises
    ------
    DataFileError
        If it cannot be written.
    """
    content = _toml(pins)
    try:
        if path.is_file() and path.read_text(encoding="utf-8") == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeDecodeError) as exc:
        raise DataFileError("snapshot", str(path), f"a file that can be replaced ({exc})") from exc
    replace_file(path, content)
    return True


def read_snapshot(path: Path) -> Pinned | None:
    """A snapshot, or None if there is none.

    Raises
    ------
    DataFileError
        If it cannot be read.
    """
    allowed = "a snapshot as --lpmech-update writes it"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        values = {str(at): _read_value(value) for at, value in found["values"].items()}
        return Pinned(str(found["domain"]), dict(found.get("form", {})), values)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError) as exc:
        raise DataFileError("snapshot", str(path), f"{allowed} ({type(exc).__name__}: {exc})") from exc


def _toml(pins: Pinned) -> str:
    lines = [
        "# A formula pinned by lpmech; where a change is meant: pytest --lpmech-update",
        f"domain = {_literal(pins.domain)}",
    ]
    for title, entries in (("form", pins.forms), ("values", pins.values)):
        if entries:
            lines += ["", f"[{title}]", *(f"{json.dumps(at)} = {_literal(value)}" for at, value in entries.items())]
    return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return "[\n" + "".join(f"    {_literal(row)},\n" for row in value) + "]"
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False)


def _read_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_read_value(v) for v in value]
    if isinstance(value, str):
        exact = rational_from_text(value)
        return value if exact is None else exact
    return float(value)


# ---- comparing


def same_as(function: Any, domain: Domain, before: Pinned, name: str) -> tuple[Checked, str | None]:
    """Compare a formula with what is pinned of it.

    Returns
    -------
    Checked
        What was found equal.
    str or None
        How the form has changed, where it is proved to be equal.

    Raises
    ------
    FailedAssertionError
        With both forms, and the simplest parameters found at which they differ.
    """
    statement = f"{name} as it is pinned"
    if before.domain != str(domain):
        raise FailedAssertionError(statement, f"the domain has changed\nold: {before.domain}\nnew: {domain}")
    formula = called(function, "formula", domain, number_or_table)
    forms_now = _forms(formula, domain)
    old, new = _changed(before.forms, forms_now)
    forms = "\n".join([*(f"old form: {text}" for text in old), *(f"new form: {text}" for text in new)])
    try:
        found = _same_forms(formula, domain, before.forms, forms_now, statement)
    except FailsError as exc:
        raise FailedAssertionError.of(statement, exc, forms) from None
    for at, value in before.values.items():
        now = _value(formula, _read_point(at))
        if not _equal(value, now):
            both = f"pinned {_told(value)}\nnow    {_told(now)}"
            raise FailedAssertionError(statement, f"{both}\n{forms}".strip(), _read_point(at))
    values = f"{len(before.values)} values as pinned"
    if not old and not new:
        floats = any(isinstance(v, float) for value in before.values.values() for v in _flat(value))
        weaker = Verdict.SUPPORTED if floats else Verdict.CERTIFIED
        same = f"the form is unchanged, {values}" if before.forms else f"{values}; it has no symbolic form"
        return noted(Checked(statement, Verdict.PROVED if before.forms.keys() == {_ALL} else weaker, same)), None
    if found is not Verdict.PROVED:
        allowed = "no difference was found, but it is not proved that there is none; where it is meant: --lpmech-update"
        raise FailedAssertionError(statement, f"{forms}\n{allowed}")
    return noted(Checked(statement, Verdict.PROVED, f"the form has changed and is proved equal; {values}")), forms


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The forms, or entries of them, that differ."""
    old, new = [], []
    for at in dict.fromkeys((*before, *now)):
        for where, first, second in _entries(before.get(at), now.get(at)):
            if first != second:
                place = ", ".join(filter(None, (where, "" if at == _ALL else at)))
                old.append(_placed(first, place))
                new.append(_placed(second, place))
    return old[:4], new[:4]


def _placed(text: str | None, place: str) -> str:
    return f"{'none' if text is None else text}{f'   ({place})' if place else ''}"


def _entries(first: Any, second: Any) -> list[tuple[str, Any, Any]]:
    if not isinstance(first, list) and not isinstance(second, list):
        return [("", first, second)]
    a, b = (value if isinstance(value, list) else [] for value in (first, second))
    places = dict.fromkeys((y, j) for rows in (a, b) for y, row in enumerate(rows) for j in range(len(row)))
    return [(f"entry ({y}, {j})", _entry(a, y, j), _entry(b, y, j)) for y, j in places]


def _entry(rows: list[Any], y: int, j: int) -> Any:
    return rows[y][j] if y < len(rows) and j < len(rows[y]) else None


def _same_forms(
    formula: Called, domain: Domain, before: Mapping[str, Any], now: Mapping[str, Any], statement: str
) -> Verdict:
    """Compare the function with the old forms that are not the new ones; the weakest verdict."""
    verdicts = [Verdict.PROVED]
    for at, old in before.items():
        if old == now.get(at):
            continue
        fixed = _read_point(at)
        parameters = tuple(
            Parameter(p.name, p.whole, (fixed[p.name],)) if p.name in fixed else p for p in domain.parameters
        )
        verdicts.append(_same_form(formula, Domain(parameters, domain.conditions), old, statement))
    if any(at not in before for at in now):
        verdicts.append(Verdict.UNDECIDED)
    return next((v for v in verdicts if v is not Verdict.PROVED), Verdict.PROVED)


def _same_form(formula: Called, domain: Domain, old: Any, statement: str) -> Verdict:
    rows = old if isinstance(old, list) else [[old]]
    nodes = [[read_expressions(text, domain.names, "snapshot")[0] for text in row] for row in rows]

    def requirements(at: Mapping[str, Any]) -> Any:
        value = formula(at)
        entries = value.rows if type(value) is Table else [[value]]
        shapes = [[len(row) for row in table] for table in (nodes, entries)]
        matrices = isinstance(old, list), type(value) is Table
        if matrices[0] is not matrices[1] or shapes[0] != shapes[1]:
            shown = [f"rows of {s} entries" if m else "a number" for s, m in zip(shapes, matrices, strict=True)]
            raise FailsError(Witness(at, DEFINED, place={"told": f"pinned {shown[0]}\nnow    {shown[1]}"}))
        for y, (row, known) in enumerate(zip(entries, nodes, strict=True)):
            for j, (a, node) in enumerate(zip(row, known, strict=True)):
                b = number(evaluated(node, at), "snapshot")
                place = f"entry ({y}, {j}): " if isinstance(old, list) else ""
                yield Requirement(a, "==", b, "pinned", {"where": place})

    return settle(Statement(statement, domain, requirements, [formula], seconds=20.0)).verdict


def _equal(old: Any, new: Any) -> bool:
    a, b = _flat(old), _flat(new)
    if isinstance(old, list) is not isinstance(new, list) or len(a) != len(b):
        return False
    if any(isinstance(x, str) != isinstance(y, str) for x, y in zip(a, b, strict=True)):
        return False
    return all(x == y if isinstance(x, str) else _near(x, y) for x, y in zip(a, b, strict=True))


def _near(x: Any, y: Any) -> bool:
    """Whether numbers are equal, or floats are but for a few roundings of terms of size one."""
    return y is not None and Requirement(x, "==", y, "pinned").holds_beside(2.0**-10)


def _flat(value: Any) -> list[Any]:
    return reduce(lambda found, part: found + _flat(part), value, []) if isinstance(value, list) else [value]


def _told(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_told, value)) + "]"
    return "nothing" if value is None else shown_number(value)
