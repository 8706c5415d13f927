"""The paper, the symbols its claims share, and its mechanisms over symbols."""

from __future__ import annotations

from typing import Any

from lpmech.claims import Paper
from lpmech.terms import functions as tm

PAPER = Paper(
    "zheng2025",
    "Zheng, Hu: Quantifying Classifier Utility under Local Differential Privacy (zheng2025)",
    {
        r"$t$, $s$": r"$e^\epsilon$ and $e^{\epsilon/2}$",
        r"$\theta$": r"the radius of the ball $B_\theta(x)$ around the true value $x$",
        r"$p(\epsilon,\theta)$, $\rho(\epsilon,\theta)$": "the probability that a released value lies in the ball; the utility that is claimed to follow",
        r"$\tau$, $\omega$": "the share of the ball that may have another class, and the significance of the test for it",
        "$F$": "the distribution function of a mechanism's output",
        r"$\delta$, $I_\delta$": "the failure probability, and the indicator that decides whether a mechanism fails",
        r"$\sigma$, $C$": r"the scale of Gaussian noise and $\sqrt{-2\ln(\delta/2)}$ in App. B; $C$ is half the width of a window in Def. 11 and 12",
        "$l$, $r$, $h$": "ends of a mechanism's window; the classifier",
    },
)

#: t = e^epsilon; epsilon; radius of the ball; true value; failure probability; tolerance; significance of the test.
T, EPSILON, THETA, X, DELTA, TAU, OMEGA = tm.symbols("t epsilon theta x delta tau omega")


def positive(*symbols: Any) -> list[Any]:
    """Each of them above 0."""
    return [v > 0 for v in symbols]


def distance(a: Any, b: Any) -> Any:
    """|a - b|, in words the prover knows."""
    return tm.Max(a - b, b - a)


def pm_shape(s: Any) -> tuple[Any, Any, Any]:
    """Density on the window, half its width, and e^epsilon, of PM with s = e^(epsilon/2), a ball or a symbol."""
    return s, (s - 1) / (2 * s**2 - 2), s**2


def sw_shape(epsilon: Any, t: Any) -> tuple[Any, Any, Any]:
    """The same of SW with t = e^epsilon."""
    return (t - 1) / epsilon, (t * (epsilon - 1) + 1) / (2 * (t - 1) ** 2), t


def centred(x: Any, c: Any) -> Any:
    """Left end of the window of Def. 11 and 12."""
    return tm.Min(tm.Max(x - c, 0), 1 - 2 * c)


def two_densities(near: Any, length: Any, high: Any, t: Any) -> Any:
    """Mass of a set of that length, the high density on the near part of it and that over t on the rest."""
    return near * high + (length - near) * high / t


def window_cdf(y: Any, start: Any, width: Any, high: Any, t: Any) -> Any:
    """cdf of a window mechanism on [0, 1] at y in [0, 1]."""
    return two_densities(tm.Min(tm.Max(y - start, 0), width), y, high, t)
