"""Objects of certificates: coefficients and products, with what was done to the hypotheses before, as lemmas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.prove.coefficients import Coefficients
from lpmech.prove.language import Sequent
from lpmech.prove.objects import (
    Cases,
    Contradiction,
    Evaluated,
    Goal,
    Identity,
    Known,
    Multiple,
    Node,
    Product,
    Products,
    PutIn,
    Steps,
    Whole,
)
from lpmech.prove.product_cases import Derived, Refutation, Shown, readable
from lpmech.prove.products import STRICT, NotAllZero, difference
from lpmech.prove.records import Algebraic
from lpmech.prove.terms import CONSTANTS
from lpmech.prove.writing import Writer

__all__ = ["Argument"]

Need = Callable[[Boolean], str]


class _Factors(NamedTuple):
    """Hypotheses and a square that are multiplied."""

    facts: tuple[str, ...]
    square: str = "1"


class Argument:
    """A proof by certificates, written down.

    Parameters
    ----------
    writer : Writer
    integers : collection of Symbol
    """

    def __init__(self, writer: Writer, integers: Collection[sp.Symbol]):
        self._plain, self._writer, self._integers = writer, writer, integers
        #: What every goal has among its hypotheses: terms that are not defined everywhere may need any of them.
        self._always: tuple[str, ...] = ()
        self._meanings: Mapping[sp.Symbol, sp.Expr] = {}

    def node(self, data: Algebraic, statement: Sequent, extras: Sequence[Boolean], goal: Goal) -> Node:
        """The node of a statement."""
        self._meanings = data.meanings
        self._writer = self._plain.with_meanings(data.meanings)
        formulas = (data.cleared.formula, *(given.formula for _, given in data.hypotheses))
        everywhere = all(map(_is_polynomial, formulas)) and not data.meanings
        self._always = () if everywhere else goal.hypotheses
        lemmas: list[Node] = []
        known = set(goal.hypotheses)
        own = dict(data.hypotheses)

        def plain(fact: Boolean) -> str:
            text = self._text(fact)
            if text not in known:
                known.add(text)
                lemmas.append(self._of_generators(fact, goal))
            return text

        if isinstance(data.found, Coefficients):
            last = self._coefficients(data.found, plain, [self._plain.text(e) for e in extras])
            return self._joined(goal, lemmas, last)
        bases: dict[Boolean, Boolean] = {}
        for fact, given in own.items():
            bases.setdefault(readable(given.formula), fact)
        denied = readable(sp.Not(data.cleared.formula))

        def base(fact: Boolean) -> str:
            text = self._text(fact)
            if fact == denied and fact not in bases:
                return text
            source = bases[fact]
            if text in known:
                return text
            if self._text(source) == text:
                return plain(source)
            signs = [self._lemma(lemmas, known, self._coefficients(s, plain, ())) for s in own[source].signs]
            self._lemma(lemmas, known, Identity(self._goal([plain(source), *signs], fact)))
            return text

        used, refutation = self._refutation(data.found, base)
        for sign in data.cleared.signs:
            self._lemma(lemmas, known, self._coefficients(sign, plain, ()))
        last = self._without_denial(refutation, used, data.cleared.formula, self._text(denied))
        return self._joined(goal, lemmas, last)

    def _joined(self, goal: Goal, lemmas: Sequence[Node], last: Node) -> Node:
        return last if not lemmas and last.goal.conclusion == goal.conclusion else Steps(goal, tuple(lemmas), last)

    def _lemma(self, lemmas: list[Node], known: set[str], node: Node) -> str:
        if node.goal.conclusion not in known:
            known.add(node.goal.conclusion)
            lemmas.append(node)
        return node.goal.conclusion

    def _of_generators(self, fact: Boolean, goal: Goal) -> Node:
        """A fact that speaks of what is no rational function, or a number; or a hypothesis in other words."""
        own = self._writer.goal(goal.hypotheses, self._text(fact), self._integers)
        if fact.free_symbols <= CONSTANTS.keys():
            return Evaluated(own)
        simple = isinstance(fact, sp.Eq) or not isinstance(fact, Relational) or 0 in fact.args
        return Identity(own) if simple or not fact.free_symbols & set(self._meanings) else Known(own, "growth")

    def _text(self, formula: Any) -> str:
        return self._writer.text(formula)

    def _goal(self, hypotheses: Sequence[str], conclusion: Boolean) -> Goal:
        return self._writer.goal([*hypotheses, *self._always], self._text(conclusion), self._integers)

    # ---- certificates

    def _without_denial(self, refutation: Node, used: Sequence[str], conclusion: Boolean, denied: str) -> Node:
        """The proof of a conclusion from the refutation of its negation."""
        if conclusion == sp.false or denied not in used:
            return refutation
        rest = [text for text in used if text != denied]
        goal = self._goal(rest, conclusion)
        order = [*goal.hypotheses, denied]
        direct = isinstance(conclusion, (sp.Lt, sp.Le, sp.Gt, sp.Ge)) and set(refutation.goal.hypotheses) <= set(order)
        if isinstance(refutation, Products) and direct:
            place = [order.index(text) for text in refutation.goal.hypotheses]
            products = tuple(Product(p.weight, tuple(place[i] for i in p.facts), p.square) for p in refutation.products)
            return Products(goal, products, tuple(Multiple(place[m.fact], m.factor) for m in refutation.multiples))
        return Contradiction(goal, refutation)

    def _shown(self, shown: Shown, need: Need, conclusion: Boolean = sp.false) -> Products:
        """The products; the last relation is the denied conclusion, unless that is `false`."""
        proof = shown.proof
        used = {i for p in proof.products for i in p.factors} | {i for i, _ in proof.multiples}
        last = None if conclusion == sp.false else len(shown.relations) - 1
        texts = {i: need(shown.relations[i]) for i in sorted(used) if i != last}
        goal = self._goal(list(texts.values()), conclusion)
        place = {i: goal.hypotheses.index(text) for i, text in texts.items()}
        if last is not None:
            place[last] = len(goal.hypotheses)
        products = [
            Product(str(p.weight), tuple(place[i] for i in p.factors), self._text(p.square)) for p in proof.products
        ]
        return Products(goal, tuple(products), tuple(Multiple(place[i], self._text(m)) for i, m in proof.multiples))

    def _coefficients(self, found: Coefficients, need: Need, extras: Sequence[str]) -> Node:
        """A product of bounds for each monomial; the sign of the denominator first."""
        symbols = found.ring.symbols
        texts = [need(found.bounds[symbol][1]) for symbol in symbols]
        sign = -1 if found.turned else 1
        below = {e: sign * c for e, c in found.denominator.to_dict().items()}
        above = {e: sign * c for e, c in found.numerator.to_dict().items()}
        constant = set(below) <= {(0,) * len(next(iter(below)))}
        original = {symbol: symbol - found.bounds[symbol][0] for symbol in symbols}
        divisor = sp.expand(sign * found.ring.expression(found.denominator).subs(original, simultaneous=True))
        positive = sp.Gt(divisor, 0, evaluate=False)
        hypotheses = [*texts, *extras, *([] if constant else [self._text(positive)])]
        goal = self._goal(hypotheses, found.conclusion)
        place = [goal.hypotheses.index(text) for text in texts]
        denied = len(goal.hypotheses)
        factors = (denied,) if constant else (denied, goal.hypotheses.index(self._text(positive)))
        weight = str(next(iter(below.values()))) if constant else "1"
        last = Products(goal, (*_monomials(above, place), Product(weight, factors)))
        if constant:
            return last
        own = self._goal(texts, positive)
        places = [own.hypotheses.index(text) for text in texts]
        lemma = Products(own, (*_monomials(below, places), Product("1", (len(own.hypotheses),))))
        return Steps(self._goal([*texts, *extras], found.conclusion), (lemma,), last)

    # ---- refutations

    def _refutation(self, found: Refutation, base: Need) -> tuple[list[str], Node]:
        """The facts that a refutation uses, and its node."""
        lemmas: list[Node] = []
        used: dict[str, None] = {}
        done: set[Boolean] = set()

        def need(fact: Boolean) -> str:
            derived = found.why[fact]
            if derived is None:
                text = base(fact)
                used[text] = None
                return text
            if fact not in done:
                done.add(fact)
                lemmas.extend(self._derived(fact, derived, need))
            return self._text(fact)

        if found.shown is not None:
            last: Node = self._shown(found.shown, need)
        elif found.branches:
            last = self._branches(found, need, base, used)
        else:
            false = need(sp.false)
            given = not lemmas or lemmas[-1].goal.conclusion != false
            last = Identity(self._goal(list(used), sp.false)) if given else lemmas.pop()
        hypotheses = list(used)
        goal = self._goal(hypotheses, sp.false)
        return list(goal.hypotheses), Steps(goal, tuple(lemmas), last) if lemmas else last

    def _branches(self, found: Refutation, need: Need, base: Need, used: dict[str, None]) -> Node:
        split = None if found.split is None else need(found.split)
        branches, hypotheses = [], {} if split is None else {split: None}
        for added, branch in found.branches:
            own = {self._text(fact) for fact in added}

            def inside(fact: Boolean, added: tuple[Boolean, ...] = added) -> str:
                return self._text(fact) if fact in added else base(fact)

            facts, node = self._refutation(branch, inside)
            for text in facts:
                if text not in own:
                    used[text] = hypotheses[text] = None
            goal = self._goal([*facts, *(self._text(fact) for fact in added)], sp.false)
            branches.append(node if set(goal.hypotheses) == set(node.goal.hypotheses) else Steps(goal, (), node))
        goal = self._goal(list(hypotheses), sp.false)
        alternatives = isinstance(found.split, sp.Or)
        return Cases(goal, goal.hypotheses.index(split) if alternatives and split else None, tuple(branches))

    def _derived(self, fact: Boolean, derived: Derived, need: Need) -> Iterable[Node]:
        """The lemmas by which a fact follows."""
        match derived.how:
            case "part":
                need(derived.sources[0])
            case "put in":
                source, equation = map(need, derived.sources)
                if source == self._text(fact):  # a generator that is written as its value
                    return
                goal = self._goal([source, equation], fact)
                place = {text: n for n, text in enumerate(goal.hypotheses)}
                yield PutIn(goal, place[source], place[equation], self._text(derived.data))
            case "cleared":
                signs = [self._coefficients(sign, need, ()) for sign in derived.data]
                yield from signs
                yield Identity(self._goal([need(derived.sources[0]), *(s.goal.conclusion for s in signs)], fact))
            case "whole":
                yield Whole(self._goal([need(derived.sources[0])], fact), 0)
            case "factors":
                yield from self._factors(fact, derived, need)
            case "chosen":
                yield from self._chosen(fact, derived, need)
            case "not all zero":
                yield self._not_all_zero(derived.data, need)

    def _factors(self, fact: Boolean, derived: Derived, need: Need) -> Iterable[Node]:
        """Without factors whose sign is known: these first."""
        (relation,) = derived.sources
        known: list[str] = []
        powers: list[str] = []
        square: sp.Expr = sp.S.One
        for bound in derived.data:
            if bound.shown is not None:
                positive = sp.Gt(bound.sign * bound.factor, 0, evaluate=False)
                yield self._shown(bound.shown, need, positive)
                known.append(self._text(positive))
                powers += [known[-1]] * bound.times
            elif isinstance(relation, STRICT) and bound.times % 2 == 0:
                square *= bound.factor ** (bound.times // 2)
        source = need(relation)
        goal = self._goal([source, *known], fact)
        if isinstance(relation, sp.Eq):
            yield Identity(goal)
            return
        place = [goal.hypotheses.index(text) for text in powers]
        own = Product("1", (goal.hypotheses.index(source),))
        if fact == sp.false:
            rest = sp.cancel(difference(relation) / sp.Mul(*_signed(derived), square**2))
            more = () if rest == 0 else (Product(str(-rest), tuple(place), self._text(square)),)
            yield Products(goal, (own, *more))
        else:
            yield Products(goal, (own, Product("1", (len(goal.hypotheses), *place), self._text(square))))

    def _not_all_zero(self, found: NotAllZero, need: Need) -> Node:
        """Were the sum not positive, every symbol would be zero, and the relation would not hold there."""
        denied = self._text(sp.Not(found.relation))
        facts = {symbol: need(relation) for symbol, relation in found.known.items()}
        parts = {s: _Factors((facts[s],)) for s in facts} | {s: _Factors((), self._text(s)) for s in found.squared}
        given = [*facts.values(), denied]
        lemmas: list[Node] = []
        fact: Boolean = found.violated
        for symbol in parts:
            equal = sp.Eq(symbol, 0, evaluate=False)
            above, below = self._text(symbol > 0), self._text(symbol < 0)
            rest = [_Factors((denied,)), *(part for s, part in parts.items() if s != symbol)]
            powers = 1 if symbol in facts else 2
            upper = self._sum([*given, above], [_Factors((above,) * powers), *rest])
            lower = self._sum(
                [*given, below], [_Factors((below,) * powers), *([parts[symbol]] if powers == 1 else rest)]
            )
            same = Identity(self._goal([self._text(equal)], equal))
            lemmas.append(Cases(self._goal(given, equal), None, (lower, same, upper)))
        for symbol in parts:
            if fact.has(symbol):
                equation = self._text(sp.Eq(symbol, 0, evaluate=False))
                goal = self._goal([self._text(fact), equation], fact := fact.xreplace({symbol: sp.S.Zero}))
                lemmas.append(PutIn(goal, 0, 1, self._text(symbol)))
        hypotheses = [need(found.violated), *facts.values()]
        *first, last = lemmas
        refutation = Steps(self._goal([*hypotheses, denied], sp.false), tuple(first), last)
        return Contradiction(self._goal(hypotheses, found.relation), refutation)

    def _sum(self, hypotheses: Sequence[str], products: Sequence[_Factors]) -> Products:
        """Hypotheses of which products add up to nothing."""
        goal = self._goal(hypotheses, sp.false)
        made = (Product("1", tuple(map(goal.hypotheses.index, p.facts)), p.square) for p in products)
        return Products(goal, tuple(made))

    def _chosen(self, fact: Boolean, derived: Derived, need: Need) -> Iterable[Node]:
        """With the value of a Min, Max or Abs in place of it."""
        source, *conditions = derived.sources
        known = [self._text(condition) for condition in conditions]
        for shown in derived.data.shown:
            denied = sp.Not(shown.relations[-1])
            yield self._shown(shown, need, denied)
            known.append(self._text(denied))
        for condition in conditions:
            need(condition)
        chosen = sp.Eq(derived.data.node, derived.data.value, evaluate=False)
        yield Known(self._goal(known, chosen), "choice")
        goal = self._goal([need(source), self._text(chosen)], fact)
        places = goal.hypotheses.index(need(source)), goal.hypotheses.index(self._text(chosen))
        yield PutIn(goal, *places, self._text(derived.data.node))


def _is_polynomial(formula: Boolean) -> bool:
    sides = (side for r in formula.atoms(Relational) for side in (r.lhs, r.rhs))
    return all(side.is_polynomial(*side.free_symbols) for side in sides if side.free_symbols)


def _signed(derived: Derived) -> list[sp.Expr]:
    return [(bound.sign * bound.factor) ** bound.times for bound in derived.data if bound.shown is not None]


def _monomials(terms: Any, place: Sequence[int]) -> list[Product]:
    return [
        Product(str(c), tuple(place[i] for i, e in enumerate(exponents[: len(place)]) for _ in range(int(e))))
        for exponents, c in terms.items()
    ]
