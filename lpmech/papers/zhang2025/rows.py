"""Section IV.D for every N: the lemmas about the rows of Fig. 3 and their m that several claims rest on."""

from __future__ import annotations

from typing import Any

from lpmech.claims import Parts, each
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.zhang2025.paper import N, T
from lpmech.terms import functions as tm

SIZE, ROW, INDEX, HALF = tm.symbols("N k i h")
#: Row k of Fig. 3 in the upper half, h = floor(i / 2).
IN_THE_TABLE = [
    tm.Whole(SIZE, ROW, INDEX, HALF),
    ROW >= 1,
    2 * ROW <= SIZE + 1,
    INDEX >= 1,
    INDEX <= SIZE,
    2 * HALF <= INDEX,
    INDEX <= 2 * HALF + 1,
]


def sorted_distance(i: Any, k: Any, half: Any) -> Any:
    """The i-th smallest distance of item k <= (N + 1)/2 to 1..N: max(floor(i/2), i - k)."""
    return tm.Max(half, i - k)


def distances_are(formula: Any) -> Parts:
    """The i-th smallest distance is the least d with i items within d."""
    d = formula(INDEX, ROW, HALF)

    def within(distance: Any) -> Any:
        """How many items of 1..N lie within `distance` of item k."""
        return tm.Min(distance, ROW - 1) + tm.Min(distance, SIZE - ROW) + 1

    least = {
        "at least i items within the i-th smallest distance": within(d) >= INDEX,
        "fewer within one less": tm.Or(tm.Eq(d, 0), within(d - 1) < INDEX),
        "not negative": d >= 0,
    }
    yield IN_THE_TABLE, least


#: Derivative numerators of two adjacent rows at one index, and where each first becomes >= 0 (m is one less).
F_OUTER, F_INNER = tm.symbols("f_outer f_inner")
C_OUTER, C_INNER = tm.symbols("c_outer c_inner")


def chains(outer: Any, inner: Any, i: Any, j0: Any) -> Any:
    """Both chains of section IV.D at index i."""
    return tm.And(tm.Implies(i <= j0, outer <= inner), tm.Implies(tm.Not(i <= j0), outer > inner))


def minimum_at_an_end(related: Any) -> Parts:
    """Going inwards c_k does not fall while c_k > 2(k - 1); once c_k <= 2(k - 1) this stays so and c_k does not rise."""
    j0, head, tail = 2 * ROW, tm.symbol("S_head"), tm.symbol("S_tail")
    # the outer sum is less the tail up to j_0, and the head more beyond it
    shifted = tm.Piecewise((F_INNER - tail, j0 >= INDEX), (F_INNER + head, True))
    yield (
        [tm.Whole(ROW, INDEX), ROW >= 1, INDEX >= 1, head > 0, tail >= 0],
        {"the chains": related(shifted, F_INNER, INDEX, j0)},
    )
    at_outer = {
        "inner stops by j_0 => outer not earlier": tm.Implies(j0 >= C_INNER, C_OUTER >= C_INNER),
        "inner stops after j_0 => outer too": tm.Implies(j0 < C_INNER, j0 < C_OUTER),
        "once inside, always inside": tm.Implies(2 * (ROW - 1) >= C_OUTER, j0 >= C_INNER),
    }
    at_inner = {"inner stops after j_0 => outer not later": tm.Implies(j0 < C_INNER, C_OUTER <= C_INNER)}
    for at, follows in each("index", ((C_OUTER, at_outer), (C_INNER, at_inner))):
        stops = [
            *(tm.Implies(at < C_OUTER, F_OUTER < 0), tm.Implies(tm.Eq(at, C_OUTER), F_OUTER >= 0)),
            *(tm.Implies(at < C_INNER, F_INNER < 0), tm.Implies(tm.Eq(at, C_INNER), F_INNER >= 0)),
        ]
        # both sums at the index `at`
        yield (
            [
                tm.Whole(ROW, C_OUTER, C_INNER),
                ROW >= 1,
                C_OUTER >= 2,
                C_INNER >= 2,
                related(F_OUTER, F_INNER, at, j0),
                *stops,
            ],
            follows,
        )


SUM, WEIGHTED, OWN, OTHER, FIRST, SECOND = tm.symbols("S A lambda_1 lambda_2 s_1 s_2")


def pairs_agree(apart: int) -> Parts:
    """Two terms with the same distance have the same sum; S, A: sums of s_j and lambda_j s_j over the other terms."""
    mass = SUM + FIRST + SECOND
    total = WEIGHTED + OWN * FIRST + OTHER * SECOND
    same = {
        "the same sum": (OWN * mass - total, OTHER * mass - total),
        "whatever their own weights": (OWN * mass - total, OWN * SUM - WEIGHTED),
    }
    yield [SUM > 0, FIRST > 0, SECOND > 0, tm.Eq(OTHER, OWN + apart)], same


#: An index, and the right root of (8), (9) or (10): above 1, where the sum is negative.
I, ROOT = tm.symbols("i r")
QUADRATICS = (closed.end_point_sum, closed.middle_sum_even, closed.middle_sum_odd)


def sums_rise(quadratics: Any) -> Parts:
    """(8), (9), (10) increase with i, are negative at i = 1 and not negative at i = N."""
    sums = dict(zip(("(8)", "(9)", "(10)"), zip(quadratics, (2, 2, 3), (1, 2, 2), strict=True), strict=True))
    for name in each("sum", sums):
        f, least, step = sums[name]
        rises = {
            f"{name} increases": f(T, N, I + step) > f(T, N, I),
            f"{name} at 1": f(T, N, 1) < 0,
            f"{name} at N": f(T, N, N) >= 0,
        }
        yield [T > 1, least <= N, I >= 1], rises


def _stops(name: str, quadratic: Any, least: int, place: Any, m: Any, step: int) -> Parts:
    """place(m, root) says exactly that the sum is negative at m and not at the next index: where the loop of Alg. 1 stops."""
    at_root = [T > 1, least <= N, m >= 1, ROOT > 1, tm.Eq(quadratic(T, N, ROOT), 0)]
    stops = tm.And(quadratic(T, N, m) < 0, quadratic(T, N, m + step) >= 0)
    told = f"placed iff {name} is negative at m and not at m + {step}"
    yield at_root, {told: tm.Equivalent(place(m, ROOT), stops)}


def end_row_stops(place: Any) -> Parts:
    """place(m, root of (8)) says exactly where the loop of Alg. 1 stops at an end point."""
    yield from _stops("(8)", closed.end_point_sum, 2, place, tm.symbol("m"), 1)
    yield from sums_rise(QUADRATICS)


def middle_row_stops(place: Any) -> Parts:
    """place(m, root of (9) or (10)) for odd m says exactly where it stops in the middle.

    The terms 2r and 2r + 1 of a middle row have one distance and so one sum (`pairs_agree`): m is odd. The unpaired last
    term of even N has the largest distance and is never raised.
    """
    odd = 2 * tm.symbol("h") + 1
    yield from _stops("(9)", closed.middle_sum_even, 2, place, odd, 2)
    yield from _stops("(10)", closed.middle_sum_odd, 3, place, odd, 2)
    yield from sums_rise(QUADRATICS)
    yield from pairs_agree(0)


def below(m: Any, root: Any) -> Any:
    """m = ceil(root) - 1, the m of an end point with respect to the right root of (8)."""
    return tm.And(m < root, root <= m + 1)


def floor_of(m: Any, root: Any) -> Any:
    """The floor of the root."""
    return tm.And(m <= root, root < m + 1)


def odd_below(m: Any, root: Any) -> Any:
    """The m of a middle row, an odd number, with respect to the right root of (9) or (10)."""
    return tm.And(m < root, root <= m + 2)


def odd_floor_or_next(m: Any, root: Any) -> Any:
    """m_2 as printed, an odd number: the floor of the root, or one more if the floor is even."""
    return tm.And(m - 1 <= root, root < m + 1)
