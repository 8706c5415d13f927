"""Closed forms of the library that a text calls by name: ``variance(oue) <= variance(rr)``."""

from __future__ import annotations

import re

from lpmech.errors import FormulaError

__all__ = ["spelled_out"]

#: What has a name beside a mechanism's; `lpmech.mechanisms.formulas` is loaded where one of them is called.
_CALL = re.compile(r"\b(hit_rate|variance|absolute|squared|near|level|high|low)\(\s*([A-Za-z_]\w*)\s*\)")


def spelled_out(text: str, argument: str = "conjecture") -> str:
    """A text with closed forms in place of their names.

    Raises
    ------
    FormulaError
        If there is no such closed form: ``variance(xyz)``.
    """

    def formula(found: re.Match[str]) -> str:
        from lpmech.mechanisms.formulas import FORMULAS

        name = f"{found[1]}({found[2]})"
        if name not in FORMULAS:
            raise FormulaError(argument, found[0], f"one of {', '.join(FORMULAS)}")
        return f"({FORMULAS[name].value})"

    return _CALL.sub(formula, text)
