"""The objects of a whole paper: nearly every relation that is proved has one, and none that the checker refuses is counted."""

from lpmech.papers.objects import coverage, run_with_objects
from lpmech.papers.running import select_claims

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
