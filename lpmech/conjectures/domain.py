"""What a conjecture is about: t > 1, whole numbers K >= 2, parameters of one's own, a prior, and hypotheses."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise, product
from typing import Any, ClassVar

import sympy as sp

from lpmech.conjectures.vector_parameters import read_vector, with_sums
from lpmech.errors import InvalidInputError
from lpmech.prove import Fails, prove
from lpmech.prove.answers import Undecided
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.vectors import Vector
from lpmech.statements import domain as statements
from lpmech.statements.domain import Parameter, declared, numbers_in, run_of
from lpmech.terms import Apply, Node, Number, names_in, substituted
from lpmech.terms.reader import FUNCTIONS, named_in_text, read_condition

__all__ = ["LabelDomain", "PRIORS", "read_domain"]

#: Which priors a conjecture is about, by name.
PRIORS = ("any", "ordered")

_ALWAYS = (Parameter("K", True), Parameter("t", False))
_HYPOTHESES = tuple((text, read_condition(text, ("t", "K"), "where")) for text in ("t > 1", "K >= 2"))
_RESERVED = ("t", "K", "prior")
#: Values of a real parameter that are tried where no proof for all is found, if they satisfy the hypotheses.
_REAL_VALUES = tuple(Fraction(v) for v in ("0", "1/3", "1/2", "1", "3/2", "3", "10"))
#: Numbers of labels at which functions that are followed for all are called.
_FAR = (Fraction(9), Fraction(20), Fraction(70))
#: Numbers of labels on which functions are followed for all priors.
_WITH_PRIORS = (2, 3, 4)
#: Called first, so many instances at so many t, and at a large one, where floats cancel.
_FIRST, _FIRST_RATIOS, _LARGE = 4, 3, Fraction(10**9)

#: Families of label counts by name, for K labels.
_COUNTS: dict[str, Callable[[int], tuple[int, ...]]] = {
    "uniform": lambda size: (1,) * size,
    "K, ..., 2, 1": lambda size: tuple(range(size, 0, -1)),
    "1, 2, 4, ...": lambda size: tuple(2**y for y in range(size)),
    "K, 1, ..., 1": lambda size: (size, *([1] * (size - 1))),
    "2, ..., 2, 0": lambda size: (*([2] * (size - 1)), 0),
    "60, 60/2, 60/3, ... rounded down": lambda size: tuple(60 // (y + 1) for y in range(size)),
}
#: Those of them that do not fall, and what takes their place where the prior is ordered.
_ORDERED: dict[str, tuple[str, Callable[[int], tuple[int, ...]]]] = {
    "1, 2, 4, ...": ("2^K, ..., 4, 2", lambda size: tuple(2**y for y in range(size, 0, -1)))
}


@dataclass(frozen=True)
class LabelDomain(statements.Domain):
    """Parameters and hypotheses, beside t > 1 and K >= 2.

    Attributes
    ----------
    prior : str
        ``"any"`` or ``"ordered"`` (p_1 >= p_2 >= ...), for conjectures that depend on the prior.
    uses_prior : bool
        Whether points have a prior; if not, it is uniform.
    largest : int
        Largest number of labels of the instances where no proof for all is found.
    """

    whole_numbers: ClassVar[str] = "whole numbers"
    ladder: ClassVar[tuple[Fraction, ...]] = tuple(
        Fraction(t)
        for t in ("101/100", "5/4", "3/2", "2", "3", "5", "8", "10", "15", "20", "21", "25", "50", "100", "1000")
    )

    parameters: tuple[Parameter, ...] = _ALWAYS
    conditions: tuple[tuple[str, Node], ...] = _HYPOTHESES
    prior: str = "any"
    uses_prior: bool = False
    largest: int = 8

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names that functions may take."""
        return (*self.names, "prior")

    @property
    def own(self) -> tuple[Parameter, ...]:
        """The parameters beside t and K."""
        return self.parameters[len(_ALWAYS) :]

    @property
    def own_texts(self) -> list[str]:
        """The hypotheses beyond t > 1 and K >= 2, as written."""
        return [text for text, _ in self.conditions[len(_HYPOTHESES) :]]

    @property
    def about(self) -> str:
        """The hypotheses in words, that on the prior among them."""
        if not self.uses_prior:
            return f"{self}; uniform prior"
        return f"{self}; any prior{' with p_1 >= p_2 >= ...' if self.prior == 'ordered' else ''}"

    @cached_property
    def hypotheses(self) -> list[Any]:
        """For the prover."""
        return self.hypotheses_at({}, "where")

    def holds(self, at: Mapping[str, Any]) -> bool:
        """Whether the hypotheses whose names have values hold, and a prior has K entries."""
        prior = at.get("prior", ())
        if prior and len(prior) != at.get("K", len(prior)):
            return False
        falls = self.prior != "ordered" or list(prior) == sorted(prior, reverse=True)
        whole = all(as_rational(at[p.name]).q == 1 for p in self.parameters if p.whole and p.name in at)
        return falls and whole and super().holds({name: value for name, value in at.items() if name != "prior"})

    @cached_property
    def points(self) -> tuple[dict[str, Any], ...]:
        """Those of the first instances at which functions are called first."""
        simple = [Fraction(2), Fraction(3, 2), Fraction(3), *self.ladder]
        found = []
        for instance in islice(self._family(), _FIRST):
            at = ({**instance, "t": t} for t in simple)
            found += [*islice(filter(self.holds, at), _FIRST_RATIOS), *filter(self.holds, [{**instance, "t": _LARGE}])]
        return tuple(found)

    def is_named(self, point: Mapping[str, Any]) -> bool:
        """With more labels only what is followed for all numbers of them is called."""
        return bool(point["K"] <= self.largest)

    def completed(self, point: dict[str, Any]) -> dict[str, Any]:
        """The point; with a uniform prior where its own is one for another number of labels."""
        size = point["K"]
        if not self.uses_prior or len(point["prior"]) == size or size < 1:
            return point
        return {**point, "prior": (Fraction(1, int(size)),) * int(size)}

    @property
    def far(self) -> tuple[dict[str, Any], ...]:
        """Numbers of labels beyond those that are looked at one by one."""
        every = ({**point, "K": size} for size in _FAR for point in self.points)
        inside = {point["K"]: point for point in every if self.holds(point)}
        return tuple(inside.values())

    @property
    def labels_with_priors(self) -> tuple[int, ...]:
        """Two to four, in a domain that has no parameters of one's own."""
        if not self.uses_prior or self.own:
            return ()
        return tuple(size for size in _WITH_PRIORS if size <= self.largest and self._has(size))

    def _has(self, size: int) -> bool:
        values = self.parameters[0].values
        return (values is None or size in values) and self.holds({"K": Fraction(size)})

    def conditions_on_priors(self, labels: int, prior: Sequence[Node]) -> list[Node]:
        """The hypotheses with this K, and that the prior falls where it does."""
        own = [substituted(node, {"K": Number(Fraction(labels))}) for _, node in self.conditions]
        falls = [Apply(">=", pair) for pair in pairwise(prior)] if self.prior == "ordered" else []
        return [*(node for node in own if names_in(node)), *falls]

    def covered_with_priors(self, labels: Sequence[int]) -> str:
        """All of them, and all t."""
        own = "".join(f", {text}" for text in self.own_texts)
        falling = " with p_1 >= p_2 >= ..." if self.prior == "ordered" else ""
        return f"all priors{falling} and all t > 1{own} at K = {_spans(set(labels))}"

    def beyond(self, labels: Sequence[int]) -> LabelDomain | None:
        """The other numbers of labels up to the largest, if any; None if the hypotheses have no others at all."""
        known = self.parameters[0]
        others = [Fraction(size) for size in range(2, self.largest + 1) if size not in labels and self._has(size)]
        if known.values is not None:
            others = [size for size in sorted(known.values) if size not in labels and self._has(int(size))]
        if not others and (known.values is not None or self._ends_at(self.largest)):
            return None
        return replace(self, parameters=(replace(known, values=tuple(others)), *self.parameters[1:]))

    def _ends_at(self, size: int) -> bool:
        """Whether the hypotheses exclude all larger numbers of labels."""
        return "contradict" in (_contradiction([*self.hypotheses, self.symbols["K"] > size]) or "")

    def instances(self, others: Sequence[Parameter]) -> list[dict[str, Any]]:
        """Values of K, the own parameters and the prior, from few to many labels; see `covered` for their names.

        Raises
        ------
        InvalidInputError
            If none satisfies the hypotheses.
        """
        found = list(self._family())
        if not found:
            allowed = f"hypotheses that an instance with K <= {self.largest} satisfies (raise --largest)"
            raise InvalidInputError("where", self.own_texts, allowed)
        return found

    def _family(self) -> Iterator[dict[str, Any]]:
        listed = self.parameters[0].values
        for size in range(2, self.largest + 1) if listed is None else map(int, sorted(listed)):
            for values in product(*(self._tried(p, size) for p in self.own)):
                at = {"K": Fraction(size), **dict(zip(self.names[2:], values, strict=True))}
                if not self.holds(at):
                    continue
                if not self.uses_prior:
                    yield at
                    continue
                for counts in dict.fromkeys(family(size) for family in self._counts.values()):
                    yield {**at, "prior": tuple(Fraction(count, sum(counts)) for count in counts)}

    @property
    def _counts(self) -> dict[str, Callable[[int], tuple[int, ...]]]:
        if self.prior == "ordered":
            return dict(_ORDERED.get(name, (name, counts)) for name, counts in _COUNTS.items())
        return _COUNTS

    def _tried(self, parameter: Parameter, size: int) -> Sequence[Fraction]:
        if parameter.values is not None:
            return parameter.values
        if parameter.whole:
            return sorted((Fraction(v) for v in range(-size - 1, size + 2)), key=lambda v: (abs(v), -v))
        named = {n for _, node in self.conditions[len(_HYPOTHESES) :] for n in numbers_in(node)}
        return sorted({*_REAL_VALUES, *named}, key=lambda v: (v.denominator, v))

    def covered(
        self, real: Parameter, followed: Sequence[Mapping[str, Any]], called: Sequence[Mapping[str, Any]]
    ) -> str:
        """Every family by its name; where functions are called only, every t is written out."""
        own = "".join(f", {text}" for text in self.own_texts)
        ladder = f"t in {{{', '.join(map(str, self.ladder))}}}"
        parts = [
            f"{where}{own} at K = {_spans({int(at['K']) for at in instances})}"
            for where, instances in (("all t > 1", followed), (ladder, called))
            if instances
        ]
        for p in self.own:
            if p.whole and p.values is None:
                parts.append(f"all whole {p.name} with |{p.name}| <= K + 1 in the hypotheses")
            else:
                values = sorted({at[p.name] for at in (*followed, *called)})
                parts.append(f"{p.name} in {{{', '.join(map(str, values))}}}")
        names = "; ".join(f"({name})" for name in self._counts)
        return "; ".join([*parts, f"priors with label counts {names}" if self.uses_prior else "uniform prior"])


def _spans(sizes: set[int]) -> str:
    """Numbers of labels in words: 2..6, 8."""
    runs: list[list[int]] = []
    for size in sorted(sizes):
        if runs and size == runs[-1][1] + 1:
            runs[-1][1] = size
        else:
            runs.append([size, size])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs)


def read_domain(params: Sequence[str] = (), where: Sequence[str] = (), prior: str = "any") -> LabelDomain:
    """Parameters and hypotheses from texts.

    Parameters
    ----------
    params : sequence of str
        A parameter each: ``"w >= 0"`` or ``"0 <= w"`` is a whole number, ``"lam in [0, 1]"`` a real one; the words
        ``integer`` and ``real`` say so explicitly: ``"m integer in [1, K]"``, ``"c real > 0"``. Bounds may use K and
        parameters before it. ``"each K in 2..7"``: K, or a parameter, takes these values. Vectors: ``"p[1..K] >= 0"``,
        ``"p[1] >= ... >= p[K] >= 0"``, ``"q[1..K, 1..K]"``.
    where : sequence of str
        Further hypotheses: ``"2*w + 1 <= K"``, ``"sum p = 1"``, ``"Each(p[i] <= 1/2, (i, 2, K))"``.
    prior : str
        One of `PRIORS`.

    Raises
    ------
    FormulaError
        If a text is outside the language.
    InvalidInputError
        If a name is taken, or the hypotheses contradict each other.
    """
    if prior not in PRIORS:
        raise InvalidInputError("prior", prior, f"one of {', '.join(PRIORS)}")
    parameters, conditions = list(_ALWAYS), list(_HYPOTHESES)
    vectors: list[Vector] = []
    for text in params:
        known = [p.name for p in parameters]
        if (vector := read_vector(text, known, [v.name for v in vectors])) is not None:
            vectors.append(vector[0])
            conditions += vector[1]
            continue
        listed = run_of(text, "param")
        if listed is not None and listed.name == "K":
            parameters[0] = listed
            continue
        name, whole, relation = declared(text) if listed is None else (listed.name, True, "")
        new = {name} if name else named_in_text(relation) - set(known)
        taken = {*known, *_RESERVED, *FUNCTIONS, *(v.name for v in vectors)}
        if len(new) != 1 or new & taken or any(map(keyword.iskeyword, new)):
            allowed = (
                "a parameter such as 'w >= 0', 'w integer >= 0', 'lam in [0, 1]', 'c real > 0' or 'each w in 0..3'"
            )
            none_of = (
                f"none of {', '.join(_RESERVED)}, no function such as sqrt, and no word of Python's such as lambda"
            )
            raise InvalidInputError("param", text, f"{allowed}, with one new name that is {none_of}")
        (name,) = new
        parameters.append(listed or Parameter(name, statements.is_whole(name, whole)))
        if relation:
            conditions.append((relation, read_condition(relation, (*known, parameters[-1].name), "param")))
    names = [*(p.name for p in parameters), *(v.in_text for v in vectors)]
    written = {" ".join(text.split()): with_sums(text, vectors) for text in where}
    conditions += [(text, read_condition(full, names, "where")) for text, full in written.items()]
    domain = LabelDomain(tuple(parameters), tuple(conditions), tuple(vectors), prior)
    _check_possible(domain)
    return domain


def _check_possible(domain: LabelDomain) -> None:
    """Raise if no point satisfies the hypotheses; of contradictory ones name as few as possible."""
    hypotheses = domain.hypotheses
    reason = _contradiction(hypotheses)
    if reason is None:
        return
    whole = [h for h in hypotheses if isinstance(h, sp.Contains)]
    needed = [h for h in hypotheses if not isinstance(h, sp.Contains)]
    if "contradict" in reason:
        for h in list(needed):
            without = [other for other in needed if other != h]
            if "contradict" in (_contradiction([*whole, *without]) or ""):
                needed = without
    shown = [str(h) for h in needed]
    what = "contradict each other" if "contradict" in reason else "are satisfied by no point that was found"
    raise InvalidInputError("where", domain.own_texts, f"hypotheses with a point in common; {', '.join(shown)} {what}")


def _contradiction(hypotheses: Sequence[Any]) -> str | None:
    if sp.false in hypotheses:
        return "contradict"
    answer = prove(sp.false, hypotheses, timeout_seconds=5)
    return answer.reason if isinstance(answer, Undecided) else None if isinstance(answer, Fails) else "contradict"
