"""Checked features, labels and base estimators for the label-private classifiers. No message quotes a label."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from lpmech.applications.learning.scikit_learn import (
    check_classification_targets,
    check_is_fitted,
    clone,
    validate_data,
)
from lpmech.entries import Array, whole_number
from lpmech.errors import InvalidInputError, LabelError, LpmechError, PrivacyWarning
from lpmech.mechanisms.intervals import as_numbers

__all__ = [
    "blamed_on",
    "check_runs",
    "encoded_labels",
    "feature_matrix",
    "features_as_in_fit",
    "label_positions",
    "label_vector",
    "seeded_clone",
    "target_vector",
]


_CLASSES_SHOW = (
    "classes is not given: the labels that occur become classes_, so that a rare label shows whatever epsilon is; give "
    "all possible labels as classes"
)


def feature_matrix(X: Any, estimator: Any) -> Array:
    """The features as floats, shape (n, d); their number and names are noted in the estimator, which is being fitted.

    Raises
    ------
    InvalidInputError
        If they are not a matrix of finite numbers.
    """
    return _features(X, estimator, True, "a matrix of finite numbers")


def features_as_in_fit(X: Any, estimator: Any) -> Array:
    """The features as floats, shape (n, d), checked against those of a fitted estimator.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If the estimator is not fitted.
    InvalidInputError
        If they are not a matrix of finite numbers with the columns of fit: as many, and of the same names in the same
        order where both have names.
    """
    check_is_fitted(estimator, "epsilon_")
    return _features(X, estimator, False, "a matrix of finite numbers with the columns of fit")


def _features(X: Any, estimator: Any, reset: bool, allowed: str) -> Array:
    try:
        checked = validate_data(estimator, X, dtype="numeric", reset=reset)
    except (ValueError, TypeError) as exc:
        raise InvalidInputError("X", X, f"{allowed} ({' '.join(str(exc).split())})") from exc
    if checked.dtype.kind not in "fiub":
        raise InvalidInputError("X", X, f"{allowed}, not of {checked.dtype}")
    return np.asarray(checked, dtype=float)


def target_vector(y: Any, count: int) -> Array:
    """The numbers to be predicted for `count` examples as floats.

    Raises
    ------
    InvalidInputError
        If they are not `count` finite numbers.
    """
    if y is None:
        raise InvalidInputError("y", y, "numbers: fit requires y to be passed, but the target y is None")
    allowed = f"one finite number for each of the {count} examples"
    try:
        values = as_numbers(y, "y")
    except InvalidInputError as exc:
        raise InvalidInputError("y", "something else", allowed) from exc
    if values.shape != (count,) or not np.all(np.isfinite(values)):
        raise InvalidInputError("y", f"an array of shape {values.shape}, or not finite", allowed)
    return values


def encoded_labels(y: Any, classes: Sequence[Any] | None, count: int) -> tuple[Array, Array]:
    """(classes, positions of the labels in them).

    Warns
    -----
    PrivacyWarning
        If `classes` is None: which labels occur then shows, whatever the level.

    Raises
    ------
    InvalidInputError
        If there are not `count` labels, or fewer examples than classes.
    LabelError
        If there are fewer than two classes, one occurs twice, a label is none of them, or labels cannot be compared;
        without `classes` also if they are measurements (fractions), not labels.
    """
    values = label_vector(y, count)
    if classes is None:
        try:
            check_classification_targets(values)
        except ValueError as exc:
            raise LabelError("y", f"an array of {values.dtype}", f"labels, or classes that name them ({exc})") from exc
        warnings.warn(_CLASSES_SHOW, PrivacyWarning, stacklevel=3)
    allowed = "two or more distinct labels of one type, not one class"
    try:
        names = np.unique(values) if classes is None else np.asarray(classes)
        distinct = np.unique(names).size
    except (TypeError, ValueError, ArithmeticError) as exc:
        raise LabelError("classes", classes, allowed) from exc
    if names.ndim != 1 or names.size < 2 or distinct != names.size:
        raise LabelError("classes", f"{distinct} distinct of shape {names.shape}", allowed)
    if count < names.size:
        raise InvalidInputError("X", f"{count} examples", f"at least one for each of the {names.size} labels")
    positions = label_positions(values, names)
    return names, np.array([positions[v] for v in values.tolist()], dtype=np.intp)


def label_vector(y: Any, count: int) -> Array:
    """The labels of `count` examples as an array.

    Raises
    ------
    InvalidInputError
        If there are not `count` labels.
    LabelError
        If they cannot be compared with each other or hashed, or one is NaN.
    """
    if y is None:
        raise InvalidInputError("y", y, "labels: fit requires y to be passed, but the target y is None")
    try:
        values = np.asarray(y)
        np.unique(values)
    except (TypeError, ValueError, ArithmeticError) as exc:
        raise LabelError("y", "labels that cannot be compared", "labels of one type, one for each example") from exc
    if values.shape != (count,):
        raise InvalidInputError("y", f"shape {values.shape}", f"one label for each of the {count} examples")
    try:
        set(values.tolist())
    except TypeError as exc:
        raise LabelError(
            "y", "labels that cannot be hashed", "labels such as numbers or text, one for each example"
        ) from exc
    if np.any(values != values):  # true for NaN only
        raise LabelError("y", np.nan, "labels that are not NaN")
    return values


def label_positions(values: Array, names: Array) -> dict[Any, int]:
    """Position of every name.

    Raises
    ------
    LabelError
        If a value is none of the names.
    """
    positions = {name: i for i, name in enumerate(names.tolist())}
    for where, value in enumerate(values.tolist()):
        if value not in positions:
            raise LabelError("y", f"another label at position {where}", f"one of {names.tolist()!r}")
    return positions


@contextmanager
def blamed_on(estimator: Any) -> Iterator[None]:
    """Make what a base estimator raises on data it cannot handle a typed error that names it.

    Raises
    ------
    InvalidInputError
        In place of a ValueError or TypeError.
    """
    try:
        yield
    except LpmechError:
        raise
    except (ValueError, TypeError) as exc:
        reason = " ".join(str(exc).split())
        raise InvalidInputError(
            "estimator", estimator, f"one that accepts the examples it gets here ({reason})"
        ) from exc


def seeded_clone(estimator: Any, rng: np.random.Generator) -> Any:
    """An unfitted copy of the estimator, its random_state drawn from rng if it has one."""
    copy = clone(estimator)
    if "random_state" in copy.get_params(deep=False):
        copy.set_params(random_state=int(rng.integers(2**31)))
    return copy


def check_runs(repeats: int, seed: int, jobs: int, least: int = 1) -> None:
    """Refuse an experiment without its least number of repeats, a seed and a number of processes.

    Raises
    ------
    InvalidInputError
        If one of them is no whole number, or too small.
    """
    for name, value, smallest in (("repeats", repeats, least), ("seed", seed, 0), ("jobs", jobs, 1)):
        whole_number(value, name, smallest)
