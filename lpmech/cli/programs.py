"""The papers' own programs: `program ghazi2021`, `program liu2026`, `program zhang2025`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import Parameter

from lpmech.cli.common import OK, Counts, Epsilon, Json, Ratio, Switch, Whole, followed, required_level
from lpmech.cli.labels import Columns, refuse_unordered
from lpmech.cli.utility import Utility
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel

if TYPE_CHECKING:
    from rich.table import Table

    from lpmech.designs.paper_programs import PaperProgram
    from lpmech.entries import Number
    from lpmech.labels.counts import LabelCounts
    from lpmech.labels.reading import Reading

__all__ = ["ghazi2021", "liu2026", "zhang2025"]

#: A longer fraction is printed as a decimal number; a smaller float is rounding.
_LONGEST, _TINY = 24, 1e-12


@Parameter(name="*")
@dataclass(frozen=True)
class Shown:
    """The level of a program, and how its answer is printed; at an exact level it is exact.

    Parameters
    ----------
    epsilon
        Privacy level.
    show
        Print the program as cvxpy writes it; of ghazi2021 also LP2, of zhang2025 also the one
        over common weights, (12) with (14).
    as_json
        Print JSON.
    """

    epsilon: Epsilon | None = None
    ratio: Ratio = None
    show: Switch = False
    as_json: Json = False

    @property
    def level(self) -> PrivacyLevel:
        """The level that exactly one of --epsilon and --ratio gives."""
        return required_level(self.epsilon, self.ratio)


def ghazi2021(counts: Counts, *, shown: Shown | None = None, reading: Columns | None = None) -> int:
    """LP1 of ghazi2021, the largest probability that the released label is the true one, beside RRWithPrior.

    Parameters
    ----------
    shown
        The level, and how the answer is printed.
    reading
        How the file is read.
    """
    from lpmech.designs import paper_programs

    label_counts, level, shown = _given(counts, shown, reading)
    _print(f"{counts.name}, {level}", [paper_programs.ghazi2021(label_counts, level)], shown)
    return OK


def liu2026(
    counts: Counts,
    *,
    sigma: float | None = None,
    decay: str | None = None,
    l: Whole | None = None,
    shown: Shown | None = None,
    reading: Columns | None = None,
) -> int:
    """(4.1) of liu2026 beside BlockRR, with S1 and Delta chosen as in its Algorithm 2.

    Parameters
    ----------
    sigma
        Hyperparameter of the weights (3.3); the paper has 0.2 to 1.4 (Tables 8 and 9). With --ratio, e^(-1/sigma) is
        the nearest double.
    decay
        e^(-1/sigma) as an exact rational such as 1/2, instead of --sigma.
    l
        |Delta|, the number of most probable labels of S1 that get 1/K in the minority rows; default: all of 0..|S1|.
    shown
        The level, and how the answer is printed.
    reading
        How the file is read.
    """
    from lpmech.designs import paper_programs

    label_counts, level, shown = _given(counts, shown, reading)
    factor, majority = paper_programs.decay_and_partition(label_counts, level, _decay(sigma, decay))
    solved = paper_programs.liu2026(label_counts, level, factor, majority, l)
    found = followed(solved, len(majority) + 1, lambda item: item.setting) if l is None else list(solved)
    first = ", ".join(label_counts.labels[y] for y in majority)
    printed = f"{float(factor):.6g}" if decay is None else f"{factor}"
    _print(f"{counts.name}, {level}, e^(-1/sigma) = {printed}, S1 = {{{first}}}", found, shown)
    return OK


def zhang2025(
    counts: Counts,
    *,
    utility: Utility = "absolute",
    shown: Shown | None = None,
    reading: Columns | None = None,
) -> int:
    """The utility maximisation of zhang2025 over all private channels, beside BRR and BRR*.

    Parameters
    ----------
    shown
        The level, and how the answer is printed.
    reading
        How the file is read.
    """
    from lpmech.designs import paper_programs
    from lpmech.labels.named_utilities import is_ordered
    from lpmech.report.console import console
    from lpmech.report.designs import order_line

    label_counts, level, shown = _given(counts, shown, reading)
    refuse_unordered(utility, label_counts)
    _print(f"{counts.name}, {level}", [paper_programs.zhang2025(label_counts, level, utility)], shown)
    if is_ordered(utility) and not shown.as_json:
        console().print(order_line(label_counts), soft_wrap=True, markup=False)
    return OK


def _given(counts: Path, shown: Shown | None, reading: Reading | None) -> tuple[LabelCounts, PrivacyLevel, Shown]:
    """The counts of the file, the level, and how to print: what all three programs read."""
    from lpmech.labels.reading import read_counts

    shown = shown or Shown()
    level = shown.level
    return read_counts(counts, reading), level, shown


def _decay(sigma: float | None, decay: str | None) -> Number:
    """e^(-1/sigma) of exactly one of --sigma and --decay."""
    from lpmech.utilities import decay_of

    if sigma is not None and decay is None:
        return decay_of(sigma)
    if decay is None or sigma is not None:
        raise InvalidInputError("sigma", sigma, "exactly one of --sigma and --decay, which is e^(-1/sigma)")
    try:
        return Fraction(decay)
    except (ValueError, ZeroDivisionError) as exc:
        raise InvalidInputError("decay", decay, "an exact rational such as 1/2") from exc


def _print(title: str, found: list[PaperProgram], shown: Shown) -> None:
    if shown.as_json:
        print(json.dumps({"setting": title, "programs": [_row(item) for item in found]}, indent=1, ensure_ascii=False))
        return
    from lpmech.report.console import console

    out = console()
    if shown.show:
        for item in found:
            for name, problem in item.written.items():
                out.print(f"{name} {item.setting}".strip(), markup=False)
                out.print(str(problem) + "\n", markup=False, soft_wrap=True)
    out.print(_table(title, found))
    if all(item.solution.is_exact for item in found):
        out.print("exact rational arithmetic; every optimum is proved by its dual values")
    else:
        gap = max(abs(float(item.solution.gap)) for item in found)
        out.print(
            f"floating point; optimum: the bound of the dual values, within {gap:.1e} of the value of the channel"
        )


def _table(title: str, found: list[PaperProgram]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column("program and closed form", overflow="fold")
    for column in ("optimum", "value", "difference"):
        table.add_column(column, justify="right", overflow="fold")
    for item in found:
        for form in item.beside:
            numbers = map(_number, (item.solution.bound, form.value, item.difference(form)))
            beside = f"{item.name} beside {form.name}"
            table.add_row(", ".join(filter(None, [beside, item.setting, form.parameters])), *numbers)
    return table


def _number(value: Number) -> str:
    """A short fraction as it stands beside its decimals, else the decimals."""
    if isinstance(value, Fraction) and len(str(value)) <= _LONGEST:
        return f"{value}" if value.denominator == 1 else f"{value} = {float(value):.8g}"
    return f"{float(value):.10g}" if abs(float(value)) > _TINY else f"{float(value):.1e}"


def _row(item: PaperProgram) -> dict[str, Any]:
    return {
        "program": item.name,
        "setting": item.setting,
        "exact": item.solution.is_exact,
        "optimum": {"lower": _plain(item.solution.value), "upper": _plain(item.solution.bound)},
        "closed forms": [
            {
                "name": form.name,
                "parameters": form.parameters,
                "value": _plain(form.value),
                "difference": _plain(item.difference(form)),
            }
            for form in item.beside
        ],
        "written": [str(problem) for problem in item.written.values()],
    }


def _plain(value: Number) -> str | float:
    return str(value) if isinstance(value, Fraction) else float(value)
