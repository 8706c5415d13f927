"""Plant known errors, one at a time, in a copy of lpmech, and see whether the claims or tests that should notice do.

``python planted.py [PART OF A NAME ...]`` runs all, or those named; it exits with 1 if one goes unnoticed.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from judge import ROOT, copied, run, run_claims

ERRORS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "planted.toml").read_text(encoding="utf-8"))[
    "error"
]

#: Seconds that a claim may take with an error in it.
_LONGEST = 300


def planted(error: dict[str, Any], copy: Path) -> None:
    """Write the error into a copy of the source.

    Raises
    ------
    ValueError
        If what is to be replaced does not stand in the file exactly once.
    """
    file = copy / error["file"]
    text = (ROOT / error["file"]).read_text(encoding="utf-8")
    if text.count(error["old"]) != 1:
        raise ValueError(
            f"{error['name']}: {error['old']!r} stands {text.count(error['old'])} times in {error['file']}"
        )
    file.write_text(text.replace(error["old"], error["new"]), encoding="utf-8")


def run_python(command: tuple[str, ...], seconds: float, copy: Path) -> tuple[int | None, str]:
    return run([sys.executable, *command], seconds, copy)


_unplanted = cache(run_python)


def notice(error: dict[str, Any], copy: Path, seconds: float = 900) -> str | None:
    """What notices an error: the line of the command that says so; None if nothing does."""
    planted(error, copy)
    try:
        if "verify" in error:
            only = [word for id in error.get("only", []) for word in ("--only", id)]
            command = ["-m", "lpmech", "verify", error["verify"], *only, "--jobs", "1"]
        else:
            command = ["-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *error["tests"]]
        same = error["old"] == error["new"]  # what is not changed is run once for all errors
        judge = _unplanted if same else run_python
        code, output = judge(tuple(command), seconds, copy)
        lines = output.strip().splitlines()
        return None if code == 0 else next((line for line in lines if line.startswith(("FAILED", "ERROR"))), lines[-1])
    finally:
        shutil.copy(ROOT / error["file"], copy / error["file"])


def noticed_in_fork(error: dict[str, Any], copy: Path) -> bool:
    """Whether one of the claims of its `only` notices an error, in a child of this process, which has the libraries."""
    planted(error, copy)
    child = os.fork()
    if not child:
        try:
            for name in [name for name in sys.modules if name.partition(".")[0] == "lpmech"]:
                del sys.modules[name]
            sys.path.insert(0, str(copy))
            os._exit(run_claims([f"{error['verify']} {id}" for id in error["only"]]))
        except BaseException:  # the child must not go on as a second parent; that it breaks is a notice too
            os._exit(1)
    if not select.select([os.pidfd_open(child)], [], [], _LONGEST)[0]:  # it waits for a lock that a thread here held
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    shutil.copy(ROOT / error["file"], copy / error["file"])
    return os.waitstatus_to_exitcode(status) == 1


def main(parts: list[str]) -> int:
    chosen = [error for error in ERRORS if not parts or any(part in error["name"] for part in parts)]
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for error in chosen:
            harmless = {**error, "new": error["old"]}
            if (before := notice(harmless, copy)) is not None:
                raise SystemExit(f"{error['name']}: noticed before it is planted: {before}")
            found = notice(error, copy)
            unnoticed += found is None
            print(f"{error['name']}: {found or 'UNNOTICED'}", flush=True)
    return int(unnoticed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
