"""The site, opened from a disk: search finds what a reader types, and every page fits."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built as `make docs` builds it: a warning is an error."""
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=900)
    return place


@pytest.fixture
def page(browser):
    """Files of the site, and nothing from elsewhere."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    elsewhere = []
    context.on("request", lambda asked: elsewhere.append(asked.url) if asked.url.startswith("http") else None)
    yield context.new_page()
    context.close()
    assert elsewhere == []


@pytest.mark.parametrize(
    ("typed", "address", "anchor"),
    [
        ("(4.1)", "where.html", "liu2026-eq-4-1"),
        ("Lemma 3.1", "where.html", "liu2026-lemma-3-1"),
        ("Lemma 3.1 gamma", "papers/liu2026.html", "liu2026/lemma-3-1-gamma"),
        ("randomized_response", "reference/mechanisms/randomized_response.html", ""),
    ],
)
def test_search_finds_equations_claims_and_functions_without_a_server(page, site, typed, address, anchor):
    """Equations before the sections of papers that have the same number in theirs, "4.1.1"."""
    page.goto((site / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").press_sequentially(typed)
    found = page.locator(f'.md-search-result__link[href*="{address}{"#" + anchor if anchor else ""}"]')
    expect(found.first).to_be_attached()
    if address == "where.html":
        first = page.locator('.md-search-result__link[href*="#"]').first
        assert first.get_attribute("href").endswith(f"{address}#{anchor}")


def test_a_link_to_an_equation_leads_to_function_and_claim(page, site):
    page.goto((site / "where.html").as_uri() + "#liu2026-eq-3-1")
    heading = page.locator("#liu2026-eq-3-1")
    expect(heading).to_be_in_viewport()
    listed = heading.locator("xpath=following-sibling::ul[1]")
    listed.get_by_role("link", name="mechanisms.block_rr.closed_form.block_rr").click()
    assert "reference/mechanisms/block_rr.html#lpmech.mechanisms.block_rr.closed_form.block_rr" in page.url


@pytest.mark.parametrize(
    "name", ["bipartite_rr", "block_rr", "exponential", "randomized_response", "rr_on_bins", "rr_with_prior"]
)
def test_a_mechanism_shows_formula_matrix_picture_and_claims(page, site, name):
    page.goto((site / "reference" / "mechanisms" / f"{name}.html").as_uri())
    article = page.locator("article")
    assert article.locator(".displayed math").count() >= 1
    assert article.locator("table").first.locator("tbody tr").count() == 4
    assert article.locator("img").evaluate_all(
        "images => images.length && images.every(image => image.naturalWidth > 0)"
    )
    assert article.locator("#what-is-claimed-of-it ~ ul").first.get_by_role("link").count() >= 2


def test_figures_of_the_papers_are_drawn_and_their_numbers_lead_to_claims(page, site):
    page.goto((site / "figures.html").as_uri())
    pictures = page.locator("article img")
    assert pictures.count() == 11
    assert pictures.evaluate_all("images => images.every(image => image.naturalWidth > 0)")
    row = page.locator("tr").filter(has_text="0.4512").first
    assert row.locator("td").all_inner_texts()[1:4] == ["0.46", "0.4512", "-0.0088"]
    row.get_by_role("link").click()
    assert "papers/zheng2025.html#zheng2025/section-3-1-p-2" in page.url


#: The longest line of each block of code that is wider than its place.
CUT = """[...document.querySelectorAll("article pre > code")].filter(code => code.scrollWidth > code.clientWidth)
    .map(code => code.innerText.split("\\n").sort((a, b) => b.length - a.length)[0])"""


def test_every_page_scrolls_in_one_direction(page, site):
    """On a phone and on a screen, on which every block of code has room too."""
    wide = []
    for file in sorted(set(site.rglob("*.html")) - {site / "404.html"}):
        page.goto(file.as_uri())
        for width in (390, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if over > 0:
                wide.append((file.relative_to(site).as_posix(), width, over))
        wide += [(file.name, line) for line in page.evaluate(CUT)]
    assert wide == []
