r"""Terms as mathematics: LaTeX in the notation of `lpmech.mathematics`, from which MathML and Unicode are made."""

from __future__ import annotations

import re
from fractions import Fraction

from lpmech.errors import FormulaError
from lpmech.mathematics.symbols import SIGNS, Role, is_two_indices
from lpmech.terms.term import ONE, TRUE, Apply, Choice, Name, Node, Number, Repeated, Term

__all__ = ["latex_of"]

#: How strongly operations bind; a sum over an index as a product does at the end of a sum, and weaker elsewhere.
_JOINED, _NOT, _RELATION, _SUM, _NEXT_IN_SUM, _BIG, _PRODUCT, _FRACTION, _POWER, _ATOM = range(10)
_JOINS = {"and": r" \text{ and } ", "or": r" \text{ or } ", "implies": r" \Rightarrow ", "iff": r" \Leftrightarrow "}
_RELATIONS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
#: How functions are set: the logarithm is the natural one, whatever a formula that is typed calls it.
_FUNCTIONS = {name: rf"\{name}" for name in ("exp", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan")} | {
    "log": r"\ln", "Min": r"\min", "Max": r"\max",
}  # fmt: skip
#: Those whose power stands at the name.
_RAISED = _FUNCTIONS.keys() - {"exp", "Min", "Max"}
_ROUND = {"floor": (r"\lfloor ", r" \rfloor"), "ceiling": (r"\lceil ", r" \rceil"), "Abs": ("|", "|")}
_BIGS = {"Sum": r"\sum", "Product": r"\prod"}


def latex_of(node: Term) -> str:
    """A term as LaTeX, without dollars, as it was written, or by the name that `shown_as` gave it."""
    return _set(node)[0]


def _set(node: Term) -> tuple[str, int]:
    """The text, and how strongly its outermost operation binds."""
    match node:
        case Term(shown=name) if name:
            return name, _POWER
        case Number(value):
            return _number(value)
        case Name(name):
            return _named(name), _ATOM
        case Choice(cases):
            return f"\\{{{'; '.join(_case(*case) for case in cases)}\\}}", _ATOM
        case Repeated("Each", body, index, first, last):
            return f"{latex_of(body)} \\text{{ for each }} {_range(index, first, last)}", _JOINED
        case Repeated(operation, body, index, first, last):
            ends = f"{{{_named(index)}={latex_of(first)}}}^{{{latex_of(last)}}}"
            return f"{_BIGS[operation]}_{ends} {_within(body, _BIG)}", _BIG
        case Apply("true" | "false" as word, ()):
            return f"\\text{{{word}}}", _ATOM
        case Apply("pi", ()):
            return r"\pi", _ATOM
        case Apply("not", (part,)):
            return f"\\neg ({latex_of(part)})", _NOT
        case Apply("whole", (part,)):
            return f"{_within(part, _SUM)} \\in \\mathbb{{Z}}", _RELATION
        case Apply(operation, parts) if operation in _JOINS and parts:
            return _JOINS[operation].join(_within(part, _NOT) for part in parts), _JOINED
        case Apply(operation, (left, right)) if operation in _RELATIONS:
            return f"{_within(left, _SUM)} {_RELATIONS[operation]} {_within(right, _SUM)}", _RELATION
        case Apply(operation, arguments):
            return _operation(operation, arguments)
    raise FormulaError("term", type(node).__name__, "a term")


def _operation(operation: str, arguments: tuple[Node, ...]) -> tuple[str, int]:
    match operation, arguments:
        case "-", (Number(value), part) if value == 0:
            return f"- {_within(part, _BIG)}", _SUM
        case (("+" | "-"), (left, right)):
            return f"{_within(left, _SUM)} {operation} {_within(right, _NEXT_IN_SUM)}", _SUM
        case "*", (left, right):
            return _product(_within(left, _PRODUCT), _within(right, _PRODUCT)), _PRODUCT
        case "/", (above, below):
            return f"\\frac{{{latex_of(above)}}}{{{latex_of(below)}}}", _FRACTION
        case "**", (Apply(name, (argument,)), exponent) if name in _RAISED and _is_count(exponent):
            return f"{_FUNCTIONS[name]}^{{{latex_of(exponent)}}}({latex_of(argument)})", _POWER
        case "**", (base, exponent):
            return f"{_within(base, _ATOM)}^{{{latex_of(exponent)}}}", _POWER
        case "exp", (exponent,):
            return ("e", _ATOM) if exponent == ONE else (f"e^{{{latex_of(exponent)}}}", _POWER)
        case "sqrt", (argument,):
            return f"\\sqrt{{{latex_of(argument)}}}", _ATOM
        case "factorial", (argument,):
            return f"{_within(argument, _ATOM)}!", _POWER
        case "binomial", (above, below):
            return f"\\mathrm{{C}}({latex_of(above)}, {latex_of(below)})", _ATOM
        case "Mod", (above, below):
            return f"({_within(above, _SUM)} \\text{{ mod }} {_within(below, _SUM)})", _ATOM
        case "[]", (vector, *places):
            return f"{_named(str(vector))}_{{{', '.join(map(latex_of, places))}}}", _ATOM
    inner = ", ".join(map(latex_of, arguments))
    if operation in _ROUND:
        before, after = _ROUND[operation]
        return f"{before}{inner}{after}", _ATOM
    name = _FUNCTIONS.get(operation) or f"\\mathrm{{{operation}}}"
    return f"{name}({inner})", _ATOM


def _is_count(exponent: Node) -> bool:
    return isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value > 1


def _case(value: Node, condition: Node) -> str:
    told = r"\text{ else}" if condition == TRUE else f"\\text{{ if }} {latex_of(condition)}"
    return f"{latex_of(value)} {told}"


def _range(index: str, first: Node, last: Node) -> str:
    return f"{_named(index)} = {latex_of(first)}, \\dots, {latex_of(last)}"


def _within(node: Node, binds: int) -> str:
    text, own = _set(node)
    return text if own >= binds else f"({text})"


def _product(left: str, right: str) -> str:
    """Side by side, with a point where two numbers would be read as one."""
    alike = re.match(r"\d", right) or (left[-1].isdigit() and re.match(r"\\frac\{\d", right))
    return f"{left} \\cdot {right}" if alike else f"{left} {right}"


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        return str(value), _ATOM if value >= 0 else _SUM
    text = f"\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return (text, _FRACTION) if value > 0 else (f"- {text}", _SUM)


def _named(name: str) -> str:
    """A name of Python's as a letter with scripts: ``p_min``, ``S1``, ``beta``, ``p[2]``."""
    name, _, entry = name.partition("[")
    primes = name[len(name.rstrip("'")) :]
    letter, *scripts = name.rstrip("'").split("_")
    digits = re.fullmatch(r"([A-Za-z]+)(\d+)", letter)
    if digits:
        letter, scripts = digits[1], [digits[2], *scripts]
    below = ", ".join([*map(_script, scripts), *([entry.rstrip("]")] if entry else [])])
    return _word(letter) + primes + (f"_{{{below}}}" if below else "")


def _script(text: str) -> str:
    return text if is_two_indices(text) else _word(text)


def _word(text: str) -> str:
    sign = SIGNS.get(f"\\{text}")
    if sign is not None and sign.kind is Role.LETTER:
        return sign.latex
    return text if len(text) == 1 or text.isdigit() else f"\\mathrm{{{text}}}"
