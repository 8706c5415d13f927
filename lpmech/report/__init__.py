"""What the commands print: tables of designs, experiments and verdicts, and the words for their names."""
