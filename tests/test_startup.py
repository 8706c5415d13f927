"""What start-up must not load."""

import subprocess
import sys

import pytest

HEAVY = ["scipy", "cvxpy", "sympy", "z3", "flint", "matplotlib", "pandas", "highspy", "clarabel", "joblib", "sklearn"]


def loaded_after(code: str) -> set[str]:
    """Top-level packages in a fresh interpreter after running the code."""
    report = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint('|', *sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stderr.rsplit("|", 1)[1].split()}


@pytest.mark.parametrize(
    "code",
    [
        "import lpmech",
        "from lpmech.cli import main; main(['--help'])",
        "from lpmech.cli import main; main(['--version'])",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code):
    loaded = loaded_after(code)
    assert "lpmech" in loaded
    assert not loaded & set(HEAVY)


def test_mechanisms_load_neither_cvxpy_nor_sympy():
    # their programs are cvxpy's and their derivations sympy's, but only when asked for
    loaded = loaded_after("import lpmech.mechanisms")
    assert "lpmech" in loaded
    assert not loaded & {"cvxpy", "sympy"}


def test_import_adds_no_third_party_package_but_numpy():
    # what remains of the cost of `import lpmech` is numpy, the standard library and a few small modules
    added = loaded_after("import lpmech") - loaded_after("import numpy")
    assert added - set(sys.stdlib_module_names) - {"lpmech"} <= {"cython_runtime"}
