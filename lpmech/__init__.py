"""A proof laboratory for randomized-response mechanisms, built on linear programming."""

import lpmech.solvers  # noqa: F401  (registers the solvers that Program.solve finds by name)
from lpmech.channel import Channel
from lpmech.privacy import PrivacyLevel
from lpmech.registry import register_certifier

__all__ = ["Channel", "PrivacyLevel", "__version__"]

__version__ = "0.1.0"


def _certificate_of(solution: object) -> object:
    """`lpmech.certify.certificate_of`, loaded when first needed."""
    from lpmech.certify import certificate_of

    return certificate_of(solution)  # type: ignore[arg-type]


register_certifier(_certificate_of)
