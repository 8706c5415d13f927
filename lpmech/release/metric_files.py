"""The directory that `lpmech design --metric` writes, and what `lpmech certify` checks of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.certify.program import program_certificate
from lpmech.certify.program_checker import ProgramProof, check_program
from lpmech.entries import Number
from lpmech.errors import CertificateError, DataFileError
from lpmech.release.directory import table
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE
from lpmech.tables import channel_csv, read_entries

if TYPE_CHECKING:
    from lpmech.designs.metric_design import MetricDesign

__all__ = ["MetricProof", "certify_metric", "files_for_metric"]


def files_for_metric(found: MetricDesign, printed: Callable[[Number], str]) -> dict[str, str | bytes]:
    """Name and content of every file; no release.json, as a ledger counts epsilon for any two labels."""
    columns = ("mechanism", "expected_utility", "loss_percent", "epsilon")
    rows = [[entry.row()[name] for name in columns] for entry in found.comparisons]
    return {
        CHANNEL_FILE: channel_csv(found.comparisons[0].channel, printed),
        CERTIFICATE_FILE: program_certificate(found.solution) + "\n",
        "comparison.csv": table(columns, rows),
    }


@dataclass(frozen=True)
class MetricProof:
    """What was checked of a directory for a metric: its channel is that of the proof."""

    proof: ProgramProof

    def __str__(self) -> str:
        return (
            f"certified: {CHANNEL_FILE} is the channel of {CERTIFICATE_FILE}, exactly\n{self.proof}\n"
            "not checked: comparison.csv, and which metric, utility and counts were meant: a design for a metric has "
            "no release.json"
        )


def certify_metric(place: Path) -> MetricProof | None:
    """Check that channel.csv is the channel of a certificate for a metric; None where there is no such certificate.

    Raises
    ------
    DataFileError
        If channel.csv is missing, unreadable or not a regular file.
    CertificateError
        If the certificate proves nothing, or holds another channel.
    """
    try:
        if checker.read(place / CERTIFICATE_FILE).get("kind") != "metric":
            return None
    except (OSError, checker.RejectedError):
        return None
    data, proof = checked(place / CERTIFICATE_FILE, check_program)
    if not os.path.isfile(place / CHANNEL_FILE):
        raise DataFileError("design", str(place / CHANNEL_FILE), "a regular file, as `lpmech design` writes it")
    inputs, outputs, rows = read_entries(place / CHANNEL_FILE)
    held = [[Fraction(value) for value in row] for row in data["channel"]]
    if (tuple(inputs), tuple(outputs), rows) != (proof.inputs, proof.outputs, held):
        raise CertificateError(f"the certificate holds another channel than {CHANNEL_FILE}")
    return MetricProof(proof)
