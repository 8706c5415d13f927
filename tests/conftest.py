"""Hypothesis: no wall-clock deadlines anywhere; the same examples every time under CI. Commands print 160 columns."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# the readline library, which pytest loads, leaves a COLUMNS of its own to child processes
os.environ["COLUMNS"] = "160"
