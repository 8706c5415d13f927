"""A command that lists closed forms: `formulas`."""

from __future__ import annotations

from lpmech.cli.common import OK

__all__ = ["formulas"]


def formulas() -> int:
    """List the closed forms that `check` and `when` know by name, with their sources."""
    from rich.markup import escape
    from rich.table import Table

    from lpmech.mechanisms.formulas import FORMULAS
    from lpmech.report.console import console

    table = Table()
    for heading in ("name", "what", "in K, t, d", "source"):
        table.add_column(heading, overflow="fold")
    for name, formula in FORMULAS.items():
        table.add_row(*map(escape, (name, formula.about, str(formula.value), formula.source)))
    console().print(table)
    return OK
