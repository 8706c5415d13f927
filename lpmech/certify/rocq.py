"""A certificate as a theorem in Rocq: the text of a file that `coqc` compiles by itself.

The theory, `proofs/Certificate.v` with what it rests on, goes in front: channels, weak duality, and that a check with
whole numbers suffices. The certificate's numbers follow over common denominators, and one computation is the proof.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import lpmech
from lpmech.certify.certificate import Certificate
from lpmech.certify.packing import matrix_of
from lpmech.errors import CertificateError, DataFileError

__all__ = ["PROOFS", "commented", "theorem_of", "theory"]

#: The proofs stand beside the package in its repository, and within it where it is installed.
_HOME = Path(lpmech.__file__).resolve().parent
PROOFS = _HOME / "proofs" if (_HOME / "proofs").is_dir() else _HOME.parent / "proofs"

#: From below; none imports one that comes later.
_THEORY = ("Channels.v", "Duality.v", "Certificate.v")

#: Most bits of a common denominator.
_MOST_BITS = 2**14

#: The theory's imports: of the standard library once, before all, so that they hide nothing of ours.
_IMPORTS = re.compile(r"^From (?:Coq|lpmech) Require .*\n", re.MULTILINE)

Rows = Sequence[Sequence[int]]


def theorem_of(certificate: Certificate) -> str:
    """The text of a file in Rocq with the theorem that the certificate proves.

    Parameters
    ----------
    certificate : Certificate
        Checked, as every one is.

    Raises
    ------
    CertificateError
        If a common denominator has more than 2^14 bits.
    DataFileError
        If the proofs are not there.
    """
    data = certificate.data
    inputs, outputs = ({name: i for i, name in enumerate(data[key])} for key in ("inputs", "outputs"))
    fixed = [[Fraction(0)] * len(outputs) for _ in inputs]
    for source, target, _, dual in data["fixed"]:
        fixed[inputs[source]][outputs[target]] = Fraction(dual)
    weights, weights_unit = _whole(matrix_of(data["weights"]).tolist(), "weights")
    duals, duals_unit = _whole([[Fraction(pi) for pi in data["row_duals"]], *fixed], "row_duals")
    unit = math.lcm(weights_unit, duals_unit)
    entries, one = _whole(matrix_of(data["channel"]).tolist(), "channel")
    ratios = [Fraction(ratio) for ratio in data["ratio"]]
    fields = {
        "K": f"{len(inputs)}%nat",
        "J": f"{len(outputs)}%nat",
        "weights": f"times {unit // weights_unit} {_matrix(weights)}",
        "prescribed": f"times {unit // duals_unit} {_matrix(duals[1:])}" if data["fixed"] else "[]",
        "duals": _row([unit // duals_unit * pi for pi in duals[0]]),
        "unit": str(unit),
        "entries": _matrix(entries),
        "one": str(one),
        **{name: _pair(x) for name, x in zip(("ratio_low", "ratio_high"), ratios, strict=True)},
        "least": _pair(certificate.lower),
        "most": _pair(certificate.upper),
    }
    return _TEXT.format(
        told=commented(str(certificate.proof())),
        theory=theory(*_THEORY),
        fields=";\n".join(f"  {name} := {value}" for name, value in fields.items()),
        sizes=f"{len(inputs)} {len(outputs)}",
        low=_quotient(ratios[0]),
        high=_quotient(ratios[1]),
        least=_quotient(certificate.lower),
        most=_quotient(certificate.upper),
        agrees=_AGREES.format(K=len(inputs), J=len(outputs)) if data["fixed"] else "",
        last=" F; exact (M r R P F)." if data["fixed"] else _NOTHING_PRESCRIBED,
    )


#: Channels that are compared agree with the certificate's on its prescribed entries.
_AGREES = """
    (forall y j, (y < {K})%nat -> (j < {J})%nat ->
      at_place (prescribed design) y j <> 0%Z -> r y j = q design y j) ->"""
_NOTHING_PRESCRIBED = "; apply (M r R P); intros y j _ _ N; destruct N; destruct y, j; reflexivity."

_TEXT = """\
(** {told}

    Compile with `coqc FILE.v`. What comes first is the theory of lpmech, the same in every such file; the numbers of
    the certificate are in `design`, the theorem is `the_optimum`; the last line has Rocq tell what it assumes. *)

From Coq Require Import Reals ZArith List Lra Lia Arith Bool.

{theory}
(** ** The certificate *)

Import ListNotations.
Local Open Scope Z_scope.

Definition design : certificate := {{|
{fields}
|}}.

Local Open Scope R_scope.

(** For every t between the ratios, as e^epsilon is: the channel `q design` is private at t and its value is at least
    the first bound; no channel that is private at t has a value above the second one. *)
Theorem the_optimum t : {low} <= t <= {high} ->
  channel {sizes} (q design) /\\ private {sizes} t (q design) /\\ {least} <= value {sizes} (u design) (q design) /\\
  forall r, channel {sizes} r -> private {sizes} t r ->{agrees}
    value {sizes} (u design) r <= {most}.
Proof.
  intros T; assert (C : check design = true) by (vm_cast_no_check (eq_refl true)).
  destruct (certificate_is_sound design t C T) as [A [B [L M]]]; split; [exact A|split; [exact B|split; [exact L|]]].
  intros r R P{last}
Qed.

Print Assumptions the_optimum.
"""


def theory(*names: str) -> str:
    """Texts from `proofs/`, one after another, without their imports.

    Raises
    ------
    DataFileError
        If they are not there.
    """
    texts = []
    for name in names:
        path = PROOFS / name
        if not path.is_file():
            raise DataFileError("proofs", str(path), "lpmech with its proofs")
        texts.append(_IMPORTS.sub("", path.read_text("utf-8")))
    return "\n".join(texts)


def _whole(rows: Sequence[Sequence[Fraction]], name: str) -> tuple[list[list[int]], int]:
    """The rows as multiples of 1 / unit, and the unit."""
    unit = 1
    for denominator in {value.denominator for row in rows for value in row}:
        unit = math.lcm(unit, denominator)
        if unit.bit_length() > _MOST_BITS:
            raise CertificateError(
                f"{name}: their common denominator has more than {_MOST_BITS} bits, too many for Rocq"
            )
    return [[value.numerator * (unit // value.denominator) for value in row] for row in rows], unit


def _row(row: Sequence[int]) -> str:
    return "[" + "; ".join(f"({x})" if x < 0 else str(x) for x in row) + "]"


def _matrix(rows: Rows) -> str:
    return "[" + ";\n    ".join(map(_row, rows)) + "]"


def _pair(value: Fraction) -> str:
    return f"({value.numerator}, {value.denominator})"


def _quotient(value: Fraction) -> str:
    """As `quotient` of the pair unfolds."""
    return f"IZR ({value.numerator}) / IZR {value.denominator}"


def commented(text: str) -> str:
    """A text for a comment: without what ends one, or begins a text in one."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'").replace("\n", "\n    ")
