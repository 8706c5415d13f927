"""A user's own conjecture: a formula or a tabulated channel, checked like the papers' claims."""

from lpmech.conjectures.checks import Finding, check_channel_formula, check_value_formula
from lpmech.conjectures.source import ChannelFormula, ValueFormula, formulas_from_file, formulas_from_text
from lpmech.conjectures.tabulated import check_table

__all__ = [
    "ChannelFormula",
    "ValueFormula",
    "formulas_from_file",
    "formulas_from_text",
    "Finding",
    "check_channel_formula",
    "check_value_formula",
    "check_table",
]
