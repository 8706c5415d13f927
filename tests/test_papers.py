"""What stands in the claims of every paper; `lpmech verify --self-test` (`make self-test`) runs them."""

import pickle

import pytest

from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.verdicts import Verdict


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_items_left_out_say_why(key):
    assert all(len(why) > 20 for why in load_paper(key).not_checkable.values())


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_what_is_not_simply_true_says_what_depends_on_it(key):
    claims = load_paper(key).claims.values()
    assert [c.id for c in claims if c.recorded in ("refuted", "unclear") and c.consequence is None] == []
    headlines = sorted(c.headline for c in claims if c.headline is not None)
    assert headlines == list(range(1, len(headlines) + 1))
    assert [c.id for c in claims if c.consequence == "slip" and c.headline is not None] == []
    assert len(headlines) <= 10


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_what_is_refuted_is_repaired_and_its_check_does_not_refute_all(key):
    """By a repair that the same check lets pass, or by a control."""
    paper = load_paper(key)
    for claim in paper.claims.values():
        if claim.recorded is Verdict.REFUTED:
            repair = paper.repair_of(claim.id)
            assert repair.recorded in (Verdict.PROVED, Verdict.CERTIFIED), claim.id
            assert repair.check is claim.check or claim.control is not None, claim.id


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_a_claim_in_words_goes_from_one_process_to_another(key):
    """Without its formulas, which may be anything; catches one of them that is kept, and a text that is lost."""
    for claim in load_paper(key).claims.values():
        told = pickle.loads(pickle.dumps(claim.told()))
        assert (told.statement, told.recorded, list(told.mutants)) == (
            claim.statement,
            claim.recorded,
            [*claim.mutants],
        )


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_no_written_mutant_is_refuted_by_counting_its_parts(key):
    """Was: twelve, which no check had seen. What may have more members or fewer is a set."""
    for claim in load_paper(key).claims.values():
        tuples = [m for m in (claim.formula, claim.control, *claim.mutants.values()) if isinstance(m, tuple)]
        assert not isinstance(claim.formula, tuple) or len(set(map(len, tuples))) == 1, claim.id
