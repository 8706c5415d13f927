"""`lpmech when` on what papers' refuted claims assert: the hypothesis that a paper forgot is found, without being told.

Of a claim whose check asks the prover, the relation that failed is taken. Where it calls functions or compares numbers,
the paper's sentence stands here as a formula, at the parameters of the counterexample's kind.
"""

from __future__ import annotations

import pytest

from lpmech import when
from lpmech.conditions import condition
from lpmech.papers import load_paper
from lpmech.prove import Fails, prove
from lpmech.prove.engine import questions_asked
from lpmech.prove.from_sympy import term_of
from lpmech.verdicts import Verdict

#: A refuted claim, and when what it asserts is true; its repair names this hypothesis, or one that implies it.
_FOUND = [
    ("zheng2025", "Def. 8 (special case)", "if and only if l != 0 or n == 0"),
    ("liu2026", "eq. (3.1) (where B(y) lies)", "if and only if i == 0"),
    ("liu2026", "Section 3.1 after Lemma 3.1 (l = 0, S~2 empty)", "if and only if s2 >= 1"),
    ("liu2026", "Theorem 3.2 (framework hypotheses)", "if and only if K == k"),
    ("liu2026", "App. C chain 1 step 2", "if and only if l == 0 or s2 == 0"),
    ("liu2026", "Alg. 3 (epsilon = 0)", "if and only if epsilon != 0"),
    ("liu2026", "eq. (4.9) (second constraint)", "if and only if s2 == 0"),
    ("zhao2025", "Section 6 (better convergence)", "if and only if s < (K - 2)/2"),
    ("zhao2025", "App. C.1 (Tsybakov condition)", "if and only if gamma <= 1"),
    ("zhao2025", "eq. (41) (delta goes to zero)", "if and only if N <= 4*a*(1 - a)/(2*a - 1)**2"),
    ("zhao2025", "eq. (42)", "if and only if delta >= e/100"),
    ("liu2026", "Alg. 1 line 4", "if and only if l == 0 or l == s1"),
    ("zheng2025", "C.4.2 (0.63 inside the window)", "if and only if C <= 21/100"),
    ("zheng2025", "B.2.1 (step 1, worst Delta)", "if and only if Delta >= 0 or epsilon <= -Delta/(2*sigma**2)"),
    ("zheng2025", "B.2.1 (step 1, |Z|)",
     "if and only if Delta >= 0 or epsilon == Delta*(Delta + 2*Z*sigma)/(2*sigma**2) or "
     "epsilon >= Delta*(Delta - 2*Z*sigma)/(2*sigma**2)"),
]  # fmt: skip

#: e^epsilon beta of BlockRR at some l.
_MAJORITY = "t/(b**2*(t-1)**2/(b*(t-1) + {}*s2/(s1+s2)) + s1 + s2)"
#: A refuted claim, its sentence, parameters, what to solve for, and when it is true.
_STATED = [
    # randomised response on two labels with stakes a and b against releasing one of them always
    ("zhang2025", "Abstract (optimal for any utility)", "t*(a+b)/(t+1) >= Max(a, b)", ("a real > 0", "b real > 0"), "a",
     "a >= b/t and a <= b*t"),
    ("zheng2025", "Section 3.1 (epsilon for 0.8)", "1 - exp(-3*epsilon/10) >= 4/5", ("epsilon > 0",), None,
     "epsilon >= 10*log(5)/3"),
    ("zheng2025", "Section 4.2.2 (the rate exceeds tau/2)", "1 - c > tau/2", ("c in [0, 1]", "tau in (0, 1)"), "c",
     "c < (2 - tau)/2"),
    # k-RR: x_1 is released instead of an output with probability delta
    ("zheng2025", "Theorem 3", "(delta + (1-delta)*t/(t+K-1))/((1-delta)/(t+K-1)) <= t", ("delta in [0, 1)",), None,
     "delta == 0"),
    ("zheng2025", "Contributions (epsilon >= 0)", "epsilon*sigma - 1/(2*sigma) > 0",
     ("epsilon real >= 0", "sigma real > 0"), "sigma", "epsilon > 0 and sigma > sqrt(2)/(2*sqrt(epsilon))"),
    # sigma = c/epsilon, c = sqrt(2 ln(1.25/delta)), z the (1 - delta)-quantile
    ("zheng2025", "Section 1 (Dwork's Gaussian only for epsilon <= 1)", "epsilon*(c/epsilon) - 1/(2*(c/epsilon)) >= z",
     ("epsilon > 0", "c real > 0", "z real"), "epsilon", "epsilon <= 2*c*(c - z)"),
    ("zheng2025", "Section 4.1.2 (k-RR)", "(t+m-1)/(k-1+t) == (t+2*theta*k-1)/(k-1+t)",
     ("k integer >= 2", "m integer in [1, k]", "theta in (0, 1)"), "theta", "theta == m/(2*k)"),
    ("zheng2025", "Section 4.3 (lower bound)", "c - tau*v*p >= c*(1-tau)",
     ("c in (0, 1]", "tau in [0, 1]", "v real > 0", "p real > 0"), "p", "p <= c/v or tau == 0"),
    # m is the mass of an atom at a
    ("zheng2025", "Prop. 1", "b - a + m == b - a", ("a in [0, 1]", "b in [0, 1]", "m in [0, 1]"), None, "m == 0"),
    # 30,700 labels, 400 of them in the smallest class: w_10 against w_9
    ("liu2026", "Section 1 (3) (all methods become RR, CIFAR-10_2)", "30700*t/(t+9) >= 30300*t/(t+8)", (), None,
     "t >= 271/4"),
    # a minority row has 1/s1 on Delta and beta, which is 1/(s1 + (t-1) b) there, on the rest of S~1
    ("liu2026", "eq. (3.1) (S~2 empty)", "l/s1 + (s1-l)/((t-1)*b+s1) == 1",
     ("b >= 1", "s1 >= b", "l integer in [0, s1]"), None, "l == s1"),
    # weights with sum S, c the least: all labels against all but that one
    ("liu2026", "Section 4 (the optimum makes every constraint an equality)", "t*S/(t+K-1) >= t*(S-c)/(t+K-2)",
     ("c real > 0", "S real >= K*c"), "c", "c >= S/(K + t - 1)"),
    # priors p >= q of two labels, d = exp(-1/sigma): both against the first one always
    ("liu2026", "Section 4 (discarding minority labels)", "(p+q)*(t+d)/(t+1) >= p*(1+d)",
     ("p in (0, 1)", "q in (0, p]", "d in (0, 1)"), "q", "q >= (d*p*t + p)/(d + t)"),
    ("liu2026", "Section 5.3.1 (l only affects S2)", f"{_MAJORITY.format('l')} == {_MAJORITY.format('r')}",
     ("b >= 1", "s1 >= b", "s2 >= 0", "r integer in [0, s1]", "l integer in [0, r]"), None, "l == r or s2 == 0"),
    ("liu2026", "Alg. 3 line 6 (all counts clipped)", "h/h == 1", ("h real >= 0",), None, "h != 0"),
    ("liu2026", "Implementation (BlockRR, epsilon = infinity)", "1 - l/K == 1", ("l integer in [0, K]",), None, "l == 0"),
    ("ghazi2021", "Theorem 17 (range)", "-(k-1)/(t-1) >= 0 and (t+k-2)/(t-1) <= 1", ("k >= 1",), None, "k == 1"),
    ("ghazi2021", "Alg. 4 line 4(c)", "g/(g+h) + h/(g+h) == 1", ("g real >= 0", "h real >= 0"), None, "g != -h"),
    # the largest and the second largest eta, each wrong by D
    ("zhao2025", "Section 4.2 (as Section 1 has it: Delta below the gap)", "a - D > b + D",
     ("a in [0, 1]", "b in [0, 1]", "D real >= 0"), "D", "D < (a - b)/2"),
    # variances of the paper's vector and of randomised response
    ("zhao2025", "Section 6 (better convergence)", "K*s/(s-1)**2 <= (K-1)*(K-2+2*s**2)/(s**2-1)**2", ("s real > 1",), "s",
     "K >= 6 and s <= s1(K)"),
    # eta against eta~ = (eta (s - 1) + 1)/(s + 1)
    ("zhao2025", "eq. (33) (first line)", "Abs(z - a) == Abs(z - (a*(s-1)+1)/(s+1))",
     ("z in [0, 1]", "a in [0, 1]", "s real > 1"), "a", "a == (2*s*z + 2*z - 1)/(2*s) or a == 1/2"),
]  # fmt: skip


@pytest.mark.parametrize(("paper", "claim", "expected"), _FOUND, ids=[f"{paper} {claim}" for paper, claim, _ in _FOUND])
def test_forgotten_hypothesis_is_found(paper, claim, expected):
    with questions_asked() as questions:
        load_paper(paper).claims[claim].run()
    refuted = [q for q in questions if isinstance(prove(q.conclusion, q.hypotheses), Fails)]
    (asked,) = {q.conclusion: q for q in refuted}.values()
    found = condition(term_of(asked.conclusion), [term_of(h) for h in asked.hypotheses])
    assert found.is_proved
    assert str(found) == expected


@pytest.mark.parametrize(
    ("paper", "claim", "statement", "param", "solve", "expected"),
    _STATED,
    ids=[f"{row[0]} {row[1]}" for row in _STATED],
)
def test_condition_of_a_sentence_is_found(paper, claim, statement, param, solve, expected):
    assert load_paper(paper).claims[claim].recorded is Verdict.REFUTED
    found = when(statement, param, solve=solve).condition
    assert found.is_proved
    assert str(found) == f"if and only if {expected}"
