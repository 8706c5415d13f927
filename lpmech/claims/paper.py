"""A paper: its claims in their order, and the decorator that registers them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from lpmech.claims.claim import AnyCheck, Claim, Consequence, Kind, Repair, kind_of
from lpmech.claims.holding import WRONG_CONDITIONS, found_condition, settled_by
from lpmech.errors import LabelError
from lpmech.mathematics import check_text
from lpmech.statements.loops import looked_through
from lpmech.verdicts import Outcome, Verdict

if TYPE_CHECKING:
    from lpmech.claims.at import Compared
    from lpmech.statements.coverage import Stated

__all__ = ["Paper", "loaded_again", "papers_made"]

#: The verdicts that can be on record.
_RECORDABLE = tuple(verdict for verdict in Verdict if verdict is not Verdict.UNDECIDED)

_made: ContextVar[list[Paper] | None] = ContextVar("papers made", default=None)


@contextmanager
def papers_made() -> Iterator[list[Paper]]:
    """The papers that are constructed inside the block, also those whose name is overwritten later."""
    found: list[Paper] = []
    token = _made.set(found)
    try:
        yield found
    finally:
        _made.reset(token)


_again: ContextVar[bool] = ContextVar("loaded again", default=False)


@contextmanager
def loaded_again() -> Iterator[None]:
    """Inside the block papers are loaded that another process has loaded: what it has looked through is right."""
    token = _again.set(True)
    try:
        yield
    finally:
        _again.reset(token)


#: The repair that is computed where the claim is run.
_COMPUTED = Repair(
    "the relation that fails holds if and only if the condition does that is found for it",
    found_condition,
    WRONG_CONDITIONS,
)


def _unset(_: Any) -> Outcome:
    raise LabelError("check", None, "a decorated function")


class Paper:
    """The claims of one paper, in the paper's order.

    Parameters
    ----------
    key, title : str
        Key (``"liu2026"``) and full title with authors.
    letters : mapping of str to str, optional
        A glossary for readers: what the letters of the claims stand for, in the notation of texts.
    kind : str
        What a claim is whose id does not say it.

    Attributes
    ----------
    file : str
        The file in which the paper is made.
    """

    def __init__(
        self, key: str, title: str, letters: Mapping[str, str] | None = None, *, kind: str = Kind.REMARK
    ) -> None:
        self.key = key
        self.title = title
        self.kind = _member(Kind, "kind", kind, key)
        self.letters = dict(letters or {})
        for text in (*self.letters, *self.letters.values()):
            check_text(text, f"letters of {key}")
        self.file, _ = _caller()
        self.claims: dict[str, Claim] = {}
        self.not_checkable: dict[str, str] = {}
        made = _made.get()
        if made is not None:
            made.append(self)

    def claim(
        self,
        id: str,
        statement: str,
        *,
        formula: Any,
        mutants: Mapping[str, Any] | None = None,
        recorded: str | None = None,
        readings: Mapping[str, str] | None = None,
        hypotheses: str = "",
        given: Sequence[Any] = (),
        evidence: str = "",
        family: str = "",
        every: str | Stated = "",
        replay: str = "",
        method: str = "",
        compare: Callable[..., Iterable[Compared]] | None = None,
        kind: str | None = None,
        consequence: str | None = None,
        cause: str = "",
        headline: int | None = None,
        repair: Repair | Literal["when"] | None = None,
        repairs: str | Sequence[str] = (),
        in_words: str = "",
        uses: Sequence[str] = (),
        control: Any = None,
        survivors: str | Mapping[str, str] = "",
        note: str = "",
    ) -> Callable[[AnyCheck], AnyCheck]:
        """Register the decorated check; see `Claim` for the arguments.

        A claim is recorded as proved unless it says otherwise, as refuted where a `repair` or a `control` is given, as
        unclear where `readings` are, else as certified where a `family` is. The kind is read off the id unless it is
        given. A `repair` is settled by the same check, and becomes the claim after this one; a repair with a check of
        its own is a claim that says which ones it `repairs`. With ``repair="when"`` the claim after this one says that
        the relation that fails holds if and only if a condition does, which `lpmech.conditions` finds and the engine
        proves both ways; its evidence tells it. Mutants need not be written where they can be derived
        from the formula, the control, or the repair that the same check settles.

        Raises
        ------
        LabelError
            If the id is taken, there is no mutant and none can be derived, no such verdict, kind or consequence, a
            repair where nothing is refuted, or if an unclear claim has no readings or readings that agree.
        NotationError
            If a text cannot be read: mathematics stands between dollars, see `lpmech.mathematics.reader`.
        """
        wrong = repair is not None or control is not None
        implied = "refuted" if wrong else "certified" if family and not readings else None
        verdict = _verdict(f"{self.key} {id}", recorded or implied, readings)
        if repair is not None and verdict is not Verdict.REFUTED:
            given_repair = repair if isinstance(repair, str) else repair.statement
            raise LabelError("repair", given_repair, f"no repair, as {self.key} {id} is not recorded as refuted")
        for name, given_for in (("consequence", consequence), ("cause", cause)):
            if given_for and not verdict.is_not_true:
                raise LabelError(name, given_for, f"none, as {self.key} {id} is recorded as {verdict}")
        file, line = _caller()
        made = Claim(
            self.key, id, statement, hypotheses, verdict, _unset, formula, mutants or {},
            kind=_member(Kind, "kind", kind, id) if kind else kind_of(id, repairs=bool(repairs), otherwise=self.kind),
            consequence=_member(Consequence, "consequence", consequence, id) if consequence else None,
            cause=cause,
            headline=headline,
            readings={text: Verdict(found) for text, found in (readings or {}).items()},
            repairs=(repairs,) if isinstance(repairs, str) else tuple(repairs),
            in_words=in_words, uses=tuple(uses), given=tuple(given), evidence=evidence, family=family, every=every,
            replay=replay, method=method, compare=compare, control=control, survivors=survivors, note=note,
            source=f"{file}:{line}",
        )  # fmt: skip
        places = [made]
        if repair is not None:
            places.append(_twin(made, _COMPUTED if repair == "when" else repair))
        # Stacked decorators are evaluated from the top and applied from the bottom: the places are taken here, so
        # that claims stand in the order in which they are read.
        for claim in places:
            if not any(known.mutants or known.right is not None for known in places):
                raise LabelError("mutants", claim.mutants, f"at least one mutant for {self.key} {claim.id}")
            self._take(claim)

        def register(check: AnyCheck) -> AnyCheck:
            check.__doc__ = check.__doc__ or statement
            if not _again.get():
                looked_through(check, whole=bool(every) and not (family or replay), exact=not (replay or method))
            for claim in places:
                computed = repair == "when" and claim is not made
                self.claims[claim.id] = replace(claim, check=settled_by(self.claims[id].run) if computed else check)
            return check

        return register

    def _take(self, claim: Claim) -> None:
        texts = [("statement", claim.statement), ("hypotheses", claim.hypotheses), ("note", claim.note)]
        texts.append(("in_words", claim.in_words))
        for name, text in [*texts, *(("readings", text) for text in claim.readings)] if not _again.get() else ():
            check_text(text, f"{name} of {self.key} {claim.id}")
        if claim.id in self.claims:
            raise LabelError("id", claim.id, "an id not used before in this paper")
        self.claims[claim.id] = claim

    def repair_of(self, id: str) -> Claim | None:
        """The claim that puts a refuted one right; None where none is known."""
        return next((claim for claim in self.claims.values() if id in claim.repairs), None)

    def leave_out(self, item: str, why: str) -> None:
        """List an item that no machine can check, with the reason.

        Raises
        ------
        NotationError
            If the reason cannot be read; see `lpmech.mathematics.reader`.
        """
        check_text(why, f"why of {self.key} {item}")
        self.not_checkable[item] = why


def _verdict(name: str, recorded: str | None, readings: Mapping[str, str] | None) -> Verdict:
    """The verdict on record, once it and those of the readings are found to be possible."""
    for found in (*(readings or {}).values(), *([] if recorded is None else [recorded])):
        if found not in _RECORDABLE:
            raise LabelError("recorded", found, f"one of {', '.join(_RECORDABLE)} for {name}")
    verdict = Verdict(recorded or (Verdict.UNCLEAR if readings else Verdict.PROVED))
    if verdict is Verdict.UNCLEAR and len(set((readings or {}).values())) < 2:
        raise LabelError("readings", readings, f"at least two that have different verdicts, for the unclear {name}")
    return verdict


def _member(of: Any, argument: str, value: str, id: str) -> Any:
    if value not in list(of):
        raise LabelError(argument, value, f"one of {', '.join(of)} for {id}")
    return of(value)


def _twin(refuted: Claim, repair: Repair) -> Claim:
    """The claim that a repair is, with the refuted claim's check."""
    recorded = repair.recorded or ("certified" if refuted.family else "proved")
    if recorded not in (Verdict.PROVED, Verdict.CERTIFIED):
        raise LabelError("recorded", recorded, f"proved or certified for the repair of {refuted.id}")
    return replace(
        refuted,
        id=repair.id or f"{refuted.id} [repaired]",
        statement=repair.statement,
        hypotheses=refuted.hypotheses if repair.hypotheses is None else repair.hypotheses,
        recorded=Verdict(recorded),
        formula=repair.formula,
        mutants=repair.mutants,
        kind=Kind.OURS,
        consequence=None,
        cause="",
        in_words="",
        headline=None,
        repairs=(refuted.id,),
        control=None,
        survivors=repair.survivors,
        note=repair.note,
    )


def _caller() -> tuple[str, int]:
    """File and line of the code outside this module that called a method here."""
    frame = sys._getframe(2)
    return frame.f_code.co_filename, frame.f_lineno
