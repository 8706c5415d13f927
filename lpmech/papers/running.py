"""Running claims: one at a time, or many in parallel, with or without a self-test of their checks."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

from lpmech.claims import Claim, loaded_again
from lpmech.claims.exercised import exercised
from lpmech.claims.self_test import FAILURES, NOT_TESTED, SelfTest, Trial, self_tested
from lpmech.errors import LabelError, UndecidedError
from lpmech.extras import required
from lpmech.limits import time_limit
from lpmech.mathematics import in_notation, unicode_of
from lpmech.papers import PAPER_KEYS, described_paper, load_paper, nearest, paper_reference
from lpmech.papers.kernel import kernel_theorems, made_theorems
from lpmech.prove import Holds
from lpmech.prove.arithmetic import keep_comparisons, kept_comparisons
from lpmech.prove.proof_files import keep, kept_proofs
from lpmech.prove.rocq_arithmetic import hash_of_comparisons
from lpmech.prove.rocq_files import Theorem, hash_of_statement
from lpmech.verdicts import Outcome, Verdict

__all__ = ["ClaimResult", "SelfTest", "errors_of", "select_claims", "run_claim", "run_claims"]

#: Seconds that one process works before it asks for others, which take some ten seconds of work to be ready.
_ALONE = 10.0
#: Of more claims others are asked at once.
_MANY = 200

#: When such a process collects garbage; sympy makes much that is none, and little that is.
_SELDOM = (10_000, 20, 20)

#: Longest processor time for the check of one claim: one that takes more is undecided.
CLAIM_SECONDS = 500.0
#: Longest time for one claim of somebody's own paper, in seconds, with as much of its self-test.
_LONGEST = {SelfTest.NONE: 600.0, SelfTest.SAMPLED: 1800.0, SelfTest.FULL: 24 * 3600.0}


@dataclass(frozen=True)
class ClaimResult:
    """What running one claim gave.

    Attributes
    ----------
    claim : Claim
        What was run, in words: `Claim.told`.
    outcome : Outcome
        What the check said; where it broke or gave no answer, method and evidence say why.
    verdict : str
        Of this run: that of the outcome (``"undecided"`` where no method gave an answer), or ``"error"`` where the check broke.
    repaired_by : str or None
        For a refuted claim.
    seconds : float
        Wall time of the check and its mutants.
    trial : Trial or None
        The self-test; None without one.
    astray : tuple of str
        Readings whose verdict is not the recorded one.
    code : tuple of str
        The public functions that the check uses; see `lpmech.claims.exercised`.
    further : dict of str to str
        What was asked of a refutation besides, by name; see `run_claim`.
    objects : tuple of (str, str)
        The relations that were proved, by name, and what the object of each lacks (nothing where it was checked); only
        where objects were asked for (`lpmech.papers.objects`).
    proof_file : str
        The text of the file that holds them.
    theorems : tuple of Theorem
        Each relation as a theorem in Rocq; only where they were asked for.
    relations : tuple of str
        Of each relation, in the same order: the hash of what its theorem says, as `lpmech.prove.rocq_files` makes it.
    arithmetic : str
        The hash of what the theorems on its instances say, as `lpmech.prove.rocq_arithmetic` makes it.
    instances : tuple of (str, str)
        These theorems by name; only where theorems were asked for.
    besides : str
        What the verdict rests on besides: instances, steps in words.
    """

    claim: Claim
    outcome: Outcome
    verdict: str
    repaired_by: str | None = None
    seconds: float = 0.0
    trial: Trial | None = None
    astray: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    further: Mapping[str, str] = field(default_factory=dict)
    objects: tuple[tuple[str, str], ...] = ()
    proof_file: str = ""
    theorems: tuple[Theorem, ...] = ()
    relations: tuple[tuple[str, bool], ...] = ()
    arithmetic: str = ""
    instances: tuple[tuple[str, str], ...] = ()
    besides: str = ""

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.claim.paper

    @property
    def id(self) -> str:
        """The claim's."""
        return self.claim.id

    @property
    def counterexample(self) -> str | None:
        """Of a refuted claim, as a line of characters."""
        return None if self.outcome.counterexample is None else unicode_of(self.outcome.counterexample)

    @property
    def complaints(self) -> tuple[str, ...]:
        """Readings that are astray; of the self-test mutants that are not rejected, a refused control, a bad repair."""
        return (*self.astray, *(self.trial.complaints if self.trial else ()))

    @property
    def readings(self) -> dict[str, str]:
        """For an unclear claim: each reading with its verdict and evidence, and the numbers of its first instance."""
        return {
            text: "; ".join([f"{r.verdict}: {r.counterexample or r.evidence}", *r.compared[:1]])
            for text, r in self.outcome.readings.items()
        }

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one on record."""
        return self.verdict == self.claim.recorded

    @property
    def as_recorded(self) -> bool:
        """Whether the verdict is the recorded one and the self-test, if run, has no complaint."""
        return self.as_expected and not self.complaints

    @property
    def word(self) -> str:
        """The verdict in a word or two: of a function and its rule, the rule's."""
        return f"rule {self.verdict}" if self.outcome.function else self.verdict

    @property
    def in_full(self) -> str:
        """The verdict; of a function and its rule, both; and what of it is told in words."""
        verdict = f"{self.word}; function {self.outcome.function}" if self.outcome.function else self.verdict
        return f"{verdict}; told in words: {self.claim.in_words}" if self.claim.in_words else verdict

    @property
    def kernel(self) -> tuple[str, ...]:
        """Of a proved claim: the theorems in Rocq that state it and that a kernel has checked."""
        of_ours = Path(self.claim.source).is_relative_to(Path(__file__).parent)  # a paper of one's own may have any key
        if not of_ours or self.verdict != Verdict.PROVED:
            return ()
        by_hand = kernel_theorems(self.paper, self.id)
        return (*by_hand, *made_theorems(self.paper, self.id, self.relations, self.besides, self.arithmetic))

    def row(self) -> dict[str, Any]:
        """The JSON row of this result: of claim and outcome what is told, and of a self-test what became of the mutants."""
        of_claim = {name: getattr(self.claim, name) for name in _OF_CLAIM}
        of_outcome = {name: getattr(self.outcome, name) for name in _OF_OUTCOME}
        trial = self.trial or NOT_TESTED
        return {
            **of_claim,
            "verdict": self.verdict,
            **of_outcome,
            "kernel": self.kernel,
            "decided": [asdict(decided) for decided in self.outcome.decided],
            "repaired_by": self.repaired_by,
            "seconds": self.seconds,
            "mutants": len(self.claim.mutants),
            "mutants_rejected": self.trial and trial.rejected,
            "complaints": self.complaints,
            "derived": trial.derived,
            "fates": trial.told,
            "code": self.code,
            "readings": self.readings,
        }


def errors_of(results: Iterable[ClaimResult]) -> set[tuple[str, str]]:
    """The errors of papers, by paper and name: refuted sentences, of which those with one cause are one error."""
    return {(r.paper, r.claim.error) for r in results if r.outcome.verdict.denies and r.claim.kind.is_the_papers}


_OF_CLAIM = (
    *("paper", "id", "statement", "hypotheses", "recorded", "repairs", "kind", "consequence", "cause", "headline"),
    *("uses", "in_words", "quotations", "note", "source"),
)
_OF_OUTCOME = ("method", "evidence", "counterexample", "witness", "example", "given", "function", "compared")


def select_claims(papers: Iterable[str], only: Sequence[str] = ()) -> list[tuple[str, str]]:
    """(paper, id) of the claims to run; the paper is its key, or the absolute path of its file or package.

    Parameters
    ----------
    papers : iterable of str
        Keys, files or packages of the papers; see `lpmech.papers.paper_reference`.
    only : sequence of str
        Ids; an id that is no exact match selects every claim whose id contains it, case ignored.

    Raises
    ------
    LabelError
        If a paper is unknown, two have one key, or an id matches nothing.
    DataFileError
        If a file holds no paper; see `lpmech.papers.load_paper`.
    """
    references = list(dict.fromkeys(map(paper_reference, papers)))
    loaded = {reference: described_paper(reference) for reference in references}
    keys = [paper.key for paper in loaded.values()]
    for key in keys:
        if keys.count(key) > 1:
            raise LabelError("papers", key, "papers with different keys")
    every = [(reference, id) for reference, paper in loaded.items() for id in paper.claims]
    if not only:
        return every
    chosen: list[tuple[str, str]] = []
    for wanted in only:
        exact = [pair for pair in every if pair[1] == wanted]
        found = exact or [pair for pair in every if wanted.lower() in pair[1].lower()]
        if not found:
            allowed = f"an id (or part of one) of a claim of {', '.join(keys)}"
            raise LabelError("id", wanted, allowed + nearest(wanted, (id for _, id in every)))
        chosen += [pair for pair in found if pair not in chosen]
    return chosen


#: What is asked of the outcome of a refuted claim besides, by name, such as `lpmech.claims.strongest.strongest`.
Further = Mapping[str, Callable[[Outcome], str | None]]


def run_claim(
    paper: str,
    id: str,
    self_test: SelfTest = SelfTest.NONE,
    further: Further | None = None,
) -> ClaimResult:
    """Run one claim, and as much of its self-test as is asked for.

    What the questions in `further` tell of a refutation is kept.
    """
    owner = load_paper(paper)
    if id not in owner.claims:  # the file has been changed since the selection was made
        raise LabelError("id", id, f"an id of a claim of {owner.key}{nearest(id, owner.claims)}")
    claim = owner.claims[id]
    start = time.perf_counter()
    more: dict[str, str] = {}
    astray: list[str] = []
    try:
        late = UndecidedError(f"not settled within {CLAIM_SECONDS:g} seconds of processor time")
        with time_limit(CLAIM_SECONDS, late), kept_proofs() as kept, kept_comparisons() as compared:
            outcome = claim.run()
        if not (outcome.compared or outcome.decided or outcome.readings or outcome.counterexample):
            outcome = replace(outcome, compared=compared.told)
        verdict, astray = str(outcome.verdict), list(_readings_astray(claim, outcome))
        if outcome.verdict is Verdict.REFUTED:
            asked = {name: ask(outcome) for name, ask in (further or {}).items()}
            more = {name: in_notation(told) for name, told in asked.items() if told is not None}
    except UndecidedError as exc:
        outcome = Outcome(Verdict.UNDECIDED, "none", str(exc))
        verdict = str(outcome.verdict)
    except FAILURES as exc:
        verdict, outcome = "error", Outcome(Verdict.UNDECIDED, type(exc).__name__, str(exc))
    answers = kept if verdict == Verdict.PROVED else []
    for name, answer in answers:
        keep(name, answer)
    if verdict == Verdict.PROVED:
        keep_comparisons(compared)
    with kept_proofs(), kept_comparisons():  # what is found of wrong formulas is nobody's
        trial = None if self_test is SelfTest.NONE else self_tested(owner, claim, self_test)
    repair, seconds = owner.repair_of(id), round(time.perf_counter() - start, 3)
    return ClaimResult(
        claim.told(), _in_notation(outcome, claim.readings), verdict, None if repair is None else repair.id, seconds, trial, tuple(astray),
        tuple(exercised(claim.check, claim.formula)), more,
        relations=tuple(hash_of_statement(answer) for _, answer in answers),
        arithmetic=hash_of_comparisons(compared) if verdict == Verdict.PROVED else "",
        besides=_besides(claim, outcome, [answer for _, answer in answers]),
    )  # fmt: skip


def _besides(claim: Claim, outcome: Outcome, answers: Sequence[Holds]) -> str:
    """What a verdict rests on besides the relations that were proved."""
    left = outcome.method
    for method in sorted({method for answer in answers for method in answer.methods}, key=len, reverse=True):
        left = left.replace(method, "")
    words = [word for part in left.split(",") if (word := part.strip(" ;"))]
    return ", ".join([*words, *(["a step in words"] if claim.in_words else [])])


def _in_notation(outcome: Outcome, texts: Iterable[str] = ()) -> Outcome:
    """The outcome in words, the mathematics in what its check tells between dollars, as in the `texts` of its claim."""
    decided = tuple(replace(one, name=in_notation(one.name), method=in_notation(one.method)) for one in outcome.decided)
    counterexample, example = (None if t is None else in_notation(t) for t in (outcome.counterexample, outcome.example))
    return replace(
        outcome.told(), evidence=in_notation(outcome.evidence), counterexample=counterexample, example=example,
        method=in_notation(outcome.method), decided=decided, compared=tuple(map(in_notation, outcome.compared)),
        readings={text if text in texts else in_notation(text): _in_notation(found) for text, found in outcome.readings.items()},
    )  # fmt: skip


def _readings_astray(claim: Claim, outcome: Outcome) -> Iterator[str]:
    """The readings whose verdict is not the one on record."""
    if not claim.readings:
        return
    found = {text: reading.verdict for text, reading in outcome.readings.items()}
    for text in dict.fromkeys((*claim.readings, *found)):
        if claim.readings.get(text) != found.get(text):
            known = claim.readings.get(text, "not on record")
            yield f"reading {text!r} is {found.get(text, 'not among those found')} instead of {known}"


def run_claims(
    selection: Sequence[tuple[str, str]],
    jobs: int,
    self_test: SelfTest = SelfTest.NONE,
    further: Further | None = None,
    run: Callable[..., ClaimResult] | None = None,
) -> Iterator[ClaimResult]:
    """Run claims as `run_claim` does in `jobs` processes, yielding results in the order of `selection` as they are ready.

    Of our papers this process works alone at first: starting others costs seconds, which a short selection never earns
    back. A paper of anybody else's always runs in processes of its own, as `lpmech.files.strangers` says. `run` is what
    takes the place of `run_claim`.

    Raises
    ------
    MissingDependencyError
        At once, if what proves, or what solves the programs of our own papers, is not installed.
    RefusedError
        If somebody's file does what is refused.
    DataFileError
        If it ends its process, or does not settle a claim in time.
    """
    required("smt", "z3", "cvc5")
    if any(paper in PAPER_KEYS for paper, _ in selection):
        required("programs", "cvxpy")
    return _results(selection, jobs, self_test, partial(run or run_claim, self_test=self_test, further=further))


def _results(
    selection: Sequence[tuple[str, str]], jobs: int, self_test: SelfTest, run: Callable[[str, str], ClaimResult]
) -> Iterator[ClaimResult]:
    for paper, chosen in groupby(selection, key=lambda pair: pair[0] if pair[0] not in PAPER_KEYS else None):
        if paper is None:
            yield from _run_ours(list(chosen), jobs, run)
            continue
        from lpmech.papers.outside import results_of_own_processes

        seconds = _LONGEST[self_test]
        yield from results_of_own_processes(Path(paper), [id for _, id in chosen], run, jobs, seconds)


def _run_ours(
    selection: Sequence[tuple[str, str]], jobs: int, run: Callable[[str, str], ClaimResult]
) -> Iterator[ClaimResult]:
    start, done = time.monotonic(), 0
    for paper, id in selection:
        if jobs > 1 and (len(selection) > _MANY or time.monotonic() - start > _ALONE):
            break
        yield run(paper, id)
        done += 1
    if rest := selection[done:]:
        from joblib import Parallel, delayed

        groups = _groups(rest, jobs)
        first = sorted(range(len(groups)), key=lambda n: -_simulations(groups[n]))
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        ready: dict[int, list[ClaimResult]] = {}
        in_turn = 0
        for n, results in parallel(delayed(_run_group)(n, groups[n], run) for n in first):
            ready[n] = results
            while in_turn in ready:
                yield from ready.pop(in_turn)
                in_turn += 1


def _groups(selection: Sequence[tuple[str, str]], jobs: int) -> list[list[tuple[str, str]]]:
    """What is run by one process: the claims of a file, which share what they compute; one by one where files are few."""
    found = [list(group) for _, group in groupby(selection, key=lambda pair: _claim(pair).source.rpartition(":")[0])]
    return found if len(found) > 2 * jobs else [[pair] for pair in selection]


def _simulations(group: Sequence[tuple[str, str]]) -> int:
    """How many claims rest on simulations: those take longest, and are begun first, so that no process ends late."""
    return sum(_claim(pair).recorded is Verdict.SUPPORTED for pair in group)


def _claim(pair: tuple[str, str]) -> Claim:
    return load_paper(pair[0]).claims[pair[1]]


def _run_group(
    number: int, group: Sequence[tuple[str, str]], run: Callable[[str, str], ClaimResult]
) -> tuple[int, list[ClaimResult]]:
    for paper, _ in group:
        _settle_in(paper)
    return number, [run(paper, id) for paper, id in group]


@cache
def _settle_in(paper: str) -> None:
    """Load a paper in a process that works for another one: what stays is left alone by the collector of garbage."""
    gc.set_threshold(*_SELDOM)
    with loaded_again():
        load_paper(paper)
    gc.freeze()
