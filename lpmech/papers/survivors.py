"""Derived mutants that are right: every one that a check accepts, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["SURVIVORS"]

#: (paper, id) of a claim -> name of the derived mutant -> why it is right as well.
SURVIVORS: Mapping[tuple[str, str], Mapping[str, str]] = {}
