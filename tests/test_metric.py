"""Metric privacy: metrics, the program on neighbours only, its certificate, and the closed form on a line."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import qif
from commands import lpmech
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lpmech import Channel, PrivacyLevel, optimal_channel
from lpmech.certify import checker
from lpmech.certify.program import program_certificate
from lpmech.certify.program_checker import check_program
from lpmech.designs.metric_design import design_for_metric
from lpmech.errors import ChannelError, LabelError, ProgramError, SolverError, UtilityError
from lpmech.mechanisms.geometric import best_on_a_line, closer, geometric
from lpmech.programs.linear import LinearSolution
from lpmech.programs.metric import graph_metric, metric_channel, metric_of, neighbours
from lpmech.utilities import absolute, hit, squared

F = Fraction
TWO, THREE = PrivacyLevel.from_ratio(2), PrivacyLevel.from_ratio(3)

UTILITIES = st.sampled_from([hit, absolute, squared])
LEVELS = st.sampled_from([PrivacyLevel.from_ratio(F(t)) for t in ("11/10", "3/2", "3", "20")])


@st.composite
def priors(draw, size):
    counts = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
    return [F(c, sum(counts)) for c in counts]


@st.composite
def metrics(draw):
    """Shortest ways over random lengths: any metric is one."""
    size = draw(st.integers(2, 5))
    lengths = np.zeros((size, size), dtype=object)
    for y, z in permutations(range(size), 2):
        if y < z:
            lengths[y, z] = lengths[z, y] = draw(st.integers(1, 4))
    for x in range(size):
        lengths = np.minimum(lengths, lengths[:, [x]] + lengths[[x]])
    return lengths


def own_optimum(weights, t, distances):
    """HiGHS on all pairs, without any reduction."""
    size, width = weights.shape
    rows = []
    for y, z in permutations(range(size), 2):
        for j in range(width):
            row = np.zeros((size, width))
            row[y, j], row[z, j] = 1.0, -(float(t) ** float(distances[y, z]))
            rows.append(row.ravel())
    sums = np.kron(np.eye(size), np.ones(width))
    found = linprog(-weights.astype(float).ravel(), A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=sums, b_eq=np.ones(size))
    return -found.fun


def is_private(channel, t, distances):
    """Every pair, exactly."""
    q, labels = channel.matrix, range(len(distances))
    return all((q[y] <= t ** int(distances[y, z]) * q[z]).all() for y in labels for z in labels)


# ---- metrics


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("line", [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]),
        ("ring", [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]),
        ("discrete", [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
        # 0 1 2
        # 3
        ("grid:3", [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 3], [1, 2, 3, 0]]),
        # 00, 01, 10, 11
        ("hamming:2", [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]),
    ],
)
def test_the_metrics_by_name(name, rows):
    assert metric_of(name, 4).tolist() == rows


def test_a_graph_has_its_shortest_ways():
    # a path 0 - 1 - 2 and 3 beside 1
    assert graph_metric(4, [(0, 1), (2, 1), (1, 3)]).tolist() == [
        [0, 1, 2, 2],
        [1, 0, 1, 1],
        [2, 1, 0, 2],
        [2, 1, 2, 0],
    ]
    edges = [(i, (i + 1) % 7) for i in range(7)]
    assert graph_metric(7, edges).tolist() == metric_of("ring", 7).tolist()


@pytest.mark.parametrize(("utility", "t"), [(absolute, 2), (hit, 2), (absolute, 3)])
def test_forty_labels_on_a_line_have_an_exact_optimum(utility, t):
    # entries down to t^-39 are below what HiGHS tells from 0: it stopped at a basis that is not feasible
    level = PrivacyLevel.from_ratio(t)
    found = metric_channel(utility(40), level, "line").solve("exact")
    assert found.value == found.bound == best_on_a_line(utility(40), level).expected_utility(utility(40))


@pytest.mark.thorough
@pytest.mark.parametrize(("utility", "t", "size"), [(hit, 3, 40), (hit, 2, 48), (absolute, 2, 60), (absolute, 3, 80)])
def test_longer_lines_have_theirs_in_closed_form_with_duals(utility, t, size):
    level = PrivacyLevel.from_ratio(t)
    found = metric_channel(utility(size), level, "line").solve()
    assert found.statistics == {"basis": "closed form"}
    assert found.value == found.bound == best_on_a_line(utility(size), level).expected_utility(utility(size))


@settings(max_examples=40)
@given(st.integers(2, 6), st.sampled_from(["falling", "any"]), LEVELS, st.data())
def test_what_is_proposed_on_a_line_is_an_optimum_or_nothing(size, kind, level, data):
    # falling away from the own label on both sides: always an optimum, but for ties; any other: never a wrong one
    drops = data.draw(st.lists(st.fractions(0, 3, max_denominator=4), min_size=size * size, max_size=size * size))
    utility = -np.array(drops, dtype=object).reshape(size, size)
    if kind == "falling":
        for y in range(size):
            for j in (*range(y - 1, -1, -1), *range(y + 1, size)):
                utility[y, j] += utility[y, j + 1 if j < y else j - 1]
    program = metric_channel(utility, level, "line", data.draw(priors(size)))
    try:
        channel, duals = program.proposal()
        found = LinearSolution(program, Channel(channel), {}, tuple(duals))
    except SolverError:
        return
    assert found.value == found.bound == replace(program, proposal=None).solve("exact").value


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("plane", "line"),
        ("grid:", "grid:W"),
        ("grid:0", "grid:W"),
        ("hamming:1", "hamming:B"),
        ("line:2", "line"),
        ([[0, 1], [1, 0]], "shape"),
        ([[0, 1, 1], [1, 1, 1], [1, 1, 0]], "from 1 to 1"),
        ([[0, 0, 1], [0, 0, 1], [1, 1, 0]], "from 0 to 1"),
        ([[0, 1, 2], [1, 0, 1], [3, 1, 0]], "2 from 0 to 2, 3 back"),
        ([[0, -1, 1], [-1, 0, 1], [1, 1, 0]], "-1 from 0 to 1"),
        ([[0, 1, 3], [1, 0, 1], [3, 1, 0]], "3 from 0 to 2, 2 over 1"),
        ([[0, 1, 2.1], [1, 0, 1.2], [2.1, 1.2, 0]], "common divisor"),
        ([[0, 1e-300, 1], [1e-300, 0, 1], [1, 1, 0]], "common divisor"),  # 10^300 steps are no machine numbers
    ],
)
def test_what_is_no_metric_is_refused(metric, said):
    with pytest.raises(ProgramError, match="metric") as refused:
        metric_channel(hit(3), TWO, metric)
    assert said in str(refused.value)


def test_what_is_no_graph_is_refused():
    with pytest.raises(ProgramError, match="no way from 0 to 2"):
        graph_metric(3, [(0, 1)])
    for edge in ((0, 3), (0, -1), (0, 1, 2), (0, 1.5)):
        with pytest.raises(LabelError, match="edges"):
            graph_metric(3, [edge])
    for edges in ([0, 1], None):
        with pytest.raises(LabelError, match="edges"):
            graph_metric(3, edges)
    with pytest.raises(ProgramError, match="from 1 to 1000"):
        graph_metric(10**9, [])


def test_a_file_that_is_no_metric_is_told_of_by_its_labels():
    with pytest.raises(ProgramError, match="3 from mild to worst, 2 over worse"):
        design_for_metric(dict.fromkeys(("mild", "worse", "worst"), 1), TWO, [[0, 1, 3], [1, 0, 1], [3, 1, 0]])


# ---- neighbours


@given(metrics())
def test_neighbours_imply_every_pair_and_none_can_be_left_out(distances):
    # the ways over neighbours alone are the metric; without one of them some distance is longer
    size, pairs = len(distances), neighbours(distances)

    def ways(kept):
        found = np.full((size, size), 10**6, dtype=object)
        found[np.diag_indices(size)] = 0
        for y, z in kept:
            found[y, z] = distances[y, z]
        for x in range(size):
            found = np.minimum(found, found[:, [x]] + found[[x]])
        return found

    assert ways(pairs).tolist() == distances.tolist()
    for y, z in pairs:
        assert ways([pair for pair in pairs if pair != (y, z)])[y, z] > distances[y, z]


def test_neighbours_on_a_line_are_the_next_ones():
    assert neighbours(metric_of("line", 4)) == [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]


# ---- optima


@settings(max_examples=40)
@given(metrics(), UTILITIES, LEVELS, st.data())
def test_the_optimum_is_that_of_all_pairs(distances, utility, level, data):
    size = len(distances)
    assume(level.ratio ** int(distances.max()) <= 1000)  # HiGHS allows an entry as much as 1e-7, times the power
    prior = data.draw(priors(size))
    program = metric_channel(utility(size), level, distances, prior)
    exact, near = program.solve("exact"), program.solve("float")
    assert exact.value == exact.bound
    assert near.value <= exact.value <= near.bound
    assert is_private(exact.channel, level.ratio, distances)
    assert is_private(near.channel, level.ratio, distances)
    weights = np.array(prior, dtype=object)[:, None] * utility(size)
    assert float(exact.value) == pytest.approx(own_optimum(weights, level.ratio, distances), abs=1e-7)


@given(metrics(), UTILITIES, st.data())
def test_more_epsilon_is_worth_at_least_as_much(distances, utility, data):
    prior = data.draw(priors(len(distances)))
    values = [
        metric_channel(utility(len(distances)), PrivacyLevel.from_ratio(t), distances, prior).solve().value
        for t in (F(5, 4), F(2), F(9))
    ]
    assert values == sorted(values)


@given(st.integers(2, 5), UTILITIES, LEVELS, st.data())
def test_the_discrete_metric_is_the_usual_privacy(size, utility, level, data):
    prior = data.draw(priors(size))
    usual = optimal_channel(utility(size), level, prior).solve("exact")
    assert metric_channel(utility(size), level, "discrete", prior).solve("exact").value == usual.value


def test_distances_are_in_units_of_their_common_divisor():
    # d = 1/2 and 1 at t = 4 is the line at t = 2; at t = 3 the root is no rational number: just below it
    halves = metric_of("line", 3) / 2
    assert metric_channel(hit(3), PrivacyLevel.from_ratio(4), halves).solve().value == (
        metric_channel(hit(3), TWO, "line").solve().value
    )
    base = F(metric_channel(hit(3), THREE, halves).data["base"])
    assert 0 < 3 - base**2 < F(1, 10**30)
    base = F(metric_channel(hit(3), 1.0, 2 * metric_of("line", 3)).data["base"])
    assert float(base) == pytest.approx(np.exp(2), rel=1e-15)
    assert float(base * (1 + F(1, 10**15))) > np.exp(2)


@pytest.mark.parametrize("metric", ["line", "ring", "discrete", "grid:3"])
def test_agrees_with_qif(metric):
    # its optimal mechanism for a metric, with a table of the distances; losses are |y - j|
    size, epsilon = 6, 0.8
    prior = np.array([0.3, 0.25, 0.2, 0.1, 0.1, 0.05])
    distances = metric_of(metric, size).astype(float)
    theirs = qif.mechanism.d_privacy.min_loss_given_d(
        prior, size, lambda y, z: epsilon * distances[y, z], lambda y, j: abs(y - j)
    )
    worth = float((prior[:, None] * absolute(size).astype(float) * np.array(theirs)).sum())
    ours = metric_channel(absolute(size), epsilon, metric, prior).solve()
    assert float(ours.value) == pytest.approx(worth, abs=1e-7)
    assert float(ours.bound) == pytest.approx(worth, abs=1e-7)


# ---- certificates


def edited(text, change):
    data = json.loads(text)
    change(data)
    data.pop("seal")
    return {**data, "seal": checker.seal_of(data)}


def test_the_checker_builds_the_constraints_from_the_metric():
    text = program_certificate(metric_channel(absolute(4), TWO, "ring").solve())
    proof = check_program(json.loads(text))
    assert proof.lower == proof.upper == metric_channel(absolute(4), TWO, "ring").solve().value
    assert "metric-private at t = 2" in str(proof)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["data"].update(base="3/2"), "violates row"),
        (lambda d: d["data"].update(base="1"), "above 1"),
        (lambda d: d["data"].update(base="1" + "0" * 3999), "steps|violate|digits|dual"),
        (lambda d: d["data"]["steps"][0].__setitem__(0, "1"), "to itself"),
        (lambda d: d["data"]["steps"][0].__setitem__(1, "2"), "both ways"),
        (lambda d: d["data"]["steps"][0].__setitem__(1, "1/2"), "whole numbers"),
        (lambda d: d["data"]["steps"][0].__setitem__(1, "1001"), "whole numbers"),
        (lambda d: [d["data"]["steps"][y].__setitem__(z, "3") for y, z in ((0, 2), (2, 0))], "shorter"),
        (lambda d: [d["data"]["steps"][y].__setitem__(z, "0") for y, z in ((0, 2), (2, 0))], "0 between"),
        # 0 and 2 become neighbours: there are more rows than duals
        (lambda d: [d["data"]["steps"][y].__setitem__(z, "1") for y, z in ((0, 2), (2, 0))], "duals"),
        (lambda d: d["data"].update(more="1"), "keys"),
    ],
)
def test_a_certificate_of_another_metric_is_rejected(change, said):
    text = program_certificate(metric_channel(absolute(4), TWO, "ring").solve())
    with pytest.raises(checker.RejectedError, match=said):
        check_program(edited(text, change))


def test_a_power_with_too_many_digits_is_not_computed():
    text = program_certificate(
        metric_channel(hit(2), PrivacyLevel.from_ratio(F(10**9 + 1, 10**9)), [[0, 1], [1, 0]]).solve()
    )

    def far(data):
        data["data"]["steps"] = [["0", "1000"], ["1000", "0"]]
        data["data"]["base"] = f"{10**900 + 1}/{10**900}"

    with pytest.raises(checker.RejectedError, match="too many digits"):
        check_program(edited(text, far))


# ---- the geometric mechanism


def test_the_geometric_mechanism_on_three_counts():
    # noise (t - 1)/(t + 1) t^-|z| at t = 2: 1/3, 1/6, 1/12, ...; ends get what lies beyond them, t/(t + 1) = 2/3 of the own
    assert geometric(3, TWO).matrix.tolist() == [
        [F(2, 3), F(1, 6), F(1, 6)],
        [F(1, 3), F(1, 3), F(1, 3)],
        [F(1, 6), F(1, 6), F(2, 3)],
    ]


def test_the_geometric_mechanism_is_that_of_qif_and_names_its_counts():
    theirs = np.array(qif.mechanism.d_privacy.geometric(7, 0.7))
    assert geometric(7, 0.7).matrix == pytest.approx(theirs, abs=1e-12)
    assert geometric(["none", "one"], THREE).inputs == ("none", "one")


@settings(max_examples=25)
@given(st.integers(2, 6), UTILITIES, LEVELS, st.data())
def test_no_private_channel_beats_the_decoded_geometric_mechanism(size, utility, level, data):
    prior = data.draw(priors(size))
    best = best_on_a_line(utility(size), level, prior)
    optimum = metric_channel(utility(size), level, "line", prior).solve("exact")
    assert best.expected_utility(utility(size), prior) == optimum.bound
    assert is_private(best, level.ratio, metric_of("line", size))


@settings(max_examples=25)
@given(st.integers(2, 5), LEVELS, st.data())
def test_every_channel_has_a_closer_one_made_of_the_geometric_mechanism(size, level, data):
    # optima of any weights, and mixtures of them: all private channels are some
    entries = st.lists(st.integers(-9, 9), min_size=size * size, max_size=size * size)
    parts = [np.array(data.draw(entries)).reshape(size, size) for _ in range(2)]
    share = data.draw(st.fractions(0, 1, max_denominator=7))
    first, second = (metric_channel(part, level, "line").solve("exact").channel.matrix for part in parts)
    channel = Channel(share * first + (1 - share) * second)
    made = geometric(size, level).then(closer(channel, level)).matrix
    for i in range(size):
        for k in range(1, size):
            here, there = made[i, k:].sum(), channel.matrix[i, k:].sum()
            assert here >= there if i >= k else here <= there


def test_a_long_line_has_its_optimum_in_closed_form():
    # hits of the middle label t / (t + 1) - 1 / (t + 1) = 1/3 at t = 2, of the two ends 2/3
    assert best_on_a_line(hit(60), TWO).expected_utility(hit(60)) == F(58 * F(1, 3) + 2 * F(2, 3), 60)


def test_the_closed_form_refuses_what_it_is_not_for():
    with pytest.raises(UtilityError, match="own label"):
        best_on_a_line([[1, 0, 1], [0, 1, 0], [0, 0, 1]], TWO)
    with pytest.raises(UtilityError, match="square"):
        best_on_a_line([[1, 0, 0], [0, 1, 0]], TWO)
    with pytest.raises(ChannelError, match="neighbouring"):
        closer(Channel([[1, 0], [0, 1]]), TWO)
    with pytest.raises(ChannelError, match="square"):
        closer(Channel([[F(1, 2), F(1, 4), F(1, 4)]] * 2), TWO)


# ---- lpmech design --metric


AT = ("design", "scale.csv", "--epsilon", 1)


@pytest.fixture
def scale(tmp_path):
    (tmp_path / "scale.csv").write_text("label,count\n0,5\n1,3\n2,2\n3,6\n")
    (tmp_path / "d.csv").write_text(",0,1,2,3\n0,0,1,2,3\n1,1,0,1,2\n2,2,1,0,1\n3,3,2,1,0\n")
    (tmp_path / "words.csv").write_text("0,far,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n")
    rows = [",".join("0" if y == z else "1e-300" for z in range(4)) for y in range(4)]
    (tmp_path / "tiny.csv").write_text("\n".join(rows))
    return tmp_path


def test_design_finds_the_best_channel_for_a_metric(scale):
    by_name, by_file = (
        json.loads(lpmech(*AT, "--utility", "absolute", "--metric", metric, "--json", cwd=scale).stdout)
        for metric in ("line", "d.csv")
    )
    assert by_name["optimum"] == by_file["optimum"]
    assert by_file["metric"] == "d.csv"
    prior = [F(5, 16), F(3, 16), F(1, 8), F(3, 8)]
    value = best_on_a_line(absolute(4), 1.0, prior).expected_utility(absolute(4), prior)
    assert float(F(by_name["optimum"]["lower"])) == pytest.approx(float(value), abs=1e-9)
    first, *others = by_name["comparison"]
    assert first["mechanism"] == "optimal"
    assert {"exponential", "geometric", "randomized_response"} < {entry["mechanism"] for entry in others}
    assert all(entry["loss_percent"] >= 0 for entry in others)


def test_what_design_compares_keeps_the_metric():
    distances = metric_of("ring", 5) / 2
    found = design_for_metric({str(i): i + 1 for i in range(5)}, 0.7, distances, "hit")
    limits = np.exp(0.7 * distances.astype(float)) * (1 + 1e-12)
    for entry in found.comparisons:
        q = entry.channel.matrix.astype(float)
        assert (q[:, None] <= limits[:, :, None] * q[None]).all(), entry.mechanism


def test_design_writes_what_certify_reads(scale):
    done = lpmech(*AT, "--metric", "ring", "--counts-are", "public", "--output", "found", cwd=scale)
    assert done.returncode == 0, done.stderr
    assert "any two labels" in " ".join(done.stdout.split())
    names = sorted(path.name for path in (scale / "found").iterdir())
    assert names == ["certificate.json", "channel.csv", "comparison.csv"]
    for path in ("found", "found/certificate.json"):
        checked = lpmech("certify", path, cwd=scale)
        assert checked.returncode == 0
        assert "metric-private" in checked.stdout
    assert next(csv.reader((scale / "found" / "channel.csv").open()))[1] in checked.stdout


def test_certify_of_a_directory_for_a_metric_compares_the_channel(scale):
    found = scale / "found"
    lpmech(*AT, "--metric", "ring", "--counts-are", "public", "--output", "found", cwd=scale)
    told = lpmech("certify", "found", cwd=scale).stdout
    assert told.startswith("certified: channel.csv is the channel of certificate.json, exactly\n")
    assert "not checked: comparison.csv, and which counts and utility were meant" in told
    text = (found / "channel.csv").read_text()
    header, first, *rest = text.splitlines()
    first = ",".join([first.split(",")[0], *sorted(first.split(",")[1:])])  # its rows still sum to one
    for changed in ("\n".join([header, first, *rest]), text.replace("3,", "4,", 1)):
        (found / "channel.csv").write_text(changed)
        refused = lpmech("certify", "found", cwd=scale)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "another channel than channel.csv" in refused.stderr
    (found / "channel.csv").unlink()
    assert "channel.csv" in lpmech("certify", "found", cwd=scale).stderr
    (found / "channel.csv").write_text(text)
    (found / "release.json").write_text("{}")  # then it has to be what that says
    assert lpmech("certify", "found", cwd=scale).returncode == 2
    lpmech(*AT, "--counts-are", "public", "--output", "usual", cwd=scale)
    (scale / "usual" / "release.json").unlink()
    refused = lpmech("certify", "usual", cwd=scale)
    assert (refused.returncode, "release.json" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--metric", "plane.csv"], "plane.csv"),
        (["--metric", "grid"], "grid:W"),
        (["--metric", "line", "--keep-labels", "--hit-floor", "0.1"], "hit_floor: got 0.1; allowed: at most one of"),
        (["--metric", "line", "--mechanism", "optimal"], "mechanism: got 'optimal'; allowed: this option"),
        (["--metric", "line", "--utility", "count"], "utility: got 'count'; allowed: this option or value"),
        (["--metric", "line", "--counts-are", "private", "--spend", "0.2"], "counts_are: got 'private'; allowed: this"),
        (["--metric", "absent.csv"], "metric: got 'absent.csv'; allowed: line, ring, "),
        (["--metric", "words.csv"], "metric: got \"words.csv: entry 'far'\"; allowed: finite numbers"),
        (["--metric", "tiny.csv"], "metric: got 'distances that are multiples of 1e-300 at "),
    ],
)
def test_design_refuses_what_does_not_go_with_a_metric(scale, options, said):
    done = lpmech(*AT, *options, cwd=scale)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (scale / "lpmech-ledger.json").exists()


def test_a_metric_of_places_needs_an_order(scale):
    (scale / "names.csv").write_text("who\nb\na\nc\nb\n")
    done = lpmech("design", "names.csv", "--column", "who", "--epsilon", 1, "--metric", "line", cwd=scale)
    assert (done.returncode, "order" in done.stderr) == (2, True)


@pytest.mark.parametrize("far", ["1e4", "1e10", "1e300"])
def test_distances_of_no_meaning_are_refused_at_once(far):
    """e^10000 is as good as no privacy: powers of that size ended in errors of numbers, or did not end."""
    distances = Fraction(far) * (1 - np.eye(3, dtype=int)).astype(object)
    with pytest.raises(ProgramError, match="epsilon times the largest distance at most 700"):
        metric_channel(absolute(3), 1.0, distances)
