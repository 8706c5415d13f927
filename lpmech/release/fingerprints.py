"""Keyed hashes: what the ledger knows of files and of their rows, and nobody can search for without the key."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from lpmech.entries import Array

__all__ = ["MOST_ROWS", "Digests", "KeyedRows", "hashes_of", "keyed", "row_text"]

#: Rows of one file that are known one by one; of a larger file none is.
MOST_ROWS = 10**6

#: So many rows may differ where rows tell nobody apart, and two files are still taken for one.
_FEW = 5

_UNKEYED, _KEYED = 16, 8


def keyed(key: bytes, data: str) -> str:
    """The keyed hash of a text, 256 bits in hexadecimal."""
    return blake2b(data.encode(), key=key, digest_size=32).hexdigest()


def row_text(row: Sequence[str]) -> str:
    """A row as it is known again: its cells in order, without the blanks around them."""
    return "\0".join([cell.strip() for cell in row])


class Digests:
    """Digests of texts in order, such as the rows of a file; kept in memory only, for they have no key.

    Attributes
    ----------
    count : int
        How many were seen.
    """

    def __init__(self) -> None:
        self._seen = bytearray()
        self.count = 0

    def see(self, texts: Sequence[str]) -> None:
        """Take more of them."""
        self.count += len(texts)
        if self.count > MOST_ROWS:
            self._seen.clear()
            return
        encoded = (text.encode(errors="surrogateescape") for text in texts)
        self._seen += b"".join([blake2b(text, digest_size=_UNKEYED).digest() for text in encoded])

    def repeated(self) -> Array:
        """Positions of the texts that were seen before."""
        return np.flatnonzero(self._occurrences()[0])

    def under(self, key: bytes) -> KeyedRows | None:
        """The hashes under a key; None if there are too many."""
        if self.count > MOST_ROWS:
            return None
        turn, times = self._occurrences()
        texts = [bytes(self._seen[at : at + _UNKEYED]) for at in range(0, len(self._seen), _UNKEYED)]
        return KeyedRows(key, texts, times == 1, _hashes(key, zip(texts, turn.tolist(), strict=True)))

    def _occurrences(self) -> tuple[Array, Array]:
        """Of each text how often it was seen before, and how often in all."""
        words = np.frombuffer(bytes(self._seen), dtype="<u8").reshape(-1, _UNKEYED // 8)
        order = np.lexsort(words.T)
        ordered = words[order]
        starts = np.append(True, np.any(ordered[1:] != ordered[:-1], axis=1))[: len(order)]
        group = np.cumsum(starts) - 1
        first = np.flatnonzero(starts)
        turn, times = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.int64)
        turn[order] = np.arange(len(order)) - first[group]
        times[order] = np.bincount(group, minlength=1)[group]
        return turn, times


@dataclass(frozen=True)
class KeyedRows:
    """The rows of a file under the key of a ledger: the n-th row of one text has a hash of its own.

    So the hashes do not say how often a text occurs, but to who has the key and the texts.

    Attributes
    ----------
    key : bytes
        Of the ledger.
    texts : list of bytes
        Digest of each row without the key.
    single : ndarray of bool
        Which rows occur once in their file.
    hashes : ndarray of uint64
        In the order of the rows.
    """

    key: bytes
    texts: list[bytes]
    single: Array
    hashes: Array

    def packed(self) -> str:
        """The hashes as text, sorted, so that their order tells nothing of that of the rows."""
        return base64.b64encode(np.sort(self.hashes).tobytes()).decode()

    def among(self, known: Array) -> Array:
        """Which rows have hashes among those known."""
        return np.isin(self.hashes, known)

    def shared_with(self, known: Array, *, apart: bool) -> Array:
        """Which rows another file shares, given its hashes.

        Rows that occur once in both are the same people's, if rows tell people apart; and where any are, so are the
        others that both have. Else two files are one if at most a few rows differ.
        """
        both = self.among(known)
        differing = len(self.hashes) + len(known) - 2 * int(both.sum())
        if differing <= min(_FEW, int(both.sum()) // 2):
            return both
        once = np.flatnonzero(both & self.single) if apart else np.empty(0, dtype=np.int64)
        again = np.isin(_hashes(self.key, ((self.texts[at], 1) for at in once.tolist())), known)
        return both & bool(np.any(~again))


def hashes_of(packed: str) -> Array:
    """The hashes that `KeyedRows.packed` wrote.

    Raises
    ------
    ValueError
        If it did not.
    """
    data = base64.b64decode(packed, validate=True)
    if len(data) % _KEYED:
        raise ValueError("rows that are cut off")
    return np.frombuffer(data, dtype="<u8")


def _hashes(key: bytes, texts: Iterable[tuple[bytes, int]]) -> Array:
    found = (blake2b(text + turn.to_bytes(8), key=key, digest_size=_KEYED).digest() for text, turn in texts)
    return np.frombuffer(b"".join(found), dtype="<u8")
