"""liu2026: the four blocks (Fig. 1), what the settings of Tables 8 and 9 give, Tables 3 to 6 from Tables 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from statistics import mean
from typing import TYPE_CHECKING

from lpmech.mechanisms import block_rr_from_partition
from lpmech.papers.liu2026.algorithm_2 import settings
from lpmech.papers.liu2026.cross_checks import weighted_mean
from lpmech.papers.liu2026.tables import ACCURACY, AVERAGE, COUNTS, ENTRIES, FIRST, ROUNDING, SECOND
from lpmech.papers.liu2026.tables_3_to_11 import accuracies
from lpmech.plots.channels import plot_channel
from lpmech.plots.looks import LOOKS
from lpmech.plots.redrawn.numbers import Beside
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compare_accuracies", "compare_averages", "compare_settings", "draw_blocks", "draw_settings"]


def draw_blocks() -> Axes:
    """Fig. 1 with numbers: the channel for the setting of CIFAR-10_1 at epsilon = 1 (sigma = 1.20, l = 5)."""
    chosen = next(row for row in settings() if row[:2] == (FIRST, Fraction(1)))
    return _drawn(chosen)


def draw_settings() -> Axes:
    """The channel for the setting of CIFAR-10_2 at epsilon = 2 (Table 9: sigma = 0.80, l = 6)."""
    return _drawn(next(row for row in settings() if row[:2] == (SECOND, Fraction(2))))


def _drawn(setting: tuple[str, Fraction, Fraction, int | None, list[int], str]) -> Axes:
    dataset, budget, _, l, majority, words = setting
    prior = prior_from_counts(COUNTS[dataset])
    channel = block_rr_from_partition(prior, majority, PrivacyLevel.from_epsilon(float(budget)), l or 0)
    axes = plot_channel(channel, title=f"{words}, l = {l}: |S1| = {len(majority)}")
    for line in (axes.axhline, axes.axvline):
        line(len(majority) - 0.5, color=LOOKS[0].colour, linewidth=2)
    return axes


def compare_settings() -> Sequence[Beside]:
    """What the sigma of Tables 8 and 9 give: the majority labels, beside what the text says of them."""
    return tuple(_settings())


def _settings() -> Iterator[Beside]:
    for dataset, budget, _, l, majority, words in settings():
        claim = "Tables 8 and 9 (which labels fall in S1)"
        minority = [label for label in range(len(COUNTS[dataset])) if label not in majority]
        said = ""
        if budget >= 4:
            said, claim = "empty", f"Section 5.2 (epsilon >= 4 gives S1 = S, {dataset})"
        chosen = "l not given" if l is None else f"l = {l} of {len(majority)}"
        yield Beside(f"S2, {words}, {chosen}", said, ", ".join(map(str, minority)) or "empty", claim)


def compare_averages() -> Sequence[Beside]:
    """Tables 4 and 6 from Tables 10 and 11: the entries that are not the average, beyond both roundings."""
    claims = {FIRST: "Table 4 (averages)", SECOND: "Table 6 (averages)"}
    return tuple(_off(AVERAGE, claims, lambda dataset, values: mean(values)))


def compare_accuracies() -> Sequence[Beside]:
    """Tables 3 and 5 from Tables 10 and 11: the entries that are not the mean weighted by the test samples."""
    claims = {FIRST: "Table 3 against Table 10", SECOND: "Table 5 against Table 11"}
    return tuple(_off(ACCURACY, claims, weighted_mean))


def _off(
    table: dict[str, dict[str, dict[str, tuple[str, ...]]]],
    claims: dict[str, str],
    of: Callable[[str, Sequence[Fraction]], Fraction],
) -> Iterator[Beside]:
    for dataset, claim in claims.items():
        ours = {entry: of(dataset, accuracies(dataset, *entry)) for entry in ENTRIES}
        for (budget, method), value in ours.items():
            printed = table[dataset][budget][method][0]
            if abs(Fraction(printed) - value) > ROUNDING:
                yield Beside(f"{dataset}, epsilon = {budget}, {method}", printed, f"{float(value):.3f}", claim)
