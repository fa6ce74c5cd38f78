"""Cost of one family whose table is a decision tree over the parents."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.adaptive_code import adaptive
from learners.tables._kernels.copying import copy_to

__all__ = ["grow_tree", "shape_saving", "tree_cost"]

LN2 = math.log(2)

# columns of a growing tree: the index in `parents` that a node tests (-1: a leaf), its first child, its rows,
# and, as bits, what its path has tested
ASKED, FIRST, START, STOP, USED = range(5)


@kernel
def tree_cost(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
    child: int,
    parents: NDArray[np.int64],
) -> float:
    """Return the nats of a child encoded by a decision tree over these parents, arcs not included."""
    # arguments and holes as in `family_cost`; measured: 5000 rows, three parents, in 0.1 ms
    arity = arities[child]
    members = np.append(parents, child)
    values = np.empty((members.size, codes.shape[1]), codes.dtype)
    known = np.zeros(arity, np.int64)
    filling = np.zeros(arity, np.int64)
    n_filling = 0
    for i in range(codes.shape[1]):
        value = np.int64(codes[child, i])
        if value >= arity:
            continue
        known[value] += 1
        whole = True
        for j in range(members.size):
            values[j, n_filling] = codes[members[j], i]
            whole &= codes[members[j], i] < arities[members[j]]
        if whole:
            filling[value] += 1
            n_filling += 1
    _, _, cost = grow_tree(values[:, :n_filling], arities[members], ln_factorials, parameter_cost)
    return cost + adaptive(known, ln_factorials) - adaptive(filling, ln_factorials)


@kernel
def grow_tree(
    values: NDArray[np.unsignedinteger],
    sizes: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
    """Grow a tree greedily, and return which parent each node tests, its first child, and the nats of all."""
    # Split while that saves nats, then until each parent is tested somewhere. A leaf costs its adaptive code,
    # `parameter_cost` for each of its free parameters, and ln 2; a split costs ln 2 and the log of the number
    # of parents not yet tested on its path. What is known of the shape is subtracted at the end, see
    # `shape_saving`. values (n_parents + 1, n_rows) has the child last and no holes; a leaf tests -1, its
    # first child is 0; a node's children follow each other in the order of the values.
    n_parents, n_rows = sizes.size - 1, values.shape[1]
    everything = (np.int64(1) << n_parents) - 1
    rows, work = np.arange(n_rows), np.empty(n_rows, np.int64)
    tree, lengths = np.zeros((64, 5), np.int64), np.zeros(64)
    tree[0, ASKED], tree[0, STOP] = -1, n_rows
    cost = _leaf(values[n_parents], sizes[n_parents], rows, ln_factorials, parameter_cost)
    lengths[0] = cost
    n_nodes, following, asked_somewhere = 1, 0, np.int64(0)
    while following < n_nodes or asked_somewhere != everything:
        node, least, u, gain = following, 0.0, -1, -np.inf
        if following < n_nodes:  # each leaf is tried once; splits elsewhere do not change it
            own = rows[tree[node, START] : tree[node, STOP]]
            barred = tree[node, USED]
            u, gain = _best_split(
                values, sizes, ln_factorials, parameter_cost, own, lengths[node], barred, barred
            )
            following += 1
        else:  # test an untested parent where that costs least
            least = -np.inf
            for leaf in range(n_nodes):
                if tree[leaf, ASKED] < 0:
                    own = rows[tree[leaf, START] : tree[leaf, STOP]]
                    other, its_gain = _best_split(
                        values,
                        sizes,
                        ln_factorials,
                        parameter_cost,
                        own,
                        lengths[leaf],
                        tree[leaf, USED],
                        asked_somewhere,
                    )
                    if its_gain > gain:
                        node, u, gain = leaf, other, its_gain
        if gain <= least:
            continue
        tree, lengths = _with_room(tree, lengths, n_nodes + sizes[u])
        _split(values[u], sizes[u], rows, work, tree, node, n_nodes, u)
        for new in range(n_nodes, n_nodes + sizes[u]):
            own = rows[tree[new, START] : tree[new, STOP]]
            lengths[new] = _leaf(values[n_parents], sizes[n_parents], own, ln_factorials, parameter_cost)
        n_nodes += sizes[u]
        asked_somewhere |= np.int64(1) << u
        cost -= gain
    cost -= shape_saving(sizes[:n_parents])
    return tree[:n_nodes, ASKED].copy(), tree[:n_nodes, FIRST].copy(), cost


@kernel
def shape_saving(arities: NDArray[np.int64]) -> float:
    """Return the nats saved because a tree has at least one split per parent and at most as many as fit."""
    # A shape encoded with one bit per node has i splits with probability C_i 2^-(2i + 1), C_i the Catalan
    # numbers (of binary trees, as in the CaMML program); more than m splits have binomial(2m + 2, m + 1)
    # 4^-(m + 1). Without parents ln 2 is left, the shape cost of the single leaf.
    most, breadth = 0.0, 1.0
    left = arities.copy()
    for _ in range(left.size):  # the largest first; compiling a sort takes seconds
        place = left.argmax()
        most += breadth
        breadth *= left[place]
        left[place] = 0
    return -math.log(_more_splits(arities.size - 1.0) - _more_splits(most))


@kernel
def _more_splits(m: float) -> float:
    """Probability of more than m splits."""
    if m < 0:
        return 1.0
    return math.exp(math.lgamma(2 * m + 3) - 2 * math.lgamma(m + 2) - (m + 1) * 2 * LN2)


@kernel
def _best_split(
    values: NDArray[np.unsignedinteger],
    sizes: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
    rows: NDArray[np.int64],
    length: float,
    used: int,
    barred: int,
) -> tuple[int, float]:
    """Find the allowed parent whose split of these rows saves most, or -inf if there is none."""
    n_parents = sizes.size - 1
    arity = sizes[n_parents]
    n_unused = 0
    for u in range(n_parents):
        n_unused += 1 - (used >> u & 1)
    best, best_gain = -1, -np.inf
    for u in range(n_parents):
        if not barred >> u & 1:
            counts = np.zeros((sizes[u], arity), np.int64)
            for i in rows:
                counts[np.int64(values[u, i]), np.int64(values[n_parents, i])] += 1
            gain = length - LN2 - math.log(n_unused)
            for value in range(sizes[u]):
                gain -= adaptive(counts[value], ln_factorials) + parameter_cost * (arity - 1) + LN2
            if gain > best_gain:
                best, best_gain = u, gain
    return best, best_gain


@kernel
def _split(
    column: NDArray[np.unsignedinteger],
    n_children: int,
    rows: NDArray[np.int64],
    work: NDArray[np.int64],
    tree: NDArray[np.int64],
    node: int,
    first: int,
    u: int,
) -> None:
    """Sort a leaf's rows by the values of a parent, and give the node a child for each."""
    tree[node, ASKED], tree[node, FIRST] = u, first
    place = tree[node, START]
    own = rows[place : tree[node, STOP]]
    for value in range(n_children):
        tree[first + value, START] = place
        for i in own:
            if column[i] == value:
                work[place] = i
                place += 1
        tree[first + value, STOP] = place
        tree[first + value, ASKED] = -1
        tree[first + value, FIRST] = 0
        tree[first + value, USED] = tree[node, USED] | (np.int64(1) << u)
    own[:] = work[tree[node, START] : tree[node, STOP]]


@kernel
def _with_room(
    tree: NDArray[np.int64], lengths: NDArray[np.float64], n_nodes: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    if n_nodes <= lengths.size:
        return tree, lengths
    longer, more = np.zeros((2 * n_nodes, tree.shape[1]), np.int64), np.zeros(2 * n_nodes)
    copy_to(more, lengths)
    for node in range(lengths.size):
        copy_to(longer[node], tree[node])
    return longer, more


@kernel
def _leaf(
    column: NDArray[np.unsignedinteger],
    arity: int,
    rows: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
) -> float:
    counts = np.zeros(arity, np.int64)
    for i in rows:
        counts[np.int64(column[i])] += 1
    return adaptive(counts, ln_factorials) + parameter_cost * (arity - 1) + LN2
