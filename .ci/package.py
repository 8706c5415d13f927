"""Installs what `python -m build` left in dist/ as a stranger would, in fresh environments, and runs it there.

python .ci/package.py [PYTHON ...]      default: the oldest and the newest Python >= 3.11 on PATH or below ~/.pyenv

The oldest gets the wheel, the newest the sdist, and pipx runs the wheel; nothing of the checkout can be imported.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
EXAMPLE = ROOT / "examples" / "cifar10_1.csv"
OURS = ("PYTHON", "VIRTUAL_ENV", "PYENV")
Installer = Callable[[Path], tuple[object, ...]]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


def run(*command: object, cwd: Path, **variables: str) -> str:
    """What a command prints; a command that fails ends the whole with what it said."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=ENVIRONMENT | variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def candidates() -> Iterator[Path]:
    """Interpreters by their usual names."""
    for minor in range(OLDEST[1], 30):
        found = shutil.which(f"python3.{minor}")
        yield from [Path(found)] if found else []
        yield from sorted((Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python3"))
    yield Path(sys._base_executable)


def by_version(pythons: Iterable[Path]) -> dict[tuple[int, ...], Path]:
    """The interpreters that run and can make an environment, one for each version, the oldest first."""
    found: dict[tuple[int, ...], Path] = {}
    ask = "import ensurepip, sys, venv; print(*sys.version_info[:2])"
    for python in pythons:
        done = subprocess.run([python, "-c", ask], env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if done.returncode == 0 and (version := tuple(map(int, done.stdout.split()))) >= OLDEST:
            found.setdefault(version, python)
    return dict(sorted(found.items()))


def check_contents(wheel: Path, sdist: Path) -> None:
    """The wheel has every file of the package and the proofs, and nothing else; the sdist has them, too."""
    files = (path for path in (ROOT / "lpmech").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    ours = {path.relative_to(ROOT).as_posix() for path in files}
    proofs = {path.name for path in (ROOT / "proofs").iterdir() if path.suffix in (".v", ".json", ".py")}
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = ours | {f"lpmech/proofs/{name}" for name in proofs}
    if inside != wanted:
        sys.exit(f"{wheel.name} and lpmech/ differ in {sorted(inside ^ wanted)}")
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    beside = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"}
    if missing := {*ours, *(f"proofs/{name}" for name in proofs), *beside} - packed:
        sys.exit(f"{sdist.name} lacks {sorted(missing)}")


def by_pip(python: Path) -> tuple[object, ...]:
    """What installs into the environment of an interpreter, as the README has it."""
    return python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"


def by_uv(python: Path) -> tuple[object, ...]:
    """The same by the other installer in use, which takes less than half of the time."""
    options = ("--quiet", "--compile-bytecode", "--link-mode", "copy")
    return sys.executable, "-m", "uv", "pip", "install", *options, "--python", python


def check_installed(python: Path, package: Path, version: str, install: Installer) -> str:
    """Install into an environment of its own and use what people use, away from the checkout."""
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        run(python, "-m", "venv", "environment", cwd=here)
        own = here / "environment" / "bin"
        run(*install(own / "python"), f"{package}[all]", cwd=here)
        run(own / "python", "-m", "pip", "check", cwd=here)
        if (printed := run(own / "lpmech", "--version", cwd=here).strip()) != version:
            sys.exit(f"lpmech --version prints {printed!r}, {package.name} is {version}")
        where = run(own / "python", "-c", "import lpmech; print(lpmech.__file__)", cwd=here)
        if not Path(where).is_relative_to(here.resolve()):
            sys.exit(f"what was tried is {where}, not what was installed")
        run(own / "lpmech", "design", EXAMPLE, "--ratio", 3, "--counts-are", "public", "--output", "design", cwd=here)
        run(own / "lpmech", "certify", "design", cwd=here)
        run(own / "lpmech", "verify", "holohan2017", cwd=here)
        run(own / "lpmech", "report", "holohan2017", "--output", "report.html", cwd=here)
        run(own / "lpmech", "new", "paper", "mine", cwd=here)
        run(own / "lpmech", "verify", "mine.py", "--only", "Lemma 1", cwd=here)
        if (ROOT / "lpmech" / "testing").exists() or (ROOT / "lpmech" / "testing.py").exists():
            run(own / "python", "-c", "import lpmech.testing", cwd=here)
    return f"{package.name} installs and runs with {python}"


def check_pipx(python: Path, wheel: Path, version: str) -> str:
    """`pipx run` finds the command by the name of the project."""
    with tempfile.TemporaryDirectory() as directory:
        places = dict.fromkeys(("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR"), directory)
        pipx = (sys.executable, "-m", "pipx", "run", "--python", python, "--spec", wheel)
        if (printed := run(*pipx, "lpmech", "--version", cwd=Path(directory), **places).strip()) != version:
            sys.exit(f"pipx run lpmech --version prints {printed!r}, {wheel.name} is {version}")
    return f"pipx run --spec {wheel.name} lpmech"


def main() -> None:
    """Check the one wheel and the one sdist in dist/."""
    (wheel,), (sdist,) = (ROOT / "dist").glob("*.whl"), (ROOT / "dist").glob("*.tar.gz")
    version = wheel.name.split("-")[1]
    check_contents(wheel, sdist)
    found = by_version(map(Path, sys.argv[1:]) if sys.argv[1:] else candidates())
    if not found:
        sys.exit(f"no Python >= {'.'.join(map(str, OLDEST))} among {sys.argv[1:] or 'those on PATH'}")
    oldest, *_, newest = [*found.values()] * 2
    with ThreadPoolExecutor(2) as pool:  # an installer each
        tried = [
            pool.submit(check_installed, oldest, wheel, version, by_pip),
            pool.submit(check_installed, newest, sdist, version, by_uv),
            pool.submit(check_pipx, newest, wheel, version),
        ]
        for one in tried:
            print(one.result(), flush=True)


if __name__ == "__main__":
    main()
