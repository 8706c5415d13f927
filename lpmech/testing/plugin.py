"""The pytest plugin: the fixture `lpmech_formula`, the option --lpmech-update, and what became of assertions.

It loads nothing until it is used.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lpmech.testing.results import Checked

__all__ = ["FOLDER", "lpmech_formula", "pytest_addoption", "pytest_configure", "pytest_runtest_makereport"]

#: Beside each test file.
FOLDER = "__lpmech__"
_PROPERTY, _VERDICTS = "lpmech_formula", "lpmech_verdicts"
#: Options that leave out tests: what is then not used may be used by others.
_SELECTING = ("keyword", "markexpr", "deselect", "lf", "last_failed", "maxfail", "stepwise", "ignore", "ignore_glob")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --lpmech-update."""
    group = parser.getgroup("lpmech", "formulas pinned by lpmech")
    group.addoption("--lpmech-update", action="store_true", help="pin formulas anew as they are now")


def pytest_configure(config: pytest.Config) -> None:
    """Collect what became of the snapshots, where the tests are reported."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Summary(config), "lpmech-summary")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count the verdicts on a test's assertions; let the short line of one that fails say what is not so, and where."""
    results = sys.modules.get("lpmech.testing.results")
    raised = call.excinfo.value if call.excinfo is not None else None
    has_failed = results is not None and isinstance(raised, results.FailedAssertionError)
    if results is not None and call.when == "call":
        item.user_properties.append((_VERDICTS, dict(Counter(results.taken()) + Counter(failed=int(has_failed)))))
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    if has_failed and crash is not None:
        crash.message = " ".join(str(raised).split())
    return report


@pytest.fixture
def lpmech_formula(request: pytest.FixtureRequest) -> Callable[..., Checked]:
    """Pin a formula: ``lpmech_formula(f, domain, name=None)``.

    The symbolic form of a function, as far as it can be followed, and its values at points of the domain are compared
    with those in ``__lpmech__/test_file/test_name.toml`` beside the test file (``test_name.NAME.toml`` with a name, of
    which a second formula of one test has need). A form that has changed passes if it is proved to be equal, and the
    result says so. ``pytest --lpmech-update`` makes the files.

    Returns
    -------
    callable
        Takes a function of parameters (its values are numbers or matrices) or the text of a formula, a domain as
        `lpmech.statements.domain.as_domain` reads it, and a name; returns `lpmech.testing.Checked`.

    Raises
    ------
    FailedAssertionError
        With the old form, the new one, and the simplest parameters found at which they differ.
    InvalidInputError
        If an argument is not usable, or the name is taken.
    """
    used: set[Path] = set()

    def formula(f: Any, domain: Any, name: str | None = None) -> Checked:
        __tracebackhide__ = True
        from lpmech.errors import InvalidInputError

        if name is not None and not (isinstance(name, str) and re.fullmatch(r"[\w-]+", name)):
            raise InvalidInputError("name", name, "letters, digits, _ and -")
        path = _place(request.node, name)
        if path in used:
            raise InvalidInputError("name", name, "another name for each formula of a test")
        used.add(path)
        return _compared(request, path, f, domain, name)

    return formula


def _place(node: pytest.Item, name: str | None) -> Path:
    module = Path(node.path)
    return module.parent / FOLDER / module.stem / f"{_file_name(node.nodeid)}{f'.{name}' if name else ''}.toml"


def _file_name(nodeid: str) -> str:
    """A name for the snapshots of a test: what file names may hold, and a checksum where that is not all."""
    test = ".".join(nodeid.split("::")[1:])
    kept = re.sub(r"[^\w.,+=\[\]-]", "_", test)
    return kept if kept == test else f"{kept}-{zlib.crc32(test.encode()):08x}"


def _compared(request: pytest.FixtureRequest, path: Path, f: Any, domain: Any, name: str | None) -> Checked:
    __tracebackhide__ = True
    from lpmech.statements.domain import as_domain
    from lpmech.testing.results import Checked, FailedAssertionError
    from lpmech.testing.snapshots import pinned, read_snapshot, same_as, write_snapshot
    from lpmech.verdicts import Verdict

    about = as_domain(domain)
    shown = str(name or getattr(f, "__name__", "formula"))
    record: dict[str, Any] = {"path": str(path), "test": request.node.nodeid}
    request.node.user_properties.append((_PROPERTY, record))
    if request.config.getoption("lpmech_update"):
        record["written"] = write_snapshot(path, pinned(f, about))
        return Checked(f"{shown} pinned now", Verdict.CERTIFIED, f"values written to {path}")
    before = read_snapshot(path)
    update = f"pytest --lpmech-update {request.node.nodeid!r}"
    if before is None:
        raise FailedAssertionError(f"{shown} as it is pinned", f"there is no snapshot {path}\nto make it: {update}")
    try:
        found, changed = same_as(f, about, before, shown)
    except FailedAssertionError as exc:
        detail = f"{exc.detail}\nsnapshot: {path}\nif this is meant: {update}"
        raise FailedAssertionError(exc.statement, detail, exc.point) from None
    if changed is not None:
        record["changed"] = changed
    return found


class _Summary:
    """What became of the snapshots, for the end of the report; of tests in other processes as well."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._records: list[dict[str, Any]] = []
        self._verdicts: Counter[str] = Counter()
        self._ran: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the tests that ran, and their snapshots."""
        if report.when == "teardown":
            found = [(key, dict(value)) for key, value in report.user_properties if isinstance(value, dict)]
            self._records += [value for key, value in found if key == _PROPERTY]
            for key, value in found:
                if key == _VERDICTS:
                    self._verdicts.update(value)
        passed = report.outcome == "passed"
        self._ran[report.nodeid] = self._ran.get(report.nodeid, True) and passed

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List what was proved, what was written, what has another form, and what no test uses."""
        lines = []
        if self._verdicts:
            counts = [f"{self._verdicts[verdict]} {verdict}" for verdict in ("proved", "certified", "supported")]
            counts += [f"{failed} failed"] if (failed := self._verdicts["failed"]) else []
            lines.append(f"{self._verdicts.total()} assertions: {', '.join(counts)}")
        written = [r["path"] for r in self._records if r.get("written")]
        if self._config.getoption("lpmech_update") and self._records:
            lines.append(f"{len(written)} snapshots written, {len(self._records) - len(written)} as they were")
        for record in self._records:
            if "changed" in record:
                form = record["changed"].replace("\n", "\n    ")
                lines += [f"{record['test']} has another form, proved equal; --lpmech-update pins it:", f"    {form}"]
        lines += [f"no test uses {path}; delete it" for path in self._stale()]
        if lines:
            terminalreporter.section("lpmech")
            for line in lines:
                terminalreporter.write_line(line)

    def _stale(self) -> list[Path]:
        """Snapshots of test files that were run whole, which no test has used."""
        option = self._config.option
        if any(getattr(option, name, None) for name in _SELECTING) or any("::" in a for a in self._config.args):
            return []
        used = {Path(record["path"]) for record in self._records}
        tests: dict[Path, dict[str, bool]] = {}
        for nodeid, passed in self._ran.items():
            file = nodeid.partition("::")[0]
            tests.setdefault(self._config.rootpath / file, {})[_file_name(nodeid)] = passed
        found = []
        for folder in sorted({module.parent / FOLDER for module in tests}):
            for path in sorted(folder.glob("*/*.toml")):
                module = folder.parent / f"{path.parent.name}.py"
                ran = tests.get(module)
                if ran is None and module.is_file():
                    continue
                own = [passed for test, passed in (ran or {}).items() if f"{path.stem}.".startswith(f"{test}.")]
                if path not in used and all(own):
                    found.append(path)
        return found
