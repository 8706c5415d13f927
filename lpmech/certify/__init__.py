"""Certificates of optima and their independent checker."""

from lpmech.certify.certificate import Certificate, certificate_of, read_certificate

__all__ = ["Certificate", "certificate_of", "read_certificate"]
