"""Hypothesis strategies: random valid parameters, small enough to be exact and quick."""

from fractions import Fraction

from hypothesis import strategies as st

from lpmech import PrivacyLevel

ratios = st.fractions(min_value=Fraction(11, 10), max_value=50, max_denominator=12)
levels = ratios.map(PrivacyLevel.from_ratio)


def priors(size: int) -> st.SearchStrategy[list[Fraction]]:
    """Exact priors with zeros and ties now and then."""
    weights = st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any)
    return weights.map(lambda w: [Fraction(v, sum(w)) for v in w])


def utilities(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    """Integer utilities with many ties."""
    row = st.lists(st.integers(-5, 5), min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


def channels(rows: int, columns: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """Exact row-stochastic matrices with positive entries."""
    row = st.lists(st.integers(1, 9), min_size=columns, max_size=columns)
    normalised = row.map(lambda r: [Fraction(v, sum(r)) for v in r])
    return st.lists(normalised, min_size=rows, max_size=rows)
