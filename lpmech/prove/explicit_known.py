"""What follows from hypotheses, shown by lemmas that the checker of proofs sees without a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from lpmech.certify.proofs.algebra import Polynomial, Quotient, Terms, multiplied
from lpmech.certify.proofs.context import Context, conjuncts
from lpmech.certify.proofs.reading import (
    FALSE,
    ONE,
    RELATIONS,
    TRUE,
    ZERO,
    Parsed,
    RefusedProofError,
    negated,
    read,
    without_words,
)
from lpmech.prove.explicit_laws import equations, functions_in
from lpmech.prove.explicit_signs import KIND, Reason, Signs, Spoken, divided, number, power, times
from lpmech.prove.objects import (
    Cases,
    Contradiction,
    Evaluated,
    Goal,
    Identity,
    Implication,
    Known as ByLaw,
    Multiple,
    Node,
    Product,
    Products,
    Steps,
)

__all__ = ["DENIED", "Known", "UnshownError", "written"]

DENIED: Parsed = ("denied",)
_DEEP = 4


class UnshownError(Exception):
    """Nothing was found that shows a condition."""


def written(tree: Parsed) -> str:
    """The text that is read as this tree."""
    match tree:
        case ("number", value):
            return str(value) if value.denominator == 1 else _decimal(value)
        case ("name", name):
            return str(name)
        case ("pi",):
            return "pi"
        case ("true" | "false",):
            return str(tree[0]).capitalize()
        case ("-", ("number", Fraction(numerator=0)), part):
            return f"(-{written(part)})" if part[0] in ("number", "name") or part[0] not in "+-*/" else f"(-({written(part)}))"
        case ("+" | "-" | "*" | "/" | "**" as sign, a, b):
            return f"({written(a)}{sign if sign in ('*', '/', '**') else f' {sign} '}{written(b)})"
        case (relation, a, b) if relation in RELATIONS:
            return f"{written(a)} {relation} {written(b)}"
        case ("and" | "or" as word, *parts):
            return f" {word} ".join(f"({written(p)})" for p in parts)
        case ("not", part):
            return f"not ({written(part)})"
        case ("implies" | "iff", a, b):
            return f"{'Implies' if tree[0] == 'implies' else 'Equivalent'}({written(a)}, {written(b)})"
        case ("whole", x):
            return f"{written(x)} in Integers"
        case ("[]", name, *places):
            return f"{name}[{', '.join(map(written, places))}]"
        case ("Piecewise", *cases):
            return f"Piecewise({', '.join(f'({written(v)}, {written(c)})' for v, c in cases)})"
        case ("Sum" | "Product" | "Each", body, index, first, last):
            return f"{tree[0]}({written(body)}, ({index}, {written(first)}, {written(last)}))"
    return f"{tree[0]}({', '.join(map(written, tree[1:]))})"


def _decimal(value: Fraction) -> str:
    digits = 0
    while value.denominator != 1:
        value, digits = value * 10, digits + 1
    text = str(value.numerator).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}"


class Checking(Protocol):
    """What sees whether a node is accepted as it is, and adds what it lacks."""

    terms: Terms
    spoken: Spoken
    until: float

    def refusal(self, node: Node) -> RefusedProofError | None: ...

    def settled(self, node: Node, known: Known | None = None) -> Node: ...


class Known:
    """Hypotheses, and lemmas that follow from them, in the order in which they were found."""

    def __init__(self, checking: Checking, sorts: Mapping[str, str], hypotheses: Sequence[Parsed], depth: int = 0):
        self.checking, self.sorts, self.hypotheses, self.depth = checking, dict(sorts), list(hypotheses), depth
        self.context = Context(sorts, checking.terms, hypotheses)
        self.lemmas: list[Node] = []
        self.pool: dict[Parsed, None] = {}
        #: Equations by which indeterminates are read, and terms that are read so.
        self.meant: list[Parsed] = []
        self.terms = checking.terms
        self.signs = Signs(checking.spoken, self._of_atom, self.lemma)
        self._asked: set[int] = set()
        self._bridged: set[Parsed] = set()
        self._tried: set[Parsed] = set()
        for tree in hypotheses:
            checking.spoken.register(tree)
            self.pool[tree] = None
        for tree in hypotheses:
            for part in conjuncts(without_words(tree)):
                self._learn(part)

    # ---- what is learned

    def _learn(self, part: Parsed) -> None:
        self.pool[part] = None
        if part[0] not in RELATIONS:
            return
        for side in part[1:]:
            for need in self.terms.needs(side):
                if need[0] in RELATIONS and need not in self.signs.facts:
                    self._sign(need)
        self._sign(part)

    def _sign(self, part: Parsed) -> None:
        try:
            found = self.difference(part)
        except RefusedProofError:
            return
        if not found.below and all(e > 0 for m in found.above for _, e in m):
            self.signs.learn(part, found.above)
            return
        cleared = self.cleared(found, part)
        if cleared is None:
            return
        above, facts = cleared
        kind = KIND[part[0]]
        fact = (kind, self.checking.spoken.polynomial(above), ZERO)
        product, one = self._of_facts(facts), Fraction(1)
        try:
            if kind in (">", ">="):
                self.products(fact, [(one, (DENIED,), ONE), (one, (part, *facts), ONE)], [])
            elif kind == "==":
                self.products(fact, [(one, (DENIED,), ONE)], [(part, ("-", ZERO, times(fact[1], product)))])
            else:
                self.products(fact, [(one, (part, *facts, *facts), ONE)], [(DENIED, ("-", ZERO, fact[1]))])
        except (UnshownError, RefusedProofError):
            return

    def _of_facts(self, facts: Sequence[Parsed]) -> Parsed:
        found = ONE
        for fact in facts:
            known = self.difference(fact).above
            found = times(found, power(self.checking.spoken.polynomial(known), 2 if fact[0] == "!=" else 1))
        return found

    def cleared(self, a: Quotient, but: Parsed | None = None) -> tuple[Polynomial, list[Parsed]] | None:
        """A polynomial that is a quotient times the product of facts (the square of an inequation); none is zero."""
        above, factors = a.above, [(dict(key), e) for key, e in a.below.items()]
        for atom in sorted({atom for m in above for atom, e in m if e < 0}):
            lowest = -min(dict(m).get(atom, 0) for m in above)
            above = multiplied(above, {((atom, lowest),): 1})
            factors.append(({((atom, 1),): 1}, lowest))
        facts: list[Parsed] = []
        for polynomial, exponent in factors:
            found = self.signs.nonzero(polynomial)
            if found is None:
                return None
            value, known = found
            if any(fact[0] == "!=" for fact in known) and exponent % 2:
                above, exponent = multiplied(above, polynomial), exponent + 1
            for fact in known:
                facts += [fact] * (exponent // 2 if fact[0] == "!=" else exponent)
            above = {m: v / Fraction(value) ** exponent for m, v in above.items()}
        return self.terms.reduced(above), facts

    def _of_atom(self, atom: int) -> None:
        """What a law says of the sign of an indeterminate."""
        if atom in self._asked:
            return
        self._asked.add(atom)
        key = self.checking.terms.keys[atom]
        if key[0] == "name":
            return
        try:
            tree = self.checking.spoken.atom(atom)
        except KeyError:
            return
        for law, fact in self._laws_of(tree):
            try:
                self.add(self.checking.settled(ByLaw(self.goal(fact, list(self.pool)), law), self))
            except (UnshownError, RefusedProofError):
                continue
            break

    def _laws_of(self, tree: Parsed) -> Iterable[tuple[str, Parsed]]:
        match tree:
            case ("exp", _):
                yield "growth", (">", tree, ZERO)
            case ("sqrt" | "**", *_):
                yield "growth", (">", tree, ZERO)
                yield "growth", (">=", tree, ZERO)
            case ("factorial", _):
                yield "growth", (">=", tree, ONE)
            case ("Abs", _):
                yield "bounds of a choice", (">=", tree, ZERO)
            case ("Max", *parts):
                for part in parts:
                    if self.known((">=", part, ZERO)):
                        yield "bounds of a choice", (">=", tree, part)
            case ("Min", *parts):
                if all(self.known((">=", part, ZERO)) for part in parts):
                    yield "bounds of a choice", (">=", tree, ZERO)

    def difference(self, relation: Parsed) -> Quotient:
        """What a relation compares with zero, read by the equations."""
        found = self.terms.difference(relation)
        above = self.terms.reduced(found.above)
        return Quotient(above, found.below if above else {})

    def bridge(self, wanted: Parsed) -> bool:
        """Add equations that bring functions to one form, and read everything by them; whether there are any."""
        functions = {f for tree in (*self.pool, wanted) for f in functions_in(tree)}
        if functions <= self._bridged:
            return False
        self._bridged |= functions
        checking = self.checking
        positive = lambda tree: self.known((">", tree, ZERO))  # noqa: E731
        whole = lambda tree: self.sees(("whole", tree))  # noqa: E731
        trees, found = [*self.pool, wanted], dict[Parsed, None]()
        for _ in range(2):
            more = []
            for law, equation in list(equations(checking.terms, checking.spoken, trees, positive, whole)):
                if equation not in found and self._is_law(law, equation):
                    more.append(equation)
            found |= dict.fromkeys(more)
            trees = more
        found |= dict.fromkeys(self.meant)
        self.meant, self.terms = [], checking.terms
        for equation in self._ordered(list(found)):
            self._add_meaning(equation)
        if not self.meant:
            return False
        self.signs = Signs(checking.spoken, self._of_atom, self.lemma)
        self._asked.clear()
        for tree in [*self.pool, wanted]:
            checking.spoken.register(tree, self.terms)
        for part in [part for part in self.pool if part[0] in RELATIONS]:
            found = self.difference(part)
            if not found.below and all(e > 0 for m in found.above for _, e in m):
                self.signs.learn(part, found.above)
        for part in list(self.pool):
            self._learn(part)
        return True

    def _is_law(self, law: str, equation: Parsed) -> bool:
        """Whether an equation is an instance of a law; then it is a lemma."""
        self.checking.spoken.register(equation)
        if equation not in self.pool:
            try:
                self.add(self.checking.settled(ByLaw(self.goal(equation, list(self.pool)), law), self))
            except (UnshownError, RefusedProofError):
                return False
        return True

    def _ordered(self, found: list[Parsed]) -> list[Parsed]:
        """Equations after those about what stands on their right sides."""
        quotient = self.checking.terms.quotient
        about = {atom: e for e in found for m in quotient(e[1]).above for atom, _ in m}
        done: dict[Parsed, None] = {}

        def place(equation: Parsed, above: tuple[Parsed, ...]) -> None:
            if equation in done or equation in above:
                return
            right = quotient(equation[2])
            atoms = {i for p in (right.above, *map(dict, right.below)) for m in p for i, _ in m}
            for atom in atoms & about.keys():
                place(about[atom], (*above, equation))
            done[equation] = None

        for equation in found:
            place(equation, ())
        return list(done)

    def _add_meaning(self, equation: Parsed) -> None:
        try:
            found, right = self.terms.quotient(equation[1]), self.terms.quotient(equation[2])
        except RefusedProofError:
            return
        if found == right or found.below or len(found.above) != 1 or len(next(iter(found.above))) != 1:
            return
        ((monomial, value),) = found.above.items()
        ((atom, degree),) = monomial
        if value != 1 or degree < 1 or (degree > 1 and right.below) or atom in self.terms.meant:
            return
        if degree == 1 and any(atom == i for m in right.above for i, _ in m):
            return
        self.meant.append(equation)
        self.terms = Terms(self.checking.terms, {**self.terms.meant, atom: (degree, right)})

    # ---- lemmas

    def goal(self, conclusion: Parsed, hypotheses: Iterable[Parsed]) -> Goal:
        """A goal with the parameters of this place."""
        return Goal(self.sorts, tuple(dict.fromkeys(map(written, hypotheses))), written(conclusion))

    def add(self, node: Node) -> Parsed:
        """A lemma."""
        conclusion = read(node.goal.conclusion, self.sorts)
        if conclusion in self.pool:
            return conclusion
        self.lemmas.append(node)
        self.checking.spoken.register(conclusion)
        self.context = self.context.with_more([conclusion])
        self.context.more = ()
        self.pool[conclusion] = None
        for part in conjuncts(without_words(conclusion)):
            self._learn(part)
        return conclusion

    def lemma(self, fact: Parsed, reason: Reason) -> None:
        """A relation whose difference is a polynomial with a reason for its sign."""
        if fact in self.pool:
            return
        one = Fraction(1)
        self.products(fact, [(one, (DENIED,), ONE), *reason.products], reason.multiples)

    def products(
        self,
        wanted: Parsed,
        products: Sequence[tuple[Fraction, tuple[Parsed, ...], Parsed]],
        multiples: Sequence[tuple[Parsed, Parsed]],
    ) -> None:
        """Products of facts that show a relation, or that there is none."""
        used = dict.fromkeys(f for _, facts, _ in products for f in facts)
        used |= dict.fromkeys(f for f, _ in multiples)
        used |= dict.fromkeys(self.meant)
        used.pop(DENIED, None)
        for fact in used:
            if fact not in self.pool:
                self.add_identity(fact)
        for hypotheses in (list(used), list(self.pool)):
            node = self._products(wanted, products, multiples, hypotheses)
            refused = self.checking.refusal(node)
            if refused is None:
                break
        else:
            node = self.checking.settled(node, self)
        self.add(node)

    def _products(self, wanted: Parsed, products: Any, multiples: Any, hypotheses: list[Parsed]) -> Products:
        goal = self.goal(wanted, hypotheses)
        place = {tree: n for n, tree in enumerate(hypotheses)}
        place[DENIED] = len(hypotheses)
        return Products(
            goal,
            tuple(Product(str(w), tuple(place[f] for f in facts), written(s)) for w, facts, s in products),
            tuple(Multiple(place[f], written(m)) for f, m in multiples),
            tuple(place[f] for f in self.meant),
        )

    def add_identity(self, fact: Parsed) -> None:
        """What is seen at once, as a fact."""
        if fact in self.pool:
            return
        for hypotheses in ([h for h in self.pool if h[0] in RELATIONS][:0], list(self.pool)):
            node = Identity(self.goal(fact, hypotheses))
            if self.checking.refusal(node) is None:
                self.add(node)
                return
        raise UnshownError(written(fact))

    # ---- what is shown

    def known(self, wanted: Parsed) -> bool:
        """Whether a condition is seen at once, or shown now, by lemmas."""
        try:
            self.show(wanted)
        except (UnshownError, RefusedProofError):
            return False
        return True

    def sees(self, wanted: Parsed) -> bool:
        """Whether a condition is seen at once."""
        try:
            self.context.demand(wanted)
        except RefusedProofError:
            return False
        return True

    def show(self, wanted: Parsed) -> None:
        """Find lemmas after which a condition is seen at once."""
        if wanted in self._tried or len(self._tried) > 12 or time.process_time() > self.checking.until:
            raise UnshownError(written(wanted))
        self._tried.add(wanted)
        try:
            for _ in range(40):
                try:
                    self.context.demand(wanted)
                    return
                except RefusedProofError as exc:
                    if exc.missing is None:
                        raise
                    missing = exc.missing if not exc.given else ("implies", ("and", *exc.given), exc.missing)
                if missing == wanted:
                    break
                self.show(missing)
            self.checking.spoken.register(wanted)
            self._show(wanted)
        finally:
            self._tried.discard(wanted)

    def _show(self, wanted: Parsed) -> None:
        match wanted:
            case ("and", *parts):
                for part in parts:
                    self.show(part)
            case ("implies", first, then):
                inner = Known(self.checking, self.sorts, [*self.pool, first], self.depth + 1)
                inner.show(then)
                self.add(Implication(self.goal(wanted, self.pool), inner.closed(then)))
            case ("or", *parts):
                self._show_one(wanted, parts)
            case ("not" | "iff", *_):
                self.show(without_words(wanted))
            case (relation, *_) if relation in RELATIONS:
                self._show_relation(wanted)
            case _:
                self._by_cases(wanted)

    def closed(self, wanted: Parsed) -> Node:
        """The lemmas, and that a condition is seen after them."""
        goal = self.goal(wanted, self.hypotheses)
        if self.lemmas and read(self.lemmas[-1].goal.conclusion, self.sorts) == wanted:
            *first, last = self.lemmas
        else:
            first, last = self.lemmas, Identity(self.goal(wanted, self.pool))
        return Steps(goal, tuple(first), last) if first or set(last.goal.hypotheses) - set(goal.hypotheses) else last

    def _show_one(self, wanted: Parsed, parts: Sequence[Parsed]) -> None:
        if any(map(self._at_once, parts)):
            return
        if self.depth >= _DEEP:
            raise UnshownError(written(wanted))
        denied = [part for inner in map(negated, parts) for part in conjuncts(inner)]
        inner = Known(self.checking, self.sorts, [*self.pool, *denied], self.depth + 1)
        inner.show(FALSE)
        self.add(Contradiction(self.goal(wanted, self.pool), inner.closed(FALSE)))

    def _at_once(self, wanted: Parsed) -> bool:
        """Whether a relation, or several, are shown without a distinction of cases."""
        if wanted[0] == "and":
            return all(map(self._at_once, wanted[1:]))
        try:
            self.context.defined(wanted)
            if not self.context.holds(wanted):
                if wanted[0] not in RELATIONS:
                    return False
                self.checking.spoken.register(wanted)
                self._show_relation(wanted, split=False)
        except (UnshownError, RefusedProofError):
            return False
        return True

    def _by_cases(self, wanted: Parsed) -> None:
        """By the alternatives of a hypothesis; False also by a relation whose contrary is shown."""
        if wanted == FALSE:
            for part in [part for part in self.pool if part[0] in RELATIONS]:
                try:
                    self._show_relation(negated(part), split=False)
                except (UnshownError, RefusedProofError):
                    continue
                return
        if self.depth >= _DEEP:
            raise UnshownError(written(wanted))
        for part in [part for part in self.pool if part[0] == "or"]:
            pool = [h for h in self.pool if h != part]
            branches = []
            try:
                for case in part[1:]:
                    inner = Known(self.checking, self.sorts, [*pool, case], self.depth + 1)
                    aim = wanted
                    try:
                        inner.show(wanted)
                    except (UnshownError, RefusedProofError):
                        if wanted == FALSE:
                            raise
                        inner = Known(self.checking, self.sorts, [*pool, case], self.depth + 1)
                        inner.show(aim := FALSE)
                    branches.append(inner.closed(aim))
            except (UnshownError, RefusedProofError):
                continue
            goal = self.goal(wanted, self.pool)
            self.add(self.checking.settled(Cases(goal, list(self.pool).index(part), tuple(branches)), self))
            return
        raise UnshownError(written(wanted))

    def _show_relation(self, wanted: Parsed, split: bool = True) -> None:
        found = self.difference(wanted)
        kind, one = KIND[wanted[0]], Fraction(1)
        cleared = self.cleared(found)
        if cleared is not None:
            above, facts = cleared
            tree = self.checking.spoken.polynomial
            if kind in (">", ">="):
                reason = self.signs.reason(above, kind == ">")
                if reason is not None:
                    self.products(wanted, [(one, (DENIED, *facts), ONE), *reason.products], reason.multiples)
                    return
            elif kind == "==":
                if not above:
                    self.products(wanted, [(one, (DENIED,), ONE)], [])
                    return
                side = ("-", *wanted[1:])
                for fact, (own, known) in list(self.signs.facts.items()):
                    rest = divided(above, known) if own == "==" else None
                    if rest is not None:
                        factor = ("-", ZERO, times(side, tree(rest)))
                        self.products(wanted, [(one, (DENIED, *facts), ONE)], [(fact, factor)])
                        return
                signs = [self.signs.reason({m: v * s for m, v in above.items()}, False) for s in (1, -1)]
                if None not in signs:
                    for s, reason in zip((1, -1), signs, strict=True):
                        self.lemma((">=", tree({m: v * s for m, v in above.items()}), ZERO), reason)
                    equal = ("==", tree(above), ZERO)
                    self.add_identity(equal)
                    factor = ("-", ZERO, side)
                    self.products(wanted, [(one, (DENIED, *facts), ONE)], [(equal, factor)])
                    return
            else:
                nonzero = self.signs.nonzero(above)
                if nonzero is not None:
                    value, known = nonzero
                    double = tuple(f for fact in known for f in ([fact] if fact[0] == "!=" else [fact, fact]))
                    factor = times(number(-1 / Fraction(value) ** 2), times(tree(above), self._of_facts(facts)))
                    self.products(wanted, [(one, double, ONE)], [(DENIED, factor)])
                    return
        if cleared is not None and self._by_multiple(wanted, kind, above, facts):
            return
        if self._by_numbers(wanted) or self._by_parts(wanted):
            return
        if self.bridge(wanted):
            self._show_relation(wanted, split)
            return
        if not split:
            raise UnshownError(written(wanted))
        self._by_cases(wanted)

    def _by_multiple(self, wanted: Parsed, kind: str, above: Polynomial, facts: Sequence[Parsed]) -> bool:
        """By a fact that is a multiple of what is wanted: x > 0 of x*y > 0 and y > 0."""
        tree, one = self.checking.spoken.polynomial, Fraction(1)
        side = ("-", *(wanted[1:] if "<" not in wanted[0] else wanted[:0:-1]))
        for fact, (own, known) in list(self.signs.facts.items()):
            rest = divided(known, above) if own in (kind, ">", "==") and len(known) > 0 else None
            if rest is None or not rest.keys() - {()} or (kind == "==" and own != "=="):
                continue
            found = self.signs.nonzero(rest)
            if found is None:
                continue
            value, others = Fraction(found[0]), found[1]
            double = tuple(f for o in others for f in ([o] if o[0] == "!=" else [o, o]))
            if kind in (">", ">="):
                if own == "==" or value < 0 or any(o[0] == "!=" for o in others):
                    continue
                self.products(wanted, [(value, (DENIED, *facts, *others), ONE), (one, (fact,), ONE)], [])
            elif kind == "==":
                factor = times(number(-1 / value**2), times(side, tree(rest)))
                self.products(wanted, [(one, (DENIED, *facts, *double), ONE)], [(fact, factor)])
            elif own == "!=":
                factor = ("-", ZERO, times(tree(known), times(self._of_facts(facts), tree(rest))))
                self.products(wanted, [(one, (fact,), ONE)], [(DENIED, factor)])
            else:
                continue
            return True
        return False

    def _by_parts(self, wanted: Parsed) -> bool:
        """A bound of a Max or Min, by those of its arguments."""
        match wanted:
            case ("<" | "<=", ("Max", *parts), value) | (">" | ">=", ("Min", *parts), value):
                if all(self.known((wanted[0], part, value)) for part in parts):
                    self.add(self.checking.settled(ByLaw(self.goal(wanted, list(self.pool)), "bounds of a choice"), self))
                    return True
        return False

    def _by_numbers(self, wanted: Parsed) -> bool:
        node = Evaluated(self.goal(wanted, []))
        if self.checking.refusal(node) is not None:
            return False
        self.add(node)
        return True
