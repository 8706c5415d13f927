"""The directory that `lpmech design --output` writes, and what `lpmech certify` checks of it."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lpmech.budgets import amount_of, largest_ratio, require
from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.certify.packing import matrix_of
from lpmech.common_denominators import sum_of_products
from lpmech.entries import Array, Number, as_array, digest_of, to_exact, to_float
from lpmech.errors import CertificateError, ReleaseError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import UTILITIES, same_at_every_level, utility_named
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.hit_floors import floor_bound, priced
from lpmech.programs.uncertain_priors import PriorSet, priors_within, set_words
from lpmech.release.bought import BoughtCounts
from lpmech.release.counting_files import CountingProof, certify_counting
from lpmech.release.directory import check_files, regular_release, sealed, table
from lpmech.release.program_files import ProgramFilesProof, certify_program_files
from lpmech.release.record import CERTIFICATE_FILE, CHANNEL_FILE, COUNT, INFORMATIONS, UNBIASED, Release
from lpmech.release.sealing import RELEASE_FILE
from lpmech.release.spent import Spent
from lpmech.tables import as_decimal, channel_csv, read_utility

if TYPE_CHECKING:
    from lpmech.designs.designing import Design
    from lpmech.release.information_files import InformationProof
    from lpmech.release.unbiased_files import UnbiasedProof

__all__ = ["DirectoryProof", "certify_directory", "files_of_design", "release_of"]

_CERTIFICATE, _CHANNEL, _UTILITY = CERTIFICATE_FILE, CHANNEL_FILE, "utility.csv"

#: Files that are always there.
_ALWAYS = (_CHANNEL, _CERTIFICATE, "labels.csv", "comparison.csv")

_QUOTIENT = re.compile(r"-?\d+(/\d+)?", re.ASCII)


def release_of(
    found: Design, epsilon: str, spent: Spent, bought: BoughtCounts | None = None, mechanism: str = "optimal"
) -> Release:
    """The release of a design.

    Parameters
    ----------
    found : Design
        For public counts, or for noisy ones.
    epsilon : str
        Level of the release, as text (`lpmech.budgets.epsilon_text`).
    spent : Spent
        With the cost of the prior if the counts are noisy.
    bought : BoughtCounts, optional
        The noisy counts as they were drawn, for estimates.
    mechanism : str
        Name of the one of the comparison that is to release.

    Raises
    ------
    InvalidInputError
        If it is none of these, or releases nothing of the label.
    """
    from lpmech.designs.published import exact_alike

    within = largest_ratio(epsilon)
    channel = exact_alike(found.named(mechanism).channel, PrivacyLevel.from_ratio(within), found.symmetry)
    lower, upper = found.interval
    certificate: dict[str, Any] = {
        "file": _CERTIFICATE,
        "lower": str(lower),
        "upper": str(upper),
    }
    if found.floor is not None and found.prices is not None:
        certificate |= {"floor": str(found.floor), "prices": [str(v) for v in found.prices.tolist()]}
    if found.priors is not None:
        certificate["priors"] = [found.priors.kind, found.priors.size]
    return Release.on_counts(
        channel.renamed([str(v) for v in channel.inputs], [str(v) for v in channel.outputs]),
        epsilon,
        spent,
        bought,
        {"name": found.utility_name, "sha256": digest_of(found.utility)},
        found.prior,
        certificate,
        mechanism,
    )


def files_of_design(
    found: Design,
    release: Release,
    edges: Sequence[Fraction] = (),
    printed: Callable[[Number], str] = as_decimal,
    for_people: Mapping[str, bytes] | None = None,
) -> dict[str, str | bytes]:
    """Name and content of every file.

    Parameters
    ----------
    found, release : Design, Release
        The design, and what `release_of` made of it.
    edges : sequence of Fraction
        Those of bins, if the labels are their middles.
    printed : callable
        Gives the text of a probability in channel.csv.
    for_people : mapping of str to bytes, optional
        channel.png, comparison.png and design.html, if there are to be any.
    """
    from lpmech.designs.what_is_left import label_by_label

    rows = [entry.row() for entry in found.comparisons]
    columns = [name for name in rows[0] if name != "parameters"]
    files: dict[str, str | bytes] = {
        _CHANNEL: channel_csv(release.channel, printed),
        _CERTIFICATE: found.certificate.to_json() + "\n",
        "comparison.csv": table(columns, [[row[name] for name in columns] for row in rows]),
        "labels.csv": table(
            ("label", "prior", "released", "hit_rate", "best_guess", "guess_right"),
            [
                (
                    x.label,
                    repr(x.prior),
                    repr(x.released),
                    repr(x.hit_rate),
                    "" if x.guess is None else x.guess,
                    x.right,
                )
                for x in label_by_label(release.channel, found.prior)
            ],
        ),
        **(for_people or {}),
    }
    if found.utility_name not in same_at_every_level():
        exact = to_exact(found.utility).tolist()
        named = [(name, *row) for name, row in zip(found.labels, exact, strict=True)]
        files[_UTILITY] = table(("", *found.labels), named)
    return sealed(release, files, edges)


@dataclass(frozen=True)
class DirectoryProof:
    """What was checked of a directory.

    Attributes
    ----------
    release : Release
        Whose channel is exactly that of channel.csv, and exactly private.
    value, upper : Fraction
        Expected utility of the channel, and what no channel of that level (and floor) exceeds.
    """

    release: Release
    value: Fraction
    upper: Fraction

    def __str__(self) -> str:
        release = self.release
        floor = release.certificate.get("floor")
        kept = "" if floor is None else f" that keeps the hit rate {float(Fraction(floor)):.6g} of every label"
        prior, worst = release.counts_words, release.certificate.get("priors")
        if worst is not None:
            prior += f", the worst one {set_words(*worst)}"
        return (
            f"certified: channel.csv is the channel of release.json, on the {len(release.labels)} labels "
            f"{checker.listed(release.labels)}\n"
            f"it is {checker.shown(release.mechanism)}, private at epsilon = {release.epsilon}, compared exactly; "
            f"spent in all: {release.spent.total}\n"
            f"its expected utility ({checker.shown(release.utility['name'])}) under the prior, from {prior}, is at "
            f"least {checker.below(self.value)}; no channel of that level{kept} has more than "
            f"{checker.above(self.upper)}"
        )


def certify_directory(
    directory: str | Path,
) -> DirectoryProof | CountingProof | UnbiasedProof | InformationProof | ProgramFilesProof:
    """Check that the files of a design belong together, in exact rational arithmetic.

    Raises
    ------
    DataFileError
        If a file is missing, unreadable or not a regular one.
    ReleaseError
        If release.json states what does not hold or was not proved, or a file was changed, added or lost.
    CertificateError
        If the certificate proves nothing, or something about other labels, another level, utility or prior.
    """
    place = Path(directory)
    if not os.path.lexists(place / RELEASE_FILE) and (found := certify_program_files(place)) is not None:
        return found
    release = regular_release(place)
    if release.utility["name"] == COUNT:
        return certify_counting(place, release)
    if release.utility["name"] == UNBIASED:
        from lpmech.release.unbiased_files import certify_unbiased  # here, for others need no program of rows

        return certify_unbiased(place, release)
    if release.utility["name"] in INFORMATIONS:
        from lpmech.release.information_files import certify_information

        return certify_information(place, release)
    check_files(place, release, _ALWAYS)
    data, proof = checked(place / _CERTIFICATE, checker.check)
    stated = release.certificate
    _require((proof.inputs, proof.outputs) == (release.labels, release.outputs), "is about other labels")
    level = _level(release, data)
    prior, utility = _prior(release), _utility(place, release)
    _require(digest_of(utility) == release.utility["sha256"], "or the utility is not the one that release.json names")
    _require(("priors" in stated) == bool(proof.worst), "is about one prior, or a set of them, and release.json is not")
    program, lower, upper = optimal_channel(utility, level, prior), proof.lower, proof.upper
    if proof.worst:
        worst = _worst_prior(release, data["priors"], prior, utility)
        program = optimal_channel(to_exact(utility), level, worst)
    if "floor" in stated or "prices" in stated:
        prices = _numbers(stated.get("prices"), "certificate.prices")
        floor = _numbers([stated.get("floor")], "certificate.floor").tolist()[0]
        _require(prices.shape == (len(release.labels),), "cannot be checked: prices are not one for each label")
        hits = release.channel.matrix.diagonal().tolist()
        _require(min(hits) >= floor, "states a floor that the channel breaks")
        lower -= sum((price * hit for price, hit in zip(prices.tolist(), hits, strict=True)), Fraction(0))
        program, upper = priced(program, prices), floor_bound(upper, prices, floor)
    weights = matrix_of(data["weights"]).tolist()
    _require(to_exact(program.weights).tolist() == weights, "is about another utility or prior")
    release.require_stated(lower, upper)
    if proof.worst:
        return DirectoryProof(release, _set_of(data["priors"]).least(utility, release.channel.matrix), upper)
    value = sum_of_products(to_exact(prior)[:, None], to_exact(utility), release.channel.matrix)
    return DirectoryProof(release, value, upper)


def _set_of(data: Mapping[str, Any]) -> PriorSet:
    """The set of priors that a checked certificate is about."""
    centre, low, high = (as_array([Fraction(v) for v in data[key]], key, 1) for key in ("centre", "low", "high"))
    return PriorSet(centre, low, high, Fraction(data["radius"]))


def _worst_prior(release: Release, data: Mapping[str, Any], prior: Array, utility: Array) -> Array:
    """The prior of the proof, where the certificate is about the set of priors that release.json states."""
    stated, found = release.certificate["priors"], _set_of(data)
    described = isinstance(stated, list) and len(stated) == 2 and all(isinstance(v, str) for v in stated)
    require(described, f"{RELEASE_FILE}: certificate.priors", stated, "how the set of priors was made, and its size")
    if stated[0] == "within":
        expected = priors_within(prior, _numbers([stated[1]], "certificate.priors")[0])
    elif stated[0] == "confidence" and release.bought is not None and release.spent.prior is not None:
        from lpmech.release.private_counts import confidence_set

        size = _numbers([stated[1]], "certificate.priors")[0]
        expected = confidence_set(release.bought, release.spent.prior, size)
    else:
        require(
            stated == ["limits", "given"], f"{RELEASE_FILE}: certificate.priors", stated, "a set that can be checked"
        )
        expected = found
    _require(expected.same_set(found), "is about another set of priors")
    _require(matrix_of(data["utility"]).tolist() == to_exact(utility).tolist(), "is about another utility")
    return as_array([Fraction(v) for v in data["prior"]], "prior", 1)


def _level(release: Release, data: Mapping[str, Any]) -> PrivacyLevel:
    """The level of the certificate: that of the release, or the double at it or just below it."""
    if "epsilon" not in data:
        ratio = Fraction(data["ratio"][0])
        _require(ratio == largest_ratio(release.epsilon), "is about another level")
        return PrivacyLevel.from_ratio(ratio)
    _require(not release.epsilon.startswith("ln"), "is about another level")
    epsilon, nearest = Fraction(data["epsilon"]), float(amount_of(release.epsilon))
    _require(epsilon in (Fraction(nearest), Fraction(math.nextafter(nearest, 0.0))), "is about another level")
    return PrivacyLevel.from_epsilon(float(epsilon))


def _prior(release: Release) -> Array:
    prior = _numbers(release.prior.get("values"), "prior.values")
    _require(digest_of(prior) == release.prior["sha256"], "cannot be checked: the prior is not the one of release.json")
    return prior


def _utility(place: Path, release: Release) -> Array:
    labels, name = tuple(map(str, release.labels)), release.utility["name"]
    if (place / _UTILITY).exists():
        utility = read_utility(place / _UTILITY, labels)
        return to_float(utility) if name in UTILITIES else utility  # made in floats at a level, as these
    _require(name in same_at_every_level(), f"cannot be checked: {_UTILITY} is missing")
    prior = _prior(release).tolist()
    common = math.lcm(*(p.denominator for p in prior))
    return utility_named(name, LabelCounts(labels, tuple(int(p * common) for p in prior)))


def _numbers(values: object, key: str) -> Array:
    """Exact numbers of release.json."""
    argument = f"{RELEASE_FILE}: {key}"
    try:
        if isinstance(values, list) and all(isinstance(v, str) and _QUOTIENT.fullmatch(v) for v in values):
            return as_array([Fraction(v) for v in values], argument, 1, ReleaseError)
    except (ValueError, ZeroDivisionError):  # more digits than Python reads, or none below the line but zeros
        pass
    raise ReleaseError(argument, values, "a list of quotients as text")


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(f"the certificate {complaint}")
