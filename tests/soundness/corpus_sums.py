"""Traps about integers, powers, sums, binomials, and identities of the exponential function."""

from __future__ import annotations

import sympy as sp

from soundness.corpus import Corpus, eq, ge, gt

__all__ = ["CHAPTERS"]

x, y, t, eps, a, r = sp.symbols("x y t epsilon a r")
K, m, n, i, j = sp.symbols("K m n i j", integer=True)
half = sp.Rational(1, 2)

sums = Corpus("sums")
sums.true("sum of i", eq(sp.Sum(i, (i, 1, K)), K * (K + 1) / 2), K >= 1)
sums.true("an empty sum is zero", eq(sp.Sum(i, (i, 1, K)), K * (K + 1) / 2), K >= 0)
sums.false("sum of i below the empty range", eq(sp.Sum(i, (i, 1, K)), K * (K + 1) / 2), at={K: -3})
sums.false("sum of i off by one", eq(sp.Sum(i, (i, 1, K)), K * (K - 1) / 2), K >= 1, at={K: 1})
sums.true("sum from 0 or from 1", eq(sp.Sum(i, (i, 0, K)), sp.Sum(i, (i, 1, K))), K >= 1)
sums.false("sum from 0 or from 1 of 1", eq(sp.Sum(1, (i, 0, K)), sp.Sum(1, (i, 1, K))), K >= 1, at={K: 1})
sums.true("geometric sum", eq(sp.Sum(t**i, (i, 0, K - 1)), (t**K - 1) / (t - 1)), t > 1, K >= 1)
sums.false(
    "geometric sum at ratio 1", eq(sp.Sum(t**i, (i, 0, K - 1)), (t**K - 1) / (t - 1)), t > 0, K >= 1, at={t: 1, K: 2}
)
sums.true(
    "geometric sum cleared of its denominator", eq((t - 1) * sp.Sum(t**i, (i, 0, K - 1)), t**K - 1), t > 0, K >= 1
)
sums.true(
    "geometric sum with both cases",
    eq(sp.Sum(t**i, (i, 0, K - 1)), sp.Piecewise((K, sp.Eq(t, 1)), ((t**K - 1) / (t - 1), True))),
    t > 0,
    K >= 1,
)
sums.true("falling geometric sum", eq(sp.Sum(t ** (-i), (i, 1, K)), (1 - t ** (-K)) / (t - 1)), t > 1, K >= 1)
sums.true(
    "weighted geometric sum",
    eq(sp.Sum(i * t**i, (i, 0, K)), (K * t ** (K + 2) - (K + 1) * t ** (K + 1) + t) / (t - 1) ** 2),
    t > 1,
    K >= 0,
)
sums.true("telescoping", eq(sp.Sum(1 / (i * (i + 1)), (i, 1, K)), K / (K + 1)), K >= 1)
sums.false(
    "a pole inside a sum", eq(sp.Sum(1 / (i * (i + 1)), (i, m, K)), 1 / m - 1 / (K + 1)), m <= K, at={m: -2, K: 3}
)
sums.true("telescoping from m", eq(sp.Sum(1 / (i * (i + 1)), (i, m, K)), 1 / m - 1 / (K + 1)), m >= 1, m <= K)
sums.true("sum of squares", eq(sp.Sum(i**2, (i, 1, K)), K * (K + 1) * (2 * K + 1) / 6), K >= 1)
sums.true("sum of cubes is a square", eq(sp.Sum(i**3, (i, 1, K)), sp.Sum(i, (i, 1, K)) ** 2), K >= 1)
sums.false("sum of squares is a square", eq(sp.Sum(i**2, (i, 1, K)), sp.Sum(i, (i, 1, K)) ** 2), K >= 1, at={K: 2})
sums.true("double sum", eq(sp.Sum(sp.Sum(1, (j, 1, i)), (i, 1, K)), K * (K + 1) / 2), K >= 1)
sums.true(
    "a sum that splits",
    eq(sp.Sum(i**2, (i, 1, m)) + sp.Sum(i**2, (i, m + 1, K)), sp.Sum(i**2, (i, 1, K))),
    m >= 1,
    m <= K,
)
sums.true("the index's name does not matter", eq(sp.Sum(t**i, (i, 0, K)), sp.Sum(t**j, (j, 0, K))), t > 1, K >= 0)
sums.true("index reversed", eq(sp.Sum(t**i, (i, 0, K)), sp.Sum(t ** (K - i), (i, 0, K))), t > 1, K >= 0)
sums.true("product of quotients", eq(sp.Product((i + 1) / i, (i, 1, K)), K + 1), K >= 1)
sums.true("factorial as a product", eq(sp.Product(i, (i, 1, K)), sp.factorial(K)), K >= 0)
sums.false("a product with a zero", eq(sp.Product(i, (i, 0, K)), sp.factorial(K)), K >= 0, at={K: 0})
sums.false(
    "agrees for K up to 4",
    eq(sp.Sum(i**2, (i, 1, K)), K * (K + 1) * (2 * K + 1) / 6 + (K - 1) * (K - 2) * (K - 3) * (K - 4)),
    K >= 1,
    at={K: 5},
)
sums.true(
    "sum of |i - j| over a row",
    eq(sp.Sum(sp.Abs(i - m), (i, 1, K)), (m * (m - 1) + (K - m) * (K - m + 1)) / 2),
    m >= 1,
    m <= K,
)
sums.true(
    "sum over labels with a branch",
    eq(sp.Sum(sp.Piecewise((t, sp.Eq(i, m)), (1, True)), (i, 1, K)), t + K - 1),
    t > 1,
    m >= 1,
    m <= K,
)
sums.false(
    "sum over labels with a branch outside the range",
    eq(sp.Sum(sp.Piecewise((t, sp.Eq(i, m)), (1, True)), (i, 1, K)), t + K - 1),
    t > 1,
    m >= 1,
    K >= 1,
    at={t: 2, m: 3, K: 1},
)

binomials = Corpus("binomials")
b = sp.binomial
binomials.true("m C(K,m) = K C(K-1,m-1)", eq(m * b(K, m), K * b(K - 1, m - 1)), m >= 1, m <= K)
binomials.true("Pascal", eq(b(K, m), b(K - 1, m) + b(K - 1, m - 1)), m >= 1, m <= K)
binomials.true("symmetry", eq(b(K, m), b(K, K - m)), m >= 0, m <= K)
binomials.false("symmetry with K negative", eq(b(K, m), b(K, K - m)), m >= 0, at={K: -1, m: 0})
binomials.true("a binomial above its top is zero", eq(b(K, m), 0), K >= 0, m > K, only={K: 2, m: 4})
binomials.false(
    "ratio of neighbours at the edge", eq(b(K, m + 1) / b(K, m), (K - m) / (m + 1)), K >= 0, m >= 0, at={K: 1, m: 2}
)
binomials.true("ratio of neighbours", eq(b(K, m + 1) / b(K, m), (K - m) / (m + 1)), m >= 0, m <= K)
binomials.false(
    "by factorials outside the range",
    eq(b(K, m), sp.factorial(K) / (sp.factorial(m) * sp.factorial(K - m))),
    K >= 0,
    m >= 0,
    at={K: 1, m: 2},
)
binomials.true("by factorials", eq(b(K, m), sp.factorial(K) / (sp.factorial(m) * sp.factorial(K - m))), m >= 0, m <= K)
binomials.true("sum of a row", eq(sp.Sum(b(K, i), (i, 0, K)), 2**K), K >= 0)
binomials.false("sum of a row without the first", eq(sp.Sum(b(K, i), (i, 1, K)), 2**K), K >= 0, at={K: 1})
binomials.true("binomial theorem", eq(sp.Sum(b(K, i) * t**i, (i, 0, K)), (1 + t) ** K), t > 1, K >= 0)
binomials.true("mean of a row", eq(sp.Sum(i * b(K, i), (i, 0, K)), K * 2 ** (K - 1)), K >= 0)
binomials.true("second moment of a row", eq(sp.Sum(i**2 * b(K, i), (i, 0, K)), K * (K + 1) * 2 ** (K - 2)), K >= 0)
binomials.true("Vandermonde with itself", eq(sp.Sum(b(K, i) ** 2, (i, 0, K)), b(2 * K, K)), K >= 0)
binomials.true(
    "Vandermonde",
    eq(sp.Sum(b(m, i) * b(n, K - i), (i, 0, K)), b(m + n, K)),
    m >= 0,
    n >= 0,
    K >= 0,
    only={m: 3, n: 4, K: 2},
)
binomials.false(
    "Vandermonde with a sign", eq(sp.Sum((-1) ** i * b(K, i) ** 2, (i, 0, K)), b(2 * K, K)), K >= 0, at={K: 1}
)
binomials.true("alternating sum", eq(sp.Sum((-1) ** i * b(K, i), (i, 0, K)), 0), K >= 1)
binomials.false("alternating sum at K = 0", eq(sp.Sum((-1) ** i * b(K, i), (i, 0, K)), 0), K >= 0, at={K: 0})
binomials.true("hockey stick", eq(sp.Sum(b(i, m), (i, m, K)), b(K + 1, m + 1)), m >= 0, m <= K)
binomials.true("C(K,2)", eq(b(K, 2), K * (K - 1) / 2), K >= 0)
binomials.false("C(K,2) is not K^2/2", eq(b(K, 2), K**2 / 2), K >= 0, at={K: 1})
binomials.true(
    "rows of subset selection",
    eq((t * b(K - 1, m - 1) + b(K - 1, m)) * K, (m * t + K - m) * b(K, m)),
    t > 1,
    m >= 1,
    m <= K,
)
binomials.true("middle binomial", ge(4**K, b(2 * K, K)), K >= 0)

powers = Corpus("powers")
powers.true("t^(K-1) t", eq(sp.Mul(t ** (K - 1), t, evaluate=False), t**K), t > 1)
powers.true("t^(K-1)/t^K", eq(sp.Mul(t ** (K - 1), t ** (-K), evaluate=False), 1 / t), t > 1)
powers.true("(t^2)^K", eq(sp.Pow(t**2, K, evaluate=False), t ** (2 * K)), t > 1)
powers.true("sqrt(t)^(2K)", eq(sp.Pow(sp.sqrt(t), 2 * K, evaluate=False), t**K), t > 1)
powers.true("exponents add", eq(t**K * t**m, t ** (K + m)), t > 1)
powers.false("exponents multiply", eq(t**K * t**m, t ** (K * m)), t > 1, at={t: 2, K: 1, m: 2})
powers.true("product of bases", eq(t**K * a**K, (t * a) ** K), t > 1, a > 1)
powers.false("zero to the K", eq(sp.S.Zero**K, 0), K >= 0, at={K: 0})
powers.true("zero to the K, K >= 1", eq(sp.S.Zero**K, 0), K >= 1)
powers.false("x^K with x = 0 and K negative", ge(x ** (2 * K), 0), at={x: 0, K: -1})
powers.true("even powers are not negative", ge(x ** (2 * K), 0), K >= 1)
powers.false("odd powers are", ge(x ** (2 * K + 1), 0), K >= 0, at={x: -1, K: 0})
powers.true("(-1)^(2K)", eq(sp.Pow(-1, 2 * K, evaluate=False), 1))
powers.true("(-1)^K squared", eq(sp.Pow(sp.Pow(-1, K, evaluate=False), 2, evaluate=False), 1))
powers.true("(-1)^K for odd K", eq((-1) ** K, -1), sp.Eq(sp.Mod(K, 2), 1))
powers.true("(-1)^(K(K+1))", eq(sp.Pow(-1, K * (K + 1), evaluate=False), 1))
powers.true("Bernoulli", ge((1 + t) ** K, 1 + K * t), t > 0, K >= 1)
powers.false("Bernoulli strictly", gt((1 + t) ** K, 1 + K * t), t > 0, K >= 1, at={t: 1, K: 1})
powers.true("2^K > K", gt(2**K, K), K >= 0)
powers.false("2^K > K^2 for K >= 3", gt(2**K, K**2), K >= 3, at={K: 3})
powers.false("2^K >= K^2 for K >= 2", ge(2**K, K**2), K >= 2, at={K: 3})
powers.true("2^K >= K^2 for K >= 4", ge(2**K, K**2), K >= 4)
powers.true("t^K grows", gt(t ** (K + 1), t**K), t > 1)
powers.false("t^K grows for t > 0", gt(t ** (K + 1), t**K), t > 0, at={t: half, K: 1})
step = t ** sp.Rational(-1, 3)
powers.true(
    "truncated geometric mechanism at K = 4", eq((1 + step + step**2 + step**3) * (1 - step) / (1 - step**4), 1), t > 1
)
powers.true("its last entry", eq(step**3, 1 / t), t > 1)

integers = Corpus("integers")
integers.true("K^2 + K is even", eq(sp.Mod(K**2 + K, 2), 0))
integers.false("K^2 + K + 1 is odd, not even", eq(sp.Mod(K**2 + K + 1, 2), 0), at={K: 1})
integers.true("K^3 - K is a multiple of 6", eq(sp.Mod(K**3 - K, 6), 0))
integers.false("K^3 - K is a multiple of 12", eq(sp.Mod(K**3 - K, 12), 0), at={K: 2})
integers.true("halves of K", eq(sp.floor(K / 2) + sp.ceiling(K / 2), K))
integers.false("halves of x", eq(sp.floor(x / 2) + sp.ceiling(x / 2), x), at={x: half})
integers.true("floor of floor", eq(sp.floor(sp.floor(x) / 2), sp.floor(x / 2)))
integers.false("floor of 2x", eq(sp.floor(2 * x), 2 * sp.floor(x)), at={x: half})
integers.true("floor(2x) = floor x + floor(x + 1/2)", eq(sp.floor(2 * x), sp.floor(x) + sp.floor(x + half)))
integers.false("floor at an integer", gt(x, sp.floor(x)), at={x: 2})
integers.true("floor <= x", ge(x, sp.floor(x)))
integers.true("floor > x - 1", gt(sp.floor(x), x - 1))
integers.false("ceiling = floor + 1", eq(sp.ceiling(x), sp.floor(x) + 1), at={x: 0})
integers.true("ceiling of (K-1)/2", eq(sp.ceiling((K - 1) / 2), sp.floor(K / 2)))
integers.false("floor of a negative half", eq(sp.floor(-K / 2), -sp.floor(K / 2)), at={K: 1})
integers.true("remainder and quotient", eq(sp.Mod(K, 5) + 5 * sp.floor(K / 5), K))
integers.false("remainder of a negative number", eq(sp.Mod(-K, 5), -sp.Mod(K, 5)), at={K: 1})
integers.true("K(K-1) >= 0 at integers", ge(K * (K - 1), 0))
integers.false("x(x-1) >= 0 at reals", ge(x * (x - 1), 0), at={x: half})
integers.true("no integer is a half", sp.Ne(2 * K, 7, evaluate=False))
integers.false("a real is", sp.Ne(2 * x, 7), at={x: sp.Rational(7, 2)})
integers.true("no integer squares to 2", sp.Ne(K**2, 2))
integers.false("a real squares to 2", sp.Ne(x**2, 2), at={x: sp.sqrt(2)})
integers.true("K > 2 means K >= 3", ge(K, 3), K > 2)
integers.false("x > 2 does not mean x >= 3", ge(x, 3), x > 2, at={x: sp.Rational(5, 2)})
integers.true("no solution modulo 4", sp.Ne(K**2 + m**2, 4 * n + 3))
integers.true("squares modulo 3", sp.Or(eq(sp.Mod(K**2, 3), 0), eq(sp.Mod(K**2, 3), 1)))
integers.false("K^2 - K + 41 is not 41^2", sp.Ne(K**2 - K + 41, 1681), K >= 1, at={K: 41})

exponentials = Corpus("exponentials")
cosh, sinh, tanh, exp, log = sp.cosh, sp.sinh, sp.tanh, sp.exp, sp.log
exponentials.true("cosh^2 - sinh^2", eq(cosh(x) ** 2 - sinh(x) ** 2, 1))
exponentials.true("sin^2 + cos^2", eq(sp.sin(x) ** 2 + sp.cos(x) ** 2, 1))
exponentials.false("sin^2 - cos^2", eq(sp.sin(x) ** 2 - sp.cos(x) ** 2, 1), at={x: 0})
exponentials.true("tanh(eps/2)", eq(tanh(eps / 2), (exp(eps) - 1) / (exp(eps) + 1)))
exponentials.false("tanh(eps)", eq(tanh(eps), (exp(eps) - 1) / (exp(eps) + 1)), eps > 0, at={eps: 1})
exponentials.true("tanh(log(t)/2)", eq(tanh(log(t) / 2), (t - 1) / (t + 1)), t > 1)
exponentials.true("addition theorem of tanh", eq(tanh(x + y), (tanh(x) + tanh(y)) / (1 + tanh(x) * tanh(y))))
exponentials.true("e^x e^y", eq(sp.Mul(exp(x), exp(y), evaluate=False), exp(x + y)))
exponentials.false("e^x + e^y", eq(exp(x) + exp(y), exp(x + y)), at={x: 0, y: 0})
exponentials.true("e^x >= 1 + x", ge(exp(x), 1 + x))
exponentials.true("e^-x >= 1 - x", ge(exp(-x), 1 - x))
exponentials.false("e^x > 1 + x", gt(exp(x), 1 + x), at={x: 0})
exponentials.false("e^x >= 1 + x + x^2/2", ge(exp(x), 1 + x + x**2 / 2), at={x: -1})
exponentials.true("e^x >= 1 + x + x^2/2 for x >= 0", ge(exp(x), 1 + x + x**2 / 2), x >= 0)
exponentials.true("log(1 + x) <= x", ge(x, log(1 + x)), x > -1)
exponentials.false("log(1 + x) <= x - 10^-9", ge(x - sp.Rational(1, 10**9), log(1 + x)), x > -1, at={x: 0})
exponentials.true("tanh x <= x", ge(x, tanh(x)), x >= 0)
exponentials.false("tanh x <= x for all x", ge(x, tanh(x)), at={x: -1})
exponentials.true("cosh >= 1 + x^2/2", ge(cosh(x), 1 + x**2 / 2))
exponentials.true("AM-GM", ge((x + y) / 2, sp.sqrt(x * y)), x >= 0, y >= 0)
exponentials.false("AM-GM strictly", gt((x + y) / 2, sp.sqrt(x * y)), x >= 0, y >= 0, at={x: 1, y: 1})
exponentials.true("AM-GM of three", ge(x**3 + y**3 + t**3, 3 * x * y * t), x >= 0, y >= 0, t >= 0)
exponentials.false("AM-GM of three for all signs", ge(x**3 + y**3 + t**3, 3 * x * y * t), at={x: -1, y: 0, t: 0})
exponentials.true("weighted AM-GM through cosh", ge(cosh(x), 1))
exponentials.false(
    "off by 10^-12", eq(t / (t + K - 1) + sp.Rational(1, 10**12), t / (t + K - 1)), t > 1, K >= 2, at={t: 2, K: 2}
)
exponentials.false("a long decimal as a rational", eq(sp.Rational("0.33333333333333") * 3 * t, t), t > 1, at={t: 2})
exponentials.false(
    "K - 1 with fourteen digits",
    eq(t / (t + K - sp.Rational("1.00000000000001")), t / (t + K - 1)),
    t > 1,
    K >= 2,
    at={t: 2, K: 2},
)
exponentials.true("Cauchy-Schwarz", ge((x**2 + y**2) * (a**2 + r**2), (x * a + y * r) ** 2))
exponentials.true("Motzkin", ge(x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2, 0))
exponentials.false("Motzkin strictly", gt(x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2, 0), at={x: 1, y: 1})

empty = Corpus("empty ranges")
nothing = sp.Product(0, (i, 3, K))
empty.false("an empty product of zeros", eq(nothing, 0), K >= 2, at={K: 2})
empty.false("the same below Abs", ge(0, sp.Abs(nothing, evaluate=False)), K >= 2, at={K: 2})
empty.false("the same below Max", eq(sp.Max(nothing, 0, evaluate=False), 0), K >= 2, at={K: 2})
empty.false("a product that ends below its start", eq(sp.Product(0, (i, K + 1, K - 1)), 0), K >= 2, at={K: 2})
empty.false("zeros that show late", eq(sp.Product(i - i, (i, 3, K)), 0), K >= 2, at={K: 2})
empty.false("zeros below a sum", eq(sp.Sum(sp.Product(0, (j, 1, i)), (i, 0, K)), 0), K >= 2, at={K: 2})
empty.true("zeros below a sum, counted", eq(sp.Sum(sp.Product(0, (j, 1, i)), (i, 0, K)), 1), K >= 2)
empty.true("a product of zeros, or none", sp.Or(gt(nothing, 0), K > 2), K >= 2)
empty.true("one over a product of zeros, or none", sp.Or(gt(sp.Pow(nothing, -1, evaluate=False), 0), K > 2), K >= 2)
empty.false("a hypothesis on zeros", eq(K, 3), eq(nothing, 0), K >= 2, at={K: 4})
empty.false("a hypothesis on no zeros", gt(K, 2), eq(nothing, 1), K >= 2, at={K: 2})
empty.true("a sum of zeros", eq(sp.Sum(0, (i, 9, K)), 0), K >= 2)
empty.true("a product of ones", eq(sp.Product(1, (i, 9, K)), 1), K >= 2)
backwards = sp.Sum(1, (i, 5, 2))
empty.false("a sum from 5 to 2 below zero", gt(0, backwards), K >= 2, at={K: 2})
empty.true("a sum from 5 to 2 is no less than zero", ge(backwards, 0), K >= 2)
empty.true("a sum from 5 to 2 is zero", eq(backwards, 0), K >= 2)
empty.true("a product from 5 to 2 is one", eq(sp.Product(i, (i, 5, 2)), 1), K >= 2)
empty.false("a hypothesis on a sum from 5 to 2", gt(K, 5), ge(backwards, 0), K >= 2, at={K: 2})
empty.false("a sum that ends three below its start", gt(0, sp.Sum(1, (i, K, K - 3))), K >= 2, at={K: 2})

CHAPTERS = [sums, empty, binomials, powers, integers, exponentials]
