"""What was found of somebody else's randomizer, line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lpmech.audit.black_box import NEIGHBOURS, BlackBoxAudit, Leak
from lpmech.audit.dependence import SAME_SEED, Dependence

__all__ = ["audit_lines"]

_SOUGHT = (
    "of what else answers depend on: labels of questions before and after, answers before, the last answer to the same "
    "label, seed, run, place in the run"
)


def audit_lines(found: BlackBoxAudit) -> Iterator[str]:
    """Bounds, what shows them, what answers depend on besides their label, and how sure all that is."""
    sure, worst = f"with confidence {100 * found.confidence:g} %", found.worst
    outputs = f"on the {len(found.outputs) - 1} outputs seen at most"
    high = f"{_up(found.high)}" if math.isfinite(found.high) else "unbounded"
    upper = f", and {outputs} {high}" if found.is_honest else ""
    yield f"{sure}: epsilon is at least {_down(worst.low)}{upper}"
    yield f"shown by {_shown(worst)}; chosen by the first half of the answers and tested on the second"
    for leak in found.neighbours:
        if leak.low > 0:
            yield f"FOUND: it betrays {NEIGHBOURS[leak.lag]}: epsilon about that is at least {_down(leak.low)}"
    for each in found.dependences:
        yield f"FOUND: {_told(each)}"
    yield (
        f"error probability {1 - found.confidence:.3g}, {found.trials} fresh answers: a quarter for the lower bound; "
        f"a quarter shared by {found.tests} bounds and tests, {_SOUGHT}; half shared by {found.bounds} bounds of "
        "Clopper and Pearson, for the upper bound (union bound)"
    )


def _shown(leak: Leak) -> str:
    whose = "" if leak.lag == 0 else f" ({NEIGHBOURS[leak.lag]})"
    return (
        f"the answer {leak.output}: of {leak.guesses} times with the label {leak.likely} or {leak.unlikely}{whose}, "
        f"it was {leak.likely} {leak.right} times"
    )


def _told(found: Dependence) -> str:
    chance = f"of independent ones with probability below 1e-{found.digits}" if found.digits else "beyond chance"
    if found.on == SAME_SEED:
        return f"a fixed seed: two runs gave the same answers to the same questions, {chance}"
    return f"answers depend on {found.on}: it foretells them better than their label alone, {chance}"


def _down(value: float) -> str:
    return f"{math.floor(value * 1e4) / 1e4:.4f}"


def _up(value: float) -> str:
    return f"{math.ceil(value * 1e4) / 1e4:.4f}"
