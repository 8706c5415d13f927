"""All-parameter proofs: symbolic identities and SMT."""

from lpmech.prove.identities import is_identity, is_zero, positive_by_coefficients
from lpmech.prove.real import Decision, Status, decide

__all__ = ["Decision", "Status", "decide", "is_identity", "is_zero", "positive_by_coefficients"]
