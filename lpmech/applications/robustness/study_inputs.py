"""What a study of a classifier is given, checked: the estimator, the table, its sensitive features and their ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lpmech.entries import Array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.extras import needs
from lpmech.mechanisms.intervals import as_interval, as_numbers

__all__ = ["feature_table", "check_classifier", "positions_of", "unit_ranges"]


#: Narrower ranges, relative to their numbers, cannot be told from rounding errors.
_NARROWEST = 1e-6


def feature_table(features: Any) -> tuple[Array, tuple[str, ...]]:
    """The features as finite numbers, shape (n, d), and their names."""
    columns = getattr(features, "columns", None)
    table = as_numbers(features, "features")
    if table.ndim != 2 or table.size == 0 or not np.all(np.isfinite(table)):
        raise InvalidInputError("features", features, "finite numbers of shape (n, d), n and d >= 1")
    names = tuple(map(str, range(table.shape[1]) if columns is None else columns))
    return table, names


def check_classifier(estimator: Any, dimension: int, columns: Any) -> None:
    with needs("learning"):
        from sklearn.base import is_classifier
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted
    try:
        known = not isinstance(estimator, type) and bool(is_classifier(estimator))
    except (AttributeError, TypeError):  # no estimator of scikit-learn at all
        known = False
    if not known:
        raise InvalidInputError("estimator", estimator, "a fitted classifier of scikit-learn")
    try:
        check_is_fitted(estimator)
    except NotFittedError as exc:
        raise InvalidInputError("estimator", estimator, "a fitted classifier; call its fit first") from exc
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is not None and columns is not None and list(fitted) != list(columns):
        raise InvalidInputError("features", list(columns), f"the columns of fit, in their order: {', '.join(fitted)}")
    takes = getattr(estimator, "n_features_in_", dimension)
    if takes != dimension:
        raise InvalidInputError("features", f"{dimension} columns", f"the {takes} features of the classifier")


def positions_of(sensitive: Sequence[str | int], names: Sequence[str]) -> list[int]:
    """Positions of the sensitive features."""
    if isinstance(sensitive, str) or not isinstance(sensitive, Sequence) or not len(sensitive):
        raise InvalidInputError("sensitive", sensitive, "a list with at least one feature")
    found = [_position(given, names, "sensitive") for given in sensitive]
    if len(set(found)) != len(found):
        raise InvalidInputError("sensitive", sensitive, "every feature once")
    return found


def _position(given: str | int, names: Sequence[str], argument: str) -> int:
    if isinstance(given, str):
        if given not in names:
            raise InvalidInputError(argument, given, f"features: {', '.join(names)}")
        return list(names).index(given)
    return whole_number(given, argument, 0, len(names) - 1)


def unit_ranges(
    table: Array, names: Sequence[str], chosen: Sequence[int], ranges: Mapping[str | int, tuple[float, float]]
) -> tuple[Array, Array]:
    """What becomes 0 and 1 in every feature, low < high."""
    low, high = table.min(axis=0), table.max(axis=0)
    for given, ends in ranges.items():
        i = _position(given, names, "ranges")
        if i not in chosen:
            raise InvalidInputError("ranges", given, "sensitive features only")
        first, last = as_interval(ends, "ranges")
        if low[i] < first or high[i] > last:
            raise InvalidInputError("ranges", ends, f"a range with all of {names[i]}, from {low[i]:g} to {high[i]:g}")
        low[i], high[i] = first, last
    for i in chosen:
        if not high[i] - low[i] > _NARROWEST * max(abs(low[i]), abs(high[i])):
            allowed = f"features that vary by more than {_NARROWEST:g} of their size, or have a wider range"
            raise InvalidInputError("sensitive", names[i], allowed)
    return low, np.where(low < high, high, low + 1)
