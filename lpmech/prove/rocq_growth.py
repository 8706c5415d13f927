"""Inequalities of exponentials, logarithms and powers in Rocq, each from 1 + x <= exp(x)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lpmech.certify.proofs.reading import ONE, ZERO, Parsed

__all__ = ["growth"]

#: {x} is the argument or the base, {m} the exponent; {0} and {1} say what is demanded.
_EXP = "apply Rle_ge, exp_ineq1_le."
_EXP_ABOVE = (
    "apply Rle_trans with (exp {x} * exp (- {x})); [apply Rmult_le_compat_l; [left; apply exp_pos | pose proof"
    " (exp_ineq1_le (- {x})); lra] | rewrite exp_Ropp, Rinv_r; [lra | apply Rgt_not_eq, exp_pos]]."
)
_EXP_CUBIC = (  # a partial sum of a series whose terms are not negative
    "apply Rle_ge, Rle_trans with (E1 {x} 3); [unfold E1; simpl; lra | apply growing_ineq; [intros ?; unfold E1;"
    " rewrite tech5; rewrite <- Rplus_0_r at 1; apply Rplus_le_compat_l, Rmult_le_pos; [left; apply Rinv_0_lt_compat,"
    " INR_fact_lt_0 | apply pow_le, Rge_le; exact {0}] | apply E1_cvg]]."
)
_LOG = (
    "pose proof (exp_ineq1_le (- ln {x})) as E; rewrite exp_Ropp, exp_ln in E by exact {0}; apply (Rmult_le_compat_l"
    " {x}) in E; [rewrite Rinv_r in E by (apply Rgt_not_eq; exact {0}); lra | left; exact {0}]."
)
_LOG_ABOVE = "pose proof (exp_ineq1_le (ln {x})) as E; rewrite exp_ln in E by exact {0}; lra."
_BERNOULLI = (  # x^m = x e^((m - 1) ln x), and x e^(-ln x) = 1
    "assert (P : exp ({m} * ln {x}) = {x} * exp (({m} - 1) * ln {x})) by (rewrite <- (exp_ln {x} {0}) at 2; rewrite <-"
    " exp_plus; f_equal; ring); unfold Rpower; rewrite P; pose proof (Rmult_le_compat_l {x} _ _ (Rlt_le _ _ {0})"
    " (exp_ineq1_le (({m} - 1) * ln {x}))); pose proof (Rmult_le_compat_l {x} _ _ (Rlt_le _ _ {0}) (exp_ineq1_le (- ln"
    " {x}))) as F; rewrite exp_Ropp, exp_ln, Rinv_r in F by (first [exact {0} | apply Rgt_not_eq; exact {0}]); apply"
    " (Rmult_le_compat_l ({m} - 1)) in F; lra."
)
_POWER = "rewrite <- (Rpower_O {x}) by lra; apply Rle_ge, Rle_Rpower; apply Rge_le; [exact {0} | exact {1}]."


def growth(law: Parsed) -> tuple[str, Mapping[str, Parsed], Sequence[Parsed]] | None:
    """How an inequality is shown, of which terms, and what that demands; None for one that has no such proof.

    Parameters
    ----------
    law : Parsed
        One of `lpmech.certify.proofs.laws.inequalities`.
    """
    match law:
        case (">=", ("exp", x), ("+", one, y)) if (one, y) == (ONE, x):
            return _EXP, {"x": x}, ()
        case (">=", ("exp", x), _):
            return _EXP_CUBIC, {"x": x}, [(">=", x, ZERO)]
        case ("<=", ("*", ("exp", x), _), _):
            return _EXP_ABOVE, {"x": x}, ()
        case (">=", ("*", _, ("log", x)), _):
            return _LOG, {"x": x}, [(">", x, ZERO)]
        case ("<=", ("log", x), _):
            return _LOG_ABOVE, {"x": x}, [(">", x, ZERO)]
        case (">=", ("**", x, exponent), one) if one == ONE:
            return _POWER, {"x": x}, [(">=", x, ONE), (">=", exponent, ZERO)]
        case (">=", ("**", x, exponent), _):
            return _BERNOULLI, {"x": x, "m": exponent}, [(">", x, ZERO), (">=", exponent, ONE)]
    return None
