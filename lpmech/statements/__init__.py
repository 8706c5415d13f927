"""What is stated and decided: parameters with domains, functions that are followed, properties of matrices, verdicts.

`claims`, `conjectures` and `testing` are faces of it, side by side.
"""
