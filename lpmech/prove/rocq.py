"""A proof as an object, written as a theorem in Rocq: what `lpmech.prove.objects` says, for a kernel.

The goal is "defined and true", since x/0 is a number in Rocq. Each step of the object is one of the script: what it
relies on stands in the context by name, denominators are shown not to be zero before they are divided by, and a leaf is
the certificate as one term, of type 0 < s or 0 <= s, with an identity of rational functions beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.laws import inequalities, terms_in
from lpmech.certify.proofs.reading import FALSE, RELATIONS, TRUE, Parsed, negated, replaced, without_words
from lpmech.prove.rocq_context import HOLE, Context, together
from lpmech.prove.rocq_facts import ZERO
from lpmech.prove.rocq_growth import growth
from lpmech.prove.rocq_piecewise import BY_CASES, BY_PIECES, has_pieces
from lpmech.prove.rocq_positive import Positive, plus, refused, weighted
from lpmech.prove.rocq_statements import conclusion_of, functions_in, given_in, parsed, premises, sorts, statement
from lpmech.prove.rocq_texts import numeral, pattern

__all__ = ["example_of", "theorem_of"]

_ONE: Parsed = ("number", Fraction(1))


def theorem_of(name: str, proof: dict[str, Any]) -> str:
    """The theorem that a proof shows, with its proof.

    Parameters
    ----------
    name : str
        Of the theorem, letters, digits and underscores.
    proof : dict
        As `lpmech.prove.objects.to_data` writes it.

    Raises
    ------
    FormulaError
        If the proof speaks of what has no form in Rocq, or rests on what has no object.
    """
    return _Script(proof).theorem(name)


def example_of(name: str, goal: dict[str, Any], point: Mapping[str, Fraction]) -> str:
    """The theorem that the hypotheses of a goal hold at a point, so that what follows from them is not empty.

    Parameters
    ----------
    name : str
    goal : dict
    point : mapping of str to Fraction
        A number for each parameter that the hypotheses speak of; others are 0.

    Raises
    ------
    FormulaError
        If they speak of what has no form in Rocq, or are not seen to be true there.
    """
    context = Context(goal["parameters"])
    language = context.language
    values = {parameter: point.get(parameter, Fraction(0)) for parameter in goal["parameters"]}
    conditions = [*sorts(goal), *premises(goal)]
    names = " ".join(language.names[parameter] for parameter in values)
    said = " /\\ ".join(map(language.full, conditions)) or "True"
    head = f"Theorem {name} :\n  {f'exists {names} : R, ' if names else ''}{said}."
    if values:
        context.emit(f"exists {', '.join(map(numeral, values.values()))}.")
    if has_pieces(conditions):
        return "\n".join([head, "Proof.", *context.lines, BY_PIECES, "Qed."])
    everything = ("and", *conditions) if conditions[1:] else conditions[0] if conditions else TRUE
    if not context.true_at(everything, values):
        raise refused("a point at which the hypotheses are not seen to be true")
    return "\n".join([head, "Proof.", *context.lines, "Qed."])


class _Script:
    """One theorem while it is written."""

    def __init__(self, data: dict[str, Any]):
        self._data = data
        self._context = Context(data["goal"]["parameters"])
        self._language = self._context.language
        self._emit = self._context.emit

    def theorem(self, name: str) -> str:
        data, context = self._data, self._context
        head = f"Theorem {name} {statement(self._language, data['goal'])}."
        given = [*sorts(data["goal"]), *given_in(data)]
        if has_pieces([*given, conclusion_of(data)]):
            return "\n".join([head, "Proof.", BY_PIECES, "Qed."])
        for premise in given:
            own = context.new("H")
            self._emit(f"intros {own}.")
            context.learn(own, premise)
        self._functions()
        self._shown(data, conclusion_of(data))
        return "\n".join([head, "Proof.", *context.lines, "Qed."])

    def _functions(self) -> None:
        """Say of each function in the proof what it is in the checker's indeterminates, as far as it is known here."""
        context = self._context
        trees = sorted(set(functions_in(self._data)), key=lambda tree: len(repr(tree)))
        if not trees:
            return
        context.algebra.forget()
        for tree in trees:
            self._language.term(tree)
            if tree[0] == "exp" and tree[1][0] == "number":
                context.name_function(tree)  # whether a logarithm is defined may rest on it
            if tree[0] in ("sqrt", "log", "**"):
                context.tried(context.define, ("==", tree, tree))
        for tree in trees:
            context.name_function(tree)

    # ---- steps

    def _shown(self, data: dict[str, Any], goal: Parsed) -> None:
        """Close the goal that a condition is defined and true by a node, which may show it in other words."""
        own = conclusion_of(data)
        if goal == TRUE:
            self._emit("exact I.")
        elif own == goal:
            self._by_rule(data, own)
        elif own == FALSE:
            self._emit("exfalso.")
            self._by_rule(data, own)
        else:
            self._lemma(data, own)
            self._context.follows(goal)

    def _lemma(self, data: dict[str, Any], own: Parsed) -> None:
        if own in self._context.named or own == TRUE:
            return
        name = self._context.new("L")
        with self._context.block(f"assert ({name} : {self._language.full(own)}). "):
            self._by_rule(data, own)
        self._context.learn(name, own)

    def _by_rule(self, data: dict[str, Any], own: Parsed) -> None:
        rule = data["rule"]
        function = _RULES.get(rule)
        if function is None:
            raise refused(f"the rule {rule}" if rule != "unchecked" else data["method"])
        function(self, data, own)

    def _hypotheses(self, data: dict[str, Any]) -> None:
        """See to it that the hypotheses of a node stand in the context."""
        for tree in given_in(data):
            if tree not in self._context.named:
                self._context.tried(self._asserted, tree)

    def _asserted(self, tree: Parsed) -> bool:
        name = self._context.new("F")
        with self._context.block(f"assert ({name} : {self._language.full(tree)}). "):
            if not self._context.entailed(tree):
                return False
        self._context.learn(name, tree)
        return True

    def _follows(self, data: dict[str, Any], own: Parsed) -> None:
        self._hypotheses(data)
        self._context.follows(own)

    def _steps(self, data: dict[str, Any], own: Parsed) -> None:
        for lemma in data["lemmas"]:
            self._lemma(lemma, conclusion_of(lemma))
        self._shown(data["last"], own)

    def _parts(self, data: dict[str, Any], own: Parsed) -> None:
        parts = [conclusion_of(part) for part in data["parts"]]
        if own != ("and", *parts):
            for part, tree in zip(data["parts"], parts, strict=True):
                self._lemma(part, tree)
            self._context.follows(own)
            return
        for number, (part, tree) in enumerate(zip(data["parts"], parts, strict=True)):
            with self._context.block("" if number == len(parts) - 1 else "refine (conj _ _). "):
                self._by_rule(part, tree)

    # ---- true or false

    def _alternative(self, tree: Parsed, true: Callable[[str], None], false: Callable[[str], None]) -> None:
        """Go on where a condition is true, and where its opposite is."""
        name = self._context.new("X")
        both = f"{self._language.full(tree)} \\/ {self._language.full(negated(tree))}"
        with self._context.block(f"assert ({name} : {both}). "):
            self._excluded(tree)
        self._emit(f"destruct {name} as [{name}|{name}].")
        with self._context.block(""):
            true(name)
        with self._context.block(""):
            false(name)

    def _excluded(self, tree: Parsed) -> None:
        """Close the goal that a condition or its opposite is true."""
        context = self._context
        if tree in (TRUE, FALSE):
            self._emit(f"{'left' if tree == TRUE else 'right'}; exact I.")
        elif tree[0] in RELATIONS:
            if not context.define(tree):
                raise refused("a condition that is not known to be defined")
            name = context.new("X")
            self._emit(f"destruct ({context.decision(tree)}) as [{name}|{name}].")
            for side in ("left", "right"):
                with context.block(f"{side}. "):
                    context.split_needs(tree)
                    self._emit(f"exact {name}.")
        else:
            self._part_by_part(tree, dict[int, str]())

    def _part_by_part(self, tree: Parsed, known: dict[int, str]) -> None:
        """The parts of a condition one after another; each may use that those before did not decide it."""
        context, conjunction, last = self._context, tree[0] == "and", len(tree) - 2
        open_ = [(n, part) for n, part in enumerate(tree[1:]) if n not in known]
        for place, part in open_:
            number = place
            if part[0] not in RELATIONS or context.tried(context.define, part):
                break
        else:
            raise refused("a condition that is not known to be defined")

        def decided(name: str) -> None:
            way = ["right"] * number + (["left"] if number < last else [])
            self._emit(f"{'right' if conjunction else 'left'}. {''.join(f'{step}. ' for step in way)}exact {name}.")

        def undecided(name: str) -> None:
            context.learn_copy(name, part if conjunction else negated(part))
            found = {**known, number: name}
            if len(found) < len(tree) - 1:
                self._part_by_part(tree, found)
            else:
                both = together([found[n] for n in range(len(tree) - 1)])
                self._emit(f"{'left' if conjunction else 'right'}. exact {both}.")

        self._alternative(part, undecided if conjunction else decided, decided if conjunction else undecided)

    def _contradiction(self, data: dict[str, Any], own: Parsed) -> None:
        self._denied(own, lambda: self._shown(data["refutation"], FALSE))

    def _denied(self, own: Parsed, then: Callable[[], None]) -> None:
        """Close a goal that is true or leads to a contradiction."""
        if own == FALSE:
            then()
            return

        def wrong(name: str) -> None:
            self._emit("exfalso.")
            self._context.learn(name, negated(own))
            then()

        self._alternative(own, lambda name: self._emit(f"exact {name}."), wrong)

    def _implication(self, data: dict[str, Any], own: Parsed) -> None:
        asked = parsed(data["goal"], data["goal"]["conclusion"])
        first = without_words(asked[1])

        def true(name: str) -> None:
            self._context.learn(name, first)
            self._emit("right.")
            self._shown(data["then"], own[2])

        self._alternative(first, true, lambda name: self._emit(f"left. exact {name}."))

    # ---- cases

    def _cases(self, data: dict[str, Any], own: Parsed) -> None:
        context = self._context
        if data["cover"] is not None:
            alternatives = given_in(data)[data["cover"]]
            context.known(alternatives)
            for (name, case), branch in zip(context.cases(alternatives), data["branches"], strict=True):
                with context.block(""):
                    context.learn(name, case)
                    self._shown(branch, own)
            return
        given = given_in(data)
        more = [[h for h in given_in(branch) if h not in given] for branch in data["branches"]]
        self._by_signs(data, more, self._compared([h for case in more for h in case]), [], own)

    def _compared(self, conditions: Sequence[Parsed]) -> list[Parsed]:
        """Relations whose sides have to be compared, one of those with the same difference."""
        found: list[Parsed] = []
        for condition in conditions:
            for relation in _relations(condition):
                if not self._context.define(relation):
                    raise refused("a case that is not known to be defined")
                if all(self._context.ratio(relation, other) is None for other in found):
                    found.append(relation)
        if len(found) > 4:
            raise refused("cases by more than four comparisons")
        return found

    def _by_signs(
        self, data: dict[str, Any], more: list[list[Parsed]], compared: list[Parsed], signs: list[int], own: Parsed
    ) -> None:
        context = self._context
        if len(signs) < len(compared):
            left, right = compared[len(signs)][1:]
            name = context.new("X")
            order = f"Rtotal_order {self._language.term(left)} {self._language.term(right)}"
            self._emit(f"destruct ({order}) as [{name}|[{name}|{name}]].")
            for sign, relation in ((-1, "<"), (0, "=="), (1, ">")):
                with context.block(""):
                    context.learn_alone(name, (relation, left, right))
                    if not context.tried(context.entailed, FALSE):
                        self._by_signs(data, more, compared, [*signs, sign], own)
            return
        for branch, case in zip(data["branches"], more, strict=True):
            if all(self._true_at(h, compared, signs) for h in case):
                for condition in case:
                    context.known(condition)
                self._shown(branch, own)
                return
        self._emit("exfalso; words.")  # signs that exclude each other

    def _true_at(self, tree: Parsed, compared: Sequence[Parsed], signs: Sequence[int]) -> bool:
        if tree[0] in ("and", "or"):
            return (all if tree[0] == "and" else any)(self._true_at(part, compared, signs) for part in tree[1:])
        for other, sign in zip(compared, signs, strict=True):
            ratio = self._context.ratio(tree, other)
            if ratio is not None:
                found = sign * ratio
                return {"<": found < 0, "<=": found <= 0, ">": found > 0, ">=": found >= 0,
                        "==": found == 0, "!=": found != 0}[tree[0]]  # fmt: skip
        return tree == TRUE

    # ---- leaves

    def _products(self, data: dict[str, Any], own: Parsed) -> None:
        given = given_in(data)
        if own == FALSE:
            self._sum(data, given)
        else:
            self._denied(own, lambda: self._sum(data, [*given, negated(own)]))

    def _sum(self, data: dict[str, Any], given: Sequence[Parsed]) -> None:
        context, language = self._context, self._language
        used = {n for entry in data["products"] for n in entry["facts"]} | {e["fact"] for e in data["multiples"]}
        for number in sorted(used):
            context.known(given[number])
            context.ready(given[number])
        total: Positive | None = None
        for entry in data["products"]:
            square = parsed(data["goal"], entry["square"])
            sides = [context.side(given[n]) for n in entry["facts"]]
            weight = Fraction(entry["weight"])
            if square[0] == "number":
                weight *= square[1] ** 2
            else:
                context.define(("==", square, square))
                context.ready(("==", square, square))
                text = language.term(square)
                sides.append(Positive(f"({text} * {text})", False, f"(square_le {text})"))
            part = weighted(weight, sides)
            total = part if total is None else plus(total, part)
        assert total is not None
        zeros = []
        for entry in data["multiples"]:
            factor = parsed(data["goal"], entry["factor"])
            context.define(("==", factor, factor))
            zeros.append(f"(multiple _ _ {language.term(factor)} {context.known(given[entry['fact']])})")
        if not total.strict:
            raise refused("a sum that is not positive")
        if not zeros:
            self._emit(f"apply (absurd _ {total.term}); same.")
            return
        zero = zeros[0]
        for other in zeros[1:]:
            zero = f"(nothing _ _ {zero} {other})"
        self._emit(f"apply (against _ _ {total.term} {zero}); same.")

    def _whole(self, data: dict[str, Any], own: Parsed) -> None:
        context = self._context
        fact = given_in(data)[data["fact"]]
        known = context.known(fact)
        low, high = (fact[1], fact[2]) if fact[0] == "<" else (fact[2], fact[1])
        more: Parsed = (">=", high, ("+", low, _ONE))
        name, polynomial = context.new("G"), context.difference(fact).above
        self._emit(f"assert ({name} : {self._language.relation(more)}).")
        text = self._language.polynomial(polynomial)
        self._emit(f"{{ apply (whole_step _ _ {text} {context.whole(polynomial)}); [ same | exact {known} ]. }}")
        context.learn_alone(name, more)
        context.follows(own)

    def _rounded(self, data: dict[str, Any], own: Parsed) -> None:
        context, language = self._context, self._language
        argument, new = parsed(data["goal"], data["argument"]), ("name", data["name"])
        context.define(("==", argument, argument))
        rounded, low = language.term(("floor", argument)), language.term(argument)
        name = language.named(data["name"])
        said = f"whole {name} /\\ {name} <= {low} /\\ {low} < {name} + 1 /\\ {rounded} = {name}"
        facts = [context.new("H") for _ in range(4)]
        self._emit(f"assert ({facts[0]} : exists {name}, {said}). {{ exists {rounded}. destruct (base_Int_part {low}).")
        self._emit("refine (conj (ex_intro _ _ eq_refl) (conj _ (conj _ eq_refl))); lra. }")
        self._emit(f"destruct {facts[0]} as [{name} {pattern(facts)}].")
        more: list[Parsed] = [("whole", new), ("<=", new, argument), ("<", argument, ("+", new, _ONE))]
        for fact, tree in zip(facts, [*more, ("==", ("floor", argument), new)], strict=True):
            if tree[0] == "whole":
                context.learn(fact, tree)
            else:
                context.learn_alone(fact, tree)
        self._by_rule(data["then"], own)

    def _known(self, data: dict[str, Any], own: Parsed) -> None:
        self._hypotheses(data)
        context = self._context
        if data["law"] == "growth":
            self._growth(own)
            return
        if not context.define(own):
            raise refused(f"the law {data['law']}")
        match own:
            case ("==", ("Max" | "Min" as name, *parts), value):
                relation = ">=" if name == "Max" else "<="
                for part in parts:
                    if part != value:
                        context.known((relation, value, part))
            case ("==", ("Abs", x), _):
                any(context.tried(self._asserted, (relation, x, ZERO)) for relation in (">=", "<="))
        context.split_needs(own)
        self._emit(f"{BY_CASES}." if own[1][0] == "Piecewise" else "choices.")

    def _growth(self, own: Parsed) -> None:
        """By one of the inequalities of exponentials, logarithms and powers."""
        context = self._context
        laws = [law for term in terms_in(own) for _, law in inequalities(term)]
        if not any(context.tried(self._grown, law, own) for law in laws):
            raise refused("the law growth")

    def _grown(self, law: Parsed, own: Parsed) -> bool:
        context, language, way = self._context, self._language, growth(law)
        if way is None or not context.define(law):
            return False
        reason, terms, demands = way
        if not all(tree in context.named or context.tried(self._asserted, tree) for tree in demands):
            return False
        name, said = context.new("G"), [context.named[tree] for tree in demands]
        reason = reason.format(*said, **{letter: language.term(term) for letter, term in terms.items()})
        self._emit(f"assert ({name} : {language.relation(law)}). {{ {reason} }}")
        context.learn_alone(name, law)
        return context.entailed(own)

    def _put_in(self, data: dict[str, Any], own: Parsed) -> None:
        given, context = given_in(data), self._context
        equation, old = given[data["equation"]], parsed(data["goal"], data["term"])
        new, proof = self._solved(equation, old)
        if data["then"] is None:
            moved, name = given[data["fact"]], context.new("M")
            template = replaced(moved, old, HOLE)
            predicate = self._predicate(template)
            instance = context.instance(template, old)
            self._emit(f"pose proof (eq_ind _ {predicate} {instance} _ {proof}) as {name}. {_put(new, name)}")
            context.learn_instance(name, template, new)
            context.follows(own)
            return
        inner, template = conclusion_of(data["then"]), replaced(own, old, HOLE)
        if inner == FALSE:
            self._emit("exfalso.")
            self._by_rule(data["then"], FALSE)
            return
        self._lemma(data["then"], inner)
        name, predicate = context.new("M"), self._predicate(template)
        with context.block(f"assert ({name} : {predicate} {self._language.term(new)}). {_put(new)} "):
            context.close_instance(template, new)
        back = context.new("M")
        self._emit(f"pose proof (eq_ind_r {predicate} {name} {proof}) as {back}. {_put(old, back)}")
        context.learn_instance(back, template, old)
        context.follows(own)

    def _predicate(self, template: Parsed) -> str:
        """A condition as a function of what it says `v_` for."""
        return f"(fun v_ : R => {self._language.full(template)})"

    def _solved(self, equation: Parsed, old: Parsed) -> tuple[Parsed, str]:
        """What a term is by an equation, and a proof of that."""
        context, language = self._context, self._language
        known = context.known(equation)
        if equation[1] == old:
            return equation[2], known
        if equation[2] == old:
            return equation[1], f"(eq_sym {known})"
        found, atom = context.difference(equation), context.algebra.quotient(old)
        ((monomial, _),) = atom.above.items()
        slope = found.above[monomial]
        new: Parsed = ("+", old, ("*", ("number", Fraction(-1) / slope), ("-", equation[1], equation[2])))
        name = context.new("E")
        self._emit(f"assert ({name} : {language.term(old)} = {language.term(new)}) by (rewrite {known}; ring).")
        return new, name


def _put(value: Parsed, name: str = "") -> str:
    """What puts a value where a condition has `v_`; 0 - x is written - x, and the opposite of 1 is the number -1."""
    where, more = f" in {name}" if name else "", ""
    if value == ZERO:
        more = f" rewrite ?Rminus_0_l{where}."
    elif value[0] == "number" and value[1] > 0:
        more = f" try change (- ({numeral(value[1])})) with (- {numeral(value[1])}){where}."
    return f"cbv beta{where}.{more}"


def _relations(tree: Parsed) -> Iterator[Parsed]:
    if tree[0] in ("and", "or"):
        for part in tree[1:]:
            yield from _relations(part)
    elif tree[0] in RELATIONS:
        yield tree


_RULES: dict[str, Callable[[_Script, dict[str, Any], Parsed], None]] = {
    "identity": _Script._follows,
    "evaluation": _Script._follows,
    "products": _Script._products,
    "steps": _Script._steps,
    "parts": _Script._parts,
    "implication": _Script._implication,
    "contradiction": _Script._contradiction,
    "cases": _Script._cases,
    "put in": _Script._put_in,
    "whole": _Script._whole,
    "known": _Script._known,
    "rounded": _Script._rounded,
}
