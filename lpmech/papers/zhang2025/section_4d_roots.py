"""Section IV.D: discriminants, roots, y_1 to y_3 as restated, (11) and the threshold of epsilon."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_identities
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checks import equals
from lpmech.papers.zhang2025.paper import PAPER, N, T
from lpmech.papers.zhang2025.rows import floor_of
from lpmech.papers.zhang2025.section_4d import E_ABOVE, LEVELS
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

I, U, GOLDEN, R_1, R_3 = tm.symbols("i u g r_1 r_3")  # u stands for e^(epsilon/2)
M_1, M_2 = tm.symbols("m_1 m_2")
#: Square roots of the discriminants as symbols with their defining equations: (8), (9), (10).
END, EVEN, ODD = tm.symbols("D_1 D_2 D_3")
END_SQUARE = N**2 * T + (1 - T) ** 2 / 4
EVEN_SQUARE = T * N**2
ODD_SQUARE = T * (N**2 - 1) + 1

END_ROOT = (END - (N - T / 2 + tm.Rational(1, 2))) / (T - 1)
EVEN_ROOT = N / (U + 1) + 1
ODD_ROOT = (ODD - N) / (T - 1) + 1

ALL_N = [T > 1, N >= 1]
END_GIVEN = [*ALL_N, END > 0, tm.Eq(END**2, END_SQUARE)]
ODD_GIVEN = [*ALL_N, ODD >= 0, tm.Eq(ODD**2, ODD_SQUARE)]
HALF_POWER = [U > 1, tm.Eq(U**2, T)]

for equation, letters, statement, quadratic, claimed in (
    ("(8)", "", r"$\Delta=N^2 e^\epsilon+\frac{1}{4}(1-e^\epsilon)^2>0$", closed.end_point_sum, END_SQUARE),
    ("(9)", "in the sum $i = 2r + 1$, $N = 2M$", r"$\Delta=\frac{e^\epsilon}{4}N^2$", closed.middle_sum_even, EVEN_SQUARE / 4),
    ("(10)", "in the sum $i = 2r + 1$, $N = 2M + 1$", r"$\Delta=\frac{e^\epsilon}{4}(N^2-1)+\frac{1}{4}$", closed.middle_sum_odd, ODD_SQUARE / 4),
):  # fmt: skip

    @PAPER.claim(
        f"after {equation} (discriminant)", statement, hypotheses=letters, given=ALL_N, formula=(quadratic, claimed)
    )
    def discriminant(case: Any, id: str = f"eq. {equation}") -> Parts:
        quadratic, claimed = case
        yield "discriminant", (steps.discriminant(quadratic(T, N, I), I), claimed)
        yield "positive", claimed > 0
        yield PAPER.claims[id].outcome_of(quadratic)


for id, statement, hypotheses, given, quadratic, t, root in (
    (
        "after (8) (root)",
        r"$i_{1r}=(\sqrt{N^2 e^\epsilon+\frac{1}{4}(1-e^\epsilon)^2}-(N-\frac{e^\epsilon}{2}+\frac{1}{2}))/(e^\epsilon-1)$ is a root of (8)",
        *("", END_GIVEN, closed.end_point_sum, T, END_ROOT),
    ),
    (
        "after (9) (root)",
        r"$i=\frac{N}{e^{\epsilon/2}+1}+1$ is a root of (9)",
        *("$t = u^2$", [U > 1, N >= 1], closed.middle_sum_even, U**2, EVEN_ROOT),
    ),
    (
        "after (10) (root)",
        r"$i=\frac{\sqrt{e^\epsilon(N^2-1)+1}-N}{e^\epsilon-1}+1$ is a root of (10)",
        *("", ODD_GIVEN, closed.middle_sum_odd, T, ODD_ROOT),
    ),
):

    @PAPER.claim(id, statement, hypotheses=hypotheses, given=given, formula=root)
    def is_right_root(root: Any, quadratic: Any = quadratic, t: Any = t) -> Relations:
        slope = steps.diff(quadratic(t, N, I), I).at({I: root})
        return {"vanishes at the root": (quadratic(t, N, root), 0), "of the two roots the right one": slope >= 0}


def _restated(constant: Any) -> Any:
    return lambda t, n, i: ((t - 1) * i**2 + 2 * (n - (t - 1)) * i + constant(t, n)) / 4


RIGHT_2, RIGHT_3 = (_restated(lambda t, n, k=k: (t - 1) - 2 * n - n**2 + k) for k in (0, 1))


@PAPER.claim(
    "y_1 as restated",
    r"$y_1=\frac{e^\epsilon-1}{2}i^2+(N-\frac{e^\epsilon}{2}+\frac{1}{2})i-\frac{N^2}{2}-\frac{N}{2}$ is (8)",
    formula=(
        lambda t, n, i: (t - 1) / 2 * i**2 + (n - t / 2 + tm.Rational(1, 2)) * i - n**2 / 2 - n / 2,
        closed.end_point_sum,
    ),
)
@PAPER.claim(
    "y_2 as restated",
    r"$y_2$, restated with the constant $((e^\epsilon-1)-N-N^2)/4$, is (9)",
    hypotheses="even $N$, odd $i$",
    consequence="slip",
    formula=(_restated(lambda t, n: (t - 1) - n - n**2), closed.middle_sum_even),
    control=(RIGHT_2, closed.middle_sum_even),
    note="A slip: (9) has $-2N$ in place of $-N$.",
)
@PAPER.claim(
    "y_2 and y_3 as restated [repaired]",
    r"with $-2N$ the restated $y_2$ and $y_3$ are (9) and (10), and $y_3=y_2+\frac{1}{4}$",
    formula=(lambda t, n, i: RIGHT_2(t, n, i) + tm.Rational(1, 4), closed.middle_sum_odd),
    repairs=["y_2 as restated", "y_3 as restated"],
)
def restated(case: Any, least: int = 2) -> Outcome:
    left, right = (y(T, N, I) for y in case)
    at_two = ({T: 2, N: n, I: i} for n in (least, least + 2) for i in (1, 3))
    return check_identities({"y": (left, right)}, points=at_two, hypotheses=[T > 1, N >= least])


@PAPER.claim(
    "y_3 as restated",
    r"$y_3$, restated with the constant $((e^\epsilon-1)-N-N^2)/4+1/4$, is (10)",
    hypotheses="odd $N$, odd $i$",
    cause="y_2 as restated",
    consequence="slip",
    formula=(_restated(lambda t, n: t - n - n**2), closed.middle_sum_odd),
    control=(RIGHT_3, closed.middle_sum_odd),
    note="A slip: (10) has $-2N$ in place of $-N$.",
)
def restated_odd(case: Any) -> Outcome:
    return restated(case, 3)


@PAPER.claim(
    "Section IV.D (y_3 above y_2)",
    "$y_3$ is $y_2$ shifted up by $1/4$, so its left root is greater and its right root smaller than those of $y_2$",
    hypotheses=r"$y_2$, $y_3$ from (9), (10); roots $1 - N/(t-1) \mp \sqrt{4 \Delta}/(t-1)$",
    given=[*ODD_GIVEN, EVEN > 0, tm.Eq(EVEN**2, EVEN_SQUARE)],
    formula=tm.Rational(1, 4),
)
def shifted(amount: Any) -> Relations:
    return {
        "y_3 - y_2": (closed.middle_sum_odd(T, N, I) - closed.middle_sum_even(T, N, I), amount),
        "left roots": (-ODD - N) / (T - 1) > (-EVEN - N) / (T - 1),
        "right roots": (ODD - N) / (T - 1) < (EVEN - N) / (T - 1),
    }


PAPER.claim(
    "Section IV.D (left root)",
    r"$i_{3l}=1-\frac{N+\sqrt{e^\epsilon(N^2-1)+1}}{e^\epsilon-1}<1$",
    given=ODD_GIVEN,
    formula=1 - (N + ODD) / (T - 1),
)(lambda root: {"(10) at the left root": (closed.middle_sum_odd(T, N, root), 0), "< 1": root < 1})


@PAPER.claim(
    "eq. (11) first line",
    r"$\sqrt{N^2 e^\epsilon+\frac{1}{4}(1-e^\epsilon)^2}<Ne^{\epsilon/2}+\frac{1-e^\epsilon}{2}$, hence $i_{1r}<\frac{Ne^{\epsilon/2}-N}{e^\epsilon-1}$",
    given=[*END_GIVEN, *HALF_POWER],
    replay="e^epsilon = 25, N = 7, where the root is rational",
    consequence="proof",
    formula=(lambda t, n, u: n * u + (1 - t) / 2, lambda t, n, u: (n * u - n) / (t - 1)),
    note=r"A sign slip: $\sqrt{a^2 + b^2} < a + |b|$ with $|b| = (e^\epsilon - 1)/2$. As printed it fails for every $t > 1$ and every $N$.",
    repair=Repair(
        r"$\sqrt{N^2 e^\epsilon+\frac{1}{4}(1-e^\epsilon)^2}<Ne^{\epsilon/2}+\frac{e^\epsilon-1}{2}$, hence $i_{1r}<\frac{Ne^{\epsilon/2}-N}{e^\epsilon-1}+1$",
        formula=(lambda t, n, u: n * u + (t - 1) / 2, lambda t, n, u: (n * u - n) / (t - 1) + 1),
    ),
)
def eq_11_first(bounds: Any) -> Parts:
    square_root, root = bounds
    claimed = steps.value(square_root(T, N, U), {T: 25, N: 7, U: 5})
    yield Instance("e^epsilon = 25, N = 7: sqrt(49 * 25 + 144), its bound", 37, "<", claimed)
    yield "bound of the square root", square_root(T, N, U) > END
    yield "bound of $i_{1r}$", root(T, N, U) > END_ROOT
    from_first = (square_root(T, N, U) - (N - T / 2 + tm.Rational(1, 2))) / (T - 1)
    yield "the second is the first put into $i_{1r}$", (root(T, N, U), from_first)
    yield "attained at N = 0", (square_root(T, 0, U), (T - 1) / 2)
    yield "attained at t = 1", (square_root(Fraction(1), N, Fraction(1)), N)


@PAPER.claim(
    "eq. (11) second line",
    r"$i_{3r}=\frac{\sqrt{e^\epsilon(N^2-1)+1}-(N-e^\epsilon+1)}{e^\epsilon-1}>\frac{e^{\epsilon/2}(N-1)-(N-e^\epsilon+1)}{e^\epsilon-1}$",
    given=[*ODD_GIVEN, ODD > 0, *HALF_POWER],
    formula=lambda t, n, u: (u * (n - 1) - (n - t + 1)) / (t - 1),
)
def eq_11_second(bound: Any) -> Relations:
    def with_root(root: Any) -> Any:
        return (root - (N - T + 1)) / (T - 1)

    return {
        "the expression is the root of (10)": (with_root(ODD), ODD_ROOT),
        "bound": bound(T, N, U) < ODD_ROOT,
        "with e^(epsilon/2) (N - 1) for the square root": (with_root(U * (N - 1)), bound(T, N, U)),
    }


#: b of (11).
LOWER = U * (N - 1) - (N - U**2 + 1)


@PAPER.claim(
    "after (11) (b - a)",
    r"$b-a=e^\epsilon-e^{\epsilon/2}-1=(e^{\epsilon/2}-\frac{1}{2})^2-\frac{5}{4}$ with $a=Ne^{\epsilon/2}-N$, $b=e^{\epsilon/2}(N-1)-(N-e^\epsilon+1)$",
    hypotheses="$t = u^2$",
    given=[U > 1, N >= 2],
    formula=(lambda n, u: n * u - n, lambda u: u**2 - u - 1),
)
def b_minus_a(case: Any) -> Relations:
    a, difference = case
    return {
        "b - a": (LOWER - a(N, U), difference(U)),
        "square": (difference(U), (U - tm.Rational(1, 2)) ** 2 - tm.Rational(5, 4)),
    }


PAPER.claim(
    "after (11) (threshold)",
    r"$b-a>0$ iff $\epsilon>2\ln\frac{\sqrt{5}+1}{2}\approx 0.9624$",
    hypotheses=r"$u = e^{\epsilon/2}$, $g = (\sqrt{5} + 1)/2$; $b - a = u^2 - u - 1$ by 'after (11) (b - a)', the digits by 'after (11) (0.9624)'",
    given=[U > 0, GOLDEN > tm.Rational(1, 2), tm.Eq((2 * GOLDEN - 1) ** 2, 5)],
    formula=lambda g: g,
)(lambda threshold: {"iff u is above the golden ratio": tm.Equivalent(U**2 - U - 1 > 0, threshold(GOLDEN) < U)})


@PAPER.claim(
    "after (11) (0.9624)",
    r"$2\ln\frac{\sqrt{5}+1}{2}\approx 0.9624$, so $\epsilon\ge 1$ is enough for $b-a>0$",
    hypotheses=r"to four digits; $e^{\epsilon/2}$ between rationals from its series with remainder; $u^2 - u - 1$ increases for $u \ge 1/2$",
    every="the sign of u^2 - u - 1 changes within half a digit",
    formula=Fraction("0.9624"),
    mutants={"0.4812": Fraction("0.4812")},
)
def threshold_in_digits(value: Fraction) -> Parts:
    half_digit = Fraction(1, 20000)
    for epsilon, relation in ((value - half_digit, "<"), (value + half_digit, ">"), (Fraction(1), ">")):
        u = exp_bounds(epsilon / 2)[relation == "<"]
        yield Instance(f"epsilon = {float(epsilon)}: u^2 - u - 1", u**2 - u - 1, relation, 0)


PAPER.claim(
    "after (11) (the argument)",
    r"with the sign of (11) put right, the lower bound of $i_{3r}$ minus the upper bound of $i_{1r}$ is $-e^{\epsilon/2}/(e^\epsilon-1)<0$: the comparison $b-a>0$ proves nothing at any $\epsilon$",
    hypotheses="upper bound $a'/(t - 1)$ with $a' = N u - N + t - 1$, lower bound $b/(t - 1)$ with $b$ as printed, $t = u^2$",
    given=[U > 1, N >= 2],
    kind="ours",
    formula=lambda u: -u,
    note=r"The paper's $b - a$ rests on the misprinted first line of (11). The roots are ordered nevertheless, for every $\epsilon > 0$: '`i_3r > i_1r [repaired]`'.",
)(equals((U,), **{"b - a'": LOWER - (N * U - N + U**2 - 1)}))


@PAPER.claim(
    "i_3r > i_1r [repaired]",
    r"$i_{3r}>i_{1r}$ and $\frac{N}{e^{\epsilon/2}+1}+1>i_{1r}$ for every $\epsilon>0$ and every $N\ge 3$",
    hypotheses="square roots by their defining equations",
    formula=3,
    mutants={"every N": 1},
    survivors={
        "3 -> 2": "also true: the claim is about odd N, of which 3 is the next",
        "3 -> 4": "true, and says less",
    },
    note=r"No threshold in $\epsilon$ is needed for the roots. What fails is the step from roots to $m$.",
)
def roots_ordered(smallest: int) -> Parts:
    yield [*END_GIVEN, *ODD_GIVEN[2:], smallest <= N], {"odd N": ODD_ROOT > END_ROOT}
    yield [*END_GIVEN, *HALF_POWER, N >= 2], {"even N": EVEN_ROOT > END_ROOT}


def _floors(t: Fraction, n: int) -> tuple[int, int]:
    second = closed.m_middle_printed(t, n)  # the floor, or one more
    return closed.m_end_point_printed(t, n), second - int(closed.middle_sum_odd(t, n, second) > 0)


@PAPER.claim(
    "after (11) (m_1 <= m_2)",
    r"'$m_1=\lfloor i_{1r}\rfloor$, $m_2=\lfloor i_{3r}\rfloor$, hence $m_1\le m_2$', the floors as printed",
    hypotheses=r"$t > 1$, every odd $N \ge 3$: the roots are ordered; the middle row's $m$ by '`m_2 (odd or even) [repaired]`' is smaller at $N = 5$, $t = 11/4$; $r_1$, $r_3$ the roots",
    given=[tm.Whole(M_1, M_2), R_1 < R_3, floor_of(M_1, R_1)],
    replay="odd N <= 99 and 301, t in {11/4, 3, 4, 7/2, 9, 20, 55, 10^4}; both numbers between the values of (8) and (10) around them",
    formula=(_floors, floor_of),
    note="True of the floors, but used for the $m$ that the rows choose: the middle row's is the largest odd number below $i_{3r}$, 1 against $m_1 = 2$ at $N = 5$, $t = 11/4$. See 'Section IV.D (epsilon >= 1)'.",
)
def m_1_at_most_m_2(case: Any) -> Parts:
    pair, place = case
    for n, t in product((*range(3, 100, 2), 301), [*(t for t in LEVELS if t > E_ABOVE), Fraction(10**4)]):
        first, second = pair(t, n)
        yield Instance(f"N = {n}, t = {t}: m_1, m_2", first, "<=", second)
        for m, quadratic in ((first, closed.end_point_sum), (second, closed.middle_sum_odd)):
            floor = quadratic(t, n, m) <= 0 < quadratic(t, n, m + 1)
            yield floor or f"N = {n}, t = {t}: {m} is not the floor of the root"
    right = (m(Fraction(11, 4), 5) for m in (closed.m_end_point, closed.m_middle))
    yield Instance("N = 5, t = 11/4: m of an end point, of the middle row", next(right), ">", next(right))
    second = tm.And(place(M_2, R_3))
    yield "rounding keeps the order", tm.Implies(second, M_1 <= M_2)
    yield "where the second lies", tm.Equivalent(second, tm.Eq(M_2, tm.floor(R_3)))
    yield from roots_ordered(3)
