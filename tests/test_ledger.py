"""The ledger never understates, tells nothing without its key, and knows rows again."""

import csv
import errno
import fcntl
import hashlib
import hmac
import itertools
import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_randomizing import PRIOR, private_release, run, write_labels
from test_release import LABELS, make_release, save

from lpmech.errors import DataFileError, LpmechError, SpentError
from lpmech.files.parts import new_part, remove_leftovers
from lpmech.files.whole import write_directory
from lpmech.labels.counts import LabelCounts
from lpmech.labels.reading import Reading
from lpmech.release import Spent
from lpmech.release.fingerprints import Digests, hashes_of
from lpmech.release.ledger import Ledger, key_beside, ledger_beside
from lpmech.release.purchases import buy, record_prior
from lpmech.release.randomizing import randomize_file

COLUMN = {"column": "severity"}
RELEASE = make_release()
ONE = Fraction(RELEASE.spent.release)  # ln 2, rounded up


def released(source, output, **options):
    return randomize_file(source, RELEASE, output, **COLUMN, **options)


def write_rows(path, rows, header="id,severity"):
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def people(numbers, seed=0):
    """Rows id,label that depend on the number alone."""
    return [f"{n},{random.Random(f'{seed} {n}').choice(LABELS)}" for n in numbers]


# -- system calls that fail -------------------------------------------------------------------------------------------

#: Whatever is called between the first look and the last; `flock` and `open` by themselves.
CALLS = [
    "open",
    "close",
    "link",
    "rename",
    "replace",
    "unlink",
    "fsync",
    "fchmod",
    "chmod",
    "fstat",
    "stat",
    "lstat",
    "listdir",
    "mkdir",
    "rmdir",
    "access",
]


#: Those that change nothing, so that it does not matter whether they had worked.
ONLY_LOOKING = {"fstat", "stat", "lstat", "listdir", "access"}


class Failing:
    """One call of many fails: before it does anything, or after it has worked."""

    def __init__(self, patch, at, after, error=errno.EIO):
        self.count, self.failed = 0, None
        patch.setattr(os, "fsync", lambda handle: None)  # takes its time
        for module, name in [*((os, name) for name in CALLS), (fcntl, "flock"), *((m, "open") for m in self.opening())]:
            patch.setattr(module, name, self.wrapped(getattr(module, name), name, at, after, error))

    @staticmethod
    def opening():
        import builtins
        import io

        return builtins, io

    def wrapped(self, real, name, at, after, error):
        def call(*args, **kwargs):
            if after and name in ONLY_LOOKING:
                return real(*args, **kwargs)
            self.count += 1
            if self.count != at:
                return real(*args, **kwargs)
            self.failed = f"{name}{args[:2]}"
            if after:
                real(*args, **kwargs)
            raise OSError(error, os.strerror(error))

        return call


def each_failure(tmp_path, prepare, act, check, error=errno.EIO):
    """Let every call fail in turn, both ways: `check` gets the place, what failed and what was raised."""
    for after in (False, True):
        for at in itertools.count(1):
            place = tmp_path / f"{at}-{after}"
            place.mkdir()
            prepare(place)
            raised = None
            with pytest.MonkeyPatch.context() as patch:
                failing = Failing(patch, at, after, error)
                try:
                    act(place)
                except (LpmechError, OSError) as exc:
                    raised = exc
            if failing.failed is None:
                assert at > 10
                break
            check(place, f"{failing.failed}, after: {after}", raised)


@pytest.mark.parametrize("nameless", [True, False])
def test_whatever_fails_labels_that_are_out_are_in_the_ledger(tmp_path, nameless, monkeypatch):
    # would catch: an entry taken back after the link, a link that worked and reported an error, a run that fails and
    # cannot be repeated, an error without a type
    if not nameless:
        monkeypatch.setattr("lpmech.files.whole._nameless", lambda directory: None)

    def prepare(place):
        write_labels(place / "in.csv", rows=5)
        (place / "out").mkdir()

    def act(place):
        released(place / "in.csv", place / "out" / "out.csv")

    def check(place, failed, raised):
        entries = Ledger.read(place / "lpmech-ledger.json").entries
        out = place / "out" / "out.csv"
        assert len(entries) == out.exists() == (raised is None), (failed, raised, entries)
        if raised is not None:
            act(place)
            entries = Ledger.read(place / "lpmech-ledger.json").entries
        assert (len(entries), len(out.read_text().splitlines())) == (1, 6), failed
        for directory in (place, out.parent):
            remove_leftovers(directory)
            assert not [p.name for p in directory.iterdir() if p.name.endswith(".part")], failed

    each_failure(tmp_path, prepare, act, check)


def test_where_nobody_can_say_whether_the_labels_are_out_the_entry_stays(tmp_path, monkeypatch):
    # the link works and reports an error, and so does whoever looks for it
    source, out = write_labels(tmp_path / "in.csv"), tmp_path / "out.csv"
    real = os.link, os.lstat

    def link(aside, place, **kwargs):
        real[0](aside, place, **kwargs)
        if Path(place) == out:
            monkeypatch.setattr(os, "lstat", lstat)
            raise OSError(errno.EIO, "Input/output error")

    def lstat(path, **kwargs):
        if Path(path) == out:
            raise OSError(errno.EIO, "Input/output error")
        return real[1](path, **kwargs)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(DataFileError, match="output"):
        released(source, out)
    assert out.exists()
    assert len(Ledger.read(ledger_beside(source)).entries) == 1


def test_whatever_fails_noisy_counts_that_are_known_are_in_the_ledger(tmp_path):
    counts, how = LabelCounts(("a", "b"), (3, 2)), Reading(column="x", order="a,b")

    def act(place):
        sha256 = hashlib.sha256((place / "in.csv").read_bytes()).hexdigest()
        return buy(place / "in.csv", sha256, counts, Spent.on("1", "0.5", "sequential", "a" * 32), how)

    bought = {}

    def known(place):
        bought[place] = act(place)

    def check(place, failed, raised):
        entries = Ledger.read(place / "lpmech-ledger.json").entries
        assert (place in bought) == (raised is None), failed
        if raised is None:
            assert [entry.noisy.counts for entry in entries] == [bought[place].bought.counts], failed
        again = act(place)
        assert again.total == Fraction("0.5"), failed  # nobody saw other counts: no second purchase
        assert raised is not None or again.bought == bought[place].bought, failed

    each_failure(tmp_path, lambda place: (place / "in.csv").write_text("x\na\nb\na\na\nb\n"), known, check)


@pytest.mark.parametrize("before", [False, True])
def test_whatever_fails_a_directory_is_whole_or_as_it_was(tmp_path, before):
    files = {"a": "new", "b": "new"}

    def prepare(place):
        if before:
            write_directory(place / "out", {"a": "old", "b": "old"})

    def act(place):
        write_directory(place / "out", files, replaceable="ab")

    def check(place, failed, raised):
        found = {p.name: p.read_text() for p in (place / "out").iterdir()} if (place / "out").exists() else {}
        old = {"a": "old", "b": "old"} if before else {}
        assert found == (old if raised else files), (failed, raised)
        act(place)
        assert [p.name for p in place.iterdir()] == ["out"], failed

    each_failure(tmp_path, prepare, act, check)


def test_a_directory_that_cannot_be_read_is_no_reason_to_forget(tmp_path, monkeypatch):
    # root may read everything: so the system says no by itself
    source, out = write_labels(tmp_path / "in.csv"), tmp_path / "out"
    out.mkdir()
    real = os.open

    def closed(path, flags, *args, **kwargs):
        if Path(path) in (out, tmp_path) and not flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *args, **kwargs)

    flushed = []
    monkeypatch.setattr(os, "open", closed)
    monkeypatch.setattr(os, "sync", lambda: flushed.append(ledger_beside(source).exists()))
    released(source, out / "1.csv")
    assert any(flushed)  # the entry is on the disk, though its directory cannot be opened
    with pytest.raises(SpentError):
        released(source, out / "2.csv")


# -- who may read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "most"), [(0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o400, 0o600)])
@pytest.mark.parametrize("nameless", [True, False])
def test_nobody_may_read_who_may_not_read_the_data(tmp_path, mode, most, nameless, monkeypatch):
    if not nameless:
        monkeypatch.setattr("lpmech.files.whole._nameless", lambda directory: None)
    source = write_labels(tmp_path / "in.csv")
    source.chmod(mode)
    while_written = set()
    real = os.replace

    def seen(part, target):
        while_written.add(stat.S_IMODE(os.stat(part).st_mode))
        real(part, target)

    monkeypatch.setattr(os, "replace", seen)
    before = os.umask(0o022)
    try:
        released(source, tmp_path / "out.csv")
        record_prior(source, PRIOR, private_release("sequential").spent, rows=3)
    finally:
        os.umask(before)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir() if p != source}
    assert {"out.csv", "out.csv.design.json", "lpmech-ledger.json", "lpmech-ledger.json.key"} < set(modes)
    assert not [name for name, found in modes.items() if found & ~most], modes
    assert not [found for found in while_written if found & ~most]
    assert modes["lpmech-ledger.json.key"] == 0o600


def test_a_key_put_back_from_a_copy_is_closed_again(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "1.csv")
    key_beside(ledger_beside(source)).chmod(0o644)
    released(source, tmp_path / "2.csv", again=True)
    assert stat.S_IMODE(key_beside(ledger_beside(source)).stat().st_mode) == 0o600


def test_by_whatever_name_a_ledger_has_one_lock_and_one_key(tmp_path):
    # two locks for one ledger: of two processes the second would overwrite the first one's entry
    (tmp_path / "data").mkdir()
    source, link = write_labels(tmp_path / "data" / "in.csv"), tmp_path / "link.json"
    link.symlink_to(ledger_beside(source))
    released(source, tmp_path / "1.csv", ledger=link)
    with pytest.raises(SpentError):
        released(source, tmp_path / "2.csv")
    assert {p.name for p in tmp_path.iterdir()} == {"data", "link.json", "1.csv", "1.csv.design.json"}


def test_a_ledger_gets_stricter_with_the_data_and_never_laxer(tmp_path):
    first, second = write_labels(tmp_path / "a.csv"), write_labels(tmp_path / "b.csv", seed=1)
    second.chmod(0o600)
    for source in (first, second, first):
        released(source, tmp_path / f"{time.monotonic_ns()}.csv", again=True)
    assert stat.S_IMODE(ledger_beside(first).stat().st_mode) == 0o600


def guesses(rows, at):
    """Every text a hash could be of, were there no key, for each label that one row may have."""
    for label in LABELS:
        labels = [*rows[:at], label, *rows[at + 1 :]]
        codes = [LABELS.index(name) for name in labels]
        whole = "severity\n" + "\n".join(labels) + "\n"
        yield (
            label,
            [
                whole.encode(),
                "\0".join(LABELS).encode() + np.array(codes, dtype="<i8").tobytes(),
                "".join(f"{name}\0" for name in labels).encode(),
                label.encode(),
            ],
        )


@pytest.mark.parametrize("version", [1, 2])
def test_the_ledger_alone_does_not_tell_the_one_label_that_is_unknown(tmp_path, version):
    # the attack on version 1: all labels but one are known, and a hash says which the last one is
    labels = ["mild", "critical", "mild", "mild", "critical", "critical", "moderate", "mild", "critical"]
    source = write_rows(tmp_path / "in.csv", labels, "severity")
    released(source, tmp_path / "out.csv")
    ledger = ledger_beside(source)
    if version == 1:  # as it was written then, made from what is hashed
        data = json.loads(ledger.read_text())
        entry = {key: value for key, value in data["entries"][0].items() if not key.endswith(("digest", "known"))}
        del entry["noisy"]
        texts = next(texts for label, texts in guesses(labels, 6) if label == "moderate")
        shas = [hashlib.sha256(text).hexdigest() for text in texts]
        entry |= {"file_sha256": shas[0], "labels_sha256": shas[1], "texts_sha256": shas[2]}
        ledger.write_text(json.dumps({"format": "lpmech-ledger", "version": 1, "entries": [entry]}))
        key_beside(ledger).unlink()
        assert told(ledger.read_text(), labels) == {"moderate"}  # the attack works where it can
        (tmp_path / "copy.csv").write_bytes(source.read_bytes())
        for known in (source, tmp_path / "copy.csv"):
            with pytest.raises(SpentError):
                released(known, tmp_path / "2.csv")
        released(source, tmp_path / "2.csv", again=True)
        assert json.loads(ledger.read_text())["version"] == 2
        assert Ledger.read(ledger).entries[0].labels_digest == Ledger.read(ledger).entries[1].labels_digest
    assert not told(ledger.read_text(), labels)


def told(text, labels):
    """The labels that an attacker without the key takes the unknown one for: by hashes, and by how often rows occur."""
    found = set()
    for label, texts in guesses(labels, 6):
        for one in texts:
            candidates = {hashlib.new(name, one).hexdigest() for name in ("sha256", "sha1", "blake2b", "sha512")}
            candidates |= {hashlib.blake2b(one, digest_size=size).hexdigest() for size in (8, 16, 32)}
            candidates |= {hmac.new(b"", one, "sha256").hexdigest()}
            found |= {label} if any(candidate in text for candidate in candidates) else set()
    hashes = [hashes_of(packed) for packed in json.loads(text).get("hashes", {}).values()]
    for (
        known
    ) in hashes:  # equal rows must not have equal hashes: the numbers of each would show which label is one more
        assert len(np.unique(known)) == len(known)
        assert (np.diff(known.astype(object)) > 0).all()  # in an order that tells nothing of that of the rows
    return found


def test_a_lost_key_is_no_empty_ledger(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "out.csv")
    key = key_beside(ledger_beside(source))
    text = key.read_text()
    for wrong in (None, "0" * 64 + "\n", "x", "", "é"):
        key.unlink()
        if wrong is not None:
            key.write_text(wrong)
        with pytest.raises(DataFileError, match="key") as caught:
            released(write_labels(tmp_path / "others.csv", seed=1), tmp_path / "2.csv")
        if wrong is None:
            assert "put it back from a copy" in str(caught.value)
            assert f"epsilon = {float(ONE)} as spent" in caught.value.allowed
            key.touch()
    key.write_text(text)
    with pytest.raises(SpentError):
        released(source, tmp_path / "2.csv")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"epsilon": "1e999"}, "1e999"),
        ({"epsilon": "701"}, "701"),
        ({"epsilon": "0"}, "'0'"),
        ({"epsilon": "-1"}, "-1"),
        ({"epsilon": "nan"}, "nan"),
        ({"epsilon": 1.0}, "1.0"),
        ({"epsilon": float("nan")}, "NaN"),
        ({"prior_epsilon": "1e999"}, "1e999"),
        ({"rows": -1}, "-1"),
        ({"rows": 10**30}, "rows"),
        ({"rows": True}, "True"),
        ({"rows": 1.5}, "1.5"),
        ({"rows_known": "x"}, "hashes"),
        ({"unknown": 1}, "unknown"),
        ({"noisy": {"asked": "", "labels": ["a"], "counts": [1, 2]}}, "counts"),
        ({"choice": {"seed": "0", "share": "2"}}, "share"),
        ({"prior_epsilon": ""}, "epsilon"),  # what nobody could add up
        ({"kind": "prior"}, "prior_epsilon"),
        ({"prior_epsilon": "0.2", "composition": "sequential"}, "purchase"),
        ({"prior_epsilon": "0.2", "composition": "other", "purchase": "p"}, "composition"),
        ({"kind": "prior", "prior_epsilon": "0.2", "composition": "parallel", "purchase": "p"}, "prior_epsilon"),
    ],
)
def test_an_entry_that_nobody_wrote_is_refused_by_its_number(tmp_path, change, named):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "1.csv")
    released(source, tmp_path / "2.csv", again=True)
    ledger = ledger_beside(source)
    data = json.loads(ledger.read_text())
    data["entries"][1] |= change
    ledger.write_text(json.dumps(data))
    with pytest.raises(DataFileError, match="ledger") as caught:
        released(source, tmp_path / "3.csv", again=True)
    assert named in caught.value.allowed
    assert "entry 2" in caught.value.allowed or named == "NaN"
    assert json.loads(ledger.read_text()) != {}
    assert not (tmp_path / "3.csv").exists()


@pytest.mark.parametrize("entries", ["", {}, None, 0])
def test_a_ledger_without_a_list_of_entries_is_no_empty_one(tmp_path, entries):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "1.csv")
    ledger = ledger_beside(source)
    ledger.write_text(json.dumps(json.loads(ledger.read_text()) | {"entries": entries}))
    with pytest.raises(DataFileError, match="ledger"):
        released(source, tmp_path / "2.csv")


@pytest.mark.parametrize("key", ["epsilon", "entries", "hashes"])
def test_a_key_that_stands_there_twice_is_refused(tmp_path, key):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "1.csv")
    ledger = ledger_beside(source)
    twice = ledger.read_text().replace(f'"{key}": ', f'"{key}": "0.1", "{key}": ', 1)
    ledger.write_text(twice)
    with pytest.raises(DataFileError, match="every key once"):
        released(source, tmp_path / "2.csv", again=True)
    assert ledger.read_text() == twice


# -- what killed runs leave -------------------------------------------------------------------------------------------

WRITING = """
import os, sys, time
from lpmech.files import {module} as module
real = module.os.{call}
def waiting(*args, **kwargs):
    if {before}: print("there", flush=True); time.sleep(60)
    found = real(*args, **kwargs)
    print("there", flush=True)
    time.sleep(60)
module.os.{call} = waiting
from pathlib import Path
from lpmech.release import Release
from lpmech.release.randomizing import randomize_file
import lpmech.files.whole as whole
if {hidden}: whole._nameless = lambda directory: None
randomize_file(sys.argv[1], Release.load(sys.argv[2]), sys.argv[3], column="severity")
"""


@pytest.mark.parametrize(("call", "before", "hidden"), [
    ("fsync", True, False),  # the key, or the ledger, is being written
    ("replace", True, False),
    ("fsync", True, True),  # the output, under a hidden name
    ("link", True, True),
    ("link", False, True),  # it is out, and has its hidden name still
])  # fmt: skip
def test_what_a_killed_run_leaves_is_removed_by_the_next(tmp_path, call, before, hidden):
    source, design = write_labels(tmp_path / "in.csv", rows=50), save(make_release(), tmp_path / "design")
    code = WRITING.format(module="whole", call=call, before=before, hidden=hidden)
    command = [sys.executable, "-c", code, str(source), str(design), str(tmp_path / "out.csv")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "there\n"
        mine = [p for p in tmp_path.iterdir() if p.name.endswith(".part")]
        others = write_labels(tmp_path / "others.csv", seed=1)
        released(others, tmp_path / "o.csv", ledger=tmp_path / "other.json")
        assert mine == [p for p in tmp_path.iterdir() if p.name.endswith(".part")]  # a living process's stay
        os.kill(process.pid, signal.SIGKILL)
    assert [p for p in tmp_path.iterdir() if p.name.endswith(".part")] == mine
    foreign = [tmp_path / ".of-another-program.part", tmp_path / ".lpmech-mine.part"]
    for path in foreign:
        path.touch()
    if not (tmp_path / "out.csv").exists():
        assert mine or not hidden
        released(source, tmp_path / "out.csv", again=True)
    else:
        with pytest.raises(SpentError):
            released(source, tmp_path / "2.csv")
        released(source, tmp_path / "2.csv", again=True)
    assert sorted(p for p in tmp_path.iterdir() if p.name.endswith(".part")) == sorted(foreign)


def test_an_old_directory_that_waits_is_put_back_by_the_next_run(tmp_path):
    write_directory(tmp_path / "out", {"a": "old"})
    code = (
        "import os, sys, pathlib; from lpmech.files.whole import write_directory\n"
        "real = pathlib.Path.rename\n"
        "def once(self, target):\n"
        "    real(self, target)\n"
        "    os.kill(os.getpid(), 9)\n"
        "pathlib.Path.rename = once\n"
        "write_directory(sys.argv[1], {'a': 'new'}, replaceable='a')"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], check=False)
    assert not (tmp_path / "out").exists()
    with new_part(tmp_path):
        assert (tmp_path / "out" / "a").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


# -- rows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "known"),
    [
        ([*people(range(100)), *people([100])], 100),  # one more
        (people(range(100))[::-1], 100),  # in another order
        (people(range(60)), 60),  # fewer
        ([*people(range(99, 130))], 1),  # one of them among others
        ([f" {row.replace(',', ' , ')} " for row in people(range(100))[::-1]], 100),  # blanks around cells
        (people(range(100, 200)), 0),
    ],
)
def test_rows_that_were_released_are_known_in_any_company(tmp_path, rows, known):
    released(write_rows(tmp_path / "in.csv", people(range(100))), tmp_path / "1.csv")
    other = write_rows(tmp_path / "other.csv", rows)
    if known:
        with pytest.raises(SpentError, match=f"{known} of {len(rows)} rows of other.csv were released before"):
            released(other, tmp_path / "2.csv")
        assert not (tmp_path / "2.csv").exists()
    assert released(other, tmp_path / "2.csv", again=True).total == (2 if known else 1) * ONE
    assert released(other, tmp_path / "3.csv", again=True, new_rows=True).total == 2 * ONE  # the file, not the rows


def test_totals_are_those_of_the_row_that_paid_most(tmp_path):
    # rows 0..9 are in the first and the second file, 10..19 in the second and the third, 20..29 in the third alone
    spans = [range(10), range(20), range(10, 30), range(40, 50)]
    totals = []
    for n, span in enumerate(spans):
        source = write_rows(tmp_path / f"{n}.csv", people(span))
        totals.append(released(source, tmp_path / f"out{n}.csv", again=True).total / ONE)
    assert totals == [1, 2, 2, 1]


def test_many_releases_of_many_companies_are_added_up_row_by_row(tmp_path):
    """Catches a limit on the entries or companies that are looked at: 19 files with row 0 and one of their own."""
    for n in range(1, 20):
        source = write_rows(tmp_path / f"{n}.csv", people([0, n]))
        assert released(source, tmp_path / f"out{n}.csv", again=True).total == n * ONE
    everybody = write_rows(tmp_path / "all.csv", people(range(40)))
    assert released(everybody, tmp_path / "out.csv", again=True).total == 20 * ONE
    others = write_rows(tmp_path / "others.csv", people(range(1, 40)))
    assert released(others, tmp_path / "out-others.csv", again=True).total == 3 * ONE  # its own, all.csv, now


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sets(st.integers(0, 12), min_size=1), min_size=1, max_size=5))
def test_totals_by_rows_are_those_of_counting(tmp_path_factory, files):
    place = tmp_path_factory.mktemp("rows")
    paid = dict.fromkeys(range(13), 0)
    for n, numbers in enumerate(files):
        source = write_rows(place / f"{n}.csv", people(sorted(numbers)))
        total = released(source, place / f"out{n}.csv", again=True).total
        for number in numbers:
            paid[number] += 1
        assert total >= max(paid[number] for number in numbers) * ONE  # it may be more: equal labels in order add up


def test_by_identifiers_rows_are_known_whatever_else_changes(tmp_path):
    released(write_rows(tmp_path / "in.csv", people(range(50))), tmp_path / "1.csv", identifier="id")
    corrected = write_rows(tmp_path / "b.csv", [f"x{n},{n},mild" for n in range(40, 60)], "note,id,severity")
    with pytest.raises(SpentError, match="10 of 20 rows"):
        released(corrected, tmp_path / "2.csv", identifier="id")
    twice = write_rows(tmp_path / "c.csv", ["1,mild", "1,critical"])
    with pytest.raises(DataFileError, match="id"):
        released(twice, tmp_path / "2.csv", identifier="id")
    for wrong in ("severity", "absent"):
        with pytest.raises(DataFileError):
            released(twice, tmp_path / "2.csv", identifier=wrong)
    assert not (tmp_path / "2.csv").exists()


def test_rows_are_known_by_their_cells_where_another_column_tells_people_apart(tmp_path):
    # once by one identifier, then by another: no hash of an identifier is shared, those of the rows are
    rows = [f"p{n},q{7 * n},{LABELS[n % 3]}" for n in range(30)]
    header = "person,number,severity"
    released(write_rows(tmp_path / "in.csv", rows, header), tmp_path / "1.csv", identifier="person")
    longer = write_rows(tmp_path / "b.csv", [*rows[::-1], "x,y,mild"], header)
    with pytest.raises(SpentError, match="30 of 31 rows"):
        released(longer, tmp_path / "2.csv", identifier="number")
    assert released(longer, tmp_path / "2.csv", identifier="number", again=True).total == 2 * ONE


@pytest.mark.parametrize(("rows", "known"), [(60, True), (65, True), (55, True), (66, False), (30, False)])
def test_a_column_of_labels_alone_is_known_up_to_a_few_rows(tmp_path, rows, known):
    # no row tells anybody apart: 60 rows in other order, with 5 more or fewer, are taken for the same; 6 more are not
    labels = [LABELS[n % 3] for n in range(60)]
    released(write_rows(tmp_path / "in.csv", labels, "severity"), tmp_path / "1.csv")
    other = write_rows(tmp_path / "b.csv", sorted(labels[:rows] + labels[: max(rows - 60, 0)]), "severity")
    if known:
        with pytest.raises(SpentError, match=r"rows of b\.csv"):
            released(other, tmp_path / "2.csv")
    assert released(other, tmp_path / "2.csv", again=True).total == (2 if known else 1) * ONE


def test_rows_that_are_too_many_to_be_known_are_said_to_be(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("lpmech.release.fingerprints.MOST_ROWS", 30)
    source, design = write_labels(tmp_path / "in.csv", rows=31), save(make_release(), tmp_path / "design")
    assert run("randomize", source, "--channel", design, "--column", "severity", "--output", tmp_path / "1.csv") == 0
    assert "not known one by one" in capsys.readouterr().out
    with pytest.raises(SpentError):
        released(source, tmp_path / "2.csv")


def test_the_nth_row_of_one_text_is_known_by_itself():
    digests = Digests()
    digests.see(["a", "b", "a"])
    digests.see(["a", "c"])
    rows = digests.under(b"k" * 32)
    assert rows.single.tolist() == [False, True, False, False, True]
    assert len(set(rows.hashes.tolist())) == 5
    other = Digests()
    other.see(["c", "a", "a", "d"])  # two of the three a, and c
    assert rows.among(hashes_of(other.under(b"k" * 32).packed())).sum() == 3
    assert not rows.among(hashes_of(other.under(b"l" * 32).packed())).any()  # another key


# -- labels that are missing, and labels that are a release -----------------------------------------------------------


@pytest.mark.parametrize("header", ["id,severity", "severity"])
def test_rows_without_a_label_are_dropped_and_the_rest_stays_known(tmp_path, capsys, header):
    wide = header.startswith("id")
    labels = ["mild", "", "critical", "nan", "mild", "moderate", "mild", "critical", "", "mild"]
    rows = [f"{n},{label}" if wide else label for n, label in enumerate(labels)]
    source, design = write_rows(tmp_path / "in.csv", rows, header), save(make_release(), tmp_path / "design")
    command = ("randomize", source, "--channel", design, "--column", "severity", "--output")
    assert run(*command, tmp_path / "out.csv") == 2
    assert "rows 3, 5, 10" in capsys.readouterr().err
    assert run(*command, tmp_path / "out.csv", "--missing", "label") == 2  # the design has no such label
    assert not ledger_beside(source).exists()
    assert run(*command, tmp_path / "out.csv", "--missing", "drop") == 0
    shown = capsys.readouterr().out
    assert "released 7 labels" in shown
    assert "left out 3 rows without a label" in shown
    found = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert {row["severity"] for row in found} <= set(LABELS)
    if wide:
        assert [row["id"] for row in found] == ["0", "2", "4", "5", "6", "7", "9"]
    # the copy without them, which people used to make, is no new file
    kept = [row for row, label in zip(rows, labels, strict=True) if label not in ("", "nan")]
    copy = write_rows(tmp_path / "copy.csv", kept, header)
    with pytest.raises(SpentError):
        released(copy, tmp_path / "2.csv")
    assert released(copy, tmp_path / "2.csv", again=True).total == 2 * ONE


def test_rows_counted_for_the_prior_are_left_out_where_others_are_dropped(tmp_path):
    from lpmech.labels.row_choice import RowChoice

    rows = [f"{n},{'' if n % 3 == 0 else 'mild'}" for n in range(300)]
    source, release = write_rows(tmp_path / "in.csv", rows), private_release("parallel")
    choice = RowChoice.draw("1/2")
    record_prior(source, PRIOR, release.spent, rows=100, choice=choice)
    receipt = randomize_file(source, release, tmp_path / "out.csv", **COLUMN, missing="drop")
    kept = [int(row["id"]) for row in csv.DictReader((tmp_path / "out.csv").open())]
    mask = choice.masks()(300)
    assert kept == [n for n in range(300) if n % 3 and not mask[n]]
    assert (receipt.dropped, receipt.left_out) == (100, sum(1 for n in range(300) if n % 3 and mask[n]))


def test_what_was_released_is_not_released_once_more(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    released(source, tmp_path / "out.csv")
    (tmp_path / "renamed.csv").write_bytes((tmp_path / "out.csv").read_bytes())
    away = tmp_path / "away"
    away.mkdir()
    for name in ("out.csv", "out.csv.design.json"):  # in another directory its mark says what it is
        (away / name).write_bytes((tmp_path / name).read_bytes())
    for path in (tmp_path / "out.csv", tmp_path / "renamed.csv", away / "out.csv"):
        with pytest.raises(SpentError, match="random already"):
            released(path, tmp_path / "2.csv")
        assert not (tmp_path / "2.csv").exists()
    released(tmp_path / "renamed.csv", tmp_path / "2.csv", again=True)


# -- noisy counts that were paid for ----------------------------------------------------------------------------------

ORDER = "mild,moderate,critical"
BOUGHT = ("--counts-are", "private", "--spend", "0.2", "--column", "severity", "--order", ORDER)


def test_noisy_counts_are_used_again(tmp_path, capsys):
    source = write_labels(tmp_path / "in.csv")
    assert run("design", source, "--epsilon", 1, *BOUGHT) == 0  # only looked at
    first = capsys.readouterr()
    assert "spent on these labels by now: epsilon = 0.2" in first.err
    assert "used again" not in first.err
    assert run("design", source, "--epsilon", 1, *BOUGHT) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert "used again: the noisy counts bought on 20" in second.err
    assert "nothing was spent now" in second.err
    assert "spent on these labels by now: epsilon = 0.2" in second.err
    assert run("design", source, "--epsilon", 1.5, *BOUGHT, "--output", tmp_path / "design") == 0
    assert run("randomize", source, "--channel", tmp_path / "design", *BOUGHT[4:6], "--output", tmp_path / "o.csv") == 0
    assert "by now: epsilon = 1.5, the prior included" in capsys.readouterr().out  # once, by its name
    assert run("design", source, "--epsilon", 1, *BOUGHT, "--buy-again") == 0
    assert "by now: epsilon = 1.7" in capsys.readouterr().err
    assert [entry.kind for entry in Ledger.read(ledger_beside(source)).entries] == ["prior", "release", "prior"]


def test_noisy_counts_are_in_the_total_of_a_copy_with_other_rows(tmp_path, capsys):
    source = write_rows(tmp_path / "in.csv", people(range(50)))
    assert run("design", source, "--epsilon", 1, *BOUGHT) == 0
    copy = write_rows(tmp_path / "copy.csv", people(range(60))[::-1])
    assert released(copy, tmp_path / "1.csv").total == Fraction("0.2") + ONE
    others = write_rows(tmp_path / "others.csv", people(range(70, 99)))
    assert released(others, tmp_path / "2.csv").total == ONE
    assert run("design", copy, "--epsilon", 1, *BOUGHT) == 0  # another file: bought
    assert f"by now: epsilon = {float(Fraction('0.4') + ONE)}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "other",
    [
        {"order": "critical,moderate,mild"},
        {"order": ORDER + ",none"},
        {"column": "before"},
        {"missing": "drop"},
        {"spend": "0.25"},
        {"composition": "parallel"},
        {"composition": "parallel", "share": "0.5"},
        {"rows": 201},
    ],
)
def test_noisy_counts_of_anything_else_are_bought(tmp_path, other, capsys):
    def design(order=ORDER, column="severity", spend="0.2", rows=200, **more):
        source = tmp_path / "in.csv"
        drawn = [random.Random(n).choice(LABELS) for n in range(rows)]
        write_rows(source, [f"{n},{label},{label}" for n, label in enumerate(drawn)], "id,severity,before")
        options = {"order": order, "column": column, "spend": spend, **more}
        given = [text for name, value in options.items() for text in (f"--{name}", value)]
        assert run("design", source, "--epsilon", 1, "--counts-are", "private", *given) == 0
        return "used again" in capsys.readouterr().err

    assert [design(), design(), design(**other), design(**other)] == [False, True, False, True]


def test_a_design_that_was_killed_after_paying_costs_nothing_more(tmp_path):
    source = write_labels(tmp_path / "in.csv")
    code = (
        "import os, sys; import lpmech.release.ledger as ledger\n"
        "real = ledger.Ledger.extended\n"
        "def paid(*args):\n"
        "    real(*args)\n"
        "    os.kill(os.getpid(), 9)\n"
        "ledger.Ledger.extended = paid\n"
        "from lpmech.cli import main; main(sys.argv[1:])"
    )
    given = ["design", str(source), "--epsilon", "1", *BOUGHT, "--output", str(tmp_path / "design")]
    killed = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    (bought,) = Ledger.read(ledger_beside(source)).entries
    assert run(*given) == 0
    assert Ledger.read(ledger_beside(source)).entries == (bought,)
    stated = json.loads((tmp_path / "design" / "release.json").read_text())
    assert stated["prior"]["counts"] == list(bought.noisy.counts)
    assert (stated["spent"]["purchase"], stated["prior"]["rows"]) == (bought.purchase, 200)
    assert not [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")]
    assert asdict(bought)["labels_digest"] is None
