"""Labels that other programs take for something else: formulas, markup, spreadsheets' commands, terminal escapes."""

import csv
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.cbook import is_math_text
from matplotlib.text import Text as Drawn
from rich.table import Table
from rich.text import Text
from test_plots import CHANNEL, LEVELS, PIECES
from test_randomizing import run

from lpmech.applications.places import Places
from lpmech.channel import Channel
from lpmech.cli.release import say
from lpmech.designs.comparing import Comparison
from lpmech.plots import (
    plot_best,
    plot_channel,
    plot_comparison,
    plot_frequencies,
    plot_losses,
    plot_regimes,
    plot_release,
    png,
)
from lpmech.plots.canvas import plain
from lpmech.release import Release
from lpmech.release.estimation import estimate
from lpmech.report.console import console
from lpmech.tables import formula_like, read_channel

#: Each was read as something else by some program: matplotlib, rich, HTML, Jinja, spreadsheets, terminals, CSV readers.
NASTY = (
    "$x^$", "a$_$", "100$%$", "$", "$$", r"\$x^\$", r"\frac{", "{{ 1 }}", "{}", "[/b]", "[red]x", "<b>&amp;", "_hidden",
    "a\nb", "a\tb", "\x1b[31mred", "😀", "שלום", "\u202eabc", "\u200b", "=1+1", "+1", "-a", "@a", "'x'", '"q"', "a,b",
    "x" * 900, "\N{COMBINING ACUTE ACCENT}" * 300, "%s", "\\",
)  # fmt: skip


@pytest.fixture
def quiet():
    """Every warning of matplotlib is an error: a glyph that is missing, a layout that does not fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@given(st.lists(st.one_of(st.sampled_from(NASTY), st.characters()), max_size=4).map("".join), st.booleans())
def test_no_text_of_a_picture_is_a_formula(text, title):
    """Catches a dollar that is not escaped, and an escape that changes what is read."""
    shown = plain(text, title)
    assert not is_math_text(shown)
    drawn = shown.replace(r"\$", "$")  # as matplotlib does with what is no formula
    assert drawn.isprintable()
    assert len(drawn) <= (160 if title else 40) + 2
    if text.isprintable() and text.strip() and len(text) <= 40 and not text.startswith("_"):
        assert drawn == text


def test_a_character_that_the_font_lacks_is_no_warning(quiet):
    # was: a line of Python's own on standard error for every such label of a release
    assert png(plot_channel(Channel(CHANNEL.matrix, list("a💥c"), list("a💥c"))))


@pytest.mark.parametrize("name", [name for name in NASTY if not name.isprintable()])
def test_no_label_is_a_command_to_the_terminal(name, capsys):
    """Catches tables and lines that print a label's escapes as they are."""
    table = Table()
    table.add_column(Text(name))
    table.add_row(Text(name))
    console().print(table)
    say(name)
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()


def _names(count, first):
    return [NASTY[(first + i) % len(NASTY)] for i in range(count)]


def _pictures(first):
    """Every picture of `lpmech.plots` that may hold a text of somebody, with nasty ones throughout."""
    names, title = _names(3, first), NASTY[first]
    channel = Channel(CHANNEL.matrix, names, names)
    third = np.full(3, 1 / 3)
    curve = [(epsilon, 0.5) for epsilon in LEVELS]
    yield plot_channel(channel, title=title)
    yield plot_comparison([Comparison(name, "", 0.5, 0.0, 1.0, channel, third, 100) for name in names], title=title)
    groups = {name: estimate([50, 30, 20], channel) for name in names[:2]}
    yield plot_frequencies(groups, title=title)
    yield plot_regimes(PIECES, dict.fromkeys(names, curve), title=title)
    yield plot_losses(PIECES, {names[0]: curve, names[1]: [(e, 0.4) for e in LEVELS]}, title=title)
    yield plot_best([names[:2]], [0.5, 1.0], [0.0], title=title, row_name=names[2])
    places = Places(tuple(names), ((1.0, 1.0), (2.0, 2.0), (3.0, 3.0)))
    yield plot_release(places, names[0], {names[1]: third, names[2]: third}, title=title)[0]


#: What the pictures themselves set as mathematics.
OURS = {r"$\varepsilon$ (nats)", r"break points, $t = e^\varepsilon$"}


@pytest.mark.parametrize("first", range(0, len(NASTY), 3))
def test_pictures_are_drawn_whatever_labels_and_titles_are(first, quiet):
    for axes in _pictures(first):
        assert png(axes).startswith(b"\x89PNG")
        if axes.get_legend() is not None:
            assert all(text.get_text().strip() for text in axes.get_legend().get_texts())
        texts = {text.get_text() for text in axes.figure.findobj(Drawn)}
        somebodys = (text for text in texts - OURS if not text.startswith(r"$\mathdefault"))  # ticks: 10^-1
        assert not any(map(is_math_text, somebodys))


def test_no_label_is_left_out_of_a_legend():
    """matplotlib leaves out what begins with an underscore."""
    groups = {name: estimate([50, 30, 20], CHANNEL) for name in ("_a", "b")}
    texts = [text.get_text() for text in plot_frequencies(groups).get_legend().get_texts()]
    assert texts == ["'_a', 100 rows", "b, 100 rows", "most likely"]


def _labels_of_files():
    """Those that a file of counts may hold: blanks around a label are no part of it, and a blank one is missing."""
    return [label for label in NASTY if label.strip() and label != "\u200b"]


def _beside(place):
    """A file whose path is markup that rich cannot read."""
    (place / "[").mkdir()
    return place / "[" / "b]$^$.png"


def test_design_randomize_estimate_certify_with_nasty_labels(tmp_path, capsys):
    """From counts to estimates: labels come out of every file as they went in, and every picture and page is drawn."""
    labels = _labels_of_files()
    counts, data, design = tmp_path / "[b]$x^$.csv", tmp_path / "data.csv", tmp_path / "design"
    with counts.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("label", "count"), *((label, 5 + i) for i, label in enumerate(labels))])
    with data.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("ward", "label"), *(("$_$[/x]" if i % 2 else "_b", y) for i, y in enumerate(labels))]
        )
    assert run("design", counts, "--epsilon", 8, "--counts-are", "public", "--output", design) == 0
    assert list(Release.load(design).labels) == labels
    assert list(read_channel(design / "channel.csv").inputs) == labels
    with (design / "labels.csv").open(newline="", encoding="utf-8") as file:
        assert [row["label"] for row in csv.DictReader(file)] == labels
    page = (design / "design.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;&amp;amp;" in page
    assert "<b>&amp;" not in page
    assert run("certify", design) == 0
    released, picture = tmp_path / "released.csv", _beside(tmp_path)
    assert run("randomize", data, "--column", "label", "--channel", design, "--output", released) == 0
    with released.open(newline="", encoding="utf-8") as file:
        assert {row["label"] for row in csv.DictReader(file)} <= set(labels)
    given = ("estimate", released, "--column", "label", "--channel", design, "--by", "ward", "--output", picture)
    assert run(*given) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_labels_that_are_formulas_to_a_spreadsheet_are_kept_and_named(tmp_path, capsys):
    """OWASP's list. A mark before a label would be read again as part of it, so that nothing is changed but said."""
    formulas = ["=1+1", "+a", "-a", "@SUM(A1)", "=cmd|' /C calc'!A0", "\uff1dA1", "--1", "+-1"]
    assert formula_like(["a=1", "-1", "+1.5", "-1/2", "1e3", "", "a", *formulas, "\t=1", "\r=1"]) == [
        *formulas, "\t=1", "\r=1"
    ]  # fmt: skip
    counts = tmp_path / "counts.csv"
    for labels, said in ((["-1", "0", "+1"], False), (["a", "=cmd"], True)):
        counts.write_text("label,count\n" + "".join(f"{label},5\n" for label in labels))
        design = (
            "design",
            counts,
            "--epsilon",
            1,
            "--counts-are",
            "public",
            "--output",
            tmp_path / "out",
            "--overwrite",
        )
        assert run(*design) == 0
        assert ("spreadsheets take '=cmd' for a formula" in capsys.readouterr().out) == said
    for name in ("labels.csv", "channel.csv"):
        assert "\n=cmd," in (tmp_path / "out" / name).read_text()


def test_commands_draw_with_nasty_labels(tmp_path, capsys):
    counts = tmp_path / "$_$[b].csv"
    counts.write_text("label,count\n$x^$,5\n[/b],3\n_c,2\n", encoding="utf-8")
    picture = _beside(tmp_path)
    assert run("regimes", counts, "--output", picture) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run("losses", counts, "--epsilon", 1) == 0
    assert run("explore", counts, "--counts-are", "public", "--utility", "hit", "--output", tmp_path / "page.html") == 0
    assert '"$x^$","[/b]","_c"' in (tmp_path / "page.html").read_text(encoding="utf-8")


@settings(max_examples=4, deadline=None)
@given(st.lists(st.sampled_from(_labels_of_files()), min_size=2, max_size=4, unique=True))
def test_private_counts_of_nasty_labels(tmp_path_factory, labels):
    """The review: `$x^$` crashed in matplotlib after epsilon was paid."""
    place = tmp_path_factory.mktemp("nasty")
    for name, rows in (("order.csv", labels), ("data.csv", ["label", *labels, labels[0]])):
        with (place / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\r\n").writerows([row] for row in rows)
    order = ",".join('"' + label.replace('"', '""') + '"' for label in labels if "\n" not in label)
    if any("\n" in label for label in labels):
        return  # --order is one line
    private = ("--counts-are", "private", "--spend", 0.2, f"--order={order}", "--column", "label")
    assert run("design", place / "data.csv", "--epsilon", 1, *private, "--output", place / "design") == 0
    assert list(Release.load(place / "design").labels) == labels


@pytest.mark.parametrize(
    "broken", ["lpmech.plots.png", "lpmech.pages.design.design_page", "lpmech.release.design_files.files_of_design"]
)
def test_what_fails_fails_before_anything_is_paid(broken, tmp_path, capsys, monkeypatch):
    """Pictures, page and files are made once with equal counts: before, a picture that failed had cost epsilon."""
    data = tmp_path / "data.csv"
    data.write_text("label\na\na\nb\n")

    def fail(*args, **kwargs):
        raise RuntimeError("cannot be drawn")

    monkeypatch.setattr(broken, fail)
    private = ("--counts-are", "private", "--spend", 0.2, "--order", "a,b", "--column", "label")
    with pytest.raises(RuntimeError, match="cannot be drawn"):
        run("design", data, "--epsilon", 1, *private, "--output", tmp_path / "design")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_a_rehearsal_knows_nothing_of_the_counts(tmp_path, capsys, monkeypatch):
    """It is made before the noise is bought: from labels, each counted once."""
    from lpmech.designs import designing

    seen, real = [], designing.design
    monkeypatch.setattr(designing, "design", lambda counts, *rest: (seen.append(counts.counts), real(counts, *rest))[1])
    data = tmp_path / "data.csv"
    data.write_text("label\n" + "a\n" * 500 + "b\n")
    private = ("--counts-are", "private", "--spend", 0.2, "--order", "a,b", "--column", "label")
    assert run("design", data, "--epsilon", 1, *private) == 0
    assert seen[0] == (1, 1)
    assert seen[1][0] > 300
    assert len(seen) == 2
