"""Somebody else's randomizer: a planted leak is found, a right one is not accused, a table's level is exact."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from test_randomizing import run
from test_release import make_release, save

from lpmech.audit.black_box import audit_counts
from lpmech.audit.randomizer import OTHER, RandomizerError, run_randomizer
from lpmech.audit.table import audit_table, log_bounds
from lpmech.channel import Channel
from lpmech.entries import to_float
from lpmech.errors import InvalidInputError, LabelError
from lpmech.mechanisms import randomized_response

RANDOMIZER = """
import random, sys
source = random.Random({seed})
for line in sys.stdin:
    label = line.strip()
    if label == "b" and source.random() < {leak}:
        print("oops")
    else:
        print(label if source.random() < {keep} else source.choice("abc"))
"""

# randomised response on three labels at e^epsilon = 2 keeps the label with probability (2 - 1) / (2 + 3 - 1) = 1/4,
# else draws one of three: 1/2 against 1/4


@pytest.fixture
def randomizer(tmp_path):
    """A command for randomised response at e^epsilon = 2, with a leak or another level where asked for."""

    def make(leak=0.0, keep=0.25, seed=1):
        path = tmp_path / "randomizer.py"
        path.write_text(RANDOMIZER.format(leak=leak, keep=keep, seed=seed))
        return [sys.executable, str(path)]

    return make


def audited(command, trials=4000, confidence=0.99):
    first, second, outputs = run_randomizer(command, "abc", trials, seed=0)
    return audit_counts(first, second, "abc", outputs, confidence)


def test_a_right_randomizer_is_bounded_on_both_sides(randomizer):
    found = audited(randomizer())
    assert 0.5 < found.low <= math.log(2) <= found.high < 0.95
    assert found.bounds == 18  # 3 labels, 3 outputs, two sides


@pytest.mark.parametrize(("leak", "keep"), [(0.01, 0.25), (0.0, 0.5)])
def test_a_planted_violation_is_found(randomizer, leak, keep):
    # 1 % of the b are told apart by an answer that nothing else gives; or the level is ln 4
    found = audited(randomizer(leak, keep))
    assert found.low > math.log(2)
    if leak:
        assert (found.output, found.likely, found.high) == ("oops", "b", math.inf)


def test_both_bounds_hold_as_often_as_stated():
    # 300 simulations at the stated 80 %, seed 3: the bounds fail together at most 20 % of the time (standard deviation
    # 2.3 %), and the lower one, which has half of that, at most 10 % (1.7 %)
    rng, matrix = np.random.default_rng(3), to_float(randomized_response(3, 1.0).matrix)
    outputs = ("a", "b", "c")
    results = []
    for _ in range(300):
        first, second = (np.array([rng.multinomial(300, row) for row in matrix]) for _ in range(2))
        found = audit_counts(first, second, outputs, outputs, 0.8)
        results.append((found.low <= 1, found.high >= 1))
    low, high = np.array(results).T
    assert low.mean() > 0.9 - 0.05
    assert (low & high).mean() > 0.8 - 0.07
    assert not low.all(), "it is no bound that is always right because it says nothing"


def test_the_upper_bound_is_for_all_probabilities_at_once():
    # half of the error probability 0.1 for 2 sides of 2 x 2 probabilities: 1/160 each; the largest quotient is that of b
    counts = np.array([[80, 20, 0], [30, 70, 0]])
    found = audit_counts(counts, counts, "xy", ("a", "b", OTHER), 0.9)
    high, low = beta.isf(1 / 160, 71, 30), beta.ppf(1 / 160, 20, 81)
    assert found.high == pytest.approx(math.log(high / low), abs=1e-9)
    assert found.bounds == 8


def test_choosing_and_testing_on_the_same_answers_would_fail():
    # many outputs: the largest of 300 quotients of counts is far above the true one, so that bounds without fresh
    # answers would accuse a constant channel; with fresh ones at 90 % it is accused at most one time in ten
    rng, names = np.random.default_rng(5), [str(j) for j in range(300)]
    uniform = np.full(300, 1 / 300)
    accused = same = 0
    for _ in range(40):
        first, second = (np.array([rng.multinomial(6000, uniform) for _ in "ab"]) for _ in range(2))
        accused += audit_counts(first, second, "ab", names, 0.8).low > 0
        same += audit_counts(first, first, "ab", names, 0.8).low > 0
    assert accused <= 8
    assert same >= 35


# -- programs that do not answer as they should -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-program-anywhere"], "started"),
        ([], "started"),
        ([sys.executable, "-c", "print('a')"], "1 lines"),
        ([sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit('broken')"], "broken"),
        ([sys.executable, "-c", "while True: print('a')"], "more answers"),
        ([sys.executable, "-c", "import itertools\nfor n in itertools.count(): print(n)"], "1000"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "stopped"),
    ],
)
def test_what_does_not_answer_is_a_typed_error(command, message):
    with pytest.raises(RandomizerError, match=message):
        run_randomizer(command, "ab", 2000, timeout=1.0)


@pytest.mark.parametrize("labels", [["a"], ["a", "a"], ["a", "b\nc"], []])
def test_bad_labels(labels):
    with pytest.raises(LabelError):
        run_randomizer(["cat"], labels, 10)


def test_bad_numbers():
    for wrong in (
        {"trials": 0},
        {"trials": -1},
        {"trials": 1.5},
        {"trials": 10**9},
        {"timeout": 0},
        {"timeout": math.nan},
    ):
        with pytest.raises(InvalidInputError):
            run_randomizer(["cat"], "ab", **{"trials": 5, **wrong})
    first, _, _ = run_randomizer(["cat"], ["a", "\ud800"], 5, timeout=1e300)
    assert first.sum() == 10


# -- tables -----------------------------------------------------------------------------------------------------------


def test_a_table_has_an_exact_level():
    found = audit_table(Channel([[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 5), Fraction(4, 5)]], "xy", "ab"))
    assert (found.ratio, found.output, found.likely, found.unlikely) == (Fraction(5, 2), "a", "x", "y")
    assert found.low <= math.log(2.5) <= found.high
    assert found.keeps(Fraction(5, 2))
    assert not found.keeps(Fraction(5, 2) - Fraction(1, 10**30))
    nothing = audit_table(Channel([[0.999999999, 0.000000001], [1.0, 0.0]], "xy", "ab"))
    assert (nothing.ratio, nothing.output, nothing.likely) == (None, "b", "x")
    assert not nothing.keeps(Fraction(10) ** 300)


@pytest.mark.parametrize(
    "ratio", [Fraction(1), Fraction(2), 1 + Fraction(1, 10**20), Fraction(10) ** 250, Fraction(7, 3)]
)
def test_logarithms_are_enclosed(ratio):
    low, high = log_bounds(ratio)
    assert low <= high <= math.nextafter(math.nextafter(low, math.inf), math.inf) + 1e-300
    if ratio > 1:
        assert Fraction(high) > 0


def test_the_command(tmp_path, capsys, randomizer):
    table = tmp_path / "channel.csv"
    table.write_text(",a,b\nx,1/2,1/2\ny,1/5,4/5\n")
    assert run("audit", table, "--ratio", "5/2") == 0
    assert "exactly ln(5/2)" in capsys.readouterr().out
    assert run("audit", table, "--epsilon", "0.91") == 1  # ln(5/2) = 0.9163
    table.write_text(",a,b\nx,0.999999999,0.000000001\ny,1,0\n")
    assert run("audit", table, "--epsilon", "1") == 1  # the table that was once confirmed
    assert "not private at any level" in capsys.readouterr().out
    assert run("audit", save(make_release(), tmp_path / "design"), "--ratio", "2") == 0
    command = " ".join(randomizer(leak=0.05))
    capsys.readouterr()
    assert run("audit", command, "--labels", "a,b,c", "--epsilon", "0.7", "--trials", "2000") == 1
    shown = capsys.readouterr().out
    assert "NOT private" in shown
    assert "union bound" in shown
    assert run("audit", " ".join(randomizer()), "--labels", "a,b,c", "--epsilon", "0.7", "--trials", "500") == 0
    assert "no proof" in capsys.readouterr().out
    assert run("audit", command) == 2
    assert run("audit", "'unbalanced", "--labels", "a,b") == 2
