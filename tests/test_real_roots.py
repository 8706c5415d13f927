"""Exact root isolation and systems over Q(t) against sympy's, and the choice of the nearest root."""

import math
import operator
from fractions import Fraction
from itertools import combinations, permutations

import pytest
import sympy as sp
from flint import fmpq, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech.programs.solvers.polynomial_systems import T, solve_linear
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root

F = Fraction
factors = st.lists(
    st.tuples(st.lists(st.integers(-6, 6), min_size=2, max_size=4), st.integers(1, 2)), min_size=1, max_size=3
)


def product(parts):
    found = fmpz_poly([1])
    for coefficients, multiplicity in parts:
        found *= fmpz_poly(coefficients) ** multiplicity
    return found


@settings(deadline=None, max_examples=40)
@given(st.lists(factors, min_size=1, max_size=3), st.fractions(-3, 3, max_denominator=4), st.sampled_from([-1, 1]))
def test_the_nearest_root_is_the_one_that_sympy_finds(parts, point, direction):
    # roots of even multiplicity do not count in the first polynomials, all roots count in the last one
    polynomials = [product(part) for part in parts]
    at = fmpq(point.numerator, point.denominator)
    polynomials = [p for p in polynomials if p(at) != 0]
    counted = set()
    for p in polynomials:
        for root, multiplicity in sp.Poly([int(c) for c in reversed(p.coeffs())], T).real_roots(multiple=False):
            if (multiplicity % 2 or p == polynomials[-1]) and (root - sp.Rational(point)) * direction > 0:
                counted.add(root)
    found = nearest_root(polynomials[:-1], polynomials[-1:], at, direction)
    nearest = min(counted, key=lambda root: abs(root - sp.Rational(point)), default=None)
    assert (None if found is None else found.expression(T)) == nearest
    if found is not None and found.lower < found.upper:
        assert nearest_root(polynomials, [], at, direction, limit=found.lower if direction > 0 else found.upper) is None


def test_a_nearer_root_beside_a_common_one_is_found():
    # both polynomials have the root 3, the second also 2; its factor in common with the first is taken out first
    first, second = fmpz_poly([-3, 1]), fmpz_poly([-3, 1]) * fmpz_poly([-2, 1])
    assert nearest_root([first, second], [], fmpq(1), 1).expression(T) == 2


def test_numbers_nearer_than_floats_are_told_apart():
    # sqrt(2) against a convergent that differs from it in the 30th digit, and against itself in another interval
    two = RealRoot(fmpz_poly([-2, 0, 1]), fmpq(1), fmpq(2))
    near = RealRoot.rational(fmpq(1023286908188737, 723573111879672))
    assert (two.compared(near), near.compared(two), two.compared(two.narrowed(fmpq(1, 2**90)))) == (-1, 1, 0)
    assert abs(two.near(F(1, 10**30)) ** 2 - 2) < F(4, 10**30)


def test_a_system_over_the_rational_functions_by_hand():
    # [[1, t], [t, 1]] x = [1, 0] has x = (1, -t) / (1 - t^2)
    solution = solve_linear([[1, 0], [0, 1]], [[0, 1], [1, 0]], [fmpz_poly([1]), fmpz_poly([0])])
    assert [sp.cancel(solution[i].expression - value) for i, value in enumerate((1 / (1 - T**2), -T / (1 - T**2)))] == [
        0,
        0,
    ]
    assert solution[1].at(F(3)) == F(3, 8)
    with pytest.raises(ZeroDivisionError):
        solve_linear([[0, 0], [0, 0]], [[1, 1], [1, 1]], [fmpz_poly([1]), fmpz_poly([1])])


def systems(size=4):
    whole = st.lists(
        st.lists(st.sampled_from([0, 0, 0, 1, 1, -2]), min_size=size, max_size=size), min_size=size, max_size=size
    )
    return st.tuples(whole, whole, st.lists(st.lists(st.integers(-3, 3), max_size=2), min_size=size, max_size=size))


@settings(deadline=None, max_examples=60)
@given(systems())
def test_what_is_taken_out_of_a_system_does_not_change_its_solution(system):
    # many zeros and ones, so that equations of one unknown and unknowns of one equation are common
    constant, linear, right = system
    matrix = [[fmpz_poly([a, b]) for a, b in zip(*rows, strict=True)] for rows in zip(constant, linear, strict=True)]
    sides, zero, places = [fmpz_poly(side) for side in right], fmpz_poly([]), range(len(right))
    determinant = zero
    for order in permutations(places):
        turned = sum(order[i] > order[j] for i, j in combinations(places, 2))
        determinant += math.prod((matrix[y][k] for y, k in enumerate(order)), start=fmpz_poly([(-1) ** turned]))
    if determinant == 0:
        with pytest.raises(ZeroDivisionError):
            solve_linear(constant, linear, sides)
        return
    found = solve_linear(constant, linear, sides)
    assert found.denominator != 0
    for row, side in zip(matrix, sides, strict=True):
        assert sum(map(operator.mul, row, found.numerators), zero) == side * found.denominator


@given(st.integers(2, 10**6), st.integers(3, 5), st.integers(1, 300))
def test_a_number_is_narrowed_to_any_width_and_kept(number, power, bits):
    root = RealRoot(fmpz_poly([-number, *[0] * (power - 1), 1]), fmpq(0), fmpq(number))
    if round(number ** (1 / power)) ** power == number:
        return  # no irreducible polynomial
    narrow = root.narrowed(fmpq(1, 2**bits))
    assert narrow.upper - narrow.lower <= fmpq(1, 2**bits)
    assert narrow.lower**power < number < narrow.upper**power
