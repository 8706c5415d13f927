"""What the commands share: exit codes, the privacy level, progress, writing files."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import CoercionError, Parameter, Token

from lpmech.errors import DataFileError, InvalidInputError, LpmechError, shown
from lpmech.files.access import check_writable, make_directory, write_bytes
from lpmech.files.access import write_text as write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.claims import Paper
    from lpmech.papers.running import ClaimResult, Further, SelfTest
    from lpmech.privacy import PrivacyLevel

__all__ = [
    "ASTRAY",
    "BAD_INPUT",
    "CORES",
    "Counts",
    "Epsilon",
    "Epsilons",
    "INTERRUPTED",
    "Jobs",
    "Json",
    "OK",
    "Ratio",
    "Switch",
    "Texts",
    "Whole",
    "Wholes",
    "check_picture",
    "check_writable",
    "followed",
    "level_of",
    "make_directory",
    "papers_run",
    "refuse_existing",
    "required_level",
    "save",
    "told",
    "working",
    "write",
]

#: After so much time without a terminal, a line on stderr says how far a command is.
PROGRESS_SECONDS = 20.0

#: Exit codes: all well; a verdict is not the recorded one; bad input; interrupted.
OK, ASTRAY, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

#: Processes by default.
CORES = min(2, os.cpu_count() or 1)

Item = TypeVar("Item")


def _as_typed(kind: Any, tokens: Sequence[Token]) -> Any:
    """The floats that print the decimals that were typed; what no float prints is refused, not rounded."""
    found = [_float_that_prints(token) for token in tokens]
    return found[0] if kind is float else found


def _float_that_prints(token: Token) -> float:
    from lpmech.entries import rational_from_text
    from lpmech.privacy import MAX_EPSILON

    exact = rational_from_text(token.value)
    if exact is not None and abs(exact) < MAX_EPSILON + 1:
        value = float(exact)
        if Fraction(repr(value)) == exact:
            return value
    allowed = f"a decimal of at most 15 digits up to {MAX_EPSILON:g}"
    if token.keyword == "--epsilon":
        allowed += " (of more digits, or exactly: --ratio)"
    raise CoercionError(f"got {token.value}; allowed: {allowed}", token=token, target_type=float)


#: A typed epsilon is exactly the decimal that its float prints: see `lpmech.privacy.PrivacyLevel.epsilon_below`.
Epsilon = Annotated[float, Parameter(converter=_as_typed)]
#: The same for an option that may be repeated.
Epsilons = Annotated[list[float], Parameter(converter=_as_typed, negative=())]


def _whole(kind: Any, tokens: Sequence[Token]) -> Any:
    """The whole numbers that were typed: cyclopts rounds others; those of more digits are no size of anything."""
    for token in tokens:
        if not re.fullmatch(r"[+-]?\d{1,18}", token.value):
            allowed = "a whole number of at most 18 digits"
            raise CoercionError(f"got {shown(token.value)}; allowed: {allowed}", token=token)
    found = [int(token.value) for token in tokens]
    return found[0] if kind is int else found


#: A whole number, and several.
Whole = Annotated[int, Parameter(converter=_whole)]
Wholes = Annotated[list[int], Parameter(converter=_whole, negative=(), consume_multiple=True)]

#: What several commands ask for, each with its words, which stand here only.
Counts = Annotated[
    Path,
    Parameter(help="CSV or Parquet file with two columns, labels and their counts; or with one label per row."),
]
Ratio = Annotated[str | None, Parameter(help="e^epsilon as an exact rational such as 7/2, instead of --epsilon.")]
Jobs = Annotated[Whole, Parameter(help="Number of processes.")]
#: Texts that may begin with a minus: '-K <= -2'.
Texts = Annotated[list[str] | None, Parameter(negative=(), allow_leading_hyphen=True)]
#: An option without a value, and the one that prints JSON.
Switch = Annotated[bool, Parameter(negative=())]
Json = Annotated[bool, Parameter(name="--json", negative=())]


def level_of(epsilon: float | None, ratio: str | None) -> PrivacyLevel | None:
    """The level that --epsilon or --ratio gives, None if neither does."""
    from lpmech.privacy import PrivacyLevel

    if epsilon is not None and ratio is not None:
        raise InvalidInputError("epsilon", epsilon, "at most one of --epsilon and --ratio")
    if epsilon is not None:
        return PrivacyLevel.from_epsilon(epsilon)
    return None if ratio is None else PrivacyLevel.from_ratio(ratio)


def required_level(epsilon: float | None, ratio: str | None) -> PrivacyLevel:
    """The level that exactly one of --epsilon and --ratio gives."""
    level = level_of(epsilon, ratio)
    if level is None:
        raise InvalidInputError("epsilon", epsilon, "exactly one of --epsilon and --ratio")
    return level


def working(text: str) -> AbstractContextManager[object]:
    """A line on stderr that moves while something takes its time; terminals only."""
    from lpmech.report.console import console

    return console(stderr=True).status(text)


def followed(items: Iterable[Item], total: int, text: Callable[[Item], str]) -> list[Item]:
    """All items, while a progress bar on stderr counts them and shows the text of the last one; a line now and then
    where stderr is no terminal.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from lpmech.report.console import console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    found = []
    out = console(stderr=True)
    told_at = time.monotonic()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=total)
        for item in items:
            found.append(item)
            bar.update(task, advance=1, description=text(item)[:40].ljust(40))
            if not out.is_terminal and time.monotonic() - told_at >= PROGRESS_SECONDS:
                told_at = time.monotonic()
                out.print(f"{len(found)} of {total}: {text(item)}", markup=False, soft_wrap=True)
    return found


def papers_run(
    papers: Sequence[str],
    only: Sequence[str],
    jobs: int,
    self_test: SelfTest,
    failures: list[LpmechError],
    further: Further | None = None,
    run: Callable[..., ClaimResult] | None = None,
) -> Iterator[tuple[Paper, list[ClaimResult]]]:
    """Each paper with the results of its claims, which are run when it is asked for; bad input is told at once.

    Parameters
    ----------
    papers, only
        As `lpmech.papers.running.select_claims` takes them; without a paper all of ours.
    jobs, self_test
        As for `lpmech.papers.running.run_claims`.
    failures : list
        Takes what is wrong with somebody's file, which keeps no other paper from being run; see `told`.
    further, run
        As for `lpmech.papers.running.run_claims`.
    """
    from lpmech.files.strangers import RefusedError
    from lpmech.papers import PAPER_KEYS, described_paper, paper_reference
    from lpmech.papers.running import run_claims, select_claims

    if jobs < 1:
        raise InvalidInputError("jobs", jobs, "a whole number >= 1")
    references = []
    for reference in list(dict.fromkeys(map(paper_reference, papers))) or PAPER_KEYS:
        try:
            described_paper(reference)
            references.append(reference)
        except (DataFileError, RefusedError) as exc:
            failures.append(exc)
    if not references:
        told(failures)
    selection = sorted(select_claims(references, only), key=lambda pair: references.index(pair[0]))
    ours = run_claims([pair for pair in selection if pair[0] in PAPER_KEYS], jobs, self_test, further, run)

    def each() -> Iterator[tuple[Paper, list[ClaimResult]]]:
        for reference, chosen in groupby(selection, key=itemgetter(0)):
            pairs = list(chosen)
            results = ours if reference in PAPER_KEYS else run_claims(pairs, jobs, self_test, further, run)
            try:
                found = followed(islice(results, len(pairs)), len(pairs), lambda result: f"{result.paper} {result.id}")
            except (DataFileError, RefusedError) as exc:
                failures.append(exc)
            else:
                yield described_paper(reference), found

    return each()


def told(failures: Sequence[LpmechError]) -> None:
    """Raise the last failure, if there is one, once the others are told in a line each."""
    for failure in failures[:-1]:
        print("lpmech: " + " ".join(str(failure).split()), file=sys.stderr)
    if failures:
        raise failures[-1]


def refuse_existing(file: Path, overwrite: bool) -> None:
    """Refuse a file that exists or cannot be written: before the work, and again before it is written."""
    if file.is_file() and not overwrite:
        raise DataFileError("output", str(file), "a file that does not exist yet, or --overwrite")
    check_writable(file)


def check_picture(path: Path, argument: str) -> None:
    """Refuse a picture that `save` could not draw or write, before the work for it; the argument is what names it."""
    from lpmech.extras import required

    required("plots", "matplotlib")
    if path.suffix.lower() != ".png":
        raise InvalidInputError(argument, str(path), "a PNG file: its name ends in .png")
    check_writable(path)


def save(axes: Axes, path: Path) -> None:
    """Save the figure of these axes, or say why the file cannot be written."""
    from lpmech.plots import png

    write_bytes(path, png(axes))
