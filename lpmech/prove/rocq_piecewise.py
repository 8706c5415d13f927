"""Theorems about maxima, minima and absolute values, which Rocq shows by going through their cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lpmech.certify.proofs.reading import RELATIONS, Parsed

__all__ = ["BY_CASES", "BY_PIECES", "has_pieces"]

#: Pieces are chosen from within, where it is known which, else in both cases; then the relations are decided.
BY_PIECES = """intros; repeat match goal with H : _ /\\ _ |- _ => destruct H end;
  repeat match goal with
    | H : context [Rmax _ _] |- _ => revert H
    | H : context [Rmin _ _] |- _ => revert H
    | H : context [Rabs _] |- _ => revert H end.
repeat match goal with
  | |- context [Rmax ?a ?b] =>
      lazymatch constr:((a, b)) with
      | context [Rmax] => fail | context [Rmin] => fail | context [Rabs] => fail | _ => idtac end;
      first [rewrite (Rmax_left a b) by lra | rewrite (Rmax_right a b) by lra | destruct (Rle_dec a b)]
  | |- context [Rmin ?a ?b] =>
      lazymatch constr:((a, b)) with
      | context [Rmax] => fail | context [Rmin] => fail | context [Rabs] => fail | _ => idtac end;
      first [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra | destruct (Rle_dec a b)]
  | |- context [Rabs ?a] =>
      lazymatch a with
      | context [Rmax] => fail | context [Rmin] => fail | context [Rabs] => fail | _ => idtac end;
      first [rewrite (Rabs_right a) by lra | rewrite (Rabs_left1 a) by lra | destruct (Rle_dec 0 a)]
  end.
all: intros; try lra.
all: let rec decided := first [lra | tauto | match goal with
  | |- context [?a <= ?b] => lazymatch goal with H : a <= b |- _ => fail | H : ~ a <= b |- _ => fail | _ => idtac end;
      destruct (Rle_dec a b)
  | |- context [?a >= ?b] => lazymatch goal with H : a >= b |- _ => fail | H : ~ a >= b |- _ => fail | _ => idtac end;
      destruct (Rge_dec a b)
  | |- context [?a < ?b] => lazymatch goal with H : a < b |- _ => fail | H : ~ a < b |- _ => fail | _ => idtac end;
      destruct (Rlt_dec a b)
  | |- context [?a > ?b] => lazymatch goal with H : a > b |- _ => fail | H : ~ a > b |- _ => fail | _ => idtac end;
      destruct (Rgt_dec a b)
  | |- context [?a = ?b] => lazymatch goal with H : a = b |- _ => fail | H : a <> b |- _ => fail | _ => idtac end;
      destruct (Req_dec a b)
  end; decided | repeat match goal with |- _ /\\ _ => split end; try lra; first [nra | field; lra]] in decided."""

#: What a case distinction is.
BY_CASES = "(repeat match goal with |- context [if ?c then _ else _] => destruct c end; first [lra | same])"

_PIECES = ("Max", "Min", "Abs")
#: More are too many cases.
_MOST = 24


def has_pieces(conditions: Sequence[Parsed]) -> bool:
    """Whether a theorem of these hypotheses and this conclusion is shown so.

    It has maxima, minima or absolute values, and besides sums and multiples only; where one stands within another, or
    one absolute value is in an alternative, products and quotients, too.
    """
    pieces = {part for condition in conditions for part in _pieces(condition)}
    products = any(next(_inner(piece), None) for piece in pieces) or (
        [piece[0] for piece in pieces] == ["Abs"] and conditions[-1][0] == "or"
    )
    return 0 < len(pieces) <= _MOST and all(_plain(condition, products) for condition in conditions)


def _pieces(tree: Any) -> Any:
    if isinstance(tree, tuple):
        if tree[0] in _PIECES:
            yield tree
        for part in tree[1:]:
            yield from _pieces(part)


def _inner(piece: Parsed) -> Any:
    for part in piece[1:]:
        yield from _pieces(part)


def _plain(tree: Parsed, products: bool) -> bool:
    match tree:
        case ("number", _) | ("name", _) | ("true",) | ("false",):
            return True
        case ("*", left, right):
            return (products or "number" in (left[0], right[0])) and _plain(left, products) and _plain(right, products)
        case ("/", left, right):
            return (products or right[0] == "number") and _plain(left, products) and _plain(right, products)
        case (sign, *parts):
            known = sign in ("and", "or", "+", "-", *_PIECES, *RELATIONS)
            return known and all(_plain(part, products) for part in parts)
    return False
