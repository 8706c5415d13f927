"""Which claims and tests run which lines of the rooms that are mutated, and how long each takes.

``python reach.py FOLDER`` runs every claim in a process of its own, so that no cache hides a call, and writes the
lines to ``claims.coverage``, a case a context, and the seconds to ``claims.json``. As a plugin of pytest (``-p reach``,
beside ``--cov --cov-context=test``) it writes the seconds of every test to the file that the variable SECONDS names.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parent.parent
_seconds: Counter[str] = Counter()
#: What fails without a change, under measurement, is not asked about one.
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration
    if report.failed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        passed = {case: seconds for case, seconds in _seconds.items() if case not in _failed}
        Path(os.environ["SECONDS"]).write_text(json.dumps(passed), encoding="utf-8")
        session.exitstatus = pytest.ExitCode.OK if passed else pytest.ExitCode.NO_TESTS_COLLECTED


def _run(case: tuple[str, str, Path]) -> tuple[str, float]:
    from lpmech.papers.running import run_claim

    paper, id, folder = case
    name = f"{paper} {id}"
    lines = Coverage(data_file=str(folder / "part"), data_suffix=True, source_pkgs=["lpmech"], context=name)
    start = time.perf_counter()
    with lines.collect():
        run_claim(paper, id)
    seconds = time.perf_counter() - start
    lines.save()
    return name, seconds


def claims(folder: Path) -> None:
    """Record every claim of every paper."""
    from lpmech.papers import PAPER_KEYS
    from lpmech.papers.running import select_claims

    cases = [(paper, id, folder) for paper, id in select_claims(PAPER_KEYS)]
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=1) as pool:
        seconds = dict(pool.imap_unordered(_run, cases, chunksize=1))
    whole = CoverageData(str(folder / "claims.coverage"))
    for part in folder.glob("part.*"):
        read = CoverageData(str(part))
        read.read()
        whole.update(read)
        part.unlink()
    whole.write()
    (folder / "claims.json").write_text(json.dumps(seconds), encoding="utf-8")


if __name__ == "__main__":
    claims(Path(sys.argv[1]))
