"""Linear programs over channels: both sides of every optimum, its certificate and the checker that stands alone."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from commands import lpmech
from fuzzing import within
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import Channel, PrivacyLevel, linear_algebra, optimal_channel
from lpmech.certify import checker, program_checker
from lpmech.certify.program import program_certificate
from lpmech.errors import CertificateError, InfeasibleProgramError, ProgramError, SolverError
from lpmech.linear_algebra import flint_number, solve_sparse, solve_square
from lpmech.mechanisms.privacy_indicator import approximate_delta_of
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rates
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.linear import LinearProgram, LinearSolution, Row
from lpmech.programs.solvers import linear
from lpmech.utilities import absolute, hit

F = Fraction
CERTIFY = Path(program_checker.__file__).parent
TWO = PrivacyLevel.from_ratio(2)


TENTH = F(1, 10)


def certificate(utility=None, delta=TENTH, prior=None, solver=None):
    gain = absolute(3) if utility is None else utility
    return program_certificate(approximate_channel(gain, TWO, delta, prior).solve(solver))


# ---- the machine


def tiny(rows, objective=None, **options):
    objective = {(0, 0): F(1), (1, 1): F(1)} if objective is None else objective
    return LinearProgram(("a", "b"), ("x", "y"), objective, tuple(rows), **options)


def test_rows_of_both_relations_and_slacks_that_count():
    # q00 = 1/3 is prescribed; s <= q11 and s <= 1/2: the most of q11 + s is 1 + 1/2, and q00 adds 1/3
    rows = [
        Row("a", {(0, 0): F(3)}, F(1), "="),
        Row("b", {"s": F(1), (1, 1): F(-1)}, F(0)),
        Row("c", {"s": F(2)}, F(1)),
    ]
    program = tiny(rows, {(0, 0): F(1), (1, 1): F(1), "s": F(1)}, slacks=("s",))
    for solution in (program.solve("exact"), linear._by_pivoting(program)):
        assert (solution.value, solution.bound) == (F(11, 6), F(11, 6))
        assert solution.slacks == {"s": F(1, 2)}


def test_a_negative_right_side_is_pivoted_with_its_sign():
    program = tiny([Row("at least a quarter", {(0, 1): F(-1)}, F(-1, 4))])
    for solution in (program.solve("exact"), linear._by_pivoting(program)):
        assert solution.value == F(7, 4)
        assert solution.duals[2] == 1


def test_what_no_channel_satisfies_is_refused():
    with pytest.raises(InfeasibleProgramError):
        tiny([Row("more than all", {(0, 0): F(-1)}, F(-2))]).solve("exact")


def test_what_has_no_largest_value_is_refused():
    with pytest.raises(SolverError):
        tiny([], {"s": F(1)}, slacks=("s",)).solve("exact")


def test_floats_need_a_repair_and_solvers_have_names():
    with pytest.raises(ProgramError, match="exact"):
        tiny([]).solve("float")
    with pytest.raises(ProgramError, match="'exact' or 'float'"):
        approximate_channel(hit(2), TWO, 0).solve("highs")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duals": (F(1), F(1), F(-1))}, "negative"),
        ({"duals": (F(1), F(1, 2), F(0))}, "dual constraint"),
        ({"duals": (F(2), F(1), F(0))}, "gap"),
        ({"duals": (F(1), F(1))}, "dual for each row"),
        ({"channel": Channel([[F(1, 2), F(1, 2)], [F(0), F(1)]], ["a", "b"], ["x", "y"])}, "gap"),
        ({"channel": Channel([[F(1), F(0)], [F(1, 2), F(1, 2)]], ["a", "b"], ["x", "y"])}, "at least"),
        ({"channel": Channel([[F(1), F(0)], [F(0), F(1)]])}, "names"),
        ({"channel": Channel([[1.0, 0.0], [0.0, 1.0]], ["a", "b"], ["x", "y"])}, "exact"),
        ({"slacks": {"t": F(0)}}, "slack"),
    ],
)
def test_no_solution_without_its_proof(change, message):
    program = tiny([Row("at least", {(1, 1): F(-1)}, F(-3, 4))])
    right = {
        "channel": Channel([[F(1), F(0)], [F(0), F(1)]], ["a", "b"], ["x", "y"]),
        "slacks": {},
        "duals": (F(1), F(1), F(0)),
    }
    assert LinearSolution(program, **right).value == 2
    with pytest.raises(SolverError, match=message):
        LinearSolution(program, **{**right, **change})


def test_exact_pivoting_takes_over_where_the_basis_does_not_verify(monkeypatch):
    program = approximate_channel(absolute(3), TWO, F(1, 10))
    usual = program.solve("exact")

    def broken(*_):
        raise SolverError("no basis")

    monkeypatch.setattr(linear, "minimise", broken)
    pivoted = program.solve("exact")
    assert (pivoted.value, pivoted.statistics) == (usual.value, {"basis": "pivoted"})
    with pytest.raises(ProgramError, match="does not verify"):
        approximate_channel(absolute(8), TWO, F(1, 10)).solve("exact")


@settings(max_examples=60)
@given(st.integers(1, 9), st.integers(0, 64), st.data())
def test_a_sparse_system_has_the_solution_of_the_dense_one(size, most, data):
    # with few numbers changed for a pivot the rest is dense; with 0 only what changes nothing is eliminated
    entries = st.sampled_from([0, 0, 0, 1, -1, 2, F(1, 3)])
    rows = data.draw(st.lists(st.lists(entries, min_size=size, max_size=size), min_size=size, max_size=size))
    right = data.draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    sparse = [{j: flint_number(v) for j, v in enumerate(row) if v} for row in rows]
    dense = np.array([[F(v) for v in row] for row in rows], dtype=object)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_algebra, "_MOST_CHANGED", most)
        try:
            expected = solve_square(dense, np.array([F(v) for v in right], dtype=object))
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                solve_sparse(sparse, [flint_number(v) for v in right])
            return
        found = solve_sparse(sparse, [flint_number(v) for v in right])
    assert [F(int(v.p), int(v.q)) for v in found] == expected.tolist()


# ---- (epsilon, delta)


def own_optimum(weights, ratio, delta):
    """HiGHS on the definition: for every set S of outputs and two rows, Pr[S | y] <= t Pr[S | z] + delta."""
    size, width = weights.shape
    rows = []
    for y, z in permutations(range(size), 2):
        for chosen in product([0, 1], repeat=width):
            row = np.zeros((size, width))
            row[y] += chosen
            row[z] -= float(ratio) * np.array(chosen)
            rows.append(row.ravel())
    sums = np.kron(np.eye(size), np.ones(width))
    limits = {"A_ub": np.array(rows), "b_ub": np.full(len(rows), float(delta))} if rows else {}
    found = linprog(-weights.astype(float).ravel(), A_eq=sums, b_eq=np.ones(size), **limits)
    return -found.fun


RATIOS = st.sampled_from([F(11, 10), F(3, 2), F(3), F(20)])
DELTAS = st.sampled_from([F(0), F(1, 100), F(1, 7), F(1, 2), F(9, 10)])


@st.composite
def utilities(draw, most=4):
    size, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    return [[draw(st.integers(-4, 4)) for _ in range(width)] for _ in range(size)]


@settings(max_examples=25)
@given(utilities(), RATIOS, DELTAS)
def test_the_optimum_is_that_of_the_definition_by_sets_of_outputs(gain, ratio, delta):
    level = PrivacyLevel.from_ratio(ratio)
    program = approximate_channel(gain, level, delta)
    exact, rounded = program.solve("exact"), program.solve("float")
    assert float(exact.value) == pytest.approx(own_optimum(np.array(gain) / len(gain), ratio, delta), abs=1e-7)
    assert approximate_delta_of(exact.channel, level) <= delta
    assert rounded.value <= exact.value <= rounded.bound
    assert rounded.gap < 1e-7
    if delta == 0:
        assert exact.value == optimal_channel(gain, level).solve("exact").value


@settings(max_examples=15)
@given(utilities(3), RATIOS, RATIOS, DELTAS, DELTAS)
def test_the_optimum_grows_with_epsilon_and_delta(gain, ratio, other, delta, more):
    least, most = (
        approximate_channel(gain, PrivacyLevel.from_ratio(choose(ratio, other)), choose(delta, more)).solve().value
        for choose in (min, max)
    )
    assert least <= most


@settings(max_examples=15)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=5).filter(any), RATIOS, DELTAS)
def test_the_hit_rate_is_the_closed_form(counts, ratio, delta):
    level, prior = PrivacyLevel.from_ratio(ratio), sorted((F(c, sum(counts)) for c in counts), reverse=True)
    best = max(hit_rates(prior, level))
    assert approximate_channel(hit(len(prior)), level, delta, prior).solve("exact").value == delta + (1 - delta) * best


def test_a_level_in_floats_is_kept_by_a_rational_one_below():
    solution = approximate_channel(absolute(3), 1.0, 0.25).solve()
    assert solution.gap == 0
    assert approximate_delta_of(
        solution.channel, PrivacyLevel.from_ratio(PrivacyLevel.from_epsilon(1.0).ratio_below)
    ) <= F(1, 4)


@pytest.mark.parametrize("delta", [-0.1, 1, 2.5, "many", float("nan"), None, True])
def test_a_delta_that_is_none_is_refused(delta):
    with pytest.raises(ProgramError, match="delta"):
        approximate_channel(hit(2), TWO, delta)


def test_too_many_labels_are_refused_before_any_work():
    with pytest.raises(ProgramError, match="at most 4500"):
        approximate_channel(hit(17), TWO, 0).solve("exact")


# ---- certificates


def changed(text, change):
    data = json.loads(text)
    change(data)
    data["seal"] = checker.seal_of(data)
    return data


def entry(key, value):
    def change(data):
        first = data[key]
        while isinstance(first[0], list):
            first = first[0]
        first[0] = value

    return change


def of_data(**entries):
    return lambda data: data["data"].update(entries)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (entry("channel", "1"), "violates the sum of row 0"),
        (entry("channel", "-1"), "negative entry"),
        (entry("channel", "1e9"), "not a number"),
        (entry("channel", "1/0"), "zero"),
        (entry("channel", ["1"]), "not a number"),
        (entry("slacks", "1"), "violates delta"),
        (entry("slacks", "-1/100"), "negative entry"),
        (entry("duals", "-9"), "dual constraint"),
        (entry("duals", "9"), "upper"),
        (lambda d: d["duals"].__setitem__(3, "-1"), "dual of row 0 against row 1 at output 0 is negative"),
        (lambda d: d["duals"].__setitem__(slice(6, None, 4), ["0"] * 6), "dual constraint of unknown"),  # of a slack
        (lambda d: d["duals"].pop(), "in place of"),
        (lambda d: d["slacks"].pop(), "in place of"),
        (lambda d: d["channel"].pop(), "in place of"),
        (lambda d: d["channel"][0].pop(), "in place of"),
        (lambda d: d.update(lower="0"), "lower"),
        (lambda d: d.update(upper="-1"), "upper"),
        (lambda d: d.update(kind="pure"), "none of"),
        (lambda d: d.update(kind=["delta"]), "none of"),
        (lambda d: d.update(rows=[]), "keys"),
        (lambda d: d.update(format="lpmech-program-2"), "not a lpmech-program-1"),
        (lambda d: d["inputs"].__setitem__(1, "0"), "repeated"),
        (lambda d: d.update(data=[]), "keys"),
        (of_data(rows=[]), "keys"),
        (of_data(ratio="1"), "above 1"),
        (of_data(delta="1"), "below 1"),
        (of_data(delta="-1/10"), "from 0"),
        (of_data(delta="1/100"), "violates delta"),
        (of_data(ratio="3/2"), "violates"),
        (of_data(ratio="3"), "dual constraint"),
        (of_data(weights=[["0"] * 3] * 2), "in place of"),
        (of_data(weights=[["1"] * 3] * 3), "dual constraint"),
        (of_data(ratio="1" * 9000), "not a number"),
    ],
)
def test_a_certificate_that_does_not_prove_is_rejected(change, message):
    text = certificate()
    assert (
        program_checker.check_program(json.loads(text)).lower
        == approximate_channel(absolute(3), TWO, F(1, 10)).solve().value
    )
    with within(1.0), pytest.raises(checker.RejectedError, match=message):
        program_checker.check_program(changed(text, change))


def test_an_edited_certificate_is_found_by_its_seal():
    data = json.loads(certificate())
    data["upper"] = "1"
    with pytest.raises(checker.RejectedError, match="seal"):
        program_checker.check_program(data)


def test_a_file_that_asks_for_much_work_is_refused_at_once():
    names = [str(i) for i in range(60)]
    many = [["1"] * 60] * 60
    asked = {"inputs": names, "outputs": names, "data": {"weights": many, "ratio": "2", "delta": "0"}}
    with within(1.0), pytest.raises(checker.RejectedError, match="more than 131072 slacks"):
        program_checker.check_program(changed(certificate(), lambda d: d.update(asked)))
    long = "3" * 4000 + "/" + "7" * 3999
    with within(1.0), pytest.raises(checker.RejectedError, match="squared lengths"):
        program_checker.check_program(changed(certificate(), of_data(weights=[[long] * 3] * 3)))


JUNK = st.one_of(
    st.sampled_from(["0", "1", "-1/3", "5/7", "x", "1/0"]), st.builds(list), st.builds(dict), st.builds(lambda: ["1"])
)


def places(data, path=()):
    yield path
    for key, child in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(child, (*path, key))


@settings(max_examples=60)
@given(st.data())
def test_nothing_false_is_accepted_and_nothing_crashes(data):
    damaged = json.loads(certificate(absolute(2), delta=data.draw(DELTAS)))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from([p for p in places(damaged) if p and p[0] != "seal"]))
        place = damaged
        for key in way:
            place = place[key]
        try:
            place[last] = data.draw(JUNK)
        except (IndexError, KeyError, TypeError):
            continue
    damaged["seal"] = checker.seal_of(damaged)
    try:
        with within(1.0):
            proof = program_checker.check_program(damaged)
    except checker.RejectedError:
        return
    asked = damaged["data"]
    level = PrivacyLevel.from_ratio(asked["ratio"])
    gain = [[len(asked["weights"]) * F(v) for v in row] for row in asked["weights"]]
    assert proof.lower <= approximate_channel(gain, level, F(asked["delta"])).solve("exact").value <= proof.upper


def test_data_of_another_program_make_no_certificate():
    program = approximate_channel(absolute(3), TWO, F(1, 10))
    for other in (replace(program, data={**program.data, "delta": "1/20"}), replace(program, kind="none")):
        with pytest.raises(CertificateError):
            program_certificate(replace(program.solve(), program=other))


def test_the_checker_stands_alone_and_says_the_same_as_the_command(tmp_path):
    (tmp_path / "best.json").write_text(certificate(hit(3), prior=[F(1, 2), F(3, 10), F(1, 5)], solver="float"))
    for name in ("checker.py", "program_checker.py"):
        shutil.copy(CERTIFY / name, tmp_path)
    run = [sys.executable, "-S", "program_checker.py", "best.json"]
    alone = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "(epsilon, delta)-private at e^epsilon = 2, delta = 1/10" in alone.stdout
    assert lpmech("certify", tmp_path / "best.json").stdout == alone.stdout
    (tmp_path / "best.json").write_text("{}")
    refused = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
