"""Building the site: pages that are made, mathematics without a script, and checks that a page is whole.

`mkdocs build --strict` makes an error of every warning that is logged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from logging import getLogger
from pathlib import Path
from typing import Any

from made_pages import MECHANISMS, PAPERS, pages, pictures
from mathematics import Indices
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from lpmech.errors import NotationError
from lpmech.pages.mathematics import displayed, mathml_of

_LOG = getLogger("mkdocs.plugins.lpmech")
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</(?:span|div)>', re.DOTALL)
_SHIM = '<script src="https://unpkg.com/iframe-worker/shim"></script>'
_WORKER = (Path(__file__).parent / "worker.js").read_text("utf-8")
_FROM_ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["']?(https?:)?//[^>]*>""")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Names the made pages in the navigation, and reads indices as such."""
    config.markdown_extensions.append(Indices())
    sections = dict(_sections(config.nav))
    sections["Papers"][:0] = PAPERS
    sections["Mechanisms"][:0] = MECHANISMS
    return config


def _sections(nav: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """The lists of the navigation by their titles."""
    for entry in nav:
        for title, below in entry.items():
            if isinstance(below, list):
                yield title, below
                yield from _sections(below)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Adds the made pages and pictures."""
    for place, content in (pages() | pictures()).items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """Sets formulas, and looks for links within the page that lead nowhere."""
    html = _FORMULA.sub(_set, html)
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    for target in sorted(set(re.findall(r'href="#([^"]+)"', html)) - ids):
        _LOG.warning("%s: no #%s on this page", page.file.src_uri, unescape(target))
    return html


def _set(found: re.Match[str]) -> str:
    latex = unescape(found[2])
    try:
        return f'<div class="displayed">{displayed(latex)}</div>' if found[1] == "div" else mathml_of(latex)
    except NotationError as exc:
        _LOG.warning("cannot set %s", exc)
        return found[0]


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Nothing on a page is loaded from elsewhere; what Material would load for search without a server is in docs/."""
    output = output.replace(_SHIM, f"<script>{_WORKER}</script>")
    for found in _FROM_ELSEWHERE.finditer(output):
        _LOG.warning("%s: loads %s", page.file.src_uri, found[0])
    return output
