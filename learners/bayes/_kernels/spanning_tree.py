"""Kernels of TAN's structure: conditional mutual information and the heaviest tree."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel


@kernel
def conditional_mutual_information(
    pairs: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return I(X_i, X_j | class) in nats for all pairs, each over the rows with both attributes."""
    # 7 attributes of 5 values: 10 us
    n_features = arities.size
    n_classes = pairs.shape[2]
    out = np.zeros((n_features, n_features))
    widest = 1
    for j in range(n_features):
        widest = max(widest, arities[j])
    left = np.empty((widest, n_classes))
    right = np.empty((widest, n_classes))
    both = np.empty(n_classes)
    for i in range(n_features):
        for j in range(i + 1, n_features):
            left[:], right[:], both[:] = 0.0, 0.0, 0.0
            block = pairs[offsets[i] : offsets[i] + arities[i], offsets[j] : offsets[j] + arities[j]]
            for u in range(arities[i]):
                for v in range(arities[j]):
                    for c in range(n_classes):
                        n = block[u, v, c]
                        left[u, c] += n
                        right[v, c] += n
                        both[c] += n
            total = 0.0
            for u in range(arities[i]):
                for v in range(arities[j]):
                    for c in range(n_classes):
                        n = block[u, v, c]
                        if n > 0.0:
                            total += n * np.log(n * both[c] / (left[u, c] * right[v, c]))
            rows = 0.0
            for c in range(n_classes):
                rows += both[c]
            out[i, j] = out[j, i] = total / rows if rows > 0.0 else 0.0
    return out


@kernel
def heaviest_tree(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the parents of the maximum-weight spanning tree (Prim from attribute 0, first found in ties)."""
    n = weights.shape[0]
    parents, best, inside = np.empty(n, np.int64), np.empty(n), np.zeros(n, np.bool_)
    parents[:], best[:] = -1, -np.inf
    if n:
        inside[0] = True
    for j in range(1, n):
        best[j] = weights[0, j]
        parents[j] = 0
    for _ in range(n - 1):
        chosen = -1
        for j in range(n):
            if not inside[j] and (chosen < 0 or best[j] > best[chosen]):
                chosen = j
        inside[chosen] = True
        for j in range(n):
            if not inside[j] and weights[chosen, j] > best[j]:
                best[j] = weights[chosen, j]
                parents[j] = chosen
    return parents
