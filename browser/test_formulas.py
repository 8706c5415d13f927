"""Formulas are set as they were when a person looked at all of them: every sign stands where it stood."""

import json

from formulas import KEPT, measured, texts

#: How far a sign may have moved along a line (a share of its place, for other letters are wider), up or down, and in size.
ALONG, WIDER, UP, SIZE = 0.6, 0.15, 0.3, 0.12


def test_forty_formulas_stand_as_they_stood(page, tmp_path):
    """Catches an exponent beside its base, an index of one letter too few, a fraction without line, a sign left out."""
    kept = json.loads(KEPT.read_text("utf-8"))
    assert len(kept) == 40
    formulas = texts(kept)
    assert list(formulas) == list(kept)
    moved = {}
    for name, leaves in measured(page, formulas, tmp_path / "formulas.html").items():
        if [leaf[0] for leaf in leaves] != [leaf[0] for leaf in kept[name]]:
            moved[name] = "other signs"
            continue
        for (text, x, y, _, size), (_, left, middle, _, own) in zip(leaves, kept[name], strict=True):
            if abs(x - left) > ALONG + WIDER * left or abs(y - middle) > UP or abs(size - own) > SIZE:
                moved[name] = f"{text} at ({x}, {y}), size {size}; it was at ({left}, {middle}), size {own}"
                break
    assert moved == {}, "look at the sheet of `python browser/formulas.py`, then keep what it has written"
