"""Texts of Rocq: numbers, terms, conditions, and what has to hold for them to be defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.algebra import Algebra, Quotient, of_key
from lpmech.certify.proofs.polynomials import Polynomial
from lpmech.certify.proofs.reading import RELATIONS, Parsed
from lpmech.errors import FormulaError

__all__ = ["Language", "numeral", "pattern", "within"]

#: Names that mean something in Rocq, or in the theorems.
TAKEN = {
    *("exp", "ln", "sqrt", "sin", "cos", "tan", "pow", "INR", "IZR", "Int_part", "PI", *"RSOIHCDQZNEV"),
    *("whole", "quotient", "multiple", "nothing", "against", "absurd", "strictly"),
    *("as", "at", "by", "cofix", "else", "end", "exists", "fix", "for", "forall", "fun", "if", "in", "let", "match"),
    *("mod", "return", "then", "using", "where", "with", "IF", "_", "Prop", "SProp", "Set", "Type"),
}
_ZERO: Parsed = ("number", Fraction(0))
#: Largest exponent that is written as one.
_MOST = 400
_FUNCTIONS = {"sqrt": "sqrt", "exp": "exp", "log": "ln", "Abs": "Rabs", "sin": "sin", "cos": "cos"}
_ROUNDED = {"floor": "(IZR (Int_part {}))", "ceiling": "(- IZR (Int_part (- {})))"}
#: What decides a relation.
_DECIDED = {"<": "Rlt_dec", "<=": "Rle_dec", ">": "Rgt_dec", ">=": "Rge_dec", "==": "Req_EM_T"}


def numeral(value: Any) -> str:
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator} / {value.denominator})"


def pattern(names: Sequence[str], join: str = " ") -> str:
    return names[0] if len(names) == 1 else f"[{names[0]}{join}{pattern(names[1:], join)}]"


def within(tree: Parsed) -> Iterator[Parsed]:
    """The parts of a term or condition; of a case distinction also those that apply in one case only."""
    for part in tree[1:]:
        if tree[0] == "Piecewise":
            yield from part
        elif isinstance(part, tuple):
            yield part


def _whole(exponent: Parsed) -> int | None:
    """An exponent that is a whole number."""
    sign = 1
    if exponent[0] == "-" and exponent[1] == _ZERO:
        sign, exponent = -1, exponent[2]
    whole = exponent[0] == "number" and exponent[1].denominator == 1 and exponent[1] <= _MOST
    return sign * int(exponent[1]) if whole else None


class Language:
    """How formulas of one theorem are written.

    Parameters
    ----------
    parameters : iterable of str
    is_positive : callable
        Whether a rational function is known to be positive; asked of the bases of powers.
    """

    def __init__(self, parameters: Iterable[str], is_positive: Callable[[Quotient], bool]):
        self.names = {"v_": "v_"}
        for name in parameters:
            self.named(name)
        self.algebra = Algebra(is_positive)
        self._atoms: dict[Any, str] = {}
        #: Functions that were written, and how.
        self.functions: dict[Parsed, str] = {}
        #: What stands below a square root.
        self.roots: set[Parsed] = set()
        #: Bases of powers that Rocq has for positive ones only.
        self.bases: set[Parsed] = set()
        self._needs: dict[Parsed, list[Parsed]] = {}

    def named(self, name: str) -> str:
        """What a parameter is called."""
        own = name
        while own in TAKEN or own in self.names.values():
            own += "_"
        self.names[name] = own
        return own

    # ---- terms

    def term(self, tree: Parsed) -> str:
        """A term as it stands in the text of the claim."""
        match tree:
            case ("number", value):
                return numeral(value)
            case ("name", name) if name in self.names:
                return self.names[name]
            case ("pi",):
                return "PI"
            case ("-", ("number", Fraction(numerator=0)), right):
                return f"(- {self.term(right)})"
            case ("+" | "-" | "*" | "/", left, right):
                return f"({self.term(left)} {tree[0]} {self.term(right)})"
            case ("Max" | "Min" as name, *parts):
                found = self.term(parts[-1])
                for part in reversed(parts[:-1]):
                    found = f"(R{name.lower()} {self.term(part)} {found})"
                self._noted(tree, found)
                return found
            case ("Piecewise", *cases) if cases[-1][1] == ("true",) and all(c[0] in _DECIDED for _, c in cases[:-1]):
                found = self.term(cases[-1][0])
                for value, (relation, *sides) in reversed(cases[:-1]):
                    test = f"{_DECIDED[relation]} {self.term(sides[0])} {self.term(sides[1])}"
                    found = f"(if {test} then {self.term(value)} else {found})"
                self._noted(tree, found)
                return found
            case (name, inner) if name in _FUNCTIONS:
                found = f"({_FUNCTIONS[name]} {self.term(inner)})"
                self._noted(tree, found)
                return found
            case ("floor" | "ceiling", inner):
                found = _ROUNDED[tree[0]].format(self.term(inner))
                self._noted(tree, found)
                return found
            case ("**", base, exponent) if (times := _whole(exponent)) is not None:
                power = f"{self.term(base)} ^ {abs(times)}"
                return f"({power})" if times >= 0 else f"(1 / {power})"
            case ("**", base, exponent):
                found = f"(Rpower {self.term(base)} {self.term(exponent)})"
                self._noted(tree, found)
                return found
        raise _refused(f"{tree[0]}")

    def _noted(self, tree: Parsed, text: str) -> None:
        """The first text of an indeterminate of the checker's is its name; the others are equal to it."""
        if tree in self.functions:
            return
        self.functions[tree] = text
        found, self.algebra.needs = self.algebra.quotient(tree), []
        if not found.below and len(found.above) == 1:
            ((monomial, value),) = found.above.items()
            if value == 1 and len(monomial) == 1 and monomial[0][1] in (1, Fraction(1, 2)):
                self._atoms.setdefault(monomial[0], text)

    def canonical(self, tree: Parsed) -> str:
        """A function as the checker reads it, in its indeterminates."""
        found, self.algebra.needs = self.algebra.quotient(tree), []
        return self.quotient(found)

    def needs(self, tree: Parsed) -> list[Parsed]:
        """What has to hold for a relation to be defined, from within: relations that are defined in this order."""
        if tree not in self._needs:
            found: list[Parsed] = []
            for side in tree[1:]:
                self._walk(side, found)
            self._needs[tree] = found
        return self._needs[tree]

    def _walk(self, part: Parsed, found: list[Parsed]) -> None:
        if part[0] in ("number", "name", "pi", "true"):
            return
        for inner in within(part):
            self._walk(inner, found)
        need: Parsed | None = None
        match part:
            case ("/", _, below) if below[0] != "number" or not below[1]:
                need = ("!=", below, _ZERO)
            case ("**", base, exponent):
                times = _whole(exponent)
                if times is None:
                    need = (">", base, _ZERO)
                    self.bases.add(base)
                elif times < 0:
                    need = ("!=", base, _ZERO)
            case ("sqrt", inner):
                need = (">=", inner, _ZERO)
            case ("log", inner):
                need = (">", inner, _ZERO)
        if part[0] == "sqrt":
            self.roots.add(part[1])
        if need is not None and need not in found:
            found.append(need)

    # ---- conditions

    def relation(self, tree: Parsed) -> str:
        """A relation alone."""
        sign = {"==": "=", "!=": "<>"}.get(tree[0], tree[0])
        return f"{self.term(tree[1])} {sign} {self.term(tree[2])}"

    def full(self, tree: Parsed) -> str:
        """Defined and true."""
        match tree:
            case ("and" | "or", *parts):
                return "(" + (" /\\ " if tree[0] == "and" else " \\/ ").join(map(self.full, parts)) + ")"
            case ("true",) | ("false",):
                return str(tree[0].capitalize())
            case ("whole", x):
                said = " /\\ ".join([*map(self.relation, self.needs(tree)), f"(whole {self.term(x)})"])
                return f"({said})" if self.needs(tree) else said
            case (relation, *_) if relation in RELATIONS:
                return "(" + " /\\ ".join(map(self.relation, [*self.needs(tree), tree])) + ")"
        raise _refused(f"{tree[0]}")

    # ---- polynomials

    def polynomial(self, polynomial: Polynomial) -> str:
        """As a sum of terms."""
        terms = []
        for monomial, value in sorted(polynomial.items(), reverse=True):
            powers = [self._factor(atom, exponent) for atom, exponent in monomial]
            terms.append(" * ".join([numeral(value), *powers] if value != 1 or not powers else powers))
        return "(" + (" + ".join(terms) or "0") + ")"

    def quotient(self, a: Quotient) -> str:
        """A rational function as one quotient."""
        below = " * ".join(self.polynomial(dict(key)) for key, e in a.below.items() for _ in range(e))
        return f"({self.polynomial(a.above)} / ({below}))" if below else self.polynomial(a.above)

    def _factor(self, atom: int, exponent: Any) -> str:
        key = self.algebra.keys[atom]
        if key[0] == ("e",) and isinstance(exponent, Fraction) and exponent.denominator > 2:
            return f"(exp ({numeral(exponent)} * {self.polynomial({key[1]: 1})}))"
        root = isinstance(exponent, Fraction) and exponent.denominator == 2
        if not root and not isinstance(exponent, int):
            raise _refused("a root that is not a square root")
        text, times = (self.root(atom), int(2 * exponent)) if root else (self.atom(atom), int(exponent))
        product = " * ".join([text] * abs(times))
        return product if times > 0 else f"/ ({product})"

    def atom(self, atom: int) -> str:
        """An indeterminate."""
        key = self.algebra.keys[atom]
        if key[0] == "name":
            return self.names[key[1]]
        if key == ("pi",):
            return "PI"
        if key[0] in ("base", "root") and atom in self.algebra.bases:
            return self.quotient(self.algebra.bases[atom])
        if key[0] == ("e",):
            return f"(exp {self.polynomial({key[1]: 1})})"
        if (atom, 1) in self._atoms:
            return self._atoms[atom, 1]
        if atom in self.algebra.trees:
            return self.term(self.algebra.trees[atom])
        if key[0] == "log":
            return f"(ln {self.quotient(of_key(key[1]))})"
        if isinstance(key[0], tuple) and key[0][0] == "power":
            return f"(Rpower {self.quotient(of_key(key[0][1]))} {self.quotient(of_key(key[1]))})"
        raise _refused(f"{key[0]}")

    def base(self, atom: int) -> Quotient:
        """What stands below a square root."""
        return self.algebra.bases.get(atom, Quotient({((atom, 1),): 1}, {}))

    def root(self, atom: int) -> str:
        """The square root of one."""
        return self._atoms.get((atom, Fraction(1, 2)), f"(sqrt {self.atom(atom)})")


def _refused(what: str) -> FormulaError:
    return FormulaError("proof", what, "what has a form in Rocq")
