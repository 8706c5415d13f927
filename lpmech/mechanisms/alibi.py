"""ALIBI: Laplace noise on the one-hot label, and the Bayesian posterior of the label as soft label.

As published the noise is real, and its last bits in floats betray the label: `Alibi` can be analysed and simulated, not
released from. `AlibiOnGrid` is the repair, with the same soft labels up to the step of its grid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_generator, positive_number, to_float, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers
from lpmech.mechanisms.set_valued import as_labels
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState, as_random_source

__all__ = ["Alibi", "AlibiOnGrid", "alibi"]


@dataclass(frozen=True)
class Alibi:
    """As published: o = one-hot(y) + W with K independent Laplace variables W of the given scale. Simulation only.

    Parameters
    ----------
    size : int
        K, at least 1.
    scale : float
        lambda; the density of one noise term is exp(-|w| / lambda) / (2 lambda).

    Raises
    ------
    InvalidInputError
        If K is not a whole number >= 1 or the scale is not a positive finite number.

    Notes
    -----
    Source: zhao2025, App. B.2. The level holds for real numbers, not for the floats of `simulate`: one of these vectors
    can name the label for certain.
    """

    size: int
    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole_number(self.size, "size", 1))
        object.__setattr__(self, "scale", positive_number(self.scale, "scale"))

    @property
    def epsilon(self) -> float:
        """Tight privacy level 2 / lambda, attained where o_y >= 1 and o_y' <= 0; 0 if there is one label."""
        return 2 / self.scale if self.size > 1 else 0.0

    def simulate(self, labels: object, rng: np.random.Generator) -> Array:
        """Noisy vectors in floats, for experiments; never to be released. See `AlibiOnGrid`.

        Parameters
        ----------
        labels : array_like of int, shape (n,)
            True labels 0, ..., K - 1.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float, shape (n, K)

        Raises
        ------
        LabelError
            If a label is not one of 0, ..., K - 1.
        InvalidInputError
            If `rng` is no generator.
        """
        truth, rng = as_labels(labels, self.size), as_generator(rng)
        noisy = rng.laplace(scale=self.scale, size=(truth.size, self.size))
        noisy[np.arange(truth.size), truth] += 1.0
        return noisy

    def posterior(self, noisy: object, prior: object = None) -> Array:
        """Pr[label | o], the soft labels of zhao2025, eq. (29), for the uniform prior.

        In O(K) for each example: the sum over k in (29) is the same for all classes up to one term, so that
        f(o_c) = |o_c| - |o_c - 1| - sum_k |o_k|, and the last sum cancels in the softmax.

        Arguments, shapes and errors as for `lpmech.mechanisms.unary_encoding.UnaryEncoding.posterior`.
        """
        return _posterior(self.size, self.scale, noisy, prior)


class AlibiOnGrid:
    """Repaired: every coordinate of the one-hot label gets discrete Laplace noise on a grid, and is clipped to [0, 1].

    The soft labels of the published form depend on each o_k through its part in [0, 1] only, so that clipping loses
    nothing; the steps are what is lost. Coordinates are released by an exact channel.

    Parameters
    ----------
    size : int
        K, at least 1.
    epsilon : float or PrivacyLevel
        Privacy level.
    steps : int
        The grid is 0, 1/steps, ..., 1; at least 1. One step is the unary encoding with both odds e^(epsilon/2).

    Attributes
    ----------
    coordinate : Channel, 2 x (steps + 1)
        Exact; from the bit, 0 or 1, to a point of the grid, named by its number of steps.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Ours. With a = e^(-epsilon / (2 steps)) a coordinate that is 0 is released as 0 with probability 1 / (1 + a), as
    j / steps with (1 - a) / (1 + a) a^j, and as 1 with a^steps / (1 + a).
    """

    def __init__(self, size: int, epsilon: PrivacyLevel | float, steps: int = 64) -> None:
        self.size, self.steps = whole_number(size, "size", 1), whole_number(steps, "steps", 1)
        half = as_privacy_level(epsilon).share(2)
        self.scale = 1 / half
        rate = half / self.steps
        inner = math.tanh(rate / 2) * np.exp(-rate * np.arange(1, self.steps))
        ends = [1 / (1 + math.exp(-rate)), math.exp(-half) / (1 + math.exp(-rate))]
        absent = np.array([ends[0], *inner, ends[1]])
        self.coordinate = Channel([absent, absent[::-1]]).exact(half)

    @property
    def epsilon(self) -> float:
        """Tight privacy level: twice that of a coordinate, as two one-hot vectors differ in two; 0 for one label."""
        return 2 * self.coordinate.epsilon if self.size > 1 else 0.0

    def sample(self, labels: object, random_state: RandomState = None) -> Array:
        """Release every label independently and exactly, as points of the grid, floats of shape (n, K).

        Arguments and errors as for `lpmech.mechanisms.unary_encoding.UnaryEncoding.sample`.
        """
        truth, source = as_labels(labels, self.size), as_random_source(random_state)
        bits = (truth[:, None] == np.arange(self.size)).astype(np.intp)
        return self.coordinate.sample(bits.ravel(), source).reshape(bits.shape) / self.steps

    def posterior(self, noisy: object, prior: object = None) -> Array:
        """Pr[label | o] of every row, shape (n, K); see `Alibi.posterior`."""
        return _posterior(self.size, self.scale, noisy, prior)


def alibi(size: int, epsilon: PrivacyLevel | float) -> Alibi:
    """ALIBI at privacy level epsilon: scale 2 / epsilon, since two one-hot vectors are 2 apart in the L1 norm.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    return Alibi(size, 2 / as_privacy_level(epsilon).epsilon)


def _posterior(size: int, scale: float, noisy: object, prior: object) -> Array:
    values = as_numbers(noisy, "noisy")
    if values.ndim != 2 or values.shape[1] != size or not np.all(np.isfinite(values)):
        raise InvalidInputError("noisy", f"shape {values.shape}", f"finite numbers of shape (n, {size})")
    weights = to_float(as_prior(prior, size))
    with np.errstate(divide="ignore"):
        exponents = np.clip(2 * values - 1, -1.0, 1.0) / scale + np.log(weights)
    powers = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
