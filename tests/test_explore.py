"""`lpmech explore`: what the page computes from is the exact optimum, and whose labels it shows was said."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from typing import Any

import pytest
from commands import lpmech

from lpmech import design
from lpmech.designs.exploring import GRID, MOST_LABELS, explorable, explored
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.labels.counts import as_label_counts
from lpmech.pages.explore import explore_page, utility_shown

COUNTS = as_label_counts({"1": 5, "2": 3, "3": 1, "4": 1})


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    text = explore_page(COUNTS, "counts.csv", [utility_shown(each) for each in explored(COUNTS, ["hit", "absolute"])])
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return dict(json.loads(data))


def value(quotient: list[list[float]], t: float) -> float:
    above, below = (math.fsum(c * t**power for power, c in enumerate(reversed(part))) for part in quotient)
    return above / below


@pytest.mark.parametrize("name", ["hit", "absolute"])
@pytest.mark.parametrize("epsilon", [0.05, 0.7, 1.0, 2.35, 8.0])
def test_the_page_has_the_certified_optimum_and_a_channel_that_attains_it(
    shown: dict[str, Any], name: str, epsilon: float
) -> None:
    (utility,) = [each for each in shown["utilities"] if each["name"] == name]
    t = math.exp(epsilon)
    piece = next(p for p in utility["pieces"] if p["upper"]["epsilon"] is None or epsilon <= p["upper"]["epsilon"])
    best = design(COUNTS, epsilon, name).interval[0]
    assert value(piece["value"]["quotient"], t) == pytest.approx(float(best), rel=1e-8)
    regime = next(r for r in utility["regimes"] if r["upper"] is None or epsilon <= r["upper"])
    entries = [value(entry, t) for entry in regime["entries"]]
    channel = [[entries[place] for place in row] for row in regime["places"]]
    for column in zip(*channel, strict=True):
        assert max(column) <= t * min(column) + 1e-12
    assert all(sum(row) == pytest.approx(1) for row in channel)
    gain = [[float(y == j) if name == "hit" else -abs(y - j) for j in range(4)] for y in range(4)]
    attained = sum(
        p * g * c
        for p, gains, row in zip(shown["prior"], gain, channel, strict=True)
        for g, c in zip(gains, row, strict=True)
    )
    assert attained == pytest.approx(float(best), rel=1e-8)


def test_no_published_mechanism_is_shown_to_beat_the_optimum(shown: dict[str, Any]) -> None:
    for utility in shown["utilities"]:
        assert {curve["mechanism"] for curve in utility["curves"]} >= {"always_one_label", "rr_with_prior", "block_rr"}
        for place, epsilon in enumerate(GRID):
            piece = next(
                p for p in utility["pieces"] if p["upper"]["epsilon"] is None or epsilon <= p["upper"]["epsilon"]
            )
            optimum = value(piece["value"]["quotient"], math.exp(epsilon))
            values = [curve["utility"][place] for curve in utility["curves"]]
            assert all(found <= optimum + 1e-9 for found in values if found is not None)


def test_the_optimum_with_a_floor_is_the_one_that_a_design_has(shown: dict[str, Any]) -> None:
    # every 0.4 of epsilon, and at no other level; never above the optimum, which the test above says
    for utility in shown["utilities"]:
        (curve,) = [each for each in utility["curves"] if each["mechanism"] == "optimal with a floor"]
        known = [epsilon for epsilon, value in zip(GRID, curve["utility"], strict=True) if value is not None]
        assert known == pytest.approx([0.4 * step for step in range(1, 21)])
        for epsilon in (0.4, 2.0, 8.0):
            kept = design(COUNTS, epsilon, utility["name"], hit_floor="halfway").interval[0]
            assert curve["utility"][GRID.index(epsilon)] == pytest.approx(float(kept), rel=1e-6, abs=1e-8)


def test_a_channel_is_written_once_whatever_proves_it(shown: dict[str, Any]) -> None:
    # of 25 labels 255 dual solutions prove 38 channels: the page would be six times as large
    for utility in shown["utilities"]:
        written = [(each["entries"], each["places"]) for each in utility["regimes"]]
        assert all(one != other for one, other in pairwise(written))
        ends = [each["upper"] for each in utility["regimes"]]
        assert ends[-1] is None
        assert ends[:-1] == sorted(ends[:-1])


def test_utilities_and_sizes_that_a_page_does_not_take() -> None:
    unordered = as_label_counts(["b", "a", "a"])
    assert {"hit", "balanced", "weights"} <= set(explorable(unordered))
    assert not {"absolute", "near", "information"} & set(explorable(unordered))
    with pytest.raises(UtilityError, match="order"):
        explorable(unordered, ["absolute"])
    with pytest.raises(UtilityError, match="information"):
        explorable(unordered, ["information"])
    with pytest.raises(InvalidInputError, match=f"at most {MOST_LABELS}"):
        explorable(as_label_counts(dict.fromkeys(map(str, range(MOST_LABELS + 1)), 1)))


def test_labels_are_data_not_markup() -> None:
    counts = as_label_counts({"</script><b>": 2, "a": 1})
    page = explore_page(counts, "<i>.csv", [utility_shown(each) for each in explored(counts, ["hit"])])
    assert "</script><b>" not in page
    assert "<i>.csv" not in page


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "--counts-are public"),
        (("--counts-are", "private"), "counts-are"),
        (("--counts-are", "public", "--utility", "absolute"), "--order"),
        (("--counts-are", "public", "--utility", "no_such.csv"), "no_such.csv"),
    ],
)
def test_a_page_that_cannot_be_made_leaves_no_file(arguments: tuple[str, ...], named: str, tmp_path: Any) -> None:
    (tmp_path / "counts.csv").write_text("label\nb\na\na\n")
    result = lpmech("explore", "counts.csv", "--output", "page.html", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert named in result.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_page_is_replaced_only_if_asked(tmp_path: Any) -> None:
    (tmp_path / "counts.csv").write_text("a,2\nb,1\n")
    (tmp_path / "page.html").write_text("mine")
    asked = ("explore", "counts.csv", "--counts-are", "public", "--utility", "hit", "--output", "page.html")
    assert lpmech(*asked, cwd=tmp_path).returncode == 2
    assert (tmp_path / "page.html").read_text() == "mine"
    assert lpmech(*asked, "--overwrite", cwd=tmp_path).returncode == 0
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
