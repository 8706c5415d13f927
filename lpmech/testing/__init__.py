"""Assertions about channels and formulas for other projects' tests; with pytest also the fixture `lpmech_formula`.

============================  =======================================================================
assert_channel                rows are distributions
assert_private, assert_tight  at epsilon, or at e^epsilon; a witness if not
assert_optimal                the optimum of a program, with the better channel if not
assert_same_formula           two formulas are defined and equal, for all parameters of a domain
assert_monotone               a formula rises, or falls, in a parameter
assert_dominates              one channel, or formula, is at least as good as another one
============================  =======================================================================

Each is loaded when it is first asked for, so that the plugin costs pytest next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lpmech.testing.assertions import (
        assert_channel,
        assert_dominates,
        assert_monotone,
        assert_optimal,
        assert_private,
        assert_same_formula,
        assert_tight,
    )
    from lpmech.testing.results import TOLERANCE, Checked, FailedAssertionError

__all__ = [
    "Checked",
    "FailedAssertionError",
    "TOLERANCE",
    "assert_channel",
    "assert_dominates",
    "assert_monotone",
    "assert_optimal",
    "assert_private",
    "assert_same_formula",
    "assert_tight",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = "assertions" if name.startswith("assert_") else "results"
    found = globals()[name] = getattr(import_module(f"{__name__}.{room}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
