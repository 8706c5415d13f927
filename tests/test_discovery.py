"""`lpmech discover`: the families whose optimum is known are found, and proved; what is fitted is refused when it is wrong.

Everything is compared with a linear program that shares nothing with the search: all pairs of rows written out, solved
by HiGHS in floats.
"""

from __future__ import annotations

import ast
import math
import operator
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import linprog

from lpmech import discover
from lpmech.certify.proofs import RefusedProofError, check_file
from lpmech.certify.proofs.files import parse
from lpmech.cli import main
from lpmech.discovery import bins, groups, parts, search, slacks
from lpmech.discovery.bins import best_on_bins
from lpmech.discovery.closed import square_root, through
from lpmech.discovery.family import family_of
from lpmech.discovery.fitting import ends, fitted, fitted_end, follows
from lpmech.discovery.indexed import indexed
from lpmech.discovery.on_pieces import wrong_on_piece
from lpmech.discovery.parts import Part, Samples, disagreement
from lpmech.discovery.printed import claims_of, compared, latex, latex_of_witnesses, proofs
from lpmech.discovery.witnesses import refused
from lpmech.errors import DataFileError, FormulaError, InvalidInputError, SolverError
from lpmech.papers.running import SelfTest, run_claims, select_claims
from lpmech.plots import plot_discovery
from lpmech.terms import Name
from lpmech.terms.functions import Whole
from lpmech.terms.reader import read_condition, read_formula
from lpmech.verdicts import Verdict

_RATIOS = (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(5), Fraction(30), Fraction(400))


def _pairwise(utility, prior, t):
    """max sum p u q, rows sum to one, q[y, j] <= t q[y', j] for all y, y', j: nothing reduced."""
    size, outputs = np.shape(utility)
    cost = -(np.array(prior, dtype=float)[:, None] * np.array(utility, dtype=float)).ravel()
    rows = np.kron(np.eye(size), np.ones(outputs))
    private = []
    for (y, other), j in ((pair, j) for pair in permutations(range(size), 2) for j in range(outputs)):
        row = np.zeros(size * outputs)
        row[y * outputs + j], row[other * outputs + j] = 1, -float(t)
        private.append(row)
    return -linprog(cost, np.array(private), np.zeros(len(private)), rows, np.ones(size)).fun


@cache
def _slow(utility, largest):
    return discover(utility, largest=largest)


#: What a text may call, apart from the library's own evaluation.
_CALLS = {"Abs": abs, "Min": min, "Max": max, "Mod": operator.mod, "floor": lambda x: Fraction(math.floor(x))} | {
    "binomial": lambda n, k: Fraction(math.comb(int(n), int(k)))
}
_SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_SIGNS |= {ast.Pow: operator.pow, ast.Eq: operator.eq, ast.LtE: operator.le, ast.GtE: operator.ge, ast.Lt: operator.lt}


def _number(node, at):
    """A printed formula at Fractions, by Python's own reader."""
    match node:
        case str():
            return _number(ast.parse(node, mode="eval").body, at)
        case ast.Constant(value):
            return value if isinstance(value, bool) else Fraction(value)
        case ast.Name(name):
            return at[name]
        case ast.UnaryOp(ast.USub(), part):
            return -_number(part, at)
        case ast.BinOp(left, sign, right) | ast.Compare(left, [sign], [right]):
            return _SIGNS[type(sign)](_number(left, at), _number(right, at))
        case ast.BoolOp(sign, parts):
            return (all if isinstance(sign, ast.And) else any)(_number(part, at) for part in parts)
        case ast.Call(ast.Name("Piecewise"), cases):
            return next(_number(case.elts[0], at) for case in cases if _number(case.elts[1], at))
        case ast.Call(ast.Name("Sum"), [body, ast.Tuple([letter, *ends])]):
            first, last = (int(_number(end, at)) for end in ends)
            return sum((_number(body, {**at, letter.id: Fraction(n)}) for n in range(first, last + 1)), Fraction(0))
        case ast.Call(ast.Name(name), arguments):
            return _CALLS[name](*(_number(argument, at) for argument in arguments))
    raise AssertionError(ast.dump(node))


def _witnessed(part, at, utility, prior, t):
    """Channel and dual of a part, as they are printed, are feasible and have its value: all of it exactly."""
    letters = {**at, "t": t}
    if part.index is not None:
        ends = (int(_number(str(end), letters)) for end in (part.index.first, part.index.last))
        own = [
            {**letters, part.index.name: Fraction(n), "P_k": sum(prior[:n])} for n in range(next(ends), next(ends) + 1)
        ]
        letters = max(own, key=lambda one: _number(str(part.value), one))
    value, (size, outputs) = _number(str(part.value), letters), np.shape(utility)
    if part.channel is not None:
        formula = ast.parse(str(part.channel), mode="eval").body
        places = product(range(size), range(outputs))
        named = ({"i": Fraction(i + 1), "j": Fraction(j + 1), "u_ij": Fraction(utility[i][j])} for i, j in places)
        q = np.array([_number(formula, {**letters, **one}) for one in named], dtype=object).reshape(size, outputs)
        assert set(q.sum(axis=1)) == {1}, (at, t, part.channel)
        assert q.min() >= 0
        assert all(q.max(axis=0) <= t * q.min(axis=0)), (at, t, part.channel)
        assert sum(prior[i] * utility[i][j] * q[i, j] for i in range(size) for j in range(outputs)) == value
    if part.dual is not None:
        formula = ast.parse(str(part.dual), mode="eval").body
        pi = [_number(formula, {**letters, "i": Fraction(i), "p_i": p}) for i, p in enumerate(prior, start=1)]
        assert sum(pi) == value, (at, t, part.dual)
        for j in range(outputs):
            slack = [prior[i] * utility[i][j] - pi[i] for i in range(size)]
            assert sum(x * (t if x > 0 else 1) for x in slack) <= 0, (at, t, j, part.dual)


def _agrees(found, sizes=range(2, 9)):
    """Every part that says something is the optimum, and its channel and dual show it; of how many points each does."""
    counts = [0] * len(found.parts)
    for at in found.family.instances(max(sizes)):
        if at["K"] not in sizes:
            continue
        utility, prior = found.family.problem(at)
        for t in _RATIOS:
            here, best = {**at, "t": t}, _pairwise(utility, prior, t)
            for place, part in enumerate(found.parts):
                if part.covers(here):
                    counts[place] += 1
                    assert float(part.value_at(here, prior)) == pytest.approx(best, abs=1e-7), (here, part.optimum)
                    _witnessed(part, at, utility, prior, t)
                elif part.exactly:
                    assert float(part.value_at(here)) < best - 1e-9
    return counts


#: Family, and its parts: value and condition. Values are derived in `lpmech.discovery.ranked` and `rings`.
_PROVED = [
    ({"utility": "hit"}, [("t/(K + t - 1)", "true")]),
    ({"utility": "window"}, [("(2*w + 1)*t/((2*w + 1)*t + K - (2*w + 1))", "true")]),
    ({"utility": "subset"}, [("d*t/(d*t + K - d)", "true")]),
    # S = 2, the values 1, 1/2, 1/2 and 0: (1 + t)/(K + t - 1) is the value 1/2 at t = K - 3
    (
        {"utility_formula": "Piecewise((1, i == j), (1/2, Min(Abs(i-j), K-Abs(i-j)) == 1), (0, True))", "largest": 6},
        [
            ("(2*t + 1)/(2*(t + 1))", "K == 2"),
            ("2*t/(K + 3*t - 3)", "K >= 3 and t <= K - 3"),
            ("(t + 1)/(K + t - 1)", "K >= 3 and t >= K - 3"),
        ],
    ),
    ({"utility_formula": "Piecewise((0, i == j), (1, True))", "largest": 6}, [("t*(K - 1)/(K*t - t + 1)", "true")]),
    # thresholds t_k = P_k/p_(k+1) - k + 1 = (a + (k-1) b)/b - k + 1 = a/b, b = (1-a)/(K-1), whatever k is
    ({"prior": "one-likelier"}, [("a", "t <= a*(K - 1)/(1 - a)"), ("t/(K + t - 1)", "t >= a*(K - 1)/(1 - a)")]),
]


@pytest.mark.parametrize(("family", "expected"), _PROVED, ids=str)
def test_known_optima_are_found_and_proved(family, expected):
    found = discover(**family)
    assert found.is_proved
    assert [(part.optimum, str(part.when)) for part in found.parts] == [
        (value, "True" if condition == "true" else condition) for value, condition in expected
    ]
    assert all(part.steps for part in found.parts)
    assert min(_agrees(found, range(2, 7))) > 0


@pytest.mark.parametrize(
    "prior", [{"prior": "falling"}, {"prior_formula": "2**(K-i)/(2**K-1)"}], ids=["falling", "geometric"]
)
def test_best_number_of_labels_of_an_ordered_prior(prior):
    """P_k of 2^(K-i)/(2^K-1) is 2^(K-k) (2^k-1)/(2^K-1), so t_k = P_k/p_(k+1) - k + 1 = 2 (2^k - 1) - k + 1."""
    found = discover("hit", **prior)
    (part,) = found.parts
    assert found.is_proved
    assert (part.index.name, str(part.index.first), str(part.index.last)) == ("k", "1", "K")
    assert _agrees(found, range(2, 7)) == [30]
    if "prior_formula" in prior:
        assert str(part.best) == "t >= 2**k - k and t <= 2*2**k - k - 1"


def test_any_ordered_prior_is_a_theorem():
    found = discover("hit", prior="ordered")
    (part,) = found.parts
    assert part.optimum == "the largest over k = 1..K of t*P_k/(t + k - 1)"
    assert part.verdict is Verdict.PROVED
    assert _agrees(found) == [7 * len(_RATIOS)]
    for numbers in ((5, 3, 3, 1), (1, 1, 1), (4, 2, 1, 0, 0), (6, 1, 1, 1, 1)):
        prior = [Fraction(n, sum(numbers)) for n in numbers]
        for t in _RATIOS:
            _witnessed(part, {"K": Fraction(len(prior))}, np.eye(len(prior), dtype=int).tolist(), prior, t)


def test_prior_whose_first_labels_are_named_apart():
    """Two labels with 3/(2K+2), the others with 2/(2K+2): P_k = 3k/(2K+2) up to 2, then (2k+2)/(2K+2)."""
    found = discover("hit", prior_formula="Piecewise((3/(2*K + 2), i <= 2), (2/(2*K + 2), True))")
    (part,) = found.parts
    assert found.is_proved
    assert part.optimum.endswith("t*Piecewise((3*k/(2*(K + 1)), k <= 2), ((k + 1)/(K + 1), True))/(t + k - 1)")
    assert _agrees(found, range(2, 6)) == [24]


def test_geometric_priors_of_any_ratio():
    """1 - r^K > 0 is needed everywhere, and proved first."""
    found = discover("hit", prior_formula="(1-r)*r**(i-1)/(1-r**K)", param=["r real > 0"], where=["r < 1"])
    (part,) = found.parts
    assert found.is_proved
    at = {"K": Fraction(3), "r": Fraction(1, 2), "t": Fraction(2)}
    assert part.value_at(at) == Fraction(8, 7) / 2  # k = 1: 4/7; k = 2: 2/3 of 6/7, the same at t_1 = 2
    assert min(_agrees(found, range(2, 4))) > 0


def test_prior_that_rises_is_one_that_falls():
    """p = 2 i/(K (K+1)): P_k of the k last is k (2K - k + 1)/(K (K+1))."""
    rising, falling = (discover("hit", prior_formula=p) for p in ("2*i/(K*(K + 1))", "2*(K + 1 - i)/(K*(K + 1))"))
    assert rising.parts[0].optimum == falling.parts[0].optimum
    assert rising.parts[0].attained == "RRTop-k in reverse order"
    assert _agrees(rising, range(2, 6)) == [24]


def test_words_of_n_bits():
    """Distance at most 1 from n + 1 words; n = 3, t = 2 and K = 8: (-12 - 3)/(8 + 4) is the best of -12/9, -15/12."""
    found = discover("cube")
    assert found.is_proved
    assert found.parts[0].value_at({"n": Fraction(3), "K": Fraction(8), "t": Fraction(2)}) == Fraction(-15, 12)
    assert _agrees(found, range(2, 9)) == [18]
    assert _agrees(discover("ball"), range(2, 5)) == [30]


def test_two_values_need_not_be_0_and_1():
    found = discover(utility_formula="Piecewise((5, i == j), (-2, True))")
    assert (found.is_proved, found.parts[0].optimum) == (True, "-2 + 7*(t/(K + t - 1))")
    assert min(_agrees(found, range(2, 6))) > 0


def test_distance_on_a_circle_is_the_best_of_all_windows():
    """S = -K^2/4 for even K: the distance K/2 once, every smaller one twice; windows w and w-1 tie at (K/2 - w)^2/w^2."""
    found = discover("ring")
    assert found.is_proved
    assert [str(part.when) for part in found.parts] == ["Mod(K, 2) == 1", "Mod(K, 2) == 0"]
    assert min(_agrees(found, range(2, 8))) > 0
    even = found.parts[1]
    assert str(even.best) == "t >= (-K + 2*w + 2)**2/(4*(w + 1)**2) and t <= (-K + 2*w)**2/(4*w**2)"
    wrong = replace(even, best=read_condition("t >= 2", ["t"]))
    assert "is not the best index" in disagreement(wrong, Samples(found.family, 7))


def test_randomised_response_for_the_distance_on_a_line():
    """K = 3: s = t - 1 is at least the root of s^2 - 1; K = 2: at least 0, so always; K = 4: 1 + sqrt(5)/... as solved."""
    found = discover("absolute", largest=10)
    part = found.parts[-1]
    assert (part.verdict, part.exactly, part.attained) == (Verdict.PROVED, True, "randomised response")
    assert part.optimum == "(1 - K)*(K + 1)/(3*(K + t - 1))"
    assert not part.covers({"K": Fraction(3), "t": Fraction(199, 100)})
    assert part.covers({"K": Fraction(3), "t": Fraction(2)})
    assert part.covers({"K": Fraction(2), "t": Fraction(101, 100)})
    assert min(_agrees(found)) > 0
    assert found.left.startswith("no closed form found in between: at K = 10 for t from 1 to 39.1458, 7 of 8 pieces")


def test_one_output_for_the_distance_on_a_line_of_odd_length():
    """The median alone, with loss (K^2-1)/(4K), until t = (h+1)/h for K = 2h+1: of h rows 1 is won, of h+1 it is lost."""
    found = discover("absolute", largest=13)
    first = found.parts[0]
    assert (first.verdict, first.optimum) == (Verdict.CERTIFIED, "(1 - K)*(K + 1)/(4*K)")
    assert str(first.when) == "K >= 3 and Mod(K, 2) == 1 and t <= (K + 1)/(K - 1)"
    assert str(first.channel) == "Piecewise((1, j == (K + 1)/2), (0, True))"
    assert str(first.dual) == "-Abs(i - (K + 1)/2)/K"  # what the median costs each label
    counts = _agrees(found)
    assert counts[0] > 0
    assert counts[-1] > 0


def test_near_labels_by_remainders_of_three():
    """Windows of three labels side by side; one or two labels left over have an output of their own from some t on."""
    found = _slow("near", 30)
    assert [(part.optimum, str(part.when)) for part in found.parts] == [
        ("1", "K == 2"),
        ("1", "K == 3"),
        ("3*t/(K + 3*t - 3)", "K >= 6 and Mod(K, 3) == 0"),
        ("3*t*(K - 1)/(K*(K + 3*t - 4))", "K >= 7 and Mod(K, 3) == 1 and t <= 2*(K - 4)/3"),
        ("3*t*(K - 2)/(K*(K + 3*t - 5))", "K >= 14 and Mod(K, 3) == 2 and t <= (K - 5)/6"),
        ("3*(K*t + 1)/(K*(K + 3*t - 2))", "K >= 5 and Mod(K, 3) == 2 and t >= (K - 5)/6"),
        ("3*(K*t + 2)/(K*(K + 3*t - 1))", "K >= 4 and Mod(K, 3) == 1 and t >= 2*(K - 4)/3"),
    ]
    assert not found.left
    assert sum(_agrees(found)) >= 7 * len(_RATIOS)


def test_one_formula_for_pieces_whose_number_grows_with_k():
    """Distance on a line, geometric prior: m of the K outputs; at K = 2 and t > 2 both, worth -1/(t + 1)."""
    family = {"utility": "absolute", "prior_formula": "2**(K-i)/(2**K-1)", "largest": 11}
    found = discover(**family)
    (part,) = found.parts
    assert not found.left
    assert (part.verdict, str(part.index.last), str(part.when)) == (Verdict.CERTIFIED, "K", "True")
    assert part.value_at({"K": Fraction(2), "t": Fraction(3)}) == Fraction(-1, 4)
    own, last = "j == Piecewise((i, i <= m - 1), (m, True))", "j <= m"  # the labels from m on share one
    assert str(part.channel) == f"Piecewise((t/(m + t - 1), {own}), (1/(m + t - 1), {last}), (0, True))"
    assert _agrees(found) == [7 * len(_RATIOS)]
    # the largest K, which is not fitted, refuses it: another value of one piece is enough
    samples = Samples(found.family, 11)
    assert indexed(samples)[0].optimum == part.optimum
    (lower, upper, value), *others = samples.pieces({"K": Fraction(11)})
    samples.known[(("K", Fraction(11)),)] = [(lower, upper, value - 1), *others]
    assert not indexed(samples)


def _halves(size, m):
    """|i - j|, an even number of labels, halves released as labels 2 m - 1 apart: 1, 3, ... between 1 and K."""
    half, t = size // 2, sp.Symbol("t")
    labels = (half - m + 1, half + m)
    sums = [-sum(abs(i - c) for i in range(1, size + 1)) for c in labels]
    own = -2 * sum(abs(i - labels[0]) for i in range(1, half + 1))
    return ((t - 1) * own + sum(sums)) / (size * (t + 1))


def test_the_two_halves_of_a_line_have_the_optimum_below_three():
    """What discover("absolute", largest=22) says of even K, at K = 12 to 16: labels m of K/(K - 4 m), and of none else."""
    family = family_of("absolute")
    for size in (12, 14, 16):
        utility, prior = family.problem({"K": Fraction(size)})
        for t in (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3)):
            values = [_halves(size, m).subs("t", sp.Rational(str(t))) for m in range(1, size // 2 + 1)]
            assert float(max(values)) == pytest.approx(_pairwise(utility, prior, t), abs=1e-8)


def _planted(value, sizes, last):
    """Samples of which the pieces, counted from infinity down, have these values, each above one end: K - m + 2."""
    samples = Samples(family_of("absolute"), max(sizes), only_known=True)
    for size in sizes:
        tops = [sp.oo, *(sp.Integer(2 * size - m) for m in range(1, last(size)))]
        pieces = [(low, top, value(size, m)) for m, (low, top) in enumerate(pairwise([*tops, 1][::-1]), start=1)]
        samples.known[(("K", Fraction(size)),)] = pieces
    return samples


def test_the_parity_of_a_piece_stands_in_its_formula(monkeypatch):
    """Planted values with floor(m/2) in them; of three pieces nothing could refuse a parity, so none is told."""
    t = sp.Symbol("t")
    monkeypatch.setattr("lpmech.discovery.indexed.disagreement", lambda part, samples: None)

    def value(size, m):
        return (size + m // 2) / (t + sp.Integer(2 * m))

    (part,) = indexed(_planted(value, range(2, 14), lambda size: size))
    assert "Mod(m, 2)" in str(part.value)
    assert part.index.last == Name("K")
    found = part.value_at({"K": Fraction(9), "t": Fraction(7)})
    assert found == max(Fraction(9 + m // 2, 7 + 2 * m) for m in range(1, 10))
    assert not indexed(_planted(value, range(2, 14), lambda size: 3))


def test_runs_of_bins_by_the_parity_of_the_index():
    """|i - j| below plain RR, fitted to K <= 19: p threes, twos, singles, and as many threes; checked at K = 30."""

    def pattern(size, m):
        left, right = (m - 1) // 2, m // 2
        sizes = [*[3] * left, *[2] * (2 - m % 2), *[1] * (size - 3 * m - 1), *[2] * (m % 2), *[3] * right]
        labels = [1] * (left + 2 - m % 2) + [0] * (size - 3 * m - 1 + m % 2) + [1] * right
        ends = [0, *np.cumsum(sizes).tolist()]
        return [bins.Bin(a + 1, b, a + 1 + shift) for (a, b), shift in zip(pairwise(ends), labels, strict=True)]

    known = {(size, m): pattern(size, m) for size in range(8, 22) for m in range(1, (size - 2) // 3 + 1)}
    assert groups.fitted_groups(known, ("K", "m")) is None
    found = groups.fitted_groups(known, ("K", "m", "odd"))
    for m in (4, 7):
        own = [one for group in found for one in group.bins({"K": 30, "m": m, "odd": m % 2})]
        assert own == pattern(30, m)
    (first, *_), last = known[21, 6], known[21, 6][-1]
    known[21, 6] = [first, *known[21, 6][1:-1], last._replace(label=last.label - 1)]
    assert groups.fitted_groups(known, ("K", "m", "odd")) is None


def test_what_a_miss_costs_may_depend_on_the_true_label():
    """A hit of label i worth i: the hit rate under the prior 2i/(K(K+1)), (K+1)/2 times. Or a miss costs i: minus that."""
    worth = discover(utility_formula="Piecewise((i, i == j), (0, True))")
    cost = discover(utility_formula="Piecewise((0, i == j), (-i, True))")
    for found, shift in ((worth, 0), (cost, Fraction(5, 2))):
        assert found.is_proved
        # K = 4, t = 3: the two largest, 3 * (3 + 4)/4 /(3 + 1), or three, 3 * 9/4 /(3 + 2); k = 3 is the better one
        assert found.parts[0].value_at({"K": Fraction(4), "t": Fraction(3)}) == Fraction(27, 20) - shift
        assert min(_agrees(found, range(2, 7))) > 0


@pytest.mark.parametrize("utility", ["absolute", "squared", "near"])
def test_where_no_formula_is_found_contiguous_bins_are_the_optimum(utility):
    """At every point of every K up to 8."""
    found = discover(utility, prior_formula="2**(K-i)/(2**K-1)", largest=8)
    assert not found.left or found.left.endswith(
        "points compared the optimum is that of contiguous bins, each released as one label"
    )


def test_a_utility_by_remainders_has_other_channels():
    apart = discover(utility_formula="Mod(i*j, 3)*i", largest=6).left
    assert (
        apart == "no closed form found: at K = 6 for t from 1, 2 of 2 pieces; exact there for each K (lpmech regimes); "
        "with so few pieces, more labels may show a formula for each remainder of K by 2 or 3 (--largest 26)"
    )


def test_a_window_on_one_side_has_a_formula_by_the_parity_of_k():
    """With 14 labels the odd K with two pieces are too few; (K - 1)/2 labels, or one more, are released."""
    family = "Piecewise((1, 0 <= j - i and j - i <= 1), (0, True))"
    assert "by 2 or 3 (--largest 26)" in discover(utility_formula=family, largest=10).left
    found = discover(utility_formula=family, largest=15)
    assert not found.left
    odd = [(part.optimum, str(part.when)) for part in found.parts if "== 1" in str(part.when)]
    assert odd == [
        ("2*t*(K - 1)/(K*(K + 2*t - 3))", "K >= 7 and Mod(K, 2) == 1 and t <= (K - 3)/2"),
        ("2*(K*t + 1)/(K*(K + 2*t - 1))", "K >= 3 and Mod(K, 2) == 1 and t >= (K - 3)/2"),
    ]
    # every second label has 1/K, the others what is left of V = 2 (K t + 1)/(K (K + 2 t - 1)): K = 3 has t/(3 (t + 1))
    last = found.parts[-1]
    assert str(last.dual) == (
        "Piecewise(((-K + 2*t + 3)/(K*(K + 2*t - 1)), i <= 1), "
        "((-K + 2*t + 3)/(K*(K + 2*t - 1)), Mod(i - 2, 2) == 1), (1/K, True))"
    )
    _agrees(found, range(2, 13))


def test_parameters_are_refused_where_a_formula_is_fitted():
    rotating = "Piecewise((1, i == j), (a, Mod(j - i, K) == 1), (0, True))"
    with pytest.raises(InvalidInputError, match="no parameters beside K where a formula is fitted"):
        discover(utility_formula=rotating, param=["a real > 0"], where=["a < 1"])


def test_best_bins_are_the_best_of_all_of_them():
    """Every way to cut five labels, each bin released as its best label, the others alike."""
    rng = random.Random(5)
    for _ in range(5):
        size, t = 5, Fraction(rng.randint(11, 60), 10)
        utility = [[Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(size)] for _ in range(size)]
        prior = [Fraction(rng.randint(1, 5)) for _ in range(size)]
        best = []
        for cuts in (c for n in range(size) for c in combinations(range(1, size), n)):
            bins = list(pairwise([0, *cuts, size]))
            for labels in product(range(size), repeat=len(bins)):
                columns = [label for (first, last), label in zip(bins, labels, strict=True) for _ in range(first, last)]
                paid = (
                    prior[i] * ((t - 1) * utility[i][columns[i]] + sum(utility[i][label] for label in labels))
                    for i in range(size)
                )
                best.append(sum(paid) / (t + len(bins) - 1))
        assert best_on_bins(utility, prior, t)[0] == max(best)


def test_a_sum_that_is_no_closed_form_is_fitted_not_an_error():
    """The harmonic numbers: sympy knows them, formulas here do not; four of them are no formula in m and its parity."""
    found = discover(utility_formula="Piecewise((1/i, i == j), (0, True))", largest=8)
    assert str(found.parts[0].when) == "t <= 2"
    assert all(part.index is None for part in found.parts)
    assert min(_agrees(found, range(2, 9))) > 0


def test_formulas_begin_somewhere():
    """Three in a row, the likeliest three first; a piece that ends only from some K on stopped the search before."""
    found = discover("near", prior="falling", largest=11)
    assert [str(part.when) for part in found.parts][:2] == [
        "K >= 4 and t <= K/(K - 3)", "K >= 5 and t >= K/(K - 3) and t <= (K - 1)/(K - 4)",
    ]  # fmt: skip
    assert min(_agrees(found)) > 0
    pairs = discover(
        utility_formula="Piecewise((1, floor((i + 1)/2) == floor((j + 1)/2)), (0, True))",
        where=["Mod(K, 2) == 0"],
        largest=12,
    )
    assert [(part.optimum, str(part.when)) for part in pairs.parts] == [
        ("1", "K == 2"), ("2*t/(K + 2*t - 2)", "K >= 4"),
    ]  # fmt: skip
    assert not pairs.left


def test_wrong_formulas_are_refused():
    """Each is right at one K at least, or nearly so."""
    samples = Samples(family_of("hit"), 5)
    t, K = Name("t"), Name("K")
    assert disagreement(Part(t / (t + K - 1)), samples) is None
    for wrong in (t / (t + K), t / (t + 1), (t + 1) / (t + K), t / (t + K - 1) + (K - 2) * (K - 3)):
        assert "the optimum is" in disagreement(Part(wrong), samples)
    absolute = Samples(family_of("absolute"), 5)
    value = -(K - 1) * (K + 1) / (3 * (K + t - 1))
    assert disagreement(Part(value, t >= 8, exactly=True), absolute) is not None  # it is optimal earlier
    assert disagreement(Part(value, t >= 2), absolute) is not None


@pytest.mark.parametrize("changed", [12, 13], ids=["at the last but one", "at the last"])
def test_what_holds_up_to_a_size_is_refused_by_the_two_that_were_held_out(changed):
    values = {size: Fraction(size * size, size + 1) for size in range(2, 14)}
    assert str(fitted(values)) == "K**2/(K + 1)"
    assert fitted({**values, changed: values[changed] + 1}) is None


def test_interpolation_needs_more_values_than_coefficients():
    squares = {(size,): Fraction(size**2) for size in range(2, 8)}
    assert str(through(squares, ("K",))) == "K**2"
    assert through(dict(list(squares.items())[:4]), ("K",)) is None


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"prior_formula": "1/(K + 1)"}, InvalidInputError, "at K = 2 it sums to 2/3"),
        ({"prior_formula": "Piecewise((1/K, K <= 6), (1/7, True))"}, InvalidInputError, "at K = 8 it sums to 8/7"),
        ({"prior_formula": "Piecewise((1/K, K <= 30), (2/K, True))"}, InvalidInputError, "every K; K = 31"),
        ({"prior_formula": "Piecewise((2, i == 1), ((0 - 1)/(K - 1), True))"}, InvalidInputError, "at K = 2 an entry is -1"),
        ({"utility": lambda i, j, K: random.random()}, InvalidInputError, "function of i, j, K alone; at K = 2"),
        ({"utility": lambda i, j, K: i / j}, InvalidInputError, "whole numbers and fractions; at K = 2"),
        ({"utility_formula": "1/(K - 5)"}, InvalidInputError, "at K = 5, i = 1, j = 1: division by zero"),
        ({"utility": "circle"}, InvalidInputError, "one of hit, absolute"),
        ({"prior": "ordered", "utility": "ring"}, InvalidInputError, "ordered with the utility hit only"),
        ({"largest": 31}, InvalidInputError, "6 to 30; at 22 labels a minute or two"),
        ({"largest": 2}, InvalidInputError, "6 to 30"),
        ({"largest": 10**400}, InvalidInputError, "6 to 30"),
        ({"utility_formula": "sqrt(i)"}, InvalidInputError, r"at K = 5, i = 2, j = 1 it is sqrt\(2\)"),
        ({"utility_formula": "tanh(i - j)"}, InvalidInputError, r"at K = 2, i = 1, j = 2 it is -tanh\(1\)"),
        ({"utility_formula": "factorial(10**9)"}, InvalidInputError, r"j = 1: factorial\(1000000000\)"),
        ({"utility_formula": "9**(9**(9**i))"}, InvalidInputError, "a power of more than"),
        ({"utility": "absolute", "prior": "one-likelier"}, InvalidInputError, "no parameters beside K"),
        ({"where": ["t >= 3"]}, InvalidInputError, "hypotheses on K and parameters"),
        ({"param": ["i >= 0"]}, InvalidInputError, "none of them called i or j"),
        ({"utility_formula": "i +"}, FormulaError, "utility"),
        ({"utility_formula": "t*i"}, FormulaError, "utility"),
    ],
)  # fmt: skip
def test_what_is_no_family_is_refused_by_name(arguments, error, says):
    with pytest.raises(error, match=says):
        discover(**arguments)


def test_interrupted_search_goes_on(tmp_path, monkeypatch):
    """What was computed before the interruption is not computed again, and gives the same; other files are refused."""
    file, solved = tmp_path / "kept.json", []
    original = parts.regimes_of

    def counted(program):
        solved.append(len(program.weights))
        if solved == [2, 3, 4, 5]:
            raise KeyboardInterrupt
        return original(program)

    monkeypatch.setattr(parts, "regimes_of", counted)
    found = discover("absolute", largest=8, keep=file)
    assert "exact optima for K = 2..4," in found.compared
    assert found.compared.endswith("ended by an interruption")
    found = discover("absolute", largest=8, keep=file)
    assert solved == [2, 3, 4, 5, 5, 6, 7, 8]
    assert found.as_row == discover("absolute", largest=8, keep=file).as_row
    assert solved == [2, 3, 4, 5, 5, 6, 7, 8]
    discover("squared", largest=6, keep=file)  # another family in the same file
    assert solved[8:] == [2, 3, 4, 5, 6]
    file.write_text("K = 2\n")
    with pytest.raises(DataFileError, match="that lpmech discover has written"):
        discover("absolute", largest=8, keep=file)
    with pytest.raises(InvalidInputError, match="names or formulas"):
        discover(lambda i, j, K: -abs(i - j), largest=6, keep=tmp_path / "other.json")


def test_a_limit_gives_what_was_found(capsys):
    """Exact optima end with half of the time; what is fitted to them is printed, and that the time was over."""
    with pytest.raises(SystemExit, match="1"):
        main(["discover", "--utility", "squared", "--largest", "30", "--timeout", "6"])
    printed = capsys.readouterr().out
    assert printed.rstrip().endswith("ended by the limit of 6 seconds")
    assert "compared with exact optima for K = 2.." in printed
    assert "K = 2..30" not in printed
    nothing = discover("squared", largest=30, timeout_seconds=1e-6)
    assert nothing.parts == ()
    assert nothing.left.startswith("no closed form found")
    with pytest.raises(InvalidInputError, match="timeout_seconds: got 0"):
        discover("hit", timeout_seconds=0)


def test_what_was_fitted_before_an_interruption_is_given(monkeypatch):
    """The last piece of near hits is fitted before the one before it."""

    def interrupted(samples, upwards):
        for number, part in enumerate(ends(samples, upwards)):
            if number == 1:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(search, "ends", interrupted)
    found = discover(utility_formula="-Min(abs(i-j), 2)", largest=9)
    assert [part.optimum for part in found.parts] == ["2*(K - 1)**2/(K*(-K - t + 1))"]
    assert found.compared.endswith("ended by an interruption")


def test_progress_is_told_of_what_is_computed():
    """It was told of every instance before the first was computed."""
    computed = []

    def progress(instances, total):
        for at in instances:
            computed.append(int(at["K"]))
            yield at

    original = parts.Samples.pieces
    seen = []

    def pieces(self, at):
        seen.append((int(at["K"]), len(computed)))
        return original(self, at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts.Samples, "pieces", pieces)
        discover("hit", progress=progress)
    assert seen[:7] == [(K, K - 2) for K in range(2, 9)]


def test_an_end_without_a_root_is_written_without_one():
    """2^K is no root; a square's root is the polynomial where its sign is known from the first K on."""
    rational = {k: sp.Rational(k * 2**k + 1, 2**k - 1) for k in range(2, 12)}
    assert str(fitted_end(rational, Fraction(2))) == "(2**K*K + 1)/(2**K - 1)"
    K = sp.Symbol("K")
    square = (K - 3) ** 2 * (K + 1) ** 2 / 4
    at_least = {least: square_root(square, follows(Whole(Name("K")), Name("K") >= least)) for least in (2, 3)}
    assert str(at_least[2]) == "sqrt((K - 3)**2*(K + 1)**2/4)"
    assert str(at_least[3]) == "(K - 3)*(K + 1)/2"
    assert str(square_root(K * (K + 1) ** 2, follows())) == "sqrt(K*(K + 1)**2)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(('"oo"', new) for new in ('"t"', '"1/0"', '"2"', "3")),
        *(('"1"', new) for new in ('"t"', '"1/0"', '"2"', "3")),
        *(('"-1/(t + 1)"', new) for new in ('"sqrt(t)"', '"1/0"', '"x"', "3")),
    ],
)
def test_kept_pieces_that_are_none_are_refused(tmp_path, old, new):
    """Ends from 1 to infinity, rising; values that are rational in t. Each of these ended in sympy's errors before."""
    file = tmp_path / "kept.json"
    discover("absolute", largest=6, keep=file)
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(DataFileError, match="that lpmech discover has written"):
        discover("absolute", largest=6, keep=file)


def test_small_sizes_alone_are_no_exceptions():
    """Pieces listed K by K, with none beyond them, would look like a formula for every K."""
    found = discover("absolute", largest=6)
    assert found.left
    assert not any("K == 6" in str(part.when) for part in found.parts)


@pytest.mark.parametrize(
    ("family", "parts"),
    [
        ("--utility ring", 2),
        ("--utility cube", 1),
        ("--utility hit --prior one-likelier", 2),
    ],  # of a no formula is made
)
def test_claims_are_written_that_run_and_refuse_mutants(family, parts, tmp_path):
    file = tmp_path / "found.py"
    with pytest.raises(SystemExit, match="0"):
        main(["discover", *family.split(), "--claim", str(file)])
    results = list(run_claims(select_claims([str(file)]), 1, SelfTest.SAMPLED))
    assert [(result.id, result.verdict, result.complaints) for result in results] == [
        (f"optimum {number}", "certified", ()) for number in range(1, parts + 1)
    ]


def test_claims_are_of_a_family_that_can_be_named_and_of_right_formulas():
    with pytest.raises(InvalidInputError, match="names or formulas"):
        claims_of(discover("hit", prior="ordered"), {"utility": "hit"})
    wrong = list(compared(family_of("hit"), "t/(t + K)", largest=3))
    assert "K = 2, t = 2: the optimum is 2/3, not 1/2" in wrong


def test_picture_has_a_curve_for_each_part_and_number_of_labels(tmp_path):
    """At K = 2 and a = 1/2 randomised response is best for every t; the curve is t/(t + 1)."""
    found = discover("hit", prior="one-likelier")
    lines = plot_discovery(found).get_lines()
    drawn = [line for line in lines if len(line.get_xdata())]
    assert len(drawn) == 2 * len(found.parts) * 3  # K = 2, 3, 4, 6, 9, 14
    curve = drawn[1]
    t = np.exp(curve.get_xdata())
    assert curve.get_ydata() == pytest.approx(t / (t + 1), abs=1e-3)
    with pytest.raises(SystemExit, match="0"):
        main(["discover", "--utility", "hit", "--picture", str(tmp_path / "hit.png")])
    assert (tmp_path / "hit.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(InvalidInputError, match="name or a formula"):
        plot_discovery(discover("hit", prior="ordered"))


def test_a_picture_has_no_gap_where_one_part_takes_over():
    """Gaps say that no formula was found; here one of two proved parts ends where the other begins."""
    lines = plot_discovery(discover("hit", prior="one-likelier")).get_lines()
    drawn = [line for line in lines if len(line.get_xdata())]
    for first, last in zip(drawn[::2], drawn[1::2], strict=True):
        known = np.isfinite(np.array([first.get_ydata(), last.get_ydata()], dtype=float))
        assert (known[:, 1:] & known[:, :-1]).any(axis=0).all()


@pytest.mark.parametrize("option", ["--claim", "--picture", "--proof"])
def test_what_is_found_is_told_before_a_file_of_it_is_refused(option, tmp_path, capsys):
    """A picture of nothing ended with a traceback, a file of no claims was one that verify refused."""
    file = tmp_path / ("nothing.png" if option == "--picture" else "nothing")
    with pytest.raises(SystemExit, match="2"):
        main(["discover", "--utility-formula", "2**(-abs(i-j))", "--largest", "6", option, str(file)])
    printed = capsys.readouterr()
    assert "no closed form found: at K = 6" in printed.out
    assert f"{option[2:]}: got" in printed.err
    assert not file.exists()


def test_a_picture_of_parts_with_gaps_warns_of_nothing(recwarn):
    plot_discovery(discover("absolute", largest=6))
    assert not recwarn.list


def test_lines_and_latex(capsys):
    found = discover("subset")
    told = list(found.lines(steps=True))
    assert told[1] == "proved: d*t/(d*t + K - d)"
    assert told[-1].startswith("compared with exact optima for K = 2..8")
    assert any("lpmech.discovery.rings" in line for line in told)
    assert latex(found) == r"\frac{d t}{d t + K - d}"
    with pytest.raises(SystemExit, match="1"):
        main(["discover", "--utility-formula", "-(abs(i-j))", "--largest", "8", "--json"])
    assert '"if and only if": true' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("family", "unchecked"),
    [
        ({"utility": "ring"}, 0),
        ({"prior": "falling"}, 0),
        ({"utility_formula": "Piecewise((i, i == j), (0, True))"}, 0),
        ({"prior_formula": "2**(K-i)/(2**K-1)"}, 0),
        ({"utility": "squared", "largest": 6}, 0),
        ({"utility": "cube"}, 2),  # sums of binomials have no object
    ],
    ids=str,
)
def test_what_is_proved_has_objects_that_the_checker_follows(family, unchecked):
    """Its own part and the algebra of its lemma; a text changed in one of them is refused."""
    found = discover(**family)
    text = proofs(found)
    shown = check_file(parse(text)).shown
    assert sum(bool(one.unchecked) for one in shown) == unchecked
    told = {lemma.told for part in found.parts for lemma in part.lemmas}
    assert told
    assert all(any(one.name.startswith(lemma) for one in shown) for lemma in told)
    wrong = text.replace("N*t/(t*N + K - N)", "N*t/(t*N + K)").replace("t*(P + p)/(t + k)", "t*(P + p)/(t + k + 1)")
    wrong = wrong.replace("t/(K + t - 1)", "t/(K + t)")
    assert wrong != text
    with pytest.raises(RefusedProofError):
        check_file(parse(wrong))


def test_what_is_not_proved_has_no_objects(tmp_path):
    found = discover("near", largest=6)
    with pytest.raises(InvalidInputError, match="some part is proved"):
        proofs(found)
    file = tmp_path / "hit.json"
    with pytest.raises(SystemExit, match="0"):
        main(["discover", "--proof", str(file)])
    with pytest.raises(SystemExit, match="0"):
        main(["certify", str(file)])


@pytest.mark.parametrize(
    ("utility", "prior"),
    [
        ("Piecewise((1, i == j), (1/2, i + j == 21), (0, True))", "1/K"),
        ("Piecewise((K - 11, i == j), (0, True))", "1/K"),
        ("Piecewise((1, i == j), (0, True))", "Piecewise((1/K, K <= 3*5), (1, i == 1), (0, True))"),
    ],
)
def test_a_conjecture_ends_where_a_number_of_the_family_may_make_it_another(utility, prior):
    """All of these are other formulas at more labels than were compared, and were conjectured for all K."""
    found = discover(utility_formula=utility, prior_formula=prior, largest=8)
    fitted_parts = [part for part in found.parts if part.verdict is Verdict.CERTIFIED]
    assert fitted_parts
    for size in (12, 16, 22):
        for t in map(Fraction, (2, 50)):
            at = {"K": Fraction(size), "t": t}
            u, p = found.family.problem({"K": Fraction(size)})
            best = _pairwise(u, p, t)
            for part in (one for one in found.parts if one.covers(at)):
                assert float(part.value_at(at)) == pytest.approx(best, abs=1e-7)
    assert not any(part.covers({"K": Fraction(22), "t": Fraction(10**6)}) for part in fitted_parts)


@pytest.mark.parametrize(
    ("utility", "furthest"),
    [
        ("-(i - j)**2/100", 2), ("-3*Abs(i - j)/(100*K)", 0), ("Piecewise((1, i < 3*5), (0, True))", 15),
        ("2**(K - i)/(2**K - 1)", 2), ("100 - K", 100), ("Min(Abs(i - j), 20)", 20),
    ],
)  # fmt: skip
def test_numbers_of_a_family_common_factors_aside(utility, furthest):
    assert family_of(utility_formula=utility).furthest == furthest


#: Family, and channel and dual of each of its parts: those of the lemmas.
_WITNESSES = [
    (
        {"utility": "hit"},
        [("Piecewise((t/(t + K - 1), i == j), (1/(t + K - 1), True))", "t/(K*(K + t - 1))")],
    ),
    (
        {"prior": "one-likelier"},
        [
            ("Piecewise((1, j == 1), (0, True))", "Piecewise((a, i == 1), (0, True))"),
            # pi_i = (t p_i - t/(K + t - 1))/(t - 1)
            (
                "Piecewise((t/(t + K - 1), i == j), (1/(t + K - 1), True))",
                "Piecewise((t*(K*a + a*t - a - 1)/((t - 1)*(K + t - 1)), i == 1), "
                "(t*(K*a + a*t - a - t)/((1 - t)*(K - 1)*(K + t - 1)), True))",
            ),
        ],
    ),
    (
        {"prior": "ordered"},
        [
            (
                "Piecewise((t/(t + k - 1), i <= k and i == j), (1/(t + k - 1), i <= k and j <= k), (1/k, j <= k), (0, True))",
                "Piecewise(((t*p_i - t*P_k/(t + k - 1))/(t - 1), i <= k), (0, True))",
            )
        ],
    ),
    (
        {"utility": "subset"},
        [
            (
                "Piecewise((K*t/(binomial(K, d)*(d*t + K - d)), u_ij == 1), (K/(binomial(K, d)*(d*t + K - d)), True))",
                "d*t/(K*(d*t + K - d))",
            )
        ],
    ),
    (
        {"utility_formula": "Piecewise((1, Min(abs(i-j), K-abs(i-j)) <= 1), (0, True))", "where": ["K >= 5"]},
        [
            (
                "Piecewise((t/(3*t + K - 3), Min(Abs(i - j), K - Abs(i - j)) <= 1), (1/(3*t + K - 3), True))",
                "3*t/(K*(3*t + K - 3))",
            )
        ],
    ),
]


@pytest.mark.parametrize(("family", "expected"), _WITNESSES, ids=str)
def test_channel_and_dual_of_known_families(family, expected):
    found = discover(**family)
    for part, (channel, dual) in zip(found.parts, expected, strict=True):
        assert str(part.channel) == channel
        assert str(part.dual) == dual
    assert sum(_agrees(found)) > 0


@pytest.mark.parametrize(
    "family",
    [{"utility": name} for name in ("window", "ring", "cube", "ball", "subset")]
    + [
        {"prior": "falling"},
        {"prior_formula": "2*i/(K*(K+1))"},
        {"utility_formula": "Piecewise((i, i == j), (0, True))"},
    ],
    ids=str,
)
def test_what_is_proved_has_channel_and_dual(family):
    found = discover(**family)
    assert found.is_proved
    assert all(part.channel is not None and part.dual is not None for part in found.parts)
    row, latex_lines = found.as_row["parts"][0], latex_of_witnesses(found).splitlines()
    assert row["channel"] == str(found.parts[0].channel)
    assert f"    dual: pi_i = {row['dual']}" in found.lines()
    assert [line.split(" = ")[0] for line in latex_lines[:2]] == ["q^{(1)}_{ij}", r"\pi^{(1)}_i"]


def test_a_fitted_channel_has_a_head_and_a_tail():
    """Between the last two pieces of (i - j)^2 the two labels at either end share one, and all others have their own."""
    found = _slow("squared", 14)
    part = found.parts[-2]
    assert part.verdict is Verdict.CERTIFIED
    assert str(part.channel) == (
        "Piecewise((t/(K + t - 3), j == Piecewise((2, i <= 2), (i, i <= K - 2), (K - 1, True))), "
        "(1/(K + t - 3), j >= 2 and j <= K - 1), (0, True))"
    )
    assert part.dual is None  # too few K for a formula
    assert "    dual: none of a clean form found" in found.lines()
    assert min(_agrees(found)) > 0


def test_the_slack_of_a_bin_goes_to_its_first_label_as_far_as_it_may():
    """(i - j)^2, nine labels, the piece before the last: 1 and 2 are released as 2, 8 and 9 as 8, the others alone."""
    samples, at = Samples(family_of("squared"), 9), {"K": Fraction(9)}
    lower, upper, value = samples.pieces(at)[-2]
    part = Part(read_formula(str(value), ["t"]), read_condition(f"t >= {lower} and t <= {upper}", ["t"]))
    utility, prior = samples.problem(at)
    own = best_on_bins(utility, prior, samples.points(at)[-3][0])[1]
    assert own == [bins.Bin(1, 2, 2), *(bins.Bin(i, i, i) for i in range(3, 8)), bins.Bin(8, 9, 8)]
    found, bounds = groups.fitted_groups({(9,): own}, ("K",)), slacks.Bounds.of(part, samples, 9, own)
    (shares,) = bounds.shares(found)
    assert shares == ((slacks.MOST, slacks.EQUAL), (slacks.EQUAL,), (slacks.EQUAL, slacks.MOST))
    assert bounds.allow(found, shares)
    even = ((slacks.EQUAL,) * 2, (slacks.EQUAL,), (slacks.EQUAL,) * 2)
    assert not bounds.allow(found, even)
    assert len(bounds.points) == 4
    for t, best in bounds.points:
        pi = [sum(map(operator.mul, dual, (1, t, t * t))) / ((t - 1) * (t + 6)) for dual in bounds.duals(found, shares)]
        assert sum(pi) == best
        for j in range(9):
            slack = [prior[i] * utility[i, j] - pi[i] for i in range(9)]
            assert sum(x * (t if x > 0 else 1) for x in slack) <= 0


@pytest.mark.thorough
def test_a_dual_that_is_one_from_some_size_on():
    """Of the smallest two K the part is told apart, without a dual; at the next two it is looked at in each piece."""
    found = _slow("squared", 16)
    assert [str(one.when)[:6] for one in found.parts[-4:-1]] == ["K == 6", "K == 7", "K >= 8"]
    assert [one.dual is None for one in found.parts[-4:-1]] == [True, True, False]
    samples, part, looked_at = Samples(found.family, 9), found.parts[-2], 0
    for at in ({"K": Fraction(8)}, {"K": Fraction(9)}):
        utility, prior = samples.problem(at)
        for t, best in samples.points(at):
            if part.covers({**at, "t": t}):
                assert float(best) == pytest.approx(_pairwise(utility, prior, t), abs=1e-7)
                _witnessed(part, at, utility, prior, t)
                looked_at += 1
    assert looked_at == 4


@pytest.mark.parametrize(
    ("family", "channel", "says"),
    [
        ({"utility": "hit"}, "Piecewise((t/(t + K - 1), i == j), (1/(t + K), True))", "row 1 of the channel sums to"),
        ({"utility": "hit"}, "1/K", "the channel's value is 1/2, the optimum"),
        ({"utility": "hit"}, "Piecewise((1, i == j), (0, True))", "column 1 of the channel has 1 and 0"),
        ({"utility": "hit"}, "Piecewise((t/(t + K - 1), i == j), (1/(t + K - 1), K < 8), (0, True))", "K = 8, t = "),
        ({"utility": "hit"}, "Piecewise((2, i == j), (-1/(K - 1), True))", "an entry of the channel is -1"),
        ({"utility": "hit"}, "Piecewise((1, j == 1))", "no case applies"),
        ({"utility": "ring"}, "Piecewise((1/K, i == j), (1/K, True))", "the channel's value is"),
        ({"utility": "subset"}, "Piecewise((t/(t + K - 1), u_ij == 1), (1/(t + K - 1), True))", "the channel sums to"),
    ],
)  # fmt: skip
def test_a_planted_wrong_channel_is_refused(family, channel, says, monkeypatch):
    found = discover(**family)
    part = replace(found.parts[0], channel=read_formula(channel, ["i", "j", "u_ij", "K", "t", "d", "w"]))
    (why,) = refused(part, Samples(found.family, 8)).values()
    assert says in why
    monkeypatch.setattr(search, "_proved_everywhere", lambda family: [part])
    with pytest.raises(SolverError, match="proved, yet"):
        discover(**family)


@pytest.mark.parametrize(
    ("dual", "says"),
    [
        ("t/(K*(K + t))", "the dual sums to"),
        ("Piecewise((t/(K + t - 1), i == 1), (0, True))", "the dual's constraint of released label 2 is exceeded"),
        (
            "t/(K*(K + t - 1)) + Piecewise((1/1000, i == 1), (-1/1000, i == K), (0, True))",
            "released label 2 is exceeded",
        ),
        ("1/(i - 1)", "an entry of the dual is not defined"),
    ],
)
def test_a_planted_wrong_dual_is_refused(dual, says):
    found = discover("hit")
    part = replace(found.parts[0], dual=read_formula(dual, ["i", "K", "t"]))
    (why,) = refused(part, Samples(found.family, 8)).values()
    assert says in why


def test_a_dual_is_checked_beside_the_ends_of_a_piece():
    """Six labels on a line, t from 2.69 to 11.84: the same slack within each bin is a dual but for the last part of it.

    Bins 1..2, 3, 4, 5..6, released as 2, 3, 4, 5: columns sum to -11/6 and -9/6, the slack is (V - C_j)/(t - 1) a bin.
    """
    value = "-(t + 19)/(3*(t + 3))"
    outer, inner = f"({value} + 11/6)/(2*(t - 1))", f"({value} + 9/6)/(t - 1)"
    dual = f"Piecewise((-1/6 - {outer}, i == 1 or i == 6), (-{outer}, i == 2 or i == 5), (-{inner}, True))"
    when = read_condition("K == 6 and t >= 27/10 and t <= 592/50", ["K", "t"])
    part = Part(read_formula(value, ["t"]), when, dual=read_formula(dual, ["i", "t"]))
    samples = Samples(family_of("absolute"), 6)
    assert disagreement(part, samples) is None
    (why,) = refused(part, samples).values()
    assert Fraction(why.split("t = ")[1].split(":")[0]) > 11
    plain = dict(samples.points({"K": Fraction(6)}))
    assert max(t for t in plain if t < Fraction(592, 50)) < 11


def test_a_dual_is_checked_at_every_t_of_a_piece():
    """Right at all t that are compared at K = 3, and beside the ends of the piece; between them the sum alone is."""
    found, at = discover("hit"), {"K": Fraction(3)}
    samples = Samples(found.family, 3)
    wave = "*".join(f"(t - {t})" for t, _ in samples.points(at, to_the_ends=True))
    (part,) = found.parts
    dual = f"t/(K*(K + t - 1)) + Piecewise(({wave}/9, i == 1), (-{wave}/9, i == 2), (0, True))"
    wrong = replace(part, when=read_condition("K == 3", ["K"]), dual=read_formula(dual, ["i", "K", "t"]))
    (why,) = refused(wrong, samples).values()
    t = Fraction(why.split("t = ")[1].split(" ")[0])
    assert "the dual's constraint of released label" in why
    weights, pi = [Fraction(1, 3)] * 3, [_number(dual, {**at, "t": t, "i": Fraction(i)}) for i in (1, 2, 3)]
    slack = [[w * (i == j) - one for i, (w, one) in enumerate(zip(weights, pi, strict=True))] for j in range(3)]
    assert max(sum(x * (t if x > 0 else 1) for x in column) for column in slack) > 0


@pytest.mark.parametrize(
    ("lower", "upper", "is_one"),
    [
        ("2 - sqrt(2)/2", "2 + sqrt(2)/2", True),
        ("3/2", "2 + sqrt(2)/2", True),
        ("3/2", "3", False),
        ("1", "3/2", False),
        ("2 + sqrt(2)/2", "oo", False),
    ],
)
def test_the_end_of_a_dual_may_be_a_root(lower, upper, is_one):
    """One label of weight 0: its dual -2 t^2 + 8 t - 7 must not be negative, and is not from 2 - 1/sqrt(2) to there."""
    dual = "-2*t**2 + 8*t - 7"
    weights = np.array([[Fraction(0)]], dtype=object)
    why = wrong_on_piece(read_formula(dual, ["t"]), [{}], weights, *map(sp.sympify, (lower, upper, dual)))
    assert (why == "") == is_one
    if not is_one:
        t = Fraction(why.split("t = ")[1].split(" ")[0])
        assert sp.sympify(lower) < sp.Rational(t) < sp.sympify(upper)
        assert _number(dual, {"t": t}) < 0


def test_bins_are_refused_that_the_two_largest_sizes_do_not_have(monkeypatch):
    """What is fitted to the smaller K is no channel where another one is planted at a larger one."""
    found = _slow("near", 30)
    part = next(one for one in found.parts if "Mod(K, 3) == 0" in str(one.when))
    bare, original = replace(part, channel=None, dual=None), bins.best_on_bins

    def planted(utility, prior, t, ties=(1, 1)):
        value, own = original(utility, prior, t, ties)
        return value, [*own[:-1], bins.Bin(*own[-1][:2], own[-1].label + 1)] if len(prior) == 27 else own

    samples = Samples(found.family, 30)
    assert bins.witnessed(bare, samples) == [part]
    monkeypatch.setattr(bins, "best_on_bins", planted)
    assert bins.witnessed(bare, samples) == [bare]


def test_a_claim_with_a_wrong_entry_is_refused(tmp_path):
    """Channel and dual stand in the claims that are written, and are checked with the value."""
    text = claims_of(discover("ring"), {"utility": "ring"})
    assert text.count("channel=") == text.count("dual=") == 2
    family, value = family_of("hit"), "t/(K + t - 1)"
    right = "Piecewise((t/(t + K - 1), i == j), (1/(t + K - 1), True))"
    assert set(compared(family, value, channel=right, dual="t/(K*(K + t - 1))", largest=4)) == {True}
    (why,) = set(compared(family, value, channel=right.replace("i == j", "i == j + 1"), largest=4)) - {True}
    assert why.startswith("channel: K = 2, t = ")
