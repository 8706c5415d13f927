"""The checker of best informations: `python sublinear_checker.py FILE.json`, with checker.py beside it, nothing else.

A certificate is a JSON object, read as `checker` reads its own; docs/certificate-format.md has it, too.

=============  ======================================================================================
key            meaning
=============  ======================================================================================
format         "lpmech-sublinear-1"
measure        "kullback-leibler", "chi-squared" or "total-variation"
laws           one distribution on the K labels, their prior: information; or two, P and Q: divergence
ratio          e^epsilon, above 1
inputs         distinct names of the K rows (true labels); outputs: of the columns
channel        a row-stochastic matrix, a list of rows of numbers such as "3/7"
duals          K numbers
groups, parts  optional, where patterns are too many to be looked at: lists of indices of labels, each label in one;
               and numbers from 1 to the ratio and pairs [group, number]
chords         optional, the same for two laws: increasing numbers between 1 / ratio and ratio
lower, upper   the optimum lies in [lower, upper]
seal           SHA-256 of all the other entries (`checker.seal_of`), against accidental changes
=============  ======================================================================================

An output's column v is worth, with f(x) = x log x, (x - 1)^2 or |x - 1| / 2, b f(a / b) for the divergence, a = P v and
b = Q v; and the mean of b f(v_y / b) over the labels for information, b the mean of v. What is checked: the channel is
private at the ratio, and its columns are worth at least `lower`; for each of the 2^K patterns v with entries 1 and the
ratio t, the sum of duals times entries is at least what v is worth; the duals add up to at most `upper`.

Up to 16 labels every pattern is looked at. Of more, the information of a pattern is h(m), m its mean, h concave:
t log t (m - 1) / (t - 1) - m log m, t + 1 - m - t / m, (m - 1) (t - m) / (t - 1). So it is at most
h(a) + h'(a) (m - a) for any a, which is linear in the labels: no pattern is worth more than its duals if h(a) - a h'(a)
plus the largest sum of v c over c = h'(a) p - pi of each label is at most 0. `parts` says by which a: of all patterns,
or, after [g, k], of those with at most k entries t in group g, and then of the others, and so on for each of these.
With l to u entries t in a group the sum is largest with t for the l largest c, and the next up to u that are positive.

For two laws a / b is from 1 / t to t, and f convex: from one number to the next among 1 / t, `chords` and t it is below
its chord, so b f(a / b) is at most a times the slope and b times the height at 0. That is linear in the labels: no
pattern is worth more than its duals if the largest sum of v c over c = slope P + height Q - pi is at most 0.

Why that bounds every private channel: its columns are sums of multiples of patterns, what a sum is worth is at most
the sum of what its parts are worth, and each label's entries add up to one. Logarithms are enclosed: those of whole
numbers are `decimal`'s, correctly rounded to 60 digits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from typing import Any, NamedTuple

if __package__:
    from lpmech.certify import checker
else:  # a file alone, for which `python -I` looks nowhere: checker.py beside it
    _found = spec_from_file_location("checker", os.path.join(os.path.dirname(os.path.abspath(__file__)), "checker.py"))
    checker = module_from_spec(_found)  # type: ignore[arg-type]
    try:
        _found.loader.exec_module(checker)  # type: ignore[union-attr]
    except FileNotFoundError:
        print(f"not certified: {os.path.basename(__file__)} needs checker.py beside it", file=sys.stderr)
        sys.exit(2)

__all__ = ["FORMAT", "MAX_LABELS", "SublinearProof", "check_sublinear"]

FORMAT = "lpmech-sublinear-1"
#: Limits: labels of which all patterns are looked at, labels and outputs, bits of a common denominator; numbers count
#: as used so often.
MAX_LABELS, MAX_OUTPUTS, MAX_PARTS, MAX_BITS, _USES = 16, 256, 2048, 4096, 2**14
#: Digits of logarithms of whole numbers.
_DIGITS = 60

require, list_of, names_of = checker.require, checker.list_of, checker.names_of

_KEYS = {"format", "measure", "laws", "ratio", "inputs", "outputs", "channel", "duals", "lower", "upper", "seal"}
_MEASURES = {
    "kullback-leibler": ("mutual information, in nats,", "Kullback-Leibler divergence, in nats,"),
    "chi-squared": ("chi-squared information", "chi-squared divergence"),
    "total-variation": ("total variation of joint and independent labels", "total variation"),
}

#: Both ends of a number.
Ends = tuple[Fraction, Fraction]


class SublinearProof(NamedTuple):
    """What a checked certificate proves: the largest information of a private channel lies in [lower, upper]."""

    lower: Fraction
    upper: Fraction
    worth: str
    ratio: Fraction
    inputs: tuple[str, ...]
    seal: str

    def __str__(self) -> str:
        """The proof in a sentence, every bound rounded outwards."""
        where = f"lies in [{checker.below(self.lower)}, {checker.above(self.upper)}]"
        if self.lower == self.upper:
            where = f"is exactly {checker.value_text(self.lower)}"
        return (
            f"certified: the optimum {where}: the largest {self.worth} of a channel from the {len(self.inputs)} labels "
            f"{checker.listed(self.inputs)} to any outputs that is private at e^epsilon = "
            f"{checker.value_text(self.ratio)}; the certificate's channel is one, and attains at least the lower end\n"
            f"seal: {self.seal}"
        )


def check_sublinear(data: dict[str, Any]) -> SublinearProof:
    """Check the largest information of a private channel and return what it proves.

    Raises
    ------
    RejectedError
        If anything is malformed or does not hold.
    """
    more = data.keys() & {"groups", "parts", "chords"}
    known = data.keys() - more == _KEYS and more in (set(), {"groups", "parts"}, {"chords"})
    require(data.get("format") == FORMAT and known, f"not a {FORMAT} with the keys {sorted(_KEYS)}")
    require(data["seal"] == checker.seal_of(data), "the seal does not match the entries")
    measure = data["measure"]
    require(isinstance(measure, str) and measure in _MEASURES, f"measure: none of {', '.join(_MEASURES)}")
    inputs, outputs = (names_of(data[key], key) for key in ("inputs", "outputs"))
    size, width = len(inputs), len(outputs)
    require(max(size, width) <= MAX_OUTPUTS, f"more than {MAX_OUTPUTS} labels or outputs")
    laws = [_numbers(row, "laws", size) for row in list_of(data["laws"], "laws")]
    require(len(laws) in (1, 2) and all(min(law) >= 0 and sum(law) == 1 for law in laws), "laws: not 1 or 2 of them")
    lower, upper, ratio = _numbers([data["lower"], data["upper"], data["ratio"]], "lower, upper and ratio", 3)
    require(ratio > 1, "the ratio is not above 1")
    rows = [_numbers(row, "channel", width) for row in list_of(data["channel"], "channel", size)]
    require(all(min(row) >= 0 and sum(row) == 1 for row in rows), "a row of the channel is no distribution")
    columns = list(zip(*rows, strict=True))
    require(all(max(column) <= ratio * min(column) for column in columns), "the channel is not private at the ratio")
    worth = sum(_of_column(measure, laws, column)[0] for column in columns if any(column))
    require(worth >= lower, "the channel does not attain the lower value")
    duals = _numbers(data["duals"], "duals", size)
    require(sum(duals) <= upper, "the duals do not prove the upper value")
    if "chords" in more:
        require(len(laws) == 2, "chords: for one law")
        _cover_chords(measure, laws, duals, ratio, data["chords"])
    elif more:
        require(len(laws) == 1, "parts: for two laws")
        _cover_parts(measure, laws[0], duals, ratio, data["groups"], data["parts"])
    else:
        require(size <= MAX_LABELS, f"more than {MAX_LABELS} labels, and neither parts nor chords")
        _cover(measure, laws, duals, ratio)
    return SublinearProof(lower, upper, _MEASURES[measure][len(laws) - 1], ratio, inputs, data["seal"])


def _cover(measure: str, laws: list[list[Fraction]], duals: list[Fraction], ratio: Fraction) -> None:
    """No pattern is worth more than its duals."""
    sums = [[sum(row, Fraction(0))] for row in (duals, *laws)]
    for y in range(len(duals)):
        steps = [(ratio - 1) * row[y] for row in (duals, *laws)]
        sums = [known + [value + step for value in known] for known, step in zip(sums, steps, strict=True)]
    worth = cache(lambda *means: _of_pattern(measure, ratio, means)[1])
    own, *means = sums
    covered = all(cost >= worth(*values) for cost, *values in zip(own, *means, strict=True))
    require(covered, "a pattern is worth more than its duals")


def _cover_parts(
    measure: str, law: list[Fraction], duals: list[Fraction], ratio: Fraction, groups: object, parts: object
) -> None:
    """No pattern is worth more than its duals by the tangent of the part that it is in."""
    members = [_indices(group, "groups") for group in list_of(groups, "groups")]
    labels = [y for group in members for y in group]
    require(sorted(labels) == list(range(len(law))) and all(members), "groups: not each label in one of them")
    told = list_of(parts, "parts")
    require(len(told) <= MAX_PARTS, f"more than {MAX_PARTS} parts")
    left = [[(0, len(group)) for group in members]]
    for part in told:
        require(bool(left), "parts: more than there are")
        ends = left.pop()
        if not isinstance(part, list):
            _below_tangent(measure, law, duals, ratio, _numbers([part], "parts", 1)[0], members, ends)
            continue
        require(len(part) == 2, "parts: neither a number nor a pair")
        group, number = _indices(part, "parts")
        require(group < len(members) and ends[group][0] <= number < ends[group][1], "parts: nothing to split")
        for half in ((number + 1, ends[group][1]), (ends[group][0], number)):
            left.append([*ends[:group], half, *ends[group + 1 :]])
    require(not left, "parts: some patterns are in none")


def _below_tangent(
    measure: str,
    law: list[Fraction],
    duals: list[Fraction],
    ratio: Fraction,
    at: Fraction,
    groups: list[list[int]],
    ends: list[tuple[int, int]],
) -> None:
    """No pattern of a part is worth more than its duals; its slope is rounded up, which raises every term."""
    require(1 <= at <= ratio, "parts: a tangent that is not at 1 to the ratio")
    slope, bound = ratio / at**2 - 1, ratio + 1 - 2 * ratio / at
    if measure == "kullback-leibler":
        (low, high), steep = _log(ratio), ratio / (ratio - 1)
        slope, bound = steep * high - _log(at)[0] - 1, at - steep * low
    elif measure == "total-variation":
        slope, bound = (ratio + 1 - 2 * at) / (ratio - 1), (at**2 - ratio) / (ratio - 1)
    bound += slope - sum(duals)  # of the pattern of 1 only, as the law adds up to one
    for group, (least, most) in zip(groups, ends, strict=True):
        free = sorted((slope * law[y] - duals[y] for y in group), reverse=True)
        bound += (ratio - 1) * sum(c for i, c in enumerate(free[:most]) if i < least or c > 0)
    require(bound <= 0, "a pattern may be worth more than its duals")


def _cover_chords(
    measure: str, laws: list[list[Fraction]], duals: list[Fraction], ratio: Fraction, chords: object
) -> None:
    """No pattern is worth more than its duals by the chord of f where its P v / Q v is; heights are rounded up."""
    told = list_of(chords, "chords")
    require(len(told) <= MAX_PARTS, f"more than {MAX_PARTS} chords")
    points = [1 / ratio, *_numbers(told, "chords", len(told)), ratio]
    require(all(x < y for x, y in pairwise(points)), "chords: not increasing from 1 / ratio to the ratio")
    heights = [_f(measure, x, Fraction(1))[1] for x in points]
    for (x, first), (y, last) in pairwise(zip(points, heights, strict=True)):
        slope = (last - first) / (y - x)
        start = first - slope * x
        free = [slope * a + start * b - pi for a, b, pi in zip(*laws, duals, strict=True)]
        require(sum(max(c, ratio * c) for c in free) <= 0, "a pattern may be worth more than its duals")


def _of_pattern(measure: str, ratio: Fraction, means: tuple[Fraction, ...]) -> Ends:
    """What a pattern is worth, from P v and Q v; or from its mean, as it says how often the labels have each entry."""
    if len(means) == 2:
        return _f(measure, *means)
    (mean,) = means
    often = (mean - 1) / (ratio - 1)
    (a, b), (c, d) = _f(measure, ratio, mean), _f(measure, Fraction(1), mean)
    return often * a + (1 - often) * c, often * b + (1 - often) * d


def _of_column(measure: str, laws: list[list[Fraction]], column: Sequence[Fraction]) -> Ends:
    means = [sum(p * v for p, v in zip(law, column, strict=True)) for law in laws]
    if len(means) == 2:
        return _f(measure, Fraction(means[0]), Fraction(means[1]))
    parts = [(p, _f(measure, v, Fraction(means[0]))) for p, v in zip(laws[0], column, strict=True)]
    low, high = (sum((p * ends[side] for p, ends in parts), Fraction(0)) for side in (0, 1))
    return low, high


def _f(measure: str, a: Fraction, b: Fraction) -> Ends:
    """b f(a / b) for positive a and b."""
    if measure == "kullback-leibler":
        low, high = _log(a / b)
        return a * low, a * high
    value = (a - b) ** 2 / b if measure == "chi-squared" else abs(a - b) / 2
    return value, value


def _log(x: Fraction) -> Ends:
    """Numbers below and above the logarithm of a positive one; of 1 both are 0."""
    over, under = _log_of_whole(x.numerator), _log_of_whole(x.denominator)
    error = (over + under) / 10 ** (_DIGITS - 1)
    return over - under - error, over - under + error


@cache
def _log_of_whole(number: int) -> Fraction:
    return Fraction(Context(prec=_DIGITS, Emin=-999999, Emax=999999).ln(Decimal(number)))


def _indices(data: object, key: str) -> list[int]:
    texts = list_of(data, key)
    digits = all(isinstance(text, str) and len(text) <= 3 and text.isascii() and text.isdigit() for text in texts)
    require(digits, f"{key}: an index that is none")
    return [int(text) for text in texts]


def _numbers(data: object, key: str, size: int) -> list[Fraction]:
    values, unit = checker.numbers_of(list_of(data, key, size), key, _USES // max(size, 1), MAX_BITS)
    return [Fraction(value) / unit for value in values]


def main(arguments: Sequence[str]) -> int:
    """Check the certificate in the file named on the command line; 0 if it proves what it states, else 2."""
    return checker.main(arguments, check_sublinear, "sublinear_checker.py FILE.json")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
