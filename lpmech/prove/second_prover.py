"""A second opinion on z3's proofs: cvc5, by its usual strategy and then by cylindrical coverings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from enum import StrEnum

from lpmech.extras import needs

__all__ = ["Opinion", "second_opinion", "STEPS", "COVERING_STEPS"]

#: After how many of its resource units cvc5 gives up; unlike a time limit this makes the answer reproducible.
STEPS = 30_000
COVERING_STEPS = 60_000
#: Seconds of processor time after which coverings that do not count their steps are given up.
COVERING_SECONDS = 10


class Opinion(StrEnum):
    """What cvc5 says of a set of assertions."""

    UNSATISFIABLE = "unsat"
    SATISFIABLE = "sat"
    NONE = "unknown"


def second_opinion(smt_lib: str) -> Opinion:
    """Ask cvc5 whether assertions in SMT-LIB 2 are satisfiable; `Opinion.NONE` if it gives up.

    Coverings may run on without spending what they are allowed, and nothing stops them from within: a process of their
    own does, whose processor time is limited.
    """
    usual = _answer(smt_lib, {"rlimit-per": STEPS})
    return _covering(smt_lib) if usual is Opinion.NONE else usual


def _covering(smt_lib: str) -> Opinion:
    command = [sys.executable, "-m", __name__, str(COVERING_SECONDS)]
    child = subprocess.run(command, input=smt_lib, capture_output=True, text=True, check=False)
    return Opinion(child.stdout.strip()) if child.returncode == 0 else Opinion.NONE


def _cover_input(seconds: int) -> None:
    """Print what coverings say of the assertions on standard input, if they do within so much processor time."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    print(_answer(sys.stdin.read(), {"rlimit-per": COVERING_STEPS, "nl-cov": "true"}))


def _answer(smt_lib: str, options: Mapping[str, object]) -> Opinion:
    with needs("smt"):
        import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in options.items():
        solver.setOption(option, str(value))
    parser = cvc5.InputParser(solver)
    assertions = smt_lib.replace("(check-sat)", "")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{assertions}", "claim")
    symbols = parser.getSymbolManager()
    command = parser.nextCommand()
    while not command.isNull():
        command.invoke(solver, symbols)
        command = parser.nextCommand()
    word = str(solver.checkSat())
    return Opinion(word) if word in ("sat", "unsat") else Opinion.NONE


if __name__ == "__main__":
    _cover_input(int(sys.argv[1]))
