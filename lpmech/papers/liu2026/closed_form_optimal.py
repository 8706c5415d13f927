"""Section 4: exactly when the closed form of BlockRR solves (4.1), and which points make (4.2) and (4.3) equalities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.claims.checking import iff
from lpmech.mechanisms.block_rr.optimality import dual_from_sum, dual_sums
from lpmech.papers import beside
from lpmech.papers.checks import rows_in_words
from lpmech.papers.liu2026.equation_4_1 import only_solution
from lpmech.papers.liu2026.instances import HALF, RATIOS, Setting, instances, positive
from lpmech.papers.liu2026.paper import PAPER, S1, S2, WITH_MINORITY, L, T, beta, gamma
from lpmech.papers.liu2026.section_4 import closed_form_entries
from lpmech.prove import steps
from lpmech.terms import functions as tm

D, FAVOURED, KEPT, OWN, OTHER, DUAL, FREE, TOTAL = tm.symbols("d A M p q pi m Pi")
SHARES = (T > 1, S1 >= 1, S2 >= 0, L >= 0, L <= S1, D >= 0, D < 1, FAVOURED >= 0, KEPT >= 0, FAVOURED + KEPT <= 1)

#: What the dual constraint of a column with m free rows leaves, Pi the sum of their duals.
COLUMN = OWN * (1 + (FREE - 1) * D) - TOTAL + (T - 1) * (OWN - DUAL)


def _signs(pi: Any, own: Any, least: Any) -> Any:
    return tm.And(tm.term(pi) <= own, tm.term(pi) >= least)


def duals_fit(case: Setting, sums: Callable[..., tuple[Any, Any]], signs: Callable[..., Any]) -> bool:
    """Whether the duals that BlockRR determines have the signs; entries of minority rows on Delta are no variables."""
    prior, decay, t, _ = case
    favoured, majority = case.favoured, case.majority
    mass = sum((prior[y] for y in favoured), Fraction(0))
    kept = sum((prior[y] for y in majority), Fraction(0)) - mass
    first, whole = sums(t, *case.sizes, decay, mass, kept)
    for y, own in enumerate(prior):
        rows, total = (len(majority), first) if y in favoured else (len(prior), whole)
        fixed = [] if y in majority else favoured
        pi = dual_from_sum(own, t, rows, decay, total)
        least = max((decay * p for j, p in enumerate(prior) if j != y and j not in fixed), default=pi)
        if not steps.holds(signs(pi, own, least)):
            return False
    return True


@PAPER.claim(
    "eq. (4.1) (when BlockRR is optimal)",
    r"BlockRR's closed form solves (4.1) iff $d\max_j p_j\le\pi_y\le p_y$ for all $y$, $j$ running over the other labels whose entry in row $y$ is not fixed (no lower bound if there is none); "
    r"$(e^\epsilon-1)\pi_y=p_y(e^\epsilon+(|\mathcal{S}_1|-1)d)-\Pi_1$ on $\Delta$, $p_y(e^\epsilon+(K-1)d)-\Pi$ elsewhere, $\Pi_1$, $\Pi$ the sums of $\pi$ over $\mathcal{S}_1$ and over all labels",
    hypotheses=r"$K = s_1 + s_2$, $d = e^{-1/\sigma}$, $A$, $M$ the prior mass of $\Delta$ and of the rest of $S_1$, $p$, $q$ the priors of two labels, $m$ how many rows of a column are free: $s_1$ on $\Delta$, $K$ elsewhere. "
    r"Replayed on positive priors with denominator 4 on $K = 2$, 3 labels, $d \in \{1/2, 1/4\}$, $t \in \{2, 5\}$, every $l$; $(4, 1, 1)/6$, $d = 1/2$, $t = 2$; and "
    "$(5, 4, 4)/13$, $(6, 5, 1)/12$, $d = 3/4$, $1/5$",
    given=[*SHARES, FREE >= 1, tm.Eq(COLUMN, 0)],
    replay="instances of (4.1), exact duals",
    compare=beside.block_rr,
    formula=(dual_sums, _signs),
    mutants={"sums of l = 0": (lambda t, s1, s2, l, d, a, m: dual_sums(t, s1, s2, 0, d, 0, a + m), _signs)},
    note="For $l = 0$ it is 'eq. (4.1) (when RR is optimal)'. By hand: strong duality, for 'only if'; by machine: the duals that complementary slackness leaves and their signs, and 'if' for every $K$ as 'eq. (4.1) (dual of BlockRR, every K)'.",
    repairs="eq. (4.1) (optimality)",
)
def block_rr_optimal(criterion: Any) -> Parts:
    """Complementary slackness determines the duals, so the closed form is optimal iff these have the right signs.

    Column floors are positive, own entries above the floor, free entries off the diagonal below t times the floor, and
    the fixed 1/K strictly between. So duals fit iff in every column j the terms w_yj - pi_y of the free rows, with t - 1
    times w_jj - pi_j added, sum to zero, and w_jj >= pi_j, w_yj <= pi_y. On Delta the free rows are those of S1; if that
    is one row, its own entry lies strictly inside its bounds, and w_jj = pi_j is what the same equation says.
    """
    sums, signs = criterion
    more = [((4, 1, 1), HALF), ((5, 4, 4), Fraction(3, 4)), ((6, 5, 1), Fraction(1, 5))]
    cases = instances(positive(4))
    for counts, d in more:
        cases += instances([tuple(Fraction(v, sum(counts)) for v in counts)], [d], RATIOS[:1])
    for case in cases:
        fit = duals_fit(case, sums, signs)
        where = f"{case}, where the criterion {'holds' if fit else 'fails'}: BlockRR, optimum"
        yield Instance(where, case.value, "==" if fit else "!=", case.solution.value)

    first, whole = sums(T, S1, S2, L, D, FAVOURED, KEPT)
    size = S1 + S2
    on_delta = FAVOURED * (T + (S1 - 1) * D) - L * first  # (t - 1) times the sum of the duals of Delta
    in_first = KEPT * (T + (size - 1) * D) - (S1 - L) * whole
    outside = (1 - FAVOURED - KEPT) * (T + (size - 1) * D) - S2 * whole
    yield SHARES, {"sum over S1": (on_delta + in_first, (T - 1) * first), "sum": (outside, (T - 1) * (whole - first))}
    yield "pi", tm.Eq(DUAL, dual_from_sum(OWN, T, FREE, D, TOTAL))
    yield "one solution for the sums", (T - 1 + L) * (T - 1 + S2) + (S1 - L) * (T - 1) > 0
    right = tm.And(OWN - DUAL >= 0, D * OTHER - DUAL <= 0)
    two_labels = [D >= 0, D < 1, OWN >= 0, OTHER >= 0, OWN + OTHER <= 1]
    yield two_labels, iff(signs(DUAL, OWN, D * OTHER), right, "signs", "criterion")


X, Y, REST = tm.symbols("x y R")


def _left_sides(case: Setting, matrix: Any) -> list[Fraction]:
    """Left sides of (4.2), (4.3) for B(y) = {y}, S~ = S."""
    own, found = matrix.diagonal().tolist(), []
    for y, mine in enumerate(own):
        fixed = [] if y in case.majority else case.favoured
        rest = sum(entry for j, entry in enumerate(own) if j != y and j not in fixed)
        found.append(mine + rest / case.t + Fraction(len(fixed), len(own)))
    return found


@PAPER.claim(
    "Section 4 (boundary, which points)",
    r"a feasible point of (4.1) has equalities in (4.2) and (4.3) for all labels iff it is BlockRR's closed form: so 'the equations hold' at an optimal solution iff the closed form is one",
    hypotheses=r"$B(y) = \{y\}$, $\tilde{S} = S$; $x$, $y$ diagonal entries of two labels of one set, $R$ the sum of the others. "
    r"Replayed on positive priors with denominator 4 on $K = 2$, 3 labels, $d \in \{1/2, 1/4\}$, $t \in \{2, 5\}$, every $l$: closed form and exact optimum",
    given=WITH_MINORITY,
    replay="closed forms and exact optima",
    kind="ours",
    formula=lambda t, s1, s2, l: (t * beta(t, 1, s1, s2, l), t * gamma(t, 1, s1, s2, l)),
    note="It is what repairs 'Section 4 (boundary)' for every prior: see 'eq. (4.1) (when BlockRR is optimal)'. An equality in row $y$ makes every free entry off the diagonal $1/t$ of the diagonal entry below it: 'eq. (4.2) and (4.3) (equality) [repaired]'.",
)
def equalities_only_at_block_rr(diagonal: Any) -> Parts:
    """Two equalities of one set differ by (1 - 1/t)(x - y), so its diagonal entries agree; two equations with a regular matrix are left."""
    for case in instances(positive(4)):
        t, closed = case.t, case.closed.matrix
        entries, (high, low) = closed_form_entries(t, *case.sizes), diagonal(t, *case.sizes)
        right = high == entries["majority own"] and (not case.minority or low == entries["minority own"])
        yield right or f"{case}: the diagonal is {high} and {low}"
        for matrix in (closed, case.solution.channel.matrix):
            sides, same = _left_sides(case, matrix), bool((matrix == closed).all())
            where = f"{case}: left sides at {rows_in_words(matrix)}"
            yield Instance(where, sides, "==" if same else "!=", [1] * len(sides))
    two_labels = [T > 1, tm.Eq(X + (Y + REST) / T, Y + (X + REST) / T)]
    yield two_labels, {"x = y: the diagonal is constant on S1, on S2": tm.Eq(X, Y)}
    yield from only_solution(diagonal)
    alone = diagonal(T, S1, 0, L)[0] * (1 + (S1 - 1) / T)
    yield [T > 1, S1 >= 1, L >= 0, L <= S1], {"the equation without minority labels": (alone, 1)}
