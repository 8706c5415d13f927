"""Traps for the inside of a prover: names it might use itself, parts it might evaluate too early or not look into."""

from __future__ import annotations

import sympy as sp

from soundness.corpus import Corpus, eq, ge, gt

__all__ = ["CHAPTERS"]

x, y, t, e, g0, g1, s = sp.symbols("x y t e g0 g1 s")
K, m, i, j = sp.symbols("K m i j", integer=True)
K_2, floor_0, floor_1, i_ = sp.symbols("K_2 floor_0 floor_1 i_", integer=True)
floor_real = sp.Symbol("floor_0")
half = sp.Rational(1, 2)

names = Corpus("names")
names.false("a symbol called e is not Euler's number", eq(sp.log(e), 1), e > 0, at={e: 1})
names.false("nor in a power", eq(e**x, sp.exp(x)), e > 0, at={e: 1, x: 1})
names.false("nor squared", eq(e**2, sp.exp(2)), e > 1, at={e: 2})
names.true("but log(e^2) = 2 log e", eq(sp.log(e**2), 2 * sp.log(e)), e > 0)
names.false("a symbol called g0", eq(sp.exp(x), g0), at={x: 0, g0: 0})
names.false(
    "a symbol called g0 beside a sum", eq(sp.Sum(sp.binomial(K, i) ** 3, (i, 0, K)), g0), K >= 1, at={K: 1, g0: 0}
)
names.false("a symbol called g0 that is not positive", gt(g0 + sp.exp(y), 0), at={g0: -2, y: 0})
names.false("g0 is not g1", ge(sp.exp(x) - g0, sp.exp(x) - g1), at={x: 0, g0: 1, g1: 0})
names.false("a symbol called K_2 is not half of K", eq(sp.floor(K / 2), K_2), at={K: 0, K_2: 1})
names.false("nor is the remainder about it", eq(sp.Mod(K, 2), K - 2 * K_2), at={K: 0, K_2: 1})
names.false("a symbol called floor_0", eq(sp.floor(x), floor_0), at={x: 0, floor_0: 1})
names.false("a symbol called floor_1", eq(sp.floor(x), floor_1), at={x: 0, floor_1: 1})
names.false(
    "a real symbol called floor_0", gt(sp.floor(x), floor_real - 1), floor_real <= x + 1, at={x: 0, floor_real: 1}
)
names.true("an index with the name of a free symbol", eq(sp.Sum(i, (i, 1, i)), i * (i + 1) / 2), i >= 1)
names.false(
    "an index with the name of a free symbol, off by one", eq(sp.Sum(i, (i, 1, i)), i * (i - 1) / 2), i >= 1, at={i: 1}
)
names.true("an index that is free elsewhere", eq(sp.Sum(i, (i, 1, K)) + i, K * (K + 1) / 2 + i), K >= 1)
names.false(
    "an index that is free elsewhere is another symbol", eq(sp.Sum(i, (i, 1, K)), K * i), K >= 1, at={K: 2, i: 1}
)
names.false(
    "an index beside a free symbol with an underscore",
    eq(sp.Sum(i + i_, (i, 1, K)) + i, K * (K + 1) / 2 + K * i + i),
    K >= 1,
    at={K: 1, i: 0, i_: 1},
)
names.true(
    "two sums with one index",
    eq(sp.Sum(i, (i, 1, K)) * sp.Sum(i, (i, 1, m)), K * (K + 1) * m * (m + 1) / 4),
    K >= 1,
    m >= 1,
)
names.false(
    "nested sums with one index",
    eq(sp.Sum(sp.Sum(i, (i, 1, m)), (i, 1, K)), sp.Sum(i * m, (i, 1, K))),
    K >= 1,
    m >= 1,
    at={K: 1, m: 2},
)
names.true(
    "nested sums with one index, read right",
    eq(sp.Sum(sp.Sum(i, (i, 1, m)), (i, 1, K)), K * m * (m + 1) / 2),
    K >= 1,
    m >= 1,
)
names.false(
    "a real symbol and an index of one name", eq(sp.Sum(sp.Symbol("x"), (i, 1, K)), K**2), K >= 1, at={x: 0, K: 1}
)

#: Right up to 1000, so that only a proof, not a search among small numbers, is asked about the rest.
far = 1000
names.false("e beyond 1000", eq(sp.Piecewise((sp.log(e), e > far), (1, True)), 1), e > 0, at={e: 2000})
names.false("g0 beyond 1000", eq(sp.Piecewise((sp.exp(x), x > far), (g0, True)), g0), at={x: 1001, g0: 0})
names.false(
    "g0 beyond 1000, a binomial",
    eq(sp.Piecewise((sp.binomial(K, m), far < K), (g0, True)), g0),
    K >= 1,
    m >= 2,
    at={K: 1001, m: 2, g0: 0},
)
names.false("K_2 beyond 1000", eq(sp.Piecewise((sp.floor(K / 2), far < K), (K_2, True)), K_2), at={K: 1001, K_2: 1})
names.false(
    "floor_0 beyond 1000", eq(sp.Piecewise((sp.floor(x), x > far), (floor_0, True)), floor_0), at={x: 1001, floor_0: 1}
)
names.false(
    "floor_1 beyond 1000", eq(sp.Piecewise((sp.floor(x), x > far), (floor_1, True)), floor_1), at={x: 1001, floor_1: 1}
)

early = Corpus("evaluated early")
early.false("x times 1/x, unevaluated", eq(sp.Mul(x, sp.Pow(x, -1, evaluate=False), evaluate=False), 1), at={x: 0})
early.false("a square root squared, unevaluated", eq(sp.Pow(sp.sqrt(x), 2, evaluate=False), x), at={x: -1})
early.false("both sides alike, undefined at a point", eq(sp.log(x), sp.log(x)), x > -1, at={x: 0})
early.false("an absolute value is not negative where it is defined", ge(sp.Abs(sp.log(x)), 0), at={x: -1})
early.false("a maximum with a pole", ge(sp.Max(1 / x, 1), 1), at={x: 0})
early.false("a minimum with a pole", ge(1, sp.Min(1 / x, 1)), x > -1, at={x: 0})
early.false("a remainder is below its divisor", gt(2, sp.Mod(1 / x, 2)), at={x: 0})
early.false("a floor of a pole", ge(1 / x, sp.floor(1 / x)), at={x: 0})
early.false("a factorial of a negative number", ge(sp.factorial(K), 1), at={K: -1})
early.false("a factorial of a half", ge(sp.factorial(x), 0), x >= 0, at={x: half})
early.false("zero times a pole, unevaluated", eq(sp.Mul(0, 1 / x, evaluate=False), 0), at={x: 0})
early.false("an exponential of a pole", gt(sp.exp(1 / x), 0), at={x: 0})
early.false("a square of a pole", ge((1 / x) ** 2, 0), at={x: 0})
early.false(
    "an even root of a negative number, squared inside",
    ge(sp.Mul(sp.sqrt(x) ** 3, sp.sqrt(x), evaluate=False), 0),
    x > -1,
    at={x: -half},
)

inside = Corpus("inside")
total = sp.Sum(1 / (i - 3), (i, 1, K))
inside.false("a pole inside a sum inside a disjunction", sp.Or(gt(total, 5), gt(6, total)), K >= 1, at={K: 3})
inside.false("a pole inside a sum, squared", ge(total**2, 0), K >= 1, at={K: 3})
inside.true("the same below the pole", ge(total**2, 0), K >= 1, K <= 2)
inside.false(
    "a pole inside a sum in a premise", sp.Implies(gt(total, 5), gt(total, 4), evaluate=False), K >= 1, at={K: 3}
)
inside.false("a pole inside a sum under a negation", sp.Not(eq(total, total + 1), evaluate=False), K >= 1, at={K: 3})
inside.false("a sum to a real number", ge(sp.Sum(i, (i, 1, x)) ** 2, 0), x >= 1, at={x: sp.Rational(3, 2)})
inside.false("a sum of three terms from a real number", eq(sp.Sum(i, (i, x, x + 2)), 3 * x + 3), at={x: half})
inside.true("a sum of three terms from a whole number", eq(sp.Sum(i, (i, m, m + 2)), 3 * m + 3))
inside.false("a sum to half of K", eq(sp.Sum(1, (i, 1, K / 2)), K / 2), K >= 2, at={K: 3})
inside.true("a sum to the floor of half of K", eq(sp.Sum(1, (i, 1, sp.floor(K / 2))), sp.floor(K / 2)), K >= 2)
inside.false("a sum that starts above its end", eq(sp.Sum(i, (i, 5, K)), K * (K + 1) / 2 - 10), K >= 1, at={K: 1})
inside.true("a sum that starts just above its end", eq(sp.Sum(i, (i, 5, K)), K * (K + 1) / 2 - 10), K >= 4)
inside.false(
    "a product that starts above its end", eq(sp.Product(i, (i, 5, K)), sp.factorial(K) / 24), K >= 1, at={K: 1}
)
inside.false(
    "a geometric sum that starts above its end",
    eq(sp.Sum(2**i, (i, m, K)), 2 ** (K + 1) - 2**m),
    m >= 0,
    K >= 0,
    at={m: 3, K: 0},
)
inside.false(
    "a sum of a definition with a gap",
    eq(sp.Sum(sp.Piecewise((1, i < m), (1, i > m)), (i, 1, K)), K),
    m >= 1,
    m <= K,
    at={m: 1, K: 1},
)
inside.true(
    "a sum of a definition whose gap is outside",
    eq(sp.Sum(sp.Piecewise((1, i < m), (1, i > m)), (i, 1, K)), K),
    K >= 1,
    m > K,
    only={K: 3, m: 5},
)
inside.false(
    "a gap inside a disjunction", sp.Or(gt(sp.Piecewise((1, x < 0), (2, x > 0)), 0), gt(0, x**2 + 1)), at={x: 0}
)
inside.false("Kleene: an undefined part beside a false one", sp.Or(gt(1 / x, 0), gt(0, 1 / x)), at={x: 0})
inside.true("Kleene: an undefined part beside a true one", sp.Or(gt(1 / x, 0), gt(0, 1 / x), eq(x, 0)))
inside.false(
    "a root that may vanish, taken for positive",
    gt(sp.sqrt(sp.log((t**2 - 2) ** 2 + 1)), 0),
    t > 1,
    sp.exp(y) >= half,
    sp.exp(y) > 0,
    at={t: sp.sqrt(2), y: 0},
)
inside.false(
    "the same under a log",
    gt(sp.sqrt(sp.exp((t**2 - 2) ** 2) - 1), 0),
    t > 1,
    ge(sp.log(y), 1),
    y > 0,
    at={t: sp.sqrt(2), y: 3},
)
inside.false(
    "a square root of a square that may vanish, in a denominator",
    eq(sp.sqrt((t**3 - 2) ** 2) / sp.Abs(t**3 - 2), 1),
    t > 1,
    at={t: sp.cbrt(2)},
)
inside.false("a cubic irrational", sp.Ne(t**3 - t - 1, 0), t > 1, at={t: sp.CRootOf(x**3 - x - 1, 0)})
inside.false("a transcendental coincidence", sp.Ne(sp.log(t), 1), t > 1, at={t: sp.E})
inside.false("a transcendental pole", eq((sp.log(t) ** 2 - 1) / (sp.log(t) - 1), sp.log(t) + 1), t > 1, at={t: sp.E})
inside.false("e^x - 3 vanishes", eq((sp.exp(2 * x) - 9) / (sp.exp(x) - 3), sp.exp(x) + 3), at={x: sp.log(3)})
inside.false("2^x - 3 vanishes over the reals", sp.Ne(2**x, 3), at={x: sp.log(3) / sp.log(2)})
inside.true("but not over the integers", sp.Ne(2**K, 3), K >= 0)
inside.false("t^K at K = 0 is 1", gt(t**K, 1), t > 1, K >= 0, at={t: 2, K: 0})
inside.false("a large exponent", sp.Ne(2**K, 2**60), K >= 0, at={K: 60})
inside.false("exactly one large number", sp.Ne(K**2, 10**20), K >= 0, at={K: 10**10})
inside.false(
    "Pell's equation has solutions", sp.Ne(K**2 - 61 * m**2, 1), K >= 2, m >= 1, at={K: 1766319049, m: 226153980}
)

inside.false(
    "empty sums beyond 1000",
    eq(
        sp.Sum(i, (i, 5, sp.Piecewise((1, far < K), (K, True)))),
        sp.Piecewise((-9, far < K), (K * (K + 1) / 2 - 10, True)),
    ),
    K >= 5,
    at={K: 1001},
)
inside.false(
    "empty sum where K is beyond 1000",
    eq(
        sp.Piecewise((sp.Sum(i, (i, K, 5)), far < K), (0, True)),
        sp.Piecewise((15 - K * (K - 1) / 2, far < K), (0, True)),
    ),
    K >= 1,
    at={K: 1001},
)
inside.false("a sum with a pole at 1001", ge(sp.Sum(1 / (i - 1001), (i, 1, K)) ** 2, 0), K >= 1, at={K: 1001})
inside.false(
    "a telescoping sum across a pole at 1001",
    eq(sp.Sum(1 / ((i - 1001) * (i - 1000)), (i, 1, K)), 1 / sp.S(-1000) - 1 / (K - 1000)),
    K >= 1,
    at={K: 1000},
)
inside.false("a pole at 1001 in a disjunction", sp.Or(gt(1 / (K - 1001), 5), gt(6, 1 / (K - 1001))), at={K: 1001})
inside.false(
    "a pole at 1001 inside a sum in a disjunction",
    sp.Or(gt(sp.Sum(1 / (i - 1001), (i, 1, K)), 5), gt(6, sp.Sum(1 / (i - 1001), (i, 1, K)))),
    K >= 1,
    at={K: 1001},
)
inside.false("a factorial of a negative number beyond 1000", ge(sp.factorial(1000 - K) ** 2, 0), K >= 0, at={K: 1001})
inside.false(
    "a root of a negative number beyond 1000",
    ge(sp.Mul(sp.sqrt(1000 - x) ** 3, sp.sqrt(1000 - x), evaluate=False), 0),
    x >= 0,
    at={x: 1001},
)
inside.false(
    "a sum to a real number beyond 1000",
    eq(sp.Sum(i, (i, x, x + 2)), 3 * x + 3),
    eq(sp.Piecewise((sp.floor(x), x < far), (x, True)), x),
    at={x: far + half},
)

#: What is known of a part holds only where the part is defined.
apart = Corpus("parts apart")
factorial = sp.factorial
apart.false(
    "a factorial that is not defined throughout, beside another",
    sp.Or(sp.And(K >= 1000, gt(factorial(K - 1000), 0)), sp.Ne(factorial(K - 990), 362880)),
    K >= 990,
    at={K: 999},
)
apart.false(
    "a root that is not defined throughout, in a disjunction",
    sp.Or(ge(sp.sqrt(x - 1000), 0), sp.Ne(x, 777)),
    x >= 0,
    at={x: 777},
)
apart.false(
    "a root that is not defined throughout, in a hypothesis",
    sp.Ne(x, sp.Rational(777, 1000)),
    x >= 0,
    sp.Or(x < 1, sp.sqrt(x - 1) < 3),
    at={x: sp.Rational(777, 1000)},
)
apart.true(
    "a root that is not defined throughout, in a hypothesis that is not needed",
    ge(x + 1, 1),
    x >= 0,
    sp.Or(x < 1, sp.sqrt(x - 1) < 3),
)
apart.false(
    "a logarithm that is not defined throughout, in a hypothesis",
    sp.Ne(x, -777),
    sp.Or(x < 0, sp.log(x) < 3),
    at={x: -777},
)
apart.false(
    "a root of a product, in a hypothesis", sp.Ne(x * y, -777), sp.Or(x * y < 0, sp.sqrt(x * y) < 3), at={x: -777, y: 1}
)
apart.false(
    "a binomial beyond its range, in a hypothesis",
    sp.Ne(m, 777),
    K >= 1,
    m >= 0,
    sp.Or(m > K, sp.binomial(K, m) <= K**2),
    at={K: 3, m: 777},
)
apart.false(
    "a power of a sum that may vanish, in a premise",
    sp.Implies(gt((x + y) ** K, 0), sp.Ne(x + y, 777)),
    K >= 1,
    at={x: 777, y: 0, K: 1},
)
apart.false(
    "an implication whose premise is undefined",
    sp.Implies(gt(sp.sqrt(x), 0), gt(x, 0), evaluate=False),
    x > -1,
    at={x: -half},
)
apart.false("the converse of a monotone function", sp.Implies(gt(x**2, y**2), gt(x, y)), at={x: -2, y: 1})
apart.false("the odd one out far away", sp.Or(eq(sp.Mod(K, 2), 1), eq(sp.Mod(K, 2), 0) & sp.Ne(K, 5000)), at={K: 5000})

CHAPTERS = [names, early, inside, apart]
