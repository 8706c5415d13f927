"""zhao2025: counterexamples by bare arithmetic, the kNN experiment, and what is covered."""

import math
import re
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats

from lpmech import PrivacyLevel
from lpmech.applications.learning.circle import bayes_accuracy, circle_experiment, circle_figure
from lpmech.applications.learning.label_vectors import METHODS, neighbour_means
from lpmech.applications.learning.row_priors import best_ks, sample_rr_with_priors
from lpmech.errors import InvalidInputError, LabelError, PriorError
from lpmech.mechanisms import rr_with_prior
from lpmech.mechanisms.rr_with_prior import best_k
from lpmech.papers.zhao2025 import PAPER
from lpmech.papers.zhao2025.section_3 import scalar_information, vector_information
from lpmech.verdicts import Verdict

F = Fraction

# -- counterexamples, checked apart from the checks that found them ----------------------------------


def test_an_error_below_the_gap_is_not_enough():
    # K = 2, e^(eps/2) = 2, eta = (1, 0): eta~ = (2/3, 1/3). Scores wrong by 1/4 < 1 each are (5/12, 7/12): class 2.
    g = (F(2, 3) - F(1, 4), F(1, 3) + F(1, 4))
    assert g[1] > g[0]
    # (26): 2 Delta_epsilon = 2 * 3 * 1/4 = 3/2 is above the gap 1, so that nothing was promised
    assert 2 * 3 * F(1, 4) > 1


def test_no_other_split_has_a_larger_difference_p_minus_q():
    # e^epsilon = 4: the paper's 2/3 - 1/3 against q on a grid, p with odds 4 q/(1 - q)
    for q in (F(i, 100) for i in range(1, 100)):
        odds = 4 * q / (1 - q)
        assert odds / (1 + odds) - q <= F(1, 3)
    assert F(1, 2) - F(1, 5) < F(1, 3)  # optimal unary encoding


def test_chernoff_bound_of_35_where_the_ball_holds_more_than_2k():
    # at Np = k the bound is 1, and it falls from there on: binomial tails at several Np >= k
    for k, n in ((1, 5), (3, 20), (5, 12)):
        values = [math.exp(-m) * (math.e * m / k) ** k for m in range(k, n)]
        assert values[0] == pytest.approx(1)
        assert all(a > b for a, b in pairwise(values))
        assert all(stats.binom.cdf(k, n, m / n) <= v for m, v in zip(range(k, n), values, strict=True))


def test_the_mean_soft_label_of_alibi_points_at_the_right_class():
    # K = 2, lambda = 2: p(Y=1|o) = 1/(1 + exp((g(o_2) - g(o_1))/2)), g(x) = clip(2x - 1, -1, 1), integrated on a grid of o
    o = (np.arange(-500, 500) + 0.5) / 20
    g = np.clip(2 * o - 1, -1, 1)
    first, second = (np.exp(-np.abs(o - place) / 2) for place in (1, 0))
    weight = np.outer(first, second)
    p = 1 / (1 + np.exp((g[None, :] - g[:, None]) / 2))
    assert 0.54 < (p * weight).sum() / weight.sum() < 0.56  # 0.5496


def test_a_softmax_learns_the_order_of_the_classes():
    # minimise -sum eta~_j ln f_j over softmax scores by gradient steps: f tends to eta~ / sum eta~, with eta's argmax
    eta = np.array([0.1, 0.5, 0.3, 0.1])
    tilted = 1 / 3 + eta / 3  # e^(eps/2) = 2
    scores = np.zeros(4)
    for _ in range(2000):
        f = np.exp(scores) / np.exp(scores).sum()
        scores -= tilted.sum() * f - tilted
    assert f == pytest.approx(tilted / tilted.sum())
    assert tilted.sum() == pytest.approx((4 - 1 + 2) / 3)
    assert f.argmax() == eta.argmax()


def test_a_tie_of_the_two_best_costs_one_over_k():
    # eta = ((1 + x/2)/3, (1 + x/2)/3, (1 - x)/3), k labels at each x: the excess of the most frequent class is x/2 where
    # it is class 3; 1/k times the same number for k = 100 and 400, as the gap is felt up to x ~ k^(-1/2)
    rng, x = np.random.default_rng(3), (np.arange(2000) + 0.5) / 2000
    eta = np.stack([(1 + x / 2) / 3, (1 + x / 2) / 3, (1 - x) / 3], axis=1)
    scaled = []
    for k in (100, 400):
        chosen = np.stack([rng.multinomial(k, eta).argmax(axis=1) for _ in range(200)])
        scaled.append(k * ((chosen == 2) * x / 2).mean())
    assert scaled[0] == pytest.approx(scaled[1], rel=0.15)
    assert min(scaled) > 0.1


def test_mass_of_the_intervals_with_fewer_than_k_examples():
    # intervals [n, n + n^-2]: those with N n^-2 6/pi^2 < k, where n > (6 N/(pi^2 k))^(1/2), have the mass 6/pi^2 times the
    # sum of n^-2 from there on: of the order (k/N)^(1/2)
    masses = []
    for examples in (10**4, 10**6):
        k = round(examples ** (2 / 3))
        first = math.ceil(math.sqrt(6 * examples / (math.pi**2 * k)))
        masses.append(6 / math.pi**2 * (math.pi**2 / 6 - sum(1 / n**2 for n in range(1, first))))
    exponent = math.log(masses[1] / masses[0]) / math.log(100)
    assert exponent == pytest.approx(-1 / 6, abs=0.03)


def test_missing_tilde_in_33():
    # k = 1, Z = 1, eta = 1, e^(eps/2) = 2: |1 - 1| = 0, but |1 - eta~| = |1 - (1/3 + 1/3)| = 1/3.
    tilted = F(1, 3) + F(1, 3) * 1
    assert abs(1 - 1) != abs(1 - tilted) == F(1, 3)


def test_two_classes_keep_less_in_the_vector():
    # K = 2, s = 2: H(Z) - H(Z|Y) by hand. Rows (2/9, 4/9, 1/9, 2/9); mean (2/9, 5/18, 5/18, 2/9).
    rows = [(F(2, 9), F(4, 9), F(1, 9), F(2, 9)), (F(2, 9), F(1, 9), F(4, 9), F(2, 9))]
    mean = [(a + b) / 2 for a, b in zip(*rows, strict=True)]
    vector = sum(float(p) * math.log(p / m) for row in rows for p, m in zip(row, mean, strict=True)) / 2
    scalar = 0.8 * math.log(1.6) + 0.2 * math.log(0.4)
    assert vector == pytest.approx(0.10708, abs=1e-5)
    assert scalar == pytest.approx(0.19274, abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_informations_against_the_written_out_channels(size):
    """Catches an error in the sums over the number of ones: compared with the definition on all 2^K vectors."""
    from flint import arb

    from lpmech.mechanisms import randomized_response, symmetric_unary_encoding

    def mutual(channel):
        m = channel.matrix.astype(float)
        return float((m * np.log(m / m.mean(axis=0))).sum() / size)

    level = PrivacyLevel.from_ratio(F(9, 4))
    assert float(vector_information(size, arb(3) / 2)) == pytest.approx(
        mutual(symmetric_unary_encoding(size, level).channel())
    )
    assert float(scalar_information(size, arb(9) / 4)) == pytest.approx(mutual(randomized_response(size, level)))


def test_posterior_29_by_density_products():
    # o = (1/3, 2), lambda = 1: densities e^{-(2/3 + 2)} and e^{-(1/3 + 1)}; f = -8/3, -4/3.
    first = math.exp(-abs(1 / 3 - 1) - abs(2)) / 4
    second = math.exp(-abs(1 / 3) - abs(2 - 1)) / 4
    assert math.log(first / second) == pytest.approx(-8 / 3 + 4 / 3)


def test_tail_of_the_difference_of_two_laplace_variables():
    # P(W_c - W_1 >= 1) for lambda = 2: (2 + 1/2)/4 e^{-1/2} = 0.37908; by numerical integration of the cdf.
    grid = np.linspace(-60, 60, 400001)
    value = np.trapezoid(stats.laplace.pdf(grid, scale=2) * stats.laplace.sf(grid + 1, scale=2), grid)
    assert (2 + 0.5) / 4 * math.exp(-0.5) == pytest.approx(value, abs=1e-6)


# -- the experiment ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("classes", "deviation"), [(2, 1.0), (3, 0.5), (10, 0.2), (40, 0.05)])
def test_bayes_accuracy_against_simulation(classes, deviation):
    """Catches a wrong density of the angle: 200000 points, classified by the nearest mean."""
    rng = np.random.default_rng(3)
    points = np.array([1.0, 0.0]) + deviation * rng.standard_normal((200_000, 2))
    right = np.abs(np.arctan2(points[:, 1], points[:, 0])) <= math.pi / classes
    assert bayes_accuracy(classes, deviation) == pytest.approx(right.mean(), abs=5 * 0.5 / math.sqrt(200_000))


def test_bayes_accuracy_of_two_classes_is_a_normal_probability():
    # two means at +-1: the right half-plane, Phi(1 / sigma)
    assert bayes_accuracy(2, 0.7) == pytest.approx(stats.norm.cdf(1 / 0.7), abs=1e-10)
    assert bayes_accuracy(1, 3.0) == 1.0


@pytest.mark.parametrize("prior", [(0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (1 / 3, 1 / 3, 1 / 3), (0.2, 0.0, 0.8)])
def test_row_priors_follow_the_channel_of_rr_with_prior(prior):
    """Catches a shifted draw among the k labels: chi-square against the channel, for every true label."""
    level = PrivacyLevel.from_epsilon(0.8)
    channel = rr_with_prior(list(prior), level)
    assert best_ks([prior], level)[0] == best_k(list(prior), level)
    rng = np.random.default_rng(4)
    for y in range(3):
        drawn = sample_rr_with_priors(np.full(20000, y), np.tile(prior, (20000, 1)), level, rng)
        seen, expected = np.bincount(drawn, minlength=3), 20000 * channel.matrix[y].astype(float)
        assert not np.any(seen[expected == 0])
        kept = expected > 0
        if kept.sum() > 1:
            assert stats.chisquare(seen[kept], expected[kept]).pvalue > 1e-4


def test_neighbour_means_against_brute_force():
    rng = np.random.default_rng(0)
    features, targets, queries = rng.random((50, 2)), rng.random((50, 3)), rng.random((7, 2))
    order = np.argsort(((queries[:, None] - features) ** 2).sum(axis=2), axis=1)[:, :5]
    np.testing.assert_allclose(neighbour_means(features, targets, queries, 5), targets[order].mean(axis=1))
    np.testing.assert_allclose(neighbour_means(features, targets, queries, 1), targets[order[:, 0]])


def test_experiment_is_reproducible_and_learns():
    def run(seed):
        return circle_experiment(3, 0.05, 2.0, neighbours=20, examples=400, tests=100, trials=3, seed=seed)

    one, same, other = run(1), run(1), run(2)
    assert set(one.accuracies) == set(METHODS)
    for method in METHODS:
        assert one.accuracies[method].tolist() == same.accuracies[method].tolist()
        assert one.mean(method) > 0.9
    assert any(one.accuracies[m].tolist() != other.accuracies[m].tolist() for m in METHODS)
    low, high = one.lead("RR")
    assert low <= one.mean("vector") - one.mean("RR") <= high


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"classes": 0}, "classes"),
        ({"deviation": 0.0}, "deviation"),
        ({"neighbours": 60}, "neighbours"),
        ({"trials": 1}, "trials"),
        ({"examples": 1}, "examples"),
        ({"tests": 0}, "tests"),
    ],
)
def test_bad_experiments_are_named(change, argument):
    usual = {"classes": 2, "deviation": 0.1, "epsilon": 1.0, "neighbours": 5, "examples": 100, "tests": 5, "trials": 2}
    with pytest.raises(InvalidInputError) as caught:
        circle_experiment(**{**usual, **change})
    assert caught.value.argument == argument


def test_a_figure_is_its_experiments_at_every_size_and_sigma():
    """Catches panels mixed up, epsilon or k of another figure, a seed that is not passed on."""
    small = {"trials": 2, "tests": 20, "examples": 400, "seed": 3}
    points = list(circle_figure(3, [3, 5], **small))
    assert [(p.panel, p.classes, p.deviation) for p in points] == [
        ("a: sigma = 0.05", 3, 0.05), ("a: sigma = 0.05", 5, 0.05), ("b: sigma = 2/K", 3, 2 / 3), ("b: sigma = 2/K", 5, 0.4),
    ]  # fmt: skip
    again = circle_experiment(5, 0.4, 2.0, neighbours=100, **small)
    assert {m: v.tolist() for m, v in points[-1].result.accuracies.items()} == {
        m: v.tolist() for m, v in again.accuracies.items()
    }
    for arguments in ((5, [3]), (2, []), (2, [1]), (2, [3.5])):
        with pytest.raises(InvalidInputError):
            circle_figure(*arguments)
    with pytest.raises(InvalidInputError, match="trials"):
        circle_figure(2, [3], trials=1)


def test_the_command_prints_intervals_and_draws_error_bars(tmp_path, monkeypatch, capsys):
    """Catches a flag that does not reach the experiment, and intervals that are not shown."""
    from matplotlib.figure import Figure

    from lpmech import cli
    from lpmech.applications.learning import circle

    sizes, figures, original = [], [], Figure.savefig

    def reduced(figure, classes, *, trials, tests, seed, jobs):
        sizes.append((trials, tests, seed))
        return circle_figure(figure, classes, trials=3, tests=20, examples=400, seed=seed)

    monkeypatch.setattr(circle, "circle_figure", reduced)
    monkeypatch.setattr(Figure, "savefig", lambda f, *a, **o: (figures.append(f), original(f, *a, **o)))
    path = tmp_path / "figure.png"
    for options in (["--output", str(path), "--seed", "4"], ["--full"], ["--repeats", "7"]):
        with pytest.raises(SystemExit) as stopped:
            cli.main(["reproduce", "circle", "4", "--classes", "3", "5", *options])
        assert stopped.value.code == 0
    assert sizes == [(20, 500, 4), (1000, 1000, 0), (7, 500, 0)]
    shown = capsys.readouterr().out
    assert "Fig. 4: epsilon = 1, k = 100, N = 10000, 1000 trials of 1000 tests" in shown
    assert shown.count("±") >= 2 * 2 * 4
    assert path.stat().st_size > 10_000
    assert [axes.get_title() for axes in figures[0].axes] == ["a: sigma = 0.05", "b: sigma = 2/K"]
    assert all(len(axes.containers) == 4 and len(axes.containers[0].lines[2]) for axes in figures[0].axes)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["reproduce", "circle", "--full", "--repeats", "7"])
    assert stopped.value.code == 2


def test_bad_row_priors_are_named():
    rng = np.random.default_rng(0)
    with pytest.raises(PriorError):
        sample_rr_with_priors([0], [[0.5, 0.6]], 1.0, rng)
    with pytest.raises(PriorError):
        best_ks([0.5, 0.5], 1.0)
    with pytest.raises(LabelError):
        sample_rr_with_priors([2], [[0.5, 0.5]], 1.0, rng)
    with pytest.raises(InvalidInputError, match="neighbours"):
        neighbour_means(np.zeros((3, 1)), np.zeros((3, 2)), np.zeros((1, 1)), 4)


# -- coverage ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [12, 13, 14, 22, 23, 24, 25, 26, 27, 29, 30, 33, 34, 35, 36, 44, 45])
def test_every_equation_has_a_claim(number):
    assert any(re.search(rf"\({number}\)", id) for id in PAPER.claims)


@pytest.mark.parametrize("item", ["Prop. 1", "Theorem 1", "Theorem 2", "App. B.1", "App. B.2", "App. C.1", "Fig. 2",
                                  "Fig. 3", "Fig. 4", "Table 1", "Table 2", "Table 3"])  # fmt: skip
def test_every_statement_and_recomputable_figure_has_a_claim(item):
    assert any(id.startswith(item) for id in PAPER.claims)


def test_claims_stand_in_the_order_of_the_sections():
    """Catches a module imported out of turn."""
    order = ["Section 1", "Section 3.1", "Section 3.2", "Section 4.1", "Section 4.2", "Section 4.3", "Fig. 2",
             "Table 1", "App. B.1", "App. B.2", "App. C.1"]  # fmt: skip
    places = [
        i for id in PAPER.claims for i, start in enumerate(order) if id.startswith(start) and "the function" not in id
    ]
    assert all(a <= b for a, b in pairwise(places))


def test_every_unclear_claim_has_readings_that_differ():
    unclear = [c for c in PAPER.claims.values() if c.recorded is Verdict.UNCLEAR and not c.id.startswith("Fig.")]
    assert unclear
    for claim in unclear:
        assert len({reading.verdict for reading in claim.run().readings.values()}) > 1, claim.id


def test_theorem_2_on_one_more_distribution_by_enumeration():
    # K = 2, one feature value, eta = (3/4, 1/4), s = 2, one example, ties to class 2; eta~ = (7/12, 5/12).
    # z = (1,0) is right; (0,1), (0,0), (1,1) choose class 2 with excess 1/2. P(1,0) = 3/4 4/9 + 1/4 1/9 = 13/36.
    excess = (1 - F(13, 36)) * F(1, 2)
    bound = F(0)
    for z in product((0, 1), repeat=2):
        chance = F(3, 4) * F(2 if z[0] else 1, 3) * F(1 if z[1] else 2, 3)
        chance += F(1, 4) * F(1 if z[0] else 2, 3) * F(2 if z[1] else 1, 3)
        radius = 2 * 3 * max(abs(z[0] - F(7, 12)), abs(z[1] - F(5, 12)))
        bound += chance * radius if F(1, 2) <= radius else 0
    assert excess == F(23, 72) <= bound
