"""Releasing labels: the record of a channel that may be used, private counts, the file, its ledger, and estimates."""

from lpmech.release.record import Release
from lpmech.release.spent import Spent

__all__ = ["Release", "Spent"]
