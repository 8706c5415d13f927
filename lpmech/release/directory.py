"""What the directories of all designs have in common: their files, written as one, and known again by their digests."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from lpmech.budgets import require
from lpmech.errors import DataFileError
from lpmech.files.whole import write_directory
from lpmech.release.record import BINS_FILE, CHANNEL_FILE, OTHER_FILES, Release
from lpmech.release.sealing import RELEASE_FILE, check_digest

__all__ = ["FILES", "check_files", "regular_release", "sealed", "table", "write_design"]

#: Every file that a design may write.
FILES = (RELEASE_FILE, CHANNEL_FILE, BINS_FILE, *OTHER_FILES)


def write_design(directory: Path, files: Mapping[str, str | bytes], overwrite: bool) -> None:
    """Write the directory as one; an existing one only if it is empty, or to be overwritten and holds a design.

    Raises
    ------
    DataFileError
        If something else is there, or it cannot be written; what was there is then unchanged.
    """
    write_directory(directory, files, FILES if overwrite else None)


def sealed(
    release: Release, files: Mapping[str, str | bytes], edges: Sequence[Fraction] = ()
) -> dict[str, str | bytes]:
    """All files of a directory: the given ones, edges of bins if there are some, and release.json with digests."""
    if edges:
        limits = zip(release.labels, pairwise(edges), strict=True)
        files = {**files, BINS_FILE: table(("label", "from", "to"), [(name, *pair) for name, pair in limits])}
    digests = {
        name: hashlib.sha256(content.encode("utf-8") if isinstance(content, str) else content).hexdigest()
        for name, content in files.items()
    }
    return {RELEASE_FILE: replace(release, files=digests).to_json(), **files}


def table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def regular_release(place: Path) -> Release:
    """The release of a directory of nothing but regular files where a design has some.

    Raises
    ------
    DataFileError, ReleaseError
        If there is something else of these names, or as `Release.load`.
    """
    for name in FILES:
        if os.path.lexists(place / name) and not os.path.isfile(place / name):
            raise DataFileError("design", str(place / name), "a regular file, as `lpmech design` writes it")
    return Release.load(place)


def check_files(place: Path, release: Release, always: Collection[str]) -> None:
    """Refuse a directory unless its files are those of release.json: none changed, missing or added.

    Raises
    ------
    DataFileError, ReleaseError
        If so.
    """
    for name in FILES[1:]:
        stated = release.files.get(name)
        lacking = stated is None and name in always
        require(not lacking, f"{RELEASE_FILE}: files", f"no {name}", "every file of the design")
        check_digest(place / name, stated)
