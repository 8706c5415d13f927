(** What the theorems use that are made from proof objects: `lpmech verify --rocq`, `lpmech check --rocq`. *)

From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.

(** A relation of quotients, and the polynomial that it compares with zero. *)
Lemma by_lt a b n d : 0 < d -> b - a = n / d -> 0 < n -> a < b.
Proof. intros D E N; assert (0 < n / d) by (apply Rdiv_lt_0_compat; assumption); lra. Qed.
Lemma by_le a b n d : 0 < d -> b - a = n / d -> 0 <= n -> a <= b.
Proof. intros D E N; assert (0 <= n / d) by (apply Rle_mult_inv_pos; assumption); lra. Qed.
Lemma by_eq a b n d : 0 < d -> b - a = n / d -> n = 0 -> b = a.
Proof. intros D E ->; unfold Rdiv in E; lra. Qed.
Lemma by_ne a b n d : 0 < d -> b - a = n / d -> n <> 0 -> b <> a.
Proof. intros D E N F; apply N; replace n with (n / d * d) by (field; lra); rewrite <- E, F; ring. Qed.
Lemma of_lt a b n d : 0 < d -> b - a = n / d -> a < b -> 0 < n.
Proof. intros D E N; replace n with (n / d * d) by (field; lra); rewrite <- E; apply Rmult_lt_0_compat; lra. Qed.
Lemma of_le a b n d : 0 < d -> b - a = n / d -> a <= b -> 0 <= n.
Proof. intros D E N; replace n with (n / d * d) by (field; lra); rewrite <- E; apply Rmult_le_pos; lra. Qed.
Lemma of_eq a b n d : 0 < d -> b - a = n / d -> b = a -> n = 0.
Proof. intros D E N; replace n with (n / d * d) by (field; lra); rewrite <- E, N; ring. Qed.
Lemma of_ne a b n d : 0 < d -> b - a = n / d -> b <> a -> n <> 0.
Proof. intros D E N F; apply N; rewrite F in E; unfold Rdiv in E; lra. Qed.

Lemma square_positive x : x <> 0 -> 0 < x * x.
Proof. intros N; destruct (Rtotal_order x 0) as [L|[L|L]]; [nra|contradiction|nra]. Qed.

(** In other words: up to a factor that is a number. *)
Ltac words := solve [assumption | lra
  | match goal with H : ?x <> 0 |- ?y <> 0 => intro; apply H; lra end
  | match goal with |- ?y <> 0 => intro; lra end | nra].
Ltac never_zero := repeat split; solve [words
  | repeat (apply Rmult_integral_contrapositive_currified); words].
Ltac same := field; never_zero.
Ltac factors := first [assumption | left; assumption | match goal with
  | |- 0 <= ?a * ?a => apply Rle_0_sqr
  | |- 0 < ?a * ?a => apply square_positive; never_zero
  | |- 0 <= _ * _ => apply Rmult_le_pos; factors
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; factors end | words].
