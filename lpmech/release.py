"""A release: the exact channel that may be applied to labels, what it costs, and where it comes from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.certify.checker import exp_bounds
from lpmech.channel import Channel
from lpmech.entries import Array, to_exact
from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.privacy import MAX_EPSILON, PrivacyLevel
from lpmech.tables import read_channel

__all__ = ["Release", "Spent", "amount_text", "digest_of", "epsilon_text", "largest_ratio", "upper_epsilon"]

FORMAT, VERSION = "lpmech-release", 1

#: Files of a design's directory that `Release.load` reads.
RELEASE_FILE, CHANNEL_FILE = "release.json", "channel.csv"

#: How the counts were come by; how a budget spent on a prior adds to that of the release.
COUNTS, COMPOSITIONS = ("public", "private"), ("parallel", "sequential")

_MAX_BYTES = 256 * 2**20
_RATIONAL = re.compile(r"\d{1,1000}(/\d{1,1000})?", re.ASCII)
_NUMBER = re.compile(r"\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?|\d{1,40}/\d{1,40}", re.ASCII)
_LOGARITHM = re.compile(r"ln\((\d{1,40}(?:/\d{1,40})?)\)", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Spent:
    """What a release costs each row; every amount is a decimal or a quotient, in nats.

    Attributes
    ----------
    release : str
        For the released label.
    prior : str or None
        For the noisy counts behind the prior; None if the counts are public.
    total : str
        ``release`` alone, the sum of both (sequential) or the larger (parallel).
    composition : str or None
        ``"parallel"``: no row is in both the noisy counts and the release; ``"sequential"``: rows are in both.
    """

    release: str
    prior: str | None
    total: str
    composition: str | None

    @classmethod
    def on(cls, epsilon: str, prior: str | None = None, composition: str | None = None) -> Spent:
        """Add up a level as the user gave it and what the prior cost."""
        release = upper_epsilon(epsilon)
        return cls(release, prior, amount_text(_total(release, prior, composition)), composition)


@dataclass(frozen=True)
class Release:
    """A channel that is exactly private, ready to be applied to labels; an illegal one cannot be constructed.

    Attributes
    ----------
    channel : Channel
        Exact; its inputs (labels) and outputs are strings.
    epsilon : str
        The level as the user gave it: a decimal, a quotient, or ``ln(p/q)``.
    ratio : Fraction
        No column of the channel has a larger ratio, and it is at most e^epsilon; both exactly.
    spent : Spent
        What a release costs each row.
    counts : str
        ``"public"`` or ``"private"``: where the counts behind the prior come from.
    utility : Mapping
        ``name`` and ``sha256`` (`digest_of`) of what was maximised.
    prior : Mapping
        ``sha256`` of the prior, and ``noisy``: whether it was bought from private counts.
    certificate : Mapping
        What was proved about the channel.

    Raises
    ------
    ReleaseError
        If anything that is stated does not hold.
    """

    channel: Channel
    epsilon: str
    ratio: Fraction
    spent: Spent
    counts: str
    utility: Mapping[str, Any]
    prior: Mapping[str, Any]
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        matrix = self.channel.matrix
        _require(self.channel.is_exact, "channel", "floats", "exact entries")
        for names, argument in ((self.labels, "labels"), (self.outputs, "outputs")):
            _require(all(isinstance(v, str) for v in names), argument, "other names", "strings")
        _require(isinstance(self.ratio, Fraction) and self.ratio >= 1, "ratio", self.ratio, "a Fraction of at least 1")
        for j, column in enumerate(matrix.T):
            holds = column.max() <= self.ratio * column.min()
            _require(holds, "channel", f"a larger ratio in column {self.outputs[j]!r}", f"at most {self.ratio}")
        _require(self.ratio <= largest_ratio(self.epsilon), "ratio", str(self.ratio), "at most e^epsilon")
        cost = largest_ratio(self.spent.release)
        _require(self.ratio <= cost, "spent", self.spent.release, f"at least the logarithm of {self.ratio}")
        private = self.counts == "private"
        _require(self.counts in COUNTS, "counts", self.counts, " or ".join(COUNTS))
        _require((self.spent.prior is not None) == private, "spent", self.spent, "a prior's cost for private counts")
        _require(self.prior.get("noisy") is private, "prior", dict(self.prior), "noisy exactly for private counts")
        total = _total(self.spent.release, self.spent.prior, self.spent.composition)
        _require(_amount(self.spent.total) == total, "spent", self.spent.total, f"the total {total}")
        for stated, argument in ((self.utility, "utility"), (self.prior, "prior")):
            _require(
                isinstance(stated.get("sha256"), str) and _DIGEST.fullmatch(stated["sha256"]) is not None,
                argument,
                dict(stated),
                "a sha256 of 64 hexadecimal digits",
            )
        _require(isinstance(self.utility.get("name"), str), "utility", dict(self.utility), "a name")

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """The true labels, in the order of the rows."""
        return self.channel.inputs

    @property
    def outputs(self) -> tuple[Hashable, ...]:
        """The labels that may be released."""
        return self.channel.outputs

    def to_json(self) -> str:
        """The content of release.json."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "labels": list(self.labels),
            "outputs": list(self.outputs),
            "channel": [[str(v) for v in row] for row in self.channel.matrix.tolist()],
            "epsilon": self.epsilon,
            "ratio": str(self.ratio),
            "spent": vars(self.spent),
            "counts": self.counts,
            "utility": dict(self.utility),
            "prior": dict(self.prior),
            "certificate": dict(self.certificate),
        }
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Release:
        """Read the content of release.json and check it exactly.

        Raises
        ------
        ReleaseError
            If it is malformed, or anything that it states does not hold.
        """
        try:
            data = json.loads(text, object_pairs_hook=_without_duplicates)
            _require(data["format"] == FORMAT, "format", data["format"], FORMAT)
            _require(type(data["version"]) is int and data["version"] == VERSION, "version", data["version"], "1")
            rows = [[_rational(v) for v in row] for row in data["channel"]]
            for mapping in ("spent", "utility", "prior", "certificate"):
                _require(isinstance(data[mapping], dict), mapping, data[mapping], "an object")
            return cls(
                Channel(rows, data["labels"], data["outputs"]),
                data["epsilon"],
                _rational(data["ratio"]),
                Spent(**data["spent"]),
                data["counts"],
                data["utility"],
                data["prior"],
                data["certificate"],
            )
        except ReleaseError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, LpmechError) as exc:
            raise ReleaseError("release", _reason(exc), f"what version {VERSION} of {FORMAT} states") from exc

    @classmethod
    def load(cls, directory: str | Path) -> Release:
        """Read release.json of a directory and check it exactly, and channel.csv beside it where there is one.

        Raises
        ------
        DataFileError
            If a file is missing, unreadable or too large.
        ReleaseError
            If release.json is malformed, states what does not hold, or is not the channel of channel.csv.
        """
        path, beside = Path(directory) / RELEASE_FILE, Path(directory) / CHANNEL_FILE
        try:
            with path.open("rb") as file:
                content = file.read(_MAX_BYTES + 1)
            text = content.decode("utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            raise DataFileError("channel", str(path), f"a readable file in UTF-8 ({exc})") from exc
        if len(content) > _MAX_BYTES:
            raise DataFileError("channel", str(path), f"at most {_MAX_BYTES >> 20} MiB")
        release = cls.from_json(text)
        if beside.exists() and read_channel(beside) != release.channel:
            raise ReleaseError("channel", str(beside), f"exactly the channel of {RELEASE_FILE} beside it")
        return release


def largest_ratio(epsilon: str) -> Fraction:
    """A rational that is at most e^epsilon, exactly e^epsilon for ``ln(p/q)``, else within 1e-24 of it relatively.

    Raises
    ------
    ReleaseError
        If `epsilon` is no decimal or quotient with 0 < epsilon <= 700 and no ``ln(p/q)`` with p > q.
    """
    allowed = f"a decimal or a quotient with 0 < epsilon <= {MAX_EPSILON:g}, or ln(p/q) with p > q"
    logarithm = _LOGARITHM.fullmatch(epsilon) if isinstance(epsilon, str) else None
    if logarithm:
        ratio = _rational(logarithm[1])
        _require(ratio > 1, "epsilon", epsilon, allowed)
        return ratio
    amount = _amount(epsilon)
    _require(0 < amount <= MAX_EPSILON, "epsilon", epsilon, allowed)
    return exp_bounds(amount)[0]


def upper_epsilon(epsilon: str) -> str:
    """The level in nats: the number itself, or twelve decimals that are at least ``ln(p/q)``, proved.

    Raises
    ------
    ReleaseError
        As `largest_ratio`.
    """
    ratio = largest_ratio(epsilon)
    if not epsilon.startswith("ln"):
        return epsilon
    digits = Context(prec=60)
    nats = digits.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)).ln(digits)
    nats = nats.quantize(Decimal("1e-12"), rounding="ROUND_CEILING", context=digits) + Decimal("1e-12")
    _require(ratio <= largest_ratio(f"{nats:f}"), "epsilon", epsilon, "a logarithm that can be enclosed")
    return f"{nats:f}"


def epsilon_text(level: PrivacyLevel) -> str:
    """The level as text: the shortest decimal of epsilon, or ``ln(p/q)`` of an exact ratio."""
    return f"ln({level.ratio})" if level.is_exact else repr(level.epsilon)


def digest_of(values: Array) -> str:
    """SHA-256 of the shape and the exact values of an array, in hexadecimal."""
    exact = [str(v) for v in to_exact(values).ravel().tolist()]
    return hashlib.sha256(json.dumps([list(values.shape), exact]).encode()).hexdigest()


def amount_text(amount: Fraction) -> str:
    """An amount as a decimal where it is a short one, else as a quotient."""
    decimal = Decimal(amount.numerator) / Decimal(amount.denominator)
    return f"{decimal:f}" if Fraction(decimal) == amount else str(amount)


def _total(release: str, prior: str | None, composition: str | None) -> Fraction:
    if prior is None:
        _require(composition is None, "spent", composition, "no composition where there is no prior's cost")
        return _amount(release)
    _require(composition in COMPOSITIONS, "spent", composition, " or ".join(COMPOSITIONS))
    both = (_amount(release), _amount(prior))
    _require(both[1] > 0, "spent", prior, "a positive cost of the prior")
    return max(both) if composition == "parallel" else sum(both, Fraction(0))


def _amount(text: object) -> Fraction:
    if not isinstance(text, str) or _NUMBER.fullmatch(text) is None:
        raise ReleaseError("epsilon", text, "a decimal or a quotient as text")
    return _quotient(text)


def _rational(text: object) -> Fraction:
    if not isinstance(text, str) or _RATIONAL.fullmatch(text) is None:
        raise ReleaseError("release", text, "exact numbers as text, such as 3/7")
    return _quotient(text)


def _quotient(text: str) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ReleaseError("release", text, "a quotient with a denominator that is not zero") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    _require(len(found) == len(pairs), "release", [key for key, _ in pairs], "every key once")
    return found


def _require(condition: bool, argument: str, value: object, allowed: str) -> None:
    if not condition:
        raise ReleaseError(argument, value, allowed)


def _reason(exc: Exception) -> str:
    return f"no {exc}" if isinstance(exc, KeyError) else str(exc) or type(exc).__name__
