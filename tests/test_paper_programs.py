"""The papers' three programs: one table of programs through every solver, the closed forms, the derivations, the command."""

import json
import warnings
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from commands import columns, lpmech

from lpmech import PrivacyLevel
from lpmech.cli import main
from lpmech.designs import paper_programs
from lpmech.entries import to_float
from lpmech.errors import ProgramError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms import bipartite_rr_star, block_rr_from_partition, block_rr_from_prior, rr_with_prior
from lpmech.mechanisms.bipartite_rr import closed_form as brr
from lpmech.mechanisms.bipartite_rr import derivation as brr_derived
from lpmech.mechanisms.bipartite_rr import global_program
from lpmech.mechanisms.bipartite_rr.program import (
    best_rearrangement,
    common_weights_in_cvxpy,
    global_program_in_cvxpy,
)
from lpmech.mechanisms.block_rr import (
    block_rr_in_cvxpy,
    block_rr_program,
    block_rr_program_from_decay,
    kappa,
    partition_by_decay,
)
from lpmech.mechanisms.block_rr import derivation as block_derived
from lpmech.mechanisms.rr_with_prior import best_k, lp1, lp1_in_cvxpy, lp2_in_cvxpy
from lpmech.mechanisms.rr_with_prior import derivation as prior_derived
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.priors import prior_from_counts
from lpmech.programs import Program, solvers
from lpmech.utilities import absolute, decay_of, hit, tanimoto

F = Fraction
TWO, THREE = PrivacyLevel.from_ratio(2), PrivacyLevel.from_ratio(3)
SOLVERS = ["highs", "highs-pairwise", "clarabel", "clarabel-pairwise", "interior-point", "exact"]
EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass(frozen=True)
class Case:
    """A program with what every solver must return; `channel` or `duals` is None where it is not unique."""

    program: Program
    value: Fraction
    channel: list[list[Fraction]] | None
    duals: list[Fraction] | None


def _randomized(t, size):
    return [[F(t if y == j else 1, t + size - 1) for j in range(size)] for y in range(size)]


#: Values by hand. LP1: max w_k, w = p-mass t / (t + k - 1), and the duals (t p - W) / (t - 1). (4.1): see each.
CASES = {
    # w = 2/5, 9/16, 3/5: every label is kept; duals (3 p - 3/5) / 2
    "LP1, k* = 3": Case(
        lp1([F(2, 5), F(7, 20), F(1, 4)], THREE), F(3, 5), _randomized(3, 3), [F(3, 10), F(9, 40), F(3, 40)]
    ),
    # w = 1/2, 5/8, 3/5: the last label is not kept and its row is free to choose; duals (3 p - 5/8) / 2 and 0
    "LP1, k* = 2": Case(lp1([F(1, 2), F(1, 3), F(1, 6)], THREE), F(5, 8), None, [F(7, 16), F(3, 16), F(0)]),
    # weights 3/5 1/5 | 3/10 2/5, row 1 is 1/2 1/2 by the fixed entry; q01 >= 1/6, so row 0 is 5/6 1/6:
    # 3/5 5/6 + 1/5 1/6 + 3/10 1/2 + 2/5 1/2 = 53/60. q00 lies strictly between q10 and 3 q10, so pi_0 = 3/5; column 1 is
    # tight: (1/5 - pi_0) + 3 (2/5 - pi_1) = 0, so pi_1 = 4/15
    "(4.1), two labels, l = 1": Case(
        block_rr_program_from_decay([F(3, 5), F(2, 5)], [0], F(1, 2), THREE, 1),
        F(53, 60),
        [[F(5, 6), F(1, 6)], [F(1, 2), F(1, 2)]],
        [F(3, 5), F(4, 15)],
    ),
    # weights 1/4 3/8 | 1/8 3/4: both rows prefer label 1 alone, 3/8 + 3/4; the duals are these
    "(4.1), two labels, l = 0": Case(
        block_rr_program_from_decay([F(1, 4), F(3, 4)], [1], F(1, 2), TWO, 0),
        F(9, 8),
        [[F(0), F(1)], [F(0), F(1)]],
        [F(3, 8), F(3, 4)],
    ),
    # the minority row is 1/3 on label 0 and cannot fall below 1/3 of the largest entry of a column:
    # rows 7/9 2/9 0, 1/3 2/3 0, 1/3 2/3 0; 1/2 7/9 + 1/6 2/9 + 1/4 1/3 + 1/3 2/3 + 1/4 1/3 + 1/6 2/3 = 25/27
    "(4.1), three labels, l = 1": Case(
        block_rr_program_from_decay([F(1, 2), F(1, 3), F(1, 6)], [0, 1], F(1, 2), THREE, 1),
        F(25, 27),
        [[F(7, 9), F(2, 9), F(0)], [F(1, 3), F(2, 3), F(0)], [F(1, 3), F(2, 3), F(0)]],
        [F(1, 2), F(1, 4), F(5, 36)],
    ),
    # |i - j| on 1..3: randomized response, losses (3 + 2 + 3) / 15
    "Q_g, |i - j|, N = 3": Case(
        global_program(absolute(3), THREE), F(-8, 15), _randomized(3, 3), [F(-7, 30), F(-1, 15), F(-7, 30)]
    ),
    # on 1..5 the end points are never released; the duals are not unique
    "Q_g, |i - j|, N = 5": Case(
        global_program(absolute(5), THREE),
        F(-24, 25),
        [
            [F(0), F(3, 5), F(1, 5), F(1, 5), F(0)],
            [F(0), F(3, 5), F(1, 5), F(1, 5), F(0)],
            [F(0), F(1, 5), F(3, 5), F(1, 5), F(0)],
            [F(0), F(1, 5), F(1, 5), F(3, 5), F(0)],
            [F(0), F(1, 5), F(1, 5), F(3, 5), F(0)],
        ],
        None,
    ),
    # three inputs, two outputs: 3 2/3 + 1 1/3 + 2 2/3 + 1 = 14/3; row 2 is indifferent, its dual is 1
    "three rows, two columns": Case(Program([[3, 1], [0, 2], [1, 1]], TWO), F(14, 3), None, [F(7, 3), F(4, 3), F(1)]),
}


@pytest.mark.parametrize("solver", solvers.SOLVERS)
@pytest.mark.parametrize("name", CASES)
def test_every_solver_returns_value_channel_and_duals(name, solver):
    case = CASES[name]
    if solver == "interior-point" and case.program.fixed:
        with pytest.raises(ProgramError, match="no fixed entries"):
            case.program.solve(solver)
        return
    solution = case.program.solve(solver)
    if solver == "exact":
        assert solution.value == solution.bound == case.value
    assert float(solution.value) == pytest.approx(float(case.value), abs=1e-6)
    assert float(solution.bound) == pytest.approx(float(case.value), abs=1e-6)
    if case.channel is not None:
        assert np.abs(solution.channel.matrix.astype(float) - np.array(case.channel, dtype=float)).max() < 1e-4
    if case.duals is not None:
        assert np.abs(solution.row_duals.astype(float) - np.array(case.duals, dtype=float)).max() < 1e-4


# -- the papers' own settings: every solver, the program as written in cvxpy, the closed form ------------------------

PRIORS = {name: prior_from_counts(counts) for name, counts in COUNTS.items()}
DECAY = F(10, 23)  # near e^(-1/1.2) = 0.43460, the sigma of Tables 8 and 9 at epsilon = 0.8 and 1


def _written(problem):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # constraints on three axes go through cvxpy's SCIPY backend
        return problem.solve(solver="HIGHS")


@pytest.mark.parametrize("name", COUNTS)
def test_lp1_is_solved_by_rr_with_prior(name):
    program, prior = lp1(PRIORS[name], THREE), PRIORS[name]
    closed = rr_with_prior(prior, THREE).expected_utility(hit(10), prior)
    assert program.solve("exact").value == closed  # ghazi2021 Theorem 3
    found = [float(program.solve(solver).value) for solver in SOLVERS[:-1]]
    written = [_written(lp1_in_cvxpy(prior, THREE)), _written(lp2_in_cvxpy(prior, THREE))]
    assert [*found, *written] == pytest.approx([float(closed)] * 7, abs=1e-6)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("l", [0, 5])
def test_4_1_is_not_solved_by_block_rr(name, l):
    prior = PRIORS[name]
    majority, _ = partition_by_decay(prior, DECAY)
    program = block_rr_program_from_decay(prior, majority, DECAY, THREE, l)
    optimum = program.solve("exact")
    closed = block_rr_from_partition(prior, majority, THREE, l)
    assert closed.satisfies(THREE)
    assert all(closed.matrix[key] == value for key, value in program.fixed.items())
    assert program.value(closed) < optimum.value
    found = [float(program.solve(solver).value) for solver in (SOLVERS[:4] if program.fixed else SOLVERS[:5])]
    found.append(_written(block_rr_in_cvxpy(prior, majority, DECAY, THREE, l)))
    assert found == pytest.approx([float(optimum.value)] * len(found), abs=1e-6)


@pytest.mark.parametrize("name", COUNTS)
def test_4_1_at_the_settings_of_tables_8_and_9(name):
    # by how many percent the optimum exceeds BlockRR: 1.09 to 47.2, but 0 at epsilon = 6 and 8, where S2 is empty and the
    # weights are so near the diagonal that randomized response is best
    prior, excess = to_float(PRIORS[name]), {}
    for epsilon, (sigma, l) in SETTINGS[name].items():
        setting = (float(epsilon), float(sigma), l or 0)
        program = block_rr_program(prior, *setting)
        optima = [program.solve(solver).value for solver in ("highs", "clarabel")]
        assert np.ptp(optima) < 1e-7
        excess[epsilon] = 100 * (optima[0] / program.value(block_rr_from_prior(prior, *setting)) - 1)
    assert {epsilon for epsilon, percent in excess.items() if abs(percent) < 1e-9} == {6, 8}
    assert min(percent for epsilon, percent in excess.items() if epsilon < 6) > 1
    assert max(excess.values()) == pytest.approx({"CIFAR-10_1": 28.3287, "CIFAR-10_2": 47.1650}[name], abs=1e-3)


def test_4_1_is_solved_by_block_rr_where_it_is_rr_and_the_weights_are_near_the_diagonal():
    # uniform prior, S2 empty: the weights are 1/4 on the diagonal and 1/8 off it, and randomized response is best
    program = block_rr_program_from_decay([F(1, 4)] * 4, range(4), F(1, 2), THREE, 2)
    closed = block_rr_from_partition([F(1, 4)] * 4, range(4), THREE, 2)
    assert program.value(closed) == program.solve("exact").value


@pytest.mark.parametrize(
    ("utility", "solvers"), [(absolute(20), SOLVERS[::2]), (tanimoto(20), SOLVERS[:-1])], ids=["V.B", "V.A"]
)
def test_q_g_is_solved_by_brr_star_among_common_weights_only(utility, solvers):
    # N = 20 is the paper's smallest
    closed = bipartite_rr_star(utility, THREE).expected_utility(utility)
    assert best_rearrangement(utility, THREE) == closed
    assert _written(common_weights_in_cvxpy(utility, THREE)) == pytest.approx(float(closed), rel=1e-9)
    program = global_program(utility, THREE)
    optimum = program.solve("exact").value
    found = [float(program.solve(solver).value) for solver in solvers]
    found.append(_written(global_program_in_cvxpy(utility, THREE)))
    assert found == pytest.approx([float(optimum)] * len(found), rel=1e-6)
    assert optimum > closed + F(1, 100)


def test_problems_carry_the_papers_letters_and_numbers():
    problem = block_rr_in_cvxpy([F(1, 2), F(1, 3), F(1, 6)], [0, 1], F(1, 2), THREE, 1)
    text = str(problem)
    assert "Sum(w * p" in text
    assert "(4.1) S2 on Delta: p[[2], :][:, [0]] == 0.33" in text
    assert set(problem.var_dict) == {"p"}
    assert {str(c.label) for c in lp1_in_cvxpy([F(1, 2)] * 2, 1.0).constraints} == {"(2)", "(3)", "not negative"}
    assert {str(c.label) for c in lp2_in_cvxpy([F(1, 2)] * 2, 1.0).constraints} == {"(4)", "(5)"}


# -- derivations: nothing of the closed form is typed in ------------------------------------------------------------


def test_kappa_beta_1_and_gamma_1_are_the_determinants_of_3_1():
    t, b, s1, s2, l = symbols = block_derived.symbols
    k, beta_1, gamma_1 = block_derived.determinants()
    beta, gamma = block_derived.solve_blocks()
    assert sp.expand(k - kappa(*symbols)) == 0
    assert sp.cancel(beta_1 / k - beta) == sp.cancel(gamma_1 / k - gamma) == 0
    assert sp.cancel(beta_1 - ((t - 1) * b + l * s2 / (s1 + s2))) == 0  # as (3.2) prints it


def test_k_star_follows_from_the_derived_thresholds():
    prior = [sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(1, 6)]
    for ratio in (F(5, 4), F(3, 2), F(2), F(4), F(9, 2)):  # thresholds 3/2 and 4; at one the smaller k
        level = PrivacyLevel.from_ratio(ratio)
        assert prior_derived.best_k_from_thresholds(prior, sp.Rational(ratio)) == best_k(
            [F(str(p)) for p in prior], level
        )


def test_q_star_is_derived_from_the_row_sum():
    t, n, m = brr_derived.t, brr_derived.N, sp.Symbol("m", integer=True, positive=True)
    assert sp.cancel(brr_derived.derive_low_probability() - brr.low_probability(t, n, m)) == 0


@pytest.mark.parametrize(("t", "n"), [(F(3, 2), 4), (2, 5), (2, 12), (3, 9), (4, 8), (4, 20), (9, 20), (F(121, 4), 33)])
def test_m_from_the_derived_roots_is_the_closed_form(t, n):
    # t = 4, N = 8: (9) has the root N / (sqrt(t) + 1) + 1 = 11/3; t = 4, N = 20: 23/3; t = 9, N = 20: the root is 6
    ratio = sp.Rational(t)
    assert brr_derived.m_end_point_from_root(ratio, n) == brr.m_end_point(t, n)
    assert brr_derived.m_middle_from_root(ratio, n) == brr.m_middle(t, n)
    assert (
        brr_derived.m_integers_from_roots(ratio, n)
        == brr.m_integers(t, n)
        == brr.common_m(absolute(n), PrivacyLevel.from_ratio(t))
    )


# -- the command ----------------------------------------------------------------------------------------------------


def _run(capsys, *arguments):
    with pytest.raises(SystemExit) as caught:
        main(["program", *map(str, arguments)])
    answer = capsys.readouterr()
    return caught.value.code, answer.out, answer.err


def _first(out):
    return json.loads(out)["programs"][0]


def test_program_ghazi2021_is_exact_for_a_ratio(capsys):
    code, out, _ = _run(capsys, "ghazi2021", EXAMPLES / "cifar10_1.csv", "--ratio", 3, "--json")
    row = _first(out)
    assert code == 0
    # the six large classes, 28500 of 33500, at t / (t + 5): 3/8 * 57/67
    assert row["optimum"] == {"lower": "171/536", "upper": "171/536"}
    assert row["closed forms"] == [
        {"name": "RRWithPrior", "parameters": "k* = 6", "value": "171/536", "difference": "0"}
    ]


def test_program_liu2026_solves_4_1_for_every_l_of_algorithm_2(capsys):
    path = EXAMPLES / "cifar10_2.csv"
    code, out, _ = _run(capsys, "liu2026", path, "--epsilon", 1, "--sigma", 1.2, "--json")
    programs = json.loads(out)["programs"]
    assert code == 0
    assert [p["setting"] for p in programs] == [f"l = {l}" for l in range(7)]
    assert all(p["closed forms"][0]["difference"] > 0.05 for p in programs)
    code, out, _ = _run(capsys, "liu2026", path, "--ratio", 3, "--decay", "10/23", "--l", 5, "--show")
    assert code == 0
    assert "Sum(w * p" in out
    assert "(4.1) S2 on Delta: p[[6, 7, 8, 9], :][:, [0, 1, 5, 2, 3]] == 0.1" in out
    assert "16447/77671" in out  # 11881/14122 - 97797/155342


def test_program_ghazi2021_shows_both_programs(capsys):
    code, out, _ = _run(capsys, "ghazi2021", EXAMPLES / "cifar10_1.csv", "--ratio", 3, "--show")
    assert code == 0
    assert "LP1\nmaximize p @ diag_mat(q, 0)\n" in out
    assert "LP2\nmaximize p @ q\n" in out


def test_program_zhang2025_shows_both_maximisations(capsys):
    code, out, _ = _run(capsys, "zhang2025", EXAMPLES / "wine.csv", "--ratio", 2, "--utility", "tanimoto", "--show")
    assert code == 0
    assert out.count("maximize") == 2
    assert "3181/3738" in out
    assert "12401/14952" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ghazi2021", "cifar10_1.csv"], "exactly one of --epsilon and --ratio"),
        (["liu2026", "cifar10_1.csv", "--ratio", "3"], "exactly one of --sigma and --decay"),
        (
            ["liu2026", "cifar10_1.csv", "--ratio", "3", "--sigma", "1", "--decay", "1/2"],
            "exactly one of --sigma and --decay",
        ),
        (["zhang2025", "severity.csv", "--ratio", "3", "--column", "severity"], "--order with all labels"),
        (["liu2026", "cifar10_1.csv", "--ratio", "3", "--decay", "1/0"], "an exact rational such as 1/2"),
        (["liu2026", "cifar10_1.csv", "--ratio", "3", "--decay", "3/2"], "0 <= decay < 1"),
        (["liu2026", "cifar10_1.csv", "--ratio", "3", "--decay", "1/2", "--l", "11"], "l"),
        (["liu2026", "cifar10_1.csv", "--ratio", "3", "--sigma", "-1"], "a positive finite number"),
        (["zhang2025", "cifar10_1.csv", "--ratio", "3", "--utility", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_bad_input_to_program_is_one_line(capsys, arguments, says):
    name, file, *rest = arguments
    code, out, err = _run(capsys, name, EXAMPLES / file, *rest)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def _liu2026(counts, level, sigma, l=None):
    counts = LabelCounts(tuple("abc")[: len(counts)], counts)
    chosen = paper_programs.decay_and_partition(counts, level, decay_of(sigma))
    return chosen, list(paper_programs.liu2026(counts, level, *chosen, l))


def test_sigma_with_an_exact_level_is_solved_exactly():
    _, (solved,) = _liu2026((3, 2, 1), THREE, 1.2, 1)
    assert solved.solution.is_exact


def test_s1_of_an_exact_level_is_chosen_by_the_exact_decay():
    # 2^54 e^-1 of the nearest double is a whole number: label b is at the threshold exactly, and in floats below it
    counts = (2**54, 6627126856707896)
    (decay, majority), _ = _liu2026(counts, THREE, 1.0)
    assert F(counts[1], counts[0]) == decay
    assert majority == (0, 1)


def test_without_s2_there_is_one_program_for_every_l():
    (_, majority), (only,) = _liu2026((3, 2, 1), THREE, 0.5)
    assert (majority, only.setting) == ((0, 1, 2), "every l")
    every = [_liu2026((3, 2, 1), THREE, 0.5, l)[1][0] for l in range(4)]
    assert {(p.solution.bound, p.beside[0].value) for p in every} == {(only.solution.bound, only.beside[0].value)}


@pytest.mark.parametrize(
    ("name", "says"),
    [("ghazi2021", "k* = 2"), ("liu2026 --decay 1/2", "S1 = {mild, moderate}"), ("zhang2025", "mild < moderate")],
)
def test_program_reads_the_files_that_design_reads(capsys, name, says):
    order = ["--column", "severity", "--order", "mild,moderate,severe,critical"]
    code, out, err = _run(capsys, *name.split()[:1], EXAMPLES / "severity.csv", "--ratio", 3, *name.split()[1:], *order)
    assert (code, err) == (0, "")
    assert says in out


# -- the former import paths ------------------------------------------------------------------------------------------


def test_import_paths_of_the_mechanisms_are_kept():
    import lpmech.mechanisms as mechanisms
    from lpmech.mechanisms import bipartite_rr, block_rr
    from lpmech.mechanisms.bipartite_rr_integers import m_integers
    from lpmech.mechanisms.block_rr import Blocks, beta, gamma, partition
    from lpmech.mechanisms.rr_with_prior import hit_rate, rr_with_prior

    assert mechanisms.rr_with_prior is rr_with_prior
    assert all(map(callable, (bipartite_rr, block_rr, m_integers, Blocks, beta, gamma, partition, hit_rate)))


def test_the_table_fits_eighty_columns_and_cuts_no_name():
    """Catches columns that shrink to a letter: the names of programs and mechanisms, and their numbers, are whole words."""
    with columns(80):
        out = lpmech("program", "zhang2025", "examples/wine.csv", "--ratio", "2", "--utility", "tanimoto").stdout
    table = [line for line in out.splitlines() if line[:1] in "┏┃┡│└"]
    assert len(table) > 5
    assert max(map(len, table)) <= 80
    assert all(word in " ".join(table) for word in ("weights,", "BRR*,", "3181/3738", "0.85098983", "0.82938737"))
