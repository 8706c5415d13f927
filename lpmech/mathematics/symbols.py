"""The signs of the notation: how they are written in LaTeX, how they look, and how they stand between others."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

__all__ = ["ACCENTS", "ALIASES", "FONTS", "SIGNS", "SIZES", "Role", "Sign", "is_two_indices"]


class Role(Enum):
    """How a sign stands between others."""

    LETTER = auto()
    RELATION = auto()
    BINARY = auto()
    FUNCTION = auto()
    BIG = auto()
    OPENING = auto()
    CLOSING = auto()
    BAR = auto()
    POINT = auto()
    BLANK = auto()


class Sign(NamedTuple):
    """A letter, an operator, a bracket, the name of a function.

    Attributes
    ----------
    latex : str
        As it is written.
    character : str
        As it looks.
    kind : Role
        How it stands.
    """

    latex: str
    character: str
    kind: Role


_NAMED = {
    Role.LETTER: """
        alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν
        xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ
        Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ partial ∂ nabla ∇ infty ∞ emptyset ∅ forall ∀ exists ∃
        neg ¬ dots … star ⋆ diamond ⋄ top ⊤ # # % %
    """,
    Role.RELATION: """
        le ≤ ge ≥ ne ≠ equiv ≡ approx ≈ sim ∼ propto ∝ lesssim ≲ gtrsim ≳ ll ≪ gg ≫ in ∈ notin ∉ subset ⊂ subseteq ⊆
        subsetneq ⊊ supset ⊃ supseteq ⊇ to → leftarrow ← mapsto ↦ Rightarrow ⇒ Leftrightarrow ⇔ mid |
    """,
    Role.BINARY: "pm ± mp ∓ times × cdot · setminus ∖ cup ∪ cap ∩ wedge ∧ vee ∨ circ ∘ oplus ⊕ otimes ⊗",
    Role.FUNCTION: """
        Pr Pr max max min min sup sup inf inf lim lim arg arg exp exp ln ln log log tanh tanh sinh sinh cosh cosh
        coth coth sin sin cos cos tan tan arccos arccos det det dim dim gcd gcd
    """,
    Role.BIG: "sum ∑ prod ∏ int ∫ bigcup ⋃ bigcap ⋂",
    Role.OPENING: "{ { lfloor ⌊ lceil ⌈ langle ⟨",
    Role.CLOSING: "} } rfloor ⌋ rceil ⌉ rangle ⟩",
    Role.BAR: "| ‖",
}
_TYPED = {
    Role.RELATION: {"=": "=", "<": "<", ">": ">", ":=": ":="},
    Role.BINARY: {"+": "+", "-": "−", "/": "/"},
    Role.OPENING: {"(": "(", "[": "["},
    Role.CLOSING: {")": ")", "]": "]"},
    Role.BAR: {"|": "|"},
    Role.POINT: {",": ",", ";": ";", ":": ":", ".": ".", "!": "!"},
    Role.BLANK: {r"\,": " ", r"\ ": " ", r"\quad": "  "},
}

#: What is written -> the sign; a letter without a backslash is its own.
SIGNS = {
    f"\\{name}": Sign(f"\\{name}", character, kind)
    for kind, listed in _NAMED.items()
    for name, character in zip(*[iter(listed.split())] * 2, strict=True)
} | {text: Sign(text, character, kind) for kind, typed in _TYPED.items() for text, character in typed.items()}

#: Other names for the same.
ALIASES = {
    r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\rightarrow": r"\to", r"\ldots": r"\dots",
    r"\lVert": r"\|", r"\rVert": r"\|", r"\lvert": "|", r"\rvert": "|", r"\iff": r"\Leftrightarrow",
    r"\cdots": r"\dots", r"\qquad": r"\quad", r"\implies": r"\Rightarrow", r"\gets": r"\leftarrow",
    r"\tfrac": r"\frac", r"\dfrac": r"\frac",
    r"\operatorname": r"\mathrm", r"\argmax": r"\arg\max", r"\argmin": r"\arg\min", r"\;": r"\,", r"\:": r"\,",
}  # fmt: skip

#: Only change the size of what follows; left out.
SIZES = frozenset(
    map("\\{}".format, ["left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "limits", "displaystyle", "!"])
)

#: Command -> the character that stands over a letter, as a mark that combines and by itself.
ACCENTS = {
    r"\tilde": ("\u0303", "~"), r"\hat": ("\u0302", "^"), r"\bar": ("\u0304", "¯"), r"\vec": ("\u20d7", "→"),
    r"\dot": ("\u0307", "˙"), r"\overline": ("\u0304", "¯"), r"\widetilde": ("\u0303", "~"),
}  # fmt: skip

#: Command -> the code points of A and a, and the letters that stand elsewhere.
FONTS = {
    r"\mathcal": (0x1D49C, 0x1D4B6, {**dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True)), "e": "ℯ", "g": "ℊ", "o": "ℴ"}),
    r"\mathbb": (0x1D538, 0x1D552, dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))),
    r"\mathbf": (0x1D400, 0x1D41A, {}),
}


def is_two_indices(script: str) -> bool:
    """Whether a script is two indices side by side, as of ``u_yj``, and no word."""
    return len(script) == 2 and set(script) <= set("ijklmnry") and script != "in"
