"""Judge one change of the source: do the claims that reach it notice, and do the tests?

It runs in a copy of the project whose source differs from the original's at one place. The last line that it prints is
``{"room": ..., "verify": what noticed or null, "tests": likewise}``; the exit code is 1 if either noticed.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
#: The source as it was when the run began; the project may be edited meanwhile.
ORIGINAL = Path(os.environ.get("ORIGINAL", ROOT))
#: What the tests need of the project.
KEPT = (
    *("lpmech", "tests", "mutants", "examples", "benchmarks", "notebooks", "docs"),
    *("pyproject.toml", "README.md", "Makefile"),
)


def copied(folder: Path, names: Sequence[str] = KEPT) -> Path:
    """A copy of the project in a folder, or of the parts that are named."""
    for name in names:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def changed_place(copy: Path) -> tuple[str, int]:
    """The file that differs from the original, and its first line that does."""
    for original in sorted((ORIGINAL / "lpmech").rglob("*.py")):
        name = original.relative_to(ORIGINAL)
        before, after = original.read_text(encoding="utf-8"), (copy / name).read_text(encoding="utf-8")
        if before != after:
            pairs = zip(before.splitlines(), after.splitlines(), strict=False)
            return str(name), next((n for n, (old, new) in enumerate(pairs, 1) if old != new), 1)
    raise SystemExit("the copy does not differ from the original")


def function_at(file: str, line: int) -> ast.FunctionDef | None:
    """The innermost function around a line; None outside of functions."""
    tree = ast.parse((ORIGINAL / file).read_text(encoding="utf-8"))
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def is_refusal(folder: Path, place: str) -> bool:
    """Whether a place, ``file:line ...``, decides or words a refusal: a raise, a condition for one, an except."""
    file, line = place.split()[0].split(":")
    for node in ast.walk(ast.parse((folder / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
            span = (node.lineno, node.body[-1].end_lineno)
        elif isinstance(node, (ast.Raise, ast.ExceptHandler)):
            span = (node.lineno, node.end_lineno)
        else:
            continue
        if span[0] <= int(line) <= (span[1] or span[0]):
            return True
    return False


def reaching(kind: str, file: str, line: int, budget: float) -> list[str]:
    """Claims or tests that run the line, else its function, else the file: the quickest first, as far as time goes."""
    from coverage import CoverageData  # measured lines are there only where mutants are made

    folder = Path(os.environ["REACH"])
    seconds = json.loads((folder / f"{kind}.json").read_text(encoding="utf-8"))
    data = CoverageData(str(folder / f"{kind}.coverage"))
    data.read()
    part = re.compile(r"\|(setup|run|teardown)$")  # of a test; ids of claims may have the sign, too
    cases = {n: {part.sub("", case) for case in found} & set(seconds) for n, found in _by_line(data, file).items()}
    function = function_at(file, line)
    body = range(function.body[0].lineno, (function.end_lineno or line) + 1) if function else range(0)
    spans = (range(line, line + 1), body, sorted(cases))
    hit = next((found for span in spans if (found := set().union(*(cases.get(n, set()) for n in span)))), set())
    chosen, total = [], 0.0
    for case in sorted(hit, key=lambda case: (seconds[case], case)):
        total += seconds[case]
        if chosen and total > budget:
            break
        chosen.append(case)
    return chosen


def _by_line(data: Any, file: str) -> dict[int, list[str]]:
    measured = next((name for name in data.measured_files() if name.endswith(f"{os.sep}{file}")), None)
    return data.contexts_by_lineno(measured) if measured else {}


def run(command: Sequence[str], seconds: float, copy: Path) -> tuple[int | None, str]:
    """Exit code (None: it took too long) and output of a command in a session of its own, with the copy's lpmech."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=copy,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return None, "took too long"
    return process.returncode, output


def noticed_by_claims(cases: Sequence[str], seconds: float) -> str | None:
    """The first claim that is not as recorded."""
    if not cases:
        return None
    code, output = run([sys.executable, str(HERE / "judge.py"), "claims", *cases], seconds, Path.cwd())
    return None if code == 0 else (output.strip().splitlines() or ["?"])[-1][-300:]


def noticed_by_tests(cases: Sequence[str], seconds: float) -> str | None:
    """The first test that fails."""
    if not cases:
        return None
    options = ["-n", "0", "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider"]
    code, output = run([sys.executable, "-m", "pytest", *options, *cases], seconds, Path.cwd())
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return None if code == 0 else (failed or [output.strip()[-300:]])[0]


def run_claims(cases: Sequence[str]) -> int:
    """Run claims in this process, as `lpmech verify` does; 1 at the first that is not as recorded."""
    from lpmech.papers.running import run_claim

    for case in cases:
        paper, _, id = case.partition(" ")
        result = run_claim(paper, id)
        if not result.as_recorded:
            print(f"{case}: {result.verdict} ({result.counterexample or result.outcome.evidence})".replace("\n", " "))
            return 1
    return 0


def main() -> int:
    settings: dict[str, Any] = tomllib.loads((HERE / "rooms.toml").read_text(encoding="utf-8"))
    limits = settings["limits"]
    file, line = changed_place(Path.cwd())
    function = function_at(file, line)
    verdict: dict[str, str | None] = {"place": f"{file}:{line} {function.name if function else ''}".strip()}
    for name, kind, judge in (("verify", "claims", noticed_by_claims), ("tests", "tests", noticed_by_tests)):
        budget = limits[f"{kind[:-1]}_seconds"]
        cases = reaching(kind, file, line, budget)
        verdict[name] = judge(cases, limits["times"] * budget + limits["spare_seconds"])
        verdict[f"{name} run"] = str(len(cases))
    print(json.dumps(verdict))
    return int(bool(verdict["verify"] or verdict["tests"]))


if __name__ == "__main__":
    raise SystemExit(run_claims(sys.argv[2:]) if sys.argv[1:2] == ["claims"] else main())
