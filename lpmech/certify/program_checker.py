"""The checker of linear programs over channels: `python program_checker.py FILE.json`, with checker.py beside it.

A certificate is a JSON object, read as `checker` reads its own; docs/certificate-format.md has it, too.

=============  ======================================================================================
key            meaning
=============  ======================================================================================
format         "lpmech-program-1"
kind           which program it is: a name in `KINDS`
data           an object: what determines the program, for each kind as the docstring of its function says
inputs         distinct names of the K rows (true labels); outputs: of the J columns (released labels)
channel        a row-stochastic K x J matrix, a list of rows of numbers such as "3/7"
slacks         the values of the slack variables, a list
duals          a number for each row of the program, a list: the K row sums, then the rows of the kind
lower, upper   the optimum lies in [lower, upper]; equal for an exact optimum
seal           SHA-256 of all the other entries (`checker.seal_of`), against accidental changes
=============  ======================================================================================

No constraint is read from the file: the function of the kind builds them from the data. Unknowns are the entries of
the channel, row after row, then the slacks; maximised is the sum of `gains` times unknowns. What is checked: unknowns
are not negative and satisfy every row, sum a x <= b or = b, and are worth at least `lower`; duals of "<=" are not
negative, for every unknown the sum of duals times a is at least its gain, and the sum of duals times b is at most
`upper`. By weak duality the optimum is in between.

Where the data have `priors`, an object with `centre`, `low` and `high` (K numbers each) and `radius`, the optimum is
the largest over all channels of the kind of the least value of sum_y p_y g_y, g_y the worth of row y by the weights,
over the priors p with low <= p <= high, sum p = 1 and sum_y max(p_y - centre_y, 0) <= radius: the largest value of the
dual, sum_y (centre_y g_y - (high - centre)_y alpha_y - (centre - low)_y beta_y) - radius rho. With u the largest
|weight|, or 1 if that is 0, slacks after those of the kind are sigma above zero, sigma below zero, rho, each alpha and
each beta, in units of u; rows after those of the kind: for each y, sigma - alpha_y <= g_y; then for each y,
g_y <= sigma + rho + beta_y.

Where the data have `floor`, a number h from 0 to 1, and K = J, rows after those of the kind, before those of priors,
are for each y, -q[y][y] <= -h.

A kind is a function in `KINDS` from the certificate's data and the sizes K and J to `Rows`. It reads the data with
`entries` and `numbers_of`, refuses what has no meaning by `require`, yields rows in the order that the module in
`lpmech.programs` tells, lazily, and says in `told` what a channel of the program is, and in `worth` what is largest.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
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

__all__ = ["FORMAT", "KINDS", "ProgramProof", "Row", "Rows", "check_program"]

FORMAT = "lpmech-program-1"
#: Limits: entries and slacks, rows, coefficients of all rows; bits of a common denominator beyond which numbers stay
#: quotients. Numbers in the data count as used so often (`checker.MAX_WORK`).
MAX_UNKNOWNS, MAX_ROWS, MAX_TERMS, MAX_BITS, _USES = 2**17, 2**17, 2**19, 4096, 2**8
#: Limits of a metric: labels, the largest step, bits of a power.
MAX_METRIC, MAX_STEPS, MAX_POWER = 256, 1000, 2**15

list_of, listed, names_of, value_text = checker.list_of, checker.listed, checker.names_of, checker.value_text
require, sign_of_sum = checker.require, checker.sign_of_sum

_KEYS = {"format", "kind", "data", "inputs", "outputs", "channel", "slacks", "duals", "lower", "upper", "seal"}

Rational = int | Fraction


class Row(NamedTuple):
    """Pairs of an unknown, by its position, and its coefficient; the right side; whether it is an equation."""

    name: str
    terms: Sequence[tuple[int, Rational]]
    right: Rational
    equation: bool = False


class Rows(NamedTuple):
    """A program: what each unknown is worth, slacks last; all rows but the row sums; words for channels and value."""

    gains: Sequence[Rational]
    rows: Iterable[Row]
    told: str
    worth: str = "expected weight"


class ProgramProof(NamedTuple):
    """What a checked certificate proves: the optimum of the program of that kind and data lies in [lower, upper]."""

    lower: Fraction
    upper: Fraction
    told: str
    worth: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    seal: str

    def __str__(self) -> str:
        """The proof in a sentence, every bound rounded outwards."""
        where = f"lies in [{checker.below(self.lower)}, {checker.above(self.upper)}]"
        if self.lower == self.upper:
            where = f"is exactly {value_text(self.lower)}"
        same = self.inputs == self.outputs
        released = "the same labels" if same else f"{len(self.outputs)} outputs {listed(self.outputs)}"
        return (
            f"certified: the optimum {where}: the largest {self.worth} of a channel from the {len(self.inputs)} labels "
            f"{listed(self.inputs)} to {released} that is {self.told}; the certificate's channel is one, and attains "
            f"at least the lower end\nseal: {self.seal}"
        )


def check_program(data: dict[str, Any]) -> ProgramProof:
    """Check the optimum of a linear program over channels and return what it proves.

    Raises
    ------
    RejectedError
        If anything is malformed or does not hold.
    """
    require(data.get("format") == FORMAT and data.keys() == _KEYS, f"not a {FORMAT} with the keys {sorted(_KEYS)}")
    require(data["seal"] == checker.seal_of(data), "the seal does not match the entries")
    kind = data["kind"]
    require(isinstance(kind, str) and kind in KINDS, f"kind: none of {', '.join(KINDS)}")
    inputs, outputs = (names_of(data[key], key) for key in ("inputs", "outputs"))
    height, width = len(inputs), len(outputs)
    require(height * width <= MAX_UNKNOWNS, f"more than {MAX_UNKNOWNS} entries")
    made = _made(kind, data["data"], height, width)
    require(len(made.gains) <= MAX_UNKNOWNS, f"more than {MAX_UNKNOWNS} entries and slacks")
    sums = (Row(f"the sum of row {y}", [(y * width + j, 1) for j in range(width)], 1, True) for y in range(height))
    rows = [*sums, *_limited(made.rows)]
    uses = Counter(i for row in rows for i, _ in row.terms)
    channel = [text for row in list_of(data["channel"], "channel", height) for text in list_of(row, "channel", width)]
    texts = [*channel, *list_of(data["slacks"], "slacks", len(made.gains) - len(channel))]
    point = _quotients(texts, "channel and slacks", [uses[i] for i in range(len(texts))])
    duals = _quotients(list_of(data["duals"], "duals", len(rows)), "duals", [len(row.terms) for row in rows])
    lower, upper = numbers_of([data["lower"], data["upper"]], "lower and upper", 2)
    _verify(made.gains, rows, point, duals)
    worth = [gain * x for gain, x in zip(made.gains, point, strict=True)]
    require(sign_of_sum([*worth, -lower]) >= 0, "the channel does not attain the lower value")
    bound = [dual * row.right for row, dual in zip(rows, duals, strict=True)]
    require(sign_of_sum([*bound, -upper]) <= 0, "the duals do not prove the upper value")
    return ProgramProof(lower, upper, made.told, made.worth, inputs, outputs, data["seal"])


def _made(kind: str, data: object, height: int, width: int) -> Rows:
    """The program of the kind and data."""
    more = data.keys() & {"priors", "floor"} if isinstance(data, dict) else set()
    if not isinstance(data, dict) or not more:
        return KINDS[kind](data, height, width)
    require("weights" in data, f"data: {' and '.join(sorted(more))} beside data without weights")
    made = KINDS[kind]({key: value for key, value in data.items() if key not in more}, height, width)
    if "floor" in more:
        made = _above_floor(made, data["floor"], height, width)
    return _under_worst(made, data["priors"], height, width) if "priors" in more else made


def _above_floor(made: Rows, floor: object, height: int, width: int) -> Rows:
    """The program of channels whose diagonal has no entry below the floor."""
    least = numbers_of([floor], "floor", 1)[0]
    require(height == width and 0 <= least <= 1, "floor: outputs are not the labels, or it is not from 0 to 1")

    def rows() -> Iterator[Row]:
        yield from made.rows
        for y in range(height):
            yield Row(f"the hits of row {y}", [(y * width + y, -1)], -least)

    told = f"{made.told}, with hits, entries of the diagonal, of {value_text(least)} or more"
    return made._replace(rows=rows(), told=told)


def _under_worst(made: Rows, priors: object, height: int, width: int) -> Rows:
    """The program of which the worst prior counts."""
    keys = ("centre", "low", "high")
    *texts, reach = entries(priors, *keys, "radius")
    centre, low, high = (numbers_of(text, key, height) for text, key in zip(texts, keys, strict=True))
    radius = numbers_of([reach], "radius", 1)[0]
    inside = all(0 <= least <= c <= most for least, c, most in zip(low, centre, high, strict=True))
    require(inside and sum(centre) == 1 and radius >= 0, "priors: no prior between limits, or a negative radius")
    weights, place = made.gains[: height * width], len(made.gains)
    unit = max((abs(Fraction(weight)) for weight in weights), default=0) or 1
    up = [unit * (most - c) for most, c in zip(high, centre, strict=True)]
    down = [unit * (c - least) for c, least in zip(centre, low, strict=True)]

    def rows() -> Iterator[Row]:
        yield from made.rows
        for sign, told in ((-1, "below"), (1, "above")):
            for y in range(height):
                terms: list[tuple[int, Rational]] = [
                    (i, sign * weights[i]) for i in range(y * width, (y + 1) * width) if weights[i]
                ]
                terms += [(place, -sign * unit), (place + 1, sign * unit)]
                terms += [(place + 3 + y, -unit)] if sign < 0 else [(place + 2, -unit), (place + 3 + height + y, -unit)]
                yield Row(f"the worth of row {y} from {told}", terms, 0)

    gains = [*(centre[i // width] * weight for i, weight in enumerate(weights)), *made.gains[height * width :]]
    worth = "expected utility, under the worst prior of the set that the certificate holds,"
    return Rows([*gains, 0, 0, -unit * radius, *(-cost for cost in (*up, *down))], rows(), made.told, worth)


def _verify(gains: Sequence[Rational], rows: list[Row], point: list[Fraction], duals: list[Fraction]) -> None:
    """Both sides are feasible."""
    require(min(point) >= 0, "the channel or a slack has a negative entry")
    reduced: list[list[Rational]] = [[gain] for gain in gains]
    for row, dual in zip(rows, duals, strict=True):
        sign = sign_of_sum([*(a * point[i] for i, a in row.terms), -row.right])
        require(sign == 0 or (sign < 0 and not row.equation), f"the channel violates {row.name}")
        require(row.equation or dual >= 0, f"the dual of {row.name} is negative")
        for i, a in row.terms if dual else ():
            reduced[i].append(-dual * a)
    worst = next((i for i, terms in enumerate(reduced) if sign_of_sum(terms) > 0), None)
    require(worst is None, f"the dual constraint of unknown {worst} is violated")


def delta_rows(data: object, height: int, width: int) -> Rows:
    """Kind "delta": the largest sum of weights times entries over channels that are private at epsilon and delta.

    Data: `weights`, a K x J matrix; `ratio`, e^epsilon, above 1; `delta`, from 0 on and below 1. For every two rows y
    and z, sum_j max(q[y][j] - ratio q[z][j], 0) <= delta: a slack for each j is at least the difference, and in all
    they are at most delta. Rows: for each y, and each z other than y, one for each j, then their sum.
    """
    weights, level, most = entries(data, "weights", "ratio", "delta")
    gains = numbers_of(weights, "weights", height, width)
    ratio, delta = (numbers_of([v], key, 1)[0] for key, v in (("ratio", level), ("delta", most)))
    require(ratio > 1 and 0 <= delta < 1, "the ratio is not above 1, or delta not from 0 on and below 1")
    slacks = height * (height - 1) * width
    require(slacks <= MAX_UNKNOWNS, f"more than {MAX_UNKNOWNS} slacks")

    def rows() -> Iterator[Row]:
        place = height * width
        for y, z in permutations(range(height), 2):
            for j in range(width):
                terms: list[tuple[int, Rational]] = [(y * width + j, 1), (z * width + j, -ratio), (place + j, -1)]
                yield Row(f"row {y} against row {z} at output {j}", terms, 0)
            yield Row(f"delta of row {y} against row {z}", [(place + j, 1) for j in range(width)], delta)
            place += width

    told = f"(epsilon, delta)-private at e^epsilon = {value_text(ratio)}, delta = {value_text(delta)}"
    return Rows([*gains, *[0] * slacks], rows(), told)


def unbiased_rows(data: object, height: int, width: int) -> Rows:
    """Kind "unbiased": the least expected square error of numbers that are released privately and without bias.

    Data: `values` of the K labels; `prior`, their shares; `grid`, the J numbers that may be released; `ratio`,
    e^epsilon, above 1. An entry is worth -prior[y] (grid[j] - values[y])^2. A slack m_j is the floor of an output.
    Rows: for each y and j, q[y][j] <= ratio m_j, then m_j <= q[y][j]; then, for each y, sum_j q[y][j] grid[j] =
    values[y].
    """
    given = entries(data, "values", "prior", "grid", "ratio")
    sizes = (("values", height), ("prior", height), ("grid", width))
    values, prior, grid = (numbers_of(part, key, size) for part, (key, size) in zip(given[:3], sizes, strict=True))
    ratio = numbers_of([given[3]], "ratio", 1)[0]
    require(ratio > 1 and min(prior) >= 0 and sum(prior) == 1, "the ratio is not above 1, or the prior no distribution")
    gains = [-share * (z - value) ** 2 for value, share in zip(values, prior, strict=True) for z in grid]

    def rows() -> Iterator[Row]:
        floor = height * width
        for i in range(floor):
            where = f"entry {i % width} of row {i // width}"
            yield Row(f"{where} against t times the floor", [(i, 1), (floor + i % width, -ratio)], 0)
            yield Row(f"{where} against the floor", [(i, -1), (floor + i % width, 1)], 0)
        for y, value in enumerate(values):
            yield Row(f"the mean of row {y}", [(y * width + j, z) for j, z in enumerate(grid)], value, True)

    means = f"values {checker.listed(list(map(str, values)))} in the file from its grid of {len(grid)} numbers"
    told = f"private at e^epsilon = {value_text(ratio)} and releases without bias the {means}"
    return Rows([*gains, *[0] * width], rows(), told, "expected square error, counted as negative,")


def metric_rows(data: object, height: int, width: int) -> Rows:
    """Kind "metric": the largest sum of weights times entries over channels q with q[y][j] <= base^d(y, z) q[z][j].

    Data: `weights`, a K x J matrix; `base`, above 1; `steps`, a K x K matrix d of whole numbers up to 1000, which is a
    metric. Rows: for each y, and each z other than y, one for each j, unless some third label x lies between, d(y, x) +
    d(x, z) = d(y, z): it is nearer to both, and the rows of y and x, and of x and z, have that of y and z as a
    consequence.
    """
    weights, start, distances = entries(data, "weights", "base", "steps")
    require(height <= MAX_METRIC, f"more than {MAX_METRIC} labels in a metric")
    gains = numbers_of(weights, "weights", height, width)
    base, flat = numbers_of([start], "base", 1)[0], numbers_of(distances, "steps", height, height)
    require(base > 1, "the base is not above 1")
    require(all(v.denominator == 1 and 0 <= v <= MAX_STEPS for v in flat), f"steps: no whole numbers up to {MAX_STEPS}")
    steps = [[int(v) for v in flat[y * height : (y + 1) * height]] for y in range(height)]
    require(not any(steps[y][y] for y in range(height)), "steps: not 0 from a label to itself")
    near: list[tuple[int, int]] = []
    for y, z in permutations(range(height), 2):
        step = steps[y][z]
        require(step == steps[z][y] > 0, "steps: 0 between two labels, or not the same both ways")
        over = [a + b for x, (a, b) in enumerate(zip(steps[y], steps[z], strict=True)) if x not in (y, z)]
        require(all(way >= step for way in over), f"steps: a way from {y} to {z} over a third label is shorter")
        near += [(y, z)] if step not in over else []
    longest = max((steps[y][z] for y, z in near), default=0)
    require(longest * base.numerator.bit_length() <= MAX_POWER, f"the base to the power {longest} has too many digits")

    def rows() -> Iterator[Row]:
        for y, z in near:
            power = base ** steps[y][z]
            for j in range(width):
                yield Row(f"row {y} against row {z} at output {j}", [(y * width + j, 1), (z * width + j, -power)], 0)

    told = f"metric-private at t = {value_text(base)}: q[y][j] <= t^d q[z][j], d the steps from y to z in the file"
    return Rows(gains, rows(), told)


#: The kinds by name: from the data and the sizes K and J to the program.
KINDS: dict[str, Callable[[object, int, int], Rows]] = {
    "delta": delta_rows,
    "unbiased": unbiased_rows,
    "metric": metric_rows,
}


def entries(data: object, *keys: str) -> list[Any]:
    """The entries of an object with these keys and no others."""
    if not isinstance(data, dict) or data.keys() != set(keys):
        raise checker.RejectedError(f"data: not an object with the keys {', '.join(keys)}")
    return [data[key] for key in keys]


def numbers_of(data: object, key: str, *shape: int) -> list[Fraction]:
    """The numbers of a list, or of a list of lists row after row, of that shape."""
    flat = list_of(data, key, shape[0])
    if len(shape) == 2:
        flat = [number for row in flat for number in list_of(row, key, shape[1])]
    return _quotients(flat, key, _USES)


def _quotients(texts: list[Any], key: str, uses: list[int] | int) -> list[Fraction]:
    """Numbers, each used so often."""
    values, unit = checker.numbers_of(texts, key, uses, MAX_BITS)
    return [Fraction(value) / unit for value in values]


def _limited(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, as long as they are not too many."""
    count = terms = 0
    for row in rows:
        count, terms = count + 1, terms + len(row.terms)
        require(count <= MAX_ROWS and terms <= MAX_TERMS, f"more than {MAX_ROWS} rows or {MAX_TERMS} coefficients")
        yield row


def main(arguments: Sequence[str]) -> int:
    """Check the certificate in the file named on the command line; 0 if it proves what it states, else 2."""
    return checker.main(arguments, check_program, "program_checker.py FILE.json")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
