"""The enclosed utilities behind Figs. 4 and 5 against floats computed by the library's own channels."""

from fractions import Fraction

import pytest

from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m, common_m_star
from lpmech.mechanisms.exponential import exponential
from lpmech.papers.zhang2025.enclosures import distance_figure, not_ahead_on, tanimoto_figure
from lpmech.papers.zhang2025.section_4d import row_ms
from lpmech.utilities import absolute, tanimoto

F = Fraction

PAIRS = [(distance_figure, absolute), (tanimoto_figure, tanimoto)]


@pytest.mark.parametrize(("figure", "utility"), PAIRS)
@pytest.mark.parametrize("epsilon", [F(1, 4), F(2), F(13, 2)])
@pytest.mark.parametrize("n", [5, 12])
def test_averages_are_those_of_the_channels(figure, utility, epsilon, n):
    """Catches a wrong m, sum, sensitivity or weight: the ball must hold the float up to its own rounding."""
    scores, level = utility(n).astype(float), float(epsilon)
    channels = {
        "GRR": bipartite_channel(scores, 1, level),
        "BRR": bipartite_channel(scores, common_m(scores, level), level),
        "BRR*": bipartite_channel(scores, common_m_star(scores, level), level),
        "exponential": exponential(scores, level),
    }
    for name, channel in channels.items():
        ball = figure(n).average(name, epsilon)
        assert float(ball.rad()) < 1e-9
        assert float(ball.mid()) == pytest.approx(channel.expected_utility(scores), abs=1e-11)


@pytest.mark.parametrize("n", [3, 8, 31, 50])
def test_m_is_that_of_the_exact_loop_at_rationals_around_the_level(n):
    """e^2 = 7.389...: the exact loop gives the same m at 7.38 and 7.40 for these N, so at e^2 too."""
    least, most = (min(row_ms(n, t)) for t in (F(740, 100), F(738, 100)))
    assert least == most == distance_figure(n).m("BRR", F(2))


def test_a_budget_that_is_not_settled_is_reported():
    """Catches a cover that skips intervals: BRR at 10^-6 is below the exponential mechanism at 1/2000."""
    assert list(not_ahead_on(distance_figure(20), F(1, 4), F(8))) == []
    assert list(not_ahead_on(distance_figure(3), F(1, 10**6), F(1, 2000))) == [F(1, 10**6)]
