"""Theorems made from the proofs of claims: written, compiled paper by paper, counted: `make proofs`.

Needs lpmech, since the claims are run, and `coqc`. A theorem that Rocq does not accept within its time is left out and
named. The record `made.json` has, claim by claim, the hashes of what the theorems say; `lpmech` says "kernel" beside a
claim as long as its relations, or the comparisons of its instances, say just that. Papers that are not named keep their
entries, and so do claims whose theorems, with their proofs, are to the letter those that were tried: `--all` compiles
what was accepted anew, `--others` tries what was not.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lpmech.papers import PAPER_KEYS
from lpmech.papers.kernel import is_arithmetic
from lpmech.papers.objects import run_with_theorems
from lpmech.papers.running import ClaimResult, run_claims, select_claims
from lpmech.prove.rocq_arithmetic import HEAD as ARITHMETIC
from lpmech.prove.rocq_arithmetic import REALS, REALS_HEAD

HERE = Path(__file__).parent
RECORD = HERE / "made.json"
THEORY, EXPONENTIALS = HERE / "Relations.v", HERE / "Exponentials.v"

#: Theorems in a file: one that is refused has the others compiled again.
SIZE = 12

#: Seconds of processor time, and kilobytes, for a file.
_LIMITS = "ulimit -t 300 -v 3000000"

_HEAD = """From Coq Require Import Reals Lra Psatz.
From lpmech Require Import Relations.
Open Scope R_scope.
"""

spec = importlib.util.spec_from_file_location("proofs_check", HERE / "check.py")
assert spec is not None
assert spec.loader is not None
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)


class Compiler:
    """Theorems compiled in files of some; the theory is compiled already.

    Parameters
    ----------
    directory : Path
    jobs : int
        How many at a time.
    patience : int
        Seconds for one tactic, by the clock.
    """

    def __init__(self, directory: Path, jobs: int, patience: int):
        self._directory, self._jobs, self._patience, self._parts = directory, jobs, patience, 0
        self.wrong: dict[str, str] = {}

    def accepted(self, theorems: Sequence[tuple[str, str]], head: str = _HEAD) -> list[str]:
        """Names of the theorems that Rocq accepts; what it says of the others is in `wrong`.

        Raises
        ------
        SystemExit
            If what is accepted assumes more than the real numbers of the standard library.
        """
        parts = [theorems[n : n + SIZE] for n in range(0, len(theorems), SIZE)]
        numbers = range(self._parts, self._parts + len(parts))
        self._parts += len(parts)
        with ThreadPoolExecutor(self._jobs) as pool:
            kept = list(pool.map(self._part, numbers, parts, [head] * len(parts)))
        names = [f"part_{n}.{name}" for n, part in zip(numbers, kept, strict=True) for name in part]
        if names:
            lines = [f"From lpmech Require part_{n}." for n in numbers]
            lines += ["Definition all_of_them : True :=", *(f"  let _ := {name} in" for name in names), "  I."]
            lines.append("Print Assumptions all_of_them.")
            told, line = self._coqc("asked", "\n".join(lines))
            more = set(check.assumed_in(told)) - check.ALLOWED
            if more or line is not None:
                sys.exit(f"the theorems assume {', '.join(sorted(more)) or told}")
        return [name for part in kept for name in part]

    def _part(self, number: int, theorems: Sequence[tuple[str, str]], head: str) -> list[str]:
        """Compile a file, without a theorem that is refused, until nothing is."""
        left = list(theorems)
        while left:
            text, ends = f"{head}Set Default Timeout {self._patience}.\n", []
            for _, theorem in left:
                text += theorem + "\n"
                ends.append(text.count("\n"))
            told, line = self._coqc(f"part_{number}", text)
            if line is None:
                return [name for name, _ in left]
            if not line:
                left = [one for one in left if self._alone(number, head, one)]
                continue
            place = next(n for n, end in enumerate(ends) if line <= end)
            self.wrong[left.pop(place)[0]] = " ".join(told.partition("Error:")[2].split())[:160] or "time"
        return []

    def _alone(self, number: int, head: str, theorem: tuple[str, str]) -> bool:
        """Whether a theorem of a file that went beyond its time or memory does not do so by itself."""
        if self._coqc(f"alone_{number}", head + theorem[1])[1] != 0:
            return True
        self.wrong[theorem[0]] = "more time or memory than there is"
        return False

    def _coqc(self, module: str, text: str) -> tuple[str, int | None]:
        """What `coqc` prints of a file, and the line of the error: 0 if it came to none, None if there is no error."""
        (self._directory / f"{module}.v").write_text(text)
        told = ["bash", "-c", f"{_LIMITS}; exec coqc -q -noglob -R . lpmech {module}.v"]
        done = subprocess.run(told, cwd=self._directory, capture_output=True, text=True, check=False, timeout=3600)
        place = re.search(r"line (\d+), characters", done.stderr)
        return done.stdout + done.stderr, (int(place[1]) if place else 0) if done.returncode else None


def entry(results: Sequence[ClaimResult], compiler: Compiler, kept: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What the record says of these claims, and what is printed; `kept` is what it says now."""
    proved = {result.id: result for result in results if result.verdict == "proved"}
    texts = {id: _hash_of_texts(result) for id, result in proved.items()}
    tried = {id for id in proved if kept["texts"].get(id) == texts[id]}
    reasons = {id: {_REFUSED, *(one.reason for one in proved[id].theorems)} for id in tried}
    lacking = {id: why for id, why in kept["others"].items() if id in tried and why in reasons[id]}
    known = tried - kept["others"].keys()
    same = {id for id in known if proved[id].besides or _says_something(proved[id])}
    found = {name: {id: kept[name][id] for id in kept[name] if id in same} for name in ("claims", "instances")}
    asked = [result for id, result in proved.items() if id not in same and id not in lacking]
    theorems = {one.name: one for result in asked for one in result.theorems if one.text}
    relations = [(one.name, one.text) for one in theorems.values()]
    relations += [(f"{one.name}_is_not_empty", one.example) for one in theorems.values() if one.example]
    instances = dict(text for result in asked for text in result.instances if is_arithmetic(result.besides))
    of_reals = [one for one in instances.items() if one[0].startswith(REALS)]
    of_rationals = [one for one in instances.items() if one not in of_reals]
    accepted = {*compiler.accepted(relations), *compiler.accepted(of_rationals, ARITHMETIC)}
    accepted |= {*compiler.accepted(of_reals, REALS_HEAD)}
    others = dict(lacking)
    for result in asked:
        why, hashes = _lacking(result, accepted), sorted({one.statement for one in result.theorems})
        if why:
            others[result.id] = why
        elif result.besides:
            found["instances"][result.id] = [result.arithmetic, *hashes]
        else:
            found["claims"][result.id] = hashes
    examples = sum(name.endswith("_is_not_empty") for name in accepted)
    of_instances, said = len(accepted & instances.keys()), {one.said for result in asked for one in result.theorems}
    count = len(accepted) - examples - of_instances
    line = (
        f"{count} of {len(said)} relations are theorems, {examples} of them not empty; "
        f"{of_instances} theorems are of instances; of {len(proved)} proved claims {len(found['claims'])} are checked, "
        f"and the arithmetic of {len(found['instances'])}"
    )
    return {"proved": len(proved), **found, "others": others, "texts": texts}, line


_REFUSED = "a theorem that Rocq does not accept"
_EMPTY: dict[str, Any] = {"proved": 0, "claims": {}, "instances": {}, "others": {}, "texts": {}}


def _hash_of_texts(result: ClaimResult) -> str:
    """The hash of the theorems of a claim with their proofs."""
    texts = [one.text + one.example + one.reason for one in result.theorems]
    return hashlib.sha256("\n".join([*texts, *(text for _, text in result.instances)]).encode()).hexdigest()[:16]


def _lacking(result: ClaimResult, accepted: Collection[str]) -> str:
    """Why the kernel has not checked a claim."""
    for one in result.theorems:
        if one.name not in accepted:
            return one.reason or _REFUSED
    if not result.besides:
        return "" if _says_something(result) else f"no relations: {result.outcome.method}"
    if is_arithmetic(result.besides) and result.instances:
        every = all(name in accepted for name, _ in result.instances)
        return "" if every else _REFUSED
    return f"besides: {result.besides}" if result.theorems else f"no relations: {result.outcome.method}"


def _says_something(result: ClaimResult) -> bool:
    """Whether a relation of a claim is more than that a term is itself."""
    return any(something for _, something in result.relations)


def _together(one: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of some claims put into that of a paper."""
    ids = {*more["claims"], *more["instances"], *more["others"]}
    found: dict[str, Any] = {"proved": 0}
    for name in ("claims", "instances", "others", "texts"):
        found[name] = {id: said for id, said in one[name].items() if id not in ids} | more[name]
    found["proved"] = sum(len(found[name]) for name in ("claims", "instances", "others"))
    return found


def _seconds() -> float:
    """Processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _recorded(theory: str) -> dict[str, Any]:
    """The entries of the record, by paper; none if it is about another theory."""
    known = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    papers = known["papers"] if known.get("theory") == theory else {}
    return {key: _EMPTY | entry for key, entry in papers.items()}


def main() -> int:
    """Make, compile, print, and write the record; 1 if a claim is not checked any more that was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", default=list(PAPER_KEYS), metavar="PAPER")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--others", action="store_true", help="only claims of the record that are not checked yet")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="ID", help="only claims whose id contains one of these"
    )
    parser.add_argument("--all", action="store_true", help="also theorems that were accepted, to the letter")
    parser.add_argument("--patience", type=int, default=60, help="seconds for one tactic (default 60)")
    options = parser.parse_args()
    if shutil.which("coqc") is None:
        sys.exit("coqc is not installed (Debian and Ubuntu: apt-get install coq)")
    theory = hashlib.sha256(THEORY.read_bytes()).hexdigest()
    known = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    before = {key: {*entry["claims"], *entry.get("instances", {})} for key, entry in known.get("papers", {}).items()}
    lost, compiled = [], 0.0
    for key in options.papers:
        start = time.monotonic()
        kept = _recorded(theory).get(key, _EMPTY)
        selection = [
            (paper, id)
            for paper, id in select_claims([key], options.only)
            if not options.others or id in kept["others"]
        ]
        again = {*kept["others"]} if options.others else set()
        if options.all:
            again |= kept["texts"].keys() - kept["others"].keys()
        texts = {id: said for id, said in kept["texts"].items() if id not in again}
        results = list(run_claims(selection, options.jobs, run=run_with_theorems))
        with tempfile.TemporaryDirectory() as place:
            for theory_file in (THEORY, EXPONENTIALS):
                shutil.copy(theory_file, place)
                subprocess.run(["coqc", "-q", "-R", ".", "lpmech", theory_file.name], cwd=place, check=True)
            compiler, before_it = Compiler(Path(place), options.jobs, options.patience), _seconds()
            found, line = entry(results, compiler, kept | {"texts": texts})
        compiled += _seconds() - before_it
        papers = _recorded(theory)  # of now: another process may have written
        papers[key] = _together(papers.get(key, _EMPTY), found) if options.others or options.only else found
        now = papers[key]["claims"].keys() | papers[key]["instances"].keys()
        lost += [f"{key}: {id}" for id in sorted(before.get(key, set()) - now)]
        print(f"{key}: {line} ({time.monotonic() - start:.0f} s)")
        for why, count in Counter(papers[key]["others"].values()).most_common():
            print(f"  {count} without: {why}")
        for name, why in compiler.wrong.items():
            print(f"  {name}: {why}")
        record = {"rocq": check.version(), "theory": theory, "papers": dict(sorted(papers.items()))}
        RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    print(f"coqc: {compiled:.0f} s of processor time, {compiled / 120:.1f} minutes on two cores")
    if lost:
        print("\n".join(["not checked any more:", *lost]), file=sys.stderr)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
