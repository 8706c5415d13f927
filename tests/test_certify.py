import ast
import copy
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
import tracemalloc
from fractions import Fraction
from itertools import product
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import sympy as sp
from fuzzing import plain, within
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, priors, utilities

from lpmech import PrivacyLevel
from lpmech.certify import Certificate, certificate_around, certificate_of, checker, read_certificate
from lpmech.certify.packing import matrix_of, packed_weights, refuse_uncertifiable
from lpmech.entries import as_array, to_exact
from lpmech.errors import CertificateError, DataFileError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import utility_named
from lpmech.mechanisms import randomized_response
from lpmech.programs import Program, optimal_channel


def test_the_checker_imports_the_standard_library_only_and_fits_one_sitting():
    source = Path(checker.__file__).read_text(encoding="utf-8")
    assert source.count("\n") < 480  # 45 of them are about worst priors
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
    assert read_certificate(path).channel.matrix.tolist() == solution.channel.matrix.tolist()
    assert read_certificate(path).channel.inputs == ("a", "b")
    assert read_certificate(path).channel.outputs == ("0", "1", "2")  # names are text in a file


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
    good = data.draw(st.sampled_from([good, plain(good)]))
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
    """With the seal made good, a changed number is rejected, or leaves a true certificate of the stated program."""
    program = optimal_channel(data.draw(utilities(3, 3)), data.draw(levels), data.draw(priors(3)))
    good = plain(certificate_of(program.solve("exact")).data)
    numbers = [p for p in _paths(good) if p[0] in ("ratio", "weights", "channel", "row_duals", "lower", "upper")]
    path = data.draw(st.sampled_from(numbers))
    change = data.draw(st.fractions(min_value=-2, max_value=2, max_denominator=9).filter(bool))
    bad = _changed(good, path, lambda text: str(Fraction(text) + change))
    bad["seal"] = checker.seal_of(bad)
    try:
        proof = checker.check(bad)
    except checker.RejectedError:
        return
    stated = Program(matrix_of(bad["weights"]), program.level)
    assert proof.lower <= stated.solve("exact").value <= proof.upper


TIGHT = [(("channel", 0, 0), 1), (("channel", 0, 0), -1), (("ratio", 0), 1), (("ratio", 0), -1), (("ratio", 1), 1),
         (("ratio", 1), -1), (("row_duals", 0), -1), (("row_duals", 0), 1), (("lower",), 1), (("upper",), -1)]  # fmt: skip


@pytest.mark.parametrize(("path", "sign"), TIGHT)
def test_tampering_with_a_tight_certificate_is_rejected_by_its_mathematics(path, sign):
    good = plain(certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data)
    step = sign * Fraction(1, 10**9)
    bad = resealed(_changed(good, path, lambda text: str(Fraction(text) + step)))
    with pytest.raises(CertificateError):
        Certificate(bad)


def test_a_wider_interval_is_a_weaker_true_statement():
    good = certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    proof = checker.check(resealed({**good, "lower": "1/4", "upper": "3/4"}))
    assert (proof.lower, proof.upper) == (Fraction(1, 4), Fraction(3, 4))  # randomized response: 2 / (2 + 2)


def resealed(data):
    return {**data, "seal": checker.seal_of(data)}


def test_a_channel_that_is_not_private_is_rejected_for_that_reason():
    # the best channel at ratio 3 in a certificate for ratio 2: everything else is made good, so that the privacy
    # constraint alone decides; at ratio 2 the optimum is 1/2
    good = certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    more = certificate_of(optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(3)).solve("exact")).data
    bad = resealed({**good, "channel": more["channel"], "upper": "1"})
    with pytest.raises(checker.RejectedError, match="output 0 breaks the privacy constraint"):
        checker.check(bad)
    # by one column only, the last, and by little: rows (1/2 - h, 1/4, 1/4 + h)
    h = Fraction(1, 10**12)
    rows = [[Fraction(1, 2) - h, Fraction(1, 4), Fraction(1, 4) + h], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    rows[2] = [Fraction(1, 4), Fraction(1, 4) - 2 * h, Fraction(1, 2) + 2 * h]
    bad = resealed({**good, "channel": [[str(v) for v in row] for row in rows], "lower": "0"})
    with pytest.raises(checker.RejectedError, match="output 1 breaks the privacy constraint"):
        checker.check(bad)
    # private at the ratio above e^epsilon, but not at the one below it
    good = certificate_of(optimal_channel(np.eye(2), 1.0).solve()).data
    top = Fraction(good["ratio"][1])
    rows = [[str(v) for v in row] for row in ([top / (1 + top), 1 / (1 + top)], [1 / (1 + top), top / (1 + top)])]
    with pytest.raises(checker.RejectedError, match="output 0 breaks the privacy constraint"):
        checker.check(resealed({**good, "channel": rows}))


def test_a_channel_is_private_at_the_lower_bound_of_e_to_the_epsilon():
    # e^epsilon lies strictly between the two rational bounds: what is private at the upper one may not be at epsilon
    good = certificate_of(optimal_channel(np.eye(2, dtype=int), 1.0).solve()).data
    low, high = map(Fraction, good["ratio"])

    def responding_at(t):
        entries = [[str(v) for v in row] for row in ([t / (t + 1), 1 / (t + 1)], [1 / (t + 1), t / (t + 1)])]
        return resealed({**good, "channel": entries, "lower": "0"})

    checker.check(responding_at(low))
    for t in (high, (low + high) / 2):
        with pytest.raises(checker.RejectedError, match="output 0 breaks the privacy constraint"):
            checker.check(responding_at(t))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (["-1", "0", "1/2", "0"], "out of range"),
        (["0", "-1", "1/2", "0"], "out of range"),
        (["3", "0", "1/2", "0"], "out of range"),
        (["0", "0", "1/2"], "3 entries in place of 4"),
        (["0", "0", "1/3", "0"], "is not the fixed value"),
        (["0", "0", "1/2", "1/10"], "dual"),
    ],
)
def test_fixed_entries_are_named_and_hold(entry, message):
    # K = 2, ratio 1 + 1 = 2 would give 2/3; the entry (0, 0) is prescribed as 1/2, and (1, 1) is then best at 3/4
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed={(0, 0): Fraction(1, 2)})
    good = certificate_of(program.solve("exact")).data
    assert good["lower"] == good["upper"] == "5/4"
    assert good["fixed"][0][:3] == ["0", "0", "1/2"]
    with pytest.raises(checker.RejectedError, match=message):
        checker.check(resealed({**good, "fixed": [entry]}))
    with pytest.raises(checker.RejectedError, match="repeated"):
        checker.check(resealed({**good, "fixed": [*good["fixed"], *good["fixed"]]}))


@pytest.mark.parametrize("ratio", [["1", "1"], ["1/2", "2"], ["0", "2"], ["2", "3/2"]])
def test_a_ratio_is_above_one_and_its_bounds_in_order(ratio):
    good = certificate_of(Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    with pytest.raises(checker.RejectedError, match="the ratio is not above one"):
        checker.check(resealed({**good, "ratio": ratio}))


POSITIONS = {  # of the matrix [[2, 1], [1, 2]] in its compact form
    "position beyond": ({"rows": ["0 1", "1 2"]}, "not the position of a value"),
    "negative position": ({"rows": ["0 -1", "1 0"]}, "not the position"),
    "other digits": ({"rows": ["0 \u0661", "1 0"]}, "not the position"),
    "zeros before": ({"rows": ["0 01", "1 0"]}, "not the position"),
    "two blanks": ({"rows": ["0  1", "1 0"]}, "3 entries in place of 2"),
    "short row": ({"rows": ["0 1", "1"]}, "1 entries in place of 2"),
    "few rows": ({"rows": ["0 1"]}, "1 entries in place of 2"),
    "many rows": ({"rows": ["0 1", "1 0", "0 1"]}, "3 entries in place of 2"),
    "ten million blanks": ({"values": " " * 10**7}, "more values than entries"),
    "a value too many": ({"values": "2 1 7"}, "a value is not used"),
    "no number": ({"values": "2 1e9"}, "not a number"),
    "zero below": ({"values": "2 1/0"}, "a denominator is zero"),
    "few scales": ({"scales": ["1"]}, "1 entries in place of 2"),
    "scale no text": ({"scales": ["1", 1]}, "not a number"),
    "values no text": ({"values": ["2", "1"]}, "is not a string"),
    "row of lists": ({"rows": [["0", "1"], ["1", "0"]]}, "is not a string"),
    "more": ({"more": "1"}, "unknown entries"),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_compact_matrices_are_read_strictly(name):
    program = Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2))
    good = certificate_of(program.solve("exact")).data
    good = resealed({**good, "weights": {"scales": ["1", "1"], "values": "2 1", "rows": ["0 1", "1 0"]}})
    checker.check(good)
    change, message = POSITIONS[name]
    bad = resealed({**good, "weights": {**good["weights"], **change}})
    with within(1.0), pytest.raises(checker.RejectedError, match=message):
        checker.check(bad)


@pytest.mark.parametrize("scales", [["1", "-1"], ["-2", "1/2"], ["1/3", "-3"]])
def test_a_row_may_be_scaled_by_any_number(scales):
    # the same weights, written as multiples of scales of either sign
    good = certificate_of(Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    quotients = [[str(Fraction(v) / Fraction(s)) for v in row] for s, row in zip(scales, [[2, 1], [1, 2]], strict=True)]
    values = list(dict.fromkeys([*quotients[0], *quotients[1]]))
    rows = [" ".join(str(values.index(v)) for v in row) for row in quotients]
    weights = {"scales": scales, "values": " ".join(values), "rows": rows}
    assert checker.check(resealed({**good, "weights": weights})).upper == checker.check(good).upper
    constant = {"scales": ["1", "0"], "values": "2 1", "rows": ["0 1", "1 0"]}  # the second row is worth nothing
    with pytest.raises(checker.RejectedError, match="does not attain"):
        checker.check(resealed({**good, "weights": constant}))


def test_a_row_of_blanks_is_refused_before_it_is_split():
    # the pieces of a file of nothing but blanks would take eight times its room, and minutes to count
    good = certificate_of(Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    bad = {**good, "channel": {**good["channel"], "rows": [" " * 2**20, "1 0"]}}
    tracemalloc.start()
    with pytest.raises(checker.RejectedError, match="1048577 entries in place of 2"):
        checker.check(bad)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_compact_and_plain_certificates_say_the_same(data):
    floats = data.draw(st.booleans())
    entry = st.floats(-5, 5) if floats else st.fractions(-5, 5, max_denominator=10**30)
    utility = [[data.draw(entry) for _ in range(3)] for _ in range(3)]
    program = optimal_channel(utility, data.draw(levels), data.draw(priors(3)))
    good = certificate_of(program.solve("interior-point" if floats else "exact")).data
    assert np.array_equal(matrix_of(good["weights"]), to_exact(program.weights))
    assert checker.check(good) == checker.check(plain(good))._replace(seal=good["seal"])


def test_duals_are_short_whatever_the_denominators_of_the_weights():
    # the exact shift has the least common multiple of 1, ..., K in it: about two digits a label, and 4,000 are allowed
    size = 60
    utility = [[Fraction(min(i, j), max(i, j)) for j in range(1, size + 1)] for i in range(1, size + 1)]
    certificate = certificate_of(optimal_channel(utility, 1.0).solve())
    assert max(map(len, certificate.data["row_duals"])) < 150
    assert certificate.upper - certificate.lower < 1e-9


def test_certificates_of_thousands_of_labels_fit_the_checker(monkeypatch):
    # most labels would take (4000 / 100)^2 times the room of these, and a digit more for an entry of the weights;
    # as lists of numbers they take 20 to 60 characters for an entry, and no more than 1,400 labels fit
    counts = LabelCounts(tuple(map(str, range(1, 101))), tuple(range(50, 150)))
    for name in ("hit", "absolute", "squared", "information"):
        utility = utility_named(name, counts, PrivacyLevel.from_epsilon(1.0))
        text = certificate_of(optimal_channel(utility, 1.0, counts.prior).solve()).to_json()
        assert len(text) + 2 * utility.size < checker.MAX_BYTES * 100**2 / checker.MAX_NAMES**2
    monkeypatch.setattr(checker, "MAX_NAMES", 100)
    with pytest.raises(CertificateError, match="101 labels: a certificate has at most 100; merge some"):
        refuse_uncertifiable(np.eye(101))
    rng = np.random.default_rng(0)
    long = certificate_of(optimal_channel(rng.random((20, 20)), 1.0).solve())
    monkeypatch.setattr(checker, "MAX_BYTES", 5000)
    refuse_uncertifiable(np.eye(20))
    with pytest.raises(CertificateError, match="a certificate has at most 5000"):
        refuse_uncertifiable(rng.random((20, 20)))
    with pytest.raises(CertificateError, match="a certificate has at most 5000"):
        long.to_json()


DEEP = 20_000
BROKEN = {
    "empty": ("", "not JSON"),
    "not an object": ("[]", "not a JSON object"),
    "empty object": ("{}", "format is"),
    "another format": ('{"format": "lpmech-certificate-2"}', "format is lpmech-certificate-2; this checker reads"),
    "no JSON": ("not json", "only strings, lists and objects"),
    "deep": ('{"format": ' + "[" * DEEP + "]" * DEEP + "}", "nested too deeply"),
    "unbalanced": ('{"format": [', "unbalanced"),
    "open string": ('{"format": "x', "does not end"),
    "a quote in a string": ('{"format": "\\"[[[[[[", "x": "', "does not end"),
    "repeated": ('{"format": "a", "format": "b"}', "twice"),
    "repeated inside": ('{"stated": {"a": "1", "a": "2"}}', "twice"),
    "control character": ('{"format": "a\nb"}', "not JSON"),
    "trailing": ('{"format": "a"} {}', "not JSON"),
    "half a character": ('{"format": "\\ud800"}', r"ud800"),
    "missing": (json.dumps({"format": checker.FORMAT}), "lacks channel"),
    **{f"constant {v}": (f'{{"format": {v}}}', "only strings") for v in ("1", "true", "null", "NaN", "-Infinity", "1e9")},
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_malformed_certificates(tmp_path, name):
    text, message = BROKEN[name]
    path = tmp_path / "c.json"
    path.write_text(text)
    started = time.perf_counter()
    with pytest.raises(CertificateError, match=message) as caught:
        read_certificate(path)
    assert time.perf_counter() - started < 1
    assert len(str(caught.value)) < 400 + len(str(path))


def test_files_that_are_no_certificate_files(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "absent.json", tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(DataFileError, match="certificate"):
            read_certificate(path)
    (tmp_path / "latin1.json").write_bytes(b'{"format": "\xe9"}')
    with pytest.raises(CertificateError, match="UTF-8"):
        read_certificate(tmp_path / "latin1.json")
    monkeypatch.setattr(checker, "MAX_BYTES", 10)
    with pytest.raises(CertificateError, match="more than 10 bytes"):
        read_certificate(tmp_path / "latin1.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" + "[]," * checker.MAX_BRACKETS + "[]]", "brackets"),
        ('{"a": [' + '"1",' * checker.MAX_STRINGS + '"1"]}', "strings"),
    ],
    ids=["brackets", "strings"],
)
def test_what_no_certificate_needs_is_refused_before_it_is_parsed(text, message, monkeypatch):
    monkeypatch.setattr(checker.json, "loads", None)
    with pytest.raises(checker.RejectedError, match=message):
        checker.parse(text)


def test_long_numbers_are_refused_before_they_are_converted(monkeypatch):
    good = certificate_of(optimal_channel(np.eye(2, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    labels = [str(i) for i in range(300)]
    data = {**good, "inputs": labels, "outputs": labels, "row_duals": ["1"] * 300}
    converted = []
    convert = checker._pair
    monkeypatch.setattr(checker, "_pair", lambda text, key: converted.append(text) or convert(text, key))
    for weights in (  # one number that stands at many places, and as a factor of many
        {"values": f"1/{10**3900}", "rows": [" ".join(["0"] * 300)] * 300},
        {"values": "1", "scales": [f"1/{10**3900}"] * 300, "rows": [" ".join(["0"] * 300)] * 300},
    ):
        with pytest.raises(checker.RejectedError, match="squared lengths"):
            checker.check(resealed({**data, "weights": weights}))
    assert max(map(len, converted)) == 1


@pytest.mark.parametrize("value", [Fraction(1, 10), Fraction(9, 10)])
def test_a_fixed_entry_counts_in_the_bound_with_its_sign(value):
    """Catches a bound that takes mu f off in place of adding it: an upper value below the optimum would be believed.

    The best entry is 1/2, so that a smaller one has a positive dual, and a larger one a negative.
    """
    program = Program(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2), fixed={(0, 0): value})
    solution = program.solve("exact")
    good, mu = certificate_of(solution).data, solution.fixed_duals[0, 0]
    assert (mu > 0) == (value < Fraction(1, 2))
    for wrong in (-2 * abs(mu) * value, -abs(mu) * value, -Fraction(1, 10**9)):
        forged = str(Fraction(good["upper"]) + wrong)
        with pytest.raises(checker.RejectedError, match="upper value"):
            checker.check(resealed({**good, "lower": forged, "upper": forged}))


def test_what_is_stated_is_under_the_seal():
    """Catches a seal that leaves it out: the checker repeats it, so nobody may change it afterwards."""
    program = optimal_channel(np.eye(3, dtype=int), PrivacyLevel.from_ratio(2))
    good = certificate_of(program.solve("exact"), {"utility": "hit"}).data
    assert checker.check(good).stated == {"utility": "hit"}
    for stated in ({"utility": "miss"}, {"utility": "hit", "more": "x"}, {}):
        with pytest.raises(checker.RejectedError, match="seal"):
            checker.check({**good, "stated": stated})


def test_stated_entries_are_few():
    good = certificate_of(optimal_channel(np.eye(2, dtype=int), PrivacyLevel.from_ratio(2)).solve("exact")).data
    most = {str(i): "x" for i in range(checker.MAX_STATED)}
    assert str(checker.check(resealed({**good, "stated": most}))).count("\n") == checker.MAX_STATED + 1
    with pytest.raises(checker.RejectedError, match=f"stated: {checker.MAX_STATED + 1} entries"):
        checker.check(resealed({**good, "stated": {**most, "more": "x"}}))
    with pytest.raises(checker.RejectedError, match="stated"):
        checker.check(resealed({**good, "stated": {"k" * (checker.MAX_TEXT + 1): "x"}}))


NUMBERS = ["", "-", "+1", " 1", "1 ", "1.5", "1e5", "1e9999999", "1/0", "1/-2", "1//2", "0x10", "1_000", "١", "½", "inf", "nan",
           "1" * 4001, "1/" + "3" * 5000, 1, 1.5, True, None, [], {}, ["1"], "1\n", "1/3\n"]  # fmt: skip


@pytest.mark.parametrize("value", NUMBERS, ids=lambda v: repr(v)[:12])
def test_a_number_is_a_string_of_digits(value):
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed={(0, 0): Fraction(1, 2)})
    good = plain(certificate_of(program.solve("exact")).data)
    places = [
        ("lower",),
        ("upper",),
        ("ratio", 0),
        ("weights", 0, 0),
        ("channel", 1, 1),
        ("row_duals", 0),
        ("fixed", 0, 3),
    ]
    for path in [*places, ("epsilon",)]:
        bad = _changed({"epsilon": "1", **good}, path, lambda _: value)
        started = time.perf_counter()
        with pytest.raises(checker.RejectedError):
            checker.check(resealed(bad))
        assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    "epsilon", ["0", "-1", "1001", "1000000000", "1" * 4000, "1/" + "7" * 4000, "9" * 4000 + "/" + "1" * 3999]
)
def test_epsilon_is_bounded_before_its_exponential_is_computed(epsilon):
    good = certificate_of(optimal_channel([[1, 0], [0, 1]], 1.0).solve()).data
    started = time.perf_counter()
    with pytest.raises(checker.RejectedError, match=r"epsilon|ratio"):
        checker.check(resealed({**good, "epsilon": epsilon}))
    assert time.perf_counter() - started < 0.5


@pytest.mark.parametrize("outputs", [("a", "c"), ("B", "a"), ("a", "b", "c")])
def test_a_proof_names_the_outputs_unless_they_are_the_labels(outputs):
    labels = optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), inputs=["a", "b"], outputs=["a", "b"])
    same = checker.check(certificate_of(labels.solve("exact")).data)
    assert "to the same labels" in str(same)
    assert f"to {len(outputs)} outputs" in str(same._replace(outputs=outputs))


def test_weights_without_a_short_common_denominator_are_quotients():
    # 1/p and -3/p for 80 primes of 61 bits; with duals 0 the slacks lie between -1 and 1, and 2/p - 3/p' <= 0
    primes = [int(sp.nextprime(2**60 + 10**6 * i)) for i in range(80)]
    weights = [[Fraction(1, p) for p in primes[:40]], [Fraction(-3, p) for p in primes[40:]]]
    solution = Program(weights, PrivacyLevel.from_ratio(2)).solve("exact")
    good = certificate_of(solution).data
    assert checker.check(good).lower <= solution.value <= checker.check(good).upper
    assert checker.check(resealed({**good, "row_duals": ["0", "0"], "upper": "0"})).upper == 0
    with pytest.raises(checker.RejectedError, match="do not prove"):
        checker.check(resealed({**good, "row_duals": ["0", "0"], "upper": "-1"}))
    # 2/p - 3/(2 p') > 0: a slack below zero counts once, not e^epsilon times
    weights[1] = [Fraction(-3, 2 * p) for p in primes[40:]]
    wrong = certificate_of(Program(weights, PrivacyLevel.from_ratio(2)).solve("exact")).data
    with pytest.raises(checker.RejectedError, match="the dual constraint of output 0 is violated"):
        checker.check(resealed({**wrong, "row_duals": ["0", "0"], "lower": "-1", "upper": "0"}))


def test_more_than_twelve_names_are_cut_short():
    names = [str(i) for i in range(13)]
    assert checker.listed(names) == "(0, 1, 2, ..., 12)"
    assert checker.listed(names[:12]) == f"({', '.join(names[:12])})"


def test_an_exact_optimum_of_sixty_characters_is_printed():
    proof = checker.check(
        certificate_of(optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    )
    for length, exactly in ((60, True), (61, False)):
        value = Fraction(1, 10 ** (length - 3))
        assert len(str(value)) == length
        assert ("is exactly 1/1000" in str(proof._replace(lower=value, upper=value))) is exactly


def test_an_entry_may_have_as_many_digits_as_are_allowed():
    good = certificate_of(Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    tail = "0" * (checker.MAX_DIGITS - 1)
    rows = [[f"2{tail}/1{tail}", "1"], ["1", "2"]]
    assert checker.check(resealed({**good, "weights": rows})).upper == checker.check(good).upper
    rows[0][0] = f"20{tail}/10{tail}"
    with pytest.raises(checker.RejectedError, match=r"weights"):
        checker.check(resealed({**good, "weights": rows}))


def test_weights_with_unlike_denominators_are_packed_as_quotients():
    # over their common denominator, a number of 250 digits, 100 entries 1/p would take 25,000 characters
    primes = list(sp.primerange(1000))[:100]
    rows = as_array([[Fraction(1, p) for p in primes]] * 2, "weights", 2)
    found = packed_weights(rows)
    assert len(found["values"]) < 1500
    assert matrix_of(found).tolist() == rows.tolist()
    halves = packed_weights(as_array([[Fraction(1, 6), Fraction(1, 2)], [0, 1]], "weights", 2))
    assert (halves["values"], halves["scales"]) == ("1 3 0", ["1/6", "1"])


def test_sums_are_bounded_before_they_are_computed():
    # 1/p for the primes p: a true sum would need a common denominator of their product
    primes = list(sp.primerange(10**6, 10**6 + 10**5))[:4000]
    row = [Fraction(1, p) for p in primes]
    started = time.perf_counter()
    with pytest.raises(checker.RejectedError, match="common denominator"):
        checker.sign_of_sum([*row, -Fraction(sum(math.ceil(v * 2**300) for v in row), 2**300)])
    assert time.perf_counter() - started < 1


@given(st.lists(st.fractions(max_denominator=40), min_size=1, max_size=8), st.integers(-1, 1), st.integers(0, 400))
def test_the_sign_of_a_sum_is_exact(values, sign, bits):
    # the last term makes the sum 0, or closer to 0 than the rounding sees
    values = [*values, -sum(values) + sign * Fraction(1, 2**bits)]
    assert checker.sign_of_sum(values) == sign


@given(st.fractions(), st.integers(1, 20))
def test_decimals_are_rounded_outwards(value, digits):
    low, high = Fraction(checker.below(value, digits)), Fraction(checker.above(value, digits))
    assert low <= value <= high
    # and no further than needed: both have so many digits, and they agree or are neighbours
    assert high - low <= abs(value) * Fraction(11, 10 ** (digits))


def test_the_sentence_names_labels_level_interval_and_what_was_only_stated():
    program = optimal_channel(np.eye(3), 0.5, inputs=["a", "\x1b[31mred", "c"], outputs=["a", "\x1b[31mred", "c"])
    sentence = str(certificate_of(program.solve(), {"utility": "hit\n"}).proof())
    t = math.exp(0.5)
    low, high = re.search(r"lies in \[(\S+), (\S+)\]", sentence).groups()
    assert float(low) < float(high)
    assert float(low) == pytest.approx(t / (t + 2), rel=1e-12)
    assert "(a, '\\x1b[31mred', c)" in sentence  # nothing that a terminal would obey
    assert "epsilon = 1/2" in sentence
    assert "stated by its maker, not checked: utility: 'hit\\n'" in sentence
    decimal = str(certificate_of(optimal_channel(np.eye(2), 0.8).solve()).proof())
    assert "epsilon = 0.8 (the double 3602879701896397/4503599627370496)" in decimal
    exact = certificate_of(Program([[1, 0]], PrivacyLevel.from_ratio(2), ["x"], ["y", "z"]).solve("exact")).proof()
    assert "the optimum is exactly 1" in str(exact)
    assert "2 outputs (y, z)" in str(exact)
    assert "e^epsilon = 2" in str(exact)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.01, 5), priors(4))
def test_the_printed_interval_holds_the_proved_one(epsilon, prior):
    certificate = certificate_of(optimal_channel(np.eye(4, dtype=int) + 1, epsilon, prior).solve())
    printed = re.search(r"lies in \[(\S+), (\S+)\]", str(certificate.proof()))
    exactly = re.search(r"is exactly (\S+):", str(certificate.proof()))
    low, high = printed.groups() if printed else 2 * exactly.groups()
    assert Fraction(low) <= certificate.lower <= certificate.upper <= Fraction(high)


def test_labels_with_the_same_text_make_no_certificate():
    solution = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), [1, "1"]).solve("exact")
    with pytest.raises(CertificateError, match="inputs: names are repeated"):
        certificate_of(solution)


def test_the_checker_runs_alone(tmp_path):
    shutil.copy(checker.__file__, tmp_path / "checker.py")
    good = certificate_of(
        optimal_channel([[1, 0], [0, 1]], PrivacyLevel.from_ratio(3)).solve("exact"), {"utility": "é"}
    )
    (tmp_path / "good.json").write_text(good.to_json())
    (tmp_path / "bad.json").write_text(json.dumps({**good.data, "upper": "2/3"}))

    def alone(*arguments):
        command = [sys.executable, "-I", "-S", "checker.py", *arguments]
        environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=environment)

    run = alone("good.json")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("certified: the optimum is exactly 3/4: ")
    for arguments, message in [
        (("bad.json",), "seal"),
        (("absent.json",), "No such file"),
        ((), "usage"),
        (("a\nb",), "No such"),
    ]:
        run = alone(*arguments)
        assert (run.returncode, run.stdout) == (2, "")
        assert message in run.stderr
        assert run.stderr.count("\n") == 1
    with open("/dev/full", "w") as full:  # nobody has read that it is certified
        command = [sys.executable, "-I", "checker.py", "good.json"]
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert run.returncode != 0
    assert "not certified: good.json: [Errno 28] No space left" in run.stderr


def test_the_schema_accepts_certificates_and_agrees_on_what_is_none():
    schema = json.loads((Path(__file__).parent.parent / "docs" / "certificate.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed={(0, 0): Fraction(1, 2)})
    good = certificate_of(program.solve("exact"), {"utility": "hit"}).data
    for data in (good, certificate_of(optimal_channel([[1, 0], [0, 1]], 1.0).solve()).data):
        validator.validate(data)
    for path, value in product([*_paths(good)], ["1.5", 1, None]):
        if path[0] not in ("inputs", "outputs", "stated", "fixed"):
            assert not validator.is_valid(_changed(good, path, lambda _, value=value: value)), path
    assert not validator.is_valid({**good, "more": "1"})
    assert not validator.is_valid({key: value for key, value in good.items() if key != "seal"})


def test_certificate_of_a_float_level_names_its_epsilon():
    data = json.loads(certificate_of(optimal_channel([[1, 0], [0, 1]], 0.1).solve()).to_json())
    assert Fraction(data["epsilon"]) == Fraction(0.1)
    wrong = {**data, "epsilon": "1/5"}
    wrong["seal"] = checker.seal_of(wrong)
    with pytest.raises(CertificateError, match="enclose"):
        Certificate(wrong)


def test_a_value_of_many_digits_is_rounded_down_as_the_exact_one():
    """Denominators with little in common: the exact sum of 300 labels had some hundred thousand digits."""
    size = 40
    utility = [[Fraction(x * y, x * x + y * y - x * y) for x in range(1, size + 1)] for y in range(1, size + 1)]
    program = optimal_channel(utility, 1.0, [Fraction(2 * y, size * (size + 1)) for y in range(1, size + 1)])
    channel = randomized_response(size, 1.0).exact(program.level)
    exact = sum((program.weights * channel.matrix).ravel().tolist())
    found = certificate_around(program, channel, program.floats[0].max(axis=1)).lower
    assert found <= exact
    assert float((exact - found) / exact) < 2.0**-126
