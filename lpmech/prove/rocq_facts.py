"""What is known at a place of a proof in Rocq, and what follows from it at once, each with its term.

The signs are found as `lpmech.certify.proofs.facts` finds them; here each comes with its reason: a term of Rocq's whose
type is 0 < s or 0 <= s, where s is the polynomial, written so that the sign can be seen, or its opposite.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.algebra import Quotient
from lpmech.certify.proofs.polynomials import Polynomial, added, divided, multiplied, proportion, without_monomial
from lpmech.certify.proofs.reading import FALSE, RELATIONS, Parsed
from lpmech.prove.rocq_lines import Known, Lines
from lpmech.prove.rocq_positive import Positive, inverse, number, plus, times, weak, weighted
from lpmech.prove.rocq_texts import Language, pattern

__all__ = ["Facts"]

_KIND = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "==": "==", "!=": "!="}
ZERO: Parsed = ("number", Fraction(0))


class Facts(Lines):
    """The context of a proof, and the lines that make it.

    Parameters
    ----------
    parameters : iterable of str
    """

    def __init__(self, parameters: Iterable[str]):
        super().__init__(Language(parameters, self._is_positive))

    def _is_positive(self, a: Quotient) -> bool:
        """Whether it is known; nothing is written."""
        found = False

        def look() -> bool:
            nonlocal found
            sign = self.sign_of(a, True)
            found = sign is not None and sign.sign > 0
            return False

        needs, self.algebra.needs = self.algebra.needs, []
        self.tried(look)
        self.algebra.needs = needs
        return found

    # ---- what is learned

    def learn(self, name: str, tree: Parsed) -> None:
        """Take apart what is defined and true."""
        match tree:
            case ("and", *parts):
                names = [self.new("H") for _ in parts]
                self.emit(f"destruct {name} as {pattern(names)}.")
                for own, part in zip(names, parts, strict=True):
                    self.learn(own, part)
            case ("false",):
                self.named[FALSE] = name
            case (relation, *_) if relation in RELATIONS:
                needs = self.language.needs(tree)
                names = [*(self.new("D") for _ in needs), self.new("H")]
                if needs:
                    self.emit(f"destruct {name} as {pattern(names)}.")
                else:
                    names = [name]
                for own, need in zip(names, [*needs, tree], strict=True):
                    self._add(need, own)
            case _:
                self.named[tree] = name

    def _add(self, tree: Parsed, name: str) -> None:
        if tree in self.named and self.named[tree] in {k.name for k in self._known}:
            return
        self.named[tree] = name
        found = self.difference(tree)
        self._known.append(Known(found, _KIND[tree[0]], tree, name))
        if tree[0] == ">=" and tree[2] == ZERO and tree[1] in self.language.roots and not found.below:
            square = self.new("Q")
            self.emit(f"pose proof (sqrt_sqrt _ (Rge_le _ _ {name})) as {square}.")
            self.squares.append(square)

    def difference(self, tree: Parsed) -> Quotient:
        """What a relation compares with zero."""
        found = self.algebra.difference(tree)
        self.algebra.needs = []
        return found

    def side(self, tree: Parsed) -> Positive:
        """What a known inequality says to be positive, or not negative."""
        self.ready(tree)
        known = self.named[tree]
        low, high = (tree[1], tree[2]) if tree[0] in ("<", "<=") else (tree[2], tree[1])
        text = f"({self.language.term(high)} - {self.language.term(low)})"
        lemma = {"<": "pos_lt", ">": "pos_lt", "<=": "pos_le", ">=": "pos_ge"}[tree[0]]
        return Positive(text, tree[0] in "<>", f"({lemma} _ _ {known})")

    # ---- signs

    def sign(self, a: Polynomial, strict: bool, nonzero: bool = False) -> Positive | None:
        """A polynomial, or its opposite, as something positive (not negative, unless strict); None: not known."""
        key = frozenset(a.items()), strict
        if not a or key in self._busy:
            return None
        self._busy.add(key)
        try:
            found = self._at_once(a, strict) or self._termwise(a, strict) or self._product(a, strict)
            if found is None and (strict and (nonzero or self._differs(a))):
                found = self._at_once(a, False) or self._termwise(a, False) or self._product(a, False)
            return self._strictly(found, a) if found is not None and strict and not found.strict else found
        finally:
            self._busy.discard(key)

    def sign_of(self, a: Quotient, strict: bool) -> Positive | None:
        """Likewise of a quotient."""
        below = self._below(a)
        above = None if below is None else self.sign(a.above, strict)
        if below is None or above is None:
            return None
        if not a.below:
            return above
        name = self.new("P")
        self.emit(f"assert ({name} : 0 < {below.text}) by exact {below.term}.")
        return times(above, inverse(below._replace(term=name)))

    def _below(self, a: Quotient) -> Positive | None:
        """The denominator as something positive; powers of an even exponent are squares."""
        parts: list[Positive] = []
        for key, exponent in a.below.items():
            factor = dict(key)
            if exponent % 2:
                found = self.sign(factor, True, nonzero=True)
                if found is None:
                    return None
                parts.append(found)
            if exponent > 1:
                if not self.apart(factor):
                    return None
                parts += [self._square(factor)] * (exponent // 2)
        return weighted(1, parts)

    def _square(self, a: Polynomial) -> Positive:
        """Of a polynomial that is known not to be zero."""
        text = self.language.polynomial(a)
        return Positive(f"({text} * {text})", True, f"(square_pos _ {self._apart_name(a)})")

    def _strictly(self, found: Positive, a: Polynomial) -> Positive | None:
        """Positive where it is not negative and not zero."""
        if not self.apart(a):
            return None
        name, sign = self.new("N"), "- " if found.sign < 0 else ""
        self.emit(f"assert ({name} : {found.text} <> 0) by (apply (ne_of _ _ ({sign}1) {self._apart_name(a)}); same).")
        return Positive(found.text, True, f"(strictly _ {found.term} {name})", found.sign)

    def _at_once(self, a: Polynomial, strict: bool) -> Positive | None:
        for known in reversed(self._known):
            if known.kind not in (">", ">=") or (strict and known.kind != ">"):
                continue
            ratio = proportion(a, known.found.above)
            below = None if ratio is None else self._below(known.found)
            if ratio is None or below is None:
                continue
            own = self.side(known.tree) if not known.found.below else times(self.side(known.tree), below)
            found = weighted(abs(ratio), [own])
            return found._replace(sign=own.sign * (1 if ratio > 0 else -1))
        return None

    def _termwise(self, a: Polynomial, strict: bool) -> Positive | None:
        for polynomial, bounds in ((a, {}), self._from_bounds(a)):
            signs = {1 if value > 0 else -1 for value in polynomial.values()}
            if len(signs) > 1:
                continue
            terms = []
            for monomial, value in polynomial.items():
                powers = [self._power(atom, exponent, bounds) for atom, exponent in monomial]
                if None in powers:
                    break
                terms.append(weighted(abs(Fraction(value)), [p for p in powers if p is not None]))
            if len(terms) == len(polynomial) and (not strict or any(t.strict for t in terms)):
                found = terms[0]
                for term in terms[1:]:
                    found = plus(found, term)
                return found._replace(sign=signs.pop())
        return None

    def _product(self, a: Polynomial, strict: bool) -> Positive | None:
        """By a factor whose sign is known."""
        for known in list(self._known):
            factor = known.found.above
            if not 1 < len(factor) <= len(a) or known.kind not in (">", "!=") or proportion(a, factor) is not None:
                continue
            rest = divided(a, factor)
            if rest is None:
                continue
            if known.kind == ">":
                one, other = self._at_once(factor, True), self.sign(rest, strict)
            else:
                square = divided(rest, factor)
                other = None if square is None or not self.apart(factor) else self.sign(square, strict)
                one = None if other is None else self._square(factor)
            if one is not None and other is not None:
                return times(one, other)
        return None

    def _from_bounds(self, a: Polynomial) -> tuple[Polynomial, dict[int, Positive]]:
        """With c + x in place of each indeterminate x >= c."""
        bounds: dict[int, Any] = {}
        for atom in {i for m in a for i, _ in m}:
            if (best := self._bound(atom)) is not None:
                bounds[atom] = best
        if not bounds or not all(isinstance(e, int) and e > 0 for m in a for i, e in m if i in bounds):
            return a, {}
        found: Polynomial = {}
        for monomial, value in a.items():
            part: Polynomial = {tuple((i, e) for i, e in monomial if i not in bounds): value}
            for atom, exponent in monomial:
                for _ in range(int(exponent) if atom in bounds else 0):
                    low = bounds[atom][0]
                    part = multiplied(part, {((atom, 1),): 1, (): low} if low else {((atom, 1),): 1})
            found = added(found, part)
        return found, {atom: positive for atom, (_, positive) in bounds.items()}

    def _bound(self, atom: int, depth: int = 2) -> tuple[Any, Positive] | None:
        """The largest number that an indeterminate is known not to be below, and their difference."""
        own, best = ((atom, 1),), None
        for known in self._known:
            above = known.found.above
            slope = above.get(own, 0)
            if known.kind not in (">", ">=") or slope <= 0 or known.found.below:
                continue
            bound: Any = -above.get((), 0)
            parts = [self.side(known.tree)]
            for monomial, value in above.items():
                if monomial in ((), own):
                    continue
                linear = depth and value < 0 and len(monomial) == 1 and monomial[0][1] == 1
                other = self._bound(monomial[0][0], depth - 1) if linear else None
                bound = None if bound is None or other is None else bound - value * other[0]
                if other is not None:
                    parts.append(weighted(-value, [other[1]]))
            if bound is not None:
                value = Fraction(bound) / slope
                if best is None or (value, known.kind == ">") > (best[0], best[1].strict):
                    found = parts[0]
                    for part in parts[1:]:
                        found = plus(found, part)
                    best = value, weighted(Fraction(1) / slope, [found])
        return best

    def _power(self, atom: int, exponent: Any, bounds: dict[int, Positive]) -> Positive | None:
        """A power of an indeterminate."""
        if atom in bounds:
            return weighted(1, [bounds[atom]] * int(exponent))
        base, text = self._atom(atom, exponent), self.language.atom(atom)
        times_ = exponent if isinstance(exponent, int) else 2 * exponent
        if not isinstance(exponent, int):
            return None if times_.denominator != 1 else self._root_power(atom, int(times_))
        if base is None and exponent % 2 == 0:
            square = Positive(f"({text} * {text})", False, f"(square_le {text})")
            if self.apart({((atom, 1),): 1}):
                square = Positive(square.text, True, f"(square_pos {text} {self._apart_name({((atom, 1),): 1})})")
            if exponent < 0 and not square.strict:
                return None
            found = weighted(1, [square] * (abs(exponent) // 2))
            return found if exponent > 0 else inverse(found)
        if base is None or (exponent < 0 and not base.strict):
            return None
        found = weighted(1, [base] * abs(exponent))
        return found if exponent > 0 else inverse(found)

    def _root_power(self, atom: int, twice: int) -> Positive | None:
        text = self.language.root(atom)
        base = self.language.base(atom)
        above = self.sign_of(base, True)
        if above is None or above.sign < 0:
            return None if twice < 0 else weighted(1, [Positive(text, False, "(sqrt_pos _)")] * twice)
        name = self.new("S")
        inside = self.language.quotient(base)
        self.emit(f"assert ({name} : 0 < {inside}) by (apply (by_pos _ _ {above.term}); same).")
        root = Positive(text, True, f"(sqrt_lt_R0 _ {name})")
        found = weighted(1, [root] * abs(twice))
        return found if twice > 0 else inverse(found)

    def _atom(self, atom: int, exponent: Any) -> Positive | None:
        """An indeterminate by the best lower bound of it, or by what kind it is."""
        key = self.algebra.keys[atom]
        text = self.language.atom(atom)
        if key[0] == ("e",):
            return Positive(text, True, f"(exp_pos {text.removeprefix('(exp ')[:-1]})")
        if isinstance(key[0], tuple) and key[0][0] == "power":
            return Positive(text, True, f"(exp_pos _ : 0 < {text})")
        if key == ("pi",):
            return Positive(text, True, "PI_RGT_0")
        if key[0] == "Abs":
            return Positive(text, False, "(Rabs_pos _)")
        if key[0] in ("Max", "Min") and exponent > 0 and (chosen := self._extreme(atom)) is not None:
            return chosen
        found = self._bound(atom)
        if found is None or found[0] < 0:
            return None
        low, above = found
        positive = plus(above, number(low)) if low else above
        tree: Parsed = (">" if positive.strict else ">=", key, ZERO) if key[0] == "name" else ()
        if tree in self.named:
            return Positive(text, positive.strict, f"({'of_gt' if positive.strict else 'of_ge'} _ {self.named[tree]})")
        name, sign = self.new("P"), "<" if positive.strict else "<="
        lemma = "by_pos" if positive.strict else "by_nonneg"
        self.emit(f"assert ({name} : 0 {sign} {text}) by (apply ({lemma} _ _ {positive.term}); same).")
        return Positive(text, positive.strict, name)

    def _extreme(self, atom: int) -> Positive | None:
        """A Max of which one argument is not negative, or a Min of which none is."""
        text, parts = self.language.atom(atom), self.algebra.parts[atom]
        least = 1 if self.algebra.keys[atom][0] == "Max" else len(parts)
        for part in parts:
            sign = self.sign_of(part, False) if part.above else None
            if sign is not None and sign.sign > 0:
                own = self.new("P")
                said = f"{own} : 0 <= {self.language.quotient(part)}"
                self.emit(f"assert ({said}) by (apply (by_nonneg _ _ {weak(sign)}); same).")
            least -= not part.above or (sign is not None and sign.sign > 0)
        if least > 0:
            return None
        name = self.new("P")
        self.emit(f"assert ({name} : 0 <= {text}) by choices.")
        return Positive(text, False, name)

    # ---- what is not zero

    def _differs(self, a: Polynomial) -> bool:
        return any(k.kind == "!=" and proportion(a, k.found.above) is not None for k in self._known)

    def _apart_name(self, a: Polynomial) -> str:
        return self.named["apart", frozenset(a.items())]

    def apart(self, a: Polynomial) -> bool:
        """Whether a polynomial is known not to be zero; then that stands in the context."""
        key = frozenset(a.items())
        if ("apart", key) in self.named:
            return True
        here = key, len(self._known), self._known[-1].name if self._known else ""
        if key in self._apart or not a or here in self._vain:
            return False
        alone = not self._apart and not self._busy
        self._apart.add(key)
        try:
            reason = self._why_apart(a)
        finally:
            self._apart.discard(key)
        if reason is None:
            if alone:  # within another question some ways are closed
                self._vain.add(here)
            return False
        name = self.new("N")
        self.emit(f"assert ({name} : {self.language.polynomial(a)} <> 0). {{ {reason} }}")
        self.named["apart", key] = name
        return True

    def _why_apart(self, a: Polynomial) -> str | None:
        if set(a) == {()}:
            return "lra."
        if (reason := self._factor_apart(a, "!=")) is not None:  # what a sign is seen by may have it as a denominator
            return reason
        if (found := self.sign(a, True)) is not None:
            return f"apply (ne_pos _ _ ({'- ' if found.sign < 0 else ''}1) {found.term}); [ same | lra ]."
        if (reason := self._factor_apart(a, ">")) is not None:
            return reason
        if len(a) == 1:
            ((monomial, value),) = a.items()
            if len(monomial) == 1 and monomial[0][1] in (1, -1) and value == 1:
                return None
            if all(self.apart({((atom, 1),): 1}) for atom, _ in monomial):
                return "never_zero."
            return None
        for known in list(self._known):
            known_factor = known.found.above
            if (
                known.kind in (">", "!=")
                and 1 < len(known_factor) <= 4 * len(a)
                and proportion(a, known_factor) is None
            ):
                rest = divided(a, known_factor)
                if rest is not None and self.apart(known_factor) and self.apart(rest):
                    product_ = f"{self.language.polynomial(known_factor)} * {self.language.polynomial(rest)}"
                    return f"replace {self.language.polynomial(a)} with ({product_}) by same; never_zero."
        return None

    def _factor_apart(self, a: Polynomial, kind: str) -> str | None:
        """By a multiple that is known to be apart from zero, or positive."""
        for known in list(self._known):
            rest = divided(known.found.above, a) if known.kind == kind else None
            if rest is None or not all(self.apart(dict(key)) for key in known.found.below):
                continue
            factor = self.language.quotient(Quotient(rest, known.found.below))
            lemma = {"!=": "", "<": "Rlt_not_eq _ _ ", ">": "Rgt_not_eq _ _ "}[known.tree[0]]
            sign = "- " if known.tree[0] == "<" else ""
            return f"apply (ne_factor _ _ _ ({sign}{factor}) ({lemma}{known.name})); same."
        return None

    def reason_apart(self, a: Quotient) -> str:
        """A term that says so of a quotient of which each factor is known to be."""
        below = ""
        for key, exponent in a.below.items():
            for _ in range(exponent):
                own = self._apart_name(dict(key))
                below = f"(product_ne _ _ {below} {own})" if below else own
        above = self._apart_name(a.above)
        return f"(quotient_ne _ _ {above} {below})" if below else above

    def ready(self, tree: Parsed) -> None:
        """See to it that the factors of denominators are known not to be zero."""
        if tree in self._ready:
            return
        self._ready.add(tree)
        for need in self.language.needs(tree):
            if need[0] == "!=":
                self.take_apart(need)

    def take_apart(self, need: Parsed) -> None:
        """The factors of a denominator; one that has fractions itself is one fraction from now on."""
        if need[1][0] in ("*", "**"):
            for factor in need[1][1:3]:
                self.take_apart(("!=", factor, ZERO))
        if need[1][0] in ("name", "number"):
            return
        found = self.difference(need)
        polynomial, common = without_monomial(found.above)
        parts: list[Polynomial] = [{((atom, 1),): 1} for atom, _ in common]
        parts += [polynomial, *map(dict, found.below), found.above]
        apart = [self.apart(part) for part in parts]
        text = self.language.term(need[1])
        if "/" in text and all(apart) and need in self.named and text not in self._flat:
            name = self.new("W")
            self.emit(f"assert ({name} : {text} = {self.language.quotient(found)}) by same.")
            self._flat.add(text)
            self.learn_twin(name, text)
