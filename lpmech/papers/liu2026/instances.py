"""Small instances of (4.1) with B(y) = {y} and S~ = S, solved exactly, and BlockRR's closed form in them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.block_rr import block_rr_from_partition, favoured_labels, partition_by_decay
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.papers.checks import rows_in_words
from lpmech.priors import as_prior
from lpmech.utilities import weight_matrix_from_decay

HALF, RATIOS = Fraction(1, 2), (Fraction(2), Fraction(5))
Prior = tuple[Fraction, ...]


def priors(sizes: tuple[int, ...], total: int) -> list[Prior]:
    """All priors on the given numbers of labels with denominators dividing `total`, the likelier labels first."""
    counts = (c for n in sizes for c in product(range(total, -1, -1), repeat=n) if sum(c) == total)
    return [tuple(Fraction(v, total) for v in c) for c in counts]


def positive(total: int) -> list[Prior]:
    """Those on 2 and 3 labels without a label of prior zero."""
    return [prior for prior in priors((2, 3), total) if all(prior)]


def in_braces(labels: Iterable[Any]) -> str:
    """A set of labels."""
    return f"{{{', '.join(map(str, labels))}}}"


class Setting(NamedTuple):
    """Prior, e^(-1/sigma), e^epsilon and |Delta|; S1 is that of (3.3)."""

    prior: Prior
    decay: Fraction
    t: Fraction
    l: int

    def __str__(self) -> str:
        return f"p = ({', '.join(map(str, self.prior))}), exp(-1/sigma) = {self.decay}, t = {self.t}, l = {self.l}"

    @property
    def level(self) -> PrivacyLevel:
        return PrivacyLevel.from_ratio(self.t)

    @property
    def majority(self) -> list[int]:
        return partition_by_decay(self.prior, self.decay)[0]

    @property
    def minority(self) -> list[int]:
        return partition_by_decay(self.prior, self.decay)[1]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """|S1|, |S2| and |Delta|."""
        return len(self.majority), len(self.minority), self.l

    @property
    def favoured(self) -> list[int]:
        """Delta."""
        return favoured_labels(as_prior(self.prior), self.majority, self.l)

    @property
    def closed(self) -> Channel:
        """BlockRR."""
        return block_rr_from_partition(self.prior, self.majority, self.level, self.l)

    @property
    def solution(self) -> Any:
        """The exact solution of (4.1)."""
        return _solution(self)

    @property
    def rows(self) -> str:
        """The optimal channel, in words."""
        return f"({rows_in_words(self.solution.channel.matrix)})"

    @property
    def weights(self) -> str:
        """The weights (3.3) of (4.1), in words."""
        return f"({rows_in_words(weight_matrix_from_decay(self.prior, self.decay))})"

    @property
    def value(self) -> Any:
        """What BlockRR attains."""
        return self.solution.program.value(self.closed)


@cache
def _solution(case: Setting) -> Any:
    program = block_rr_program_from_decay(case.prior, case.majority, case.decay, case.level, case.l)
    return program.solve("exact")


def instances(
    some: Iterable[Prior], decays: Iterable[Fraction] = (HALF, HALF / 2), ratios: Iterable[Fraction] = RATIOS
) -> list[Setting]:
    """All of them, with every l, small first."""
    return [
        Setting(prior, decay, t, l)
        for prior, decay, t in product(some, decays, ratios)
        for l in range(len(partition_by_decay(prior, decay)[0]) + 1)
    ]
