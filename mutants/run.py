"""`make mutants`: change the source at one place at a time with cosmic-ray, and print what verify and the tests notice.

Every room has a session of cosmic-ray, kept in the folder .mutants: a run that is stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome
from judge import copied, is_refusal

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SETTINGS = tomllib.loads((HERE / "rooms.toml").read_text(encoding="utf-8"))
#: (file, line before, line after) -> why the change makes no difference that a user sees.
EQUIVALENT = {
    (change["file"], change["old"], change["new"]): change["why"]
    for change in tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))["change"]
}
OUT = ROOT / ".mutants"
COMMAND = Path(sys.executable).parent / "cosmic-ray"


def reach() -> None:
    """Record which claims and tests run which lines, once for a state of the source."""
    OUT.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}",
        "SECONDS": str(OUT / "tests.json"),
        "COVERAGE_FILE": str(OUT / "tests.coverage"),
    }
    if not (OUT / "claims.json").exists():
        subprocess.run([sys.executable, HERE / "reach.py", OUT], env=environment, check=True)
    if not (OUT / "tests.json").exists():
        left_out = [f"--ignore={file}" for file in SETTINGS["tests"]["exclude"]]
        measured = ["--cov=lpmech", "--cov-context=test", "--cov-report="]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "reach", *measured, *left_out]
        subprocess.run(command, env=environment, cwd=ROOT, check=True)


def configured(room: str, copy: Path) -> Path:
    """The configuration of cosmic-ray for one room."""
    modules = json.dumps(SETTINGS["rooms"][room])
    file = copy / "cosmic-ray.toml"
    file.write_text(
        f"[cosmic-ray]\nmodule-path = {modules}\ntimeout = 3600.0\nexcluded-modules = []\n"
        f'test-command = "{sys.executable} {HERE / "judge.py"}"\n\n[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    return file


def narrow(session: Path, number: int, seed: int) -> None:
    """Leave out the operators that are excluded, and all but a sample of the rest (0: the whole rest)."""
    excluded = re.compile("|".join(SETTINGS["operators"]["exclude"]))
    with use_db(session, WorkDB.Mode.open) as db:
        items = [i for i in db.work_items if not any(excluded.fullmatch(m.operator_name) for m in i.mutations)]
        items.sort(key=lambda item: [(str(m.module_path), m.start_pos, m.operator_name) for m in item.mutations])
        random.Random(seed).shuffle(items)
        db.clear()
        db.add_work_items(items[: number or None])


def run_room(room: str, number: int, seed: int) -> None:
    """Make the room's session if there is none, and do what is left of it in a copy of the project."""
    copy, original, session = OUT / room, OUT / f"{room}-original", OUT / f"{room}.sqlite"
    for folder in (copy, original):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        copied(folder)
    config = configured(room, copy)
    environment = {**os.environ, "REACH": str(OUT), "ORIGINAL": str(original)}
    if not session.exists():
        subprocess.run([COMMAND, "init", config, session], cwd=copy, env=environment, check=True)
        narrow(session, number, seed)
    subprocess.run([COMMAND, "exec", config, session], cwd=copy, env=environment, check=True)


def judged(room: str) -> Iterator[dict[str, Any]]:
    """The judgements of a room's mutants, with the change."""
    session = OUT / f"{room}.sqlite"
    if not session.exists():
        return
    with use_db(session, WorkDB.Mode.open) as db:
        for _, result in db.completed_work_items:
            lines = (result.output or "").strip().splitlines()
            if result.worker_outcome is WorkerOutcome.NORMAL and lines and lines[-1].startswith("{"):
                yield {**json.loads(lines[-1]), "diff": result.diff}


def report() -> None:
    """Print how many changes of each room are noticed, and by what; then those that nothing notices, and why.

    A change that is listed as equivalent is not counted. Of what is refused (a wrong argument) claims do not speak:
    the column "verify" is about the other changes.
    """
    print(f"{'room':<12}{'changes':>9}{'refusals':>10}{'equivalent':>12}{'verify':>8}{'tests':>7}{'either':>8}")
    unnoticed: list[str] = []
    for room in SETTINGS["rooms"]:
        rows = list(judged(room))
        reasons = [EQUIVALENT.get((row["place"].split(":")[0], *_lines(row))) for row in rows]
        counted = [row for row, why in zip(rows, reasons, strict=True) if why is None]
        computed = [row for row in counted if not is_refusal(OUT / f"{room}-original", row["place"])]
        if not counted:
            continue
        shares = (
            _share(bool(row["verify"]) for row in computed),
            _share(bool(row["tests"]) for row in counted),
            _share(bool(row["verify"] or row["tests"]) for row in counted),
        )
        numbers = f"{len(counted):>9}{len(counted) - len(computed):>10}{len(rows) - len(counted):>12}"
        print(f"{room:<12}{numbers}{shares[0]:>8}{shares[1]:>7}{shares[2]:>8}")
        for row, why in zip(rows, reasons, strict=True):
            if not row["verify"] and not row["tests"]:
                unnoticed.append(f"{row['place']}\n  - {_lines(row)[0]}\n  + {_lines(row)[1]}\n  {why or 'NO REASON'}")
    print("\n".join(["", "unnoticed:", *unnoticed]))


def _share(found: Iterable[bool]) -> str:
    every = list(found)
    return f"{sum(every) / len(every):.0%}" if every else "-"


def _lines(row: dict[str, Any]) -> tuple[str, str]:
    """What stood there before and after the change."""
    changed = [line for line in (row["diff"] or "").splitlines() if re.match(r"[+-](?![+-]{2})", line)]
    old, new = (" ".join(line[1:].strip() for line in changed if line[0] == sign) for sign in "-+")
    return old, new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=50, help="mutants a room, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="rooms at a time")
    parser.add_argument("rooms", nargs="*", choices=[*SETTINGS["rooms"], []], help="default: all")
    chosen = parser.parse_args()
    reach()
    with ThreadPoolExecutor(chosen.jobs) as pool:
        rooms = chosen.rooms or list(SETTINGS["rooms"])
        list(pool.map(lambda room: run_room(room, chosen.number, chosen.seed), rooms))
    report()


if __name__ == "__main__":
    main()
