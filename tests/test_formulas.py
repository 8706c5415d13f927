"""Closed forms by name: each is what the library computes, exactly, at numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lpmech import PrivacyLevel, when
from lpmech.conjectures.named import spelled_out
from lpmech.designs.decoding import total_variance
from lpmech.errors import FormulaError
from lpmech.mechanisms.bipartite_rr.closed_form import bipartite_channel
from lpmech.mechanisms.block_rr.closed_form import Blocks, block_rr, block_rr_from_partition
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.formulas import FORMULAS
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior.closed_form import rr_top_k
from lpmech.mechanisms.subset_selection import subset_selection
from lpmech.mechanisms.unary_encoding import optimal_unary_encoding, symmetric_unary_encoding
from lpmech.statements.numeric import holds, numeric
from lpmech.terms.reader import read_condition
from lpmech.utilities import absolute, concentration, hit, squared

_LEVELS = [PrivacyLevel.from_ratio(ratio) for ratio in (4, Fraction(9, 4), 25)]
_SIZES = range(3, 7)


def _at(name, size, level, chosen=2):
    return numeric(FORMULAS[name].value, {"K": Fraction(size), "t": level.ratio, "d": Fraction(chosen)})


def _uniform(size):
    return np.array([Fraction(1, size)] * size, dtype=object)


@pytest.mark.parametrize("size", _SIZES)
@pytest.mark.parametrize("level", _LEVELS, ids=str)
def test_closed_forms_are_the_library_s(size, level):
    rr = randomized_response(size, level)
    assert _at("hit_rate(rr)", size, level) == rr.matrix[0, 0]
    assert float(_at("variance(rr)", size, level)) == pytest.approx(total_variance(rr, _uniform(size)), rel=1e-12)
    subsets = subset_selection(size, level, 2)
    assert _at("hit_rate(subset)", size, level) == subsets.p / 2
    assert _at("variance(subset)", size, level) == subsets.total_variance
    assert _at("variance(oue)", size, level) == optimal_unary_encoding(size, level).total_variance
    assert float(_at("variance(rappor)", size, level)) == pytest.approx(
        float(symmetric_unary_encoding(size, level).total_variance), rel=1e-12
    )


@pytest.mark.parametrize("size", [3, 7])  # K + 1 a power of two: Sylvester's matrix decodes best
@pytest.mark.parametrize("level", _LEVELS, ids=str)
def test_hadamard(size, level):
    from lpmech.mechanisms.hadamard_response import hadamard_response

    found = total_variance(hadamard_response(size, level), _uniform(size))
    assert found <= _at("variance(hadamard)", size, level)


@pytest.mark.parametrize("size", _SIZES)
@pytest.mark.parametrize("level", _LEVELS, ids=str)
def test_expected_utilities_and_levels_are_those_of_the_channels(size, level):
    uniform, rr = _uniform(size), randomized_response(size, level)
    for name, utility in (("absolute", absolute), ("squared", squared)):
        assert _at(f"{name}(rr)", size, level) == -rr.expected_utility(utility(size), uniform)
    assert _at("near(rr)", size, level) == rr.expected_utility(concentration(size, 1), uniform)
    assert _at("level(rr)", size, level) == rr.ratio
    found = exponential(hit(size), level)  # t is the square of a rational, so that the root is exact
    assert float(_at("hit_rate(exponential)", size, level)) == pytest.approx(float(found.matrix[0, 0]), rel=1e-12)
    assert float(_at("level(exponential)", size, level)) == pytest.approx(float(found.ratio), rel=1e-12)
    for name, mechanism in (("subset", subset_selection(size, level, 2)), ("oue", optimal_unary_encoding(size, level))):
        assert float(_at(f"level({name})", size, level)) == pytest.approx(float(mechanism.ratio), rel=1e-12)


def _at_sizes(name, level, **sizes):
    return numeric(FORMULAS[name].value, {"t": level.ratio, **{one: Fraction(size) for one, size in sizes.items()}})


@pytest.mark.parametrize("level", _LEVELS, ids=str)
def test_bipartite_and_top_labels(level):
    """Of distances on a line the m nearest labels, the own one among them."""
    for size, m in ((3, 1), (5, 2), (6, 3)):
        channel = bipartite_channel(absolute(size), m, level)
        row = sorted(channel.matrix[0])
        assert _at_sizes("high(brr)", level, K=size, m=m) == row[-1]
        assert _at_sizes("low(brr)", level, K=size, m=m) == row[0]
        assert _at_sizes("hit_rate(brr)", level, K=size, m=m) == channel.expected_utility(hit(size), _uniform(size))
        assert _at_sizes("level(brr)", level) == channel.ratio
    prior = [Fraction(n, 10) for n in (4, 3, 2, 1)]
    for k in (2, 3, 4):
        channel = rr_top_k(prior, k, level)
        share = sum(prior[:k])
        assert _at_sizes("hit_rate(rr_top)", level, k=k, p=share) == channel.expected_utility(hit(4), prior)
        assert _at_sizes("level(rr_top)", level) == channel.ratio


@pytest.mark.parametrize("level", _LEVELS, ids=str)
def test_blocks(level):
    """Each label is its own candidate: b = 1; and a release with two candidates for each."""
    prior = [Fraction(n, 15) for n in (5, 4, 3, 2, 1)]
    for first, favoured in ((2, 0), (2, 1), (3, 2), (4, 4)):
        channel = block_rr_from_partition(prior, range(first), level, favoured)
        sizes = {"b": 1, "s1": first, "s2": 5 - first, "l": favoured}
        share = sum(prior[:first])
        assert _at_sizes("hit_rate(block)", level, p=share, **sizes) == channel.expected_utility(hit(5), prior)
        assert (_at_sizes("high(block)", level, **sizes), _at_sizes("low(block)", level, **sizes)) == (
            channel.matrix[0, 0],
            channel.matrix[0, 1],
        )
        assert _at_sizes("level(block)", level) == channel.ratio
    two = {"a": (1, 2), "b": (2, 3), "c": (4, 5)}
    channel = block_rr(Blocks(("a", "b"), ("c",), range(1, 6), two, (2,)), level)
    sizes = {"b": 2, "s1": 3, "s2": 2, "l": 1}
    assert (_at_sizes("high(block)", level, **sizes), _at_sizes("low(block)", level, **sizes)) == (
        channel.matrix[0, 0],
        channel.matrix[0, 2],
    )


def test_which_conditions_the_mechanisms_of_the_papers_have():
    """Of m best outputs the own label has t/(m t + K - m); RRTop-k is better than RR from a share on."""
    found = when("hit_rate(brr) >= hit_rate(rr)", ["m integer in [1, K]"]).condition
    assert str(found) == "if and only if m == 1"
    found = when("hit_rate(rr_top) >= hit_rate(rr)", ["k integer in [1, K]", "p in [0, 1]"], solve="p").condition
    assert str(found) == "if and only if p >= (k + t - 1)/(K + t - 1)"


def test_who_is_better_for_counting():
    """(t+1)^2 + 4(K-1)t <= (K-1)(K-2+2t), both divided by (t-1)^2, is t^2 + 2Kt <= K^2 - 3K + 1."""
    found = when("variance(oue) <= variance(rr)").condition
    assert found.is_proved
    assert str(found) == "if and only if t <= -K + sqrt(2*K**2 - 3*K + 1)"


def test_unknown_names_are_refused():
    with pytest.raises(FormulaError, match=r"got 'variance\(xyz\)'; allowed: one of hit_rate\(rr\)"):
        spelled_out("variance(xyz) <= 1")
    assert spelled_out("sqrt(t) <= log(K)") == "sqrt(t) <= log(K)"
    assert {name.partition("(")[0] for name in FORMULAS} == {
        "hit_rate",
        "variance",
        "absolute",
        "squared",
        "near",
        "level",
        "high",
        "low",
    }  # what spelled_out looks for


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pi*x > 3", True), ("sign(x - 2) == -1", True), ("tanh(x) > 3/4", True), ("sinh(x) < cosh(x)", True),
        ("coth(x) > 1", True), ("coth(x - 1) > 0", False), ("sin(x)**2 + cos(x)**2 == tan(x)", False),
        ("x in Integers", True), ("Equivalent(x > 2, x > 3)", True), ("factorial(10**9) > 1", False),
        # Kleene: what is implied need not have a value where the condition is false
        ("Implies(x > 5, 1/(x - 1) > 7)", True), ("Implies(x > 0, 1/(x - 1) > 7)", False),
    ],
)  # fmt: skip
def test_every_function_of_the_language_has_values(text, value):
    """`tanh(i - j)` as a utility ended with a traceback."""
    assert holds(read_condition(text, ["x"]), {"x": Fraction(1)}) == value
