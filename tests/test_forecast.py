"""Forecasts: simulated training and counting on public examples."""

import math
import shlex

import numpy as np
import pytest

from lpmech.applications.learning.forecast import CONSTANT, counting_errors, forecasts, trials
from lpmech.applications.learning.methods import METHODS
from lpmech.applications.tabular import read_examples
from lpmech.cli import main
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.release.design_files import certify_directory


def table(directory, rows=64):
    rng = np.random.default_rng(1)
    lines = ["size,colour,kind"]
    for i in range(rows):
        kind = "ab"[i % 4 == 0]
        lines.append(f"{rng.normal(4 * (kind == 'a')):.3f},{'red' if rng.random() < 0.5 else 'blue'},{kind}")
    path = directory / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_counting_errors_are_those_of_binary_randomized_response():
    labels = np.array(["a"] * 70 + ["b"] * 30, dtype=object)
    errors = {entry.mechanism: entry.error for entry in counting_errors(labels, 1.0).comparisons}
    keep = math.e / (math.e + 1)
    # a released label decodes to (bit - (1 - keep)) / (2 keep - 1), of variance keep (1 - keep) / (2 keep - 1)^2
    expected = math.sqrt(keep * (1 - keep) / (2 * keep - 1) ** 2 / 100)
    assert errors["randomized_response"] == pytest.approx(expected)
    assert errors["optimal_unary_encoding"] > expected
    assert "always_one_label" not in errors


def test_values_of_other_columns_become_features_and_bad_files_are_refused(tmp_path):
    examples = read_examples(table(tmp_path), "kind")
    features, labels = examples.features, examples.labels
    assert features.shape == (64, 3)  # size, and blue and red
    assert set(labels) == {"a", "b"}
    with pytest.raises(DataFileError, match="size, colour, kind"):
        read_examples(tmp_path / "data.csv", "sort")
    (tmp_path / "gap.csv").write_text("x,y\n1,a\n,b\n")
    with pytest.raises(DataFileError, match="empty cells"):
        read_examples(tmp_path / "gap.csv", "y")
    (tmp_path / "long.csv").write_text("x,y\n1,a,2\n1,b,3\n")  # pandas makes the first column an index
    with pytest.raises(DataFileError, match="longer than the header"):
        read_examples(tmp_path / "long.csv", "y")
    (tmp_path / "twice.csv").write_text("x,x,y\n1,2,a\n1,3,b\n")  # pandas calls the second one x.1
    with pytest.raises(DataFileError, match="a name of its own"):
        read_examples(tmp_path / "twice.csv", "y")
    with pytest.raises(InvalidInputError, match="eight examples"):
        trials(np.zeros((6, 1)), np.array(list("ababab")), 1.0, 2)


def test_every_method_is_forecast_beside_true_labels_and_a_constant(tmp_path):
    examples = read_examples(table(tmp_path), "kind")
    features, labels = examples.features, examples.labels
    found = {entry.method: entry for entry in forecasts(trials(features, labels, 2.0, 2))}
    assert set(found) == {"true labels", CONSTANT, *METHODS}
    assert found[CONSTANT].average == (0.5, 0.0)
    assert found["true labels"].average[0] > 0.8
    assert all(0 <= entry.accuracy[0] <= 1 and entry.accuracy[1] >= 0 for entry in found.values())


def test_the_command_says_which_for_training_and_which_for_counting(tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["forecast", str(table(tmp_path)), "--label", "kind", "--epsilon", "2", "--repeats", "2", "--jobs", "1"])
    printed = capsys.readouterr()
    commands = [line for line in printed.out.splitlines() if line.startswith("lpmech design ")]
    assert "--utility count --mechanism" in commands[-1]
    for n, command in enumerate(commands):  # what is recommended can be deployed as it is printed
        words = shlex.split(command)[1:]
        with pytest.raises(SystemExit) as deployed:
            main([*words[:-1], str(tmp_path / f"mechanism{n}")])
        assert (deployed.value.code, words[-2:]) == (0, ["--output", "mechanism"])
        certify_directory(tmp_path / f"mechanism{n}")
    assert caught.value.code == 0
    assert "must not be private" in printed.out
    assert "for training, " in printed.out
    assert "for counting, " in printed.out
