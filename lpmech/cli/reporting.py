"""The command `report`: a paper's claims as a page to hand to somebody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, CORES, OK, Jobs, Switch, papers_run, refuse_existing, told
from lpmech.errors import InvalidInputError, LpmechError

__all__ = ["report"]


def report(
    *papers: str,
    output: Path | None = None,
    markdown: Path | None = None,
    only: Annotated[list[str] | None, Parameter(negative=())] = None,
    jobs: Jobs = CORES,
    overwrite: Switch = False,
) -> int:
    """Run the claims of papers and write the verdicts as a page to read; exit 0 only if every one is as recorded.

    Parameters
    ----------
    papers
        Keys of papers, or papers of your own, as `lpmech verify` takes them. Default: all keys.
    output
        Write the report to this file: HTML with everything in it, to be opened in a browser, sent or printed.
    markdown
        Write it to this file as Markdown, for a review.
    only
        Run the claim with this id, or all whose id contains it; may be repeated.
    overwrite
        Replace files that exist.
    """
    from lpmech.claims.strongest import strongest
    from lpmech.files.whole import replace_file
    from lpmech.pages.claims import claims_page
    from lpmech.pages.provenance import provenance
    from lpmech.pages.review import review
    from lpmech.papers.objects import run_with_objects
    from lpmech.papers.running import SelfTest
    from lpmech.report.cards import summary
    from lpmech.report.console import console

    writers = {file: make for file, make in ((output, claims_page), (markdown, review)) if file is not None}
    if len(writers) < (output is not None) + (markdown is not None) or not writers:
        raise InvalidInputError("output", output, "a file for --output, another one for --markdown, or both")
    failures: list[LpmechError] = []
    running = papers_run(papers, only or [], jobs, SelfTest.NONE, failures, {"strongest": strongest}, run_with_objects)
    for file in writers:
        refuse_existing(file, overwrite)  # found out now, not after the run
    ran, made = list(running), provenance()
    for paper, results in ran:
        console().print(summary(paper.key, results), soft_wrap=True, markup=False)
    for file, make in writers.items():
        text = make(ran, made)
        refuse_existing(file, overwrite)
        replace_file(file, text)
        print(f"written: {file}")
    told(failures)
    return OK if all(result.as_recorded for _, results in ran for result in results) else ASTRAY
