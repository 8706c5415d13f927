"""Estimates from a file of released labels: read in constant memory, by the design that released it and no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import DataFileError, InvalidInputError, LabelError
from lpmech.labels.columns import LabelFile
from lpmech.labels.index import LabelIndex, row_list
from lpmech.mechanisms.private_histogram import count_noise
from lpmech.release.estimation import Frequencies, estimate, estimate_sets
from lpmech.release.label_sets import LabelSets
from lpmech.release.mark import Mark, mark_beside
from lpmech.release.private_counts import level_within
from lpmech.release.record import Release
from lpmech.release.shares import CountsBeside

__all__ = ["FileEstimates", "estimate_file"]

_MOST_GROUPS = 10_000


@dataclass(frozen=True)
class FileEstimates:
    """Estimates from a file of released labels.

    Attributes
    ----------
    groups : dict of str to Frequencies
        By group in the order of the file; without groups the one is called ``all``.
    notes : tuple of str
        What is to be said of them: noisy counts that were used or not, and why; that nothing marks the design.
    """

    groups: dict[str, Frequencies]
    notes: tuple[str, ...]


def estimate_file(
    path: str | Path,
    release: Release,
    *,
    column: str | None = None,
    by: str | None = None,
    confidence: float = 0.95,
    released_only: bool = False,
    progress: Callable[[int], None] = lambda count: None,
) -> FileEstimates:
    """Frequencies of the true labels from a CSV file of released ones, in constant memory.

    Parameters
    ----------
    path : path
        CSV file with a header, as `randomize_file` writes it.
    release : Release
        What released the labels.
    column : str, optional
        Column of released labels; may be left out where there is only one.
    by : str, optional
        Column that tells groups apart, each of which is estimated by itself; they are disjoint, so that this costs no
        more epsilon.
    confidence, progress
        See `estimate` and `LabelFile.chunks`.
    released_only : bool
        Leave out the noisy counts that were bought for the design.

    Raises
    ------
    DataFileError, LabelError, InvalidInputError
        If the file is not such a file, or a label is none of the outputs.
    ReleaseError
        If the mark beside the file names another design, or the file was changed since.
    """
    source = LabelFile(path, column)
    mark = Mark.of_file(path)
    if mark is not None:
        mark.check_design(path, release)
    group_at = None if by is None else source.column_named(by)
    if group_at == source.position:
        raise InvalidInputError("by", by, "another column than that of the released labels")
    tally = _Sets(release.randomizer) if isinstance(release.randomizer, LabelSets) else _Outputs(release.randomizer)
    counts: dict[str, Array] = {}
    for number, rows in source.chunks(progress):
        groups = ["all"] * len(rows) if group_at is None else [row[group_at] for row in rows]
        names = {name: i for i, name in enumerate(dict.fromkeys(groups))}
        at = np.array([names[group] for group in groups])
        found = tally.counted([row[source.position] for row in rows], number, at, len(names))
        for name, line in zip(names, found, strict=True):
            counts[name] = counts.get(name, 0) + line
        if len(counts) > _MOST_GROUPS:
            raise InvalidInputError("by", by, f"a column with at most {_MOST_GROUPS} different texts")
    if not counts:
        raise DataFileError("file", f"{path} without rows", "at least one released label")
    if mark is not None:
        mark.check_content(path, source.sha256)
    rows_read = sum(int(line[0]) for line in counts.values())
    beside, notes = (None, []) if released_only else _beside(release, mark, rows_read, by)
    if mark is None:
        notes.append(f"no mark of its design beside it ({mark_beside(path).name}): taken for this one's")
    prior = release.prior_values
    return FileEstimates(
        {name: tally.estimated(line, confidence, prior, beside) for name, line in counts.items()}, tuple(notes)
    )


class _Outputs:
    """Counts of the outputs of a channel; before them the number of rows."""

    def __init__(self, channel: Channel) -> None:
        self.channel, self.index = channel, LabelIndex(channel.outputs)

    def counted(self, texts: Sequence[str], first: int, groups: Array, size: int) -> Array:
        codes = np.array([self.index[text] for text in texts], dtype=np.int64)
        bad = np.flatnonzero(codes < 0)
        if bad.size:
            allowed = f"{self.index.allowed}, which are what the design releases"
            raise LabelError("labels", f"unknown labels in rows {row_list((bad + first).tolist(), bad.size)}", allowed)
        width = len(self.channel.outputs)
        found = np.bincount(groups * width + codes, minlength=size * width).reshape(size, width)
        return np.column_stack([found.sum(axis=1), found])

    def estimated(
        self, line: Array, confidence: float, prior: Array | None, beside: CountsBeside | None
    ) -> Frequencies:
        return estimate(line[1:], self.channel, confidence, prior, beside)


class _Sets:
    """How many sets hold each label; before them the number of sets."""

    def __init__(self, sets: LabelSets) -> None:
        self.sets = sets

    def counted(self, texts: Sequence[str], first: int, groups: Array, size: int) -> Array:
        bits = self.sets.bits(texts, first)
        found = np.zeros((size, len(self.sets.inputs) + 1), dtype=np.int64)
        found[:, 0] = np.bincount(groups, minlength=size)
        np.add.at(found[:, 1:], groups, bits)
        return found

    def estimated(
        self, line: Array, confidence: float, prior: Array | None, beside: CountsBeside | None
    ) -> Frequencies:
        return estimate_sets(line[1:], int(line[0]), self.sets, confidence, beside)


def _beside(release: Release, mark: Mark | None, rows: int, by: str | None) -> tuple[CountsBeside | None, list[str]]:
    """The noisy counts that belong to so many released rows, and what is to be said of them."""
    bought, spent = release.bought, release.spent
    if bought is None or spent.prior is None or not bought.rows:
        return None, []
    counts = f"the noisy counts of {bought.rows} rows that were bought at epsilon = {spent.prior}"
    if by is not None:
        return None, [f"not combined with {counts}, which tell nothing about groups"]
    scale = count_noise(level_within(spent.prior)).scale
    counted = spent.composition == "sequential" and (mark is None or mark.counted)
    if counted and rows != bought.rows:
        return None, [f"not combined with {counts}: {rows} labels were released, some of the same rows"]
    if counted:
        return CountsBeside(bought, scale, spent.prior, True), [f"combined with {counts}, for the same rows"]
    others = f"combined with {counts}, taken for others of the same population (--released-only leaves them out)"
    return CountsBeside(bought, scale, spent.prior, False), [others]
