"""What start-up must not load."""

import subprocess
import sys
from pathlib import Path

import pytest
from commands import lpmech

HEAVY = ["scipy", "cvxpy", "sympy", "z3", "flint", "matplotlib", "pandas", "highspy", "clarabel", "joblib", "sklearn"]


def modules_after(code: str) -> set[str]:
    """Modules in a fresh interpreter after running the code."""
    report = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint('|', *sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(run.stderr.rsplit("|", 1)[1].split())


def loaded_after(code: str) -> set[str]:
    """Top-level packages in a fresh interpreter after running the code."""
    return {name.split(".")[0] for name in modules_after(code)}


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


@pytest.mark.parametrize("name", ["Channel", "PrivacyLevel", "design", "optimal_channel", "regimes"])
def test_what_is_offered_loads_neither_cvxpy_nor_sympy_before_it_is_called(name):
    loaded = loaded_after(f"import lpmech; lpmech.{name}")
    assert "numpy" in loaded
    assert not loaded & {"cvxpy", "sympy", "pandas", "matplotlib", "sklearn"}


def test_mechanisms_load_neither_cvxpy_nor_sympy_nor_parts_of_scipy():
    # their programs are cvxpy's and their derivations sympy's, but only when asked for
    modules = modules_after("import lpmech.mechanisms")
    assert "lpmech.mechanisms.gaussian" in modules
    assert not modules & {"cvxpy", "sympy", "scipy.special", "scipy.optimize", "scipy.stats"}


def test_a_formula_is_checked_without_mechanisms_and_statistics():
    modules = modules_after("from lpmech.cli import main; main(['check', 't/(t+K-1) <= 1'])")
    assert "lpmech.prove" in modules
    assert not modules & {
        "lpmech.mechanisms",
        "lpmech.programs.solvers",
        "scipy.special",
        "scipy.stats",
        "cvxpy",
        "pandas",
        "matplotlib",
        "z3",
    }


def test_import_loads_one_module():
    # the names are offered, what they stand for is loaded when one is asked for
    assert modules_after("import lpmech") - modules_after("import importlib, typing") == {"lpmech"}


def test_certify_loads_the_checker_only():
    certificate = Path(__file__).parent / "corpus" / "certificates" / "good_exact.json"
    modules = modules_after(f"from lpmech.cli import main; main(['certify', {str(certificate)!r}])")
    own = {name for name in modules if name.startswith("lpmech.") and not name.startswith("lpmech.cli")}
    files = {"lpmech.files", "lpmech.files.access", "lpmech.files.parts"}
    assert own == {"lpmech.certify", "lpmech.certify.checked", "lpmech.certify.checker", "lpmech.errors", *files}
    of_others = modules - modules_after("import cyclopts")
    assert {name.split(".")[0] for name in of_others} - set(sys.stdlib_module_names) == {"lpmech"}


def test_certify_of_a_directory_loads_neither_solvers_nor_scipy(tmp_path):
    assert (
        lpmech("design", "examples/wine.csv", "--epsilon", 1, "--counts-are", "public", "--output", tmp_path).returncode
        == 0
    )
    modules = modules_after(f"from lpmech.cli import main; main(['certify', {str(tmp_path)!r}])")
    assert "lpmech.release.design_files" in modules
    assert not modules & {"scipy", "cvxpy", "lpmech.programs.solvers", "lpmech.designs", "lpmech.mechanisms"}


def test_the_papers_need_no_extra():
    code = (
        "import sys; sys.modules.update(sklearn=None, pyarrow=None); from lpmech.papers import PAPER_KEYS, load_paper; "
        "print(sum(len(load_paper(key).claims) for key in PAPER_KEYS) > 800)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout.strip(), run.stderr) == ("True", "")


def test_solvers_do_not_print_into_the_output():
    """HiGHS 1.16 prints its name when its first object is made, among what a command prints: tables, JSON."""
    code = "from lpmech import *; from lpmech.utilities import hit; p = optimal_channel(hit(2), PrivacyLevel.from_ratio(3)); "
    run = subprocess.run([sys.executable, "-c", code + "p.solve('highs')"], capture_output=True, text=True, check=True)
    assert run.stdout == ""
