"""What the names in the tables of `lpmech design` mean, a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lpmech.mechanisms.catalogue import PUBLISHED

__all__ = ["COLUMNS", "COUNTING_COLUMNS", "EPSILON_COLUMNS", "MECHANISMS", "REMAINING"]

#: The mechanisms by the names of the comparison.
MECHANISMS: Mapping[str, str] = MappingProxyType(
    {
        "optimal": "no private mechanism has a larger utility for these labels; found by a linear program and proved",
        "optimal_without_floor": "the same without the condition that every label keeps its floor",
        "optimal_without_delta": "the best one that keeps epsilon always, not but for a probability delta",
        "optimal_for_the_prior": "the best one if the shares of the labels are just these, and not worse ones",
        "optimal_with_floor": "the best one that keeps every label halfway from guessing to what is possible",
        "always_one_label": "ignores the true label and always releases the same one: perfectly private, says nothing",
        **PUBLISHED,
        "best_for_counting": "no private channel has shares of less variance for these labels, up to the gap proved",
        "subset_selection": "releases a set of d labels, which holds the true one more often than another",
        "optimal_unary_encoding": "a bit for each label: half of the time 1 for the true one, seldom for another",
        "symmetric_unary_encoding": "a bit for each label, each turned with one probability: the vector approximation",
        "hadamard_response": "one of S outputs, half of which are likelier for each label; short to send",
    }
)

#: The columns of the first table.
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "utility": "what the mechanism is worth on average: larger is better, a loss counts as negative",
        "loss (%)": "how much of the best possible utility it gives away; above 100 where the utility changes sign",
        "epsilon": "the privacy it really has; smaller is more private, and it may be less than was allowed",
    }
)

#: The columns of the table for counting.
COUNTING_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "share ± (points)": "percentage points by which a label's share is off: root mean square over the labels",
        "more (%)": "how much larger that error is than the first one's",
    }
)

#: The columns of the second table.
REMAINING: Mapping[str, str] = MappingProxyType(
    {
        "never released": "how many of the labels never occur in the released data, whatever the true labels are",
        "share ±": "percentage points by which the share of a label is off that is estimated without bias from as many "
        "released labels as were counted: root mean square over the labels; - where it cannot be estimated",
        "information": "how many bits a released label tells about the true one (0: nothing)",
        "guessed": "how often the best guess of the true label from the released one is right",
    }
)

#: The columns of the table of levels.
EPSILON_COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "epsilon": "of one release",
        "even odds become": "how sure of a person's label somebody can get who thinks two labels equally likely",
        "utility": "what the best mechanism is worth on average: larger is better, a loss counts as negative",
        "lost": "how many of the labels the best mechanism never releases",
        "bits": "the information that one of its released labels gives about the true one",
        "utility, all kept": "the same for the best mechanism that keeps every label (--keep-labels)",
        "bits, all kept": "and its information",
        "share ±": "percentage points by which a label's share is off when estimated from its released labels",
        "rr share ±": "the same for randomized response; `lpmech design --utility count` has the best one for counting",
    }
)
