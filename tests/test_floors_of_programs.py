"""Floors on hit rates beside delta and beside a metric: against programs on all pairs and all sets, and forged proofs."""

import json
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from commands import lpmech
from scipy.optimize import linprog

from lpmech import PrivacyLevel
from lpmech.certify import checker
from lpmech.certify.program import program_certificate
from lpmech.certify.program_checker import check_program
from lpmech.designs.delta_design import design_with_delta
from lpmech.designs.metric_design import design_for_metric
from lpmech.errors import ProgramError
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.hit_floors import largest_of
from lpmech.programs.metric import metric_channel
from lpmech.programs.uncertain_priors import prior_of_proof, priors_within
from lpmech.utilities import absolute, hit, squared

F = Fraction
THREE = PrivacyLevel.from_ratio(3)
PRIOR = [F(6, 10), F(3, 10), F(1, 10)]


def delta_program(utility, **more):
    return approximate_channel(utility, THREE, F(1, 10), **more)


def line_program(utility, **more):
    return metric_channel(utility, THREE, "line", **more)


def limits_of_delta(size):
    """Pr[S | y] - 3 Pr[S | z] <= 1/10 for every set S."""
    for (y, z), chosen in product(permutations(range(size), 2), product((0, 1), repeat=size)):
        row = np.zeros((size, size))
        row[y], row[z] = chosen, [-3 * c for c in chosen]
        yield row.ravel(), 0.1


def limits_of_line(size):
    """q[y, j] <= 3^|y - z| q[z, j] for all y and z."""
    for (y, z), j in product(permutations(range(size), 2), range(size)):
        row = np.zeros((size, size))
        row[y, j], row[z, j] = 1, -(3.0 ** abs(y - z))
        yield row.ravel(), 0.0


def best(limits, utility, prior, floor):
    """What linprog finds; None where there is no channel."""
    size = len(prior)
    above, right = (np.array(part) for part in zip(*limits(size), strict=True))
    weights = np.array(prior, dtype=float)[:, None] * np.array(utility, dtype=float)
    bounds = [(floor if y == j else 0, 1) for y in range(size) for j in range(size)]
    rows = np.kron(np.eye(size), np.ones(size))
    found = linprog(-weights.ravel(), A_ub=above, b_ub=right, A_eq=rows, b_eq=np.ones(size), bounds=bounds)
    return -found.fun if found.status == 0 else None


BOTH = pytest.mark.parametrize(
    ("program", "limits"), [(delta_program, limits_of_delta), (line_program, limits_of_line)], ids=["delta", "line"]
)


@BOTH
@pytest.mark.parametrize("utility", [hit, absolute, squared])
@pytest.mark.parametrize("floor", [F(2, 5), F(1, 2), F(3, 5)])
def test_the_optimum_is_that_of_all_pairs_and_all_sets(program, limits, utility, floor):
    solution = program(utility(3), prior=PRIOR, hit_floor=floor).solve()
    assert solution.value == solution.bound
    assert min(solution.channel.matrix.diagonal()) >= floor
    assert float(solution.value) == pytest.approx(best(limits, utility(3), PRIOR, float(floor)), abs=1e-9)
    proof = check_program(checker.parse(program_certificate(solution)))
    assert proof.lower == proof.upper == solution.value
    assert f"of {floor} or more" in str(proof)


@BOTH
def test_floors_and_worst_priors_go_together(program, limits):
    priors, floor = priors_within(PRIOR, F(1, 10)), F(1, 2)
    asked = program(absolute(3), priors=priors, hit_floor=floor)
    solution = asked.solve()
    assert solution.value == solution.bound == priors.least(absolute(3), solution.channel.matrix)
    assert min(solution.channel.matrix.diagonal()) >= floor
    proved = best(limits, absolute(3), prior_of_proof(solution, priors), float(floor))
    assert float(solution.value) == pytest.approx(proved, abs=1e-9)
    near = asked.solve("float")
    assert near.value <= solution.value <= near.bound < near.value + F(1, 10**9)
    for found in (solution, near):
        check_program(checker.parse(program_certificate(found)))


def test_the_largest_floors():
    # delta + (1 - delta) t / (t + K - 1); on a line randomised response is not the best: at the ends 3/4 is possible
    assert largest_of(delta_program(hit(3))) == F(1, 10) + F(9, 10) * F(3, 5)
    most = largest_of(metric_channel(hit(4), THREE, "line"))
    assert most > F(1, 2)  # 3 / (3 + 3)
    assert best(limits_of_line, hit(4), [F(1, 4)] * 4, float(most) - 1e-9) is not None
    assert best(limits_of_line, hit(4), [F(1, 4)] * 4, float(most) + 1e-6) is None
    for program in (delta_program, line_program):
        at = largest_of(program(hit(3)))
        assert program(hit(3), hit_floor=at).solve().value == at  # the uniform prior's hit rate
        for floor in (at + F(1, 10**9), -1, 2, "most", float("nan")):
            with pytest.raises(ProgramError, match="hit_floor"):
                program(hit(3), hit_floor=floor)
        most = largest_of(program(hit(4)))
        floor = most * (1 - F(1, 10**5))
        assert floor > F(1, 2)  # what randomised response has
        asked = program(absolute(4), prior=[F(4, 10), F(3, 10), F(2, 10), F(1, 10)], hit_floor=floor)
        near, exact = asked.solve("float"), asked.solve()
        assert min(near.channel.matrix.diagonal()) >= floor
        assert near.value <= exact.value <= near.bound < near.value + F(1, 10**6)
        with pytest.raises(ProgramError, match="where it is solved in floats"):
            program(absolute(3), prior=PRIOR, hit_floor=at).solve("float")
    with pytest.raises(ProgramError, match="not labels"):
        approximate_channel([[1, 0, 0], [0, 1, 0]], THREE, F(1, 10), hit_floor=F(1, 4))


def forged(text, change):
    data = json.loads(text)
    change(data)
    return checker.parse(json.dumps({**data, "seal": checker.seal_of(data)}))


@BOTH
def test_other_floors_are_not_what_is_proved(program, limits):
    text = program_certificate(program(absolute(3), prior=PRIOR, hit_floor=F(1, 2)).solve())
    for change, said in (
        (lambda d: d["data"].update(floor="51/100"), "violates the hits"),
        (lambda d: d["data"].update(floor="2/5"), "do not prove"),  # the prices would have to be for another floor
        (lambda d: d["data"].update(floor="-1"), "floor"),
        (lambda d: d["data"].update(floor="2"), "floor"),
        (lambda d: d["data"].update(floor=["1/2"]), "number"),
        (lambda d: d["data"].pop("floor"), "in place of"),
        (lambda d: d["duals"].__setitem__(slice(-3, None), ["-1"] * 3), "negative"),
        (lambda d: d["duals"].__setitem__(slice(-3, None), ["0"] * 3), "dual constraint|do not prove"),
    ):
        with pytest.raises(checker.RejectedError, match=said):
            check_program(forged(text, change))


def test_designs_keep_every_label():
    counts = {"mild": 60, "worse": 30, "worst": 10}
    priors = priors_within(PRIOR, F(1, 10))
    for design, other in ((design_with_delta, F(1, 10)), (design_for_metric, "line")):
        found = design(counts, THREE, other, "absolute", hit_floor="halfway")
        assert found.floor == F(int(F(7, 15) * 2**60), 2**60)  # between 1/3 and 3/5
        assert [row.mechanism for row in found.comparisons[:2]] == ["optimal", "optimal_without_floor"]
        assert found.comparisons[0].expected_utility < found.comparisons[1].expected_utility
        both = design(counts, THREE, other, "absolute", priors, F(1, 2))
        names = ["optimal", "optimal_for_the_prior", "optimal_without_floor"]
        assert [row.mechanism for row in both.comparisons[:3]] == names
        assert both.comparisons[0].parameters == "within 1/10, hits >= 0.5"


@pytest.mark.parametrize("option", ["--delta 0.1", "--metric line"])
def test_the_command_keeps_every_label(tmp_path, option):
    counts = tmp_path / "counts.csv"
    counts.write_text("label,count\nmild,60\nworse,30\nworst,10\n")
    asked = f"design {counts} --order mild,worse,worst --ratio 3 --utility absolute {option}"
    done = lpmech(*f"{asked} --hit-floor 0.5 --counts-are public --output {tmp_path / 'made'}".split())
    assert "releases every label as itself with probability 0.5 or more" in done.stdout
    assert "of 1/2 or more" in lpmech("certify", str(tmp_path / "made")).stdout
    refused = lpmech(*f"{asked} --hit-floor 0.9".split())
    assert refused.returncode == 2
    assert "hit_floor: got 0.9; allowed: 'halfway' or a number from 0 to 0.6" in refused.stderr
