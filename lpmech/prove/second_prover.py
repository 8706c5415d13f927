"""A second opinion on z3's proofs: cvc5, where it is installed."""

from __future__ import annotations

from enum import StrEnum
from importlib.util import find_spec

__all__ = ["Opinion", "second_opinion", "STEPS"]

#: After how many of its resource units cvc5 gives up; unlike a time limit this makes the answer reproducible.
STEPS = 30_000


class Opinion(StrEnum):
    """What cvc5 says of a set of assertions."""

    UNSATISFIABLE = "unsat"
    SATISFIABLE = "sat"
    NONE = "unknown"


def second_opinion(smt_lib: str, steps: int = STEPS) -> Opinion:
    """Ask cvc5 whether assertions in SMT-LIB 2 are satisfiable; `Opinion.NONE` if it is absent or gives up."""
    if find_spec("cvc5") is None:
        return Opinion.NONE
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(steps))
    parser = cvc5.InputParser(solver)
    assertions = smt_lib.replace("(check-sat)", "")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{assertions}", "claim")
    symbols = parser.getSymbolManager()
    command = parser.nextCommand()
    while not command.isNull():
        command.invoke(solver, symbols)
        command = parser.nextCommand()
    return Opinion(_word(solver.checkSat()))


def _word(answer: object) -> str:
    word = str(answer)
    return word if word in ("sat", "unsat") else "unknown"
