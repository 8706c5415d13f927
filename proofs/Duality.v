(** The linear program over private channels, its dual, post-processing and composition. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels.
Open Scope R_scope.

(** A number for each row is dual feasible where, for every output j,
    sum_y r_yj + (t - 1) sum_y max(r_yj, 0) <= 0 with r_yj = u_yj - pi_y. *)
Definition dual_feasible (K J : nat) (t : R) (u : nat -> nat -> R) (pi : nat -> R) : Prop :=
  forall j, (j < J)%nat ->
    sum K (fun y => u y j - pi y) + (t - 1) * sum K (fun y => Rmax (u y j - pi y) 0) <= 0.

(** One column: its entries lie between their minimum m and t m. *)
Lemma column K t r x :
  1 <= t -> (forall y, (y < K)%nat -> 0 <= x y) ->
  (forall y y', (y < K)%nat -> (y' < K)%nat -> x y <= t * x y') ->
  sum K r + (t - 1) * sum K (fun y => Rmax (r y) 0) <= 0 ->
  sum K (fun y => r y * x y) <= 0.
Proof.
  intros T N P D; destruct K as [|K]; [simpl; lra|].
  destruct (minimum (S K) x) as [a [Ha Min]]; [lia|].
  apply Rle_trans with (x a * (sum (S K) r + (t - 1) * sum (S K) (fun y => Rmax (r y) 0))).
  - rewrite Rmult_plus_distr_l, <- Rmult_assoc, <- !sum_scale, <- sum_plus.
    apply sum_le; intros y Hy; specialize (Min y Hy); specialize (P y a Hy Ha); specialize (N a Ha).
    destruct (Rle_lt_dec (r y) 0) as [L|L]; unfold Rmax; destruct (Rle_dec (r y) 0); try lra; nra.
  - specialize (N a Ha); nra.
Qed.

(** DESIGN, "the linear program and its dual": the value of a dual feasible pi is an upper bound for every channel. *)
Theorem weak_duality K J t u pi q :
  1 <= t -> channel K J q -> private K J t q -> dual_feasible K J t u pi ->
  value K J u q <= sum K pi.
Proof.
  intros T [N S] P D.
  assert (E : value K J u q = sum K pi + sum J (fun j => sum K (fun y => (u y j - pi y) * q y j))).
  { rewrite sum_swap; unfold value; rewrite <- sum_plus; apply sum_ext; intros y Hy.
    replace (sum J (fun j => (u y j - pi y) * q y j)) with
      (sum J (fun j => u y j * q y j) - pi y * sum J (q y)).
    - rewrite (S y Hy); ring.
    - rewrite <- sum_scale, <- sum_minus; apply sum_ext; intros; ring. }
  rewrite E; assert (sum J (fun j => sum K (fun y => (u y j - pi y) * q y j)) <= 0); [|lra].
  rewrite <- (sum_zero J (fun _ => 0)) by reflexivity; apply sum_le; intros j Hj.
  apply (column K t (fun y => u y j - pi y) (fun y => q y j)); auto.
Qed.

(** The same with prescribed entries: q y j = f y j wherever mu y j is not zero. *)
Theorem weak_duality_with_prescribed_entries K J t u f mu pi q :
  1 <= t -> channel K J q -> private K J t q ->
  (forall y j, (y < K)%nat -> (j < J)%nat -> mu y j <> 0 -> q y j = f y j) ->
  dual_feasible K J t (fun y j => u y j - mu y j) pi ->
  value K J u q <= sum K pi + value K J mu f.
Proof.
  intros T C P F D; pose proof (weak_duality K J t _ pi q T C P D) as W.
  assert (E : value K J u q = value K J (fun y j => u y j - mu y j) q + value K J mu f); [|lra].
  unfold value; rewrite <- sum_plus; apply sum_ext; intros y Hy; rewrite <- sum_plus.
  apply sum_ext; intros j Hj; destruct (Req_dec (mu y j) 0) as [Z|Z]; [rewrite Z; ring|].
  rewrite (F y j Hy Hj Z); ring.
Qed.

(** Post-processing: Pr[k | y] = sum_j Pr[j | y] Pr[k | j]. *)
Definition after (J : nat) (q r : nat -> nat -> R) : nat -> nat -> R :=
  fun y k => sum J (fun j => q y j * r j k).

Theorem post_processing_is_a_channel K J L q r :
  channel K J q -> channel J L r -> channel K L (after J q r).
Proof.
  intros [Nq Sq] [Nr Sr]; split.
  - intros y k Hy Hk; apply sum_nonneg; intros j Hj; apply Rmult_le_pos; auto.
  - intros y Hy; unfold after; rewrite sum_swap, <- (Sq y Hy); apply sum_ext; intros j Hj.
    rewrite sum_scale, (Sr j Hj); ring.
Qed.

Theorem post_processing K J L t q r :
  channel J L r -> private K J t q -> private K L t (after J q r).
Proof.
  intros [N _] P y y' k Hy Hy' Hk; unfold after; rewrite <- sum_scale; apply sum_le; intros j Hj.
  rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto.
Qed.

(** Composition: j from q, then k from r, which may look at j; the pair (j, k) is the output j L + k. *)
Definition both (L : nat) (q : nat -> nat -> R) (r : nat -> nat -> nat -> R) : nat -> nat -> R :=
  fun y o => q y (o / L)%nat * r (o / L)%nat y (o mod L)%nat.

Theorem composition_is_a_channel K J L q r :
  channel K J q -> (forall j, (j < J)%nat -> channel K L (r j)) -> channel K (J * L) (both L q r).
Proof.
  intros [Nq Sq] C; split.
  - intros y o Hy Ho; assert (L <> O) by (intros ->; lia).
    assert (Hj : (o / L < J)%nat) by (apply Nat.div_lt_upper_bound; lia).
    apply Rmult_le_pos; [apply Nq|apply C]; auto; apply Nat.mod_upper_bound; assumption.
  - intros y Hy; rewrite sum_pairs, <- (Sq y Hy); apply sum_ext; intros j Hj.
    destruct (C j Hj) as [_ Sr]; rewrite <- (Rmult_1_r (q y j)), <- (Sr y Hy), <- sum_scale.
    apply sum_ext; intros k Hk; unfold both.
    rewrite <- (Nat.div_unique (j * L + k) L j k), <- (Nat.mod_unique (j * L + k) L j k) by lia; reflexivity.
Qed.

Theorem composition K J L t t' q r :
  1 <= t -> channel K J q -> (forall j, (j < J)%nat -> channel K L (r j)) ->
  private K J t q -> (forall j, (j < J)%nat -> private K L t' (r j)) ->
  private K (J * L) (t * t') (both L q r).
Proof.
  intros T [Nq _] C Pq Pr y y' o Hy Hy' Ho; assert (L <> O) by (intros ->; lia).
  assert (Hj : (o / L < J)%nat) by (apply Nat.div_lt_upper_bound; lia).
  assert (Hk : (o mod L < L)%nat) by (apply Nat.mod_upper_bound; assumption).
  destruct (C _ Hj) as [Nr _]; unfold both.
  replace (t * t' * (q y' (o / L)%nat * r (o / L)%nat y' (o mod L)%nat)) with
    ((t * q y' (o / L)%nat) * (t' * r (o / L)%nat y' (o mod L)%nat)) by ring.
  apply Rmult_le_compat; auto; apply Pr; auto.
Qed.

(** In the papers' epsilon: levels add up. *)
Theorem composition_epsilon K J L epsilon epsilon' q r :
  0 <= epsilon -> channel K J q -> (forall j, (j < J)%nat -> channel K L (r j)) ->
  dp K J epsilon q -> (forall j, (j < J)%nat -> dp K L epsilon' (r j)) ->
  dp K (J * L) (epsilon + epsilon') (both L q r).
Proof.
  intros H C C' P P'; apply dp_iff_private; rewrite exp_plus; apply composition; auto.
  - apply exp_ge_1, H.
  - apply dp_iff_private, P.
  - intros j Hj; apply dp_iff_private, P', Hj.
Qed.
