"""Statements whose proofs are objects of every kind, and a judge of claims that shares nothing with either program."""

import math
from fractions import Fraction
from functools import cache

import sympy as sp

from lpmech.prove import Holds, prove
from lpmech.prove.derivative import follows_by_derivative
from lpmech.prove.language import stated
from lpmech.prove.records import Record
from lpmech.terms import Apply, Choice, Name, Number, Repeated
from lpmech.terms.functions import Whole, symbol
from lpmech.terms.reader import read_condition

#: Hypotheses, whole parameters, conclusion, and whether the judge understands it (rational values at rational points).
STATEMENTS = {
    "identity": ("t > 1; K >= 2", "K", "t/(t + K - 1) + (K - 1)/(t + K - 1) == 1", True),
    "coefficients": ("t > 1; K >= 2", "K", "t/(t + K - 1) >= 1/K", True),
    "bounds by others": ("m >= n; n >= 1", "", "m**2*n + m >= n**3 + n", True),
    "products": ("p >= 0; p <= 1; q >= 0; q <= 1", "", "p*q <= p", True),
    "a square": ("", "", "(a - b)**2 <= 2*a**2 + 2*b**2", True),
    "equations": ("t > 1; a == t*b; b > 0", "", "a > b", True),
    "an equation follows": ("x >= 0; x <= 0", "", "x == 0", True),
    "whole numbers": ("k > n", "k n", "k >= n + 1", True),
    "factors": ("x > 1; y > 1; (x - 1)*(y - 2) > 0", "", "y > 2", True),
    "alternatives": ("s >= 1 or s == 0; t > 1", "", "1/(s + t - 1) > 0", True),
    "an implication": ("t > 1; u >= 0", "", "Implies(u <= 1, u/t < 1)", True),
    "a minimum": ("x >= 0; y >= 1", "", "Min(x, y) >= 0 and Max(x, y) >= 1", True),
    "an absolute value": ("", "", "Abs(x - y) >= x - y", True),
    "a case distinction": ("g >= 0", "", "Piecewise((g, g > 1), (1, True)) >= 1", True),
    "conjunction": ("0 < u; u < 1", "", "u*(1 - u) > 0 and 1/u > 1 and u**2 < u", True),
    "a denominator of unknown sign": ("c >= 0; t > 1; c + (k - 1)*c/t <= 1; k >= 1", "", "t/(t + k - 1) >= c", True),
    "roots": ("t > 1", "", "sqrt(t)*sqrt(t) - 1 > 0 and t/sqrt(t) == sqrt(t)", False),
    "powers": ("t > 1; K >= 1", "K", "t**(K + 1) == t*t**K", False),
    "sums of squares": ("a >= 0; b >= 0; c >= 0", "", "a*(a-b)*(a-c) + b*(b-c)*(b-a) + c*(c-a)*(c-b) >= 0", True),
    "induction": ("n >= 4", "n", "2**n >= n**2", True),
    "an equivalence": ("x > 0", "", "Equivalent(x <= 1, 1/x >= 1)", True),
    "a multiple of an equation": (
        "s > 1; b > 0; s*b == 1",
        "",
        "s**2*b/(1 + s**2*b) - b/(1 + b) == (s - 1)/(s + 1)",
        True,
    ),
    "factorials": ("n >= 4", "n", "factorial(n) >= 2**n", False),
    "a slope": ("x >= 1; x <= 3", "", "x**3 - 3*x + 2 >= 0", True),
    "a strict slope": ("x > 1; y >= 0", "", "x**3 + y - 3*x + 2 > 0", True),
    "a slope downwards": ("x <= 2; x >= 0", "", "(3 - x)**2 - 1 >= 0", True),
    "between two ends": ("x >= 0; x <= 1", "", "x - x**3 >= 0", True),
    "a cut": ("x >= -1", "", "x**3 - 3*x + 2 >= 0", True),
    "a slope with a denominator": ("x > 0", "", "x + 1/x - 2 >= 0", True),
    "logarithms": ("t > 1", "", "log(t) > 2*(t - 1)/(t + 1)", False),
    "exponentials": ("x >= 0", "", "exp(x)*(1 + x) >= 1 + 2*x", False),
    "powers by their logarithms": ("x > 0", "", "x**x >= exp(-exp(-1))", False),
    "a sum": ("n >= 1", "n", "Sum(j**2, (j, 1, n)) == n*(n + 1)*(2*n + 1)/6", True),
    "sums that may be empty": ("n >= m; m >= 1", "n m", "Sum(j, (j, 1, n)) - Sum(j, (j, m, n)) == m*(m - 1)/2", True),
    "a bound of a sum": ("n >= 1", "n", "Sum(1/(j*(j + 1)), (j, 1, n)) < 1", True),
    "a rounding": ("h >= 0", "h", "Equivalent(2*h <= r and r < 2*h + 2, floor(r) == 2*h or floor(r) == 2*h + 1)", True),
    "binomials": ("K >= 2; m >= 0; m <= K - 1", "K m", "binomial(K - 1, m)/(m + 1) == binomial(K, m + 1)/K", True),
    "a base that may be zero": ("x >= 0; n >= 0", "n", "x**(n + 1) == x*x**n", True),
    "cases of whole numbers": (
        "n >= 1; x > 0; r >= 1; Implies(n == 1 and m == 0, r*x <= x)",
        "n m",
        "r == 1 or n >= 2 or m != 0",
        True,
    ),
    "numbers": ("", "", "log(2) < 7/10 and sqrt(2) < 3/2", False),
}


def asked(name):
    """Conclusion and hypotheses as terms."""
    hypotheses, whole, conclusion, _ = STATEMENTS[name]
    given = [part for part in hypotheses.split("; ") if part]
    words = set("".join(c if c.isalnum() or c == "_" else " " for c in f"{hypotheses} {conclusion}").split())
    names = [w for w in words if w[0].isalpha() and w not in _WORDS]
    read = [read_condition(part, names) for part in given]
    return read_condition(conclusion, names), [*read, *(Whole(symbol(n)) for n in whole.split())]


@cache
def proved(name):
    """The answer of the engine."""
    conclusion, hypotheses = asked(name)
    return by_slopes(conclusion, hypotheses) if name in SLOPES else prove(conclusion, hypotheses)


#: What the engine would show by products: here slopes have to, so that the judge can look at what they prove.
SLOPES = {"a slope", "a strict slope", "a slope downwards", "between two ends", "a cut", "a slope with a denominator"}


def by_slopes(conclusion, hypotheses):
    """A proof by the rule for derivatives; what it asks is answered unless it is the question itself."""
    statement = stated(conclusion, hypotheses)
    side = sp.expand(statement.conclusion.gts - statement.conclusion.lts)

    def knows(asked):
        own = asked.conclusion
        itself = isinstance(own, sp.Rel) and sp.expand(own.lhs - own.rhs - side) == 0
        return None if itself else getattr(prove(own, asked.hypotheses), "record", None)

    found = follows_by_derivative(statement, knows)
    return Holds(("derivative",), record=Record("asked", statement, (found,), (conclusion, tuple(hypotheses))))


_WORDS = {
    "and",
    "or",
    "not",
    "Implies",
    "Equivalent",
    "Min",
    "Max",
    "Abs",
    "Piecewise",
    "True",
    "Sum",
    "j",
    "floor",
    "binomial",
    "sqrt",
    "log",
    "exp",
    "factorial",
}


def value(node, at):
    """A number, a truth value, or None where it is not defined or not understood; by Kleene."""
    match node:
        case Number(number):
            return number
        case Name(name):
            return at[name]
        case Choice(cases):
            for result, condition in cases:
                truth = value(condition, at)
                if truth is None:
                    return None
                if truth:
                    return value(result, at)
            return None
        case Apply("true" | "false" as word, ()):
            return word == "true"
        case Apply("not", (part,)):
            inner = value(part, at)
            return None if inner is None else not inner
        case Apply("implies", (first, then)):
            return value(Apply("or", (Apply("not", (first,)), then)), at)
        case Apply("iff", (first, other)):
            found = value(first, at), value(other, at)
            return None if None in found else found[0] == found[1]
        case Repeated("Sum", body, index, first, last):
            ends = value(first, at), value(last, at)
            if None in ends or any(end.denominator != 1 for end in ends) or ends[1] - ends[0] > 50:
                return None
            terms = [value(body, {**at, index: Fraction(j)}) for j in range(int(ends[0]), int(ends[1]) + 1)]
            return None if None in terms else sum(terms, Fraction(0))
        case Apply("and" | "or" as word, parts):
            found = [value(part, at) for part in parts]
            decisive = word == "or"
            return decisive if decisive in found else None if None in found else not decisive
        case Apply("whole", (part,)):
            inner = value(part, at)
            return None if inner is None else inner.denominator == 1
        case Apply(operation, parts):
            found = [value(part, at) for part in parts]
            return None if None in found else _applied(operation, found)
    return None


def _applied(operation, values):
    match operation, values:
        case "/", (a, b):
            return a / b if b else None
        case "**", (a, b):
            small = b.denominator == 1 and abs(b) <= 60 and (a != 0 or b >= 0)
            return a ** int(b) if small else None
        case "Abs", (a,):
            return abs(a)
        case "floor" | "ceiling", (a,):
            return Fraction(a // 1 if operation == "floor" else -(-a // 1))
        case "factorial", (a,):
            return Fraction(math.factorial(int(a))) if a.denominator == 1 and 0 <= a <= 60 else None
        case "binomial", (a, b):
            return Fraction(math.comb(int(a), int(b))) if a.denominator == b.denominator == 1 and a >= b >= 0 else None
        case (("Min" | "Max"), _):
            return (min if operation == "Min" else max)(values)
    return _EXACT[operation](*values) if operation in _EXACT else None


_EXACT = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip

#: Where claims are looked at: ends of domains, and what is beyond them.
PLACES = [Fraction(*pair) for pair in
          ((0, 1), (1, 1), (2, 1), (3, 1), (5, 1), (1, 2), (1, 3), (3, 2), (9, 10), (11, 10), (-1, 1), (-2, 1), (40, 1))]  # fmt: skip
