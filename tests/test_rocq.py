"""The proofs in Rocq: what a text must not have, the record of what a kernel has checked, and who shows it."""

import importlib.util
import json
import shutil
from dataclasses import replace

import pytest

from lpmech.papers import described_paper
from lpmech.papers.kernel import PROOFS, checked_claims, kernel_theorems, made_counts, made_record, made_theorems
from lpmech.papers.running import run_claim
from lpmech.verdicts import Verdict

spec = importlib.util.spec_from_file_location("proofs_check", PROOFS / "check.py")
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)

TEXTS = {path.name: path.read_text() for path in check.files()}
STATED = [(name, theorem, claims) for name, text in TEXTS.items() for theorem, claims in check.theorems(text)]


def test_no_proof_assumes_anything():
    """A theorem that is admitted, or follows from an axiom of its own, would be called checked."""
    assert {name: words for name, text in TEXTS.items() if (words := check.forbidden(text))} == {}


@pytest.mark.parametrize(
    "text",
    ["Admitted.", "Axiom a : 1 = 0.", "Parameter x : R.", "admit.", "Conjecture c : 0 = 1.", "Hypothesis h : 0 = 1.",
     "Variables a b : R.", "Unset Guard Checking.", "give_up.", "(* ok *) Axioms a b : 0 = 1. (* ok *)",
     "Admit Obligations.", 'Definition s := "(*". Axiom a : 0 = 1. Definition e := "*)".',
     'Tactic Notation "(*" := idtac. Axiom a : 0 = 1. (* *)', "(* (* *) *)"],
)  # fmt: skip
def test_words_that_assume_are_found(text):
    assert check.forbidden(text)


def test_words_in_comments_are_no_assumption():
    assert check.forbidden("(** No Axiom, and nothing Admitted. *) Theorem t : True. Proof. exact I. Qed.") == []


@pytest.mark.parametrize(
    ("answer", "assumed"),
    [
        ("Closed under the global context\n", []),
        ("Axioms:\nClassical_Prop.classic : forall P : Prop, P \\/ ~ P\nClassicalDedekindReals.sig_not_dec\n"
         "  : forall P : Prop, {~ ~ P} + {~ P}\n", ["Classical_Prop.classic", "ClassicalDedekindReals.sig_not_dec"]),
        ("Axioms:\nbad : 0 = 1\n", ["bad"]),
        ("Axioms:\nbad is assumed to be guarded.\n", ["bad is assumed to be guarded."]),
        ("Axioms:\nt relies on an unsafe hierarchy.\n", ["t relies on an unsafe hierarchy."]),
        ("Axioms:\nw_1 : (fun x : nat => x < 0) 5\nTheory:\nType hierarchy is collapsed (logic is inconsistent)\n",
         ["w_1", "Theory:", "Type hierarchy is collapsed (logic is inconsistent)"]),
    ],
)  # fmt: skip
def test_all_that_a_theorem_assumes_is_told(answer, assumed):
    """Axioms, but also recursion and universes that the kernel was told not to check: no colon stands behind those."""
    assert check.assumed_in(answer) == assumed


def test_every_claim_that_a_theorem_states_is_there_and_proved():
    """A claim that is renamed or refuted must not keep its theorem."""
    papers = {}
    for _, theorem, claims in STATED:
        for claim in claims:
            key, _, id = claim.partition(": ")
            paper = papers.setdefault(key, described_paper(key))
            assert id in paper.claims, f"{theorem}: {claim}"
            assert paper.claims[id].recorded == Verdict.PROVED, f"{theorem}: {claim}"


def test_theorems_that_state_a_claim_quote_or_describe_it():
    for name, text in TEXTS.items():
        for comment, theorem in check._THEOREM.findall(text):
            assert len(comment) > 20 or not check._CLAIM.findall(comment), f"{name}: {theorem}"


def test_record_is_that_of_the_texts():
    """`make proofs` after every change of a text: a stale record is shown to nobody."""
    record = json.loads(check.RECORD.read_text())
    assert [(e["file"], e["theorem"], e["claims"]) for e in record["theorems"]] == STATED
    assert record["files"].keys() == TEXTS.keys()
    assert {name: entry["imports"] for name, entry in record["files"].items()} == {
        name: check.imports(text) for name, text in TEXTS.items()
    }
    assert checked_claims().keys() == {claim for _, _, claims in STATED for claim in claims}


def test_nothing_is_assumed_but_the_real_numbers_of_the_standard_library():
    record = json.loads(check.RECORD.read_text())
    assert {axiom for entry in record["theorems"] for axiom in entry["assumptions"]} <= check.ALLOWED


def test_stale_texts_are_not_shown(tmp_path):
    """A changed text takes its own claims away, and one that others rest on takes theirs, too."""
    proofs = tmp_path / "proofs"
    shutil.copytree(PROOFS, proofs)
    before = checked_claims(proofs)
    assert before == checked_claims()
    with (proofs / "zhao2025.v").open("a") as file:
        file.write("(* changed *)\n")
    after = checked_claims(proofs)
    assert before.keys() - after.keys() == {c for name, _, claims in STATED if name == "zhao2025.v" for c in claims}
    with (proofs / "Channels.v").open("a") as file:
        file.write("(* changed *)\n")
    assert checked_claims(proofs) == {}


def test_claim_of_two_theorems_needs_both(tmp_path):
    for name in ("one.v", "two.v"):
        (tmp_path / name).write_text("")
    empty = {"sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "imports": []}
    entries = [{"file": f"{n}.v", "theorem": n, "claims": ["p: 1"], "assumptions": []} for n in ("one", "two")]
    record = {"rocq": "8", "files": {"one.v": empty, "two.v": empty}, "theorems": entries}
    (tmp_path / "record.json").write_text(json.dumps(record))
    both = tuple(f"{tmp_path.name}/{n}.v: {n} (Rocq 8)" for n in ("one", "two"))
    assert checked_claims(tmp_path) == {"p: 1": both}
    (tmp_path / "two.v").write_text("changed")
    assert checked_claims(tmp_path) == {}


def test_without_a_record_nothing_is_said(tmp_path):
    assert checked_claims(tmp_path) == {}
    assert kernel_theorems("ghazi2021", "no such claim") == ()


def test_results_say_so_beside_proved_claims_only():
    result = run_claim("liu2026", "Lemma 3.1 (gamma)")
    by_hand, made = result.kernel  # one theorem written by hand, and those made from the claim's own relations
    assert by_hand.partition(" (Rocq")[0] == "proofs/liu2026.v: liu2026_lemma_3_1_gamma"
    assert "relations (Rocq" in made
    assert result.row()["kernel"] == result.kernel
    assert replace(result, verdict="undecided").kernel == ()
    other = replace(result.claim, source="/home/somebody/my_paper.py:3")  # a paper of one's own with this key and id
    assert replace(result, claim=other).kernel == ()


RECORD = {
    "rocq": "8",
    "papers": {
        "p": {
            "proved": 5,
            "claims": {"1": ["a", "b"]},
            "instances": {"4": ["h"], "5": ["h", "a"]},
            "others": {"2": "no relations: x", "3": "besides: y"},
        }
    },
}
EXACT = "exact rational arithmetic"


def said(hashes, idle=""):
    return [(hashed, hashed not in idle) for hashed in hashes]


def test_relations_that_say_nothing_are_not_what_a_kernel_has_checked():
    """A claim all of whose relations are between a term and itself has no line; of others it is told how many are."""
    assert made_theorems("p", "1", said("ab", "ab"), record=RECORD) == ()
    told = "made from proofs: its 2 relations (1 of them between a term and itself) (Rocq 8)"
    assert made_theorems("p", "1", said("ab", "b"), record=RECORD) == (told,)
    assert made_theorems("p", "5", said("a", "a"), EXACT, "h", RECORD) == ("the arithmetic of its instances (Rocq 8)",)


def test_made_theorems_are_those_of_the_relations_of_now():
    """A claim that asks another relation, one more, or one that has no form is not the one that was checked."""
    assert made_theorems("p", "1", said("aba"), record=RECORD) == ("made from proofs: its 2 relations (Rocq 8)",)
    assert made_theorems("p", "1", said("a"), record=RECORD) == ("made from proofs: its relation (Rocq 8)",)
    for relations in ([], said("ac"), said(["a", ""]), said("Ab")):
        assert made_theorems("p", "1", relations, record=RECORD) == ()
    assert made_theorems("p", "2", said("a"), record=RECORD) == made_theorems("q", "1", said("a"), record=RECORD) == ()
    assert made_counts(RECORD) == {"p": "1 | 2 | 3 of 5 (60.0%) | 1 no relations, 1 something besides its relations"}


def test_arithmetic_of_instances_is_said_to_be_that():
    """It is no theorem for all parameters, and only what was compared then and nothing else stands for the claim."""
    assert made_theorems("p", "4", [], EXACT, "h", RECORD) == ("the arithmetic of its instances (Rocq 8)",)
    assert made_theorems("p", "5", said("a"), EXACT, "h", RECORD) == (
        "the arithmetic of its instances and its relation (Rocq 8)",
    )
    for besides, arithmetic in ((EXACT, "g"), (EXACT, ""), (f"{EXACT}, a step in words", "h"), ("", "h")):
        assert made_theorems("p", "4", [], besides, arithmetic, RECORD) == ()
    assert made_theorems("p", "5", said("b"), EXACT, "h", RECORD) == ()
    assert made_theorems("p", "1", said("a"), EXACT, "h", RECORD) == ()


def test_made_theorems_of_another_theory_are_not_shown(tmp_path):
    """What `whole` means stands there: a record of another text is stale, and none says nothing."""
    assert made_record(tmp_path) == {}
    for name in ("made.json", "Relations.v"):
        shutil.copy(PROOFS / name, tmp_path)
    assert made_record(tmp_path)["papers"]
    with (tmp_path / "Relations.v").open("a") as file:
        file.write("(* changed *)\n")
    assert made_record(tmp_path) == {}


def test_made_theorems_are_of_proved_claims():
    """A claim that is renamed or refuted must not keep its theorems."""
    for key, entry in made_record()["papers"].items():
        claims = described_paper(key).claims
        checked = [*entry["claims"], *entry.get("instances", {})]
        assert {id for id in checked if id not in claims or claims[id].recorded != Verdict.PROVED} == set()
        assert entry["proved"] == len(checked) + len(entry["others"])


def test_changed_relation_makes_the_record_stale():
    """The line is there for the claim as it is, and gone where its check asks for something else."""
    result = run_claim("ghazi2021", "Section 1 (never below RR)")
    assert any(line.startswith("made from proofs: its ") for line in result.kernel)
    assert replace(result, relations=(("0" * 32, True),)).kernel == ()
    assert replace(result, besides="exact rational arithmetic").kernel == ()


def test_theorem_on_the_page_is_the_one_that_was_checked():
    page = (PROOFS.parent / "docs" / "explanation" / "kernel.md").read_text()
    (shown,) = [part.partition("```")[0].strip() for part in page.split("```coq\n")[1:]]
    assert shown in TEXTS["ghazi2021.v"]
