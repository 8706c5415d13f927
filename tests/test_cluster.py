"""A sweep with a scheduler and two workers, processes of their own, one of which is killed on the way."""

import json
import subprocess
import sys
import time
from fractions import Fraction
from threading import Thread

import distributed
import numpy as np
import pytest

from lpmech import PrivacyLevel
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.metric import metric_channel
from lpmech.programs.sublinear import information
from lpmech.sweeps import ProgramPoint, grid, sweep
from lpmech.utilities import absolute

#: Seconds that scheduler and workers may take to begin on a busy machine.
PATIENCE = 120


def a_sweep():
    """Forty points of ten chains, so that both workers are busy when one is killed."""
    priors = {str(k): np.arange(k, k + 40) / np.arange(k, k + 40).sum() for k in range(10)}
    return grid({"absolute": absolute(40)}, [0.5, 1, 1.5, 2], priors)


def other_programs():
    """Forty certificates of several kinds of program."""
    level = PrivacyLevel.from_ratio(3)
    made = {f"delta {k}": approximate_channel(absolute(6), level, Fraction(k, 100)) for k in range(1, 15)}
    made |= {f"metric {k}": metric_channel(absolute(9), PrivacyLevel.from_ratio(k), "line") for k in range(2, 15)}
    made |= {f"prior {k}": information([Fraction(k, k + 10), *[Fraction(1, k + 10)] * 10], level) for k in range(13)}
    return [ProgramPoint(name, program) for name, program in made.items()]


@pytest.fixture
def cluster(tmp_path):
    """A client, and the processes of the workers."""
    where = tmp_path / "scheduler.json"
    begun = []

    def begin(kind, *options):
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, "--scheduler-file", str(where), *options]
        begun.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return begun[-1]

    try:
        begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        until = time.monotonic() + PATIENCE
        while not (where.exists() and where.read_text() and json.loads(where.read_text())):
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.1)
        workers = [begin("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in range(2)]
        with distributed.Client(scheduler_file=str(where), timeout=PATIENCE) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
            yield client, workers
    finally:
        for process in begun:
            process.kill()
            process.wait()


@pytest.mark.parametrize("points", [a_sweep, other_programs])
def test_a_worker_that_is_killed_costs_time_only(cluster, tmp_path, points):
    client, workers = cluster
    folder = tmp_path / "results"
    folder.mkdir()
    finished = []

    def kill_at_the_first_result():
        until = time.monotonic() + PATIENCE
        while not any(folder.glob("*.[nj]*")) and time.monotonic() < until:
            time.sleep(0.005)
        workers[0].kill()
        finished.extend(folder.glob("*.[nj]*"))

    killer = Thread(target=kill_at_the_first_result)
    killer.start()
    on_the_cluster = sweep(points(), folder, jobs=2, backend="dask")
    killer.join()
    assert 0 < len(finished) < len(points())
    assert workers[0].wait(PATIENCE) == -9
    assert len(client.scheduler_info()["workers"]) == 1
    here = sweep(points(), tmp_path / "here")
    assert [(r.name, r.value, r.bound) for r in on_the_cluster] == [(r.name, r.value, r.bound) for r in here]
