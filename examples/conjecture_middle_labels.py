"""A conjecture that is subtly wrong: for the loss |i - j| and the uniform prior, one keeps the middle k labels.

Labels outside are moved to the nearest label inside, then randomised response is applied to the k labels; k has the
parity of K and is chosen well. It is true up to K = 6.
"""


def utility(K):
    return [[-abs(i - j) for j in range(K)] for i in range(K)]


def channel(t, K):
    return min((middle(t, K, k) for k in range(2 - K % 2, K + 1, 2)), key=loss)


def middle(t, K, k):
    first = (K - k) // 2
    last = first + k - 1
    nearest = [min(max(i, first), last) for i in range(K)]
    return [
        [(t if j == nearest[i] else 1) / (t + k - 1) if first <= j <= last else 0 for j in range(K)] for i in range(K)
    ]


def loss(rows):
    return sum(abs(i - j) * q for i, row in enumerate(rows) for j, q in enumerate(row))
