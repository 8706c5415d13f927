"""A command about conjectures: `check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, OK, level_of, write
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.conjectures import Finding

__all__ = ["check"]

_REQUIRED = ("proved", "certified", "supported")


def check(
    conjecture: str,
    json_file: Path | None = None,
    *,
    utility: str | None = None,
    param: Annotated[list[str] | None, Parameter(negative=())] = None,
    where: Annotated[list[str] | None, Parameter(negative=())] = None,
    prior: str | None = None,
    largest: int | None = None,
    timeout: float | None = None,
    require: str | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    counts: Path | None = None,
    epsilon: float | None = None,
    ratio: str | None = None,
    mechanism: str | None = None,
    decoding: Path | None = None,
) -> int:
    """Check a conjecture of your own: a formula, a Python file, or a channel tabulated as CSV; exit 1 if refuted.

    Parameters
    ----------
    conjecture
        An expression in t = e^epsilon, K and parameters, the optimal value for the uniform prior: 't/(t+K-1)'. Or two,
        the diagonal and the off-diagonal entry of a channel: 't/(t+K-1), 1/(t+K-1)'. Or a Python file that defines
        channel(t, K) or value(t, K), and if needed utility(K) and outputs(K); all may take prior and parameters.
        Or a CSV file with a channel: outputs as header, true labels as first column.
    json_file
        Where --json writes; default: standard output, in place of the table.
    utility
        hit (default), absolute, squared, tanimoto, near, balanced, weights; for a CSV channel also a CSV file.
    param
        A parameter of your own: 'w >= 0' or 'm integer in [1, K]' (whole numbers), 'lam in [0, 1]' or 'c real > 0'
        (real numbers); may be repeated.
    where
        A hypothesis: '2*w + 1 <= K'; may be repeated.
    prior
        any (default) or ordered (p_1 >= p_2 >= ...), for files that depend on the prior.
    largest
        Largest number of labels where no proof for all K is found; default 8.
    timeout
        Seconds for a formula or a file; what is not settled by then is undecided. Default 300.
    require
        proved, certified or supported: exit 1 unless every question has this verdict or a stronger one.
    as_json
        Print or write JSON.
    counts
        CSV channel: label counts that give the prior; default: uniform.
    epsilon
        CSV channel: the level it is meant to have; default: its own.
    ratio
        The same as an exact e^epsilon.
    mechanism
        CSV channel: name of the mechanism it claims to be.
    decoding
        CSV channel: a CSV file with the columns output,label, for outputs that are not labels.
    """
    from lpmech.conjectures import summary, summary_domain
    from lpmech.conjectures.checks import STRENGTH
    from lpmech.report.console import console
    from lpmech.report.findings import findings_table
    from lpmech.verdicts import Verdict

    if require is not None and require not in _REQUIRED:
        raise InvalidInputError("require", require, ", ".join(_REQUIRED))
    if json_file is not None and not as_json:
        raise InvalidInputError("json_file", str(json_file), "a second argument with --json only")
    if json_file is not None:
        write(json_file, "{}\n")  # an unwritable file is found out now, not after the run
    of_table = {"counts": counts, "epsilon": epsilon, "ratio": ratio, "mechanism": mechanism, "decoding": decoding}
    of_formula = {"param": param, "where": where, "prior": prior, "largest": largest, "timeout": timeout}
    if conjecture.endswith(".csv"):
        _refuse(of_formula, "this option with a formula or a Python file only")
        asked, findings = (
            "the table as printed",
            _check_table(conjecture, utility or "hit", counts, epsilon, ratio, mechanism, decoding),
        )
    else:
        _refuse(of_table, "this option with a CSV channel only")
        given = {name: value for name, value in {**of_formula, "utility": utility}.items() if value is not None}
        asked, findings = _check_formula(conjecture, given)
    verdict, weakest = summary(findings)
    if as_json:
        text = json.dumps(_as_row(conjecture, asked, findings), indent=1, ensure_ascii=False)
        if json_file is None:
            print(text)
        else:
            write(json_file, text + "\n")
    if not as_json or json_file is not None:
        console().print(findings_table(conjecture, findings))
        told = f"in all: {verdict} ({', '.join(weakest)}); for {summary_domain(findings)}"
        console().print(told, markup=False, soft_wrap=True)
    enough = STRENGTH.index(verdict) <= STRENGTH.index(Verdict(require)) if require else verdict is not Verdict.REFUTED
    return OK if enough else ASTRAY


def _refuse(options: dict[str, Any], allowed: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidInputError(given[0], options[given[0]], allowed)


def _check_formula(conjecture: str, options: dict[str, Any]) -> tuple[str, list[Finding]]:
    from lpmech.conjectures.running import Request, checked
    from lpmech.entries import positive_number

    params, where = tuple(options.pop("param", ())), tuple(options.pop("where", ()))
    if "timeout" in options:
        positive_number(options["timeout"], "timeout")
    found = checked(Request(conjecture, params, where, **options))
    return found.domain, list(found.findings)


def _check_table(
    path: str,
    utility: str,
    counts: Path | None,
    epsilon: float | None,
    ratio: str | None,
    mechanism: str | None,
    decoding: Path | None,
) -> list[Finding]:
    from lpmech.conjectures import check_table
    from lpmech.labels.reading import read_counts

    labels = None if counts is None else read_counts(counts)
    return check_table(path, utility, labels, level_of(epsilon, ratio), mechanism, decoding)


def _as_row(conjecture: str, asked: str, findings: list[Finding]) -> dict[str, Any]:
    from lpmech.conjectures import summary, summary_domain

    verdict, weakest = summary(findings)
    return {
        "conjecture": conjecture,
        "asked": asked,
        "domain": summary_domain(findings),
        "verdict": str(verdict),
        "because_of": weakest,
        "findings": [
            {
                "question": finding.question,
                "verdict": str(finding.outcome.verdict),
                "method": finding.outcome.method,
                "domain": finding.domain,
                "evidence": finding.outcome.evidence,
                "counterexample": finding.outcome.counterexample,
            }
            for finding in findings
        ],
    }
