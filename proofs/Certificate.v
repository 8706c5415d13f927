(** The certificate of an optimum, checked by computing with whole numbers: `lpmech certify FILE --rocq FILE.v`. *)

From Coq Require Import Reals ZArith List Lra Lia Arith Bool.
From lpmech Require Import Channels Duality.
Open Scope R_scope.

(** Matrices of whole numbers, over one denominator each. Weights, duals and the duals of prescribed entries are
    multiples of 1 / unit, the channel's entries of 1 / one; ratios and bounds are pairs of numerator and denominator. *)
Record certificate := {
  K : nat;
  J : nat;
  weights : list (list Z);
  prescribed : list (list Z);
  duals : list Z;
  unit : Z;
  entries : list (list Z);
  one : Z;
  ratio_low : Z * Z;
  ratio_high : Z * Z;
  least : Z * Z;
  most : Z * Z
}.

(** A matrix times a number, for files that are shorter so. *)
Definition times (f : Z) (m : list (list Z)) : list (list Z) := map (map (Z.mul f)) m.

Definition at_place (m : list (list Z)) (y j : nat) : Z := nth j (nth y m nil) 0%Z.
Definition quotient (x : Z * Z) : R := IZR (fst x) / IZR (snd x).

(** What the numbers stand for. *)
Definition u (c : certificate) : nat -> nat -> R := fun y j => IZR (at_place (weights c) y j) / IZR (unit c).
Definition q (c : certificate) : nat -> nat -> R := fun y j => IZR (at_place (entries c) y j) / IZR (one c).

(** The check. *)
Fixpoint zsum (n : nat) (f : nat -> Z) : Z :=
  match n with O => 0%Z | S m => (zsum m f + f m)%Z end.
Fixpoint all (n : nat) (p : nat -> bool) : bool :=
  match n with O => true | S m => p m && all m p end.
Fixpoint zmin (n : nat) (f : nat -> Z) (start : Z) : Z :=
  match n with O => start | S m => zmin m f (Z.min start (f m)) end.

Definition positive (x : Z * Z) : bool := (0 <? snd x)%Z.

Definition check_channel (c : certificate) : bool :=
  let e := at_place (entries c) in
  let '(a, b) := ratio_low c in
  all (K c) (fun y => Z.eqb (zsum (J c) (e y)) (one c) && all (J c) (fun j => Z.leb 0 (e y j))) &&
  all (J c) (fun j => let m := zmin (K c) (fun y => e y j) (one c) in
                      all (K c) (fun y => Z.leb (b * e y j) (a * m))).

Definition check_duals (c : certificate) : bool :=
  let '(a, b) := ratio_high c in
  let r y j := (at_place (weights c) y j - at_place (prescribed c) y j - nth y (duals c) 0)%Z in
  all (J c) (fun j => Z.leb (b * zsum (K c) (fun y => r y j) + (a - b) * zsum (K c) (fun y => Z.max (r y j) 0)) 0).

Definition total (c : certificate) (m : list (list Z)) : Z :=
  zsum (K c) (fun y => zsum (J c) (fun j => at_place m y j * at_place (entries c) y j)%Z).

Definition check_bounds (c : certificate) : bool :=
  Z.leb (fst (least c) * (unit c * one c)) (snd (least c) * total c (weights c)) &&
  Z.leb (snd (most c) * (zsum (K c) (fun y => nth y (duals c) 0%Z) * one c + total c (prescribed c)))
        (fst (most c) * (unit c * one c)).

Definition check (c : certificate) : bool :=
  Z.ltb 0 (unit c) && Z.ltb 0 (one c) && positive (ratio_low c) && positive (ratio_high c) &&
  positive (least c) && positive (most c) && Z.leb (snd (ratio_low c)) (fst (ratio_low c)) &&
  check_channel c && check_duals c && check_bounds c.

(** ** Why it suffices *)

Lemma all_spec n p : all n p = true -> forall i, (i < n)%nat -> p i = true.
Proof.
  induction n as [|n IH]; simpl; [lia|]; intros H i Hi; apply andb_prop in H as [P A].
  destruct (Nat.eq_dec i n) as [->|N]; [exact P|apply IH; [exact A|lia]].
Qed.

Lemma zsum_real n f : IZR (zsum n f) = sum n (fun i => IZR (f i)).
Proof. induction n as [|n IH]; simpl; [reflexivity|]; rewrite plus_IZR, IH; reflexivity. Qed.

Lemma zmin_start n f s : (zmin n f s <= s)%Z.
Proof.
  revert s; induction n as [|n IH]; intros s; simpl; [lia|]; specialize (IH (Z.min s (f n))); lia.
Qed.

Lemma zmin_least n f s i : (i < n)%nat -> (zmin n f s <= f i)%Z.
Proof.
  revert s; induction n as [|n IH]; intros s H; [lia|]; simpl.
  destruct (Nat.eq_dec i n) as [->|N]; [|apply IH; lia].
  pose proof (zmin_start n f (Z.min s (f n))); lia.
Qed.

Lemma max_real x : IZR (Z.max x 0) = Rmax (IZR x) 0.
Proof.
  destruct (Z.max_spec x 0) as [[L ->]|[L ->]]; unfold Rmax; destruct (Rle_dec (IZR x) 0) as [D|D]; auto.
  - exfalso; apply D, IZR_le; lia.
  - apply IZR_le in L; lra.
Qed.

Lemma max_scale x d : 0 < d -> Rmax x 0 / d = Rmax (x / d) 0.
Proof.
  intros P; assert (I : 0 < / d) by (apply Rinv_0_lt_compat, P); unfold Rdiv, Rmax.
  destruct (Rle_dec x 0), (Rle_dec (x * / d) 0); nra.
Qed.

(** Whatever t is, as e^epsilon, between the two ratios: the certificate's channel is private at t and attains the lower
    bound, and no channel that is private at t (and agrees with it on the prescribed entries) is above the upper one. *)
Theorem certificate_is_sound c t : check c = true -> quotient (ratio_low c) <= t <= quotient (ratio_high c) ->
  channel (K c) (J c) (q c) /\ private (K c) (J c) t (q c) /\
  quotient (least c) <= value (K c) (J c) (u c) (q c) /\
  forall r, channel (K c) (J c) r -> private (K c) (J c) t r ->
    (forall y j, (y < K c)%nat -> (j < J c)%nat -> at_place (prescribed c) y j <> 0%Z -> r y j = q c y j) ->
    value (K c) (J c) (u c) r <= quotient (most c).
Proof.
  unfold check, positive; rewrite !andb_true_iff, !Z.ltb_lt, Z.leb_le.
  intros [[[[[[[[[U O] Pl] Ph] Pe] Pm] G] C] D] B] [T1 T2].
  apply IZR_lt in U, O, Pl, Ph, Pe, Pm; apply IZR_le in G; unfold quotient in *.
  set (d := IZR (unit c)) in *; set (o := IZR (one c)) in *.
  assert (Id : 0 < / d) by (apply Rinv_0_lt_compat, U); assert (Io : 0 < / o) by (apply Rinv_0_lt_compat, O).
  unfold check_channel in C; unfold check_duals in D; unfold check_bounds in B.
  destruct (ratio_low c) as [a b], (ratio_high c) as [a' b']; simpl fst in *; simpl snd in *.
  set (e := at_place (entries c)) in *; rewrite andb_true_iff in B; destruct B as [B1 B2].
  apply andb_prop in C as [C1 C2]; pose proof (all_spec _ _ C1) as Rows; pose proof (all_spec _ _ C2) as Columns.
  apply Z.leb_le, IZR_le in B1, B2; fold d o in B1, B2.
  repeat (rewrite mult_IZR in B1 || rewrite plus_IZR in B1); repeat (rewrite mult_IZR in B2 || rewrite plus_IZR in B2).
  fold d o in B1, B2.
  assert (T : 1 <= t).
  { apply Rle_trans with (2 := T1); apply Rmult_le_reg_r with (IZR b); [exact Pl|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  assert (NQ : forall y j, (y < K c)%nat -> (j < J c)%nat -> 0 <= q c y j).
  { intros y j Hy Hj; specialize (Rows y Hy); apply andb_prop in Rows as [_ N]; pose proof (all_spec _ _ N j Hj) as P.
    apply Z.leb_le, IZR_le in P; unfold q; fold e o; unfold Rdiv; nra. }
  assert (CQ : channel (K c) (J c) (q c)).
  { split; [exact NQ|]; intros y Hy; specialize (Rows y Hy); apply andb_prop in Rows as [S _].
    apply Z.eqb_eq, (f_equal IZR) in S; rewrite zsum_real in S; fold o in S; unfold q; fold e o; unfold Rdiv.
    rewrite sum_scale_r, S; apply Rinv_r; lra. }
  assert (PQ : private (K c) (J c) t (q c)).
  { apply private_weaken with (t := IZR a / IZR b); auto; intros y y' j Hy Hy' Hj; specialize (Columns j Hj).
    pose proof (all_spec _ _ Columns y Hy) as L; pose proof (zmin_least (K c) (fun i => e i j) (one c) y' Hy') as M.
    apply Z.leb_le, IZR_le in L; apply IZR_le in M; rewrite !mult_IZR in L; unfold q; fold e o.
    set (m := IZR (zmin _ _ _)) in *; assert (E : IZR b * IZR (e y j) <= IZR a * IZR (e y' j)) by nra.
    unfold Rdiv; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [lra|].
    apply Rmult_le_reg_l with (IZR b); [exact Pl|].
    replace (IZR b * (IZR a * / IZR b * IZR (e y' j))) with (IZR a * IZR (e y' j)) by (field; lra); exact E. }
  assert (Total : forall m, IZR (total c m) = value (K c) (J c) (fun y j => IZR (at_place m y j)) (q c) * o).
  { intros m; unfold total, value; rewrite zsum_real, <- sum_scale_r; apply sum_ext; intros y Hy.
    rewrite zsum_real, <- sum_scale_r; apply sum_ext; intros j Hj; rewrite mult_IZR; unfold q; fold e o; field; lra. }
  assert (Value : forall m r, value (K c) (J c) (fun y j => IZR (at_place m y j) / d) r =
    value (K c) (J c) (fun y j => IZR (at_place m y j)) r * / d).
  { intros m r; unfold value; rewrite <- sum_scale_r; apply sum_ext; intros y Hy; rewrite <- sum_scale_r.
    apply sum_ext; intros j Hj; unfold Rdiv; ring. }
  split; [exact CQ|]; split; [exact PQ|]; split.
  - rewrite Total in B1; unfold u; fold d; rewrite Value; set (v := value _ _ _ _) in *.
    apply Rmult_le_reg_r with (IZR (snd (least c)) * (d * o)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (IZR (fst (least c)) / IZR (snd (least c)) * (IZR (snd (least c)) * (d * o))) with
      (IZR (fst (least c)) * (d * o)) by (field; lra).
    replace (v * / d * (IZR (snd (least c)) * (d * o))) with (IZR (snd (least c)) * (v * o)) by (field; lra); exact B1.
  - intros r Cr Pr F; pose (pi := fun y => IZR (nth y (duals c) 0%Z) / d).
    pose (mu := fun y j => IZR (at_place (prescribed c) y j) / d).
    apply Rle_trans with (sum (K c) pi + value (K c) (J c) mu (q c)).
    + apply weak_duality_with_prescribed_entries with (t := t); auto.
      * intros y j Hy Hj N; apply F; auto; intros Z; apply N; unfold mu; rewrite Z; unfold Rdiv; ring.
      * intros j Hj; pose proof (all_spec _ _ D j Hj) as L; apply Z.leb_le, IZR_le in L.
        rewrite plus_IZR, !mult_IZR, minus_IZR, !zsum_real in L.
        pose (z := fun y => (at_place (weights c) y j - at_place (prescribed c) y j - nth y (duals c) 0)%Z).
        change (IZR b' * sum (K c) (fun y => IZR (z y)) + (IZR a' - IZR b') *
          sum (K c) (fun y => IZR (Z.max (z y) 0)) <= 0) in L.
        assert (E : forall y, u c y j - mu y j - pi y = IZR (z y) / d).
        { intros y; unfold u, mu, pi, z; fold d; rewrite !minus_IZR; field; lra. }
        rewrite (sum_ext _ _ _ (fun y _ => E y)).
        rewrite (sum_ext _ (fun y => Rmax _ _) (fun y => IZR (Z.max (z y) 0) / d)).
        -- set (s := sum (K c) (fun y => IZR (z y))) in *; set (p := sum (K c) (fun y => IZR (Z.max (z y) 0))) in *.
           unfold Rdiv; rewrite !sum_scale_r; fold s p.
           assert (P : 0 <= p) by (apply sum_nonneg; intros; rewrite max_real; apply Rmax_r).
           assert (H : t * IZR b' <= IZR a').
           { replace (IZR a') with (IZR a' / IZR b' * IZR b') by (field; lra); apply Rmult_le_compat_r; lra. }
           replace (s * / d + (t - 1) * (p * / d)) with ((s + (t - 1) * p) * / d) by ring.
           assert (N : s + (t - 1) * p <= 0); [|rewrite <- (Rmult_0_l (/ d)); apply Rmult_le_compat_r; lra].
           apply Rmult_le_reg_l with (IZR b'); [exact Ph|].
           assert (t * IZR b' * p <= IZR a' * p) by (apply Rmult_le_compat_r; assumption).
           rewrite Rmult_0_r; lra.
        -- intros y Hy; rewrite E, max_real; symmetry; apply max_scale, U.
    + unfold mu; rewrite Value; unfold pi, Rdiv; rewrite sum_scale_r, <- zsum_real, <- Rmult_plus_distr_r.
      rewrite Total, zsum_real in B2; rewrite zsum_real; set (v := value _ _ _ _) in *; set (s := sum _ _) in *.
      apply Rmult_le_reg_r with (IZR (snd (most c)) * (d * o)); [repeat apply Rmult_lt_0_compat; lra|].
      replace (IZR (fst (most c)) * / IZR (snd (most c)) * (IZR (snd (most c)) * (d * o))) with
        (IZR (fst (most c)) * (d * o)) by (field; lra).
      replace ((s + v) * / d * (IZR (snd (most c)) * (d * o))) with (IZR (snd (most c)) * (s * o + v * o))
        by (field; lra); exact B2.
Qed.
