"""Commands about papers and their claims: `verify`, `show`, `new paper`, `bibtex`."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, CORES, OK, Jobs, Switch, check_writable, followed, papers_run, told, write
from lpmech.errors import DataFileError, InvalidInputError, LpmechError
from lpmech.papers import PAPER_KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from lpmech.claims import Paper
    from lpmech.papers.running import ClaimResult

__all__ = ["bibtex", "new_paper", "show", "verify"]

_Papers = Annotated[
    str,
    Parameter(
        help=f"Keys of papers ({', '.join(PAPER_KEYS)}), or papers of your own: Python files or packages that define "
        "PAPER (see `lpmech new paper`). Default: all keys."
    ),
]


def verify(
    *papers: _Papers,
    only: Annotated[list[str] | None, Parameter(negative=())] = None,
    self_test: Literal["sampled", "full"] | None = None,
    every: Annotated[bool, Parameter(name="--all", negative=())] = False,
    jobs: Jobs = CORES,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
    latex: Path | None = None,
    bibtex: Path | None = None,
    proofs: Path | None = None,
    rocq: Path | None = None,
) -> int:
    """Run the claims of papers and print the verdicts; exit 0 only if every verdict is the recorded one.

    A paper of your own runs with your rights, in processes of its own with 4 GB of memory. It may compute; a clock,
    chance without a seed, files, programs, the network, the environment and changes to what it imports are refused with
    exit code 2, and so is a file that ends its process; other papers are verified all the same. This is a guard against
    mistakes, no sandbox.

    Parameters
    ----------
    only
        Run the claim with this id, or all whose id contains it; may be repeated.
    self_test
        Also show that every check rejects the wrong formulas that are written in its claim, and a sample of those that
        are derived from it; with "full" all of them, which takes hours.
    every
        Print every claim, a line each, and what was left out with the reason.
    json_file
        Write the rows to this file as JSON.
    latex
        Write a table of the verdicts to this file, for \\input in an appendix (its first line names the packages).
    bibtex
        Write the BibTeX entries of these papers and of lpmech to this file.
    proofs
        Write the proofs of each proved claim as objects to a file in this directory, which `lpmech certify` checks, and
        say how many of them are whole and what the others rest on.
    rocq
        Write the proofs of each proved claim as theorems in Rocq to a file in this directory, which `coqc` checks, and
        say how many have a form there.
    """
    from lpmech.papers.objects import by_method, coverage, run_with_objects, run_with_theorems
    from lpmech.papers.running import SelfTest
    from lpmech.report.cards import headlines, index, left_out, others, summary
    from lpmech.report.console import console, is_cut

    failures: list[LpmechError] = []
    run = run_with_theorems if rocq else run_with_objects if proofs or latex else None
    running = papers_run(papers, only or [], jobs, SelfTest(self_test or "none"), failures, run=run)
    for file in (json_file, latex, bibtex):
        if file is not None:
            check_writable(file)  # found out now, not after the run
    shown = (index, left_out) if every else (headlines, others) if len(set(papers)) == 1 else (headlines,)
    ran: list[tuple[Paper, list[ClaimResult]]] = []
    out, cut = console(), False
    for paper, results in running:
        ran.append((paper, results))
        out.rule(f"[bold]{paper.key}[/]", align="left")
        out.print(paper.title, markup=False)
        for part in (make(paper, results) for make in shown):
            out.print(part)
            cut |= out.is_terminal and is_cut(out, part)
    if cut:
        out.print(
            '[…]: `lpmech show PAPER "ID"` prints a claim in full, `lpmech verify > FILE` everything', markup=False
        )
    _write_files(ran, json_file, latex, bibtex)
    for paper, results in ran:
        out.print(summary(paper.key, results), soft_wrap=True, markup=False)
        if proofs is not None:
            _write_proofs(proofs / paper.key, results)
            out.print(f"{paper.key}: {coverage(results)}", soft_wrap=True, markup=False)
        if rocq is not None:
            out.print(f"{paper.key}: {_write_theorems(rocq / paper.key, results)}", soft_wrap=True, markup=False)
        if self_test is None and paper.key not in PAPER_KEYS:
            out.print(f"{paper.key}: not self-tested: run with --self-test", soft_wrap=True, markup=False)
    if proofs is not None:
        table = by_method({paper.key: results for paper, results in ran})
        write(proofs / "by-method.md", table)
        out.print(f"\n{table}", markup=False, soft_wrap=True)
    told(failures)
    return OK if all(result.as_recorded for _, results in ran for result in results) else ASTRAY


def _write_files(
    ran: Sequence[tuple[Paper, Sequence[ClaimResult]]], rows: Path | None, latex: Path | None, bibtex: Path | None
) -> None:
    from lpmech.latex import appendix
    from lpmech.papers.bibliography import TOOL, entries
    from lpmech.papers.replies import reply_to

    if rows is not None:
        _write_rows(rows, [result for _, results in ran for result in results])
    if latex is not None:
        write(latex, "\n".join(appendix(paper.title, results, reply_to(paper)) for paper, results in ran))
    if bibtex is not None:
        write(bibtex, "\n".join([*entries([paper.key for paper, _ in ran]), TOOL]))


def _write_proofs(directory: Path, results: Sequence[ClaimResult]) -> None:
    from lpmech.papers.objects import file_name

    directory.mkdir(parents=True, exist_ok=True)
    for result in results:
        if result.proof_file:
            write(directory / file_name(result.id), result.proof_file)


def _write_theorems(directory: Path, results: Sequence[ClaimResult]) -> str:
    """How many parts of the claims are theorems now."""
    from lpmech.papers.objects import file_name
    from lpmech.prove.rocq_files import theorems_file

    directory.mkdir(parents=True, exist_ok=True)
    theorems = [theorem for result in results for theorem in result.theorems]
    for result in results:
        if any(theorem.text for theorem in result.theorems):
            module = Path(file_name(result.id)).stem.replace("-", "_")  # coqc asks for an identifier
            title = f"{result.paper}, {result.id}: {result.claim.statement}"
            write(directory / f"claim_{module}.v", theorems_file(title, result.theorems))
    written = sum(bool(theorem.text) for theorem in theorems)
    return f"theorems in Rocq: {written} of {len(theorems)} relations are written; `coqc` checks a file"


def _write_rows(file: Path, results: Sequence[ClaimResult]) -> None:
    write(file, json.dumps([result.row() for result in results], indent=1, ensure_ascii=False) + "\n")


def show(
    paper: str,
    *ids: str,
    at: Annotated[list[str] | None, Parameter(negative=())] = None,
    derived: Switch = False,
    jobs: Jobs = CORES,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
) -> int:
    """Print everything about a claim: hypotheses, verdict, evidence, readings, note, repair, and how each mutant died.

    Parameters
    ----------
    paper
        Key of a paper, or a file or package of your own.
    ids
        The id of the claim; a part of it shows every claim whose id contains it; more than one may be given.
    at
        A parameter of your own such as t=3, K=5 or prior=1/2,1/3,1/6, to be repeated for each one: prints what the
        claim compares, exactly at this point, instead of the card.
    derived
        Print, instead of the card, what becomes of every wrong formula that is derived from the claim's own.
    json_file
        Write the rows to this file as JSON.
    """
    from lpmech.claims import loaded_again
    from lpmech.claims.holding import holds_when
    from lpmech.claims.strongest import strongest
    from lpmech.files.guard import guarded
    from lpmech.papers import described_paper, load_paper
    from lpmech.papers.running import SelfTest, run_claims, select_claims
    from lpmech.report.cards import claim_card, compared_table, derived_table
    from lpmech.report.console import console

    if jobs < 1:
        raise InvalidInputError("jobs", jobs, "a whole number >= 1")
    with loaded_again() if paper in PAPER_KEYS else nullcontext():  # `verify` has looked through the checks of ours
        owner = described_paper(paper)
    if not ids:
        first = ", ".join(map(repr, list(owner.claims)[:3]))
        raise InvalidInputError("id", None, f"an id (or part of one) of a claim of {owner.key}, such as {first}")
    selection = select_claims([paper], ids)
    if at:
        values = dict(map(_assignment, at))
        if len(values) < len(at):
            raise InvalidInputError("at", ", ".join(at), "each parameter once")
        with guarded():
            claims = load_paper(paper).claims
            for _, id in selection:
                console().print(compared_table(claims[id], claims[id].at(**values)))
        return OK
    if derived:
        from lpmech.claims.derived import derived_fates

        with guarded():
            claims = load_paper(paper).claims
            for _, id in selection:
                console().print(derived_table(claims[id], derived_fates(claims[id], None)))
        return OK
    if json_file is not None:
        check_writable(json_file)
    started = run_claims(selection, jobs, SelfTest.SAMPLED, {"strongest": strongest, "holds": holds_when})
    results = followed(started, len(selection), lambda result: f"{result.paper} {result.id}")
    out = console()
    for result in results:
        out.print(claim_card(owner, result))
    if json_file is not None:
        _write_rows(json_file, results)
    return OK if all(result.as_recorded for result in results) else ASTRAY


def _assignment(text: str) -> tuple[str, Fraction | tuple[Fraction, ...]]:
    """``"t=3/2"`` as a name and an exact number, ``"prior=1/2,1/2"`` as a name and several."""
    from lpmech.entries import rational_from_text

    name, sign, value = (part.strip() for part in text.partition("="))
    numbers = [number for part in value.split(",") if (number := rational_from_text(part.strip())) is not None]
    if not (name.isidentifier() and sign) or len(numbers) < value.count(",") + 1:
        raise InvalidInputError("at", text, "NAME=NUMBER such as t=3 or p=1/3, or prior=1/2,1/3,1/6")
    return name, numbers[0] if len(numbers) == 1 else tuple(numbers)


#: What is imported under these names must not be found in the folder of a paper.
_TAKEN = sys.stdlib_module_names | {"lpmech", "numpy", "scipy", "sympy"}


def new_paper(name: str) -> int:
    """Write NAME.py, a commented paper that runs as it is: `lpmech verify NAME.py`.

    Parameters
    ----------
    name
        Name of the file, with or without .py; the key of the paper is its last part.
    """
    from lpmech.papers.template import paper_named

    path = Path(name).with_suffix(".py") if name.endswith(".py") else Path(f"{name}.py")
    if not path.stem.isidentifier() or path.stem.startswith("_") or path.stem in PAPER_KEYS:
        allowed = f"a letter, then letters, digits and _, and none of {', '.join(PAPER_KEYS)}"
        raise InvalidInputError("name", name, allowed)
    if iskeyword(path.stem) or path.stem in _TAKEN:
        taken = "a word of Python" if iskeyword(path.stem) else "a module that programs in the same folder would miss"
        raise InvalidInputError("name", name, f"another name: {path.stem} is {taken}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(paper_named(path.stem))
    except FileExistsError:
        raise DataFileError("name", str(path), "a file that does not exist yet; nothing is overwritten") from None
    except OSError as exc:
        raise DataFileError("name", str(path), f"a file that can be written ({exc.strerror})") from exc
    print(f"written: {path}\nnow run: lpmech verify {path} --self-test")
    return OK


def bibtex(
    *papers: Annotated[str, Parameter(help="Keys of papers, as `lpmech verify` takes them; default: all.")],
) -> int:
    """Print the BibTeX entries of papers and of lpmech."""
    from lpmech.papers import nearest
    from lpmech.papers.bibliography import PAPERS, TOOL, entries

    published = [key for key, listed in PAPERS.items() if listed.bibtex]
    for key in papers:
        if key not in published:
            raise InvalidInputError("paper", key, f"one of {', '.join(published)}{nearest(key, published)}")
    print("\n".join([*entries(dict.fromkeys(papers) or published), TOOL]), end="")
    return OK
