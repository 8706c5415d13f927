"""What was found as LaTeX, and as claims of a paper of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs import RefusedProofError, check
from lpmech.discovery.family import Family
from lpmech.discovery.lemmas import proofs_of
from lpmech.discovery.parts import Index, Part, Samples
from lpmech.discovery.search import Discovery
from lpmech.discovery.witnesses import refused
from lpmech.errors import InvalidInputError
from lpmech.prove.answers import Holds
from lpmech.prove.objects import Node as Step
from lpmech.prove.objects import Unchecked, to_data
from lpmech.prove.proof_files import proof_file
from lpmech.prove.wording import latex_of
from lpmech.terms import TRUE, Node
from lpmech.terms.reader import read_condition, read_formula

__all__ = ["claims_of", "compared", "latex", "latex_of_witnesses", "proofs"]

#: What the checker reads.
_LONGEST_TITLE = 2000


def latex(found: Discovery) -> str:
    """The parts as a case distinction in LaTeX."""
    rows = [rf"  {_value(part)} & \text{{{_word(part)} }} {latex_of(part.when)}" for part in found.parts]
    if len(found.parts) == 1 and found.parts[0].when == TRUE and not found.left:
        return _value(found.parts[0])
    body = " \\\\\n".join(rows)
    return f"\\begin{{cases}}\n{body}\n\\end{{cases}}"


def latex_of_witnesses(found: Discovery) -> str:
    """What attains each part, and the dual that proves it, a line each, in LaTeX; empty where none is found."""
    named = ((f"{i}", part) for i, part in enumerate(found.parts, start=1))
    lines = [
        rf"{letter} = {latex_of(node)}"
        for number, part in named
        for letter, node in ((rf"q^{{({number})}}_{{ij}}", part.channel), (rf"\pi^{{({number})}}_i", part.dual))
        if node is not None
    ]
    return "\n".join(lines)


def _value(part: Part) -> str:
    value = latex_of(part.value)
    if part.index is None:
        return value
    return rf"\max_{{{latex_of(part.index.first)} \le {part.index.name} \le {latex_of(part.index.last)}}} {value}"


def _word(part: Part) -> str:
    return "if and only if" if part.exactly else "if"


def proofs(found: Discovery) -> str:
    """A file of proofs, of what was shown for each part and of the lemmas; `lpmech certify` checks it.

    Raises
    ------
    InvalidInputError
        If nothing of it is proved.
    """
    proved = [part for part in found.parts if part.lemmas]
    if not proved:
        raise InvalidInputError("proof", found.family.about, "a family of which some part is proved")
    lemmas = dict.fromkeys(lemma for part in proved for lemma in part.lemmas)
    shown = dict(pair for part in proved for pair in part.proofs)
    shown |= {f"{lemma.told}: {name}": answer for lemma in lemmas for name, answer in proofs_of(lemma)}
    title = f"{found.family.about}; {'; '.join(f'{part.optimum} {part.where}' for part in proved)}"
    return proof_file(title[:_LONGEST_TITLE], [(name, _object(answer)) for name, answer in shown.items()])


def _object(answer: Holds) -> Step:
    """The proof, if the checker follows it; else the goal, called by its method's name, which the checker tells."""
    try:
        check(to_data(answer.proof))
    except RefusedProofError:
        return Unchecked(answer.proof.goal, answer.method)
    return answer.proof


_HEAD = '''"""The optimum of a family, found by `lpmech discover`; `lpmech verify THIS_FILE --self-test` runs it."""

from lpmech.claims import Paper
from lpmech.discovery.family import family_of
from lpmech.discovery.printed import compared

PAPER = Paper("discovered", "What lpmech discover found")
FAMILY = family_of({arguments})
'''

_CLAIM = """

@PAPER.claim(
    "optimum {number}",
    {statement},
    formula={formula},
    mutants={{"one more": {more}}},
    family={family},
    note={note},
)
def optimum_{number}(formula):
    yield from compared(FAMILY, formula, {rest})
"""


def claims_of(found: Discovery, given: dict[str, Any]) -> str:
    """A file with a claim for each part, to be run and changed; its check solves exact programs at K <= 6.

    Parameters
    ----------
    found : Discovery
    given : dict
        The arguments of `family_of`.

    Raises
    ------
    InvalidInputError
        If the utility is a function, the family is every ordered prior, or nothing is found.
    """
    if found.family.prior is None or callable(given.get("utility")):
        raise InvalidInputError("claim", found.family.about, "a family whose utility and prior are names or formulas")
    if not found.parts:
        raise InvalidInputError("claim", found.family.about, "a family of which some formula is found")
    arguments = ", ".join(f"{name}={value!r}" for name, value in given.items() if value)
    text = _HEAD.format(arguments=arguments)
    for number, part in enumerate(found.parts, start=1):
        rest = [f"when={str(part.when)!r}"] if part.when != TRUE else []
        rest += [f"index={(part.index.name, str(part.index.first), str(part.index.last))!r}"] if part.index else []
        rest += [f"{name}={str(node)!r}" for name, node in part.witnesses]
        told = f"the optimum is `{part.optimum}`, {part.where}".replace(str(part.when), f"`{part.when}`")
        text += _CLAIM.format(
            number=number,
            statement=json.dumps(told),
            formula=json.dumps(str(part.value)),
            more=json.dumps(str(part.value + 1)),
            family=json.dumps("K <= 6, two values of t in every regime"),
            note=json.dumps(
                "Proved for all K and t by lpmech discover." if part.steps else "A conjecture for larger K."
            ),
            rest=", ".join([*rest, "largest=6"]),
        )
    return text


def compared(
    family: Family,
    formula: str,
    when: str | None = None,
    index: tuple[str, str, str] | None = None,
    channel: str | None = None,
    dual: str | None = None,
    largest: int = 6,
) -> Iterator[bool | str]:
    """Whether a formula is the optimum at two values of t in every regime: True, or the counterexample in words.

    Parameters
    ----------
    family : Family
    formula : str
        In t, K, the parameters and the index.
    when : str, optional
        Where it is said to hold; default: everywhere.
    index : (name, first, last), optional
        The largest value over this whole number is meant.
    channel, dual : str, optional
        What is said to attain it, in i, j, u_ij and the letters above, and to prove it, in i.
    largest : int
        So many labels at most.
    """
    names = list(family.domain.names)
    ends = None if index is None else Index(index[0], read_formula(index[1], names), read_formula(index[2], names))
    value = read_formula(formula, names if index is None else [*names, index[0]])
    condition: Node = TRUE if when is None else read_condition(when, names)
    own = [*names, "i", *([] if index is None else [index[0]])]
    q = None if channel is None else read_formula(channel, [*own, "j", "u_ij"])
    pi = None if dual is None else read_formula(dual, own)
    part, samples = Part(value, condition, ends, channel=q, dual=pi), Samples(family, largest)
    for at in samples.instances():
        for t, best in samples.points(at):
            here: dict[str, Fraction] = {**at, "t": t}
            if part.covers(here):
                found = part.value_at(here)
                where = ", ".join(f"{name} = {number}" for name, number in here.items())
                yield found == best or f"{where}: the optimum is {best}, not {found}"
    for name, wrong in refused(part, samples).items():
        yield f"{name}: {wrong}"
