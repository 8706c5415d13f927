"""A command about conjectures: `check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.cli.common import ASTRAY, OK, app, level_of
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.conjectures import Finding
    from lpmech.privacy import PrivacyLevel

__all__ = ["check"]


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
    from lpmech.label_counts import LabelCounts
    from lpmech.label_files import read_counts
    from lpmech.tables import read_channel

    channel = read_channel(path)
    names = [str(name) for name in channel.inputs]
    label_counts = LabelCounts(tuple(names), (1,) * len(names)) if counts is None else read_counts(counts)
    if sorted(label_counts.labels) != sorted(names):
        raise InvalidInputError("counts", list(label_counts.labels), f"the labels of the channel, {names}")
    ordered = dict(zip(label_counts.labels, label_counts.counts, strict=True))
    in_order = LabelCounts(tuple(names), tuple(ordered[name] for name in names))
    return check_table(channel, utility_named(utility, in_order), in_order.prior, level, mechanism)
