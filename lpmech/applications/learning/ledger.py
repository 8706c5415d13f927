"""What fits of label-private estimators spent: every fit in this process, and in those that it starts, is added up.

Whose labels a fit saw cannot be known: features are scaled and labels cut into folds before they come here. So the sum
is an upper bound of what was spent on anybody: fits on other people's labels count, too, unless they have a ledger of
their own. The ledger is a file, one line a fit, in a private directory that is removed at the end; its path stands in
the environment variable `LEDGER`, which processes inherit. Who sets that variable to a file keeps the ledger, adds up
over several runs, or gives other people's labels a file of their own.
"""

from __future__ import annotations

import atexit
import math
import multiprocessing
import os
import shutil
import tempfile
import warnings
from fractions import Fraction
from numbers import Integral
from pathlib import Path
from typing import Any

from filelock import FileLock

from lpmech.errors import DataFileError, InvalidInputError, PrivacyWarning
from lpmech.randomness import RandomState

__all__ = ["LEDGER", "OnTheBooks", "spent_in_all"]

#: The environment variable that names the file.
LEDGER = "LPMECH_LEARNING_LEDGER"

_RELEASE, _EXPERIMENT = "release", "experiment"
_PATIENCE = 60.0


class OnTheBooks:
    """An estimator that takes the path of the ledger along to worker processes older than the ledger."""

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {**state, LEDGER: os.environ.get(LEDGER)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        theirs = state.pop(LEDGER, None)
        if theirs and _is_worker():
            os.environ[LEDGER] = theirs
        super().__setstate__(state)  # type: ignore[misc]


def spent_in_all(epsilon: float, random_state: RandomState) -> float:
    """Enter a fit of this level, and return what all fits so far spent in sum: at least what anybody's labels cost.

    Parameters
    ----------
    epsilon : float
        Level of this fit, infinite without noise.
    random_state : object
        As given to the estimator. A whole number makes the fit an experiment, whose noise can be taken off again: it
        does not count for releases, which have noise that nobody can repeat; for an experiment everything counts.

    Warns
    -----
    PrivacyWarning
        If a release is not the first one.

    Raises
    ------
    InvalidInputError
        If this is a worker process that does not know the ledger: then nothing may be released.
    DataFileError
        If the ledger cannot be written or read.
    """
    experiment, path = isinstance(random_state, Integral), os.environ.get(LEDGER)
    if path is None:
        if experiment:
            return math.inf  # what the others spent is not known here
        raise InvalidInputError(
            "fit",
            "a worker process that is older than the ledger",
            f"lpmech.applications.learning imported before workers start, or the variable {LEDGER} set to a file",
        )
    counted = (_RELEASE, _EXPERIMENT) if experiment else (_RELEASE,)
    total = _sum_above([level for kind, level in _entered(path, counted[-1], epsilon) if kind in counted])
    if total > epsilon and not experiment:
        warnings.warn(
            f"labels were released before in this process or one beside it: epsilon is now up to {total:g} in all, not "
            f"{epsilon:g}; to choose among models, release once and go on with released_; other people's labels: see "
            "lpmech.applications.learning.ledger",
            PrivacyWarning,
            stacklevel=3,
        )
    return total


def _entered(path: str, kind: str, epsilon: float) -> list[tuple[str, float]]:
    """All entries, this one included."""
    try:
        Path(path).parent.stat()  # the lock would make a folder that is gone anew
        with FileLock(f"{path}.lock", timeout=_PATIENCE, mode=0o600):
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w") as file:
                file.write(f"{kind} {float(epsilon)!r}\n")
            return [_entry(line) for line in Path(path).read_text().splitlines()]
    except (OSError, ValueError) as exc:
        raise DataFileError(LEDGER, path, f"a ledger that can be locked, written and read ({exc})") from exc


def _entry(line: str) -> tuple[str, float]:
    kind, _, text = line.partition(" ")
    level = float(text)
    if kind not in (_RELEASE, _EXPERIMENT) or not level > 0:
        raise ValueError(f"a line {line!r}")
    return kind, level


def _sum_above(levels: list[float]) -> float:
    """The sum of the decimals as they are printed, rounded up."""
    if math.inf in levels:
        return math.inf
    exact = sum(Fraction(repr(level)) for level in levels)
    rounded = float(exact)
    return rounded if Fraction(repr(rounded)) >= exact else math.nextafter(rounded, math.inf)


def _is_worker() -> bool:
    return multiprocessing.parent_process() is not None


def _opened() -> None:
    """Make the ledger of this process and those that it will start, unless it has one already, or should have one."""
    if LEDGER in os.environ or _is_worker():
        return
    folder, owner = tempfile.mkdtemp(prefix="lpmech-"), os.getpid()
    os.environ[LEDGER] = str(Path(folder) / "ledger")
    atexit.register(_removed, folder, owner)


def _removed(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # not a child that it forked
        shutil.rmtree(folder, ignore_errors=True)


_opened()
