"""Releasing labels: the record of a channel that may be used, private counts, the file, its ledger, and estimates."""
