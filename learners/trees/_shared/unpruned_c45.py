"""C4.5's tree before pruning, from which its pruned tree and its rules are made."""

from learners.trees.growing.gain_ratio import GainRatio, GainRules
from learners.trees.growing.growth import grow_tree
from learners.trees.growing.training_rows import GAP, TreeRows
from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.error_based import collapsed

__all__ = ["grow_c45_tree"]

EPSILON = 1e-3  # bits: the zero of Quinlan's program
TIE = 1e-9  # bits per row: smaller differences are rounding


def grow_c45_tree(rows: TreeRows, *, min_weight: float) -> NodeTable:
    """Grow and collapse a tree as release 8 does."""
    rules = GainRules(min_weight=min_weight, gap=GAP, tie=TIE)
    search = GainRatio(rules, least_info=EPSILON, least_ratio=-EPSILON)
    return collapsed(grow_tree(rows, search, min_split=2 * min_weight))
