"""Somebody else's randomizer: a planted leak is found, a right one is not accused, a table's level is exact."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta
from test_randomizing import run
from test_release import make_release, save

from lpmech.audit.black_box import NEIGHBOURS, audit_answers
from lpmech.audit.dependence import KINDS, SAME_SEED, Dependence, dependences
from lpmech.audit.randomizer import OTHER, Answers, RandomizerError, run_randomizer
from lpmech.audit.table import audit_table, log_bounds
from lpmech.entries import to_float
from lpmech.errors import InvalidInputError, LabelError
from lpmech.mechanisms import randomized_response

#: What every program begins with: bits that differ between runs of one test, and are the same whenever it is run.
RANDOMIZER = """
import pathlib, random, sys
state = pathlib.Path(__file__).with_suffix(".seed")
seed = int(state.read_text()) if state.exists() else 1
state.write_text(str(seed + 1))
source = random.Random(seed)
names, earlier, kept, shared = "abc", [], dict(), None

def rr(label, keep=0.25):
    return label if source.random() < keep else source.choice(names)

def answer(label, number):
    global shared
    {body}

for number, line in enumerate(sys.stdin):
    label = line.strip()
    print(answer(label, number))
    earlier.append(label)
"""

# randomised response on three labels at e^epsilon = 2 keeps the label with probability (2 - 1) / (2 + 3 - 1) = 1/4,
# else draws one of three: 1/2 against 1/4
HONEST = "return rr(label)"

#: Programs that are randomised response at e^epsilon = 2 or more private, answer by answer, and are not: what each one
#: is found by. Every answer by itself has the right probabilities, or none of the label at all.
DISHONEST = {
    "a fixed seed": ("global source\n    source = random.Random(number)\n    return rr(label)", SAME_SEED),
    "the label before": ("return rr(earlier[-1] if earlier else label)", "the label of the question before"),
    "the label three before": ("return rr((['a'] * 3 + earlier)[-3])", "the label three questions before"),
    "the sum with the label before": (
        "return rr(names[(names.index(label) + names.index((['a'] + earlier)[-1])) % 3], 0.5)",
        "the label of the question before",
    ),
    "one answer for each label": ("return kept.setdefault(label, rr(label))", "which run of the program it is"),
    "often the last answer to the label": (
        "kept[label] = rr(label) if source.random() < 0.5 else kept.get(label, 'a')\n    return kept[label]",
        "the last answer to the same label",
    ),
    "a counter": ("return names[(names.index(label) + number) % 3]", SAME_SEED),
    "every tenth is true": ("return label if number % 10 == 0 else rr(label)", "the place in the run"),
    "noise for two": (
        "shared = source.choice((0, 0, 1, 2)) if number % 2 == 0 else shared\n"
        "    return names[(names.index(label) + shared) % 3]",
        "label and answer of the question before",
    ),
    "a coin for two": (
        "shared = source.random() < 0.25 if number % 2 == 0 else shared\n"
        "    return label if shared else source.choice(names)",
        "whether the question before was answered truly",
    ),
}


@pytest.fixture
def randomizer(tmp_path):
    """A command for a program; by default randomised response at e^epsilon = 2, with bits of its own in every run."""

    def make(body=HONEST):
        path = tmp_path / "randomizer.py"
        path.write_text(RANDOMIZER.format(body=body))
        return [sys.executable, str(path)]

    return make


def audited(command, trials=4000, confidence=0.99):
    return audit_answers(run_randomizer(command, "abc", trials, seed=0), confidence, seed=0)


def simulated(matrix, size, rng, names="abc"):
    """Two runs of an honest program of this channel, asked `size` questions."""
    asked = rng.integers(len(matrix), size=size)
    runs = np.empty((2, size), dtype=int)
    for y, row in enumerate(matrix):
        runs[:, asked == y] = rng.choice(len(row), (2, (asked == y).sum()), p=row)
    outputs = names if len(names) == len(matrix[0]) else [f"o{j}" for j in range(len(matrix[0]))]
    return Answers(tuple(names), (*outputs, OTHER), asked, runs)


def counted(table, names="xy", outputs=("a", "b")):
    """Answers with the same counts of every label and output in both halves of both runs, `table` having them."""
    asked, given = (np.repeat(axis.ravel(), np.ravel(table)) for axis in np.indices(np.shape(table)))
    return Answers(tuple(names), (*outputs, OTHER), np.tile(asked, 2), np.tile(given, (2, 2)))


def test_a_right_randomizer_is_bounded_on_both_sides_and_nothing_is_found(randomizer):
    found = audited(randomizer())
    assert 0.5 < found.own.low <= math.log(2) <= found.high < 0.95
    assert found.bounds == 18  # 3 labels, 3 outputs, two sides
    assert found.is_honest
    assert found.worst == found.own
    assert found.trials == 12_000


@pytest.mark.parametrize(
    ("body", "leaks"),
    [
        ("return 'oops' if label == 'b' and source.random() < 0.02 else rr(label)", True),
        ("return rr(label, 0.5)", False),
    ],
)
def test_a_planted_violation_is_found(randomizer, body, leaks):
    # 2 % of the b are told apart by an answer that nothing else gives; or the level is ln 4
    found = audited(randomizer(body))
    assert found.own.low > math.log(2)
    assert found.is_honest, "each answer depends on its label alone, if too much"
    if leaks:
        assert (found.own.output, found.own.likely, found.high) == ("oops", "b", math.inf)


@pytest.mark.parametrize("name", DISHONEST)
def test_answers_that_depend_on_more_than_their_label_are_found(randomizer, name):
    body, by = DISHONEST[name]
    found = audited(randomizer(body))
    assert by in {each.on for each in found.dependences}
    assert not found.is_honest


def test_the_level_about_a_neighbour_is_part_of_the_answer(randomizer):
    # randomised response at e^epsilon = 2 of the label before: ln 2 about that one, nothing about its own
    found = audited(randomizer(DISHONEST["the label before"][0]))
    before = found.neighbours[list(NEIGHBOURS).index(1)]
    assert 0.5 < before.low <= math.log(2)
    assert before == found.worst
    assert found.own.low == 0
    assert [leak.low for leak in found.neighbours if leak is not before] == [0, 0, 0]


def test_the_label_after_is_found_where_a_program_reads_ahead(tmp_path):
    path = tmp_path / "ahead.py"
    path.write_text("import sys\nlines = sys.stdin.read().split()\nfor y in lines[1:] + lines[:1]:\n    print(y)\n")
    found = audit_answers(run_randomizer([sys.executable, str(path)], "ab", 500, seed=0), seed=0)
    assert found.worst.lag == -1
    assert found.worst.low > 3


# -- exact values and coverage ----------------------------------------------------------------------------------------


def _least(right, guesses, alpha):
    """The p at which `right` or more of so many guesses have probability alpha, by the binomial sum itself."""
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        tail = math.fsum(math.comb(guesses, k) * p**k * (1 - p) ** (guesses - k) for k in range(right, guesses + 1))
        low, high = (p, high) if tail < alpha else (low, p)
    return low


def test_the_lower_bound_is_that_of_the_binomial_sum():
    # a: 80 of x, 30 of y; b: 20 and 70. Surest is b for y: 70 of 90 right (a: 80 of 110), and a quarter of the error
    # probability 0.1 is 1/40; with a half or all of it the bound would be larger by 0.06 or more
    found = audit_answers(counted([[80, 20], [30, 70]]), 0.9, seed=0).own
    assert (found.output, found.likely, found.unlikely, found.right, found.guesses) == ("b", "y", "x", 70, 90)
    least = _least(70, 90, 1 / 40)
    assert found.low == pytest.approx(math.log(least / (1 - least)), abs=1e-9)
    wider = _least(70, 90, 1 / 20)
    assert math.log(wider / (1 - wider)) > found.low + 0.06


def test_bounds_about_neighbours_share_a_quarter():
    # every answer is the label before, always: of n questions of a half n - 1 have one, and all guesses are right; the
    # share is 0.1 / 4 / 14, and the probability p of as many right guesses p^n
    rng = np.random.default_rng(0)
    asked = rng.integers(2, size=400)
    answers = Answers(("x", "y"), ("x", "y", OTHER), asked, np.tile(np.roll(asked, 1), (2, 1)))
    found = audit_answers(answers, 0.9, seed=0)
    before = found.neighbours[0]
    assert found.tests == 14 == len(NEIGHBOURS) + len(KINDS)
    assert before.right == before.guesses == (asked[200:-1] == list("xy").index(before.likely)).sum()
    p = (0.1 / 4 / 14) ** (1 / before.guesses)
    assert before.low == pytest.approx(math.log(p / (1 - p)), abs=1e-9)
    assert found.own.low == 0


def test_the_upper_bound_is_for_all_probabilities_at_once():
    # half of the error probability 0.1 for 2 sides of 2 x 2 probabilities: 1/160 each; the largest quotient is that of b
    found = audit_answers(counted([[80, 20], [30, 70]]), 0.9, seed=0)
    high, low = beta.isf(1 / 160, 71, 30), beta.ppf(1 / 160, 20, 81)
    assert found.high == pytest.approx(math.log(high / low), abs=1e-9)
    assert found.bounds == 8


def test_the_upper_bound_is_of_the_second_half():
    """Catches the half that named the outputs, counted again: of 1/160 to either side as above, from 60 and 90 of 100."""
    halves = ([[80, 20], [30, 70]], [[60, 40], [10, 90]])
    first, second = (counted(table) for table in halves)
    both = [
        np.concatenate([a[..., :200], b[..., :200]], -1)
        for a, b in ((getattr(first, n), getattr(second, n)) for n in ("asked", "runs"))
    ]
    found = audit_answers(Answers(first.labels, first.outputs, *both), 0.9, seed=0)
    high, low = beta.isf(1 / 160, 61, 40), beta.ppf(1 / 160, 10, 91)
    assert found.high == pytest.approx(math.log(high / low), abs=1e-9)


def test_everything_holds_as_often_as_stated():
    # 300 simulations at the stated 80 %, seed 3: the lower bound fails at most 5 % of the time (standard deviation
    # 1.3 %), an honest program is accused at most 5 %, the upper bound fails at most 10 % (1.7 %), any at most 20 %
    rng, matrix = np.random.default_rng(3), to_float(randomized_response(3, 1.0).matrix)
    results = []
    for seed in range(300):
        found = audit_answers(simulated(matrix, 1800, rng), 0.8, seed)
        results.append((found.own.low <= 1, found.is_honest, found.high >= 1))
    low, honest, high = np.array(results).T
    assert low.mean() > 0.95 - 0.04
    assert honest.mean() > 0.95 - 0.04
    assert high.mean() > 0.9 - 0.05
    assert (low & honest & high).mean() > 0.8 - 0.07
    assert not low.all(), "it is no bound that is always right because it says nothing"


def test_every_test_of_dependence_errs_as_often_as_stated_and_not_never():
    # 300 honest runs, every test at 10 %: found 30 times, standard deviation 5.2; a sign test never errs more often, and
    # with its coins at even odds hardly less; skewed answers, so that a test that took pairs of two labels would err
    matrix, rng = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.05, 0.05, 0.9]]), np.random.default_rng(4)
    found = [each.on for seed in range(300) for each in dependences(simulated(matrix, 1200, rng), 0.1, seed)]
    times = {on: found.count(on) for on in KINDS}
    assert max(times.values()) <= 30 + 16
    assert min(times.values()) >= 8
    assert set(found) <= set(KINDS)


def test_choosing_and_testing_on_the_same_answers_would_fail():
    # many outputs: the largest of 300 quotients of counts is far above the true one, so that bounds without fresh
    # answers would accuse a constant channel; with fresh ones at 80 % it is accused at most one time in twenty
    rng, names = np.random.default_rng(5), [str(j) for j in range(300)]
    uniform = np.full((2, 300), 1 / 300)
    accused = same = 0
    for seed in range(40):
        answers = simulated(uniform, 6000, rng, "ab")
        again = Answers(
            answers.labels,
            (*names, OTHER),
            *(np.concatenate([x[..., :3000]] * 2, -1) for x in (answers.asked, answers.runs)),
        )
        accused += audit_answers(answers, 0.8, seed).own.low > 0
        same += audit_answers(again, 0.8, seed).own.low > 0
    assert accused <= 6
    assert same >= 35


@pytest.mark.parametrize(
    ("kind", "predicted", "predicting"),
    [
        ("the label of the question before", [1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6]),
        ("the label two questions before", [2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5]),
        ("the label three questions before", [3, 4, 5, 6, 7], [0, 1, 2, 3, 4]),
        ("the label of the question after", [0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]),
        ("label and answer of the question before", [1, 3, 5, 7], [0, 2, 4, 6]),
        ("label and answer two questions before", [2, 3, 6, 7], [0, 1, 4, 5]),
    ],
)
def test_no_answer_is_both_predicted_and_predicts(kind, predicted, predicting):
    """Every question has a label of its own, so that labels are places; the sign test needs independent contexts."""
    places = np.arange(8)
    answers = Answers(tuple("abcdefgh"), ("x",), places, np.zeros((2, 8), dtype=int))
    labels, _, contexts = KINDS[kind](answers)
    assert labels.tolist() == predicted
    assert contexts.tolist() == predicting


def test_outputs_are_those_of_the_first_half_and_all_others_are_one(tmp_path):
    """Catches an event that the second half chooses and tests: 200 of 400 questions are the first half."""
    path = tmp_path / "late.py"
    path.write_text(
        "import sys\nfor n, line in enumerate(sys.stdin):\n    print('early' if n < 200 else f'late{n % 3}')\n"
    )
    answers = run_randomizer([sys.executable, str(path)], "ab", 100, seed=0)
    assert answers.outputs == ("early", OTHER)
    assert (answers.runs == (np.arange(400) >= 200)).all()


def test_pairs_are_of_one_label():
    """Catches the last question of a label paired with the first of the next, whose answers are not exchangeable."""
    labels = np.array([1, 0, 0, 2, 0, 1, 2, 2, 2])
    answers = Answers(("a", "b", "c"), tuple(map(str, range(9))), labels, np.tile(np.arange(9), (2, 1)))
    again, later, earlier = KINDS["the last answer to the same label"](answers)
    assert list(zip(again.tolist(), earlier.tolist(), later.tolist(), strict=True)) == [
        (0, 1, 2), (1, 0, 5), (2, 3, 6), (2, 7, 8)
    ]  # fmt: skip


def test_the_chance_of_a_sign_test():
    # 9 or more heads of 10: 11/1024; Chernoff: (1/2 / 0.9)^9 (1/2 / 0.1)^1 = 0.0252 > 10^-2
    assert Dependence("x", 9, 10).chance == pytest.approx(11 / 1024)
    assert Dependence("x", 9, 10).digits == 1
    assert Dependence("x", 5000, 5000).digits == 1505  # 5000 log10 2 = 1505.1
    assert Dependence("x", 5, 10).digits == 0


@pytest.mark.parametrize("outputs", [70, 500])
def test_every_one_of_many_outputs_is_looked_at(outputs):
    """Catches a loop over the first 64 or 450 outputs: only the last but one output tells the labels apart."""
    matrix = np.full((2, outputs), 1 / outputs)
    matrix[:, -2] = 3 / outputs, 0.1 / outputs
    matrix /= matrix.sum(axis=1, keepdims=True)
    answers = simulated(matrix, 100_000, np.random.default_rng(6), "ab")
    found = audit_answers(answers, 0.99, seed=0)
    ratio = math.log((matrix / matrix[::-1]).max())
    assert (found.own.output, found.own.likely) == (f"o{outputs - 2}", "a")
    assert 1 < found.own.low <= ratio <= found.high
    assert found.is_honest
    table = [[Fraction(1, outputs)] * outputs for _ in "ab"]
    table[0][-2], table[0][-1] = table[0][-2] / 7, table[0][-1] + table[0][-2] * 6 / 7
    exact = audit_table(np.array(table), "ab", range(outputs))
    assert (exact.ratio, exact.output, exact.likely, exact.unlikely) == (7, outputs - 2, "b", "a")


def test_many_outputs_and_labels_of_a_program_that_answers_with_the_label_before(tmp_path):
    labels = [f"label{y}" for y in range(470)]
    path = tmp_path / "before.py"
    path.write_text("import sys\nlines = sys.stdin.read().split()\nfor y in lines[-1:] + lines[:-1]:\n    print(y)\n")
    answers = run_randomizer([sys.executable, str(path)], labels, 60, seed=0)
    assert len(answers.outputs) == 471
    found = audit_answers(answers, seed=0)
    assert found.worst.lag == 1
    assert found.worst.low > 1
    assert "the label of the question before" in {each.on for each in found.dependences}


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
        (["sh", "-c", "sleep 600 & exit 0"], "stopped"),  # what it started keeps the output open
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
    answers = run_randomizer(["cat"], ["a", "\ud800"], 5, timeout=1e300)
    assert answers.runs.shape == (2, 20)


# -- tables -----------------------------------------------------------------------------------------------------------


def test_a_table_has_an_exact_level():
    found = audit_table(np.array([[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 5), Fraction(4, 5)]]), "xy", "ab")
    assert (found.ratio, found.output, found.likely, found.unlikely) == (Fraction(5, 2), "a", "x", "y")
    assert found.low <= math.log(2.5) <= found.high
    assert found.keeps(Fraction(5, 2))
    assert not found.keeps(Fraction(5, 2) - Fraction(1, 10**30))


@pytest.mark.parametrize("least", [1e-9, 1e-12, 5e-324, Fraction(1, 10**400)])
def test_nothing_is_taken_for_zero_but_zero(least):
    """Catches a tolerance: what occurs once in 10^12 and never else is private at no level, and 2 beside 1 is 2."""
    nothing = audit_table(np.array([[1 - least, least], [1, 0]], dtype=object), "xy", "ab")
    assert (nothing.ratio, nothing.output, nothing.likely) == (None, "b", "x")
    assert (nothing.low, nothing.high) == (math.inf, math.inf)
    assert not nothing.keeps(Fraction(10) ** 300)
    small = Fraction(least)
    twice = audit_table(np.array([[1 - 2 * small, 2 * small], [1 - small, small]]), "xy", "ab")
    assert (twice.ratio, twice.output) == (2, "b")
    assert twice.keeps(Fraction(2))
    assert not twice.keeps(2 - small)


def test_printed_numbers_are_compared_as_they_are_printed(tmp_path, capsys):
    """Rows miss one by rounding: 0.3 beside 0.1 is 3, where the floats of these decimals have less; 1e-400 is no zero."""
    table = tmp_path / "T.csv"
    table.write_text(",a,b,c\nx,0.3,0.1,0.5999\ny,0.1,0.3,0.6001\n")
    assert run("audit", table, "--ratio", "3") == 0
    shown = capsys.readouterr().out
    assert "exactly ln(3)" in shown
    assert "do not sum to exactly one" in shown
    table.write_text(",a,b\nx,1e-400,1\ny,2e-400,1\n")
    assert run("audit", table, "--ratio", "2") == 0
    assert run("audit", table, "--ratio", "199/100") == 1
    table.write_text(",a,b\nx,0.9,0.4\ny,0.5,0.5\n")
    assert run("audit", table, "--ratio", "2") == 2
    table.write_text(",a,b\nx,1.5,-0.5\ny,0.5,0.5\n")
    assert run("audit", table, "--ratio", "2") == 2


@pytest.mark.parametrize("command", ["audit", "check"])
@pytest.mark.parametrize(("header", "names"), [(",a,a", "ab"), (",a,b", "aa")])
def test_a_table_with_two_equal_names_is_refused(command, header, names, tmp_path, capsys):
    # was: audited as it stood, though two columns of one name are one output, and two rows of one name no question
    table = tmp_path / "t.csv"
    table.write_text(f"{header}\n{names[0]},0.75,0.25\n{names[1]},0.25,0.75\n")
    assert run(command, table, "--ratio", 3) == 2
    assert "with 2 labels 'a'\"; allowed: names without duplicates" in capsys.readouterr().err


def test_rounding_of_printed_numbers_is_measured_exactly(tmp_path, capsys):
    # was: 0.25 + 0.74 misses one by more than 0.01, as floats
    table = tmp_path / "t.csv"
    table.write_text(",a,b\na,0.75,0.25\nb,0.25,0.74\n")
    assert run("audit", table) == 0
    assert "exactly ln(3)" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["audit", "check"])
def test_one_command_says_whether_a_table_is_private_whatever_its_outputs_are(command, tmp_path, capsys):
    """`check` asked for a utility where outputs were no labels."""
    table = tmp_path / "T.csv"
    table.write_text(",ab,ac\na,0.9,0.1\nb,0.1,0.9\n")
    assert run(command, table, "--epsilon", "1") == 1
    assert run(command, table, "--epsilon", "2.2") == 0  # ln 9 = 2.197
    capsys.readouterr()
    assert run(command, table) == 0
    assert "2.19722457" in capsys.readouterr().out
    if command == "check":
        assert run(command, table, "--epsilon", "1", "--utility", "hit") == 2
        assert run(command, table, "--epsilon", "1", "--mechanism", "randomized_response") == 2


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


def test_the_command_asks_programs(capsys, randomizer):
    given = ("--labels", "a,b,c", "--epsilon", "0.7", "--trials", "2000")
    command = " ".join(randomizer("return 'oops' if label == 'b' and source.random() < 0.05 else rr(label)"))
    assert run("audit", command, *given) == 1
    shown = capsys.readouterr().out
    assert "NOT private at epsilon = 0.7" in shown
    assert "the answer oops" in shown
    assert run("audit", " ".join(randomizer()), *given, "--confidence", "0.999") == 0
    shown = capsys.readouterr().out
    assert "no proof" in shown
    assert "union bound" in shown
    assert "FOUND" not in shown
    assert run("audit", " ".join(randomizer(DISHONEST["a fixed seed"][0])), *given[:2], "--trials", "500") == 1
    shown = capsys.readouterr().out
    assert "FOUND: a fixed seed" in shown
    assert "at most" not in shown, "of dependent answers there is no upper bound"
    assert run("audit", " ".join(randomizer(DISHONEST["the label before"][0])), *given) == 1
    assert (
        "FOUND: it betrays the label of the question before: epsilon about that is at least 0."
        in capsys.readouterr().out
    )
    assert run("audit", command) == 2
    assert run("audit", command, *given, "--confidence", "1") == 2
    assert run("audit", "'unbalanced", "--labels", "a,b") == 2
