"""Papers outside this project: a Python file or a package that defines ``PAPER``, loaded by its path."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import lpmech.claims.checking  # noqa: F401  (loaded once, before processes begin that all need it)
from lpmech.claims import Paper, papers_made
from lpmech.errors import DataFileError
from lpmech.files.child import Process, Send, in_own_process, within
from lpmech.files.given import Neighbours, module_of
from lpmech.files.guard import guarded, guarded_alone
from lpmech.files.strangers import RefusedError
from lpmech.papers import PAPER_KEYS

__all__ = ["paper_at", "paper_described", "results_of_own_processes"]

#: Longest time for loading a paper.
_LOADING_SECONDS = 120.0

Result = TypeVar("Result")

#: Of a file, of all files of a package: name, time of change and size.
_State = tuple[tuple[str, int, int], ...]

_loaded: dict[Path, tuple[_State, Paper]] = {}
_described: dict[Path, tuple[_State, Paper]] = {}


def paper_at(path: Path) -> Paper:
    """The paper that a file or a package defines; it is run in this process, once, and once more after it has changed.

    Modules beside the file can be imported by it, a package by its own name. It is held to `lpmech.files.strangers`
    while it is loaded.

    Parameters
    ----------
    path : Path
        Absolute path of a Python file, or of a directory with an ``__init__.py``.

    Raises
    ------
    DataFileError
        If it does not run, or does not define exactly one paper, with claims and a key of its own, as ``PAPER``.
    RefusedError
        If it does what is refused.
    """
    return _known(_loaded, path, _only_paper)


def paper_described(path: Path) -> Paper:
    """The same paper without its code, which is loaded in a process of its own: its claims cannot be run here.

    Raises
    ------
    DataFileError, RefusedError
        As `paper_at`; or if it does not load in time, or ends the process.
    """
    return _known(_described, path, _from_own_process)


def _known(papers: dict[Path, tuple[_State, Paper]], path: Path, loaded: Callable[[Path, Path], Paper]) -> Paper:
    start = path / "__init__.py" if path.is_dir() else path
    if not start.is_file() or start.suffix != ".py":
        raise DataFileError("paper", str(path), "a Python file, or the directory of a package (with __init__.py)")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    state = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    known = papers.get(path)
    if known is None or known[0] != state:
        papers[path] = state, loaded(path, start)
    return papers[path][1]


def _from_own_process(path: Path, _: Path) -> Paper:
    for paper in in_own_process(partial(_describe, path), within(_LOADING_SECONDS), str(path)):
        described: Paper = paper
        return described
    raise DataFileError("paper", str(path), f"a file that is loaded within {_LOADING_SECONDS:g} seconds")


def _describe(path: Path, send: Send) -> None:
    with guarded_alone():
        paper = paper_at(path)
    paper.claims = {id: claim.told() for id, claim in paper.claims.items()}
    send(paper)


def results_of_own_processes(
    path: Path, ids: list[str], run: Callable[[str, str], Result], jobs: int, seconds: float
) -> Iterator[Result]:
    """The results of claims of such a paper, in the order of their ids, from processes of their own.

    The last result comes when all processes have ended well, so that nothing counts of a file that does what is refused.

    Parameters
    ----------
    path : Path
    ids : list of str
    run : callable
        Takes path and id.
    jobs : int
        Number of processes.
    seconds : float
        Longest time for one claim.

    Raises
    ------
    DataFileError
        If a claim is not settled in time, or a process ends by itself; the message names the claim.
    RefusedError
        If the file does what is refused.
    """
    count = min(jobs, len(ids))
    with ExitStack() as stack:
        streams = []
        for first in range(count):
            process = Process(partial(_run_claims, path, ids[first::count], run), str(path))
            stack.callback(process.end)
            streams.append(process.items(lambda: seconds))
        held: list[Result] = []
        for place, id in enumerate(ids):
            yield from held
            held = [_next(streams[place % count], path, id, seconds)]
        for stream in streams:
            for _ in stream:
                pass
        yield from held


def _next(stream: Iterator[Result], path: Path, id: str, seconds: float) -> Result:
    allowed = f"a paper each of whose claims is settled within {seconds:g} seconds"
    try:
        result = next(stream, None)
    except DataFileError as exc:
        raise DataFileError("paper", str(path), f"{exc.allowed}; in or before {id!r}") from exc
    if result is None:
        raise DataFileError("paper", f"{id} of {path}", allowed)
    return result


def _run_claims(path: Path, ids: list[str], run: Callable[[str, str], Any], send: Send) -> None:
    with guarded_alone():
        for id in ids:
            send(run(str(path), id))


def _only_paper(path: Path, start: Path) -> Paper:
    with papers_made() as made:
        module = _run(path, start)
    paper = getattr(module, "PAPER", None)
    if not isinstance(paper, Paper):
        raise DataFileError("paper", str(path), "a file that defines PAPER = Paper(key, title)")
    here = [other.key for other in made if Path(other.file).is_relative_to(path)]
    if len(here) > 1:
        raise DataFileError("paper", str(path), f"a file that makes one Paper, not {len(here)} ({', '.join(here)})")
    if paper.key in PAPER_KEYS:
        raise DataFileError("paper", str(path), f"a key of its own, not {paper.key!r} of a paper covered by lpmech")
    if not paper.claims:
        raise DataFileError("paper", str(path), f"a paper with at least one claim; {paper.key} has none")
    return paper


def _run(path: Path, start: Path) -> ModuleType:
    """Run the file under a name of its own, a package under its own name."""
    name = path.name if path.is_dir() else f"{path.stem} at {path.parent}"
    other = sys.modules.get(name)
    if other is not None and getattr(other, "__file__", None) != str(start):
        raise DataFileError("paper", str(path), f"a package whose name is not taken; {name!r} is another module")
    for old in [loaded for loaded in sys.modules if loaded == name or loaded.startswith(f"{name}.")]:
        del sys.modules[old]
    Neighbours.add(path.parent)
    try:
        with guarded():
            return module_of(name, start)
    except RefusedError:
        raise
    except (Exception, SystemExit) as exc:  # the file is anybody's own program
        raise DataFileError("paper", str(path), f"Python code that runs ({_told(exc, path)})") from exc


def _told(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the paper's own code that led to it."""
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        return what
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(path)]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}: {what}" if own else what
