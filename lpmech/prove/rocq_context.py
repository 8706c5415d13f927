"""What follows at once from what is known, as a proof in Rocq."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.algebra import Quotient
from lpmech.certify.proofs.polynomials import Polynomial, divided, proportion
from lpmech.certify.proofs.reading import FALSE, RELATIONS, TRUE, Parsed, negated, replaced
from lpmech.prove.rocq_facts import ZERO, Facts
from lpmech.prove.rocq_piecewise import BY_CASES
from lpmech.prove.rocq_positive import Positive, refused, times, weak
from lpmech.prove.rocq_statements import functions_of
from lpmech.prove.rocq_texts import numeral, pattern

__all__ = ["HOLE", "Context"]

_ALLOWED = {"<": {1}, "<=": {0, 1}, ">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}
_BY = {"<": "by_lt _ _ _", "<=": "by_le _ _ _", ">": "by_gt _ _ _", ">=": "by_ge _ _ _"}
_SPLITS = 2
#: What a condition is a function of where something is put in.
HOLE: Parsed = ("name", "v_")
_CONTRADICTED = 12
#: The root of an exponential as that of half the exponent.
_HALVED = (
    "(match goal with |- context [sqrt (exp ?b)] => replace (exp b) with (exp (b / 2) * exp (b / 2))"
    " by (rewrite <- exp_plus; f_equal; field); rewrite (sqrt_square (exp (b / 2))) by (left; apply exp_pos) end;"
    " functions)"
)
#: What is positive; and a logarithm, or a power or exponential by its logarithm, by the logarithms of its factors.
_POSITIVE = "repeat first [apply exp_pos | apply Rmult_lt_0_compat | apply Rinv_0_lt_compat]; first [assumption | lra]"
_FACTORS = (
    f"first [functions | repeat rewrite <- Rpower_sqrt by ({_POSITIVE}); unfold Rpower, Rdiv;"
    f" try (apply ln_inv; [{_POSITIVE} | {_POSITIVE} |]); repeat first"
    f" [rewrite ln_1 | rewrite ln_exp | rewrite ln_mult by ({_POSITIVE}) | rewrite ln_Rinv by ({_POSITIVE})]; same]"
)


class Context(Facts):
    """Facts, and the proofs of what follows from them; a method that shows something closes the goal of that form."""

    _splits = _SPLITS

    def __init__(self, parameters: Iterable[str]):
        super().__init__(parameters)
        self._named_functions: set[Parsed] = set()

    def known(self, tree: Parsed) -> str:
        """The name of what is defined and true; shown first if it is not there yet."""
        if tree not in self.named:
            self.asserted(tree)
        return self.named[tree]

    def proof(self, tree: Parsed) -> str:
        """A term that says that a condition is defined and true."""
        if tree[0] == "and":
            parts = [self.proof(part) for part in tree[1:]]
        elif tree[0] in RELATIONS:
            own = self.known(tree)
            parts = [*(self.known(need) for need in self.language.needs(tree)), own]
        else:
            return self.known(tree)
        return together(parts)

    def asserted(self, tree: Parsed) -> None:
        """Show what follows at once, and learn it."""
        name = self.new("F")
        with self.block(f"assert ({name} : {self.language.full(tree)}). "):
            self.follows(tree)
        self.learn(name, tree)

    def follows(self, tree: Parsed) -> None:
        """Close the goal that a condition is defined and true; by search of Rocq's where nothing is found."""
        if not self.tried(self.entailed, tree):
            self.emit("words.")

    # ---- being defined

    def define(self, tree: Parsed) -> bool:
        """See to it that the context says of a relation that it is defined."""
        for need in self.language.needs(tree):
            if need in self.named:
                continue
            name, kept = self.new("D"), len(self.lines)
            with self.block(f"assert ({name} : {self.language.relation(need)}). "):
                shown = self._relation(need)
            if not shown:
                del self.lines[kept:]
                return False
            self._add(need, name)
            if need[0] == "!=":
                self.take_apart(need)
        return True

    def split_needs(self, tree: Parsed) -> None:
        """Of the goal that a relation is defined and true, leave that it is true."""
        for need in self.language.needs(tree):
            self.emit(f"refine (conj {self.named[need]} _).")

    # ---- what follows at once

    def entailed(self, tree: Parsed) -> bool:
        """Whether the goal is closed: a condition is defined and true."""
        if FALSE in self.named:
            self.emit(f"destruct {self.named[FALSE]}.")
            return True
        if tree == TRUE:
            self.emit("exact I.")
            return True
        if tree == FALSE:
            return self._contradictory()
        if tree in self.named and tree[0] not in RELATIONS:
            self.emit(f"exact {self.named[tree]}.")
            return True
        if tree[0] == "and":
            return self._each(tree[1:])
        if tree[0] in RELATIONS and self.tried(self._defined_relation, tree):
            return True
        if tree[0] == "or" and any(self.tried(self._one, tree, n) for n in range(1, len(tree))):
            return True
        if tree[0] == "or" and self.tried(self._decided_first, tree):
            return True
        return self._by_alternatives(tree) or self._false_of_numbers()

    def _each(self, parts: Sequence[Parsed]) -> bool:
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            with self.block("" if last else "refine (conj _ _). "):
                if not self.entailed(part):
                    return False
        return True

    def _one(self, tree: Parsed, number: int) -> bool:
        way = "right. " * (number - 1) + ("left." if number < len(tree) - 1 else "")
        if way.strip():
            self.emit(way.strip())
        return self.entailed(tree[number])

    def _decided_first(self, tree: Parsed) -> bool:
        """A or B: A, or else B with the opposite of A."""
        if self._splits <= 0 or tree[1][0] not in RELATIONS or not self.define(tree[1]):
            return False
        rest = tree[2] if len(tree) == 3 else ("or", *tree[2:])
        name = self.new("X")
        self._splits -= 1
        try:
            self.emit(f"destruct ({self.decision(tree[1])}) as [{name}|{name}].")
            with self.block("left. "):
                self.split_needs(tree[1])
                self.emit(f"exact {name}.")
            with self.block("right. "):
                self._add(negated(tree[1]), name)
                return self.entailed(rest)
        finally:
            self._splits += 1
        return True

    def _by_alternatives(self, tree: Parsed) -> bool:
        """In each case of a known disjunction."""
        if self._splits <= 0:
            return False
        known = [tree for tree in self.named if tree[0] == "or"]
        return any(self.tried(self._in_cases, part, tree) for part in known)

    def _in_cases(self, alternatives: Parsed, tree: Parsed) -> bool:
        self._splits -= 1
        try:
            for name in self.cases(alternatives):
                with self.block(""):
                    self.learn(*name)
                    if not self.tried(self.entailed, tree) and not self.tried(self._contradictory):
                        return False
            return True
        finally:
            self._splits += 1

    def cases(self, alternatives: Parsed) -> list[tuple[str, Parsed]]:
        """Destruct a disjunction; the names and conditions of the cases."""
        name = self.named.pop(alternatives)
        names = [self.new("H") for _ in alternatives[1:]]
        self.emit(f"destruct {name} as {pattern(names, '|')}.")
        return list(zip(names, alternatives[1:], strict=True))

    def _contradictory(self) -> bool:
        relations = list(self._known)
        for known in relations:
            sign = self._constant(known.found)
            if sign is not None and sign not in _ALLOWED[known.tree[0]]:
                self.emit("exfalso.")
                self.emit(self._absurd(known))
                return True
        if len(relations) > _CONTRADICTED:
            return False
        return any(self.tried(self._denied, known) for known in relations)

    def _false_of_numbers(self) -> bool:
        """Whether what is known says something false of numbers."""
        for known in self._known:
            sign = self._constant(known.found)
            if sign is not None and sign not in _ALLOWED[known.tree[0]]:
                self.ready(known.tree)
                self.emit("exfalso.")
                self.emit(self._absurd(known))
                return True
        return False

    def _absurd(self, known: Any) -> str:
        tree = known.tree
        left, right = self.language.term(tree[1]), self.language.term(tree[2])
        value = self._text(known.found)
        return f"assert (V : {left} - {right} = {'' if tree[0] not in ('<', '<=') else '- '}{value}) by same; lra."

    def _denied(self, known: Any) -> bool:
        opposite = negated(known.tree)
        name, kept = self.new("F"), list(self._known)
        with self.block(f"exfalso. assert ({name} : {self.language.relation(opposite)}). "):
            self._known = [other for other in kept if other.name != known.name]
            if not self._relation(opposite, apart_from=known.tree):
                return False
        self.emit("lra." if known.tree[0] not in ("==", "!=") else "contradiction.")
        return True

    def _defined_relation(self, tree: Parsed) -> bool:
        if not self.define(tree):
            return False
        self.split_needs(tree)
        return self._relation(tree)

    def _defined_alone(self, tree: Parsed) -> bool:
        return self.define(tree) and self._relation(tree)

    def _relation(self, tree: Parsed, apart_from: Parsed = ()) -> bool:
        """Close the goal of a relation of which the context says that it is defined."""
        if tree in self.named and tree != apart_from:
            self.emit(f"exact {self.named[tree]}.")
            return True
        self.ready(tree)
        found, kind = self.difference(tree), tree[0]
        sign = self._constant(found)
        if sign is not None:
            return sign in _ALLOWED[kind] and self._of_number(tree, found)
        if kind == "==":
            return any(self.tried(self._equal, tree, found, k) for k in self._known if k.kind == "==")
        if kind == "!=":
            if self.apart(found.above) and all(self.apart(dict(key)) for key in found.below):
                self.emit(f"apply (by_ne _ _ {self._text(found)} {self.reason_apart(found)}); same.")
                return True
            return False
        positive = self.sign_of(found, kind in "<>")
        if positive is None or positive.sign < 0:
            scaled = (self._scaled(found, known, kind in "<>") for known in list(self._known))
            positive = next((one for one in scaled if one is not None and one.sign > 0), None)
        if positive is None:
            return False
        own = positive.term if kind in "<>" else weak(positive)
        self.emit(f"apply ({_BY[kind]} {own}); same.")
        return True

    def _of_number(self, tree: Parsed, found: Quotient) -> bool:
        value = self._text(found)
        match tree[0]:
            case "==":
                self.emit("same.")
            case "!=":
                self.emit(f"apply (by_ne _ _ {value}); [ lra | same ].")
            case kind:
                sign = "<" if kind in "<>" else "<="
                self.emit(f"assert (V : 0 {sign} {value}) by lra. apply ({_BY[kind]} V); same.")
        return True

    def _scaled(self, found: Quotient, known: Any, strict: bool) -> Positive | None:
        """By a known inequality, times a factor whose sign is known."""
        if known.kind not in (">", ">=") or (strict and known.kind == ">="):
            return None
        factor = self._factor(found, known.found)
        sign = None if factor is None else self.sign_of(factor, True)
        return None if sign is None else times(sign, self.side(known.tree))

    def _equal(self, tree: Parsed, found: Quotient, known: Any) -> bool:
        factor = self._factor(found, known.found)
        if factor is None or not all(self.apart(dict(key)) for key in factor.below):
            return False
        self.ready(known.tree)
        self.emit(f"apply (by_eq _ _ _ _ {self._text(factor)} {known.name}); same.")
        return True

    def _factor(self, found: Quotient, known: Quotient) -> Quotient | None:
        """s with found = s known, where s is a number or has few factors."""
        algebra = self.algebra
        if not known.above:
            return None
        a, b = algebra.times_powers(found.above, known.below), algebra.times_powers(known.above, found.below)
        for key in {**known.below, **found.below}:
            while (one := divided(a, dict(key))) is not None and (other := divided(b, dict(key))) is not None:
                a, b = one, other
        if (ratio := proportion(a, b)) is not None:
            return algebra.number(ratio)
        if len(b) <= len(a) and (rest := divided(a, b)) is not None:
            return Quotient(rest, {})
        if len(a) <= len(b) and (rest := divided(b, a)) is not None:
            return algebra.inverse(Quotient(rest, {}))
        return None

    def _constant(self, a: Quotient) -> int | None:
        if not a.above:
            return 0
        if a.above.keys() == {()} and not a.below:
            return 1 if a.above[()] > 0 else -1
        return None

    def _text(self, a: Quotient) -> str:
        return self.language.quotient(a)

    def whole(self, a: Polynomial) -> str:
        """A term that says of a polynomial that it is a whole number."""
        total = "" if a else "(whole_number 0)"
        for monomial, value in sorted(a.items(), reverse=True):
            names = [("whole", self.algebra.keys[atom]) for atom, e in monomial for _ in range(int(e))]
            if Fraction(value).denominator != 1 or any(name not in self.named for name in names):
                raise refused("a whole number")
            parts = [] if value == 1 and names else [f"(whole_number {numeral(value)})"]
            found = ""
            for part in [*parts, *(self.named[name] for name in names)]:
                found = f"(whole_product _ _ {found} {part})" if found else part
            total = f"(whole_sum _ _ {total} {found})" if total else found
        return total

    # ---- what is true or false

    def decision(self, tree: Parsed) -> str:
        """A term that decides a relation: left, it is true, right, its opposite."""
        left, right = self.language.term(tree[1]), self.language.term(tree[2])
        return (
            f"decide_{ {'<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne'}[tree[0]] } {left} {right}"
        )

    def ratio(self, one: Parsed, other: Parsed) -> int | None:
        """The sign of the number by which the differences of two relations differ, as left - right; None: by more."""
        a, b = (self.difference(("==", tree[1], tree[2])) for tree in (one, other))
        if a.below != b.below:
            return None
        found = proportion(a.above, b.above)
        return None if found is None else 1 if found > 0 else -1

    # ---- other ways to learn

    def learn_alone(self, name: str, tree: Parsed) -> None:
        """A relation of which the context says already that it is defined."""
        self._add(tree, name)

    def learn_copy(self, name: str, tree: Parsed) -> None:
        """What is known under this name, which is kept for `tauto`."""
        own = self.new("Y")
        self.emit(f"pose proof {name} as {own}.")
        self.learn(own, tree)

    def name_function(self, tree: Parsed) -> None:
        """Say of a function what it is in the checker's indeterminates, as far as that is known."""
        self._named_functions.add(tree)
        self.language.term(tree)
        self.tried(self.twin, tree)

    def twin(self, tree: Parsed) -> bool:
        """Say that a function is what the checker reads it as; whether that is shown."""
        text, other = self.language.term(tree), self.language.canonical(tree)
        if text == other.strip("()") or f"({text})" == other:
            return True
        pieces = {one for one in (tree, *self.algebra.trees.values()) if tree[0] == one[0] == "Piecewise"}
        if not all(self.define(("==", one, one)) for one in sorted(pieces, key=repr)):
            return False
        name = self.new("T")
        if tree[0] == "sqrt":
            found, self.algebra.needs = self.algebra.quotient(tree), []
            sign = self.sign_of(found, False)
            need: Parsed = (">=", tree[1], ZERO)
            if sign is None or sign.sign < 0 or need not in self.named:
                return False
            self.emit(f"assert ({name} : {text} = {other}). {{ apply (sqrt_is _ _ {weak(sign)}); same. }}")
        else:
            way = _HALVED if "(sqrt (exp " in other else BY_CASES if "(if " in text else "functions"
            if by_factors := "(ln " in text or (tree[0] == "**" and not tree[1][0] == tree[2][0] == "name"):
                way = f"({_FACTORS})"
            if tree[0] == "log" and self.language.term(tree[1]) != (inside := self.language.canonical(tree[1])):
                way = f"(try replace {self.language.term(tree[1])} with {inside} by same; {way})"
            self.emit(f"assert ({name} : {text} = {other}) by {way}.")
            found, self.algebra.needs = self.algebra.quotient(tree), []
            for atom in sorted({i for m in found.above for i, e in m if e < 0 and by_factors}):
                self.apart({((atom, 1),): 1})  # `same` divides by it
        self.learn_twin(name, text)
        return True

    # ---- one side of an equation in place of the other

    def instance(self, template: Parsed, value: Parsed) -> str:
        """A term that says so of a condition of `v_`, with a value in place of it."""
        if template[0] == "and":
            parts = [self.instance(part, value) for part in template[1:]]
        elif template[0] in RELATIONS:
            parts = [self.known(replaced(tree, HOLE, value)) for tree in (*self.language.needs(template), template)]
        else:
            return self.known(replaced(template, HOLE, value))
        return together(parts)

    def learn_instance(self, name: str, template: Parsed, value: Parsed) -> None:
        """Take apart a condition of `v_` that holds of a value."""
        tree = replaced(template, HOLE, value)
        if template[0] == "and":
            names = [self.new("H") for _ in template[1:]]
            self.emit(f"destruct {name} as {pattern(names)}.")
            for own, part in zip(names, template[1:], strict=True):
                self.learn_instance(own, part, value)
        elif template[0] in RELATIONS:
            needs = [*self.language.needs(template), template]
            names = [self.new("H") for _ in needs]
            self.emit(f"destruct {name} as {pattern(names)}." if needs[1:] else f"rename {name} into {names[0]}.")
            for own, part in zip(names, needs, strict=True):
                self._add(replaced(part, HOLE, value), own)
            for function in functions_of(tree):
                if function not in self._named_functions:
                    self.name_function(function)
        else:
            own = self.new("F")
            self.emit(f"assert ({own} : {self.language.full(tree)}) by (intuition (try lra)).")
            self.learn(own, tree)

    def close_instance(self, template: Parsed, value: Parsed) -> None:
        """Close the goal that a condition of `v_` holds of a value."""
        tree = replaced(template, HOLE, value)
        if template[0] == "and":
            for number, part in enumerate(template[1:]):
                with self.block("" if number == len(template) - 2 else "refine (conj _ _). "):
                    self.close_instance(part, value)
        elif template[0] in RELATIONS:
            for need in self.language.needs(template):
                own = replaced(need, HOLE, value)
                with self.block("refine (conj _ _). "):
                    if not self.tried(self._defined_alone, own):
                        self.emit("words.")
            if not self.tried(self._defined_alone, tree):
                self.emit("words.")
        else:
            name = self.new("F")
            with self.block(f"assert ({name} : {self.language.full(tree)}). "):
                self.follows(tree)
            self.emit("intuition (try lra).")

    # ---- numbers in place of names

    def true_at(self, tree: Parsed, values: Mapping[str, Fraction]) -> bool:
        """Whether the goal is closed that a condition is defined and true at a point."""
        match tree:
            case ("and", *parts):
                for number, part in enumerate(parts):
                    with self.block("" if number == len(parts) - 1 else "refine (conj _ _). "):
                        if not self.true_at(part, values):
                            return False
                return True
            case ("or", *parts):
                return any(self.tried(self._one_at, tree, number, values) for number in range(len(parts)))
            case ("whole", ("name", name)) if values[name].denominator == 1:
                self.emit(f"exact (whole_number {numeral(values[name])}).")
                return True
            case ("true",):
                self.emit("exact I.")
                return True
            case (relation, *_) if relation in RELATIONS:
                for need in self.language.needs(tree):
                    with self.block("refine (conj _ _). "):
                        if not self._true_of_numbers(need, values):
                            return False
                return self._true_of_numbers(tree, values)
        return False

    def _one_at(self, tree: Parsed, number: int, values: Mapping[str, Fraction]) -> bool:
        self.emit("right. " * number + ("left." if number < len(tree) - 2 else "idtac."))
        return self.true_at(tree[number + 1], values)

    def _true_of_numbers(self, relation: Parsed, values: Mapping[str, Fraction]) -> bool:
        for name, value in values.items():
            relation = replaced(relation, ("name", name), ("number", value))
        return self._relation(relation)


def together(proofs: Sequence[str]) -> str:
    """A term that says all of what some say."""
    found = proofs[-1]
    for proof in reversed(proofs[:-1]):
        found = f"(conj {proof} {found})"
    return found
