"""Pages to read in a browser: one file each, without any network access; see `lpmech.pages.rendering`."""

from lpmech.extras import needs

with needs("pages"):  # for all of this room
    import jinja2  # noqa: F401
    import markupsafe  # noqa: F401
