"""What every claim must satisfy."""

from lpmech.claims import Claim, Paper
from lpmech.claims.derived import derived_fates
from lpmech.verdicts import Verdict


def assert_holds_as_recorded(paper: Paper, claim: Claim) -> None:
    """Catches a formula or a check that drifted, a refutation without a counterexample or a repair, a check that refutes all."""
    outcome = claim.run()
    assert outcome.verdict is claim.recorded, outcome.evidence
    if claim.readings:
        assert {text: reading.verdict for text, reading in outcome.readings.items()} == claim.readings
    assert outcome.method
    assert outcome.evidence
    if claim.recorded is Verdict.REFUTED:
        repair = paper.repair_of(claim.id)
        assert outcome.counterexample
        assert repair is not None
        assert repair.recorded in (Verdict.PROVED, Verdict.CERTIFIED)
        if repair.check is not claim.check:
            assert claim.control is not None
            assert not claim.rejects(claim.control)


def assert_a_wrong_formula_is_rejected(claim: Claim) -> None:
    """Catches a check that cannot fail; all wrong formulas are the self-test of `lpmech verify`, which CI runs."""
    for name, formula in list(claim.mutants.items())[:1]:
        assert claim.rejects(formula), name
    if not claim.mutants and claim.right is not None:
        derived = derived_fates(claim, most=1)
        assert not derived.accepted
        assert derived.killed
