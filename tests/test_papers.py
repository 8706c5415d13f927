"""Every claim of every paper: the verdict is the recorded one, the check can fail, refutations are repaired."""

import pytest
from claims_checks import assert_a_wrong_formula_is_rejected, assert_holds_as_recorded

from lpmech.papers import PAPER_KEYS, load_paper

CLAIMS = [pytest.param(key, id, id=f"{key}: {id}") for key in PAPER_KEYS for id in load_paper(key).claims]


@pytest.mark.parametrize(("key", "id"), CLAIMS)
def test_claim(key, id):
    paper = load_paper(key)
    claim = paper.claims[id]
    assert_holds_as_recorded(paper, claim)
    assert_a_wrong_formula_is_rejected(claim)


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_items_left_out_say_why(key):
    assert all(len(why) > 20 for why in load_paper(key).not_checkable.values())


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_what_is_not_simply_true_says_what_depends_on_it(key):
    claims = load_paper(key).claims.values()
    assert [c.id for c in claims if c.recorded in ("refuted", "unclear") and c.consequence is None] == []
    headlines = sorted(c.headline for c in claims if c.headline is not None)
    assert headlines == list(range(1, len(headlines) + 1))
    assert len(headlines) <= 10
