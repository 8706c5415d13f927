"""The command line of lpmech: `commands` lists them, with a function each; `lpmech.report` has what they print."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from cyclopts import CycloptsError

from lpmech.cli.commands import MOVED, app
from lpmech.cli.common import BAD_INPUT, INTERRUPTED, OK
from lpmech.errors import LpmechError, shown, visible
from lpmech.files.access import reason

__all__ = ["main"]

#: How many results sympy, which is imported later, keeps of each of its functions: a thousand are too few for a paper.
_REMEMBERED = "100000"
#: How much of the self-test `lpmech verify` can be asked for.
_EXTENTS = ("sampled", "full")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: bad input is one line on stderr and exit code 2, never a traceback."""
    os.environ.setdefault("SYMPY_CACHE_SIZE", _REMEMBERED)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a label that the terminal's encoding lacks
    given, moved = _with_new_name(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(_with_extent(given), exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except (LpmechError, CycloptsError) as exc:
        _fail(f"{exc} ({moved})" if moved else str(exc), BAD_INPUT)
    except BrokenPipeError:
        _forget_stdout()
        sys.exit(OK)
    except OSError as exc:
        if exc.filename is not None:
            _fail(f"file: got {shown(exc.filename)}; allowed: one that can be used ({reason(exc)})", BAD_INPUT)
        _forget_stdout()
        _fail(f"output: {reason(exc)}", BAD_INPUT)
    except MemoryError:
        _fail("memory: this input needs more than there is", BAD_INPUT)
    except (KeyboardInterrupt, RuntimeError) as exc:
        if not _began_as_interrupt(exc):
            raise
        _fail("interrupted", INTERRUPTED)
    if moved:
        print(f"lpmech: {moved}", file=sys.stderr)
    sys.exit(code or OK)


def _with_new_name(arguments: list[str]) -> tuple[list[str], str]:
    """The arguments with the command's name of today, and what to say about an earlier one; empty if it is none."""
    if arguments and arguments[0] in MOVED:
        return ["reproduce", *arguments], f"lpmech {arguments[0]} is now lpmech reproduce {arguments[0]}"
    return arguments, ""


def _with_extent(arguments: list[str]) -> list[str]:
    """The arguments with ``--self-test sampled`` for a ``--self-test`` that does not say how much."""
    followers = [*arguments, ""][1:]
    return [
        word
        for argument, follower in zip(arguments, followers, strict=True)
        for word in ([argument, "sampled"] if argument == "--self-test" and follower not in _EXTENTS else [argument])
    ]


def _began_as_interrupt(error: BaseException | None) -> bool:
    """Whether it is a Ctrl-C, or arose in handling one: joblib fails so where its workers have not started yet."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _forget_stdout() -> None:
    """What could not be written shall not be tried again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> NoReturn:
    print("lpmech: " + visible(" ".join(message.split())), file=sys.stderr)
    sys.exit(code)
