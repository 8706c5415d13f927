"""The ledger as text: what is written, and how much of what is read is believed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from lpmech.budgets import amount_of, amount_text, require
from lpmech.errors import DataFileError, LpmechError, ReleaseError
from lpmech.labels.row_choice import RowChoice
from lpmech.privacy import MAX_EPSILON
from lpmech.release.entry import Entry, NoisyCounts, total_of
from lpmech.release.fingerprints import hashes_of, keyed
from lpmech.release.sealing import without_duplicates
from lpmech.release.spent import COMPOSITIONS

__all__ = ["MAX_BYTES", "key_beside", "ledger_text", "parsed"]

_FORMAT, _VERSION = "lpmech-ledger", 2

#: Of a ledger file, and rows of one entry.
MAX_BYTES, _MAX_ROWS = 256 * 2**20, 10**12

#: Names in version 1 of what were hashes without a key.
_UNKEYED = {
    "file_sha256": "file_digest",
    "labels_sha256": "labels_digest",
    "texts_sha256": "texts_digest",
}


def key_beside(ledger: Path) -> Path:
    """The file of the key of a ledger."""
    return ledger.with_name(f"{ledger.name}.key")


def ledger_text(path: Path, entries: Sequence[Entry], key: bytes, hashes: Mapping[str, str]) -> str:
    """The content of a ledger's file.

    Raises
    ------
    DataFileError
        If it would be too large to be read again.
    """
    data = {
        "format": _FORMAT,
        "version": _VERSION,
        "key": _name_of(key),
        "entries": [asdict(entry) for entry in entries],
        "hashes": dict(hashes),
    }
    text = json.dumps(data, indent=1) + "\n"
    if len(text) > MAX_BYTES:
        allowed = f"a ledger of at most {MAX_BYTES >> 20} MiB: this one is full, --ledger with a new one"
        raise DataFileError("ledger", str(path), allowed)
    return text


def parsed(path: Path, text: str, key: bytes, *, lost: bool) -> tuple[tuple[Entry, ...], bytes, dict[str, str]]:
    """Entries, key and hashes of a ledger from its text and key, a new one where it is lost.

    Version 1 had hashes without a key: they are put under the key, and so recognise what they recognised; the next
    entry is written without them.

    Raises
    ------
    DataFileError
        If the text is not as a ledger is written, or the key is lost or another one.
    """
    try:
        data = json.loads(text, object_pairs_hook=without_duplicates, parse_constant=_no_number)
        if data["format"] != _FORMAT or data["version"] not in (1, _VERSION) or type(data["version"]) is not int:
            raise ValueError(f"not version {_VERSION} of {_FORMAT}")
        items = data["entries"]
        require(isinstance(items, list), "entries", type(items).__name__, "a list")
        if data["version"] == 1:
            items, hashes = [_under_key(item, key) for item in items], {}
        else:
            hashes = data["hashes"]
            require(isinstance(hashes, dict) and all(map(hashes_are, hashes.values())), "hashes", "others", "hashes")
        entries = tuple(_numbered(number, item, hashes) for number, item in enumerate(items, 1))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, LpmechError) as exc:
        raise DataFileError("ledger", str(path), f"a ledger as it was written ({exc})") from exc
    if data["version"] == _VERSION and entries and data.get("key") != _name_of(key):
        how = "which is lost" if lost else "not another one"
        raise DataFileError(
            "key",
            str(key_beside(path)),
            f"the key of {path.name}, {how}: put it back from a copy. Without it nobody knows whose labels the "
            f"{len(entries)} entries are about; if it is lost for good, move the ledger away and count "
            f"epsilon = {amount_text(total_of(entries))} as spent on every label in this directory",
        )
    return entries, key, hashes


def hashes_are(packed: object) -> bool:
    """Whether a text holds hashes of rows."""
    return isinstance(packed, str) and hashes_of(packed).ndim == 1


def _name_of(key: bytes) -> str:
    """By which a ledger knows its key."""
    return keyed(key, _FORMAT)[:32]


def _under_key(item: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    found = {_UNKEYED.get(name, name): value for name, value in item.items()}
    for name in _UNKEYED.values():
        if isinstance(found.get(name), str):
            found[name] = keyed(key, found[name])
    return found


def _numbered(number: int, item: object, hashes: Mapping[str, str]) -> Entry:
    """An entry, or an error that names it."""
    try:
        return _entry(item, hashes)
    except (ValueError, KeyError, TypeError, AttributeError, LpmechError) as exc:
        raise ReleaseError(f"entry {number}", str(exc), "what was spent, as it was written") from exc


def _entry(item: object, hashes: Mapping[str, str]) -> Entry:
    if not isinstance(item, dict):
        raise ReleaseError("entries", type(item).__name__, "objects")
    parts = dict(item)
    choice, noisy = parts.pop("choice", None), parts.pop("noisy", None)
    entry = Entry(
        **parts,
        choice=None if choice is None else RowChoice(**choice),
        noisy=None if noisy is None else _noisy(**noisy),
    )
    texts = {name: value for name, value in vars(entry).items() if name not in ("rows", "choice", "noisy")}
    optional = {field.name for field in fields(Entry) if field.default is None} | {"labels_digest"}
    for name, value in texts.items():
        require(isinstance(value, str) or (value is None and name in optional), name, value, "text")
    allowed = f"a whole number from 0 to {_MAX_ROWS}"
    require(type(entry.rows) is int and 0 <= entry.rows <= _MAX_ROWS, "rows", entry.rows, allowed)
    require(entry.kind in ("release", "prior"), "kind", entry.kind, "release or prior")
    for amount in (entry.epsilon, entry.prior_epsilon):
        usable = amount is None or 0 < amount_of(amount) <= MAX_EPSILON
        require(usable, "epsilon", amount, f"above 0, and at most {MAX_EPSILON:g}")
    _check_prior(entry)
    for known in (entry.rows_known, entry.people_known):
        require(known is None or known in hashes, "hashes", known, "hashes that the ledger has")
    if entry.choice is not None:
        require(0 < amount_of(entry.choice.share) < 1, "share", entry.choice.share, "a share between 0 and 1")
        entry.choice.masks()
    return entry


def _check_prior(entry: Entry) -> None:
    """Noisy counts have a name, a cost and a composition, or nobody could add them up; a purchase costs the same."""
    paid, name = entry.prior_epsilon, entry.purchase or entry.prior_sha256
    if paid is None:
        require(entry.kind == "release", "prior_epsilon", None, "what the noisy counts cost")
        require(entry.composition is None, "composition", entry.composition, "none without noisy counts")
        return
    require(bool(name), "purchase", name, "the name of the noisy counts")
    require(entry.composition in COMPOSITIONS, "composition", entry.composition, " or ".join(COMPOSITIONS))
    same = entry.kind == "release" or amount_of(entry.epsilon) == amount_of(paid)
    require(same, "epsilon", entry.epsilon, f"prior_epsilon, {paid}")


def _noisy(asked: object, labels: object, counts: object) -> NoisyCounts:
    require(isinstance(asked, str), "asked", asked, "text")
    if not isinstance(labels, list) or not all(isinstance(name, str) for name in labels):
        raise ReleaseError("labels", labels, "texts")
    if not isinstance(counts, list) or not all(type(count) is int for count in counts):
        raise ReleaseError("counts", counts, "whole numbers")
    require(len(counts) == len(labels), "counts", counts, "one for each label")
    return NoisyCounts(str(asked), tuple(labels), tuple(counts))


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
