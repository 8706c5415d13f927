"""Inequalities of exponentials, logarithms and powers in Rocq, each from 1 + x <= exp(x)."""

from __future__ import annotations

from collections.abc import Sequence

from lpmech.certify.proofs.reading import ONE, ZERO, Parsed

__all__ = ["growth"]

#: {x} is the argument or the base; {0} and {1} say what is demanded.
_EXP = "apply Rle_ge, exp_ineq1_le."
_EXP_ABOVE = (
    "apply Rle_trans with (exp {x} * exp (- {x})); [apply Rmult_le_compat_l; [left; apply exp_pos | pose proof"
    " (exp_ineq1_le (- {x})); lra] | rewrite exp_Ropp, Rinv_r; [lra | apply Rgt_not_eq, exp_pos]]."
)
_LOG = (
    "pose proof (exp_ineq1_le (- ln {x})) as E; rewrite exp_Ropp, exp_ln in E by exact {0}; apply (Rmult_le_compat_l"
    " {x}) in E; [rewrite Rinv_r in E by (apply Rgt_not_eq; exact {0}); lra | left; exact {0}]."
)
_LOG_ABOVE = "pose proof (exp_ineq1_le (ln {x})) as E; rewrite exp_ln in E by exact {0}; lra."
_POWER = "rewrite <- (Rpower_O {x}) by lra; apply Rle_ge, Rle_Rpower; apply Rge_le; [exact {0} | exact {1}]."


def growth(law: Parsed) -> tuple[str, Parsed, Sequence[Parsed]] | None:
    """How an inequality is shown, what of, and what that demands; None for one that has no such proof.

    Parameters
    ----------
    law : Parsed
        One of `lpmech.certify.proofs.laws.inequalities`.
    """
    match law:
        case (">=", ("exp", x), ("+", one, y)) if (one, y) == (ONE, x):
            return _EXP, x, ()
        case ("<=", ("*", ("exp", x), _), _):
            return _EXP_ABOVE, x, ()
        case (">=", ("*", _, ("log", x)), _):
            return _LOG, x, [(">", x, ZERO)]
        case ("<=", ("log", x), _):
            return _LOG_ABOVE, x, [(">", x, ZERO)]
        case (">=", ("**", x, exponent), one) if one == ONE:
            return _POWER, x, [(">=", x, ONE), (">=", exponent, ZERO)]
    return None
