"""The core needs no extra: what does is imported within `needs`, and named with its extra where it is missing."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lpmech.errors import MissingDependencyError
from lpmech.extras import needs, required

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
#: What is imported -> the distribution that brings it, where they differ.
BROUGHT_BY = {"flint": "python-flint", "z3": "z3-solver", "sklearn": "scikit-learn", "markupsafe": "jinja2"}
#: Imported where it runs itself only: pytest loads the plugin.
BY_THEMSELVES = {
    ("pytest", "lpmech/testing/plugin.py"),
    ("checker", "lpmech/certify/order_checker.py"),  # beside it
    ("checker", "lpmech/certify/program_checker.py"),
    ("checker", "lpmech/certify/sublinear_checker.py"),
}
HIDDEN = ("cvxpy", "highspy", "clarabel", "matplotlib", "pandas", "z3", "cvc5", "jinja2", "sklearn")


def distributions(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", requirement)[0] for requirement in requirements}


CORE = distributions(PROJECT["dependencies"])
EXTRAS = {name: distributions(given) for name, given in PROJECT["optional-dependencies"].items()}


def guard_of(block: ast.With) -> str | None:
    """The extra of ``with needs("extra")``."""
    for item in block.items:
        if isinstance(item.context_expr, ast.Call) and getattr(item.context_expr.func, "id", "") == "needs":
            return item.context_expr.args[0].value
    return None


def imported(node: ast.AST, extra: str | None = None):
    """(library, extra in whose `needs` it is imported) of every import that is run; not those for type checkers."""
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return
    if isinstance(node, ast.With):
        extra = guard_of(node) or extra
    if isinstance(node, ast.Import):
        yield from ((alias.name.partition(".")[0], extra) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield node.module.partition(".")[0], extra
    for child in ast.iter_child_nodes(node):
        yield from imported(child, extra)


def own_or_of_room(path: Path):
    """The imports of a module, and for each whether its room is guarded as a whole, in the ``__init__.py``."""
    room = set(imported(ast.parse((path.parent / "__init__.py").read_text())))
    for library, extra in imported(ast.parse(path.read_text())):
        guards = {guard for name, guard in room if name == library and guard is not None}
        yield library, extra if extra or not guards else guards.pop()


def faults(path: Path) -> list[str]:
    found = []
    for library, extra in own_or_of_room(path):
        if library in sys.stdlib_module_names or library == "lpmech":
            continue
        brought_by = BROUGHT_BY.get(library, library)
        allowed = CORE if extra is None else EXTRAS.get(extra, set())
        if brought_by not in allowed and (library, path.relative_to(ROOT).as_posix()) not in BY_THEMSELVES:
            found.append(f"{path.relative_to(ROOT)}: {library} is not in {extra or 'the core'}")
    return found


def test_every_import_is_in_the_core_or_within_the_extra_that_brings_it():
    # an optional library imported without its extra, or within one that does not have it
    assert [fault for path in sorted((ROOT / "lpmech").rglob("*.py")) for fault in faults(path)] == []


def test_an_import_outside_of_its_extra_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "__init__.py").touch()
    wrong = "import numpy\nwith needs('plots'):\n    import pandas\ndef f():\n    import matplotlib.axes\n"
    (tmp_path / "room.py").write_text(wrong)
    assert faults(tmp_path / "room.py") == [
        "room.py: pandas is not in plots",
        "room.py: matplotlib is not in the core",
    ]


def test_every_extra_by_purpose_is_in_all():
    named = {extra for path in (ROOT / "lpmech").rglob("*.py") for _, extra in imported(ast.parse(path.read_text()))}
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert named - {None} <= set(re.search(r"\[(.*)\]", everything)[1].split(","))


def test_a_missing_library_is_named_with_its_extra():
    with pytest.raises(MissingDependencyError, match=r"pip install 'lpmech\[plots\]'") as raised, needs("plots"):
        import nowhere.at_all  # noqa: F401
    assert raised.value.library == "nowhere"
    with pytest.raises(ImportError, match=r"nowhere is not installed; .* pip install 'lpmech\[smt\]'"):
        required("smt", "fractions", "nowhere")


def without(libraries: tuple[str, ...], code: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run code where these libraries cannot be imported."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({libraries!r}))\n"
    return subprocess.run([sys.executable, "-c", hidden + code], cwd=cwd, capture_output=True, text=True, check=False)


def command(*words: str) -> str:
    return f"from lpmech.cli import main; main({list(map(str, words))!r})"


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("verify", "holohan2017"), "smt"),
        (("show", "liu2026", "Lemma 3.1"), "smt"),
        (("report", "holohan2017", "--output", "report.html"), "pages"),
        (("explore", "examples/wine.csv", "--counts-are", "public", "--output", "explore.html"), "pages"),
        (("program", "ghazi2021", "examples/wine.csv", "--ratio", "3"), "programs"),
        (("regimes", "examples/wine.csv", "--output", "picture.png"), "plots"),
        (("reproduce", "circle", "2", "--output", "picture.png"), "plots"),
        (("forecast", "examples/severity.csv", "--label", "severity", "--epsilon", "1"), "learning"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else given,
)
def test_a_command_without_its_extra_ends_with_one_line(words, extra, tmp_path):
    # a traceback, or minutes of work before the library is missed
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = without(HIDDEN, command(*words), tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(rf"lpmech: [\w-]+ is not installed; it comes with: pip install 'lpmech\[{extra}\]'", line)
    assert [path.name for path in tmp_path.iterdir()] == ["examples"]


def test_a_design_without_pictures_says_so(tmp_path):
    words = ("design", "examples/wine.csv", "--ratio", 3, "--counts-are", "public", "--output", tmp_path / "design")
    done = without(("matplotlib",), command(*words))
    assert (done.returncode, done.stderr) == (0, "")
    assert "without pictures and page: matplotlib is not installed; pip install 'lpmech[plots,pages]'" in done.stdout
    names = {path.name for path in (tmp_path / "design").iterdir()}
    assert {"channel.csv", "certificate.json", "release.json"} <= names
    assert not names & {"channel.png", "comparison.png", "design.html"}
    assert without(HIDDEN, command("certify", tmp_path / "design")).returncode == 0


def test_what_only_smt_decides_is_undecided_without_it():
    # a proof without SMT stands; one by SMT alone (sums of squares do it too, where cvxpy is) is no refutation
    code = """
import sympy as sp
from lpmech.prove import prove
x = sp.Symbol("x", real=True)
print(prove(sp.Eq((x + 1) ** 2, x**2 + 2 * x + 1), []))
print(prove(x > 2, [x**3 > 8]))
"""
    for hidden in (("z3", "cvc5", "cvxpy"), ("cvc5", "cvxpy")):
        proved, undecided = without(hidden, code).stdout.splitlines()
        assert proved.startswith("Holds")
        assert undecided.startswith('Undecided(reason="SMT solvers are not available: ')
        assert "pip install 'lpmech[smt]'" in undecided


def test_a_notebook_without_pandas_shows_the_text():
    code = "from lpmech import Channel; c = Channel([[1, 0], [0, 1]]); print(c._repr_html_())"
    assert without(("pandas",), code).stdout == "None\n"
    asked = without(("pandas",), "from lpmech import Channel; Channel([[1, 0], [0, 1]]).to_frame()")
    assert "pip install 'lpmech[frames]'" in asked.stderr


def test_the_usual_solvers_need_no_extra():
    code = """
from fractions import Fraction
import lpmech
level = lpmech.PrivacyLevel.from_ratio(3)
for fixed in ({}, {(0, 0): Fraction(1, 2)}):
    program = lpmech.optimal_channel([[1, 0], [0, 1]], level, fixed=fixed)
    print(program.solve("exact").value, program.solve().is_closed)
"""
    # without fixed entries 3/4; q[0, 0] = 1/2 lets q[1, 1] be at most 1 - 1/2/3 = 5/6: the mean is 2/3
    assert without(HIDDEN, code).stdout == "3/4 True\n2/3 True\n"
