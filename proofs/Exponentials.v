(** Rational numbers between which exp x lies: what theorems on instances use where a claim compares e^epsilon with numbers. *)

From Coq Require Import Reals Lra Lia QArith Qreals.
Open Scope R_scope.

(** The sums of Taylor's series at x, each with its last term. *)
Fixpoint taylor (x : Q) (n : nat) : Q * Q :=
  match n with
  | O => (1, 1)%Q
  | S m => let (term, total) := taylor x m in
           let next := Qred (term * x * (1 # Pos.of_succ_nat m)) in (next, Qred (total + next))
  end.

Fixpoint halved (k : nat) (x : Q) : Q := match k with O => x | S m => (halved m x * (1 # 2))%Q end.
Fixpoint squared (k : nat) (x : Q) : Q := match k with O => x | S m => let y := squared m x in (y * y)%Q end.

(** Whether the sums of so many terms at x / 2^k and - x / 2^k show that exp x lies between these. *)
Definition encloses (k n : nat) (low x high : Q) : bool :=
  let y := Qred (halved k x) in
  let below := snd (taylor y n) in let above := snd (taylor (- y) (S (2 * Nat.div2 n))) in
  (Qle_bool 0 y && Qle_bool y 1 && Qle_bool low (squared k below) &&
   negb (Qle_bool above 0) && Qle_bool (squared k (/ above)) high)%bool.

Lemma reduced q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma taylor_is x n :
  Q2R (fst (taylor x n)) = / INR (fact n) * Q2R x ^ n /\
  Q2R (snd (taylor x n)) = sum_f_R0 (fun i => / INR (fact i) * Q2R x ^ i) n.
Proof.
  induction n as [|n [F T]]; [split; unfold Q2R; simpl; field|].
  cbn [taylor]; destruct (taylor x n) as [term total]; cbn [fst snd] in *.
  assert (D : Q2R (1 # Pos.of_succ_nat n) = / INR (S n)).
  { unfold Q2R; cbn [Qnum Qden]; rewrite INR_IZR_INZ; cbn [Z.of_nat]; apply Rmult_1_l. }
  assert (E : Q2R (Qred (term * x * (1 # Pos.of_succ_nat n))) = / INR (fact (S n)) * Q2R x ^ S n).
  { rewrite reduced, !Q2R_mult, F, D, fact_simpl, mult_INR; cbn [pow]; field; split;
      [apply INR_fact_neq_0 | apply not_0_INR; lia]. }
  split; [exact E|]; rewrite reduced, Q2R_plus, T, E; reflexivity.
Qed.

Lemma exp_at_least x n : 0 <= x -> sum_f_R0 (fun i => / INR (fact i) * x ^ i) n <= exp x.
Proof.
  intros P; unfold exp; destruct (exist_exp x) as [l L]; cbn [proj1_sig].
  apply (sum_incr (fun i => / INR (fact i) * x ^ i)); [exact L|].
  intros i; apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le, P].
Qed.

Lemma exp_of_opposite_at_least x n :
  0 <= x <= 1 -> sum_f_R0 (fun i => / INR (fact i) * (- x) ^ i) (S (2 * n)) <= exp (- x).
Proof.
  intros [P M]; pose (U i := x ^ i / INR (fact i)).
  assert (S : forall m, sum_f_R0 (tg_alt U) m = sum_f_R0 (fun i => / INR (fact i) * (- x) ^ i) m).
  { intros m; apply sum_eq; intros i _; unfold tg_alt, U; replace (- x) with (-1 * x) by ring; rewrite Rpow_mult_distr;
      unfold Rdiv; ring. }
  rewrite <- S; apply (alternated_series_ineq U).
  - intros i; unfold U; rewrite fact_simpl, mult_INR; cbn [pow].
    replace (x * x ^ i / (INR (Datatypes.S i) * INR (fact i))) with (x ^ i / INR (fact i) * (x / INR (Datatypes.S i)))
      by (field; split; [apply INR_fact_neq_0 | apply not_0_INR; lia]).
    rewrite <- (Rmult_1_r (x ^ i / INR (fact i))) at 2; apply Rmult_le_compat_l.
    + apply Rmult_le_pos; [apply pow_le, P | left; apply Rinv_0_lt_compat, INR_fact_lt_0].
    + assert (1 <= INR (Datatypes.S i)) by (rewrite S_INR; pose proof (pos_INR i); lra).
      apply Rmult_le_reg_r with (INR (Datatypes.S i)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
  - apply cv_speed_pow_fact.
  - unfold exp; destruct (exist_exp (- x)) as [l L]; cbn [proj1_sig].
    intros e E; destruct (L e E) as [N F]; exists N; intros m G; rewrite S; apply F, G.
Qed.

Lemma halved_is k x : Q2R x = 2 ^ k * Q2R (halved k x).
Proof.
  induction k as [|k I]; cbn [halved pow]; [ring|]; rewrite Q2R_mult, I.
  replace (Q2R (1 # 2)) with (1 / 2) by (unfold Q2R; cbn; field); field.
Qed.

Lemma exp_doubled k y : exp (2 ^ S k * y) = exp (2 ^ k * y) * exp (2 ^ k * y).
Proof. rewrite <- exp_plus; f_equal; cbn [pow]; ring. Qed.

Lemma squared_below k a y : 0 <= Q2R a <= exp y -> 0 <= Q2R (squared k a) <= exp (2 ^ k * y).
Proof.
  intros H; induction k as [|k I]; [cbn [squared pow]; rewrite Rmult_1_l; exact H|].
  rewrite exp_doubled; cbn [squared]; rewrite Q2R_mult; split; [apply Rmult_le_pos | apply Rmult_le_compat]; lra.
Qed.

Lemma squared_above k a y : exp y <= Q2R a -> exp (2 ^ k * y) <= Q2R (squared k a).
Proof.
  intros H; induction k as [|k I]; [cbn [squared pow]; rewrite Rmult_1_l; exact H|].
  pose proof (exp_pos (2 ^ k * y)); rewrite exp_doubled; cbn [squared]; rewrite Q2R_mult.
  apply Rmult_le_compat; lra.
Qed.

Theorem enclosed k n low x high : encloses k n low x high = true -> Q2R low <= exp (Q2R x) <= Q2R high.
Proof.
  unfold encloses; set (y := Qred (halved k x)); set (below := snd (taylor y n)).
  set (above := snd (taylor (- y) (S (2 * Nat.div2 n)))); rewrite !Bool.andb_true_iff, Bool.negb_true_iff.
  intros [[[[P M] L] A] H]; apply Qle_bool_iff, Qle_Rle in P, M, L, H.
  assert (G : 0 < Q2R above).
  { rewrite <- RMicromega.Q2R_0; apply Qlt_Rlt, Qnot_le_lt; intros N; apply Qle_bool_iff in N; congruence. }
  rewrite (halved_is k x); replace (Q2R (halved k x)) with (Q2R y) by apply reduced.
  replace (Q2R 0) with 0 in P by (unfold Q2R; cbn; field); replace (Q2R 1) with 1 in M by (unfold Q2R; cbn; field).
  split.
  - apply Rle_trans with (1 := L), squared_below; unfold below; rewrite (proj2 (taylor_is y n)); split.
    + apply cond_pos_sum; intros i; apply Rmult_le_pos;
        [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le, P].
    + apply exp_at_least, P.
  - apply Rle_trans with (2 := H), squared_above.
    rewrite Q2R_inv by (intros Z; apply Qeq_eqR in Z; rewrite RMicromega.Q2R_0 in Z; lra).
    rewrite <- (Ropp_involutive (Q2R y)), exp_Ropp; apply Rinv_le_contravar; [exact G|].
    unfold above; rewrite (proj2 (taylor_is (- y) (S (2 * Nat.div2 n)))), Q2R_opp; apply exp_of_opposite_at_least; lra.
Qed.
