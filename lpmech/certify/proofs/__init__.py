"""The checker of proofs: standard library only, and nothing that the search uses.

`reading` parses formulas, `algebra` has rational functions, `context` what hypotheses say, `numbers` numbers between
decimals, `laws` what is known of functions, `rules` the rules of proofs. The format is that of `lpmech.prove.objects`.
"""

from lpmech.certify.proofs import files
from lpmech.certify.proofs.files import check_file
from lpmech.certify.proofs.reading import RefusedProofError
from lpmech.certify.proofs.rules import Goal, check

__all__ = ["Goal", "RefusedProofError", "check", "check_file", "files"]
