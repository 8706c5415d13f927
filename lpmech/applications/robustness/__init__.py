"""Robustness of classifiers, and the utility it guarantees under private data (zheng2025).

Statistical tools take any classifier as a callable from arrays (n, d) to labels (n,); exact ones take its structure.
"""

from lpmech.applications.robustness.estimators import from_estimator
from lpmech.applications.robustness.exact import ExactClassifier, LinearClassifier, robustness_box, robustness_radius
from lpmech.applications.robustness.guarantees import (
    rho,
    rho_as_stated,
    rho_mechanism_test,
    rho_uniform_test,
    rho_with_indicator,
)
from lpmech.applications.robustness.regions import Box
from lpmech.applications.robustness.relu import ReluClassifier
from lpmech.applications.robustness.statistical import (
    RobustBox,
    drawn_from,
    error_bound,
    hoeffding_samples,
    probabilistic_box,
    sufficient_samples,
    uniform_in,
)
from lpmech.applications.robustness.study import ClassifierUtility, MechanismUtility, classifier_utility
from lpmech.applications.robustness.trees import Tree, TreeEnsemble
from lpmech.applications.robustness.utility import (
    Estimate,
    UtilityProfile,
    empirical_rho,
    epsilon_for,
    rank_mechanisms,
    utility_profile,
)

__all__ = [
    "Box",
    "ClassifierUtility",
    "Estimate",
    "ExactClassifier",
    "LinearClassifier",
    "MechanismUtility",
    "ReluClassifier",
    "RobustBox",
    "Tree",
    "TreeEnsemble",
    "UtilityProfile",
    "classifier_utility",
    "drawn_from",
    "empirical_rho",
    "epsilon_for",
    "error_bound",
    "from_estimator",
    "hoeffding_samples",
    "probabilistic_box",
    "rank_mechanisms",
    "rho",
    "rho_as_stated",
    "rho_mechanism_test",
    "rho_uniform_test",
    "rho_with_indicator",
    "robustness_box",
    "robustness_radius",
    "sufficient_samples",
    "uniform_in",
    "utility_profile",
]
