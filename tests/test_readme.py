"""The pages that people read: every piece of code is run, and what is named exists."""

import re
import shlex
import tomllib

import pytest
from commands import ROOT
from readme_outputs import PAGES, Block, blocks, commands_in, refreshed

from lpmech.cli import _with_extent
from lpmech.cli.commands import COMMANDS, app

TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES}
CODE = {name: found for name, text in TEXTS.items() if (found := list(blocks(text)))}
NOT_RUN = [(name, block) for name, found in CODE.items() for block in found if block.why]


@pytest.mark.parametrize("name", [name for name, found in CODE.items() if not all(block.why for block in found)])
def test_code_runs_and_prints_what_the_page_shows(name):
    assert refreshed(TEXTS[name]) == TEXTS[name], f"run `make readme`, and look at what has changed in {name}"


def test_no_code_escapes():
    fences = {name: len(re.findall(r"^ *```", text, re.MULTILINE)) for name, text in TEXTS.items()}
    assert fences == {name: 2 * len(CODE.get(name, [])) for name in TEXTS}


def test_few_pieces_of_code_are_not_run():
    assert len(NOT_RUN) <= 7
    assert all(len(block.why.split()) > 3 for _, block in NOT_RUN)


@pytest.mark.parametrize(
    ("page", "error"),
    [
        ("```python\nassert 1 == 2\n```\n", AssertionError),
        ("```sh\nlpmech check nothing.py\n```\n", RuntimeError),
        ("```sh\nrm -r examples\n```\n", RuntimeError),
        ("```yaml\nkey: value\n```\n", RuntimeError),
        ("```text\nout of nowhere\n```\n", RuntimeError),
    ],
)
def test_code_that_fails_is_noticed(page, error):
    with pytest.raises(error):
        refreshed(page)


def test_an_output_is_written_anew():
    page = '```python title="two.py"\nTWO = 2\n```\n\n```python\nprint({})\n```\n\n```text\n{}\n```\n'
    assert refreshed(page.format("1 + 1", "3")) == page.format("1 + 1", "2")


def _commands(block: Block):
    return [line for line in commands_in(block.text) if block.language == "sh" and line.startswith("lpmech ")]


@pytest.mark.parametrize("line", [line for _, block in NOT_RUN for line in _commands(block)])
def test_a_command_that_is_not_run_is_understood(line):
    tokens = _with_extent(shlex.split(line, comments=True)[1:])
    command, *_ = app.parse_args(tokens, print_error=False, exit_on_error=False)
    assert command is not None
    assert command.__module__.startswith("lpmech.cli")


def test_every_command_named_exists():
    known = {command.name.split()[0] for command in COMMANDS}
    named = {name: set(re.findall(r"[`\n]lpmech\s+([a-z][a-z-]+)", text)) for name, text in TEXTS.items()}
    assert len(set().union(*named.values())) > 10
    assert {name: found - known for name, found in named.items() if found - known} == {}


def test_every_path_named_exists():
    pattern = r"(?<![\w/.])(?:lpmech|docs|examples|tests|notebooks|\.github)/[\w./-]*\w"
    paths = {(name, path) for name, text in TEXTS.items() for path in re.findall(pattern, text)}
    assert len(paths) > 30
    assert [found for found in paths if not (ROOT / found[1]).exists() and "KEY" not in found[1]] == []


def test_the_readme_links_to_pages_and_pictures_that_exist():
    links = re.findall(r"\]\((docs/[^)#]+)", TEXTS["README.md"])
    assert len(links) > 12
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_room_stands_in_the_house():
    table = re.findall(r"^\| (`.*?) \|", TEXTS["docs/explanation/house.md"], re.MULTILINE)
    rooms = {path.stem for path in (ROOT / "lpmech").iterdir() if path.stem[0] != "_" and path.suffix in ("", ".py")}
    assert sorted(re.findall(r"`(\w+)`", " ".join(table))) == sorted(rooms)


def test_every_extra_stands_in_the_table():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert sorted(re.findall(r"^\| `(\w+)` \|", TEXTS["docs/how-to/install.md"], re.MULTILINE)) == sorted(extras)
