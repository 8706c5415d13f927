import re
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lpmech import Channel, PrivacyLevel
from lpmech.errors import DataFileError, InvalidInputError, UtilityError
from lpmech.labels.columns import LabelFile
from lpmech.labels.counts import label_values
from lpmech.labels.reading import Reading, read_counts
from lpmech.mechanisms import randomized_response, rr_with_prior
from lpmech.tables import as_decimal, channel_csv, holds_quotients, read_channel, read_utility, write_channel


def written(tmp_path, text, name="counts.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_label_count_columns_keep_their_order(tmp_path):
    counts = read_counts(written(tmp_path, "label,count\nzebra,3\nant,0\n"))
    assert counts.labels == ("zebra", "ant")
    assert counts.prior.tolist() == [1, 0]
    assert label_values(counts) == [0, 1]


def test_one_label_per_row_is_tallied_and_sorted_by_value(tmp_path):
    for text in ("label\n10\n9\n10\n", "10\n9\n10\n", "\ufefflabel\n10\n9\n10\n\n"):
        counts = read_counts(written(tmp_path, text))
        assert counts.labels == ("9", "10")
        assert counts.counts == (1, 2)
    assert label_values(counts) == [9, 10]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rows"),
        ("\n\n", "rows"),
        ("label,count\n", "no rows"),
        ("label,count\na,1\n", "two labels"),
        ("label,count\na,1\na,2\n", "line 3'; allowed: every label once"),
        ("label,count\na,1\n,2\n", "line 3 without a label"),
        ("label,count\na,-1\nb,2\n", "line 2'; allowed: a whole number >= 0 in column 2"),
        ("label,count\na,1.5\nb,2\n", "line 2'; allowed: a whole number >= 0 in column 2"),
        ("label,count\na,nan\nb,2\n", "line 2'; allowed: a whole number >= 0 in column 2"),
        ("label,count\na,1e999999999\nb,2\n", "line 2"),
        ("label,count\na,x\nb,2\n", "line 2'; allowed: a whole number >= 0 in column 2"),
        ("label,count\na,0\nb,0\n", "zero"),
        ("label,count\na,1,2\nb,2\n", "line 2"),
        ("label,count\n1,1\n1.0,2\n", "line 3'; allowed: every label once"),
        ("a,b,c\nx,1,2\ny,3,4\n", "--column with the name of one, of line 1"),
        ("severity\nmild\nmild\nmoderate\n", "--column NAME if the first line names the column"),
        ("label\na\n\nb\n", "line 3 without a label"),
        ("label\na\nNaN\nb\n", "line 3 without a label"),
        ("label\na\na\n", "two labels"),
        ("label\na\nb,c\n", "line 3 with 2 cells"),
        ('label,count\n"a,1\nb,2\n', "readable CSV"),
    ],
)
def test_bad_count_files(tmp_path, text, message):
    with pytest.raises(DataFileError, match=message):
        read_counts(written(tmp_path, text))


SEVERITY = "id,severity\n1,mild\n2,critical\n3,moderate\n4,mild\n5,\n6,nan\n"


def test_a_named_column_in_the_order_given_and_rows_without_a_label(tmp_path):
    path = written(tmp_path, SEVERITY)
    how = Reading(column="severity", order="mild, moderate, critical, fatal", missing="drop")
    counts = read_counts(path, how)
    assert counts.labels == ("mild", "moderate", "critical", "fatal")
    assert counts.counts == (2, 1, 1, 0)
    assert counts.order == "as given"
    counts = read_counts(path, Reading(column="severity", missing="label"))
    assert dict(zip(counts.labels, counts.counts, strict=True)) == {
        "mild": 2,
        "moderate": 1,
        "critical": 1,
        "missing": 2,
    }
    assert counts.order == "alphabetical"


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (Reading(column="severity"), "line 6 without a label"),
        (Reading(column="grade", missing="drop"), "the name of one of 2 columns that occurs once in line 1"),
        (Reading(column="severity", missing="drop", order="mild,moderate"), r"does not name \(lines 3 of"),
        (Reading(column="severity", missing="drop", order="mild,mild"), "each once"),
        (Reading(column="severity", missing="drop", bins="3"), "line 2'; allowed: numbers"),
        (Reading(column="severity", missing="drop", range="0,1"), "with --bins only"),
    ],
)
def test_readings_that_do_not_fit_name_lines_but_no_label(tmp_path, reading, message):
    with pytest.raises(InvalidInputError, match=message) as caught:
        read_counts(written(tmp_path, SEVERITY), reading)
    assert "critical" not in str(caught.value)


def test_spellings_of_a_number_are_one_label_but_codes_are_not(tmp_path):
    counts = read_counts(written(tmp_path, "x\n1\n1.0\n2\n2e0\n10\n"))
    assert dict(zip(counts.labels, counts.counts, strict=True)) == {"1": 2, "2": 2, "10": 1}
    assert read_counts(written(tmp_path, "x\n7\n007\n7.0\n")).labels == ("7", "007")


def test_tables_of_counts_under_any_names_and_without_any(tmp_path):
    for text in ("severity,number\nb,3\na,1\n", "b,3\na,1\n"):
        counts = read_counts(written(tmp_path, text))
        assert (counts.labels, counts.counts) == (("b", "a"), (3, 1))
    wide = written(tmp_path, "region,severity,n\nx,b,3\nx,a,1\ny,b,2\n")
    counts = read_counts(wide, Reading(column="severity", count_column="n"))
    assert dict(zip(counts.labels, counts.counts, strict=True)) == {"b": 5, "a": 1}
    # every row once, and whole numbers beside: one label a row would be a silent misreading
    with pytest.raises(InvalidInputError, match="--count-column with the name of column 2 too"):
        read_counts(written(tmp_path, "severity,number\nb,3\na,1\n"), Reading(column="severity"))


def test_bins_of_equal_width_of_equal_counts_and_by_edges(tmp_path):
    path = written(tmp_path, "cost\n" + "".join(f"{value}\n" for value in range(100)))
    equal = read_counts(path, Reading(bins="4", range="0,200"))
    assert (equal.labels, equal.counts) == (("25", "75", "125", "175"), (50, 50, 0, 0))
    assert equal.edges == (0, 50, 100, 150, 200)
    assert read_counts(path, Reading(bins="quantile:4")).counts == (25, 25, 25, 25)
    assert read_counts(path, Reading(bins="0,10,99")).counts == (10, 90)
    for bins in ("1", "equal:x", "0,10,5"):
        with pytest.raises(InvalidInputError, match="bins"):
            read_counts(path, Reading(bins=bins))
    with pytest.raises(InvalidInputError, match="two positive numbers"):
        read_counts(path, Reading(bins="log:3"))
    with pytest.raises(InvalidInputError, match="line 13'; allowed: numbers between"):
        read_counts(path, Reading(bins="0,5,10"))
    skewed = read_counts(written(tmp_path, "cost\n5\n40\n50\n9000\n"), Reading(bins="log:4", range="1,1e4"))
    assert (skewed.edges, skewed.counts) == ((1, 10, 100, 1000, 10_000), (1, 2, 0, 1))
    with pytest.raises(InvalidInputError, match="three digits"):
        read_counts(path, Reading(bins="log:5000", range="1,1e5"))


def test_parquet(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    path = tmp_path / "labels.parquet"
    pd.DataFrame({"id": [1, 2, 3, 4], "grade": [1.0, 2.0, None, 1.0]}).to_parquet(path)
    counts = read_counts(path, Reading(column="grade", missing="drop"))
    assert (counts.labels, counts.counts) == (("1.0", "2.0"), (2, 1))


def test_what_is_no_csv_is_named_where_labels_are_released(tmp_path):
    """Was: no column of that name. A CSV file whose header begins like a Parquet file is one all the same."""
    pd.DataFrame({"label": ["a", "b"]}).to_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.xlsx").write_bytes(b"PK\x03\x04" + bytes(30))
    for name, words in (("x.parquet", "Parquet is read by design only"), ("x.xlsx", "write the table as CSV")):
        with pytest.raises(DataFileError, match=words):
            LabelFile(tmp_path / name, "label")
    (tmp_path / "x.csv").write_text("PAR1\na\n")
    assert LabelFile(tmp_path / "x.csv", "PAR1").position == 0


def test_missing_directory_and_binary_files(tmp_path):
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x01")
    for path in (tmp_path / "absent.csv", tmp_path, tmp_path / "binary.csv"):
        with pytest.raises(DataFileError, match="readable CSV"):
            read_counts(path)


def test_utility_files_are_exact_and_matched_by_name(tmp_path):
    plain = read_utility(written(tmp_path, "0.1,2\n1/3,-4\n"), ["a", "b"])
    assert plain.tolist() == [[Fraction(1, 10), 2], [Fraction(1, 3), -4]]
    named = read_utility(written(tmp_path, ",b,a\nb,-4,1/3\na,2,0.1\n"), ["a", "b"])
    assert named.tolist() == plain.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3,nan\n", "nan"),
        ("1,2\n3,inf\n", "inf"),
        ("1,2\n3\n", "2 x 2"),
        ("1,2\n", "2 x 2"),
        ("1,2,3\n4,5,6\n", "2 x 2"),
        (",a,c\na,1,2\nc,3,4\n", "labels"),
        ("1,x\n3,4\n", "'x'"),
    ],
)
def test_bad_utility_files(tmp_path, text, message):
    with pytest.raises(UtilityError, match=message):
        read_utility(written(tmp_path, text), ["a", "b"])


def test_channel_file_round_trips_through_repr(tmp_path):
    channel = Channel([[0.1, 0.9], [1 / 3, 1 - 1 / 3]], ["x", "y, z"], ["x", "y, z"])
    path = tmp_path / "channel.csv"
    write_channel(path, channel)
    matrix = read_utility(path, ["x", "y, z"])
    assert [[float(v) for v in row] for row in matrix] == channel.matrix.tolist()


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 1.0, 3.0, 30.0])
def test_a_printed_channel_is_private_and_sums_to_one_as_it_is_printed(tmp_path, epsilon):
    """Catches decimals that are rounded on the way: of 180 printed float channels 31 were not private as decimals."""
    for size in (2, 3, 7):
        prior = [Fraction(i + 1, size * (size + 1) // 2) for i in range(size)]
        for channel in (randomized_response(size, epsilon), rr_with_prior([float(p) for p in prior], epsilon)):
            path, exact = tmp_path / "channel.csv", channel.exact(epsilon)
            write_channel(path, exact)
            cells = [line.split(",")[1:] for line in path.read_text(encoding="utf-8").splitlines()[1:]]
            rows = [[Fraction(cell) for cell in row] for row in cells]
            assert all("/" not in cell and "e" not in cell.lower() for row in cells for cell in row)
            assert all(sum(row) == 1 for row in rows)
            below = PrivacyLevel.from_epsilon(epsilon).ratio_below
            assert all(max(column) <= below * min(column) for column in zip(*rows, strict=True))
            assert read_channel(path).matrix.tolist() == exact.matrix.tolist()


def test_an_exact_channel_of_other_denominators_is_printed_in_quotients_throughout(tmp_path):
    """Catches a table of quotients beside decimals, which no program reads as numbers."""
    path, channel = (
        tmp_path / "channel.csv",
        Channel([[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), Fraction(1, 2)]]),
    )
    write_channel(path, channel)
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [
        "0,1/3,2/3",
        "1,1/2,1/2",
    ]
    assert holds_quotients(path.read_text(encoding="utf-8"))
    assert not holds_quotients(channel_csv(randomized_response(2, 1.0).exact(1.0)))
    assert not holds_quotients(channel_csv(Channel([[Fraction(1, 2)] * 2] * 2, ["x/y", "1/2"], ["x/y", "1/2"])))
    assert read_channel(path).matrix.tolist() == channel.matrix.tolist()


@given(st.integers(0, 62), st.data())
def test_decimals_are_exact(halvings, data):
    """Catches a decimal that is rounded: 2^-62 has 62 places, of which 18 are always written."""
    value = Fraction(data.draw(st.integers(0, 2**halvings)), 2**halvings)
    text = as_decimal(value)
    assert Fraction(text) == value
    assert re.fullmatch(r"[01]\.[0-9]{18}([0-9]*[1-9])?", text)


def test_what_is_no_decimal_is_a_quotient():
    assert as_decimal(Fraction(1, 3)) == "1/3"
    assert as_decimal(Fraction(1, 2**63)) == f"1/{2**63}"
    assert as_decimal(Fraction(1, 2**62)) == "0.00000000000000000021684043449710088680149056017398834228515625"
    assert as_decimal(Fraction(123, 10)) == "12.300000000000000000"


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["10", "9", "b"], ["10", "9", "b"]),  # by text as soon as one label is no number
        (["b", "2", "10"], ["10", "2", "b"]),
        (["10", "9", "1e1000"], ["10", "1e1000", "9"]),  # too large for a number here
        (["10", "9", "1/2"], ["1/2", "9", "10"]),
    ],
)
def test_labels_of_which_some_are_numbers_have_no_values(tmp_path, labels, order):
    counts = read_counts(written(tmp_path, "label\n" + "\n".join(labels) + "\n"))
    assert list(counts.labels) == order
    if "1/2" in labels:
        assert label_values(counts) == [Fraction(1, 2), 9, 10]
    else:
        assert counts.values is None
        assert label_values(counts) == [0, 1, 2]
