"""The code shown in README.md and below docs/, run page by page, each in a folder of its own.

What is done with a block says what stands above and within it:

- ``<!-- not run: WHY -->`` above: nothing;
- a title, as in ```` ```python title="mine.py" ````: it is written to that file;
- ``sh``: every command is run, `lpmech` in this process; ``python``: it is executed, with the names of those before it;
- ``text`` right after one of these is what they print.

What stands between ``<!-- made: NAME -->`` and ``<!-- end -->`` is one of `TABLES`.

`python tests/readme_outputs.py [PAGE...]` (or `make readme`) writes the outputs anew; `test_readme.py` compares them.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from commands import ROOT, columns, lpmech

from lpmech.labels.named_utilities import UTILITIES
from lpmech.papers.bibliography import PAPERS
from lpmech.papers.kernel import checked_claims, made_counts
from lpmech.verdicts import Verdict

#: Every page that is written by hand; what is built from docstrings is tested as such.
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
)
_BLOCK = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+?) -->\n)?"
    r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


_MADE = re.compile(r"(?<=<!-- made: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)

#: The heads of the tables on pages, and what each is made from.
TABLES: dict[str, tuple[str, Callable[[], dict[str, str]]]] = {
    "kernel": ("claim | theorems", lambda: {claim: "; ".join(names) for claim, names in checked_claims().items()}),
    "made": (
        "paper | checked: all relations | checked: the arithmetic of its instances | together, of the proved | the others",
        made_counts,
    ),
    "papers": ("key | paper", lambda: {key: paper.in_markdown() for key, paper in PAPERS.items()}),
    "utilities": ("utility | is", lambda: {name: utility.words for name, utility in UTILITIES.items()}),
    "verdicts": ("verdict | means", lambda: {verdict: verdict.meaning for verdict in Verdict}),
}


class Block(NamedTuple):
    """A piece of code on a page, why it is not run (empty if it is), and where its text stands."""

    language: str
    title: str
    why: str
    text: str
    start: int
    end: int


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    for found in _BLOCK.finditer(page):
        given = [found[name] or "" for name in ("language", "title", "why", "text")]
        yield Block(*given, found.start("text"), found.end("text"))


def refreshed(page: str) -> str:
    """The page with every output replaced by what its code prints now."""
    with tempfile.TemporaryDirectory() as place, columns(100):
        folder = Path(place)
        (folder / "examples").symlink_to(ROOT / "examples")
        names: dict[str, object] = {"__name__": "__main__"}
        parts, at, printed = [], 0, None
        for block in blocks(page):
            if block.language == "text" and not block.why:
                if printed is None:
                    raise RuntimeError(f"an output of nothing: {block.text[:60]!r}")
                parts += [page[at : block.start], printed]
                at, printed = block.end, None
            else:
                printed = _done(block, folder, names)
        return _MADE.sub(lambda found: f"{found[1]}{found[2]}\n{table(found[1])}\n", "".join([*parts, page[at:]]))


def table(name: str) -> str:
    """One of `TABLES` as Markdown."""
    head, rows = TABLES[name]
    lines = [
        f"| {head} |",
        f"|{'---|' * (head.count('|') + 1)}",
        *(f"| `{key}` | {text} |" for key, text in rows().items()),
    ]
    return "\n".join(lines) + "\n"


def _done(block: Block, folder: Path, names: dict[str, object]) -> str | None:
    """What a block prints; None if it is not run."""
    if block.why:
        return None
    if block.title:
        (folder / block.title).write_text(block.text, encoding="utf-8")
        return None
    if block.language == "sh":
        return "".join(_answer(line, folder) for line in commands_in(block.text))
    if block.language == "python":
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.chdir(folder):
            exec(compile(block.text, "a page", "exec"), names)
        return out.getvalue()
    raise RuntimeError(f"neither run nor excused: {block.language} {block.text[:60]!r}")


def commands_in(text: str) -> list[str]:
    """The command lines of a block, without comments."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if shlex.split(line, comments=True)]


def _answer(line: str, folder: Path) -> str:
    name, *arguments = shlex.split(line, comments=True)
    if name == "cp":
        shutil.copyfile(folder / arguments[0], folder / arguments[1] / Path(arguments[0]).name)
        return ""
    if name != "lpmech":
        raise RuntimeError(f"not a command that is run here: {line}")
    found = lpmech(*arguments, cwd=folder)
    if found.returncode > 1:  # 1: something was refuted
        raise RuntimeError(f"{line}: {found.stderr}")
    told = found.stdout.replace(f"{ROOT}/", "").replace(f"{os.path.relpath(ROOT, folder)}/", "")
    return "".join(f"{row.rstrip()}\n" for row in told.splitlines())


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        page = ROOT / name
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
