"""The verdicts on a paper as a table that an appendix can \\input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lpmech import __version__
from lpmech.latex.narrow import narrow
from lpmech.latex.proofs import proof_in_latex
from lpmech.mathematics import latex_of
from lpmech.papers.objects import proofs_of
from lpmech.papers.replies import Reply
from lpmech.papers.running import ClaimResult
from lpmech.prove.referee import CONVENTION, stated

__all__ = ["PACKAGES", "appendix"]

#: What the preamble of the document has to load.
PACKAGES = ("amsmath", "amssymb", "array", "booktabs", "longtable")

#: A relation with more characters is set smaller, and fractions as long as that stand in one line, which can be broken.
_WIDE = 120
#: The same of a column.
_COLUMN = 24

# an empty box before its first word lets LaTeX break that word
_COLUMNS = "".join(
    rf">{{\raggedright\arraybackslash\hspace{{0pt}}}}p{{{width}\linewidth}}"
    for width in ("0.17", "0.35", "0.11", "0.26")
)


def appendix(title: str, results: Sequence[ClaimResult], reply: Reply | None = None) -> str:
    """A longtable with id, statement and hypotheses, verdict, and evidence or counterexample of every claim; below it
    the relations that were decided, on the whole width.

    Parameters
    ----------
    title : str
        Title of the paper, for the caption.
    results : sequence of ClaimResult
        In the order of the rows.
    reply : Reply, optional
        The authors' answer: to all verdicts above the table, to single ones below their claims.
    """
    reply = reply or Reply()
    rows = [
        row
        for result in results
        for row in (rf"{{}}{' & '.join(_cells(result))} \\", *_below(result, reply.claims.get(result.id, "")))
    ]
    return "\n".join(
        [
            f"% Verdicts by lpmech {__version__}; \\usepackage{{{','.join(PACKAGES)}}}",
            r"\begingroup\small",
            *_general(reply),
            rf"\begin{{longtable}}{{@{{}}{_COLUMNS}@{{}}}}",
            rf"\caption{{{latex_of(title)}}}\\",
            r"\toprule",
            r"Claim & Statement & Verdict & Evidence \\",
            r"\midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *rows,
            r"\end{longtable}",
            r"\endgroup",
            "",
            *_proofs(results),
        ]
    )


def _general(reply: Reply) -> Iterator[str]:
    if reply.general:
        yield rf"\paragraph{{Reply ({latex_of(reply.by)}).}} {latex_of(reply.general)}"


def _proofs(results: Sequence[ClaimResult]) -> Iterator[str]:
    """What was proved, with its proof, of results that have objects."""
    if any(map(proofs_of, results)):
        yield rf"\paragraph{{Proofs.}} {CONVENTION}"
    for result in results:
        for name, node, where in proofs_of(result):
            heading = f"{latex_of(result.id)}: {latex_of(name)}"
            said = latex_of(stated(node.goal))
            yield "\n".join([rf"\paragraph{{{heading}}} {said}", proof_in_latex(node, where), ""])


def _cells(result: ClaimResult) -> Iterator[str]:
    claim, outcome = result.claim, result.outcome
    yield _cell(claim.id)
    conditions = "; ".join(_cell(text) for text in (*outcome.given, claim.hypotheses) if text)
    hypotheses = rf" \emph{{For}} {conditions}." if conditions else ""
    yield f"{_cell(claim.statement)}.{hypotheses}"
    astray = f" (recorded: {claim.recorded})" if not result.as_expected else ""
    yield latex_of(f"{result.in_full}{astray}")
    seen = f"{_cell(outcome.method)}: {_cell(outcome.evidence)}."
    if outcome.counterexample:
        seen += rf" \emph{{Counterexample:}} {_cell(outcome.counterexample)}."
    if result.repaired_by:
        seen += rf" \emph{{Repaired by}} {_cell(result.repaired_by)}."
    yield seen


def _cell(text: str) -> str:
    return narrow(text, _COLUMN)


def _below(result: ClaimResult, reply: str) -> Iterator[str]:
    """What stands below the row of a claim, on the whole width."""
    if result.outcome.arithmetic:
        lines = ", ".join(narrow(line, _WIDE) for line in result.outcome.arithmetic)
        yield _line("footnotesize", rf"\emph{{Since}} {lines}.")
    if result.outcome.compared:
        lines = "; ".join(narrow(line, _WIDE) for line in result.outcome.compared)
        yield _line("footnotesize", rf"\emph{{Compared:}} {lines}.")
    for one in result.outcome.decided:
        size = "footnotesize" if len(one.relation) <= _WIDE else "scriptsize"
        yield _line(size, rf"\emph{{Decided:}} {narrow(one.asked, _WIDE)} ({narrow(one.how, _WIDE)}).")
    if reply:
        yield _line("footnotesize", rf"\emph{{Reply:}} {narrow(reply, _WIDE)}")


def _line(size: str, text: str) -> str:
    return rf"\multicolumn{{4}}{{@{{}}p{{\linewidth}}@{{}}}}{{\{size}\raggedright\hangindent=1em {text}}} \\"
