"""What describes the package to others agrees with the package; `make package` installs and runs it."""

import importlib.util
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import lpmech
from lpmech.papers.bibliography import TOOL

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_spec = importlib.util.spec_from_file_location("package", ROOT / ".ci" / "package.py")
package = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(package)


def test_the_citation_names_this_version():
    # the keys that the format 1.2.0 requires, and those of ours that could go stale
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert citation["type"] == "software"
    assert (citation["version"], citation["license"]) == (lpmech.__version__, PROJECT["license"])
    assert f"title = {{{citation['title']}}}" in TOOL
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert citation["keywords"] == PROJECT["keywords"]


def test_the_changelog_has_a_heading_for_this_version():
    assert f"\n## {lpmech.__version__}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_pipx_finds_the_command_by_the_name_of_the_project():
    assert PROJECT["scripts"] == {PROJECT["name"]: "lpmech.cli:main"}


@pytest.mark.parametrize(
    ("left_out", "more"), [("lpmech/py.typed", []), ("lpmech/papers/template.txt", []), ("", ["tests/x.py"])]
)
def test_a_wheel_that_lacks_a_file_or_has_one_more_is_refused(left_out, more, tmp_path):
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "lpmech").rglob("*") if path.is_file()]
    names = [name for name in files if "__pycache__" not in name and name != left_out] + more
    with zipfile.ZipFile(tmp_path / "lpmech.whl", "w") as wheel:
        for name in names:
            wheel.writestr(name, "")
    with pytest.raises(SystemExit, match=left_out or more[0]):
        package.check_contents(tmp_path / "lpmech.whl", tmp_path / "none.tar.gz")


def test_a_python_that_is_none_or_too_old_is_not_taken(tmp_path):
    old = tmp_path / "python3.8"
    old.write_text("#!/bin/sh\necho 3 8\n", "utf-8")
    broken = tmp_path / "python3.99"
    broken.write_text("#!/bin/sh\necho not installed >&2\nexit 127\n", "utf-8")
    for file in (old, broken):
        file.chmod(0o755)
    assert package.by_version([old, broken]) == {}
