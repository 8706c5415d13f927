"""Two mechanisms for labels 0, ..., K - 1 on a line: the window and the truncated geometric."""

from windows.mechanisms import error, geometric, hit_rate, window

__all__ = ["error", "geometric", "hit_rate", "window"]
