"""A proof laboratory for randomized-response mechanisms, built on linear programming."""

__version__ = "0.1.0"
