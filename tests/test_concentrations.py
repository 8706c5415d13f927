"""The concentration program beside the published mechanisms: closed form, other computations, no mechanism above it."""

import math

import pytest

from lpmech.applications.concentrations import mean_concentrations
from lpmech.errors import InvalidInputError, PrivacyLevelError
from lpmech.papers.zheng2025.program import mean_concentrations as by_balls


@pytest.mark.parametrize(("blocks", "steps"), [(2, 0), (3, 1), (2, 2), (4, 1)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_whole_blocks_have_the_closed_form_and_k_rr_attains_it(blocks, steps, epsilon):
    # catches a radius off by one: t / (t + k - 1) on k blocks of 2 r + 1 points
    found = {row.mechanism: row for row in mean_concentrations(blocks * (2 * steps + 1), steps, epsilon)}
    closed = math.exp(epsilon) / (math.exp(epsilon) + blocks - 1)
    assert found["optimum"].value == pytest.approx(closed, rel=1e-6)
    assert found["k-RR on blocks"].value == pytest.approx(closed, rel=1e-12)
    assert found["k-RR on blocks"].loss_percent == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(("size", "steps", "t"), [(4, 1, 4), (11, 2, 9), (11, 1, 49), (7, 1, 4)])
def test_published_mechanisms_against_ball_arithmetic_and_below_the_optimum(size, steps, t):
    rows = mean_concentrations(size, steps, math.log(t))
    assert rows[0].mechanism == "optimum"
    assert rows[0].loss_percent == 0
    assert all(row.loss_percent > -1e-4 for row in rows)
    found = {row.mechanism: row.value for row in rows}
    # the tight level of the exponential mechanism is half of its parameter: t here is t^2 there
    for name, ball in (by_balls(size, steps, t) | {"Exponential": by_balls(size, steps, t * t)["Exponential"]}).items():
        assert found[{"Exponential": "exponential"}.get(name, name)] == pytest.approx(float(ball), abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1, 0, 1.0), InvalidInputError),
        ((10**12, 1, 1.0), InvalidInputError),
        ((5, 5, 1.0), InvalidInputError),
        ((5, -1, 1.0), InvalidInputError),
        ((5, 1.5, 1.0), InvalidInputError),
        ((5, 1, 0.0), PrivacyLevelError),
    ],
)
def test_bad_input(arguments, error):
    with pytest.raises(error):
        mean_concentrations(*arguments)


def test_the_command_prints_every_mechanism_at_every_level(capsys):
    from lpmech import cli

    with pytest.raises(SystemExit) as stopped:
        cli.main(["reproduce", "concentration", "--size", "6", "--epsilon", "1", "--epsilon", "2"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    for name in ("optimum", "PM", "SW", "Laplace, clipped", "k-RR on blocks"):
        assert shown.count(f" {name} ") == 2
