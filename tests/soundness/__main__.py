"""`python -m soundness`: statements of every shape, the engine's verdicts, and what was wrong; exit 1 if anything was."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random

from joblib import Parallel, delayed

from soundness.judging import judge_number
from soundness.record import Judged, table
from soundness.shapes import CORPUS, SHAPES, statement
from soundness.statement import mislabelled


def main() -> int:
    """Run, print, and return the exit status."""
    asked = _arguments()
    if asked.show:
        shape, number = asked.show.rsplit("-", 1)
        print(statement(shape, int(number), asked.seed))
        print(judge_number(shape, int(number), asked.seed, asked.timeout))
        return 0
    jobs = list(_numbers(asked.number, asked.shapes))
    judged = []
    for one in Parallel(n_jobs=asked.jobs, return_as="generator_unordered")(
        delayed(_one)(shape, number, asked.seed, asked.timeout, asked.points) for shape, number in jobs
    ):
        judged.append(one)
        if one.wrong:
            print(f"WRONG {one.name}: {one.wrong}\n  {one.text}\n  {one.verdict}: {one.detail}", flush=True)
    print(table(judged))
    wrong = [one for one in judged if one.wrong]
    if asked.output:
        Path(asked.output).write_text("".join(json.dumps(asdict(one)) + "\n" for one in judged))
    for one in wrong:
        print(f"reproduce: python -m soundness --seed {asked.seed} --show {one.name}")
    return 1 if wrong else 0


def _one(shape: str, number: int, seed: int, timeout: float, points: int) -> Judged:
    """The verdict, after the statement's own truth has been checked."""
    made = statement(shape, number, seed)
    reason = mislabelled(made, Random(number), points)
    if reason is not None:
        return Judged(f"{shape}-{number}", made.shape, made.truth, str(made), "mislabelled", reason, "the test is wrong", 0.0)
    return judge_number(shape, number, seed, timeout)


def _numbers(total: int, shapes: str) -> Iterator[tuple[str, int]]:
    """Every statement written by hand, and the rest of the total spread over the shapes."""
    chosen = [s for s in SHAPES if s in shapes.split(",")]
    if "corpus" in shapes.split(","):
        yield from (("corpus", number) for number in range(len(CORPUS)))
        total -= len(CORPUS)
    yield from ((shape, number) for number in range(total // max(1, len(chosen))) for shape in chosen)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m soundness", description=__doc__)
    parser.add_argument("--number", type=int, default=10_000, help="how many statements, those written by hand included")
    parser.add_argument("--shapes", default=",".join(["corpus", *SHAPES]), help="which of them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds for each question to a solver")
    parser.add_argument("--points", type=int, default=10, help="at how many points a true statement is spot-checked")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", help="file for all verdicts, one JSON object a line")
    parser.add_argument("--show", help="one statement, such as a-17, and its verdict")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
