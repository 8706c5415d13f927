"""Powers, radicals, exponentials, factorials and logarithms as rational functions of independent generators.

Every power f^(c m) of a positive factor f with a rational c and a monomial m becomes a power of one generator, so that
t^(K-1) t = t^K, sqrt(t + 1)^2 = t + 1 and exp(x/2)^2 = exp(x) are identities of rational functions. Factorials of one
argument up to a whole shift become one generator by their ratios. What is not understood is a generator of its own:
an identity of generators is an identity of what they stand for, whatever that is, and never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove.language import is_whole
from lpmech.prove.polynomials import Ring

__all__ = ["CONSTANTS", "Abstraction", "Terms"]

_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth)
_E, _PI = sp.Dummy("e"), sp.Dummy("pi")
#: Generators that stand for numbers, of which bounds are known.
CONSTANTS = {_E: sp.E, _PI: sp.pi}
_ABOUT_E = (sp.Rational(2718, 1000) < _E, sp.Rational(2719, 1000) > _E)
_ABOUT_PI = (sp.Rational(31415, 10_000) < _PI, sp.Rational(31416, 10_000) > _PI)
#: Numbers are split into primes up to this, what is left of one is a factor of its own; and not at all if one prime
#: occurs more often than this, for the degrees of what is then to be proved.
_LARGEST_PRIME, _LARGEST_MULTIPLICITY = 10_000, 20
#: A binomial of so many at most is a polynomial.
_MOST_CHOSEN = 100


@dataclass
class Abstraction:
    """Expressions as rational functions of symbols and generators.

    Attributes
    ----------
    expressions : list of sympy expressions
    roots : dict of Symbol to (int, sympy expression)
        g^q = f for the generators that are roots.
    facts : list of sympy Boolean
        What is known of the generators besides.
    scales : dict of Symbol to (Symbol, int)
        Symbols t that are replaced by s^q: t to (s, q).
    meanings : dict of Symbol to sympy expression
        What generators stand for, in symbols and other generators; of some it is not said.
    """

    expressions: list[sp.Expr]
    roots: dict[sp.Symbol, tuple[int, sp.Expr]]
    facts: list[Boolean]
    scales: dict[sp.Symbol, tuple[sp.Symbol, int]]
    meanings: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)

    @property
    def ring(self) -> Ring:
        """The ring in which the expressions live."""
        free = set[sp.Symbol]().union(*(e.free_symbols for e in self.expressions), self.roots)
        free |= set[sp.Symbol]().union(*(f.free_symbols for _, f in self.roots.values()))
        return Ring(sorted(free, key=str), self.roots)


@dataclass
class Terms:
    """Collects generators while expressions are rewritten.

    Parameters
    ----------
    integers : collection of Symbol
        Integer symbols.
    knows : callable
        Whether a condition is proved under the hypotheses and some further facts.
    closed : callable
        A sum or product without its sign, or None.
    """

    integers: Collection[sp.Symbol]
    knows: Callable[[Boolean, Sequence[Boolean]], bool]
    closed: Callable[[sp.Expr], sp.Expr | None] = lambda _: None
    obligations: list[Boolean] = field(default_factory=list)
    _names: dict[Any, sp.Symbol] = field(default_factory=dict)
    _powers: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]] = field(default_factory=dict)
    _roots: dict[sp.Symbol, tuple[int, sp.Expr]] = field(default_factory=dict)
    _facts: list[Boolean] = field(default_factory=list)
    _shifts: dict[sp.Symbol, tuple[sp.Expr, int]] = field(default_factory=dict)

    def abstract(self, expressions: Sequence[sp.Expr]) -> Abstraction:
        """Rewrite expressions together, so that equal parts become equal generators.

        Raises
        ------
        UndecidedError
            If a power cannot be split because the sign of its base is not known.
        """
        rewritten = [self._rational(sp.sympify(e)) for e in expressions]
        facts = list(self._facts)
        roots = [power for _, power in self._roots.values()]
        every = [self._shifted(e) for e in (*rewritten, *roots)]
        scales = _denominators([*every, *facts])
        new = {base: sp.Dummy(f"{base}^(1/{q})") if q > 1 else base for base, q in scales.items()}
        # a relation base = f of degree 1 becomes new^q = f; one of higher degree keeps its own name
        finished = [_rescaled(e, scales, new) for e in every]
        relations = {}
        for (name, (degree, _)), power in zip(self._roots.items(), finished[len(rewritten) :], strict=True):
            relations[new.get(name, name)] = (degree * scales.get(name, 1), power)
        positive = [new[base] > 0 for base, q in scales.items() if q > 1]
        facts = [_rescaled(f, scales, new) for f in facts] + positive
        meanings = {name: _meaning(key) for key, name in self._names.items()} | CONSTANTS
        meanings |= {new[base]: base ** sp.Rational(1, q) for base, q in scales.items() if q > 1}
        return Abstraction(
            finished[: len(rewritten)], relations, facts, {base: (new[base], q) for base, q in scales.items()}, meanings
        )

    def _known(self, condition: Boolean) -> bool:
        if condition in self._facts:
            return True
        facts = [f for f in self._facts if f.free_symbols & condition.free_symbols]
        return self.knows(condition, facts)

    # ---- expressions

    def _rational(self, node: sp.Expr) -> sp.Expr:
        match node:
            case sp.Symbol() | sp.Rational():
                return node
            case sp.Add() | sp.Mul():
                return node.func(*map(self._rational, node.args))
            case sp.Pow() if node.exp.is_Integer:
                return self._rational(node.base) ** node.exp
            case sp.Pow():
                return self._power(self._rational(node.base), node.exp)
            case sp.exp():
                return self._power(_E, node.args[0])
            case sp.log():
                return self._log(self._rational(node.args[0]))
            case sp.sin() | sp.cos():
                return self._circular(node)
            case sp.tan():
                return self._rational(sp.sin(*node.args)) / self._rational(sp.cos(*node.args))
            case sp.factorial():
                return self._factorial(node.args[0])
            case sp.binomial():
                return self._binomial(node)
            case sp.Sum() | sp.Product():
                found = self.closed(node)
                return self._opaque(node) if found is None else self._rational(found)
        if node == sp.E:
            return self._power(_E, sp.S.One)
        if node == sp.pi:
            self._facts += [fact for fact in _ABOUT_PI if fact not in self._facts]
            return _PI
        if isinstance(node, _HYPERBOLIC):
            return self._rational(node.rewrite(sp.exp))
        return self._opaque(node)

    def _opaque(self, node: sp.Expr) -> sp.Symbol:
        return self._named(("opaque", node))

    def _named(self, key: Any) -> sp.Symbol:
        if key not in self._names:
            self._names[key] = sp.Dummy(f"g{len(self._names)}")
        return self._names[key]

    # ---- powers

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if base == 0:
            if self._known(exponent > 0):
                return sp.S.Zero
            raise UndecidedError(f"zero to the power {exponent}")
        parts = list(_terms(exponent))
        factors = [(_E, 1)] if base == _E else self._positive_factors(base)
        if factors is None:
            return self._unsplit(base, exponent)
        return sp.Mul(
            *(self._generator(f, m) ** (times * c) for f, times in factors for c, m in parts)
        )  # fmt: skip

    def _positive_factors(self, base: sp.Expr) -> list[tuple[sp.Expr, int]] | None:
        """Factors known to be positive, with multiplicities; None if a sign is not known."""
        content, factors = self._factors(base)
        found: list[tuple[sp.Expr, int]] = []
        for factor, times in factors:
            if self._known(factor > 0):
                found.append((factor, times))
            elif self._known(factor < 0):
                found.append((sp.expand(-factor), times))
                content *= (-1) ** (times % 2)
            else:
                return None
        if content <= 0:
            return None
        primes = sp.factorrat(content, limit=_LARGEST_PRIME, use_rho=False, use_pm1=False)
        if any(abs(e) > _LARGEST_MULTIPLICITY for e in primes.values()):
            return [*found, (content, 1)]
        return found + [(sp.Integer(p), int(e)) for p, e in primes.items() if p != 1]

    def _factors(self, base: sp.Expr) -> tuple[sp.Rational, list[tuple[sp.Expr, int]]]:
        scales = _denominators([base])
        new = {s: sp.Dummy(str(s)) if q > 1 else s for s, q in scales.items()}
        plain = _rescaled(base, scales, new)
        ring = Ring(sorted(plain.free_symbols, key=str))
        numerator, denominator = ring.quotient(plain)
        if numerator == 0:
            raise UndecidedError("a power of zero")
        back = {symbol: base ** sp.Rational(1, scales[base]) for base, symbol in new.items()}
        content, above = ring.factors(numerator)
        divisor, below = ring.factors(denominator)
        every = [*above, *((f, -m) for f, m in below)]
        return content / divisor, [(f.subs(back), m) for f, m in every]

    def _generator(self, factor: sp.Expr, monomial: sp.Expr) -> sp.Symbol:
        """The symbol of factor^monomial, for a positive factor."""
        if monomial == 1 and isinstance(factor, sp.Symbol) and factor != _E:
            return factor
        if factor == _E and _ABOUT_E[0] not in self._facts:
            self._facts += _ABOUT_E
        base = factor if isinstance(factor, sp.Symbol) else self._base(factor)
        if monomial == 1:
            return base
        name = self._named(("power", factor**monomial))
        if name not in self._powers:
            self._powers[name] = (base, monomial)
            self._facts += [name > 0, *self._growth(name, factor, monomial)]
        return name

    def _base(self, factor: sp.Expr) -> sp.Symbol:
        name = self._named(("base", factor))
        if name not in self._roots:
            self._roots[name] = (1, factor)
            self._facts.append(name > 0)
        return name

    def _growth(self, name: sp.Symbol, factor: sp.Expr, monomial: sp.Expr) -> Iterable[Boolean]:
        """Bernoulli's inequality and e^x >= 1 + x, e^-x >= 1 - x; only for polynomial exponents."""
        if not monomial.is_polynomial():
            return
        if factor == _E:
            yield name >= 1 + monomial
            yield name * (1 - monomial) <= 1
            if self._known(monomial >= 0):
                yield name >= 1 + monomial + monomial**2 / 2 + monomial**3 / 6
        elif self._known(monomial >= 1) or (is_whole(monomial, self.integers) and self._known(monomial >= 0)):
            yield name >= 1 + monomial * (factor - 1)
            if self._known(factor >= 1):
                yield name >= 1
        elif self._known(sp.And(factor >= 1, monomial >= 0)):
            yield name >= 1

    def _unsplit(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        """A power whose base has an unknown sign."""
        if exponent.is_Rational:
            name = self._named(("root", base, int(exponent.q)))
            if name not in self._roots:
                self._roots[name] = (int(exponent.q), base)
                self._facts.append(name >= 0)
            return name ** int(exponent.p)
        if is_whole(exponent, self.integers) and (base == -1 or self._known(sp.Ne(base, 0))):
            powers = []
            for c, m in _terms(exponent):
                if m == 1:
                    powers.append(base**c)
                    continue
                name = self._named(("whole power", base, m))
                if base == -1:
                    self._roots.setdefault(name, (2, sp.S.One))
                powers.append(name**c)
            return sp.Mul(*powers)
        raise UndecidedError(f"the sign of {base} in a power is not known")

    # ---- logarithms, circular functions

    def _log(self, argument: sp.Expr) -> sp.Expr:
        factors = self._positive_factors(argument)
        if factors is None:
            return self._named(("log", argument))
        return sp.Add(*(times * self._log_of_factor(f) for f, times in factors))

    def _log_of_factor(self, factor: sp.Expr) -> sp.Expr:
        if factor == _E:
            return sp.S.One
        if factor in self._powers:
            base, monomial = self._powers[factor]
            return monomial * (sp.S.One if base == _E else self._log_of_factor(base))
        name = self._named(("log", factor))
        bounds = [name <= factor - 1, name * factor >= factor - 1]
        self._facts += [bound for bound in bounds if bound not in self._facts]
        return name

    def _circular(self, node: sp.Expr) -> sp.Expr:
        argument = sp.expand(node.args[0])
        sine, cosine = self._named(("sin", argument)), self._named(("cos", argument))
        if cosine not in self._roots:
            self._roots[cosine] = (2, 1 - sine**2)
            self._facts += [sine <= 1, sine >= -1, cosine <= 1, cosine >= -1]
        return sine if isinstance(node, sp.sin) else cosine

    # ---- factorials

    def _factorial(self, argument: sp.Expr) -> sp.Expr:
        core, shift = _split_shift(argument)
        if core == 0:
            return sp.factorial(shift)
        name = self._named(("factorial", core, shift))
        self._shifts[name] = (core, shift)
        return name

    def _binomial(self, node: sp.Expr) -> sp.Expr:
        n, k = node.args
        if k.is_Integer:
            if k > _MOST_CHOSEN:
                return self._opaque(node)
            if k < 0:
                return sp.S.Zero
            return self._rational(sp.Mul(*(n - i for i in range(int(k))))) / sp.factorial(k)
        if self._known(k > n) and self._known(n >= 0):
            return sp.S.Zero
        if not (self._known(k >= 0) and self._known(k <= n)):
            return self._opaque(node)
        return self._factorial(n) / (self._factorial(k) * self._factorial(sp.expand(n - k)))

    def _shifted(self, expression: sp.Expr) -> sp.Expr:
        """Factorials of one argument up to shifts by their ratios to the smallest."""
        replaced = {}
        for name in expression.free_symbols & set(self._shifts):
            core, shift = self._shifts[name]
            least = min(s for c, s in self._shifts.values() if c == core)
            smallest = self._named(("factorial", core, least))
            replaced[name] = smallest * sp.Mul(*(core + j for j in range(least + 1, shift + 1)))
            if (fact := smallest >= 1) not in self._facts:
                self._facts.append(fact)
        return expression.subs(replaced, simultaneous=True) if replaced else expression


def _meaning(key: Any) -> sp.Expr:
    """What a generator stands for."""
    match key:
        case ("opaque" | "power" | "base", node):
            return node
        case ("root", base, degree):
            return base ** sp.Rational(1, degree)
        case ("whole power", base, exponent):
            return base**exponent
        case ("factorial", core, shift):
            return sp.factorial(core + shift)
    return {"log": sp.log, "sin": sp.sin, "cos": sp.cos}[key[0]](key[1])


def _terms(exponent: sp.Expr) -> Iterable[tuple[sp.Rational, sp.Expr]]:
    """An exponent as a sum of rational multiples of monomials."""
    numerator, denominator = sp.fraction(sp.together(exponent))
    parts = [sp.expand(exponent)]
    if denominator.free_symbols and numerator.is_polynomial() and denominator.is_polynomial():
        symbols = sorted(denominator.free_symbols, key=str)
        whole, rest = sp.div(numerator, denominator, *symbols)
        parts = [sp.expand(whole), *(sp.Mul(p, 1 / denominator) for p in sp.Add.make_args(sp.expand(rest)))]
    for part in parts:
        for term in sp.Add.make_args(part):
            if term != 0:
                yield term.as_coeff_Mul()


def _split_shift(argument: sp.Expr) -> tuple[sp.Expr, int]:
    constant, core = sp.expand(argument).as_coeff_Add()
    whole = int(sp.floor(constant))
    return core + (constant - whole), whole


def _denominators(expressions: Sequence[sp.Basic]) -> dict[sp.Symbol, int]:
    """For every symbol that occurs with fractional powers, the least common denominator of these."""
    found: dict[sp.Symbol, int] = {}
    for expression in expressions:
        for node in expression.atoms(sp.Pow):
            if isinstance(node.base, sp.Symbol) and node.exp.is_Rational:
                found[node.base] = int(sp.ilcm(found.get(node.base, 1), int(node.exp.q)))
    return {base: q for base, q in found.items() if q > 1}


def _rescaled(expression: Any, scales: dict[sp.Symbol, int], new: dict[sp.Symbol, sp.Symbol]) -> Any:
    """With new^q in place of every base."""
    if not scales:
        return expression
    powers = {
        node: new[node.base] ** (node.exp * scales[node.base])
        for node in expression.atoms(sp.Pow)
        if node.base in scales and node.exp.is_Rational
    }
    powers |= {base: new[base] ** q for base, q in scales.items()}
    return _replaced(expression, powers)


def _replaced(node: Any, replacement: dict[sp.Basic, sp.Basic]) -> Any:
    if node in replacement:
        return replacement[node]
    return node.func(*(_replaced(a, replacement) for a in node.args)) if node.args else node
