"""The checker's limits and messages to the letter: they are the format, whatever file or version is at hand."""

import copy
import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
import unicodedata
from dataclasses import FrozenInstanceError
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from commands import ROOT
from fuzzing import plain

from lpmech import PrivacyLevel, certify
from lpmech.certify import certificate_around, certificate_of, checker, order_checker, packing, read_certificate
from lpmech.certify.certificate import _coarser
from lpmech.certify.packing import matrix_of, packed_weights, refuse_uncertifiable
from lpmech.entries import as_array, to_exact
from lpmech.errors import CertificateError, DataFileError
from lpmech.programs import Program, optimal_channel

PROGRAM = Program([[2, 1], [1, 2]], PrivacyLevel.from_ratio(2))


def resealed(data):
    return {**data, "seal": checker.seal_of(data)}


def test_limits_are_those_of_the_format():
    # what one checker accepts, another one must
    assert checker.check(certificate_of(PROGRAM.solve("exact")).data).lower == Fraction(5, 3) * 2
    assert (checker.MAX_BYTES, checker.MAX_STRINGS, checker.MAX_BRACKETS) == (536870912, 4194304, 262144)
    assert (checker.MAX_NAMES, checker.MAX_TEXT, checker.MAX_STATED) == (4000, 1000, 20)
    assert (checker.MAX_DIGITS, checker.MAX_WORK, checker.MAX_BITS) == (4000, 68719476736, 65536)
    assert (checker.MAX_EPSILON, checker.MAX_MEMORY) == (1000, 8589934592)


def test_bounds_of_e_to_the_epsilon_to_the_last_bit():
    # 128 significant bits, one unit apart for e itself; and at both ends of what is allowed
    low, high = checker.exp_bounds(Fraction(1))
    assert (low.denominator, high - low) == (2**126, Fraction(1, 2**126))
    low, high = checker.exp_bounds(Fraction(1, 1000**10))
    assert (low, high) == (1 + Fraction(340282366, 2**128), 1 + Fraction(340282367, 2**128))  # 10^-30 2^128 is between
    low, high = checker.exp_bounds(Fraction(1000))
    assert Fraction(high - low) / low < Fraction(1, 10**35)
    for x in (Fraction(1000) + Fraction(1, 10**9), Fraction(1, 1000**10) * Fraction(999, 1000)):
        with pytest.raises(checker.RejectedError, match="epsilon is not from"):
            checker.exp_bounds(x)


@pytest.mark.parametrize(
    ("shown", "data"),
    [
        ("a" * 1000, "a" * 1000),
        (f"'{'a' * 77}'...", "a" * 1001),
        ("größer", "größer"),
        ("'a\\u0301'", "a\u0301"),  # would look like the letter with an accent
        ("'a\\u115f'", "a\u115f"),  # a letter without ink
        ("'a, b'", "a, b"),
        ("'...'", "..."),
        ('"it\'s"', "it's"),
        ("-3/7", "-3/7"),
        ("''", ""),
        ("'\\n'", "\n"),
        ("(a, (b, of type int))", ("a", ("b", 3))),
        ("of type list", ["a"]),
    ],
)
def test_values_are_unlike_each_other_and_cut_short_in_messages(shown, data):
    assert checker.shown(data) == shown


def test_numbers_are_cut_short_in_messages():
    long = Fraction(10**38 + 1, 7)
    assert len(str(long)) == 41
    assert checker.value_text(Fraction(10**37, 7)) == f"{10**37}/7"
    assert checker.value_text(long) == f"a rational between {checker.below(long)} and {checker.above(long)}"
    assert checker._double(Fraction(1, 512)) == "1/512"
    assert checker._double(Fraction(1, 1024)) == "0.0009765625 (the double 1/1024)"
    assert checker._double(Fraction(1, 1000)) == "1/1000"  # the double is above it
    assert checker._double(Fraction(9, 1000)) == "9/1000"  # or below


def test_an_exact_value_is_written_out_up_to_sixty_characters():
    proof = checker.check(certificate_of(PROGRAM.solve("exact")).data)
    for value, exactly in ((Fraction(10**57, 7), True), (Fraction(10**58, 7), False)):
        assert ("is exactly" in str(proof._replace(lower=value, upper=value))) == exactly


def test_a_ratio_may_enclose_more_than_it_has_to():
    good = certificate_of(optimal_channel(np.eye(2, dtype=int), 1.0).solve()).data
    low, high = map(Fraction, good["ratio"])
    even = {"channel": [["1/2", "1/2"]] * 2, "row_duals": ["1", "1"], "lower": "0", "upper": "2"}
    wider = [low * Fraction(9, 10), high * Fraction(11, 10)]
    checker.check(resealed({**good, **even, "ratio": [str(v) for v in wider]}))
    for ratio in ([low, low], [high, high], [high, wider[1]], [wider[0], low]):
        with pytest.raises(checker.RejectedError, match="does not enclose"):
            checker.check(resealed({**good, **even, "ratio": [str(v) for v in ratio]}))


def test_the_seal_is_the_hash_of_the_rest_with_sorted_keys():
    text = '{"a":["1","\\u00e9"],"b":{"c":"2"},"z":"3"}'
    assert (
        checker.seal_of({"b": {"c": "2"}, "z": "3", "seal": "x", "a": ["1", "é"]})
        == hashlib.sha256(text.encode()).hexdigest()
    )


def test_the_command_in_this_process(tmp_path, capsysbinary):
    (tmp_path / "good.json").write_text(certificate_of(PROGRAM.solve("exact")).to_json())
    assert checker.main([str(tmp_path / "good.json")]) == 0
    assert capsysbinary.readouterr().out.startswith(b"certified: the optimum is exactly 10/3")
    for arguments, message in (
        ([], b"usage"),
        (["a", "b"], b"usage"),
        ([str(tmp_path / "none.json")], b"not certified"),
    ):
        assert checker.main(arguments) == 2
        shown = capsysbinary.readouterr()
        assert shown.out == b""
        assert shown.err.startswith(message)


def test_a_row_without_weights_has_scale_one():
    assert packed_weights(as_array([[0, 0], [2, 4]], "weights", 2)) == {
        "scales": ["1", "2"], "values": "0 1 2", "rows": ["0 0", "1 2"],
    }  # fmt: skip


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(-2, 7), Fraction(10**50, 3), Fraction(1, 3 * 10**40)])
def test_ends_are_rounded_outwards_to_128_bits(value):
    assert _coarser(Fraction(1, 3), 1) == Fraction(2**129 // 3 + 1, 2**129)
    assert _coarser(Fraction(1, 3), -1) == Fraction(2**129 // 3, 2**129)
    for direction in (1, -1):
        rounded = _coarser(value, direction)
        assert 0 < direction * (rounded - value) <= abs(value) * Fraction(1, 2**126)
        assert rounded.denominator == 1 or rounded.numerator.bit_length() <= 129


def test_a_certificate_around_a_channel_has_short_ends_and_no_prescribed_entries():
    # weights of 100 digits: the ends have 128 bits, the exact values more
    program = optimal_channel([[Fraction(10**99 + 7, 3**200), 0], [0, 1]], 1.0)
    solution = program.solve()
    certificate = certificate_around(program, certificate_of(solution).channel, solution.row_duals)
    assert max(map(len, (certificate.data["lower"], certificate.data["upper"]))) < 100
    assert certificate.data["fixed"] == []
    assert certificate.lower <= certificate.upper


def test_duals_are_shifted_no_further_than_they_have_to_be():
    # t (1 - s) - s <= 0 from s = t / (t + 1) = 2 / 3 on, for each of two rows
    program = optimal_channel(np.eye(2, dtype=int), PrivacyLevel.from_ratio(2))
    channel = certificate_of(program.solve("exact")).channel
    certificate = certificate_around(program, channel, np.zeros(2))
    assert 0 <= certificate.upper - Fraction(2, 3) < Fraction(1, 2**120)
    assert certificate.to_json().startswith('{\n "format": "lpmech-certificate-4",\n')


@pytest.mark.parametrize("row", [["1/3", "1/2"], ["1/2", "1/3"], ["2/3", "1/2"]])
def test_rows_sum_to_one(row):
    # less than one is no channel either, though it is private and attains nothing it should not
    good = certificate_of(PROGRAM.solve("exact")).data
    with pytest.raises(checker.RejectedError, match="row 1 does not sum to one"):
        checker.check(resealed({**good, "channel": [["1/2", "1/2"], row], "lower": "0"}))


def test_the_longest_number_has_a_sign():
    good = certificate_of(Program([[2, -1], [-1, 2]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    tail = "0" * (checker.MAX_DIGITS - 1)
    rows = [["2", f"-1{tail}/1{tail}"], ["-1", "2"]]
    assert checker.check(resealed({**good, "weights": rows})).upper == checker.check(good).upper


#: One number of 12 characters in each part of the certificate below, of the same value as there.
LONG = {
    "weights": [["10000/010000", "0"], ["0", "1"]],
    "channel": [["50000/100000", "1/2"], ["1/4", "3/4"]],
    "row_duals": ["0/1000000000", "1"],
    "fixed": [["0", "0", "50000/100000", "1/2"]],
}


@pytest.mark.parametrize("key", LONG)
def test_the_lengths_of_all_numbers_are_bounded(key, monkeypatch):
    # 12^2 = 144 alone is more than 143, and with the short numbers beside it less than 200
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), fixed={(0, 0): Fraction(1, 2)})
    short = {"weights": [["1", "0"], ["0", "1"]], "channel": [["1/2", "1/2"], ["1/4", "3/4"]]}
    certificate = resealed({**certificate_of(program.solve("exact")).data, **short, key: LONG[key]})
    monkeypatch.setattr(checker, "MAX_WORK", 143)
    with pytest.raises(checker.RejectedError, match=f"{key}: the squared lengths"):
        checker.check(certificate)
    monkeypatch.setattr(checker, "MAX_WORK", 200)
    assert checker.check(certificate).upper == Fraction(5, 4)


def test_room_is_counted_before_any_work(monkeypatch):
    # entries that take 96 characters each at most are not looked at; of others, what the weights take is counted,
    # and 6 characters for an entry of the channel
    utility = np.random.default_rng(0).random((20, 20))
    held = packed_weights(to_exact(utility))
    size = len(held["values"]) + sum(map(len, held["rows"])) + 6 * 400
    monkeypatch.setattr(packing, "packed_weights", lambda _: {"values": "1" * 96 * 400, "rows": []})
    monkeypatch.setattr(checker, "MAX_BYTES", 96 * 400)
    refuse_uncertifiable(utility)
    refuse_uncertifiable(utility[:10])
    monkeypatch.setattr(checker, "MAX_BYTES", 96 * 400 - 1)
    with pytest.raises(CertificateError, match=r"^40800 bytes: a certificate has at most 38399; fewer labels, or"):
        refuse_uncertifiable(utility)
    monkeypatch.undo()
    monkeypatch.setattr(checker, "MAX_BYTES", size)
    refuse_uncertifiable(utility)
    monkeypatch.setattr(checker, "MAX_BYTES", size - 1)
    with pytest.raises(CertificateError, match=rf"^{size} bytes: a certificate has at most {size - 1};"):
        refuse_uncertifiable(utility)
    monkeypatch.setattr(checker, "MAX_NAMES", 20)
    refuse_uncertifiable(np.eye(20))


def test_denominators_of_128_bits_together_are_one():
    row = [[Fraction(1, 3), Fraction(1, 2**126)]]
    assert packed_weights(as_array(row, "weights", 2)) == {
        "scales": [f"1/{3 * 2**126}"], "values": f"{2**126} 3", "rows": ["0 1"],
    }  # fmt: skip
    row = [[Fraction(1, 3), Fraction(1, 2**127)]]
    found = packed_weights(as_array(row, "weights", 2))
    assert found == {"scales": ["1"], "values": f"1/3 1/{2**127}", "rows": ["0 1"]}
    assert matrix_of(found).tolist() == matrix_of([["1/3", f"1/{2**127}"]]).tolist() == row


def test_duals_around_a_channel_hold_above_e_to_the_epsilon():
    # the shift is (t - 2.7) / (t + 1): small, so that it tells the two bounds of t apart
    program = optimal_channel([[1, Fraction(-27, 10)], [Fraction(-27, 10), 1]], 1.0)
    channel = certificate_of(program.solve()).channel
    certificate = certificate_around(program, channel, np.zeros(2))
    t = math.exp(1.0)
    assert float(certificate.upper) == pytest.approx((t - 2.7) / (t + 1), rel=1e-12)


@pytest.mark.parametrize("problem", [OSError(13, "Permission denied"), OSError("Permission denied")])
def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path, monkeypatch, problem):
    path = tmp_path / "certificate.json"
    path.write_text("{}")

    def refuse(_):
        raise problem

    monkeypatch.setattr(checker, "read", refuse)
    with pytest.raises(DataFileError, match=r"a readable file \(Permission denied\)"):
        read_certificate(path)


def test_a_certificate_cannot_be_exchanged_after_it_was_checked():
    certificate = certificate_of(PROGRAM.solve("exact"))
    with pytest.raises(FrozenInstanceError):
        certificate.data = {}


def wrong(good, path, change):
    """The certificate, sealed again, with one number changed by so much."""
    bad = copy.deepcopy(good)
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = str(Fraction(place[path[-1]]) + change)
    return resealed(bad)


TINY = Fraction(1, 10**90)  # less than the rounding of a sum sees
DUALS = "the dual constraint of output {} is violated"
LESS_WORTH = "the channel does not attain the lower value"
MORE_BOUND = "the duals do not prove the upper value"


@pytest.mark.parametrize("size", [TINY, Fraction(1, 7), Fraction(10**40)])
@pytest.mark.parametrize(
    ("path", "sign", "message"),
    [
        (("lower",), 1, LESS_WORTH),
        (("upper",), -1, MORE_BOUND),
        (("row_duals", 0), 1, MORE_BOUND),
        (("row_duals", 1), 1, MORE_BOUND),
        (("row_duals", 1), -1, DUALS),
        (("fixed", 0, 2), 1, "the channel's entry (a, x) is not the fixed value"),
        (("fixed", 0, 2), -1, "the channel's entry (a, x) is not the fixed value"),
        (("fixed", 0, 3), 1, MORE_BOUND),
        (("fixed", 0, 3), -1, DUALS),
        (("channel", 0, 0), 1, "the channel's row a does not sum to one"),
        (("channel", 1, 1), 1, "the channel's row b does not sum to one"),
        (("weights", 0, 0), -1, LESS_WORTH),
        (("weights", 1, 1), -1, LESS_WORTH),
        (("weights", 0, 1), 1, DUALS),
        (("weights", 1, 1), 1, DUALS),
    ],
)
def test_a_tight_certificate_bears_no_change_of_any_number(path, sign, message, size):
    level = PrivacyLevel.from_ratio(Fraction(7, 3))
    weights = [[Fraction(2, 3), Fraction(1, 5)], [Fraction(1, 7), Fraction(3, 4)]]
    program = Program(weights, level, ["a", "b"], ["x", "y"], fixed={("a", "x"): Fraction(5, 11)})
    good = plain(certificate_of(program.solve("exact")).data)
    checker.check(good)
    with pytest.raises(checker.RejectedError) as caught:
        checker.check(wrong(good, path, sign * size))
    assert str(caught.value) in {message.format("x"), message.format("y")}


def test_slack_is_weighed_by_the_ratio_where_it_is_positive():
    # 0 <= pi: t max(r, 0) and r below zero once; at t = 7/3, 3 and -7 come to 0 exactly
    level = PrivacyLevel.from_ratio(Fraction(7, 3))
    good = plain(certificate_of(Program([[3, 3], [-7, -7]], level).solve("exact")).data)
    half = resealed({**good, "channel": [["1/2", "1/2"]] * 2, "row_duals": ["0", "0"], "lower": "-4", "upper": "0"})
    assert checker.check(half).upper == 0
    for path in (("weights", 0, 1), ("weights", 1, 1)):
        with pytest.raises(checker.RejectedError, match="the dual constraint of output 1 is violated"):
            checker.check(wrong(half, path, TINY))


@pytest.mark.parametrize(
    ("upper", "fixed", "outputs", "sentence"),
    [
        (
            Fraction(2, 3) + Fraction(1, 10**14),
            0,
            ("a", "b"),
            "certified: the optimum lies in [0.666666666666666, 0.666666666666677], gap at most 1e-14: the largest "
            "expected weight of a channel from the 2 labels (a, b) to the same labels that is private at level; "
            "the certificate's channel is private at it and attains at least the lower end\nseal: hash",
        ),
        (
            Fraction(2, 3),
            2,
            ("x",),
            "certified: the optimum is exactly 2/3: the largest expected weight of a channel with 2 prescribed entries "
            "from the 2 labels (a, b) to 1 outputs (x) that is private at level; "
            "the certificate's channel is private at it and attains at least the lower end\nseal: hash",
        ),
    ],
)
def test_the_sentence_of_a_proof(upper, fixed, outputs, sentence):
    assert str(checker.Proof(Fraction(2, 3), upper, "level", ("a", "b"), outputs, fixed, {}, "hash")) == sentence


LOOK_ALIKE = (
    ("a, b", "c"),
    ("a", "b, c"),
    ("a", "b) to the same labels that is private at epsilon = 1/1000 (c"),
    ("a" * 900 + "b", "a" * 900 + "c"),
    ("a" * 900 + "c", "a" * 900 + "b"),
    ("é", "e\u0301"),
    ("e\u0301", "é"),
    ("...", ""),
    ("'...'", "''"),
)


def test_no_two_lists_of_names_are_printed_alike_and_none_ends_a_part_of_the_sentence():
    proofs = [checker.Proof(Fraction(1), Fraction(1), "level", pair, pair, 0, {}, "hash") for pair in LOOK_ALIKE]
    orders = [order_checker.OrderProof(pair, (None, None), "hash") for pair in LOOK_ALIKE]
    for told in (list(map(str, proofs)), list(map(str, orders))):
        assert len({unicodedata.normalize("NFKC", text) for text in told}) == len(LOOK_ALIKE)
    kept = re.compile(
        r"the 2 labels \((\w+|'[^']*'|\"[^\"]*\"), (\w+|'[^']*'|\"[^\"]*\")\) to the same labels that is "
    )
    assert all(kept.search(str(proof)) for proof in proofs)


def test_what_the_maker_states_is_quoted():
    stated = {"utility": "hit\nstated", "checked: the optimum": "1, certified: it is"}
    proof = checker.Proof(Fraction(1), Fraction(1), "level", ("a",), ("a",), 0, stated, "hash")
    assert str(proof).splitlines()[1:] == [
        "stated by its maker, not checked: utility: 'hit\\nstated'",
        "stated by its maker, not checked: 'checked: the optimum': '1, certified: it is'",
        "seal: hash",
    ]


@pytest.mark.parametrize("name", ["order_checker", "program_checker", "sublinear_checker"])
def test_a_checker_runs_as_a_file_wherever_it_is_called_from(name, tmp_path):
    """`python -I` does not look for checker.py beside the file, nor does anything that lies there stand for a library."""
    for file in (f"{name}.py", "checker.py"):
        shutil.copy(ROOT / "lpmech" / "certify" / file, tmp_path)
    (tmp_path / "decimal.py").write_text("raise SystemExit('not the library')")

    def run(file):
        command = [sys.executable, "-I", tmp_path / f"{name}.py", file]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)

    told = run(ROOT / "tests" / "corpus" / "certificates" / "good_exact.json")
    assert (told.returncode, told.stdout) == (2, "")
    assert "with the keys" in told.stderr
    assert run("a\nb").stderr.startswith("not certified: 'a\\nb': [Errno 2]")
    (tmp_path / "checker.py").unlink()
    told = run("good.json")
    assert (told.returncode, told.stderr) == (2, f"not certified: {name}.py needs checker.py beside it\n")


@pytest.mark.parametrize("place", ["__main__.py", ""])
def test_the_checker_of_proofs_says_how_it_is_run(place):
    command = [sys.executable, "-I", ROOT / "lpmech" / "certify" / "proofs" / place, "proof.json"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (told.returncode, told.stdout, told.stderr.count("\n")) == (2, "", 1)
    assert "python -m lpmech.certify.proofs FILE.json" in told.stderr


def test_ends_in_the_sentence_of_a_proof_are_rounded_outwards():
    gap = Fraction(12345, 10**9)
    proof = checker.Proof(Fraction(-2, 3), gap - Fraction(2, 3), "level", ("a",), ("a",), 0, {}, "hash")
    assert "lies in [-0.666666666666667, -0.666654321666666], gap at most 0.0000124:" in str(proof)
    long = Fraction(10**70, 3)
    assert "is known exactly and lies in [3.33333333333333e+69, 3.33333333333334e+69]:" in str(
        proof._replace(lower=long, upper=long)
    )


def test_an_exact_sum_has_as_many_bits_as_are_allowed(monkeypatch):
    zero = [Fraction(1, 3), Fraction(1, 5), Fraction(-8, 15)]  # 15 has four bits
    small = Fraction(1, 2**400)
    for sign in (-1, 0, 1):
        assert checker.sign_of_sum([*zero, sign * small]) == sign
        assert checker.sign_of_sum([sign * Fraction(1, 3)]) == sign
    monkeypatch.setattr(checker, "MAX_BITS", 4)
    assert checker.sign_of_sum(zero) == 0
    # what the rounding decides needs no common denominator, however small it is
    assert checker.sign_of_sum([v * small for v in (*zero, Fraction(1, 7))]) == 1
    assert checker.sign_of_sum([v * small for v in (*zero, Fraction(-1, 7))]) == -1
    assert checker.sign_of_sum([v / small for v in (*zero, Fraction(1, 7))]) == 1
    monkeypatch.setattr(checker, "MAX_BITS", 3)
    with pytest.raises(checker.RejectedError, match=r"^a common denominator has more than 3 bits$"):
        checker.sign_of_sum(zero)


def test_names_are_as_many_and_as_long_as_are_allowed(monkeypatch):
    good = certificate_of(PROGRAM.solve("exact")).data
    monkeypatch.setattr(checker, "MAX_NAMES", 2)
    checker.check(good)
    for names in ([], ["a", "b", "c"]):
        for key in ("inputs", "outputs"):
            with pytest.raises(checker.RejectedError, match=f"^{key}: {len(names)} names, not 1 to 2$"):
                checker.check(resealed({**good, key: names}))
    for key in ("inputs", "outputs"):
        with pytest.raises(checker.RejectedError, match=f"^{key}: names are repeated$"):
            checker.check(resealed({**good, key: ["a", "a"]}))
        checker.check(resealed({**good, key: ["a" * 1000, "b"]}))
        with pytest.raises(
            checker.RejectedError, match=f"^{key}: 'a{{77}}'... is not a string of at most 1000 characters$"
        ):
            checker.check(resealed({**good, key: ["a" * 1001, "b"]}))


def test_files_are_as_large_as_is_allowed(tmp_path, monkeypatch):
    path = tmp_path / "certificate.json"
    text = certificate_of(PROGRAM.solve("exact")).to_json()
    path.write_text(text)
    for limit, over, message in (
        ("MAX_BYTES", len(text), f"the file has more than {len(text) - 1} bytes"),
        ("MAX_STRINGS", text.count('"') // 2, f"more than {text.count(chr(34)) // 2 - 1} strings"),
        ("MAX_BRACKETS", 22, "more than 21 brackets, or anything else outside of strings"),
    ):
        with monkeypatch.context() as limits:
            limits.setattr(checker, limit, over)
            assert checker.read(path) == certificate_of(PROGRAM.solve("exact")).data
            limits.setattr(checker, limit, over - 1)
            with pytest.raises(checker.RejectedError, match=f"^{message}$"):
                checker.read(path)


def test_brackets_are_as_deep_as_a_certificate_has_them_and_one_more():
    for data in ({"a": [["b"], []], "c": {"d": {}}}, {"a": [[["b"]]]}, {"a": {"b": {"c": "d"}}}):
        assert checker.parse(json.dumps(data)) == data
    for text in ('{"a": [[[["b"]]]]}', '{"a": {"b": {"c": {}}}}'):
        with pytest.raises(checker.RejectedError, match="nested too deeply"):
            checker.parse(text)
    assert checker.parse(r'{"a\\": "\"[{"}') == {"a\\": '"[{'}


def test_a_matrix_has_at_most_as_many_values_as_entries():
    good = certificate_of(Program([[2, 1, 1], [1, 2, 1]], PrivacyLevel.from_ratio(2)).solve("exact")).data
    weights = {"values": "2 1 1/1 2/1 3/3 4/4", "rows": ["0 1 2", "4 3 5"]}
    assert checker.check(resealed({**good, "weights": weights})).upper == checker.check(good).upper
    with pytest.raises(checker.RejectedError, match=r"^weights: more values than entries$"):
        checker.check(resealed({**good, "weights": {**weights, "values": "2 1 1/1 2/1 3/3 4/4 3"}}))


def test_a_channel_has_no_negative_entry():
    good = plain(certificate_of(PROGRAM.solve("exact")).data)
    rows = [["1/2", "1/2"], [str(-TINY), str(1 + TINY)]]  # -1 over their common denominator
    with pytest.raises(checker.RejectedError, match=r"^the channel's row 1 has a negative entry$"):
        checker.check(resealed({**good, "channel": rows}))


def test_fixed_entries_are_counted_one_by_one():
    # two prescribed entries of which only the second changes, and of which each has its own dual
    fixed = {("a", "x"): Fraction(1, 2), ("b", "y"): Fraction(3, 5)}
    program = Program([[1, 0], [0, 1]], PrivacyLevel.from_ratio(2), ["a", "b"], ["x", "y"], fixed=fixed)
    good = plain(certificate_of(program.solve("exact")).data)
    assert good["lower"] == good["upper"] == "11/10"
    assert "with 2 prescribed entries" in str(checker.check(good))
    for index in (0, 1):
        with pytest.raises(checker.RejectedError, match="is not the fixed value"):
            checker.check(wrong(good, ("fixed", index, 2), TINY))
        for sign in (1, -1):
            with pytest.raises(checker.RejectedError, match="dual"):
                checker.check(wrong(good, ("fixed", index, 3), sign * TINY))
    twice = [*good["fixed"], good["fixed"][0]]
    with pytest.raises(checker.RejectedError, match=r"^fixed entry \(a, x\) is repeated$"):
        checker.check(resealed({**good, "fixed": twice}))
    for place in (["c", "x"], ["a", "c"]):
        beyond = [*good["fixed"], [*place, "0", "0"]]
        with pytest.raises(checker.RejectedError, match=rf"^fixed entry \({place[0]}, {place[1]}\) is out of range$"):
            checker.check(resealed({**good, "fixed": beyond}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "3"}, "format is 3; this checker reads lpmech-certificate-4 and lpmech-certificate-3"),
        ({"ratio": ["2", "3"]}, "without epsilon the ratio must be one number"),
        ({"ratio": ["2"]}, "ratio: 1 entries in place of 2"),
        ({"row_duals": ["1", "1", "1"]}, "row_duals: 3 entries in place of 2"),
        ({"row_duals": "1"}, "row_duals: 1 is not a list"),
        ({"row_duals": ["1", "1/0"]}, "row_duals: a denominator is zero"),
        ({"lower": "x"}, "lower: x is not a number such as '-3/7', at most 4000 digits each"),
        ({"lower": ["1"]}, "lower: of type list is not a number such as '-3/7', at most 4000 digits each"),
        ({"stated": ["1"]}, "stated is not a JSON object"),
        ({"stated": {"a": ["1"]}}, "stated: of type list is not a string of at most 1000 characters"),
        ({"seal": "x"}, "the seal does not match the entries"),
        ({"seal": ""}, "the seal does not match the entries"),
        ({"more": "x", "and": "y"}, "the certificate: unknown entries (and, more)"),
        ({"weights": [["1", "2"]]}, "weights: 1 entries in place of 2"),
        ({"weights": [["1", "2"], ["1"]]}, "weights: 1 entries in place of 2"),
        ({"weights": {"rows": ["0 0", "0 0"]}}, "weights lacks values"),
        ({"weights": "1"}, "weights is not a JSON object"),
    ],
)
def test_what_is_malformed_is_told(change, message):
    good = certificate_of(PROGRAM.solve("exact")).data
    with pytest.raises(checker.RejectedError) as caught:
        checker.check({"seal": "", **resealed({**good, **change}), **{k: v for k, v in change.items() if k == "seal"}})
    assert str(caught.value) == message
    lacking = {key: value for key, value in good.items() if key not in ("upper", "lower")}
    with pytest.raises(checker.RejectedError, match=r"^the certificate lacks lower, upper$"):
        checker.check(lacking)


def test_the_remainder_of_the_series_is_in_the_upper_bound():
    # x is a little above log(5/2), and the first 36 terms of e^x come to a little less than 5/2, a number of 128 bits
    x = Fraction(math.ceil(Fraction(Context(prec=80).ln(Decimal("2.5"))) * 2**192), 2**192)
    low, high = checker.exp_bounds(x)
    assert low < Fraction(5, 2) < high
    # and a number far beyond 128 bits has its size
    low, high = checker.exp_bounds(Fraction(1000))
    assert math.log(low.numerator) - math.log(low.denominator) == pytest.approx(1000, abs=1e-9)
    assert low < high


def test_the_smallest_sums_have_their_sign():
    one = Fraction(1)
    for sign in (1, -1):
        for bits in (255, 256, 400):  # the rounding decides, hardly decides, and leaves it to the exact sum
            assert checker.sign_of_sum([sign * one, sign * (Fraction(1, 2**bits) - 1)]) == sign
    assert checker.sign_of_sum([]) == 0


def test_work_is_counted_for_every_use_of_a_number(monkeypatch):
    monkeypatch.setattr(checker, "MAX_WORK", 27)
    assert checker.numbers_of(["1/3", "1/2"], "key", [2, 1], 9) == ([2, 3], 6)
    monkeypatch.setattr(checker, "MAX_WORK", 26)
    with pytest.raises(checker.RejectedError) as caught:
        checker.numbers_of(["1/3", "1/2"], "key", [2, 1], 9)
    assert str(caught.value) == "key: the squared lengths of the numbers add up to 27, more than 26"


def test_numbers_share_a_denominator_as_long_as_it_is_short():
    texts = ["1/3", "-5/1024", "7"]  # 3072 has 12 bits
    assert checker.numbers_of(texts, "key", 1, 12) == ([1024, -15, 7 * 3072], 3072)
    for most in (0, 5, 11):
        assert checker.numbers_of(texts, "key", 1, most) == ([Fraction(text) for text in texts], 1)


def test_the_checker_of_the_package_needs_no_numpy():
    code = (
        "import sys, lpmech.certify.checker; print(sorted({'numpy', 'lpmech.certify.certificate'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
    with pytest.raises(AttributeError, match=r"^module 'lpmech.certify' has no attribute 'more'$"):
        _ = certify.more
