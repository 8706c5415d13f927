"""The command about certificates: `certify`."""

from __future__ import annotations

import os
from pathlib import Path

from lpmech.certify import checker
from lpmech.cli.common import OK, check_writable, write
from lpmech.errors import CertificateError, DataFileError, visible

__all__ = ["certify"]


def certify(certificate: Path, *, rocq: Path | None = None) -> int:
    """Check a certificate in exact rational arithmetic and say in a sentence what it proves.

    Parameters
    ----------
    certificate
        Directory of `lpmech design`: its files must be those that were written together, and state what is proved. Or a
        JSON file, such as certificate.json; docs/certificate-format.md describes both.
    rocq
        File for the same as a theorem in Rocq, which `coqc` compiles by itself.
    """
    if rocq is not None:
        check_writable(rocq)
    checked = _checked(certificate)
    if rocq is not None:
        from lpmech.certify.certificate import read_certificate
        from lpmech.certify.rocq import theorem_of

        file = certificate / "certificate.json" if certificate.is_dir() else certificate
        write(rocq, theorem_of(read_certificate(file)))
    return checked


def _checked(certificate: Path) -> int:
    """Check it and say what it proves."""
    if certificate.is_dir():
        from lpmech.cli.release import say
        from lpmech.release.design_files import certify_directory

        say(str(certify_directory(certificate)))
        return OK
    if not os.path.isfile(certificate):  # a name that no file can have is none, too
        raise DataFileError("certificate", str(certificate), "a directory of a design, or a regular file")
    try:
        proof = checker.check(checker.read(certificate))
    except checker.RejectedError as exc:
        raise CertificateError(f"{certificate}: {exc}") from exc
    except OSError as exc:
        raise DataFileError("certificate", str(certificate), f"a file that can be read ({exc})") from exc
    print(visible(str(proof)))
    return OK
