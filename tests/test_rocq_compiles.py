"""The proofs in Rocq, compiled where coqc is; `test_rocq` is about the same texts and runs everywhere."""

import shutil
import subprocess
import sys

from lpmech.papers.kernel import PROOFS


def test_kernel_accepts_every_theorem(tmp_path):
    """Exit code 0 only if all compile and assume nothing but the real numbers; the record that it makes is the one there is."""
    if shutil.which("coqc") is None:
        return
    for path in [*PROOFS.glob("*.v"), PROOFS / "check.py"]:
        shutil.copy(path, tmp_path)
    done = subprocess.run(
        [sys.executable, "check.py"], cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    made, kept = ((place / "record.json").read_text().splitlines() for place in (tmp_path, PROOFS))
    assert made[2:] == kept[2:]  # the second line has the version


def test_theorem_that_assumes_is_refused(tmp_path):
    """By the word that a text must not have, and by what the kernel tells of the theorem."""
    if shutil.which("coqc") is None:
        return
    shutil.copy(PROOFS / "check.py", tmp_path)
    (tmp_path / "wrong.v").write_text("Axiom false : False.\nTheorem t : 1 = 2.\nProof. destruct false. Qed.\n")
    done = subprocess.run(
        [sys.executable, "check.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert "wrong.v: t assumes wrong.false" in done.stderr
    assert not (tmp_path / "record.json").exists()
