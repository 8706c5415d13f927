"""A command about families: `discover`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import (
    ASTRAY,
    OK,
    Json,
    Switch,
    Texts,
    Whole,
    check_picture,
    check_writable,
    followed,
    save,
    write,
)
from lpmech.cli.utility import FamilyUtility

__all__ = ["discover"]


def discover(
    *,
    utility: FamilyUtility = "hit",
    utility_formula: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    prior: str = "uniform",
    prior_formula: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    param: Texts = None,
    where: Texts = None,
    largest: Whole = 14,
    keep: Path | None = None,
    timeout: float | None = None,
    steps: Switch = False,
    latex: Switch = False,
    claim: Path | None = None,
    proof: Path | None = None,
    picture: Path | None = None,
    as_json: Json = False,
) -> int:
    """Find the optimum of a family for every number of labels K and every epsilon; exit 1 where some of it is open.

    Parameters
    ----------
    utility_formula
        In place of a name, in i (true label), j (released label), K and parameters; labels are 1..K: '-(abs(i-j))'.
    prior
        uniform, falling, one-likelier (a, and the rest alike) or ordered (every prior that falls; utility hit).
    prior_formula
        In place of a name, in i, K and parameters: '2**(K-i)/(2**K-1)'.
    param
        A parameter of your own: 'w >= 0' (whole numbers), 'a real > 0'. May be repeated.
    where
        A hypothesis: '2*w + 1 <= K'; may be repeated.
    largest
        Number of labels up to which exact optima are computed where no proof covers everything, 6 to 30.
    keep
        A file for exact optima as they are computed: the same command goes on after an interruption, and with a larger
        --largest.
    timeout
        Seconds of processor time; then, or after Ctrl-C, what was found so far is printed.
    steps
        Print what was proved for each part.
    latex
        Print the formulas as LaTeX, then channels q and duals pi.
    claim
        Write them to this file as claims of a paper of your own, which `lpmech verify` runs.
    proof
        Write what was proved, and the algebra of the lemmas, as proof objects to this file, for `lpmech certify`.
    picture
        PNG file for the optimum against epsilon, a curve for each number of labels.
    as_json
        Print JSON.
    """
    from lpmech.discovery import discover as find
    from lpmech.discovery.printed import claims_of, latex_of_witnesses, proofs
    from lpmech.discovery.printed import latex as in_latex
    from lpmech.report.console import console

    for file in filter(None, (claim, keep, proof)):
        check_writable(file)
    if picture is not None:
        check_picture(picture, "picture")
    given: dict[str, Any] = {
        "utility": utility, "utility_formula": utility_formula, "prior": prior, "prior_formula": prior_formula,
        "param": tuple(param or ()), "where": tuple(where or ()),
    }  # fmt: skip

    def progress(instances: Iterable[dict[str, Any]], total: int) -> Iterable[dict[str, Any]]:
        return followed(instances, total, lambda at: ", ".join(f"{name} = {value}" for name, value in at.items()))

    found = find(**given, largest=largest, keep=keep, progress=progress, timeout_seconds=timeout)
    if as_json:
        print(json.dumps(found.as_row, indent=1, ensure_ascii=False))
    elif latex:
        print(in_latex(found), latex_of_witnesses(found), sep="\n\n")
    else:
        for line in found.lines(steps):
            console().print(line, markup=False, highlight=False, soft_wrap=True)
    if claim is not None:
        write(claim, claims_of(found, given))
    if proof is not None:
        write(proof, proofs(found))
    if picture is not None:
        from lpmech.plots import plot_discovery

        save(plot_discovery(found), picture)
        console(stderr=as_json or latex).print(f"written to {picture}", markup=False, highlight=False, soft_wrap=True)
    return OK if not found.left else ASTRAY
