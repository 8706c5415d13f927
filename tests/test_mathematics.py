"""One way to write mathematics: what the reader takes and refuses, and that four printers say what was read."""

import re
from xml.etree import ElementTree

import pytest
from commands import lpmech

from lpmech.claims import Paper, Repair
from lpmech.errors import NotationError
from lpmech.mathematics import check_text, in_notation, latex_of, markdown_of, unicode_of
from lpmech.mathematics.reader import parts_of, read_formula, read_text
from lpmech.mathematics.symbols import SIGNS, Role
from lpmech.mathematics.tree import Code, Formula, Prose
from lpmech.pages.mathematics import displayed, html_of, mathml_of
from lpmech.papers import PAPER_KEYS, load_paper

#: Text -> LaTeX, each with the mistake that it would catch.
LATEX = {
    "100% of a & b, #1": r"100\% of a \& b, \#1",  # a comment, a column, a parameter
    r"$\tilde S$ is": r"$\tilde{S}$ is",
    "$t^{K-1}$ and $p_{12}$": "$t^{K-1}$ and $p_{12}$",
    r"$\mathcal S_2=\emptyset$": r"$\mathcal{S}_{2}=\emptyset$",
    r"$\tilde\mathcal S$": r"$\tilde{\mathcal{S}}$",  # an accent over a font wants braces
    r"$\frac{a b}c$": r"$\frac{a b}{c}$",
    r"$\epsilon$-private": r"$\epsilon$-private",  # a hyphen, no difference
    r"$\alpha x\beta$": r"$\alpha x\beta$",  # \alphax is another command
    r"$x'^2$ '$x$' 'y'": r"$x'^{2}$ `$x$' `y'",  # a prime, and a quotation mark
    r"`rr_with_prior`": r"\texttt{rr\_\allowbreak{}with\_\allowbreak{}prior}",
    r"$20{,}000$": "$20{,}000$",
    r"$\begin{pmatrix}1&0\\ x & -y\end{pmatrix}$": r"$\begin{pmatrix}1 & 0 \\ x & -y\end{pmatrix}$",
    "ε ≤ 1, 漢": r"$\varepsilon$ $\le$ 1, [U+6F22]",
    r"\foo{x} a_{b": r"\textbackslash{}foo\{x\} a\_\{b",  # what cannot be read, as it was typed
    "--self-test <t>": "-{}-self-test $<$t$>$",
    "$": r"\$",
    "": "",
}

#: Text -> a line of characters.
PLAIN = {
    r"$\beta$ is increasing in $l$ when $\tilde S_2\ne\emptyset$": "β is increasing in l when S̃₂ ≠ ∅",
    r"$p_{y\mid y}\le e^{\epsilon/2}$": "p_(y|y) ≤ e^(ε/2)",
    r"$\frac{C+\sqrt{C^2+2\epsilon}}{2\epsilon}$": "(C+√(C²+2ε))/(2ε)",
    "S~2 and 50% of # & more": "S~2 and 50% of # & more",
    r"$\epsilon$-DP at $w_{k+1}$ and $M^{(1)}$, $e^{-0.6}$, $x^{-1}$": "ε-DP at w_(k+1) and M^(1), e^(-0.6), x⁻¹",
    r"$e^\epsilon\beta$, $K\log n$, $-1<x'_2$": "e^ε β, K log n, -1 < x′₂",
    r"$\sum_j q_{jj}\max(a,0)$, $k^*=\argmax_k w_k$": "∑ⱼ qⱼⱼ max(a, 0), k* = arg maxₖ wₖ",
    r"$\frac{a+b}{c}n$, $\ln\frac{2K}{\delta}$, $F_{\mathrm{PM}}$": "((a+b)/c)n, ln (2K/δ), F_PM",  # no factor below the line
    r"$\begin{pmatrix}1&0\\ 1/2&x\end{pmatrix}$": "(1 0; 1/2 x)",
    r"$\le -C$, $\Pr\propto e^x$, $\frac{a}{b}\text{ and }c$": "≤ -C, Pr ∝ eˣ, a/b and c",
    r"$\mathcal S$, $\mathbb R^d$, $\text{CIFAR-10}_2$": "𝒮, ℝᵈ, CIFAR-10₂",
}

#: LaTeX -> MathML without its attributes.
MATHML = {
    r"\Delta\epsilon": "<math><mi>Δ</mi><mi>ε</mi></math>",  # the letter of the plain texts, for the search
    r"a \le b": "<math><mi>a</mi></math><wbr><math><mo>≤</mo><mi>b</mi></math>",  # no browser breaks a line in a formula
    r"(a \le b)": "<math><mrow><mo>(</mo><mi>a</mi><mo>≤</mo><mi>b</mi><mo>)</mo></mrow></math>",  # kept together
    r"|a + b|": "<math><mrow><mo>|</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>|</mo></mrow></math>",
    "a := b": "<math><mi>a</mi></math><wbr><math><mo>:=</mo><mi>b</mi></math>",
    r"\mathrm{best}": "<math><mi>best</mi></math>",  # one name, not four letters
    r"K \log n": "<math><mi>K</mi><mo>log</mo><mi>n</mi></math>",  # with thin spaces, as a name has none
    r"\begin{pmatrix}1&x\end{pmatrix}": "<math><mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mi>x</mi></mtd></mtr>"
    "</mtable><mo>)</mo></mrow></math>",
    r"\arg\max_k": "<math><mo>arg</mo><msub><mo>max</mo><mi>k</mi></msub></math>",
    "(a+b)^2": "<math><msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup></math>",
}

#: Text -> column of the offence and what the error speaks of; most were set wrongly before.
REFUSED = {
    "at e^epsilon": (5, "between dollars"),
    r"for \epsilon": (5, "between dollars"),
    "code lp_solve": (8, "between backticks"),
    "$X^(K-1)$": (4, "a group in braces"),  # lost its exponent
    "$q_jj$": (5, "braces around a script"),  # was q_j j
    "$x_12$": (4, "more than one digit"),
    "$e^-0.6$": (4, "a group in braces"),
    "$eps > 0$": (2, r"\mathrm"),  # three letters
    "$Min(a, b)$": (2, r"\mathrm"),
    r"$a <= b$": (5, r"\le"),
    "$a ... b$": (5, r"\dots"),
    "$(a$": (4, "closes ("),
    "$a)$": (3, "before it"),
    "$P(a|b)$": (7, r"\mid"),
    "$a$ and $b": (9, "between dollars"),
    r"$\foo$": (2, "sign or command"),
    "$x^2^3$": (5, "one script above"),
    r"$\begin{pmatrix}1&0\\1\end{pmatrix}$": (36, "as many entries"),
    "$1&2$": (3, "before it"),
    "$^2$": (2, "before a script"),
    "$1 2$": (4, "between two numbers"),
    "$ε$": (2, "sign or command"),
    "$$": (2, "a formula"),
    "$x_{}$": (5, "between braces"),
    r"$\text{a_b}$": (9, "closing brace"),
}


#: What a check tells -> in the notation: what is a formula, and what only looks like one.
TOLD = {
    "K = 4, t = 2: left side 2/5, right side 1": "$K = 4$, $t = 2$: left side $2/5$, right side 1",
    "gamma(l) > gamma(l') at s2 = 0": r"$\gamma(l) > \gamma(l')$ at $s_{2} = 0$",
    "m* = 3, k^* <= 2^(K-1), e^-0.6": "$m^* = 3$, $k^{*} \\le 2^{K - 1}$, $e^{-0.6}$",
    "lambda = (1 1; 1 2), p = (1/2, 1/2)": r"$\lambda = \begin{pmatrix}1 & 1 \\ 1 & 2\end{pmatrix}$, $p = (1/2, 1/2)$",
    "Pr[L(x~) <= ln 2], floor(K/2), |i - j|": r"$\Pr[L(\tilde{x}) \le \ln 2]$, $\lfloor K/2\rfloor$, $|i - j|$",
    "in a K by K matrix, 3 x 6 or 1..N": r"in a $K$ by $K$ matrix, $3\times 6$ or $1, \dots, N$",
    "epsilon-private at App. B (20), k-RR, BRR*": "epsilon-private at App. B (20), k-RR, BRR*",
    "CIFAR-10_2 of rr_on_bins, $x_1$": r"$\text{CIFAR-10}_{2}$ of `rr_on_bins`, $x_1$",
    "D L (1/√(epsilon n)), 2 l epsilon": r"$D L$ $(1/\sqrt{\epsilon n})$, $2 l \epsilon$",
    "(1 - p) (s/(s + 1))^2 = p (mass)": "$(1 - p)(s/(s + 1))^{2} = p$ (mass)",  # was two formulas
    "rho_as_stated, rho_avg": r"`rho_as_stated`, $\rho_{\mathrm{avg}}$",
    "(l + 1) (no list), f(y) (a, b)": "$(l + 1)$ (no list), $f(y)$ $(a, b)$",
    "a_ ^ \\ $ `": "a`_` `^` `\\` `$` '",
    "(tight ratio inf)": r"(tight ratio $\infty$)",
    "points 0..1, x = 0..2": r"points 0, 1, $x = 0, \dots, 2$",  # nothing is left out between 0 and 1
}


@pytest.mark.parametrize("line", TOLD)
def test_what_a_check_tells_has_its_formulas_set(line):
    assert in_notation(line) == TOLD[line]
    read_text(in_notation(line))


@pytest.mark.parametrize("text", LATEX)
def test_latex(text):
    assert latex_of(text) == LATEX[text]


@pytest.mark.parametrize("text", PLAIN)
def test_lines_of_characters(text):
    assert unicode_of(text) == PLAIN[text]


@pytest.mark.parametrize("latex", MATHML)
def test_mathml(latex):
    assert re.sub(r"<(\w+) [^>]*>", r"<\1>", str(mathml_of(latex))) == MATHML[latex]


def test_html_and_markdown():
    formula = "<math><mi>x</mi></math>"
    assert html_of("a & `x_1` <i>$x$") == f"a &amp; <code>x_1</code> &lt;i&gt;{formula}"
    kept = '<span style="white-space:nowrap">'  # or a line would begin with what follows a formula
    assert html_of("($x$), `x`, '$x$' is $x$.") == (
        f"{kept}({formula}),</span> <code>x</code>, {kept}&#39;{formula}&#39;</span> is {kept}{formula}.</span>"
    )
    assert displayed("x").startswith('<math display="block">')
    assert markdown_of("a*b, `x_1`, $x^2$ and #") == r"a\*b, `x_1`, $x^{2}$ and \#"


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_mathematics_is_refused_with_its_column(text):
    column, allowed = REFUSED[text]
    with pytest.raises(NotationError, match=f"at column {column},") as caught:
        check_text(text, "note of p Lemma 1")
    assert allowed in caught.value.allowed
    assert str(caught.value).startswith("note of p Lemma 1: got ")
    assert parts_of(text) == (Prose(text),)  # a line that a check tells is printed all the same


def test_a_claim_is_refused_when_it_is_made():
    paper = Paper("p", "t")
    wrong = "t^2"
    for field, given in (
        ("statement", {"statement": wrong}),
        ("hypotheses", {"hypotheses": wrong}),
        ("note", {"note": wrong}),
        ("readings", {"readings": {wrong: "proved", "b": "refuted"}}),
        ("statement", {"repair": Repair(wrong, 2), "recorded": "refuted"}),
    ):
        arguments = {"statement": "s", "formula": 1, "mutants": {"m": 2}} | given
        with pytest.raises(NotationError, match=rf"^{field} of p Lemma 1"):
            paper.claim("Lemma 1", arguments.pop("statement"), **arguments)
        paper.claims.clear()
    with pytest.raises(NotationError, match=r"^why of p Fig"):
        paper.leave_out("Fig. 1", wrong)


def test_the_command_says_where(tmp_path):
    (tmp_path / "mine.py").write_text(
        'from lpmech.claims import Paper\nPAPER = Paper("mine", "t")\n'
        'PAPER.claim("Lemma 1", "at e^epsilon", formula=1, mutants={"m": 2})(lambda formula: None)\n'
    )
    ran = lpmech("verify", "mine.py", cwd=tmp_path)
    assert ran.returncode == 2
    assert "statement of mine Lemma 1" in ran.stderr
    assert "at column 5, where '^' stands: mathematics between dollars" in ran.stderr
    assert "Traceback" not in ran.stderr


def texts_of(key):
    """Every text of a paper's claims, with the field it stands in."""
    paper = load_paper(key)
    for claim in paper.claims.values():
        for text in (claim.statement, claim.hypotheses, claim.note, *claim.readings):
            yield claim.id, text
    yield from paper.not_checkable.items()


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_every_formula_read_back_is_the_same(key):
    for id, text in texts_of(key):
        parts = read_text(text)
        formulas = [part.row for part in parts if isinstance(part, Formula)]
        for printed in (latex_of(text), markdown_of(text)):
            found = re.findall(r"(?<!\\)\$(.*?[^\\])\$", re.sub(r"\$[<>|]\$", "", printed))
            assert [read_formula(latex) for latex in found] == formulas, (id, printed)
        assert "$" not in unicode_of(text)
        assert "\\" not in unicode_of(text)


SIGNS_ALONE = {
    sign.character for sign in SIGNS.values() if sign.kind in (Role.OPENING, Role.CLOSING, Role.BAR, Role.RELATION)
}
BRACKETS = {"(": 1, "[": 1, "{": 1, "⌊": 1, "⌈": 1, "⟨": 1, ")": -1, "]": -1, "}": -1, "⌋": -1, "⌉": -1, "⟩": -1}


def test_blanks_around_words_stay():
    """A browser takes the blanks at both ends of a text away: "a and b" was set as "aandb"."""
    assert "<mtext>\u00a0and\u00a0</mtext>" in mathml_of(r"a \text{ and } b")


@pytest.mark.parametrize(
    ("latex", "forms"),
    [("-a", ["prefix"]), ("(-a, -b)-c", ["prefix", "prefix", "infix"]), ("x=\\pm a - b", ["prefix", "infix"])],
)
def test_the_sign_of_a_number_stands_close_to_it(latex, forms):
    """Catches "( - a" with the blanks of a difference, and a line that ends between a sign and its number."""
    pieces = str(mathml_of(latex)).replace("<wbr>", "\n")
    found = re.findall(r'<mo(?: form="(\w+)")?(?: lspace="0")?>[−±]</mo>', pieces)
    assert [form or "infix" for form in found] == forms
    assert not re.search(r'"prefix"[^>]*>[−±]</mo></math>', pieces)


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_mathml_of_every_text_is_sound(key):
    """No script on or of a bracket or a relation, brackets that balance, no prime on a quotation, no names in pieces."""
    for id, text in texts_of(key):
        html = str(html_of(text))
        assert not re.search(r"\\[A-Za-z]|\$", html), (id, html)
        for written in re.findall(r"<math.*?</math>", html):
            root = ElementTree.fromstring(written)
            for node in root.iter():
                if node.tag in ("msub", "msup", "msubsup"):
                    assert len(node) == (3 if node.tag == "msubsup" else 2)
                    assert not any(child.tag == "mo" and child.text in SIGNS_ALONE for child in node), (id, written)
                    assert all(child.tag != "mrow" or len(child) for child in node)
                if node.tag == "mo" and node.text == "′":
                    assert node is not root[0], (id, written)
                if node.tag in ("mi", "mtext"):
                    assert node.text not in ("eps", "sqrt", "Min", "Max", "epsilon", "delta"), (id, written)
            depth = sum(BRACKETS.get(node.text or "", 0) for node in root.iter("mo"))
            assert depth == 0, (id, written)


GREEK = "|".join(name[1:] for name, sign in SIGNS.items() if sign.kind is Role.LETTER and sign.character.isalpha())
#: What belongs into a formula: relations, Greek in words, single letters, quotients, calls, differences.
UNMARKED = re.compile(
    rf"[<>=|]|[*+](?!\d\d\])|\b(?:{GREEK}|eps|sqrt|infty)\b(?!-)|(?<![\w.'-])[b-zB-HJ-Z](?![\w'.-])"
    r"|\b(?:\d+|[b-z])/(?:\d+|[b-z])\b|\w - \w|\d\.\.|\b(?:ln|log|exp|tanh|Phi) ?[\d(]|(?<!\w)[A-Za-z]\(|\b[A-Za-z]\d\b|~"
)
#: Letters that are names: appendices, LP-1ST's C++, BRR*.
NAMES = re.compile(r"BRR\*|\b(?:App\.|Appendix|Section|App) [A-H]\b|\([a-f]\)|step b|\[GGK\+21\]|chi-square")


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_no_formula_stands_outside_of_marks(key):
    ids = sorted({id for each in PAPER_KEYS for id in load_paper(each).claims}, key=len, reverse=True)
    for id, text in texts_of(key):
        prose = "∎".join(part.text for part in read_text(text) if isinstance(part, Prose))
        for name in ids:
            if name in prose and UNMARKED.search(name):
                prose = prose.replace(name, "∎")
        found = UNMARKED.search(NAMES.sub("∎", prose))
        assert found is None, (id, found[0], prose)


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_no_claim_is_named_by_its_place(key):
    """In a filtered report the next claim is another one: claims are named."""
    for id, text in texts_of(key):
        assert not re.search(r"(?:next|previous) claim|see (?:above|below)", text), (id, text)


def test_code_is_between_backticks():
    assert read_text("a `b_c` d") == (Prose("a "), Code("b_c"), Prose(" d"))


def test_a_told_line_beside_a_text_takes_nothing_away(tmp_path):
    """Hypotheses and witnesses are lines with ^ and _ of their own: formulas beside them are set all the same."""
    (tmp_path / "mine.py").write_text(
        "import sympy as sp\nfrom lpmech.claims import Paper\nfrom lpmech.verdicts import refuted, unclear, proved\n"
        'PAPER = Paper("mine", "t")\nt = sp.Symbol("t", real=True)\n'
        'PAPER.claim("Lemma 1", "s", hypotheses="for $x_1$", given=[t**2 > 1], formula=t**2, evidence="e")'
        '(lambda formula: {"a": formula > 1})\n'
        '@PAPER.claim("Lemma 2", "s", readings={"at $x_2$": "proved", "b": "refuted"}, formula=1, mutants={"m": 2}, headline=1)\n'
        'def two(formula):\n    return proved("p", "t^2"), refuted("r", "e", "t_1")\n'
    )
    ran = lpmech("verify", "mine.py", "--latex", "t.tex", cwd=tmp_path)
    assert "at x₂: " in ran.stdout
    assert "for $x_{1}$" in (tmp_path / "t.tex").read_text()
    lpmech("report", "mine.py", "--markdown", "r.md", cwd=tmp_path)
    assert "$x_{2}$" in (tmp_path / "r.md").read_text()
    shown = lpmech("show", "mine.py", "Lemma 2", cwd=tmp_path)
    assert "at x₂" in shown.stdout


def test_a_fraction_divided_by_a_fraction_keeps_its_brackets():
    """ghazi2021 A.1 was printed as e^ε/(e^ε+k-1)/1/(e^ε+k-1) = e^ε, which is another number."""
    assert unicode_of(r"$\frac{a}{b}/\frac{1}{c}=d$") == "(a/b)/(1/c) = d"
    assert unicode_of(r"$1/\frac{a}{b}$") == "1/(a/b)"
