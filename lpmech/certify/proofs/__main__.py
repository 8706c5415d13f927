"""`python -m lpmech.certify.proofs FILE.json`."""

import sys

if not __package__:  # a file alone; numbers.py beside it would stand for the standard library's
    print("run it as python -m lpmech.certify.proofs FILE.json, where lpmech is installed", file=sys.stderr)
    sys.exit(2)

from lpmech.certify.proofs.files import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
