"""The channel: Pr[released label | true label] as an immutable matrix with named inputs and outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.common_denominators import exact_row_sums, floats_of, fractions_of, over_one_denominator, sum_of_products
from lpmech.entries import Array, Number, as_array, by_objects, is_exact, names_of_axes, to_exact, to_float, unify
from lpmech.errors import ChannelError, LabelError, NotInvertibleError, UtilityError, shown
from lpmech.frames import frame_of_channel, html_of
from lpmech.linear_algebra import inverse
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level, log_of_fraction
from lpmech.randomness import RandomState, as_random_source
from lpmech.rationals import DENOMINATOR, draw, over_common_denominator, private_numerators

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Channel", "PrivacyWitness", "ROW_SUM_TOLERANCE", "as_channel"]

#: How far the sum of a float row may be from one.
ROW_SUM_TOLERANCE = 1e-12

#: By how much, relatively, rounding may have raised the ratio of a channel that `Channel.exact` accepts.
LEVEL_TOLERANCE = Fraction(1, 10**6)

_SAMPLE_CHUNK = 1 << 20


@dataclass(frozen=True)
class PrivacyWitness:
    """Where the tight privacy level of a channel is attained.

    Attributes
    ----------
    ratio : Fraction or float
        Largest Pr[output | likely] / Pr[output | unlikely]; infinite if some label rules an output out.
    output, likely, unlikely : hashable
        The released label and the two true labels that attain it.
    """

    ratio: Number
    output: Hashable
    likely: Hashable
    unlikely: Hashable

    @property
    def epsilon(self) -> float:
        """ln(ratio)."""
        if isinstance(self.ratio, Fraction):
            return log_of_fraction(self.ratio)
        return math.log(self.ratio) if math.isfinite(self.ratio) else math.inf


class Channel:
    """A row-stochastic matrix: rows are true labels, columns are released labels.

    Parameters
    ----------
    matrix : array_like, shape (K, J)
        Pr[output j | input y]. All Fractions or ints: the channel is exact; otherwise floats.
    inputs, outputs : sequence of hashable, optional
        Names of rows and columns; default: those of a DataFrame, else 0..K-1 and 0..J-1.

    Raises
    ------
    ChannelError
        If an entry is negative or not finite, or a row does not sum to one (exactly for exact entries,
        within 1e-12 for floats).
    LabelError
        If names are duplicated or their number is wrong.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import Channel
    >>> third = Fraction(1, 3)
    >>> channel = Channel([[2 * third, third], [third, 2 * third]], ["yes", "no"], ["yes", "no"])
    >>> channel.ratio  # e^epsilon of its tight level, exactly
    Fraction(2, 1)
    >>> channel.sample(["yes", "no", "no"]).shape
    (3,)
    """

    __slots__ = ("__dict__", "inputs", "matrix", "outputs")

    matrix: Array
    inputs: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]

    def __init__(
        self,
        matrix: object,
        inputs: Sequence[Hashable] | None = None,
        outputs: Sequence[Hashable] | None = None,
    ) -> None:
        inputs, outputs = names_of_axes(matrix, inputs, outputs)
        entries = as_array(matrix, "matrix", 2, ChannelError, (inputs, outputs))
        negative = by_objects(entries, lambda v: v.numerator < 0, bool) if is_exact(entries) else entries < 0
        if np.any(negative):
            raise ChannelError("matrix", entries[negative][0], "entries that are not negative")
        sums = exact_row_sums(entries) if is_exact(entries) else entries.sum(axis=1)
        tolerance = 0.0 if is_exact(entries) else ROW_SUM_TOLERANCE
        for row, mass in enumerate(sums.tolist()):
            if abs(mass - 1) > tolerance:
                raise ChannelError("matrix", f"row {row} with sum {shown(mass)}", "rows that sum to one")
        self._describe(entries, inputs, outputs)

    def _describe(
        self, entries: Array, inputs: Sequence[Hashable] | None, outputs: Sequence[Hashable] | None, **known: Any
    ) -> Channel:
        """Hold checked entries, their names, and what is known of them whatever the names are."""
        entries.setflags(write=False)
        object.__setattr__(self, "matrix", entries)
        object.__setattr__(self, "inputs", _names(inputs, entries.shape[0], "inputs"))
        object.__setattr__(self, "outputs", _names(outputs, entries.shape[1], "outputs"))
        self.__dict__.update(known)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Channel is immutable; cannot set {name!r}")

    def __reduce__(self) -> tuple[type, tuple[Array, tuple[Hashable, ...], tuple[Hashable, ...]]]:
        return Channel, (self.matrix, self.inputs, self.outputs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel):
            return NotImplemented
        return (
            self.inputs == other.inputs
            and self.outputs == other.outputs
            and bool(np.array_equal(self.matrix, other.matrix))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "exact" if self.is_exact else "float"
        return f"<Channel {len(self.inputs)} x {len(self.outputs)}, {kind}, epsilon = {self.epsilon:.6g}>"

    def _repr_html_(self) -> str | None:
        return html_of(repr(self).strip("<>"), self.to_frame)

    def to_frame(self) -> pd.DataFrame:
        """The entries as a DataFrame, true labels down and released ones across."""
        return frame_of_channel(self.matrix, self.inputs, self.outputs)

    # -- privacy ---------------------------------------------------------------------------------

    @property
    def is_exact(self) -> bool:
        """Whether the entries are exact rationals."""
        return is_exact(self.matrix)

    @cached_property
    def witness(self) -> PrivacyWitness:
        """The output and the two inputs that attain the tight privacy level."""
        best = PrivacyWitness(Fraction(1) if self.is_exact else 1.0, self.outputs[0], self.inputs[0], self.inputs[0])
        compared = self.matrix
        if self.is_exact:
            whole = self.numerators or over_one_denominator(self.matrix)
            compared = compared if whole is None else whole[0] if isinstance(whole[0], np.ndarray) else whole[0][0]
        places = zip(compared.argmax(axis=0).tolist(), compared.argmin(axis=0).tolist(), strict=True)
        for j, (high, low) in enumerate(places):
            column = self.matrix[:, j]
            if column[high] == 0:
                continue
            ratio = math.inf if column[low] == 0 else column[high] / column[low]
            if ratio > best.ratio:
                best = PrivacyWitness(ratio, self.outputs[j], self.inputs[high], self.inputs[low])
        return best

    @property
    def epsilon(self) -> float:
        """The tight privacy level in nats: the smallest epsilon the channel satisfies (may be 0 or inf)."""
        return self.witness.epsilon

    @property
    def ratio(self) -> Number:
        """e^epsilon of the tight level: a Fraction for exact channels (inf if not private at all)."""
        return self.witness.ratio

    def satisfies(self, epsilon: PrivacyLevel | float, tolerance: float = 0.0) -> bool:
        """Whether Pr[j | y] <= e^epsilon Pr[j | y'] + tolerance for all y, y', j.

        With tolerance 0 an exact level and an exact channel are compared exactly.
        """
        level = as_privacy_level(epsilon)
        columns_max, columns_min = self.matrix.max(axis=0), self.matrix.min(axis=0)
        if not (level.is_exact and self.is_exact):
            columns_max, columns_min = to_float(columns_max), to_float(columns_min)
        ratio = level.ratio if is_exact(columns_max) else float(level.ratio)
        return bool(np.all(columns_max <= ratio * columns_min + (tolerance or 0)))

    # -- utility ---------------------------------------------------------------------------------

    def expected_utility(self, utility: object, prior: object = None) -> Number:
        """Sum over y, j of prior[y] Pr[j | y] utility[y, j].

        Parameters
        ----------
        utility : array_like, shape (K, J)
            Larger is better; a loss is given as its negative. A DataFrame is read by its names.
        prior : array_like, shape (K,), optional
            Distribution of the true label; uniform if omitted. A Series is read by its names.

        Returns
        -------
        Fraction or float
            Exact when the channel, the utility and the prior are.

        Raises
        ------
        UtilityError
            If the utility has another shape than the channel or an entry that is not finite.
        PriorError
            If the prior is not a distribution on the inputs.
        """
        gain = as_array(utility, "utility", 2, UtilityError, (self.inputs, self.outputs))
        if gain.shape != self.matrix.shape:
            raise UtilityError("utility", f"shape {gain.shape}", f"shape {self.matrix.shape}")
        weights = as_prior(prior, len(self.inputs), self.inputs)
        if is_exact(gain) and is_exact(weights) and self.is_exact:
            return self.sum_with(weights[:, None], gain)
        return (to_float(weights)[:, None] * to_float(gain) * self.floats).sum()

    def sum_with(self, *factors: Array) -> Fraction:
        """The sum of the products of the entries, which are exact, and of exact factors of the same shape, or less."""
        known = self.numerators
        return sum_of_products(*factors, self.matrix) if known is None else sum_of_products(*factors, times=known)

    # -- new channels from old -------------------------------------------------------------------

    def then(self, other: Channel) -> Channel:
        """Cascade: the output of this channel is the input of `other` (post-processing by a channel).

        Raises
        ------
        LabelError
            If some output of this channel is not an input of `other`.
        """
        rows = [_index(other.inputs, name, "other.inputs") for name in self.outputs]
        first, second = unify(self.matrix, other.matrix)
        return Channel(first @ second[rows], self.inputs, other.outputs)

    def post_process(self, mapping: Mapping[Hashable, Hashable] | Callable[[Hashable], Hashable]) -> Channel:
        """Rename or merge outputs by a function of the released label."""
        image = [mapping[name] if isinstance(mapping, Mapping) else mapping(name) for name in self.outputs]
        merged = list(dict.fromkeys(image))
        columns = [self.matrix[:, [i for i, new in enumerate(image) if new == name]].sum(axis=1) for name in merged]
        return Channel(np.stack(columns, axis=1), self.inputs, merged)

    def restrict(self, inputs: Sequence[Hashable]) -> Channel:
        """The channel on some of its inputs only, in the given order."""
        rows = [_index(self.inputs, name, "inputs") for name in inputs]
        return Channel(self.matrix[rows], inputs, self.outputs)

    # -- decoding --------------------------------------------------------------------------------

    @cached_property
    def decoder(self) -> Array:
        """The pseudo-inverse D, shape (J, K), with matrix @ D = identity.

        Row j of D is an unbiased estimate of the indicator of the true label after seeing output j:
        E[D[output] | input y] = e_y. For a square channel D is the inverse.

        Raises
        ------
        NotInvertibleError
            If the rows are linearly dependent, so that no unbiased decoding exists, or so nearly that floats do not
        decide it.
        """
        rows, shape = self.matrix, f"channel {len(self.inputs)} x {len(self.outputs)}"
        if not self.is_exact:
            found = _right_inverse(rows)
            if not np.allclose(rows @ found, np.eye(len(rows)), rtol=0, atol=1e-6):
                raise NotInvertibleError(
                    f"{shape}: its rows are linearly dependent, or nearly so, and cannot be decoded in floating point"
                )
            return found
        try:
            return rows.T @ inverse(rows @ rows.T)
        except ZeroDivisionError:
            raise NotInvertibleError(
                f"{shape}: its rows are linearly dependent, so no unbiased decoding of the true label exists"
            ) from None

    def estimate_counts(self, released: Sequence[Hashable] | Array) -> Array:
        """Unbiased estimate of the true label counts from released labels, shape (K,).

        Raises
        ------
        LabelError
            If a released label is not an output of the channel.
        NotInvertibleError
            If the channel has no unbiased decoding.
        """
        counts = np.bincount(_indices(self.outputs, released, "released"), minlength=len(self.outputs))
        return counts @ to_float(self.decoder)

    # -- exact entries and sampling --------------------------------------------------------------

    def exact(self, epsilon: PrivacyLevel | float) -> Channel:
        """A rational channel beside this one, to be sampled or printed: private at the level to the last bit.

        Parameters
        ----------
        epsilon : float or PrivacyLevel
            A level that this channel keeps up to rounding (1e-6 of e^epsilon).

        Returns
        -------
        Channel
            With entries over one denominator of at most 2^62, and an exact ratio of at most e^epsilon, compared in
            rational arithmetic. The channel itself if it is like that already; else entries are decimals with 18
            places. `total_variation` says by how much the rows moved: about K 1e-18 beyond what the entries lacked.

        Raises
        ------
        ChannelError
            If the channel is not private at this level.
        PrivacyLevelError
            If the level is not usable.
        """
        level = as_privacy_level(epsilon)
        if self.is_exact and self.ratio <= level.ratio_below and self._cumulative is not None:
            return self
        if self.ratio > level.ratio_below * (1 + LEVEL_TOLERANCE):
            allowed = f"a channel that is private at {level}; this one has epsilon = {self.epsilon:.9g}"
            raise ChannelError("channel", self, allowed)
        numerators = private_numerators(self.matrix, level.ratio_below)
        return Channel.of_numerators(numerators, DENOMINATOR, self.inputs, self.outputs)

    @staticmethod
    def of_numerators(
        numerators: Array, denominator: int, inputs: Sequence[Hashable], outputs: Sequence[Hashable]
    ) -> Channel:
        """The exact channel of whole numbers over a denominator, rows checked as numbers and not as Fractions.

        Parameters
        ----------
        numerators : ndarray of int64, shape (K, J)
            Rows sum to the denominator.
        denominator : int
            At most 2^62.
        inputs, outputs : sequence of hashable
            Names of rows and columns.

        Raises
        ------
        ChannelError
            If a number is negative, or a row has another sum.
        LabelError
            If names are duplicated or their number is wrong.
        """
        if numerators.min() < 0 or np.any(numerators.sum(axis=1) != denominator):
            raise ChannelError("numerators", numerators, f"rows that are not negative and sum to {denominator}")
        entries, known = fractions_of(numerators, denominator), (numerators, denominator)
        return object.__new__(Channel)._describe(entries, inputs, outputs, numerators=known)

    def total_variation(self, other: Channel) -> Fraction:
        """Largest total variation distance between two rows of one input, exactly.

        Expected utilities of the two channels differ by at most this times the largest spread, maximum less minimum,
        of a row of the utility, whatever the prior.

        Raises
        ------
        LabelError
            If inputs or outputs differ.
        """
        if (self.inputs, self.outputs) != (other.inputs, other.outputs):
            raise LabelError("other", other, f"a channel from {self.inputs!r} to {self.outputs!r}")
        difference = abs(to_exact(self.matrix) - to_exact(other.matrix))
        return max(difference.sum(axis=1).tolist()) / 2

    def sample(self, labels: Sequence[Hashable] | Array, random_state: RandomState = None) -> Array:
        """Release every label independently, with whole numbers only: the law of the output is the row, exactly.

        Parameters
        ----------
        labels : array_like, shape (n,)
            True labels, each one of `inputs`.
        random_state : None, int, numpy.random.Generator or RandomSource
            None for releases; see `lpmech.randomness`.

        Returns
        -------
        ndarray, shape (n,)
            Released labels, each one of `outputs`.

        Raises
        ------
        LabelError
            If a label is not an input of the channel.
        ChannelError
            If the entries are floats, or rationals without a common denominator of at most 2^62.
        InvalidInputError
            If `random_state` is none of the above.
        """
        positions = _indices(self.inputs, labels, "labels")
        return _name_array(self.outputs)[self.sample_positions(positions, random_state)]

    def sample_positions(self, rows: Array, random_state: RandomState = None) -> Array:
        """`sample` for positions of inputs, intp of shape (n,), not checked; positions of outputs are returned."""
        if self._cumulative is None:
            allowed = (
                "exact entries over a common denominator of at most 2^62: floats cannot be sampled without rounding, "
                "which may betray labels; take channel.exact(epsilon)"
            )
            raise ChannelError("channel", self, allowed)
        source = as_random_source(random_state)
        drawn = np.empty(rows.shape, dtype=np.intp)
        for start in range(0, rows.size, _SAMPLE_CHUNK):
            part = rows[start : start + _SAMPLE_CHUNK]
            drawn[start : start + _SAMPLE_CHUNK] = draw(part, *self._cumulative, source)
        return drawn

    @cached_property
    def numerators(self) -> tuple[Array, int] | None:
        """Exact entries as int64, and their denominator; None if there is none of at most 2^62, or they are floats."""
        return over_common_denominator(self.matrix) if self.is_exact else None

    @cached_property
    def _cumulative(self) -> tuple[Array, int] | None:
        return self.numerators and (np.cumsum(self.numerators[0], axis=1), self.numerators[1])

    @cached_property
    def floats(self) -> Array:
        """The entries as floats, not to be written to."""
        if not self.is_exact:
            return self.matrix
        known = self.__dict__.get("numerators")
        found = to_float(self.matrix) if known is None else floats_of(*known)
        found.setflags(write=False)
        return found

    def renamed(self, inputs: Sequence[Hashable], outputs: Sequence[Hashable]) -> Channel:
        """The channel with other names of rows and columns."""
        known = {name: self.__dict__[name] for name in ("numerators", "floats", "_cumulative") if name in self.__dict__}
        return object.__new__(Channel)._describe(self.matrix, inputs, outputs, **known)

    def to_float(self) -> Channel:
        """The channel with float entries."""
        return self if not self.is_exact else Channel(to_float(self.matrix), self.inputs, self.outputs)

    def to_exact(self) -> Channel:
        """The channel over the rationals its floats stand for, each row rescaled to sum to one exactly."""
        if self.is_exact:
            return self
        entries = to_exact(self.matrix)
        return Channel(entries / entries.sum(axis=1)[:, None], self.inputs, self.outputs)


def as_channel(channel: object, argument: str = "channel") -> Channel:
    """The argument itself.

    Raises
    ------
    ChannelError
        If it is no `Channel`.
    """
    if not isinstance(channel, Channel):
        raise ChannelError(argument, channel, "a Channel")
    return channel


def _right_inverse(rows: Array) -> Array:
    """The pseudo-inverse in floats, not to be trusted where there is no right inverse."""
    if rows.shape[0] == rows.shape[1]:
        try:
            return np.linalg.inv(rows)  # much quicker
        except np.linalg.LinAlgError:
            pass
    return np.linalg.pinv(rows)  # by singular values: rows @ rows.T would square the condition number


def _names(names: Sequence[Hashable] | None, size: int, argument: str) -> tuple[Hashable, ...]:
    try:
        labels = tuple(range(size)) if names is None else tuple(names)
        distinct = len(set(labels))
    except TypeError as exc:
        raise LabelError(argument, names, "a sequence of hashable names") from exc
    if len(labels) != size:
        raise LabelError(argument, labels, f"{size} names")
    if distinct != size:
        raise LabelError(argument, labels, "names without duplicates")
    return labels


def _index(names: tuple[Hashable, ...], name: Hashable, argument: str) -> int:
    try:
        return names.index(name)
    except ValueError as exc:
        raise LabelError(argument, name, f"one of {names!r}") from exc


def _indices(names: tuple[Hashable, ...], labels: Sequence[Hashable] | Array, argument: str) -> Array:
    try:
        values = np.asarray(labels)
        if values.ndim != 1:
            raise TypeError
        if values.dtype.kind == "O":
            np.unique(values)
    except (TypeError, ValueError, ArithmeticError) as exc:  # ArithmeticError: of a Decimal that is no number
        raise LabelError(argument, "values that cannot be compared", f"labels among {names!r}") from exc
    if names == tuple(range(len(names))) and values.dtype.kind in "iu":
        bad = (values < 0) | (values >= len(names))
        codes = values
    else:
        positions = {name: i for i, name in enumerate(names)}
        unique, back = np.unique(values, return_inverse=True)
        codes = np.array([positions.get(name, -1) for name in unique.tolist()], dtype=np.intp)[back]
        bad = codes < 0
    if np.any(bad):
        where = f"another value at position {int(np.argmax(bad))}"  # not its text, which may be private
        raise LabelError(argument, where, f"labels among {names!r}")
    return codes


def _name_array(names: tuple[Hashable, ...]) -> Array:
    array = np.array(names)
    if array.ndim == 1 and array.tolist() == list(names):
        return array
    out = np.empty(len(names), dtype=object)
    out[:] = names
    return out
