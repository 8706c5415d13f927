"""The directory that `lpmech design --utility unbiased` writes, and what `lpmech certify` checks of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lpmech.budgets import largest_ratio, require
from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.certify.program import program_certificate
from lpmech.certify.program_checker import check_program
from lpmech.entries import Array, Number, as_array, digest_of, rational_from_text, total
from lpmech.errors import CertificateError, ReleaseError
from lpmech.programs.unbiased import square_errors
from lpmech.release.bought import BoughtCounts
from lpmech.release.directory import check_files, sealed, table
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE, UNBIASED, Release
from lpmech.release.spent import Spent
from lpmech.tables import as_decimal, channel_csv

if TYPE_CHECKING:
    from lpmech.designs.unbiased import UnbiasedDesign

__all__ = ["UnbiasedProof", "certify_unbiased", "files_of_unbiased", "release_of_unbiased"]


def release_of_unbiased(
    found: UnbiasedDesign, epsilon: str, spent: Spent, bought: BoughtCounts | None = None
) -> Release:
    """The release of a design; parameters as for `lpmech.release.design_files.release_of`."""
    best, channel = found.best, found.channel
    return Release.on_counts(
        channel,
        epsilon,
        spent,
        bought,
        {"name": UNBIASED, "sha256": _digest(channel.inputs, channel.outputs)},
        best.program.prior,
        {"file": CERTIFICATE_FILE, "lower": str(-Fraction(best.value)), "upper": str(-best.bound)},
    )


def files_of_unbiased(
    found: UnbiasedDesign,
    release: Release,
    edges: Sequence[Fraction] = (),
    printed: Callable[[Number], str] = as_decimal,
) -> dict[str, str | bytes]:
    """Name and content of every file; parameters as for `lpmech.release.design_files.files_of_design`."""
    rows = [(row.mechanism, row.parameters, repr(row.variance)) for row in found.comparisons]
    files: dict[str, str | bytes] = {
        CHANNEL_FILE: channel_csv(release.channel, printed),
        CERTIFICATE_FILE: program_certificate(found.best.linear()) + "\n",
        "comparison.csv": table(("mechanism", "parameters", "variance"), rows),
    }
    return sealed(release, files, edges)


@dataclass(frozen=True)
class UnbiasedProof:
    """What was checked of a directory for unbiased release.

    Attributes
    ----------
    release : Release
        Exactly private, and exactly unbiased.
    value, bound : Fraction
        Expected square error of the channel under the prior, and what none on the certificate's outputs has less than.
    """

    release: Release
    value: Fraction
    bound: Fraction

    def __str__(self) -> str:
        release, prior = self.release, self.release.counts_words
        return (
            f"certified: channel.csv is the channel of release.json, from {len(release.labels)} numbers to "
            f"{len(release.outputs)}; the mean of what it releases is the true number, exactly\n"
            f"it is private at epsilon = {release.epsilon}, compared exactly; spent in all: {release.spent.total}\n"
            f"its expected square error under the prior, from {prior}, is at most {checker.above(self.value)}; no "
            "unbiased channel of that level to the outputs of the certificate has less than "
            f"{checker.below(self.bound)}"
        )


def certify_unbiased(place: Path, release: Release) -> UnbiasedProof:
    """Check that the files of a design for unbiased release belong together, in exact rational arithmetic.

    Raises
    ------
    DataFileError, ReleaseError
        If a file was changed, added or lost, or release.json states what does not hold.
    CertificateError
        If the certificate proves nothing, or something about other numbers, another level or prior.
    """
    check_files(place, release, (CHANNEL_FILE, CERTIFICATE_FILE, "comparison.csv"))
    data, proof = checked(place / CERTIFICATE_FILE, check_program)
    channel, about = release.channel, data["data"]
    values, outputs = _numbers(channel.inputs), _numbers(channel.outputs)
    require(release.utility["sha256"] == _digest(channel.inputs, channel.outputs), "utility", "another", "the errors")
    _require(data["kind"] == "unbiased", "is of another kind")
    _require([Fraction(v) for v in about["values"]] == values.tolist(), "is about other labels")
    _require(Fraction(about["ratio"]) == largest_ratio(release.epsilon), "is about another level")
    prior = release.prior_values
    known = prior is not None and digest_of(prior) == release.prior["sha256"]
    _require(prior is not None and known, "cannot be checked: the prior is not the one of release.json")
    shares: Array = as_array([Fraction(v) for v in about["prior"]], "prior", 1)
    _require(prior is not None and prior.tolist() == shares.tolist(), "is about another prior")
    _require({Fraction(z) for z in about["grid"]} >= set(outputs.tolist()), "is about other outputs")
    release.require_stated(proof.lower, proof.upper)
    means = channel.matrix.dot(outputs)
    _require(means.tolist() == values.tolist(), "cannot be about the channel of release.json, which is biased")
    value = total(shares[:, None] * channel.matrix * square_errors(values, outputs))
    return UnbiasedProof(release, value, -proof.upper)


def _digest(inputs: Sequence[Any], outputs: Sequence[Any]) -> str:
    """Of what the entries are worth: errors, as negative numbers."""
    return digest_of(-square_errors(_numbers(inputs), _numbers(outputs)))


def _numbers(names: Sequence[Any]) -> Array:
    numbers = [rational_from_text(str(name)) for name in names]
    if any(number is None for number in numbers):
        raise ReleaseError("labels", "some that are no numbers", "numbers, where they are released without bias")
    return as_array(numbers, "labels", 1)


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(f"the certificate {complaint}")
