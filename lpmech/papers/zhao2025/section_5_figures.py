"""Section 5.1 and App. A: Figs. 2 to 4 recomputed at a reduced size, with what the text says about them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from lpmech.applications.learning.circle import DEVIATIONS, FIGURES, CircleResult, bayes_accuracy, circle_experiment
from lpmech.claims import Instance, Parts, Repair
from lpmech.papers.zhao2025.paper import PAPER
from lpmech.verdicts import Outcome, against, supported

#: Test examples of a trial, and the seed; the paper has 1000 trials, and does not say how many tests.
TESTS, SEED = 500, 2025

#: Trials of a point, for claims about RR and LP-2ST only, and for those about ALIBI, too. Chosen before the points of
#: this seed were computed: to see a lead of d points beyond a threshold, with deviation s between trials, in a 95 %
#: interval with power 95 % takes (1.96 + 1.645)^2 (s / d)^2 trials, and about three more for Student's t. A pilot (seed
#: 7, 10 trials) had d = 7.4 and s = 2.6 for LP-2ST at K = 100, d = 11 and s = 4.6 at K = 40: 2 + 3 and 3 + 3. Of ALIBI's
#: leads d = 2.1, s = 2.4 in Fig. 3 ask for most, 17 + 3; with d = 1.9, s = 2.35 of the notes below, 20 + 3.
FEW, MANY = 6, 24

simulated = partial(PAPER.claim, recorded="supported")
lead = partial(
    simulated, survivors="a lead or fall is claimed, not its size: what asks for less of the intervals holds too"
)

#: sigma of the panels (a) and (b).
fixed, scaled = DEVIATIONS.values()

#: K, and what was seen there.
Point = tuple[int, CircleResult]


@cache
def run(classes: int, deviation: float, epsilon: float, neighbours: int, trials: int) -> CircleResult:
    """One point of a figure: N = 10000 training examples, reduced trials and test examples."""
    return circle_experiment(classes, deviation, epsilon, neighbours=neighbours, tests=TESTS, trials=trials, seed=SEED)


def _simulated(facts: Iterable[tuple[bool, str]], trials: int) -> Outcome:
    """Supported if every (holds, description) does, else against by the first that fails; all descriptions shown."""
    size = f"N = 10000, {trials} trials of {TESTS} test examples, seed {SEED}; classes beyond those named not seen"
    seen = []
    for holds, text in facts:
        if not holds:
            return against("simulation", f"{text}; {size}", text)
        seen.append(text)
    return supported("simulation", f"{'; '.join(seen)}; {size}")


def leads(methods: str, *points: tuple[int, Any, float, int]) -> Callable[[Any], Outcome]:
    """The check whether that holds of the leads over these methods at all points, and would not if all were 1 smaller.

    A point has K, sigma as a function of it, epsilon and k.
    """

    def check(holds: Any) -> Outcome:
        trials = MANY if "ALIBI" in methods else FEW
        facts = []
        for (n, deviation, epsilon, k), method in product(points, methods.split()):
            low, high = run(n, deviation(n), epsilon, k, trials).lead(method)
            where = f"K = {n}, sigma = {deviation(n):.3g}, epsilon = {epsilon:g}, k = {k}"
            text = f"{where}: lead over {method} in [{low:.3f}, {high:.3f}]"
            facts.append((holds(low, high) and not holds(low - 1, high - 1), text))
        return _simulated(facts, trials)

    return check


def _told(value: float) -> str:
    """Three decimals, and no minus before a zero."""
    return f"{round(value, 3) + 0:.3f}"


def _more_classes(changes: Mapping[str, tuple[Any, Callable[[Point], float], float]]) -> Outcome:
    """Whether every quantity changes as it should from K = 10 to 40 and to 100, sigma = 0.05.

    By name: the relation of before and after, the quantity, and the least change; 0 stands for both half-widths.
    """
    points = [(n, run(n, fixed(n), *FIGURES[2], FEW)) for n in (10, 40, 100)]
    facts = []
    for one, two in pairwise(points):
        margin = one[1].half_width("vector") + two[1].half_width("vector")
        values = {name: (of(one), of(two), compare, least) for name, (compare, of, least) in changes.items()}
        fine = all(c(a, b) and not c(b, a) and abs(a - b) > (least or margin) for a, b, c, least in values.values())
        facts.append((fine, "; ".join(f"{name} {_told(a)}, {_told(b)}" for name, (a, b, _, _) in values.items())))
    return _simulated(facts, FEW)


def ahead(low: float, high: float) -> bool:
    """The 95 % confidence interval of the lead lies above 0."""
    return low > 0


lead(
    "Fig. 2 (small K)",
    "'with small $K$, our method achieves nearly the same accuracy as existing methods'",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $K = 3$, $\sigma = 0.05$, where every method is right at nearly all points, and $\sigma = 2/K$, where the Bayes accuracy is 0.84; nearly the same (our threshold): "
    "the intervals of all leads within 2 points of 0",
    formula=lambda low, high: low > -0.02 and high < 0.02,
    mutants={"never more than a tenth of a point apart": lambda low, high: low > -0.001 and high < 0.001},
)(leads("RR LP-2ST ALIBI", (3, fixed, *FIGURES[2]), (3, scaled, *FIGURES[2])))


lead(
    "Fig. 2 (large K, RR and LP-2ST)",
    "'with large $K$, the vector approximation method ... shows clear advantage over other methods', here over RR and LP-2ST",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $\sigma = 0.05$, $K = 40$, 100; clear: the 95 % interval of the paired lead lies above 10 points",
    formula=lambda low, high: low > 0.1,
)(leads("RR LP-2ST", (40, fixed, *FIGURES[2]), (100, fixed, *FIGURES[2])))


PAPER.claim(
    "Fig. 2 (large K, ALIBI)",
    r"the same 'clear advantage' over ALIBI",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $\sigma = 2/K$, $K = 100$; ALIBI with scale $2/\epsilon$ and its posterior (29); clear is not defined in the text",
    consequence="wording",
    readings={"ahead": "supported", "by 10 points or more, a threshold of ours": "supported against"},
    formula=(ahead, lambda low, high: low > 0.1),
    mutants={"behind, by 10 points": (lambda low, high: high < 0, lambda low, high: high < -0.1)},
    note=r"With 20 trials of 1000 test examples (not part of the check) the lead is 0.5 to 6 points over $K = 40$, 60, 100 and both $\sigma$.",
)(lambda readings: tuple(map(leads("ALIBI", (100, scaled, *FIGURES[2])), readings)))


@simulated(
    "Fig. 2(a) (decreases with K)",
    "'the accuracy of vector approximation still decreases with $K$', and so does the Bayes accuracy",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $\sigma = 0.05$, $K = 10$, 40, 100; a fall by more than both half-widths",
    formula=operator.gt,
    mutants={"it grows": operator.lt},
)
def decreases(compare: Any) -> Outcome:
    vector, bayes = (compare, lambda point: point[1].mean("vector"), 0), (compare, lambda point: point[1].bayes, 1e-9)
    return _more_classes({"vector": vector, "Bayes": bayes})


def mean_gap(classes: int, deviation: float) -> float:
    """Mean of eta* - eta_s over 20000 points drawn from the classes on the circle."""
    rng = np.random.default_rng(SEED)
    means = np.exp(2j * np.pi * np.arange(classes) / classes)
    points = means[rng.integers(classes, size=20000)] + deviation * (rng.normal(size=(20000, 2)) @ (1, 1j))
    weights = np.exp(-(abs(points[:, None] - means) ** 2) / (2 * deviation**2))
    second, first = np.sort(weights, axis=1)[:, -2:].T / weights.sum(axis=1)
    return float(np.mean(first - second))


@simulated(
    "Fig. 2(a) (explanation)",
    r"'with large $K$, there is a stronger overlap ..., thus $\eta^*(x)-\eta_s(x)$ becomes lower on average. According to Theorem 2, the excess risk is also larger correspondingly'",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $\sigma = 0.05$, $K = 10$, 40, 100; the mean gap falls by more than 0.1, the excess risk grows by more than both half-widths",
    formula=(operator.gt, operator.lt),
    mutants={"the gap grows": (operator.lt, operator.lt), "the risk falls": (operator.gt, operator.gt)},
    note="(20) is an upper bound, which a larger right side does not make a larger risk; the simulation shows that it grows.",
)
def explanation(compare: Any) -> Outcome:
    gap = compare[0], lambda point: mean_gap(point[0], fixed(point[0])), 0.1
    return _more_classes({"mean gap": gap, "excess risk": (compare[1], lambda p: p[1].bayes - p[1].mean("vector"), 0)})


@simulated(
    "Fig. 2(b) (overlap)",
    r"with $\sigma=2/K$ '$\eta^*(x)-\eta_s(x)$ remains nearly the same with increasing $K$': the Bayes accuracy stays within 1 point",
    hypotheses="$K = 10$, 20, 40, ..., 640; the accuracy by numerical integration, tolerance $10^{-10}$; $K = 3$ has 0.837, 4 points less",
    formula=scaled,
    mutants={"sigma = 0.05": fixed, "sigma = 1/sqrt(K)": lambda classes: classes**-0.5},
    survivors={
        **dict.fromkeys(("2 -> 1", "2 -> 3"), "c/K keeps the overlap for every c"),
        "K -> K ** 2": "then no classes overlap, whatever K is",
    },
)
def overlap(deviation: Any) -> Outcome:
    values = {n: bayes_accuracy(n, deviation(n)) for n in (10, 20, 40, 80, 160, 320, 640)}
    spread = max(values.values()) - min(values.values())
    text = f"Bayes accuracies {', '.join(f'{n}: {v:.4f}' for n, v in values.items())}"
    if spread < 0.01:
        return supported("numerical integration", f"{text}; other K not seen")
    return against("numerical integration", text, text)


@PAPER.claim(
    "Fig. 2(b) (stable)",
    r"with $\sigma=2/K$, 'with increasing $K$, the accuracy of our vector approximation approach remains stable'",
    hypotheses=r"$\epsilon = 1$, $k = 200$, $N = 10000$; the range of $K$ is not in the text; stable, by a threshold of ours: a fall of less than 5 points from $K = 10$",
    consequence="wording",
    readings={"up to $K = 40$": "supported", "up to $K = 100$": "supported against"},
    formula=lambda before, after: before - after < 0.05,
    mutants={"grows by 5 points": lambda before, after: after - before > 0.05},
    note="For $K = 100$ every class has 100 examples, fewer than $k = 200$, and the mean over the neighbours mixes classes.",
)
def stable(same: Any) -> tuple[Outcome, ...]:
    first, *others = ((n, run(n, scaled(n), *FIGURES[2], FEW)) for n in (10, 40, 100))

    def reading(*points: Point) -> Outcome:
        seen = [(n, result.mean("vector"), result.half_width("vector")) for n, result in points]
        text = ", ".join(f"K = {n}: accuracy of the vector {mean:.3f} +- {width:.3f}" for n, mean, width in seen)
        return _simulated([(same(*(mean for _, mean, _ in seen)), text)], FEW)

    return tuple(reading(first, later) for later in others)


@simulated(
    "Fig. 3 (better than epsilon = 1)",
    r"'with a weaker privacy requirement $\epsilon=2$, the performances of all methods become better'",
    hypotheses=r"$k = 100$, $\sigma = 2/K$, $K = 100$; a gain of more than both half-widths for every method",
    formula=operator.gt,
    mutants={"worse": operator.lt},
)
def weaker_privacy(compare: Any) -> Outcome:
    strong, weak = (run(100, scaled(100), *FIGURES[figure], MANY) for figure in (4, 3))
    facts = []
    for m in strong.accuracies:
        before, after, margin = strong.mean(m), weak.mean(m), weak.half_width(m) + strong.half_width(m)
        gains = compare(after, before) and not compare(before, after) and abs(after - before) > margin
        facts.append((gains, f"{m}: {before:.3f} at epsilon = 1, {after:.3f} at 2"))
    return _simulated(facts, MANY)


lead(
    "Fig. 3 (RR and LP-2ST)",
    r"$\epsilon=2$: 'the vector approximation method still outperforms existing methods', here RR and LP-2ST",
    hypotheses=r"$\sigma = 0.05$, $K = 100$; $k = 100$ as in the caption and $k = 200$ as in 'recall that previous experiments use $k=200$' below it",
    formula=ahead,
    note="Caption and text of App. A disagree on $k$ for Fig. 3; the ordering holds for both.",
)(leads("RR LP-2ST", (100, fixed, 2.0, 100), (100, fixed, 2.0, 200)))


@PAPER.claim(
    "Fig. 3 (ALIBI)",
    r"$\epsilon=2$: it 'still outperforms' ALIBI",
    hypotheses=r"$\sigma = 0.05$ and $2/K$, $K = 100$, $k = 100$; ALIBI with scale $2/\epsilon$ and its posterior (29); by how much is not said",
    consequence="wording",
    readings={
        r"ahead, $\sigma = 0.05$": "supported",
        r"on a par or better (within 3 points), $\sigma = 2/K$": "supported",
        r"by 10 points or more (ours), $\sigma = 2/K$": "supported against",
    },
    formula=(ahead, lambda low, high: low > -0.03, lambda low, high: low > 0.1),
    mutants={"behind, by 10 points": tuple(lambda low, high, d=d: high < d for d in (0, -0.03, -0.1))},
    note="With 20 trials of 1000 test examples (not part of the check) the interval of the lead is $[-0.4, 0.4]$ points here, "
    r"$[0.8, 3.0]$ for $\sigma = 0.05$, $[1.1, 3.5]$ for $k = 200$.",
)
def figure_3_alibi(readings: Any) -> tuple[Outcome, ...]:
    cases = zip((fixed, scaled, scaled), readings, strict=True)
    return tuple(leads("ALIBI", (100, deviation, *FIGURES[3]))(holds) for deviation, holds in cases)


@PAPER.claim(
    "Fig. 3 (caption)",
    "'recall that previous experiments use $k=200$. Now we use ... $k=100$'",
    hypotheses="Figs. 2 and 3 precede that paragraph; $k = 200$ in the text of Fig. 2, $k = 100$ in the caption of Fig. 3",
    consequence="slip",
    family="printed values of k",
    method="exact arithmetic on printed numbers",
    formula={"Fig. 2": 200, "Fig. 3": 200},
    note="One of the two is a misprint; which one the paper does not tell. The orderings of Fig. 3 hold for both.",
    repair=Repair(
        "Fig. 2 uses $k=200$, Fig. 3 by its caption $k=100$",
        hypotheses="as printed",
        formula={"Fig. 2": 200, "Fig. 3": 100},
    ),
)
def figure_3_caption(stated: dict[str, int]) -> Parts:
    for figure in (2, 3):
        yield Instance(f"Fig. {figure}: k as printed, as recalled", FIGURES[figure][1], "==", stated[f"Fig. {figure}"])


lead(
    "Fig. 4 (k = 100)",
    r"'our method consistently outperforms existing approaches with large $K$', $\epsilon=1$, $k=100$",
    hypotheses=r"$\sigma = 2/K$, $K = 100$; the 95 % intervals of all three leads above 0",
    formula=ahead,
)(leads("RR LP-2ST ALIBI", (100, scaled, *FIGURES[4])))
