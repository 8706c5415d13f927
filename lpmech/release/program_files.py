"""What `lpmech certify` checks of a directory of `lpmech design` for another program: a metric, delta."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from lpmech.certify import checker, program_checker
from lpmech.certify.checked import checked
from lpmech.errors import CertificateError, DataFileError
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE
from lpmech.tables import read_entries

__all__ = ["ProgramFilesProof", "certify_program_files"]


@dataclass(frozen=True)
class ProgramFilesProof:
    """What was checked of a directory without release.json: its channel is that of the proof.

    Attributes
    ----------
    proof : ProgramProof
    """

    proof: program_checker.ProgramProof

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
        If channel.csv is missing, unreadable or not a regular file.
    CertificateError
        If the certificate proves nothing, or holds another channel.
    """
    try:
        if checker.read(place / CERTIFICATE_FILE).get("format") != program_checker.FORMAT:
            return None
    except (OSError, checker.RejectedError):
        return None
    data, proof = checked(place / CERTIFICATE_FILE, program_checker.check_program)
    if data.get("kind") == "unbiased":  # whose directory has a release.json
        return None
    if not os.path.isfile(place / CHANNEL_FILE):
        raise DataFileError("design", str(place / CHANNEL_FILE), "a regular file, as `lpmech design` writes it")
    held = [[Fraction(value) for value in row] for row in data["channel"]]
    if read_entries(place / CHANNEL_FILE) != (data["inputs"], data["outputs"], held):
        raise CertificateError(f"the certificate holds another channel than {CHANNEL_FILE}")
    return ProgramFilesProof(proof)
