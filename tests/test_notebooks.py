"""The notebooks run from top to bottom, and the committed ones hold their pictures."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


#: The same code on fewer budgets and repeats, in one process, where the pictures committed took their time.
SMALLER = {
    "03-numbers-and-places": {
        "budgets = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)": "budgets = (2.0, 64.0)",
        "budgets, 8, jobs=2": "budgets, 2, jobs=1",
        "np.geomspace(0.25, 10, 14)": "np.geomspace(0.25, 10, 5)",
        "levels = np.array([0.25, 0.5, 1, 1.5, 2, 3, 4])": "levels = np.array([0.5, 2])",
    }
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_runs_and_draws(path):
    notebook = nbformat.read(path, as_version=4)
    committed = _pictures(notebook)
    for long, short in SMALLER.get(path.stem, {}).items():
        cells = [cell for cell in notebook.cells if long in cell.source]
        assert len(cells) == 1, long
        cells[0].source = cells[0].source.replace(long, short)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    assert committed == _pictures(notebook) >= 3


def _pictures(notebook) -> int:
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2
