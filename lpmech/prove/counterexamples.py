"""The smallest exact counterexample to a statement about a privacy level, a prior and a utility.

A statement is a function that takes an `Instance` and returns None where it holds, else what fails, in words.
Instances are tried from small to large; what is found in a random search is shrunk until no simpler one fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations_with_replacement, islice, pairwise, product

from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel

__all__ = ["Counterexample", "Fault", "Instance", "find_counterexample", "shrink"]


@dataclass(frozen=True)
class Instance:
    """Exact arguments of a statement, small enough to be written down.

    Attributes
    ----------
    ratio : Fraction
        e^epsilon.
    counts : tuple of int, length K
        Label counts; the prior is counts / sum(counts).
    utility : tuple of tuple of int, shape (K, J), or None
        For statements about any utility.
    parameters : tuple of (str, Fraction)
        Further parameters of the statement, by name.
    """

    ratio: Fraction
    counts: tuple[int, ...]
    utility: tuple[tuple[int, ...], ...] | None = None
    parameters: tuple[tuple[str, Fraction], ...] = ()

    @property
    def level(self) -> PrivacyLevel:
        """The privacy level."""
        return PrivacyLevel.from_ratio(self.ratio)

    @property
    def prior(self) -> list[Fraction]:
        """The prior, shape (K,)."""
        return [Fraction(count, sum(self.counts)) for count in self.counts]

    @property
    def size(self) -> tuple[int, int]:
        """What is made small: first the number of labels, then all numerators and denominators together."""
        entries = sum(map(abs, chain.from_iterable(self.utility or ())))
        own = sum(abs(value.numerator) + value.denominator for _, value in self.parameters)
        return len(self.counts), self.ratio.numerator + self.ratio.denominator + sum(self.counts) + entries + own

    def __str__(self) -> str:
        prior = ", ".join(map(str, self.prior))
        utility = "" if self.utility is None else f", utility {[list(row) for row in self.utility]}"
        own = "".join(f", {name} = {value}" for name, value in self.parameters)
        return f"K = {len(self.counts)}, t = {self.ratio}{own}, prior ({prior}){utility}"


@dataclass(frozen=True)
class Counterexample:
    """An instance and what fails there."""

    instance: Instance
    failure: str

    def __str__(self) -> str:
        return f"{self.instance}: {self.failure}"


Fault = Callable[[Instance], str | None]


def find_counterexample(
    statement: Fault,
    *,
    outputs: int | None = None,
    smallest: int = 2,
    largest: int = 6,
    systematic: int = 2000,
    random_tries: int = 500,
    seed: int = 0,
) -> Counterexample | None:
    """Search for the smallest counterexample; None only says that none was found.

    Parameters
    ----------
    statement : callable
        Returns None where the statement holds.
    outputs : int, optional
        Give every instance a utility with this many columns; 0 means as many as labels. Default: no utility.
    smallest, largest : int
        Smallest and largest number of labels.
    systematic : int
        How many instances of each number of labels are tried from small to large.
    random_tries : int
        How many larger ones are tried at random for each number of labels, 2 first.
    seed : int
        Of the random instances.

    Raises
    ------
    InvalidInputError
        If `smallest` is below 2, or `largest` is below it.
    """
    if not 2 <= smallest <= largest:
        raise InvalidInputError("largest", largest, f"a whole number >= {max(2, smallest)}")
    rng = random.Random(seed)
    for labels in range(smallest, largest + 1):
        columns = labels if outputs == 0 else outputs
        systematically = islice(_small_instances(labels, columns), systematic)
        at_random = (_random_instance(labels, columns, rng) for _ in range(random_tries))
        for instance in chain(systematically, at_random):
            failure = statement(instance)
            if failure is not None:
                return shrink(statement, instance)
    return None


def shrink(statement: Fault, instance: Instance) -> Counterexample:
    """Make a counterexample smaller step by step until no simpler neighbour fails.

    Raises
    ------
    InvalidInputError
        If the statement holds for the instance.
    """
    failure = statement(instance)
    if failure is None:
        raise InvalidInputError("instance", str(instance), "an instance that violates the statement")
    found = Counterexample(instance, failure)
    while True:
        for simpler in sorted(set(_simpler(found.instance)), key=lambda i: i.size):
            failure = statement(simpler)
            if failure is not None:
                found = Counterexample(simpler, failure)
                break
        else:
            return found


def _small_instances(labels: int, columns: int | None) -> Iterator[Instance]:
    """All instances with this many labels, by the sum of their numbers."""
    for total in range(3 + labels, 10**6):
        for ratio in _ratios(total - labels):
            rest = total - ratio.numerator - ratio.denominator
            for in_counts in range(1, rest + 1):
                for counts in _counts(labels, in_counts):
                    if columns is None:
                        if in_counts == rest:
                            yield Instance(ratio, counts)
                    else:
                        for utility in _utilities(labels, columns, rest - in_counts):
                            yield Instance(ratio, counts, utility)


def _ratios(most: int) -> Iterator[Fraction]:
    """Fractions above one in lowest terms with numerator + denominator at most `most`."""
    for total in range(3, most + 1):
        for denominator in range(1, (total + 1) // 2):
            ratio = Fraction(total - denominator, denominator)
            if ratio.denominator == denominator:
                yield ratio


def _counts(labels: int, total: int) -> Iterator[tuple[int, ...]]:
    """Tuples of whole numbers with this sum, without a common factor above one where that is avoidable."""
    for bars in combinations_with_replacement(range(total + 1), labels - 1):
        ends = (0, *bars, total)
        yield tuple(b - a for a, b in pairwise(ends))


def _utilities(labels: int, columns: int, total: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Integer matrices whose absolute entries have this sum."""
    for sizes in _counts(labels * columns, total):
        for signs in product(*[(1, -1) if s else (1,) for s in sizes]):
            flat = [s * sign for s, sign in zip(sizes, signs, strict=True)]
            yield tuple(tuple(flat[y * columns : (y + 1) * columns]) for y in range(labels))


def _random_instance(labels: int, columns: int | None, rng: random.Random) -> Instance:
    """Structure is likelier than genericity: uniform priors, zeros and ties are common."""
    denominator = rng.randint(1, 8)
    ratio = 1 + Fraction(rng.randint(1, 8 * rng.choice((1, 4, 16)) * denominator), denominator)
    most = rng.choice((1, 1, 3, 12, 60))
    counts = [1] * labels if most == 1 else [rng.randint(0, most) for _ in range(labels)]
    counts[rng.randrange(labels)] += most > 1
    utility = None
    if columns is not None:
        largest = rng.choice((1, 1, 2, 5))
        utility = tuple(tuple(rng.randint(-largest, largest) for _ in range(columns)) for _ in range(labels))
    return Instance(ratio, tuple(counts), utility)


def _simpler(instance: Instance) -> Iterator[Instance]:
    """Neighbours of smaller size."""
    candidates = chain(_fewer_labels(instance), _simpler_ratios(instance), _smaller_numbers(instance))
    yield from (candidate for candidate in candidates if candidate.size < instance.size)


def _fewer_labels(instance: Instance) -> Iterator[Instance]:
    for y in range(len(instance.counts)):
        counts = instance.counts[:y] + instance.counts[y + 1 :]
        if len(counts) < 2 or not any(counts):
            continue
        utility = instance.utility
        if utility is not None:
            square = len(utility) == len(utility[0])
            rows = utility[:y] + utility[y + 1 :]
            utility = tuple(row[:y] + row[y + 1 :] for row in rows) if square else rows
        yield replace(instance, counts=counts, utility=utility)


def _simpler_ratios(instance: Instance) -> Iterator[Instance]:
    most = min(instance.ratio.numerator + instance.ratio.denominator - 1, 60)
    near = [Fraction(int(instance.ratio)), Fraction(int(instance.ratio) + 1), instance.ratio.limit_denominator(7)]
    yield from (replace(instance, ratio=ratio) for ratio in chain(_ratios(most), near) if ratio > 1)


def _smaller_numbers(instance: Instance) -> Iterator[Instance]:
    yield replace(instance, counts=(1,) * len(instance.counts))
    for y, count in enumerate(instance.counts):
        for smaller in {0, 1, count // 2, count - 1}:
            counts = (*instance.counts[:y], smaller, *instance.counts[y + 1 :])
            if 0 <= smaller < count and any(counts):
                yield replace(instance, counts=counts)
    for i, (name, value) in enumerate(instance.parameters):
        near = {Fraction(0), Fraction(1), Fraction(int(value)), value - 1, value + 1, value.limit_denominator(3)}
        for parameter in near - {value}:
            own = (*instance.parameters[:i], (name, parameter), *instance.parameters[i + 1 :])
            yield replace(instance, parameters=own)
    for y, row in enumerate(instance.utility or ()):
        for j, entry in enumerate(row):
            for smaller in {0, 1, -1, int(entry / 2)}:
                if abs(smaller) < abs(entry):
                    changed = (*row[:j], smaller, *row[j + 1 :])
                    rows = instance.utility or ()
                    yield replace(instance, utility=(*rows[:y], changed, *rows[y + 1 :]))
