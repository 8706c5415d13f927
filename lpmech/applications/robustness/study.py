"""The utility of one's own classifier on one's own data under mechanisms of one tight level: zheng2025's purpose."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.applications.robustness.estimators import rescaled_estimator, unnamed
from lpmech.applications.robustness.exact import robustness_box
from lpmech.applications.robustness.regions import Box, Mechanisms, labels_of
from lpmech.applications.robustness.statistical import error_bound
from lpmech.applications.robustness.utility import Estimate, UtilityProfile, measured, utility_profile
from lpmech.applications.tight_levels import same_level_mechanisms
from lpmech.entries import Array, as_generator, open_probability, whole_number
from lpmech.errors import InvalidInputError, SolverError
from lpmech.extras import needs
from lpmech.mechanisms import Clipped, Gaussian, even_grid
from lpmech.mechanisms.gaussian import analytic_scale
from lpmech.privacy import PrivacyLevel, as_privacy_level

if TYPE_CHECKING:
    import pandas as pd
from lpmech.applications.robustness.study_inputs import check_classifier, feature_table, positions_of, unit_ranges

__all__ = ["ClassifierUtility", "MechanismUtility", "classifier_utility"]


@dataclass(frozen=True)
class MechanismUtility:
    """How often the class stays what it is under one mechanism.

    Attributes
    ----------
    mechanism : str
        Name.
    epsilon, delta : float
        Tight level of the release of all sensitive features together; where delta is not 0, (epsilon, delta)-LDP in
        place of epsilon-LDP, a weaker kind of privacy.
    guaranteed, guaranteed_least : float
        Lower bounds of the mean utility over the rows, and of the least.
    simulated, simulated_least : Estimate
        Measured; each interval with the confidence of the study.
    """

    mechanism: str
    epsilon: float
    delta: float
    guaranteed: float
    guaranteed_least: float
    simulated: Estimate
    simulated_least: Estimate


@dataclass(frozen=True)
class ClassifierUtility:
    """The utility of a classifier under mechanisms of one tight level.

    Attributes
    ----------
    sensitive : tuple of str
        Names of the features that are released by a mechanism, each with its share of the level.
    epsilon : float
        Level of all sensitive features together.
    rows : int
        How many rows the utility was looked at.
    guarantee : str
        "exact": the robust box of every row is proved; "sampled": Clopper-Pearson and Hoeffding bounds that hold
        together, for all mechanisms, with the confidence.
    reason : str
        Why it is not exact, or empty.
    confidence : float
        Of each simulated interval, and of all sampled bounds together.
    mechanisms : tuple of MechanismUtility
        Those of the same kind of privacy first, each part in the order of what is guaranteed, best first.
    """

    sensitive: tuple[str, ...]
    epsilon: float
    rows: int
    guarantee: str
    reason: str
    confidence: float
    mechanisms: tuple[MechanismUtility, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row a mechanism."""
        with needs("frames"):
            import pandas as pd

        return pd.DataFrame(
            [
                {
                    "mechanism": m.mechanism, "epsilon": m.epsilon, "delta": m.delta,
                    "guaranteed": m.guaranteed, "simulated": m.simulated.value,
                    "low": m.simulated.low, "high": m.simulated.high,
                    "guaranteed_least": m.guaranteed_least, "simulated_least": m.simulated_least.value,
                    "low_least": m.simulated_least.low, "high_least": m.simulated_least.high,
                }
                for m in self.mechanisms
            ]
        )  # fmt: skip


def classifier_utility(
    estimator: Any,
    features: pd.DataFrame | Array,
    sensitive: Sequence[str | int],
    epsilon: PrivacyLevel | float,
    rng: np.random.Generator,
    *,
    ranges: Mapping[str | int, tuple[float, float]] | None = None,
    rows: int = 25,
    samples: int = 2000,
    confidence: float = 0.95,
    size: int = 11,
    delta: float | None = None,
) -> ClassifierUtility:
    """How often a classifier keeps its class when sensitive features are released privately: guaranteed and simulated.

    Every sensitive feature is mapped to [0, 1] by its range and released, independently of the others, by a mechanism
    with an even share of epsilon as its *tight* level; the classifier gets what is released in place of the true value.

    Parameters
    ----------
    estimator : fitted classifier of scikit-learn
        Those of `from_estimator`, behind scalers or not, get exact guarantees; others, and those that are too large,
        sampled ones.
    features : DataFrame or array_like, shape (n, d)
        Rows of the data, as the classifier takes them.
    sensitive : sequence of str or int
        Features that are released: names of columns of a DataFrame, or positions.
    epsilon : float or PrivacyLevel
        Level of all sensitive features together.
    rng : numpy.random.Generator
        Source of randomness.
    ranges : mapping from feature to (low, high), optional
        Public ranges of sensitive features; default: the least and the largest number of the column.
    rows : int
        How many rows, drawn without replacement, to look at; all where there are no more.
    samples : int
        Releases of each row.
    confidence : float
        Of each simulated interval, and of all sampled bounds together.
    size : int
        Number of even points on which the exponential mechanism and k-RR work.
    delta : float, optional
        Adds the Gaussian mechanism with the least scale for (epsilon, delta)-LDP, clipped: another kind of privacy.

    Raises
    ------
    InvalidInputError
        If the estimator is no fitted classifier of these features, the features are not finite numbers, a sensitive one
        is unknown, named twice, constant, or outside its range, or another argument is not usable.
    PrivacyLevelError
        If epsilon or delta is not usable.
    MissingDependencyError
        If scikit-learn is not installed.

    Notes
    -----
    Source: zheng2025, Sections 4.3 and 5.1: what is guaranteed is the concentration of the mechanism on a box in which
    the classifier has one class. The paper's factor (1 - omega)(1 - tau) for boxes that passed a test is no bound. The
    paper gives epsilon to each feature; here it is the level of all together, their sum.
    """
    table, names = feature_table(features)
    check_classifier(estimator, table.shape[1], getattr(features, "columns", None))
    chosen = positions_of(sensitive, names)
    level, share = _share(epsilon, len(chosen))
    low, high = unit_ranges(table, names, chosen, ranges or {})
    rng, confidence = as_generator(rng), open_probability(confidence, "confidence")
    samples = whole_number(samples, "samples", 1)
    count = min(whole_number(rows, "rows", 1), len(table))
    drawn = (table[np.sort(rng.choice(len(table), count, replace=False))] - low) / (high - low)

    def classify(points: Array) -> Array:
        return np.asarray(estimator.predict(low + points * (high - low)))

    candidates = _candidates(level, share, len(chosen), size, delta)
    omega = (1 - confidence) / len(candidates)
    found = []
    with unnamed():
        boxes, reason = _robust_boxes(estimator, low, high, labels_of(classify, drawn), drawn, chosen)
        for name, (mechanism, tight, failure) in candidates.items():
            applied = [mechanism if i in chosen else None for i in range(table.shape[1])]
            if boxes is not None:
                profile = utility_profile(classify, applied, drawn, boxes, rng, samples=samples, confidence=confidence)
                mean = profile.rho_avg
            else:
                profile, mean = _sampled(classify, applied, drawn, rng, samples, confidence, omega)
            simulated = (profile.empirical_avg, profile.empirical_wor)
            found.append(MechanismUtility(name, tight, failure, mean, profile.rho_wor, *simulated))
    found.sort(key=lambda m: (m.delta > 0, -round(m.guaranteed, 9)))
    return ClassifierUtility(
        tuple(names[i] for i in chosen), level.epsilon, count, "sampled" if boxes is None else "exact", reason,
        confidence, tuple(found),
    )  # fmt: skip


def _share(epsilon: PrivacyLevel | float, parts: int) -> tuple[PrivacyLevel, PrivacyLevel]:
    """The level, and an even share of it; the level itself if there is one part."""
    level = as_privacy_level(epsilon)
    return level, level if parts == 1 else PrivacyLevel.from_epsilon(level.share(parts))


def _candidates(
    level: PrivacyLevel, share: PrivacyLevel, parts: int, size: int, delta: float | None
) -> dict[str, tuple[Any, float, float]]:
    """Mechanism of one feature, level of all features together and delta, by name."""
    found: dict[str, tuple[Any, float, float]] = {
        name: (m, m.epsilon * parts, 0.0) for name, m in same_level_mechanisms(even_grid(size), share).items()
    }
    if delta is not None:
        # (epsilon, delta)-LDP of the parts adds up
        each = open_probability(delta, "delta") / parts
        found["Gaussian"] = (Clipped(Gaussian(analytic_scale(share, each))), level.epsilon, float(delta))
    return found


def _robust_boxes(
    estimator: Any, low: Array, high: Array, labels: Array, points: Array, chosen: Sequence[int]
) -> tuple[list[Box] | None, str]:
    """A box of one class around every point, in the sensitive features; or None, and why there is none."""
    try:
        exact = rescaled_estimator(estimator, low, high)
    except InvalidInputError as exc:
        return None, str(exc)
    agreed = np.asarray(estimator.classes_)[exact.predict(points)] == labels
    boxes = []
    for x, same in zip(points, agreed, strict=True):
        first, last = x.copy(), x.copy()
        first[chosen], last[chosen] = 0.0, 1.0
        try:
            # where rounding decides which class it is, nothing is known of the points around
            boxes.append(robustness_box(exact, x, Box(first, last)) if same else Box(x, x))
        except SolverError as exc:
            return None, str(exc)
    return boxes, ""


def _sampled(
    classify: Callable[[Array], Array], mechanisms: Mechanisms, points: Array,
    rng: np.random.Generator, samples: int, confidence: float, omega: float,
) -> tuple[UtilityProfile, float]:  # fmt: skip
    """A profile with sampled bounds for every point, and a bound of the mean; all hold together, omega is the risk.

    Clopper-Pearson's for every point; for the mean of independent draws Hoeffding's.
    """
    each = 1 - (1 - confidence) / len(points)
    empirical = measured(classify, mechanisms, points, rng, samples=samples, confidence=each)
    errors = [samples - round(samples * e.value) for e in empirical]
    bounds = np.array([1 - error_bound(count, samples, omega / (2 * len(points))) for count in errors])
    profile = UtilityProfile(bounds, empirical, confidence)
    slack = math.sqrt(math.log(2 / omega) / (2 * samples * len(points)))
    return profile, max(profile.rho_avg, profile.empirical_avg.value - slack)
