"""The directory that `lpmech design` writes for an information, and what `lpmech certify` checks of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.budgets import largest_ratio
from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.certify.program import sublinear_certificate
from lpmech.certify.sublinear_checker import check_sublinear
from lpmech.entries import Number, as_array, digest_of
from lpmech.errors import CertificateError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.sublinear import Sublinear
from lpmech.release.bought import BoughtCounts
from lpmech.release.directory import check_files, sealed, table
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE, INFORMATIONS, Release
from lpmech.release.spent import Spent
from lpmech.tables import as_decimal, channel_csv

if TYPE_CHECKING:
    from lpmech.designs.information_design import InformationDesign

__all__ = ["InformationProof", "certify_information", "files_of_information", "release_of_information"]

_COLUMNS = ("mechanism", "parameters", "expected_utility", "loss_percent", "epsilon")


def release_of_information(
    found: InformationDesign, epsilon: str, spent: Spent, bought: BoughtCounts | None = None
) -> Release:
    """The release of a design; parameters as for `lpmech.release.design_files.release_of`.

    Its channel is the design's, rounded to what can be drawn exactly (`lpmech.Channel.exact`).
    """
    solution = found.solution
    channel, prior = solution.channel.exact(PrivacyLevel.from_ratio(largest_ratio(epsilon))), solution.program.laws[0]
    return Release.on_counts(
        channel,
        epsilon,
        spent,
        bought,
        {"name": found.utility_name},
        prior,
        {"file": CERTIFICATE_FILE, "lower": str(solution.value), "upper": str(solution.bound)},
    )


def files_of_information(
    found: InformationDesign,
    release: Release,
    edges: Sequence[Fraction] = (),
    printed: Callable[[Number], str] = as_decimal,
) -> dict[str, str | bytes]:
    """Name and content of every file; parameters as for `lpmech.release.design_files.files_of_design`."""
    files: dict[str, str | bytes] = {
        CHANNEL_FILE: channel_csv(release.channel, printed),
        CERTIFICATE_FILE: sublinear_certificate(found.solution) + "\n",
        "comparison.csv": table(_COLUMNS, [[getattr(row, name) for name in _COLUMNS] for row in found.comparisons]),
    }
    return sealed(release, files, edges)


@dataclass(frozen=True)
class InformationProof:
    """What was checked of a directory for an information.

    Attributes
    ----------
    release : Release
        Exactly private.
    value, upper : Fraction
        What its channel has at least, and what no private channel has more than, whatever its outputs.
    worth : str
        What that is, in words.
    """

    release: Release
    value: Fraction
    upper: Fraction
    worth: str

    def __str__(self) -> str:
        release, prior = self.release, self.release.counts_words
        return (
            f"certified: channel.csv is the channel of release.json, from the {len(release.labels)} labels "
            f"{checker.listed(release.labels)} to {len(release.outputs)} outputs\n"
            f"it is private at epsilon = {release.epsilon}, compared exactly; spent in all: {release.spent.total}\n"
            f"its {self.worth} under the prior, from {prior}, is at least {checker.below(self.value)}; no channel of "
            f"that level, whatever its outputs, has more than {checker.above(self.upper)}"
        )


def certify_information(place: Path, release: Release) -> InformationProof:
    """Check that the files of a design for an information belong together.

    Raises
    ------
    DataFileError, ReleaseError
        If a file was changed, added or lost, or release.json states what does not hold.
    CertificateError
        If the certificate proves nothing, or something about other labels, another level, prior or information.
    """
    check_files(place, release, (CHANNEL_FILE, CERTIFICATE_FILE, "comparison.csv"))
    data, proof = checked(place / CERTIFICATE_FILE, check_sublinear)
    measure, prior = INFORMATIONS[release.utility["name"]], release.prior_values
    _require(data["measure"] == measure and len(data["laws"]) == 1, "is about something else")
    _require(proof.inputs == release.labels, "is about other labels")
    _require(proof.ratio == largest_ratio(release.epsilon), "is about another level")
    law = as_array([[Fraction(v) for v in data["laws"][0]]], "laws", 2)
    known = prior is not None and digest_of(prior) == release.prior["sha256"]
    _require(prior is not None and known and prior.tolist() == law[0].tolist(), "is about another prior")
    release.require_stated(proof.lower, proof.upper)
    program = Sublinear(measure, law, PrivacyLevel.from_ratio(proof.ratio), release.labels)
    return InformationProof(release, program.ends(release.channel)[0], proof.upper, proof.worth)


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(f"the certificate {complaint}")
