(** Randomized response, for every number K of labels. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels Duality.
Open Scope R_scope.

(** Ghazi et al. 2021, equation (1): "Pr[released = j] = e^epsilon / (e^epsilon + K - 1) for j = y,
    1 / (e^epsilon + K - 1) otherwise". *)
Definition RR (K : nat) (t : R) : nat -> nat -> R :=
  fun y j => if Nat.eqb j y then t / (t + INR K - 1) else 1 / (t + INR K - 1).

Definition uniform (K : nat) : nat -> R := fun _ => 1 / INR K.

Lemma size K : (1 <= K)%nat -> 1 <= INR K.
Proof. intros H; apply (le_INR 1 K) in H; exact H. Qed.

(** [claim ghazi2021: eq. (1)] *)
Theorem ghazi2021_equation_1 K epsilon :
  0 <= epsilon -> (1 <= K)%nat -> channel K K (RR K (exp epsilon)) /\ dp K K epsilon (RR K (exp epsilon)).
Proof.
  intros H HK; apply exp_ge_1 in H; apply size in HK; set (t := exp epsilon) in *.
  assert (P : 0 < 1 / (t + INR K - 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (E : t / (t + INR K - 1) = t * (1 / (t + INR K - 1))) by (field; lra).
  split; [split|].
  - intros y j Hy Hj; unfold RR; rewrite E; destruct (Nat.eqb j y); nra.
  - intros y Hy; rewrite (sum_ext K _ (fun j => 1 / (t + INR K - 1) +
      (if Nat.eqb j y then (t - 1) / (t + INR K - 1) else 0))).
    + rewrite sum_plus, sum_const, sum_pick by exact Hy; field; lra.
    + intros j Hj; unfold RR; destruct (Nat.eqb j y); field; lra.
  - apply dp_iff_private; intros y y' j Hy Hy' Hj; fold t; unfold RR; rewrite E.
    set (c := 1 / (t + INR K - 1)) in *; assert (c <= t * c) by nra.
    destruct (Nat.eqb j y), (Nat.eqb j y'); nra.
Qed.

(** The level is exactly epsilon: with two labels or more no smaller one will do.
    [claim ghazi2021: eq. (1)] *)
Theorem randomized_response_level_is_tight K t t' :
  1 <= t -> (2 <= K)%nat -> private K K t' (RR K t) -> t <= t'.
Proof.
  intros T H P; specialize (P 0%nat 1%nat 0%nat ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (1 <= INR K) by (apply size; lia); unfold RR in P; simpl in P.
  apply Rmult_le_compat_r with (r := t + INR K - 1) in P; [|lra].
  replace (t / (t + INR K - 1) * (t + INR K - 1)) with t in P by (field; lra).
  replace (t' * (1 / (t + INR K - 1)) * (t + INR K - 1)) with t' in P by (field; lra); exact P.
Qed.

Theorem randomized_response_hit_rate K t :
  1 <= t -> (1 <= K)%nat -> hit K (uniform K) (RR K t) = t / (t + INR K - 1).
Proof.
  intros T H; apply size in H; unfold hit, uniform, RR.
  rewrite (sum_ext K _ (fun _ => 1 / INR K * (t / (t + INR K - 1)))).
  - rewrite sum_const; field; lra.
  - intros y Hy; rewrite Nat.eqb_refl; reflexivity.
Qed.

(** No private channel has a larger hit rate for the uniform prior; equal duals prove it. *)
Theorem randomized_response_is_optimal K epsilon R :
  0 <= epsilon -> (1 <= K)%nat -> channel K K R -> dp K K epsilon R ->
  hit K (uniform K) R <= hit K (uniform K) (RR K (exp epsilon)).
Proof.
  intros H HK C D; apply exp_ge_1 in H; apply dp_iff_private in D; set (t := exp epsilon) in *.
  rewrite randomized_response_hit_rate by assumption; apply size in HK.
  pose (pi := t / (INR K * (t + INR K - 1))).
  pose (u := fun y j : nat => if Nat.eqb j y then 1 / INR K else 0).
  assert (E : hit K (uniform K) R = value K K u R).
  { apply sum_ext; intros y Hy; unfold u, uniform; rewrite <- (sum_pick K y (fun j => 1 / INR K * R y j) Hy).
    apply sum_ext; intros j Hj; destruct (Nat.eqb j y); ring. }
  assert (V : t / (t + INR K - 1) = sum K (fun _ => pi)) by (rewrite sum_const; unfold pi; field; lra).
  rewrite E, V; apply weak_duality with (t := t); auto; intros j Hj.
  assert (P : 0 <= pi <= 1 / INR K).
  { assert (INV : 0 < / (INR K * (t + INR K - 1))) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    replace (1 / INR K) with ((t + INR K - 1) * / (INR K * (t + INR K - 1))) by (field; lra).
    unfold pi, Rdiv; split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_r; lra]. }
  rewrite (sum_ext K _ (fun y => (if Nat.eqb y j then 1 / INR K else 0) - pi)).
  - rewrite (sum_ext K (fun y => Rmax _ _) (fun y => if Nat.eqb y j then 1 / INR K - pi else 0)).
    + rewrite sum_minus, sum_const, (sum_pick K j (fun _ => 1 / INR K) Hj), (sum_pick K j (fun _ => 1 / INR K - pi) Hj).
      right; unfold pi; field; lra.
    + intros y Hy; unfold u; rewrite Nat.eqb_sym; destruct (Nat.eqb y j); unfold Rmax;
        destruct (Rle_dec _ 0); lra.
  - intros y Hy; unfold u; rewrite Nat.eqb_sym; reflexivity.
Qed.
