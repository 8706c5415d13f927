"""What the authors of a paper answer to its verdicts: a file beside the paper, printed where it belongs.

Beside ``my_paper.py`` it is ``my_paper.reply.toml``, in the directory of a package ``reply.toml``::

    from = "The authors, 31 January 2026"
    general = "We thank ..."

    [claims]
    "Lemma 4" = "Only $K = 2$ is meant."
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lpmech.claims import Paper
from lpmech.errors import DataFileError
from lpmech.mathematics import check_text

__all__ = ["Reply", "reply_file", "reply_to"]

#: The keys of a file.
_KEYS = ("from", "general", "claims")


@dataclass(frozen=True)
class Reply:
    """An answer to the verdicts on a paper.

    Attributes
    ----------
    by : str
        Who answers, and when.
    general : str
        To all of them, in the notation of texts; or nothing.
    claims : mapping of str to str
        To single claims, by id.
    """

    by: str = ""
    general: str = ""
    claims: Mapping[str, str] = field(default_factory=dict)


def reply_file(paper: Paper) -> Path:
    """Where the answer to the verdicts on a paper stands, if there is one."""
    file = Path(paper.file)
    return file.parent / "reply.toml" if file.stem in ("__init__", "paper") else file.with_suffix(".reply.toml")


def reply_to(paper: Paper) -> Reply:
    """The answer to the verdicts on a paper; an empty one where there is no file.

    Raises
    ------
    DataFileError
        If the file cannot be read, or answers to a claim that the paper does not have.
    NotationError
        If a text cannot be read; see `lpmech.mathematics.reader`.
    """
    file = reply_file(paper)
    if not file.is_file():
        return Reply()
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise DataFileError("reply", str(file), f"a TOML file ({exc})") from exc
    claims = read.get("claims", {})
    if set(read) - set(_KEYS) or not isinstance(claims, dict):
        raise DataFileError("reply", f"{file}: {', '.join(read)}", f"the keys {', '.join(_KEYS)}; claims is a table")
    for id, text in claims.items():
        if id not in paper.claims:
            raise DataFileError("reply", f"{file}: {id}", f"ids of claims of {paper.key}")
        _check(file, id, text)
    for name in ("from", "general"):
        _check(file, name, read.get(name, ""))
    if (claims or read.get("general")) and not read.get("from"):
        raise DataFileError("reply", str(file), 'who answers: from = "The authors, 31 January 2026"')
    return Reply(read.get("from", ""), read.get("general", ""), claims)


def _check(file: Path, name: str, text: object) -> None:
    if not isinstance(text, str):
        raise DataFileError("reply", f"{file}: {name}", "a text")
    check_text(text, f"{name} of {file.name}")
