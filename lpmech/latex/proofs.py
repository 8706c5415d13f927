"""Proofs as an appendix prints them: short ones in full, of long ones where the object is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpmech.mathematics import latex_of
from lpmech.prove.objects import Node
from lpmech.prove.referee import CONVENTION, Line, in_short, stated

__all__ = ["proof_in_latex", "proofs_in_latex"]

#: So many characters of LaTeX stand on one line of an identity.
_WIDE = 110


def proof_in_latex(node: Node, where: str) -> str:
    """The proof as paragraphs and aligned identities (packages amsmath and amssymb).

    Parameters
    ----------
    node : Node
        A proof object.
    where : str
        Where it is read in full, in the notation of texts; said of a long one.
    """
    printed = (part for line in in_short(node, where) for part in _printed(line))
    return "\n".join([r"\emph{Proof.}", *printed, r"$\square$"])


def proofs_in_latex(nodes: Sequence[Node], where: str) -> str:
    """Statements with their proofs, for an appendix; `where` as for `proof_in_latex`."""
    shown = [f"{latex_of(stated(node.goal))}\n\n{proof_in_latex(node, where)}" for node in nodes]
    return "\n\n".join([CONVENTION, *shown, ""])


def _printed(line: Line) -> Iterator[str]:
    yield "\\quad " * line.depth + latex_of(line.text)
    if line.left:
        rows = list(_rows(line.summands, len(line.left)))
        first = f"{line.left} &= {rows[0]}"
        yield "\n".join(
            [r"\begin{align*}", " \\\\\n".join([first, *(rf"&\quad {{}}+ {row}" for row in rows[1:])]), r"\end{align*}"]
        )
    elif not line.text.endswith(":"):
        yield r"\par"


def _rows(summands: Sequence[str], taken: int) -> Iterator[str]:
    """Sums that are short enough for a line, of which some is taken already."""
    row = ""
    for summand in summands:
        if row and taken + len(row) + len(summand) > _WIDE:
            yield row
            row, taken = "", 0
        row = f"{row} + {summand}" if row else summand
    yield row
