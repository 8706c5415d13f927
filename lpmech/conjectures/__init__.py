"""A user's own conjecture: a formula or a tabulated channel, checked like the papers' claims."""

from lpmech.conjectures.checks import Settled, check, summary, summary_domain
from lpmech.conjectures.domain import LabelDomain, read_domain
from lpmech.conjectures.source import Conjecture, conjecture_from_file, conjecture_from_text
from lpmech.conjectures.statement import check_statement
from lpmech.conjectures.tabulated import check_table

__all__ = [
    "Conjecture",
    "LabelDomain",
    "Settled",
    "check",
    "check_statement",
    "check_table",
    "conjecture_from_file",
    "conjecture_from_text",
    "read_domain",
    "summary",
    "summary_domain",
]
