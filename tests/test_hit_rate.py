"""The closed form for weights that are constant off the diagonal, against the exact optimum."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lpmech import PrivacyLevel
from lpmech.programs import Program
from lpmech.programs.hit_rate import hit_gains

COUNTS = st.lists(st.integers(0, 40), min_size=2, max_size=7).filter(any)


@given(COUNTS, st.integers(-5, 5), st.fractions(min_value=Fraction(9, 8), max_value=50, max_denominator=8))
def test_the_closed_form_is_optimal(counts, miss, ratio):
    level = PrivacyLevel.from_ratio(ratio)
    weights = np.diag(np.array(counts, dtype=object)) + miss
    solution = Program(weights, level).solve("interior-point")
    exact = Program(weights.tolist(), level).solve("exact").value
    assert Fraction(float(solution.value)) <= exact <= Fraction(float(solution.bound))
    assert solution.gap <= 1e-8 * max(abs(exact), 1)


def test_no_iteration_is_needed():
    solution = Program(np.diag(np.linspace(0.1, 1, 50)), 1.0).solve("interior-point")
    assert solution.statistics["iterations"] == 0
    assert solution.statistics["extreme"]
    assert solution.relative_gap <= 1e-8


def test_other_weights_are_left_to_the_method():
    diagonal = np.diag([3.0, 2.0, 1.0])
    assert list(hit_gains(diagonal + np.array([[1.0], [0.0], [2.0]]))) == [3.0, 2.0, 1.0]
    assert hit_gains(diagonal[:, :2]) is None
    assert hit_gains(-diagonal) is None
    diagonal[0, 2] = 1e-9
    assert hit_gains(diagonal) is None
    assert Program(diagonal, 1.0).solve("interior-point").statistics["iterations"] > 0
