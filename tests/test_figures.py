"""The papers' figures and tables: all are listed, judged by claims that exist, and the numbers beside them are right."""

import re

import pytest

from lpmech.errors import InvalidInputError
from lpmech.papers import load_paper
from lpmech.plots.redrawn import Beside, Treatment, figures_of, liu2026, zheng2025

#: How many figures and tables each paper has, by its captions.
CAPTIONS = {"ghazi2021": (5, 5), "zhang2025": (12, 1), "zheng2025": (16, 2), "zhao2025": (4, 3), "liu2026": (3, 11)}


def numbers(item: str) -> list[int]:
    """ "Figs. 6 to 9" -> 6, 7, 8, 9."""
    found = [1 if each == "I" else int(each) for each in re.findall(r"\d+|\bI\b", item)]
    return list(range(found[0], found[1] + 1)) if " to " in item else found


@pytest.mark.parametrize("paper", CAPTIONS)
def test_every_figure_and_table_is_listed_once(paper):
    """Catches one that the page passes over in silence."""
    listed = {"Fig": [], "Table": []}
    for each in figures_of(paper):
        listed[re.match(r"Fig|Table", each.item)[0]] += numbers(each.item)
    assert tuple(
        sorted(found) == list(range(1, n + 1)) for found, n in zip(listed.values(), CAPTIONS[paper], strict=True)
    ) == (True, True)


@pytest.mark.parametrize("paper", CAPTIONS)
def test_what_is_said_of_a_figure_fits(paper):
    """Catches a claim that was renamed, "redrawn" without a picture, "not reproduced" without a reason."""
    for each in figures_of(paper):
        assert set(each.claims) <= set(load_paper(paper).claims)
        assert each.why
        assert (each.draw is not None) or each.treatment != Treatment.REDRAWN
        assert each.draw is each.compare is None or each.treatment not in (Treatment.LEFT_OUT, Treatment.PICTURE)


def test_a_number_that_differs_names_the_claim_that_judges_it():
    """Catches a difference without a verdict, and one whose claim says that the paper is right."""
    for module in (zheng2025.compare_example, zheng2025.compare_concentrations, liu2026.compare_settings,
                   liu2026.compare_averages, liu2026.compare_accuracies):  # fmt: skip
        paper = module.__module__.rpartition(".")[2]
        for row in module():
            if row.difference not in ("", "0", "none"):
                claim = load_paper(paper).claims[row.claim]
                assert claim.recorded in ("refuted", "unclear") or claim.repairs, row


def test_the_numbers():
    """1 - e^-0.6 = 0.45119, ln 5 / 0.3 = 5.36479; Table 4 is 2.998 below the mean of ten entries of Table 10, 530.78 / 10."""
    example = {row.what: (row.ours, row.difference) for row in zheng2025.compare_example()}
    assert example["p(2, 0.3)"] == ("0.4512", "-0.0088")
    assert example["least epsilon with p(epsilon, 0.3) = 0.8"] == ("5.3648", "+0.1648")
    (first, _) = liu2026.compare_averages()
    assert first[:3] == ("CIFAR-10_1, epsilon = 2, RRWithPrior", "50.08", "53.078")
    empty = {row.what: row.difference for row in liu2026.compare_settings() if row.printed}
    assert [what for what, difference in empty.items() if difference != "none"] == [
        "S2, CIFAR-10_2, epsilon = 4, sigma = 0.5, l = 0 of 7"
    ]


def test_differences_of_numbers_words_and_nothing():
    assert [Beside("", *pair).difference for pair in (("8.7 %", "-2.2 %"), ("SW", "k-RR"), ("a", "a"), ("", "1"), ("1", "1.0"))] == [
        "-10.9", "differs", "none", "", "0",
    ]  # fmt: skip


def test_another_paper_is_refused():
    with pytest.raises(InvalidInputError, match="one of ghazi2021, "):
        figures_of("across")
