"""Channels of 10^5 labels and more, described instead of tabulated."""
