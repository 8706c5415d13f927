"""The report in a browser: it filters, links, unfolds and prints, by mouse and by keyboard, and asks nobody for anything."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from lpmech.pages.claims import claims_page
from lpmech.pages.provenance import provenance
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.running import ClaimResult
from lpmech.verdicts import Outcome


def as_recorded(paper, claim):
    """A result as it would be if the claim were run: every text is the claim's own."""
    repair = paper.repair_of(claim.id)
    readings = {text: Outcome(verdict, "exact arithmetic", "so") for text, verdict in claim.readings.items()}
    fails = "t = 2" if claim.recorded == "refuted" else None
    outcome = Outcome(claim.recorded, "exact arithmetic", claim.evidence, fails, readings)
    return ClaimResult(claim, outcome, str(claim.recorded), None if repair is None else repair.id)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Every claim of every paper in one page: its real texts, size and formulas."""
    ran = [
        (paper, [as_recorded(paper, claim) for claim in paper.claims.values()]) for paper in map(load_paper, PAPER_KEYS)
    ]
    file = tmp_path_factory.mktemp("pages") / "report.html"
    file.write_text(claims_page(ran, provenance()), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def number():
    return sum(len(load_paper(key).claims) for key in PAPER_KEYS)


def shown(page):
    """The claims that can be seen."""
    return page.evaluate("[...document.querySelectorAll('.claim')].filter(c => c.checkVisibility()).map(c => c.id)")


def recorded(*, verdict=None, consequence=None):
    """How many claims of our papers have these."""
    every = [claim for key in PAPER_KEYS for claim in load_paper(key).claims.values()]
    return sum(
        (verdict is None or c.recorded == verdict) and (consequence is None or c.consequence == consequence)
        for c in every
    )


def test_filters_leave_what_fits_and_the_count_says_so(page, address, number):
    page.goto(address)
    count = page.get_by_role("status")
    assert count.inner_text() == f"{number} claims"
    assert len(shown(page)) == number
    page.get_by_label("refuted").check()
    refuted = recorded(verdict="refuted")
    assert count.inner_text() == f"{refuted} of {number} claims"
    assert len(shown(page)) == refuted
    page.get_by_label("unclear").check()  # one more verdict: more claims
    assert len(shown(page)) == refuted + recorded(verdict="unclear")
    page.get_by_label("consequence", exact=True).select_option("privacy")  # something else: fewer
    assert len(shown(page)) == recorded(consequence="privacy")
    page.get_by_label("paper", exact=True).select_option("across")
    assert count.inner_text() == f"0 of {number} claims"
    assert page.locator(".paper:visible").count() == 0
    page.get_by_role("button", name="show all").click()
    expect(count).to_have_text(f"{number} claims")
    assert len(shown(page)) == number


def test_search_wants_every_word(page, address):
    page.goto(address)
    page.get_by_role("searchbox", name="search").fill("minority ROW")
    found = shown(page)
    assert "liu2026/alg-1-line-4" in found
    assert 0 < len(found) < 60
    page.get_by_role("searchbox", name="search").fill("minority row zzz")
    assert shown(page) == []


def test_search_finds_formulas_as_people_type_them(page, address):
    page.goto(address)
    page.get_by_role("searchbox", name="search").fill("eε")
    found = shown(page)
    assert len(found) > 20
    for typed in ("e^ε", "e^ϵ", "e^{ε}"):
        page.get_by_role("searchbox", name="search").fill(typed)
        assert shown(page) == found


def test_search_knows_letters_by_name_and_phrases_and_puts_the_number_that_is_asked_for_first(page, address):
    page.goto(address)
    in_order = shown(page)
    box = page.get_by_role("searchbox", name="search")
    box.fill("β")
    found = shown(page)
    for typed in ("beta", r"\beta"):
        box.fill(typed)
        assert shown(page) == found
    box.fill("theorem 3")
    assert shown(page)[0] == "ghazi2021/theorem-3"
    box.fill('"theorem 3"')
    phrase = shown(page)
    assert phrase[0] == "ghazi2021/theorem-3"
    box.fill("3 theorem")
    assert set(phrase) < set(shown(page))
    box.fill("")
    assert shown(page) == in_order


def test_filters_stand_in_the_address_and_come_back_from_it(page, address):
    page.goto(address)
    page.get_by_label("refuted").check()
    page.get_by_label("paper", exact=True).select_option("liu2026")
    page.get_by_role("searchbox").fill("row = 2")
    found, kept = shown(page), page.url
    assert found
    other = page.context.new_page()
    other.goto(kept)
    assert shown(other) == found
    assert other.get_by_role("searchbox").input_value() == "row = 2"
    other.get_by_role("link", name="refuted").first.click()  # of all papers
    assert len(shown(other)) == recorded(verdict="refuted")
    other.close()


def test_a_link_opens_its_claim_whatever_is_filtered(page, address):
    page.goto(f"{address}#liu2026/alg-1-line-4")
    claim = page.locator("[id='liu2026/alg-1-line-4']")
    assert claim.locator("details").evaluate("each => each.open")
    assert 0 <= claim.evaluate("each => each.getBoundingClientRect().top") < 300
    assert claim.get_by_text("what is right instead").is_visible()
    claim.get_by_role("link", name="Alg. 1 line 4 [repaired]").click()
    assert page.locator("[id='liu2026/alg-1-line-4-repaired'] details").evaluate("each => each.open")
    assert page.url.endswith("#liu2026/alg-1-line-4-repaired")
    page.goto(f"{address}#liu2026/alg-1-line-4?verdict=proved")  # the claim is not among them: it is shown all the same
    assert claim.is_visible()
    assert page.get_by_label("proved").is_checked() is False
    page.get_by_label("proved").check()
    page.get_by_role("link", name="zhao2025", exact=True).click()
    page.get_by_label("paper", exact=True).select_option("liu2026")
    page.get_by_role("link", name="zhao2025", exact=True).click()  # a paper that is filtered away comes back
    assert page.locator("#zhao2025").is_visible()
    page.goto(f"{address}#%E0%A4%A?q=%")  # mangled by whoever passed it on
    assert page.get_by_role("searchbox").input_value() == "%"


def test_a_claim_that_is_opened_has_its_link_in_the_address(page, address):
    page.goto(f"{address}#?paper=liu2026")
    page.locator("[id='liu2026/alg-1-line-4'] summary").click()
    assert page.url.endswith("#liu2026/alg-1-line-4?paper=liu2026")


def test_keyboard(page, address):
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name || document.activeElement.tagName"))
        if reached[-1] == "verdict":
            break
    assert [name for name in reached if name in ("q", "paper", "kind", "consequence", "verdict")] == [
        "q", "paper", "kind", "consequence", "verdict",
    ]  # fmt: skip
    page.keyboard.press("Space")
    assert page.get_by_label("proved", exact=True).is_checked()
    summary = page.locator(".claim:visible summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.evaluate("each => each.parentElement.open")
    assert summary.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"  # one sees where one is


def test_roles_names_and_headings(page, address):
    page.goto(address)
    unnamed = """[...document.querySelectorAll('input, select, button, a, summary')].filter(each =>
        !(each.labels?.length || each.getAttribute('aria-label') || each.textContent.trim())).length"""
    assert page.evaluate(unnamed) == 0
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(each => +each.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for role in ("main", "search", "contentinfo", "banner"):
        assert page.get_by_role(role).count() == 1
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate(
        "new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size == document.querySelectorAll('[id]').length"
    )


def test_formulas_are_mathematics_in_every_text(page, address):
    page.goto(address)
    assert page.locator("math").count() > 1000
    assert page.locator("math mfrac").first.evaluate("each => getComputedStyle(each).display") == "block math"
    text = page.evaluate("document.getElementById('content').textContent")
    assert "\\frac" not in text
    assert "\\epsilon" not in text
    assert "$" not in text
    assert "plain text:" not in page.locator("footer").inner_text()


#: Contrast that WCAG 2 asks for between a text of this size and what is behind it.
CONTRAST = 4.5

_CONTRASTS = """selector => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const luminance = colour => {
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const pairs = new Set([...document.querySelectorAll(selector)].map(each => {
        let behind = each;
        while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
        return `${getComputedStyle(each).color};${getComputedStyle(behind).backgroundColor}`;
    }));
    return [...pairs].map(pair => {
        const [lighter, darker] = pair.split(';').map(luminance).sort((a, b) => b - a);
        return (lighter + 0.05) / (darker + 0.05);
    });
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_the_button_and_can_be_read(page, address, theme):
    page.emulate_media(color_scheme=theme)
    page.goto(address)
    behind = "getComputedStyle(document.body).backgroundColor"
    colour = page.evaluate(behind)
    contrasts = page.evaluate(
        _CONTRASTS,
        "dt, dt.verdict, .overview a, .controls label, .label, footer p, button, .claim .verdict, .claim dl a",
    )
    assert len(contrasts) > 8  # the verdicts, on both grounds
    assert min(contrasts) >= CONTRAST
    button = page.get_by_role("button", name="Dark")
    assert button.get_attribute("aria-pressed") == str(theme == "dark").lower()
    button.click()
    assert page.evaluate(behind) != colour
    page.reload()  # remembered
    assert page.evaluate(behind) != colour
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(behind) == colour


def test_paper_has_everything_and_no_controls(page, address, number):
    page.goto(f"{address}#?verdict=refuted")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("details:not([open])")).to_have_count(0)
    assert len(shown(page)) == number
    assert page.locator(".claim dl:visible").count() == number
    assert page.locator(".controls").is_visible() is False
    assert page.get_by_role("button").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    expect(page.locator(".claim details[open]")).to_have_count(0)


def test_the_report_scrolls_in_one_direction(page, address):
    page.goto(address)
    page.get_by_role("button", name="open all").click()
    for width in (360, 390, 1400):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_without_script_everything_is_there_but_the_controls(browser, address, number):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}#liu2026/alg-1-line-4")
    assert page.locator(".claim summary:visible").count() == number
    assert page.locator(".controls:visible, button:visible").count() == 0
    context.close()
