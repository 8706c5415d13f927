"""What every claim must satisfy; each paper's test file parametrises over its claims with these."""

from lpmech.papers.claims import Claim, Paper, Verdict


def assert_verdict_as_recorded(claim: Claim) -> None:
    """Catches a formula or a check that drifted: the verdict of a run differs from the one on record."""
    outcome = claim.run()
    assert outcome.verdict is claim.recorded, outcome.evidence
    assert outcome.method
    assert outcome.evidence


def assert_mutants_rejected(claim: Claim) -> None:
    """Catches a check that cannot fail: a wrong formula that it accepts."""
    assert claim.mutants
    accepted = [name for name, formula in claim.mutants.items() if not claim.rejects(formula)]
    assert accepted == []


def assert_refutation_is_repaired(paper: Paper, claim: Claim) -> None:
    """Catches a refutation without a counterexample, without a repair, or by a check that refutes everything."""
    if claim.recorded is not Verdict.REFUTED:
        assert claim.repaired_by is None
        return
    assert claim.run().counterexample
    assert claim.control is not None
    assert claim.repaired_by in paper.claims
    assert paper.claims[claim.repaired_by].recorded in (Verdict.PROVED, Verdict.CERTIFIED)
    assert not claim.rejects(claim.control)
