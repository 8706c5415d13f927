"""The pages for label counts in a browser: the sliders move what they say, and the design stands alone."""

import math
import re
from fractions import Fraction

import pytest
from playwright.sync_api import expect

from lpmech import design
from lpmech.cli import main
from lpmech.designs.exploring import GRID, explored
from lpmech.labels.counts import as_label_counts
from lpmech.pages.explore import explore_page, utility_shown

COUNTS = as_label_counts({"1": 5, "2": 3, "3": 1, "4": 1})


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("pages") / "explore.html"
    utilities = [utility_shown(each) for each in explored(COUNTS, ["hit", "absolute"])]
    file.write_text(explore_page(COUNTS, "counts.csv", utilities), encoding="utf-8")
    return file.as_uri()


def optimum(page):
    return float(re.search(r"optimum (-?[\d.]+)", page.locator("#summary").inner_text())[1])


@pytest.mark.parametrize("utility", ["hit", "absolute"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 8.0])
def test_the_sliders_show_the_certified_optimum(page, address, utility, epsilon):
    page.goto(address)
    page.get_by_label("Utility").select_option(utility)
    page.get_by_label("Privacy level").fill(str(GRID.index(epsilon)))
    best = design(COUNTS, epsilon, utility)
    assert optimum(page) == pytest.approx(float(best.interval[0]), abs=6e-5)
    cells = page.locator("#channel tbody td").all_inner_texts()
    released = len(cells) // 4
    assert page.locator("#channel thead th").count() == released
    assert f"{released} of 4 labels are released" in page.locator("#summary").inner_text()
    shown = [[float(text or 0) for text in cells[released * y : released * (y + 1)]] for y in range(4)]
    assert all(map(any, zip(*shown, strict=True)))  # a label that is never released has no column
    assert all(sum(row) == pytest.approx(1, abs=3e-3) for row in shown)
    for column in zip(*shown, strict=True):
        assert max(column) <= math.exp(epsilon) * (min(column) + 5e-4) + 5e-4
    losses = dict(
        zip(
            page.locator("#mechanisms tbody th").all_inner_texts(),
            page.locator("#mechanisms tbody td:nth-child(4)").all_inner_texts(),
            strict=True,
        )
    )
    for entry in best.comparisons:
        assert float(losses[entry.mechanism].replace("∞", "inf")) == pytest.approx(entry.loss_percent, abs=6e-3)


def test_break_points_by_keyboard_and_a_link_that_keeps_the_place(page, address):
    page.goto(f"{address}#utility=absolute&epsilon=0.05")
    count = page.locator("#pieces tbody tr").count()
    for place in range(1, count + 1):
        expect(page.locator(f"#pieces tbody tr:nth-child({place})")).to_have_attribute("aria-current", "true")
        page.get_by_role("button", name="next break point").press("Enter")
    page.get_by_label("Privacy level").press("Home")
    page.get_by_label("Privacy level").press("ArrowRight")
    assert page.url.endswith("#utility=absolute&epsilon=0.10")
    page.reload()
    expect(page.get_by_label("Utility")).to_have_value("absolute")
    expect(page.locator("#level")).to_have_text(re.compile(r"ε = 0\.10"))


def test_a_mechanism_leaves_the_picture_and_comes_back(page, address):
    page.goto(address)
    before = page.locator("#chart polyline").count()
    page.get_by_role("checkbox", name="block_rr").uncheck()
    expect(page.locator("#chart polyline")).to_have_count(before - 1)
    page.get_by_role("checkbox", name="block_rr").check()
    expect(page.locator("#chart polyline")).to_have_count(before)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_in_the_channel_can_be_read(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    for cell in page.locator("#channel tbody td").all():
        ink, ground = (luminance(page, cell, which) for which in ("color", "backgroundColor"))
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5


def luminance(page, cell, which):
    """Relative luminance of a colour as it is drawn over the page."""
    channels = cell.evaluate(
        """(cell, which) => {
            const canvas = document.createElement("canvas").getContext("2d");
            for (const colour of [getComputedStyle(document.body).backgroundColor, getComputedStyle(cell)[which]]) {
                canvas.fillStyle = colour;
                canvas.fillRect(0, 0, 1, 1);
            }
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }""",
        which,
    )
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("width", [390, 1400])
def test_many_labels_with_long_names_scroll_in_one_direction(page, tmp_path, width):
    """Tables and the chart scroll by themselves; the page does not, and every column that is released is there."""
    counts = as_label_counts({f"a long name of label {y}": y * y for y in range(1, 13)})
    utilities = [utility_shown(each) for each in explored(counts, ["hit"])]
    file = tmp_path / "explore.html"
    file.write_text(explore_page(counts, "a file with a long name.csv", utilities), encoding="utf-8")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{file.as_uri()}#utility=hit&epsilon=1.00")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    released = int(re.search(r"(\d+) of 12 labels are released", page.locator("#summary").inner_text())[1])
    heads = page.locator("#channel thead th")
    assert 1 < released == heads.count() < 12
    heads.last.scroll_into_view_if_needed()
    expect(heads.last).to_be_in_viewport()


def test_the_page_of_a_design(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counts.csv").write_text("label,count\na,5\nb,3\nc,1\n")
    with pytest.raises(SystemExit, match="0"):
        main(["design", "counts.csv", "--epsilon", "1", "--counts-are", "public", "--output", "out"])
    page.goto((tmp_path / "out" / "design.html").as_uri())
    expect(page.get_by_role("heading", name="What to use")).to_be_visible()
    words = page.locator("details").first
    assert not words.evaluate("d => d.open")
    words.locator("summary").press("Enter")
    assert words.evaluate("d => d.open")
    upper = page.locator("dd").filter(has_text="No channel of this level").inner_text()
    best = design({"a": 5, "b": 3, "c": 1}, 1)
    assert Fraction(re.search(r"utility than ([\d.]+)", upper)[1]) >= best.interval[1]
    assert page.locator("img").evaluate_all("images => images.every((image) => image.naturalWidth > 0)")
