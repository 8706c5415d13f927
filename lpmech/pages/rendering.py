"""Pages from templates: style, script and mathematics are written into the file, so that it needs nothing else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from lpmech import __version__
from lpmech.pages.mathematics import html_of

__all__ = ["page"]

#: The room of the templates, stylesheets and scripts.
_ROOM = "lpmech.pages"


def page(template: str, **context: Any) -> str:
    """A whole HTML file from a template of this room, most of which extend ``base.html``.

    What is put in is escaped. A template has, besides its context, `version` (of lpmech); the filter ``mathematics``
    for texts with formulas (`lpmech.pages.mathematics.html_of`); and ``inlined("file")``, a stylesheet or script of
    this room as it is.

    Parameters
    ----------
    template : str
        Name of the file, such as ``"report.html"``.
    **context
        What the template shows; a name that it lacks is an error.
    """
    return _environment().get_template(template).render(version=__version__, **context)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(_ROOM, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["mathematics"] = html_of
    made.globals["inlined"] = _inlined
    return made


@cache
def _inlined(name: str) -> Markup:
    return Markup(files(_ROOM).joinpath(name).read_text(encoding="utf-8"))
