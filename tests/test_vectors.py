"""Statements about vectors of any size. Each pair has a true one, proved for every K, and a relative that is false.

A false one that was proved would be a wrong step of the engine: a fact summed beyond its range, an order turned round, an
entry outside of its vector, a case that is not the one that applies.
"""

from __future__ import annotations

import pytest
import sympy as sp
from fuzzing import NIGHTLY

from lpmech.conjectures import read_domain
from lpmech.errors import FormulaError, InvalidInputError
from lpmech.prove import Fails, Holds, Undecided, Vector, prove
from lpmech.prove.texts import condition_from_text

ORDERED, ANY, k, y = "p[1] >= ... >= p[K] >= 0", "p[1..K] >= 0", "k integer in [1, K]", "y integer in [1, K]"
W = "W == t*Sum(p[i], (i, 1, k))/(t+k-1)"
LARGEST = "Each(t*Sum(p[i], (i, 1, j))/(t+j-1) <= W, (j, 1, K))"
CHANNEL = (
    "Each(Each(Each(q[r, j] <= t*q[s, j], (r, 1, K)), (s, 1, K)), (j, 1, K))",
    "Each(Sum(q[r, j], (j, 1, K)) == 1, (r, 1, K))",
)
RELAXED = "Each(d[y]*(1 - 1/t) + Sum(d[i], (i, 1, K))/t <= 1, (y, 1, K))"
DUALS = ("Each(w[y] >= (t*p[y] - W)/(t-1), (y, 1, K))", "sum w = W")

#: (true, false, parameters, hypotheses), all of them for K >= 2; what is false is refuted.
PAIRS = {
    "the largest is at least the mean": ("p[1] >= 1/K", "p[1] >= 1/K + 1/K**2", [ORDERED], ["sum p = 1"]),
    "the smallest is at most the mean": ("p[K] <= 1/K", "p[K] <= 1/(K+1)", [ORDERED], ["sum p = 1"]),
    "the k-th is at most the mean of the first k": (
        "k*p[k] <= Sum(p[i], (i, 1, k))", "(k+1)*p[k] <= Sum(p[i], (i, 1, k))", [k, ORDERED], []),
    "the k-th is at most 1/k": ("p[k] <= 1/k", "p[k] <= 1/(k+1)", [k, ORDERED], ["sum p = 1"]),
    "the first k have at least their share": (
        "Sum(p[i], (i, 1, k)) >= k/K*Sum(p[i], (i, 1, K))", "Sum(p[i], (i, 1, k)) >= (k+1)/(K+1)*Sum(p[i], (i, 1, K))",
        [k, ORDERED], []),
    "which needs the order": (
        "Sum(p[i], (i, 1, k)) <= Sum(p[i], (i, 1, K))", "Sum(p[i], (i, 1, k)) >= k/K*Sum(p[i], (i, 1, K))",
        [k, ANY], []),
    "one entry is no more than the sum": (
        "p[y] <= Sum(p[i], (i, 1, K))", "p[y] <= Sum(p[i], (i, 2, K))", [y, ANY], []),
    "sums are linear": (
        "Sum(2*p[i] + 3*q[i]/t, (i, 1, K)) == 2*Sum(p[i], (i, 1, K)) + 3/t*Sum(q[i], (i, 1, K))",
        "Sum(2*p[i] + 3*q[i]/t, (i, 1, K)) == 2*Sum(p[i], (i, 1, K)) + 3*t*Sum(q[i], (i, 1, K))", [ANY, "q[1..K]"], []),
    "a range is cut": (
        "Sum(p[i], (i, 1, K)) == Sum(p[i], (i, 1, k)) + Sum(p[i], (i, k+1, K))",
        "Sum(p[i], (i, 1, K)) == Sum(p[i], (i, 1, k)) + Sum(p[i], (i, k, K))", [k, ANY], []),
    "the mean falls": (
        "Sum(p[i], (i, 1, k+1))/(k+1) <= Sum(p[i], (i, 1, k))/k", "Sum(p[i], (i, 1, k+1))/(k+1) < Sum(p[i], (i, 1, k))/k",
        ["k integer in [1, K-1]", ORDERED], []),
    "w_(k+1) >= w_k if": (
        "not (t+k-1)*p[k+1] >= Sum(p[i], (i, 1, k)) or Sum(p[i], (i, 1, k+1))/(t+k) >= Sum(p[i], (i, 1, k))/(t+k-1)",
        "not (t+k)*p[k+1] >= Sum(p[i], (i, 1, k)) or Sum(p[i], (i, 1, k+1))/(t+k) >= Sum(p[i], (i, 1, k))/(t+k-1)",
        ["k integer in [1, K-1]", ORDERED], []),
    "w_(k+1) >= w_k only if": (
        "(t+k-1)*p[k+1] >= Sum(p[i], (i, 1, k)) or Sum(p[i], (i, 1, k+1))/(t+k) < Sum(p[i], (i, 1, k))/(t+k-1)",
        "(t+k-2)*p[k+1] >= Sum(p[i], (i, 1, k)) or Sum(p[i], (i, 1, k+1))/(t+k) < Sum(p[i], (i, 1, k))/(t+k-1)",
        ["k integer in [1, K-1]", ORDERED], []),
    "no entry is beyond w_1": ("p[k] <= W", "t*p[k] <= W", [k, ORDERED, "W real"], [W, LARGEST]),
    "who is kept": ("t*p[k] >= W", "p[k] >= W", [k, ORDERED, "W real"], [W, LARGEST]),
    "who is not": ("t*p[k+1] <= W", "t*p[k+1] < W", ["k integer in [1, K-1]", ORDERED, "W real"], [W, LARGEST]),
    "all of the first k are kept": (
        "t*p[y] >= W", "p[y] >= W", [k, "y integer in [1, k]", ORDERED, "W real"], ["t*p[k] >= W"]),
    "the duals sum to the value": (
        "Sum(Max(0, (t*p[i] - W)/(t-1)), (i, 1, K)) == W", "Sum(Max(0, (t*p[i] - W)/(t-1)), (i, 1, K)) == t*W",
        [k, ORDERED, "W real"], [W, "t*p[k] >= W", "k == K or t*p[k+1] <= W"]),
    "a private channel is in the relaxation": (
        "q[y, y] + (Sum(q[j, j], (j, 1, K)) - q[y, y])/t <= 1", "q[y, y] + (Sum(q[j, j], (j, 1, K)) - q[y, y])/t < 1",
        [y, "q[1..K, 1..K] >= 0"], [*CHANNEL]),
    "weak duality": (
        "Sum(p[y]*d[y], (y, 1, K)) <= W", "Sum(p[y]*d[y], (y, 1, K)) <= W/t",
        [ANY, "W real", "d[1..K] >= 0", "w[1..K] >= 0"], [RELAXED, *DUALS]),
    "the dual constraint of an output": (
        "t*p[y] - (t-1)*Max(0, (t*p[y] - W)/(t-1)) <= W", "t*p[y] - Max(0, (t*p[y] - W)/(t-1)) <= W",
        [y, ANY, "W real"], ["Each(p[i] <= W, (i, 1, K))"]),
    "rows of randomised response": (
        "Sum(Piecewise((t/(t+K-1), j == y), (1/(t+K-1), True))*Sum(p[i], (i, 1, K)), (j, 1, K)) == 1",
        "Sum(Piecewise((t/(t+K-1), j == y), (1/(t+K), True))*Sum(p[i], (i, 1, K)), (j, 1, K)) == 1",
        [y, ANY], ["sum p = 1"]),
    "rows of a channel that mixes": (
        "Sum(a*p[j] + Piecewise((1-a, j == y), (0, True)), (j, 1, K)) == 1",
        "Sum(a*p[j] + Piecewise((1-a, j <= y), (0, True)), (j, 1, K)) == 1", [y, ANY, "a in [0, 1]"], ["sum p = 1"]),
    "a mixture of rows is a row": (
        "Sum(a*p[j] + (1-a)*q[j], (j, 1, K)) == 1", "Sum(a*p[j] + a*q[j], (j, 1, K)) == 1",
        [ANY, "q[1..K] >= 0", "a in [0, 1]"], ["sum p = 1", "sum q = 1"]),
    "rows of RRTop-k on kept labels": (
        "Sum(Piecewise((t/(t+k-1), j == y), (p[j]*0 + 1/(t+k-1), j <= k), (0, True)), (j, 1, K)) == 1",
        "Sum(Piecewise((t/(t+k-1), j == y), (p[j]*0 + 1/(t+k-1), j < k), (0, True)), (j, 1, K)) == 1",
        [k, "y integer in [1, k]", ANY], []),
    "a mean lies below the largest": (
        "Sum(p[i]*q[i], (i, 1, K)) <= p[1]", "Sum(p[i]*q[i], (i, 1, K)) <= p[2]",
        [ORDERED, "q[1..K] >= 0"], ["sum q = 1"]),
    "moving mass to the front pays": (
        "Sum(p[i]*q[i], (i, 1, K)) >= p[K]*Sum(q[i], (i, 1, K))", "Sum(p[i]*q[i], (i, 1, K)) >= p[1]*Sum(q[i], (i, 1, K))",
        [ORDERED, "q[1..K] >= 0"], []),
    "the first k are the best set of k": (
        "Sum(p[i]*q[i], (i, 1, K)) <= Sum(p[i], (i, 1, k))", "Sum(p[i]*q[i], (i, 1, K)) <= Sum(p[i], (i, 1, k)) - p[k]*q[k]",
        [k, ORDERED, "0 <= q[1..K] <= 1"], ["sum q = k"]),
    "both fall: Chebyshev": (
        "K*Sum(p[i]*q[i], (i, 1, K)) >= Sum(p[i], (i, 1, K))*Sum(q[i], (i, 1, K))",
        "K*Sum(p[i]*q[i], (i, 1, K)) <= Sum(p[i], (i, 1, K))*Sum(q[i], (i, 1, K))", [ORDERED, "q[1] >= ... >= q[K]"], []),
    "the mean label is in the lower half": (
        "Sum(i*p[i], (i, 1, K)) <= (K+1)/2", "Sum(i*p[i], (i, 1, K)) <= K/2", [ORDERED], ["sum p = 1"]),
    "collisions are at least 1/K": (
        "Sum(p[i]**2, (i, 1, K)) >= 1/K", "Sum(p[i]**2, (i, 1, K)) >= 1/(K-1)", [ANY], ["sum p = 1"]),
    "and at most the largest": (
        "Sum(p[i]**2, (i, 1, K)) <= p[1]", "Sum(p[i]**2, (i, 1, K)) <= p[1]**2", [ORDERED], ["sum p = 1"]),
    "a row of BlockRR, of a label that it keeps apart": (
        "Sum(Piecewise((t*b, j == y), (b, j <= s), (c, True)), (j, 1, K)) == 1",
        "Sum(Piecewise((t*b, j == y), (b, j < s), (c, True)), (j, 1, K)) == 1",
        ["s integer in [1, K]", "y integer in [1, s]", "b real", "c real"], ["(t+s-1)*b + (K-s)*c == 1"]),
    "a row of BlockRR, of another label": (
        "Sum(Piecewise((1/K, j <= l), (b, j <= s), (t*c, j == y), (c, True)), (j, 1, K)) == 1",
        "Sum(Piecewise((1/K, j <= l), (b, j <= s), (t*c, j == y), (c, True)), (j, 1, K)) == 1 - 1/K",
        ["s integer in [1, K-1]", "l integer in [0, s]", "y integer in [s+1, K]", "b real", "c real"],
        ["(s-l)*b + (t+K-s-1)*c == 1 - l/K"]),
    "a row of BRR": (
        "Sum(Piecewise((t/(t*m+K-m), j <= m), (1/(t*m+K-m), True)), (j, 1, K)) == 1",
        "Sum(Piecewise((t/(t*m+K-m), j < m), (1/(t*m+K-m), True)), (j, 1, K)) == 1", ["m integer in [1, K]"], []),
    "no row of bounded ratio is worth more than BRR's": (
        "Sum(u[i]*q[i], (i, 1, K)) <= W*Sum(q[i], (i, 1, K))", "Sum(u[i]*q[i], (i, 1, K)) <= u[k+1]*Sum(q[i], (i, 1, K))",
        ["k integer in [1, K-1]", "u[1] >= ... >= u[K]", "q[1..K] >= 0", "W real", "c real >= 0"],
        ["Each(q[i] >= c, (i, 1, K))", "Each(q[i] <= t*c, (i, 1, K))", "u[k] >= W", "W >= u[k+1]",
         "W*(t*k+K-k) >= t*Sum(u[i], (i, 1, k)) + Sum(u[i], (i, k+1, K))"]),
    # weak duality of every program over private channels: a column, the columns together, the rows; u[y, j] the gains, v the duals
    "a private column is worth no more than its duals": (
        "Sum((u[i]-v[i])*q[i], (i, 1, K)) <= c*(Sum(u[i]-v[i], (i, 1, K)) + (t-1)*Sum(Max(0, u[i]-v[i]), (i, 1, K)))",
        "Sum((u[i]-v[i])*q[i], (i, 1, K)) <= c*(Sum(u[i]-v[i], (i, 1, K)) + Sum(Max(0, u[i]-v[i]), (i, 1, K)))",
        ["u[1..K]", "v[1..K]", "q[1..K] >= 0", "c real >= 0"], ["Each(q[i] >= c, (i, 1, K))", "Each(q[i] <= t*c, (i, 1, K))"]),
    "columns together": (
        "Sum(Sum(u[r, j]*q[r, j], (r, 1, K)), (j, 1, K)) <= Sum(Sum(v[r]*q[r, j], (r, 1, K)), (j, 1, K))",
        "Sum(Sum(u[r, j]*q[r, j], (r, 1, K)), (j, 1, K)) < Sum(Sum(v[r]*q[r, j], (r, 1, K)), (j, 1, K))",
        ["u[1..K, 1..K]", "v[1..K]", "q[1..K, 1..K] >= 0"],
        ["Each(Sum(u[r, j]*q[r, j], (r, 1, K)) <= Sum(v[r]*q[r, j], (r, 1, K)), (j, 1, K))"]),
    "rows that sum to one": (
        "Sum(Sum(v[r]*q[r, j], (r, 1, K)), (j, 1, K)) == Sum(v[r], (r, 1, K))",
        "Sum(Sum(v[j]*q[r, j], (r, 1, K)), (j, 1, K)) == Sum(v[r], (r, 1, K))",
        ["v[1..K]", "q[1..K, 1..K] >= 0"], ["Each(Sum(q[r, j], (j, 1, K)) == 1, (r, 1, K))"]),
}  # fmt: skip


def asked(text: str, params: list[str], where: list[str]):
    domain = read_domain(params, where)
    return prove(condition_from_text(text, domain.symbols.values()), domain.hypotheses, timeout_seconds=40)


#: Parts of Theorem 3 of ghazi2021, which `lpmech verify` proves in its claim; here in a nightly run.
LONG = (
    "a private channel is in the relaxation",
    "the duals sum to the value",
    "who is kept",
    "no row of bounded ratio is worth more than BRR's",
    "a private column is worth no more than its duals",
    "columns together",
)


@pytest.mark.parametrize("name", [name for name in PAIRS if NIGHTLY or name not in LONG])
def test_true_for_every_size(name):
    true, _, params, where = PAIRS[name]
    assert isinstance(asked(true, params, where), Holds), name


@pytest.mark.parametrize("name", PAIRS)
def test_false_relatives_are_refuted(name):
    _, false, params, where = PAIRS[name]
    answer = asked(false, params, where)
    assert isinstance(answer, Fails), answer


def test_a_witness_prints_the_vector():
    answer = asked("p[1] <= 1/K", [ORDERED], ["sum p = 1"])
    assert answer.witness.where == "K = 2, p = (1, 0), t = 2"


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("p[K+1] >= 0", [ANY]),  # there is no such entry
        ("Sum(p[i+1], (i, 1, K)) >= 0", [ANY]),
        ("Sum(p[i]/p[i], (i, 1, K)) == K", [ANY]),  # p[i] may be zero
        ("1/Sum(p[i], (i, 1, k)) > 0", [k, ANY]),
        ("p[y]/p[y] == 1", [y, ANY]),
    ],
)
def test_what_is_not_defined_everywhere_is_not_proved(text, params):
    assert not asked(text, params, [])


def test_vectors_of_other_lengths_in_the_api():
    n, m, i = sp.symbols("n m i", integer=True)
    p = Vector("p", n)
    total = sp.Sum(p[i], (i, 1, n))
    assert prove(total >= p[m], [n >= 1, m >= 1, m <= n, p.each(lambda entry: entry >= 0)])
    assert isinstance(prove(total >= p[m], [n >= 1, m >= 1, m <= n, p.ordered()]), Fails)


def test_contradictory_hypotheses_prove_nothing():
    n = sp.Symbol("n", integer=True)
    p = Vector("p", n)
    given = [n >= 1, p.each(lambda entry: entry >= 1), p.each(lambda entry: entry <= 0)]
    assert isinstance(prove(p[1] >= 7, given), Undecided)


@pytest.mark.parametrize(
    ("params", "where"),
    [
        (["p[1] >= ... <= p[K]"], []),
        (["p[1] >= ... >= p[K] <= 1"], []),
        (["t[1..K] >= 0"], []),
        (["p[1..K] >= 0", "p[1..K] >= 1"], []),
        ([ANY], ["p >= 0"]),
        ([ANY], ["p[1, 2] >= 0"]),
        ([ANY], ["sum q = 1"]),
    ],
)
def test_what_declares_no_vector_is_refused(params, where):
    with pytest.raises((FormulaError, InvalidInputError)):
        read_domain(params, where)


def test_what_stays_undecided_says_what_was_tried_and_what_may_help():
    answer = asked("Sum(p[i]**3, (i, 1, K)) >= 1/K**2", [ANY], ["sum p = 1"])
    assert isinstance(answer, Undecided)
    assert "sums over an index termwise" in answer.methods
    assert answer.points > 50
    assert f"no violation at {answer.points} points" in answer.told
    assert "such as K <= 8" in answer.told
    assert "yield [hypotheses]" in answer.told
