"""Vectors as parameters: ``p[1..K] >= 0``, ``p[1] >= ... >= p[K] >= 0``, ``q[1..K, 1..J] >= 0``, ``sum p = 1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from lpmech.errors import InvalidInputError
from lpmech.prove.texts import as_written
from lpmech.prove.vectors import Vector
from lpmech.terms import Apply, Name, Node, Number, Repeated
from lpmech.terms.reader import FUNCTIONS, read_condition, read_expressions

__all__ = ["read_vector", "with_sums"]

_WHOLE = re.compile(r"(?P<name>[A-Za-z_]\w*)\[1\.\.(?P<length>[^\],]+)(,\s*1\.\.(?P<columns>[^\],]+))?\]")
_CHAIN = re.compile(
    r"(?P<before>.*?)(?P<name>[A-Za-z_]\w*)\[1\]\s*(?P<op>[<>]=?)\s*\.\.\.\s*(?P=op)\s*(?P=name)\[(?P<length>[^\]]+)\](?P<after>.*)"
)
_SUM = re.compile(r"\bsum\s+(?P<name>[A-Za-z_]\w*)\b\s*(=(?!=))?")
_ONE = Number(Fraction(1))
_ALLOWED = "a vector such as 'p[1..K] >= 0', 'p[1] >= ... >= p[K] >= 0' or 'q[1..K, 1..K]'"


def read_vector(
    text: str, known: Sequence[str], taken: Sequence[str] = ()
) -> tuple[Vector, list[tuple[str, Node]]] | None:
    """A vector and the hypotheses on it; None of a text that declares none.

    Parameters
    ----------
    text : str
    known : sequence of str
        Names of numbers that its length and bounds may use.
    taken : sequence of str
        Other names that it cannot have.

    Raises
    ------
    FormulaError, InvalidInputError
        If a part is outside the language.
    """
    chain, whole = _CHAIN.fullmatch(text), _WHOLE.search(text)
    declared = chain or whole
    if declared is None:
        return None
    name = declared["name"]
    if name in (*known, *taken, *FUNCTIONS, "prior"):
        raise InvalidInputError("param", text, f"{_ALLOWED}, with a new name")
    columns = whole["columns"] if whole else None
    lengths = [read_expressions(n, known, "param")[0] for n in (declared["length"], columns) if n]
    vector = Vector(name, *(as_written(n, {k: sp.Symbol(k) for k in known}, "param") for n in lengths))
    indices = [f"{name}_{n}" for n in range(len(lengths))]
    entry = f"{name}[{', '.join(indices)}]"
    names = [*known, vector.in_text, *indices]
    conditions: list[tuple[str, Node]] = []
    if chain:
        op = chain["op"]
        pair = Apply(op, (_entry(name, "i_"), _entry(name, "j_")))
        first: Node = Apply("+", (Name("i_"), _ONE)) if len(op) == 1 else Name("i_")
        inner = Repeated("Each", pair, "j_", first, lengths[0])
        conditions.append((text, Repeated("Each", inner, "i_", _ONE, lengths[0])))
        bounds = [b for b in (f"{chain['before']} {entry}", f"{entry} {chain['after']}") if b.strip() != entry]
        if any(relation[0] != op[0] for b in bounds for relation in re.findall(r"[<>=]=?", b)):
            raise InvalidInputError("param", text, f"{_ALLOWED}, with one direction")
    else:
        rest = re.sub(r"\breal\b", "", text[: declared.start()] + entry + text[declared.end() :])
        bounds = [] if rest.strip() == entry else [rest]
    for bound in bounds:
        node = read_condition(bound, names, "param")
        for index, length in zip(indices, lengths, strict=True):
            node = Repeated("Each", node, index, _ONE, length)
        conditions.append(("" if chain else text, node))
    return vector, conditions


def _entry(name: str, index: str) -> Node:
    return Apply("[]", (Name(name), Name(index)))


def with_sums(text: str, vectors: Sequence[Vector]) -> str:
    """A hypothesis in which ``sum p = 1`` is written out."""
    lengths = {v.name: v.lengths[0] for v in vectors if len(v.lengths) == 1}

    def written(found: re.Match[str]) -> str:
        if found["name"] not in lengths:
            return found[0]
        equal = " == " if found[2] else " "
        return f"Sum({found['name']}[i_], (i_, 1, {lengths[found['name']]})){equal}"

    return _SUM.sub(written, text)
