"""Rows of a node are grouped by a table, a counting sort or a sort of keys: all give the same groups."""

import itertools

import numpy as np
import pytest

from learners.trees.growing.gain_ratio import GainRules, find_all_gains
from learners.trees.growing.growth import OpenNodes
from learners.trees.growing.training_rows import TreeRows

RULES = GainRules(min_weight=2.0, cut_share=0.1, cut_most=25.0, gap=1e-5, tie=1e-9)
N_CLASSES = 4


def ranked(values: np.ndarray, y: np.ndarray, weight: np.ndarray, *, nominal: bool) -> TreeRows:
    """Rank one column by the numbers that it shows, missing ones last."""
    numbers = np.unique(values[~np.isnan(values)])
    codes = np.searchsorted(numbers, values).astype(np.uint32 if len(numbers) > 0xFFFF else np.uint16)
    start = np.array([0, 0 if nominal else len(numbers)])
    shown = np.empty(0) if nominal else numbers
    return TreeRows(codes[:, None], np.array([len(numbers)]), shown, start, y, weight, N_CLASSES)


def nodes_of(rows: TreeRows, start: list[int]) -> OpenNodes:
    parts = [slice(*pair) for pair in itertools.pairwise(start)]
    counts = [np.bincount(rows.y[p], rows.weight[p], N_CLASSES) for p in parts]
    tested = np.zeros((len(parts), 1), bool)
    place = np.array(start)
    return OpenNodes(np.arange(len(parts)), np.array(counts), place, rows.codes, rows.y, rows.weight, tested)


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize(
    ("n_values", "start"),
    [
        (300, [0, 1, 5, 40, 100, 160, 2000]),  # keys by insertion and by bytes, counting sort, table
        (5000, [0, 30, 90, 700, 9000]),
        (90_000, [0, 25, 100, 3000, 120_000]),  # codes of three bytes
    ],
)
def test_every_way_of_grouping_gives_the_gains_of_a_table(nominal, n_values, start) -> None:
    rng = np.random.default_rng(n_values)
    n = start[-1]
    values = rng.integers(0, n_values, n).astype(float)
    y = ((values // (n_values / 7) + rng.integers(0, 2, n)) % N_CLASSES).astype(np.int32)
    values[rng.random(n) < 0.1] = np.nan
    values[: min(n, n_values)][::3] = np.arange(min(n, n_values))[::3]  # so that all ranks are in use
    weight = rng.choice([0.5, 1.0, 1 / 3], n)
    rows = ranked(values, y, weight, nominal=nominal)
    got = find_all_gains(rows, nodes_of(rows, start), RULES)
    for node, (lo, hi) in enumerate(itertools.pairwise(start)):
        part = ranked(values[lo:hi], y[lo:hi], weight[lo:hi], nominal=nominal)
        want = find_all_gains(part, nodes_of(part, [0, hi - lo]), RULES)
        for name in ("gain", "split_info", "n_branches", "n_cuts", "steps"):
            figure, alone = getattr(got, name)[node, 0], getattr(want, name)[0, 0]
            np.testing.assert_allclose(figure, alone, rtol=1e-9, err_msg=f"{name} of node {node}")


def test_a_chunk_of_the_table_is_as_good_as_one_table() -> None:
    """More attributes than fit into the table at once."""
    rng = np.random.default_rng(0)
    n, d, size = 4000, 40, 1000
    codes = rng.integers(0, size + 1, (n, d)).astype(np.uint16)
    y = (codes[:, 0] % N_CLASSES).astype(np.int32)
    sizes, start = np.full(d, size), np.zeros(d + 1, np.int64)
    rows = TreeRows(codes, sizes, np.empty(0), start, y, np.ones(n), N_CLASSES)
    counts = np.bincount(y, minlength=N_CLASSES)[None, :].astype(float)
    whole, tested = np.array([0, n]), np.zeros((1, d), bool)
    root = OpenNodes(np.zeros(1, int), counts, whole, codes, y, rows.weight, tested)
    gains = find_all_gains(rows, root, RULES)
    for a in (0, 1, d - 1):
        one = TreeRows(codes[:, [a]], sizes[:1], np.empty(0), start[:2], y, rows.weight, N_CLASSES)
        alone = find_all_gains(one, root._replace(codes=one.codes, tested=tested[:, :1]), RULES)
        np.testing.assert_allclose(gains.gain[0, a], alone.gain[0, 0], rtol=1e-12)
        np.testing.assert_allclose(gains.split_info[0, a], alone.split_info[0, 0], rtol=1e-12)
