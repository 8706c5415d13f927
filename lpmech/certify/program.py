"""The optimum of a linear program over channels as a certificate, which the stand-alone checker reads."""

from __future__ import annotations

import json

from lpmech.certify import checker, program_checker
from lpmech.entries import exact_texts
from lpmech.errors import CertificateError
from lpmech.programs.linear import LinearSolution

__all__ = ["program_certificate"]


def program_certificate(solution: LinearSolution) -> str:
    """The text of a certificate: a channel and duals, beside the data from which the checker makes the program again.

    Parameters
    ----------
    solution : LinearSolution
        Of a program with a kind and data.

    Raises
    ------
    CertificateError
        If it is more than the checker reads, or the checker builds another program of the data.
    """
    program = solution.program
    text = {
        "format": program_checker.FORMAT,
        "kind": program.kind,
        "data": dict(program.data),
        "inputs": [str(name) for name in program.inputs],
        "outputs": [str(name) for name in program.outputs],
        "channel": exact_texts(solution.channel.matrix),
        "slacks": [str(solution.slacks[name]) for name in program.slacks],
        "duals": [str(dual) for dual in solution.duals],
        "lower": str(solution.value),
        "upper": str(solution.bound),
    }
    sealed = json.dumps({**text, "seal": checker.seal_of(text)}, indent=1)
    try:
        program_checker.check_program(checker.parse(sealed))
    except checker.RejectedError as exc:
        raise CertificateError(str(exc)) from exc
    return sealed
