"""What the grammar of mathematics knows: commands, their arguments, and characters beyond ASCII."""

from __future__ import annotations

__all__ = ["ARITY", "CHARACTERS", "MARKS", "SIZES", "SPELT", "SYMBOLS"]

_TWO = "frac tfrac dfrac binom tbinom"
_ONE = "tilde hat bar vec dot mathcal mathrm mathbb mathbf text sqrt overline widetilde operatorname"
_NONE = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell partial nabla
    infty emptyset forall exists in notin ni subset subseteq subsetneq supset supseteq cup cap setminus wedge vee
    neg le leq ge geq ne neq equiv approx sim simeq propto lesssim gtrsim ll gg to gets mapsto leftarrow rightarrow
    Rightarrow Leftarrow Leftrightarrow iff implies times cdot cdots ldots dots pm mp div ast star circ bullet oplus
    otimes diamond mid parallel perp langle rangle lfloor rfloor lceil rceil lVert rVert lvert rvert sum prod int
    bigcup bigcap max min sup inf arg argmax argmin exp ln log tanh sinh cosh sin cos arccos Pr det dim lim gcd
    quad qquad prime top bot Re Im
"""

#: Command -> number of its arguments.
ARITY = {name: count for count, names in enumerate((_NONE, _ONE, _TWO)) for name in names.split()}

#: Commands that LaTeX does not have under this name.
SPELT = {"argmax": r"\arg\max", "argmin": r"\arg\min"}

#: Commands that only change the size of what follows; they are left out.
SIZES = frozenset({"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "limits", "displaystyle"})

#: Characters that may follow a backslash.
MARKS = frozenset("{}|,;:!#%&_$ ")

_BEYOND = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ≤≥≠≈≡∼∝→←↦⇒⇔∈∉⊂⊆∪∩∖∅∞∑∏∫√∂∇±×·÷…−′ℓ∀∃∧∨¬⌊⌋⌈⌉⟨⟩‖∘⊕⊗≪≫½²³⁻¹₀₁₂₃"
_COMMANDS = r"""
    \alpha \beta \gamma \delta \varepsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi \pi \rho \sigma \tau
    \upsilon \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Phi \Psi \Omega \le \ge \ne
    \approx \equiv \sim \propto \to \leftarrow \mapsto \Rightarrow \Leftrightarrow \in \notin \subset \subseteq
    \cup \cap \setminus \emptyset \infty \sum \prod \int \surd \partial \nabla \pm \times \cdot \div \dots - {}'
    \ell \forall \exists \wedge \vee \neg \lfloor \rfloor \lceil \rceil \langle \rangle \| \circ \oplus \otimes
    \ll \gg \frac{1}{2} {}^2 {}^3 {}^- {}^1 {}_0 {}_1 {}_2 {}_3
"""

#: Character beyond ASCII -> mathematics.
SYMBOLS = dict(zip(_BEYOND, _COMMANDS.split(), strict=True))

#: Character of prose -> LaTeX, where it is not itself.
CHARACTERS = {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "_": r"\_", "{": r"\{",
    "}": r"\}", "$": r"\$", "%": r"\%", "&": r"\&", "#": r"\#", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''",
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip
