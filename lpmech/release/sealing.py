"""What makes a file belong to others: a seal over its own entries, digests of its neighbours, every key once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import Any

from lpmech.budgets import require
from lpmech.errors import DataFileError

__all__ = [
    "RELEASE_FILE",
    "check_digest",
    "check_keys",
    "digest_of_entries",
    "indented",
    "seal_of",
    "without_duplicates",
]

RELEASE_FILE = "release.json"


def seal_of(data: Mapping[str, Any]) -> str:
    """SHA-256 of all entries of release.json but the seal, as JSON in ASCII with sorted keys and without spaces.

    It tells of changes, and through the digests in `files` of changes of the files beside it; it is no signature.
    """
    return digest_of_entries({key: value for key, value in data.items() if key != "seal"})


def digest_of_entries(data: Mapping[str, Any]) -> str:
    """SHA-256 of entries as JSON in ASCII with sorted keys and without spaces."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def indented(value: Any, depth: int = 0) -> str:
    """`json.dumps(value, indent=1, ensure_ascii=False)` of objects with names, without its generator for every text."""
    if not value or not isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        parts, ends = [f"{_quoted(name)}: {indented(part, depth + 1)}" for name, part in value.items()], "{}"
    elif all(type(v) is str for v in value):
        line = "\n" + " " * depth
        return f"[{line} {json.dumps(value, ensure_ascii=False, separators=(f',{line} ', ''))[1:-1]}{line}]"
    else:
        parts, ends = [indented(v, depth + 1) for v in value], "[]"
    line = "\n" + " " * depth
    return f"{ends[0]}{line} " + f",{line} ".join(parts) + line + ends[1]


def check_digest(path: Path, stated: str | None) -> None:
    """Refuse a file beside release.json that is not the one of the SHA-256 stated there, None for no file.

    Raises
    ------
    ReleaseError
        If it was changed or added.
    DataFileError
        If it is missing or unreadable.
    """
    if stated is None:
        require(not path.exists(), "design", str(path), f"no file that {RELEASE_FILE} does not name")
        return
    try:
        if not path.is_file():  # a pipe might never end
            raise FileNotFoundError(None, "No such file")
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise DataFileError("design", str(path), f"the file that {RELEASE_FILE} names ({exc.strerror})") from exc
    require(found == stated, "design", str(path), f"the file of the SHA-256 in {RELEASE_FILE}: it was changed since")


def check_keys(data: Mapping[str, Any], argument: str, needed: set[str], more: set[str]) -> None:
    """Refuse an object that lacks a key or has one that is unknown."""
    lacking, unknown = sorted(needed - set(data)), sorted(set(data) - needed - more)
    require(not lacking, argument, f"no {', '.join(lacking)}", "every key")
    require(not unknown, argument, ", ".join(unknown), f"no keys but {', '.join(sorted(needed | more))}")


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `json.loads`; refused if it has a key twice."""
    found = dict(pairs)
    require(len(found) == len(pairs), "release", [key for key, _ in pairs], "every key once")
    return found
