"""Labels and how often each occurs: one label for all spellings of a number, an order, bins."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

from lpmech.entries import Array, rational_from_text, whole_number
from lpmech.errors import DataFileError, LabelError
from lpmech.priors import prior_from_counts

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "LabelCounts",
    "Labels",
    "Tally",
    "as_label_counts",
    "canonical",
    "label_values",
    "ordered",
    "some_counted",
]

#: What people hand in for label counts; see `as_label_counts`.
Labels: TypeAlias = Union["LabelCounts", Mapping[Any, int], "Sequence[Hashable] | Array | pd.Series[Any]"]

#: A number as one writes it: 007 is a code, not the number 7.
_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class LabelCounts:
    """Labels and how often each occurs.

    Attributes
    ----------
    labels : tuple of str
        At least two distinct names.
    counts : tuple of int
        One whole number for each label.
    order : str
        Where the order of the labels comes from.
    edges : tuple of Fraction
        With bins: the K + 1 edges; the labels are the middles. Empty otherwise.
    """

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    order: str = "given"
    edges: tuple[Fraction, ...] = ()

    @property
    def prior(self) -> Array:
        """The exact empirical prior, shape (K,)."""
        return prior_from_counts(self.counts)

    @property
    def values(self) -> list[Fraction] | None:
        """The labels as numbers, or None if some label is not a number."""
        numbers = [rational_from_text(label) for label in self.labels]
        return None if any(v is None for v in numbers) else [v for v in numbers if v is not None]


@dataclass(frozen=True)
class Tally:
    """What a file holds: the texts that occur, in the order of the file.

    Attributes
    ----------
    counts, first : dict
        Text -> how often it occurs, and the line of the file where it occurs first.
    listed : bool
        Whether the file is a table of counts, whose order its author chose.
    """

    counts: dict[str, int]
    first: dict[str, int]
    listed: bool


def as_label_counts(counts: Labels) -> LabelCounts:
    """Label counts from what people have in Python.

    Parameters
    ----------
    counts : LabelCounts, mapping, pandas.Series or sequence
        Label -> how often it occurs, in the order of the mapping; or the labels themselves, one for each person: a
        Series, a one-dimensional array, a list. Labels are named by their text, all spellings of a number (1, 1.0)
        alike. An ordered `pandas.Categorical` gives their order; else numbers are ordered by value, other labels by
        name. Its categories are labels even where they do not occur.

    Raises
    ------
    LabelError
        If it is none of these, a label is missing, or two labels of a mapping have one text; labels are not quoted.
    InvalidInputError
        If a count is not a whole number >= 0.
    DataFileError
        If there are fewer than two labels, or all counts are zero.
    """
    if isinstance(counts, LabelCounts):
        return counts
    if isinstance(counts, Mapping):
        texts = {_text(label, position): count for position, (label, count) in enumerate(counts.items())}
        if len({canonical(text) for text in texts}) < len(counts):
            raise LabelError("counts", "two labels that are written alike", "labels that differ as text")
        sizes = {text: whole_number(count, "counts", 0) for text, count in texts.items()}
        return replace(some_counted(ordered(Tally(sizes, {}, True), None, "a mapping"), "a mapping"), order="given")
    order: list[str] | None = None
    tally: dict[str, int] = {}
    series = sys.modules["pandas"].Series if "pandas" in sys.modules else ()
    if isinstance(counts, series):
        if counts.name in ("count", "proportion") or _may_be_counts(counts):  # as value_counts names what it returns
            told = f"a Series called {counts.name} of numbers, each with a name"
            raise LabelError("counts", told, "a Series of labels (.to_numpy() of it); of counts: .to_dict() of it")
        if counts.dtype == "category":
            tally = {_text(label, position): 0 for position, label in enumerate(counts.cat.categories)}
            order = list(tally) if counts.cat.ordered else None
    elif not isinstance(counts, (list, tuple)) and not (isinstance(counts, np.ndarray) and counts.ndim == 1):
        allowed = "a mapping label -> count, a pandas Series, list or one-dimensional array of labels, or LabelCounts"
        raise LabelError("counts", type(counts).__name__, f"{allowed}; a file: lpmech.labels.reading.read_counts(path)")
    for position, label in enumerate(counts.tolist() if hasattr(counts, "tolist") else counts):
        text = _text(label, position)
        tally[text] = tally.get(text, 0) + 1
    return some_counted(ordered(Tally(tally, {}, False), order, "labels"), "labels")


def _may_be_counts(series: pd.Series[Any]) -> bool:
    """Whether numbers stand under names, as in a Series label -> count: positions, and no names, are whole numbers."""
    is_number = series.dtype != bool and series.dtype.kind in "iuf"
    return is_number and (series.index.inferred_type != "integer" or series.index.name is not None)


def some_counted(counts: LabelCounts, where: str) -> LabelCounts:
    """The same counts.

    Raises
    ------
    DataFileError
        If all of them are zero.
    """
    if not any(counts.counts):
        raise DataFileError("counts", f"{where} with all counts zero", "at least one positive count")
    return counts


def _text(label: object, position: int) -> str:
    """The name of a label."""
    text = str(label).strip()
    if label is None or text.lower() in ("", "nan", "nat", "<na>"):
        raise LabelError(
            "counts", f"no label at position {position}", "a label everywhere: dropna(), or a name for none"
        )
    return text


def label_values(counts: LabelCounts) -> Sequence[Hashable]:
    """The labels as numbers where all are, else their positions 0..K-1."""
    return counts.values or list(range(len(counts.labels)))


def canonical(text: str) -> str:
    """One text for all spellings of a number (1, 1.0, 1e0); any other text, 007 included, is itself."""
    plain = text.isascii() and text.isdigit()  # as it stands, with or without zeros in front
    if plain or not any(c.isdigit() for c in text) or not _NUMBER.fullmatch(text):
        return text
    value = rational_from_text(text)
    return text if value is None else str(value)


def ordered(tally: Tally, order: Sequence[str] | None, where: str) -> LabelCounts:
    """The labels of a tally, all spellings of a number merged, in the order given, else by value or by name.

    Raises
    ------
    LabelError
        If a label is not in the order, or the order names one twice or fewer than two.
    DataFileError
        If fewer than two labels occur, or all counts are zero. Texts are never quoted, for they may be private.
    """
    counts: dict[str, int] = {}
    shortest: dict[str, str] = {}
    for text, count in tally.counts.items():
        key = canonical(text)
        counts[key] = counts.get(key, 0) + count
        shortest[key] = min(shortest.get(key, text), text, key=len)
    if order is not None:
        names, keys, source = list(order), [canonical(name) for name in order], "as given"
        if len(set(keys)) != len(keys) or len(keys) < 2:
            raise LabelError("order", ",".join(order), "two or more labels, each once")
        _all_named(tally, set(keys), where)
    else:
        numbers = {key: rational_from_text(key) for key in counts}
        if tally.listed:
            keys, source = list(counts), "as in the file"
        elif all(v is not None for v in numbers.values()):
            keys, source = sorted(counts, key=lambda key: numbers[key] or Fraction(0)), "by value"
        else:
            keys, source = sorted(counts), "alphabetical"
        names = [shortest[key] for key in keys]
    found = tuple(counts.get(key, 0) for key in keys)
    if len(names) < 2:
        raise DataFileError("counts", f"{where} with {len(names)} label", "at least two labels")
    return LabelCounts(tuple(names), found, source)


def _all_named(tally: Tally, known: set[str], where: str) -> None:
    strange = [text for text in tally.counts if canonical(text) not in known]
    if strange:
        lines = sorted(tally.first[text] for text in strange)
        shown = ", ".join(map(str, lines[:5])) + (", ..." if len(lines) > 5 else "")
        raise LabelError("order", f"labels that it does not name (lines {shown} of {where})", "every label that occurs")
