"""A claim at the reader's own parameters."""

from fractions import Fraction

import pytest
import sympy as sp

from lpmech.claims import Paper
from lpmech.cli import main
from lpmech.errors import InvalidInputError, PriorError
from lpmech.papers import load_paper

GAMMA = load_paper("liu2026").claims["Lemma 3.1 (gamma)"]
SIZES = {"t": 3, "b": 1, "s1": 2, "s2": 3}


def test_both_sides_are_exact():
    # t = 3, b = 1, s1 = 2, s2 = 3: gamma(0) = 1/(2 + 5), gamma(1) = 11/85 by hand
    first, second = GAMMA.at(**SIZES, l=0, l2=1)
    assert (first.left, first.right, first.holds) == (Fraction(1, 7), Fraction(11, 85), True)
    assert second.name.endswith("s2 = 0")


def test_a_wrong_formula_shows_where_it_fails():
    first, _ = GAMMA.at(GAMMA.mutants["increasing"], **SIZES, l=0, l2=1)
    assert first.holds is False


@pytest.mark.parametrize(
    ("changed", "match"),
    [({"t": 1}, "t > 1"), ({"l2": 0}, "l2 > l"), ({"q": 1}, "the parameters b, l"), ({"b": None}, "no value of b")],
)
def test_a_point_outside_the_hypotheses_is_told_which(changed, match):
    values = {k: v for k, v in {**SIZES, "l": 0, "l2": 1, **changed}.items() if v is not None}
    with pytest.raises(InvalidInputError, match=match):
        GAMMA.at(**values)


def test_a_claim_on_a_family_has_no_point():
    claim = next(c for c in load_paper("liu2026").claims.values() if c.id.startswith("Table 6"))
    with pytest.raises(InvalidInputError, match="family"):
        claim.at(t=3)


def test_the_command_prints_both_sides(capsys):
    at = [part for name, value in {**SIZES, "l": 0, "l2": 1}.items() for part in ("--at", f"{name}={value}")]
    with pytest.raises(SystemExit) as left:
        main(["show", "liu2026", "Lemma 3.1 (gamma)", *at])
    assert left.value.code == 0
    assert "11/85" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        main(["show", "liu2026", "Lemma 3.1 (gamma)", "--at", "t"])
    assert left.value.code == 2
    assert "NAME=NUMBER" in capsys.readouterr().err


def test_derived_mutants_are_shown_with_their_fates(capsys):
    with pytest.raises(SystemExit) as left:
        main(["show", "liu2026", "Def. 2.5", "--derived"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert "killed" in out
    assert "exchanged" in out


t, K = sp.symbols("t K")


@pytest.mark.parametrize(
    ("pair", "given", "values", "left", "right", "holds"),
    [  # sympy cancels these poles, gives empty ranges another value, and complex numbers a square; was: holds
        (("t*(K-9)/(K-9)", t), [t > 1, K >= 2], {"t": 2, "K": 9}, "not defined", 2, False),
        (("Sum(i,(i,5,K))", K * (K + 1) / 2 - 10), [t > 1, K >= 2], {"t": 2, "K": 2}, 0, -7, False),
        (("Product(2,(i,5,K))", 2 ** (K - 4)), [t > 1, K >= 2], {"t": 2, "K": 2}, 1, Fraction(1, 4), False),
        (("sqrt(t-5)**2", t - 5), [t > 1], {"t": 2}, "not defined", -3, False),
        (("factorial(t)/factorial(t)", 1), [t > 0], {"t": Fraction(1, 2)}, "not defined", 1, False),
        (
            ("Sum(t**i,(i,0,K-1))", (t**K - 1) / (t - 1)),
            [t > 1, K >= 1],
            {"t": 2, "K": 2000},
            2**2000 - 1,
            2**2000 - 1,
            True,
        ),
    ],
)
def test_what_is_compared_is_what_the_engine_reads(pair, given, values, left, right, holds):
    paper = Paper("p", "title")
    paper.claim("x", "", given=given, formula=pair, mutants={"y": (1, 2)})(lambda asked: {"sides": asked})
    (row,) = paper.claims["x"].at(**values)
    assert row.left == left or str(row.left).startswith(f"{left} (")
    assert (row.right, row.holds) == (right, holds)


def test_a_hypothesis_that_is_not_defined_is_not_satisfied():
    paper = Paper("p", "title")
    paper.claim("x", "", given=[1 / (K - 3) > 0], formula=K, mutants={"y": 1})(lambda asked: {"positive": asked > 0})
    with pytest.raises(InvalidInputError, match=r"1/\(K - 3\) > 0"):
        paper.claims["x"].at(K=3)  # was: a traceback of sympy


def test_each_parameter_is_given_once(capsys):
    with pytest.raises(SystemExit) as left:
        main(["show", "liu2026", "Lemma 3.1 (gamma)", "--at", "t=3", "--at", "t=4"])
    assert left.value.code == 2
    assert "each parameter once" in capsys.readouterr().err


PRIOR = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


def test_a_claim_on_a_program_takes_a_prior():
    theorem = load_paper("ghazi2021").claims["Theorem 3 (LP1 = LP2 = max w_k)"]
    (row,) = theorem.at(prior=PRIOR, t=3)  # w_2 = 3/4 (1/2 + 1/3) by hand, w_1 = 1/2, w_3 = 3/5
    assert (row.left, row.right, row.holds) == (Fraction(5, 8), Fraction(5, 8), True)
    (row,) = (
        load_paper("liu2026").claims["eq. (4.1) (optimality)"].at(prior=PRIOR, t=3, d=Fraction(1, 2), l=Fraction(1))
    )
    assert row.left < row.right
    assert not row.holds
    with pytest.raises(InvalidInputError, match="a value of each of prior, t"):
        theorem.at(t=3)
    with pytest.raises(PriorError, match="sum to one"):
        theorem.at(prior=PRIOR[:2], t=3)
    with pytest.raises(InvalidInputError, match="this claim has no prior"):
        GAMMA.at(prior=PRIOR)


def test_the_prior_is_typed_as_numbers(capsys):
    with pytest.raises(SystemExit):
        main(["show", "ghazi2021", "Theorem 3 (LP1 =", "--at", "prior=1/2,1/3,1/6", "--at", "t=3"])
    assert "5/8" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["show", "ghazi2021", "Theorem 3 (LP1 =", "--at", "prior=1/2,,1/6"])
    assert "prior=1/2,1/3,1/6" in capsys.readouterr().err


def test_what_a_check_asks_about_other_letters_is_left_out():
    # whether the relation is <, = or > is asked of letters that are no parameters of the lemma
    claim = load_paper("liu2026").claims["Lemma 3.1 (gamma)"]
    compared = claim.at(t=3, b=1, s1=2, s2=3, l=0, l2=1)
    assert [row.name for row in compared] == ["gamma at l and at l2", "gamma at l and at l2, s2 = 0"]
    with pytest.raises(InvalidInputError, match="at: got 'x'; allowed: the parameters b, l,"):
        claim.at(x=3)
    with pytest.raises(InvalidInputError, match="no value"):
        claim.at()


def test_a_part_whose_hypothesis_the_point_violates_is_listed_as_left_out():
    # was: only the other parts were shown, as if they were the claim
    claim = load_paper("ghazi2021").claims["Implementation (VFLAIR, RRWithPrior, when it is private)"]
    compared = claim.at(k1=2, K=Fraction(5, 2), r=1, t=3)
    assert [row.holds for row in compared] == [True, True, None, None]
    assert compared[-1].name == "private => claimed (left out: needs K an integer)"
