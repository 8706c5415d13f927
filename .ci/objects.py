"""Has the stand-alone checker read every file of proof objects below a directory: none refused, nearly all complete."""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from lpmech.certify.proofs.files import check_file, read_proofs

#: How many of the relations have a complete object; the others name what they rely on.
LEAST = 0.97


def checked(file: Path) -> tuple[int, int]:
    """Of a file, how many relations there are and how many rest on nothing that has no object."""
    shown = check_file(read_proofs(file)).shown
    return len(shown), sum(not one.unchecked for one in shown)


def main(directory: str) -> int:
    """0 if it is so; a file that is refused ends with its error."""
    files = sorted(Path(directory).glob("*/*.json"))
    with ProcessPoolExecutor(2) as pool:
        counts = list(pool.map(checked, files, chunksize=8))
    every, whole = (sum(numbers) for numbers in zip(*counts, strict=True))
    print(f"{len(files)} files of proof objects, {whole} of {every} relations complete")
    return 0 if whole >= LEAST * every else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
