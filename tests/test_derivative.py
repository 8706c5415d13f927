"""The derivative rule: standard inequalities with logarithms and exponentials, and false ones beside them."""

import pytest
import sympy as sp

from lpmech.certify.proofs import check
from lpmech.conjectures import read_domain
from lpmech.conjectures.statement import check_statement
from lpmech.prove import Holds, Undecided, prove
from lpmech.prove.derivative import follows_by_derivative
from lpmech.prove.language import stated
from lpmech.prove.objects import to_data
from lpmech.prove.proof import ProofSearch
from lpmech.prove.records import Record
from lpmech.terms import functions
from lpmech.verdicts import Verdict

PROVED = {
    "(t-1)/(t+1) <= log(t)/2": [],
    "log(t) <= (t-1)/sqrt(t)": [],
    "log(t) > 2*(t-1)/(t+1)": [],
    "x*log(x) >= -exp(-1)": ["x real > 0"],
    "(1+1/K)**K < exp(1)": [],
    "lam*t + 1 - lam > t**lam": ["lam in (0, 1)"],
    "log(2) + (t/(t+1))*log(t/(t+1)) + (1/(t+1))*log(1/(t+1)) >= 0": [],
    "log(K) + (t/(t+K-1))*log(t/(t+K-1)) + (K-1)/(t+K-1)*log(1/(t+K-1)) >= 0": [],
    "log(1+x) <= x - x**2/2 + x**3/3": ["x real >= 0"],
    "exp(x) - 1 <= 2*x": ["x in [0, 1]"],
    "-x*log(x) - (1-x)*log(1-x) <= log(2)": ["x in (0, 1)"],
    "log(1+exp(x)) >= x": ["x real"],
    "log(1+exp(x)) <= log(2) + x/2 + x**2/8": ["x real"],
    "exp(x) > 2*x": ["x real"],
    "x**x >= exp(-exp(-1))": ["x real > 0"],
    "x*log(x/y) >= x - y": ["x real > 0", "y real > 0"],
    "(exp(x)+exp(-x))/2 <= exp(x**2/2)": ["x real"],
    "lam*t + 1 - lam >= t**lam": ["lam in [0, 1]"],
    "log(1+x) <= x": ["x real > -1"],
    "exp(x) <= 1/(1-x)": ["x real < 1"],
    "exp(-x) <= 1 - x + x**2/2": ["x real >= 0"],
    "log(t)**2 <= (t-1)**2/t": [],
    "(1+1/K)**(K+1) > exp(1)": [],
    "exp(x) - 1 <= x*exp(x)": ["x real"],
    "1 - exp(-x) >= x/(1+x)": ["x real >= 0"],
    "log((1+x)/(1-x)) >= 2*x": ["x in [0, 1)"],
}


@pytest.mark.parametrize("text", PROVED)
def test_standard_inequalities(text):
    """The 26 that REVIEW B4 names or is of the kind of; not decided is -p log p - (1-p) log(1-p) >= 4 p (1-p) log 2."""
    assert check_statement(text, read_domain(PROVED[text])).outcome.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("x*log(x) > -exp(-1)", ["x real > 0"]),  # equal at 1/e
        ("x**2*exp(-x) < 4*exp(-2)", ["x real >= 0"]),  # equal at 2
        ("lam*t + 1 - lam > t**lam", ["lam in [0, 1]"]),  # equal at both ends
        ("log(t) > 2*(t-1)/(t+1) + 1/10**6", []),  # false near t = 1 only
        ("log(1+x) <= x - x**2/2 + x**3/4", ["x real >= 0"]),
        ("exp(x) >= 14*x/5", ["x real"]),  # 14/5 is more than e
        ("-x*log(x) - (1-x)*log(1-x) <= 69/100", ["x in (0, 1)"]),  # log 2 = .6931
        ("(exp(x)-1)/x >= 1", ["x real >= 0"]),  # not defined at 0
        ("(1+1/K)**K < 27/10", []),
    ],
)
def test_false_ones_are_not_proved(text, parameters):
    assert check_statement(text, read_domain(parameters), 2.0).outcome.verdict is not Verdict.PROVED


def told(statement):
    return Record("told", statement)


def test_a_pole_on_the_way_is_not_crossed():
    # -1/x + 1 is 0 at x = 1 and rises on either side of the pole at 0; at x = -1 it is 2, at x = 1/2 it is -1
    x = sp.Symbol("x")
    answer = prove(sp.Ge(1 - 1 / x + sp.exp(-1000) * 0, 0), [x >= -1, sp.Ne(x, 0)])
    assert not isinstance(answer, Holds)
    statement = stated(sp.Ge(sp.exp(1 - 1 / x) - 1, 0, evaluate=False), [x >= -1, sp.Ne(x, 0)])
    assert not follows_by_derivative(statement, lambda s: (prove(s.conclusion, s.hypotheses) or None) and told(s))


def test_what_is_not_smooth_is_left_alone():
    x = sp.Symbol("x")
    for side in (sp.Abs(x), sp.floor(x), sp.Piecewise((x, x > 1), (1, True))):
        assert not follows_by_derivative(stated(side + sp.exp(x) >= 0, [x >= 0]), told)


def test_a_strict_bound_needs_a_strict_rise():
    # questions are answered by hand: the value at the end is 0 and the slope is not negative, so < is not shown
    x = sp.Symbol("x")
    given = stated(sp.Gt(sp.exp(x), 1), [x > 0])
    never_strict = follows_by_derivative(given, lambda s: told(s) if isinstance(s.conclusion, sp.Ge) else None)
    assert not never_strict
    assert follows_by_derivative(
        stated(sp.Ge(sp.exp(x), 1), [x > 0]), lambda s: told(s) if isinstance(s.conclusion, sp.Ge) else None
    )


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Sum(1/i**2, (i, 1, K)) <= 2 - 1/K", Verdict.PROVED),
        ("Sum(1/i, (i, 1, K)) <= 1 + log(K)", Verdict.PROVED),
        ("Sum(1/sqrt(i), (i, 1, K)) >= 2*(sqrt(K+1)-1)", Verdict.PROVED),
        ("Sum(1/i, (i, 1, K)) >= log(K+1)", Verdict.PROVED),
        ("Sum(1/sqrt(i), (i, 1, K)) <= 2*sqrt(K)", Verdict.PROVED),
        ("Sum(1/i**3, (i, 1, K)) <= 3/2 - 1/(2*K**2)", Verdict.PROVED),
        ("Sum(sqrt(i), (i, 1, K)) >= 2*K*sqrt(K)/3", Verdict.PROVED),
        ("Sum(1/(K+i), (i, 1, K)) >= 1/2", Verdict.PROVED),
        ("Sum(i*t**i, (i, 1, K)) >= K*(K+1)/2", Verdict.PROVED),
        ("Sum(1/t**i, (i, 1, K)) < 1/(t-1)", Verdict.PROVED),
        ("Sum(log(i), (i, 1, K)) >= K*log(K) - K", Verdict.PROVED),
        ("Sum(1/i, (i, 1, K)) >= 1 + (K-1)/K", Verdict.PROVED),
        ("Sum(1/(i*(i+1)), (i, 1, K)) < 1", Verdict.PROVED),
        ("Sum(1/(K+i), (i, 1, K)) >= 7/12", Verdict.PROVED),  # equal at K = 2, where the induction starts
        ("Sum(1/(K+i), (i, 1, K)) > 7/12", Verdict.REFUTED),
        ("Sum(1/i**2, (i, 1, K)) <= 3/2", Verdict.REFUTED),  # true up to K = 6
        ("Sum(1/i, (i, 1, K)) <= log(K)", Verdict.REFUTED),
    ],
)
def test_sums_by_what_one_more_term_adds(text, verdict):
    """14 true ones that one more term keeps, and three false ones."""
    assert check_statement(text, read_domain()).outcome.verdict is verdict


@pytest.mark.parametrize(
    "text",
    [
        "Sum(1/i**2, (i, 1, K)) < 2",
        "Sum(1/i**2, (i, 1, K)) < 33/20",  # the limit is 1.6449
        "Sum(1/i**3, (i, 1, K)) < 5/4",  # 1.2021
        "Sum(1/(i*sqrt(i)), (i, 1, K)) < 3",  # 2.6124
        "Sum(1/factorial(i), (i, 0, K)) < 3",  # e
        "Sum(1/(i*2**i), (i, 1, K)) <= 7/10",  # log 2 = .6931; ratios of terms rise to 1/2
        "Sum(1/(2**i+1), (i, 1, K)) < 1",  # .7645; ratios fall to 1/2
        "Sum(1/2**(i**2), (i, 1, K)) < 1",
        "Sum(1/(K+i), (i, 1, K)) < 7/10",  # log 2, from below
        "2*Sum(1/(2*i-1)**2, (i, 1, K)) + 1/K < 7/2",  # pi^2/4 = 2.4674
    ],
)
def test_sums_below_a_constant_keep_a_reserve(text):
    """Not kept by one more term: what is kept is the difference to all terms to come, as 2 - 1/K."""
    assert check_statement(text, read_domain()).outcome.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Sum(1/i, (i, 1, K)) < 3", Verdict.REFUTED),  # 3.0199 at K = 11, beyond the first points
        ("Sum(1/i**2, (i, 1, K)) < 41/25", Verdict.REFUTED),  # from K = 203 on
        ("Sum(1/(K+i), (i, 1, K)) <= 69/100", Verdict.REFUTED),
        ("Sum(1/i**2, (i, 1, K)) < 16449/10000", Verdict.UNDECIDED),  # false from K = 29,353 on: pi^2/6 = 1.644934
        ("Sum(1/factorial(i), (i, 0, K)) < 271828/100000", Verdict.REFUTED),  # e = 2.718281...
        ("Sum(1/i, (i, 1, K)) < 7", Verdict.UNDECIDED),  # false from K = 616 on
        ("Sum(1/(i*log(i+1)), (i, 1, K)) < 5", Verdict.UNDECIDED),  # false far out: it diverges
    ],
)
def test_false_bounds_of_sums_have_no_reserve(text, verdict):
    assert check_statement(text, read_domain()).outcome.verdict is verdict


def test_the_witness_of_a_long_sum_is_the_smallest_one():
    assert "K = 11" in str(check_statement("Sum(1/i, (i, 1, K)) < 3", read_domain()).outcome.counterexample)


def test_what_is_left_to_products_is_not_said_to_be_tried(monkeypatch):
    """Schur's inequality has three symbols and is rational; beside logarithms the rule is tried, and said to be."""
    monkeypatch.setattr(ProofSearch, "by_squares", lambda self: Undecided("not tried"))  # they prove it
    x, y, z = sp.symbols("x y z")
    schur = x**3 + y**3 + z**3 + 3 * x * y * z >= x**2 * (y + z) + y**2 * (x + z) + z**2 * (x + y)
    beside = z * sp.log(x + y) + sp.exp(x * y * z) > -10 * x * sp.exp(z)
    for conclusion, tried in ((schur, False), (beside, True)):
        answer = prove(conclusion, [x > 0, y > 0, z > 0], timeout_seconds=1)
        assert isinstance(answer, Undecided)
        assert ("derivative" in answer.told) is tried


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("1/(x**2-2)**2 > 0", "sqrt(2)"),
        ("(x**2-5)/(x**2-5) == 1", "sqrt(5)"),
        ("exp(1/(x**2-2)) > 0", "sqrt(2)"),
        ("log((x**2-7)**2) < x + 100", "sqrt(7)"),
        ("log(Abs(x**2-13)) <= x**2 + 13", "sqrt(13)"),
        ("Abs(x**2-3) > 0", "sqrt(3)"),
        ("1/(x**4-2)**2 > 0", "2**(1/4)"),
        ("1/(x-sqrt(2))**2 > 0", "sqrt(2)"),
        ("x*sqrt(2) != 3", "3*sqrt(2)/2"),
        ("(x**2-sqrt(3))**2*exp(x) > 0", "3**(1/4)"),
        ("1/(x-2**Rational(1, 3))**2 > 0", "2**(1/3)"),
        ("log((x-sqrt(7))**2) < x + 99", "sqrt(7)"),
        ("1/(x-sqrt(2)-sqrt(3))**2 > 0", "CRootOf(x**4 - 10*x**2 + 1, 3)"),
    ],
)
def test_what_fails_at_an_algebraic_number_only(text, where):
    """Catches a search at rational numbers, and one whose polynomials have no roots among their coefficients."""
    found = check_statement(text, read_domain(["x real > 0"])).outcome
    assert found.verdict is Verdict.REFUTED
    assert f"x = {where}:" in found.counterexample


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("exp(x) != 2", "log(2)"),
        ("1/(log(x)-1)**2 > 0", "E"),
        ("log((exp(x)-3)**2) < x + 100", "log(3)"),
        ("exp(x) + 4*exp(-x) > 4", "log(2)"),  # its slope vanishes there
        ("log(x)/x < exp(-1)", "E"),
        ("x*log(x) > -exp(-1)", "exp(-1)"),
        ("x**x > exp(-exp(-1))", "exp(-1)"),
    ],
)
def test_what_fails_at_an_exponential_or_a_logarithm_only(text, where):
    """Catches a search at algebraic numbers: these were undecided."""
    found = check_statement(text, read_domain(["x real > 0"])).outcome
    assert found.verdict is Verdict.REFUTED
    assert f"x = {where}:" in found.counterexample


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("t*pi/(t*pi + K - 1) > 1/K", Verdict.PROVED),
        ("pi**t > 3", Verdict.PROVED),
        ("log(pi*t) > log(3)", Verdict.PROVED),
        ("t*exp(1)/(t*exp(1) + K - 1) > 1/K", Verdict.PROVED),
        ("pi*t > 355*t/113", Verdict.REFUTED),  # 355/113 is larger by 3e-7
        ("pi*t > 22*t/7 - t/1000", Verdict.REFUTED),  # by 2.7e-4
    ],
)
def test_numbers_of_the_circle_and_of_growth_have_signs(text, verdict):
    """pi and e are generators between rational bounds; without these neither is known to be positive."""
    assert check_statement(text, read_domain()).outcome.verdict is verdict


@pytest.mark.parametrize("number", [functions.pi, functions.E, functions.pi * functions.E])
def test_the_bounds_of_numbers_are_steps_that_the_checker_knows(number):
    """Catches bounds written as identities, which the checker refuses, and one that has no enclosure of pi."""
    t, K = functions.symbols("t K")
    answer = prove(number * t / (number * t + K - 1) > 1 / K, [t > 1, K >= 2])
    goal, told = check(to_data(answer.proof))
    assert goal.conclusion[0] == ">"
    assert not told
