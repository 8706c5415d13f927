"""Commands of lpmech, run in this process: the start of a new one loads the libraries anew and tests nothing more.

What a process of its own adds (start-up, signals, pipes) is tested in test_startup, test_cli, test_files, test_release.
"""

import contextlib
import io
import math
import os
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from lpmech.cli import main

ROOT = Path(__file__).parent.parent


def lpmech(*arguments, cwd=ROOT):
    """Exit code, standard output and errors of a command line."""
    out, err = io.StringIO(), io.StringIO()
    given = [str(argument) for argument in arguments]
    with contextlib.ExitStack() as around:
        for context in (
            contextlib.chdir(cwd),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            patch("sys.argv", ["lpmech", *given]),
            patch("lpmech.cli.common.PROGRESS_SECONDS", math.inf),  # a busy machine says nothing more
        ):
            around.enter_context(context)
        try:
            main(given)
        except SystemExit as exc:
            return CompletedProcess(given, exc.code, out.getvalue(), err.getvalue())
    raise AssertionError("a command ends with an exit code")


@contextlib.contextmanager
def columns(number):
    """So many columns for the tables that are printed."""
    before = os.environ.get("COLUMNS", "160")
    os.environ["COLUMNS"] = str(number)
    try:
        yield
    finally:
        os.environ["COLUMNS"] = before
