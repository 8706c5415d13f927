"""What users call and no claim exercises is listed with a reason: a function that nothing proves anything about would go unseen."""

import ast
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from lpmech.claims.exercised import ROOMS

ROOT = Path(__file__).parent.parent
LEARNING = tomllib.loads((ROOT / "mutants" / "rooms.toml").read_text(encoding="utf-8"))["rooms"]["learning"]
#: Where `__all__` says what is public: the rooms that claims are about, and what of learning sees private labels.
OFFERED = (
    "lpmech/mechanisms/__init__.py",
    "lpmech/programs/__init__.py",
    "lpmech/utilities.py",
    "lpmech/applications/robustness/__init__.py",
    *LEARNING,
)

#: Reason -> what no claim reaches, not even through another function.
NOT_EXERCISED = {
    "an exact region around a point, found by branch and bound; tests compare it with scikit-learn, sampling and by-hand "
    "regions (test_robustness.py), and the papers take such a region as given": (
        "LinearClassifier ReluClassifier Tree TreeEnsemble from_estimator robustness_box robustness_radius"
    ),
    "puts regions, guarantees and mechanisms together, or measures them; each part has its claims or tests": (
        "ClassifierUtility MechanismUtility UtilityProfile classifier_utility rank_mechanisms utility_profile"
    ),
    "a training loop around a mechanism, or what it checks of its targets; what it releases is compared in "
    "test_learning.py, test_perturbation.py and test_leaks.py": (
        "LPNormalSGDClassifier LPRRSGDClassifier PerturbedBoostingRegressor PerturbedSGDClassifier RandomizedDataset "
        "TrueLabelSGDClassifier randomize_dataset target_vector"
    ),
}


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _names(node: ast.AST) -> set[str]:
    """All names and attributes in a piece of code, strings and comments apart."""
    found = (getattr(part, "id", None) or getattr(part, "attr", None) for part in ast.walk(node))
    return {name for name in found if isinstance(name, str)}


def _offered() -> set[str]:
    """The functions and classes that the rooms list; constants are no code."""
    listed: set[str] = set()
    for file in OFFERED:
        for node in _tree(ROOT / file).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                listed |= set(ast.literal_eval(node.value))
    return {name for name in listed if not name.isupper()}


@cache
def _bodies() -> dict[str, set[str]]:
    """The names in the body of every function, class and table of the library, by its own name."""
    bodies: dict[str, set[str]] = {}
    for file in (ROOT / "lpmech").rglob("*.py"):
        if not {"papers", "cli"} & set(file.relative_to(ROOT).parts):
            for node in _tree(file).body:
                target = getattr(node, "targets", [getattr(node, "target", node)])[0]
                if name := getattr(target, "name", None) or getattr(target, "id", None):
                    bodies.setdefault(name, set()).update(_names(node))
    return bodies


def _reached(start: set[str]) -> set[str]:
    """The names that code reaches through the library's functions: by name, so that none that is called is missed."""
    reached, waiting = set(start), list(start)
    while waiting:
        new = _bodies().get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _claimed() -> set[str]:
    """The names in the papers' claims, and in what tests have in the form of claims."""
    files = [*(ROOT / "lpmech" / "papers").glob("*/*.py"), *(ROOT / "tests" / "library").glob("*.py")]
    return set().union(*(_names(_tree(file)) for file in files))


def test_what_no_claim_exercises_is_listed_with_a_reason_and_nothing_else():
    listed = [name for names in NOT_EXERCISED.values() for name in names.split()]
    assert len(listed) == len(set(listed))
    assert set(listed) == _offered() - _reached(_claimed())


def test_a_function_without_a_claim_is_found():
    without = _claimed() - {"bin_loss"}
    assert "bin_loss" in _offered() - _reached(without)


def test_the_rooms_that_are_looked_at_exist():
    assert [room for room in ROOMS if find_spec(f"lpmech.{room}") is None] == []
