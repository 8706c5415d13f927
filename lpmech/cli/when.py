"""A command about conditions: `when`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, OK, Json, Texts, check_picture, check_writable, save, working, write
from lpmech.errors import InvalidInputError

__all__ = ["when"]


def when(
    statement: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    param: Texts = None,
    where: Texts = None,
    solve: str | None = None,
    timeout: float = 60.0,
    output: Path | None = None,
    proof: Path | None = None,
    span: Texts = None,
    as_json: Json = False,
) -> int:
    """The condition under which a statement holds, as a proved "if and only if"; exit 1 if it is not, or says nothing.

    Parameters
    ----------
    statement
        A relation in t = e^epsilon, K and parameters, or several with and, or, not: 't/(t+K-1) >= 1/4'.
    param
        A parameter of your own: 'w >= 0' or 'm integer in [1, K]' (whole numbers), 'lam in [0, 1]' or 'c real > 0'
        (real numbers). May be repeated.
    where
        A hypothesis: '2*w + 1 <= K'; may be repeated.
    solve
        The parameter to solve for; default: whichever gives the simplest condition.
    timeout
        Seconds of processor time.
    output
        PNG file for a picture of the parameters at which it holds, where the condition speaks of one or two.
    proof
        Write the proofs of both directions as objects to this file, which `lpmech certify` checks; the message says
        where there are none.
    span
        Which values of a parameter are drawn: 'K 2 40'. May be repeated; default: up to 10 beyond its lower end.
    as_json
        Print JSON.
    """
    from lpmech.conjectures.when import when as find
    from lpmech.report.console import console

    spans = dict(map(_span, span or ()))
    if output is None and spans:
        raise InvalidInputError("span", span, "a span of a picture, with --output")
    if output is not None:
        check_picture(output, "output")
    if proof is not None:
        check_writable(proof)
    with working(f"at most {timeout:g} seconds of processor time"):
        found = find(statement, tuple(param or ()), tuple(where or ()), solve, timeout)
    if as_json:
        print(json.dumps(found.as_row, indent=1, ensure_ascii=False))
    else:
        is_simpler = found.condition.is_simpler
        first = f"holds {found.condition}" if is_simpler else "no simpler condition found, no parameter stands alone"
        lines = [f"{found.statement}{' ' if is_simpler else ': '}{first}", *found.condition.details]
        if is_simpler and found.condition.is_proved:
            lines.append(f"proved by {found.condition.method}")
        for line in (*lines, f"for {found.domain}"):
            console().print(line, markup=False, highlight=False, soft_wrap=True)
    if output is not None:
        from lpmech.plots import plot_condition

        save(plot_condition(found, spans), output)
        console(stderr=as_json).print(f"written to {output}", markup=False, highlight=False, soft_wrap=True)
    if proof is not None:
        from lpmech.prove.proof_files import proof_file

        write(proof, proof_file(f"{found.statement} holds {found.condition}", found.proofs()))
    return OK if found.condition.is_proved and found.condition.is_simpler else ASTRAY


def _span(text: str) -> tuple[str, tuple[float, float]]:
    """The parameter and the ends of 'K 2 40'."""
    try:
        name, low, high = text.split()
        return name, (float(low), float(high))
    except ValueError as exc:
        raise InvalidInputError("span", text, "a parameter and two numbers: 'K 2 40'") from exc
