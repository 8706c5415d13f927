"""A conjecture that is true: randomised response on the k most probable labels, for the best k, maximises the hit rate.

The other labels release one of the k uniformly.
"""

from fractions import Fraction


def channel(t, prior):
    order = sorted(range(len(prior)), key=lambda y: -prior[y])
    best = max(range(1, len(prior) + 1), key=lambda k: sum(prior[y] for y in order[:k]) * t / (t + k - 1))
    kept = order[:best]
    return [[probability(y, j, kept, t) for j in range(len(prior))] for y in range(len(prior))]


def probability(y, j, kept, t):
    if j not in kept:
        return 0
    if y not in kept:
        return Fraction(1, len(kept))
    return (t if y == j else 1) / (t + len(kept) - 1)
