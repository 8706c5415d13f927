"""Tables for notebooks: pandas DataFrames, and HTML in which every name is escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from lpmech.errors import MissingDependencyError
from lpmech.extras import needs

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["frame_of_channel", "html_of"]

#: A longer fraction is shown as a decimal number.
_LONGEST = 12
#: Where pandas leaves it to the width of a terminal.
_MOST_ROWS, _MOST_COLUMNS = 60, 20


def frame_of_channel(matrix: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> pd.DataFrame:
    """The entries as they are: true labels down, released ones across."""
    with needs("frames"):
        import pandas as pd

    index = pd.Index(list(inputs), name="true label", tupleize_cols=False)
    return pd.DataFrame(matrix, index=index, columns=pd.Index(list(outputs), name="released", tupleize_cols=False))


def html_of(title: str, framed: Callable[[], pd.DataFrame], note: str = "") -> str | None:
    """The frame as HTML below its title, as many rows and columns as `pandas.options.display` says.

    None without pandas: notebooks then show the text.
    """
    try:
        frame = framed()
        with needs("frames"):
            import pandas as pd
    except MissingDependencyError:
        return None
    table = frame.to_html(
        max_rows=pd.get_option("display.max_rows") or _MOST_ROWS,
        max_cols=pd.get_option("display.max_columns") or _MOST_COLUMNS,
        formatters=[_cell] * frame.shape[1],
        escape=True,
    )
    return f"<p><b>{escape(title)}</b></p>\n{table}\n" + (f"<p>{escape(note)}</p>\n" if note else "")


def _cell(value: Any) -> str:
    if isinstance(value, Fraction) and len(str(value)) > _LONGEST:
        value = float(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
