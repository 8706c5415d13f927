"""Formulas pinned by snapshot, and the example project whose tests they are; each is broken and seen to fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "regression"
SNAPSHOTS = Path("tests") / "__lpmech__" / "test_mechanisms"
#: Named, where the plugins that are installed are not loaded, be lpmech installed with its own or not.
PLUGIN = ["-p", "lpmech.testing.plugin"]
NO_OTHERS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run pytest in this process on the files of a directory; exit code and what is printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv(*next(iter(NO_OTHERS.items())))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files of one second with one length look the same

    def run(*arguments, directory=tmp_path):
        options = [
            "-p",
            "no:cacheprovider",
            "-p",
            "no:unraisableexception",
            "--import-mode=importlib",
            "--tb=short",
            "-o",
            "addopts=",
            *PLUGIN,
        ]
        code = pytest.main([*options, "--rootdir", str(directory), *arguments, str(directory)])
        for name in [n for n, m in sys.modules.items() if str(directory) in str(getattr(m, "__file__", ""))]:
            del sys.modules[name]  # the next run reads the files that are then there
        return int(code), capsys.readouterr().out

    return run


def write_rates(directory, formula, domain='"t > 1, K >= 2"', more=""):
    text = f"import math\n\n\ndef rate(t, K):\n    return {formula}\n\n\ndef test_rate(lpmech_formula):\n"
    (directory / "test_rates.py").write_text(f"{text}    print(lpmech_formula(rate, {domain}))\n{more}")


def test_a_formula_cannot_change_unnoticed(run, tmp_path):
    snapshot = tmp_path / "__lpmech__" / "test_rates" / "test_rate.toml"
    write_rates(tmp_path, "t / (t + K - 1)")
    code, out = run()
    assert code == 1
    assert "there is no snapshot" in out
    assert "pytest --lpmech-update" in out
    assert not snapshot.exists()

    code, out = run("--lpmech-update")
    assert (code, "1 snapshots written, 0 as they were" in out) == (0, True)
    pinned = snapshot.read_text()
    assert '"all" = "t/(t + K - 1)"' in pinned
    assert '"t = 2, K = 2" = "2/3"' in pinned
    code, out = run("-rP")
    assert (code, "the form is unchanged" in out) == (0, True)

    write_rates(tmp_path, "1 - (K - 1) / (t + K - 1)")  # the same, written otherwise
    code, out = run("-rP")
    assert code == 0
    assert "the form has changed and is proved equal" in out
    assert "test_rate has another form, proved equal" in out
    assert snapshot.read_text() == pinned

    write_rates(tmp_path, "t / (t + K)")
    code, out = run()
    assert code == 1
    for part in ("at t = 2, K = 2:", "pinned 2/3", "now    1/2", "old form: t/(t + K - 1)", "new form: t/(t + K)"):
        assert part in out
    assert snapshot.read_text() == pinned

    write_rates(tmp_path, "t / (t + K - 1) if K < 40 else t / (t + K)")  # pinned are smaller values of K
    code, out = run()
    assert (code, "K = 40" in out) == (1, True)


def test_what_is_not_proved_equal_has_to_be_pinned_anew(run, tmp_path):
    write_rates(tmp_path, "t ** K")
    assert run("--lpmech-update")[0] == 0
    write_rates(tmp_path, "math.prod([t] * K)")
    code, out = run()
    assert code == 1
    assert "no difference was found, but it is not proved" in out
    write_rates(tmp_path, "t ** K", '"t > 1, K >= 3"')
    code, out = run()
    assert (code, "the domain has changed" in out) == (1, True)


def test_floats_matrices_and_damaged_files(run, tmp_path):
    matrix = "[[t / (t + 1) if y == j else 1 / (t + 1) for j in range(2)] for y in range(K)]"
    domain = {"t": "t > 1", "K": [2]}
    write_rates(tmp_path, matrix, domain)
    assert run("--lpmech-update")[0] == 0
    write_rates(tmp_path, matrix.replace("1 / (t + 1)", "1 / (t + 1.5)"), domain)
    code, out = run()
    assert (code, "entry (0, 1): pinned 1/3" in out) == (1, True)
    write_rates(tmp_path, "math.gamma(t)", {"t": "1 < t <= 9", "K": [2]})
    assert run("--lpmech-update")[0] == 0
    assert run()[0] == 0
    write_rates(tmp_path, "math.gamma(t) * (1 + 1e-8)", {"t": "1 < t <= 9", "K": [2]})
    assert run()[0] == 1
    snapshot = tmp_path / "__lpmech__" / "test_rates" / "test_rate.toml"
    snapshot.write_text("domain = 3\n[values")
    code, out = run()
    assert (code, "DataFileError" in out) == (1, True)
    snapshot.unlink()
    snapshot.mkdir()
    code, out = run("--lpmech-update")
    assert (code, "DataFileError" in out) == (1, True)


def test_snapshots_that_no_test_uses_are_listed(run, tmp_path):
    again = "\n\ndef test_other(lpmech_formula):\n    lpmech_formula(rate, 't > 1, K >= 2', 'twice')\n"
    write_rates(tmp_path, "t", more=again)
    run("--lpmech-update")
    assert "no test uses" not in run()[1]
    write_rates(tmp_path, "t")
    assert "no test uses" not in run("-k", "rate")[1]
    code, out = run()
    assert code == 0
    assert re.search(r"no test uses .*test_other\.twice\.toml", out)
    assert "test_rate.toml" not in out


def test_names_of_snapshots(run, tmp_path):
    several = (
        "import pytest\n\n\n@pytest.mark.parametrize('way', ['a/b', 'a_b', '2'])\ndef test_ways(way, lpmech_formula):\n"
        "    lpmech_formula(lambda: len(way), None)\n"
    )
    (tmp_path / "test_ways.py").write_text(several)
    assert "3 snapshots written" in run("--lpmech-update")[1]
    assert run()[0] == 0
    (tmp_path / "test_ways.py").unlink()
    write_rates(tmp_path, "t", more="    lpmech_formula(rate, 't > 1, K >= 2')\n")
    assert "another name for each formula of a test" in run("--lpmech-update")[1]
    write_rates(tmp_path, "t", more="    lpmech_formula(rate, 't > 1, K >= 2', '../up')\n")
    assert "letters, digits" in run("--lpmech-update")[1]
    assert not list(tmp_path.glob("**/*up*"))


def test_a_number_that_becomes_a_matrix_is_another_one(run, tmp_path):
    for formula in ("t / (t + K - 1)", "math.gamma(t)"):  # with a symbolic form, and without
        write_rates(tmp_path, formula, '"1 < t <= 9, 2 <= K <= 9"')
        assert run("--lpmech-update")[0] == 0
        write_rates(tmp_path, f"[[{formula}]]", '"1 < t <= 9, 2 <= K <= 9"')
        code, out = run()
        assert (code, "now" in out) == (1, True)


def test_a_pinned_float_beside_zero_may_be_rounded_otherwise(run, tmp_path):
    # on another machine a sum of terms of size one that cancel is another multiple of 2^-53
    domain = '"1 < t <= 2, 2 <= K <= 3"'
    write_rates(tmp_path, "math.gamma(t) * 0 + 1e-17", domain)
    assert run("--lpmech-update")[0] == 0
    for value, code in (("-2e-16", 0), ("1e-14", 1)):
        write_rates(tmp_path, f"math.gamma(t) * 0 + {value}", domain)
        assert run()[0] == code


def test_the_summary_counts_verdicts_and_the_short_line_has_the_statement(run, tmp_path):
    (tmp_path / "test_levels.py").write_text(
        "from lpmech.testing import assert_private\n\n\n"
        "def test_proved():\n    assert_private([['3/4', '1/4'], ['1/4', '3/4']], ratio=3)\n\n\n"
        "def test_supported():\n    assert_private([[0.75, 0.25], [0.25, 0.75]], ratio=3)\n\n\n"
        "def test_false():\n    assert_private([[0.8, 0.2], [0.25, 0.75]], ratio=3)\n"
    )
    code, out = run("-rf")
    assert code == 1
    assert "3 assertions: 1 proved, 0 certified, 1 supported, 1 failed" in out
    assert re.search(r"^FAILED .*::test_false - not private at e\^epsilon = 3", out, re.MULTILINE)


# ---- the example


def copy_of_example(tmp_path):
    return Path(shutil.copytree(EXAMPLE, tmp_path / "windows", ignore=shutil.ignore_patterns("__pycache__")))


def test_the_example_pins_the_same_files_in_other_processes(tmp_path):
    project = copy_of_example(tmp_path)
    shutil.rmtree(project / SNAPSHOTS)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | NO_OTHERS
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "pytest", *PLUGIN, "-p", "xdist", "-n", "1", "--lpmech-update"]
    ran = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "2 snapshots written" in ran.stdout
    names = sorted(path.name for path in (EXAMPLE / SNAPSHOTS).iterdir())
    assert sorted(path.name for path in (project / SNAPSHOTS).iterdir()) == names
    for name in names:
        assert (project / SNAPSHOTS / name).read_text() == (EXAMPLE / SNAPSHOTS / name).read_text()


@pytest.mark.parametrize(
    ("right", "wrong", "failing", "witness"),
    [
        (
            "return K + (2 * w + 1) * (t - 1)",
            "return K + 2 * w * (t - 1)",
            {"test_rows_are_distributions", "test_the_window_is_private", "test_nothing_hits_more_often_than_the_window",
             "test_hit_rate", "test_a_wider_window_hits_more_often", "test_formulas"},
            ["row 0 sums to 4/3", "at t = 2, K = 3, w = 0", "old form: (2*w + 1)*t/(K + (2*w + 1)*(t - 1))"],
        ),
        (
            "end = (t - 1) / (t + 1), t / (t + 1)",
            "end = (t - 1) / (t + 1), (t + 1) / (t + 2)",
            {"test_rows_are_distributions", "test_the_geometric_mechanism_spends_its_level", "test_error",
             "test_more_privacy_tells_less", "test_formulas"},
            ["row 0 sums to 9/8", "entry (0, 0): pinned 2/3", "entry (0, 0): now    3/4"],
        ),
        (
            "(1 - t ** (1 - K)) / (t - 1) * t",
            "(1 - t ** (2 - K)) / (t - 1) * t",
            {"test_error"},
            ["at t = 2, K = 2:", "0 against 1/3"],
        ),
    ],
)  # fmt: skip
def test_the_example_fails_where_a_constant_is_changed(run, tmp_path, right, wrong, failing, witness):
    project = copy_of_example(tmp_path)
    source = project / "windows" / "mechanisms.py"
    text = source.read_text()
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong))
    some = ["-k", "error"] if failing == {"test_error"} else []
    code, out = run("-c", str(project / "pyproject.toml"), "-rf", *some, directory=project)
    assert code == 1
    assert set(re.findall(r"^FAILED .*::(\w+)", out, re.MULTILINE)) == failing
    for part in witness:
        assert part in out
