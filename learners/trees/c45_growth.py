"""C4.5's tree as it is before pruning: what the tree and the rules made from it begin with."""

from learners.trees.gain_ratio import GainRatio, GainRules
from learners.trees.growth import grow_tree
from learners.trees.node_table import NodeTable
from learners.trees.pruning import collapsed
from learners.trees.training_rows import TreeRows

__all__ = ["grow_c45_tree"]

EPSILON = 1e-3  # bits: what Quinlan's program takes for nothing
TIE = 1e-9  # bits a row: less is a difference of rounding


def grow_c45_tree(rows: TreeRows, *, min_weight: float, single_precision: bool) -> NodeTable:
    """Grow and collapse a tree as release 8 does.

    Parameters
    ----------
    rows : TreeRows
        The training rows.
    min_weight : float
        At least two branches of a test must have this weight.
    single_precision : bool
        Whether gains are computed in single precision, step by step as in the program; then no two of them
        are equal but for rounding.

    Returns
    -------
    NodeTable
        `errors` are training errors.

    Examples
    --------
    >>> import numpy as np
    >>> codes, y = np.array([[0], [0], [1], [1]], np.uint16), np.array([0, 0, 1, 1], np.int32)
    >>> rows = TreeRows(codes, np.array([2]), np.empty(0), np.array([0, 0]), y, np.ones(4), 2)
    >>> grow_c45_tree(rows, min_weight=2, single_precision=False).n_leaves
    2
    """
    tie = 0.0 if single_precision else TIE
    rules = GainRules(min_weight=min_weight, gap=1e-5, tie=tie, single=single_precision)
    search = GainRatio(rules, least_info=EPSILON, least_ratio=-EPSILON)
    return collapsed(grow_tree(rows, search, min_split=2 * min_weight))
