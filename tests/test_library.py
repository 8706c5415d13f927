"""What the library's functions compute is what their docstrings say, and no check of it lets a wrong function pass.

The checks have the form of claims: a statement, the functions themselves, wrong ones, and a family of instances.
"""

import pytest
from library import PAPER

from lpmech.claims.self_test import SelfTest, self_tested


@pytest.mark.parametrize("id", PAPER.claims)
def test_a_function_computes_what_it_says_and_wrong_ones_are_rejected(id):
    claim = PAPER.claims[id]
    outcome = claim.run()
    assert (outcome.verdict, outcome.counterexample) == (claim.recorded, None)
    assert self_tested(PAPER, claim, SelfTest.SAMPLED).complaints == ()
