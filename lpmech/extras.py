"""Libraries that not everybody needs: each comes with an extra of lpmech, which is named where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from lpmech.errors import MissingDependencyError

__all__ = ["needs", "required"]

#: Distributions that are not called as what is imported from them.
_DISTRIBUTIONS = {"sklearn": "scikit-learn", "z3": "z3-solver"}


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """What is imported within comes with this extra.

    Raises
    ------
    MissingDependencyError
        If it is not installed; names the command that installs it.
    """
    try:
        yield
    except ModuleNotFoundError as exc:
        raise _missing(str(exc.name), extra) from exc


def required(extra: str, *libraries: str) -> None:
    """Refuse to go on without these libraries of an extra, none of which is loaded.

    Raises
    ------
    MissingDependencyError
        If one is not installed; names the command that installs it.
    """
    for library in libraries:
        if find_spec(library) is None:
            raise _missing(library, extra)


def _missing(library: str, extra: str) -> MissingDependencyError:
    top = library.partition(".")[0]
    return MissingDependencyError(_DISTRIBUTIONS.get(top, top), extra)
