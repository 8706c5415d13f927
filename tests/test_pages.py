"""The report on papers: one file that needs nothing else, the same each time, whole or not there."""

import re
import subprocess
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import lpmech

from lpmech.claims import Paper
from lpmech.pages.claims import _part, anchors, claims_page
from lpmech.pages.graph import arcs_of
from lpmech.pages.provenance import provenance
from lpmech.pages.review import review
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.papers.bibliography import judged
from lpmech.papers.running import run_claim, run_claims
from lpmech.verdicts import Verdict

ROOT = Path(__file__).parent.parent

PAPER = r"""
from lpmech.claims import Paper, Repair
from lpmech.claims.checking import check_parts
from lpmech.verdicts import refuted, unclear
PAPER = Paper("mine?", "Somebody: <b>Bold & false</b>")

def proved(method, words):
    return check_parts(iter([True]), every=words, method=method)

def outcome(number):
    return proved("parity", "it is even") if number % 2 == 0 else refuted("parity", "it is odd", f"number = {number} < 4")

@PAPER.claim("Lemma 1", r"<script>alert(1)</script> $e^\epsilon \le \frac{a}{b}$", recorded="refuted", formula=3,
    mutants={"odd": 5}, headline=2, consequence="wording", note="a note & more",
    repair=Repair("two is even", 2, {"odd": 1}))
def lemma_1(number):
    return outcome(number)

@PAPER.claim("Lemma 2", "a sentence", readings={"narrow": "proved", "broad": "refuted"}, formula=2, mutants={"odd": 3},
    headline=1, consequence="privacy", uses=["Lemma 1", "elsewhere"])
def lemma_2(number):
    return unclear({"narrow": outcome(number), "broad": outcome(number + 1)})

@PAPER.claim("Lemma 3", "four is even", formula=4, mutants={"odd": 3})
def lemma_3(number):
    from lpmech.mechanisms.randomized_response import randomized_response
    from lpmech import PrivacyLevel
    randomized_response(3, PrivacyLevel.from_ratio(3))
    return outcome(number)

PAPER.leave_out("Section 9", "an opinion")
"""


def paper_of(*ids):
    paper = Paper("p", "t")
    for id in ids:
        paper.claim(id, "s", formula=2, mutants={"m": 3})(lambda number: None)
    return paper


def test_what_depends_on_a_sentence_counts_the_papers_own():
    """Choosing l by accuracy is a question of ours: the paper claims nothing of its privacy."""
    ids = ["Alg. 1 line 4", "App. G.1 (l chosen by accuracy)"]
    results = [run_claim("liu2026", id) for id in ids]
    of_the_paper, ours = (r.claim for r in results)
    assert ours.consequence == "privacy"
    assert _part(load_paper("liu2026"), results).consequences == {of_the_paper.consequence: 1}
    text = review([(load_paper("liu2026"), results[::-1])], provenance())
    assert text.index("### Alg. 1 line 4") < text.index("### App. G.1 (l chosen by accuracy): refuted (ours)")
    row = results[0].row()["witness"]
    assert (row["point"]["t"], row["left"], row["relation"], row["right"]) == ("2", "14/15", "==", "1")


def test_a_link_depends_on_the_id_alone():
    assert anchors(paper_of("Theorem 3", "Lemma 1 (a)")) == {"Theorem 3": "p/theorem-3", "Lemma 1 (a)": "p/lemma-1-a"}
    assert anchors(paper_of("Lemma 1 (a)"))["Lemma 1 (a)"] == "p/lemma-1-a"
    alike = [anchors(paper_of(*ids)) for ids in (("eq. (1)", "eq. 1", "*"), ("*", "eq. 1", "eq. (1)"))]
    assert alike[0] == alike[1]
    assert len(set(alike[0].values())) == 3
    for key in PAPER_KEYS:
        named = anchors(load_paper(key))
        assert len(set(named.values())) == len(named)
        assert all(re.fullmatch(r"\w+/[\w-]+", anchor) for anchor in named.values())


class Tags(HTMLParser):
    """What refers to something, and which elements are open at the end."""

    VOID = ("meta", "link", "input", "br", "wbr")

    def __init__(self, html):
        super().__init__()
        self.refers, self.ids, self.open, self.names = [], [], [], set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.refers += [value for name, value in attrs if name in ("href", "src")]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def without_timings(text):
    """Nor the day, command and commit of the run."""
    return re.sub(r'<span class="seconds">[\d.]+</span>|Made on .*? lpmech', "", text)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The paper's file, and both reports on it as the command writes them."""
    place = tmp_path_factory.mktemp("report")
    (place / "mine.py").write_text(PAPER)
    ran = lpmech("report", "mine.py", "--output", "r.html", "--markdown", "r.md", "--jobs", "1", cwd=place)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "mine?: 4 claims: 2 proved, 1 refuted, 1 unclear; all as recorded" in ran.stdout
    return place


def test_the_page_needs_nothing_else_and_says_everything(written):
    html = (written / "r.html").read_text()
    tags = Tags(html)
    assert tags.open == []
    assert [each for each in tags.refers if not each.startswith(("#", "data:,"))] == []
    places = [each.removeprefix("#").split("?")[0] for each in tags.refers if each.startswith("#")]
    assert [each for each in places if each and each not in tags.ids] == []
    assert len(set(tags.ids)) == len(tags.ids)
    assert "<script>alert" not in html
    assert "<b>" not in html
    assert html.index("Lemma 2</a>") < html.index("Lemma 1</a>")  # privacy is graver than wording
    for text in (
        "number", "two is even", "a note &amp; more", "lpmech.mechanisms.randomized_response.randomized_response",
        "Section 9", "an opinion", "elsewhere", "parity", "it is even", 'data-kind="theorem"', "cvc5", "/mine.py:",
        *(verdict.meaning for verdict in Verdict),
    ):  # fmt: skip
        assert text in html, text
    assert str(written.parent) not in html


def test_a_counterexample_stands_beside_its_repair_and_each_reading_has_its_verdict(written):
    html = (written / "r.html").read_text()
    claim = html[html.index('id="mine/lemma-1"') : html.index('id="mine/lemma-1-repaired"')]
    beside = claim[claim.index('class="fails"') :]
    assert beside.index("number") < beside.index("what is right instead") < beside.index("two is even")
    unclear = html[html.index('id="mine/lemma-2"') : html.index('id="mine/lemma-3"')]
    assert re.search(r'proved">proved</span> narrow.*refuted">refuted</span> broad', unclear, re.DOTALL)


def test_the_review_has_what_is_false_first_with_formulas_between_dollars(written):
    text = (written / "r.md").read_text()
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads[:4] == [
        r"# Somebody: \<b\>Bold & false\</b\>",
        "## What is not simply true",
        "### Lemma 2: unclear (privacy)",
        "### Lemma 1: refuted (wording)",
    ]
    assert r"$e^{\epsilon}\le\frac{a}{b}$" in text
    assert "- right is: two is even (proved, parity)" in text


def test_the_same_results_make_the_same_page(written):
    paper = load_paper(str(written / "mine.py"))
    selection = [(str(written / "mine.py"), id) for id in paper.claims]
    again = [(paper, list(run_claims(selection, 1)))]
    for make, file in ((claims_page, "r.html"), (review, "r.md")):
        assert without_timings(make(again, provenance())) == without_timings((written / file).read_text())


def test_a_report_says_when_it_was_made_by_which_command_from_what(written):
    command = "lpmech report mine.py --output r.html --markdown r.md --jobs 1"
    html, text = ((written / file).read_text() for file in ("r.html", "r.md"))
    assert f"Made on {date.today().isoformat()} by <code>{command}" in html
    assert f"by `{command}" in text
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"commit <code>{commit.strip()}" in html
    assert re.search(
        r">privacy</th><th [^>]*>wording</th></tr></thead>.*?mine\?</th><td [^>]*>1</td><td [^>]*>1</td>",
        html,
        re.DOTALL,
    )
    assert "Judged" not in html  # of a paper that is nobody's but the reader's, nothing is known
    assert judged("zhang2025").startswith("arXiv:2504.20926v1")


def test_a_verdict_that_is_not_the_recorded_one_is_shown_and_ends_the_command_with_one(tmp_path):
    (tmp_path / "mine.py").write_text(PAPER.replace("formula=4", "formula=5"))
    ran = lpmech("report", "mine.py", "--only", "Lemma 3", "--output", "r.html", "--jobs", "1", cwd=tmp_path)
    assert ran.returncode == 1
    html = (tmp_path / "r.html").read_text()
    assert "1 is not as recorded" in html
    assert "<dt>on record</dt><dd>proved</dd>" in html


#: Arguments that are refused -> what the one line says.
REFUSED = {
    ("liu2027", "--output", "r.html"): "nearest: 'liu2026'",
    ("ran.py",): "--output",
    ("ran.py", "--output", "r.html", "--markdown", "r.html"): "another one for --markdown",
    ("ran.py", "--output", "there.html"): "there.html'; allowed: a file that does not exist yet, or --overwrite",
    ("ran.py", "--markdown", "there.html"): "--overwrite",
    ("ran.py", "--output", "no/such/r.html"): "can be written",
    ("ran.py", "--output", "."): "can be written",
    ("ran.py", "--output", "r.html", "--only", "Lemma 9"): "an id",
    ("ran.py", "--output", "r.html", "--jobs", "0"): "jobs",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_one_line_before_any_claim_is_run(arguments, tmp_path):
    marked = PAPER.replace("def outcome(number):", "def outcome(number):\n    open(__file__ + '.ran', 'w')")
    (tmp_path / "ran.py").write_text(marked)
    (tmp_path / "there.html").write_text("mine")
    ran = lpmech("report", *arguments, cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert REFUSED[arguments] in ran.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"ran.py", "there.html", "__pycache__"}
    assert (tmp_path / "there.html").read_text() == "mine"


def test_a_file_is_replaced_where_that_is_asked_for(tmp_path):
    (tmp_path / "mine.py").write_text(PAPER)
    (tmp_path / "r.html").write_text("old")
    arguments = ("report", "mine.py", "--only", "Lemma 3", "--output", "r.html", "--overwrite", "--jobs", "1")
    assert lpmech(*arguments, cwd=tmp_path).returncode == 0
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")


def test_what_rests_on_what_is_a_picture_of_arcs():
    found = arcs_of(["a", "b", "c", "d"], {"c": ["a", "elsewhere", "c"], "d": ["c"]})
    assert found.nodes == [("a", 11), ("c", 33), ("d", 55)]  # b uses nothing and is not used
    assert [re.findall(r"\d+ (\d+)", path) for path in found.paths] == [
        ["33", "33", "11", "11"],
        ["55", "55", "33", "33"],
    ]
    assert found.height == 66
    assert not arcs_of(["a"], {"a": ["b"]}).nodes


REPLY = """from = "The authors, $2026$"
general = "We mean $K \\\\ge 2$."
[claims]
"Lemma 1" = "A slip <of ours>."
"""


def test_the_authors_reply_stands_where_it_belongs(tmp_path):
    (tmp_path / "mine.py").write_text(PAPER)
    (tmp_path / "mine.reply.toml").write_text(REPLY)
    ran = lpmech("report", "mine.py", "--output", "r.html", "--markdown", "r.md", "--jobs", "1", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    html, review = ((tmp_path / name).read_text() for name in ("r.html", "r.md"))
    claim = html[html.index('id="mine/lemma-1"') : html.index('id="mine/lemma-1-repaired"')]
    assert "authors’ reply</dt><dd>A slip &lt;of ours&gt;." in claim
    assert "lpmech show mine.py" in claim
    assert html.count("A slip") == 1
    assert html.index("We mean") < html.index("All claims")
    assert "- the authors reply: A slip" in review
    assert review.index("We mean $K\\ge2$.") < review.index("A slip")
    assert "A slip" in lpmech("show", "mine.py", "Lemma 1", cwd=tmp_path).stdout
    for wrong, says in (
        (REPLY.replace("Lemma 1", "Lemma 9"), "ids of claims"),
        (REPLY.replace("$2026$", "$"), "between dollars"),
        (REPLY.replace("from", "who"), "the keys from, general, claims"),
        (REPLY.partition("\n")[2], "who answers"),
        ("=", "a TOML file"),
    ):
        (tmp_path / "mine.reply.toml").write_text(wrong)
        refused = lpmech("report", "mine.py", "--output", "s.html", cwd=tmp_path)
        assert (refused.returncode, says in refused.stderr) == (2, True), refused.stderr
        assert not (tmp_path / "s.html").exists()
