"""Formulas of the engine in the notation of texts: every kind of them can be read, and shows what was asked."""

import pytest
import sympy as sp

from lpmech.mathematics import unicode_of
from lpmech.mathematics.reader import read_formula
from lpmech.papers.running import run_claim
from lpmech.prove.texts import condition_from_text
from lpmech.prove.vectors import Each, Vector
from lpmech.prove.wording import latex_of
from lpmech.terms import functions as tm
from lpmech.terms import substituted
from lpmech.terms.term import shown_as

K, i, t, p_min, beta, low, x2 = sp.symbols("K i t p_min beta low x2")

#: A condition as it is written -> as it is set; nothing is evaluated on the way.
WRITTEN = {
    "(K-9)/(K-9) == 1": r"\frac{K - 9}{K - 9} = 1",
    "t > 1 and K != 2": r"t > 1 \text{ and } K \ne 2",
    "not (t > 1 or K >= 2)": r"\neg (K \ge 2 \text{ or } t > 1)",
    "p_min*beta <= low": r"\beta p_{\mathrm{min}} \le \mathrm{low}",
    "floor(t/2) + ceiling(t) == Abs(t - K)": r"\lceil t \rceil + \lfloor \frac{t}{2} \rfloor = |- K + t|",
    "Mod(K, 2)**2 < binomial(K, 2)": r"(K \text{ mod } 2)^{2} < \mathrm{C}(K, 2)",
    "factorial(K) <= factorial(K + 1)": r"K! \le (K + 1)!",
    "log(t)**2 > exp(-t)": r"\ln^{2}(t) > e^{- t}",
    "Piecewise((t, t > 2), (1, True)) >= 1": r"\{t \text{ if } t > 2; 1 \text{ else}\} \ge 1",
    "Sum(t**i, (i, 0, K - 1)) >= K": r"\sum_{i=0}^{K - 1} t^{i} \ge K",
    "sqrt(x2) < Max(t, 1, K)": r"\sqrt{x_{2}} < \max(1, K, t)",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_formula_is_set_as_it_was_written(text):
    names = {K, t, p_min, beta, low, x2}
    latex = latex_of(condition_from_text(text, names))
    assert latex == WRITTEN[text]
    read_formula(latex)


def test_vectors_and_what_joins_conditions():
    p = Vector("p", K)
    asked = sp.Implies(Each(p[i] >= p[K], (i, 1, K)), sp.Equivalent(t > 1, sp.Contains(K, sp.S.Integers)))
    latex = latex_of(asked)
    read_formula(latex)
    assert "p_{i} \\ge p_{K} \\text{ for each } i = 1, \\dots, K" in latex
    assert "K \\in \\mathbb{Z}" in latex
    assert latex_of(sp.Symbol("p[2]")) == "p_{2}"


def test_what_was_decided_is_told_beside_a_claim():
    """Part by part, as it was asked, with how it was shown; catches parts that are lost where outcomes are joined."""
    decided = run_claim("liu2026", "Lemma 3.1 (gamma)").outcome.decided
    assert [d.name for d in decided] == [
        r"$\gamma$ at $l$ and at $l_{2}$",
        r"$\gamma$ at $l$ and at $l_{2}$, $s_{2} = 0$",
    ]
    assert decided[1].method == "coefficients"
    asked = unicode_of(f"${decided[0].relation}$")
    assert asked == "γ(t, b, s₁, s₂, l) > γ(t, b, s₁, s₂, l₂)"  # by name, with its arguments


def test_a_named_formula_is_printed_by_its_name_and_is_what_it_was():
    """Catches a name that changes what is compared or asked, that goes on to another formula, or that a power splits."""
    x, t = tm.symbols("x t")
    half = shown_as(x / (t - 1), r"\eta(t)")
    assert half == x / (t - 1)
    assert (latex_of(half**2 <= t * half), str(half)) == (r"(\eta(t))^{2} \le t \eta(t)", str(x / (t - 1)))
    assert latex_of(substituted(half, {"t": t + 1})) == r"\frac{x}{t + 1 - 1}"
