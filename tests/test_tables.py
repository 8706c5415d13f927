from fractions import Fraction

import pytest

from lpmech import Channel
from lpmech.errors import DataFileError, UtilityError
from lpmech.tables import label_values, read_counts, read_utility, write_channel


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
        ("label,count\na,1\na,2\n", "label 'a'"),
        ("label,count\na,1\n,2\n", "label ''"),
        ("label,count\na,-1\nb,2\n", "count '-1'"),
        ("label,count\na,1.5\nb,2\n", "count '1.5'"),
        ("label,count\na,nan\nb,2\n", "count 'nan'"),
        ("label,count\na,1e999999999\nb,2\n", "count"),
        ("label,count\na,x\nb,2\n", "count 'x'"),
        ("label,count\na,0\nb,0\n", "zero"),
        ("label,count\na,1,2\nb,2\n", "line 2"),
        ("name,number\na,1\nb,2\n", "label,count"),
        ("label\na\na\n", "two labels"),
        ("label\na\nb,c\n", "one label per row"),
        ('label,count\n"a,1\nb,2\n', "readable CSV"),
    ],
)
def test_bad_count_files(tmp_path, text, message):
    with pytest.raises(DataFileError, match=message):
        read_counts(written(tmp_path, text))


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
