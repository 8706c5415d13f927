"""A command about conditions: `when`."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from lpmech.cli.common import ASTRAY, OK, Json, Texts

__all__ = ["when"]


def when(
    statement: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    param: Texts = None,
    where: Texts = None,
    solve: str | None = None,
    timeout: float = 60.0,
    as_json: Json = False,
) -> int:
    """The condition under which a statement holds, as an "if and only if" that is proved; exit 1 if it is not.

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
    as_json
        Print JSON.
    """
    from lpmech.conjectures.when import when as find
    from lpmech.report.console import console

    found = find(statement, tuple(param or ()), tuple(where or ()), solve, timeout)
    if as_json:
        print(json.dumps(found.as_row, indent=1, ensure_ascii=False))
        return OK if found.condition.is_proved else ASTRAY
    lines = [f"{found.statement} holds {found.condition}", *found.condition.details]
    lines += [f"proved by {found.condition.method}"] if found.condition.is_proved else []
    for line in (*lines, f"for {found.domain}"):
        console().print(line, markup=False, highlight=False, soft_wrap=True)
    return OK if found.condition.is_proved else ASTRAY
