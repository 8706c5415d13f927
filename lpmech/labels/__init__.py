"""Labels as people have them: counts, files, columns, one label for all its spellings, utilities by name."""
