"""Certificates of optima and their independent checker.

`Certificate`, `certificate_of` and `read_certificate` are loaded when first needed: the checker itself needs no numpy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lpmech.certify.certificate import (
        Certificate,
        certificate_around,
        certificate_of,
        read_certificate,
    )

__all__ = ["Certificate", "certificate_around", "certificate_of", "read_certificate"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lpmech.certify import certificate

    return getattr(certificate, name)
