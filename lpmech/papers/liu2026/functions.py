"""The private counts that users call, against Algorithm 3 with its loop over the classes."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.mechanisms.private_histogram import noisy_counts, private_histogram
from lpmech.papers.claims import Parts
from lpmech.papers.liu2026.paper import PAPER

CLASSES = tuple("abcde")
TEXTS = ("", "a", "aab", "abcde", "eeeeeeeeeeeeeeee", "aaaabbbcc" * 9)


@PAPER.claim(
    "Alg. 3 (the functions)",
    r"noisy_counts adds noise of scale 2/\epsilon to the count of every class, also of one without examples, and cuts below 0; private_histogram divides by the sum",
    hypotheses="five classes, six lists of labels, empty classes among them; epsilon in {1/4, 1, 3}, 40 seeds; the discrete noise of two scales 1/(epsilon/2) from the same seed",
    family="lists, levels and seeds, with the same random bits",
    recorded="certified",
    formula=(noisy_counts, private_histogram),
    mutants={
        "noise where there are labels": (
            lambda labels, names, e, seed: noisy_counts(labels, names, e, seed) * [name in labels for name in names],
            private_histogram,
        ),
        "noise for one count": (
            lambda labels, names, e, seed: noisy_counts(labels, names, 2 * e, seed),
            private_histogram,
        ),
        "not divided": (noisy_counts, noisy_counts),
    },
    note="The paper's loop runs over the examples; see 'Alg. 3 line 2'.",
)
def histogram_functions(pair: Any) -> Parts:
    counted, shared = pair
    for labels, epsilon, seed in product(TEXTS, (0.25, 1.0, 3.0), range(40)):
        true = np.array([labels.count(name) for name in CLASSES])
        right = np.maximum(true + DiscreteLaplace.of_level(1, epsilon / 2).sample(len(CLASSES), seed), 0)
        found = counted(list(labels), CLASSES, epsilon, seed)
        at = f"counts {true.tolist()}, epsilon = {epsilon:g}, seed {seed}"
        noisy = f"{at}: {np.asarray(found).tolist()}, with the noise of every class {right.tolist()}"
        yield np.array_equal(found, right) or noisy
        share = right / right.sum() if right.sum() else np.full(len(CLASSES), 1 / len(CLASSES))
        same = np.array_equal(shared(list(labels), CLASSES, epsilon, seed), share)
        yield same or f"{at}: the shares are not {share.tolist()}"
