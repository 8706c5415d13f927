"""The objects of a whole paper: nearly every relation that is proved has one, and none that the checker refuses is counted."""

from lpmech.papers.objects import by_method, coverage, run_with_objects
from lpmech.papers.running import SelfTest, select_claims

#: Of the relations that the engine proves in zhang2025; what is missing has a method that makes no object yet.
_LEAST = 0.97


def test_nearly_every_relation_of_a_paper_has_an_object_that_the_checker_accepts():
    results = [run_with_objects(paper, id) for paper, id in select_claims(["zhang2025"])]
    parts = [(result.id, name, why) for result in results for name, why in result.objects]
    lacking = [part for part in parts if part[2]]
    assert len(parts) > 150
    assert len(lacking) <= (1 - _LEAST) * len(parts), lacking
    assert f"{len(parts) - len(lacking)} of {len(parts)} relations" in coverage(results)
    assert all(bool(result.proof_file) == bool(result.objects) for result in results)


def test_what_proved_claims_rest_on_is_counted_once_each():
    results = [run_with_objects(paper, id) for paper, id in select_claims(["kairouz2016"])]
    header, _, row = by_method({"kairouz2016": results}).splitlines()
    assert header.split("|")[2:4] == [" proved ", " objects, checked "]
    cells = [int(cell) for cell in row.split("|")[2:-1]]
    assert cells == [3, 3, 0, 0, 0, 0]  # proved: three, each with objects alone


def test_what_is_proved_of_wrong_formulas_is_no_proof_of_the_claim():
    runs = (run_with_objects(paper, id) for paper, id in select_claims(["kairouz2016"]))
    plain = next(result for result in runs if result.objects)
    tested = run_with_objects(plain.paper, plain.id, SelfTest.SAMPLED)
    assert tested.trial is not None
    assert tested.objects == plain.objects
