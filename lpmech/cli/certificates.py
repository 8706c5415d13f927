"""The command about certificates: `certify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lpmech.certify import checker
from lpmech.certify.checked import checked
from lpmech.cli.common import ASTRAY, OK, check_writable, write
from lpmech.errors import CertificateError, DataFileError, visible

__all__ = ["certify"]

#: With what a file of proofs names its format; their checker is loaded for one.
_PROOFS = b"lpmech-proof"
#: The formats of orders of channels, of linear programs and of largest informations, likewise.
_ORDER, _PROGRAM, _SUBLINEAR = "lpmech-order-1", "lpmech-program-1", "lpmech-sublinear-1"


def certify(certificate: Path, *, rocq: Path | None = None) -> int:
    """Check a certificate in exact rational arithmetic and say in a sentence what it proves.

    Parameters
    ----------
    certificate
        Directory of `lpmech design`: its files must be those that were written together, and state what is proved. Or a
        JSON file, such as certificate.json; docs/certificate-format.md describes both. Or the order of two channels
        (`lpmech compare --certificate`), or the optimum of a linear program (docs/certificate-format.md). Or a file of
        proofs (`lpmech check --proof`, `lpmech verify --proofs`): exit 1 if something in it relies on what has no
        object.
    rocq
        File for the same as a theorem in Rocq, which `coqc` compiles by itself; of certificates.
    """
    if rocq is not None:
        check_writable(rocq)
    code = _certified(certificate)
    if rocq is not None:
        from lpmech.certify.certificate import read_certificate
        from lpmech.certify.rocq import theorem_of

        file = certificate / "certificate.json" if certificate.is_dir() else certificate
        write(rocq, theorem_of(read_certificate(file)))
    return code


def _certified(certificate: Path) -> int:
    """Check it and say what it proves."""
    if certificate.is_dir():
        from lpmech.cli.release import say
        from lpmech.release.design_files import certify_directory

        say(str(certify_directory(certificate)))
        return OK
    if not os.path.isfile(certificate):  # a name that no file can have is none, too
        raise DataFileError("certificate", str(certificate), "a directory of a design, or a regular file")
    if _has_proofs(certificate):
        return _certify_proofs(certificate)
    print(visible(str(checked(certificate, _proof)[1])))
    return OK


def _proof(data: dict[str, Any]) -> object:
    """What the checker of its format makes of it."""
    if data.get("format") == _ORDER:
        from lpmech.certify.order_checker import check_order

        return check_order(data)
    if data.get("format") == _PROGRAM:
        from lpmech.certify.program_checker import check_program

        return check_program(data)
    if data.get("format") == _SUBLINEAR:
        from lpmech.certify.sublinear_checker import check_sublinear

        return check_sublinear(data)
    return checker.check(data)


def _has_proofs(file: Path) -> bool:
    """Whether a file says that it is one of proofs."""
    try:
        with open(file, "rb") as opened:
            return _PROOFS in opened.read(200)
    except OSError:
        return False


def _certify_proofs(file: Path) -> int:
    from lpmech.certify.proofs import RefusedProofError, files

    try:
        found = files.check_file(files.read_proofs(file))
    except RefusedProofError as exc:
        raise CertificateError(f"{checker.shown(str(file))}: {exc}") from exc
    print(visible(str(found)))
    return OK if found.complete else ASTRAY
