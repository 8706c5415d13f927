(** Zhang, Zhu, Chen, Xiong: Bipartite Randomized Response (2025), sections IV.A and IV.B. Terms are numbered from 0. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels.
Open Scope R_scope.

(** Equation (6). "Pr[y | x] = e^epsilon / (m e^epsilon + N - m) if y in Y_m, 1 / (m e^epsilon + N - m) if not", where
    Y_m depends on x. *)
Definition BRR (N m : nat) (Y_m : nat -> nat -> bool) (t : R) : nat -> nat -> R := fun x y =>
  if Y_m x y then t / (INR m * t + INR N - INR m) else 1 / (INR m * t + INR N - INR m).

Lemma denominator N m t : 1 <= t -> (1 <= N)%nat -> 0 < INR m * t + INR N - INR m.
Proof.
  intros T H; apply (le_INR 1 N) in H; simpl in H; pose proof (pos_INR m).
  replace (INR m * t + INR N - INR m) with (INR m * (t - 1) + INR N) by ring.
  assert (0 <= INR m * (t - 1)) by (apply Rmult_le_pos; lra); lra.
Qed.

(** Section IV.A. "Under the premise of satisfying differential privacy, BRR can be expressed as" (6): rows that sum to
    one, and epsilon-LDP, for every choice of sets of m terms.
    [claim zhang2025: eq. (6)] *)
Theorem zhang2025_equation_6 N m Y_m epsilon :
  0 <= epsilon -> (1 <= N)%nat -> (forall x, (x < N)%nat -> card N (Y_m x) = INR m) ->
  channel N N (BRR N m Y_m (exp epsilon)) /\ dp N N epsilon (BRR N m Y_m (exp epsilon)).
Proof.
  intros H HN C; apply exp_ge_1 in H; set (t := exp epsilon) in *; pose proof (denominator N m t H HN) as D.
  assert (P : 0 < 1 / (INR m * t + INR N - INR m)) by (apply Rdiv_lt_0_compat; lra).
  assert (E : t / (INR m * t + INR N - INR m) = t * (1 / (INR m * t + INR N - INR m))) by (field; lra).
  set (low := 1 / (INR m * t + INR N - INR m)) in *; assert (low <= t * low) by nra.
  split; [split|].
  - intros x y Hx Hy; unfold BRR; rewrite E; destruct (Y_m x y); fold low; lra.
  - intros x Hx; rewrite (sum_ext N _ (fun y => low + (t - 1) * low * ind (Y_m x y))).
    + rewrite sum_plus, sum_const, sum_scale; fold (card N (Y_m x)); rewrite (C x Hx); unfold low; field; lra.
    + intros y Hy; unfold BRR; rewrite E; fold low; destruct (Y_m x y); simpl; ring.
  - apply dp_iff_private; intros x x' y Hx Hx' Hy; fold t; unfold BRR; rewrite E; fold low.
    destruct (Y_m x y), (Y_m x' y); nra.
Qed.

(** The level is exactly epsilon if two sets differ.
    [claim zhang2025: eq. (6) (tight level)] *)
Theorem zhang2025_equation_6_level_is_tight N m Y_m t t' x x' y :
  1 <= t -> (x < N)%nat -> (x' < N)%nat -> (y < N)%nat -> Y_m x y = true -> Y_m x' y = false ->
  private N N t' (BRR N m Y_m t) -> t <= t'.
Proof.
  intros T Hx Hx' Hy Y Y' P; specialize (P x x' y Hx Hx' Hy); pose proof (denominator N m t T ltac:(lia)) as D.
  unfold BRR in P; rewrite Y, Y' in P; apply Rmult_le_reg_r with (1 / (INR m * t + INR N - INR m));
    [apply Rdiv_lt_0_compat; lra|]; unfold Rdiv in *; rewrite Rmult_1_l in *; exact P.
Qed.

(** It is zero if all rows have the same set.
    [claim zhang2025: eq. (6) (tight level)] *)
Theorem zhang2025_equation_6_equal_rows N m Y_m t :
  (forall x x' y, Y_m x y = Y_m x' y) -> private N N 1 (BRR N m Y_m t).
Proof. intros E x x' y Hx Hx' Hy; unfold BRR; rewrite (E x x' y); lra. Qed.

(** ** The best m of one row *)

(** "The utility is defined as Q = sum_i lambda_i w_i, where w_i = s_i / sum_j s_j." *)
Definition Q (N : nat) (lambda s : nat -> R) : R := sum N (fun i => lambda i * s i) / sum N s.

(** Equation (7): "dQ / ds_i = sum_j (lambda_i - lambda_j) s_j / (sum_j s_j)^2". *)
Definition dQ (N : nat) (lambda s : nat -> R) (i : nat) : R :=
  sum N (fun j => (lambda i - lambda j) * s j) / (sum N s * sum N s).

(** s_1 = ... = s_m = e^epsilon, the others are 1. *)
Definition weights (t : R) (m : nat) : nat -> R := fun i => if Nat.ltb i m then t else 1.

(** Algorithm 1, lines 2 to 9: "for i = 2 to N: if dQ / ds_i > 0 then s_i = e^epsilon, m = i, else break". *)
Fixpoint loop (N : nat) (lambda : nat -> R) (t : R) (m rounds : nat) : nat :=
  match rounds with
  | O => m
  | S rest => if Rlt_dec 0 (dQ N lambda (weights t m) m) then loop N lambda t (S m) rest else m
  end.
Definition algorithm_1 (N : nat) (lambda : nat -> R) (t : R) : nat := loop N lambda t 1 (N - 1).

Lemma weights_range t m i : 1 <= t -> 1 <= weights t m i <= t.
Proof. intros T; unfold weights; destruct (Nat.ltb i m); lra. Qed.

Lemma mass_positive N s : (1 <= N)%nat -> (forall i, (i < N)%nat -> 1 <= s i) -> 0 < sum N s.
Proof.
  intros H P; pose proof (P O ltac:(lia)).
  pose proof (sum_member N 0 s ltac:(intros i Hi; specialize (P i Hi); lra) ltac:(lia)); lra.
Qed.

Lemma sum_gaps N lambda s c : sum N (fun j => (c - lambda j) * s j) = c * sum N s - sum N (fun j => lambda j * s j).
Proof. rewrite <- sum_scale, <- sum_minus; apply sum_ext; intros; ring. Qed.

(** The sign of (7): s_i is raised if and only if lambda_i is above Q. *)
Lemma raised_iff_above N lambda s i : 0 < sum N s -> (0 < dQ N lambda s i <-> Q N lambda s < lambda i).
Proof.
  intros P; set (c := sum N s) in *; set (a := sum N (fun j => lambda j * s j)).
  assert (E : dQ N lambda s i = (lambda i - Q N lambda s) * / c).
  { unfold dQ, Q; rewrite sum_gaps; fold c a; field; lra. }
  assert (I : 0 < / c) by (apply Rinv_0_lt_compat, P); rewrite E; split; intros H.
  - destruct (Rlt_le_dec (Q N lambda s) (lambda i)) as [L|L]; [exact L|].
    assert ((lambda i - Q N lambda s) * / c <= 0); [|lra]; nra.
  - apply Rmult_lt_0_compat; lra.
Qed.

(** Raising s_m moves Q towards lambda_m, and not beyond. *)
Lemma raised_stays_below N lambda t m : 1 <= t -> (m < N)%nat ->
  Q N lambda (weights t m) < lambda m -> Q N lambda (weights t (S m)) < lambda m.
Proof.
  intros T H L.
  assert (W : forall i, weights t (S m) i = weights t m i + (if Nat.eqb i m then t - 1 else 0)).
  { intros i; unfold weights; destruct (Nat.ltb_spec i (S m)), (Nat.ltb_spec i m), (Nat.eqb_spec i m); try lia; ring. }
  assert (C : sum N (weights t (S m)) = sum N (weights t m) + (t - 1)).
  { rewrite (sum_ext N _ _ (fun i _ => W i)), sum_plus, (sum_pick N m (fun _ => t - 1) H); reflexivity. }
  assert (A : sum N (fun i => lambda i * weights t (S m) i) =
              sum N (fun i => lambda i * weights t m i) + lambda m * (t - 1)).
  { rewrite <- (sum_pick N m (fun i => lambda i * (t - 1)) H), <- sum_plus; apply sum_ext; intros i Hi.
    rewrite W; destruct (Nat.eqb i m); ring. }
  assert (P : forall n, 0 < sum N (weights t n)) by (intros; apply mass_positive; [lia|intros; apply weights_range, T]).
  pose proof (P m) as P1; pose proof (P (S m)) as P2; unfold Q in *; rewrite A, C in *.
  apply Rmult_lt_compat_r with (r := sum N (weights t m)) in L; [|exact P1].
  unfold Rdiv in L at 1; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in L by lra.
  apply Rmult_lt_reg_r with (sum N (weights t m) + (t - 1)); [exact P2|].
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.

Definition sorted (N : nat) (lambda : nat -> R) : Prop :=
  forall i j, (i <= j)%nat -> (j < N)%nat -> lambda j <= lambda i.

(** What the loop leaves: the raised terms are at least Q, the next one is not above Q. *)
Lemma loop_leaves N lambda t : 1 <= t -> sorted N lambda -> forall rounds m,
  (1 <= m)%nat -> (m + rounds = N)%nat -> Q N lambda (weights t m) <= lambda (m - 1)%nat ->
  let r := loop N lambda t m rounds in
  (m <= r <= N)%nat /\ Q N lambda (weights t r) <= lambda (r - 1)%nat /\
  ((r < N)%nat -> lambda r <= Q N lambda (weights t r)) /\
  (r = m \/ exists n, r = S n /\ Q N lambda (weights t n) < lambda n).
Proof.
  intros T S; induction rounds as [|rounds IH]; intros m Hm E B; cbn [loop].
  - repeat split; auto; lia.
  - assert (P : 0 < sum N (weights t m)) by (apply mass_positive; [lia|intros; apply weights_range, T]).
    destruct (Rlt_dec 0 (dQ N lambda (weights t m) m)) as [R|R].
    + apply raised_iff_above in R; [|exact P].
      pose proof (raised_stays_below N lambda t m T ltac:(lia) R) as R'.
      destruct (IH (Datatypes.S m)) as [I1 [I2 [I3 I4]]]; [lia|lia|simpl; rewrite Nat.sub_0_r; lra|].
      repeat split; auto; try lia; right; destruct I4 as [I4|I4]; [exists m; auto|exact I4].
    + repeat split; auto; try lia; intros _; destruct (Rle_lt_dec (lambda m) (Q N lambda (weights t m))) as [L|L]; auto.
      contradict R; apply raised_iff_above; assumption.
Qed.

Lemma first_at_least_average N lambda s : (1 <= N)%nat -> sorted N lambda -> (forall i, (i < N)%nat -> 1 <= s i) ->
  lambda (N - 1)%nat <= Q N lambda s <= lambda O.
Proof.
  intros H S P; pose proof (mass_positive N s H P) as C; unfold Q, Rdiv; split;
    apply Rmult_le_reg_r with (sum N s); auto; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra;
    rewrite <- sum_scale; apply sum_le; intros i Hi; specialize (P i Hi); apply Rmult_le_compat_r; try lra;
    apply S; lia.
Qed.

(** Section IV.B, Algorithm 1 "local highest-utility response search": its weights have the largest utility of all
    weights between 1 and e^epsilon, for every N and all similarities in falling order.
    [claim zhang2025: Alg. 1 (optimal for one row)]
    [claim zhang2025: Section IV.B (end weights)] *)
Theorem zhang2025_algorithm_1 N lambda epsilon s :
  0 <= epsilon -> (1 <= N)%nat -> sorted N lambda -> (forall i, (i < N)%nat -> 1 <= s i <= exp epsilon) ->
  let m := algorithm_1 N lambda (exp epsilon) in
  (1 <= m <= N)%nat /\ Q N lambda s <= Q N lambda (weights (exp epsilon) m).
Proof.
  intros H HN S B; apply exp_ge_1 in H; set (t := exp epsilon) in *; intros m.
  destruct (loop_leaves N lambda t H S (N - 1) 1) as [R [L [U _]]]; [lia|lia| |fold (algorithm_1 N lambda t) in *].
  { apply first_at_least_average; auto; intros; apply weights_range, H. }
  fold m in R, L, U; split; [lia|]; set (q := Q N lambda (weights t m)) in *.
  assert (P : 0 < sum N s) by (apply mass_positive; [lia|apply B]).
  assert (P' : 0 < sum N (weights t m)) by (apply mass_positive; [lia|intros; apply weights_range, H]).
  assert (Z : sum N (fun i => (q - lambda i) * weights t m i) = 0).
  { rewrite sum_gaps; unfold q, Q; field; lra. }
  assert (G : 0 <= sum N (fun i => (q - lambda i) * s i)).
  { rewrite <- Z; apply sum_le; intros i Hi; specialize (B i Hi); unfold weights.
    destruct (Nat.ltb_spec i m) as [I|I].
    - assert (lambda (m - 1)%nat <= lambda i) by (apply S; lia); nra.
    - assert (lambda i <= lambda m) by (apply S; lia); specialize (U ltac:(lia)); nra. }
  rewrite sum_gaps in G; unfold Q at 1, Rdiv; apply Rmult_le_reg_r with (sum N s); [exact P|].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.

(** So m is the best of all m; and the last weight stays 1, as section IV.B demands, for N >= 2. *)
Theorem zhang2025_algorithm_1_best_m N lambda epsilon m :
  0 <= epsilon -> (1 <= N)%nat -> sorted N lambda ->
  Q N lambda (weights (exp epsilon) m) <= Q N lambda (weights (exp epsilon) (algorithm_1 N lambda (exp epsilon))).
Proof.
  intros H HN S; apply zhang2025_algorithm_1; auto; intros i Hi; apply weights_range, exp_ge_1, H.
Qed.

(** [claim zhang2025: Section IV.B (end weights)] *)
Theorem zhang2025_algorithm_1_last_weight N lambda epsilon :
  0 <= epsilon -> (2 <= N)%nat -> sorted N lambda -> (algorithm_1 N lambda (exp epsilon) < N)%nat.
Proof.
  intros H HN S; apply exp_ge_1 in H; set (t := exp epsilon) in *.
  destruct (loop_leaves N lambda t H S (N - 1) 1) as [R [_ [_ W]]]; [lia|lia| |fold (algorithm_1 N lambda t) in *].
  { apply first_at_least_average; auto; [lia|intros; apply weights_range, H]. }
  destruct W as [W|[n [W L]]]; [lia|].
  destruct (Nat.eq_dec (algorithm_1 N lambda t) N) as [E|E]; [exfalso|lia].
  destruct (first_at_least_average N lambda (weights t n)) as [A _]; [lia|exact S|intros; apply weights_range, H|].
  replace (N - 1)%nat with n in A by lia; lra.
Qed.
