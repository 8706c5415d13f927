"""Proofs as an appendix prints them: short ones in full, of long ones where the object is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpmech.mathematics import latex_of
from lpmech.prove.objects import Goal, Node, nodes_of
from lpmech.prove.referee import Line, lines_of, shown

__all__ = ["CONVENTION", "proof_in_latex", "proofs_in_latex", "stated_in_latex"]

#: A proof with more lines, or a line with more summands, is not printed.
_MOST_LINES, _MOST_SUMMANDS = 14, 24
#: So many characters of LaTeX stand on one line of an identity.
_WIDE = 110

CONVENTION = (
    "In every identity below no summand on the right is negative, since the relations that are named before it give "
    "the sign of each factor; factors beside the side of the conclusion on the left are positive, and where the "
    "conclusion is strict one summand is positive as well."
)


def proof_in_latex(node: Node, where: str) -> str:
    """The proof as paragraphs and aligned identities (packages amsmath and amssymb).

    Parameters
    ----------
    node : Node
        A proof object.
    where : str
        Where it is read in full, in the notation of texts; said of a long one.
    """
    lines = lines_of(node)
    if len(lines) > _MOST_LINES or any(len(line.summands) > _MOST_SUMMANDS for line in lines):
        steps = sum(1 for _ in nodes_of(node))
        return rf"\emph{{Proof}} of {steps} steps, too long to be printed: {latex_of(where)}. $\square$"
    return "\n".join([r"\emph{Proof.}", *(part for line in lines for part in _printed(line)), r"$\square$"])


def proofs_in_latex(nodes: Sequence[Node], where: str) -> str:
    """Statements with their proofs, for an appendix; `where` as for `proof_in_latex`."""
    stated = [f"{stated_in_latex(node.goal)}\n\n{proof_in_latex(node, where)}" for node in nodes]
    return "\n\n".join([CONVENTION, *stated, ""])


def stated_in_latex(goal: Goal) -> str:
    """What is proved: the conclusion, its parameters and its hypotheses."""
    whole = [name for name, sort in goal.parameters.items() if sort == "whole"]
    given = [*goal.hypotheses, *(f"{name} in Integers" for name in whole)]
    where = f" where {', '.join(shown(h, goal) for h in dict.fromkeys(given))}" if given else ""
    return latex_of(f"{shown(goal.conclusion, goal)}{where}.")


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
