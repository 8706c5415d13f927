"""The checker of certificates, one file with the standard library only: `python checker.py certificate.json`.

A certificate is a JSON object; a number is a string such as "-3/7". A matrix is an object of `values`, its distinct
numbers in one string, and `rows`, a string of their positions for each row. Explained in docs/certificate-format.md.

=============  ======================================================================================
key            meaning
=============  ======================================================================================
format         "lpmech-certificate-4"; or 3, where a matrix is a list of lists of numbers
inputs         distinct names of the K rows (true labels); outputs: of the J columns (released labels)
epsilon        the privacy level, a rational; absent when e^epsilon itself is rational
ratio          [t-, t+] with t- <= e^epsilon <= t+; e^epsilon twice when it is rational
weights        a K x J matrix, row y times the y-th of its `scales`: maximise sum weights[y][j] q[y][j]
fixed          list of [input, output, f, mu]: q[input, output] = f is prescribed; mu is its dual
channel        a K x J matrix, a channel that is private at t-; row_duals: K numbers pi
lower, upper   the optimum lies in [lower, upper]; equal for an exact optimum
stated         optional: what its maker says about it, such as {"utility": "hit"}; repeated, not checked
priors         optional: the set of priors of which the worst one counts (below)
seal           SHA-256 of all the other entries (`seal_of`), against accidental changes
=============  ======================================================================================

What is checked: the channel is stochastic, private at t- and has the fixed entries, and its value is at least `lower`;
the duals satisfy, for every output j, sum_y r_yj + (t+ - 1) sum_y max(r_yj, 0) <= 0 with r_yj = w_yj - mu_yj - pi_y
(so for every smaller t too), and sum pi + sum mu f is at most `upper`. By weak duality the optimum is in between.

With `priors` the optimum is the largest over all channels q of the least value of sum_y p_y g_y, g_y = sum_j u_yj q_yj,
over the priors p with low <= p <= high, sum p = 1 and sum_y max(p_y - centre_y, 0) <= radius. Its entries are `utility`
(u, a K x J matrix), `centre`, `low`, `high` and `prior` (K numbers each), `radius`, and `between` ([a, b], a <= b).
Checked is that `prior` is in the set and w_yj = prior_y u_yj, so that `upper` holds; and that at least `lower` is
sum_y (centre_y g_y - (high - centre)_y max(a - g_y, 0) - (centre - low)_y max(g_y - b, 0)) - radius (b - a), for the
channel, which no prior of the set falls below: mass that moves from y to z saves at most
(b - a) + max(g_y - b, 0) + max(a - g_z, 0). With `prices` mu, K numbers, sum_y mu_y q_yy is added under each prior.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

__all__ = ["FORMAT", "Proof", "RejectedError", "below", "above", "check", "exp_bounds", "parse", "read", "seal_of"]

FORMAT, BEFORE = "lpmech-certificate-4", "lpmech-certificate-3"
#: Limits, all enforced before the work they bound: bytes, strings and brackets of a file, names, characters of a name,
#: entries of `stated`, digits of a numerator or denominator, the sum of the squared lengths of all entries, bits of a
#: common denominator, epsilon from 1 / MAX_EPSILON^10 on, bits of all entries over one denominator.
MAX_BYTES, MAX_STRINGS, MAX_BRACKETS, MAX_NAMES, MAX_TEXT, MAX_STATED = 2**29, 2**22, 2**18, 4000, 1000, 20
MAX_DIGITS, MAX_WORK, MAX_BITS, MAX_EPSILON, MAX_MEMORY = 4000, 2**36, 2**16, 1000, 2**33

Rational = int | Fraction
Fixed = dict[tuple[int, int], tuple[Fraction, Fraction]]

_NUMBER = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?")
#: What needs no quotation marks: a word of letters and digits, a number, a path.
_PLAIN = re.compile(r"[./+-]*[^\W\u115f\u1160]([./+-]|[^\W\u115f\u1160])*")  # but for two letters without ink
_ARRAYS = {"inputs", "outputs", "ratio", "weights", "fixed", "channel", "row_duals"}
_REQUIRED, _OPTIONAL = _ARRAYS | {"format", "lower", "upper", "seal"}, {"epsilon", "stated", "priors"}
_PRIORS = ("centre", "low", "high", "prior", "prices")


class RejectedError(Exception):
    """The certificate does not prove what it states; the message says where."""


class Proof(NamedTuple):
    """What a checked certificate proves: the optimum of the program that it names lies in [lower, upper]."""

    lower: Fraction
    upper: Fraction
    level: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    fixed: int
    stated: dict[str, str]
    seal: str
    worst: str = ""

    def __str__(self) -> str:
        """The proof in a sentence, every bound rounded outwards, and what was only stated."""
        if self.lower == self.upper and len(str(self.lower)) <= 60:
            where = f"is exactly {self.lower}"
        elif self.lower == self.upper:
            where = f"is known exactly and lies in [{below(self.lower)}, {above(self.lower)}]"
        else:
            gap = above(self.upper - self.lower, 3)
            where = f"lies in [{below(self.lower)}, {above(self.upper)}], gap at most {gap}"
        same = self.inputs == self.outputs
        released = "the same labels" if same else f"{len(self.outputs)} outputs {listed(self.outputs)}"
        prescribed = f" with {self.fixed} prescribed entries" if self.fixed else ""
        lines = [
            f"certified: the optimum {where}: the largest {self.worst or 'expected weight'} of a channel{prescribed} "
            f"from the {len(self.inputs)} labels {listed(self.inputs)} to {released} that is private at {self.level}; "
            "the certificate's channel is private at it and attains at least the lower end"
        ]
        lines += [f"stated by its maker, not checked: {shown(k)}: {shown(v)}" for k, v in self.stated.items()]
        return "\n".join([*lines, f"seal: {self.seal}"])


def check(certificate: object) -> Proof:
    """Check a certificate and return what it proves.

    Raises
    ------
    RejectedError
        If anything is malformed or does not hold.
    """
    data = _object(certificate, "the certificate")
    form = data.get("format")
    require(form in (FORMAT, BEFORE), f"format is {shown(form)}; this checker reads {FORMAT} and {BEFORE}")
    _keys(data, "the certificate", _REQUIRED, _OPTIONAL)
    stated = {_text(k, "stated"): _text(v, "stated") for k, v in _object(data.get("stated", {}), "stated").items()}
    require(len(stated) <= MAX_STATED, f"stated: {len(stated)} entries, more than {MAX_STATED}")
    inputs, outputs = (names_of(data[key], key) for key in ("inputs", "outputs"))
    shape = len(inputs), len(outputs)
    most = min(4096, MAX_MEMORY // math.prod(shape))
    (weights, unit), (channel, one) = (_matrix(data[key], key, *shape, most) for key in ("weights", "channel"))
    row_duals, common = numbers_of(list_of(data["row_duals"], "row_duals", shape[0]), "row_duals", 1, most)
    common = math.lcm(unit, denominator := common)
    row_duals = [pi * (common // denominator) for pi in row_duals]
    low, high, level = _level(data)
    fixed = _fixed(data["fixed"], inputs, outputs)
    lower, upper = (Fraction(*_pair(data[key], key)) for key in ("lower", "upper"))
    require(_text(data["seal"], "seal") == seal_of(data), "the seal does not match the entries")

    for name, row in zip(inputs, channel, strict=True):
        require(min(row) >= 0, f"the channel's row {shown(name)} has a negative entry")
        require(sign_of_sum([*row, -one]) == 0, f"the channel's row {shown(name)} does not sum to one")
    for name, column in zip(outputs, zip(*channel, strict=True), strict=True):
        require(max(column) <= low * min(column), f"output {shown(name)} breaks the privacy constraint")
    for (y, j), (value, _) in fixed.items():
        place = shown((inputs[y], outputs[j]))
        require(channel[y][j] == value * one, f"the channel's entry {place} is not the fixed value")
    products: list[Rational] = [-lower * unit * one]
    for weights_row, row in zip(weights, channel, strict=True):
        products += _gathered([w * q for w, q in zip(weights_row, row, strict=True) if w and q])
    require(sign_of_sum(products) >= 0, "the channel does not attain the lower value")
    if "priors" in data:
        worst = _worst_value(_object(data["priors"], "priors"), weights, unit, channel, one, most)
        require(sign_of_sum([*worst, -lower]) >= 0, "some prior of the set gives the channel less than the lower value")
    prices, factor = {place: mu * common for place, (_, mu) in fixed.items()}, common // unit
    for j, column in enumerate(zip(*weights, strict=True)):
        reduced = [w * factor - pi for w, pi in zip(column, row_duals, strict=True)]
        if prices:
            reduced = [r - prices.get((y, j), 0) for y, r in enumerate(reduced)]
        terms = [(high - 1) * r for r in _gathered([r for r in reduced if r > 0])] + _gathered(reduced)
        require(sign_of_sum(terms) <= 0, f"the dual constraint of output {shown(outputs[j])} is violated")
    bound = [*row_duals, *(mu * value * common for value, mu in fixed.values())]
    require(sign_of_sum([*bound, -upper * common]) <= 0, "the duals do not prove the upper value")
    paid = " and price of hits" if "prices" in data.get("priors", {}) else ""
    worst_of = f"expected utility{paid}, under the worst prior of the set that it holds," if "priors" in data else ""
    return Proof(lower, upper, level, inputs, outputs, len(fixed), stated, data["seal"], worst_of)


def _worst_value(
    data: dict[str, Any], weights: list[list[Rational]], unit: int, channel: list[list[Rational]], one: int, most: int
) -> list[Rational]:
    """Terms whose sum the channel is worth under each prior of the set at least; the weights are of a prior in it."""
    _keys(data, "priors", {"utility", "radius", "between", *_PRIORS} - {"prices"}, {"prices"})
    size, data = len(weights), {"prices": ["0"] * len(weights), **data}
    for key in _PRIORS:
        numbers_of(list_of(data[key], key, size), key, size, most)
    centre, low, high, prior, prices = ([Fraction(*_pair(text, key)) for text in data[key]] for key in _PRIORS)
    radius = Fraction(*_pair(data["radius"], "radius"))
    a, b = (Fraction(*_pair(text, "between")) for text in list_of(data["between"], "between", 2))
    require(a <= b and radius >= 0, "priors: the radius is negative, or between does not rise")
    for name, p in (("centre", centre), ("prior", prior)):
        inside = all(0 <= least <= v <= largest for least, v, largest in zip(low, p, high, strict=True))
        require(inside and sign_of_sum([*p, -1]) == 0, f"priors: {name} is no prior between the limits")
    moved = [max(p - c, Fraction(0)) for p, c in zip(prior, centre, strict=True)]
    require(sign_of_sum([*moved, -radius]) <= 0, "priors: the prior is not within the radius of the centre")
    utility, scale = _matrix(data["utility"], "utility", size, len(weights[0]), most)
    terms: list[Rational] = [-radius * (b - a)]
    for y, (mu, c, least, largest, p, u) in enumerate(zip(prices, centre, low, high, prior, utility, strict=True)):
        w, q = [x - mu * unit if mu and j == y else x for j, x in enumerate(weights[y])], channel[y]
        same = all(x * scale == p * v * unit for x, v in zip(w, u, strict=True))
        require(same, "priors: the weights are not the prior times the utility")
        worth = sum(_gathered([x * v for x, v in zip(u, q, strict=True)]), Fraction(0)) / (scale * one)
        terms += [mu * v / one for v in q[y : y + 1] if mu]
        terms += [c * worth, -(largest - c) * max(a - worth, 0), -(c - least) * max(worth - b, 0)]
    return terms


def parse(text: str) -> dict[str, Any]:
    """The object that JSON text stands for, read strictly: no numbers, constants, deep nesting or repeated keys.

    Raises
    ------
    RejectedError
        If the text is anything else.
    """
    require(text.count('"') <= 2 * MAX_STRINGS, f"more than {MAX_STRINGS} strings")
    pieces = text.replace("\\\\", "").replace('\\"', "").split('"')
    require(len(pieces) % 2 == 1, "not JSON: a string does not end")
    brackets = "".join(pieces[::2]).translate(dict.fromkeys(map(ord, " \t\r\n:,")))
    require(len(brackets) <= MAX_BRACKETS, f"more than {MAX_BRACKETS} brackets, or anything else outside of strings")
    require(set(brackets) <= set("[]{}"), "only strings, lists and objects are allowed; a number is a string, '3/7'")
    for _ in range(3):
        brackets = brackets.replace("[]", "").replace("{}", "")
    require(not brackets, "the brackets are unbalanced or nested too deeply")
    try:
        return _object(json.loads(text, object_pairs_hook=_distinct), "the certificate")
    except ValueError as exc:
        raise RejectedError(f"not JSON: {exc}") from exc


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a certificate from a file, without checking it.

    Raises
    ------
    OSError
        If there is no regular file that can be read.
    RejectedError
        If it is larger than `MAX_BYTES`, not UTF-8, or refused by `parse`.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")
    with open(path, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    require(len(content) <= MAX_BYTES, f"the file has more than {MAX_BYTES} bytes")
    try:
        return parse(content.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise RejectedError(f"not UTF-8: {exc}") from exc


def seal_of(data: dict[str, Any]) -> str:
    """SHA-256 of all entries but the seal, as JSON in ASCII with sorted keys and without spaces."""
    rest = {key: value for key, value in data.items() if key != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def below(value: Fraction, digits: int = 15) -> str:
    """The largest decimal of so many significant digits that is not above the value."""
    return _decimal(value, digits, ROUND_FLOOR)


def above(value: Fraction, digits: int = 15) -> str:
    """The smallest decimal of so many significant digits that is not below the value."""
    return _decimal(value, digits, ROUND_CEILING)


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^x for x up to `MAX_EPSILON`, about 1e-25 apart relatively for moderate x.

    Taylor's series of e^(x / 2^k) with x / 2^k <= 1 and its geometric remainder, raised to the power 2^k;
    rounded outwards to 192 significant bits before, and to 128 after every squaring.
    """
    require(1 <= x * MAX_EPSILON**10 <= MAX_EPSILON**11, f"epsilon is not from 1/{MAX_EPSILON}^10 to {MAX_EPSILON}")
    halvings = (x.numerator // x.denominator).bit_length()
    low, high = (_round(_taylor(_round(x / 2**halvings, up, 192), up), up) for up in (0, 1))
    for _ in range(halvings):
        low, high = _round(low * low, 0), _round(high * high, 1)
    return low, high


def _taylor(x: Fraction, above: int, terms: int = 36) -> Fraction:
    """Below e^x for 0 < x <= 1, or above it: the remainder is less than twice its first term."""
    term = total = Fraction(1)
    for n in range(1, terms + 1):
        term = term * x / n
        total += term
    return total + above * 2 * term * x / (terms + 1)


def _round(value: Fraction, up: int, bits: int = 128) -> Fraction:
    shift = bits - (value.numerator.bit_length() - value.denominator.bit_length())
    return Fraction(_scaled(value, shift) + up) * Fraction(2) ** -shift


def _scaled(value: Rational, shift: int) -> int:
    """The floor of value 2^shift."""
    return (value.numerator << max(shift, 0)) // (value.denominator << max(-shift, 0))


def _gathered(values: Sequence[Rational]) -> list[Rational]:
    """The same sum in fewer terms: whole numbers are added up."""
    quotients = [] if {*map(type, values)} <= {int} else [v for v in values if type(v) is not int]
    return [v for v in (sum([v for v in values if type(v) is int] if quotients else values), *quotients) if v]


def sign_of_sum(terms: Sequence[Rational]) -> int:
    """The sign of an exact sum: rounded to 256 bits where that decides, else over the common denominator."""
    values = _gathered(terms)
    shift = 256 - max((v.numerator.bit_length() - v.denominator.bit_length() for v in values), default=0)
    floor = sum(_scaled(v, shift) for v in values)
    if floor > 0 or floor + len(values) < 0:
        return 1 if floor > 0 else -1
    common = 1
    for denominator in {v.denominator for v in values}:
        common = math.lcm(common, denominator)
        require(common.bit_length() <= MAX_BITS, f"a common denominator has more than {MAX_BITS} bits")
    total = sum(v.numerator * (common // v.denominator) for v in values)
    return (total > 0) - (total < 0)


def _decimal(value: Fraction, digits: int, rounding: str) -> str:
    context = Context(prec=digits, rounding=rounding, Emin=-999999, Emax=999999)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context):g}"


def _level(data: dict[str, Any]) -> tuple[Fraction, Fraction, str]:
    low, high = (Fraction(*_pair(text, "ratio")) for text in list_of(data["ratio"], "ratio", 2))
    require(1 < low <= high, "the ratio is not above one")
    if "epsilon" not in data:
        require(low == high, "without epsilon the ratio must be one number")
        return low, high, f"e^epsilon = {value_text(low)}"
    epsilon = Fraction(*_pair(data["epsilon"], "epsilon"))
    least, most = exp_bounds(epsilon)
    require(low <= least and most <= high, "the ratio does not enclose e^epsilon")
    return low, high, f"epsilon = {_double(epsilon)}"


def _fixed(data: object, inputs: Sequence[str], outputs: Sequence[str]) -> Fixed:
    rows, columns = ({name: i for i, name in enumerate(names)} for names in (inputs, outputs))
    found: Fixed = {}
    entries = [list_of(entry, "fixed", 4) for entry in list_of(data, "fixed")]
    numbers_of([text for entry in entries for text in entry[2:]], "fixed", 1, 0)
    for source, target, value, dual in entries:
        source, target = _text(source, "fixed"), _text(target, "fixed")
        require(source in rows and target in columns, f"fixed entry {shown((source, target))} is out of range")
        place = rows[source], columns[target]
        require(place not in found, f"fixed entry {shown((source, target))} is repeated")
        found[place] = Fraction(*_pair(value, "fixed")), Fraction(*_pair(dual, "fixed"))
    return found


def _matrix(data: object, key: str, height: int, width: int, most: int) -> tuple[list[list[Rational]], int]:
    """The rows of a matrix as multiples of 1 / unit, and the unit."""
    scales: list[Any] = ["1"] * height
    if isinstance(data, list):  # as in version 3; every number stands for itself
        rows: list[Any] = [[_text(text, key, 2 * MAX_DIGITS + 2) for text in list_of(row, key)] for row in data]
        texts = {text: text for row in rows for text in row}
    else:
        parts = _object(data, key)
        _keys(parts, key, {"values", "rows"}, {"scales"})
        rows = [_text(row, key, MAX_BYTES) for row in list_of(parts["rows"], key)]
        scales = list_of(parts.get("scales", scales), key, height)
        values = _text(parts["values"], key, MAX_BYTES)
        require(values.count(" ") < height * width, f"{key}: more values than entries")
        texts = {str(i): text for i, text in enumerate(values.split(" "))}
    require(len(rows) == height, f"{key}: {len(rows)} entries in place of {height}")
    uses: Counter[str] = Counter()
    for row in rows:
        found = row.count(" ") + 1 if isinstance(row, str) else len(row)
        require(found == width, f"{key}: {found} entries in place of {width}")
        uses.update(_tokens(row))
    require(uses.keys() == texts.keys(), f"{key}: an entry is not the position of a value, or a value is not used")
    numbers, unit = numbers_of([*texts.values()], key, [uses[token] for token in texts], most)
    factors, common = numbers_of(scales, key, width, most)
    value = dict(zip(texts, numbers, strict=True))
    entries = ([value[token] for token in _tokens(row)] for row in rows)
    return [row if f == 1 else [f * v for v in row] for f, row in zip(factors, entries, strict=True)], unit * common


def _tokens(row: str | list[str]) -> list[str]:
    return row.split(" ") if isinstance(row, str) else row


def numbers_of(texts: list[Any], key: str, uses: list[int] | int, most: int) -> tuple[list[Rational], int]:
    """Numbers, each used so often, as multiples of 1 / unit, and the unit: whole, unless that has too many bits."""
    uses = uses if isinstance(uses, list) else [uses] * len(texts)
    work = sum(often * len(text) ** 2 for often, text in zip(uses, texts, strict=True) if isinstance(text, str))
    require(work <= MAX_WORK, f"{key}: the squared lengths of the numbers add up to {work}, more than {MAX_WORK}")
    pairs, unit = [_pair(text, key) for text in texts], 1
    for denominator in {under for _, under in pairs}:
        unit = math.lcm(unit, denominator)
        if unit.bit_length() > most:  # then quotients are quicker
            return [Fraction(*pair) for pair in pairs], 1
    return [over * (unit // under) for over, under in pairs], unit


def _pair(data: object, key: str) -> tuple[int, int]:
    if not isinstance(data, str) or not _NUMBER.fullmatch(data):
        raise RejectedError(f"{key}: {shown(data)} is not a number such as '-3/7', at most {MAX_DIGITS} digits each")
    over, _, under = data.partition("/")
    denominator = int(under or "1")
    require(denominator > 0, f"{key}: a denominator is zero")
    return int(over), denominator


def names_of(data: object, key: str) -> tuple[str, ...]:
    names = tuple(_text(name, key) for name in list_of(data, key))
    require(0 < len(names) <= MAX_NAMES, f"{key}: {len(names)} names, not 1 to {MAX_NAMES}")
    require(len(set(names)) == len(names), f"{key}: names are repeated")
    return names


def _text(data: object, key: str, longest: int = MAX_TEXT) -> str:
    if not isinstance(data, str) or len(data) > longest:
        raise RejectedError(f"{key}: {shown(data)} is not a string of at most {longest} characters")
    return data


def list_of(data: object, key: str, size: int | None = None) -> list[Any]:
    if not isinstance(data, list):
        raise RejectedError(f"{key}: {shown(data)} is not a list")
    require(size in (None, len(data)), f"{key}: {len(data)} entries in place of {size}")
    return data


def _object(data: object, key: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise RejectedError(f"{key} is not a JSON object")
    return data


def _keys(data: dict[str, Any], key: str, required: set[str], optional: set[str]) -> None:
    lacking, unknown = sorted(required - data.keys()), sorted(data.keys() - required - optional)
    require(not lacking, f"{key} lacks {', '.join(lacking)}")
    require(not unknown, f"{key}: unknown entries {listed(unknown)}")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    require(len(found) == len(pairs), "an entry occurs twice in one object")
    return found


def value_text(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"a rational between {below(value)} and {above(value)}"


def _double(value: Fraction) -> str:
    """A number, and its shortest decimals where it is the double that they stand for."""
    known = value.denominator >= 1000 and Fraction(float(value)) == value
    return f"{float(value)!r} (the double {value_text(value)})" if known else value_text(value)


def listed(names: Sequence[object]) -> str:
    few = [shown(name) for name in (names if len(names) <= 12 else [*names[:3], names[-1]])]
    return "(" + ", ".join([*few[:3], "...", few[3]] if len(few) < len(names) else few) + ")"


def shown(data: object) -> str:
    """A value for a message, so that none looks like another, or like a part of the message: a text is whole, unless it
    is too long for a name, and quoted in ASCII, unless it is one word.
    """
    if isinstance(data, tuple):
        return "(" + ", ".join(shown(item) for item in data) + ")"
    if not isinstance(data, str):
        return f"of type {type(data).__name__}"
    if len(data) > MAX_TEXT:
        return f"{data[:77]!a}..."
    return data if _PLAIN.fullmatch(data) and unicodedata.is_normalized("NFKC", data) else ascii(data)


def require(condition: bool, message: str) -> None:
    if not condition:
        raise RejectedError(message)


def main(arguments: Sequence[str], checked: Callable[[Any], object] = check, usage: str = "checker.py FILE") -> int:
    """Check the certificate in the file named on the command line; 0 if it proves what it states, else 2."""
    if len(arguments) != 1:
        print(f"usage: python {usage}", file=sys.stderr)
        return 2
    try:
        sys.stdout.buffer.write(f"{checked(read(arguments[0]))}\n".encode(errors="backslashreplace"))
        sys.stdout.flush()
    except (OSError, RejectedError) as exc:
        print(f"not certified: {shown(arguments[0])}: {exc}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
