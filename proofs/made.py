"""Theorems made from the proofs of claims: written, compiled paper by paper, counted: `make theorems`.

Needs lpmech, since the claims are run, and `coqc`. A theorem that Rocq does not accept within its time is left out and
named. The record `made.json` has, claim by claim, the hashes of what the theorems say; `lpmech` says "kernel" beside a
claim as long as its relations say just that. Papers that are not named keep their entries.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lpmech.papers import PAPER_KEYS
from lpmech.papers.objects import run_with_theorems
from lpmech.papers.running import ClaimResult, run_claims, select_claims

HERE = Path(__file__).parent
RECORD = HERE / "made.json"
THEORY = HERE / "Relations.v"

#: Seconds for one tactic, and theorems in a file.
PATIENCE, SIZE = 30, 40

_HEAD = f"""From Coq Require Import Reals Lra Psatz.
From lpmech Require Import Relations.
Open Scope R_scope.
Set Default Timeout {PATIENCE}.
"""

spec = importlib.util.spec_from_file_location("proofs_check", HERE / "check.py")
assert spec is not None
assert spec.loader is not None
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)


class Compiler:
    """Theorems compiled in files of some forty; the theory is compiled already.

    Parameters
    ----------
    directory : Path
    jobs : int
        How many at a time.
    """

    def __init__(self, directory: Path, jobs: int):
        self._directory, self._jobs = directory, jobs
        self.wrong: dict[str, str] = {}

    def accepted(self, theorems: Sequence[tuple[str, str]]) -> list[str]:
        """Names of the theorems that Rocq accepts; what it says of the others is in `wrong`.

        Raises
        ------
        SystemExit
            If what is accepted assumes more than the real numbers of the standard library.
        """
        parts = [theorems[n : n + SIZE] for n in range(0, len(theorems), SIZE)]
        with ThreadPoolExecutor(self._jobs) as pool:
            kept = list(pool.map(self._part, range(len(parts)), parts))
        names = [f"part_{n}.{name}" for n, part in enumerate(kept) for name in part]
        if names:
            lines = [f"From lpmech Require part_{n}." for n in range(len(parts))]
            lines += ["Definition all_of_them : True :=", *(f"  let _ := {name} in" for name in names), "  I."]
            lines.append("Print Assumptions all_of_them.")
            told, line = self._coqc("asked", "\n".join(lines))
            more = set(re.findall(r"^([\w.]+)\s*:", told.replace("Axioms:", ""), re.MULTILINE)) - check.ALLOWED
            if more or line is not None:
                sys.exit(f"the theorems assume {', '.join(sorted(more)) or told}")
        return [name for part in kept for name in part]

    def _part(self, number: int, theorems: Sequence[tuple[str, str]]) -> list[str]:
        """Compile a file, without a theorem that is refused, until nothing is."""
        left = list(theorems)
        while True:
            text, ends = _HEAD, []
            for _, theorem in left:
                text += theorem + "\n"
                ends.append(text.count("\n"))
            told, line = self._coqc(f"part_{number}", text)
            if line is None:
                return [name for name, _ in left]
            place = next(n for n, end in enumerate(ends) if line <= end)
            self.wrong[left.pop(place)[0]] = " ".join(told.partition("Error:")[2].split())[:160] or "time"

    def _coqc(self, module: str, text: str) -> tuple[str, int | None]:
        """What `coqc` prints of a file, and the line of the error; None if there is none."""
        (self._directory / f"{module}.v").write_text(text)
        told = ["coqc", "-q", "-noglob", "-R", ".", "lpmech", f"{module}.v"]
        done = subprocess.run(told, cwd=self._directory, capture_output=True, text=True, check=False, timeout=3600)
        place = re.search(r"line (\d+), characters", done.stderr)
        if done.returncode and place is None:
            sys.exit(done.stderr)
        return done.stdout + done.stderr, int(place[1]) if done.returncode and place else None


def entry(results: Sequence[ClaimResult], compiler: Compiler) -> tuple[dict[str, Any], str]:
    """What the record says of a paper, and what is printed."""
    theorems = {one.name: one for result in results for one in result.theorems if one.text}
    texts = [(one.name, one.text) for one in theorems.values()]
    texts += [(f"{one.name}_is_not_empty", one.example) for one in theorems.values() if one.example]
    accepted = set(compiler.accepted(texts))
    proved = [result for result in results if result.verdict == "proved"]
    claims = {r.id: sorted({one.statement for one in r.theorems}) for r in proved if not _lacking(r, accepted)}
    others = {r.id: why for r in proved if (why := _lacking(r, accepted))}
    examples = sum(name.endswith("_is_not_empty") for name in accepted)
    relations = {one.said for result in proved for one in result.theorems}
    line = (
        f"{len(accepted) - examples} of {len(relations)} relations are theorems, {examples} of them not empty; "
        f"of {len(proved)} proved claims {len(claims)} are checked"
    )
    return {"proved": len(proved), "claims": claims, "others": others}, line


def _lacking(result: ClaimResult, accepted: Collection[str]) -> str:
    """Why the kernel has not checked a claim."""
    if not result.theorems:
        return f"no relations: {result.outcome.method}"
    for one in result.theorems:
        if one.name not in accepted:
            return one.reason or "a theorem that Rocq does not accept"
    return f"besides: {result.besides}" if result.besides else ""


def main() -> int:
    """Make, compile, print, and write the record; 1 if a claim is not checked any more that was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", default=list(PAPER_KEYS), metavar="PAPER")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if shutil.which("coqc") is None:
        sys.exit("coqc is not installed (Debian and Ubuntu: apt-get install coq)")
    theory = hashlib.sha256(THEORY.read_bytes()).hexdigest()
    known = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    papers = known.get("papers", {}) if known.get("theory") == theory else {}
    lost = []
    for key in options.papers:
        start = time.monotonic()
        results = list(run_claims(select_claims([key]), options.jobs, run=run_with_theorems))
        with tempfile.TemporaryDirectory() as place:
            shutil.copy(THEORY, place)
            subprocess.run(["coqc", "-q", "-R", ".", "lpmech", THEORY.name], cwd=place, check=True)
            compiler = Compiler(Path(place), options.jobs)
            papers[key], line = entry(results, compiler)
        lost += [
            f"{key}: {id}"
            for id in known.get("papers", {}).get(key, {}).get("claims", {})
            if id not in papers[key]["claims"]
        ]
        print(f"{key}: {line} ({time.monotonic() - start:.0f} s)")
        for why, count in Counter(papers[key]["others"].values()).most_common():
            print(f"  {count} without: {why}")
        for name, why in compiler.wrong.items():
            print(f"  {name}: {why}")
        record = {"rocq": check.version(), "theory": theory, "papers": dict(sorted(papers.items()))}
        RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    if lost:
        print("\n".join(["not checked any more:", *lost]), file=sys.stderr)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
