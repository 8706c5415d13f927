"""Sums of squares: what is true is proved with a certificate that multiplies out, what is nearly true is not."""

import pytest
import sympy as sp
from flint import fmpq

from lpmech.errors import MissingDependencyError
from lpmech.prove import Holds, prove, squares
from lpmech.prove.gram import definite
from lpmech.prove.products import certificate
from lpmech.prove.squares import contradictory_by_squares

a, b, c, d, x, y, z = sp.symbols("a b c d x y z")
ORTHANT = [a >= 0, b >= 0, c >= 0]
HALF = sp.Rational(1, 2)
DISK = [x**2 + y**2 <= 1]


def _cyclic(term):
    """The sum over a, b, c in turn."""
    return sum(term(*sp.symbols(names)) for names in ("a b c", "b c a", "c a b"))


#: Not negative under its hypotheses, and not shown by products of these: Robinson's form, Schur's inequalities of degree
#: 1 and 2, Vasile's, Turkevich's and Suranyi's, Choi and Lam's form, Parrilo's quartic, Chebyshev's polynomial of degree 5 ...
TRUE = {
    "Robinson": (
        [], x**6 + y**6 + z**6 + 3*x**2*y**2*z**2
        - x**4*y**2 - x**2*y**4 - y**4*z**2 - y**2*z**4 - z**4*x**2 - z**2*x**4,
    ),
    "Schur": (ORTHANT, _cyclic(lambda a, b, c: a*(a - b)*(a - c))),
    "Schur of degree 2": (ORTHANT, _cyclic(lambda a, b, c: a**2*(a - b)*(a - c))),
    "Schur of degree 2 everywhere": ([], _cyclic(lambda a, b, c: a**2*(a - b)*(a - c))),
    "Vasile": ([], (a**2 + b**2 + c**2)**2 - 3*_cyclic(lambda a, b, c: a**3*b)),
    "Vasile, the other one": ([], (a**2 + b**2 + c**2)**2 - 3*_cyclic(lambda a, b, c: a*b**3)),
    "Choi and Lam": ([], x**4*y**2 + y**4*z**2 + z**4*x**2 - 3*x**2*y**2*z**2),
    "AM-GM of sixth powers": ([], x**6 + y**6 + z**6 - 3*x**2*y**2*z**2),
    "Motzkin and a square": ([], x**4*y**2 + x**2*y**4 + 1 - 3*x**2*y**2 + (x*y - 1)**2*(x - 2*y)**2),
    "Suranyi": (ORTHANT, 2*(a**3 + b**3 + c**3) + 3*a*b*c - (a + b + c)*(a**2 + b**2 + c**2)),
    "Turkevich": (
        [*ORTHANT, d >= 0], a**4 + b**4 + c**4 + d**4 + 2*a*b*c*d
        - a**2*b**2 - a**2*c**2 - a**2*d**2 - b**2*c**2 - b**2*d**2 - c**2*d**2,
    ),
    "cubes": (ORTHANT, a**3 + b**3 + c**3 + 15*a*b*c/4 - (a + b + c)**3/4),
    "Schur of cubes": ([], a**6 + b**6 + c**6 + 3*a**2*b**2*c**2 - 2*(a**3*b**3 + b**3*c**3 + c**3*a**3)),
    "Parrilo": ([], 2*x**4 + 2*x**3*y - x**2*y**2 + 5*y**4 + (z**2 - x*y + z*x)**2),
    "two squares": ([], (x - y)**2*(y - z)**2 + (x*y - z)**2),
    "three factors": ([], 4*(a**2 + 1)*(b**2 + 1)*(c**2 + 1) - 3*(a + b + c)**2),
    "three factors and 1": ([], 16*(a**2 + 1)*(b**2 + 1)*(c**2 + 1) - 5*(a + b + c + 1)**2),
    "Chebyshev": (DISK, 1 - (16*x**5 - 20*x**3*(x**2 + y**2) + 5*x*(x**2 + y**2)**2)),
}  # fmt: skip

#: A point at which the inequality is an equation: there everything below is violated.
TIGHT = {
    "Robinson": (1, 1, 1), "Schur": (1, 1, 1), "Schur of degree 2": (1, 1, 0), "Schur of degree 2 everywhere": (1, 1, 1),
    "Vasile": (1, 1, 1), "Vasile, the other one": (1, 1, 1), "Choi and Lam": (1, 1, 1), "AM-GM of sixth powers": (1, 1, 1),
    "Suranyi": (1, 1, 0), "Turkevich": (1, 1, 1, 1), "cubes": (1, 1, 0), "Schur of cubes": (1, 1, 0),
    "Parrilo": (0, 0, 0), "two squares": (1, 1, 1), "three factors and 1": (HALF, HALF, HALF), "Chebyshev": (1, 0),
}  # fmt: skip
FALSE = [
    (name, [*TRUE[name][0], *more], TRUE[name][1] - less)
    for name in TIGHT
    for more, less in [
        ([], sp.Rational(1, 10**6)),
        ([], sp.Rational(1, 1000) * sum(s**4 for s in TRUE[name][1].free_symbols) + sp.Rational(1, 10**9)),
    ]
]


@pytest.mark.parametrize("name", TRUE)
def test_what_products_do_not_show_is_a_sum_of_squares(name):
    hypotheses, side = TRUE[name]
    relations = [*hypotheses, sp.Lt(sp.expand(side), 0)]
    assert certificate(relations) is None
    assert contradictory_by_squares(relations)


@pytest.mark.parametrize(("name", "hypotheses", "side"), FALSE, ids=str)
def test_neighbours_that_are_false_are_not_proved(name, hypotheses, side):
    at = dict(zip(sorted(side.free_symbols, key=str), TIGHT[name], strict=True))
    assert all(h.subs(at) for h in hypotheses)
    assert side.subs(at) < 0
    assert not contradictory_by_squares([*hypotheses, sp.Lt(sp.expand(side), 0)])


def test_multiples_of_equations_belong_to_a_certificate():
    on_the_simplex = [x >= 0, y >= 0, z >= 0, sp.Eq(x + y + z, 1)]
    side = 9 * x * y * z + 1 - 4 * (x * y + y * z + z * x)  # Schur's inequality where x + y + z = 1
    assert contradictory_by_squares([*on_the_simplex, sp.Lt(side, 0)])
    assert not contradictory_by_squares([*on_the_simplex, sp.Lt(side, sp.Rational(1, 10**6))])


def test_a_strict_inequality_needs_something_positive():
    side = sp.expand(TRUE["Vasile"][1])
    assert contradictory_by_squares([sp.Le(side + sp.Rational(1, 10), 0)])
    assert not contradictory_by_squares([sp.Le(side, 0)])  # all zero


def test_the_engine_asks_for_squares_last():
    side = sp.expand(TRUE["Schur of cubes"][1])
    answer = prove(side >= 0, [], timeout_seconds=0.1)
    assert isinstance(answer, Holds)
    assert answer.methods == ("sums of squares",)
    assert prove(sp.And(side >= 0, side + a >= a), [], timeout_seconds=0.1)


def test_without_cvxpy_nothing_is_said(monkeypatch):
    def missing(_):
        raise MissingDependencyError("cvxpy", "programs")

    hypotheses, side = TRUE["two squares"]
    monkeypatch.setattr(squares, "interior", missing)
    assert not contradictory_by_squares([*hypotheses, sp.Lt(sp.expand(side), 0)])


def test_a_matrix_is_decomposed_or_refused():
    def entries(rows):
        return {(i, j): fmpq(v) for i, row in enumerate(rows) for j, v in enumerate(row, start=i)}

    # 2 x^2 + 2 x y + y^2 = 2 (x + y/2)^2 + y^2/2
    assert definite(entries([[2, 1], [1]]), 2) == [(fmpq(2), [fmpq(1), fmpq(1, 2)]), (fmpq(1, 2), [fmpq(0), fmpq(1)])]
    assert definite(entries([[1, 1], [1]]), 2) == [(fmpq(1), [fmpq(1), fmpq(1)])]  # singular
    assert definite(entries([[1, 2], [1]]), 2) is None
    assert definite(entries([[0, 1], [1]]), 2) is None
    assert definite(entries([[0, 0], [-1]]), 2) is None


def test_a_matrix_of_which_nothing_is_left_is_no_error():
    """Weights alone: w = 1 is the only solution, beside an empty matrix."""
    from flint import fmpq

    from lpmech.prove.gram import Linear, interior, without_kernel

    found = interior(Linear([[fmpq(1), fmpq(1)]], [0], 1))
    assert found is not None
    assert found.values == pytest.approx([1])
    assert without_kernel(found.matrices[0]) == []
