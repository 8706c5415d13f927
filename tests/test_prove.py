import pytest
import sympy as sp

from lpmech.errors import InvalidInputError, SolverError
from lpmech.prove import Status, decide, is_identity, is_zero, positive_by_coefficients
from lpmech.prove.second_prover import Opinion, second_opinion

x, y, t = sp.symbols("x y t")
n = sp.Symbol("n", integer=True)


def test_identities_are_decided():
    assert is_identity((x**2 - y**2) / (x - y), x + y)
    assert not is_identity((x**2 - y**2) / (x - y), x - y)
    assert is_zero(sp.Rational(1, 3) - sp.Rational(2, 6))


def test_positive_by_coefficients_is_sufficient_only():
    assert positive_by_coefficients(1 + x * y + x**2, x, y)
    assert not positive_by_coefficients(1 - x, x)
    assert not positive_by_coefficients(x, x)  # zero at the origin


def test_real_inequalities_are_proved_and_refuted():
    assert decide([t > 1, x > 0, y > x], y * t > x).status is Status.PROVED
    refuted = decide([t > 1, x > 0], x * t < 2 * x)
    assert refuted.status is Status.REFUTED
    assert not refuted
    assert set(refuted.model) == {"t", "x"}


def test_a_dropped_hypothesis_stops_the_proof():
    assert decide([x >= 0, y >= 0], (x + y) ** 2 >= x**2)
    assert not decide([x >= 0], (x + y) ** 2 >= x**2)


def test_integers_are_integers():
    # n (n + 1) >= 0 for every integer, not for n = -1/2
    assert decide([], n * (n + 1) >= 0)
    assert not decide([], x * (x + 1) >= 0)


def test_boolean_structure_min_max_and_quotients():
    assert decide([], sp.Max(x, y) >= sp.Min(x, y))
    assert decide([x > 0], sp.Implies(y > 0, x / y > 0))
    assert decide([], sp.Or(x > y, sp.Not(x > y)))
    assert decide([x >= 0, x <= 1], sp.And(x**2 <= x, sp.Ne(x, 2)))


def test_unknown_functions_are_refused_not_guessed():
    with pytest.raises(InvalidInputError, match="expression"):
        decide([x > 0], sp.sin(x) <= x)
    with pytest.raises(InvalidInputError, match="expression"):
        decide([x > 0], sp.sqrt(x) >= 0)


def test_contradictory_hypotheses_prove_anything_which_callers_must_guard():
    assert decide([x > 0, x < 0], sp.Eq(y, 17))


def test_a_second_prover_confirms_where_it_is_installed():
    # cvc5 is a test dependency, so its opinion must arrive here
    assert decide([x > 0, y > 0], x * y > 0).confirmed


def test_a_contradiction_between_the_provers_is_an_error(monkeypatch):
    monkeypatch.setattr("lpmech.prove.real.second_opinion", lambda _: Opinion.SATISFIABLE)
    with pytest.raises(SolverError, match="contradicts"):
        decide([x > 0], x > -1)


def test_without_a_second_prover_the_proof_stands_unconfirmed(monkeypatch):
    monkeypatch.setattr("lpmech.prove.second_prover.find_spec", lambda _: None)
    decision = decide([x > 0], x > -1)
    assert decision.status is Status.PROVED
    assert not decision.confirmed


def test_the_second_prover_gives_up_without_a_guess():
    hard = decide([x > 0, y > 0, t > 0], x**3 + y**3 + t**3 >= 3 * x * y * t)
    assert hard.status in (Status.PROVED, Status.UNDECIDED)
    assert second_opinion("(declare-fun x () Real)\n(assert (< (* x x) 0.0))\n(check-sat)") is Opinion.UNSATISFIABLE
    assert second_opinion("(declare-fun x () Real)\n(assert (< (* x x) 1.0))\n(check-sat)") is Opinion.SATISFIABLE


def test_two_symbols_of_one_name_are_refused():
    # read as one variable they would "prove" that any two numbers are equal
    other = sp.Symbol("x", real=True)
    with pytest.raises(InvalidInputError, match="one symbol of each name"):
        decide([], sp.Eq(x, other))
