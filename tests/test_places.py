"""Real places: reading them, regions, staircase response, and what each mechanism costs in kilometres."""

from fractions import Fraction

import numpy as np
import pytest
from commands import lpmech
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import haversine_distances

from lpmech import PrivacyLevel
from lpmech.applications.locations import averages, comparable_regions, expected_distances, released_from
from lpmech.applications.places import Places, iso_6709, read_places, world_places
from lpmech.errors import DataFileError, LabelError, PriorError, UtilityError
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.staircase_rr import best_group_sizes, ranked_groups, staircase_rr
from lpmech.utilities import absolute

MEAN_RADIUS = (2 * 6378.137 + 6356.752314245) / 3  # of the WGS 84 ellipsoid


def test_iso_6709_by_hand():
    # minutes and seconds are sixtieths, not decimals; a sign holds for the whole coordinate
    assert iso_6709("+4852+00220") == (48 + Fraction(52, 60), 2 + Fraction(20, 60))  # Paris
    assert iso_6709("-5448-06818") == (-54 - Fraction(48, 60), -68 - Fraction(18, 60))  # Ushuaia
    assert iso_6709("+404251-0740023") == (40 + Fraction(42 * 60 + 51, 3600), -74 - Fraction(23, 3600))  # New York
    assert iso_6709("-0008+00644")[0] == -Fraction(8, 60)  # south of the equator although the degrees are 00


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4852+00220",
        "+4852+0220",
        "+4852+0022001",
        "+485200+00220",
        "+4852+00220/",
        "+4860+00220",
        "+485260+0022000",
        "+9001+00220",
        "-4852-18001",
    ],
)
def test_other_forms_are_refused(text):
    with pytest.raises(DataFileError, match="6709"):
        iso_6709(text)


def test_world_places_and_their_regions():
    places = world_places()
    assert 350 < len(places) < 500  # catches the header lines being read as places, or columns mixed up
    found = dict(zip(places.names, places.coordinates, strict=True))
    assert found["Europe/Paris"] == pytest.approx((48.8667, 2.3333), abs=1e-4)
    assert found["America/Argentina/Ushuaia"] == pytest.approx((-54.8, -68.3), abs=1e-4)
    regions = places.regions()
    assert {"Africa", "America", "Asia", "Europe", "Pacific"} <= set(regions)
    assert sum(map(len, regions.values())) == len(places)
    assert "America/Argentina/Ushuaia" in regions["America"].names
    assert "America/Argentina/Ushuaia" in places.regions(2)["America/Argentina"].names
    assert "Europe/Paris" in places.regions(2)["Europe"].names  # the last level is the place, never a region
    assert list(places.regions(0)) == [""]


def test_distances_of_the_world_agree_with_scikit_learn():
    places = world_places()
    angles = haversine_distances(np.radians(places.coordinates))
    assert np.allclose(places.utility, -MEAN_RADIUS * angles, atol=1e-3)
    paris, london = (places.names.index(f"Europe/{city}") for city in ("Paris", "London"))
    assert 330 < -places.utility[paris, london] < 350  # about 344 km


def written(tmp_path, text):
    path = tmp_path / "places.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_places_from_a_file(tmp_path):
    places = read_places(written(tmp_path, "place,latitude,longitude,count\na/x,48.5,2,3\na/y,-1/2,-180,1\n"))
    assert places.names == ("a/x", "a/y")
    assert places.coordinates == ((48.5, 2.0), (-0.5, -180.0))
    assert places.prior.tolist() == [Fraction(3, 4), Fraction(1, 4)]
    assert places.regions()["a"] == places
    without = read_places(written(tmp_path, "Place, Latitude, Longitude\na,1,2\nb,3,4\n"))
    assert without.counts is None
    assert without.prior.tolist() == [Fraction(1, 2)] * 2


HEAD = "place,latitude,longitude\n"
COUNTED = "place,latitude,longitude,count\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rows"),
        (HEAD, "two places"),
        (HEAD + "a,1,2\n", "two places"),
        ("a,1,2\nb,3,4\n", "place,latitude,longitude"),
        (HEAD + "a,1,2\na,3,4\n", "place 'a'"),
        (HEAD + "a,1,2\n,3,4\n", "place ''"),
        (HEAD + "a,1,2\nb,3\n", "line 3"),
        (HEAD + "a,1,2\nb,90.5,4\n", "-90 to 90"),
        (HEAD + "a,1,2\nb,3,-181\n", "-180 to 180"),
        (HEAD + "a,1,2\nb,nan,4\n", "'nan'"),
        (HEAD + "a,1,2\nb,north,4\n", "'north'"),
        (COUNTED + "a,1,2,1\nb,3,4,-1\n", "count '-1'"),
        (COUNTED + "a,1,2,1\nb,3,4,1.5\n", "count '1.5'"),
        (COUNTED + "a,1,2,0\nb,3,4,0\n", "zero"),
    ],
)
def test_bad_files_are_typed_errors(tmp_path, text, message):
    with pytest.raises(DataFileError, match=message):
        read_places(written(tmp_path, text))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (LabelError, lambda: Places((), ())),
        (LabelError, lambda: Places(("a", "a"), ((0, 0), (1, 1)))),
        (LabelError, lambda: Places(("a",), ((0, 0), (1, 1)))),
        (LabelError, lambda: Places(("a",), ((0, 0),), (1, 2))),
        (UtilityError, lambda: Places(("a",), ((91, 0),))),
        (UtilityError, lambda: Places(("a",), ((0, float("nan")),))),
        (PriorError, lambda: Places(("a",), ((0, 0),), (-1,))),
        (PriorError, lambda: Places(("a",), ((0, 0),), (0,)).prior),
        (LabelError, lambda: world_places().regions(-1)),
        (LabelError, lambda: comparable_regions(world_places(), 1, ["Atlantis"])),
        (LabelError, lambda: comparable_regions(world_places(), 1, ["Arctic"])),  # a single place
        (LabelError, lambda: released_from(world_places(), "Atlantis/Capital", 1.0)),
        (LabelError, lambda: staircase_rr([[1, 1], [1, 1]], 1.0)),
        (LabelError, lambda: staircase_rr([[0, 1], [1, 0]], 1.0)),
        (LabelError, lambda: ranked_groups([[0, -1], [-1, 0]], (1, 2))),
        (LabelError, lambda: ranked_groups([[0, -1], [-1, 0]], (0.5, 1.5))),
        (LabelError, lambda: ranked_groups([[0, -1], [-1, 0]], ("a",))),
        (LabelError, lambda: expected_distances("", Places(("a",), ((0, 0),)), 1.0)),
        (UtilityError, lambda: best_group_sizes([[0, -1], [-1, 0]], PrivacyLevel.from_epsilon(1.0))),
    ],
)
def test_bad_arguments_are_typed_errors(error, call):
    with pytest.raises(error) as caught:
        call()
    assert caught.value.allowed in str(caught.value)


def test_staircase_by_hand():
    # t = 3, three groups: weights 3, 2, 1; sizes (1, 1, 2): sum 7. The same from the published formula:
    # alpha_m = (m-1) / ((m-1) N t - (t-1) sum (j-1)|G_j|) = 2 / (2 * 4 * 3 - 2 * (1 * 1 + 2 * 2)) = 1/7
    channel = staircase_rr([[1, 2, 3, 3], [2, 1, 3, 3], [3, 3, 1, 2], [3, 3, 2, 1]], PrivacyLevel.from_ratio(3))
    assert channel.matrix[0].tolist() == [Fraction(3, 7), Fraction(2, 7), Fraction(1, 7), Fraction(1, 7)]
    assert channel.ratio == 3
    # groups of other sizes in another row: 3/7 against 1/9 in the first column is more than 3
    uneven = staircase_rr([[1, 2, 3, 3], [3, 1, 1, 2], [2, 3, 1, 1]], PrivacyLevel.from_ratio(3))
    assert uneven.ratio == Fraction(3, 7) / Fraction(1, 9)


places_strategy = st.lists(st.tuples(st.integers(-60, 60), st.integers(-170, 170)), min_size=3, max_size=7, unique=True)


@given(places_strategy, st.sampled_from([Fraction(3, 2), Fraction(3), Fraction(7)]))
@settings(max_examples=40, deadline=None)
def test_rows_and_averages_are_ordered_as_proved(coordinates, t):
    # BRR is in no row worse than randomized response; BRR* is on average at least as good as BRR and as every
    # staircase of common sizes (catches a loss of the wrong sign, groups ranked the wrong way, sizes not common)
    places = Places(tuple(f"p{i}" for i in range(len(coordinates))), tuple(coordinates))
    utility, level = places.utility, PrivacyLevel.from_ratio(t)
    rows = [(c.matrix.astype(float) * utility).sum(axis=1) for c in (bipartite_rr(utility, level), randomized_response(len(places), level))]  # fmt: skip
    assert np.all(rows[0] >= rows[1] - 1e-6)
    star = bipartite_rr_star(utility, level).expected_utility(utility)
    sizes = best_group_sizes(utility, level)
    stairs = staircase_rr(ranked_groups(utility, sizes), level)
    assert stairs.satisfies(level)
    assert star >= max(rows[0].mean(), float(stairs.expected_utility(utility))) - 1e-6


def test_best_sizes_against_enumeration():
    # catches prefix sums shifted by one
    places = world_places().regions()["Australia"]
    n, utility = len(places), places.utility
    every = [(a, b, n - a - b) for a in range(1, n) for b in range(1, n - a)]
    values = [float(staircase_rr(ranked_groups(utility, s), 1.0).expected_utility(utility)) for s in every]
    assert best_group_sizes(utility, PrivacyLevel.from_epsilon(1.0)) == every[int(np.argmax(values))]


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("points", [(0, 1, 2, 3, 4, 5, 6), (0, 0.1, 0.5, 2, 7, 7.5, 20), (0, 30, 31, 32, 80, 90)])
def test_best_sizes_of_points_on_a_line_against_enumeration(points, epsilon):
    n, utility = len(points), absolute([Fraction(str(p)) for p in points])
    every = [(a, b, n - a - b) for a in range(1, n) for b in range(1, n - a)]
    values = {
        s: float(staircase_rr(ranked_groups(utility, s), epsilon).expected_utility(utility.astype(float)))
        for s in every
    }
    found = best_group_sizes(utility, PrivacyLevel.from_epsilon(epsilon))
    assert values[found] == pytest.approx(max(values.values()), rel=1e-12)


@pytest.mark.filterwarnings("error")
def test_best_sizes_at_the_largest_level():
    # (t - 1) times the distances overflows; almost all weight is on the first two groups, best with one place each
    points = 20_000.0 * np.arange(6)
    assert best_group_sizes(-np.abs(np.subtract.outer(points, points)), PrivacyLevel.from_epsilon(700.0)) == (1, 1, 4)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_nothing_private_is_nearer_than_the_certified_optimum(epsilon):
    regions, left_out = comparable_regions(world_places())
    found = [expected_distances(name, regions[name], epsilon) for name in ("Australia", "Europe", "Indian")]
    assert left_out == ["Arctic"]
    for entry in [*found, averages(found, "average")]:
        assert all(entry.optimum <= distance * (1 + 1e-12) for distance in entry.by_mechanism.values())
        by = entry.by_mechanism
        assert by["bipartite_rr_star"] <= by["bipartite_rr"] + 1e-6
        assert by["bipartite_rr"] <= by["randomized_response"] + 1e-6
    # weighted by the number of places: 11, 58, 11 or so
    sizes = [entry.size for entry in found]
    assert averages(found, "average").optimum == pytest.approx(np.average([e.optimum for e in found], weights=sizes))


def test_two_places_by_hand():
    # a quarter of the circle apart: randomized response releases the wrong one with probability 1 / (t + 1), and for
    # two places every other mechanism but the exponential one is the same; no private channel is better
    places = Places(("a", "b"), ((0, 0), (0, 90)))
    entry = expected_distances("both", places, PrivacyLevel.from_ratio(3))
    wrong = np.pi / 2 * 6371.0088 / 4
    assert entry.optimum == pytest.approx(wrong)
    assert {m for m, d in entry.by_mechanism.items() if d == pytest.approx(wrong)} == set(entry.by_mechanism) - {"exponential"}  # fmt: skip
    assert entry.loss_percent("bipartite_rr") == 0
    assert entry.loss_percent("exponential") > 10


def test_counts_change_the_answer():
    # with nearly all users at one place, the optimum releases it almost always and the expected distance is small
    even = Places(("a", "b", "c"), ((0, 0), (0, 10), (0, 30)))
    at_a = Places(even.names, even.coordinates, (98, 1, 1))
    assert expected_distances("", at_a, 1.0).optimum < expected_distances("", even, 1.0).optimum / 5


def test_the_command_prints_kilometres_and_draws_a_map(tmp_path):
    picture = tmp_path / "map.png"
    run = lpmech(
        "reproduce", "places", "--epsilon", 1, "--region", "Australia", "--region", "Pacific", "--output", picture
    )
    assert run.returncode == 0, run.stderr
    assert all(word in run.stdout for word in ("Australia", "average", "staircase_rr", "not the data of zhang2025"))
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_the_command_on_a_file(tmp_path):
    path = written(tmp_path, COUNTED + "a,0,0,3\nb,0,1,2\nc,0,3,1\n")
    run = lpmech("reproduce", "places", path, "--epsilon", 1, "--place", "b", "--output", tmp_path / "map.png")
    assert run.returncode == 0, run.stderr
    assert "Gowalla" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--region", "Atlantis"], "Atlantis"),
        (["--place", "Europe/Paris"], "--output"),
        (["--region", "Asia", "--place", "Europe/Paris", "--output", "{}/map.png"], "Europe/Paris"),
        (["{}/absent.csv"], "absent.csv"),
        (["--epsilon", "0"], "epsilon"),
        (["--depth", "-1"], "depth"),
        (["--output", "{}/absent/map.png"], "map.png"),
    ],
)
def test_bad_arguments_are_one_line(tmp_path, arguments, message):
    run = lpmech("reproduce", "places", *(a.format(tmp_path) for a in arguments))
    assert run.returncode == 2
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1
