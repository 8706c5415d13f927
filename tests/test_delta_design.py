"""`lpmech design --delta`: the best (epsilon, delta)-private channel, its files, and what it is worth without delta."""

import json
from fractions import Fraction

import pytest
from commands import lpmech
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmech import PrivacyLevel, optimal_channel
from lpmech.designs.delta_design import design_with_delta
from lpmech.designs.designing import utility_of
from lpmech.errors import ProgramError
from lpmech.labels.counts import as_label_counts
from lpmech.mechanisms.privacy_indicator import approximate_delta_of

F = Fraction
TWO = PrivacyLevel.from_ratio(2)
AT = ("design", "scale.csv", "--epsilon", 1)


@pytest.fixture
def scale(tmp_path):
    (tmp_path / "scale.csv").write_text("label,count\n0,5\n1,3\n2,2\n3,6\n")
    return tmp_path


@settings(max_examples=10)
@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.sampled_from([F(0), F(1, 1000), F(1, 7), F(1, 2)]),
    st.sampled_from(["hit", "absolute"]),
)
def test_what_is_compared_is_private_and_no_better(counts, delta, utility):
    found = design_with_delta({str(i): n for i, n in enumerate(counts)}, TWO, delta, utility)
    assert approximate_delta_of(found.solution.channel, TWO) <= delta
    best, *others = found.comparisons
    assert all(entry.epsilon <= TWO.epsilon * (1 + 1e-12) for entry in others)
    assert all(entry.expected_utility <= best.expected_utility + 1e-12 for entry in others)
    assert found.solution.value == found.solution.bound
    assert (found.closed_form == found.solution.value) if utility == "hit" else found.closed_form is None


@pytest.mark.parametrize("utility", ["hit", "absolute"])
def test_the_level_that_is_as_useful_lies_between_its_ends(utility):
    counts = {"0": 3, "1": 2, "2": 2}
    found = design_with_delta(counts, TWO, F(1, 10), utility)
    low, high = found.as_useful
    assert TWO.epsilon < low < high < low + 1e-3
    labels = as_label_counts(counts)
    gain = utility_of(utility, labels, TWO)[1]
    below, above = (optimal_channel(gain, end, labels.prior).solve() for end in (low, high))
    assert below.bound < found.solution.value <= above.value


def test_a_useful_constant_is_as_useful_at_every_level():
    # at ratio 2 and 98 % of one label no channel but the constant one is best, with delta as well: hits 98 % + 2 % delta
    found = design_with_delta({"a": 98, "b": 2}, TWO, F(1, 100))
    assert found.solution.value == F(98, 100) + F(1, 100) * F(2, 100)
    # without delta that takes t/(t + 1) > 0.98, t > 49, where RR of two labels hits t/(t + 1) = 0.9802: t = 49.505
    assert found.as_useful[1] == pytest.approx(3.9021, abs=1e-3)
    assert design_with_delta({"a": 98, "b": 2}, TWO, 0).as_useful == (TWO.epsilon, TWO.epsilon)


def test_many_labels_have_both_ends_and_a_small_gap():
    found = design_with_delta({str(i): i + 1 for i in range(20)}, 1.0, F(1, 100))
    assert 0 <= found.solution.gap < 1e-6
    assert found.solution.value <= found.closed_form <= found.solution.bound


def test_design_says_the_level_and_writes_what_certify_reads(scale):
    done = lpmech(*AT, "--delta", "1/100", "--counts-are", "public", "--output", "found", cwd=scale)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "(epsilon, delta) = (1, 0.01)" in said
    assert "max_k w_k" in said
    assert "a ledger counts epsilon without delta" in said
    assert "NOT" not in said
    assert sorted(path.name for path in (scale / "found").iterdir()) == [
        "certificate.json",
        "channel.csv",
        "comparison.csv",
    ]
    for path in ("found", "found/certificate.json"):
        checked = lpmech("certify", path, cwd=scale)
        assert (checked.returncode, "delta = 1/100" in checked.stdout) == (0, True)


def test_nothing_is_released_that_no_ledger_counts(scale):
    lpmech(*AT, "--delta", "1/100", "--counts-are", "public", "--output", "found", cwd=scale)
    (scale / "rows.csv").write_text("label\n0\n1\n")
    done = lpmech("randomize", "rows.csv", "--channel", "found", "--output", "out.csv", cwd=scale)
    assert (done.returncode, "which no ledger counts" in done.stderr) == (2, True)
    assert not (scale / "out.csv").exists()


def test_what_is_printed_for_programs_is_json(scale):
    done = lpmech(*AT, "--delta", "0.2", "--utility", "absolute", "--json", cwd=scale)
    data = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(name))
    assert data["delta"] == "1/5"
    assert data["comparison"][0]["epsilon"] is None
    low, high = data["as_useful_without_delta"]
    assert 1 < low < high


@pytest.mark.parametrize(
    ("options", "said"),
    [
        *((["--delta", text], "0 <= delta < 1") for text in ("1", "nan", "inf", "x", "", "1/0", "<script>", "2e400")),
        (["--delta=-1e-9"], "0 <= delta < 1"),
        (["--delta", "0.1", "--metric", "line"], "--metric"),
        (["--delta", "0.1", "--mechanism", "optimal"], "--delta"),
        (["--delta", "0.1", "--utility", "count"], "--delta"),
        (["--delta", "0.1", "--counts-are", "private", "--spend", "0.2"], "--delta"),
    ],
)
def test_what_does_not_go_with_delta_is_refused(scale, options, said):
    done = lpmech(*AT, *options, cwd=scale)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (scale / "lpmech-ledger.json").exists()


def test_too_many_labels_for_delta_are_refused():
    with pytest.raises(ProgramError, match="coefficients"):
        design_with_delta({str(i): i + 1 for i in range(60)}, 1.0, F(1, 100))
