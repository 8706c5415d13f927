"""Section 7 and appendices C.4, C.5: what the case studies state about mechanisms, apart from their data."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import both, check_reals, check_sampled_reals
from lpmech.papers.checks import ball, equals, unit
from lpmech.papers.zheng2025.balls import leads, masses, rounds_to, upper_tail
from lpmech.papers.zheng2025.paper import PAPER, T, centred, two_densities, window_cdf
from lpmech.papers.zheng2025.theorem_4 import theorem_scale
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

S, C, HIGH, START, WIDTH, A, B = tm.symbols("s C p l w a b")
AGE, EDGE = tm.Rational(79, 100), tm.Rational(63, 100)
ZERO, ONE = tm.Rational(0), tm.Rational(1)
#: A density p on a window of length w that starts at l, p/t elsewhere.
WINDOW = [HIGH > 0, T > 1, START >= 0, WIDTH > 0, START + WIDTH <= 1, tm.Eq(two_densities(WIDTH, 1, HIGH, T), 1)]


def _cdf(y: Any) -> Any:
    return window_cdf(y, START, WIDTH, HIGH, T)


PAPER.claim(
    "Section 7.2.1 (PM at the ends)",
    r"$\rho=[F(1)-F(0.63)][F(1)-F(0)]=1-F(0.63)$: the cdf of PM is 0 at 0 and 1 at 1",
    hypotheses="a density $p$ on a window of length $w$ inside $[0, 1]$, $p/t$ elsewhere, normalised",
    given=WINDOW,
    formula=lambda cdf: (cdf(0), cdf(1)),
)(equals([_cdf], **{"F(0)": ZERO, "F(1)": ONE}))


PAPER.claim(
    "Section 7.2.1, C.5.1 (PM, other boxes)",
    r"$\rho=(1-F_{\mathrm{Age}}(0.5))F_{\mathrm{BMI}}(0.62)$ for $[0.5,1]\times[0,0.62]$, and $\rho=F_{\mathrm{Age}}(0.72)$ for $[0,0.72]\times[0,1]$",
    hypotheses=r"any box $[a, 1]\times[0, b]$; a density $p$ on a window of length $w$ inside $[0, 1]$, $p/t$ elsewhere, normalised; one window for each feature",
    given=[*WINDOW, *unit(A, B)],
    formula=lambda cdf, a, b: (1 - cdf(a), cdf(b)),
    note=r"C.5.1 has the privacy indicator: 'C.5.1 (PM, indicator)'.",
)(equals((_cdf, A, B), **{"[a, 1]": _cdf(ONE) - _cdf(A), "[0, b]": _cdf(B) - _cdf(ZERO)}))


@PAPER.claim(
    "C.5.1 (PM, indicator)",
    r"with probability at least $\rho$ 'the classifier preserves the correct prediction under the privacy indicator' $I_{0.1}$ and PM, where $\rho=F_{\mathrm{Age}}(0.72)$",
    hypotheses=r"$[0, 0.72]\times[0, 1]$ holds the record; $F = F_{\mathrm{Age}}(0.72)$, the other factor is 1; one indicator for both features, or one for each. The formula is the probability of the box with the indicator",
    given=[*unit(A), *unit(B), B > 0, B < 1],
    formula=lambda rho, delta: delta + (1 - delta) * rho,
    mutants={"the indicator left out": lambda rho, delta: rho + 0 * delta},
    uses=["Section 5.2.1 (utility)"],
    note=r"So it is true, and gives away $0.1(1-F)$, which Section 5.2.1 has. It is the same with an indicator for each feature, as Salary never leaves the box.",
)
def with_indicator(kept: Any) -> Relations:
    value, salary = kept(A, B), B + (1 - B) * ONE
    both_at_once, each_its_own = B + (1 - B) * A * ONE, (B + (1 - B) * A) * salary
    return {"one for each": (value, each_its_own), "one for both": (value, both_at_once), "at least rho": value >= A}


@PAPER.claim(
    "Table 2",
    r"0.94 ms for the theoretical value against 859.83 ms: less than 0.1%",
    hypotheses="the printed times; the least percentage with its decimals that is above both readings",
    family="with or without the 1.53 ms of inference",
    consequence="wording",
    formula="0.1",
    note="$0.94 / 859.83 = 0.1093$ %.",
    repair=Repair(r"0.94 ms is less than 0.11% of 859.83 ms", formula="0.11", hypotheses=""),
)
def table_2(percent: str) -> Parts:
    shares = {whole: 100 * Fraction("0.94") / Fraction(whole) for whole in ("859.83", "861.36")}
    for whole, share in shares.items():
        yield Instance(f"0.94 ms of {whole} ms, {float(share):.4f} percent", share, "<", Fraction(percent))
    last, most = Fraction(1, 10 ** len(percent.partition(".")[2])), max(shares.values())
    yield Instance(
        f"the larger one against {percent} percent, less one in the last place", most, ">=", Fraction(percent) - last
    )


#: Ends of a box and the value in it: Age 79 in [0.63, 1], and the record of the bank, Age 22 in [0, 0.72].
Record = tuple[Fraction, Fraction, Fraction]
PATIENT: Record = (Fraction("0.63"), Fraction(1), Fraction("0.79"))
BANK: Record = (Fraction(0), Fraction("0.72"), Fraction("0.22"))


@PAPER.claim(
    "Section 7.2.1 (PM highest)",
    r"at this record (Age 0.79, $\theta_\diamond=[0.63,1]\times[0,1]$) PM has the highest utility, for $\epsilon=1,\dots,8$",
    hypotheses="the factor of Age; the other factor is 1 for PM, the exponential and the truncated Laplace mechanism, at most 1 for the raw one; Fig. 6a recomputed as far as the text gives data",
    every={"epsilon": range(1, 9)},
    formula="PM",
    mutants={"Exponential": "Exponential", "Laplace": "Laplace"},
)
def pm_highest(best: str) -> Outcome:
    facts: dict[str, tuple[Any, Any]] = {}
    for epsilon in each("epsilon"):
        values = masses(ball(epsilon), *PATIENT)
        facts |= leads(best, f"epsilon = {epsilon}", {n: v for n, v in values.items() if n not in ("SW", "k-RR")})
    return check_reals(facts, "epsilon = 1..8")


@PAPER.claim(
    "Section 7.2.1 (Exponential above Laplace)",
    r"similarly, the exponential mechanism outperforms the Laplace mechanism, for $\epsilon=1,\dots,8$",
    hypotheses="the same record; the exponential mechanism on 101 points with the sign that favours near ones; the normalised BMI is not printed, $24/100$ if scaled like Age 79",
    consequence="wording",
    readings={
        r"raw Laplace, $\epsilon$ up to 7": "proved",
        r"raw Laplace, $\epsilon$ up to 8": "refuted",
        "truncated Laplace": "refuted",
    },
    every={"epsilon up to 7": range(1, 8), "epsilon up to 8": range(1, 9)},
    formula=Fraction(1),
    mutants={"by a factor of three": Fraction(1, 3)},
    note=r"Against the truncated Laplace mechanism it loses at every $\epsilon$. Against the raw one, whose mass outside $[0, 1]$ counts as lost, it wins at $\epsilon = 1,\dots,7$ and loses at 8.",
)
def exponential_above(factor: Fraction) -> tuple[Outcome, ...]:
    at = partial(_below, record=PATIENT, other="0.24", factor=factor)
    return at("Laplace", range(1, 8)), at("Laplace", range(1, 9)), at("truncated Laplace", range(1, 9))


def _below(name: str, levels: range, record: Record, other: str, factor: Fraction = Fraction(1)) -> Outcome:
    """That the mechanism is below the exponential one; raw Laplace noise with its factor for the feature whose side is [0, 1]."""
    facts = {}
    for epsilon in each(f"epsilon up to {levels[-1]}", levels):
        values, whole = masses(ball(epsilon), *record), masses(ball(epsilon), Fraction(0), Fraction(1), Fraction(other))
        value = values[name] * whole[name]
        facts[f"{name} below at epsilon = {epsilon}"] = (value, values["Exponential"] * ball(factor))
    return check_reals(facts, f"epsilon = {levels[0]}..{levels[-1]}")


@PAPER.claim(
    "Section 7.2.2 (Laplace less effective)",
    r"'Laplace and Gaussian mechanisms are less effective here due to their probability mass extending beyond $[0,1]$': at this record (Age 0.22, $\theta_\diamond=[0,0.72]\times[0,1]$) Laplace noise is behind the exponential mechanism for $\epsilon=1,\dots,8$, and truncated to $[0,1]$ ahead of it from 2 on",
    hypotheses=r"101 points; the normalised salary is not printed, raw Laplace noise has its largest factor at $1/2$; the indicator's $\delta = 0.1$ keeps the order; for the Gaussian: 'Section 7.2.2 (Gaussian behind Laplace)'",
    every={"epsilon up to 8": range(1, 9), "epsilon from 2": range(2, 9)},
    formula=("Laplace", "truncated Laplace"),
    mutants={"the other way round": ("truncated Laplace", "Laplace"), "PM": ("PM", "truncated Laplace")},
    note="So the reason given is right, and with the truncation that Section 3 calls common practice the order is another.",
)
def laplace_less_effective(names: tuple[str, str]) -> Outcome:
    raw, truncated = names
    ahead = {epsilon: masses(ball(epsilon), *BANK) for epsilon in range(2, 9)}
    facts = {
        f"{truncated} ahead at epsilon = {e}": (ahead[e]["Exponential"], ahead[e][truncated])
        for e in each("epsilon from 2", ahead)
    }
    inner = masses(ball(2), Fraction("0.1"), Fraction("0.9"), Fraction("0.22"))
    facts[f"{truncated} is {raw} inside (0, 1)"] = (abs(inner[raw] - inner[truncated]), ball("1e-12"))
    return both(_below(raw, range(1, 9), BANK, "0.5"), check_reals(facts, "truncated, epsilon = 2..8"))


@PAPER.claim(
    "Section 7.2.2 (Exponential comparable to PM)",
    r"'the Exponential mechanism performs comparably to the PM mechanism for Logistic Regression': at this record PM is ahead, by 0.047 to 0.092",
    hypotheses=r"Age 0.22, the box $[0, 0.72]\times[0, 1]$, 101 points, $\epsilon = 1,\dots,8$, $\delta + (1 - \delta) \rho$ with $\delta = 0.1$",
    formula=("0.047", "0.092"),
)
def comparable(ends: tuple[str, str]) -> Outcome:
    records = [masses(ball(epsilon), *BANK) for epsilon in range(1, 9)]
    gaps = [ball("0.9") * (values["PM"] - values["Exponential"]) for values in records]
    return check_reals(rounds_to(min(gaps), ends[0]) | rounds_to(max(gaps), ends[1]), "the least and the largest gap")


#: PM with s = e^(epsilon/2); the place of the window of x = 0.79.
SHAPE = [S > 1, C > 0, tm.Eq(2 * C * (S + 1), 1)]
PLACE = centred(AGE, C)
AT_EDGE = equals([C, S], **{"F(0.63)": window_cdf(EDGE, PLACE, 2 * C, S, S**2)})


def _printed(c: Any, s: Any) -> Any:
    return (AGE - c) / s + (c - tm.Rational(16, 100)) * s


PAPER.claim(
    "C.4.2 (0.63 outside the window)",
    r"$F_{\mathrm{PM}}(0.63)=0.63e^{-\epsilon/2}$ for $x=0.79$ if $0.63\notin[l,r]$",
    hypotheses=r"$s = e^{\epsilon/2}$, 0.63 below the window",
    given=[*SHAPE, PLACE > EDGE],
    kind="remark",
    formula=lambda c, s: EDGE / s,
)(AT_EDGE)
PAPER.claim(
    "C.4.2 (0.63 inside the window)",
    r"$F_{\mathrm{PM}}(0.63)=(0.79-C)e^{-\epsilon/2}+(C-0.16)e^{\epsilon/2}$ for $x=0.79$ if $0.63\in[l,r]$",
    hypotheses=r"every $\epsilon > 0$, $s = e^{\epsilon/2}$, 0.63 in the window",
    given=[*SHAPE, PLACE <= EDGE, PLACE + 2 * C >= EDGE],
    consequence="formula",
    kind="remark",
    formula=_printed,
    note=r"For $\epsilon < 0.645$ the window of $x = 0.79$ touches 1 and is $(1 - 2C, 1]$. In the range $1,\dots,8$ of Fig. 6 the formula is right: 'C.4.2 (0.63 inside the window, Fig. 6)'.",
    repair=Repair(
        r"with $l=\min(0.79-C,1-2C)$: $F_{\mathrm{PM}}(0.63)=l\,e^{-\epsilon/2}+(0.63-l)\,e^{\epsilon/2}$",
        formula=lambda c, s: tm.Min(AGE - c, 1 - 2 * c) / s + (EDGE - tm.Min(AGE - c, 1 - 2 * c)) * s,
    ),
)(AT_EDGE)
PAPER.claim(
    "C.4.2 (0.63 inside the window, Fig. 6)",
    r"$F_{\mathrm{PM}}(0.63)=(0.79-C)e^{-\epsilon/2}+(C-0.16)e^{\epsilon/2}$ for the $\epsilon\ge 1$ of Fig. 6",
    hypotheses=r"$s = e^{\epsilon/2} \ge 8/5$, which $\epsilon \ge 1$ implies, 0.63 in the window",
    given=[*SHAPE, PLACE <= EDGE, PLACE + 2 * C >= EDGE, tm.Rational(8, 5) <= S],
    kind="remark",
    formula=_printed,
)(AT_EDGE)


@PAPER.claim(
    "C.5.1 (Gaussian, salary factor)",
    r"$[F_{\mathrm{Gau,Age}}(0.72)-F(0)][F_{\mathrm{Gau,Sal}}(1)-F(0)]=F_{\mathrm{Gau,Age}}(0.72)-F(0)$, i.e. $F_{\mathrm{Gau,Sal}}(1)-F_{\mathrm{Gau,Sal}}(0)=1$",
    hypotheses=r"Gaussian noise with Theorem 4's scale for $\delta = 0.1$, $\epsilon = 1,\dots,8$, normalised salary 0, $1/2$, 1; equality to $10^{-12}$",
    consequence="formula",
    kind="remark",
    formula=lambda x, sigma: arb(1),
    note=r"The factor is at most 0.74 even at $\epsilon = 8$ (salary $1/2$); Section 7.2.2 itself says that the Gaussian mass reaches beyond $[0, 1]$. Truncation would make it 1, but then $F_{\mathrm{Age}}(0)$ must not be subtracted.",
    repair=Repair(
        r"the factor is $\Phi((1-x)/\sigma)-\Phi(-x/\sigma)<1$",
        hypotheses=r"$\epsilon = 1,\dots,8$, normalised salary 0, $1/2$, 1",
        recorded="certified",
        formula=lambda x, sigma: upper_tail(-x / sigma) - upper_tail((1 - x) / sigma),
    ),
)
def salary_factor(factor: Any) -> Outcome:
    facts = {}
    for epsilon in each("epsilon", range(1, 9)):
        sigma = theorem_scale(arb(epsilon), ball("1/10"))
        for place in each("salary", ("0", "1/2", "1")):
            x = ball(place)
            # by the error function around the middle, another route than the two tails of the formula
            truth = (((1 - x) / (sigma * arb(2).sqrt())).erf() + (x / (sigma * arb(2).sqrt())).erf()) / 2
            where = f"epsilon = {epsilon}, salary {place}"
            facts[f"{where}: the factor is at most the true one"] = (factor(x, sigma), truth + ball("1e-12"))
            facts[f"{where}: the factor is at least the true one"] = (truth, factor(x, sigma) + ball("1e-12"))
    return check_sampled_reals(facts, "24 cases")


@PAPER.claim(
    "C.4.1 (k-RR beats SW beyond 6)",
    r"when $\epsilon$ exceeds 6, k-RR outperforms SW",
    hypotheses=r"a box of length $b$ that holds the window of SW and $100 b + 1$ of the 101 points: lost are $(1 - b)(1 - 1/t)/\epsilon$ under SW, $100 (1 - b)/(100 + t)$ under k-RR; "
    "the record's boxes are not printed",
    consequence="wording",
    readings={r"$\epsilon = 7$ and 8, the figure's next steps": "proved", r"every $\epsilon$ above 6": "refuted"},
    every={"epsilon, the next steps": ("7", "8"), "epsilon above 6": ("6.1", "6.2", "7")},
    kind="remark",
    formula=lambda sw, k_rr: (k_rr, sw),
    mutants={"twice as good": lambda sw, k_rr: (2 * k_rr, sw)},
    note=r"The two lose the same at $\epsilon = 6.27$ for every $b$: k-RR wins at 7 and 8, not yet at 6.1 or 6.2.",
)
def beyond_six(order: Any) -> tuple[Outcome, ...]:
    def at(name: str, *levels: str) -> Outcome:
        losses = {e: order((1 - 1 / ball(e).exp()) / ball(e), 100 / (100 + ball(e).exp())) for e in levels}
        named = {f"k-RR loses less at epsilon = {e}": losses[e] for e in each(name, losses)}
        return check_reals(named, "levels " + ", ".join(levels))

    return at("epsilon, the next steps", "7", "8"), at("epsilon above 6", "6.1", "6.2", "7")


DATA = "measured on data sets or classifiers that are not published with the text"
PAPER.leave_out(
    "Fig. 6, 7, 8, 9, 11 to 16",
    f"curves {DATA}; the exact parts of Fig. 6a are 'Section 7.2.1 (PM highest)' and 'Section 7.2.1 (Exponential above Laplace)'",
)
PAPER.leave_out(
    "Section 7.2.2 and 7.2.3 (orderings)", f"orderings {DATA}; at the record that is printed they are claims above"
)
PAPER.leave_out(
    "Section 7.3 (findings)", f"summary of results {DATA}; what holds of the mechanisms alone is 'Takeaway (PM)'"
)
PAPER.leave_out(
    "Section 6 (privacy discussion)", "that a radius may be treated as public is an assumption, not a result"
)
