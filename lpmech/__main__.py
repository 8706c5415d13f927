"""Run the command line with ``python -m lpmech``."""

from lpmech.cli import main

main()
