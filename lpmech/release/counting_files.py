"""The directory that `lpmech design --utility count` writes, and what `lpmech certify` checks of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lpmech.budgets import amount_of, largest_ratio, require
from lpmech.certify import checker
from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, digest_of
from lpmech.errors import CertificateError, LpmechError, ReleaseError
from lpmech.files.access import read_regular
from lpmech.privacy import PrivacyLevel
from lpmech.release.bought import BoughtCounts
from lpmech.release.directory import check_files, sealed, table
from lpmech.release.label_sets import LETTER, LabelSets
from lpmech.release.record import BOUND_FILE, CHANNEL_FILE, COUNT, Release
from lpmech.release.sealing import without_duplicates
from lpmech.release.spent import Spent
from lpmech.tables import as_decimal, channel_csv

if TYPE_CHECKING:
    from lpmech.designs.counting import Counting, CountingDesign
    from lpmech.designs.counting_bound import CountingBound

__all__ = ["CountingProof", "certify_counting", "files_for_counting", "release_for_counting"]

_FORMAT, _MOST_BYTES = "lpmech-counting-bound-1", 2**26

_QUOTIENT = re.compile(r"-?\d{1,4000}(/(?=0*[1-9])\d{1,4000})?", re.ASCII)


def release_for_counting(
    found: CountingDesign, chosen: Counting, epsilon: str, spent: Spent, bought: BoughtCounts | None = None
) -> Release:
    """The release of a design for counting.

    Parameters
    ----------
    found, chosen : CountingDesign, Counting
        The design, and the mechanism of its comparison that is to release.
    epsilon, spent, bought
        As for `lpmech.release.design_files.release_of`.
    """
    from lpmech.mechanisms.set_valued import SetValued  # here, for `certify` loads no mechanism where none is needed

    level = PrivacyLevel.from_ratio(largest_ratio(epsilon))
    labels = tuple(str(name) for name in found.labels)
    randomizer: Channel | LabelSets
    if isinstance(chosen.randomizer, SetValued):
        randomizer = LabelSets(labels, chosen.randomizer.exact(level))
    else:
        channel = chosen.randomizer.exact(level)
        randomizer = Channel(channel.matrix, labels, _texts(labels, [str(name) for name in channel.outputs]))
    certificate = {} if found.bound is None else {"file": BOUND_FILE, "lower": str(found.bound.value)}
    return Release.on_counts(
        randomizer,
        epsilon,
        spent,
        bought,
        {"name": COUNT},
        found.prior,
        certificate,
        chosen.mechanism,
    )


def _texts(labels: tuple[str, ...], outputs: list[str]) -> list[str]:
    """Outputs that are no labels begin with a letter: b before a bit for each label, as sets do, o before numbers."""
    if set(outputs) == set(labels):
        return outputs
    letter = LETTER if all(len(name) == len(labels) for name in outputs) else "o"
    return [letter + name for name in outputs]


def files_for_counting(
    found: CountingDesign,
    release: Release,
    edges: Sequence[Fraction] = (),
    printed: Callable[[Number], str] = as_decimal,
    for_people: Mapping[str, bytes] | None = None,
) -> dict[str, str | bytes]:
    """Name and content of every file; parameters as for `lpmech.release.design_files.files_of_design`."""
    rows = [(row.mechanism, row.parameters, repr(float(row.variance)), repr(row.error)) for row in found.comparisons]
    files: dict[str, str | bytes] = {
        "comparison.csv": table(("mechanism", "parameters", "variance", f"error_of_a_share_at_{found.rows}"), rows),
        **(for_people or {}),
    }
    if isinstance(release.randomizer, Channel):
        files[CHANNEL_FILE] = channel_csv(release.randomizer, printed)
    if found.bound is not None:
        files[BOUND_FILE] = _bound_json(found.bound)
    return sealed(release, files, edges)


@dataclass(frozen=True)
class CountingProof:
    """What was checked of a directory for counting.

    Attributes
    ----------
    release : Release
        Exactly private.
    variance : Fraction or None
        Total variance of the shares times n, at the prior; None for a channel without a bound beside it.
    bound : Fraction or None
        What no private channel is below.
    """

    release: Release
    variance: Fraction | None
    bound: Fraction | None

    def __str__(self) -> str:
        release = self.release
        if isinstance(release.randomizer, LabelSets):
            what = "the sets of labels of release.json are made again from its exact parameters"
        else:
            what = "channel.csv is the channel of release.json"
        lines = [
            f"certified: {what}, on the {len(release.labels)} labels {checker.listed(release.labels)}",
            f"it is {checker.shown(release.mechanism)}, private at epsilon = {release.epsilon}, compared exactly; "
            f"spent in all: {release.spent.total}",
        ]
        if self.variance is not None:
            lines.append(
                f"the best unbiased shares from n released labels have a total variance of at most "
                f"{checker.above(self.variance)} / n under the prior, from {release.counts_words}"
            )
        if self.bound is not None:
            lines.append(f"unbiased shares from a channel of that level have at least {checker.below(self.bound)} / n")
        else:
            lines.append("no bound beside it says how well another mechanism could count")
        return "\n".join(lines)


def certify_counting(place: Path, release: Release) -> CountingProof:
    """Check that the files of a design for counting belong together, in exact rational arithmetic.

    Raises
    ------
    DataFileError, ReleaseError
        If a file was changed, added or lost, or release.json states what does not hold.
    CertificateError
        If the bound does not hold, or is about another level or prior.
    """
    sets = isinstance(release.randomizer, LabelSets)
    stated = release.certificate
    always = {"comparison.csv", *(() if sets else (CHANNEL_FILE,)), *((BOUND_FILE,) if stated else ())}
    check_files(place, release, always)
    exact = str(release.randomizer.ratio)
    require(str(release.ratio) == exact, "release.json: ratio", str(release.ratio), f"the mechanism's {exact}")
    prior = release.prior_values
    if prior is None or digest_of(prior) != release.prior["sha256"]:
        raise ReleaseError("release.json: prior.values", release.prior.get("values"), "the prior of its sha256")
    if not stated:
        return CountingProof(release, _variance_of_sets(release), None)
    require(set(stated) == {"file", "lower"}, "release.json: certificate", sorted(stated), "file and lower")
    bound = _read_bound(place / BOUND_FILE, prior)
    if bound.ratio < _ratio_above(release.epsilon):
        raise CertificateError(f"{BOUND_FILE} is about another level")
    for key, proved in (("file", BOUND_FILE), ("lower", str(bound.value))):
        require(stated[key] == proved, f"release.json: certificate.{key}", stated[key], proved)
    variance = _variance_of_sets(release) if sets else _variance(release.channel, prior)
    return CountingProof(release, variance, bound.value)


def _ratio_above(epsilon: str) -> Fraction:
    """A rational of at least e^epsilon."""
    return largest_ratio(epsilon) if epsilon.startswith("ln") else checker.exp_bounds(amount_of(epsilon))[1]


def _variance_of_sets(release: Release) -> Fraction | None:
    sets = release.randomizer
    return Fraction(sets.mechanism.total_variance) if isinstance(sets, LabelSets) else None


def _variance(channel: Channel, prior: Any) -> Fraction:
    """tr(M^-1) - 1 with M = sum_j q_j q_j^T / r_j, exactly: that of the decoder of least variance at the prior."""
    from lpmech.linear_algebra import from_flint, inverse, to_flint

    matrix, shares = to_flint(channel.matrix), to_flint(prior)
    mass = shares @ matrix
    occurs = mass > 0
    kept = matrix[:, occurs]
    try:
        found = inverse(from_flint((kept / mass[occurs]) @ kept.T))
    except ZeroDivisionError as exc:
        raise CertificateError("the shares cannot be estimated from the channel") from exc
    return sum(found.diagonal().tolist(), Fraction(-1))


def _signed(text: object) -> Fraction:
    if not isinstance(text, str) or _QUOTIENT.fullmatch(text) is None:
        raise CertificateError(f"{BOUND_FILE} holds {str(text)[:40]!r}, which is no quotient as text")
    return Fraction(text)


def _bound_json(bound: CountingBound) -> str:
    matrix = [[str(v) for v in row] for row in bound.matrix.tolist()]
    duals = [str(v) for v in bound.duals.tolist()]
    return json.dumps({"format": _FORMAT, "ratio": str(bound.ratio), "matrix": matrix, "duals": duals}, indent=1) + "\n"


def _read_bound(path: Path, prior: Array) -> CountingBound:
    """The bound of a file, for this prior; checked, as every bound is that is constructed."""
    from lpmech.designs.counting_bound import CountingBound

    try:
        data = json.loads(read_regular(path, "bound", _MOST_BYTES), object_pairs_hook=without_duplicates)
        if set(data) != {"format", "ratio", "matrix", "duals"} or data["format"] != _FORMAT:
            raise CertificateError(f"no {_FORMAT}")
        size = len(prior)
        matrix = as_array([[_signed(v) for v in row] for row in data["matrix"]], "matrix", 2)
        duals = as_array([_signed(v) for v in data["duals"]], "duals", 1)
        if matrix.shape != (size, size) or duals.shape != (size,):
            raise CertificateError("it is about another number of labels")
        return CountingBound(prior, _signed(data["ratio"]), matrix, duals)
    except CertificateError as exc:
        raise CertificateError(f"{checker.shown(str(path))}: {exc}") from exc
    except (OSError, ValueError, TypeError, KeyError, RecursionError, LpmechError) as exc:
        raise CertificateError(f"{checker.shown(str(path))}: no bound: {exc}") from exc
