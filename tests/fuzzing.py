"""What the fuzz tests share: how many examples, a limit on processor time, and strategies for what people hand in."""

import os
import signal
import time
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from lpmech.certify import checker
from lpmech.certify.packing import matrix_of
from lpmech.entries import exact_texts

CORPUS = Path(__file__).parent / "corpus"

#: Examples of a nightly run (`make fuzz`: 10,000 certificates and 10,000 inputs), and of `make test`.
NIGHTLY = int(os.environ.get("FUZZ", "0"))


def examples(share: float, sample: int):
    """Settings: `share` of the nightly number of examples, new ones every night; or the same `sample` every time."""
    return settings(
        max_examples=max(sample, round(NIGHTLY * share)),
        derandomize=not NIGHTLY,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )


def plain(data):
    """The certificate as people write it and version 3 did: matrices are lists of lists of numbers."""
    lists = {key: exact_texts(matrix_of(data[key])) for key in ("weights", "channel")}
    found = {**data, **lists, "format": checker.BEFORE}
    return {**found, "seal": checker.seal_of(found)}


class TooSlowError(BaseException):
    """Not an Exception: no `except Exception` of the program under test hides it."""


@contextmanager
def within(seconds: float):
    """Interrupt what takes more processor time: a busy machine makes nothing slow that is not."""

    def stop(*_):
        raise TooSlowError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    started = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if time.process_time() - started > seconds:
        raise TooSlowError(f"more than {seconds:g} s")


class Odd:
    """An object of a library that knows nothing of this one."""

    def __repr__(self):
        raise RuntimeError("no text")


extreme_floats = st.sampled_from(
    [0.0, -0.0, 1.0, 5e-324, 1e-308, 1e-17, 1e308, float("inf"), float("-inf"), float("nan"), 700.0, 710.0]
)
extreme_ints = st.sampled_from([0, 1, -1, 2, 3, 10**18, 2**63, 2**64, 10**308, 10**309, 10**400, 10**4000, -(10**400)])
numbers = st.one_of(
    st.floats(), st.integers(-5, 9), st.fractions(max_denominator=99), extreme_floats, extreme_ints,
    extreme_ints.map(lambda n: Fraction(1, n) if n else Fraction(0)), st.booleans(), st.complex_numbers(), st.decimals(),
    st.floats(0, 1).map(np.float64), st.integers(-5, 5).map(np.int64), st.booleans().map(np.bool_),
)  # fmt: skip
others = st.sampled_from([None, "", "a", "1", "nan", b"1", (), [], {}, {1}, {"a": 1}, [[]], [[1], [2, 3]], object(),
    range(3), print, type, np.array([]), np.zeros((0, 3)), np.zeros((2, 0)), np.zeros((2, 2, 2)), np.array("x"), np.ma.masked,
    np.datetime64("2020-01-01"), "9" * 5000, Ellipsis, NotImplemented, slice(2)])  # fmt: skip
scalars = numbers | others
vectors = st.lists(st.one_of(numbers, st.floats(0, 1), st.integers(0, 4)), max_size=5) | st.integers(1, 5).map(
    lambda k: [Fraction(1, k)] * k
)
#: What repr() fails on, which hypothesis cannot print either, or what cannot be sorted.
SPEECHLESS = [
    10**5000,
    [0.0, Decimal("NaN")],
    Fraction(1, 10**5000),
    Odd(),
    [Odd()],
    [[1, Odd()]],
    np.array([Odd()]),
    [10**5000, 0.5],
    np.array([]),
    1.5,
]
matrices = st.integers(0, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.one_of(st.integers(-3, 3), st.floats(-1, 1), numbers), min_size=columns, max_size=columns),
        max_size=4,
    )
)
proper = st.integers(1, 4).map(lambda k: np.eye(k)) | st.integers(1, 4).map(
    lambda k: np.full((k, k), Fraction(1, k)).tolist()
)
values = st.one_of(
    scalars, vectors, vectors.map(np.array), matrices, proper, st.recursive(scalars, st.lists, max_leaves=6)
)
