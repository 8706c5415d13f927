"""Running claims from Python: verdicts as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lpmech.entries import whole_number
from lpmech.errors import InvalidInputError
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.papers import PAPER_KEYS
from lpmech.papers.running import ClaimResult, SelfTest, run_claims, select_claims

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Verdicts", "verify"]

_COLUMNS = ("paper", "id", "verdict", "statement", "hypotheses", "method", "evidence", "counterexample", "repaired_by")


class Verdicts(tuple[ClaimResult, ...]):
    """The results of claims, in the papers' order; as a table in a notebook."""

    __slots__ = ()

    @property
    def as_recorded(self) -> bool:
        """Whether every verdict is the one on record."""
        return all(result.as_recorded for result in self)

    def to_frame(self) -> pd.DataFrame:
        """A row for each claim, with what `Claim`, `Outcome` and `ClaimResult` explain."""
        with needs("frames"):
            import pandas as pd

        return pd.DataFrame([result.row() for result in self])

    def __repr__(self) -> str:
        astray = [result.id for result in self if not result.as_recorded]
        state = f"NOT AS RECORDED: {', '.join(astray)}" if astray else "all as recorded"
        return f"<Verdicts of {len(self)} {'claim' if len(self) == 1 else 'claims'}, {state}>"

    def _repr_html_(self) -> str | None:
        def framed() -> pd.DataFrame:
            return self.to_frame()[list(_COLUMNS)].fillna("").set_index(["paper", "id"])

        return html_of(repr(self).strip("<>"), framed)


def verify(*papers: str, only: str | Sequence[str] = (), self_test: str = "none", jobs: int = 1) -> Verdicts:
    """Run claims of papers; the command `lpmech verify` prints the same.

    A paper of your own runs with your rights, in processes of its own; see `lpmech.files.strangers` for what is refused.

    Parameters
    ----------
    *papers : str
        Keys of papers (`lpmech.papers.PAPER_KEYS`), Python files or packages; default: all keys.
    only : str or sequence of str
        Run the claim with this id, or all whose id contains it; default: all.
    self_test : str
        ``"sampled"`` also shows that every check rejects the wrong formulas that are written in its claim and two that
        are derived from it; ``"full"`` all that can be derived, which takes hours.
    jobs : int
        Number of processes.

    Raises
    ------
    LabelError
        If a paper is unknown, or an id matches nothing.
    DataFileError
        If a file holds no paper, ends its process, or does not settle a claim in time.
    RefusedError
        If a file does what is refused.
    InvalidInputError
        If `jobs` is not a positive whole number, or `self_test` none of none, sampled, full.
    MissingDependencyError
        If the solvers are not installed, which come with the extras smt and programs.

    Examples
    --------
    >>> import lpmech
    >>> found = lpmech.verify("liu2026", only="Alg. 1 line 4")
    >>> found
    <Verdicts of 1 claim, all as recorded>
    >>> print(found[0].verdict, found[0].counterexample, sep="; ")
    refuted; b = 1, l = 1, s₁ = 2, s₂ = 1, t = 2: left side 14/15, right side 1; required: left = right (minority row)
    """
    processes = whole_number(jobs, "jobs", 1)
    if self_test not in list(SelfTest):
        raise InvalidInputError("self_test", self_test, f"one of {', '.join(SelfTest)}")
    wanted = [only] if isinstance(only, str) else list(only)
    return Verdicts(run_claims(select_claims(papers or PAPER_KEYS, wanted), processes, SelfTest(self_test)))
