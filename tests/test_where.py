"""Where an equation is: paper, numbered item -> function -> claim; no item without a claim or a reason."""

import importlib.util
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from lpmech.mechanisms.gaussian import classical_scale
from lpmech.prove.steps import value
from lpmech.terms.functions import symbol
from lpmech.terms.term import names_in

ROOT = Path(__file__).parent.parent
_spec = importlib.util.spec_from_file_location("where", ROOT / "docs" / "where.py")
where = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(where)


_SIX = ("bipartite_rr", "block_rr", "exponential", "randomized_response", "rr_on_bins", "rr_with_prior")


@pytest.fixture(scope="module")
def pages():
    """The module that makes the pages of mechanisms."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return importlib.import_module("mechanism_pages")
    finally:
        sys.path.remove(str(ROOT / "docs"))


def test_the_formulas_on_the_page_of_a_mechanism_are_those_of_its_channel(pages):
    """Catches a formula that the example contradicts: its value at the example's letters has to be an entry, or a part of one."""
    parts = {
        "alibi": 0,
        "rr_with_prior": 1,
        "staircase_rr": 0,
        "subset_selection": 0,
        "unary_encoding": 0,
    }  # not entries themselves
    letters = {symbol(name): number for name, number in pages.EXAMPLE.items()}
    compared = 0
    for module, formulas in pages.FORMULAS.items():
        entries = {
            entry for _, channel in pages.channels().get(module, ()) for entry in channel.matrix.ravel().tolist()
        }
        for formula in formulas[: parts.get(module, len(formulas))]:
            if names_in(formula.term) <= set(pages.EXAMPLE) and entries:
                assert Fraction(str(value(formula.term, letters))) in entries, (module, formula.of)
                compared += 1
    assert compared == 11


def number(term, letters):
    """The value of a term in floats, by sympy."""
    return float(sp.sympify(str(term).replace("lambda", "lam"), {name: sp.Rational(v) for name, v in letters.items()}))


def test_the_densities_on_the_page_of_a_mechanism_are_those_that_its_picture_shows(pages):
    """At x = 1/2 and y = 11/20, which is near x, and far from it; of RPWithPrior also another true value."""
    near, far = 0.55, {"rp_with_prior": 0.84, "piecewise": 0.999, "square_wave": 0.999}
    for module, (mechanism, _, _) in pages.DENSITIES.items():
        terms = [formula.term for formula in pages.FORMULAS[module]]
        if module != "laplace":  # which is cut at the ends
            assert number(terms[0], pages.AT) == pytest.approx(float(mechanism.pdf(near, 0.5)))
        if module in far:
            assert number(terms[1], pages.AT) == pytest.approx(float(mechanism.pdf(far[module], 0.5)))
    assert number(pages.FORMULAS["rp_with_prior"][2].term, pages.AT) == pytest.approx(
        float(pages.DENSITIES["rp_with_prior"][0].pdf(0.2, 0.8))
    )
    assert number(pages.FORMULAS["gaussian"][1].term, pages.AT) == pytest.approx(classical_scale(2.0, 0.1))


def test_the_grid_of_alibi_has_the_formulas_of_its_page(pages):
    steps, rate = 4, 2.0 / (2 * 4)
    letters = {"a": Fraction(math.exp(-rate)), "S": steps, "j": 2}
    ((_, channel),) = pages.channels()["alibi"]
    wanted = [0, 2, 4]  # released as 0, as two steps, as 1
    for formula, place in zip(pages.FORMULAS["alibi"][1:], wanted, strict=True):
        assert number(formula.term, letters) == pytest.approx(float(channel.matrix[0][place]))


def test_a_page_has_formula_matrix_picture_and_claims_where_the_mechanism_has_a_channel(pages):
    """Catches a page that begins with the signature of a function."""
    assert set(pages.channels()) <= set(pages.FORMULAS)
    for module in ("alibi", *_SIX):
        text = pages.mechanism_page(module)
        wanted = ("$$", "## On four labels", f"![{module}](", "## What is claimed of it", "::: lpmech.mechanisms.")
        places = [text.find(each) for each in wanted]
        assert -1 not in places
        assert places == sorted(places)


@pytest.mark.parametrize("module", ["gaussian", "rp_with_prior"])
def test_a_page_of_a_density_has_formula_picture_and_claims(pages, module):
    text = pages.mechanism_page(module)
    places = [text.find(each) for each in ("$$", f"![{module}](", "## What is claimed of it", "::: lpmech.mechanisms.")]
    assert -1 not in places
    assert places == sorted(places)


def test_an_item_has_an_anchor_and_links_to_functions_and_claims():
    page = where.page({"lpmech.mechanisms.block_rr.closed_form"})
    _, _, part = page.partition("#### liu2026, eq. (3.1) { #liu2026-eq-3-1 }")
    part = part.partition("####")[0]
    function = "mechanisms.block_rr.closed_form.block_rr"
    assert f"- [`{function}`][lpmech.{function}]" in part
    assert "papers/liu2026.md#liu2026/eq-3-1)" in part
    headings = re.findall(r"\{ #([\w-]+) \}", page)
    assert len(headings) == len(set(headings)) == sum(len(where.items(paper)) for paper in where.PAPERS)


def test_numbered_items_are_of_papers_that_are_listed():
    assert set(where._NUMBERED) <= set(where.PAPERS)


@pytest.mark.parametrize("paper", where.PAPERS)
def test_every_item_has_a_claim_or_a_reason(paper):
    claims = where.claims_by_item(paper)
    assert [item for item in where.items(paper) if item not in claims and not where.reason(paper, item)] == []


@pytest.mark.parametrize("paper", where.PAPERS)
def test_no_reason_is_left_over(paper):
    claims, entry = where.claims_by_item(paper), where.PAPERS[paper]
    known = set(where.items(paper))
    assert set(entry.get("reasons", {})) <= known - set(claims)
    assert set(entry.get("see", {})) <= known


def test_docstrings_name_items_that_exist():
    known = {(paper, item) for paper in where.PAPERS for item in where.items(paper)}
    assert set(where.functions_by_item()) <= known


def test_every_formula_of_the_three_mechanisms_names_its_equation():
    rooms = tuple(f"mechanisms/{name}/" for name in ("rr_with_prior", "block_rr", "bipartite_rr"))
    found = [(name, text) for name, text in where.functions() if name.startswith(rooms)]
    assert len(found) > 60
    assert [name for name, text in found if not where.references_by_paper(text)] == []


def test_a_numbered_item_of_a_mechanism_names_its_paper():
    elsewhere = re.compile(r"\b(19|20)\d\d\b")  # another paper, by its year
    texts = [*where.functions(), *where.methods()]
    found = [(name, text) for name, text in texts if name.startswith("mechanisms/") and where._NAMED.search(text)]
    assert len(found) > 50
    assert [name for name, text in found if not where.references_by_paper(text) and not elsewhere.search(text)] == []


def test_methods_stand_in_the_table():
    assert "mechanisms/set_valued.py SetValued.decode" in where.functions_by_item()["zhao2025", "eq. (15)"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Source: liu2026, eq. (4.1) with eq. (3.3). See (4.9).", [("liu2026", "eq. (4.1)"), ("liu2026", "eq. (3.3)")]),
        ("ghazi2021 Alg. 1 and 2, liu2026 Def. 2.4.", [("ghazi2021", "Alg. 1"), ("ghazi2021", "Alg. 2"), ("liu2026", "Def. 2.4")]),
        ("Alg. 2 lines 5 and 7 of what?", []),
        ("zhang2025 eq. (8)-(10), Alg. 2 line 13, 5 items", [("zhang2025", i) for i in ("Alg. 2", "eq. (8)", "eq. (9)", "eq. (10)")]),
        ("by liu2026\n\neq. (3.1)", []),
    ],
)  # fmt: skip
def test_references_are_read_from_the_sentence_that_names_the_paper(text, found):
    assert where.references_by_paper(text) == found
