"""Commands about claims: `verify`, `check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, CORES, OK, app, check_writable, followed, level_of, write
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.conjectures import Finding
    from lpmech.privacy import PrivacyLevel

__all__ = ["check", "verify"]


@app.command
def verify(
    *papers: str,
    only: Annotated[list[str] | None, Parameter(negative=())] = None,
    self_test: Annotated[bool, Parameter(negative=())] = False,
    jobs: int = CORES,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
) -> int:
    """Run the papers' claims and print the verdicts; exit 0 only if every verdict is the recorded one.

    Parameters
    ----------
    papers
        Keys of papers (ghazi2021, zhang2025, zheng2025, liu2026, zhao2025, across); default: all.
    only
        Run the claim with this id, or all whose id contains it; may be repeated.
    self_test
        Also show that every mutant is rejected.
    jobs
        Number of processes.
    json_file
        Write the rows to this file as JSON.
    """
    from lpmech.papers import PAPER_KEYS, load_paper
    from lpmech.papers.running import run_claims, select_claims
    from lpmech.report import console, refutations, summary, verdict_table

    if jobs < 1:
        raise InvalidInputError("jobs", jobs, "a whole number >= 1")
    keys = list(dict.fromkeys(papers)) or list(PAPER_KEYS)
    selection = select_claims(keys, only or [])
    if json_file is not None:
        check_writable(json_file)  # an unwritable file is found out now, not after the run
    started = run_claims(selection, jobs, self_test)
    results = followed(started, len(selection), lambda result: f"{result.paper} {result.id}")
    out = console()
    for key in keys:
        of_paper = [r for r in results if r.paper == key]
        if of_paper:
            out.print(verdict_table(load_paper(key).title, of_paper))
            out.print(refutations(of_paper))
            out.print()
    if json_file is not None:
        write(json_file, json.dumps([r.row() for r in results], indent=1, ensure_ascii=False) + "\n")
    for key in keys:
        of_paper = [r for r in results if r.paper == key]
        if of_paper:
            out.print(summary(key, of_paper), soft_wrap=True, markup=False)
    return OK if all(r.as_recorded for r in results) else ASTRAY


@app.command
def check(
    conjecture: str,
    *,
    utility: str = "hit",
    largest: int = 8,
    counts: Path | None = None,
    epsilon: float | None = None,
    ratio: str | None = None,
    mechanism: str | None = None,
) -> int:
    """Check a conjecture of your own: a formula, a Python file, or a channel tabulated as CSV; exit 1 if refuted.

    Parameters
    ----------
    conjecture
        An expression in t = e^epsilon and K, the optimal value for the uniform prior: 't/(t+K-1)'. Or two, the
        diagonal and the off-diagonal entry of a channel: 't/(t+K-1), 1/(t+K-1)'. Or a Python file that defines
        channel(t, K), channel(t, prior), value(t, K) or value(t, prior), and utility(K) if it is not a named one.
        Or a CSV file with a channel: released labels as header, true labels as first column.
    utility
        hit, absolute, squared, tanimoto, near; for a CSV channel also balanced, weights, or a CSV file.
    largest
        Largest number of labels for formulas.
    counts
        CSV channel: label counts that give the prior; default: uniform.
    epsilon
        CSV channel: the level it is meant to have; default: its own.
    ratio
        The same as an exact e^epsilon.
    mechanism
        CSV channel: name of the mechanism it claims to be.
    """
    from lpmech.papers.claims import Verdict
    from lpmech.report import console, findings_table

    of_table = {"counts": counts, "epsilon": epsilon, "ratio": ratio, "mechanism": mechanism}
    if conjecture.endswith(".csv"):
        findings = _check_table(Path(conjecture), utility, counts, level_of(epsilon, ratio), mechanism)
    elif given := [name for name, value in of_table.items() if value is not None]:
        raise InvalidInputError(given[0], of_table[given[0]], "this option with a CSV channel only")
    else:
        findings = _check_formulas(conjecture, utility, largest)
    console().print(findings_table(conjecture, findings))
    return ASTRAY if any(f.outcome.verdict is Verdict.REFUTED for f in findings) else OK


def _check_formulas(conjecture: str, utility: str, largest: int) -> list[Finding]:
    from lpmech.conjectures import check_channel_formula, check_value_formula, formulas_from_file, formulas_from_text
    from lpmech.design import NAMED_UTILITIES

    formulas = formulas_from_file(conjecture) if conjecture.endswith(".py") else formulas_from_text(conjecture)
    if formulas.utility is None and utility not in NAMED_UTILITIES:
        raise InvalidInputError(
            "utility", utility, f"{', '.join(NAMED_UTILITIES)}, or a function utility(K) in the file"
        )
    gain = formulas.utility or NAMED_UTILITIES[utility]
    findings = [] if formulas.channel is None else check_channel_formula(formulas.channel, gain, largest)
    return findings + ([] if formulas.value is None else check_value_formula(formulas.value, gain, largest))


def _check_table(
    path: Path, utility: str, counts: Path | None, level: PrivacyLevel | None, mechanism: str | None
) -> list[Finding]:
    from lpmech.conjectures import check_table
    from lpmech.design import utility_named
    from lpmech.tables import LabelCounts, read_channel, read_counts

    channel = read_channel(path)
    names = [str(name) for name in channel.inputs]
    label_counts = LabelCounts(tuple(names), (1,) * len(names)) if counts is None else read_counts(counts)
    if sorted(label_counts.labels) != sorted(names):
        raise InvalidInputError("counts", list(label_counts.labels), f"the labels of the channel, {names}")
    ordered = dict(zip(label_counts.labels, label_counts.counts, strict=True))
    in_order = LabelCounts(tuple(names), tuple(ordered[name] for name in names))
    return check_table(channel, utility_named(utility, in_order), in_order.prior, level, mechanism)
