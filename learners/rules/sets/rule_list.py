"""Order rules, add a default class, and drop harmful rules."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.rules._kernels.firing import weigh_rules
from learners.rules.sets.rule_choice import Coverage
from learners.rules.sets.ruleset import LearnedRule
from learners.tables.attributes import CodedTable

__all__ = ["RuleList", "make_rule_list"]


@dataclass(frozen=True, eq=False)
class RuleList:
    """An ordered list of rules. The first that fires decides."""

    rules: tuple[LearnedRule, ...]
    number: NDArray[np.int64]  # of each among the given rules
    worth: NDArray[np.float64]  # columns as `out` of `weigh_rules`
    default: int  # class code where no rule fires
    before: tuple[int, ...]  # numbers of the rules before any was dropped, in their order
    dropped: tuple[int, ...]  # numbers of the dropped rules, in the order of dropping


def make_rule_list(
    rules: Sequence[LearnedRule],
    numbers: Sequence[int],
    table: CodedTable,
    arities: NDArray[np.int64],
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    n_classes: int,
) -> RuleList:
    """Order rules class by class, find the default, and drop the first rule that does harm, repeatedly."""
    # First comes the class whose rules are wrong on the least weight of rows that no earlier class covers,
    # and within a class the rule with the best quality. The default is the most frequent class among the rows
    # that no rule covers, then overall. Harm is against the rest of the list.
    fires = Coverage.of(rules, table, arities)
    order = _order(rules, fires, y, weight, n_classes)
    coverage = Coverage.of([rules[r] for r in order], table, arities)
    conclusions = np.array([rules[r].conclusion for r in order], dtype=np.int64)
    default = _default(coverage, y, weight, n_classes)
    stays, dropped = np.ones(len(order), dtype=bool), []
    worth = np.empty((len(order), 4))
    while True:
        by_row = coverage.row_starts, coverage.row_rules
        weigh_rules(*by_row, stays, conclusions, default, y, weight, worth)
        harmful = np.flatnonzero(worth[:, 3] > worth[:, 2] + 1e-9)
        if not harmful.size:
            break
        stays[harmful[0]] = False
        dropped.append(numbers[order[harmful[0]]])
    left = np.flatnonzero(stays)
    return RuleList(
        tuple(rules[order[r]] for r in left),
        np.array([numbers[order[r]] for r in left], dtype=np.int64),
        worth[left],
        default,
        tuple(numbers[r] for r in order),
        tuple(dropped),
    )


def _order(
    rules: Sequence[LearnedRule],
    coverage: Coverage,
    y: NDArray[np.int32],
    weight: NDArray[np.float64],
    n_classes: int,
) -> list[int]:
    class_fires = np.zeros((n_classes, y.size), dtype=bool)
    of_class: list[list[int]] = [[] for _ in range(n_classes)]
    for r, rule in enumerate(rules):
        class_fires[rule.conclusion, coverage.rows[coverage.starts[r] : coverage.starts[r + 1]]] = True
        of_class[rule.conclusion].append(r)
    false_fires = class_fires & (y != np.arange(n_classes)[:, None])
    left, uncovered, order = list(range(n_classes)), np.ones(y.size, dtype=bool), []
    while left:
        wrong = false_fires[left] @ np.where(uncovered, weight, 0.0)
        best = left.pop(int((wrong <= wrong.min() + 1e-9).argmax()))
        order += sorted(of_class[best], key=lambda r: -rules[r].quality)
        uncovered &= ~class_fires[best]
    return order


def _default(coverage: Coverage, y: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int) -> int:
    uncovered = np.diff(coverage.row_starts) == 0
    of_class = np.bincount(y, weights=weight, minlength=n_classes)
    not_covered = np.bincount(y[uncovered], weights=weight[uncovered], minlength=n_classes)
    most = np.flatnonzero(not_covered >= not_covered.max() - 1e-9)
    return int(most[of_class[most].argmax()])
