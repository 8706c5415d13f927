"""A proof laboratory for randomized-response mechanisms, built on linear programming.

What is offered here is loaded when it is first asked for, so that ``import lpmech`` costs next to nothing:

==================  ==============================================================================
design              the best private channel for label counts, beside every published mechanism
regimes             the optimum as an exact function of e^epsilon, for all epsilon at once
optimal_channel     the linear program for any utility and prior; ``.solve()`` gives value and proof
verify              run claims of the papers
compare_channels    which of two channels is better for everybody, with proofs
when                the exact condition under which a statement holds
discover            the optimum of a family of problems for every number of labels
Channel             Pr[released label | true label], with its tight privacy level
PrivacyLevel        epsilon, or exactly e^epsilon
==================  ==============================================================================
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lpmech.channel import Channel
    from lpmech.conjectures.when import when
    from lpmech.designs.designing import design
    from lpmech.designs.regimes import regimes
    from lpmech.discovery import discover
    from lpmech.papers.verifying import verify
    from lpmech.privacy import PrivacyLevel
    from lpmech.programs import optimal_channel
    from lpmech.programs.compare_channels import compare_channels

__all__ = [
    "Channel",
    "PrivacyLevel",
    "__version__",
    "compare_channels",
    "design",
    "discover",
    "optimal_channel",
    "regimes",
    "verify",
    "when",
]

__version__ = "0.2.0"

_ROOMS = {
    "Channel": "channel",
    "PrivacyLevel": "privacy",
    "compare_channels": "programs.compare_channels",
    "design": "designs.designing",
    "discover": "discovery",
    "optimal_channel": "programs",
    "regimes": "designs.regimes",
    "verify": "papers.verifying",
    "when": "conjectures.when",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
