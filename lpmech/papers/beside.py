"""The optimum of a paper's program beside its closed form, at a reader's own prior and level; see `Claim.at`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from lpmech import PrivacyLevel
from lpmech.claims.at import Compared
from lpmech.designs import paper_programs
from lpmech.designs.paper_programs import PaperProgram
from lpmech.errors import InvalidInputError
from lpmech.labels.counts import LabelCounts
from lpmech.priors import as_prior

__all__ = ["block_rr", "bipartite_rr_for_distances", "bipartite_rr_for_hits", "rr_with_prior"]


def _counts(prior: Sequence[Fraction]) -> LabelCounts:
    """Labels 1..K that occur as often as the prior says."""
    exact = [Fraction(p) for p in as_prior(list(prior) if isinstance(prior, Sequence) else [prior])]
    unit = math.lcm(*(p.denominator for p in exact))
    return LabelCounts(tuple(str(y + 1) for y in range(len(exact))), tuple(int(p * unit) for p in exact))


def _compared(program: PaperProgram) -> Iterator[Compared]:
    for form in program.beside:
        name = ", ".join(filter(None, [f"{program.name} beside {form.name}", program.setting, form.parameters]))
        value, optimum = Fraction(form.value), Fraction(program.solution.bound)
        yield Compared(name, value, optimum, f"{form.name} attains the optimum of {program.name}", value == optimum)


def rr_with_prior(prior: Sequence[Fraction], t: Fraction) -> Iterator[Compared]:
    """LP1 of ghazi2021 Theorem 3 beside RRWithPrior."""
    return _compared(paper_programs.ghazi2021(_counts(prior), PrivacyLevel.from_ratio(t)))


def block_rr(prior: Sequence[Fraction], t: Fraction, d: Fraction, l: Fraction) -> Iterator[Compared]:
    """liu2026 eq. (4.1) beside BlockRR; d = e^(-1/sigma) is the decay of the weights, l = |Delta|."""
    if l.denominator != 1:
        raise InvalidInputError("l", l, "a whole number")
    counts, level = _counts(prior), PrivacyLevel.from_ratio(t)
    for program in paper_programs.liu2026(
        counts, level, *paper_programs.decay_and_partition(counts, level, d), l=int(l)
    ):
        yield from _compared(program)


def _bipartite_rr(utility: str, prior: Sequence[Fraction], t: Fraction) -> Iterator[Compared]:
    return _compared(paper_programs.zhang2025(_counts(prior), PrivacyLevel.from_ratio(t), utility))


#: zhang2025's maximisation over all private channels beside BRR and BRR*, for -|i - j| and for the hit rate.
bipartite_rr_for_distances, bipartite_rr_for_hits = partial(_bipartite_rr, "absolute"), partial(_bipartite_rr, "hit")
