"""Which epsilon: what is said of a level is what the channels of that level do."""

import math

import numpy as np
import pytest

from lpmech import PrivacyLevel
from lpmech.cli import main
from lpmech.designs.decoding import share_error
from lpmech.designs.designing import design
from lpmech.designs.epsilons import level_choices, sureness
from lpmech.entries import to_float
from lpmech.errors import LpmechError
from lpmech.labels.counts import LabelCounts
from lpmech.mechanisms import randomized_response
from lpmech.privacy import as_privacy_level
from lpmech.programs.hit_floors import halfway_floor

COUNTS = LabelCounts(("mild", "severe", "critical"), (600, 300, 100))


@pytest.mark.parametrize("releases", [1, 3])
def test_how_sure_one_gets_is_attained_by_randomized_response(releases):
    """Bayes with even odds on two labels, after the same answer each time."""
    row = to_float(randomized_response(2, 0.7).matrix)[:, 0] ** releases
    assert sureness(PrivacyLevel.from_epsilon(0.7), releases) == pytest.approx(row[0] / row.sum())


def test_levels_say_what_their_designs_say():
    found = list(level_choices(COUNTS, "hit", [0.5, 4.0]))
    for choice in found:
        best = design(COUNTS, choice.epsilon).optimum
        floor = halfway_floor(3, as_privacy_level(choice.epsilon))
        kept = design(COUNTS, choice.epsilon, "hit", floor).optimum
        for one, other in ((choice.best, best), (choice.keeping, kept)):
            assert one.utility == pytest.approx(other.expected_utility, abs=1e-6)
            assert one.left.never == other.left.never
        assert choice.keeping.error == pytest.approx(share_error(kept.channel, COUNTS.prior, 1000), rel=1e-3)
    assert [choice.best.error is None for choice in found] == [True, False]  # at 0.5 one label is never released


def test_the_error_of_a_share_is_that_of_simulated_estimates():
    """400 estimates from 1,000 labels: their error has a relative deviation of about 1 / sqrt(3 * 400), 3 %."""
    channel, rng = randomized_response(3, 1.0).exact(1.0), np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], COUNTS.counts)
    shares = [channel.estimate_counts(channel.sample(labels, rng)) / 1000 for _ in range(400)]
    seen = math.sqrt(np.mean((np.array(shares) - to_float(COUNTS.prior)) ** 2))
    assert share_error(channel, COUNTS.prior, 1000) == pytest.approx(seen, rel=0.15)


@pytest.mark.parametrize("wrong", [{"epsilons": [0.0]}, {"releases": 0}, {"releases": 1.5}, {"utility": "nothing"}])
def test_bad_arguments(wrong):
    with pytest.raises(LpmechError):
        list(level_choices(COUNTS, **wrong))


def test_the_command(tmp_path, capsys):
    (tmp_path / "counts.csv").write_text("label,count\nmild,600\nsevere,300\ncritical,100\n")
    with pytest.raises(SystemExit) as ended:
        main(["epsilons", str(tmp_path / "counts.csv"), "--epsilon", "1", "--epsilon", "2", "--releases", "2"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "3 labels, 1000 rows, utility hit" in out
    assert (
        "2 releases at epsilon = 2: whoever thinks it even odds which of two labels a person has is at most 98.3 %"
        in out
    )
    assert "for your eyes" in out
