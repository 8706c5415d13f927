"""Certificates in files: what a checker says of one, with the errors of lpmech."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lpmech.certify import checker
from lpmech.errors import CertificateError, DataFileError

__all__ = ["checked"]

Proof = TypeVar("Proof")


def checked(path: str | Path, check: Callable[[dict[str, Any]], Proof]) -> tuple[dict[str, Any], Proof]:
    """What a file holds, and what a checker makes of it.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or not a regular file.
    CertificateError
        If it is too large or not strictly JSON, or the checker rejects it.
    """
    if not os.path.isfile(path):  # a name that no file can have is none, too
        raise DataFileError("certificate", str(path), "a regular file")
    try:
        data = checker.read(path)
        return data, check(data)
    except OSError as exc:
        raise DataFileError("certificate", str(path), f"a readable file ({exc.strerror or exc})") from exc
    except checker.RejectedError as exc:
        raise CertificateError(f"{checker.shown(str(path))}: {exc}") from exc
