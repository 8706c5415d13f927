(** Private channels over finite alphabets, and finite sums.

    A label is a number: [K] = {0, ..., K-1}. A channel q has K rows (true labels y) and J columns (released labels j),
    q y j = Pr[j | y]. The level is t = e^epsilon; what is proved for every t >= 1 holds for every epsilon >= 0. *)

From Coq Require Import Reals Lra Lia Arith Bool.
Open Scope R_scope.

(** sum n f = f 0 + ... + f (n-1). *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.

(** One or zero; |P|, the number of i < n with P i, as a real number; and the sum of f over these i. *)
Definition ind (b : bool) : R := if b then 1 else 0.
Definition card (n : nat) (P : nat -> bool) : R := sum n (fun i => ind (P i)).
Definition sum_over (n : nat) (P : nat -> bool) (f : nat -> R) : R := sum n (fun i => if P i then f i else 0).

(** A matrix of probabilities: nonnegative, every row sums to one. *)
Definition channel (K J : nat) (q : nat -> nat -> R) : Prop :=
  (forall y j, (y < K)%nat -> (j < J)%nat -> 0 <= q y j) /\
  (forall y, (y < K)%nat -> sum J (q y) = 1).

(** Private at t = e^epsilon: no entry is above t times another one of its column. *)
Definition private (K J : nat) (t : R) (q : nat -> nat -> R) : Prop :=
  forall y y' j, (y < K)%nat -> (y' < K)%nat -> (j < J)%nat -> q y j <= t * q y' j.

(** epsilon-DP as papers define it, over sets of outputs: Pr[R(y) in A] <= e^epsilon Pr[R(y') in A]. *)
Definition dp (K J : nat) (epsilon : R) (q : nat -> nat -> R) : Prop :=
  forall y y' (A : nat -> bool), (y < K)%nat -> (y' < K)%nat ->
    sum_over J A (q y) <= exp epsilon * sum_over J A (q y').

(** A distribution on K labels, and Pr[R(y) = y] where y is drawn from p. *)
Definition distribution (K : nat) (p : nat -> R) : Prop :=
  (forall y, (y < K)%nat -> 0 <= p y) /\ sum K p = 1.
Definition hit (K : nat) (p : nat -> R) (q : nat -> nat -> R) : R := sum K (fun y => p y * q y y).

(** The expected utility, with the prior already in the weights u. *)
Definition value (K J : nat) (u q : nat -> nat -> R) : R := sum K (fun y => sum J (fun j => u y j * q y j)).

(** ** Sums *)

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [reflexivity|].
  rewrite IH, H by (intros; try apply H; lia); reflexivity.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply IH; intros; apply H|apply H]; lia.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_scale n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_scale_r n c f : sum n (fun i => f i * c) = sum n f * c.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite S_INR; cbn [sum]; rewrite IH; ring. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H; rewrite (sum_ext n f (fun _ => 0)) by exact H; rewrite sum_const; ring. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros H; rewrite <- (sum_zero n (fun _ => 0)) by reflexivity; apply sum_le, H. Qed.

Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl; [symmetry; apply sum_zero; reflexivity|].
  rewrite IH, <- sum_plus; reflexivity.
Qed.

Lemma sum_pick n a f : (a < n)%nat -> sum n (fun i => if Nat.eqb i a then f i else 0) = f a.
Proof.
  induction n as [|n IH]; [lia|]; intros H; simpl.
  destruct (Nat.eqb_spec n a) as [->|N].
  - rewrite sum_zero; [ring|]; intros i Hi; destruct (Nat.eqb_spec i a); [lia|reflexivity].
  - rewrite IH by lia; ring.
Qed.

Lemma sum_member n a f : (forall i, (i < n)%nat -> 0 <= f i) -> (a < n)%nat -> f a <= sum n f.
Proof.
  intros H Ha; rewrite <- (sum_pick n a f Ha); apply sum_le; intros i Hi.
  destruct (Nat.eqb i a); [lra|apply H, Hi].
Qed.

Lemma sum_app n m f : sum (n + m) f = sum n f + sum m (fun i => f (n + i)%nat).
Proof.
  induction m as [|m IH]; simpl; [rewrite Nat.add_0_r; ring|].
  rewrite Nat.add_succ_r; simpl; rewrite IH; ring.
Qed.

(** The sum over pairs (a, b), numbered a m + b. *)
Lemma sum_pairs n m f : sum (n * m) f = sum n (fun a => sum m (fun b => f (a * m + b)%nat)).
Proof.
  induction n as [|n IH]; simpl; [reflexivity|].
  rewrite Nat.add_comm, sum_app, IH; reflexivity.
Qed.

Lemma ind_values b : 0 <= ind b <= 1.
Proof. destruct b; simpl; lra. Qed.

Lemma card_nonneg n P : 0 <= card n P.
Proof. apply sum_nonneg; intros; apply ind_values. Qed.

Lemma card_member n P a : (a < n)%nat -> P a = true -> 1 <= card n P.
Proof.
  intros Ha Pa; replace 1 with (ind (P a)) by (rewrite Pa; reflexivity).
  apply (sum_member n a (fun i => ind (P i))); [intros; apply ind_values|exact Ha].
Qed.

Lemma card_empty n P : (forall i, (i < n)%nat -> P i = false) -> card n P = 0.
Proof. intros H; apply sum_zero; intros i Hi; rewrite H; [reflexivity|exact Hi]. Qed.

(** A cardinality is a whole number, at most n. *)
Lemma card_whole n P : exists k, (k <= n)%nat /\ card n P = INR k.
Proof.
  induction n as [|n [k [Hk E]]]; [exists O; split; [lia|reflexivity]|].
  unfold card in *; cbn [sum]; destruct (P n); simpl ind.
  - exists (S k); rewrite S_INR, E; split; [lia|reflexivity].
  - exists k; rewrite E; split; [lia|ring].
Qed.

Lemma sum_over_ext n P f g :
  (forall i, (i < n)%nat -> P i = true -> f i = g i) -> sum_over n P f = sum_over n P g.
Proof.
  intros H; apply sum_ext; intros i Hi; destruct (P i) eqn:E; [apply H; assumption|reflexivity].
Qed.

Lemma sum_over_const n P c : sum_over n P (fun _ => c) = c * card n P.
Proof.
  unfold sum_over, card; rewrite <- sum_scale; apply sum_ext; intros; destruct (P i); simpl; ring.
Qed.

Lemma sum_over_nonneg n P f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_over n P f.
Proof. intros H; apply sum_nonneg; intros i Hi; destruct (P i); [apply H, Hi|lra]. Qed.

Lemma minimum n f : (0 < n)%nat -> exists a, (a < n)%nat /\ forall i, (i < n)%nat -> f a <= f i.
Proof.
  induction n as [|n IH]; [lia|]; intros _.
  destruct n as [|n].
  - exists O; split; [lia|]; intros i Hi; replace i with O by lia; lra.
  - destruct IH as [a [Ha H]]; [lia|].
    destruct (Rle_lt_dec (f a) (f (S n))) as [L|L].
    + exists a; split; [lia|]; intros i Hi; destruct (Nat.eq_dec i (S n)) as [->|N]; [exact L|apply H; lia].
    + exists (S n); split; [lia|]; intros i Hi; destruct (Nat.eq_dec i (S n)) as [->|N]; [lra|].
      specialize (H i ltac:(lia)); lra.
Qed.

(** ** The two definitions of privacy *)

Lemma exp_ge_1 epsilon : 0 <= epsilon -> 1 <= exp epsilon.
Proof.
  intros H; rewrite <- exp_0; destruct H as [H|<-]; [left; apply exp_increasing, H|right; reflexivity].
Qed.

(** Pure privacy may be checked output by output.
    [claim ghazi2021: Def. 2.1 (outputs and sets)] *)
Theorem dp_iff_private K J epsilon q : dp K J epsilon q <-> private K J (exp epsilon) q.
Proof.
  split; intros H.
  - intros y y' j Hy Hy' Hj.
    specialize (H y y' (fun i => Nat.eqb i j) Hy Hy'); unfold sum_over in H.
    rewrite !sum_pick in H by exact Hj; exact H.
  - intros y y' A Hy Hy'; unfold sum_over; rewrite <- sum_scale; apply sum_le; intros j Hj.
    destruct (A j); [apply H; assumption|lra].
Qed.

(** A channel that is private at t is private at every larger level. *)
Theorem private_weaken K J t t' q : channel K J q -> t <= t' -> private K J t q -> private K J t' q.
Proof.
  intros [N _] L H y y' j Hy Hy' Hj; specialize (H y y' j Hy Hy' Hj); specialize (N y' j Hy' Hj).
  apply Rle_trans with (1 := H), Rmult_le_compat_r; assumption.
Qed.
