"""Assertions for other projects: true statements pass and say how much is proved, false ones show a witness."""

import doctest
import importlib
import itertools
import math
import os
import random
import re
import secrets
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import wraps
from math import log as from_math

import numpy as np
import pytest
from scipy.special import expit
from test_startup import HEAVY, loaded_after

from lpmech import Channel, PrivacyLevel, optimal_channel
from lpmech.conjectures import read_domain
from lpmech.errors import InvalidInputError, LpmechError
from lpmech.statements.domain import as_domain
from lpmech.terms.reader import read_condition, read_expressions
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


def test_sides_that_are_shown_alike_are_told_apart():
    # was: "row 1 sums to 1, not 1", and "0.6666666667 against 2/3 = 0.6666666667"
    much = Fraction(1, 2) + Fraction(1, 10**40)
    assert "row 0 sums to 1, not 1; the sides are 1e-40 apart" in str(failure(assert_channel, [[much, "1/2"]]))
    assert "1e-30 apart" in str(failure(assert_same_formula, Fraction(2, 3) + Fraction(1, 10**30), Fraction(2, 3)))
    assert "apart" not in str(failure(assert_same_formula, Fraction(2, 3), Fraction(1, 2)))


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
    assert "t = sqrt(2)" in str(failure(assert_same_formula, lambda t: 0 if t * t == 2 else 1, 1, "t > 1"))
    assert failure(assert_same_formula, lambda l: min(l, 30), "l", {"l": "l integer >= 0"}).point == {"l": 31}


def test_what_cannot_be_followed_is_only_sampled():
    found = assert_same_formula(lambda t: float(t), "t", "t > 1")
    assert found.verdict is Verdict.SUPPORTED
    assert "not for all" in str(found)
    one = assert_same_formula(lambda t, n: t ** len(range(n)), "t**n", "t > 1, n integer >= 0")
    assert one.verdict is Verdict.CERTIFIED


def test_a_program_that_asks_for_types_is_not_followed():
    # followed, it would be one formula: what stands for K is no int
    found = assert_same_formula(lambda K: 2 if isinstance(K, int) and K // len("k" * 500) else 1, 1, "K >= 2")
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


def test_monotone_over_gaps_of_the_domain():
    # was: proved increasing, as only K and K + 1 were compared, and not 4 with 8
    falls = "Piecewise((1, K < 5), (0, True))"
    assert failure(assert_monotone, falls, "K", {"K": "K < 5 or K > 7"}).point["K_next"] >= 8
    assert assert_monotone(falls, "K", {"K": "K < 5 or K > 7"}, "decreasing").verdict is Verdict.PROVED
    # was: proved, as 3 was compared with 4, which is none of the domain, and with nothing else
    assert failure(assert_monotone, "Abs(K - 4)*(5 - K)", "K", "each K in 2..6, K != 4").point
    assert assert_monotone("K", "K", "each K in 2..6, 3*K/2 < 8").verdict is Verdict.PROVED


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
    a_little = [[Fraction(2, 3) + Fraction(1, 10**12), Fraction(1, 3) - Fraction(1, 10**12)], ["1/3", "2/3"]]
    better = failure(assert_dominates, warner(Fraction(2), 2), a_little).better  # was: an error, none was found
    assert (better * np.array([[Fraction(entry) for entry in row] for row in a_little])).sum() > 0
    assert assert_dominates(near, far, utility=np.eye(3, dtype=int)).verdict is Verdict.PROVED
    assert failure(assert_dominates, far, near, utility=np.eye(3, dtype=int)).point == {}
    assert assert_dominates("t/(t + 1)", "1/2", "t > 1").verdict is Verdict.PROVED
    assert failure(assert_dominates, "t/(t + 2)", "1/2", "t > 1").point == {"t": Fraction(3, 2)}


# ---- floats

GRR = {"epsilon": "epsilon > 0", "K": [2, 3]}


def direct_encoding(epsilon, K):
    p = np.exp(epsilon) / (np.exp(epsilon) + K - 1)
    return [[p if y == j else (1 - p) / (K - 1) for j in range(K)] for y in range(K)]


def test_what_floats_miss_of_a_formula_that_holds_is_told():
    # at epsilon = 20 the other entries are 1 - 0.999999997939, which has 9 digits less than a float
    found = assert_private(direct_encoding, "epsilon", GRR)
    assert found.verdict is Verdict.PROVED
    assert "in floats it exceeds by 1.8e-08 at epsilon = 20, K = 2" in found.evidence
    assert "as a formula it holds: for all" in str(
        failure(assert_private, direct_encoding, "epsilon", GRR, floats="exact")
    )
    assert assert_private(direct_encoding, "epsilon", {"epsilon": "epsilon in (0, 5]", "K": 2}, floats="exact")


def test_listed_values_are_proved_as_numbers_and_not_as_floats():
    listed = {"epsilon": [0.5, 1, 20], "K": [2, 3]}
    assert assert_private(direct_encoding, "epsilon", listed, require="proved")
    assert failure(assert_private, direct_encoding, "epsilon*999999/1000000", listed).point


def test_a_formula_that_does_not_hold_is_no_rounding():
    def too_much(epsilon, K):
        p = np.exp(epsilon) / (np.exp(epsilon) + K - 1) + 1e-7
        return [[p if y == j else (1 - p) / (K - 1) for j in range(K)] for y in range(K)]

    assert "not private at epsilon" in str(failure(assert_private, too_much, "epsilon", GRR))


def another_one_in_floats(t):
    return t - t + (1e-3 if type(t) is float else 0.0)


def test_a_float_that_is_another_function_is_no_rounding():
    # called with a float it is 1e-3, of which rounding explains 1e-6 at most
    with_float = assert_same_formula(another_one_in_floats, 0, {"t": [Fraction(3, 2)]})
    assert with_float.verdict is Verdict.SUPPORTED
    assert failure(assert_same_formula, lambda x: math.fmod(x, 1) * 0 + 1e-6, 0, "x in (0, 1)").point


@pytest.mark.parametrize("size", [1, 1e-15, 1e12])
def test_a_sum_is_compared_relative_to_its_terms(size):
    def bias(epsilon):
        p, q = math.exp(epsilon) / (math.exp(epsilon) + 1), 1 / (math.exp(epsilon) + 1)
        return size * ((p * (1 - q) - q * q) / (p - q) - 1)

    domain = "epsilon in [1, 5]"
    assert assert_same_formula(bias, 0, domain).verdict is Verdict.PROVED
    assert failure(assert_same_formula, lambda epsilon: bias(epsilon) + size * 1e-8, 0, domain)
    assert failure(assert_same_formula, lambda epsilon: 1e-17 * epsilon, 0, domain)


def test_rounding_of_a_row_is_no_negative_probability():
    # 1 - (0.1 + 0.2 + 0.7) is -1.1e-16 or 0 in floats, by the order of the sum
    assert assert_channel([[1 + 1e-17, -1e-17], [0.5, 0.5]]).verdict is Verdict.SUPPORTED
    assert "-1e-09 is negative" in str(failure(assert_channel, [[1 + 1e-9, -1e-9], [0.5, 0.5]]))
    assert failure(assert_channel, [["1/1", "-1/100000000000000000000"], ["1/2", "1/2"]])


@pytest.mark.parametrize("error", [ValueError, RuntimeError, AssertionError, TypeError])
def test_what_cannot_take_fractions_gets_floats(error):
    def strict(t):
        if not isinstance(t, (int, float)):
            raise error("floats only")
        return t / (t + 1)

    assert assert_same_formula(strict, "t/(t + 1)", "t > 1").verdict is Verdict.SUPPORTED


# ---- what is followed


@pytest.mark.parametrize(
    ("function", "formula"),
    [
        (lambda x: math.pow(x, 3), "x**3"),
        (lambda x: math.e**x, "exp(x)"),
        (lambda x: np.tanh(x / 2), "(exp(x) - 1)/(exp(x) + 1)"),
        (lambda x: math.cosh(x) + math.sinh(x), "exp(x)"),
        (lambda x: expit(-x), "1/(1 + exp(x))"),
        (lambda x: int(x), "floor(x)"),
        (lambda x: from_math(x), "log(x)"),
        (lambda x: math.comb(5, 2) * x, "10*x"),
    ],
)
def test_functions_that_are_followed(function, formula):
    assert assert_same_formula(function, formula, "x in (0, 3]", require="proved")
    assert failure(assert_same_formula, function, f"{formula} + x/1000", "x in (0, 3]")


def test_rounded_to_even():
    # round(1/2) = 0 and round(3/2) = 2: floor(x + 1/2) is 1 and 2
    nearest = "Piecewise((x - 1/2, Mod(x, 2) == 1/2), (floor(x + 1/2), True))"
    assert assert_same_formula(lambda x: round(x), nearest, "x in [0, 3]").verdict is Verdict.PROVED
    assert failure(assert_same_formula, lambda x: round(x), "floor(x + 1/2)", "x in [0, 3]").point == {
        "x": Fraction(1, 2)
    }


def test_choices_of_labels():
    assert assert_same_formula(lambda K: math.comb(K, 2), "K*(K - 1)/2", "K >= 2").verdict is Verdict.PROVED
    assert failure(assert_same_formula, lambda K: math.comb(K - 4, 2), "(K - 4)*(K - 5)/2", "K >= 2").point == {"K": 2}


def test_quotients_of_whole_numbers_by_what_is_followed():
    found = assert_same_formula(
        lambda epsilon, K: sum((K - 1) / math.exp(epsilon) for _ in range(K)), "K*(K - 1)*exp(-epsilon)", GRR
    )
    assert found.verdict is Verdict.PROVED


ANY = {"t": "t > 1", "K": "K >= 2"}


def swapped(t, K):
    return [[(t if y == K - 1 - j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]


def in_parts(t, K):
    def weight(y, j):
        return t if y == j else 1

    return [[weight(y, j) / (t + K - 1) for j in range(K)] for y in range(K)]


def late(t, K):
    return [[((t + 1 if K > 150 else t) if y == j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]


def test_matrices_over_all_numbers_of_labels():
    assert assert_private(warner, ratio="t", domain=ANY).verdict is Verdict.PROVED
    assert assert_tight(warner, ratio="t", domain=ANY).verdict is Verdict.PROVED
    assert assert_channel(in_parts, ANY).verdict is Verdict.PROVED
    assert assert_private(direct_encoding, "epsilon", {"epsilon": "epsilon > 0", "K": "K >= 2"}, require="proved")
    found = failure(assert_private, late, ratio="t", domain=ANY)  # not called above K = 100
    assert found.point["K"] > 150


def test_only_sums_that_are_understood_are_proved_for_all_numbers_of_labels():
    assert assert_channel(swapped, ANY).verdict is Verdict.CERTIFIED


def test_a_wrapper_is_followed_and_not_what_it_wraps():
    @wraps(warner)
    def twice(t, K):
        return warner(2 * t, K)

    assert failure(assert_private, twice, ratio="t", domain=ANY)
    assert assert_private(twice, ratio="2*t", domain=ANY)


def test_the_reason_is_that_of_the_attempt_that_came_furthest():
    # traced it ends at math.exp; recorded it reaches the prover, which sees what floats do not
    found = assert_same_formula(lambda t: math.exp(t), "exp(t) + exp(-t)/10**30", "t in (1, 9]")
    assert found.verdict is Verdict.SUPPORTED
    assert "what was followed fails at" in found.evidence


# ---- chance, and what is required


@pytest.mark.parametrize(
    "draws",
    [
        random.random,
        lambda: np.random.rand(),
        lambda: np.random.default_rng().random(),
        lambda: random.SystemRandom().random(),
        lambda: random.Random().random(),
        lambda: secrets.randbelow(10**6) / 10**6,
    ],
)
def test_a_function_that_draws_is_refused(draws):
    def drawing(t):
        return t if draws() < 0.9999 else 0

    with pytest.raises(InvalidInputError, match="chance"):
        assert_same_formula(drawing, "t", "t > 1")

    def hidden(t):
        with suppress(Exception):
            return t if draws() < 0.9999 else 0
        return t

    with pytest.raises(InvalidInputError, match="chance"):
        assert_same_formula(hidden, "t", "t > 1")


SEEDED, OTHER = np.random.default_rng(0), random.Random(0)


def drawn_elsewhere():
    return OTHER.random()


@pytest.mark.parametrize("draws", [lambda: SEEDED.random(), drawn_elsewhere, lambda kept=OTHER: kept.random()])
def test_a_generator_that_is_kept_is_refused(draws):
    with pytest.raises(InvalidInputError, match="chance"):
        assert_same_formula(lambda t: t if draws() < 0.9999 else 0, "t", "t > 1")


def test_chance_with_a_seed_is_a_function_of_the_seed():
    assert assert_same_formula(lambda t: t + 0 * int(random.Random(0).random()), "t", "t > 1")


COUNTED, EARLIER = itertools.count(), []


def _counting():
    _counting.calls += 1
    return _counting.calls


_counting.calls = 0


@pytest.mark.parametrize(
    ("besides", "named"),
    [
        (lambda: time.time() > 4e9, "asks for time"),
        (lambda: datetime.now().year > 2090, "asks for datetime"),
        (lambda: "LPMECH_NOWHERE" in os.environ, "asks for os"),
        (lambda: id(object()) % 1000003 == 0, "asks for id"),
        (lambda: next(COUNTED) > 10**6, "changes COUNTED"),
        (lambda: EARLIER.append(1) or len(EARLIER) > 10**6, "changes EARLIER"),
        (lambda: _counting() > 10**6, "changes _counting.calls"),
        (lambda kept=[0]: kept.append(1) or len(kept) > 10**6, r"changes <lambda>\(\)"),
    ],
)  # fmt: skip
def test_a_function_of_more_than_its_arguments_is_not_proved(besides, named):
    """They were proved for all t, and at all points of a list, as if clock, environment and earlier calls did not count."""

    def late(t):
        return 0 if besides() else t

    for domain in ("t > 1", {"t": [2, 3]}):
        found = assert_same_formula(late, "t", domain)
        assert found.verdict is Verdict.CERTIFIED
        assert re.search(f"besides its arguments it .*{named}", found.evidence)
    with pytest.raises(FailedAssertionError, match="only certified"):
        assert_same_formula(late, "t", "t > 1", require="proved")


def test_a_function_that_looks_at_the_type_of_its_argument_is_not_proved():
    def at_floats(t):
        return 0 if type(t) is float and t == 47 else t

    found = assert_same_formula(at_floats, "t", "t > 1")
    assert (found.verdict, "asks for type" in found.evidence) == (Verdict.CERTIFIED, True)

    def named(t, id=2):
        return t * Fraction(id, 2)

    assert assert_same_formula(named, "t", "t > 1").verdict is Verdict.PROVED


def test_a_clock_imported_inside_of_a_function_is_seen():
    def imported(t):
        import time as clock

        return t if clock.time() > 0 else 0

    found = assert_same_formula(imported, "t", "t > 1")
    assert (found.verdict, "asks for time" in found.evidence) == (Verdict.CERTIFIED, True)


def test_a_weaker_verdict_than_required_fails():
    channel = [[0.75, 0.25], [0.25, 0.75]]
    assert assert_private(channel, ratio=3, require="supported")
    found = failure(assert_private, channel, ratio=3, require="proved")
    assert "not proved: private at e^epsilon = 3" in str(found)
    assert "only supported" in str(found)
    with pytest.raises(InvalidInputError, match="require"):
        assert_private(channel, ratio=3, require="true")
    with pytest.raises(InvalidInputError, match="floats"):
        assert_private(channel, ratio=3, floats="all")


def test_samplers():
    rng = np.random.default_rng(0)

    def answer(label):
        return label if rng.random() < 0.5 else rng.integers(2)  # 3/4 against 1/4: ln 3

    found = assert_private(answer, ratio=4, labels=[0, 1], seed=0)
    assert found.verdict is Verdict.SUPPORTED
    assert "output" in str(failure(assert_private, answer, 0.9, labels=[0, 1], seed=0))
    with pytest.raises(InvalidInputError, match="labels="):
        assert_private(lambda t: [[int(random.random() < 0.5), 1]], ratio=3, domain={"t": [2]})
    with pytest.raises(InvalidInputError, match="epsilon"):
        assert_private(answer, "t", {"t": [1]}, labels=[0, 1])
    with pytest.raises(InvalidInputError, match="49 or more"):  # was: "epsilon between 0 and inf", supported
        assert_private(lambda label: label, 1.0, labels=[0, 1], trials=10)
    assert failure(assert_private, lambda label: label, 1.0, labels=[0, 1], trials=100, seed=0)


def test_a_sampler_that_remembers_is_not_private():
    rng, asked = np.random.default_rng(0), []

    def sticky(label):
        asked.append(label)
        return asked[-2] if len(asked) > 1 and rng.random() < 0.2 else int(rng.integers(2))

    assert "more than its label" in str(failure(assert_private, sticky, 2.0, labels=[0, 1], seed=0))


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
    assert read_expressions(str(node), ["t", "K"]) == (node,)


def test_domains():
    domain = as_domain("t > 1, 2 <= K, l integer in [0, K], p in (0, 1]")
    assert str(domain) == "whole K, l, real t, p with t > 1, 2 <= K, 0 <= l <= K, 0 < p <= 1"
    assert all(0 < point["p"] <= 1 and 0 <= point["l"] <= point["K"] for point in domain.points)
    assert (
        str(as_domain("t > 1, each K in 2..7"))
        == str(as_domain({"t": "t > 1", "K": range(2, 8)}))
        == ("K in 2..7, real t with t > 1")
    )
    assert as_domain({"t": "t > 1", "K": range(2, 12)}).points[0] == {"t": 2, "K": 2}
    assert len(as_domain({"K": range(2, 12), "p": ["1/3", 0.5]}).points) == 20


@pytest.mark.parametrize(
    "text", ["w >= 0", "0 <= w", "w integer in [0, K]", "w in [0, 1]", "w real > 0", "real w > 0", "epsilon > 0"]
)
def test_a_parameter_is_the_same_for_assertions_and_for_check(text):
    asserted = as_domain(f"K >= 2, {text}").parameters[-1]
    checked = read_domain([text]).own[-1]
    assert asserted == checked
    assert asserted.whole is (text in ("w >= 0", "0 <= w", "w integer in [0, K]"))


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
    assert len(domain.instances(list(domain.parameters))) == 11 * 51
