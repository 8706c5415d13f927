"""The condition under which a statement holds: found by algebra, and proved both ways by the engine."""

from lpmech.conditions.condition import Condition, condition

__all__ = ["Condition", "condition"]
