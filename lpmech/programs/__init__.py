"""Linear programs over channels, as data: the general one and those of the papers."""

from lpmech.programs.general import Program, Solution, optimal_channel

__all__ = ["Program", "Solution", "optimal_channel"]
