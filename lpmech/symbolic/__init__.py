"""Derivations with sympy that start from the defining equations and end in the closed form."""
