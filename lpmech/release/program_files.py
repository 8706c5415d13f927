"""What `lpmech certify` checks of a directory of `lpmech design` for another program: a metric, delta, information."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.certify import checker, program_checker, sublinear_checker
from lpmech.certify.checked import checked
from lpmech.errors import CertificateError, DataFileError
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE
from lpmech.tables import read_entries

__all__ = ["ProgramFilesProof", "certify_program_files"]

_CHECKS: Mapping[str, Callable[[dict[str, Any]], object]] = {
    program_checker.FORMAT: program_checker.check_program,
    sublinear_checker.FORMAT: sublinear_checker.check_sublinear,
}


@dataclass(frozen=True)
class ProgramFilesProof:
    """What was checked of a directory without release.json: its channel is that of the proof.

    Attributes
    ----------
    proof : ProgramProof or SublinearProof
    """

    proof: object

    def __str__(self) -> str:
        return (
            f"certified: {CHANNEL_FILE} is the channel of {CERTIFICATE_FILE}, exactly\n{self.proof}\n"
            "not checked: comparison.csv, and which counts and utility were meant: there is no release.json"
        )


def certify_program_files(place: Path) -> ProgramFilesProof | None:
    """Check that channel.csv is the channel of a certificate for such a program; None where there is none.

    Raises
    ------
    DataFileError
        If channel.csv is missing, unreadable or not a regular file, or certificate.json is missing beside it.
    CertificateError
        If the certificate proves nothing, or holds another channel.
    """
    if os.path.isfile(place / CHANNEL_FILE) and not os.path.lexists(place / CERTIFICATE_FILE):
        most = sublinear_checker.MAX_LABELS
        allowed = f"a design with a certificate: one for an information on more than {most} labels has none"
        raise DataFileError("design", str(place / CERTIFICATE_FILE), allowed)
    try:
        check = _CHECKS.get(str(checker.read(place / CERTIFICATE_FILE).get("format")))
    except (OSError, checker.RejectedError):
        return None
    if check is None:
        return None
    data, proof = checked(place / CERTIFICATE_FILE, check)
    if data.get("kind") == "unbiased":  # whose directory has a release.json
        return None
    if not os.path.isfile(place / CHANNEL_FILE):
        raise DataFileError("design", str(place / CHANNEL_FILE), "a regular file, as `lpmech design` writes it")
    held = [[Fraction(value) for value in row] for row in data["channel"]]
    if read_entries(place / CHANNEL_FILE) != (data["inputs"], data["outputs"], held):
        raise CertificateError(f"the certificate holds another channel than {CHANNEL_FILE}")
    return ProgramFilesProof(proof)
