"""The machinery of claims: verdicts follow the checks, and a check that cannot fail is found out."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from lpmech.claims import Claim, Kind, Paper, Repair, kind_of, loaded_again
from lpmech.claims.checking import check_family, check_identities, check_parts, check_relations
from lpmech.claims.derived import TRIED
from lpmech.claims.instance import Instance
from lpmech.claims.self_test import self_tested
from lpmech.claims.strongest import strongest
from lpmech.errors import InvalidInputError, LabelError, NotationError, PriorError, UndecidedError
from lpmech.papers import PAPER_KEYS, load_paper, running
from lpmech.papers.running import SelfTest, run_claim, run_claims, select_claims
from lpmech.verdicts import Outcome, Verdict, against, both, refuted, supported, unclear

N = sp.Symbol("N")


def proved(method: str, words: str) -> Outcome:
    return check_parts(iter([True]), every=words, method=method)


def is_even(number: int) -> Outcome:
    return proved("parity", "even") if number % 2 == 0 else refuted("parity", "odd", str(number))


def claim(**changes) -> Claim:
    base = {
        "paper": "ghazi2021", "id": "x", "statement": "", "hypotheses": "", "recorded": Verdict.PROVED,
        "check": is_even, "formula": 4, "mutants": {"odd": 3},
    }  # fmt: skip
    return Claim(**{**base, **changes})


def self_test(claim, how=SelfTest.SAMPLED):
    """How many written mutants were rejected, and the complaints."""
    test = self_tested(load_paper(claim.paper), claim, how)
    return test.rejected, test.complaints


def test_self_test_finds_an_accepted_mutant_and_a_refused_control():
    assert self_test(claim()) == (1, ())  # both derived ones, 3 and 5, are odd
    rejected, complaints = self_test(claim(mutants={"odd": 3, "six": 6}))
    assert rejected == 1
    assert complaints == ("does not reject the mutant 'six' (even (1 instance))",)
    assert "refuses its control" in self_test(claim(control=5))[1]
    assert "no refuted claim" in self_test(claim(repairs=("nowhere",)))[1][0]
    assert "no claim of" in self_test(claim(uses=("nowhere",)))[1][0]


def test_self_test_finds_an_accepted_derived_mutant_and_a_check_without_any_mutant():
    def positive(number):
        return is_even(0 if number > 0 else 1)

    blind = claim(check=positive, mutants={"negative": -1})
    assert self_test(blind)[1] == (
        "accepts the derived mutant '4 -> 5' (even (1 instance))",
        "accepts the derived mutant '4 -> 3' (even (1 instance))",
    ) or self_test(blind)[1] == (
        "accepts the derived mutant '4 -> 3' (even (1 instance))",
        "accepts the derived mutant '4 -> 5' (even (1 instance))",
    )
    assert self_test(replace(blind, survivors="any positive number")) == (1, ())
    assert self_test(claim(mutants={})) == (0, ())
    for formula in (None, "no number"):  # nothing can be changed
        assert (
            "rejects no wrong formula"
            in self_test(claim(formula=formula, mutants={}, check=lambda _: is_even(2)))[1][0]
        )


def test_a_sample_goes_on_until_one_dies_where_no_mutant_is_written():
    def settles(parts):
        if parts[:9] != (0,) * 9:
            raise UndecidedError("no answer")
        return is_even(parts[9])

    alone = claim(check=settles, formula=(0,) * 10, mutants={})
    sampled, full = (self_tested(load_paper("ghazi2021"), alone, how) for how in (SelfTest.SAMPLED, SelfTest.FULL))
    assert sampled.derived["killed"] == 1
    assert 2 <= sum(sampled.derived.values()) <= TRIED
    assert full.derived == {"killed": 2, "equivalent": 0, "undecided": 18, "accepted": 0}
    written = self_tested(load_paper("ghazi2021"), replace(alone, mutants={"odd": (0,) * 9 + (1,)}), SelfTest.SAMPLED)
    assert sum(written.derived.values()) == 2


def test_what_is_no_prior_or_channel_is_rejected_but_no_other_error_is_a_rejection():
    def raises(error):
        def check(_formula):
            raise error

        return check

    assert claim(check=raises(PriorError("prior", -1, "not negative"))).rejects(3)
    # a formula that cannot be read is no wrong formula: |t|/t in place of 1 would count as caught
    for error in (ZeroDivisionError(), InvalidInputError("expression", "Abs(t)", "polynomials")):
        assert self_test(claim(check=raises(error)))[0] == 0


def test_an_undecided_question_is_neither_a_rejection_nor_a_passed_control():
    def check(_formula):
        raise UndecidedError("z3 did not decide")

    with pytest.raises(UndecidedError):
        claim(check=check).rejects(3)
    rejected, complaints = self_test(claim(check=check, control=4))
    assert rejected == 0
    assert any("z3 did not decide" in text and "mutant" in text for text in complaints)
    assert any(text.startswith("control: UndecidedError") for text in complaints)


def test_a_formula_of_another_number_of_parts_is_refuted():
    pair = claim(check=lambda formula: is_even(sum(formula)), formula=(2, 4), mutants={}, control=None)
    assert pair.run().verdict == "proved"
    assert pair.outcome_of((2, 4, 6)).counterexample == "the formula has 3 parts, not 2"
    assert pair.outcome_of(()).verdict == "refuted"
    assert replace(pair, control=(2, 4, 6)).outcome_of((2, 4, 6)).verdict == "proved"


def test_a_tuple_has_the_outcome_of_every_reading_in_their_order():
    narrow_and_broad = {"narrow": Verdict.PROVED, "broad": Verdict.REFUTED}
    both = claim(check=lambda n: (is_even(n), is_even(n + 1)), recorded=Verdict.UNCLEAR, readings=narrow_and_broad)
    assert {name: found.verdict for name, found in both.run().readings.items()} == narrow_and_broad
    with pytest.raises(LabelError, match="check"):
        claim(check=lambda n: (is_even(n),), recorded=Verdict.UNCLEAR, readings=narrow_and_broad).run()


def test_registration_demands_mutants_known_verdicts_and_distinct_ids():
    paper = Paper("p", "title")
    with pytest.raises(LabelError, match="mutants"):
        paper.claim("a", "", recorded="refuted", formula=3)
    with pytest.raises(LabelError, match="recorded"):
        paper.claim("a", "", recorded="true", formula=2, mutants={"x": 5})
    with pytest.raises(LabelError, match="repair"):
        paper.claim("a", "", recorded="proved", formula=2, mutants={"x": 5}, repair=Repair("b", 2, {"x": 5}))
    with pytest.raises(LabelError, match="recorded"):
        paper.claim(
            "a", "", recorded="refuted", formula=3, mutants={"x": 5}, repair=Repair("b", 2, {"x": 5}, "supported")
        )
    with pytest.raises(LabelError, match="kind"):
        paper.claim("a", "", recorded="proved", formula=2, mutants={"x": 5}, kind="lemma")
    for readings in (None, {}, {"broad": "proved", "narrow": "proved"}):
        with pytest.raises(LabelError, match=r"readings|recorded"):
            paper.claim("a", "", recorded="unclear", formula=2, mutants={"x": 5}, readings=readings)
    paper.claim("mutants derived from the repair", "", recorded="refuted", formula=3, repair=Repair("b", 2))(is_even)
    paper.claim("refuted without a repair", "", recorded="refuted", formula=3, mutants={"x": 5})(is_even)
    paper.claim("a", "", recorded="proved", formula=2, mutants={"x": 3})(is_even)
    paper.claim("a family", "", formula=2, family="all of them")(is_even)
    assert paper.claims["a family"].recorded == "certified"
    with pytest.raises(LabelError, match="id"):
        paper.claim("a", "", recorded="proved", formula=2, mutants={"x": 3})


def test_a_repair_is_the_next_claim_and_has_the_same_check():
    paper = Paper("p", "title")
    repair = Repair("even numbers", 4, {"x": 5})
    paper.claim("Lemma 1", "all", recorded="refuted", formula=3, mutants={"x": 5}, hypotheses="n", repair=repair)(
        is_even
    )
    assert list(paper.claims) == ["Lemma 1", "Lemma 1 [repaired]"]
    twin = paper.repair_of("Lemma 1")
    assert (twin.id, twin.recorded, twin.hypotheses, twin.kind) == ("Lemma 1 [repaired]", "proved", "n", Kind.OURS)
    assert twin.run().verdict is Verdict.PROVED
    assert paper.repair_of("Lemma 2") is None


def test_every_reading_is_compared_with_its_verdict_on_record(monkeypatch):
    paper = Paper("p", "title")
    readings = {"broad": "refuted", "narrow": "proved"}
    found = {"broad": refuted("m", "odd", "3"), "narrow": proved("m", "seen")}
    paper.claim("x", "", readings=readings, formula=1, mutants={"y": 2})(lambda _: unclear(found))
    monkeypatch.setattr("lpmech.papers.running.load_paper", lambda _: paper)
    assert run_claim("p", "x").as_recorded
    found["third"] = supported("m", "seen")
    result = run_claim("p", "x")
    assert (result.verdict, result.as_recorded) == ("unclear", False)
    assert result.complaints == ("reading 'third' is supported instead of not on record",)
    del found["third"]
    found["narrow"] = check_family([1], lambda _: None, "seen")
    assert "instead of proved" in run_claim("p", "x").complaints[0]


@pytest.mark.parametrize(
    ("id", "kind"),
    [
        ("Lemma 3.1 (beta)", "theorem"), ("Theorem 3 (proof, step 2)", "proof step"), ("eq. (3.2)", "equation"),
        ("(4.1) (optimality)", "equation"), ("Table 7", "table"), ("Section 5.1", "remark"), ("App. C", "proof step"),
        ("Theorem 3 [repaired]", "ours"), ("Lemma 2 (a) [repaired, clipped]", "ours"), ("Def. 11 (the function)", "ours"),
        ("Theorem 4 (the noise as called)", "ours"), ("Implementation (x, repeated) [repaired]", "implementation"),
    ],
)  # fmt: skip
def test_the_number_says_what_a_claim_is(id, kind):
    assert kind_of(id) == kind
    assert kind_of(id, repairs=True) == ("implementation" if kind == "implementation" else "ours")


def test_a_collection_of_questions_says_what_its_claims_are():
    # the 39 claims of across that no paper numbers were counted as sentences of the papers
    kinds = [claim.kind for claim in load_paper("across").claims.values()]
    assert (kinds.count("ours"), kinds.count("theorem")) == (39, 1)
    with pytest.raises(LabelError, match="kind: got 'mine'"):
        Paper("q", "questions", kind="mine")


def test_a_wrong_formula_of_an_unclear_claim_dies_where_a_reading_comes_out_otherwise():
    # was: only if all readings fail, so that a check of one reading could take anything
    def check(n):
        return tuple(
            proved("m", "x") if n < bound else refuted("m", "x", f"{n} is not below {bound}") for bound in (3, 10)
        )

    paper = Paper("made", "")
    paper.claim("x", "", readings={"small": "refuted", "large": "proved"}, formula=5, mutants={"y": 2, "z": 20})(check)
    fates = [paper.claims["x"].fate_of(n) for n in (5, 2, 20)]
    assert [fate.rejected for fate in fates] == [False, True, True]
    assert fates[1].how == "small: proved: x (1 instance)"


def test_unclear_lists_every_reading_and_is_refuted_when_all_fail():
    good, bad = supported("m", "seen"), refuted("m", "odd", "3")
    mixed = unclear({"first": good, "second": bad})
    assert mixed.verdict is Verdict.UNCLEAR
    assert "[second] refuted" in mixed.evidence
    assert unclear({"first": bad, "second": bad}).verdict is Verdict.REFUTED


def test_selection_by_exact_id_part_and_nonsense():
    key = next(iter(PAPER_KEYS))
    ids = list(load_paper(key).claims)
    assert select_claims([key], [ids[0]]) == [(key, ids[0])]
    assert len(select_claims(PAPER_KEYS)) == sum(len(load_paper(k).claims) for k in PAPER_KEYS)
    with pytest.raises(LabelError, match="id"):
        select_claims([key], ["no such claim"])
    with pytest.raises(LabelError, match="paper"):
        select_claims(["nobody1999"])


def test_a_short_selection_starts_no_other_process(monkeypatch):
    def refused(**_):
        raise AssertionError("a second process costs more than two quick claims")

    monkeypatch.setattr("joblib.Parallel", refused)
    monkeypatch.setattr(running, "_ALONE", 3600.0)
    selection = select_claims(["ghazi2021"])[:2]
    assert [(r.paper, r.id) for r in run_claims(selection, 2)] == selection


def test_parallel_runs_give_the_same_rows_in_the_same_order(monkeypatch):
    selection = select_claims(["ghazi2021"])[:6]
    alone = list(run_claims(selection, 1))
    monkeypatch.setattr(running, "_ALONE", -1.0)  # others are asked at once
    together = list(run_claims(selection, 2))
    assert [(r.id, r.verdict) for r in alone] == [(r.id, r.verdict) for r in together]
    assert [(r.paper, r.id) for r in alone] == selection
    assert alone[0].trial is None
    assert set(alone[0].row()) >= {"paper", "id", "statement", "verdict", "method", "evidence", "counterexample",
                                   "repaired_by", "seconds", "mutants", "mutants_rejected"}  # fmt: skip


def test_the_claims_of_a_file_run_in_one_process_simulations_first():
    selection = select_claims(PAPER_KEYS)
    groups = running._groups(selection, 2)
    assert [pair for group in groups for pair in group] == selection
    files = [{load_paper(paper).claims[id].source.rpartition(":")[0] for paper, id in group} for group in groups]
    assert all(len(of_group) == 1 for of_group in files)
    assert len(groups) == len({name for of_group in files for name in of_group})  # no file is in two
    assert running._groups(selection[:6], 2) == [[pair] for pair in selection[:6]]  # two processes have work
    most = max(groups, key=running._simulations)
    assert ("zhao2025", "Fig. 4 (k = 100)") in most  # was: the same runs were made in both processes


def test_a_process_that_loads_a_paper_again_does_not_look_through_it_again():
    def made():
        paper = Paper("doe2026", "A paper")
        return paper.claim("Lemma 1", "one $ alone", formula=1, mutants={"two": 2})(lambda n: {})

    with pytest.raises(NotationError):
        made()
    with loaded_again():
        made()
    with pytest.raises(NotationError):
        made()


@pytest.mark.parametrize(
    ("bound", "words", "verdict"),
    [(5, {"family": "0..3"}, "certified"), (5, {"every": "0..3"}, "proved"), (2, {"every": "0..3"}, "refuted")],
)
def test_a_check_yields_its_instances(bound, words, verdict):
    def check(bound):
        for n in range(4):
            yield n < bound or f"{n} is not below {bound}"

    made = claim(check=check, formula=bound, **words)
    outcome = made.run()
    assert outcome.verdict == verdict
    assert outcome.counterexample == ("2 is not below 2" if verdict == "refuted" else None)
    with pytest.raises(LabelError, match="one of family, every and replay"):
        claim(check=check, formula=bound).run()


@pytest.mark.parametrize("decided", [True, np.bool_(True), (3, 3)])
def test_an_instance_is_no_relation_over_the_domain(decided):
    # was: "proved" for all N from 1 on, where somebody's loop had decided some numbers
    def check(formula):
        yield "N = 3", decided

    with pytest.raises(LabelError, match="`yield holds or"):
        claim(check=check, formula=1, given=(N >= 1,)).run()


def test_numbers_are_compared_where_nothing_is_given():
    def check(formula):
        yield "three", (sp.Integer(3), formula)

    assert claim(check=check, formula=3).run().verdict == "proved"
    assert claim(check=check, formula=4).run().verdict == "refuted"


def test_a_check_yields_relations_instances_and_parts():
    def check(f):
        yield f(3) > 3 or f"n = 3: {f(3)}"
        yield "grows", f(N) > N
        yield check_identities({"again": (f(f(N)), N + 2)}, "twice")

    made = claim(check=check, formula=lambda n: n + 1, given=[N > 0], evidence="larger", replay="n = 3")
    outcome = made.run()
    assert (outcome.verdict, outcome.evidence) == ("proved", "larger; twice; replayed on n = 3 (1 instance)")
    assert outcome.given == ("$N > 0$",)
    assert made.outcome_of(lambda n: n - 1).counterexample == "n = 3: 2"  # the instance comes first
    assert made.outcome_of(lambda n: n + sp.Rational(1, 2)).counterexample.endswith("(again)")
    assert claim(check=check, formula=lambda n: n + 1, given=[N > 0], family="n = 3").run().verdict == "certified"
    assert [c.name for c in made.at(N=2)] == ["again", "grows"]
    for part in (False, 3, ("grows", N > 0)):
        with pytest.raises(LabelError, match="yield holds or"):
            claim(check=lambda _, part=part: iter([("grows", N > 0), part]), family="x").run()
    with pytest.raises(UndecidedError, match="nothing was asked"):
        claim(check=lambda _: iter([])).run()


def test_parts_may_have_hypotheses_of_their_own():
    def check(f):
        yield "not below", f(N) >= N
        yield [N > 1], {"square": N * f(N) > N, "again": (f(f(N)), f(N))}

    made = claim(check=check, formula=lambda n: n, given=[N < 5])
    outcome = made.run()
    assert (outcome.verdict, outcome.evidence) == ("proved", "not below; again; square")
    assert outcome.given == ("$N < 5$", "$N > 1$")
    assert made.outcome_of(lambda n: n + 1).counterexample == (
        "N = 2: left side 4, right side 3; required: N + 2 = N + 1 (again)"
    )
    assert made.outcome_of(lambda n: n - 1).verdict == "refuted"
    assert [c.name for c in made.at(N=2)] == ["square", "again", "not below"]
    assert [c.name for c in made.at(N=1)] == [
        "not below", "square (left out: needs N > 1)", "again (left out: needs N > 1)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "part",
    [
        sp.Gt(3, 2), sp.true, sp.Gt(3, 2, evaluate=False), "3 > 2", (sp.Integer(2), sp.Integer(2)), ("2", "1 + 1"),
        sp.Eq(N, N), sp.Ge(sp.Symbol("M", positive=True), 0),
    ],
)  # fmt: skip
def test_what_numbers_alone_say_follows_from_nothing(part):
    # was: proved for all N
    def check(_, others=()):
        yield from others
        yield "at 2", part
        yield "at 3", part
        yield "at 4", part

    made = claim(check=check, given=[N >= 2], evidence="all N >= 2")
    with pytest.raises(LabelError, match=r"two sides as a pair \(left, right\)"):
        made.run()
    # beside what follows, it is told that it has been decided before
    found = replace(made, check=lambda f: check(f, [("grows", N + 1 > N - 1)])).run()
    assert found.verdict == "proved"
    assert "numbers alone by sympy (at 3)" in found.method
    # what is false of numbers alone refutes
    assert replace(made, check=lambda f: check(f, [("less", sp.Lt(3, 2))])).run().verdict == "refuted"
    assert replace(made, check=lambda _: {"pair": (N, N)}).run().verdict == "proved"


def test_a_method_is_named_once():
    # was: "cases, SMT (z3, cvc5), SMT (z3, cvc5), identity, cases", for every part of a claim again
    first, second = proved("cases, SMT (z3, cvc5)", "one"), proved("SMT (z3, cvc5), identity, cases", "two")
    assert both(first, second).method == "cases, SMT (z3, cvc5), identity"


def test_a_counterexample_shows_both_sides_of_what_was_asked():
    # was: K - 3 = -1 against 0, or that a term is not defined
    found = check_identities({"text": ("sqrt(N-3)**2", "N-3")}, "x", hypotheses=[N >= 2])
    assert found.counterexample == (
        "N = 2: left side not defined (N - 3 = -1 to the power 1/2), right side -1; "
        "required: (√(N - 3))^2 = N - 3 (text)"
    )


def test_a_refutation_has_words():
    with pytest.raises(LabelError, match="the counterexample in words"):
        check_family([1], lambda _: "", "one")  # was: refuted, with an empty counterexample


def test_a_refuted_claim_is_run_once_for_its_card(monkeypatch):
    # was: run again for the strongest counterexample
    runs = []
    original = Claim.run
    monkeypatch.setattr(Claim, "run", lambda self: runs.append(self.id) or original(self))
    (result,) = run_claims([("liu2026", "Alg. 1 line 4")], 1, further={"strongest": strongest})
    assert (runs, result.verdict) == (["Alg. 1 line 4"], "refuted")
    assert result.further["strongest"].endswith(
        "left side $11/12$, right side 1; required: left = right (the strongest of 112 points)"
    )


def test_the_strongest_counterexample_is_told_beside_the_smallest():
    def check(bound):
        yield "bound", bound(N) >= 2 * N

    made = claim(check=check, formula=lambda n: n + 1, given=[N >= 1], evidence="x")
    outcome = made.run()
    assert outcome.counterexample == "N = 2: left side 3, right side 4; required: N + 1 ≥ 2 N (bound)"
    assert strongest(outcome) == (
        "N = 1001: left side 1002, right side 2002; required: left ≥ right (the strongest of 12 points)"
    )
    assert strongest(made.outcome_of(lambda n: 2 * n)) is None
    assert strongest(made.outcome_of(lambda n: n)) is None  # 1 against 2 everywhere: none is stronger

    def family(bound):
        for n in (0, 1, 6, 4):
            yield Instance(f"n = {n}", n, "<", bound)

    # 0, 1 are fine; 6 against 2 is further apart than 4 against 2, which comes last
    assert strongest(claim(check=family, formula=2, family="0..4").run()) is None
    assert strongest(claim(check=family, formula=1, family="0..4").run()) == (
        "n = 6: 6 >= 1 (the strongest of 3 that fail)"
    )

    assert claim(check=family, formula=9, family="0..4").run().compared == ("n = 0: 0 < 9", "n = 4: 4 < 9")
    failing = claim(check=family, formula=1, family="0..4").run()
    assert failing.witness == {"where": "n = 1", "relation": "<", "left": "1", "right": "1"}

    huge = Fraction(10**5000)
    assert Instance("n = 1", 1 / huge, "<", huge).told == "n = 1: 1e-5000 < 1e+5000"
    none, one, two = (np.ones(n) for n in range(3))
    for sides in ((1, "=", 1), (1, "<", "two"), ([1, 2], "<", 1), (none, "==", 1), (one, "==", two)):
        with pytest.raises(LabelError):
            Instance("n = 1", *sides)

    def wordless(bound):
        for n in (1, 6):
            yield n < bound or f"{n} is not below {bound}"

    assert strongest(claim(check=wordless, formula=1, family="1, 6").run()) is None  # nothing says which is stronger
    assert strongest(claim(check=family, formula=7, family="0..4").run()) is None


def test_assumptions_on_a_symbol_of_the_conclusion_are_hypotheses_that_are_printed():
    p, t = sp.Symbol("p", positive=True), sp.Symbol("t")
    claimed = {"abs": (sp.Abs(p, evaluate=False), p)}
    assert check_relations(claimed, [t > 1]).given == ("$p > 0$, $t > 1$",)
    assert check_relations(claimed, []).given == ("$p > 0$",)


def test_a_consequence_changes_no_verdict():
    """Was: a claim with a consequence was recorded as refuted, without a word."""
    paper = Paper("mine", "t")
    for id, given in (("a", {"recorded": "refuted"}), ("b", {"readings": {"x": "proved", "y": "refuted"}})):
        for consequence in (None, "bound"):
            paper.claim(f"{id} {consequence}", "s", formula=1, mutants={"m": 2}, consequence=consequence, **given)
        assert paper.claims[f"{id} None"].recorded is paper.claims[f"{id} bound"].recorded
    for given in ({}, {"family": "f"}):
        with pytest.raises(LabelError, match="none, as mine c is recorded as"):
            paper.claim("c", "s", formula=1, mutants={"m": 2}, consequence="bound", **given)


def test_a_repair_or_a_control_says_that_a_claim_is_refuted():
    """Both are of wrong formulas only: with them the verdict need not be said."""
    paper = Paper("mine", "t")
    paper.claim("a", "s", formula=3, family="f", repair=Repair("b", 2))
    paper.claim("b", "s", formula=3, family="f", control=2)
    assert [str(claim.recorded) for claim in paper.claims.values()] == ["refuted", "certified", "refuted"]


def test_a_simulation_refutes_nothing():
    seen = against("simulation", "e", "0.3 against 0.5")
    assert seen.verdict == "supported against"
    assert not seen.verdict.holds
    assert seen.verdict.is_not_true
    assert unclear({"a": seen, "b": refuted("m", "e", "c")}).verdict is Verdict.AGAINST  # as weak as its weakest
    assert unclear({"a": seen, "b": proved("m", "e")}).verdict is Verdict.UNCLEAR
    assert both(seen, proved("m", "e")) is seen
    assert claim(check=lambda _: seen, recorded=Verdict.AGAINST).rejects(2)
    inexact = re.compile("simulation|float|numerical")
    for key in PAPER_KEYS:
        for made in load_paper(key).claims.values():
            if made.kind != "ours" and inexact.search(made.method):
                assert made.recorded is not Verdict.REFUTED, made.id
