"""A column of labels released from a file: nothing half-written, nothing released twice unnoticed, nothing quoted."""

import csv
import hashlib
import json
import multiprocessing
import os
import random
import resource
import signal
import time
from contextlib import suppress
from dataclasses import asdict, replace
from fractions import Fraction
from multiprocessing import forkserver
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from test_release import LABELS, make_release, save

from lpmech.budgets import amount_of
from lpmech.cli import main
from lpmech.entries import digest_of
from lpmech.errors import DataFileError, LabelError, PrivacyWarning, ReleaseError, SpentError
from lpmech.labels.index import LabelIndex
from lpmech.labels.row_choice import RowChoice
from lpmech.release import Release, Spent
from lpmech.release.bookkeeping import file_sha256
from lpmech.release.bought import BoughtCounts
from lpmech.release.entry import Entry, total_of
from lpmech.release.estimating_files import estimate_file
from lpmech.release.fingerprints import keyed
from lpmech.release.ledger import Ledger, ledger_beside
from lpmech.release.purchases import record_prior
from lpmech.release.randomizing import randomize_file
from lpmech.release.record import seal_of
from lpmech.release.telltale import Telltale

#: What stays beside a ledger: its lock and its key.
BESIDE = {".lpmech-ledger.json.lock", "lpmech-ledger.json.key"}

#: Children of a process that has one thread: a child of this one would wait for locks that threads of it held.
children = multiprocessing.get_context("forkserver")


@pytest.fixture(scope="module", autouse=True)
def _server():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))  # where the server finds this module, to load it once
        children.set_forkserver_preload([__name__])
        forkserver.ensure_running()


def write_labels(path, rows=200, seed=0, end="\n"):
    """Other people for every seed."""
    drawn = enumerate(random.Random(seed).choices(LABELS, k=rows), 10**6 * seed)
    path.write_text(end.join(["id,severity", *(f"{i},{label}" for i, label in drawn)]) + end, newline="")
    return path


PRIOR = np.array([0.5, 0.25, 0.25])


def private_release(composition):
    return make_release(
        spent=Spent.on("0.7", "0.2", composition),
        counts="private",
        epsilon="0.7",
        prior={"sha256": digest_of(PRIOR), "noisy": True},
    )


# -- labels by value --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "values", "codes"),
    [
        (["1", "2"], np.array([2, 1]), [1, 0]),
        (["1", "2"], [1.0, "2.0", " 2 ", np.int8(1), "1e0"], [0, 1, 1, 0, 0]),
        (["1.0", "0.50"], [1, Fraction(1, 1), 0.5], [0, 0, 1]),
        (["007", "7"], ["7", "007", 7], [1, 0, 1]),  # a code is not a number
        (["True", "False"], np.array([True, False]), [0, 1]),
        (["a", "missing"], ["a", None, float("nan"), "", pd.NA, pd.NaT, "NaN"], [0, 1, 1, 1, 1, 1, 1]),
        (["none", "a"], ["none", "a"], [0, 1]),
    ],
)
def test_labels_are_matched_by_value(names, values, codes):
    assert LabelIndex(names).codes(values).tolist() == codes


@pytest.mark.parametrize("values", [["a", "secret"], ["a", None], ["a", "1e999999999"], [["a", "b"]], ["7"], "a", 3])
def test_unknown_labels_are_refused_and_not_quoted(values):
    with pytest.raises(LabelError) as caught:
        LabelIndex(["a", "b", "007"]).codes(values)
    assert "secret" not in str(caught.value)


def test_a_series_keeps_its_index_and_numbers_stay_numbers():
    release = make_release(["1", "2", "3"])
    given = pd.Series([1, 2, 3, 1], index=list("wxyz"), name="grade")
    released = release.randomize(given)
    assert isinstance(released, pd.Series)
    assert (released.index.tolist(), released.name, released.dtype) == (list("wxyz"), "grade", given.dtype)
    assert set(released) <= {1, 2, 3}
    assert set(release.randomize(given.astype("string").iloc[1:])) <= {"1", "2", "3"}
    assert set(release.randomize(np.array([1, 2, 3.0]))) <= {1, 2, 3}
    text = make_release().randomize(["mild", "critical"] * 40)
    assert set(text.tolist()) == set(LABELS)


def test_python_follows_the_law_of_the_channel():
    # rows of 30,000: standard deviations below 0.0029, so 5 of them are 0.015; a wrong row is off by 1/4
    release = make_release()
    for y, label in enumerate(LABELS):
        found = pd.Series(release.randomize(pd.Series([label] * 30_000))).value_counts(normalize=True)
        expected = [0.5 if j == y else 0.25 for j in range(3)]
        assert np.allclose([found[name] for name in LABELS], expected, atol=0.015)


def test_a_second_release_in_one_process_warns_with_the_sum():
    release, labels = make_release(), pd.Series(random.Random(7).choices(LABELS, k=50))
    release.randomize(labels)
    with pytest.warns(PrivacyWarning, match=r"1\.386294361122"):  # twice ln 2, rounded up
        release.randomize(labels)


# -- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (b"severity\nmild\ncritical\n", None),
        (b"severity\r\nmild\r\ncritical", None),
        (b'\xef\xbb\xbf"id","severity"\r\n"1","mild"\r\n"2","critical"\r\n', "severity"),
        (b'note,severity\n"a ""quoted"", one\r\nwith lines",mild\n,critical\n', "severity"),
        (b'"two\nlines",severity\r\nx,mild\r\ny,critical\r\n', "severity"),
        (b"name,severity\nM\xfcller,mild\n\xf1,critical\n\n", "severity"),  # another column that is not UTF-8
        (b"a, severity ,b\n1, mild ,2\n3,critical,4\n", "severity"),
        (b"\xef\xbb\xbfseverity\nmild\ncritical\n\n\n", "severity"),
    ],
)
def test_everything_but_the_column_is_kept(tmp_path, content, column):
    (tmp_path / "in.csv").write_bytes(content)
    receipt = randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv", column=column, header="yes")
    found = (tmp_path / "out.csv").read_bytes()
    assert receipt.entry.rows == 2

    def rest(data):
        text = data.decode("utf-8", "surrogateescape")
        rows = [row for row in csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True)) if row]
        at = [cell.strip() for cell in rows[0]].index("severity")
        return (
            text.startswith("\ufeff"),
            rows[0],
            [row[:at] + row[at + 1 :] for row in rows],
            {row[at].strip() for row in rows[1:]},
        )

    assert rest(found)[:3] == rest(content)[:3]
    assert rest(found)[3] <= set(LABELS)
    assert found.count(b"\r\n") >= content.rstrip(b"\r\n").count(b"\r\n")
    assert found.startswith(content.split(b"severity")[0])  # byte order mark and quoting of the header


def test_a_file_without_header(tmp_path):
    (tmp_path / "in.csv").write_text("mild\ncritical\nmild\n")
    with pytest.raises(DataFileError, match="header"):  # else the first label would be kept in the clear
        randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv")
    randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv", header="no")
    assert len((tmp_path / "out.csv").read_text().split()) == 3


def test_a_first_line_that_may_be_a_label_is_not_kept_in_the_clear(tmp_path):
    (tmp_path / "in.csv").write_text("secret\nmild\nmild\n")
    with pytest.raises(DataFileError, match="--header yes if") as caught:
        randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv")
    assert "secret" not in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["in.csv"]
    randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv", header="yes")


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("severity\nmild\nsecret\nmild\nsecret\n", "3, 5"),
        ("severity\nmild\n\nmild\n", "3"),
        ("id,severity\n1,mild\n2,\n3,nan\n", "3, 4"),
        ("id,severity\n1,mild\n2\n", "3"),
        ('severity\n"mild\n', "CSV"),
        ("\x1f\x8b\x08", "gzip is not read"),
        ('severity\nmild\n"mild"x\n', "CSV"),
        ("", "header"),
        ("severity\n", "without rows"),
        ("severity,severity\nmild,mild\n", "2 columns"),
        ("x,y\nmild,mild\n", "0 columns"),
        ("\x00\n\x00\n", "0 columns"),
    ],
)
def test_bad_files_are_refused_before_anything_is_released(tmp_path, content, rows):
    (tmp_path / "in.csv").write_text(content)
    with pytest.raises((LabelError, DataFileError)) as caught:
        randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "out.csv", column="severity")
    assert rows in str(caught.value)
    assert "secret" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv"]


def test_no_column_named_among_several(tmp_path):
    with pytest.raises(DataFileError, match="column"):
        randomize_file(write_labels(tmp_path / "in.csv"), make_release(), tmp_path / "out.csv")


def test_what_cannot_be_read_or_written_is_a_typed_error(tmp_path, monkeypatch):
    source = write_labels(tmp_path / "in.csv")
    os.mkfifo(tmp_path / "fifo")
    absent = (tmp_path / "none.csv", tmp_path / ("x" * 300), "x" * 5000, "\0", "", ".", "/", source / "x")
    for path in (tmp_path / "fifo", tmp_path, *absent):
        with pytest.raises(DataFileError, match="file"):
            randomize_file(path, make_release(), tmp_path / "out.csv", column="severity")
        with pytest.raises(DataFileError, match="file"):
            estimate_file(path, make_release(), column="severity")
    for path in absent:
        with pytest.raises(DataFileError, match="file"):
            file_sha256(path)
    monkeypatch.chdir(tmp_path)
    for ledger in (tmp_path / "fifo", tmp_path, Path("/dev/zero"), "", ".", "/", "\0", "x" * 300, source / "x"):
        with pytest.raises(DataFileError, match="ledger"):
            randomize_file(source, make_release(), tmp_path / "out.csv", column="severity", ledger=ledger)
    for output in ("", source, tmp_path, tmp_path / "fifo", Path("/dev/full"), tmp_path / "no" / "such.csv"):
        with pytest.raises(DataFileError, match="output"):
            randomize_file(source, make_release(), output, column="severity")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fifo", "in.csv"]


def test_names_of_kept_columns_are_no_commands_to_the_terminal(tmp_path, capsys):
    (tmp_path / "in.csv").write_text("severity,\x1b[2Jid\nmild,1\nsevere,2\n")
    directory = save(make_release(), tmp_path / "design")
    run("randomize", tmp_path / "in.csv", "--channel", directory, "--column", "severity", "--output", tmp_path / "out")
    assert capsys.readouterr().err.splitlines()[0] == r"lpmech: kept as they are: '\x1b[2Jid'"


@pytest.mark.parametrize(("code", "tells"), [
    (lambda i, label: LABELS.index(label), True),  # a bijection
    (lambda i, label: f"{label}{i % 7}", True),  # a function of more texts than labels, each of which occurs again
    (lambda i, label: i, False),  # every text once: that tells nothing of anybody else
    (lambda i, label: 0 if i in (7, 8, 9) else LABELS.index(label), False),  # wrong in a few rows
    (lambda i, label: "x", False),
])  # fmt: skip
def test_a_column_that_tells_the_label_is_refused_unless_it_is_to_be_kept(tmp_path, capsys, code, tells):
    rows = [f"{i},{label},{code(i, label)}" for i, label in enumerate(random.Random(4).choices(LABELS, k=60))]
    (tmp_path / "in.csv").write_text("\n".join(["id,severity,code", *rows]) + "\n")
    directory = save(make_release(), tmp_path / "design")
    command = ("randomize", tmp_path / "in.csv", "--channel", directory, "--column", "severity", "--output")
    assert run(*command, tmp_path / "out.csv") == 2 * tells
    err = capsys.readouterr().err.splitlines()
    assert err[0] == "lpmech: kept as they are: id, code"
    assert (len(err), (tmp_path / "out.csv").exists()) == (1 + tells, not tells)
    if tells:
        assert "column code would be kept" in err[1]
        assert sorted(p.name for p in tmp_path.iterdir()) == ["design", "in.csv"]
        assert run(*command, tmp_path / "out.csv", "--keep-telltale", "absent") == 2
        assert run(*command, tmp_path / "out.csv", "--keep-telltale", "id") == 2
        assert run(*command, tmp_path / "out.csv", "--keep-telltale", "code") == 0


@pytest.mark.parametrize(("texts", "labels", "size", "tells"), [
    ("aabb", "1122", 2, True),
    ("abcd", "1122", 4, False),  # every text once, though there are no more than labels
    ("abca", "1231", 3, True),  # as many texts as labels, and one twice
    ("abca", "1231", 2, False),  # one more, and not all of them twice
    ("abcabc", "123123", 2, True),  # twice on average
    ("abcdabc", "1231123", 2, False),
    ("aaaa", "1111", 2, False),  # nobody has another label
    (["a", "a", " a", " a"], "1122", 2, False),  # blanks around a text are no other text
    ("aabba", "11222", 2, False),  # wrong in the last row alone
    ([f"{n // 2}" for n in range(4000)], [n // 2 % 3 for n in range(4000)], 3, True),
])  # fmt: skip
@pytest.mark.parametrize("position", [0, 1, 2])
def test_what_tells_the_label_by_hand(texts, labels, size, tells, position):
    """Catches a column on the other side of the label, or one of few labels or many texts, that is not looked at."""
    rows = [[text, text] for text in texts]
    for row, label in zip(rows, labels, strict=True):
        row.insert(position, str(label))
    header = ["left", "right"]
    header.insert(position, "label")
    telltale = Telltale(SimpleNamespace(header=header, position=position), size)
    for at in range(0, len(rows), 3):  # part by part, as files are read
        telltale.see(rows[at : at + 3], np.array([int(label) for label in labels[at : at + 3]]))
    assert telltale.positions == (tuple({0, 1, 2} - {position}) if tells else ())


# -- the ledger -------------------------------------------------------------------------------------------------------


def test_a_second_release_is_refused_and_again_adds_up(tmp_path):
    source, release = write_labels(tmp_path / "in.csv"), make_release()
    randomize_file(source, release, tmp_path / "1.csv", column="severity")
    (tmp_path / "copy.csv").write_bytes(source.read_bytes())
    reordered = [f"{line.split(',')[1]},x" for line in source.read_text().split()]
    (tmp_path / "other.csv").write_text("\n".join(reordered) + "\n")
    for path in (source, tmp_path / "copy.csv", tmp_path / "other.csv"):  # the file, its bytes, its labels
        with pytest.raises(SpentError, match="again"):
            randomize_file(path, release, tmp_path / "2.csv", column="severity")
        assert not (tmp_path / "2.csv").exists()
    turned = make_release(tuple(reversed(LABELS)))  # a design with the labels in another order
    with pytest.raises(SpentError, match="again"):
        randomize_file(tmp_path / "other.csv", turned, tmp_path / "2.csv", column="severity")
    with source.open("a") as file:
        file.write("200,mild\n")
    with pytest.raises(SpentError):  # the file has grown, its people have paid
        randomize_file(source, release, tmp_path / "2.csv", column="severity")
    receipt = randomize_file(source, release, tmp_path / "2.csv", column="severity", again=True)
    assert receipt.total == 2 * amount_of(release.spent.release)
    other = write_labels(tmp_path / "others.csv", seed=1)  # other people in the same directory
    assert randomize_file(other, release, tmp_path / "3.csv", column="severity").total == amount_of(
        release.spent.release
    )


def test_a_damaged_ledger_is_not_taken_for_an_empty_one(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    given = asdict(entry("release", "1"))
    entries = (
        {"kind": "gift"},
        5,
        given | {"epsilon": 5},
        given | {"rows": "x"},
        given | {"choice": 5},
        given | {"file": 1},
    )
    ledgers = [json.dumps({"format": "lpmech-ledger", "version": 1, "entries": [item]}) for item in entries]
    for text in ("", "{}", "[" * 10**5, *ledgers):
        ledger_beside(source).write_text(text)
        with pytest.raises(DataFileError, match="ledger"):
            randomize_file(source, make_release(), tmp_path / "out.csv", column="severity")
        assert ledger_beside(source).read_text() == text


def test_designs_and_ledgers_without_names_of_purchases_are_read(tmp_path):
    release = private_release("sequential")
    data = json.loads(release.to_json())
    del data["spent"]["purchase"]
    data["seal"] = seal_of(data)
    assert Release.from_json(json.dumps(data)) == release
    for wrong in ("x", 5, "A" * 32):
        data["spent"]["purchase"] = wrong
        data["seal"] = seal_of(data)
        with pytest.raises(ReleaseError, match="purchase"):
            Release.from_json(json.dumps(data))
    old = {
        "kind": "release",
        "when": "",
        "file": "in.csv",
        "column": "",
        "file_sha256": "b" * 64,
        "labels_sha256": None,
    }
    old |= {"rows": 1, "epsilon": "1"}
    (tmp_path / "ledger.json").write_text(json.dumps({"format": "lpmech-ledger", "version": 1, "entries": [old]}))
    book = Ledger.read(tmp_path / "ledger.json")
    assert book.entries == (replace(entry("release", "1"), file_digest=keyed(book.key, "b" * 64)),)


def entry(kind, epsilon, prior=None, prior_epsilon=None, composition=None, purchase=None):
    named = {"purchase": purchase}
    return Entry(kind, "", "in.csv", "", "b" * 64, None, 1, epsilon, prior, prior_epsilon, composition, **named)


@pytest.mark.parametrize(
    ("entries", "total"),
    [
        ([], "0"),
        ([entry("release", "1"), entry("release", "0.5")], "1.5"),
        # counted rows paid 0.2 and no release: the others paid the release
        ([entry("prior", "0.2", "p", "0.2", "parallel"), entry("release", "1", "p", "0.2", "parallel")], "1"),
        ([entry("prior", "0.2", "p", "0.2", "parallel")], "0.2"),
        ([entry("prior", "0.2", "p", "0.2", "sequential"), entry("release", "1", "p", "0.2", "sequential")], "1.2"),
        ([entry("release", "1", "p", "0.2", "sequential"), entry("release", "1", "p", "0.2", "sequential")], "2.2"),
        # two parallel designs: a row counted for the first paid 0.2 and the second release, 0.5
        (
            [
                entry("release", "1", "p", "0.2", "parallel"),
                entry("release", "0.5", "q", "3", "parallel"),
                entry("release", "0.25"),
            ],
            "4.25",
        ),
        # equal noisy counts, bought twice: without names nobody knows which one the release goes with
        ([entry("prior", "0.5", "p", "0.5", "sequential"), entry("prior", "0.25", "p", "0.25", "sequential")], "0.75"),
        (
            [*[entry("prior", "0.5", "p", "0.5", "sequential")] * 2, entry("release", "1", "p", "0.5", "sequential")],
            "2",
        ),
        ([*[entry("prior", "0.5", "p", "0.5", "parallel")] * 2, entry("release", "1", "p", "0.5", "parallel")], "2"),
        (
            [
                entry("prior", "0.5", "p", "0.5", "parallel", "A"),
                entry("prior", "0.25", "p", "0.25", "parallel", "B"),
                entry("release", "1", "p", "0.5", "parallel", "A"),
            ],
            "1.25",
        ),
    ],
)
def test_totals(entries, total):
    assert total_of(entries) == Fraction(total)


def test_rows_counted_for_the_prior_are_left_out(tmp_path):
    source, release = write_labels(tmp_path / "in.csv", rows=1000), private_release("parallel")
    with pytest.raises(SpentError, match="--new-rows"):
        randomize_file(source, release, tmp_path / "out.csv", column="severity")
    choice = RowChoice.draw("1/4")
    counted = choice.masks()(1000)
    record_prior(source, PRIOR, release.spent, rows=int(counted.sum()), column="severity", choice=choice)
    receipt = randomize_file(source, release, tmp_path / "out.csv", column="severity")
    kept = [int(line.split(",")[0]) for line in (tmp_path / "out.csv").read_text().split()[1:]]
    assert kept == np.flatnonzero(~counted).tolist()
    assert 150 < receipt.left_out < 350  # 250 expected, standard deviation 14
    assert receipt.total == Fraction("0.7")
    choice_masks = choice.masks()
    assert np.concatenate([choice_masks(300), choice_masks(700)]).tolist() == counted.tolist()
    others = write_labels(tmp_path / "others.csv", seed=3)
    with pytest.raises(SpentError, match=r"in\.csv"):
        randomize_file(others, release, tmp_path / "o.csv", column="severity")
    assert randomize_file(others, release, tmp_path / "o.csv", column="severity", new_rows=True).left_out == 0


@pytest.mark.parametrize("named", [True, False])
def test_equal_noisy_counts_do_not_mix_up_the_rows_that_paid(tmp_path, named):
    source, release = write_labels(tmp_path / "in.csv", rows=400), private_release("parallel")
    purchases, choices = ("a" * 32, "b" * 32) if named else (None, None), (RowChoice.draw("1/4"), RowChoice.draw("1/4"))
    paid = [replace(release.spent, purchase=purchase) for purchase in purchases]
    for spent, choice in zip(paid, choices, strict=True):
        record_prior(source, PRIOR, spent, rows=100, choice=choice)
    receipt = randomize_file(source, replace(release, spent=paid[0]), tmp_path / "out.csv", column="severity")
    kept = {int(line.split(",")[0]) for line in (tmp_path / "out.csv").read_text().split()[1:]}
    first, second = (choice.masks()(400) for choice in choices)
    assert kept == set(np.flatnonzero(~first if named else ~(first | second)).tolist())
    assert receipt.total == Fraction("0.9" if named else "1.1")  # a row counted twice, or once and released


def test_every_purchase_of_equal_noisy_counts_is_in_the_total(tmp_path, capsys, monkeypatch):
    source = tmp_path / "in.csv"
    source.write_text("severity\n" + "mild\n" * 9)
    monkeypatch.setattr("lpmech.release.private_counts.noisy", lambda counts, spend: BoughtCounts((9, 0), 9))
    for name, epsilon, spend in (("one", 3, 0.5), ("two", 2.51, 0.01)):
        private = ("--counts-are", "private", "--spend", spend, "--order", "mild,severe", "--column", "severity")
        assert run("design", source, "--epsilon", epsilon, *private, "--output", tmp_path / name) == 0
    given = ("--column", "severity", "--output", tmp_path / "out.csv")
    assert run("randomize", source, "--channel", tmp_path / "two", *given) == 0
    assert "by now: epsilon = 3.01" in capsys.readouterr().out


def test_several_columns_of_the_same_people_add_up(tmp_path):
    rows = [f"{label},{LABELS[n % 3]}" for n, label in enumerate(random.Random(3).choices(LABELS, k=50))]
    source = tmp_path / "in.csv"
    source.write_text("\n".join(["before,after", *rows]) + "\n")
    one, other = make_release(), make_release(ratio=3)
    randomize_file(source, one, tmp_path / "1.csv", column="before")
    with pytest.raises(SpentError, match="column before"):
        randomize_file(source, other, tmp_path / "2.csv", column="after")
    receipt = randomize_file(source, other, tmp_path / "2.csv", column="after", again=True)
    assert receipt.total == amount_of(one.spent.release) + amount_of(other.spent.release)


def test_all_rows_counted_for_a_parallel_prior_are_not_released(tmp_path):
    source, release = write_labels(tmp_path / "in.csv"), private_release("parallel")
    record_prior(source, PRIOR, release.spent, rows=200)
    with pytest.raises(SpentError, match="every row"):
        randomize_file(source, release, tmp_path / "out.csv", column="severity")


def test_from_private_labels_to_released_ones(tmp_path, capsys):
    # the counted tenth is left out, whatever the design made of it; the ledger knows both
    source = write_labels(tmp_path / "in.csv", rows=1000)
    private = ("--counts-are", "private", "--spend", "0.3", "--composition", "parallel", "--share", "0.1")
    order = ("--column", "severity", "--order", "mild,moderate,critical")
    assert run("design", source, "--epsilon", 1, *private, *order, "--output", tmp_path / "design") == 0
    counted = Ledger.read(ledger_beside(source)).entries[0]
    command = ("randomize", source, "--channel", tmp_path / "design", "--column", "severity")
    capsys.readouterr()
    assert run(*command, "--output", tmp_path / "out.csv") == 0
    kept = [int(line.split(",")[0]) for line in (tmp_path / "out.csv").read_text().split()[1:]]
    assert kept == np.flatnonzero(~counted.choice.masks()(1000)).tolist()
    assert counted.rows == 1000 - len(kept)
    shown = capsys.readouterr().out
    assert f"left out {counted.rows} rows" in shown
    assert "epsilon = 1, the prior included (parallel composition)" in shown


def test_a_design_with_bins_is_followed(tmp_path):
    (tmp_path / "counts.csv").write_text("income\n" + "\n".join(str(n) for n in range(100)) + "\n")
    public = ("--counts-are", "public", "--bins", "0,10,50,99.5", "--column", "income")
    assert run("design", tmp_path / "counts.csv", "--epsilon", 1, *public, "--output", tmp_path / "design") == 0
    release = Release.load(tmp_path / "design")
    assert release.labels == ("5", "30", "74.75")
    assert release.index.codes([0, 9.99, "10", 50, 99.5]).tolist() == [0, 0, 1, 2, 2]  # each bin has its lower edge
    with pytest.raises(LabelError, match="positions 0, 1, 2"):
        release.index.codes([-0.1, 99.6, "x"])
    bins, record = tmp_path / "design" / "bins.csv", tmp_path / "design" / "release.json"
    # other bins would give other people's labels to the same numbers
    for changed in (
        "label,from,to\n5,0,11\n30,11,50\n74.75,50,99.5\n",
        "label,from,to\n5,0,10\n30,11,50\n74.75,50,99\n",
    ):
        bins.write_text(changed)
        with pytest.raises(ReleaseError, match="it was changed since"):
            Release.load(tmp_path / "design")
    digest = hashlib.sha256(bins.read_bytes()).hexdigest()
    record.write_text(replace(release, files={**release.files, "bins.csv": digest}).to_json())
    with pytest.raises(ReleaseError, match="adjoining"):
        Release.load(tmp_path / "design")
    bins.unlink()
    with pytest.raises(DataFileError, match=r"bins\.csv"):
        Release.load(tmp_path / "design")
    os.mkfifo(bins)
    with pytest.raises(DataFileError, match=r"bins\.csv"):
        Release.load(tmp_path / "design")
    record.write_text(replace(release, files={}).to_json())
    with pytest.raises(ReleaseError, match=r"no file that release\.json does not name"):
        Release.load(tmp_path / "design")


def test_a_sequential_prior_adds_up(tmp_path):
    receipt = randomize_file(
        write_labels(tmp_path / "in.csv"), private_release("sequential"), tmp_path / "out.csv", column="severity"
    )
    assert (receipt.total, receipt.left_out) == (Fraction("0.9"), 0)


# -- whole or not there -----------------------------------------------------------------------------------------------


def run_and_report(source, output, wait=0.0):
    """In a process of its own: 0 released, 3 refused because spent, 4 another typed error, 5 interrupted."""
    time.sleep(wait)
    try:
        randomize_file(source, make_release(), output, column="severity")
    except SpentError:
        os._exit(3)
    except DataFileError:
        os._exit(4)
    except KeyboardInterrupt:
        os._exit(5)
    os._exit(0)


def start(*arguments, target=run_and_report):
    process = children.Process(target=target, args=arguments)
    process.start()
    return process


def ended(process):
    """How a child ended; it is given a minute."""
    process.join(60)
    assert process.exitcode is not None, "a child that does not end"
    return process.exitcode


def files_without_a_name(directory):
    """Whether the file system has them, so that a killed process leaves none."""
    try:
        os.close(os.open(directory, os.O_TMPFILE | os.O_RDWR))
    except (OSError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_stopped_at_any_moment_the_output_is_whole_and_in_the_ledger_or_not_there(tmp_path, how):
    nameless = files_without_a_name(tmp_path)
    ended(start(write_labels(tmp_path / "warm.csv"), tmp_path / "warm-out.csv"))
    begin = time.monotonic()
    ended(start(write_labels(tmp_path / "first.csv", rows=15_000), tmp_path / "out.csv"))
    needed = time.monotonic() - begin
    ends, delay = set(), needed / 12
    for n in range(16):
        place = tmp_path / str(n)
        place.mkdir()
        source = write_labels(place / "in.csv", rows=15_000, seed=n)
        process = start(source, place / "out.csv")
        time.sleep(delay)
        with suppress(ProcessLookupError):  # it has ended
            os.kill(process.pid, how)
        ends.add(ended(process) == 0)
        delay = delay / 2 if process.exitcode == 0 else 1.25 * delay + needed / 12  # it may take longer than `needed`
        entries = Ledger.read(ledger_beside(source)).entries
        names = {p.name for p in place.iterdir()} - BESIDE
        found = names, len(entries), process.exitcode
        if (place / "out.csv").exists():
            assert len((place / "out.csv").read_text().splitlines()) == 15_001
            assert len(entries) == 1, found
        if how == signal.SIGINT:
            assert process.exitcode in (0, 5, 1, -2), found  # 1, -2: before or after the release itself
        if nameless:
            assert not any(name.startswith(".") for name in names) or how == signal.SIGKILL, found
        if how != signal.SIGKILL:  # it ended by itself: whole and entered, or neither
            whole = {"in.csv", "out.csv", "out.csv.design.json", "lpmech-ledger.json"}
            assert names == (whole if entries else {"in.csv"}), found
        else:  # killed: epsilon may have been spent without a release, never the other way round
            assert len(entries) <= 1, found
        if n >= 4 and len(ends) > 1:
            return
    pytest.fail("some runs have to be stopped, and some to end")


def test_two_processes_release_a_file_once(tmp_path):
    for n in range(4):
        source = write_labels(tmp_path / f"{n}.csv", rows=3000, seed=n)
        both = [start(source, tmp_path / f"{n}-{who}.csv") for who in "ab"]
        assert sorted(map(ended, both)) == [0, 3]
        assert len(list(tmp_path.glob(f"{n}-*.csv"))) == 1
    assert len(Ledger.read(tmp_path / "lpmech-ledger.json").entries) == 4
    assert not list(tmp_path.glob(".[0-9]*"))


def limited(source, output, size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    run_and_report(source, output)


@pytest.mark.parametrize("size", [100, 4000, 0])  # too little for the output; for the ledger too
def test_full_disk_leaves_nothing(tmp_path, size):
    source = write_labels(tmp_path / "in.csv", rows=3000)
    assert ended(start(source, tmp_path / "out.csv", size, target=limited)) == 4
    assert {p.name for p in tmp_path.iterdir()} - BESIDE == {"in.csv"}


@pytest.mark.parametrize("output", ["\x00", "\ud800", "a" * 300, "", "."])
def test_a_name_that_no_file_can_have(tmp_path, output):
    with pytest.raises(DataFileError):
        randomize_file(write_labels(tmp_path / "in.csv"), make_release(), tmp_path / output, column="severity")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv"]


def test_a_hidden_file_serves_where_there_are_none_without_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr("lpmech.files.whole._nameless", lambda directory: None)
    randomize_file(write_labels(tmp_path / "in.csv"), make_release(), tmp_path / "out.csv", column="severity")
    with pytest.raises(SpentError):
        randomize_file(tmp_path / "in.csv", make_release(), tmp_path / "2.csv", column="severity")
    names = {p.name for p in tmp_path.iterdir()} - BESIDE
    assert names == {"in.csv", "out.csv", "out.csv.design.json", "lpmech-ledger.json"}
    assert (tmp_path / "out.csv").stat().st_mode == (tmp_path / "in.csv").stat().st_mode


def test_a_ledger_that_cannot_be_written_stops_the_release(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    with pytest.raises(DataFileError, match="ledger"):
        randomize_file(
            source, make_release(), tmp_path / "out.csv", column="severity", ledger=tmp_path / "no" / "ledger.json"
        )
    assert not (tmp_path / "out.csv").exists()


def test_an_output_that_appears_meanwhile_takes_the_entry_back(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    with pytest.raises(DataFileError, match="output"):
        randomize_file(
            source,
            make_release(),
            tmp_path / "out.csv",
            column="severity",
            progress=lambda count: (tmp_path / "out.csv").touch(),
        )
    assert Ledger.read(ledger_beside(source)).entries == ()


def test_a_file_that_changes_meanwhile_is_refused(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    passes = []

    def change(count):
        passes.append(count)
        if len(passes) == 1:
            write_labels(source, seed=5)

    with pytest.raises(DataFileError, match="change"):
        randomize_file(source, make_release(), tmp_path / "out.csv", column="severity", progress=change)
    assert not (tmp_path / "out.csv").exists()


# -- the command ------------------------------------------------------------------------------------------------------


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return ended.value.code


def test_the_command(tmp_path, capsys):
    source = write_labels(tmp_path / "in.csv")
    directory = save(make_release(), tmp_path / "design")
    command = ["randomize", source, "--channel", directory, "--column", "severity", "--output"]
    assert run(*command, tmp_path / "out.csv") == 0
    out = capsys.readouterr().out
    assert "released 200 labels" in out
    assert "epsilon = 0.693147180561" in out
    assert run(*command, tmp_path / "out2.csv") == 2
    assert "--again" in capsys.readouterr().err
    assert run(*command, tmp_path / "out2.csv", "--again") == 0
    assert "1.386294361122" in capsys.readouterr().out
    entries = json.loads((tmp_path / "lpmech-ledger.json").read_text())["entries"]
    assert [e["output"] for e in entries] == ["out.csv", "out2.csv"]
