"""`compare`, as people call it with estimators of their own."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import workbench
from generators import random_aode, random_naive_bayes, random_tan
from generators.networks.truth import ENUMERABLE_CELLS
from learners import NaiveBayesClassifier, PriorClassifier
from workbench import compare
from workbench.base.errors import LeftOutWarning, MissingScores, SameTruths, WorkbenchError
from workbench.designs import FreshSamples, HalfSplits, RandomSplits, RepeatedFolds
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.store.results import TOO_LARGE


class Majority(ClassifierMixin, BaseEstimator):
    """Forecast most of the probability for the most frequent class."""

    def __init__(self, share=0.9):
        self.share = share

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.best_ = counts.argmax()
        return self

    def predict_proba(self, X):
        rest = (1.0 - self.share) / max(1, len(self.classes_) - 1)
        y_prob = np.full((len(X), len(self.classes_)), rest)
        y_prob[:, self.best_] = self.share if len(self.classes_) > 1 else 1.0
        return y_prob

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


TRUTHS = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]


def test_an_estimator_of_the_user_is_compared_with_ours():
    mine = Majority(share=0.8)
    results = compare({"nb": NaiveBayesClassifier(), "mine": mine}, on=TRUTHS, sizes=(30, 300), n_test=100)
    assert results.table("accuracy").index.tolist() == [("truths", "nb"), ("truths", "mine")]
    assert (results.cells()["state"] == "done").all()
    assert not hasattr(mine, "classes_")


def test_a_mapping_of_truths_gives_a_table_for_each():
    kinds = {"tan": TRUTHS, "aode": random_aode(n_attributes=2, random_state=1)}
    results = compare({"prior": PriorClassifier()}, on=kinds, sizes=(30,), n_test=50)
    counts = results.cells().groupby("source", observed=True)["replicate"].nunique()
    assert counts.to_dict() == {"tan": 3, "aode": 1}


def test_a_store_keeps_what_was_computed(tmp_path):
    first = compare({"prior": PriorClassifier()}, on=TRUTHS, sizes=(30,), store=tmp_path / "s.db", n_test=50)
    learners = {"prior": PriorClassifier(), "mine": Majority()}
    second = compare(learners, on=TRUTHS, sizes=(30,), store=tmp_path / "s.db", n_test=50)
    stamps = second.cells().set_index("learner")["finished"]
    assert stamps["prior"].tolist() == first.cells()["finished"].tolist()
    assert second.runs["computed"].tolist() == [3, 3]


SCRIPT = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from generators import random_tan
from workbench import compare


class Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(4)]
results = compare({"mine": Constant()}, on=truths, sizes=(50,), n_test=50, n_jobs=2)
print(results.cells()["state"].tolist())
"""


@pytest.mark.process
def test_a_class_of_a_script_reaches_the_workers(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    root = str(Path(workbench.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env={"PYTHONPATH": root}, capture_output=True, text=True
    )
    assert done.stdout.strip() == "['done', 'done', 'done', 'done']", done.stderr


@pytest.mark.parametrize(
    "on, message",
    [
        (([[1, 2]], [0]), "has 1 row of 1 class: expected at least two classes"),
        ((pd.DataFrame(index=range(4)), list("abab")), "no column besides the class: expected an attribute"),
        ("no such set", "no such set"),
        ([], "which is empty"),
        ({"tan": TRUTHS, "x": 3}, "`on` contains an int: expected truths"),
    ],
    ids=["table", "no attributes", "name", "nothing", "number"],
)
def test_what_is_no_truth_is_reported(on, message):
    with pytest.raises(WorkbenchError, match=message):
        compare({"nb": NaiveBayesClassifier()}, on=on)


def test_learners_have_names():
    with pytest.raises(
        WorkbenchError, match="learners is an int: expected classifiers, in a list or by name"
    ):
        compare(3, on=TRUTHS)
    with pytest.raises(WorkbenchError, match="the study has no learners"):
        compare({}, on=TRUTHS)


class Bare:
    """No estimator of scikit-learn."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


@pytest.mark.parametrize(
    "learner, what",
    [(7, "7"), (Bare(), "a Bare"), (DecisionTreeRegressor(), "a DecisionTreeRegressor, a regressor")],
    ids=["number", "bare", "regressor"],
)
def test_what_is_no_classifier_is_reported(learner, what):
    with pytest.raises(WorkbenchError, match=f"learner 'mine' is {what}: expected an unfitted scikit-learn"):
        compare({"mine": learner}, on=TRUTHS)


def test_a_random_generator_needs_to_do_without_a_store(tmp_path):
    learners = {"tree": DecisionTreeClassifier(random_state=np.random.RandomState(0))}
    assert len(compare(learners, on=TRUTHS, sizes=(30,), n_test=50).frame())
    with pytest.raises(WorkbenchError, match="random_state of DecisionTreeClassifier is a RandomState"):
        compare(learners, on=TRUTHS, sizes=(30,), n_test=50, store=tmp_path / "s.db")


def test_two_kinds_do_not_share_a_truth_as_the_same_replicate(tmp_path):
    first, second, third = TRUTHS
    message = "sources 'a' and 'b' have the same truth as their replicate 0"
    for store in (None, tmp_path / "s.db"):
        with pytest.raises(WorkbenchError, match=message):
            compare(
                {"prior": PriorClassifier()},
                on={"a": [first, second], "b": [first, third]},
                sizes=(30,),
                store=store,
            )
    assert not (tmp_path / "s.db").exists()


def test_a_truth_that_is_given_twice_counts_once():
    first, second, third = TRUTHS
    with pytest.raises(WorkbenchError, match="as their replicate 1"):
        compare({"prior": PriorClassifier()}, on={"a": [third, first], "b": [second, first]}, sizes=(30,))
    prior = {"prior": PriorClassifier()}
    with pytest.warns(LeftOutWarning, match="'truths' has 2 truths, as 2 of 4 are duplicates"):
        twice = compare(prior, on=[first, second, first, second], sizes=(30,), n_test=50)
    once = compare(prior, on=[first, second], sizes=(30,), n_test=50)
    pd.testing.assert_frame_equal(twice.frame(), once.frame())


def test_replicates_of_given_truths_are_no_more_truths():
    prior = {"prior": PriorClassifier()}
    design = FreshSamples(replicates=3, sizes=(30,), n_test=20)
    with pytest.warns(SameTruths, match="'one' has 1 truth for 3 replicates.*these truths"):
        compare(prior, on={"one": TRUTHS[0]}, design=design)


def test_a_data_set_that_is_given_twice_counts_once():
    with pytest.warns(LeftOutWarning, match="source 'again' has the same rows as 'iris'"):
        results = compare(["prior"], on={"iris": "iris", "again": "iris"}, cv=2, metrics="accuracy")
    assert set(results.frame()["source"]) == {"iris"}


def test_a_truth_needs_a_class():
    with pytest.raises(WorkbenchError, match="'truths' contains a Network without a class"):
        compare({"prior": PriorClassifier()}, on=TRUTHS[0].with_class(None))


class Scale(TransformerMixin, BaseEstimator):
    """A transformer with a method that may be a parameter."""

    def __init__(self, factor=1.0):
        self.factor = factor

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X * self.factor

    def __sklearn_is_fitted__(self):
        return True


def mapped(function, seed=None):
    return make_pipeline(
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        FunctionTransformer(function),
        DecisionTreeClassifier(max_depth=1, max_features=1, random_state=seed),
    )


@pytest.mark.parametrize(
    "function, name",
    [(lambda X: X, "<lambda>"), (Scale(2.0).transform, "Scale.transform"), (mapped, None), (np.log1p, None)],
    ids=["lambda", "method", "named", "ufunc"],
)
def test_a_store_refuses_what_it_could_not_recognize(tmp_path, function, name):
    def call():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            compare({"f": mapped(function)}, on=TRUTHS, sizes=(30,), store=tmp_path / "s.db", n_test=50)

    if name is None:
        call()
        return
    with pytest.raises(
        WorkbenchError, match=f"parameter func .* is .*{name}, which has no name that a store"
    ):
        call()
    assert not (tmp_path / "s.db").exists()


def test_numbers_of_numpy_are_numbers(tmp_path):
    arguments = {
        "sizes": np.array([30, 60]),
        "seed": np.int64(3),
        "n_test": np.int32(50),
        "n_jobs": np.int8(1),
    }
    learners = {"mine": Majority(share=np.float32(0.75))}
    first = compare(learners, on=TRUTHS, store=tmp_path / "s.db", **arguments)
    plain = {"sizes": (30, 60), "seed": 3, "n_test": 50}
    second = compare({"mine": Majority(share=0.75)}, on=TRUTHS, store=tmp_path / "s.db", **plain)
    assert second.runs["computed"].tolist() == [6, 0]
    assert second.runs["study"].iloc[0] == second.runs["study"].iloc[1]
    assert first.frame().equals(second.frame())


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"sizes": "50"}, "sizes contains '50': expected a positive integer"),
        ({"sizes": ()}, r"sizes is \[\]: expected at least one size"),
        ({"n_test": 0}, "n_test contains 0: expected a positive integer"),
        (
            {"design": "five"},
            "unknown design 'five'; did you mean 'five_by_two'|unknown design 'five'; expected one of",
        ),
        ({"design": HalfSplits}, "design is HalfSplits: expected a design of workbench.designs"),
        (
            {"design": FreshSamples(2), "sizes": 5},
            r"sizes is 5, but a design is also given: .*FreshSamples",
        ),
        ({"metrics": "irb"}, "unknown metric 'irb'; did you mean 'ir_b'?"),
        ({"seed": 1.5}, "the study's seed is 1.5: expected an integer of at least 0"),
    ],
    ids=str,
)
def test_what_is_no_number_or_word_is_reported(arguments, message):
    with pytest.raises(WorkbenchError, match=message):
        compare({"prior": PriorClassifier()}, on=TRUTHS, **arguments)


PRIOR = {"prior": PriorClassifier()}


@pytest.fixture
def files(tmp_path):
    """Return a function that writes a CSV file."""

    def write(name, n=6):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kind,a,class\n" + f"x,{len(name)}.5,u\ny,2.5,v\n" * n)
        return path

    return write


def keys(on):
    study = compare(PRIOR, on=on, metrics="accuracy", design=HalfSplits(repeats=1)).study
    return study.source_keys


def test_files_of_one_name_go_by_as_much_of_their_paths_as_tells_them_apart(files):
    assert keys(
        [files("one/data.csv"), files("other/data.csv.gz".removesuffix(".gz")), files("mine.csv")]
    ) == [
        "one/data",
        "other/data",
        "mine",
    ]
    assert keys([files("up1/same/data.csv"), files("up22/same/data.csv")]) == [
        "up1/same/data",
        "up22/same/data",
    ]
    assert keys(["iris", files("iris.csv").rename(files("x/q.csv").parent / "iris.csv")]) == [
        "iris",
        "x/iris",
    ]
    one, other = files("dir/data.csv"), files("dir/data.tsv")
    with pytest.raises(WorkbenchError, match=r"data\.csv' and .*data\.tsv' would both have the name"):
        compare(PRIOR, on=[one, other])
    with pytest.raises(WorkbenchError, match="'iris' and 'iris' would both have the name 'iris'"):
        compare(PRIOR, on=["iris", "iris"])


def test_the_class_of_a_file_may_be_another_column(files):
    path = files("some.csv")
    for on in ((path, "kind"), [(str(path), "kind")], {"mine": (path, "kind")}):
        results = compare(PRIOR, on=on, metrics="accuracy", design=HalfSplits(repeats=1))
        assert (results.cells()["state"] == "done").all()
        last = compare(PRIOR, on=path, metrics="accuracy", design=HalfSplits(repeats=1))
        assert results.study.sources != last.study.sources
    assert keys((files("a.csv"), files("bb.csv"))) == ["a", "bb"]  # two files, no class
    with pytest.raises(WorkbenchError, match="no column 'kid' for the class: did you mean 'kind'"):
        compare(PRIOR, on=(path, "kid"))
    with pytest.raises(WorkbenchError, match="'some' has the class 0: expected the name of a column"):
        compare(PRIOR, on=(path, 0))


def test_a_file_of_nearly_the_name_is_suggested(files):
    path = files("customers.csv")
    for wrong in (
        path.with_name("customer.csv"),
        path.with_name("customers.arff"),
        path.with_suffix(".parquet"),
    ):
        with pytest.raises(WorkbenchError, match=r"did you mean 'customers\.csv'"):
            compare(PRIOR, on={"a": str(wrong)})


X8 = pd.DataFrame({"a": np.arange(8.0)})
ONE_OF_B = ["a"] * 7 + ["b"]


@pytest.mark.parametrize(
    "y, design, message",
    [
        (
            list("abababab"),
            RepeatedFolds(folds=9, stratified=False),
            "has 8 rows: expected 9, one for each fold",
        ),
        (
            list("abababab"),
            RepeatedFolds(folds=5),
            "at most 4 rows of a class: expected 5 .* set stratified to False",
        ),
        (
            ONE_OF_B,
            RandomSplits(stratified=True),
            "one row of class 'b': expected two of every class .* stratified",
        ),
        (
            list("aabbccdd"),
            RandomSplits(train=0.3, stratified=True),
            "one of each of 4 classes in both parts",
        ),
        (
            list("abababab"),
            RandomSplits(train=0.01),
            "expected enough for a row in both parts of a split with 1 training row",
        ),
    ],
)
def test_a_table_that_cannot_be_split_is_reported_once_and_before(y, design, message, tmp_path):
    with pytest.raises(WorkbenchError, match=f"source 'rows' .*{message}") as caught:
        compare(PRIOR, on=(X8, y), metrics="accuracy", design=design, store=tmp_path / "s.db")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "s.db").exists()


DAYS = pd.date_range("2020-01-01", periods=8)


@pytest.mark.parametrize(
    "cells, message",
    [
        (DAYS, "holds 2020-01-01 00:00:00 in row 1, but dates"),
        (pd.Series(DAYS).dt.date.astype(object), "holds 2020-01-01 in row 1, but text or numbers"),
        (pd.Series(DAYS).where(np.arange(8) > 2), "holds 2020-01-04 00:00:00 in row 4, but dates"),
        ([1.0, 2.0, np.nan, -np.inf, np.inf, 1.0, 1.0, 1.0], "holds -inf in row 4, but finite numbers"),
        (["u", None, [1, 2], *"vwxyz"], r"holds \[1, 2\] in row 3, but text or numbers"),
        (np.arange(8) * 1j, "holds 0j in row 1, but real numbers"),
    ],
    ids=["dates", "objects", "first", "infinite", "lists", "complex"],
)
@pytest.mark.parametrize("where", ["an attribute", "the class"])
def test_cells_that_no_learner_reads_are_reported_once_with_column_and_row(cells, message, where, tmp_path):
    X, y = pd.DataFrame({"good": np.arange(8.0), "odd": pd.Series(cells)}), pd.Series(list("abababab"))
    if where == "the class":
        X, y = X[["good"]], X["odd"].dropna() if X["odd"].isna().any() else X["odd"]
        X, message = X.loc[y.index], message.partition(" in row")[0]
    with pytest.raises(WorkbenchError, match=f"^column 'odd' of source 'rows' {message}"):
        compare(PRIOR, on=(X, y), metrics="accuracy", store=tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


@pytest.mark.filterwarnings("ignore::workbench.datasets.OrderedColumnWarning")
def test_holes_truth_values_and_labels_are_cells():
    X = pd.DataFrame(
        {
            "hole": ["u", None, np.nan, pd.NA, *"uvuv"],
            "mixed": [1, "a", True, 2.5, np.int8(1), *"uvu"],
            "truth": [True, False] * 4,
            "maybe": pd.array([True, None] * 4, dtype="boolean"),
            "cut": pd.cut(np.arange(8), 2),
            "day": pd.Categorical(DAYS),
            "number": pd.array([1, None] * 4, dtype="Float64"),
        }
    )
    results = compare(PRIOR, on=(X, list("abababab")), metrics="accuracy", design=HalfSplits(1))
    assert (results.cells()["state"] == "done").all()


@pytest.mark.parametrize(
    "arguments", [{"sizes": (5,)}, {"n_test": 50}, {"sizes": 5, "design": HalfSplits(1)}]
)
def test_numbers_for_truths_are_refused_on_tables(arguments):
    with pytest.raises(WorkbenchError, match=r"(sizes|n_test) is .*"):
        compare(PRIOR, on=(X8, list("abababab")), **arguments)


def test_the_truth_is_no_learner_on_a_table():
    with pytest.raises(WorkbenchError, match=r"learner 'best' forecasts with the generating model"):
        compare({**PRIOR, "best": TruthClassifier()}, on=(X8, list("abababab")))


def test_what_is_said_of_a_file_is_checked(files):
    path = files("some.csv")
    with pytest.raises(WorkbenchError, match=r"unknown option 'nominl' of the file .*; did you"):
        compare(PRIOR, on=[{"dataset": path, "class": "kind", "nominl": ["a"]}])
    with pytest.raises(WorkbenchError, match="'some' has nominal = 'a': expected a list"):
        compare(PRIOR, on={"dataset": path, "nominal": "a"})
    with pytest.raises(WorkbenchError, match=r"'i' is iris with nominal = \['a'\]: class, nominal"):
        compare(PRIOR, on={"i": {"dataset": "iris", "nominal": ["a"]}})
    assert keys({"dataset": path, "class": "kind"}) == ["some"]


@pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")
@pytest.mark.parametrize(
    "y",
    [np.arange(8) + 0.5, np.array([0.5, 1.0] * 4), np.arange(8) * 1.5],
    ids=["distinct", "two", "some whole"],
)
def test_a_number_to_predict_is_no_class(y):
    with pytest.raises(
        WorkbenchError, match=r"looks like a number to predict \(\d distinct .* 8 rows, such as \d\."
    ):
        compare(PRIOR, on=(X8, y))
    named = pd.Series(y).astype("category")  # whoever declares them means it
    assert len(compare(PRIOR, on=(X8, named), metrics="accuracy", design=HalfSplits(1)).cells()) == 1


@pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")
@pytest.mark.parametrize("n_each, refused", [(1, True), (2, False)])
def test_many_whole_numbers_are_classes_only_if_they_occur_again(n_each, refused):
    y = np.repeat(np.arange(150), n_each)
    on = (pd.DataFrame({"a": y.astype(float)}), y)
    if refused:
        with pytest.raises(WorkbenchError, match=r"\(150 distinct numbers in 150 rows, such as 0\)"):
            compare(PRIOR, on=on)
        return
    assert len(compare(PRIOR, on=on, metrics="accuracy", design=HalfSplits(1)).cells()) == 1


def test_truths_that_are_too_large_for_exact_scores_are_reported():
    large, small = (random_naive_bayes(n_attributes=n, arity=2, random_state=1) for n in (17, 3))
    assert f"{ENUMERABLE_CELLS:,}" in TOO_LARGE
    with pytest.warns(MissingScores, match=r"1 of 1 truths of 'truths' have no score"):
        found = compare(PRIOR, on=large, sizes=(20,), n_test=20, rows="exact")
    with pytest.raises(WorkbenchError, match='ask for rows="test"'):
        found.answer()
    with pytest.warns(MissingScores, match=r"1 of 2 truths of 'truths' have scores on test rows only"):
        found = compare(PRIOR, on=[large, small], sizes=(20,), n_test=20)
    assert found.choose().rows == "test"
