"""Growth in single precision against a plain, recursive twin: sums and rows in the program's order."""

import math
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import C45Classifier
from learners.base import TrainingTable
from learners.tables.attributes import Schema
from learners.trees._shared.unpruned_c45 import grow_c45_tree
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.node_table import NodeTable

LEAST = 2
F = np.float32
NOTHING = F(-1e-3)
Test = tuple[int, float]  # attribute and threshold


@dataclass
class Table:
    """Nominal columns as codes and numbers; None is missing."""

    cells: list[list[float | None]]
    y: list[int]
    weight: list[float]
    arities: list[int]  # 0 for a number

    def ranked(self) -> TreeRows:
        columns = {}
        for a, arity in enumerate(self.arities):
            cells = [row[a] for row in self.cells]
            codes = [-1 if x is None else int(x) for x in cells]
            columns[f"a{a}"] = (
                pd.Categorical.from_codes(codes, range(arity)) if arity else np.array(cells, dtype=float)
            )
        schema, coded = Schema.fit_code(pd.DataFrame(columns))
        y, weight = np.array(self.y, np.intp), np.array(self.weight)
        table = TrainingTable(coded.codes, coded.values, schema.arities, y, 3, weight)
        return rank_rows(table, schema)

    def grown(self) -> NodeTable:
        return grow_c45_tree(self.ranked(), min_weight=LEAST, single_precision=True)


@st.composite
def tables(draw, holes: tuple[float, ...], weights: tuple[float, ...]) -> Table:
    arities = draw(st.lists(st.sampled_from([0, 0, 2, 3]), min_size=1, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, share = draw(st.integers(1, 60)), draw(st.sampled_from(holes))
    y = rng.integers(0, 3, n)
    cells = [
        [
            None
            if rng.random() < share
            else float((label + rng.integers(0, 2)) % arity if arity else label + rng.integers(0, 9) / 3)
            for arity in arities
        ]
        for label in y
    ]
    return Table(
        cells, y.tolist(), rng.choice(weights[: draw(st.integers(1, len(weights)))], n).tolist(), arities
    )


@dataclass
class Node:
    """A node of the twin."""

    counts: list[np.float32]
    label: int
    errors: np.float32
    test: Test = (-1, math.nan)
    children: list["Node"] = field(default_factory=list)


class Twin:
    """The program's growth: places that hold a row and its weight, and change them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.places = [[i, F(w)] for i, w in enumerate(table.weight)]
        few = [arity < 0.3 * sum(table.weight) for arity in table.arities]
        self.counted = few if any(few) else [True] * len(few)
        self.tested: set[int] = set()

    def value(self, place: int, a: int) -> float | None:
        x = self.table.cells[self.places[place][0]][a]
        return None if x is None else float(F(x))

    def weigh(self, lo: int, hi: int) -> np.float32:
        return total(w for _, w in self.places[lo:hi])

    def count(self, lo: int, hi: int) -> list[np.float32]:
        return [total(w for i, w in self.places[lo:hi] if self.table.y[i] == c) for c in range(3)]

    def exchange(self, i: int, j: int) -> None:
        self.places[i], self.places[j] = self.places[j], self.places[i]

    def forward(self, lo: int, hi: int, test: Test, branch: int | None) -> int:
        """Bring the rows of a branch to the front, None for missing values; return their end."""
        a, threshold = test
        for i in range(lo, hi):
            x = self.value(i, a)
            taken = x if x is None or self.table.arities[a] else int(x > F(threshold))
            if taken == branch:
                self.exchange(lo, i)
                lo += 1
        return lo

    def grow(self, lo: int, hi: int) -> Node:
        whole, counts = self.weigh(lo, hi), self.count(lo, hi)
        label = int(np.argmax(counts))
        node = Node(counts, label, whole - counts[label])
        if counts[label] == whole or whole < 2 * LEAST:
            return node
        test = self.best_test(lo, hi)
        if test is None:
            return node
        as_leaf, node.errors, node.test = float(node.errors), F(0), test
        known = self.forward(lo, hi, test, None)
        known_weight = whole - self.weigh(lo, known)
        nominal = {test[0]} if self.table.arities[test[0]] else set()
        self.tested |= nominal
        for branch in range(self.table.arities[test[0]] or 2):
            stop = self.forward(known, hi, test, branch)
            if stop == known:
                node.children.append(Node([F(0)] * 3, label, F(0)))
                continue
            share = self.weigh(known, stop) / known_weight
            for place in self.places[lo:known]:
                place[1] = place[1] * share
            node.children.append(self.grow(lo, stop))
            node.errors += node.children[-1].errors
            self.forward(lo, stop, test, None)
            for place in self.places[lo:known]:
                place[1] = place[1] / share
        self.tested -= nominal
        if float(node.errors) >= as_leaf - 1e-3:
            node.children = []
        return node

    def best_test(self, lo: int, hi: int) -> Test | None:
        found = []
        for a, arity in enumerate(self.table.arities):
            if not (arity and a in self.tested):
                found.append(self.values_test(lo, hi, a) if arity else self.cut_test(lo, hi, a))
        found = [one for one in found if float(one[0]) > -1e-3]
        gains = [gain for gain, _, (a, _) in found if self.counted[a]]
        average = float(total(gains) / F(len(gains))) if gains else 1e6
        best, best_ratio = None, NOTHING
        for gain, info, test in found:
            if float(gain) >= average - 1e-3 and float(info) > 1e-3 and gain / info > best_ratio:
                best, best_ratio = test, gain / info
        return best

    def values_test(self, lo: int, hi: int, a: int) -> tuple[np.float32, np.float32, Test]:
        parts = [
            [
                total(
                    w for i, w in self.places[lo:hi] if self.table.cells[i][a] == v and self.table.y[i] == c
                )
                for c in range(3)
            ]
            for v in [None, *range(self.table.arities[a])]
        ]
        weights, whole = [total(part) for part in parts], self.weigh(lo, hi)
        known = whole - weights[0]
        if known <= 0:
            return NOTHING, F(0), (a, math.nan)
        within = 0.0
        for of_class in zip(*parts[1:], strict=True):
            within += term(total(of_class))
        base = F((term(known) - within) / float(known))
        return gain(parts, base, weights[0] / whole, known), info(weights) / whole, (a, math.nan)

    def cut_test(self, lo: int, hi: int, a: int) -> tuple[np.float32, np.float32, Test]:
        none = NOTHING, F(0), (a, math.nan)
        whole = self.weigh(lo, hi)
        begin = self.forward(lo, hi, (a, math.nan), None)
        missing = self.count(lo, begin)
        known = whole - total(missing)
        if known < 2 * LEAST:
            return none
        self.sort(begin, hi, a)
        low, high, low_weight = [F(0)] * 3, self.count(begin, hi), F(0)
        base, unknown = info(high) / known, F(1 - float(known / whole))
        least = F(min(max(F(0.1 * float(known) / 3), F(LEAST)), F(25)))
        cuts = []
        for place in range(begin, hi - 1):
            i, w = self.places[place]
            low_weight += w
            low[self.table.y[i]] += w
            high[self.table.y[i]] -= w
            if low_weight > known - least:
                break
            x, above = self.value(place, a), self.value(place + 1, a)
            if low_weight >= least and x < above - 1e-5:
                weights = [total(missing), low_weight, known - low_weight]
                one = gain([missing, low, high], base, unknown, known, weights)
                cuts.append((one, info(weights) / whole, F(F(x) + F(above)) / F(2)))
        cost = F((math.log(len(cuts)) if cuts else 0.0) / math.log(2) / float(whole))
        best, best_gain = None, F(0)
        for cut in cuts:
            if cut[0] - cost > best_gain:
                best, best_gain = cut, cut[0] - cost
        if best is None:
            return none
        numbers = [row[a] for row in self.table.cells if row[a] is not None]
        return best_gain, best[1], (a, max(x for x in numbers if F(x) <= best[2]))

    def sort(self, lo: int, hi: int, a: int) -> None:
        if hi - lo < 2:
            return
        pivot, middle = self.value(hi - 1, a), lo
        for i in range(lo, hi - 1):
            if self.value(i, a) <= pivot:
                self.exchange(middle, i)
                middle += 1
        low = middle
        for i in range(middle - 1, lo - 1, -1):
            if self.value(i, a) == pivot:
                low -= 1
                self.exchange(low, i)
        self.sort(lo, low, a)
        self.exchange(middle, hi - 1)
        self.sort(middle + 1, hi, a)


def total(weights) -> np.float32:
    out = F(0)
    for w in weights:
        out += w
    return out


def term(n: np.float32) -> float:
    return float(n) * (math.log(float(n)) / math.log(2)) if n > 0 else 0.0


def info(weights: list[np.float32]) -> np.float32:
    within = F(0)
    for w in weights:
        within = F(float(within) + term(w))
    return F(term(total(weights)) - float(within))


def gain(parts, base, unknown, known, weights=None) -> np.float32:
    heavy = [w >= LEAST for w in (weights or [total(part) for part in parts])[1:]]
    if sum(heavy) < 2:
        return NOTHING
    return (F(1) - unknown) * (base - total(info(part) for part in parts[1:]) / known)


def same(tree: NodeTable, number: int, node: Node) -> None:
    assert tree.class_weight[number].tolist() == [float(w) for w in node.counts]
    assert (tree.label[number], tree.errors[number]) == (node.label, max(float(node.errors), 0.0))
    assert tree.n_children[number] == len(node.children)
    if node.children:
        a, threshold = node.test
        assert tree.attribute[number] == a
        np.testing.assert_equal(tree.threshold[number], threshold)
    for child, below in zip(tree.children(number), node.children, strict=True):
        same(tree, child, below)


@settings(max_examples=100)
@given(tables((0.0, 0.1, 0.3), (1.0, 0.3, 2.0)))
def test_the_tree_is_that_of_the_plain_twin(table) -> None:
    same(table.grown(), 0, Twin(table).grow(0, len(table.y)))


@given(tables((0.0,), (1.0, 2.0)), st.randoms())
def test_whole_weights_and_no_missing_value_in_any_order_of_the_rows(table, chance) -> None:
    rows = list(range(len(table.y)))
    chance.shuffle(rows)
    other = Table(
        [table.cells[i] for i in rows],
        [table.y[i] for i in rows],
        [table.weight[i] for i in rows],
        table.arities,
    )
    one, two = table.grown(), other.grown()
    for name in ("attribute", "threshold", "class_weight", "label", "errors"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


@pytest.mark.parametrize("missing", [0, 1])
def test_rows_that_are_sorted_already_give_the_same_nodes(missing) -> None:
    x = np.arange(6_000.0)
    y = (x // 600 % 2).astype(int)
    x[:missing] = np.nan
    learner = C45Classifier(prune=False, single_precision=True).fit(x[:, None], y)
    assert learner.n_nodes_ == C45Classifier(prune=False).fit(x[:, None], y).n_nodes_
