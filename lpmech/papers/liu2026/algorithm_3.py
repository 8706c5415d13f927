"""Appendices D to F: the private histogram (Alg. 3) and Lemma F.1."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_implications, replayed
from lpmech.papers.checks import sampled
from lpmech.papers.liu2026.paper import PAPER, T
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _datasets(n: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=n))


def in_words(labels: Iterable[int]) -> str:
    """Labels one by one, or that there are none."""
    return ", ".join(map(str, labels)) or "no label"


def neighbours(sizes: Iterable[int]) -> list[Pair]:
    pairs = ((a, b) for n in sizes for a in _datasets(n) for b in _datasets(n))
    return [(a, b) for a, b in pairs if sum(x != y for x, y in zip(a, b, strict=True)) == 1]


EPSILON, BEFORE, AFTER, SCALE = tm.symbols("epsilon u v s")
POINT, SECOND_POINT = tm.symbols("x y")


def _absolute(value: Any) -> Any:
    return tm.Max(value, -value)


@PAPER.claim(
    "Alg. 3 (Laplace scale)",
    r"the noise $\mathrm{Lap}(2/\epsilon)$ makes the label histogram $\epsilon$-label DP when one label is substituted, and no smaller scale does",
    hypotheses="any numbers of examples and labels, counts $u$, $v$; the histogram before clipping and normalising",
    given=[EPSILON > 0, BEFORE >= 0, AFTER >= 0, SCALE > 0, SCALE < 2 / EPSILON],
    formula=lambda epsilon: 2 / epsilon,
    note=r"'No smaller scale' survives the clipping: the outcome 0 for the new label's count has the same ratio $e^{1/\mathrm{scale}}$.",
)
def laplace_scale(scale: Any) -> Relations:
    """One substituted label changes two counts, from (u + 1, v) to (u, v + 1), and no other.

    The logarithm of the ratio of the densities at (x, y) is then a sum of two differences of absolute values over the
    scale; it is at most epsilon everywhere and equal to it for x >= u + 1, y <= v, and a smaller scale exceeds it there.
    """
    exponent = (_absolute(POINT - BEFORE) - _absolute(POINT - BEFORE - 1)) + (
        _absolute(SECOND_POINT - AFTER - 1) - _absolute(SECOND_POINT - AFTER)
    )
    far = tm.And(POINT >= BEFORE + 1, SECOND_POINT <= AFTER)
    return {
        "at most epsilon": exponent <= EPSILON * scale(EPSILON),
        "attained": tm.Implies(far, tm.Eq(exponent, EPSILON * scale(EPSILON))),
        "exceeded by a smaller scale": tm.Implies(far, exponent > EPSILON * SCALE),
    }


COUNT, NEW_COUNT = tm.symbols("h h2")


@PAPER.claim(
    "Alg. 3 line 2",
    r"the loop 'for $(x,y)\in D_1$' releases noisy counts of the same labels for neighbouring datasets",
    hypotheses="read literally: only labels that occur are visited; $h$, $h_2 =$ how often a label occurs in two neighbouring datasets",
    given=[tm.Whole(COUNT, NEW_COUNT), COUNT >= 0, NEW_COUNT >= 0, COUNT - NEW_COUNT <= 1, NEW_COUNT - COUNT <= 1],
    replay="neighbouring datasets",
    formula=lambda count: count >= 1,
    note=r"Read literally, a label absent from $D_1$ gets no entry, which reveals its absence with certainty; it is surely a "
    r"slip for a loop over all labels of $\mathcal{Y}$, over which line 6 outputs a distribution.",
    consequence="slip",
    repair=Repair(
        r"looping over all labels $y\in\mathcal{Y}$, every neighbouring pair is released on the same labels, all of them",
        hypotheses="$h$, $h_2 =$ how often a label occurs in two neighbouring datasets",
        formula=lambda count: count >= 0,
        mutants={"labels that occur less than a hundred times": lambda count: count < 100},
        survivors={"count -> count ** 2": "true of every count as well"},
    ),
)
def histogram_support(visited: Any) -> Parts:
    """A label is visited or not according to its count alone; one substitution changes every count by at most one."""
    for pair in neighbours((1, 2, 3)):
        first, second = ({y for y in (0, 1) if steps.holds(visited(d.count(y)))} for d in pair)
        where = " and of ".join(map(in_words, pair))
        yield Instance(f"data sets of the labels {where}: labels whose counts are released", first, "==", second)
        yield Instance(f"labels {in_words(pair[0])}: of 0 and 1 so many counts are released", len(first), "==", 2)
    yield "a count for one, so for its neighbour", tm.Implies(visited(COUNT), visited(NEW_COUNT))
    yield "a count for a label that does not occur", tm.Implies(tm.Eq(COUNT, 0), visited(COUNT))


LABEL_SUM, EXAMPLE_SUM = tm.symbols("H Q")


@PAPER.claim(
    "Alg. 3 line 6 (normaliser)",
    r"$p_y=h'_y/\sum_{(x,y)\in D_1}h'_y$, the sum running over examples, is a distribution",
    hypotheses="$H =$ sum of $h'_y$ over the labels, $Q =$ over the examples, for any noise; counterexample with $h' = h$ (noise zero)",
    given=[LABEL_SUM > 0, EXAMPLE_SUM > 0],
    replay="small datasets",
    formula=lambda by_label, by_example: by_example,
    note="As printed, each $h'_y$ is added once for every example with that label.",
    consequence="formula",
    repair=Repair(r"$p_y=h'_y/\sum_{y\in\mathcal{Y}}h'_y$ sums to one", formula=lambda by_label, by_example: by_label),
)
def normaliser(total: Any) -> Parts:
    """The p_y sum to H over the normaliser."""
    for dataset in (d for n in (1, 2, 3) for d in _datasets(n)):
        counts = [dataset.count(y) for y in sorted(set(dataset))]
        mass = Fraction(sum(counts)) / total(Fraction(sum(counts)), Fraction(sum(n * n for n in counts)))
        told = f"counts {in_words(counts)} of the labels that occur, divided by {sum(counts) / mass}"
        yield Instance(f"labels {in_words(dataset)}: {told}: their sum", mass, "==", 1)
    yield "sum of the p_y", (LABEL_SUM / total(LABEL_SUM, EXAMPLE_SUM), 1)


ENTRY, MORE, LABELS = tm.symbols("h g K")


@PAPER.claim(
    "Alg. 3 line 6 (all counts clipped)",
    r"the output is defined for every outcome of the noise",
    hypotheses=r"clipped counts $h'_y$ with sum $H$, $K$ labels; $H = 0$ has positive probability",
    given=[LABELS >= 1, LABEL_SUM > 0, ENTRY >= 0, ENTRY <= LABEL_SUM, MORE >= 0],
    replay="all counts clipped",
    formula=(None, lambda entry, mass: entry / mass),
    note=r"$\max\{h+\mathrm{Lap}, 0\} = 0$ for every label has probability $\prod (1/2) e^{-h_y \epsilon / 2} > 0$; then $p = 0/0$.",
    consequence="formula",
    repair=Repair(
        "with the uniform distribution in place of $0/0$ the output is a distribution for every outcome",
        formula=(lambda size: 1 / size, lambda entry, mass: entry / mass),
    ),
)
def clipped(distribution: Any) -> Parts:
    """Value of an entry if H = 0 and if H > 0; the entries h'_y sum to H, so the second kind sums to its value at h' = H."""
    at_zero, elsewhere = distribution
    yield at_zero is not None or "one label, whose noisy count is clipped to 0: H = 0, so p = 0/0"
    one, other, together = (elsewhere(h, LABEL_SUM) for h in (ENTRY, MORE, ENTRY + MORE))
    yield "H = 0 sums to one", tm.Eq(LABELS * at_zero(LABELS), 1)
    yield "H = 0 not negative", at_zero(LABELS) >= 0
    yield "H > 0 sums to one", tm.Eq(elsewhere(LABEL_SUM, LABEL_SUM), 1)
    yield "H > 0 additive", tm.Eq(one + other, together)
    yield "H > 0 not negative", one >= 0


@PAPER.claim(
    "Alg. 3 (epsilon = 0)",
    r"the input $\epsilon\ge 0$ is admissible: the scale $2/\epsilon$ exists",
    hypotheses=r"$s = 2 / \epsilon$ means $s \epsilon = 2$",
    given=[EPSILON >= 0],
    formula=lambda epsilon: epsilon >= 0,
    consequence="wording",
    repair=Repair(r"the scale $2/\epsilon$ exists iff $\epsilon>0$", formula=lambda epsilon: epsilon > 0),
)
def zero_epsilon(admissible: Any) -> Relations:
    return {
        "admissible => 2 / epsilon exists": tm.Implies(admissible(EPSILON), tm.Ne(EPSILON, 0)),
        "a scale => admissible": tm.Implies(tm.Eq(SCALE * EPSILON, 2), admissible(EPSILON)),
    }


# -- Lemma F.1 ---------------------------------------------------------------------------------------


FIRST, NEW_FIRST, SECOND, NEW_SECOND, OTHERS = tm.symbols("a a2 b b2 q")


@PAPER.claim(
    "Lemma F.1",
    r"if each $M_i$ is $\epsilon$-DP and $\{U_i\}$ partitions the domain, then $(M_i(D\cap U_i))_i$ is $\epsilon$-DP",
    hypotheses=r"any partition and mechanisms, $a$, $b =$ probabilities of the releases of the part that changes and of all others; counterexample with $U = \{0, 1\}$ split into $\{0\}$, $\{1\}$, $M_i =$ randomized response on the parity of the part",
    consequence="wording",
    readings={"adjacent $=$ one record added or removed": "proved", "adjacent $=$ one record substituted": "refuted"},
    formula=lambda t: t,
    mutants={"each M_i only 2 epsilon-DP": lambda t: t**2, "each M_i constant": lambda t: t**0},
    note="'Adjacent' is not defined for datasets without labels. By adding or removing one record exactly one part changes, as "
    r"the proof says; by substituting one (the notion of Def. 2.2) two parts can change and $2 \epsilon$ is spent.",
)
def lemma_f_1(ratio_of_parts: Any) -> tuple[Outcome, ...]:
    """The formula is e^(level of the parts): with it the joint level is epsilon, which is attained.

    In the example U_0 = {0}, U_1 = {1}; a parity that changes multiplies the largest ratio by that of its part.
    """
    t = Fraction(3)
    used = ratio_of_parts(t)

    def changed(pair: Pair) -> int:
        return sum((pair[0].count(part) - pair[1].count(part)) % 2 for part in (0, 1))

    def reading(pairs: list[Pair], name: str) -> Outcome:
        where = max(pairs, key=changed)
        ratio = used ** changed(where)
        first, second = map(in_words, where)
        told = f"{name}: data sets of {first} and of {second}, where {changed(where)} parts change"
        joint = f"joint ratio {' times '.join([str(used)] * changed(where))}, against e^epsilon"
        return sampled([Instance(f"{told}: {joint}", ratio, "==", t)], f"{len(pairs)} pairs, {name}")

    one_part = check_implications(
        [T > 1, FIRST > 0, NEW_FIRST > 0, SECOND > 0, ratio_of_parts(T) * NEW_FIRST >= FIRST],
        {"joint law, of which one factor changes": FIRST * SECOND <= T * NEW_FIRST * SECOND},
    )
    added = [(d, (*d, v)) for n in range(3) for d in _datasets(n) for v in (0, 1)]
    added += [(b, a) for a, b in added]
    by_adding = replayed(one_part, reading(added, "adding or removing"))
    return by_adding, reading(neighbours((1, 2, 3)), "substitution")


PART, LABEL, NEW_LABEL, I, J = NUMBERS = tm.symbols("c y y2 i j")
FACTORS = (FIRST, NEW_FIRST, SECOND, NEW_SECOND, OTHERS)


@PAPER.claim(
    "Lemma F.1 (split by position)",
    r"if a dataset is split by position, independently of the labels, substitution changes one part only and the composition is $\epsilon$-DP",
    hypotheses="any data set, any assignment of positions to parts; $c =$ the part of the changed position, $y$, $y_2 =$ its label before and after; $i$, $j =$ any two parts, $a$, $a_2$ and $b$, $b_2 =$ probabilities of their releases before and after, $q =$ of all others; the releases are independent",
    kind="ours",
    given=[
        *(
            tm.Whole(*NUMBERS),
            T > 1,
            tm.Ne(I, J),
            tm.Ne(LABEL, NEW_LABEL),
            *(v >= 0 for v in NUMBERS),
            *(v > 0 for v in FACTORS),
        ),
        *(FIRST <= T * NEW_FIRST, SECOND <= T * NEW_SECOND),
    ],
    formula=lambda part, c, y: tm.Eq(c, part),
    note="This is what Alg. 2's random split needs; it is not a partition of the domain, so Lemma F.1 does not cover it as stated.",
)
def split_by_position(inside: Any) -> Relations:
    """The formula says whether a position lies in a part. A part changes iff it holds the position before or after.

    Of two parts i != j at most one may change; with factors a, b for them and q for all others, which cannot change
    either if one of i, j does, the joint law changes by one factor, at most t.
    """
    changed = [tm.Or(inside(p, PART, LABEL), inside(p, PART, NEW_LABEL)) for p in (I, J)]
    same = [tm.Or(c, tm.Eq(*pair)) for c, pair in zip(changed, (FACTORS[:2], FACTORS[2:4]), strict=True)]
    joint_law = FIRST * SECOND * OTHERS <= T * NEW_FIRST * NEW_SECOND * OTHERS
    return {
        "its own part": tm.Implies(tm.Eq(I, PART), inside(I, PART, LABEL)),
        "not both parts change": tm.Not(tm.And(*changed)),
        "joint law": tm.Implies(tm.And(*same), joint_law),
    }
