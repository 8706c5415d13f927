"""Sweeps: many programs solved in parallel, every finished one on disk at once, resumable after any interrupt.

Points that differ in epsilon only are solved one after the other, each from an early iterate of its neighbour, where
the structured solver is used; for small steps of epsilon that halves the work (``benchmarks/warm_start.py``).

Points of other programs (`ProgramPoint`: delta, a metric, unbiased numbers, uncertain priors, informations) have their
certificate for a file, and are believed after an interrupt where the checker proves it, of just that program.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from lpmech.certify import checker, program_checker, sublinear_checker
from lpmech.certify.certificate import certificate_of_worst_case
from lpmech.certify.packing import packed_weights
from lpmech.certify.program import program_certificate, sublinear_certificate
from lpmech.channel import Channel
from lpmech.entries import Array, as_array, exact_texts, to_exact, to_float, whole_number
from lpmech.errors import DataFileError, InvalidInputError, SolverError
from lpmech.extras import needs
from lpmech.files.access import make_directory, write_text, write_with
from lpmech.frames import html_of
from lpmech.privacy import PrivacyLevel, as_privacy_level, log_of_fraction
from lpmech.programs import Solution, optimal_channel
from lpmech.programs.linear import LinearProgram
from lpmech.programs.optimal import UncertainProgram
from lpmech.programs.solvers import usual_solver
from lpmech.programs.solvers.structured import solve_along
from lpmech.programs.solvers.unbiased import solve_unbiased
from lpmech.programs.sublinear import Sublinear
from lpmech.programs.unbiased import UnbiasedProgram

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Point", "ProgramPoint", "Proved", "Result", "Results", "grid", "sweep"]


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
    def file(self) -> str:
        """The name of its file."""
        return f"{self.key}.npz"

    @property
    def key(self) -> str:
        """Digest of everything that decides the result."""
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


@dataclass(frozen=True)
class ProgramPoint:
    """Another program of a sweep.

    Attributes
    ----------
    name : str
        For the reader; not part of the point's identity.
    program : LinearProgram, UnbiasedProgram, UncertainProgram or Sublinear
        Of `lpmech.programs.approximate`, `metric`, `unbiased`, `optimal` or `sublinear`.
    """

    name: str
    program: LinearProgram | UnbiasedProgram | UncertainProgram | Sublinear

    @cached_property
    def stated(self) -> dict[str, Any]:
        """The entries of a certificate that say which program it is of."""
        program = self.program
        if isinstance(program, LinearProgram):
            axes = {
                "inputs": [str(name) for name in program.inputs],
                "outputs": [str(name) for name in program.outputs],
            }
            return {"format": program_checker.FORMAT, "kind": program.kind, "data": dict(program.data), **axes}
        if isinstance(program, UnbiasedProgram):
            data = {key: exact_texts(getattr(program, key)) for key in ("values", "prior", "grid")}
            data["ratio"] = str(program.level.ratio_below)
            return {"format": program_checker.FORMAT, "kind": "unbiased", "data": data}
        if isinstance(program, Sublinear):
            told = {"measure": program.measure, "ratio": str(program.ratio), "inputs": list(map(str, program.inputs))}
            return {"format": sublinear_checker.FORMAT, **told, "laws": exact_texts(program.laws)}
        priors, level = program.priors, program.level
        exact = (level.ratio,) * 2 if level.is_exact else checker.exp_bounds(Fraction(level.epsilon))
        shown = {key: exact_texts(getattr(priors, key)) for key in ("centre", "low", "high")}
        utility = packed_weights(to_exact(program.utility))
        stated = {**shown, "radius": str(priors.radius), "utility": utility}
        return {"format": checker.FORMAT, "ratio": [str(t) for t in exact], "fixed": [], "priors": stated}

    @property
    def file(self) -> str:
        """The name of its file: a digest of what decides the result."""
        return hashlib.sha256(json.dumps(self.stated, sort_keys=True).encode()).hexdigest()[:32] + ".json"

    @property
    def epsilon(self) -> float:
        """Of the program; of a metric, between labels of which the distance is the unit of all."""
        stated: Any = self.stated
        told = stated.get("data", stated)
        ratio = told.get("ratio", told.get("base"))
        return log_of_fraction(Fraction(ratio if isinstance(ratio, str) else ratio[0]))

    def certificate(self) -> str:
        """Solve it."""
        program = self.program
        if isinstance(program, Sublinear):
            return sublinear_certificate(program.solve())
        if isinstance(program, UncertainProgram):
            return certificate_of_worst_case(program.solve()).to_json()
        solution = program.solve() if isinstance(program, LinearProgram) else solve_unbiased(program).linear()
        return program_certificate(solution)

    def proved(self, file: Path) -> Proved | None:
        """What the file proves of this program; None if nothing."""
        try:
            data = checker.read(file)
            if not _states(data, self.stated):
                return None
            proof = _CHECKS[data["format"]](data)
        except (OSError, checker.RejectedError):
            return None
        return Proved(self.name, self.epsilon, _outwards(proof.lower, -1), _outwards(proof.upper, 1), data)


@dataclass(frozen=True)
class Proved:
    """The optimum of another program, as its certificate proves it.

    Attributes
    ----------
    name, epsilon : str, float
        Of the point.
    value, bound : float
        The optimum lies in [value, bound].
    certificate : mapping
        What `lpmech certify` reads of its file.
    seconds : float
        Not kept: nan.
    """

    name: str
    epsilon: float
    value: float
    bound: float
    certificate: Mapping[str, Any]
    seconds: float = math.nan


#: The checkers of the formats.
_CHECKS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    checker.FORMAT: checker.check,
    program_checker.FORMAT: program_checker.check_program,
    sublinear_checker.FORMAT: sublinear_checker.check_sublinear,
}


def _outwards(end: Fraction, direction: int) -> float:
    """A float that is not above (direction -1), or not below (1), an end."""
    try:
        near = float(end)
    except OverflowError:  # of more than 308 digits
        near = math.inf if end > 0 else -math.inf
        return near if near == direction * math.inf else math.nextafter(near, 0)
    return near if direction * (Fraction(near) - end) >= 0 else math.nextafter(near, direction * math.inf)


def _states(data: object, asked: object) -> bool:
    """Whether data has all that is asked for."""
    if isinstance(asked, dict):
        return isinstance(data, dict) and all(key in data and _states(data[key], asked[key]) for key in asked)
    return data == asked


class Results(list[Any]):
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
    points: Sequence[Point | ProgramPoint],
    directory: str | Path,
    *,
    jobs: int = 1,
    backend: str | None = None,
    progress: bool = False,
) -> Results:
    """Solve every point whose result is not in `directory` yet; return all results in the order of the points.

    Parameters
    ----------
    points : sequence of Point or ProgramPoint
        Equal points are solved once; their results are `Result` and `Proved`.
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
        If `jobs` is not positive, a point is none, or there is no such backend, or no client for ``"dask"``.
    DataFileError
        If the directory cannot be made or a result cannot be written.
    LpmechError
        What a point raises; the points finished before stay on disk.
    """
    from joblib import Parallel, delayed, parallel_config

    jobs = whole_number(jobs, "jobs", 1)
    given = list(points) if isinstance(points, Iterable) else []
    strangers = [point for point in given if not isinstance(point, (Point, ProgramPoint))]
    if strangers or not isinstance(points, Iterable):
        raise InvalidInputError("points", [*strangers, points][0], "a sequence of Point and ProgramPoint")
    folder = make_directory(directory, "directory")
    files = [folder / point.file for point in given]
    missing = {file: point for point, file in zip(given, files, strict=True) if _read(point, file) is None}
    try:
        settings = parallel_config(backend=backend) if backend else parallel_config()
    except (TypeError, ValueError) as exc:
        allowed = "a backend of joblib, such as 'loky', 'threading', or 'dask' inside a dask.distributed.Client"
        raise InvalidInputError("backend", backend, allowed) from exc
    with settings:
        finished = Parallel(n_jobs=jobs, return_as="generator_unordered")(
            delayed(_solve)(chain) for chain in _chains(missing, jobs)
        )
        _watch(finished, len(missing), progress)
    return Results(_present(point, file) for point, file in zip(given, files, strict=True))


Chain = list[tuple[Path, Any]]


def _chains(missing: Mapping[Path, Point | ProgramPoint], jobs: int) -> list[Chain]:
    """Points that differ in epsilon only, in its order, cut in pieces if there are fewer such chains than jobs."""
    alike: dict[str, Chain] = {}
    others: list[Chain] = []
    for file, point in missing.items():
        if isinstance(point, ProgramPoint):
            others.append([(file, point)])
            continue
        alike.setdefault(replace(point, epsilon=1.0).key, []).append((file, point))
    pieces = -(-jobs // max(len(alike), 1))
    chains = others
    for chain in alike.values():
        chain.sort(key=lambda item: item[1].level.epsilon)
        size = -(-len(chain) // pieces)
        chains += [chain[start : start + size] for start in range(0, len(chain), size)]
    return chains


def _solve(chain: Chain) -> int:
    """Solve the points of a chain and write each as soon as it is solved; returns their number."""
    if isinstance(chain[0][1], ProgramPoint):
        ((path, other),) = chain
        write_text(path, other.certificate())
        return 1
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


def _read(point: Point | ProgramPoint, file: Path) -> Result | Proved | None:
    """The result on disk, or None if there is none that proves an optimum of this point's program.

    A file holds the witness only, the channel and the duals. What it proves is worked out and checked again.
    """
    if isinstance(point, ProgramPoint):
        return point.proved(file)
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


def _present(point: Point | ProgramPoint, file: Path) -> Result | Proved:
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
