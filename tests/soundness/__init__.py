"""Statements whose truth is known by construction, and the engine's verdicts on them: `python -m soundness --help`.

A statement is true or false because of how it was made, never because a prover said so: true ones are rewritten
identities, false ones carry a witness. `soundness.evaluate` checks both with its own arithmetic.
"""
