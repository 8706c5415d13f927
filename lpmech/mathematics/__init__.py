"""One notation for texts with mathematics, one reader, and printers of what it reads."""

from lpmech.mathematics.latex import latex_of, markdown_of
from lpmech.mathematics.plain import unicode_of
from lpmech.mathematics.reader import check_text
from lpmech.mathematics.told import in_notation

__all__ = ["check_text", "in_notation", "latex_of", "markdown_of", "unicode_of"]
