"""A proof laboratory for randomized-response mechanisms, built on linear programming."""

from lpmech.channel import Channel
from lpmech.privacy import PrivacyLevel

__all__ = ["Channel", "PrivacyLevel", "__version__"]

__version__ = "0.1.0"
