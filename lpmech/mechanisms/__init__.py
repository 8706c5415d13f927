"""The published closed forms, each a function that returns a Channel (or a continuous mechanism)."""
