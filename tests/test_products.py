"""Certificates of contradictions. Each test names a false proof that it would catch, or a proof that would be lost."""

from dataclasses import replace

import pytest
import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove import Holds, Undecided, prove
from lpmech.prove.product_cases import follows
from lpmech.prove.products import ProductProof, Weighted, certificate, contradicts
from lpmech.prove.second_prover import Opinion, second_opinion

a, b, c, d, x, y, z, s, t, m, Q = sp.symbols("a b c d x y z s t m Q")
k, n = sp.symbols("k n", integer=True)
R = sp.Rational

#: (hypotheses, conclusion that follows, the same with a smaller constant or stricter, which does not)
TRUE_AND_FALSE = [
    ([], (a - b) ** 2 <= 2 * a**2 + 2 * b**2, (a - b) ** 2 < 2 * a**2 + 2 * b**2),
    ([], (x + y + z) ** 2 <= 3 * (x**2 + y**2 + z**2), (x + y + z) ** 2 <= R(29, 10) * (x**2 + y**2 + z**2)),
    ([x >= 0, x <= 1], x * (1 - x) <= R(1, 4), x * (1 - x) <= R(249, 1000)),
    ([t > 1, y > 0, x >= y], t * x > y, t * x > 2 * y),
    ([t > 1, a >= 0, b > 0, c >= 0, d > 0, a <= b * t, c <= d * s, s > 1], a * c <= b * d * s * t, a * c <= b * d * s),
    ([x > 0, y > 0, sp.Ne(x, y)], x * y < x**2 - x * y + y**2, R(101, 100) * x * y < x**2 - x * y + y**2),
    (
        [m >= 0, Q >= 0, s**2 <= Q * m],
        (s + x) ** 2 <= (Q + x**2) * (m + 1),
        (s + x) ** 2 <= (Q + x**2) * (m + R(9, 10)),
    ),
    ([t > 1, s > 0, sp.Eq(s**2, t)], s > 1, s > R(11, 10)),
    ([t > 1, sp.Eq(x, t - 1), y >= x], x * y > 0, x * y > 1),
    ([x >= y], sp.Max(x, y) <= sp.Abs(x), sp.Max(x, y) < sp.Abs(x)),
    ([x >= 0], sp.Abs(x + y) <= x + sp.Abs(y), sp.Abs(x + y) <= sp.Abs(y)),
    ([t > 1, sp.Or(sp.Eq(s, 0), s >= 2)], s**2 * t >= s, s**2 >= t * s),
    ([x > 0, y > 0], sp.Or(x * y > 1, x < 1, y <= 1), sp.Or(x * y > 1, x < 1)),
    ([a <= 1, b <= a], sp.And(b <= 1, a * (b - 1) <= b - 1 + (1 - a) * (1 - b)), sp.And(b <= 1, b < a)),
    ([t > 1, x > 0], x / (x + t) < 1, x / (x + t) < R(1, 2)),
]

DROPPED = [
    ([t > 1, x >= y], t * x > y),
    ([x > 0, y > 0], x * y < x**2 - x * y + y**2),
    ([m >= 0, s**2 <= Q * m], (s + x) ** 2 <= (Q + x**2) * (m + 1)),
    ([t > 1, sp.Eq(s**2, t)], s > 1),
    ([x >= 0], x * y >= 0),
    ([sp.Or(sp.Eq(s, 0), s >= 2)], s**2 * t >= s),
]


@pytest.mark.parametrize(("hypotheses", "true", "false"), TRUE_AND_FALSE, ids=lambda v: str(v)[:50])
def test_what_follows_is_proved_and_a_changed_constant_is_not(hypotheses, true, false):
    assert follows(hypotheses, true)
    assert not follows(hypotheses, false)


@pytest.mark.parametrize(("hypotheses", "conclusion"), DROPPED, ids=str)
def test_a_dropped_hypothesis_is_missed(hypotheses, conclusion):
    assert not follows(hypotheses, conclusion)


def test_whole_numbers_leave_no_room_between_them():
    assert follows([k > n], k >= n + 1, {k, n})
    assert not follows([k > n], k >= n + 1)
    assert not follows([2 * k > x], 2 * k >= x + 1, {k})  # x is no whole number
    assert not follows([k / 2 > 0], k / 2 >= 1, {k})  # k = 1


def test_what_is_not_understood_is_no_hypothesis():
    assert follows([x > 1, sp.floor(x) < -5], x > 0)
    assert not follows([sp.floor(x) >= 0], x >= 0)
    assert not follows([x >= 0], sp.floor(x) >= 0)
    with pytest.raises(UndecidedError):
        certificate([sp.floor(x) < 0])


RELATIONS = [x > 0, y >= 0, sp.Eq(x + y, z), z < 0]
GOOD = ProductProof((Weighted(R(1, 2), (0,)), Weighted(R(1, 2), (1,)), Weighted(R(1, 2), (3,))), ((2, -R(1, 2)),))


def test_a_certificate_is_multiplied_out():
    # x > 0, y >= 0 and -z > 0 add up to x + y - z, which the equation makes zero
    assert contradicts(RELATIONS, GOOD)
    found = certificate(RELATIONS)
    assert found is not None
    assert contradicts(RELATIONS, found)


FORGED = {
    "another weight": replace(GOOD, products=(Weighted(R(1, 3), (0,)), *GOOD.products[1:])),
    "a negative weight": replace(GOOD, products=(*GOOD.products, Weighted(-R(1), (1,)), Weighted(R(1), (1,)))),
    "no positive term": ProductProof((), ()),
    "only squares of zero": ProductProof((Weighted(R(1), (0,), sp.S.Zero),)),
    "an inequality as an equation": ProductProof((Weighted(R(1), (0,)),), ((0, -sp.S.One),)),
    "an equation as a factor": ProductProof((Weighted(R(1), (0,)), Weighted(R(1), (1,)), Weighted(R(1), (3,)), Weighted(R(1), (2,), sp.S.One))),
    "an equation left out": replace(GOOD, multiples=()),
    "a weight that is not rational": ProductProof((Weighted(sp.sqrt(2), (0,)), Weighted(sp.sqrt(2), (1,)), Weighted(sp.sqrt(2), (3,))), ((2, -sp.sqrt(2)),)),
}  # fmt: skip


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED.keys())
def test_a_forged_certificate_is_rejected(forged):
    assert not contradicts(RELATIONS, forged)


def test_a_certificate_needs_a_strict_term():
    weak = [x >= 0, x <= 0]  # satisfied by 0, although x - x is the zero polynomial
    assert not contradicts(weak, ProductProof((Weighted(R(1), (0,)), Weighted(R(1), (1,)))))
    squared = [sp.Eq(x, y), x >= 0]  # (x - y)^2 is zero, not positive
    assert not contradicts(squared, ProductProof((Weighted(R(1), (), x - y),), ((0, -(x - y)),)))
    assert certificate(weak) is None


def test_a_search_that_proposes_nonsense_proves_nothing(monkeypatch):
    from lpmech.prove import product_search

    monkeypatch.setattr(
        "lpmech.prove.products.weights", lambda candidates: [(c, product_search.fmpq(1)) for c in candidates]
    )
    unseen = {s: sp.Dummy(s.name) for s in set().union(*(r.free_symbols for r in RELATIONS))}
    assert certificate([r.xreplace(unseen) for r in RELATIONS]) is None  # what was found before is kept


def test_the_engine_names_the_method_and_needs_two_judges(monkeypatch):
    statement = (a - b) ** 2 <= 2 * a**2 + 2 * b**2
    assert prove(statement) == Holds(("products of the hypotheses",), example={a: 1, b: 1})
    monkeypatch.setattr("lpmech.prove.proof.follows", lambda *_: None)
    monkeypatch.setattr("lpmech.prove.proof.follows_by_derivative", lambda *_: None)
    monkeypatch.setattr("lpmech.prove.smt.second_opinion", lambda _: Opinion.NONE)
    answer = prove(statement)
    assert isinstance(answer, Undecided)
    assert "z3 alone" in answer.reason


def test_the_second_solver_tries_coverings():
    # confirmed by no other strategy within its steps
    text = """(declare-fun a () Real)(declare-fun b () Real)(declare-fun s () Real)
    (assert (> s 1.0))(assert (> a 0.0))(assert (> b 0.0))(assert (>= (* b s s) a))
    (assert (> (+ (* (- 1.0) a b s) (* a b) (* 2.0 a) (* (- 2.0) b s) (- s) 1.0) 0.0))"""
    assert second_opinion(text) is Opinion.UNSATISFIABLE


def test_coverings_that_do_not_end_are_given_up(monkeypatch):
    monkeypatch.setattr("lpmech.prove.second_prover.COVERING_SECONDS", 1)
    # a mixture of two mechanisms with a term that vanishes at whole numbers: no step is ever counted
    text = """(declare-fun t () Real)(declare-fun K () Int)(declare-fun l () Real)
    (assert (< 1.0 t))(assert (<= 2 K))(assert (<= 0.0 l))(assert (>= 1.0 l))
    (assert (let ((k (to_real K))) (<= 0.0 (* (- k 5.0) (- 6.0 k)))))
    (assert (let ((k (to_real K)))
      (let ((d (/ 1.0 (+ (- k 1.0) t))) (r (* (/ 1.0 k) (- 1.0 l))) (a (ite (>= l 1.0) (- l 1.0) (- 1.0 l))))
      (not (= (+ r (* (- k 1.0) (+ (* l d) r)) (* l t d))
              (+ (* (/ 1.0 7.0) (- k 5.0) (- 6.0 k)) (ite (< 3.0 t) (+ 1.0 (* t (+ (- l 1.0) a))) 1.0)))))))"""
    assert second_opinion(text) is Opinion.NONE
