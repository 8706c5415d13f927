"""Linear programs over channels, as data; those of the papers are beside their mechanism, in its `program` file."""

from lpmech.programs.general import Program, Solution
from lpmech.programs.optimal import optimal_channel

__all__ = ["Program", "Solution", "optimal_channel"]
