"""Whether a sampler written in Python is private, as far as its answers tell: `lpmech.audit`, without a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lpmech.audit.black_box import audit_answers, trials_needed
from lpmech.audit.randomizer import ask_sampler
from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError
from lpmech.statements.properties import Level
from lpmech.statements.statement import Found
from lpmech.testing.checking import How, enough
from lpmech.testing.results import Checked, FailedAssertionError
from lpmech.verdicts import Verdict

__all__ = ["sampler_private"]

#: A test that is right fails once in a million runs.
_CONFIDENCE = 1 - 1e-6


def sampler_private(
    sampler: Any, level: Level, labels: Sequence[Any], trials: int, seed: int | None, how: How
) -> Checked:
    """See `lpmech.testing.assert_private`.

    Raises
    ------
    FailedAssertionError
        If the answers show a larger level, or that they depend on more than their label.
    InvalidInputError
        If it is no function, the level depends on parameters, or no sampler would fail with so few trials.
    """
    __tracebackhide__ = True
    if not callable(sampler):
        raise InvalidInputError("channel", sampler, "a function of a label that draws an output, with labels=...")
    if level.constant is None:
        raise InvalidInputError("epsilon", level.text, "a number: a sampler is asked at one level")
    needed = trials_needed(level.constant.epsilon, _CONFIDENCE)
    if whole_number(trials, "trials", 1) < needed:
        told = f"{needed} or more: with fewer one that always tells its label passes at {level.text}"
        raise InvalidInputError("trials", trials, told)
    text = f"private at {level.text}"
    audit = audit_answers(ask_sampler(sampler, labels, trials, seed), _CONFIDENCE, seed)
    leak = audit.worst
    sure = f"with confidence {_CONFIDENCE:.6f}"
    asked = f"{2 * len(labels)} x {trials} answers twice"
    if leak.low > level.constant.epsilon:
        told = f"output {leak.output!r} tells {leak.likely!r} from {leak.unlikely!r}"
        raise FailedAssertionError(text, f"{told}: epsilon is at least {leak.low:.4g}, {sure} ({asked})")
    if not audit.is_honest:
        on = [found.on for found in audit.dependences] or [f"labels {leak.lag} before"]
        raise FailedAssertionError(text, f"an answer depends on more than its label: on {', '.join(on)}, {sure}")
    evidence = f"epsilon between {audit.own.low:.4g} and {audit.high:.4g} {sure}; {asked}, no dependence found"
    return enough(text, Found(Verdict.SUPPORTED, "", evidence), how)
