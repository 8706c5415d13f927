"""Optima of programs over channels as certificates, which the stand-alone checkers read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from lpmech.certify import checker, program_checker, sublinear_checker
from lpmech.channel import Channel
from lpmech.entries import exact_texts
from lpmech.errors import CertificateError
from lpmech.programs.linear import LinearSolution
from lpmech.programs.pattern_parts import Parts
from lpmech.programs.sublinear import SublinearSolution

__all__ = ["program_certificate", "sublinear_certificate"]


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
        **_channel(solution.channel),
        "slacks": [str(solution.slacks[name]) for name in program.slacks],
        "duals": [str(dual) for dual in solution.duals],
        "lower": str(solution.value),
        "upper": str(solution.bound),
    }
    return _sealed(text, program_checker.check_program)


def sublinear_certificate(solution: SublinearSolution) -> str:
    """The text of a certificate of a largest information: a channel, and a dual for each label.

    Parameters
    ----------
    solution : SublinearSolution
        The checker looks at every pattern of up to 16 labels; of more it is told tangents, or chords for two laws.

    Raises
    ------
    CertificateError
        If it is more than the checker reads, or it finds otherwise.
    """
    program, raised = solution.program, solution.raised
    text = {
        "format": sublinear_checker.FORMAT,
        "measure": program.measure,
        "laws": exact_texts(program.laws),
        "ratio": str(program.ratio),
        **_channel(solution.channel),
        "duals": [str(dual) for dual in raised],
        **_bound(solution),
        "lower": str(solution.value),
        "upper": str(solution.bound),
    }
    return _sealed(text, sublinear_checker.check_sublinear)


def _bound(solution: SublinearSolution) -> dict[str, Any]:
    """By what the patterns are bounded where they are too many to be looked at."""
    program, duals = solution.program, solution.duals
    if len(duals) <= sublinear_checker.MAX_LABELS:
        return {}
    if len(program.laws) == 2:
        return {"chords": [str(x) for x in program.chords(duals)]}
    parts = cast(Parts, program.parts(duals))
    told = [str(part) if isinstance(part, Fraction) else [str(number) for number in part] for part in parts.told]
    return {"groups": [[str(label) for label in group] for group in parts.groups], "parts": told}


def _channel(channel: Channel) -> dict[str, Any]:
    names = {"inputs": [str(name) for name in channel.inputs], "outputs": [str(name) for name in channel.outputs]}
    return {**names, "channel": exact_texts(channel.matrix)}


def _sealed(text: Mapping[str, Any], check: Callable[[dict[str, Any]], object]) -> str:
    sealed = json.dumps({**text, "seal": checker.seal_of(dict(text))}, indent=1)
    try:
        check(checker.parse(sealed))
    except checker.RejectedError as exc:
        raise CertificateError(str(exc)) from exc
    return sealed
