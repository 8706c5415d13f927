import ast
import copy
import json
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech import PrivacyLevel
from lpmech.certify import Certificate, certificate_of, checker, read_certificate
from lpmech.errors import CertificateError, DataFileError
from lpmech.programs import Program, optimal_channel


def test_the_checker_imports_the_standard_library_only_and_fits_one_sitting():
    source = Path(checker.__file__).read_text(encoding="utf-8")
    assert source.count("\n") < 150
    for node in ast.walk(ast.parse(source)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=700, max_denominator=10**6))
def test_exp_bounds_enclose_e_to_the_x(x):
    low, high = checker.exp_bounds(x)
    true = sp.exp(sp.Rational(x.numerator, x.denominator)).evalf(60)
    assert sp.Rational(low.numerator, low.denominator) < true < sp.Rational(high.numerator, high.denominator)
    assert high / low - 1 < Fraction(1, 10**24)


def test_exact_certificate_round_trip(tmp_path):
    program = Program([[3, 1, 0], [0, 2, 1]], PrivacyLevel.from_ratio(3), ["a", "b"], fixed={("a", 1): Fraction(1, 4)})
    solution = program.solve("exact")
    certificate = certificate_of(solution)
    assert solution.certificate == certificate
    assert certificate.lower == certificate.upper == solution.value
    path = tmp_path / "certificate.json"
    path.write_text(certificate.to_json())
    assert read_certificate(path).data == certificate.data
    assert read_certificate(path).channel == solution.channel


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 2.0, 8.0, 30.0])
def test_float_solution_carries_a_rigorous_interval(epsilon):
    utility = -np.abs(np.subtract.outer(range(9), range(9)))
    certificate = certificate_of(optimal_channel(utility, epsilon).solve())
    assert certificate.lower <= certificate.upper
    assert certificate.upper - certificate.lower < 1e-9
    assert certificate.channel.epsilon <= epsilon
    assert Fraction(certificate.data["ratio"][0]) < Fraction(math.exp(epsilon)) * (1 + Fraction(1, 2**50))


@given(st.floats(0.5, 5), st.floats(0.2, 0.5))
def test_float_solutions_with_fixed_entries_are_enclosed_too(epsilon, entry):
    solution = Program([[1.0, 0.0], [0.0, 1.0]], epsilon, fixed={(0, 0): entry}).solve()
    certificate = certificate_of(solution)
    assert certificate.channel.matrix[0, 0] == Fraction(entry)  # the float itself, not a neighbour
    # q[1, 1] <= min(t q[0, 1], 1 - q[0, 0] / t), and the first is at least t / 2
    best = entry + min(math.exp(epsilon) * (1 - entry), 1 - entry / math.exp(epsilon))
    assert float(certificate.lower) == pytest.approx(best, rel=1e-12)
    assert certificate.lower <= certificate.upper < certificate.lower + Fraction(1, 10**20)


def _paths(data, path=()):
    """Every place of the certificate that holds a single value."""
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if children is None:
        yield path
    else:
        for key, child in children:
            yield from _paths(child, (*path, key))


def _changed(data, path, change):
    bad = copy.deepcopy(data)
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = change(place[path[-1]])
    return bad


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_single_changed_entry_is_rejected(data):
    fixed = data.draw(st.sampled_from([{}, {(0, 0): Fraction(1, 3)}]))
    weights = optimal_channel(data.draw(utilities(3, 3)), data.draw(levels), data.draw(priors(3)))
    good = certificate_of(Program(weights.weights, weights.level, fixed=fixed).solve("exact")).data
    path = data.draw(st.sampled_from(list(_paths(good))))
    other = data.draw(st.one_of(st.fractions(max_denominator=99).map(str), st.integers(0, 9), st.text(max_size=3)))
    bad = _changed(good, path, lambda _: other)
    if bad == good:
        return
    with pytest.raises(checker.RejectedError):
        checker.check(bad)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_resealing_cannot_extend_what_is_proved(data):
    """With the seal made good, a changed number is rejected, or leaves a true certificate of the changed program."""
    program = optimal_channel(data.draw(utilities(3, 3)), data.draw(levels), data.draw(priors(3)))
    good = certificate_of(program.solve("exact")).data
    numbers = [p for p in _paths(good) if p[0] in ("ratio", "weights", "channel", "row_duals", "lower", "upper")]
    path = data.draw(st.sampled_from(numbers))
    change = data.draw(st.fractions(min_value=-2, max_value=2, max_denominator=9).filter(bool))
    bad = _changed(good, path, lambda text: str(Fraction(text) + change))
    bad["seal"] = checker.seal_of(bad)
    try:
        lower, upper = checker.check(bad)
    except checker.RejectedError:
        return
    assert path[0] == "weights"  # a weight whose entry has probability zero
    changed = Program([[Fraction(v) for v in row] for row in bad["weights"]], program.level)
    assert lower <= changed.solve("exact").value <= upper


@pytest.mark.parametrize("key", ["channel", "row_duals", "lower", "upper", "ratio"])
def test_tampering_with_a_tight_certificate_is_rejected_by_its_mathematics(key):
    good = certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    path = (key, 0, 0) if key == "channel" else (key,) if key in ("lower", "upper") else (key, 0)
    for step in (Fraction(1, 10**9), -Fraction(1, 10**9)):
        bad = _changed(good, path, lambda text, step=step: str(Fraction(text) + step))
        bad["seal"] = checker.seal_of(bad)
        with pytest.raises(CertificateError):
            Certificate(bad)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "not json"])
def test_malformed_certificates(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises((CertificateError, DataFileError)):
        read_certificate(path)
    with pytest.raises(DataFileError):
        read_certificate(tmp_path / "absent.json")


def test_certificate_of_a_float_level_names_its_epsilon():
    data = json.loads(certificate_of(optimal_channel([[1, 0], [0, 1]], 0.1).solve()).to_json())
    assert Fraction(data["epsilon"]) == Fraction(0.1)
    wrong = {**data, "epsilon": "1/5"}
    wrong["seal"] = checker.seal_of(wrong)
    with pytest.raises(CertificateError, match="enclose"):
        Certificate(wrong)
