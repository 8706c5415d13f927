"""Files of proofs: read with limits, checked, and what they show in words."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from lpmech.certify.checker import shown as quoted
from lpmech.certify.proofs.reading import RefusedProofError
from lpmech.certify.proofs.rules import check

__all__ = ["FORMAT", "Shown", "ShownFile", "check_file", "main", "parse", "read_proofs"]

FORMAT = "lpmech-proof-2"
MAX_BYTES, MAX_PROOFS, MAX_DEEP, MAX_TEXT = 2**26, 500, 400, 2000


class Shown(NamedTuple):
    """One statement: its name, its goal as it stands in the file, and what it relies on that has no object."""

    name: str
    parameters: dict[str, str]
    hypotheses: tuple[str, ...]
    conclusion: str
    unchecked: tuple[str, ...]

    def __str__(self) -> str:
        """The statement, its hypotheses, and only then that it holds."""
        sorts = [
            f"{quoted(name)} {'a whole' if sort == 'whole' else 'a real'} number"
            for name, sort in self.parameters.items()
        ]
        lines = [f"{quoted(self.name)}:", f"  {_line(self.conclusion)}"]
        lines += [f"  for all: {', '.join(sorts)}"] if sorts else []
        lines += [f"  where {_line(hypothesis)}" for hypothesis in self.hypotheses]
        named = ", ".join(map(quoted, self.unchecked))
        return "\n".join([*lines, f"  not checked: it relies on {named}" if self.unchecked else "  holds: checked"])


class ShownFile(NamedTuple):
    """What a file shows."""

    title: str
    shown: tuple[Shown, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing relies on what has no object."""
        return not any(one.unchecked for one in self.shown)

    def __str__(self) -> str:
        """All statements, and how many of them are proved."""
        done = sum(not one.unchecked for one in self.shown)
        last = f"{done} of {len(self.shown)} statements are proved by objects that this program has checked"
        return "\n".join([f"titled by its maker, not checked: {quoted(self.title)}", *map(str, self.shown), last])


def check_file(data: object) -> ShownFile:
    """Check all proofs of a file.

    Raises
    ------
    RefusedProofError
        If anything is malformed, or a step does not follow.
    """
    if not isinstance(data, dict) or data.keys() != {"format", "title", "proofs"} or data["format"] != FORMAT:
        raise RefusedProofError(f"no file of proofs: an object with format {FORMAT}, title and proofs")
    title, proofs = data["title"], data["proofs"]
    if not isinstance(title, str) or len(title) > MAX_TEXT or not isinstance(proofs, list):
        raise RefusedProofError("title or proofs are not as they should be")
    if not 0 < len(proofs) <= MAX_PROOFS:
        raise RefusedProofError(f"{len(proofs)} proofs, not 1 to {MAX_PROOFS}")
    return ShownFile(title, tuple(map(_checked, proofs)))


def _checked(entry: Any) -> Shown:
    if not isinstance(entry, dict) or entry.keys() != {"name", "proof"} or not isinstance(entry["name"], str):
        raise RefusedProofError("a proof has a name and a proof")
    try:
        _, unchecked = check(entry["proof"])
    except RefusedProofError as exc:
        raise RefusedProofError(f"{quoted(entry['name'])}: {exc}") from exc
    goal = entry["proof"]["goal"]
    return Shown(entry["name"], dict(goal["parameters"]), tuple(goal["hypotheses"]), goal["conclusion"], unchecked)


def parse(text: str) -> Any:
    """The data of JSON text, read strictly: no floats, no constants, no repeated keys, not nested too deeply.

    Raises
    ------
    RefusedProofError
        If the text is anything else.
    """
    depth = most = 0
    for character in text:  # brackets inside of texts only make it stricter
        depth += (character in "[{") - (character in "]}")
        most = max(most, depth)
    if most > MAX_DEEP:
        raise RefusedProofError(f"brackets nested more than {MAX_DEEP} deep")
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_float=_refused, parse_constant=_refused)
    except (ValueError, RecursionError) as exc:
        raise RefusedProofError(f"not JSON: {exc}") from exc


def read_proofs(path: str | os.PathLike[str]) -> Any:
    """The data of a file, not checked.

    Raises
    ------
    OSError
        If there is no regular file that can be read.
    RefusedProofError
        If it is larger than `MAX_BYTES`, not UTF-8, or refused by `parse`.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a regular file")
    with open(path, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise RefusedProofError(f"the file has more than {MAX_BYTES} bytes")
    try:
        return parse(content.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise RefusedProofError(f"not UTF-8: {exc}") from exc


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RefusedProofError("an entry occurs twice in one object")
    return found


def _refused(text: str) -> Any:
    raise RefusedProofError(f"{text[:20]} is no whole number")


def _line(text: str) -> str:
    """A formula of somebody else on one printable line."""
    return text if text.isprintable() else ascii(text)


def main(arguments: Sequence[str]) -> int:
    """Check the file named on the command line; 0 if all it states is proved by objects, 1 if some of it, else 2."""
    if len(arguments) != 1:
        print("usage: python -m lpmech.certify.proofs FILE.json", file=sys.stderr)
        return 2
    try:
        found = check_file(read_proofs(arguments[0]))
    except (OSError, RefusedProofError) as exc:
        print(f"not proved: {quoted(arguments[0])}: {exc}", file=sys.stderr)
        return 2
    sys.stdout.buffer.write(f"{found}\n".encode(errors="backslashreplace"))
    sys.stdout.flush()
    return 0 if found.complete else 1
