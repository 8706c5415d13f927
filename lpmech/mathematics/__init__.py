"""One notation for texts with mathematics, one reader, and printers of what it reads."""

from lpmech.mathematics.latex import latex_of, markdown_of
from lpmech.mathematics.plain import unicode_of
from lpmech.mathematics.reader import check_text

__all__ = ["check_text", "latex_of", "markdown_of", "unicode_of"]
