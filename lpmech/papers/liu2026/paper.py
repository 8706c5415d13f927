"""The paper, the symbols its claims share, and the names by which beta, gamma and kappa are printed."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from lpmech.claims import Paper
from lpmech.mechanisms.block_rr import beta as beta_at
from lpmech.mechanisms.block_rr import gamma as gamma_at
from lpmech.mechanisms.block_rr import kappa as kappa_at
from lpmech.terms import Term
from lpmech.terms import functions as tm
from lpmech.terms.latex import latex_of
from lpmech.terms.term import shown_as

PAPER = Paper(
    "liu2026",
    "Liu, Ding: BlockRR: A Unified Framework of RR-type Algorithms for Label Differential Privacy (liu2026)",
    {
        "$t$": r"$e^\epsilon$",
        r"$S_1$, $S_2$, $\tilde{S}_1$, $\tilde{S}_2$": r"majority and minority labels, and outputs; $S$ and $\tilde{S}$ are both together",
        "$s_1$, $s_2$": r"$|\tilde{S}_1|$ and $|\tilde{S}_2|$",
        "$B(y)$, $b$": "the outputs that a label favours, and how many they are",
        r"$\Delta$, $l$": r"the outputs of $\tilde{S}_1$ to which minority labels give $1/|\tilde{S}|$, and how many they are",
        r"$\beta$, $\gamma$, $\kappa$": r"the small entries of majority and of minority rows, and the denominator of both; as functions $\beta(t, b, s_1, s_2, l)$ "
        r"they are what the library computes, which 'eq. (3.2)' compares with the print",
        r"$\sigma$": r"how fast the weights of (4.1) fall with the rank of a label: by $e^{-1/\sigma}$",
        "$K$, $p$": "how many labels there are, and their prior",
    },
)

#: t = e^epsilon, b = |B(y)|, s1 = |S~1|, s2 = |S~2|, l = |Delta|; sizes range over the reals (a measure will do).
T, B, S1, S2, L = tm.symbols("t b s1 s2 l")
ALL = (T, B, S1, S2, L)


def _by_name(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; a term that it gives is printed by its name with the arguments: beta(t, 1, s1, 0, l)."""

    @wraps(function)
    def named(*sizes: Any) -> Any:
        value = function(*sizes)
        arguments = ", ".join(latex_of(tm.term(size)) for size in sizes if isinstance(value, Term))
        return shown_as(tm.term(value), rf"\{function.__name__}({arguments})") if isinstance(value, Term) else value

    return named


beta, gamma, kappa = map(_by_name, (beta_at, gamma_at, kappa_at))

#: Hypotheses of section 3.1 on the sizes when S~2 is not empty.
SIZES = (T > 1, B > 0, S1 >= B, S2 >= B, L >= 0, L <= S1)

#: The same when it is empty, and S2 stands for 0.
EMPTY = (T > 1, B > 0, S1 >= B, L >= 0, L <= S1)

#: A larger l2 beside l, with and without outputs of S~2.
LARGER = tm.symbol("l2")
ORDERED, ORDERED_EMPTY = ((*sizes, LARGER > L, LARGER <= S1) for sizes in (SIZES, EMPTY))

#: Both together.
ANY_SIZES = (T > 1, B > 0, S1 >= B, tm.Or(S2 >= B, tm.Eq(S2, 0)), L >= 0, L <= S1)

#: One candidate each, B(y) = {y}, and S~ = S, with or without minority labels, and with them.
SINGLE, WITH_MINORITY = ((T > 1, S1 >= 1, rare, L >= 0, L <= S1) for rare in (tm.Or(S2 >= 1, tm.Eq(S2, 0)), S2 >= 1))
