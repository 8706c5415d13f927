"""What design deploys: the same whatever the order and the names of the labels, ties alike, with little variance."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import lpmech
from lpmech import PrivacyLevel
from lpmech.certify import checker
from lpmech.cli import main
from lpmech.designs import optimum
from lpmech.designs.counting import design_for_counting
from lpmech.designs.decoding import share_error
from lpmech.designs.optimum import optimum_of
from lpmech.designs.what_is_left import what_is_left
from lpmech.entries import as_array, to_exact, to_float
from lpmech.errors import ProgramError, SolverError
from lpmech.labels.counts import LabelCounts, as_label_counts
from lpmech.labels.named_utilities import UTILITIES, information_bound, utility_named
from lpmech.mechanisms import randomized_response
from lpmech.privacy import as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.solvers.hit_floors import solve_with_hit_floor
from lpmech.programs.solvers.optimal_face import variance, variance_slope
from lpmech.programs.solvers.twins import twins_of
from lpmech.programs.symmetry import symmetry_of
from lpmech.rationals import DENOMINATOR, alike_numerators
from lpmech.release.design_files import certify_directory
from lpmech.utilities import hit

NAMES = ("1", "2", "4", "5", "7", "11")
AROUND = -np.minimum(np.subtract.outer(range(6), range(6)) % 6, np.subtract.outer(range(6), range(6)).T % 6)
#: Matrices with symmetries that no prior shows, with ties, and with nothing to choose by.
MATRICES = {
    "a ring": AROUND,
    "two blocks": np.kron(np.eye(2, dtype=int), np.ones((3, 3), dtype=int)),
    "ties": np.random.default_rng(0).integers(0, 3, (6, 6)),
    "constant": np.ones((6, 6), dtype=int),
}
PRIORS = {"distinct": (40, 25, 15, 10, 6, 4), "ties": (5, 5, 3, 3, 1, 1), "uniform": (1, 1, 1, 1, 1, 1)}


def deployed(counts, utility, floor, order, level=0.7):
    """The channel that is deployed for labels in that order, back in the order of `NAMES`."""
    order, level = list(order), as_privacy_level(level)
    labels = as_label_counts({NAMES[y]: counts[y] for y in order})
    if utility in MATRICES:
        gain = as_array(MATRICES[utility][np.ix_(order, order)], "utility", 2)
    else:
        gain = utility_named(utility, labels, level)
    back = np.argsort(order)
    return gain, optimum_of(gain, level, labels, floor).channel.matrix[back][:, back].tolist()


# -- order and names -----------------------------------------------------------------------------------


@pytest.mark.parametrize("floor", [None, "halfway"])
@pytest.mark.parametrize("utility", [*UTILITIES, *MATRICES])
@pytest.mark.parametrize("prior", PRIORS)
def test_the_order_of_the_labels_changes_nothing(prior, utility, floor):
    """Two orders that generate all 720 and two random ones: what is the same for them is no accident of a position."""
    counts, everybody = PRIORS[prior], range(6)
    _, first = deployed(counts, utility, floor, everybody)
    generators = [(1, 0, 2, 3, 4, 5), (1, 2, 3, 4, 5, 0)]
    for order in (*generators, *random.Random(prior).sample(list(itertools.permutations(everybody)), 2)):
        assert deployed(counts, utility, floor, order)[1] == first


def test_the_canonical_problem_is_the_same_for_all_720_orders():
    """Everything that chooses sees the labels in the canonical order only: there all orders are one problem."""
    for counts, utility in itertools.product(PRIORS.values(), MATRICES.values()):
        seen = set()
        for order in itertools.permutations(range(6)):
            at = list(order)
            gain, prior = as_array(utility[np.ix_(at, at)], "u", 2), as_array([counts[y] for y in at], "p", 1)
            found = symmetry_of(gain, prior / prior.sum())
            places = found.order
            seen.add((str(gain[places][:, places].tolist()), str(prior[places].tolist()), found.pairs.tobytes()))
        assert len(seen) == 1


def test_all_720_orders_of_one_design():
    orders = list(itertools.permutations(range(6)))
    assert len({str(deployed(PRIORS["ties"], "hit", None, order)[1]) for order in orders}) == 1


def test_design_deploys_the_optimum():
    found = lpmech.design({"b": 3, "a": 3, "c": 1}, 1.0, "hit", "halfway")
    same = optimum_of(hit(3), found.level, as_label_counts({"b": 3, "a": 3, "c": 1}), "halfway")
    assert found.channel == same.channel


def test_names_change_nothing():
    one = lpmech.design({"a": 4, "b": 4, "c": 2, "d": 1}, 1.0, "hit", "halfway")
    other = lpmech.design({"z": 4, "m": 4, "b": 2, "a": 1}, 1.0, "hit", "halfway")
    assert one.channel.matrix.tolist() == other.channel.matrix.tolist()


def test_the_rows_of_a_file_may_be_in_any_order(tmp_path):
    """Of numbers; and of words, where no distance gives them an order."""
    for utility, lines in (("squared", ["1,7", "2,5", "10,1"]), ("hit", ["low,7", "mid,5", "top,1"])):
        found = set()
        for at, order in enumerate((lines, lines[::-1])):
            path = tmp_path / "counts.csv"
            path.write_text("\n".join(["label,count", *order]) + "\n")
            asked = ["--epsilon", "1", "--utility", utility, "--keep-labels", "--counts-are", "public"]
            with pytest.raises(SystemExit) as ended:
                main(["design", str(path), *asked, "--output", str(tmp_path / f"{utility}{at}")])
            assert ended.value.code == 0
            channel = certify_directory(tmp_path / f"{utility}{at}").release.channel
            places = [channel.inputs.index(line.split(",")[0]) for line in lines]
            found.add(str(channel.matrix[places][:, places].tolist()))
        assert len(found) == 1


def test_the_bits_that_are_left_do_not_depend_on_the_order():
    """log2 of q[y, j] / r_j, r_j = (1 + (t - 1) p_j) / (t + K - 1): entry by entry; a product with p is not."""
    prior = as_label_counts({"a": 7, "b": 5, "c": 3, "d": 1}).prior
    found = information_bound(prior, PrivacyLevel.from_epsilon(1.3))
    q = to_float(randomized_response(4, 1.3).matrix)
    assert found == pytest.approx(np.log2(q / (to_float(prior) @ q)), abs=1e-14)
    for order in itertools.permutations(range(4)):
        at = list(order)
        assert information_bound(prior[at], PrivacyLevel.from_epsilon(1.3)).tolist() == found[at][:, at].tolist()


# -- ties ----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    counts=st.lists(st.integers(1, 3), min_size=6, max_size=6),
    utility=st.sampled_from(["hit", "balanced", "weights", "near", *MATRICES]),
    floor=st.sampled_from([None, "halfway"]),
    level=st.sampled_from([0.1, 1.0, 3.0, PrivacyLevel.from_ratio(3)]),
)
def test_labels_that_can_be_exchanged_are_treated_alike(counts, utility, floor, level):
    gain, rows = deployed(counts, utility, floor, range(6), level)
    matrix = np.array(rows, dtype=object)
    for one, other in itertools.combinations(range(6), 2):
        swap = list(range(6))
        swap[one], swap[other] = other, one
        if counts[one] == counts[other] and (gain[swap][:, swap] == gain).all():
            assert matrix[swap][:, swap].tolist() == rows


def test_a_ring_is_released_as_a_ring():
    """No two labels of a ring can be exchanged alone, but turning it leaves every distance: so every row is the first."""
    rows = deployed(PRIORS["uniform"], "a ring", "halfway", range(6))[1]
    for y in range(6):
        assert rows[y] == [rows[0][(j - y) % 6] for j in range(6)]
        assert rows[y] == [rows[y][(2 * y - j) % 6] for j in range(6)]


def test_three_thirds_are_shared_exactly():
    """What RRTop-3 releases for a rare label: 10^18 is no multiple of 3, so the denominator is another one."""
    found = lpmech.design({"a": 9, "b": 9, "c": 9, "d": 1}, 1.0)
    assert found.channel.matrix[3].tolist() == [Fraction(1, 3)] * 3 + [0]
    found.channel.sample(["d", "a"])


def test_what_a_row_lacks_is_given_to_kinds_and_not_to_positions():
    """Column minima 2/7 and 3/7 and a ratio of 2: floors are rounded up, and every row lacks or has too much."""
    third = np.array([[3, 2, 2], [2, 3, 2], [2, 2, 3]]) / 7
    kinds = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    numerators, denominator = alike_numerators(third, Fraction(2), kinds)
    assert denominator == DENOMINATOR
    assert (numerators.sum(axis=1) == denominator).all()
    assert len({int(n) for n in numerators[kinds == 0]}) == len({int(n) for n in numerators[kinds == 1]}) == 1
    assert (numerators.max(axis=0) <= 2 * numerators.min(axis=0)).all()


def test_many_labels_with_ties():
    """70 labels, two of each count: pairs are exchanged in every row and column, and the order changes nothing."""
    counts = [200 // (y // 2 + 1) + 100 - y // 2 for y in range(70)]
    labels = as_label_counts({f"n{y}": counts[y] for y in range(70)})
    matrix = optimum_of(hit(70), PrivacyLevel.from_epsilon(1.0), labels, "halfway").channel.matrix
    for y in range(0, 70, 2):
        swap = list(range(70))
        swap[y], swap[y + 1] = y + 1, y
        assert (matrix[swap][:, swap] == matrix).all()
    order = np.random.default_rng(0).permutation(70).tolist()
    other = as_label_counts({f"n{y}": counts[y] for y in order})
    moved = optimum_of(hit(70), PrivacyLevel.from_epsilon(1.0), other, "halfway").channel.matrix
    assert (moved == matrix[order][:, order]).all()


# -- variance ------------------------------------------------------------------------------------------

#: 26 labels of natural frequencies, 200,000 rows: where the documented way had errors from 2.9 to 53 points.
ZIPF = [200_000 * 6 // (10 * y) // 2 for y in range(1, 27)]
SKEWED = LabelCounts(tuple("abcdefghijklmnopqrstuvwxyz"), tuple(ZIPF))


def test_the_kept_labels_are_counted_better_than_by_randomized_response():
    rows = sum(ZIPF)
    plain = share_error(randomized_response(26, 1.0), SKEWED.prior, rows)
    found = lpmech.design(SKEWED, 1.0, "hit", "halfway")
    assert found.optimum.share_error < 0.8 * plain
    assert found.error_before > plain
    lower, upper = found.interval
    assert upper - lower < Fraction(1, 10**8)
    assert min(found.channel.matrix.diagonal()) >= found.floor


def test_no_vertex_that_the_solver_returns_for_another_order_is_better():
    found = lpmech.design(SKEWED, 1.0, "hit", "halfway").optimum.share_error
    for seed in range(12):
        order = np.random.default_rng(seed).permutation(26)
        prior = SKEWED.prior[order]
        vertex = solve_with_hit_floor(optimal_channel(hit(26), 1.0, prior), "halfway").channel
        if what_is_left(vertex, prior).decodable:
            assert share_error(vertex, prior, sum(ZIPF)) > found


@pytest.mark.parametrize("utility", ["hit", "near", "absolute", "weights"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_never_worse_than_the_solver_and_as_useful(utility, epsilon):
    counts = LabelCounts(tuple(map(str, range(1, 11))), (90, 70, 50, 41, 33, 25, 18, 11, 7, 4))
    gain, level = utility_named(utility, counts), PrivacyLevel.from_epsilon(epsilon)
    found = optimum_of(gain, level, counts, "halfway")
    if found.error_before is not None:
        assert share_error(found.channel, counts.prior, sum(counts.counts)) <= found.error_before * (1 + 1e-9)
    kept = solve_with_hit_floor(optimal_channel(gain, level, counts.prior), "halfway")
    assert float(found.channel.expected_utility(gain, counts.prior)) == pytest.approx(
        float(kept.channel.expected_utility(gain, counts.prior)), abs=1e-8
    )


def test_what_column_floors_that_stay_lose():
    """About 6 % of the error, as `lpmech.programs.solvers.optimal_face` says it: catches a number there that is not so.

    Complementary slackness as linear equations in the channel and its floors; descent over all of them by linprog.
    """
    size, level = 10, PrivacyLevel.from_epsilon(0.5)
    counts = LabelCounts(tuple("abcdefghij"), tuple(1000 // y for y in range(1, 11)))
    found, prior = optimum_of(hit(size), level, counts, "halfway"), to_float(counts.prior)
    first, ratio = to_float(found.channel.matrix), float(level.ratio)
    reduced = (to_float(found.priced.weights) - found.row_duals[:, None]).ravel()
    entries, own = np.eye(size**2), np.arange(size) * (size + 1)
    columns, none = np.tile(np.eye(size), (size, 1)), np.zeros((size**2, size))
    below_top, above_floor = np.hstack([entries, -ratio * columns]), np.hstack([-entries, columns])
    rows = np.hstack([np.kron(np.eye(size), np.ones(size)), np.zeros((size, size))])
    kept = own[to_float(found.prices) > 0]
    equal = np.vstack([rows, below_top[reduced > 1e-8], above_floor[reduced < -1e-8], np.hstack([entries, none])[kept]])
    right = np.concatenate([np.ones(size), np.zeros(len(equal) - size - len(kept)), first.ravel()[kept]])
    bounds = [(float(found.floor) if at in own else 0, None) for at in range(size**2)] + [(0, None)] * size

    def best(slope):
        costs = np.append(slope.ravel() / abs(slope).max(), np.zeros(size))
        limits = np.vstack([below_top, above_floor])
        solved = linprog(costs, limits, np.zeros(len(limits)), equal, right, bounds)
        return solved.x[: size**2].reshape(size, size)

    rng, least = np.random.default_rng(0), variance(first, prior)[0]
    before = least
    for matrix in (first, *((first + best(rng.normal(size=(size, size)))) / 2 for _ in range(3))):
        for _ in range(40):
            value, decoder = variance(matrix, prior)
            direction = best(variance_slope(matrix, prior, decoder)) - matrix
            lengths = [
                length for length in 2.0 ** -np.arange(8) if variance(matrix + length * direction, prior)[0] < value
            ]
            if not lengths:
                break
            matrix = matrix + lengths[0] * direction
        least = min(least, variance(matrix, prior)[0])
        assert (matrix.max(axis=0) / matrix.min(axis=0)).max() < ratio * (1 + 1e-6)
        assert (prior * matrix.diagonal()).sum() == pytest.approx(
            float((counts.prior * found.channel.matrix.diagonal()).sum())
        )
    assert 0.04 < 1 - np.sqrt((least - 1) / (before - 1)) < 0.08


def test_the_slope_of_the_variance_is_that_of_differences():
    rng = np.random.default_rng(1)
    prior = rng.dirichlet(np.ones(4))
    matrix = np.eye(4) + rng.random((4, 4))
    matrix /= matrix.sum(axis=1, keepdims=True)
    value, decoder = variance(matrix, prior)
    slope = variance_slope(matrix, prior, decoder)
    channel = lpmech.Channel(matrix)
    assert np.sqrt((value - 1) / 4 / 50) == pytest.approx(share_error(channel, prior, 50))
    for y, j in itertools.product(range(4), range(4)):
        moved = matrix.copy()
        moved[y, j] += 1e-7
        assert (variance(moved, prior)[0] - value) / 1e-7 == pytest.approx(slope[y, j], rel=1e-4, abs=1e-4)
    assert variance(np.full((4, 4), 0.25), prior)[0] == np.inf


def test_among_private_channels_of_one_utility_the_choice_is_by_variance():
    """All utilities equal: every channel is optimal, and one is taken from which shares can be estimated."""
    found = lpmech.design({"a": 5, "b": 3, "c": 2}, 1.0, [[1] * 3] * 3, "halfway")
    assert found.optimum.share_error is not None
    assert found.optimum.expected_utility == pytest.approx(1)


def test_floors_that_drown_in_rounding_are_kept():
    """At epsilon 60 a floor is 1e-27 beside ceilings of 0.1: a step that ends there must not end at 0."""
    found = lpmech.design(dict(zip("abcdefghij", [2, 10**6, 1, 1, 3, 3, 100, 0, 3, 2], strict=True)), 60.0, "near")
    assert found.interval[1] - found.interval[0] < Fraction(1, 10**8)


# -- what is certified and said ------------------------------------------------------------------------


@pytest.mark.parametrize("floor", [None, "halfway", 0.05])
def test_the_certificate_is_about_the_deployed_channel(floor):
    found = lpmech.design(SKEWED, 1.0, "hit", floor)
    assert found.certificate.channel.matrix.tolist() == found.channel.matrix.tolist()
    checker.check(found.certificate.data)
    lower, upper = found.interval
    value = (found.prior * found.channel.matrix.diagonal()).sum()
    assert lower <= value <= upper  # hits: the expected utility is the sum of p_y q[y, y], exactly
    assert found.channel.ratio <= found.level.ratio_below
    found.channel.sample(["a"])


def test_a_word_for_the_floor():
    word = lpmech.design(SKEWED, 1.0, "hit", "halfway")
    least, most = 1 / 26, np.e / (np.e + 25)
    assert float(word.floor) == pytest.approx((least + most) / 2)
    with pytest.raises(ProgramError, match="'halfway' or a number from 0 to"):
        lpmech.design(SKEWED, 1.0, "hit", "half")


def test_design_prints_what_counting_costs(tmp_path, capsys):
    (tmp_path / "counts.csv").write_text(
        "label,count\n" + "".join(f"{n},{c}\n" for n, c in zip("abcdef", ZIPF[:6], strict=True))
    )
    rest = ["--epsilon", "1", "--keep-labels"]
    with pytest.raises(SystemExit):
        main(["design", str(tmp_path / "counts.csv"), *rest])
    out = " ".join(capsys.readouterr().out.split())
    assert "share ±" in out
    assert "for counting: --utility count" in out
    found = lpmech.design(dict(zip("abcdef", ZIPF[:6], strict=True)), 1.0, "hit", "halfway")
    assert f"estimates shares to ± {100 * found.optimum.share_error:.2g} points" in out
    assert found.to_frame().loc["always_one_label", "share_error"] is None or np.isnan(
        found.to_frame().loc["always_one_label", "share_error"]
    )


def test_counting_compares_the_channel_that_design_deploys():
    counted = {entry.mechanism: entry for entry in design_for_counting(SKEWED, 1.0).comparisons}
    deployed_error = lpmech.design(SKEWED, 1.0, "hit", "halfway").optimum.share_error
    assert counted["optimal"].error == pytest.approx(deployed_error)


def test_exact_weights_of_unequal_rows_keep_their_certificate():
    """Duals averaged over labels that cannot be told apart still prove the optimum, exactly."""
    found = lpmech.design({"a": 3, "b": 3, "c": 1}, PrivacyLevel.from_ratio(3), to_exact(np.eye(3)), "halfway")
    assert found.interval[0] <= found.interval[1]
    assert (found.channel.matrix[0, 0], found.channel.matrix[0, 1]) == (
        found.channel.matrix[1, 1],
        found.channel.matrix[1, 0],
    )


def test_a_floor_that_rounding_broke_is_not_deployed(monkeypatch):
    # the first label keeps its floor, the others do not: the least hit counts, not the largest
    broken = lpmech.Channel([[Fraction(8, 10), Fraction(1, 10), Fraction(1, 10)]] * 3, list("abc"), list("abc"))
    monkeypatch.setattr(optimum, "_exact", lambda *_: broken)
    with pytest.raises(SolverError, match="does not keep the floor"):
        lpmech.design({"a": 3, "b": 2, "c": 1}, PrivacyLevel.from_ratio(3), hit_floor=Fraction(2, 5))


@pytest.mark.parametrize("counts", [(5, 5, 5, 3, 1, 1, 1, 1), (9, 4, 4, 4, 4, 4, 4, 4), (2,) * 6])
def test_variance_and_slope_by_classes_of_twins_are_those_of_whole_matrices(counts):
    counts = as_label_counts({str(y): n for y, n in enumerate(counts)})
    symmetry = symmetry_of(utility_named("hit", counts), counts.prior)
    twins, size = twins_of(symmetry), len(counts.labels)
    assert twins.sizes.sum() == size
    prior = to_float(counts.prior)[symmetry.order]
    matrix = symmetry.average(np.random.default_rng(2).random((size, size))) + np.eye(size)
    matrix /= matrix.sum(axis=1, keepdims=True)
    (value, decoder), (expected, inverse) = variance(matrix, prior, twins), variance(matrix, prior)
    assert value == pytest.approx(expected, rel=1e-12)
    assert decoder == pytest.approx(inverse, rel=1e-10, abs=1e-12)
    slopes = [variance_slope(matrix, prior, inverse, known) for known in (twins, None)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-10, abs=1e-12)
    flat = symmetry.average(np.full((size, size), 1 / size))
    assert variance(flat, prior, twins)[0] == np.inf


def test_labels_on_a_ring_or_of_counts_of_their_own_are_no_twins():
    uniform = as_array([Fraction(1, 6)] * 6, "prior", 1)
    assert twins_of(symmetry_of(as_array(AROUND, "utility", 2), uniform)) is None
    rising = as_array([Fraction(y, 21) for y in range(1, 7)], "prior", 1)
    assert twins_of(symmetry_of(as_array(np.eye(6, dtype=int), "utility", 2), rising)) is None
