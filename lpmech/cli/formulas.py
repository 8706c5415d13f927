"""A command that lists closed forms: `formulas`."""

from __future__ import annotations

from lpmech.cli.common import OK
from lpmech.errors import InvalidInputError

__all__ = ["formulas"]


def formulas(containing: str = "") -> int:
    """List the closed forms that `check` and `when` know by name, with their sources.

    Parameters
    ----------
    containing
        Only those with this in their name: 'variance'.
    """
    from rich.markup import escape
    from rich.table import Table

    from lpmech.discovery.closed import in_terms
    from lpmech.mechanisms.formulas import FORMULAS
    from lpmech.prove.texts import evaluated
    from lpmech.report.console import console

    found = {name: formula for name, formula in FORMULAS.items() if containing in name}
    if not found:
        raise InvalidInputError("containing", containing, f"a part of {', '.join(FORMULAS)}")
    table = Table()
    for heading in ("name", "what", "in K, t and sizes", "source"):
        table.add_column(heading, overflow="fold")
    for name, formula in found.items():
        table.add_row(*map(escape, (name, formula.about, str(in_terms(evaluated(formula.value))), formula.source)))
    console().print(table)
    return OK
