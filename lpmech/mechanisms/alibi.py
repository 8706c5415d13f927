"""ALIBI: Laplace noise on the one-hot label, and the Bayesian posterior of the label as soft label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lpmech.entries import Array, as_generator, positive_number, to_float, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.continuous import as_numbers
from lpmech.mechanisms.unary_encoding import _labels
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["Alibi", "alibi"]


@dataclass(frozen=True)
class Alibi:
    """Release o = one-hot(y) + W with K independent Laplace variables W of the given scale.

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
    Source: zhao2025, App. B.2.
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

    def sample(self, labels: object, rng: np.random.Generator) -> Array:
        """Release every label independently.

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
        truth, rng = _labels(labels, self.size), as_generator(rng)
        noisy = rng.laplace(scale=self.scale, size=(truth.size, self.size))
        noisy[np.arange(truth.size), truth] += 1.0
        return noisy

    def posterior(self, noisy: object, prior: object = None) -> Array:
        """Pr[label | o], the soft labels of (29) for the uniform prior, in O(K) for each example.

        The sum over k in (29) is the same for all classes up to one term, so that
        f(o_c) = |o_c| - |o_c - 1| - sum_k |o_k|, and the last sum cancels in the softmax.

        Parameters
        ----------
        noisy : array_like, shape (n, K)
            Released vectors.
        prior : array_like, shape (K,), optional
            Uniform if omitted.

        Returns
        -------
        ndarray of float, shape (n, K)

        Raises
        ------
        InvalidInputError, PriorError
            If an argument is not usable.
        """
        values = as_numbers(noisy, "noisy")
        if values.ndim != 2 or values.shape[1] != self.size or not np.all(np.isfinite(values)):
            raise InvalidInputError("noisy", f"shape {values.shape}", f"finite numbers of shape (n, {self.size})")
        weights = to_float(as_prior(prior, self.size))
        with np.errstate(divide="ignore"):
            exponents = np.clip(2 * values - 1, -1.0, 1.0) / self.scale + np.log(weights)
        powers = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)


def alibi(size: int, epsilon: PrivacyLevel | float) -> Alibi:
    """ALIBI at privacy level epsilon: scale 2 / epsilon, since two one-hot vectors are 2 apart in the L1 norm.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    return Alibi(size, 2 / as_privacy_level(epsilon).epsilon)
