"""Papers outside the project: the same claims, verdicts and output for anybody's file, and one line for a bad one."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

import lpmech
from lpmech.claims.at import at_point
from lpmech.claims.checking import check_identities, check_implications
from lpmech.cli import main
from lpmech.errors import DataFileError, FormulaError, InvalidInputError, LabelError, UndecidedError
from lpmech.papers import load_paper
from lpmech.papers.running import SelfTest, run_claims, select_claims

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "my_paper"

HEAD = "from lpmech.claims import Paper; from lpmech.claims.checking import check_parts; from lpmech.verdicts import refuted\ndef proved(method, words): return check_parts(iter([True]), every=words, method=method)\nPAPER = Paper('{key}', 'Somebody: Something')\n"
CLAIM = """
@PAPER.claim({id!r}, "even", recorded={recorded!r}, formula={formula}, mutants={{"odd": 3}})
def check(number):
    return proved("parity", "it is even") if number % 2 == 0 else refuted("parity", "it is odd", f"number = {{number}}")
"""


def paper_file(directory, key="mine", claims=(("Lemma 1", "proved", 4),), tail=""):
    path = directory / f"{key}.py"
    text = HEAD.format(key=key) + "".join(CLAIM.format(id=i, recorded=r, formula=f) for i, r, f in claims) + tail
    path.write_text(text)
    return path


def run(capsys, *arguments):
    """Exit code, output with its line breaks removed, and errors of the command line."""
    with pytest.raises(SystemExit) as caught:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return caught.value.code, " ".join(out.split()), err


# ---- the worked example ------------------------------------------------------------------------------------------


#: False lemma -> the place where it fails: from K = 7 on, for 6 < t < 7, for p_1 >= 0.97, at a triple tie, ...
FALSE = {
    "Lemma 1.5": "K = 4, t = 17/10",
    "Conjecture 2.3": "K = 3",
    "Lemma 3.3": "K = 7, w = 4",
    "Conjecture 4.4": "t = 13/2",
    "Conjecture 4.5": "p₁ = 97/100",
    "Lemma 4.6": "prior (1/2, 1/4, 1/4)",
}


def test_every_lemma_of_the_example_has_its_verdict_rejects_its_mutants_and_fails_where_it_is_false():
    # in one test, for a fixture would be made anew by every process that has one of several
    example = list(run_claims(select_claims([str(EXAMPLE)]), 1, SelfTest.SAMPLED))
    assert [r.id for r in example if not r.as_recorded] == []
    assert all(r.trial.rejected == len(r.claim.mutants) > 0 for r in example)
    assert len(example) == 22
    found = {r.id: r.counterexample for r in example if r.verdict == "refuted"}
    assert found.keys() == FALSE.keys()
    assert all(where in found[id] for id, where in FALSE.items())
    assert {r.verdict for r in example if r.id not in FALSE} == {"proved"}


def test_the_example_runs_in_parallel_processes_as_a_user_runs_it(tmp_path):
    """Catches workers that cannot import a package by its path, and rows that depend on the number of processes."""
    rows = tmp_path / "rows.json"
    command = [
        sys.executable,
        "-m",
        "lpmech",
        "verify",
        EXAMPLE,
        "--only",
        "1.3",
        "--only",
        "1.5",
        "--jobs",
        "2",
        "--json",
        rows,
    ]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=tmp_path, check=False, timeout=200,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 claims: 1 proved, 1 refuted; all as recorded" in done.stdout
    assert [row["id"] for row in json.loads(rows.read_text())] == ["Lemma 1.3", "Lemma 1.5"]


# ---- verify and show ---------------------------------------------------------------------------------------------


def test_a_lemma_may_be_false_without_a_repair_and_anything_else_than_recorded_exits_1(tmp_path, capsys):
    false = paper_file(tmp_path, "false", [("Lemma 1", "refuted", 5), ("Lemma 2", "proved", 2)])
    code, out, _ = run(capsys, "verify", false, "--self-test", "--jobs", 1)
    assert code == 0
    assert "refuted Lemma 1 number = 5" in out
    assert (
        "false: 2 claims: 1 proved, 1 refuted; 2 of 2 written mutants rejected; derived: 2 killed, 0 equal or right as well, 0 undecided; all as recorded"
        in out
    )
    astray = paper_file(tmp_path, "astray", [("Lemma 1", "proved", 5)])
    code, out, _ = run(capsys, "verify", astray, "--jobs", 1)
    assert code == 1
    assert "NOT AS RECORDED: Lemma 1 (refuted instead of proved: number = 5)" in out


BROKEN_CHECKS = """
from lpmech.errors import UndecidedError
def gives_up(_): raise UndecidedError("no method")
class Odd(Exception): pass
def none(_): return None
def leaves(_): raise SystemExit(0)
def own(_): raise Odd("an error of my own")
for name, check in (("none", none), ("leaves", leaves), ("own", own), ("gives up", gives_up)):
    PAPER.claim(name, "", recorded="proved", formula=1, mutants={"x": 2})(check)
"""


def test_a_check_that_breaks_is_an_error_and_loses_no_other_result(tmp_path):
    path = paper_file(tmp_path, tail=BROKEN_CHECKS)
    results = {r.id: r for r in run_claims(select_claims([str(path)]), 1, SelfTest.SAMPLED)}
    assert {id: r.verdict for id, r in results.items()} == {
        "Lemma 1": "proved", "none": "error", "leaves": "error", "own": "error", "gives up": "undecided",
    }  # fmt: skip
    assert "relations by name" in results["none"].outcome.evidence
    assert "an error of my own" in results["own"].outcome.evidence
    assert all(r.trial.rejected == 0 for id, r in results.items() if id != "Lemma 1")


def test_rows_and_keys_are_those_of_our_papers(tmp_path, capsys):
    path = paper_file(tmp_path)
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    id = next(iter(load_paper("liu2026").claims))
    assert run(capsys, "verify", "liu2026", "--only", id, "--jobs", 1, "--self-test", "--json", ours)[0] == 0
    assert run(capsys, "verify", path, "--jobs", 1, "--self-test", "--json", theirs)[0] == 0
    (our_row,), (their_row,) = json.loads(ours.read_text()), json.loads(theirs.read_text())
    assert our_row.keys() == their_row.keys()
    assert (their_row["paper"], their_row["verdict"], their_row["mutants_rejected"]) == ("mine", "proved", 1)
    assert their_row["fates"] == {"odd": "number = 3"}
    assert their_row["source"] == f"{path}:5"


@pytest.mark.parametrize(
    "words", [["--self-test"], ["--self-test", "sampled"], ["--self-test", "full"], ["--self-test=full"]]
)
def test_the_self_test_says_how_much_of_it_is_run(words, tmp_path, capsys):
    path = paper_file(tmp_path, claims=())
    path.write_text(
        path.read_text()
        + f"""
@PAPER.claim("Lemma 1", "even", formula={tuple(range(0, 20, 2))}, mutants={{"odd": (3,)}})
def check(numbers):
    odd = [n for n in numbers if n % 2]
    return refuted("parity", "one is odd", str(odd)) if odd else proved("parity", "all even")
"""
    )
    code, out, _ = run(capsys, "verify", *words, path, "--jobs", 1)  # the paper's name is no extent
    assert code == 0
    assert f"1 of 1 written mutants rejected; derived: {20 if 'full' in words[-1] else 2} killed, 0 equal" in out
    wanted = "full" if "full" in words[-1] else "sampled"
    assert lpmech.verify(str(path), self_test=wanted)[0].trial.derived["killed"] == (20 if wanted == "full" else 2)


def test_a_self_test_of_another_extent_is_refused(tmp_path, capsys):
    path = paper_file(tmp_path)
    assert run(capsys, "verify", path, "--self-test=half")[0] == 2
    for wrong in ("half", True):
        with pytest.raises(InvalidInputError, match="one of none, sampled, full"):
            lpmech.verify(str(path), self_test=wrong)


def test_verify_writes_a_table_and_references(tmp_path, capsys):
    path = paper_file(tmp_path, claims=[("Lemma_1", "refuted", 5), ("Lemma 2", "proved", 2)])
    table, references = tmp_path / "table.tex", tmp_path / "references.bib"
    first = next(iter(load_paper("zhang2025").claims))
    code, _, _ = run(
        capsys, "verify", path, "zhang2025", "--only", "Lemma_1", "--only", first, "--jobs", 1,
        "--latex", table, "--bibtex", references,
    )  # fmt: skip
    assert code == 0
    text = table.read_text()
    assert text.count(r"\begin{longtable}") == 2
    assert (
        "{}Lemma\\_\\allowbreak{}1 & even. & refuted & parity: it is odd. \\emph{Counterexample:} number = 5. \\\\\n"
        in text
    )
    assert "Lemma 2" not in text
    assert re.findall(r"@\w+{(\w+),", references.read_text()) == ["zhang2025", "lpmech"]
    code, _, err = run(capsys, "verify", path, "--latex", tmp_path / "no" / "table.tex")
    assert code == 2
    assert "can be written" in err
    assert run(capsys, "bibtex", "liu2026")[1].startswith("@misc{liu2026, author = {Liu, Haixia and Ding, Yi}")


def test_show_prints_the_whole_card(capsys):
    code, out, _ = run(capsys, "show", EXAMPLE, "Lemma 3.3", "--jobs", 1)
    assert code == 0
    for part in (
        "refuted", "the window of w = 4", "t > 1, K ≥ 2, w = 4", "exact rational arithmetic", "K = 7, w = 4, t = 3/2",
        "It holds up to K = 6", "Lemma 3.3 [repaired]", "(proved on record)", "for K ≤ 7", "for K ≤ 9", "windows.py:",
    ):  # fmt: skip
        assert part in out, part
    assert re.search(r"for example .*t = ", run(capsys, "show", EXAMPLE, "Lemma 1.6", "--jobs", 1)[1])
    repaired = run(capsys, "show", EXAMPLE, "Lemma 3.3 [repaired]", "--jobs", 1)[1]
    assert "repairs Lemma 3.3" in repaired


def test_show_prints_readings(tmp_path, capsys):
    tail = """
from lpmech.verdicts import unclear
@PAPER.claim("two", "either", readings={"broad": "refuted", "narrow": "proved"}, formula=1, mutants={"x": 2})
def two(n):
    return unclear({"broad": refuted("m", "e", "n = 1"), "narrow": proved("m", "fine")}) if n == 1 else refuted("m", "e", "2")
"""
    code, out, _ = run(capsys, "show", paper_file(tmp_path, tail=tail), "two", "--jobs", 1)
    assert code == 0
    assert "reading broad refuted: n = 1" in out
    assert "reading narrow proved: fine (1 instance)" in out


# ---- bad input: one line, exit 2 ---------------------------------------------------------------------------------

BAD = {
    "raises": ("x = 1\nundefined\n", "bad.py, line 2: NameError"),
    "does not parse": ("def (:\n", "SyntaxError"),
    "leaves": ("raise SystemExit(0)\n", "SystemExit"),
    "no PAPER": ("x = 1\n", "PAPER = Paper"),
    "PAPER is something else": ("PAPER = 3\n", "PAPER = Paper"),
    "two papers": (HEAD.format(key="a") + CLAIM.format(id="1", recorded="proved", formula=2) + "P = Paper('b', '')\n", "one Paper, not 2"),
    "PAPER is made twice": (
        HEAD.format(key="a") + CLAIM.format(id="1", recorded="proved", formula=2)
        + HEAD.format(key="b") + CLAIM.format(id="2", recorded="proved", formula=2),
        "one Paper, not 2",
    ),
    "no claims": (HEAD.format(key="a"), "at least one claim"),
    "a key of ours": (HEAD.format(key="liu2026") + CLAIM.format(id="1", recorded="proved", formula=2), "a key of its own"),
    "no such verdict": (HEAD.format(key="a") + CLAIM.format(id="1", recorded="true", formula=2), "recorded: got 'true'"),
    "undecided on record": (HEAD.format(key="a") + CLAIM.format(id="1", recorded="undecided", formula=2), "recorded: got"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_file_without_a_paper_is_one_line(kind, tmp_path, capsys):
    text, told = BAD[kind]
    (tmp_path / "bad.py").write_text(text)
    code, _, err = run(capsys, "verify", tmp_path / "bad.py")
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert told in err


def test_unknown_papers_and_ids_come_with_the_nearest_ones(tmp_path, capsys):
    path = paper_file(tmp_path)
    for arguments, told in (
        (["verify", "liu2025"], "nearest: 'liu2026'"),
        (["verify", tmp_path / "nowhere.py"], "that exists"),
        (["verify", tmp_path], "with __init__.py"),
        (["verify", path, "--only", "lema 1"], "nearest: 'Lemma 1'"),
        (["show", path, "Lema 1"], "nearest: 'Lemma 1'"),
        (["show", path], "such as 'Lemma 1'"),
        (["show", "zao2025", "x"], "nearest: 'zhao2025'"),
        (["bibtex", "gazi2021"], "nearest: 'ghazi2021'"),
        (["verify", path, "--jobs", 0], "jobs"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code == 2
        assert len(err.strip().splitlines()) == 1
        assert told in err


def test_two_papers_with_one_key_are_refused(tmp_path):
    (tmp_path / "other").mkdir()
    first, second = paper_file(tmp_path), paper_file(tmp_path / "other")
    with pytest.raises(LabelError, match="different keys"):
        select_claims([str(first), str(second)])
    assert len(select_claims([str(first), str(first)])) == 1


# ---- loading -----------------------------------------------------------------------------------------------------


def test_a_changed_file_is_run_again(tmp_path):
    """Catches a stale paper in a session that lives longer than an edit."""
    path = paper_file(tmp_path)
    assert list(load_paper(str(path)).claims) == ["Lemma 1"]
    assert load_paper(str(path)) is load_paper(str(path))
    paper_file(tmp_path, claims=[("Lemma 1", "proved", 4), ("Lemma 2", "proved", 6)])
    assert list(load_paper(str(path)).claims) == ["Lemma 1", "Lemma 2"]


def test_a_file_may_import_what_stands_beside_it_and_use_our_papers(tmp_path):
    (tmp_path / "beside_the_paper.py").write_text("FOUR = 4\n")
    text = "from beside_the_paper import FOUR\nfrom lpmech.papers.across import PAPER as ACROSS\n"
    path = paper_file(tmp_path, "importing")
    path.write_text(text + path.read_text().replace("formula=4", "formula=FOUR"))
    assert load_paper(str(path)).claims["Lemma 1"].formula == 4


def test_a_package_with_a_name_that_is_taken_is_refused(tmp_path):
    package = tmp_path / "json"
    package.mkdir()
    (package / "__init__.py").write_text(HEAD.format(key="x"))
    with pytest.raises(DataFileError, match="not taken"):
        load_paper(str(package))


# ---- the template ------------------------------------------------------------------------------------------------


def test_the_template_runs_as_it_is_and_is_never_written_over_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "paper", "first_draft")[0] == 0
    written = Path("first_draft.py").read_text()
    assert "my_paper" not in written
    # all mutants, not the sample, which depends on the name of the paper: no name may meet one that is accepted
    code, out, _ = run(capsys, "verify", "first_draft.py", "--self-test", "full", "--jobs", 1)
    assert code == 0
    summary = re.search(
        r"first_draft: (\d) claims: .*; (\d+) of (\d+) written mutants rejected; derived: \d+ killed, .* undecided; all as recorded",
        out,
    )
    assert summary is not None
    assert summary[2] == summary[3]
    assert {claim.recorded for claim in load_paper("first_draft.py").claims.values()} == {
        "proved",
        "certified",
        "refuted",
    }
    Path("first_draft.py").write_text("mine")
    for name, told in (("first_draft", "nothing is overwritten"), ("first_draft.py", "nothing is overwritten"),
                       ("2 drafts", "letters"), ("liu2026", "none of"), ("no/where", "can be written")):  # fmt: skip
        code, _, err = run(capsys, "new", "paper", name)
        assert code == 2
        assert told in err
        assert len(err.strip().splitlines()) == 1
    assert Path("first_draft.py").read_text() == "mine"
    assert os.listdir() == ["first_draft.py"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((word, "a word of Python") for word in ("class", "lambda", "None")),
        *((module, "would miss") for module in ("json", "math", "typing", "numpy", "lpmech")),
        *((text, "a letter, then letters") for text in ("2024", "my-paper", "a.b", "_x", "__init__", "", "liu2026")),
    ],
)
def test_names_that_no_paper_can_have(tmp_path, capsys, monkeypatch, name, told):
    """json.py beside a paper is what every program there would import; class.py no program could."""
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "new", "paper", name)
    assert code == 2
    assert told in err
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["MyPaper", "paper2024", "émilie", "论文", "test", "a" * 72])
def test_odd_names_are_names(tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "paper", name)[0] == 0
    assert load_paper(f"{name}.py").key == name


# ---- formulas as texts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("t/(t+K-1)*(K-9)/(K-9)", "refuted"),  # as an expression: proved, sympy has cancelled the factor
        ("t/(t+K-1) + 0*log(K-9)", "refuted"),
        ("t/(t+K-1)*Piecewise((1, K < 9), (1, K > 9))", "refuted"),
        ("t/(t+K-1)*(K+9)/(K+9)", "proved"),
        ("1.5*t/(1.5*t+1.5*(K-1))", "proved"),
    ],
)
def test_a_text_is_checked_as_it_is_written(text, verdict):
    t, K = sp.Symbol("t", real=True), sp.Symbol("K", integer=True)
    outcome = check_identities({"kept": (text, t / (t + K - 1))}, "e", hypotheses=[t > 1, K >= 2])
    assert outcome.verdict == verdict
    follows = check_implications([t > 1, K >= 2], {"kept": f"{text} > 0"}, "e")
    assert follows.verdict == verdict


def test_a_pole_below_a_sum_of_a_text_is_not_lost():
    # was: proved, `xreplace` had cancelled it when the conditions were collected
    K = sp.Symbol("K", integer=True)
    with pytest.raises(UndecidedError, match="- 3, 0"):
        check_identities({"sum": ("Sum((i-3)/(i-3), (i, 1, K))", K)}, "e", hypotheses=[K >= 1])
    outcome = check_identities({"sum": ("Sum((i+3)/(i+3), (i, 1, K))", K)}, "e", hypotheses=[K >= 1])
    assert outcome.verdict == "proved"


def test_the_names_of_a_text_are_those_of_the_hypotheses():
    K = sp.Symbol("K", integer=True)
    with pytest.raises(FormulaError, match="got 't'"):
        check_identities({"e": ("t", "t")}, "e", hypotheses=[K > 1])
    with pytest.raises(InvalidInputError, match="relations of sympy"):
        check_implications(["K > 1"], {"e": "K > 0"}, "e")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Mod(K, 0) >= 0", "refuted"),
        ("sqrt(-1) < 1", "refuted"),
        ("not sqrt(-1) < 1", "refuted"),
        ("1/0 > K", "refuted"),
        ("Max(log(-1), 1) >= 1", "refuted"),
        ("log(sqrt(-1)) < 1", "refuted"),
        ("K > 1 or Mod(K, 0) == 0", "proved"),
    ],
)
def test_a_constant_that_is_no_real_number_is_read_as_everywhere_in_the_engine(text, verdict):
    # was: sympy's ZeroDivisionError or TypeError, and with it the verdict "error"
    t, K = sp.Symbol("t", real=True), sp.Symbol("K", integer=True)
    assert check_implications([t > 1, K >= 2], {"claim": text}, "e").verdict == verdict
    with at_point({"t": Fraction(2), "K": Fraction(3)}) as point:
        check_implications([t > 1, K >= 2], {"claim": text}, "e")
    assert [compared.holds for compared in point.compared] == [verdict == "proved"]


def test_what_is_needed_in_places_only_and_no_number_there_is_undecided():
    K = sp.Symbol("K", integer=True)
    with pytest.raises(UndecidedError, match="no real number"):  # was: TypeError
        check_implications([K >= 2], {"claim": "Piecewise((sqrt(-1), K > 20), (1, True)) < 2"}, "e")
    with pytest.raises(UndecidedError, match="no real number"):  # was: FormulaError
        check_implications([K >= 2], {"claim": "Sum(sqrt(-1)*i, (i, 1, K)) < 0"}, "e")
    with pytest.raises(UndecidedError, match="no real number"):  # was: ZeroDivisionError
        check_implications([K >= 2], {"claim": "Sum(Mod(i, 0), (i, 1, K)) == 0"}, "e")
