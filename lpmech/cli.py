"""The command line of lpmech: one function for each command; what they print is made in `lpmech.report`."""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from cyclopts import App, CycloptsError, Parameter

from lpmech import __version__
from lpmech.errors import DataFileError, InvalidInputError, LpmechError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lpmech.conjectures import Finding
    from lpmech.design import Design
    from lpmech.papers.running import ClaimResult
    from lpmech.places import Places
    from lpmech.privacy import PrivacyLevel

__all__ = ["app", "main"]

#: Exit codes: all well; a verdict is not the recorded one; bad input; interrupted.
OK, ASTRAY, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

app = App(
    name="lpmech",
    help="A proof laboratory for randomized-response mechanisms, built on linear programming.",
    version=__version__,
    suppress_keyboard_interrupt=False,
)


@app.command
def verify(
    *papers: str,
    only: Annotated[list[str] | None, Parameter(negative=())] = None,
    self_test: Annotated[bool, Parameter(negative=())] = False,
    jobs: int = min(2, os.cpu_count() or 1),
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
) -> int:
    """Run the papers' claims and print the verdicts; exit 0 only if every verdict is the recorded one.

    Parameters
    ----------
    papers
        Keys of papers (ghazi2021, zhang2025, zheng2025, liu2026, zhao2025, across); default: all.
    only
        Run the claim with this id, or all whose id contains it; may be repeated.
    self_test
        Also show that every mutant is rejected.
    jobs
        Number of processes.
    json_file
        Write the rows to this file as JSON.
    """
    from lpmech.papers import PAPER_KEYS, load_paper
    from lpmech.papers.running import run_claims, select_claims
    from lpmech.report import console, refutations, summary, verdict_table

    if jobs < 1:
        raise InvalidInputError("jobs", jobs, "a whole number >= 1")
    keys = list(dict.fromkeys(papers)) or list(PAPER_KEYS)
    selection = select_claims(keys, only or [])
    if json_file is not None:
        _write(json_file, "[]\n")  # an unwritable file is found out now, not after the run
    results: list[ClaimResult] = []
    with _progress(len(selection)) as advance:
        for result in run_claims(selection, jobs, self_test):
            results.append(result)
            advance(f"{result.paper} {result.id}")
    out = console()
    for key in keys:
        of_paper = [r for r in results if r.paper == key]
        if of_paper:
            out.print(verdict_table(load_paper(key).title, of_paper))
            out.print(refutations(of_paper))
            out.print()
    if json_file is not None:
        _write(json_file, json.dumps([r.row() for r in results], indent=1, ensure_ascii=False) + "\n")
    for key in keys:
        of_paper = [r for r in results if r.paper == key]
        if of_paper:
            out.print(summary(key, of_paper), soft_wrap=True, markup=False)
    return OK if all(r.as_recorded for r in results) else ASTRAY


@app.command
def design(
    counts: Path,
    *,
    epsilon: float | None = None,
    ratio: str | None = None,
    utility: str = "hit",
    output: Path | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    utility
        hit, absolute, squared, tanimoto, near (within 1), balanced (average over the labels), weights (liu2026 (3.3),
        e^(-1/sigma) = 1/2), or a CSV file with a K x K matrix (larger is better).
    output
        Directory for channel.csv, comparison.csv, certificate.json and pictures.
    as_json
        Print the comparison as JSON.
    """
    from lpmech.design import design as find_design
    from lpmech.report import comparison_table, console
    from lpmech.tables import read_counts

    level = _required_level(epsilon, ratio)
    label_counts = read_counts(counts)
    if output is not None:
        _make_directory(output)
    found = find_design(label_counts, level, utility)
    if output is not None:
        _write_design(found, output)
    if as_json:
        print(json.dumps(_design_json(found), indent=1, ensure_ascii=False))
        return OK
    out = console()
    out.print(comparison_table(found))
    lower, upper = float(found.certificate.lower), float(found.certificate.upper)
    gap = max(float(found.certificate.upper - found.certificate.lower), 1e-12)
    out.print(
        f"certified: the optimum lies in [{lower:.10g}, {upper:.10g}] "
        f"(exact rational arithmetic, gap below {10.0 ** math.ceil(math.log10(gap)):.0e})"
    )
    if utility in ("absolute", "squared", "tanimoto", "near") and label_counts.values is None:
        out.print("note: the labels are not all numbers; distances are between their positions in the file")
    if output is not None:
        out.print(f"written to {output}: " + ", ".join(sorted(p.name for p in output.iterdir())), soft_wrap=True)
    return OK


@app.command
def losses(counts: Path, *, epsilon: float | None = None, ratio: str | None = None) -> int:
    """Print what every published mechanism loses against the optimum, under every named utility.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    """
    from lpmech.design import losses as find_losses
    from lpmech.report import console, losses_table
    from lpmech.tables import read_counts

    level = _required_level(epsilon, ratio)
    label_counts = read_counts(counts)
    title = f"{counts.name}, {level}: percent of the certified optimum lost"
    console().print(losses_table(title, find_losses(label_counts, level)))
    return OK


@app.command
def regimes(counts: Path, *, utility: str = "hit", output: Path | None = None) -> int:
    """Print the optimum as an exact function of t = e^epsilon, for all epsilon > 0, with its break points.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    utility
        hit, absolute, squared, tanimoto, near, balanced, weights (as for design), or a CSV file with a K x K matrix.
    output
        PNG file for a plot of the optimum and every published closed form against epsilon.
    """
    from lpmech.design import curves, utility_named
    from lpmech.plots import plot_regimes
    from lpmech.privacy import PrivacyLevel
    from lpmech.programs import optimal_channel
    from lpmech.report import console, regime_table
    from lpmech.solvers.parametric import regimes as find_regimes
    from lpmech.solvers.parametric import value_pieces
    from lpmech.tables import read_counts

    label_counts = read_counts(counts)
    gain = utility_named(utility, label_counts)
    found = find_regimes(optimal_channel(gain, PrivacyLevel.from_ratio(2), label_counts.prior))
    pieces = value_pieces(found)
    out = console()
    out.print(regime_table(f"{counts.name}: optimum for utility {utility}, t = e^epsilon", pieces))
    out.print(f"{len(pieces)} formulas on {len(found)} intervals, each proved for all t in it by signs of polynomials")
    if output is not None:
        _write(output, "")
        last = max([3.0, *(1.3 * math.log(float(piece[0])) for piece in pieces)])
        plot_regimes(pieces, curves(gain, label_counts.prior, last), output, f"{counts.name}, utility {utility}")
        out.print(f"written to {output}", soft_wrap=True)
    return OK


@app.command
def check(
    conjecture: str,
    *,
    utility: str = "hit",
    largest: int = 8,
    counts: Path | None = None,
    epsilon: float | None = None,
    ratio: str | None = None,
    mechanism: str | None = None,
) -> int:
    """Check a conjecture of your own: a formula, a Python file, or a channel tabulated as CSV; exit 1 if refuted.

    Parameters
    ----------
    conjecture
        An expression in t = e^epsilon and K, the optimal value for the uniform prior: 't/(t+K-1)'. Or two, the
        diagonal and the off-diagonal entry of a channel: 't/(t+K-1), 1/(t+K-1)'. Or a Python file that defines
        channel(t, K), channel(t, prior), value(t, K) or value(t, prior), and utility(K) if it is not a named one.
        Or a CSV file with a channel: released labels as header, true labels as first column.
    utility
        hit, absolute, squared, tanimoto, near; for a CSV channel also balanced, weights, or a CSV file.
    largest
        Largest number of labels for formulas.
    counts
        CSV channel: label counts that give the prior; default: uniform.
    epsilon
        CSV channel: the level it is meant to have; default: its own.
    ratio
        The same as an exact e^epsilon.
    mechanism
        CSV channel: name of the mechanism it claims to be.
    """
    from lpmech.papers.claims import Verdict
    from lpmech.report import console, findings_table

    of_table = {"counts": counts, "epsilon": epsilon, "ratio": ratio, "mechanism": mechanism}
    if conjecture.endswith(".csv"):
        findings = _check_table(Path(conjecture), utility, counts, _level(epsilon, ratio), mechanism)
    elif given := [name for name, value in of_table.items() if value is not None]:
        raise InvalidInputError(given[0], of_table[given[0]], "this option with a CSV channel only")
    else:
        findings = _check_formulas(conjecture, utility, largest)
    console().print(findings_table(conjecture, findings))
    return ASTRAY if any(f.outcome.verdict is Verdict.REFUTED for f in findings) else OK


def _check_formulas(conjecture: str, utility: str, largest: int) -> list[Finding]:
    from lpmech.conjectures import check_channel_formula, check_value_formula, formulas_from_file, formulas_from_text
    from lpmech.design import NAMED_UTILITIES

    formulas = formulas_from_file(conjecture) if conjecture.endswith(".py") else formulas_from_text(conjecture)
    if formulas.utility is None and utility not in NAMED_UTILITIES:
        raise InvalidInputError(
            "utility", utility, f"{', '.join(NAMED_UTILITIES)}, or a function utility(K) in the file"
        )
    gain = formulas.utility or NAMED_UTILITIES[utility]
    findings = [] if formulas.channel is None else check_channel_formula(formulas.channel, gain, largest)
    return findings + ([] if formulas.value is None else check_value_formula(formulas.value, gain, largest))


def _check_table(
    path: Path, utility: str, counts: Path | None, level: PrivacyLevel | None, mechanism: str | None
) -> list[Finding]:
    from lpmech.conjectures import check_table
    from lpmech.design import utility_named
    from lpmech.tables import LabelCounts, read_channel, read_counts

    channel = read_channel(path)
    names = [str(name) for name in channel.inputs]
    label_counts = LabelCounts(tuple(names), (1,) * len(names)) if counts is None else read_counts(counts)
    if sorted(label_counts.labels) != sorted(names):
        raise InvalidInputError("counts", list(label_counts.labels), f"the labels of the channel, {names}")
    ordered = dict(zip(label_counts.labels, label_counts.counts, strict=True))
    in_order = LabelCounts(tuple(names), tuple(ordered[name] for name in names))
    return check_table(channel, utility_named(utility, in_order), in_order.prior, level, mechanism)


def _level(epsilon: float | None, ratio: str | None) -> PrivacyLevel | None:
    from lpmech.privacy import PrivacyLevel

    if epsilon is not None and ratio is not None:
        raise InvalidInputError("epsilon", epsilon, "at most one of --epsilon and --ratio")
    if epsilon is not None:
        return PrivacyLevel.from_epsilon(epsilon)
    return None if ratio is None else PrivacyLevel.from_ratio(ratio)


def _required_level(epsilon: float | None, ratio: str | None) -> PrivacyLevel:
    level = _level(epsilon, ratio)
    if level is None:
        raise InvalidInputError("epsilon", epsilon, "exactly one of --epsilon and --ratio")
    return level


@app.command
def certify(certificate: Path) -> int:
    """Check a certificate in exact rational arithmetic and print the interval it proves for the optimum.

    Parameters
    ----------
    certificate
        JSON file, such as certificate.json of `lpmech design`.
    """
    from lpmech.certify import read_certificate

    lower, upper = read_certificate(certificate).interval()
    if lower == upper:
        print(f"certified: the optimum is exactly {lower}")
    else:
        print(
            f"certified: the optimum lies in [{float(lower):.15g}, {float(upper):.15g}], gap {float(upper - lower):.3g}"
        )
    return OK


@app.command
def compare(
    *,
    dataset: str = "digits-1",
    epsilon: Annotated[list[float] | None, Parameter(negative=())] = None,
    repeats: int = 10,
    seed: int = 0,
    jobs: int = min(2, os.cpu_count() or 1),
) -> int:
    """Train on labels released by every method: accuracy on digits imbalanced as in liu2026 (not the paper's data).

    Parameters
    ----------
    dataset
        digits-1 or digits-2: class proportions of the two data sets of liu2026, section 5.1.1.
    epsilon
        Label-privacy level; may be repeated; default: 1 and 2.
    repeats
        Number of random subsets and seeds.
    seed
        The first seed.
    jobs
        Number of processes.
    """
    from lpmech.learning.comparison import compare as run_comparison
    from lpmech.learning.comparison import number_of_runs, summarise
    from lpmech.report import console, learning_table

    levels = list(dict.fromkeys(epsilon or [1.0, 2.0]))
    runs = []
    started = run_comparison(dataset, levels, repeats, seed=seed, jobs=jobs)
    with _progress(number_of_runs(levels, repeats)) as advance:
        for run in started:
            runs.append(run)
            advance(f"{run.method}, epsilon = {run.epsilon:g}")
    out = console()
    out.print(learning_table(dataset, summarise(runs)))
    out.print(
        "not the papers' data: scikit-learn's 8 x 8 digits, logistic regression, 10 % of the examples for the prior;\n"
        "BRR* for the weights (3.3) of liu2026, optimal for hits weighted by prior^(-1/2)"
    )
    return OK


@app.command
def places(
    file: Path | None = None,
    *,
    epsilon: Annotated[list[float] | None, Parameter(negative=())] = None,
    region: Annotated[list[str] | None, Parameter(negative=())] = None,
    depth: int = 1,
    place: str | None = None,
    output: Path | None = None,
) -> int:
    """Release places with BRR and others: expected distance to the true place, beside the certified optimum.

    Parameters
    ----------
    file
        CSV file with the columns place,latitude,longitude and optionally count; default: the places after which the
        world's time zones are named (not the data of zhang2025, section V.E).
    epsilon
        Privacy level between places of one region; may be repeated; default: 1 and 2.
    region
        Only this region; may be repeated; default: all.
    depth
        Number of levels of the names, such as America/Argentina/Ushuaia, that make a region; 0: one region.
    place
        True place of the map; default: the most central one of the largest region.
    output
        PNG file for a map of the released place under BRR and under the optimum, at the first epsilon.
    """
    from lpmech.locations import averages, comparable_regions, expected_distances
    from lpmech.places import world_places
    from lpmech.report import console, distances_table
    from lpmech.tables import read_places

    levels = list(dict.fromkeys(epsilon or [1.0, 2.0]))
    everywhere = world_places() if file is None else read_places(file)
    regions, left_out = comparable_regions(everywhere, depth, region or [])
    if output is not None:
        _write(output, "")
        _plot_release(regions, place, levels[0], output)
    elif place is not None:
        raise InvalidInputError("place", place, "this option with --output only")
    found = []
    for level in levels:
        of_level = [expected_distances(name, members, level) for name, members in regions.items()]
        found += [*of_level, averages(of_level, "average")] if len(of_level) > 1 else of_level
    out = console()
    out.print(distances_table("time zone database" if file is None else file.name, found))
    if left_out:
        out.print(f"left out, a single place or no count: {', '.join(left_out)}", soft_wrap=True)
    if len(regions) > 1 or region:
        out.print("each place is perturbed within its region, so the region itself is not hidden")
    if file is None:
        out.print("not the data of zhang2025 (Gowalla, FourSquare): an analogue, every place equally likely")
    if output is not None:
        out.print(f"written to {output}", soft_wrap=True)
    return OK


def _plot_release(regions: Mapping[str, Places], place: str | None, epsilon: float, output: Path) -> None:
    from lpmech.errors import LabelError
    from lpmech.locations import released_from
    from lpmech.plots import plot_release

    if place is None:
        members = max(regions.values(), key=len)
        place = members.names[int(members.utility.sum(axis=1).argmax())]
    name = next((name for name, members in regions.items() if place in members.names), None)
    if name is None:
        raise LabelError("place", place, f"a place of {', '.join(regions)}")
    plot_release(regions[name], place, released_from(regions[name], place, epsilon), output, f"epsilon = {epsilon:g}")


@app.command
def numbers(
    *,
    clip: float = 1.0,
    step: float = 0.1,
    epsilon: Annotated[list[float] | None, Parameter(negative=())] = None,
) -> int:
    """Release numbers of [-c, c] with BRR, Laplace noise and others: expected errors beside the certified optimum.

    Parameters
    ----------
    clip
        c, half the range.
    step
        L: discrete mechanisms have the 2 c / L + 1 points -c, -c + L, ..., c.
    epsilon
        Privacy level between any two numbers; may be repeated; default: 0.5, 2 and 8.
    """
    from lpmech.numbers import number_errors
    from lpmech.report import console, numbers_table

    out = console()
    for level in list(dict.fromkeys(epsilon or [0.5, 2.0, 8.0])):
        out.print(
            numbers_table(f"numbers of [-{clip:g}, {clip:g}], epsilon = {level:g}", number_errors(clip, step, level))
        )
    out.print(
        "unbiased: rounded at random and decoded, which is not in zhang2025; everything but the optimum in floats"
    )
    return OK


@app.command
def concentration(
    *, size: int = 11, steps: int = 1, epsilon: Annotated[list[float] | None, Parameter(negative=())] = None
) -> int:
    """Probability that PM, SW, Laplace noise and others keep near the true point, beside the best of any mechanism.

    Parameters
    ----------
    size
        Number of even points of [0, 1], all equally likely.
    steps
        Radius around the true point, in distances of neighbouring points.
    epsilon
        Privacy level; may be repeated; default: 1, 2 and 4.
    """
    from lpmech.concentrations import mean_concentrations
    from lpmech.report import concentrations_table, console

    out = console()
    for level in list(dict.fromkeys(epsilon or [1.0, 2.0, 4.0])):
        title = f"{size} points, within {steps} step(s), epsilon = {level:g}"
        out.print(concentrations_table(title, mean_concentrations(size, steps, level)))
    return OK


@app.command
def train(
    task: str,
    *,
    epsilon: Annotated[list[float] | None, Parameter(negative=())] = None,
    repeats: int = 10,
    seed: int = 0,
    jobs: int = min(2, os.cpu_count() or 1),
) -> int:
    """Train with perturbed gradients or leaves, by BRR, Laplace noise and others (not the data of zhang2025).

    Parameters
    ----------
    task
        sgd (gradients of logistic regression, zhang2025 V.D) or trees (leaves of boosted trees, V.C).
    epsilon
        Privacy level of the whole training; may be repeated; default: 2, 8 and 32.
    repeats
        Number of random splits and seeds.
    seed
        The first seed.
    jobs
        Number of processes.
    """
    from lpmech.learning.perturbed_comparison import TASKS, compare_perturbations, scores
    from lpmech.report import console, scores_table

    levels = list(dict.fromkeys(epsilon or [2.0, 8.0, 32.0]))
    runs = []
    started = compare_perturbations(task, levels, repeats, seed=seed, jobs=jobs)
    with _progress(len(TASKS[task].mechanisms) * len(levels) * repeats) as advance:
        for run in started:
            runs.append(run)
            advance(f"{run.mechanism}, epsilon = {run.epsilon:g}")
    out = console()
    out.print(scores_table(f"{TASKS[task].title}: {TASKS[task].unit}", scores(runs), TASKS[task].digits))
    out.print(
        "not the papers' data or models; the second line is Laplace noise for what one example can change,\n"
        "all below it protect any two values of the clipped range"
    )
    return OK


@app.command
def excess_risk(
    *,
    dataset: str = "wine",
    epsilon: Annotated[list[float] | None, Parameter(negative=())] = None,
    sizes: Annotated[list[int] | None, Parameter(negative=(), consume_multiple=True)] = None,
    repeats: int = 10,
    seed: int = 0,
    jobs: int = min(2, os.cpu_count() or 1),
    output: Path | None = None,
) -> int:
    """Excess risk of LP-RR-SGD and LP-Normal-SGD (ghazi2021, Alg. 5 and 6) beside its bounds; exit 1 if above one.

    Parameters
    ----------
    dataset
        wine, iris or breast-cancer: its empirical distribution is the population.
    epsilon
        Label-privacy level below 1; may be repeated; default: 0.3 and 0.9.
    sizes
        Sample sizes; default: 100 300 1000 3000 10000 30000.
    repeats
        Number of samples of each size, at least 2.
    seed
        Seed of the whole experiment.
    jobs
        Number of processes.
    output
        PNG file for a plot of the curves and bounds against n.
    """
    from lpmech.learning.excess_risk import EPSILONS, SIZES, excess_risks, number_of_runs, population, slopes, summarise
    from lpmech.plots import plot_excess_risk
    from lpmech.report import console, excess_risk_tables

    levels, counts = epsilon or EPSILONS, sizes or SIZES
    problem = population(dataset)
    started = excess_risks(problem, levels, counts, repeats, seed=seed, jobs=jobs)
    if output is not None:
        _write(output, "")
    runs = []
    with _progress(number_of_runs(levels, counts, repeats)) as advance:
        for run in started:
            runs.append(run)
            advance(f"{run.algorithm}, n = {run.size}")
    table = summarise(runs)
    rates, below = slopes(table, problem.ceiling), bool(table["below"].all())
    examples, width = problem.features.shape
    setting = f"{dataset}: {problem.classes} labels, {examples} examples x {width} features, R = {problem.radius:g}"
    out = console()
    out.print(excess_risk_tables(f"{setting}, {repeats} repeats", table, rates))
    out.print(
        f"{'every' if below else 'NOT every'} mean + 3 standard errors is below its bound; the bounds are "
        f"{rates['least_ratio'].min():.0f} to {rates['largest_ratio'].max():.0f} times the means"
    )
    out.print(
        f"least risk in the ball: {problem.minimum:.8f}, certified to {problem.gap:.0e}; no weights exceed it by more "
        f"than DL = {problem.ceiling:.4g}, so a larger\nbound says nothing; LP-Normal-SGD has delta = 1e-5"
    )
    if output is not None:
        plot_excess_risk(table, problem.ceiling, output, f"{setting}, {repeats} repeats")
        out.print(f"written to {output}", soft_wrap=True)
    return OK if below else ASTRAY


@app.command
def circle(
    figure: int = 2,
    *,
    full: Annotated[bool, Parameter(negative=())] = False,
    classes: Annotated[list[int] | None, Parameter(negative=(), consume_multiple=True)] = None,
    repeats: int | None = None,
    seed: int = 0,
    jobs: int = min(2, os.cpu_count() or 1),
    output: Path | None = None,
) -> int:
    """Recompute a figure of zhao2025: nearest neighbours on private labels, classes on a circle, with 95 % intervals.

    Parameters
    ----------
    figure
        2, 3 or 4; each has a panel with sigma = 0.05 and one with sigma = 2/K.
    full
        The paper's 1000 trials, 1000 test examples in each: hours instead of minutes.
    classes
        Numbers of classes K; default: 3 5 10 20 40 60 80 100.
    repeats
        Number of trials without --full; default: 20, of 500 test examples.
    seed
        Seed of the whole experiment.
    jobs
        Number of processes.
    output
        PNG file for the figure, with error bars.
    """
    from lpmech.learning.circle import DEVIATIONS, FIGURES, FULL_SIZE, REDUCED_SIZE, SIZES, circle_figure
    from lpmech.plots import plot_circle
    from lpmech.report import circle_table, console

    if full and repeats is not None:
        raise InvalidInputError("repeats", repeats, "this option without --full only")
    trials, tests = FULL_SIZE if full else (REDUCED_SIZE[0] if repeats is None else repeats, REDUCED_SIZE[1])
    sizes = sorted(set(classes or SIZES))
    started = circle_figure(figure, sizes, trials=trials, tests=tests, seed=seed, jobs=jobs)
    if output is not None:
        _write(output, "")
    points = []
    with _progress(len(DEVIATIONS) * len(sizes)) as advance:
        for point in started:
            points.append(point)
            advance(f"{point.panel}, K = {point.classes}")
    epsilon, neighbours = FIGURES[figure]
    size = f"N = 10000, {trials} trials of {tests} tests"
    title = f"zhao2025, Fig. {figure}: epsilon = {epsilon:g}, k = {neighbours}, {size}"
    out = console()
    out.print(circle_table(f"{title}; accuracy (%), mean ± half-width of the 95 % interval", points))
    if output is not None:
        plot_circle(points, output, title)
        out.print(f"written to {output}", soft_wrap=True)
    return OK


def main(arguments: list[str] | None = None) -> None:
    """Entry point: bad input is one line on stderr and exit code 2, never a traceback."""
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except (LpmechError, CycloptsError) as exc:
        _fail(str(exc), BAD_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    sys.exit(code or OK)


def _fail(message: str, code: int) -> NoReturn:
    print("lpmech: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(code)


class _progress:  # noqa: N801  (used as a with-statement)
    """A progress bar on stderr; yields a function that advances it by one."""

    def __init__(self, total: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from lpmech.report import console

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=console(stderr=True), transient=True)
        self._task = self._bar.add_task("claims", total=total)

    def __enter__(self) -> Any:
        self._bar.start()
        return lambda text: self._bar.update(self._task, advance=1, description=text[:40].ljust(40))

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def _design_json(found: Design) -> dict[str, Any]:
    return {
        "labels": list(found.labels),
        "epsilon": found.level.epsilon,
        "utility": found.utility_name,
        "optimum": {"lower": str(found.certificate.lower), "upper": str(found.certificate.upper)},
        "comparison": [
            {
                "mechanism": c.mechanism,
                "parameters": c.parameters,
                "expected_utility": c.expected_utility,
                "loss_percent": c.loss_percent if c.loss_percent != float("inf") else None,
                "epsilon": c.epsilon if c.epsilon != float("inf") else None,
            }
            for c in found.comparisons
        ],
    }


def _write_design(found: Design, directory: Path) -> None:
    from lpmech.plots import plot_channel, plot_comparison
    from lpmech.tables import write_channel

    write_channel(directory / "channel.csv", found.optimum.channel)
    lines = ["mechanism,expected_utility,loss_percent,epsilon"]
    lines += [f"{c.mechanism},{c.expected_utility!r},{c.loss_percent!r},{c.epsilon!r}" for c in found.comparisons]
    _write(directory / "comparison.csv", "\n".join(lines) + "\n")
    _write(directory / "certificate.json", found.certificate.to_json() + "\n")
    setting = f"epsilon = {found.level.epsilon:g}, utility {found.utility_name}"
    plot_channel(found.optimum.channel, directory / "channel.png", f"Optimal channel, {setting}")
    plot_comparison(found.comparisons, directory / "comparison.png", f"Expected utility, {setting}")


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise DataFileError("output", str(path), f"a directory that can be made ({exc.strerror})") from exc


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise DataFileError("file", str(path), f"a file that can be written ({exc.strerror})") from exc
