"""`lpmech check` of functions of the prior: proved for all priors and all t on two to four labels, or refuted."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech.conjectures.checks import check
from lpmech.conjectures.domain import read_domain
from lpmech.conjectures.source import conjecture_from_file
from lpmech.errors import UndecidedError
from lpmech.programs.solvers.prior_regions_in_t import value_at
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.programs.solvers.systems_in_t import SystemInT
from lpmech.statements import every_prior
from lpmech.statements.every_prior import optimum_over_priors
from lpmech.statements.recording import NotRecordedError
from lpmech.utilities import hit
from lpmech.verdicts import Verdict

PROVED, CERTIFIED, REFUTED = Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED
OPTIMAL, VALUE = "optimal", "value of the optimum"
ALGORITHM = Path(__file__).parents[1] / "examples" / "conjecture_rr_with_prior.py"

#: The optimum of ghazi2021's Theorem 3 for hits.
BEST = """
def value(t, prior):
    p = sorted(prior, reverse=True)
    best = max(sum(p[:k]) * t / (t + k - 1) for k in range(1, len(p) + 1))
"""


def checked(tmp_path, code, params=(), where=("K <= 3",), prior="any", utility=None, largest=3):
    """What was settled, by the name of the requirement."""
    path = tmp_path / "conjecture.py"
    path.write_text(code)
    conjecture = conjecture_from_file(path, read_domain(params, where, prior))
    return {one.requirement: one for one in check(conjecture, utility, largest)}


def test_the_algorithm_is_proved_for_all_priors(tmp_path):
    found = checked(tmp_path, ALGORITHM.read_text())
    names = ("rows sum to one", "epsilon-private", OPTIMAL)
    assert [found[name].outcome.verdict for name in names] == [PROVED] * 3
    assert found[OPTIMAL].outcome.evidence == "all priors and all t > 1, K <= 3 at K = 2..3"


def test_more_labels_are_certified_on_a_family(tmp_path):
    """The verdict is that of the weakest part; what is proved stands beside it."""
    found = checked(tmp_path, BEST + "    return best", where=(), largest=5)[VALUE]
    assert found.outcome.verdict is CERTIFIED
    assert found.domain.startswith("all priors and all t > 1 at K = 2..4 (proved); all t > 1 at K = 5; priors with")


def test_the_theorem_is_used_on_four_labels_only():
    """On three labels the regions are computed: at each prior their largest value is that of the theorem."""
    by_theorem, computed = optimum_over_priors(hit(4)), optimum_over_priors(hit(3))
    assert by_theorem.by
    assert not computed.by
    sets = [s for n in (1, 2, 3) for s in combinations(range(3), n)]
    for t in (Fraction(5, 4), Fraction(3), Fraction(40)):
        at = RealRoot.rational(fmpq(t.numerator, t.denominator))
        vectors = next(one[2] for one in reversed(computed.intervals) if at.compared(one[0]) > 0)
        for prior in (
            [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
            [Fraction(1, 10), Fraction(8, 10), Fraction(1, 10)],
        ):
            values = [sum(p * value_at(r, t) for p, r in zip(prior, vector, strict=True)) for vector in vectors]
            assert max(values) == max(sum(prior[y] for y in s) * t / (t + len(s) - 1) for s in sets)
    with pytest.raises(NotRecordedError):
        optimum_over_priors(hit(4) * 2)


def test_another_rule_for_the_number_of_labels_is_refuted(tmp_path):
    """Labels are kept above t/(2 (t + 1)) of the largest probability, not above the sum of the others' shares."""
    best = "max(range(1, len(prior) + 1), key=lambda k: sum(prior[y] for y in order[:k]) * t / (t + k - 1))"
    rule = "sum(1 for p in prior if 2 * p * (t + 1) >= t * prior[order[0]])"
    code = ALGORITHM.read_text()
    assert best in code
    found = checked(tmp_path, code.replace(best, rule))
    assert found["epsilon-private"].outcome.verdict is PROVED
    assert found[OPTIMAL].outcome.verdict is REFUTED
    # kept: both labels, hit rate t/(t + 1) = 3/5 against the largest probability 2/3
    assert found[OPTIMAL].witness.where == "K = 2, t = 3/2, prior (2/3, 1/3)"


@pytest.mark.parametrize(
    ("otherwise", "witness"),
    [
        ("best if p[-1] * 97 >= 1 else best * (1 + p[-1] * t / 100)", "K = 2, t = 2, prior (97/98, 1/98)"),
        ("best if p[0] * 97 != 60 else best + 1", "K = 2, t = 2, prior (37/97, 60/97)"),
        ("best if t * (p[1] + 1) != 7 * p[0] else best + p[0] - p[1]", None),
        ("best / (p[0] - p[0]) if 50 * p[0] == 33 and t > 7 else best", "K = 2, t = 8, prior (17/50, 33/50)"),
        ("best if len(p) == 2 or p[2] * 31 != 7 else t", None),
    ],
)  # fmt: skip
def test_an_error_on_few_priors_is_found(tmp_path, otherwise, witness):
    """None of the family of priors, nor of small or random ones, meets these; the last but one raises."""
    found = checked(tmp_path, BEST + f"    return {otherwise}")[VALUE]
    assert found.outcome.verdict is REFUTED
    assert witness is None or found.witness.where == witness


def test_a_case_that_is_right_is_proved(tmp_path):
    """At a tie of two labels both are kept: (p1 + p2) t/(t + 1)."""
    tie = "sum(p[:2]) * t / (t + 1) if len(p) == 2 and p[0] == p[1] else best"
    assert checked(tmp_path, BEST + f"    return {tie}")[VALUE].outcome.verdict is PROVED


def test_a_function_that_is_wrong_on_four_labels_only_is_found(tmp_path):
    """Nothing but a tie of four labels meets it."""
    code = BEST + "    return best + (len(p) == 4 and p[0] == p[3]) / 97"
    assert checked(tmp_path, code)[VALUE].outcome.verdict is PROVED
    found = checked(tmp_path, code, where=("K == 4",), largest=4)[VALUE]
    assert found.outcome.verdict is REFUTED
    assert found.witness.where.endswith("prior (1/4, 1/4, 1/4, 1/4)")


def test_another_utility(tmp_path):
    """Of |i - j| on two labels: always one of them, or randomised response, which errs with 1/(t + 1)."""
    code = "def value(t, prior):\n    a, b = prior\n    return -min(a, b, (a + b) / (t + 1))"
    assert checked(tmp_path, code, where=("K <= 2",), utility="absolute")[VALUE].outcome.verdict is PROVED


def test_hypotheses_on_t_and_the_prior_are_used(tmp_path):
    code = BEST + "    return best if t <= 3 and prior[0] >= prior[-1] else 0"
    for where, prior, verdict in (
        (("K <= 3", "t <= 3"), "ordered", PROVED), (("K <= 3", "t <= 4"), "ordered", REFUTED),
        (("K <= 3", "t <= 3"), "any", REFUTED),
    ):  # fmt: skip
        assert checked(tmp_path, code, where=where, prior=prior)[VALUE].outcome.verdict is verdict


def test_errors_that_are_caught_are_not_believed(tmp_path):
    """An `except` tells a name from a number."""
    code = BEST + "    try:\n        hash(t)\n    except TypeError:\n        return 0\n    return best"
    assert checked(tmp_path, code)[VALUE].outcome.verdict is CERTIFIED


ONE = RealRoot.rational(fmpq(1))
_POLYNOMIAL = st.lists(st.integers(-3, 3), min_size=1, max_size=3).map(fmpz_poly)


@st.composite
def systems(draw):
    labels = draw(st.integers(2, 3))
    vectors = st.lists(st.tuples(*[_POLYNOMIAL] * labels), max_size=3).map(tuple)
    return SystemInT(labels, draw(vectors), draw(vectors))


def _values(vectors, t):
    return [
        [Fraction(int(v.p), int(v.q)) for v in (entry(fmpq(t.numerator, t.denominator)) for entry in one)]
        for one in vectors
    ]


@settings(max_examples=60, deadline=None)
@given(systems())
def test_a_solution_solves_and_none_is_none(system):
    """Against scipy's programs at some t: the largest margin of the strict inequalities."""
    try:
        found = system.solution(ONE, None)
    except UndecidedError:  # at an irrational t
        return
    if found is not None:
        t, prior = found
        assert t > 1
        assert sum(prior) == 1
        assert min(prior) >= 0
        weak, strict = (
            [sum(a * p for a, p in zip(v, prior, strict=True)) for v in _values(vectors, t)]
            for vectors in (system.weak, system.strict)
        )
        assert all(value >= 0 for value in weak)
        assert all(value > 0 for value in strict)
        return
    for t in (Fraction(11, 10), Fraction(2), Fraction(7, 2), Fraction(30)):
        weak, strict = (
            np.array(_values(vectors, t), dtype=float).reshape(-1, system.labels)
            for vectors in (system.weak, system.strict)
        )
        above = np.vstack(
            [np.hstack([-weak, np.zeros((len(weak), 1))]), np.hstack([-strict, np.ones((len(strict), 1))])]
        )
        bounds = [(0, 1)] * system.labels + [(None, 1)]
        total = [[*[1] * system.labels, 0]]
        best = linprog([*[0] * system.labels, -1], above, np.zeros(len(above)), total, [1], bounds)
        assert best.status == 2 or -best.fun < 1e-7


def test_what_is_recorded_is_compared_with_calls_at_each_number_of_labels(tmp_path, monkeypatch):
    """Were it compared at K = 2 only, what goes wrong in a record on three labels would be believed."""
    called = []
    monkeypatch.setattr(every_prior, "compare", lambda values, statement, point, sizes: called.append(point))
    checked(tmp_path, BEST + "    return best")
    assert {len(point["prior"]) for point in called} == {2, 3}
