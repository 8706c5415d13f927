"""The verdicts on a paper as a table that an appendix can \\input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from lpmech import __version__
from lpmech.latex.proofs import CONVENTION, proof_in_latex, stated_in_latex
from lpmech.mathematics import latex_of
from lpmech.papers.objects import file_name
from lpmech.papers.running import ClaimResult
from lpmech.prove.objects import from_data

__all__ = ["PACKAGES", "appendix"]

#: What the preamble of the document has to load.
PACKAGES = ("amsmath", "amssymb", "array", "booktabs", "longtable")

#: A relation with more characters is set smaller: no line breaks within its fractions.
_WIDE = 120

_COLUMNS = "".join(
    rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}" for width in ("0.17", "0.36", "0.10", "0.27")
)


def appendix(title: str, results: Sequence[ClaimResult]) -> str:
    """A longtable with id, statement and hypotheses, verdict, and evidence or counterexample of every claim; below it
    the relations that were decided, on the whole width.

    Parameters
    ----------
    title : str
        Title of the paper, for the caption.
    results : sequence of ClaimResult
        In the order of the rows.
    """
    rows = [row for result in results for row in (rf"{{}}{' & '.join(_cells(result))} \\", *_decided(result))]
    return "\n".join(
        [
            f"% Verdicts by lpmech {__version__}; \\usepackage{{{','.join(PACKAGES)}}}",
            r"\begingroup\small",
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


def _proofs(results: Sequence[ClaimResult]) -> Iterator[str]:
    """What was proved, with its proof, of results that have objects."""
    with_objects = [result for result in results if any(not missing for _, missing in result.objects)]
    if with_objects:
        yield rf"\paragraph{{Proofs.}} {CONVENTION}"
    for result in with_objects:
        entries = json.loads(result.proof_file)["proofs"]
        for (name, missing), entry in zip(result.objects, entries, strict=True):
            if missing:
                continue
            node = from_data(entry["proof"])
            if node.goal.conclusion == "True":  # sympy saw it when the relation was made
                continue
            where = f"`{file_name(result.id)}`, which `lpmech verify {result.paper} --proofs DIRECTORY` writes"
            heading = f"{latex_of(result.id)}: {latex_of(name)}"
            yield "\n".join([rf"\paragraph{{{heading}}} {stated_in_latex(node.goal)}", proof_in_latex(node, where), ""])


def _cells(result: ClaimResult) -> Iterator[str]:
    claim, outcome = result.claim, result.outcome
    yield latex_of(claim.id)
    conditions = "; ".join(map(latex_of, filter(None, [*outcome.given, claim.hypotheses])))
    hypotheses = rf" \emph{{For}} {conditions}." if conditions else ""
    yield f"{latex_of(claim.statement)}.{hypotheses}"
    astray = f" (recorded: {claim.recorded})" if not result.as_expected else ""
    yield latex_of(f"{result.in_full}{astray}")
    seen = f"{latex_of(outcome.method)}: {latex_of(outcome.evidence)}."
    if outcome.counterexample:
        seen += rf" \emph{{Counterexample:}} {latex_of(outcome.counterexample)}."
    if outcome.arithmetic:
        seen += rf" \emph{{Since}} {', '.join(map(latex_of, outcome.arithmetic))}."
    if result.repaired_by:
        seen += rf" \emph{{Repaired by}} {latex_of(result.repaired_by)}."
    yield seen


def _decided(result: ClaimResult) -> Iterator[str]:
    for one in result.outcome.decided:
        text = rf"\emph{{Decided:}} {latex_of(one.asked)} ({latex_of(one.how)})."
        size = "footnotesize" if len(one.relation) <= _WIDE else "scriptsize"
        yield rf"\multicolumn{{4}}{{@{{}}p{{\linewidth}}@{{}}}}{{\{size}\raggedright\hangindent=1em {text}}} \\"
