"""What README and CONTRIBUTING show: outputs, commands, paths, the Python example."""

import re
import shlex

import pytest
from commands import ROOT
from readme_outputs import README, refreshed

from lpmech.cli import _with_extent
from lpmech.cli.commands import COMMANDS, app

TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")}


def test_every_output_in_the_readme_is_what_its_command_prints():
    text = README.read_text(encoding="utf-8")
    assert text.count("<!-- output:") == 6
    assert refreshed(text) == text


def test_the_python_example_runs_and_prints_what_its_comment_says(capsys):
    text = README.read_text(encoding="utf-8")
    example = text.split("## In Python")[1].split("```python\n")[1].split("```")[0]
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert "'optimal': 0.0, 'rr_with_prior': 0.0" in printed[0]
    assert "PrivacyWitness" in printed[1]
    assert printed[2] == "True"


def _shown_commands():
    for text in TEXTS.values():
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
            for line in block.replace("\\\n", "").splitlines():
                if line.startswith("lpmech "):
                    yield shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize("tokens", list(_shown_commands()), ids=" ".join)
def test_every_command_shown_is_understood(tokens):
    command, *_ = app.parse_args(_with_extent(tokens), print_error=False, exit_on_error=False)
    assert command is not None
    assert command.__module__.startswith("lpmech.cli")


def test_every_command_named_exists():
    known = {command.name.split()[0] for command in COMMANDS}
    for name, text in TEXTS.items():
        named = re.findall(r"[`\n]lpmech\s+([a-z][a-z-]+)", text)
        assert named
        assert set(named) <= known, name


def test_every_path_named_exists():
    for name, text in TEXTS.items():
        paths = re.findall(r"(?<![\w/])(?:lpmech|docs|examples|tests|notebooks|\.github)/[\w./-]*\w", text)
        assert paths
        assert [path for path in paths if not (ROOT / path).exists() and "KEY" not in path] == [], name
