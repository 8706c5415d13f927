"""Traps for the steps of a prover: what it puts in for a symbol, an index, an empty range, a bound, and when."""

from __future__ import annotations

import sympy as sp

from soundness.corpus import Corpus, eq, ge

__all__ = ["CHAPTERS"]

x, y, z, t = sp.symbols("x y z t")
K, m, n, i = sp.symbols("K m n i", integer=True)

#: Right up to here, so that no search among small numbers helps.
far = 1000


def beyond(value: sp.Expr, otherwise: sp.Expr) -> sp.Expr:
    """A value that is asked for beyond K = 1000 only."""
    return sp.Piecewise((value, far < K), (otherwise, True))


put_in = Corpus("put in")
put_in.false("x = y cancels a pole", eq((x - 1001) / (y - 1001), 1), eq(x, y), at={x: 1001, y: 1001})
put_in.false("x = 0 removes a logarithm", eq(x * sp.log(y + far), 0), eq(x, 0), at={x: 0, y: -1001})
put_in.false("x = 0 below a fraction", sp.Or(1 / x > 0, y < far), eq(x, 0), at={x: 0, y: far})
put_in.true("x = 0 below a fraction, beside what is true", sp.Or(1 / x > 0, y > 1), eq(x, 0), y > 2, only={x: 0})
put_in.true("an equation for an integer", sp.Ne(2 * K + 1, 2 * m), far <= K, only={K: 1003})
put_in.true("an equation with a root says that it is defined", x >= 0, eq(y, sp.sqrt(x)), only={x: 9, y: 3})
put_in.true("an equation with a fraction says so, too", sp.Ne(x, 0), eq(y, 1 / x), only={x: 2, y: sp.Rational(1, 2)})
put_in.false("bounds in a ring", ge(x, -far), x >= y, y >= x, at={x: -1001, y: -1001})
put_in.false("bounds in a longer ring", ge(x, -far), x >= y, y >= z, z >= x, at={x: -1001, y: -1001, z: -1001})
put_in.false(
    "a pole that is excluded in one branch only",
    eq(sp.Mul(x - 7, 1 / (x - 7), evaluate=False) + sp.Piecewise((1 / (x - 7), x > 9), (0, True)), 1),
    x <= 9,
    at={x: 7},
)

ranges = Corpus("ranges")
two = sp.Sum(sp.Piecewise((5, i < 2), (7, True)), (i, 1, K))
ranges.false("a range of one term", eq(beyond(two, 7 * K), 7 * K), K >= 2, at={K: 1001})
ranges.true("a range of one term, counted right", eq(two, 7 * K - 2), K >= 2)
same = sp.Sum(sp.Piecewise((1, i < m), (2, sp.Eq(i, n)), (1, True)), (i, 1, K))
ranges.false("two branches of one value", eq(beyond(same, K), K), m >= 1, n > m, n <= K, at={K: 1001, m: 1, n: 2})
ranges.false(
    "an index within itself",
    ge(sp.Sum(sp.Sum(1 / (i - 1001), (i, 1, m)), (i, 1, K)) ** 2, 0),
    K >= 1,
    K <= 5,
    m >= 1,
    at={K: 1, m: 1001},
)
ranges.false(
    "a constant that cancels the length", eq(sp.Sum(1 / (K - m), (i, m + 1, K)), 1), m <= K, m >= 1007,
    at={K: 1007, m: 1007},
)  # fmt: skip
ranges.false(
    "terms that cancel the length", eq(sp.Sum(i / (K - m), (i, m + 1, K)), (K + m + 1) / 2), m <= K, m >= 1007,
    at={K: 1007, m: 1007},
)  # fmt: skip
ranges.true("the same where there is a term", eq(sp.Sum(1 / (K - m), (i, m + 1, K)), 1), m < K, m >= 1)
ranges.false(
    "a binomial of a negative number", eq(sp.binomial(K, m), sp.Piecewise((sp.binomial(K, m), -far < K), (0, True))),
    m >= 0,
    at={K: -far, m: 0},
)  # fmt: skip
ranges.true("Pascal above a negative number", eq(sp.binomial(K, m), sp.binomial(K - 1, m) + sp.binomial(K - 1, m - 1)), m >= 1)  # fmt: skip
ranges.false(
    "an induction through a pole", ge(2**K / (1007 - K), 0), K >= 1, sp.Ne(K, 1007), at={K: 1008}
)  # fmt: skip

ranges.false(
    "a sum of binomials at one K, below a minimum",
    eq(sp.Min(sp.Sum(i * sp.binomial(K, i), (i, 0, K)), K + sp.Sum(i * sp.binomial(K, i), (i, 0, K))),
       2 ** (K - 1) * K + sp.Piecewise((1, sp.Eq(K, 50)), (0, True))),
    K >= 1,
    at={K: 50},
)  # fmt: skip

poles = sp.Mul(i - far, sp.Pow(i - far, -1, evaluate=False), evaluate=False)
ranges.false("a cancelled pole below a sum", eq(sp.Sum(poles, (i, 1, K)), K), K >= 1, at={K: far})
ranges.true("the same before the pole", eq(sp.Sum(poles, (i, 1, K)), K), K >= 1, far > K)

values = Corpus("values")
values.true("zero to an irrational power", ge(x ** sp.sqrt(2), 0), x >= 0)
values.true("minus one to the square of sqrt 2", eq((-1) ** (t**2), 1), eq(t**2, 2), t > 0, only={t: sp.sqrt(2)})
values.true(
    "the factorial of the square of sqrt 2", eq(sp.factorial(t**2), 2), eq(t**2, 2), t > 0, only={t: sp.sqrt(2)}
)
values.false("a square that vanishes at a root of degree five", sp.Gt((t**5 - t - far) ** 2, 0), t > 1, at={t: sp.CRootOf(x**5 - x - far, 0)})  # fmt: skip
values.false("a symbol with any name", ge(sp.Symbol("a|b c"), -far), at={sp.Symbol("a|b c"): -1001})

values.false(
    "a maximum of terms that meet at a cubic root",
    eq(sp.Max(y * t, y * t - (t + 1) / sp.sqrt(t)), y * t - sp.Piecewise((1, eq(x, sp.Rational(7, 24))), (0, True))),
    t > 1, x >= 0, y > 0, x + y <= 1,
    at={t: 3, x: sp.Rational(7, 24), y: sp.Rational(1, 4)},
)  # fmt: skip

CHAPTERS = [put_in, ranges, values]
