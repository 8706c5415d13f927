"""BlockRR: liu2026 eq. (3.1)-(3.3) and Alg. 1.

The true labels are split into a majority S1 and a minority S2, the released labels S~ into S~1, those that B
assigns to the majority, and the rest S~2. Symbols of the formulas: t = e^epsilon, b = |B(y)|, s1 = |S~1|,
s2 = |S~2|, l = |Delta|. They accept floats, Fractions and sympy expressions.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, whole_number
from lpmech.errors import BlockError, InvalidInputError
from lpmech.priors import as_prior, top_labels
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.utilities import decay_of

__all__ = [
    "kappa",
    "beta",
    "gamma",
    "Blocks",
    "block_rr",
    "partition",
    "favoured_labels",
    "partition_by_decay",
    "block_rr_from_partition",
    "block_rr_from_prior",
]


def kappa(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """kappa of liu2026 eq. (3.2), ((t-1) b + s1) ((t-1) b + s2) - (s1 - l) s2, multiplied out: s1 s2 cancels."""
    raised = (t - 1) * b
    return raised * (raised + s1 + s2) + l * s2


def beta(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """beta of liu2026 eq. (3.2): ((t-1) b + l s2 / (s1 + s2)) / kappa; exact for an exact t and whole sizes.

    Divided by its numerator, so that floats neither square t nor cancel: kappa = ((t-1) b)^2 + (s1 + s2) numerator.
    """
    raised = (t - 1) * b
    return t**0 / (s1 + s2 + raised * _share(t, b, s1, s2, l))


def gamma(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """gamma of liu2026 eq. (3.2): ((t-1) b + l - l ((t-1) b + s1) / (s1 + s2)) / kappa; exact as `beta` is."""
    return beta(t, b, s1, s2, l) * (1 - l * _share(t, b, s1, s2, l) / (s1 + s2))


def _share(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """Of the numerator of beta, the part that is (t-1) b."""
    raised, one = (t - 1) * b, t**0  # of the type of t: a quotient of two ints would be a float
    return raised / (raised + one * l * s2 / (s1 + s2))


@dataclass(frozen=True)
class Blocks:
    """The blocks of BlockRR, validated: with these liu2026 eq. (3.2) makes every row sum to one.

    Parameters
    ----------
    majority, minority : sequence of hashable
        S1 and S2: a partition of the true labels. S1 is not empty.
    outputs : sequence of hashable
        S~, the released labels.
    candidates : mapping
        B: true label -> its candidate outputs. All of one size; those of a minority label lie in S~2, unless
        S~2 is empty, in which case they are not used.
    favoured : sequence of hashable
        Delta, a subset of S~1. If S~2 is empty while S2 is not, Delta must be all of S~1.

    Raises
    ------
    BlockError
        If blocks overlap, a label is missing, a candidate is no output, or one of the conditions above fails.
    """

    majority: tuple[Hashable, ...]
    minority: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    candidates: Mapping[Hashable, frozenset[Hashable]]
    favoured: frozenset[Hashable]

    def __init__(
        self,
        majority: Sequence[Hashable],
        minority: Sequence[Hashable],
        outputs: Sequence[Hashable],
        candidates: Mapping[Hashable, Sequence[Hashable]],
        favoured: Sequence[Hashable] = (),
    ) -> None:
        object.__setattr__(self, "majority", tuple(majority))
        object.__setattr__(self, "minority", tuple(minority))
        object.__setattr__(self, "outputs", tuple(outputs))
        object.__setattr__(self, "candidates", {y: frozenset(c) for y, c in candidates.items()})
        object.__setattr__(self, "favoured", frozenset(favoured))
        self._check_labels()
        self._check_candidates()
        self._check_favoured(len(tuple(favoured)))

    @property
    def first_outputs(self) -> frozenset[Hashable]:
        """S~1: the candidates of the majority labels."""
        return frozenset().union(*(self.candidates[y] for y in self.majority))

    @property
    def second_outputs(self) -> frozenset[Hashable]:
        """S~2: the other outputs."""
        return frozenset(self.outputs) - self.first_outputs

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """(b, s1, s2, l): |B(y)|, |S~1|, |S~2|, |Delta|."""
        b = len(self.candidates[self.majority[0]])
        return b, len(self.first_outputs), len(self.second_outputs), len(self.favoured)

    def _check_labels(self) -> None:
        if not self.majority:
            raise BlockError("majority", self.majority, "at least one label")
        labels = [*self.majority, *self.minority]
        for name in labels:
            if labels.count(name) > 1:
                raise BlockError("majority, minority", name, "blocks that do not overlap")
        if set(labels) != set(self.candidates):
            odd = sorted(map(str, set(labels) ^ set(self.candidates)))
            raise BlockError("candidates", odd, "exactly the labels of majority and minority")
        if not self.outputs or len(set(self.outputs)) != len(self.outputs):
            raise BlockError("outputs", self.outputs, "distinct outputs, at least one")

    def _check_candidates(self) -> None:
        sizes = set()
        for y, candidates in self.candidates.items():
            if not candidates <= set(self.outputs) and not (y in self.minority and not self.second_outputs):
                raise BlockError("candidates", {y: sorted(map(str, candidates))}, f"outputs among {self.outputs!r}")
            sizes.add(len(candidates))
        if len(sizes) != 1 or 0 in sizes:
            raise BlockError("candidates", sorted(sizes), "candidate sets of one positive size")
        second = self.second_outputs
        for y in self.minority:
            if second and not self.candidates[y] <= second:
                raise BlockError(
                    "candidates",
                    {y: sorted(map(str, self.candidates[y]))},
                    f"for minority labels: subsets of S~2 = {set(second)!r}",
                )

    def _check_favoured(self, given: int) -> None:
        first = self.first_outputs
        if not self.favoured <= first or given != len(self.favoured):
            raise BlockError(
                "favoured", sorted(map(str, self.favoured)), f"distinct outputs among S~1 = {set(first)!r}"
            )
        if self.minority and not self.second_outputs and self.favoured != first:
            raise BlockError(
                "favoured", sorted(map(str, self.favoured)), "all of S~1, because S~2 is empty and S2 is not"
            )


def block_rr(blocks: Blocks, epsilon: PrivacyLevel | float) -> Channel:
    """BlockRR from explicit blocks.

    Majority rows: t beta on B(y), beta on the rest of S~1, gamma on S~2. Minority rows: 1 / |S~| on Delta,
    beta on the rest of S~1, t gamma on B(y), gamma on the rest of S~2.

    Parameters
    ----------
    blocks : Blocks
        The four blocks.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel
        Inputs: majority, then minority labels; outputs as in `blocks`. Exact for an exact level.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.

    Notes
    -----
    Source: liu2026, the block definitions before eq. (3.1), and Alg. 1, whose line 4 differs from them: it puts gamma
    where they have beta, and its minority rows do not sum to one.
    """
    t = as_privacy_level(epsilon).ratio
    b, s1, s2, l = blocks.sizes
    b_value, g_value = (formula(t, b, s1, s2, l * t**0) for formula in (beta, gamma))
    first, second = blocks.first_outputs, blocks.second_outputs
    place = {j: i for i, j in enumerate(blocks.outputs)}
    even = t**0 / (s1 + s2)
    favoured = {j: even if j in blocks.favoured else b_value for j in first}

    def with_candidates(row: list[Number], candidates: frozenset[Hashable], entry: Number) -> list[Number]:
        found = row.copy()
        for j in candidates:
            found[place[j]] = entry
        return found

    others = [b_value if j in first else g_value for j in blocks.outputs]
    rows = [with_candidates(others, blocks.candidates[y], t * b_value) for y in blocks.majority]
    others = [favoured.get(j, g_value) for j in blocks.outputs]
    rows += [with_candidates(others, blocks.candidates[y] & second, t * g_value) for y in blocks.minority]
    return Channel(rows, [*blocks.majority, *blocks.minority], blocks.outputs)


def partition(prior: object, sigma: float) -> tuple[list[int], list[int]]:
    """S1 and S2 by the weights of liu2026 eq. (3.3): label i is in S1 iff p_i >= exp(-1 / sigma) p_j for every j != i.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label.
    sigma : float
        Positive hyperparameter.

    Returns
    -------
    majority, minority : list of int

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    InvalidInputError
        If sigma is not a positive finite number.

    Notes
    -----
    Source: liu2026, section 3.2. Since the largest p_j decides, S1 = {i : p_i >= exp(-1 / sigma) max p}.
    """
    return partition_by_decay(prior, decay_of(sigma))


def partition_by_decay(prior: object, decay: Number) -> tuple[list[int], list[int]]:
    """`partition`, liu2026 Alg. 2 line 5, from decay = exp(-1 / sigma) in [0, 1), exact for exact arguments.

    A decay of 0 is one that underflowed: exp(-1 / sigma) is positive, so a label of prior zero is never in S1.
    """
    factor = as_array([decay], "decay", 1)[0]
    if not 0 <= factor < 1:
        raise InvalidInputError("decay", decay, "a number with 0 <= decay < 1")
    probabilities = as_prior(prior)
    threshold = factor * probabilities.max()
    majority = [i for i, p in enumerate(probabilities.tolist()) if p > 0 and p >= threshold]
    return majority, [i for i in range(len(probabilities)) if i not in set(majority)]


def favoured_labels(probabilities: Array, majority: Sequence[int], l: int) -> list[int]:
    """Delta of liu2026 Alg. 2 line 7: the l most probable labels of S1.

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    """
    size = whole_number(l, "l", 0, len(majority), BlockError)
    return [i for i in top_labels(probabilities, len(probabilities)) if i in set(majority)][:size]


def block_rr_from_partition(
    prior: object,
    majority: Sequence[int],
    epsilon: PrivacyLevel | float,
    l: int,
) -> Channel:
    """BlockRR (liu2026 Alg. 1) with B(y) = {y} and S~ = S: given S1, with Delta the l most probable labels of S1.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; orders Delta, ties go to the smaller index.
    majority : sequence of int
        S1, indices of labels.
    epsilon : float or PrivacyLevel
        Privacy level.
    l : int
        |Delta|, 0..|S1|.

    Returns
    -------
    Channel, K x K
        Inputs and outputs 0..K-1 in order.

    Raises
    ------
    BlockError
        If S1 is empty or has unknown or repeated labels, or l is outside 0..|S1|.
    PriorError, PrivacyLevelError
        If prior or level are not usable.
    """
    probabilities = as_prior(prior)
    size = len(probabilities)
    labels = f"labels 0..{size - 1}"
    try:
        chosen = [index(i) for i in majority]
    except TypeError as exc:
        raise BlockError("majority", majority, labels) from exc
    if not set(chosen) <= set(range(size)):
        raise BlockError("majority", chosen, labels)
    favoured = favoured_labels(probabilities, chosen, l)
    minority = [i for i in range(size) if i not in set(chosen)]
    blocks = Blocks(chosen, minority, range(size), {y: [y] for y in range(size)}, favoured)
    channel = block_rr(blocks, epsilon)
    return channel.restrict(range(size))


def block_rr_from_prior(prior: object, epsilon: PrivacyLevel | float, sigma: float, l: int) -> Channel:
    """BlockRR by liu2026 section 3.2: `partition` by eq. (3.3), then `block_rr_from_partition`.

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    PriorError, PrivacyLevelError, InvalidInputError
        If another argument is not usable.
    """
    majority, _ = partition(prior, sigma)
    return block_rr_from_partition(prior, majority, epsilon, l)
