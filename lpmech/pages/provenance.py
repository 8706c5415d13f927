"""When a report was made, by which command, and from which sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import join

__all__ = ["Provenance", "provenance"]

_HOME = Path(__file__).parents[2]
#: Seconds that git may take.
_PATIENCE = 10


@dataclass(frozen=True)
class Provenance:
    """What a reader needs to make the same report again.

    Attributes
    ----------
    day : str
        Of the run, as 2026-01-31.
    command : str
        As it was typed.
    commit : str
        Of the checkout that lpmech was run from, with a word where files differed from it; empty where there is none.
    """

    day: str
    command: str
    commit: str


def provenance() -> Provenance:
    """Of this run."""
    return Provenance(date.today().isoformat(), join(["lpmech", *sys.argv[1:]]), _commit())


def _commit() -> str:
    """Empty where lpmech was installed without a checkout, or git is missing."""
    git = shutil.which("git")
    if git is None or not (_HOME / ".git").exists():
        return ""
    head, changed = (
        subprocess.run(
            [git, "-C", str(_HOME), *of], capture_output=True, text=True, check=False, timeout=_PATIENCE
        ).stdout.strip()
        for of in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
    )
    return f"{head} with changes" if head and changed else head
