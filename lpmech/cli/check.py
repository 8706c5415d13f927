"""A command about conjectures: `check`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, OK, Epsilon, Json, Texts, Whole, check_writable, level_of, write
from lpmech.cli.utility import CheckUtility
from lpmech.errors import InvalidInputError, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lpmech.conjectures import Settled
    from lpmech.conjectures.running import Answers
    from lpmech.privacy import PrivacyLevel

__all__ = ["check"]

_REQUIRED = ("proved", "certified", "supported")


def check(
    conjecture: Annotated[str, Parameter(allow_leading_hyphen=True)],
    json_file: Path | None = None,
    *,
    utility: CheckUtility = None,
    param: Texts = None,
    where: Texts = None,
    prior: str | None = None,
    largest: Whole | None = None,
    timeout: float | None = None,
    require: str | None = None,
    floats: str | None = None,
    as_json: Json = False,
    counts: Path | None = None,
    epsilon: Epsilon | None = None,
    ratio: str | None = None,
    mechanism: str | None = None,
    decoding: Path | None = None,
    proof: Path | None = None,
    rocq: Path | None = None,
    latex: Path | None = None,
) -> int:
    """Check a conjecture of your own: a formula, a statement, a Python file or a channel as CSV; exit 1 if refuted.

    Parameters
    ----------
    conjecture
        An expression in t = e^epsilon, K and parameters, the optimal value for the uniform prior: 't/(t+K-1)'. Or two,
        the diagonal and the off-diagonal entry of a channel: 't/(t+K-1), 1/(t+K-1)'. Or a statement, which should hold
        for all of them: 't/(t+K-1) >= 1/K', 'a == b', with and, or, not. Or a Python file that defines
        channel(t, K) or value(t, K), and if needed utility(K) and outputs(K); all may take prior and parameters.
        They are functions of their arguments: what keeps state between calls is refused (but functools.cache may). The
        file runs with your rights, in a process of its own; a clock, chance without a seed, files, programs, network
        and environment are refused. This is a guard against mistakes, no sandbox.
        Or a CSV file with a channel: outputs as header, true labels as first column; rows may miss one by rounding.
    json_file
        Where --json writes; default: standard output, in place of the table.
    param
        A parameter of your own: 'w >= 0' or 'm integer in [1, K]' (whole numbers), 'lam in [0, 1]' or 'c real > 0'
        (real numbers); or 'each K in 2..7', which are gone through. May be repeated.
    where
        A hypothesis: '2*w + 1 <= K'; may be repeated.
    prior
        any (default) or ordered (p_1 >= p_2 >= ...), for files that depend on the prior.
    largest
        Largest number of labels where no proof for all K is found; default 8.
    timeout
        Seconds for a formula or a file; what is not settled by then is undecided. Default 300.
    require
        proved, certified or supported: exit 1 unless every requirement has this verdict or a stronger one.
    floats
        rounding (default) or exact: where a file computes with floats, what they miss by rounding is told, or refutes.
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
    proof
        A statement: write its proof as an object to this file, which `lpmech certify` checks.
    rocq
        A statement: write its proof as a theorem in Rocq to this file, which `coqc` checks.
    latex
        A statement: write its proof to this file as lines that a referee follows, for \\input in an appendix.
    """
    _check_options(conjecture, json_file, as_json, require, floats)
    for file in filter(None, (proof, rocq, latex)):
        check_writable(file)
    of_table = {"counts": counts, "epsilon": epsilon, "ratio": ratio, "mechanism": mechanism, "decoding": decoding}
    of_formula: dict[str, Any] = {"param": param, "where": where, "prior": prior, "largest": largest}
    of_formula |= {"timeout": timeout, "floats": floats}
    if conjecture.lower().endswith(".csv"):
        _refuse(of_formula, "this option with a formula or a Python file only")
        found = _check_table(conjecture, utility, counts, level_of(epsilon, ratio), mechanism, decoding)
    else:
        _refuse(of_table, "this option with a CSV channel only")
        found = _check_formula(conjecture, {**of_formula, "utility": utility})
    if proof is not None:
        write(proof, _proofs(conjecture, found, "proof", proof))
    if rocq is not None:
        _write_theorems(conjecture, found, rocq)
    if latex is not None:
        write(latex, _lines(conjecture, found, latex))
    _report(conjecture, found, json_file, as_json, (tuple(param or ()), tuple(where or ())))
    return OK if _is_enough(found.settled, require) else ASTRAY


def _check_options(
    conjecture: str, json_file: Path | None, as_json: bool, require: str | None, floats: str | None
) -> None:
    """Find out now, not after the run, what cannot be done."""
    if re.fullmatch("--[a-z][a-z-]*(=.*)?", conjecture):
        raise InvalidInputError("conjecture", conjecture, "a formula or a file; there is no such option")
    if require is not None and require not in _REQUIRED:
        raise InvalidInputError("require", require, ", ".join(_REQUIRED))
    if floats not in (None, "rounding", "exact"):
        raise InvalidInputError("floats", floats, "rounding, exact")
    if json_file is not None and not as_json:
        raise InvalidInputError("json_file", str(json_file), "a second argument with --json only")
    if json_file is not None:
        check_writable(json_file)


def _proofs(conjecture: str, found: Answers, option: str, file: Path) -> str:
    """The file of what was proved."""
    from lpmech.prove.explicit import explicit_or_named
    from lpmech.prove.proof_files import proof_file

    proofs = [(one.requirement, explicit_or_named(one.proof, one.outcome.method)) for one in found.settled if one.proof is not None]
    if not proofs:
        raise InvalidInputError(option, str(file), "with what is proved for all parameters at once")
    return proof_file(conjecture, proofs)


def _lines(conjecture: str, found: Answers, file: Path) -> str:
    """What was proved, with its proofs as paragraphs."""
    from lpmech.latex.proofs import proofs_in_latex

    proofs = [one.proof for one in found.settled if one.proof is not None]
    if not proofs:
        raise InvalidInputError("latex", str(file), "with what is proved for all parameters at once")
    return proofs_in_latex(proofs, f"`lpmech check '{conjecture}' --proof FILE` writes it")


def _write_theorems(conjecture: str, found: Answers, file: Path) -> None:
    from lpmech.prove.rocq_files import theorem_from, theorems_file

    theorems = [theorem_from(one.requirement, one.proof) for one in found.settled if one.proof is not None]
    if not theorems or not all(theorem.text for theorem in theorems):
        allowed = "with what is proved for all parameters at once, by steps that have a form in Rocq"
        raise InvalidInputError("rocq", str(file), allowed)
    write(file, theorems_file(conjecture, theorems))


def _refuse(options: dict[str, Any], allowed: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InvalidInputError(given[0], options[given[0]], allowed)


def _check_formula(conjecture: str, options: dict[str, Any]) -> Answers:
    from lpmech.conjectures.running import Request, checked
    from lpmech.entries import positive_number

    given = {name: value for name, value in options.items() if value is not None}
    params, where = tuple(given.pop("param", ())), tuple(given.pop("where", ()))
    if "timeout" in given:
        positive_number(given["timeout"], "timeout")
    return checked(Request(conjecture, params, where, **given))


def _check_table(
    path: str,
    utility: str | None,
    counts: Path | None,
    level: PrivacyLevel | None,
    mechanism: str | None,
    decoding: Path | None,
) -> Answers:
    from lpmech.conjectures import check_table
    from lpmech.conjectures.running import Answers
    from lpmech.labels.reading import read_counts

    labels = None if counts is None else read_counts(counts)
    return Answers("the table as printed", tuple(check_table(path, utility, labels, level, mechanism, decoding)))


def _is_enough(settled: Sequence[Settled], require: str | None) -> bool:
    from lpmech.conjectures import summary
    from lpmech.verdicts import Verdict

    verdict, _ = summary(settled)
    if require is None:
        return verdict is not Verdict.REFUTED
    return verdict.strength >= Verdict(require).strength


#: Parameters and hypotheses as they were given.
_Given = tuple[tuple[str, ...], tuple[str, ...]]


def _report(conjecture: str, found: Answers, json_file: Path | None, as_json: bool, given: _Given) -> None:
    """Print the table, or JSON in its place; with a file, write JSON there and print the table."""
    from lpmech.conjectures import summary, summary_domain
    from lpmech.report.console import console
    from lpmech.report.settled import settled_table

    settled = list(found.settled)
    holds = _holds(conjecture, settled, given)
    if as_json:
        row = _as_row(conjecture, found.domain, settled) | ({} if holds is None else {"holds": holds})
        text = json.dumps(row, indent=1, ensure_ascii=False)
        if json_file is None:
            print(text)
            return
        write(json_file, text + "\n")
    verdict, weakest = summary(settled)
    console().print(settled_table(conjecture, settled))
    told = f"in all: {verdict} ({', '.join(weakest)}); for {summary_domain(settled)}"
    console().print(told, markup=False, soft_wrap=True)
    if holds is not None:
        console().print(f"it holds {holds}", markup=False, highlight=False, soft_wrap=True)


def _holds(conjecture: str, settled: list[Settled], given: _Given) -> str | None:
    """Of a refuted statement: for which parameters it holds, or the command that goes on looking."""
    from lpmech.conjectures import summary
    from lpmech.conjectures.statement import STATEMENT
    from lpmech.verdicts import Verdict

    verdict, weakest = summary(settled)
    if verdict is not Verdict.REFUTED or weakest != [STATEMENT]:
        return None
    from lpmech.conjectures.when import offered

    params, where = given
    try:
        found = offered(conjecture, params, where)
    except UndecidedError:
        options = [*(f"--param={text}" for text in params), *(f"--where={text}" for text in where)]
        return f"for parameters that may be found by: {shlex.join(['lpmech', 'when', conjecture, *options])}"
    return None if found is None else "; ".join([str(found.condition), *found.condition.details])


def _as_row(conjecture: str, asked: str, settled: list[Settled]) -> dict[str, Any]:
    from lpmech.conjectures import summary, summary_domain

    verdict, weakest = summary(settled)
    return {
        "conjecture": conjecture,
        "asked": asked,
        "domain": summary_domain(settled),
        "verdict": str(verdict),
        "because_of": weakest,
        "requirements": [
            {
                "requirement": one.requirement,
                "verdict": str(one.outcome.verdict),
                "method": one.outcome.method,
                "domain": one.domain,
                "evidence": one.outcome.evidence,
                "counterexample": one.outcome.counterexample,
                "witness": None if one.witness is None else one.witness.as_row,
            }
            for one in settled
        ],
    }
