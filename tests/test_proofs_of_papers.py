"""The objects of whole papers are counted as they are; `make self-test` has the checker read those of all papers."""

from lpmech.papers.objects import by_method, coverage, run_with_objects
from lpmech.papers.running import SelfTest, select_claims


def test_every_relation_of_a_short_paper_has_an_object_that_the_checker_accepts():
    results = [run_with_objects(paper, id) for paper, id in select_claims(["kairouz2016", "holohan2017"])]
    parts = [(result.id, name, why) for result in results for name, why in result.objects]
    assert len(parts) == 27
    assert not [part for part in parts if part[2]]
    assert "27 of 27 relations" in coverage(results)
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
