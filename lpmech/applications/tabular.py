"""Examples with labels from a CSV file of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lpmech.entries import Array
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.extras import needs
from lpmech.files.access import open_text

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Examples", "enough_examples", "read_examples"]


@dataclass(frozen=True)
class Examples:
    """Examples with labels.

    Attributes
    ----------
    names : tuple of str
        Names of the features; a column that is no number has one feature, column_value, for each of its values.
    features : ndarray of float, shape (n, d)
        Finite.
    labels : ndarray of object, shape (n,)
        Labels as text.
    numeric : tuple of str
        Columns of the file that hold numbers: those names that are features themselves.
    source : str
        Name of the file.
    """

    names: tuple[str, ...]
    features: Array
    labels: Array
    numeric: tuple[str, ...]
    source: str

    @property
    def frame(self) -> pd.DataFrame:
        """The features with their names."""
        with needs("learning"):
            import pandas as pd

        return pd.DataFrame(self.features, columns=list(self.names))


def enough_examples(labels: Array) -> Array:
    """The distinct labels, sorted.

    Raises
    ------
    InvalidInputError
        If there are fewer than two, or than eight examples for each on average.
    """
    classes = np.unique(labels)
    if len(classes) < 2 or len(labels) < 8 * len(classes):
        given = f"{len(labels)} examples of {len(classes)} labels"
        raise InvalidInputError("data", given, "two or more labels, and eight examples for each on average")
    return classes


def read_examples(path: str | Path, label: str) -> Examples:
    """Read a CSV file with a header.

    Numbers are taken as they are, every other column becomes one column of zeros and ones for each of its values.

    Raises
    ------
    DataFileError
        If the file is unreadable, has no such column or no other one, two columns of one name, a row longer than the
        header, names that clash, an empty cell or an infinite number.
    """
    with needs("learning"):
        import pandas as pd

    with open_text(path, "a readable CSV file") as file:  # a pipe is read once, a device not at all
        text = file.read()
    try:
        frame = pd.read_csv(StringIO(text))
        header = pd.read_csv(StringIO(text), header=None, nrows=1, dtype=str).iloc[0]
    except ValueError as exc:
        raise DataFileError("data", str(path), f"a readable CSV file ({' '.join(str(exc).split())})") from exc
    if not isinstance(frame.index, pd.RangeIndex):
        raise DataFileError("data", f"{path} with rows longer than the header", "as many cells in every row")
    if header.duplicated().any():
        raise DataFileError("data", f"{path} with columns {', '.join(map(str, header))}", "a name of its own for each")
    if label not in frame.columns or len(frame.columns) < 2:
        names = ", ".join(map(str, frame.columns))
        raise DataFileError("label", label, f"one of the columns of {path}, beside others: {names}")
    if frame.isna().to_numpy().any():
        raise DataFileError("data", f"{path} with empty cells", "a value in every cell")
    columns = frame.drop(columns=[label])
    features = pd.get_dummies(columns, dtype=float)
    if features.columns.has_duplicates:
        twice = ", ".join(features.columns[features.columns.duplicated()])
        raise DataFileError("data", f"{path} where both a column and a value of another are {twice}", "other names")
    values = features.to_numpy(dtype=float)
    if not np.all(np.isfinite(values)):
        raise DataFileError("data", f"{path} with infinite numbers", "finite numbers")
    numeric = tuple(str(name) for name in columns.select_dtypes(include="number").columns)
    labels = frame[label].astype(str).to_numpy(dtype=object)
    return Examples(tuple(map(str, features.columns)), values, labels, numeric, Path(path).name)
