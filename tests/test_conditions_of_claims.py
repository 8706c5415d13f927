"""`lpmech when` on what papers' refuted claims assert: the hypothesis that a paper forgot is found, without being told."""

from __future__ import annotations

import pytest

from lpmech.conditions import condition
from lpmech.papers import load_paper
from lpmech.prove import Fails, prove
from lpmech.prove.engine import questions_asked
from lpmech.prove.from_sympy import term_of

#: A refuted claim, and when what it asserts is true; its repair names this hypothesis, or one that implies it.
_FOUND = [
    ("zheng2025", "Def. 8 (special case)", "if and only if l != 0 or n == 0"),
    ("liu2026", "eq. (3.1) (where B(y) lies)", "if and only if i == 0"),
    ("liu2026", "eq. (3.1) (S~2 empty)", "if and only if l == s1"),
    ("liu2026", "Section 3.1 after Lemma 3.1 (l = 0, S~2 empty)", "if and only if s2 >= 1"),
    ("liu2026", "Theorem 3.2 (framework hypotheses)", "if and only if K == k"),
    ("liu2026", "App. C chain 1 step 2", "if and only if l == 0 or s2 == 0"),
    ("liu2026", "Alg. 3 (epsilon = 0)", "if and only if epsilon != 0"),
    ("liu2026", "eq. (4.9) (second constraint)", "if and only if s2 == 0"),
    ("zhao2025", "Section 6 (better convergence)", "if and only if s < (K - 2)/2"),
    ("zhao2025", "App. C.1 (Tsybakov condition)", "if and only if gamma <= 1"),
    ("zhao2025", "eq. (41) (delta goes to zero)", "if and only if N <= 4*a*(1 - a)/(2*a - 1)**2"),
    ("zhao2025", "eq. (42)", "if and only if delta >= e/100"),
]


@pytest.mark.parametrize(("paper", "claim", "expected"), _FOUND, ids=[f"{paper} {claim}" for paper, claim, _ in _FOUND])
def test_forgotten_hypothesis_is_found(paper, claim, expected):
    with questions_asked() as questions:
        load_paper(paper).claims[claim].run()
    refuted = [q for q in questions if isinstance(prove(q.conclusion, q.hypotheses), Fails)]
    (asked,) = {q.conclusion: q for q in refuted}.values()
    found = condition(term_of(asked.conclusion), [term_of(h) for h in asked.hypotheses])
    assert found.is_proved
    assert str(found) == expected
