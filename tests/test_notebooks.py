"""The notebooks run from top to bottom, and the committed ones hold their pictures."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_runs_and_draws(path):
    notebook = nbformat.read(path, as_version=4)
    committed = _pictures(notebook)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    assert committed == _pictures(notebook) >= 3


def _pictures(notebook) -> int:
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2
