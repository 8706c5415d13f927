"""`lpmech check`: right conjectures pass, wrong ones get a small exact counterexample, also when they fail late."""

from fractions import Fraction
from pathlib import Path

import pytest
from commands import lpmech

from lpmech.conjectures import (
    check,
    check_statement,
    check_table,
    conjecture_from_file,
    conjecture_from_text,
    read_domain,
)
from lpmech.conjectures.statement import is_statement
from lpmech.errors import ChannelError, DataFileError, InvalidInputError, LabelError, UtilityError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms import randomized_response, rr_top_k
from lpmech.privacy import PrivacyLevel
from lpmech.tables import read_channel, write_channel
from lpmech.verdicts import Verdict

F = Fraction
ROOT = Path(__file__).parent.parent


def from_text(text, utility=None, largest=8, params=(), where=()):
    return list(check(conjecture_from_text(text, read_domain(params, where)), utility, largest))


def from_code(tmp_path, code, utility=None, largest=8, params=(), where=(), prior="any"):
    path = tmp_path / "conjecture.py"
    path.write_text(code)
    return list(check(conjecture_from_file(path, read_domain(params, where, prior)), utility, largest))


def verdicts(findings):
    return {f.requirement: f.outcome.verdict for f in findings}


def counterexample(findings):
    return next(f.outcome.counterexample for f in findings if f.outcome.verdict is Verdict.REFUTED)


def test_randomised_response_is_proved_for_all_sizes():
    found = verdicts(from_text("t/(t+K-1), 1/(t+K-1)"))
    assert found == {
        "rows sum to one": Verdict.PROVED,
        "epsilon-private": Verdict.PROVED,
        "tight level": Verdict.PROVED,
        "optimal": Verdict.PROVED,
    }
    assert verdicts(from_text("t/(t+K-1)")) == {"value of the optimum": Verdict.PROVED}


def test_a_proof_for_the_hit_rate_is_no_proof_for_other_utilities():
    # randomised response is not optimal for |i - j|: at K = 3 and t < 2 the constant 1 is better
    found = from_text("t/(t+K-1), 1/(t+K-1)", "absolute")
    assert verdicts(found)["optimal"] is Verdict.REFUTED
    assert counterexample(found).startswith("K = 3, t = 3/2")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("t/(t+K), 1/(t+K)", "K = 2, t = 2"),  # rows do not sum to one
        ("t**2/(t**2+K-1), 1/(t**2+K-1)", "K = 2, t = 2"),  # spends twice the budget
        ("(t+1)/(t+K+1), 1/(t+K+1)*K/(K-1)", "K = 3, t = 3/2"),  # normalised, private for two labels only
    ],
)
def test_wrong_channels_have_small_counterexamples(text, where):
    assert counterexample(from_text(text)).startswith(where)


def test_a_value_that_is_wrong_from_five_labels_on():
    # agrees with the optimum at K = 2, 3, 4
    found = from_text("t/(t+K-1) + (K-2)*(K-3)*(K-4)/1000")
    assert counterexample(found).startswith("K = 5")


def test_a_channel_that_is_wrong_at_five_labels_only(tmp_path):
    code = """
def channel(t, K):
    a = t / (t + K - 1) if K != 5 else t / (t + K)
    return [[a if y == j else (1 - a) / (K - 1) for j in range(K)] for y in range(K)]
"""
    found = from_code(tmp_path, code)
    assert verdicts(found)["rows sum to one"] is Verdict.PROVED
    assert counterexample(found).startswith("K = 5")


def test_a_channel_that_is_not_private_between_two_close_levels_only(tmp_path):
    # the diagonal exceeds t times the rest for 20 < t < 20.1: no ladder of levels sees that, signs do (and near t = 1)
    code = """
def channel(t, K):
    bump = -(t - 20) * (t - 201 / K * K / 10) / (1000 * (t + 30) ** 2)
    b = 1 / (t + K - 1 + bump)
    return [[(t + bump) * b if y == j else b for j in range(K)] for y in range(K)]
"""
    found = from_code(tmp_path, code, where=["t >= 2"])
    assert verdicts(found)["epsilon-private"] is Verdict.REFUTED
    assert "K = 2, t = 2001/100" in counterexample(found)


def test_a_formula_that_branches_is_followed_for_all_t(tmp_path):
    # wrong for 20 < t < 20.1 only, between the levels of the ladder; the branch itself tells where to look
    code = """
from fractions import Fraction

def channel(t, K):
    a = t / (t + K - 1)
    if 20 < t < 20 + Fraction(1, 10):
        a = a - Fraction(1, 10**6)
    return [[a if y == j else (1 - a) / (K - 1) for j in range(K)] for y in range(K)]
"""
    found = from_code(tmp_path, code)
    assert verdicts(found)["optimal"] is Verdict.REFUTED
    assert "K = 2, t = 2001/100" in counterexample(found)


def test_a_single_level_at_which_a_formula_differs_is_found(tmp_path):
    code = """
def value(t, K):
    return t / (t + K - 1) if t != 77 else 1
"""
    assert "t = 77" in counterexample(from_code(tmp_path, code))


def test_formulas_that_cannot_be_followed_are_evaluated_on_the_ladder(tmp_path):
    code = """
def value(t, K):
    return t / (t + K - 1) + (1 if len(str(t)) > 3 else 0)
"""
    assert "t = 1000" in counterexample(from_code(tmp_path, code.replace("3", "3 and t > 500")))
    (settled,) = from_code(tmp_path, code.replace("3", "11"))
    assert settled.outcome.evidence.startswith("t in {101/100, 5/4, ")  # every t is written out


def test_a_branch_at_large_t_is_found(tmp_path):
    code = """
def channel(t, K):
    a = t / (t + K - 1) if t <= 20 else (t - 1) / (t + K - 2)
    return [[a if y == j else (1 - a) / (K - 1) for j in range(K)] for y in range(K)]
"""
    found = from_code(tmp_path, code)
    assert verdicts(found)["optimal"] is Verdict.REFUTED
    assert "t = 21" in counterexample(found)


def test_a_prior_that_breaks_a_conjecture_is_shrunk(tmp_path):
    # always randomised response: wrong as soon as one label is likely enough
    code = """
def value(t, prior):
    return t / (t + len(prior) - 1)
"""
    assert counterexample(from_code(tmp_path, code)).startswith("K = 2, t = 2, prior (0, 1):")


def test_a_witness_keeps_a_prior_of_its_own_length(tmp_path):
    """Two kept labels are enough for K = 2, and lose from K = 3 on: 4/9 < 1/2. Catches a witness sought at fewer labels
    with the prior of more, which was an error in place of the answer."""
    code = """
def value(t, prior):
    first, second = sorted(prior, reverse=True)[:2]
    return max(first, (first + second) * t / (t + 1))
"""
    assert counterexample(from_code(tmp_path, code)).startswith("K = 3, t = 2, prior (1/3, 1/3, 1/3):")


def test_a_right_conjecture_about_priors_passes():
    found = verdicts(check(conjecture_from_file(ROOT / "examples" / "conjecture_rr_with_prior.py"), largest=3))
    assert found["optimal"] is Verdict.CERTIFIED
    assert Verdict.REFUTED not in found.values()


def test_a_function_that_looks_at_the_kind_of_its_argument_is_not_believed(tmp_path):
    # right for the number that is used to follow it, wrong for every other
    code = """
def value(t, K):
    return t / (t + K - 1) if type(t).__name__ == "Traced" else 0 * t
"""
    found = from_code(tmp_path, code)
    assert verdicts(found)["value of the optimum"] is Verdict.REFUTED


@pytest.mark.parametrize("text", ["", "t/(t+", "t/(t+x)", "1, 2, 3", "t == 2", "[1, 2]", "'abc'", "t/(t+K-1), True"])
def test_text_that_is_no_conjecture(text):
    with pytest.raises(InvalidInputError, match="conjecture"):
        conjecture_from_text(text)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1", "defines channel"),
        ("def channel(t, K, l): return 1", "arguments"),
        ("def channel(K): return 1", "arguments"),
        ("def channel(t, K) return", "SyntaxError"),
        ("raise SystemError('no')", "SystemError"),
        ("def channel(t, K): return [[1.5 * t]]", "1 rows of"),
        ("def channel(t, K): return 1 / 0", "ZeroDivisionError"),
        ("def channel(t, K): return [[1, 0, 0]] * int(K)", "shape of the utility"),
        ("def value(t, K): return 'a b'", "exact"),
        ("class Half: pass\ndef channel(t, K): return Half()", "a matrix: one list of entries for each label"),
        ("def channel(t, K): return [1, 2]", "a matrix: one list of entries for each label"),
        ("def utility(K): return [[1]]\ndef channel(t, K): return [[1/K] * K] * K", "shape of the utility"),
        ("def utility(K): return None\ndef channel(t, K): return [[1/K] * K] * K", "utility"),
        ("def utility(K): return 1 / 0\ndef channel(t, K): return [[1/K] * K] * K", "ZeroDivisionError"),
    ],
)
def test_files_that_cannot_be_checked(tmp_path, code, message):
    with pytest.raises((InvalidInputError, DataFileError, UtilityError), match=message):
        from_code(tmp_path, code)


@pytest.mark.parametrize(
    "matrix",
    [
        "sympy.Matrix",
        "sympy.ImmutableMatrix",
        "sympy.Array",
        "numpy.array",
        "tuple",
        "iter",
        "lambda rows: Channel(rows)",
    ],
)
def test_matrices_of_every_kind(tmp_path, matrix):
    # was: 'ImmutableDenseMatrix' entries counted as rows, or "object is not iterable"
    code = f"""
import sympy, numpy
from lpmech import Channel
def utility(K): return {"tuple" if matrix.endswith("(rows)") else matrix}([[int(y == j) for j in range(K)] for y in range(K)])
def channel(t, K): return ({matrix})([[sympy.Rational(1, 2) for j in range(2)] for y in range(2)])
"""
    (found, *_) = from_code(tmp_path, code, largest=2)
    assert found.outcome.verdict is Verdict.CERTIFIED


def test_a_missing_file_and_a_useless_size():
    with pytest.raises(DataFileError, match="conjecture"):
        conjecture_from_file("absent.py")
    with pytest.raises(InvalidInputError, match="largest"):
        from_text("t", largest=1)


def test_a_table_is_recognised(tmp_path):
    path = tmp_path / "channel.csv"
    counts = LabelCounts(("0", "1", "2"), (5, 3, 2))
    level = PrivacyLevel.from_epsilon(3.0)  # there the best size is 3, so the size 2 is nothing but rr_top_k
    write_channel(path, rr_top_k(counts.prior, 2, level))
    found = {f.requirement: f.outcome for f in check_table(path, counts=counts, level=level)}
    assert "rr_top_k" in found["mechanism"].evidence
    assert found["private at epsilon = 3"].verdict in (Verdict.CERTIFIED, Verdict.SUPPORTED)
    assert found["tight level"].evidence.startswith("epsilon = 3")


def test_a_table_that_is_not_what_it_claims_to_be(tmp_path):
    path = tmp_path / "channel.csv"
    write_channel(path, randomized_response(3, PrivacyLevel.from_ratio(4)))
    level = PrivacyLevel.from_ratio(3)
    found = {f.requirement: f.outcome for f in check_table(path, level=level, mechanism="randomized_response")}
    assert found["private at e^epsilon = 3"].verdict is Verdict.REFUTED
    assert "e^epsilon = 3" in found["private at e^epsilon = 3"].counterexample
    assert found["mechanism"].verdict is Verdict.REFUTED
    with pytest.raises(LabelError, match="mechanism"):
        check_table(path, level=level, mechanism="unheard_of")


def test_the_loss_of_a_table(tmp_path):
    # at ratio 3 the optimum is 3/5, and this one hits half of the time
    path = tmp_path / "channel.csv"
    path.write_text(",0,1,2\n0,1/2,1/4,1/4\n1,1/4,1/2,1/4\n2,1/4,1/4,1/2\n")
    found = {f.requirement: f.outcome for f in check_table(path, level=PrivacyLevel.from_ratio(3))}
    assert found["loss against the optimum"].evidence.startswith("16.6667 percent")  # 1 - (1/2) / (3/5)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (",a,b\na,0.5,0.4\nb,0.5,0.5\n", ChannelError),
        (",a,b\na,0.5,0.5\n", DataFileError),
        (",a,b\na,0.5\nb,0.5,0.5\n", DataFileError),
        (",a,b\na,0.5,x\nb,0.5,0.5\n", DataFileError),
        ("", DataFileError),
    ],
)
def test_tables_that_are_no_channels(tmp_path, text, error):
    path = tmp_path / "channel.csv"
    path.write_text(text)
    with pytest.raises(error):
        read_channel(path)


def test_exact_tables_stay_exact(tmp_path):
    path = tmp_path / "channel.csv"
    path.write_text(",a,b\na,2/3,1/3\nb,1/3,2/3\n")
    assert read_channel(path).ratio == 2


def test_the_command(tmp_path):
    right = lpmech("check", "t/(t+K-1)")
    assert right.returncode == 0
    assert "proved" in right.stdout
    wrong = lpmech("check", "examples/conjecture_middle_labels.py")
    assert wrong.returncode == 1
    assert "K = 7" in wrong.stdout
    assert lpmech("check", "t/(t+K").returncode == 2
    assert lpmech("check", "t", "--counts", "examples/wine.csv").returncode == 2
    path = tmp_path / "channel.csv"
    write_channel(path, randomized_response(3, 1.0))
    header, *rows = path.read_text().splitlines()
    rows = [name + row[1:] for name, row in zip("xyz", rows, strict=True)]
    path.write_text("\n".join([header.replace(",0,1,2", ",x,y,z"), *rows]))
    table = lpmech("check", path, "--epsilon", 1, "--mechanism", "randomized_response")
    assert table.returncode == 0, table.stderr
    assert "it is randomized_response" in table.stdout
    assert lpmech("check", path, "--counts", "examples/wine.csv").returncode == 2
    assert lpmech("check", path, "--epsilon", 1, "--ratio", 3).returncode == 2


@pytest.mark.parametrize(
    ("text", "verdict", "counterexample"),
    [
        ("t/(t+K-1) >= 1/K", "proved", None),
        ("-t + 1 < 0 and not K < 2", "proved", None),
        ("t >= 1.5", "refuted", "K = 2, t = 11/10: required: t ≥ 3/2"),
        (
            "(K-9)/(K-9) == 1",
            "refuted",
            "K = 9, t = 2: left side not defined (K - 9 = 0 in a denominator), right side 1; required: "
            "(K - 9)/(K - 9) = 1",
        ),
        (
            "factorial(K-3) > 0",
            "refuted",
            "K = 2, t = 2: left side not defined (factorial(K - 3) at -1), right side 0; required: "
            "factorial(K - 3) > 0",
        ),
        ("1/K < 0 and 1 > 2", "refuted", "K = 2, t = 2: left side 1, right side 2; required: 1 > 2"),
        ("K > 2 and t > 1", "refuted", "K = 2, t = 2: required: K > 2"),
        (
            "t < 2 or t > 2",
            "refuted",
            "K = 2, t = 2: required: t > 2; or required: t < 2",
        ),
        ("not K > 3", "refuted", "K = 4, t = 2: required: not K > 3"),
        (
            "t/10**380 > K/10**380",
            "refuted",
            "K = 2, t = 2: left side 2e-380, right side 2e-380; required: t/10^380 > K/10^380",
        ),
        (
            "t > 1 + 1/10**40",
            "refuted",
            "K = 2, t = (1 + 1e-40): left side (1 + 1e-40), right side (1 + 1e-40); required: t > 1/10^40 + 1",
        ),
        ("t*(K-17)**2 >= t - 1", "refuted", None),
        ("Implies(K >= 3, K > 2)", "proved", None),
        ("Equivalent(K >= 3, t > 2)", "refuted", None),
        ("Each(i <= K, (i, 1, K))", "proved", None),
    ],
)
def test_a_statement_of_ones_own(text, verdict, counterexample):
    assert is_statement(text)
    finding = check_statement(text, read_domain())
    assert finding.outcome.verdict == verdict
    assert counterexample in (None, finding.outcome.counterexample)


def test_a_statement_with_a_parameter_is_no_program(tmp_path):
    run = lpmech("check", "w*t >= w + 1", "--param", "w >= 1", "--where", "t >= 2")
    assert run.returncode == 0
    assert "proved (statement); for whole numbers K, w, real t with t > 1, K >= 2, w >= 1, t >= 2" in run.stdout
    (tmp_path / "kept.json").write_text("kept")
    run = lpmech("check", "t > 1", "--utility", "hit", "--json", str(tmp_path / "kept.json"))
    assert (run.returncode, run.stderr) == (
        2, "lpmech: utility: got 'hit'; allowed: none: a statement speaks of no program\n"
    )  # fmt: skip
    assert (tmp_path / "kept.json").read_text() == "kept"
    for option, value in (("prior", "ordered"), ("largest", "3")):
        refused = lpmech("check", "t > 1", f"--{option}", value)
        assert (refused.returncode, refused.stderr.split(":")[1]) == (2, f" {option}")


# ---- each value of a list


def test_each_value_of_a_list_is_gone_through():
    # (K-2)...(K-7) vanishes at each of the six, and nowhere else
    text = "t/(t+K-1) + (K-2)*(K-3)*(K-4)*(K-5)*(K-6)*(K-7)"
    (found,) = from_text(text, params=["each K in 2..7"])
    assert found.outcome.verdict is Verdict.PROVED
    assert found.outcome.evidence.endswith("all t > 1 at K = 2..7; uniform prior")
    assert found.domain.startswith("K in 2..7, real t with t > 1")
    assert counterexample(from_text(text, params=["each K in 2..8"])).startswith("K = 8")
    assert counterexample(from_text(text)).startswith("K = 8")


def test_each_value_of_a_list_in_a_statement():
    # 2^K >= K^2 - 1: 4, 8, 16, 32, 64, 128 against 3, 8, 15, 24, 35, 48
    found = check_statement("2**K >= K**2 - 1", read_domain(["each K in 2..7"]))
    assert found.outcome.verdict is Verdict.PROVED
    assert "one by one" in found.outcome.evidence
    wrong = check_statement("2**K > K**2 - 1", read_domain(["each K in 2..7"]))
    assert wrong.outcome.counterexample == "K = 3, t = 2: left side 8, right side 8; required: 2^K > K^2 - 1"
    assert check_statement("w <= 3", read_domain(["each w in 0..3"])).outcome.verdict is Verdict.PROVED
    for text in ("each t in 2..3", "each K in 7..2", "each prior in 1..2"):
        with pytest.raises(InvalidInputError, match="param"):
            read_domain([text])


def test_each_value_in_a_file_that_numpy_computes(tmp_path):
    code = """
import numpy as np
def channel(t, K):
    p = np.exp(np.log(t)) / (t + K - 1)
    rows = np.full((K, K), (1 - p) / (K - 1))
    np.fill_diagonal(rows, p if K < 4 else p - 1e-6)
    return rows
"""
    found = from_code(tmp_path, code, params=["each K in 2..3"])
    assert set(verdicts(found).values()) == {Verdict.PROVED}
    assert "of the formula in real arithmetic" in found[0].outcome.evidence
    assert "K = 4" in counterexample(from_code(tmp_path, code, params=["each K in 2..4"]))


# ---- files as people write them: none that is false is proved


@pytest.mark.parametrize(
    "code",
    [
        "def value(t, K): return t/(t+K-1) if K < 9 else t/(t+K)",
        "def value(t, K): return t/(t+K-1) if int(t) % 97 != 96 else 0",
        "import math\ndef value(t, K): return t/(t + K - (1 if abs(math.log(t) - 1.7) > 1e-3 else 0))",
        "def value(t, K): return (t + 1e-12)/(t + K - 1 + 1e-12)",
        "def value(t, K): return round(float(t/(t+K-1)), 10)",
        "def value(t, K): return sum(t/(t+K-1)/K for _ in range(K - (K > 12)))",
        "import numpy as np\ndef value(t, K): return t/(t+K-1) * (np.int64(2)**K / np.int64(2)**K)",
        "def value(t, K):\n    try: return t/(t+K-1) + 0/(K-11)\n    except ZeroDivisionError: return 1",
        "import math\ndef value(t, K):\n    k = max(1, math.floor(K/(t+1)))\n"
        "    return math.comb(K-1, k-1)*t/(math.comb(K-1, k-1)*t + math.comb(K-1, k))",
        "def value(t, K): return min(t/(t+K-1), 0.999)",
    ],
)
def test_a_careless_file_is_not_proved(tmp_path, code):
    # each is wrong at a few K, at one level, by rounding, or beyond what a loop over small K sees
    (found,) = from_code(tmp_path, code, largest=3)
    assert found.outcome.verdict is not Verdict.PROVED


def test_a_file_of_floats_is_told_what_they_miss(tmp_path):
    # was: refused. At t = 1000 the rest is 1 - 0.999, with three digits less than a float
    code = """
import numpy as np
def channel(t, K):
    p = np.exp(np.log(float(t))) / (float(t) + K - 1)
    return [[p if y == j else (1 - p) / (K - 1) for j in range(K)] for y in range(K)]
"""
    found = from_code(tmp_path, code, largest=3)
    assert set(verdicts(found).values()) == {Verdict.SUPPORTED}
    run = lpmech("check", tmp_path / "conjecture.py", "--largest", 3, "--require", "certified")
    assert run.returncode == 1


@pytest.mark.parametrize("error", ["ValueError", "RuntimeError", "AssertionError", "TypeError"])
def test_what_cannot_take_exact_numbers_gets_floats(tmp_path, error):
    # was: a right formula was "not defined"
    code = (
        f"def value(t, K):\n    if not isinstance(t, float): raise {error}('floats only')\n    return t / (t + K - 1)"
    )
    (found,) = from_code(tmp_path, code, largest=2)
    assert found.outcome.verdict is Verdict.SUPPORTED


def test_floats_that_miss_what_holds_as_a_formula(tmp_path):
    # at t = 10^9 the other entry is 1 - 0.999999999, which has 9 digits less than a float
    path = tmp_path / "conjecture.py"
    path.write_text(
        "import math\ndef channel(t, K):\n    s = math.exp(math.log(t))\n    p = s / (s + K - 1)\n"
        "    return [[p if y == j else (1 - p) / (K - 1) for j in range(K)] for y in range(K)]"
    )
    told = lpmech("check", path, "--largest", 2, "--json", "--require", "proved")
    assert told.returncode == 0, told.stdout
    assert "in floats it exceeds by" in told.stdout
    assert lpmech("check", path, "--largest", 2, "--floats", "exact").returncode == 1
    assert lpmech("check", path, "--floats", "some").returncode == 2


def test_a_witness_is_data():
    (found,) = from_text("t/(t+K)")
    assert found.witness.as_row == {
        "point": {"K": "2", "t": "2"}, "requirement": "optimal", "relation": "==", "left": "1/2", "right": "2/3",
    }  # fmt: skip
    assert str(found.witness) == found.outcome.counterexample
