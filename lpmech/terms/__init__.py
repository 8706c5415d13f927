"""Terms: what is stated, followed and decided, as data; sympy sees them only inside a step of a proof.

`term` has the trees, their operators and their text; `functions` builds the others; `reader` reads texts; `latex` and
`data` print them for people and programs.
"""

from lpmech.terms.term import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Choice,
    Name,
    Node,
    Number,
    Repeated,
    Term,
    names_in,
    substituted,
    term,
)  # fmt: skip

__all__ = [
    "FALSE", "ONE", "TRUE", "ZERO", "Apply", "Choice", "Name", "Node", "Number", "Repeated", "Term", "names_in",
    "substituted", "term",
]  # fmt: skip
