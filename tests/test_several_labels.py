"""Several labels of a person: one by one against the best joint channel."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import PrivacyLevel
from lpmech.cli import main
from lpmech.designs.several_labels import joint_program, several_labels
from lpmech.entries import to_float
from lpmech.errors import InvalidInputError, PriorError
from lpmech.programs import optimal_channel
from lpmech.utilities import absolute, hit


def by_scipy(utility, t, n, prior):
    """The joint optimum from inequalities that are written out, one for each pair of rows and output."""
    tuples = list(product(range(len(utility)), repeat=n))
    size = len(tuples)
    gains = np.array([[np.mean([utility[a][b] for a, b in zip(y, j, strict=True)]) for j in tuples] for y in tuples])
    weights = np.array([np.prod([prior[a] for a in y]) for y in tuples])
    limits = []
    for y, other, j in product(range(size), range(size), range(size)):
        if y != other:
            limits.append(np.zeros(size * size))
            limits[-1][[y * size + j, other * size + j]] = 1, -t
    sums = np.kron(np.eye(size), np.ones(size))
    found = linprog(-(weights[:, None] * gains).ravel(), np.array(limits), np.zeros(len(limits)), sums, np.ones(size))
    return -found.fun


@pytest.mark.parametrize(("utility", "t", "n"), [(hit(2), 4, 2), (absolute(3), 4, 2), (hit(2), 8, 3)])
def test_the_joint_optimum_is_that_of_the_program_written_out(utility, t, n):
    prior = [Fraction(2 * i, len(utility) * (len(utility) + 1)) for i in range(1, len(utility) + 1)]
    found = several_labels(utility, PrivacyLevel.from_ratio(t), n, prior)
    assert found.together.is_exact
    expected = by_scipy(to_float(np.array(utility)), t, n, [float(p) for p in prior])
    assert float(found.together.value) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 3), st.integers(2, 4), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_one_by_one_is_never_better_and_costs_what_its_levels_cost(size, root, weights):
    """The mean of the optima of single labels; with t = root^2 the halves of the budget are exact."""
    prior = [Fraction(w, sum(weights[:size])) for w in weights[:size]]
    found = several_labels(absolute(size), PrivacyLevel.from_ratio(root**2), 2, prior)
    alone = [
        optimal_channel(absolute(size), PrivacyLevel.from_ratio(t), prior).solve("exact").value for t in (root, root**2)
    ]
    nothing = max(
        sum(p * u for p, u in zip(prior, column, strict=True)) for column in np.array(absolute(size)).T.tolist()
    )
    values = {way.parts: way.value for way in found.one_by_one}
    assert values == {(Fraction(1, 2), Fraction(1, 2)): alone[0], (Fraction(1), Fraction(0)): (alone[1] + nothing) / 2}
    assert found.together.value >= found.one_by_one[0].value == max(values.values())


def test_a_budget_that_is_no_power_is_divided_in_floats():
    found = several_labels(hit(2), PrivacyLevel.from_ratio(2), 2)
    assert found.together.value == Fraction(3, 5)
    assert found.one_by_one[0].value == pytest.approx(2**0.5 / (2**0.5 + 1), abs=1e-9)
    assert found.to_frame()["below the joint optimum"].tolist()[0] == 0


def test_three_binary_labels_by_hand():
    """Around a tuple stand 1, 3, 3 and 1 others with 3, 2, 1, 0 hits. At least two hits: (4 + 7 * 3)/(8 + 7 * 4)."""
    assert joint_program(hit(2), PrivacyLevel.from_ratio(8), 3).solve("exact").value == max(
        Fraction(25, 36), Fraction(11, 15)
    )


@pytest.mark.parametrize(
    ("labels", "prior", "error"), [(1, None, InvalidInputError), (9, None, InvalidInputError), (2, [1, 1], PriorError)]
)
def test_what_is_no_problem_is_refused(labels, prior, error):
    with pytest.raises(error):
        several_labels(hit(2), 1.0, labels, prior)


def test_a_number_of_labels_is_named_in_its_error():
    with pytest.raises(InvalidInputError, match=r"^labels_each: got 10; allowed: at most 8"):
        several_labels(hit(2), 1.0, 10)


def test_too_many_tuples_are_refused_before_any_work():
    with pytest.raises(InvalidInputError, match="1024 tuples"):
        several_labels(hit(40), 1.0, 2)


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code


def test_the_command_and_its_certificate(tmp_path, capsys):
    (tmp_path / "counts.csv").write_text("label,count\na,5\nb,3\nc,2\n")
    file = tmp_path / "proof.json"
    assert run("several", str(tmp_path / "counts.csv"), "--ratio", "4", "--certificate", str(file)) == 0
    printed = capsys.readouterr().out
    found = several_labels(hit(3), PrivacyLevel.from_ratio(4), 2, [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)])
    assert f"{float(found.together.value):.6g}" in printed
    assert f"{float(found.one_by_one[0].value):.6g}" in printed
    assert run("certify", str(file)) == 0
    assert run("several", str(tmp_path / "counts.csv"), "--ratio", "4", "--labels-each", "1") == 2


def test_the_gain_is_never_below_zero():
    # within rounding both are the best constant: a share of -1e-15 was printed as -0.00 %
    found = several_labels(hit(4), 1e-9, 2, [0.5, 0.3, 0.15, 0.05])
    assert str(found.gain)[0] != "-"
