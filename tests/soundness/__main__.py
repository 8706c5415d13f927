"""`python -m soundness`: statements of every shape, the verdicts on them, and what was wrong; exit 1 if anything was."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import track

from soundness.channels import judge_channel
from soundness.functions import judge_function
from soundness.judging import judge_number
from soundness.loops import judge_loop
from soundness.polynomials import judge_polynomial
from soundness.record import Judged, table
from soundness.shapes import CORPUS, SHAPES, statement
from soundness.vectors import judge_vector

#: What has a judge of its own.
_OWN = ("e", "polynomials", "vectors", "functions", "loops")
_ALL = ("corpus", *SHAPES, *_OWN)
#: Parts of the whole in percent, of what is slower to judge than the others, or cheap.
_SHARES = {"e": 4, "polynomials": 4, "vectors": 4, "functions": 10, "loops": 10}


def main() -> int:
    """Run, print, and return the exit status."""
    asked = _arguments()
    if asked.show:
        return _show(asked)
    judged = _before(Path(asked.output)) if asked.resume else []
    done = {one.name for one in judged}
    work = [
        delayed(_judged)(name, number, asked.seed, asked.timeout)
        for name, number in _numbers(asked.number, asked.shapes)
        if f"{name}-{number}" not in done
    ]
    with Path(asked.output).open("a" if asked.resume else "w") as record:
        judging = Parallel(n_jobs=asked.jobs, return_as="generator_unordered")(work)
        for one in track(judging, "statements", len(work), console=Console(stderr=True)):
            judged.append(one)
            record.write(json.dumps(asdict(one)) + "\n")
            record.flush()
            if one.wrong:
                print(f"WRONG {one.name}: {one.wrong}\n  {one.text}\n  {one.verdict}: {one.detail}", flush=True)
    print(table(judged))
    wrong = [one for one in judged if one.wrong]
    for one in wrong:
        print(f"reproduce: python -m soundness --seed {asked.seed} --show {one.name}")
    return 1 if wrong else 0


def _before(output: Path) -> list[Judged]:
    """What a run that was broken off has written."""
    return [Judged(**json.loads(line)) for line in output.read_text().splitlines()] if output.exists() else []


def _judged(shape: str, number: int, seed: int, timeout: float) -> Judged:
    judges: dict[str, Callable[[], Judged]] = {
        "e": lambda: judge_channel(number, seed),
        "polynomials": lambda: judge_polynomial(number, seed, timeout),
        "vectors": lambda: judge_vector(number, seed, timeout),
        "functions": lambda: judge_function(number, seed),
        "loops": lambda: judge_loop(number, seed),
    }
    return judges.get(shape, lambda: judge_number(shape, number, seed, timeout))()


def _show(asked: argparse.Namespace) -> int:
    shape, number = asked.show.rsplit("-", 1)
    if shape not in _OWN:
        made = statement(shape, int(number), asked.seed)
        print(made, f"witness: {made.witness}", sep="\n")
    one = _judged(shape, int(number), asked.seed, asked.timeout)
    print(json.dumps(asdict(one), indent=2))
    return 1 if one.wrong else 0


def _numbers(total: int, shapes: Mapping[str, int | None]) -> Iterator[tuple[str, int]]:
    """As many of each shape as is asked for, else every statement written by hand and a share of the others; in turn."""
    counts = {s: len(CORPUS) if s == "corpus" else total * _SHARES.get(s, 0) // 100 for s in shapes}
    counts |= {s: number for s, number in shapes.items() if number is not None}
    others = [s for s, number in shapes.items() if number is None and s not in ("corpus", *_SHARES)]
    rest = max(0, total - sum(counts.values()))
    counts |= {s: (rest + i) // len(others) for i, s in enumerate(others)}
    every = ((shape, number) for shape in shapes for number in range(counts[shape]))
    yield from sorted(every, key=lambda pair: (pair[1] + 1) / counts[pair[0]])


def _shapes(text: str) -> dict[str, int | None]:
    """Shapes, each with a number where one is given."""
    pairs = (part.partition("=") for part in text.split(","))
    return {shape: int(number) if number else None for shape, _, number in pairs}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m soundness", description=__doc__)
    parser.add_argument("--number", type=int, default=10_000, help="how many statements in all")
    parser.add_argument(
        "--shapes", type=_shapes, default=dict.fromkeys(_ALL), help=f"{','.join(_ALL)}; functions=500 for as many"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds for each question to a solver")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", default="soundness.jsonl", help="file for all verdicts, one JSON object a line")
    parser.add_argument(
        "--resume", action="store_true", help="go on where the run that wrote the output was broken off"
    )
    parser.add_argument("--show", help="one statement, such as a-17, and its verdict")
    asked = parser.parse_args()
    unknown = [s for s in asked.shapes if s not in _ALL]
    if unknown:
        parser.error(f"shapes: got {unknown}, allowed: {', '.join(_ALL)}")
    return asked


if __name__ == "__main__":
    sys.exit(main())
