"""Files, command lines and values from anywhere: a result or a typed error, in time, and no half-written output."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from fuzzing import (
    CORPUS,
    SPEECHLESS,
    TooSlowError,
    examples,
    matrices,
    numbers,
    proper,
    scalars,
    values,
    vectors,
    within,
)
from hypothesis import example, given
from hypothesis import strategies as st

from lpmech import Channel, PrivacyLevel, mechanisms, utilities
from lpmech.applications.places import read_places
from lpmech.certify import Certificate, certificate_of
from lpmech.cli import main
from lpmech.cli.counting import WHOSE
from lpmech.entries import as_array, rational_from_text
from lpmech.errors import LpmechError
from lpmech.labels.named_utilities import same_at_every_level
from lpmech.labels.reading import read_counts
from lpmech.priors import as_prior, prior_from_counts, uniform_prior
from lpmech.privacy import as_privacy_level
from lpmech.programs import Program, optimal_channel
from lpmech.sweeps import grid
from lpmech.tables import read_channel, read_utility

SECONDS = 5.0
EXAMPLES = Path(__file__).parent.parent / "examples"


def survived(call, *arguments, **options):
    """The result, or None for a typed error; anything else is a defect."""
    with within(SECONDS), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(*arguments, **options)
        except LpmechError as exc:
            assert str(exc)  # noqa: PT017 (a message that cannot be made would be a defect, too)
            return None


# -- files -------------------------------------------------------------------------------------------

READERS = {
    "tables": read_counts,
    "channels": read_channel,
    "places": read_places,
    "utilities": lambda path: read_utility(path, ["a", "b"]),
}
FILES = sorted(p for folder in READERS for p in (CORPUS / folder).iterdir())
PIECES = st.sampled_from(["", ",", '"', "\n", "\r", "\x00", "a", "1", "-", "1e309", "1e-400", "/", ".", "nan", "label,count\n", "\u2028", "\ufeff", "7" * 4400, "é", " ", "0"])  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_reader_on_every_file_of_the_corpus(path):
    for read in READERS.values():
        survived(read, path)


damages = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), PIECES), max_size=4)


def damage(path, changes):
    text = path.read_bytes().decode("latin1")
    for place, length, piece in changes:
        at = round(place * len(text))
        text = text[:at] + piece + text[at + length :]
    path.write_bytes(text.encode("latin1", errors="replace"))


@examples(0.25, 40)
@given(st.sampled_from(FILES), damages, st.data())
def test_readers_of_damaged_files(tmp_path_factory, path, changes, data):
    damaged = Path(shutil.copy(path, tmp_path_factory.getbasetemp() / "damaged.csv"))
    damage(damaged, changes)
    survived(data.draw(st.sampled_from(list(READERS.values()))), damaged)


# -- values ------------------------------------------------------------------------------------------

levels = st.one_of(
    st.floats(0.01, 5), st.sampled_from([1e-15, 1e-9, 300.0, 700.0]), st.fractions(1, 9, max_denominator=9), scalars
)
anything = values | levels
SMALL = st.integers(-2, 4) | scalars


def usable_level(level):
    return PrivacyLevel.from_ratio(level) if type(level) is Fraction and level > 1 else level


def solved(weights, level, prior, solver):
    program = optimal_channel(weights, level, prior)
    solution = program.solve(solver)
    certificate = certificate_of(solution)
    return certificate, solution.gap, str(certificate.proof())


def sampled(channel, labels):
    channel = Channel(channel)
    return repr(channel), channel.witness, channel.satisfies(1.0), channel.sample(labels, np.random.default_rng(0))


CALLS = {
    "as_array": (lambda a: as_array(a, "values", 1), values),
    "rational_from_text": (lambda text: isinstance(text, str) and rational_from_text(text), st.text(max_size=12) | st.sampled_from(["1e9999999", "9" * 9999, "1/" + "0" * 99])),
    "level": (as_privacy_level, anything),
    "from_epsilon": (PrivacyLevel.from_epsilon, anything),
    "from_ratio": (PrivacyLevel.from_ratio, anything | st.text(max_size=9)),
    "as_prior": (as_prior, anything, SMALL | st.none()),
    "uniform_prior": (uniform_prior, SMALL),
    "prior_from_counts": (prior_from_counts, anything),
    "Channel": (Channel, values, values | st.none()),
    "sample": (sampled, proper | matrices, values),
    "Program": (Program, matrices | values, levels, values | st.none(), values | st.none(), values | st.none()),
    "solve": (solved, proper | matrices, levels.map(usable_level), vectors | st.none(), st.sampled_from([None, "highs", "interior-point", "exact", "x", 3])),
    "expected_utility": (lambda m, u, p: Channel(m).expected_utility(u, p), proper, proper | values, vectors | st.none()),
    "Certificate": (Certificate, values),
    "grid": (lambda u, e, p: [point.key for point in grid({"u": u}, [e], {"p": p})], matrices, levels, vectors),
    "hit": (utilities.hit, anything),
    "absolute": (utilities.absolute, anything),
    "squared": (utilities.squared, anything),
    "euclidean": (utilities.euclidean, anything),
    "great_circle": (utilities.great_circle, anything, numbers),
    "tanimoto": (utilities.tanimoto, anything),
    "balanced_hit": (utilities.balanced_hit, anything),
    "weight_matrix": (utilities.weight_matrix, anything, scalars),
    "weight_matrix_from_decay": (utilities.weight_matrix_from_decay, anything, scalars),
    "concentration": (utilities.concentration, anything, scalars),
    "randomized_response": (mechanisms.randomized_response, SMALL, levels.map(usable_level)),
    "rr_with_prior": (mechanisms.rr_with_prior, vectors, levels.map(usable_level)),
    "rr_top_k": (mechanisms.rr_top_k, vectors, SMALL, levels.map(usable_level)),
    "rr_on_bins": (mechanisms.rr_on_bins, anything, levels.map(usable_level)),
    "best_contiguous_bins": (mechanisms.best_contiguous_bins, matrices, vectors, levels.map(usable_level)),
    "block_rr_from_partition": (mechanisms.block_rr_from_partition, vectors, vectors, levels.map(usable_level), SMALL),
    "bipartite_rr": (mechanisms.bipartite_rr, matrices | proper, levels.map(usable_level)),
    "bipartite_rr_star": (mechanisms.bipartite_rr_star, matrices | proper, levels.map(usable_level), vectors | st.none()),
    "exponential": (mechanisms.exponential, matrices | proper, levels.map(usable_level)),
    "staircase_rr": (mechanisms.staircase_rr, anything, levels),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_values(name):
    call, *strategies = CALLS[name]

    @examples(0.4 / len(CALLS), 5)
    @given(st.tuples(*strategies))
    def holds(arguments):
        survived(call, *arguments)

    holds()


@pytest.mark.parametrize("name", CALLS)
def test_values_that_cannot_be_shown(name):
    call, *strategies = CALLS[name]
    for position in range(len(strategies)):
        for value in SPEECHLESS:
            arguments = [np.eye(2) if i else [0.5, 0.5] for i in range(len(strategies))]
            arguments[position] = value
            survived(call, *arguments)


# -- command lines -----------------------------------------------------------------------------------

tables = st.sampled_from([f"tables/{p.name}" for p in (CORPUS / "tables").iterdir()] + [str(EXAMPLES / "wine.csv"), "absent.csv", ".", "", "/dev/null", "/dev/zero", "\ud800", "a\nb"])  # fmt: skip
texts = st.sampled_from(["1", "0", "-1", "0.5", "3", "7/2", "1e309", "1e9999999", "1e-300", "nan", "inf", "-inf", "x", "", "700", "701", "1/0", "1_0", "9" * 5000, "[/]", "\x1b[31m"])  # fmt: skip
utility_names = st.sampled_from([*same_at_every_level(), "nothing"] + [str(p) for p in (CORPUS / "utilities").iterdir()])  # fmt: skip
places = st.sampled_from(
    ["out", "out/deep/er", "in-the-way", "/dev/full", "/proc/nowhere", "", "out.png", "busy", "\x00"]
)
columns = st.sampled_from(["label", "count", "a", "", "1", "\x00", "\ud800"])
#: Hundreds of points take longer than the limit, behind a line that moves.
moderate = texts.filter(lambda text: text not in ("700", "701"))
OPTIONS = {
    "--epsilon": texts, "--ratio": texts, "--utility": utility_names, "--output": places, "--counts-are": st.sampled_from(["public", "public", "private", "x"]), "--spend": texts, "--json": st.just(None), "--clip": texts, "--step": texts,
    "--size": moderate, "--steps": texts, "--region": texts, "--depth": texts, "--place": texts, "--repeats": st.sampled_from(["0", "-1", "x", "nan"]),
    "--order": st.sampled_from(["a,b", "a,a", "", ",", "b,a,c", "1,2,3"]), "--bins": st.sampled_from(["2", "quantile:2", "0,1,2", "x", "1,0", "0"]), "--range": texts, "--missing": st.sampled_from(["label", "drop", "x"]), "--column": columns, "--by": columns, "--label": columns, "--header": st.sampled_from(["yes", "no", "x"]),
    "--channel": st.sampled_from(["mech", "mech", "mech", "mech/release.json", "absent", "busy", ""]), "--ledger": st.sampled_from(["ledger.json", "mech/channel.csv", "no/ledger.json", "busy", "/dev/full", "", "\x00"]), "--again": st.just(None), "--exact": st.just(None), "--new-rows": st.just(None), "--confidence": texts,
    "--labels": st.sampled_from(["a,b", "a", "", "a,a", "\ud800,b"]), "--trials": st.sampled_from(["1", "20", "0", "-1", "x", "1e9"]), "--timeout": st.sampled_from(["5", "0", "-1", "x", "nan"]),
    "--nothing": texts,
}  # fmt: skip
COMMANDS = {
    "design": (tables, ["--epsilon", "--epsilon", "--ratio", "--utility", "--output", "--counts-are", "--counts-are", "--spend", "--order", "--bins", "--range", "--missing", "--ledger", "--exact", "--json", "--nothing"]),
    "losses": (tables, ["--epsilon", "--epsilon", "--ratio", "--nothing"]),
    "regimes": (st.sampled_from([f"tables/{p.name}" for p in (CORPUS / "tables").iterdir()]), ["--output", "--nothing"]),
    "randomize": (tables, ["--channel", "--channel", "--output", "--output", "--column", "--header", "--again", "--new-rows", "--ledger", "--nothing"]),
    "estimate": (tables, ["--channel", "--channel", "--column", "--by", "--confidence", "--output", "--json", "--nothing"]),
    "audit": (st.sampled_from([*(str(p) for p in (CORPUS / "channels").iterdir()), "mech", "cat", "true", "yes", "no-such-program", "'", "", "/dev/null"]), ["--labels", "--labels", "--epsilon", "--ratio", "--trials", "--trials", "--confidence", "--timeout"]),
    "forecast": (tables, ["--label", "--epsilon", "--repeats", "--nothing"]),
    "certify": (st.sampled_from([str(p) for p in (CORPUS / "certificates").iterdir()] + ["mech", "busy"]) | tables, ["--nothing"]),
    "numbers": (st.just(None), ["--clip", "--step", "--epsilon"]),
    "concentration": (st.just(None), ["--size", "--steps", "--epsilon"]),
    "places": (st.sampled_from([str(p) for p in (CORPUS / "places").iterdir()]) | tables, ["--epsilon", "--region", "--depth", "--place", "--output"]),
    "nonsense": (texts, ["--nothing"]),
}  # fmt: skip


@st.composite
def command_lines(draw):
    name = draw(st.sampled_from(sorted(COMMANDS)))
    first, options = COMMANDS[name]
    line = [name, draw(first)]
    for option in draw(st.lists(st.sampled_from(options), max_size=4)):
        line += [option, draw(OPTIONS[option])]
    return [part for part in line if part is not None]


def run(line, directory, monkeypatch, prepare=lambda: None):
    """Exit code, stdout and stderr of a command line, in this process; the directory is made anew, then prepared."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    (directory / "in-the-way").write_text("a file")
    (directory / "busy").mkdir()
    shutil.copytree(CORPUS / "tables", directory / "tables")
    shutil.copytree(CORPUS / "mech", directory / "mech")
    (directory / "busy" / "channel.csv").mkdir()
    prepare()
    monkeypatch.chdir(directory)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), within(SECONDS):
        try:
            main(line)
        except SystemExit as exc:
            code = exc.code
        except TooSlowError as exc:
            exc.add_note(str(line))  # of which hypothesis says nothing
            raise
        finally:
            np.random.seed(None)
    return code, out.getvalue(), err.getvalue()


@examples(0.3, 20)
@given(line=command_lines())
@example(line=["regimes", "tables/huge_count.csv", "--output", "out"])  # breaks beyond the floats of e^epsilon
@example(line=["certify", "\ud800"])
@example(line=["forecast", "/dev/zero", "--label", "y", "--epsilon", "1"])  # has no end
def test_command_lines(line, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        directory = tmp_path_factory.getbasetemp() / "cwd"
        code, out, err = run(line, directory, patch)
        assert code in (0, 1, 2), (line, code)
        assert "Traceback" not in err
        if code == 2:
            assert err.count("\n") == 1 or err == WHOSE, (line, err)
            assert out == "", (line, out)
            assert (directory / "in-the-way").read_text() == "a file"
            assert not list(directory.rglob("*.part"))
        made = [p for p in directory.rglob("*") if p.is_file() and p.parent.name != "tables"]
        assert all(p.stat().st_size for p in made), line


@examples(0.05, 5)
@given(st.sampled_from(["release.json", "channel.csv", "certificate.json"]), damages)
def test_damaged_designs(tmp_path_factory, name, changes):
    """What is released from a damaged directory is private as stated, or nothing is."""
    directory = tmp_path_factory.getbasetemp() / "cwd"

    def prepare():
        (directory / "labels.csv").write_text("label\na\nb\na\n")
        damage(directory / "mech" / name, changes)

    with pytest.MonkeyPatch.context() as patch:
        for line in (["certify", "mech"], ["randomize", "labels.csv", "--channel", "mech", "--output", "out"]):
            code, out, err = run(line, directory, patch, prepare)
            assert (code, bool(out), err.count("\n")) in ((0, True, 0), (2, False, 1)), (line, code, out, err)
            assert (directory / "out").exists() == (code == 0 and line[0] == "randomize")


# -- the real program --------------------------------------------------------------------------------

LINES = [
    ["design", "absent\udcff.csv", "--epsilon", "1"],
    ["design", str(CORPUS / "tables" / "markup.csv"), "--epsilon", "1", "--output", "out", "--counts-are", "public"],
    ["losses", str(CORPUS / "tables" / "negative_labels.csv"), "--epsilon", "1"],
    ["losses", str(CORPUS / "tables" / "markup.csv"), "--epsilon", "1"],
    ["design", str(CORPUS / "utilities" / "huge.csv"), "--ratio", "1e9999999"],
    ["certify", str(CORPUS / "certificates" / "bad_nesting.json")],
    ["certify", str(CORPUS / "certificates" / "good_float.json")],
    ["certify", "/dev/zero"],
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line)[:30].encode("ascii", "replace").decode())
def test_the_real_program(line, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}  # no terminal of this encoding shows the labels
    command = [sys.executable, "-m", "lpmech", *map(os.fsencode, line)]
    answer = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, timeout=120, check=False)
    assert answer.returncode in (0, 2)
    assert b"Traceback" not in answer.stderr
    assert answer.stderr.count(b"\n") == (1 if answer.returncode else 0), answer.stderr
