"""Comparisons as people of scikit-learn write them: lists, splitters, pipelines, aliases, Ctrl-C."""

import math
import os
import re
import signal
import traceback
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.special
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import workbench.engine.progress as progress_of
from generators import random_tan
from learners import NaiveBayesClassifier, TANClassifier
from learners.tables.columns import IntegerColumnWarning
from tests.notes import Notes
from workbench import compare, load, read_study, run, write_study
from workbench.analyses import Correlations
from workbench.analyses.bias_variance import decomposed_score
from workbench.base.errors import (
    FailedCells,
    InferredClassWarning,
    Interrupted,
    OneClass,
    OrderOfClasses,
    WorkbenchError,
)
from workbench.datasets import RowNamesWarning
from workbench.designs import ScikitSplits
from workbench.engine import runner
from workbench.engine.briefing import lines_of
from workbench.engine.progress import COMPILING, BarProgress, NotebookProgress, PlainProgress, Silent
from workbench.estimators.known_code import is_known_code
from workbench.metrics import CostMatrix
from workbench.store.results import results_of
from workbench.study.learner_spec import read_learners
from workbench.study.scores import Scores

IRIS = load_iris(return_X_y=True, as_frame=True)
TRUTHS = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]


@pytest.fixture(scope="module")
def heart() -> tuple[pd.DataFrame, pd.Series]:
    """Return a table with text, numbers and holes."""
    rng = np.random.default_rng(3)
    pain = rng.choice(["typical", "atypical", "none"], 300).astype(object)
    pain[::17] = None
    X = pd.DataFrame(
        {"pain": pain, "age": rng.normal(50, 9, 300), "sex": rng.choice(["f", "m"], 300).astype(object)}
    )
    X.loc[::23, "age"] = np.nan
    y = pd.Series(np.where((pain == "typical") ^ (rng.random(300) < 0.2), "ill", "well"), name="num")
    return X, y


# ---- learners


def test_a_list_of_learners_is_named_by_key_and_class():
    learners = [
        NaiveBayesClassifier(),
        "tan",
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        LogisticRegression(C=0.1),
        CalibratedClassifierCV(GaussianNB()),
        RandomForestClassifier(2),
    ]
    results = compare(learners, on=IRIS, cv=2)
    assert results.study.learner_keys == [
        "nb",
        "tan",
        "GaussianNB",
        "StandardScaler+LogisticRegression",
        "LogisticRegression",
        "CalibratedClassifierCV(GaussianNB)",
        "RandomForestClassifier",
    ]


class Net(GaussianNB):
    """A class whose name is the beginning of the next one's."""


class Net_2(GaussianNB):
    """A class whose name is a numbered one."""


def test_learners_of_a_list_are_numbered_until_their_names_differ():
    keys = [spec.key for spec in read_learners([Net(), Net(), Net_2(), Net(), Net_2()])]
    assert keys == ["Net", "Net_3", "Net_2", "Net_4", "Net_2_2"]


def test_a_fitted_learner_is_refused_unless_its_input_is_named():
    X, y = IRIS
    frozen = FrozenEstimator(DecisionTreeClassifier().fit(X.to_numpy(), y))
    for learner in (frozen, CalibratedClassifierCV(frozen)):
        with pytest.raises(WorkbenchError, match="'tree' contains a FrozenEstimator"):
            read_learners({"tree": learner})
    with pytest.warns(UserWarning, match="learner 'tree' was fitted before"):
        results = compare({"tree": frozen}, on=IRIS, cv=2, input="one_hot", metrics="accuracy")
    assert results.table()["mean"].iloc[0] > 0.9


# ---- what they are given


def test_input_for_all_leaves_out_ours_alone_also_among_keys():
    specs = read_learners(["cart", "nb", "recalibrated", GaussianNB(), TANClassifier()], "codes")
    assert [spec.input for spec in specs] == ["codes", None, None, "codes", None]


def selected(dtype_include):
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include=dtype_include)),
        remainder="drop",
    )
    return make_pipeline(columns, LogisticRegression())


def test_pipelines_of_any_depth_run_on_text_and_holes(heart):
    text = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number"))
    )
    learners = {
        "nb": NaiveBayesClassifier(),
        "calibrated": CalibratedClassifierCV(selected(["object", "str"])),
        "grid": GridSearchCV(selected(["object", "str"]), {"logisticregression__C": [0.1, 1.0]}),
        "boosting": HistGradientBoostingClassifier(max_iter=5),
        "text": make_pipeline(make_pipeline("passthrough", text), LogisticRegression()),
    }
    progress = Notes()
    results = compare(learners, on={"heart": heart}, cv=2, metrics="accuracy", progress=progress)
    assert (results.cells()["state"] == "done").all()
    assert results.table().loc["heart"]["mean"].min() > 0.7
    assert progress.lines == [
        "class of heart: 'num': ill and well",
        "naive Bayes, histogram boosting: a table of 3 columns, 2 of them categorical",
        "calibrated, grid, text: the table as given, 3 columns",
    ]


def test_which_class_a_cost_is_for_is_said_before_a_run(heart):
    progress, dear = Notes(), CostMatrix([[0, 1], [10, 0]], name="dear")
    metrics = [dear, CostMatrix(dear.costs, decision="argmax", name="dear_argmax")]
    said = "deciding well where ill costs 1, ill where well 10"
    order = f"metrics 'dear' and 'dear_argmax' .* the order of the classes, 'ill', 'well': {said}; it"
    with pytest.warns(OrderOfClasses, match=f"^{order}.* give costs by name") as caught:
        compare(["prior"], on={"heart": heart}, cv=2, metrics=metrics, progress=progress)
    assert len(caught) == 1
    threshold = "it decides for well if its forecast is at least 9.09%"
    assert (
        f"dear of heart: the mean cost of the decisions by the forecasts: {said}; {threshold}"
        in progress.lines
    )
    assert (
        f"dear_argmax of heart: the mean cost of deciding for the most probable class: {said}"
        in progress.lines
    )
    three = CostMatrix(1 - np.eye(3), name="three")
    with pytest.raises(WorkbenchError, match=r"'three' does not fit source 'heart': .*the 2 classes ill"):
        compare(["prior"], on={"heart": heart}, cv=2, metrics=three)


def test_named_numbered_and_even_costs_go_by_no_order(heart):
    X, y = heart
    named = CostMatrix({"ill": {"ill": 0, "well": 10}, "well": {"ill": 1, "well": 0}})
    for metric in (named, CostMatrix([[0, 2], [2, 0]])):
        compare(["prior"], on={"heart": (X, y)}, cv=2, metrics=metric)
    compare(
        ["prior"], on={"heart": (X, (y == "ill").astype(int))}, cv=2, metrics=CostMatrix([[0, 1], [9, 0]])
    )


def test_what_was_given_is_kept_with_the_run(heart, tmp_path):
    store = tmp_path / "s.db"
    for _ in range(2):  # the second run computes nothing
        compare({"boosting": HistGradientBoostingClassifier()}, on={"heart": heart}, cv=2, store=store)
        given = load(store).inputs()
        assert given.to_dict() == {"boosting": "a table of 3 columns, 2 of them categorical"}
        with pd.option_context("display.max_colwidth", 10):
            assert given["boosting"] in str(given)
    assert list(lines_of({"input of a": "x", "input of b": "x"})) == ["a, b: x"]


def test_input_can_be_named_for_all_or_by_learner(heart):
    learners = {"nb": NaiveBayesClassifier(), "boosting": HistGradientBoostingClassifier(max_iter=2)}
    progress = Notes()
    compare(learners, on={"heart": heart}, cv=2, input={"boosting": "one_hot"}, progress=progress)
    assert progress.lines[-1] == "histogram boosting: one-hot, 6 columns from 3"
    compare(learners, on={"heart": heart}, cv=2, input="codes", progress=progress)
    assert progress.lines[-2:] == [
        "naive Bayes: a table of 3 columns, 2 of them categorical",
        "histogram boosting: an array of 3 columns, 2 of them codes",
    ]
    with pytest.raises(WorkbenchError, match="input names the learner 'bosting'; did you mean 'boosting'"):
        compare(learners, on={"heart": heart}, input={"bosting": "codes"})
    with pytest.raises(WorkbenchError, match="has the input 'onehott'; did you mean 'one_hot'"):
        compare(learners, on={"heart": heart}, input={"boosting": "onehott"})


@pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")
def test_an_array_of_integers_with_many_values_warns(heart):
    X = np.column_stack([np.arange(60), np.arange(60) % 3, np.arange(60) % 2])
    with pytest.warns(IntegerColumnWarning, match="source 'rows': Column 0 of an array of integers has more"):
        compare([NaiveBayesClassifier()], on=(X, X[:, 1]), cv=2)


def test_columns_that_name_rows_are_warned_of():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"who": [f"P{i}" for i in range(40)], "b": list("xy") * 20, "n": rng.normal(size=40)})
    y = rng.permutation([0, 1] * 20)
    with pytest.warns(
        RowNamesWarning, match=r"source 'rows': column 'who' identifies rows.*\.drop\(columns=\[\"who\"\]\)"
    ):
        compare([NaiveBayesClassifier()], on=(X, y), cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare([NaiveBayesClassifier()], on=(X.drop(columns="who"), y), cv=2)


# ---- designs


@pytest.mark.parametrize(
    "cv",
    [
        3,
        KFold(3, shuffle=True, random_state=5),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1),
        ShuffleSplit(3, test_size=0.3, random_state=2),
        StratifiedShuffleSplit(3, train_size=0.5, random_state=2),
    ],
    ids=str,
)
def test_a_splitter_makes_the_parts_of_scikit_learn(cv):
    tree = DecisionTreeClassifier(random_state=0)
    X, y = IRIS
    results = compare({"tree": tree}, on=(X, y), cv=cv, metrics="accuracy")
    own = results.frame().query("cutoff == 'none'")["value"]
    assert own.tolist() == cross_val_score(tree, X.to_numpy(), y, cv=cv).tolist()


def test_a_splitter_without_a_seed_has_the_study_s():
    def parts(seed):
        results = compare([GaussianNB()], on=IRIS, cv=KFold(3, shuffle=True), seed=seed, metrics="accuracy")
        return results.cells()["test_digest"].tolist()

    assert parts(1) == parts(1) != parts(2)


def test_a_design_can_be_named_and_a_splitter_is_a_design_in_toml():
    assert compare([GaussianNB()], on=IRIS, design="five_by_two").study.design["kind"] == "five_by_two"
    text = """
        name = "own"
        seed = 1
        learners = ["nb"]
        [[sources]]
        dataset = "iris"
        [design]
        kind = "scikit_splits"
        method = "RepeatedStratifiedKFold"
        n_splits = 5
        repeats = 2
        random_state = 0
        """
    study = read_study(text)
    assert study.design == ScikitSplits.of(RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0))
    assert read_study(write_study(study)) == study


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            {"cv": LeaveOneOut()},
            r"cv is LeaveOneOut\(\): expected a number of folds or one of scikit-learn's",
        ),
        ({"cv": 1}, "StratifiedKFold cannot be made: k-fold cross-validation requires at least one"),
        (
            {"cv": KFold(3, shuffle=True, random_state=np.random.RandomState(0))},
            "expected an integer, or None",
        ),
        ({"cv": 3, "design": "five_by_two"}, "design= is also given: leave out one of the two"),
        ({"cv": 200}, "source 'rows' cannot be split: Cannot have number of splits n_splits=200"),
    ],
)
def test_what_cannot_split_is_reported(arguments, message):
    with pytest.raises(WorkbenchError, match=message):
        compare([GaussianNB()], on=IRIS, **arguments)


def test_truths_are_not_split():
    with pytest.raises(WorkbenchError, match="cv is 3, but it only splits data sets: for truths"):
        compare([NaiveBayesClassifier()], on=TRUTHS, cv=3)


# ---- scores


def test_metrics_have_the_names_that_people_know():
    results = compare([GaussianNB()], on=IRIS, cv=2, metrics=("brier", "ece", "roc_auc", "nll"))
    assert results.study.metrics == ("quadratic_loss", "expected_calibration_error", "auc", "log_loss_nats")
    pd.testing.assert_frame_equal(results.table("brier"), results.table("quadratic_loss"))
    pd.testing.assert_frame_equal(results.scores("brier"), results.scores(results.choose("quadratic_loss")))
    assert len(results.scores("brier")) == 2
    by = Correlations.of(results, metrics=["brier", "AUC"])
    assert [key.metric for key in by.scores] == ["quadratic_loss", "auc"]
    assert list(by.matrix("Brier", "roc_auc").index) == ["rows"]
    assert decomposed_score("brier").metric == "quadratic_loss"


def test_compare_and_study_files_have_the_same_defaults():
    made = read_study('name = "a"\nseed = 0\nlearners = ["nb"]\n[[sources]]\ndataset = "iris"\n')
    results = compare(["nb"], on="iris")
    assert results.study.metrics == made.scores.metrics == Scores().metrics
    assert tuple(results.study.content["scores"]["cutoffs"]) == made.scores.cutoffs
    assert results.study.design["kind"] == made.design.key == "five_by_two"
    assert run(made).frame()["value"].tolist() == results.frame()["value"].tolist()


def test_an_error_shows_the_line_of_the_caller_and_few_frames():
    with pytest.raises(WorkbenchError, match="unknown metric 'acuracy'; did you mean 'accuracy'") as caught:
        compare([GaussianNB()], on=IRIS, metrics="acuracy")
    assert len(traceback.extract_tb(caught.value.__traceback__)) == 2


# ---- failures and Ctrl-C


class Failing(ClassifierMixin, BaseEstimator):
    """Fail in `fit`."""

    def fit(self, X, y):
        raise RuntimeError("no luck")

    def predict_proba(self, X):
        raise NotImplementedError


@pytest.mark.filterwarnings("ignore::workbench.datasets.TableWarning")
def test_what_fails_is_said_in_a_rehearsal_before_the_first_cell(heart):
    X, y = (pd.concat([part] * 4, ignore_index=True) for part in heart)
    order = []

    class Ordered(Notes):
        def note(self, line):
            order.append(line)

        def advance(self, done, failed):
            order.append((done, failed))

    learners = {"nb": NaiveBayesClassifier(), "bad": Failing()}
    with pytest.warns(FailedCells):
        compare(learners, on=(X, y), cv=2, progress=Ordered(), isolate=False)
    assert (
        order[3:]
        == [
            "bad fails in a rehearsal on a few rows: RuntimeError: no luck",
            (0, 0),
            (2, 1),
            (2, 1),
        ]
        or order[2:5].count("bad fails in a rehearsal on a few rows: RuntimeError: no luck") == 1
    )


class Stops(Notes):
    """Press Ctrl-C after some cells."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def advance(self, done, failed):
        super().advance(done, failed)
        if self.computed >= self.after:
            raise KeyboardInterrupt


def test_ctrl_c_returns_what_is_done():
    with pytest.warns(Interrupted, match=r"stopped: 4 of 20 cells are done .* with store= the same call"):
        results = compare(["nb", "tan"], on=IRIS, progress=Stops(4))
    assert (results.cells()["state"] == "done").sum() == 4
    assert results.table("accuracy")["n"].tolist() == [2, 2]


def test_a_second_ctrl_c_does_not_lose_what_is_done(monkeypatch):
    def pressed_again(opened, study):
        signal.raise_signal(signal.SIGINT)
        return results_of(opened, study)

    monkeypatch.setattr(runner, "results_of", pressed_again)
    with pytest.warns(Interrupted, match="stopped: 4 of 20 cells are done"):
        compare(["nb", "tan"], on=IRIS, progress=Stops(4))


def test_ctrl_c_before_the_first_cell_raises():
    class AtOnce(Notes):
        def note(self, line):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(["nb"], on=IRIS, progress=AtOnce())


def test_after_ctrl_c_the_same_call_computes_the_rest(tmp_path):
    call = {"on": IRIS, "store": tmp_path / "s.db"}
    with pytest.warns(Interrupted, match="the same call computes the rest"):
        compare(["nb", "tan"], progress=Stops(4), **call)
    progress = Silent()
    compare(["nb", "tan"], progress=progress, **call)
    assert (progress.found, progress.computed) == (4, 16)


# ---- progress


def test_progress_is_a_bar_where_somebody_looks(monkeypatch):
    assert type(progress_of.for_the_reader()) is Silent
    monkeypatch.setattr("learners.networks.progress.is_notebook", lambda: True)
    assert type(progress_of.for_the_reader()) is NotebookProgress
    monkeypatch.setattr("learners.networks.progress.is_notebook", lambda: False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert type(progress_of.for_the_reader()) is BarProgress


def test_progress_is_chosen_by_a_word_or_an_object():
    assert type(progress_of.chosen(None)) is type(progress_of.chosen(False)) is Silent
    assert type(progress_of.chosen(True)) is PlainProgress  # lines, where nothing can be drawn
    assert progress_of.chosen(own := Notes()) is own
    for wrong in ("bar", 1, Notes):
        with pytest.raises(WorkbenchError, match="expected True, False or an object with the methods note,"):
            compare(["nb"], on=IRIS, cv=2, progress=wrong)


# ---- study files


def test_a_study_file_names_factories_and_estimators(tmp_path, monkeypatch):
    (tmp_path / "mine_of_this_test.py").write_text(
        "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import StandardScaler\n"
        "def scaled(C=1.0):\n"
        "    return make_pipeline(StandardScaler(), LogisticRegression(C=C))\n"
        "ready = scaled(2.0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    study = read_study("""
        name = "own"
        seed = 1
        learners = [
            {key = "a", learner = "mine_of_this_test:scaled", C = 0.5},
            {key = "b", learner = "mine_of_this_test:ready", logisticregression__C = 0.6},
            {key = "c", learner = "mine_of_this_test:ready", input = "one_hot"},
        ]
        [[sources]]
        dataset = "iris"
        """)
    a, b, c = (spec.build() for spec in study.learners)
    assert [one.get_params()["logisticregression__C"] for one in (a, b, c)] == [0.5, 0.6, 2.0]
    assert study.learners[2].input == "one_hot"
    assert (run(study).cells()["state"] == "done").all()
    with pytest.raises(WorkbenchError, match="unknown parameter 'c' of learner 'mine_of_this_test:ready'"):
        read_study('name="o"\nseed=1\nlearners=[{key="b",learner="mine_of_this_test:ready",c=1}]\n'
                   '[[sources]]\ndataset="iris"\n')  # fmt: skip


class Compiling(GaussianNB):
    """Compile a kernel in `fit`."""

    def fit(self, X, y):
        import numba

        numba.njit(lambda x: x + 1)(1)
        return super().fit(X, y)


@pytest.mark.process
@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("isolate", [True, False], ids=["apart", "here"])
def test_compiling_is_said_once(isolate):
    progress = Notes()
    compare([Compiling()], on=IRIS, cv=3, progress=progress, isolate=isolate)
    assert progress.lines.count(COMPILING) == 1


# ---- what reviewers and newcomers found


def test_a_file_is_given_to_pipelines_as_pandas_reads_it(heart, tmp_path):
    X, y = heart
    X.assign(num=y).to_csv(tmp_path / "heart.csv", index=False)
    again = pd.read_csv(tmp_path / "heart.csv")
    filled = make_column_transformer(
        (
            make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
            make_column_selector(dtype_exclude="number"),
        ),
        (SimpleImputer(), make_column_selector(dtype_include="number")),
    )
    pipeline = make_pipeline(filled, LogisticRegression())
    results = compare([pipeline], on=(str(tmp_path / "heart.csv"), "num"), cv=4, metrics="accuracy")
    expected = cross_val_score(pipeline, again.drop(columns="num"), again["num"], cv=4)
    assert results.frame().query("cutoff == 'none'")["value"].tolist() == expected.tolist()


def test_parts_are_those_of_scikit_learn_whatever_order_the_classes_are_declared_in():
    X, y = IRIS
    names = y.map({0: "b", 1: "c", 2: "a"})
    declared = pd.Series(pd.Categorical(names, categories=["c", "b", "a"]), name="kind")
    tree = DecisionTreeClassifier(random_state=0)
    cv = StratifiedShuffleSplit(4, test_size=0.2, random_state=3)
    results = compare({"tree": tree}, on=(X, declared), cv=cv, metrics="accuracy")
    own = results.frame().query("cutoff == 'none'")["value"]
    assert own.tolist() == cross_val_score(tree, X.to_numpy(), names.to_numpy(), cv=cv).tolist()


def test_equal_splits_are_equal_cells(tmp_path):
    progress = Silent()
    for cv in (5, StratifiedKFold(5), StratifiedKFold()):
        compare([GaussianNB()], on=IRIS, cv=cv, store=tmp_path / "s.db", progress=progress)
    assert (progress.computed, progress.found) == (5, 10)


def test_a_class_that_is_guessed_is_said_where_nobody_looks(tmp_path):
    (tmp_path / "people.csv").write_text("survived,age\nno,3\nno,3\n" + "yes,1\nno,2\n" * 5)

    class Counts(Silent):
        """A display of the caller's own that shows no lines."""

    for progress in (None, Counts()):
        with pytest.warns(InferredClassWarning, match="the last column, 'age', is taken as the class"):
            compare(["nb"], on=str(tmp_path / "people.csv"), cv=2, metrics="accuracy", progress=progress)


@pytest.mark.usefixtures("isolated")
def test_known_code_is_looked_through_to_what_it_calls():
    plain = GridSearchCV(LogisticRegression(), {"C": [1.0]}, scoring="accuracy")
    assert is_known_code(plain)
    assert not is_known_code(clone(plain).set_params(scoring=make_scorer(lambda y, z: 0.0)))
    assert not is_known_code(clone(plain).set_params(scoring=np.vectorize(lambda y: 0.0)))
    assert is_known_code(clone(plain).set_params(cv=StratifiedKFold(3)))
    known = {np.log1p: True, scipy.special.expit: True, math.exp: True}
    for function, is_known in {**known, os._exit: False}.items():
        assert is_known_code(FunctionTransformer(function)) == is_known, function


@pytest.mark.parametrize(
    ("learners", "on", "said"),
    [
        ({"a": None}, IRIS, "learner 'a' is None: give a key of the catalogue, or a classifier"),
        (["nb"], {}, "on is {}, which is empty: give a truth, a data set, or a file"),
        (["RandomForest"], IRIS, "did you mean 'random_forest'"),
    ],
)
def test_what_is_missing_or_called_otherwise_is_said(learners, on, said):
    with pytest.raises(WorkbenchError, match=re.escape(said)):
        compare(learners, on=on, cv=2)


def test_a_cell_says_that_its_learner_refused_rows_of_one_class():
    learners = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier()}
    truth = random_tan(n_attributes=3, n_classes=2, random_state=1)
    with pytest.warns(OneClass, match="^in 1 of 2 cells the training rows have one class"):
        results = compare(learners, on=truth, sizes=1, n_test=40, metrics="log_loss")
    cells = results.cells().set_index("learner")
    assert set(cells["state"]) == {"done"}
    assert "refuses and which gets probability 1: " in cells["message"]["logistic"]
    assert "at least 2 classes" in cells["message"]["logistic"]
    assert cells["message"]["tree"] == ""
    frame = results.frame().query("rows == 'test'")
    loss = frame.set_index(["cutoff", "learner"])["value"]
    assert np.isinf(loss["none"]).all()
    assert np.isfinite(loss["2002"]).all()
    assert loss["2002", "logistic"] == loss["2002", "tree"]
