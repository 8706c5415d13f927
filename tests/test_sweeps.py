"""Sweeps: parallel, resumable, on a Dask cluster."""

import os
import signal
import subprocess
import sys
import time

import distributed
import numpy as np
import pytest

from lpmech import PrivacyLevel
from lpmech.errors import DataFileError, InvalidInputError, LpmechError
from lpmech.programs import optimal_channel
from lpmech.sweeps import Point, grid, sweep


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
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFileError, match="directory"):
        sweep(points(), tmp_path / "file")
