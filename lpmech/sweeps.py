"""Sweeps: many programs solved in parallel, every finished one on disk at once, resumable after any interrupt.

Points that differ in epsilon only are solved one after the other, each from an early iterate of its neighbour, where
the structured solver is used; for small steps of epsilon that halves the work (``benchmarks/warm_start.py``).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_float, whole_number
from lpmech.errors import DataFileError, SolverError
from lpmech.extras import needs
from lpmech.files.access import make_directory, write_with
from lpmech.frames import html_of
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import Solution, optimal_channel
from lpmech.programs.solvers import usual_solver
from lpmech.programs.solvers.structured import solve_along

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Point", "Result", "Results", "grid", "sweep"]


@dataclass(frozen=True)
class Point:
    """One program of a sweep.

    Attributes
    ----------
    name : str
        For the reader; not part of the point's identity.
    utility : array_like, shape (K, J)
    epsilon : float or PrivacyLevel
    prior : array_like, shape (K,), or None
        Uniform if None.
    solver : str or None
        As in `Program.solve`.
    """

    name: str
    utility: Any
    epsilon: PrivacyLevel | float
    prior: Any = None
    solver: str | None = None

    @cached_property
    def level(self) -> PrivacyLevel:
        """The privacy level."""
        return as_privacy_level(self.epsilon)

    @property
    def key(self) -> str:
        """Digest of everything that decides the result: the name of the point's file."""
        digest = hashlib.sha256(f"{self.level.ratio!r} {self.level.epsilon!r} {self.solver!r}".encode())
        for array in (self.utility, self.prior):
            values = np.asarray(array if array is not None else [])
            digest.update(f"{values.shape} {values.dtype}".encode())
            digest.update(repr(values.tolist()).encode() if values.dtype == object else values.tobytes())
        return digest.hexdigest()[:32]


@dataclass(frozen=True)
class Result:
    """The certified optimum of one point.

    Attributes
    ----------
    name, epsilon : str, float
        Of the point.
    value, bound : float
        The optimum lies in [value, bound]; see `lpmech.programs.Solution`.
    seconds : float
        Solving time.
    channel : Channel
        Attains `value`; in floats.
    row_duals : ndarray, shape (K,)
        Prove `bound`.
    """

    name: str
    epsilon: float
    value: float
    bound: float
    seconds: float
    channel: Channel
    row_duals: Array


class Results(list[Result]):
    """Results in the order of their points, and as a table."""

    def to_frame(self) -> pd.DataFrame:
        """A row for each point: name, epsilon, value, bound, seconds."""
        with needs("frames"):
            import pandas as pd

        columns = ["name", "epsilon", "value", "bound", "seconds"]
        return pd.DataFrame([[getattr(r, column) for column in columns] for r in self], columns=columns)

    def _repr_html_(self) -> str | None:
        return html_of(f"{len(self)} certified optima", self.to_frame)


def grid(
    utilities: Mapping[str, object],
    epsilons: Sequence[PrivacyLevel | float],
    priors: Mapping[str, object] | None = None,
    solver: str | None = None,
) -> list[Point]:
    """Every utility with every prior at every epsilon; named "utility, prior, epsilon".

    Raises
    ------
    PrivacyLevelError
        If an epsilon is not usable.
    """
    return [
        Point(", ".join([u, *([p] if p else []), str(level)]), utilities[u], level, prior, solver)
        for u, (p, prior), level in product(utilities, (priors or {"": None}).items(), map(as_privacy_level, epsilons))
    ]


def sweep(
    points: Sequence[Point],
    directory: str | Path,
    *,
    jobs: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Results:
    """Solve every point whose result is not in `directory` yet; return all results in the order of the points.

    Parameters
    ----------
    points : sequence of Point
        Equal points are solved once.
    directory : path
        One file for every finished point, written by the process that solved it: under another name first and then
        renamed, so that a file is either complete or not there. With workers on other machines it must be shared.
    jobs : int
        Number of processes.
    backend : str, optional
        A joblib backend: ``"loky"`` (default, processes on this machine), ``"threading"``, ``"dask"`` (inside a
        ``dask.distributed.Client``).
    progress : bool
        Show a bar on stderr.

    Raises
    ------
    InvalidInputError
        If `jobs` is not positive.
    DataFileError
        If the directory cannot be made or a result cannot be written.
    LpmechError
        What a point raises; the points finished before stay on disk.
    """
    from joblib import Parallel, delayed, parallel_config

    jobs = whole_number(jobs, "jobs", 1)
    folder = make_directory(directory, "directory")
    files = [folder / f"{point.key}.npz" for point in points]
    missing = {file: point for point, file in zip(points, files, strict=True) if _read(point, file) is None}
    with parallel_config(backend=backend) if backend else parallel_config():
        finished = Parallel(n_jobs=jobs, return_as="generator_unordered")(
            delayed(_solve)(chain) for chain in _chains(missing, jobs)
        )
        _watch(finished, len(missing), progress)
    return Results(_present(point, file) for point, file in zip(points, files, strict=True))


Chain = list[tuple[Path, Point]]


def _chains(missing: Mapping[Path, Point], jobs: int) -> list[Chain]:
    """Points that differ in epsilon only, in its order, cut in pieces if there are fewer such chains than jobs."""
    alike: dict[str, Chain] = {}
    for file, point in missing.items():
        alike.setdefault(replace(point, epsilon=1.0).key, []).append((file, point))
    pieces = -(-jobs // max(len(alike), 1))
    chains = []
    for chain in alike.values():
        chain.sort(key=lambda item: item[1].level.epsilon)
        size = -(-len(chain) // pieces)
        chains += [chain[start : start + size] for start in range(0, len(chain), size)]
    return chains


def _solve(chain: Chain) -> int:
    """Solve the points of a chain and write each as soon as it is solved; returns their number."""
    programs = [optimal_channel(point.utility, point.level, point.prior) for _, point in chain]
    solver = chain[0][1].solver or usual_solver(programs[0])
    solved = solve_along(programs) if solver == "interior-point" else (p.solve(solver) for p in programs)
    for (file, _), solution in zip(chain, solved, strict=True):
        _write(file, solution)
    return len(chain)


def _write(file: Path, solution: Solution) -> None:
    matrix, duals = to_float(solution.channel.matrix), to_float(solution.row_duals)
    seconds = np.array(float(solution.statistics.get("seconds") or 0.0))
    write_with(lambda buffer: np.savez(buffer, matrix=matrix, row_duals=duals, seconds=seconds), file)


def _read(point: Point, file: Path) -> Result | None:
    """The result on disk, or None if there is none that proves an optimum of this point's program.

    A file holds the witness only, the channel and the duals. What it proves is worked out and checked again.
    """
    try:
        with np.load(file, allow_pickle=False) as data:
            matrix, duals, seconds = data["matrix"], data["row_duals"], float(data["seconds"])
        program = optimal_channel(point.utility, point.level, point.prior)
        channel = Channel(matrix, program.inputs, program.outputs)
        proved = Solution(program, channel, as_array(duals, "row_duals", 1))
        value, bound = float(proved.value), float(proved.bound)
    except (OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile, SolverError):
        return None
    if not 0 <= seconds < math.inf:
        return None
    return Result(point.name, program.level.epsilon, value, bound, seconds, Channel(matrix), proved.row_duals)


def _present(point: Point, file: Path) -> Result:
    result = _read(point, file)
    if result is None:
        raise DataFileError("directory", str(file), "a directory that keeps what is written to it")
    return result


def _watch(finished: Iterator[int], total: int, progress: bool) -> None:
    """Wait for the chains, with a bar that counts points if wanted."""
    with ExitStack() as stack:
        advance: Callable[[int], object] = lambda points: None  # noqa: E731
        if progress:
            from rich.console import Console
            from rich.progress import Progress

            bar = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
            task = bar.add_task("sweep", total=total)
            advance = partial(bar.advance, task)
        for points in finished:
            advance(points)
