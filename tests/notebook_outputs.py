"""The notebooks, executed one after the other in one kernel, each from an empty namespace.

`python tests/notebook_outputs.py` (or `make notebooks`) writes their outputs anew; `test_notebooks.py` compares them.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

NOTEBOOKS = tuple(sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb")))

#: Clears what one notebook leaves behind for the next one: names, figures and settings of pandas and matplotlib. HiGHS
#: prints its name and version as it is loaded, which is no output of a notebook.
_CLEAN = """%reset -f
import matplotlib.pyplot, pandas
from lpmech.programs.solvers.highs import silent_highspy
silent_highspy()
matplotlib.pyplot.close("all")
matplotlib.rcdefaults()
pandas.reset_option("display.")
%matplotlib inline
%reset -f"""


def executed(paths: Sequence[Path] = NOTEBOOKS) -> dict[Path, NotebookNode]:
    """Every notebook with fresh outputs. A kernel takes seconds to start, so their cells are run as one notebook."""
    found = {path: nbformat.read(path, as_version=4) for path in paths}
    cells = [cell for notebook in found.values() for cell in (new_code_cell(_CLEAN), *notebook.cells)]
    place = {"metadata": {"path": str(NOTEBOOKS[0].parent)}}
    NotebookClient(new_notebook(cells=cells), timeout=300, kernel_name="python3", resources=place).execute()
    for notebook in found.values():
        for number, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), start=1):
            cell.execution_count = number
            cell.metadata.pop("execution", None)  # when it ran is nobody's business
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = number
    return found


def texts(notebook: NotebookNode) -> list[str]:
    """What every cell prints and answers, without pictures."""
    return ["".join(map(_text, cell.get("outputs", []))) for cell in notebook.cells]


def _text(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return str(output.text)
    return "" if "image/png" in output.get("data", {}) else str(output.get("data", {}).get("text/plain", ""))


def pictures(notebook: NotebookNode) -> int:
    """How many there are in it."""
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


if __name__ == "__main__":
    for path, notebook in executed([p for p in NOTEBOOKS if not sys.argv[1:] or p.stem in sys.argv[1:]]).items():
        nbformat.write(notebook, path)
