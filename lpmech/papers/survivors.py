"""Derived mutants that are right: every one that a check accepts, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["SURVIVORS"]

#: The loss of an output that both inputs never release, or at the border, does not count in the sum.
_B_2_3 = dict.fromkeys(
    ["p > 0 -> p >= 0, line 3", "0 -> -1, line 3", "p >= t * q -> p > t * q, line 3", "first and second exchanged"],
    "the same largest sum: what is added is zero, or the pair is taken the other way round",
)

#: (paper, id) of a claim -> name of the derived mutant -> why it is right as well.
SURVIVORS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("zheng2025", "B.2.3 (privacy definition)"): _B_2_3,
    ("zheng2025", "B.2.3 (privacy definition) [repaired]"): _B_2_3,
    ("liu2026", "Section 2 (unification)"): dict.fromkeys(
        [
            "0 -> 1", "l -> l + 1", "l -> l + 1, place 2", "l -> l ** 2, place 2",
            "l < s1 -> l <= s1", "s1 -> s1 + 1", "s1 -> s1 ** 2",
        ],
        "also true: fewer l, or l = |S~1| as well (see the note)",
    ),
    ("zhang2025", "i_3r > i_1r [repaired]"): {"3 -> 2": "also true: the claim is about odd N, of which 3 is the next"},
    ("zhang2025", "eq. (4)"): dict.fromkeys(["spread -> spread + 1"], "also true: more noise is private too"),
    ("liu2026", "Table 10 (RR at 3.0, class 7) [repaired]"): dict.fromkeys(
        ["85.09 -> 85.10", "85.09 -> 85.08"], "fits as well: the overall accuracy is printed to 0.01"
    ),
    ("zheng2025", "Section 7.2.1 (PM at the ends)"): {"cdf(1) - cdf(0) -> cdf(1) + cdf(0)": "the same: cdf(0) is 0"},
    ("across", "BlockRR is an extreme point"): {"l -> l ** 2": "the same: l^2 = 0 iff l = 0"},
    ("ghazi2021", "App. A.1 (ratio)"): dict.fromkeys(
        ["k -> k + 1, line 2, place 3", "k -> k ** 2, line 2, place 3"], "the third entry is no part of the ratio"
    ),
}  # fmt: skip
