"""What a claim is: a numbered statement with an executable check, its mutants, its self-test, its values at a point."""

from lpmech.claims.claim import Claim, Consequence, Fate, Kind, Parts, Relations, Repair, kind_of
from lpmech.claims.instance import Instance
from lpmech.claims.paper import Paper, loaded_again, papers_made
from lpmech.statements.coverage import cases, each

__all__ = [
    "Claim",
    "Consequence",
    "Fate",
    "Instance",
    "Kind",
    "Paper",
    "Parts",
    "Relations",
    "Repair",
    "kind_of",
    "loaded_again",
    "papers_made",
    "cases",
    "each",
]
