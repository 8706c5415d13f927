"""Sums in closed form and sums that satisfy an equation, each with a telescoping certificate that is checked.

Gosper's algorithm finds G with f(i) = G(i + 1) - G(i), so that the sum from a to b is G(b + 1) - G(a). For a sum whose
terms depend on n, creative telescoping (Wilf, Zeilberger) finds G with
F(n + 1, i) - c(n) F(n, i) = G(n, i + 1) - G(n, i). However G was found, the difference identity is verified in
`lpmech.prove.polynomials`, and so are its poles, the ends of the range and the first case of an induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import sympy as sp
from sympy.concrete.gosper import gosper_normal
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from lpmech.prove.language import Sequent, is_whole, obligations, settled
from lpmech.prove.repeated import Sum

__all__ = [
    "LARGEST_START", "Induction", "Prover", "breaks", "closed_form", "gosper", "induction", "longer", "resolved",
    "smallest", "starts",
]  # fmt: skip

_MOST_WRITTEN_OUT = 40
#: The first case of an induction is evaluated; from here on it takes too long.
LARGEST_START = 10_000


@dataclass(frozen=True)
class Prover:
    """What the engine offers to this module, under some hypotheses.

    Attributes
    ----------
    knows : callable
        Whether a condition is proved.
    vanishes : callable
        Whether an expression is proved to be zero wherever it is defined.
    quotient : callable
        Numerator and denominator of an expression as polynomials in its symbols, or None if other generators occur.
    under : callable
        The same with further hypotheses and integer symbols.
    equals : callable
        Whether two expressions are proved to be equal, by induction if need be.
    integers : frozenset of Symbol
    """

    knows: Callable[[Boolean], bool]
    vanishes: Callable[[sp.Expr], bool]
    quotient: Callable[[sp.Expr], tuple[sp.Expr, sp.Expr] | None]
    under: Callable[[list[Boolean], list[sp.Symbol]], Prover]
    equals: Callable[[sp.Expr, sp.Expr], bool]
    integers: frozenset[sp.Symbol]


def closed_form(node: sp.Expr, prover: Prover) -> sp.Expr | None:
    """A sum or product without its sign, where it can be written out or telescopes; None if not.

    The empty sum is 0 and the empty product 1.
    """
    function, (index, lower, upper) = node.function, node.limits[0]
    if len(node.limits) > 1:
        outer = node.limits[1:]
        ranges = [c for i, a, b in outer for c in (a <= i, i <= b)]
        inside = prover.under(ranges, [i for i, _, _ in outer])
        inner = closed_form(node.func(function, node.limits[0]), inside)
        return None if inner is None else closed_form(node.func(inner, *node.limits[1:]), prover)
    if function == (0 if isinstance(node, sp.Sum) else 1):
        return function
    count = sp.expand(upper - lower)
    if count.is_Integer and count <= _MOST_WRITTEN_OUT:
        combine = sp.Add if isinstance(node, sp.Sum) else sp.Mul
        return combine(*(function.subs(index, lower + j) for j in range(int(count) + 1)))
    if not (is_whole(count, prover.integers) and prover.knows(count >= -1)):
        return None
    beyond = prover.under([lower <= index, index <= upper + 1], [index])
    if not (prover.knows(lower <= upper) or _is_defined(function, beyond)):
        return None  # its terms may cancel what the empty sum does not have: (1/(K - m)) (K - m) is 1, the sum 0
    if isinstance(node, sp.Product):
        return _product(function, index, lower, upper)
    if not function.has(index):
        return function * (count + 1)
    if function.has(sp.Piecewise, sp.Abs, sp.Max, sp.Min):
        return _split(function, index, lower, upper, prover, breaks(function, index))
    found = _telescoped(function, index, lower, upper, prover)
    if found is None and function.has(sp.binomial):
        candidate = _binomial_candidate(function, index, upper)
        return candidate if candidate is not None and prover.equals(node, candidate) else None
    return found


def _is_defined(function: sp.Expr, prover: Prover) -> bool:
    return all(
        prover.under(list(o.under), list(o.indices)).knows(settled(o.condition, prover.integers | o.indices))
        for o in obligations(function)
    )


def _split(
    function: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr, prover: Prover, places: list[sp.Expr]
) -> sp.Expr | None:
    """A sum whose terms distinguish cases of the index, in ranges on which they do not."""
    for place in places:
        if not is_whole(place, prover.integers):
            continue
        if prover.knows(sp.And(lower <= place, place <= upper)):
            total, first = resolved(function.subs(index, place), prover.knows), place - 1
        elif prover.knows(sp.And(lower <= place + 1, place <= upper)):
            total, first = sp.S.Zero, place
        else:
            continue
        for a, b in ((lower, first), (place + 1, upper)):
            body = resolved(function, prover.under([a <= index, index <= b], [index]).knows)
            if body is None:
                part = _split(function, index, a, b, prover, [other for other in places if other != place])
            else:
                part = closed_form(Sum(body, (index, a, b)), prover)
            total = None if total is None or part is None else total + part
        if total is not None:
            return total
    return None


def breaks(function: sp.Expr, index: sp.Symbol) -> list[sp.Expr]:
    """Where relations between the index and something else change."""
    differences = [r.lhs - r.rhs for r in sp.ordered(function.atoms(Relational))]
    differences += [node.args[0] for node in sp.ordered(function.atoms(sp.Abs))]
    differences += [a - b for n in sp.ordered(function.atoms(sp.Max, sp.Min)) for a, b in combinations(n.args, 2)]
    found: dict[sp.Expr, None] = {}
    for difference in differences:
        if difference.is_polynomial(index) and sp.degree(difference, index) == 1:
            slope, rest = sp.Poly(difference, index).all_coeffs()
            if slope.is_Rational:
                found[sp.expand(-rest / slope)] = None
    return list(found)


def resolved(function: sp.Expr, knows: Callable[[Boolean], bool]) -> sp.Expr | None:
    """The function without case distinctions, where it is known which case applies."""
    replaced: dict[sp.Expr, sp.Expr] = {}
    for node in sp.ordered(function.atoms(sp.Abs, sp.Max, sp.Min, sp.Piecewise)):
        cases = _cases(node)
        chosen = next((n for n, (condition, _) in enumerate(cases) if condition == sp.true or knows(condition)), None)
        if chosen is None:
            return None
        if isinstance(node, sp.Piecewise) and not all(knows(sp.Not(c)) for c, _ in cases[:chosen]):
            return None
        replaced[node] = cases[chosen][1]
    found = function.xreplace(replaced)
    return found if not found.has(sp.Abs, sp.Max, sp.Min, sp.Piecewise) else None


def _cases(node: sp.Expr) -> list[tuple[Boolean, sp.Expr]]:
    if isinstance(node, sp.Abs):
        return [(node.args[0] >= 0, node.args[0]), (node.args[0] <= 0, -node.args[0])]
    if isinstance(node, sp.Piecewise):
        return [(condition, value) for value, condition in node.args]
    larger = isinstance(node, sp.Max)
    return [(sp.And(*(a >= b if larger else a <= b for b in node.args)), a) for a in node.args]


def _binomial_candidate(function: sp.Expr, index: sp.Symbol, upper: sp.Expr) -> sp.Expr | None:
    """What the sum over i = 0..n of C(n, i) p(i) c x^i should be: p(x d/dx) (1 + x)^n c."""
    binomials = [node for node in function.atoms(sp.binomial) if node.args == (upper, index)]
    if len(binomials) != 1:
        return None
    rest = function.subs(binomials[0], 1)
    powers = [node for node in rest.atoms(sp.Pow) if node.exp.has(index)]
    base, scale = sp.S.One, sp.S.One
    for node in powers:
        exponent = sp.Poly(node.exp, index) if node.exp.is_polynomial(index) else None
        if exponent is None or exponent.degree() != 1 or not exponent.LC().is_Integer:
            return None
        base, scale = base * node.base ** exponent.LC(), scale * node.base ** exponent.nth(0)
    factor = rest.subs(dict.fromkeys(powers, 1))
    if not factor.is_polynomial(index):
        return None
    x = sp.Dummy("x")
    derivative, total = (1 + x) ** upper, sp.S.Zero
    for coefficient in reversed(sp.Poly(factor, index).all_coeffs()):
        total += coefficient * derivative
        derivative = x * sp.diff(derivative, x)
    return scale * sp.powsimp(total.subs(x, base))


def _product(function: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> sp.Expr | None:
    if not function.has(index):
        return function ** (upper - lower + 1)
    if function == index and lower == 1:
        return sp.factorial(upper)
    return None


def _telescoped(function: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr, prover: Prover) -> sp.Expr | None:
    parts = sp.Add.make_args(sp.expand(function, power_base=False, power_exp=False))
    found = []
    for candidates in ((function,), parts) if len(parts) > 1 else ((function,),):
        found = [_one_telescoped(part, index, lower, upper, prover) for part in candidates]
        if None not in found:
            return sp.Add(*found)
    return None


def _one_telescoped(term: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr, prover: Prover) -> sp.Expr | None:
    if not term.has(index):
        return term * (upper - lower + 1)
    inside = prover.under([lower <= index, index <= upper], [index])
    beyond = prover.under([lower <= index, index <= upper + 1], [index])
    next_but_last = prover.under([lower <= index, index <= upper - 1], [index])
    ratio = next_but_last.quotient(term.subs(index, index + 1) / term)
    if ratio is None:
        return None
    certificate = gosper(ratio, index)
    if certificate is None:
        return None
    poles = sp.fraction(sp.together(certificate))[1]
    partial = certificate * term
    difference = partial.subs(index, index + 1) - partial - term
    if beyond.knows(sp.Ne(poles, 0)) and _is_defined(term, beyond) and inside.vanishes(difference):
        return partial.subs(index, upper + 1) - partial.subs(index, lower)
    shorter = prover.under([lower <= index, index <= upper - 1], [index])  # the last term by itself
    if prover.knows(lower <= upper) and inside.knows(sp.Ne(poles, 0)) and shorter.vanishes(difference):
        return partial.subs(index, upper) - partial.subs(index, lower) + term.subs(index, upper)
    return None


def gosper(ratio: tuple[sp.Expr, sp.Expr], index: sp.Symbol) -> sp.Expr | None:
    """R(i) such that G(i) = R(i) h(i) satisfies G(i + 1) - G(i) = h(i), where h(i + 1) / h(i) is the ratio, or None.

    Gosper, PNAS 75 (1978). Only a candidate: whoever uses it checks the difference identity.
    """
    numerator, denominator = ratio
    try:
        a, b, c = gosper_normal(numerator, denominator, index, polys=True)
    except (PolynomialError, ValueError, NotImplementedError, ZeroDivisionError):
        return None
    b = b.shift(-1)
    degree_a, degree_b, degree_c = int(a.degree()), int(b.degree()), int(c.degree())
    candidates = {degree_c - max(degree_a, degree_b)}
    if degree_a == degree_b and a.LC() == b.LC():
        candidates = {degree_c - degree_a + 1}
        if degree_a > 0:
            top = sp.cancel((b.nth(degree_a - 1) - a.nth(degree_a - 1)) / a.LC())
            candidates |= {int(top)} if top.is_Integer else set()
    candidates = {d for d in candidates if d >= 0}
    if not candidates:
        return None
    unknowns = sp.symbols(f"c0:{max(candidates) + 1}", cls=sp.Dummy)
    x = sp.Poly(list(reversed(unknowns)), index, domain=a.get_domain().inject(*unknowns))
    equation = a * x.shift(1) - b * x - c
    solutions = sp.solve(equation.coeffs(), unknowns, dict=True)
    if not solutions:
        return None
    solved = x.as_expr().subs(solutions[0]).subs(dict.fromkeys(unknowns, 0))
    return sp.cancel(b.as_expr() * solved / c.as_expr())


# ---- induction


@dataclass(frozen=True)
class Induction:
    """What remains of an equation with a sum or product: a first case, and expressions that must vanish in the step.

    Attributes
    ----------
    first : sympy expression
        The difference of both sides at the smallest n: must be zero.
    step : sympy expression
        Must be zero for all n from the smallest on.
    nonzero : sympy expression
        What the step divides by.
    variable, start : Symbol, sympy expression
    """

    first: sp.Expr
    step: sp.Expr
    nonzero: sp.Expr
    variable: sp.Symbol
    start: sp.Expr


def _shifted_sum(node: sp.Expr, variable: sp.Symbol) -> sp.Expr | None:
    """The sum or product at n + 1 through the one at n, where only the upper limit depends on n and grows by one."""
    index, lower, upper = node.limits[0]
    grows = sp.expand(upper.subs(variable, variable + 1) - upper) == 1
    if len(node.limits) > 1 or not grows or node.function.has(variable) or lower.has(variable):
        return None
    last = node.function.subs(index, upper + 1)
    return node + last if isinstance(node, sp.Sum) else node * last


def induction(difference: sp.Expr, starts: dict[sp.Symbol, sp.Expr], prover: Prover) -> Iterator[Induction]:
    """Ways to prove by induction that an expression with sums and products vanishes.

    Parameters
    ----------
    difference : sympy expression
    starts : mapping of integer symbol to its smallest value
    prover : Prover
    """
    nodes = [n for n in difference.atoms(sp.Sum, sp.Product) if not _inside_another(n, difference)]
    for variable, start in starts.items():
        if not any(node.has(variable) for node in nodes):
            continue
        shifted = {n: _shifted_sum(n, variable) if n.has(variable) else n for n in nodes}
        names = {node: sp.Dummy(f"s{i}") for i, node in enumerate(nodes)}
        named = difference.xreplace(names)
        here = prover.under([variable >= start], [])
        whole = [n for n in nodes if n.has(variable)]
        if all(v is not None for v in shifted.values()) and all(
            here.knows(n.limits[0][2] >= n.limits[0][1] - 1) for n in whole
        ):
            following = difference.subs(variable, variable + 1).xreplace(
                {n.subs(variable, variable + 1): value for n, value in shifted.items()}
            ).xreplace(names)  # fmt: skip
            if here.vanishes(following - named):
                yield Induction(difference.subs(variable, start), sp.S.Zero, sp.S.One, variable, start)
            eliminated = _eliminated(named, following, names, nodes, variable)
            if eliminated is not None:
                yield Induction(difference.subs(variable, start), *eliminated, variable, start)
        if len(nodes) == 1 and isinstance(nodes[0], sp.Sum):
            step = _creative(named, names[nodes[0]], nodes[0], variable, start, prover)
            if step is not None:
                yield Induction(difference.subs(variable, start), *step, variable, start)


def _inside_another(node: sp.Expr, expression: sp.Expr) -> bool:
    return any(node in other.atoms(sp.Sum, sp.Product) - {other} for other in expression.atoms(sp.Sum, sp.Product))


def _eliminated(
    named: sp.Expr, following: sp.Expr, names: dict[sp.Expr, sp.Dummy], nodes: list[sp.Expr], variable: sp.Symbol
) -> tuple[sp.Expr, sp.Expr] | None:
    """D(n + 1) with the sum expressed through D(n) = 0, and what that divides by."""
    for node in nodes:
        if not node.has(variable):
            continue
        name = names[node]
        linear = sp.Poly(named, name) if named.is_polynomial(name) else None
        if linear is None or linear.degree() != 1:
            continue
        slope, rest = linear.all_coeffs()
        return following.subs(name, -rest / slope), slope
    return None


def _creative(
    named: sp.Expr, name: sp.Dummy, node: sp.Sum, variable: sp.Symbol, start: sp.Expr, prover: Prover
) -> tuple[sp.Expr, sp.Expr] | None:
    """S(n + 1) - c(n) S(n) written out by a telescoping certificate, minus what it has to be."""
    if len(node.limits) > 1 or not named.is_polynomial(name) or sp.Poly(named, name).degree() != 1:
        return None
    slope, rest = sp.Poly(named, name).all_coeffs()
    value = -rest / slope
    index, lower, upper = node.limits[0]
    extra = sp.expand(upper.subs(variable, variable + 1) - upper)
    if not extra.is_Integer or extra < 0 or lower.has(variable):
        return None
    here = prover.under([variable >= start], [])
    if not here.knows(upper >= lower):
        return None
    term, factor = node.function, value.subs(variable, variable + 1) / value
    following = term.subs(variable, variable + 1)
    inside = here.under([lower <= index, index <= upper - 1], [index])
    in_variable = inside.quotient(following / term)
    in_index = inside.quotient(term.subs(index, index + 1) / term)
    factored = inside.quotient(factor)
    if in_variable is None or in_index is None or factored is None:
        return None
    rest_of = in_variable[0] / in_variable[1] - factored[0] / factored[1]
    if sp.cancel(rest_of) == 0:
        partial = sp.S.Zero
    else:
        ratio = sp.cancel(in_index[0] / in_index[1] * rest_of.subs(index, index + 1) / rest_of)
        certificate = gosper(sp.fraction(ratio), index)
        if certificate is None:
            return None
        partial = sp.cancel(certificate * rest_of) * term
        poles = sp.fraction(sp.together(sp.cancel(certificate * rest_of)))[1]
        to_upper = here.under([lower <= index, index <= upper], [index])
        identity = partial.subs(index, index + 1) - partial - (following - factor * term)
        if not to_upper.knows(sp.Ne(poles, 0)) or not inside.vanishes(identity):
            return None
    ends = partial.subs(index, upper) - partial.subs(index, lower) if partial != 0 else sp.S.Zero
    last = following.subs(index, upper) - factor * term.subs(index, upper)
    more = sum((following.subs(index, upper + 1 + j) for j in range(int(extra))), sp.S.Zero)
    return ends + last + more, slope * rest


def longer(expression: sp.Expr, variable: sp.Symbol) -> tuple[sp.Expr, list[Boolean]] | None:
    """An expression at the next whole number, its sums by those at this one and single terms; None if not understood.

    The conditions say that no range is shorter than an empty one: then ranges can be prolonged and cut term by term.
    """
    conditions: list[Boolean] = []
    names: dict[sp.Expr, sp.Expr] = {}
    prolonged: dict[sp.Expr, sp.Expr] = {}
    for node in expression.atoms(sp.Sum):
        if len(node.limits) > 1 or node.function.has(sp.Sum, sp.Product):
            return None
        index, lower, upper = node.limits[0]
        function = node.function
        if function.has(variable):  # 1/(K + i) as 1/i from K + 1 on
            function = function.subs(index, index - variable)
            lower, upper = lower + variable, upper + variable
        if function.has(variable):
            return None
        more, fewer = (sp.expand(end.subs(variable, variable + 1) - end) for end in (upper, lower))
        if not all(shift.is_Integer and 0 <= shift <= _MOST_WRITTEN_OUT for shift in (more, fewer)):
            return None
        conditions += [upper >= lower - 1, upper + more >= lower + fewer - 1]
        added = (function.subs(index, upper + j) for j in range(1, int(more) + 1))
        taken = (function.subs(index, lower + j) for j in range(int(fewer)))
        names[node] = sp.Dummy()
        prolonged[names[node]] = sp.Add(node, *added, *(-term for term in taken))
    following = expression.xreplace(names).subs(variable, variable + 1)
    return following.xreplace(prolonged), conditions


def smallest(variable: sp.Symbol, hypotheses: tuple[Boolean, ...]) -> sp.Expr | None:
    """The numeric lower bound of an integer symbol that the hypotheses state."""
    bounds = []
    for h in hypotheses:
        if isinstance(h, (sp.Ge, sp.Gt, sp.Le, sp.Lt)):
            small, large = h.lts, h.gts
            if large == variable and small.is_Rational:
                strict = isinstance(h, (sp.Gt, sp.Lt))
                bounds.append(sp.floor(small) + 1 if strict else sp.ceiling(small))
    return max(bounds, default=None)


def starts(statement: Sequent, symbols: Iterable[sp.Symbol]) -> Iterator[tuple[sp.Symbol, sp.Expr, Sequent, Sequent]]:
    """Whole numbers along which an induction can go, where each starts, and what is known without it and from there."""
    for variable in sorted(symbols, key=str):
        start = smallest(variable, statement.hypotheses)
        if start is None or abs(start) > LARGEST_START:
            continue
        free = tuple(h for h in statement.hypotheses if not h.has(variable))
        others = Sequent(free, sp.true, statement.integers)
        yield variable, start, others, others.under([variable >= start])
