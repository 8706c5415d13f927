"""Judge one change of the source: do the claims that reach it notice, and do the tests?

It runs in a copy of the project whose source differs from the original's at one place. The last line that it prints is
``{"room": ..., "verify": what noticed or null, "tests": likewise}``; the exit code is 1 if either noticed.
"""

from __future__ import annotations

import ast
import json
import os
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


def function_at(file: str, line: int) -> str | None:
    """The qualified name of the innermost function around a line; None outside of functions."""
    found: list[str] = []

    def enter(node: ast.AST, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            inside = names
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                if not child.lineno <= line <= (child.end_lineno or line):
                    continue
                inside = (*names, child.name)
                if isinstance(child, ast.FunctionDef):
                    found.append(".".join(inside))
            enter(child, inside)

    enter(ast.parse((ORIGINAL / file).read_text(encoding="utf-8")), ())
    return found[-1] if found else None


def reaching(kind: str, file: str, function: str | None, budget: float) -> list[str]:
    """Claims or tests that call the function (or anything in the file), the quickest first, as far as the time goes."""
    rows = [json.loads(line) for line in (Path(os.environ["REACH"]) / f"{kind}.jsonl").read_text().splitlines()]
    wanted = f"{file}:{function}" if function else f"{file}:"
    hit = [
        row
        for row in rows
        if any(name == wanted or (not function and name.startswith(wanted)) for name in row["functions"])
    ]
    if not hit and function:  # it may be called where no record was made: anything that comes into the file
        return reaching(kind, file, None, budget)
    chosen, total = [], 0.0
    for row in sorted(hit, key=lambda row: row["seconds"]):
        total += row["seconds"]
        if chosen and total > budget:
            break
        chosen.append(row["case"])
    return chosen


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
            print(f"{case}: {result.verdict} ({result.counterexample or result.evidence})".replace("\n", " "))
            return 1
    return 0


def main() -> int:
    settings: dict[str, Any] = tomllib.loads((HERE / "rooms.toml").read_text(encoding="utf-8"))
    limits = settings["limits"]
    file, line = changed_place(Path.cwd())
    function = function_at(file, line)
    verdict: dict[str, str | None] = {"place": f"{file}:{line} {function or ''}".strip()}
    for name, kind, judge in (("verify", "claims", noticed_by_claims), ("tests", "tests", noticed_by_tests)):
        budget = limits[f"{kind[:-1]}_seconds"]
        cases = reaching(kind, file, function, budget)
        verdict[name] = judge(cases, limits["times"] * budget + limits["spare_seconds"])
        verdict[f"{name} run"] = str(len(cases))
    print(json.dumps(verdict))
    return int(bool(verdict["verify"] or verdict["tests"]))


if __name__ == "__main__":
    raise SystemExit(run_claims(sys.argv[2:]) if sys.argv[1:2] == ["claims"] else main())
