"""Formulas as MathML, written ahead of time: a browser shows them without a library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from lpmech.latex.plain import unicode_of
from lpmech.latex.words import Part, parts_of

__all__ = ["html_of", "mathml_of"]

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"

#: A line of text may be broken before these, and after a comma; browsers break no line inside a formula.
_BREAKS = frozenset("+−=≠<>≤≥≈≡∼∝→←↦⇒⇔⟺∈∉⊂⊆∧∨:")
_COMMAS = frozenset(",;")
_OPENING, _CLOSING = frozenset("([{⌊⌈⟨"), frozenset(")]}⌋⌉⟩")

#: Letters as the plain texts have them, so that a search finds both, and signs as fonts have them.
_LETTERS = {"ϵ": "ε", "⧵": "∖"}
#: Signs that stand close.
_BARS = frozenset("|‖")
_TIGHT = _BARS | {"/"}
_THIN = "0.17em"
_CLOSE = {"lspace": "0", "rspace": "0"}

#: Spelling that the library lacks, or that is no product of letters -> what is meant.
_SPELT = ((re.compile(r"\\arg(?![a-z])"), r"\\operatorname{arg}"), (re.compile(r"-DP(?![A-Za-z])"), r"-\\mathrm{DP}"))
_WORD = re.compile(r"[A-Za-z]{3,}|DP")
_FUNCTIONS = frozenset(("ln", "log", "exp", "tanh", "sinh", "cosh", "sin", "cos", "arccos", "det", "dim", "gcd"))
_COMMAND = re.compile(r"\\[A-Za-z]")


def html_of(text: str, unset: list[str] | None = None) -> Markup:
    """Prose with LaTeX-flavoured mathematics, with or without dollars, as HTML with MathML.

    Parameters
    ----------
    text : str
        As `lpmech.latex.words.latex_of` takes it.
    unset : list of str, optional
        Gets the formulas that could not be set; they stand as plain text (`lpmech.latex.plain.unicode_of`).
    """
    shown = []
    for part in parts_of(text):
        html = _html_of_part(part)
        if html is None:
            html = escape(unicode_of(part.text))
            if unset is not None:
                unset.append(part.text)
        shown.append(html)
    return Markup(" ").join(shown)


def _html_of_part(part: Part) -> Markup | None:
    if part.is_mathematics:
        formula = part.text.lstrip("'")  # what stands before a formula is a quotation mark, no prime
        mathml = mathml_of(formula)
        return None if mathml is None else escape(part.text[: -len(formula)]) + mathml
    return None if _COMMAND.search(part.text) else escape(part.text)  # a formula that the grammar does not know


@cache
def mathml_of(latex: str) -> Markup | None:
    """A formula of LaTeX as one or more ``<math>`` between which a line may be broken; None if it cannot be read."""
    for spelling, meant in _SPELT:
        latex = spelling.sub(meant, latex)
    try:
        root = ElementTree.fromstring(convert(latex))
    except Exception:  # the library raises whatever its parser stumbles over
        return None
    if any("\\" in text for text in root.itertext()):  # an unknown command is passed through as a name
        return None
    pieces = list(_broken(_simplified(list(root))))
    for end, side in ((pieces[0][0], "lspace"), (pieces[-1][-1], "rspace")) if pieces else ():
        if end.tag == "mo":  # the blank of the prose is there already
            end.set(side, "0")
    return Markup("<wbr>").join(map(_written, pieces))


def _simplified(nodes: Iterable[Element]) -> list[Element]:
    """Without rows around single elements, the letters of a name in one element, signs spaced as in print."""
    found: list[Element] = []
    for node in nodes:
        node.tag = node.tag.removeprefix(f"{{{_NAMESPACE}}}")
        node[:] = _simplified(node)
        if node.tag == "mi" and not any(map(str.isalnum, node.text or "")):  # a sign: the library takes some for names
            node.tag, node.attrib = "mo", {"stretchy": "false"}
        elif node.tag == "mi" and node.text in _FUNCTIONS:
            node.tag = "mo"
        node.text = _LETTERS.get(node.text or "", node.text)
        if node.tag == "mo" and node.text in _TIGHT:
            node.attrib |= _CLOSE
        elif node.tag == "mo" and (node.text or "").isalpha():
            node.attrib |= {"lspace": "0", "rspace": _THIN}
        if node.tag == "mrow" and len(node) == 1:
            node = node[0]
        if node.text == "=" and found and found[-1].text == ":":
            found[-1].text = ":="
        elif _is_upright(node) and found and _is_upright(found[-1]):
            found[-1].text = (found[-1].text or "") + (node.text or "")
        else:
            found.append(node)
    for sign, after in pairwise(found):
        if sign.text == "−" and after.tag == "mi" and _WORD.fullmatch(after.text or ""):  # ε-LDP is not a difference
            sign.text, sign.attrib = "-", _CLOSE.copy()
        elif sign.tag == "mo" and (sign.text or "").isalpha() and after.text in _OPENING:  # Pr[...], max(...)
            sign.set("rspace", "0")
        elif sign.tag != "mo" and after.tag == "mo" and (after.text or "").isalpha():  # K log n
            after.set("lspace", _THIN)
    return found


def _is_upright(node: Element) -> bool:
    return node.tag == "mi" and node.get("mathvariant") == "normal"


def _broken(nodes: list[Element]) -> Iterator[list[Element]]:
    """The pieces of a formula: outside of brackets a line may end before a relation or sum and after a comma."""
    if len(nodes) == 1 and nodes[0].tag == "mrow":
        nodes = list(nodes[0])
    piece: list[Element] = []
    depth, in_bars = 0, False
    for node in nodes:
        sign = (node.text or "").strip() if node.tag == "mo" else ""
        depth += (sign in _OPENING) - (sign in _CLOSING)
        in_bars ^= depth == 0 and sign in _BARS
        free = depth <= 0 and not in_bars
        if free and sign in _BREAKS and piece:
            yield piece
            piece = []
            node.set("form", "infix")
        piece.append(node)
        if free and sign in _COMMAS:
            yield piece
            piece = []
    if piece:
        yield piece


def _written(piece: list[Element]) -> Markup:
    whole = Element("math")
    whole.extend(piece)
    for name in whole.iter("mi"):
        if len(name.text or "") > 1:  # names of several letters are upright without being told
            name.attrib.pop("mathvariant", None)
    return Markup(ElementTree.tostring(whole, encoding="unicode"))
