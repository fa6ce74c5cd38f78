"""What other people's estimators are given: a spy in the place of the first reader."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn import compose, preprocessing
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    LabelEncoder,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from learners import TANClassifier
from workbench.estimators.foreign import ForeignClassifier, adapt
from workbench.estimators.inputs import INPUTS, FittedInput, input_identity, input_of
from workbench.estimators.recalibrated import recalibrated

BOOSTING = HistGradientBoostingClassifier(max_iter=2)
COLUMNS = make_column_transformer(
    (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
    remainder="passthrough",
)
TABLED = make_pipeline(COLUMNS, LogisticRegression())

#: Estimators of scikit-learn and what each is given, bare.
BARE = [
    (LogisticRegression(), "one_hot"),
    (RandomForestClassifier(), "one_hot"),
    (BOOSTING, "categories"),
    (HistGradientBoostingClassifier(categorical_features=None), "one_hot"),
    (HistGradientBoostingClassifier(categorical_features=["a"]), "categories"),
    (CategoricalNB(), "codes"),
    (DecisionTreeClassifier(), "one_hot"),
    (BaggingClassifier(), "one_hot"),
]
#: Of these, one of each kind.
TOLD_APART = [
    pair for pair in BARE if isinstance(pair[0], (LogisticRegression, type(BOOSTING), CategoricalNB))
]
#: What wraps them, and whether it hands on a table.
WRAPPERS = {
    "pipeline": (lambda e: make_pipeline(e), True),
    "grid": (lambda e: GridSearchCV(e, {}), True),
    "calibrated": (lambda e: CalibratedClassifierCV(e), True),
    "stacked": (lambda e: StackingClassifier([("one", e)]), True),
    "voting": (lambda e: VotingClassifier([("one", e)]), True),
    "rest": (lambda e: OneVsRestClassifier(e), True),
    "deep": (lambda e: GridSearchCV(CalibratedClassifierCV(make_pipeline("passthrough", e)), {}), True),
    "bagged": (lambda e: BaggingClassifier(e), False),
    "pairs": (lambda e: OneVsOneClassifier(e), False),
}


class WithCodedClass(ClassifierMixin, BaseEstimator):
    """A meta-estimator that encodes the class."""

    def __init__(self, classifier=None, transformer=None):
        self.classifier = classifier
        self.transformer = transformer


#: Pipelines, by what their first step reads.
PIPELINES = [
    (TABLED, "table"),
    (make_pipeline(OneHotEncoder(), LogisticRegression()), "table"),
    (make_pipeline(OrdinalEncoder(), BOOSTING), "table"),
    (make_pipeline(FunctionTransformer(), LogisticRegression()), "table"),
    (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(), LogisticRegression()), "table"),
    (make_pipeline(make_pipeline(COLUMNS), LogisticRegression()), "table"),
    (make_pipeline(StandardScaler(), LogisticRegression()), "one_hot"),
    (CalibratedClassifierCV(TABLED), "table"),
    (GridSearchCV(TABLED, {"logisticregression__C": [1.0]}), "table"),
    # Each member gets its own form, but not in a search, which names parameters of members.
    (StackingClassifier([("t", TABLED), ("b", BOOSTING)]), "categories"),
    (CalibratedClassifierCV(VotingClassifier([("b", BOOSTING), ("l", LogisticRegression())])), "categories"),
    (GridSearchCV(VotingClassifier([("b", BOOSTING), ("l", LogisticRegression())]), {}), "one_hot"),
    (StackingClassifier([("b", BOOSTING)], LogisticRegression(), passthrough=True), "one_hot"),
    (make_pipeline(SimpleImputer(strategy="most_frequent"), BOOSTING), "one_hot"),
    (make_pipeline(SelectFromModel(BOOSTING), LogisticRegression()), "one_hot"),
    (StackingClassifier([("b", BOOSTING)], final_estimator=LogisticRegression()), "categories"),
    (CalibratedClassifierCV(TANClassifier()), "categories"),
    (WithCodedClass(BOOSTING, LabelEncoder()), "categories"),
]


@pytest.fixture(scope="module")
def rows() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(1)
    a = pd.Categorical.from_codes(rng.integers(0, 2, 60), categories=["u", "v", "w"])
    b = pd.Categorical.from_codes(rng.integers(0, 3, 60), categories=[3, 1, 2])
    X = pd.DataFrame({"a": a, "b": b, "c": np.linspace(0.0, 1.0, 60)})
    return X, pd.Series(pd.Categorical(np.where(rng.random(60) < 0.5, "no", "yes")), name="y")


@pytest.mark.parametrize("estimator, form", BARE, ids=[type(one).__name__ for one, _ in BARE])
def test_a_bare_estimator_is_given_what_it_reads(estimator, form):
    assert input_of(estimator) == form


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("estimator, form", TOLD_APART)
def test_what_wraps_an_estimator_is_given_the_same_if_it_hands_on_tables(wrapper, estimator, form):
    wrap, hands_on_tables = WRAPPERS[wrapper]
    expected = form if hands_on_tables or form == "codes" else "one_hot"
    if not hands_on_tables and isinstance(getattr(estimator, "categorical_features", None), list):
        expected = "codes"  # the columns that it names keep their places
    assert input_of(wrap(estimator)) == expected


@pytest.mark.parametrize("estimator, form", PIPELINES)
def test_a_pipeline_is_given_what_its_first_step_reads(estimator, form):
    assert input_of(estimator) == form


class Spy(ClassifierMixin, BaseEstimator):
    """Keep what `fit` and `predict_proba` were given."""

    seen: list = []  # noqa: RUF012 - shared by the clones that wrappers make

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def fit(self, X, y):
        Spy.seen.append(X)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        Spy.seen.append(X)
        return np.full((len(X), len(self.classes_)), 1.0 / len(self.classes_))

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_spy_inside_sees_categories_wherever_a_table_is_handed_on(wrapper, rows):
    Spy.seen.clear()
    wrap, hands_on_tables = WRAPPERS[wrapper]
    X, y = rows
    ForeignClassifier(wrap(Spy())).fit(X, y).predict_proba(X)
    assert Spy.seen
    for seen in Spy.seen:
        if hands_on_tables:
            assert list(seen["a"].cat.categories) == ["u", "v", "w"]
        else:
            assert np.asarray(seen).shape[1] == 7
            assert np.asarray(seen, dtype=float).max() == 1.0


@pytest.mark.parametrize("form", INPUTS)
def test_the_form_can_be_named(form, rows):
    Spy.seen.clear()
    X, y = rows
    ForeignClassifier(Spy(), form).fit(X, y)
    (seen,) = Spy.seen
    if form in ("categories", "table"):
        pd.testing.assert_frame_equal(seen, X)
    else:
        assert seen.shape == (60, {"one_hot": 7, "codes": 3}[form])
        assert seen.dtype == np.float64


@pytest.mark.parametrize("wrap", [lambda e: e, CalibratedClassifierCV], ids=["bare", "calibrated"])
def test_members_of_an_ensemble_that_read_different_forms_each_get_their_own(rows, wrap):
    X, y = rows
    members = [("t", TABLED), ("b", BOOSTING), ("l", LogisticRegression()), ("own", TANClassifier())]
    fitted = ForeignClassifier(wrap(VotingClassifier(members, voting="soft"))).fit(X, y)
    assert np.isfinite(fitted.predict_proba(X)).all()


def test_categories_are_of_plain_objects_and_numbers_are_floats():
    X = pd.DataFrame(
        {
            "b": [True, False, True, True],
            "n": pd.array([False, None, True, True], dtype="boolean"),
            "s": pd.array(["v", None, "u", "v"], dtype="string"),
            "i": [1, 2, 3, 4],
            "I": pd.array([1, None, 3, 4], dtype="Int64"),
            "f": np.arange(4, dtype=np.float32),
        }
    )
    X["s"] = X["s"].astype("category")
    fitted = FittedInput.of(X, BOOSTING)
    assert fitted.describe() == "a table of 6 columns, 3 of them categorical"
    seen = fitted.rows(X)
    assert seen.dtypes[["i", "I", "f"]].eq(np.float64).all()
    assert [list(seen[name].cat.categories) for name in "bns"] == [[False, True], [False, True], ["u", "v"]]
    assert np.asarray(seen["s"], dtype=object)[1] is np.nan
    assert seen.isna().equals(X.isna())
    adapt(BOOSTING).fit(X, np.array(["no", "yes"] * 2)).predict_proba(X)


def test_codes_are_positions_among_the_declared_values_and_nan_where_missing(rows):
    X, _ = rows
    X = X.assign(a=X["a"].where(X.index != 0))
    codes = FittedInput.of(X, None, "codes").rows(X)
    assert np.isnan(codes[0, 0])
    np.testing.assert_array_equal(codes[1:, 0], X["a"].cat.codes[1:])
    np.testing.assert_array_equal(codes[:, 2], X["c"])


def test_a_table_is_the_one_that_was_given(rows):
    X, y = rows
    given = X.assign(a=X["a"].astype(object))
    Spy.seen.clear()
    adapted = adapt(Spy(), "table", given).fit(X.iloc[10:], y.iloc[10:])
    adapted.predict_proba(X.iloc[:10])
    assert [seen["a"].dtype for seen in Spy.seen] == [object, object]
    pd.testing.assert_frame_equal(Spy.seen[0], given.iloc[10:])
    pd.testing.assert_frame_equal(Spy.seen[1], given.iloc[:10])


@pytest.mark.parametrize(
    "wrap",
    [
        lambda e: VotingClassifier([("b", BOOSTING), ("e", e)], weights=[0, 1], voting="soft"),
        lambda e: StackingClassifier([("b", BOOSTING), ("e", e)], cv=2),
        lambda e: CalibratedClassifierCV(recalibrated(e, folds=2), cv=2),
        lambda e: recalibrated(e, folds=2),
    ],
    ids=["voting", "stacking", "recalibrated in calibrated", "recalibrated"],
)
def test_a_member_that_reads_the_table_as_given_gets_it(wrap, rows):
    X, y = rows
    given = X.assign(a=X["a"].astype(object))
    Spy.seen.clear()
    reader = make_pipeline(FunctionTransformer(), Spy())
    adapt(clone(wrap(reader)), given=given).fit(X.iloc[10:], y.iloc[10:]).predict_proba(X.iloc[:10])
    assert Spy.seen
    for seen in Spy.seen:
        pd.testing.assert_frame_equal(seen, given.loc[seen.index])


def test_categorical_naive_bayes_knows_the_declared_values(rows):
    X, y = rows
    X = X[["a", "b"]]
    assert not (X["a"] == "w").any()
    adapted = ForeignClassifier(CategoricalNB()).fit(X, y)
    assert adapted.estimator.n_categories_.tolist() == [3, 3]
    unseen = X.assign(a=pd.Categorical(["w"] * len(X), categories=["u", "v", "w"]))
    assert np.isfinite(adapted.predict_proba(unseen)).all()


def test_categorical_naive_bayes_refuses_numbers_with_advice_that_keeps_the_nominal_columns(rows):
    X, y = rows
    with pytest.raises(ValueError, match="takes no numbers, and the columns 'c' are numeric") as refused:
        ForeignClassifier(CalibratedClassifierCV(CategoricalNB())).fit(X, y)
    advice = re.search(r"make_column_transformer\(.*OrdinalEncoder\(\)\)", str(refused.value)).group()
    pipeline = make_pipeline(eval(advice, vars(compose) | vars(preprocessing)), CategoricalNB())
    assert input_of(pipeline) == "table"
    ForeignClassifier(pipeline).fit(X, np.where(X["a"] == "u", "yes", "no"))
    assert pipeline[-1].n_categories_.tolist() == [5, 2, 3]
    assert (pipeline.predict(X) == np.where(X["a"] == "u", "yes", "no")).all()


def test_boosting_with_too_many_categories_is_given_one_hot_columns():
    X = pd.DataFrame({"a": pd.Categorical([f"v{i}" for i in range(300)])})
    given = FittedInput.of(X, HistGradientBoostingClassifier())
    assert given.form == "one_hot"
    assert given.describe() == "one-hot, 300 columns from 1, as a column has 300 values and max_bins is 255"


class NumbersAlone(TransformerMixin, BaseEstimator):
    """A transformer that is not scikit-learn's."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X.select_dtypes("number")


def test_a_transformer_of_other_packages_is_given_the_table(rows):
    pipeline = make_pipeline(NumbersAlone(), LogisticRegression())
    assert input_of(pipeline) == "table"
    assert ForeignClassifier(pipeline).fit(*rows).predict_proba(rows[0]).shape == (60, 2)


def test_each_form_is_described_in_a_few_words(rows):
    X, _ = rows
    words = [FittedInput.of(X, None, form).describe() for form in INPUTS]
    assert words == [
        "a table of 3 columns, 2 of them categorical",
        "the table as given, 3 columns",
        "one-hot, 7 columns from 3",
        "an array of 3 columns, 2 of them codes",
    ]
    assert FittedInput.of(X[["c"]], None, "one_hot").describe() == "an array of 1 column, all numeric"


@pytest.mark.parametrize(
    "estimator, given, expected",
    [
        (LogisticRegression(), None, {}),
        (LogisticRegression(), "one_hot", {}),
        (LogisticRegression(), "codes", {"input": "codes"}),
        (BOOSTING, None, {"input": "categories"}),
        (TABLED, None, {"input": "table"}),
        (make_pipeline(StandardScaler(), LogisticRegression()), None, {"input": "one_hot"}),
        (TANClassifier(), None, {}),
        (TANClassifier(), "one_hot", {"input": "one_hot"}),
        (recalibrated(BOOSTING), None, {"input": "categories"}),
    ],
)
def test_the_identity_holds_the_form_where_the_class_does_not_suggest_it(estimator, given, expected):
    assert input_identity(estimator, given) == expected
