"""A proof as an object, written as a theorem in Rocq: what `lpmech.prove.objects` says, for a kernel.

The goal is "defined and true", since x/0 is a number in Rocq. Every relation is brought to the form 0 < P, 0 <= P,
P = 0 or P <> 0 with a polynomial P, where the signs of its denominators are known; a leaf asserts the products of its
certificate, and linear arithmetic adds them up. Statements about other than rational functions have no form here yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

from lpmech.certify.proofs.algebra import Algebra, Quotient
from lpmech.certify.proofs.polynomials import Polynomial, added, multiplied, proportion
from lpmech.certify.proofs.reading import RELATIONS, Parsed, negated, read, without_words
from lpmech.errors import FormulaError
from lpmech.prove.rocq_texts import TAKEN, alternatives, denominators, lowered, numeral, pattern, real

__all__ = ["theorem_of"]

_OF_KIND = {"<": "lt", "<=": "le", ">": "lt", ">=": "le", "==": "eq", "!=": "ne"}
_FORM = {"lt": "0 < {}", "le": "0 <= {}", "eq": "{} = 0", "ne": "{} <> 0"}
_SPLIT = {
    "lt": "destruct (Rlt_le_dec 0 ({0})) as [{1}|{1}]",
    "le": "destruct (Rle_lt_dec 0 ({0})) as [{1}|{1}]",
    "eq": "destruct (Req_dec ({0}) 0) as [{1}|{1}]",
    "ne": "destruct (Req_dec ({0}) 0) as [{1}|{1}]",
}


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
        If the proof speaks of other than rational functions, or rests on what has no object.
    """
    return _Script(proof).theorem(name)


def _refused(what: str) -> FormulaError:
    return FormulaError("proof", what, "rational functions, and steps that have a form in Rocq")


class _Script:
    """One theorem while it is written."""

    def __init__(self, data: dict[str, Any]):
        self._data, self._fresh, self._lines = data, count(1), list[str]()
        self._algebra = Algebra(lambda _: False)
        self._known: dict[Parsed, tuple[str, Callable[[Parsed], str]]] = {}
        self._names = {name: f"{name}_" if name in TAKEN else name for name in data["goal"]["parameters"]}

    def theorem(self, name: str) -> str:
        goal = self._data["goal"]
        hypotheses = [h for text in goal["hypotheses"] if (h := real(without_words(read(text)))) is not None]
        conclusion = without_words(read(goal["conclusion"]))
        variables = " ".join(self._names.values())
        parts = [*map(self._full, hypotheses), self._full(conclusion)]
        self._emit(f"Theorem {name}{f' ({variables} : R)' if variables else ''} :\n  " + " ->\n  ".join(parts) + ".")
        self._emit("Proof.")
        for hypothesis in hypotheses:
            own = self._new("H")
            self._emit(f"intros {own}.")
            self._learned(own, hypothesis)
        self._shown(self._data, conclusion, full=True)
        return "\n".join([*self._lines, "Qed."])

    # ---- texts

    def _emit(self, line: str) -> None:
        self._lines.append(line)

    def _new(self, letter: str) -> str:
        return f"{letter}{next(self._fresh)}"

    def _term(self, tree: Parsed) -> str:
        match tree:
            case ("number", value):
                return numeral(value)
            case ("name", name) if name in self._names:
                return self._names[name]
            case ("+" | "-" | "*" | "/", left, right):
                return f"({self._term(left)} {tree[0]} {self._term(right)})"
            case ("**", base, ("number", Fraction(numerator=n, denominator=1))) if 0 <= n <= 40:
                return f"({self._term(base)} ^ {n})"
            case ("**", base, ("-", _, ("number", Fraction(numerator=n, denominator=1)))):
                return f"(1 / {self._term(base)} ^ {n})"
        raise _refused(f"{tree[0]}")

    def _full(self, tree: Parsed) -> str:
        """Defined and true."""
        match tree:
            case ("and" | "or", *parts):
                return "(" + (" /\\ " if tree[0] == "and" else " \\/ ").join(map(self._full, parts)) + ")"
            case ("true",) | ("false",):
                return tree[0].capitalize()
            case (relation, left, right) if relation in RELATIONS:
                sign = {"==": "=", "!=": "<>"}.get(relation, relation)
                defined = [f"{self._term(d)} <> 0" for d in denominators(tree)]
                return "(" + " /\\ ".join([*defined, f"{self._term(left)} {sign} {self._term(right)}"]) + ")"
        raise _refused(tree[0])

    def _polynomial(self, polynomial: Polynomial) -> str:
        terms = []
        for monomial, value in polynomial.items():
            powers = [self._power(atom, exponent) for atom, exponent in monomial]
            terms.append(" * ".join([numeral(Fraction(value)), *powers] if value != 1 or not powers else powers))
        return "(" + (" + ".join(terms) or "0") + ")"

    def _power(self, atom: int, exponent: Any) -> str:
        key = self._algebra.keys[atom]
        if key[0] != "name" or not isinstance(exponent, int) or exponent < 0:
            raise _refused(f"{key[0]}")
        return " * ".join([self._names[key[1]]] * exponent)

    def _cleared(self, relation: Parsed) -> tuple[str, Polynomial, list[str]]:
        """Kind, the polynomial that is compared with zero, and the factors of what it was divided by."""
        found: Quotient = self._algebra.difference(relation)
        kind = _OF_KIND[relation[0]]
        above, below = dict(found.above), [(dict(key), exponent) for key, exponent in found.below.items()]
        least: dict[int, Any] = {}
        for monomial in above:
            for atom, exponent in monomial:
                if exponent < 0:
                    least[atom] = max(least.get(atom, 0), -exponent)
        for atom, exponent in least.items():
            above = multiplied(above, {((atom, exponent),): 1})
            below.append(({((atom, 1),): 1}, exponent))
        divisors = []
        for factor, exponent in below:
            divisors += [self._polynomial(factor)] * exponent
        return kind, above, divisors

    # ---- what is known

    def _learned(self, name: str, tree: Parsed) -> None:
        """Take a hypothesis apart, and note the polynomials of its relations."""
        match tree:
            case ("and", *parts):
                names = [self._new("H") for _ in parts]
                self._emit(f"destruct {name} as {pattern(names)}.")
                for own, part in zip(names, parts, strict=True):
                    self._learned(own, part)
            case ("or", *_):
                self._known[tree] = name, self._full
            case (relation, _, _) if relation in RELATIONS:
                defined = [self._new("D") for _ in denominators(tree)]
                if defined:
                    own = self._new("H")
                    self._emit(f"destruct {name} as {pattern([*defined, own])}.")
                    name = own
                self._emit(f"assert ({self._new('C')} : {self._form(tree)}).")
                known = f"(Rge_le _ _ {name})" if tree[0] == ">=" else name
                self._emit(f"{{ {self._by('of', tree)}; [factors | same | exact {known}]. }}")

    def _by(self, way: str, tree: Parsed) -> str:
        kind, polynomial, divisors = self._cleared(tree)
        low, high = (tree[1], tree[2]) if tree[0] in ("<", "<=") else (tree[2], tree[1])
        below = " * ".join(divisors) or "1"
        return f"apply ({way}_{kind} {self._term(low)} {self._term(high)} {self._polynomial(polynomial)} ({below}))"

    def _form(self, tree: Parsed) -> str:
        """A relation as one of a polynomial and zero; conjunctions and disjunctions of such."""
        if tree[0] in ("and", "or"):
            return "(" + (" /\\ " if tree[0] == "and" else " \\/ ").join(map(self._form, tree[1:])) + ")"
        if tree[0] in ("true", "false"):
            return str(tree[0].capitalize())
        if tree[0] not in RELATIONS:
            raise _refused(tree[0])
        kind, polynomial, _ = self._cleared(tree)
        return _FORM[kind].format(self._polynomial(polynomial))

    def _lemma(self, name: str, tree: Parsed) -> None:
        """Note what was shown in the form of polynomials."""
        if tree[0] == "and":
            names = [self._new("L") for _ in tree[1:]]
            self._emit(f"destruct {name} as {pattern(names)}.")
            for own, part in zip(names, tree[1:], strict=True):
                self._lemma(own, part)
        elif tree[0] == "or":
            self._known[tree] = name, self._form

    # ---- rules

    def _shown(self, data: dict[str, Any], goal: Parsed, full: bool) -> None:
        """Emit the proof of the goal: that it is defined and true, or its form."""
        rule = data["rule"]
        own = without_words(read(data["goal"]["conclusion"]))
        if goal == ("true",):
            self._emit("exact I.")
            return
        if rule == "steps":
            for lemma in data["lemmas"]:
                said = without_words(read(lemma["goal"]["conclusion"]))
                name = self._new("L")
                self._block(f"assert ({name} : {self._form(said)}).", lemma, said)
                self._lemma(name, said)
            self._shown(data["last"], goal, full)
            return
        if own == ("false",) and goal != own:
            self._emit("exfalso.")
            self._shown(data, own, False)
            return
        if rule == "cases":
            self._cases(data, goal, full)
            return
        if rule == "implication":
            self._implied(data, goal, full)
            return
        if goal[0] == "and":
            self._all(data, own, goal, full)
            return
        if full and goal[0] in RELATIONS:
            self._to_form(goal)
        same = goal == ("false",) or (goal[0] in RELATIONS and self._form(goal) == self._form(own))
        if same:
            self._leaf(data, own)
        elif goal[0] == "or":
            self._either(data, goal, full)
        elif goal[0] in RELATIONS:
            self._block(f"assert ({self._new('L')} : {self._form(own)}).", data, own)
            self._emit("words.")
        else:
            raise _refused(f"{rule}: {goal[0]}")

    def _block(self, statement: str, data: dict[str, Any], goal: Parsed) -> None:
        known = dict(self._known)
        self._emit(f"{statement} {{")
        self._shown(data, goal, False)
        self._emit("}")
        self._known = known

    def _to_form(self, goal: Parsed) -> None:
        defined = []
        for below in denominators(goal):
            defined.append(self._new("D"))
            nonzero = ("!=", below, ("number", Fraction(0)))
            self._emit(f"assert ({defined[-1]} : {self._term(below)} <> 0).")
            self._emit(f"{{ {self._by('by', nonzero)}; [factors | same | words]. }}")
        for name in defined:
            self._emit(f"refine (conj {name} _).")
        turned = "apply Rle_ge; " if goal[0] == ">=" else ""
        self._emit(f"{turned}{self._by('by', goal)}; [factors | same |].")

    def _all(self, data: dict[str, Any], own: Parsed, goal: Parsed, full: bool) -> None:
        if data["rule"] in ("evaluation", "identity"):
            self._at_once(goal[1:], full)
            return
        if data["rule"] != "parts" or len(own) != len(goal):
            raise _refused("a conjunction in other words")
        for number, (part, wanted) in enumerate(zip(data["parts"], goal[1:], strict=True)):
            last = number == len(goal) - 2
            known = dict(self._known)
            self._emit("{" if last else "refine (conj _ _). {")
            self._shown(part, wanted, full)
            self._emit("}")
            self._known = known

    def _at_once(self, parts: Sequence[Parsed], full: bool) -> None:
        for number, part in enumerate(parts):
            if part[0] not in RELATIONS:
                raise _refused(f"evaluation of {part[0]}")
            self._emit("{" if number == len(parts) - 1 else "refine (conj _ _). {")
            if full:
                self._to_form(part)
            self._emit("words. }")

    def _either(self, data: dict[str, Any], goal: Parsed, full: bool) -> None:
        """A disjunction by contradiction: one part after another is true, or false."""
        parts = list(alternatives(goal))
        if data["rule"] in ("evaluation", "identity"):
            for way, part in parts[:-1]:
                self._decided(part, way, full)
            way, part = parts[-1]
            if part[0] not in RELATIONS:
                raise _refused(f"evaluation of {part[0]}")
            self._emit("".join(f"{step}. " for step in way))
            if full:
                self._to_form(part)
            self._emit("words.")
            return
        if data["rule"] != "contradiction":
            raise _refused(f"{data['rule']} of a disjunction")
        for way, part in parts:
            self._decided(part, way, full)
        self._emit("exfalso.")
        self._shown(data["refutation"], ("false",), False)

    def _decided(self, part: Parsed, way: Sequence[str], full: bool) -> None:
        """True: the goal, by this way; false: noted, and on it goes."""
        if part[0] not in RELATIONS:
            raise _refused("a disjunction of more than relations")
        kind, polynomial, _ = self._cleared(part)
        name = self._new("X")
        self._emit(_SPLIT[kind].format(self._polynomial(polynomial), name) + ("; swap 1 2." if kind == "ne" else "."))
        self._emit("{ " + "".join(f"{step}. " for step in way))
        if full:
            self._to_form(part)
        self._emit("exact " + name + ". }")
        self._emit(f"assert ({self._new('N')} : {self._form(negated(part))}) by words.")

    def _implied(self, data: dict[str, Any], goal: Parsed, full: bool) -> None:
        if goal[0] != "or" or len(goal) != 3:
            raise _refused("an implication in other words")
        denied = goal[1][1:] if goal[1][0] == "or" else goal[1:2]
        for number, part in enumerate(denied):
            inner = ["right"] * number + ["left"] * (number < len(denied) - 1)
            self._decided(part, ["left", *inner], full)
        self._emit("right.")
        self._shown(data["then"], goal[2], full)

    def _cases(self, data: dict[str, Any], goal: Parsed, full: bool) -> None:
        given = [read(text) for text in data["goal"]["hypotheses"]]
        branches = data["branches"]
        if data["cover"] is not None:
            alternatives = without_words(given[data["cover"]])
            if alternatives not in self._known:
                raise _refused("cases of what is not known")
            name, form = self._known[alternatives]
            names = [self._new("H") for _ in branches]
            self._emit(f"destruct {name} as {pattern(names, '|')}.")
            for own, branch, case in zip(names, branches, alternatives[1:], strict=True):
                known = dict(self._known)
                self._emit("{")
                self._learned(own, case) if form == self._full else self._lemma(own, case)
                self._shown(branch, goal, full)
                self._emit("}")
                self._known = known
            return
        more = [[h for h in map(read, branch["goal"]["hypotheses"]) if h not in given] for branch in branches]
        compared: list[Polynomial] = []
        for relation in (h for case in more for h in case):
            if relation[0] not in RELATIONS:
                raise _refused("cases by more than relations")
            polynomial = self._cleared(relation)[1]
            if all(proportion(polynomial, other) is None for other in compared):
                compared.append(polynomial)
        if len(compared) > 3:
            raise _refused("cases by more than three signs")
        self._by_signs(data, more, compared, [], goal, full)

    def _by_signs(
        self,
        data: dict[str, Any],
        more: list[list[Parsed]],
        compared: list[Polynomial],
        signs: list[int],
        goal: Parsed,
        full: bool,
    ) -> None:
        if len(signs) < len(compared):
            name = self._new("X")
            text = self._polynomial(compared[len(signs)])
            self._emit(f"destruct (Rtotal_order {text} 0) as [{name}|[{name}|{name}]].")
            for sign in (-1, 0, 1):
                known = dict(self._known)
                self._emit("{")
                self._by_signs(data, more, compared, [*signs, sign], goal, full)
                self._emit("}")
                self._known = known
            return
        for branch, case in zip(data["branches"], more, strict=True):
            if all(self._true_at(h, compared, signs) for h in case):
                for relation in case:
                    self._emit(f"assert ({self._new('C')} : {self._form(relation)}) by words.")
                self._shown(branch, goal, full)
                return
        self._emit("exfalso; words.")  # signs that exclude each other

    def _true_at(self, relation: Parsed, compared: Sequence[Polynomial], signs: Sequence[int]) -> bool:
        kind, polynomial, _ = self._cleared(relation)
        for other, sign in zip(compared, signs, strict=True):
            if (ratio := proportion(polynomial, other)) is not None:
                found = sign if ratio > 0 else -sign
                return {"lt": found > 0, "le": found >= 0, "eq": found == 0, "ne": found != 0}[kind]
        return False

    def _leaf(self, data: dict[str, Any], own: Parsed) -> None:
        match data["rule"]:
            case "identity" | "evaluation":
                self._emit("words.")
            case "contradiction":
                self._denied(own)
                self._shown(data["refutation"], ("false",), False)
            case "products":
                given = [read(text) for text in data["goal"]["hypotheses"]]
                if own != ("false",):
                    self._denied(own)
                    given.append(negated(own))
                self._products(data, given)
            case "put in":
                self._put_in(data, own)
            case rule:
                raise _refused(f"the rule {rule}")

    def _denied(self, own: Parsed) -> None:
        if own[0] not in RELATIONS:
            raise _refused(f"a denied {own[0]}")
        kind, polynomial, _ = self._cleared(own)
        name = self._new("X")
        text = self._polynomial(polynomial)
        ways = f"[exfalso | exact {name}]" if kind == "ne" else f"[exact {name} | exfalso]"
        self._emit(f"{_SPLIT[kind].format(text, name)}; {ways}.")
        self._emit(f"assert ({self._new('N')} : {self._form(negated(own))}) by words.")

    def _products(self, data: dict[str, Any], given: Sequence[Parsed]) -> None:
        used = {n for entry in data["products"] for n in entry["facts"]} | {e["fact"] for e in data["multiples"]}
        facts = {}
        for number in sorted(used):
            facts[number] = self._new("F")
            self._emit(f"assert ({facts[number]} : {self._form(given[number])}) by words.")
        for entry in data["products"]:
            sides = [self._polynomial(self._cleared(given[n])[1]) for n in entry["facts"]]
            square = read(entry["square"])
            if square != ("number", Fraction(1)):
                sides.append("({0} * {0})".format(self._term(square)))
            strict = square[0] == "number" and all(given[n][0] in ("<", ">") for n in entry["facts"])
            if sides:
                sign = "<" if strict else "<="
                self._emit(f"assert ({self._new('P')} : 0 {sign} {' * '.join(sides)}) by factors.")
        for entry in data["multiples"]:
            fact = self._polynomial(self._cleared(given[entry["fact"]])[1])
            factor = self._term(read(entry["factor"]))
            self._emit(f"assert ({self._new('M')} : {factor} * {fact} = 0) by (rewrite {facts[entry['fact']]}; ring).")
        self._emit("lra.")

    def _put_in(self, data: dict[str, Any], own: Parsed) -> None:
        given = [read(text) for text in data["goal"]["hypotheses"]]
        equation, old = given[data["equation"]], read(data["term"])
        if data["then"] is not None:
            inner = without_words(read(data["then"]["goal"]["conclusion"]))
            if inner == ("false",):
                self._emit("exfalso.")
                self._shown(data["then"], inner, False)
                return
            self._block(f"assert ({self._new('L')} : {self._form(inner)}).", data["then"], inner)
            moved = own
        else:
            moved = given[data["fact"]]
            self._emit(f"assert ({self._new('F')} : {self._form(moved)}) by words.")
        _, polynomial, _ = self._cleared(moved)
        _, zero, _ = self._cleared(equation)
        factor = self._multiple(polynomial, zero, old)
        name = self._new("E")
        self._emit(f"assert ({name} : {self._form(equation)}) by words.")
        text = f"{self._polynomial(factor)} * {self._polynomial(zero)}"
        self._emit(f"assert ({self._new('M')} : {text} = 0) by (rewrite {name}; ring).")
        self._emit("words.")

    def _multiple(self, polynomial: Polynomial, zero: Polynomial, old: Parsed) -> Polynomial:
        """What times `zero` takes the replaced name out of a polynomial."""
        ((monomial, _),) = self._algebra.quotient(old).above.items()
        atom = monomial[0][0]
        slope = zero.get(((atom, 1),))
        if slope is None or any(atom in dict(m) for m in zero if m != ((atom, 1),)):
            raise _refused("an equation that is not linear")
        rest, found = dict(polynomial), Polynomial()
        while high := max((dict(m).get(atom, 0) for m in rest), default=0):
            lead = {lowered(m, atom): Fraction(v) / slope for m, v in rest.items() if dict(m).get(atom, 0) == high}
            found = added(found, lead)
            rest = added(rest, multiplied(lead, zero), -1)
        return found
