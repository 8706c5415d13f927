"""Numbers that know how they were computed, and what is kept of comparing them."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmech.claims.checking import check_facts, check_parts
from lpmech.papers.running import run_claim
from lpmech.prove.arithmetic import Comparisons, Computed, enclosed_exp, kept_comparisons
from lpmech.prove.rocq_arithmetic import hash_of_comparisons, theorems_of_comparisons

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=12)


@given(NUMBERS, NUMBERS)
def test_numbers_are_those_of_fractions(a, b):
    """Whatever is computed of them, and on whichever side they stand."""
    x, y = Computed(a), Computed(b)
    for one, other in ((x, y), (x, b), (a, y)):
        assert (one + other, one - other, one * other) == (a + b, a - b, a * b)
        assert (one < other, one <= other, one > other, one >= other) == (a < b, a <= b, a > b, a >= b)
        assert (one == other) == (a == b)
        if b:
            assert one / other == a / b
    assert (-x, abs(x), x**2, round(x), round(x, 1), x // 1) == (-a, abs(a), a**2, round(a), round(a, 1), a // 1)
    assert hash(x) == hash(a)
    assert x == (Decimal(x.numerator) if x.denominator == 1 else a)


def test_text_is_a_decimal_where_it_is_one():
    assert (str(Computed("87.60")), str(Computed(1, 3)), f"{Computed(5) / 2}") == ("87.6", "1/3", "2.5")


def test_comparisons_are_kept_as_they_turned_out_with_the_numbers_put_in():
    with kept_comparisons() as found:
        assert not sum([Computed("0.5"), Computed("0.25")]) / Computed(3) > Fraction(1, 3)
        assert Computed(2) != Decimal(3)
    (theorem,) = (text for _, text in theorems_of_comparisons(found))
    assert "~ 3 == 0" not in theorem  # a number that is seen
    assert "((0.5 + 0.25) / 3) <= (1 # 3) /\\\n  ~ 2 == 3." in theorem


def test_divisors_are_said_not_to_be_zero():
    with kept_comparisons() as found:
        assert 1 / (Computed(3) - 1) < 1
    ((_, theorem),) = theorems_of_comparisons(found)
    assert theorem.splitlines()[1:3] == ["  ~ (3 - 1) == 0 /\\", "  (1 / (3 - 1)) < 1."]


def test_rounding_is_kept_as_an_enclosure():
    with kept_comparisons() as found:
        assert (round(Computed("2.6")), Computed("2.6") // 1) == (3, 2)
    kept = [(relation, right[1]) for relation, _, right in found.facts]
    assert {(">=", Fraction(5, 2)), ("<=", Fraction(7, 2))} <= set(kept)


def test_exponentials_are_kept_with_what_encloses_them():
    with kept_comparisons() as found:
        low, high = enclosed_exp(Fraction(1))
        assert low < Fraction(28, 10) < high + 1
    assert [*found.exponentials] == [(low, 1, high)]


@pytest.mark.parametrize(
    "settle",
    [lambda parts: check_parts(parts, every="x"), lambda parts: check_facts(((p is True, str(p)) for p in parts), "x")],
)
def test_instance_without_a_comparison_takes_the_theorems_away(settle):
    """Otherwise what was compared in one instance would stand for another that rests on something else."""

    def parts(second):
        yield Computed(1) < 2 or "not so"
        yield second()

    for second, without in ((lambda: Computed(2) < 3, 0), (lambda: True, 1)):
        with kept_comparisons() as found:
            settle(parts(second))
        assert (found.without, bool(hash_of_comparisons(found))) == (without, not without)


def test_nothing_compared_says_nothing():
    assert hash_of_comparisons(Comparisons()) == ""
    assert theorems_of_comparisons(Comparisons()) == []


def test_claims_about_printed_numbers_have_a_hash_and_others_do_not():
    """The losses rest on balls: the partition of the labels that they begin with is not what they claim."""
    assert run_claim("liu2026", "Section 1 (3) (variance)").arithmetic
    assert not run_claim("liu2026", "Section 5.3.2 (figure references) [repaired]").arithmetic
    assert not run_claim("liu2026", "eq. (4.1) (loss for every setting of Tables 8 and 9)").arithmetic
