"""The condition under which a statement holds: found by algebra, and proved both ways by the engine."""

from lpmech.conditions.condition import Condition, condition
from lpmech.conditions.solving import NotSolvedError

__all__ = ["Condition", "NotSolvedError", "condition"]
