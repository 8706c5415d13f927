"""Pictures of conditions in two parameters: what is coloured is where the statement holds."""

from fractions import Fraction

import numpy as np
import pytest

from lpmech import when
from lpmech.cli import main
from lpmech.errors import InvalidInputError
from lpmech.plots import plot_condition

STATEMENT = "t/(t+K-1) >= 1/4 and t <= 6"


def test_the_coloured_set_is_where_the_statement_holds():
    # the statement itself at every point of the grid, in rationals: a swapped axis or side of a border shows
    axes = plot_condition(when(STATEMENT), {"K": (2, 12), "t": (1.5, 9)})
    mesh = axes.collections[0]
    values = mesh.get_array()
    corners = mesh.get_coordinates()
    centres = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("K", "t")
    for row in range(0, len(values), 37):
        for column in range(values.shape[1]):
            K, t = (Fraction(str(round(float(v), 9))) for v in centres[row, column])
            assert round(K) == pytest.approx(float(K))
            if abs(t / (t + K - 1) - Fraction(1, 4)) > Fraction(1, 1000):
                assert bool(values[row, column]) == (t / (t + round(K) - 1) >= Fraction(1, 4) and t <= 6)


def test_borders_are_the_curves_of_both_relations():
    axes = plot_condition(when(STATEMENT), {"K": (2, 12), "t": (1.5, 9)})
    lines = [path.vertices for found in axes.collections[1:] for path in found.get_paths() if len(path.vertices)]
    assert len(lines) == 2
    flat, rising = sorted(lines, key=lambda line: np.ptp(line[:, 1]))
    assert flat[:, 1] == pytest.approx(np.full(len(flat), 6.0))
    assert rising[:, 1] == pytest.approx((rising[:, 0] - 1) / 3)


def test_what_the_hypotheses_exclude_is_blank():
    axes = plot_condition(when("a + b >= 1", param=["a in [0, 1]", "b in [0, 1]"], where=["a + b <= 3/2"]))
    values = axes.collections[0].get_array()
    assert np.ma.count_masked(values) == pytest.approx(values.size / 8, rel=0.05)  # the corner above a + b = 3/2
    assert axes.get_xlim() == pytest.approx((0, 1), abs=0.01)


@pytest.mark.parametrize(
    ("statement", "spans", "words"),
    [
        ("t > 0", {}, "one or two parameters"),
        ("t + K + m > 5", {}, "one or two parameters"),
        ("t > K", {"m": (0, 1)}, "rising ends for K or t"),
        ("t > K", {"K": (5, 2)}, "rising ends"),
        ("t > K", {"K": (2.1, 2.9)}, "two whole numbers"),
    ],
)
def test_what_has_no_picture_is_refused(statement, spans, words):
    with pytest.raises(InvalidInputError, match=words):
        plot_condition(when(statement, param=["m real > 0"]), spans)


def code(line):
    with pytest.raises(SystemExit) as ended:
        main(line)
    return ended.value.code


def test_the_command_draws_and_tells_the_answer_before_it_refuses_a_picture(tmp_path, capsys):
    picture = ["--output", str(tmp_path / "w.png")]
    assert code(["when", "t > K", *picture, "--span", "K 2 9"]) == 0
    assert (tmp_path / "w.png").read_bytes()[:4] == b"\x89PNG"
    assert code(["when", "t > 0", *picture]) == 2
    assert "holds always" in capsys.readouterr().out
    assert code(["when", "t > K", "--span", "K 2 9"]) == 2
    assert code(["when", "t > K", *picture, "--span", "K 2"]) == 2
    assert "'K 2 40'" in capsys.readouterr().err
    assert code(["when", "t > K", "--output", str(tmp_path / "w.pdf")]) == 2
    told = capsys.readouterr().err
    assert "output: got" in told
    assert "ends in .png" in told


def test_what_jumps_has_no_border_and_a_long_title_has_lines():
    """Each remainder of K had two lines upwards where nothing changes."""
    axes = plot_condition(when("floor(K/2)**2 >= K + m", ("m >= 0",)))
    assert len(axes.collections) == 1 + 2  # the set, m = K(K - 4)/4, m = (K^2 - 6 K + 1)/4
    assert max(map(len, axes.get_title().splitlines())) <= 66


@pytest.mark.parametrize("high", ["1e10", "inf"])
def test_a_span_that_is_too_long_is_refused(high, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["when", "t <= K", "--output", str(tmp_path / "x.png"), "--span", f"K 2 {high}"])
    assert "spans: got" in capsys.readouterr().err
