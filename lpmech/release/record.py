"""A release: the exact channel that may be applied to labels, what it costs, and where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.budgets import (
    amount_of,
    largest_ratio,
    rational_of,
    require,
    upper_epsilon,
)
from lpmech.channel import Channel
from lpmech.entries import Array, digest_of, exact_texts, rational_from_text
from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.files.access import read_regular
from lpmech.files.csv_rows import read_rows
from lpmech.labels.index import LabelIndex
from lpmech.priors import as_prior
from lpmech.release.arrays import typed_like, warn_if_released_before
from lpmech.release.bought import BoughtCounts
from lpmech.release.label_sets import LabelSets
from lpmech.release.sealing import (
    RELEASE_FILE,
    check_digest,
    check_keys,
    digest_of_entries,
    indented,
    seal_of,
    without_duplicates,
)
from lpmech.release.spent import Spent, total_cost
from lpmech.tables import read_channel

if TYPE_CHECKING:
    from lpmech.programs.sublinear import Measure

__all__ = ["Release"]

FORMAT, VERSION = "lpmech-release", 3

#: Files of a design's directory that `Release.load` reads.
CHANNEL_FILE, BINS_FILE = "channel.csv", "bins.csv"

#: The bound of a design for counting, and the name of that purpose, which has no matrix of utilities.
BOUND_FILE, COUNT = "counting-bound.json", "count"

#: What is proved of another design, and the purpose of releasing numbers without bias.
CERTIFICATE_FILE, UNBIASED = "certificate.json", "unbiased"

#: Informations that are maximised in place of a utility, which have no matrix, and their measures.
INFORMATIONS: Mapping[str, Measure] = {
    "mutual_information": "kullback-leibler",
    "chi_squared": "chi-squared",
    "total_variation": "total-variation",
}

#: Those that it leaves alone.
OTHER_FILES = (
    *(BOUND_FILE, CERTIFICATE_FILE, "utility.csv", "labels.csv", "comparison.csv"),
    *("channel.png", "comparison.png", "design.html"),
)

#: How the counts were come by.
COUNTS = ("public", "private")

#: Keys of release.json, and of its objects: those that must be there, and those that may.
_KEYS: Mapping[str, tuple[set[str], set[str]]] = {
    "utility": ({"name"}, {"sha256"}),
    "prior": ({"sha256", "noisy"}, {"values", "counts", "rows"}),
    "certificate": (set(), {"file", "lower", "upper", "floor", "prices", "priors"}),
    "spent": ({"release", "prior", "total", "composition"}, {"purchase"}),
    "files": (set(), {CHANNEL_FILE, BINS_FILE, *OTHER_FILES}),
}
_TOP = {
    *("format", "version", "mechanism", "labels", "epsilon", "ratio", "counts", "seal"),
    *_KEYS,
}  # fmt: skip

_MAX_BYTES = 2**30
_DIGEST, _PURCHASE = re.compile(r"[0-9a-f]{64}", re.ASCII), re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True)
class Release:
    """A channel that is exactly private, ready to be applied to labels; an illegal one cannot be constructed.

    Attributes
    ----------
    randomizer : Channel or LabelSets
        Exact; labels and outputs of a channel are strings.
    epsilon : str
        The level as the user gave it: a decimal, a quotient, or ``ln(p/q)``.
    ratio : Fraction
        No output has a larger ratio of its probabilities, and it is at most e^epsilon; both exactly.
    spent : Spent
        What a release costs each row.
    counts : str
        ``"public"`` or ``"private"``: where the counts behind the prior come from.
    utility : Mapping
        ``name`` and ``sha256`` (`lpmech.entries.digest_of`) of what was maximised; ``count`` and informations have a
        name only.
    prior : Mapping
        ``sha256`` of the prior, and ``noisy``: whether it was bought from private counts; then also the noisy
        ``counts`` as they were drawn, and of how many ``rows``.
    certificate : Mapping
        What was proved about the channel.
    mechanism : str
        Its name in the comparison of the design.
    files : Mapping
        Name and SHA-256 of every file beside release.json in a design's directory.
    edges : tuple of Fraction
        Where the labels are bins of numbers, their K + 1 rising edges; kept in bins.csv beside release.json.

    Raises
    ------
    ReleaseError
        If anything that is stated does not hold.
    """

    randomizer: Channel | LabelSets
    epsilon: str
    ratio: Fraction
    spent: Spent
    counts: str
    utility: Mapping[str, Any]
    prior: Mapping[str, Any]
    certificate: Mapping[str, Any] = field(default_factory=dict)
    mechanism: str = "optimal"
    files: Mapping[str, str] = field(default_factory=dict)
    edges: tuple[Fraction, ...] = ()

    @classmethod
    def on_counts(
        cls,
        randomizer: Channel | LabelSets,
        epsilon: str,
        spent: Spent,
        bought: BoughtCounts | None,
        utility: Mapping[str, Any],
        prior: Array,
        certificate: Mapping[str, Any],
        mechanism: str = "optimal",
    ) -> Release:
        """The release of a design; parameters as for `lpmech.release.design_files.release_of`, and the attributes."""
        noisy = spent.prior is not None
        told = {"sha256": digest_of(prior), "noisy": noisy, "values": [str(v) for v in prior.tolist()]}
        told |= {} if bought is None else bought.stated()
        counts, ratio = "private" if noisy else "public", Fraction(randomizer.ratio)
        return cls(randomizer, epsilon, ratio, spent, counts, utility, told, certificate, mechanism)

    def require_stated(self, lower: Fraction, upper: Fraction) -> None:
        """Refuse a release that states other ends than its certificate proves, or another ratio than its channel has.

        Raises
        ------
        ReleaseError
            If it does.
        """
        for key, proved in (("file", CERTIFICATE_FILE), ("lower", str(lower)), ("upper", str(upper))):
            stated = self.certificate.get(key)
            require(stated == proved, f"{RELEASE_FILE}: certificate.{key}", stated, proved)
        exact = str(self.channel.ratio)
        require(str(self.ratio) == exact, f"{RELEASE_FILE}: ratio", str(self.ratio), f"the channel's {exact}")

    @property
    def counts_words(self) -> str:
        """What the prior is from."""
        return "private counts with noise" if self.counts == "private" else "public counts"

    def __post_init__(self) -> None:
        require(isinstance(self.ratio, Fraction) and self.ratio >= 1, "ratio", self.ratio, "a Fraction of at least 1")
        if isinstance(self.randomizer, Channel):
            _require_private(self.randomizer, self.ratio)
        else:
            require(self.randomizer.ratio <= self.ratio, "sets", str(self.randomizer.ratio), f"at most {self.ratio}")
        require(self.ratio <= largest_ratio(self.epsilon), "ratio", str(self.ratio), "at most e^epsilon")
        cost = largest_ratio(self.spent.release)
        require(self.ratio <= cost, "spent", self.spent.release, f"at least the logarithm of {self.ratio}")
        paid = upper_epsilon(self.epsilon)
        require(amount_of(self.spent.release) == amount_of(paid), "spent", self.spent.release, f"epsilon, {paid}")
        private = self.counts == "private"
        require(self.counts in COUNTS, "counts", self.counts, " or ".join(COUNTS))
        require((self.spent.prior is not None) == private, "spent", self.spent, "a prior's cost for private counts")
        named = isinstance(self.spent.purchase, str) and private and _PURCHASE.fullmatch(self.spent.purchase)
        require(
            self.spent.purchase is None or bool(named), "spent", self.spent, "32 hexadecimal digits as its purchase"
        )
        require(self.prior.get("noisy") is private, "prior", dict(self.prior), "noisy exactly for private counts")
        total = total_cost(self.spent.release, self.spent.prior, self.spent.composition)
        require(amount_of(self.spent.total) == total, "spent", self.spent.total, f"the total {total}")
        require(self.bought is None or private, "prior", dict(self.prior), "noisy counts for private counts only")
        no_matrix = self.utility.get("name") in (COUNT, *INFORMATIONS)
        utility = {} if no_matrix else {"utility": self.utility.get("sha256")}
        digests = {**utility, "prior": self.prior.get("sha256"), **self.files}
        for argument, digest in digests.items():
            allowed = "a sha256 of 64 hexadecimal digits"
            require(isinstance(digest, str) and _DIGEST.fullmatch(digest) is not None, argument, digest, allowed)
        if self.edges:
            rising = len(self.edges) == len(self.labels) + 1 and all(a < b for a, b in pairwise(self.edges))
            require(rising, "edges", self.edges, "rising edges of a bin for each label")
        require(isinstance(self.utility.get("name"), str), "utility", dict(self.utility), "a name")
        printable = isinstance(self.mechanism, str) and self.mechanism.isprintable()
        require(printable, "mechanism", self.mechanism, "a name")

    @property
    def labels(self) -> tuple[Hashable, ...]:
        """The true labels, in order."""
        return self.randomizer.inputs

    @property
    def channel(self) -> Channel:
        """The channel that releases labels.

        Raises
        ------
        ReleaseError
            If sets are released.
        """
        if isinstance(self.randomizer, Channel):
            return self.randomizer
        raise ReleaseError("channel", f"{self.mechanism}, which releases sets", "a design that releases labels")

    @property
    def outputs(self) -> tuple[Hashable, ...]:
        """The labels that may be released, for a channel."""
        return self.channel.outputs

    @property
    def prior_values(self) -> Array | None:
        """The prior of the design, shape (K,), None where release.json states its digest only.

        Raises
        ------
        ReleaseError, PriorError
            If it states no such distribution.
        """
        if "values" not in self.prior:
            return None
        values = self.prior["values"]
        require(isinstance(values, list), "prior.values", values, "a list of quotients as text")
        return as_prior([rational_of(value) for value in values], len(self.labels))

    @cached_property
    def bought(self) -> BoughtCounts | None:
        """The noisy counts that were bought for the prior, None for public counts."""
        return BoughtCounts.of_prior(self.prior, len(self.labels))

    @cached_property
    def design(self) -> str:
        """SHA-256 of what estimates depend on: labels, mechanism, costs and prior; the same whatever files are beside.

        Released labels carry it (`lpmech.release.mark`), so that no other design is taken for theirs.
        """
        return digest_of_entries(
            {
                **self._stated_randomizer(),
                "epsilon": self.epsilon,
                "spent": vars(self.spent),
                "prior": dict(self.prior),
            }
        )

    def texts(self, rows: Array) -> Array:
        """What is released for true positions in `labels`, as text, shape (n,), by the system's entropy.

        A set is the letter b and a bit for each label (`LabelSets`).

        Raises
        ------
        ChannelError
            If the channel cannot be sampled exactly.
        """
        if isinstance(self.randomizer, LabelSets):
            return self.randomizer.texts(rows)
        return np.array(self.randomizer.outputs, dtype=object)[self._coded.sample(rows)]

    @cached_property
    def _coded(self) -> Channel:
        """The channel between positions."""
        return Channel(self.channel.matrix)

    def _stated_randomizer(self) -> dict[str, Any]:
        if isinstance(self.randomizer, LabelSets):
            return {"labels": list(self.labels), "sets": self.randomizer.stated()}
        return {
            "labels": list(self.labels),
            "outputs": list(self.randomizer.outputs),
            "channel": exact_texts(self.randomizer.matrix),
        }

    @cached_property
    def index(self) -> LabelIndex:
        """Where labels stand among the rows, by value."""
        return LabelIndex(self.labels, self.edges)

    def randomize(self, labels: Any) -> Any:
        """Release every label once; this spends `spent.release`, each time.

        Parameters
        ----------
        labels : pandas.Series or array_like, shape (n,)
            True labels, matched by value: 1, 1.0 and "1" are one label.

        Returns
        -------
        pandas.Series or ndarray, shape (n,)
            Released labels, with the index and name of a series. Numbers where `labels` has a dtype of numbers and
            all outputs are numbers, else text.

        Raises
        ------
        LabelError
            If some labels are unknown or missing; it says at which positions, not what they are.
        ChannelError
            If the channel cannot be sampled exactly.

        Warns
        -----
        PrivacyWarning
            If this process has released the same labels before: epsilon adds up. `randomize_file` keeps a ledger on
            disk instead.
        """
        codes = self.index.codes(labels)
        warn_if_released_before(codes, labels, amount_of(self.spent.release))
        released = self.texts(codes)
        if isinstance(self.randomizer, Channel):
            released = typed_like(labels, released, self.randomizer.outputs)
        if not hasattr(labels, "iloc"):
            return released
        return type(labels)(released, index=labels.index, name=labels.name)

    def to_json(self) -> str:
        """The content of release.json."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "mechanism": self.mechanism,
            **self._stated_randomizer(),
            "epsilon": self.epsilon,
            "ratio": str(self.ratio),
            "spent": vars(self.spent),
            "counts": self.counts,
            "utility": dict(self.utility),
            "prior": dict(self.prior),
            "certificate": dict(self.certificate),
            "files": dict(self.files),
        }
        return indented({**data, "seal": seal_of(data)}) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Release:
        """Read the content of release.json and check it exactly.

        Raises
        ------
        ReleaseError
            If it is malformed, or anything that it states does not hold.
        """
        try:
            data = json.loads(text, object_pairs_hook=without_duplicates)
            require(data["format"] == FORMAT, "format", data["format"], FORMAT)
            allowed = f"{VERSION} (what an earlier version made is to be designed again)"
            require(type(data["version"]) is int and data["version"] == VERSION, "version", data["version"], allowed)
            check_keys(data, "release", _TOP | ({"sets"} if "sets" in data else {"outputs", "channel"}), set())
            for mapping, (needed, more) in _KEYS.items():
                require(isinstance(data[mapping], dict), mapping, data[mapping], "an object")
                check_keys(data[mapping], mapping, needed, more)
            release = cls(
                _randomizer(data),
                data["epsilon"],
                rational_of(data["ratio"]),
                Spent(**data["spent"]),
                data["counts"],
                data["utility"],
                data["prior"],
                data["certificate"],
                data["mechanism"],
                data["files"],
            )
            allowed = f"the SHA-256 of the rest of {RELEASE_FILE}, which was changed since it was written"
            require(data["seal"] == seal_of(data), "seal", data["seal"], allowed)
            return release
        except ReleaseError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, LpmechError) as exc:
            raise ReleaseError("release", _reason(exc), f"what version {VERSION} of {FORMAT} states") from exc

    @classmethod
    def load(cls, directory: str | Path) -> Release:
        """Read release.json of a directory and check it exactly, with channel.csv and bins.csv where there are any.

        The seal of release.json, the exact privacy of its channel and what it cost are checked; channel.csv, which may
        be missing, has to be that channel, and bins.csv has to be there, with its digest, exactly if release.json names
        it. The other files are not looked at: that no file of the directory was changed, lost or added, and that the
        certificate proves what release.json states, is checked by `lpmech certify` (`certify_directory`).

        Raises
        ------
        DataFileError
            If a file is missing, unreadable or too large.
        ReleaseError
            If release.json is malformed, states what does not hold, or is not the channel of channel.csv; if bins.csv
            is not the file that release.json names, or has no adjoining bins, one for each label.
        """
        path, beside = Path(directory) / RELEASE_FILE, Path(directory) / CHANNEL_FILE
        try:
            text = read_regular(path, "channel", _MAX_BYTES)
        except FileNotFoundError as exc:
            allowed = f"a readable file in UTF-8 ({exc.strerror})"
            if beside.exists():
                allowed = f"a design with {RELEASE_FILE}: for a metric or a delta, which no ledger counts, it has none"
            raise DataFileError("channel", str(path), allowed) from exc
        try:
            release = cls.from_json(text)
        except ReleaseError as exc:
            raise ReleaseError(f"{RELEASE_FILE}: {exc.argument}", exc.value, exc.allowed) from exc
        if beside.exists() and read_channel(beside) != release.randomizer:
            raise ReleaseError("channel", str(beside), f"exactly the channel of {RELEASE_FILE} beside it")
        bins, stated = Path(directory) / BINS_FILE, release.files.get(BINS_FILE)
        check_digest(bins, stated)
        return release if stated is None else replace(release, edges=_edges(bins, release.labels))


def _edges(path: Path, labels: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
    """The edges of the bins in a table label,from,to."""
    rows = read_rows(path)[1:]
    ends = [[rational_from_text(cell) for cell in row[1:]] for row in rows]
    whole = [(pair[0], pair[1]) for pair in ends if len(pair) == 2]
    adjoining = all(first[1] == second[0] for first, second in pairwise(whole))
    edges = [whole[0][0], *(high for _, high in whole)] if whole else []
    found = tuple(edge for edge in edges if edge is not None)
    if [row[0] for row in rows] != list(labels) or not adjoining or len(found) != len(rows) + 1:
        raise ReleaseError("bins", str(path), f"adjoining bins, one for each label of {RELEASE_FILE}")
    return found


def _require_private(channel: Channel, ratio: Fraction) -> None:
    require(channel.is_exact, "channel", "floats", "exact entries")
    for names, argument in ((channel.inputs, "labels"), (channel.outputs, "outputs")):
        require(all(isinstance(v, str) for v in names), argument, "other names", "strings")
    worst = channel.witness
    require(worst.ratio <= ratio, "channel", f"a larger ratio in column {worst.output!r}", f"at most {ratio}")


def _randomizer(data: Mapping[str, Any]) -> Channel | LabelSets:
    """What release.json says is applied to labels."""
    if "sets" in data:
        return LabelSets.from_stated(data["labels"], data["sets"])
    return Channel(_rationals(data["channel"]), data["labels"], data["outputs"])


def _rationals(rows: list[list[str]]) -> list[list[Fraction]]:
    """The numbers of a matrix; every distinct text is read once, for a large channel has few."""
    textual = all(isinstance(text, str) for row in rows for text in row)
    require(textual, "channel", "other entries", "exact numbers as text, such as 3/7")
    value = {text: rational_of(text) for text in dict.fromkeys(text for row in rows for text in row)}
    return [[value[text] for text in row] for row in rows]


def _reason(exc: Exception) -> str:
    return f"no {exc}" if isinstance(exc, KeyError) else str(exc) or type(exc).__name__
