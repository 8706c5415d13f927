"""The page that `lpmech design --output` writes says what release.json and the certificate say, and stands alone."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import lpmech


@pytest.fixture
def counted(tmp_path: Path) -> Path:
    (tmp_path / "counts.csv").write_text("label,count\n<b>,60\nb&c,30\nd,9\ne,1\n")
    return tmp_path


def page_of(place: Path, *arguments: str) -> str:
    result = lpmech("design", "counts.csv", "--epsilon", "1", *arguments, "--output", "out", cwd=place)
    assert result.returncode == 0, result.stderr
    return (place / "out" / "design.html").read_text(encoding="utf-8")


def test_the_page_shows_the_released_channel_and_the_certified_interval(counted: Path) -> None:
    page = page_of(counted, "--counts-are", "public")
    release = json.loads((counted / "out" / "release.json").read_text())
    assert '<th scope="col">&lt;b&gt;</th>' in page
    assert "<b>" not in re.sub(r"<b>[\w ]*</b>", "", page)  # a label is text, never markup
    table = ElementTree.fromstring(re.search(r'<table id="channel">.*?</table>', page, re.DOTALL)[0])
    shown = [["".join(cell.itertext()) for cell in row.iter("td")] for row in table.find("tbody").iter("tr")]
    stated = [[f"{float(Fraction(e)):.4g}" if Fraction(e) else "" for e in row] for row in release["channel"]]
    assert shown == stated
    lower, upper = (float(Fraction(release["certificate"][end])) for end in ("lower", "upper"))
    claimed = re.search(r"larger expected utility than ([\d.]+), and the optimum is\s+at least ([\d.]+):", page)
    assert float(claimed[1]) == pytest.approx(upper, abs=1e-9)
    assert float(claimed[1]) >= upper
    assert float(claimed[2]) <= lower
    assert "from public counts" in page
    assert "<li><b>rr_with_prior</b>" in page  # the hit rate's optimum is RRWithPrior


def test_the_page_of_private_counts_says_what_they_cost(counted: Path) -> None:
    page = page_of(counted, "--counts-are", "private", "--spend", "0.2", "--order", "<b>,b&c,d,e", "--keep-labels")
    assert re.search(
        r"Each row pays 0\.2 for the noisy counts and 0\.8 for its release,\s+1 in all \(sequential\)", page
    )
    assert "private counts with noise" in page
    assert "that keeps the floor" in page
    assert "As good for these labels" not in page  # what has the larger utility breaks the floor
    assert "ε = 0.8: whoever thinks" in page


def test_the_page_asks_nothing_of_a_network(counted: Path) -> None:
    page = page_of(counted, "--counts-are", "public")
    assert not re.search(r"""(src|href)=["'](?!data:|#)|url\(|@import|https?://""", page)


def test_a_changed_page_is_noticed(counted: Path) -> None:
    page = page_of(counted, "--counts-are", "public")
    (counted / "out" / "design.html").write_text(page.replace("Certified", "Certain"), encoding="utf-8")
    result = lpmech("certify", "out", cwd=counted)
    assert result.returncode != 0
    assert "design.html" in result.stderr
