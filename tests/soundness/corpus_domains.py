"""Traps about domains: poles, roots, logarithms, branches, empty sums, vacuous hypotheses, assumptions on symbols."""

from __future__ import annotations

import sympy as sp

from soundness.corpus import Corpus, eq, ge, gt

__all__ = ["CHAPTERS"]

x, y, t, p, q, lam = sp.symbols("x y t p q lam")
K, m, n, i = sp.symbols("K m n i", integer=True)
half = sp.Rational(1, 2)

poles = Corpus("poles")
poles.false("a cancelled pole", eq((K**2 - 18 * K + 81) / (K - 9) ** 2, 1), K >= 2, at={K: 9})
poles.true("the same, the pole left out", eq((K**2 - 18 * K + 81) / (K - 9) ** 2, 1), K >= 10)
poles.false("the pole left in at the edge", eq((K**2 - 18 * K + 81) / (K - 9) ** 2, 1), K >= 9, at={K: 9})
poles.false("difference of squares", eq((x**2 - y**2) / (x - y), x + y), at={x: 1, y: 1})
poles.true("difference of squares off the diagonal", eq((x**2 - y**2) / (x - y), x + y), sp.Ne(x, y))
poles.true("a pole at a half integer", eq((4 * K**2 - 1) / (2 * K - 1), 2 * K + 1))
poles.false("the same over the reals", eq((4 * x**2 - 1) / (2 * x - 1), 2 * x + 1), at={x: half})
poles.true("a pole at sqrt 2 over the integers", eq((K**4 - 4) / (K**2 - 2), K**2 + 2))
poles.false("a pole at sqrt 2", eq((t**4 - 4) / (t**2 - 2), t**2 + 2), t > 1, at={t: sp.sqrt(2)})
poles.true("a pole at sqrt 2, left out", eq((t**4 - 4) / (t**2 - 2), t**2 + 2), t > 2)
poles.true("no pole over the reals", eq((x**4 - 1) / (x**2 + 1), x**2 - 1))
poles.false("a quotient that is positive where it is defined", ge((x**3 - x**2) / (x - 1), 0), at={x: 1})
poles.false("a pole under a strict sign", gt(1 / (x - 3) ** 2, 0), x > 2, at={x: 3})
poles.true("poles of both sides cancel nothing", eq(1 / (t - 1) - 1 / (t + 1), 2 / (t**2 - 1)), t > 1)
poles.false("a pole inside an absolute value", ge(sp.Abs(x / (x - 2)), 0), at={x: 2})
poles.false("a pole in one branch of a minimum", ge(1, sp.Min(1 / x, 1)), at={x: 0})
poles.true(
    "a pole in a branch never taken",
    eq(sp.Piecewise((1 / x, x > 0), (0, True)) * x, sp.Piecewise((1, x > 0), (0, True))),
)
poles.false("a pole in a branch that is taken", ge(sp.Piecewise((1 / x, x >= 0), (1, True)), -1), x > -1, at={x: 0})
poles.false("x/x^2 is 1/x, also at 0?", eq((x**2 + x) / (x**3 + x**2), 1 / x), x > -1, at={x: 0})
poles.false(
    "zero divided by zero is not zero",
    eq((K - 2) * (K - 3) / ((K - 2) * (K - 3) + (K - 2) ** 2), (K - 3) / (2 * K - 5)),
    K >= 2,
    at={K: 2},
)
poles.false("rows of RR without K >= 2", eq((t + K - 1) / (t + K - 1) ** 2, 1 / (t + K - 1)), t > 1, at={t: 2, K: -1})

roots = Corpus("roots")
roots.true("sqrt of a square is the absolute value", eq(sp.sqrt(x**2), sp.Abs(x)))
roots.false("sqrt of a square is not the number", eq(sp.sqrt(x**2), x), at={x: -1})
roots.true("but it is for x >= 0", eq(sp.sqrt(x**2), x), x >= 0)
roots.false("sqrt(x y) = sqrt x sqrt y", eq(sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)), at={x: -1, y: -1})
roots.true(
    "sqrt(x y) = sqrt x sqrt y for non-negative numbers", eq(sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)), x >= 0, y >= 0
)
roots.true("sqrt((t-1)^2)", eq(sp.sqrt(t**2 - 2 * t + 1), t - 1), t > 1)
roots.false("sqrt((t-2)^2)", eq(sp.sqrt(t**2 - 4 * t + 4), t - 2), t > 1, at={t: sp.Rational(3, 2)})
roots.true("nested roots", eq(sp.sqrt(3 + 2 * sp.sqrt(2)), 1 + sp.sqrt(2)))
roots.false("nearly a root", eq(sp.sqrt(3 + 2 * sp.sqrt(2)), sp.Rational(2414213562373095, 10**15)), at={})
roots.true(
    "square-root factors of t - 1",
    eq(((sp.sqrt(t) - 1) * (sp.sqrt(t) + 1) + 1) / (t + K - 1), t / (t + K - 1)),
    t > 1,
    K >= 2,
)
roots.true("a cube root of a cube", eq((t**3) ** sp.Rational(1, 3), t), t > 1)
roots.false("a cube root of a negative number", eq((x**3) ** sp.Rational(1, 3), x), at={x: -1})
roots.false("a root without its domain", ge(sp.sqrt(x), 0), x > -1, at={x: -half})
roots.true("a root with its domain", ge(sp.sqrt(x), 0), x >= 0)
roots.true("x - 2 sqrt x + 1 is a square", ge(x - 2 * sp.sqrt(x) + 1, 0), x >= 0)
roots.false("and it has a zero", gt(x - 2 * sp.sqrt(x) + 1, 0), x >= 0, at={x: 1})
roots.false(
    "the other branch of the root", eq(sp.sqrt(x + 1) ** 2 + sp.sqrt((x - 1) ** 2), 2 * x), x >= 0, at={x: half}
)
roots.true("rationalised", eq(1 / (sp.sqrt(t) - 1), (sp.sqrt(t) + 1) / (t - 1)), t > 1)
roots.true("symmetric unary encoding", eq(sp.sqrt(t) / (sp.sqrt(t) + 1) + 1 / (sp.sqrt(t) + 1), 1), t > 1)
roots.false(
    "sqrt(a + b) = sqrt a + sqrt b", eq(sp.sqrt(x + y), sp.sqrt(x) + sp.sqrt(y)), x >= 0, y >= 0, at={x: 1, y: 1}
)
roots.true("sqrt is subadditive", ge(sp.sqrt(x) + sp.sqrt(y), sp.sqrt(x + y)), x >= 0, y >= 0)
roots.true("sixth roots", eq(sp.Mul(sp.sqrt(t), sp.cbrt(t), evaluate=False), t ** sp.Rational(5, 6)), t > 1)

logs = Corpus("logs")
logs.false("log of a product", eq(sp.log(x * y), sp.log(x) + sp.log(y)), at={x: -1, y: -1})
logs.true("log of a product of positive numbers", eq(sp.log(x * y), sp.log(x) + sp.log(y)), x > 0, y > 0)
logs.false("log of a square", eq(sp.log(x**2), 2 * sp.log(x)), sp.Ne(x, 0), at={x: -1})
logs.true("log of a square, x > 0", eq(sp.log(x**2), 2 * sp.log(x)), x > 0)
logs.true("log of a square by the absolute value", eq(sp.log(x**2), 2 * sp.log(sp.Abs(x))), sp.Ne(x, 0))
logs.true("exp of log", eq(sp.exp(2 * sp.log(x), evaluate=False), x**2), x > 0)
logs.true("log of exp", eq(sp.log(sp.exp(x)), x))
logs.false("log without its domain", ge(x - 1, sp.log(x)), at={x: -1})
logs.false("log at zero", ge(x - 1, sp.log(x)), x >= 0, at={x: 0})
logs.true("log x <= x - 1", ge(x - 1, sp.log(x)), x > 0)
logs.true("epsilon and t", eq(sp.exp(sp.log(t) / 2, evaluate=False), sp.sqrt(t)), t > 1)

branches = Corpus("branches")
branches.false("a gap between branches", ge(sp.Piecewise((1, x < 0), (2, x > 0)), 0), at={x: 0})
branches.false("a gap at sqrt 2", eq(sp.Piecewise((1, t**2 < 2), (1, t**2 > 2)), 1), t > 1, at={t: sp.sqrt(2)})
branches.true(
    "a gap at sqrt 2 between rationals' squares, over the integers", eq(sp.Piecewise((1, K**2 < 2), (1, K**2 > 2)), 1)
)
branches.true("branches that cover x >= 0", ge(sp.Piecewise((x, x >= 0)), 0), x >= 0)
branches.false(
    "overlapping branches: the first counts", eq(sp.Piecewise((1, x > 0), (2, x > -1), (3, True)), 2), x > -1, at={x: 1}
)
branches.true(
    "overlapping branches, where they agree",
    eq(sp.Piecewise((x**2, x >= 0), (x * sp.Abs(x), x >= 0), (-(x**2), True)), x * sp.Abs(x)),
)
branches.false(
    "agrees everywhere but at sqrt 2",
    eq(sp.Piecewise((1, sp.Eq(t**2, 2)), (t / (t + 1), True)), t / (t + 1)),
    t > 1,
    at={t: sp.sqrt(2)},
)
branches.true("never at a rational: over the integers", eq(sp.Piecewise((1, sp.Eq(K**2, 2)), (0, True)), 0))
branches.true("a branch at a t below 1", eq(sp.Piecewise((7, sp.Eq(2 * t, 1)), (t, True)), t), t > 1)
branches.false(
    "a branch at exactly one K", eq(sp.Piecewise((0, sp.Eq(K, 1000003)), (K, True)), K), K >= 2, at={K: 1000003}
)
branches.false(
    "right but for an interval of width 10^-6",
    eq(sp.Piecewise((1, sp.And(t > 7, t < 7 + sp.Rational(1, 10**6))), (0, True)), 0),
    t > 1,
    at={t: 7 + sp.Rational(1, 10**7)},
)
branches.true("maximum as branches", eq(sp.Max(x, y), sp.Piecewise((x, x >= y), (y, True))))
branches.true(
    "strict or weak at the tie does not matter",
    eq(sp.Piecewise((x, x > y), (y, True)), sp.Piecewise((x, x >= y), (y, True))),
)
branches.false(
    "but here it does", eq(sp.Piecewise((1, x > y), (0, True)), sp.Piecewise((1, x >= y), (0, True))), at={x: 0, y: 0}
)
branches.false(
    "only at a triple tie",
    eq(sp.Piecewise((1, sp.And(sp.Eq(p, q), sp.Eq(q, x))), (0, True)), 0),
    p >= 0,
    q >= 0,
    x >= 0,
    p + q + x <= 1,
    at={p: half / 2, q: half / 2, x: half / 2},
)
branches.true(
    "a triple tie that cannot be", eq(sp.Piecewise((1, sp.And(sp.Eq(p, q), sp.Eq(q, x))), (0, True)), 0), p > q, q >= x
)
branches.true(
    "nested branches",
    eq(
        sp.Piecewise((sp.Piecewise((1, x > 2), (2, True)), x > 1), (3, True)),
        sp.Piecewise((1, x > 2), (2, x > 1), (3, True)),
    ),
)
branches.false("only for K >= 7", ge(sp.Piecewise((0, K < 7), (6 - K, True)), 0), K >= 2, at={K: 7})
branches.false("only for 6 < t < 7", ge((t - 6) * (t - 7), 0), t > 1, at={t: sp.Rational(13, 2)})
branches.false("only for p >= 97/100", ge(sp.Rational(97, 100), p), p >= half, p <= 1, at={p: 1})

extremes = Corpus("extremes")
extremes.true("Min + Max", eq(sp.Min(x, y) + sp.Max(x, y), x + y))
extremes.true("Min Max", eq(sp.Min(x, y) * sp.Max(x, y), x * y))
extremes.false("strict between minimum and maximum", gt(sp.Max(x, y), sp.Min(x, y)), at={x: 1, y: 1})
extremes.true("weak between minimum and maximum", ge(sp.Max(x, y), sp.Min(x, y)))
extremes.false("a maximum is not its first", eq(sp.Max(x, y), x), x >= 0, y >= 0, at={x: 0, y: 1})
extremes.true("a maximum by the absolute value", eq(sp.Max(x, y), (x + y + sp.Abs(x - y)) / 2))
extremes.false("|x + y| = |x| + |y|", eq(sp.Abs(x + y), sp.Abs(x) + sp.Abs(y)), at={x: 1, y: -1})
extremes.true("|x + y| <= |x| + |y|", ge(sp.Abs(x) + sp.Abs(y), sp.Abs(x + y)))
extremes.true("|x y| = |x| |y|", eq(sp.Abs(x * y), sp.Abs(x) * sp.Abs(y)))
extremes.true("||x| - |y|| <= |x - y|", ge(sp.Abs(x - y), sp.Abs(sp.Abs(x) - sp.Abs(y))))
extremes.true("Abs(t)/t for t > 1", eq(sp.Abs(t) / t, 1), t > 1)
extremes.false("Abs(t)/t", eq(sp.Abs(t) / t, 1), sp.Ne(t, 0), at={t: -1})
extremes.true(
    "median of three", eq(sp.Max(sp.Min(x, y), sp.Min(sp.Max(x, y), 0)), x + y - sp.Min(x, y, 0) - sp.Max(x, y, 0))
)

declared = Corpus("assumptions")
positive_lam = sp.Symbol("lam", positive=True)
other_t = sp.Symbol("t", positive=True)
nonnegative_m = sp.Symbol("m", integer=True, nonnegative=True)
even_k = sp.Symbol("K", even=True)
declared.true("lam declared positive", positive_lam * (t - 1) > 0, positive_lam > 0, positive_lam <= 1, t > 1)
declared.true("m declared non-negative and integer", ge(nonnegative_m * (nonnegative_m + 2), 0))
declared.false("m declared an integer only", ge(m * (m + 2), 0), at={m: -1})
declared.true("K declared even", sp.Ne(even_k**2 + 1, 2 * m))
declared.false("K declared an integer only", sp.Ne(K**2 + 1, 2 * m), at={K: 1, m: 1})
declared.false(
    "a nonzero symbol may be negative",
    gt(sp.Symbol("z", nonzero=True, real=True), 0),
    at={sp.Symbol("z", nonzero=True, real=True): -1},
)
declared.true("positive by declaration, t > 1 not needed", gt(other_t + 1, 1))
declared.true("hypotheses that meet at one point", eq(x, 1), x >= 1, x <= 1, only={x: 1})
declared.true("hypotheses that meet at sqrt 2 only", eq(x**4, 4), eq(x**2, 2), x > 0, only={x: sp.sqrt(2)})
declared.false(
    "hypotheses that meet at sqrt 2 only, wrong conclusion", eq(x**3, 3), eq(x**2, 2), x > 0, at={x: sp.sqrt(2)}
)
declared.true("no integer strictly between 2 and 3", sp.Or(K <= 2, K >= 3))
declared.false("there are reals between 2 and 3", sp.Or(x <= 2, x >= 3), at={x: sp.Rational(5, 2)})

none = Corpus("vacuous")
none.vacuous("K above 3 and below 2", eq(K, 7), K > 3, K < 2)
none.vacuous("no integer between 2 and 3", eq(K, 7), K > 2, K < 3)
none.vacuous("no square is negative", gt(x, 0), x**2 < 0)
none.vacuous("no integer squares to 2", eq(K, 1), eq(K**2, 2))
none.vacuous("t > 1 and t^2 < 1", gt(t, 3), t > 1, t**2 < 1)
none.vacuous("two priors above 3/4", eq(p, q), p > 3 * half / 2, q > 3 * half / 2, p + q <= 1)
none.vacuous("a conclusion among contradictory hypotheses", x > 0, x > 0, x < 0)
none.vacuous("a hypothesis that is nowhere defined", eq(x, 1), ge(sp.sqrt(-(x**2) - 1), 0))
none.vacuous("odd and even", eq(K, 0), eq(sp.Mod(K, 2), 0), eq(sp.Mod(K, 4), 1))
none.vacuous("declared positive, told to be negative", eq(positive_lam, 1), positive_lam < 0)

CHAPTERS = [poles, roots, logs, branches, extremes, declared, none]
