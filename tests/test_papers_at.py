"""A claim at the reader's own parameters."""

from fractions import Fraction

import pytest

from lpmech.cli import main
from lpmech.errors import InvalidInputError
from lpmech.papers import load_paper

GAMMA = load_paper("liu2026").claims["Lemma 3.1 (gamma)"]
SIZES = {"t": 3, "b": 1, "s1": 2, "s2": 3}


def test_both_sides_are_exact():
    # t = 3, b = 1, s1 = 2, s2 = 3: gamma(0) = 1/(2 + 5), gamma(1) = 11/85 by hand
    first, second = GAMMA.at(**SIZES, l=0, l2=1)
    assert (first.left, first.right, first.holds) == (Fraction(1, 7), Fraction(11, 85), True)
    assert second.name.endswith("at s2 = 0")


def test_a_wrong_formula_shows_where_it_fails():
    first, _ = GAMMA.at(GAMMA.mutants["beta in place of gamma"], **SIZES, l=0, l2=1)
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
        main(["show", "liu2026", "eq. (3.2) (positivity)", "--derived"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert "killed" in out
    assert "exchanged" in out
