"""Pictures: a channel as a heat map, mechanisms beside each other and against epsilon, repeated experiments.

Every function draws on the caller's axes, or on axes of a new figure, and returns them. To save the figure is the
caller's business (`png` gives its bytes), and so is the title of a figure that is theirs.
"""

from lpmech.plots.canvas import png
from lpmech.plots.channels import plot_channel, plot_comparison, plot_counting
from lpmech.plots.conditions import plot_condition
from lpmech.plots.discoveries import plot_discovery
from lpmech.plots.estimates import plot_frequencies
from lpmech.plots.experiments import plot_circle, plot_excess_risk, plot_release, plot_utility
from lpmech.plots.levels import plot_best, plot_kept, plot_losses, plot_regimes
from lpmech.plots.prior_maps import plot_prior_losses, plot_prior_map

__all__ = [
    "plot_best",
    "plot_channel",
    "plot_circle",
    "plot_comparison",
    "plot_condition",
    "plot_counting",
    "plot_discovery",
    "plot_excess_risk",
    "plot_frequencies",
    "plot_kept",
    "plot_losses",
    "plot_prior_losses",
    "plot_prior_map",
    "plot_regimes",
    "plot_release",
    "plot_utility",
    "png",
]
