"""Section 3.1: the four blocks, eq. (3.1), (3.2), the hypotheses they hide, and Alg. 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.errors import BlockError
from lpmech.mechanisms.block_rr import beta as closed_beta
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.block_rr import gamma as closed_gamma
from lpmech.mechanisms.block_rr import kappa as closed_kappa
from lpmech.mechanisms.block_rr.derivation import row_sums, solve_blocks, symbols
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.liu2026.paper import ANY_SIZES, EMPTY, PAPER, S1, S2, SINGLE, SIZES, B, L, T
from lpmech.verdicts import Outcome, refuted

IN_PAPER = dict(zip(symbols, (T, B, S1, S2, L), strict=True))
X, Y = sp.symbols("beta gamma")


def equations_3_1(t: Any, b: Any, s1: Any, s2: Any, l: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Left minus right side of both equations of (3.1)."""
    first = (t * b + s1 - b) * x + s2 * y - 1
    second = (s1 - l) * x + (t * b + s2 - b) * y - (1 - l / (s1 + s2))
    return first, second


@PAPER.claim(
    "eq. (3.1)",
    r"the rows of the four blocks sum to one iff (e^\epsilon|B|+|\tilde S_1|-|B|)\beta+|\tilde S_2|\gamma=1 and (|\tilde S_1|-|\Delta|)\beta+(e^\epsilon|B|+|\tilde S_2|-|B|)\gamma=1-|\Delta|/|\tilde S|",
    hypotheses="s2 >= b or s2 = 0; |B(y)| = b for all y; B(y) in S~1 for y in S1 and in S~2 for y in S2; Delta in S~1",
    given=ANY_SIZES,
    evidence="sums over the blocks, derived entry by entry, equal both sides of (3.1)",
    formula=equations_3_1,
    mutants={
        "Delta not subtracted": lambda t, b, s1, s2, l, x, y: (
            (t * b + s1 - b) * x + s2 * y - 1,
            s1 * x + (t * b + s2 - b) * y - (1 - l / (s1 + s2)),
        ),
        "blocks swapped": lambda t, b, s1, s2, l, x, y: equations_3_1(t, b, s2, s1, l, x, y),
        "Delta weighs 1/|S~1|": lambda t, b, s1, s2, l, x, y: (
            (t * b + s1 - b) * x + s2 * y - 1,
            (s1 - l) * x + (t * b + s2 - b) * y - (1 - l / s1),
        ),
    },
)
def eq_3_1(equations: Any) -> Relations:
    majority, minority = (side.subs(IN_PAPER) for side in row_sums(X, Y))
    first, second = equations(T, B, S1, S2, L, X, Y)
    return {"majority row": (majority - 1, first), "minority row": (minority - 1, second)}


BETA_GAMMA = (closed_beta, closed_gamma)


def _gamma_misread(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    return ((t - 1) * b + l - l * ((t - 1) * b + s2) / (s1 + s2)) / closed_kappa(t, b, s1, s2, l)


FORMULA_MUTANTS = {
    "sign of l in beta_1": (
        lambda t, b, s1, s2, l: ((t - 1) * b - l * s2 / (s1 + s2)) / closed_kappa(t, b, s1, s2, l),
        closed_gamma,
    ),
    "s1 and s2 swapped in gamma_1": (closed_beta, _gamma_misread),
    "factor |B| dropped": (
        lambda t, b, s1, s2, l: closed_beta(t, 1, s1, s2, l),
        lambda t, b, s1, s2, l: closed_gamma(t, 1, s1, s2, l),
    ),
    "l dropped from kappa": (
        lambda t, b, s1, s2, l: (
            closed_beta(t, b, s1, s2, l) * closed_kappa(t, b, s1, s2, l) / closed_kappa(t, b, s1, s2, 0)
        ),
        lambda t, b, s1, s2, l: (
            closed_gamma(t, b, s1, s2, l) * closed_kappa(t, b, s1, s2, l) / closed_kappa(t, b, s1, s2, 0)
        ),
    ),
}


@PAPER.claim(
    "eq. (3.2)",
    r"\beta=\beta_1/\kappa, \gamma=\gamma_1/\kappa with the stated \beta_1,\gamma_1,\kappa is the solution of (3.1)",
    hypotheses="s2 >= b or s2 = 0, 0 <= l <= s1 (then kappa > 0); sizes real",
    given=ANY_SIZES,
    evidence="beta and gamma solved from the blocks by sympy equal (3.2), and (3.2) satisfies (3.1)",
    formula=BETA_GAMMA,
    mutants=FORMULA_MUTANTS,
)
def eq_3_2(formulas: Any) -> Relations:
    beta, gamma = (f(T, B, S1, S2, L) for f in formulas)
    derived_beta, derived_gamma = (side.subs(IN_PAPER) for side in solve_blocks())
    first, second = equations_3_1(T, B, S1, S2, L, beta, gamma)
    return {
        "beta": (beta, derived_beta),
        "gamma": (gamma, derived_gamma),
        "first equation": (first, 0),
        "second equation": (second, 0),
    }


@PAPER.claim(
    "eq. (3.2) (positivity)",
    r"\kappa>0, \beta>0 and \gamma>0",
    hypotheses="s2 >= b (S~2 not empty)",
    given=list(SIZES),
    evidence="all sizes, all t",
    formula=(closed_kappa, closed_beta, closed_gamma),
    mutants={
        "kappa without its product": (lambda t, b, s1, s2, l: -(s1 - l) * s2, closed_beta, closed_gamma),
        "gamma with l doubled": (
            closed_kappa,
            closed_beta,
            lambda t, b, s1, s2, l: (
                ((t - 1) * b + l - 2 * l * ((t - 1) * b + s1) / (s1 + s2)) / closed_kappa(t, b, s1, s2, l)
            ),
        ),
    },
)
def positivity(formulas: Any) -> Relations:
    kappa, beta, gamma = (f(T, B, S1, S2, L) for f in formulas)
    return {"kappa > 0": kappa > 0, "beta > 0": beta > 0, "gamma > 0": gamma > 0}


@PAPER.claim(
    "eq. (3.2) (S~2 empty)",
    r"with |\tilde S_2|=0: \beta=1/((e^\epsilon-1)|B|+|\tilde S_1|)>0 and \gamma=(1-l/|\tilde S_1|)\beta\ge 0, zero iff l=|\tilde S_1|",
    hypotheses="s2 = 0",
    formula=(lambda t, b, s1, l: 1 / ((t - 1) * b + s1), lambda t, b, s1, l: (1 - l / s1) / ((t - 1) * b + s1)),
    mutants={
        "beta with t b": (lambda t, b, s1, l: 1 / (t * b + s1), lambda t, b, s1, l: (1 - l / s1) / ((t - 1) * b + s1)),
        "gamma without l": (lambda t, b, s1, l: 1 / ((t - 1) * b + s1), lambda t, b, s1, l: 1 / ((t - 1) * b + s1)),
    },
    note="gamma then belongs to no output; see 'eq. (3.1) (S~2 empty)' for what this does to minority rows.",
)
def second_outputs_empty(formulas: Any) -> Outcome:
    beta, gamma = (f(T, B, S1, L) for f in formulas)
    forms = check_identities(
        {"beta": (closed_beta(T, B, S1, 0, L), beta), "gamma": (closed_gamma(T, B, S1, 0, L), gamma)},
        "the values at s2 = 0",
        hypotheses=EMPTY,
    )
    sign = check_implications(
        EMPTY,
        {
            "beta > 0": beta > 0,
            "gamma >= 0": gamma >= 0,
            "gamma = 0 iff l = s1": sp.Or(sp.And(gamma > 0, L < S1), sp.And(sp.Eq(gamma, 0), sp.Eq(L, S1))),
        },
        "signs",
    )
    return both(forms, sign)


INSIDE = sp.Symbol("i")


@PAPER.claim(
    "eq. (3.1) (where B(y) lies)",
    r"the blocks are normalised by (3.2) whenever |B(y)| is constant and B(y)\subseteq\tilde S, as assumed",
    hypotheses="t > 1, b > 0, s1, s2 >= b, 0 <= l <= s1; i of the b candidates of a minority label lie in S~1 outside Delta",
    consequence="privacy",
    recorded="refuted",
    formula=lambda inside: sp.true,
    mutants={"at most one candidate inside": lambda inside: inside <= 1},
    note="The block (S2, S~1) has no case for y~ in B(y), so (3.1) tacitly puts B(y) inside S~2 for y in S2. The "
    "mapping x -> [x - delta, x + delta] of Table 1 violates this near the border of S1 when S~2 is not empty.",
    repair=Repair(
        r"a minority row sums to one by (3.2) iff B(y)\subseteq\tilde S_2",
        formula=lambda inside: sp.Eq(inside, 0),
        mutants={"always": lambda inside: sp.true, "never": lambda inside: sp.false},
    ),
)
def where_candidates_lie(allowed: Any) -> Outcome:
    beta, gamma = (f(T, B, S1, S2, L) for f in BETA_GAMMA)
    row = L / (S1 + S2) + (S1 - L) * beta + (B - INSIDE) * T * gamma + (S2 - B + INSIDE) * gamma
    smallest = {T: 2, B: 1, S1: 1, S2: 1, L: 0, INSIDE: 1}
    normalised, claimed = sp.Eq(row, 1), allowed(INSIDE)
    if claimed.subs(smallest) == sp.true:
        total = row.subs(smallest)
        return refuted("exact arithmetic", "one candidate of a minority label in S~1",
                       f"t = 2, |B(y)| = |S~1| = |S~2| = 1, l = 0, B(y) in S~1: the minority row sums to {total}")  # fmt: skip
    return check_implications(
        [*SIZES, INSIDE >= 0, INSIDE <= B, INSIDE <= S1 - L],
        {
            "condition => sum = 1": sp.Implies(claimed, normalised),
            "sum = 1 => condition": sp.Implies(normalised, claimed),
        },
        "the row misses one by i (t - 1) gamma, and gamma > 0",
    )


def _empty_second_sum(t: Any, b: Any, s1: Any, l: Any) -> Any:
    """Sum of a minority row with S~2 empty: only the outputs of S~1 exist."""
    return l / s1 + (s1 - l) * closed_beta(t, b, s1, 0, l)


@PAPER.claim(
    "eq. (3.1) (S~2 empty)",
    r"the blocks are normalised by (3.2) for every l\in\{0,\dots,|\tilde S_1|\} when \tilde S_2=\emptyset and S_2\ne\emptyset",
    hypotheses="t > 1, b > 0, s1 >= b, s2 = 0, 0 <= l <= s1",
    consequence="formula",
    recorded="refuted",
    given=EMPTY,
    evidence="all t, all sizes",
    formula=lambda l, s1: sp.true,
    mutants={"l = 0": lambda l, s1: sp.Eq(l, 0), "l >= 1": lambda l, s1: l >= 1},
    note="The second equation of (3.1) counts |B(y)| e^eps gamma even when no output of S~2 exists to carry it.",
    repair=Repair(
        r"with \tilde S_2=\emptyset and S_2\ne\emptyset the minority rows sum to one iff l=|\tilde S_1|",
        formula=lambda l, s1: sp.Eq(l, s1),
        mutants={"l >= s1 / 2": lambda l, s1: 2 * l >= s1, "never": lambda l, s1: sp.false},
    ),
)
def second_outputs_empty_sum(condition: Any) -> Relations:
    normalised = sp.Eq(_empty_second_sum(T, B, S1, L), 1)
    claimed = condition(L, S1)
    return {
        "condition => sum = 1": sp.Implies(claimed, normalised),
        "sum = 1 => condition": sp.Implies(normalised, claimed),
    }


@PAPER.claim(
    "eq. (3.1) (|B(y)| constant)",
    r"the assumption that |B(y)| is constant is needed: two majority equations of (3.1) with |B(y)|\ne|B(y')| have no solution with \beta\ne 0",
    hypotheses="the first equation of (3.1) holds for two labels with b and c candidates",
    formula=lambda b, c, beta: sp.Or(sp.Eq(b, c), sp.Eq(beta, 0)),
    mutants={"b = c always": lambda b, c, beta: sp.Eq(b, c), "beta = 0 always": lambda b, c, beta: sp.Eq(beta, 0)},
    note="The paper makes the assumption from (3.2) on; (3.1) is printed before it.",
)
def constant_candidate_size(condition: Any) -> Outcome:
    other = sp.Symbol("c")
    first, second = (equations_3_1(T, size, S1, S2, L, X, Y)[0] for size in (B, other))
    return check_implications(
        [T > 1, B > 0, other > 0, S1 > 0, S2 >= 0, sp.Eq(first, 0), sp.Eq(second, 0)],
        {"equal sizes or beta = 0": condition(B, other, X)},
        "subtracting both equations leaves (t - 1)(b - c) beta = 0",
    )


LABELS, OUTPUTS = sp.symbols("n m", integer=True)


@PAPER.claim(
    "Section 3.1 (y in B(y), S~ in S)",
    r"the framework (B:\mathcal S\to\tilde{\mathcal S} with y\in B(y) for all y\in\mathcal S) admits \tilde{\mathcal S}\subsetneq\mathcal S",
    hypotheses="n = |S| >= m = |S~| >= 1, S~ a subset of S",
    consequence="formula",
    headline=4,
    recorded="refuted",
    formula=lambda labels, outputs: sp.true,
    mutants={"|S~| = |S| - 1 allowed": lambda labels, outputs: labels - outputs <= 1},
    note="'S~ subset of S' is the printed relation; with y in B(y) for every y it collapses to S~ = S. Table 1 uses "
    "S~ = B(S1), a proper subset, and Phi with y not in Phi(y): it needs the hypothesis for y in S1 or not at all.",
    repair=Repair(
        r"y\in B(y)\subseteq\tilde{\mathcal S}\subseteq\mathcal S for all y\in\mathcal S holds for some B iff \tilde{\mathcal S}=\mathcal S",
        hypotheses="finite S, S~ a subset of S with m of its n labels; then S~ = S iff n = m",
        formula=sp.Eq,
        mutants={"always": lambda labels, outputs: sp.true, "never": lambda labels, outputs: sp.false},
    ),
)
def framework_hypothesis(admitted: Any) -> Outcome:
    """Some B exists iff no label of S is missing in S~: B(y) = {y} if none is, and a missing y cannot lie in B(y).

    As S~ is a subset of S, n - m labels are missing.
    """

    def failure(case: tuple[frozenset[int], frozenset[int]]) -> str | None:
        labels, outputs = case
        possible = labels <= outputs
        return (
            None
            if possible == bool(admitted(len(labels), len(outputs)))
            else f"S = {set(labels)}, S~ = {set(outputs)}: y in B(y) needs {set(labels - outputs)} in S~"
        )

    family = [
        (frozenset(range(n)), frozenset(part))
        for n in (1, 2, 3)
        for size in range(1, n + 1)
        for part in combinations(range(n), size)
    ]
    missing = LABELS - OUTPUTS
    return replayed(
        check_implications(
            [OUTPUTS >= 1, LABELS >= OUTPUTS],
            {
                "admitted => none missing": sp.Implies(admitted(LABELS, OUTPUTS), sp.Eq(missing, 0)),
                "none missing => admitted": sp.Implies(sp.Eq(missing, 0), admitted(LABELS, OUTPUTS)),
            },
            "all finite label sets",
        ),
        check_family(family, failure, "all S~"),
    )


def algorithm_1_minority_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """Sum of the row of Alg. 1 line 4: 1/|S~| on Delta, t gamma on B(y), gamma on everything else."""
    gamma = closed_gamma(t, b, s1, s2, l)
    return l / (s1 + s2) + b * t * gamma + (s1 - l + s2 - b) * gamma


def block_minority_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """Sum of a minority row by the block definitions: beta on S~1 minus Delta."""
    beta, gamma = closed_beta(t, b, s1, s2, l), closed_gamma(t, b, s1, s2, l)
    return l / (s1 + s2) + (s1 - l) * beta + b * t * gamma + (s2 - b) * gamma


@PAPER.claim(
    "Alg. 1 line 4",
    r"the minority row of Algorithm 1 (1/|\tilde S| on \Delta, e^\epsilon\gamma on B(y), \gamma on \tilde y\notin B(y)\cup\Delta) sums to one",
    hypotheses="t > 1, b > 0, s1 >= b, s2 >= b, 0 <= l <= s1, B(y) in S~2",
    consequence="privacy",
    headline=1,
    recorded="refuted",
    formula=algorithm_1_minority_row,
    mutants={
        "t gamma dropped": lambda t, b, s1, s2, l: (
            block_minority_row(t, b, s1, s2, l) - b * (t - 1) * closed_gamma(t, b, s1, s2, l)
        ),
        "1/|S~1| on Delta": lambda t, b, s1, s2, l: block_minority_row(t, b, s1, s2, l) + l / s1 - l / (s1 + s2),
    },
    note="The block (S2, S~1 minus Delta) was defined with beta; Alg. 1 prints gamma for all of S~ outside B(y) and Delta.",
    repair=Repair(
        r"with \beta on \tilde S_1\setminus\Delta and \gamma on \tilde S_2\setminus B(y) the minority row sums to one",
        formula=block_minority_row,
        mutants={"as printed, gamma in place of beta": algorithm_1_minority_row},
    ),
)
def algorithm_1_line_4(row: Any) -> Outcome:
    points = ({T: 2, B: 1, S1: s1, S2: s2, L: l} for s1 in (1, 2, 3) for s2 in (1, 2) for l in range(s1 + 1))
    return check_identities(
        {"minority row": (row(T, B, S1, S2, L), 1)}, "the row sums to one for all sizes and t", points, SIZES
    )


@PAPER.claim(
    "Alg. 1 line 4 (when it is right)",
    r"Algorithm 1's minority row as printed sums to one iff l=0 or l=|\tilde S_1|",
    given=list(SIZES),
    evidence="all sizes and t",
    formula=lambda l, s1: sp.Or(sp.Eq(l, 0), sp.Eq(l, s1)),
    mutants={
        "only l = 0": lambda l, s1: sp.Eq(l, 0),
        "only l = s1": lambda l, s1: sp.Eq(l, s1),
        "always": lambda l, s1: sp.true,
    },
    note="At l = 0 beta = gamma; at l = s1 nothing of S~1 outside Delta is left.",
)
def algorithm_1_line_4_cases(condition: Any) -> Relations:
    normalised = sp.Eq(algorithm_1_minority_row(T, B, S1, S2, L), 1)
    claimed = condition(L, S1)
    return {
        "condition => sum = 1": sp.Implies(claimed, normalised),
        "sum = 1 => condition": sp.Implies(normalised, claimed),
    }


def algorithm_1_majority_row(t: Any, b: Any, s1: Any, s2: Any, l: Any) -> Any:
    """Sum of the row of Alg. 1 lines 6-10."""
    beta, gamma = closed_beta(t, b, s1, s2, l), closed_gamma(t, b, s1, s2, l)
    return s2 * gamma + b * t * beta + (s1 - b) * beta


@PAPER.claim(
    "Alg. 1 lines 6-10",
    r"the majority row (\gamma on \tilde S_2, e^\epsilon\beta on B(y), \beta on \tilde S_1\setminus B(y)) sums to one",
    hypotheses="s2 >= b or s2 = 0; B(y) in S~1",
    given=ANY_SIZES,
    evidence="the row sums to one for all sizes and t",
    formula=algorithm_1_majority_row,
    mutants={
        "beta on S~2": lambda t, b, s1, s2, l: (
            algorithm_1_majority_row(t, b, s1, s2, l)
            + s2 * (closed_beta(t, b, s1, s2, l) - closed_gamma(t, b, s1, s2, l))
        ),
        "t beta once only": lambda t, b, s1, s2, l: (
            algorithm_1_majority_row(t, b, s1, s2, l) - (b - 1) * (t - 1) * closed_beta(t, b, s1, s2, l)
        ),
    },
)
def algorithm_1_majority(row: Any) -> Relations:
    return {"majority row": (row(T, B, S1, S2, L), 1)}


@PAPER.claim(
    "Alg. 1 (Delta)",
    r"\Delta\subseteq\tilde S_1 has any cardinality l\in\{0,\dots,|\tilde S_1|\} and every such l gives a channel",
    hypotheses="B(y) = {y}, S~ = S, so b = 1, s1 = |S1| >= 1, s2 = |S2| >= 1 or s2 = 0 (then only majority rows exist)",
    formula=lambda s1: (0, s1),
    mutants={"l up to |S~1| + 1": lambda s1: (0, s1 + 1), "l from -1": lambda s1: (-1, s1)},
)
def delta_sizes(bounds: Any) -> Outcome:
    """The entries of all rows are t beta, beta, gamma, 1/|S~|, t gamma; a subset of S~1 with l elements exists iff 0 <= l <= s1."""

    def failure(case: tuple[int, tuple[int, ...], Fraction]) -> str | None:
        size, majority, t = case
        level = PrivacyLevel.from_ratio(t)
        low, high = bounds(len(majority))
        for l in range(low, high + 1):
            try:
                channel = block_rr_from_partition([Fraction(1, size)] * size, majority, level, l)
            except BlockError as exc:
                return f"K = {size}, S1 = {majority}, l = {l}: {exc}"
            if not channel.satisfies(level):
                return f"K = {size}, S1 = {majority}, l = {l}, t = {t}: ratio {channel.ratio}"
        return None

    family = [(n, tuple(range(m)), Fraction(2)) for n in (1, 2, 3) for m in range(1, n + 1)]

    def proof() -> Outcome:
        low, high = bounds(S1)
        majority, minority = algorithm_1_majority_row(T, 1, S1, S2, L), block_minority_row(T, 1, S1, S2, L)
        rows = check_identities({"majority row": (majority, 1)}, "majority rows sum to one", hypotheses=SINGLE)
        others = check_identities({"minority row": (minority, 1)}, "minority rows too", hypotheses=[*SINGLE, S2 >= 1])
        beta, gamma = (f(T, 1, S1, S2, L) for f in BETA_GAMMA)
        share = 1 / (S1 + S2)
        entries = check_implications(
            [T > 1, S1 >= 1, sp.Or(S2 >= 1, sp.Eq(S2, 0)), low <= L, high >= L],
            {
                "Delta exists": sp.And(L >= 0, L <= S1),
                "beta > 0": beta > 0,
                "gamma >= 0": gamma >= 0,
                "columns of Delta": sp.And(beta <= share, share <= T * beta),
            },
            "entries are not negative and every column has ratio at most t, all sizes and l",
        )
        return both(both(rows, others), entries)

    return replayed(proof(), check_family(family, failure, "small sizes, every l"))
