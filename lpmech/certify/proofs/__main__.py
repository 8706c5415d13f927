"""`python -m lpmech.certify.proofs FILE.json`."""

import sys

from lpmech.certify.proofs.files import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
