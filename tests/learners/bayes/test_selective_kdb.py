"""Selective KDB: leaving out a row is refitting without it, and what is chosen."""

import numpy as np
import pandas as pd
import pytest

from learners import KDBClassifier, SelectiveKDBClassifier
from learners.base import TrainingTable
from learners.bayes._shared.backed_off_families import BackedOffFamilies


def rows(n=60, n_features=5, n_classes=3, *, holes=0.1, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = (y[:, None] + rng.integers(0, 3, (n, n_features))) % 4
    X[:, 1] = (X[:, 0] + rng.integers(0, 2, n)) % 4
    X[rng.random(X.shape) < holes] = -1
    return X, y


def table_of(X, y, weight=None, n_classes=3):
    codes = np.where(X < 0, 4, X).T.astype(np.uint8)
    arities = np.full(X.shape[1], 4)
    return TrainingTable(codes, np.empty((0, len(y))), arities, y.astype(np.intp), n_classes, weight)


PARENTS = [(), (0,), (1, 0), (0, 2, 1), (3,)]
ORDER = np.array([0, 1, 2, 3, 4])


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_leaving_out_a_row_is_a_fit_without_it(level):
    X, y = rows()
    families = BackedOffFamilies.of(table_of(X, y), PARENTS)
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        without = BackedOffFamilies.of(table_of(X[rest], y[rest]), PARENTS, families.concentrations)
        alone = table_of(X[[i]], y[[i]])
        found = families.losses(alone, ORDER)[level]
        for n in range(len(ORDER) + 1):
            (want,) = without.up_to(level).posterior(alone.codes, ORDER[:n])[:, y[i]]
            assert 2.0 ** -found[n] == pytest.approx(want, rel=1e-10)


def test_the_losses_are_the_sum_over_the_rows():
    X, y = rows(seed=1)
    weight = np.random.default_rng(3).integers(1, 4, len(y)).astype(float)
    families = BackedOffFamilies.of(table_of(X, y, weight), PARENTS)
    of_rows = [families.losses(table_of(X[[i]], y[[i]], weight[[i]]), ORDER) for i in range(len(y))]
    losses = families.losses(table_of(X, y, weight), ORDER)
    np.testing.assert_allclose(losses, np.sum(of_rows, axis=0), rtol=1e-12)


def test_features_of_left_out_rows_are_those_of_a_fit_without_them():
    X, y = rows(seed=2)
    table = table_of(X, y)
    families = BackedOffFamilies.of(table, PARENTS)
    features = families.left_out_features(table, 2)
    for i in range(0, len(y), 7):
        rest = np.arange(len(y)) != i
        without = BackedOffFamilies.of(table_of(X[rest], y[rest]), PARENTS, families.concentrations)
        want = without.up_to(2).features(table.codes[:, [i]])
        np.testing.assert_allclose(features[[i]], want, rtol=1e-5, atol=1e-6)  # single precision


def test_it_finds_parity_and_leaves_noise_out():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2000, 6))
    y = X[:, 2] ^ X[:, 4] ^ (rng.random(2000) < 0.05)
    kdb = SelectiveKDBClassifier(k=1).fit(X, y)
    assert kdb.left_out_loss_.loc[1].min() < 0.35 < 0.9 < kdb.left_out_loss_.loc[0].min()
    assert kdb.k_ == 1
    assert {2, 4} <= set(kdb.selected_)
    noise = SelectiveKDBClassifier().fit(X, rng.integers(0, 2, 2000))
    assert len(noise.selected_) <= 2
    np.testing.assert_allclose(noise.left_out_loss_.to_numpy().min(), 1.0, atol=0.01)


def test_the_choice_is_the_least_loss_and_the_forecast_that_of_the_chosen():
    X, y = rows(200, seed=3, holes=0.0)
    kdb = SelectiveKDBClassifier(k=2).fit(X, y)
    losses = kdb.left_out_loss_
    assert losses.loc[kdb.k_, len(kdb.selected_)] == losses.to_numpy().min()
    assert all(len(others) <= kdb.k_ for others in kdb.parents_)
    changed = X.copy()
    dropped = [j for j in range(X.shape[1]) if j not in kdb.selected_]
    changed[:, dropped] = 0
    np.testing.assert_array_equal(kdb.predict_proba(changed), kdb.predict_proba(X))


def test_an_attribute_with_a_missing_parent_uses_those_before_it():
    X, y = rows(300, seed=4, holes=0.0)
    kdb = SelectiveKDBClassifier(k=2).fit(X, y)
    lower = SelectiveKDBClassifier(k=2).fit(X, y)
    first = kdb.selected_[0]
    holed = X[:5].copy()
    holed[:, first] = -1
    # by hand: log prior plus each attribute's deepest table whose parents are all known
    families = lower._families
    score = np.log(np.tile(kdb.class_prior_, (5, 1)))
    for j in kdb.selected_:
        if j == first:
            continue
        known = 0
        while known < len(kdb.parents_[j]) and kdb.parents_[j][known] != first:
            known += 1
        codes = np.where(holed < 0, 4, holed).T.astype(np.uint8)
        alone = families.up_to(known).posterior(codes, np.array([j]))
        score += np.log(alone / kdb.class_prior_)
    want = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(kdb.predict_proba(holed), want, rtol=1e-9)


def test_all_attributes_at_full_k_are_kdb_with_backing_off():
    X, y = rows(400, seed=5, holes=0.0)
    whole = KDBClassifier(k=1, smoothing="backoff").fit(X, y)
    families = BackedOffFamilies.of(table_of(X, y), whole.parents_)
    got = families.posterior(X.T.astype(np.uint8), np.arange(X.shape[1]))
    np.testing.assert_allclose(got, whole.predict_proba(X), rtol=1e-9)


def test_a_wrong_k_is_refused_in_a_sentence():
    for k in [-1, 1.5, True, "2"]:
        with pytest.raises(ValueError, match=r"k.*whole number.*0"):
            SelectiveKDBClassifier(k=k).fit(*rows())


def test_wide_parents_are_cut_off_where_tables_would_be_too_large():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: pd.Categorical(rng.integers(0, 200, 3000).astype(str)) for name in "abcd"})
    y = (X["a"].cat.codes + X["b"].cat.codes) % 2
    kdb = SelectiveKDBClassifier(k=3).fit(X, y)
    assert kdb._families.cells.parents.shape == (4, 1)  # 200 x 200 x 2 entries, but not 200 times as many


def test_tables_hold_what_occurs_alone():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 30, (4, 200)).astype(np.uint8)
    table = TrainingTable(codes, np.empty((0, 200)), np.full(4, 30), rng.integers(0, 5, 200), 5, None)
    families = BackedOffFamilies.of(table, [(), (0,), (1, 0), ()])
    assert len(families.tables) <= 30 * 4 + 200 * 3  # not 30 * 30 * 30
    shallow = families.up_to(1)
    assert len(shallow.tables) == 1 + shallow.cells.cell_ids.max() < len(families.tables)
    further = rng.integers(0, 31, (4, 50)).astype(np.uint8)  # 30 is missing
    without = BackedOffFamilies.of(table, [(), (0,), (1,), ()], families.concentrations[:, :2])
    np.testing.assert_array_equal(shallow.features(further), without.features(further))
