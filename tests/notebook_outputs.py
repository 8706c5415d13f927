"""The notebooks, executed one after the other in one kernel, each from an empty namespace.

`python tests/notebook_outputs.py` (or `make notebooks`) writes their outputs anew; `test_notebooks.py` compares them.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = tuple(sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb")))

#: What one notebook leaves behind for the next one: names, figures and settings of pandas and matplotlib.
_CLEAN = """%reset -f
import matplotlib.pyplot, pandas
matplotlib.pyplot.close("all")
matplotlib.rcdefaults()
pandas.reset_option("display.")
%matplotlib inline
%reset -f"""


def executed(paths: Sequence[Path] = NOTEBOOKS) -> Iterator[tuple[Path, NotebookNode]]:
    """Every notebook with fresh outputs."""
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(NOTEBOOKS[0].parent))
    try:
        for path in paths:
            client.execute_interactive(_CLEAN, store_history=False, output_hook=lambda _: None)
            notebook = nbformat.read(path, as_version=4)
            NotebookClient(notebook, km=manager, timeout=300).execute()
            yield path, notebook
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


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
    for path, notebook in executed([p for p in NOTEBOOKS if not sys.argv[1:] or p.stem in sys.argv[1:]]):
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # when it ran is nobody's business
        nbformat.write(notebook, path)
