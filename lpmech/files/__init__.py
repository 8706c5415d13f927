"""Files: opened with typed errors, written whole or not at all, read as rows of CSV."""
