"""Checks lpmech without extras, in an environment of its own: its size, what it promises, what it says of the rest.

python .ci/core.py [PYTHON]             default: the oldest Python >= 3.11 on PATH or below ~/.pyenv
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from lowest import environment, examples
from package import ENVIRONMENT, ROOT, run

#: Megabytes (2^20 bytes) of site-packages, as du counts them.
LARGEST = 420
#: The commands that need an extra, and which is named first.
NEED = {
    "forecast": "learning",
    "explore": "pages",
    "program ghazi2021": "programs",
    "program liu2026": "programs",
    "program zhang2025": "programs",
    "verify": "smt",
    "show": "smt",
    "report": "pages",
    "reproduce excess-risk": "learning",
    "reproduce compare": "learning",
    "reproduce train": "learning",
    "reproduce utility": "learning",
    "reproduce places": "places",
}
#: An assertion of each kind, a solver of each kind that needs no extra, and what the others say.
PROMISED = """
from fractions import Fraction
import lpmech
import lpmech.testing as testing
from lpmech.errors import MissingDependencyError
from lpmech.mechanisms import randomized_response

level, weaker = lpmech.PrivacyLevel.from_ratio(3), lpmech.PrivacyLevel.from_ratio(2)
channel, domain = randomized_response(2, level), "t > 1, K >= 2"
program = lpmech.optimal_channel([[1, 0], [0, 1]], level)
testing.assert_channel(channel)
testing.assert_private(channel, level)
testing.assert_tight(channel, level)
testing.assert_optimal(channel, program)
testing.assert_same_formula("t/(t+K-1)", "1 - (K-1)/(t+K-1)", domain)
testing.assert_monotone("t/(t+1)", "t", domain)
testing.assert_dominates(channel, randomized_response(2, weaker))
# q[0, 0] = 1/2 lets q[1, 1] be at most 1 - 1/2/3 = 5/6: their mean
fixed = lpmech.optimal_channel([[1, 0], [0, 1]], level, fixed={(0, 0): Fraction(1, 2)})
assert fixed.solve("exact").value == Fraction(2, 3) and abs(fixed.solve().value - 2 / 3) < 1e-8
assert channel._repr_html_() is None  # a notebook shows the text
for extra, asked in (("programs", lambda: program.solve("clarabel")), ("frames", channel.to_frame)):
    try:
        asked()
    except MissingDependencyError as exc:
        assert exc.extra == extra, exc
    else:
        raise SystemExit(f"nothing says that {extra} is missing")
"""


def size(room: Path) -> float:
    """Megabytes of what is below a directory."""
    return sum(path.lstat().st_blocks for path in room.rglob("*")) * 512 / 2**20


def refused(command: list[str], extra: str, here: Path) -> None:
    """The command ends with exit code 2 and one line that names the extra."""
    done = subprocess.run(command, cwd=here, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    (line,) = done.stderr.splitlines() or [""]
    if done.returncode != 2 or done.stdout or not line.endswith(f"pip install 'lpmech[{extra}]'"):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main() -> None:
    """Size, commands, assertions."""
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        own = environment(here, str(ROOT))
        (room,) = (here / "environment" / "lib").glob("python3*/site-packages")
        if (megabytes := size(room)) > LARGEST:
            sys.exit(f"the core has {megabytes:.0f} MB, at most {LARGEST} are promised")
        for name, command in examples(own, here):
            if name in NEED:
                refused(command, NEED[name], here)
            elif name == "design":
                if "lpmech[plots,pages]" not in run(*command, cwd=here):
                    sys.exit("design without pictures and page does not say so")
            else:
                run(*command, cwd=here)
        refused([str(own / "lpmech"), "regimes", "examples/wine.csv", "--output", "picture.png"], "plots", here)
        run(own / "python", "-c", PROMISED, cwd=here)
    print(f"the core has {megabytes:.0f} MB, keeps what it promises and names the extras that it lacks")


if __name__ == "__main__":
    main()
