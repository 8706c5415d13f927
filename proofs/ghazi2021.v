(** Ghazi, Golowich, Kumar, Manurangsi, Zhang: Deep Learning with Label Differential Privacy (2021), section 3. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels.
Open Scope R_scope.

(** "Let Y_k be the set of k labels with maximum prior probability (with ties broken arbitrarily)." *)
Definition top (K : nat) (p : nat -> R) (k : nat) (Y : nat -> bool) : Prop :=
  card K Y = INR k /\
  forall i j, (i < K)%nat -> (j < K)%nat -> Y i = true -> Y j = false -> p j <= p i.

(** Algorithm 1, RRTop-k: row y is the true label, t = e^epsilon. "If y in Y_k, then output y with probability
    e^epsilon / (e^epsilon + k - 1) and output y' in Y_k \ {y} with probability 1 / (e^epsilon + k - 1). If y is not in
    Y_k, output an element from Y_k uniformly at random." *)
Definition RRTop (k : nat) (Y : nat -> bool) (t : R) : nat -> nat -> R := fun y j =>
  if Y j then
    if Y y then (if Nat.eqb j y then t / (t + INR k - 1) else 1 / (t + INR k - 1)) else 1 / INR k
  else 0.

(** Algorithm 2: "Compute w_k := e^epsilon / (e^epsilon + k - 1) (sum over Y_k of p). Let k* = arg max w_k." *)
Definition w (K : nat) (p : nat -> R) (t : R) (k : nat) (Y : nat -> bool) : R :=
  t / (t + INR k - 1) * sum_over K Y p.

Definition chosen_by_algorithm_2 (K : nat) (p : nat -> R) (t : R) (Y : nat -> nat -> bool) (k_star : nat) : Prop :=
  (forall k, (1 <= k <= K)%nat -> top K p k (Y k)) /\
  (1 <= k_star <= K)%nat /\
  (forall k, (1 <= k <= K)%nat -> w K p t k (Y k) <= w K p t k_star (Y k_star)).

(** ** Lemma 1 *)

Lemma whole k : (1 <= k)%nat -> 1 <= INR k.
Proof. intros H; apply (le_INR 1 k) in H; exact H. Qed.

Lemma RRTop_is_a_channel K k Y t :
  1 <= t -> (1 <= k)%nat -> card K Y = INR k -> channel K K (RRTop k Y t).
Proof.
  intros T H C; apply whole in H; assert (0 < t + INR k - 1) by lra; split.
  - intros y j Hy Hj; unfold RRTop; destruct (Y j), (Y y), (Nat.eqb j y); try lra;
      apply Rlt_le, Rdiv_lt_0_compat; lra.
  - intros y Hy; destruct (Y y) eqn:E; unfold RRTop; rewrite E.
    + rewrite (sum_ext K _ (fun j => 1 / (t + INR k - 1) * ind (Y j) +
        (if Nat.eqb j y then (t - 1) / (t + INR k - 1) else 0))).
      * rewrite sum_plus, sum_scale; fold (card K Y); rewrite C, sum_pick by exact Hy; field; lra.
      * intros j Hj; destruct (Nat.eqb_spec j y) as [->|N]; [rewrite E; simpl; field; lra|].
        destruct (Y j); simpl; field; lra.
    + rewrite (sum_ext K _ (fun j => 1 / INR k * ind (Y j))).
      * rewrite sum_scale; fold (card K Y); rewrite C; field; lra.
      * intros j Hj; destruct (Y j); simpl; ring.
Qed.

Lemma RRTop_is_private K k Y t : 1 <= t -> (1 <= k)%nat -> private K K t (RRTop k Y t).
Proof.
  intros T H y y' j Hy Hy' Hj; apply whole in H; assert (P : 0 < t + INR k - 1) by lra.
  assert (L : 1 / (t + INR k - 1) <= 1 / INR k).
  { apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra. }
  assert (U : 1 / INR k <= t * (1 / (t + INR k - 1))).
  { apply Rmult_le_reg_l with (INR k * (t + INR k - 1)); [apply Rmult_lt_0_compat; lra|].
    replace (INR k * (t + INR k - 1) * (1 / INR k)) with (t + INR k - 1) by (field; lra).
    replace (INR k * (t + INR k - 1) * (t * (1 / (t + INR k - 1)))) with (t * INR k) by (field; lra); nra. }
  assert (E : t / (t + INR k - 1) = t * (1 / (t + INR k - 1))) by (field; lra).
  assert (0 < 1 / (t + INR k - 1)) by (apply Rdiv_lt_0_compat; lra).
  unfold RRTop; rewrite E; destruct (Y j), (Y y), (Y y'), (Nat.eqb j y), (Nat.eqb j y'); nra.
Qed.

(** Lemma 1. "RRTop-k is epsilon-DP." For every set Y of k labels; that its rows are distributions, too.
    [claim ghazi2021: Lemma 1]
    [claim ghazi2021: Alg. 1 (normalised)]
    [claim ghazi2021: Theorem 3 (LP1 = LP2 = max w_k)] *)
Theorem ghazi2021_lemma_1 K k Y epsilon :
  0 <= epsilon -> (1 <= k)%nat -> card K Y = INR k ->
  channel K K (RRTop k Y (exp epsilon)) /\ dp K K epsilon (RRTop k Y (exp epsilon)).
Proof.
  intros H Hk C; apply exp_ge_1 in H; split; [apply RRTop_is_a_channel; assumption|].
  apply dp_iff_private, RRTop_is_private; assumption.
Qed.

(** Corollary 2. "RRWithPrior is epsilon-DP."
    [claim ghazi2021: Cor. 2] *)
Theorem ghazi2021_corollary_2 K p Y k_star epsilon :
  0 <= epsilon -> chosen_by_algorithm_2 K p (exp epsilon) Y k_star ->
  dp K K epsilon (RRTop k_star (Y k_star) (exp epsilon)).
Proof. intros H [T [B _]]; apply ghazi2021_lemma_1; [exact H|lia|apply T, B]. Qed.

(** Section 3.1. "It is not hard to see that this expression [Pr[RRTop-k(y) = y]] is exactly equal to
    e^epsilon / (e^epsilon + k - 1) (sum over Y_k of p) if y ~ p."
    [claim ghazi2021: Section 3.1 (w_k)]
    [claim ghazi2021: Theorem 3]
    [claim ghazi2021: Theorem 3 (LP1 = LP2 = max w_k)] *)
Theorem ghazi2021_section_3_1_hit_rate K p k Y t : hit K p (RRTop k Y t) = w K p t k Y.
Proof.
  unfold hit, w, sum_over; rewrite <- sum_scale; apply sum_ext; intros y Hy; unfold RRTop.
  rewrite Nat.eqb_refl; destruct (Y y); ring.
Qed.

(** ** Theorem 3: the upper bound *)

(** Between the members of a set of best labels and the others there is a threshold. *)
Lemma threshold n (p : nat -> R) Y :
  (forall i j, (i < n)%nat -> (j < n)%nat -> Y i = true -> Y j = false -> p j <= p i) ->
  exists c, forall i, (i < n)%nat -> if Y i then c <= p i else p i <= c.
Proof.
  induction n as [|n IH]; intros H; [exists 0; intros; lia|].
  destruct IH as [c Hc]; [intros; apply H; auto; lia|].
  exists (if Y n then Rmin c (p n) else Rmax c (p n)); intros i Hi.
  destruct (Nat.eq_dec i n) as [->|N].
  - destruct (Y n); [apply Rmin_r|apply Rmax_r].
  - assert (Hi' : (i < n)%nat) by lia; specialize (Hc i Hi'); destruct (Y n) eqn:En, (Y i) eqn:Ei.
    + apply Rle_trans with c; [apply Rmin_l|exact Hc].
    + apply Rmin_glb; [exact Hc|apply H; auto; lia].
    + apply Rmax_lub; [exact Hc|apply H; auto; lia].
    + apply Rle_trans with c; [exact Hc|apply Rmax_l].
Qed.

(** No set of k labels has more mass than Y_k. *)
Lemma top_is_largest K p k Y Z : top K p k Y -> card K Z = INR k -> sum_over K Z p <= sum_over K Y p.
Proof.
  intros [C H] D; destruct (threshold K p Y H) as [c Hc].
  assert (S : forall X, card K X = INR k ->
            sum_over K X p = sum_over K X (fun i => p i - c) + INR k * c).
  { intros X E; rewrite <- E; unfold sum_over, card; rewrite <- sum_scale_r, <- sum_plus.
    apply sum_ext; intros i Hi; destruct (X i); simpl; ring. }
  rewrite (S Z D), (S Y C); apply Rplus_le_compat_r, sum_le; intros i Hi; specialize (Hc i Hi).
  destruct (Z i), (Y i); lra.
Qed.

(** The diagonal d of a private channel satisfies (4), here times e^epsilon:
    (e^epsilon - 1) d_y + (sum of d) <= e^epsilon. *)
Lemma diagonal_of_private K t q : 1 <= t -> channel K K q -> private K K t q ->
  forall y, (y < K)%nat -> (t - 1) * q y y + sum K (fun j => q j j) <= t.
Proof.
  intros T [N S] P y Hy.
  apply Rle_trans with (sum K (fun j => t * q y j)); [|rewrite sum_scale, (S y Hy); lra].
  replace ((t - 1) * q y y) with (sum K (fun j => if Nat.eqb j y then (t - 1) * q j j else 0)).
  - rewrite <- sum_plus; apply sum_le; intros j Hj; destruct (Nat.eqb_spec j y) as [->|_]; [lra|].
    rewrite Rplus_0_l; apply P; assumption.
  - apply sum_pick, Hy.
Qed.

(** The optimum of LP2 (its right sides times c) is at most c W, if no set of labels does better than W. *)
Lemma lp2 K t c p d W :
  1 <= t -> 0 <= c -> 0 <= W -> (forall y, (y < K)%nat -> 0 <= d y) ->
  (forall y, (y < K)%nat -> (t - 1) * d y + sum K d <= t * c) ->
  (forall Y, sum_over K Y p * t <= W * (t + card K Y - 1)) ->
  sum K (fun y => p y * d y) <= c * W.
Proof.
  intros T C HW N L B; set (D := sum K d) in *; pose (X := W / t).
  assert (EX : W = X * t) by (unfold X; field; lra).
  assert (PX : 0 <= X) by (unfold X; apply Rle_mult_inv_pos; lra).
  pose (excess := fun y => Rmax (p y - X) 0).
  assert (E0 : forall y, 0 <= excess y) by (intros; apply Rmax_r).
  assert (HP : sum K excess <= (t - 1) * X).
  { specialize (B (fun y => if Rle_lt_dec (p y) X then false else true)).
    set (Y := fun y => if Rle_lt_dec (p y) X then false else true) in *.
    assert (E : sum K excess = sum_over K Y p - X * card K Y).
    { unfold sum_over, card; rewrite <- sum_scale, <- sum_minus; apply sum_ext; intros y Hy.
      unfold excess, Y, Rmax; destruct (Rle_lt_dec (p y) X), (Rle_dec (p y - X) 0); simpl; lra. }
    rewrite E; rewrite EX in B.
    assert (Q : sum_over K Y p <= X * (t + card K Y - 1)); [|lra].
    apply Rmult_le_reg_r with t; [lra|].
    replace (X * (t + card K Y - 1) * t) with (X * t * (t + card K Y - 1)) by ring; exact B. }
  assert (HD : D <= t * c).
  { destruct K as [|K]; [unfold D; simpl; nra|].
    specialize (L O ltac:(lia)); specialize (N O ltac:(lia)); nra. }
  assert (M : sum K (fun y => p y * d y) <= sum K (fun y => excess y * d y) + X * D).
  { unfold D; rewrite <- sum_scale, <- sum_plus; apply sum_le; intros y Hy; specialize (N y Hy).
    assert (p y - X <= excess y) by apply Rmax_l; nra. }
  apply Rle_trans with (1 := M); rewrite EX; destruct (Rle_lt_dec t 1) as [T1|T1].
  - assert (t = 1) by lra; subst t; assert (sum K (fun y => excess y * d y) <= 0); [|nra].
    rewrite <- (sum_zero K (fun _ => 0)) by reflexivity; apply sum_le; intros y Hy.
    pose proof (sum_member K y excess (fun i _ => E0 i) Hy); specialize (N y Hy); specialize (E0 y); nra.
  - assert (V : (t - 1) * sum K (fun y => excess y * d y) <= (t * c - D) * sum K excess).
    { rewrite <- !sum_scale; apply sum_le; intros y Hy; specialize (L y Hy); specialize (E0 y); nra. }
    assert ((t - 1) * sum K (fun y => excess y * d y) <= (t - 1) * (X * (t * c - D))) by nra.
    assert (sum K (fun y => excess y * d y) <= X * (t * c - D)) by (apply Rmult_le_reg_l with (t - 1); lra); nra.
Qed.

Lemma sets_below_the_best K p t Y k_star :
  1 <= t -> chosen_by_algorithm_2 K p t Y k_star -> 0 <= w K p t k_star (Y k_star) ->
  forall Z, sum_over K Z p * t <= w K p t k_star (Y k_star) * (t + card K Z - 1).
Proof.
  intros T [H [_ B]] N Z; set (W := w K p t k_star (Y k_star)) in *.
  destruct (card_whole K Z) as [k [Hk E]]; destruct k as [|k].
  - assert (S : sum_over K Z p = 0); [|rewrite S, E; simpl; nra].
    apply sum_zero; intros i Hi; destruct (Z i) eqn:Zi; [|reflexivity].
    pose proof (card_member K Z i Hi Zi) as M; rewrite E in M; simpl in M; lra.
  - assert (Hk' : (1 <= S k <= K)%nat) by lia; specialize (H _ Hk'); specialize (B _ Hk').
    pose proof (top_is_largest K p _ _ Z H E) as M; rewrite E.
    assert (1 <= INR (S k)) by (apply whole; lia); unfold w in B.
    apply Rmult_le_compat_r with (r := t + INR (S k) - 1) in B; [|lra].
    replace (t / (t + INR (S k) - 1) * sum_over K (Y (S k)) p * (t + INR (S k) - 1))
      with (t * sum_over K (Y (S k)) p) in B by (field; lra); nra.
Qed.

Lemma w_nonneg K p t k Y : 1 <= t -> (1 <= k)%nat -> distribution K p -> 0 <= w K p t k Y.
Proof.
  intros T H [N _]; apply whole in H; apply Rmult_le_pos.
  - apply Rle_mult_inv_pos; lra.
  - apply sum_over_nonneg, N.
Qed.

(** Theorem 3. "Let p be any probability distribution on [K] and R be any epsilon-DP algorithm that randomizes the input
    label given the prior p. We have that Obj_p(RRWithPrior) >= Obj_p(R)."
    [claim ghazi2021: Theorem 3]
    [claim ghazi2021: Theorem 3 (LP1 = LP2 = max w_k)] *)
Theorem ghazi2021_theorem_3 K p epsilon Y k_star R :
  0 <= epsilon -> distribution K p -> chosen_by_algorithm_2 K p (exp epsilon) Y k_star ->
  channel K K R -> dp K K epsilon R ->
  hit K p (RRTop k_star (Y k_star) (exp epsilon)) >= hit K p R.
Proof.
  intros H P A C D; apply exp_ge_1 in H; apply dp_iff_private in D.
  assert (N : 0 <= w K p (exp epsilon) k_star (Y k_star)) by (apply w_nonneg; [|apply A|]; assumption).
  rewrite ghazi2021_section_3_1_hit_rate; apply Rle_ge; unfold hit.
  rewrite <- (Rmult_1_l (w _ _ _ _ _)); apply lp2 with (t := exp epsilon); auto; try lra.
  - intros y Hy; apply C; assumption.
  - intros y Hy; rewrite Rmult_1_r; apply diagonal_of_private; assumption.
  - apply sets_below_the_best; assumption.
Qed.

(** ** What Algorithm 2 asks for exists *)

Lemma some_or_none n (Y : nat -> bool) :
  (exists i, (i < n)%nat /\ Y i = false) \/ forall j, (j < n)%nat -> Y j = true.
Proof.
  induction n as [|n [[i [Hi Yi]]|A]]; [right; intros; lia|left; exists i; split; [lia|exact Yi]|].
  destruct (Y n) eqn:E; [right|left; exists n; split; [lia|exact E]].
  intros j Hj; destruct (Nat.eq_dec j n) as [->|N]; [exact E|apply A; lia].
Qed.

Lemma best_outside n (p : nat -> R) Y : (exists i, (i < n)%nat /\ Y i = false) ->
  exists a, (a < n)%nat /\ Y a = false /\ forall j, (j < n)%nat -> Y j = false -> p j <= p a.
Proof.
  induction n as [|n IH]; intros [i [Hi Yi]]; [lia|].
  destruct (some_or_none n Y) as [D|D].
  - destruct (IH D) as [a [Ha [Ya M]]]; destruct (Y n) eqn:E.
    + exists a; repeat split; [lia|exact Ya|]; intros j Hj Yj.
      destruct (Nat.eq_dec j n) as [->|N]; [congruence|apply M; [lia|exact Yj]].
    + destruct (Rle_lt_dec (p n) (p a)) as [L|L]; [exists a|exists n]; repeat split; auto; intros j Hj Yj;
        destruct (Nat.eq_dec j n) as [->|N]; try lra; specialize (M j ltac:(lia) Yj); lra.
  - destruct (Nat.eq_dec i n) as [->|N]; [|rewrite (D i) in Yi by lia; discriminate].
    exists n; repeat split; auto; intros j Hj Yj.
    destruct (Nat.eq_dec j n) as [->|N]; [lra|rewrite (D j) in Yj by lia; discriminate].
Qed.

Lemma top_exists K p k : (k <= K)%nat -> exists Y, top K p k Y.
Proof.
  induction k as [|k IH]; intros H.
  - exists (fun _ => false); split; [apply card_empty; reflexivity|discriminate].
  - destruct IH as [Y [C T]]; [lia|].
    destruct (best_outside K p Y) as [a [Ha [Ya M]]].
    { destruct (some_or_none K Y) as [D|D]; [exact D|exfalso].
      assert (E : card K Y = INR K); [|rewrite C in E; apply INR_eq in E; lia].
      unfold card; rewrite (sum_ext K _ (fun _ => 1)) by (intros; rewrite D by assumption; reflexivity).
      rewrite sum_const; ring. }
    exists (fun i => orb (Y i) (Nat.eqb i a)); split.
    + rewrite S_INR, <- C; unfold card.
      rewrite (sum_ext K _ (fun i => ind (Y i) + (if Nat.eqb i a then 1 else 0))).
      * rewrite sum_plus, (sum_pick K a (fun _ => 1) Ha); ring.
      * intros i Hi; destruct (Nat.eqb_spec i a) as [->|N]; [rewrite Ya|destruct (Y i)]; simpl; ring.
    + intros i j Hi Hj Yi Yj; apply orb_false_elim in Yj as [Yj _]; apply orb_prop in Yi as [Yi|Yi]; [auto|].
      apply Nat.eqb_eq in Yi; subst i; auto.
Qed.

(** For every prior there are sets Y_1, ..., Y_K and a k*: Theorem 3 is not empty. *)
Theorem ghazi2021_algorithm_2_is_defined K p t :
  (1 <= K)%nat -> exists Y k_star, chosen_by_algorithm_2 K p t Y k_star.
Proof.
  intros H.
  assert (F : forall n, (n <= K)%nat -> exists Y, forall k, (1 <= k <= n)%nat -> top K p k (Y k)).
  { induction n as [|n IH]; intros Hn; [exists (fun _ _ => false); intros; lia|].
    destruct IH as [Y HY]; [lia|]; destruct (top_exists K p (S n) Hn) as [Z HZ].
    exists (fun k => if Nat.eqb k (S n) then Z else Y k); intros k Hk.
    destruct (Nat.eqb_spec k (S n)) as [->|N]; [exact HZ|apply HY; lia]. }
  destruct (F K (le_n K)) as [Y HY]; destruct (minimum K (fun k => - w K p t (S k) (Y (S k)))) as [k [Hk M]]; [lia|].
  exists Y, (S k); split; [exact HY|]; split; [lia|]; intros [|j] Hj; [lia|].
  specialize (M j ltac:(lia)); lra.
Qed.

(** Section 7, our answer to "is higher accuracy possible for approximate DP?": with (epsilon, delta)-DP in the sense of
    Definition 2.1 the hit rate is at most delta + (1 - delta) w_{k*}. *)
Definition dp_delta (K J : nat) (epsilon delta : R) (q : nat -> nat -> R) : Prop :=
  forall y y' (A : nat -> bool), (y < K)%nat -> (y' < K)%nat ->
    sum_over J A (q y) <= exp epsilon * sum_over J A (q y') + delta.

(** [claim ghazi2021: Section 7 (approximate DP)] *)
Theorem ghazi2021_section_7_approximate_dp K p epsilon delta Y k_star R :
  0 <= epsilon -> 0 <= delta <= 1 -> distribution K p -> chosen_by_algorithm_2 K p (exp epsilon) Y k_star ->
  channel K K R -> dp_delta K K epsilon delta R ->
  hit K p R <= delta + (1 - delta) * w K p (exp epsilon) k_star (Y k_star).
Proof.
  intros H Hd P A [N S] D; apply exp_ge_1 in H; set (t := exp epsilon) in *.
  set (z := fun y => Rmax (R y y - delta) 0).
  assert (Z0 : forall y, 0 <= z y) by (intros; apply Rmax_r).
  assert (ZR : forall y j, (y < K)%nat -> (j < K)%nat -> z j <= t * R y j).
  { intros y j Hy Hj; specialize (D j y (fun i => Nat.eqb i j) Hj Hy); unfold sum_over in D.
    rewrite !sum_pick in D by exact Hj; specialize (N y j Hy Hj); unfold z, Rmax.
    fold t in D; destruct (Rle_dec (R j j - delta) 0); nra. }
  assert (L : forall y, (y < K)%nat -> 0 < z y -> (t - 1) * z y + sum K z <= t * (1 - delta)).
  { intros y Hy Hz; assert (E : R y y = z y + delta).
    { unfold z, Rmax in *; destruct (Rle_dec (R y y - delta) 0); lra. }
    assert (sum K z + t * R y y - z y <= t); [|rewrite E in *; lra].
    apply Rle_trans with (sum K (fun j => t * R y j)); [|rewrite sum_scale, (S y Hy); lra].
    replace (sum K z + t * R y y - z y) with
      (sum K (fun j => z j + if Nat.eqb j y then t * R y j - z j else 0)).
    - apply sum_le; intros j Hj; specialize (ZR y j Hy Hj); destruct (Nat.eqb j y); lra.
    - rewrite sum_plus, (sum_pick K y (fun j => t * R y j - z j) Hy); ring. }
  assert (L' : forall y, (y < K)%nat -> (t - 1) * z y + sum K z <= t * (1 - delta)).
  { intros y Hy; destruct (Rle_lt_dec (z y) 0) as [B|B]; [|apply L; assumption].
    assert (E : z y = 0) by (specialize (Z0 y); lra); rewrite E, Rmult_0_r, Rplus_0_l.
    destruct (minimum K (fun i => - z i)) as [a [Ha M]]; [lia|].
    destruct (Rle_lt_dec (z a) 0) as [Ba|Ba]; [|specialize (L a Ha Ba); specialize (Z0 a); nra].
    rewrite (sum_zero K z); [nra|]; intros i Hi; specialize (M i Hi); specialize (Z0 i); lra. }
  destruct P as [P0 P1].
  assert (B : sum K (fun y => p y * z y) <= (1 - delta) * w K p t k_star (Y k_star)).
  { assert (0 <= w K p t k_star (Y k_star)) by (apply w_nonneg; [|apply A|split]; assumption).
    apply lp2 with (t := t); auto; [lra|]; apply sets_below_the_best; assumption. }
  apply Rle_trans with (delta + sum K (fun y => p y * z y)); [|lra].
  replace delta with (delta * sum K p) by (rewrite P1; ring); rewrite <- sum_scale, <- sum_plus.
  apply sum_le; intros y Hy; specialize (P0 y Hy).
  assert (R y y <= delta + z y) by (unfold z, Rmax; destruct (Rle_dec (R y y - delta) 0); lra); nra.
Qed.

(** It is attained: the label itself with probability delta, else RRWithPrior. *)
Definition mixture (delta : R) (q : nat -> nat -> R) : nat -> nat -> R :=
  fun y j => delta * (if Nat.eqb j y then 1 else 0) + (1 - delta) * q y j.

(** [claim ghazi2021: Section 7 (approximate DP)] *)
Theorem ghazi2021_section_7_attained K p epsilon delta Y k_star :
  0 <= epsilon -> 0 <= delta <= 1 -> distribution K p -> chosen_by_algorithm_2 K p (exp epsilon) Y k_star ->
  let R := mixture delta (RRTop k_star (Y k_star) (exp epsilon)) in
  channel K K R /\ dp_delta K K epsilon delta R /\
  hit K p R = delta + (1 - delta) * w K p (exp epsilon) k_star (Y k_star).
Proof.
  intros H Hd [P0 P1] [T [B A]] R; destruct (ghazi2021_lemma_1 K k_star (Y k_star) epsilon H) as [[N S] D];
    [lia|apply T, B|]; apply exp_ge_1 in H; set (q := RRTop k_star (Y k_star) (exp epsilon)) in *.
  assert (Sum : forall A y, sum_over K A (R y) =
    delta * sum_over K A (fun j => if Nat.eqb j y then 1 else 0) + (1 - delta) * sum_over K A (q y)).
  { intros X y; unfold sum_over; rewrite <- !sum_scale, <- sum_plus; apply sum_ext; intros j Hj.
    unfold R, mixture; destruct (X j); ring. }
  assert (One : forall X y, (y < K)%nat -> 0 <= sum_over K X (fun j => if Nat.eqb j y then 1 else 0) <= 1).
  { intros X y Hy; split; [apply sum_over_nonneg; intros; destruct (Nat.eqb i y); lra|].
    apply Rle_trans with (sum K (fun j => if Nat.eqb j y then 1 else 0)).
    - apply sum_le; intros j Hj; destruct (X j), (Nat.eqb j y); lra.
    - rewrite (sum_pick K y (fun _ => 1) Hy); lra. }
  split; [split|split].
  - intros y j Hy Hj; specialize (N y j Hy Hj); unfold R, mixture; destruct (Nat.eqb j y); nra.
  - intros y Hy; unfold R, mixture; rewrite sum_plus, !sum_scale, (sum_pick K y (fun _ => 1) Hy), (S y Hy); ring.
  - intros y y' X Hy Hy'; rewrite !Sum; specialize (D y y' X Hy Hy').
    pose proof (One X y Hy); pose proof (One X y' Hy').
    assert (delta * sum_over K X (fun j => if Nat.eqb j y then 1 else 0) <= delta * 1)
      by (apply Rmult_le_compat_l; lra).
    assert (0 <= exp epsilon * (delta * sum_over K X (fun j => if Nat.eqb j y' then 1 else 0)))
      by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert ((1 - delta) * sum_over K X (q y) <= (1 - delta) * (exp epsilon * sum_over K X (q y')))
      by (apply Rmult_le_compat_l; lra); lra.
  - rewrite <- (ghazi2021_section_3_1_hit_rate K p k_star (Y k_star)); fold q.
    transitivity (delta * sum K p + (1 - delta) * hit K p q); [|rewrite P1; ring]; unfold hit.
    rewrite <- !sum_scale, <- sum_plus; apply sum_ext; intros y Hy; unfold R, mixture.
    rewrite Nat.eqb_refl; ring.
Qed.
