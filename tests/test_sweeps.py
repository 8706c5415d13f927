"""Sweeps: parallel, resumable, on a Dask cluster."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction

import distributed
import numpy as np
import pytest
from commands import lpmech

from lpmech import PrivacyLevel, sweeps
from lpmech.certify import checker
from lpmech.errors import DataFileError, InvalidInputError, LpmechError
from lpmech.privacy import as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.metric import metric_channel
from lpmech.programs.solvers.unbiased import solve_unbiased
from lpmech.programs.sublinear import divergence, information
from lpmech.programs.unbiased import UnbiasedProgram, even_grid
from lpmech.programs.uncertain_priors import priors_within
from lpmech.sweeps import Point, ProgramPoint, grid, sweep
from lpmech.utilities import absolute, hit


def points(size: int = 4) -> list[Point]:
    distance = -np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    utilities = {"hit": np.eye(size), "distance": distance}
    priors = {"uniform": None, "falling": np.arange(size, 0, -1) / (size * (size + 1) / 2)}
    return grid(utilities, [0.5, 1.0, 2.0], priors)


def test_results_are_those_of_single_solves_in_the_order_of_the_points(tmp_path):
    results = sweep(points(), tmp_path)
    assert [r.name for r in results] == [p.name for p in points()]
    assert len(results) == 12
    for point, result in zip(points(), results, strict=True):
        single = optimal_channel(point.utility, point.epsilon, point.prior).solve()
        assert result.value == pytest.approx(float(single.value), abs=1e-9)
        assert result.value <= result.bound
        assert result.channel.satisfies(point.epsilon, 1e-9)


def test_nothing_is_recomputed_and_damage_is_repaired(tmp_path):
    first = sweep(points(), tmp_path)
    stamps = {f: f.stat().st_mtime_ns for f in tmp_path.iterdir()}
    assert len(stamps) == 12
    damaged, lost, *kept = sorted(stamps)
    damaged.write_bytes(damaged.read_bytes()[:100])  # as a full disk leaves it
    lost.unlink()
    again = sweep(points(), tmp_path)
    assert [r.value for r in again] == [r.value for r in first]
    assert all(f.stat().st_mtime_ns == stamps[f] for f in kept)
    assert damaged.stat().st_mtime_ns != stamps[damaged]


KILLED = """
import numpy as np, sys, time
from lpmech import sweeps
real = sweeps._write
def slowly(file, solution):
    real(file, solution)
    print(round(10 * solution.program.level.epsilon) - 1, flush=True)
    time.sleep(0.2)
sweeps._write = slowly
sweeps.sweep([sweeps.Point(str(i), np.eye(3), 0.1 * (i + 1)) for i in range(200)], sys.argv[1])
"""


def test_a_killed_sweep_resumes_where_it_was(tmp_path):
    # SIGKILL leaves no time to tidy up: whatever was reported finished must be on disk, complete, and is not redone
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    reported = [process.stdout.readline().strip() for _ in range(3)]
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    assert reported == ["0", "1", "2"]
    stamps = {f: f.stat().st_mtime_ns for f in tmp_path.glob("*.npz")}
    assert 3 <= len(stamps) < 200
    results = sweep([Point(str(i), np.eye(3), 0.1 * (i + 1)) for i in range(6)], tmp_path)
    # hit rate of randomized response on three labels: t / (t + 2)
    t = np.exp([0.1 * (i + 1) for i in range(6)])
    assert [r.value for r in results] == pytest.approx(t / (t + 2), abs=1e-8)
    assert all(f.stat().st_mtime_ns == stamps[f] for f in stamps)


def test_a_chain_of_large_programs_is_warm_started_and_as_good(tmp_path):
    # 24 x 24 is above the size of the structured solver; the rigorous interval must hold the cold optimum
    weights = np.random.default_rng(2).normal(size=(24, 24))
    chain = [Point("", weights, epsilon) for epsilon in (0.9, 1.0, 1.1, 3.0)]
    for point, result in zip(chain, sweep(chain, tmp_path), strict=True):
        cold = optimal_channel(weights, point.epsilon).solve("interior-point")
        assert result.bound - result.value <= 1e-8 * abs(result.value)
        assert max(result.value, cold.value) <= min(result.bound, cold.bound)


@pytest.mark.parametrize(
    "change", ["raised value", "other program", "not private", "pickle", "nan", "shape", "time", "endless"]
)
def test_a_result_on_disk_is_believed_only_if_it_proves_itself(tmp_path, change):
    point = Point("", np.eye(3), 1.0)
    first = sweep([point], tmp_path)[0]
    (file,) = tmp_path.iterdir()
    with np.load(file) as data:
        held = dict(data)
    assert set(held) == {"matrix", "row_duals", "seconds"}  # no value that could be believed
    if change == "raised value":
        held["row_duals"] = held["row_duals"] - 0.1  # the shift back to feasibility is part of the bound
        held["matrix"] = np.eye(3)[[0, 0, 0]]
    elif change == "other program":
        worse = optimal_channel(np.eye(3)[::-1], 1.0).solve()
        held["matrix"], held["row_duals"] = worse.channel.matrix, worse.row_duals
    elif change == "not private":
        held["matrix"] = np.eye(3)
    elif change == "pickle":
        held["matrix"] = np.array([object()] * 9).reshape(3, 3)
    elif change == "nan":
        held["row_duals"] = np.full(3, np.nan)
    elif change == "shape":
        held["row_duals"] = held["row_duals"][:2]
    else:
        held["seconds"] = np.array(-1.0 if change == "time" else np.inf)
    np.savez(file, **held)
    again = sweep([point], tmp_path)[0]
    assert (again.value, again.bound) == (first.value, first.bound)
    assert again.channel == first.channel
    assert 0 <= again.seconds < 600  # that of a new solution, where the file's was no time


def test_seconds_are_those_of_the_solver(tmp_path):
    started = time.perf_counter()
    result = sweep([Point("", np.random.default_rng(0).normal(size=(30, 30)), 1.0)], tmp_path)[0]
    assert 1e-5 < result.seconds <= time.perf_counter() - started
    assert (
        sweep([Point("", np.random.default_rng(0).normal(size=(30, 30)), 1.0)], tmp_path)[0].seconds == result.seconds
    )


def test_a_full_disk_leaves_nothing_and_is_a_typed_error(tmp_path):
    code = """if True:
        import resource, sys, numpy as np
        from lpmech.errors import DataFileError
        from lpmech.sweeps import Point, sweep
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))  # as a disk with 600 bytes left
        try:
            sweep([Point("", np.eye(3), 1.0)], sys.argv[1])
        except DataFileError as exc:
            print(exc)
    """
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "File too large" in run.stdout
    assert list(tmp_path.iterdir()) == []


def test_two_sweeps_of_one_directory_at_a_time(tmp_path):
    code = """if True:
        import sys, numpy as np
        from lpmech.sweeps import Point, sweep
        print(*(r.value for r in sweep([Point("", np.eye(3), 0.1 * (i + 1)) for i in range(12)], sys.argv[1])))
    """
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {process.communicate(timeout=120)[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(answers) == 1
    assert len(list(tmp_path.iterdir())) == 12


def test_processes_and_progress(tmp_path, capsys):
    results = sweep(points(), tmp_path, jobs=2, progress=True)
    assert len(results) == 12


def test_a_dask_cluster_solves_the_points(tmp_path):
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        results = sweep(points()[:4], tmp_path, jobs=2, backend="dask")
    assert [r.value for r in results] == [r.value for r in sweep(points()[:4], tmp_path / "here")]


def test_finished_points_survive_one_that_fails(tmp_path):
    good, bad = Point("good", np.eye(3), 1.0), Point("bad", np.full((3, 3), np.nan), 1.0)
    with pytest.raises(LpmechError, match="finite"):
        sweep([good, bad], tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == 1


def test_the_key_is_the_content(tmp_path):
    point = Point("a", np.eye(3), 1.0)
    assert point.key == Point("another name", np.eye(3), 1.0).key
    others = [
        Point("a", np.eye(3), 1.0 + 1e-15),
        Point("a", 2 * np.eye(3), 1.0),
        Point("a", np.eye(3), 1.0, [0.5, 0.25, 0.25]),
        Point("a", np.eye(3), 1.0, solver="clarabel"),
        Point("a", np.eye(3), PrivacyLevel.from_ratio(3)),
    ]
    assert len({point.key, *(p.key for p in others)}) == 6


def test_bad_arguments_are_typed_errors(tmp_path):
    with pytest.raises(InvalidInputError, match="jobs"):
        sweep(points(), tmp_path, jobs=0)
    for backend in ("spark", "dask"):  # the second without a client
        with pytest.raises(InvalidInputError, match="backend"):
            sweep(points(), tmp_path, backend=backend)
    for points_given, told in (([1], "1"), (None, "None"), (points()[0], "Point"), ("ab", "'a'")):
        with pytest.raises(InvalidInputError, match=f"points: got {told}.*; allowed: a sequence of Point"):
            sweep(points_given, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFileError, match="directory"):
        sweep(points(), tmp_path / "file")


# ---- other programs


F = Fraction


def programs() -> list[ProgramPoint]:
    """One of each kind, at two levels; the second in floats."""
    near = priors_within([F(6, 10), F(3, 10), F(1, 10)], F(1, 20))
    made = []
    for level in (PrivacyLevel.from_ratio(2), as_privacy_level(1.0)):
        made += [
            ("delta", approximate_channel(absolute(3), level, F(1, 10))),
            ("metric", metric_channel(absolute(4), level, "ring")),
            ("unbiased", UnbiasedProgram.of([0, 1, 2], [F(1, 3)] * 3, even_grid([0, 1, 2], level, 9), level)),
            ("delta, uncertain", approximate_channel(hit(3), level, F(1, 10), priors=near)),
            ("uncertain", optimal_channel(hit(3), level, priors=near)),
            ("information", information([F(1, 2), F(1, 3), F(1, 6)], level)),
            ("divergence", divergence([F(1, 2), F(1, 2)], [F(1, 3), F(2, 3)], level, "chi-squared")),
        ]
    return [ProgramPoint(f"{kind} at {i // 7}", program) for i, (kind, program) in enumerate(made)]


def optimum_of(program):
    if isinstance(program, UnbiasedProgram):
        return solve_unbiased(program).linear()
    return program.solve()


def test_every_kind_of_program_is_swept_and_its_file_is_its_certificate(tmp_path):
    points = [*programs(), Point("usual", np.eye(3), 1.0)]
    results = sweep(points, tmp_path, jobs=2)
    assert [r.name for r in results] == [p.name for p in points]
    assert len(list(tmp_path.glob("*.json"))) == 14
    for point, result in zip(programs(), results[:-1], strict=True):
        found = optimum_of(point.program)
        assert result.value <= float(found.bound) + 1e-9
        assert result.value == pytest.approx(float(found.value), abs=1e-9)
        assert result.value <= result.bound <= result.value + 1e-6
        assert lpmech("certify", tmp_path / point.file).returncode == 0
    assert {round(r.epsilon, 6) for r in results} == {round(np.log(2), 6), 1.0}
    assert len(results.to_frame()) == 15


def test_finished_certificates_are_not_made_again_and_others_are(tmp_path):
    first = sweep(programs(), tmp_path)
    stamps = {p.file: (tmp_path / p.file).stat().st_mtime_ns for p in programs()}
    cut, lost, edited, other, *kept = [p.file for p in programs()]
    (tmp_path / cut).write_text((tmp_path / cut).read_text()[:200])
    (tmp_path / lost).unlink()
    data = json.loads((tmp_path / edited).read_text())
    (tmp_path / edited).write_text(json.dumps({**data, "upper": "100"}))  # the seal does not match
    swapped = programs()[3 + 6].file  # a certificate that proves something: another level
    (tmp_path / other).write_bytes((tmp_path / swapped).read_bytes())
    again = sweep(programs(), tmp_path)
    assert [(r.value, r.bound) for r in again] == [(r.value, r.bound) for r in first]
    assert all((tmp_path / name).stat().st_mtime_ns == stamps[name] for name in kept)
    assert all((tmp_path / name).stat().st_mtime_ns != stamps[name] for name in (cut, lost, edited, other))


def test_a_resealed_certificate_that_proves_less_is_not_believed(tmp_path):
    (point,) = [p for p in programs() if p.name == "delta at 0"]
    (first,) = sweep([point], tmp_path)
    data = json.loads((tmp_path / point.file).read_text())
    data["lower"] = "0"
    data["seal"] = checker.seal_of(data)
    (tmp_path / point.file).write_text(json.dumps(data))
    assert point.proved(tmp_path / point.file) is None
    assert sweep([point], tmp_path)[0] == first


def test_ends_that_no_float_holds_are_rounded_outwards(tmp_path):
    """True, and of no use: a lower end may be as low as its maker likes."""
    (point,) = [p for p in programs() if p.name == "information at 0"]
    sweep([point], tmp_path)
    data = json.loads((tmp_path / point.file).read_text())
    for ends, expected in (
        (("-" + "9" * 400, "9" * 400), (-math.inf, math.inf)), (("-" + "9" * 400, data["upper"]), (-math.inf, None)),
    ):  # fmt: skip
        edited = {**data, "lower": ends[0], "upper": ends[1]}
        (tmp_path / point.file).write_text(json.dumps({**edited, "seal": checker.seal_of(edited)}))
        (found,) = sweep([point], tmp_path)
        assert found.value == expected[0]
        assert expected[1] in (None, found.bound)
    assert found.bound >= F(data["upper"])
    assert sweeps._outwards(F(10) ** 400, -1) == sys.float_info.max
    assert sweeps._outwards(-(F(10) ** 400), 1) == -sys.float_info.max


def test_programs_that_differ_have_files_of_their_own():
    assert len({p.file for p in programs()}) == 14
    assert programs()[0].file == programs()[0].file


def test_divergences_of_many_labels_are_points(tmp_path):
    asked = divergence([F(1, 17)] * 17, [F(i + 1, 153) for i in range(17)], 1.0, "chi-squared")
    (found,) = sweep([ProgramPoint("many", asked)], tmp_path)
    assert 0 < found.value <= found.bound < 1.001 * found.value
