"""One logarithm, exponential, power or root in a relation undone: log(A) <= B is 0 < A <= e^B, e^A <= B is A <= log(B).

Logarithms and exponentials of parameters alone are left: these are parameters of their own
(`lpmech.conditions.substitution`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import sympy as sp

from lpmech.conditions.connectives import MIRRORED, combined, negated, positive
from lpmech.conditions.questions import lacking
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import is_whole
from lpmech.prove.texts import NOWHERE_DEFINED, evaluated
from lpmech.terms import FALSE, TRUE, ZERO, Apply, Node
from lpmech.terms.functions import And, Gt, Le, Or
from lpmech.terms.term import parts_of

__all__ = ["undone"]

Follows = Callable[[Node], bool]


def undone(node: Node, follows: Follows, whole: Collection[str]) -> Node:
    """The same statement, with relations in which such a function stands alone undone.

    Parameters
    ----------
    node : term
    follows : callable
        Whether a condition follows from the hypotheses.
    whole : collection of str
        The parameters that are whole numbers.
    """
    match node:
        case Apply("and" | "or" as operation, parts):
            return Apply(operation, tuple(undone(part, follows, whole) for part in parts))
        case Apply("not" | "implies" | "iff") if _may_be_one(node):  # 0 < A is no part of what is denied
            plain = positive(node)
            return undone(plain, follows, whole) if plain != node else node
        case Apply(relation, (left, right)) if relation in MIRRORED and _may_be_one(node):
            found = _of_relation(relation, left, right, follows, whole)
            return node if found is None else combined("and", [*lacking(node, found, whole), found])
    return node


def _may_be_one(node: Node) -> bool:
    """Whether there are such functions at all, and nothing that sympy would take apart."""
    every = [part.operation for part in parts_of(node) if isinstance(part, Apply)]
    return any(one in ("log", "exp", "**") for one in every) and not {"Abs", "Max", "Min"} & {*every}


def _of_relation(relation: str, left: Node, right: Node, follows: Follows, whole: Collection[str]) -> Node | None:
    try:
        difference = sp.expand(evaluated(left) - evaluated(right), power_exp=False)
    except NOWHERE_DEFINED:
        return None
    own = sp.Dummy()
    every = difference.atoms(sp.log, sp.exp, sp.Pow)
    inner = {atom for atom in every if _is_one(atom) or _is_root_of_any(atom, follows)}
    inner -= {atom for atom in inner if any(atom != other and other.has(atom) for other in inner)}
    if len(inner) != 1:
        return None
    (function,) = inner
    plain = difference.subs(function, own)
    if not plain.is_polynomial(own) or sp.degree(plain, own) != 1:
        return None
    slope, rest = plain.coeff(own, 1), plain.coeff(own, 0)
    sign, is_log, value = _sign(slope, follows), isinstance(function, sp.log), -rest / slope
    is_about_one = is_log and len(difference.free_symbols) == 1  # then there may be monotone pieces
    is_root = function.is_Pow and function.exp.is_Rational
    if is_root and sign:
        return _of_root(relation if sign > 0 else MIRRORED[relation], function, value, follows)
    if function.free_symbols & (slope.free_symbols | rest.free_symbols) and not is_about_one:
        return None
    if not sign or (is_log and not slope.is_number) or _is_one((sp.exp if is_log else sp.log)(value)):
        return None
    bound, relation = term_of(sp.together(value)), relation if sign > 0 else MIRRORED[relation]
    if is_log:
        inside = term_of(function.args[0])
        return And(Gt(inside, 0), Apply(relation, (inside, Apply("exp", (bound,)))))
    base, exponent = function.as_base_exp()
    if base != sp.E and _sign(base, follows) <= 0:
        return None
    positive = _sign(value, follows)
    are_numbers = base.is_Rational and value.is_Rational and positive > 0
    if are_numbers and is_whole(exponent, list(map(sp.Symbol, whole))):
        return _of_whole(relation if base > 1 else MIRRORED[relation], exponent, base, value)
    below = Apply(relation, (term_of(sp.log(base) * exponent), Apply("log", (bound,))))
    if positive > 0:
        return below
    if relation in ("<", "<=", "==") and follows(Le(bound, 0)):
        return FALSE
    if not sp.sympify(exponent).is_polynomial() or (base != sp.E and not base.is_number):  # it may have no value
        return None
    above = And(Gt(bound, 0), below)
    return Or(Le(bound, 0), above) if relation in (">", ">=", "!=") else above


def _of_root(relation: str, root: Any, value: Any, follows: Follows) -> Node:
    """A^(p/q) against B: where A has a root and B is not negative A^p against B^q; in reverse where p is negative."""
    power, start = root.exp, ">=" if root.exp > 0 else ">"
    inside, bound = term_of(root.base), term_of(sp.together(value))
    has_root, is_met = Apply(start, (inside, ZERO)), Apply(start, (bound, ZERO))
    if value.is_number:
        sides = inside, term_of(value ** (1 / power)) if value > 0 else ZERO
    else:
        sides = term_of(root.base ** abs(power.p)), term_of(sp.together(value) ** (int(sp.sign(power)) * power.q))
    above = And(has_root, Apply(relation if power > 0 else MIRRORED[relation], sides))
    below = has_root if relation in (">", ">=", "!=") else FALSE
    if follows(is_met):
        return above
    return below if follows(negated(is_met)) else Or(And(is_met, above), And(negated(is_met), below))


def _of_whole(relation: str, exponent: Any, base: Any, value: Any) -> Node:
    """base^exponent against a number as a bound on the exponent, a whole number."""
    level = sp.log(value) / sp.log(base)
    nearest = sp.Integer(round(sp.N(level, 30)))
    if base**nearest == value:
        return Apply(relation, (term_of(exponent), term_of(nearest)))
    if relation in ("==", "!="):
        return FALSE if relation == "==" else TRUE
    last = nearest if nearest < sp.N(level, 30) else nearest - 1
    is_above = relation in (">", ">=")
    return Apply(">=" if is_above else "<=", (term_of(exponent), term_of(last + is_above)))


def _is_one(atom: Any) -> bool:
    """A logarithm of more than a name, an exponential of more than a sum of names, a power with a name in it, a root of
    more than a name that is no square root.
    """
    if not atom.free_symbols:
        return False
    if isinstance(atom, sp.log):
        return not atom.args[0].is_Symbol
    base, exponent = atom.as_base_exp()
    if not exponent.free_symbols:
        return not base.is_Symbol and exponent.is_Rational and exponent.q > 1 and abs(exponent) != sp.S.Half
    is_sum = exponent.is_polynomial() and sp.Poly(exponent, *exponent.free_symbols).total_degree() == 1
    return not base.is_Symbol and not (base == sp.E and is_sum)


def _is_root_of_any(atom: Any, follows: Follows) -> bool:
    """Whether it is a root, no square root, of a parameter that may be negative."""
    is_root = atom.is_Pow and atom.base.is_Symbol and atom.exp.is_Rational and atom.exp.q > 2
    return is_root and not follows(Apply(">=", (term_of(atom.base), ZERO)))


def _sign(expression: Any, follows: Follows) -> int:
    """1 or -1 where it is known; 0 where it is not, or it is zero."""
    if expression.is_number:
        return int(bool(expression > 0)) - int(bool(expression < 0))
    written = term_of(expression)
    return 1 if follows(Apply(">", (written, ZERO))) else -1 if follows(Apply("<", (written, ZERO))) else 0
