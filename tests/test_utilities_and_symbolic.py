import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from lpmech import utilities
from lpmech.errors import PriorError, UtilityError
from lpmech.mechanisms.bipartite_rr import closed_form as bipartite_rr_integers
from lpmech.mechanisms.bipartite_rr import derivation as symbolic_brr
from lpmech.mechanisms.block_rr import beta as closed_beta
from lpmech.mechanisms.block_rr import derivation as symbolic_block
from lpmech.mechanisms.block_rr import gamma as closed_gamma
from lpmech.mechanisms.rr_with_prior import derivation as symbolic_prior
from lpmech.mechanisms.rr_with_prior import hit_rate, threshold

F = Fraction


def test_utilities_by_hand():
    assert utilities.hit(2).tolist() == [[1, 0], [0, 1]]
    assert utilities.absolute([1, 4]).tolist() == [[0, -3], [-3, 0]]
    assert utilities.squared([1, 4]).tolist() == [[0, -9], [-9, 0]]
    assert utilities.tanimoto(2).tolist() == [[1, F(2, 3)], [F(2, 3), 1]]
    assert utilities.concentration(3, 1).tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert utilities.bin_loss([0, 1, 2], [0, 2], lambda x, b: (x - b) ** 2).tolist() == [[0, -4], [-1, -1], [-4, 0]]
    assert utilities.weight_matrix_from_decay([F(3, 4), F(1, 4)], F(1, 2)).tolist() == [
        [F(3, 4), F(1, 8)],
        [F(3, 8), F(1, 4)],
    ]
    assert utilities.weight_matrix([0.5, 0.5], 2.0) == pytest.approx(
        np.array([[0.5, 0.5 * math.exp(-0.5)], [0.5 * math.exp(-0.5), 0.5]])
    )


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: utilities.absolute(["a", "b"]), UtilityError),
        (lambda: utilities.absolute([1.0, math.nan]), UtilityError),
        (lambda: utilities.tanimoto([0, 1]), UtilityError),
        (lambda: utilities.concentration(3, -1), UtilityError),
        (lambda: utilities.weight_matrix([0.5, 0.5], 0), UtilityError),
        (lambda: utilities.weight_matrix([0.5, 0.6], 1.0), PriorError),
        (lambda: utilities.weight_matrix_from_decay([0.5, 0.5], 1.0), UtilityError),
        (lambda: utilities.hit(0), UtilityError),
    ],
)
def test_bad_utilities(call, error):
    with pytest.raises(error):
        call()


def test_derived_beta_and_gamma_are_the_closed_forms():
    beta, gamma = symbolic_block.solve_blocks()
    assert sp.simplify(beta - closed_beta(*symbolic_block.symbols)) == 0
    assert sp.simplify(gamma - closed_gamma(*symbolic_block.symbols)) == 0


def test_derived_hit_rate_and_thresholds():
    t, k, mass, p = symbolic_prior.symbols
    assert sp.simplify(symbolic_prior.hit_rate_from_channel() - hit_rate(t, k, mass)) == 0
    assert sp.simplify(symbolic_prior.threshold_ratio() - threshold(k, mass, p)) == 0


@pytest.mark.parametrize(("n", "i"), [(5, 2), (8, 3), (9, 5), (12, 7)])
def test_derived_sums_equal_the_definition(n, i):
    # the sums written out term by term for one N and i
    t = sp.Integer(3)

    def by_definition(losses):
        return sum((losses[i - 1] - v) * (t if j < i - 1 else 1) for j, v in enumerate(losses) if j != i - 1)

    end = sorted(range(n))
    assert symbolic_brr.derive_end_point_sum().subs(
        {symbolic_brr.t: t, symbolic_brr.N: n, symbolic_brr.i: i}
    ) == by_definition(end)
    if i % 2:
        middle = sorted(abs(j - (n + 1) // 2) for j in range(1, n + 1))
        derived = symbolic_brr.derive_middle_sum(n % 2).subs(
            {symbolic_brr.t: t, symbolic_brr.M: n // 2, symbolic_brr.r: (i - 1) // 2}
        )
        assert derived == by_definition(middle)
        printed = bipartite_rr_integers.middle_sum_odd if n % 2 else bipartite_rr_integers.middle_sum_even
        assert printed(t, sp.Integer(n), sp.Integer(i)) == derived
