"""Maps over priors: against optima at single priors, other programs, known closed forms, and each other."""

import json
import re
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from lpmech import PrivacyLevel, optimal_channel
from lpmech.cli import main
from lpmech.designs.prior_maps import PriorMap, prior_map, prior_map_in_t
from lpmech.errors import InvalidInputError, LpmechError, ProgramError, SolverError, UtilityError
from lpmech.plots import plot_prior_losses, plot_prior_map, png
from lpmech.programs.cones import Cone, all_priors, falling_priors, primitive
from lpmech.programs.solvers import prior_regions, prior_regions_in_t
from lpmech.programs.solvers.prior_regions import PriorRegion
from lpmech.programs.solvers.prior_regions_in_t import regions_in_t, value_at
from lpmech.report.prior_maps import linear
from lpmech.utilities import absolute, hit, squared

F, LEVEL = Fraction, PrivacyLevel.from_ratio(3)


def matrices(size, outputs=None):
    entry = st.integers(-4, 4).map(F)
    return st.lists(st.lists(entry, min_size=outputs or size, max_size=outputs or size), min_size=size, max_size=size)


def counts(size):
    return st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)


@cache
def for_all_t(utility):
    return prior_map_in_t(3, utility)


# ---- cones


@given(st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4).filter(any), min_size=1, max_size=5))
def test_both_sides_of_a_cut_have_the_volume_of_the_whole(normals):
    # a ray that is lost, or one that is too many, changes a volume
    cells = [all_priors(4)]
    for normal in normals:
        parts = [(cell.cut(normal), cell.cut([-v for v in normal])) for cell in cells]
        for cell, (one, other) in zip(cells, parts, strict=True):
            assert sum(part.share() for part in (one, other) if part is not None) == cell.share()
        cells = [part for pair in parts for part in pair if part is not None]


def test_shares_are_the_volumes_of_another_library():
    # {p on 4 labels: p_1 + p_2 >= 2 p_3, p_4 >= p_1 / 2}: qhull's volume in three coordinates; that of the simplex is 1/6
    cell = all_priors(4).cut([1, 1, -2, 0]).cut([-1, 0, 0, 2])
    corners = np.array([[v / sum(ray) for v in ray] for ray in cell.rays])
    assert float(cell.share()) == pytest.approx(6 * ConvexHull(corners[:, :3]).volume, rel=1e-9)


def test_falling_priors_are_one_of_the_orders():
    assert [falling_priors(size).share() for size in (2, 3, 4)] == [F(1, 2), F(1, 6), F(1, 24)]
    assert set(falling_priors(3).rays) == {(1, 0, 0), (1, 1, 0), (1, 1, 1)}


def test_a_cut_that_leaves_no_interior_leaves_nothing():
    assert all_priors(3).cut([-1, -1, 0]) is None
    assert all_priors(3).cut([1, 0, 0]).rays == all_priors(3).rays
    assert primitive([F(2, 3), F(-4, 3)]) == (1, -2)


# ---- one t


@settings(max_examples=25)
@given(
    st.integers(2, 4).flatmap(lambda size: st.tuples(matrices(size), counts(size))), st.sampled_from(["3/2", "3", "7"])
)
def test_the_map_has_the_optimum_of_every_prior(drawn, ratio):
    utility, frequencies = drawn
    level = PrivacyLevel.from_ratio(ratio)
    prior = [F(v, sum(frequencies)) for v in frequencies]
    found = prior_map(len(utility), utility, level)
    assert sum(region.share for region in found.regions) == 1
    assert found.optimum(prior) == optimal_channel(utility, level, prior).solve("exact").value


def test_the_map_agrees_with_a_linear_program_written_down_pair_by_pair():
    # HiGHS on q >= 0, rows sum to one, q[y, j] <= 3 q[z, j]: no code of ours
    rng = np.random.default_rng(5)
    found = prior_map(3, "absolute", LEVEL)
    utility = -abs(np.subtract.outer(range(3), range(3)))
    limits = np.zeros((18, 3, 3))
    for row, (pair, j) in enumerate((pair, j) for pair in permutations(range(3), 2) for j in range(3)):
        limits[row, pair[0], j], limits[row, pair[1], j] = 1, -3
    sums = np.kron(np.eye(3), np.ones(3))
    for _ in range(20):
        prior = rng.dirichlet([0.7] * 3)
        best = linprog(
            -(prior[:, None] * utility).ravel(), limits.reshape(18, 9), np.zeros(18), sums, np.ones(3), method="highs"
        )
        assert found.optimum(prior) == pytest.approx(-best.fun, abs=1e-9)


def test_hits_are_theorem_3_of_ghazi2021():
    # RRTop-k on every set of labels, and nothing else; the share of one label is 1/20: t^-3 times 27/20 ... at t = 3,
    # K = 4 the region p_1 >= 3 p_j has the corners e_1, (3, 1, 0, 0)/4, (3, 1, 1, 0)/5, (3, 1, 1, 1)/6 and so on
    found = prior_map(4, "hit", LEVEL)
    names = {names[0] for names in found.mechanisms}
    assert len(found.regions) == len(names) == 2**4 - 1
    assert {"randomized_response", "always 3", "rr_top_k on 1, 3", "rr_top_k on 2, 3, 4"} <= names
    only = next(region for region, names in zip(found.regions, found.mechanisms, strict=True) if "always 1" in names)
    assert set(only.vertices) == {
        (F(1), F(0), F(0), F(0)),
        *({p for p in permutations([F(3, 4), F(1, 4), F(0), F(0)]) if p[0] == F(3, 4)}),
        *({p for p in permutations([F(3, 5), F(1, 5), F(1, 5), F(0)]) if p[0] == F(3, 5)}),
        (F(1, 2), F(1, 6), F(1, 6), F(1, 6)),
    }


def test_falling_priors_are_a_part_of_all():
    part, whole = prior_map(4, "squared", LEVEL, falling=True), prior_map(4, "squared", LEVEL)
    kept = {region.row_utilities for region in whole.regions}
    assert {region.row_utilities for region in part.regions} <= kept
    assert len(part.regions) < len(whole.regions)
    with pytest.raises(InvalidInputError, match="falling"):
        part.optimum([F(1, 10), F(2, 10), F(3, 10), F(4, 10)])


def test_what_nobody_has_published_is_said():
    # found at random: RR on bins is not optimal for this utility at some priors (a share of 2e-4 of them)
    utility = [[3, -1, 1, 5], [-2, -1, 1, -1], [3, -1, 3, 0], [-5, 1, 4, 0]]
    found = prior_map(4, utility, PrivacyLevel.from_ratio(2))
    alone = [region for region, names in zip(found.regions, found.mechanisms, strict=True) if not names]
    assert [[str(v) for v in row] for row in alone[0].channel.matrix.tolist()] == [
        ["2/5", "0", "1/5", "2/5"],
        ["1/5", "0", "2/5", "2/5"],
        ["2/5", "0", "2/5", "1/5"],
        ["1/5", "0", "2/5", "2/5"],
    ]


def test_bipartite_rr_is_named_where_it_is_best():
    # release anything but the truth: m = 2 of three labels share the high probability, by zhang2025
    found = prior_map(3, [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], LEVEL)
    assert any("bipartite_rr" in names for names in found.mechanisms)


@pytest.mark.parametrize("ratio", ["11/10", "2", "9"])
def test_named_mechanisms_attain_the_optimum_inside_their_regions(ratio):
    from lpmech.mechanisms import rr_top_k

    level = PrivacyLevel.from_ratio(ratio)
    found = prior_map(3, "hit", level)
    for region, names in zip(found.regions, found.mechanisms, strict=True):
        kept = 1 if names[0].startswith("always") else 3 if "randomized_response" in names else 2
        centre = np.array(region.centre)
        value = (centre[:, None] * hit(3) * rr_top_k(region.centre, kept, level).matrix).sum()
        assert value == found.optimum(region.centre)


def test_a_region_with_another_optimum_at_a_corner_cannot_be_made():
    region = prior_map(2, "hit", LEVEL).regions[0]
    wrong = (region.row_utilities[0] + F(1, 100), region.row_utilities[1])
    with pytest.raises(SolverError, match="not that of the region"):
        PriorRegion(region.channel, wrong, region.vertices, region.solutions, region.share)


def test_regions_that_leave_something_out_or_were_moved_are_refused(monkeypatch):
    """One is forgotten; every border is moved towards one side, inwards, outwards."""
    put, cut = prior_regions._with, Cone.cut
    monkeypatch.setattr(prior_regions, "_with", lambda *of: dict([*put(*of).items()][:2]))
    with pytest.raises(SolverError, match="not all of them"):
        prior_map(3, "absolute", LEVEL)
    monkeypatch.setattr(prior_regions, "_with", put)
    for by in (lambda normal: 1 if normal[0] > 0 else -1, lambda normal: -1, lambda normal: 1):

        def moved(cone, normal, by=by):
            return cut(cone, [10 * v + by(normal) for v in normal])

        monkeypatch.setattr(Cone, "cut", moved)
        with pytest.raises(SolverError, match=r"not all of them|not that of the region"):
            prior_map(3, "absolute", LEVEL)
        with pytest.raises(SolverError):
            prior_map_in_t(2, "hit")


def test_regions_for_all_t_without_the_best_channel_are_refused(monkeypatch):
    """Hits with two labels: without randomised response the two other regions cover all priors, and are wrong."""
    cells = prior_regions_in_t._cell

    def forgetful(whole, here, at):
        left = {kept: functions for kept, functions in at.items() if kept in ((0, 1), (1, 0))}
        return cells(whole, here, left) if here in left else (None, {})

    monkeypatch.setattr(prior_regions_in_t, "_cell", forgetful)
    with pytest.raises(SolverError, match="another channel is better at a corner"):
        prior_map_in_t(2, "hit")


# ---- all t


@pytest.mark.parametrize(("utility", "points"), [("hit", ["2"]), ("squared", ["2", "7/2"]), ("near", ["2"])])
def test_the_map_for_all_t_is_the_map_at_every_t(utility, points):
    found = for_all_t(utility)
    for ratio in map(F, points):
        interval = next(
            i for i in found.intervals if i.upper is None or F(int(i.upper.upper.p), int(i.upper.upper.q)) > ratio
        )
        here = prior_map(3, utility, PrivacyLevel.from_ratio(ratio))
        lifted = {
            (tuple(value_at(v, ratio) for v in r.row_utilities), value_at(r.share, ratio)) for r in interval.regions
        }
        assert lifted == {(region.row_utilities, region.share) for region in here.regions}


@settings(max_examples=6)
@given(matrices(2, 3), st.sampled_from(["21/20", "2", "5", "40"]))
def test_two_labels_and_three_outputs_for_all_t(utility, ratio):
    from lpmech.programs.solvers.prior_regions import regions_of_priors

    array, t = np.array(utility, dtype=object), F(ratio)
    there = {
        region.row_utilities: region.share
        for region in regions_of_priors(array, PrivacyLevel.from_ratio(t), all_priors(2))
    }
    for between in regions_in_t(array):
        ends = [between.lower, between.upper]
        if float(ends[0].upper) <= t and (ends[1] is None or t <= float(ends[1].lower)):
            here = {tuple(value_at(v, t) for v in r.row_utilities): value_at(r.share, t) for r in between.regions}
            assert here == there


def test_borders_and_break_points_of_three_labels():
    # squared distances: below t = 3 randomised response is optimal for no prior (an open set of priors above)
    first, second = for_all_t("squared").intervals
    assert str(first.upper.expression(None) if first.upper is None else first.upper.polynomial) == "x + (-3)"
    rows = list(for_all_t("squared").rows())
    assert not any("randomized_response" in row.mechanisms for row in rows if row.upper == 3)
    (always,) = [row for row in rows if row.upper == 3 and row.mechanisms == ("always 2",)]
    assert set(always.where) == {"3*p1 + p2 >= p3*t", "p2 + 3*p3 >= p1*t"}
    assert second.upper is None


@pytest.mark.parametrize(
    "utility",
    [
        # what is kept differs by -20 t/(9 t + 9) and 33/(10 t + 10)
        [["11/9", -1], ["-3/2", "9/5"]],
        [["-7/4", "-19/7", 7], ["8/5", -3, 0], [-19, 14, 1]],
    ],
)
def test_corners_lie_on_the_borders_of_their_region(utility):
    """A border was -20 t p1 + 33 p2 in place of -200 t p1 + 297 p2: denominators of its entries were left out."""
    matrix = np.array([[F(v) for v in row] for row in utility], dtype=object)
    for between in regions_in_t(matrix):
        for region in between.regions:
            corners = [[value_at(v, between.sample) for v in corner] for corner in region.vertices]
            for border in region.borders:
                heights = [
                    sum(value_at(b, between.sample) * v for b, v in zip(border, c, strict=True)) for c in corners
                ]
                assert min(heights) == 0
                assert heights.count(0) >= len(utility) - 1


def test_hits_for_all_t_are_theorem_3_of_ghazi2021():
    # RRTop-2 on 1, 2 is optimal where t p_2 >= p_1, t p_1 >= p_2 and (t + 1) p_3 <= p_1 + p_2, its equation (5)
    rows = {row.mechanisms[0]: row for row in for_all_t("hit").rows()}
    assert set(rows["rr_top_k on 1, 2"].where) == {"p2*t >= p1", "p1*t >= p2", "p1 + p2 >= p3*(t + 1)"}
    assert str(rows["rr_top_k on 1, 2"].optimum) == "t*(p1 + p2)/(t + 1)"
    assert sum(row.share for row in rows.values()).simplify() == 1


# ---- what is shown and what is refused


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: prior_map(5, "hit", LEVEL), InvalidInputError, "2 to 4 labels"),
        (lambda: prior_map(7, "hit", LEVEL, falling=True), InvalidInputError, "2 to 6 labels"),
        (lambda: prior_map(1, "hit", LEVEL), InvalidInputError, "2 to 4 labels"),
        (lambda: prior_map(True, "hit", LEVEL), InvalidInputError, "labels"),
        (lambda: prior_map_in_t(4), InvalidInputError, "2 to 3 labels"),
        (lambda: prior_map(3, "hit", 1.0), ProgramError, "exact level"),
        (lambda: prior_map(3, "balanced", LEVEL), UtilityError, "same for every prior"),
        (lambda: prior_map(3, np.eye(3) / 3, LEVEL), ProgramError, "exact"),
        (lambda: prior_map(3, np.eye(2, dtype=int), LEVEL), UtilityError, "3 x 3"),
        (lambda: prior_map(3, "hit", LEVEL).optimum([1, 1, 1]), LpmechError, "prior"),
        (lambda: plot_prior_map(prior_map(2, "hit", LEVEL)), InvalidInputError, "three labels"),
    ],
)
def test_what_cannot_be_done_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_pictures_have_a_region_and_a_panel_each():
    found = prior_map(3, "absolute", LEVEL)
    axes = plot_prior_map(found, title="mine")
    assert len(axes.get_legend().get_texts()) == len(found.regions) == 7
    panels = plot_prior_losses(found)
    assert len(panels) == 8
    # RR on bins loses nothing anywhere, the exponential mechanism somewhere
    lost = {panel.get_title(): panel.collections[0].get_array().max() for panel in panels}
    assert lost["rr_on_bins"] < 1e-9 < lost["exponential"]
    assert png(panels[0])[:4] == b"\x89PNG"


def test_the_page_has_the_formulas_and_what_it_is_drawn_from(tmp_path):
    """For hits a corner of the region of randomised response has p2 (t + 1) = p1 + p3 and p3 (t + 1) = p1 + p2, so that
    p2 = p3 = p1/t: (3/5, 1/5, 1/5) at t = 3."""
    file = tmp_path / "map.html"
    with pytest.raises(SystemExit, match="0"):
        main(["regimes", "--all-priors", "--labels", "3", "--output", str(file)])
    text = file.read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    (region,) = (r for r in data["intervals"][0]["regions"] if r["name"] == "randomized_response")
    corners = [[np.polyval(above, 3) / np.polyval(below, 3) for above, below in corner] for corner in region["corners"]]
    assert np.array(sorted(corners)) == pytest.approx(np.array([[0.2, 0.2, 0.6], [0.2, 0.6, 0.2], [0.6, 0.2, 0.2]]))
    assert "p2*(t + 1) &gt;= p1 + p3" in text


def test_linear_functions_are_written_over_one_denominator():
    assert linear([F(3, 4), F(-1, 2), F(0)]) == "(3 p1 - 2 p2)/4"
    assert linear([F(0), F(-1), F(-2)]) == "-p2 - 2 p3"
    assert linear([F(0), F(0)]) == "0"


def test_frames_have_a_row_for_each_region():
    found = prior_map(3, "hit", LEVEL)
    assert isinstance(found, PriorMap)
    assert found.to_frame()["share"].sum() == 1
    assert list(prior_map_in_t(2).to_frame()["where"]) == [
        ("p1 >= p2*t",),
        ("p2*t >= p1", "p1*t >= p2"),
        ("p2 >= p1*t",),
    ]
    assert "7 regions" in repr(found)
    assert "all priors on 3 labels" in found._repr_html_()


def test_labels_may_have_values():
    # labels at 0, 1, 10: the third is far from both others, so that no bin has it with another one at large t
    near, far = (prior_map(labels, "absolute", PrivacyLevel.from_ratio(9)) for labels in (3, [0, 1, 10]))
    assert {r.row_utilities for r in near.regions} != {r.row_utilities for r in far.regions}
    assert absolute([0, 1, 10])[0, 2] == -10 == far.utility[0, 2]
    assert (squared(3) == prior_map(3, "squared", LEVEL).utility).all()
