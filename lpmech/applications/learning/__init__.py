"""The label-private pipelines of the papers."""
