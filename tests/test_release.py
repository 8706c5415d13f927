"""Releases: what release.json states is checked exactly, and directories are there whole or not at all."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from lpmech import tables
from lpmech.budgets import epsilon_text, largest_ratio, upper_epsilon
from lpmech.channel import Channel
from lpmech.entries import digest_of
from lpmech.errors import DataFileError, ReleaseError
from lpmech.files.whole import replace_file, uninterrupted, write_directory
from lpmech.mechanisms import randomized_response
from lpmech.privacy import PrivacyLevel
from lpmech.release import Release, Spent, record
from lpmech.release.record import seal_of
from lpmech.tables import channel_csv
from lpmech.utilities import hit

LABELS = ["mild", "moderate", "critical"]


def make_release(labels=LABELS, ratio=2, **changes):
    """Randomised response at e^epsilon = ratio, described by "ln(ratio)"."""
    matrix = randomized_response(len(labels), PrivacyLevel.from_ratio(ratio)).matrix
    stated = {
        "randomizer": changes.pop("channel", Channel(matrix, labels, labels)),
        "epsilon": f"ln({ratio})",
        "ratio": Fraction(ratio),
        "spent": Spent.on(f"ln({ratio})"),
        "counts": "public",
        "utility": {"name": "hit", "sha256": digest_of(hit(3))},
        "prior": {"sha256": digest_of(matrix[0]), "noisy": False},
    }
    return Release(**{**stated, **changes})


def save(release, directory, **files):
    write_directory(directory, {"release.json": release.to_json(), **files})
    return directory


def test_saved_and_loaded_it_is_the_same(tmp_path):
    release = make_release()
    assert Release.load(save(release, tmp_path / "out")) == release
    assert Release.load(str(tmp_path / "out")) == release
    assert release.labels == tuple(LABELS)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "lpmech-certificate-2"),
        ("version", 1),
        ("version", 2),
        ("version", 4),
        ("version", True),
        ("channel", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "499999/1000000"]]),  # sum below one
        ("channel", [["3/5", "1/5", "1/5"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]),  # ratio 12/5
        ("channel", [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]),  # numbers, not text
        ("mechanism", "optimal\ncertified: by nobody"),  # printed by certify, where it would be a line of its own
        ("ratio", "3/2"),  # the channel has 2
        ("ratio", "1e9999999"),
        ("ratio", "2/0"),
        ("ratio", "9" * 5000),
        ("epsilon", "0.693147180559945309417232121458"),  # ln 2 = 0.69314718055994530941723212145818 is larger
        ("epsilon", "1e-1e9"),
        ("epsilon", "701"),
        ("epsilon", "0"),
        ("epsilon", 1),
        ("labels", ["mild", "mild", "critical"]),
        ("labels", ["mild", ["critical"], "x"]),
        ("labels", ["mild", 1, "x"]),
        ("spent", {"release": "0.6", "prior": None, "total": "0.6", "composition": None}),  # e^0.6 < 2
        ("spent", {"release": "0.7", "prior": None, "total": "0.6", "composition": None}),
        ("spent", {"release": "0.7", "prior": "0.2", "total": "0.9", "composition": "sequential"}),  # counts public
        ("spent", {"release": "0.7"}),
        ("spent", None),
        ("counts", "private"),
        ("prior", {"sha256": "ab", "noisy": False}),
        ("prior", {"sha256": "a" * 64, "noisy": "no"}),
        ("utility", {"sha256": "a" * 64}),
        ("utility", {"sha256": "a" * 64, "name": "hit", "more": 1}),
        ("certificate", {"file": "certificate.json", "more": 1}),
        ("files", {"thesis.tex": "a" * 64}),
        ("files", {"labels.csv": "A" * 64}),
        ("more", 1),
        ("spent", {"release": "1.7", "prior": None, "total": "1.7", "composition": None}),  # e^epsilon = 2
    ],
)
def test_what_does_not_hold_is_refused(key, value):
    data = json.loads(make_release().to_json())
    assert Release.from_json(json.dumps(data)) == make_release()
    changed = {**data, key: value}
    with pytest.raises(ReleaseError) as caught:
        Release.from_json(json.dumps({**changed, "seal": seal_of(changed)}))
    assert caught.value.argument != "seal"


@pytest.mark.parametrize("ratio", [2.0, 2, "2", Fraction(1, 2)])
def test_a_ratio_is_a_fraction_of_at_least_one(ratio):
    with pytest.raises(ReleaseError, match="ratio"):
        replace(make_release(), ratio=ratio)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 100_000, '{"format": "x", "format": "lpmech-release"}'])
def test_text_that_is_no_release_is_refused(text):
    with pytest.raises(ReleaseError):
        Release.from_json(text)


def test_duplicate_keys_are_refused():
    text = make_release().to_json()
    with pytest.raises(ReleaseError, match="once"):
        Release.from_json(text.replace('"counts"', '"counts": "private", "counts"'))


@pytest.mark.parametrize(
    ("composition", "total"), [("parallel", "0.7"), ("sequential", "0.9")]
)  # the larger of 0.7 and 0.2; their sum
def test_private_counts_add_up(composition, total):
    spent = Spent.on("0.7", "0.2", composition)
    assert spent.total == total
    private = {"counts": "private", "prior": {"sha256": "a" * 64, "noisy": True}, "epsilon": "0.7"}
    release = make_release(spent=spent, **private)
    assert Release.from_json(release.to_json()) == release
    with pytest.raises(ReleaseError, match="total"):
        make_release(spent=Spent("0.7", "0.2", "0.8", composition), **private)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"prior": "0.2"', '"prior": "0.0001"'),
        ('"name": "hit"', '"name": "absolute"'),
        ('"mild"', '"milder"'),
        ('"seal": "', '"seal": "0'),
    ],
)
def test_a_change_that_could_have_been_true_breaks_the_seal(old, new):
    private = {"counts": "private", "prior": {"sha256": "a" * 64, "noisy": True}, "epsilon": "0.7"}
    text = make_release(spent=Spent.on("0.7", "0.2", "parallel"), **private).to_json()
    with pytest.raises(ReleaseError, match="seal"):
        Release.from_json(text.replace(old, new))


def test_what_an_earlier_version_made_is_to_be_designed_again():
    data = json.loads(make_release().to_json())
    data["version"] = 1
    del data["seal"], data["files"]
    with pytest.raises(ReleaseError, match="designed again"):
        Release.from_json(json.dumps(data))


def test_levels_as_text():
    # ln 2 = 0.69314718055994530941...: the decimal is above it; e^1 = 2.718281828459045235360287471352...
    assert Fraction(upper_epsilon("ln(2)")) > Fraction("0.6931471805599453094")
    assert Fraction(upper_epsilon("ln(2)")) < Fraction("0.693147180563")
    low = largest_ratio("1")
    assert Fraction("2.71828182845904523536028") < low < Fraction("2.718281828459045235360287471353")
    assert largest_ratio("ln(7/2)") == Fraction(7, 2)
    assert epsilon_text(PrivacyLevel.from_epsilon(0.1)) == "0.1"
    assert epsilon_text(PrivacyLevel.from_ratio("7/2")) == "ln(7/2)"


def test_another_channel_beside_it_is_refused(tmp_path):
    release = make_release()
    good = ",mild,moderate,critical\nmild,1/2,1/4,1/4\nmoderate,0.25,0.5,0.25\ncritical,1/4,1/4,1/2\n"
    assert Release.load(save(release, tmp_path / "good", **{"channel.csv": good})) == release
    identity = ",mild,moderate,critical\nmild,1,0,0\nmoderate,0,1,0\ncritical,0,0,1\n"
    with pytest.raises(ReleaseError, match=r"channel\.csv"):
        Release.load(save(release, tmp_path / "bad", **{"channel.csv": identity}))


def test_every_distinct_number_of_a_large_channel_is_read_once(tmp_path, monkeypatch):
    # 1,500 labels have four million entries and a few thousand numbers: entry by entry `certify` took twice as long
    labels = [str(i) for i in range(40)]
    matrix = randomized_response(40, PrivacyLevel.from_ratio(2)).matrix
    release = make_release(labels, channel=Channel(matrix, labels, labels))
    save(release, tmp_path / "out", **{"channel.csv": channel_csv(release.channel)})
    read: list[str] = []
    for module, name in ((record, "rational_of"), (tables, "rational_from_text")):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda text, original=original: read.append(text) or original(text))
    assert Release.load(tmp_path / "out") == release
    assert 0 < len(read) <= 6


def test_missing_directory_is_a_typed_error(tmp_path):
    with pytest.raises(DataFileError, match=r"release\.json"):
        Release.load(tmp_path / "nothing")


# -- directories ------------------------------------------------------------------------------------------------------


def test_a_directory_is_not_overwritten_unless_it_holds_only_results(tmp_path):
    write_directory(tmp_path / "new/out", {"a": "1\r\n", "b": b"\x00"})
    assert (tmp_path / "new/out/a").read_bytes() == b"1\r\n"
    with pytest.raises(DataFileError, match="exist"):
        write_directory(tmp_path / "new/out", {"a": "2"})
    write_directory(tmp_path / "new/out", {"a": "2"}, replaceable=["b"])
    assert {p.name: p.read_text() for p in (tmp_path / "new/out").iterdir()} == {"a": "2"}
    (tmp_path / "new/out/thesis.tex").touch()
    with pytest.raises(DataFileError, match=r"thesis\.tex"):
        write_directory(tmp_path / "new/out", {"a": "3"}, replaceable=["b"])
    assert (tmp_path / "new/out/a").read_text() == "2"
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["out"]


def test_of_two_processes_that_find_nothing_there_one_writes_the_directory(tmp_path, monkeypatch):
    write_directory(tmp_path / "out", {"a": "first"})
    monkeypatch.setattr("lpmech.files.whole._refuse_foreign", lambda place, known: None)  # it came after the look
    with pytest.raises(DataFileError, match="output"):
        write_directory(tmp_path / "out", {"a": "second"})
    assert (tmp_path / "out" / "a").read_text() == "first"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_file_in_the_way_and_a_failure_leave_nothing(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(DataFileError, match="not a file"):
        write_directory(tmp_path / "out", {"a": "1"})
    with pytest.raises(DataFileError, match="output"):
        write_directory(tmp_path / "out/inner", {"a": "1"})
    with pytest.raises(DataFileError, match="output"):
        write_directory(tmp_path / "other", {"a": "1", "no/such/place": "2"})
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_full_disk_leaves_nothing(tmp_path):
    # a file size limit stops a write as a full disk does: an OSError after part of the data
    code = (
        "import resource, signal, sys; from lpmech.errors import DataFileError; from lpmech.files.whole import write_directory\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))\n"
        "try: write_directory(sys.argv[1], {'a': 'x', 'b': 'y' * 20000})\n"
        "except DataFileError as exc: print('refused', exc.argument)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], capture_output=True, text=True)
    assert (run.stdout.strip(), list(tmp_path.iterdir())) == ("refused output", [])


def test_a_block_within_an_uninterrupted_block_does_not_interrupt_it(tmp_path):
    reached = []

    def nested():
        with uninterrupted():
            with uninterrupted():
                signal.raise_signal(signal.SIGINT)
                replace_file(tmp_path / "a", "whole")
            reached.append("what follows the ledger still happens")

    def asked():
        with uninterrupted() as stop_if_asked:
            signal.raise_signal(signal.SIGINT)
            stop_if_asked()
            reached.clear()

    for block in (nested, asked):
        with pytest.raises(KeyboardInterrupt):
            block()
        assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_request_to_end_waits_for_the_end_of_the_block_too():
    reached = []

    def asked():
        with uninterrupted() as stop_if_asked:
            signal.raise_signal(signal.SIGTERM)
            stop_if_asked()

    before = signal.signal(signal.SIGTERM, lambda number, frame: reached.append("asked"))
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGTERM)
            reached.append("end of the block")
        with pytest.raises(KeyboardInterrupt):
            asked()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert reached == ["end of the block", "asked", "asked"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_at_any_moment_the_directory_is_whole_or_not_there(tmp_path, how):
    code = (
        "import sys; from lpmech.files.whole import write_directory; print(flush=True)\n"
        "for n in range(10**6):\n"
        "    write_directory(sys.argv[1], {f: str(n) for f in 'abc'}, replaceable='abc')"
    )
    for n in range(6):
        place = tmp_path / str(n) / "out"
        with subprocess.Popen(
            [sys.executable, "-c", code, str(place)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            process.stdout.readline()
            time.sleep(0.002 * n + 0.0005)
            os.kill(process.pid, how)
            process.wait(60)
        if place.exists():
            contents = {p.name: p.read_text() for p in place.iterdir()}
            assert sorted(contents) == list("abc")
            assert len(set(contents.values())) == 1
        if how == signal.SIGINT and place.parent.exists():
            assert {p.name for p in place.parent.iterdir()} == {"out"}
