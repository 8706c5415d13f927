"""Papers outside this project: a Python file or a package that defines ``PAPER``, loaded by its path."""

from __future__ import annotations

import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from lpmech.claims import Paper, papers_made
from lpmech.errors import DataFileError
from lpmech.papers import PAPER_KEYS

__all__ = ["paper_at"]

#: Of a file, of all files of a package: name, time of change and size.
_State = tuple[tuple[str, int, int], ...]

_loaded: dict[Path, tuple[_State, Paper]] = {}


def paper_at(path: Path) -> Paper:
    """The paper that a file or a package defines; it is run once, and once more after it has changed.

    Modules beside the file can be imported by it, a package by its own name.

    Parameters
    ----------
    path : Path
        Absolute path of a Python file, or of a directory with an ``__init__.py``.

    Raises
    ------
    DataFileError
        If it does not run, or does not define exactly one paper, with claims and a key of its own, as ``PAPER``.
    """
    start = path / "__init__.py" if path.is_dir() else path
    if not start.is_file() or start.suffix != ".py":
        raise DataFileError("paper", str(path), "a Python file, or the directory of a package (with __init__.py)")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    state = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    known = _loaded.get(path)
    if known is None or known[0] != state:
        _loaded[path] = state, _only_paper(path, start)
    return _loaded[path][1]


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
    """Import the file under a name of its own, a package under its own name."""
    name = path.name if path.is_dir() else f"{path.stem} at {path.parent}"
    other = sys.modules.get(name)
    if other is not None and getattr(other, "__file__", None) != str(start):
        raise DataFileError("paper", str(path), f"a package whose name is not taken; {name!r} is another module")
    for old in [loaded for loaded in sys.modules if loaded == name or loaded.startswith(f"{name}.")]:
        del sys.modules[old]
    spec = spec_from_file_location(name, start)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as exc:  # the file is anybody's own program
        del sys.modules[name]
        raise DataFileError("paper", str(path), f"Python code that runs ({_told(exc, path)})") from exc
    return module


def _told(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the paper's own code that led to it."""
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        return what
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(path)]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}: {what}" if own else what
