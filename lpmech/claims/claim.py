"""A claim: one numbered statement of a paper with an executable check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from lpmech.errors import ChannelError, InvalidInputError, LabelError, PriorError
from lpmech.mathematics.quotations import quotations_of
from lpmech.verdicts import Outcome, Verdict, refuted, unclear

if TYPE_CHECKING:
    from lpmech.claims.at import Compared
    from lpmech.statements.coverage import Stated

__all__ = ["AnyCheck", "Claim", "Consequence", "Fate", "Kind", "Parts", "Relations", "Repair", "kind_of"]

#: What a check returns that leaves the proof to the engine: by name, relations, or pairs that should be equal.
Relations = Mapping[str, Any]

#: What a check yields, one after the other: an `Instance` with both sides, or True for an instance that holds and the
#: counterexample in words for one that does not; a name and a relation (or pair) that should follow from `given`;
#: hypotheses of its own, and what should follow from them by name; the outcome of a part.
Parts = Iterator[Any]

#: A check: takes the formula under test. A tuple has the outcome of every reading, in their order.
Check = Callable[[Any], Outcome | Relations | Parts | tuple[Outcome, ...]]
AnyCheck = TypeVar("AnyCheck", bound=Check)


class Kind(StrEnum):
    """What a claim is in its paper."""

    DEFINITION = "definition"
    EQUATION = "equation"
    ALGORITHM = "algorithm"
    THEOREM = "theorem"
    PROOF_STEP = "proof step"
    EXAMPLE = "example"
    TABLE = "table"
    REMARK = "remark"
    IMPLEMENTATION = "implementation"
    OURS = "ours"

    @property
    def is_the_papers(self) -> bool:
        """Whether it is a sentence of the paper, neither a question of ours nor about somebody's program."""
        return self not in (Kind.IMPLEMENTATION, Kind.OURS)


class Consequence(StrEnum):
    """What depends on a claim that is not simply true, the gravest first; nobody would follow a slip."""

    PRIVACY = "privacy"
    OPTIMALITY = "optimality"
    BOUND = "bound"
    FORMULA = "formula"
    PROOF = "proof"
    WORDING = "wording"
    SLIP = "slip"


#: What an id says -> what it is; the first that fits. Repairs, and claims about a function of the library, are no
#: sentence of a paper.
_KINDS = (
    (r"Implementation", Kind.IMPLEMENTATION),
    (r".*(\[repaired\b[^]]*\]|[( ]the (functions?|samplers|\w+ as called)\)|\[function\])$", Kind.OURS),
    (r".*\b(proof|step)\b", Kind.PROOF_STEP),
    (r"Def\.|Definition|Assumption", Kind.DEFINITION),
    (r"eq\.|\(", Kind.EQUATION),
    (r"Alg\.|Algorithm", Kind.ALGORITHM),
    (r"Theorem|Lemma|Prop\.|Cor\.|Fact|Observation", Kind.THEOREM),
    (r"Example|Application", Kind.EXAMPLE),
    (r"Table|Fig", Kind.TABLE),
    (r"Appendix|App\.|[A-Z]\.\d", Kind.PROOF_STEP),
    (r"ours|Ours", Kind.OURS),
)


def kind_of(id: str, *, repairs: bool = False, otherwise: Kind = Kind.REMARK) -> Kind:
    """What the paper's number says: ``"Lemma 3.1 (beta)"`` is a theorem, a section's sentence a remark.

    What repairs a sentence of the paper is none. An id that says nothing makes it a remark, or what stands for that.
    """
    kind = next((kind for start, kind in _KINDS if re.match(start, id)), otherwise)
    return Kind.OURS if repairs and kind.is_the_papers else kind


@dataclass(frozen=True)
class Repair:
    """What is right in place of a refuted claim, and settled by the same check.

    Attributes
    ----------
    statement : str
        One line: prose with mathematics between dollars; see `lpmech.mathematics.reader`.
    formula, mutants
        As in `Claim`.
    recorded : str, optional
        ``"proved"`` or ``"certified"``; default: certified where the refuted claim has a `family`, else proved.
    id : str, optional
        Default: the id of the refuted claim with " [repaired]".
    hypotheses : str, optional
        In words; default: those of the refuted claim.
    survivors, note
        As in `Claim`.
    """

    statement: str
    formula: Any
    mutants: Mapping[str, Any] = field(default_factory=dict)
    recorded: str | None = None
    id: str | None = None
    hypotheses: str | None = None
    survivors: str | Mapping[str, str] = ""
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """One statement of a paper and the check that settles it.

    Attributes
    ----------
    paper : str
        Key of the paper.
    id : str
        The paper's own number, with a few words where one number carries several statements.
    statement : str
        One line: prose with mathematics between dollars, names in code between backticks; see
        `lpmech.mathematics.reader`. So are `hypotheses`, `readings`, `in_words` and `note`.
    hypotheses : str
        Under which conditions the statement is read, in words, as far as the check does not name them itself.
    recorded : Verdict
        The verdict on record; a run that returns another one is a regression.
    check : callable
        Takes the formula under test, returns an `Outcome` (a tuple of them, one for each of the `readings`), or the
        `Relations` that should follow from `given`, or yields `Parts`: ``yield Instance(where, left, "<=", right)``,
        ``yield "beta", (left, right)``.
    formula : object
        The formula as the paper states it.
    mutants : mapping
        Wrong formulas, by name, which the check must refute, beside those that are derived from the formula; see
        `lpmech.claims.derived`.
    kind : Kind
        What it is in the paper.
    consequence : Consequence or None
        What depends on it, where it is not simply true.
    cause : str
        The name of the error that a claim shares with others: the id of the one in which it is made.
    headline : int or None
        Place among the few claims of the paper that a reader should see first.
    readings : mapping of str to Verdict
        For an unclear claim: the verdict on record of each reading.
    repairs : tuple of str
        Ids of the refuted claims that this one puts right.
    in_words : str
        A step of the decision that no machine has made; it is printed beside the verdict.
    uses : tuple of str
        Ids of claims on which this one stands, or that state the same fact.
    given : tuple of relations
        The hypotheses, where the check returns relations.
    evidence : str
        What the relations show, where the check returns or yields them; default: their names.
    family, every, replay : str
        Of which kind the instances are that the check yields, one of the three: a sample of what the statement speaks
        of, so that the verdict is certified at best; all that it speaks of; or instances beside a proof, whose
        counterexamples come first. All that it speaks of is data: parameters by name, each with a finite list of
        values (or values by name) that the check goes through with `lpmech.claims.each`; words do where the check
        goes through nothing.
    method : str
        How the instances that the check yields are decided; default: exact rational arithmetic.
    compare : callable or None
        Takes the reader's own parameters by name (numbers, or tuples of them) and gives what `Claim.at` shows; for a
        claim on a program, where the check has none.
    control : object or None
        For a refuted claim: a right formula, which the same check must not refute.
    survivors : str or mapping of str to str
        Why derived mutants that the check accepts are right as well: one reason for all, or by name.
    note : str
        Reading, consequence or remark.
    source : str
        File and line where the claim stands, ``"file:line"``.
    """

    paper: str
    id: str
    statement: str
    hypotheses: str
    recorded: Verdict
    check: Check
    formula: Any
    mutants: Mapping[str, Any]
    kind: Kind = Kind.REMARK
    consequence: Consequence | None = None
    cause: str = ""
    headline: int | None = None
    readings: Mapping[str, Verdict] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    in_words: str = ""
    uses: tuple[str, ...] = ()
    given: tuple[Any, ...] = ()
    evidence: str = ""
    family: str = ""
    every: str | Stated = ""
    replay: str = ""
    method: str = ""
    compare: Callable[..., Iterable[Compared]] | None = None
    control: Any = None
    survivors: str | Mapping[str, str] = ""
    note: str = ""
    source: str = ""

    @property
    def right(self) -> Any:
        """The formula that mutants are derived from: of a claim that holds its own, else its control, if any."""
        return self.formula if self.recorded.holds else self.control

    @property
    def quotations(self) -> tuple[str, ...]:
        """What its texts quote, to the letter, in their order; names of other claims stand there as well."""
        texts = (self.statement, self.hypotheses, self.note, self.in_words, *self.readings)
        return tuple(found for text in texts for found in quotations_of(text))

    @property
    def error(self) -> str:
        """The name of what is wrong, where something is: that of its cause, or its own."""
        return self.cause or self.id

    def told(self) -> Claim:
        """The claim in words, as it is sent from one process to another: without its code and its formulas."""
        return replace(
            self, check=_elsewhere, formula=None, mutants=dict.fromkeys(self.mutants), given=(), every="", compare=None,
            control=None, survivors="",
        )  # fmt: skip

    def run(self) -> Outcome:
        """Check the paper's formula.

        Raises
        ------
        LabelError
            As `outcome_of`.
        """
        return self.outcome_of(self.formula)

    def outcome_of(self, formula: Any) -> Outcome:
        """Check any formula: the paper's, a mutant, or one of the reader's own; of a tuple the parts are counted first.

        Raises
        ------
        LabelError
            If the check returns anything but an `Outcome`, relations or parts, or yields something that is no part.
        """
        from lpmech.claims.at import asked
        from lpmech.statements.coverage import followed, judged, running, within_a_run

        parts, own = map(_parts, (formula, self.formula))
        if None not in (parts, own) and parts not in (own, _parts(self.control)):
            return refuted("counting", "another number of parts", f"the formula has {parts} parts, not {own}")
        within = within_a_run()
        with running(self.every, self.given, whole=not (self.family or self.replay)) as run:
            found = judged(self._settled(self.check(followed(formula, run))))
            found = found if asked() else run.covered(found)
            return replace(found, compared=()) if within else found  # numbers of a part belong to that claim

    def _settled(self, found: Any) -> Outcome:
        """The outcome of what the check returned or yields."""
        from lpmech.claims.checking import check_parts, check_relations

        if isinstance(found, tuple) and len(found) == len(self.readings):
            found = unclear(dict(zip(self.readings, found, strict=True)))
        if isinstance(found, Mapping):
            return check_relations(found, self.given, self.evidence)
        if isinstance(found, Iterator):
            return check_parts(found, self.given, self.evidence, self.family, self.every, self.replay, self.method)
        if not isinstance(found, Outcome):
            raise LabelError("check", found, "relations by name, or what check_family, proved, refuted ... give")
        return found

    def at(self, formula: Any = None, /, **values: Fraction | int | Sequence[Fraction]) -> Sequence[Compared]:
        """What the check compares, computed exactly at the reader's own parameters.

        Parameters
        ----------
        formula : object, optional
            The formula to compare; default: the paper's.
        values : Fraction, int or sequence of them
            A value of every parameter of the statement, by name; a sequence for a prior.

        Raises
        ------
        InvalidInputError
            If a parameter is missing or unknown, the point violates a hypothesis, or the check speaks of a family of
            instances instead of parameters.
        """
        from lpmech.claims.at import at_point, compared_by

        if self.compare is not None and formula is None:
            return compared_by(self.compare, values)
        numbers = {name: Fraction(v) for name, v in values.items() if not isinstance(v, Sequence)}
        for name in values.keys() - numbers:
            raise InvalidInputError("at", f"a sequence for {name}", "one number; this claim has no prior")
        with at_point(numbers) as point:
            self.outcome_of(self.formula if formula is None else formula)
        if point.refused and not point.compared:
            given = ", ".join(f"{n} = {v}" for n, v in values.items())
            raise InvalidInputError("at", given, next(iter(point.refused.values())))
        known = point.names or point.others
        if unknown := set(values) - known if known else ():
            raise InvalidInputError("at", ", ".join(sorted(unknown)), f"the parameters {', '.join(sorted(known))}")
        if known and not values:
            raise InvalidInputError("at", "no value", f"a value of each of {', '.join(sorted(known))}")
        if not point.compared:
            raise InvalidInputError("at", self.id, "a claim with parameters; this one speaks of a family of instances")
        return [*point.compared, *point.left_out]

    def fate_of(self, formula: Any) -> Fate:
        """What becomes of a formula that is meant to be wrong.

        It dies by a refutation, whose counterexample is told, because a reading of an unclear claim comes out otherwise
        than recorded, or because it is no channel or no prior at all. An undecided question is no death, nor a solver
        that gives up; such an error is passed on.
        """
        try:
            outcome = self.outcome_of(formula)
        except _NO_CHANNEL as exc:
            return Fate(True, str(exc))
        for text, found in outcome.readings.items() if self.recorded is Verdict.UNCLEAR else ():
            if found.verdict not in (self.readings.get(text), Verdict.UNDECIDED):
                return Fate(True, f"{text}: {found.verdict}: {found.counterexample or found.evidence}")
        return Fate(outcome.verdict.denies, outcome.counterexample or outcome.evidence)

    def rejects(self, formula: Any) -> bool:
        """Whether the check refutes a formula; see `fate_of`."""
        return self.fate_of(formula).rejected


def _elsewhere(_: Any) -> Outcome:
    raise LabelError("check", None, "a claim of a paper that is loaded in this process")


def _parts(formula: Any) -> int | None:
    return len(formula) if isinstance(formula, tuple) else None


@dataclass(frozen=True)
class Fate:
    """What became of a formula that is meant to be wrong.

    Attributes
    ----------
    rejected : bool
        Whether the check refuted it.
    how : str
        The counterexample that it died by, or what the check says in its favour.
    """

    rejected: bool
    how: str


#: Errors that show where a formula is wrong: a row that does not sum to one, a negative entry.
_NO_CHANNEL = (ChannelError, PriorError)
