"""Quotations are to the letter: what stands between quotation marks is in the paper, or names a claim, or is known as ours.

The papers' texts are no part of this project. Where they are at hand, a file ``KEY_*.txt`` each in the directory that
LPMECH_PAPERS names, every quotation is looked for; elsewhere there is nothing to compare.
"""

import os
import re
from functools import cache
from pathlib import Path

import pytest

from lpmech.mathematics.reader import parts_of
from lpmech.mathematics.tree import Prose
from lpmech.papers import PAPER_KEYS, load_paper

#: Between quotation marks, and no quotation: words of ours that name a reading, and what another text says.
OURS = {
    "No smaller scale", "agrees", "may violate", "violates whenever ∎ differs", "not much larger",
    "at least as good at every ∎, and better at some sizes", "C.3 (PAC implies ∎)", "for sufficiently small ∎",
    "the DP guarantee implies (2)", "(4) tight on ∎, (5) tight outside", "(4) tight on ∎, (5) outside",
    "Implementation (google-research/label-dp, ∎)",
    # the abstract of Kairouz et al. 2016, which says so
    "the order-optimality of k-RR and the existing RAPPOR mechanism at different privacy regimes",
}  # fmt: skip


def texts_at_hand():
    """Key -> the text of the paper."""
    place = os.environ.get("LPMECH_PAPERS")
    files = sorted(Path(place).glob("*_*.txt")) if place else []
    return {file.name.partition("_")[0]: file.read_text("utf-8") for file in files}


def quotations(text):
    """What stands between quotation marks, formulas as ∎."""
    line = "".join(part.text if isinstance(part, Prose) else "∎" for part in parts_of(text))
    return re.findall(r"(?<![\w∎])'(.+?)'(?!\w)", line)


def words(text):
    """Words alone: line breaks, hyphens and punctuation are the typesetter's."""
    joined = re.sub(r"-\s*\n\s*|-", "", text.replace("’", "'"))
    return " ".join(re.findall(r"\w+", joined.lower()))


@cache
def ids():
    return "\n".join(id for key in PAPER_KEYS for id in load_paper(key).claims)


def quoted(key):
    """(id, quotation) of every text of a paper's claims that is no name of a claim."""
    for claim in load_paper(key).claims.values():
        for text in (claim.statement, claim.hypotheses, claim.note, claim.in_words, *claim.readings):
            yield from ((claim.id, found) for found in quotations(text) if found not in ids() and found not in OURS)


def missing(quotation, text):
    """The pieces of a quotation, between formulas and omissions, that are not in a text one after the other."""
    at, lost = 0, []
    for piece in filter(None, map(words, re.split(r"∎|\.\.\.", quotation))):
        found = text.find(piece, at)
        if found < 0:
            lost.append(piece)
        at = max(at, found)
    return lost


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_quotations_are_in_the_paper(key):
    texts = texts_at_hand()
    if key not in texts:
        return
    shapes = [
        words(texts[key]),
        words(re.sub(r"\$[^$]*\$|\(\d[\d.]*\)", " ", texts[key])),
    ]  # with formulas, without them
    lost = {}
    for id, quotation in quoted(key):
        bare = re.sub(r"\(\d[\d.]*\)", "∎", quotation)  # the texts have lost some numbers of equations
        if all(missing(given, text) for text in shapes for given in (quotation, bare)):
            lost[id] = quotation
    assert lost == {}


def test_what_is_lost_is_noticed():
    text = words("The rate is mono-\ntonically decreasing in $l$; hence so is $\\beta$.")
    assert missing("is monotonically decreasing ... so is ∎", text) == []
    assert missing("so is ∎ ... decreasing", text) == ["decreasing"]
    assert missing("is decreasing", text) == ["is decreasing"]
    assert quotations("the rows' sums, 'a $x$ b' and BRR's 'c'") == ["a ∎ b", "c"]
