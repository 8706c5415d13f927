"""A short paper is one file, inside the package and as anybody's own; what its claims stand on works by itself."""

from fractions import Fraction
from pathlib import Path

import pytest

from lpmech import Channel, PrivacyLevel
from lpmech.cli import main
from lpmech.errors import ChannelError
from lpmech.mechanisms import randomized_response, rr_top_k
from lpmech.programs.extreme_points import extreme_rays, is_extreme_point, staircase_refinement

PAPERS = Path(__file__).parent.parent / "lpmech" / "papers"
LEVEL = PrivacyLevel.from_ratio(3)


def _exit_code(*arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code


@pytest.mark.parametrize(("key", "only"), [("holohan2017", "strict"), ("kairouz2016", "patterns")])
def test_the_same_file_is_a_users_own_paper(key, only, tmp_path, capsys):
    # catches an import that only works inside the package; a key of ours is refused for a file outside
    text = (PAPERS / f"{key}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 200
    own = tmp_path / "own.py"
    own.write_text(text, encoding="utf-8")
    assert _exit_code("verify", own) == 2
    assert "a key of its own" in capsys.readouterr().err
    own.write_text(text.replace(f'"{key}"', '"own2026"'), encoding="utf-8")
    assert _exit_code("verify", own, "--only", only, "--all", "--jobs", "1") == 0
    assert "own2026: 1 claim: 1" in capsys.readouterr().out


@pytest.mark.parametrize("key", ["holohan2017", "kairouz2016"])
def test_every_claim_says_from_where_it_was_reconstructed(key):
    from lpmech.papers import load_paper

    assert all("not compared with the text" in claim.note for claim in load_paper(key).claims.values())


def test_a_column_of_three_steps_is_split_by_hand():
    # column (3, 2, 1)/6 at t = 3: constant 1/6 - (3/6 - 1/6)/2 = 0, then two gaps of 1/6: m = 1/12 each, t m = 1/4 above
    third = Fraction(1, 6)
    channel = Channel([[3 * third, 3 * third], [2 * third, 4 * third], [third, 5 * third]])
    fine = staircase_refinement(channel, LEVEL)
    assert [name for name in fine.outputs if name[0] == 0] == [(0, 1), (0, 2)]
    assert fine.matrix[:, 0].tolist() == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 12)]
    assert fine.matrix[:, 1].tolist() == [Fraction(1, 4), Fraction(1, 12), Fraction(1, 12)]
    assert fine.post_process(lambda pair: pair[0]) == channel
    assert fine.satisfies(LEVEL)


def test_a_staircase_channel_is_its_own_refinement_and_zero_columns_go():
    channel = randomized_response(3, LEVEL)
    fine = staircase_refinement(channel, LEVEL)
    assert (fine.matrix == channel.matrix).all()
    assert is_extreme_point(channel, LEVEL)
    assert {name for name, _ in staircase_refinement(rr_top_k([Fraction(1, 3)] * 3, 2, LEVEL), LEVEL).outputs} == {0, 1}


@pytest.mark.parametrize(
    ("channel", "level"),
    [
        (randomized_response(3, 1.0), LEVEL),  # floats
        (randomized_response(3, LEVEL), PrivacyLevel.from_ratio(2)),  # not private at this level
        (randomized_response(3, LEVEL), PrivacyLevel.from_epsilon(1.0)),
    ],
)
def test_only_exact_private_channels_are_refined(channel, level):
    with pytest.raises(ChannelError, match="channel"):
        staircase_refinement(channel, level)


def test_rays_of_few_labels():
    assert extreme_rays(1, LEVEL) == {(1,)}
    assert extreme_rays(2, LEVEL) == {(1, 3), (3, 1)}
    with pytest.raises(ChannelError, match="level"):
        extreme_rays(2, PrivacyLevel.from_epsilon(1.0))
