"""Twins: their structures, their tables, and rows that look like the table."""

import itertools

import numpy as np
import pandas as pd
import pytest

from generators import random_tan
from workbench.datasets.dataset import Dataset
from workbench.planning.columns import INTERVALS, MOST_VALUES, GroupedColumns
from workbench.planning.twins import ALPHA, DRAWS, Structure, structures_of, twins_of


@pytest.fixture(scope="module")
def columns(rows):
    return GroupedColumns.of(Dataset.of(*rows, what="it"))


@pytest.fixture(scope="module")
def structures(columns):
    return structures_of(columns, seed=1)


def test_numbers_are_cut_into_intervals_of_equal_frequency(columns) -> None:
    assert columns.arities.tolist() == [INTERVALS, INTERVALS, columns.dataset.X["text"].nunique(), 3, 2]
    own = columns.codes[1]
    assert np.bincount(own).max() - np.bincount(own).min() <= 8
    means = [columns.dataset.X["whole"][own == g] for g in range(INTERVALS)]
    ranges = sorted((one.min(), one.max()) for one in means)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(ranges))


def test_rare_values_share_a_group() -> None:
    values = [f"v{i}" for i in range(30) for _ in range(31 - i)]
    y = np.arange(len(values)) % 2
    own = GroupedColumns.of(Dataset.of(pd.DataFrame({"a": values}), y, what="it"))
    assert own.arities.tolist() == [MOST_VALUES, 2]
    together = {v for v, g in zip(values, own.codes[0], strict=True) if g == MOST_VALUES - 1}
    assert together == {f"v{i}" for i in range(MOST_VALUES - 1, 30)}


def test_a_class_without_rows_is_in_no_twin(rows) -> None:
    X, y = rows
    declared = pd.Series(pd.Categorical(y, categories=["absent", *sorted(set(y)), "zero"]))
    dataset = Dataset.of(X, declared, what="it")
    own = GroupedColumns.of(dataset)
    assert own.arities[-1] == 2
    for twin in twins_of(own, structures_of(own, seed=1), seed=1):
        _, codes = twin.sample(200, np.random.default_rng(0))
        assert set(codes) == {1, 2} == set(dataset.codes)


def test_holes_are_no_group(columns) -> None:
    assert np.array_equal(columns.codes[:-1] < 0, columns.dataset.X.isna().to_numpy().T)


def test_a_tree_twin_has_the_class_and_at_most_one_attribute_as_parents(structures) -> None:
    _, tan = structures
    *attributes, of_class = tan.parents
    place = len(attributes)
    assert tan.kind == "tan"
    assert of_class == ()
    assert all(place in own and len(own) <= 2 for own in attributes)
    assert sum(len(own) == 2 for own in attributes) == place - 1


def test_counts_are_those_of_complete_families(columns, structures) -> None:
    for structure in structures:
        for v, (parents, counts) in enumerate(zip(structure.parents, structure.counts, strict=True)):
            own = columns.codes[[*parents, v]]
            complete = own[:, (own >= 0).all(axis=0)]
            expected = np.zeros(counts.shape, dtype=int)
            np.add.at(expected, tuple(complete), 1)
            assert np.array_equal(counts, expected)


def test_tables_are_dirichlet_draws_given_the_counts() -> None:
    counts = np.array([[0, 3, 12], [0, 0, 0]])
    structure = Structure("tan", ((), (0,)), (np.array([15, 0]), counts))
    rng = np.random.default_rng(0)
    drawn = np.array([structure.draw(rng).cpts[1] for _ in range(4000)])
    total = counts.sum(axis=1, keepdims=True) + 3 * ALPHA
    mean = (counts + ALPHA) / total
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=0.02)
    assert drawn.var(axis=0) == pytest.approx(mean * (1 - mean) / (total + 1), abs=0.01)


def test_a_dense_twin_has_structure_that_a_message_would_not_pay_for() -> None:
    from learners import learn_network

    X, y = random_tan(n_attributes=9, arity=2, n_classes=2, random_state=0).sample(90, random_state=0)
    own = GroupedColumns.of(Dataset.of(X, y, what="it"))
    dense = structures_of(own, seed=0)[0]
    sparse = learn_network(own.codes.T, arities=own.arities.tolist())
    assert sum(map(len, dense.parents)) > len(sparse.network.arcs)


def test_drawn_rows_have_the_form_and_the_values_of_the_table(columns, structures) -> None:
    given = columns.dataset.X
    for twin in twins_of(columns, structures, seed=1):
        X, codes = twin.sample(500, np.random.default_rng(2))
        assert X.dtypes.astype(str).tolist() == given.dtypes.astype(str).tolist()
        assert codes.max() < 2
        for name in given:
            assert set(X[name].dropna()) <= set(given[name].dropna())
        assert X["number"].nunique() > 5 * INTERVALS  # any number of an interval, and not one of them
        # In the table text is missing in one class only, and there always.
        holes = X["text"].isna().to_numpy()
        assert set(codes[holes]) == {columns.dataset.codes[0]}
        assert holes[codes == columns.dataset.codes[0]].all()


def test_twins_differ_by_draw_and_repeat_by_seed(columns, structures) -> None:
    first, again = (list(twins_of(columns, structures, seed=5)) for _ in range(2))
    assert len(first) == 2 * DRAWS
    assert all(a.network == b.network for a, b in zip(first, again, strict=True))
    assert len({one.network for one in first}) == len(first)
    assert first[0].network != next(twins_of(columns, structures, seed=6)).network
