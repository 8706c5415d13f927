"""The map of all priors in a browser: as t moves, the drawn regions have the exact shares."""

import math
import re

import pytest
from playwright.sync_api import expect

from lpmech.designs.prior_maps import prior_map_in_t
from lpmech.pages.prior_maps import prior_map_page


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("pages") / "priors.html"
    file.write_text(prior_map_page(prior_map_in_t(3, "squared")), encoding="utf-8")
    return file.as_uri()


def areas(page):
    """The areas of the polygons in percent of the triangle."""
    found = []
    for text in page.locator("#triangle polygon").evaluate_all("made => made.map((p) => p.getAttribute('points'))"):
        points = [tuple(map(float, point.split(","))) for point in text.split()]
        sides = zip(points, points[1:] + points[:1], strict=True)
        found.append(abs(sum(a * d - b * c for (a, b), (c, d) in sides)) / 2)
    return [100 * area / (520 * 260 * math.sqrt(3) / 2) for area in found]


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 1.5, 3.0])
def test_regions_are_drawn_with_their_shares(page, address, epsilon):
    """Shares are exact functions of t, areas those of the polygons that are drawn."""
    page.goto(address)
    page.get_by_label("Privacy level").fill(str(epsilon))
    shares = [float(text) for text in page.locator("#regions tbody:not([hidden]) td:last-child").all_inner_texts()]
    assert sum(shares) == pytest.approx(100, abs=0.1)
    assert areas(page) == pytest.approx(shares, abs=0.02)


def test_the_break_point_is_at_three(page, address):
    """Randomised response has no region up to t = 3."""
    page.goto(address)
    page.get_by_label("Privacy level").press("Home")
    rows = page.locator("#regions tbody:not([hidden]) th[scope=row]")
    assert not any("randomized_response" in text for text in rows.all_inner_texts())
    page.get_by_role("button", name="next break point").press("Enter")
    expect(page.locator("#level")).to_have_text(re.compile(r"ε = 1\.10"))  # log 3 = 1.0986
    assert any("randomized_response" in text for text in rows.all_inner_texts())
    page.get_by_role("button", name="previous break point").press("Enter")
    expect(page.locator("#level")).to_have_text(re.compile(r"ε = 1\.09"))
