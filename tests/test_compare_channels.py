"""Blackwell's order: by hand, against qif and brute force, certificates, all epsilon at once, the command."""

import json
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import qif
import sympy as sp
from commands import ROOT, lpmech
from flint import fmpq, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import Channel, PrivacyLevel, compare_channels
from lpmech.certify import checker, order_checker
from lpmech.certify.order import order_certificate
from lpmech.errors import CertificateError, ChannelError, InvalidInputError, LabelError, PrivacyLevelError, SolverError
from lpmech.leakage import multiplicative_bayes_capacity, posterior_vulnerability
from lpmech.linear_algebra import to_flint
from lpmech.mechanisms import randomized_response, subset_selection
from lpmech.mechanisms.named import NAMED, SHORT, named_mechanism
from lpmech.programs.channel_in_t import channel_in_t
from lpmech.programs.compare_channels import ChannelOrder, post_processing
from lpmech.programs.order_in_t import order_regimes, vulnerability_in_t
from lpmech.programs.solvers.farkas import decide
from lpmech.programs.solvers.polynomial_systems import T, solve_polynomial
from lpmech.tables import write_channel

F = Fraction
THREE = PrivacyLevel.from_ratio(3)


def channel_of(counts):
    return Channel([[F(v, sum(row)) for v in row] for row in counts])


def counted(rows, columns):
    row = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    return st.lists(row, min_size=rows, max_size=rows).map(channel_of)


def differences(size, most):
    """Gains of a first action beside a second one that gains nothing."""
    return product(range(-most, most + 1), repeat=size)


def tells(first, second, difference):
    """Whether two actions of which one gains so much more tell, the labels being equally likely."""
    worth = [
        sum(max(sum(d * v for d, v in zip(difference, column, strict=True)), 0) for column in c.matrix.T)
        for c in (first, second)
    ]
    return worth[1] > worth[0]


# ---- one level


def test_two_levels_of_randomized_response_by_hand():
    # RR at 2 is RR at 3 followed by Pr[kept] = (1 + c) / 2, c = (1/3) / (1/2): 5/6. The smallest problem the other way:
    # to tell two labels, 3/4 against 2/3
    found = compare_channels(randomized_response(2, THREE), randomized_response(2, PrivacyLevel.from_ratio(2)))
    assert found.relation == "first dominates"
    assert found.to_second.matrix.tolist() == [[F(5, 6), F(1, 6)], [F(1, 6), F(5, 6)]]
    problem = found.for_first
    assert (problem.better, problem.other, problem.fewest) == (F(3, 4), F(2, 3), True)
    assert sorted(problem.gain.tolist()) == [[0, 1], [1, 0]]
    assert found.for_second is None
    assert found.to_first is None


def test_the_order_is_one():
    three, four = (randomized_response(["a", "b", "c"], PrivacyLevel.from_ratio(t)) for t in (3, 4))
    assert compare_channels(three, three).relation == "equivalent"
    assert compare_channels(three, four).relation == "second dominates"
    renamed = four.restrict(["c", "a", "b"])  # the same channel, rows in another order
    assert compare_channels(four, renamed).relation == "equivalent"
    split = Channel([[v / 2 for v in row] * 2 for row in four.matrix.tolist()], four.inputs)
    assert compare_channels(four, split).relation == "equivalent"
    dependent = Channel([[F(1, 2), F(1, 2), 0], [0, F(1, 2), F(1, 2)]])
    assert compare_channels(dependent, Channel([[1], [1]])).relation == "first dominates"


def test_three_labels_are_needed_where_two_do_not_tell():
    # subset selection of two of three labels merges to what RR makes of any two labels (brute force: no difference of
    # gains up to 5 on two labels tells), and guessing "0" for 4 against "not 0" for 1 tells: 40/27 against 13/9
    rr, sets = (
        randomized_response(3, PrivacyLevel.from_ratio(4)),
        subset_selection(3, PrivacyLevel.from_ratio(4), 2).channel(),
    )
    problem = compare_channels(rr, sets).for_second
    assert (len(problem.labels), problem.gain.shape[1], problem.fewest) == (3, 2, True)
    assert (problem.better, problem.other) == (F(40, 27), F(13, 9))
    assert not any(tells(rr, sets, d) for d in differences(3, 5) if 0 in d)


@settings(max_examples=25)
@given(counted(3, 3), counted(3, 3))
def test_agrees_with_qif_and_with_brute_force(first, second):
    found = compare_channels(first, second)
    ours = found.to_second is not None
    # qif decides in floats: the second refines to the first where it is made from it
    assert ours == qif.refinement.refined_by(first.matrix.astype(float), second.matrix.astype(float))
    telling = [d for d in differences(3, 3) if tells(first, second, d)]
    assert not (ours and telling)
    if telling:  # then two actions suffice, and two labels where a difference is zero at the third
        assert found.for_second.gain.shape[1] == 2
        assert len(found.for_second.labels) <= min(sum(map(bool, d)) for d in telling)


@settings(max_examples=40)
@given(counted(3, 3), counted(3, 2))
def test_what_follows_is_worth_no_more(channel, post):
    made = channel.then(post)
    found = compare_channels(channel, made)
    assert found.to_second is not None
    for gain in product(range(3), repeat=6):
        matrix = np.array(gain, dtype=object).reshape(3, 2)
        assert posterior_vulnerability(channel, None, matrix) >= posterior_vulnerability(made, None, matrix)
        if sum(gain) > 4:
            break
    assert multiplicative_bayes_capacity(channel) >= multiplicative_bayes_capacity(made)


def test_more_outputs_than_can_be_merged_one_by_one():
    # 2^12 / 2 mergings of 13 outputs into two: they are merged step by step, and what is found still tells
    columns = [[k + 1, 14 - k, (k * k) % 11 + 1] for k in range(13)]
    many = channel_of([list(row) for row in zip(*columns, strict=True)])
    found = compare_channels(randomized_response(3, PrivacyLevel.from_ratio("101/100")), many)
    assert found.for_second.better > found.for_second.other


def test_a_comparison_that_would_take_long_is_refused():
    twenty = Channel([[F(1, 20)] * 20] * 20)
    with pytest.raises(ChannelError, match="at most 100000"):
        compare_channels(twenty, twenty)
    run = lpmech("compare", "--labels", "5")
    assert (run.returncode, run.stdout) == (2, "")
    encodings = [named_mechanism("optimal_unary_encoding", 5).in_t()] * 2
    with pytest.raises(ChannelError, match="at most 100000"):
        order_regimes(*encodings)


def test_more_labels_than_have_their_subsets_looked_at():
    # of 9 labels only pairs and the whole: pairs tell here, so that nothing is smaller
    nine = [randomized_response(9, PrivacyLevel.from_ratio(t)) for t in (2, 3)]
    problem = compare_channels(*nine).for_second
    assert (len(problem.labels), problem.gain.shape[1], problem.fewest) == (2, 2, True)


def test_large_channels_that_can_be_inverted_need_no_program():
    levels = [PrivacyLevel.from_ratio(t) for t in (2, 3)]
    found = compare_channels(*(randomized_response(24, level) for level in levels))
    assert (found.relation, found.for_second.fewest) == ("second dominates", True)
    # the second is the first followed by a matrix with one negative entry, -1/1000, too little for two labels to tell
    first = randomized_response(24, levels[0])
    step = np.full((24, 24), F(1, 48), dtype=object) + np.eye(24, dtype=int) * F(1, 2)
    step[0, 0], step[0, 1] = F(13, 24) + F(1, 1000), -F(1, 1000)
    problem = compare_channels(first, Channel(first.matrix @ step)).for_second
    assert problem.better > problem.other


def test_an_order_without_its_proof_cannot_be_constructed():
    good = compare_channels(randomized_response(3, THREE), randomized_response(3, PrivacyLevel.from_ratio(2)))
    with pytest.raises(SolverError, match="does not make"):
        ChannelOrder(good.second, good.first, good.to_second, None, None, good.for_first)
    with pytest.raises(SolverError, match="tell"):
        ChannelOrder(good.first, good.first, None, good.to_second, good.for_first, None)
    with pytest.raises(SolverError, match="each way"):
        ChannelOrder(good.first, good.second, None, None, None, good.for_first)


@pytest.mark.parametrize(
    ("second", "error"),
    [([[1]], ChannelError), (randomized_response(3, 1.0), ChannelError), (randomized_response(2, THREE), LabelError)],
)
def test_bad_channels_are_typed_errors(second, error):
    with pytest.raises(error):
        compare_channels(randomized_response(3, THREE), second)


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_systems_are_decided_as_linprog_decides_them(rows, columns, data):
    entries = st.lists(st.integers(-3, 3), min_size=columns, max_size=columns)
    matrix = np.array(data.draw(st.lists(entries, min_size=rows, max_size=rows)))
    right = np.array(data.draw(st.lists(st.integers(0, 4), min_size=rows, max_size=rows)))
    found = decide(to_flint(matrix.astype(object)), to_flint(right.astype(object)))
    assert (found.solution is not None) == (linprog(np.zeros(columns), A_eq=matrix, b_eq=right).status == 0)
    if found.solution is not None:
        assert min(found.solution) >= 0
        assert list(matrix @ found.solution) == list(right)
    else:
        assert max(found.prices @ matrix) <= 0 < found.prices @ right


# ---- all epsilon at once


@pytest.mark.parametrize(
    ("first", "second", "relations", "squared"),
    [
        ("randomized_response", "rr_top_k:2", ["incomparable"], []),
        ("exponential", "hadamard_response", ["second dominates", "incomparable"], [9]),
        ("symmetric_unary_encoding", "optimal_unary_encoding", ["incomparable", "first dominates"], None),
    ],
)
def test_regimes_are_the_order_at_each_level(first, second, relations, squared):
    one, other = named_mechanism(first, 3), named_mechanism(second, 3)
    found = order_regimes(one.in_t(), other.in_t())
    assert [regime.relation for regime in found] == relations
    if squared is not None:
        assert [regime.upper for regime in found[:-1]] == squared
    else:  # s = 2.659, the root of s^3 - 2 s^2 - s - 2 (found by hand from the gains 1 for "0" and 1 for "not 0")
        s = sp.Symbol("s")
        assert sp.expand(found[0].upper - sp.Poly(s**3 - 2 * s**2 - s - 2).root(0) ** 2) == 0
    for s in map(F, ("5/4", "2", "13/5", "27/10", "4", "10")):  # t = s^2, on both sides of every break
        level = PrivacyLevel.from_ratio(s * s)
        (here,) = [r for r in found if r.lower < s * s < r.upper]
        assert compare_channels(one.at(level), other.at(level)).relation == here.relation


def test_a_relation_at_one_level_only_is_not_joined_over():
    # rows (x, 1 - x) and (1 - x, x) with x = (1 + (t - 3)^2 / (t^2 + 9)) / 2 tell nothing at t = 3 and something else:
    # a constant channel follows always, and they follow from it at t = 3 only, which stays an end
    def made(level):
        x = (1 + (level.ratio - 3) ** 2 / (level.ratio**2 + 9)) / 2
        return Channel([[x, 1 - x], [1 - x, x]])

    constant = channel_in_t(lambda level: Channel([[1], [1]]), 0)
    found = order_regimes(channel_in_t(made, 2), constant)
    assert [(r.upper, r.relation) for r in found] == [(3, "first dominates"), (sp.oo, "first dominates")]
    # at the end itself they are equivalent: the prices on either side cease to tell there


def test_mechanisms_in_t_are_the_functions_that_are_called():
    # more points than two quotients of polynomials of the stated degrees can have in common
    for name in NAMED:
        mechanism = named_mechanism(name, 3)
        along = mechanism.in_t()
        for s in range(2, 2 + 3 * (along.root + 4)):
            assert along.at(F(2 * s + 1, 2)) == mechanism.at(PrivacyLevel.from_ratio(F(2 * s + 1, 2) ** along.root)), (
                name
            )


def test_capacity_in_t_by_hand():
    # RR: K t / (t + K - 1); OUE has p = 1/2, q = 1/(t + 1): its column maxima are summed at t = 2, 3, 5
    (piece,) = vulnerability_in_t(named_mechanism("randomized_response", 4).in_t(), None, 4 * np.eye(4, dtype=int))
    assert piece.value.expression == 4 * T / (T + 3)
    encoding = named_mechanism("optimal_unary_encoding", 3)
    (piece,) = vulnerability_in_t(encoding.in_t(), None, 3 * np.eye(3, dtype=int))
    for t in map(F, (2, 3, 5)):
        assert piece.value.at(t) == multiplicative_bayes_capacity(encoding.at(PrivacyLevel.from_ratio(t)))
    # with a gain of 2 for label 0 the first action is best whatever is seen until 2 = t: then two formulas
    pieces = vulnerability_in_t(
        named_mechanism("rr_top_k:2", 3).in_t(), [F(1, 2), F(1, 2), 0], [[2, 0], [0, 1], [0, 0]]
    )
    assert [str(piece.value.expression) for piece in pieces] == ["1", "3*t/(2*(t + 1))"]


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=6, max_size=6))
def test_polynomial_systems_as_sympy_solves_them(parts):
    rows = [[fmpz_poly(parts[0]), fmpz_poly(parts[1])], [fmpz_poly(parts[2]), fmpz_poly(parts[3])]]
    right = [fmpz_poly(parts[4]), fmpz_poly(parts[5])]
    if not rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]:
        with pytest.raises(ZeroDivisionError):
            solve_polynomial(rows, right)
        return
    solved = solve_polynomial(rows, right)
    for row, side in zip(rows, right, strict=True):
        assert row[0] * solved.numerators[0] + row[1] * solved.numerators[1] == side * solved.denominator


def test_no_mechanism_is_reconstructed_with_too_low_a_degree():
    with pytest.raises(SolverError, match="degree 1"):
        channel_in_t(named_mechanism("optimal_unary_encoding", 3).at, 1)
    assert fmpz_poly([1, 1])(fmpq(1)) == 2


@pytest.mark.parametrize(
    "text", ["nonsense", "rr_top_k:", "rr_top_k:4", "rr_top_k:1,2", "rr_top_k:-1", "staircase_rr:2,1"]
)
def test_bad_names_are_typed_errors(text):
    if text == "rr_top_k:":
        assert named_mechanism(text, 3).name == "rr_top_k:2"  # the usual number
        return
    with pytest.raises(InvalidInputError):
        named_mechanism(text, 3)
    with pytest.raises(InvalidInputError):
        named_mechanism("randomized_response", 9)


def test_short_names_are_those_of_the_closed_forms():
    from lpmech.mechanisms.formulas import FORMULAS

    assert {name: named_mechanism(name, 3).name.partition(":")[0] for name in SHORT} == SHORT
    assert set(SHORT) <= {name.partition("(")[2].rstrip(")") for name in FORMULAS}


def test_a_mechanism_of_the_root_wants_a_square():
    with pytest.raises(PrivacyLevelError, match="square"):
        named_mechanism("symmetric_unary_encoding", 3).at(THREE)
    with pytest.raises(PrivacyLevelError):
        named_mechanism("randomized_response", 3).at(PrivacyLevel.from_epsilon(1.0))


# ---- certificates


def changed(text, change):
    data = json.loads(text)
    change(data)
    data["seal"] = checker.seal_of(data)
    return data


def a_certificate():
    level = PrivacyLevel.from_ratio(4)
    first, second = (named_mechanism(name, 3).at(level) for name in ("randomized_response", "hadamard_response"))
    return order_certificate(compare_channels(first, second), ("rr", "hadamard"))


def _proofs(**entries):
    return lambda data: data["proofs"][0 if "gain" in entries else 1].update(entries)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["channels"].reverse(), "not a list"),
        (_proofs(gain=[["1", "0"], ["1", "0"], ["1", "0"]]), "do not tell"),
        (_proofs(gain=[["1", "0"], ["1"], ["1", "0"]]), "not a list"),
        (_proofs(gain=[[], [], []]), "no columns"),
        (_proofs(gain="1"), "not a list"),
        (_proofs(gain=[["1/0", "0"], ["1", "0"], ["1", "0"]]), "zero"),
        (_proofs(gain=[["1e9", "0"], ["1", "0"], ["1", "0"]]), "not numbers"),
        (_proofs(gain=[[f"1/{7**1000}", "0"], [f"1/{3**1700}", "0"], ["1", "0"]]), "bits"),
        (_proofs(from_other=[["1", "0", "0", "0"]] * 3), "not what"),
        (_proofs(from_other=[["1", "1", "0", "0"]] * 3), "no distribution"),
        (_proofs(from_other=[["2", "-1", "0", "0"]] * 3), "no distribution"),
        (lambda d: d["proofs"][0].clear(), "not one entry"),
        (lambda d: d["proofs"][0].update(d["proofs"][1]), "not one entry"),
        (lambda d: d["proofs"].__setitem__(0, {"worth": "1"}), "neither"),
        (lambda d: d["proofs"].__setitem__(1, d["proofs"][0]), "do not tell"),  # they tell the other way round
        (lambda d: d["proofs"].pop(), "not a list"),
        (lambda d: d["channels"].__setitem__(0, [["1/2"] * 3] * 3), "no distribution"),
        (lambda d: d["names"].append("c"), "not two"),
        (lambda d: d["inputs"].__setitem__(1, "0"), "repeated"),
        (lambda d: d.update(ratio=["1", "2"]), "keys"),
        (lambda d: d.pop("inputs"), "keys"),
    ],
)
def test_a_certificate_that_does_not_prove_is_rejected(change, message):
    text = a_certificate()
    assert order_checker.check_order(json.loads(text)).worth == ((F(3, 4), F(13, 20)), None)
    with pytest.raises(checker.RejectedError, match=message):
        order_checker.check_order(changed(text, change))


def test_an_edited_certificate_is_found_by_its_seal():
    data = json.loads(a_certificate())
    data["names"][0] = "another"
    with pytest.raises(checker.RejectedError, match="seal"):
        order_checker.check_order(data)


def test_a_name_of_two_lines_states_nothing_of_its_own():
    """Printed as it is, the second line of a name would read as if it were proved."""
    text = a_certificate()
    data = changed(text, lambda data: data.update(names=["a", "b\ncertified: b is a followed by a channel"]))
    assert str(order_checker.check_order(data)).count("\n") == 2


def test_outputs_of_one_text_cannot_be_certified():
    first = Channel([[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]], outputs=[1, "1"])
    with pytest.raises(CertificateError, match="repeated"):
        order_certificate(compare_channels(first, first), ("a", "b"))


# ---- the command


def test_the_program_compares_files_and_its_certificate_is_checked_alone(tmp_path):
    level = PrivacyLevel.from_ratio(4)
    for name, size in (("first", 3), ("second", 2)):
        made = named_mechanism("randomized_response" if size == 3 else "rr_top_k:2", 3).at(level)
        write_channel(tmp_path / f"{name}.csv", Channel(made.matrix, ["a", "b", "c"]))

    def run(*words):
        return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=tmp_path, timeout=120)

    told = run("-m", "lpmech", "compare", "first.csv", "second.csv", "--certificate", "order.json")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("incomparable: first.csv is better for some, second.csv for others\n")
    assert "labels a, b are equally likely, and no others occur" in told.stdout
    assert "expected gain with second.csv: 4/5 = 0.8; with first.csv: 3/4 = 0.75" in told.stdout
    for name in ("checker.py", "order_checker.py"):
        shutil.copy(ROOT / "lpmech" / "certify" / name, tmp_path)
    alone = run("-S", "order_checker.py", "order.json")
    assert alone.returncode == 0
    assert "certified: second.csv is worth more than first.csv" in alone.stdout
    assert lpmech("certify", tmp_path / "order.json").stdout == alone.stdout
    beside = lpmech("compare", "first.csv", "randomized_response", "--ratio", "4", "--json", cwd=tmp_path)
    assert json.loads(beside.stdout)["relation"] == "equivalent"


def test_all_mechanisms_and_their_picture(tmp_path):
    run = lpmech("compare", "--picture", "order.png", "--json", cwd=tmp_path)
    found = {(row["first"], row["second"]): row["regimes"] for row in json.loads(run.stdout)}
    assert len(found) == len(list(combinations(NAMED, 2)))
    assert [r["relation"] for r in found["exponential", "hadamard_response"]] == ["second dominates", "incomparable"]
    assert (tmp_path / "order.png").read_bytes().startswith(b"\x89PNG")
    table = lpmech("compare").stdout
    assert "all other pairs: incomparable at every epsilon" in table
    assert "from 1.95588 on" in table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["randomized_response"], "second"),
        (["--ratio", "3"], "ratio"),
        (["randomized_response", "rr_top_k", "--epsilon", "1"], "allowed: --ratio"),
        (["randomized_response", "nonsense"], "mechanism"),
        (["randomized_response", "rr_top_k:7"], "k: got 7"),
        (["randomized_response", "rr_top_k", "--labels", "2"], "labels"),
        (["randomized_response", "rr_top_k", "--certificate", "a.json"], "certificate"),
        (["randomized_response", "rr_top_k", "--picture", "a.png"], "picture"),
        (["randomized_response", "exponential", "--ratio", "3"], "square"),
        (["missing.csv", "rr_top_k", "--ratio", "3"], "missing.csv"),
        (["whole.csv", "rr_top_k"], "--ratio"),
        (["whole.csv", "whole.csv", "--ratio", "3"], "ratio"),
        (["floats.csv", "whole.csv"], "exact"),
        (["other.csv", "whole.csv"], "inputs"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(tmp_path, words, message):
    (tmp_path / "whole.csv").write_text(",x,y\na,1/2,1/2\nb,1/4,3/4\nc,1/4,3/4\n")
    (tmp_path / "floats.csv").write_text(",x,y\na,0.33333333333333,0.66666666666666\nb,0.5,0.5\nc,0.5,0.5\n")
    (tmp_path / "other.csv").write_text(",x,y\na,1/2,1/2\nb,1/4,3/4\nd,1/4,3/4\n")
    before = set(tmp_path.iterdir())
    run = lpmech("compare", *words, cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert message in run.stderr
    assert set(tmp_path.iterdir()) == before


def test_a_post_processing_is_exact():
    first, second = (randomized_response(3, PrivacyLevel.from_ratio(t)).matrix for t in (5, 2))
    made = post_processing(first, second)
    assert (first @ made == second).all()
    assert (made.sum(axis=1) == 1).all()
