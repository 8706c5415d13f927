"""Each test says of a formula what must stay true, and shows what was proved (pytest -rP prints it)."""

from windows import error, geometric, hit_rate, window

from lpmech import PrivacyLevel, optimal_channel
from lpmech.testing import (
    assert_channel,
    assert_dominates,
    assert_monotone,
    assert_optimal,
    assert_private,
    assert_same_formula,
    assert_tight,
)

LINE = {"t": "t > 1", "K": range(2, 6)}
CIRCLE = {"t": "t > 1", "K": [3, 5, 6], "w": [0, 1]}
ANY = "t > 1, K >= 3, w integer >= 0, 2*w + 1 <= K"


def windows_of(t, K, w):
    near = [[int(min((j - y) % K, (y - j) % K) <= w) for j in range(K)] for y in range(K)]
    return optimal_channel(near, PrivacyLevel.from_ratio(t))


def expected_distance(t, K):
    return sum(j * mass for j, mass in enumerate(geometric(t, K)[0]))


def test_rows_are_distributions():
    print(assert_channel(geometric, LINE))
    print(assert_channel(window, CIRCLE))


def test_the_window_is_private():
    print(assert_private(window, ratio="t", domain=CIRCLE))


def test_the_geometric_mechanism_spends_its_level():
    print(assert_tight(geometric, ratio="t**(K - 1)", domain=LINE))


def test_nothing_hits_more_often_than_the_window():
    domain = {"t": ["3/2", 2, 5], "K": [4, 5], "w": [0, 1]}
    print(assert_optimal(window, windows_of, domain))
    print(assert_optimal(hit_rate, windows_of, domain))


def test_hit_rate():
    print(assert_same_formula(hit_rate, "1 - (K - 2*w - 1)/(K + (2*w + 1)*(t - 1))", ANY))


def test_a_wider_window_hits_more_often():
    print(assert_monotone(hit_rate, "w", ANY))


def test_error():
    print(assert_same_formula(error, expected_distance, LINE))


def test_more_privacy_tells_less():
    print(assert_dominates(geometric(3.0, 4), geometric(2.0, 4)))


def test_formulas(lpmech_formula):
    print(lpmech_formula(hit_rate, ANY, "hit_rate"))
    print(lpmech_formula(geometric, LINE, "geometric"))
