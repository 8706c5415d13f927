"""Pages to read in a browser: one file each, without any network access; see `lpmech.pages.rendering`."""
