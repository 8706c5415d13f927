"""The value of a formula at numbers of any kind: Fractions, floats, traced and recorded ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lpmech.prove.grammar import Node
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.traced import Traced
from lpmech.statements.numeric import numeric
from lpmech.statements.recording import Recorded, node_of, substituted

__all__ = ["evaluated"]


def evaluated(node: Node, at: Mapping[str, Any]) -> Any:
    """The value of a formula; exact where the numbers are."""
    if any(type(value) is Recorded for value in at.values()):
        path = next(value.path for value in at.values() if type(value) is Recorded)
        return Recorded(substituted(node, {name: node_of(value) for name, value in at.items()}), path)
    return numeric(node, {name: as_rational(v) if type(v) is not Traced else v for name, v in at.items()})
