"""Designs: what is left of a label, floors on hit rates, whose counts, the directory and what certify says of it."""

import csv
import errno
import gzip
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from scipy.optimize import linprog

from lpmech import Channel, PrivacyLevel
from lpmech.certify import certificate_around, checker
from lpmech.cli import main
from lpmech.cli.counting import announce
from lpmech.designs.comparing import losses
from lpmech.designs.costs import Cost, estimated_cost
from lpmech.designs.designing import design
from lpmech.designs.what_is_left import label_by_label, what_is_left
from lpmech.entries import digest_of
from lpmech.errors import CertificateError, DataFileError, InvalidInputError, LpmechError, ProgramError, ReleaseError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import information_bound, utility_named
from lpmech.labels.reading import read_counts
from lpmech.mechanisms import randomized_response
from lpmech.plots import plot_channel, png
from lpmech.programs import Program, optimal_channel
from lpmech.programs.hit_floors import floor_bound, halfway_floor, largest_floor
from lpmech.programs.solvers import hit_floors
from lpmech.programs.solvers.hit_floors import solve_with_hit_floor
from lpmech.release import Release, Spent
from lpmech.release.bought import BoughtCounts
from lpmech.release.design_files import certify_directory
from lpmech.release.private_counts import in_place_of, level_within, noisy, shared
from lpmech.release.record import seal_of
from lpmech.tables import channel_csv, read_channel
from lpmech.utilities import absolute, hit

SEVERITY = LabelCounts(("mild", "moderate", "severe", "critical"), (700, 200, 80, 20), "as given")


def run(capsys, *arguments):
    """(exit code, stdout, stderr) of a command."""
    with pytest.raises(SystemExit) as caught:
        main([str(a) for a in arguments])
    printed = capsys.readouterr()
    return caught.value.code, printed.out, printed.err


def counts_file(directory, counts=SEVERITY, name="counts.csv"):
    path = directory / name
    rows = [f"{label},{count}" for label, count in zip(counts.labels, counts.counts, strict=True)]
    path.write_text("\n".join(["severity,number", *rows]) + "\n")
    return path


# -- what is left ------------------------------------------------------------------------------------------------------


def test_what_randomized_response_and_a_constant_leave():
    channel = randomized_response(2, PrivacyLevel.from_ratio(3))
    left = what_is_left(channel, np.array([0.5, 0.5]))
    # binary symmetric channel with 1/4: 1 - H(1/4) bits, and the released label is the best guess
    assert left.information == pytest.approx(1 + 0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))
    assert (left.never, left.decodable, left.guessed) == ((), True, pytest.approx(0.75))
    constant = Channel([[0.0, 1.0]] * 2, ["a", "b"], ["a", "b"])
    left = what_is_left(constant, np.array([0.25, 0.75]))
    assert (left.never, left.decodable, left.information, left.guessed) == (("a",), False, 0.0, 0.75)
    first, second = label_by_label(constant, np.array([0.75, 0.25]))
    assert (first.released, first.hit_rate, first.guess) == (0.0, 0.0, None)
    assert (second.released, second.hit_rate, second.guess, second.right) == (1.0, 1.0, "a", 0.75)


def test_rows_that_mix_others_cannot_be_decoded_though_every_label_occurs():
    channel = Channel([[0.5, 0.3, 0.2], [0.3, 0.5, 0.2], [0.4, 0.4, 0.2]])
    assert what_is_left(channel, np.full(3, 1 / 3)).decodable is False
    with pytest.raises(LpmechError):
        channel.decoder  # noqa: B018


def test_the_information_utility_bounds_the_information_of_every_channel():
    rng = np.random.default_rng(5)
    for _ in range(50):
        prior = rng.dirichlet(np.ones(4))
        level = PrivacyLevel.from_epsilon(float(rng.uniform(0.1, 3)))
        gain = information_bound(prior, level)
        channel = Channel(rng.dirichlet(np.ones(4), size=4))
        assert channel.expected_utility(gain, _summed(prior)) <= what_is_left(channel, prior).information + 1e-12
        own = randomized_response(4, level)
        assert own.expected_utility(gain, _summed(prior)) == pytest.approx(what_is_left(own, prior).information)


def _summed(prior):
    return prior / prior.sum()


# -- floors ------------------------------------------------------------------------------------------------------------


def by_pairs(weights, t, floor):
    """The optimum with floors on the pairwise form of the papers, in floats."""
    size = len(weights)
    rows = []
    for j in range(size):
        for y in range(size):
            for other in range(size):
                if other != y:
                    row = np.zeros((size, size))
                    row[y, j], row[other, j] = 1, -t
                    rows.append(row.ravel())
    sums = np.kron(np.eye(size), np.ones(size))
    bounds = [(floor if y == j else 0, 1) for y in range(size) for j in range(size)]
    return -linprog(-weights.ravel(), np.array(rows), np.zeros(len(rows)), sums, np.ones(size), bounds).fun


@pytest.mark.parametrize("seed", range(6))
def test_floors_are_kept_and_the_prices_prove_the_optimum(seed):
    rng = np.random.default_rng(seed)
    size, level = 2 + seed, PrivacyLevel.from_epsilon(float(rng.uniform(0.3, 3)))
    utility = rng.normal(size=(size, size)) * 10.0 ** rng.integers(-6, 7)
    program = optimal_channel(utility, level, _summed(rng.dirichlet(np.full(size, 0.5))))
    kept = solve_with_hit_floor(program, halfway_floor(size, level))
    assert min(kept.channel.matrix.diagonal()) >= kept.floor
    assert kept.channel.ratio <= level.ratio_below
    certificate = certificate_around(kept.priced, kept.channel, kept.row_duals)
    upper = floor_bound(certificate.upper, kept.prices, kept.floor)
    weights = program.weights
    value, scale = by_pairs(weights, math.exp(level.epsilon), float(kept.floor)), abs(weights).max()
    assert float(program.value(kept.channel)) == pytest.approx(value, abs=1e-6 * scale)
    assert value - 1e-6 * scale <= upper <= value + 1e-6 * scale


@pytest.mark.parametrize("utility", ["absolute", "near", "weights", "random"])
@pytest.mark.parametrize(("size", "epsilon", "floor"), [(2, 1.0, 0.6), (7, 0.2, 0.15), (30, 3.0, 0.3), (30, 1.0, 0.0)])
def test_the_interior_point_method_with_floors_has_the_optimum_of_highs(monkeypatch, utility, size, epsilon, floor):
    """Beyond 150 labels it takes the place of HiGHS: catches a term of the diagonal of its equations."""
    rng, names = np.random.default_rng(size), tuple(map(str, range(size)))
    counts = LabelCounts(names, tuple(5 + i * 37 % 11 for i in range(size)))
    gain = rng.random((size, size)) if utility == "random" else utility_named(utility, counts)
    program = optimal_channel(gain, epsilon, rng.dirichlet(np.ones(size)))
    expected = solve_with_hit_floor(program, floor)
    monkeypatch.setattr(hit_floors, "_MANY", 0)
    monkeypatch.setattr(hit_floors, "_of_weights", None)
    kept = solve_with_hit_floor(program, floor)
    assert kept.channel.ratio <= program.level.ratio_below
    assert min(kept.channel.matrix.diagonal()) >= kept.floor
    value = float(program.value(expected.channel))
    assert float(program.value(kept.channel)) == pytest.approx(value, abs=1e-8)
    upper = floor_bound(certificate_around(kept.priced, kept.channel, kept.row_duals).upper, kept.prices, kept.floor)
    assert value - 1e-7 < float(upper) < value + 1e-7  # floors are kept with 1e-9 to spare, at their prices


def test_priced_weights_are_as_short_as_others():
    """Prices in floats made every entry of a certificate a number of its own, 20 MB for 1,000 labels."""
    found = design({str(i): 5 + i * 37 % 11 for i in range(40)}, 1.0, "absolute", "halfway")
    assert len(found.certificate.data["weights"]["values"].split(" ")) <= 2 * 40  # distances and a price of each label
    lower, upper = found.interval
    assert upper - lower < Fraction(1, 10**7)


@pytest.mark.parametrize(("size", "ratio"), [(2, 2.0), (3, 1.2), (5, 3.0), (8, 1.6), (8, 20.0)])
def test_hits_with_a_floor_have_the_optimum_of_the_program_written_out(size, ratio):
    """Floors and hits only, against all pairs: catches a row that cannot be filled, and a dual of the wrong sign."""
    gains = np.random.default_rng(size).dirichlet(np.full(size, 0.5))
    gains[-1] = 0
    weights = np.diag(gains) + np.arange(size)[:, None]  # a miss is worth something, too
    program = Program(weights, PrivacyLevel.from_ratio(Fraction(str(ratio))))
    kept = solve_with_hit_floor(program, "halfway")
    assert kept.channel.ratio <= program.level.ratio_below
    assert min(kept.channel.matrix.diagonal()) >= kept.floor
    value = by_pairs(weights, ratio, float(kept.floor))
    assert float(program.value(kept.channel)) == pytest.approx(value, abs=1e-7)
    upper = floor_bound(certificate_around(kept.priced, kept.channel, kept.row_duals).upper, kept.prices, kept.floor)
    assert float(upper) == pytest.approx(value, abs=1e-7)


def test_no_floor_above_randomized_response_and_no_proof_from_negative_prices():
    level = PrivacyLevel.from_ratio(3)
    program = optimal_channel(hit(4), level, [Fraction(7, 10), Fraction(1, 10), Fraction(1, 10), Fraction(1, 10)])
    assert largest_floor(4, level) == Fraction(3, 6)
    nearly = solve_with_hit_floor(program, Fraction(1, 2) * (1 - Fraction(1, 10**5)))
    assert np.allclose(nearly.channel.to_float().matrix, randomized_response(4, level).to_float().matrix, atol=1e-4)
    for floor in (0.5, 0.6, -0.1):
        with pytest.raises(ProgramError, match="hit_floor"):
            solve_with_hit_floor(program, floor)
    with pytest.raises(ProgramError, match="prices"):
        floor_bound(Fraction(1), np.array([Fraction(1), Fraction(-1, 10**9)]), Fraction(1, 2))


def test_a_design_that_keeps_labels_warns_no_more_and_says_what_the_floor_costs():
    found = design(SEVERITY, 1.0, "absolute", halfway_floor(4, PrivacyLevel.from_epsilon(1.0)))
    assert [c.mechanism for c in found.comparisons[:2]] == ["optimal", "optimal_without_floor"]
    assert found.optimum.left.never == ()
    assert found.comparisons[1].left.never == ("severe", "critical")
    assert found.optimum.loss_percent > 1 > found.comparisons[1].loss_percent
    lower, upper = found.interval
    exact = found.optimum.channel.expected_utility(absolute(4), SEVERITY.prior)
    assert lower <= exact <= upper < lower + Fraction(1, 10**7)


def test_always_the_same_label_is_a_row_with_its_best_label():
    found = design(LabelCounts(("1", "2", "3"), (5, 4, 1)), 0.2, "absolute")
    row = next(c for c in found.comparisons if c.mechanism == "always_one_label")
    # always 1: 4/10 + 2/10 = 0.6, always 2: 5/10 + 1/10 = 0.6, always 3: 1.4
    assert (row.parameters, row.epsilon) == ("1", 0.0)
    assert row.expected_utility == pytest.approx(-0.6)


@pytest.mark.parametrize("epsilon", [400.0, 1e-4])
def test_extreme_levels(epsilon):
    assert design(read_counts("examples/cifar10_1.csv"), epsilon).optimum.loss_percent == 0


# -- the command -------------------------------------------------------------------------------------------------------


def test_an_optimum_that_gives_labels_up_is_warned_of_in_one_line(tmp_path, capsys):
    path = counts_file(tmp_path)
    code, out, _ = run(capsys, "design", path, "--epsilon", 1, "--explain")
    assert code == 0
    warnings = [line for line in out.splitlines() if line.startswith("warning")]
    assert len(warnings) == 1
    assert "3 of 4 labels (moderate" not in warnings[0]
    assert "always releases mild" in warnings[0]
    assert "randomized_response: keeps the label" in out
    assert "share ±: percentage points" in out
    assert max(map(len, (line for line in out.splitlines() if "│" in line))) <= 80
    code, out, _ = run(capsys, "design", path, "--epsilon", 1, "--keep-labels")
    assert "warning" not in out
    assert "optimal is the best channel that releases every label as itself with probability 0.36" in out
    assert_encloses(out, design(SEVERITY, 1.0, "hit", halfway_floor(4, PrivacyLevel.from_epsilon(1.0))))
    code, out, _ = run(capsys, "design", path, "--epsilon", 2)
    assert "never releases 2 of 4 labels (severe, critical)" in out
    assert_encloses(out, design(SEVERITY, 2.0))


def assert_encloses(out, found):
    """The printed decimals are rounded outwards: to the nearest ones, they would miss what was proved."""
    printed = re.search(r"the optimum lies in \[(\S+), (\S+)\]", out)
    low, high = map(Fraction, printed.groups())
    assert low <= found.interval[0] <= found.interval[1] <= high < low + Fraction(1, 10**8)
    nearest = Fraction(f"{float(found.interval[0]):.10g}"), Fraction(f"{float(found.interval[1]):.10g}")
    assert nearest[0] > found.interval[0] or nearest[1] < found.interval[1], "this setting would tell nothing"


def test_distances_need_an_order_and_say_which_one_is_used(tmp_path, capsys):
    path = tmp_path / "labels.csv"
    path.write_text("severity\n" + "mild\n" * 5 + "critical\nmoderate\nmoderate\n")
    given = ("design", path, "--column", "severity", "--epsilon", 1, "--utility", "absolute")
    code, _, err = run(capsys, *given)
    assert code == 2
    assert "--order" in err
    code, out, _ = run(capsys, *given, "--order", "mild,moderate,critical")
    assert code == 0
    assert "(as given): mild < moderate < critical" in out


def test_forty_thousand_distinct_numbers_are_refused_with_their_cost_and_the_way_out(tmp_path, capsys):
    path = tmp_path / "cost.csv"
    path.write_text("cost\n" + "".join(f"{value}\n" for value in range(40_000)))
    code, _, err = run(capsys, "design", path, "--epsilon", 1, "--utility", "absolute")
    assert code == 2
    assert "40000 distinct labels" in err
    assert "--bins" in err
    assert err.count("\n") == 1
    code, _, err = run(capsys, "design", path, "--epsilon", 1, "--utility", "absolute", "--bins", 5)
    assert (code, err) == (0, "")
    assert estimated_cost(1000).seconds > 10 > estimated_cost(100).seconds


@pytest.mark.parametrize("utility", ["hit", "count"])
def test_the_memory_that_is_announced_is_what_it_takes(utility, tmp_path):
    """Catches numbers of another version: 450 bytes an entry were announced where 560 and 240 were taken."""
    size, place = 600, tmp_path / "out"
    counts = tmp_path / "counts.csv"
    counts.write_text("label,count\n" + "".join(f"label_{i},{10**6 // (i + 7) + i * 37 % 11}\n" for i in range(size)))
    asked = ["design", str(counts), "--epsilon", "1", "--utility", utility, "--counts-are", "public", "--output"]
    code = (
        "from pathlib import Path; from lpmech.cli import main\n"
        f"try: main({[*asked, str(place)]})\n"
        "finally: print('peak', Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    peak = 1024 * int(told.rpartition("peak ")[2])  # VmHWM, in kB: what getrusage tells begins with the test's own
    assert 0.75 < peak / estimated_cost(size, utility).memory < 1.25


def test_costs_are_those_measured_and_grow_with_the_matrix():
    # 1,000 labels: distances 11 s and 0.36 GB, near hits with a floor 43 s and 0.53 GB, weights of liu2026 with one 58 s
    # and 2.0 GB; tanimoto on 600 labels 34 s and 0.38 GB, with a floor 57 s and 0.51 GB
    free, kept, seven = estimated_cost(1000), estimated_cost(1000, floor=True), estimated_cost(1000, "", True, 7)
    assert (free.seconds, free.memory, free.text) == (pytest.approx(12), 4.9e8, "12 seconds")
    assert (kept.seconds, kept.memory, kept.text) == (pytest.approx(43), 5.4e8, "43 seconds")
    assert (seven.seconds, seven.memory, seven.text) == (pytest.approx(301), 5.4e8, "5 minutes")
    assert estimated_cost(2000).seconds == pytest.approx(4 * free.seconds)
    assert estimated_cost(20_000, floor=True).text == "5 hours"  # 17,200 s
    assert estimated_cost(100_000).text == "1 days"  # 120,000 s
    long = [estimated_cost(600, name, floor) for name in ("weights", "tanimoto") for floor in (False, True)]
    assert [round(cost.seconds) for cost in long] == [11, 21, 34, 58]
    assert estimated_cost(1000, "weights", True).memory == pytest.approx(2.02e9)
    # hits 8 s and 0.35 GB, 80 s and 1.9 GB for 3,000; with a floor 21 s and 0.52 GB; counting 4 s and 0.27 GB
    hits, floored, counting = (estimated_cost(1000, *of) for of in (("hit",), ("hit", True), ("count",)))
    assert [(cost.seconds, cost.memory) for cost in (hits, floored, counting)] == [
        (pytest.approx(8), 3.4e8), (pytest.approx(21), 5.4e8), (pytest.approx(10), 2.7e8),
    ]  # fmt: skip
    assert estimated_cost(3000, "hit").memory == pytest.approx(2.1e9)
    assert [Cost(seconds, 1, 1).text for seconds in (0.4, 59, 60, 3600, 86400)] == [
        *("0 seconds", "59 seconds", "1 minutes", "1 hours", "1 days"),
    ]
    assert free.available > 1e8


@pytest.mark.parametrize(
    ("given", "utility", "floor", "designs"),
    [
        (("--counts-are", "public"), "hit", False, 1),
        (("--utility", "count"), "count", False, 1),
        (("--keep-labels",), "hit", True, 1),
        (("--hit-floor", 0.3), "hit", True, 1),
        (("--counts-are", "private", "--spend", 0.2, "--order", "mild,moderate,severe,critical"), "hit", False, 2),
        (
            ("--keep-labels", "--counts-are", "private", "--spend", 0.2, "--order", "mild,moderate,severe,critical"),
            "hit",
            True,
            2,
        ),
    ],
)
def test_what_is_announced_is_what_is_done(given, utility, floor, designs, tmp_path, capsys, monkeypatch):
    """A floor takes a harder program, and of private counts everything is made twice."""
    seen = []
    monkeypatch.setattr("lpmech.designs.costs.estimated_cost", lambda *asked: seen.append(asked) or estimated_cost(4))
    assert run(capsys, "design", counts_file(tmp_path), "--epsilon", 1, *given)[0] == 0
    assert seen == [(4, utility, floor, designs)]


def test_a_long_design_is_announced_and_one_that_does_not_fit_is_refused(capsys, monkeypatch):
    monkeypatch.setattr("lpmech.designs.costs.estimated_cost", lambda size, *_: Cost(size / 10, 2.2e9, 1e13 / size))
    announce(100)  # 10 seconds
    assert capsys.readouterr().err == ""
    announce(1000)
    assert capsys.readouterr().err == "lpmech: 1000 labels: about 2 minutes and 2.2 GB\n"
    announce(1001)
    assert capsys.readouterr().err.endswith("GB; --bins groups numbers\n")
    with pytest.raises(InvalidInputError, match="5000 distinct labels, about 2 GB and 8 minutes"):
        announce(5000)


def test_output_asks_whose_labels_were_counted(tmp_path, capsys):
    code, out, err = run(capsys, "design", counts_file(tmp_path), "--epsilon", 1, "--output", tmp_path / "out")
    assert (code, out) == (2, "")
    assert err.count("\n") == 2
    assert "--counts-are public" in err
    assert "--counts-are private --spend" in err
    assert not (tmp_path / "out").exists()
    _, out, _ = run(capsys, "design", counts_file(tmp_path), "--epsilon", 1)
    assert "for your eyes" in out


@pytest.mark.parametrize(
    "options",
    [
        ("--counts-are", "private"),
        ("--counts-are", "private", "--spend", 0.2),  # which labels occur would show
        ("--counts-are", "private", "--spend", 1, "--order", "mild,moderate,severe,critical"),
        ("--counts-are", "private", "--spend", 0, "--order", "mild,moderate,severe,critical"),
        ("--counts-are", "private", "--spend", 0.2, "--bins", "quantile:2"),
        ("--counts-are", "public", "--spend", 0.2),
        ("--composition", "parallel"),
        ("--keep-labels", "--hit-floor", 0.1),
        ("--hit-floor", 0.9),
    ],
)
def test_options_that_do_not_go_together(options, tmp_path, capsys):
    code, out, err = run(capsys, "design", counts_file(tmp_path), "--epsilon", 1, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)


PRIVATE = ("--counts-are", "private", "--spend", 0.2, "--order", "mild,moderate,severe,critical")


@pytest.mark.parametrize(
    "wrong", [("--utility", "absent.csv"), ("--hit-floor", 0.9), ("--keep-labels", "--hit-floor", 0)]
)
def test_nothing_is_paid_for_a_design_that_cannot_be_made(wrong, tmp_path, capsys):
    code, out, err = run(capsys, "design", counts_file(tmp_path), "--epsilon", 1, *PRIVATE, *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert [p.name for p in tmp_path.iterdir()] == ["counts.csv"]


@pytest.mark.parametrize("whose", [PRIVATE, ("--counts-are", "public")], ids=["private", "public"])
def test_labels_for_which_there_is_no_certificate_are_refused_before_any_work(whose, tmp_path, capsys, monkeypatch):
    path = counts_file(tmp_path)
    monkeypatch.setattr(checker, "MAX_NAMES", 3)
    monkeypatch.setattr("lpmech.programs.general.Program.solve", None)
    code, out, err = run(capsys, "design", path, "--epsilon", 1, *whose, "--output", tmp_path / "out")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "4 labels: a certificate has at most 3" in err
    assert [p.name for p in tmp_path.iterdir()] == ["counts.csv"]


@pytest.mark.parametrize("place", ["counts.csv/x", "counts.csv", "full", "n" * 300, "counts.csv/x/y"])
def test_nothing_is_paid_for_a_design_that_cannot_be_written(place, tmp_path, capsys):
    path = counts_file(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("kept")
    given = ("design", path, "--epsilon", 1, *PRIVATE, "--output", tmp_path / place, "--overwrite")
    code, out, err = run(capsys, *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["counts.csv", "full"]


OF_LABELS = ("--epsilon", 1, "--counts-are", "private", "--spend", 0.2, "--order", "HIV,flu")


@pytest.mark.parametrize(
    ("text", "given", "asked"),
    [
        ("0,south,HIV\n1,north,flu\n", (), "--column"),
        ("0,south,HIV\n1,north,flu\n", ("--column", "x"), "3 columns"),
        ("0,south,HIV\n1,north,flu\n", ("--count-column", "0"), "--column"),
        ("HIV\nflu\n", ("--column", "x"), "1 columns"),
        ("HIV\nflu\nflu\n", (), "--header no"),
        ("HIV\nHIV\nflu\n", (), "--header no"),  # asked whatever the labels are
        ("7\n1\n2\n", (), "--header no"),
    ],
)
def test_no_private_label_is_quoted_or_decides_what_is_a_header(text, given, asked, tmp_path, capsys):
    (tmp_path / "in.csv").write_text(text)
    code, out, err = run(capsys, "design", tmp_path / "in.csv", *OF_LABELS, *given, "--output", tmp_path / "out")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert asked in err
    assert not any(word in err for word in ("HIV", "flu", "south"))
    if given:
        code, out, err = run(capsys, "epsilons", tmp_path / "in.csv", *given)
        assert (code, any(word in err for word in ("HIV", "flu", "south"))) == (2, False)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("label,n\nHIV,0\nflu,0\n", ()),  # all counts zero
        ("diagnosis,n\nHIV,3\nflu,4\n", ("--column", "diagnosis")),  # every label once beside whole numbers
    ],
)
def test_no_private_counts_are_refused(text, given, tmp_path, capsys):
    (tmp_path / "in.csv").write_text(text)
    code, _, err = run(capsys, "design", tmp_path / "in.csv", *OF_LABELS, *given, "--output", tmp_path / "out")
    assert code == 0, err


ONE_OF = ("--column", "d", "--order", "HIV,flu")
NUMBERED = {
    "unknown label": (b"d\nHIV\n%s\n", (b"zebra", b"yak"), ONE_OF, "lines 3 of"),
    "no label": (b"d\n%s\n\nflu\n", (b"HIV", b"flu"), ONE_OF, "line 3 without a label"),
    "cells": (b"d\nHIV\n%s,x\n", (b"HIV", b"zebra"), ONE_OF, "line 3 with 2 cells"),
    "not UTF-8": (b"d\nHIV\n%s\n", (b"\xe9", b"\xff"), ONE_OF, "not UTF-8 from byte 6 on"),
    "open quote": (b'd\nHIV\n"%s\n', (b"HIV", b"zebra"), ONE_OF, "unexpected end"),
    "no count": (b"d,n\nHIV,%s\n", (b"zebra", b"-1"), (*ONE_OF, "--count-column", "n"), "line 2"),
    "twice": (b"d,n\nHIV,%s\nHIV,2\n", (b"1", b"2"), (*ONE_OF, "--count-column", "n"), "line 3"),
    "no number": (b"d\n5\n%s\n", (b"zebra", b"yak"), ("--column", "d", "--bins", "0,10,100"), "line 3"),
    "beyond": (b"d\n5\n%s\n", (b"101", b"1e9"), ("--column", "d", "--bins", "0,10,100"), "line 3"),
    "header": (b"%s\nHIV\n", (b"HIV", b"zebra"), ("--order", "HIV,flu"), "line 1"),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_private_rows_are_refused_by_their_numbers_only(name, tmp_path, capsys):
    """Whatever stands in the refused row, the message is the same; on stderr, nothing is written, nothing is paid."""
    text, secrets, given, number = NUMBERED[name]
    private, seen = ("--epsilon", 1, "--counts-are", "private", "--spend", 0.2), set()
    for secret in secrets:
        (tmp_path / "in.csv").write_bytes(text.replace(b"%s", secret))
        code, out, err = run(capsys, "design", tmp_path / "in.csv", *private, *given, "--output", tmp_path / "out")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert number in err
        assert [p.name for p in tmp_path.iterdir()] == ["in.csv"]
        seen.add(err)
    assert len(seen) == 1


def test_private_counts_and_designs_are_regular_files(tmp_path, capsys):
    """Both hung: a pipe that is opened twice, and one that nobody writes into."""
    os.mkfifo(tmp_path / "fifo")
    code, _, err = run(capsys, "design", tmp_path / "fifo", *OF_LABELS, "--output", tmp_path / "out")
    assert (code, "regular file" in err, err.count("\n")) == (2, True, 1)
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out" / "release.json")
    with pytest.raises(DataFileError, match="regular file"):
        Release.load(tmp_path / "out")


def test_gzip_is_named(tmp_path, capsys):
    (tmp_path / "in.csv.gz").write_bytes(gzip.compress(b"label\na\nb\nb\n"))
    code, _, err = run(capsys, "design", tmp_path / "in.csv.gz", "--epsilon", 1)
    assert (code, "gzip is not read" in err, err.count("\n")) == (2, True, 1)


def test_nothing_written_or_printed_depends_on_private_counts_beyond_the_noisy_ones(tmp_path, capsys, monkeypatch):
    seen = []

    def one_noise(counts, spend, random_state=None):
        seen.append(counts.counts)
        return BoughtCounts((650, 215, 90, 33), sum(counts.counts))

    monkeypatch.setattr("lpmech.release.private_counts.noisy", one_noise)
    monkeypatch.setattr("secrets.token_hex", lambda size: "5" * (2 * size))  # names the purchase
    results = []
    for i, true in enumerate([(700, 200, 80, 20), (0, 1, 2, 997)]):
        path = counts_file(tmp_path, LabelCounts(SEVERITY.labels, true), "counts.csv")
        given = ("design", path, "--epsilon", 1, "--utility", "balanced", *PRIVATE, "--output", tmp_path / f"out{i}")
        code, out, err = run(capsys, *given)
        assert code == 0, err
        files = {p.name: p.read_bytes() for p in sorted((tmp_path / f"out{i}").iterdir())}
        results.append((out.replace(f"out{i}", "out"), files))
    assert seen == [(700, 200, 80, 20), (0, 1, 2, 997)]
    assert results[0] == results[1]
    release = json.loads(results[0][1]["release.json"])
    assert release["spent"] == {
        "release": "0.8",
        "prior": "0.2",
        "total": "1",
        "composition": "sequential",
        "purchase": "5" * 32,
    }
    assert (release["counts"], release["prior"]["noisy"], release["epsilon"]) == ("private", True, "0.8")
    assert "0.2 for noisy counts, 0.8 for the release, 1 in all (sequential" in results[0][0]


def test_noise_reaches_labels_that_do_not_occur_and_costs_add_up():
    counts = LabelCounts(("a", "b", "c"), (0, 0, 500))  # so many that never all are zero, which are made ones
    drawn = {in_place_of(counts, noisy(counts, "0.5", seed)).counts for seed in range(60)}
    assert any(c[0] > 0 for c in drawn)
    assert any(c[1] > 0 for c in drawn)
    assert all(min(c) >= 0 and sum(c) > 0 for c in drawn)
    assert in_place_of(counts, BoughtCounts((-7, 0, -1), 500)).counts == (1, 1, 1)  # noise that leaves nothing
    assert in_place_of(counts, BoughtCounts((-7, 0, 3), 500)).counts == (0, 0, 3)
    sequential, parallel = shared("1.0", "0.3", "sequential"), shared("1.0", "0.3", "parallel")
    assert (sequential.release, sequential.total) == ("0.7", "1")
    assert (parallel.release, parallel.total) == ("1.0", "1")
    for text in ("0.1", "0.7", "0.3", "1e-05"):
        assert Fraction(level_within(text).epsilon) <= Fraction(text)
    with pytest.raises(InvalidInputError, match="spend"):
        shared("1.0", "1.0", "sequential")


def test_exact_writes_quotients_of_the_same_channel(tmp_path, capsys):
    given = ("design", counts_file(tmp_path), "--epsilon", 1, "--counts-are", "public", "--exact")
    assert run(capsys, *given, "--output", tmp_path / "out")[0] == 0
    lines = (tmp_path / "out" / "channel.csv").read_text().splitlines()
    assert all(re.fullmatch(r"\d+/\d+", cell) for line in lines[1:] for cell in line.split(",")[1:])
    assert read_channel(tmp_path / "out" / "channel.csv") == Release.load(tmp_path / "out").channel
    assert "--output only" in run(capsys, *given)[2]


@pytest.mark.parametrize(
    ("file", "given", "decimals"),
    [
        ("examples/diabetes.csv", ("--epsilon", 1), True),  # 84 quotients of 2^55 stood beside 112 decimals
        ("examples/wine.csv", ("--ratio", 2), None),
        ("examples/cifar10_1.csv", ("--ratio", 2), None),  # ten labels at ratio 2: entries such as 2/11
    ],
)
def test_channel_csv_is_in_decimals_or_in_quotients_never_both(file, given, decimals, tmp_path, capsys):
    code, out, _ = run(capsys, "design", file, *given, "--counts-are", "public", "--output", tmp_path / "out")
    assert code == 0
    cells = [row[1:] for row in csv.reader((tmp_path / "out" / "channel.csv").open(newline=""))][1:]
    quotients = {"/" in cell for row in cells for cell in row}
    assert len(quotients) == 1
    assert ("channel.csv is in quotients" in out) == (quotients == {True})
    if decimals:
        assert quotients == {False}
    assert read_channel(tmp_path / "out" / "channel.csv") == Release.load(tmp_path / "out").channel


# -- the directory -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("made")
    utility = place / "u.csv"
    utility.write_text(",".join(["", *SEVERITY.labels]) + "\n")
    with utility.open("a") as file:
        for y, name in enumerate(SEVERITY.labels):
            file.write(",".join([name, *("1/3" if y != j else "2" for j in range(4))]) + "\n")
    given = ["--epsilon", "1", "--utility", str(utility), "--counts-are", "public", "--hit-floor", "0.3"]
    with pytest.raises(SystemExit) as caught:
        main(["design", str(counts_file(place)), *given, "--output", str(place / "out")])
    assert caught.value.code == 0
    return place / "out"


@pytest.fixture
def directory(made, tmp_path):
    return shutil.copytree(made, tmp_path / "out")


def test_certify_says_what_was_proved_of_a_directory(directory, capsys):
    code, out, err = run(capsys, "certify", directory)
    assert (code, err) == (0, "")
    for said in ("mild, moderate, severe, critical", "epsilon = 1.0", "u.csv", "public counts", "hit rate 0.3"):
        assert said in out
    proof = certify_directory(directory)
    assert f"is at least {checker.below(proof.value)};" in out
    assert f"has more than {checker.above(proof.upper)}" in out
    assert Fraction(checker.below(proof.value)) <= proof.value <= proof.upper <= Fraction(checker.above(proof.upper))


def test_certify_reads_a_utility_that_was_made_in_floats(tmp_path, capsys):
    given = ("--epsilon", 1, "--counts-are", "public", "--utility", "information", "--output", tmp_path / "out")
    assert run(capsys, "design", counts_file(tmp_path), *given)[0] == 0
    assert run(capsys, "certify", tmp_path / "out")[0] == 0


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def seal(directory):
    """Seal a directory again, as a forger would."""
    data = json.loads((directory / "release.json").read_text())
    beside = [path for path in directory.iterdir() if path.name != "release.json"]
    data["files"] = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in beside}
    (directory / "release.json").write_text(json.dumps({**data, "seal": seal_of(data)}))


def swap_entries(directory):
    lines = (directory / "channel.csv").read_text().splitlines()
    (directory / "channel.csv").write_text("\n".join([lines[0], lines[2].replace("moderate", "mild"), *lines[2:]]))


def raise_floor(directory):
    path = directory / "release.json"
    data = json.loads(path.read_text())
    data["certificate"]["floor"] = "1/3"
    path.write_text(json.dumps(data))


def another_prior(directory):
    data = json.loads((directory / "release.json").read_text())
    values = data["prior"]["values"]
    values[0], values[1] = values[1], values[0]
    (directory / "release.json").write_text(json.dumps(data))


def another_utility(directory):
    """All digests agree, but the certificate is about another utility."""
    data = json.loads((directory / "release.json").read_text())
    data["utility"] = {"name": "hit", "sha256": digest_of(hit(4))}
    (directory / "release.json").write_text(json.dumps(data))
    (directory / "utility.csv").unlink()


def another_level(directory):
    """Private at 0.5 and at 1, but proved the best at 1."""
    path = directory / "release.json"
    data = json.loads(path.read_text())
    channel = randomized_response(4, PrivacyLevel.from_ratio(Fraction(3, 2)))
    matrix = [[str(v) for v in row] for row in channel.matrix.tolist()]
    data |= {"channel": matrix, "ratio": "3/2", "epsilon": "0.5", "spent": vars(Spent.on("0.5"))}
    path.write_text(json.dumps(data))
    (directory / "channel.csv").write_text(channel_csv(Channel(channel.matrix, SEVERITY.labels, SEVERITY.labels)))


def other_certificate(directory):
    found = design(LabelCounts(SEVERITY.labels, (1, 1, 1, 1)), 1.0, "hit")
    (directory / "certificate.json").write_text(found.certificate.to_json() + "\n")


@pytest.mark.parametrize(
    "tamper",
    [
        swap_entries,
        raise_floor,
        another_prior,
        another_utility,
        another_level,
        other_certificate,
        lambda d: change(d / "utility.csv", "1/3", "1/4"),
        lambda d: change(d / "release.json", '"epsilon": "1.0"', '"epsilon": "1.5"'),
        lambda d: (d / "certificate.json").unlink(),
        lambda d: (d / "channel.csv").unlink(),
        lambda d: (d / "labels.csv").unlink(),
        lambda d: (d / "comparison.csv").unlink(),
        lambda d: (d / "release.json").write_text("{}"),
    ],
)
def test_certify_fails_where_the_files_do_not_belong_together(directory, capsys, tamper):
    tamper(directory)
    for _ in range(2):  # even if everything is sealed again
        code, out, err = run(capsys, "certify", directory)
        assert (code, out, err.count("\n")) == (2, "", 1)
        seal(directory)


def replaced_by_a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def swap_names(path):
    path.write_bytes(path.read_bytes().replace(b"mild", b"m", 1).replace(b"severe", b"mild", 1))


@pytest.mark.parametrize(
    "name",
    [
        *("release.json", "channel.csv", "certificate.json", "utility.csv", "labels.csv", "comparison.csv"),
        *("channel.png", "comparison.png", "design.html"),
    ],
)
@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        swap_names,
        replaced_by_a_pipe,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes() + b"\n1\n"),
    ],
    ids=["deleted", "swapped", "pipe", "emptied", "longer"],
)
def test_certify_names_the_file_that_was_changed_in_any_way(directory, capsys, name, damage):
    if damage is swap_names and b"mild" not in (directory / name).read_bytes():
        damage = replaced_by_a_pipe
    damage(directory / name)
    code, out, err = run(capsys, "certify", directory)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert name in err or (name, damage) == ("release.json", swap_names)


def test_a_file_of_a_design_that_this_one_does_not_have_is_refused(directory, capsys):
    (directory / "bins.csv").write_text("label,from,to\nmild,0,1\nmoderate,1,2\nsevere,2,3\ncritical,3,4\n")
    code, out, err = run(capsys, "certify", directory)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "bins.csv" in err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("certificate.lower", value) for value in ("NaN", None, 9, "0", "1/0", "1e9999999")),
        *(("certificate.upper", value) for value in ("NaN", None, 9, "2", "9" * 5000)),
        *(("certificate.file", value) for value in (None, "channel.csv", "/dev/zero")),
        *(("certificate.floor", value) for value in (None, 0.3, "x", "1/3", "1/4", "1e9")),
        *(("certificate.prices", value) for value in (None, [], ["0"], ["0"] * 4, "0000")),
        *(("certificate.more", "x"), ("more", "x"), ("prior.more", 1), ("utility.more", 1), ("spent.more", "1")),
        *(("files.more", "a" * 64), ("files.labels.csv", None), ("version", 1), ("counts", "private")),
        *(("epsilon", "1.00000000001"), ("spent.release", "1.1"), ("spent.total", "1.1"), ("ratio", "2")),
        *(("spent.prior", "0.1"), ("spent.composition", "parallel"), ("prior.noisy", True), ("prior.values", "1111")),
    ],
)
def test_certify_names_what_release_json_states_wrongly(directory, capsys, key, value):
    data = json.loads((directory / "release.json").read_text())
    name, _, inner = key.partition(".")
    (data[name] if inner else data)[inner or name] = value
    for sealed in (data, {**data, "seal": seal_of(data)}):
        (directory / "release.json").write_text(json.dumps(sealed))
        code, out, err = run(capsys, "certify", directory)
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert any(part in err for part in key.split(".")), err


def test_a_level_that_is_not_that_of_the_certificate_is_refused_however_near(directory, capsys):
    data = json.loads((directory / "release.json").read_text())
    data |= {"epsilon": "1.00000000001", "spent": vars(Spent.on("1.00000000001"))}
    (directory / "release.json").write_text(json.dumps(data))
    seal(directory)
    code, out, err = run(capsys, "certify", directory)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "another level" in err


def test_a_directory_is_not_overwritten_without_being_asked_and_nothing_foreign_is_lost(directory, capsys, tmp_path):
    again = ("design", counts_file(tmp_path), "--epsilon", 1, "--counts-are", "public", "--output", directory)
    code, _, err = run(capsys, *again)
    assert code == 2
    assert "--overwrite" in err
    assert (directory / "utility.csv").exists()
    code, _, err = run(capsys, *again, "--overwrite")
    assert code == 0, err
    assert not (directory / "utility.csv").exists()
    (directory / "thesis.tex").write_text("years of work")
    code, _, err = run(capsys, *again, "--overwrite")
    assert code == 2
    assert "thesis.tex" in err
    assert (directory / "thesis.tex").read_text() == "years of work"


def test_a_full_disk_leaves_no_directory_behind(tmp_path, capsys, monkeypatch):
    path = counts_file(tmp_path)

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = run(capsys, "design", path, "--epsilon", 1, "--counts-are", "public", "--output", tmp_path / "out")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "No space left" in err
    assert os.listdir(tmp_path) == ["counts.csv"]


def test_the_diagonal_of_three_hundred_labels_is_visible_beside_a_heavy_column(tmp_path):
    size = 300
    matrix = np.full((size, size), 0.5e-3)
    np.fill_diagonal(matrix, 1e-2)
    matrix[:, 7] = 0
    matrix[:, 7] = 1 - matrix.sum(axis=1)
    (tmp_path / "heat.png").write_bytes(png(plot_channel(Channel(matrix), title="heat")))
    picture = imread(tmp_path / "heat.png")[:, :, :3]
    width = picture.shape[1]
    middle = picture[picture.shape[0] // 2, int(0.2 * width) : int(0.65 * width)]  # inside the axes, past the column
    contrast = np.abs(np.diff(middle, axis=0)).sum(axis=1)
    assert (contrast > 0.3).sum() >= 2  # into the diagonal and out of it


def test_a_certificate_of_other_labels_is_no_proof_for_a_directory(directory):
    other_certificate(directory)
    with pytest.raises(ReleaseError, match=r"certificate\.json"):
        certify_directory(directory)
    seal(directory)
    with pytest.raises(CertificateError, match="another utility or prior"):
        certify_directory(directory)


def test_losses_are_those_of_the_designs():
    # losses take the optimum's rigorous value in floats, designs the exact value of the certified channel
    counts = LabelCounts(tuple("abcdef"), (40, 3, 25, 1, 17, 14))
    for level in (1.0, PrivacyLevel.from_ratio(3)):
        table = losses(counts, level)
        for utility in ("hit", "absolute", "weights"):
            expected = {c.mechanism: c.loss_percent for c in design(counts, level, utility).comparisons}
            assert {name: row[utility] for name, row in table.items()} == pytest.approx(expected, abs=1e-5)
