"""Texts for columns: what cannot be broken by LaTeX, wide fractions and names of files, in a form that can."""

from __future__ import annotations

import re
from dataclasses import replace

from lpmech.mathematics import latex_of, tree
from lpmech.mathematics.latex import formula_in_latex
from lpmech.mathematics.reader import parts_of
from lpmech.mathematics.symbols import SIGNS, Role, Sign

__all__ = ["narrow"]

#: Signs before which a factor has ended.
_ENDING = {Role.RELATION, Role.BINARY, Role.CLOSING, Role.POINT}
_COMMA = SIGNS[","]._replace(latex=r",\allowbreak{}")
_OPEN, _CLOSE = SIGNS["("], SIGNS[")"]
#: A division in one line is broken where nothing else can be.
_OVER = SIGNS["/"]._replace(latex=r"/\penalty500{}")
_BROKEN = {SIGNS[","]: _COMMA, SIGNS["/"]: _OVER}
#: After these a name in code, and in prose, may go over to the next line.
_JOINTS = re.compile(r"(?<=[/.(,=])(?=\w)")
_IN_PROSE = re.compile(r"(?<=\w[/_])(?=\w)")


def narrow(text: str, widest: int) -> str:
    """A text as LaTeX in which a fraction in a fraction, or wider than the widest, stands in one line, as a/(b + c).

    Such a line can be broken at its signs, and lists after their commas; the formula is the same one.
    """
    return "".join(_part(part, widest) for part in parts_of(text))


def _part(part: tree.Part, widest: int) -> str:
    if isinstance(part, tree.Formula):
        return f"${formula_in_latex(_flat(part.row, widest))}$"
    marks = "`" if isinstance(part, tree.Code) else ""
    pieces = (_JOINTS if marks else _IN_PROSE).split(part.text)
    return r"\allowbreak{}".join(latex_of(f"{marks}{piece}{marks}") for piece in pieces)


def _flat(row: tree.Row, widest: int) -> tree.Row:
    """A row whose wide fractions, also those between its brackets, are divisions in one line."""
    nodes: list[tree.Node] = []
    for node, after in zip(row.nodes, (*row.nodes[1:], None), strict=True):
        if isinstance(node, tree.Fence):
            nodes.append(replace(node, inner=_flat(node.inner, widest)))
        elif isinstance(node, tree.Fraction) and len(formula_in_latex(tree.Row((node,)))) > widest:
            divided = (_side(node.above, widest), _OVER, _side(node.below, widest))
            # before a factor, and below another division, it needs brackets of its own
            apart = after is None or (isinstance(after, Sign) and after.kind in _ENDING)
            apart = apart and _OVER not in nodes[-1:]
            nodes += divided if apart else [tree.Fence(_OPEN, tree.Row(divided), _CLOSE)]
        elif isinstance(node, tree.Fraction):  # one in it would be too small to read
            nodes.append(replace(node, above=_flat(node.above, 0), below=_flat(node.below, 0)))
        else:
            nodes.append(_BROKEN.get(node, node) if isinstance(node, Sign) else node)
    return tree.Row(tuple(nodes))


def _side(row: tree.Row, widest: int) -> tree.Node:
    """Above or below a line: in brackets, unless it is one thing."""
    return row.nodes[0] if len(row.nodes) == 1 else tree.Fence(_OPEN, _flat(row, widest), _CLOSE)
