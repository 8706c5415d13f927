"""Which claims and tests call which functions of the rooms that are mutated, and how long each takes.

``python reach.py claims FILE`` runs every claim in a process of its own, so that no cache hides a call. As a plugin
(``pytest -p reach``) it writes the same of every test to the file that the variable REACH names. A line of the file is
``{"case": ..., "seconds": ..., "functions": ["lpmech/utilities.py:squared", ...]}``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def recorded(case: str, file: Path) -> Generator[None]:
    """Write which functions of lpmech are called inside the block."""
    seen: dict[Any, None] = {}

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen[frame.f_code] = None

    start = time.perf_counter()
    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(None)
        seconds = time.perf_counter() - start
        inside = f"{ROOT}{os.sep}lpmech{os.sep}"
        functions = {
            f"{os.path.relpath(code.co_filename, ROOT)}:{code.co_qualname.replace('.<locals>', '')}"
            for code in seen
            if code.co_filename.startswith(inside)
        }
        with file.open("a", encoding="utf-8") as lines:
            row = {"case": case, "seconds": round(seconds, 3), "functions": sorted(functions)}
            lines.write(json.dumps(row) + "\n")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    with recorded(item.nodeid, Path(os.environ["REACH"])):
        yield


def claims(file: Path) -> None:
    """Record every claim of every paper; those that are in the file already are not run again."""
    from lpmech.papers import PAPER_KEYS
    from lpmech.papers.running import run_claim, select_claims

    known = {json.loads(line)["case"] for line in file.read_text().splitlines()} if file.exists() else set()
    for paper, id in select_claims(PAPER_KEYS):
        if f"{paper} {id}" in known:
            continue
        child = os.fork()
        if not child:
            with recorded(f"{paper} {id}", file):
                run_claim(paper, id)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    claims(Path(sys.argv[2]))
