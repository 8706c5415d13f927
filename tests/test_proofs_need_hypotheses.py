"""Proofs fail when a hypothesis is taken away: catches a proof that never used what it claims to rest on."""

import pytest
import sympy as sp

from lpmech.claims import checking
from lpmech.claims.checking import replayed
from lpmech.errors import LpmechError
from lpmech.papers import load_paper
from lpmech.prove.texts import evaluated
from lpmech.verdicts import Verdict, certified, proved, refuted

T, K = sp.symbols("t k")
p_y, p_z = sp.symbols("p_y p_z")
a, b, W, P = sp.symbols("a b W P")
N, S, Q, f, g, Delta, r, t2, items = sp.symbols("n s Q f g Delta r t2 N")
u11, u12, u21, u22, w_1, w_n = sp.symbols("u11 u12 u21 u22 w_1 w_N")
lambda_1, lambda_j, lambda_k, r_1, r_2 = sp.symbols("lambda_1 lambda_j lambda_k r_1 r_2")
g_ours, g_rival, u, v, total = sp.symbols("g_c g_best u v z")

#: (paper, claim, hypothesis without which it is false). For t < 1 "high" is the low probability.
NEEDED = [
    ("ghazi2021", "Section 1 (uniform prior, channel)", T > 1),
    ("ghazi2021", "Alg. 1 (ties)", p_z >= p_y),
    ("ghazi2021", "Lemma 1 (tight level)", T > 1),
    ("ghazi2021", "Cor. 2", T > 1),
    ("ghazi2021", "Theorem 3", sp.Ge(W, p_y)),
    ("ghazi2021", "Theorem 3 (LP1 = LP2 = max w_k)", sp.Ge(W, p_y)),
    ("ghazi2021", "Theorem 3 (extreme points, solved)", T > 1),
    ("ghazi2021", "Theorem 3 (zero prior entries)", P > 0),
    ("ghazi2021", "Observation 4", T * b >= a),
    ("ghazi2021", "Section 4 (LP-1ST)", T > 1),
    ("ghazi2021", "App. A.1 (minimum)", T > 1),
    ("ghazi2021", "Prop. 11 (delta near 1, every C)", sp.Symbol("y") >= 1),
    ("ghazi2021", "eq. (14)", sp.Symbol("a") <= (T + sp.Symbol("delta")) / (T + 1)),
    ("ghazi2021", "eq. (15)", sp.Symbol("s") ** 2 <= sp.Symbol("m") * Q),
    ("ghazi2021", "Lemma 15 (last sentence) [repaired]", sp.Symbol("C") <= sp.Rational(1, 4)),
    ("ghazi2021", "Theorem 17 [repaired]", g <= 2 * r + sp.Symbol("s")),
    (
        "zhang2025",
        "Abstract (own utilities)",
        (T + items - 1) ** 2 - (T + items - 1) * items * (items + 1) / 2 + items * (items**2 - 1) / 3 >= 0,
    ),
    ("zhang2025", "Abstract (optimal for any utility) [repaired]", sp.Le(u11 - u12, T * (u22 - u21))),
    ("zhang2025", "Abstract (rows that rearrange one vector)", w_1 <= T * w_n),
    ("zhang2025", "eq. (3)", sp.Max(f - g, g - f) <= Delta),
    ("zhang2025", "Section I (level of BRR and GRR)", sp.Symbol("m") < sp.Symbol("N")),
    ("zhang2025", "Alg. 1 (optimal for one row)", S <= T),
    ("zhang2025", "Section IV.B (end weights)", lambda_1 >= Q),
    ("zhang2025", "Alg. 2 (ties in Y_m)", lambda_k >= lambda_j),
    ("zhang2025", "m_1 (floor) [repaired]", r > 1),
    ("zhang2025", "m_2 (odd or even) [repaired]", r > 1),
    ("zhang2025", "after (11) (printed m_1 <= printed m_2)", r_1 < r_2),
    ("zhang2025", "Alg. 3 (known prior) [repaired]", S <= T),
    ("zhang2025", "Section V.A (utility increases with epsilon) [repaired]", t2 >= T),
    ("zhao2025", "Section 3.1 (local implies central)", a <= T * b),
    ("zhao2025", "Section 4.2 (as Section 1 has it: Delta below the gap) [repaired]", g_ours >= g_rival),
    ("zhao2025", "App. B.2 (mean soft label)", total >= u + v),
]


def drop(monkeypatch, hypothesis):
    """Let z3 see every list of hypotheses without this one; returns the number of lists that had it."""
    engine, dropped = checking.prove, []

    def without(conclusion, hypotheses, **options):
        parts = [part for h in hypotheses for part in sp.And.make_args(evaluated(h))]
        kept = [part for part in parts if part not in (hypothesis, hypothesis.reversed)]
        dropped.extend([hypothesis] * (len(kept) < len(parts)))
        return engine(conclusion, kept, **options)

    monkeypatch.setattr(checking, "prove", without)
    return dropped


@pytest.mark.parametrize(("key", "id", "hypothesis"), NEEDED, ids=[f"{key}: {id}" for key, id, _ in NEEDED])
def test_without_the_hypothesis_the_proof_fails(key, id, hypothesis, monkeypatch):
    claim = load_paper(key).claims[id]
    assert claim.recorded is Verdict.PROVED
    dropped = drop(monkeypatch, hypothesis)
    try:
        verdict = claim.run().verdict
    except LpmechError:  # z3 does not decide: no proof either
        verdict = None
    assert dropped
    assert verdict is not Verdict.PROVED


def test_replayed_keeps_the_verdict_of_the_proof_and_prefers_counterexamples():
    proof, seen, wrong = proved("SMT", "all"), certified("exact", "some"), refuted("exact", "fails", "x = 1")
    assert replayed(proof, seen).verdict is Verdict.PROVED
    assert "replayed on some" in replayed(proof, seen).evidence
    assert replayed(proof, wrong) is wrong
    assert replayed(refuted("SMT", "fails", "x = 1/7"), wrong) is wrong
    assert replayed(refuted("SMT", "fails", "x = 1/7"), seen).verdict is Verdict.REFUTED
