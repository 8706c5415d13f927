"""A classifier of scikit-learn by its name and parameters, trained on examples; or from a file, which runs its code."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.applications.tabular import Examples, enough_examples
from lpmech.entries import Array, whole_number
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.extras import needs

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["columns_of_fit", "load_and_run", "parameters", "split", "trained"]

_TEST_SHARE = 0.25


def parameters(texts: Sequence[str]) -> dict[str, Any]:
    """Parameters from texts such as max_depth=4 or criterion=entropy: Python's literals, everything else as text.

    Raises
    ------
    InvalidInputError
        If a text has no equals sign or no name before it, or a name comes twice.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier() or name in found:
            raise InvalidInputError("parameter", text, "name=value, every name once")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found[name] = value
    return found


def split(examples: Examples, seed: int) -> tuple[Array, Array]:
    """Positions of a random three quarters for training, and of the rest.

    Raises
    ------
    InvalidInputError
        If there are too few examples, or the seed is negative.
    """
    enough_examples(examples.labels)
    order = np.random.default_rng(whole_number(seed, "seed", 0)).permutation(len(examples.labels))
    tested = max(1, round(_TEST_SHARE * len(order)))
    return order[tested:], order[:tested]


def trained(
    name: str, given: dict[str, Any], features: pd.DataFrame, labels: Array, seed: int
) -> tuple[Any, list[str]]:
    """A pipeline that maps features to [0, 1] and then asks a classifier of scikit-learn, fitted; and its warnings.

    Parameters
    ----------
    name : str
        Name of a class of scikit-learn, such as LogisticRegression; no other code is loaded.
    given : dict
        Parameters of the class.
    features, labels : DataFrame and ndarray, shapes (n, d) and (n,)
        Examples.
    seed : int
        random_state, where the class has one and it is not given.

    Raises
    ------
    InvalidInputError
        If there is no such classifier, or it refuses the parameters or the examples.
    MissingDependencyError
        If scikit-learn is not installed.
    """
    with needs("learning"):
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler
        from sklearn.utils import all_estimators
    known = dict(all_estimators("classifier"))
    if name not in known:
        allowed = "a classifier of scikit-learn, such as LogisticRegression, RandomForestClassifier or MLPClassifier"
        raise InvalidInputError("classifier", name, allowed)
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        try:
            made = known[name](**given)
            if "random_state" in made.get_params() and "random_state" not in given:
                made.set_params(random_state=seed)
            model = make_pipeline(MinMaxScaler(), made).fit(features, labels)
        except (TypeError, ValueError, AttributeError) as exc:
            reason = " ".join(str(exc).split())
            raise InvalidInputError(
                "classifier", f"{name}({given})", f"parameters it can be fitted with: {reason}"
            ) from exc
    return model, list(dict.fromkeys(" ".join(str(w.message).split()) for w in raised))


def load_and_run(path: str | Path) -> Any:
    """A fitted classifier from a file of joblib or pickle. **This runs whatever code is in the file.**

    Raises
    ------
    DataFileError
        If the file cannot be loaded.
    """
    import joblib

    try:
        return joblib.load(path)
    except Exception as exc:  # the file's own code may raise anything
        reason = " ".join(f"{type(exc).__name__}: {exc}".split())
        raise DataFileError("file", str(path), f"a file of joblib or pickle that can be loaded ({reason})") from exc


def columns_of_fit(estimator: Any, examples: Examples) -> Examples:
    """The examples with the columns in the order in which the classifier knows them, where it knows their names.

    Raises
    ------
    InvalidInputError
        If it knows other names.
    """
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        return examples
    if sorted(known) != sorted(examples.names):
        raise InvalidInputError("data", f"columns {', '.join(examples.names)}", f"those of fit: {', '.join(known)}")
    order = [examples.names.index(name) for name in known]
    names = tuple(examples.names[i] for i in order)
    return Examples(names, examples.features[:, order], examples.labels, examples.numeric, examples.source)
