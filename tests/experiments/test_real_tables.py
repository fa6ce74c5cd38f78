"""The study of real tables: its split, its study files, its rivals on a nasty little table, and its notes."""

import contextlib
import importlib.util
import sys
import tomllib
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier

from workbench.base.threads import one_library_thread
from workbench.estimators.foreign import adapt

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "real_tables"
PAIRS = {
    f"{judging}.toml": f"development{end}.toml"
    for judging, end in {
        "study": "", "large": "_large", "tuned": "_tuned", "tuned_large": "_tuned_large", "curves": "_curves",
    }.items()
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def modules():
    """Import the scripts by their paths, under the names that study files and scripts have for them."""
    names = {
        "split": "split",
        "baselines": "experiments.studies.real_tables.baselines",
        "curves": "experiments.studies.real_tables.curves",
        "write_notes": "real_tables_write_notes",
    }
    found = {}
    with contextlib.chdir(FOLDER.parents[2]):
        for file, name in names.items():
            spec = importlib.util.spec_from_file_location(name, FOLDER / f"{file}.py")
            found[file] = importlib.util.module_from_spec(spec)
            sys.modules[name] = found[file]
            spec.loader.exec_module(found[file])
        yield found
    for name in names.values():
        del sys.modules[name]


def raw(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def tables_of(name):
    return raw(name)["sources"][0]["dataset"]


def few_rows(n=40, one_row=True):
    """Make a table with holes, a constant, a value never seen, and a class of one row and one of two."""
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"], dtype=object)[np.arange(n) % 2]
    shape = pd.Categorical(np.where(y == "a", "round", "flat"), categories=["round", "flat", "never"])
    X = pd.DataFrame(
        {
            "number": np.where(y == "a", 0.0, 1.0) + rng.normal(size=n),
            "constant": 1.0,
            "absent": np.nan,
            "unknown": pd.Categorical([None] * n, categories=["c0", "c1"]),
            "shape": shape,
            "code": pd.Categorical(
                [f"c{i}" for i in rng.integers(0, 3, n)], categories=["c0", "c1", "c2", "c3"]
            ),
        }
    )
    X.iloc[::5, 0] = np.nan
    X.iloc[::7, 4] = np.nan
    y[4:6] = "rare"
    if one_row:
        y[7] = "once"
    return X, pd.Series(pd.Categorical(y, categories=["a", "b", "rare", "once"]), name="class")


def rivals():
    entries = [entry for file in ("study.toml", "tuned.toml") for entry in raw(file)["learners"]]
    return [entry for entry in entries if isinstance(entry, dict) and "baselines:" in entry["learner"]]


def fitted(entry, X, y):
    from workbench.estimators.build import make_learner
    from workbench.estimators.inputs import input_of

    options = {key: value for key, value in entry.items() if key not in ("key", "learner")}
    made = make_learner(entry["key"], entry["learner"], options)
    small = {
        name: 5 for name in made.get_params() if name.rpartition("__")[2] in ("n_estimators", "max_iter")
    }
    made.set_params(**small, **{name: 0 for name in made.get_params() if name.endswith("random_state")})
    if getattr(made, "in_the_end", None):
        made.set_params(in_the_end={"n_estimators": 5})
    one_hot = input_of(made) == "one_hot"
    given = (lambda rows: np.asarray(pd.get_dummies(rows), dtype=float)) if one_hot else (lambda rows: rows)
    with one_library_thread():  # threads that wait for a busy core are slow
        return made.fit(given(X), y.to_numpy()), given


def test_the_file_is_what_the_rule_says(modules):
    development, judging = modules["split"].split()
    said = tomllib.loads((FOLDER / "split.toml").read_text(encoding="utf-8"))
    assert said == {"development": development, "judging": judging}
    assert len({*development, *judging}) == len(development) + len(judging)


def test_no_group_is_on_both_sides(modules):
    sides = [set(side) for side in modules["split"].split()]
    for group in modules["split"].GROUPS:
        assert sum(not side.isdisjoint(group) for side in sides) == 1
    assert sides[0] >= modules["split"].SEEN


@pytest.mark.parametrize(("judging", "development"), PAIRS.items())
def test_both_sides_have_the_same_study_on_their_own_tables(modules, judging, development):
    ours, theirs = raw(judging), raw(development)
    for part in ("seed", "learners", "design", "scores"):
        assert ours[part] == theirs[part]
    of_development, of_judging = modules["split"].split()
    assert set(tables_of(judging)) <= set(of_judging)
    assert set(tables_of(development)) <= set(of_development)


def test_every_table_is_in_one_study_and_tuned_rivals_meet_the_same(modules):
    for side, judging in enumerate((False, True)):
        start = "" if judging else "development"
        small, large = ("study", "large") if judging else ("development", "development_large")
        both = tables_of(f"{small}.toml") + tables_of(f"{large}.toml")
        assert sorted(both) == modules["split"].split()[side]
        join = "_" if start else ""
        assert tables_of(f"{start}{join}tuned.toml") == tables_of(f"{small}.toml")
        assert tables_of(f"{start}{join}tuned_large.toml") == tables_of(f"{large}.toml")
    assert raw("tuned.toml")["seed"] == raw("study.toml")["seed"]


@pytest.mark.slow
@pytest.mark.parametrize("entry", rivals(), ids=lambda entry: entry["key"])
def test_a_rival_learns_a_table_with_holes_and_a_class_of_one_row(modules, entry):
    X, y = few_rows()
    made, given = fitted(entry, X, y)
    new = X.iloc[:6].copy()
    new.iloc[0, 4], new.iloc[1] = "never", np.nan
    found = made.predict_proba(given(new))
    assert list(made.classes_) == ["a", "b", "once", "rare"]
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert set(made.predict(given(new))) <= set(made.classes_)


def test_folds_are_stratified_and_a_class_of_two_rows_is_always_learned(modules):
    codes = np.array([0] * 17 + [1] * 5 + [2] * 2 + [3])
    parts = list(modules["baselines"].dealt(codes, 3, np.random.default_rng(0)))
    assert sorted(np.concatenate([held for _, held in parts])) == list(range(25))
    assert all({0, 1, 2} <= set(codes[seen]) for seen, _ in parts)


class Spy(ClassifierMixin, BaseEstimator):
    """Remembers which rows, by their first column, were forecast by a fit that had not seen them, or had."""

    told: ClassVar[list[tuple[int, bool]]] = []

    def __init__(self, shrinkage: float = 1.0) -> None:
        self.shrinkage = shrinkage

    def fit(self, X, y):
        self.rows_, self.classes_ = set(np.asarray(X)[:, 0].tolist()), np.unique(y)
        self.shares_ = (np.bincount(y)[self.classes_] + self.shrinkage) / (len(y) + 2 * self.shrinkage)
        return self

    def predict_proba(self, X):
        Spy.told += [(row, row in self.rows_) for row in np.asarray(X)[:, 0].tolist()]
        return np.tile(self.shares_, (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_rivals_are_tuned_and_calibrated_by_rows_that_a_fit_has_not_seen(modules):
    baselines, n = modules["baselines"], 90
    X = np.column_stack([np.arange(n), np.random.default_rng(0).normal(size=n)])
    y = np.arange(n) % 2
    for rival in (baselines.Tuned(Spy(), {"shrinkage": [0.5, 5.0]}), baselines.Calibrated(Spy())):
        Spy.told.clear()
        rival.fit(X, y)
        assert {row for row, _ in Spy.told} == set(range(n))
        assert not any(seen for _, seen in Spy.told)


def test_boosting_takes_a_column_of_more_values_than_it_has_bins(modules):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"species": pd.Categorical.from_codes(np.arange(600) % 300, np.arange(300).astype(str))})
    y = rng.integers(0, 2, 600)
    found = adapt(modules["baselines"].boosting(early_stopping=True)).fit(X, y).predict_proba(X)
    assert np.isfinite(found).all()


def test_boosting_stops_by_rows_that_it_does_not_learn_from(modules, monkeypatch):
    given = []

    def fit(self, X, y, X_val=None, y_val=None):
        given.append((X, X_val))
        raise ZeroDivisionError

    monkeypatch.setattr(HistGradientBoostingClassifier, "fit", fit)
    X = pd.DataFrame({"row": np.arange(40.0)})
    y = np.array([0, 1] * 19 + [2, 3])  # two classes of one row, so that scikit-learn refuses to draw itself
    with pytest.raises(ZeroDivisionError):
        modules["baselines"].boosting(early_stopping=True).fit(X, y)
    ((learned, held),) = given
    assert len(held) == 4
    assert sorted([*learned["row"], *held["row"]]) == list(range(40))


def test_training_sets_grow_and_test_rows_stay(modules):
    design = modules["curves"].TrainingSizes(sizes=(4, 8), repeats=1, most_test=6)
    parts = [design.split(np.arange(20) % 2, fold, seed=3) for fold in (0, 1)]
    assert [(len(train), len(test)) for train, test in parts] == [(4, 6), (8, 6)]
    np.testing.assert_array_equal(parts[0][0], parts[1][0][:4])
    np.testing.assert_array_equal(parts[0][1], parts[1][1])
    assert not set(parts[1][0]) & set(parts[1][1])
