"""Random bits for releases: a ChaCha20 stream, keyed by the operating system or, to reproduce an experiment, by a seed.

The noise of a release is as secret as the labels: who knows the seed, or can try all seeds, takes the noise off again.
Without a seed the key has 256 bits from `secrets`. A given seed counts with all of its up to 128 bits, and is for
simulations, or has to be drawn at random, kept secret and used once. numpy's global state is never read. A child
process that was forked never repeats its parent's bits: what two people's labels are hidden by must not be the same.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from numbers import Integral

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError

__all__ = ["RandomSource", "RandomState", "as_random_source"]

#: What a `random_state` may be; see `as_random_source`.
RandomState = object

_SEED_BITS = 128


class RandomSource:
    """Independent uniform bits: the key stream of ChaCha20.

    Parameters
    ----------
    key : bytes, optional
        32 bytes. Two sources of one key give the same bits. If omitted, the operating system's entropy, and a new key
        in every process that is forked from this one.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._given = key is not None
        self._start(secrets.token_bytes(32) if key is None else key)

    def _start(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

        self._stream, self._process = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor(), os.getpid()

    def words(self, count: int) -> Array:
        """Uniform 64-bit words, uint64 of shape (count,).

        Raises
        ------
        InvalidInputError
            In a process that was forked after the source got its key from a seed: the parent has the same bits.
        """
        if os.getpid() != self._process:
            if self._given:
                allowed = "a source of its own in each process: as_random_source with another seed there"
                raise InvalidInputError("random_state", "a seeded source of the process that forked this one", allowed)
            self._start(secrets.token_bytes(32))
        return np.frombuffer(self._stream.update(bytes(8 * count)), dtype=np.uint64)

    def below(self, bound: int, count: int) -> Array:
        """Uniform whole numbers 0 <= n < bound <= 2^63, int64 of shape (count,): words are cut to bits and rejected."""
        bits = (bound - 1).bit_length()
        found = np.zeros(count, dtype=np.int64)
        missing = count if bits else 0
        while missing:
            drawn = self.words(missing) >> np.uint64(64 - bits)
            kept = drawn[drawn < np.uint64(bound)]
            found[count - missing : count - missing + kept.size] = kept
            missing -= kept.size
        return found

    def generator(self) -> np.random.Generator:
        """A numpy generator, its 128-bit seed from this source, for what is no noise: shuffles, models, simulations."""
        return np.random.default_rng(int.from_bytes(self.words(2).tobytes(), "little"))


def as_random_source(random_state: RandomState = None) -> RandomSource:
    """The source of random bits that `random_state` means.

    Parameters
    ----------
    random_state : None, int, numpy.random.Generator, numpy.random.RandomState or RandomSource
        None: a fresh key from the operating system, for releases. A whole number of at most 128 bits: the same bits
        every time, for experiments. A numpy generator: keyed by its next 256 bits, which a forked copy of it has, too,
        for experiments. A source: itself, so that several calls draw from one stream.

    Raises
    ------
    InvalidInputError
        If it is anything else; numpy's global state, which other code may have seeded, is refused.
    """
    if random_state is None:
        return RandomSource()
    if isinstance(random_state, RandomSource):
        return random_state
    if isinstance(random_state, (np.random.Generator, np.random.RandomState)):
        if random_state is not np.random.mtrand._rand:
            return RandomSource(random_state.bytes(32))
    elif isinstance(random_state, Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if 0 <= seed < 1 << _SEED_BITS:
            return RandomSource(hashlib.sha256(seed.to_bytes(_SEED_BITS // 8, "little")).digest())
    raise InvalidInputError(
        "random_state",
        random_state,
        "None (the operating system's entropy), a whole number of at most 128 bits, or a numpy Generator or "
        "RandomState of its own",
    )
