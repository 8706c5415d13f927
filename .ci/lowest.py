"""Runs every command with the lowest versions that pyproject.toml allows, in an environment of its own.

python .ci/lowest.py [PYTHON]           default: the oldest Python >= 3.11 on PATH or below ~/.pyenv

The example of every command's help has to work, and the tests of prover and solvers have to pass.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from package import ROOT, by_uv, by_version, candidates, run

TESTS = ("test_prove.py", "test_exact.py", "test_interior_point.py")
_EXAMPLES = (
    "import json; from lpmech.cli.commands import COMMANDS; print(json.dumps([(c.name, c.example) for c in COMMANDS]))"
)


def environment(here: Path, *what: str) -> Path:
    """A fresh environment with these distributions, and a copy of the examples beside it; its programs."""
    python = next(iter(by_version(map(Path, sys.argv[1:]) if sys.argv[1:] else candidates()).values()))
    run(python, "-m", "venv", "environment", cwd=here)
    own = here / "environment" / "bin"
    run(*by_uv(own / "python"), *what, cwd=here)
    run(own / "python", "-m", "pip", "check", cwd=here)
    shutil.copytree(ROOT / "examples", here / "examples")
    return own


def examples(own: Path, here: Path) -> list[tuple[str, list[str]]]:
    """Name and command line of every command's example, in an order in which they work."""
    listed = json.loads(run(own / "python", "-c", _EXAMPLES, cwd=here))
    return [(name, [str(own / "lpmech"), *name.split(), *shlex.split(example)]) for name, example in listed]


def main() -> None:
    """Every command, then the tests."""
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        resolution = ("--resolution", "lowest-direct")
        own = environment(here, *resolution, f"{ROOT}[all]", "pytest>=8", "hypothesis>=6.100")
        for _, command in examples(own, here):
            run(*command, cwd=here)
        run(own / "pytest", "-q", "-p", "no:cacheprovider", *(ROOT / "tests" / name for name in TESTS), cwd=ROOT)
    print("every command and the tests of prover and solvers run with the lowest allowed versions")


if __name__ == "__main__":
    main()
