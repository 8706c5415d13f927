"""Section 5.2.1, Theorem 3 and appendix B.1: the privacy indicator; C.3: (epsilon, delta)-LDP beside PAC LDP."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_implications, sharp
from lpmech.mechanisms.privacy_indicator import indicator_channel, pac_delta_of
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checks import rows_in_words, unit
from lpmech.papers.zheng2025.paper import DELTA, PAPER, T
from lpmech.papers.zheng2025.section_5 import pairs_of_rows
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

RHO, UTILITY, P, Q, OWN, OTHER = tm.symbols("rho u P Q p q")
OWN_2, OTHER_2, ELSE_1, ELSE_2, OWN_1, OTHER_1 = tm.symbols("d c f g a b")
K = tm.symbol("k")
HALVES = (Fraction(1, 10), Fraction(1, 2))


def _indicators() -> Iterator[tuple[Channel, Fraction, Fraction, Fraction, str]]:
    """The indicator with k-RR, t, delta, the low entry of k-RR, and that in words."""
    for k, t, delta in product((2, 3, 4), (Fraction(2), Fraction(3)), HALVES):
        channel = indicator_channel(randomized_response(k, PrivacyLevel.from_ratio(t)), delta)
        yield channel, t, delta, 1 / (t + k - 1), f"k-RR with k = {k}, t = {t}, delta = {delta}"


@PAPER.claim(
    "Theorem 3",
    r"if $\mathcal{M}$ is $\epsilon$-LDP, $I_\delta(\mathcal{M}(x))$ satisfies $(\epsilon,\delta)$-PAC LDP",
    hypotheses=r"$\tilde{x}$ drawn from the indicator's own output (under the printed quantifier it fails for every $M$); the stated probability is to be attained by one of these $M$",
    family="k-RR, k = 2, 3, 4, t = 2, 3, delta = 1/10, 1/2",
    consequence="privacy",
    headline=2,
    formula=lambda delta, low, t: delta,
    control=lambda delta, low, t: delta + (1 - delta) * t * low,
    survivors={"low and t exchanged": "the same product"},
    note=r"The loss is that of $I_\delta(M)$, whose outputs do not say which of the two happened. For a mechanism that can release $x$ itself, the output $x$ is more likely "
    r"than $e^\epsilon$ times, whichever way it came about: 2-RR at $t = 2$ with $\delta = 1/10$ releases $x_1$ with probability $\frac{1}{10}+\frac{9}{10}\cdot\frac{2}{3}=\frac{7}{10}$ from $x_1$ and $\frac{9}{10}\cdot\frac{1}{3}=\frac{3}{10}$ from $x_2$, more than twice as likely. The case studies use "
    "the indicator with k-RR and the exponential mechanism.",
)
def theorem_3(total: Any) -> Parts:
    attained = False
    for channel, t, delta, low, where in _indicators():
        got, claimed = pac_delta_of(channel, PrivacyLevel.from_ratio(t)), total(delta, low, t)
        attained |= got == claimed
        yield Instance(f"{where}: Pr[L > epsilon]", got, "<=", claimed)
    yield attained or "never as large"


@PAPER.claim(
    "Theorem 3 (discrete) [repaired]",
    r"for k-RR the indicator has failure probability $\delta+(1-\delta)\Pr[\mathcal{M}(x)=x]$ at level $\epsilon$, and tight level $\ln(t+\delta(t+k-1)/(1-\delta))$",
    hypotheses=r"only the output $x_1$ has a loss above $\epsilon$",
    replay="the library's channels for k = 2, 3, 4, t = 2, 3, delta = 1/10, 1/2",
    given=[T > 1, K >= 2, DELTA > 0, DELTA < 1],
    formula=(
        lambda delta, low, t: delta + (1 - delta) * t * low,
        lambda delta, low, t: t + delta / ((1 - delta) * low),
    ),
)
def theorem_3_discrete(case: Any) -> Parts:
    total, ratio = case
    for channel, t, delta, low, where in _indicators():
        got = (pac_delta_of(channel, PrivacyLevel.from_ratio(t)), channel.ratio)
        claimed = (total(delta, low, t), ratio(delta, low, t))
        yield Instance(f"{where}: Pr[L > epsilon], tight ratio", got, "==", claimed)
    low = 1 / (T + K - 1)
    own, other = DELTA + (1 - DELTA) * T * low, (1 - DELTA) * low
    yield "tight ratio", (ratio(DELTA, low, T), own / other)
    yield "failure probability", (total(DELTA, low, T), own)
    yield "the output x_1 fails", own > T * other
    yield "the output x_2 does not", other <= T * own


#: The masses at x_1, at x_2 and elsewhere, under x_1 and x_2, are within the factor t.
WITHIN = [
    *unit(OWN_1, OTHER_1, OTHER_2, OWN_2),
    *(r for p, q in ((OWN_1, OTHER_1), (OTHER_2, OWN_2), (ELSE_1, ELSE_2)) for r in (p <= T * q, q <= T * p)),
]


@PAPER.claim(
    "Theorem 3 [repaired]",
    r"for an $\epsilon$-LDP $\mathcal{M}$, $I_\delta(\mathcal{M}(x))$ satisfies $(\epsilon,\delta)$-PAC LDP iff for all $x_1\ne x_2$: $\mathcal{M}(x_1)\{x_1\}=0$ "
    r"or $\delta+(1-\delta)\mathcal{M}(x_1)\{x_1\}\le e^\epsilon(1-\delta)\mathcal{M}(x_2)\{x_1\}$",
    hypotheses=r"$a$, $b = M(x_1)\{x_1\}$, $M(x_2)\{x_1\}$ and $c$, $d = M(x_1)\{x_2\}$, $M(x_2)\{x_2\}$, $f$, $g$ the probabilities (or densities) of another output; $\tilde{x}$ drawn from $I_\delta(M)(x_1)$",
    given=[T > 1, DELTA > 0, DELTA < 1, ELSE_1 >= 0, ELSE_2 >= 0, *WITHIN],
    replay="the 2 x 2 channels in multiples of 1/5 that are ln t-LDP, and k-RR, k = 3, 4, t = 2, 3, delta = 1/10, 1/2",
    formula=lambda delta, own, other, t: tm.Or(tm.Eq(own, 0), delta + (1 - delta) * own <= t * (1 - delta) * other),
    note=r"Without atoms (Laplace, PM, SW on an interval, not clipped) it holds, with failure probability exactly $\delta$. Not for the Laplace mechanism clipped to $[0, 1]$: at $x = 0$ and 1 it fails "
    r"with probability 0.55 for $\delta = 0.1$, whatever $\epsilon$. And $M$ must be $\epsilon$-LDP: for Gaussian noise the failure probability is "
    r"$\delta + (1 - \delta) \Pr[Z > \epsilon \sigma - 1/(2 \sigma)] > \delta$.",
    repairs="Theorem 3",
)
def theorem_3_repaired(condition: Any) -> Parts:
    for t, delta in product((2, 3), HALVES):
        level = PrivacyLevel.from_ratio(t)
        for channel in (*pairs_of_rows(5), *(randomized_response(k, level) for k in (3, 4))):
            if not channel.satisfies(level):
                continue
            m, got = channel.matrix, pac_delta_of(indicator_channel(channel, delta), level)
            atoms = [(m[x, x], m[y, x]) for x, y in permutations(range(len(m)), 2)]
            met = all(steps.holds(condition(*map(tm.term, (delta, own, other, Fraction(t))))) for own, other in atoms)
            where = f"rows ({rows_in_words(m.tolist())}), t = {t}, where the condition {'holds' if met else 'fails'}"
            yield Instance(f"{where}: Pr[L > epsilon] against delta", got, "<=" if met else ">", delta)
    mass, claimed = DELTA + (1 - DELTA) * OWN_1, condition(DELTA, OWN_1, OTHER_1, T)
    fine = tm.Or(mass <= T * (1 - DELTA) * OTHER_1, mass <= DELTA)
    yield "the loss elsewhere is at most epsilon", (1 - DELTA) * ELSE_1 <= T * (1 - DELTA) * ELSE_2
    yield "the loss at x_2 is at most epsilon", (1 - DELTA) * OTHER_2 <= T * (DELTA + (1 - DELTA) * OWN_2)
    yield "if: the loss at x_1 is at most epsilon, or its probability at most delta", tm.Implies(claimed, fine)
    yield "only if", tm.Implies(fine, claimed)


@PAPER.claim(
    "B.1 (loss)",
    r"the loss of $I_\delta(\mathcal{M})$ is bounded through $\mathcal{L}_{\mathcal{M},x_1,x_2}$: where $\mathcal{M}$ was applied, the loss is that of $\mathcal{M}$",
    hypotheses=r"$p$, $q = \Pr[M(x_1) = y]$, $\Pr[M(x_2) = y]$; $a = 1$ for the output $y = x_1$, else 0; $e^L$ for the mechanism $I_\delta(M)$, whose output does not say whether $M$ was applied",
    cause="Theorem 3",
    consequence="proof",
    given=[DELTA > 0, DELTA < 1, OWN > 0, OWN <= 1, OTHER > 0, OTHER <= 1],
    every={"a": (0, 1)},
    formula=lambda p, q, delta, a: p / q,
    note="The two agree at outputs other than $x_1$ and $x_2$ ($a = 0$), which is why the theorem holds for mechanisms without atoms.",
    repair=Repair(
        r"$e^{\mathcal{L}}=((1-\delta)p+\delta)/((1-\delta)q)$ at $y=x_1$, and $p/q$ at outputs other than $x_1$, $x_2$",
        formula=lambda p, q, delta, a: ((1 - delta) * p + delta) / ((1 - delta) * q) if a else p / q,
    ),
)
def indicator_loss(formula: Any) -> Parts:
    for a in each("a"):
        exact = ((1 - DELTA) * OWN + DELTA * a) / ((1 - DELTA) * OTHER)
        yield f"a = {a}", (exact, formula(OWN, OTHER, DELTA, a))


PAPER.claim(
    "Theorem 3 ((epsilon, delta)-LDP)",
    r"for every $\epsilon$-LDP mechanism the indicator satisfies $(\epsilon,\delta)$-LDP of Def. 15",
    hypotheses=r"$P$, $Q$ the probabilities of a set of outputs under $M(x_1)$, $M(x_2)$; the atom adds at most $\delta$ to the first and at least 0 to the second",
    kind="ours",
    given=[T > 1, DELTA > 0, DELTA < 1, P >= 0, Q >= 0, P <= T * Q, P <= 1, Q <= 1],
    formula=lambda delta: delta,
    note="What the indicator offers is this notion, also for discrete mechanisms.",
)(lambda total: sharp((1 - DELTA) * P + DELTA, T * (1 - DELTA) * Q + total(DELTA), tm.Eq(P, 0), tm.Eq(Q, 0)))


@PAPER.claim(
    "Section 5.2.1 (utility)",
    r"under $I_\delta$ the class is preserved with probability at least $\delta+(1-\delta)\rho=\rho+\delta(1-\rho)\ge\rho$",
    hypotheses=r"$\rho$ a lower bound under $M$ for the utility $u$; with probability $\delta$ the data are unchanged; the inequality is strict iff $\rho < 1$",
    given=[RHO >= 0, RHO <= 1, DELTA > 0, DELTA < 1, UTILITY >= RHO, UTILITY <= 1],
    formula=lambda rho, delta: delta + (1 - delta) * rho,
)
def indicator_utility(bound: Any) -> Relations:
    claimed = bound(RHO, DELTA)
    least = sharp(claimed, DELTA + (1 - DELTA) * UTILITY, tm.Eq(UTILITY, RHO))
    return least | {"rho + delta (1 - rho)": (claimed, RHO + DELTA * (1 - RHO)), "at least rho": claimed >= RHO}


@PAPER.claim(
    "C.3 (PAC implies (epsilon, delta))",
    r"$(\epsilon,\delta)$-PAC LDP gives the common interpretation of $(\epsilon,\delta)$-LDP: it implies Def. 15 with the same $\delta$",
    hypotheses=r"$P$, $Q$ the probabilities of the outputs in $S$ with $L \le \epsilon$ under $x_1$, $x_2$; $a \le \delta = \Pr[L > \epsilon]$ and $b$ those of the others",
    given=[T > 1, P >= 0, Q >= 0, P <= T * Q, OWN_1 >= 0, OTHER_1 >= 0, OWN_1 <= DELTA, DELTA <= 1],
    formula=lambda pac: pac,
    note=r"Not conversely: 2-RR with indicator, $t = 2$, $\delta = 1/10$, has $\delta = 1/10$ in Def. 15 and fails PAC LDP with $7/10$.",
)
def pac_implies(bound: Any) -> Relations:
    worst = tm.Eq(P, T * Q), tm.Eq(OTHER_1, 0), tm.Eq(OWN_1, DELTA)
    return sharp(P + OWN_1, T * (Q + OTHER_1) + bound(DELTA), *worst)


@PAPER.claim(
    "C.3, B.2.2 (cannot be unbounded)",
    r"$(\epsilon,\delta)$-LDP 'says that the distance between two distributions is always bounded by the given $(\epsilon,\delta)$ pair, i.e. strictly cannot be unbounded'",
    hypotheses=r"the distance as C.3 rewrites it, with $\delta/e^\epsilon$ in the denominator, $\delta > 0$; or the privacy loss, the logarithm of the ratio itself; $t > 1$, $\delta < 1$, $P$, $Q \in (0, 1]$, $P \le t Q + \delta$; for the loss at $t = 2$, $P = \delta = 1/10$ against a bound $c = 100$ on $P/Q$",
    consequence="wording",
    readings={"the distance of C.3": "proved", "the privacy loss": "refuted"},
    formula=lambda p, q, delta, t: p / (q + delta / t),
    mutants={"delta / t^2": lambda p, q, delta, t: p / (q + delta / t**2)},
    note=r"For one output with $P = \delta$ the loss $\ln(P/Q)$ grows without bound as $Q$ falls, and $(\epsilon,\delta)$-LDP allows it, as the Gaussian mechanism shows. In that respect it does "
    "not differ from PAC LDP, which implies it.",
)
def cannot_be_unbounded(distance: Any) -> tuple[Outcome, ...]:
    bound = tm.symbol("c")
    pair = [P > 0, P <= 1, Q > 0, Q <= 1, DELTA > 0, DELTA < 1, T > 1, P <= T * Q + DELTA]
    witness = [tm.Eq(T, 2), tm.Eq(P, DELTA), tm.Eq(DELTA, tm.Rational(1, 10)), tm.Eq(bound, 100)]
    at_most, loss = {"at most t": distance(P, Q, DELTA, T) <= T}, {"P / Q at most c": bound >= P / Q}
    return check_implications(pair, at_most), check_implications([*pair, *witness], loss)


PAPER.claim(
    "C.3 (rewriting)",
    r"Def. 15 can be rewritten as $\Pr[\mathcal{M}(x_1)\in S]/(\Pr[\mathcal{M}(x_2)\in S]+\delta/e^\epsilon)\le e^\epsilon$",
    hypotheses="$P$, $Q$ the two probabilities",
    given=[*unit(P, Q), DELTA > 0, DELTA < 1, T > 1],
    formula=lambda p, q, delta, t: p / (q + delta / t) <= t,
)(lambda condition: {"iff": tm.Equivalent(condition(P, Q, DELTA, T), P <= T * Q + DELTA)})


PAPER.leave_out(
    "C.3 (interpretations of (epsilon, delta))",
    "whether a definition is 'hard to interpret' or 'ambiguous' is no mathematical statement",
)
