"""`lpmech reproduce figures`: the figures and tables of a paper, one by one, redrawn where they are computation."""

from __future__ import annotations

from pathlib import Path

from lpmech.cli.common import OK, Switch, check_picture, make_directory, refuse_existing, save, working

__all__ = ["figures"]


def figures(paper: str, *, output: Path | None = None, overwrite: Switch = False) -> int:
    """Figure by figure and table by table: what is reproduced, approximated or not, and why; numbers beside ours.

    Parameters
    ----------
    paper
        ghazi2021, liu2026, zhang2025, zheng2025 or zhao2025.
    output
        Directory for the pictures that are redrawn, one PNG file each.
    overwrite
        Replace pictures that exist.
    """
    from lpmech.plots.redrawn import figures_of
    from lpmech.report.console import console
    from lpmech.report.figures import beside_table, figures_table

    found = figures_of(paper)
    drawn = {} if output is None else {output / each.file: each.draw for each in found if each.draw is not None}
    if output is not None:
        make_directory(output)
        for file in drawn:
            refuse_existing(file, overwrite)
            check_picture(file, "output")
    out = console()
    out.print(figures_table(paper, found))
    for each in found:
        if each.compare is not None:
            with working(each.item):
                rows = each.compare()
            out.print(beside_table(each, rows))
    for file, draw in drawn.items():
        with working(file.name):
            save(draw(), file)
    if drawn:
        out.print(f"written to {output}: {', '.join(file.name for file in drawn)}", soft_wrap=True, markup=False)
    return OK
