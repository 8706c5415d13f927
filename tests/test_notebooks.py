"""The notebooks run from top to bottom, and the committed ones hold what running them gives."""

import nbformat
import pytest
from notebook_outputs import NOTEBOOKS, executed, pictures, texts

from lpmech.papers import PAPER_KEYS


def test_every_notebook_runs_and_answers_as_committed():
    """Catches a cell that fails, a picture or number that is no longer what the code gives, a name of another notebook."""
    for path, notebook in executed().items():
        committed = nbformat.read(path, as_version=4)
        assert pictures(notebook) == pictures(committed) >= 2, path.name
        assert texts(notebook) == texts(committed), path.name


def test_there_is_a_notebook_for_each_paper_and_they_are_numbered_in_reading_order():
    names = [path.stem for path in NOTEBOOKS]
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))
    papers = [key for key in PAPER_KEYS if key != "across" and any(name.endswith(key) for name in names)]
    assert set(papers) >= {"ghazi2021", "liu2026", "zhang2025", "zheng2025", "zhao2025"}
    assert {"regimes", "your-own-mechanism", "choose-and-deploy"} <= {name[3:] for name in names}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_begins_with_what_it_shows_and_what_to_change(path):
    notebook = nbformat.read(path, as_version=4)
    first, code = notebook.cells[0].source, "".join(f"\n{c.source}" for c in notebook.cells if c.cell_type == "code")
    assert first.startswith("# ")
    assert "**You will see**" in first
    changed = first.split("**Change**")[1].split("\n\n")[0]
    names = [name for name in changed.split("`")[1::2] if name.isupper()]
    assert names
    assert all(f"\n{name}, " in code or f", {name}" in code or f"\n{name} = " in code for name in names), names
