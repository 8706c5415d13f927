"""A check that accepts a wrong formula, or claims that do not notice an error of the source, would go unseen without these."""

from fractions import Fraction
from pathlib import Path

import judge
import planted
import pytest
import sympy as sp

from lpmech.claims import Claim
from lpmech.claims.checking import check_family, check_identities, check_implications
from lpmech.claims.derived import derived_fates, derived_mutants
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.prove.mutations import mutants_of
from lpmech.verdicts import Verdict

T, K = sp.symbols("t K")


def _made(check, formula, recorded="proved", control=None):
    return Claim("made", "here", "", "", Verdict(recorded), check, formula, {"none": None}, control=control)


def test_an_expression_is_changed_at_every_place():
    found = mutants_of(T / (T + K - 1))
    wrong = [T, T / (T + K), T / (T + K - 2), T / (K - T - 1), T**2 / (T + K - 1), K / (T + K - 1)]
    assert all(any(sp.cancel(mutant - w) == 0 for mutant in found.values()) for w in wrong)
    assert not any(sp.cancel(mutant - T / (T + K - 1)) == 0 for mutant in found.values())
    assert set(mutants_of(T >= K).values()) >= {T > K, T <= K}
    assert set(mutants_of(Fraction(3, 4)).values()) == {Fraction(7, 4), Fraction(-1, 4)}
    assert set(mutants_of("0.16").values()) == {"0.17", "0.15"}


def test_a_text_is_changed_at_every_place_and_nothing_in_it_is_evaluated():
    found = set(mutants_of("(K-9)/(K-9)*t").values())  # was: a text had no mutants
    assert {"(K - 9) / (K + 9) * t", "(K - 9) / (K - 10) * t", "(K - 9) / (K - 9) * t ** 2"} <= found
    assert "0.10000000000000000000001 * t ** 2" in mutants_of("0.10000000000000000000001*t").values()
    assert {"Sum(i / K, (i, 1 + 1, K))", "Sum(i, (i, 1, K))"} <= set(mutants_of("Sum(i/K, (i, 1, K))").values())
    assert {"K > 2 and t > 1", "K >= 2 or t > 1"} <= set(mutants_of("K >= 2 and t > 1").values())
    for name in ("PM", "CIFAR-10_1", "section 5.2", "BRR*"):
        assert mutants_of(name) == {}


def test_mutants_of_a_text_are_shown_equal():
    # was: accepted, as if the check had a hole
    def check(formula):
        return check_identities({"m": (formula, T)}, "x", hypotheses=[T > 1, K >= 2])

    fates = derived_fates(_made(check, "Max(t, 1)"), None)
    assert (set(fates.equivalent), dict(fates.accepted)) == ({"1 -> 0 in Max(t, 1)"}, {})
    relation = _made(lambda condition: check_implications([T > 1, K >= 2], {"m": condition}, "x"), "K > 1")
    fates = derived_fates(relation, None)
    assert "1 -> 0 in K > 1" in fates.equivalent
    assert fates.accepted == {}
    # a text that the check does not use is changed and accepted
    assert derived_fates(_made(lambda _: check("Max(t, 1)"), "K*t"), None).accepted


def test_of_a_pair_one_part_changes_and_the_other_stays():
    pair = (T + 1, 5)
    for mutant in mutants_of(pair).values():
        assert sum(ours != theirs for ours, theirs in zip(mutant, pair, strict=True)) == 1


def test_a_function_is_changed_in_its_source_for_all_arguments_alike():
    shift = 10
    found = mutants_of(lambda t, n: t / (t + n - 1) + sum(range(n)) + shift - shift)
    exchanged = found.pop("t and n exchanged")
    values = {name: mutant(Fraction(2), 3) for name, mutant in found.items() if "(n" in name or "range" not in name}
    assert values["1 -> 2"] == Fraction(2, 3) + 3
    assert values["t + n - 1 -> t + n + 1"] == Fraction(1, 3) + 3
    assert values["range(n) -> range(n + 1)"] == Fraction(1, 2) + 6
    assert values["range(n) -> range(n - 1)"] == Fraction(1, 2) + 1
    assert found["1 -> 2"](T, 3) == T / (T + 1) + 3
    with pytest.raises(TypeError):  # t is no whole number for range
        exchanged(Fraction(2), 3)


_DEF = "def scale(n, sigma):\n    {}half = n * n / 2\n    return half + max(n, 1) + sigma * n\n"


def _names_in(path, text):
    """The names of the mutants of a function that stands in a file."""
    path.write_text(text)
    space = {}
    exec(compile(text, str(path), "exec"), space)
    return list(mutants_of(space["scale"]))


def test_a_comment_changes_no_name_of_a_mutant(tmp_path):
    # was: keyed by the line, so that a comment in another room made `verify --self-test full` say NOT AS RECORDED
    names = _names_in(tmp_path / "before.py", _DEF.format(""))
    assert "n -> n ** 2 in sigma * n" in names
    assert _names_in(tmp_path / "after.py", _DEF.format("# a comment\n    ")) == names


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_every_reason_of_a_survivor_names_a_mutant(key):
    """A reason whose mutant has another name by now excuses nothing."""
    for claim in load_paper(key).claims.values():
        if not isinstance(claim.survivors, str):
            assert not claim.survivors.keys() - derived_mutants(claim).keys(), claim.id


def test_of_two_lambdas_in_a_line_the_right_one_is_changed():
    first, second = (lambda t: t - 1), (lambda t: t - 7)
    assert mutants_of(first)["1 -> 2"](5) == 3
    assert mutants_of(second)["7 -> 8"](5) == -3


def test_a_check_of_an_identity_kills_or_proves_equal_and_a_blind_one_is_found():
    def right(formula):
        return check_identities({"square": ((T + 1) ** 2, formula(T))}, "all t")

    fates = derived_fates(_made(right, lambda t: (t + 1) * (1 + t)), None)
    assert not fates.accepted
    assert {"t + 1 -> t - 1", "1 -> 2"} <= set(fates.killed)
    # one exchanged sign in a square is right as well, and the engine shows it
    squared = derived_fates(
        _made(lambda f: check_identities({"": ((T - K) ** 2, f(T, K))}, ""), lambda t, k: (t - k) ** 2), None
    )
    assert set(squared.equivalent) == {"t and k exchanged"}

    def blind(formula):
        return check_family([1, 2], lambda n: None if formula(n) > 0 else f"{n}", "only positivity")

    assert "1 -> 2" in derived_fates(_made(blind, lambda n: n + 1, "certified"), None).accepted


def test_no_answer_is_no_death_and_a_refuted_claim_is_tried_by_its_control():
    def silent(formula):
        raise RuntimeError("the check broke")

    fates = derived_fates(_made(silent, lambda n: n + 1), None)
    assert fates.undecided
    assert not fates.killed
    assert not derived_mutants(_made(silent, lambda n: n + 1, "refuted"))
    assert derived_mutants(_made(silent, lambda n: n + 1, "refuted", control=lambda n: n + 2))
    claim = load_paper("zhang2025").claims["eq. (8)"]
    assert list(derived_mutants(claim, 2)) == list(derived_mutants(claim, 2))
    assert len(derived_mutants(claim, 2)) == 2


def test_a_mutant_that_takes_too_long_is_undecided():
    def check(formula):
        while formula(1) != 2:
            pass
        return check_identities({"": (formula(T), T + 1)}, "")

    fates = derived_fates(_made(check, lambda n: n + 1), None, 0.05)
    assert "1 -> 2" in fates.undecided
    assert "0.05 seconds" in fates.undecided["1 -> 2"]


IN_SECONDS = [error for error in planted.ERRORS if "only" in error]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for paper in {error["verify"] for error in IN_SECONDS}:
        load_paper(paper)  # the children find numpy, sympy and the others in memory
    return judge.copied(tmp_path_factory.mktemp("planted"), ("lpmech",))


@pytest.mark.parametrize("error", IN_SECONDS, ids=lambda error: error["name"])
def test_verify_notices_a_planted_error(error, copy):
    assert planted.noticed_in_fork(error, copy)


def test_nothing_is_noticed_where_nothing_is_planted(copy):
    harmless = {**IN_SECONDS[0], "new": IN_SECONDS[0]["old"]}
    assert not planted.noticed_in_fork(harmless, copy)


@pytest.mark.parametrize("error", planted.ERRORS, ids=lambda error: error["name"])
def test_a_known_error_can_be_planted(error):
    assert (planted.ROOT / error["file"]).read_text(encoding="utf-8").count(error["old"]) == 1
    assert "verify" in error or error["tests"]
