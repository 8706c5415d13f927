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
from lpmech.errors import CertificateError, DataFileError, ProgramError
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


def test_fixed_entries_need_an_exact_solution():
    solution = Program([[1.0, 0.0], [0.0, 1.0]], 1.0, fixed={(0, 0): 0.6}).solve()
    with pytest.raises(ProgramError, match="exact"):
        certificate_of(solution)


def _paths(data):
    """Every (container, key) whose entry is a number written as text or an index."""
    for key in ("ratio", "row_duals"):
        yield from ((key, i) for i in range(len(data[key])))
    for key in ("weights", "channel"):
        yield from ((key, y, j) for y in range(len(data[key])) for j in range(len(data[key][0])))
    for key in ("fixed", "fixed_duals"):
        yield from ((key, i, 2) for i in range(len(data[key])))
    yield from (("lower",), ("upper",))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_single_tampered_entry_extends_what_is_proved(data):
    """Changing one number either is rejected, or leaves a certificate that is still true of the changed program."""
    program = optimal_channel(data.draw(utilities(3, 3)), data.draw(levels), data.draw(priors(3)))
    good = certificate_of(program.solve("exact")).data
    bad = copy.deepcopy(good)
    path = data.draw(st.sampled_from(list(_paths(good))))
    change = data.draw(st.fractions(min_value=-2, max_value=2, max_denominator=9).filter(bool))
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = str(Fraction(place[path[-1]]) + change)
    try:
        lower, upper = checker.check(bad)
    except checker.RejectedError:
        return
    assert path[0] in ("weights", "channel")  # a weight times zero probability, or a move along a flat direction
    changed = Program([[Fraction(v) for v in row] for row in bad["weights"]], program.level)
    assert lower <= changed.solve("exact").value <= upper


@pytest.mark.parametrize("key", ["channel", "row_duals", "lower", "upper", "ratio"])
def test_tampering_with_a_tight_certificate_is_rejected(key):
    good = certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    bad = copy.deepcopy(good)
    if key in ("lower", "upper"):
        bad[key] = str(Fraction(bad[key]) + Fraction(1, 10**9))
    elif key == "channel":
        bad[key][0][0] = str(Fraction(bad[key][0][0]) + Fraction(1, 10**9))
    else:
        bad[key][0] = str(Fraction(bad[key][0]) - Fraction(1, 10**9))
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
    with pytest.raises(CertificateError, match="enclose"):
        Certificate(wrong)
