"""C4.5's tree before pruning, from which its pruned tree and its rules are made."""

import numpy as np

from learners.trees._kernels.gain_single import Columns
from learners.trees._kernels.growth_single import grow_in_single_precision
from learners.trees._kernels.single_rows import OrderedRows
from learners.trees.growing.gain_ratio import GainRatio, GainRules, has_few_values
from learners.trees.growing.growth import grow_tree
from learners.trees.growing.training_rows import GAP, TreeRows
from learners.trees.nodes.node_table import CUT, LEAF, VALUES, NodeTable
from learners.trees.pruning.error_based import collapsed

__all__ = ["grow_c45_tree"]

EPSILON = 1e-3  # bits: the zero of Quinlan's program
TIE = 1e-9  # bits per row: smaller differences are rounding


def grow_c45_tree(rows: TreeRows, *, min_weight: float, single_precision: bool) -> NodeTable:
    """Grow and collapse a tree as release 8 does."""
    if single_precision:
        return _single_tree(rows, min_weight)
    rules = GainRules(min_weight=min_weight, gap=GAP, tie=TIE)
    search = GainRatio(rules, least_info=EPSILON, least_ratio=-EPSILON)
    return collapsed(grow_tree(rows, search, min_split=2 * min_weight))


def _single_tree(rows: TreeRows, min_weight: float) -> NodeTable:
    with np.errstate(over="ignore"):  # numbers beyond the range are infinite, as in the program
        numbers = rows.values.astype(np.float32)
    weight = rows.weight.astype(np.float32)
    columns = Columns(
        rows.sizes, rows.is_number, numbers, rows.value_start, has_few_values(rows), float(min_weight), GAP
    )
    is_exact = not (rows.codes == rows.sizes).any() and bool((weight == np.rint(weight)).all())
    ordered = OrderedRows(rows.codes, rows.y, np.arange(rows.y.size), weight, is_exact)
    nodes, n = grow_in_single_precision(ordered, columns, rows.n_classes)
    attribute, cut, first_child, n_children, label = (part[:n].astype(np.int32) for part in nodes[:5])
    number = rows.is_number[attribute] & (attribute >= 0)
    threshold = np.full(n, np.nan)
    threshold[number] = rows.values[rows.value_start[attribute[number]] + cut[number]]
    kind = np.where(attribute < 0, LEAF, np.where(number, CUT, VALUES)).astype(np.int8)
    class_weight = nodes.class_weight[: n * rows.n_classes].reshape(n, rows.n_classes).astype(np.float64)
    errors = np.maximum(nodes.errors[:n], 0.0).astype(np.float64)  # rounding may leave less than 0
    return NodeTable(
        kind, attribute, threshold, first_child, n_children, class_weight, label, errors
    ).compacted()
