"""Compiles the proofs, asks the kernel what each theorem assumes, and writes the record: `make proofs`.

Standard library only. A theorem is everything that a file calls Theorem. A comment in front of one may say which claims
it states, [claim ghazi2021: Theorem 3]; the record is what `lpmech` reads to say "kernel" beside these claims.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORD = HERE / "record.json"

#: The axioms of the standard library's real numbers; nothing else may be assumed.
ALLOWED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)

#: Words with which a file could assume what it does not prove, or switch a check of the kernel off; and what is left
#: of a comment or a text where Rocq sees others than `_COMMENT` does: an Axiom between the texts "(*" and "*)" is one.
FORBIDDEN = re.compile(
    r"\b(Admit(?:ted)?|admit|give_up|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Context|Unset|Set|Declare|"
    r"Primitive|Extract\w*|Load|bypass_check|Guarded|Polymorphic|Register|Redirect|Fail)\b|\"|\*\)"
)

_COMMENT, _WORD = re.compile(r"\(\*.*?\*\)", re.DOTALL), re.compile(r'"\w+"')
_THEOREM = re.compile(r"(?:\(\*\*((?:(?!\*\)).)*)\*\)\s*)?^Theorem\s+(\w+)", re.DOTALL | re.MULTILINE)
_HEADS = ("", "Axioms:", "Closed under the global context")
_CLAIM = re.compile(r"\[claim (\w+: .+?)\]\s*$", re.MULTILINE)
_IMPORT = re.compile(r"^From lpmech Require Import (.*)\.$", re.MULTILINE)


def files() -> list[Path]:
    """The texts, in alphabetical order."""
    return sorted(HERE.glob("*.v"))


def forbidden(text: str) -> list[str]:
    """Words outside of comments that a proof must not have."""
    return [found[0] for found in FORBIDDEN.finditer(_WORD.sub(" ", _COMMENT.sub(" ", text)))]


def theorems(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each theorem of a text, and the claims that it states."""
    for comment, name in _THEOREM.findall(text):
        yield name, _CLAIM.findall(comment)


def imports(text: str) -> list[str]:
    """The files of this directory that a text rests on."""
    return [f"{name}.v" for line in _IMPORT.findall(text) for name in line.split()]


def compile_all(directory: Path) -> None:
    """Compile every text, two at a time."""
    made = {"capture_output": True, "text": True, "cwd": directory}
    names = [path.name for path in files()]
    makefile = subprocess.run(["coq_makefile", "-R", ".", "lpmech", *names, "-o", "Makefile.coq"], **made)
    done = makefile.returncode or subprocess.run(["make", "-j2", "-f", "Makefile.coq"], **made, timeout=1500)
    if not isinstance(done, int) and done.returncode:
        sys.exit(f"{done.stdout[-2000:]}{done.stderr[-4000:]}")


def assumptions(directory: Path, names: Sequence[tuple[str, str]]) -> list[list[str]]:
    """What the kernel says that each theorem, named by its file and itself, rests on."""
    lines = [f"From lpmech Require {' '.join(dict.fromkeys(file for file, _ in names))}."]
    for file, name in names:
        lines.append(f'Goal True. idtac "== {name}". Abort.\nPrint Assumptions {file}.{name}.')
    (directory / "asked.v").write_text("\n".join(lines))
    done = subprocess.run(
        ["coqc", "-R", ".", "lpmech", "asked.v"], cwd=directory, capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        sys.exit(done.stderr)
    answers = re.split(r"^== \w+\n", done.stdout, flags=re.MULTILINE)[1:]
    return list(map(assumed_in, answers))


def assumed_in(answer: str) -> list[str]:
    """The axioms of an answer of `Print Assumptions`; what is no axiom, such as a check that was off, as it is told."""
    entries = re.split(r"\n(?=\S)", answer.strip())
    axioms = ((re.match(r"([\w.']+)\s*:\s", entry), " ".join(entry.split())) for entry in entries)
    return [axiom[1] if axiom else told for axiom, told in axioms if told not in _HEADS]


def version() -> str:
    """Of Rocq, "8.16.1"."""
    told = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout
    return told.split()[0]


def record_of(found: Sequence[tuple[str, str, list[str], list[str]]]) -> dict[str, Any]:
    """What `lpmech` reads: texts by their hashes, theorems, claims, assumptions."""
    texts = {path.name: path.read_bytes() for path in files()}
    return {
        "rocq": version(),
        "files": {
            name: {"sha256": hashlib.sha256(text).hexdigest(), "imports": imports(text.decode())}
            for name, text in texts.items()
        },
        "theorems": [
            {"file": f"{file}.v", "theorem": name, "claims": claims, "assumptions": assumed}
            for file, name, claims, assumed in found
        ],
    }


def main() -> int:
    """Compile, ask, print, and write the record if nothing is wrong."""
    if shutil.which("coqc") is None:
        sys.exit("coqc is not installed (Debian and Ubuntu: apt-get install coq)")
    stated, wrong = [], []
    for path in files():
        text = path.read_text()
        wrong += [f"{path.name}: {word}" for word in forbidden(text)]
        stated += [(path.stem, name, claims) for name, claims in theorems(text)]
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        for path in files():
            shutil.copy(path, directory)
        compile_all(directory)
        answers = assumptions(directory, [(file, name) for file, name, _ in stated])
    found = [(*each, assumed) for each, assumed in zip(stated, answers, strict=True)]
    for file, name, claims, assumed in found:
        more = sorted(set(assumed) - ALLOWED)
        wrong += [f"{file}.v: {name} assumes {axiom}" for axiom in more]
        rests = "no axiom" if not assumed else f"{len(assumed)} axioms of the real numbers" if not more else "MORE"
        print(f"{file}.v: {name} ({rests}){''.join(f'; states {claim}' for claim in claims)}")
    if wrong:
        print("\n".join(["", *wrong]), file=sys.stderr)
        return 1
    record = record_of(found)
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    claimed = {claim for _, _, claims, _ in found for claim in claims}
    print(f"Rocq {record['rocq']}: {len(found)} theorems, {len(claimed)} claims; {os.path.relpath(RECORD)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
