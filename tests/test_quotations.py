"""Quotations are to the letter: what stands between quotation marks is in the paper, or names a claim, or is known as ours.

The papers' texts are no part of this project. Where they are at hand, a file ``KEY_*.txt`` each in the directory that
LPMECH_PAPERS names, every quotation is looked for; ``LPMECH_PAPERS=DIRECTORY python tests/test_quotations.py`` keeps the
hashes of those that were found in ``quotations.json``. Elsewhere every quotation has to be one of these, to the letter.
"""

import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

from lpmech.mathematics.quotations import quotations_of
from lpmech.papers import PAPER_KEYS, load_paper

KEPT = Path(__file__).with_name("quotations.json")

#: Between quotation marks, and no quotation: words of ours that name a reading, and what another text says.
OURS = {
    "No smaller scale", "agrees", "may violate", "violates whenever ∎ differs", "not much larger",
    "at least as good at every ∎, and better at some sizes", "C.3 (PAC implies ∎)", "for sufficiently small ∎",
    "Implementation (google-research/label-dp, ∎)",
    # the abstract of Kairouz et al. 2016, which says so
    "the order-optimality of k-RR and the existing RAPPOR mechanism at different privacy regimes",
}  # fmt: skip


def texts_at_hand():
    """Key -> the text of the paper."""
    place = os.environ.get("LPMECH_PAPERS")
    files = sorted(Path(place).glob("*_*.txt")) if place else []
    return {file.name.partition("_")[0]: file.read_text("utf-8") for file in files}


def words(text):
    """Words alone: line breaks, hyphens and punctuation are the typesetter's."""
    joined = re.sub(r"-\s*\n\s*|-", "", text.replace("’", "'"))
    return " ".join(re.findall(r"\w+", joined.lower()))


@cache
def names():
    """How a text names a claim: its id, or the beginning of it."""
    ids = [id for key in PAPER_KEYS for id in load_paper(key).claims]
    return {id[:end] for id in ids for end in range(4, len(id) + 1)}


def quoted(key):
    """(id, quotation) of every text of a paper's claims that is no name of a claim."""
    for claim in load_paper(key).claims.values():
        shapes = {found: re.sub(r"\$[^$]*\$|`[^`]*`", "∎", found) for found in claim.quotations}
        yield from ((claim.id, found) for found, shape in shapes.items() if found not in names() and shape not in OURS)


def missing(quotation, text):
    """The pieces of a quotation, between formulas and omissions, that are not in a text one after the other."""
    at, lost = 0, []
    for piece in filter(None, map(words, re.split(r"\$[^$]*\$|`[^`]*`|∎|\.\.\.", quotation))):
        found = text.find(piece, at)
        if found < 0:
            lost.append(piece)
        at = max(at, found)
    return lost


def lost(key, text):
    """The quotations of a paper's claims that are not in its text, by id."""
    shapes = [words(text), words(re.sub(r"\$[^$]*\$|\(\d[\d.]*\)", " ", text))]  # with formulas, without them
    found = {}
    for id, quotation in quoted(key):
        bare = re.sub(r"\(\d[\d.]*\)", "∎", quotation)  # the texts have lost some numbers of equations
        if all(missing(given, shape) for shape in shapes for given in (quotation, bare)):
            found[id] = quotation
    return found


def hashed(quotation):
    """Of the quotation as it is set, formulas included."""
    return hashlib.sha256(" ".join(quotation.split()).encode()).hexdigest()[:12]


def kept():
    return json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_quotations_are_in_the_paper(key):
    """Without the papers' texts: no word of a quotation, and no sign of a formula in it, is other than when it was found there."""
    if key in (texts := texts_at_hand()):
        assert lost(key, texts[key]) == {}
    astray = {id: quotation for id, quotation in quoted(key) if hashed(quotation) not in kept()[key].get(id, ())}
    assert astray == {}, "compare with the paper: LPMECH_PAPERS=DIRECTORY python tests/test_quotations.py"


def test_the_record_has_no_quotation_that_is_gone():
    now = {key: {(id, hashed(quotation)) for id, quotation in quoted(key)} for key in PAPER_KEYS}
    known = {key: {(id, each) for id, found in kept()[key].items() for each in found} for key in PAPER_KEYS}
    assert [gone for key in PAPER_KEYS for gone in known[key] - now[key]] == []
    assert sum(map(len, known.values())) > 200


def test_what_is_lost_is_noticed():
    text = words("The rate is mono-\ntonically decreasing in $l$; hence so is $\\beta$.")
    assert missing("is monotonically decreasing ... so is ∎", text) == []
    assert missing("so is ∎ ... decreasing", text) == ["decreasing"]
    assert missing("is decreasing", text) == ["is decreasing"]
    assert missing("is $l'$ monotonically", text) == []


def test_an_apostrophe_is_no_mark_of_a_quotation():
    assert quotations_of("the rows' sums, 'a $x'$ b' and BRR's 'c'") == ("a $x'$ b", "c")


def test_quotations_are_data_of_a_claim():
    claim = load_paper("ghazi2021").claims["Section 5.1 (20% across all epsilon)"]
    assert claim.quotations
    assert all(f"'{found}'" in f"{claim.statement} {claim.hypotheses} {claim.note}" for found in claim.quotations)


def keep():
    """Write the record; what the texts at hand do not have is printed and not kept, of other papers what stands there is."""
    texts, record = texts_at_hand(), {}
    for key in PAPER_KEYS:
        gone = lost(key, texts[key]) if key in texts else {}
        record[key] = {}
        for id, quotation in quoted(key):
            if gone.get(id) == quotation:
                print(f"not in the paper: {key}, {id}: {quotation}")
            else:
                record[key].setdefault(id, []).append(hashed(quotation))
    KEPT.write_text(json.dumps(record, indent=0, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    keep()
