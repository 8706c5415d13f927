"""The private counts that users call, against Algorithm 3 with its loop over the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.mechanisms.private_histogram import noisy_counts, private_histogram
from lpmech.papers.checking import check_family
from lpmech.papers.liu2026.paper import PAPER
from lpmech.verdicts import Outcome

CLASSES = tuple("abcde")
TEXTS = ("", "a", "aab", "abcde", "eeeeeeeeeeeeeeee", "aaaabbbcc" * 9)


def _drawn(classes: int, epsilon: float, seed: int) -> Any:
    return DiscreteLaplace.of_level(1, epsilon / 2).sample(classes, seed)


@PAPER.claim(
    "Alg. 3 (the functions)",
    r"noisy_counts adds noise of scale 2/\epsilon to the count of every class, also of one without examples, and cuts below 0; private_histogram divides by the sum",
    hypotheses="five classes, six lists of labels, empty classes among them; epsilon in {1/4, 1, 3}, 40 seeds; the discrete noise of two scales 1/(epsilon/2) from the same seed",
    recorded="certified",
    formula=(noisy_counts, private_histogram),
    mutants={
        "noise where there are labels": (
            lambda labels, classes, e, seed: noisy_counts(labels, classes, e, seed) * [name in labels for name in classes],
            private_histogram,
        ),
        "noise for one count": (lambda labels, classes, e, seed: noisy_counts(labels, classes, 2 * e, seed), private_histogram),
        "not divided": (noisy_counts, noisy_counts),
    },
    note="The paper's loop runs over the examples; see 'Alg. 3 line 2'.",
)  # fmt: skip
def histogram_functions(pair: Any) -> Outcome:
    counted, shared = pair

    def failure(case: tuple[str, float, int]) -> str | None:
        labels, epsilon, seed = case
        true = np.array([labels.count(name) for name in CLASSES])
        right = np.maximum(true + _drawn(len(CLASSES), epsilon, seed), 0)
        found = counted(list(labels), CLASSES, epsilon, seed)
        at = f"counts {true.tolist()}, epsilon = {epsilon:g}, seed {seed}"
        if not np.array_equal(found, right):
            return f"{at}: {np.asarray(found).tolist()}, with the noise of every class {right.tolist()}"
        share = right / right.sum() if right.sum() else np.full(len(CLASSES), 1 / len(CLASSES))
        if not np.array_equal(shared(list(labels), CLASSES, epsilon, seed), share):
            return f"{at}: the shares are not {share.tolist()}"
        return None

    cases = [(labels, e, seed) for labels in TEXTS for e in (0.25, 1.0, 3.0) for seed in range(40)]
    return check_family(cases, failure, "lists, levels and seeds", "the same random bits")
