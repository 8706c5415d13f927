"""The outputs shown in README.md: every block after a marker `<!-- output: COMMAND -->` is what COMMAND prints.

`python tests/readme_outputs.py` (or `make readme`) writes them anew; `test_readme.py` compares them.
"""

import re
import shlex

from commands import ROOT, columns, lpmech

README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- output: (?P<command>lpmech [^>]*?) -->\n)(?:```text\n.*?```\n)?", re.DOTALL)


def refreshed(text: str) -> str:
    """README with every output replaced by a fresh one."""
    return _BLOCK.sub(_with_output, text)


def _with_output(match: re.Match[str]) -> str:
    with columns(100):
        answer = lpmech(*shlex.split(match["command"])[1:])
    if answer.returncode > 1 or answer.stderr.strip():  # 1: something was refuted
        raise RuntimeError(f"{match['command']}: {answer.stderr}")
    lines = [line.rstrip() for line in answer.stdout.splitlines()]
    return match[1] + "```text\n" + "\n".join(lines) + "\n```\n"


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
