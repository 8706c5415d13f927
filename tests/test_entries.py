"""Exact or float: one float makes an array of floats, whatever stands beside it."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lpmech import Channel
from lpmech.entries import (
    as_array,
    by_objects,
    is_exact,
    label_names,
    objects_of,
    rational_from_text,
    to_exact,
    to_float,
    total,
    unify,
)
from lpmech.errors import InvalidInputError, LabelError

F = Fraction


@pytest.mark.parametrize(
    "values", [[F(1, 3), 0.5], [0.5, F(1, 3)], [1, F(1, 3), np.float64(0.5)], [sp.Rational(1, 3), 0.5]]
)
def test_a_fraction_beside_a_float_becomes_a_float(values):
    array = as_array(values, "values", 1)
    assert array.dtype == np.float64
    assert not is_exact(array)
    assert array.tolist() == [float(v) for v in values]


def test_fractions_and_whole_numbers_stay_exact():
    array = as_array([[F(1, 3), 2], [sp.Rational(1, 7), np.int64(5)]], "values", 2)
    assert is_exact(array)
    assert all(type(v) is Fraction for v in array.ravel())
    assert array.tolist() == [[F(1, 3), 2], [F(1, 7), 5]]
    assert total(array) == F(1, 3) + F(1, 7) + 7


def test_an_exact_array_meets_a_float_array():
    exact, rounded = as_array([F(1, 3)], "a", 1), as_array([0.5], "b", 1)
    assert [a.dtype for a in unify(exact, rounded)] == [np.float64, np.float64]
    assert unify(exact, exact)[0] is exact
    # so a channel with one float among Fractions is a float channel, with the tolerance of one
    assert not Channel([[F(1, 3), 2 / 3], [F(1, 2), F(1, 2)]]).is_exact


def test_floats_become_the_rationals_they_stand_for():
    assert to_exact(np.array([0.1]))[0] == F(0.1) != F(1, 10)
    with pytest.raises(InvalidInputError, match=r"1\.8e308"):
        to_float(as_array([F(10**400)], "values", 1))


@given(st.fractions())
def test_numbers_in_text_are_exact(value):
    assert rational_from_text(str(value)) == value
    assert rational_from_text(f" {value.numerator}e-3 ") == F(value.numerator, 1000)


@pytest.mark.parametrize(
    "text",
    ["", "x", "1/0", "1/", "/1", "1/2/3", "nan", "-inf", "1e400", "1e-5001", "1e9999999", "9" * 1001, "0x1", "\uff11"],
)
def test_text_that_is_no_number(text):
    assert rational_from_text(text) is None


def test_names_of_labels():
    assert label_names(3, "labels") == (0, 1, 2)
    assert label_names(iter("ab"), "labels") == ("a", "b")
    for bad in (0, -1, True, 10**9, 10**30, 1.5, None, [], [[1]], object()):
        with pytest.raises(LabelError, match="labels"):
            label_names(bad, "labels")


def test_work_is_done_once_for_each_object_and_is_that_of_every_entry():
    # entries that are equal and one object are asked once; equal ones that are two objects may be asked twice
    half, third = Fraction(1, 2), Fraction(1, 3)
    values = np.array([[half, third, half], [half, half, Fraction(1, 2)]], dtype=object)
    asked = []
    found = by_objects(values, lambda v: asked.append(v) or 6 * v, float)
    assert found.tolist() == [[3.0, 2.0, 3.0], [3.0, 3.0, 3.0]]
    assert sorted(asked) == [third, half, half]
    assert len(objects_of(values)) == 3
