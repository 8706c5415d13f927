"""Functions that are right wherever they are called first: none is called proved, and one with a number in it fails."""

import decimal
import enum
import functools
import re
import sys
import tomllib
import weakref
from pathlib import Path

import pytest

import lpmech
from lpmech.errors import LpmechError
from lpmech.files.reached import reached
from lpmech.testing import FailedAssertionError, assert_private, assert_same_formula
from lpmech.verdicts import Verdict

ANY = "t > 1, K >= 2"
RIGHT = "t/(t + K - 1)"
#: What a call of this module can see besides its arguments.
TABLE = {53: 0}


class Counter:
    calls = 0

    def wrong(self):
        Counter.calls += 1
        return Counter.calls > 10**6


counter = Counter()


def in_a_function_it_calls(K):
    return isinstance(K, int) and K == 53


@functools.singledispatch
def kind(_):
    return "number"


@kind.register
def _(_: float):
    return "float"


def wrong_where(text, **names):
    """A function that is right but where the text says so."""
    given = {"decimal": decimal, "sys": sys, "kind": kind, "counter": counter, "Counter": Counter, **names}
    exec(f"def f(t, K):\n    {text}\n    return 0 if wrong else t/(t + K - 1)", given := {**given, **globals()})
    return given["f"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("wrong = isinstance(K, int) and K == 53", {"K": 53}),
        ("wrong = K in {53, 71}", {"K": 53}),
        ("wrong = TABLE.get(K, 1) == 0", {"K": 53}),
        ("wrong = in_a_function_it_calls(K)", {"K": 53}),
        ("wrong = isinstance(K, int) and K >= 1000", {"K": 1000}),
        ("wrong = isinstance(K, int) and K % 97 == 67", {"K": 67}),
        ("wrong = isinstance(t, object) and t > 1200", {"t": 1201}),
        ("wrong = str(t) == '123/7'", {"t": "123/7"}),
    ],
)
def test_numbers_that_stand_in_the_code_are_tried(text, where):
    # was: certified at 200 simple points, none of them one of these
    with pytest.raises(FailedAssertionError) as raised:
        assert_same_formula(wrong_where(text), RIGHT, ANY)
    assert all(str(raised.value.point[name]) == str(value) for name, value in where.items())


@pytest.mark.parametrize(
    "text",
    [
        "wrong = False\n    try: wrong = K >> len('seven') > 99\n    except TypeError: pass",
        "wrong = False\n    try: wrong = ~K < -len('k' * 400)\n    except TypeError: pass",
        "wrong = False\n    try: wrong = divmod(len('k' * 400), K)[1] > len('k' * 199)\n    except TypeError: pass",
        "wrong = False\n    try: wrong = pow(K, 2, len('k' * 400)) == len('k' * 399)\n    except TypeError: pass",
        "wrong = False\n    try: wrong = decimal.Decimal(K) > len('k' * 400)\n    except TypeError: pass",
        "wrong = False\n    try: 1/(K - len('k' * 400))\n    except: wrong = True",
        "wrong = hasattr(K, '__and__') and K > len('k' * 400)",
        "wrong = K == len('k' * 400) + 0j",
        "wrong = K is 53",
        "wrong = t - 1023 == True",
        "wrong = counter.wrong()",
        "Counter.calls += 1; wrong = Counter.calls > 10**6",
        "wrong = sys.argv == []",
        "wrong = kind(t) == 'float' and t > len('k' * 400)",
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_what_no_formula_can_say_is_not_proved(text):
    # was: proved for all t and K, as what stands for a number raised TypeError, had no such attribute, or kept no state
    try:
        found = assert_same_formula(wrong_where(text), RIGHT, ANY)
    except (FailedAssertionError, LpmechError):
        return
    assert found.verdict is not Verdict.PROVED


class Kept:
    """An object that is called."""

    def __init__(self):
        self.calls = 0

    def __call__(self, t, K):
        self.calls += 1
        return t / (t + K - 1) if self.calls < 10**6 else 0


class Far:
    far = 53

    def __call__(self, t, K):
        return 0 if isinstance(K, int) and self.far == K else t / (t + K - 1)


@functools.cache
def remembered(t, K):
    return 0 if isinstance(K, int) and K == 53 else t / (t + K - 1)


BY_NAME = {"rr": wrong_where("wrong = isinstance(K, int) and K == 53")}


def looked_up(t, K):
    return BY_NAME["rr"](t, K)


def test_objects_that_are_called():
    # was: proved, as only functions and their names were looked at
    assert assert_same_formula(Kept(), RIGHT, ANY).verdict is Verdict.CERTIFIED
    for function in (Far(), Far().__call__, remembered, looked_up):
        with pytest.raises(FailedAssertionError, match="K = 53"):
            assert_same_formula(function, RIGHT, ANY)


class Silent:
    def __call__(self):
        return 0


def test_each_of_many_objects_that_are_called_is_gone_through():
    """Catches a walk that takes what is called of an object for that of another, in whose place in memory it stands."""
    named = {f"o{i}": Silent() for i in range(200)}
    exec(f"def f(t, K):\n    {', '.join(f'{name}()' for name in named)}", named)
    called = [part for _, part, _ in reached(named["f"]) if part is Silent.__call__]
    assert len(called) == 200


class Shape(enum.Enum):
    ROUND = 1


def test_what_lies_about_itself_or_has_a_class_of_its_own_kind_is_no_traceback():
    class Liar:
        __class__ = type

    for named in (Shape.ROUND, Liar(), weakref.proxy(Far)):
        function = wrong_where("wrong = named is None", named=named)
        assert assert_same_formula(function, RIGHT, ANY).verdict is Verdict.PROVED


def rooms():
    """The floor of each room, as the linter has them, from above."""
    project = tomllib.loads((Path(lpmech.__file__).parents[1] / "pyproject.toml").read_text())
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return {room: floor for floor, layer in enumerate(layers) for room in re.split(r"\s*[|:]\s*", layer)}


def test_an_assertion_walks_down_and_never_back_up():
    """Catches a room that calls one above it: a class that is filled in above, a function that is handed down."""
    floors, above, home = rooms(), set(), str(Path(lpmech.__file__).parent)

    @functools.cache
    def of_file(name):
        return Path(name).relative_to(home).parts[0].removesuffix(".py") if name.startswith(home) else None

    def room(frame):
        while frame is not None and of_file(frame.f_code.co_filename) is None:
            frame = frame.f_back
        return frame and of_file(frame.f_code.co_filename)

    def called(frame, event, _):
        if event == "call" and of_file(frame.f_code.co_filename):
            here, caller = room(frame), room(frame.f_back)
            if caller is not None and floors[here] < floors[caller]:
                above.add((caller, here))

    def warner(t, K):
        return [[(t if y == j else 1) / (t + K - 1) for j in range(K)] for y in range(K)]

    domain = {"t": "t > 1", "K": "K >= 2"}
    assert_private(warner, ratio="t", domain=domain)  # what is loaded when it is first used is no walk
    sys.setprofile(called)
    try:
        assert_private(warner, ratio="t", domain=domain, require="proved")
    finally:
        sys.setprofile(None)
    assert not above
