"""The command line as a user runs it."""

import csv
import io
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from commands import ROOT, columns, lpmech
from cyclopts import CoercionError, Token
from joblib import parallel_config
from rich.console import Console

from lpmech import PrivacyLevel
from lpmech.cli import main
from lpmech.cli.commands import COMMANDS, MOVED, app
from lpmech.labels.named_utilities import same_at_every_level
from lpmech.papers import load_paper
from lpmech.report.designs import regime_table

NAMES = [command.name for command in COMMANDS]
EXAMPLES = sorted((ROOT / "examples").glob("*.csv"))


def test_help_and_version():
    shown = lpmech("--help").stdout
    assert re.findall(r"─ (.*?) ─", shown) == ["For labels", "For papers and formulas", "Experiments", "Options"]
    assert all(re.search(rf"^│ {name.split()[0]} +[A-Z]", shown, re.MULTILINE) for name in NAMES)
    assert lpmech("--version").stdout.strip()[0].isdigit()
    assert (lpmech().returncode, lpmech().stdout) == (0, shown)  # the first thing that somebody types


@pytest.mark.parametrize("name", NAMES)
def test_every_help_ends_with_its_example(name):
    shown = lpmech(*name.split(), "--help").stdout
    assert f"Example: lpmech {name} " in shown.rsplit("╯", 1)[1]


#: What makes an example cheap here that takes its time.
FEWER_DIGITS = ("lpmech.applications.learning.comparison._LARGEST", 20)


#: What commands say on stderr to who holds the labels.
OF_THE_LEDGER = ("lpmech: spent on these labels", "lpmech: used again", "lpmech: kept as they are")


@pytest.mark.thorough
def test_every_example_works(tmp_path, monkeypatch):
    # one after the other in one directory: certify reads what design has written
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setattr(*FEWER_DIGITS)
    for command in COMMANDS:
        with parallel_config(backend="threading"):
            run = lpmech(*command.name.split(), *shlex.split(command.example), cwd=tmp_path)
        said = [line for line in run.stderr.splitlines() if not line.startswith(OF_THE_LEDGER)]
        assert (run.returncode, said) == (0, []), command.name
        assert run.stdout.strip(), command.name


@pytest.mark.parametrize("name", MOVED)
def test_an_earlier_name_of_a_command_still_works_and_says_the_new_one(name):
    hint = f"lpmech {name} is now lpmech reproduce {name}"
    run = lpmech(name, "--help")
    assert run.returncode == 0
    assert run.stdout == lpmech("reproduce", name, "--help").stdout
    assert run.stderr == f"lpmech: {hint}\n"
    assert re.search(rf"^│ {name} ", lpmech("--help").stdout, re.MULTILINE) is None
    wrong = lpmech(name, "--nonsense", "1")
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
    assert hint in wrong.stderr


def test_verify_one_claim_writes_json_rows(tmp_path):
    path = tmp_path / "rows.json"
    run = lpmech("verify", "liu2026", "--only", "eq. (3.2)", "--self-test", "--jobs", 1, "--json", path)
    assert run.returncode == 0, run.stderr
    rows = json.loads(path.read_text())
    keys = {"paper", "id", "statement", "verdict", "method", "evidence", "counterexample", "repaired_by", "seconds",
            "mutants", "mutants_rejected"}  # fmt: skip
    assert rows
    for row in rows:
        assert keys <= set(row)
        assert row["mutants_rejected"] == row["mutants"]
        assert row["derived"]["killed"] > 0
        assert "lpmech.mechanisms.block_rr.closed_form.beta" in row["code"]
    assert "all as recorded" in run.stdout


def test_a_verdict_that_is_not_the_recorded_one_exits_1(monkeypatch):
    claims = load_paper("liu2026").claims
    id, claim = next((id, claim) for id, claim in claims.items() if claim.mutants)
    monkeypatch.setitem(claims, id, replace(claim, formula=next(iter(claim.mutants.values()))))
    run = lpmech("verify", "liu2026", "--only", id, "--jobs", "1")
    assert run.returncode == 1, run.stderr
    assert "NOT AS RECORDED" in run.stdout


A_ROW_FOR_EVERY_LABEL = {"severity": ["--column", "severity", "--order", "mild,moderate,severe,critical"]}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("utility", ["hit", "absolute"])
def test_design_on_every_example(example, utility, tmp_path):
    options = ["--utility", utility, "--counts-are", "public"]
    options += A_ROW_FOR_EVERY_LABEL.get(example.stem, [])
    run = lpmech("design", example, "--epsilon", 1, *options, "--output", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    files = {p.name for p in (tmp_path / "out").iterdir()}
    tables = {"channel.csv", "comparison.csv", "labels.csv"}
    assert files == {*tables, "certificate.json", "release.json", "channel.png", "comparison.png", "design.html"}
    rows = list(csv.DictReader((tmp_path / "out" / "comparison.csv").open()))
    assert list(rows[0])[:4] == ["mechanism", "expected_utility", "loss_percent", "epsilon"]
    assert {"optimal", "randomized_response", "rr_with_prior", "block_rr", "bipartite_rr", "exponential"} <= {
        row["mechanism"] for row in rows
    }
    best = {row["mechanism"]: float(row["expected_utility"]) for row in rows}
    assert all(value <= best["optimal"] + 1e-9 for value in best.values())
    assert all(float(row["epsilon"]) <= 1 + 1e-9 for row in rows)
    assert all(float(row["loss_percent"]) >= -1e-6 for row in rows)
    if utility == "hit":  # ghazi2021 Theorem 3
        assert best["rr_with_prior"] == pytest.approx(best["optimal"], abs=1e-9)
    for proof in (tmp_path / "out" / "certificate.json", tmp_path / "out"):
        checked = lpmech("certify", proof)
        assert checked.returncode == 0, checked.stderr
        assert "certified" in checked.stdout


def test_the_released_channel_is_private_to_the_last_bit(tmp_path):
    run = lpmech(
        "design", EXAMPLES[1], "--epsilon", 0.7, "--utility", "squared", "--counts-are", "public", "--output", tmp_path
    )
    assert run.returncode == 0, run.stderr
    lines = list(csv.reader((tmp_path / "channel.csv").open()))
    assert lines[0][1:] == [line[0] for line in lines[1:]]
    matrix = [[Fraction(v) for v in line[1:]] for line in lines[1:]]  # as printed
    assert all(sum(row) == 1 for row in matrix)
    below = PrivacyLevel.from_epsilon(0.7).ratio_below
    assert all(max(column) <= min(column) * below for column in zip(*matrix, strict=True))


def test_regimes_prints_exact_break_points_and_plots(tmp_path):
    counts = tmp_path / "c.csv"
    counts.write_text("label,count\na,3\nb,2\nc,1\n")
    run = lpmech("regimes", counts, "--output", tmp_path / "regimes.png")
    assert run.returncode == 0, run.stderr
    assert "5*t/(6*(t + 1))" in run.stdout
    assert "3 formulas" in run.stdout
    assert (tmp_path / "regimes.png").read_bytes()[:4] == b"\x89PNG"
    again = lpmech("regimes", counts, "--output", tmp_path / "regimes.png")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr
    assert lpmech("regimes", counts, "--output", tmp_path / "regimes.png", "--overwrite").returncode == 0


def test_regimes_of_all_priors_prints_regions_and_draws_them(tmp_path):
    pictures = ("--output", tmp_path / "map.png", "--losses", tmp_path / "losses.png")
    run = lpmech("regimes", "--all-priors", "--labels", 3, "--utility", "absolute", "--ratio", 3, *pictures)
    assert run.returncode == 0, run.stderr
    assert "7 regions, exact: duals prove the optimum at all 12 corners; the shares sum to 1" in run.stdout
    assert "rr_on_bins: 1, 2 as 2; 3 as 3" in run.stdout
    assert all((tmp_path / name).read_bytes()[:4] == b"\x89PNG" for name in ("map.png", "losses.png"))
    in_t = lpmech("regimes", "--all-priors", "--labels", 2)
    assert "(t - 1)/(t + 1)" in in_t.stdout


def test_design_prints_json(tmp_path):
    counts = tmp_path / "c.csv"
    counts.write_text("label,count\na,3\nb,1\n")
    answer = json.loads(lpmech("design", counts, "--ratio", 3, "--json").stdout)
    assert answer["comparison"][0]["mechanism"] == "optimal"
    # K = 2, prior (3/4, 1/4), t = 3: w_1 = 3/4, w_2 = 3/4; both mechanisms attain the optimum 3/4
    assert answer["comparison"][0]["expected_utility"] == pytest.approx(0.75)


def test_design_with_a_utility_file_and_labels_per_row(tmp_path):
    (tmp_path / "labels.csv").write_text("label\na\nb\nb\nc\n")
    (tmp_path / "u.csv").write_text(",a,b,c\na,1,0.5,0\nb,0.5,1,0.5\nc,0,0.5,1\n")
    run = lpmech("design", "labels.csv", "--epsilon", 2, "--utility", "u.csv", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "bipartite_rr_star" in run.stdout


BAD = [
    (["design", "absent.csv", "--epsilon", "1"], "absent.csv"),
    (["design", "good.csv"], "epsilon"),
    (["design", "good.csv", "--epsilon", "0"], "epsilon"),
    (["design", "good.csv", "--epsilon", "-1"], "epsilon"),
    (["design", "good.csv", "--epsilon", "nan"], "epsilon"),
    (["design", "good.csv", "--epsilon", "inf"], "epsilon"),
    (["design", "good.csv", "--epsilon", "abc"], "epsilon"),
    (["design", "good.csv", "--ratio", "1"], "ratio"),
    (["design", "good.csv", "--ratio", ""], "ratio"),
    (["design", "good.csv", "--epsilon", "1", "--ratio", "2"], "ratio"),
    (["design", "empty.csv", "--epsilon", "1"], "rows"),
    (["design", "negative.csv", "--epsilon", "1"], "line 2"),
    (["design", "fraction.csv", "--epsilon", "1"], "line 2"),
    (["design", "twice.csv", "--epsilon", "1"], "line 3"),
    (["design", "single.csv", "--epsilon", "1"], "two labels"),
    (["design", "good.csv", "--epsilon", "1", "--utility", "absent.csv"], "absent.csv"),
    (["design", "good.csv", "--epsilon", "1", "--utility", "nan.csv"], "'nan'"),
    (["design", "good.csv", "--epsilon", "1", "--utility", "wide.csv"], "2 x 2"),
    (["design", "good.csv", "--epsilon", "1", "--counts-are", "public", "--output", "good.csv"], "output"),
    (["verify", "nobody1999"], "nobody1999"),
    (["verify", "--only", "no such claim"], "no such claim"),
    (["verify", "--jobs", "0"], "jobs"),
    (["verify", "--json", "/nonexistent/rows.json", "--only", "Lemma 3.1"], "/nonexistent/rows.json"),
    (["certify", "good.csv"], "good.csv"),
    (["regimes", "single.csv"], "two labels"),
    (["regimes", "good.csv", "--utility", "nan.csv"], "'nan'"),
    (["regimes"], "counts"),
    (["regimes", "good.csv", "--all-priors", "--labels", "3"], "either a file or --all-priors"),
    (["regimes", "good.csv", "--labels", "3"], "counts"),
    (["regimes", "--all-priors"], "labels"),
    (["regimes", "--all-priors", "--labels", "5", "--ratio", "3"], "2 to 4 labels"),
    (["regimes", "--all-priors", "--labels", "3", "--ratio", "1/2"], "ratio"),
    (["regimes", "--all-priors", "--labels", "3", "--output", "map.png"], "--ratio"),
    (["regimes", "--all-priors", "--labels", "2", "--output", "map.html"], "three labels"),
    (["regimes", "--all-priors", "--labels", "4", "--ratio", "3", "--losses", "map.png"], "three labels"),
    (["regimes", "--all-priors", "--labels", "3", "--ratio", "3", "--utility", "weights"], "same for every prior"),
    (["reproduce", "compare", "--dataset", "digits-3"], "digits-3"),
    (["reproduce", "compare", "--epsilon", "0"], "epsilon"),
    (["reproduce", "compare", "--repeats", "0"], "repeats"),
    (["certify", "x" * 300], f"file: got '{'x' * 116}...; allowed: one that can be used (File name too long)"),
    (["audit", "x" * 300, "--epsilon", "1"], "File name too long"),
    (["certify", "new\nline.json"], "'new\\nline.json'"),
    (["several", "good.csv", "--epsilon", "1", "--utility", "count"], "utility: got 'count'; allowed: hit, "),
    (["several", "good.csv", "--epsilon", "1", "--labels-each", "1.5"], "got '1.5'; allowed: a whole number"),
    (["design", "good.csv", "--epsilon", "1", "--utility", "count", "--keep-labels"], "keep_labels: got True"),
    (["design", "good.csv", "--epsilon", "1", "--utility", "unbiased", "--hit-floor", "0.5"], "hit_floor: got 0.5"),
    (["design", "good.csv", "--epsilon", "1", "--hit-floor", "1e-400"], "got 1e-400; allowed: a decimal"),
    (["reproduce", "compare", "--jobs", "0"], "jobs"),
    (["nonsense"], "nonsense"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=lambda a: " ".join(a) if isinstance(a, list) else "")
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(arguments, named, tmp_path):
    for name, text in {
        "good.csv": "label,count\na,1\nb,2\n",
        "empty.csv": "",
        "negative.csv": "label,count\na,-1\nb,2\n",
        "fraction.csv": "label,count\na,1.5\nb,2\n",
        "twice.csv": "label,count\na,1\na,2\n",
        "single.csv": "label,count\na,1\n",
        "nan.csv": "1,2\n3,nan\n",
        "wide.csv": "1,2,3\n4,5,6\n",
    }.items():
        (tmp_path / name).write_text(text)
    run = lpmech(*arguments, cwd=tmp_path)
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.count("\n") == 1
    assert named in run.stderr
    assert run.stderr.startswith("lpmech: ")
    assert run.stdout == ""


@pytest.mark.parametrize("command", [c.name for c in COMMANDS])
@pytest.mark.parametrize("typed", ["1.5", "1" * 19])
def test_whole_numbers_are_not_rounded_and_no_larger_than_machines_have_them(command, typed):
    """cyclopts takes 1.5 for 2, and 10^40 ended in errors of floats: every option that is a whole number refuses both."""
    for argument in resolved(command).assemble_argument_collection():
        if re.search(r"\bint\b", str(argument.hint)):
            argument.append(Token(keyword=argument.name, value=typed))
            with pytest.raises(
                CoercionError, match=f"{argument.name}: got '{typed}'; allowed: a whole number of at most"
            ):
                argument.convert()


def resolved(command):
    """The application of a command."""
    found = app
    for word in command.split():
        found = found[word]
    return found


def test_an_interrupt_is_one_line_and_130(tmp_path):
    rows = tmp_path / "rows.json"
    rows.write_text("of an earlier run")
    command = [sys.executable, "-m", "lpmech", "verify", "--jobs", "2", "--json", str(rows)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    while not children.read_text():  # workers run: from then on there is work to interrupt
        assert run.poll() is None
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 130
    assert errors.strip().splitlines()[-1] == "lpmech: interrupted"
    assert rows.read_text() == "of an earlier run"
    assert "Traceback" not in errors


def test_an_error_in_handling_an_interrupt_is_still_an_interrupt(monkeypatch, capsys):
    # joblib raises RuntimeError("cannot join thread before it is started") for a Ctrl-C while its workers start
    def interrupted(*_, **__):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise RuntimeError("cannot join thread before it is started")  # noqa: B904

    def broken(*_, **__):
        raise RuntimeError("a defect")

    monkeypatch.setattr("lpmech.cli.app", interrupted)
    with pytest.raises(SystemExit) as caught:
        main(["verify"])
    assert caught.value.code == 130
    assert capsys.readouterr().err == "lpmech: interrupted\n"
    monkeypatch.setattr("lpmech.cli.app", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["verify"])


def test_long_formulas_of_regimes_are_folded_not_cut_off():
    root = "2*sqrt(1025849422)/4065"
    out = io.StringIO()
    Console(file=out, width=60).print(regime_table("title", [(sp.sympify(root), sp.sympify(root), sp.sympify(root))]))
    assert "…" not in out.getvalue()
    folded = "".join(line.split("│")[1].strip() for line in out.getvalue().splitlines() if line.startswith("│"))
    assert folded == root


def test_losses_are_tabulated_for_every_utility(tmp_path):
    file = tmp_path / "losses.csv"
    with columns(80):
        run = lpmech("losses", "examples/wine.csv", "--ratio", 3, "--output", file)
    table = list(csv.DictReader(file.open()))
    assert {"rr_on_bins": 0.0, "optimal": 0.0}.items() <= {r["loss (%)"]: float(r["hit"]) for r in table}.items()
    assert lpmech("losses", "examples/wine.csv", "--ratio", 3, "--output", file).returncode == 2
    assert run.returncode == 0, run.stderr
    assert "…" not in run.stdout  # numbers and names were cut off
    rows = [line for line in run.stdout.splitlines() if "rr_on_bins" in line]
    # RR on the best bins is optimal for hit, absolute, squared, tanimoto, near and balanced here; the seventh is weights
    assert rows[0].split().count("0.00") >= 6
    header = next(line for line in run.stdout.splitlines() if "absolute" in line)
    assert all(name in header for name in same_at_every_level())
    assert lpmech("losses", "examples/wine.csv").returncode == 2
    # labels that are not positive numbers: distances between positions instead of an error
    assert lpmech("design", "examples/diabetes.csv", "--epsilon", 1, "--utility", "tanimoto").returncode == 0
    assert lpmech("losses", "examples/wine.csv", "--epsilon", 0).returncode == 2
