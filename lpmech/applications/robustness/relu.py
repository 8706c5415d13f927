"""Small ReLU networks: the nearest point of another class by a mixed-integer program (zheng2025 appendix C.1.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lpmech.applications.robustness.exact import ExactClassifier
from lpmech.applications.robustness.regions import Box
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, SolverError
from lpmech.mechanisms.intervals import as_numbers
from lpmech.programs.solvers.highs import silent_highspy

__all__ = ["MOST_NODES", "ReluClassifier", "TOLERANCE"]

#: How far the solver may break a constraint or miss the optimum; a tenth of it is where HiGHS' own limit lies.
TOLERANCE = 1e-9

#: Most nodes of one search, above which a network is too large.
MOST_NODES = 2000


class ReluClassifier(ExactClassifier):
    """The class with the largest output of a network of affine layers with ReLU in between; ties go to the first.

    Parameters
    ----------
    weights : sequence of array_like, shapes (n_1, d), (n_2, n_1), ...
        One matrix a layer, outputs by inputs (the transposed ``coefs_`` of scikit-learn's ``MLPClassifier``).
    biases : sequence of array_like, shapes (n_1,), (n_2,), ...
        One vector a layer. A last layer with one output means two classes, the second where it is positive.

    Raises
    ------
    InvalidInputError
        If the shapes do not fit or an entry is not a finite number.
    """

    def __init__(self, weights: Sequence[object], biases: Sequence[object]) -> None:
        for name, given in (("weights", weights), ("biases", biases)):
            if not isinstance(given, Sequence) or not given or len(given) != len(weights):
                raise InvalidInputError(name, given, "a list with one array a layer")
        layers = [(as_numbers(w, "weights"), as_numbers(b, "biases")) for w, b in zip(weights, biases, strict=True)]
        width = layers[0][0].shape[-1] if layers[0][0].ndim else 0
        for w, b in layers:
            if w.ndim != 2 or w.size == 0 or w.shape[1] != width or not np.all(np.isfinite(w)):
                raise InvalidInputError("weights", w.shape, f"finite matrices that fit together, here (n, {width})")
            if b.shape != w.shape[:1] or not np.all(np.isfinite(b)):
                raise InvalidInputError("biases", b, f"{len(w)} finite numbers")
            width = w.shape[0]
        if width == 1:
            w, b = layers[-1]
            layers[-1] = (np.vstack([np.zeros_like(w), w]), np.concatenate([[0.0], b]))
        self.layers = layers

    @property
    def dimension(self) -> int:
        """Number of features."""
        return int(self.layers[0][0].shape[1])

    def scores(self, points: Array) -> Array:
        """Outputs of the last layer, shape (n, classes)."""
        values = points
        for w, b in self.layers[:-1]:
            values = np.maximum(values @ w.T + b, 0.0)
        w, b = self.layers[-1]
        return values @ w.T + b

    def predict(self, points: Array) -> Array:
        """Index of the largest output."""
        return np.argmax(self.scores(points), axis=1)

    def rescaled(self, start: Array, scale: Array) -> ReluClassifier:
        """The same for features z in place of v = start + scale z."""
        (w, b), *others = self.layers
        layers = [(w * scale, b + w @ start), *others]
        return ReluClassifier([w for w, _ in layers], [b for _, b in layers])

    def growth(self, x: Array, box: Box, grow: Box, domain: Box) -> float:
        """Least growth with a point where some rival's score reaches that of the class, by HiGHS.

        The solver's proved bound is returned, a lower bound of the optimum, within `TOLERANCE`.

        Raises
        ------
        SolverError
            If the solver does not finish within `MOST_NODES` nodes.
        """
        label = int(self.predict(x[None, :])[0])
        rivals = [j for j in range(len(self.layers[-1][1])) if j != label]
        return min(self._nearest(label, rival, box, grow, domain) for rival in rivals)

    def _nearest(self, label: int, rival: int, box: Box, grow: Box, domain: Box) -> float:
        program = _Program(domain)
        growth = program.variable(0.0, float(np.max(domain.high - domain.low)))
        for i, feature in enumerate(program.features):
            program.at_most({feature: 1.0, growth: -grow.high[i]}, box.high[i])
            program.at_most({feature: -1.0, growth: grow.low[i]}, -box.low[i])
        values, bounds = program.features, (domain.low, domain.high)
        for w, b in self.layers[:-1]:
            low, high = _interval(w, b, bounds)
            values = [program.relu(w[k], b[k], values, low[k], high[k]) for k in range(len(b))]
            bounds = (np.maximum(low, 0.0), np.maximum(high, 0.0))
        w, b = self.layers[-1]
        lead = w[label] - w[rival]
        program.at_most(dict(zip(values, lead.tolist(), strict=True)), float(b[rival] - b[label]))
        return program.least(growth)


def _interval(w: Array, b: Array, bounds: tuple[Array, Array]) -> tuple[Array, Array]:
    """Least and largest values of an affine layer on a box."""
    low, high = bounds
    positive, negative = np.maximum(w, 0.0), np.minimum(w, 0.0)
    return positive @ low + negative @ high + b, positive @ high + negative @ low + b


class _Program:
    """A mixed-integer program under construction."""

    def __init__(self, domain: Box) -> None:
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.integral: list[int] = []
        self.rows: list[dict[int, float]] = []
        self.right: list[float] = []
        self.features = [self.variable(a, b) for a, b in zip(domain.low.tolist(), domain.high.tolist(), strict=True)]

    def variable(self, low: float, high: float, integral: bool = False) -> int:
        self.lower.append(low)
        self.upper.append(high)
        if integral:
            self.integral.append(len(self.lower) - 1)
        return len(self.lower) - 1

    def at_most(self, coefficients: dict[int, float], right: float) -> None:
        self.rows.append(coefficients)
        self.right.append(float(right))

    def relu(self, w: Array, b: float, inputs: list[int], low: float, high: float) -> int:
        """A variable equal to max(w . inputs + b, 0), given bounds of the argument."""
        if high <= 0:
            return self.variable(0.0, 0.0)
        output = self.variable(max(low, 0.0), high)
        affine = dict(zip(inputs, w.tolist(), strict=True))
        self.at_most({**affine, output: -1.0}, -b)
        if low >= 0:
            self.at_most({**{k: -v for k, v in affine.items()}, output: 1.0}, b)
            return output
        active = self.variable(0.0, 1.0, integral=True)
        self.at_most({output: 1.0, active: -high}, 0.0)
        self.at_most({**{k: -v for k, v in affine.items()}, output: 1.0, active: -low}, b - low)
        return output

    def least(self, variable: int) -> float:
        """Least value of a variable; infinite if the program has no solution."""
        highspy = silent_highspy()
        highs: Any = highspy.Highs()
        highs.silent()
        for option in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            highs.setOptionValue(option, TOLERANCE)
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_max_nodes", MOST_NODES)
        highs.setOptionValue("mip_abs_gap", TOLERANCE)
        highs.addVars(len(self.lower), np.array(self.lower), np.array(self.upper))
        highs.changeColCost(variable, 1.0)
        for integer in self.integral:
            highs.changeColIntegrality(integer, highspy.HighsVarType.kInteger)
        for row, right in zip(self.rows, self.right, strict=True):
            columns, values = np.array(list(row), dtype=np.int32), np.array(list(row.values()))
            highs.addRow(-highspy.kHighsInf, right, len(row), columns, values)
        highs.run()
        status, info = highs.getModelStatus(), highs.getInfo()
        if status == highspy.HighsModelStatus.kInfeasible:
            return math.inf
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(
                f"classifier: HiGHS does not find the nearest point of another class in {MOST_NODES} nodes ({status}); "
                "let fewer features change, take a smaller network, or a sampled bound"
            )
        bound = info.mip_dual_bound if self.integral else info.objective_function_value
        return max(float(min(bound, info.objective_function_value)), 0.0)
