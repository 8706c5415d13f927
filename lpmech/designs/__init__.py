"""What people ask of label counts: the best channel, losses, regimes, levels, the papers' own programs."""
