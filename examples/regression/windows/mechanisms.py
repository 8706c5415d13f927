"""Both are private at t = e^epsilon. Floats and exact numbers may go in: each formula is written once."""


def window(t, K, w):
    """Labels at most w from the true one, on a circle, are t times as likely as the others."""
    near, far = t / weight(t, K, w), 1 / weight(t, K, w)
    return [[near if min((j - y) % K, (y - j) % K) <= w else far for j in range(K)] for y in range(K)]


def weight(t, K, w):
    """Sum of a row of the window before it is normalised."""
    return K + (2 * w + 1) * (t - 1)


def hit_rate(t, K, w):
    """Probability that the released label is at most w from the true one."""
    return (2 * w + 1) * t / weight(t, K, w)


def geometric(t, K):
    """The geometric mechanism, whose mass beyond the ends is moved to them."""
    inner, end = (t - 1) / (t + 1), t / (t + 1)
    return [[(inner if 0 < j < K - 1 else end) / t ** abs(y - j) for j in range(K)] for y in range(K)]


def error(t, K):
    """Expected distance between the released label and the true one at an end of the line."""
    return (1 - t ** (1 - K)) / (t - 1) * t / (t + 1)
