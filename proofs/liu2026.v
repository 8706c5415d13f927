(** Liu, Ding: BlockRR (2026), section 3.1 and appendices B and C.

    In the paper's letters t = e^epsilon, b = |B(y)|, s1 = |S~1|, s2 = |S~2|, l = |Delta|. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From lpmech Require Import Channels.
Open Scope R_scope.

(** Equation (3.2) and the lines below it. *)
Definition beta_1 (t b s1 s2 l : R) : R := (t - 1) * b + l * s2 / (s1 + s2).
Definition gamma_1 (t b s1 s2 l : R) : R := ((t - 1) * b + l) - l / (s1 + s2) * ((t - 1) * b + s1).
Definition kappa (t b s1 s2 l : R) : R := ((t - 1) * b + s1) * ((t - 1) * b + s2) - (s1 - l) * s2.
Definition beta (t b s1 s2 l : R) : R := beta_1 t b s1 s2 l / kappa t b s1 s2 l.
Definition gamma (t b s1 s2 l : R) : R := gamma_1 t b s1 s2 l / kappa t b s1 s2 l.

(** The sizes that the formulas are for. *)
Definition sizes (t b s1 s2 l : R) : Prop :=
  1 < t /\ 0 < b <= s1 + s2 /\ 0 <= s1 /\ 0 <= s2 /\ 0 <= l <= s1.

Ltac use_sizes H :=
  let T := fresh "T" in let B := fresh "B" in let S1 := fresh "S1" in let S2 := fresh "S2" in let L := fresh "L" in
  pose proof H as [T [B [S1 [S2 L]]]].

(** The denominator of (3.2) is positive.
    [claim liu2026: eq. (3.2) (positivity)] *)
Theorem liu2026_kappa_is_positive t b s1 s2 l : sizes t b s1 s2 l -> 0 < kappa t b s1 s2 l.
Proof.
  intros H; use_sizes H; unfold kappa; set (e := (t - 1) * b); assert (0 < e) by (apply Rmult_lt_0_compat; lra).
  replace ((e + s1) * (e + s2) - (s1 - l) * s2) with (e * e + e * (s1 + s2) + l * s2) by ring.
  assert (0 < e * e) by nra; assert (0 <= e * (s1 + s2)) by nra; assert (0 <= l * s2) by nra; lra.
Qed.

(** What (3.2) solves. "(3.1): (e^epsilon |B(y)| + |S~1| - |B(y)|) beta + |S~2| gamma = 1,
    (|S~1| - |Delta|) beta + (e^epsilon |B(y)| + |S~2| - |B(y)|) gamma = 1 - |Delta| / |S~|."
    [claim liu2026: eq. (3.2)] *)
Theorem liu2026_equation_3_1 t b s1 s2 l : sizes t b s1 s2 l ->
  (t * b + s1 - b) * beta t b s1 s2 l + s2 * gamma t b s1 s2 l = 1 /\
  (s1 - l) * beta t b s1 s2 l + (t * b + s2 - b) * gamma t b s1 s2 l = 1 - l / (s1 + s2).
Proof.
  intros H; pose proof (liu2026_kappa_is_positive _ _ _ _ _ H) as K; use_sizes H.
  unfold beta, gamma, beta_1, gamma_1; split; apply Rmult_eq_reg_r with (kappa t b s1 s2 l); try lra;
    unfold kappa in *; field; lra.
Qed.

(** "Solving (3.1) yields (3.2)": there is no other solution.
    [claim liu2026: eq. (3.2)] *)
Theorem liu2026_equation_3_2_is_the_only_solution t b s1 s2 l x y : sizes t b s1 s2 l ->
  (t * b + s1 - b) * x + s2 * y = 1 ->
  (s1 - l) * x + (t * b + s2 - b) * y = 1 - l / (s1 + s2) ->
  x = beta t b s1 s2 l /\ y = gamma t b s1 s2 l.
Proof.
  intros H X Y; destruct (liu2026_equation_3_1 _ _ _ _ _ H) as [B C];
    pose proof (liu2026_kappa_is_positive _ _ _ _ _ H) as K.
  set (d := x - beta t b s1 s2 l); set (e := y - gamma t b s1 s2 l).
  assert (P : (t * b + s1 - b) * d + s2 * e = 0) by (unfold d, e; lra).
  assert (Q : (s1 - l) * d + (t * b + s2 - b) * e = 0) by (unfold d, e; lra).
  assert (D : kappa t b s1 s2 l * d = 0).
  { transitivity ((t * b + s2 - b) * ((t * b + s1 - b) * d + s2 * e) - s2 * ((s1 - l) * d + (t * b + s2 - b) * e));
      [unfold kappa; ring|rewrite P, Q; ring]. }
  assert (E : kappa t b s1 s2 l * e = 0).
  { transitivity ((t * b + s1 - b) * ((s1 - l) * d + (t * b + s2 - b) * e) - (s1 - l) * ((t * b + s1 - b) * d + s2 *
    e));
      [unfold kappa; ring|rewrite P, Q; ring]. }
  apply Rmult_integral in D as [D|D]; apply Rmult_integral in E as [E|E]; unfold d, e in *; lra.
Qed.

(** 0 < beta <= 1/|S~| <= e^epsilon beta and 0 <= gamma: appendix C.
    [claim liu2026: eq. (3.2) (positivity)]
    [claim liu2026: App. C chain 1 (conclusion)] *)
Theorem liu2026_appendix_c t b s1 s2 l : sizes t b s1 s2 l ->
  0 < beta t b s1 s2 l <= 1 / (s1 + s2) /\ 1 / (s1 + s2) <= t * beta t b s1 s2 l /\
  0 <= gamma t b s1 s2 l /\ (0 < s2 -> 0 < gamma t b s1 s2 l).
Proof.
  intros H; pose proof (liu2026_kappa_is_positive _ _ _ _ _ H) as K; use_sizes H; set (e := (t - 1) * b).
  assert (E : 0 < e) by (apply Rmult_lt_0_compat; lra).
  assert (D : 0 < / ((s1 + s2) * kappa t b s1 s2 l)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  set (d := / ((s1 + s2) * kappa t b s1 s2 l)) in *.
  assert (Eb : beta t b s1 s2 l = (e * (s1 + s2) + l * s2) * d) by (unfold beta, beta_1, d, e; field; lra).
  assert (Eg : gamma t b s1 s2 l = (e * (s1 + s2 - l) + l * s2) * d) by (unfold gamma, gamma_1, d, e; field; lra).
  assert (Es : 1 / (s1 + s2) = (e * e + e * (s1 + s2) + l * s2) * d).
  { replace (e * e + e * (s1 + s2) + l * s2) with (kappa t b s1 s2 l) by (unfold kappa, e; ring).
    unfold d; field; lra. }
  assert (0 <= l * s2) by nra; assert (0 < e * (s1 + s2)) by nra; assert (0 <= e * (s1 + s2 - l)) by nra.
  rewrite Eb, Eg, Es; repeat split.
  - apply Rmult_lt_0_compat; lra.
  - apply Rmult_le_compat_r; nra.
  - rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [lra|].
    assert (e * e <= (t - 1) * (e * (s1 + s2))); [|nra].
    replace (e * e) with ((t - 1) * (e * b)) by (unfold e; ring); apply Rmult_le_compat_l; [lra|nra].
  - apply Rmult_le_pos; lra.
  - intros P; apply Rmult_lt_0_compat; [|lra]; assert (0 < e * (s1 + s2 - l)) by nra; lra.
Qed.

(** ** Lemma 3.1 *)

Lemma beta_difference t b s1 s2 l l' : sizes t b s1 s2 l -> sizes t b s1 s2 l' ->
  beta t b s1 s2 l' - beta t b s1 s2 l =
  ((t - 1) * b) * ((t - 1) * b) * s2 * (l' - l) / ((s1 + s2) * kappa t b s1 s2 l * kappa t b s1 s2 l').
Proof.
  intros H H'; pose proof (liu2026_kappa_is_positive _ _ _ _ _ H);
    pose proof (liu2026_kappa_is_positive _ _ _ _ _ H'); use_sizes H.
  unfold beta, beta_1; unfold kappa in *; field; lra.
Qed.

Lemma gamma_difference t b s1 s2 l l' : sizes t b s1 s2 l -> sizes t b s1 s2 l' ->
  gamma t b s1 s2 l - gamma t b s1 s2 l' =
  ((t - 1) * b) * ((t - 1) * b) * ((t - 1) * b + s1) * (l' - l) /
  ((s1 + s2) * kappa t b s1 s2 l * kappa t b s1 s2 l').
Proof.
  intros H H'; pose proof (liu2026_kappa_is_positive _ _ _ _ _ H);
    pose proof (liu2026_kappa_is_positive _ _ _ _ _ H'); use_sizes H.
  unfold gamma, gamma_1; unfold kappa in *; field; lra.
Qed.

Lemma denominators t b s1 s2 l l' : sizes t b s1 s2 l -> sizes t b s1 s2 l' ->
  0 < / ((s1 + s2) * kappa t b s1 s2 l * kappa t b s1 s2 l').
Proof.
  intros H H'; apply liu2026_kappa_is_positive in H' as K'; apply liu2026_kappa_is_positive in H as K; use_sizes H.
  apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra.
Qed.

(** Lemma 3.1. "beta is monotonically increasing in l": strictly, where S~2 is not empty.
    [claim liu2026: Lemma 3.1 (beta)] *)
Theorem liu2026_lemma_3_1_beta t b s1 s2 l l' : sizes t b s1 s2 l -> sizes t b s1 s2 l' -> 0 < s2 -> l < l' ->
  beta t b s1 s2 l < beta t b s1 s2 l'.
Proof.
  intros H H' P L; apply Rlt_Rminus in L; pose proof (beta_difference _ _ _ _ _ _ H H') as D.
  pose proof (denominators _ _ _ _ _ _ H H'); use_sizes H; assert (0 < (t - 1) * b) by (apply Rmult_lt_0_compat; lra).
  assert (0 < beta t b s1 s2 l' - beta t b s1 s2 l); [|lra].
  rewrite D; unfold Rdiv; repeat apply Rmult_lt_0_compat; lra.
Qed.

(** Where S~2 is empty beta does not depend on l: "increasing" is meant weakly.
    [claim liu2026: Lemma 3.1 (beta, S~2 empty)] *)
Theorem liu2026_lemma_3_1_beta_S2_empty t b s1 l : sizes t b s1 0 l -> beta t b s1 0 l = 1 / ((t - 1) * b + s1).
Proof.
  intros H; use_sizes H; assert (0 < (t - 1) * b) by (apply Rmult_lt_0_compat; lra).
  unfold beta, beta_1, kappa; field; repeat split; nra.
Qed.

(** Lemma 3.1. "gamma is monotonically decreasing in l": strictly, also where S~2 is empty.
    [claim liu2026: Lemma 3.1 (gamma)] *)
Theorem liu2026_lemma_3_1_gamma t b s1 s2 l l' : sizes t b s1 s2 l -> sizes t b s1 s2 l' -> l < l' ->
  gamma t b s1 s2 l' < gamma t b s1 s2 l.
Proof.
  intros H H' L; apply Rlt_Rminus in L; pose proof (gamma_difference _ _ _ _ _ _ H H') as D.
  pose proof (denominators _ _ _ _ _ _ H H'); use_sizes H; assert (0 < (t - 1) * b) by (apply Rmult_lt_0_compat; lra).
  assert (0 < gamma t b s1 s2 l - gamma t b s1 s2 l'); [|lra].
  rewrite D; unfold Rdiv; repeat apply Rmult_lt_0_compat; lra.
Qed.

Lemma sizes_at_zero t b s1 s2 l : sizes t b s1 s2 l -> sizes t b s1 s2 0.
Proof. intros H; use_sizes H; repeat split; lra. Qed.

(** Lemma 3.1. "Furthermore, max_l gamma = min_l beta": both are 1 / ((e^epsilon - 1) |B| + |S~|), at l = 0.
    [claim liu2026: Lemma 3.1 (max gamma = min beta)] *)
Theorem liu2026_lemma_3_1_extremes t b s1 s2 l : sizes t b s1 s2 l ->
  let v := 1 / ((t - 1) * b + (s1 + s2)) in
  beta t b s1 s2 0 = v /\ gamma t b s1 s2 0 = v /\ gamma t b s1 s2 l <= v <= beta t b s1 s2 l.
Proof.
  intros H v; pose proof (sizes_at_zero _ _ _ _ _ H) as Z; use_sizes H.
  assert (0 < (t - 1) * b) by (apply Rmult_lt_0_compat; lra).
  assert (Eb : beta t b s1 s2 0 = v) by (unfold beta, beta_1, kappa, v; field; repeat split; nra).
  assert (Eg : gamma t b s1 s2 0 = v) by (unfold gamma, gamma_1, kappa, v; field; repeat split; nra).
  repeat split; auto.
  - rewrite <- Eg; destruct (Rle_lt_or_eq_dec 0 l ltac:(lra)) as [P|<-]; [|lra].
    left; apply liu2026_lemma_3_1_gamma; assumption.
  - rewrite <- Eb; destruct (Rle_lt_or_eq_dec 0 l ltac:(lra)) as [P|<-]; [|lra].
    pose proof (beta_difference _ _ _ _ _ _ Z H) as D; pose proof (denominators _ _ _ _ _ _ Z H) as I.
    assert (0 <= beta t b s1 s2 l - beta t b s1 s2 0); [|lra].
    rewrite D; unfold Rdiv; repeat apply Rmult_le_pos; lra.
Qed.

(** After Lemma 3.1. "when l = |S~1| mitigation is strongest": the other end. *)
Theorem liu2026_section_3_1_largest_l t b s1 s2 : sizes t b s1 s2 s1 ->
  let e := (t - 1) * b in
  beta t b s1 s2 s1 = (e * (s1 + s2) + s1 * s2) / ((s1 + s2) * (e + s1) * (e + s2)) /\
  gamma t b s1 s2 s1 = s2 / ((s1 + s2) * (e + s2)).
Proof.
  intros H e; pose proof (liu2026_kappa_is_positive _ _ _ _ _ H) as K; use_sizes H.
  assert (0 < e) by (apply Rmult_lt_0_compat; lra); unfold kappa in K; fold e in K.
  unfold beta, beta_1, gamma, gamma_1, kappa; fold e; split; field; lra.
Qed.

(** ** The four blocks *)

(** S1 y: the true label y is a majority label. T1 j: the released label j is in S~1, otherwise it is in S~2.
    Top left e^epsilon beta on B(y), else beta; top right gamma; bottom left 1/|S~| on Delta, else beta; bottom right
    e^epsilon gamma on B(y), else gamma. *)
Definition BlockRR (t b s1 s2 l : R) (S1 T1 Delta : nat -> bool) (B : nat -> nat -> bool) : nat -> nat -> R :=
  fun y j =>
    let high := beta t b s1 s2 l in let low := gamma t b s1 s2 l in
    if S1 y then if T1 j then (if B y j then t * high else high) else low
    else if T1 j then (if Delta j then 1 / (s1 + s2) else high) else (if B y j then t * low else low).

(** K true labels, n = |S~| released ones. B(y) lies in the block of y and has b elements; where S~2 is empty, minority
    labels have l = |S~1| (Table 1, RRWithPrior): otherwise (3.1) has no solution for them. *)
Record blocks (K n : nat) (t b s1 s2 l : R) (S1 T1 Delta : nat -> bool) (B : nat -> nat -> bool) : Prop := {
  the_sizes : sizes t b s1 s2 l;
  size_1 : card n T1 = s1;
  size_2 : card n (fun j => negb (T1 j)) = s2;
  size_delta : card n Delta = l;
  delta_in : forall j, (j < n)%nat -> Delta j = true -> T1 j = true;
  near : forall y j, (y < K)%nat -> (j < n)%nat -> B y j = true -> T1 j = S1 y;
  size_b : forall y, (y < K)%nat -> card n (B y) = b \/ (S1 y = false /\ s2 = 0 /\ l = s1)
}.

(** "Both normalization, E[Pr(Y~ = y~ | Y = y)] = 1, and epsilon-label differential privacy": the rows. *)
Theorem liu2026_blocks_rows_sum_to_one K n t b s1 s2 l S1 T1 Delta B :
  blocks K n t b s1 s2 l S1 T1 Delta B -> channel K n (BlockRR t b s1 s2 l S1 T1 Delta B).
Proof.
  intros [H C1 C2 CD InD N Cb]; destruct (liu2026_equation_3_1 _ _ _ _ _ H) as [E1 E2].
  destruct (liu2026_appendix_c _ _ _ _ _ H) as [PB [_ [PG _]]]; use_sizes H.
  assert (PS : 0 < 1 / (s1 + s2)) by (apply Rdiv_lt_0_compat; lra).
  set (high := beta t b s1 s2 l) in *; set (low := gamma t b s1 s2 l) in *; split.
  - intros y j Hy Hj; unfold BlockRR; fold high low; destruct (S1 y), (T1 j), (B y j), (Delta j); nra.
  - intros y Hy; specialize (Cb y Hy); destruct (S1 y) eqn:Sy.
    + destruct Cb as [Cb|[F _]]; [|discriminate].
      rewrite (sum_ext n _ (fun j => high * ind (T1 j) + low * ind (negb (T1 j)) + (t - 1) * high * ind (B y j))).
      * rewrite !sum_plus, !sum_scale; unfold card in *; rewrite C1, C2, Cb.
        etransitivity; [|exact E1]; ring.
      * intros j Hj; specialize (N y j Hy Hj); rewrite Sy in N; unfold BlockRR; fold high low; rewrite Sy.
        destruct (T1 j), (B y j); simpl; try ring; discriminate (N eq_refl).
    + rewrite (sum_ext n _ (fun j => 1 / (s1 + s2) * ind (Delta j) + high * (ind (T1 j) - ind (Delta j)) +
        low * ind (negb (T1 j)) + (t - 1) * low * ind (B y j))).
      * rewrite !sum_plus, !sum_scale, sum_minus; unfold card in *; rewrite C1, C2, CD.
        destruct Cb as [Cb|[_ [Z Ll]]].
        -- rewrite Cb; transitivity (l / (s1 + s2) + ((s1 - l) * high + (t * b + s2 - b) * low));
             [field; lra|rewrite E2; ring].
        -- rewrite (sum_zero n (fun j => ind (B y j))); [rewrite Z, Ll in *; field; lra|].
           intros j Hj; destruct (B y j) eqn:Bj; [|reflexivity]; specialize (N y j Hy Hj Bj).
           assert (M : 1 <= card n (fun i => negb (T1 i))) by (apply (card_member n _ j Hj); rewrite N, Sy;
             reflexivity).
           unfold card in M; rewrite C2 in M; lra.
      * intros j Hj; specialize (N y j Hy Hj); specialize (InD j Hj); rewrite Sy in N; unfold BlockRR; fold high low.
        rewrite Sy; destruct (T1 j), (B y j), (Delta j); simpl; try ring;
          solve [discriminate (N eq_refl) | discriminate (InD eq_refl)].
Qed.

(** Theorem 3.4. "BlockRR_epsilon is epsilon-Label DP." For the four blocks, as defined above; Algorithm 1 prints
    another
    row for minority labels, see below.
    [claim liu2026: Theorem 3.4] *)
Theorem liu2026_theorem_3_4 K n epsilon b s1 s2 l S1 T1 Delta B :
  blocks K n (exp epsilon) b s1 s2 l S1 T1 Delta B ->
  dp K n epsilon (BlockRR (exp epsilon) b s1 s2 l S1 T1 Delta B).
Proof.
  set (t := exp epsilon); intros [H _ _ _ _ _ _]; apply dp_iff_private; fold t; intros y y' j Hy Hy' Hj.
  destruct (liu2026_appendix_c _ _ _ _ _ H) as [[PB SB] [BS [PG _]]]; use_sizes H; unfold BlockRR.
  set (high := beta t b s1 s2 l) in *; set (low := gamma t b s1 s2 l) in *; set (share := 1 / (s1 + s2)) in *.
  assert (high <= t * high) by nra; assert (t * high <= t * (t * high)) by nra.
  assert (low <= t * low) by nra; assert (t * low <= t * (t * low)) by nra.
  assert (t * high <= t * share) by nra; assert (share <= t * share) by nra.
  destruct (S1 y), (S1 y'), (T1 j), (B y j), (B y' j), (Delta j); lra.
Qed.

(** The level is exactly epsilon if some output is in B(y) and not in B(y') for a majority label y'. *)
Theorem liu2026_theorem_3_4_level_is_tight K n t b s1 s2 l S1 T1 Delta B y y' j t' :
  blocks K n t b s1 s2 l S1 T1 Delta B -> (y < K)%nat -> (y' < K)%nat -> (j < n)%nat ->
  B y j = true -> S1 y' = true -> B y' j = false ->
  private K n t' (BlockRR t b s1 s2 l S1 T1 Delta B) -> t <= t'.
Proof.
  intros [H _ C2 _ _ N _] Hy Hy' Hj Bj Sy' Bj' P; specialize (P y y' j Hy Hy' Hj); specialize (N y j Hy Hj Bj).
  destruct (liu2026_appendix_c _ _ _ _ _ H) as [[PB _] [_ [_ PG]]]; unfold BlockRR in P.
  rewrite Sy', Bj, Bj', N in P; destruct (S1 y) eqn:Sy.
  - apply Rmult_le_reg_r with (beta t b s1 s2 l); assumption.
  - assert (M : 1 <= card n (fun i => negb (T1 i))) by (apply (card_member n _ j Hj); rewrite N; reflexivity).
    rewrite C2 in M; apply Rmult_le_reg_r with (gamma t b s1 s2 l); [apply PG; lra|exact P].
Qed.

(** Algorithm 1, line 4, as printed, has gamma on every output outside of B(y) and Delta, in S~1 too. The row of a
    minority label, which is in S~2 with B(y), then sums to 1 - (|S~1| - l) (beta - gamma): the claim that it is a
    distribution is false, but for l = 0 and l = |S~1|. That is why Theorem 3.4 is stated for the four blocks.
    [claim liu2026: Alg. 1 line 4 (when it is right)] *)
Theorem liu2026_algorithm_1_line_4_as_printed t b s1 s2 l : sizes t b s1 s2 l ->
  let row := l * (1 / (s1 + s2)) + b * (t * gamma t b s1 s2 l) + (s1 + s2 - l - b) * gamma t b s1 s2 l in
  row = 1 <-> l = 0 \/ l = s1.
Proof.
  intros H row; destruct (liu2026_equation_3_1 _ _ _ _ _ H) as [_ E].
  assert (R : row = 1 - (s1 - l) * (beta t b s1 s2 l - gamma t b s1 s2 l)).
  { unfold row; replace (l * (1 / (s1 + s2))) with (l / (s1 + s2)) by (use_sizes H; field; lra); lra. }
  destruct (liu2026_lemma_3_1_extremes _ _ _ _ _ H) as [B0 [G0 [_ Bl]]]; rewrite R; split.
  - intros Z; destruct (Req_dec l 0) as [L|L]; [left; exact L|right].
    use_sizes H; pose proof (liu2026_lemma_3_1_gamma _ _ _ _ _ _ (sizes_at_zero _ _ _ _ _ H) H ltac:(lra)).
    destruct (Rmult_integral (s1 - l) (beta t b s1 s2 l - gamma t b s1 s2 l)); lra.
  - intros [->| ->]; [rewrite B0, G0|]; ring.
Qed.
