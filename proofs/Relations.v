(** What the theorems use that are made from proof objects: `lpmech verify --rocq`, `lpmech check --rocq`. *)

From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.

(** Numbers, and what a relation says of the difference of its sides. *)
Lemma quotient n m : 0 < IZR (Zpos n) / IZR (Zpos m).
Proof. apply Rdiv_lt_0_compat; apply (IZR_lt 0); reflexivity. Qed.
Lemma pos_lt a b : a < b -> 0 < b - a. Proof. lra. Qed.
Lemma pos_le a b : a <= b -> 0 <= b - a. Proof. lra. Qed.
Lemma pos_ge a b : a >= b -> 0 <= a - b. Proof. lra. Qed.
Lemma of_gt a : a > 0 -> 0 < a. Proof. lra. Qed.
Lemma of_ge a : a >= 0 -> 0 <= a. Proof. lra. Qed.
Lemma square_le x : 0 <= x * x. Proof. apply Rle_0_sqr. Qed.
Lemma square_pos x : x <> 0 -> 0 < x * x. Proof. apply Rsqr_pos_lt. Qed.
Lemma strictly x : 0 <= x -> x <> 0 -> 0 < x. Proof. lra. Qed.

(** A relation from the sign of the difference of its sides. *)
Lemma by_lt a b s : 0 < s -> b - a = s -> a < b. Proof. lra. Qed.
Lemma by_le a b s : 0 <= s -> b - a = s -> a <= b. Proof. lra. Qed.
Lemma by_gt a b s : 0 < s -> a - b = s -> a > b. Proof. lra. Qed.
Lemma by_ge a b s : 0 <= s -> a - b = s -> a >= b. Proof. lra. Qed.
Lemma by_pos a s : 0 < s -> a = s -> 0 < a. Proof. lra. Qed.
Lemma by_nonneg a s : 0 <= s -> a = s -> 0 <= a. Proof. lra. Qed.
Lemma by_ne a b s : s <> 0 -> a - b = s -> a <> b. Proof. lra. Qed.
Lemma by_eq a b c d s : c = d -> a - b = s * (c - d) -> a = b.
Proof. intros -> E; assert (F : a - b = 0) by (rewrite E; ring); lra. Qed.

(** What is not zero. *)
Lemma ne_pos a s c : 0 < s -> a = c * s -> c <> 0 -> a <> 0.
Proof. intros P -> N; apply Rmult_integral_contrapositive_currified; lra. Qed.
Lemma ne_factor a b x r : a <> b -> a - b = x * r -> x <> 0.
Proof. intros N E ->; rewrite Rmult_0_l in E; lra. Qed.
Lemma ne_of a b c : a <> 0 -> a = c * b -> b <> 0.
Proof. intros N -> ->; apply N; ring. Qed.

Lemma quotient_ne a b : a <> 0 -> b <> 0 -> a / b <> 0.
Proof. intros N M; apply Rmult_integral_contrapositive_currified; [exact N | apply Rinv_neq_0_compat, M]. Qed.
Lemma product_ne a b : a <> 0 -> b <> 0 -> a * b <> 0. Proof. apply Rmult_integral_contrapositive_currified. Qed.

(** Whole numbers. *)
Definition whole (x : R) : Prop := exists n : Z, x = IZR n.
Lemma whole_number n : whole (IZR n). Proof. exists n; reflexivity. Qed.
Lemma whole_sum x y : whole x -> whole y -> whole (x + y).
Proof. intros [n ->] [m ->]; exists (n + m)%Z; symmetry; apply plus_IZR. Qed.
Lemma whole_product x y : whole x -> whole y -> whole (x * y).
Proof. intros [n ->] [m ->]; exists (n * m)%Z; symmetry; apply mult_IZR. Qed.
Lemma whole_step a b d : whole d -> b - a = d -> a < b -> b >= a + 1.
Proof.
  intros [n ->] E L; enough (b - a >= 1) by lra; rewrite E; apply Rle_ge, (IZR_le 1), (Zlt_le_succ 0), lt_IZR; lra.
Qed.

(** Certificates: a sum that is positive is not zero. *)
Lemma absurd s : 0 < s -> s = 0 -> False. Proof. lra. Qed.
Lemma against s z : 0 < s -> z = 0 -> s + z = 0 -> False. Proof. lra. Qed.
Lemma multiple a b c : a = b -> c * (a - b) = 0. Proof. intros ->; ring. Qed.
Lemma nothing a b : a = 0 -> b = 0 -> a + b = 0. Proof. lra. Qed.

Lemma sqrt_is x y : 0 <= y -> y * y = x -> sqrt x = y.
Proof. intros N <-; apply sqrt_square, N. Qed.

(** A relation or its opposite. *)
Lemma decide_lt a b : a < b \/ a >= b. Proof. destruct (Rlt_le_dec a b); lra. Qed.
Lemma decide_le a b : a <= b \/ a > b. Proof. destruct (Rle_lt_dec a b); lra. Qed.
Lemma decide_gt a b : a > b \/ a <= b. Proof. destruct (Rle_lt_dec a b); lra. Qed.
Lemma decide_ge a b : a >= b \/ a < b. Proof. destruct (Rlt_le_dec a b); lra. Qed.
Lemma decide_eq (a b : R) : a = b \/ a <> b. Proof. destruct (Req_dec a b); tauto. Qed.
Lemma decide_ne (a b : R) : a <> b \/ a = b. Proof. destruct (Req_dec a b); tauto. Qed.

(** Conditions of `field`; and what follows in other words. *)
Ltac nonzero := first [assumption
  | apply quotient_ne; nonzero | apply Rinv_neq_0_compat; nonzero
  | apply Rmult_integral_contrapositive_currified; nonzero
  | match goal with H : 0 < ?x |- ?z <> 0 => apply Rgt_not_eq; replace z with x by ring; exact H end
  | match goal with H : ?x <> ?y |- ?z <> 0 =>
      let E := fresh in intro E; apply H, Rminus_diag_uniq; first
        [transitivity z; [ring | exact E] | transitivity (- z); [ring | rewrite E; apply Ropp_0]] end
  | match goal with |- sqrt _ <> 0 => apply Rgt_not_eq, sqrt_lt_R0; lra end
  | lra
  | match goal with H : ?x <> ?y |- ?z <> 0 => intro; apply H; lra end].
Ltac never_zero := repeat match goal with |- _ /\ _ => split end; nonzero.
Ltac same_ := match goal with
  | |- context [_ / _] => field; never_zero
  | |- context [/ _] => field; never_zero
  | _ => ring end.
Ltac same := same_.
Ltac words := solve [assumption | tauto | lra
  | match goal with H : ?x <> ?y |- ?z <> ?w => intro; apply H; lra end
  | match goal with |- _ <> _ => intro; lra end | intuition lra | nra].
Ltac choices := unfold Rmax, Rmin, Rabs in *;
  repeat match goal with
    | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
    | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
    | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
    | H : context [Rcase_abs ?a] |- _ => destruct (Rcase_abs a) end; lra.
Ltac functions := solve [choices | rewrite <- exp_0; f_equal; same
  | unfold Rpower; rewrite <- ?exp_Ropp; repeat rewrite <- exp_Ropp; repeat rewrite <- exp_plus; f_equal; same
  | repeat match goal with |- context [exp ?x * / exp ?y] => rewrite <- (exp_Ropp y) end;
    repeat rewrite <- exp_plus; f_equal; same | f_equal; same].
