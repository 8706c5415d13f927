"""Certificates from strangers, random and adversarial: nothing false is accepted, nothing crashes, nothing is slow."""

import copy
import json
from fractions import Fraction

import mpmath
import pytest
from fuzzing import CORPUS, examples, plain, within
from hypothesis import given
from hypothesis import strategies as st

from lpmech import PrivacyLevel
from lpmech.certify import certificate_of, checker
from lpmech.certify.packing import matrix_of
from lpmech.programs import Program

SECONDS = 1.0


def judged(text):
    """What the checker makes of a text: a proof, or None if it rejects it; anything else is a defect."""
    with within(SECONDS):
        try:
            data = checker.parse(text)
            proof = checker.check(data)
            str(proof).encode("ascii", errors="backslashreplace")
            return data, proof
        except checker.RejectedError:
            return None


def optimum(data, ratio):
    """The optimum of the stated program, by the simplex method over the rationals: nothing of the checker is used."""
    weights = matrix_of(data["weights"])
    fixed = {(source, target): Fraction(value) for source, target, value, _ in data["fixed"]}
    program = Program(weights, PrivacyLevel.from_ratio(ratio), data["inputs"], data["outputs"], fixed)
    return program.solve("exact").value


def assert_true(data, proof):
    low, high = (Fraction(v) for v in data["ratio"])
    if "epsilon" in data:
        with mpmath.workdps(60):
            epsilon = Fraction(data["epsilon"])
            t = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
            assert mpmath.mpf(low.numerator) / low.denominator <= t <= mpmath.mpf(high.numerator) / high.denominator
    assert proof.lower <= optimum(data, high)  # what is private at e^epsilon is private at the larger ratio
    assert proof.upper >= optimum(data, low)


def good_certificate(draw):
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    weights = draw(
        st.lists(st.lists(st.integers(-3, 3), min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    exact = draw(st.booleans())
    level = (
        PrivacyLevel.from_ratio(draw(st.sampled_from(["2", "3/2", "101/100", "50"])))
        if exact
        else draw(st.sampled_from([0.01, 1.0, 3.0]))
    )
    fixed = {(0, 0): Fraction(1, columns)} if exact and draw(st.booleans()) else {}
    program = Program(
        weights,
        level,
        [f"r{i}" for i in range(rows)],
        [f"c{i}" for i in range(columns)],
        {(f"r{y}", f"c{j}"): v for (y, j), v in fixed.items()},
    )
    data = certificate_of(program.solve("exact" if exact else "interior-point")).data
    return draw(st.sampled_from([data, plain(data)]))


def places(data, path=()):
    yield path
    for key, child in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(child, (*path, key))


nasty = st.one_of(
    st.fractions(max_denominator=9).map(str), st.integers(-3, 3).map(str), st.text(max_size=5), st.just([]), st.just({}),
    st.sampled_from(["1" * 4000, "1/" + "9" * 4000, "-" + "7" * 3999 + "/" + "3" * 4000, "1" * 4001, "1e9999999", "1e9", "1.5", "nan", "-Infinity",
                     "0/0", "1/0", "-1", "2/4", "-0", "00", "1_0", "r0", "c0", "\ud800", "\x00", "\u0661", None, True, 1, 1.5, float("inf")]),
)  # fmt: skip


@examples(0.7, 50)
@given(st.data())
def test_altered_and_resealed(data):
    good = good_certificate(data.draw)
    bad = copy.deepcopy(good)
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from([p for p in places(bad) if p]))
        parent = bad
        for step in path[:-1]:
            parent = parent[step]
        kind = data.draw(
            st.sampled_from(["nasty", "nudge", "nudge", "nudge", "nudge", "delete", "double", "swap", "copy", "negate"])
        )
        value = parent[path[-1]]
        if kind == "delete":
            del parent[path[-1]]
        elif kind == "double" and isinstance(parent, list):
            parent.append(copy.deepcopy(value))
        elif kind == "swap" and isinstance(parent, list):
            parent.reverse()
        elif kind == "copy":
            other = bad
            for step in data.draw(st.sampled_from(list(places(bad)))):
                other = other[step]
            parent[path[-1]] = copy.deepcopy(other)
        elif kind in ("nudge", "negate") and isinstance(value, str) and " " in value:
            tokens = value.split(" ")
            tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(
                st.sampled_from([*tokens, "0", "1", "-1", "1/2", "", "\u0661", "00"])
            )
            parent[path[-1]] = " ".join(tokens)
        elif (
            kind in ("nudge", "negate")
            and isinstance(value, str)
            and checker._NUMBER.fullmatch(value)
            and len(value) < 500
        ):
            step = data.draw(
                st.sampled_from(
                    [
                        Fraction(1),
                        Fraction(-1),
                        Fraction(1, 7),
                        Fraction(-1, 10**30),
                        Fraction(1, 10**30),
                        Fraction(10**20),
                    ]
                )
            )
            number = Fraction(value) if value.rpartition("/")[2].strip("0") or "/" not in value else Fraction(1)
            parent[path[-1]] = str(-number if kind == "negate" else number + step)
        else:
            parent[path[-1]] = data.draw(nasty)
    if isinstance(bad, dict):
        bad["seal"] = checker.seal_of(bad)
    accepted = judged(json.dumps(bad))
    if accepted is not None:
        assert_true(*accepted)


@examples(0.1, 12)
@given(st.data())
def test_parts_of_two_certificates(data):
    """Channel, duals, bounds and level of certificates for several programs put together, as a forger would."""
    first, *more = (good_certificate(data.draw) for _ in range(3))
    mixed = dict(first)
    for key in data.draw(st.sets(st.sampled_from(sorted(first)))):
        mixed[key] = data.draw(st.sampled_from(more)).get(key, first[key])
    mixed["seal"] = checker.seal_of(mixed)
    accepted = judged(json.dumps(mixed))
    if accepted is not None:
        assert_true(*accepted)


@examples(0.1, 40)
@given(st.sampled_from(sorted((CORPUS / "certificates").iterdir())), st.data())
def test_damaged_text(path, data):
    text = path.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(0, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 20))
        piece = data.draw(
            st.sampled_from(
                [
                    "",
                    '"',
                    "\\",
                    "[",
                    "]",
                    "{",
                    "}",
                    ",",
                    "1",
                    "/",
                    "-",
                    " ",
                    "\n",
                    "\ufeff",
                    "é",
                    "null",
                    '"seal": "0",',
                ]
            )
        )
        text = text[:at] + piece * data.draw(st.sampled_from([1, 1, 2, 500])) + text[at + length :]
    accepted = judged(text)
    if accepted is not None:
        assert_true(*accepted)


@examples(0.1, 5)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 60), st.randoms(use_true_random=False), st.booleans())
def test_large_numbers_are_refused_or_checked_in_time(rows, columns, digits, random, alike):
    """Shapes like those of a certificate, entries with unlike denominators: as dear as a file of its size can be."""

    def number():
        return f"{random.randrange(10**digits)}/{10**digits + (7 if alike else 2 * random.randrange(10**digits) + 1)}"

    data = {
        "format": checker.FORMAT,
        "inputs": [str(i) for i in range(rows)],
        "outputs": [str(i) for i in range(columns)],
        "ratio": ["2", "2"],
        "weights": [[number() for _ in range(columns)] for _ in range(rows)],
        "fixed": [],
        "channel": [[f"1/{columns}"] * columns for _ in range(rows)],
        "row_duals": [str(2 * columns * rows)] * rows,
        "lower": "0",
        "upper": str(2 * columns * rows * rows),
    }
    if random.random() < 0.5:
        data["channel"] = [[number() for _ in range(columns)] for _ in range(rows)]
    if random.random() < 0.5:
        data["lower"] = str(sum(Fraction(v) for row in data["weights"] for v in row[:1]) / columns)
    judged(json.dumps({**data, "seal": checker.seal_of(data)}))


@pytest.mark.parametrize("path", sorted((CORPUS / "certificates").iterdir()), ids=lambda p: p.stem)
def test_the_corpus(path):
    accepted = judged(path.read_text(encoding="utf-8"))
    assert (accepted is not None) == path.stem.startswith("good_")
    if accepted is not None:
        assert_true(*accepted)
