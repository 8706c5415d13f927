(** Zhao et al.: label differential privacy by vector approximation (2025), section 4.1. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels.
Open Scope R_scope.

(** prod n f = f 0 ... f (n-1). *)
Fixpoint prod (n : nat) (f : nat -> R) : R :=
  match n with O => 1 | S m => prod m f * f m end.

(** Equations (12) and (13): P(Z(l) = z | Y = j). *)
Definition P_element (epsilon : R) (j l : nat) (z : bool) : R :=
  if Bool.eqb z (Nat.eqb l j) then exp (epsilon / 2) / (1 + exp (epsilon / 2)) else 1 / (1 + exp (epsilon / 2)).

(** "Conditional on Y, Z(j) are independent for different j": P(Z = z | Y = j) of a vector z of K bits. *)
Definition P_vector (K : nat) (epsilon : R) (j : nat) (z : nat -> bool) : R :=
  prod K (fun l => P_element epsilon j l (z l)).

(** The sum of f over the 2^K vectors of K bits. *)
Definition put (n : nat) (b : bool) (z : nat -> bool) : nat -> bool := fun l => if Nat.eqb l n then b else z l.
Fixpoint sum_vectors (K : nat) (f : (nat -> bool) -> R) : R :=
  match K with
  | O => f (fun _ => false)
  | S n => sum_vectors n (fun z => f (put n false z) + f (put n true z))
  end.

(** P(M(Y) in A | Y = j) for a set A of vectors. *)
Definition P_set (K : nat) (epsilon : R) (j : nat) (A : (nat -> bool) -> bool) : R :=
  sum_vectors K (fun z => if A z then P_vector K epsilon j z else 0).

Lemma prod_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> prod n f = prod n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [reflexivity|].
  rewrite IH, H by (intros; try apply H; lia); reflexivity.
Qed.

Lemma prod_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= prod n f.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rmult_le_pos; [apply IH; intros; apply H|apply H]; lia.
Qed.

Lemma prod_le n f g : (forall i, (i < n)%nat -> 0 <= f i <= g i) -> prod n f <= prod n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rmult_le_compat.
  - apply prod_nonneg; intros; apply H; lia.
  - apply H; lia.
  - apply IH; intros; apply H; lia.
  - apply H; lia.
Qed.

Lemma prod_mult n f g : prod n (fun i => f i * g i) = prod n f * prod n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma prod_one_factor n j a : prod n (fun l => if Nat.eqb l j then a else 1) = if Nat.ltb j n then a else 1.
Proof.
  induction n as [|n IH]; cbn [prod]; [reflexivity|]; rewrite IH.
  destruct (Nat.ltb_spec j n), (Nat.ltb_spec j (S n)), (Nat.eqb_spec n j); try lia; ring.
Qed.

Lemma sum_vectors_ext K f g : (forall z, f z = g z) -> sum_vectors K f = sum_vectors K g.
Proof.
  revert f g; induction K as [|K IH]; simpl; intros f g H; [apply H|].
  apply IH; intros z; rewrite !H; reflexivity.
Qed.

Lemma sum_vectors_le K f g : (forall z, f z <= g z) -> sum_vectors K f <= sum_vectors K g.
Proof.
  revert f g; induction K as [|K IH]; simpl; intros f g H; [apply H|].
  apply IH; intros z; apply Rplus_le_compat; apply H.
Qed.

Lemma sum_vectors_scale K c f : sum_vectors K (fun z => c * f z) = c * sum_vectors K f.
Proof.
  revert f; induction K as [|K IH]; simpl; intros f; [reflexivity|].
  rewrite <- IH; apply sum_vectors_ext; intros; ring.
Qed.

Lemma element_positive epsilon j l z : 0 < P_element epsilon j l z.
Proof.
  pose proof (exp_pos (epsilon / 2)); unfold P_element.
  destruct (Bool.eqb z (Nat.eqb l j)); apply Rdiv_lt_0_compat; lra.
Qed.

(** (12) and (13) add up to one, and so do the probabilities of all vectors. *)
Theorem zhao2025_equations_12_13 K epsilon j : P_set K epsilon j (fun _ => true) = 1.
Proof.
  unfold P_set; induction K as [|K IH]; cbn [sum_vectors]; [reflexivity|].
  rewrite <- IH; apply sum_vectors_ext; intros z; unfold P_vector; cbn [prod]; unfold put at 2 4.
  rewrite Nat.eqb_refl, !(prod_ext K (fun l => P_element epsilon j l (put K _ z l)) (fun l => P_element epsilon j l (z
    l))).
  - pose proof (exp_pos (epsilon / 2)); unfold P_element at 2 4; destruct (Nat.eqb K j); simpl; field; lra.
  - intros i Hi; unfold put; destruct (Nat.eqb_spec i K); [lia|reflexivity].
  - intros i Hi; unfold put; destruct (Nat.eqb_spec i K); [lia|reflexivity].
Qed.

(** Equation (14): "P(Z = z | Y = j) / P(Z = z | Y = j') <= (e^(epsilon/2))^2 = e^epsilon". *)
Theorem zhao2025_equation_14 K epsilon j j' z :
  0 <= epsilon -> P_vector K epsilon j z <= exp epsilon * P_vector K epsilon j' z.
Proof.
  intros H; assert (A : 1 <= exp (epsilon / 2)) by (apply exp_ge_1; lra); set (a := exp (epsilon / 2)) in *.
  assert (E : exp epsilon = a * a) by (unfold a; rewrite <- exp_plus; f_equal; field).
  assert (N : 0 <= P_vector K epsilon j' z) by (apply prod_nonneg; intros; left; apply element_positive).
  assert (A2 : a <= a * a) by nra.
  destruct (Nat.eq_dec j j') as [->|D]; [rewrite E, <- (Rmult_1_l (P_vector _ _ _ _)) at 1; apply Rmult_le_compat_r;
    lra|].
  apply Rle_trans with (prod K (fun l => ((if Nat.eqb l j then a else 1) * (if Nat.eqb l j' then a else 1)) *
    P_element epsilon j' l (z l))).
  - apply prod_le; intros l Hl; split; [left; apply element_positive|].
    assert (P : 0 < / (1 + a)) by (apply Rinv_0_lt_compat; lra).
    unfold P_element; fold a; unfold Rdiv; set (i := / (1 + a)) in *.
    assert (i <= a * i) by nra; assert (a * i <= a * (a * i)) by nra.
    destruct (Nat.eqb_spec l j), (Nat.eqb_spec l j'), (z l); try lia; simpl; nra.
  - rewrite prod_mult; fold (P_vector K epsilon j' z); apply Rmult_le_compat_r; [exact N|].
    rewrite prod_mult, !prod_one_factor, E; destruct (Nat.ltb j K), (Nat.ltb j' K); nra.
Qed.

(** Theorem 1. "The privacy mechanism (12), (13) is epsilon-label LDP." Definition 3: P(M(Y) in S | Y = y) <=
    e^epsilon P(M(Y) in S | Y = y') for any y, y' and any S.
    [claim zhao2025: Theorem 1] *)
Theorem zhao2025_theorem_1 K epsilon j j' (A : (nat -> bool) -> bool) :
  0 <= epsilon -> P_set K epsilon j A <= exp epsilon * P_set K epsilon j' A.
Proof.
  intros H; unfold P_set; rewrite <- sum_vectors_scale; apply sum_vectors_le; intros z.
  destruct (A z); [apply zhao2025_equation_14, H|lra].
Qed.

(** The level is attained for K >= 2: the vector with one in place j only.
    [claim zhao2025: Theorem 1 (attained)] *)
Theorem zhao2025_theorem_1_attained K epsilon j j' : (j < K)%nat -> (j' < K)%nat -> j <> j' ->
  let z := fun l => Nat.eqb l j in P_vector K epsilon j z = exp epsilon * P_vector K epsilon j' z.
Proof.
  intros Hj Hj' D z; set (a := exp (epsilon / 2)); assert (A : 0 < a) by apply exp_pos.
  assert (E : exp epsilon = a * a) by (unfold a; rewrite <- exp_plus; f_equal; field).
  transitivity (prod K (fun l => ((if Nat.eqb l j then a else 1) * (if Nat.eqb l j' then a else 1)) *
    P_element epsilon j' l (z l))).
  - apply prod_ext; intros l Hl; unfold P_element, z; fold a.
    destruct (Nat.eqb_spec l j), (Nat.eqb_spec l j'); try lia; simpl; field; lra.
  - rewrite prod_mult; fold (P_vector K epsilon j' z); rewrite prod_mult, !prod_one_factor, E.
    destruct (Nat.ltb_spec j K), (Nat.ltb_spec j' K); try lia; ring.
Qed.
