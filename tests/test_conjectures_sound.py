"""`lpmech check` says proved of nothing that is false, refuted of nothing that is true, and takes anybody's parameters.

Every test of the first half was wrong once: the comment says what was answered.
"""

import json
import os
import signal

import pytest
import sympy as sp
from commands import lpmech
from test_conjectures import counterexample, from_code, from_text, verdicts

from lpmech.conjectures import check, check_table, conjecture_from_text, read_domain
from lpmech.conjectures.checks import summary
from lpmech.conjectures.running import Request, checked
from lpmech.conjectures.statement import check_statement
from lpmech.errors import ChannelError, DataFileError, FormulaError, InvalidInputError, SolverError
from lpmech.files.child import in_own_process, within
from lpmech.privacy import PrivacyLevel
from lpmech.verdicts import Verdict

PROVED, CERTIFIED, REFUTED, UNDECIDED = Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED, Verdict.UNDECIDED

RR = "[[(t if y == j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]"


def test_optimal_needs_a_channel_for_every_number_of_labels():
    # was: optimal proved for all K, because the proof looked at the diagonal only
    found = from_text("t/(t+K-1), 1/(t+K-1)+(K-2)*(K-3)", largest=3)
    assert verdicts(found)["rows sum to one"] is REFUTED
    assert verdicts(found)["optimal"] is UNDECIDED
    assert counterexample(found).startswith("K = 4, t = 2")
    rows = next(check(conjecture_from_text("t/(t+K-1), 1/(t+K-1)+(K-2)*(K-3)*(K-4)*(K-5)*(K-6)"), largest=3))
    assert "K = 7, t = 2" in rows.outcome.counterexample  # beyond `largest`: found by the engine
    assert "row 0 sums to 721" in rows.outcome.counterexample


def test_a_counterexample_with_a_million_labels_is_told_in_time():
    # was: a million label counts were written down, until the time was over
    assert counterexample(from_text("t/(t+K-1)+Piecewise((1, K > 10**6), (0, True))", largest=2)).startswith(
        "K = 1000001"
    )


def test_radicals_are_understood(tmp_path):
    # was: refuted, radicals were compared by `cancel`
    assert verdicts(from_text("((sqrt(t)-1)*(sqrt(t)+1)+1)/(t+K-1)")) == {"value of the optimum": PROVED}
    # the truncated geometric mechanism; was: rows refuted at K = 6
    code = """
from sympy import Rational
def channel(t, K):
    r = t ** Rational(-1, K - 1)
    rows = [[(1 - r) / (1 + r) * r ** abs(y - j) for j in range(K)] for y in range(K)]
    for y, row in enumerate(rows):
        row[0], row[-1] = r ** y / (1 + r), r ** (K - 1 - y) / (1 + r)
    return rows
"""
    found = from_code(tmp_path, code, largest=4)
    assert verdicts(found)["rows sum to one"] is verdicts(found)["epsilon-private"] is CERTIFIED
    assert found[0].outcome.evidence.startswith("all t > 1 at K = 2..4")


def test_randomised_response_at_half_the_level(tmp_path):
    # was: exit 2 without a verdict, or evaluated at 15 points only
    code = "from sympy import sqrt\ndef channel(t, K):\n    t = sqrt(t)\n    return " + RR
    found = from_code(tmp_path, code, largest=3)
    assert verdicts(found)["epsilon-private"] is PROVED  # sympy's functions take the numbers that are recorded
    assert "e^level = 2 at K = 2, t = 4" in found[2].outcome.evidence
    assert verdicts(found)["optimal"] is REFUTED
    symbolic = from_text("sqrt(t)/(sqrt(t)+K-1), 1/(sqrt(t)+K-1)", largest=2)
    assert symbolic[2].outcome.evidence.startswith("e^level = sqrt(t), for all")
    assert verdicts(symbolic)["epsilon-private"] is PROVED


@pytest.mark.parametrize("text", ["t/(t+K-1.00000000000001)", "0.33333333333333*3*t/(t+K-1)"])
def test_decimals_are_the_numbers_they_print(text):
    assert verdicts(from_text(text)) == {"value of the optimum": REFUTED}  # was: proved, they were rounded


def test_decimals_that_are_exact():
    assert verdicts(from_text("0.50*2*t/(t+K-1)")) == {"value of the optimum": PROVED}


@pytest.mark.parametrize(
    "factor", ["(K**2-18*K+81)/(K-9)**2", "(K-9)/(K-9)", "(K-9)**0*Piecewise((1, K < 9), (1, K > 9))"]
)
def test_a_formula_that_is_not_defined_at_nine_labels(factor):
    found = from_text(f"t/(t+K-1)*{factor}", largest=3)  # was: proved for all K
    assert verdicts(found) == {"value of the optimum": REFUTED}
    assert "K = 9" in counterexample(found)


def test_one_irrational_level(tmp_path):
    # was: certified for all t > 1 in both cases
    code = f"def channel(t, K):\n    if t * t == 2:\n        return [[1] * K] * K\n    return {RR}"
    found = from_code(tmp_path, code, largest=3)
    assert counterexample(found) == "K = 2, t = sqrt(2): row 0 sums to 2, not 1"
    code = (
        f"def channel(t, K):\n    if t * t < 2: a = t\n    if t * t > 2: a = t\n    return {RR.replace('t if', 'a if')}"
    )
    found = from_code(tmp_path, code, largest=3)
    assert counterexample(found).startswith("K = 2, t = sqrt(2): not defined (NameError")


def test_a_cubic_level_and_a_rational_pole(tmp_path):
    code = "def value(t, K):\n    return t / (t + K - 1) + (1 if t ** 3 - t - 1 == 0 else 0)"
    assert "CRootOf(x**3 - x - 1, 0)" in counterexample(from_code(tmp_path, code, largest=2))
    code = "def value(t, K):\n    return t / (t + K - 1) * (t - 3) / (t - 3)"
    assert "t = 3: value is not defined" in counterexample(from_code(tmp_path, code, largest=2))


def test_break_points_that_do_no_harm(tmp_path):
    code = f"def channel(t, K):\n    if t * t <= 2 or t > 3:\n        return {RR}\n    return {RR}"
    assert verdicts(from_code(tmp_path, code, largest=3))["optimal"] is CERTIFIED


def test_every_family_is_named(tmp_path):
    code = f"def channel(t, prior):\n    K = len(prior)\n    return {RR}"
    found = from_code(tmp_path, code, largest=5)
    assert verdicts(found)["optimal"] is REFUTED
    for name in ("uniform", "K, ..., 2, 1", "1, 2, 4, ...", "K, 1, ..., 1", "10 random ones (seed 0)"):
        assert name in found[0].outcome.evidence
    # the tight level, too; was: K <= 5 whatever --largest says
    assert "K = 2..4 (proved); all t > 1 at K = 5;" in found[2].outcome.evidence


def test_a_family_of_priors_is_not_all_of_them(tmp_path):
    """Was proved: with K listed, all instances of a domain were thought to be there, whatever their priors."""
    code = "def value(t, prior, m):\n    return max(*prior, t / (t + 1)) if 97 * prior[0] != 5 else m"
    found = from_code(tmp_path, code, params=["each K in 2..2", "each m in 1..1"])
    assert verdicts(found)["value of the optimum"] is not PROVED


def test_nothing_is_proved_of_nothing():
    with pytest.raises(InvalidInputError, match=r"K > 3, K < 2 contradict each other"):
        read_domain(where=["K > 3", "t < 100", "K < 2"])
    with pytest.raises(InvalidInputError, match="largest"):
        from_text("t**K - exp(t**K)", where=["K >= 12"], utility="absolute")
    with pytest.raises(InvalidInputError, match="settled"):
        summary([])


def test_a_utility_of_the_file_and_a_named_one(tmp_path):
    code = f"def utility(K): return [[1] * K] * K\ndef channel(t, K): return {RR}"
    with pytest.raises(InvalidInputError, match="utility"):  # was: --utility ignored
        from_code(tmp_path, code, "hit")


def test_what_only_plain_numbers_have_is_no_refutation(tmp_path):
    code = "def value(t, K):\n    a = t if t < 3 or t.is_real else 0\n    return a / (t + K - 1)"
    (finding,) = from_code(tmp_path, code, largest=2)
    assert finding.outcome.verdict is CERTIFIED
    assert finding.outcome.evidence.startswith("t in {101/100")  # not all t > 1


@pytest.mark.parametrize(
    "asks",
    [
        "try:\n        if t.denominator == 1 and t == seven: return 0\n    except AttributeError: pass",
        "try:\n        if float(t) == seven: return 0\n    except Exception: pass",
        "try:\n        if divmod(t, seven) == (1, 0): return 0\n    except TypeError: pass",
        "try:\n        if t in {seven}: return 0\n    except TypeError: pass",
        "try:\n        if sympy.sympify(t) == seven: return 0\n    except Exception: pass",
        "if getattr(t, 'is_integer', False) and t == seven: return 0",
        "if isinstance(t, sympy.Integer) and t == seven: return 0",
        "if not hasattr(t, 'expression') and t == seven: return 0",
        "if str(t) == str(seven) or repr(t) == str(seven): return 0",
        "if issubclass(type(t), sympy.Integer) and t == seven: return 0",
        "if t is sympy.Integer(seven): return 0",
        "import operator\n    if operator.is_(t, sympy.Integer(seven)): return 0",
        "if not hasattr(t, '_trace') and t == seven: return 0",
        "if not hasattr(t, 'node') and t == seven: return 0",
        "try: t.exp()\n    except AttributeError:\n        if t == seven: return 0",
        "match t:\n        case object(path=_): pass\n        case _ if t == seven: return 0",
        "if not hasattr(t, 'ke' + 'pt') and t == seven: return 0",
        "ask = hasattr\n    if not ask(t, '_tr' + 'ace') and t == seven: return 0",
        "if getattr(t, 'ke' + 'pt', None) is None and t == seven: return 0",
        "from operator import attrgetter\n    try: attrgetter('ke' + 'pt')(t)\n    except AttributeError:\n"
        "        if t == seven: return 0",
        "try: '{0.kept}'.format(t)\n    except AttributeError:\n        if t == seven: return 0",
        "if 'A rational function' not in (t.__doc__ or '') and t == seven: return 0",
        "if 'lpmech' not in getattr(t, '__module__', '') and t == seven: return 0",
        "try: len(t)\n    except TypeError as e:\n        if 'Traced' not in str(e) and t == seven: return 0",
        "match t:\n        case object(_trace=_): pass\n        case _ if t == seven: return 0",
        "kind = ().__class__.__class__\n    if kind(t).__name__ == 'Integer' and t == seven: return 0",
    ],
)
def test_what_a_file_asks_and_catches_ends_the_following(tmp_path, asks):
    # was: certified for all t > 1, though the value is 0 at t = 7, which does not stand in the code
    code = f"import sympy\ndef value(t, K):\n    seven = len('7 signs')\n    {asks}\n    return t / (t + K - 1)"
    (finding,) = from_code(tmp_path, code, largest=2)
    assert finding.outcome.verdict is CERTIFIED
    assert finding.domain.startswith("t in {101/100, 5/4")
    assert "all t" not in finding.domain


def test_numbers_that_stand_in_a_file_are_tried_where_it_is_not_followed(tmp_path):
    # was: certified at the ladder, which has no 7
    code = "def value(t, K):\n    if type(t) is not str and t == 7: return 0\n    return t / (t + K - 1)"
    assert "t = 7" in counterexample(from_code(tmp_path, code, largest=2))


def test_a_float_in_a_comparison_is_followed_as_the_decimal_that_it_prints(tmp_path):
    # was: certified at the ladder, which has no 7
    code = "def value(t, K):\n    if t + 0.5 == 7.5: return 0\n    return t / (t + K - 1)"
    assert "t = 7: the formula gives 0" in counterexample(from_code(tmp_path, code, largest=2))


def test_a_bare_except_does_not_swallow_a_break_point(tmp_path):
    # was: all t > 1 at the first point that is a break point
    code = "def value(t, K):\n    try:\n        if t == 2 or t * t == 3: return 0\n    except: pass\n    return t / (t + K - 1)"
    assert counterexample(from_code(tmp_path, code, largest=2)).startswith("K = 2, t = 2")


@pytest.mark.parametrize(
    "code",
    [
        "kept = {}\ndef value(t, K):\n    t = kept.setdefault(0, t)\n    return t / (t + K - 1)",
        "kept = {}\ndef value(t, K):\n    return 0 if kept.setdefault(K, t) > 5 else t / (t + K - 1)",
        "kept = {}\ndef value(t, K):\n    return kept.setdefault(K, t / (t + K - 1))",
        "def value(t, K): return 0 if type(t).__name__ == 'Fraction' else t / (t + K - 1)",
        "def value(t, K): return 0 if type(t) is not int and isinstance(t, int) else t / (t + K - 1)",
    ],
)
def test_a_function_of_more_than_the_values_of_its_arguments_is_refused(tmp_path, code):
    # was: a traceback, or certified
    with pytest.raises(InvalidInputError, match=r"between calls|earlier call|another type of t"):
        from_code(tmp_path, code, largest=2)


def test_numbers_of_other_kinds_are_followed(tmp_path):
    code = """
from fractions import Fraction
from sympy import Rational
import numpy as np
def channel(t, K):
    rows = np.array([[Fraction(1, 2) * t ** (y == j) for j in range(K)] for y in range(K)], dtype=object)
    rows = (rows + Rational(1, 2) * rows) * 4 / 3
    return (rows / sum([Rational(K - 1), t, Fraction(0)])).tolist()
"""
    found = from_code(tmp_path, code, largest=2)
    assert {f.domain for f in found} == {"all t > 1 at K = 2; uniform prior"}
    assert verdicts(found)["optimal"] is CERTIFIED


# ---- the language


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("t^2/(t+K-1)", "not \\^"),
        ("t.real + 1", "t.real"),
        ("__import__('os').getcwd()", "__import__"),
        ("gamma(t) + 1", "gamma"),
        ("t/(t+k-1)", "'k'"),
        ("t[0]", "t\\[0\\]"),
        ("lambda: 1", "lambda"),
        ("(x := 1)", "x := 1"),
        ("1e999999999*t", "exponents"),
        ("t**10000", "exponents"),
        ("1/(t-t)", "real numbers"),
        ("(" * 300 + "t" + ")" * 300, "conjecture"),
        ("Sum(t, (t, 1, K))", "index"),
        ("sqrt(t, 2)", "sqrt"),
    ],
)
def test_what_is_outside_the_language_is_named(text, part):
    with pytest.raises(FormulaError, match=part):
        conjecture_from_text(text)


def test_formula_text_is_not_executed(tmp_path):
    target = tmp_path / "touched"
    with pytest.raises(FormulaError):
        conjecture_from_text(f"open({str(target)!r}, 'w')")
    assert not target.exists()


@pytest.mark.parametrize(
    "text",
    [
        "Sum(t, (i, 1, K))/(K*(t+K-1))",
        "Max(t, 1)/(t+K-1)",
        "Piecewise((t, t > 7), (t, True))/(t+K-1)",
        "t/(t+K-1)*binomial(K, 2)*2/(K*(K-1))",
        "(t if t > 2 else t)/(t+K-1)",
        "t/(t+K-1+floor(K)-K)",
    ],
)
def test_functions_of_the_language(text):
    assert verdicts(from_text(text, largest=3)) == {"value of the optimum": PROVED}


def test_hypotheses_matter():
    text = "t/(t+K-1) + Max(0, 7-K)*Max(K-5, 0)"  # wrong at K = 6 only
    assert "K = 6" in counterexample(from_text(text))
    assert verdicts(from_text(text, where=["K >= 7"], largest=8)) == {"value of the optimum": PROVED}


# ---- parameters of one's own


def test_a_mixture_for_all_weights():
    text = "lam*t/(t+K-1)+(1-lam)/K, lam/(t+K-1)+(1-lam)/K"
    found = from_text(text, params=["lam in [0, 1]"], largest=2)
    assert verdicts(found)["rows sum to one"] is verdicts(found)["epsilon-private"] is PROVED
    assert "real t, lam with t > 1, K >= 2, 0 <= lam <= 1" in found[0].outcome.evidence
    assert verdicts(found)["optimal"] is REFUTED
    beyond = from_text(text, params=["lam real >= 0"], largest=2)
    assert verdicts(beyond)["epsilon-private"] is REFUTED  # negative entries for large lam


def test_a_window_on_a_ring(tmp_path):
    code = """
def near(y, j, K, w): return min((y - j) % K, (j - y) % K) <= w
def utility(K, w): return [[int(near(y, j, K, w)) for j in range(K)] for y in range(K)]
def channel(t, K, w):
    z = (2 * w + 1) * t + K - 2 * w - 1
    return [[(t if near(y, j, K, w) else 1) / z for j in range(K)] for y in range(K)]
"""
    right = from_code(tmp_path, code, params=["w>=0"], where=["2*w+1<=K"], largest=4)
    assert verdicts(right)["optimal"] is CERTIFIED
    assert "w >= 0" in right[0].outcome.evidence.replace("w>=0", "w >= 0")
    wrong = from_code(tmp_path, code, params=["w>=0"], largest=3)  # the window is wider than the ring
    assert "K = 2, t = 2, w = 1" in counterexample(wrong)


def test_subsets_as_outputs(tmp_path):
    code = """
from itertools import combinations
from math import comb
def outputs(K, m): return list(combinations(range(K), m))
def utility(K, m): return [[int(y in s) for s in outputs(K, m)] for y in range(K)]
def channel(t, K, m):
    z = comb(K - 1, m - 1) * t + comb(K - 1, m)
    return [[(t if y in s else 1) / z for s in outputs(K, m)] for y in range(K)]
"""
    found = from_code(tmp_path, code, params=["m integer in [1, K]"], largest=4)
    assert verdicts(found)["optimal"] is CERTIFIED
    assert "m = 2" in found[2].outcome.evidence  # constant where m = K
    without = code.replace("def utility", "def unused")
    with pytest.raises(InvalidInputError, match="outputs are not numbers"):
        from_code(tmp_path, without, params=["m integer in [1, K]"], largest=2)
    few = code.replace("def outputs(K, m): return list", "def outputs(K, m): return ['x'] or list")
    with pytest.raises(InvalidInputError, match="distinct name"):
        from_code(tmp_path, few.replace("for s in outputs(K, m)]", "for s in combinations(range(K), m)]"),
                  params=["m integer in [1, K-1]"], largest=2)  # fmt: skip


def test_an_ordered_prior(tmp_path):
    code = (
        "def value(t, prior):\n    return max(prior[0], (prior[0] + prior[1]) * t / (t + 1)) if len(prior) == 2 else 0"
    )
    assert verdicts(from_code(tmp_path, code, where=["K <= 2"], prior="ordered"))["value of the optimum"] is PROVED
    wrong = from_code(tmp_path, code, where=["K <= 2"])
    assert "prior (0, 1)" in counterexample(wrong)


@pytest.mark.parametrize(
    "text", ["t >= 2", "w + v >= 0", "lam in [0]", "w >=", "", "K in [1, 2]", "w integer in [0, x]"]
)
def test_texts_that_are_no_parameters(text):
    with pytest.raises(InvalidInputError, match="param"):
        read_domain([text])


# ---- a process of its own


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("exit(0)", "ends the program"),
        ("def value(t, K): exit(0)", "does not end the program"),
        ("x = [0] * 10**10\ndef value(t, K): return t", "MemoryError"),
        ("def value(t, K): return value(t, K)", "RecursionError"),
    ],
)
def test_a_file_that_ends_or_crashes_is_an_error(tmp_path, code, message):
    path = tmp_path / "conjecture.py"
    path.write_text(code)
    with pytest.raises((DataFileError, InvalidInputError), match=message):  # exit(0) was: silent exit 0
        checked(Request(str(path)))


@pytest.mark.parametrize("ending", [lambda _: os._exit(0), lambda _: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_process_that_ends_by_itself_is_an_error(ending):
    with pytest.raises(DataFileError, match="does not end by itself"):
        list(in_own_process(ending, within(60), "conjecture"))


def test_an_irrational_constant_is_evaluated():
    # was: an error of lpmech's own, as sqrt(2) is no rational function of t
    findings = from_text("sqrt(2)-1, 2-sqrt(2)", largest=2, where=["K == 2"])
    assert [str(f.outcome.verdict) for f in findings[:2]] == ["proved", "refuted"]
    assert counterexample(findings).startswith("K = 2, t = 11/10: output 0: 2 - sqrt(2) = 0.585786437627")


def _interrupts(_):
    raise KeyboardInterrupt


def test_a_program_that_interrupts_itself_leaves_no_traceback(capfd):
    with pytest.raises(DataFileError, match="does not end by itself"):
        list(in_own_process(_interrupts, within(60), "conjecture"))
    assert capfd.readouterr().err == ""  # was: the traceback of the process


def test_a_hypothesis_that_is_nowhere_a_number_is_named():
    with pytest.raises(FormulaError, match=r"where: got '1/\(t-t\) > 0'"):  # was: conjecture, and nothing of the text
        _ = read_domain(where=["1/(t-t) > 0"]).hypotheses


def test_a_parameter_that_no_formula_can_name_is_refused():
    with pytest.raises(InvalidInputError, match="such as lambda"):  # was: accepted, and 'lambda*t' a syntax error
        read_domain(["lambda in [0, 1]"])


def test_what_is_not_settled_in_time_is_undecided(tmp_path):
    path = tmp_path / "conjecture.py"
    path.write_text(f"def channel(t, K):\n    while K > 2: pass\n    return {RR}")
    found = checked(Request(str(path), timeout=1.0))
    assert [f.requirement for f in found.settled] == ["rows sum to one", "epsilon-private", "tight level", "optimal"]
    assert {f.outcome.verdict for f in found.settled} == {UNDECIDED}
    path.write_text("while True: pass")
    with pytest.raises(DataFileError, match="read within"):
        checked(Request(str(path), timeout=1.0))


# ---- tables


def table(tmp_path, text, **options):
    path = tmp_path / "channel.csv"
    path.write_text(text)
    return {f.requirement: f.outcome for f in check_table(path, **options)}


def test_columns_are_matched_by_name(tmp_path):
    # was: not randomized_response, loses 44.4 %
    text = ",b,a,c\na,0.2,0.6,0.2\nb,0.6,0.2,0.2\nc,0.2,0.2,0.6\n"
    found = table(tmp_path, text, level=PrivacyLevel.from_ratio(3))
    assert found["mechanism"].evidence.startswith("it is randomized_response")
    assert found["loss against the optimum"].evidence.startswith("0 percent: expected utility 0.6")
    assert found["private at e^epsilon = 3"].verdict is CERTIFIED


def test_outputs_that_are_no_labels(tmp_path):
    # was: ab, ac, bc scored as a, b, c
    text = ",ab,ac,bc\na,0.4,0.4,0.2\nb,0.4,0.2,0.4\nc,0.2,0.4,0.4\n"
    assert set(table(tmp_path, text)) == {"rows sum to one", "tight level"}  # nothing of what they are worth
    with pytest.raises(InvalidInputError, match="ab, ac, bc, which are no labels"):
        table(tmp_path, text, utility="hit")
    gain = tmp_path / "gain.csv"
    gain.write_text(",bc,ab,ac\nc,1,0,1\nb,1,1,0\na,0,1,1\n")
    found = table(tmp_path, text, utility=str(gain))
    assert found["loss against the optimum"].evidence.startswith("0 percent: expected utility 0.8")
    decoding = tmp_path / "decoding.csv"
    decoding.write_text("output,label\nab,a\nac,c\nbc,b\n")
    decoded = table(tmp_path, text, decoding=decoding)
    assert "expected utility 0.4" in decoded["loss against the optimum"].evidence  # (0.4 + 0.4 + 0.4) / 3
    decoding.write_text("output,label\nab,a\nac,c\n")
    with pytest.raises(InvalidInputError, match="decoding"):
        table(tmp_path, text, decoding=decoding)


def test_a_rectangular_table(tmp_path):
    # was: ValueError and exit 1; here the third label is never released
    found = table(tmp_path, ",a,b\na,0.6,0.4\nb,0.4,0.6\nc,0.5,0.5\n")
    assert found["loss against the optimum"].evidence.startswith("0 percent: expected utility 0.4")


def test_printed_decimals_are_private_or_not(tmp_path):
    level = PrivacyLevel.from_epsilon(1.0)
    question = "private at epsilon = 1"
    zero = table(tmp_path, ",a,b\na,0.999999999,0.000000001\nb,1,0\n", level=level)
    assert zero[question].verdict is REFUTED  # was: supported, "epsilon = inf"
    assert "ratio infinite" in zero[question].counterexample
    # 0.73105857863, 0.26894142137: e times 0.26894142137 is 0.731058578630...: the last digit decides
    near = table(tmp_path, ",a,b\na,0.731059,0.268941\nb,0.268941,0.731059\n", level=level)
    assert near[question].verdict is Verdict.SUPPORTED
    assert "up to rounding" in near[question].evidence
    over = table(tmp_path, ",a,b\na,0.731062,0.268938\nb,0.268938,0.731062\n", level=level)
    assert over[question].verdict is REFUTED
    below = table(tmp_path, ",a,b\na,0.731,0.269\nb,0.269,0.731\n", level=level)
    assert below[question].verdict is CERTIFIED


def test_the_widest_column_is_found_exactly(tmp_path):
    # was: output 'a', whose ratio is the same in twelve digits
    found = table(tmp_path, ",a,b\na,0.75,0.24999999999999999\nb,0.25,0.75\n", level=PrivacyLevel.from_ratio(3))
    assert "output 'b' for input 'b' against 'a'" in found["tight level"].evidence
    assert "0.75 against 0.24999999999999999" in found["private at e^epsilon = 3"].evidence
    # was: refused
    found = table(tmp_path, ",a,b\na,1e-400,1\nb,0.5,0.5\n", level=PrivacyLevel.from_ratio(3))
    assert found["tight level"].evidence.startswith("epsilon = 920.340890017")
    assert "ratio 5e+399" in found["private at e^epsilon = 3"].counterexample


def test_a_table_that_is_rounded_is_supported_and_one_beyond_its_rounding_is_an_error(tmp_path):
    # e/(e+2) = 0.57611688, 1/(e+2) = 0.21194156: to four decimals a row sums to 0.9999; was: exit 2
    rows = ",a,b,c\na,0.5761,0.2119,0.2119\nb,0.2119,0.5761,0.2119\nc,0.2119,0.2119,0.5761\n"
    found = table(tmp_path, rows, level=PrivacyLevel.from_epsilon(1.0), mechanism="randomized_response")
    assert {outcome.verdict for outcome in found.values()} == {Verdict.SUPPORTED}
    assert "rounding of 4 decimals: row 'a' misses one by 0.0001" in found["rows sum to one"].evidence
    assert "it is randomized_response at epsilon = 1 up to the rounding" in found["mechanism"].evidence
    assert "each row divided by its sum" in found["rows sum to one"].evidence
    assert "whose rows are those of a channel up to rounding" in found["tight level"].evidence
    with pytest.raises(ChannelError, match=r"'b' with sum 0.9998\"; allowed: .* rounding of 4 decimals"):
        table(tmp_path, rows.replace("b,0.2119,0.5761", "b,0.2119,0.5760"))
    with pytest.raises(ChannelError, match="'a' with sum 9998/9999"):  # quotients are not rounded
        table(tmp_path, ",a,b\na,4999/9999,4999/9999\nb,1/2,1/2\n")
    with pytest.raises(ChannelError, match=r"'a' with sum 0\.9"):  # not even 0.55 and 0.45
        table(tmp_path, ",a,b\na,0.5,0.4\nb,0.5,0.5\n")
    with pytest.raises(ChannelError, match=r"-0\.00001"):
        table(tmp_path, ",a,b\na,-0.00001,1\nb,0.5,0.5\n")
    exact = table(tmp_path, ",a,b\na,0.6,0.4\nb,0.4,0.6\n")
    assert exact["rows sum to one"].verdict is exact["tight level"].verdict is CERTIFIED


def test_two_numbers_that_differ_are_printed_apart(tmp_path):
    # the ratio is 3 + 4e-30 or so, and was printed as 3 beside 3
    digits = "0.7500000000000000000000000000001,0.2499999999999999999999999999999"
    found = table(tmp_path, f",a,b\na,{digits}\nb,0.25,0.75\n", level=PrivacyLevel.from_ratio(3))
    assert (
        "0.75 against 0.2499999999999999999999999999999, ratio 3.0000000000000000000000000000012, e^epsilon = 3"
        in found["private at e^epsilon = 3"].evidence
    )
    found = table(tmp_path, ",a,b\na,3/4,1/4\nb,1/5,4/5\n", level=PrivacyLevel.from_ratio(3))
    assert "ratio 3.75, e^epsilon = 3" in found["private at e^epsilon = 3"].counterexample
    found = table(tmp_path, ",a,b\na,2/3,1/3\nb,1/7,6/7\n", level=PrivacyLevel.from_ratio(3))
    assert "2/3 against 1/7, ratio 14/3, e^epsilon = 3" in found["private at e^epsilon = 3"].counterexample


# ---- the command


def test_require_and_json(tmp_path):
    good = lpmech("check", "t/(t+K-1)", "--json", "--require", "proved")
    assert good.returncode == 0
    assert json.loads(good.stdout)["verdict"] == "proved"
    path = tmp_path / "conjecture.py"
    path.write_text("print('noise')\ndef value(t, K):\n    return t / (t + len(range(K)) - 1)")
    file = tmp_path / "out.json"
    weak = lpmech("check", path, "--json", file, "--largest", 3, "--require", "proved")
    assert weak.returncode == 1
    assert "in all: certified (value of the optimum)" in weak.stdout
    row = json.loads(file.read_text())
    assert row["requirements"][0]["verdict"] == "certified"
    assert row["asked"].startswith("whole numbers K, real t with t > 1, K >= 2")
    assert row["domain"] == row["requirements"][0]["domain"] == "all t > 1 at K = 2..3; uniform prior"
    assert "; for all t > 1 at K = 2..3; uniform prior\n" in weak.stdout
    bad = lpmech("check", "t.real", "--require", "proved")
    assert (bad.returncode, bad.stderr.count("\n")) == (2, 1)


def test_tracing_does_not_change_sympy_for_good(tmp_path):
    before = sp.sqrt
    from_code(tmp_path, "from sympy import sqrt\ndef value(t, K): return sqrt(t) ** 2 / (t + K - 1)", largest=2)
    assert sp.sqrt is before


@pytest.mark.parametrize(
    "code",
    [
        "def value(t, K): return t/(t+K-1) + 1/(1/(t-11)) - (t-11)",
        "def value(t, K):\n    unused = 1/(t-11)\n    return t/(t+K-1)",
        "def value(t, K):\n    try:\n        1/(t-11)\n    except Exception:\n        return 0\n    return t/(t+K-1)",
    ],
)
def test_a_division_by_zero_at_one_level_is_not_lost(tmp_path, code):
    # sympy's 1/(1/0) is 0, so that a rational t with a pole was taken for one without
    finding = checked(Request(conjecture=str(written(tmp_path, code)), largest=3)).settled[0]
    assert finding.outcome.verdict == "refuted"
    assert "t = 11" in finding.outcome.counterexample


def written(tmp_path, code):
    path = tmp_path / "conjecture.py"
    path.write_text(code)
    return path


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["-1/(t+1)"],
            "the formula gives -1/3 = -0.3333333333, the optimum is 2/3 = 0.6666666667",
        ),  # was: Unknown option: -1/(t+1)
        (["--t-K", "--where", "-K <= -2"], "-K <= -2"),  # was: --where requires an argument
        (["--largets", "3"], "no such option"),
        (["t", "--largets", "3"], "Unknown option"),
    ],
)
def test_a_formula_may_begin_with_a_minus_and_no_unknown_option_is_one(arguments, told):
    largest = [] if "3" in arguments else ["--largest", "2"]
    ran = lpmech("check", *arguments, *largest)
    assert told in ran.stdout + ran.stderr
    assert (ran.returncode, len(ran.stderr.splitlines())) == ((2, 1) if "3" in arguments else (1, 0))


@pytest.mark.parametrize("typed", ["0.1000000000000000000001", "0.1000000000000000055511151231257827", "1e-400", "nan"])
def test_an_epsilon_that_no_float_prints_is_refused(tmp_path, typed):
    # was: certified of a table that is private at the nearest float only
    table = tmp_path / "table.csv"
    table.write_text("label,a,b\na,0.525,0.475\nb,0.475,0.525\n")
    for command in (["check", table], ["reproduce", "numbers"], ["epsilons", "examples/wine.csv"]):
        ran = lpmech(*command, "--epsilon", typed)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert f"--epsilon: got {typed}" in ran.stderr


_STATEFUL = {
    "an answer by K": ("seen = {}", "if K not in seen: seen[K] = t > 100\n    wrong = seen[K]", "seen"),
    "a counter": ("calls = 0", "global calls\n    calls += 1\n    wrong = calls > 50", "calls"),
    "a default": ("def count(calls=[0]):\n    calls[0] += 1\n    return calls[0] > 50", "wrong = count()", "count"),
    "an iterator": ("import itertools\nturn = itertools.count()", "wrong = next(turn) > 50", "turn"),
    "a generator": ("turns = (i for i in range(10**6))", "wrong = next(turns) > 50", "turns"),
    "an object": (
        "class Memo:\n    __slots__ = ('calls',)\nmemo = Memo()\nmemo.calls = 0",
        "other = memo\n    other.calls += 1\n    wrong = other.calls > 50",
        "calls",
    ),
    "a closure": (
        "def made():\n    n = 0\n    def turn():\n        nonlocal n\n        n += 1\n        return n > 50\n    return turn\n"
        "turn = made()",
        "wrong = turn()",
        "turn",
    ),
    "a partial": (
        "from functools import partial\ndef count(calls): calls.append(1); return len(calls) > 50\n"
        "turn = partial(count, [])",
        "wrong = turn()",
        "turn",
    ),
    "an attribute": ("", "channel.calls = getattr(channel, 'calls', 0) + 1\n    wrong = channel.calls > 50", "calls"),
    "inside a cache": (
        "from functools import cache\n@cache\ndef memo(K): return [0]",
        "memo(K)[0] += 1\n    wrong = memo(K)[0] > 50",
        "memo",
    ),
    "a cache by hand": ("memo = {}", "memo[K] = max(memo.get(K, 0), K)\n    wrong = False", "memo"),
    "a module": ("import math\nmath.calls = 0", "math.calls += 1\n    wrong = math.calls > 50", "line 2: math.calls"),
}


@pytest.mark.parametrize("kind", _STATEFUL)
def test_a_function_that_keeps_state_between_calls_is_refused(tmp_path, kind):
    # was: certified, as those for t <= 100, or the first calls, happened to be right
    before, inside, named = _STATEFUL[kind]
    code = f"{before}\ndef channel(t, K):\n    {inside}\n    return {RR.replace('(t if', '(1 if wrong else t if')}"
    with pytest.raises(InvalidInputError, match=r"(conjecture|file): got") as caught:
        from_code(tmp_path, code, largest=2)
    assert named in str(caught.value)


def test_what_ends_with_the_call_is_no_state(tmp_path):
    code = f"""
from fractions import Fraction
from functools import cache, cached_property, lru_cache
SIZES = {{2: [1, 2], 3: [1, 2, 3]}}
class Table:
    @cached_property
    def one(self): return Fraction(1)
    def __init__(self): self.kept = []
TABLE = Table()
@cache
def labels(K): return range(K * TABLE.one.numerator)
@lru_cache(1)
def last(K): return K - 1
def add(rows, row): rows.append(row)
def channel(t, K):
    count, seen, own = 0, {{}}, Table()
    def step():
        nonlocal count
        count += 1
    rows = []
    for row in {RR}:
        step()
        own.kept.append(row)
        add(rows, own.kept[-1])
    return rows if count == K == len(labels(K)) == last(K) + 1 else None
"""
    assert verdicts(from_code(tmp_path, code, largest=3))["optimal"] is CERTIFIED


def test_an_error_of_ours_is_no_program_that_ends_by_itself():
    # was: a traceback, and the user's formula was called a program that does not end by itself
    def task(send):
        send(1 / 0)

    with pytest.raises(SolverError, match="own, not of the input: ZeroDivisionError"):
        list(in_own_process(task, within(60), "conjecture"))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        # each is false where the first alternative holds and the second is not defined; all were "proved"
        ("a != 0", "a == 0 or b/a <= 2"),
        ("a > 0", "a <= 0 or log(a) < 1"),
        ("K >= 3", "K == 2 or t/(K-2) > 1"),
        ("a < 1", "b/(1-a) <= t or a == 1"),
        ("a != b", "not (a != b and 1/(a-b) <= 1)"),
    ],
)
def test_one_true_alternative_is_enough_for_a_hypothesis(text, where):
    domain = read_domain(["a real", "b real"], [where])
    assert check_statement(text, domain).outcome.verdict is Verdict.REFUTED


def test_points_of_alternatives_do_not_depend_on_their_order():
    for where in ("K == 2 or t/(K-2) > 0", "t/(K-2) > 0 or K == 2"):
        assert read_domain([], [where]).holds({"K": sp.Integer(2), "t": sp.Integer(2)})


@pytest.mark.parametrize("where", ["log(a-4) < 3", "sqrt(a-4) < 1", "sqrt(2) < a and a < 1.41422", "log(a) > 10"])
def test_hypotheses_with_points_are_not_refused(where):
    assert read_domain(["a real"], [where]).own[0].name == "a"


@pytest.mark.parametrize("text", ["log(1/(1-a)) >= a", "(1/(1-a))**K >= 1", "sqrt(a/(1-a)) >= 0"])
def test_powers_and_logarithms_of_one_less_than_a_probability(text):
    # was: AttributeError, as the sign of a factor in a denominator became a float
    assert check_statement(text, read_domain(["a in (0, 1)"])).outcome.verdict is Verdict.PROVED


@pytest.mark.parametrize("text", ["sqrt(1+1/10**120) > 1", "(1+1/10**60)**K > 1"])
def test_numbers_with_large_prime_factors_are_not_factored(text):
    assert check_statement(text, read_domain()).outcome.verdict is Verdict.PROVED


def test_a_comment_is_refused():
    with pytest.raises(FormulaError, match="without a comment"):
        read_domain([], ["K > 2  # and t > 5"])


@pytest.mark.parametrize(
    "wrong",
    [
        "K * np.int8(3) < 0",  # -127 at K = 43
        "(np.arange(3, dtype=np.int8) * K)[1] < 0",
        "np.uint16(3) - np.uint16(2) - K > 9",
        "K * np.int64(3) < 0",  # negative at K = 4e18
        "np.int64(2)**K == 0",  # at K = 64
        "2**(np.int64(1)*K) == 0",
        "K is 53",  # as CPython keeps small numbers once
    ],
)
def test_numbers_of_few_bits_and_objects_are_not_followed(tmp_path, wrong):
    # was: proved for all K, as the recorder took int8 for a whole number, and no number notices `is`
    code = f"import numpy as np\ndef value(t, K):\n    return t if {wrong} else t/(t+K-1)"
    assert verdicts(from_code(tmp_path, code, largest=3))["value of the optimum"] is not PROVED
