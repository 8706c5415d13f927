"""The option --utility: its words are those of the table of utilities."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from lpmech.labels.named_utilities import UTILITIES, same_at_every_level

__all__ = ["CheckUtility", "DesignUtility", "FamilyUtility", "LevelUtility", "Utilities", "Utility"]

_FIXED = ", ".join(same_at_every_level())
_WORDS = "; ".join(f"{name}: {utility.words}" for name, utility in UTILITIES.items())
_MATRIX = "or a CSV file with a K x K matrix (larger is better)"

#: What `design` takes, with what each name means.
DesignUtility = Annotated[
    str,
    Parameter(
        help=f"{_WORDS}; count: how near estimated shares of the labels come to the true ones; "
        f"unbiased: numbers are released whose mean is the true one, with least square error; mutual_information, "
        f"chi_squared, total_variation: what the output says of the label; {_MATRIX}."
    ),
]
#: Names as for `design`: of what is another matrix at every epsilon, too; without it; and several of these.
LevelUtility = Annotated[str, Parameter(help=f"{', '.join(UTILITIES)} (as for design), {_MATRIX}.")]
Utility = Annotated[str, Parameter(help=f"{_FIXED} (as for design), {_MATRIX}.")]
#: Of labels 1..K.
FamilyUtility = Annotated[
    str,
    Parameter(
        help=f"{', '.join(name for name, utility in UTILITIES.items() if utility.formula)} (as for design); ring "
        "(distance on a circle), window (within w on a circle); cube (distance of words of n bits), ball (within r of "
        "them), subset (the label is in the released set of d)."
    ),
]
Utilities = Annotated[
    list[str] | None,
    Parameter(
        help=f"{_FIXED} (as for design), {_MATRIX}; may be repeated; default: all that the labels have an order for.",
        consume_multiple=True,
        negative=(),
    ),
]
CheckUtility = Annotated[
    str | None,
    Parameter(
        help=f"{_FIXED} (as for design); default: hit. For a CSV channel also a CSV file; where the outputs of one are "
        "no labels there is no default: without a utility, privacy is all that is checked."
    ),
]
