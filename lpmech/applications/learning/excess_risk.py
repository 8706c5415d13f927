"""Excess-risk curves of LP-RR-SGD and LP-Normal-SGD against the bounds of ghazi2021, Theorem 9 and Prop. 11.

The population is the empirical distribution of a data set that scikit-learn ships: samples are drawn from it with
replacement, so that the population risk and its minimiser are computed and not estimated. The loss is the logistic one
of a linear model; every row of features has norm 1, so that it is sqrt(2)-Lipschitz (in the Frobenius norm), and the
weights are in a ball of radius R, so that D = 2 R. The lower bounds of the paper (Prop. 12 and 13) are about the worst
problem for an algorithm, not about one population; no curve here needs to stay above them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from lpmech.applications.learning.convex import LPNormalSGDClassifier, LPRRSGDClassifier, TrueLabelSGDClassifier
from lpmech.applications.learning.inputs import check_runs
from lpmech.applications.learning.population import Population
from lpmech.applications.learning.sgd_formulas import LIPSCHITZ, excess_risk_bound, normal_deviation, theorem_9_moment
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError
from lpmech.extras import needs
from lpmech.privacy import as_privacy_level

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ALGORITHMS",
    "EPSILONS",
    "NOT_PRIVATE",
    "SIZES",
    "ExcessRisk",
    "excess_risks",
    "number_of_risks",
    "slopes",
    "curve_table",
]


#: (epsilon, delta, parameters) -> classifier.
ALGORITHMS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "LP-RR-SGD": lambda epsilon, delta, **rest: LPRRSGDClassifier(epsilon, **rest),
        "LP-RR-SGD, steps of Theorem 9": lambda epsilon, delta, **rest: LPRRSGDClassifier(
            epsilon, moment=theorem_9_moment, **rest
        ),
        "LP-Normal-SGD": lambda epsilon, delta, **rest: LPNormalSGDClassifier(epsilon, delta, **rest),
        "true labels": lambda epsilon, delta, **rest: TrueLabelSGDClassifier(**rest),
    }
)

#: Key of `ALGORITHMS`: the same descent without privacy.
NOT_PRIVATE = "true labels"

#: Levels and sample sizes of the curves unless others are asked for.
EPSILONS = (0.3, 0.9)
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)

_LATE_SIZES = 3


@dataclass(frozen=True)
class ExcessRisk:
    """One algorithm run once: its excess risk, computed on the whole population, and the bound on its mean."""

    algorithm: str
    epsilon: float
    size: int
    excess: float
    bound: float


def excess_risks(
    problem: Population,
    epsilons: Sequence[float] = EPSILONS,
    sizes: Sequence[int] = SIZES,
    repeats: int = 10,
    *,
    delta: float = 1e-5,
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[ExcessRisk]:
    """Run every algorithm at every level on samples of every size.

    Parameters
    ----------
    problem : Population
        Where samples are drawn from.
    epsilons : sequence of float
        Label-privacy levels, below 1 as in Theorem 9 and Prop. 11.
    sizes : sequence of int
        Sample sizes n, at least K.
    repeats : int
        Number of samples of each size, at least 2; all algorithms see the same ones.
    delta : float
        Of LP-Normal-SGD.
    seed : int
        Seed of the whole experiment, not negative.
    jobs : int
        Number of processes; the results do not depend on it.

    Returns
    -------
    iterator of ExcessRisk
        `number_of_risks` of them; `NOT_PRIVATE` has infinite epsilon and is run once for each sample. Nothing runs
        before the first is asked for.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    check_runs(repeats, seed, jobs, least=2)
    for name, values in (("epsilons", epsilons), ("sizes", sizes)):
        if len(values) == 0:
            raise InvalidInputError(name, values, "at least one")
    for size in sizes:
        whole_number(size, "sizes", problem.classes)
    levels = [as_privacy_level(epsilon).epsilon for epsilon in dict.fromkeys(epsilons)]
    for level in levels:
        normal_deviation(level, delta, LIPSCHITZ)  # refuses a level of 1 or more and a bad delta now, not in a run
    named = [(name, level) for name in ALGORITHMS if name != NOT_PRIVATE for level in levels]
    tasks = product([*named, (NOT_PRIVATE, math.inf)], sorted(set(sizes)), range(repeats))
    return _in_turn(problem, tasks, delta, seed, jobs)


def number_of_risks(epsilons: Sequence[float], sizes: Sequence[int], repeats: int) -> int:
    """How many runs `excess_risks` yields."""
    return ((len(ALGORITHMS) - 1) * len(set(epsilons)) + 1) * len(set(sizes)) * repeats


def _in_turn(
    problem: Population, tasks: Iterable[tuple[tuple[str, float], int, int]], delta: float, seed: int, jobs: int
) -> Iterator[ExcessRisk]:
    yield from Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_measured)(problem, *algorithm, size, delta, [seed, size, repeat]) for algorithm, size, repeat in tasks
    )


def _measured(
    problem: Population, algorithm: str, epsilon: float, size: int, delta: float, entropy: list[int]
) -> ExcessRisk:
    rng = np.random.default_rng(entropy)
    features, labels = problem.sample(size, rng)
    make = ALGORITHMS[algorithm]
    rest = {"radius": problem.radius, "classes": range(problem.classes), "random_state": int(rng.integers(2**31))}
    model = make(epsilon, delta, **rest).fit(features, labels)
    return ExcessRisk(algorithm, epsilon, size, problem.risk(model.coef_) - problem.minimum, model.excess_risk_bound())


def curve_table(runs: Iterable[ExcessRisk]) -> pd.DataFrame:
    """The table of the curves.

    Returns
    -------
    DataFrame
        One row for each algorithm, epsilon and n, with columns algorithm, epsilon, n, excess (mean over the repeats),
        error (standard error of it), bound, and below (whether mean + 3 standard errors is at most the bound).
    """
    with needs("learning"):
        import pandas as pd

    frame = pd.DataFrame([vars(run) for run in runs]).rename(columns={"size": "n"})
    groups = frame.groupby(["algorithm", "epsilon", "n"], sort=False)
    table = groups.agg(excess=("excess", "mean"), error=("excess", "sem"), bound=("bound", "first")).reset_index()
    return table.assign(below=table["excess"] + 3 * table["error"] <= table["bound"])


def slopes(table: pd.DataFrame, ceiling: float) -> pd.DataFrame:
    """How fast every curve falls, and how loose its bound is.

    Parameters
    ----------
    table : DataFrame
        What `curve_table` returned.
    ceiling : float
        The population's.

    Returns
    -------
    DataFrame
        One row for each algorithm and epsilon: slope and its standard error (weighted least squares in log n and
        log excess), the same over the three largest n, the slope of the bound, the smallest and the largest of
        bound / excess, below (at every n), informative (smallest n with a bound below the ceiling; infinite above
        10^15). Slopes are NaN where there are fewer than two sizes.
    """
    with needs("learning"):
        import pandas as pd

    rows = []
    for (algorithm, epsilon), curve in table.groupby(["algorithm", "epsilon"], sort=False):
        loose = curve["bound"] / curve["excess"]
        late = curve.tail(_LATE_SIZES)
        rows.append(
            {
                "algorithm": algorithm,
                "epsilon": epsilon,
                **dict(zip(("slope", "slope_error"), _slope(curve, "excess"), strict=True)),
                **dict(zip(("late_slope", "late_slope_error"), _slope(late, "excess"), strict=True)),
                "bound_slope": _slope(curve.assign(error=curve["bound"]), "bound")[0],
                "least_ratio": loose.min(),
                "largest_ratio": loose.max(),
                "below": bool(curve["below"].all()),
                "informative": _informative_size(curve.iloc[0], ceiling),
            }
        )
    return pd.DataFrame(rows)


def _slope(curve: pd.DataFrame, column: str) -> tuple[float, float]:
    """Slope and standard error; a relative error e of a value is an error e of its logarithm."""
    if len(curve) < 2:
        return math.nan, math.nan
    weights = (curve[column] / curve["error"]).to_numpy()
    (slope, _), covariance = np.polyfit(
        np.log(curve["n"].to_numpy()), np.log(curve[column].to_numpy()), 1, w=weights, cov="unscaled"
    )
    return float(slope), float(np.sqrt(covariance[0, 0]))


def _informative_size(row: Any, ceiling: float) -> float:
    """The bound falls in n and is proportional to (2 + ln n) / sqrt(n)."""
    at_one = row["bound"] / excess_risk_bound(1.0, 1.0, int(row["n"]))
    sizes = range(1, 10**15)
    first = bisect_left(sizes, True, key=lambda n: at_one * excess_risk_bound(1.0, 1.0, n) < ceiling)
    return sizes[first] if first < len(sizes) else math.inf
