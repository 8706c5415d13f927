"""Files of proofs: what was shown, each part with its object; `lpmech.certify.proofs` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lpmech.prove.answers import Holds
from lpmech.prove.objects import FORMAT, Node, to_data

__all__ = ["keep", "kept_proofs", "proof_file"]

_kept: ContextVar[list[tuple[str, Holds]] | None] = ContextVar("proofs kept", default=None)


@contextmanager
def kept_proofs() -> Iterator[list[tuple[str, Holds]]]:
    """The answers by name that `keep` is given inside the block."""
    kept: list[tuple[str, Holds]] = []
    token = _kept.set(kept)
    try:
        yield kept
    finally:
        _kept.reset(token)


def keep(name: str, answer: Holds) -> None:
    """Keep an answer by its name, where somebody wants to have its proof."""
    kept = _kept.get()
    if kept is not None:
        kept.append((name, answer))


def proof_file(title: str, proofs: Iterable[tuple[str, Node]]) -> str:
    """The text of a file with proofs by their names.

    Parameters
    ----------
    title : str
        What the file is about: what its maker says, which no checker can compare with what is proved.
    proofs : iterable of (str, Node)
        In the small steps that the checker follows: `lpmech.prove.explicit`.
    """
    data = {
        "format": FORMAT,
        "title": title,
        "proofs": [{"name": name, "proof": to_data(proof)} for name, proof in proofs],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
