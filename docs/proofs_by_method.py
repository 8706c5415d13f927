"""Writes the table of `lpmech verify --proofs` into the page on proof objects (`make objects`)."""

import sys
from pathlib import Path

PAGE = Path(__file__).parent / "explanation" / "proof-objects.md"
BEGIN, END = "<!-- made by `make objects` -->\n", "<!-- end -->\n"


def main(table: str) -> None:
    """Put the table of a file between the marks of the page."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{Path(table).read_text('utf-8')}{END}{after}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
