"""The optimum of a family for every K: the routes that prove it, then formulas fitted near both ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.discovery.bins import best_on_bins, witnessed
from lpmech.discovery.closed import in_terms
from lpmech.discovery.family import Family, OwnUtility, family_of
from lpmech.discovery.fitting import ends
from lpmech.discovery.indexed import indexed
from lpmech.discovery.kept import Kept
from lpmech.discovery.parts import Part, Samples, Shown, disagreement
from lpmech.discovery.ranked import ranked
from lpmech.discovery.response import response
from lpmech.discovery.rings import rings, shells
from lpmech.discovery.witnesses import refused
from lpmech.entries import positive_number, whole_number
from lpmech.errors import InvalidInputError, SolverError, UndecidedError
from lpmech.limits import time_limit
from lpmech.prove import Fails, prove
from lpmech.prove.from_sympy import term_of
from lpmech.terms import ONE, Name, Repeated
from lpmech.terms.functions import And, Eq, Whole
from lpmech.verdicts import Verdict

__all__ = ["Discovery", "discover"]

#: Numbers of labels up to which exact optima are computed, at least, at most, and where a proof needs none of them.
_LEAST, _MOST, _BESIDE_A_PROOF = 6, 30, 8
#: Where a formula holds from some K on, the pieces below it that are listed, and up to which K.
_MOST_EXCEPTIONS, _LARGEST_EXCEPTION = 6, 7
#: So many larger K have none: else what is listed would be all that there is.
_BEYOND = 3
#: Of the time that is allowed, when exact optima end; the rest is for formulas.
_SHARE = 0.5
#: Seconds for formulas after Ctrl-C.
_AFTER_INTERRUPTION = 10.0
#: Where so few pieces are left, remainders of K may have formulas; up to so many labels there are too few K of each.
_FEW_PIECES, _ENOUGH = 3, 22
_FEW = "with so few pieces, more labels may show a formula for each remainder of K by 2 or 3 (--largest 26)"
_UNFITTED = (
    "no parameters beside K where a formula is fitted; the proofs with parameters are those of the hit rate under an"
    " ordered prior and, prior uniform, of words, of subsets, and of one window around the true label on a circle"
)


@dataclass(frozen=True, repr=False)
class Discovery:
    """What is found of a family.

    Attributes
    ----------
    family : Family
    parts : tuple of Part
        Rising in t; proved ones and certified conjectures.
    compared : str
        With which exact programs every part was compared.
    left : str
        Where no closed form is found; empty where the parts cover all that was compared.
    """

    family: Family
    parts: tuple[Part, ...]
    compared: str
    left: str = ""

    @property
    def is_proved(self) -> bool:
        """Whether the optimum is, for all K and t."""
        return not self.left and all(part.verdict is Verdict.PROVED for part in self.parts)

    def lines(self, steps: bool = False) -> Iterator[str]:
        """In lines for people, with what was proved for each part if asked for."""
        yield f"{self.family.about}; {self.family.domain}"
        for part in self.parts:
            yield f"{part.verdict if part.steps else 'conjecture, certified where compared'}: {part.optimum}"
            yield f"    {part.where}{f'; attained by: {part.attained}' if part.attained else ''}"
            if part.best is not None and part.index is not None:
                name = part.index.name
                yield f"    {name} is best where {part.best} (beyond: the first or the last {name})"
            for name, entry, node in (("channel", "Pr[j | i]", part.channel), ("dual", "pi_i", part.dual)):
                yield f"    {name}: {'none of a clean form found' if node is None else f'{entry} = {node}'}"
            if steps:
                yield from (f"    - {step}" for step in part.steps)
        if self.left:
            yield self.left
        yield f"compared with {self.compared}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    @property
    def as_row(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "family": self.family.about,
            "hypotheses": str(self.family.domain),
            "parts": [
                {
                    "optimum": part.optimum,
                    "when": str(part.when),
                    "best index": None if part.best is None else str(part.best),
                    "attained by": part.attained,
                    "channel": None if part.channel is None else str(part.channel),
                    "dual": None if part.dual is None else str(part.dual),
                    "if and only if": part.exactly,
                    "verdict": str(part.verdict),
                    "steps": list(part.steps),
                }
                for part in self.parts
            ],
            "compared": self.compared,
            "left": self.left,
        }


Progress = Callable[[Iterable[dict[str, Any]], int], Iterable[dict[str, Any]]]


class _Stages:
    """Stages of a search, each of which a limit on processor time or Ctrl-C may end; the search goes on without it."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds, self._began, self.ended = seconds, time.process_time(), ""

    @contextmanager
    def stage(self, share: float = 1.0) -> Iterator[None]:
        """One of them: it ends at the latest when this share of the time is over."""
        if self._seconds is None:
            limit: AbstractContextManager[None] = nullcontext()
        else:
            passed = UndecidedError(f"the limit of {self._seconds:g} seconds")
            left = share * self._seconds - (time.process_time() - self._began)
            limit = time_limit(max(1e-3, left), passed)
        try:
            with limit:
                yield
        except KeyboardInterrupt:
            self.ended = "an interruption"
            self._seconds, self._began = _AFTER_INTERRUPTION, time.process_time()
        except UndecidedError as exc:
            if self._seconds is None or exc is not passed:
                raise
            self.ended = self.ended or str(exc)


def discover(
    utility: str | OwnUtility = "hit",
    *,
    utility_formula: str | None = None,
    prior: str = "uniform",
    prior_formula: str | None = None,
    param: Sequence[str] = (),
    where: Sequence[str] = (),
    largest: int = 14,
    keep: str | Path | None = None,
    progress: Progress | None = None,
    timeout_seconds: float | None = None,
) -> Discovery:
    """The optimum of a family of problems as formulas in K and t = e^epsilon: proved, or certified as far as compared.

    Parameters
    ----------
    utility, utility_formula, prior, prior_formula, param, where
        See `lpmech.discovery.family.family_of`; labels i, j = 1..K.
    largest : int
        Where no proof covers everything, exact optima for all t are computed up to so many labels, 6 to 30.
    keep : path, optional
        A file for exact optima, so that an interrupted search, or one with more labels, goes on where it was. It is
        believed: keep it where nobody else writes.
    progress : callable, optional
        Takes the instances as they are computed and their number, and gives them back one by one.
    timeout_seconds : float, optional
        Of processor time, for all of it but the last comparisons. What was found until then, or until Ctrl-C, is given.

    Returns
    -------
    Discovery

    Raises
    ------
    FormulaError, InvalidInputError
        If a text cannot be read, `largest` is out of reach, `timeout_seconds` is not positive, or the family is not one
        at some K, which is named.

    Examples
    --------
    >>> for part in discover("hit").parts:
    ...     print(part.verdict, part.optimum)
    proved t/(K + t - 1)
    >>> discover("hit", prior="ordered").parts[0].optimum
    'the largest over k = 1..K of t*P_k/(t + k - 1)'
    """
    whole_number(largest, "largest", 1)
    if not _LEAST <= largest <= _MOST:
        near = _MOST < largest <= 1000  # further away nobody asks how much longer
        times = round((largest / 22) ** 4) if near else 0
        estimate = f"; at 22 labels a minute or two, about {times} times that at {largest}" if near else ""
        raise InvalidInputError("largest", largest, f"{_LEAST} to {_MOST}{estimate}")
    if timeout_seconds is not None:
        positive_number(timeout_seconds, "timeout_seconds")
    stages = _Stages(timeout_seconds)
    family = family_of(utility, utility_formula, prior, prior_formula, param, where)
    for at in family.instances(largest):
        family.check(at)
    _check_far(family)
    parts, proved, series = list[Part](), list[Part](), list[Part]()
    sides: dict[bool, list[Part]] = {False: [], True: []}
    with stages.stage(_SHARE):
        parts = _proved_everywhere(family)
    if parts:
        samples = Samples(family, _BESIDE_A_PROOF)
        _compute(samples, progress, stages)
        return Discovery(family, tuple(_agreeing(parts, samples)), _compared(samples, stages.ended))
    if family.domain.own:
        names = ", ".join(p.name for p in family.domain.own)
        raise InvalidInputError("param", names, _UNFITTED)
    if keep is not None and callable(utility):
        raise InvalidInputError("keep", str(keep), "with a family of names or formulas, by which it is known again")
    samples = Samples(family, largest, None if keep is None else Kept(Path(keep), f"{family.about}; {family.domain}"))
    _compute(samples, progress, stages)
    for upwards, share in ((False, 0.7), (True, 0.8)):
        with stages.stage(share):
            for part in ends(samples, upwards):  # one by one: a limit leaves what was found
                sides[upwards].append(part)
    with stages.stage(0.9):
        proved = response(family, replace(samples, largest=min(largest, 9)), Shown(family.hypotheses))
    with stages.stage():
        series = indexed(samples)
    known = {str(part.value) for part in proved}
    found = list({str((one.value, one.when)): one for one in (*sides[True], *reversed(sides[False]))}.values())
    fitted = [*series, *(part for part in found if str(part.value) not in known)]
    seen = max((at["K"] for at in samples.instances()), default=0)
    if family.furthest >= seen:  # what `13 < K` tells apart is not seen in 12 labels
        fitted = [replace(part, when=And(*part.conditions, Name("K") <= seen)) for part in fitted]
    agreeing = list(_agreeing([*fitted, *proved], samples))
    parts = [*_without_repetitions(agreeing, samples)]
    parts = [*_exceptions(parts, samples), *parts]
    apart = [[part] for part in parts]
    with stages.stage():
        for place, part in enumerate(parts):
            apart[place] = [part] if part.witnesses else witnessed(part, samples)
    parts = [part for own in apart for part in own]
    return Discovery(family, tuple(parts), _compared(samples, stages.ended), _left(parts, samples))


def _check_far(family: Family) -> None:
    """Refuse a prior of which the engine finds a K, however large, at which it is none."""
    if family.prior is None:
        return
    label = Name("i")
    every = Repeated("Sum", family.p(Name("m")), "m", ONE, Name("K"))
    inside = (Whole(label), label >= 1, label <= Name("K"))
    for asked, given in ((Eq(every, 1), ()), (family.p(label) >= 0, inside)):
        answer = prove(asked, [*family.hypotheses, *given], timeout_seconds=10)
        if isinstance(answer, Fails):
            raise InvalidInputError("prior", str(family.prior), f"a distribution for every K; {answer.witness}")


def _proved_everywhere(family: Family) -> list[Part]:
    for route in (ranked, shells, rings):
        if found := route(family, Shown(family.hypotheses)):
            return found
    return []


def _compute(samples: Samples, progress: Progress | None, stages: _Stages) -> None:
    instances = samples.instances()

    def computed() -> Iterator[dict[str, Any]]:
        for at in instances:
            samples.pieces(at)
            yield at

    with stages.stage(_SHARE):
        for _ in progress(computed(), len(instances)) if progress else computed():
            pass
    samples.only_known = True


def _agreeing(parts: Sequence[Part], samples: Samples) -> Iterator[Part]:
    """The parts without conjectures that an exact program refuses; one that was proved cannot be refused."""
    for part in parts:
        wrong = disagreement(part, samples)
        if part.verdict is Verdict.PROVED and (wrong := wrong or next(iter(refused(part, samples).values()), None)):
            raise SolverError(f"{part.optimum}: proved, yet {wrong}")
        if wrong is None:
            yield part


def _covered(part: Part, samples: Samples) -> set[tuple[Fraction, Fraction]]:
    """(K, t) of the compared points of which a part says something."""
    return {(at["K"], t) for at in samples.instances() for t, _ in samples.points(at) if part.covers({**at, "t": t})}


def _without_repetitions(parts: Sequence[Part], samples: Samples) -> Iterator[Part]:
    """The parts without those of which all that they say is said by the ones that say more, or are proved."""
    covered = {id(part): _covered(part, samples) for part in parts}
    told: set[tuple[Fraction, Fraction]] = set()
    kept = set()
    for part in sorted(parts, key=lambda one: (one.verdict is not Verdict.PROVED, -len(covered[id(one)]))):
        if not covered[id(part)] <= told:
            told |= covered[id(part)]
            kept.add(id(part))
    return (part for part in parts if id(part) in kept)


def _exceptions(parts: Sequence[Part], samples: Samples) -> list[Part]:
    """The pieces of the smallest K, where everything is said of all larger ones: a formula begins somewhere."""
    told = set().union(*(_covered(part, samples) for part in parts))
    instances, found = samples.instances(), list[Part]()
    for place, at in enumerate(instances):
        points = list(samples.points(at))[::2]
        for (lower, upper, value), (t, _) in zip(samples.pieces(at), points, strict=True):
            if (at["K"], t) in told:
                continue
            if at["K"] > _LARGEST_EXCEPTION or len(found) == _MOST_EXCEPTIONS or place + _BEYOND >= len(instances):
                return []
            given = [Eq(Name("K"), at["K"])]
            given += [] if lower == 1 else [Name("t") >= term_of(lower)]
            given += [] if upper.is_infinite else [Name("t") <= term_of(upper)]
            found.append(Part(in_terms(value), And(*given)))
    return found


def _compared(samples: Samples, ended: str) -> str:
    instances = samples.instances()
    if not instances:
        return f"nothing: {ended} came before"
    points = sum(1 for at in instances for _ in samples.points(at))
    sizes = sorted({int(at["K"]) for at in instances})
    prior = "for p = 2*(K + 1 - i)/(K*(K + 1)) " if samples.family.prior is None else ""
    return f"exact optima {prior}for K = {sizes[0]}..{sizes[-1]}, two values of t in every piece ({points} points)" + (
        f"; ended by {ended}" if ended else ""
    )


def _left(parts: Sequence[Part], samples: Samples) -> str:
    """What the parts do not cover, at the largest K where that is anything."""
    if not samples.instances():
        return "no closed form found: no K was looked at"
    for at in reversed(samples.instances()):
        pieces = samples.pieces(at)
        covered = [any(part.covers({**at, "t": t}) for part in parts) for t, _ in samples.points(at)][::2]
        open_pieces = [piece for piece, known in zip(pieces, covered, strict=True) if not known]
        if open_pieces:
            lower, upper = open_pieces[0][0], open_pieces[-1][1]
            end = "" if upper.is_infinite else f" to {float(upper):.6g}"
            found = (
                f"no closed form found{' in between' if parts else ''}: at K = {at['K']} for t from {float(lower):.6g}"
            )
            pieces_left = f"{len(open_pieces)} of {len(pieces)} pieces; exact there for each K (lpmech regimes)"
            further = f"; {_FEW}" if len(pieces) <= _FEW_PIECES and at["K"] <= _ENOUGH else ""
            return f"{found}{end}, {pieces_left}{further}{_of_bins(parts, samples)}"
    return ""


def _of_bins(parts: Sequence[Part], samples: Samples) -> str:
    """That the optimum is the best of contiguous bins wherever no part says anything, if it is."""
    told = set().union(*(_covered(part, samples) for part in parts))
    points = 0
    for at in samples.instances():
        utility, prior = samples.family.problem(at)
        for t, best in samples.points(at):
            if (at["K"], t) not in told:
                points += 1
                if best_on_bins(utility, prior, t)[0] != best:
                    return ""
    return f"; at all {points} points compared the optimum is that of contiguous bins, each released as one label"
