"""What the site says was decided of a claim is what its check decides: the record beside the pages is not stale."""

import importlib
import json
import random
import re
import sys
from pathlib import Path

import pytest

from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.running import run_claim
from lpmech.verdicts import Verdict

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def kept():
    """The module that keeps the record."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module("decided")
    finally:
        sys.path.remove(str(DOCS))


def test_every_claim_has_its_line_and_none_is_stale(kept):
    """Catches a claim whose words, hypotheses, verdict or check were changed after it ran."""
    assert kept.stale() == [], "run `make decided`"
    assert set(kept.record()) == {f"{key}: {id}" for key in PAPER_KEYS for id in load_paper(key).claims}


def test_what_is_decided_fits_the_verdict_on_record(kept):
    for key in PAPER_KEYS:
        for claim in load_paper(key).claims.values():
            told, parts = kept.decided_of(claim)
            assert told["method"], claim.id
            if claim.recorded is Verdict.REFUTED:
                assert told["counterexample"], claim.id
            if claim.recorded is Verdict.PROVED:
                assert all(part.verdict is Verdict.PROVED for part in parts), claim.id


def test_what_was_decided_is_named_in_words_or_in_mathematics(kept):
    """Catches a name such as `t e^(-high^2/2)`, of which only parts are read as formulas."""
    names = {name: part["name"] for name, told in kept.record().items() for part in told["decided"]}
    assert names
    assert [name for name, text in names.items() if "^" in re.sub(r"\$[^$]*\$", "", text)] == []


def test_a_sample_is_what_running_it_gives(kept):
    """Twelve claims drawn by a hash of the record, so that another twelve are run when it changes."""
    text = kept.KEPT.read_text("utf-8")
    drawn = random.Random(text).sample([(key, id) for key in PAPER_KEYS for id in load_paper(key).claims], 12)
    again = json.loads(json.dumps(kept.rows(run_claim(*pair) for pair in drawn)))
    assert again == {name: kept.record()[name] for name in again}


def test_a_claim_that_was_changed_is_stale_and_not_shown(kept, monkeypatch):
    claim = load_paper("liu2026").claims["Lemma 3.1 (beta)"]
    assert kept.decided_of(claim)[1]
    monkeypatch.setattr(kept, "digest", lambda _: "another")
    assert kept.decided_of(claim) == ({}, ())
    assert (claim.paper, claim.id) in kept.stale()
