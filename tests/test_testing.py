"""Assertions for other projects: true statements pass and say how much is proved, false ones show a witness."""

import doctest
import importlib
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from test_startup import HEAVY, loaded_after

from lpmech import Channel, PrivacyLevel, optimal_channel
from lpmech.errors import InvalidInputError, LpmechError
from lpmech.prove.grammar import read_condition, read_expressions
from lpmech.statements.comparing import instances_of
from lpmech.statements.domain import as_domain
from lpmech.statements.printing import text_of
from lpmech.testing import (
    FailedAssertionError,
    assert_channel,
    assert_dominates,
    assert_monotone,
    assert_optimal,
    assert_private,
    assert_same_formula,
    assert_tight,
)
from lpmech.verdicts import Verdict

SMALL = {"t": "t > 1", "K": range(2, 4)}


def warner(t, K):
    return [[(t if y == j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]


def in_floats(epsilon, K):
    ratio = np.exp(epsilon)
    return (np.ones((K, K)) + (ratio - 1) * np.eye(K)) / (ratio + K - 1)


def hits(t, K):
    return optimal_channel([[int(y == j) for j in range(K)] for y in range(K)], PrivacyLevel.from_ratio(t))


def failure(assertion, *arguments, **named):
    with pytest.raises(FailedAssertionError) as raised:
        assertion(*arguments, **named)
    return raised.value


@pytest.mark.parametrize("module", ["testing.assertions", "statements.domain", "testing.results"])
def test_examples_in_docstrings(module):
    found = doctest.testmod(importlib.import_module(f"lpmech.{module}"), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted
    assert not found.failed


def test_import_is_light():
    assert not loaded_after("import lpmech.testing.plugin") & {*HEAVY, "numpy"}
    asked = "from lpmech.testing import assert_private, assert_optimal; assert_private([['3/4', .25], [.25, .75]], 1.2)"
    assert not loaded_after(asked) & set(HEAVY)


# ---- channels


def test_exact_entries_are_compared_exactly():
    # 3/4 against 1/4 is 3; the float below ln 3 is 2e-16 less, and floats up to 1e-9 would not notice
    channel = [["3/4", "1/4"], ["1/4", "3/4"]]
    assert assert_private(channel, ratio=3).verdict is Verdict.PROVED
    assert assert_private(channel, math.log(3) + 1e-12).verdict is Verdict.PROVED
    assert "ratio 3," in str(failure(assert_private, channel, math.nextafter(math.log(3), 0)))
    shown = str(assert_private(Channel([[0.75, 0.25], [0.25, 0.75]]), math.log(3)))
    assert "not proved" in shown
    assert "exactly: not checked" in shown


def test_a_witness_names_output_inputs_and_ratio():
    named = Channel([[Fraction(4, 5), Fraction(1, 5)], [Fraction(1, 4), Fraction(3, 4)]], ["yes", "no"], ["Y", "N"])
    found = str(failure(assert_private, named, PrivacyLevel.from_ratio(3)))
    for part in ("output 'Y'", "input 'yes'", "input 'no'", "16/5", "e^epsilon = 3"):
        assert part in found
    assert "infinite" in str(failure(assert_private, [[1, 0], [0, 1]], ratio=3))
    assert "row 1 sums to 11/10" in str(failure(assert_channel, [["1/2", "1/2"], ["1/2", "6/10"]]))
    assert "output 0 for input 0: -0.1 is negative" in str(failure(assert_channel, [[-0.1, 1.1]]))
    assert "ratio 3, not e^epsilon = 4" in str(failure(assert_tight, [["3/4", "1/4"], ["1/4", "3/4"]], ratio=4))


def test_functions_are_followed_for_all_parameters():
    found = assert_tight(warner, ratio="t", domain=SMALL)
    assert found.verdict is Verdict.PROVED
    assert "for all t with t > 1 at K = 2, 3" in found.evidence
    assert assert_private(in_floats, "epsilon", {"epsilon": "epsilon > 0", "K": 2}).verdict is Verdict.PROVED
    assert failure(assert_tight, warner, ratio="t + 1", domain=SMALL).point == {"t": 2, "K": 2}
    assert failure(assert_private, in_floats, "epsilon/2", {"epsilon": "epsilon > 0", "K": [3]}).point["K"] == 3


def test_what_only_fails_beyond_the_points_that_are_called_is_found():
    def above(t):  # no point that is called lies between 61/10 and 62/10
        return t if Fraction(61, 10) < t < Fraction(62, 10) else 1

    found = failure(assert_same_formula, above, 1, "t > 1")
    assert Fraction(61, 10) < found.point["t"] < Fraction(62, 10)
    assert failure(assert_same_formula, lambda t: (t - 7) / (t - 7), 1, "t > 1").point == {"t": 7}
    assert "1.4142135623" in str(failure(assert_same_formula, lambda t: 0 if t * t == 2 else 1, 1, "t > 1"))
    assert failure(assert_same_formula, lambda l: min(l, 30), "l", {"l": "l integer >= 0"}).point == {"l": 50}


def test_what_cannot_be_followed_is_only_sampled():
    found = assert_same_formula(lambda t: float(t), "t", "t > 1")
    assert found.verdict is Verdict.SUPPORTED
    assert "not for all" in str(found)
    one = assert_same_formula(lambda t, n: t ** len(range(n)), "t**n", "t > 1, n integer >= 0")
    assert one.verdict is Verdict.CERTIFIED


def test_a_program_that_asks_for_types_is_not_followed():
    # followed, it would be one formula: what stands for K is no int
    found = assert_same_formula(lambda K: 2 if isinstance(K, int) and K > 500 else 1, 1, "K >= 2")
    assert found.verdict is Verdict.CERTIFIED


def test_formulas_for_all_parameters():
    def by_cases(t, K):
        return min(t, K) * max(t, K) if t != K else t * t

    assert assert_same_formula(by_cases, "t*K", "t > 1, K >= 2").verdict is Verdict.PROVED
    assert failure(assert_same_formula, by_cases, "t*K + 0*1 - (K - 2)", "t > 1, K >= 2").point == {"t": 2, "K": 3}


@pytest.mark.parametrize("direction", ["increasing", "decreasing"])
def test_monotone(direction):
    rate = {"increasing": "1 - t/(t + l)", "decreasing": "t/(t + l)"}
    domain = "t > 1, l integer >= 0"
    assert assert_monotone(rate[direction], "l", domain, direction).verdict is Verdict.PROVED
    other = next(d for d in rate if d != direction)
    found = failure(assert_monotone, rate[other], "l", domain, direction)
    assert found.point == {"t": 2, "l": 0}
    assert "at l = 1" in str(found)
    assert failure(assert_monotone, "(x - 3)**2", "x", {"x": [0, 1, 5, 7]}, "decreasing").point == {"x": 5}


def test_optimal_channels_and_values():
    domain = {"t": [2, "7/2"], "K": [2, 3]}
    assert assert_optimal(warner, hits, domain).verdict is Verdict.PROVED
    assert assert_optimal(lambda t, K: t / (t + K - 1), hits, domain).verdict is Verdict.PROVED
    assert assert_optimal(in_floats(1.0, 3), optimal_channel(np.eye(3), 1.0)).verdict is Verdict.SUPPORTED
    found = failure(assert_optimal, [["1/2", "1/2"], ["1/2", "1/2"]], hits(3, 2))
    assert found.better == Channel(warner(Fraction(3), 2))
    assert "worth 1/2 = 0.5, the optimum is 3/4 = 0.75" in str(found)
    assert "more than e^epsilon = 2" in str(failure(assert_optimal, warner(Fraction(3), 2), hits(2, 2)))


def test_domination():
    near, far = warner(Fraction(3), 3), warner(Fraction(2), 3)
    assert assert_dominates(near, far).verdict is Verdict.PROVED
    found = failure(assert_dominates, far, near)
    best = sum(max((found.better * np.array(far)[:, [j]]).sum(axis=0)) for j in range(3))
    assert (found.better * np.array(near)).sum() > best
    assert assert_dominates(near, far, utility=np.eye(3, dtype=int)).verdict is Verdict.PROVED
    assert failure(assert_dominates, far, near, utility=np.eye(3, dtype=int)).point == {}
    assert assert_dominates("t/(t + 1)", "1/2", "t > 1").verdict is Verdict.PROVED
    assert failure(assert_dominates, "t/(t + 2)", "1/2", "t > 1").point == {"t": Fraction(3, 2)}


# ---- misuse


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (lambda: assert_channel("no matrix"), "channel"),
        (lambda: assert_channel([[1], [1, 0]]), "channel"),
        (lambda: assert_channel([[1, float("nan")]]), "channel"),
        (lambda: assert_channel([]), "channel"),
        (lambda: assert_channel(lambda t: [[t]]), "domain"),
        (lambda: assert_private([[1]]), "epsilon"),
        (lambda: assert_private([[1]], 1.0, ratio=3), "epsilon"),
        (lambda: assert_private([[1]], -1.0), "epsilon"),
        (lambda: assert_private([[1]], ratio=0.5), "ratio"),
        (lambda: assert_private([[1]], ratio="t"), "t"),
        (lambda: assert_optimal([[1, 0]], hits(2, 2)), "shape"),
        (lambda: assert_optimal([[1, 0]], "program"), "program"),
        (lambda: assert_same_formula("t", "t", "t >"), "t >"),
        (lambda: assert_same_formula("t", "t", "t > 2, t < 1"), "domain"),
        (lambda: assert_same_formula("t", "t", "t > 1, l > 0"), "l integer"),
        (lambda: assert_same_formula("t", "t", {"t": "t > 1", "u": [1]}), "u"),
        (lambda: assert_same_formula("t", "t", 3), "domain"),
        (lambda: assert_same_formula("K", "K", {"K": "real"}), "real"),
        (lambda: assert_same_formula("t", "t", {"t": "lots"}), "lots"),
        (lambda: assert_same_formula("K", "K", {"K": range(10**20)}), "2000"),
        (lambda: assert_same_formula(lambda t: [[t]], "t", "t > 1"), "shape"),
        (lambda: assert_same_formula(lambda t: "one", "t", "t > 1"), "one"),
        (lambda: assert_monotone("t", "u", "t > 1"), "parameter"),
        (lambda: assert_monotone("t", "t", "t > 1", "up"), "direction"),
        (lambda: assert_dominates([[1]], "t", "t > 1"), "b"),
        (lambda: assert_dominates([[1]], [[1]], prior=[1]), "prior"),
    ],
)
def test_misuse_is_a_typed_error_that_names_it(wrong, named):
    with pytest.raises(LpmechError, match=named) as raised:
        wrong()
    assert isinstance(raised.value, InvalidInputError)


def test_a_function_that_raises_fails_there():
    found = failure(assert_same_formula, lambda t: 1 / (t - 3), lambda t: 1 / (t - 3), "t > 1")
    assert found.point == {"t": 3}
    assert "ZeroDivisionError" in str(found)


@pytest.mark.parametrize(
    "text",
    [
        "t/(t + K - 1)",
        "-t**(-K)",
        "(1/3)**t - (t - (K - 2))",
        "Piecewise((t, t < K), (Mod(K, 2), True))",
        "-(t*K)**2/3",
    ],
)
def test_printed_formulas_are_read_again(text):
    (node,) = read_expressions(text, ["t", "K"])
    assert read_expressions(text_of(node), ["t", "K"]) == (node,)


def test_domains():
    domain = as_domain("t > 1, 2 <= K, l integer in [0, K], p in (0, 1]")
    assert str(domain) == "whole K, l, real t, p with t > 1, 2 <= K, 0 <= l, l <= K, 0 < p, p <= 1"
    assert all(0 < point["p"] <= 1 and 0 <= point["l"] <= point["K"] for point in domain.points)
    assert as_domain({"t": "t > 1", "K": range(2, 12)}).points[0] == {"t": 2, "K": 2}
    assert len(as_domain({"K": range(2, 12), "p": ["1/3", 0.5]}).points) == 20


def test_a_float_in_a_comparison_is_not_quite_its_decimal():
    # the formula that is followed differs up to x = 41/20; the function is called with 41/20, which is more than 2.05
    found = failure(
        assert_same_formula, lambda x: x if x < 1 else 1 if x <= 2.05 else 3 - x, "min(x, 1, 3 - x)", "x in [0, 5]"
    )
    assert 2 < found.point["x"] < Fraction(41, 20)


def test_a_function_that_is_another_one_for_plain_numbers_is_not_proved():
    def by_type(t):
        return t + 1 if type(t) in (float, int) else t

    checked = assert_same_formula(by_type, "t", "t > 1")
    assert checked.verdict != Verdict.PROVED
    assert "called with floats and ints" in str(checked)
    assert assert_same_formula(lambda t: t, "t", "t > 1").verdict == Verdict.PROVED


def test_hypotheses_choose_among_all_instances_and_not_among_the_first():
    """Else the few that are left of the first ones would be taken for all of a large domain."""
    names = ("a", "b")
    ranges = as_domain({"a": range(50), "b": range(51)})
    domain = replace(ranges, conditions=(("a >= 39", read_condition("a >= 39", names, "domain")),))
    assert len(instances_of(domain, list(domain.parameters))) == 11 * 51
