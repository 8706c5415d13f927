"""Random programs over 24 orders of magnitude: is every one solved with a proved gap, without and with fixed entries?

K and J from 2 to 120, epsilon from 1e-6 to 700, utilities of nine kinds, priors from nearly uniform to nearly a point
with labels of prior zero among them, all in units from 1e-12 to 1e12. The gap is the rigorous one of `Solution`; of
the small programs it is computed once more over the rationals, from the floats of the channel and of the duals. Fixed
entries are those of a random private channel, at most one in a row.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from lpmech.entries import to_exact
from lpmech.errors import LpmechError
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program, Solution
from lpmech.programs.optimality import dual_bound, greedy_fill

__all__ = ["Trial", "trials", "with_fixed_entries", "fault"]

KINDS = ("distance", "squared", "uniform", "normal", "hit", "ties", "low rank", "24 orders in one", "sparse")
#: Rational gaps are computed of programs with at most so many entries.
SMALL = 150


@dataclass(frozen=True)
class Trial:
    """One random program: its number, what it is, weights, epsilon and fixed entries."""

    number: int
    kind: str
    weights: np.ndarray
    epsilon: float
    fixed: Mapping[tuple[int, int], float] = field(default_factory=dict)


def trials(count: int, largest: int = 120) -> Iterator[Trial]:
    """The first `count` programs; each has a seed of its own."""
    for number in range(count):
        rng = np.random.default_rng(number)
        rows = columns = log_uniform(rng, 2, largest)
        if rng.random() < 0.3:
            columns = log_uniform(rng, 2, largest)
        kind = str(rng.choice(KINDS))
        weights = gain(kind, rows, columns, rng)
        if kind != "24 orders in one":
            prior = rng.dirichlet(np.full(rows, 10.0 ** rng.uniform(-1, 1)))
            prior[rng.random(rows) < 0.1] = 0
            weights = prior[:, None] * weights * 10.0 ** rng.uniform(-12, 12)
        yield Trial(number, kind, weights, float(np.exp(rng.uniform(np.log(1e-6), np.log(700)))))


def with_fixed_entries(trial: Trial) -> Trial:
    """The same program with entries fixed to those of a random private channel, some of them at their bounds.

    An entry above 0.9 is not fixed: rounding it could leave too little for the others to be private.
    """
    rng = np.random.default_rng([trial.number, 1])
    rows, columns = trial.weights.shape
    mass = np.exp(-rng.uniform(0, min(trial.epsilon, 40)))
    floors = mass * rng.dirichlet(np.full(columns, 10.0 ** rng.uniform(-1, 1)))
    channel = greedy_fill(rng.random((rows, columns)), float(np.exp(trial.epsilon)), floors)
    if rng.random() < 0.5:
        share = rng.random()
        channel = share * channel + (1 - share) * channel.mean(axis=0)
    chosen = rng.choice(rows, size=log_uniform(rng, 1, min(rows, 8)), replace=False)
    places = [(int(y), int(rng.integers(columns))) for y in chosen]
    return replace(trial, fixed={place: float(channel[place]) for place in places if channel[place] <= 0.9})


def log_uniform(rng: np.random.Generator, least: int, most: int) -> int:
    return round(float(np.exp(rng.uniform(np.log(least), np.log(most)))))


def gain(kind: str, rows: int, columns: int, rng: np.random.Generator) -> np.ndarray:
    points = np.sort(rng.random(max(rows, columns)))
    distance = abs(points[:rows, None] - points[None, :columns])
    found: dict[str, np.ndarray] = {
        "distance": -distance,
        "squared": -(distance**2),
        "uniform": rng.random((rows, columns)),
        "normal": rng.normal(size=(rows, columns)),
        "hit": np.eye(rows, columns),
        "ties": rng.integers(0, 3, (rows, columns)).astype(float),
        "low rank": rng.normal(size=(rows, 3)) @ rng.normal(size=(3, columns)),
        "24 orders in one": 10.0 ** rng.uniform(-12, 12, (rows, columns)),
        "sparse": np.where(rng.random((rows, columns)) < 0.1, rng.random((rows, columns)), 0.0),
    }
    return found[kind]


def fault(trial: Trial) -> str | None:
    """What is wrong with the answer for a trial, or None."""
    try:
        solution = Program(trial.weights, trial.epsilon, fixed=trial.fixed).solve()
    except LpmechError as error:
        return f"{type(error).__name__}: {error}"
    reach = float(np.ptp(trial.weights, axis=1).sum())
    allowed = max(1e-8 * abs(float(solution.bound)), 1e-12 * reach)
    least = -allowed if trial.fixed else 0  # then the value is that of a channel up to rounding
    if not least <= solution.gap <= allowed:
        return f"gap {solution.gap:.3g}, allowed {allowed:.3g}"
    if trial.weights.size <= SMALL and not trial.fixed and (gap := rational_gap(solution)) > 2 * allowed:
        return f"gap over the rationals {float(gap):.3g}, allowed {allowed:.3g}"
    return None


def rational_gap(solution: Solution) -> Fraction:
    """Bound minus value, both repaired and computed exactly; the level lies in the interval of `excess_bounds`."""
    weights = to_exact(solution.program.weights)
    low, high = (1 + Fraction(bound) for bound in solution.program.level.excess_bounds)
    floors = to_exact(np.asarray(solution.channel.matrix).min(axis=0))
    filled = greedy_fill(weights, low, floors)
    assert all(max(column) <= low * min(column) for column in filled.T.tolist())
    above = PrivacyLevel.from_ratio(high)
    return dual_bound(weights, above.ratio, to_exact(solution.row_duals), {}, {}) - (weights * filled).sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--fixed", type=int, default=400, help="so many of them also with fixed entries")
    parser.add_argument("--largest", type=int, default=120)
    arguments = parser.parse_args()
    report("programs", trials(arguments.count, arguments.largest))
    report("programs with fixed entries", map(with_fixed_entries, trials(arguments.fixed, arguments.largest)))


def report(what: str, every: Iterable[Trial]) -> None:
    """Print the faults and how many there are."""
    tried = solved = 0
    for trial in every:
        tried += 1
        if (wrong := fault(trial)) is None:
            solved += 1
        else:
            print(f"{trial.number}: {trial.kind}, {trial.weights.shape}, epsilon = {trial.epsilon:.3g}: {wrong}")
    print(f"{solved} of {tried} {what} solved with a proved gap")


if __name__ == "__main__":
    main()
