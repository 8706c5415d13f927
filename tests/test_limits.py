"""Limits on time: they interrupt, inside of one another too, and leave nothing behind."""

import signal
import subprocess
import sys
import time

import pytest
import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.limits import seconds_left, time_limit, uninterrupted
from lpmech.prove import Undecided, prove
from lpmech.prove import engine as prover


def _busy(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_what_takes_too_long_raises_the_error_that_is_given():
    with pytest.raises(UndecidedError, match="mine"), time_limit(0.05, UndecidedError("mine")):
        _busy(20)


@pytest.mark.parametrize(("outer", "inner", "told"), [(0.05, 10, "outer"), (10, 0.05, "inner")])
def test_the_earlier_of_two_limits_interrupts(outer, inner, told):
    limits = time_limit(outer, UndecidedError("outer")), time_limit(inner, UndecidedError("inner"))
    with pytest.raises(UndecidedError, match=told), limits[0], limits[1]:
        _busy(20)


def test_the_outer_limit_goes_on_when_the_inner_one_has_ended():
    def one_after_the_other():
        with time_limit(10, UndecidedError("inner")):
            pass
        _busy(20)

    with pytest.raises(UndecidedError, match="outer"), time_limit(0.1, UndecidedError("outer")):
        one_after_the_other()


def test_no_exception_of_the_block_hides_it():
    def stubborn():
        while True:
            try:
                _busy(20)
            except Exception:
                continue

    with pytest.raises(UndecidedError, match="mine"), time_limit(0.05, UndecidedError("mine")):
        stubborn()


def test_nothing_is_left_behind():
    before = signal.getsignal(signal.SIGPROF)
    with time_limit(10, UndecidedError("mine")):
        pass
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_the_clock_on_the_wall_counts_what_waits():
    with pytest.raises(UndecidedError, match="mine"), time_limit(0.05, UndecidedError("mine"), of_the_wall=True):
        time.sleep(20)


def test_a_proof_that_does_not_end_is_undecided(monkeypatch):
    def endless(*_):
        _busy(60)

    monkeypatch.setattr(prover, "_answered", endless)
    answer = prove(sp.Symbol("x") > 0, timeout_seconds=0.01)
    assert isinstance(answer, Undecided)
    assert "2.06 seconds" in answer.reason


def test_no_limit_interrupts_what_must_not_be_interrupted():
    """A section runs to its end, and the limit passes after it."""
    ended = []

    def first_the_section():
        with uninterrupted():
            _busy(0.2)
            ended.append(True)
        _busy(20)

    with pytest.raises(UndecidedError, match="mine"), time_limit(0.05, UndecidedError("mine")):
        first_the_section()
    assert ended


def test_a_limit_that_passes_while_z3_makes_a_solver_does_not_free_it_twice():
    """z3 counts references in Python; interrupted before it had counted, it ended the process by a segmentation fault."""
    code = """
import sympy as sp
import z3.z3

from lpmech.errors import UndecidedError
from lpmech.limits import seconds_left, time_limit, uninterrupted
from lpmech.prove.smt import implied

counted = z3.z3.Z3_solver_inc_ref
x = sp.Symbol("x", real=True)
implied([x > 0], x > -1, [], 1)
for k in range(20):
    z3.z3.Z3_solver_inc_ref = lambda *of: (pow(7, 400_000), counted(*of))  # the limit passes in here
    try:
        with time_limit(0.02, UndecidedError("late")):
            implied([x > k], x**2 > k**2, [], 1)
    except UndecidedError:
        pass
    z3.z3.Z3_solver_inc_ref = counted
    implied([x > k], x**2 > k**2, [], 1)
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


def test_a_library_is_told_what_is_left():
    assert seconds_left(3) == 3
    with time_limit(10, UndecidedError("outer")), time_limit(2, UndecidedError("inner")):
        assert 1 < seconds_left(3) <= 2
    with time_limit(0.5, UndecidedError("wall"), of_the_wall=True):
        assert seconds_left(3) <= 0.5
