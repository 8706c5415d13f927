"""What `import lpmech` offers: every docstring example is run, plain Python objects are taken, tables are safe HTML."""

import doctest
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import lpmech
from lpmech.errors import DataFileError, InvalidInputError, LabelError, LpmechError, UtilityError
from lpmech.labels.counts import LabelCounts, as_label_counts
from lpmech.papers.running import run_claim
from lpmech.papers.verifying import Verdicts
from lpmech.programs import optimal_channel
from lpmech.sweeps import Result, Results, grid, sweep
from lpmech.utilities import hit

OFFERED = [name for name in lpmech.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", OFFERED)
def test_every_offered_name_has_examples_that_run(name):
    tests = doctest.DocTestFinder(recurse=False).find(getattr(lpmech, name), name)
    assert sum(len(test.examples) for test in tests) >= 2
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert [runner.run(test).failed for test in tests] == [0]


def test_what_is_not_offered_is_an_attribute_error_and_what_is_can_be_listed():
    with pytest.raises(AttributeError, match="no attribute 'desing'"):
        lpmech.desing  # noqa: B018
    assert set(lpmech.__all__) <= set(dir(lpmech))


def test_a_module_does_not_take_the_place_of_an_offered_function():
    # importing a submodule binds its name in the package: lpmech.design would be a module after `import lpmech.design`
    import pkgutil

    assert not set(OFFERED) & {module.name for module in pkgutil.iter_modules(lpmech.__path__)}


COLUMN = ["b", "a", "b", "c", "b", "a"]
SAME = LabelCounts(("a", "b", "c"), (2, 3, 1), "alphabetical")


@pytest.mark.parametrize(
    "given",
    [COLUMN, tuple(COLUMN), np.array(COLUMN), pd.Series(COLUMN), pd.Series(COLUMN, dtype="category"), SAME],
    ids=lambda given: type(given).__name__,
)
def test_labels_are_counted(given):
    assert as_label_counts(given) == SAME


def test_the_order_of_labels_is_that_of_the_mapping_the_category_or_the_numbers():
    assert as_label_counts({"z": 1, "a": np.int64(2)}) == LabelCounts(("z", "a"), (1, 2), "given")
    sizes = pd.Series(pd.Categorical(["low", "high", "low"], ["low", "middle", "high"], ordered=True))
    assert as_label_counts(sizes) == LabelCounts(("low", "middle", "high"), (2, 0, 1), "as given")
    assert as_label_counts([10, 9, 10]) == LabelCounts(("9", "10"), (1, 2), "by value")
    assert as_label_counts(pd.Series([1.0, 2.0, 1.0])).counts == (2, 1)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("examples/severity.csv", LabelError),  # a text is a sequence of characters, and no file is read unasked
        (None, LabelError),
        (7, LabelError),
        ({"a", "b"}, LabelError),
        (pd.DataFrame({"a": [1, 2]}), LabelError),
        (np.eye(2), LabelError),
        (pd.Series(COLUMN).value_counts(), LabelError),  # would count the counts
        (["a", None, "b"], LabelError),
        (pd.Series(["a", np.nan, "b"]), LabelError),
        (pd.Series(["a", pd.NA, "b"], dtype="string"), LabelError),
        ({1: 3, "1": 4}, LabelError),
        ({"a": 1, "b": 2.5}, InvalidInputError),
        ({"a": 1, "b": -1}, InvalidInputError),
        ({"a": True, "b": 1}, InvalidInputError),
        ({"a": 1}, DataFileError),
        ({}, DataFileError),
        ({"a": 0, "b": 0}, DataFileError),
        ([], DataFileError),
    ],
)
def test_what_is_no_label_counts_is_a_typed_error_at_every_door(given, error):
    for function in (lambda counts: lpmech.design(counts, 1.0), lpmech.regimes):
        with pytest.raises(error) as caught:
            function(given)
        assert isinstance(caught.value, LpmechError)


def test_an_error_about_labels_does_not_quote_them():
    with pytest.raises(LabelError) as caught:
        lpmech.design(["leprosy", None], 1.0)
    assert "leprosy" not in str(caught.value)


@pytest.mark.parametrize("utility", [np.eye(2), np.ones(3), "nothing.csv", 7, None, [[1, 2, 3], [1, 2, 3]]])
def test_a_utility_that_does_not_fit_is_a_typed_error(utility):
    with pytest.raises((UtilityError, DataFileError)):
        lpmech.design({"a": 1, "b": 2, "c": 3}, 1.0, utility)


def test_a_distance_wants_an_order_of_the_labels():
    with pytest.raises(UtilityError, match="order"):
        lpmech.design(["mild", "severe", "critical"], 1.0, "absolute")
    assert lpmech.design({"mild": 1, "severe": 1, "critical": 1}, 1.0, "absolute").labels[1] == "severe"


def test_a_matrix_is_a_utility():
    exact = lpmech.PrivacyLevel.from_ratio(3)
    by_name, by_matrix = (lpmech.design({"a": 3, "b": 1}, exact, u) for u in ("hit", hit(2)))
    assert by_matrix.utility_name == "given"
    assert by_matrix.interval == by_name.interval
    assert lpmech.regimes({"a": 3, "b": 2, "c": 1}, hit(3)).pieces == lpmech.regimes({"a": 3, "b": 2, "c": 1}).pieces


HOSTILE = "<script>alert('1')</script>&"


def test_tables_escape_every_name():
    found = lpmech.design({HOSTILE: 3, "b": 2}, 1.0)
    solution = optimal_channel(hit(2), 1.0, inputs=[HOSTILE, "b"], outputs=["b", HOSTILE]).solve()
    result = run_claim("liu2026", "Alg. 1 line 4", False)
    hostile = replace(
        result, claim=replace(result.claim, id=HOSTILE), outcome=replace(result.outcome, evidence=HOSTILE)
    )
    verdicts = Verdicts([result, hostile])
    swept = Results([Result(HOSTILE, 1.0, 0.0, 0.0, 0.0, found.channel, np.zeros(2))])
    shown = [
        x._repr_html_() for x in (found, found.channel, solution, verdicts, swept, lpmech.regimes({"a": 1, "b": 1}))
    ]
    for html in shown:
        assert "<table" in html
        assert "<script" not in html
    assert all("&lt;script&gt;" in html for html in (*shown[1:5],))


def test_frames_hold_the_numbers_themselves(tmp_path):
    solution = optimal_channel(hit(2), lpmech.PrivacyLevel.from_ratio(3), inputs=["a", "b"]).solve("exact")
    frame = solution.to_frame()
    assert frame["released"].to_numpy().tolist() == solution.channel.matrix.tolist()
    assert sum(frame["proof", "row dual"]) == solution.value == Fraction(3, 4)
    assert solution.channel.to_frame().loc["a", 0] == Fraction(3, 4)
    found = lpmech.design({"a": 3, "b": 1}, 1.0)
    assert found.to_frame().loc["optimal", "expected_utility"] == found.optimum.expected_utility
    results = sweep(grid({"hit": np.eye(2)}, [1.0, 2.0]), tmp_path)
    assert results.to_frame()[["name", "value"]].to_numpy().tolist() == [[r.name, r.value] for r in results]
    verdicts = lpmech.verify("liu2026", only=["Alg. 1 line 4"])
    assert verdicts.to_frame().loc[0, "verdict"] == "refuted"
    assert verdicts.as_recorded


def test_a_large_channel_is_cut_to_what_fits():
    channel = lpmech.Channel(np.full((300, 300), 1 / 300))
    assert channel._repr_html_().count("<td>") < 3000


def test_verify_names_what_is_wrong():
    for arguments, options in ((["nobody1999"], {}), (["liu2026"], {"only": "no such"}), (["liu2026"], {"jobs": 0})):
        with pytest.raises(LpmechError):
            lpmech.verify(*arguments, **options)
