"""Proof objects in which every step shows what it uses: what the checker would have to search for becomes a lemma."""

from __future__ import annotations

import json
import time
from dataclasses import fields, replace
from typing import Any

from lpmech.certify.proofs.algebra import Terms
from lpmech.certify.proofs.context import conjuncts
from lpmech.certify.proofs.laws import inequalities
from lpmech.certify.proofs.reading import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Parsed,
    RefusedProofError,
    names_in,
    negated,
    read,
    replaced,
    without_words,
)
from lpmech.certify.proofs.rules import RULES, check
from lpmech.certify.proofs.slopes import bases_of_powers, bounds_beyond, slope
from lpmech.certify.proofs.steps import Run
from lpmech.prove.explicit_laws import functions_in
from lpmech.prove.explicit_known import Known, UnshownError, written
from lpmech.prove.explicit_signs import Spoken
from lpmech.prove.objects import (
    Cases,
    Contradiction,
    Derivative,
    Evaluated,
    Goal,
    Identity,
    Implication,
    Induction,
    Node,
    Parts,
    Products,
    PutIn,
    Rounded,
    Steps,
    Telescoped,
    Unchecked,
    Whole,
    to_data,
)
from lpmech.prove.objects import Known as ByLaw

__all__ = ["Elaboration", "checked", "explicit", "explicit_or_named"]

_LEMMAS = 60


def explicit(node: Node, seconds: float = 60.0) -> Node:
    """The same proof, in small steps.

    Parameters
    ----------
    node : Node
    seconds : float
        Processor time after which it is given up.

    Raises
    ------
    RefusedProofError
        If a step is not seen to follow.
    """
    try:
        return Elaboration(seconds).node(node)
    except UnshownError as exc:
        raise RefusedProofError(f"{exc} is not shown") from exc
    except (RecursionError, ArithmeticError) as exc:
        raise RefusedProofError(f"no small steps: {type(exc).__name__}") from exc


def checked(node: Node) -> tuple[Node, tuple[str, ...]]:
    """The same proof as the checker accepts it, and what it relies on that has no object.

    Raises
    ------
    RefusedProofError
        If it is refused.
    """
    found = explicit(node)
    return found, check(json.loads(json.dumps(to_data(found))))[1]


def explicit_or_named(node: Node, method: str) -> Node:
    """A proof as the checker accepts it; else its goal, called by the name of a method, which the checker tells."""
    try:
        return checked(node)[0]
    except RefusedProofError:
        return Unchecked(node.goal, method)


def _shell(node: Node) -> Any:
    """A node as data, its children told."""

    def told(part: Any) -> Any:
        if isinstance(part, Node):
            return Unchecked(part.goal, "told")
        return tuple(map(told, part)) if isinstance(part, tuple) else part

    return to_data(replace(node, **{field.name: told(getattr(node, field.name)) for field in fields(node)}))


class Elaboration:
    """Makes the steps of one proof explicit."""

    def __init__(self, seconds: float = 60.0) -> None:
        self.until = time.process_time() + seconds
        self._run = Run(RULES)
        self.terms, self.spoken = self._run.terms, Spoken(self._run.terms)

    # ---- the checker, asked about one node

    def refusal(self, node: Node) -> RefusedProofError | None:
        """Why a node is refused, if its children are in order."""
        self._run._nodes = 0
        self._run._until = float("inf")
        Terms.left = 10**8
        try:
            self._run.node(_shell(node), "proof", 0)
        except RefusedProofError as exc:
            return exc
        return None

    def settled(self, node: Node, known: Known | None = None) -> Node:
        """A node with the lemmas that it lacks: among those that are known, or before it."""
        own = known or self.known(node.goal)
        inner = node
        for _ in range(_LEMMAS):
            refused = self.refusal(inner)
            if refused is None:
                break
            if refused.missing is None:
                raise refused
            missing = refused.missing
            if refused.given:
                missing = ("implies", ("and", *refused.given), missing)
            own.show(missing)
            here = {read(h, node.goal.parameters) for h in inner.goal.hypotheses}
            more = [h for h in (own.pool if known else _conclusions(own.lemmas)) if h not in here]
            if not more:
                raise refused
            inner = self._with(inner, list(map(written, more)))
        else:
            raise RefusedProofError("too many lemmas")
        return inner if known or not own.lemmas else Steps(node.goal, tuple(own.lemmas), inner)

    def known(self, goal: Goal) -> Known:
        """What the hypotheses of a goal say."""
        return Known(self, goal.parameters, [read(h, goal.parameters) for h in goal.hypotheses])

    def _with(self, node: Node, more: list[str]) -> Node:
        """With further hypotheses after its own."""
        size = len(node.goal.hypotheses)
        goal = Goal(node.goal.parameters, (*node.goal.hypotheses, *more), node.goal.conclusion)
        if not isinstance(node, Products):
            return replace(node, goal=goal)

        def place(n: int) -> int:
            return n + len(more) if n >= size else n

        products = tuple(replace(p, facts=tuple(map(place, p.facts))) for p in node.products)
        return replace(node, goal=goal, products=products, multiples=tuple(replace(m, fact=place(m.fact)) for m in node.multiples))

    # ---- nodes

    def node(self, node: Node) -> Node:
        """A node and all below it."""
        return self._made(node)

    def _made(self, node: Node) -> Node:
        goal = node.goal
        conclusion = read(goal.conclusion, goal.parameters)
        match node:
            case Unchecked():
                return node
            case Identity():
                return self._shown(goal, conclusion)
            case Evaluated():
                return self._shown(goal, conclusion)
            case Steps(_, lemmas, last):
                return self._steps(goal, list(map(self.node, lemmas)), self.node(last))
            case Parts(_, parts):
                return self._steps(goal, list(map(self.node, parts)), None)
            case Implication(_, then):
                _, first, wanted = conclusion
                return self.settled(Implication(goal, self._child(self.node(then), goal, [written(first)], wanted)))
            case Contradiction(_, refutation):
                denied = [written(negated(conclusion))]
                return self.settled(Contradiction(goal, self._child(self.node(refutation), goal, denied, FALSE)))
            case Cases(_, cover, branches):
                return self._cases(goal, cover, list(map(self.node, branches)))
            case PutIn():
                return self._put_in(node, conclusion)
            case Whole(_, fact):
                strict = read(goal.hypotheses[fact], goal.parameters)
                low, high = strict[1:] if strict[0] == "<" else (strict[2], strict[1])
                more = (">=", ("-", high, low), ONE)
                lemma = self.settled(Whole(Goal(goal.parameters, goal.hypotheses, written(more)), fact))
                return _over(goal, lemma) if more == conclusion else self._steps(goal, [lemma], None)
            case ByLaw(_, law):
                return self._law(node, law, conclusion)
            case Rounded(_, name, _, then):
                return self.settled(replace(node, then=self.node(then)))
            case Induction():
                return self._induction(node, conclusion)
            case Telescoped():
                return self._telescoped(node, conclusion)
            case Derivative():
                return self._derivative(node, conclusion)
            case Products():
                return self._products(node)
        changed = {}
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, Node):
                changed[field.name] = self.node(value)
        return self.settled(replace(node, **changed))

    def _shown(self, goal: Goal, conclusion: Parsed) -> Node:
        node = Identity(goal)
        if self.refusal(node) is None:
            return node
        known = self.known(goal)
        try:
            known.show(conclusion)
        except UnshownError as exc:
            raise RefusedProofError(f"{written(conclusion)} is not shown: {exc}") from exc
        return _over(goal, known.closed(conclusion))

    def _steps(self, goal: Goal, lemmas: list[Node], last: Node | None) -> Node:
        """Lemmas one after another, and what follows; each has among its hypotheses what it may have."""
        hypotheses = list(goal.hypotheses)
        placed: list[Node] = []
        for lemma in [*lemmas, *([last] if last else [])]:
            placed += self._lacking(lemma, goal, hypotheses)
            hypotheses += [p.goal.conclusion for p in placed if p.goal.conclusion not in hypotheses]
            if lemma.goal.conclusion not in goal.hypotheses or lemma is last:
                placed.append(lemma)
                hypotheses.append(lemma.goal.conclusion)
        conclusion = read(goal.conclusion, goal.parameters)
        if placed and read(placed[-1].goal.conclusion, goal.parameters) in (conclusion, FALSE):
            *first, final = placed
        else:
            inside = Goal(goal.parameters, tuple(dict.fromkeys(hypotheses)), goal.conclusion)
            first, final = placed, self._shown(inside, conclusion)
        return Steps(goal, tuple(first), final) if first else _over(goal, final)

    def _lacking(self, child: Node, goal: Goal, hypotheses: list[str]) -> list[Node]:
        """Lemmas for hypotheses of a child that are not among those known."""
        trees = [read(h, goal.parameters) for h in hypotheses]
        parts = {*trees, *(part for tree in trees for part in conjuncts(tree))}
        found = []
        for text in child.goal.hypotheses:
            tree = read(text, {**goal.parameters, **child.goal.parameters})
            if tree not in parts:
                inside = Goal(goal.parameters, tuple(dict.fromkeys(hypotheses)), text)
                found.append(self._shown(inside, tree))
        return found

    def _child(self, child: Node, goal: Goal, more: list[str], wanted: Parsed, sorts: dict[str, str] | None = None,
               given: list[str] | None = None) -> Node:
        """A child whose hypotheses are among those that it may have, and that shows what is wanted."""
        parameters = {**goal.parameters, **(sorts or {})}
        hypotheses = [*(goal.hypotheses if given is None else given), *more]
        inside = Goal(parameters, tuple(dict.fromkeys(hypotheses)), written(wanted))
        trees = [read(h, parameters) for h in hypotheses]
        parts = {*trees, *(part for tree in trees for part in conjuncts(tree))}
        own = {read(h, parameters) for h in child.goal.hypotheses}
        conclusion = read(child.goal.conclusion, parameters)
        if own <= parts and conclusion in (wanted, FALSE):
            return child
        return self._steps(inside, [child], None)

    def _cases(self, goal: Goal, cover: int | None, branches: list[Node]) -> Node:
        conclusion = read(goal.conclusion, goal.parameters)
        if cover is not None:
            cases = without_words(read(goal.hypotheses[cover], goal.parameters))[1:]
            added = [[written(case)] for case in cases]
        else:
            trees = {read(h, goal.parameters) for h in goal.hypotheses}
            added = [[h for h in b.goal.hypotheses if read(h, goal.parameters) not in trees] for b in branches]
        made = []
        for branch, more in zip(branches, added, strict=True):
            child = self._child(branch, goal, more, conclusion)
            if cover is None and not set(more) <= set(child.goal.hypotheses):
                child = Steps(Goal(child.goal.parameters, (*child.goal.hypotheses, *more), child.goal.conclusion), (), child)
            made.append(child)
        return self.settled(Cases(goal, cover, tuple(made)))

    def _put_in(self, node: PutIn, conclusion: Parsed) -> Node:
        goal = node.goal
        equation = read(goal.hypotheses[node.equation], goal.parameters)
        old = read(node.term, goal.parameters)
        if old not in equation[1:]:
            return self._solved(node, equation, old)
        new = equation[2] if old == equation[1] else equation[1]
        if node.then is None:
            moved = replaced(read(goal.hypotheses[node.fact], goal.parameters), old, new)
            lemma = self.settled(replace(node, goal=Goal(goal.parameters, goal.hypotheses, written(moved))))
            return _over(goal, lemma) if moved == conclusion else self._steps(goal, [lemma], None)
        then = self._child(self.node(node.then), goal, [], replaced(conclusion, old, new))
        return self.settled(replace(node, then=then))

    def _solved(self, node: PutIn, equation: Parsed, old: Parsed) -> Node:
        """An equation that is linear in what is replaced, solved for it by a lemma."""
        goal, terms = node.goal, self.terms
        side, atom = terms.difference(equation), terms.quotient(old)
        ((monomial, _),) = atom.above.items()
        slope = side.above.get(monomial)
        if side.below or slope is None:
            raise RefusedProofError("the equation does not determine what is replaced")
        self.spoken.register(equation)
        rest = {m: -v / slope if isinstance(v, float) else v * (-1) / _fraction(slope) for m, v in side.above.items() if m != monomial}
        value = ("==", old, self.spoken.polynomial(rest))
        solved = self._shown(Goal(goal.parameters, goal.hypotheses, written(value)), value)
        inner = replace(node, goal=Goal(goal.parameters, (*goal.hypotheses, written(value)), goal.conclusion), equation=len(goal.hypotheses))
        return Steps(goal, (solved,), self._put_in(inner, read(goal.conclusion, goal.parameters)))

    def _law(self, node: ByLaw, law: str, conclusion: Parsed) -> Node:
        """An instance of a law; of an inequality perhaps in other words, which are lemmas after it."""
        try:
            return self.settled(node)
        except (UnshownError, RefusedProofError):
            if law != "growth":
                raise
        known = self.known(node.goal)
        terms = list(dict.fromkeys(functions_in(conclusion)))
        for term in [*terms, *(("exp", t[2]) for t in terms if t[:2] == ("**", ("exp", ONE)))]:
            for demanded, instance in inequalities(term):
                if known.known(demanded):
                    try:
                        known.add(self.settled(ByLaw(known.goal(instance, known.pool), law), known))
                    except (UnshownError, RefusedProofError):
                        continue
        known.show(conclusion)
        return _over(node.goal, known.closed(conclusion))

    def _induction(self, node: Induction, conclusion: Parsed) -> Node:
        goal, name = node.goal, node.name
        variable = ("name", name)
        start = read(node.start, goal.parameters)
        free = [h for h in goal.hypotheses if name not in _names(h, goal)]
        base = self._child(self.node(node.base), goal, [], replaced(conclusion, variable, start), given=free)
        more = [written((">=", variable, start)), goal.conclusion]
        following = replaced(conclusion, variable, ("+", variable, ONE))
        step = self._child(self.node(node.step), goal, more, following, given=free)
        return self.settled(replace(node, base=base, step=step))

    def _telescoped(self, node: Telescoped, conclusion: Parsed) -> Node:
        goal, k = node.goal, ("name", node.name)
        relation, total = conclusion[:2]
        _, body, index, first, last = total
        partial = read(node.partial, (*goal.parameters, node.name))
        difference = ("-", replaced(partial, k, ("+", k, ONE)), partial)
        wanted = (relation, replaced(body, ("name", index), k), difference)
        more = [written((">=", k, first)), written(("<=", k, last))]
        term = self._child(self.node(node.term), goal, more, wanted, {node.name: "whole"})
        closed = (relation, total, ("-", replaced(partial, k, ("+", last, ONE)), replaced(partial, k, first)))
        lemma = self.settled(replace(node, goal=Goal(goal.parameters, goal.hypotheses, written(closed)), term=term))
        return _over(goal, lemma) if closed == conclusion else self._steps(goal, [lemma], None)

    def _derivative(self, node: Derivative, conclusion: Parsed) -> Node:
        """Values, domain and slope each shown as the checker wants them."""
        goal, name = node.goal, node.name
        x, function, real = ("name", name), conclusion[1], {node.name: "real"}
        ends = [read(end, goal.parameters) for end in node.ends]
        known = self.known(goal)
        up = len(ends) == 2 or known.known((">=", x, ends[0]))
        sides = [">=", "<="] if len(ends) == 2 else [">=" if up else "<="]
        closed = [(side, x, end) for side, end in zip(sides, ends, strict=True)]
        for bound in closed:
            known.show(bound)
        trees = [read(h, goal.parameters) for h in goal.hypotheses]
        free = [h for h in trees if name not in names_in(h)]
        opened = [(side[0], x, end) for side, _, end in closed]
        if len(ends) == 1:
            more = [h for h in trees if bounds_beyond(h, name, 1 if up else -1)]
            closed, opened = [*closed, *more], [*opened, *more]
            known.known(opened[0])
        values, above = [], True
        for value, end in zip(map(self.node, node.values), ends, strict=True):
            at = replaced(function, x, end)
            positive = self._or_none(value, goal, [], (">", at, ZERO), real, free)
            above = above and positive is not None
            values.append(positive or self._child(value, goal, [], (">=", at, ZERO), real, list(map(written, free))))
        first = slope(function, name)
        minus = ("-", ZERO, slope(first, name) if len(ends) == 2 else first)
        rises = conclusion[0] == ">" and not above
        rising = (">" if rises else ">=", first if sides == [">="] else minus, ZERO)
        texts = list(map(written, free))
        inside = {**goal.parameters, **real}

        def onto(child: Node, line: list[Parsed], wanted: list[Parsed], term: Parsed) -> Node:
            hypotheses = [*texts, *map(written, line)]
            found = self.known(Goal(inside, tuple(hypotheses), "True"))
            for lemma in [*self._lacking(child, Goal(inside, tuple(hypotheses), "True"), hypotheses), child]:
                found.add(lemma)
            for need in wanted:
                found.show(need)
            found.show(("==", term, term))
            shown = [read(l.goal.conclusion, inside) for l in found.lemmas]
            every = ("and", *dict.fromkeys([*wanted, *shown])) if wanted or shown else TRUE
            last = Identity(found.goal(every, [*found.hypotheses, *shown]))
            return Steps(found.goal(every, found.hypotheses), tuple(found.lemmas), last)

        bases = [(">", base, ZERO) for base in bases_of_powers(function, name)]
        made = replace(
            node,
            values=tuple(values),
            defined=onto(self.node(node.defined), closed, bases, function),
            slope=onto(self.node(node.slope), opened, [rising], first),
        )
        return self.settled(made)

    def _or_none(self, child: Node, goal: Goal, more: list[str], wanted: Parsed, sorts: Any, given: Any) -> Node | None:
        try:
            return self._child(child, goal, more, wanted, sorts, list(map(written, given)))
        except (UnshownError, RefusedProofError):
            return None

    def _products(self, node: Products) -> Node:
        """Products; functions are read by equations where the sum is not nothing at once."""
        try:
            return self.settled(node)
        except RefusedProofError as exc:
            if exc.missing is not None:
                raise
            refused = exc
        known = self.known(node.goal)
        texts = [p.square for p in node.products] + [m.factor for m in node.multiples]
        trees = [read(text, node.goal.parameters) for text in texts]
        conclusion = read(node.goal.conclusion, node.goal.parameters)
        if not known.bridge(("and", conclusion, *(("==", tree, tree) for tree in trees))):
            raise refused
        more = _conclusions(known.lemmas)
        hypotheses = [read(h, node.goal.parameters) for h in node.goal.hypotheses] + more
        inner = self._with(node, list(map(written, more)))
        inner = replace(inner, meant=tuple(hypotheses.index(equation) for equation in known.meant))
        return Steps(node.goal, tuple(known.lemmas), self.settled(inner))


def _over(goal: Goal, node: Node) -> Node:
    """A node as one of a goal that may have more hypotheses."""
    if node.goal == goal:
        return node
    return replace(node, goal=goal) if isinstance(node, Steps) else Steps(goal, (), node)


def _names(text: str, goal: Goal) -> set[str]:
    return names_in(read(text, goal.parameters))


def _fraction(value: Any) -> Any:
    from fractions import Fraction

    return Fraction(value)


def _conclusions(nodes: list[Node]) -> list[Parsed]:
    return [read(node.goal.conclusion, node.goal.parameters) for node in nodes]
