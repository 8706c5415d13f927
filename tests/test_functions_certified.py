"""Claims on a function and its rule: what the function gets wrong on some instances is noticed by the claim.

Each error was once `proved`, as the rule is right and the replay went no further than 12 outputs, or jumped from 2 to 4.
"""

from functools import wraps

import pytest

from lpmech.papers import load_paper
from lpmech.papers.ghazi2021 import algorithm_2
from lpmech.statements.coverage import followed, running, sealed
from lpmech.verdicts import Verdict, proved


def planted(right, wrong):
    """A function that gives wrong(size, result) in place of its result."""

    @wraps(right)
    def made(argument, *others, **named):
        result = right(argument, *others, **named)
        return wrong(argument if isinstance(argument, float) else len(argument), result)

    return made


def capped(outputs, m):
    return min(m, -(-outputs // 2))


def one_too_small_from_40(outputs, m):
    return m - (outputs >= 40)


ON_M = [
    "Abstract (optimal for symmetric utilities)", "Alg. 2 (maximises utility) [repaired]",
    "Alg. 3 (optimal among common weights)", "Alg. 3 (BRR* against BRR)", "Alg. 3 (known prior) [repaired]",
    "Section V.A (utility increases with epsilon) [repaired]", "Section V.D (noise decreases) [repaired]",
    "Section V.E (BRR best) [repaired]", "Section V.E (loss falls with the budget) [repaired]",
]  # fmt: skip


@pytest.mark.parametrize("wrong", [capped, one_too_small_from_40])
@pytest.mark.parametrize("id", ON_M)
def test_an_m_that_is_wrong_at_some_sizes_is_refuted(id, wrong):
    # 3 ones among 4 outputs, and 52 among 70, have m = 3 and m = 52: (1 (t - 1) + ...) rises up to the last one
    claim = load_paper("zhang2025").claims[id]
    formula = tuple(planted(part, wrong) if part.__name__.startswith("common_m") else part for part in claim.formula)
    assert formula != claim.formula
    assert claim.outcome_of(formula).verdict is Verdict.REFUTED


@pytest.mark.parametrize("place", range(3))
def test_a_scale_that_is_too_large_in_between_is_refuted(place):
    claim = load_paper("zheng2025").claims["B.2.3 (scales)"]
    wrong = planted(claim.formula[place], lambda epsilon, sigma: sigma * (1.1 if 3 <= epsilon <= 3.9 else 1))
    formula = (*claim.formula[:place], wrong, *claim.formula[place + 1 :])
    assert claim.outcome_of(formula).verdict is Verdict.REFUTED


def test_a_k_that_is_one_too_small_at_many_labels_is_refuted(monkeypatch):
    claims = load_paper("ghazi2021").claims
    claim = claims["Ours (w_k and k^* from the equations)"]
    wrong = planted(claim.formula[2], lambda labels, k: k - (labels >= 30))
    assert claim.outcome_of((*claim.formula[:2], wrong)).verdict is Verdict.REFUTED
    monkeypatch.setattr(algorithm_2, "best_k", planted(algorithm_2.best_k, lambda labels, k: k - (labels >= 30)))
    assert claims["Alg. 2 (k* from the thresholds)"].run().verdict is Verdict.REFUTED


def test_what_is_certified_of_a_function_reaches_beyond_64_outputs():
    outcome = load_paper("zhang2025").claims["Alg. 2 (maximises utility) [repaired]"].run()
    assert outcome.verdict is Verdict.PROVED
    assert outcome.function == "certified on 306 instances, up to 70 outputs"


def test_of_several_functions_the_one_with_the_fewest_instances_counts():
    """Two functions of a formula, one called once: what is said of both is what was done with the less tried one."""
    with running("", (), whole=False) as run:
        first, second = followed((lambda v: [0] * v, lambda v: v), run)
        second(1), [first(n) for n in (1, 2, 5)]
    assert run.covered(sealed(proved("m", "e"))).function == "certified on 1 instance"
