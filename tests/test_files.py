"""Files are whole or not there; what the system refuses is a typed error; nothing waits for ever."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lpmech import Channel
from lpmech.cli.common import save
from lpmech.errors import DataFileError
from lpmech.files import access
from lpmech.files.access import check_writable, make_directory, open_text, write_bytes, write_text, write_with
from lpmech.labels.reading import read_counts
from lpmech.plots import plot_channel
from lpmech.tables import write_channel

ROOT = Path(__file__).parent.parent


def read(path):
    with open_text(path, "text") as file:
        return file.read()


def test_what_is_written_is_there_with_the_usual_permissions(tmp_path):
    mask = os.umask(0o022)
    try:
        write_text(tmp_path / "a.txt", "é\r\n\udcff")
    finally:
        os.umask(mask)
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\r\n\xff"
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o644
    (tmp_path / "a.txt").chmod(0o600)
    write_text(tmp_path / "a.txt", "again")
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link.txt").symlink_to("a.txt")
    write_text(tmp_path / "link.txt", "through the link")
    assert (tmp_path / "link.txt").is_symlink()
    assert read(tmp_path / "a.txt") == "through the link"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "link.txt"]


@pytest.mark.parametrize(
    "where", ["directory", "nowhere/file", "file/below", "nul\0", "x" * 300, "/proc/nowhere", "/dev/full", ""]
)
def test_what_cannot_be_written_is_a_typed_error_and_leaves_nothing(tmp_path, where):
    (tmp_path / "directory").mkdir()
    (tmp_path / "file").write_text("as it was")
    target = tmp_path / where
    for write in (
        lambda: write_text(target, "text"),
        lambda: write_channel(target, Channel([[1]])),
        lambda: save(plot_channel(Channel([[1]])), target),
        lambda: write_with(lambda buffer: buffer.write(b"x"), target),
    ):
        with pytest.raises(DataFileError, match="can be written"):
            write()
    if where != "/dev/full":
        with pytest.raises(DataFileError, match="can be written"):
            check_writable(target)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["directory", "file"]
    assert (tmp_path / "file").read_text() == "as it was"


def test_a_check_changes_nothing(tmp_path):
    (tmp_path / "file").write_text("as it was")
    check_writable(tmp_path / "file")
    check_writable(tmp_path / "new")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "as it was"


def test_a_read_only_directory(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")  # as for somebody who is not root

    monkeypatch.setattr(access.os, "open", refuse)
    for use in (check_writable, lambda path: write_text(path, "x")):
        with pytest.raises(DataFileError, match="Permission denied"):
            use(tmp_path / "file")
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(DataFileError, match=r"output.*Permission denied"):
        make_directory(tmp_path / "new")


FULL = """if True:
    import resource, sys
    from pathlib import Path
    from lpmech import Channel
    from lpmech.errors import DataFileError
    from lpmech.cli.common import save
    from lpmech.plots import plot_channel
    from lpmech.tables import write_channel
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # as a disk with 1000 bytes left
    for name, write in (("channel.csv", lambda p: write_channel(p, Channel([[1 / 30] * 30] * 30))),
                        ("channel.png", lambda p: save(plot_channel(Channel([[1]])), p))):
        try:
            write(Path(sys.argv[1]) / name)
            print("no error")
        except DataFileError as exc:
            print(exc)
"""


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    (tmp_path / "channel.csv").write_text("of an earlier run")
    run = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True)
    assert run.stdout.count("File too large") == 2
    assert [p.name for p in tmp_path.iterdir()] == ["channel.csv"]
    assert (tmp_path / "channel.csv").read_text() == "of an earlier run"


@pytest.mark.parametrize("line", [["--version"], ["certify", "tests/corpus/certificates/good_exact.json"]])
def test_a_full_disk_behind_stdout_is_one_line(line):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "lpmech", *line],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert (run.returncode, run.stderr) == (2, "lpmech: output: No space left on device\n")


def test_named_pipes(tmp_path, monkeypatch):
    monkeypatch.setattr(access, "PATIENCE", 0.2)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    started = time.perf_counter()
    with pytest.raises(DataFileError, match=r"nothing is written for 0\.2 seconds"):
        read_counts(pipe)
    with pytest.raises(DataFileError, match="No such device"):
        write_bytes(pipe, b"nobody reads")
    assert time.perf_counter() - started < 20
    monkeypatch.setattr(access, "PATIENCE", 20.0)

    def speak():
        with pipe.open("w") as file:
            file.write("label,count\n")
            file.flush()
            time.sleep(0.3)  # slower than the reader
            file.write("a,1\nb,2\n")

    speaker = threading.Thread(target=speak)
    speaker.start()
    assert read_counts(pipe).labels == ("a", "b")
    speaker.join()


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", "", "nul\0", "absent", "/proc/self/mem"])
def test_what_cannot_be_read_is_a_typed_error(path):
    with pytest.raises(DataFileError, match=r"text \("):
        read(path)


def test_two_writers_at_a_time_leave_one_whole_file(tmp_path):
    texts = [letter * 200_000 for letter in "ab"]
    failures = []

    def write(text):
        for _ in range(20):
            write_text(tmp_path / "file", text)
            if read(tmp_path / "file") not in texts:
                failures.append(text[0])

    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not failures
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
